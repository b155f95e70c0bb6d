//! The exact engine: a proof that k queens do not fit, by nested slab bounds.
//!
//! It finds the independence number of a board and writes a proof, which a crate checks that shares no code with this one:
//!
//! ```
//! use ndqueens_control::Control;
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
//! | module | is |
//! | --- | --- |
//! | [`table`] | what is known of every box in a board, smallest first |
//! | [`box_cache`] | boxes kept between runs |
//! | [`proof`] | the form of the proofs |
//! | [`lp`] | what the engine asks of a solver of linear programs, for its relaxations |
//! | [`veripb`] | proofs for VeriPB, a checker that others wrote |
//!
//! The search itself is a [`Question`]: whether k queens fit, answered at once, on several threads, or part by part.

mod ask;
mod attacks;
pub mod box_cache;
mod box_result;
mod budget;
mod cases;
mod enumeration;
mod estimate;
mod fill;
mod gap;
mod indexed;
mod instance;
mod layers;
mod layout;
mod log;
pub mod lp;
mod maximum;
mod numbered;
mod parts;
mod pieces;
pub mod proof;
mod question;
mod refutation;
mod relaxation;
mod round;
mod search;
mod settings;
mod slab;
mod symmetric;
pub mod table;
mod task;
mod turns;
pub mod veripb;
mod work_store;

pub use self::ask::{Recut, Split};
pub use self::enumeration::{Enumeration, Tally};
pub use self::estimate::Estimate;
pub use self::indexed::{MOST_SQUARES, Order};
pub use self::log::Share;
pub use self::maximum::{Maximum, maximum};
pub use self::question::{Feasibility, Question};
pub use self::round::{Step, Termination};
pub use self::settings::{Components, Layers, PrimalHeuristics, Relax, Settings, TreeChecker};
pub use self::slab::Slab;
pub use self::symmetric::visit_symmetric;
pub use self::work_store::WorkStore;
