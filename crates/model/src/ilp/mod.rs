//! Sparse integer programs: integer columns, and rows with integer coefficients, each tagged with its family.
//!
//! File writers and backends read the trait [`Program`]. A model generates its rows on demand; an [`Ilp`]
//! stores them in memory.

pub mod reduce;

use std::fmt;

/// Sense of the objective `sum c_j x_j`.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::{Program as _, Sense};
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::AtLeast(2)), &Theorems, 1 << 30)?;
/// assert_eq!(model.sense(), Sense::Feasibility);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sense {
    /// Maximisation.
    Maximise,
    /// Minimisation.
    Minimise,
    /// Feasibility: there is no objective.
    Feasibility,
}

/// Comparison of the left-hand side of a row with its right-hand side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Returns `true` if the comparison holds for these sides.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::ilp::Comparison;
    ///
    /// assert!(Comparison::AtMost.holds(1, 2) && !Comparison::Equal.holds(1, 2));
    /// ```
    #[must_use]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::AtMost => left <= right,
            Self::Equal => left == right,
            Self::AtLeast => left >= right,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtMost => "<=",
            Self::Equal => "=",
            Self::AtLeast => ">=",
        })
    }
}

/// Integer variable.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::Program as _;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert!(model.columns().iter().all(|column| (column.lower, column.upper) == (0, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name in files: `x_0_1_2` for the square (0,1,2).
    pub name: String,
    /// Coefficient in the objective.
    pub objective: i64,
    /// Lower bound.
    pub lower: i64,
    /// Upper bound.
    pub upper: i64,
}

/// Family of a row and its number in the family, counted from 0. Displayed as `cube_17`.
///
/// # Examples
/// ```
/// use ndqueens_model::ilp::Tag;
///
/// assert_eq!(Tag { family: "cube", number: 3 }.to_string(), "cube_3");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Name of the family.
    pub family: &'static str,
    /// Number of the row within the family.
    pub number: u64,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.family.replace('-', "_"), self.number)
    }
}

/// Row `sum a_j x_j (comparison) rhs`.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::Program as _;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let row = model.rows().next().expect("a row");
/// assert_eq!(row.left(&vec![0; 9]), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Family and number.
    pub tag: Tag,
    /// Column numbers, strictly increasing.
    pub columns: Vec<u32>,
    /// Coefficient of each column; `None` if all are 1.
    pub coefficients: Option<Vec<i64>>,
    /// Comparison of the two sides.
    pub comparison: Comparison,
    /// Right-hand side.
    pub rhs: i64,
}

impl Row {
    /// Returns the columns with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        let coefficient = |k: usize| self.coefficients.as_ref().map_or(1, |all| all[k]);
        self.columns.iter().enumerate().map(move |(k, &column)| (column, coefficient(k)))
    }

    /// Returns the value of the left-hand side at a point.
    #[must_use]
    pub fn left(&self, point: &[i64]) -> i64 {
        self.terms().map(|(column, coefficient)| coefficient * point[column as usize]).sum()
    }
}

/// Integer program, as file writers and backends read it.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::Program as _;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert_eq!(model.violation(&[1, 0, 0, 0, 0, 1, 0, 0, 0]), None);
/// assert!(model.violation(&vec![1; 9]).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Program {
    /// Returns the name in files, without spaces.
    fn name(&self) -> String;
    /// Returns the sense of the objective.
    fn sense(&self) -> Sense;
    /// Returns the columns.
    fn columns(&self) -> &[Column];
    /// Returns the rows, which are the same in each call.
    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_>;
    /// Returns the conditions under which the program is valid, one sentence each. Writers put them into
    /// comments at the head of files.
    fn conditions(&self) -> Vec<String> {
        Vec::new()
    }
    /// Returns the lines of the description of the model. Writers put them into comments at the head of
    /// files.
    fn remarks(&self) -> Vec<String>;

    /// Returns the value of the objective at a point.
    fn value(&self, point: &[i64]) -> i64 {
        self.columns().iter().zip(point).map(|(column, x)| column.objective * x).sum()
    }

    /// Returns a description of the first violated bound or row at a point, or `None` if the point is
    /// feasible.
    fn violation(&self, point: &[i64]) -> Option<String> {
        if point.len() != self.columns().len() {
            return Some(format!(
                "the point has {} entries for {} columns",
                point.len(),
                self.columns().len()
            ));
        }
        let off =
            self.columns().iter().zip(point).find(|(column, x)| !(column.lower..=column.upper).contains(x));
        if let Some((column, x)) = off {
            return Some(format!("{} = {x} is outside {}..{}", column.name, column.lower, column.upper));
        }
        let row = self.rows().find(|row| !row.comparison.holds(row.left(point), row.rhs))?;
        Some(format!("row {}: {} {} {} does not hold", row.tag, row.left(point), row.comparison, row.rhs))
    }
}

/// Integer program in memory, with its rows in compressed form.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::Ilp;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert_eq!(Ilp::of(&model).row_count() as u128, model.extent().rows);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ilp {
    name: String,
    sense: Sense,
    columns: Vec<Column>,
    conditions: Vec<String>,
    remarks: Vec<String>,
    heads: Vec<RowHead>,
    /// Columns of all rows.
    entries: Vec<u32>,
    /// Coefficients of all rows that have any.
    coefficients: Vec<i64>,
}

/// Row without its entries.
#[derive(Debug, Clone)]
struct RowHead {
    tag: Tag,
    comparison: Comparison,
    rhs: i64,
    /// End of the row's columns in [`Ilp::entries`]; they begin at the end of the previous row.
    end: usize,
    /// End of the row's coefficients in [`Ilp::coefficients`]; a row without coefficients has all equal to 1.
    coefficients_end: usize,
}

/// Number of rows between two calls of the stop callback.
const ROWS_PER_POLL: usize = 4096;

impl Ilp {
    /// Copies a program into memory.
    #[must_use]
    pub fn of(program: &(impl Program + ?Sized)) -> Self {
        Self::of_while(program, &mut |_| true).expect("the callback always returns true")
    }

    /// Copies a program into memory. Calls `go_on` with the number of rows so far once per 4096 rows.
    ///
    /// Returns `None` as soon as `go_on` returns `false`.
    #[must_use]
    pub fn of_while(program: &(impl Program + ?Sized), go_on: &mut dyn FnMut(usize) -> bool) -> Option<Self> {
        let mut ilp = Self {
            name: program.name(),
            sense: program.sense(),
            columns: program.columns().to_vec(),
            conditions: program.conditions(),
            remarks: program.remarks(),
            heads: Vec::new(),
            entries: Vec::new(),
            coefficients: Vec::new(),
        };
        for row in program.rows() {
            if ilp.heads.len().is_multiple_of(ROWS_PER_POLL) && !go_on(ilp.heads.len()) {
                return None;
            }
            ilp.push(&row);
        }
        Some(ilp)
    }

    /// Appends a row.
    pub fn push(&mut self, row: &Row) {
        self.entries.extend(&row.columns);
        self.coefficients.extend(row.coefficients.iter().flatten());
        self.heads.push(RowHead {
            tag: row.tag,
            comparison: row.comparison,
            rhs: row.rhs,
            end: self.entries.len(),
            coefficients_end: self.coefficients.len(),
        });
    }

    /// Replaces the coefficients of the objective, one for each column.
    pub fn set_objective(&mut self, coefficients: &[i64]) {
        for (column, &coefficient) in self.columns.iter_mut().zip(coefficients) {
            column.objective = coefficient;
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.heads.len()
    }

    /// Returns the number of nonzero entries.
    #[must_use]
    pub fn nonzeros(&self) -> usize {
        self.entries.len()
    }
}

impl Program for Ilp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn sense(&self) -> Sense {
        self.sense
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        let (mut start, mut coefficients_start) = (0, 0);
        Box::new(self.heads.iter().map(move |head| {
            let columns = self.entries[start..head.end].to_vec();
            let coefficients = &self.coefficients[coefficients_start..head.coefficients_end];
            (start, coefficients_start) = (head.end, head.coefficients_end);
            Row {
                tag: head.tag,
                columns,
                coefficients: (!coefficients.is_empty()).then(|| coefficients.to_vec()),
                comparison: head.comparison,
                rhs: head.rhs,
            }
        }))
    }

    fn conditions(&self) -> Vec<String> {
        self.conditions.clone()
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }
}
