//! LP relaxation of a formulation, with inequalities that are added if the optimum violates them.

use std::collections::HashSet;
use std::time::Instant;

use ndqueens_model::board::{Board, Square, closure};
use ndqueens_model::facts::Theorems;
use ndqueens_model::family::{Family, Inequality, ValidityError, with_default_options};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Comparison, Ilp, Program as _, Row, Tag};
use ndqueens_model::orbit::{OrbitRow, Shape};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_solver::backends::highs::Highs;
use ndqueens_solver::backends::{Backend as _, BackendError, Options, Progress, Relaxation};
use ndqueens_solver::odd_cycle::{self, TOLERANCE};
use ndqueens_solver::orbit_lp::Separator;
use ndqueens_solver::zero_half::{self, IntegerRow};
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::record::Separated;
use crate::run::{Event, GoalError, Watch, WorkflowError};

/// Maximum number of inequalities added, with their images.
const MOST_CUTS: usize = 200_000;

/// Slack up to which an inequality counts as binding.
const MAX_SLACK: f64 = 1e-6;

/// LP relaxation with the inequalities that were added.
#[derive(Debug)]
pub struct Tightened {
    /// Last LP solved, with the iterations and seconds of all LPs, and the reason of the stop. Unless the
    /// work finished, some inequality may still be violated.
    pub relaxation: Relaxation,
    /// Inequalities that were added, up to symmetry.
    pub cuts: Vec<AddedCut>,
    /// Number of LPs solved.
    pub rounds: usize,
}

/// Largest number of squares of the sets of local cuts, unless another one is given.
pub const LOCAL_SQUARES: usize = 81;

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

impl Tightened {
    /// Returns the number of inequalities that were added, with their images.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cuts.iter().map(|cut| cut.images).sum()
    }
}

/// Inequality that was added with its images under the symmetries of the board.
#[derive(Debug, Clone)]
pub struct AddedCut {
    /// Family of the inequality.
    pub family: Separated,
    /// Squares with their weights. The sum of the weights of the squares with queens is bounded.
    pub terms: Vec<(Square, i64)>,
    /// Largest sum that is allowed.
    pub rhs: i64,
    /// Number of images that were added, including itself.
    pub images: usize,
    /// `true` if the last optimum satisfies one of the images with equality, or violates one.
    pub binds: bool,
}

/// Returns the name of the rows that are added for a family.
const fn row_name(family: Separated) -> &'static str {
    match family {
        Separated::OddCycle => "odd-cycle-cut",
        Separated::Clique => "clique-cut",
        Separated::ZeroHalf => "zero-half-cut",
        Separated::Volume => "volume-cut",
        Separated::Class => "class-cut",
        Separated::Local => "local-cut",
    }
}

/// Checks that inequalities of these families can be separated on a board and hold for the solutions of a
/// formulation.
///
/// # Errors
/// Returns an error if the board is not a plain box and has to be one, or if the inequalities hold for
/// independent sets and the solutions need not be independent. Zero-half cuts hold for all solutions.
pub fn ensure_separable(
    families: &[Separated],
    board: &Board,
    formulation: &Formulation,
) -> Result<(), GoalError> {
    families.iter().try_for_each(|&family| {
        if matches!(family, Separated::Clique | Separated::Local) && board.plain_box().is_none() {
            return Err(GoalError::NotABox(board.name().clone()));
        }
        let problem = formulation.problem;
        let validity = match family {
            Separated::ZeroHalf => Ok(()),
            _ if !problem.is_independent() => Err(ValidityError::NotIndependent(problem)),
            Separated::Volume | Separated::Class => {
                let variant = Variant::of(Goal::Optimise);
                registered(family).validity(board, problem, &variant)
            }
            Separated::OddCycle | Separated::Clique | Separated::Local => Ok(()),
        };
        validity.map_err(|reason| GoalError::NotSeparable {
            family: family.name(),
            formulation: formulation.name.clone(),
            board: board.name().clone(),
            reason: Box::new(reason),
        })
    })
}

/// Returns the family of the registry with the same name.
fn registered(family: Separated) -> Box<dyn Family> {
    with_default_options(family.name()).expect("the family is registered")
}

/// Families of inequalities to be separated.
#[derive(Debug, Clone, Copy)]
pub struct Separation<'a> {
    /// Formulation of the LP.
    pub formulation: &'a Formulation,
    /// Families, in the order in which they are tried. All are valid ([`ensure_separable`]).
    pub families: &'a [Separated],
    /// Maximum number of squares of the sets on which local cuts are separated.
    pub local_squares: usize,
}

/// Solves the LP relaxation of a formulation, which has a column for each square. Adds inequalities of the
/// families that its optimum violates, with their images under the symmetry group, and solves it again, until
/// none is found. The inequalities stay in the program. The first family with a violated inequality is used in
/// each round.
///
/// The optimum is averaged over the orbits of squares if the average is a point of the relaxation too: it has
/// the same value and is less likely to violate an inequality.
///
/// # Errors
/// Returns an error if HiGHS fails.
pub fn separate(
    board: &Board,
    ilp: &mut Ilp,
    separation: &Separation<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Tightened, WorkflowError> {
    let began = Instant::now();
    let deadline = Deadline::since(began, options.time_limit);
    let (mut rounds, mut lp_iterations) = (0, 0);
    let mut added = AddedCuts { board, first_row: ilp.row_count(), number: 0, cuts: Vec::new() };
    let mut separators: Vec<FamilySeparator<'_>> =
        separation.families.iter().map(|family| FamilySeparator::new(board, *family, separation)).collect();
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
            .map(|separator| separator.violated_cuts(board, ilp, &point, averaged.is_some(), &mut keep_going))
            .find(|violated| !violated.is_empty());
        if let Some(stop) = stop {
            break stop;
        }
        let Some(violated) = violated else { break StopReason::Finished };
        added.add_all(ilp, violated);
        if added.number >= MOST_CUTS {
            watch(&Event::Note(format!("{MOST_CUTS} inequalities were added, and no more are"))).is_break();
            break StopReason::Unstated;
        }
    };
    let last = last.expect("an LP was solved or stopped");
    let seconds = began.elapsed().as_secs_f64();
    let cuts = added.with_binding(ilp, &last.point);
    Ok(Tightened { relaxation: Relaxation { stop, lp_iterations, seconds, ..last }, cuts, rounds })
}

/// Valid inequality: the sum of the weights of the squares with queens is at most the right-hand side.
struct Cut {
    family: Separated,
    terms: Vec<(Square, i64)>,
    rhs: i64,
}

/// Inequalities that were added to a program, whose rows follow those of the formulation.
struct AddedCuts<'a> {
    board: &'a Board,
    /// Number of rows of the formulation.
    first_row: usize,
    /// Number of inequalities, with their images.
    number: usize,
    cuts: Vec<AddedCut>,
}

impl AddedCuts<'_> {
    /// Adds inequalities with their images under the symmetry group, each once.
    fn add_all(&mut self, ilp: &mut Ilp, cuts: Vec<Cut>) {
        let generators = self.board.generators();
        let mut seen: HashSet<Vec<(Square, i64)>> = HashSet::new();
        for Cut { family, terms, rhs } in cuts {
            if seen.contains(&terms) {
                continue;
            }
            let mut images = closure(terms.clone(), &generators, MOST_CUTS, |terms, generator| {
                let mut image: Vec<(Square, i64)> =
                    terms.iter().map(|&(square, weight)| (generator(square), weight)).collect();
                image.sort_unstable();
                image
            });
            images.truncate(MOST_CUTS - self.number);
            for image in &images {
                let (columns, coefficients) = image.iter().copied().unzip();
                ilp.push(&Row {
                    tag: Tag { family: row_name(family), number: self.number as u64 },
                    columns,
                    coefficients: Some(coefficients),
                    comparison: Comparison::AtMost,
                    rhs,
                });
                self.number += 1;
            }
            self.cuts.push(AddedCut { family, terms, rhs, images: images.len(), binds: false });
            seen.extend(images);
        }
    }

    /// Returns the inequalities, with those marked that bind at a point.
    fn with_binding(mut self, ilp: &Ilp, point: &[f64]) -> Vec<AddedCut> {
        if point.is_empty() {
            return self.cuts;
        }
        let mut rows = ilp.rows().skip(self.first_row);
        for cut in &mut self.cuts {
            let slack = |row: Row| row.rhs as f64 - left(&row, point);
            let slacks = rows.by_ref().take(cut.images).map(slack);
            cut.binds = slacks.fold(f64::INFINITY, f64::min) <= MAX_SLACK;
        }
        self.cuts
    }
}

/// Separator of one family on a board.
enum FamilySeparator<'a> {
    OddCycle,
    /// Zero-half cuts of rows, except those of some families.
    ZeroHalf {
        left_out: Vec<&'static str>,
    },
    /// The rows of a family that a point violates.
    Listed {
        family: Separated,
        listed: Box<dyn Family>,
    },
    OfBox(Box<Separator<'a>>),
}

impl<'a> FamilySeparator<'a> {
    /// Creates the separator of a family.
    fn new(board: &'a Board, separated: Separated, separation: &Separation<'_>) -> Self {
        let of_box = |separates_cliques, local_squares| {
            let separator = Separator::new(board, separates_cliques, local_squares);
            Self::OfBox(Box::new(separator.expect("the board is a plain box")))
        };
        match separated {
            Separated::OddCycle => Self::OddCycle,
            Separated::Clique => of_box(true, 0),
            Separated::Local => of_box(false, separation.local_squares),
            Separated::ZeroHalf => {
                Self::ZeroHalf { left_out: asymmetric_families(board, separation.formulation) }
            }
            Separated::Volume | Separated::Class => {
                Self::Listed { family: separated, listed: registered(separated) }
            }
        }
    }

    /// Returns inequalities that a point violates. The search ends when `keep_going` returns `false`.
    fn violated_cuts(
        &mut self,
        board: &Board,
        ilp: &Ilp,
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
                let cycles = odd_cycle::violated_cycles(board, point, &starts, keep_going);
                cycles.unwrap_or_default().into_iter().map(Cut::of_cycle).collect()
            }
            Self::ZeroHalf { left_out } => {
                let rows = ilp.rows().filter(|row| !left_out.contains(&row.tag.family));
                let rows: Vec<IntegerRow> = rows.flat_map(|row| IntegerRow::of(&row)).collect();
                let cuts = zero_half::violated_cuts(&rows, point, keep_going);
                let cut =
                    |row: IntegerRow| Cut { family: Separated::ZeroHalf, terms: row.terms, rhs: row.rhs };
                cuts.into_iter().map(cut).collect()
            }
            Self::Listed { family, listed } => {
                let rows = listed.rows(board, &Theorems).take_while(|_| keep_going());
                rows.filter_map(|row| Cut::of_violated(*family, row, point)).collect()
            }
            Self::OfBox(separator) => {
                separator.violated_rows(point, keep_going).iter().map(|row| Cut::of(board, row)).collect()
            }
        }
    }
}

/// Returns the families of a formulation whose rows need not hold for the images of a solution: those that break
/// the symmetry, and own inequalities of which some are not proved.
fn asymmetric_families(board: &Board, formulation: &Formulation) -> Vec<&'static str> {
    let own_name = formulation.own.name();
    let is_own_open = !formulation.own.lemmas_and_conditions(board).conditions.is_empty();
    let is_asymmetric =
        |family: &&dyn Family| family.breaks_symmetry() || (is_own_open && family.name() == own_name);
    formulation.families().filter(is_asymmetric).map(Family::name).collect()
}

impl Cut {
    /// Creates the cut of a cycle of odd length.
    fn of_cycle(mut cycle: Vec<Square>) -> Self {
        cycle.sort_unstable();
        let rhs = (cycle.len() / 2) as i64;
        let terms = cycle.into_iter().map(|square| (square, 1)).collect();
        Self { family: Separated::OddCycle, terms, rhs }
    }

    /// Creates the cut of a row of an orbit LP.
    fn of(board: &Board, row: &OrbitRow) -> Self {
        let family =
            if matches!(row.shape, Shape::Weighted(_)) { Separated::Local } else { Separated::Clique };
        let term = |(place, weight): (Vec<u32>, u64)| {
            (board.square(&place).expect("a row has squares of the board"), weight as i64)
        };
        let mut terms: Vec<(Square, i64)> = row.shape.terms().into_iter().map(term).collect();
        terms.sort_unstable();
        Self { family, terms, rhs: row.rhs as i64 }
    }

    /// Creates the cut of an inequality of a family, whose right-hand side is an upper bound. Returns `None` if
    /// the point does not violate it.
    fn of_violated(family: Separated, inequality: Inequality, point: &[f64]) -> Option<Self> {
        let row = inequality.into_row(Tag { family: row_name(family), number: 0 });
        let is_violated = left(&row, point) > row.rhs as f64 + TOLERANCE;
        let terms = || row.terms().filter(|(_, weight)| *weight != 0).collect();
        is_violated.then(|| Self { family, terms: terms(), rhs: row.rhs })
    }
}

/// Returns the left-hand side of a row at a point.
fn left(row: &Row, point: &[f64]) -> f64 {
    row.terms().map(|(column, coefficient)| coefficient as f64 * point[column as usize]).sum()
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
        let left = left(row, &means);
        let over = match row.comparison {
            Comparison::AtMost => left - row.rhs as f64,
            Comparison::AtLeast => row.rhs as f64 - left,
            Comparison::Equal => (left - row.rhs as f64).abs(),
        };
        over <= TOLERANCE
    };
    ilp.rows().all(|row| holds(&row)).then_some(means)
}
