//! Formulation files.

use ndqueens_crosscheck::graph::Graph;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};

use super::utf8;
use crate::sentence::assert_plain;
use crate::{corpus, truth};

pub(super) fn formulation_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("models", &["toml"]);
    seeds.push(
        b"title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\n\
          families = [\"line\", { name = \"odd-cycle\", lengths = [5], cap = 200 }]\n"
            .to_vec(),
    );
    seeds
}

/// Reads a text as a formulation.
pub fn formulation(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let formulation = match Formulation::parse("fuzzed", text) {
        Ok(formulation) => formulation,
        Err(fault) => {
            assert_plain(&fault);
            return false;
        }
    };
    if formulation.maximises() && !formulation.breaks_symmetry() {
        ["3^2", "2^3", "torus:3^2", "rook:2x3"].iter().for_each(|board| assert_valid(board, &formulation));
    }
    true
}

/// Panics if a row of a formulation excludes an independent set of a board.
fn assert_valid(board: &str, formulation: &Formulation) {
    let name = board.parse().expect("a board");
    let board = Board::new(&name);
    let model = match Model::relaxation(&board, formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 24)
    {
        Ok(model) => model.ilp(),
        Err(fault) => return assert_plain(&fault),
    };
    let graph: Graph = truth::small_graph(&name).expect("a small board");
    let is_complete = truth::visit(&graph, &mut Vec::new(), &mut 0, &mut |set| {
        let mut point = vec![0; model.columns().len()];
        set.iter().for_each(|&square| point[square] = 1);
        if point.len() == graph.squares().len() {
            assert_eq!(model.violation(&point), None, "{name}: {set:?}");
        }
    });
    assert!(is_complete);
}
