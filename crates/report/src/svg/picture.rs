//! Drawings of boards in the plane, with pieces, a density, a colouring or a constraint.
//!
//! Boxes with two axes are chessboards, those with three axes rows of layers, those with four axes tables of
//! layers, and so on. Other boards are drawn according to their [`Form`](ndqueens_model::board::Form).
//! Borders of a torus have arrows: sides with the same number of arrowheads are joined.

use ndqueens_notation::name::{Leaper, Piece};
use svg::Document;
use svg::node::element::{Circle, Definitions, Description, Group, Path, Polygon, Rectangle, Use};

use super::document::{document, lettering, line, points};
#[cfg(feature = "painting")]
use super::format::Format;
use super::plan::{Cell, Plan, Words};
use super::{font, palette};
use crate::density::Density;
use crate::figure::{Figure, FigureError, MOST_SQUARES, MOST_VERTICES, Show};
use crate::plane::{Point, tidy};

impl Figure<'_> {
    fn plan(&self) -> Result<Plan, FigureError> {
        let size = self.board.size();
        let too_large =
            |most| Err(FigureError::TooLarge { places: self.board.format_squares(size as u64), most });
        if size > MOST_SQUARES {
            return too_large(MOST_SQUARES);
        }
        match self.board.layout() {
            Some(layout) => Ok(Plan::of_layout(&layout, self.is_torus())),
            None if size <= MOST_VERTICES => Ok(Plan::of_graph(self.board)),
            None => too_large(MOST_VERTICES),
        }
    }

    /// Returns the figure as SVG.
    ///
    /// # Errors
    /// Returns an error if the board is too large.
    pub fn svg(&self) -> Result<String, FigureError> {
        Ok(self.document(&self.plan()?).to_string())
    }

    /// Returns the figure in a format. With `is_solid`, a box with three axes is drawn as a solid.
    ///
    /// # Errors
    /// Returns an error if the board is too large or cannot be drawn as a solid, or if the conversion fails.
    #[cfg(feature = "painting")]
    pub fn encode(&self, format: Format, is_solid: bool) -> Result<Vec<u8>, FigureError> {
        let svg = if is_solid { self.solid()? } else { self.svg()? };
        Ok(format.encode(&svg)?)
    }

    fn document(&self, plan: &Plan) -> Document {
        let margin = 0.3;
        let (mut width, mut height) = (plan.size[0], plan.size[1]);
        let mut marks = self.marks(plan);
        let mut texts = self.texts(plan);
        if let Show::Density(density) = &self.show {
            let (scale, words) = legend(density, self.lettering.numbers, height + 0.5);
            marks = marks.add(scale);
            texts.extend(words.into_iter().map(|words| (words, palette::BLACK)));
            (width, height) = (width.max(4.0), height + 1.9);
        }
        if let Some(caption) = &self.lettering.caption {
            let size = CAPTION.min(0.95 * width.max(4.0) / font::width(caption));
            let words = Words { text: caption.clone(), middle: [width / 2.0, height + 0.6], size };
            texts.push((words, palette::BLACK));
            height += 1.0;
        }
        let mut definitions = Definitions::new();
        let size = [width + 2.0 * margin, height + 2.0 * margin];
        let scale = self.lettering.width.map_or_else(
            || (1600.0 / width).clamp(10.0, 40.0),
            |pixels| (f64::from(pixels) - 0.001) / size[0],
        );
        if !self.occupied.is_empty() {
            let symbol = match (self.board.piece(), self.board.leaper()) {
                _ if scale < LEAST_PIECE => symbol(None),
                (None, Some(leaper)) => leaper_symbol(leaper),
                (piece, _) => symbol(piece),
            };
            definitions = definitions.add(symbol.set("id", PIECE));
        }
        document(&self.board.name().to_string(), [-margin; 2], size, scale)
            .add(Description::new().add(svg::node::Text::new(self.words())))
            .add(definitions)
            .add(self.ground(plan))
            .add(marks)
            .add(rules(plan))
            .add(arrows(plan))
            .add(lettering(&texts))
    }

    /// Draws the squares, and the edges of a graph below them.
    fn ground(&self, plan: &Plan) -> Group {
        let mut ground = Group::new()
            .set("stroke", palette::GREY)
            .set("stroke-width", 0.02)
            .set("stroke-linejoin", "round");
        for &[from, to] in &plan.edges {
            ground = ground.add(line(from, to));
        }
        if !plan.holes.is_empty() {
            ground = ground.add(hatching(&plan.holes));
        }
        for (square, cell) in (0..).zip(&plan.cells) {
            let fill = match &self.show {
                Show::Density(density) => palette::shade(density.relative(square)),
                Show::Classes { classes, highlighted } => {
                    palette::tint(classes[square as usize], highlighted)
                }
                Show::Row { coefficients, .. } if coefficients.contains_key(&square) => {
                    palette::STRONG[0].to_owned()
                }
                Show::Placement { .. } | Show::Row { .. } => {
                    palette::TONES[usize::from(cell.colour)].to_owned()
                }
            };
            let shown = cell.outlined
                || match &self.show {
                    Show::Placement { .. } => false,
                    Show::Row { coefficients, .. } => coefficients.contains_key(&square),
                    Show::Density(_) | Show::Classes { .. } => true,
                };
            if shown {
                ground = ground.add(Polygon::new().set("points", points(&cell.corners)).set("fill", fill));
            }
        }
        ground
    }

    /// Draws pieces, and crosses on attacked squares.
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
                .set("stroke", palette::VERMILION)
                .set("stroke-width", tidy(0.14 * cell.radius))
        };
        for (square, cell) in (0..).zip(&plan.cells) {
            if cell.number.is_some() {
                continue;
            }
            if self.occupied.contains(&square) {
                // Move the piece up to leave room for the coordinates.
                let (up, scale) = if self.lettering.coordinates { (0.15, 1.5) } else { (0.0, 1.8) };
                let place = format!(
                    "translate({} {}) scale({})",
                    tidy(cell.middle[0]),
                    tidy(cell.middle[1] - up * cell.radius),
                    tidy(scale * cell.radius)
                );
                marks = marks.add(Use::new().set("href", format!("#{PIECE}")).set("transform", place));
            } else if self.attacked.contains(&square) {
                marks = marks.add(cross(cell));
            }
        }
        self.clashes.iter().take(MOST_CLASHES).fold(marks, |marks, clash| {
            let cells = clash.map(|square| &plan.cells[square as usize]);
            cells.into_iter().fold(marks.add(between(cells)), |marks, cell| marks.add(outline(cell)))
        })
    }

    /// Returns titles, coordinates, numbers of a Sudoku, percentages, classes and coefficients, each with its
    /// colour.
    fn texts(&self, plan: &Plan) -> Vec<(Words, &'static str)> {
        let mut texts: Vec<(Words, &'static str)> =
            plan.titles.iter().map(|title| (title.clone(), palette::BLACK)).collect();
        for (square, cell) in (0..).zip(&plan.cells).filter(|_| self.lettering.coordinates) {
            let text =
                self.board.coordinates(square).iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let size = (0.4 * cell.radius).min(1.4 * cell.radius / font::width(&text));
            let middle = [cell.middle[0], cell.middle[1] + 0.78 * cell.radius];
            texts.push((Words { text, middle, size }, palette::BLUE));
        }
        for (square, cell) in (0..).zip(&plan.cells) {
            match (&self.show, cell.number) {
                (Show::Density(density), _)
                    if cell.radius > 0.2 && (density.is_counted() || density.lp().is_some()) =>
                {
                    let colour = palette::on_shade(density.relative(square));
                    let text = match self.lettering.numbers {
                        true => density.count(square).to_owned(),
                        false => density.label(square),
                    };
                    texts.push((inside(cell, text), colour));
                }
                (Show::Classes { classes, .. }, _) if cell.radius > 0.2 => {
                    texts.push((inside(cell, (classes[square as usize] + 1).to_string()), palette::BLACK));
                }
                (Show::Row { coefficients, .. }, _) if coefficients.values().any(|&value| value != 1) => {
                    if let Some(value) = coefficients.get(&square).filter(|_| cell.radius > 0.2) {
                        texts.push((inside(cell, value.to_string()), palette::BLACK));
                    }
                }
                (Show::Placement { .. }, Some((number, middle))) if self.occupied.contains(&square) => {
                    let text = number.to_string();
                    let size = 0.75f64.min(0.8 / font::width(&text));
                    texts.push((Words { text, middle, size }, palette::BLACK));
                }
                (Show::Placement { attacked: true, .. }, Some((number, _)))
                    if !self.attacked.contains(&square) =>
                {
                    let text = number.to_string();
                    let size = (1.5 * cell.radius).min(1.6 * cell.radius / font::width(&text));
                    texts.push((Words { text, middle: cell.middle, size }, palette::BLUE));
                }
                _ => {}
            }
        }
        texts
    }
}

/// Largest number of clashes that are marked, because more would hide the board.
const MOST_CLASHES: usize = 1000;

/// Draws a line between two cells whose pieces attack each other.
fn between([from, to]: [&Cell; 2]) -> Path {
    let ([x, y], [u, v]) = (from.middle, to.middle);
    let way = format!("M{} {}L{} {}", tidy(x), tidy(y), tidy(u), tidy(v));
    Path::new().set("d", way).set("stroke", palette::VERMILION).set("stroke-width", 0.05)
}

/// Draws the outline of a cell whose piece attacks another one.
fn outline(cell: &Cell) -> Path {
    let corners: Vec<String> =
        cell.corners.iter().map(|[x, y]| format!("{} {}", tidy(*x), tidy(*y))).collect();
    let way = format!("M{}Z", corners.join("L"));
    Path::new().set("d", way).set("fill", "none").set("stroke", palette::VERMILION).set("stroke-width", 0.08)
}

/// Returns a text in a size that fits into a cell.
fn inside(cell: &Cell, text: String) -> Words {
    let size = cell.radius.min(1.5 * cell.radius / font::width(&text));
    Words { text, middle: cell.middle, size }
}

const PIECE: &str = "piece";

/// Size of a square in pixels below which a dot is drawn instead of the piece.
const LEAST_PIECE: f64 = 16.0;

/// Font size of a caption that is not too long.
const CAPTION: f64 = 0.5;

/// Draws a piece around the origin, one unit wide; a disc if `piece` is `None`.
fn symbol(piece: Option<Piece>) -> Group {
    let path = |way: &str| Path::new().set("d", way);
    let ball = |x: f64, y: f64, r: f64| Circle::new().set("cx", x).set("cy", y).set("r", r);
    let group = Group::new().set("fill", palette::BLACK).set("stroke", "none");
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

/// Draws a leaper in the same size. A superqueen looks like a queen.
fn leaper_symbol(leaper: Leaper) -> Group {
    let path = |way: &str| Path::new().set("d", way);
    let group = Group::new().set("fill", palette::BLACK).set("stroke", "none");
    match leaper {
        Leaper::Knight => group
            .add(path("M-.3.4V.31H.3V.4ZM-.22.27C-.22.07.04.02-.01-.1L-.2.03-.31-.06-.15-.31-.12-.42-.02-.34C.24-.34.34-.06.26.27Z")),
        Leaper::King => group
            .add(path("M-.3.4V.31H.3V.4ZM-.24.27L-.36-.04C-.34-.24-.08-.22 0-.06.08-.22.34-.24.36-.04L.24.27Z"))
            .add(path("M-.035-.14V-.3H-.11V-.37H-.035V-.45H.035V-.37H.11V-.3H.035V-.14Z")),
        Leaper::Superqueen => symbol(Some(Piece::Queen)),
    }
}

/// Draws diagonal lines through every hole, to distinguish it from a white square.
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

/// Draws the grid lines.
fn rules(plan: &Plan) -> Group {
    let mut rules = Group::new().set("stroke", palette::BLACK).set("stroke-linecap", "square");
    for rule in &plan.rules {
        rules =
            rules.add(line(rule.from, rule.to).set("stroke-width", if rule.thick { 0.06 } else { 0.015 }));
    }
    rules
}

/// Draws the arrowheads on borders.
fn arrows(plan: &Plan) -> Group {
    plan.arrows.iter().fold(Group::new().set("fill", palette::VERMILION), |arrows, corners| {
        arrows.add(Polygon::new().set("points", points(corners)))
    })
}

/// Draws the colour scale of a density. Returns the drawing and its labels.
fn legend(density: &Density, numbers: bool, top: f64) -> (Group, Vec<Words>) {
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
                .set("fill", palette::shade(part)),
        );
    }
    let frame = Rectangle::new()
        .set("x", 0)
        .set("y", tidy(top))
        .set("width", LENGTH)
        .set("height", 0.4)
        .set("fill", "none")
        .set("stroke", palette::GREY)
        .set("stroke-width", 0.02);
    let words = |text: String, x: f64| {
        let size = 0.45;
        let half = font::width(&text) * size / 2.0;
        let x = x.clamp(half, LENGTH - half);
        Words { text, middle: [x, top + 0.7], size }
    };
    let (most, quantity) = match numbers {
        true => (density.largest_count().to_owned(), "number of solutions"),
        false if density.lp().is_some() => (density.most_label(), "value"),
        false => (density.most_label(), "share of the solutions"),
    };
    let quantity = Words { text: quantity.to_owned(), middle: [LENGTH / 2.0, top + 1.15], size: 0.35 };
    (scale.add(frame), vec![words("0".to_owned(), 0.0), quantity, words(most, LENGTH)])
}
