//! Cases of a bound: the queens on the images of a square are a whole number, so that they are at most k or at least k + 1.

use super::Orbit;

/// How far a tree of cases is, in depth-first order.
#[derive(Default)]
pub(super) struct Cases {
    /// The splits on the way to the case that comes next.
    open: Vec<Split>,
    /// Whether all cases are done.
    pub(super) are_done: bool,
}

struct Split {
    orbit: Orbit,
    at_most: u64,
    /// Whether the case with more is looked at.
    is_second: bool,
}

impl Cases {
    /// Splits the case that comes next: at most so many queens stand on an orbit, or more.
    pub(super) fn split(&mut self, orbit: Orbit, at_most: u64) {
        self.open.push(Split { orbit, at_most, is_second: false });
    }

    /// Ends a case.
    pub(super) fn end(&mut self) {
        while self.open.pop_if(|split| split.is_second).is_some() {}
        match self.open.last_mut() {
            Some(split) => split.is_second = true,
            None => self.are_done = true,
        }
    }

    /// The queens that an orbit holds at most in this case, if that is assumed.
    pub(super) fn most(&self, orbit: &Orbit) -> Option<u64> {
        self.of(orbit, false).map(|split| split.at_most).min()
    }

    /// The queens that it holds at least.
    pub(super) fn least(&self, orbit: &Orbit) -> Option<u64> {
        self.of(orbit, true).map(|split| split.at_most + 1).max()
    }

    fn of<'c>(&'c self, orbit: &'c Orbit, is_second: bool) -> impl Iterator<Item = &'c Split> {
        self.open.iter().filter(move |split| split.is_second == is_second && split.orbit == *orbit)
    }
}
