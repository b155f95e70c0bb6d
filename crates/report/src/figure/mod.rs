//! Boards drawn in the plane, with pieces, a density or a colouring: as SVG, as PNG and as text.
//!
//! Boxes of two axes are chessboards, of three rows of layers, of four tables of layers, and so on, level by level. Other
//! kinds of board have the shape that their [`Form`] tells; graphs stand on a circle.
//!
//! The pictures hold outlines only, no text that a font would be needed for, and tell everything by shape and by
//! lightness, so that they are the same everywhere and can be read in print and by the colour-blind.

mod density;
mod ink;
mod plan;

use std::collections::BTreeSet;

use ndqueens_model::board::{Board, Form, Square};
use svg::Document;
use svg::node::element::{Definitions, Description, Group, Line, Path, Polygon, Rectangle, Title, Use};

pub use self::density::{COLUMNS, Density, DensityError};
use self::plan::{Cell, Plan, Point, Words};
use crate::picture;

/// What is shown on a board.
#[derive(Debug, Clone)]
pub enum Show {
    /// Pieces on these squares, and, if wanted, the squares that they attack.
    Placement {
        /// Where they stand. What is drawn should have passed a check.
        squares: Vec<Square>,
        /// Whether attacked squares are marked; on a Sudoku, the numbers that remain are written small.
        attacked: bool,
    },
    /// How often each square is occupied.
    Density(Density),
    /// The number of the class of each square, from 0 on. What is drawn should have passed a check.
    Classes(Vec<usize>),
}

/// A board and what is shown on it.
#[derive(Debug)]
pub struct Figure<'b> {
    board: &'b Board,
    show: Show,
    occupied: BTreeSet<Square>,
    attacked: BTreeSet<Square>,
}

/// Why a board cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FigureError {
    /// There would be nothing to see.
    #[error("{places} are too many to be drawn; up to {most} are")]
    TooLarge {
        /// How many there are, in words.
        places: String,
        /// How many are drawn.
        most: usize,
    },
    /// A graph stands on a circle, which is no text.
    #[error(
        "a graph has no layout that could be drawn as text; write it to a file whose name ends in .svg or .png"
    )]
    NoLayout,
    /// The picture would have too many points.
    #[error(
        "the picture would have {width} x {height} points, too many; write it to a file whose name ends in .svg"
    )]
    TooManyPoints {
        /// Points across.
        width: u64,
        /// Points down.
        height: u64,
    },
    /// The picture cannot be painted.
    #[error("the picture cannot be painted: {0}")]
    Painting(String),
}

/// More squares than this are not drawn.
pub const MOST_SQUARES: usize = 20_000;

/// More vertices than this are not drawn on a circle.
pub const MOST_VERTICES: usize = 200;

/// More points than this no PNG has.
const MOST_POINTS: u64 = 100_000_000;

/// A PNG has so many points for a unit of the SVG, in both directions.
const ZOOM: f32 = 2.0;

impl<'b> Figure<'b> {
    /// A board and what is shown on it.
    #[must_use]
    pub fn new(board: &'b Board, show: Show) -> Self {
        let (mut occupied, mut attacked) = (BTreeSet::new(), BTreeSet::new());
        if let Show::Placement { squares, attacked: marked } = &show {
            occupied.extend(squares.iter().copied());
            if *marked {
                attacked.extend(squares.iter().flat_map(|&square| board.neighbours(square)));
            }
            attacked = &attacked - &occupied;
        }
        Self { board, show, occupied, attacked }
    }

    fn plan(&self) -> Result<Plan, FigureError> {
        let layout = if self.board.size() > MOST_SQUARES { None } else { self.board.layout() };
        let most = if layout.is_some() { MOST_SQUARES } else { MOST_VERTICES };
        match layout {
            Some(layout) => Ok(Plan::of_layout(&layout)),
            None if self.board.size() <= MOST_VERTICES => Ok(Plan::of_graph(self.board)),
            None => {
                let most = if self.board.size() > MOST_SQUARES { MOST_SQUARES } else { most };
                Err(FigureError::TooLarge { places: self.board.places(self.board.size() as u64), most })
            }
        }
    }

    /// The picture as SVG.
    ///
    /// # Errors
    /// When the board has too many squares.
    pub fn svg(&self) -> Result<String, FigureError> {
        Ok(self.document(&self.plan()?).to_string())
    }

    /// The picture as PNG, painted from the SVG.
    ///
    /// # Errors
    /// When the board has too many squares, or the picture too many points.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        use resvg::{tiny_skia, usvg};

        let painting = |fault: String| FigureError::Painting(fault);
        let tree = usvg::Tree::from_str(&self.svg()?, &usvg::Options::default())
            .map_err(|fault| painting(fault.to_string()))?;
        let size =
            tree.size().to_int_size().scale_by(ZOOM).ok_or_else(|| painting("it is empty".to_owned()))?;
        let (width, height) = (u64::from(size.width()), u64::from(size.height()));
        if width * height > MOST_POINTS {
            return Err(FigureError::TooManyPoints { width, height });
        }
        let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
            .ok_or_else(|| painting("there is no room for it".to_owned()))?;
        pixels.fill(tiny_skia::Color::WHITE);
        resvg::render(&tree, tiny_skia::Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
        pixels.encode_png().map_err(|fault| painting(fault.to_string()))
    }

    /// The picture as text of so many characters across.
    ///
    /// # Errors
    /// When the board has too many squares, or no layout.
    pub fn text(&self, width: usize) -> Result<String, FigureError> {
        let board = self.board;
        let layout = board.layout().ok_or(FigureError::NoLayout)?;
        let sign = |square: Square| match &self.show {
            Show::Density(density) => density.sign(square),
            Show::Classes(classes) => letter(classes[square as usize]).unwrap_or('?'),
            Show::Placement { .. } if self.occupied.contains(&square) => 'Q',
            Show::Placement { .. } if self.attacked.contains(&square) => 'x',
            Show::Placement { .. } => '.',
        };
        let drawn = match (&layout.form, &self.show) {
            (Form::Numbers { .. }, Show::Placement { attacked: false, .. }) => {
                picture::placement(board, width, |square| self.occupied.contains(&square))
            }
            (Form::Polygons(polygons), _) if layout.sides.len() > 2 => {
                let centres: Vec<Point> =
                    polygons.iter().map(|polygon| plan::middle(&polygon.corners)).collect();
                picture::plane(&centres, sign)
            }
            _ => picture::layers(board, width, sign),
        };
        let too_large = || FigureError::TooLarge {
            places: board.places(board.size() as u64),
            most: picture::MOST_SQUARES,
        };
        let mut legend = Vec::new();
        if let Show::Density(density) = &self.show {
            legend.push(density.legend());
        }
        if self.has_holes() {
            legend.push("blank: a hole".to_owned());
        }
        let text = drawn.ok_or_else(too_large)?;
        Ok(if legend.is_empty() { text } else { format!("{text}\n\n{}", legend.join("; ")) })
    }

    /// Whether some places of the board's box hold no square.
    fn has_holes(&self) -> bool {
        self.board.layout().is_some_and(|layout| layout.holes().next().is_some())
    }

    /// What the picture shows, in words.
    fn words(&self) -> String {
        let name = self.board.name();
        let holes = if self.has_holes() { "; holes are hatched" } else { "" };
        let shown = match &self.show {
            Show::Placement { squares, .. } if squares.is_empty() => format!("The board {name}"),
            Show::Placement { squares, attacked } => {
                let marked = if *attacked { ", and what they attack" } else { "" };
                let squares: Vec<String> = squares.iter().map(|&square| self.board.label(square)).collect();
                let pieces = self.board.pieces(squares.len() as u64);
                format!("{pieces} on {name}{marked}: {}", squares.join(" "))
            }
            Show::Density(_) => format!("How many of the solutions on {name} occupy each square, in percent"),
            Show::Classes(_) => format!("A colouring of {name}: the number of the class of each square"),
        };
        shown + holes
    }

    fn document(&self, plan: &Plan) -> Document {
        let margin = 0.3;
        let foot = if matches!(self.show, Show::Density(_)) { 1.6 } else { 0.0 };
        let (width, height) = (plan.size[0].max(if foot > 0.0 { 4.0 } else { 0.0 }), plan.size[1] + foot);
        let points = (1600.0 / width).clamp(10.0, 40.0);
        let mut document = Document::new()
            .set("viewBox", (-margin, -margin, tidy(width + 2.0 * margin), tidy(height + 2.0 * margin)))
            .set("width", ((width + 2.0 * margin) * points).ceil())
            .set("height", ((height + 2.0 * margin) * points).ceil())
            .add(Title::new(self.board.name().to_string()))
            .add(Description::new().add(svg::node::Text::new(self.words())))
            .add(
                Rectangle::new()
                    .set("x", -margin)
                    .set("y", -margin)
                    .set("width", "100%")
                    .set("height", "100%")
                    .set("fill", "white"),
            );
        let mut layers = [self.ground(plan), self.marks(plan)];
        let mut used = BTreeSet::new();
        let mut texts =
            Group::new().set("fill", "none").set("stroke-linecap", "round").set("stroke-linejoin", "round");
        for (text, colour) in self.texts(plan) {
            texts = texts.add(written(&text, colour, &mut used));
        }
        if let Show::Density(density) = &self.show {
            let (scale, words) = legend(density, plan.size[1] + 0.5);
            layers[1] = layers[1].clone().add(scale);
            for text in words {
                texts = texts.add(written(&text, ink::BLACK, &mut used));
            }
        }
        let mut definitions = Definitions::new();
        if !self.occupied.is_empty() {
            definitions = definitions.add(ink::symbol(self.board.piece()).set("id", PIECE));
        }
        for sign in used {
            definitions = definitions.add(ink::glyph(sign).path().set("id", id(sign)));
        }
        document = document.add(definitions);
        for layer in layers {
            document = document.add(layer);
        }
        document.add(rules(plan)).add(texts)
    }

    /// The squares, and the edges of a graph below them.
    fn ground(&self, plan: &Plan) -> Group {
        let mut ground =
            Group::new().set("stroke", ink::GREY).set("stroke-width", 0.02).set("stroke-linejoin", "round");
        for &[from, to] in &plan.edges {
            ground = ground.add(line(from, to));
        }
        if !plan.holes.is_empty() {
            ground = ground.add(hatching(&plan.holes));
        }
        for (square, cell) in (0..).zip(&plan.cells) {
            let fill = match &self.show {
                Show::Density(density) => ink::shade(density.relative(square)),
                Show::Classes(classes) => ink::tint(classes[square as usize]),
                Show::Placement { .. } => ink::TONES[usize::from(cell.colour)].to_owned(),
            };
            let shown = cell.outlined || !matches!(self.show, Show::Placement { .. });
            if shown {
                ground = ground.add(Polygon::new().set("points", points(&cell.corners)).set("fill", fill));
            }
        }
        ground
    }

    /// Pieces, and crosses on attacked squares.
    fn marks(&self, plan: &Plan) -> Group {
        let mut marks = Group::new();
        let cross = |cell: &Cell| {
            let ([x, y], r) = (cell.middle, 0.32 * cell.radius);
            let way = format!(
                "M{} {}L{} {}M{} {}L{} {}",
                tidy(x - r),
                tidy(y - r),
                tidy(x + r),
                tidy(y + r),
                tidy(x + r),
                tidy(y - r),
                tidy(x - r),
                tidy(y + r)
            );
            Path::new()
                .set("d", way)
                .set("stroke", ink::VERMILION)
                .set("stroke-width", tidy(0.14 * cell.radius))
        };
        for (square, cell) in (0..).zip(&plan.cells) {
            if cell.number.is_some() {
                continue;
            }
            if self.occupied.contains(&square) {
                let place = format!(
                    "translate({} {}) scale({})",
                    tidy(cell.middle[0]),
                    tidy(cell.middle[1]),
                    tidy(1.8 * cell.radius)
                );
                marks = marks.add(Use::new().set("href", format!("#{PIECE}")).set("transform", place));
            } else if self.attacked.contains(&square) {
                marks = marks.add(cross(cell));
            }
        }
        marks
    }

    /// Titles, numbers that are placed or remain, and percentages.
    fn texts(&self, plan: &Plan) -> Vec<(Words, &'static str)> {
        let mut texts: Vec<(Words, &'static str)> =
            plan.titles.iter().map(|title| (title.clone(), ink::BLACK)).collect();
        for (square, cell) in (0..).zip(&plan.cells) {
            match (&self.show, cell.number) {
                (Show::Density(density), _) if cell.radius > 0.2 => {
                    let colour = ink::on_shade(density.relative(square));
                    texts.push((inside(cell, density.percent(square)), colour));
                }
                (Show::Classes(classes), _) => {
                    texts.push((inside(cell, (classes[square as usize] + 1).to_string()), ink::BLACK));
                }
                (Show::Placement { .. }, Some((number, middle))) if self.occupied.contains(&square) => {
                    let text = number.to_string();
                    let size = 0.55f64.min(0.8 / ink::width(&text));
                    texts.push((Words { text, middle, size }, ink::BLACK));
                }
                (Show::Placement { attacked: true, .. }, Some((number, _)))
                    if !self.attacked.contains(&square) =>
                {
                    let text = number.to_string();
                    let size = (1.1 * cell.radius).min(1.6 * cell.radius / ink::width(&text));
                    texts.push((Words { text, middle: cell.middle, size }, ink::BLUE));
                }
                _ => {}
            }
        }
        texts
    }
}

/// A text that fits into a cell.
fn inside(cell: &Cell, text: String) -> Words {
    let size = (0.75 * cell.radius).min(1.7 * cell.radius / ink::width(&text));
    Words { text, middle: cell.middle, size }
}

/// A sign for a class of a colouring, as long as there are letters and digits.
#[must_use]
pub fn letter(class: usize) -> Option<char> {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.chain(['+', '*']).nth(class)
}

const PIECE: &str = "piece";

/// The name under which a sign is defined.
fn id(sign: char) -> String {
    format!("sign{}", u32::from(sign))
}

/// Short enough for a file, exact enough for the eye.
fn tidy(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}

fn points(corners: &[Point]) -> String {
    corners.iter().map(|[x, y]| format!("{},{}", tidy(*x), tidy(*y))).collect::<Vec<_>>().join(" ")
}

fn line([x1, y1]: Point, [x2, y2]: Point) -> Line {
    Line::new().set("x1", tidy(x1)).set("y1", tidy(y1)).set("x2", tidy(x2)).set("y2", tidy(y2))
}

/// Lines aslant through every hole, so that none is taken for a white square.
fn hatching(holes: &[Point]) -> Path {
    let mut way = String::new();
    for [x, y] in holes {
        for part in [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75] {
            let (low, high) = (f64::max(part - 1.0, 0.0), f64::min(part, 1.0));
            way += &format!("M{} {}L{} {}", tidy(x + low), tidy(y + high), tidy(x + high), tidy(y + low));
        }
    }
    Path::new().set("d", way).set("fill", "none").set("stroke-width", 0.03)
}

/// The lines of a grid.
fn rules(plan: &Plan) -> Group {
    let mut rules = Group::new().set("stroke", ink::BLACK).set("stroke-linecap", "square");
    for rule in &plan.rules {
        rules =
            rules.add(line(rule.from, rule.to).set("stroke-width", if rule.thick { 0.06 } else { 0.015 }));
    }
    rules
}

/// Signs side by side round a middle.
fn written(words: &Words, colour: &str, used: &mut BTreeSet<char>) -> Group {
    let scale = words.size / ink::HEIGHT;
    let mut x = words.middle[0] - ink::width(&words.text) * words.size / 2.0;
    let y = words.middle[1] - words.size / 2.0;
    let mut group = Group::new().set("stroke", colour);
    for sign in words.text.chars() {
        let glyph = ink::glyph(sign);
        if glyph.is_visible() {
            used.insert(sign);
            let at = x + glyph.aside() * scale;
            let place = format!("translate({} {}) scale({})", tidy(at), tidy(y), (scale * 1e5).round() / 1e5);
            group = group.add(Use::new().set("href", format!("#{}", id(sign))).set("transform", place));
        }
        x += glyph.advance() * scale;
    }
    group
}

/// The scale of a density, from none to the most.
fn legend(density: &Density, top: f64) -> (Group, Vec<Words>) {
    const STEPS: u32 = 40;
    const LENGTH: f64 = 4.0;
    let mut scale = Group::new();
    for step in 0..STEPS {
        let x = LENGTH * f64::from(step) / f64::from(STEPS);
        let part = f64::from(step) / f64::from(STEPS - 1);
        scale = scale.add(
            Rectangle::new()
                .set("x", tidy(x))
                .set("y", tidy(top))
                .set("width", tidy(LENGTH / f64::from(STEPS) + 0.01))
                .set("height", 0.4)
                .set("fill", ink::shade(part)),
        );
    }
    let frame = Rectangle::new()
        .set("x", 0)
        .set("y", tidy(top))
        .set("width", LENGTH)
        .set("height", 0.4)
        .set("fill", "none")
        .set("stroke", ink::GREY)
        .set("stroke-width", 0.02);
    let words = |text: String, x: f64| {
        let size = 0.35;
        let half = ink::width(&text) * size / 2.0;
        let x = x.clamp(half, LENGTH - half);
        Words { text, middle: [x, top + 0.7], size }
    };
    let most = density::percentage(density.most());
    (scale.add(frame), vec![words("0".to_owned(), 0.0), words(format!("{most} %"), LENGTH)])
}
