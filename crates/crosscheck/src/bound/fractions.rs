//! Sums of fractions over a common denominator, which take time proportional to the length of each row.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};

/// Maximum number of binary digits of the common denominator of a case.
pub(super) const MAX_BITS: u64 = 1 << 14;

/// Fraction as it is written, which need not be in lowest terms.
pub(super) struct Multiplier {
    pub(super) above: BigInt,
    pub(super) below: BigInt,
}

/// Common denominator of the multipliers so far.
pub(super) struct Denominator {
    /// Common denominators after each change, each a multiple of the one before.
    multiples: Vec<BigInt>,
    is_too_large: bool,
}

/// Numerator of a sum over a common denominator.
#[derive(Default)]
pub(super) struct Numerator {
    value: BigInt,
    /// Index of its denominator in `Denominator::multiples`.
    over: usize,
}

impl Denominator {
    /// Creates the denominator of an empty sum.
    pub(super) fn new() -> Self {
        Self { multiples: vec![BigInt::one()], is_too_large: false }
    }

    /// Returns `true` if the common denominator has more digits than allowed. Sums are then invalid.
    pub(super) fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// Returns the least common multiple of the denominators so far.
    pub(super) fn value(&self) -> &BigInt {
        self.multiples.last().expect("there is always one")
    }

    /// Makes the denominator a multiple of the one of `times`, and returns the numerator of `times` over it.
    pub(super) fn numerator(&mut self, times: &Multiplier) -> BigInt {
        self.is_too_large |= times.below.bits() > MAX_BITS;
        if self.is_too_large {
            return BigInt::zero();
        }
        let rest = self.value() % &times.below;
        if !rest.is_zero() {
            let factor = BigRational::new(times.below.clone(), rest);
            let multiple = self.value() * factor.numer();
            self.is_too_large = multiple.bits() > MAX_BITS;
            self.multiples.push(multiple);
        }
        &times.above * (self.value() / &times.below)
    }

    /// Adds a numerator over this denominator to a sum.
    pub(super) fn add(&self, sum: &mut Numerator, more: BigInt) {
        let last = self.multiples.len() - 1;
        if sum.over < last {
            sum.value *= self.value() / &self.multiples[sum.over];
            sum.over = last;
        }
        sum.value += more;
    }

    /// Returns a sum as a numerator over this denominator.
    pub(super) fn scale(&self, sum: &Numerator) -> BigInt {
        &sum.value * (self.value() / &self.multiples[sum.over])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_equal_those_of_fractions() {
        let mut denominator = Denominator::new();
        let (mut sum, mut expected) = (Numerator::default(), BigRational::zero());
        for (above, below) in [(1, 2), (2, 4), (5, 6), (7, 1), (3, 35), (0, 9), (-1, 12)] {
            let times = Multiplier { above: BigInt::from(above), below: BigInt::from(below) };
            let numerator = denominator.numerator(&times);
            denominator.add(&mut sum, numerator);
            expected += BigRational::new(times.above, times.below);
            let value = BigRational::new(denominator.scale(&sum), denominator.value().clone());
            assert_eq!(value, expected);
        }
        assert_eq!(*denominator.value(), BigInt::from(1260));
    }

    #[test]
    fn large_denominators_are_reported() {
        let one_over = |below: BigInt| Multiplier { above: BigInt::one(), below };
        let mut denominator = Denominator::new();
        denominator.numerator(&one_over((BigInt::one() << MAX_BITS) - 1));
        assert!(!denominator.is_too_large());
        denominator.numerator(&one_over(BigInt::from(2)));
        assert!(denominator.is_too_large());
        let mut denominator = Denominator::new();
        denominator.numerator(&one_over(BigInt::one() << MAX_BITS));
        assert!(denominator.is_too_large());
    }
}
