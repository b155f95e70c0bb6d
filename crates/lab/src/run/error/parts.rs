//! Why work that is done in parts cannot go on.

use std::fmt::Write as _;
use std::path::PathBuf;

use ndqueens_crosscheck::solutions::ListFault;
use ndqueens_notation::certificate::format_squares;

use crate::ranges;

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
    #[error("{}: there is a split in this folder", .0.display())]
    Done(PathBuf),
    /// There is none.
    #[error("{}: there is no split in this folder, or none that was finished", .0.display())]
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
    #[error("{}; move what is wrong out of the folder, then give the command again", listed(.0))]
    Wrong(Vec<String>),
    /// Files whose text is not what was written, or that are gone.
    #[error("{}", listed(faults))]
    Damaged {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with each.
        faults: Vec<String>,
    },
    /// Parts that are not there.
    #[error("{missing} of {parts} parts {} missing: {}", if *missing == 1 { "is" } else { "are" }, ranges(numbers))]
    Missing {
        /// The folder.
        folder: PathBuf,
        /// How many are missing, pieces of those that were cut again among them.
        missing: usize,
        /// How many parts and pieces there are.
        parts: usize,
        /// The numbers of the parts of the split that are missing, or have pieces that are.
        numbers: Vec<usize>,
    },
}

/// The first few faults, and how many more there are.
fn listed(faults: &[String]) -> String {
    const MOST: usize = 3;
    let mut words = faults[..faults.len().min(MOST)].join("; ");
    if let Some(more @ 1..) = faults.len().checked_sub(MOST) {
        write!(words, "; and {more} more").expect("a string takes all");
    }
    words
}

/// Numbers in increasing order, runs of them as `first-last`, and how many more there are than fit a line.
fn ranges(numbers: &[usize]) -> String {
    const MOST: usize = 12;
    let mut runs = ranges::of(numbers);
    let mut words: Vec<String> = runs.by_ref().take(MOST).collect();
    if runs.next().is_some() {
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
    #[error("the parts in {} hold no solutions: the count stored none", folder.display())]
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
    /// The parts in the folder leave out a solution that is known.
    #[error(
        "the parts in {} have no solution like {}, which is one: one of them is not what the search has met; remove the folder, \
         and all are counted again",
        folder.display(),
        format_squares(solution)
    )]
    Missed {
        /// The folder.
        folder: PathBuf,
        /// The solution, as coordinates.
        solution: Vec<Vec<u32>>,
    },
    /// The parts in the folder are not what the search met.
    #[error(
        "the parts in {} do not add up to whole numbers of solutions, so one of them is not what the search has met; remove \
         the folder, and all are counted again",
        folder.display()
    )]
    Shares {
        /// The folder.
        folder: PathBuf,
    },
    /// There are too many solutions.
    #[error("there are more than {most} solutions, too many to look for sets that none of them contains")]
    TooMany {
        /// The most that are looked at.
        most: usize,
    },
    /// There are too many solutions.
    #[error("the solutions have more than {most} squares in all, too many for a proof, which lists them")]
    TooManyToProve {
        /// The most that are listed.
        most: u64,
    },
    /// There are too many solutions to be kept in memory.
    #[error("there are more than {most} solutions up to symmetry, too many to be sorted by their symmetry")]
    TooManyToSort {
        /// The most that are kept.
        most: usize,
    },
    /// The symmetry group is not listed.
    #[error(
        "the symmetry group is not known or too large, so that solutions cannot be sorted by their symmetry"
    )]
    NoGroup,
    /// The solutions that were kept are not those that were counted.
    #[error("{kept} solutions up to symmetry with {order} symmetries were kept, but {counted} were counted")]
    Classes {
        /// Number of symmetries.
        order: u64,
        /// Number of solutions up to symmetry by the count.
        counted: String,
        /// Number of those that were kept.
        kept: u64,
    },
    /// The list does not hold.
    #[error("the solutions that were found do not pass the independent check: {0}")]
    List(#[from] ListFault),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_faults_are_told_and_how_many_more_there_are() {
        let faults: Vec<String> = (1..=5).map(|k| format!("fault {k}")).collect();
        assert_eq!(listed(&faults[..1]), "fault 1");
        assert_eq!(listed(&faults[..3]), "fault 1; fault 2; fault 3");
        assert_eq!(listed(&faults), "fault 1; fault 2; fault 3; and 2 more");
    }
}
