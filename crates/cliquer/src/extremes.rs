//! Largest and smallest total score of finished games, by an integer program over segments.
//!
//! A finished game is a maximum independent set of the graph whose vertices are the segments and whose edges
//! are the crossings. The program has a column `x` for each segment, a column `t` for each set of three dots,
//! and a column `q` for each attainable 4-clique. In every feasible point, a `t` or `q` is 1 if and only if
//! all its segments are drawn; hence the objective is the total score. Further rows are implied and
//! strengthen the LP relaxation:
//!
//! - *face*: a drawn segment has exactly one empty triangle on each of its sides that is
//!   not outside the hull;
//! - *outer*: a triangle has at most one dot inside that is joined to all its corners, because this dot
//!   separates any second one from one of them;
//! - *inner*: hence a dot is joined to all corners of at most one triangle around it;
//! - *nested*: the number of triangles with dots inside is at most the number of dots that are not on the
//!   hull, because each contains a dot that is in no such triangle within it: a corner of one of these, as
//!   otherwise all of them would have its own corners.
//!
//! # References
//! G. B. Dantzig, A. J. Hoffman and T. C. Hu, "Triangulations (tilings) and certain block triangular
//! matrices", Mathematical Programming 31 (1985).

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

use ndqueens_model::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, BackendError, Options, Outcome, Progress, Run};

use crate::board::Board;
use crate::scoring::Scoring;
use crate::triangulation::{
    Census, ScoredTriangulation, improved_triangulation, largest_total, least_total, stacked_triangulation,
};
use crate::verify::{self, NotFinished};

/// Extreme of the total score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtremeKind {
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
}

impl ExtremeKind {
    /// Returns the bound of a theorem on the total scores of a board: [`largest_total`] or [`least_total`].
    #[must_use]
    pub fn bound(self, board: &Board) -> i64 {
        let total = match self {
            Self::Largest => largest_total(board),
            Self::Smallest => least_total(board),
        };
        total as i64
    }

    /// Returns the theorem behind [`ExtremeKind::bound`] as text, for n dots, h of them on the hull.
    #[must_use]
    pub fn theorem(self, scoring: Scoring) -> String {
        let [segment, triangle, four] = scoring.values();
        match self {
            Self::Largest if scoring.values() == Scoring::default().values() => {
                "at most 17n - 12h - 9".to_owned()
            }
            Self::Smallest if scoring.values() == Scoring::default().values() => {
                "at least 9n - 4h - 9".to_owned()
            }
            Self::Largest => {
                format!("at most {segment}(3n - 3 - h) + {triangle}(3n - 2 - 2h) + {four}(n - h)")
            }
            Self::Smallest => format!("at least {segment}(3n - 3 - h) + {triangle}(2n - 2 - h)"),
        }
    }

    /// Returns the tighter of two bounds.
    fn tighter(self, one: i64, other: i64) -> i64 {
        match self {
            Self::Largest => one.min(other),
            Self::Smallest => one.max(other),
        }
    }
}

impl fmt::Display for ExtremeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Largest => "largest",
            Self::Smallest => "smallest",
        })
    }
}

/// Error of a search for an extreme.
#[derive(Debug, thiserror::Error)]
pub enum ExtremesError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The solution is not a finished game.
    #[error("{solver} gave a solution that the independent check refuses: {fault}")]
    Refused {
        /// Name and version of the solver.
        solver: String,
        /// Fault of the solution.
        fault: NotFinished,
    },
    /// The solution is a finished game with another score.
    #[error("{solver} gave a solution of value {claimed}, and the independent check counts {counted}")]
    Miscounted {
        /// Name and version of the solver.
        solver: String,
        /// Objective value that the solver reported.
        claimed: i64,
        /// Total score of the game.
        counted: u32,
    },
    /// The solution does not contain a given segment.
    #[error("{solver} gave a solution without the segment {segment}, which is to be part of it")]
    Lacks {
        /// Name and version of the solver.
        solver: String,
        /// Name of the segment.
        segment: String,
    },
    /// The solver reported infeasibility, although every game ends.
    #[error("{0} says that no game on this board ends, and every game does")]
    NoGame(String),
}

/// Best game found; it has passed the independent check.
#[derive(Debug, Clone)]
pub struct Extreme {
    /// Segments of the game.
    pub segments: Vec<usize>,
    /// Total score of the game.
    pub total: u32,
    /// Bound on all total scores: [`ExtremeKind::bound`], or the bound of the solver, in floating
    /// point, if it is tighter.
    pub bound: i64,
    /// Report of the solver; `None` if it was not called.
    pub run: Option<Run>,
}

impl Extreme {
    /// Creates the extreme of all triangulations from their census.
    ///
    /// # Errors
    /// Returns an error if the independent check rejects the game.
    pub fn from_census(board: &Board, kind: ExtremeKind, census: &Census) -> Result<Self, ExtremesError> {
        const VISIT: &str = "the visit of all triangulations";
        let ScoredTriangulation { segments, total: claimed } = match kind {
            ExtremeKind::Largest => &census.largest,
            ExtremeKind::Smallest => &census.smallest,
        };
        let counted = checked_total(board, segments).map_err(|fault| refusal(VISIT, fault))?;
        let claimed = i64::from(*claimed);
        if i64::from(counted) != claimed {
            return Err(ExtremesError::Miscounted { solver: VISIT.to_owned(), claimed, counted });
        }
        Ok(Self { segments: segments.clone(), total: counted, bound: claimed, run: None })
    }

    /// Returns the justification of the bound: the solver if its bound is tighter than the theorem,
    /// otherwise the theorem.
    #[must_use]
    pub fn justification(&self, board: &Board, kind: ExtremeKind) -> String {
        match &self.run {
            Some(run) if self.bound != kind.bound(board) => {
                format!("floating-point solve, not certified: {}", run.solver)
            }
            _ => format!("theorem: {}", kind.theorem(board.scoring())),
        }
    }

    /// Returns the game as moves: first the segments `drawn`, which it contains, then the others.
    #[must_use]
    pub fn moves(&self, drawn: &[usize]) -> Vec<usize> {
        let rest = self.segments.iter().filter(|segment| !drawn.contains(segment));
        drawn.iter().chain(rest).copied().collect()
    }

    /// Returns `true` if the total score equals the bound.
    #[must_use]
    pub fn is_extreme(&self) -> bool {
        self.bound == i64::from(self.total)
    }
}

/// Integer program of a board.
#[derive(Debug)]
pub struct Model<'b> {
    board: &'b Board,
    kind: ExtremeKind,
    drawn: Vec<usize>,
    columns: Vec<Column>,
    triples: Vec<[usize; 3]>,
    fours: Vec<[usize; 4]>,
}

impl<'b> Model<'b> {
    /// Creates the program for one extreme of the games that contain the segments `drawn`.
    #[must_use]
    pub fn new(board: &'b Board, kind: ExtremeKind, drawn: &[usize]) -> Self {
        let n = board.dots().len();
        let triples: Vec<[usize; 3]> =
            (0..n).flat_map(|a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| [a, b, c]))).collect();
        let fours = board.four_cliques();
        let column = |prefix: char, dots: &[usize], objective| {
            let name = dots.iter().fold(prefix.to_string(), |name, dot| format!("{name}_{dot}"));
            Column { name, objective, lower: 0, upper: 1 }
        };
        let [segment, triangle, four] = board.scoring().values().map(i64::from);
        let columns = (board.segments().iter().map(|dots| column('x', dots, segment)))
            .chain(triples.iter().map(|dots| column('t', dots, triangle)))
            .chain(fours.iter().map(|dots| column('q', dots, four)))
            .collect();
        Self { board, kind, drawn: drawn.to_vec(), columns, triples, fours }
    }

    /// Returns the point of the finished game that consists of these segments.
    fn point(&self, segments: &[usize]) -> Vec<i64> {
        let drawn: HashSet<usize> = segments.iter().copied().collect();
        let joined = |dots: &[usize]| {
            let later = |k: usize| dots[k + 1..].iter();
            let pairs =
                (0..dots.len()).all(|k| later(k).all(|&b| drawn.contains(&self.board.segment(dots[k], b))));
            i64::from(pairs)
        };
        let segments = self.board.segments().iter().map(|dots| joined(dots));
        let triples = self.triples.iter().map(|dots| joined(dots));
        segments.chain(triples).chain(self.fours.iter().map(|dots| joined(dots))).collect()
    }

    /// Returns the column of a segment.
    fn segment(&self, a: usize, b: usize) -> u32 {
        self.board.segment(a, b) as u32
    }

    /// Returns the column of three dots.
    fn triple(&self, mut dots: [usize; 3]) -> u32 {
        dots.sort_unstable();
        let place = self.triples.binary_search(&dots).expect("all triples are columns");
        (self.board.segments().len() + place) as u32
    }

    /// Returns a row for each crossing pair of segments.
    fn crossing_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        (0..self.board.segments().len()).flat_map(|s| {
            let later = self.board.crossing(s).iter().filter(move |&&t| t > s);
            later.map(move |&t| UntaggedRow {
                terms: vec![(s as u32, 1), (t as u32, 1)],
                comparison: Comparison::AtMost,
                rhs: 1,
            })
        })
    }

    /// Returns the row for the number of segments.
    fn move_rows(&self) -> impl Iterator<Item = UntaggedRow> {
        let terms = (0..self.board.segments().len() as u32).map(|s| (s, 1)).collect();
        let rhs = self.board.moves() as i64;
        std::iter::once(UntaggedRow { terms, comparison: Comparison::Equal, rhs })
    }

    /// Returns a row for each given segment.
    fn drawn_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        self.drawn.iter().map(|&segment| UntaggedRow {
            terms: vec![(segment as u32, 1)],
            comparison: Comparison::Equal,
            rhs: 1,
        })
    }

    /// Returns a row for each side of a segment that has empty triangles.
    fn face_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        let dots = 0..self.board.dots().len();
        let is_empty = move |triple| !dots.clone().any(|dot| self.board.is_inside(triple, dot));
        let sides = self.board.segments().iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
        sides.filter_map(move |[a, b]| {
            let left =
                (0..self.board.dots().len()).filter(|c| ![a, b].contains(c) && self.board.is_left(a, b, *c));
            let mut terms: Vec<(u32, i64)> =
                left.map(|c| [a, b, c]).filter(|&t| is_empty(t)).map(|t| (self.triple(t), 1)).collect();
            terms.push((self.segment(a, b), -1));
            (terms.len() > 1).then_some(UntaggedRow { terms, comparison: Comparison::Equal, rhs: 0 })
        })
    }

    /// Returns rows that define the columns of three dots.
    fn triangle_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        self.triples.iter().flat_map(|&[a, b, c]| {
            let parts = [self.segment(a, b), self.segment(a, c), self.segment(b, c)];
            equivalence_rows(self.triple([a, b, c]), &parts, 3)
        })
    }

    /// Returns the attainable 4-cliques with their columns.
    fn numbered_fours(&self) -> impl Iterator<Item = (u32, &[usize; 4])> {
        ((self.board.segments().len() + self.triples.len()) as u32..).zip(&self.fours)
    }

    /// Returns a row for each triangle with several dots inside.
    fn outer_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        let numbered: Vec<(u32, &[usize; 4])> = self.numbered_fours().collect();
        let same = |(_, one): &(u32, &[usize; 4]), (_, other): &(u32, &[usize; 4])| one[..3] == other[..3];
        let rows = numbered.chunk_by(same).filter(|within| within.len() > 1).filter_map(|within| {
            let &[a, b, c, _] = within[0].1;
            let columns = within.iter().map(|(column, _)| *column).collect();
            at_most_row(columns, Some((self.triple([a, b, c]), -1)), 0)
        });
        rows.collect::<Vec<UntaggedRow>>().into_iter()
    }

    /// Returns a row for each dot inside several triangles.
    fn inner_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        (0..self.board.dots().len()).filter_map(|dot| {
            at_most_row(
                self.numbered_fours().filter(|(_, four)| four[3] == dot).map(|(column, _)| column).collect(),
                None,
                1,
            )
        })
    }

    /// Returns the row for the number of triangles with dots inside.
    fn nested_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        let has_dots_inside =
            |triple: [usize; 3]| (0..self.board.dots().len()).any(|dot| self.board.is_inside(triple, dot));
        let triples = self.triples.iter().filter(|&&triple| has_dots_inside(triple));
        let columns = triples.map(|&triple| self.triple(triple)).collect();
        let inner_dots = self.board.dots().len() - self.board.hull().len();
        at_most_row(columns, None, inner_dots as i64).into_iter()
    }

    /// Returns rows that define the columns of four dots.
    fn four_clique_rows(&self) -> impl Iterator<Item = UntaggedRow> + '_ {
        self.numbered_fours().flat_map(|(column, &[a, b, c, inside])| {
            let parts =
                [[a, b, inside], [a, c, inside], [b, c, inside], [a, b, c]].map(|dots| self.triple(dots));
            // The three triangles around the inner dot contain all six segments.
            equivalence_rows(column, &parts, 3)
        })
    }
}

/// Row without its tag.
struct UntaggedRow {
    /// Columns with their coefficients.
    terms: Vec<(u32, i64)>,
    comparison: Comparison,
    rhs: i64,
}

/// Returns the row `sum of columns + further term <= rhs`, or `None` if it has fewer than two terms.
fn at_most_row(columns: Vec<u32>, further_term: Option<(u32, i64)>, rhs: i64) -> Option<UntaggedRow> {
    let terms: Vec<(u32, i64)> = columns.into_iter().map(|column| (column, 1)).chain(further_term).collect();
    (terms.len() > 1).then_some(UntaggedRow { terms, comparison: Comparison::AtMost, rhs })
}

/// Returns rows that make a column 1 if and only if all `parts` are 1, provided that the first `enough`
/// parts imply the others.
fn equivalence_rows(column: u32, parts: &[u32], enough: usize) -> Vec<UntaggedRow> {
    let at_most = |terms, rhs| UntaggedRow { terms, comparison: Comparison::AtMost, rhs };
    let mut rows: Vec<UntaggedRow> =
        parts.iter().map(|&part| at_most(vec![(column, 1), (part, -1)], 0)).collect();
    let terms = parts[..enough].iter().map(|&part| (part, 1)).chain([(column, -1)]).collect();
    rows.push(at_most(terms, enough as i64 - 1));
    rows
}

/// Adds the tags of a family to its rows.
fn tag_rows(family: &'static str, rows: impl Iterator<Item = UntaggedRow>) -> impl Iterator<Item = Row> {
    (0..).zip(rows).map(move |(number, UntaggedRow { mut terms, comparison, rhs })| {
        terms.sort_unstable();
        let (columns, coefficients) = terms.into_iter().unzip();
        Row { tag: Tag { family, number }, columns, coefficients: Some(coefficients), comparison, rhs }
    })
}

impl Program for Model<'_> {
    fn name(&self) -> String {
        format!("cliquer_{}", self.kind)
    }

    fn sense(&self) -> Sense {
        match self.kind {
            ExtremeKind::Largest => Sense::Maximise,
            ExtremeKind::Smallest => Sense::Minimise,
        }
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        Box::new(
            tag_rows("crossing", self.crossing_rows())
                .chain(tag_rows("moves", self.move_rows()))
                .chain(tag_rows("drawn", self.drawn_rows()))
                .chain(tag_rows("face", self.face_rows()))
                .chain(tag_rows("outer", self.outer_rows()))
                .chain(tag_rows("inner", self.inner_rows()))
                .chain(tag_rows("nested", self.nested_rows()))
                .chain(tag_rows("triangle", self.triangle_rows()))
                .chain(tag_rows("four-clique", self.four_clique_rows())),
        )
    }

    fn remarks(&self) -> Vec<String> {
        let dots: Vec<String> = self.board.dots().iter().map(ToString::to_string).collect();
        vec![
            format!("the {} total score of a finished game of CliqueR", self.kind),
            format!("dots {}", dots.join(" ")),
            "x_a_b: dots a and b are joined; t_a_b_c, q_a_b_c_d: three, four dots are".to_owned(),
        ]
    }
}

/// Finds an extreme game among those that contain the segments `drawn`, which must not cross.
///
/// Returns the game of a construction or a local search if its total score attains the bound of the theorem,
/// and otherwise the answer of HiGHS. The game has passed the independent check.
///
/// # Errors
/// Returns an error if HiGHS fails, or if its answer is wrong.
pub fn extreme(
    board: &Board,
    kind: ExtremeKind,
    drawn: &[usize],
    options: &Options,
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Extreme, ExtremesError> {
    let known = match kind {
        ExtremeKind::Largest if drawn.is_empty() => stacked_triangulation(board),
        ExtremeKind::Largest => improved_triangulation(board, drawn, |new, old| new > old),
        ExtremeKind::Smallest => improved_triangulation(board, drawn, |new, old| new < old),
    };
    let total = checked_total(board, &known).map_err(|fault| refusal("the program", fault))?;
    let bound = kind.bound(board);
    let known = Extreme { segments: known, total, bound, run: None };
    if known.is_extreme() { Ok(known) } else { solve_from(board, kind, drawn, known, options, monitor) }
}

/// Solves the integer program with HiGHS, starting from a known game.
fn solve_from(
    board: &Board,
    kind: ExtremeKind,
    drawn: &[usize],
    known: Extreme,
    options: &Options,
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Extreme, ExtremesError> {
    let model = Model::new(board, kind, drawn);
    let options = Options { start: Some(model.point(&known.segments)), ..options.clone() };
    let run = Highs.solve(&Ilp::of(&model), &options, monitor)?;
    let (solution, bound) = match &run.outcome {
        Outcome::Optimal { solution, value } => (Some((solution, *value)), Some(*value)),
        Outcome::Feasible { solution, value, bound } => (Some((solution, *value)), *bound),
        Outcome::Unknown { bound } => (None, *bound),
        Outcome::Infeasible => return Err(ExtremesError::NoGame(run.solver)),
    };
    let bound = bound.map_or(known.bound, |bound| kind.tighter(known.bound, bound));
    let Some((solution, claimed)) = solution else { return Ok(Extreme { bound, run: Some(run), ..known }) };
    let segments: Vec<usize> = (0..board.segments().len()).filter(|&s| solution[s] == 1).collect();
    let solver = run.solver.clone();
    if let Some(&missing) = drawn.iter().find(|segment| !segments.contains(segment)) {
        return Err(ExtremesError::Lacks { solver, segment: board.name(missing) });
    }
    let total = checked_total(board, &segments).map_err(|fault| refusal(&solver, fault))?;
    if i64::from(total) != claimed {
        return Err(ExtremesError::Miscounted { solver, claimed, counted: total });
    }
    Ok(Extreme { segments, total, bound, run: Some(run) })
}

/// Returns the total score of a finished game by the independent check.
fn checked_total(board: &Board, segments: &[usize]) -> Result<u32, NotFinished> {
    let ends: Vec<[usize; 2]> = segments.iter().map(|&segment| board.segments()[segment]).collect();
    verify::total(board.dots(), &ends, board.scoring().values())
}

/// Creates the error for a solution that the independent check rejects.
fn refusal(solver: &str, fault: NotFinished) -> ExtremesError {
    ExtremesError::Refused { solver: solver.to_owned(), fault }
}
