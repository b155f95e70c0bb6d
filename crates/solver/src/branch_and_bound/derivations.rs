//! Derived constraints of a VIPR file, which are written before the numbers of the program's
//! constraints are known.
//!
//! A branch is a pair of assumptions; a leaf is a linear combination that gives 0 >= 1; the reason `uns`
//! derives a node from its two children. Below the root there are no symmetries, because the format has none;
//! at the root they are rows of the program.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write};

use ndqueens_model::board::Square;
use tempfile::SpooledTempFile;

use super::relaxation::NodeSquares;

/// Part of a VIPR file before the derived constraints, as the checker writes it.
#[derive(Debug, Clone)]
pub struct ViprHead {
    /// Text up to the end of the constraints.
    pub text: Vec<u8>,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of the symmetry row of each square that has one.
    pub symmetry_rows: HashMap<usize, usize>,
}

/// Bytes of derived constraints that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// Reference to a constraint whose final number is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reference {
    /// Bound or line, by its number.
    Program(usize),
    /// Symmetry row of a square.
    Symmetry(usize),
    /// Constraint on the number of squares.
    Target,
    /// Derived constraint, by its number.
    Derived(usize),
}

impl Reference {
    fn parse(token: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok();
        match token.split_at_checked(1)? {
            ("@", text) => number(text).map(Self::Derived),
            ("#", text) => number(text).map(Self::Symmetry),
            ("$", "") => Some(Self::Target),
            _ => None,
        }
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(number) => write!(f, "{number}"),
            Self::Symmetry(square) => write!(f, "#{square}"),
            Self::Target => f.write_str("$"),
            Self::Derived(number) => write!(f, "@{number}"),
        }
    }
}

/// Linear combination of constraints of the program and derived ones.
#[derive(Debug)]
pub(super) struct Sum {
    /// Coefficient of each square.
    pub(super) coefficients: Vec<i64>,
    /// Multipliers of constraints.
    terms: BTreeMap<Reference, i64>,
}

impl Sum {
    /// Creates the multiple of the constraint on the number of squares, in which each square
    /// has this coefficient.
    pub(super) fn of_target(size: usize, multiplier: i64) -> Self {
        Self {
            coefficients: vec![multiplier; size],
            terms: BTreeMap::from([(Reference::Target, multiplier)]),
        }
    }

    /// Adds to the multiplier of a constraint, without changing the coefficients.
    pub(super) fn add(&mut self, constraint: Reference, times: i64) {
        *self.terms.entry(constraint).or_insert(0) += times;
    }
}

/// Branch whose children are not both done.
#[derive(Debug)]
struct OpenBranch {
    square: usize,
    /// Orbit of the square at the root; the square alone elsewhere.
    orbit: Vec<usize>,
    /// Assumption that the square has a queen.
    with: usize,
    /// Contradiction of the first child.
    first: Option<usize>,
    /// Assumption that the square has none.
    without: Option<usize>,
}

/// Derived constraints of a tree, depth first.
#[derive(Debug)]
pub(super) struct Derivations<'a> {
    size: usize,
    /// Lines of the board in the order of the program.
    lines: &'a [Vec<usize>],
    /// Included squares with their constraints.
    included: HashMap<usize, Reference>,
    text: SpooledTempFile,
    derived: usize,
    open: Vec<OpenBranch>,
    /// Squares on which the root has branched and whose orbits have further squares, in order.
    representatives: Vec<usize>,
}

impl<'a> Derivations<'a> {
    /// Creates the empty tree of a program in which `first_included` is the number of the row of the first
    /// included square; those of the others follow.
    pub(super) fn new(
        size: usize,
        lines: &'a [Vec<usize>],
        included: &[Square],
        first_included: usize,
    ) -> Self {
        let included = included.iter().zip(first_included..);
        Self {
            size,
            lines,
            included: included.map(|(&square, row)| (square as usize, Reference::Program(row))).collect(),
            text: SpooledTempFile::new(HELD_IN_MEMORY),
            derived: 0,
            open: Vec::new(),
            representatives: Vec::new(),
        }
    }

    /// Returns the squares on which the root has branched and whose orbits have further squares.
    pub(super) fn representatives(&self) -> &[usize] {
        &self.representatives
    }

    /// Writes the branch on the orbit of a square. Only the root has orbits with further squares, and they
    /// exclude each other.
    pub(super) fn branch(&mut self, square: usize, orbit: Vec<usize>) -> io::Result<()> {
        if orbit.len() > 1 {
            self.representatives.push(square);
        }
        let with = self.derive(&format!("G 1 1 {square} 1"), "asm")?;
        self.open.push(OpenBranch { square, orbit, with, first: None, without: None });
        Ok(())
    }

    /// Writes a leaf, whose contradiction is completed from `sum`, and closes the branches that it ends.
    /// `line_through` returns a line through a square and a placed one.
    pub(super) fn leaf(
        &mut self,
        sum: Sum,
        node: NodeSquares<'_>,
        line_through: &dyn Fn(usize) -> Option<usize>,
    ) -> io::Result<()> {
        let mut contradiction = self.derive_contradiction(sum, node, line_through)?;
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

    /// Derives 0 >= 1 at a leaf, and returns the number of the constraint.
    fn derive_contradiction(
        &mut self,
        mut sum: Sum,
        node: NodeSquares<'_>,
        line_through: &dyn Fn(usize) -> Option<usize>,
    ) -> io::Result<usize> {
        let mut removed: HashMap<usize, usize> = HashMap::new();
        for (depth, branch) in self.open.iter().enumerate().filter(|(_, branch)| branch.without.is_some()) {
            removed.extend(branch.orbit.iter().map(|&square| (square, depth)));
        }
        let is_attacked = |square: &usize| {
            !node.free.contains(*square) && !node.placed.contains(*square) && !removed.contains_key(square)
        };
        self.cancel_attacked(&mut sum, (0..self.size).filter(is_attacked), line_through)?;
        self.cancel_removed(&mut sum, &removed)?;
        self.cancel_rest(&mut sum)?;
        sum.terms.retain(|_, times| *times != 0);
        let mut reason = format!("lin {}", sum.terms.len());
        for (reference, times) in sum.terms {
            write!(reason, " {reference} {times}").expect("memory");
        }
        self.derive("G 1 0", &reason)
    }

    /// Subtracts lines through placed squares until no attacked square has a positive coefficient.
    fn cancel_attacked(
        &self,
        sum: &mut Sum,
        attacked: impl Iterator<Item = usize>,
        line_through: &dyn Fn(usize) -> Option<usize>,
    ) -> io::Result<()> {
        let mut lines: BTreeMap<usize, i64> = BTreeMap::new();
        for square in attacked.filter(|&square| sum.coefficients[square] > 0) {
            let line = line_through(square);
            let line = line.ok_or_else(|| io::Error::other("a square is neither free nor attacked"))?;
            let times = lines.entry(line).or_insert(0);
            *times = (*times).max(sum.coefficients[square]);
        }
        for (line, times) in lines {
            self.lines[line].iter().for_each(|&square| sum.coefficients[square] -= times);
            sum.add(Reference::Program(2 * self.size + line), -times);
        }
        Ok(())
    }

    /// Cancels the positive coefficients of squares that branches removed; `removed` has the depth of the
    /// branch of each of them.
    fn cancel_removed(&self, sum: &mut Sum, removed: &HashMap<usize, usize>) -> io::Result<()> {
        for (&square, &depth) in removed {
            let times = sum.coefficients[square];
            if times <= 0 {
                continue;
            }
            let assumption = |branch: &OpenBranch| {
                branch.without.map(Reference::Derived).ok_or_else(|| io::Error::other("an orbit is left"))
            };
            if self.open[depth].square == square {
                sum.add(assumption(&self.open[depth])?, -times);
            } else {
                sum.add(Reference::Symmetry(square), -times);
                for branch in self.open[..=depth].iter().filter(|branch| branch.orbit.len() > 1) {
                    sum.add(assumption(branch)?, -times);
                }
            }
            sum.coefficients[square] = 0;
        }
        Ok(())
    }

    /// Cancels all other coefficients by bounds, by assumptions of squares with queens, and by rows
    /// of included squares.
    fn cancel_rest(&self, sum: &mut Sum) -> io::Result<()> {
        let with: HashMap<usize, Reference> = self
            .open
            .iter()
            .filter(|branch| branch.without.is_none())
            .map(|branch| (branch.square, Reference::Derived(branch.with)))
            .chain(self.included.iter().map(|(&square, &row)| (square, row)))
            .collect();
        for square in 0..self.size {
            let rest = sum.coefficients[square];
            match (rest, with.get(&square)) {
                (0, _) => {}
                (rest, Some(&row)) if rest < 0 => sum.add(row, -rest),
                (rest, Some(_)) => sum.add(Reference::Program(self.size + square), -rest),
                (rest, None) if rest < 0 => sum.add(Reference::Program(square), -rest),
                (_, None) => return Err(io::Error::other("the sum of a leaf does not show that it is one")),
            }
        }
        Ok(())
    }

    /// Writes a derived constraint, and returns its number.
    pub(super) fn derive(&mut self, constraint: &str, reason: &str) -> io::Result<usize> {
        writeln!(self.text, "d{} {constraint} {{ {reason} }} -1", self.derived)?;
        self.derived += 1;
        Ok(self.derived - 1)
    }

    /// Writes the whole file: `head`, and the derived constraints with their final numbers.
    pub(super) fn finish(mut self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&head.text)?;
        write!(out, "RTP infeas\nSOL 0\nDER {}\n", self.derived)?;
        self.text.seek(SeekFrom::Start(0))?;
        let mut line = String::new();
        let mut text = BufReader::new(self.text);
        while {
            line.clear();
            text.read_line(&mut line)? > 0
        } {
            let mut words = Vec::new();
            for token in line.split_ascii_whitespace() {
                words.push(match Reference::parse(token) {
                    None => token.to_owned(),
                    Some(Reference::Target) => (head.constraints - 1).to_string(),
                    Some(Reference::Derived(number)) => (head.constraints + number).to_string(),
                    Some(Reference::Symmetry(square)) => {
                        let row = head.symmetry_rows.get(&square);
                        row.ok_or_else(|| io::Error::other("a symmetry row is missing"))?.to_string()
                    }
                    Some(Reference::Program(number)) => number.to_string(),
                });
            }
            writeln!(out, "{}", words.join(" "))?;
        }
        out.flush()
    }
}
