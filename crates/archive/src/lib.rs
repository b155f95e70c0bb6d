//! Prior results: the archive of earlier runs with its ledger, its certificates and its counts, and the
//! bounds that follow from it.
//!
//! | module | content |
//! | --- | --- |
//! | [`archive`], [`files`] | an open archive, and its files in a folder or in the program |
//! | [`ledger`] | upper bounds and maxima with their proofs |
//! | [`certificates`] | placements, one for each best lower bound |
//! | [`counts`] | numbers of maximum solutions with their proofs |
//! | [`boxes`] | tables of the bounds of all boxes inside a box |
//! | [`addition`] | adds files to the ledger, the certificates and the counts |
//! | [`bounds`] | bounds of all cubes that follow from the archive, and the tables of open, new and settled boards |
//! | [`best`] | best bounds of one board of any kind |
//! | [`beside`] | bounds of a board in the archive and in publications, to be shown with a result |
//! | [`next`] | commands that may improve the bounds of a board |
//! | [`effort`] | attempts so far to improve bounds |
//! | `prior` | the archive as the workflows use it |
//! | [`queens_constant`] | the n-queens constant and the limit density |
//! | [`tables`] | all tables of data files with their columns |

pub mod addition;
pub mod archive;
pub mod beside;
pub mod best;
pub mod bounds;
pub mod boxes;
pub mod certificates;
pub mod counts;
pub mod effort;
mod error;
pub mod files;
pub mod ledger;
pub mod next;
mod prior;
pub mod queens_constant;
pub mod tables;

pub use self::error::{ArchiveError, RefusedFile};
