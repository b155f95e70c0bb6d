//! Work in parts: the folder with its manifest, threads that run the missing parts, and shares, forecasts and
//! accounts for several runners on one folder.

pub mod account;
mod folder;
mod forecast;
mod run;
mod share;

pub use folder::manifest;
pub(crate) use folder::{COLOURING_MANIFEST, COUNT_MANIFEST, SPLIT_MANIFEST, TREE_MANIFEST, begin};
pub(crate) use forecast::Forecast;
pub(crate) use run::MissingParts;
pub use share::{Share, ShareError, order};
