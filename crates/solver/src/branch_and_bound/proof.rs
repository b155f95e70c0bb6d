//! A complete proof file: the claims about sub-boxes that the rows need, and the tree of the board.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};

use ndqueens_exact::proof::head;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::certificate::Problem as ProblemOf;
use ndqueens_model::facts::UpperBounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Comparison, Program as _};
use ndqueens_model::model::{Model, ModelError};
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_model::variant::{Goal, Variant};
use tempfile::SpooledTempFile;

use super::derivations::ViprHead;
use super::relaxation::Row;
use super::tree::{End, Search, SearchError, Settings, Symmetry, group_of, search, search_with};
use super::vipr::ViprWriter;

/// Bytes of a tree that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// Largest number of squares of a board of which a proof tree may be checked.
pub const MOST_SQUARES: usize = ndqueens_exact::MOST_SQUARES;

/// The integer program that is to be solved.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The board.
    pub board: &'a Board,
    /// The formulation, which asks for the largest independent set.
    pub formulation: &'a Formulation,
    /// Where right-hand sides come from; all that are used are proved.
    pub bounds: &'a dyn UpperBounds,
    /// Memory limit of a model, in bytes.
    pub memory: u64,
}

impl Problem<'_> {
    /// Refuses a board that is too large for the checkers, and a formulation of another problem.
    fn ensure_provable(&self) -> Result<(), ProofError> {
        self.ensure_small()?;
        if self.formulation.problem != ProblemOf::IndependentSet {
            return Err(ProofError::NotAMaximum(self.formulation.name.clone()));
        }
        Ok(())
    }

    fn ensure_small(&self) -> Result<(), ProofError> {
        if self.board.size() > MOST_SQUARES {
            return Err(ProofError::TooLarge { board: self.board.name().to_string() });
        }
        Ok(())
    }

    /// Returns the variant of the model for a number of queens and squares that are included.
    fn variant(&self, target: u64, included: &[Square]) -> Variant {
        let goal = if self.formulation.maximises() { Goal::Optimise } else { Goal::AtLeast(target) };
        Variant { include: included.to_vec(), ..Variant::of(goal) }
    }
}

impl std::fmt::Debug for Problem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Problem")
            .field("board", self.board.name())
            .field("formulation", &self.formulation.name)
            .finish_non_exhaustive()
    }
}

/// Errors of a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The formulation does not ask for a largest independent set.
    #[error("formulation {0} does not ask for the largest number of queens of an independent set")]
    NotAMaximum(String),
    /// The board is too large for the checker of proof trees.
    #[error("{board} has more than {MOST_SQUARES} squares, the largest number that a proof tree may have")]
    TooLarge {
        /// The board.
        board: String,
    },
    /// A row cannot stand in a proof tree.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\", which a proof tree cannot hold: its rows are cliques, and boxes without gaps inside a plain box"
    )]
    Row {
        /// The formulation.
        formulation: String,
        /// The family.
        family: &'static str,
    },
    /// A row cannot stand in a VIPR file.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\", which a VIPR file of a board cannot derive: its rows are cliques"
    )]
    ViprRow {
        /// The formulation.
        formulation: String,
        /// The family.
        family: &'static str,
    },
    /// A row is not used in a proof about dominating sets.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\", which a proof about dominating sets cannot use: its rows are lines and the squares that attack or occupy a square"
    )]
    CoverRow {
        /// The formulation.
        formulation: String,
        /// The family.
        family: &'static str,
    },
    /// The formulation does not suit the board.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A right-hand side is smaller than the maximum of its box.
    #[error("the bound {bound} on {board} is wrong: a placement of more queens was found")]
    WrongBound {
        /// The box.
        board: String,
        /// Its bound.
        bound: u64,
    },
}

impl ProofError {
    /// Returns `true` if the system or a program failed, and `false` if the question cannot be answered.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::NotAMaximum(_)
            | Self::TooLarge { .. }
            | Self::Row { .. }
            | Self::ViprRow { .. }
            | Self::CoverRow { .. }
            | Self::Model(_) => false,
            Self::Search(SearchError::Backend(fault)) => fault.is_failure(),
            Self::Search(SearchError::Write(_)) | Self::WrongBound { .. } => true,
        }
    }
}

impl From<io::Error> for ProofError {
    fn from(fault: io::Error) -> Self {
        Self::Search(fault.into())
    }
}

/// Refuses what [`prove`] refuses before it searches; with `is_vipr`, what [`prove_vipr`] refuses.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, or a row cannot stand in a proof.
pub fn ensure_rows(
    problem: &Problem<'_>,
    target: u64,
    included: &[Square],
    is_vipr: bool,
) -> Result<(), ProofError> {
    problem.ensure_provable()?;
    let piece = if is_vipr { None } else { problem.board.plain_box().map(|grid| grid.piece()) };
    let rows = rows(problem, problem.variant(target, included), piece);
    rows.map(|_| ()).map_err(|fault| if is_vipr { of_vipr(fault) } else { fault })
}

/// Returns the fault of a VIPR file in place of that of a proof tree.
fn of_vipr(fault: ProofError) -> ProofError {
    match fault {
        ProofError::Row { formulation, family } => ProofError::ViprRow { formulation, family },
        fault => fault,
    }
}

/// Searches for `target` queens by branch and bound on the LP of a formulation, and writes a proof file to `out` if it finishes:
/// at most `refuted` − 1 queens fit. Solutions are squares of the given board.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, a row cannot stand in a proof, HiGHS fails, or the proof cannot
/// be written.
pub fn prove(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    problem.ensure_provable()?;
    let board = problem.board;
    let Some(grid) = board.plain_box() else {
        let mut tree = SpooledTempFile::new(HELD_IN_MEMORY);
        let (rows, _) = rows(problem, problem.variant(target, &[]), None)?;
        let found = search(board, rows, target, settings, &mut tree)?;
        if found.end == End::Finished {
            write!(out, "{}search {}\norder lexicographic\n", head(board.name()), found.refuted - 1)?;
            copy(&mut tree, out)?;
            conclude(out, found.refuted - 1)?;
        }
        return Ok(found);
    };
    let sorted = Board::new(&board.name().sorted());
    let mut claims =
        Claims { problem, settings, piece: grid.piece(), bounds: BTreeMap::new(), text: Vec::new() };
    let mut tree = SpooledTempFile::new(HELD_IN_MEMORY);
    let variant = problem.variant(target, &[]);
    let (rows, boxes) = rows(&Problem { board: &sorted, ..*problem }, variant, Some(claims.piece))?;
    let mut found = search(&sorted, rows, target, settings, &mut tree)?;
    if found.end == End::Finished {
        for (sides, bound) in boxes {
            if let Some(end) = claims.prove_box(&sides, bound, &mut found)? {
                return Ok(Search { end, ..found });
            }
        }
        write!(out, "{}", head(board.name()))?;
        out.write_all(&claims.text)?;
        write_box(out, &sides_of(&sorted), found.refuted - 1, "search\norder lexicographic")?;
        copy(&mut tree, out)?;
        conclude(out, found.refuted - 1)?;
    }
    found.solution = found.solution.map(|squares| turned(&sorted, board, &squares));
    Ok(found)
}

/// Searches as [`prove`] does, and writes a VIPR file to `out` if it finishes.
///
/// `lines` are the lines of the board in the order of the checker's program. `head` returns the program with the row that asks
/// for a number of queens, and with the symmetry rows of some representatives. Symmetries are used at the root only.
///
/// # Errors
/// Those of [`prove`].
pub fn prove_vipr(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    lines: &[Vec<usize>],
    head: &dyn Fn(u64, &[usize]) -> io::Result<ViprHead>,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    problem.ensure_provable()?;
    let board = problem.board;
    let variant = problem.variant(target, settings.included);
    let (rows, _) = rows(problem, variant, None).map_err(of_vipr)?;
    let is_box = board.plain_box().is_some();
    let symmetry = match settings.symmetry {
        Symmetry::EveryNode | Symmetry::Root if is_box && settings.included.is_empty() => Symmetry::Root,
        _ => Symmetry::Nowhere,
    };
    let settings = Settings { symmetry, ..*settings };
    let (graph, group) = (board.graph(), group_of(board, symmetry));
    let mut writer = ViprWriter::new(board.size(), lines, settings.included);
    let found = search_with(&mut writer, (&graph, &group), rows, target, &settings)?;
    if found.end == End::Finished {
        let head = head(found.refuted, writer.representatives())?;
        writer.finish(&head, out)?;
    }
    Ok(found)
}

fn copy(tree: &mut SpooledTempFile, out: &mut dyn Write) -> io::Result<()> {
    tree.seek(SeekFrom::Start(0))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match tree.read(&mut buffer)? {
            0 => return Ok(()),
            read => out.write_all(&buffer[..read])?,
        }
    }
}

fn conclude(out: &mut dyn Write, at_most: u64) -> io::Result<()> {
    write!(out, "at most {at_most}\nend\n")?;
    out.flush()
}

fn write_box(out: &mut dyn Write, sides: &[u32], bound: u64, reason: &str) -> io::Result<()> {
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    writeln!(out, "box {} {bound} {reason}", sides.join("x"))
}

fn sides_of(board: &Board) -> Vec<u32> {
    board.plain_box().expect("only plain boxes have claims").sides().to_vec()
}

/// Returns the squares of the sorted box as squares of the given one.
fn turned(sorted: &Board, board: &Board, squares: &[Square]) -> Vec<Square> {
    let sides = sides_of(board);
    let mut axes: Vec<usize> = (0..sides.len()).collect();
    axes.sort_by_key(|&axis| sides[axis]);
    let turn = |square: Square| {
        let coordinates = sorted.coordinates(square);
        let mut image = vec![0; sides.len()];
        axes.iter().zip(coordinates).for_each(|(&axis, x)| image[axis] = x);
        board.square(&image).expect("the axes have the same sides")
    };
    squares.iter().map(|&square| turn(square)).collect()
}

/// Boxes with bounds, by sorted sides.
type Boxes = BTreeMap<Vec<u32>, u64>;

/// Returns the rows of the program, and the bounds of the boxes that they need.
fn rows(
    problem: &Problem<'_>,
    variant: Variant,
    piece: Option<Piece>,
) -> Result<(Vec<Row>, Boxes), ProofError> {
    let Problem { board, formulation, bounds, memory } = *problem;
    let model = Model::new(board, formulation, variant, bounds, memory)?;
    let (mut rows, mut boxes) = (Vec::new(), Boxes::new());
    // The row with the number of queens is the target of the search.
    for row in model.rows().filter(|row| row.tag.family != "size") {
        let refused = || ProofError::Row { formulation: formulation.name.clone(), family: row.tag.family };
        let is_sum = row.coefficients.as_ref().is_none_or(|all| all.iter().all(|&one| one == 1));
        let rhs = u32::try_from(row.rhs).map_err(|_| refused())?;
        // All lines of a full solution have a queen if there are enough queens.
        let is_line_of_full = formulation.full && row.comparison == Comparison::Equal && rhs == 1;
        if !is_sum || row.comparison != Comparison::AtMost && !is_line_of_full {
            return Err(refused());
        }
        if rhs == 1 && is_clique(board, &row.columns) {
            rows.push(Row::clique(row.columns));
            continue;
        }
        let ranges = piece.and_then(|_| ranges(board, &row.columns)).ok_or_else(refused)?;
        if row.columns.len() == board.size() {
            // The bound of the board itself is what is to be proved.
            continue;
        }
        let mut sides: Vec<u32> = ranges.iter().map(|(from, to)| to - from + 1).collect();
        sides.sort_unstable();
        let bound = boxes.entry(sides).or_insert(u64::from(rhs));
        *bound = (*bound).min(u64::from(rhs));
        let term: Vec<String> = ranges.iter().map(|(from, to)| format!("{from}-{to}")).collect();
        rows.push(Row { squares: row.columns, rhs, term: Some(term.join("x")) });
    }
    Ok((rows, boxes))
}

/// Refuses a formulation of dominating sets with rows other than lines and the squares that attack or occupy a square, and a board that is
/// too large for the checker.
///
/// # Errors
/// Returns an error if it does, or if the formulation does not suit the board.
pub fn ensure_cover_rows(problem: &Problem<'_>, included: &[Square]) -> Result<(), ProofError> {
    let Problem { board, formulation, bounds, memory } = *problem;
    problem.ensure_small()?;
    let variant = Variant { include: included.to_vec(), ..Variant::of(Goal::Optimise) };
    let model = Model::new(board, formulation, variant, bounds, memory)?;
    for row in model.rows() {
        let is_sum = row.coefficients.as_ref().is_none_or(|all| all.iter().all(|&one| one == 1));
        let is_valid = match row.comparison {
            Comparison::AtMost => is_clique(board, &row.columns),
            Comparison::AtLeast => row.tag.family == "domination",
            Comparison::Equal => false,
        };
        if !is_sum || row.rhs != 1 || !is_valid {
            return Err(ProofError::CoverRow {
                formulation: formulation.name.clone(),
                family: row.tag.family,
            });
        }
    }
    Ok(())
}

fn is_clique(board: &Board, squares: &[Square]) -> bool {
    let mut pairs = squares.iter().enumerate().flat_map(|(k, &a)| squares[..k].iter().map(move |&b| (a, b)));
    pairs.all(|(a, b)| board.attacks(a, b))
}

/// Returns the first and last coordinate along each axis if the squares are all squares of a box.
fn ranges(board: &Board, squares: &[Square]) -> Option<Vec<(u32, u32)>> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &square in squares {
        let coordinates = board.coordinates(square);
        if ranges.is_empty() {
            ranges = coordinates.iter().map(|&x| (x, x)).collect();
        }
        for (range, &x) in ranges.iter_mut().zip(&coordinates) {
            *range = (range.0.min(x), range.1.max(x));
        }
    }
    let inside: usize = ranges.iter().map(|(from, to)| (to - from + 1) as usize).product();
    (inside == squares.len() && !ranges.is_empty()).then_some(ranges)
}

/// Proved bounds of boxes, with their lines in the proof file.
struct Claims<'a> {
    problem: &'a Problem<'a>,
    settings: &'a Settings<'a>,
    piece: Piece,
    bounds: Boxes,
    text: Vec<u8>,
}

impl Claims<'_> {
    /// Proves that no more than `bound` queens fit on a box, unless that was proved before. Returns why not if the search was
    /// stopped. Adds the counts to those of `found`.
    fn prove_box(
        &mut self,
        sides: &[u32],
        bound: u64,
        found: &mut Search,
    ) -> Result<Option<End>, ProofError> {
        if self.bounds.get(sides).is_some_and(|&proved| proved <= bound) {
            return Ok(None);
        }
        let (longest, others) = sides.split_last().expect("a box has sides");
        let lines: u64 = others.iter().map(|&side| u64::from(side)).product();
        let is_single = *longest == 1 && lines == 1;
        if lines <= bound && (self.piece != Piece::Bishop || is_single) {
            write_box(&mut self.text, sides, bound, "lines")?;
        } else {
            let board = Board::new(&BoardName::grid(self.piece, false, sides));
            let problem = Problem { board: &board, ..*self.problem };
            let (rows, boxes) = rows(&problem, problem.variant(bound + 1, &[]), Some(self.piece))?;
            let mut tree = SpooledTempFile::new(HELD_IN_MEMORY);
            let settings = Settings { first_solution: true, ..*self.settings };
            let lemma = search(&board, rows, bound + 1, &settings, &mut tree)?;
            found.statistics.add(&lemma.statistics);
            match lemma.end {
                End::Finished => {}
                End::Found => return Err(ProofError::WrongBound { board: board.name().to_string(), bound }),
                end @ End::Stopped(_) => return Ok(Some(end)),
            }
            for (sides, bound) in boxes {
                if let Some(end) = self.prove_box(&sides, bound, found)? {
                    return Ok(Some(end));
                }
            }
            write_box(&mut self.text, sides, bound, "search\norder lexicographic")?;
            copy(&mut tree, &mut self.text)?;
        }
        self.bounds.insert(sides.to_vec(), bound);
        Ok(None)
    }
}
