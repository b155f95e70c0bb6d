//! Figures: a board with pieces, a density, a colouring or a constraint. They are written as text, and by
//! [`crate::svg`] as SVG, PNG, PDF and TikZ.

use std::collections::{BTreeMap, BTreeSet};

use ndqueens_model::board::{Board, Form, Grid, Square};

use crate::density::Density;
use crate::diagram;
use crate::painting::PaintingError;
use crate::plane::{Point, middle};

/// Content of a figure.
#[derive(Debug, Clone)]
pub enum Show {
    /// Pieces on squares.
    Placement {
        /// Occupied squares. The placement should have been checked before.
        squares: Vec<Square>,
        /// Mark attacked squares. On a Sudoku, write the remaining numbers small instead.
        attacked: bool,
    },
    /// Share of the solutions that occupy each square.
    Density(Density),
    /// A colouring of the squares.
    Classes {
        /// Number of the class of each square, starting at 0. The colouring should have been checked before.
        classes: Vec<usize>,
        /// Classes that are highlighted; if empty, all classes are shown alike.
        highlighted: Vec<usize>,
    },
    /// A linear constraint.
    Row {
        /// Name of the constraint, e.g. `cube_17`.
        name: String,
        /// Coefficient of each square in the constraint.
        coefficients: BTreeMap<Square, i64>,
    },
}

/// Text on a figure, and its size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lettering {
    /// Caption below the figure.
    pub caption: Option<String>,
    /// Write the coordinates of each square into it.
    pub coordinates: bool,
    /// Write numbers of solutions instead of percentages on the squares of a density.
    pub numbers: bool,
    /// Width in pixels of the SVG; `None` for the default.
    pub width: Option<u32>,
}

/// A board and the content shown on it.
#[derive(Debug)]
pub struct Figure<'b> {
    pub(crate) lettering: Lettering,
    pub(crate) board: &'b Board,
    pub(crate) show: Show,
    pub(crate) occupied: BTreeSet<Square>,
    pub(crate) attacked: BTreeSet<Square>,
    /// Pairs of pieces that attack each other, if they are to be marked.
    pub(crate) clashes: Vec<[Square; 2]>,
}

/// Reason why a board cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FigureError {
    /// The board is too large.
    #[error("{places} are too many to be drawn; up to {most} are")]
    TooLarge {
        /// Number of squares, in words.
        places: String,
        /// Largest number of squares that is drawn.
        most: usize,
    },
    /// A graph cannot be drawn as text, because it has no layout.
    #[error(
        "a graph has no layout that could be drawn as text; write it to a file whose name ends in .svg, .png, .pdf or .tex"
    )]
    NoLayout,
    /// The board or its content cannot be drawn as a solid.
    #[error(
        "{0} is not drawn as a solid: solids are boxes with three axes, with pieces, a colouring or a constraint"
    )]
    NotSolid(String),
    /// The drawing cannot be painted.
    #[error(transparent)]
    Painting(#[from] PaintingError),
}

/// Largest board that is drawn, in squares.
pub const MOST_SQUARES: usize = 20_000;

/// Largest graph that is drawn, in vertices.
pub const MOST_VERTICES: usize = 200;

impl<'b> Figure<'b> {
    /// Creates a figure of a board.
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
        Self { lettering: Lettering::default(), board, show, occupied, attacked, clashes: Vec::new() }
    }

    /// Marks all pairs of pieces that attack each other.
    #[must_use]
    pub fn with_clashes(mut self) -> Self {
        let clashes_of = |&square: &Square| {
            let later = self.board.neighbours(square).into_iter().filter(move |&other| other > square);
            later.filter(|other| self.occupied.contains(other)).map(move |other| [square, other])
        };
        self.clashes = self.occupied.iter().flat_map(clashes_of).collect();
        self
    }

    /// Returns `true` if the piece on a square is marked because it attacks another one.
    fn clashes(&self, square: Square) -> bool {
        self.clashes.iter().flatten().any(|&clashing| clashing == square)
    }

    /// Sets the text on the figure and its size.
    #[must_use]
    pub fn with(self, lettering: Lettering) -> Self {
        Self { lettering, ..self }
    }

    /// Returns the figure as text of `width` characters, if possible.
    ///
    /// # Errors
    /// Returns an error if the board is too large or has no layout.
    pub fn text(&self, width: usize) -> Result<String, FigureError> {
        let board = self.board;
        let layout = board.layout().ok_or(FigureError::NoLayout)?;
        let sign = |square: Square| match &self.show {
            Show::Density(density) => density.sign(square),
            Show::Classes { classes, highlighted } => match classes[square as usize] {
                class if highlighted.is_empty() || highlighted.contains(&class) => {
                    letter(class).unwrap_or('?')
                }
                _ => '.',
            },
            Show::Row { coefficients, .. } => coefficients.get(&square).map_or('.', |&value| digit(value)),
            Show::Placement { .. } if self.clashes(square) => '!',
            Show::Placement { .. } if self.occupied.contains(&square) => board.letter(),
            Show::Placement { .. } if self.attacked.contains(&square) => 'x',
            Show::Placement { .. } => '.',
        };
        let drawn = match (&layout.form, &self.show) {
            (_, Show::Density(density)) if self.lettering.numbers => {
                diagram::table(board, width, |square| density.count(square).to_owned())
            }
            (Form::Numbers { .. }, Show::Placement { attacked: false, .. }) if self.clashes.is_empty() => {
                diagram::placement(board, width, |square| self.occupied.contains(&square))
            }
            (Form::Polygons(polygons), _) if layout.sides.len() > 2 => {
                let centres: Vec<Point> = polygons.iter().map(|polygon| middle(&polygon.corners)).collect();
                diagram::plane(&centres, sign)
            }
            _ => diagram::layers(board, width, sign),
        };
        let too_large = || FigureError::TooLarge {
            places: board.format_squares(board.size() as u64),
            most: diagram::MOST_SQUARES,
        };
        let mut legend = Vec::new();
        match &self.show {
            Show::Density(_) if self.lettering.numbers => {
                legend.push("how many solutions occupy each square".to_owned());
            }
            Show::Density(density) => legend.push(density.legend()),
            Show::Placement { .. } | Show::Classes { .. } | Show::Row { .. } => {}
        }
        if let Show::Row { coefficients, .. } = &self.show {
            legend.extend(digits_legend(coefficients));
        }
        if !self.clashes.is_empty() {
            legend.push("!: a piece that attacks another".to_owned());
        }
        if self.has_holes() {
            legend.push("blank: a hole".to_owned());
        }
        legend.extend(self.lettering.caption.clone());
        let text = drawn.ok_or_else(too_large)?;
        Ok(if legend.is_empty() { text } else { format!("{text}\n\n{}", legend.join("; ")) })
    }

    /// Returns `true` if some places of the board's box hold no square.
    fn has_holes(&self) -> bool {
        self.board.layout().is_some_and(|layout| layout.holes().next().is_some())
    }

    /// Returns `true` if opposite sides of the board are joined.
    pub(crate) fn is_torus(&self) -> bool {
        self.board.grid().is_some_and(Grid::is_torus)
    }

    /// Returns a description of the figure in words.
    pub(crate) fn words(&self) -> String {
        let name = self.board.name();
        let holes = if self.has_holes() { "; holes are hatched" } else { "" };
        let shown = match &self.show {
            Show::Placement { squares, .. } if squares.is_empty() => format!("The board {name}"),
            Show::Placement { squares, attacked } => {
                let marked = if *attacked { ", and what they attack" } else { "" };
                let squares: Vec<String> = squares.iter().map(|&square| self.board.label(square)).collect();
                let pieces = self.board.format_pieces(squares.len() as u64);
                let clashing =
                    if self.clashes.is_empty() { "" } else { ", those outlined attack each other" };
                format!("{pieces} on {name}{marked}{clashing}: {}", squares.join(" "))
            }
            Show::Density(density) if density.lp().is_some() => {
                format!(
                    "The optimum of the {} on {name}: the value of each square",
                    density.lp().unwrap_or_default()
                )
            }
            Show::Density(density) if !density.is_counted() => {
                format!("The limit density of solutions of n queens on n^2, on a grid of {name}")
            }
            Show::Density(_) if self.lettering.numbers => {
                format!("How many of the solutions on {name} occupy each square")
            }
            Show::Density(_) => format!("How many of the solutions on {name} occupy each square, in percent"),
            Show::Classes { .. } => format!("A colouring of {name}: the number of the class of each square"),
            Show::Row { name: row, coefficients } => {
                format!(
                    "The {} of the constraint {row} on {name}",
                    self.board.format_squares(coefficients.len() as u64)
                )
            }
        };
        let torus = if self.is_torus() { "; sides with the same arrows are joined" } else { "" };
        shown + holes + torus
    }
}

/// Returns the character for a coefficient: a digit, `-` if it is negative, or `+` if it exceeds 9.
fn digit(coefficient: i64) -> char {
    match u32::try_from(coefficient) {
        Ok(value) => char::from_digit(value, 10).unwrap_or('+'),
        Err(_) => '-',
    }
}

/// Returns the legend of the characters for coefficients.
fn digits_legend(coefficients: &BTreeMap<Square, i64>) -> Vec<String> {
    let has = |sign: char| coefficients.values().any(|&value| digit(value) == sign);
    let mut legend = vec!["digits: coefficients; .: no coefficient".to_owned()];
    legend.extend(has('+').then(|| "+: a coefficient above 9".to_owned()));
    legend.extend(has('-').then(|| "-: a negative coefficient".to_owned()));
    legend
}

/// Returns a character for a class of a colouring, or `None` if the number is too large.
#[must_use]
pub fn letter(class: usize) -> Option<char> {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.chain(['+', '*']).nth(class)
}
