//! Models: a formulation on a board, with a goal and queens that must be part of the solution.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};

use crate::board::{Board, Extent, Grid, Square, format_memory};
use crate::defining::find_gap;
use crate::facts::{UpperBound, UpperBounds};
use crate::family::own::NAME as OWN;
use crate::family::{Family, Inequality, ValidityError};
use crate::formulation::{Formulation, Need};
use crate::ilp::reduce::{RowFilter, reduce};
use crate::ilp::{Column, Comparison, Ilp, Program, Row, Sense, Tag};
use crate::named_row::{NamedRow, OwnReason, UnknownRow};
use crate::variant::{Goal, NoFullSolutions, Variant, full_size};

impl Variant {
    /// Returns the variant with the default goal of the formulation if no number of queens is given.
    ///
    /// # Errors
    /// Returns an error if a requirement of the formulation is not met, or the goal is not meaningful for it.
    pub fn with_default_goal(self, board: &Board, formulation: &Formulation) -> Result<Self, ModelError> {
        let goal = self.default_goal(board, formulation).map_err(|reason| ModelError::Unsuited {
            formulation: formulation.name.clone(),
            board: board.name().to_string(),
            reason,
        })?;
        Ok(Self { goal, ..self })
    }

    /// Returns the goal, or the default goal of the formulation if no number of queens is given.
    fn default_goal(&self, board: &Board, formulation: &Formulation) -> Result<Goal, UnsuitedReason> {
        for need in &formulation.needs {
            let (met, reason) = match need {
                Need::Number => (self.goal != Goal::Optimise, UnsuitedReason::NoNumber),
                Need::Include => (!self.include.is_empty(), UnsuitedReason::NothingIncluded),
                Need::Torus => (board.grid().is_some_and(Grid::is_torus), UnsuitedReason::NoTorus),
            };
            if !met {
                return Err(reason);
            }
        }
        if formulation.full && formulation.problem != Problem::IndependentSet {
            return Err(UnsuitedReason::FullNotIndependent);
        }
        match self.goal {
            Goal::Optimise if formulation.full => Ok(Goal::Exactly(full_size(board)?)),
            Goal::AtMost(most) if formulation.problem.is_maximised() => {
                Err(UnsuitedReason::AtMost { most, problem: formulation.problem })
            }
            goal => Ok(goal),
        }
    }
}

/// Reason why a formulation does not suit a board or a goal, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnsuitedReason {
    /// Missing number of queens.
    #[error("it needs a number of queens: at least, or exactly")]
    NoNumber,
    /// Missing queens to include.
    #[error("it needs queens to include, which it completes")]
    NothingIncluded,
    /// Board that is not a torus.
    #[error("it is for a torus, such as torus:5^2")]
    NoTorus,
    /// Full solutions of a problem other than independent sets.
    #[error("full solutions are independent sets")]
    FullNotIndependent,
    /// Board without full solutions.
    #[error(transparent)]
    NoFullSolutions(#[from] NoFullSolutions),
    /// Upper limit for a problem with the empty set as a solution.
    #[error(
        "at most {most} queens can be asked for in dominating sets only: no queen at all is {}",
        problem.with_article()
    )]
    AtMost {
        /// Upper limit.
        most: u64,
        /// Problem of the formulation.
        problem: Problem,
    },
}

/// Error of creating a model.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::model::ModelError;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::AtLeast(4)), &Theorems, 1 << 30);
/// assert!(matches!(model.err(), Some(ModelError::AboveTrivialBound { bound: 3, .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Family that is not valid on the board.
    #[error("the family \"{family}\" of formulation {formulation} is not valid on {board}: {reason}")]
    Invalid {
        /// Name of the family.
        family: &'static str,
        /// Name of the formulation.
        formulation: String,
        /// Name of the board.
        board: String,
        /// Reason why it is not valid; part of the message.
        reason: ValidityError,
    },
    /// Requirement of the formulation that is not met, or goal that is not meaningful for it.
    #[error("formulation {formulation} on {board}: {reason}")]
    Unsuited {
        /// Name of the formulation.
        formulation: String,
        /// Name of the board.
        board: String,
        /// Reason for the rejection; part of the message.
        reason: UnsuitedReason,
    },
    /// Formulation whose rows do not exclude all points that are not solutions.
    #[error("formulation {formulation} does not describe the {problem}s of {board}: {reason}")]
    Undefined {
        /// Name of the formulation.
        formulation: String,
        /// Problem of the formulation.
        problem: Problem,
        /// Name of the board.
        board: String,
        /// Violation that the rows do not exclude.
        reason: String,
    },
    /// Number of queens above the trivial bound.
    #[error("{asked} do not fit on {board}: the trivial upper bound is {bound}")]
    AboveTrivialBound {
        /// Requested number of queens, such as `10 queens`.
        asked: String,
        /// Name of the board.
        board: String,
        /// Trivial bound of the board.
        bound: u64,
    },
    /// Two included queens that attack each other.
    #[error("the included squares {0} and {1} attack each other")]
    IncludedAttack(String, String),
    /// Model that exceeds the memory limit.
    #[error(
        "the model of formulation {formulation} on {board} would have {extent} and take about {need}; {have} of memory is allowed"
    )]
    TooLarge {
        /// Name of the formulation.
        formulation: String,
        /// Name of the board.
        board: String,
        /// Number of columns, and numbers of rows and nonzeros if they are known.
        extent: Box<str>,
        /// Estimated memory of the model, such as `3 GiB`.
        need: Box<str>,
        /// Memory limit in the same unit.
        have: Box<str>,
    },
}

impl Classified for ModelError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::AboveTrivialBound { .. } => ErrorClass::Refuted,
            Self::Invalid { .. }
            | Self::Unsuited { .. }
            | Self::Undefined { .. }
            | Self::IncludedAttack(..)
            | Self::TooLarge { .. } => ErrorClass::BadInput,
        }
    }
}

/// Returns the requested number of queens and the trivial bound if the number exceeds the bound.
#[must_use]
pub fn above_trivial_bound(board: &Board, problem: Problem, goal: Goal) -> Option<(u64, u64)> {
    let bound = match problem {
        Problem::IndependentSet | Problem::IndependentDominatingSet => board.trivial_bound(),
        Problem::DominatingSet => board.size() as u64,
        Problem::NoThreeInLine => two_on_each_line(board),
    };
    match goal {
        Goal::AtLeast(asked) | Goal::Exactly(asked) if asked > bound => Some((asked, bound)),
        _ => None,
    }
}

/// Returns an upper bound on the size of a no-three-in-line set.
///
/// It is two squares on each line along the longest axis of a box, for example `2n` on `n^2`, and the number
/// of squares on other boards.
#[must_use]
pub fn two_on_each_line(board: &Board) -> u64 {
    let size = board.size() as u64;
    board.plain_box().and_then(|grid| grid.sides().iter().max()).map_or(size, |&longest| {
        let longest = u64::from(longest);
        size / longest * longest.min(2)
    })
}

/// Integer program of a formulation on a board, whose rows are generated on demand.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::format::Format;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^3".parse()?), Formulation::builtin("cube")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let mut text = Vec::new();
/// Format::Lp.write(&model, &mut text)?;
/// assert!(String::from_utf8(text)?.contains("cube_0: x_0_0_0 + x_0_0_1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Model<'a> {
    board: &'a Board,
    formulation: &'a Formulation,
    variant: Variant,
    upper_bounds: &'a dyn UpperBounds,
    columns: Vec<Column>,
    /// Bounds that are right-hand sides, one for each board up to the order of its axes.
    used: Vec<Arc<UpperBound>>,
}

impl fmt::Debug for Model<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("name", &self.name()).field("variant", &self.variant).finish()
    }
}

impl<'a> Model<'a> {
    /// Creates the model of a formulation on a board. `memory` is the memory limit for storing and solving
    /// it, in bytes.
    ///
    /// # Errors
    /// Returns an error if a requirement of the formulation is not met, a family is not valid on the board,
    /// the rows do not exclude all points that are not solutions, the goal is above the trivial bound,
    /// included queens attack each other, or the model would exceed the memory limit.
    pub fn new(
        board: &'a Board,
        formulation: &'a Formulation,
        variant: Variant,
        upper_bounds: &'a dyn UpperBounds,
        memory: u64,
    ) -> Result<Self, ModelError> {
        Self::relaxation(board, formulation, variant, upper_bounds, memory)?.ensure_defining()
    }

    /// Creates a model for upper bounds, whose feasible points need not be solutions.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::new`], except that rows which admit other points are
    /// accepted.
    pub fn relaxation(
        board: &'a Board,
        formulation: &'a Formulation,
        variant: Variant,
        upper_bounds: &'a dyn UpperBounds,
        memory: u64,
    ) -> Result<Self, ModelError> {
        let model = Self::create(board, formulation, variant, upper_bounds, memory, true)?;
        model.ensure_open()?;
        Ok(model)
    }

    /// Creates a model whose rows are not stored, for example because they are written to a file.
    ///
    /// The memory limit then applies to the columns only, unless rows are filtered. The goal may be above the
    /// trivial bound, because the file may be given to other solvers as a test.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::new`], except that goals above the trivial bound are
    /// accepted.
    pub fn for_writing(
        board: &'a Board,
        formulation: &'a Formulation,
        variant: Variant,
        upper_bounds: &'a dyn UpperBounds,
        memory: u64,
    ) -> Result<Self, ModelError> {
        let stores_rows = variant.keep != RowFilter::All;
        Self::create(board, formulation, variant, upper_bounds, memory, stores_rows)?.ensure_defining()
    }

    /// Checks that the goal is not above the trivial bound.
    ///
    /// # Errors
    /// Returns an error if it is, because the answer is then known.
    pub fn ensure_open(&self) -> Result<(), ModelError> {
        match above_trivial_bound(self.board, self.formulation.problem, self.variant.goal) {
            None => Ok(()),
            Some((asked, bound)) => {
                let asked = match self.formulation.problem {
                    Problem::NoThreeInLine => self.board.format_squares(asked),
                    _ => self.board.format_pieces(asked),
                };
                let board = self.board.name().to_string();
                Err(ModelError::AboveTrivialBound { asked, board, bound })
            }
        }
    }

    /// Checks that the rows exclude all points that are not solutions.
    fn ensure_defining(self) -> Result<Self, ModelError> {
        let problem = &self.formulation.problem;
        let families: Vec<&dyn Family> = self.formulation.families().collect();
        match find_gap(self.board, *problem, &families, || self.numbered_rows()) {
            None => Ok(self),
            Some(reason) => Err(ModelError::Undefined {
                formulation: self.formulation.name.clone(),
                problem: *problem,
                board: self.board.name().to_string(),
                reason,
            }),
        }
    }

    /// Creates a model, without comparing its goal with the trivial bound and without examining its rows.
    fn create(
        board: &'a Board,
        formulation: &'a Formulation,
        variant: Variant,
        upper_bounds: &'a dyn UpperBounds,
        memory: u64,
        stores_rows: bool,
    ) -> Result<Self, ModelError> {
        let variant = variant.with_default_goal(board, formulation)?;
        for family in formulation.families() {
            family.validity(board, formulation.problem, &variant).map_err(|reason| ModelError::Invalid {
                family: family.name(),
                formulation: formulation.name.clone(),
                board: board.name().to_string(),
                reason,
            })?;
        }
        let pairs = variant.include.iter().flat_map(|&a| variant.include.iter().map(move |&b| (a, b)));
        if formulation.problem.is_independent()
            && let Some((a, b)) = pairs.into_iter().find(|&(a, b)| board.attacks(a, b))
        {
            return Err(ModelError::IncludedAttack(board.label(a), board.label(b)));
        }
        let mut model =
            Self { board, formulation, variant, upper_bounds, columns: Vec::new(), used: Vec::new() };
        // The columns are checked first, because counting the rows may need the orbits of all squares.
        model.check_memory(None, memory)?;
        if stores_rows {
            model.check_memory(Some(model.extent()), memory)?;
        }
        model.columns = board.squares().map(|square| model.column(square)).collect();
        model.used = model.collect_bounds();
        Ok(model)
    }

    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &'a Board {
        self.board
    }

    /// Returns the formulation.
    #[must_use]
    pub fn formulation(&self) -> &'a Formulation {
        self.formulation
    }

    /// Returns the goal, the included queens and the row filter.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Returns the numbers of rows and nonzeros of the families, or upper bounds on them.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let extents = self.formulation.families().map(|family| family.extent(self.board, self.upper_bounds));
        extents.fold(Extent::default(), |sum, extent| sum + extent)
    }

    /// Returns a copy of the model in memory.
    #[must_use]
    pub fn ilp(&self) -> Ilp {
        Ilp::of(self)
    }

    /// Returns the squares whose variables are 1.
    #[must_use]
    pub fn squares(&self, point: &[i64]) -> Vec<Square> {
        self.board.squares().filter(|&square| point[square as usize] == 1).collect()
    }

    /// Returns the point whose variables are 1 on these squares and 0 on all others.
    #[must_use]
    pub fn point(&self, squares: &[Square]) -> Vec<i64> {
        let mut point = vec![0; self.columns.len()];
        for &square in squares {
            point[square as usize] = 1;
        }
        point
    }

    /// Checks an estimate of the memory of the model.
    ///
    /// By a measurement on 20^3 with `cube-star`, the model, its copies in HiGHS by row and by column, and
    /// its presolved form take about 150 bytes per nonzero and a few hundred bytes per row and column.
    fn check_memory(&self, rows: Option<Extent>, memory: u64) -> Result<(), ModelError> {
        let columns = self.board.size();
        let Extent { rows: number, nonzeros } = rows.unwrap_or_default();
        let bytes = columns as u128 * 400 + number * 300 + nonzeros * 150;
        if bytes <= u128::from(memory) {
            return Ok(());
        }
        let known =
            rows.map(|_| format!(", {} and {}", counted(number, "row"), counted(nonzeros, "nonzero")));
        let (need, have) = format_memory(bytes, memory.into());
        Err(ModelError::TooLarge {
            formulation: self.formulation.name.clone(),
            board: self.board.name().to_string(),
            extent: format!("{}{}", counted(columns, "column"), known.unwrap_or_default()).into(),
            need: need.into(),
            have: have.into(),
        })
    }

    /// Returns the column of a square.
    fn column(&self, square: Square) -> Column {
        let mut name = "x".to_owned();
        for coordinate in self.board.coordinates(square) {
            name += &format!("_{coordinate}");
        }
        let objective = i64::from(self.variant.goal == Goal::Optimise);
        Column { name, objective, lower: i64::from(self.variant.include.contains(&square)), upper: 1 }
    }

    /// Returns the bounds that are right-hand sides. The program is conditional if one of them is not proved.
    #[must_use]
    pub fn bounds(&self) -> &[Arc<UpperBound>] {
        &self.used
    }

    /// Returns the bounds of all families, one for each board up to the order of its axes.
    fn collect_bounds(&self) -> Vec<Arc<UpperBound>> {
        let mut used: Vec<Arc<UpperBound>> = Vec::new();
        for family in self.formulation.families() {
            for bound in family.bounds(self.board, self.upper_bounds) {
                if used.iter().all(|known| known.board.with_sorted_sides() != bound.board.with_sorted_sides())
                {
                    used.push(bound);
                }
            }
        }
        used
    }

    /// Returns the rows of the families with their names and families.
    fn inequalities(&self) -> impl Iterator<Item = (Tag, &'a dyn Family, Inequality)> + '_ {
        let mut numbers: HashMap<&'static str, u64> = HashMap::new();
        let inequalities = self.formulation.families().flat_map(|family| {
            family.rows(self.board, self.upper_bounds).map(move |inequality| (family, inequality))
        });
        inequalities.map(move |(family, inequality)| {
            let number = numbers.entry(family.name()).or_default();
            let tag = Tag { family: family.name(), number: *number };
            *number += 1;
            (tag, family, inequality)
        })
    }

    /// Returns all rows before filtering, with the row of the goal at the end.
    fn numbered_rows(&self) -> impl Iterator<Item = Row> + '_ {
        let rows = self.inequalities().map(|(tag, _, inequality)| inequality.into_row(tag));
        rows.chain(self.size_row())
    }

    /// Returns the row with a name as in written files, such as `cube_17`.
    ///
    /// # Errors
    /// Returns an error if the program has no row with that name.
    pub fn row(&self, name: &str) -> Result<NamedRow<'a>, UnknownRow> {
        let has_name = |tag: Tag| tag.to_string() == name;
        if self.rows().any(|row| has_name(row.tag)) {
            let of_family = self.inequalities().find(|(tag, ..)| has_name(*tag));
            if let Some((tag, family, inequality)) = of_family {
                let bound = inequality.bound.clone();
                let own = (tag.family == OWN).then(|| self.own_reason(tag.number)).flatten();
                return Ok(NamedRow { row: inequality.into_row(tag), family: Some(family), bound, own });
            }
            if let Some(row) = self.size_row().filter(|row| has_name(row.tag)) {
                return Ok(NamedRow { row, family: None, bound: None, own: None });
            }
        }
        let mut families: Vec<(Tag, u64)> = Vec::new();
        for Row { tag, .. } in self.rows() {
            match families.iter_mut().find(|(first, _)| first.family == tag.family) {
                Some((_, last)) => *last = tag.number,
                None => families.push((tag, tag.number)),
            }
        }
        Err(UnknownRow { name: name.to_owned(), program: self.name(), families })
    }

    /// Returns the inequality of the formulation's file to which a row of its family belongs.
    fn own_reason(&self, number: u64) -> Option<OwnReason> {
        let mut before = 0;
        let inequality = self.formulation.own.list().iter().find(|inequality| {
            before += inequality.rows(self.board).count() as u64;
            number < before
        })?;
        let claims = inequality.claims(self.board).ok()?;
        let claim = self.formulation.own.weakest(&claims)?;
        let standing = self.formulation.own.standing(claim);
        Some(OwnReason { label: inequality.label.clone(), claim: claim.to_string(), standing })
    }

    /// Returns the row that states the requested number of queens, if there is one.
    fn size_row(&self) -> Option<Row> {
        let (comparison, queens) = match self.variant.goal {
            Goal::Optimise => return None,
            Goal::AtLeast(k) => (Comparison::AtLeast, k),
            Goal::AtMost(k) => (Comparison::AtMost, k),
            Goal::Exactly(k) => (Comparison::Equal, k),
        };
        Some(Row {
            tag: Tag { family: "size", number: 0 },
            columns: self.board.squares().collect(),
            coefficients: None,
            comparison,
            rhs: i64::try_from(queens).unwrap_or(i64::MAX),
        })
    }
}

impl Program for Model<'_> {
    fn name(&self) -> String {
        format!("{}_{}", self.board.name(), self.formulation.name).replace(['^', ':', '-'], "_")
    }

    fn sense(&self) -> Sense {
        match (self.variant.goal, self.formulation.problem) {
            (Goal::AtLeast(_) | Goal::AtMost(_) | Goal::Exactly(_), _) => Sense::Feasibility,
            (Goal::Optimise, problem) if problem.is_maximised() => Sense::Maximise,
            (Goal::Optimise, _) => Sense::Minimise,
        }
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        match self.variant.keep {
            RowFilter::All => Box::new(self.numbered_rows()),
            keep => Box::new(reduce(self.numbered_rows(), keep).into_iter()),
        }
    }

    fn conditions(&self) -> Vec<String> {
        let own = self.formulation.own.lemmas_and_conditions(self.board).conditions;
        let own = own.into_iter().map(|condition| format!("holds if {condition}"));
        self.used.iter().filter_map(|bound| bound.condition()).chain(own).collect()
    }

    fn remarks(&self) -> Vec<String> {
        let mut remarks = vec![
            format!(
                "board {}, formulation {}: {}",
                self.board.name(),
                self.formulation.name,
                self.formulation.title
            ),
            format!("goal: {}; problem: {}", self.variant.goal, self.formulation.problem),
        ];
        remarks.extend(
            self.formulation.families().map(|f| format!("{}: {} [{}]", f.name(), f.summary(), f.citation())),
        );
        if self.formulation.breaks_symmetry() {
            remarks.push(
                "symmetry is broken: solutions are cut off, of which an image is left; do not count"
                    .to_owned(),
            );
        }
        remarks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Theorems;

    /// Returns the goal of a model, or its error.
    fn goal_of_model(formulation: &str, board: &str, variant: Variant) -> Result<Goal, ModelError> {
        let board = Board::new(&board.parse().expect("a board name"));
        let formulation = Formulation::builtin(formulation).expect("shipped");
        Model::new(&board, &formulation, variant, &Theorems, 1 << 30).map(|model| model.variant().goal)
    }

    #[test]
    fn formulations_set_their_default_goal() {
        let goal =
            |formulation, board| goal_of_model(formulation, board, Variant::of(Goal::Optimise)).expect(board);
        assert_eq!(goal("base", "4^3"), Goal::Optimise);
        assert_eq!(goal("full", "4^3"), Goal::Exactly(16));
        assert_eq!(goal("full", "rook:torus:3^3"), Goal::Exactly(9));
        assert_eq!(goal("modular", "torus:5^2"), Goal::Exactly(5));
        assert_eq!(goal("domination", "bishop:3x4"), Goal::Optimise);
        let completion = |goal| Variant { include: vec![0], ..Variant::of(goal) };
        assert_eq!(goal_of_model("completion", "5^2", completion(Goal::Optimise)), Ok(Goal::Exactly(5)));
        assert_eq!(goal_of_model("completion", "4x5", completion(Goal::AtLeast(3))), Ok(Goal::AtLeast(3)));
        assert_eq!(goal_of_model("partial", "4x5", Variant::of(Goal::Exactly(3))), Ok(Goal::Exactly(3)));
        assert_eq!(goal_of_model("domination", "4^2", Variant::of(Goal::Exactly(16))), Ok(Goal::Exactly(16)));
    }

    #[test]
    fn rejects_unsuited_questions() {
        for (formulation, board, goal) in [
            ("modular", "5^2", Goal::Optimise),
            ("full", "4x5", Goal::Optimise),
            ("partial", "5^2", Goal::Optimise),
            ("completion", "5^2", Goal::Optimise),
            ("base", "5^2", Goal::AtMost(3)),
        ] {
            let error = goal_of_model(formulation, board, Variant::of(goal)).expect_err(formulation);
            assert!(matches!(error, ModelError::Unsuited { .. }), "{error}");
        }
        let error = goal_of_model("full", "5^2", Variant::of(Goal::AtLeast(4))).expect_err("not full");
        assert!(matches!(error, ModelError::Invalid { family: "equality", .. }), "{error}");
        for (formulation, board, goal, most) in
            [("base", "5^2", Goal::AtLeast(6), 5), ("domination", "3^2", Goal::AtLeast(10), 9)]
        {
            let error = goal_of_model(formulation, board, Variant::of(goal)).expect_err(formulation);
            assert!(matches!(error, ModelError::AboveTrivialBound { bound, .. } if bound == most), "{error}");
        }
    }
}
