//! Order in which a runner starts parts, if several runners work on one folder.

use std::fmt;
use std::str::FromStr;

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom as _;
use rand::{Rng, SeedableRng as _};

/// Share of one of several runners.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Number of the runner, counted from 1.
    number: usize,
    /// Number of runners.
    of: usize,
}

/// Error for a text that is not a share.
#[derive(Debug, thiserror::Error)]
#[error("a share is I/N, with I from 1 to N, such as 3/50")]
pub struct ShareError;

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        let (number, of) = text.split_once('/').ok_or(ShareError)?;
        let whole = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (number, of) = (whole(number).ok_or(ShareError)?, whole(of).ok_or(ShareError)?);
        if (1..=of).contains(&number) { Ok(Self { number, of }) } else { Err(ShareError) }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Share {
    /// Returns `true` if the part at this place among all parts belongs to the share.
    fn holds(self, place: usize) -> bool {
        place % self.of + 1 == self.number
    }
}

/// Returns the order in which a runner starts parts with these weights. Without a share, the heaviest come
/// first. With a share, the heaviest of its own parts come first, then the others at random. Parts are
/// assigned to shares in turn, in the order of their weights.
#[must_use]
pub fn order(weights: &[f64], share: Option<Share>) -> Vec<usize> {
    order_with(weights, share, &mut ChaCha8Rng::seed_from_u64(u64::from(std::process::id())))
}

fn order_with(weights: &[f64], share: Option<Share>, random: &mut impl Rng) -> Vec<usize> {
    let mut heaviest: Vec<usize> = (0..weights.len()).collect();
    heaviest.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    let Some(share) = share else { return heaviest };
    let placed = heaviest.into_iter().enumerate();
    let (own, others): (Vec<_>, Vec<_>) = placed.partition(|&(place, _)| share.holds(place));
    let mut others: Vec<usize> = others.into_iter().map(|(_, part)| part).collect();
    others.shuffle(random);
    own.into_iter().map(|(_, part)| part).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_of_so_many() {
        for text in ["1/1", "3/50", "50/50"] {
            assert_eq!(text.parse::<Share>().expect(text).to_string(), text);
        }
        for text in
            ["", "1", "0/4", "5/4", "1/0", "-1/4", "+1/4", "1/4/2", "a/b", " 1/4", "99999999999999999999/2"]
        {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_shares_hold_each_part_once_and_every_runner_comes_to_all() {
        let weights: Vec<f64> = (0..101).map(|k| f64::from(k * 37 % 101)).collect();
        let mut firsts = Vec::new();
        for number in 1..=4 {
            let share = Share { number, of: 4 };
            let order = order(&weights, Some(share));
            let own = 101 / 4 + usize::from(number == 1);
            assert!(order[..own].is_sorted_by(|&a, &b| weights[a] >= weights[b]));
            firsts.extend_from_slice(&order[..own]);
            let mut all = order;
            all.sort_unstable();
            assert_eq!(all, (0..101).collect::<Vec<_>>());
        }
        firsts.sort_unstable();
        assert_eq!(firsts, (0..101).collect::<Vec<_>>());
        assert!(order(&weights, None).is_sorted_by(|&a, &b| weights[a] >= weights[b]));
    }
}
