//! Removal of redundant rows: duplicates, and rows that another row dominates.

use std::collections::{HashMap, HashSet};

use super::{Comparison, Row};

/// Choice of the rows of a formulation that are kept.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::ilp::Program as _;
/// use ndqueens_model::ilp::reduce::{RowFilter, reduce};
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert!(reduce(model.rows(), RowFilter::Undominated).len() <= model.rows().count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowFilter {
    /// All rows of the families.
    #[default]
    All,
    /// The first of each set of identical rows.
    Distinct,
    /// Distinct rows that no single other row implies by a superset of the squares and a right-hand side that
    /// is not larger.
    Undominated,
}

/// Returns the rows that a filter keeps, in their order.
#[must_use]
pub fn reduce(rows: impl Iterator<Item = Row>, filter: RowFilter) -> Vec<Row> {
    match filter {
        RowFilter::All => rows.collect(),
        RowFilter::Distinct => remove_duplicates(rows),
        RowFilter::Undominated => remove_redundant(remove_duplicates(rows)),
    }
}

/// Removes rows that are identical to an earlier one.
fn remove_duplicates(rows: impl Iterator<Item = Row>) -> Vec<Row> {
    let mut seen = HashSet::new();
    rows.filter(|row| seen.insert((row.columns.clone(), row.coefficients.clone(), row.comparison, row.rhs)))
        .collect()
}

/// Removes packing rows on squares `A` if another packing row or equation on squares `B` has `A` within `B`
/// and `rhs(A) >= rhs(B)`.
///
/// The rows must be distinct.
fn remove_redundant(rows: Vec<Row>) -> Vec<Row> {
    let is_unit = |row: &Row| row.coefficients.is_none();
    let is_packing = |row: &Row| is_unit(row) && row.comparison == Comparison::AtMost;
    let implies = |row: &Row| is_unit(row) && row.comparison != Comparison::AtLeast;
    let mut with_column: HashMap<u32, Vec<usize>> = HashMap::new();
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| implies(row)) {
        for &column in &row.columns {
            with_column.entry(column).or_default().push(number);
        }
    }
    let is_subset = |a: &[u32], b: &[u32]| {
        let mut b = b.iter();
        a.iter().all(|x| b.any(|y| y == x))
    };
    let is_dominated = |number: usize| {
        let row = &rows[number];
        let rarest = row.columns.iter().map(|column| &with_column[column]).min_by_key(|rows| rows.len());
        is_packing(row)
            && rarest.into_iter().flatten().any(|&other| {
                let other_row = &rows[other];
                other != number
                    && other_row.rhs <= row.rhs
                    && other_row.columns.len() >= row.columns.len()
                    && is_subset(&row.columns, &other_row.columns)
            })
    };
    let dominated: HashSet<usize> =
        (0..rows.len()).filter(|&number| is_packing(&rows[number]) && is_dominated(number)).collect();
    let kept = rows.into_iter().enumerate().filter(|(number, _)| !dominated.contains(number));
    kept.map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ilp::Tag;

    fn row(number: u64, columns: &[u32], rhs: i64) -> Row {
        Row {
            tag: Tag { family: "test", number },
            columns: columns.to_vec(),
            coefficients: None,
            comparison: Comparison::AtMost,
            rhs,
        }
    }

    fn kept_numbers(rows: &[Row], filter: RowFilter) -> Vec<u64> {
        reduce(rows.iter().cloned(), filter).iter().map(|row| row.tag.number).collect()
    }

    #[test]
    fn filters_identical_and_dominated_rows() {
        let rows = [
            row(0, &[1, 2], 1),
            row(1, &[1, 2, 3], 1),
            row(2, &[1, 2], 1),
            row(3, &[1, 2, 3], 2),
            row(4, &[3, 4], 1),
            Row { comparison: Comparison::AtLeast, ..row(5, &[3], 1) },
            row(6, &[], 1),
            row(7, &[5, 6], 1),
            row(8, &[5], 0),
            Row { comparison: Comparison::Equal, ..row(9, &[5, 6], 1) },
            Row { coefficients: Some(vec![1, -1]), ..row(10, &[5, 6], 1) },
        ];
        assert_eq!(kept_numbers(&rows, RowFilter::All), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(kept_numbers(&rows, RowFilter::Distinct), [0, 1, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(kept_numbers(&rows, RowFilter::Undominated), [1, 4, 5, 6, 8, 9, 10]);
    }
}
