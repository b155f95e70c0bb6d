//! Writes VIPR files about dominating sets of small boards: a tree that branches on the squares that cover a
//! square.

use std::collections::BTreeMap;

use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;

/// Statement of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CoverStatement {
    /// No solution has at most this number of squares.
    Infeasible(u64),
    /// Every solution has at least this number of squares.
    Range(u64),
    /// Every solution has at least this number of squares, proved for solutions smaller than the one in the
    /// file.
    Cutoff(u64),
}

/// Form of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CoverForm {
    pub(crate) board: &'static str,
    pub(crate) problem: Problem,
    pub(crate) statement: CoverStatement,
    pub(crate) included: &'static [usize],
    /// Representatives of orbits.
    pub(crate) symmetry: &'static [usize],
    /// Squares of a solution; empty if the file has none.
    pub(crate) solution: &'static [usize],
}

/// Decisions on squares, each with the constraint that makes it.
#[derive(Clone, Default)]
struct Node {
    taken: Vec<(usize, usize)>,
    left_out: Vec<(usize, usize)>,
}

struct Writer {
    form: CoverForm,
    program: IntegerProgram,
    /// Squares that attack or occupy each square.
    around: Vec<Vec<usize>>,
    derived: Vec<String>,
    /// Constraint that allows fewer squares than the statement.
    allowed: Option<usize>,
}

/// Returns the text of a file with the form `form`.
pub(crate) fn write_cover_file(form: &CoverForm) -> String {
    let board: BoardName = form.board.parse().expect("a board");
    let limit = match form.statement {
        CoverStatement::Infeasible(limit) => Some(limit),
        CoverStatement::Range(_) | CoverStatement::Cutoff(_) => None,
    };
    let question = ProgramForm {
        problem: form.problem,
        included: form.included.to_vec(),
        limit,
        representatives: form.symmetry.to_vec(),
    };
    let program = IntegerProgram::of(&board, question).expect("a program");
    let mut text = Vec::new();
    program.write(&mut text).expect("a vector");
    let mut text = String::from_utf8(text).expect("ASCII");
    match (form.statement, form.solution.len()) {
        (CoverStatement::Infeasible(_), _) => text.push_str("RTP infeas\nSOL 0\n"),
        (CoverStatement::Range(least) | CoverStatement::Cutoff(least), 0) => {
            text.push_str(&format!("RTP range {least} inf\nSOL 0\n"));
        }
        (CoverStatement::Range(least) | CoverStatement::Cutoff(least), size) => {
            let squares: String = form.solution.iter().map(|square| format!(" {square} 1")).collect();
            text.push_str(&format!("RTP range {least} {size}\nSOL 1\nbest {size}{squares}\n"));
        }
    }
    let squares = program.squares().len();
    let around = (0..squares).map(|square| program.row(program.cover(square)).expect("a row").terms);
    let around = around.map(|terms| terms.iter().map(|&(square, _)| square as usize).collect()).collect();
    let allowed = limit.map(|_| program.constraints() - 1);
    let mut writer = Writer { form: *form, program, around, derived: Vec::new(), allowed };
    if let CoverStatement::Cutoff(least) = form.statement {
        writer.allowed = Some(writer.derive(&format!("L {} OBJ", least - 1), "sol"));
    }
    let taken = (0..form.included.len()).map(|place| (form.included[place], writer.program.inclusion(place)));
    writer.derive_node(&Node { taken: taken.collect(), left_out: Vec::new() });
    format!("{text}DER {}\n{}", writer.derived.len(), writer.derived.concat())
}

impl Writer {
    fn derive(&mut self, constraint: &str, reason: &str) -> usize {
        let number = self.derived.len();
        self.derived.push(format!("d{number} {constraint} {{ {reason} }} -1\n"));
        self.program.constraints() + number
    }

    fn least(&self) -> i64 {
        match self.form.statement {
            CoverStatement::Infeasible(limit) => limit as i64 + 1,
            CoverStatement::Range(least) | CoverStatement::Cutoff(least) => least as i64,
        }
    }

    fn line_with(&self, a: usize, b: usize) -> Option<usize> {
        self.program.lines().iter().position(|line| line.contains(&a) && line.contains(&b))
    }

    fn is_free(&self, node: &Node, square: usize) -> bool {
        let is_attacked = |&(other, _): &(usize, usize)| {
            self.form.problem == Problem::IndependentDominatingSet && self.around[other].contains(&square)
        };
        let is_out = node.left_out.iter().any(|&(other, _)| other == square)
            || self.is_excluded_by_symmetry(node, square);
        !is_out && !node.taken.iter().any(|pair| pair.0 == square || is_attacked(pair))
    }

    /// Returns `true` if a symmetry row excludes a square.
    fn is_excluded_by_symmetry(&self, node: &Node, square: usize) -> bool {
        let row = self.program.symmetry_rows().iter().find(|(other, _)| *other == square);
        row.is_some_and(|&(_, orbit)| {
            let mut others = self.form.symmetry[..=orbit].iter();
            others.all(|other| node.left_out.iter().any(|(square, _)| square == other))
        })
    }

    /// Derives the statement under the decisions of a node, and returns the constraint.
    fn derive_node(&mut self, node: &Node) -> usize {
        let claim = match self.form.statement {
            CoverStatement::Range(least) => format!("G {least} OBJ"),
            CoverStatement::Infeasible(_) | CoverStatement::Cutoff(_) => "G 1 0".to_owned(),
        };
        let squares = 0..self.around.len();
        let is_covered =
            |square: usize| node.taken.iter().any(|(queen, _)| self.around[square].contains(queen));
        let free = |square: usize| -> Vec<usize> {
            self.around[square].iter().copied().filter(|&other| self.is_free(node, other)).collect()
        };
        let mut open: Vec<(usize, Vec<usize>)> =
            squares.filter(|&square| !is_covered(square)).map(|square| (square, free(square))).collect();
        open.sort_by_key(|(square, coverers)| (coverers.len(), *square));
        // Uncovered squares such that no square covers two of them.
        let mut apart: Vec<(usize, Vec<usize>)> = Vec::new();
        for (square, coverers) in &open {
            if coverers.iter().all(|other| apart.iter().all(|(_, others)| !others.contains(other))) {
                apart.push((*square, coverers.clone()));
            }
        }
        let is_contradiction = open.first().is_some_and(|(_, coverers)| coverers.is_empty());
        let value = (node.taken.len() + apart.len()) as i64;
        if is_contradiction || value >= self.least() {
            let rows: Vec<usize> = match is_contradiction {
                true => vec![open[0].0],
                false => apart.iter().map(|(square, _)| *square).collect(),
            };
            let sum = self.find_sum(node, &rows, i64::from(!is_contradiction));
            let sum: Vec<_> = sum.into_iter().filter(|(_, times)| *times != 0).collect();
            let terms: String = sum.iter().map(|(index, times)| format!(" {index} {times}")).collect();
            return self.derive(&claim, &format!("lin {}{terms}", sum.len()));
        }
        let is_decided = |square: usize| node.left_out.iter().any(|&(other, _)| other == square);
        let next =
            self.form.symmetry.iter().copied().find(|&square| node.taken.is_empty() && !is_decided(square));
        let square = next.or_else(|| open.first()?.1.first().copied()).expect("the bound is true");
        let one = self.derive(&format!("G 1 1 {square} 1"), "asm");
        let mut with = node.clone();
        with.taken.push((square, one));
        let with = self.derive_node(&with);
        let zero = self.derive(&format!("L 0 1 {square} 1"), "asm");
        let mut without = node.clone();
        without.left_out.push((square, zero));
        let without = self.derive_node(&without);
        self.derive(&claim, &format!("uns {with} {one} {without} {zero}"))
    }

    /// Returns multipliers of constraints whose sum has a right-hand side of at least the number of `rows`
    /// plus the number of squares that are taken, if each square is counted `count` times.
    fn find_sum(&self, node: &Node, rows: &[usize], count: i64) -> BTreeMap<usize, i64> {
        let mut counts = vec![0i64; self.around.len()];
        let mut sum = BTreeMap::new();
        for &square in rows {
            *sum.entry(self.program.cover(square)).or_insert(0) += 1;
            self.around[square].iter().for_each(|&other| counts[other] += 1);
        }
        for square in 0..counts.len() {
            let over = counts[square] - count;
            if over <= 0 || self.is_free(node, square) {
                continue;
            }
            if let Some(&(_, zero)) = node.left_out.iter().find(|(other, _)| *other == square) {
                *sum.entry(zero).or_insert(0) -= over;
                counts[square] -= over;
            } else if self.is_excluded_by_symmetry(node, square) {
                let place = self.program.symmetry_rows().iter().position(|(other, _)| *other == square);
                let place = place.expect("a row");
                *sum.entry(self.program.symmetry_row(place)).or_insert(0) -= over;
                for other in &self.form.symmetry[..=self.program.symmetry_rows()[place].1] {
                    let zero = node.left_out.iter().find(|(square, _)| square == other).expect("left out").1;
                    *sum.entry(zero).or_insert(0) -= over;
                }
                counts[square] -= over;
            } else {
                let lines = node.taken.iter().filter_map(|(queen, _)| self.line_with(*queen, square));
                let line = lines.min().expect("an attacked square");
                *sum.entry(self.program.line(line)).or_insert(0) -= over;
                self.program.lines()[line].iter().for_each(|&other| counts[other] -= over);
            }
        }
        for &(queen, one) in &node.taken {
            *sum.entry(one).or_insert(0) += count - counts[queen];
            counts[queen] = count;
        }
        for (square, &times) in counts.iter().enumerate() {
            *sum.entry(self.program.lower_bound(square)).or_insert(0) += count - times;
        }
        sum.extend(self.allowed.filter(|_| count > 0).map(|allowed| (allowed, -1)));
        sum
    }
}
