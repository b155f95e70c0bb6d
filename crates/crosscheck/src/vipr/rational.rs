//! Exact rational numbers with a fast path for small ones.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Signed as _, ToPrimitive as _};

use crate::fault::Reason;

/// Maximum number of digits of the numerator or the denominator of a number.
pub(super) const MAX_DIGITS: usize = 10_000;

/// Maximum number of binary digits of the numerator or denominator of a sum.
const MAX_BITS: u64 = 1 << 16;

/// Error if the value of a sum has too many digits.
#[derive(Debug)]
pub(super) struct TooLong;

impl From<TooLong> for Reason {
    fn from(_: TooLong) -> Self {
        Self::limit(format!("a sum has a numerator or denominator of more than {MAX_BITS} binary digits"))
    }
}

/// Rational number in lowest terms. A number is small if its numerator and denominator fit into 64 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rational {
    Small { above: i64, below: i64 },
    Large(Box<BigRational>),
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::Small { above: value, below: 1 }
    }
}

impl From<u64> for Rational {
    fn from(value: u64) -> Self {
        Self::from_big(BigRational::from_integer(value.into()))
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    pub(super) const ZERO: Self = Self::Small { above: 0, below: 1 };

    fn from_big(value: BigRational) -> Self {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(above), Some(below)) => Self::Small { above, below },
            _ => Self::Large(Box::new(value)),
        }
    }

    /// Returns the fraction in lowest terms, given a positive denominator, or `None` if it is not small.
    fn reduce(above: i128, below: i128) -> Option<Self> {
        let common = i128::try_from(gcd(above.unsigned_abs(), below.unsigned_abs())).ok()?;
        let (above, below) = (i64::try_from(above / common).ok()?, i64::try_from(below / common).ok()?);
        Some(Self::Small { above, below })
    }

    fn to_big(&self) -> BigRational {
        match self {
            Self::Small { above, below } => BigRational::new_raw((*above).into(), (*below).into()),
            Self::Large(value) => (**value).clone(),
        }
    }

    /// Parses an integer, a fraction `p/q` or a finite decimal. Leading zeros, plus signs and exponents are
    /// not allowed.
    pub(super) fn parse(word: &str) -> Result<Self, Reason> {
        let not_a_number = || {
            let words = format!("\"{word}\" is not a number such as -3, 2/3 or 0.5");
            Reason::unreadable(words)
        };
        let (is_negative, unsigned) = match word.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = |text: &str| is_digits(text) && (text == "0" || !text.starts_with('0'));
        let (above, below, tens) = if let Some((above, below)) = unsigned.split_once('/') {
            if !is_plain(above) || !is_plain(below) {
                return Err(not_a_number());
            }
            if below == "0" {
                return Err(Reason::unreadable(format!("the denominator of \"{word}\" is 0")));
            }
            (above.to_owned(), below, 0)
        } else if let Some((whole, rest)) = unsigned.split_once('.') {
            if !is_plain(whole) || !is_digits(rest) {
                return Err(not_a_number());
            }
            (format!("{whole}{rest}"), "1", rest.len())
        } else if is_plain(unsigned) {
            (unsigned.to_owned(), "1", 0)
        } else {
            return Err(not_a_number());
        };
        if above.len() > MAX_DIGITS || below.len() > MAX_DIGITS {
            return Err(too_many_digits());
        }
        if let (0, Ok(above), Ok(below)) = (tens, above.parse::<i64>(), below.parse::<i64>()) {
            let above = if is_negative { -above } else { above };
            if below == 1 {
                return Ok(above.into());
            }
            return Ok(Self::reduce(above.into(), below.into()).expect("it was small"));
        }
        let digits = |text: &str| text.parse::<BigInt>().expect("digits");
        let below = digits(below) * BigInt::from(10).pow(u32::try_from(tens).expect("few digits"));
        let value = BigRational::new(digits(&above), below);
        Ok(Self::from_big(if is_negative { -value } else { value }))
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(super) fn is_integer(&self) -> bool {
        match self {
            Self::Small { below, .. } => *below == 1,
            Self::Large(value) => value.is_integer(),
        }
    }

    /// Compares the number with 0.
    pub(super) fn sign(&self) -> Ordering {
        match self {
            Self::Small { above, .. } => above.cmp(&0),
            Self::Large(value) if value.is_negative() => Ordering::Less,
            Self::Large(_) => Ordering::Greater,
        }
    }

    /// Adds the product `a * b` to the number.
    pub(super) fn add_product(&mut self, a: &Self, b: &Self) -> Result<(), TooLong> {
        if let (
            Self::Small { above, below },
            Self::Small { above: above_a, below: below_a },
            Self::Small { above: above_b, below: below_b },
        ) = (&*self, a, b)
        {
            if (*below, *below_a, *below_b) == (1, 1, 1)
                && let Some(sum) =
                    above_a.checked_mul(*above_b).and_then(|product| product.checked_add(*above))
            {
                *self = sum.into();
                return Ok(());
            }
            let sum = || {
                let wide = |x: &i64| i128::from(*x);
                let product = Self::reduce(wide(above_a) * wide(above_b), wide(below_a) * wide(below_b))?;
                let Self::Small { above: more, below: over } = product else { return None };
                let left = wide(above).checked_mul(over.into())?;
                let right = i128::from(more).checked_mul(wide(below))?;
                Self::reduce(left.checked_add(right)?, wide(below).checked_mul(over.into())?)
            };
            if let Some(sum) = sum() {
                *self = sum;
                return Ok(());
            }
        }
        let sum = self.to_big() + a.to_big() * b.to_big();
        if sum.numer().bits() > MAX_BITS || sum.denom().bits() > MAX_BITS {
            return Err(TooLong);
        }
        *self = Self::from_big(sum);
        Ok(())
    }

    /// Returns the number times -1.
    pub(super) fn negate(&self) -> Self {
        match self {
            Self::Small { above, below } if above.checked_neg().is_some() => {
                Self::Small { above: -above, below: *below }
            }
            _ => Self::from_big(-self.to_big()),
        }
    }

    /// Returns the number plus 1.
    pub(super) fn successor(&self) -> Self {
        match self {
            Self::Small { above, below } if above.checked_add(*below).is_some() => {
                Self::Small { above: above + below, below: *below }
            }
            _ => Self::from_big(self.to_big() + BigRational::one()),
        }
    }

    /// Returns the largest integer that is at most the number.
    pub(super) fn floor(&self) -> Self {
        match self {
            Self::Small { above, below } => above.div_euclid(*below).into(),
            Self::Large(value) => Self::from_big(value.floor()),
        }
    }

    /// Returns the smallest integer that is at least the number.
    pub(super) fn ceil(&self) -> Self {
        let floor = self.floor();
        if self.is_integer() { floor } else { floor.successor() }
    }

    /// Returns the number as an unsigned integer, or `None` if it is not an integer below 2^64.
    pub(super) fn to_u64(&self) -> Option<u64> {
        match self {
            Self::Small { above, below: 1 } => u64::try_from(*above).ok(),
            Self::Small { .. } => None,
            Self::Large(value) if value.is_integer() => value.numer().to_u64(),
            Self::Large(_) => None,
        }
    }
}

/// Returns the fault of a number with more than [`MAX_DIGITS`] digits.
pub(super) fn too_many_digits() -> Reason {
    Reason::limit(format!("a number has more than {MAX_DIGITS} digits in its numerator or denominator"))
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small { above: a, below: b }, Self::Small { above: c, below: d }) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_big().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero as _;
    use proptest::prelude::*;

    fn read(word: &str) -> Rational {
        Rational::parse(word).unwrap_or_else(|fault| panic!("{word}: {}", fault.words))
    }

    #[test]
    fn parses_integers_fractions_and_decimals() {
        for (word, same) in [
            ("-6/4", "-3/2"),
            ("0.50", "1/2"),
            ("-0", "0"),
            ("-0.125", "-1/8"),
            ("12.0", "12"),
            ("9223372036854775808", "18446744073709551616/2"),
            ("-9223372036854775808", "-18446744073709551616/2"),
            ("0/7", "0"),
        ] {
            assert_eq!(read(word), read(same), "{word}");
        }
        for word in [
            "", "-", "+1", "01", "1e3", "1/", "/2", "1/-2", "1/0", "1/00", ".5", "5.", "1.2/3", "1/2/3",
            "0x1", "1_0", "inf", "nan", "--1", "-00", "00.5", "1.-5", "½",
        ] {
            assert!(Rational::parse(word).is_err(), "{word}");
        }
        assert!(Rational::parse(&"9".repeat(MAX_DIGITS)).is_ok());
        assert!(Rational::parse(&"9".repeat(MAX_DIGITS + 1)).is_err());
        assert!(Rational::parse(&format!("0.{}", "0".repeat(MAX_DIGITS))).is_err());
    }

    #[test]
    fn long_sums_are_reported() {
        let large = read(&"9".repeat(MAX_DIGITS));
        let mut sum = large.clone();
        assert!(sum.add_product(&large, &Rational::from(1i64)).is_ok());
        assert!(sum.add_product(&large, &large).is_err());
    }

    proptest! {
        #[test]
        fn arithmetic_equals_that_of_big_fractions(
            numbers in prop::collection::vec((any::<i64>(), 1..i64::MAX, 0..63u32), 3),
        ) {
            let values: Vec<Rational> = numbers
                .iter()
                .map(|&(a, b, shift)| read(&format!("{}/{}", a >> shift, (b >> shift).max(1))))
                .collect();
            let big: Vec<BigRational> = values.iter().map(Rational::to_big).collect();
            let mut sum = values[0].clone();
            prop_assert!(sum.add_product(&values[1], &values[2]).is_ok());
            prop_assert_eq!(sum.to_big(), &big[0] + &big[1] * &big[2]);
            prop_assert_eq!(sum.cmp(&values[0]), sum.to_big().cmp(&big[0]));
            prop_assert_eq!(values[0].floor().to_big(), big[0].floor());
            prop_assert_eq!(values[0].ceil().to_big(), big[0].ceil());
            prop_assert_eq!(values[0].successor().to_big(), &big[0] + BigRational::one());
            prop_assert_eq!(values[0].negate().to_big(), -big[0].clone());
            prop_assert_eq!(values[0].sign(), big[0].cmp(&BigRational::zero()));
            let is_small = sum.to_big().numer().to_i64().is_some() && sum.to_big().denom().to_i64().is_some();
            prop_assert_eq!(is_small, matches!(sum, Rational::Small { .. }));
        }
    }
}
