//! Child process that executes one run.

use anyhow::Context as _;
use ndqueens_archive::archive::Archive;
use ndqueens_experiments::child::{self, ChildError};
use ndqueens_workflow::run::RunContext;

use crate::commands::Exit;
use crate::memory;
use crate::progress::{Display, Verbosity};

/// In the child: executes the run given on standard input.
pub(super) fn answer(archive: &Archive) -> anyhow::Result<Exit> {
    let planned = child::begin().context("ndq lab child takes a planned run on standard input")?;
    let mut display = Display::new(Verbosity { quiet: true, verbose: false }, None);
    let memory = memory::for_models(planned.memory_limit_mib.map(|mib| mib.div_ceil(1024)));
    let prior = archive.prior_results();
    child::answer(&planned, &RunContext::new(memory, &prior, archive.notes()), &mut |event| {
        display.show(event)
    })
    .map_err(|error| match error {
        ChildError::Output(fault) => anyhow::Error::from(fault),
        ChildError::Run(fault) => (*fault).into(),
    })?;
    Ok(Exit::Yes)
}
