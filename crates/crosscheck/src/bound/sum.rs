//! Sum of the inequalities of a case.

use std::collections::HashMap;

use ndqueens_notation::certificate::format_square;
use num_rational::BigRational;

use super::fractions::{Denominator, MAX_BITS, Multiplier, Numerator};
use super::orbits::{Orbit, OrbitTable};
use crate::fault::Reason;

/// Number of squares of a row that are processed between two calls of `go_on`.
const SQUARES_AT_A_TIME: u64 = 1 << 16;

/// Visitor of squares with their weights, which returns `false` to stop.
pub(super) type Visit<'v> = dyn FnMut(&[u32], u64) -> bool + 'v;

/// Sum of the inequalities of the current case that have been read so far.
pub(super) struct Sum {
    pub(super) orbits: OrbitTable,
    /// `true` if the case has no inequalities yet.
    pub(super) is_empty: bool,
    /// Common denominator of the multipliers of the case.
    denominator: Denominator,
    value: Numerator,
    /// Number of times that the squares of each orbit are counted, all squares together.
    counted: HashMap<Orbit, Numerator>,
}

impl Sum {
    /// Creates the sum of no inequalities.
    pub(super) fn new(orbits: OrbitTable) -> Self {
        Self {
            orbits,
            is_empty: true,
            denominator: Denominator::new(),
            value: Numerator::default(),
            counted: HashMap::new(),
        }
    }

    /// Adds `times` times the inequality that the weights of the squares with queens add up to at most
    /// `most`, spread over all its images. `visit_all` visits each square with its weight, and returns
    /// `false` if the visitor did. Returns `false` if `go_on` stopped it before all squares were processed.
    pub(super) fn add_row(
        &mut self,
        times: &Multiplier,
        most: u64,
        visit_all: impl FnOnce(&mut Visit<'_>) -> bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        // The sums do not overflow: they have at most 2^27 terms below 2^64.
        let mut here: HashMap<Orbit, u128> = HashMap::new();
        let (mut orbit, mut number) = (Vec::new(), 0u64);
        let is_done = visit_all(&mut |square, weight| {
            self.orbits.write_orbit(square, &mut orbit);
            match here.get_mut(&orbit) {
                Some(sum) => *sum += u128::from(weight),
                None => drop(here.insert(orbit.clone(), weight.into())),
            }
            number += 1;
            !number.is_multiple_of(SQUARES_AT_A_TIME) || go_on()
        });
        if !is_done {
            return false;
        }
        let times = self.denominator.numerator(times);
        if !self.denominator.is_too_large() {
            for (orbit, squares) in here {
                self.denominator.add(self.counted.entry(orbit).or_default(), &times * squares);
            }
            self.denominator.add(&mut self.value, times * most);
        }
        self.is_empty = false;
        true
    }

    /// Adds `times` times the inequality that at most `most` queens are on an orbit of `size` squares.
    pub(super) fn add_orbit(&mut self, times: &Multiplier, orbit: Orbit, size: u64, most: u64) {
        let times = self.denominator.numerator(times);
        if !self.denominator.is_too_large() {
            self.denominator.add(self.counted.entry(orbit).or_default(), &times * size);
            self.denominator.add(&mut self.value, times * most);
        }
        self.is_empty = false;
    }

    /// Checks that the common denominator is small enough and that every square is counted at least once.
    /// Returns `false` if `go_on` stopped it before all orbits were processed.
    pub(super) fn check(&self, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Reason> {
        if self.denominator.is_too_large() {
            let words =
                format!("the common denominator of the multipliers has more than {MAX_BITS} binary digits");
            return Err(Reason::limit(words));
        }
        self.covers_every_square(go_on)
    }

    /// Returns the sum of the right-hand sides. The common denominator must be small enough.
    pub(super) fn value(&self) -> BigRational {
        BigRational::new(self.denominator.scale(&self.value), self.denominator.value().clone())
    }

    /// Removes all inequalities.
    pub(super) fn clear(&mut self) {
        self.is_empty = true;
        self.counted.clear();
        (self.denominator, self.value) = (Denominator::new(), Numerator::default());
    }

    /// Checks that every square is counted at least once. All squares of an orbit are counted equally often,
    /// so it suffices that their average is at least 1. Returns `false` if `go_on`
    /// stopped it before all orbits were processed.
    fn covers_every_square(&self, go_on: &mut dyn FnMut() -> bool) -> Result<bool, Reason> {
        let orbits = self.orbits.all();
        for ((orbit, size), number) in orbits.iter().zip(1u64..) {
            if number.is_multiple_of(SQUARES_AT_A_TIME) && !go_on() {
                return Ok(false);
            }
            let counted = self.counted.get(orbit).map(|sum| self.denominator.scale(sum)).unwrap_or_default();
            if counted < self.denominator.value() * *size {
                let square = self.orbits.square(orbit);
                let each = BigRational::new(counted, self.denominator.value() * *size);
                return Err(format!(
                    "the square {} and its images are counted {each} times, less than once",
                    format_square(&square)
                )
                .into());
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;

    #[test]
    fn empty_sums_cover_no_square() {
        for sides in [&[1][..], &[4, 4], &[3, 4, 4]] {
            let sum = Sum::new(OrbitTable::new(sides).expect("small"));
            let fault = sum.check(&mut || true).expect_err("nothing is counted");
            assert_eq!(fault.kind, FaultKind::Invalid);
        }
    }
}
