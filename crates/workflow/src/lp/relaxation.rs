//! LP relaxation of a formulation, with odd-cycle inequalities that are separated exactly.

use std::time::Instant;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_model::ilp::{Comparison, Ilp, Program as _, Row, Tag};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Options, Progress, Relaxation};
use ndqueens_solver::odd_cycle::{self, TOLERANCE};
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::run::{Event, Watch, WorkflowError};

/// Maximum number of inequalities added.
const MOST_CUTS: usize = 200_000;

/// LP relaxation with the inequalities that were added.
#[derive(Debug)]
pub struct Tightened {
    /// Last LP solved, with the iterations and seconds of all LPs, and the reason of the stop. Unless the
    /// work finished, some odd cycle may still be violated.
    pub relaxation: Relaxation,
    /// Number of odd-cycle inequalities added.
    pub cuts: usize,
    /// Number of LPs solved.
    pub rounds: usize,
}

/// Solves the LP relaxation of a program with a column for each square. Adds the violated odd-cycle
/// inequalities and their images under the symmetry group, and solves it again, until none is violated. The
/// inequalities stay in the program.
///
/// The optimum is averaged over the orbits of squares if the average is a point of the relaxation too: it has
/// the same value and is less likely to violate an inequality.
///
/// # Errors
/// Returns an error if HiGHS fails.
pub fn without_odd_cycles(
    board: &Board,
    ilp: &mut Ilp,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Tightened, WorkflowError> {
    let began = Instant::now();
    let deadline = Deadline::since(began, options.time_limit);
    let (mut cuts, mut rounds, mut lp_iterations) = (0, 0, 0);
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
        let starts: Vec<Square> = match averaged {
            Some(_) => board.orbits().representatives().to_vec(),
            None => board.squares().collect(),
        };
        let mut stop = None;
        let progress =
            Progress { dual_bound: value, lp_iterations: Some(lp_iterations), ..Progress::default() };
        let violated = odd_cycle::violated_cycles(board, &point, &starts, &mut || {
            let progress = Progress { seconds: began.elapsed().as_secs_f64(), ..progress };
            let broken = watch(&Event::Progress(progress)).is_break().then_some(StopReason::Interrupted);
            stop = broken.or(deadline.reason());
            stop.is_none()
        });
        let Some(violated) = violated else { break stop.unwrap_or(StopReason::Interrupted) };
        if violated.is_empty() {
            break StopReason::Finished;
        }
        for cycle in violated {
            let generators = board.generators();
            let images = closure(cycle, &generators, MOST_CUTS, |cycle, generator| {
                let mut image: Vec<Square> = cycle.iter().map(|&square| generator(square)).collect();
                image.sort_unstable();
                image
            });
            for image in images.into_iter().take(MOST_CUTS - cuts) {
                let rhs = (image.len() / 2) as i64;
                let tag = Tag { family: "odd-cycle-cut", number: cuts as u64 };
                ilp.push(&Row {
                    tag,
                    columns: image,
                    coefficients: None,
                    comparison: Comparison::AtMost,
                    rhs,
                });
                cuts += 1;
            }
        }
        if cuts >= MOST_CUTS {
            watch(&Event::Note(format!("{MOST_CUTS} odd cycles were added, and no more are"))).is_break();
            break StopReason::Unstated;
        }
    };
    let last = last.expect("an LP was solved or stopped");
    let seconds = began.elapsed().as_secs_f64();
    Ok(Tightened { relaxation: Relaxation { stop, lp_iterations, seconds, ..last }, cuts, rounds })
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
