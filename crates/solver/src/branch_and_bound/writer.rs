//! Lines of a tree in a proof file.

use std::io::{self, Write};

use fixedbitset::FixedBitSet;
use ndqueens_exact::proof::format_symmetry;
use ndqueens_model::board::{Board, Group};

use super::multipliers::Combination;
use super::relaxation::{NodeSquares, Relaxation};

/// Receiver of a tree, depth first: a branch, its first child, and then the rest of the node.
pub(super) trait TreeWriter {
    /// Writes the branch on the orbit of a square: its images, each with a symmetry that leads to it.
    fn branch(&mut self, square: usize, orbit: &[(usize, u32)]) -> io::Result<()>;

    /// Writes the reference to child `number` of the part, which begins with the current node.
    fn part(&mut self, number: usize) -> io::Result<()>;

    /// Writes a leaf, which `combination` proves.
    fn leaf(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        node: NodeSquares<'_>,
    ) -> io::Result<()>;
}

/// Beginning of a line that refers to a part by its number.
pub(super) const PART: &str = "part ";

/// Writer of the lines `orbit` and `sum` of a proof tree.
pub(super) struct ProofTreeWriter<'a> {
    out: &'a mut dyn Write,
    board: &'a Board,
    group: &'a Group,
    graph: &'a [FixedBitSet],
}

impl<'a> ProofTreeWriter<'a> {
    pub(super) fn new(
        out: &'a mut dyn Write,
        board: &'a Board,
        group: &'a Group,
        graph: &'a [FixedBitSet],
    ) -> Self {
        Self { out, board, group, graph }
    }
}

impl TreeWriter for ProofTreeWriter<'_> {
    fn branch(&mut self, square: usize, orbit: &[(usize, u32)]) -> io::Result<()> {
        write!(self.out, "orbit {square}")?;
        for &(image, element) in orbit {
            if image != square {
                let images = |square: u32| self.group.image(element, square as usize) as u32;
                write!(self.out, " {}", format_symmetry(self.board, images))?;
            }
        }
        writeln!(self.out)
    }

    fn part(&mut self, number: usize) -> io::Result<()> {
        writeln!(self.out, "{PART}{number}")
    }

    fn leaf(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        _node: NodeSquares<'_>,
    ) -> io::Result<()> {
        writeln!(self.out, "{}", format_sum(combination, relaxation, self.graph))
    }
}

/// Returns the line `sum` of a combination of rows.
pub(super) fn format_sum(
    combination: &Combination,
    relaxation: &Relaxation<'_>,
    graph: &[FixedBitSet],
) -> String {
    let mut line = format!("sum {}", combination.denominator);
    for &(number, times) in &combination.rows {
        let term = relaxation.term(number, |clique| clique_term(clique, graph));
        line.push_str(&format!(" {times}*{term}"));
    }
    line.push_str(" /");
    line
}

/// Returns a short term for a clique: some of its squares, which the checker completes with the first squares
/// that attack all of them.
fn clique_term(clique: &[u32], graph: &[FixedBitSet]) -> String {
    let mut generators: Vec<u32> = Vec::new();
    let mut missing = clique.first().copied();
    while let Some(square) = missing {
        generators.push(square);
        let completed = complete(&generators, graph);
        missing = clique.iter().rev().copied().find(|square| !completed.contains(square));
    }
    generators.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Completes a clique as the checker does.
fn complete(clique: &[u32], graph: &[FixedBitSet]) -> Vec<u32> {
    let mut completed = clique.to_vec();
    let mut common = graph[clique[0] as usize].clone();
    clique[1..].iter().for_each(|&square| common.intersect_with(&graph[square as usize]));
    while let Some(next) = common.minimum() {
        completed.push(next as u32);
        common.intersect_with(&graph[next]);
    }
    completed
}
