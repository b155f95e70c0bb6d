//! Lists of all solutions of a problem on a board.

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::cancel::Control;

/// Reason why the solutions of a board were not listed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// More solutions than allowed.
    #[error("{board} has more than {most} {plural}, and no more are listed")]
    TooMany {
        /// Name of the board.
        board: String,
        /// Solutions in the plural, such as "independent sets".
        plural: &'static str,
        /// Largest number allowed.
        most: usize,
    },
    /// Stop request.
    #[error("stopped while the {0} were listed")]
    Stopped(&'static str),
}

impl Classified for ListError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::TooMany { .. } => ErrorClass::BadInput,
            Self::Stopped(_) => ErrorClass::Limit,
        }
    }
}

/// Solutions that can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Independent sets.
    Independent,
    /// Independent sets with this number of squares.
    IndependentOfSize(usize),
    /// Dominating sets.
    Dominating,
    /// Independent dominating sets.
    IndependentDominating,
}

impl Kind {
    /// Returns the solutions in the plural.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Independent | Self::IndependentOfSize(_) => "independent sets",
            Self::Dominating => "dominating sets",
            Self::IndependentDominating => "independent dominating sets",
        }
    }
}

/// Returns all solutions on a board, each with increasing squares, in lexicographic order of the
/// characteristic vectors read from the last square on: the sets on the first k squares precede all others.
///
/// # Errors
/// Returns an error if there are more than `most`, or if a stop is requested.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::solutions::{Kind, list};
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"3^3".parse()?);
/// assert_eq!(list(&board, Kind::Independent, 1000, &Control::new())?.len(), 340);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn list(
    board: &Board,
    kind: Kind,
    most: usize,
    control: &Control,
) -> Result<Vec<Vec<Square>>, ListError> {
    if kind == Kind::Independent && board.size() >= most {
        let board = board.name().to_string();
        return Err(ListError::TooMany { board, plural: kind.plural(), most });
    }
    let mut listing = Listing { graph: board.graph(), kind, most, control, found: Vec::new(), nodes: 0 };
    let mut free = FixedBitSet::with_capacity(board.size());
    free.insert_range(..);
    let complete = match kind {
        Kind::Independent | Kind::IndependentOfSize(_) | Kind::IndependentDominating => {
            listing.extend_independent(&mut Vec::new(), &free)
        }
        Kind::Dominating => listing.extend_dominating(0, &mut Vec::new(), &free),
    };
    match complete {
        Ok(()) => {}
        Err(Halt::Stop) => return Err(ListError::Stopped(kind.plural())),
        Err(Halt::Full) => {
            let board = board.name().to_string();
            return Err(ListError::TooMany { board, plural: kind.plural(), most });
        }
    }
    let mut found = listing.found;
    found.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
    Ok(found)
}

/// Reason for the end of a listing.
enum Halt {
    Full,
    Stop,
}

/// Depth-first search that lists solutions.
struct Listing<'a> {
    graph: Vec<FixedBitSet>,
    kind: Kind,
    most: usize,
    control: &'a Control,
    found: Vec<Vec<Square>>,
    nodes: u64,
}

impl Listing<'_> {
    /// Adds a solution to the list.
    fn add(&mut self, chosen: &[Square]) -> Result<(), Halt> {
        if self.found.len() == self.most {
            return Err(Halt::Full);
        }
        self.found.push(chosen.to_vec());
        Ok(())
    }

    /// Counts a node, and returns an error if a stop is requested.
    fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.control.is_stopped() { Err(Halt::Stop) } else { Ok(()) }
    }

    /// Returns `true` if every square is in the set or attacked from it.
    fn is_dominating(&self, chosen: &[Square]) -> bool {
        let mut covered = FixedBitSet::with_capacity(self.graph.len());
        for &square in chosen {
            covered.insert(square as usize);
            covered.union_with(&self.graph[square as usize]);
        }
        covered.count_ones(..) == self.graph.len()
    }

    /// Lists the independent sets that consist of `chosen` and of free squares.
    fn extend_independent(&mut self, chosen: &mut Vec<Square>, free: &FixedBitSet) -> Result<(), Halt> {
        self.count()?;
        match self.kind {
            Kind::IndependentOfSize(size) => {
                if chosen.len() == size {
                    return self.add(chosen);
                }
                if chosen.len() + free.count_ones(..) < size {
                    return Ok(());
                }
            }
            Kind::IndependentDominating if !self.is_dominating(chosen) => {}
            _ => self.add(chosen)?,
        }
        let mut rest = free.clone();
        for square in free.ones() {
            rest.set(square, false);
            let mut next = rest.clone();
            next.difference_with(&self.graph[square]);
            chosen.push(square as Square);
            self.extend_independent(chosen, &next)?;
            chosen.pop();
        }
        Ok(())
    }

    /// Lists the dominating sets that consist of `chosen` and of squares from `square` on; `missing` are the
    /// squares that `chosen` does not dominate.
    fn extend_dominating(
        &mut self,
        square: usize,
        chosen: &mut Vec<Square>,
        missing: &FixedBitSet,
    ) -> Result<(), Halt> {
        self.count()?;
        if square == self.graph.len() {
            return if missing.is_clear() { self.add(chosen) } else { Ok(()) };
        }
        let can_be_dominated = |s: usize| s >= square || self.graph[s].maximum().is_some_and(|t| t >= square);
        if !missing.ones().all(can_be_dominated) {
            return Ok(());
        }
        self.extend_dominating(square + 1, chosen, missing)?;
        let mut left = missing.clone();
        left.set(square, false);
        left.difference_with(&self.graph[square]);
        chosen.push(square as Square);
        self.extend_dominating(square + 1, chosen, &left)?;
        chosen.pop();
        Ok(())
    }
}
