//! Every solution of n queens in the plane, a queen for each row.

/// Hears what the search does; each answer says whether it goes on.
pub(crate) trait Visitor {
    /// A queen is placed.
    fn queen(&mut self) -> bool {
        true
    }

    /// There is a solution: the column of each row's queen.
    fn solution(&mut self, columns: &[u8]) -> bool;
}

impl<F: FnMut(&[u8]) -> bool> Visitor for F {
    fn solution(&mut self, columns: &[u8]) -> bool {
        self(columns)
    }
}

/// Visits every solution on the allowed columns of each row, in lexicographic order; whether it went on to the end.
///
/// # Panics
/// If there are more than 32 rows.
pub(crate) fn visit_solutions(allowed: &[u32], visitor: &mut impl Visitor) -> bool {
    assert!(allowed.len() <= 32, "a row has at most 32 squares");
    place(allowed, 0, [0; 3], &mut vec![0; allowed.len()], visitor)
}

/// Places a queen on a row; `taken` are the columns, and the two kinds of diagonals as they meet this row.
fn place(
    allowed: &[u32],
    row: usize,
    taken: [u64; 3],
    columns: &mut Vec<u8>,
    visitor: &mut impl Visitor,
) -> bool {
    if row == allowed.len() {
        return visitor.solution(columns);
    }
    let [straight, up, down] = taken;
    let mut free = u64::from(allowed[row]) & !(straight | up | down);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        columns[row] = queen.trailing_zeros() as u8;
        let taken = [straight | queen, (up | queen) << 1, (down | queen) >> 1];
        if !(visitor.queen() && place(allowed, row + 1, taken, columns, visitor)) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_solutions_are_visited_in_order_until_told_to_end() {
        for (side, number) in [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
            let mut all: Vec<Vec<u8>> = Vec::new();
            let ended = visit_solutions(&vec![(1 << side) - 1; side], &mut |columns: &[u8]| {
                all.push(columns.to_vec());
                true
            });
            assert!(ended && all.is_sorted() && all.len() == number, "{side}");
        }
        assert!(!visit_solutions(&[15; 4], &mut |_: &[u8]| false));
        assert!(visit_solutions(&[1, 15, 15, 15], &mut |_: &[u8]| false), "none has a queen in the corner");
    }
}
