//! Enumeration of the solutions of the n queens problem in the plane, row by row.

/// Callbacks of the enumeration. If a method returns `false`, the enumeration ends.
pub(crate) trait Visitor {
    /// Called when a queen is placed.
    fn queen(&mut self) -> bool {
        true
    }

    /// Called with each solution, as the column of the queen in each row.
    fn solution(&mut self, columns: &[u8]) -> bool;
}

impl<F: FnMut(&[u8]) -> bool> Visitor for F {
    fn solution(&mut self, columns: &[u8]) -> bool {
        self(columns)
    }
}

/// Visits every solution on the allowed columns of each row, given as bits, in lexicographic order. Returns
/// `false` if the visitor ended the enumeration.
///
/// # Panics
/// Panics if there are more than 32 rows.
pub(crate) fn visit_solutions(allowed: &[u32], visitor: &mut impl Visitor) -> bool {
    assert!(allowed.len() <= 32, "a row has at most 32 squares");
    place(allowed, 0, [0; 3], &mut vec![0; allowed.len()], visitor)
}

/// Places queens on the rows from `row` on. `attacked` are the squares of this row that are attacked along
/// columns and along the two directions of diagonals.
fn place(
    allowed: &[u32],
    row: usize,
    attacked: [u64; 3],
    columns: &mut Vec<u8>,
    visitor: &mut impl Visitor,
) -> bool {
    if row == allowed.len() {
        return visitor.solution(columns);
    }
    let [straight, up, down] = attacked;
    let mut free = u64::from(allowed[row]) & !(straight | up | down);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        columns[row] = queen.trailing_zeros() as u8;
        let attacked = [straight | queen, (up | queen) << 1, (down | queen) >> 1];
        if !(visitor.queen() && place(allowed, row + 1, attacked, columns, visitor)) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_all_solutions_in_order_until_the_visitor_ends() {
        for (side, number) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
            let mut all: Vec<Vec<u8>> = Vec::new();
            let is_complete = visit_solutions(&vec![(1 << side) - 1; side], &mut |columns: &[u8]| {
                all.push(columns.to_vec());
                true
            });
            assert!(is_complete && all.is_sorted() && all.len() == number, "{side}");
        }
        assert!(!visit_solutions(&[15; 4], &mut |_: &[u8]| false));
        let corner = visit_solutions(&[1, 15, 15, 15], &mut |_: &[u8]| false);
        assert!(corner, "no solution has a queen in the corner");
    }
}
