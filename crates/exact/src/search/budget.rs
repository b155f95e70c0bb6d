//! How many nodes searches may take: one alone, or several that share a limit.
//!
//! Searches that share a limit take *turns*: they run side by side, and what comes of them is what would if each had waited for those
//! before it. None goes on when it and those before it have spent more than the limit, or when one before it has ended the matter.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// How many nodes a search may take.
pub(crate) struct Budget<'b> {
    limit: u64,
    spent: AtomicU64,
    turn: Option<&'b dyn Turn>,
}

/// A search among those that share a budget.
pub(crate) trait Turn: Sync {
    /// What they share.
    fn whole(&self) -> &Budget<'_>;

    /// Takes note of nodes that it has spent.
    fn add(&self, nodes: u64);

    /// What is spent before it by now; `None` when it need not go on.
    fn before(&self) -> Option<u64>;
}

impl<'b> Budget<'b> {
    /// Of one search.
    pub(crate) const fn new(nodes: u64) -> Self {
        Self { limit: nodes, spent: AtomicU64::new(0), turn: None }
    }

    /// Of one of those who share a budget.
    pub(crate) const fn of_turn(turn: &'b dyn Turn) -> Self {
        Self { limit: u64::MAX, spent: AtomicU64::new(0), turn: Some(turn) }
    }

    /// The same with a limit of its own.
    pub(crate) const fn limited(&self, nodes: u64) -> Self {
        Self { limit: nodes, spent: AtomicU64::new(0), turn: self.turn }
    }

    /// How many nodes are left, if those before in turn spend no more than by now.
    pub(crate) fn left(&self) -> u64 {
        self.left_after(self.spent())
    }

    fn left_after(&self, spent: u64) -> u64 {
        let own = self.limit.saturating_sub(spent);
        let shared =
            |turn: &dyn Turn| turn.before().map_or(0, |before| turn.whole().left_after(before + spent));
        self.turn.map_or(own, |turn| own.min(shared(turn)))
    }

    /// What was spent by now.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Takes nodes away; false when there were not as many, or when it is over by another's turn.
    pub(crate) fn spend(&self, nodes: u64) -> bool {
        self.add(nodes);
        !self.is_over(self.spent())
    }

    fn add(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Relaxed);
        if let Some(turn) = self.turn {
            turn.add(nodes);
            turn.whole().add(nodes);
        }
    }

    fn is_over(&self, spent: u64) -> bool {
        let over = |turn: &dyn Turn| turn.before().is_none_or(|before| turn.whole().is_over(before + spent));
        spent > self.limit || self.turn.is_some_and(over)
    }

    /// Whether so many nodes are more than the limit, whatever those before in turn spend.
    pub(crate) fn exceeds(&self, nodes: u64) -> bool {
        nodes > self.limit
    }
}

/// Those who share a budget, by numbers.
pub(crate) struct Turns<'b> {
    whole: &'b Budget<'b>,
    /// What was spent before the first turn.
    before: u64,
    spent: Vec<AtomicU64>,
    /// How many of them may go on, from the first one on.
    open: AtomicUsize,
}

impl<'b> Turns<'b> {
    /// So many who share what is left of a budget.
    pub(crate) fn new(whole: &'b Budget<'b>, number: usize) -> Self {
        let spent = (0..number).map(|_| AtomicU64::new(0)).collect();
        Self { whole, before: whole.spent(), spent, open: AtomicUsize::new(number) }
    }

    /// Whether one of them may go on.
    pub(crate) fn is_open(&self, number: usize) -> bool {
        number < self.open.load(Relaxed)
    }

    /// Those from this one on need not go on.
    pub(crate) fn close(&self, number: usize) {
        self.open.fetch_min(number, Relaxed);
    }

    /// Whether so many nodes are more than there were before the first turn.
    pub(crate) fn exceed(&self, nodes: u64) -> bool {
        self.whole.exceeds(self.before.saturating_add(nodes))
    }
}

/// One of those who share a budget, with its number.
pub(crate) struct NumberedTurn<'b>(pub(crate) &'b Turns<'b>, pub(crate) usize);

impl Turn for NumberedTurn<'_> {
    fn whole(&self) -> &Budget<'_> {
        self.0.whole
    }

    fn add(&self, nodes: u64) {
        self.0.spent[self.1].fetch_add(nodes, Relaxed);
    }

    fn before(&self) -> Option<u64> {
        let Self(turns, number) = self;
        let spent = || turns.spent[..*number].iter().map(|spent| spent.load(Relaxed)).sum::<u64>();
        turns.is_open(*number).then(|| turns.before + spent())
    }
}
