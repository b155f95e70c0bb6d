//! The sparse integer programme: integer columns, rows with integer coefficients, each row tagged with its family.
//!
//! [`Program`] is what file writers and backends read. A formulation streams its rows; an [`Ilp`] holds them.

pub mod reduce;

use std::fmt;

/// What is asked of the objective `sum c_j x_j`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sense {
    /// Make it as large as possible.
    Maximise,
    /// Make it as small as possible.
    Minimise,
    /// There is no objective: any feasible point will do.
    Feasibility,
}

/// How a row's left-hand side compares with its right-hand side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether `left (this) right` holds.
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

/// An integer variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name in files: `x_0_1_2` for the square (0,1,2).
    pub name: String,
    /// Coefficient in the objective.
    pub objective: i64,
    /// Least value.
    pub lower: i64,
    /// Largest value.
    pub upper: i64,
}

/// Which family a row belongs to and its number there, counted from 0. Prints as `cube_17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag {
    /// The family's name.
    pub family: &'static str,
    /// The row's number within the family.
    pub number: u64,
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.family.replace('-', "_"), self.number)
    }
}

/// `sum a_j x_j (comparison) rhs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where the row comes from.
    pub tag: Tag,
    /// Column numbers, strictly increasing.
    pub columns: Vec<u32>,
    /// Coefficients, one for each column; all 1 when absent.
    pub coefficients: Option<Vec<i64>>,
    /// The comparison.
    pub comparison: Comparison,
    /// The right-hand side.
    pub rhs: i64,
}

impl Row {
    /// Columns with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        let coefficient = |k: usize| self.coefficients.as_ref().map_or(1, |all| all[k]);
        self.columns.iter().enumerate().map(move |(k, &column)| (column, coefficient(k)))
    }

    /// The left side at a point.
    #[must_use]
    pub fn left(&self, point: &[i64]) -> i64 {
        self.terms().map(|(column, coefficient)| coefficient * point[column as usize]).sum()
    }
}

/// What writers and backends read: columns, and rows one after the other, as often as asked for.
pub trait Program {
    /// A name for files, without spaces.
    fn name(&self) -> String;
    /// What is asked of the objective.
    fn sense(&self) -> Sense;
    /// The columns.
    fn columns(&self) -> &[Column];
    /// The rows, from the first; the same at every call.
    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_>;
    /// What the program holds under, a sentence each, written as comments at the head of files.
    fn conditions(&self) -> Vec<String> {
        Vec::new()
    }
    /// What is known of the model, a line each, written as comments at the head of files.
    fn remarks(&self) -> Vec<String>;

    /// The objective's value at a point.
    fn value(&self, point: &[i64]) -> i64 {
        self.columns().iter().zip(point).map(|(column, x)| column.objective * x).sum()
    }

    /// The first thing that is wrong with a point, in words; `None` when the point is feasible.
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

/// An integer program held in memory, rows in compressed form.
#[derive(Debug, Clone)]
pub struct Ilp {
    name: String,
    sense: Sense,
    columns: Vec<Column>,
    conditions: Vec<String>,
    remarks: Vec<String>,
    heads: Vec<RowHead>,
    entries: Vec<u32>,
    coefficients: Vec<i64>,
}

#[derive(Debug, Clone)]
struct RowHead {
    tag: Tag,
    comparison: Comparison,
    rhs: i64,
    /// End of the row's entries; they begin where the row before ends.
    end: usize,
    /// End of the row's coefficients; no coefficients mean that all are 1.
    coefficients_end: usize,
}

/// Rows between two looks at whether to go on.
const ROWS_AT_A_TIME: usize = 4096;

impl Ilp {
    /// Holds all rows of a program.
    #[must_use]
    pub fn of(program: &(impl Program + ?Sized)) -> Self {
        Self::of_while(program, &mut |_| true).expect("it is always to go on")
    }

    /// Holds all rows of a program, or gives up as soon as `go_on`, which is told now and then how many rows there are,
    /// says no.
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
            if ilp.heads.len().is_multiple_of(ROWS_AT_A_TIME) && !go_on(ilp.heads.len()) {
                return None;
            }
            ilp.push(&row);
        }
        Some(ilp)
    }

    /// Adds a row.
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

    /// The number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.heads.len()
    }

    /// The number of nonzero entries.
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
