//! A formulation: a recipe on a board, with a goal and queens that must be part of the solution.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::board::{Board, Extent, Square};
use crate::bound::{UpperBound, UpperBounds};
use crate::certificate::Claim;
use crate::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use crate::recipe::Recipe;
use crate::reduce::{Keep, reduce};

/// What is asked of the number of queens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// As many as possible; as few as possible for dominating sets.
    Optimise,
    /// Is there a solution with at least this many?
    AtLeast(u64),
    /// Is there a solution with exactly this many? The main source's form.
    Exactly(u64),
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimise => f.write_str("optimise"),
            Self::AtLeast(k) => write!(f, "at least {k}"),
            Self::Exactly(k) => write!(f, "exactly {k}"),
        }
    }
}

/// What is asked besides the recipe.
#[derive(Debug, Clone)]
pub struct Variant {
    /// What is asked of the number of queens.
    pub goal: Goal,
    /// Squares that must be part of the solution.
    pub include: Vec<Square>,
    /// Which rows are kept.
    pub keep: Keep,
}

impl Variant {
    /// The goal alone.
    #[must_use]
    pub fn of(goal: Goal) -> Self {
        Self { goal, include: Vec::new(), keep: Keep::All }
    }
}

/// Why there is no such formulation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormulationError {
    /// A family is not valid on the board.
    #[error("the family \"{family}\" of recipe {recipe} is not valid on {board}: {reason}")]
    Invalid {
        /// The family.
        family: &'static str,
        /// The recipe.
        recipe: String,
        /// The board.
        board: String,
        /// Why.
        reason: String,
    },
    /// More queens are asked for than the trivial bound allows.
    #[error("{asked} queens cannot be asked for on {board}: the trivial upper bound is {bound}")]
    AboveTrivialBound {
        /// The number asked for.
        asked: u64,
        /// The board.
        board: String,
        /// The trivial bound.
        bound: u64,
    },
    /// Two of the included queens attack each other.
    #[error("the included queens at {0} and {1} attack each other")]
    IncludedAttack(String, String),
    /// The model would not fit into memory.
    #[error(
        "the model of recipe {recipe} on {board} would have {rows} rows with {nonzeros} nonzeros and take about {need} GiB; \
         {have} GiB of memory are allowed"
    )]
    TooLarge {
        /// The recipe.
        recipe: String,
        /// The board.
        board: String,
        /// Rows.
        rows: u128,
        /// Nonzero entries.
        nonzeros: u128,
        /// What it would take, in GiB.
        need: u128,
        /// What there is, in GiB.
        have: u128,
    },
}

/// The integer programme of a recipe on a board. Rows are made as they are asked for.
pub struct Formulation<'a> {
    board: &'a Board,
    recipe: &'a Recipe,
    variant: Variant,
    upper_bounds: &'a dyn UpperBounds,
    columns: Vec<Column>,
    used: Vec<Arc<UpperBound>>,
}

impl fmt::Debug for Formulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Formulation").field("name", &self.name()).field("variant", &self.variant).finish()
    }
}

impl<'a> Formulation<'a> {
    /// Ties a recipe to a board. `memory` is what the model may take, in bytes.
    ///
    /// # Errors
    /// When a family is not valid on the board, the goal is above the trivial bound, included queens attack each other,
    /// or the model would take more memory than allowed.
    pub fn new(
        board: &'a Board,
        recipe: &'a Recipe,
        variant: Variant,
        upper_bounds: &'a dyn UpperBounds,
        memory: u64,
    ) -> Result<Self, FormulationError> {
        for family in &recipe.families {
            family.validity(board, recipe.problem).map_err(|reason| FormulationError::Invalid {
                family: family.name(),
                recipe: recipe.name.clone(),
                board: board.name().to_string(),
                reason,
            })?;
        }
        if let Goal::AtLeast(asked) | Goal::Exactly(asked) = variant.goal
            && asked > board.trivial_bound()
        {
            let (board, bound) = (board.name().to_string(), board.trivial_bound());
            return Err(FormulationError::AboveTrivialBound { asked, board, bound });
        }
        let pairs = variant.include.iter().flat_map(|&a| variant.include.iter().map(move |&b| (a, b)));
        if recipe.problem != Claim::DominatingSet
            && let Some((a, b)) = pairs.into_iter().find(|&(a, b)| board.attacks(a, b))
        {
            return Err(FormulationError::IncludedAttack(board.label(a), board.label(b)));
        }
        let mut formulation =
            Self { board, recipe, variant, upper_bounds, columns: Vec::new(), used: Vec::new() };
        formulation.check_memory(memory)?;
        formulation.columns = board.squares().map(|square| formulation.column(square)).collect();
        formulation.used = formulation.bounds_in_use();
        Ok(formulation)
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &'a Board {
        self.board
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &'a Recipe {
        self.recipe
    }

    /// Goal, included queens, rows kept.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Rows and nonzeros of the families, or upper bounds on them.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let extents = self.recipe.families.iter().map(|family| family.extent(self.board, self.upper_bounds));
        extents.fold(Extent::default(), |sum, extent| sum + extent)
    }

    /// The model in memory.
    #[must_use]
    pub fn ilp(&self) -> Ilp {
        Ilp::of(self)
    }

    /// The squares whose variables are 1.
    #[must_use]
    pub fn squares(&self, point: &[i64]) -> Vec<Square> {
        self.board.squares().filter(|&square| point[square as usize] != 0).collect()
    }

    /// The point whose variables are 1 on these squares.
    #[must_use]
    pub fn point(&self, squares: &[Square]) -> Vec<i64> {
        let mut point = vec![0; self.columns.len()];
        for &square in squares {
            point[square as usize] = 1;
        }
        point
    }

    /// Measured with 20^3 cube-star: the model, HiGHS's copies of it by row and by column, and its presolved form take
    /// about 150 bytes a nonzero, besides some hundred bytes for each row and column.
    fn check_memory(&self, memory: u64) -> Result<(), FormulationError> {
        let Extent { rows, nonzeros } = self.extent();
        let bytes = self.board.size() as u128 * 400 + rows * 300 + nonzeros * 150;
        if bytes <= u128::from(memory) {
            return Ok(());
        }
        Err(FormulationError::TooLarge {
            recipe: self.recipe.name.clone(),
            board: self.board.name().to_string(),
            rows,
            nonzeros,
            need: bytes.div_ceil(1 << 30),
            have: u128::from(memory >> 30),
        })
    }

    fn column(&self, square: Square) -> Column {
        let mut name = "x".to_owned();
        for coordinate in self.board.coordinates(square) {
            name += &format!("_{coordinate}");
        }
        let objective = i64::from(self.variant.goal == Goal::Optimise);
        Column { name, objective, lower: i64::from(self.variant.include.contains(&square)), upper: 1 }
    }

    fn bounds_in_use(&self) -> Vec<Arc<UpperBound>> {
        let mut used: Vec<Arc<UpperBound>> = Vec::new();
        for family in &self.recipe.families {
            for bound in family.bounds(self.board, self.upper_bounds) {
                if used.iter().all(|known| known.board.sorted() != bound.board.sorted()) {
                    used.push(bound);
                }
            }
        }
        used
    }

    fn numbered_rows(&self) -> impl Iterator<Item = Row> + '_ {
        let mut numbers: HashMap<&'static str, u64> = HashMap::new();
        let families = self.recipe.families.iter().flat_map(|family| {
            family.rows(self.board, self.upper_bounds).map(|inequality| (family.name(), inequality))
        });
        let rows = families.map(move |(family, inequality)| {
            let number = numbers.entry(family).or_default();
            let tag = Tag { family, number: *number };
            *number += 1;
            Row {
                tag,
                columns: inequality.squares,
                coefficients: inequality.coefficients,
                comparison: inequality.comparison,
                rhs: inequality.rhs,
                bound: inequality.bound,
            }
        });
        rows.chain(self.size_row())
    }

    fn size_row(&self) -> Option<Row> {
        let (comparison, queens) = match self.variant.goal {
            Goal::Optimise => return None,
            Goal::AtLeast(k) => (Comparison::AtLeast, k),
            Goal::Exactly(k) => (Comparison::Equal, k),
        };
        Some(Row {
            tag: Tag { family: "size", number: 0 },
            columns: self.board.squares().collect(),
            coefficients: None,
            comparison,
            rhs: i64::try_from(queens).expect("at most the trivial bound"),
            bound: None,
        })
    }
}

impl Program for Formulation<'_> {
    fn name(&self) -> String {
        format!("{}_{}", self.board.name(), self.recipe.name).replace(['^', ':', '-'], "_")
    }

    fn sense(&self) -> Sense {
        match (self.variant.goal, self.recipe.problem) {
            (Goal::AtLeast(_) | Goal::Exactly(_), _) => Sense::Feasibility,
            (Goal::Optimise, Claim::IndependentSet) => Sense::Maximise,
            (Goal::Optimise, Claim::DominatingSet | Claim::IndependentDominatingSet) => Sense::Minimise,
        }
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        match self.variant.keep {
            Keep::All => Box::new(self.numbered_rows()),
            keep => Box::new(reduce(self.numbered_rows(), keep).into_iter()),
        }
    }

    fn bounds(&self) -> &[Arc<UpperBound>] {
        &self.used
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![
            format!("board {}, recipe {}: {}", self.board.name(), self.recipe.name, self.recipe.title),
            format!("goal: {}; problem: {}", self.variant.goal, self.recipe.problem),
        ];
        remarks.extend(
            self.recipe.families.iter().map(|f| format!("{}: {} [{}]", f.name(), f.summary(), f.citation())),
        );
        remarks
    }
}
