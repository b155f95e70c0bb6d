//! The largest and the smallest total score of finished games, as an integer program over segments.
//!
//! A finished game is a largest set of segments that do not cross: an independent set of the graph of crossings. Besides a
//! column `x` for each segment there is one, `t`, for each set of three dots, and one, `q`, for each set of four that can be
//! joined completely. In every feasible point, a `t` or `q` is 1 just when all its segments are drawn, so that the objective is
//! the total score. More rows are implied and make the LP relaxation strong:
//!
//! - *face*: a segment that is drawn has just one empty triangle on each of its sides that is not outside the hull;
//! - *outer*: a triangle has at most one dot inside that is joined to all its corners, for a second one would be cut off
//!   from one of them;
//! - *inner*: so a dot is joined to all corners of at most one triangle round it;
//! - *nested*: triangles with dots inside are no more than the dots that are not on the hull, for each has a dot inside that is
//!   in no such triangle within it: a corner of one of these, or all of them would have its own corners.
//!
//! # References
//! G. B. Dantzig, A. J. Hoffman and T. C. Hu, "Triangulations (tilings) and certain block triangular matrices", Mathematical
//! Programming 31 (1985).

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;

use ndqueens_model::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, BackendError, Options, Outcome, Progress, Run};

use crate::board::Board;
use crate::scoring::Scoring;
use crate::triangulation::{Census, improved, largest_total, least_total, stacked};
use crate::verify::{self, NotFinished};

/// Which total score is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExtremeKind {
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
}

impl ExtremeKind {
    /// What no total score on a board is beyond, by theorem: [`largest_total`] or [`least_total`].
    #[must_use]
    pub fn bound(self, board: &Board) -> i64 {
        let total = match self {
            Self::Largest => largest_total(board),
            Self::Smallest => least_total(board),
        };
        total as i64
    }

    /// Returns the theorem that [`ExtremeKind::bound`] is, for n dots, h of them on the hull.
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

    /// The tighter of two bounds.
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

/// Why there is no extreme.
#[derive(Debug, thiserror::Error)]
pub enum ExtremesError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The solution is no finished game.
    #[error("{solver} gave a solution that the independent check refuses: {fault}")]
    Refused {
        /// Name and version of the solver.
        solver: String,
        /// What is wrong with it.
        fault: NotFinished,
    },
    /// The solution is a finished game with another score.
    #[error("{solver} gave a solution of value {claimed}, and the independent check counts {counted}")]
    Miscounted {
        /// Name and version of the solver.
        solver: String,
        /// The objective.
        claimed: i64,
        /// The score of the game.
        counted: u32,
    },
    /// The solution lacks a segment that is to be drawn.
    #[error("{solver} gave a solution without the segment {segment}, which is to be part of it")]
    Lacks {
        /// Name and version of the solver.
        solver: String,
        /// The segment.
        segment: String,
    },
    /// There are always finished games.
    #[error("{0} says that no game on this board ends, and every game does")]
    NoGame(String),
}

/// The best game that was found, checked.
#[derive(Debug, Clone)]
pub struct Extreme {
    /// Its segments.
    pub segments: Vec<usize>,
    /// Its total score.
    pub total: u32,
    /// What no total score is beyond: [`ExtremeKind::bound`], or what the solver has proved in floating point where that says more.
    pub bound: i64,
    /// The backend's account; none when there was nothing left to ask.
    pub run: Option<Run>,
}

impl Extreme {
    /// The best game among all triangulations, which a census has visited.
    ///
    /// # Errors
    /// When the independent check refuses the game.
    pub fn of_census(board: &Board, side: ExtremeKind, census: &Census) -> Result<Self, ExtremesError> {
        const VISIT: &str = "the visit of all triangulations";
        let (segments, claimed) = match side {
            ExtremeKind::Largest => &census.largest,
            ExtremeKind::Smallest => &census.smallest,
        };
        let counted = total(board, segments).map_err(|fault| refused(VISIT, fault))?;
        let claimed = i64::from(*claimed);
        if i64::from(counted) != claimed {
            return Err(ExtremesError::Miscounted { solver: VISIT.to_owned(), claimed, counted });
        }
        Ok(Self { segments: segments.clone(), total: counted, bound: claimed, run: None })
    }

    /// What shows the bound: the solver where it says more than the theorem.
    #[must_use]
    pub fn shown_by(&self, board: &Board, side: ExtremeKind) -> String {
        match &self.run {
            Some(run) if self.bound != side.bound(board) => {
                format!("floating-point solve, not certified: {}", run.solver)
            }
            _ => format!("theorem: {}", side.theorem(board.scoring())),
        }
    }

    /// The game as moves: first these segments, which it draws, then the others.
    #[must_use]
    pub fn moves(&self, drawn: &[usize]) -> Vec<usize> {
        let rest = self.segments.iter().filter(|segment| !drawn.contains(segment));
        drawn.iter().chain(rest).copied().collect()
    }

    /// Whether no game goes beyond this one.
    #[must_use]
    pub fn is_extreme(&self) -> bool {
        self.bound == i64::from(self.total)
    }
}

/// The integer program of a board.
#[derive(Debug)]
pub struct Model<'b> {
    board: &'b Board,
    side: ExtremeKind,
    drawn: Vec<usize>,
    columns: Vec<Column>,
    triples: Vec<[usize; 3]>,
    fours: Vec<[usize; 4]>,
}

impl<'b> Model<'b> {
    /// The program for this side of the games that draw these segments, among others.
    #[must_use]
    pub fn new(board: &'b Board, side: ExtremeKind, drawn: &[usize]) -> Self {
        let n = board.dots().len();
        let triples: Vec<[usize; 3]> =
            (0..n).flat_map(|a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| [a, b, c]))).collect();
        let fours = board.four_cliques();
        let column = |kind: char, dots: &[usize], objective| {
            let name = dots.iter().fold(kind.to_string(), |name, dot| format!("{name}_{dot}"));
            Column { name, objective, lower: 0, upper: 1 }
        };
        let [segment, triangle, four] = board.scoring().values().map(i64::from);
        let columns = (board.segments().iter().map(|dots| column('x', dots, segment)))
            .chain(triples.iter().map(|dots| column('t', dots, triangle)))
            .chain(fours.iter().map(|dots| column('q', dots, four)))
            .collect();
        Self { board, side, drawn: drawn.to_vec(), columns, triples, fours }
    }

    /// The point of a finished game that draws these segments.
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

    fn segment(&self, a: usize, b: usize) -> u32 {
        self.board.segment(a, b) as u32
    }

    /// The column of three dots.
    fn triple(&self, mut dots: [usize; 3]) -> u32 {
        dots.sort_unstable();
        let place = self.triples.binary_search(&dots).expect("all triples are columns");
        (self.board.segments().len() + place) as u32
    }

    fn crossing(&self) -> impl Iterator<Item = Terms> + '_ {
        (0..self.board.segments().len()).flat_map(|s| {
            let later = self.board.crossing(s).iter().filter(move |&&t| t > s);
            later.map(move |&t| (vec![(s as u32, 1), (t as u32, 1)], Comparison::AtMost, 1))
        })
    }

    fn moves(&self) -> impl Iterator<Item = Terms> {
        let all = (0..self.board.segments().len() as u32).map(|s| (s, 1)).collect();
        [(all, Comparison::Equal, self.board.moves() as i64)].into_iter()
    }

    fn drawn(&self) -> impl Iterator<Item = Terms> + '_ {
        self.drawn.iter().map(|&segment| (vec![(segment as u32, 1)], Comparison::Equal, 1))
    }

    fn faces(&self) -> impl Iterator<Item = Terms> + '_ {
        let dots = 0..self.board.dots().len();
        let is_empty = move |triple| !dots.clone().any(|dot| self.board.is_inside(triple, dot));
        let sides = self.board.segments().iter().flat_map(|&[a, b]| [[a, b], [b, a]]);
        sides.filter_map(move |[a, b]| {
            let left =
                (0..self.board.dots().len()).filter(|c| ![a, b].contains(c) && self.board.is_left(a, b, *c));
            let mut terms: Vec<(u32, i64)> =
                left.map(|c| [a, b, c]).filter(|&t| is_empty(t)).map(|t| (self.triple(t), 1)).collect();
            terms.push((self.segment(a, b), -1));
            (terms.len() > 1).then_some((terms, Comparison::Equal, 0))
        })
    }

    fn triangles(&self) -> impl Iterator<Item = Terms> + '_ {
        self.triples.iter().flat_map(|&[a, b, c]| {
            let parts = [self.segment(a, b), self.segment(a, c), self.segment(b, c)];
            just_when(self.triple([a, b, c]), &parts, 3)
        })
    }

    /// Sets of four with their columns.
    fn numbered_fours(&self) -> impl Iterator<Item = (u32, &[usize; 4])> {
        ((self.board.segments().len() + self.triples.len()) as u32..).zip(&self.fours)
    }

    fn outer(&self) -> impl Iterator<Item = Terms> + '_ {
        let numbered: Vec<(u32, &[usize; 4])> = self.numbered_fours().collect();
        let same = |(_, one): &(u32, &[usize; 4]), (_, other): &(u32, &[usize; 4])| one[..3] == other[..3];
        let rows = numbered.chunk_by(same).filter(|within| within.len() > 1).filter_map(|within| {
            let &[a, b, c, _] = within[0].1;
            let columns = within.iter().map(|(column, _)| *column).collect();
            at_most(columns, Some((self.triple([a, b, c]), -1)), 0)
        });
        rows.collect::<Vec<Terms>>().into_iter()
    }

    fn inner(&self) -> impl Iterator<Item = Terms> + '_ {
        (0..self.board.dots().len()).filter_map(|dot| {
            at_most(
                self.numbered_fours().filter(|(_, four)| four[3] == dot).map(|(column, _)| column).collect(),
                None,
                1,
            )
        })
    }

    fn nested(&self) -> impl Iterator<Item = Terms> + '_ {
        let is_round =
            |triple: [usize; 3]| (0..self.board.dots().len()).any(|dot| self.board.is_inside(triple, dot));
        let round =
            self.triples.iter().filter(|&&triple| is_round(triple)).map(|&triple| self.triple(triple));
        let within = self.board.dots().len() - self.board.hull().len();
        at_most(round.collect(), None, within as i64).into_iter()
    }

    fn four_cliques(&self) -> impl Iterator<Item = Terms> + '_ {
        self.numbered_fours().flat_map(|(column, &[a, b, c, inside])| {
            let parts =
                [[a, b, inside], [a, c, inside], [b, c, inside], [a, b, c]].map(|dots| self.triple(dots));
            // Three triangles round the inner dot draw all six segments.
            just_when(column, &parts, 3)
        })
    }
}

/// That of these columns at most one is 1, or as many as the right-hand side says.
fn at_most(columns: Vec<u32>, more: Option<(u32, i64)>, rhs: i64) -> Option<Terms> {
    let terms: Vec<(u32, i64)> = columns.into_iter().map(|column| (column, 1)).chain(more).collect();
    (terms.len() > 1).then_some((terms, Comparison::AtMost, rhs))
}

/// The terms of a row, its comparison and its right-hand side.
type Terms = (Vec<(u32, i64)>, Comparison, i64);

/// Rows that make a column 1 just when all these parts are, of which the first `enough` imply the others.
fn just_when(column: u32, parts: &[u32], enough: usize) -> Vec<Terms> {
    let mut rows: Vec<Terms> =
        parts.iter().map(|&part| (vec![(column, 1), (part, -1)], Comparison::AtMost, 0)).collect();
    let all = parts[..enough].iter().map(|&part| (part, 1)).chain([(column, -1)]).collect();
    rows.push((all, Comparison::AtMost, enough as i64 - 1));
    rows
}

fn tagged(family: &'static str, rows: impl Iterator<Item = Terms>) -> impl Iterator<Item = Row> {
    (0..).zip(rows).map(move |(number, (mut terms, comparison, rhs))| {
        terms.sort_unstable();
        let (columns, coefficients) = terms.into_iter().unzip();
        Row { tag: Tag { family, number }, columns, coefficients: Some(coefficients), comparison, rhs }
    })
}

impl Program for Model<'_> {
    fn name(&self) -> String {
        format!("cliquer_{}", self.side)
    }

    fn sense(&self) -> Sense {
        match self.side {
            ExtremeKind::Largest => Sense::Maximise,
            ExtremeKind::Smallest => Sense::Minimise,
        }
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        Box::new(
            tagged("crossing", self.crossing())
                .chain(tagged("moves", self.moves()))
                .chain(tagged("drawn", self.drawn()))
                .chain(tagged("face", self.faces()))
                .chain(tagged("outer", self.outer()))
                .chain(tagged("inner", self.inner()))
                .chain(tagged("nested", self.nested()))
                .chain(tagged("triangle", self.triangles()))
                .chain(tagged("four-clique", self.four_cliques())),
        )
    }

    fn remarks(&self) -> Vec<String> {
        let dots: Vec<String> = self.board.dots().iter().map(ToString::to_string).collect();
        vec![
            format!("the {} total score of a finished game of CliqueR", self.side),
            format!("dots {}", dots.join(" ")),
            "x_a_b: dots a and b are joined; t_a_b_c, q_a_b_c_d: three, four dots are".to_owned(),
        ]
    }
}

/// Looks for an extreme game that draws these segments, which do not cross, among others: one that is easily found, if its total
/// score is what a theorem allows, else what HiGHS makes of it. The game is checked.
///
/// # Errors
/// When HiGHS fails, or its answer is wrong.
pub fn extreme(
    board: &Board,
    side: ExtremeKind,
    drawn: &[usize],
    options: &Options,
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Extreme, ExtremesError> {
    let known = match side {
        ExtremeKind::Largest if drawn.is_empty() => stacked(board),
        ExtremeKind::Largest => improved(board, drawn, |new, old| new > old),
        ExtremeKind::Smallest => improved(board, drawn, |new, old| new < old),
    };
    let total = total(board, &known).map_err(|fault| refused("the program", fault))?;
    let bound = side.bound(board);
    let known = Extreme { segments: known, total, bound, run: None };
    if known.is_extreme() { Ok(known) } else { improve(board, side, drawn, known, options, monitor) }
}

/// Asks HiGHS for a better game than one that is known, from which it begins.
fn improve(
    board: &Board,
    side: ExtremeKind,
    drawn: &[usize],
    known: Extreme,
    options: &Options,
    monitor: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Extreme, ExtremesError> {
    let model = Model::new(board, side, drawn);
    let options = Options { start: Some(model.point(&known.segments)), ..options.clone() };
    let run = Highs.solve(&Ilp::of(&model), &options, monitor)?;
    let (solution, bound) = match &run.outcome {
        Outcome::Optimal { solution, value } => (Some((solution, *value)), Some(*value)),
        Outcome::Feasible { solution, value, bound } => (Some((solution, *value)), *bound),
        Outcome::Unknown { bound } => (None, *bound),
        Outcome::Infeasible => return Err(ExtremesError::NoGame(run.solver)),
    };
    let bound = bound.map_or(known.bound, |bound| side.tighter(known.bound, bound));
    let Some((solution, claimed)) = solution else { return Ok(Extreme { bound, run: Some(run), ..known }) };
    let segments: Vec<usize> = (0..board.segments().len()).filter(|&s| solution[s] == 1).collect();
    let solver = run.solver.clone();
    if let Some(&missing) = drawn.iter().find(|segment| !segments.contains(segment)) {
        return Err(ExtremesError::Lacks { solver, segment: board.name(missing) });
    }
    let total = total(board, &segments).map_err(|fault| refused(&solver, fault))?;
    if i64::from(total) != claimed {
        return Err(ExtremesError::Miscounted { solver, claimed, counted: total });
    }
    Ok(Extreme { segments, total, bound, run: Some(run) })
}

/// The total score of these segments, by the independent check.
fn total(board: &Board, segments: &[usize]) -> Result<u32, NotFinished> {
    let ends: Vec<[usize; 2]> = segments.iter().map(|&segment| board.segments()[segment]).collect();
    verify::total(board.dots(), &ends, board.scoring().values())
}

fn refused(solver: &str, fault: NotFinished) -> ExtremesError {
    ExtremesError::Refused { solver: solver.to_owned(), fault }
}
