//! Charts as SVG: panels of curves that can be told apart in print and by the colour-blind, by colour, marker and dashes at once.
//!
//! # References
//! Masataka Okabe and Kei Ito, *Color Universal Design* (2008): the palette.

use std::collections::BTreeSet;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A chart: panels one below the other, with one legend.
#[derive(Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// The names of the curves' styles; those that no curve has are not shown.
    pub legend: Vec<String>,
    /// What one must know to read it.
    pub note: String,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// A panel.
#[derive(Debug)]
pub struct Panel {
    /// What is special about it; may be empty.
    pub title: String,
    /// The axis to the right.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// From where to where.
    pub range: (f64, f64),
    /// Where it has marks, and what they say.
    pub ticks: Vec<(f64, String)>,
}

/// A curve.
#[derive(Debug, Default)]
pub struct Curve {
    /// The place in the legend that its style belongs to.
    pub style: usize,
    /// The line.
    pub line: Vec<(f64, f64)>,
    /// Its markers, and whether they are filled.
    pub marks: Vec<((f64, f64), bool)>,
    /// Bars from least to most.
    pub bars: Vec<(f64, f64, f64)>,
}

/// The colours, but for the yellow, which is too light on paper.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Lengths of dashes and gaps; the first is a solid line.
const DASHES: [Option<(i32, i32)>; 4] = [None, Some((18, 9)), Some((7, 7)), Some((30, 7))];

/// The corners of markers, for a radius of 10.
const MARKERS: [&[(i32, i32)]; 6] = [
    &[
        (10, 0),
        (9, 4),
        (7, 7),
        (4, 9),
        (0, 10),
        (-4, 9),
        (-7, 7),
        (-9, 4),
        (-10, 0),
        (-9, -4),
        (-7, -7),
        (-4, -9),
        (0, -10),
        (4, -9),
        (7, -7),
        (9, -4),
    ],
    &[(-8, -8), (8, -8), (8, 8), (-8, 8)],
    &[(0, -11), (10, 8), (-10, 8)],
    &[(0, -12), (12, 0), (0, 12), (-12, 0)],
    &[(0, 11), (10, -8), (-10, -8)],
    &[
        (-3, -11),
        (3, -11),
        (3, -3),
        (11, -3),
        (11, 3),
        (3, 3),
        (3, 11),
        (-3, 11),
        (-3, 3),
        (-11, 3),
        (-11, -3),
        (-3, -3),
    ],
];

/// Everything is drawn so much larger, for places are whole numbers.
const SCALE: u32 = 2;
const WIDTH: u32 = 820 * SCALE;
const PANEL_HEIGHT: u32 = 330 * SCALE;
const HEAD_HEIGHT: u32 = 34 * SCALE;
const FONT: &str = "sans-serif";
const TEXT: u32 = 16 * SCALE;
const GREY: RGBColor = RGBColor(200, 200, 200);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

impl Axis {
    /// An axis of logarithms to base 10, with marks at powers of ten, and at multiples of them where there is room. It holds all
    /// the values, which are positive.
    #[must_use]
    pub fn logarithmic(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = bounds(values.map(f64::log10)).unwrap_or((0.0, 1.0));
        let room = ((high - low) * 0.05).max(0.05);
        (low, high) = (low - room, high + room);
        let steps: &[f64] = match high - low {
            decades if decades > 2.5 => &[1.0],
            decades if decades > 0.8 => &[1.0, 2.0, 5.0],
            _ => &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0],
        };
        let powers = low.floor() as i32..=high.ceil() as i32;
        let ticks = powers
            .flat_map(|power| {
                steps.iter().map(move |step| (f64::from(power) + step.log10(), step * 10_f64.powi(power)))
            })
            .filter(|(at, _)| (low..=high).contains(at))
            .map(|(at, value)| (at, plain(value)))
            .collect();
        Self { label: label.to_owned(), range: (low, high), ticks }
    }

    /// An axis that holds all the values, with some ten marks at whole numbers.
    #[must_use]
    pub fn whole(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = bounds(values).unwrap_or((0.0, 1.0));
        let room = ((high - low) * 0.05).max(0.5);
        let (low, high) = (low - room, high + room);
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
            .into_iter()
            .find(|&step| (high - low) / f64::from(step) <= 10.0)
            .unwrap_or(100_000);
        let first = (low / f64::from(step)).ceil() as i64;
        let last = (high / f64::from(step)).floor() as i64;
        let ticks =
            (first..=last).map(|i| i * i64::from(step)).map(|at| (at as f64, at.to_string())).collect();
        Self { label: label.to_owned(), range: (low, high), ticks }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        let (low, high) = self.range;
        from + ((value - low) / (high - low) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(at, _)| *at).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.range.0..self.range.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(at, _)| at == value);
        tick.map_or_else(String::new, |(_, text)| text.clone())
    }
}

fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |bounds, value| {
        let (low, high) = bounds.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// A power of ten or a small multiple, as one writes it.
fn plain(value: f64) -> String {
    format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Chart {
    /// The chart as SVG. Equal charts give equal bytes.
    ///
    /// # Panics
    /// When a range is empty or not finite.
    #[must_use]
    pub fn svg(&self) -> String {
        let legend_height = self.used().len() as u32 * 2 * TEXT;
        let height =
            HEAD_HEIGHT + (PANEL_HEIGHT * self.panels.len() as u32).max(legend_height + TEXT) + 2 * TEXT;
        let mut svg = String::new();
        self.draw(&mut svg, (WIDTH, height)).expect("a text takes everything, and ranges are finite");
        let drawn = format!("width=\"{WIDTH}\" height=\"{height}\"");
        let shown = format!("width=\"{}\" height=\"{}\"", WIDTH / SCALE, height / SCALE);
        svg.replacen(&drawn, &shown, 1)
    }

    fn draw(&self, svg: &mut String, size: (u32, u32)) -> Fallible<()> {
        let root = SVGBackend::with_string(svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let bold = (FONT, TEXT * 9 / 8).into_font().style(FontStyle::Bold).color(&BLACK);
        root.draw_text(&self.title, &bold, (8 * SCALE as i32, 8 * SCALE as i32))?;
        let small = (FONT, TEXT * 7 / 8).into_font().color(&BLACK);
        root.draw_text(&self.note, &small, (8 * SCALE as i32, (size.1 - TEXT - 4 * SCALE) as i32))?;
        let (_, below) = root.split_vertically(HEAD_HEIGHT);
        let longest = self.legend.iter().map(|name| name.chars().count() as u32).max().unwrap_or(0);
        let legend_width = 56 * SCALE + longest * TEXT * 7 / 16;
        let (left, right) = below.split_horizontally(size.0 - legend_width);
        let (left, _) = left.split_vertically(PANEL_HEIGHT * self.panels.len() as u32);
        for (area, panel) in left.split_evenly((self.panels.len().max(1), 1)).iter().zip(&self.panels) {
            panel.draw(&root, area)?;
        }
        self.draw_legend(&right)?;
        root.present()?;
        Ok(())
    }

    /// The places in the legend that curves have.
    fn used(&self) -> BTreeSet<usize> {
        self.panels.iter().flat_map(|panel| &panel.curves).map(|curve| curve.style).collect()
    }

    fn draw_legend(&self, area: &Area<'_>) -> Fallible<()> {
        let text = (FONT, TEXT).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        for (place, style) in self.used().into_iter().enumerate() {
            let name = &self.legend[style];
            let y = (TEXT + place as u32 * 2 * TEXT) as i32;
            let (from, to) = (4 * SCALE as i32, 44 * SCALE as i32);
            draw_line(area, style, vec![(from, y), (to, y)])?;
            draw_mark(area, style, ((from + to) / 2, y), true)?;
            area.draw_text(name, &text, (to + 6 * SCALE as i32, y))?;
        }
        Ok(())
    }
}

fn colour(style: usize) -> RGBColor {
    COLOURS[style % COLOURS.len()]
}

fn stroke(style: usize) -> ShapeStyle {
    colour(style).stroke_width(3)
}

/// A line in pixels.
fn draw_line(area: &Area<'_>, style: usize, line: Vec<(i32, i32)>) -> Fallible<()> {
    match DASHES[style % DASHES.len()] {
        None => area.draw(&PathElement::new(line, stroke(style)))?,
        Some((dash, gap)) => {
            for element in DashedLineSeries::new(line, dash, gap, stroke(style)) {
                area.draw(&element)?;
            }
        }
    }
    Ok(())
}

/// A marker in pixels. Colours, markers and dashes go round at different speeds, so that no two of 84 styles are alike.
fn draw_mark(area: &Area<'_>, style: usize, (x, y): (i32, i32), filled: bool) -> Fallible<()> {
    let corners = MARKERS[style % MARKERS.len()].iter().map(|(dx, dy)| (x + dx, y + dy));
    let mut outline: Vec<_> = corners.collect();
    let inside = if filled { colour(style) } else { WHITE };
    area.draw(&Polygon::new(outline.clone(), inside.filled()))?;
    outline.push(outline[0]);
    area.draw(&PathElement::new(outline, stroke(style)))?;
    Ok(())
}

impl Panel {
    /// Draws the panel into an area of the whole.
    fn draw(&self, root: &Area<'_>, area: &Area<'_>) -> Fallible<()> {
        let mut builder = ChartBuilder::on(area);
        builder.margin(TEXT / 2).x_label_area_size(TEXT * 11 / 4).y_label_area_size(TEXT * 4);
        if !self.title.is_empty() {
            builder.caption(&self.title, (FONT, TEXT));
        }
        let mut chart = builder.build_cartesian_2d(self.x.clone(), self.y.clone())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GREY.stroke_width(1))
            .axis_style(BLACK.stroke_width(2))
            .label_style((FONT, TEXT))
            .axis_desc_style((FONT, TEXT))
            .x_labels(self.x.ticks.len())
            .y_labels(self.y.ticks.len())
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .draw()?;
        let pixel = |&(x, y): &(f64, f64)| chart.backend_coord(&(x, y));
        for Curve { style, line, marks, bars } in &self.curves {
            for &(x, low, high) in bars {
                let ends = vec![pixel(&(x, low)), pixel(&(x, high))];
                root.draw(&PathElement::new(ends, colour(*style).stroke_width(2)))?;
            }
            if line.len() > 1 {
                draw_line(root, *style, line.iter().map(pixel).collect())?;
            }
            for (at, filled) in marks {
                draw_mark(root, *style, pixel(at), *filled)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axes_have_marks_that_people_write() {
        let ticks = |values: &[f64]| -> Vec<String> {
            let axis = Axis::logarithmic("", values.iter().copied());
            axis.ticks.into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(ticks(&[0.01, 900.0]), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(ticks(&[1.0, 9.0]), ["1", "2", "5", "10"]);
        assert_eq!(ticks(&[1.0, 2.7]), ["1", "1.2", "1.5", "2", "2.5", "3"]);
        assert_eq!(ticks(&[3.0]), ["3"]);
        assert_eq!(ticks(&[]), ["1", "2", "5", "10"]);
    }

    #[test]
    fn a_chart_is_text_and_always_the_same() {
        let axis = |label| Axis::whole(label, [0.0, 7.0].into_iter());
        let curve = |style| Curve {
            style,
            line: vec![(0.0, 1.0), (3.0, style as f64)],
            marks: vec![((0.0, 1.0), style == 0)],
            bars: vec![(1.0, 1.0, 2.0)],
        };
        let chart = || Chart {
            title: "A & B".to_owned(),
            legend: vec!["first <way>".to_owned(), "second".to_owned()],
            note: "a note".to_owned(),
            panels: vec![Panel {
                title: "a panel".to_owned(),
                x: axis("seconds"),
                y: axis("queens"),
                curves: vec![curve(0), curve(1)],
            }],
        };
        let svg = chart().svg();
        assert_eq!(svg, chart().svg());
        for text in ["A &amp; B", "first &lt;way&gt;", "seconds", "queens", "a panel", "a note", "#D55E00"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.starts_with("<svg width=\"820\""), "{}", &svg[..60]);
    }
}
