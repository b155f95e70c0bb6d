//! State of knowledge of a board's maximum.

use ndqueens_archive::bounds::{Fact, Strength};

/// State of knowledge of a board's maximum, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Both bounds are theorems, and they are equal.
    Theorem,
    /// The bounds are equal by certificates that were checked when the site was built.
    Checked,
    /// The bounds are equal by an archived proof that was not checked when the site was built.
    Archived,
    /// The bounds are equal by a published value.
    Reported,
    /// The bounds differ.
    Open,
}

impl Standing {
    /// All states, in the order of the legend.
    pub(super) const ALL: [Self; 5] =
        [Self::Theorem, Self::Checked, Self::Archived, Self::Reported, Self::Open];

    /// Returns the state of a board with these bounds.
    pub(super) fn new(lower: &Fact, upper: &Fact) -> Self {
        if lower.value != upper.value {
            return Self::Open;
        }
        match lower.strength.max(upper.strength) {
            Strength::Theorem => Self::Theorem,
            Strength::Checked => Self::Checked,
            Strength::Archived => Self::Archived,
            Strength::Reported => Self::Reported,
        }
    }

    /// Returns `true` if the maximum is proved.
    pub(super) fn is_settled(self) -> bool {
        matches!(self, Self::Theorem | Self::Checked | Self::Archived)
    }

    /// Returns the class of its style.
    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Theorem => "theorem",
            Self::Checked => "checked",
            Self::Archived => "archived",
            Self::Reported => "reported",
            Self::Open => "open",
        }
    }

    /// Returns its letter in the table; an open board has a range instead.
    pub(super) fn letter(self) -> &'static str {
        match self {
            Self::Theorem => "T",
            Self::Checked => "C",
            Self::Archived => "A",
            Self::Reported => "R",
            Self::Open => "",
        }
    }

    /// Returns its name in the legend.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Theorem => "theorem",
            Self::Checked => "checked proof",
            Self::Archived => "archived proof",
            Self::Reported => "reported",
            Self::Open => "open",
        }
    }

    /// Returns its meaning in the legend.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Theorem => "the maximum follows from theorems",
            Self::Checked => "an independent checker verified the proof when this page was made",
            Self::Archived => "proved; the proof was not re-checked when this page was made",
            Self::Reported => "a publication states the maximum; it is not proved here",
            Self::Open => {
                "lower and upper bound; the gap is up to 2\u{a0}%, up to 10\u{a0}% or more of the upper bound"
            }
        }
    }
}

/// Largest gaps of the first two shades of open boards, in thousandths of the upper bound.
const SHADES: [u128; 2] = [20, 100];

/// Returns the shade of an open board, from 1 (narrow gap) to 3 (wide gap).
pub(super) fn shade(lower: u128, upper: u128) -> usize {
    let gap = (upper - lower).saturating_mul(1000);
    1 + SHADES.iter().filter(|&&share| gap > upper.saturating_mul(share)).count()
}

/// Returns the gap in percent of the upper bound: `10.9`.
pub(super) fn percent(lower: u128, upper: u128) -> String {
    format!("{:.1}", 100.0 * (upper - lower) as f64 / upper as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wider_gaps_have_darker_shades() {
        let gaps = [(98, 100), (97, 100), (90, 100), (89, 100)];
        assert_eq!(gaps.map(|(lower, upper)| shade(lower, upper)), [1, 2, 2, 3]);
        assert_eq!(percent(172, 193), "10.9");
    }
}
