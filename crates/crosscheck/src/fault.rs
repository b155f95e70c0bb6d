//! Reasons why a checker does not accept a file: it is wrong, it is malformed, or the check reached a limit.

use ndqueens_notation::error_class::ErrorClass;

/// Reason why a checker did not accept a file.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::bound;
/// use ndqueens_crosscheck::fault::FaultKind;
///
/// let fault = bound::check("ndqueens bound 1\nboard 3^2\nat most 3\n".as_bytes()).expect_err("no sum");
/// assert_eq!(fault.kind(), FaultKind::Invalid);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// The file was read, and one of its steps is invalid.
    Invalid,
    /// The text does not follow the format: it is damaged, truncated, or in another format.
    Unreadable,
    /// The check reached a limit on time, squares, steps or the size of numbers. The file may be valid or
    /// not.
    Limit,
}

impl From<FaultKind> for ErrorClass {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::Invalid => Self::Refuted,
            FaultKind::Unreadable => Self::BadInput,
            FaultKind::Limit => Self::Limit,
        }
    }
}

/// Rule of a format: what a line of a proof, a bound or a VIPR file states.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::fault::Rule;
///
/// assert_eq!(Rule::Slab.word(), "slab");
/// ```
#[cfg(feature = "proofs")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// First line of a file, which names the format.
    Header,
    /// Line that begins with no word of the format.
    Unknown,
    /// Name of the board.
    Board,
    /// Digest of the board file.
    Digest,
    /// Last line.
    End,
    /// Bound of the whole file.
    AtMost,
    /// Bound of a box, or inequality of a box in a bound.
    Box,
    /// Bound of a board that is not a plain box.
    Search,
    /// Size and number of the solutions that are listed.
    Solutions,
    /// Solution of a list.
    Solution,
    /// Number of solutions.
    Count,
    /// Order of the squares of a tree.
    Order,
    /// Layers at a face of a box, and the queens that they must hold.
    Slab,
    /// Layers of a region, and the queens that they must hold.
    Part,
    /// Case split by the numbers of queens in layers.
    Layers,
    /// Nodes of a tree that first-fit cliques cover.
    Nodes,
    /// Node that cliques cover.
    Cover,
    /// Node that a sum of inequalities covers.
    Sum,
    /// Node with one queen of an orbit.
    Orbit,
    /// Bound of another board on which a bound depends.
    Needs,
    /// Clique inequality.
    Clique,
    /// Volume inequality.
    Volume,
    /// Inequality in the numbers of queens of each class.
    Class,
    /// Inequality with a weight for each square.
    Weighted,
    /// Split into two cases.
    Split,
    /// Largest number of queens that a case assumes.
    Most,
    /// Least number of queens that a case assumes.
    Least,
    /// End of a case, with its bound.
    Case,
    /// Variables of a VIPR file.
    Variables,
    /// Integer variables of a VIPR file.
    Integers,
    /// Objective of a VIPR file.
    Objective,
    /// Constraints of a VIPR file.
    Constraints,
    /// Statement that a VIPR file proves.
    Goal,
    /// Solutions of a VIPR file.
    Attained,
    /// Constraints that a VIPR file derives.
    Derivations,
    /// Derived constraint that is assumed.
    Assumption,
    /// Linear combination of constraints.
    Combination,
    /// Linear combination whose right-hand side is rounded.
    Rounding,
    /// Constraint that holds on both sides of a disjunction.
    Unsplit,
    /// Bound of a better solution.
    Cutoff,
}

#[cfg(feature = "proofs")]
impl Rule {
    /// Rules with the words with which their lines begin.
    const WORDS: [(Self, &'static str); 38] = [
        (Self::Board, "board"),
        (Self::Digest, "digest"),
        (Self::End, "end"),
        (Self::AtMost, "at"),
        (Self::Box, "box"),
        (Self::Search, "search"),
        (Self::Solutions, "solutions"),
        (Self::Solution, "solution"),
        (Self::Count, "count"),
        (Self::Order, "order"),
        (Self::Slab, "slab"),
        (Self::Part, "part"),
        (Self::Layers, "layers"),
        (Self::Nodes, "nodes"),
        (Self::Cover, "cover"),
        (Self::Sum, "sum"),
        (Self::Orbit, "orbit"),
        (Self::Needs, "needs"),
        (Self::Clique, "clique"),
        (Self::Volume, "volume"),
        (Self::Class, "class"),
        (Self::Weighted, "weighted"),
        (Self::Split, "split"),
        (Self::Most, "most"),
        (Self::Least, "least"),
        (Self::Case, "case"),
        (Self::Variables, "VAR"),
        (Self::Integers, "INT"),
        (Self::Objective, "OBJ"),
        (Self::Constraints, "CON"),
        (Self::Goal, "RTP"),
        (Self::Attained, "SOL"),
        (Self::Derivations, "DER"),
        (Self::Assumption, "asm"),
        (Self::Combination, "lin"),
        (Self::Rounding, "rnd"),
        (Self::Unsplit, "uns"),
        (Self::Cutoff, "sol"),
    ];

    /// Returns the word with which lines of this rule begin, "header" for the first line of a file, or
    /// "unknown".
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Unknown => "unknown",
            _ => Self::WORDS.iter().find(|(rule, _)| *rule == self).expect("each rule has a word").1,
        }
    }

    /// Returns the rule whose lines begin with a word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, first)| *first == word).map(|(rule, _)| *rule)
    }
}

/// Fault of a line.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::bound::{self, BoundError};
/// use ndqueens_crosscheck::fault::Rule;
///
/// let text = "ndqueens bound 1\nboard 2^2\nclique x 0,0 0,1 1,0 1,1\nat most 1\nend\n";
/// let Err(BoundError::Line(fault)) = bound::check(text.as_bytes()) else { panic!("x is no number") };
/// assert_eq!((fault.line, fault.column, fault.rule), (3, Some(8), Rule::Clique));
/// ```
#[cfg(feature = "proofs")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// Line, counted from 1.
    pub line: u64,
    /// Column in characters, counted from 1, or `None` if the line as a whole is at fault.
    pub column: Option<u64>,
    /// Rule that the line states.
    pub rule: Rule,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Description of the fault.
    pub text: String,
}

#[cfg(feature = "proofs")]
impl LineFault {
    /// Returns the message about a file of the given kind, such as "proof".
    pub(crate) fn message(&self, file: &str) -> String {
        let Self { line, column, text, .. } = self;
        match column {
            Some(column) => format!("line {line} of the {file}, column {column}: {text}"),
            None => format!("line {line} of the {file}: {text}"),
        }
    }
}

/// Kind and description of a fault.
#[cfg(feature = "proofs")]
#[derive(Debug)]
pub(crate) struct Reason {
    pub(crate) kind: FaultKind,
    pub(crate) words: String,
    /// Address of the word at fault, from which its column in the line is computed.
    address: Option<usize>,
}

#[cfg(feature = "proofs")]
impl Reason {
    /// Creates the fault of a text that does not follow the format.
    pub(crate) fn unreadable(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Unreadable, ..words.into().into() }
    }

    /// Creates the fault of a check that reached a limit.
    pub(crate) fn limit(words: impl Into<String>) -> Self {
        Self { kind: FaultKind::Limit, ..words.into().into() }
    }

    /// Adds the place of the fault: a word of the line that is checked. A place within that word that is
    /// known already is kept.
    #[must_use]
    pub(crate) fn at(mut self, word: &str) -> Self {
        self.address.get_or_insert(word.as_ptr().addr());
        self
    }

    /// Returns the column of the word at fault, in characters and counted from 1, if it is part of `line`.
    pub(crate) fn column_in(&self, line: &str) -> Option<u64> {
        let offset = self.address?.checked_sub(line.as_ptr().addr())?;
        line.get(..offset).map(|before| before.chars().count() as u64 + 1)
    }
}

/// Creates the fault of an invalid step, the most frequent kind.
#[cfg(feature = "proofs")]
impl<W: Into<String>> From<W> for Reason {
    fn from(words: W) -> Self {
        Self { kind: FaultKind::Invalid, words: words.into(), address: None }
    }
}
