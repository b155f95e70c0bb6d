//! What is asked: boards, inequality families, formulations, the sparse integer programme, file formats, certificates.
//!
//! This crate knows nothing of solvers and does no input or output beyond [`std::io::Read`] and [`std::io::Write`].

pub mod board;
pub mod certificate;
pub mod colouring;
pub mod defining;
pub mod facts;
pub mod family;
pub mod format;
pub mod formulation;
pub mod ilp;
pub mod name;
pub mod orbit;
pub mod recipe;
pub mod variant;
