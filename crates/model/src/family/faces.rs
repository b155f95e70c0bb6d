//! Inequalities in the numbers of queens of each class on sub-boxes with sides of 1 and 3; `docs/formulations.md` has the proofs.

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::{
    Family, Inequalities, Inequality, OrbitRows, needs_grid, needs_independence, places, positions, strides,
};
use crate::board::{Board, Extent, Grid};
use crate::facts::UpperBounds;
use crate::facts::volume::CLASS_FACETS;
use crate::ilp::Comparison;
use crate::orbit::{BoxOrbits, ClassWeights, OrbitRow, Shape};
use crate::variant::Variant;

/// The volume inequalities of every sub-box `3^m` at every stride.
///
/// Let `c_j` be the number of queens with `j` middle coordinates in the sub-box. For each `k` with `1 <= k < m`, the sum of
/// `2^(j-k) c_j` over `j` from `k` to `m - 1`, and of `(2^(m-k) - 1) c_m`, is at most `2^(m-k) - 1`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Volume {}

/// The facets of the polytope of class counts of `3^m` for `m` from 2 to 5, on every sub-box `3^m` at every stride.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {}

/// An inequality on a sub-box `3^m`: at most `rhs`.
#[derive(Debug, Clone)]
struct Template {
    weights: ClassWeights,
    rhs: u64,
}

/// Returns the volume inequalities of `3^axes`.
fn volume_templates(axes: usize) -> Vec<Template> {
    // The weights of boxes with more axes do not fit into 63 bits; no board has more than 40 axes of side 3.
    let axes = axes.min(40) as u32;
    (1..axes)
        .map(|k| Template { weights: ClassWeights::Volume { least: k }, rhs: (1 << (axes - k)) - 1 })
        .collect()
}

/// Returns the facets of the polytope of class counts of `3^axes`.
fn class_templates(axes: usize) -> Vec<Template> {
    CLASS_FACETS
        .iter()
        .filter(|(weights, _)| weights.len() == axes + 1)
        .map(|&(weights, rhs)| Template { weights: ClassWeights::Of(weights.to_vec()), rhs })
        .collect()
}

/// Sub-boxes with one set of sides, 1 or 3, at one stride, and the numbers of positions along each axis.
struct Boxes {
    sides: Vec<u32>,
    stride: u32,
    places: Vec<u32>,
}

impl Boxes {
    /// Returns the number of sides of 3.
    fn axes(&self) -> usize {
        self.sides.iter().filter(|&&side| side == 3).count()
    }

    /// Returns the numbers of squares of each class.
    fn class_sizes(&self) -> Vec<u128> {
        let axes = self.axes() as u32;
        let choose = |j: u32| (0..j).fold(1u128, |all, i| all * u128::from(axes - i) / u128::from(i + 1));
        (0..=axes).map(|j| choose(j) << (axes - j)).collect()
    }
}

/// Returns the sub-boxes of the board with two sides of 3 or more, for the given choices of the axes of side 3.
fn boxes<'a>(
    grid: &'a Grid,
    choices: impl Iterator<Item = Vec<bool>> + Clone + 'a,
) -> impl Iterator<Item = Boxes> + 'a {
    strides(grid).flat_map(move |stride| {
        choices.clone().filter_map(move |choice| {
            let sides: Vec<u32> = choice.iter().map(|&is_long| if is_long { 3 } else { 1 }).collect();
            let places = places(grid, &sides, stride)?;
            (choice.iter().filter(|&&is_long| is_long).count() >= 2).then_some(Boxes {
                sides,
                stride,
                places,
            })
        })
    })
}

/// Returns all sets of axes.
fn all_choices(dimension: usize) -> impl Iterator<Item = Vec<bool>> + Clone {
    positions(vec![2; dimension])
        .map(|choice| choice.into_iter().map(|entry| entry == 1).collect())
        .collect::<Vec<_>>()
        .into_iter()
}

fn extent(board: &Board, templates: fn(usize) -> Vec<Template>) -> Extent {
    let grid = board.grid().expect("valid on grids only");
    boxes(grid, all_choices(grid.dimension())).fold(Extent::default(), |sum, boxes| {
        let placed: u128 = boxes.places.iter().copied().map(u128::from).product();
        let sizes = boxes.class_sizes();
        templates(boxes.axes()).iter().fold(sum, |sum, template| {
            let weights = template.weights.by_class(boxes.axes());
            let squares: u128 = weights.iter().zip(&sizes).filter(|(w, _)| **w > 0).map(|(_, n)| n).sum();
            sum + Extent { rows: placed, nonzeros: placed * squares }
        })
    })
}

fn orbit_rows<'a>(
    grid: &'a Grid,
    orbits: &'a BoxOrbits,
    templates: fn(usize) -> Vec<Template>,
) -> OrbitRows<'a> {
    let choices = orbits.choices().into_iter();
    Box::new(boxes(grid, choices).flat_map(move |boxes| {
        let corners = orbits.positions(|axis| boxes.places[axis], |axis| boxes.sides[axis]);
        let axes = boxes.axes();
        let Boxes { sides, stride, .. } = boxes;
        let of_template = move |Template { weights, rhs }: Template| {
            let sides = sides.clone();
            let row = move |corner: Vec<u32>| {
                let (sides, weights) = (sides.clone(), weights.clone());
                OrbitRow { shape: Shape::Faces { corner, sides, stride, weights }, rhs, bound: None }
            };
            corners.clone().into_iter().map(row)
        };
        templates(axes).into_iter().flat_map(of_template)
    }))
}

fn rows(board: &Board, templates: fn(usize) -> Vec<Template>) -> Inequalities<'_> {
    let grid = board.grid().expect("valid on grids only");
    Box::new(boxes(grid, all_choices(grid.dimension())).flat_map(move |boxes| {
        let axes = boxes.axes();
        let Boxes { sides, stride, places } = boxes;
        templates(axes).into_iter().flat_map(move |template| {
            let weights = template.weights.by_class(axes);
            let sides = sides.clone();
            positions(places.clone()).map(move |corner| {
                let terms = positions(sides.clone()).map(|offset| {
                    let class = offset.iter().zip(&sides).filter(|&(&x, &side)| side == 3 && x == 1).count();
                    let steps: Vec<i32> = offset.iter().map(|&x| x as i32).collect();
                    let square =
                        grid.step(&corner, &steps, stride as i32).expect("the box lies on the board");
                    (square, weights[class] as i64)
                });
                Inequality::weighted(terms, Comparison::AtMost, template.rhs as i64)
            })
        })
    }))
}

/// A family whose inequalities on a sub-box depend on the number of its sides of 3 only.
trait ClassFamily {
    const NAME: &'static str;
    const SUMMARY: &'static str;

    /// Returns the inequalities of `3^axes`.
    fn templates(axes: usize) -> Vec<Template>;
}

impl ClassFamily for Volume {
    const NAME: &'static str = "volume";
    const SUMMARY: &'static str =
        "disjoint faces with different directions do not fill a cube, on every sub-box 3^m at every stride";

    fn templates(axes: usize) -> Vec<Template> {
        volume_templates(axes)
    }
}

impl ClassFamily for Class {
    const NAME: &'static str = "class";
    const SUMMARY: &'static str =
        "facets of the polytope of class counts, on every sub-box 3^m with m from 2 to 5 at every stride";

    fn templates(axes: usize) -> Vec<Template> {
        class_templates(axes)
    }
}

impl<F: ClassFamily + std::fmt::Debug + Send + Sync> Family for F {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn summary(&self) -> &'static str {
        F::SUMMARY
    }

    fn citation(&self) -> &'static str {
        "ours"
    }

    fn validity(&self, board: &Board, problem: Problem, _: &Variant) -> Result<(), String> {
        needs_independence(problem)?;
        match needs_grid(board)?.piece() {
            Piece::Queen => Ok(()),
            piece => Err(format!(
                "it counts faces of a cube, which are defined for queens, not for {}s",
                piece.word()
            )),
        }
    }

    fn extent(&self, board: &Board, _: &dyn UpperBounds) -> Extent {
        extent(board, F::templates)
    }

    fn orbit_rows<'a>(
        &'a self,
        grid: &'a Grid,
        orbits: &'a BoxOrbits,
        _: &'a dyn UpperBounds,
    ) -> Option<OrbitRows<'a>> {
        Some(orbit_rows(grid, orbits, F::templates))
    }

    fn rows<'a>(&'a self, board: &'a Board, _: &'a dyn UpperBounds) -> Inequalities<'a> {
        rows(board, F::templates)
    }
}
