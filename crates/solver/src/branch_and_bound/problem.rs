//! Integer program to be solved, and the errors of a proof.

use std::io;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::UpperBounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::model::ModelError;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate;

use super::tree::SearchError;

/// Largest number of squares of a board whose proof tree can be checked.
pub const MOST_SQUARES: usize = ndqueens_exact::MOST_SQUARES;

/// Integer program to be solved.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Board.
    pub board: &'a Board,
    /// Formulation, which asks for a largest independent set.
    pub formulation: &'a Formulation,
    /// Source of right-hand sides; those that are used are proved.
    pub bounds: &'a dyn UpperBounds,
    /// Memory limit of a model, in bytes.
    pub memory: u64,
}

impl Problem<'_> {
    /// Returns an error if the board is too large for the checkers, or the formulation is of another problem.
    pub(super) fn ensure_provable(&self) -> Result<(), ProofError> {
        self.ensure_small()?;
        if self.formulation.problem != certificate::Problem::IndependentSet {
            return Err(ProofError::NotAMaximum(self.formulation.name.clone()));
        }
        Ok(())
    }

    /// Returns an error if the board is too large for the checkers.
    pub(super) fn ensure_small(&self) -> Result<(), ProofError> {
        if self.board.size() > MOST_SQUARES {
            return Err(ProofError::TooLarge { board: self.board.name().to_string() });
        }
        Ok(())
    }

    /// Returns the variant of the model for a target and included squares.
    pub(super) fn variant(&self, target: u64, included: &[Square]) -> Variant {
        let goal = if self.formulation.maximises() { Goal::Optimise } else { Goal::AtLeast(target) };
        Variant { include: included.to_vec(), ..Variant::of(goal) }
    }
}

impl std::fmt::Debug for Problem<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Problem")
            .field("board", self.board.name())
            .field("formulation", &self.formulation.name)
            .finish_non_exhaustive()
    }
}

/// Errors of a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// Formulation that does not ask for a largest independent set.
    #[error("formulation {0} does not ask for the largest number of queens of an independent set")]
    NotAMaximum(String),
    /// Board that is too large for the checker of proof trees.
    #[error("{board} has more than {MOST_SQUARES} squares, the largest number that a proof tree may have")]
    TooLarge {
        /// Board.
        board: String,
    },
    /// Row that a proof tree cannot contain.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\" on {board}, which a proof tree cannot hold: its rows are cliques, odd cycles and, on plain boxes, bounds of sub-boxes and inequalities of class counts"
    )]
    Row {
        /// Formulation.
        formulation: String,
        /// Family of the row.
        family: &'static str,
        /// Board.
        board: String,
    },
    /// Row that a VIPR file cannot derive.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\", which a VIPR file of a board cannot derive: its rows are cliques"
    )]
    ViprRow {
        /// Formulation.
        formulation: String,
        /// Family of the row.
        family: &'static str,
    },
    /// Row that a proof about dominating sets cannot use.
    #[error(
        "formulation {formulation} has rows of the family \"{family}\", which a proof about dominating sets cannot use: its rows are lines and the squares that attack or occupy a square"
    )]
    CoverRow {
        /// Formulation.
        formulation: String,
        /// Family of the row.
        family: &'static str,
    },
    /// Formulation that does not suit the board.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Failure of the search.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// Right-hand side that is smaller than the maximum of its box.
    #[error("the bound {bound} on {board} is wrong: a placement of more queens was found")]
    WrongBound {
        /// Box.
        board: String,
        /// Bound of the box.
        bound: u64,
    },
}

impl ProofError {
    /// Returns `true` if the system or a program failed, and `false` if the question cannot be answered.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::NotAMaximum(_)
            | Self::TooLarge { .. }
            | Self::Row { .. }
            | Self::ViprRow { .. }
            | Self::CoverRow { .. }
            | Self::Model(_) => false,
            Self::Search(SearchError::Backend(fault)) => fault.is_failure(),
            Self::Search(SearchError::Write(_)) | Self::WrongBound { .. } => true,
        }
    }
}

impl From<io::Error> for ProofError {
    fn from(fault: io::Error) -> Self {
        Self::Search(fault.into())
    }
}
