//! The tree as derived constraints of a VIPR file.
//!
//! A branch is a pair of assumptions; a leaf is a linear combination that gives 0 >= 1; the two children of a branch give the
//! node by the reason `uns`. A clique that is on no line is rounded from three smaller ones, `x(A + B)`, `x(B + C)` and
//! `x(A + C)`. Below the root there are no symmetries, because the format has none; at the root they are rows of the program.
//!
//! # References
//! K. Cheung, A. Gleixner, D. Steffy, *Verifying integer programming results*, IPCO 2017.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};

use fixedbitset::FixedBitSet;
use ndqueens_model::board::Square;

use super::derivations::{Derivations, Reference, ViprHead};
use super::multipliers::Combination;
use super::relaxation::Relaxation;
use super::writer::TreeWriter;

/// A branch whose children are not both done.
#[derive(Debug)]
struct OpenBranch {
    square: usize,
    /// The orbit of the square at the root; the square alone elsewhere.
    orbit: Vec<usize>,
    /// Assumption that the square has a queen.
    with: usize,
    /// Contradiction of the first child.
    first: Option<usize>,
    /// Assumption that the square has none.
    without: Option<usize>,
}

/// Writes derived constraints.
pub(super) struct ViprWriter<'a> {
    size: usize,
    lines: &'a [Vec<usize>],
    /// Numbers of the lines through each square.
    lines_of: Vec<Vec<usize>>,
    /// Included squares with their constraints.
    included: HashMap<usize, Reference>,
    derivations: Derivations,
    /// Cliques that were derived, by their squares.
    cliques: HashMap<Vec<usize>, usize>,
    open: Vec<OpenBranch>,
    /// Squares on which the root has branched, in order.
    representatives: Vec<usize>,
}

impl<'a> ViprWriter<'a> {
    pub(super) fn new(size: usize, lines: &'a [Vec<usize>], included: &[Square]) -> Self {
        let mut lines_of = vec![Vec::new(); size];
        for (number, line) in lines.iter().enumerate() {
            line.iter().for_each(|&square| lines_of[square].push(number));
        }
        Self {
            size,
            lines,
            lines_of,
            included: included
                .iter()
                .zip(2 * size + lines.len()..)
                .map(|(&square, row)| (square as usize, Reference::Program(row)))
                .collect(),
            derivations: Derivations::new(),
            cliques: HashMap::new(),
            open: Vec::new(),
            representatives: Vec::new(),
        }
    }

    /// Returns the squares on which the root has branched and whose orbits have further squares.
    pub(super) fn representatives(&self) -> &[usize] {
        &self.representatives
    }

    /// Writes the whole file: `head`, and the derived constraints with their final numbers.
    pub(super) fn finish(self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        self.derivations.finish(head, out)
    }

    /// Writes a derived constraint; returns its number.
    fn derive(&mut self, constraint: &str, reason: &str) -> io::Result<usize> {
        self.derivations.derive(constraint, reason)
    }

    fn line_with(&self, a: usize, b: usize) -> Option<usize> {
        self.lines_of[a].iter().copied().find(|&line| self.lines[line].contains(&b))
    }

    /// Returns a line that contains a clique.
    fn line_around(&self, clique: &[usize]) -> Option<usize> {
        let mut lines = self.lines_of[clique[0]].iter().copied();
        lines.find(|&line| clique.iter().all(|square| self.lines[line].contains(square)))
    }

    /// Returns a constraint that implies that a clique holds at most one queen, with its squares.
    fn clique(&mut self, clique: &[usize]) -> io::Result<(Reference, Vec<usize>)> {
        if let [square] = clique {
            return Ok((Reference::Program(self.size + square), clique.to_vec()));
        }
        if let Some(line) = self.line_around(clique) {
            return Ok((Reference::Program(2 * self.size + line), self.lines[line].clone()));
        }
        if let Some(&known) = self.cliques.get(clique) {
            return Ok((Reference::Derived(known), clique.to_vec()));
        }
        // Three parts, so that each square is in two of the three unions.
        let (third, rest) = (clique.len() / 3, clique.len() % 3);
        let (first, second) =
            (third + usize::from(rest > 0), 2 * third + usize::from(rest > 0) + usize::from(rest > 1));
        let unions = [
            clique[..second].to_vec(),
            clique[first..].to_vec(),
            [&clique[..first], &clique[second..]].concat(),
        ];
        let mut excess: BTreeMap<usize, i64> = BTreeMap::new();
        let mut terms = Vec::new();
        for union in unions {
            let (reference, squares) = self.clique(&union)?;
            squares.iter().for_each(|&square| *excess.entry(square).or_insert(0) += 1);
            terms.push(format!("{reference} 1/2"));
        }
        for (square, halves) in excess {
            let unwanted = if clique.contains(&square) { halves - 2 } else { halves };
            if unwanted != 0 {
                terms.push(format!("{} -{unwanted}/2", Reference::Program(square)));
            }
        }
        let mut constraint = format!("L 1 {}", clique.len());
        clique.iter().for_each(|square| write!(constraint, " {square} 1").expect("memory"));
        let number = self.derive(&constraint, &format!("rnd {} {}", terms.len(), terms.join(" ")))?;
        self.cliques.insert(clique.to_vec(), number);
        Ok((Reference::Derived(number), clique.to_vec()))
    }

    /// Derives 0 >= 1 at a leaf; returns the number of the constraint.
    fn contradiction(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> io::Result<usize> {
        let denominator = combination.denominator as i64;
        // Coefficients of the squares that are left, and of the constraints.
        let mut left = vec![denominator; self.size];
        let mut terms = BTreeMap::from([(Reference::Target, denominator)]);
        let mut add = |reference, times| *terms.entry(reference).or_insert(0) += times;
        for &(row, times) in &combination.rows {
            let clique: Vec<usize> =
                relaxation.row(row).squares.iter().map(|&square| square as usize).collect();
            let (reference, squares) = self.clique(&clique)?;
            squares.iter().for_each(|&square| left[square] -= times as i64);
            add(reference, -(times as i64));
        }
        // Attacked squares are taken away by lines through placed ones.
        let mut lines: BTreeMap<usize, i64> = BTreeMap::new();
        let assumed: HashMap<usize, usize> =
            self.open.iter().filter_map(|branch| Some((branch.square, branch.without?))).collect();
        let removed: HashMap<usize, usize> = self
            .open
            .iter()
            .enumerate()
            .filter(|(_, branch)| branch.without.is_some())
            .flat_map(|(depth, branch)| branch.orbit.iter().map(move |&square| (square, depth)))
            .collect();
        for square in (0..self.size).filter(|&square| !free.contains(square) && !placed.contains(square)) {
            if left[square] <= 0 || removed.contains_key(&square) {
                continue;
            }
            let line = placed.ones().find_map(|queen| self.line_with(queen, square));
            let line = line.ok_or_else(|| io::Error::other("a square is neither free nor attacked"))?;
            let times = lines.entry(line).or_insert(0);
            *times = (*times).max(left[square]);
        }
        for (line, times) in lines {
            self.lines[line].iter().for_each(|&square| left[square] -= times);
            add(Reference::Program(2 * self.size + line), -times);
        }
        // Squares of orbits on which the root has branched.
        for (&square, &depth) in &removed {
            if left[square] <= 0 {
                continue;
            }
            let times = left[square];
            if self.open[depth].square == square {
                add(Reference::Derived(assumed[&square]), -times);
            } else {
                add(Reference::Symmetry(square), -times);
                for branch in self.open[..=depth].iter().filter(|branch| branch.orbit.len() > 1) {
                    add(Reference::Derived(branch.without.expect("orbits are left in order")), -times);
                }
            }
            left[square] = 0;
        }
        let with: HashMap<usize, Reference> = self
            .open
            .iter()
            .filter(|branch| branch.without.is_none())
            .map(|branch| (branch.square, Reference::Derived(branch.with)))
            .chain(self.included.iter().map(|(&square, &row)| (square, row)))
            .collect();
        for (square, &rest) in left.iter().enumerate() {
            match (rest, with.get(&square)) {
                (0, _) => {}
                (rest, Some(&row)) if rest < 0 => add(row, -rest),
                (rest, Some(_)) => add(Reference::Program(self.size + square), -rest),
                (rest, None) if rest < 0 => add(Reference::Program(square), -rest),
                (_, None) => return Err(io::Error::other("a free square is counted too seldom")),
            }
        }
        terms.retain(|_, times| *times != 0);
        let mut reason = format!("lin {}", terms.len());
        for (reference, times) in terms {
            write!(reason, " {reference} {times}").expect("memory");
        }
        self.derive("G 1 0", &reason)
    }
}

impl TreeWriter for ViprWriter<'_> {
    fn branch(&mut self, square: usize, orbit: &[(usize, u32)]) -> io::Result<()> {
        let orbit: Vec<usize> = orbit.iter().map(|&(image, _)| image).collect();
        if orbit.len() > 1 {
            // Only the root has orbits, and they exclude each other.
            self.representatives.push(square);
        }
        let with = self.derive(&format!("G 1 1 {square} 1"), "asm")?;
        self.open.push(OpenBranch { square, orbit, with, first: None, without: None });
        Ok(())
    }

    fn part(&mut self, _number: usize) -> io::Result<()> {
        Err(io::Error::other("a VIPR file has no parts"))
    }

    fn leaf(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        placed: &FixedBitSet,
        free: &FixedBitSet,
    ) -> io::Result<()> {
        let mut contradiction = self.contradiction(combination, relaxation, placed, free)?;
        while let Some(mut branch) = self.open.pop() {
            match (branch.first, branch.without) {
                (Some(first), Some(without)) => {
                    let reason = format!("uns @{first} @{} @{contradiction} @{without}", branch.with);
                    contradiction = self.derive("G 1 0", &reason)?;
                }
                _ => {
                    let without = self.derive(&format!("L 0 1 {} 1", branch.square), "asm")?;
                    (branch.first, branch.without) = (Some(contradiction), Some(without));
                    self.open.push(branch);
                    break;
                }
            }
        }
        Ok(())
    }
}
