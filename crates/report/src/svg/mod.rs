//! Drawings as SVG, the one form in which anything is drawn; PNG, PDF and TikZ are made from it. They letter with the font that this
//! package holds, and tell everything by shape and by lightness, so that drawings are the same everywhere and can be read in
//! print and by the colour-blind.

pub mod axis;
pub mod chart;
mod document;
pub mod font;
#[cfg(feature = "painting")]
mod format;
mod graph;
pub mod palette;
mod picture;
mod plan;
mod solid;
#[cfg(feature = "painting")]
mod tikz;

pub use self::document::document;
#[cfg(feature = "painting")]
pub use self::format::{Format, UnknownFormat};
