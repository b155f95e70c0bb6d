//! Boards, inequality families, formulations, sparse integer programs and file formats for the (n,d)-queens
//! problem.
//!
//! This crate contains no solver and does no input or output except through [`std::io::Read`] and
//! [`std::io::Write`].
//!
//! # Examples
//! ```
//! # #[cfg(all(feature = "formulations", feature = "tables"))] {
//! use ndqueens_model::board::Board;
//! use ndqueens_model::facts::{Bounds, UpperBounds as _, known};
//! use ndqueens_model::model::Model;
//! use ndqueens_model::formulation::Formulation;
//! use ndqueens_model::variant::{Goal, Variant};
//!
//! let board = Board::new(&"6^3".parse()?);
//! let formulation = Formulation::builtin("cube-star")?;
//! let bounds = Bounds::default();
//! let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &bounds, 1 << 30)?;
//! let ilp = model.ilp();
//! println!("{} rows, {} nonzeros", ilp.row_count(), ilp.nonzeros());
//! let published = known::lookup(board.name()).and_then(|known| known.upper).expect("a value is published");
//! assert!(published <= bounds.upper(board.name()).expect("lines partition it").value);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`board`] | squares, lines, symmetry |
//! | [`facts`] | upper bounds with their provenance and, with the feature `tables`, known values |
//! | [`variant`] | goals: an optimum, or a number of pieces |
//! | `family`, `formulation`, `own`, `model`, `named_row`, `defining`, `orbit` | inequalities and models (feature `formulations`) |
//! | [`ilp`], [`mod@format`] | integer programs and their file formats |
//! | [`import`] | parsers and writers for sets of squares in several conventions |
//! | [`colouring`] | colouring problems as integer programs |

pub mod board;
pub mod colouring;
#[cfg(feature = "formulations")]
pub mod defining;
pub mod facts;
#[cfg(feature = "formulations")]
pub mod family;
pub mod format;
#[cfg(feature = "formulations")]
pub mod formulation;
pub mod ilp;
pub mod import;
#[cfg(feature = "formulations")]
pub mod model;
#[cfg(feature = "formulations")]
pub mod named_row;
#[cfg(feature = "formulations")]
pub mod orbit;
#[cfg(feature = "formulations")]
pub mod own;
pub mod variant;
