//! How many nodes searches may take: one alone, or several that share a limit.
//!
//! Searches that share a limit take *turns*: they run side by side, and what comes of them is what would if each had waited for those
//! before it. None goes on when it and those before it have spent more than the limit, or when one before it has ended the matter.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// How many nodes a search may take.
#[derive(Debug)]
pub(super) struct Budget<'b> {
    limit: u64,
    spent: AtomicU64,
    turn: Option<(&'b Turns<'b>, usize)>,
}

/// Those who share a budget.
#[derive(Debug)]
pub(super) struct Turns<'b> {
    whole: &'b Budget<'b>,
    /// What was spent before the first turn.
    before: u64,
    spent: Vec<AtomicU64>,
    /// How many of them may go on, from the first one on.
    open: AtomicUsize,
}

impl<'b> Budget<'b> {
    /// Of one search.
    pub(super) const fn new(nodes: u64) -> Self {
        Self { limit: nodes, spent: AtomicU64::new(0), turn: None }
    }

    /// Of one of those who share a budget.
    pub(super) fn of_turn(turns: &'b Turns<'b>, number: usize) -> Self {
        Self { limit: u64::MAX, spent: AtomicU64::new(0), turn: Some((turns, number)) }
    }

    /// How many nodes are left, if those before in turn spend no more than by now.
    pub(super) fn left(&self) -> u64 {
        self.left_after(self.spent.load(Relaxed))
    }

    fn left_after(&self, spent: u64) -> u64 {
        let own = self.limit.saturating_sub(spent);
        let shared = self.turn.map(|(turns, number)| turns.whole.left_after(turns.before(number) + spent));
        shared.map_or(own, |shared| shared.min(own))
    }

    /// Takes nodes away; false when there were not as many, or when it is over by another's turn.
    pub(super) fn spend(&self, nodes: u64) -> bool {
        let mut budget = self;
        budget.spent.fetch_add(nodes, Relaxed);
        while let Some((turns, number)) = budget.turn {
            turns.spent[number].fetch_add(nodes, Relaxed);
            budget = turns.whole;
            budget.spent.fetch_add(nodes, Relaxed);
        }
        !self.is_over(self.spent.load(Relaxed))
    }

    fn is_over(&self, spent: u64) -> bool {
        let over = |&(turns, number): &(&Turns<'_>, usize)| {
            !turns.is_open(number) || turns.whole.is_over(turns.before(number) + spent)
        };
        spent > self.limit || self.turn.as_ref().is_some_and(over)
    }
}

impl<'b> Turns<'b> {
    /// So many who share what is left of a budget.
    pub(super) fn new(whole: &'b Budget<'b>, number: usize) -> Self {
        let spent = (0..number).map(|_| AtomicU64::new(0)).collect();
        Self { whole, before: whole.spent.load(Relaxed), spent, open: AtomicUsize::new(number) }
    }

    /// Whether one of them may go on.
    pub(super) fn is_open(&self, number: usize) -> bool {
        number < self.open.load(Relaxed)
    }

    /// Those from this one on need not go on.
    pub(super) fn close(&self, number: usize) {
        self.open.fetch_min(number, Relaxed);
    }

    /// Whether so many nodes are more than there were before the first turn.
    pub(super) fn exceed(&self, nodes: u64) -> bool {
        self.before.saturating_add(nodes) > self.whole.limit
    }

    /// What is spent before a turn.
    fn before(&self, number: usize) -> u64 {
        self.before + self.spent[..number].iter().map(|spent| spent.load(Relaxed)).sum::<u64>()
    }
}
