//! DIMACS CNF: clauses over variables that are true or false, for SAT solvers. It asks a yes/no question, so the
//! program must not have an objective. Variables `1..N` are the columns in their order, auxiliary ones come after them.
//!
//! A row is brought into the form `sum w_j l_j <= b` with positive weights `w_j` over literals `l_j`, an equation into
//! two. A row that excludes only that all its literals hold is one clause; a row that allows at most one of up to five is
//! a clause for each pair; others become a decision diagram of one layer a literal, the heaviest first. A node
//! of a layer stands for `the literals from here on weigh at most b'` and has an auxiliary variable, which implies the
//! nodes that it leads to, two clauses each. With weights 1 this is Sinz's sequential counter without the counts that
//! cannot matter: `at most k of n` takes `k (n - k)` auxiliary variables. Unit propagation finds all literals that
//! follow from a row.
//!
//! Auxiliary variables follow from the columns in one direction only. So the models, restricted to the columns, are the
//! feasible points, but a point may extend to several models.
//!
//! # References
//! C. Sinz, *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005. I. Abío, R. Nieuwenhuis,
//! A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for Pseudo-Boolean Constraints*, JAIR 45,
//! 2012: two clauses a node.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::iter;

use super::contents::Contents;
use super::text::{fixed, head, refusal, refuse_unless_boolean};
use crate::ilp::{Comparison, Program, Row, Sense};

/// Returns the number of variables of the CNF file of a program, auxiliary ones included.
///
/// # Errors
/// Returns an error if the program cannot be written as CNF.
pub fn cnf_variables(program: &dyn Program) -> io::Result<u64> {
    refuse_unless_boolean(program, "CNF")?;
    Ok(encode(program, &mut io::sink())?.0.into())
}

/// A variable's number, from 1, negative for its negation.
type Literal = i32;

/// Literals of which at most one may hold are told in pairs up to this number: as long as the counter takes more clauses.
const PAIRWISE: usize = 5;

/// Nodes that a layer may have. A counter with more would have too many variables altogether; coefficients that differ
/// much can double the number from layer to layer.
const WIDEST: usize = 1 << 16;

/// The program has an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("CNF asks a yes/no question")]
pub struct NoQuestion;

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    if program.sense() != Sense::Feasibility {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, NoQuestion));
    }
    refuse_unless_boolean(program, "CNF")?;
    let (variables, clauses) = encode(program, &mut io::sink())?;
    head(program, "c", out)?;
    for (number, column) in (1..).zip(program.columns()) {
        writeln!(out, "c {number} {}", column.name)?;
    }
    writeln!(out, "p cnf {variables} {clauses}")?;
    encode(program, out)?;
    Ok(Contents::Clauses { variables, clauses })
}

/// Writes all clauses; the numbers of variables and clauses.
fn encode(program: &dyn Program, out: &mut dyn Write) -> io::Result<(u32, u64)> {
    let columns = Literal::try_from(program.columns().len()).map_err(|_| too_many_variables())?;
    let mut clauses = Clauses { out, variables: columns, count: 0 };
    for (number, one) in fixed(program) {
        let variable = number as Literal;
        clauses.push(&[if one { variable } else { -variable }])?;
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

fn too_many_variables() -> io::Error {
    refusal(format!(
        "the CNF would have more than {} variables, the most that SAT solvers take",
        Literal::MAX
    ))
}

/// Where clauses go.
struct Clauses<'w> {
    out: &'w mut dyn Write,
    variables: Literal,
    count: u64,
}

impl Clauses<'_> {
    fn push(&mut self, clause: &[Literal]) -> io::Result<()> {
        self.count += 1;
        for literal in clause {
            write!(self.out, "{literal} ")?;
        }
        writeln!(self.out, "0")
    }

    fn new_variable(&mut self) -> io::Result<Literal> {
        self.variables = self.variables.checked_add(1).ok_or_else(too_many_variables)?;
        Ok(self.variables)
    }
}

/// `sum w_j l_j <= bound`: weights with their literals, all positive, the heaviest first.
struct Knapsack {
    items: Vec<(i128, Literal)>,
    bound: i128,
}

impl Knapsack {
    /// A row, multiplied by 1 or -1, read as `<=`. A term `-w x` is `w (not x) - w`.
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

    fn encode(&self, row: &Row, clauses: &mut Clauses<'_>) -> io::Result<()> {
        let Self { items, bound } = self;
        let total: i128 = items.iter().map(|(weight, _)| weight).sum();
        if total <= *bound {
            return Ok(());
        }
        if *bound < 0 {
            // Not the empty clause, which some readers refuse.
            return clauses.push(&[1]).and_then(|()| clauses.push(&[-1]));
        }
        let lightest = items[items.len() - 1].0;
        if total - lightest <= *bound {
            return clauses.push(&items.iter().map(|(_, literal)| -literal).collect::<Vec<_>>());
        }
        let two_lightest = lightest + items[items.len() - 2].0;
        if items.len() <= PAIRWISE && items[0].0 <= *bound && two_lightest > *bound {
            for (k, (_, a)) in items.iter().enumerate() {
                for (_, b) in &items[k + 1..] {
                    clauses.push(&[-a, -b])?;
                }
            }
            return Ok(());
        }
        self.encode_diagram(total, row, clauses)
    }

    fn encode_diagram(&self, total: i128, row: &Row, clauses: &mut Clauses<'_>) -> io::Result<()> {
        // The nodes of a layer: what may still be weighed, and the variable. The node of the whole bound is asserted
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
            if next.len() > WIDEST {
                return Err(refusal(format!(
                    "the coefficients of row {} are too diverse for CNF: they have more than {WIDEST} different sums",
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
    use super::super::tests::{Handmade, column, points, random_boolean, row, written};
    use super::*;
    use crate::board::Board;
    use crate::facts::{ArchivedBounds, Bounds};
    use crate::formulation::Formulation;
    use crate::model::Model;
    use crate::variant::{Goal, Variant};

    fn program(columns: u32, terms: &[(u32, i64)], comparison: Comparison, rhs: i64) -> Handmade {
        Handmade {
            sense: Sense::Feasibility,
            columns: (0..columns).map(|k| column(&format!("x_{k}"), 0, 0, 1)).collect(),
            rows: vec![row(0, terms, comparison, rhs)],
            conditions: Vec::new(),
            remarks: Vec::new(),
        }
    }

    fn ones(columns: u32, comparison: Comparison, rhs: i64) -> Handmade {
        program(columns, &(0..columns).map(|k| (k, 1)).collect::<Vec<_>>(), comparison, rhs)
    }

    /// What stands after the comments, header included.
    fn body(program: &Handmade) -> String {
        let text = written(program, Format::Cnf);
        text.lines().skip_while(|line| line.starts_with('c')).map(|line| format!("{line}\n")).collect()
    }

    fn counts(program: &Handmade) -> (u32, u64) {
        encode(program, &mut io::sink()).expect("a sink takes every byte")
    }

    #[test]
    fn a_file_is_written_whole() {
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
        assert_eq!(written(&program, Format::Cnf), expected);
    }

    #[test]
    fn at_most_one_of_many_is_the_sequential_counter_of_sinz() {
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
    fn counters_are_as_large_as_stated() {
        for (n, k) in [(6, 2), (9, 4), (20, 7)] {
            let auxiliary = k * (n - k);
            assert_eq!(counts(&ones(n, Comparison::AtMost, i64::from(k))).0, n + auxiliary);
            assert_eq!(counts(&ones(n, Comparison::AtLeast, i64::from(n - k))).0, n + auxiliary);
            assert_eq!(counts(&ones(n, Comparison::Equal, i64::from(k))).0, n + 2 * auxiliary);
        }
    }

    #[test]
    fn lexicographic_rows_stay_small() {
        let terms = (0..40).map(|k| (k, (1 << (k / 2)) * if k % 2 == 0 { 1 } else { -1 }));
        let (variables, clauses) = counts(&program(40, &terms.collect::<Vec<_>>(), Comparison::AtLeast, 0));
        assert!(variables <= 40 + 2 * 40 && clauses <= 4 * 40, "{variables} {clauses}");
    }

    #[test]
    fn coefficients_without_a_small_diagram_and_objectives_are_refused() {
        let terms: Vec<(u32, i64)> = (0..50).map(|k| (k, (1 << 50) + (1 << k))).collect();
        let wide = program(50, &terms, Comparison::AtMost, 25 << 50);
        let error = Format::Cnf.write(&wide, &mut io::sink()).expect_err("too wide");
        assert!(
            error.to_string().starts_with("the coefficients of row row_kind_0 are too diverse"),
            "{error}"
        );
        for sense in [Sense::Maximise, Sense::Minimise] {
            let error =
                Format::Cnf.write(&Handmade { sense, ..ones(3, Comparison::AtMost, 1) }, &mut io::sink());
            let error = error.expect_err("an objective");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(error.to_string().contains("yes/no question"), "{error}");
        }
    }

    /// A solver that read the file; its header is checked.
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
    fn seven_queens_fit_on_the_cube_of_side_4_and_eight_do_not() {
        let board = Board::new(&"4^3".parse().expect("a board name"));
        let (formulation, bounds) = (
            Formulation::shipped("base").expect("shipped"),
            Bounds::with_reported(&ArchivedBounds::shipped()),
        );
        for (goal, possible) in [
            (Goal::AtLeast(7), true),
            (Goal::Exactly(7), true),
            (Goal::Exactly(6), true),
            (Goal::AtLeast(8), false),
        ] {
            let model = Model::new(&board, &formulation, Variant::of(goal), &bounds, u64::MAX);
            let text = written(&model.expect("a model"), Format::Cnf);
            assert_eq!(solver(&text).solve_limited(&[]) == lbool::TRUE, possible, "{goal}");
        }
    }

    #[test]
    fn models_restricted_to_the_columns_are_the_feasible_points() {
        for seed in 0..2000 {
            let program = random_boolean(seed);
            let text = written(&program, Format::Cnf);
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
