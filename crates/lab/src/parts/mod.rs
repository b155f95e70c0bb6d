//! Work in parts: a folder that says what the parts are of, and threads that work on those that are missing.

mod folder;
mod pump;

pub use folder::manifest;
pub(crate) use folder::{COLOURINGS, COUNT, SPLIT, begin};
pub(crate) use pump::Pump;
