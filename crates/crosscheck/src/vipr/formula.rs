//! The integer program of a board, as the sections VER, VAR, INT, OBJ and CON of a VIPR file.
//!
//! ```text
//! % ndqueens vipr 1
//! % board 2x2
//! % symmetry 0
//! % at least 2
//! VER 1.0
//! VAR 4
//! x0 x1 x2 x3
//! INT 4
//! 0 1 2 3
//! OBJ max
//! 4 0 1 1 1 2 1 3 1
//! CON 18 8
//! l0 G 0 1 0 1
//! ...
//! u3 L 1 1 3 1
//! r0 L 1 2 0 1 1 1
//! ...
//! s1 L 0 2 1 1 0 -1
//! ...
//! k G 2 OBJ
//! ```
//!
//! The constraints are numbered from 0 in this order: the lower bounds `x_v >= 0` of all `n` squares, their
//! upper bounds `x_v <= 1`, a row for each line of the board, a row for each square that must be attacked or
//! occupied, the rows of the lines `% include` and `% symmetry`, and the row of the line `% at least` or `%
//! at most`. Programs of dominating sets have no rows for lines, and programs of independent sets have no
//! rows for squares.
//! `docs/vipr.md` describes the rows and shows why the symmetry rows are sound.

use std::io::{self, Write};

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;

use crate::boards::{Definition, definition};
use crate::graph::{Graph, InconsistentDefinition, TooManySquares, narrow};
use crate::reader;
use crate::rows::rows;
use crate::stop::Stop;

/// First line of a file that has the program in the order of [`IntegerProgram::write`].
pub(super) const HEADER: &str = "% ndqueens vipr 1";
/// First line of a file that has the program in another order, as solvers write it.
pub(super) const HEADER_OF_SOLVERS: &str = "% ndqueens vipr 2";
pub(super) const BOARD: &str = "% board ";
pub(super) const DIGEST: &str = "% digest sha256 ";
pub(super) const PROBLEM: &str = "% problem ";
pub(super) const INCLUDE: &str = "% include ";
pub(super) const SYMMETRY: &str = "% symmetry ";
pub(super) const AT_LEAST: &str = "% at least ";
pub(super) const AT_MOST: &str = "% at most ";
/// Version line that is written.
const VERSION: &str = "VER 1.0";
/// Version lines that are accepted.
pub(super) const VERSIONS: [&str; 2] = [VERSION, "VER 1.1"];

/// Maximum number of lines of the board of a program.
pub const MAX_LINES: usize = 1 << 21;

/// Reason why the integer program of a board was not created.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramError, ProgramForm};
/// use ndqueens_notation::certificate::Problem;
///
/// let form = ProgramForm {
///     problem: Problem::NoThreeInLine,
///     included: Vec::new(),
///     limit: None,
///     representatives: Vec::new(),
/// };
/// let refused = IntegerProgram::of(&"2^2".parse()?, form).expect_err("another problem");
/// assert!(matches!(refused, ProgramError::OtherProblem(Problem::NoThreeInLine)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The board has too many squares.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// The board has too many lines.
    #[error("the board has more than {MAX_LINES} lines")]
    TooManyLines,
    /// The work was stopped from outside.
    #[error("the work was stopped before its end")]
    Stopped,
    /// The requested symmetry rows are invalid.
    #[error("{0}")]
    Symmetry(String),
    /// The requested squares cannot be included.
    #[error("{0}")]
    Include(String),
    /// The problem is neither about independent nor about dominating sets.
    #[error("a VIPR file of a board is about independent or dominating sets, not about {0}s")]
    OtherProblem(Problem),
    /// The constraint requires at least 0 squares, which every placement satisfies.
    #[error("the program of at least 0 squares always has a solution")]
    AtLeastZero,
    /// The definition of the board is inconsistent, which is a fault of this program.
    #[error("the lines or symmetries of {board} are wrong, which is a fault of ndq: {fault}")]
    Definition {
        /// The board.
        board: BoardName,
        /// Inconsistency.
        #[source]
        fault: InconsistentDefinition,
    },
}

/// Direction of a constraint.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm, Relation};
/// use ndqueens_notation::certificate::Problem;
///
/// let form = ProgramForm {
///     problem: Problem::IndependentSet,
///     included: Vec::new(),
///     limit: None,
///     representatives: Vec::new(),
/// };
/// let program = IntegerProgram::of(&"2^2".parse()?, form)?;
/// assert_eq!(program.row(program.line(0)).map(|row| row.relation), Some(Relation::AtMost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Left-hand side equal to the right-hand side.
    Equal,
    /// Left-hand side at most the right-hand side.
    AtMost,
    /// Left-hand side at least the right-hand side.
    AtLeast,
}

impl Relation {
    /// Returns the sign of the relation in messages.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::AtMost => "<=",
            Self::AtLeast => ">=",
        }
    }

    /// Returns the relation between the negated sides.
    pub(super) fn negate(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::AtMost => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
        }
    }
}

/// Constraint of the program.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm};
/// use ndqueens_notation::certificate::Problem;
///
/// let form = ProgramForm {
///     problem: Problem::IndependentSet,
///     included: Vec::new(),
///     limit: None,
///     representatives: Vec::new(),
/// };
/// let program = IntegerProgram::of(&"2^2".parse()?, form)?;
/// let row = program.row(program.line(0)).expect("a line");
/// assert_eq!((row.terms.len(), row.right), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRow {
    /// Squares with their coefficients.
    pub terms: Vec<(u32, i64)>,
    /// Direction.
    pub relation: Relation,
    /// Right-hand side.
    pub right: u64,
}

/// Question of a program about its board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm};
/// use ndqueens_notation::certificate::Problem;
///
/// let form = ProgramForm {
///     problem: Problem::IndependentSet,
///     included: Vec::new(),
///     limit: None,
///     representatives: Vec::new(),
/// };
/// let program = IntegerProgram::of(&"2^2".parse()?, form)?;
/// assert_eq!(program.form().limit, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProgramForm {
    /// Properties of a solution. The size of independent sets is maximised, that of dominating sets
    /// minimised.
    pub problem: Problem,
    /// Squares that every solution contains, in increasing order.
    pub included: Vec<usize>,
    /// Limit on the number of squares of a solution: from below for independent sets, from above for
    /// dominating sets.
    pub limit: Option<u64>,
    /// Representatives of orbits with symmetry rows: squares of different orbits, in the order in which a
    /// proof branches on them.
    pub representatives: Vec<usize>,
}

/// Integer program of a board: maximise the number of squares such that no two attack each other, or minimise
/// the number of squares that attack or occupy every square.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm};
/// use ndqueens_notation::certificate::Problem;
///
/// let form = ProgramForm {
///     problem: Problem::IndependentSet,
///     included: Vec::new(),
///     limit: None,
///     representatives: Vec::new(),
/// };
/// let program = IntegerProgram::of(&"2^2".parse()?, form)?;
/// assert!(program.maximises() && program.squares().len() == 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct IntegerProgram {
    board: BoardName,
    graph: Graph,
    lines: Vec<Vec<usize>>,
    form: ProgramForm,
    /// Squares that have a symmetry row, each with the place of its orbit among the representatives.
    symmetry_rows: Vec<(usize, usize)>,
}

/// Part of the program to which a constraint belongs, with its place there.
enum Part {
    LowerBound(usize),
    UpperBound(usize),
    Line(usize),
    Cover(usize),
    Included(usize),
    Symmetry(usize),
    Limit(u64),
}

impl IntegerProgram {
    /// Creates the program of independent sets of a board, with a constraint that requires `at_least`
    /// squares, if given, and with the symmetry rows of `representatives`: squares of different orbits, in
    /// the order in which a proof branches on them.
    ///
    /// # Errors
    /// Returns an error if the board has too many squares or lines, `at_least` is 0, two representatives are
    /// in the same orbit, or there are representatives and the board is not a plain box.
    pub fn new(
        board: &BoardName,
        at_least: Option<u64>,
        representatives: &[usize],
    ) -> Result<Self, ProgramError> {
        let form = ProgramForm {
            limit: at_least,
            representatives: representatives.to_vec(),
            ..ProgramForm::default()
        };
        Self::of(board, form)
    }

    /// Creates the program of a board for the question `form`.
    ///
    /// # Errors
    /// Returns an error in the cases listed for [`Self::new`], or if a square cannot be included.
    pub fn of(board: &BoardName, form: ProgramForm) -> Result<Self, ProgramError> {
        Self::of_with_stop(&|| false, board, form)
    }

    /// Creates a program as [`Self::of`] does. Returns [`ProgramError::Stopped`] if `stop` returns `true`.
    pub(super) fn of_with_stop(
        stop: Stop<'_>,
        board: &BoardName,
        form: ProgramForm,
    ) -> Result<Self, ProgramError> {
        if form.problem == Problem::NoThreeInLine {
            return Err(ProgramError::OtherProblem(form.problem));
        }
        if form.problem == Problem::IndependentSet && form.limit == Some(0) {
            return Err(ProgramError::AtLeastZero);
        }
        let definition = definition(board);
        let graph = Graph::new(&*definition)?;
        let inconsistent = |fault| ProgramError::Definition { board: board.clone(), fault };
        let admits = |lines: usize| lines <= MAX_LINES && !(lines.is_multiple_of(256) && stop());
        let lines = match form.problem {
            Problem::DominatingSet | Problem::NoThreeInLine => Vec::new(),
            Problem::IndependentSet | Problem::IndependentDominatingSet => {
                match rows(&*definition, &graph, &admits).map_err(inconsistent)? {
                    Some(lines) => lines,
                    None if stop() => return Err(ProgramError::Stopped),
                    None => return Err(ProgramError::TooManyLines),
                }
            }
        };
        check_inclusions(&form, &graph)?;
        let symmetry_rows = match form.representatives.as_slice() {
            [] => Vec::new(),
            _ if !matches!(board, BoardName::Grid { torus: false, .. }) => {
                let words = format!("symmetry rows are for plain boxes, and {board} is another board");
                return Err(ProgramError::Symmetry(words));
            }
            _ if !form.included.is_empty() => {
                let words = "a program with included squares has no symmetry rows".to_owned();
                return Err(ProgramError::Symmetry(words));
            }
            representatives => {
                let orbits = orbits(&*definition, &graph).map_err(inconsistent)?;
                symmetry_rows(&orbits, representatives)?
            }
        };
        Ok(Self { board: board.clone(), graph, lines, form, symmetry_rows })
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the squares in the order of their numbers, which are those of the variables.
    #[must_use]
    pub fn squares(&self) -> &[Vec<u32>] {
        self.graph.squares()
    }

    /// Returns the question.
    #[must_use]
    pub fn form(&self) -> &ProgramForm {
        &self.form
    }

    /// Returns `true` if the number of squares is maximised, and `false` if it is minimised.
    #[must_use]
    pub fn maximises(&self) -> bool {
        self.form.problem == Problem::IndependentSet
    }

    /// Returns the lines of the board, each with its squares in increasing order. The list is empty if
    /// solutions may have squares that attack each other.
    #[must_use]
    pub fn lines(&self) -> &[Vec<usize>] {
        &self.lines
    }

    /// Returns the squares that have a symmetry row, in the order of these rows, each with the number of its
    /// orbit: 0 for the orbit of the first representative.
    #[must_use]
    pub fn symmetry_rows(&self) -> &[(usize, usize)] {
        &self.symmetry_rows
    }

    /// Returns the number of constraints, which is the index of the first derived one.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.symmetry_row(0) + self.symmetry_rows.len() + usize::from(self.form.limit.is_some())
    }

    /// Returns the index of the constraint `x_square >= 0`.
    #[must_use]
    pub fn lower_bound(&self, square: usize) -> usize {
        square
    }

    /// Returns the index of the constraint `x_square <= 1`.
    #[must_use]
    pub fn upper_bound(&self, square: usize) -> usize {
        self.squares().len() + square
    }

    /// Returns the index of the constraint of a line.
    #[must_use]
    pub fn line(&self, line: usize) -> usize {
        2 * self.squares().len() + line
    }

    /// Returns the index of the constraint that a square is attacked or occupied.
    #[must_use]
    pub fn cover(&self, square: usize) -> usize {
        self.line(self.lines.len()) + square
    }

    /// Returns the index of the constraint that a square is included, given its place among the included
    /// squares.
    #[must_use]
    pub fn inclusion(&self, place: usize) -> usize {
        self.cover(if self.maximises() { 0 } else { self.squares().len() }) + place
    }

    /// Returns the index of a symmetry row, given its place in [`Self::symmetry_rows`].
    #[must_use]
    pub fn symmetry_row(&self, place: usize) -> usize {
        self.inclusion(self.form.included.len()) + place
    }

    /// Returns the part of a constraint, or `None` if the program has no constraint with this index.
    fn part(&self, index: usize) -> Option<Part> {
        let starts = [
            self.lower_bound(0),
            self.upper_bound(0),
            self.line(0),
            self.cover(0),
            self.inclusion(0),
            self.symmetry_row(0),
            self.symmetry_row(self.symmetry_rows.len()),
        ];
        let part = starts.iter().rposition(|&start| start <= index)?;
        let place = index - starts[part];
        Some(match part {
            0 => Part::LowerBound(place),
            1 => Part::UpperBound(place),
            2 => Part::Line(place),
            3 => Part::Cover(place),
            4 => Part::Included(place),
            5 => Part::Symmetry(place),
            _ => Part::Limit(self.form.limit.filter(|_| place == 0)?),
        })
    }

    /// Returns a constraint by its index, or `None` if the program has no such constraint.
    #[must_use]
    pub fn row(&self, index: usize) -> Option<ProgramRow> {
        use Relation::{AtLeast, AtMost};
        let ones = |squares: &[usize]| squares.iter().map(|&square| (narrow(square), 1)).collect();
        let (terms, relation, right) = match self.part(index)? {
            Part::LowerBound(square) => (ones(&[square]), AtLeast, 0),
            Part::UpperBound(square) => (ones(&[square]), AtMost, 1),
            Part::Line(line) => (ones(&self.lines[line]), AtMost, 1),
            Part::Cover(square) => {
                let mut around = self.graph.neighbours(square).clone();
                around.insert(square);
                (ones(&around.ones().collect::<Vec<_>>()), AtLeast, 1)
            }
            Part::Included(place) => (ones(&[self.form.included[place]]), AtLeast, 1),
            Part::Symmetry(place) => {
                let (square, orbit) = self.symmetry_rows[place];
                let others = self.form.representatives[..=orbit].iter().map(|&square| (narrow(square), -1));
                (std::iter::once((narrow(square), 1)).chain(others).collect(), AtMost, 0)
            }
            Part::Limit(limit) => {
                let all = (0..narrow(self.squares().len())).map(|square| (square, 1)).collect();
                (all, if self.maximises() { AtLeast } else { AtMost }, limit)
            }
        };
        Some(ProgramRow { terms, relation, right })
    }

    /// Returns the name of a variable in the models of solvers: `x_` and the coordinates of its square,
    /// separated by `_`.
    pub(super) fn square_name(&self, square: usize) -> String {
        let coordinates: Vec<String> = self.squares()[square].iter().map(u32::to_string).collect();
        format!("x_{}", coordinates.join("_"))
    }

    /// Returns `true` if solutions contain at most one of these squares because each attacks all others.
    pub(super) fn is_clique(&self, squares: &[u32]) -> bool {
        let attack = |a: u32, b: u32| self.graph.neighbours(a as usize).contains(b as usize);
        self.form.problem != Problem::DominatingSet
            && (squares.iter().enumerate()).all(|(place, &a)| squares[..place].iter().all(|&b| attack(a, b)))
    }

    /// Returns `true` if other constraints imply this one: the lower bound of a square that is included.
    pub(super) fn is_implied(&self, index: usize) -> bool {
        matches!(self.part(index), Some(Part::LowerBound(square)) if self.form.included.contains(&square))
    }

    /// Returns the name of a constraint of the program, given its part.
    fn name(&self, part: &Part) -> String {
        match *part {
            Part::LowerBound(square) => format!("l{square}"),
            Part::UpperBound(square) => format!("u{square}"),
            Part::Line(line) => format!("r{line}"),
            Part::Cover(square) => format!("c{square}"),
            Part::Included(place) => format!("i{}", self.form.included[place]),
            Part::Symmetry(place) => format!("s{}", self.symmetry_rows[place].0),
            Part::Limit(_) => "k".to_owned(),
        }
    }

    /// Writes the program: the part of a VIPR file before the section RTP. The derived constraints of the
    /// section DER are numbered from [`Self::constraints`] on.
    ///
    /// # Errors
    /// Returns an error if `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEADER}")?;
        writeln!(out, "{BOARD}{}", reader::escape_controls(&self.board.to_string()))?;
        if let BoardName::File(file) = &self.board {
            writeln!(out, "{DIGEST}{}", file.digest())?;
        }
        let ProgramForm { problem, included, limit, representatives } = &self.form;
        if *problem != Problem::IndependentSet {
            writeln!(out, "{PROBLEM}{problem}")?;
        }
        if !included.is_empty() {
            writeln!(out, "{INCLUDE}{}", join_numbers(included))?;
        }
        if !representatives.is_empty() {
            writeln!(out, "{SYMMETRY}{}", join_numbers(representatives))?;
        }
        if let Some(limit) = limit {
            writeln!(out, "{}{limit}", if self.maximises() { AT_LEAST } else { AT_MOST })?;
        }
        writeln!(out, "{VERSION}")?;
        self.sections(&mut |line| writeln!(out, "{line}"))
    }

    /// Passes each line of the sections VAR, INT, OBJ and CON, without its line feed, to `put`.
    pub(super) fn sections<E>(&self, put: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let n = self.squares().len();
        put(&format!("VAR {n}"))?;
        put(&(0..n).map(|square| format!("x{square}")).collect::<Vec<_>>().join(" "))?;
        put(&format!("INT {n}"))?;
        put(&join_numbers(&(0..n).collect::<Vec<_>>()))?;
        put(if self.maximises() { "OBJ max" } else { "OBJ min" })?;
        put(&format_terms(&(0..narrow(n)).map(|square| (square, 1)).collect::<Vec<_>>()))?;
        put(&format!("CON {} {}", self.constraints(), 2 * n))?;
        for index in 0..self.constraints() {
            let part = self.part(index).expect("there is such a constraint");
            let ProgramRow { terms, relation, right } = self.row(index).expect("there is such a constraint");
            let left = if matches!(part, Part::Limit(_)) { "OBJ".to_owned() } else { format_terms(&terms) };
            let relation = if relation == Relation::AtLeast { 'G' } else { 'L' };
            put(&format!("{} {relation} {right} {left}", self.name(&part)))?;
        }
        Ok(())
    }
}

/// Checks that included squares are on the board, are in increasing order, and do not attack each other in a
/// program of independent sets.
fn check_inclusions(form: &ProgramForm, graph: &Graph) -> Result<(), ProgramError> {
    let ProgramForm { problem, included, .. } = form;
    let most = graph.squares().len().saturating_sub(1);
    if let Some(square) = included.iter().find(|&&square| square > most) {
        let words = format!("there is no square {square}: squares are numbered from 0 to {most}");
        return Err(ProgramError::Include(words));
    }
    if let Some(pair) = included.windows(2).find(|pair| pair[0] >= pair[1]) {
        let words = format!("included squares must increase, but {} follows {}", pair[1], pair[0]);
        return Err(ProgramError::Include(words));
    }
    if *problem == Problem::DominatingSet {
        return Ok(());
    }
    for (place, &a) in included.iter().enumerate() {
        if let Some(b) = included[place..].iter().find(|&&b| graph.neighbours(a).contains(b)) {
            let words = format!("squares {a} and {b} attack each other, so they cannot both be included");
            return Err(ProgramError::Include(words));
        }
    }
    Ok(())
}

fn join_numbers(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Formats the number of terms and the terms.
fn format_terms(terms: &[(u32, i64)]) -> String {
    let number = terms.len().to_string();
    terms.iter().fold(number, |text, (square, coefficient)| text + &format!(" {square} {coefficient}"))
}

/// Returns the smallest square of the orbit of each square under the symmetries of the board. Each symmetry
/// is tested on every pair of squares.
fn orbits(definition: &dyn Definition, graph: &Graph) -> Result<Vec<usize>, InconsistentDefinition> {
    let n = graph.squares().len();
    let mut orbit: Vec<usize> = (0..n).collect();
    for generator in definition.generators().into_iter().flatten() {
        let mut images = Vec::with_capacity(n);
        for square in graph.squares() {
            let mut image = square.clone();
            generator(&mut image);
            images.push(
                graph.squares().binary_search(&image).map_err(|_| InconsistentDefinition::LeavesBoard)?,
            );
        }
        let mut hit = vec![false; n];
        if images.iter().any(|&image| std::mem::replace(&mut hit[image], true)) {
            return Err(InconsistentDefinition::NotInjective);
        }
        for (v, &image) in images.iter().enumerate() {
            if graph.neighbours(v).ones().any(|u| !graph.neighbours(image).contains(images[u])) {
                return Err(InconsistentDefinition::LosesAttack);
            }
        }
        for (v, &image) in images.iter().enumerate() {
            let (a, b) = (orbit[v], orbit[image]);
            if a != b {
                orbit.iter_mut().filter(|least| **least == a.max(b)).for_each(|least| *least = a.min(b));
            }
        }
    }
    Ok(orbit)
}

/// Returns the squares that have a symmetry row, orbit by orbit and in increasing order, each with the place
/// of its orbit.
fn symmetry_rows(orbits: &[usize], representatives: &[usize]) -> Result<Vec<(usize, usize)>, ProgramError> {
    let mut rows = Vec::new();
    for (place, &representative) in representatives.iter().enumerate() {
        let Some(&orbit) = orbits.get(representative) else {
            let words = format!(
                "there is no square {representative}: squares are numbered from 0 to {}",
                orbits.len() - 1
            );
            return Err(ProgramError::Symmetry(words));
        };
        if let Some(other) = representatives[..place].iter().find(|&&other| orbits[other] == orbit) {
            let words = format!(
                "squares {other} and {representative} are in the same orbit; each orbit has one representative"
            );
            return Err(ProgramError::Symmetry(words));
        }
        let in_orbit =
            (0..orbits.len()).filter(|&square| orbits[square] == orbit && square != representative);
        rows.extend(in_orbit.map(|square| (square, place)));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of a program, or `None` if there is no such program.
    fn program(board: &str, at_least: Option<u64>, representatives: &[usize]) -> Option<String> {
        let program = IntegerProgram::new(&board.parse().expect("a board"), at_least, representatives);
        let mut text = Vec::new();
        program.ok()?.write(&mut text).expect("a vector");
        Some(String::from_utf8(text).expect("ASCII"))
    }

    #[test]
    fn writes_all_sections() {
        let text = "% ndqueens vipr 1\n% board 1x3\n% symmetry 1 2\n% at least 2\nVER 1.0\nVAR 3\nx0 x1 x2\nINT 3\n0 1 2\n\
            OBJ max\n3 0 1 1 1 2 1\nCON 9 6\nl0 G 0 1 0 1\nl1 G 0 1 1 1\nl2 G 0 1 2 1\nu0 L 1 1 0 1\nu1 L 1 1 1 1\n\
            u2 L 1 1 2 1\nr0 L 1 3 0 1 1 1 2 1\ns0 L 0 3 0 1 1 -1 2 -1\nk G 2 OBJ\n";
        assert_eq!(program("1x3", Some(2), &[1, 2]).as_deref(), Some(text));
    }

    #[test]
    fn constraints_have_the_stated_indices() {
        let program = IntegerProgram::new(&"3^3".parse().expect("a board"), Some(5), &[13, 4, 1, 0]);
        let program = program.expect("a program");
        let row = |index| program.row(index).expect("a constraint");
        assert_eq!(row(program.lower_bound(26)).terms, [(26, 1)]);
        assert_eq!(row(program.upper_bound(26)).right, 1);
        assert_eq!(row(program.line(0)).terms.len(), program.lines()[0].len());
        let symmetric = program.symmetry_rows();
        assert_eq!(symmetric.len(), 27 - 4);
        assert_eq!(symmetric[0], (10, 1));
        assert_eq!(row(program.symmetry_row(0)).terms, [(10, 1), (13, -1), (4, -1)]);
        assert_eq!(row(program.constraints() - 1).right, 5);
        assert_eq!(program.row(program.constraints()), None);
    }

    #[test]
    fn rejects_invalid_symmetry() {
        for (board, representatives) in
            [("3^2", &[0, 2][..]), ("3^2", &[0, 0]), ("3^2", &[9]), ("torus:3^2", &[0]), ("hex:2", &[0])]
        {
            let program = IntegerProgram::new(&board.parse().expect(board), None, representatives);
            assert!(matches!(program, Err(ProgramError::Symmetry(_))), "{board} {representatives:?}");
        }
        assert!(program("3^2", Some(0), &[]).is_none());
        assert!(program("65^2", None, &[]).is_none());
    }

    #[test]
    fn symmetry_rows_keep_a_maximum_solution() {
        for (board, representatives) in
            [("4^2", &[1, 0, 5][..]), ("4^2", &[5]), ("3x4", &[0, 1, 5, 4]), ("2x2x3", &[1, 0])]
        {
            let name: BoardName = board.parse().expect("a board");
            let plain = IntegerProgram::new(&name, None, &[]).expect("a program");
            let program = IntegerProgram::new(&name, None, representatives).expect("a program");
            let largest = |program: &IntegerProgram| {
                let satisfies = |set: u32| {
                    (0..program.constraints()).filter_map(|index| program.row(index)).all(|row| {
                        let left: i64 =
                            row.terms.iter().filter(|(v, _)| set >> v & 1 == 1).map(|(_, c)| c).sum();
                        match row.relation {
                            Relation::AtMost => left <= row.right as i64,
                            Relation::AtLeast => left >= row.right as i64,
                            Relation::Equal => left == row.right as i64,
                        }
                    })
                };
                let sets = 0..1u32 << program.squares().len();
                sets.filter(|&set| satisfies(set)).map(u32::count_ones).max()
            };
            assert_eq!(largest(&program), largest(&plain), "{board} {representatives:?}");
            assert!(program.constraints() > plain.constraints());
        }
    }
}
