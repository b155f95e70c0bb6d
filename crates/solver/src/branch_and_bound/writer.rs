//! The lines of a tree in a proof file.

use std::io::{self, Write};

use fixedbitset::FixedBitSet;
use ndqueens_exact::proof::format_symmetry;
use ndqueens_model::board::{Board, Group};

use super::multipliers::Combination;
use super::relaxation::Relaxation;

/// Receives a tree, depth first: a branch, its first child, and then what is left of the node.
pub(super) trait TreeWriter {
    /// Writes the branch on the orbit of a square: its images, each with a symmetry that leads to it.
    fn branch(&mut self, square: usize, orbit: &[(usize, u32)]) -> io::Result<()>;

    /// Writes that a node, with all below it, is child `number` of the part.
    fn part(&mut self, number: usize) -> io::Result<()>;

    /// Writes a leaf with these placed and free squares.
    fn leaf(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> io::Result<()>;
}

/// Beginning of a line in the place of a part; its number follows.
pub(super) const PART: &str = "part ";

/// Writes the lines `orbit` and `sum` of a proof tree.
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
        _placed: &FixedBitSet,
        _free: &FixedBitSet,
    ) -> io::Result<()> {
        writeln!(self.out, "{}", sum(combination, relaxation, self.graph))
    }
}

/// Returns the line `sum` of a combination of rows.
pub(super) fn sum(combination: &Combination, relaxation: &Relaxation<'_>, graph: &[FixedBitSet]) -> String {
    let mut line = format!("sum {}", combination.denominator);
    for &(number, times) in &combination.rows {
        let term = relaxation.term(number, |clique| clique_term(clique, graph));
        line.push_str(&format!(" {times}*{term}"));
    }
    line.push_str(" /");
    line
}

/// Names a clique by some of its squares: a checker completes these with the first squares that attack all of them, and so
/// obtains all others.
fn clique_term(clique: &[u32], graph: &[FixedBitSet]) -> String {
    let mut generators: Vec<u32> = Vec::new();
    let mut missing = clique.first().copied();
    while let Some(square) = missing {
        generators.push(square);
        let completed = completed(&generators, graph);
        missing = clique.iter().rev().copied().find(|square| !completed.contains(square));
    }
    generators.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn completed(clique: &[u32], graph: &[FixedBitSet]) -> Vec<u32> {
    let mut completed = clique.to_vec();
    let mut common = graph[clique[0] as usize].clone();
    clique[1..].iter().for_each(|&square| common.intersect_with(&graph[square as usize]));
    while let Some(next) = common.minimum() {
        completed.push(next as u32);
        common.intersect_with(&graph[next]);
    }
    completed
}
