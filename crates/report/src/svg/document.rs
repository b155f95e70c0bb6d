//! An empty drawing, and lines in it.

use svg::Document;
use svg::node::element::{Rectangle, Title};

use super::font;
use crate::plane::{Point, tidy};

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

/// The corners of a line or of a polygon.
pub(super) fn points(corners: &[Point]) -> String {
    corners.iter().map(|[x, y]| format!("{},{}", tidy(*x), tidy(*y))).collect::<Vec<_>>().join(" ")
}
