//! Why one may believe a result: this crate checks certificates and counts solutions from the definition of an attack.
//!
//! It shares no code with the solver and takes from the model crate only the board names
//! ([`ndqueens_notation::name`]) and the certificate files ([`ndqueens_notation::certificate`]); a test holds it to that. What
//! an attack is, which squares a board has and which symmetries, it says itself.
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
//! | module | is |
//! | --- | --- |
//! | [`boards::definition`], [`boards::grid`], [`boards::hexagon`], [`boards::three_player`], [`boards::sudoku`], [`boards::cells`], [`boards::drawing`], [`boards::network`] | squares, attacks and symmetries of a board, from their definition |
//! | [`boards::file`] | board files |
//! | [`verify`] | is this certificate true? |
//! | [`colouring`] | is this colouring proper, and are its classes full solutions? |
//! | [`fault`] | the three ways in which a file is not accepted |
//! | [`graph`] | the queen graph, by testing every pair of squares |
//! | [`cnf`] | the formula that so many squares fit, for SAT solvers; did `rate` verify that they do not? |
//! | [`partition`] | do these cliques partition the board? |
//! | [`opb`] | the formula that asks for most squares, or so many, for pseudo-Boolean solvers; what did VeriPB verify of it? |
//! | [`proof`] | does this proof tree show that no more queens fit? |
//! | [`vipr`] | the integer program that asks for most squares; does this VIPR file show a bound of it? |
//! | [`bound`] | do these inequalities add up to that bound? |
//! | [`bron_kerbosch`] | reference algorithm: every maximum independent set |
//! | [`maximal`] | every maximal independent set, counted by size |
//! | [`recursive`] | second reference algorithm: the independence number only |
//! | [`symmetry`] | the symmetry group, element by element |
//! | [`count`] | independence number, number of maximum solutions, and of those up to symmetry |

#![forbid(unsafe_code)]

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
