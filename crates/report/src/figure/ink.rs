//! Colours, chess pieces and the outlines of signs.
//!
//! The colours that tell something are of the palette of M. Okabe and K. Ito, *Color Universal Design*, 2008, or of one hue.

use ndqueens_model::name::Piece;
use svg::node::element::{Circle, Group, Path};

pub(super) const BLACK: &str = "#000000";
pub(super) const GREY: &str = "#888888";
pub(super) const BLUE: &str = "#0072B2";
pub(super) const VERMILION: &str = "#D55E00";

/// The colours of squares that share an edge.
pub(super) const TONES: [&str; 3] = ["#FFFFFF", "#D9D9D9", "#ECECEC"];

/// From white by a light blue to a dark one.
const SHADES: [[f64; 3]; 3] = [[255.0, 255.0, 255.0], [107.0, 174.0, 214.0], [8.0, 48.0, 107.0]];

/// The colour of a part of the most, 0 to 1.
pub(super) fn shade(part: f64) -> String {
    let at = part.clamp(0.0, 1.0) * 2.0;
    let (low, high) = if at < 1.0 { (SHADES[0], SHADES[1]) } else { (SHADES[1], SHADES[2]) };
    let rest = if at < 1.0 { at } else { at - 1.0 };
    let [r, g, b] = [0, 1, 2].map(|i| (low[i] + (high[i] - low[i]) * rest).round() as u8);
    format!("#{r:02X}{g:02X}{b:02X}")
}

/// A light colour for a class; those of neighbouring numbers differ much in hue and lightness.
pub(super) fn tint(class: usize) -> String {
    // Hues in steps of the golden angle come close to each other as late as can be.
    let (hue, light) = ((class as f64 * 137.508) % 360.0, [0.74, 0.85, 0.66][class % 3]);
    let strength = 0.75 * (1.0 - (2.0 * light - 1.0f64).abs());
    let part = |offset: f64| {
        let at = (hue / 30.0 + offset) % 12.0;
        let value = light - strength / 2.0 * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    format!("#{:02X}{:02X}{:02X}", part(0.0), part(8.0), part(4.0))
}

/// The colour in which one can write on a shade.
pub(super) fn on_shade(part: f64) -> &'static str {
    if part > 0.6 { "#FFFFFF" } else { BLACK }
}

/// A piece round the origin, one unit wide; a disc where none is known.
pub(super) fn symbol(piece: Option<Piece>) -> Group {
    let path = |way: &str| Path::new().set("d", way);
    let ball = |x: f64, y: f64, r: f64| Circle::new().set("cx", x).set("cy", y).set("r", r);
    let group = Group::new().set("fill", BLACK).set("stroke", "none");
    match piece {
        Some(Piece::Queen) => group
            .add(path(
                "M-.4-.2L-.23.1-.21-.32-.07.06 0-.38.07.06.21-.32.23.1.4-.2.29.26H-.29ZM-.31.3H.31V.4H-.31Z",
            ))
            .add(ball(-0.4, -0.22, 0.05))
            .add(ball(-0.21, -0.34, 0.05))
            .add(ball(0.0, -0.4, 0.05))
            .add(ball(0.21, -0.34, 0.05))
            .add(ball(0.4, -0.22, 0.05)),
        Some(Piece::Rook) => group.add(path(
            "M-.33.4V.3H-.24L-.2-.1-.29-.16V-.4H-.17V-.31H-.06V-.4H.06V-.31H.17V-.4H.29V-.16L.2-.1.24.3H.33V.4Z",
        )),
        Some(Piece::Bishop) => group
            .add(path("M0-.35C.2-.18.24-.02.12.14L.2.27H-.2L-.12.14C-.24-.02-.2-.18 0-.35ZM-.32.4L-.26.31H.26L.32.4Z"))
            .add(ball(0.0, -0.38, 0.055)),
        None => group.add(ball(0.0, 0.0, 0.36)),
    }
}

/// The height of digits in the units of their outlines.
pub(super) const HEIGHT: f64 = 10.0;

/// A sign as a line of the pen, 10 units high, and how far the next one is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glyph {
    way: &'static str,
    advance: f64,
}

impl Glyph {
    pub(super) fn is_visible(self) -> bool {
        !self.way.is_empty()
    }

    pub(super) fn advance(self) -> f64 {
        self.advance
    }

    /// All outlines stand in the middle of six units; how far they are moved when there are more or fewer.
    pub(super) fn aside(self) -> f64 {
        (self.advance - 6.0) / 2.0
    }

    pub(super) fn path(self) -> Path {
        Path::new().set("d", self.way).set("stroke-width", 1.1)
    }
}

/// The outline of a sign; nothing for those that no picture has.
pub(super) fn glyph(sign: char) -> Glyph {
    let (way, advance) = match sign {
        '0' => ("M3 .5C5 .5 5.5 2.8 5.5 5C5.5 7.2 5 9.5 3 9.5C1 9.5 .5 7.2 .5 5C.5 2.8 1 .5 3 .5Z", 7.4),
        '1' => ("M1.4 2.3L3.4 .5V9.5", 7.4),
        '2' => ("M.7 2.6C.9 1.2 1.8 .5 3 .5C4.4 .5 5.3 1.4 5.3 2.7C5.3 4.8 2.8 6.2 .6 9.5H5.4", 7.4),
        '3' => (
            "M.8 1.6C1.4 .8 2.2 .5 3 .5C4.4 .5 5.2 1.4 5.2 2.6C5.2 4 4.2 4.7 2.4 4.7C4.4 4.7 5.5 5.6 5.5 7.1C5.5 8.6 4.4 9.5 \
             2.9 9.5C1.9 9.5 1.1 9.1 .5 8.3",
            7.4,
        ),
        '4' => ("M4.3 9.5V.5L.5 6.8H5.7", 7.4),
        '5' => (
            "M5.1 .5H1.4L1 4.5C1.6 4.1 2.3 3.9 3 3.9C4.5 3.9 5.5 5 5.5 6.6C5.5 8.3 4.4 9.5 2.8 9.5C1.8 9.5 1 9.1 .5 8.4",
            7.4,
        ),
        '6' => (
            "M4.9 1.3C4.4 .8 3.9 .5 3.2 .5C1.5 .5 .5 2.6 .5 5.8C.5 8.2 1.4 9.5 3 9.5C4.5 9.5 5.5 8.3 5.5 6.6C5.5 5 4.5 3.9 3.1 \
             3.9C1.9 3.9 .9 4.7 .5 6",
            7.4,
        ),
        '7' => ("M.5 .5H5.5C3.8 3 2.6 6 2.2 9.5", 7.4),
        '8' => (
            "M3 4.6C1.7 4.6 .9 3.8 .9 2.6C.9 1.3 1.8 .5 3 .5C4.2 .5 5.1 1.3 5.1 2.6C5.1 3.8 4.3 4.6 3 4.6C1.5 4.6 .5 5.6 .5 \
             7C.5 8.5 1.5 9.5 3 9.5C4.5 9.5 5.5 8.5 5.5 7C5.5 5.6 4.5 4.6 3 4.6Z",
            7.4,
        ),
        '9' => (
            "M1.1 8.7C1.6 9.2 2.1 9.5 2.8 9.5C4.5 9.5 5.5 7.4 5.5 4.2C5.5 1.8 4.6 .5 3 .5C1.5 .5 .5 1.7 .5 3.4C.5 5 1.5 6.1 2.9 \
             6.1C4.1 6.1 5.1 5.3 5.5 4",
            7.4,
        ),
        '(' => ("M3.9-.4C2 2.6 2 7.4 3.9 10.4", 4.2),
        ')' => ("M2.1-.4C4 2.6 4 7.4 2.1 10.4", 4.2),
        ',' => ("M3.3 9.2L2.6 11", 3.6),
        '.' => ("M3 9.3V9.4", 3.6),
        '*' => ("M3 2.6V6.6M1.3 3.6L4.7 5.6M4.7 3.6L1.3 5.6", 6.2),
        '%' => (
            "M5 .5L1 9.5M1.2 4.1C.4 4.1-.1 3.3-.1 2.3C-.1 1.3 .4 .5 1.2 .5C2 .5 2.5 1.3 2.5 2.3C2.5 3.3 2 4.1 1.2 4.1ZM4.8 9.5C4 9.5 \
             3.5 8.7 3.5 7.7C3.5 6.7 4 5.9 4.8 5.9C5.6 5.9 6.1 6.7 6.1 7.7C6.1 8.7 5.6 9.5 4.8 9.5Z",
            8.0,
        ),
        _ => ("", 3.6),
    };
    Glyph { way, advance }
}

/// How wide a text is whose digits are one unit high.
pub(super) fn width(text: &str) -> f64 {
    text.chars().map(|sign| glyph(sign).advance).sum::<f64>() / HEIGHT
}
