//! Writer of the tree as derived constraints of a VIPR file.

use std::io::{self, Write};

use ndqueens_model::board::Square;

use super::CoverProgram;
use super::multipliers::CoverCombination;
use crate::branch_and_bound::derivations::{Derivations, Reference, Sum, ViprHead};
use crate::branch_and_bound::relaxation::NodeSquares;

/// Writer of a tree as derived constraints.
pub(super) struct CoverWriter<'a> {
    size: usize,
    lines: &'a [Vec<usize>],
    first_cover: usize,
    derivations: Derivations<'a>,
}

impl<'a> CoverWriter<'a> {
    pub(super) fn new(size: usize, program: &CoverProgram<'a>, included: &[Square]) -> Self {
        let CoverProgram { lines, first_cover, .. } = *program;
        let derivations = Derivations::new(size, lines, included, first_cover + size);
        Self { size, lines, first_cover, derivations }
    }

    pub(super) fn representatives(&self) -> &[usize] {
        self.derivations.representatives()
    }

    /// Writes the whole file: `head`, and the derived constraints.
    pub(super) fn finish(self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        self.derivations.finish(head, out)
    }

    /// Writes the branch on a square.
    pub(super) fn branch(&mut self, square: usize, orbit: &[usize]) -> io::Result<()> {
        self.derivations.branch(square, orbit.to_vec())
    }

    /// Writes a leaf, and closes the branches that it ends.
    pub(super) fn leaf(
        &mut self,
        combination: &CoverCombination,
        coverers: &[Vec<Square>],
        node: NodeSquares<'_>,
    ) -> io::Result<()> {
        let CoverCombination { denominator, rows } = combination;
        let mut sum = Sum::of_target(self.size, -denominator);
        for &(square, times) in rows {
            coverers[square].iter().for_each(|&other| sum.coefficients[other as usize] += times);
            sum.add(Reference::Program(self.first_cover + square), times);
        }
        let is_through = |line: &Vec<usize>, square: usize| {
            line.contains(&square) && line.iter().any(|&other| node.placed.contains(other))
        };
        let line_through = |square: usize| self.lines.iter().position(|line| is_through(line, square));
        self.derivations.leaf(sum, node, &line_through)
    }
}
