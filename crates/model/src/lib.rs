//! What is asked: boards, inequality families, formulations, the sparse integer program, file formats, certificates.
//!
//! This crate knows nothing of solvers and does no input or output beyond [`std::io::Read`] and [`std::io::Write`].
//!
//! ```
//! # #[cfg(all(feature = "formulations", feature = "tables"))] {
//! use ndqueens_model::board::Board;
//! use ndqueens_model::facts::{Bounds, UpperBounds as _, known};
//! use ndqueens_model::model::Model;
//! use ndqueens_model::formulation::Formulation;
//! use ndqueens_model::variant::{Goal, Variant};
//!
//! let board = Board::new(&"6^3".parse()?);
//! let formulation = Formulation::shipped("cube-star")?;
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
//! | module | is |
//! | --- | --- |
//! | [`board`] | squares, lines, symmetry |
//! | [`facts`] | upper bounds with what they rest on, and, with the feature `tables`, what is known |
//! | [`variant`], `family`, `formulation`, `model`, `named_row`, `defining`, `orbit` | what is asked, and rows for it; all but the first with the feature `formulations` |
//! | [`ilp`], [`mod@format`] | integer programs, and the files that hold them |
//! | [`import`] | sets of squares in other conventions than that of certificate files |
//! | [`colouring`] | colourings as integer programs |

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
pub mod variant;
