//! LP relaxation of a formulation, with inequalities that are added if the optimum violates them.

use std::time::Instant;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_model::ilp::{Comparison, Ilp, Program as _, Row, Tag};
use ndqueens_model::orbit::{OrbitRow, Shape};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, BackendError, Options, Progress, Relaxation};
use ndqueens_solver::odd_cycle::{self, TOLERANCE};
use ndqueens_solver::orbit_lp::Separator;
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::record::Separated;
use crate::run::{Event, GoalError, Watch, WorkflowError};

/// Maximum number of inequalities added, with their images.
const MOST_CUTS: usize = 200_000;

/// LP relaxation with the inequalities that were added.
#[derive(Debug)]
pub struct Tightened {
    /// Last LP solved, with the iterations and seconds of all LPs, and the reason of the stop. Unless the
    /// work finished, some inequality may still be violated.
    pub relaxation: Relaxation,
    /// Number of inequalities added, with their images.
    pub cuts: usize,
    /// Number of LPs solved.
    pub rounds: usize,
}

/// Largest number of squares of the sets of local cuts, unless another one is given.
pub const LOCAL_SQUARES: usize = 81;

/// Checks that inequalities of these families can be separated on a board.
///
/// # Errors
/// Returns an error if cliques or local cuts are separated on a board that is not a plain box.
pub fn ensure_separable(board: &Board, families: &[Separated]) -> Result<(), GoalError> {
    let needs_box = families.iter().any(|family| *family != Separated::OddCycle);
    match board.plain_box() {
        None if needs_box => Err(GoalError::NotABox(board.name().clone())),
        _ => Ok(()),
    }
}

/// Returns the bound of HiGHS at the root node of an integer program, after its own presolve and cuts.
///
/// # Errors
/// Returns an error if HiGHS fails.
pub fn highs_root_bound(
    ilp: &Ilp,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Option<f64>, BackendError> {
    let options = Options { node_limit: Some(1), ..options.clone() };
    let run = Highs.solve(ilp, &options, &mut |progress| watch(&Event::Progress(*progress)))?;
    let is_at_root = matches!(run.stop, StopReason::Finished | StopReason::NodeLimit);
    Ok(run.dual_bound.filter(|_| is_at_root))
}

/// Solves the LP relaxation of a program with a column for each square. Adds inequalities of the families that
/// its optimum violates, with their images under the symmetry group, and solves it again, until none is
/// violated. The inequalities stay in the program. The first family with a violated inequality is used in each
/// round. Local cuts are those of sets of at most `local_squares` squares.
///
/// The optimum is averaged over the orbits of squares if the average is a point of the relaxation too: it has
/// the same value and is less likely to violate an inequality. Cliques and local cuts are only separated at
/// such averages.
///
/// # Errors
/// Returns an error if HiGHS fails.
pub fn separate(
    board: &Board,
    ilp: &mut Ilp,
    families: &[Separated],
    local_squares: usize,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Tightened, WorkflowError> {
    let began = Instant::now();
    let deadline = Deadline::since(began, options.time_limit);
    let (mut cuts, mut rounds, mut lp_iterations) = (0, 0, 0);
    let mut separators: Vec<FamilySeparator<'_>> =
        families.iter().filter_map(|family| FamilySeparator::new(board, *family, local_squares)).collect();
    let mut last: Option<Relaxation> = None;
    let stop = loop {
        let options = Options { time_limit: deadline.left(), ..options.clone() };
        let relaxed = Highs.relax(ilp, &options, &mut |progress| watch(&Event::Progress(*progress)))?;
        lp_iterations += relaxed.lp_iterations;
        if relaxed.stop != StopReason::Finished {
            let stop = relaxed.stop;
            last.get_or_insert(relaxed);
            break stop;
        }
        rounds += 1;
        let value = relaxed.value;
        let averaged = average_over_orbits(board, ilp, &relaxed.point);
        let point = averaged.as_deref().unwrap_or(&relaxed.point).to_vec();
        last = Some(relaxed);
        if value.is_none() {
            break StopReason::Finished;
        }
        let mut stop = None;
        let progress =
            Progress { dual_bound: value, lp_iterations: Some(lp_iterations), ..Progress::default() };
        let mut keep_going = || {
            let progress = Progress { seconds: began.elapsed().as_secs_f64(), ..progress };
            let broken = watch(&Event::Progress(progress)).is_break().then_some(StopReason::Interrupted);
            stop = broken.or(deadline.reason());
            stop.is_none()
        };
        let violated = separators
            .iter_mut()
            .map(|separator| separator.violated_cuts(board, &point, averaged.is_some(), &mut keep_going))
            .find(|violated| !violated.is_empty());
        if let Some(stop) = stop {
            break stop;
        }
        let Some(violated) = violated else { break StopReason::Finished };
        for cut in violated {
            cuts += add_images(board, ilp, cut, cuts);
        }
        if cuts >= MOST_CUTS {
            watch(&Event::Note(format!("{MOST_CUTS} inequalities were added, and no more are"))).is_break();
            break StopReason::Unstated;
        }
    };
    let last = last.expect("an LP was solved or stopped");
    let seconds = began.elapsed().as_secs_f64();
    Ok(Tightened { relaxation: Relaxation { stop, lp_iterations, seconds, ..last }, cuts, rounds })
}

/// Valid inequality: the sum of the weights of the squares with queens is at most the right-hand side.
struct Cut {
    family: &'static str,
    terms: Vec<(Square, i64)>,
    rhs: i64,
}

/// Adds an inequality and its images under the symmetry group to a program with `cuts` inequalities added
/// before. Returns the number of inequalities added.
fn add_images(board: &Board, ilp: &mut Ilp, cut: Cut, cuts: usize) -> usize {
    let generators = board.generators();
    let images = closure(cut.terms, &generators, MOST_CUTS, |terms, generator| {
        let mut image: Vec<(Square, i64)> =
            terms.iter().map(|&(square, weight)| (generator(square), weight)).collect();
        image.sort_unstable();
        image
    });
    let mut added = 0;
    for image in images.into_iter().take(MOST_CUTS - cuts) {
        let (columns, coefficients) = image.into_iter().unzip();
        ilp.push(&Row {
            tag: Tag { family: cut.family, number: (cuts + added) as u64 },
            columns,
            coefficients: Some(coefficients),
            comparison: Comparison::AtMost,
            rhs: cut.rhs,
        });
        added += 1;
    }
    added
}

/// Separator of one family on a board.
enum FamilySeparator<'a> {
    OddCycle,
    OfBox(Box<Separator<'a>>),
}

impl<'a> FamilySeparator<'a> {
    /// Creates the separator, or returns `None` if the family is not separated on the board.
    fn new(board: &'a Board, family: Separated, local_squares: usize) -> Option<Self> {
        let of_box = |separates_cliques, local_squares| {
            let separator = Separator::new(board, separates_cliques, local_squares)?;
            Some(Self::OfBox(Box::new(separator)))
        };
        match family {
            Separated::OddCycle => Some(Self::OddCycle),
            Separated::Clique => of_box(true, 0),
            Separated::Local => of_box(false, local_squares),
        }
    }

    /// Returns inequalities that a point violates. The search ends when `keep_going` returns `false`.
    fn violated_cuts(
        &mut self,
        board: &Board,
        point: &[f64],
        is_averaged: bool,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Vec<Cut> {
        match self {
            Self::OddCycle => {
                let starts: Vec<Square> = match is_averaged {
                    true => board.orbits().representatives().to_vec(),
                    false => board.squares().collect(),
                };
                let cycles =
                    odd_cycle::violated_cycles(board, point, &starts, keep_going).unwrap_or_default();
                let cut = |mut cycle: Vec<Square>| {
                    cycle.sort_unstable();
                    let rhs = (cycle.len() / 2) as i64;
                    Cut {
                        family: "odd-cycle-cut",
                        terms: cycle.into_iter().map(|square| (square, 1)).collect(),
                        rhs,
                    }
                };
                cycles.into_iter().map(cut).collect()
            }
            Self::OfBox(_) if !is_averaged => Vec::new(),
            Self::OfBox(separator) => {
                separator.violated_rows(point, keep_going).iter().map(|row| Cut::of(board, row)).collect()
            }
        }
    }
}

impl Cut {
    /// Creates the cut of a row of an orbit LP.
    fn of(board: &Board, row: &OrbitRow) -> Self {
        let family = if matches!(row.shape, Shape::Weighted(_)) { "local-cut" } else { "clique-cut" };
        let term = |(place, weight): (Vec<u32>, u64)| {
            (board.square(&place).expect("a row has squares of the board"), weight as i64)
        };
        let mut terms: Vec<(Square, i64)> = row.shape.terms().into_iter().map(term).collect();
        terms.sort_unstable();
        Self { family, terms, rhs: row.rhs as i64 }
    }
}

/// Returns the means of a point over the orbits of squares, or `None` if they violate a row, for example
/// because the formulation breaks the symmetry.
fn average_over_orbits(board: &Board, ilp: &Ilp, point: &[f64]) -> Option<Vec<f64>> {
    if point.len() != board.size() {
        return None;
    }
    let orbits = board.orbits();
    let mut sums = vec![0.0; orbits.sizes().len()];
    for (square, x) in board.squares().zip(point) {
        sums[orbits.of(square)] += x;
    }
    let mean = |square| sums[orbits.of(square)] / orbits.sizes()[orbits.of(square)] as f64;
    let means: Vec<f64> = board.squares().map(mean).collect();
    let holds = |row: &Row| {
        let left: f64 =
            row.terms().map(|(column, coefficient)| coefficient as f64 * means[column as usize]).sum();
        let over = match row.comparison {
            Comparison::AtMost => left - row.rhs as f64,
            Comparison::AtLeast => row.rhs as f64 - left,
            Comparison::Equal => (left - row.rhs as f64).abs(),
        };
        over <= TOLERANCE
    };
    ilp.rows().all(|row| holds(&row)).then_some(means)
}
