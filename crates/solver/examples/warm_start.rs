//! Solves the integer program of 4 x 4 x 4 with HiGHS, which starts from a constructed placement.

#![allow(clippy::print_stdout, reason = "an example for the terminal")]

use std::error::Error;
use std::ops::ControlFlow;

use ndqueens_crosscheck::verify::verify;
use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, Options, Outcome};
use ndqueens_solver::construct::{Effort, best};

fn main() -> Result<(), Box<dyn Error>> {
    let board = Board::new(&"4^3".parse()?);
    let formulation = Formulation::builtin("cube")?;
    let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;

    let placement = best(&board, &[], 0, Effort { cut: 1_000_000, greedy: 1_000_000 })?;
    let squares: Vec<_> = placement.squares.iter().filter_map(|square| board.square(square)).collect();
    let options = Options { start: Some(model.point(&squares)), ..Options::default() };
    let run = Highs.solve(&model.ilp(), &options, &mut |_| ControlFlow::Continue(()))?;
    let Outcome::Optimal { solution, value } = run.outcome else { return Err("no optimum".into()) };
    println!("{}: started with {} queens, optimum {value}", run.solver, placement.size());

    // The optimum rests on floating-point arithmetic; the placement is checked from the definition.
    let queens = model.squares(&solution).into_iter().map(|square| board.coordinates(square)).collect();
    let certificate = Certificate::independent(board.name().clone(), queens, run.solver);
    println!("verified: {} queens on {}", verify(&certificate)?.size(), board.name());
    print!("{certificate}");
    Ok(())
}
