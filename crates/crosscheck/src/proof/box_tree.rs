//! Trees of boxes that are checked separately from the rest of their proof, in any order, and in pieces.
//!
//! The tree of a box depends on its statement and on the bounds before it, but on no other tree.
//! [`Statements`] reads a proof and returns its trees as [`BoxTree`]s; each of them is checked by a pure
//! function, [`BoxTree::check`], whose result is a [`CheckedTree`]. [`Statements::conclude`] requires the
//! result of every tree.
//!
//! A long tree can be checked in pieces. A [`SplitPoint`] is a guess, which need not be trusted, of the state
//! of the check at a line: which case begins there, or which squares are free at a node of the root. The
//! piece after it is checked from that state, and [`OpenedTree::join`] requires that the piece before it
//! arrived at the same line in the same state.
//!
//! [`Statements`]: super::Statements
//! [`Statements::conclude`]: super::Statements::conclude

use std::cell::Cell;
use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use std::ptr;
use std::sync::Arc;

use ndqueens_notation::name::BoardName;

use super::bounds::{CitableBounds, ProvedBounds};
use super::layers::Steps;
use super::order::Squares;
use super::split_point::{SplitPoint, State};
use super::tree::{Extent, Region, TreeChecker};
use super::{
    Format, Lines, ProofError, expected_statement, is_statement, read_order_and_slabs, symmetry,
    too_many_steps,
};

/// Maximum length in bytes of a tree that [`Statements`](super::Statements) returns. It checks longer trees
/// while it reads them.
pub const MAX_TREE_BYTES: usize = 1 << 26;

/// Tree of a box, with its statement and the bounds that it may cite.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use ndqueens_crosscheck::proof::BoxTree;
///
/// // First-fit cliques cover the squares of 2x2, so no two queens fit.
/// let text = b"order lexicographic\nnodes a\n".to_vec();
/// let tree = BoxTree::new("2x2".parse()?, 1, [].into(), text).map(Arc::new).expect("a plain box");
/// assert!(tree.check(&|| false).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoxTree {
    /// Number of the tree in its proof, counted from 0.
    pub(super) number: usize,
    pub(super) board: BoardName,
    /// Number of queens that the tree shows not to fit; `None` for 2^64.
    pub(super) queens: Option<u64>,
    pub(super) bounds: CitableBounds,
    /// Lines of the tree, and the line after them, if there is one.
    pub(super) text: Vec<u8>,
    /// Number of lines of the proof before `text`.
    pub(super) lines_before: u64,
    pub(super) format: Format,
}

/// Tree that was accepted; only its check creates one.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use ndqueens_crosscheck::proof::BoxTree;
///
/// // First-fit cliques cover the squares of 2x2, so no two queens fit.
/// let text = b"order lexicographic\nnodes a\n".to_vec();
/// let tree = BoxTree::new("2x2".parse()?, 1, [].into(), text).map(Arc::new).expect("a plain box");
/// let checked = tree.check(&|| false)?;
/// assert!(checked.reuse_for(&tree, &tree).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CheckedTree {
    /// Bounds of its proof, which identify the proof.
    proved: Arc<ProvedBounds>,
    number: usize,
    nodes: u64,
    /// Steps of its case splits.
    steps: u64,
    /// Line of its first node.
    first_line: u64,
}

impl BoxTree {
    /// Creates a tree for the claim that at most `at_most` queens fit on `board`. The tree belongs to no
    /// proof; it may cite `bounds`. `text` contains its lines, without the statement that follows them in a
    /// proof. Returns `None` if the board is not a plain box, or if the text does not end with a line feed.
    #[must_use]
    pub fn new(
        board: BoardName,
        at_most: u64,
        bounds: HashMap<BoardName, u64>,
        text: Vec<u8>,
    ) -> Option<Self> {
        if !matches!(board, BoardName::Grid { torus: false, .. }) || !text.ends_with(b"\n") {
            return None;
        }
        let proved = ProvedBounds::default();
        bounds.into_iter().for_each(|(board, bound)| proved.insert(0, board, bound));
        let bounds = CitableBounds { proved: Arc::new(proved), before: 1 };
        // A tree that is accepted in format 2 is also accepted in format 3.
        let format = Format::Two;
        let queens = at_most.checked_add(1);
        Some(Self { number: 0, board, queens, bounds, text, lines_before: 0, format })
    }

    /// Returns the number of the tree among those that [`Statements`](super::Statements) returns, counted
    /// from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the box that the tree is about.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// Returns the number of queens that the tree shows not to fit, or `None` if that number is 2^64.
    #[must_use]
    pub fn queens(&self) -> Option<u64> {
        self.queens
    }

    /// Returns the lines of the tree, and the line after them, if there is one.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Reads the lines before the first node.
    ///
    /// # Errors
    /// Returns an error if they are not accepted.
    pub fn open(self: &Arc<Self>) -> Result<OpenedTree, ProofError> {
        let mut text = self.text.as_slice();
        let mut lines = Lines::after(&mut text, "proof", self.lines_before);
        let (squares, regions) = read_order_and_slabs(&mut lines, &self.board, self.queens, &self.bounds)?;
        let first_line = lines.line_number();
        let before = usize::try_from(first_line - 1 - self.lines_before).expect("a line of a text in memory");
        let offset = self.text.split_inclusive(|&byte| byte == b'\n').take(before).map(<[u8]>::len).sum();
        Ok(OpenedTree { tree: Arc::clone(self), squares, regions, first_line, offset })
    }

    /// Checks the tree, and that only a statement may follow it.
    ///
    /// # Errors
    /// Returns an error at the first step that is not accepted, or [`ProofError::Stopped`] if `stop` returns
    /// `true`.
    pub fn check(self: &Arc<Self>, stop: &dyn Fn() -> bool) -> Result<CheckedTree, ProofError> {
        let opened = self.open()?;
        opened.join([opened.check_piece(None, None, stop)])
    }
}

impl CheckedTree {
    /// Converts the result of `checked` to the result of `other`. Returns `None` unless `self` is the result
    /// of `checked`, both trees have the same text, box and target, and `other` may cite every bound that
    /// `checked` may cite, or a lower one.
    #[must_use]
    pub fn reuse_for(&self, checked: &BoxTree, other: &BoxTree) -> Option<Self> {
        let is_checked = Arc::ptr_eq(&self.proved, &checked.bounds.proved) && self.number == checked.number;
        let is_same = (&checked.board, checked.queens) == (&other.board, other.queens);
        let rest = other.text.strip_prefix(checked.text.as_slice())?;
        let bounds = checked.bounds.proved.least();
        let is_proved = |(board, &bound): (&BoardName, &u64)| {
            checked.bounds.get(board).is_none() || other.bounds.get(board).is_some_and(|known| known <= bound)
        };
        let holds = is_checked
            && is_same
            && (checked.format == Format::Two || other.format == checked.format)
            && (rest.is_empty() || is_statement(rest))
            && bounds.iter().all(is_proved);
        let first_line = self.first_line.checked_sub(checked.lines_before)? + other.lines_before;
        let proved = Arc::clone(&other.bounds.proved);
        holds.then_some(Self {
            proved,
            number: other.number,
            nodes: self.nodes,
            steps: self.steps,
            first_line,
        })
    }
}

/// Returns the number of nodes of all `trees` trees of a proof with these bounds.
///
/// # Errors
/// Returns an error if a result is missing, or if all case splits together have too many steps.
pub(super) fn sum_nodes(
    trees: usize,
    proved: &Arc<ProvedBounds>,
    steps: &Steps,
    checked: impl IntoIterator<Item = CheckedTree>,
) -> Result<u64, ProofError> {
    let mut by_number: Vec<Option<CheckedTree>> = vec![None; trees];
    for tree in checked {
        let is_of_proof = Arc::ptr_eq(&tree.proved, proved);
        if let Some(place) = by_number.get_mut(tree.number).filter(|_| is_of_proof) {
            *place = Some(tree);
        }
    }
    let mut nodes = 0;
    for tree in by_number {
        let tree = tree.ok_or_else(|| io::Error::other("a tree of the proof was not checked"))?;
        steps.add(tree.steps).map_err(|many| too_many_steps(&many, tree.first_line))?;
        nodes += tree.nodes;
    }
    Ok(nodes)
}

/// Tree whose lines before the first node have been read.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use ndqueens_crosscheck::proof::BoxTree;
///
/// // First-fit cliques cover the squares of 2x2, so no two queens fit.
/// let text = b"order lexicographic\nnodes a\n".to_vec();
/// let tree = BoxTree::new("2x2".parse()?, 1, [].into(), text).map(Arc::new).expect("a plain box");
/// let opened = tree.open()?;
/// assert_eq!((opened.size(), opened.first_node().0), (4, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct OpenedTree {
    tree: Arc<BoxTree>,
    squares: Squares,
    regions: Vec<Region>,
    /// Line of the first node, counted from 1 in the proof.
    first_line: u64,
    /// Offset of that line in the text of the tree, in bytes.
    offset: usize,
}

/// Piece of a tree that was accepted; only its check creates one.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use ndqueens_crosscheck::proof::BoxTree;
///
/// // First-fit cliques cover the squares of 2x2, so no two queens fit.
/// let text = b"order lexicographic\nnodes a\n".to_vec();
/// let tree = BoxTree::new("2x2".parse()?, 1, [].into(), text).map(Arc::new).expect("a plain box");
/// let opened = tree.open()?;
/// let piece = opened.check_piece(None, None, &|| false)?;
/// assert!(!piece.ended_at_split_point());
/// assert!(opened.join([Ok(piece)]).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CheckedPiece {
    tree: Arc<BoxTree>,
    from: Option<SplitPoint>,
    /// Point at which it ended; `None` at the end of the tree.
    ended_at: Option<SplitPoint>,
    nodes: u64,
    steps: u64,
}

impl CheckedPiece {
    /// Returns `true` if the piece ended at its split point, and `false` if it was checked to the end of the
    /// tree.
    #[must_use]
    pub fn ended_at_split_point(&self) -> bool {
        self.ended_at.is_some()
    }
}

impl OpenedTree {
    /// Returns the tree.
    #[must_use]
    pub fn tree(&self) -> &Arc<BoxTree> {
        &self.tree
    }

    /// Returns the line of the first node, counted from 1 in the proof, and its offset in the text, in bytes.
    #[must_use]
    pub fn first_node(&self) -> (u64, usize) {
        (self.first_line, self.offset)
    }

    /// Returns the number of squares of the box.
    #[must_use]
    pub fn size(&self) -> usize {
        self.squares.len()
    }

    /// Returns the place, in the order of the tree, of the square with this number.
    #[must_use]
    pub fn place(&self, number: usize) -> Option<usize> {
        self.squares.place(number)
    }

    /// Returns the images of all squares, by place, under the symmetry that a proof calls `symmetry`. Returns
    /// `None` if there is no such symmetry.
    #[must_use]
    pub fn images(&self, symmetry: &str) -> Option<Arc<[usize]>> {
        symmetry::images(symmetry, &self.squares).ok()
    }

    /// Checks the piece of the tree between two split points; `None` is the beginning or the end of the tree.
    ///
    /// # Errors
    /// Returns an error at the first step that is not accepted, or [`ProofError::Stopped`] if `stop` returns
    /// `true`.
    pub fn check_piece(
        &self,
        from: Option<&SplitPoint>,
        to: Option<&SplitPoint>,
        stop: &dyn Fn() -> bool,
    ) -> Result<CheckedPiece, ProofError> {
        let text = &self.tree.text;
        let root = text.get(self.offset..).unwrap_or_default();
        let (opening, before, offset) = match from {
            None => (&b""[..], self.first_line - 1, self.offset),
            // The check of a case needs the line of its split.
            Some(SplitPoint { line, offset, state: State::Case(_) }) => {
                let split = root.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
                (split, line.saturating_sub(2), *offset)
            }
            Some(SplitPoint { line, offset, state: State::Node(_) }) => {
                (&b""[..], line.saturating_sub(1), *offset)
            }
        };
        let left = Cell::new(0);
        let rest = Stoppable::new(text.get(offset..).unwrap_or_default(), stop, &left);
        let mut piece = opening.chain(rest);
        let mut lines = Lines::after(&mut piece, "proof", before);
        lines.read_line()?;
        let steps = Steps::default();
        let boxes = self.tree.bounds.boxes(&self.tree.board);
        let regions = self.regions.clone();
        let format = self.tree.format;
        let mut checker = TreeChecker::new(&mut lines, format, &self.squares, boxes, regions, &steps);
        checker.first_line = self.first_line;
        let (nodes, ended) = checker.check_piece(Extent { from, to })?;
        if !ended {
            expect_end(&mut lines)?;
        }
        let ended_at = match to {
            // If the text was read up to another place, the next piece would not follow it.
            Some(point) if ended && text.len() - left.get() == point.offset => Some(point.clone()),
            _ if ended => return Err(io::Error::other("a split point is not where it says").into()),
            _ => None,
        };
        let tree = Arc::clone(&self.tree);
        Ok(CheckedPiece { tree, from: from.cloned(), ended_at, nodes, steps: steps.total() })
    }

    /// Joins the results of pieces, in their order, into that of the tree. Pieces after one that was checked
    /// to the end of the tree are ignored.
    ///
    /// # Errors
    /// Returns the first error of a piece that is not ignored, or an error if a piece does not begin where
    /// the piece before it ended, or if no piece reaches the end of the tree.
    pub fn join(
        &self,
        pieces: impl IntoIterator<Item = Result<CheckedPiece, ProofError>>,
    ) -> Result<CheckedTree, ProofError> {
        let (mut at, mut nodes, steps) = (None, 0, Steps::default());
        for piece in pieces {
            let piece = piece?;
            if !ptr::eq(&raw const *piece.tree, &raw const *self.tree) || piece.from != at {
                return Err(io::Error::other("the pieces of a tree do not fit together").into());
            }
            nodes += piece.nodes;
            steps.add(piece.steps).map_err(|many| too_many_steps(&many, self.first_line))?;
            at = piece.ended_at;
            if at.is_none() {
                let proved = Arc::clone(&self.tree.bounds.proved);
                let (number, first_line) = (self.tree.number, self.first_line);
                return Ok(CheckedTree { proved, number, nodes, steps: steps.total(), first_line });
            }
        }
        Err(io::Error::other("the last piece of a tree is missing").into())
    }
}

/// Returns an error if anything except a statement follows a tree.
fn expect_end(lines: &mut Lines<'_>) -> Result<(), ProofError> {
    if lines.is_at_end()? {
        return Ok(());
    }
    lines.read_line()?;
    if is_statement(lines.text.as_bytes()) { Ok(()) } else { Err(expected_statement(lines)) }
}

/// Text whose reading fails as soon as the check is stopped.
struct Stoppable<'t> {
    text: &'t [u8],
    stop: &'t dyn Fn() -> bool,
    /// Number of bytes that were not read.
    left: &'t Cell<usize>,
}

/// Number of bytes that are read between two calls of `stop`.
const PIECE: usize = 1 << 12;

impl<'t> Stoppable<'t> {
    fn new(text: &'t [u8], stop: &'t dyn Fn() -> bool, left: &'t Cell<usize>) -> Self {
        left.set(text.len());
        Self { text, stop, left }
    }
}

impl Read for Stoppable<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Stoppable<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if (self.stop)() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(&self.text[..self.text.len().min(PIECE)])
    }

    fn consume(&mut self, amount: usize) {
        self.text = &self.text[amount..];
        self.left.set(self.text.len());
    }
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;
    use ndqueens_notation::name::Piece;

    use super::*;

    /// Tree with the bounds that it cites.
    struct Sample {
        sides: Vec<u32>,
        queens: u64,
        bounds: HashMap<BoardName, u64>,
        text: String,
    }

    impl Sample {
        /// Creates the tree of 4^3 in a proof, whose root has four orbits.
        fn nodes() -> Self {
            let proof = include_str!("../../tests/vectors/accepted/large.proof");
            let (before, rest) = proof.split_once("box 4x4x4 7 search\n").expect("its statement");
            let bound = |line: &str| {
                let mut words = line.strip_prefix("box ")?.split(' ');
                Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
            };
            let end = rest.find("at most").expect("the end of the proof");
            let (text, bounds) = (rest[..end].to_owned(), before.lines().filter_map(bound).collect());
            Self { sides: vec![4; 3], queens: 8, bounds, text }
        }

        /// Creates a tree of 3^2 with two cases.
        fn cases() -> Self {
            let bound = |(name, most): (&str, u64)| (name.parse().expect("a board"), most);
            let parts = "part 0 1 0-2 0\n";
            let text = format!(
                "order lexicographic\nslab 1 0-0 1\nlayers 1 mirrored / 1-1 1 0-1 2 / 0-0 1\n\
                 {parts}orbit 3 1,-2\nnodes aca\n{}nodes aaa\n",
                parts.repeat(3)
            );
            let bounds = [("1x1", 1), ("1x2", 1), ("1x3", 1), ("2x3", 2)].map(bound).into();
            Self { sides: vec![3; 2], queens: 3, bounds, text }
        }

        fn with_text(&self, text: String) -> Self {
            let (sides, bounds) = (self.sides.clone(), self.bounds.clone());
            Self { sides, queens: self.queens, bounds, text }
        }

        fn tree(&self) -> Option<Arc<BoxTree>> {
            let board = BoardName::grid(Piece::Queen, false, &self.sides);
            let (bounds, text) = (self.bounds.clone(), self.text.clone().into_bytes());
            BoxTree::new(board, self.queens - 1, bounds, text).map(Arc::new)
        }

        /// Returns the split points of the tree, which is accepted.
        fn points(&self) -> Vec<SplitPoint> {
            let opened = self.tree().expect("a tree").open().expect("its beginning is accepted");
            let is_reached = |point: &SplitPoint| {
                let piece = opened.check_piece(None, Some(point), &|| false);
                piece.expect("it is accepted").ended_at_split_point()
            };
            let (first_line, mut offset) = opened.first_node();
            let mut free = FixedBitSet::with_capacity(opened.size());
            free.insert_range(..);
            let (mut points, mut orbit) = (Vec::new(), Vec::new());
            for (line, text) in (first_line..).zip(self.text[offset..].split_inclusive('\n')) {
                let mut node = free.clone();
                orbit.iter().for_each(|&square| node.set(square, false));
                let at_case = SplitPoint::at_case(line, offset, 1);
                let at_node = SplitPoint::at_node(line, offset, node.clone());
                offset += text.len();
                if line > first_line && is_reached(&at_case) {
                    points.push(at_case);
                }
                let Some(words) = text.trim_end().strip_prefix("orbit ") else { continue };
                if line == first_line || is_reached(&at_node) {
                    let mut words = words.split(' ');
                    let square = words.next().and_then(|word| opened.place(word.parse().ok()?));
                    let square = square.expect("a square");
                    orbit = vec![square];
                    orbit.extend(words.map(|word| opened.images(word).expect("a symmetry")[square]));
                    free = node;
                    points.extend((line > first_line).then_some(at_node));
                }
            }
            points
        }
    }

    /// Result of a check in two pieces.
    #[derive(Debug, PartialEq, Eq)]
    struct CheckedInPieces {
        nodes: u64,
        is_split: bool,
    }

    /// Checks a tree in two pieces, of which the second may be empty. Returns `None` if it is not accepted.
    fn in_pieces(tree: &Arc<BoxTree>, point: &SplitPoint) -> Option<CheckedInPieces> {
        let opened = tree.open().ok()?;
        let first = opened.check_piece(None, Some(point), &|| false);
        let ended = first.as_ref().is_ok_and(CheckedPiece::ended_at_split_point);
        let second = opened.check_piece(Some(point), None, &|| false);
        let joined = opened.join([first, second]).ok()?;
        Some(CheckedInPieces { nodes: joined.nodes, is_split: ended })
    }

    /// Returns every text in which a line is removed, doubled, or exchanged with the next one, or a byte is
    /// replaced.
    fn edits(text: &str) -> Vec<String> {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut edits = Vec::new();
        for at in 0..lines.len() {
            let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
            edits.push(format!("{before}{after}"));
            edits.push(format!("{before}{0}{0}{after}", lines[at]));
            if let Some(next) = lines.get(at + 1) {
                edits.push(format!("{before}{next}{}{}", lines[at], lines[at + 2..].concat()));
            }
        }
        for (at, byte) in text.char_indices() {
            for other in
                ["", "1", "3", "-", " ", "h", "L"].into_iter().filter(|other| !other.starts_with(byte))
            {
                edits.push(format!("{}{other}{}", &text[..at], &text[at + 1..]));
            }
        }
        edits
    }

    #[test]
    fn pieces_agree_with_the_whole_tree() {
        let (mut accepted, mut refused, mut split) = (0, 0, 0);
        for sample in [Sample::nodes(), Sample::cases()] {
            let tree = sample.tree().expect("a tree");
            let nodes = tree.check(&|| false).expect("it is accepted").nodes;
            let points = sample.points();
            assert!(!points.is_empty());
            for point in &points {
                assert_eq!(in_pieces(&tree, point), Some(CheckedInPieces { nodes, is_split: true }));
            }
            for edit in edits(&sample.text) {
                let Some(tree) = sample.with_text(edit).tree() else { continue };
                let whole = tree.check(&|| false).map_err(|fault| fault.to_string());
                *if whole.is_ok() { &mut accepted } else { &mut refused } += 1;
                for point in &points {
                    // If an edit has moved the line, the split point is in the wrong place, and an error of
                    // the pieces does not imply that the tree is invalid.
                    match (in_pieces(&tree, point), &whole) {
                        (Some(CheckedInPieces { nodes, is_split }), Ok(whole)) => {
                            assert_eq!(nodes, whole.nodes);
                            split += u32::from(is_split);
                        }
                        (Some(_), Err(fault)) => panic!("{fault}"),
                        (None, _) => {}
                    }
                }
            }
        }
        assert!(accepted > 100 && refused > 2_000 && split > 100, "{accepted} {refused} {split}");
    }

    #[test]
    fn wrong_split_points_do_not_change_results() {
        for sample in [Sample::nodes(), Sample::cases()] {
            let tree = sample.tree().expect("a tree");
            let nodes = tree.check(&|| false).expect("it is accepted").nodes;
            let point = sample.points().pop().expect("a point");
            let wrong_state = match point.state.clone() {
                State::Case(to_come) => State::Case(to_come + 1),
                State::Node(mut free) => {
                    free.toggle(0);
                    State::Node(free)
                }
            };
            for wrong in [
                SplitPoint { state: wrong_state, ..point.clone() },
                SplitPoint { state: State::Case(7), ..point.clone() },
                SplitPoint { state: State::Node(FixedBitSet::with_capacity(9)), ..point.clone() },
                SplitPoint { line: point.line + 1, ..point.clone() },
                SplitPoint { line: point.line - 1, ..point.clone() },
            ] {
                let expected = CheckedInPieces { nodes, is_split: false };
                assert_eq!(in_pieces(&tree, &wrong), Some(expected), "{wrong:?}");
            }
            let elsewhere = SplitPoint { offset: point.offset - 1, ..point };
            assert!(in_pieces(&tree, &elsewhere).is_none());
        }
    }

    #[test]
    fn rejects_pieces_that_do_not_fit() {
        let (sample, other) = (Sample::nodes(), Sample::cases());
        let (tree, other) = (sample.tree().expect("a tree"), other.tree().expect("a tree"));
        let (opened, other) = (tree.open().expect("accepted"), other.open().expect("accepted"));
        let points = sample.points();
        let piece = |from, to| opened.check_piece(from, to, &|| false);
        let [first, second] = [&points[0], &points[1]];
        let pieces =
            || [piece(None, Some(first)), piece(Some(first), Some(second)), piece(Some(second), None)];
        assert!(opened.join(pieces()).is_ok());
        let [a, _, c] = pieces();
        assert!(opened.join([a, c]).is_err());
        let [a, b, _] = pieces();
        assert!(opened.join([a, b]).is_err());
        let [_, b, c] = pieces();
        assert!(opened.join([b, c]).is_err());
        assert!(opened.join([other.check_piece(None, None, &|| false)]).is_err());
        assert!(opened.join([]).is_err());
    }

    const TREE: &str = "order lexicographic\nslab 1 0-0 1\nslab 2 1-1 1\ncover 0 0,1,2,3 /\n";

    /// Creates a tree of a proof that has a bound of 1x2.
    fn in_proof(most: u64, queens: u64, text: &str) -> BoxTree {
        let board: BoardName = "2x2".parse().expect("a board");
        let bounds = HashMap::from([("1x2".parse().expect("a board"), most)]);
        let tree = BoxTree::new(board, queens - 1, bounds, b"\n".to_vec()).expect("a plain box");
        BoxTree { number: 3, lines_before: 7, text: text.as_bytes().to_vec(), ..tree }
    }

    #[test]
    fn reuses_results_of_equal_trees_and_bounds() {
        let tree = Arc::new(BoxTree { number: 0, ..in_proof(1, 2, TREE) });
        let checked = tree.check(&|| false).expect("it is accepted");
        let nodes = |other: &BoxTree| checked.reuse_for(&tree, other).map(|repeated| repeated.nodes);
        assert_eq!(nodes(&in_proof(1, 2, TREE)), Some(1));
        assert_eq!(nodes(&in_proof(0, 2, TREE)), Some(1));
        assert_eq!(nodes(&in_proof(1, 2, &format!("{TREE}box 2x3 2 lines\n"))), Some(1));
        let none = CitableBounds { proved: Arc::default(), before: 1 };
        let differs = [
            BoxTree { bounds: none, ..in_proof(1, 2, TREE) },
            BoxTree { board: "2x3".parse().expect("a board"), ..in_proof(1, 2, TREE) },
            in_proof(2, 2, TREE),
            in_proof(1, 1, TREE),
            in_proof(1, 2, &format!("{TREE}cover 0 /\n")),
            in_proof(1, 2, &TREE.replace(" 0-0 1", " 0-0 2")),
            in_proof(1, 2, TREE.trim_end()),
        ];
        assert!(differs.iter().all(|other| nodes(other).is_none()));
        let another = Arc::new(in_proof(1, 2, TREE));
        assert!(checked.reuse_for(&another, &in_proof(1, 2, TREE)).is_none());
    }

    #[test]
    fn requires_the_result_of_every_tree() {
        let proved = Arc::new(ProvedBounds::default());
        let tree = |number, proved: &Arc<ProvedBounds>| CheckedTree {
            proved: Arc::clone(proved),
            number,
            nodes: 2,
            steps: 0,
            first_line: 9,
        };
        let sum_nodes = |trees, checked| sum_nodes(trees, &proved, &Steps::default(), checked).ok();
        assert_eq!(sum_nodes(2, vec![tree(1, &proved), tree(0, &proved)]), Some(4));
        assert_eq!(sum_nodes(2, vec![tree(0, &proved), tree(0, &proved)]), None);
        assert_eq!(sum_nodes(1, vec![tree(0, &Arc::default())]), None);
        assert_eq!(sum_nodes(0, vec![]), Some(0));
    }
}
