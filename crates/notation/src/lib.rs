//! Board names and files that all crates share: board files, certificates, colourings and solution lists.
//!
//! This crate depends on no other crate of the workspace. It parses and formats; it neither constructs boards
//! nor checks the claims of a file.
//!
//! ```
//! use ndqueens_notation::certificate::Certificate;
//! use ndqueens_notation::name::BoardName;
//!
//! let board: BoardName = "rook:3x2".parse()?;
//! assert_eq!(board.with_sorted_sides().to_string(), "rook:2x3");
//! let certificate = Certificate::independent(board, vec![vec![0, 0], vec![2, 1]], "by hand");
//! assert_eq!(certificate.to_string().parse(), Ok(certificate));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | content |
//! | --- | --- |
//! | [`name`] | board names and board files |
//! | [`certificate`] | certificate files |
//! | [`certificate::colouring`] | colouring files |
//! | [`certificate::solutions`] | solution lists |
//! | [`counted`] | numbers with their nouns in messages |
//! | [`error_class`] | classes of errors, for exit codes |
//! | [`escape`] | texts of files in error messages |
//! | [`proof`] | words of proof and bound files |
//! | [`similar`] | suggestions for misspelled names |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::cast_possible_truncation))]

pub mod certificate;
pub mod counted;
pub mod error_class;
pub mod escape;
pub mod name;
pub mod proof;
pub mod similar;
