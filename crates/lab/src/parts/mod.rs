//! Work in parts: a folder that says what the parts are of, and threads that work on those that are missing.

mod folder;
mod pump;

pub(crate) use folder::begin;
pub(crate) use pump::Pump;
