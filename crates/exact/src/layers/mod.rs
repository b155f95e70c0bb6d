//! How many queens each layer across an axis holds, as far as the bounds of boxes allow, and the cases that makes.
//!
//! Near the maximum of a box in three dimensions almost every layer is *full*: it holds as many queens as fit on it. With the bounds of all
//! windows of layers, few vectors of layer counts are left, and each of them has two full layers. Vectors are grouped by the
//! closest two.

pub(crate) mod cases;

use std::collections::BTreeMap;

/// More partial vectors than this make too many.
const MOST_STEPS: usize = 1 << 17;

/// Layers next to each other across an axis that hold `demand` queens or more, by assumption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) axis: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) demand: u64,
}

impl Range {
    /// The layers that the reflection of the axis, which has so many, takes these to.
    fn reflected(self, side: usize) -> Self {
        Self { from: side - 1 - self.to, to: side - 1 - self.from, ..self }
    }

    fn is_satisfied_by(&self, counts: &[u64]) -> bool {
        counts[self.from..=self.to].iter().sum::<u64>() >= self.demand
    }
}

/// A way to split a question into cases.
#[derive(Debug)]
pub(crate) struct CaseSplit {
    pub(crate) axis: usize,
    side: usize,
    /// Whether a vector may stand for its reverse.
    pub(crate) mirrored: bool,
    /// What may be close, closest first.
    groups: Vec<Group>,
}

/// The vectors that have the same closest full layers.
#[derive(Debug)]
struct Group {
    distance: usize,
    vectors: Vec<Vec<u64>>,
}

/// The distance of the two full layers that are closest, and the first of them, or the number of layers where there is only one;
/// `None` where there is none.
fn nearest(counts: &[u64], full: u64) -> Option<(usize, usize)> {
    let layers: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] == full).collect();
    let pairs = layers.windows(2).map(|pair| (pair[1] - pair[0], pair[0]));
    pairs.min().or_else(|| Some((counts.len(), *layers.first()?)))
}

/// The number of queens, and for an axis the most that 1, 2, ... layers hold, but not all of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis<'a> {
    pub(crate) axis: usize,
    pub(crate) queens: u64,
    pub(crate) most: &'a [u64],
}

impl Axis<'_> {
    /// The cases across this axis; `None` when there are too many vectors, or one without a full layer.
    pub(crate) fn split(&self, assumed: &[Range]) -> Option<CaseSplit> {
        let side = self.most.len() + 1;
        let along: Vec<Range> = assumed.iter().copied().filter(|range| range.axis == self.axis).collect();
        let kept = |range: &Range| {
            let image = range.reflected(side);
            along.iter().any(|to| (to.from, to.to) == (image.from, image.to) && to.demand >= image.demand)
        };
        let mirrored = along.iter().all(kept);
        let full = *self.most.first()?;
        let mut groups = BTreeMap::<(usize, usize), Vec<Vec<u64>>>::new();
        for counts in self.vectors()? {
            if !along.iter().all(|range| range.is_satisfied_by(&counts)) {
                continue;
            }
            let backwards: Vec<u64> = counts.iter().rev().copied().collect();
            let (nearest, reverse) = (nearest(&counts, full)?, nearest(&backwards, full)?);
            match mirrored {
                true if reverse < nearest => groups.entry(reverse).or_default().push(backwards),
                true if reverse == nearest => groups.entry(nearest).or_default().extend([counts, backwards]),
                _ => groups.entry(nearest).or_default().push(counts),
            }
        }
        let groups = groups.into_iter().map(|((distance, _), vectors)| Group { distance, vectors }).collect();
        Some(CaseSplit { axis: self.axis, side, mirrored, groups })
    }

    /// All vectors that the bounds allow; `None` when there are too many.
    fn vectors(&self) -> Option<Vec<Vec<u64>>> {
        let side = self.most.len() + 1;
        let mut vectors = vec![Vec::new()];
        let mut steps = 0;
        for length in 1..=side {
            let mut longer = Vec::new();
            for counts in &vectors {
                let sum: u64 = counts.iter().sum();
                let windows = self.most.iter().zip(1..=length);
                let room = |(most, width): (&u64, usize)| {
                    most.saturating_sub(counts[length - width..].iter().sum::<u64>())
                };
                let largest = windows.map(room).min().unwrap_or(u64::MAX).min(self.queens - sum);
                let later = match side - length {
                    0 => 0,
                    rest => self.most[rest - 1],
                };
                for count in (self.queens - sum).saturating_sub(later)..=largest {
                    steps += 1;
                    if steps > MOST_STEPS {
                        return None;
                    }
                    let mut counts = counts.clone();
                    counts.push(count);
                    longer.push(counts);
                }
            }
            vectors = longer;
        }
        Some(vectors)
    }
}

impl CaseSplit {
    /// The numbers of the groups, those with full layers closest together first, by distance.
    pub(crate) fn by_distance(&self) -> Vec<Vec<usize>> {
        let mut numbers: Vec<usize> = (0..self.groups.len()).collect();
        numbers.sort_by_key(|&group| self.groups[group].distance);
        numbers
            .chunk_by(|&a, &b| self.groups[a].distance == self.groups[b].distance)
            .map(<[_]>::to_vec)
            .collect()
    }

    /// What all vectors of some groups satisfy. Without groups there are no vectors, so that everything may be said.
    pub(crate) fn case(&self, groups: &[usize], both_ways: bool) -> Vec<Range> {
        let mut vectors: Vec<Vec<u64>> =
            groups.iter().flat_map(|&group| self.groups[group].vectors.iter().cloned()).collect();
        if both_ways {
            let backwards = |counts: &Vec<u64>| counts.iter().rev().copied().collect();
            vectors.extend(vectors.iter().map(backwards).collect::<Vec<Vec<u64>>>());
        }
        let range = |from: usize, to: usize| {
            let demand = vectors.iter().map(|counts| counts[from..=to].iter().sum::<u64>()).min();
            Range { axis: self.axis, from, to, demand: demand.unwrap_or(u64::from(u32::MAX)) }
        };
        let layers: Vec<Range> = (0..self.side).map(|i| range(i, i)).collect();
        let outer =
            (2..=self.side / 2).flat_map(|width| [(0, width - 1), (self.side - width, self.side - 1)]);
        let outer = outer.map(|(from, to)| range(from, to)).filter(|range| {
            range.demand > layers[range.from..=range.to].iter().map(|layer| layer.demand).sum()
        });
        let outer: Vec<Range> = outer.collect();
        layers.into_iter().chain(outer).filter(|range| range.demand > 0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All vectors that the bounds allow, from the definition.
    fn possible(queens: u64, most: &[u64], assumed: &[Range]) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for _ in 0..=most.len() {
            let longer = |counts: Vec<u64>| {
                (0..=queens).map(move |count| counts.iter().copied().chain([count]).collect())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all.retain(|counts: &Vec<u64>| {
            let fits = |(width, most): (usize, &u64)| {
                counts.windows(width).all(|window| window.iter().sum::<u64>() <= *most)
            };
            counts.iter().sum::<u64>() == queens
                && (1..).zip(most).all(fits)
                && assumed.iter().all(|range| range.is_satisfied_by(counts))
        });
        all
    }

    #[test]
    fn every_vector_is_in_a_case() {
        let range = |from, to, demand| Range { axis: 0, from, to, demand };
        let (mut splits, mut mirrored, mut none) = (0, 0, 0);
        for most in [vec![3, 5, 8], vec![2, 4, 5, 7], vec![3, 6], vec![4, 6, 9], vec![2]] {
            let last = most.len();
            for queens in 1..=12 {
                for assumed in [
                    vec![],
                    vec![range(0, 0, 2)],
                    vec![range(0, 0, 1), range(last, last, 2), range(0, 0, 2)],
                    vec![Range { axis: 1, ..range(0, 0, 5) }],
                ] {
                    let along: Vec<Range> = assumed.iter().copied().filter(|range| range.axis == 0).collect();
                    let possible = possible(queens, &most, &along);
                    let axis = Axis { axis: 0, queens, most: &most };
                    let Some(split) = axis.split(&assumed) else {
                        assert!(possible.iter().any(|counts| !counts.contains(&most[0])));
                        none += 1;
                        continue;
                    };
                    let groups = split.by_distance().concat();
                    assert_eq!(groups.is_empty(), possible.is_empty());
                    assert_eq!(split.mirrored, along.len() != 1, "{assumed:?}");
                    let mut cases: Vec<Vec<Range>> =
                        groups.iter().map(|&group| split.case(&[group], false)).collect();
                    let rest = split.case(&groups, split.mirrored);
                    let satisfies = |case: &[Range], counts: &[u64]| {
                        case.iter().all(|range| range.is_satisfied_by(counts))
                    };
                    for counts in &possible {
                        assert!(satisfies(&rest, counts), "{counts:?} in the case of all groups");
                        let backwards: Vec<u64> = counts.iter().rev().copied().collect();
                        let found = cases.iter().any(|case| {
                            satisfies(case, counts) || split.mirrored && satisfies(case, &backwards)
                        });
                        assert!(found, "{counts:?} is in no case of {queens} in {most:?}");
                        mirrored += u32::from(!cases.iter().any(|case| satisfies(case, counts)));
                    }
                    cases.retain(|case| case.iter().any(|range| range.demand == most[0]));
                    assert_eq!(cases.len(), groups.len(), "each case has a full layer");
                    splits += 1;
                }
            }
        }
        assert!(splits > 50 && mirrored > 20 && none > 5, "{splits} {mirrored} {none}");
    }

    #[test]
    fn too_many_vectors_make_no_cases() {
        let axis = Axis { axis: 0, queens: 60, most: &[12, 24, 36, 48, 60, 72, 84, 96, 108] };
        assert!(axis.split(&[]).is_none());
    }
}
