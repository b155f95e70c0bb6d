//! Charts: panels of curves that differ in colour, marker and dashes.

use std::collections::{BTreeSet, HashSet};

use svg::node::element::{Group, Path, Polyline};

use super::axis::{Axis, Interval};
use super::document::{document, points};
use super::{font, palette};
use crate::plane::{Point, tidy};

/// A chart: panels one below the other, with a common legend.
#[derive(Debug)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Names of the styles of curves. Styles without a curve are not shown.
    pub legend: Vec<String>,
    /// Note that explains how to read the chart.
    pub note: String,
    /// The panels.
    pub panels: Vec<Panel>,
}

/// A panel of a chart.
#[derive(Debug)]
pub struct Panel {
    /// Title; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves in the panel.
    pub curves: Vec<Curve>,
}

/// A curve in a panel.
#[derive(Debug, Default)]
pub struct Curve {
    /// Index of its style in the legend.
    pub style: usize,
    /// Points of the line.
    pub line: Vec<Point>,
    /// Markers, with `true` if filled.
    pub marks: Vec<(Point, bool)>,
    /// Error bars: x, lower end and upper end.
    pub bars: Vec<(f64, f64, f64)>,
}

const WIDTH: f64 = 820.0;
const PANEL_HEIGHT: f64 = 330.0;
/// Margin at the edges, and distance between a text and the object that it describes.
const EDGE: f64 = 10.0;
/// Font sizes.
const TITLE: f64 = 17.0;
const TEXT: f64 = 14.0;
const NOTE: f64 = 12.0;
/// Line height, relative to the font size.
const LEADING: f64 = 1.5;
/// Length of the line drawn for a curve in the legend.
const KEY: f64 = 44.0;
/// Largest share of the width for the names in the legend.
const LEGEND: f64 = 0.4;

/// A point of a curve, with its position in the SVG and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// Position in pixels.
    pub at: Point,
    /// Index of the curve's style in the legend.
    pub style: usize,
    /// Value on the horizontal axis.
    pub x: String,
    /// Value on the vertical axis, with the range of the error bar if there is one.
    pub y: String,
}

/// Positions of the parts of a chart.
struct Layout {
    /// Styles that curves use.
    used: BTreeSet<usize>,
    /// Font size of the legend.
    legend: f64,
    /// Width of the panels.
    width: f64,
    /// Top of the first panel.
    head: f64,
}

/// Position of the axes of a panel.
struct Frame {
    across: Interval,
    up: Interval,
    /// Draw names at an angle, because they do not fit side by side.
    aslant: bool,
}

impl Chart {
    fn layout(&self) -> Layout {
        let used: BTreeSet<usize> =
            self.panels.iter().flat_map(|panel| &panel.curves).map(|curve| curve.style).collect();
        let widest = font::widest(used.iter().map(|&style| self.legend[style].as_str()));
        let legend = TEXT.min(LEGEND * WIDTH / widest);
        let width = WIDTH - KEY - widest * legend - 3.0 * EDGE;
        Layout { used, legend, width, head: EDGE + TITLE * LEADING }
    }

    /// Returns the panels, each with its top.
    fn panels_with_tops(&self, head: f64) -> impl Iterator<Item = (&Panel, f64)> {
        self.panels.iter().zip((0..).map(move |i| head + f64::from(i) * PANEL_HEIGHT))
    }

    /// Returns the points of all curves, panel by panel, each panel with the labels of its axes.
    ///
    /// # Panics
    /// Panics in the cases of [`Self::svg`].
    #[must_use]
    pub fn spots(&self) -> Vec<([String; 2], Vec<Spot>)> {
        let Layout { width, head, .. } = self.layout();
        let panels = self.panels_with_tops(head).map(|(panel, top)| {
            let names = [&panel.x, &panel.y].map(|axis| axis.label.clone());
            (names, panel.spots(&panel.frame(top, width)))
        });
        panels.collect()
    }

    /// Returns the chart as SVG. The output is deterministic.
    ///
    /// # Panics
    /// Panics if a curve has a style that the legend does not name.
    #[must_use]
    pub fn svg(&self) -> String {
        let Layout { used, legend: size, width, head } = self.layout();
        let foot = head + (PANEL_HEIGHT * self.panels.len() as f64).max(TEXT * LEADING * used.len() as f64);
        let notes = font::lines(&self.note, NOTE, WIDTH - 2.0 * EDGE);
        let height = foot + notes.len() as f64 * NOTE * LEADING + EDGE;
        let mut document = document(&self.title, [0.0; 2], [WIDTH, height], 1.0);
        let title_size = TITLE.min((WIDTH - 2.0 * EDGE) / font::width(&self.title));
        let title = font::text(&self.title, [EDGE, EDGE + TITLE / 2.0], title_size);
        document = document.add(title.set("text-anchor", "start"));
        for (panel, top) in self.panels_with_tops(head) {
            document = document.add(panel.draw(top, width));
        }
        for (style, i) in used.into_iter().zip(0..) {
            let (x, y) = (width + EDGE, head + TEXT * LEADING * (f64::from(i) + 0.5));
            let name = font::text(&self.legend[style], [x + KEY + EDGE, y], size).set("text-anchor", "start");
            let key = Curve {
                style,
                line: vec![[x, y], [x + KEY, y]],
                marks: vec![([x + KEY / 2.0, y], true)],
                bars: Vec::new(),
            };
            document = document.add(key.draw(|point| point, 0)).add(name);
        }
        for (line, i) in notes.iter().zip(0..) {
            let y = foot + NOTE * LEADING * (f64::from(i) + 0.5);
            document = document.add(font::text(line, [EDGE, y], NOTE).set("text-anchor", "start"));
        }
        document.to_string()
    }
}

impl Panel {
    fn frame(&self, top: f64, width: f64) -> Frame {
        let widest = |axis: &Axis| TEXT * font::widest(axis.ticks.iter().map(|(_, text)| text.as_str()));
        let across =
            Interval { from: 2.0 * EDGE + TEXT + widest(&self.y) + EDGE / 2.0, to: width - 2.0 * EDGE };
        let apart = |ticks: &[(f64, String)]| {
            (self.x.place(ticks[1].0, across) - self.x.place(ticks[0].0, across))
                > widest(&self.x) + EDGE / 2.0
        };
        let aslant = !self.x.ticks.windows(2).all(apart);
        let names = if aslant { (0.7 * (widest(&self.x) + TEXT)).min(PANEL_HEIGHT / 3.0) } else { TEXT };
        let bottom = top + PANEL_HEIGHT - 2.0 * EDGE - TEXT - names;
        let title = if self.title.is_empty() { 0.0 } else { TEXT * LEADING };
        let up = Interval { from: bottom, to: top + EDGE + title };
        Frame { across, up, aslant }
    }

    fn place(&self, frame: &Frame, [x, y]: Point) -> Point {
        [self.x.place(x, frame.across), self.y.place(y, frame.up)]
    }

    /// Returns the points of the curves, without duplicates within a curve.
    fn spots(&self, frame: &Frame) -> Vec<Spot> {
        let mut spots: Vec<Spot> = Vec::new();
        for curve in &self.curves {
            let marks = curve.marks.iter().map(|(point, _)| point);
            let mut seen = HashSet::new();
            for &[x, y] in curve.line.iter().chain(marks) {
                let at = self.place(frame, [x, y]).map(f64::round);
                if !seen.insert(at.map(f64::to_bits)) {
                    continue;
                }
                let bar = curve.bars.iter().find(|bar| bar.0 == x);
                let range = bar.map_or_else(String::new, |(_, low, high)| {
                    format!(" ({} to {})", self.y.format_value(*low), self.y.format_value(*high))
                });
                let y = self.y.format_value(y) + &range;
                spots.push(Spot { at, style: curve.style, x: self.x.format_value(x), y });
            }
        }
        spots
    }

    fn draw(&self, top: f64, width: f64) -> Group {
        let frame = self.frame(top, width);
        let Frame { across, up, aslant } = frame;
        let at = |point: Point| self.place(&frame, point);
        let centre = [across.middle(), up.middle()];

        let mut grid = Group::new().set("stroke", palette::LIGHT);
        let mut labels = Group::new().set("font-size", TEXT);
        for (value, text) in &self.x.ticks {
            let x = self.x.place(*value, across);
            grid = grid.add(line(&[[x, up.from], [x, up.to]]));
            let place = [x, up.from + EDGE / 2.0 + TEXT / 2.0];
            let label = font::text(text, place, TEXT);
            labels = labels.add(if aslant {
                let turn = format!("rotate(-40 {} {})", tidy(place[0]), tidy(place[1]));
                label.set("text-anchor", "end").set("transform", turn)
            } else {
                label
            });
        }
        for (value, text) in &self.y.ticks {
            let y = self.y.place(*value, up);
            grid = grid.add(line(&[[across.from, y], [across.to, y]]));
            labels =
                labels.add(font::text(text, [across.from - EDGE / 2.0, y], TEXT).set("text-anchor", "end"));
        }
        let axes = [[across.from, up.to], [across.from, up.from], [across.to, up.from]];
        let label_position = [EDGE + TEXT / 2.0, centre[1]];
        let upright = format!("rotate(-90 {} {})", label_position[0], tidy(label_position[1]));
        labels = labels
            .add(font::text(&self.x.label, [centre[0], top + PANEL_HEIGHT - EDGE - TEXT / 2.0], TEXT))
            .add(font::text(&self.y.label, label_position, TEXT).set("transform", upright));
        if !self.title.is_empty() {
            let size = TEXT.min((width - 2.0 * EDGE) / font::width(&self.title));
            labels = labels.add(font::text(&self.title, [centre[0], top + EDGE / 2.0 + TEXT / 2.0], size));
        }
        let drawn = Group::new().add(grid).add(line(&axes).set("stroke", palette::BLACK)).add(labels);
        let points: Vec<_> = self.curves.iter().map(Curve::points).collect();
        self.curves.iter().enumerate().fold(drawn, |drawn, (i, curve)| {
            // A line below others is wider, so that it stays visible.
            let above = points[i + 1..].iter().filter(|others| !others.is_disjoint(&points[i])).count();
            drawn.add(curve.draw(at, above))
        })
    }
}

impl Curve {
    /// Returns the points of the curve as bit patterns.
    fn points(&self) -> HashSet<[u64; 2]> {
        let marks = self.marks.iter().map(|(point, _)| point);
        // Adding 0 turns -0 into 0.
        self.line.iter().chain(marks).map(|point| point.map(|x| (x + 0.0).to_bits())).collect()
    }

    /// Draws the curve, with its points mapped by `at`. The line is wider if `below` curves are drawn above
    /// it.
    fn draw(&self, at: impl Fn(Point) -> Point, below: usize) -> Group {
        let palette::Style { colour, dashes, marker } = palette::style(self.style);
        let mut drawn = Group::new().set("stroke", colour).set("stroke-width", 1.5);
        for &(x, low, high) in &self.bars {
            drawn = drawn.add(line(&[at([x, low]), at([x, high])]));
        }
        if self.line.len() > 1 {
            let corners: Vec<Point> = self.line.iter().copied().map(&at).collect();
            let width = 1.5 + 0.8 * below.min(4) as f64;
            drawn = drawn.add(line(&corners).set("stroke-dasharray", dashes).set("stroke-width", width));
        }
        for &(point, filled) in &self.marks {
            let [x, y] = at(point).map(tidy);
            let mark = Path::new().set("d", marker).set("transform", format!("translate({x} {y})"));
            drawn = drawn.add(mark.set("fill", if filled { colour } else { "white" }));
        }
        drawn
    }
}

fn line(corners: &[Point]) -> Polyline {
    Polyline::new().set("points", points(corners)).set("fill", "none")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_text_and_always_the_same() {
        let axis = |label| Axis::whole(label, [0.0, 7.0].into_iter());
        let curve = |style| Curve {
            style,
            line: vec![[0.0, 1.0], [3.0, style as f64]],
            marks: vec![([0.0, 1.0], style == 0)],
            bars: vec![(1.0, 1.0, 2.0)],
        };
        let chart = || Chart {
            title: "A & B".to_owned(),
            legend: vec!["first <way>".to_owned(), "second".to_owned(), "none".to_owned()],
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
        assert!(!svg.contains(">none<"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.contains("width=\"820\""), "{}", &svg[..90]);
    }

    #[test]
    fn the_points_of_a_curve_say_what_they_stand_for() {
        let names = ["3^3", "4^3"].map(str::to_owned);
        let curve = Curve {
            style: 1,
            line: vec![[0.0, -1.0], [1.0, 0.0]],
            marks: vec![([0.0, -1.0], true)],
            bars: vec![(0.0, -2.0, 0.0)],
        };
        let panel = Panel {
            title: String::new(),
            x: Axis::names("board", names.into_iter()),
            y: Axis::logarithmic("seconds", [0.01, 1.0].into_iter()),
            curves: vec![curve],
        };
        let chart = Chart {
            title: String::new(),
            legend: vec!["a".to_owned(), "b".to_owned()],
            note: String::new(),
            panels: vec![panel],
        };
        let [(labels, spots)] = &chart.spots()[..] else { panic!("one panel") };
        assert_eq!(labels, &["board", "seconds"].map(str::to_owned));
        let said: Vec<_> = spots.iter().map(|spot| (spot.style, &*spot.x, &*spot.y)).collect();
        assert_eq!(said, [(1, "3^3", "0.1 (0.01 to 1)"), (1, "4^3", "1")]);
        assert!(spots[0].at[0] < spots[1].at[0] && spots[0].at[1] > spots[1].at[1], "{spots:?}");
    }

    #[test]
    fn names_without_room_beside_each_other_stand_aslant() {
        let panel = |names: usize| Panel {
            title: String::new(),
            x: Axis::names("board", (0..names).map(|i| format!("file:board-{i}.txt"))),
            y: Axis::shares("solved"),
            curves: Vec::new(),
        };
        let aslant = |names| panel(names).draw(0.0, 500.0).to_string().contains("rotate(-40");
        assert_eq!((aslant(2), aslant(12)), (false, true));
    }
}
