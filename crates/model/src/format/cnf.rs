//! DIMACS CNF: clauses over Boolean variables, for SAT solvers.
//!
//! The program must not have an objective. Variables `1..N` are the columns in their order; auxiliary
//! variables follow.
//!
//! A row is converted to the form `sum w_j l_j <= b` with positive weights `w_j` and literals `l_j`; an
//! equation gives two of them. A row that excludes only that all its literals are true is one clause. A row
//! that allows at most one of up to five literals has a clause for each pair. Any other row is encoded as a
//! decision diagram with one layer for each literal, the heaviest first. A node of a layer represents the
//! condition that the remaining literals have total weight at most `b'`. Its auxiliary variable implies that
//! of one successor, and together with the literal of the layer that of the other one, by one clause each.
//! With all weights 1, this is the sequential counter of Sinz without redundant counts: `at most k of n`
//! needs `k (n - k)` auxiliary variables. Unit propagation derives all literals that are implied by a row.
//!
//! Auxiliary variables are implied by the columns in one direction only. Hence the models, restricted to the
//! columns, are the feasible points, but a point may extend to several models.
//!
//! # References
//! C. Sinz, *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005. I. Abío, R.
//! Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for
//! Pseudo-Boolean Constraints*, JAIR 45, 2012: encoding with two clauses for each node.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::iter;

use super::contents::Contents;
use super::text::{ensure_boolean, fixed_columns, head, unsupported_error};
use crate::ilp::{Comparison, Program, Row, Sense};

/// Returns the number of variables of the CNF file of a program, including auxiliary variables.
///
/// # Errors
/// Returns an error if the program cannot be written as CNF.
pub fn cnf_variables(program: &dyn Program) -> io::Result<u64> {
    ensure_boolean(program, "CNF")?;
    Ok(encode(program, &mut io::sink())?.0.into())
}

/// Number of a variable, counted from 1, or its negative for the negated variable.
type Literal = i32;

/// Maximum number of literals for which `at most one` is encoded by pairs. Above it, the counter has fewer
/// clauses.
const MAX_PAIRWISE: usize = 5;

/// Maximum number of nodes in a layer. The number can double from layer to layer if the coefficients are
/// diverse.
const MAX_WIDTH: usize = 1 << 16;

/// Error for a program with an objective.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::format::Format;
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// assert!(Format::Cnf.write(&model, &mut Vec::new()).is_err(), "a maximum is not a question");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("CNF asks a yes/no question")]
pub struct NoQuestion;

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    if program.sense() != Sense::Feasibility {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, NoQuestion));
    }
    ensure_boolean(program, "CNF")?;
    let (variables, clauses) = encode(program, &mut io::sink())?;
    head(program, "c", out)?;
    for (number, column) in (1..).zip(program.columns()) {
        writeln!(out, "c {number} {}", column.name)?;
    }
    writeln!(out, "p cnf {variables} {clauses}")?;
    encode(program, out)?;
    Ok(Contents::Clauses { variables, clauses })
}

/// Writes all clauses and returns the numbers of variables and clauses.
fn encode(program: &dyn Program, out: &mut dyn Write) -> io::Result<(u32, u64)> {
    let columns = Literal::try_from(program.columns().len()).map_err(|_| too_many_variables())?;
    let mut clauses = Clauses { out, variables: columns, count: 0 };
    for (number, is_one) in fixed_columns(program) {
        let variable = number as Literal;
        clauses.push(&[if is_one { variable } else { -variable }])?;
    }
    for row in program.rows() {
        if row.comparison != Comparison::AtLeast {
            Knapsack::of(&row, 1).encode(&row, &mut clauses)?;
        }
        if row.comparison != Comparison::AtMost {
            Knapsack::of(&row, -1).encode(&row, &mut clauses)?;
        }
    }
    Ok((clauses.variables.unsigned_abs(), clauses.count))
}

/// Creates the error for more variables than a literal can number.
fn too_many_variables() -> io::Error {
    unsupported_error(format!(
        "the CNF would have more than {} variables, the most that SAT solvers take",
        Literal::MAX
    ))
}

/// Writer of clauses, which counts clauses and variables.
struct Clauses<'w> {
    out: &'w mut dyn Write,
    variables: Literal,
    count: u64,
}

impl Clauses<'_> {
    /// Writes a clause.
    fn push(&mut self, clause: &[Literal]) -> io::Result<()> {
        self.count += 1;
        for literal in clause {
            write!(self.out, "{literal} ")?;
        }
        writeln!(self.out, "0")
    }

    /// Creates an auxiliary variable.
    fn new_variable(&mut self) -> io::Result<Literal> {
        self.variables = self.variables.checked_add(1).ok_or_else(too_many_variables)?;
        Ok(self.variables)
    }
}

/// Constraint `sum w_j l_j <= bound` with positive weights in decreasing order.
struct Knapsack {
    /// Weights with their literals.
    items: Vec<(i128, Literal)>,
    bound: i128,
}

impl Knapsack {
    /// Converts a row, multiplied by 1 or -1 and read as `<=`. A term `-w x` becomes `w (not x) - w`.
    fn of(row: &Row, factor: i128) -> Self {
        let mut bound = factor * i128::from(row.rhs);
        let mut items = Vec::with_capacity(row.columns.len());
        for (column, coefficient) in row.terms().filter(|&(_, coefficient)| coefficient != 0) {
            let (weight, variable) = (factor * i128::from(coefficient), column as Literal + 1);
            if weight > 0 {
                items.push((weight, variable));
            } else {
                items.push((-weight, -variable));
                bound -= weight;
            }
        }
        items.sort_by_key(|&(weight, _)| -weight);
        Self { items, bound }
    }

    /// Writes the clauses of the constraint. `row` is named in the error message.
    fn encode(&self, row: &Row, clauses: &mut Clauses<'_>) -> io::Result<()> {
        let Self { items, bound } = self;
        let total: i128 = items.iter().map(|(weight, _)| weight).sum();
        if total <= *bound {
            return Ok(());
        }
        if *bound < 0 {
            // Two contradictory clauses replace the empty clause, which some readers reject.
            return clauses.push(&[1]).and_then(|()| clauses.push(&[-1]));
        }
        let lightest = items[items.len() - 1].0;
        if total - lightest <= *bound {
            return clauses.push(&items.iter().map(|(_, literal)| -literal).collect::<Vec<_>>());
        }
        let two_lightest = lightest + items[items.len() - 2].0;
        if items.len() <= MAX_PAIRWISE && items[0].0 <= *bound && two_lightest > *bound {
            for (k, (_, a)) in items.iter().enumerate() {
                for (_, b) in &items[k + 1..] {
                    clauses.push(&[-a, -b])?;
                }
            }
            return Ok(());
        }
        self.encode_diagram(total, row, clauses)
    }

    /// Writes the clauses of the decision diagram of the constraint. `total` is the sum of all weights.
    fn encode_diagram(&self, total: i128, row: &Row, clauses: &mut Clauses<'_>) -> io::Result<()> {
        // Variables of the nodes of a layer by their remaining bound. The node with the whole bound must hold
        // and has no variable.
        let mut layer: BTreeMap<i128, Literal> = BTreeMap::new();
        let mut rest = total;
        for &(weight, literal) in &self.items {
            rest -= weight;
            let mut next = BTreeMap::new();
            let asserted = iter::once((self.bound, None));
            for (budget, node) in asserted.chain(layer.into_iter().map(|(budget, node)| (budget, Some(node))))
            {
                for (left, chosen) in [(budget, None), (budget - weight, Some(literal))] {
                    if left >= rest || left == self.bound {
                        continue;
                    }
                    let mut clause: Vec<Literal> =
                        node.into_iter().chain(chosen).map(|literal| -literal).collect();
                    if left >= 0 {
                        clause.push(match next.get(&left) {
                            Some(&known) => known,
                            None => *next.entry(left).or_insert(clauses.new_variable()?),
                        });
                    }
                    clauses.push(&clause)?;
                }
            }
            if next.len() > MAX_WIDTH {
                return Err(unsupported_error(format!(
                    "the coefficients of row {} are too diverse for CNF: they have more than {MAX_WIDTH} different sums",
                    row.tag
                )));
            }
            layer = next;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use batsat::{BasicSolver, Lit, SolverInterface as _, Var, lbool};

    use super::super::Format;
    use super::super::tests::{ExplicitProgram, column, points, random_boolean, row, write_to_string};
    use super::*;
    use crate::board::Board;
    use crate::facts::{ArchivedBounds, Bounds};
    use crate::formulation::Formulation;
    use crate::model::Model;
    use crate::variant::{Goal, Variant};

    fn program(columns: u32, terms: &[(u32, i64)], comparison: Comparison, rhs: i64) -> ExplicitProgram {
        ExplicitProgram {
            sense: Sense::Feasibility,
            columns: (0..columns).map(|k| column(&format!("x_{k}"), 0, 0, 1)).collect(),
            rows: vec![row(0, terms, comparison, rhs)],
            conditions: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn ones(columns: u32, comparison: Comparison, rhs: i64) -> ExplicitProgram {
        program(columns, &(0..columns).map(|k| (k, 1)).collect::<Vec<_>>(), comparison, rhs)
    }

    /// Returns the lines after the comments, including the header.
    fn body(program: &ExplicitProgram) -> String {
        let text = write_to_string(program, Format::Cnf);
        text.lines().skip_while(|line| line.starts_with('c')).map(|line| format!("{line}\n")).collect()
    }

    fn counts(program: &ExplicitProgram) -> (u32, u64) {
        encode(program, &mut io::sink()).expect("a sink takes every byte")
    }

    #[test]
    fn writes_a_complete_file() {
        let mut program = ones(3, Comparison::AtMost, 1);
        program.remarks.push("a remark".to_owned());
        program.columns[1].lower = 1;
        program.columns[2].upper = 0;
        program.rows.push(row(1, &[(0, 1), (2, 1)], Comparison::AtLeast, 1));
        program.rows.push(row(2, &[], Comparison::Equal, 0));
        let expected = "\
c handmade
c a remark
c 1 x_0
c 2 x_1
c 3 x_2
p cnf 3 6
2 0
-3 0
-1 -2 0
-1 -3 0
-2 -3 0
1 3 0
";
        assert_eq!(write_to_string(&program, Format::Cnf), expected);
    }

    #[test]
    fn at_most_one_gives_the_counter_of_sinz() {
        let expected = "\
p cnf 11 14
-1 7 0
-2 8 0
-7 8 0
-7 -2 0
-3 9 0
-8 9 0
-8 -3 0
-4 10 0
-9 10 0
-9 -4 0
-5 11 0
-10 11 0
-10 -5 0
-11 -6 0
";
        assert_eq!(body(&ones(6, Comparison::AtMost, 1)), expected);
    }

    #[test]
    fn counters_have_the_documented_size() {
        for (n, k) in [(6, 2), (9, 4), (20, 7)] {
            let auxiliary = k * (n - k);
            assert_eq!(counts(&ones(n, Comparison::AtMost, i64::from(k))).0, n + auxiliary);
            assert_eq!(counts(&ones(n, Comparison::AtLeast, i64::from(n - k))).0, n + auxiliary);
            assert_eq!(counts(&ones(n, Comparison::Equal, i64::from(k))).0, n + 2 * auxiliary);
        }
    }

    #[test]
    fn lexicographic_rows_have_small_diagrams() {
        let terms = (0..40).map(|k| (k, (1 << (k / 2)) * if k % 2 == 0 { 1 } else { -1 }));
        let (variables, clauses) = counts(&program(40, &terms.collect::<Vec<_>>(), Comparison::AtLeast, 0));
        assert!(variables <= 40 + 2 * 40 && clauses <= 4 * 40, "{variables} {clauses}");
    }

    #[test]
    fn rejects_large_diagrams_and_objectives() {
        let terms: Vec<(u32, i64)> = (0..50).map(|k| (k, (1 << 50) + (1 << k))).collect();
        let wide = program(50, &terms, Comparison::AtMost, 25 << 50);
        let error = Format::Cnf.write(&wide, &mut io::sink()).expect_err("too wide");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        for sense in [Sense::Maximise, Sense::Minimise] {
            let error = Format::Cnf
                .write(&ExplicitProgram { sense, ..ones(3, Comparison::AtMost, 1) }, &mut io::sink());
            let error = error.expect_err("an objective");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(error.get_ref().is_some_and(|inner| inner.is::<NoQuestion>()), "{error}");
        }
    }

    /// Returns a solver with the clauses of a file, whose header is checked.
    fn solver(text: &str) -> BasicSolver {
        let mut lines = text.lines().skip_while(|line| line.starts_with('c'));
        let header: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
        assert_eq!(header[..2], ["p", "cnf"]);
        let clauses: Vec<Vec<i32>> = lines
            .map(|line| line.split_whitespace().map(|word| word.parse().expect("a literal")).collect())
            .collect();
        let variables = clauses.iter().flatten().map(|literal| literal.unsigned_abs()).max().unwrap_or(0);
        assert!(variables <= header[2].parse().expect("a number"), "{text}");
        assert_eq!(header[3], clauses.len().to_string(), "{text}");
        let mut solver = BasicSolver::default();
        for clause in clauses {
            let (zero, literals) = clause.split_last().expect("a zero");
            assert_eq!(*zero, 0);
            let mut literals: Vec<Lit> = literals.iter().map(|&literal| lit(&mut solver, literal)).collect();
            solver.add_clause_reuse(&mut literals);
        }
        solver
    }

    fn lit(solver: &mut BasicSolver, literal: i32) -> Lit {
        let variable: Var = solver.var_of_int(literal.unsigned_abs());
        Lit::new(variable, literal > 0)
    }

    #[test]
    fn solves_4_cubed_with_seven_and_eight_queens() {
        let board = Board::new(&"4^3".parse().expect("a board name"));
        let (formulation, bounds) = (
            Formulation::builtin("base").expect("shipped"),
            Bounds::with_publications(&ArchivedBounds::builtin()),
        );
        for (goal, possible) in [
            (Goal::AtLeast(7), true),
            (Goal::Exactly(7), true),
            (Goal::Exactly(6), true),
            (Goal::AtLeast(8), false),
        ] {
            let model = Model::new(&board, &formulation, Variant::of(goal), &bounds, u64::MAX);
            let text = write_to_string(&model.expect("a model"), Format::Cnf);
            assert_eq!(solver(&text).solve_limited(&[]) == lbool::TRUE, possible, "{goal}");
        }
    }

    #[test]
    fn models_restricted_to_columns_are_feasible_points() {
        for seed in 0..2000 {
            let program = random_boolean(seed);
            let text = write_to_string(&program, Format::Cnf);
            let mut solver = solver(&text);
            for point in points(program.columns.len()) {
                let assumed = (1..)
                    .zip(&point)
                    .map(|(number, &x)| lit(&mut solver, if x == 1 { number } else { -number }));
                let assumed: Vec<Lit> = assumed.collect();
                let found = solver.solve_limited(&assumed) == lbool::TRUE;
                assert_eq!(found, program.violation(&point).is_none(), "{point:?} {text}");
            }
        }
    }
}
