//! Errors of work that is done in parts.

use std::fmt::Write as _;
use std::path::PathBuf;

use ndqueens_crosscheck::solutions::ListFault;
use ndqueens_notation::certificate::format_squares;
use ndqueens_notation::counted::counted;

use crate::ranges;

/// Error of a proof in parts.
#[derive(Debug, thiserror::Error)]
pub enum SplitError {
    /// Number of queens that is 0 or exceeds the number of squares.
    #[error("{board} has {}, so the number of queens must be from 1 to {squares}", counted(*squares, "square"))]
    Queens {
        /// Name of the board.
        board: String,
        /// Number of its squares.
        squares: usize,
    },
    /// Folder that is not empty.
    #[error("{}: the folder is not empty; a split needs one of its own", .0.display())]
    NotEmpty(PathBuf),
    /// Folder that contains a split.
    #[error("{}: there is a split in this folder", .0.display())]
    Done(PathBuf),
    /// Folder without a split.
    #[error("{}: there is no split in this folder, or only an unfinished one", .0.display())]
    None(PathBuf),
    /// Malformed manifest, or one of another build.
    #[error("{}: {fault}", path.display())]
    Manifest {
        /// Path of the manifest.
        path: PathBuf,
        /// Description of the error.
        fault: String,
    },
    /// Number of a part that does not exist.
    #[error("there is no part {number}; the parts are numbered from 0 to {}", parts.saturating_sub(1))]
    NoPart {
        /// Requested number.
        number: usize,
        /// Number of parts.
        parts: usize,
    },
    /// Parts that do not belong to the split.
    #[error("{}; move these files out of the folder, then repeat the command", join_faults(.0))]
    Wrong(Vec<String>),
    /// Files that are missing or have changed.
    #[error("{}", join_faults(faults))]
    Damaged {
        /// Path of the folder.
        folder: PathBuf,
        /// Description of each error.
        faults: Vec<String>,
    },
    /// Missing parts.
    #[error("{missing} of {parts} parts {} missing: {}", if *missing == 1 { "is" } else { "are" }, ranges(numbers))]
    Missing {
        /// Path of the folder.
        folder: PathBuf,
        /// Number of missing parts, including pieces of parts that were split again.
        missing: usize,
        /// Number of parts and pieces.
        parts: usize,
        /// Numbers of the parts of the split that are missing or have missing pieces.
        numbers: Vec<usize>,
    },
}

/// Formats the first few errors and the number of further ones.
fn join_faults(faults: &[String]) -> String {
    const MOST: usize = 3;
    let mut words = faults[..faults.len().min(MOST)].join("; ");
    if let Some(more @ 1..) = faults.len().checked_sub(MOST) {
        write!(words, "; and {more} more").expect("a string takes all");
    }
    words
}

/// Formats increasing numbers, with runs as `first-last`, and `...` in place of further runs.
fn ranges(numbers: &[usize]) -> String {
    const MOST: usize = 12;
    let mut runs = ranges::of(numbers);
    let mut words: Vec<String> = runs.by_ref().take(MOST).collect();
    if runs.next().is_some() {
        words.push("...".to_owned());
    }
    words.join(", ")
}

/// Error that prevents finished parts from being used or stored.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// Folder of another count.
    #[error("{} holds parts of another count: {found}; choose another folder", folder.display())]
    Other {
        /// Path of the folder.
        folder: PathBuf,
        /// Description of the difference.
        found: String,
    },
    /// Folder whose parts hold no solutions.
    #[error("the parts in {} hold no solutions: the count stored none", folder.display())]
    NoneKept {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// File that does not belong to the folder.
    #[error("{} is not a part of this count: {fault}; remove it to compute the part again", path.display())]
    Part {
        /// Path of the file.
        path: PathBuf,
        /// Description of the error.
        fault: String,
    },
    /// Parts that lack a known solution.
    #[error(
        "the parts in {} lack the solution {} and its images, so one of them is wrong; remove the folder to count all parts again",
        folder.display(),
        format_squares(solution)
    )]
    Missed {
        /// Path of the folder.
        folder: PathBuf,
        /// Solution, as coordinates.
        solution: Vec<Vec<u32>>,
    },
    /// Parts whose shares do not add up to integers.
    #[error(
        "the parts in {} do not add up to integers, so one of them is wrong; remove the folder to count all parts again",
        folder.display()
    )]
    Shares {
        /// Path of the folder.
        folder: PathBuf,
    },
    /// Too many solutions for the search for sets that no solution contains.
    #[error("there are more than {most} solutions, too many to look for sets that none of them contains")]
    TooMany {
        /// Largest number of solutions.
        most: usize,
    },
    /// Too many solutions for a proof.
    #[error("the solutions have more than {most} squares in all, too many for a proof, which lists them")]
    TooManyToProve {
        /// Largest number of squares.
        most: u64,
    },
    /// Too many solutions to be stored in memory.
    #[error("there are more than {most} solutions up to symmetry, too many to be sorted by their symmetry")]
    TooManyToSort {
        /// Largest number of solutions.
        most: usize,
    },
    /// Symmetry group that is not listed.
    #[error("the symmetry group is unknown or too large, so solutions cannot be sorted by their symmetry")]
    NoGroup,
    /// Different numbers of counted and stored solutions.
    #[error("the number of stored solutions up to symmetry with {} is {kept}, but {expected} were counted", counted(*order, "symmetry"))]
    Classes {
        /// Number of symmetries.
        order: u64,
        /// Number of solutions up to symmetry by the count.
        expected: String,
        /// Number of stored solutions up to symmetry.
        kept: u64,
    },
    /// Invalid list of solutions.
    #[error("the solutions that were found do not pass the independent check: {0}")]
    List(ListFault),
}

// The conversion does not set a source, because the message contains the fault.
impl From<ListFault> for CountError {
    fn from(fault: ListFault) -> Self {
        Self::List(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_three_faults_and_the_number_of_others() {
        let faults: Vec<String> = (1..=5).map(|k| format!("fault {k}")).collect();
        assert_eq!(join_faults(&faults[..1]), "fault 1");
        assert_eq!(join_faults(&faults[..3]), "fault 1; fault 2; fault 3");
        assert_eq!(join_faults(&faults), "fault 1; fault 2; fault 3; and 2 more");
    }
}
