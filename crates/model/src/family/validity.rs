//! Reasons why a family is not valid.

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::Piece;

use crate::own::MisplacedInequality;
use crate::variant::{Goal, NoFullSolutions};

/// Reason why a family is not valid for a variant of a problem on a board, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValidityError {
    /// Problem whose solutions need not be independent sets.
    #[error("it holds for independent sets, and {} need not be one", .0.with_article())]
    NotIndependent(Problem),
    /// Problem whose solutions need not be dominating sets.
    #[error("it holds for dominating sets, and {} need not be one", .0.with_article())]
    NotDominating(Problem),
    /// Problem whose solutions may have three squares in a line.
    #[error("it holds for no-three-in-line sets, and {} need not be one", .0.with_article())]
    ThreeInLine(Problem),
    /// Board that is neither a box nor a torus.
    #[error("it is defined on boxes and tori of queens, rooks and bishops")]
    NoGrid,
    /// Board without straight lines.
    #[error("its straight lines are those of plain boxes, which are named without a piece, such as 8^2")]
    NoStraightLines,
    /// Torus, whose straight lines are not those of a box.
    #[error("its straight lines are those of a box that is not wrapped round")]
    Torus,
    /// Piece other than a queen, for a family of cliques of queens.
    #[error("its squares attack each other pairwise for queens, not for {}s", .0.word())]
    NoClique(Piece),
    /// Piece other than a queen, for a family that counts faces.
    #[error("it counts faces of a cube, which are defined for queens, not for {}s", .0.word())]
    NoFaces(Piece),
    /// Board without full solutions.
    #[error(transparent)]
    NoFullSolutions(#[from] NoFullSolutions),
    /// Goal other than full solutions.
    #[error("it holds for full solutions only, which have {}, and the goal is: {goal}", counted(*full, "queen"))]
    NotFull {
        /// Number of queens of a full solution.
        full: u64,
        /// Goal of the model.
        goal: Goal,
    },
    /// Included queens, which break the symmetry of the solutions.
    #[error(
        "it keeps one image of each solution under the board's symmetries, and that one may lack the included queens"
    )]
    Included,
    /// Length of a prefix that is not allowed.
    #[error("its prefix is {prefix}; 1 to {longest} are allowed")]
    Prefix {
        /// Length in the formulation.
        prefix: usize,
        /// Largest allowed length.
        longest: usize,
    },
    /// Length of an odd cycle that is even or less than 5.
    #[error("its lengths contain {0}; odd numbers from 5 on are allowed")]
    CycleLength(usize),
    /// Board with too many squares for a list of all maximal cliques.
    #[error("all maximal cliques are listed on boards of at most {most} squares, and this one has {size}")]
    TooManySquares {
        /// Largest allowed number of squares.
        most: usize,
        /// Number of squares of the board.
        size: usize,
    },
    /// Inequality of the formulation's file without a place on the board.
    #[error("{0}")]
    Misplaced(Box<MisplacedInequality>),
    /// Board with more maximal cliques than the limit in the formulation.
    #[error("it has more than {}, the limit", counted(*.0, "maximal clique"))]
    TooManyCliques(usize),
}
