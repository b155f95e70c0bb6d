//! Inequalities in the numbers of queens of each class on a box `3^m`.
//!
//! A square of `3^m` is a face of the cube `{0,1}^m`: an offset 0 or 2 fixes an axis to 0 or 1, an offset 1
//! leaves it free. The faces of queens that do not attack each other are disjoint and have different sets of
//! free axes. `docs/formulations.md` proves the volume inequality and the rows of the table; the verified
//! checker contains formal proofs of both.

use ndqueens_notation::name::Piece;

use super::place::Place;
use super::words::parse_number;
use crate::fault::Reason;

/// Weights of the classes 0 to `m`, and the right-hand side.
type Row = (&'static [u64], u64);

/// Inequalities of the class counts of `3^m`, for m from 2 to 5. They are the facets of the polytope of the
/// class counts of all independent sets.
const TABLE: [&[Row]; 4] = [
    &[(&[0, 1, 1], 1), (&[1, 0, 1], 1)],
    &[(&[0, 0, 1, 1], 1), (&[1, 0, 0, 1], 1), (&[0, 1, 2, 3], 3)],
    &[
        (&[0, 0, 0, 1, 1], 1),
        (&[1, 0, 0, 0, 1], 1),
        (&[0, 0, 1, 2, 3], 3),
        (&[0, 1, 0, 1, 4], 4),
        (&[0, 1, 1, 2, 5], 5),
        (&[0, 1, 2, 4, 7], 7),
    ],
    &[
        (&[0, 0, 0, 0, 1, 1], 1),
        (&[1, 0, 0, 0, 0, 1], 1),
        (&[0, 0, 0, 1, 2, 3], 3),
        (&[0, 0, 1, 2, 4, 7], 7),
        (&[0, 0, 2, 3, 6, 12], 12),
        (&[0, 1, 0, 0, 1, 5], 5),
        (&[0, 1, 0, 1, 3, 7], 7),
        (&[0, 1, 0, 3, 5, 11], 11),
        (&[0, 1, 1, 2, 5, 10], 10),
        (&[0, 1, 1, 4, 7, 14], 14),
        (&[0, 1, 2, 4, 8, 15], 15),
    ],
];

/// Statement of a line about a box.
pub(crate) enum Claim<'l> {
    /// Volume inequality of the faces of dimension `least` and more.
    Volume { least: &'l str },
    /// Inequality that the weights of the classes of the queens add up to at most `most`.
    Class { most: &'l str, weights: &'l str },
}

impl Claim<'_> {
    /// Returns the weights of the classes 0 to `axes` and the right-hand side if the claim is true on
    /// `3^axes`.
    fn checked_weights(&self, axes: usize) -> Result<(Vec<u64>, u64), Reason> {
        let sides = if axes == 1 { "side" } else { "sides" };
        match self {
            Self::Volume { least } => {
                let dimension = parse_number(least)?;
                if axes < 2 {
                    let words = format!(
                        "the box has {axes} {sides} of 3, and a volume inequality, whatever its dimension, needs at least 2"
                    );
                    return Err(words.into());
                }
                match usize::try_from(dimension) {
                    Ok(least) if (1..axes).contains(&least) => {
                        let most = (1 << (axes - least)) - 1;
                        let weight = |class: usize| match class.checked_sub(least) {
                            _ if class == axes => most,
                            None => 0,
                            Some(exponent) => 1 << exponent,
                        };
                        Ok(((0..=axes).map(weight).collect(), most))
                    }
                    _ => {
                        let fault = format!(
                            "the box has {axes} sides of 3, so the dimension of a volume inequality is from 1 to {}, not {dimension}",
                            axes - 1
                        );
                        Err(Reason::from(fault).at(least))
                    }
                }
            }
            Self::Class { most, weights } => {
                let most = parse_number(most)?;
                let at_weights = *weights;
                // One weight more than allowed is enough to reject the claim.
                let weights = weights.split(',').take(axes + 2).map(parse_number);
                let weights = weights.collect::<Result<Vec<u64>, _>>()?;
                let Some(table) = axes.checked_sub(2).and_then(|k| TABLE.get(k)) else {
                    let words =
                        format!("the box has {axes} {sides} of 3, and a class inequality needs 2 to 5");
                    return Err(words.into());
                };
                if weights.len() != axes + 1 {
                    let classes = axes + 1;
                    let words = format!(
                        "the box has {axes} {sides} of 3, so a class inequality has {classes} weights, those of the classes 0 to {axes}"
                    );
                    return Err(Reason::from(words).at(at_weights));
                }
                let is_implied =
                    |&(facet, bound): &Row| most >= bound && weights.iter().zip(facet).all(|(a, b)| a <= b);
                if !table.iter().any(is_implied) {
                    let words = "no inequality of the table for boxes of these sides has weights as large and a bound as small";
                    return Err(words.into());
                }
                Ok((weights, most))
            }
        }
    }
}

/// Weights of the squares of a box by class, and their largest sum on an independent set.
pub(crate) struct ClassWeights {
    is_long: Vec<bool>,
    /// Weights of the classes 0 to `m`.
    weights: Vec<u64>,
    pub(crate) most: u64,
}

impl ClassWeights {
    /// Returns the weights of a claim about a box if the claim is true there.
    pub(crate) fn new(claim: &Claim<'_>, piece: Piece, place: &Place) -> Result<Self, Reason> {
        if piece != Piece::Queen {
            return Err("volume and class inequalities hold for queens only".into());
        }
        if let Some(side) = place.extents.iter().find(|&&side| side != 1 && side != 3) {
            return Err(format!("each side of this box must be 1 or 3, not {side}").into());
        }
        place.check_size()?;
        let is_long: Vec<bool> = place.extents.iter().map(|&side| side == 3).collect();
        let axes = is_long.iter().filter(|&&is_long| is_long).count();
        let (weights, most) = claim.checked_weights(axes)?;
        Ok(Self { is_long, weights, most })
    }

    /// Returns the weight of the square with this offset.
    pub(crate) fn weight(&self, offset: &[u32]) -> u64 {
        let class = self.is_long.iter().zip(offset).filter(|&(&is_long, &x)| is_long && x == 1).count();
        self.weights[class]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;

    /// Returns the faces of the cube by direction, each as the set of its vertices in bits.
    fn faces(axes: u32) -> Vec<(usize, Vec<u64>)> {
        let vertices = 1u32 << axes;
        let mut directions: Vec<u32> = (0..vertices).collect();
        directions.sort_by_key(|direction| std::cmp::Reverse(direction.count_ones()));
        let of_direction = |direction: u32| {
            let base = (0..vertices).filter(|base| base & direction == 0);
            let face = |base: u32| {
                (0..vertices).filter(|v| v & !direction == base).fold(0u64, |set, v| set | 1 << v)
            };
            (direction.count_ones() as usize, base.map(face).collect())
        };
        directions.into_iter().map(of_direction).collect()
    }

    /// Returns the largest sum of weights of disjoint faces with different directions, if it is above
    /// `known`.
    fn largest(left: &[(usize, Vec<u64>)], weights: &[u64], axes: u32, used: u64, known: u64) -> u64 {
        let Some(((class, faces), rest)) = left.split_first() else { return 0 };
        // Upper bound for the remaining volume if every vertex had the best weight for its volume.
        let free = u64::from((1u32 << axes) - used.count_ones());
        let best = left.iter().map(|(class, _)| (weights[*class] << axes) >> class).max().unwrap_or(0);
        if (free * best) >> axes <= known {
            return 0;
        }
        let mut found = 0;
        if weights[*class] > 0 {
            for face in faces.iter().filter(|&&face| face & used == 0) {
                let value = weights[*class];
                let beyond = known.max(found).saturating_sub(value);
                found = found.max(value + largest(rest, weights, axes, used | face, beyond));
            }
        }
        found.max(largest(rest, weights, axes, used, known.max(found)))
    }

    #[test]
    fn exhaustive_search_confirms_all_facets() {
        for (table, axes) in TABLE.iter().zip(2u32..) {
            let faces = faces(axes);
            for &(weights, most) in *table {
                assert_eq!(weights.len(), axes as usize + 1);
                assert!(largest(&faces, weights, axes, 0, most) <= most, "{weights:?} <= {most}");
                assert!(largest(&faces, weights, axes, 0, most - 1) == most, "{weights:?} < {most}");
            }
        }
    }

    #[test]
    fn table_contains_volume_inequalities_of_small_boxes() {
        for axes in 2..=5usize {
            for least in 1..axes {
                let row = Claim::Volume { least: &least.to_string() }
                    .checked_weights(axes)
                    .expect("a volume inequality");
                assert!(
                    TABLE[axes - 2].iter().any(|&(weights, most)| row == (weights.to_vec(), most)),
                    "{axes} {least}"
                );
            }
        }
    }

    #[test]
    fn rejects_other_claims() {
        let refused = |claim: Claim<'_>, axes: usize| claim.checked_weights(axes).expect_err("refused").kind;
        for (least, axes) in [("0", 3), ("3", 3), ("4", 3), ("1", 1), ("1", 0)] {
            assert_eq!(refused(Claim::Volume { least }, axes), FaultKind::Invalid, "{least} {axes}");
        }
        for (weights, most, axes) in [
            ("0,1,2,3", "2", 3),
            ("0,1,2,4", "3", 3),
            ("1,1,2,3", "3", 3),
            ("0,1,2", "3", 3),
            ("0,1,2,3,0", "3", 3),
            ("0,1,1", "1", 1),
            ("0,0,0,0,0,0,0", "1", 6),
        ] {
            assert_eq!(refused(Claim::Class { most, weights }, axes), FaultKind::Invalid, "{weights} {axes}");
        }
        assert!(Claim::Class { most: "9", weights: "0,0,2,2" }.checked_weights(3).is_ok());
    }
}
