//! Node budgets of searches.
//!
//! Several searches may share a budget in a fixed order. They run concurrently, but their results are those
//! of running them one after the other: a search stops as soon as it and its predecessors together exceed the
//! limit, or a predecessor has decided the outcome.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// Node limit of a search, with the number of nodes spent so far.
pub(crate) struct Budget<'b> {
    limit: u64,
    spent: AtomicU64,
    /// Slot in a shared budget, if any.
    slot: Option<&'b dyn BudgetSlot>,
}

/// Position of a search among those that share a budget.
pub(crate) trait BudgetSlot: Sync {
    /// Returns the budget that is shared.
    fn shared_budget(&self) -> &Budget<'_>;

    /// Adds `nodes` to the nodes spent by this search.
    fn add(&self, nodes: u64);

    /// Returns the number of nodes spent so far by the preceding searches, or `None` if this search
    /// is no longer needed.
    fn spent_before(&self) -> Option<u64>;
}

impl<'b> Budget<'b> {
    /// Creates a budget of `nodes` nodes that is not shared.
    pub(crate) const fn new(nodes: u64) -> Self {
        Self { limit: nodes, spent: AtomicU64::new(0), slot: None }
    }

    /// Creates the budget of one of the searches that share a budget.
    pub(crate) const fn for_slot(slot: &'b dyn BudgetSlot) -> Self {
        Self { limit: u64::MAX, spent: AtomicU64::new(0), slot: Some(slot) }
    }

    /// Returns a budget for the same slot with a limit of its own.
    pub(crate) const fn with_limit(&self, nodes: u64) -> Self {
        Self { limit: nodes, spent: AtomicU64::new(0), slot: self.slot }
    }

    /// Returns the number of nodes left, provided that the preceding searches spend no more
    /// than they have so far.
    pub(crate) fn remaining(&self) -> u64 {
        self.remaining_after(self.spent())
    }

    /// Returns the number of nodes left after `spent` nodes.
    fn remaining_after(&self, spent: u64) -> u64 {
        let own = self.limit.saturating_sub(spent);
        let shared = |slot: &dyn BudgetSlot| {
            slot.spent_before().map_or(0, |before| slot.shared_budget().remaining_after(before + spent))
        };
        self.slot.map_or(own, |slot| own.min(shared(slot)))
    }

    /// Returns the number of nodes spent so far.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Spends `nodes` nodes. Returns `false` if the budget is exceeded or the search is no longer needed.
    pub(crate) fn spend(&self, nodes: u64) -> bool {
        self.add(nodes);
        !self.is_over(self.spent())
    }

    /// Adds `nodes` to the nodes spent, here and in the shared budget.
    fn add(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Relaxed);
        if let Some(slot) = self.slot {
            slot.add(nodes);
            slot.shared_budget().add(nodes);
        }
    }

    /// Returns `true` if the budget is exceeded after `spent` nodes or the search is no longer needed.
    fn is_over(&self, spent: u64) -> bool {
        let over = |slot: &dyn BudgetSlot| {
            slot.spent_before().is_none_or(|before| slot.shared_budget().is_over(before + spent))
        };
        spent > self.limit || self.slot.is_some_and(over)
    }

    /// Returns `true` if `nodes` exceeds the limit of this budget, regardless of other searches.
    pub(crate) fn is_exceeded_by(&self, nodes: u64) -> bool {
        nodes > self.limit
    }
}

/// Budget that several searches share in a fixed order.
pub(crate) struct SharedBudget<'b> {
    /// Budget that is shared.
    budget: &'b Budget<'b>,
    /// Number of nodes spent before the first of the searches.
    before: u64,
    /// Number of nodes spent by each search.
    spent: Vec<AtomicU64>,
    /// Number of searches that are still needed; they precede all others.
    open: AtomicUsize,
}

impl<'b> SharedBudget<'b> {
    /// Shares the rest of a budget among `number` searches.
    pub(crate) fn new(budget: &'b Budget<'b>, number: usize) -> Self {
        let spent = (0..number).map(|_| AtomicU64::new(0)).collect();
        Self { budget, before: budget.spent(), spent, open: AtomicUsize::new(number) }
    }

    /// Returns `true` if the search is still needed.
    pub(crate) fn is_open(&self, number: usize) -> bool {
        number < self.open.load(Relaxed)
    }

    /// Marks the search with this number and all later ones as no longer needed.
    pub(crate) fn close_from(&self, number: usize) {
        self.open.fetch_min(number, Relaxed);
    }

    /// Returns `true` if `nodes` exceeds the shared budget.
    pub(crate) fn is_exceeded_by(&self, nodes: u64) -> bool {
        self.budget.is_exceeded_by(self.before.saturating_add(nodes))
    }
}

/// Slot of the search with a given number.
pub(crate) struct IndexedSlot<'b>(pub(crate) &'b SharedBudget<'b>, pub(crate) usize);

impl BudgetSlot for IndexedSlot<'_> {
    fn shared_budget(&self) -> &Budget<'_> {
        self.0.budget
    }

    fn add(&self, nodes: u64) {
        self.0.spent[self.1].fetch_add(nodes, Relaxed);
    }

    fn spent_before(&self) -> Option<u64> {
        let Self(shared, number) = self;
        let spent = || shared.spent[..*number].iter().map(|spent| spent.load(Relaxed)).sum::<u64>();
        shared.is_open(*number).then(|| shared.before + spent())
    }
}
