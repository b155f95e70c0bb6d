//! Vectors of the numbers of queens in the layers across an axis, as far as the bounds of boxes allow them,
//! and case splits.
//!
//! Near the maximum of a box in three dimensions almost every layer is *full*: it holds as many queens as fit
//! on it. The bounds of all windows of layers leave few vectors, and each of them has two full layers or
//! more. Vectors are grouped by their closest two full layers.

pub(crate) mod cases;

use std::collections::BTreeMap;

/// Maximum number of partial vectors that are listed.
const MAX_STEPS: usize = 1 << 17;

/// Consecutive layers across an axis that are assumed to hold `demand` queens or more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) axis: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) demand: u64,
}

impl Range {
    /// Returns the image of the layers under the reflection of the axis. `side` is its number of layers.
    fn reflect(self, side: usize) -> Self {
        Self { from: side - 1 - self.to, to: side - 1 - self.from, ..self }
    }

    fn is_satisfied_by(&self, counts: &[u64]) -> bool {
        counts[self.from..=self.to].iter().sum::<u64>() >= self.demand
    }
}

/// Split of a question into cases.
#[derive(Debug)]
pub(crate) struct CaseSplit {
    pub(crate) axis: usize,
    side: usize,
    /// `true` if a vector may represent its reverse.
    pub(crate) mirrored: bool,
    /// Groups of vectors, closest full layers first.
    groups: Vec<Group>,
}

/// Vectors that have the same closest full layers.
#[derive(Debug)]
struct Group {
    distance: usize,
    vectors: Vec<Vec<u64>>,
}

/// Returns the distance of the closest two full layers, and the first of them. If only one layer is full, the
/// number of layers takes the place of the distance. Returns `None` if no layer is full.
fn nearest_full_layers(counts: &[u64], full: u64) -> Option<(usize, usize)> {
    let layers: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] == full).collect();
    let pairs = layers.windows(2).map(|pair| (pair[1] - pair[0], pair[0]));
    pairs.min().or_else(|| Some((counts.len(), *layers.first()?)))
}

/// Axis of a box that holds `queens` queens. `most` has the upper bounds of 1, 2, ... consecutive layers, but
/// not of all layers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis<'a> {
    pub(crate) axis: usize,
    pub(crate) queens: u64,
    pub(crate) most: &'a [u64],
}

impl Axis<'_> {
    /// Returns the cases across this axis, or `None` if there are too many vectors, or one without a full
    /// layer.
    pub(crate) fn split(&self, assumed: &[Range]) -> Option<CaseSplit> {
        let side = self.most.len() + 1;
        let along: Vec<Range> = assumed.iter().copied().filter(|range| range.axis == self.axis).collect();
        let has_image = |range: &Range| {
            let image = range.reflect(side);
            along.iter().any(|to| (to.from, to.to) == (image.from, image.to) && to.demand >= image.demand)
        };
        let mirrored = along.iter().all(has_image);
        let full = *self.most.first()?;
        let mut groups = BTreeMap::<(usize, usize), Vec<Vec<u64>>>::new();
        for counts in self.vectors()? {
            if !along.iter().all(|range| range.is_satisfied_by(&counts)) {
                continue;
            }
            let backwards: Vec<u64> = counts.iter().rev().copied().collect();
            let nearest = nearest_full_layers(&counts, full)?;
            let reverse = nearest_full_layers(&backwards, full)?;
            match mirrored {
                true if reverse < nearest => groups.entry(reverse).or_default().push(backwards),
                true if reverse == nearest => groups.entry(nearest).or_default().extend([counts, backwards]),
                _ => groups.entry(nearest).or_default().push(counts),
            }
        }
        let groups = groups.into_iter().map(|((distance, _), vectors)| Group { distance, vectors }).collect();
        Some(CaseSplit { axis: self.axis, side, mirrored, groups })
    }

    /// Returns all vectors that the bounds allow, or `None` if there are too many.
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
                    if steps > MAX_STEPS {
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
    /// Returns the numbers of the groups, those of the same distance together, smallest distance first.
    pub(crate) fn by_distance(&self) -> Vec<Vec<usize>> {
        let mut numbers: Vec<usize> = (0..self.groups.len()).collect();
        numbers.sort_by_key(|&group| self.groups[group].distance);
        numbers
            .chunk_by(|&a, &b| self.groups[a].distance == self.groups[b].distance)
            .map(<[_]>::to_vec)
            .collect()
    }

    /// Returns the demands that all vectors of some groups satisfy, and with `both_ways` their reverses, too.
    /// Without groups there are no vectors, and the demands are arbitrarily large.
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

    /// Returns all vectors that the bounds allow, by the definition.
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
