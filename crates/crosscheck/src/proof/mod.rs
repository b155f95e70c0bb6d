//! Checks proof trees step by step and in integers: proofs that at most `k` queens fit on a board, and proofs
//! that a list of sets of `k` queens is complete.
//!
//! `docs/proof-format.md` describes the form of a proof and shows why each step is sound; nothing is shared
//! with the code that writes proofs. A step is accepted only for one of these reasons:
//!
//! - *lines*: a box consists of parallel lines along its longest side, as many as its squares divided by that
//!   side.
//! - *cut*: a box consists of two boxes whose bounds were proved further up.
//! - *demand*: a slab at a face of a box must hold the queens that do not fit into the rest, whose bound was
//!   proved further up.
//! - *cover*: a region that must still hold `m` queens has its free squares covered by `m - 1` cliques,
//!   except squares on which each queen is tried in turn. The cliques are first-fit cliques, which the
//!   checker computes itself, or they are listed and then tested pair by pair.
//! - *sum*: cliques and boxes with integer multipliers count every free square `denominator` times or more,
//!   except squares on which each queen is tried in turn, and their total capacity, less the queens placed,
//!   is less than `denominator` times the number of queens still to be placed. The bounds of the boxes were
//!   proved further up. In format 3, rows may also be boxes with a stride, odd cycles, and the inequalities
//!   of class counts of bounds, which weight squares.
//! - *orbit*: a map that preserves every attack, the queens placed, the free squares and the assumptions
//!   takes a solution to a solution; in a count it must preserve the list of solutions, too.
//! - *part*: layers of a region must hold the queens that do not fit into the region on both sides of them,
//!   by bounds proved further up.
//! - *layers*: the numbers of queens in the layers across an axis, as far as the bounds of the boxes proved
//!   further up allow, satisfy one of the cases; a tree for each case follows, in which the case is assumed.
//! - *solution*: in a count, the queens placed are all the queens, and are one of the solutions listed.

mod bounds;
mod box_tree;
mod clique;
mod layers;
mod listed;
mod order;
mod rows;
mod split_point;
mod symmetry;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, BufRead};
use std::sync::Arc;

use ndqueens_notation::counted::counted;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::name::{BoardName, NameError, Piece};
use ndqueens_notation::proof::{PROOF, PROOF_WITH_ROWS};

use self::bounds::{Boxes, CitableBounds, ProvedBounds};
use self::box_tree::sum_nodes;
pub use self::box_tree::{BoxTree, CheckedPiece, CheckedTree, MAX_TREE_BYTES, OpenedTree};
use self::layers::{Layers, Refusal, Steps};
use self::listed::SolutionList;
use self::order::{Order, Squares};
pub use self::split_point::SplitPoint;
use self::tree::{Region, TreeChecker};
use crate::boards::definition;
use crate::fault::{FaultKind, LineFault, Reason, Rule};
use crate::graph::{Graph, TooManySquares};
use crate::reader::{self, Fault};

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Two,
    Three,
}

/// Fault of a bound of 2^64 - 1: the search for one piece more needs a number of 65 bits.
const TOO_LARGE: &str = "the bound is too large: it must be less than 2^64 - 1";

/// Error of the check of a proof.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::proof;
///
/// let text = "ndqueens proof 2\nboard 2x2\nbox 1x1 1 lines\nbox 1x2 1 lines\nbox 2x2 1 search\n\
///             order lexicographic\nnodes a\nat most 1\nend\n";
/// let wrong = text.replace("nodes a", "nodes b");
/// assert!(proof::check(wrong.as_bytes(), &|name| name.parse()).is_err());
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The file cannot be read.
    #[error("the proof cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The check was stopped from outside.
    #[error("the check was stopped before its end")]
    Stopped,
    /// A step is not accepted.
    #[error("{}", .0.message("proof"))]
    Step(LineFault),
    /// The board has too many squares.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
}

impl ProofError {
    /// Returns the kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Unreadable(_) => FaultKind::Unreadable,
            Self::Step(fault) => fault.kind,
            Self::Stopped | Self::TooManySquares(_) => FaultKind::Limit,
        }
    }
}

impl Classified for ProofError {
    fn class(&self) -> ErrorClass {
        self.kind().into()
    }
}

impl From<Fault> for ProofError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unreadable(error) if error.kind() == io::ErrorKind::TimedOut => Self::Stopped,
            Fault::Unreadable(error) => Self::Unreadable(error),
            Fault::Line(fault) => Self::Step(fault),
        }
    }
}

/// Result of a proof: a bound, or a number of solutions. Only [`check`] and [`Statements::conclude`] create
/// one.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::proof;
///
/// let text = "ndqueens proof 2\nboard 2x2\nbox 1x1 1 lines\nbox 1x2 1 lines\nbox 2x2 1 search\n\
///             order lexicographic\nnodes a\nat most 1\nend\n";
/// let proved = proof::check(text.as_bytes(), &|name| name.parse())?;
/// assert_eq!((proved.at_most(), proved.boxes()), (Some(1), 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofResult {
    board: BoardName,
    at_most: Option<u64>,
    count: Option<SolutionCount>,
    nodes: u64,
    boxes: u64,
    bounds: HashMap<BoardName, u64>,
}

/// Number of independent sets of one size on a board, by a proof that lists them all.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::proof;
///
/// let text = "ndqueens proof 2\nboard 1x2\nsolutions 1 2\nsolution 0\nsolution 1\n\
///             order lexicographic\ncover 0 / 0 1\nnodes ..\ncount 1 2\nend\n";
/// let count = proof::check(text.as_bytes(), &|name| name.parse())?.count().expect("a count");
/// assert_eq!((count.size, count.sets), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SolutionCount {
    /// Size of the sets.
    pub size: u64,
    /// Number of sets.
    pub sets: u64,
    /// `true` if the proof also shows that no more queens fit. If there are sets, they are then the maximum
    /// ones.
    pub no_more_fit: bool,
}

impl ProofResult {
    /// Returns the board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the largest number of queens that may fit, or `None` for a count that does not bound it.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        self.at_most
    }

    /// Returns the number of solutions if the proof is that of a count.
    #[must_use]
    pub fn count(&self) -> Option<SolutionCount> {
        self.count
    }

    /// Returns the upper bound of a box that the proof bounds on the way, or of the board itself.
    #[must_use]
    pub fn upper(&self, board: &BoardName) -> Option<u64> {
        self.bounds.get(&board.with_sorted_sides()).copied()
    }

    /// Returns all boxes that the proof bounds with their bounds, sides sorted, the board itself included.
    pub fn bounds(&self) -> impl Iterator<Item = (&BoardName, u64)> {
        self.bounds.iter().map(|(board, &most)| (board, most))
    }

    /// Returns the number of nodes of all trees.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the number of bounds of boxes proved on the way, that of the board included.
    #[must_use]
    pub fn boxes(&self) -> u64 {
        self.boxes
    }
}

/// Checks a proof from its first line to its last. `read_board` parses the name of the board, and opens the
/// file that the name contains, if any.
///
/// ```
/// use ndqueens_crosscheck::proof::check;
///
/// let proof = "ndqueens proof 2\nboard torus:2^2\nsearch 1\norder lexicographic\nnodes a\nat most 1\nend\n";
/// let read_board = |name: &str| name.parse();
/// assert_eq!(check(proof.as_bytes(), &read_board)?.at_most(), Some(1));
/// let forged = proof.replace("search 1", "search 0").replace("most 1", "most 0");
/// assert!(check(forged.as_bytes(), &read_board).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error at the first step that is not accepted, or if the proof ends too early.
pub fn check(
    mut proof: impl BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
) -> Result<ProofResult, ProofError> {
    let mut statements = Statements::read(&mut proof, read_board)?;
    statements.returns_trees = false;
    while statements.next_tree()?.is_some() {}
    statements.conclude([])
}

type Lines<'p> = reader::Lines<'p, ProofError>;

/// First words of statements; no line of a tree begins with one of them.
const STATEMENTS: [&str; 5] = ["box", "search", "solutions", "at", "count"];

/// Returns `true` if the first word of a line is that of a statement.
fn is_statement(line: &[u8]) -> bool {
    let end = line.iter().position(|byte| b" \n".contains(byte)).unwrap_or(line.len());
    STATEMENTS.iter().any(|word| word.as_bytes() == &line[..end])
}

fn expected_statement(lines: &Lines<'_>) -> ProofError {
    lines.unreadable(
        "expected \"box ...\", \"search ...\", \"solutions ...\", \"at most ...\" or \"count ...\"",
    )
}

/// Returns the fault of a proof whose case splits have too many steps, at the line of the first node of a
/// tree.
fn too_many_steps(refusal: &Refusal, line: u64) -> ProofError {
    let (kind, text) = (FaultKind::Limit, refusal.to_string());
    ProofError::Step(LineFault { line, column: None, rule: Rule::Layers, kind, text })
}

/// Checks the statements of a proof one after the other, and returns the trees of boxes, which the caller
/// checks separately.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use ndqueens_crosscheck::proof::Statements;
///
/// let mut proof = &b"ndqueens proof 2\nboard 1x2\nbox 1x2 1 search\norder lexicographic\nnodes a\nat most 1\nend\n"[..];
/// let read_board = |name: &str| name.parse();
/// let mut statements = Statements::read(&mut proof, &read_board)?;
/// let mut checked = Vec::new();
/// while let Some(tree) = statements.next_tree()? {
///     checked.push(Arc::new(tree).check(&|| false)?);
/// }
/// assert_eq!(statements.conclude(checked)?.at_most(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Statements<'p> {
    lines: Lines<'p>,
    format: Format,
    board: BoardName,
    /// `true` if the trees of boxes are returned to the caller. Otherwise they are checked while they are
    /// read.
    returns_trees: bool,
    /// Tree of the last statement, if it is to be returned.
    tree: Option<BoxTree>,
    /// Number of trees that were returned.
    trees: usize,
    /// Number of the statement, counted from 1.
    statement: u64,
    bounds: Arc<ProvedBounds>,
    /// Number of solutions by size, for the sizes whose solutions were all listed.
    counts: BTreeMap<u64, u64>,
    nodes: u64,
    boxes: u64,
    /// Steps of the case splits of the trees that were checked during reading.
    steps: Steps,
    /// Bound and count of the last statement, once it has been read.
    conclusion: Option<(Option<u64>, Option<SolutionCount>)>,
}

impl fmt::Debug for Statements<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Statements")
            .field("board", &self.board)
            .field("trees", &self.trees)
            .finish_non_exhaustive()
    }
}

impl<'p> Statements<'p> {
    /// Reads the beginning of a proof. `read_board` parses the name of the board, and opens the file that the
    /// name contains, if any.
    ///
    /// # Errors
    /// Returns an error if the text does not begin like a proof.
    pub fn read(
        proof: &'p mut dyn BufRead,
        read_board: &dyn Fn(&str) -> Result<BoardName, NameError>,
    ) -> Result<Self, ProofError> {
        let mut lines = Lines::new(proof, "proof");
        let format = match lines.read_header(&[PROOF, PROOF_WITH_ROWS])? {
            PROOF => Format::Two,
            _ => Format::Three,
        };
        let board = lines.read_board(read_board)?;
        if let BoardName::File(file) = &board {
            lines.read_line()?;
            let digest = file.digest();
            match lines.text.strip_prefix("digest sha256 ") {
                Some(stated) if *stated == *digest => {}
                Some(stated) => {
                    let fault = format!("this is not the digest of the board file, which is {digest}");
                    return Err(lines.fault(Reason::unreadable(fault).at(stated)));
                }
                None => return Err(lines.unreadable("expected \"digest sha256 ...\" of the board file")),
            }
        }
        Ok(Self {
            lines,
            format,
            board,
            returns_trees: true,
            tree: None,
            trees: 0,
            statement: 0,
            bounds: Arc::default(),
            counts: BTreeMap::new(),
            nodes: 0,
            boxes: 0,
            steps: Steps::default(),
            conclusion: None,
        })
    }

    /// Checks statements up to the next one with a tree that can be checked separately, on the assumption
    /// that this tree will be accepted. Trees longer than [`MAX_TREE_BYTES`] are checked here. Returns `None`
    /// at the end of the proof.
    ///
    /// # Errors
    /// Returns an error at the first step that is not accepted, or if the proof ends too early.
    pub fn next_tree(&mut self) -> Result<Option<BoxTree>, ProofError> {
        while self.conclusion.is_none() && self.tree.is_none() {
            self.next_statement()?;
        }
        Ok(self.tree.take())
    }

    /// Returns the result of the proof, given the results of all trees, after [`next_tree`](Self::next_tree)
    /// returned `None`.
    ///
    /// # Errors
    /// Returns an error if the proof was not read to its end, the result of a tree is missing, or the case
    /// splits of the proof have too many steps.
    pub fn conclude(self, checked: impl IntoIterator<Item = CheckedTree>) -> Result<ProofResult, ProofError> {
        let Self { board, trees, bounds, nodes, boxes, steps, conclusion, .. } = self;
        let Some((at_most, count)) = conclusion else {
            return Err(io::Error::other("the proof was not read to its end").into());
        };
        let nodes = nodes + sum_nodes(trees, &bounds, &steps, checked)?;
        Ok(ProofResult { board, at_most, count, nodes, boxes, bounds: bounds.least() })
    }

    /// Checks the next statement.
    fn next_statement(&mut self) -> Result<(), ProofError> {
        self.lines.read_line()?;
        self.statement += 1;
        let line = Arc::clone(&self.lines.text);
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["box", sides, bound, method @ ..] => self.read_box(sides, bound, method),
            ["search", bound] => self.read_search(bound),
            ["solutions", size, sets] => self.read_solutions(size, sets),
            ["at", "most", bound] => {
                let bound = self.read_at_most(bound)?;
                self.conclusion = Some((Some(bound), None));
                self.lines.read_end()
            }
            ["count", size, sets] => {
                let count = self.read_count(size, sets)?;
                self.conclusion = Some((self.citable().get(&self.board.with_sorted_sides()), Some(count)));
                self.lines.read_end()
            }
            ["box", ..] => Err(self.lines.unreadable("expected \"box sides bound method\"")),
            ["search", ..] => Err(self.lines.unreadable("expected \"search bound\"")),
            [word @ ("solutions" | "count"), ..] => {
                Err(self.lines.unreadable(format!("expected \"{word} size number\"")))
            }
            ["at", ..] => Err(self.lines.unreadable("expected \"at most bound\"")),
            _ => Err(expected_statement(&self.lines)),
        }
    }

    /// Returns the bounds that this statement may cite.
    fn citable(&self) -> CitableBounds {
        CitableBounds { proved: Arc::clone(&self.bounds), before: self.statement }
    }

    /// Stores the tree of a box for the caller, or checks it.
    fn take_or_check_tree(&mut self, board: &BoardName, queens: Option<u64>) -> Result<(), ProofError> {
        let lines_before = self.lines.line_number();
        let text =
            if self.returns_trees { self.lines.read_until(is_statement, MAX_TREE_BYTES)? } else { None };
        let Some(text) = text else { return self.check_search(board, queens, None) };
        let (number, board, bounds) = (self.trees, board.clone(), self.citable());
        self.trees += 1;
        self.tree = Some(BoxTree { number, board, queens, bounds, text, lines_before, format: self.format });
        Ok(())
    }

    /// Parses the last statement of a bound, and returns the bound.
    fn read_at_most(&self, bound: &str) -> Result<u64, ProofError> {
        let at_most = self.lines.parse_number(bound)?;
        match self.citable().get(&self.board.with_sorted_sides()) {
            Some(bound) if bound <= at_most => Ok(at_most),
            Some(shown) => {
                let fault = format!("the proof shows at most {shown}, not {at_most}");
                Err(self.lines.fault(Reason::from(fault).at(bound)))
            }
            None => Err(self.lines.fault(format!("the proof ends without a bound of {}", self.board))),
        }
    }

    /// Parses the last statement of a count, and returns the count.
    fn read_count(&self, size: &str, sets: &str) -> Result<SolutionCount, ProofError> {
        let (size, sets) = (self.lines.parse_number(size)?, self.lines.parse_number(sets)?);
        match self.counts.get(&size) {
            Some(&listed) if listed == sets => {}
            Some(listed) => {
                let fault = format!("the proof lists {}, not {sets}", counted(*listed, "solution"));
                return Err(self.lines.fault(fault));
            }
            None => {
                return Err(self
                    .lines
                    .fault(format!("the proof does not list the solutions of size {size}")));
            }
        }
        let no_more_fit =
            self.citable().get(&self.board.with_sorted_sides()).is_some_and(|bound| bound <= size);
        Ok(SolutionCount { size, sets, no_more_fit })
    }

    /// Checks a line `solutions size sets`, with the list and the tree that shows that the list is complete.
    fn read_solutions(&mut self, size: &str, sets: &str) -> Result<(), ProofError> {
        let (size, sets) = (self.lines.parse_number(size)?, self.lines.parse_number(sets)?);
        let board = self.board.clone();
        let listed = SolutionList::read(&mut self.lines, &Graph::new(&*definition(&board))?, size, sets)?;
        self.check_search(&board, Some(size), Some(&listed))?;
        self.counts.insert(size, sets);
        Ok(())
    }

    /// Checks a line `box sides bound method`, with the tree that may follow.
    fn read_box(&mut self, words: &str, bound: &str, method: &[&str]) -> Result<(), ProofError> {
        let BoardName::Grid { piece, torus: false, sides: axes } = self.board.clone() else {
            let fault = format!("{} is not a plain box, so there are no bounds of boxes", self.board);
            return Err(self.lines.fault(fault));
        };
        let sides =
            words.split('x').map(|n| self.lines.parse_number::<u32>(n)).collect::<Result<Vec<_>, _>>()?;
        if sides.contains(&0) || !sides.is_sorted() {
            let fault = Reason::from("sides must be positive and in increasing order");
            return Err(self.lines.fault(fault.at(words)));
        }
        if sides.len() != axes.len() {
            let fault = format!("a box in {} has {}", self.board, counted(axes.len() as u64, "side"));
            return Err(self.lines.fault(Reason::from(fault).at(words)));
        }
        let bound: u64 = self.lines.parse_number(bound)?;
        let name = BoardName::grid(piece, false, &sides);
        let proved = match method {
            ["lines"] => self.lines_bound(piece, &sides)?,
            ["cut", axis, width] => self.cut_bound(&name, &sides, axis, width)?,
            ["search"] => {
                self.take_or_check_tree(&name, bound.checked_add(1))?;
                u128::from(bound)
            }
            _ => {
                return Err(self
                    .lines
                    .unreadable("a bound is shown by \"lines\", \"cut axis width\" or \"search\""));
            }
        };
        if proved > u128::from(bound) {
            return Err(self
                .lines
                .fault(format!("this shows at most {} on {name}, not {bound}", counted(proved, "queen"))));
        }
        self.bounds.insert(self.statement, name, bound);
        self.boxes += 1;
        Ok(())
    }

    /// Checks a line `search bound` with its tree, for a board that is not a plain box.
    fn read_search(&mut self, bound: &str) -> Result<(), ProofError> {
        let board = self.board.clone();
        if let BoardName::Grid { torus: false, .. } = board {
            return Err(self.lines.fault(format!("expected \"box ...\", because {board} is a plain box")));
        }
        let bound: u64 = self.lines.parse_number(bound)?;
        self.check_search(&board, bound.checked_add(1), None)?;
        self.bounds.insert(self.statement, board.with_sorted_sides(), bound);
        self.boxes += 1;
        Ok(())
    }

    fn lines_bound(&self, piece: Piece, sides: &[u32]) -> Result<u128, ProofError> {
        let (longest, others) = sides.split_last().expect("a box has sides");
        if piece == Piece::Bishop && *longest > 1 {
            return Err(self.lines.fault("bishops do not attack along an axis"));
        }
        // A saturated product is larger than any bound.
        Ok(others.iter().fold(1u128, |product, &n| product.saturating_mul(u128::from(n))))
    }

    fn cut_bound(
        &self,
        name: &BoardName,
        sides: &[u32],
        axis: &str,
        width: &str,
    ) -> Result<u128, ProofError> {
        let (axis, width) = (read_axis(&self.lines, axis, sides)?, self.lines.parse_number(width)?);
        if width == 0 || width >= sides[axis] {
            return Err(self
                .lines
                .fault(format!("there is no cut of width {width} across axis {}", axis + 1)));
        }
        let bounds = self.citable();
        let boxes = bounds.boxes(name).expect("a plain box");
        let part = |n| bound_of_slab(&self.lines, boxes, sides, axis, n);
        Ok(u128::from(part(width)?) + u128::from(part(sides[axis] - width)?))
    }

    /// Checks order, slabs and tree of a search for `queens` queens, which finds no solutions except those
    /// listed; `queens` is `None` for 2^64 queens.
    fn check_search(
        &mut self,
        name: &BoardName,
        queens: Option<u64>,
        listed: Option<&SolutionList>,
    ) -> Result<(), ProofError> {
        let bounds = self.citable();
        let (squares, regions) = read_order_and_slabs(&mut self.lines, name, queens, &bounds)?;
        let (steps, first_line) = (Steps::default(), self.lines.line_number());
        let boxes = bounds.boxes(name);
        let tree = TreeChecker::new(&mut self.lines, self.format, &squares, boxes, regions, &steps);
        self.nodes += tree.with_solutions(listed).check()?;
        self.steps.add(steps.total()).map_err(|many| too_many_steps(&many, first_line))
    }
}

/// Returns the bound of a box whose side along one axis is replaced by `n`.
fn bound_of_slab(
    lines: &Lines<'_>,
    boxes: Boxes<'_>,
    sides: &[u32],
    axis: usize,
    n: u32,
) -> Result<u64, ProofError> {
    if n == 0 {
        return Ok(0);
    }
    let mut sides = sides.to_vec();
    sides[axis] = n;
    boxes.bound(&sides).map_err(|part| lines.fault(format!("no bound of {part} has been proved")))
}

/// Parses an axis, which is counted from 1.
fn read_axis(lines: &Lines<'_>, word: &str, sides: &[u32]) -> Result<usize, ProofError> {
    let axis = lines.parse_number::<usize>(word)?.checked_sub(1).filter(|&axis| axis < sides.len());
    axis.ok_or_else(|| lines.fault(Reason::from(format!("there is no axis {word}")).at(word)))
}

/// Reads the lines before a tree and the first line of the tree. Returns the squares and the regions.
fn read_order_and_slabs(
    lines: &mut Lines<'_>,
    name: &BoardName,
    queens: Option<u64>,
    bounds: &CitableBounds,
) -> Result<(Squares, Vec<Region>), ProofError> {
    lines.read_line()?;
    let order = lines.text.strip_prefix("order ").and_then(Order::from_name);
    let order =
        order.ok_or_else(|| lines.unreadable("expected \"order lexicographic\" or \"order morton\""))?;
    let squares = Squares::new(&*definition(name), order)?;
    let queens = queens.ok_or_else(|| lines.fault(Reason::limit(TOO_LARGE)))?;
    let mut regions = vec![Region::whole(&squares, queens)];
    lines.read_line()?;
    while let Some(slab) = lines.text.strip_prefix("slab ") {
        let slab = read_slab(lines, slab, name, bounds, &regions[0], &squares)?;
        regions.push(slab);
        lines.read_line()?;
    }
    Ok((squares, regions))
}

/// Parses the slab `axis from-to demand`, which must hold the queens that do not fit outside.
fn read_slab(
    lines: &Lines<'_>,
    text: &str,
    name: &BoardName,
    bounds: &CitableBounds,
    whole: &Region,
    squares: &Squares,
) -> Result<Region, ProofError> {
    const FORM: &str = "expected \"slab axis from-to demand\"";
    let (BoardName::Grid { sides, torus, .. }, &[axis, layers, demand]) =
        (name, text.split(' ').collect::<Vec<_>>().as_slice())
    else {
        return Err(lines.unreadable(FORM));
    };
    let Some((from, to)) = layers.split_once('-') else { return Err(lines.unreadable(FORM)) };
    let (from, to) = (lines.parse_number::<u32>(from)?, lines.parse_number::<u32>(to)?);
    let sides = if *torus { &[][..] } else { sides.as_slice() };
    let axis = read_axis(lines, axis, sides)?;
    let side = sides[axis];
    if from > to || to >= side {
        let fault = format!("the layers of a slab are from 0 to {}, the smaller number first", side - 1);
        return Err(lines.fault(Reason::from(fault).at(layers)));
    }
    if from != 0 && to != side - 1 {
        return Err(lines.fault(Reason::from("a slab must lie at a face of the box").at(layers)));
    }
    let boxes = bounds.boxes(name).expect("a plain box");
    let outside = bound_of_slab(lines, boxes, sides, axis, side - (to - from + 1))?;
    let (demanded, must) = (lines.parse_number(demand)?, whole.demand.saturating_sub(outside));
    if demanded > must {
        let queens = counted(must, "queen");
        let fault = format!("the rest of the box leaves {queens} for the slab, not {demanded}");
        return Err(lines.fault(Reason::from(fault).at(demand)));
    }
    Ok(whole.restrict(squares, axis, Layers { from, to, demand: demanded }))
}
