//! Solutions that are invariant under given symmetries: unions of orbits of squares, with one square on every
//! line.

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};

use crate::schedule::enumeration::partition_lines;

/// Orbits of squares of which an invariant solution is the union, and the lines on which they have squares.
struct OrbitQuotient {
    /// Squares of each orbit in which no two squares attack each other.
    orbits: Vec<Vec<Square>>,
    /// Orbits that cannot be combined with each orbit.
    conflicts: Vec<FixedBitSet>,
    /// Orbits with a square on each line.
    lines: Vec<FixedBitSet>,
    /// Lines on which each orbit has a square.
    lines_of: Vec<Vec<usize>>,
}

impl OrbitQuotient {
    fn new(board: &Board, orbits: &[Vec<Square>]) -> Self {
        let is_placeable = |orbit: &&Vec<Square>| {
            orbit.iter().enumerate().all(|(k, &a)| orbit[k + 1..].iter().all(|&b| !board.attacks(a, b)))
        };
        let orbits: Vec<Vec<Square>> = orbits.iter().filter(is_placeable).cloned().collect();
        let mut orbit_of = vec![None; board.size()];
        for (number, orbit) in orbits.iter().enumerate() {
            orbit.iter().for_each(|&square| orbit_of[square as usize] = Some(number));
        }
        let empty = FixedBitSet::with_capacity(orbits.len());
        let mut conflicts = vec![empty.clone(); orbits.len()];
        for (conflicts, orbit) in conflicts.iter_mut().zip(&orbits) {
            for &square in orbit {
                board.visit_neighbours(square, &mut |other| conflicts.extend(orbit_of[other as usize]));
            }
        }
        let mut lines_of = vec![Vec::new(); orbits.len()];
        let lines = partition_lines(board)
            .iter()
            .enumerate()
            .map(|(number, line)| {
                let mut on_line = empty.clone();
                for orbit in line.iter().filter_map(|&square| orbit_of[square as usize]) {
                    on_line.insert(orbit);
                    lines_of[orbit].push(number);
                }
                on_line
            })
            .collect();
        Self { orbits, conflicts, lines, lines_of }
    }
}

/// Visits every solution with a square on each line of the board's partition that is a union of these orbits
/// of squares, with its squares in increasing order. Returns the number of these solutions, or `None` if
/// `stop` returned `true` before the end.
///
/// The orbits must be those of a group of symmetries of the board. Solutions of this size exist only if the
/// trivial bound is reached.
pub fn visit_symmetric(
    board: &Board,
    orbits: &[Vec<Square>],
    stop: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(&[Square]),
) -> Option<u64> {
    let quotient = OrbitQuotient::new(board, orbits);
    let mut free = FixedBitSet::with_capacity(quotient.orbits.len());
    free.insert_range(..);
    let mut open = FixedBitSet::with_capacity(quotient.lines.len());
    open.insert_range(..);
    let mut search = SymmetricSearch { quotient: &quotient, stop, visit, placed: Vec::new(), found: 0 };
    search.branch(&free, &open).then_some(search.found)
}

struct SymmetricSearch<'s> {
    quotient: &'s OrbitQuotient,
    stop: &'s dyn Fn() -> bool,
    visit: &'s mut dyn FnMut(&[Square]),
    placed: Vec<usize>,
    found: u64,
}

impl SymmetricSearch<'_> {
    /// Places an orbit on the open line with the fewest free orbits. Returns `false` if it was stopped.
    fn branch(&mut self, free: &FixedBitSet, open: &FixedBitSet) -> bool {
        if (self.stop)() {
            return false;
        }
        let quotient = self.quotient;
        let fewest = open.ones().map(|line| (quotient.lines[line].intersection_count(free), line)).min();
        let Some((_, line)) = fewest else {
            let mut squares: Vec<Square> =
                self.placed.iter().flat_map(|&orbit| quotient.orbits[orbit].iter().copied()).collect();
            squares.sort_unstable();
            (self.visit)(&squares);
            self.found += 1;
            return true;
        };
        for orbit in quotient.lines[line].intersection(free) {
            let (mut free, mut open) = (free.clone(), open.clone());
            free.difference_with(&quotient.conflicts[orbit]);
            free.set(orbit, false);
            quotient.lines_of[orbit].iter().for_each(|&line| open.set(line, false));
            self.placed.push(orbit);
            let is_complete = self.branch(&free, &open);
            self.placed.pop();
            if !is_complete {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    /// Returns the orbits of the half turn of a square board, whose squares are numbered row by row.
    fn half_turn(board: &Board) -> Vec<Vec<Square>> {
        let last = board.size() as Square - 1;
        let orbit =
            |square: Square| if 2 * square == last { vec![square] } else { vec![square, last - square] };
        (0..=last / 2).map(orbit).collect()
    }

    #[test]
    fn unions_of_orbits_are_visited_once() {
        // OEIS A000170 and A032522.
        for (name, all, symmetric) in
            [("4^2", 2, 2), ("5^2", 10, 2), ("6^2", 4, 4), ("7^2", 40, 8), ("8^2", 92, 4)]
        {
            let board = board(name);
            let single: Vec<Vec<Square>> = board.squares().map(|square| vec![square]).collect();
            for (orbits, number) in [(single, all), (half_turn(&board), symmetric)] {
                let mut met = Vec::new();
                let found = visit_symmetric(&board, &orbits, &|| false, &mut |set| met.push(set.to_vec()));
                assert_eq!(found, Some(number), "{name}");
                met.sort();
                met.dedup();
                assert_eq!(met.len() as u64, number, "{name}");
            }
        }
    }

    #[test]
    fn stops_when_requested() {
        let board = board("8^2");
        assert_eq!(visit_symmetric(&board, &half_turn(&board), &|| true, &mut |_| ()), None);
    }
}
