//! Independent checker: verifies certificates, bounds and proofs, and counts solutions, from the definition
//! of an attack.
//!
//! This crate shares no code with the solver. Its only dependency in the workspace is `ndqueens-notation`,
//! for board names ([`ndqueens_notation::name`]) and certificate files ([`ndqueens_notation::certificate`]);
//! a test enforces this. The squares, attacks and symmetries of each board are defined in [`boards`].
//!
//! ```
//! use ndqueens_crosscheck::count::count;
//! use ndqueens_crosscheck::verify::verify;
//! use ndqueens_notation::certificate::Certificate;
//!
//! let counted = count(&"3^3".parse()?, &|| false).ok().expect("a small board");
//! assert_eq!(counted.independence_number, 4);
//! let queens = [[0, 0, 0], [0, 1, 2], [1, 2, 0], [2, 0, 1]].map(Vec::from).to_vec();
//! let certificate = Certificate::independent("3^3".parse()?, queens, "by hand");
//! assert_eq!(verify(&certificate)?.size(), counted.independence_number);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | content |
//! | --- | --- |
//! | [`boards`] | squares, attacks and symmetries of each kind of board |
//! | [`boards::file`] | parser of board files |
//! | [`verify`] | verification of certificates |
//! | [`solutions`] | verification of solution lists |
//! | [`colouring`] | verification of colourings |
//! | [`facets`] | verification of facets of the convex hull of the independent sets |
//! | [`partition`] | clique partitions and their bounds |
//! | [`bound`] | upper bounds derived by adding inequalities |
//! | [`weighted`] | weighted inequalities of independent sets |
//! | [`proof`] | proof trees of upper bounds and counts |
//! | [`cnf`] | CNF formulas for SAT solvers, and reports of the proof checker `rate` |
//! | [`opb`] | pseudo-Boolean formulas, and reports of the proof checker VeriPB |
//! | [`vipr`] | integer programs, and VIPR files that prove their bounds |
//! | [`graph`] | queen graph, built by testing every pair of squares |
//! | [`residual`] | residual board of given queens |
//! | [`symmetry`] | symmetry group, listed element by element |
//! | [`bron_kerbosch`] | first reference algorithm: enumeration of maximal independent sets |
//! | [`recursive`] | second reference algorithm: independence number only |
//! | [`count`] | independence number, and number of maximum solutions and of their orbits |
//! | [`maximal`] | numbers of maximal independent sets by size |
//! | [`fault`] | reasons why a checker does not accept a file |
//! | [`stop`] | cancellation of searches |

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::cast_possible_truncation))]

pub mod boards;
#[cfg(feature = "proofs")]
pub mod bound;
#[cfg(feature = "proofs")]
pub mod bron_kerbosch;
#[cfg(feature = "proofs")]
pub mod cnf;
#[cfg(feature = "proofs")]
pub mod colouring;
#[cfg(feature = "proofs")]
pub mod count;
#[cfg(feature = "proofs")]
pub mod facets;
pub mod fault;
#[cfg(feature = "proofs")]
pub mod graph;
#[cfg(feature = "proofs")]
pub mod maximal;
#[cfg(feature = "proofs")]
pub mod opb;
#[cfg(feature = "proofs")]
pub mod partition;
#[cfg(feature = "proofs")]
pub mod proof;
#[cfg(feature = "proofs")]
mod reader;
#[cfg(feature = "proofs")]
pub mod recursive;
#[cfg(feature = "proofs")]
pub mod residual;
#[cfg(feature = "proofs")]
mod rows;
#[cfg(feature = "proofs")]
pub mod solutions;
#[cfg(feature = "proofs")]
pub mod stop;
#[cfg(feature = "proofs")]
pub mod symmetry;
pub mod verify;
#[cfg(feature = "proofs")]
pub mod vipr;
#[cfg(feature = "proofs")]
pub mod weighted;
