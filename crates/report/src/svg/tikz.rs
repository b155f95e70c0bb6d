//! Drawings as TikZ pictures, for use in `LaTeX` documents.
//!
//! # References
//! Till Tantau, *The TikZ and PGF Packages*, manual of version 3.1.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use resvg::tiny_skia::PathSegment;
use resvg::usvg::{Group, Node, Paint, Path, Text, TextAnchor, Transform, Tree};

/// Big points of `TeX` (72 per inch) per unit of an SVG (96 per inch).
const BIG_POINTS: f64 = 0.75;

/// Returns the picture. It requires only `\usepackage{tikz}`.
pub(super) fn picture(tree: &Tree) -> String {
    let (mut colours, mut body) = (BTreeSet::new(), String::new());
    group(tree.root(), Transform::identity(), &mut colours, &mut body);
    let mut picture = format!(
        "\\begin{{tikzpicture}}[x={BIG_POINTS}bp, y=-{BIG_POINTS}bp, inner sep=0pt, outer sep=0pt, line join=round]\n"
    );
    for colour in colours {
        picture += &format!("\\definecolor{{ndq{colour}}}{{HTML}}{{{colour}}}\n");
    }
    picture + &body + "\\end{tikzpicture}\n"
}

fn group(group: &Group, outside: Transform, colours: &mut BTreeSet<String>, out: &mut String) {
    let transform = outside.pre_concat(group.transform());
    for child in group.children() {
        match child {
            Node::Group(inner) => self::group(inner, transform, colours, out),
            Node::Path(drawn) => path(drawn, transform, colours, out),
            Node::Text(words) => text(words, transform, colours, out),
            Node::Image(_) => {}
        }
    }
}

/// Returns the name of a plain colour, and adds it to `colours`. Returns `None` for other paints.
fn colour(paint: &Paint, colours: &mut BTreeSet<String>) -> Option<String> {
    let Paint::Color(colour) = paint else { return None };
    let digits = format!("{:02X}{:02X}{:02X}", colour.red, colour.green, colour.blue);
    colours.insert(digits.clone());
    Some(format!("ndq{digits}"))
}

/// Rounds a length or coordinate to two decimals, which keeps files short.
fn tidy(x: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (x * 100.0).round() / 100.0 + 0.0
}

/// Returns the factor by which a transform enlarges lengths.
fn scale(transform: Transform) -> f64 {
    let (x, y) = transform.get_scale();
    f64::from(x * y).abs().sqrt()
}

fn path(path: &Path, transform: Transform, colours: &mut BTreeSet<String>, out: &mut String) {
    let mut options = Vec::new();
    if let Some(fill) = path.fill() {
        options.extend(colour(fill.paint(), colours).map(|colour| format!("fill={colour}")));
        options
            .extend((fill.opacity().get() < 1.0).then(|| format!("fill opacity={}", fill.opacity().get())));
    }
    if let Some(stroke) = path.stroke() {
        let length = |x: f32| tidy(BIG_POINTS * scale(transform) * f64::from(x));
        options.extend(colour(stroke.paint(), colours).map(|colour| format!("draw={colour}")));
        options.push(format!("line width={}bp", length(stroke.width().get())));
        options.extend(stroke.dasharray().map(|dashes| {
            let part = |(i, &dash): (usize, &f32)| {
                format!("{} {}bp", if i % 2 == 0 { "on" } else { "off" }, length(dash))
            };
            format!("dash pattern={}", dashes.iter().enumerate().map(part).collect::<Vec<_>>().join(" "))
        }));
    }
    let Some(data) = path.data().clone().transform(transform) else { return };
    let mut way = String::new();
    let at = |point: resvg::tiny_skia::Point| {
        format!("({},{})", tidy(f64::from(point.x)), tidy(f64::from(point.y)))
    };
    let mut last = resvg::tiny_skia::Point::zero();
    for segment in data.segments() {
        let step = match segment {
            PathSegment::MoveTo(to) => at(to),
            PathSegment::LineTo(to) => format!("-- {}", at(to)),
            PathSegment::QuadTo(by, to) => {
                // The equivalent cubic curve.
                let near = |end: resvg::tiny_skia::Point| resvg::tiny_skia::Point {
                    x: end.x + (by.x - end.x) * 2.0 / 3.0,
                    y: end.y + (by.y - end.y) * 2.0 / 3.0,
                };
                format!(".. controls {} and {} .. {}", at(near(last)), at(near(to)), at(to))
            }
            PathSegment::CubicTo(from, by, to) => {
                format!(".. controls {} and {} .. {}", at(from), at(by), at(to))
            }
            PathSegment::Close => "-- cycle".to_owned(),
        };
        if let PathSegment::MoveTo(to)
        | PathSegment::LineTo(to)
        | PathSegment::QuadTo(_, to)
        | PathSegment::CubicTo(_, _, to) = segment
        {
            last = to;
        }
        way += if way.is_empty() { "" } else { " " };
        way += &step;
    }
    if !options.is_empty() && !way.is_empty() {
        let _ = writeln!(out, "\\path[{}] {way};", options.join(", "));
    }
}

fn text(text: &Text, transform: Transform, colours: &mut BTreeSet<String>, out: &mut String) {
    for chunk in text.chunks() {
        let Some(span) = chunk.spans().first() else { continue };
        let mut place = resvg::tiny_skia::Point { x: chunk.x().unwrap_or(0.0), y: chunk.y().unwrap_or(0.0) };
        transform.map_point(&mut place);
        let anchor = match chunk.anchor() {
            TextAnchor::Start => "base west",
            TextAnchor::Middle => "base",
            TextAnchor::End => "base east",
        };
        let size = tidy(BIG_POINTS * scale(transform) * f64::from(span.font_size().get()));
        let mut options =
            vec![format!("anchor={anchor}"), format!("font=\\fontsize{{{size}bp}}{{{size}bp}}\\selectfont")];
        let turned = f64::from(-transform.ky).atan2(f64::from(transform.sx)).to_degrees();
        options.extend((turned.abs() > 0.01).then(|| format!("rotate={}", tidy(turned))));
        let fill = span.fill().and_then(|fill| colour(fill.paint(), colours));
        options.extend(fill.map(|colour| format!("text={colour}")));
        let (x, y) = (tidy(f64::from(place.x)), tidy(f64::from(place.y)));
        let _ =
            writeln!(out, "\\node[{}] at ({x},{y}) {{{}}};", options.join(", "), escape(chunk.text().trim()));
    }
}

/// Escapes the special characters of `TeX` in a text.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for sign in text.chars() {
        match sign {
            '\\' => escaped += "\\textbackslash{}",
            '^' => escaped += "\\textasciicircum{}",
            '~' => escaped += "\\textasciitilde{}",
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => escaped.extend(['\\', sign]),
            sign if sign.is_control() => escaped.push(' '),
            sign => escaped.push(sign),
        }
    }
    escaped
}
