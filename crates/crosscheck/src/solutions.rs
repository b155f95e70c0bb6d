//! Verification of solution lists. It checks the listed solutions, but not that the list is complete; see
//! [`crate::count`].

use std::collections::{BTreeSet, HashMap, HashSet};

use ndqueens_notation::certificate::solutions::{ListKind, Solutions, format_line as line_of};
use ndqueens_notation::certificate::{Certificate, format_square};
use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::boards::{Definition, definition};
use crate::symmetry::SymmetryGroup;
use crate::verify::{Fault, verify};

/// Result of verifying a list: its solutions are distinct independent sets.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::solutions::verify_list;
/// use ndqueens_notation::certificate::solutions::Solutions;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: by hand\n\
///             0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n";
/// let verified = verify_list(&Solutions::parse_with(text, &reject_files)?)?;
/// assert!(verified.listed == 2 && verified.closed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedList {
    /// Number of listed solutions.
    pub listed: usize,
    /// Number of solutions in the orbits of the listed ones. `None` unless the list is of solutions up to
    /// symmetry.
    pub in_orbits: Option<u64>,
    /// `true` if the images of all solutions under the board's symmetries are listed too. `false` if this was
    /// not checked: for lists up to symmetry, for boards whose symmetry group is not known, and for lists
    /// that are too long.
    pub closed: bool,
}

/// Fault in a list. Lines count from 1.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::solutions::{ListFault, verify_list};
/// use ndqueens_notation::certificate::solutions::Solutions;
/// use ndqueens_notation::name::reject_files;
///
/// let text = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: by hand\n\
///             0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n";
/// let attacked = text.replace("0 2, 1 0", "0 0, 1 0");
/// let fault = verify_list(&Solutions::parse_with(&attacked, &reject_files)?).expect_err("an attack");
/// assert!(matches!(fault, ListFault::Wrong { line: 8, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListFault {
    /// A solution is not an independent set of the board.
    #[error("line {line}: {fault}")]
    Wrong {
        /// Its line.
        line: usize,
        /// The fault in the solution.
        #[source]
        fault: Fault,
    },
    /// A solution is listed twice.
    #[error("line {line} has the solution of line {first} again")]
    Again {
        /// The line of the second occurrence.
        line: usize,
        /// The line of the first occurrence.
        first: usize,
    },
    /// Two solutions lie in one orbit.
    #[error(
        "the solutions of lines {first} and {line} lie in one orbit, but the list is said to hold one of each"
    )]
    SameOrbit {
        /// The line of the second solution.
        line: usize,
        /// The line of the first solution.
        first: usize,
    },
    /// A set in a list of maximal sets is not maximal.
    #[error("line {line}: the set is not maximal, because the square {} can join it", format_square(square))]
    NotMaximal {
        /// The line of the set.
        line: usize,
        /// A square outside the set that no square of the set attacks.
        square: Vec<u32>,
    },
    /// The image of a solution is missing in a list of all solutions.
    #[error(
        "the list is said to hold all solutions, but an image of that of line {line} under the board's symmetry is missing: {}",
        line_of(image)
    )]
    Missing {
        /// The line of the solution.
        line: usize,
        /// The squares of its image.
        image: Vec<Vec<u32>>,
    },
    /// The symmetry group is not known, or too large to be listed.
    #[error(
        "whether the solutions lie in different orbits cannot be checked: the board's symmetry group is not known or too large to be listed"
    )]
    NoGroup,
}

impl Classified for ListFault {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Wrong { .. }
            | Self::Again { .. }
            | Self::SameOrbit { .. }
            | Self::NotMaximal { .. }
            | Self::Missing { .. } => ErrorClass::Refuted,
            Self::NoGroup => ErrorClass::Limit,
        }
    }
}

/// Largest number of squares to map when checking that no image of a solution is missing.
const MAX_MAPPED_SQUARES: usize = 200_000_000;

/// Largest number of squares of a board whose symmetry group is listed.
const MAX_SQUARES: usize = 1_000_000;

/// Verifies that the solutions in a list are distinct independent sets. Depending on the kind of the list,
/// also verifies that they lie in different orbits or are maximal, and checks for missing images under the
/// board's symmetries if possible.
///
/// # Errors
/// Returns the first fault found.
pub fn verify_list(list: &Solutions) -> Result<VerifiedList, ListFault> {
    let board = &list.heading.board;
    for (line, set) in &list.sets {
        let certificate = Certificate::independent(board.clone(), set.clone(), "");
        verify(&certificate).map_err(|fault| ListFault::Wrong { line: *line, fault })?;
    }
    let mut first = HashMap::new();
    for &(line, ref set) in &list.sets {
        let set: BTreeSet<&[u32]> = set.iter().map(Vec::as_slice).collect();
        if let Some(first) = first.insert(set, line) {
            return Err(ListFault::Again { line, first });
        }
    }
    let definition = definition(board);
    let (closed, in_orbits) = match list.heading.listed {
        ListKind::All => (is_closed(list, &*definition)?, None),
        ListKind::UpToSymmetry => (false, Some(count_in_orbits(list, &*definition)?)),
        ListKind::Maximal => {
            check_maximal(list, &*definition)?;
            (is_closed(list, &*definition)?, None)
        }
    };
    Ok(VerifiedList { listed: list.sets.len(), in_orbits, closed })
}

/// Returns an error if, for a set of the list, some square of the board is neither in the set nor attacked
/// from it.
fn check_maximal(list: &Solutions, definition: &dyn Definition) -> Result<(), ListFault> {
    for &(line, ref set) in &list.sets {
        let can_join =
            |square: &Vec<u32>| set.iter().all(|other| other != square && !definition.attacks(other, square));
        if let Some(square) = definition.squares().find(can_join) {
            return Err(ListFault::NotMaximal { line, square });
        }
    }
    Ok(())
}

/// Returns the number of solutions in the orbits of the listed ones.
///
/// # Errors
/// Returns an error if two listed solutions lie in the same orbit, or if the symmetry group cannot be listed.
fn count_in_orbits(list: &Solutions, definition: &dyn Definition) -> Result<u64, ListFault> {
    if definition.squares().nth(MAX_SQUARES).is_some() {
        return Err(ListFault::NoGroup);
    }
    let squares: Vec<Vec<u32>> = definition.squares().collect();
    let number: HashMap<&[u32], usize> = squares.iter().map(Vec::as_slice).zip(0..).collect();
    let group = SymmetryGroup::new(definition, &squares).ok_or(ListFault::NoGroup)?;
    let mut first_of_orbit = HashMap::new();
    let mut in_orbits = 0;
    for &(line, ref set) in &list.sets {
        let mut set: Vec<usize> = set.iter().map(|square| number[square.as_slice()]).collect();
        set.sort_unstable();
        if let Some(first) = first_of_orbit.insert(group.least_image(&set), line) {
            return Err(ListFault::SameOrbit { line, first });
        }
        in_orbits += (group.order() / group.stabiliser_size(&set)) as u64;
    }
    Ok(in_orbits)
}

/// Returns the number of orbits of a list that contains all images of each solution, each once. By the
/// Cauchy-Frobenius lemma, this is the sum of the sizes of the stabilisers divided by the order of the group.
/// Returns `None` if the symmetry group is not known or too large to be listed.
///
/// # Panics
/// Panics if a square is not on the board, or if the sum is not a multiple of the order because an image is
/// missing.
#[must_use]
pub fn count_orbits(list: &Solutions) -> Option<usize> {
    let definition = definition(&list.heading.board);
    let squares: Vec<Vec<u32>> = definition.squares().collect();
    let number: HashMap<&[u32], usize> = squares.iter().map(Vec::as_slice).zip(0..).collect();
    let group = SymmetryGroup::new(&*definition, &squares)?;
    let stabilisers = list.sets.iter().map(|(_, set)| {
        let mut set: Vec<usize> = set.iter().map(|square| number[square.as_slice()]).collect();
        set.sort_unstable();
        group.stabiliser_size(&set)
    });
    let fixed: usize = stabilisers.sum();
    assert!(fixed.is_multiple_of(group.order()), "an image is missing");
    Some(fixed / group.order())
}

/// Returns `true` if the images of all solutions are listed, and `false` if this was not checked. It suffices
/// to test the images under generators of the group.
///
/// # Errors
/// Returns an error if an image is missing.
fn is_closed(list: &Solutions, definition: &dyn Definition) -> Result<bool, ListFault> {
    let Some(generators) = definition.generators() else { return Ok(false) };
    let mapped_squares = generators.len().saturating_mul(list.sets.len()).saturating_mul(list.heading.size);
    if mapped_squares > MAX_MAPPED_SQUARES {
        return Ok(false);
    }
    let listed: HashSet<BTreeSet<&[u32]>> =
        list.sets.iter().map(|(_, set)| set.iter().map(Vec::as_slice).collect()).collect();
    for (line, set) in &list.sets {
        for generator in &generators {
            let mut image = set.clone();
            image.iter_mut().for_each(|square| generator(square));
            if !listed.contains(&image.iter().map(Vec::as_slice).collect::<BTreeSet<_>>()) {
                image.sort_unstable();
                return Err(ListFault::Missing { line: *line, image });
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_notation::name::reject_files;

    /// Verifies a list of kind `kind` for `4^2`.
    fn verify_lines(kind: &str, lines: &[&str]) -> Result<VerifiedList, ListFault> {
        let heading = format!(
            "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: {kind}\nsolutions: {}\norigin: -\n",
            lines.len()
        );
        verify_list(&Solutions::parse_with(&(heading + &lines.join("\n")), &reject_files).expect("a list"))
    }

    #[test]
    fn verifies_lists_line_by_line() {
        let (one, other) = ("0 1, 1 3, 2 0, 3 2", "0 2, 1 0, 2 3, 3 1");
        let heading = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: -\n";
        let both = Solutions::parse_with(&format!("{heading}{one}\n{other}"), &reject_files).expect("a list");
        assert_eq!(count_orbits(&both), Some(1));
        assert_eq!(
            verify_lines("all", &[one, other]),
            Ok(VerifiedList { listed: 2, in_orbits: None, closed: true })
        );
        assert_eq!(
            verify_lines("up-to-symmetry", &[other]),
            Ok(VerifiedList { listed: 1, in_orbits: Some(2), closed: false })
        );
        let image = [[0, 2], [1, 0], [2, 3], [3, 1]].map(Vec::from).to_vec();
        assert_eq!(verify_lines("all", &[one]), Err(ListFault::Missing { line: 7, image }));
        assert_eq!(
            verify_lines("up-to-symmetry", &[one, other]),
            Err(ListFault::SameOrbit { line: 8, first: 7 })
        );
        assert_eq!(
            verify_lines("all", &[one, other, "3 2, 0 1, 1 3, 2 0"]),
            Err(ListFault::Again { line: 9, first: 7 })
        );
        for wrong in ["0 1, 1 3, 2 0, 3 3", "0 1, 1 3, 2 0, 4 2", "0 1, 1 3, 2 0, 2 0", "0 1, 1 3, 2 0, 2"] {
            assert!(
                matches!(verify_lines("all", &[one, wrong]), Err(ListFault::Wrong { line: 8, .. })),
                "{wrong}"
            );
        }
    }
}
