//! What a formula in the OPB format says of a board, and what VeriPB says of a proof about it.
//!
//! VeriPB checks that a proof follows from a formula; that the formula is about the board is checked here: each row must
//! hold at most one of squares that attack each other pairwise, and each such pair must be in a row, so that the
//! solutions are the independent sets and nothing else. Whatever wrote the formula is not asked.

use std::io::BufRead;

use fixedbitset::FixedBitSet;
use ndqueens_model::name::BoardName;

use crate::definition::definition;
use crate::graph::{Graph, TooManySquares};

/// What a formula asks about the independent sets of its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// For one with the most squares: the objective is the number of squares, negated.
    Maximum,
    /// For one with at least so many squares.
    AtLeast(u64),
}

/// Why a formula does not ask about a board.
#[derive(Debug, thiserror::Error)]
pub enum FormulaFault {
    /// A line says something else.
    #[error("line {line} of the formula: {fault}")]
    Line {
        /// Line, counted from 1.
        line: usize,
        /// What is wrong there.
        fault: String,
    },
    /// Something is missing.
    #[error("{0}")]
    Missing(String),
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
}

/// Reads a formula whose variable `x1` is the first square of the board in lexicographic order, `x2` the next and so on.
///
/// # Errors
/// When it has other rows than the board's, lacks some, or asks something else.
pub fn question(formula: &str, board: &BoardName) -> Result<Question, FormulaFault> {
    let graph = Graph::new(&*definition(board))?;
    let size = graph.squares().len();
    let mut together = vec![FixedBitSet::with_capacity(size); size];
    let mut question = None;
    for (text, line) in formula.lines().zip(1..) {
        let faulty = |fault: String| FormulaFault::Line { line, fault };
        if text.starts_with('*') {
            continue;
        }
        let row = Row::parse(text, size).map_err(faulty)?;
        let all = |coefficient| row.terms.len() == size && row.terms.iter().all(|term| term.0 == coefficient);
        let asks = match row.rhs {
            None if all(-1) => Some(Question::Maximum),
            Some(k) if k > 0 && all(1) => Some(Question::AtLeast(k.unsigned_abs())),
            Some(-1) if row.terms.iter().all(|term| term.0 == -1) => None,
            _ => return Err(faulty("it is neither at most one, nor the number of all squares".to_owned())),
        };
        if asks.is_some() && question.is_some() {
            return Err(faulty("there are two questions".to_owned()));
        }
        question = question.or(asks);
        if asks.is_none() {
            for (i, &(_, a)) in row.terms.iter().enumerate() {
                for &(_, b) in &row.terms[..i] {
                    if !graph.neighbours(a).contains(b) {
                        return Err(faulty(format!("x{} and x{} do not attack each other", b + 1, a + 1)));
                    }
                    together[a].insert(b);
                    together[b].insert(a);
                }
            }
        }
    }
    for (v, together) in together.iter().enumerate() {
        if let Some(u) = graph.neighbours(v).difference(together).next() {
            let fault = format!("no row keeps x{} and x{} apart, which attack each other", v + 1, u + 1);
            return Err(FormulaFault::Missing(fault));
        }
    }
    question.ok_or_else(|| {
        FormulaFault::Missing("there is neither an objective nor a number of queens".to_owned())
    })
}

/// The terms of an objective, or of a row `terms >= rhs`.
struct Row {
    /// Coefficients and squares, each square once.
    terms: Vec<(i64, usize)>,
    rhs: Option<i64>,
}

impl Row {
    fn parse(text: &str, size: usize) -> Result<Self, String> {
        let integer = |word: &str| word.parse::<i64>().map_err(|_| format!("\"{word}\" is not a number"));
        let body = text.trim_end().strip_suffix(';').ok_or("it does not end in a semicolon")?;
        let (terms, rhs) = match (body.strip_prefix("min:"), body.split_once(">=")) {
            (Some(terms), None) => (terms, None),
            (None, Some((terms, rhs))) => (terms, Some(integer(rhs.trim())?)),
            _ => return Err("it is neither an objective nor a row with >=".to_owned()),
        };
        let words: Vec<&str> = terms.split_whitespace().collect();
        let mut seen = FixedBitSet::with_capacity(size);
        let mut row = Self { terms: Vec::new(), rhs };
        for pair in words.chunks(2) {
            let &[coefficient, variable] = pair else { return Err("a term is cut off".to_owned()) };
            let square = variable.strip_prefix('x').and_then(|number| number.parse::<usize>().ok());
            let square = square.and_then(|number| number.checked_sub(1)).filter(|&square| square < size);
            let square = square.ok_or_else(|| format!("{variable} is no square of the board"))?;
            if seen.put(square) {
                return Err(format!("{variable} stands there twice"));
            }
            row.terms.push((integer(coefficient)?, square));
        }
        Ok(row)
    }
}

/// What VeriPB verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The formula has no solution.
    Unsatisfiable,
    /// The least value of the objective is this.
    Optimal(i64),
}

/// Why VeriPB's output or a proof for it counts for nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// The output does not say that a conclusion was verified.
    #[error("VeriPB does not say that it verified a conclusion; it says: {0}")]
    NotVerified(String),
    /// Bounds that do not meet.
    #[error("VeriPB verified bounds that leave the question open: {0}")]
    Open(String),
    /// The proof rests on assumptions.
    #[error("the proof rests on unchecked assumptions")]
    Assumptions,
    /// The last line is missing.
    #[error("the proof breaks off: its last line is not \"{END}\"")]
    BreaksOff,
    /// Only this version is read.
    #[error("the proof does not begin with \"{VERSION}\"")]
    Version,
    /// The proof is not text, or cannot be read.
    #[error("the proof cannot be read: {0}")]
    Unreadable(String),
}

const VERSION: &str = "pseudo-Boolean proof version 3.0";
const END: &str = "end pseudo-Boolean proof;";

/// Judges the output of VeriPB by its verdict alone: its exit status is 0 also for a proof that concludes nothing and for
/// one that rests on assumptions.
///
/// # Errors
/// When the output is anything else than one verdict that settles the question, without a warning of assumptions.
pub fn verdict(output: &str) -> Result<Verdict, ProofFault> {
    if output.to_lowercase().contains("assumption") {
        return Err(ProofFault::Assumptions);
    }
    let refused = || {
        let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        ProofFault::NotVerified(lines[lines.len().saturating_sub(3)..].join(" | "))
    };
    let mut verdicts = output.split_inclusive('\n').filter(|line| line.starts_with("s "));
    let (Some(verdict), None) = (verdicts.next(), verdicts.next()) else { return Err(refused()) };
    let verdict = verdict.strip_suffix('\n').ok_or_else(refused)?;
    if verdict == "s VERIFIED UNSATISFIABLE" {
        return Ok(Verdict::Unsatisfiable);
    }
    let bounds =
        verdict.strip_prefix("s VERIFIED BOUNDS ").and_then(|bounds| bounds.split_once(" <= obj <= "));
    let (lower, upper) = bounds.ok_or_else(refused)?;
    match lower.parse() {
        Ok(value) if lower == upper => Ok(Verdict::Optimal(value)),
        _ => Err(ProofFault::Open(verdict.to_owned())),
    }
}

/// Refuses a proof with a step that VeriPB takes without a check, the word `a` outside comments, and one that breaks off,
/// which VeriPB takes as well.
///
/// # Errors
/// When there is such a step, the last line is not the end of a proof, or the proof is of another version.
pub fn refuse_assumptions(proof: impl BufRead) -> Result<(), ProofFault> {
    let mut lines = proof.lines();
    let mut next = || lines.next().transpose().map_err(|error| ProofFault::Unreadable(error.to_string()));
    if next()?.is_none_or(|line| line.trim_end() != VERSION) {
        return Err(ProofFault::Version);
    }
    let mut ended = false;
    while let Some(line) = next()? {
        if !line.trim().is_empty() {
            ended = line.trim() == END;
        }
        let steps = line.split('%').next().unwrap_or_default();
        if steps.split(|c: char| c.is_whitespace() || c == ';' || c == ':').any(|word| word == "a") {
            return Err(ProofFault::Assumptions);
        }
    }
    if ended { Ok(()) } else { Err(ProofFault::BreaksOff) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(formula: &str) -> Result<Question, String> {
        question(formula, &"2x3".parse().expect("a board")).map_err(|fault| fault.to_string())
    }

    const ROWS: &str = "-1 x1 -1 x2 -1 x3 >= -1 ;\n-1 x4 -1 x5 -1 x6 >= -1 ;\n-1 x1 -1 x4 >= -1 ;\n-1 x2 -1 x5 >= -1 ;\n\
        -1 x3 -1 x6 >= -1 ;\n-1 x1 -1 x5 >= -1 ;\n-1 x2 -1 x6 >= -1 ;\n-1 x2 -1 x4 >= -1 ;\n-1 x3 -1 x5 >= -1 ;\n";
    const OBJECTIVE: &str = "* two rows of three\nmin: -1 x1 -1 x2 -1 x3 -1 x4 -1 x5 -1 x6 ;\n";

    #[test]
    fn formulas_of_a_board_are_recognised() {
        assert_eq!(asked(&format!("{OBJECTIVE}{ROWS}")), Ok(Question::Maximum));
        let at_least = format!("{ROWS}+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 >= 3 ;\n");
        assert_eq!(asked(&at_least), Ok(Question::AtLeast(3)));
        // Rows beyond the lines are welcome as long as they follow from them.
        let clique = format!("{OBJECTIVE}{ROWS}-1 x1 -1 x2 -1 x4 -1 x5 >= -1 ;\n");
        assert_eq!(asked(&clique), Ok(Question::Maximum));
    }

    #[test]
    fn other_formulas_are_refused() {
        let whole = format!("{OBJECTIVE}{ROWS}");
        for (old, new, fault) in [
            ("-1 x3 -1 x5 >= -1 ;\n", "", "no row keeps x3 and x5 apart"),
            ("-1 x3 -1 x5", "-1 x3 -1 x4", "x3 and x4 do not attack"),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -1 x5 >= 0", "line 11 of the formula: it is neither"),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -2 x5 >= -1", "it is neither"),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -1 x5 = -1", "neither an objective nor a row"),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -1 x7 >= -1", "x7 is no square"),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -1 x3 >= -1", "twice"),
            ("-1 x3 -1 x5 >= -1 ;", "-1 x3 -1 x5 >= -1", "semicolon"),
            ("min: -1 x1", "min: -2 x1", "it is neither"),
            ("min: -1 x1", "min:", "it is neither"),
            (OBJECTIVE, "", "neither an objective nor a number"),
            ("-1 x1 -1 x4 >=", "+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 >= 1 ;\n-1 x1 -1 x4 >=", "two questions"),
        ] {
            let said = asked(&whole.replacen(old, new, 1)).expect_err(fault);
            assert!(said.contains(fault), "{said}");
        }
        assert!(question(&whole, &"3x2".parse().expect("a board")).is_err());
        assert!(question(&whole, &"rook:2x3".parse().expect("a board")).is_err());
        assert!(question(&whole, &"7^1".parse().expect("a board")).is_err());
    }

    #[test]
    fn verdicts_are_read_word_for_word() {
        let says = |line: &str| verdict(&format!("Running VeriPB version 3.0.2\n{line}\n"));
        assert_eq!(says("s VERIFIED UNSATISFIABLE"), Ok(Verdict::Unsatisfiable));
        assert_eq!(says("s VERIFIED BOUNDS -13 <= obj <= -13"), Ok(Verdict::Optimal(-13)));
        for open in ["s VERIFIED BOUNDS -14 <= obj <= -13", "s VERIFIED BOUNDS INF <= obj <= INF"] {
            assert!(matches!(says(open), Err(ProofFault::Open(_))), "{open}");
        }
        for refused in [
            "",
            "s VERIFIED NO CONCLUSION",
            "s VERIFIED SATISFIABLE",
            "s VERIFIED UNSATISFIABLE?",
            " s VERIFIED UNSATISFIABLE",
            "c s VERIFIED UNSATISFIABLE",
            "s VERIFIED BOUNDS -13 <= obj",
            "Verification failed.",
            "s VERIFIED UNSATISFIABLE\ns VERIFIED UNSATISFIABLE",
        ] {
            assert!(matches!(says(refused), Err(ProofFault::NotVerified(_))), "{refused}");
        }
        assert!(verdict("s VERIFIED BOUNDS -1 <= obj <= -1").is_err(), "it may be cut off");
        let warned = "s VERIFIED UNSATISFIABLE\nWarning: The proof used unchecked assumptions.";
        assert_eq!(says(warned), Err(ProofFault::Assumptions));
    }

    #[test]
    fn assumptions_are_refused_wherever_they_stand() {
        let judged = |steps: &str| refuse_assumptions(format!("{VERSION}\nf 3;\n{steps}\n").as_bytes());
        assert_eq!(judged("% a comment\nrup 1 ~x1 >= 1;\nend pseudo-Boolean proof;"), Ok(()));
        assert_eq!(judged("rup 1 ~x1 >= 1;"), Err(ProofFault::BreaksOff));
        for step in [
            "a 1 x1 >= 1;",
            "rup >= 1; a 1 x1 >= 1;",
            "rup >= 1;a 1 x1 >= 1;",
            "@label a 1 x1 >= 1;",
            "pbc 1 x1 >= 1 : subproof a\n1 x1 >= 1; qed;",
            "\ta % so it is\n 1 x1 >= 1;",
        ] {
            assert_eq!(judged(step), Err(ProofFault::Assumptions), "{step}");
        }
        assert_eq!(
            refuse_assumptions(&b"pseudo-Boolean proof version 2.0\nf 3\n"[..]),
            Err(ProofFault::Version)
        );
        assert_eq!(refuse_assumptions(&b""[..]), Err(ProofFault::Version));
    }
}
