//! Checks proof trees: that no more than so many queens fit on a board, or that so many sets of queens fit and no others, step
//! by step and in integers.
//!
//! The form of a proof, and why each step is sound, is told in `docs/proof-format.md`; nothing is shared with the code that
//! writes proofs. A step is accepted only for one of these reasons:
//!
//! - *lines*: a box falls into as many parallel lines along its longest side as squares divided by that side.
//! - *cut*: a box falls into two boxes whose bounds were proved further up.
//! - *demand*: a slab at a face of a box must hold what does not fit into the rest, whose bound was proved further up.
//! - *cover*: a region that must still hold `m` queens has its free squares covered by `m - 1` cliques, apart from squares on
//!   which each queen is tried in turn. The cliques are first-fit ones, made again here, or named, and then tested pair by pair.
//! - *sum*: cliques and boxes with integer multipliers count every free square `denominator` times or more, apart from
//!   squares on which each queen is tried in turn, and what they can hold, less the queens placed, comes to less than
//!   `denominator` times the queens that are still asked for. The bounds of the boxes were proved further up. In format 3, rows may
//!   also be boxes with a stride, odd cycles, and the inequalities of class counts of bounds, which weight squares.
//! - *orbit*: a map that keeps every attack, the queens placed, the free squares and what is assumed takes a solution to a
//!   solution; in a count it must keep the solutions listed, too.
//! - *part*: layers of a region must hold what does not fit into the region on both sides of them, by bounds proved further up.
//! - *layers*: the queens of each layer across an axis, as far as the bounds of the boxes proved further up allow, satisfy one
//!   of the cases; a tree for each of them follows, in which the case is assumed.
//! - *solution*: in a count, the queens placed are all that are asked for, and are one of the solutions listed.

mod ahead;
mod aside;
mod clique;
mod job;
mod joint;
mod layers;
mod listed;
mod order;
mod rows;
mod seats;
mod symmetry;
mod tree;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use std::sync::Arc;

use ndqueens_notation::name::{BoardName, Piece};

pub use self::ahead::CheckedAhead;
use self::aside::Aside;
use self::job::{Job, LONGEST};
use self::layers::Steps;
use self::listed::Listed;
use self::order::{Order, Squares};
use self::rows::Boxes;
use self::tree::{Region, Tree};
use crate::boards::definition;
use crate::fault::{FaultKind, Reason};
use crate::graph::{Graph, TooManySquares};
use crate::reader::{self, Fault};

/// Header of format 2.
const HEADER: &str = "ndqueens proof 2";

/// Header of format 3, which has further rows in lines `sum`.
const HEADER_OF_ROWS: &str = "ndqueens proof 3";

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Two,
    Three,
}

/// Fault of a bound of 2^64 - 1, since one piece more has no 64-bit number.
const TOO_LARGE: &str = "one piece more than the bound has no 64-bit number";

/// What is wrong with a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The file cannot be read.
    #[error("the proof cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The check was stopped from outside.
    #[error("the check was stopped before its end")]
    Stopped,
    /// A step is not accepted.
    #[error("line {line} of the proof: {fault}")]
    Step {
        /// Line, counted from 1.
        line: u64,
        /// Kind of the fault.
        kind: FaultKind,
        /// What is wrong there.
        fault: String,
    },
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
}

impl ProofError {
    /// Returns the kind of the fault.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::Unreadable(_) => FaultKind::Unreadable,
            Self::Step { kind, .. } => *kind,
            Self::Stopped | Self::TooManySquares(_) => FaultKind::Limit,
        }
    }
}

impl From<Fault> for ProofError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unreadable(error) if error.kind() == io::ErrorKind::TimedOut => Self::Stopped,
            Fault::Unreadable(error) => Self::Unreadable(error),
            Fault::Line(line, Reason { kind, words }) => Self::Step { line, kind, fault: words },
        }
    }
}

/// What a proof shows: a bound, or a number of solutions. Only [`check`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proved {
    board: BoardName,
    at_most: Option<u64>,
    count: Option<Count>,
    nodes: u64,
    boxes: u64,
    bounds: HashMap<BoardName, u64>,
}

/// How many independent sets of a size a board has, by a proof that lists them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The size of the sets.
    pub size: u64,
    /// How many there are.
    pub sets: u64,
    /// Whether the proof shows, too, that no more queens fit: then the sets are the maximum ones, if there is one.
    pub no_more_fit: bool,
}

impl Proved {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// No more queens than this fit; `None` for a count that leaves this open.
    #[must_use]
    pub fn at_most(&self) -> Option<u64> {
        self.at_most
    }

    /// The number of solutions, when the proof is that of a count.
    #[must_use]
    pub fn count(&self) -> Option<Count> {
        self.count
    }

    /// No more queens than this fit on a box that the proof bounds on the way, or on the board itself.
    #[must_use]
    pub fn upper(&self, board: &BoardName) -> Option<u64> {
        self.bounds.get(&board.sorted()).copied()
    }

    /// All boxes that the proof bounds, sides sorted, the board itself included.
    pub fn bounds(&self) -> impl Iterator<Item = (&BoardName, u64)> {
        self.bounds.iter().map(|(board, &most)| (board, most))
    }

    /// Nodes of all trees.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Bounds of boxes proved on the way, the board's included.
    #[must_use]
    pub fn boxes(&self) -> u64 {
        self.boxes
    }
}

/// Checks a proof from its first line to its last. Reading the name of a file board is left to `read_board`.
///
/// ```
/// use ndqueens_crosscheck::proof::check;
///
/// let proof = "ndqueens proof 2\nboard torus:2^2\nsearch 1\norder lexicographic\nnodes a\nat most 1\nend\n";
/// let read_board = |name: &str| name.parse().map_err(|fault| format!("{fault}"));
/// assert_eq!(check(proof.as_bytes(), &read_board)?.at_most(), Some(1));
/// let forged = proof.replace("search 1", "search 0").replace("most 1", "most 0");
/// assert!(check(forged.as_bytes(), &read_board).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// At the first step that is not accepted, or when the proof ends too early.
pub fn check(
    mut proof: impl BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, String>,
) -> Result<Proved, ProofError> {
    check_lines(&mut proof, read_board, None)
}

/// The same with so many threads for the trees of boxes, which are checked beside each other, unless they were checked `ahead`. Stops in a
/// fault of reading when `go_on` says so.
///
/// # Errors
/// As [`check`], whatever the number of threads.
pub fn check_on(
    threads: usize,
    mut proof: impl BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, String>,
    ahead: &CheckedAhead,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Result<Proved, ProofError> {
    let read = |aside: Aside<'_>| check_lines(&mut proof, read_board, Some(aside));
    let (proved, nodes) = aside::with_threads(threads.max(1), ahead, go_on, read)?;
    Ok(Proved { nodes: proved.nodes + nodes, ..proved })
}

/// Not generic, so that it is compiled with the profile of this crate, which traps on overflow.
fn check_lines<'p>(
    proof: &'p mut dyn BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, String>,
    aside: Option<Aside<'p>>,
) -> Result<Proved, ProofError> {
    let mut lines = Lines::new(proof, "proof");
    let format = match lines.header_among(&[HEADER, HEADER_OF_ROWS])? {
        HEADER => Format::Two,
        _ => Format::Three,
    };
    let board = lines.board(read_board)?;
    if let BoardName::File(file) = &board {
        lines.next()?;
        if lines.text != format!("digest sha256 {}", file.digest()) {
            return Err(lines.unreadable("expected \"digest sha256 ...\" of the board file, as it is now"));
        }
    }
    let mut checker = Checker { aside, format, ..Checker::new(lines) };
    let (at_most, count) = loop {
        checker.lines.next()?;
        let line = checker.lines.text.clone();
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["box", sides, bound, how @ ..] => checker.lemma(&board, sides, bound, how)?,
            ["search", bound] => checker.whole(&board, bound)?,
            ["solutions", size, sets] => checker.solutions(&board, size, sets)?,
            ["at", "most", bound] => break (Some(checker.at_most(&board, bound)?), None),
            ["count", size, sets] => {
                let count = checker.count(&board, size, sets)?;
                break (checker.lemmas.get(&board.sorted()).copied(), Some(count));
            }
            _ => return Err(no_statement(&checker.lines)),
        }
    };
    checker.lines.end()?;
    let Checker { lemmas: bounds, nodes, boxes, .. } = checker;
    Ok(Proved { board, at_most, count, nodes, boxes, bounds })
}

type Lines<'p> = reader::Lines<'p, ProofError>;

/// How statements begin, as no line of a tree does.
const STATEMENTS: [&str; 5] = ["box", "search", "solutions", "at", "count"];

struct Checker<'p> {
    lines: Lines<'p>,
    format: Format,
    /// Where trees of boxes are checked, if that is elsewhere.
    aside: Option<Aside<'p>>,
    lemmas: HashMap<BoardName, u64>,
    /// For the sizes of which all solutions were listed, how many there are.
    counts: BTreeMap<u64, u64>,
    nodes: u64,
    boxes: u64,
    /// Steps of all case splits, those of trees that are checked elsewhere included.
    steps: Arc<Steps>,
}

/// Whether the first word of a line is that of a statement.
fn is_statement(line: &[u8]) -> bool {
    let end = line.iter().position(|byte| b" \n".contains(byte)).unwrap_or(line.len());
    STATEMENTS.iter().any(|word| word.as_bytes() == &line[..end])
}

/// What a tree may take from what was proved further up.
fn boxes<'a>(board: &BoardName, lemmas: &'a HashMap<BoardName, u64>) -> Option<Boxes<'a>> {
    match board {
        BoardName::Grid { piece, torus: false, .. } => Some((*piece, lemmas)),
        _ => None,
    }
}

fn no_statement(lines: &Lines<'_>) -> ProofError {
    lines.unreadable(
        "expected \"box ...\", \"search ...\", \"solutions ...\", \"at most ...\" or \"count ...\"",
    )
}

impl<'p> Checker<'p> {
    fn new(lines: Lines<'p>) -> Self {
        Self {
            lines,
            format: Format::Two,
            aside: None,
            lemmas: HashMap::new(),
            counts: BTreeMap::new(),
            nodes: 0,
            boxes: 0,
            steps: Arc::default(),
        }
    }

    /// The tree of a box, checked here or elsewhere.
    fn tree(&mut self, board: &BoardName, queens: Option<u64>, sides: &[u32]) -> Result<(), ProofError> {
        let lines_before = self.lines.read_so_far();
        let text = match self.aside {
            Some(_) => self.lines.up_to(is_statement, LONGEST)?,
            None => None,
        };
        let (Some(aside), Some(text)) = (&mut self.aside, text) else {
            return self.search(board, queens, sides, None);
        };
        let (board, sides, lemmas) = (board.clone(), sides.to_vec(), self.lemmas.clone());
        let (steps, format) = (Arc::clone(&self.steps), self.format);
        match aside.hand_over(Job { board, sides, queens, lemmas, text, lines_before, steps, format }) {
            true => Ok(()),
            false => Err(io::Error::other("the threads that check trees are gone").into()),
        }
    }

    /// The last statement of a bound.
    fn at_most(&self, board: &BoardName, bound: &str) -> Result<u64, ProofError> {
        let at_most = self.lines.number(bound)?;
        match self.lemmas.get(&board.sorted()) {
            Some(&bound) if bound <= at_most => Ok(at_most),
            Some(bound) => Err(self.lines.fault(format!("the proof shows at most {bound}, not {at_most}"))),
            None => Err(self.lines.fault(format!("the proof ends without a bound of {board}"))),
        }
    }

    /// The last statement of a count.
    fn count(&self, board: &BoardName, size: &str, sets: &str) -> Result<Count, ProofError> {
        let (size, sets) = (self.lines.number(size)?, self.lines.number(sets)?);
        match self.counts.get(&size) {
            Some(&listed) if listed == sets => {}
            Some(listed) => {
                return Err(self.lines.fault(format!("the proof lists {listed} solutions, not {sets}")));
            }
            None => {
                return Err(self
                    .lines
                    .fault(format!("the proof does not list the solutions of size {size}")));
            }
        }
        let no_more_fit = self.lemmas.get(&board.sorted()).is_some_and(|&bound| bound <= size);
        Ok(Count { size, sets, no_more_fit })
    }

    /// A line `solutions size sets`, with the list and the tree that shows that there are no others.
    fn solutions(&mut self, board: &BoardName, size: &str, sets: &str) -> Result<(), ProofError> {
        let (size, sets) = (self.lines.number(size)?, self.lines.number(sets)?);
        let listed = Listed::read(&mut self.lines, &Graph::new(&*definition(board))?, size, sets)?;
        let sides = match board {
            BoardName::Grid { torus: false, sides, .. } => sides.as_slice(),
            _ => &[],
        };
        self.search(board, Some(size), sides, Some(&listed))?;
        self.counts.insert(size, sets);
        Ok(())
    }

    /// A line `box sides bound how`, with the tree that may follow.
    fn lemma(&mut self, board: &BoardName, sides: &str, bound: &str, how: &[&str]) -> Result<(), ProofError> {
        let BoardName::Grid { piece, torus: false, sides: axes } = board else {
            return Err(self
                .lines
                .fault(format!("{board} is not a plain box, so there are no bounds of boxes")));
        };
        let sides = sides.split('x').map(|n| self.lines.number::<u32>(n)).collect::<Result<Vec<_>, _>>()?;
        if sides.contains(&0) || !sides.is_sorted() {
            return Err(self.lines.fault("sides must be positive and in increasing order"));
        }
        if sides.len() != axes.len() {
            return Err(self.lines.fault(format!("a box in {board} has {} sides", axes.len())));
        }
        let bound: u64 = self.lines.number(bound)?;
        let name = BoardName::grid(*piece, false, &sides);
        let shown = match how {
            ["lines"] => self.lines_bound(*piece, &sides)?,
            ["cut", axis, width] => self.cut_bound(*piece, &sides, axis, width)?,
            ["search"] => {
                self.tree(&name, bound.checked_add(1), &sides)?;
                u128::from(bound)
            }
            _ => {
                return Err(self
                    .lines
                    .unreadable("a bound is shown by \"lines\", \"cut axis width\" or \"search\""));
            }
        };
        if shown > u128::from(bound) {
            return Err(self
                .lines
                .fault(format!("this shows at most {shown} queens on {name}, not {bound}")));
        }
        let known = self.lemmas.entry(name).or_insert(bound);
        *known = bound.min(*known);
        self.boxes += 1;
        Ok(())
    }

    /// A line `search bound` with its tree, for a board that is not a plain box.
    fn whole(&mut self, board: &BoardName, bound: &str) -> Result<(), ProofError> {
        if let BoardName::Grid { torus: false, .. } = board {
            return Err(self.lines.fault(format!("expected \"box ...\", because {board} is a plain box")));
        }
        let bound: u64 = self.lines.number(bound)?;
        self.search(board, bound.checked_add(1), &[], None)?;
        self.lemmas.insert(board.sorted(), bound);
        self.boxes += 1;
        Ok(())
    }

    fn lines_bound(&self, piece: Piece, sides: &[u32]) -> Result<u128, ProofError> {
        let (longest, others) = sides.split_last().expect("a box has sides");
        if piece == Piece::Bishop && *longest > 1 {
            return Err(self.lines.fault("bishops do not attack along an axis"));
        }
        // A product that reaches the largest number is larger than any bound.
        Ok(others.iter().fold(1u128, |product, &n| product.saturating_mul(u128::from(n))))
    }

    fn cut_bound(&self, piece: Piece, sides: &[u32], axis: &str, width: &str) -> Result<u128, ProofError> {
        let (axis, width) = (self.axis(axis, sides)?, self.lines.number(width)?);
        if width == 0 || width >= sides[axis] {
            return Err(self
                .lines
                .fault(format!("there is no cut of width {width} across axis {}", axis + 1)));
        }
        let parts = [width, sides[axis] - width].map(|n| self.bound_of(piece, sides, axis, n));
        let [first, second] = parts;
        Ok(u128::from(first?) + u128::from(second?))
    }

    /// The bound, proved further up, of a box with one side changed to `n`.
    fn bound_of(&self, piece: Piece, sides: &[u32], axis: usize, n: u32) -> Result<u64, ProofError> {
        if n == 0 {
            return Ok(0);
        }
        let mut sides = sides.to_vec();
        sides[axis] = n;
        let part = BoardName::grid(piece, false, &sides).sorted();
        let bound = self.lemmas.get(&part).copied();
        bound.ok_or_else(|| self.lines.fault(format!("no bound of {part} has been proved")))
    }

    /// An axis, which is counted from 1.
    fn axis(&self, word: &str, sides: &[u32]) -> Result<usize, ProofError> {
        let axis = self.lines.number::<usize>(word)?.checked_sub(1).filter(|&axis| axis < sides.len());
        axis.ok_or_else(|| self.lines.fault(format!("there is no axis {word}")))
    }

    /// Order, slabs and tree of a search for so many queens, which finds no solutions but those listed; `None` stands for
    /// more queens than can be reckoned with.
    fn search(
        &mut self,
        name: &BoardName,
        queens: Option<u64>,
        sides: &[u32],
        listed: Option<&Listed>,
    ) -> Result<(), ProofError> {
        let (squares, regions) = self.order_and_slabs(name, queens, sides)?;
        let boxes = boxes(name, &self.lemmas);
        let tree = Tree::new(&mut self.lines, self.format, &squares, boxes, regions, &self.steps);
        self.nodes += tree.listing(listed).check()?;
        Ok(())
    }

    /// What stands before a tree, and its first line.
    fn order_and_slabs(
        &mut self,
        name: &BoardName,
        queens: Option<u64>,
        sides: &[u32],
    ) -> Result<(Squares, Vec<Region>), ProofError> {
        self.lines.next()?;
        let order = self.lines.text.strip_prefix("order ").and_then(Order::named);
        let order = order
            .ok_or_else(|| self.lines.unreadable("expected \"order lexicographic\" or \"order morton\""))?;
        let squares = Squares::new(&*definition(name), order)?;
        let queens = queens.ok_or_else(|| self.lines.fault(Reason::limit(TOO_LARGE)))?;
        let mut regions = vec![Region::whole(&squares, queens)];
        self.lines.next()?;
        while let Some(slab) = self.lines.text.strip_prefix("slab ") {
            let slab = slab.to_owned();
            let slab = self.slab(&slab, name, sides, &regions[0], &squares)?;
            regions.push(slab);
            self.lines.next()?;
        }
        Ok((squares, regions))
    }

    /// The slab `axis from-to demand`, which must hold what does not fit outside.
    fn slab(
        &self,
        text: &str,
        name: &BoardName,
        sides: &[u32],
        whole: &Region,
        squares: &Squares,
    ) -> Result<Region, ProofError> {
        let (&BoardName::Grid { piece, .. }, &[axis, layers, demand]) =
            (name, text.split(' ').collect::<Vec<_>>().as_slice())
        else {
            return Err(self.lines.unreadable("expected \"slab axis from-to demand\""));
        };
        let Some((from, to)) = layers.split_once('-') else {
            return Err(self.lines.unreadable("expected \"slab axis from-to demand\""));
        };
        let (from, to) = (self.lines.number::<u32>(from)?, self.lines.number::<u32>(to)?);
        let axis = self.axis(axis, sides)?;
        let side = sides[axis];
        if from > to || to >= side || (from != 0 && to != side - 1) {
            return Err(self.lines.fault("a slab must lie at a face of the box"));
        }
        let outside = self.bound_of(piece, sides, axis, side - (to - from + 1))?;
        let (demand, must) = (self.lines.number(demand)?, whole.demand.saturating_sub(outside));
        if demand > must {
            return Err(self
                .lines
                .fault(format!("the slab must hold {must} queens, and need not hold {demand}")));
        }
        Ok(whole.inside(squares, axis, (from, to), demand))
    }
}
