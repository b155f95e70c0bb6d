//! Colours, dashes and markers. Colours with a meaning are shades of one hue, or from a palette for the
//! colour-blind.
//!
//! # References
//! Masataka Okabe and Kei Ito, *Color Universal Design* (2008): the palette.

/// Colour of lines and text.
pub const BLACK: &str = "#000000";
/// Colour of edges.
pub const GREY: &str = "#888888";
/// Colour of grid lines in the background.
pub const LIGHT: &str = "#D9D9D9";
/// Blue.
pub const BLUE: &str = "#0072B2";
/// Vermilion.
pub const VERMILION: &str = "#D55E00";

/// Colours of squares, which differ if they share an edge.
pub(super) const TONES: [&str; 3] = ["#FFFFFF", "#D9D9D9", "#ECECEC"];

/// The palette without yellow, which is too light on paper.
const COLOURS: [&str; 7] = [BLACK, VERMILION, BLUE, "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

/// Colours of the palette that are light enough for black text.
pub(super) const STRONG: [&str; 6] = ["#E69F00", "#56B4E9", "#CC79A7", "#009E73", "#F0E442", VERMILION];

/// Lengths of dashes and gaps.
const DASHES: [&str; 4] = ["none", "9 4", "3 3", "14 4 3 4"];

/// Outlines of markers round the origin: disc, square, triangle, diamond, triangle upside down, cross.
const MARKERS: [&str; 6] = [
    "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0Z",
    "M-4.2-4.2H4.2V4.2H-4.2Z",
    "M0-5.5L5.2 4H-5.2Z",
    "M0-6L6 0L0 6L-6 0Z",
    "M0 5.5L5.2-4H-5.2Z",
    "M-1.7-5.5H1.7V-1.7H5.5V1.7H1.7V5.5H-1.7V1.7H-5.5V-1.7H-1.7Z",
];

/// Visual style of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Style {
    /// Line and marker colour.
    pub colour: &'static str,
    /// Dash pattern of the line.
    pub dashes: &'static str,
    /// Outline of the marker, around the origin.
    pub marker: &'static str,
}

/// Returns the style of a curve. Numbers of colours, markers and dashes are chosen such that 84 consecutive
/// styles differ.
#[must_use]
pub fn style(number: usize) -> Style {
    Style {
        colour: COLOURS[number % COLOURS.len()],
        dashes: DASHES[number % DASHES.len()],
        marker: MARKERS[number % MARKERS.len()],
    }
}

/// Scale from white over light blue to dark blue.
const SHADES: [[f64; 3]; 3] = [[255.0, 255.0, 255.0], [107.0, 174.0, 214.0], [8.0, 48.0, 107.0]];

/// Returns the colour on the scale for a value from 0 to 1.
pub(super) fn shade(part: f64) -> String {
    let at = part.clamp(0.0, 1.0) * 2.0;
    let (low, high) = if at < 1.0 { (SHADES[0], SHADES[1]) } else { (SHADES[1], SHADES[2]) };
    let rest = if at < 1.0 { at } else { at - 1.0 };
    let [r, g, b] = [0, 1, 2].map(|i| (low[i] + (high[i] - low[i]) * rest).round() as u8);
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// Returns a light colour for a class. Consecutive classes differ much in hue and lightness. If some classes
/// are `highlighted`, these get colours of the palette, and the others a pale grey.
pub(super) fn tint(class: usize, highlighted: &[usize]) -> String {
    match highlighted.iter().position(|one| *one == class) {
        Some(place) => return STRONG[place % STRONG.len()].to_owned(),
        None if !highlighted.is_empty() => return TONES[2].to_owned(),
        None => {}
    }
    // Steps of the golden angle keep hues apart as long as possible.
    let (hue, light) = ((class as f64 * 137.508) % 360.0, [0.74, 0.85, 0.66][class % 3]);
    let strength = 0.75 * (1.0 - (2.0 * light - 1.0f64).abs());
    let part = |offset: f64| {
        let at = (hue / 30.0 + offset) % 12.0;
        let value = light - strength / 2.0 * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    format!("#{:02X}{:02X}{:02X}", part(0.0), part(8.0), part(4.0))
}

/// Returns a text colour that is legible on the shade.
pub(super) fn on_shade(part: f64) -> &'static str {
    if part > 0.6 { "#FFFFFF" } else { BLACK }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_two_curves_look_alike() {
        assert_eq!((0..84).map(style).collect::<HashSet<_>>().len(), 84);
    }
}
