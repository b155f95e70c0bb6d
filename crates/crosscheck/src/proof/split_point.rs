//! Places at which the check of a long tree is split.

use fixedbitset::FixedBitSet;

/// Place in a tree at which the check of a piece begins or ends, and the state of the check there.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::proof::SplitPoint;
///
/// let point = SplitPoint::at_case(120, 4096, 3);
/// assert_eq!(point.offset(), 4096);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitPoint {
    /// Line, counted from 1 in the proof.
    pub(super) line: u64,
    /// Offset of the line in the text of the tree, in bytes.
    pub(super) offset: usize,
    pub(super) state: State,
}

/// State of the check at a split point, where no queen is placed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// Beginning of a case of the first case split, with the number of remaining cases, this one included.
    Case(usize),
    /// Beginning of a node of the root at which these squares are free.
    Node(FixedBitSet),
}

impl SplitPoint {
    /// Creates the point where a case of the first case split begins. `cases_to_come` is the number of
    /// remaining cases, this one included.
    #[must_use]
    pub fn at_case(line: u64, offset: usize, cases_to_come: usize) -> Self {
        Self { line, offset, state: State::Case(cases_to_come) }
    }

    /// Creates the point where a node of the root begins. `free` contains the places of the free squares.
    #[must_use]
    pub fn at_node(line: u64, offset: usize, free: FixedBitSet) -> Self {
        Self { line, offset, state: State::Node(free) }
    }

    /// Returns the offset of the line in the text of the tree, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}
