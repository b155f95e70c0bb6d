//! Cases of a bound: the number of queens on the images of a square is an integer, so it is at most k or at
//! least k + 1.

use super::orbits::Orbit;

/// Position in a tree of cases, in depth-first order.
#[derive(Default)]
pub(super) struct Cases {
    /// Splits on the path to the current case.
    open: Vec<Split>,
    /// `true` if all cases are done.
    pub(super) are_done: bool,
}

struct Split {
    orbit: Orbit,
    at_most: u64,
    /// `true` in the second case, which has more than `at_most` queens on the orbit.
    is_second: bool,
}

impl Cases {
    /// Splits the current case into at most `at_most` queens on an orbit, and more.
    pub(super) fn split(&mut self, orbit: Orbit, at_most: u64) {
        self.open.push(Split { orbit, at_most, is_second: false });
    }

    /// Ends the current case.
    pub(super) fn end(&mut self) {
        while self.open.pop_if(|split| split.is_second).is_some() {}
        match self.open.last_mut() {
            Some(split) => split.is_second = true,
            None => self.are_done = true,
        }
    }

    /// Returns the largest number of queens on an orbit that the case assumes, if there is such an
    /// assumption.
    pub(super) fn upper_limit(&self, orbit: &Orbit) -> Option<u64> {
        self.splits_of(orbit, false).map(|split| split.at_most).min()
    }

    /// Returns the smallest number of queens on an orbit that the case assumes, if there is such an
    /// assumption.
    pub(super) fn lower_limit(&self, orbit: &Orbit) -> Option<u64> {
        self.splits_of(orbit, true).map(|split| split.at_most + 1).max()
    }

    fn splits_of<'c>(&'c self, orbit: &'c Orbit, is_second: bool) -> impl Iterator<Item = &'c Split> {
        self.open.iter().filter(move |split| split.is_second == is_second && split.orbit == *orbit)
    }
}
