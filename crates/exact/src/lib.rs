//! Exact engine: computes the independence number of a board and proves infeasibility by nested slab bounds.
//!
//! The proof is checked by a crate that shares no code with this one:
//!
//! ```
//! use ndqueens_system::cancel::Control;
//! use ndqueens_crosscheck::proof;
//! use ndqueens_exact::{Settings, maximum};
//! use ndqueens_model::board::Board;
//! use ndqueens_notation::name::BoardName;
//!
//! let name: BoardName = "4^3".parse()?;
//! let (board, control) = (Board::new(&name), Control::new());
//! let mut text = Vec::new();
//! let found = maximum(&board, &Settings::new(&control), Some(&mut text), &mut |_| {})?;
//! let proved = proof::check(text.as_slice(), &|board| board.parse())?;
//! assert_eq!((found.value, proved.at_most()), (7, Some(7)));
//! assert_eq!(*proved.board(), name);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`box_table`] | bounds on the independence numbers of boxes |
//! | [`box_cache`] | results for boxes, stored between runs |
//! | [`proof`] | proof files |
//! | [`lp`] | interface to a solver of linear programs, for the relaxations |
//! | [`veripb`] | proofs for the external checker VeriPB |
//!
//! The decision problem, whether k queens fit, is a [`Question`]. It is solved at once, on several
//! threads, or part by part.

mod bounds;
mod boxes;
mod layers;
mod maximum;
pub mod proof;
mod question;
mod schedule;
mod search;
mod settings;
pub mod veripb;

pub use self::bounds::round::{Step, Termination};
pub use self::boxes::slab::Slab;
pub use self::boxes::{box_cache, box_table};
pub use self::maximum::{Maximum, maximum};
pub use self::question::{Feasibility, Question};
pub use self::schedule::answer::{Recut, Split};
pub use self::schedule::enumeration::{Enumeration, Tally};
pub use self::schedule::estimate::Estimate;
pub use self::schedule::symmetric::visit_symmetric;
pub use self::search::indexed_board::{MOST_SQUARES, Order};
pub use self::search::log::Share;
pub use self::settings::lp;
pub use self::settings::work_store::WorkStore;
pub use self::settings::{Components, Layers, PrimalHeuristics, Relax, Settings, TreeChecker};
