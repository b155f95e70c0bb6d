//! Lists of the solutions of a count, checked.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ndqueens_crosscheck::solutions::{ListFault, verify_list};
use ndqueens_crosscheck::stop::{self, Stop};
use ndqueens_crosscheck::verify::verify;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::certificate::solutions::{Heading, ListKind, Solutions, format_line};

use super::Counted;
use crate::run::exact_engine::FOUND_BY;
use crate::run::{CountError, WorkflowError};

/// List of checked solutions.
#[derive(Debug)]
pub struct List<'a> {
    board: &'a Board,
    heading: Heading,
    sets: BTreeSet<Vec<Square>>,
}

impl List<'_> {
    /// Writes the list, one solution a line.
    ///
    /// # Errors
    /// Returns an error if the writer fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.heading)?;
        self.sets.iter().try_for_each(|set| writeln!(out, "{}", format_line(&coordinates(self.board, set))))
    }
}

pub(super) fn coordinates(board: &Board, set: &[Square]) -> Vec<Vec<u32>> {
    set.iter().map(|&square| board.coordinates(square)).collect()
}

/// Returns the solutions that were kept, one of each orbit or all of them, after checking each.
///
/// # Errors
/// Returns an error if a solution does not pass the check.
pub fn solutions<'a>(
    board: &'a Board,
    counted: &Counted,
    listed: ListKind,
) -> Result<List<'a>, WorkflowError> {
    let sets = match listed {
        ListKind::UpToSymmetry => counted.tally.representatives.clone(),
        // Maximum solutions are maximal.
        ListKind::All | ListKind::Maximal => all_images(board, counted, &|| false).expect("not stopped"),
    };
    let heading = Heading {
        board: board.name().clone(),
        size: counted.size as usize,
        listed,
        solutions: sets.len(),
        origin: FOUND_BY.to_owned(),
    };
    // The solutions have no line numbers yet.
    let line = 0;
    match listed {
        ListKind::UpToSymmetry if !sets.is_empty() => {
            let sets = sets.iter().map(|set| (line, coordinates(board, set))).collect();
            verify_list(&Solutions { heading: heading.clone(), sets }).map_err(CountError::List)?;
        }
        ListKind::UpToSymmetry => {}
        // There may be millions of solutions, so they are checked one by one. The set has no duplicates and
        // is closed under the symmetries.
        ListKind::All | ListKind::Maximal => {
            for set in &sets {
                let certificate = Certificate::independent(board.name().clone(), coordinates(board, set), "");
                verify(&certificate).map_err(|fault| CountError::List(ListFault::Wrong { line, fault }))?;
            }
        }
    }
    Ok(List { board, heading, sets })
}

/// Returns all solutions: the images of those that were kept.
pub(super) fn all_images(
    board: &Board,
    counted: &Counted,
    stop: Stop<'_>,
) -> Result<BTreeSet<Vec<Square>>, stop::Stopped> {
    let mut sets = counted.tally.representatives.clone();
    let mut new: Vec<Vec<Square>> = sets.iter().cloned().collect();
    let generators = board.generators();
    while let Some(set) = new.pop() {
        if stop() {
            return Err(stop::Stopped);
        }
        for generator in &generators {
            let mut image: Vec<Square> = set.iter().map(|&square| generator(square)).collect();
            image.sort_unstable();
            if sets.insert(image.clone()) {
                new.push(image);
            }
        }
    }
    Ok(sets)
}
