//! The tree as derived constraints of a VIPR file.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;

use super::CoverProgram;
use super::multipliers::CoverCombination;
use crate::branch_and_bound::derivations::{Derivations, Reference, ViprHead};

/// A branch whose children are not both done.
#[derive(Debug)]
struct OpenBranch {
    square: usize,
    /// The orbit of the square at the root; the square alone elsewhere.
    orbit: Vec<usize>,
    /// Assumption that the square is placed.
    with: usize,
    /// Contradiction of the first child.
    first: Option<usize>,
    /// Assumption that the square is not placed.
    without: Option<usize>,
}

/// Writes derived constraints.
pub(super) struct CoverWriter<'a> {
    size: usize,
    lines: &'a [Vec<usize>],
    first_cover: usize,
    /// Included squares with their constraints.
    included: HashMap<usize, Reference>,
    derivations: Derivations,
    open: Vec<OpenBranch>,
    /// Squares on which the root has branched and whose orbits have further squares, in order.
    representatives: Vec<usize>,
}

impl<'a> CoverWriter<'a> {
    pub(super) fn new(size: usize, program: &CoverProgram<'a>, included: &[Square]) -> Self {
        let first_included = program.first_cover + size;
        let included = included.iter().zip(first_included..);
        Self {
            size,
            lines: program.lines,
            first_cover: program.first_cover,
            included: included.map(|(&square, row)| (square as usize, Reference::Program(row))).collect(),
            derivations: Derivations::new(),
            open: Vec::new(),
            representatives: Vec::new(),
        }
    }

    pub(super) fn representatives(&self) -> &[usize] {
        &self.representatives
    }

    /// Writes the whole file: `head`, and the derived constraints.
    pub(super) fn finish(self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        self.derivations.finish(head, out)
    }

    /// Writes the branch on a square.
    pub(super) fn branch(&mut self, square: usize, orbit: &[usize]) -> io::Result<()> {
        if orbit.len() > 1 {
            self.representatives.push(square);
        }
        let with = self.derivations.derive(&format!("G 1 1 {square} 1"), "asm")?;
        self.open.push(OpenBranch { square, orbit: orbit.to_vec(), with, first: None, without: None });
        Ok(())
    }

    /// Writes a leaf with these placed and free squares, and closes the branches that it ends.
    pub(super) fn leaf(
        &mut self,
        combination: &CoverCombination,
        coverers: &[Vec<Square>],
        (placed, free): (&FixedBitSet, &FixedBitSet),
    ) -> io::Result<()> {
        let mut contradiction = self.contradiction(combination, coverers, placed, free)?;
        while let Some(mut branch) = self.open.pop() {
            match (branch.first, branch.without) {
                (Some(first), Some(without)) => {
                    let reason = format!("uns @{first} @{} @{contradiction} @{without}", branch.with);
                    contradiction = self.derivations.derive("G 1 0", &reason)?;
                }
                _ => {
                    let without = self.derivations.derive(&format!("L 0 1 {} 1", branch.square), "asm")?;
                    (branch.first, branch.without) = (Some(contradiction), Some(without));
                    self.open.push(branch);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Derives 0 >= 1 at a leaf; returns the number of the constraint.
    fn contradiction(
        &mut self,
        combination: &CoverCombination,
        coverers: &[Vec<Square>],
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> io::Result<usize> {
        let CoverCombination { denominator, rows } = combination;
        // Coefficients of the squares in the sum, and of the constraints.
        let mut sum = vec![-denominator; self.size];
        let mut terms = BTreeMap::from([(Reference::Target, -denominator)]);
        let mut add = |reference, times: i64| *terms.entry(reference).or_insert(0) += times;
        for &(square, times) in rows {
            coverers[square].iter().for_each(|&other| sum[other as usize] += times);
            add(Reference::Program(self.first_cover + square), times);
        }
        let mut removed: HashMap<usize, usize> = HashMap::new();
        for (depth, branch) in self.open.iter().enumerate().filter(|(_, branch)| branch.without.is_some()) {
            removed.extend(branch.orbit.iter().map(|&square| (square, depth)));
        }
        // Attacked squares are taken away by lines through placed ones.
        let mut lines: BTreeMap<usize, i64> = BTreeMap::new();
        for square in (0..self.size).filter(|&square| !free.contains(square) && !placed.contains(square)) {
            if sum[square] <= 0 || removed.contains_key(&square) {
                continue;
            }
            let is_through = |line: &Vec<usize>| {
                line.contains(&square) && line.iter().any(|&other| placed.contains(other))
            };
            let line = self.lines.iter().position(is_through);
            let line = line.ok_or_else(|| io::Error::other("a square is neither free nor attacked"))?;
            let times = lines.entry(line).or_insert(0);
            *times = (*times).max(sum[square]);
        }
        for (line, times) in lines {
            self.lines[line].iter().for_each(|&square| sum[square] -= times);
            add(Reference::Program(2 * self.size + line), -times);
        }
        for (&square, &depth) in &removed {
            let times = sum[square];
            if times <= 0 {
                continue;
            }
            let assumed = |branch: &OpenBranch| {
                branch.without.map(Reference::Derived).ok_or_else(|| io::Error::other("an orbit is left"))
            };
            if self.open[depth].square == square {
                add(assumed(&self.open[depth])?, -times);
            } else {
                add(Reference::Symmetry(square), -times);
                for branch in self.open[..=depth].iter().filter(|branch| branch.orbit.len() > 1) {
                    add(assumed(branch)?, -times);
                }
            }
            sum[square] = 0;
        }
        let with: HashMap<usize, Reference> = self
            .open
            .iter()
            .filter(|branch| branch.without.is_none())
            .map(|branch| (branch.square, Reference::Derived(branch.with)))
            .chain(self.included.iter().map(|(&square, &row)| (square, row)))
            .collect();
        for (square, &times) in sum.iter().enumerate() {
            match with.get(&square) {
                _ if times == 0 => {}
                _ if times > 0 => return Err(io::Error::other("a square is counted too often")),
                Some(&placed) => add(placed, -times),
                None => add(Reference::Program(square), -times),
            }
        }
        terms.retain(|_, times| *times != 0);
        let mut reason = format!("lin {}", terms.len());
        for (reference, times) in terms {
            write!(reason, " {reference} {times}").expect("memory");
        }
        self.derivations.derive("G 1 0", &reason)
    }
}
