//! Writer of the tree as derived constraints of a VIPR file.
//!
//! A clique that is on no line is rounded from three smaller ones, `x(A + B)`, `x(B + C)` and `x(A + C)`.
//!
//! # References
//! K. Cheung, A. Gleixner, D. Steffy, *Verifying integer programming results*, IPCO 2017.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, Write};

use ndqueens_model::board::Square;

use super::derivations::{Derivations, Reference, Sum, ViprHead};
use super::multipliers::Combination;
use super::relaxation::{NodeSquares, Relaxation};
use super::writer::TreeWriter;

/// Writer of a tree as derived constraints.
pub(super) struct ViprWriter<'a> {
    size: usize,
    lines: &'a [Vec<usize>],
    /// Numbers of the lines through each square.
    lines_of: Vec<Vec<usize>>,
    derivations: Derivations<'a>,
    /// Numbers of the derived constraints of cliques, by their squares.
    cliques: HashMap<Vec<usize>, usize>,
}

/// Constraint that at most one of some squares holds a queen.
struct CliqueConstraint {
    reference: Reference,
    squares: Vec<usize>,
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
            derivations: Derivations::new(size, lines, included, 2 * size + lines.len()),
            cliques: HashMap::new(),
        }
    }

    /// Returns the squares on which the root has branched and whose orbits have further squares.
    pub(super) fn representatives(&self) -> &[usize] {
        self.derivations.representatives()
    }

    /// Writes the whole file: `head`, and the derived constraints with their final numbers.
    pub(super) fn finish(self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        self.derivations.finish(head, out)
    }

    /// Returns a line that contains a clique.
    fn line_around(&self, clique: &[usize]) -> Option<usize> {
        let mut lines = self.lines_of[clique[0]].iter().copied();
        lines.find(|&line| clique.iter().all(|square| self.lines[line].contains(square)))
    }

    /// Returns a constraint that implies that a clique holds at most one queen, after
    /// deriving it if necessary.
    fn clique(&mut self, clique: &[usize]) -> io::Result<CliqueConstraint> {
        if let [square] = clique {
            let reference = Reference::Program(self.size + square);
            return Ok(CliqueConstraint { reference, squares: clique.to_vec() });
        }
        if let Some(line) = self.line_around(clique) {
            let reference = Reference::Program(2 * self.size + line);
            return Ok(CliqueConstraint { reference, squares: self.lines[line].clone() });
        }
        if let Some(&known) = self.cliques.get(clique) {
            return Ok(CliqueConstraint { reference: Reference::Derived(known), squares: clique.to_vec() });
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
            let CliqueConstraint { reference, squares } = self.clique(&union)?;
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
        let number =
            self.derivations.derive(&constraint, &format!("rnd {} {}", terms.len(), terms.join(" ")))?;
        self.cliques.insert(clique.to_vec(), number);
        Ok(CliqueConstraint { reference: Reference::Derived(number), squares: clique.to_vec() })
    }
}

impl TreeWriter for ViprWriter<'_> {
    fn branch(&mut self, square: usize, orbit: &[(usize, u32)]) -> io::Result<()> {
        self.derivations.branch(square, orbit.iter().map(|&(image, _)| image).collect())
    }

    fn part(&mut self, _number: usize) -> io::Result<()> {
        Err(io::Error::other("a VIPR file has no parts"))
    }

    fn leaf(
        &mut self,
        combination: &Combination,
        relaxation: &Relaxation<'_>,
        node: NodeSquares<'_>,
    ) -> io::Result<()> {
        let mut sum = Sum::of_target(self.size, combination.denominator as i64);
        for &(row, times) in &combination.rows {
            let clique: Vec<usize> =
                relaxation.row(row).squares.iter().map(|&square| square as usize).collect();
            let CliqueConstraint { reference, squares } = self.clique(&clique)?;
            squares.iter().for_each(|&square| sum.coefficients[square] -= times as i64);
            sum.add(reference, -(times as i64));
        }
        let Self { lines, lines_of, derivations, .. } = self;
        let line_with =
            |a: usize, b: usize| lines_of[a].iter().copied().find(|&line| lines[line].contains(&b));
        let line_through = |square: usize| node.placed.ones().find_map(|queen| line_with(queen, square));
        derivations.leaf(sum, node, &line_through)
    }
}
