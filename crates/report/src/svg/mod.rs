//! Drawings as SVG, the one form in which anything is drawn; PNG is painted from it. Both letter with the font that this
//! package holds, and tell everything by shape and by lightness, so that drawings are the same everywhere and can be read in
//! print and by the colour-blind.

pub mod axis;
pub mod chart;
pub mod font;
pub mod palette;
mod picture;
mod plan;
mod png;

use ::svg::Document;
use ::svg::node::element::{Rectangle, Title};

pub(crate) use self::plan::middle;
pub use self::png::PaintingError;

/// x to the right, y downwards.
pub type Point = [f64; 2];

/// An empty drawing on white, in which texts stand in the middle of where they are put.
#[must_use]
pub fn document(title: &str, corner: Point, size: Point, scale: f64) -> Document {
    let [left, top] = corner;
    let [width, height] = size.map(tidy);
    Document::new()
        .set("viewBox", (left, top, width, height))
        .set("width", (width * scale).ceil())
        .set("height", (height * scale).ceil())
        .set("font-family", font::FAMILIES)
        .set("text-anchor", "middle")
        .add(Title::new(title))
        .add(
            Rectangle::new()
                .set("x", left)
                .set("y", top)
                .set("width", "100%")
                .set("height", "100%")
                .set("fill", "white"),
        )
}

/// Short enough for a file, exact enough for the eye.
#[must_use]
pub fn tidy(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

/// The corners of a line or of a polygon.
pub(crate) fn points(corners: &[Point]) -> String {
    corners.iter().map(|[x, y]| format!("{},{}", tidy(*x), tidy(*y))).collect::<Vec<_>>().join(" ")
}
