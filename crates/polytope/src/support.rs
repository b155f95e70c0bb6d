//! Search over the independent sets of the squares with nonzero coefficients in an inequality.

use std::ops::ControlFlow;

use fixedbitset::FixedBitSet;
use ndqueens_model::board::{Board, Square};
use ndqueens_system::cancel::Control;

/// Squares with weights, and the attacks among them.
#[derive(Debug, Clone)]
pub(crate) struct WeightedSquares {
    /// Squares, by decreasing weight.
    squares: Vec<Square>,
    weights: Vec<i64>,
    /// Numbers of the squares that each square attacks.
    attacks: Vec<FixedBitSet>,
}

/// Function that receives an independent set with its weight, and returns the least weight of the sets that it
/// still wants to receive, or breaks to end the search.
pub(crate) type Visitor<'a> = dyn FnMut(&[Square], i64) -> ControlFlow<(), i64> + 'a;

/// Result of a search that ran to its end, or did not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All sets were visited, or the visitor ended the search.
    Complete,
    /// The search reached its limit on the number of nodes, or a stop was requested.
    Stopped,
}

/// State of a search.
struct Search<'a> {
    weighted: &'a WeightedSquares,
    least: i64,
    nodes: u64,
    most_nodes: u64,
    control: &'a Control,
    chosen: Vec<Square>,
}

/// Reason for the end of a search before all sets were visited.
enum End {
    Visitor,
    Limit,
}

impl WeightedSquares {
    /// Returns squares with weights on a board.
    pub(crate) fn new(board: &Board, terms: impl IntoIterator<Item = (Square, i64)>) -> Self {
        let mut terms: Vec<(Square, i64)> = terms.into_iter().collect();
        terms.sort_by_key(|&(square, weight)| (-weight, square));
        let (squares, weights): (Vec<Square>, Vec<i64>) = terms.into_iter().unzip();
        let attacks = squares.iter().map(|&a| {
            let attacked = (0..squares.len()).filter(|&k| board.attacks(a, squares[k]));
            let mut set = FixedBitSet::with_capacity(squares.len());
            set.extend(attacked);
            set
        });
        let attacks = attacks.collect();
        Self { squares, weights, attacks }
    }

    /// Visits the independent sets of weight `least` or more, each once.
    pub(crate) fn visit(
        &self,
        least: i64,
        most_nodes: u64,
        control: &Control,
        visitor: &mut Visitor<'_>,
    ) -> Extent {
        let mut free = FixedBitSet::with_capacity(self.squares.len());
        free.insert_range(..);
        let mut search = Search { weighted: self, least, nodes: 0, most_nodes, control, chosen: Vec::new() };
        match search.branch(&free, 0, visitor) {
            Ok(()) | Err(End::Visitor) => Extent::Complete,
            Err(End::Limit) => Extent::Stopped,
        }
    }

    /// Returns the largest weight of an independent set, or `None` if the search stopped.
    pub(crate) fn maximum(&self, most_nodes: u64, control: &Control) -> Option<i64> {
        let mut best = 0;
        let extent = self.visit(1, most_nodes, control, &mut |_, weight| {
            best = best.max(weight);
            ControlFlow::Continue(best + 1)
        });
        (extent == Extent::Complete).then_some(best)
    }

    /// Returns the free squares in the order of a greedy cover by cliques, each with an upper bound on the
    /// weight of an independent set of the squares up to it.
    fn cover(&self, free: &FixedBitSet) -> Vec<(usize, i64)> {
        let mut left = free.clone();
        let mut order = Vec::new();
        let mut total = 0;
        while let Some(first) = left.minimum() {
            // Squares come by decreasing weight, so the first one of a clique is the heaviest.
            total += self.weights[first].max(0);
            let mut candidates = left.clone();
            let mut next = Some(first);
            while let Some(square) = next {
                order.push((square, total));
                left.set(square, false);
                candidates.intersect_with(&self.attacks[square]);
                next = candidates.minimum();
            }
        }
        order
    }
}

impl Search<'_> {
    /// Visits the sets that consist of the chosen squares, which have this weight, and of free squares.
    fn branch(&mut self, free: &FixedBitSet, weight: i64, visitor: &mut Visitor<'_>) -> Result<(), End> {
        self.nodes += 1;
        if self.nodes > self.most_nodes || (self.nodes.is_multiple_of(1024) && self.control.is_stopped()) {
            return Err(End::Limit);
        }
        if weight >= self.least {
            match visitor(&self.chosen, weight) {
                ControlFlow::Continue(least) => self.least = least,
                ControlFlow::Break(()) => return Err(End::Visitor),
            }
        }
        let mut rest = free.clone();
        for (square, bound) in self.weighted.cover(free).into_iter().rev() {
            if weight + bound < self.least {
                return Ok(());
            }
            rest.set(square, false);
            let mut next = rest.clone();
            next.difference_with(&self.weighted.attacks[square]);
            self.chosen.push(self.weighted.squares[square]);
            self.branch(&next, weight + self.weighted.weights[square], visitor)?;
            self.chosen.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_each_set_once() {
        let board = Board::new(&"3^3".parse().expect("a board"));
        let weighted = WeightedSquares::new(&board, board.squares().map(|square| (square, 1)));
        let mut sizes = [0; 5];
        weighted.visit(0, u64::MAX, &Control::new(), &mut |set, weight| {
            assert_eq!(set.len() as i64, weight);
            sizes[set.len()] += 1;
            ControlFlow::Continue(0)
        });
        assert_eq!(sizes.iter().sum::<usize>(), 340);
        assert_eq!(weighted.maximum(u64::MAX, &Control::new()), Some(4));
        assert_eq!(weighted.maximum(3, &Control::new()), None);
    }

    #[test]
    fn negative_weights_count() {
        let board = Board::new(&"1x5".parse().expect("a board"));
        let weighted = WeightedSquares::new(&board, [(0, -2), (4, -1), (2, 3)]);
        let mut found = Vec::new();
        weighted.visit(-1, u64::MAX, &Control::new(), &mut |_, weight| {
            found.push(weight);
            ControlFlow::Continue(-1)
        });
        found.sort_unstable();
        assert_eq!(found, [-1, 0, 3]);
    }
}
