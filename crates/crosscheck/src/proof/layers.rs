//! Case splits over layer counts: the number of queens in each layer across an axis, as far as the boxes
//! proved so far allow.

use std::cell::Cell;
use std::fmt;

use crate::graph::narrow;

/// Maximum number of steps of all case splits of a proof together.
const MAX_STEPS: u64 = 1 << 24;

/// Number of steps of case splits so far.
#[derive(Debug, Default)]
pub(super) struct Steps(Cell<u64>);

impl Steps {
    /// Adds steps.
    ///
    /// # Errors
    /// Returns an error if the total exceeds the limit of a proof.
    pub(super) fn add(&self, more: u64) -> Result<(), Refusal> {
        self.0.set(self.0.get().saturating_add(more));
        if self.0.get() > MAX_STEPS { Err(Refusal::TooMany) } else { Ok(()) }
    }

    /// Returns the number of steps so far.
    pub(super) fn total(&self) -> u64 {
        self.0.get()
    }
}

/// Consecutive layers `from` to `to`, both included, that hold at least `demand` queens together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) demand: u64,
}

impl Layers {
    /// Returns the images of the layers under the reflection of an axis of length `side`.
    pub(super) fn reflect(self, side: u32) -> Self {
        let last = side - 1;
        Self { from: last - self.to, to: last - self.from, ..self }
    }

    /// Returns `true` if the layer counts with these prefix sums satisfy the demand, whatever the counts of
    /// further layers are.
    fn is_satisfied_by(&self, sums: &[u64]) -> bool {
        let up_to = |layer: u32| sums.get(layer as usize).or(sums.last()).copied().unwrap_or_default();
        let before = self.from.checked_sub(1).map_or(0, up_to);
        up_to(self.to) - before >= self.demand
    }
}

/// Reason why a case split is not accepted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Possible layer counts that satisfy no case.
    NoCase(Vec<u64>),
    /// Number of steps above the limit.
    TooMany,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCase(counts) => {
                let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
                write!(f, "layers that hold {} queens are in no case", counts.join(", "))
            }
            Self::TooMany => write!(f, "the case splits of the proof have more than {MAX_STEPS} steps"),
        }
    }
}

/// Constraints that the layer counts of a solution are known to satisfy.
pub(super) struct Vectors<'a> {
    /// Total number of queens.
    pub(super) queens: u64,
    /// Maximum numbers of queens in 1, 2, ... consecutive layers, except all layers, where they are known.
    pub(super) most: &'a [Option<u64>],
    /// Layers that satisfy their demand by assumption.
    pub(super) assumed: &'a [Layers],
}

impl Vectors<'_> {
    /// Checks that every vector of layer counts, or with `mirrored` the vector or its reverse, satisfies some
    /// case. Adds the number of vectors that are tried to `counted`, so that a limit is noticed early.
    pub(super) fn check_cases(
        &self,
        cases: &[Vec<Layers>],
        mirrored: bool,
        counted: &Steps,
    ) -> Result<(), Refusal> {
        let side = self.most.len() + 1;
        let last: u32 = narrow(side);
        let reflected = |case: &Vec<Layers>| case.iter().map(|layers| layers.reflect(last)).collect();
        let mut cases = cases.to_vec();
        if mirrored {
            cases.extend(cases.iter().map(reflected).collect::<Vec<Vec<Layers>>>());
        }
        let holds =
            |layers: &[Layers], sums: &[u64]| layers.iter().all(|layers| layers.is_satisfied_by(sums));
        // Depth-first search over vectors: the sums of the first counts, and the largest value of each sum.
        let mut sums: Vec<u64> = Vec::new();
        let mut last: Vec<u64> = Vec::new();
        let mut next = self.count_extensions(&sums, counted)?;
        loop {
            match next.take() {
                Some((sum, most)) if sum <= most => {
                    sums.push(sum);
                    last.push(most);
                    // A case that a prefix satisfies is satisfied by every extension.
                    if !cases.iter().any(|case| holds(case, &sums)) {
                        if sums.len() < side {
                            next = self.count_extensions(&sums, counted)?;
                            continue;
                        }
                        if holds(self.assumed, &sums) {
                            let counts = (0..side).map(|i| sums[i] - if i == 0 { 0 } else { sums[i - 1] });
                            return Err(Refusal::NoCase(counts.collect()));
                        }
                    }
                }
                _ => {}
            }
            let (Some(sum), Some(most)) = (sums.pop(), last.pop()) else { return Ok(()) };
            next = sum.checked_add(1).map(|sum| (sum, most));
        }
    }

    /// Returns the least and the largest number of queens in the first layers, one layer more than `sums`
    /// has, and adds the number of these values to `counted`.
    fn count_extensions(&self, sums: &[u64], counted: &Steps) -> Result<Option<(u64, u64)>, Refusal> {
        let next = self.next_sums(sums);
        if let Some((least, largest)) = next
            && least <= largest
        {
            counted.add((largest - least).saturating_add(1))?;
        }
        Ok(next)
    }

    /// Returns the least and the largest sum with one layer more.
    fn next_sums(&self, sums: &[u64]) -> Option<(u64, u64)> {
        let before = |layers: usize| layers.checked_sub(1).map_or(0, |last| sums[last]);
        let length = sums.len() + 1;
        let mut largest = self.queens;
        for (most, width) in self.most.iter().zip(1..=length) {
            if let Some(most) = most {
                largest = largest.min(before(length - width).saturating_add(*most));
            }
        }
        let least = match (self.most.len() + 1).checked_sub(length)? {
            0 => self.queens,
            rest => self.most[rest - 1].map_or(0, |most| self.queens.saturating_sub(most)),
        };
        Some((least.max(before(length - 1)), largest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(from: u32, to: u32, demand: u64) -> Layers {
        Layers { from, to, demand }
    }

    /// Returns all possible vectors of layer counts, from the definition.
    fn possible(queens: u64, most: &[Option<u64>], assumed: &[Layers]) -> Vec<Vec<u64>> {
        let side = most.len() + 1;
        let mut all = vec![Vec::new()];
        for _ in 0..side {
            let longer = |counts: Vec<u64>| {
                (0..=queens).map(move |count| counts.iter().copied().chain([count]).collect())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.retain(|counts: &Vec<u64>| {
            let windows = most.iter().zip(1..).all(|(most, width)| {
                counts.windows(width).all(|window| most.is_none_or(|most| window.iter().sum::<u64>() <= most))
            });
            let enough = |l: &Layers| counts[l.from as usize..=l.to as usize].iter().sum::<u64>() >= l.demand;
            windows && counts.iter().sum::<u64>() == queens && assumed.iter().all(enough)
        });
        all
    }

    /// The cases that describe one vector each are sufficient together, and each of them is needed.
    #[test]
    fn layer_counts_agree_with_the_definition() {
        let assumptions = [vec![], vec![layers(0, 0, 2)], vec![layers(1, 2, 3), layers(3, 3, 1)]];
        for most in [
            vec![Some(2), Some(3), Some(5)],
            vec![Some(2), None, None],
            vec![Some(3), Some(3), None],
            vec![Some(1), Some(2), Some(3)],
        ] {
            for queens in 0..=9 {
                for assumed in &assumptions {
                    let expected = possible(queens, &most, assumed);
                    let vectors = Vectors { queens, most: &most, assumed };
                    let exactly = |counts: &Vec<u64>| -> Vec<Layers> {
                        (0..).zip(counts).map(|(i, &count)| layers(i, i, count)).collect()
                    };
                    let cases: Vec<_> = expected.iter().map(exactly).collect();
                    assert_eq!(
                        vectors.check_cases(&cases, false, &Steps::default()),
                        Ok(()),
                        "{queens} in {most:?}"
                    );
                    for left_out in 0..cases.len() {
                        let mut fewer = cases.clone();
                        let case = fewer.remove(left_out);
                        let reverse: Vec<u64> = expected[left_out].iter().rev().copied().collect();
                        assert_eq!(
                            vectors.check_cases(&fewer, false, &Steps::default()),
                            Err(Refusal::NoCase(expected[left_out].clone()))
                        );
                        let there = case.iter().map(|l| l.demand).ne(reverse.iter().copied())
                            && expected.contains(&reverse);
                        assert_eq!(
                            vectors.check_cases(&fewer, true, &Steps::default()).is_ok(),
                            there,
                            "{case:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn rejects_case_splits_with_too_many_steps() {
        let never = [vec![layers(0, 0, 1), layers(1, 1, u64::MAX)]];
        let most = [Some(u64::MAX)];
        let vectors = Vectors { queens: u64::MAX, most: &most, assumed: &[] };
        assert_eq!(vectors.check_cases(&never, true, &Steps::default()), Err(Refusal::TooMany));
        let half = Steps::default();
        half.add(MAX_STEPS / 2).expect("half of all");
        half.add(MAX_STEPS / 2).expect("all");
        assert_eq!(half.add(1), Err(Refusal::TooMany));
        assert_eq!(half.add(1), Err(Refusal::TooMany));
    }
}
