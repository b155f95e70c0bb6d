//! The rules by which bounds follow from bounds of other boards.
//!
//! | rule | statement | reason |
//! | --- | --- | --- |
//! | larger side | `alpha(n+1,d) >= alpha(n,d)` | the smaller board is part of the larger one |
//! | more axes | `alpha(n,d+1) >= alpha(n,d)` | here, too, the smaller board is part of the larger one |
//! | product | `alpha(n,a+b) >= alpha(n,a) alpha(n,b)` | [`ndqueens_solver::construct::product`] |
//! | corner cut | `alpha(n-1,d) >= alpha(n,d) - c` | c lines cover the part cut off; see [`corner_lines`] |
//! | layers | `alpha(n,d) <= n alpha(n,d-1)` | n layers partition the board |
//! | partition | `alpha(n,d) <= sum of alpha(box)` | boxes with sides of length m or the rest partition it |
//!
//! Read backwards, the first two rules bound the smaller board from above, the product rule a factor, and the
//! corner cut the larger board.
//!
//! # References
//! T. Kunt, *The n-Queens Problem in Higher Dimensions*, 2023: Propositions 8 and 9, Theorem 13, and the
//! inequality after Corollary 8.1.

use std::collections::HashMap;
use std::fmt;

use ndqueens_model::facts::Side;
use ndqueens_notation::counted::counted;

use super::cube::Cube;
use super::facts::{Bounds, Conflict, Reason};

/// A rule, displayed by its name in derivations.
#[derive(Debug, Clone, Copy)]
enum Rule<'a> {
    LargerSide,
    MoreAxes,
    Product,
    /// Number of lines that cover the layers cut off.
    CornerCut(u128),
    Layers,
    Within,
    /// Length of the pieces; for each kind of box the number of boxes and the bound of one.
    Partition(u32, &'a [(u128, u128)]),
    Backwards(&'static str),
    CornerCutBackwards(u128),
}

impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LargerSide => f.write_str("larger side"),
            Self::MoreAxes => f.write_str("more axes"),
            Self::Product => f.write_str("product"),
            Self::CornerCut(lines) => {
                let cover = if *lines == 1 { "covers" } else { "cover" };
                write!(f, "corner cut: {} {cover} the layers at an empty corner", counted(*lines, "line"))
            }
            Self::Layers => f.write_str("layers"),
            Self::Within => f.write_str("part of a cube"),
            Self::Partition(piece, boxes) => {
                write!(f, "partition: axes cut into pieces of length {piece} and a rest")?;
                boxes.iter().enumerate().try_for_each(|(i, (number, bound))| {
                    write!(f, "{} {number} x {bound}", if i == 0 { ":" } else { " +" })
                })
            }
            Self::Backwards(rule) => write!(f, "{rule}, read backwards"),
            Self::CornerCutBackwards(lines) => write!(f, "{}, read backwards", Self::CornerCut(*lines)),
        }
    }
}

/// Box with sides of two lengths, `rest < side`.
#[derive(Clone, Copy)]
struct MixedBox {
    side: u32,
    /// Number of sides of length `side`.
    long: usize,
    rest: u32,
    /// Number of sides of length `rest`.
    short: usize,
}

impl Bounds {
    /// Applies all rules until no bound improves.
    pub(super) fn close(&mut self) -> Result<(), Conflict> {
        loop {
            let mut is_improved = false;
            for cube in self.extent.cubes() {
                is_improved |= self.improve_lower(cube)?;
            }
            for cube in self.extent.cubes() {
                is_improved |= self.improve_upper(cube)?;
            }
            if !is_improved {
                return Ok(());
            }
        }
    }

    fn derive(
        &mut self,
        side: Side,
        sides: &[u32],
        value: u128,
        rule: Rule<'_>,
        premises: &[usize],
    ) -> Result<bool, Conflict> {
        self.add(side, sides, value, Reason::Rule(&rule), premises)
    }

    fn value(&self, id: usize) -> u128 {
        self.facts[id].value
    }

    /// Applies the rules for lower bounds to a cube. Returns `true` if a bound improved.
    fn improve_lower(&mut self, cube: Cube) -> Result<bool, Conflict> {
        let Cube { dimension, side } = cube;
        let sides = cube_sides(cube);
        let mut is_improved = false;
        let smaller = [
            (side > 1).then(|| (Cube { side: side - 1, ..cube }, Rule::LargerSide)),
            (dimension > 1).then(|| (Cube { dimension: dimension - 1, ..cube }, Rule::MoreAxes)),
        ];
        for (smaller, rule) in smaller.into_iter().flatten() {
            let id = self.id(smaller, Side::Lower);
            is_improved |= self.derive(Side::Lower, &sides, self.value(id), rule, &[id])?;
        }
        for left in 1..=dimension / 2 {
            let factor = |dimension| self.id(Cube { dimension, ..cube }, Side::Lower);
            let ids = [factor(left), factor(dimension - left)];
            let product = self.value(ids[0]) * self.value(ids[1]);
            is_improved |= self.derive(Side::Lower, &sides, product, Rule::Product, &ids)?;
        }
        let larger = Cube { side: side + 1, ..cube };
        if self.extent.contains(larger) {
            let id = self.id(larger, Side::Lower);
            let lines = corner_lines(larger);
            let left = self.value(id).saturating_sub(lines);
            is_improved |= self.derive(Side::Lower, &sides, left, Rule::CornerCut(lines), &[id])?;
        }
        Ok(is_improved)
    }

    /// Applies the rules for upper bounds to a cube. Returns `true` if a bound improved.
    fn improve_upper(&mut self, cube: Cube) -> Result<bool, Conflict> {
        let Cube { dimension, side } = cube;
        let sides = cube_sides(cube);
        let mut is_improved = false;
        if dimension > 1 {
            let layer = self.id(Cube { dimension: dimension - 1, ..cube }, Side::Upper);
            let value = u128::from(side) * self.value(layer);
            is_improved |= self.derive(Side::Upper, &sides, value, Rule::Layers, &[layer])?;
        }
        for piece in 2..side {
            is_improved |= self.partition(cube, piece)?;
        }
        let larger = [
            (Cube { side: side + 1, ..cube }, "larger side"),
            (Cube { dimension: dimension + 1, ..cube }, "more axes"),
        ];
        for (larger, rule) in larger {
            if self.extent.contains(larger) {
                let id = self.id(larger, Side::Upper);
                is_improved |=
                    self.derive(Side::Upper, &sides, self.value(id), Rule::Backwards(rule), &[id])?;
            }
        }
        if side > 1 {
            let id = self.id(Cube { side: side - 1, ..cube }, Side::Upper);
            let lines = corner_lines(cube);
            let value = self.value(id) + lines;
            is_improved |= self.derive(Side::Upper, &sides, value, Rule::CornerCutBackwards(lines), &[id])?;
        }
        for more in 1..=self.extent.dimension - dimension {
            let whole = self.id(Cube { dimension: dimension + more, ..cube }, Side::Upper);
            let other = self.id(Cube { dimension: more, ..cube }, Side::Lower);
            let value = self.value(whole) / self.value(other);
            is_improved |=
                self.derive(Side::Upper, &sides, value, Rule::Backwards("product"), &[whole, other])?;
        }
        Ok(is_improved)
    }

    /// Bounds a cube by its partition into boxes, with every axis cut into pieces of length `piece` and a
    /// rest. Returns `true` if the bound improved.
    fn partition(&mut self, cube: Cube, piece: u32) -> Result<bool, Conflict> {
        let (pieces, rest) = (u128::from(cube.side / piece), cube.side % piece);
        let (mut boxes, mut premises, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for short in 0..=if rest == 0 { 0 } else { cube.dimension } {
            let long = cube.dimension - short;
            let id = self.box_bound(MixedBox { side: piece, long, rest, short }, &mut known)?;
            boxes.push((binomial(cube.dimension, short) * pieces.pow(long as u32), self.value(id)));
            premises.push(id);
        }
        let sum = boxes.iter().map(|(number, bound)| number * bound).sum();
        self.derive(Side::Upper, &cube_sides(cube), sum, Rule::Partition(piece, &boxes), &premises)
    }

    /// Returns the best upper bound of a box. `known` caches the result for each pair of `long` and `short`.
    fn box_bound(
        &mut self,
        mixed: MixedBox,
        known: &mut HashMap<(usize, usize), usize>,
    ) -> Result<usize, Conflict> {
        let MixedBox { side, long, rest, short } = mixed;
        let cube = |side, dimension| Cube { dimension, side };
        if short == 0 || long == 0 {
            let cube = if short == 0 { cube(side, long) } else { cube(rest, short) };
            return Ok(self.id(cube, Side::Upper));
        }
        if let Some(&id) = known.get(&(long, short)) {
            return Ok(id);
        }
        let sides = [vec![rest; short], vec![side; long]].concat();
        if self.best_id(Side::Upper, &sides).is_none() {
            self.add_box_leaves(&sides)?;
        }
        let layers =
            [(side, MixedBox { long: long - 1, ..mixed }), (rest, MixedBox { short: short - 1, ..mixed })];
        for (number, layer) in layers {
            let layer = self.box_bound(layer, known)?;
            let value = u128::from(number) * self.value(layer);
            self.derive(Side::Upper, &sides, value, Rule::Layers, &[layer])?;
        }
        let whole = self.id(cube(side, long + short), Side::Upper);
        self.derive(Side::Upper, &sides, self.value(whole), Rule::Within, &[whole])?;
        let id = self.best_id(Side::Upper, &sides).expect("a leaf at least");
        known.insert((long, short), id);
        Ok(id)
    }
}

fn cube_sides(cube: Cube) -> Vec<u32> {
    vec![cube.side; cube.dimension]
}

/// Returns an upper bound on the number of queens lost by a corner cut of `n^d` to `(n-1)^d`.
///
/// The cut removes one layer along each axis, at a corner without a queen; there is one if `n, d >= 2`,
/// because all corners attack each other. A square has the type S if S is the set of axes along which its
/// coordinate is in the layer. The `(n-1)^(d-k)` squares of a type of k axes lie on `(n-1)^(d-k-1)` lines
/// along an axis i outside of S, and these lines also contain all squares of the type S + i. Hence it
/// suffices to choose types with lines such that these and one larger type for each make up all types except
/// the empty one and that of the corner. Take all S without the last axis z, each with the larger type S + z.
/// This leaves {z} uncovered, which is corrected along a path: {z} takes {1, z}, whose type {1} takes {1, 2}
/// instead, whose former {1, 2, z} takes {1, 2, 3, z}, and so on. That makes `C(d-1, k) - (-1)^k` types of k
/// axes with lines of their own, which for d = 3 are `3 (n-1)` lines.
pub(super) fn corner_lines(cube: Cube) -> u128 {
    let (n, d) = (u128::from(cube.side), cube.dimension);
    if n == 1 || d == 1 {
        return 1;
    }
    let types = |k: usize| if k.is_multiple_of(2) { binomial(d - 1, k) - 1 } else { binomial(d - 1, k) + 1 };
    (1..d).map(|k| types(k) * (n - 1).pow((d - 1 - k) as u32)).sum()
}

fn binomial(n: usize, k: usize) -> u128 {
    (0..k as u128).fold(1, |value, i| value * (n as u128 - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the types with lines of their own as sets of bits, each with the axis along which its lines
    /// run.
    fn types_with_lines(d: usize) -> Vec<(usize, usize)> {
        let (last, full) = (d - 1, (1 << d) - 1);
        let first = |k: usize| (1 << k) - 1;
        let without_last = (1..1 << last).filter_map(|types: usize| {
            let k = types.count_ones() as usize;
            match types == first(k) {
                false => Some((types, last)),
                true => (k % 2 == 1).then_some((types, k)),
            }
        });
        let on_the_path = (0..last).step_by(2).map(|k| (first(k) | 1 << last, k));
        without_last.chain(on_the_path.filter(|&(types, _)| types != full)).collect()
    }

    #[test]
    fn the_lines_at_a_corner_cover_what_is_cut_off() {
        for (n, d) in [(2u32, 2usize), (5, 2), (2, 3), (5, 3), (2, 4), (4, 4), (3, 5), (2, 6), (3, 6), (2, 7)]
        {
            let cube = Cube { dimension: d, side: n };
            let mut covered = std::collections::HashSet::new();
            let mut lines = 0;
            for (types, along) in types_with_lines(d) {
                assert_eq!(types >> along & 1, 0);
                let free: Vec<usize> = (0..d).filter(|&i| i != along && types >> i & 1 == 0).collect();
                for number in 0..(n - 1).pow(free.len() as u32) {
                    lines += 1;
                    let mut square = vec![0; d];
                    for (place, &axis) in free.iter().enumerate() {
                        square[axis] = 1 + number / (n - 1).pow(place as u32) % (n - 1);
                    }
                    covered.extend((0..n).map(|x| {
                        square[along] = x;
                        square.clone()
                    }));
                }
            }
            assert_eq!(lines, corner_lines(cube), "{n}^{d}");
            covered.insert(vec![0; d]);
            assert!(covered.iter().all(|square| square.contains(&0)));
            assert_eq!(covered.len() as u32, n.pow(d as u32) - (n - 1).pow(d as u32), "{n}^{d}");
        }
        assert!((2..9).all(|n| corner_lines(Cube { dimension: 3, side: n }) == u128::from(3 * (n - 1))));
    }

    #[test]
    fn binomial_coefficients_are_right() {
        assert_eq!((0..=5).map(|k| binomial(5, k)).collect::<Vec<_>>(), [1, 5, 10, 10, 5, 1]);
    }
}
