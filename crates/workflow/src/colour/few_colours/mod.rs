//! Smallest number of colours of a board: the best colouring found, and the reason why fewer colours do not
//! suffice.

mod any_board;
mod square_board;

use std::time::Instant;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::colouring::operator::Operator;
use ndqueens_solver::colouring::superimposed;
use ndqueens_system::cancel::Deadline;
use schemars::JsonSchema;
use serde::Serialize;

pub use self::square_board::LONGEST;
use crate::colour;
use crate::run::{ColourError, Event, Watch, WorkflowError};

/// ColouringMethod of finding a colouring.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColouringMethod {
    /// The method that suits the board.
    #[default]
    Auto,
    /// Closed forms, for n^2.
    Closed,
    /// The complete algorithm, for n^2.
    Cover,
    /// Random partial colourings, each extended exhaustively, for n^2.
    Draw,
    /// DSATUR branch and bound.
    Dsatur,
    /// First fit in the order of the squares.
    ///
    /// Each square receives the first colour that is free.
    Greedy,
    /// Edge by edge, in the order of the squares.
    ///
    /// If both squares of an edge have the same colour, the second one receives the next colour.
    Edges,
}

impl ColouringMethod {
    /// Returns `true` if the method colours any board, in any number of colours.
    fn is_for_any_board(self) -> bool {
        matches!(self, Self::Dsatur | Self::Greedy | Self::Edges)
    }
}

/// Question about the colours of a board.
#[derive(Debug, Clone, Copy)]
pub struct ColourRequest<'a> {
    /// Board to colour.
    pub board: &'a Board,
    /// Number of colours that is tested; if absent, the smallest number is searched for.
    pub colours: Option<u64>,
    /// Symmetry that an n-colouring of n^2 must have. If absent, any symmetry is allowed, and the search uses
    /// the one that suits the side; with [`Operator::None`] any is allowed, and the search uses none.
    pub symmetry: Option<Operator>,
    /// ColouringMethod that searches for a colouring.
    pub method: ColouringMethod,
    /// True if the complete algorithm uses its clique filter.
    pub filter: bool,
    /// Number of threads.
    pub threads: usize,
    /// Seed of random choices.
    pub seed: u32,
    /// Deadline of the whole search.
    pub deadline: Deadline,
}

/// Bounds on the number of colours that a board needs.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub struct Coloured {
    /// The board.
    pub board: String,
    /// Number of colours in the question, if it names one.
    pub asked: Option<u64>,
    /// `true` if this number of colours suffices, `false` if it does not; null if that is not known.
    pub enough: Option<bool>,
    /// Description of the colourings that do not exist, if the question names a symmetry or a method.
    pub absent: Option<String>,
    /// Lower bound on the number of colours.
    pub lower: usize,
    /// Reason for the lower bound.
    pub lower_because: String,
    /// Number of colours of the colouring.
    pub upper: Option<usize>,
    /// Origin of the colouring.
    pub origin: Option<String>,
    /// Symmetry of the colouring, if its classes are solutions of n queens.
    pub symmetry: Option<String>,
    /// The squares of each colour.
    pub classes: Option<Vec<Vec<Vec<u32>>>>,
    /// `true` if there is a colouring, which was checked.
    pub checked: bool,
    /// Number of nodes of all searches.
    pub nodes: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Reason for which the search stopped early.
    pub stop: Option<String>,
    /// The colouring, checked.
    #[serde(skip)]
    pub colouring: Option<Colouring>,
}

/// Returns the side of a square board of queens, or `None` for other boards.
#[must_use]
pub fn side(board: &BoardName) -> Option<usize> {
    match board {
        BoardName::Grid { piece: Piece::Queen, torus: false, sides }
            if sides.len() == 2 && sides[0] == sides[1] =>
        {
            Some(sides[0] as usize)
        }
        _ => None,
    }
}

/// Checks that the number of colours equals the side, as n-colourings of n^2 require.
///
/// # Errors
/// Returns an error if another number of colours is requested.
pub fn ensure_as_many(what: &str, side: usize, colours: Option<u64>) -> Result<(), ColourError> {
    match colours.filter(|&colours| colours != side as u64) {
        Some(colours) => Err(ColourError::OtherColours { what: what.to_owned(), side, colours }),
        None => Ok(()),
    }
}

/// Rejects a symmetry that no colouring of the board can have.
///
/// # Errors
/// Returns an error if the board is not a square, the number of colours is not the side, or the symmetry does
/// not suit the side.
pub fn ensure_symmetry(request: &ColourRequest<'_>) -> Result<(), WorkflowError> {
    let Some(operator) = request.symmetry.filter(|&operator| operator != Operator::None) else {
        return Ok(());
    };
    let side = side(request.board.name()).ok_or(ColourError::NoSquare(operator))?;
    if request.method.is_for_any_board() {
        return Err(ColourError::NoSymmetry.into());
    }
    ensure_as_many(&format!("the symmetry {operator}"), side, request.colours)?;
    Ok(operator.ensure_possible(side)?)
}

/// Searches for a colouring with the requested number of colours, or with fewest.
///
/// # Errors
/// Returns an error if board, symmetry, number of colours and method do not fit together, or if a colouring
/// does not pass the check.
pub fn colour(request: &ColourRequest<'_>, watch: &mut Watch<'_>) -> Result<Coloured, WorkflowError> {
    let begin = Instant::now();
    ensure_symmetry(request)?;
    let board = request.board;
    let side = side(board.name());
    let mut found = Coloured::of(board, request.colours, side);
    let colours = request.colours.map(|k| k as usize);
    let planar = side.filter(|&side| colours.is_none_or(|k| k <= side) && !request.method.is_for_any_board());
    if planar.is_none() && request.method != ColouringMethod::Auto && !request.method.is_for_any_board() {
        return Err(ColourError::Method.into());
    }
    let mut colouring = None;
    if let Some(side) = planar.filter(|&side| colours.is_none_or(|k| k == side)) {
        colouring = square_board::find_n_colouring(request, side, &mut found, watch)?;
    }
    let over = found.absent.is_some() || colours.is_some_and(|k| k < found.lower);
    let any = request.symmetry.is_none_or(|operator| operator == Operator::None);
    if colouring.is_none() && !over && any {
        if found.stop.is_none() {
            colouring = any_board::find_colouring(request, side, &mut found, watch)?;
        } else if let Some(cut) = side.and_then(|side| square_board::cut(side, found.lower)) {
            colouring = Some(colour::check(cut)?);
        }
    }
    found.seconds = begin.elapsed().as_secs_f64();
    Ok(found.with(colouring))
}

/// Returns the colouring of n^(d-1) by the layers of a checked solution of n^d along `axis`, counted from 1.
///
/// # Errors
/// Returns an error if the solution is not full, there is no such axis, or the layers belong to another
/// board.
pub fn by_layers(
    board: &Board,
    colours: Option<u64>,
    full: &Certificate,
    sides: &[u32],
    axis: usize,
) -> Result<Coloured, WorkflowError> {
    let begin = Instant::now();
    let n = sides[0] as usize;
    let is_cube = sides.len() >= 3 && sides.iter().all(|&side| side == sides[0]);
    if !is_cube || full.size() * n != n.pow(sides.len() as u32) {
        return Err(ColourError::NotFull { board: full.board.clone(), queens: full.size() }.into());
    }
    if axis > sides.len() {
        return Err(ColourError::NoAxis { board: full.board.clone(), axes: sides.len(), axis }.into());
    }
    let layer = BoardName::queen(&sides[1..]);
    if *board.name() != layer {
        let (of, asked) = (full.board.clone(), board.name().clone());
        return Err(ColourError::OtherBoard { of, layer, asked }.into());
    }
    let classes = superimposed::layers(sides[0], &full.squares, axis - 1);
    let origin = format!("layers of a full solution of {} ({}) along axis {axis}", full.board, full.origin);
    let colouring = colour::check(Colouring::new(layer, ClassKind::FullSolutions, classes, origin))?;
    let found = Coloured { seconds: begin.elapsed().as_secs_f64(), ..Coloured::of(board, colours, Some(n)) };
    Ok(found.with(Some(colouring)))
}

impl Coloured {
    /// Returns the state before the search: on n^2, a line needs n colours.
    fn of(board: &Board, asked: Option<u64>, side: Option<usize>) -> Self {
        let bounds = Self { board: board.name().to_string(), asked, ..Self::default() };
        match side {
            Some(side) => {
                let squares = if side == 1 { "square" } else { "squares" };
                Self { lower: side, lower_because: format!("a line has {side} {squares}"), ..bounds }
            }
            None => bounds,
        }
    }

    /// Adds a checked colouring, if there is one, and the answer that follows from the bounds.
    fn with(mut self, colouring: Option<Colouring>) -> Self {
        if let Some(colouring) = &colouring {
            self.upper = Some(colouring.colours());
            self.origin = Some(colouring.origin.clone());
            self.symmetry = colour::symmetry(colouring).map(|operator| operator.to_string());
            self.classes = Some(colouring.classes.clone());
            self.checked = true;
        }
        self.enough = self.asked.and_then(|k| match self.upper {
            Some(upper) if upper as u64 <= k => Some(true),
            _ if self.lower as u64 > k => Some(false),
            _ => None,
        });
        self.colouring = colouring;
        self
    }
}

/// Reports the start of a stage.
fn report_stage(watch: &mut Watch<'_>, words: String) {
    // The answer of the watcher is ignored here, because it is called again before long.
    let _ = watch(&Event::Stage(words));
}
