//! Faces and facets of the polytope P(B) of a board B: the convex hull of the characteristic vectors of its
//! independent sets.
//!
//! All arithmetic is in integers, and overflow is an error. Results that a reader has to trust are verified
//! by a second computation: facets by their tight sets, equations by all tight sets.
//!
//! | module | content |
//! | --- | --- |
//! | [`halfspace`] | inequalities with a coefficient for every square |
//! | [`symmetry`] | images and orbits of inequalities under the symmetries of a board |
//! | [`solutions`] | lists of all solutions of a problem on a board |
//! | [`face`] | dimension of the face of an inequality |
//! | [`facets`] | all facets of a small board |
//! | [`certificate`] | certificates of facets |
//!
//! ```
//! use ndqueens_model::board::Board;
//! use ndqueens_polytope::facets::{Limits, enumerate_facets};
//! use ndqueens_system::cancel::Control;
//!
//! let board = Board::new(&"3^2".parse()?);
//! let facets = enumerate_facets(&board, &Limits::default(), &Control::new())?;
//! assert_eq!((facets.orbits.len(), facets.count()), (7, 19));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod adjacency;
pub mod certificate;
mod double_description;
mod equations;
pub mod face;
pub mod facets;
pub mod halfspace;
pub mod solutions;
mod support;
pub mod symmetry;
