//! The font of drawings: DejaVu Sans, which is part of this package.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};
use svg::node::element::Text;

use crate::plane::{Point, tidy};

/// Font families: the font of this package, then fallbacks.
pub const FAMILIES: &str = "DejaVu Sans, Verdana, sans-serif";

/// Contents of the font file.
pub(super) const BYTES: &[u8] = include_bytes!("../../fonts/DejaVuSans.ttf");

/// Height of digits and capitals at font size 1.
const HEIGHT: f64 = 0.73;

/// Assumed width of a character that the font does not have.
const UNKNOWN: f32 = 1.0;

/// Returns the width of a text at font size 1.
#[must_use]
pub fn width(text: &str) -> f64 {
    let font = FontRef::new(BYTES).expect("the font of this package");
    let (signs, metrics) = (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()));
    let advance = |sign: char| signs.map(sign).and_then(|glyph| metrics.advance_width(glyph));
    text.chars().map(|sign| f64::from(advance(sign).unwrap_or(UNKNOWN))).sum()
}

/// Returns the width of the widest of some texts at font size 1.
pub(super) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> f64 {
    texts.into_iter().map(width).fold(0.0, f64::max)
}

/// Returns a text whose digits are vertically centred at a point.
#[must_use]
pub fn text(content: &str, [x, y]: Point, size: f64) -> Text {
    Text::new(content).set("x", tidy(x)).set("y", tidy(y + HEIGHT / 2.0 * size)).set("font-size", tidy(size))
}

/// Breaks a text into lines of at most `most` units of width, as far as its words allow.
pub(super) fn lines(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}")) * size <= most => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_wide_as_their_signs() {
        assert!((width("1") - 0.636).abs() < 0.001, "{}", width("1"));
        assert!((width("12 %") - 2.0 * width("1") - width(" ") - width("%")).abs() < 1e-6);
        assert!(width("i") < width("m") && width("\u{4e00}") > 0.0);
        assert_eq!(lines("one two three", 10.0, 60.0), ["one two", "three"]);
    }
}
