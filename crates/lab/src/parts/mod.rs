//! Work in parts: a folder that says what the parts are of, threads that work on those that are missing, and what several
//! runners on one folder need: shares, forecasts and accounts.

pub mod account;
mod folder;
mod forecast;
mod pump;
mod share;

pub use folder::manifest;
pub(crate) use folder::{COLOURING_MANIFEST, COUNT_MANIFEST, SPLIT_MANIFEST, TREE_MANIFEST, begin};
pub(crate) use forecast::Forecast;
pub(crate) use pump::Pump;
pub use share::{Share, ShareError, order};
