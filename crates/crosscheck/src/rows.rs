//! Rows of integer programs: cliques, each with at most one piece. They are checked pair by pair.

use fixedbitset::FixedBitSet;

use crate::boards::Definition;
use crate::graph::{Graph, InconsistentDefinition};

/// Returns the lines of a board ([`Definition::lines`]) in their order, as increasing numbers of squares. A
/// set of squares is independent exactly if it has at most one square in each row. Returns `None` if `admits`
/// returns `false` for the number of rows so far.
///
/// # Errors
/// Returns an error if a row contains two squares that do not attack each other, or if some attacking pair is
/// in no row. Both are bugs in the definition.
pub(crate) fn rows(
    definition: &dyn Definition,
    graph: &Graph,
    admits: &dyn Fn(usize) -> bool,
) -> Result<Option<Vec<Vec<usize>>>, InconsistentDefinition> {
    let number = |square: &Vec<u32>| {
        graph.squares().binary_search(square).map_err(|_| InconsistentDefinition::NoSquare(square.clone()))
    };
    let mut rows = Vec::new();
    for line in definition.lines() {
        let mut row = line.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        row.sort_unstable();
        rows.push(row);
        if !admits(rows.len()) {
            return Ok(None);
        }
    }
    check_rows(graph, &rows)?;
    Ok(Some(rows))
}

/// Returns an error if two squares of a row do not attack each other, or if some attacking pair is in no row.
fn check_rows(graph: &Graph, rows: &[Vec<usize>]) -> Result<(), InconsistentDefinition> {
    let size = graph.squares().len();
    let mut in_common_row = vec![FixedBitSet::with_capacity(size); size];
    for row in rows {
        for (i, &a) in row.iter().enumerate() {
            for &b in &row[..i] {
                if !graph.neighbours(a).contains(b) {
                    return Err(InconsistentDefinition::NoAttack(b, a));
                }
                in_common_row[a].insert(b);
                in_common_row[b].insert(a);
            }
        }
    }
    for (v, in_common_row) in in_common_row.iter().enumerate() {
        if let Some(u) = graph.neighbours(v).difference(in_common_row).next() {
            return Err(InconsistentDefinition::NoLine(v, u));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::definition;

    #[test]
    fn rejects_rows_of_other_boards() {
        let graph = Graph::new(&*definition(&"2x3".parse().expect("a board"))).expect("small");
        let rows =
            || vec![vec![0, 1, 2], vec![3, 4, 5], vec![1, 3], vec![2, 4], vec![0, 3], vec![1, 4], vec![2, 5]];
        let fault = |row: &[usize]| {
            let rows = [rows(), vec![row.to_vec(), vec![1, 5]]].concat();
            check_rows(&graph, &rows).err().map(|error| error.to_string())
        };
        assert_eq!(fault(&[0, 4]), None);
        assert_eq!(fault(&[0, 5]).as_deref(), Some("squares 0 and 5 do not attack each other"));
        assert_eq!(fault(&[0, 0, 4]).as_deref(), Some("squares 0 and 0 do not attack each other"));
        assert_eq!(fault(&[1, 3]).as_deref(), Some("squares 0 and 4 attack each other, but are on no line"));
    }
}
