//! How it is found: backends, constructions, local search.
//!
//! A board becomes a formulation, the formulation an integer program; a backend solves it, and what it found is checked from
//! the definition, by a crate that shares no code with this one:
//!
//! ```
//! # #[cfg(feature = "backends")] {
//! use std::ops::ControlFlow;
//!
//! use ndqueens_crosscheck::verify::verify;
//! use ndqueens_model::board::Board;
//! use ndqueens_notation::certificate::Certificate;
//! use ndqueens_model::facts::Theorems;
//! use ndqueens_model::model::Model;
//! use ndqueens_model::formulation::Formulation;
//! use ndqueens_model::variant::{Goal, Variant};
//! use ndqueens_solver::backends::{Backend as _, Options, Outcome, highs::Highs};
//!
//! let board = Board::new(&"6^3".parse()?);
//! let formulation = Formulation::builtin("cube")?;
//! let model = Model::new(&board, &formulation, Variant::of(Goal::AtLeast(18)), &Theorems, 1 << 30)?;
//! let run = Highs.solve(&model.ilp(), &Options::default(), &mut |_| ControlFlow::Continue(()))?;
//! let Outcome::Feasible { solution, .. } = run.outcome else { panic!("18 queens fit on 6^3") };
//! let squares = model.squares(&solution).into_iter().map(|square| board.coordinates(square));
//! let certificate = Certificate::independent(board.name().clone(), squares.collect(), run.solver);
//! assert!(verify(&certificate)?.size() >= 18);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | is |
//! | --- | --- |
//! | `backends` | solvers of integer programmes: HiGHS, microlp, CBC, any solver as a command, and a SAT solver |
//! | `branch_and_bound` | branch and bound on linear programs, with a proof in integers |
//! | `lp` | linear programs for the relaxations of the exact engine |
//! | [`degeneracy`] | the degeneracy of a graph |
//! | [`max_clique`] | maximum cliques by a colouring bound |
//! | `odd_cycle` | exact separation of odd-cycle inequalities |
//! | `orbit_lp` | upper bounds from an LP reduced by symmetry |
//! | [`construct`] | constructions, local search, and the arithmetic of linear sets |
//! | [`colouring`] | partitions of a board into solutions |
//!
//! Without the feature `backends`, which is on by default, there are all whose names are links. The exact engine is a crate
//! of its own, `ndqueens-exact`, which takes what places queens from [`construct`] and what solves relaxations from `lp`.

#[cfg(feature = "backends")]
pub mod backends;
#[cfg(feature = "backends")]
pub mod branch_and_bound;
#[cfg(feature = "backends")]
mod clique;
pub mod colouring;
pub mod construct;
pub mod degeneracy;
#[cfg(feature = "backends")]
pub mod lp;
pub mod max_clique;
pub mod odd_cycle;
#[cfg(feature = "backends")]
pub mod orbit_lp;
