//! Empty drawings, and lines in them.

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Title};

use super::font;
use super::plan::Words;
use crate::plane::{Point, tidy};

/// Creates an empty drawing on a white background. Texts are centred at their positions.
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

/// Formats the corners of a line or polygon as an SVG attribute.
pub(super) fn points(corners: &[Point]) -> String {
    corners.iter().map(|[x, y]| format!("{},{}", tidy(*x), tidy(*y))).collect::<Vec<_>>().join(" ")
}

/// Returns a line from one point to another.
pub(super) fn line([x1, y1]: Point, [x2, y2]: Point) -> Line {
    Line::new().set("x1", tidy(x1)).set("y1", tidy(y1)).set("x2", tidy(x2)).set("y2", tidy(y2))
}

/// Returns texts with their colours, in units of a hundredth of a square, because many programs draw small
/// letters badly.
pub(super) fn lettering(texts: &[(Words, &str)]) -> Group {
    let mut group = Group::new().set("transform", "scale(0.01)");
    for (Words { text, middle, size }, colour) in texts {
        let middle = middle.map(|x| 100.0 * x);
        group = group.add(font::text(text, middle, 100.0 * size).set("fill", *colour));
    }
    group
}
