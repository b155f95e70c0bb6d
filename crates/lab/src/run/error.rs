//! Why a workflow gave no answer.

use std::path::PathBuf;

use ndqueens_crosscheck::bound::BoundError;
use ndqueens_crosscheck::colouring::ColouringFault;
use ndqueens_crosscheck::opb::FormulaFault;
use ndqueens_crosscheck::partition::PartitionFault;
use ndqueens_crosscheck::proof::ProofError;
use ndqueens_crosscheck::solutions::ListFault;
use ndqueens_crosscheck::verify::Fault;
use ndqueens_files::FileError;
use ndqueens_model::formulation::FormulationError;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::BackendError;
use ndqueens_solver::colouring::operator::{Misfit, Operator};
use ndqueens_solver::colouring::{chromatic, cover, search};
use ndqueens_solver::construct::ConstructionError;
use ndqueens_solver::construct::local_search::SearchError;
use ndqueens_solver::orbit_lp::OrbitLpError;

use crate::evidence::drat;

/// Why a workflow gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// There is no such formulation.
    #[error(transparent)]
    Formulation(#[from] FormulationError),
    /// The recipe asks something else than how many queens fit.
    #[error(
        "a maximum is proved with a recipe of independent sets that asks for most queens, and recipe {recipe} asks something \
         else; solve answers it, with a checked certificate and the solver's bound"
    )]
    NotAMaximum {
        /// The recipe.
        recipe: String,
    },
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// There is nothing to start from.
    #[error(transparent)]
    Construction(#[from] ConstructionError),
    /// A search for large sets cannot begin.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A question about colours cannot be asked.
    #[error(transparent)]
    Colour(#[from] ColourError),
    /// A file holds what a search cannot find.
    #[error("{} keeps the best set that a search has found, and this one cannot find what it holds: {why}", path.display())]
    IncompatibleStart {
        /// The file.
        path: PathBuf,
        /// Why the search cannot find it.
        why: String,
    },
    /// A file that was asked for cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The board is too large for the exact engine.
    #[error(
        "{board} has more than {most} squares, the most that the exact engine takes; ndq prove --engine highs takes larger \
         boards"
    )]
    TooLarge {
        /// The board.
        board: String,
        /// The most squares.
        most: usize,
    },
    /// The exact engine does not get what it needs from the system, such as room for its temporary files.
    #[error(
        "the exact engine cannot go on: {fault}; its temporary files are in {folder}, which TMPDIR changes",
        fault = .0,
        folder = std::env::temp_dir().display()
    )]
    Engine(std::io::Error),
    /// A proof that was found is wrong.
    #[error(
        "{found_by} gave a proof that the independent check refuses: {fault}{}",
        file.as_ref().map_or_else(String::new, |file| format!("; this step was taken from {}", file.display()))
    )]
    RefusedProof {
        /// Who found the proof.
        found_by: &'static str,
        /// What is wrong with it.
        fault: ProofError,
        /// The file that the step was taken from.
        file: Option<PathBuf>,
    },
    /// The formula of a proof for VeriPB cannot be made.
    #[error(transparent)]
    Formula(#[from] FormulaFault),
    /// A DRAT proof is refused, or cannot be checked.
    #[error(transparent)]
    Drat(#[from] drat::Refusal),
    /// There is no orbit LP, or it has no answer.
    #[error(transparent)]
    OrbitLp(#[from] OrbitLpError),
    /// A bound that was found is wrong.
    #[error("the orbit LP gave a bound that the independent check refuses: {0}")]
    RefusedBound(BoundError),
    /// A proof in parts cannot go on.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The partition that gives the trivial bound is none.
    #[error("the trivial bound rests on a partition that the independent check refuses: {0}")]
    Partition(#[from] PartitionFault),
    /// Finished parts of a count cannot be used or kept.
    #[error(transparent)]
    Count(#[from] CountError),
    /// No colouring has the symmetry that was asked for.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A folder holds the work on another question.
    #[error("{} holds the work on \"{found}\", not on \"{asked}\"", folder.display())]
    OtherWork {
        /// The folder.
        folder: PathBuf,
        /// What it is about.
        found: String,
        /// What was asked.
        asked: String,
    },
    /// A colouring that was found is wrong.
    #[error("a colouring was found that the independent check refuses: {0}")]
    RefusedColouring(ColouringFault),
    /// A certificate that was given is wrong.
    #[error("the certificate does not hold: {0}")]
    Given(Fault),
    /// What is to be part of a solution cannot be.
    #[error("it cannot be included: {0}")]
    Included(Fault),
    /// A solver excludes solutions, and there is one.
    #[error("{solver} gave an answer that does not hold: {solution}")]
    Refuted {
        /// Name and version of the solver.
        solver: String,
        /// What it excludes and what was found.
        solution: String,
    },
    /// A solution that was found is wrong.
    #[error("{found_by} gave a solution that the independent check refuses: {fault}")]
    Refused {
        /// Who found the solution.
        found_by: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

impl LabError {
    /// A fault that ended a run of the exact engine: of a file that was to be written, or else its own.
    pub(crate) fn engine(fault: std::io::Error) -> Self {
        fault.downcast().map_or_else(Self::Engine, Self::File)
    }
}

/// Why a proof in parts cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// No queens at all, or more than there are squares.
    #[error("{board} has {squares} squares, so a question can be asked of 1 to {squares} queens")]
    Queens {
        /// The board.
        board: String,
        /// How many squares it has.
        squares: usize,
    },
    /// There is something already.
    #[error("{}: the folder is not empty; a split needs one of its own", .0.display())]
    NotEmpty(PathBuf),
    /// There is a split already.
    #[error("{}: there is a split in this folder; ndq run-part goes on with it", .0.display())]
    Done(PathBuf),
    /// There is none.
    #[error("{}: there is no split in this folder, or none that was finished; ndq split makes one", .0.display())]
    None(PathBuf),
    /// The manifest is not one, or not one for this build.
    #[error("{}: {fault}", path.display())]
    Manifest {
        /// The manifest.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// There is no part of this number.
    #[error("there is no part {number}; the parts are numbered from 0 to {}", parts.saturating_sub(1))]
    NoPart {
        /// The number.
        number: usize,
        /// How many parts there are.
        parts: usize,
    },
    /// Parts that do not belong where they are.
    #[error("{}; delete what is wrong and run it again", .0.join("; "))]
    Wrong(Vec<String>),
    /// Parts that are not there.
    #[error("{} of {parts} parts are missing: {}; ndq run-part --all runs them", missing.len(), ranges(missing))]
    Missing {
        /// Their numbers.
        missing: Vec<usize>,
        /// How many parts there are.
        parts: usize,
    },
}

/// Numbers in increasing order, runs of them as `first-last`, and how many more there are than fit a line.
fn ranges(numbers: &[usize]) -> String {
    const MOST: usize = 12;
    let runs: Vec<&[usize]> = numbers.chunk_by(|a, b| a + 1 == *b).collect();
    let mut words: Vec<String> = runs
        .iter()
        .take(MOST)
        .map(|run| match run {
            [one] => one.to_string(),
            _ => format!("{}-{}", run[0], run[run.len() - 1]),
        })
        .collect();
    if runs.len() > MOST {
        words.push("...".to_owned());
    }
    words.join(", ")
}

/// Why finished parts cannot be used or kept.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The folder is that of another count.
    #[error("{} holds parts of another count: {found}; choose another folder", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        found: String,
    },
    /// The parts in the folder hold no solutions.
    #[error(
        "the parts in {} hold no solutions, as the count was begun without --solutions and --threshold; choose another \
         folder, or leave these away",
        folder.display()
    )]
    NoneKept {
        /// The folder.
        folder: PathBuf,
    },
    /// A file of the folder does not belong there.
    #[error("{} is not a part of this count: {fault}; remove it, and it is made again", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// There are too many solutions.
    #[error("there are more than {most} solutions, too many to look for sets that none of them contains")]
    TooMany {
        /// The most that are looked at.
        most: usize,
    },
    /// The list does not hold.
    #[error("the solutions that were found do not pass the independent check: {0}")]
    List(#[from] ListFault),
}

/// Why a question about colours cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ColourError {
    /// A symmetry is for square boards of queens, and for as many colours as they have rows.
    #[error("the symmetry {0} is for n-colourings of queens on n^2")]
    NoSquare(Operator),
    /// The colours are not as many as the board has rows.
    #[error("{what} is for n-colourings, {side} colours here, not {colours}")]
    OtherColours {
        /// What was asked for.
        what: String,
        /// The side of the board.
        side: usize,
        /// The colours that were asked for.
        colours: u64,
    },
    /// The method does not take this board.
    #[error("the methods closed, cover and draw are for n-colourings of queens on n^2")]
    Method,
    /// The closed form has another symmetry.
    #[error("the closed form of {side}^2 has the symmetry {has}, not {asked}")]
    ClosedSymmetry {
        /// The side of the board.
        side: usize,
        /// The symmetry of the closed form.
        has: Operator,
        /// The symmetry that was asked for.
        asked: Operator,
    },
    /// There is no closed form.
    #[error(
        "{0} has no closed form: it is not prime to 6 (a product needs an r-colouring, which the method auto looks for)"
    )]
    NotClosed(usize),
    /// The board is too large for the complete algorithm.
    #[error("the complete algorithm is for n up to {}", cover::LONGEST)]
    TooLong,
    /// The board is too small or too large for colourings to be drawn.
    #[error("colourings are drawn for n from {least} to {most}", most = search::LONGEST)]
    NotDrawn {
        /// The smallest.
        least: usize,
    },
    /// The board is too large for DSATUR.
    #[error("{0} has more than {most} squares, the most that DSATUR takes", most = chromatic::MOST_SQUARES)]
    TooLarge(BoardName),
    /// The layers of a set are no classes.
    #[error(
        "the layers of full solutions of n^d, d at least 3, are classes; this is one of {queens} queens on {board}"
    )]
    NotFull {
        /// The board of the set.
        board: BoardName,
        /// Its size.
        queens: usize,
    },
    /// There is no such axis.
    #[error("{board} has the axes 1 to {axes}; there is no axis {axis}")]
    NoAxis {
        /// The board of the full solution.
        board: BoardName,
        /// How many axes it has.
        axes: usize,
        /// The axis, counted from 1.
        axis: usize,
    },
    /// Layers colour another board.
    #[error("the layers of {of} colour {layer}, not {asked}")]
    OtherBoard {
        /// The board of the full solution.
        of: BoardName,
        /// The board of its layers.
        layer: BoardName,
        /// The board that was asked for.
        asked: BoardName,
    },
}
