//! Errors of goals that a method does not have.

use ndqueens_model::family::ValidityError;
use ndqueens_notation::name::BoardName;

/// Goal or included squares that do not suit a formulation.
#[derive(Debug, thiserror::Error)]
pub enum GoalError {
    /// Formulation whose objective is not the maximum number of queens.
    #[error(
        "branch and bound proves maxima of independent sets, and formulation {formulation} has another goal; prove --engine lp proves \
         it, and solve answers it with the solver's bound"
    )]
    NotAMaximum {
        /// Name of the formulation.
        formulation: String,
    },
    /// Included squares for a formulation that takes none.
    #[error(
        "included squares are for formulations that complete them and for dominating sets, not for formulation {0}"
    )]
    NothingToInclude(String),
    /// Number of queens below that of the included squares.
    #[error("--k {asked} is less than the {included} that --include names, which every solution contains")]
    FewerThanIncluded {
        /// Requested number.
        asked: u64,
        /// Number of included pieces in words, such as `3 queens`.
        included: String,
    },
    /// Lower limit for smallest dominating sets.
    #[error("the engine lp minimises dominating sets: formulation {0} is for \"minimise\" and \"at most K\"")]
    OnlyFewest(String),
    /// Upper limit for largest independent sets.
    #[error("the engine lp maximises independent sets: formulation {0} takes no upper limit")]
    OnlyMost(String),
    /// Board on which cliques and local cuts are not separated.
    #[error("{0} is not a plain box: cliques and local cuts are separated on boxes, such as 6^3 or 4x5x6")]
    NotABox(BoardName),
    /// Inequalities that need not hold for the solutions of a formulation.
    #[error(
        "inequalities of the family {family} cannot be added to formulation {formulation} on {board}: {reason}"
    )]
    NotSeparable {
        /// Name of the family.
        family: &'static str,
        /// Name of the formulation.
        formulation: String,
        /// Board.
        board: BoardName,
        /// Reason why they need not hold.
        reason: Box<ValidityError>,
    },
    /// Formulation that asks for a number of queens, whose relaxation has no objective.
    #[error("formulation {0} asks for a number of queens, and its LP relaxation has no bound")]
    NoBound(String),
    /// Weights for a formulation with another goal.
    #[error("weights are maximised over independent sets, and formulation {0} has another goal")]
    NoWeights(String),
    /// Weights for a formulation that removes symmetric solutions.
    #[error(
        "formulation {0} keeps one solution of each class of symmetric ones, and their weights differ; it takes no weights"
    )]
    WeightsBreakSymmetry(String),
    /// Missing number of queens.
    #[error("formulation {0} needs a number of queens: --k K")]
    NoNumber(String),
}
