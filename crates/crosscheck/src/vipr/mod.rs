//! Checks VIPR files: certificates for integer programs, here for that of the largest independent set or of
//! the smallest dominating set of a board.
//!
//! The format is that of Cheung, Gleixner and Steffy (*Verifying integer programming results*, IPCO 2017),
//! versions 1.0 and 1.1. The program of a file must be the one that [`formula`] writes from the definition of
//! the board: line by line, or up to the order of variables and constraints if a solver wrote the file. The
//! derivations are checked in exact arithmetic; `docs/vipr.md` lists the rules, limits and differences to
//! other checkers.

mod constraint;
pub mod formula;
mod layout;
mod rational;
mod words;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::{self, BufRead};
use std::rc::Rc;

use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::{BoardName, NameError};

use self::constraint::{Assumptions, Constraint, NotAdded, Sum, Terms, union, without};
use self::formula::{
    AT_LEAST, AT_MOST, BOARD, DIGEST, HEADER, HEADER_OF_SOLVERS, INCLUDE, IntegerProgram, PROBLEM,
    ProgramError, ProgramForm, Relation, SYMMETRY, VERSIONS,
};
use self::layout::Layout;
use self::rational::{Rational, TooLong};
use self::words::{Compared, Words, shorten};
use crate::fault::{FaultKind, LineFault, Reason, Rule};
use crate::reader::{self, Fault};
use crate::stop::Stop;
use crate::verify::{verify, verify_includes};

/// Maximum number of coefficients of all constraints that later lines may use. An assumption counts as a
/// quarter of one.
const MAX_STORED: usize = 1 << 25;

/// Maximum number of characters of a fault in a message.
const MAX_FAULT_CHARACTERS: usize = 400;

/// Word that SCIP writes at the end of the line of a bound that is valid in all nodes.
const GLOBAL: &str = "global";

/// Number of coefficients that are added between two calls of `stop`.
const WORK_AT_A_TIME: usize = 1 << 14;

/// Reason why a file is not accepted.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::vipr;
///
/// assert!(vipr::check("no VIPR file\n".as_bytes(), &|name| name.parse(), &|| false).is_err());
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ViprError {
    /// The file cannot be read.
    #[error("the VIPR file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The check was stopped from outside.
    #[error("the check was stopped before its end")]
    Stopped,
    /// A line is not accepted.
    #[error("{}", .0.message("VIPR file"))]
    Line(LineFault),
    /// There is no program of the board.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl ViprError {
    /// Returns the kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Unreadable(_) => FaultKind::Unreadable,
            Self::Line(fault) => fault.kind,
            Self::Stopped | Self::Program(_) => FaultKind::Limit,
        }
    }
}

impl Classified for ViprError {
    fn class(&self) -> ErrorClass {
        match self {
            Self::Program(ProgramError::Definition { fault, .. }) => fault.class(),
            fault => fault.kind().into(),
        }
    }
}

impl From<Fault> for ViprError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unreadable(error) if error.kind() == io::ErrorKind::TimedOut => Self::Stopped,
            Fault::Unreadable(error) => Self::Unreadable(error),
            Fault::Line(fault) => {
                let begin: String = fault.text.chars().take(MAX_FAULT_CHARACTERS).collect();
                Self::Line(LineFault { text: reader::escape_controls(&begin), ..fault })
            }
        }
    }
}

/// Theorem that a VIPR file proves. Only [`check`] creates one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theorem {
    board: BoardName,
    problem: Problem,
    included: Vec<Vec<u32>>,
    at_most: Option<u64>,
    at_least: Option<u64>,
    derivations: u64,
}

impl Theorem {
    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the properties of the sets that are bounded. The theorem is about the largest independent set,
    /// or about the smallest dominating set.
    #[must_use]
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// Returns the squares that all these sets contain, in increasing order.
    #[must_use]
    pub fn included(&self) -> &[Vec<u32>] {
        &self.included
    }

    /// Returns the upper bound of the optimum. It is proved for independent sets; for dominating sets it is
    /// the size of the smallest solution in the file, if it has one.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        self.at_most
    }

    /// Returns the lower bound of the optimum. It is proved for dominating sets; for independent sets it is
    /// the size of the largest solution in the file, if it has one.
    #[must_use]
    pub fn at_least(&self) -> Option<u64> {
        self.at_least
    }

    /// Returns the number of derived constraints.
    #[must_use]
    pub fn derivations(&self) -> u64 {
        self.derivations
    }
}

/// Checks a VIPR file from its first line to its last. `read_board` parses the name of the board, and opens
/// the file that the name contains, if any.
///
/// ```
/// use ndqueens_crosscheck::vipr::check;
/// use ndqueens_crosscheck::vipr::formula::IntegerProgram;
///
/// let program = IntegerProgram::new(&"1x2".parse()?, None, &[])?;
/// let mut file = Vec::new();
/// program.write(&mut file)?;
/// let line = program.line(0);
/// file.extend(format!("RTP range 1 1\nSOL 1\nbest 1 0 1\nDER 1\nd0 L 1 OBJ {{ lin 1 {line} 1 }} -1\n").bytes());
/// let read_board = |name: &str| name.parse();
/// assert_eq!(check(file.as_slice(), &read_board, &|| false)?.at_most(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error at the first line that is not accepted, if the file ends too early, or if `stop` returns
/// `true`.
pub fn check(
    mut text: impl BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    stop: Stop<'_>,
) -> Result<Theorem, ViprError> {
    check_words(&mut text, read_board, stop)
}

/// Checks a file that another program wrote about the program of `board` and `form`. The file starts with the
/// line VER, and contains the program up to the order of variables and constraints.
///
/// ```
/// use ndqueens_crosscheck::vipr::check_answer;
/// use ndqueens_crosscheck::vipr::formula::ProgramForm;
///
/// let file = "VER 1.0\nVAR 2\nt_x_0_0\nt_x_0_1\nINT 2\n0\n1\nOBJ min\n2 0 -1 1 -1\nCON 5 4\nline_0 L 1 2 0 1 1 1\n\
///     B1 G 0 1 0 1\nB2 L 1 1 0 1\nB3 G 0 1 1 1\nB4 L 1 1 1 1\n\
///     RTP range -1 -1\nSOL 1\nbest 1 0 1\nDER 1\nBound G -1 OBJ { lin 1 0 -1 } -1\n";
/// let theorem = check_answer(file.as_bytes(), &"1x2".parse()?, ProgramForm::default(), &|| false)?;
/// assert_eq!(theorem.at_most(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error at the first word that is not accepted, if the file ends too early, if there is no
/// program of the board, or if `stop` returns `true`.
pub fn check_answer(
    mut text: impl BufRead,
    board: &BoardName,
    form: ProgramForm,
    stop: Stop<'_>,
) -> Result<Theorem, ViprError> {
    check_answer_words(&mut text, board, form, stop)
}

/// Does the work of [`check_answer`]. The function is not generic, so it is compiled with the profile of this
/// crate, which traps on overflow.
fn check_answer_words(
    text: &mut dyn BufRead,
    board: &BoardName,
    form: ProgramForm,
    stop: Stop<'_>,
) -> Result<Theorem, ViprError> {
    let program = IntegerProgram::of_with_stop(stop, board, form).map_err(|fault| match fault {
        ProgramError::Stopped => ViprError::Stopped,
        fault => fault.into(),
    })?;
    let mut words = Words::new(text);
    words.begin_text();
    if !VERSIONS.contains(&words.read_comment()?.as_str()) {
        let fault = format!("the first line must be \"{}\"", VERSIONS.join("\" or \""));
        return Err(fault_at(1, Reason::unreadable(fault)));
    }
    let layout = read_layout(&mut words, &program, stop)?;
    check_proof(words, program, layout, stop)
}

/// Does the work of [`check`]. The function is not generic, so it is compiled with the profile of this crate,
/// which traps on overflow.
fn check_words(
    text: &mut dyn BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    stop: Stop<'_>,
) -> Result<Theorem, ViprError> {
    let mut words = Words::new(text);
    let (program, layout) = read_program(&mut words, read_board, stop)?;
    check_proof(words, program, layout, stop)
}

/// Checks the sections RTP, SOL and DER.
fn check_proof(
    words: Words<'_>,
    program: IntegerProgram,
    layout: Layout,
    stop: Stop<'_>,
) -> Result<Theorem, ViprError> {
    let sum = Sum::new(program.squares().len());
    let mut checker = Checker {
        words,
        objective: layout.objective(),
        layout,
        program,
        best: None,
        stored_rows: HashMap::new(),
        last_uses: BinaryHeap::new(),
        stored: 0,
        sum,
        work: 0,
        stop,
    };
    let target = checker.read_target()?;
    checker.read_solutions(&target)?;
    let derivations = checker.read_derivations(&target)?;
    let Checker { program, best, .. } = checker;
    let rounded = |bound: Rational| bound.to_u64().expect("the target was checked");
    let bound = match target {
        Target::Infeasible { limit } if program.maximises() => limit - 1,
        Target::Infeasible { limit } => limit + 1,
        Target::Range { bound, .. } if program.maximises() => rounded(bound.floor()),
        Target::Range { bound, .. } => rounded(bound.ceil()),
    };
    let (at_most, at_least) = if program.maximises() { (Some(bound), best) } else { (best, Some(bound)) };
    let included = program.form().included.iter().map(|&square| program.squares()[square].clone()).collect();
    let (board, problem) = (program.board().clone(), program.form().problem);
    Ok(Theorem { board, problem, included, at_most, at_least, derivations })
}

/// Creates the error for a fault in the given line, which has been read as a comment.
fn fault_at(line: u64, reason: Reason) -> ViprError {
    let Reason { kind, words, .. } = reason;
    Fault::Line(LineFault { line, column: None, rule: Rule::Header, kind, text: words }).into()
}

/// Reads the part before the section RTP, which must be the program of the board that the comments name.
fn read_program(
    words: &mut Words<'_>,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    stop: Stop<'_>,
) -> Result<(IntegerProgram, Layout), ViprError> {
    let first = words.read_comment()?;
    if first == HEADER_OF_SOLVERS {
        words.begin_text();
    } else if first != HEADER {
        let fault = format!(
            "the first line must be \"{HEADER}\", or \"{HEADER_OF_SOLVERS}\" for a file of another program"
        );
        return Err(fault_at(1, Reason::unreadable(fault)));
    }
    let line = words.read_comment()?;
    let Some(name) = line.strip_prefix(BOARD) else {
        return Err(fault_at(2, Reason::unreadable("expected \"% board ...\"")));
    };
    let board = reader::parse_board_with(name, read_board).map_err(|error| fault_at(2, error.into()))?;
    let mut number = 3;
    let mut line = words.read_comment()?;
    if let BoardName::File(file) = &board {
        if line != format!("{DIGEST}{}", file.digest()) {
            let fault = format!("expected \"{DIGEST}...\" of the board file, as it is now");
            return Err(fault_at(number, Reason::unreadable(fault)));
        }
        line = words.read_comment()?;
        number += 1;
    }
    let FormComments { form, included_line, representatives_line } = read_form(words, line, number)?;
    let program = IntegerProgram::of_with_stop(stop, &board, form).map_err(|fault| match fault {
        ProgramError::Stopped => ViprError::Stopped,
        ProgramError::Include(fault) => fault_at(included_line, fault.into()),
        ProgramError::Symmetry(fault) => fault_at(representatives_line, fault.into()),
        fault => fault.into(),
    })?;
    if first != HEADER {
        let layout = read_layout(words, &program, stop)?;
        return Ok((program, layout));
    }
    program.sections(&mut |expected| {
        words.begin_rule(expected.split(' ').next().unwrap_or_default());
        match words.compare(expected)? {
            Compared::Equal => Ok(()),
            Compared::Ends => {
                Err(words.unreadable(format!("the file ends too early: {}", expected_line(expected))))
            }
            Compared::Differs => {
                let line = expected_line(expected);
                Err(words.fault_here(format!("here the file differs from the program of {board}: {line}")))
            }
        }
    })?;
    let layout = Layout::identity(&program);
    Ok((program, layout))
}

/// Form of a program, with the lines of the comments that list squares.
struct FormComments {
    form: ProgramForm,
    included_line: u64,
    representatives_line: u64,
}

/// Reads the comments between the board and the version. `line` is the first of them, or the version, and
/// `number` is its line number.
fn read_form(words: &mut Words<'_>, mut line: String, mut number: u64) -> Result<FormComments, ViprError> {
    let mut form = ProgramForm::default();
    let squares_of = |list: &str, comment: &str, number: u64| {
        list.split(' ').map(reader::parse_number).collect::<Option<Vec<usize>>>().ok_or_else(|| {
            let fault = format!("\"{comment}\" takes squares with one space between them");
            fault_at(number, Reason::unreadable(fault))
        })
    };
    if let Some(word) = line.strip_prefix(PROBLEM) {
        let others = [Problem::DominatingSet, Problem::IndependentDominatingSet];
        form.problem = others.into_iter().find(|other| other.to_string() == word).ok_or_else(|| {
            let [one, other] = others;
            let fault = format!("\"{PROBLEM}\" takes \"{one}\" or \"{other}\"");
            fault_at(number, Reason::unreadable(fault))
        })?;
        line = words.read_comment()?;
        number += 1;
    }
    let included_line = number;
    if let Some(list) = line.strip_prefix(INCLUDE) {
        form.included = squares_of(list, INCLUDE, number)?;
        line = words.read_comment()?;
        number += 1;
    }
    let representatives_line = number;
    if let Some(list) = line.strip_prefix(SYMMETRY) {
        form.representatives = squares_of(list, SYMMETRY, number)?;
        line = words.read_comment()?;
        number += 1;
    }
    let (comment, least, most) = match form.problem {
        Problem::IndependentSet | Problem::NoThreeInLine => (AT_LEAST, 1, u64::MAX),
        Problem::DominatingSet | Problem::IndependentDominatingSet => (AT_MOST, 0, u64::MAX - 1),
    };
    if let Some(word) = line.strip_prefix(comment) {
        let value = reader::parse_number::<u64>(word).filter(|value| (least..=most).contains(value));
        form.limit = Some(value.ok_or_else(|| {
            let power = if most == u64::MAX { "2^64 - 1" } else { "2^64 - 2" };
            fault_at(
                number,
                Reason::unreadable(format!(
                    "\"{comment}\" takes a number from {least} to {power}, without leading zeros"
                )),
            )
        })?);
        line = words.read_comment()?;
        number += 1;
    }
    if !VERSIONS.contains(&line.as_str()) {
        let fault = format!(
            "expected \"{}\", or before it one of the comments \"{PROBLEM}...\", \"{INCLUDE}...\", \"{SYMMETRY}...\" and \"{comment}...\" in this order",
            VERSIONS.join("\" or \"")
        );
        return Err(fault_at(number, Reason::unreadable(fault)));
    }
    Ok(FormComments { form, included_line, representatives_line })
}

/// Reads the program of a file that has it in its own order.
fn read_layout(words: &mut Words<'_>, program: &IntegerProgram, stop: Stop<'_>) -> Result<Layout, ViprError> {
    let mut done = 0;
    let mut work = |amount: usize| {
        done += amount;
        if done < WORK_AT_A_TIME {
            return Ok(());
        }
        done = 0;
        if stop() { Err(Fault::Unreadable(io::ErrorKind::TimedOut.into())) } else { Ok(()) }
    };
    Ok(Layout::read(words, program, &mut work)?)
}

fn expected_line(expected: &str) -> String {
    format!("expected \"{}\"", shorten(expected))
}

/// Statement that a file proves, given by the section RTP.
enum Target {
    /// No solution satisfies the constraint `k`, whose right-hand side is `limit`.
    Infeasible { limit: u64 },
    /// `bound` limits the number of squares of all solutions, and some solution has `attained` squares or a
    /// better number.
    Range { bound: Rational, attained: Option<Rational> },
}

struct Checker<'t, 's> {
    words: Words<'t>,
    program: IntegerProgram,
    /// Order and signs of the program in the file.
    layout: Layout,
    /// Left-hand side of the objective of the file.
    objective: Terms,
    /// Number of squares of the best solution.
    best: Option<u64>,
    /// Derived constraints that later lines may use, by index.
    stored_rows: HashMap<u64, Constraint>,
    /// Last lines in which derived constraints may be used, each with the index of the constraint, earliest
    /// first.
    last_uses: BinaryHeap<Reverse<(u64, u64)>>,
    /// Size of the stored constraints; see [`MAX_STORED`].
    stored: usize,
    sum: Sum,
    /// Number of coefficients that were added since the last call of `stop`.
    work: usize,
    stop: Stop<'s>,
}

impl Checker<'_, '_> {
    fn fault(&self, reason: impl Into<Reason>) -> ViprError {
        self.words.fault(reason).into()
    }

    /// Returns a fault of the last word.
    fn fault_of_word(&self, reason: impl Into<Reason>) -> ViprError {
        self.words.fault_of_word(reason).into()
    }

    fn add_work(&mut self, amount: usize) -> Result<(), ViprError> {
        self.work += amount;
        if self.work < WORK_AT_A_TIME {
            return Ok(());
        }
        self.work = 0;
        if (self.stop)() { Err(ViprError::Stopped) } else { Ok(()) }
    }

    /// Reads the section RTP.
    fn read_target(&mut self) -> Result<Target, ViprError> {
        self.words.expect("RTP")?;
        let target = match (self.words.read_word("\"infeas\" or \"range\"")?, self.program.form().limit) {
            ("infeas", Some(limit)) => Target::Infeasible { limit },
            ("infeas", None) => {
                let comment = if self.program.maximises() { AT_LEAST } else { AT_MOST };
                let words = format!(
                    "without the comment \"{comment}K\" and its constraint the program has a solution"
                );
                return Err(self.fault_of_word(words));
            }
            ("range", None) => self.read_range()?,
            ("range", Some(_)) => {
                return Err(
                    self.fault_of_word("expected \"infeas\", because the program has the constraint k")
                );
            }
            _ => {
                let quoted = self.words.quote();
                let words = format!("expected \"infeas\" or \"range\" instead of \"{quoted}\"");
                return Err(self.words.unreadable_word(words).into());
            }
        };
        self.words.end_line()?;
        Ok(target)
    }

    /// Reads the bounds of a range. One of them must be proved, and the other must be attained by a solution.
    fn read_range(&mut self) -> Result<Target, ViprError> {
        let maximises = self.program.maximises();
        let lower = match self.words.read_word("the lower bound or \"-inf\"")? {
            "-inf" => None,
            _ => Some(self.words.last_rational()?),
        };
        let upper = match self.words.read_word("the upper bound")? {
            "inf" => None,
            _ => Some(self.words.last_rational()?),
        };
        if let (Some(lower), Some(upper)) = (&lower, &upper)
            && lower > upper
        {
            return Err(self.fault_of_word("the lower bound is larger than the upper bound"));
        }
        let (proved, attained) = match maximises == (self.layout.factor > 0) {
            true => (upper, lower),
            false => (lower, upper),
        };
        let (side, infinite) = self.proved_side();
        let Some(proved) = proved else {
            let words = format!("the {side} bound must be a number, since \"{infinite}\" shows nothing");
            return Err(self.fault(words));
        };
        let squares = |bound: Rational| if self.layout.factor < 0 { bound.negate() } else { bound };
        let (bound, attained) = (squares(proved), attained.map(squares));
        let rounded = if maximises { bound.floor() } else { bound.ceil() };
        if rounded.to_u64().is_none() {
            let range = if self.layout.factor < 0 { "-(2^64 - 1) to 0" } else { "0 to 2^64 - 1" };
            return Err(self.fault(format!("the {side} bound must be from {range}")));
        }
        Ok(Target::Range { bound, attained })
    }

    /// Returns the name of the bound of RTP that is proved, and the word for a missing one.
    fn proved_side(&self) -> (&'static str, &'static str) {
        let is_upper = self.program.maximises() == (self.layout.factor > 0);
        if is_upper { ("upper", "inf") } else { ("lower", "-inf") }
    }

    /// Returns a limit on the number of squares as a constraint on the objective of the file.
    fn limit_of(&self, relation: Relation, squares: Rational) -> Constraint {
        let (relation, right) = match self.layout.factor < 0 {
            true => (relation.negate(), squares.negate()),
            false => (relation, squares),
        };
        Constraint { terms: Rc::clone(&self.objective), relation, right, assumptions: Rc::default() }
    }

    /// Returns `true` if a number of squares is better than another.
    fn is_better(&self, number: &Rational, other: &Rational) -> bool {
        if self.program.maximises() { number > other } else { number < other }
    }

    /// Reads the section SOL.
    fn read_solutions(&mut self, target: &Target) -> Result<(), ViprError> {
        self.words.expect("SOL")?;
        let solutions = self.words.read_number("the number of solutions")?;
        if solutions > 0 && matches!(target, Target::Infeasible { .. }) {
            return Err(
                self.fault_of_word("there is a solution, but RTP says that the program is infeasible")
            );
        }
        self.words.end_line()?;
        for _ in 0..solutions {
            let size = self.read_solution()?;
            let is_better = self.best.is_none_or(|best| self.is_better(&size.into(), &best.into()));
            self.best = if is_better { Some(size) } else { self.best };
        }
        let Target::Range { bound, attained } = target else { return Ok(()) };
        let (proved, _) = self.proved_side();
        let (other, comparative) = if proved == "upper" { ("lower", "larger") } else { ("upper", "smaller") };
        let best = self.best.map(Rational::from);
        if let Some(attained) = attained
            && best.as_ref().is_none_or(|best| self.is_better(attained, best))
        {
            let words = format!("no solution of the section SOL attains the {other} bound of RTP");
            return Err(self.fault(words));
        }
        if best.is_some_and(|best| self.is_better(&best, bound)) {
            let words =
                format!("a solution of the section SOL is {comparative} than the {proved} bound of RTP");
            return Err(self.fault(words));
        }
        Ok(())
    }

    /// Reads a solution, and returns its number of squares.
    fn read_solution(&mut self) -> Result<u64, ViprError> {
        self.words.read_name("the name of a solution")?;
        self.words.read_word("the number of variables")?;
        let terms = self.layout.read_terms(&mut self.words)?;
        let mut values = vec![0i64; self.program.squares().len()];
        for (square, value) in terms.iter() {
            if *value != Rational::from(1i64) {
                let words = format!("variable {} is neither 0 nor 1", self.layout.variable(*square));
                return Err(self.fault(words));
            }
            values[*square as usize] = 1;
        }
        for index in 0..self.program.constraints() {
            let row = self.program.row(index).expect("there is such a constraint");
            self.add_work(row.terms.len())?;
            let left: i64 = row.terms.iter().map(|(v, coefficient)| coefficient * values[*v as usize]).sum();
            let right = i128::from(row.right);
            let holds = match row.relation {
                Relation::AtMost => i128::from(left) <= right,
                Relation::AtLeast => i128::from(left) >= right,
                Relation::Equal => i128::from(left) == right,
            };
            if !holds {
                let index = self.layout.index(index);
                return Err(self.fault(format!("the solution violates constraint {index}")));
            }
        }
        let squares: Vec<_> =
            terms.iter().map(|(square, _)| self.program.squares()[*square as usize].clone()).collect();
        let ProgramForm { problem, included, .. } = self.program.form();
        let certificate = Certificate {
            problem: *problem,
            ..Certificate::independent(self.program.board().clone(), squares, "VIPR")
        };
        let included: Vec<_> =
            included.iter().map(|&square| self.program.squares()[square].clone()).collect();
        let verified = verify(&certificate)
            .and_then(|verified| verify_includes(&certificate, &included).map(|()| verified))
            .map_err(|fault| self.fault(fault.to_string()))?;
        self.words.end_line()?;
        Ok(verified.size() as u64)
    }

    /// Reads the section DER, and returns the number of derived constraints.
    fn read_derivations(&mut self, target: &Target) -> Result<u64, ViprError> {
        self.words.expect("DER")?;
        let derivations = self.words.read_number("the number of derived constraints")?;
        let first = self.layout.constraints(&self.program) as u64;
        let Some(end) = first.checked_add(derivations) else {
            return Err(self.fault(Reason::limit("the constraints have no 64-bit numbers")));
        };
        if derivations == 0 {
            return Err(self.fault_of_word("nothing is derived"));
        }
        self.words.begin_lines();
        self.words.end_line()?;
        let mut is_proved = false;
        for index in first..end {
            self.remove_before(index);
            let derived = self.read_derivation(index)?;
            let last_use = self.read_last_use(end)?;
            if self.words.has_returns() {
                self.words.skip(GLOBAL)?;
                is_proved |= self.proves(target, &derived);
            }
            if index + 1 == end && !is_proved {
                self.conclude(target, &derived)?;
            }
            self.words.end_line()?;
            if last_use.is_none_or(|last_use| last_use > index) {
                self.store(index, derived, last_use)?;
            }
        }
        self.words.end_file()?;
        Ok(derivations)
    }

    /// Reads a derived constraint up to the end of its reason, and returns it with its assumptions.
    fn read_derivation(&mut self, index: u64) -> Result<Constraint, ViprError> {
        self.words.begin_rule("DER");
        let mut claim = self.read_claim()?;
        self.words.expect("{")?;
        let reason = self.words.read_word("a reason")?.to_owned();
        self.words.begin_rule(&reason);
        claim.assumptions = match reason.as_str() {
            "asm" => [index].into(),
            "lin" => self.read_sum(index, &claim, false)?,
            "rnd" => self.read_sum(index, &claim, true)?,
            "uns" => self.read_split(index, &claim)?,
            "sol" => self.check_cutoff(&claim)?,
            _ => {
                let words = format!(
                    "\"{}\" is no reason; reasons are asm, lin, rnd, uns and sol",
                    self.words.quote()
                );
                return Err(self.words.unreadable_word(words).into());
            }
        };
        self.words.expect("}")?;
        Ok(claim)
    }

    /// Reads a constraint, without assumptions so far.
    fn read_claim(&mut self) -> Result<Constraint, ViprError> {
        self.words.read_name("the name of a constraint")?;
        let claim = self.layout.read_constraint(&mut self.words, &self.objective)?;
        self.add_work(claim.terms.len())?;
        Ok(claim)
    }

    /// Reads the index of a constraint that was read before, and returns it with the constraint.
    fn read_constraint(&mut self, before: u64) -> Result<(u64, Constraint), ViprError> {
        let index = self.words.read_number("the index of a constraint")?;
        if index >= before {
            return Err(self.fault_of_word(format!(
                "constraint {index} does not precede this one, which is constraint {before}"
            )));
        }
        let row = usize::try_from(index).ok().and_then(|index| self.layout.row(&self.program, index));
        match (row, self.stored_rows.get(&index)) {
            (Some(row), _) => Ok((index, row)),
            (None, Some(constraint)) => Ok((index, constraint.clone())),
            (None, None) => {
                let words = format!("constraint {index} is used after the last use that its own line allows");
                Err(self.fault_of_word(words))
            }
        }
    }

    /// Reads a linear combination, which must dominate the claim, after rounding if `is_rounded`. Returns its
    /// assumptions.
    fn read_sum(
        &mut self,
        index: u64,
        claim: &Constraint,
        is_rounded: bool,
    ) -> Result<Assumptions, ViprError> {
        let what = "the number of constraints";
        if let extension @ ("weak" | "incomplete") = self.words.read_word(what)? {
            let words = format!(
                "the extension \"{extension}\" is not supported: complete the file first, for example with viprcomp"
            );
            return Err(self.fault_of_word(Reason::limit(words)));
        }
        let number = self.words.last_number(what)?;
        if number > index {
            return Err(self.fault_of_word(format!(
                "{number} constraints are listed, but only {index} precede this one"
            )));
        }
        let mut indices = Vec::new();
        for _ in 0..number {
            let (other, constraint) = self.read_constraint(index)?;
            let times = self.words.read_rational("a multiplier")?;
            let amount = 1 + constraint.terms.len() + constraint.assumptions.len() + self.sum.assumptions();
            self.add_work(if matches!(times, Rational::Large(_)) { 512 * amount } else { amount })?;
            indices.push(other);
            self.sum.add(&constraint, &times).map_err(|fault| match fault {
                NotAdded::OtherDirection => self.fault(format!(
                    "the multiplier of constraint {other} has the wrong sign: some multiples are <= and some >="
                )),
                NotAdded::TooLong => self.fault(Reason::from(TooLong)),
            })?;
        }
        indices.sort_unstable();
        if let Some(pair) = indices.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(self.fault(format!("constraint {} is listed twice", pair[0])));
        }
        let mut derived = self.sum.take();
        if is_rounded {
            derived.round().map_err(|fault| self.fault(fault))?;
        }
        if !derived.dominates(claim) {
            return Err(self.fault(self.describe_difference(&derived, claim)));
        }
        Ok(derived.assumptions)
    }

    /// Describes why a linear combination does not dominate a claim.
    fn describe_difference(&self, derived: &Constraint, claim: &Constraint) -> String {
        if derived.terms == claim.terms {
            let (sign, right) = (derived.relation.sign(), shorten(&derived.right.to_string()));
            return format!("the sum is {sign} {right}, which does not imply the constraint");
        }
        let both = derived.terms.iter().zip(claim.terms.iter());
        let place = both.take_while(|(a, b)| a == b).count();
        let variable = |terms: &Terms| terms.get(place).map(|term| term.0);
        let square =
            [&derived.terms, &claim.terms].into_iter().filter_map(variable).min().unwrap_or_default();
        let variable = self.layout.variable(square);
        format!("the sum has another coefficient of variable {variable} than the constraint")
    }

    /// Reads the reason `uns`, and returns the assumptions.
    fn read_split(&mut self, index: u64, claim: &Constraint) -> Result<Assumptions, ViprError> {
        let mut branches = Vec::new();
        for _ in 0..2 {
            let (branch, derived) = self.read_constraint(index)?;
            let (assumption, side) = self.read_constraint(index)?;
            self.add_work(1 + derived.terms.len() + side.terms.len() + derived.assumptions.len())?;
            if !derived.dominates(claim) {
                return Err(self.fault(format!("constraint {branch} does not imply the constraint")));
            }
            branches.push((without(&derived.assumptions, assumption), side));
        }
        let [(assumptions, side), (others, other_side)] = <[_; 2]>::try_from(branches).expect("two branches");
        side.check_split_with(&other_side).map_err(|fault| self.fault(fault))?;
        Ok(union(&assumptions, &others))
    }

    /// Checks the reason `sol`, which restricts the proof to solutions better than the best one of SOL.
    /// Returns no assumptions.
    fn check_cutoff(&mut self, claim: &Constraint) -> Result<Assumptions, ViprError> {
        let Some(best) = self.best else {
            return Err(self.fault("the reason sol needs a solution in the section SOL"));
        };
        let best = i64::try_from(best).expect("boards have at most 4096 squares");
        let better = match self.program.maximises() {
            true => self.limit_of(Relation::AtLeast, (best + 1).into()),
            false => self.limit_of(Relation::AtMost, (best - 1).into()),
        };
        if !better.dominates(claim) {
            let (sign, right) = (better.relation.sign(), better.right);
            return Err(self.fault(format!("the reason sol shows only OBJ {sign} {right} here")));
        }
        Ok(Rc::default())
    }

    /// Reads the index of the last constraint that uses this one, or `None` for -1.
    fn read_last_use(&mut self, end: u64) -> Result<Option<u64>, ViprError> {
        let what = "-1 or the index of the last constraint that uses this one";
        if self.words.read_word(what)? == "-1" {
            return Ok(None);
        }
        let last_use = self.words.last_number(what)?;
        if last_use >= end {
            return Err(
                self.fault_of_word(format!("there is no constraint {last_use}: the last one is {}", end - 1))
            );
        }
        Ok(Some(last_use))
    }

    /// Removes constraints that may not be used by the line of constraint `index` or later lines.
    fn remove_before(&mut self, index: u64) {
        while let Some(Reverse((last_use, other))) = self.last_uses.peek().copied()
            && last_use < index
        {
            self.last_uses.pop();
            if let Some(constraint) = self.stored_rows.remove(&other) {
                self.stored -= self.size(&constraint);
            }
        }
    }

    /// Stores a constraint for later lines.
    fn store(&mut self, index: u64, constraint: Constraint, last_use: Option<u64>) -> Result<(), ViprError> {
        self.stored += self.size(&constraint);
        if self.stored > MAX_STORED {
            let words = format!(
                "the constraints that later lines may use have more than {MAX_STORED} coefficients and assumptions; the index of the last use frees them earlier than -1"
            );
            return Err(self.fault(Reason::limit(words)));
        }
        self.last_uses.extend(last_use.map(|last_use| Reverse((last_use, index))));
        self.stored_rows.insert(index, constraint);
        Ok(())
    }

    fn size(&self, constraint: &Constraint) -> usize {
        let is_objective = Rc::ptr_eq(&constraint.terms, &self.objective);
        4 + constraint.assumptions.len() / 4 + if is_objective { 0 } else { constraint.terms.len() }
    }

    /// Returns `true` if a constraint has no assumptions and proves the target.
    fn proves(&self, target: &Target, constraint: &Constraint) -> bool {
        constraint.assumptions.is_empty()
            && match target {
                Target::Infeasible { .. } => constraint.is_falsehood(),
                Target::Range { bound, .. } => constraint.dominates(&self.bound_constraint(bound)),
            }
    }

    /// Returns the constraint that expresses a bound on the number of squares.
    fn bound_constraint(&self, bound: &Rational) -> Constraint {
        let relation = if self.program.maximises() { Relation::AtMost } else { Relation::AtLeast };
        self.limit_of(relation, bound.clone())
    }

    /// Returns an error unless the last constraint proves the target.
    fn conclude(&self, target: &Target, last: &Constraint) -> Result<(), ViprError> {
        if let [assumption, ..] = *last.assumptions {
            return Err(
                self.fault(format!("the last constraint rests on the assumption of constraint {assumption}"))
            );
        }
        if self.proves(target, last) {
            return Ok(());
        }
        Err(match target {
            Target::Infeasible { .. } => {
                self.fault("the last constraint is not a contradiction such as 0 >= 1")
            }
            Target::Range { bound, .. } => {
                let claim = self.bound_constraint(bound);
                let (sign, bound) = (claim.relation.sign(), shorten(&claim.right.to_string()));
                self.fault(format!("the last constraint does not imply OBJ {sign} {bound}"))
            }
        })
    }
}
