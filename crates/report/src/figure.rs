//! What is shown on a board: pieces, a density or a colouring; as text, and (by [`crate::svg`]) as SVG, PNG, PDF and TikZ.

use std::collections::{BTreeMap, BTreeSet};

use ndqueens_model::board::{Board, Form, Grid, Square};

use crate::density::Density;
use crate::diagram;
use crate::painting::PaintingError;
use crate::plane::{Point, middle};

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
    /// A colouring.
    Classes {
        /// The number of the class of each square, from 0 on. What is drawn should have passed a check.
        classes: Vec<usize>,
        /// The classes that stand out from the others; all do when there are none.
        highlighted: Vec<usize>,
    },
    /// A linear constraint.
    Row {
        /// Name of the constraint, such as `cube_17`.
        name: String,
        /// Coefficient of each square that the constraint has.
        coefficients: BTreeMap<Square, i64>,
    },
}

/// What stands on a picture besides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lettering {
    /// A line below it.
    pub caption: Option<String>,
    /// Whether each square has its coordinates written into it.
    pub coordinates: bool,
    /// Whether the squares of a density have numbers of solutions instead of percentages.
    pub numbers: bool,
    /// How wide it is, in pixels of an SVG.
    pub width: Option<u32>,
}

/// A board and what is shown on it.
#[derive(Debug)]
pub struct Figure<'b> {
    pub(crate) lettering: Lettering,
    pub(crate) board: &'b Board,
    pub(crate) show: Show,
    pub(crate) occupied: BTreeSet<Square>,
    pub(crate) attacked: BTreeSet<Square>,
    /// Pairs of pieces that attack each other although they should not.
    pub(crate) clashes: Vec<[Square; 2]>,
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
    /// A graph is drawn with its edges, which is no text.
    #[error(
        "a graph has no layout that could be drawn as text; write it to a file whose name ends in .svg, .png, .pdf or .tex"
    )]
    NoLayout,
    /// A solid is a box with three axes.
    #[error(
        "{0} is not drawn as a solid: solids are boxes with three axes, with pieces, a colouring or a constraint"
    )]
    NotSolid(String),
    /// It is drawn, but cannot be painted.
    #[error(transparent)]
    Painting(#[from] PaintingError),
}

/// More squares than this are not drawn.
pub const MOST_SQUARES: usize = 20_000;

/// More vertices than this are not drawn.
pub const MOST_VERTICES: usize = 200;

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
        Self { lettering: Lettering::default(), board, show, occupied, attacked, clashes: Vec::new() }
    }

    /// Marks all pieces that attack each other.
    #[must_use]
    pub fn with_clashes(mut self) -> Self {
        let clashes_of = |&square: &Square| {
            let later = self.board.neighbours(square).into_iter().filter(move |&other| other > square);
            later.filter(|other| self.occupied.contains(other)).map(move |other| [square, other])
        };
        self.clashes = self.occupied.iter().flat_map(clashes_of).collect();
        self
    }

    /// Returns `true` for a piece that attacks another one although it should not.
    fn clashes(&self, square: Square) -> bool {
        self.clashes.iter().flatten().any(|&clashing| clashing == square)
    }

    /// The same with what stands on it besides.
    #[must_use]
    pub fn with(self, lettering: Lettering) -> Self {
        Self { lettering, ..self }
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

    /// Whether some places of the board's box hold no square.
    fn has_holes(&self) -> bool {
        self.board.layout().is_some_and(|layout| layout.holes().next().is_some())
    }

    /// Whether opposite sides of the board are joined.
    pub(crate) fn is_torus(&self) -> bool {
        self.board.grid().is_some_and(Grid::is_torus)
    }

    /// What the picture shows, in words.
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

/// Returns the sign of a coefficient: a digit, or `-` and `+` for what is less and more than a digit.
fn digit(coefficient: i64) -> char {
    match u32::try_from(coefficient) {
        Ok(value) => char::from_digit(value, 10).unwrap_or('+'),
        Err(_) => '-',
    }
}

/// Returns what the signs of coefficients mean.
fn digits_legend(coefficients: &BTreeMap<Square, i64>) -> Vec<String> {
    let has = |sign: char| coefficients.values().any(|&value| digit(value) == sign);
    let mut legend = vec!["digits: coefficients; .: no coefficient".to_owned()];
    legend.extend(has('+').then(|| "+: a coefficient above 9".to_owned()));
    legend.extend(has('-').then(|| "-: a negative coefficient".to_owned()));
    legend
}

/// A sign for a class of a colouring, as long as there are letters and digits.
#[must_use]
pub fn letter(class: usize) -> Option<char> {
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
    letters.chain(['+', '*']).nth(class)
}
