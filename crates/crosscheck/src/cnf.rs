//! CNF formula that states that `K` squares of a board form an independent set, and the verdict of the
//! checker `rate` on a proof that the formula is unsatisfiable.
//!
//! The SAT solver and the checker receive this formula itself, so it is not compared with another one. Its
//! variables `1..N` are the squares of the board in lexicographic order. For each pair of squares that attack
//! each other, a clause requires that at least one of the two is free. The other clauses count: a variable
//! `c(i, j)` means *at least `j` of the first `i` squares are taken*, with `c(i, 0)` true and `c(i, j)` false
//! for `j > i`, and has the clauses
//!
//! ```text
//! c(i, j)  ->  c(i-1, j) or square i        c(i, j)  ->  c(i-1, j-1)
//! ```
//!
//! and `c(N, K)` is asserted. A placement of `K` squares satisfies the clauses of pairs, and all counting
//! clauses if the variables have their meaning. If no assignment satisfies the formula, there is hence no
//! such placement; no other property of the formula is needed. Only the variables on which `c(N, K)` depends
//! are present: `K (N - K + 1)` of them.
//!
//! # References
//! C. Sinz, *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005.

use std::io::{self, Write};

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::graph::{Graph, TooManySquares, narrow};
use crate::reader;

/// Formula that states that at least `at_least` squares of a board form an independent set.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::cnf::{CnfFormula, parse_question};
///
/// let mut text = Vec::new();
/// CnfFormula::new(&"2^2".parse()?, 2)?.write(&mut text)?;
/// assert_eq!(parse_question(str::from_utf8(&text)?), Some(("2^2", 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CnfFormula {
    board: BoardName,
    at_least: u64,
    graph: Graph,
}

/// Error if `rate` did not verify the proof, with the end of its output.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::cnf::check_verdict;
///
/// let refused = check_verdict("s NOT VERIFIED\n").expect_err("no proof");
/// assert!(refused.to_string().ends_with("s NOT VERIFIED"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rate did not verify the proof; its output ends with: {0}")]
pub struct NotVerified(String);

impl Classified for NotVerified {
    fn class(&self) -> ErrorClass {
        ErrorClass::Refuted
    }
}

impl CnfFormula {
    /// Creates the formula of a board.
    ///
    /// # Errors
    /// Returns an error if the board has too many squares.
    pub fn new(board: &BoardName, at_least: u64) -> Result<Self, TooManySquares> {
        Ok(Self { board: board.clone(), at_least, graph: Graph::new(&*definition(board))? })
    }

    /// Returns the squares in the order of their variables, which are numbered from 1.
    #[must_use]
    pub fn squares(&self) -> &[Vec<u32>] {
        self.graph.squares()
    }

    /// Writes the formula in the DIMACS format. Its first lines contain board and number of squares;
    /// [`parse_question`] reads them.
    ///
    /// # Errors
    /// Returns an error if `out` fails.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let (mut variables, mut clauses) = (0, 0);
        self.for_each_clause(&mut |clause| {
            variables = clause.iter().fold(variables, |most, literal| literal.unsigned_abs().max(most));
            clauses += 1;
            Ok(())
        })?;
        let squares = self.squares().len();
        writeln!(
            out,
            "{BOARD}{}\n{AT_LEAST}{}",
            reader::escape_controls(&self.board.to_string()),
            self.at_least
        )?;
        writeln!(
            out,
            "c variables 1 to {squares}: its squares in lexicographic order; the others count them"
        )?;
        // Variables of squares in no clause are counted as well.
        writeln!(out, "p cnf {} {clauses}", variables.max(narrow(squares)))?;
        self.for_each_clause(&mut |clause| {
            clause.iter().try_for_each(|literal| write!(out, "{literal} "))?;
            writeln!(out, "0")
        })
    }

    /// Passes each clause to `put`.
    fn for_each_clause(&self, put: &mut dyn FnMut(&[i32]) -> io::Result<()>) -> io::Result<()> {
        let squares = self.squares().len();
        for v in 0..squares {
            for u in self.graph.neighbours(v).ones().filter(|&u| u > v) {
                put(&[-narrow::<i32>(v + 1), -narrow::<i32>(u + 1)])?;
            }
        }
        let number = usize::try_from(self.at_least).ok().filter(|&number| number <= squares);
        let Some(number) = number else {
            let contradiction: i32 = narrow(squares + 1);
            return put(&[contradiction]).and_then(|()| put(&[-contradiction]));
        };
        // Least and largest count of the first `i` squares that is needed.
        let least = |i: usize| (number + i).saturating_sub(squares).max(1);
        let most = |i: usize| number.min(i);
        let mut first = squares + 1;
        let mut before = first;
        for i in 1..=squares {
            // Variable of the count `j` of the first `i - 1` squares, if that is needed.
            let earlier = |j: usize| narrow::<i32>(before + j - least(i - 1));
            for j in least(i)..=most(i) {
                let count: i32 = narrow(first + j - least(i));
                if j < i {
                    put(&[-count, earlier(j), narrow(i)])?;
                } else {
                    put(&[-count, narrow(i)])?;
                }
                if j > 1 {
                    put(&[-count, earlier(j - 1)])?;
                }
            }
            before = first;
            first += (most(i) + 1).saturating_sub(least(i));
        }
        if number > 0 { put(&[narrow(before)]) } else { Ok(()) }
    }
}

const BOARD: &str = "c board ";
const AT_LEAST: &str = "c at least ";

/// Returns the board and the number of squares in the first lines of a formula. They may be wrong; the
/// formula must be compared with the output of [`CnfFormula::write`].
#[must_use]
pub fn parse_question(formula: &str) -> Option<(&str, u64)> {
    let mut lines = formula.lines();
    let board = lines.next()?.strip_prefix(BOARD)?;
    let at_least = lines.next()?.strip_prefix(AT_LEAST)?;
    Some((board, reader::parse_number(at_least)?))
}

/// Checks the output of `rate` by its verdict alone.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::cnf::check_verdict;
///
/// assert!(check_verdict("s VERIFIED\n").is_ok());
/// assert!(check_verdict("s NOT VERIFIED\n").is_err());
/// ```
///
/// # Errors
/// Returns an error unless the output contains exactly one verdict, `s VERIFIED`.
pub fn check_verdict(output: &str) -> Result<(), NotVerified> {
    let mut verdicts = output.split_inclusive('\n').filter(|line| line.starts_with("s "));
    if (verdicts.next(), verdicts.next()) == (Some("s VERIFIED\n"), None) {
        return Ok(());
    }
    // Lines with figures are excluded; they are aligned in columns.
    let is_message = |line: &&str| !line.trim().is_empty() && !line.contains("  ");
    let lines: Vec<&str> = output.lines().filter(is_message).collect();
    Err(NotVerified(reader::escape_controls(&lines[lines.len().saturating_sub(3)..].join(" | "))))
}

#[cfg(test)]
mod tests {
    use batsat::{BasicSolver, Lit, SolverInterface as _, lbool};

    use super::*;

    fn text(board: &str, at_least: u64) -> String {
        let mut text = Vec::new();
        let formula = CnfFormula::new(&board.parse().expect(board), at_least).expect("small");
        formula.write(&mut text).expect("written to memory");
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn writes_a_complete_formula() {
        let expected = "\
c board 2^2
c at least 2
c variables 1 to 4: its squares in lexicographic order; the others count them
p cnf 10 16
-1 -2 0
-1 -3 0
-1 -4 0
-2 -3 0
-2 -4 0
-3 -4 0
-5 1 0
-6 5 2 0
-7 2 0
-7 5 0
-8 6 3 0
-9 7 3 0
-9 6 0
-10 9 4 0
-10 8 0
10 0
";
        assert_eq!(text("2^2", 2), expected);
        assert_eq!(parse_question(expected), Some(("2^2", 2)));
    }

    /// Returns `true` if the solver finds a solution in which exactly the squares in `taken` are taken.
    fn is_satisfiable(text: &str, taken: u32, squares: usize) -> bool {
        let mut lines = text.lines().skip_while(|line| line.starts_with('c'));
        let header: Vec<&str> = lines.next().expect("a header").split_whitespace().collect();
        let mut solver = BasicSolver::default();
        let lit = |solver: &mut BasicSolver, literal: i32| {
            assert!(literal.unsigned_abs() <= header[2].parse().expect("a number"));
            Lit::new(solver.var_of_int(literal.unsigned_abs()), literal > 0)
        };
        let mut count = 0;
        for line in lines {
            let literals: Vec<i32> =
                line.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            let (zero, literals) = literals.split_last().expect("a zero");
            assert_eq!(*zero, 0);
            let mut literals: Vec<Lit> = literals.iter().map(|&literal| lit(&mut solver, literal)).collect();
            solver.add_clause_reuse(&mut literals);
            count += 1;
        }
        assert_eq!(header[3], count.to_string());
        let assumed: Vec<Lit> = (0..squares)
            .map(|v| lit(&mut solver, if taken >> v & 1 == 1 { v as i32 + 1 } else { -(v as i32 + 1) }))
            .collect();
        solver.solve_limited(&assumed) == lbool::TRUE
    }

    #[test]
    fn solutions_are_the_placements() {
        for board in ["1^1", "3^2", "2^3", "2x4", "8^1", "rook:3^2", "bishop:2x4", "torus:3^2"] {
            let name: BoardName = board.parse().expect(board);
            let definition = definition(&name);
            let squares: Vec<_> = definition.squares().collect();
            for at_least in 0..=squares.len() as u64 + 2 {
                let text = text(board, at_least);
                for taken in 0..1_u32 << squares.len() {
                    let on: Vec<_> = (0..squares.len()).filter(|&v| taken >> v & 1 == 1).collect();
                    let apart =
                        on.iter().all(|&a| on.iter().all(|&b| !definition.attacks(&squares[a], &squares[b])));
                    let expected = apart && on.len() as u64 >= at_least;
                    assert_eq!(
                        is_satisfiable(&text, taken, squares.len()),
                        expected,
                        "{board} {at_least} {on:?}\n{text}"
                    );
                }
            }
        }
    }

    #[test]
    fn counters_are_as_large_as_stated() {
        for (at_least, counts) in [(1, 64), (8, 8 * 57), (64, 64)] {
            let header = format!("\np cnf {} ", 64 + counts);
            assert!(text("4^3", at_least).contains(&header), "{at_least}");
        }
        assert!(CnfFormula::new(&"65^2".parse().expect("a board"), 2).is_err());
    }

    #[test]
    fn accepts_exact_verdicts_only() {
        assert_eq!(check_verdict("c premise clauses:  12\nc total time (s):  0.01\ns VERIFIED\n"), Ok(()));
        for refused in [
            "",
            "s NOT VERIFIED\n",
            "s VERIFIED",
            "s VERIFIED \n",
            " s VERIFIED\n",
            "c s VERIFIED\n",
            "s VERIFIED\ns NOT VERIFIED\n",
            "s VERIFIED\ns VERIFIED\n",
            "s VERIFIED UNSATISFIABLE\n",
            "failed to parse proof: expected DRAT instruction\n",
        ] {
            assert!(check_verdict(refused).is_err(), "{refused}");
        }
        let said = check_verdict(
            "c proof steps:  3\nc a.drat:3 redundancy check failed for [1] 2 0\ns NOT VERIFIED\n",
        );
        let quoted = "c a.drat:3 redundancy check failed for [1] 2 0 | s NOT VERIFIED".to_owned();
        assert_eq!(said, Err(NotVerified(quoted)));
    }

    #[test]
    fn reads_no_question_from_other_headings() {
        for other in [
            "",
            "p cnf 1 1\n1 0\n",
            "c board 4^3\n",
            "c board 4^3\nc at least many\n",
            "c at least 3\nc board 4^3\n",
        ] {
            assert_eq!(parse_question(other), None, "{other}");
        }
    }
}
