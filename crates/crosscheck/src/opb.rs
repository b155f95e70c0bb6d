//! Formula in the OPB format for the maximum number of queens on a board, or for a placement of at least `k`
//! queens, and the verdict of VeriPB on a proof about it.
//!
//! VeriPB receives this formula itself; a formula in a file is only compared with it, so no result depends on
//! the way in which VeriPB or another program would read that file. The variables `x1` to `xN` are the
//! squares of the board in lexicographic order. Each constraint is a line of the board
//! ([`Definition::lines`](crate::boards::Definition::lines)), on which there is at most one queen. The
//! squares of each line are tested to attack each other pairwise, and each pair that attacks is tested to be
//! on a line. The solutions are therefore exactly the independent sets, whatever the lines are.

use std::fmt::Write as _;
use std::io::BufRead;

use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::BoardName;

use crate::boards::definition;
use crate::graph::{Graph, InconsistentDefinition, TooManySquares};
use crate::reader;
use crate::rows::rows;

/// Question of a formula about the independent sets of its board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::opb::{OpbFormula, Question};
///
/// let formula = OpbFormula::new(&"2x3".parse()?, Question::Maximum)?;
/// assert!(formula.text().contains("min:"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Independent set with the most squares: the objective is the number of squares, negated.
    Maximum,
    /// Independent set with at least this number of squares.
    AtLeast(u64),
}

/// Reason why a formula was not created, or is not that of a board.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::opb::{OpbFormula, Question};
///
/// let formula = OpbFormula::new(&"2x3".parse()?, Question::AtLeast(2))?;
/// let other = OpbFormula::new(&"2x3".parse()?, Question::AtLeast(3))?;
/// assert!(formula.compare(other.text()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum FormulaFault {
    /// A line differs from the formula.
    #[error("line {line} of the formula: {fault}")]
    Line {
        /// Line, counted from 1.
        line: usize,
        /// Description of the fault.
        fault: String,
    },
    /// The formula has neither an objective nor a number of queens.
    #[error("there is neither an objective nor a number of queens")]
    NoQuestion,
    /// The board has too many squares.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
    /// The lines of the board are inconsistent with its attacks, which is a fault of this program.
    #[error("the lines of {board} are wrong, which is a fault of ndq: {fault}")]
    Lines {
        /// The board.
        board: BoardName,
        /// Inconsistency.
        #[source]
        fault: InconsistentDefinition,
    },
}

impl Classified for FormulaFault {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Line { .. } | Self::NoQuestion => ErrorClass::Refuted,
            Self::TooManySquares(fault) => fault.class(),
            Self::Lines { fault, .. } => fault.class(),
        }
    }
}

/// Formula of a board and a question.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::opb::{OpbFormula, Question, parse_board, parse_question};
///
/// let formula = OpbFormula::new(&"2x3".parse()?, Question::AtLeast(2))?;
/// assert_eq!(parse_board(formula.text()), Some("2x3"));
/// assert_eq!(parse_question(formula.text())?, Question::AtLeast(2));
/// assert!(formula.compare(formula.text()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpbFormula {
    board: BoardName,
    question: Question,
    text: String,
}

impl OpbFormula {
    /// Creates the formula of a board.
    ///
    /// # Errors
    /// Returns an error if the board has too many squares, or if its lines are inconsistent with its attacks.
    pub fn new(board: &BoardName, question: Question) -> Result<Self, FormulaFault> {
        let definition = definition(board);
        let graph = Graph::new(&*definition)?;
        let rows = rows(&*definition, &graph, &|_| true)
            .map_err(|fault| FormulaFault::Lines { board: board.clone(), fault })?
            .unwrap_or_default();
        Ok(Self {
            board: board.clone(),
            question,
            text: render(board, graph.squares().len(), &rows, question),
        })
    }

    /// Returns the text. Lines that start with `*` are comments.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Compares a text with the formula, byte by byte except comments.
    ///
    /// # Errors
    /// Returns an error at the first line that differs.
    pub fn compare(&self, other: &str) -> Result<(), FormulaFault> {
        let lines = other.split_inclusive('\n').zip(1..).collect::<Vec<_>>();
        let faulty = |line: usize, fault: String| FormulaFault::Line { line, fault };
        if let Some(&(_, line)) = lines.iter().find(|(text, _)| text.contains('\r')) {
            return Err(faulty(line, "it holds a carriage return".to_owned()));
        }
        let mut own = self.text.split_inclusive('\n').filter(|line| !line.starts_with('*'));
        for &(text, line) in lines.iter().filter(|(text, _)| !text.starts_with('*')) {
            match own.next() {
                Some(expected) if expected == text => {}
                Some(expected) => {
                    return Err(faulty(line, format!("expected \"{}\"", shorten(expected))));
                }
                None => return Err(faulty(line, "the formula should end before it".to_owned())),
            }
        }
        match own.next() {
            None => Ok(()),
            Some(missing) => Err(faulty(lines.len() + 1, format!("expected \"{}\"", shorten(missing)))),
        }
    }
}

/// Returns the beginning of a line without its end.
fn shorten(line: &str) -> String {
    const MOST: usize = 60;
    let line = line.trim_end();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", reader::escape_controls(&line[..end])),
        None => reader::escape_controls(line),
    }
}

fn render(board: &BoardName, squares: usize, rows: &[Vec<usize>], question: Question) -> String {
    const STRING: &str = "a string takes everything";
    let constraints = rows.len() + usize::from(question != Question::Maximum);
    let mut text = format!(
        "* #variable= {squares} #constraint= {constraints}\n{BOARD}{}\n\
         * x1 to x{squares}: its squares in lexicographic order\n",
        reader::escape_controls(&board.to_string())
    );
    let sum = |text: &mut String, coefficient: &str, squares: &mut dyn Iterator<Item = usize>| {
        squares.for_each(|v| write!(text, "{coefficient} x{} ", v + 1).expect(STRING));
    };
    if question == Question::Maximum {
        text.push_str("min: ");
        sum(&mut text, "-1", &mut (0..squares));
        text.push_str(";\n");
    }
    for row in rows {
        sum(&mut text, "-1", &mut row.iter().copied());
        text.push_str(">= -1 ;\n");
    }
    if let Question::AtLeast(queens) = question {
        sum(&mut text, "+1", &mut (0..squares));
        writeln!(text, ">= {queens} ;").expect(STRING);
    }
    text
}

const BOARD: &str = "* board ";

/// Returns the board in a comment of a formula. It may be wrong; [`OpbFormula::compare`] checks it.
#[must_use]
pub fn parse_board(formula: &str) -> Option<&str> {
    formula.lines().find_map(|line| line.strip_prefix(BOARD)?.split(", formulation ").next())
}

/// Returns the question of a formula, by its objective or else by the number in its last line. It may be
/// wrong; [`OpbFormula::compare`] checks it.
///
/// # Errors
/// Returns an error if the formula has neither.
pub fn parse_question(formula: &str) -> Result<Question, FormulaFault> {
    let mut lines = formula.split('\n').filter(|line| !line.is_empty() && !line.starts_with('*'));
    if lines.clone().any(|line| line.starts_with("min:")) {
        return Ok(Question::Maximum);
    }
    let number = lines.next_back().and_then(|line| line.strip_suffix(" ;")?.rsplit_once(">= "));
    let number =
        number.and_then(|(_, number)| reader::parse_number(number)).filter(|&number: &u64| number > 0);
    number.map(Question::AtLeast).ok_or(FormulaFault::NoQuestion)
}

/// Conclusion that VeriPB verified.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::opb::{Verdict, parse_verdict};
///
/// assert_eq!(parse_verdict("s VERIFIED UNSATISFIABLE\n")?, Verdict::Unsatisfiable);
/// # Ok::<(), ndqueens_crosscheck::opb::ProofFault>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The formula has no solution.
    Unsatisfiable,
    /// The minimum of the objective has this value.
    Optimal(i64),
}

/// Reason why the output of VeriPB, or a proof for it, is not accepted.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::opb::parse_verdict;
///
/// assert!(parse_verdict("s VERIFIED NO CONCLUSION\n").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// The output does not contain a verified conclusion.
    #[error("VeriPB did not verify a conclusion; its output ends with: {0}")]
    NotVerified(String),
    /// The verified bounds do not meet.
    #[error("VeriPB verified bounds that do not answer the question: {0}")]
    Open(String),
    /// The proof depends on assumptions.
    #[error("the proof depends on unchecked assumptions")]
    Assumptions,
    /// The last line is missing.
    #[error("the proof is incomplete: its last line is not \"{END}\"")]
    BreaksOff,
    /// A line contains a control character, which VeriPB may or may not read as the end of a line.
    #[error("line {0} of the proof holds a control character; only tabs are allowed")]
    ControlCharacter(u64),
    /// The proof is of a version that is not supported.
    #[error("the proof does not begin with \"{VERSION}\"")]
    Version,
    /// The proof is not text, or cannot be read.
    #[error("the proof cannot be read: {0}")]
    Unreadable(String),
}

impl Classified for ProofFault {
    fn class(&self) -> ErrorClass {
        ErrorClass::Refuted
    }
}

const VERSION: &str = "pseudo-Boolean proof version 3.0";
const END: &str = "end pseudo-Boolean proof;";

/// Returns the verdict in the output of VeriPB. Its exit status is no substitute: it is 0 also for a proof
/// without a conclusion, and for a proof that depends on assumptions.
///
/// # Errors
/// Returns an error unless the output contains exactly one verdict, which answers the question, and no
/// warning about assumptions.
pub fn parse_verdict(output: &str) -> Result<Verdict, ProofFault> {
    if output.to_lowercase().contains("assumption") {
        return Err(ProofFault::Assumptions);
    }
    let refused = || {
        let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        ProofFault::NotVerified(reader::escape_controls(&lines[lines.len().saturating_sub(3)..].join(" | ")))
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
        _ => Err(ProofFault::Open(reader::escape_controls(verdict))),
    }
}

/// Checks that a proof has no step that VeriPB accepts unchecked, the identifier `a` outside comments, and
/// that the proof is complete, because VeriPB also accepts incomplete ones.
///
/// VeriPB also ends lines, and with them comments, at a carriage return, accepts any bytes in comments, and
/// starts an identifier in the middle of what looks like one word, as in `;a`, `1a` or `-a`. Control
/// characters other than line feed and tab are therefore rejected, and identifiers are split as VeriPB splits
/// them. Comments that start with `*`, which VeriPB accepts in some places, are searched like steps.
///
/// # Errors
/// Returns an error if there is such a step, the last line is not the end of a proof, or the proof has
/// another version.
pub fn refuse_assumptions(mut proof: impl BufRead) -> Result<(), ProofFault> {
    let (mut text, mut number, mut ended) = (String::new(), 0, false);
    while proof.read_line(&mut text).map_err(|error| ProofFault::Unreadable(error.to_string()))? > 0 {
        number += 1;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        if line.chars().any(|c| c.is_control() && c != '\t') {
            return Err(ProofFault::ControlCharacter(number));
        }
        if number == 1 && line != VERSION {
            return Err(ProofFault::Version);
        }
        if !line.trim().is_empty() {
            ended = line == END;
        }
        if identifiers(line).any(|identifier| identifier == "a") {
            return Err(ProofFault::Assumptions);
        }
        text.clear();
    }
    match (number, ended) {
        (0, _) => Err(ProofFault::Version),
        (_, true) => Ok(()),
        (_, false) => Err(ProofFault::BreaksOff),
    }
}

/// Returns the identifiers, labels and variables of a line, split as by VeriPB.
fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let steps = line.split('%').next().unwrap_or_default();
    let is_first = |c: char| c.is_ascii_alphabetic() || "_@$".contains(c);
    let is_rest = |c: char| c.is_ascii_alphanumeric() || "_[]{}^-".contains(c);
    let mut rest = steps;
    std::iter::from_fn(move || {
        rest = &rest[rest.find(is_first)?..];
        // The first character is one byte long.
        let end = rest[1..].find(|c| !is_rest(c)).map_or(rest.len(), |end| end + 1);
        let identifier = &rest[..end];
        rest = &rest[end..];
        Some(identifier)
    })
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    fn formula(name: &str, question: Question) -> OpbFormula {
        OpbFormula::new(&name.parse().expect(name), question).expect(name)
    }

    #[test]
    fn formula_faults_have_a_class_and_a_source() {
        let differs = formula("2x3", Question::AtLeast(2)).compare("").expect_err("an empty text");
        assert_eq!(differs.class(), ErrorClass::Refuted);
        let large = OpbFormula::new(&"65^2".parse().expect("a board"), Question::Maximum);
        assert_eq!(large.expect_err("4225 squares").class(), ErrorClass::Limit);
        let fault = InconsistentDefinition::NoLine(0, 1);
        let lines = FormulaFault::Lines { board: "2x3".parse().expect("a board"), fault };
        assert_eq!(lines.class(), ErrorClass::Failure);
        let source = lines.source().expect("a source").to_string();
        assert!(lines.to_string().ends_with(&source), "{lines}");
    }

    const ROWS: &str = "-1 x1 -1 x2 -1 x3 >= -1 ;\n-1 x4 -1 x5 -1 x6 >= -1 ;\n-1 x2 -1 x4 >= -1 ;\n-1 x3 -1 x5 >= -1 ;\n\
        -1 x1 -1 x4 >= -1 ;\n-1 x2 -1 x5 >= -1 ;\n-1 x3 -1 x6 >= -1 ;\n-1 x1 -1 x5 >= -1 ;\n-1 x2 -1 x6 >= -1 ;\n";
    const OBJECTIVE: &str = "min: -1 x1 -1 x2 -1 x3 -1 x4 -1 x5 -1 x6 ;\n";

    #[test]
    fn writes_a_complete_formula() {
        let head = |rows| {
            format!(
                "* #variable= 6 #constraint= {rows}\n* board 2x3\n* x1 to x6: its squares in lexicographic order\n"
            )
        };
        let maximum = formula("2x3", Question::Maximum);
        assert_eq!(maximum.text(), format!("{}{OBJECTIVE}{ROWS}", head(9)));
        let number = "+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 >= 3 ;\n";
        let at_least = formula("2x3", Question::AtLeast(3));
        assert_eq!(at_least.text(), format!("{}{ROWS}{number}", head(10)));
        for formula in [maximum, at_least] {
            let read = (parse_board(formula.text()), parse_question(formula.text()).ok());
            assert_eq!(read, (Some("2x3"), Some(formula.question)));
        }
    }

    #[test]
    fn formulas_agree_with_the_attacks_of_their_boards() {
        for name in [
            "1^1",
            "7^1",
            "5^2",
            "3x4x2",
            "2^4",
            "1x3x1",
            "torus:2^3",
            "torus:5^2",
            "rook:3^3",
            "bishop:3x4x2",
            "rook:torus:3^3",
            "bishop:torus:4^2",
            "knight:3x4",
            "king:3^2",
            "king:torus:4^2",
            "superqueen:4^2",
            "superqueen:torus:3^2",
            "moebius:3x4",
            "klein:4x3",
            "hex:1",
            "hex:4",
            "three:2",
            "three:6",
            "sudoku:1",
            "sudoku:2",
        ] {
            assert_eq!(
                formula(name, Question::Maximum).compare(formula(name, Question::Maximum).text()).ok(),
                Some(())
            );
        }
    }

    #[test]
    fn rejects_other_formulas() {
        let own = formula("2x3", Question::Maximum);
        let whole = format!("* one remark\n{OBJECTIVE}* and another\n{ROWS}");
        assert!(own.compare(&whole).is_ok() && own.compare(&format!("{whole}*")).is_ok());
        for (old, new, line) in [
            ("-1 x3 -1 x5", "-1 x03 -1 x05", 7),
            ("-1 x3 -1 x5 >= -1 ;\n", "", 7),
            ("-1 x3 -1 x5", "-1  x3 -1 x5", 7),
            ("-1 x3 -1 x5", " -1 x3 -1 x5", 7),
            ("-1 x3 -1 x5", "-1 x5 -1 x3", 7),
            ("-1 x3 -1 x5 >= -1", "-1 x3 -1 x5 >= 0", 7),
            ("-1 x3 -1 x5 >= -1", "-2 x3 -2 x5 >= -2", 7),
            ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ;\r\n", 7),
            ("* one remark", "* one remark\r-1 x1 >= 0 ;", 1),
            ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ;\n\n", 8),
            ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ;", 7),
            ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ; * remark\n", 7),
            ("-1 x2 -1 x6 >= -1 ;\n", "-1 x2 -1 x6 >= -1 ;", 12),
            ("-1 x2 -1 x6 >= -1 ;\n", "", 12),
            ("-1 x2 -1 x6 >= -1 ;\n", "-1 x2 -1 x6 >= -1 ;\n-1 x1 >= 0 ;\n", 13),
            ("min: -1 x1", "min: -2 x1", 2),
            ("min: -1 x1", "max: -1 x1", 2),
            (OBJECTIVE, "", 3),
            (OBJECTIVE, &format!("{OBJECTIVE}{OBJECTIVE}"), 3),
            ("* one", "\u{feff}* one", 1),
        ] {
            assert!(whole.contains(old), "{old}");
            let fault = own.compare(&whole.replacen(old, new, 1)).expect_err(new);
            assert!(
                matches!(&fault, FormulaFault::Line { line: found, .. } if *found == line),
                "{old} -> {new}: {fault}"
            );
        }
        for other in ["3x2", "rook:2x3", "2^2", "6^1"] {
            assert!(formula(other, Question::Maximum).compare(&whole).is_err(), "{other}");
        }
        assert!(formula("2x3", Question::AtLeast(3)).compare(&whole).is_err());
    }

    #[test]
    fn only_plain_numbers_are_questions() {
        let asks =
            |number: &str| parse_question(&format!("-1 x1 -1 x2 >= -1 ;\n+1 x1 +1 x2 >= {number} ;\n"));
        assert_eq!(asks("3").ok(), Some(Question::AtLeast(3)));
        for other in ["0", "-1", "+3", "03", "3 ", "", "99999999999999999999"] {
            assert!(matches!(asks(other), Err(FormulaFault::NoQuestion)), "{other}");
        }
        assert!(parse_question("").is_err() && parse_question("* board 2^2\n").is_err());
    }

    #[test]
    fn accepts_exact_verdicts_only() {
        let quoted = "no\\u{1b}[2J".to_owned();
        assert_eq!(parse_verdict("no\u{1b}[2J\n"), Err(ProofFault::NotVerified(quoted)));
        let says = |line: &str| parse_verdict(&format!("Running VeriPB version 3.0.2\n{line}\n"));
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
        assert!(parse_verdict("s VERIFIED BOUNDS -1 <= obj <= -1").is_err(), "it may be cut off");
        let warned = "s VERIFIED UNSATISFIABLE\nWarning: The proof used unchecked assumptions.";
        assert_eq!(says(warned), Err(ProofFault::Assumptions));
    }

    #[test]
    fn rejects_assumptions_everywhere() {
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
            "a% so it is\n 1 x1 >= 1;",
            "rup >= 1;\ta 1 x1 >= 1;",
            "1a 1 x1 >= 1;",
            "-a 1 x1 >= 1;",
            "~a 1 x1 >= 1;",
            "é a 1 x1 >= 1;",
        ] {
            assert_eq!(judged(step), Err(ProofFault::Assumptions), "{step}");
        }
        assert_eq!(
            refuse_assumptions(&b"pseudo-Boolean proof version 2.0\nf 3\n"[..]),
            Err(ProofFault::Version)
        );
        assert_eq!(refuse_assumptions(&b""[..]), Err(ProofFault::Version));
    }

    #[test]
    fn rejects_characters_that_end_lines_in_veripb() {
        let judged = |bytes: &[u8]| refuse_assumptions(bytes);
        let proof = |comment: &str| format!("{VERSION}\n% {comment}\nf 3;\n{END}\n");
        assert_eq!(judged(proof("a remark, é").as_bytes()), Ok(()));
        for control in ["\r", "\r\n", "\u{b}", "\u{c}", "\0", "\u{85}", "\u{1b}"] {
            let text = proof(&format!("so{control}a 1 x1 >= 1;"));
            assert_eq!(judged(text.as_bytes()), Err(ProofFault::ControlCharacter(2)), "{control:?}");
        }
        let text = [proof("so").as_bytes(), b"% \xff\r a 1 x1 >= 1;\n"].concat();
        assert!(matches!(judged(&text), Err(ProofFault::Unreadable(_))));
        for other in [format!("{VERSION} \nf 3;\n{END}\n"), format!("\u{feff}{}", proof(""))] {
            assert_eq!(judged(other.as_bytes()), Err(ProofFault::Version));
        }
        assert_eq!(judged(format!("{VERSION}\nf 3;\n {END}\n").as_bytes()), Err(ProofFault::BreaksOff));
    }

    #[test]
    fn splits_identifiers_like_veripb() {
        let found = |line: &'static str| identifiers(line).collect::<Vec<_>>();
        assert_eq!(found("rup 1 ~x1 1 x_2 >= 1 : 3;a"), ["rup", "x1", "x_2", "a"]);
        assert_eq!(found("@a 1b$c x[1]{2}^-3 % a"), ["@a", "b", "$c", "x[1]{2}^-3"]);
        assert_eq!(found("pol 1 2 + 3 +; % é a"), ["pol"]);
        assert_eq!(found(""), [""; 0]);
    }
}
