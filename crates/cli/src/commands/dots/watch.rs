//! Limits and interruption of searches on a CliqueR board.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ndqueens_solver::backends::Progress;
use ndqueens_system::cancel::{Deadline, StopReason};
use ndqueens_workflow::run::Event;

use crate::progress::Display;

/// Stops a search at its limits and at Ctrl-C, and records the reason.
pub(super) struct Watch<'d> {
    began: Instant,
    deadline: Deadline,
    node_limit: u64,
    display: &'d mut Display,
    stop: Option<StopReason>,
}

impl<'d> Watch<'d> {
    pub(super) fn new(
        time_limit: Option<Duration>,
        node_limit: Option<u64>,
        display: &'d mut Display,
    ) -> Self {
        let node_limit = node_limit.unwrap_or(u64::MAX);
        let began = Instant::now();
        Self { began, deadline: Deadline::since(began, time_limit), node_limit, display, stop: None }
    }

    pub(super) fn go_on(&mut self, nodes: u64) -> ControlFlow<()> {
        let progress = Progress { seconds: self.seconds(), nodes: Some(nodes), ..Progress::default() };
        let asked = self.display.show(&Event::Progress(progress)).is_break();
        self.stop = match () {
            () if asked => Some(StopReason::Interrupted),
            () if nodes >= self.node_limit => Some(StopReason::NodeLimit),
            () => self.deadline.reason(),
        };
        if self.stop.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub(super) fn stop_reason(&self) -> StopReason {
        self.stop.unwrap_or(StopReason::Finished)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.began.elapsed().as_secs_f64()
    }
}
