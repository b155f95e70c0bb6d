//! Positions of the squares of a board in the plane, in units of about the width of a square.

use std::f64::consts::TAU;

use ndqueens_model::board::{Board, Form, Layout};

use super::{font, graph};
use crate::plane::{Point, middle};

/// A square of the board in the drawing.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) corners: Vec<Point>,
    pub(super) colour: u8,
    /// Position of a mark.
    pub(super) middle: Point,
    /// Radius of the space for a mark.
    pub(super) radius: f64,
    /// Draw the outline even if nothing is shown on the square.
    pub(super) outlined: bool,
    /// Number that the square stands for on a Sudoku, and the middle of its cell.
    pub(super) number: Option<(u32, Point)>,
}

/// A line of text.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) middle: Point,
    /// Font size.
    pub(super) size: f64,
}

/// A line of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) from: Point,
    pub(super) to: Point,
    pub(super) thick: bool,
}

/// The parts of a drawing that do not depend on the content shown.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// The squares, by index.
    pub(super) cells: Vec<Cell>,
    /// Upper left corners of holes, which are one unit wide.
    pub(super) holes: Vec<Point>,
    pub(super) edges: Vec<[Point; 2]>,
    pub(super) rules: Vec<Rule>,
    /// Arrowheads on the borders of a torus.
    pub(super) arrows: Vec<[Point; 3]>,
    pub(super) titles: Vec<Words>,
    /// Width and height.
    pub(super) size: Point,
}

/// Returns the distance of a point from the nearest of the lines through consecutive corners.
fn clearance(point: Point, corners: &[Point]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let distances = corners.iter().zip(next).map(|(from, to)| {
        let along = [to[0] - from[0], to[1] - from[1]];
        let aside = [point[0] - from[0], point[1] - from[1]];
        (along[0] * aside[1] - along[1] * aside[0]).abs() / along[0].hypot(along[1])
    });
    distances.fold(f64::INFINITY, f64::min)
}

fn square(left: f64, top: f64, side: f64) -> Vec<Point> {
    vec![[left, top], [left + side, top], [left + side, top + side], [left, top + side]]
}

impl Plan {
    pub(super) fn of_layout(layout: &Layout, is_torus: bool) -> Self {
        match &layout.form {
            Form::Squares => Self::of_box(layout, is_torus),
            Form::Numbers { order } => Self::of_numbers(layout, *order),
            Form::Polygons(polygons) => {
                let cells = polygons.iter().map(|polygon| {
                    let middle = middle(&polygon.corners);
                    Cell {
                        middle,
                        radius: clearance(middle, &polygon.corners),
                        corners: polygon.corners.clone(),
                        colour: polygon.colour,
                        outlined: true,
                        number: None,
                    }
                });
                Self { cells: cells.collect(), ..Self::default() }.measured_from_the_corner()
            }
        }
    }

    /// Moves everything such that the least coordinates are 0, and sets the size.
    fn measured_from_the_corner(mut self) -> Self {
        let corners = || self.cells.iter().flat_map(|cell| &cell.corners);
        let least = [0, 1].map(|i| corners().map(|point| point[i]).fold(f64::INFINITY, f64::min));
        let most = [0, 1].map(|i| corners().map(|point| point[i]).fold(f64::NEG_INFINITY, f64::max));
        self.size = [0, 1].map(|i| most[i] - least[i]);
        let moved = |point: &mut Point| *point = [point[0] - least[0], point[1] - least[1]];
        for cell in &mut self.cells {
            cell.corners.iter_mut().for_each(moved);
            moved(&mut cell.middle);
        }
        self.edges.iter_mut().flatten().for_each(moved);
        self.titles.iter_mut().for_each(|title| moved(&mut title.middle));
        self
    }

    /// Draws the last two axes as a chessboard, the axis before them as chessboards side by side, the one
    /// before as rows of these, and so on. A first axis without a partner is wrapped if it is long.
    fn of_box(layout: &Layout, is_torus: bool) -> Self {
        let mut sides: Vec<usize> = layout.sides.iter().map(|&side| side as usize).collect();
        if let Some(last) = sides.last_mut() {
            *last = last.div_ceil(2);
        }
        if sides.len() == 1 {
            sides.insert(0, 1);
        }
        let frame = Frame::of(&sides);
        let in_frame = |place: &Vec<u32>| {
            let mut place: Vec<usize> = place.iter().map(|&x| x as usize).collect();
            if let Some(last) = place.last_mut() {
                *last /= 2;
            }
            if place.len() == 1 {
                place.insert(0, 0);
            }
            place
        };
        let cells = layout.places.iter().map(|place| {
            let place = in_frame(place);
            let [x, y] = frame.corner(&place);
            Cell {
                corners: square(x, y, 1.0),
                colour: (place.iter().sum::<usize>() % 2) as u8,
                middle: [x + 0.5, y + 0.5],
                radius: 0.5,
                outlined: true,
                number: None,
            }
        });
        let holes = layout.holes().take(MOST_HOLES).map(|place| frame.corner(&in_frame(&place)));
        let mut plan = Self {
            cells: cells.collect(),
            holes: holes.collect(),
            titles: frame.titles(),
            size: frame.size,
            ..Self::default()
        };
        if is_torus {
            let [across, down] = [sides[sides.len() - 1], sides[sides.len() - 2]].map(|side| side as f64);
            for place in frame.layers() {
                join(&mut plan, frame.corner(&place), [across, down], layout.sides.len() > 1);
            }
        }
        plan
    }

    fn of_numbers(layout: &Layout, order: u32) -> Self {
        let (b, n) = (f64::from(order), f64::from(order * order));
        let cells = layout.places.iter().map(|place| {
            let (row, column, number) = (f64::from(place[0]), f64::from(place[1]), place[2] / 2);
            let (left, top) = (f64::from(number % order) / b, f64::from(number / order) / b);
            let corners = square(column + left, row + top, 1.0 / b);
            Cell {
                middle: middle(&corners),
                radius: 0.45 / b,
                corners,
                colour: 0,
                outlined: false,
                number: Some((number + 1, [column + 0.5, row + 0.5])),
            }
        });
        let mut rules = Vec::new();
        for thick in [false, true] {
            for i in (0..=order * order).filter(|i| (i % order == 0) == thick) {
                let at = f64::from(i);
                rules.push(Rule { from: [at, 0.0], to: [at, n], thick });
                rules.push(Rule { from: [0.0, at], to: [n, at], thick });
            }
        }
        Self { cells: cells.collect(), rules, size: [n, n], ..Self::default() }
    }

    /// Draws vertices at the positions of [`graph::places`], with their numbers on the side away from the
    /// middle.
    pub(super) fn of_graph(board: &Board) -> Self {
        const VERTEX: f64 = 0.36;
        const CORNERS: u32 = 24;
        let places =
            graph::places(&board.squares().map(|vertex| board.neighbours(vertex)).collect::<Vec<_>>());
        let (mut cells, mut titles) = (Vec::new(), Vec::new());
        for (vertex, &middle) in board.squares().zip(&places) {
            let corner = |i: u32| {
                let angle = TAU * f64::from(i) / f64::from(CORNERS);
                [middle[0] + VERTEX * angle.sin(), middle[1] - VERTEX * angle.cos()]
            };
            cells.push(Cell {
                corners: (0..CORNERS).map(corner).collect(),
                colour: 0,
                middle,
                radius: VERTEX,
                outlined: true,
                number: None,
            });
            let far = middle[0].hypot(middle[1]);
            let away = if far > 1e-6 { [middle[0] / far, middle[1] / far] } else { [0.0, -1.0] };
            let middle = [middle[0] + 0.7 * away[0], middle[1] + 0.7 * away[1]];
            titles.push(Words { text: vertex.to_string(), middle, size: 0.4 });
        }
        let edges = board.lines().map(|line| [0, 1].map(|i| places[line[i] as usize]));
        let edges = edges.collect();
        let mut plan = Self { cells, edges, titles, ..Self::default() }.measured_from_the_corner();
        // Space for the numbers outside.
        const ROOM: f64 = 0.7;
        let shift = |point: &mut Point| *point = [point[0] + ROOM, point[1] + ROOM];
        for cell in &mut plan.cells {
            cell.corners.iter_mut().for_each(shift);
            shift(&mut cell.middle);
        }
        plan.edges.iter_mut().flatten().for_each(shift);
        plan.titles.iter_mut().for_each(|title| shift(&mut title.middle));
        plan.size = plan.size.map(|length| length + 2.0 * ROOM);
        plan
    }
}

/// Draws the borders of a torus: the left and the right side with one arrowhead each, and if `both`, the
/// upper and the lower side with two each.
fn join(plan: &mut Plan, [left, top]: Point, [across, down]: Point, both: bool) {
    const HEAD: f64 = 0.16;
    let size = HEAD.min(0.12 * across.min(down) + 0.08);
    for x in [left, left + across] {
        plan.rules.push(Rule { from: [x, top], to: [x, top + down], thick: true });
        let y = top + down / 2.0;
        plan.arrows.push([[x - size, y + size], [x + size, y + size], [x, y - size]]);
    }
    for y in [top, top + down].into_iter().filter(|_| both) {
        plan.rules.push(Rule { from: [left, y], to: [left + across, y], thick: true });
        for x in [-size, size].map(|aside| left + across / 2.0 + aside) {
            plan.arrows.push([[x - size, y - size], [x - size, y + size], [x + size, y]]);
        }
    }
}

/// Layout of a box of any dimension.
#[derive(Debug)]
struct Frame {
    sides: Vec<usize>,
    /// Distance of neighbours along each axis. The last axis runs across, the one before down, and so on in
    /// turn.
    steps: Vec<f64>,
    /// Number of layers of the first axis side by side, if it has no partner.
    abreast: Option<usize>,
    /// Distance of rows of these layers.
    row: f64,
    size: Point,
    /// Font size of titles; 0 for no titles.
    title: f64,
}

/// Largest number of holes that are hatched.
const MOST_HOLES: usize = 100_000;

/// Length of the longest row that is not wrapped.
const LONGEST_ROW: f64 = 40.0;

/// Smallest font size of titles.
const LEAST_TITLE: f64 = 0.3;

impl Frame {
    fn of(sides: &[usize]) -> Self {
        let d = sides.len();
        let mut size = [sides[d - 1] as f64, sides[d - 2] as f64];
        let mut steps = vec![1.0; d];
        let mut frame =
            Self { sides: sides.to_vec(), steps: Vec::new(), abreast: None, row: 0.0, size, title: 0.0 };
        if d > 2 {
            let widest = frame.title_of(&sides.iter().map(|side| side - 1).collect::<Vec<_>>());
            let size_of_title = ((size[0] + 0.5) / font::width(&widest)).min(0.55);
            frame.title = if size_of_title < LEAST_TITLE { 0.0 } else { size_of_title };
            size[1] += if frame.title > 0.0 { 0.7 } else { 0.0 };
        }
        for level in 1..=(d - 1) / 2 {
            let gap = 0.4 + 0.5 * level as f64;
            let across = d - 1 - 2 * level;
            if let Some(down) = across.checked_sub(1) {
                steps[across] = size[0] + gap;
                steps[down] = size[1] + gap;
                size = [steps[across] * sides[across] as f64 - gap, steps[down] * sides[down] as f64 - gap];
                continue;
            }
            let count = sides[across];
            let (step, row) = (size[0] + gap, size[1] + gap);
            let long = step * count as f64 - gap > LONGEST_ROW;
            let abreast = if long {
                // Prefer the proportions of a page, and rows of equal length.
                let shape = |abreast: &usize| {
                    let rows = count.div_ceil(*abreast);
                    let missing = (rows * abreast - count) as f64 / count as f64;
                    (*abreast as f64 * step / (rows as f64 * row) / 1.6).ln().abs() + 12.0 * missing
                };
                (1..=count).min_by(|a, b| shape(a).total_cmp(&shape(b))).expect("a layer")
            } else {
                count
            };
            steps[across] = step;
            frame.abreast = Some(abreast);
            frame.row = row;
            size = [step * abreast.min(count) as f64 - gap, row * count.div_ceil(abreast) as f64 - gap];
        }
        Self { steps, size, ..frame }
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, place: &[usize]) -> Point {
        let mut corner = [0.0, if self.title > 0.0 { 0.7 } else { 0.0 }];
        for (from_last, (&x, step)) in place.iter().zip(&self.steps).rev().enumerate() {
            let first = from_last + 1 == place.len();
            match self.abreast {
                Some(abreast) if first => {
                    corner[0] += (x % abreast) as f64 * step;
                    corner[1] += (x / abreast) as f64 * self.row;
                }
                _ => corner[from_last % 2] += x as f64 * step,
            }
        }
        corner
    }

    /// Returns the coordinates that are fixed in the layer of a square, e.g. `(1,2,*,*)`.
    fn title_of(&self, place: &[usize]) -> String {
        let fixed = &place[..self.sides.len() - 2];
        let words: Vec<String> =
            fixed.iter().map(usize::to_string).chain(["*".to_owned(), "*".to_owned()]).collect();
        format!("({})", words.join(","))
    }

    fn titles(&self) -> Vec<Words> {
        if self.title == 0.0 {
            return Vec::new();
        }
        let title = |place: Vec<usize>| {
            let [x, y] = self.corner(&place);
            let middle = [x + self.sides[self.sides.len() - 1] as f64 / 2.0, y - 0.4];
            Words { text: self.title_of(&place), middle, size: self.title }
        };
        self.layers().map(title).collect()
    }

    /// Returns the first square of each layer of the last two axes.
    fn layers(&self) -> impl Iterator<Item = Vec<usize>> {
        let fixed = &self.sides[..self.sides.len() - 2];
        let layers: usize = fixed.iter().product();
        (0..layers).map(move |mut layer| {
            let mut place = vec![0; self.sides.len()];
            for (x, side) in place.iter_mut().zip(fixed).rev() {
                *x = layer % side;
                layer /= side;
            }
            place
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &str) -> Plan {
        let board = Board::new(&name.parse().expect("a board name"));
        Plan::of_layout(&board.layout().expect("a layout"), name.starts_with("torus"))
    }

    fn area(corners: &[Point]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs() / 2.0
    }

    #[test]
    fn squares_of_boxes_lie_apart_within_the_picture() {
        for name in ["7^1", "3x5", "3^3", "21x2x2", "2x3x4x5", "3^5", "2^7"] {
            let plan = plan(name);
            for (i, cell) in plan.cells.iter().enumerate() {
                let ([x, y], [width, height]) = (cell.middle, plan.size);
                let within = x > 0.499 && y > 0.499 && x < width - 0.499 && y < height - 0.499;
                assert!(within, "{name} {i}");
                let overlaps =
                    |other: &Cell| (other.middle[0] - x).abs() < 0.999 && (other.middle[1] - y).abs() < 0.999;
                assert!(!plan.cells[..i].iter().any(overlaps), "{name} {i}");
            }
            for title in &plan.titles {
                let half = font::width(&title.text) * title.size / 2.0;
                assert!(
                    title.middle[0] > half - 0.3 && title.middle[0] + half < plan.size[0] + 0.3,
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn a_first_axis_is_wrapped_when_it_is_long() {
        let rows = |name: &str| {
            let tops: Vec<f64> = plan(name).titles.iter().map(|title| title.middle[1]).collect();
            tops.windows(2).filter(|pair| pair[0] != pair[1]).count() + 1
        };
        assert_eq!((rows("5^3"), rows("21^3"), rows("3^4")), (1, 3, 3));
        assert_eq!((rows("10^3"), rows("14^3")), (2, 2));
    }

    #[test]
    fn joined_sides_of_a_torus_have_the_same_arrows() {
        let of = |name: &str| (plan(name).rules.len(), plan(name).arrows.len());
        assert_eq!((of("5^2"), of("torus:5^2"), of("torus:4^3")), ((0, 0), (4, 6), (16, 24)));
        assert_eq!(of("torus:7^1"), (2, 2));
    }

    #[test]
    fn polygons_fill_their_hexagon() {
        for n in [1u32, 2, 5] {
            let hex = plan(&format!("hex:{n}"));
            let total: f64 = hex.cells.iter().map(|cell| area(&cell.corners)).sum();
            assert!((total - f64::from(3 * n * (n - 1) + 1) * 0.75f64.sqrt()).abs() < 1e-9, "{n}");
            let side = f64::from(2 * n);
            let three = plan(&format!("three:{side}"));
            let total: f64 = three.cells.iter().map(|cell| area(&cell.corners)).sum();
            assert!((total - 1.5 * 3f64.sqrt() * side * side).abs() < 1e-9, "{n}");
            assert!((three.size[0] - 2.0 * side).abs() < 1e-9, "{n}");
            for cell in hex.cells.iter().chain(&three.cells) {
                assert!(cell.radius > 0.2, "{n}");
            }
        }
    }

    #[test]
    fn squares_that_share_an_edge_differ_in_colour() {
        for name in ["5^2", "hex:4", "three:6"] {
            let cells = plan(name).cells;
            let near = |a: &Point, b: &Point| (a[0] - b[0]).hypot(a[1] - b[1]) < 1e-9;
            for (a, b) in cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b))) {
                let shared =
                    a.corners.iter().filter(|one| b.corners.iter().any(|other| near(one, other))).count();
                assert!(shared != 2 || a.colour != b.colour, "{name} {a:?} {b:?}");
            }
        }
    }
}
