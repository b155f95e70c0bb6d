//! Inequalities in the numbers of queens of each class on sub-boxes with sides of 1 and 3;
//! `docs/formulations.md` has the proofs.

use ndqueens_notation::name::Piece;
use serde::Deserialize;

use super::translates::{Pattern, TranslateFamily, Translates, axis_sets, places, strides};
use super::{ValidityError, needs_grid};
use crate::board::{Board, Grid};
use crate::facts::UpperBounds;
use crate::facts::volume::CLASS_FACETS;
use crate::orbit::{BoxOrbits, ClassWeights};

/// Volume inequalities of all sub-boxes `3^m` at all strides.
///
/// Let `c_j` be the number of queens with `j` middle coordinates in the sub-box. For each `k` with
/// `1 <= k < m`, the sum of `2^(j-k) c_j` over `j` from `k` to `m - 1`, and of `(2^(m-k) - 1) c_m`, is at
/// most `2^(m-k) - 1`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Volume {}

/// Facets of the polytope of class counts of `3^m` for `m` from 2 to 5, on all sub-boxes `3^m` at all
/// strides.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Class {}

/// Inequality on a sub-box `3^m`: the sum of the weights of the queens is at most `rhs`.
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

/// Returns the inequalities on all sub-boxes with sides of 1 and 3, of which at least two are 3, at every
/// stride.
fn translates<'a>(
    grid: &'a Grid,
    orbits: Option<&'a BoxOrbits>,
    templates: fn(usize) -> Vec<Template>,
) -> impl Iterator<Item = Translates> + 'a {
    let sets: Vec<Vec<bool>> = axis_sets(grid.dimension(), orbits).collect();
    strides(grid).flat_map(move |stride| {
        let of_set = move |set: Vec<bool>| {
            let axes = set.iter().filter(|&&is_long| is_long).count();
            let sides: Vec<u32> = set.iter().map(|&is_long| if is_long { 3 } else { 1 }).collect();
            let places = places(grid, &sides, stride).filter(|_| axes >= 2)?;
            Some(templates(axes).into_iter().map(move |Template { weights, rhs }| Translates {
                pattern: Pattern::Faces { sides: sides.clone(), stride, weights, rhs },
                places: places.clone(),
            }))
        };
        sets.clone().into_iter().filter_map(of_set).flatten()
    })
}

fn board_validity(board: &Board) -> Result<(), ValidityError> {
    match needs_grid(board)?.piece() {
        Piece::Queen => Ok(()),
        piece => Err(ValidityError::NoFaces(piece)),
    }
}

impl TranslateFamily for Volume {
    const NAME: &'static str = "volume";
    const SUMMARY: &'static str =
        "disjoint faces with different directions do not fill a cube, on every sub-box 3^m at every stride";
    const CITATION: &'static str = "ours";

    fn board_validity(board: &Board) -> Result<(), ValidityError> {
        board_validity(board)
    }

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        _: &'a dyn UpperBounds,
        orbits: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        Box::new(translates(grid, orbits, volume_templates))
    }
}

impl TranslateFamily for Class {
    const NAME: &'static str = "class";
    const SUMMARY: &'static str =
        "facets of the polytope of class counts, on every sub-box 3^m with m from 2 to 5 at every stride";
    const CITATION: &'static str = "ours";

    fn board_validity(board: &Board) -> Result<(), ValidityError> {
        board_validity(board)
    }

    fn translates<'a>(
        &'a self,
        grid: &'a Grid,
        _: &'a dyn UpperBounds,
        orbits: Option<&'a BoxOrbits>,
    ) -> Box<dyn Iterator<Item = Translates> + 'a> {
        Box::new(translates(grid, orbits, class_templates))
    }
}
