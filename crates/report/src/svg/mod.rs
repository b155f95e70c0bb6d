//! Drawings as SVG, from which PNG, PDF and TikZ are made. They use the font in this package, and distinguish
//! everything by shape and lightness, so that they look the same everywhere and are legible in print and for
//! the colour-blind.

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
