//! Solvers for the (n,d)-queens problem: integer programming, constructions, local search and colourings.
//!
//! A board and a formulation give an integer program, which a backend solves. The solution is checked by
//! definition, by a crate that shares no code with this one:
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
//! | module | contents |
//! | --- | --- |
//! | `backends` | solvers of integer programs: HiGHS, microlp, CBC, any solver as a command, and a SAT solver |
//! | `branch_and_bound` | branch and bound on linear programs, with a proof in exact arithmetic |
//! | `lp` | linear programs for the relaxations of the exact engine |
//! | [`degeneracy`] | degeneracy of a graph |
//! | [`max_clique`] | maximum cliques |
//! | `odd_cycle` | exact separation of odd-cycle inequalities |
//! | `orbit_lp` | upper bounds from an LP reduced by symmetry |
//! | [`zero_half`] | separation of zero-half cuts |
//! | [`construct`] | constructions, local search, and the arithmetic of linear sets |
//! | [`colouring`] | partitions of a board into solutions |
//!
//! The modules without links need the feature `backends`, which is on by default. The exact engine is the
//! crate `ndqueens-exact`; it receives heuristics from [`construct`] and a solver of relaxations from `lp`.

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
#[cfg(feature = "backends")]
mod weighted_independent_set;
pub mod zero_half;
