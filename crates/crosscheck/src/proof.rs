//! Checks proof trees: that no more than so many queens fit on a board, step by step and in integers.
//!
//! The form of a proof is described where it is written, in `ndqueens_exact::proof`; nothing is shared with that code.
//! A step is accepted only for one of these reasons:
//!
//! - *lines*: a box falls into as many parallel lines along its longest side as squares divided by that side.
//! - *cut*: a box falls into two boxes whose bounds were proved further up.
//! - *cover*: a region that must still hold `need` queens has its free squares covered by `need - 1` cliques, apart from
//!   squares on which each queen is tried in turn. That a clique is one is tested pair by pair from the definition.
//! - *fractional cover*: cliques and boxes with integer multipliers count every free square `denominator` times or more,
//!   apart from squares on which each queen is tried in turn, and what they can hold, less the queens placed, comes to less
//!   than `denominator` times the queens that are still asked for. The bounds of the boxes were proved further up.
//! - *need*: a slab at a face of a box must hold what does not fit into the rest, whose bound was proved further up.
//! - *symmetry*: a map that keeps every attack, the queens placed and the free squares takes a solution to a solution.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::vec;

use fixedbitset::FixedBitSet;
use ndqueens_model::name::{BoardName, Piece};

use crate::boards::definition;
use crate::graph::{Graph, TooManySquares};
use crate::reader;
use crate::reader::Fault;

const HEADER: &str = "ndqueens proof 1";

const TOO_LARGE: &str = "these numbers are too large to be reckoned with";

/// What is wrong with a proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The file cannot be read.
    #[error("the proof cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A step is not accepted.
    #[error("line {line} of the proof: {fault}")]
    Step {
        /// Line, counted from 1.
        line: u64,
        /// What is wrong there.
        fault: String,
    },
    /// The board is too large.
    #[error(transparent)]
    TooManySquares(#[from] TooManySquares),
}

impl From<Fault> for ProofError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Unreadable(error) => Self::Unreadable(error),
            Fault::Line(line, fault) => Self::Step { line, fault },
        }
    }
}

/// A bound that a proof shows. Only [`check`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proved {
    board: BoardName,
    at_most: u64,
    nodes: u64,
    boxes: u64,
    bounds: HashMap<BoardName, u64>,
}

impl Proved {
    /// The board.
    #[must_use]
    pub fn board(&self) -> &BoardName {
        &self.board
    }

    /// No more queens than this fit.
    #[must_use]
    pub fn at_most(&self) -> u64 {
        self.at_most
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
/// let proof = "ndqueens proof 1\nboard torus:2^2\nsearch 1\nx 0 0,1,2,3\nat most 1\nend\n";
/// let read_board = |name: &str| name.parse().map_err(|fault| format!("{fault}"));
/// assert_eq!(check(proof.as_bytes(), &read_board)?.at_most(), 1);
/// let forged = proof.replace("x 0 0,1,2,3", "x 0 0,1,2");
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
    check_lines(&mut proof, read_board)
}

/// Not generic, so that it is compiled with the profile of this crate, which traps on overflow.
fn check_lines(
    proof: &mut dyn BufRead,
    read_board: &dyn Fn(&str) -> Result<BoardName, String>,
) -> Result<Proved, ProofError> {
    let mut lines = Lines::new(proof, "proof");
    lines.header(HEADER)?;
    let board = lines.board(read_board)?;
    let mut checker = Checker { lines, lemmas: HashMap::new(), nodes: 0, boxes: 0 };
    let at_most = loop {
        checker.lines.next()?;
        let line = checker.lines.text.clone();
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["box", sides, bound, how @ ..] => checker.lemma(&board, sides, bound, how)?,
            ["search", bound] => checker.whole(&board, bound)?,
            ["at", "most", bound] => break checker.lines.number(bound)?,
            _ => {
                return Err(checker
                    .lines
                    .fault("\"box ...\", \"search ...\" or \"at most ...\" should stand here"));
            }
        }
    };
    match checker.lemmas.get(&board.sorted()) {
        Some(&bound) if bound <= at_most => {}
        Some(bound) => {
            return Err(checker.lines.fault(format!("the proof shows at most {bound}, not {at_most}")));
        }
        None => return Err(checker.lines.fault(format!("the proof ends without a bound of {board}"))),
    }
    checker.lines.end()?;
    let Checker { lemmas: bounds, nodes, boxes, .. } = checker;
    Ok(Proved { board, at_most, nodes, boxes, bounds })
}

type Lines<'p> = reader::Lines<'p, ProofError>;

struct Checker<'p> {
    lines: Lines<'p>,
    lemmas: HashMap<BoardName, u64>,
    nodes: u64,
    boxes: u64,
}

impl Checker<'_> {
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
                self.search(&name, bound, &sides)?;
                bound
            }
            _ => {
                return Err(self
                    .lines
                    .fault("a bound is shown by \"lines\", \"cut axis width\" or \"search\""));
            }
        };
        if shown > bound {
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
        let bound: u64 = self.lines.number(bound)?;
        self.search(board, bound, &[])?;
        self.lemmas.insert(board.sorted(), bound);
        self.boxes += 1;
        Ok(())
    }

    fn lines_bound(&self, piece: Piece, sides: &[u32]) -> Result<u64, ProofError> {
        let (longest, others) = sides.split_last().expect("a box has sides");
        if piece == Piece::Bishop && *longest > 1 {
            return Err(self.lines.fault("bishops do not attack along an axis"));
        }
        let lines = others.iter().try_fold(1u64, |product, &n| product.checked_mul(u64::from(n)));
        lines.ok_or_else(|| self.lines.fault(TOO_LARGE))
    }

    fn cut_bound(&self, piece: Piece, sides: &[u32], axis: &str, width: &str) -> Result<u64, ProofError> {
        let axis: usize = self.lines.number(axis)?;
        let width: u32 = self.lines.number(width)?;
        if axis >= sides.len() || width == 0 || width >= sides[axis] {
            return Err(self.lines.fault(format!("there is no cut of width {width} across axis {axis}")));
        }
        let parts = [width, sides[axis] - width].map(|n| self.bound_of(piece, sides, axis, n));
        let [first, second] = parts;
        first?.checked_add(second?).ok_or_else(|| self.lines.fault(TOO_LARGE))
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

    /// Slabs and tree of a search for one queen more than `bound`.
    fn search(&mut self, name: &BoardName, bound: u64, sides: &[u32]) -> Result<(), ProofError> {
        let graph = Graph::new(&*definition(name))?;
        let size = graph.squares().len();
        let mut whole = FixedBitSet::with_capacity(size);
        whole.insert_range(..);
        let queens = bound.checked_add(1).ok_or_else(|| self.lines.fault(TOO_LARGE))?;
        let mut regions = vec![Region { squares: whole.clone(), need: queens }];
        self.lines.next()?;
        while let Some(slab) = self.lines.text.strip_prefix("slab ") {
            let words =
                slab.split(' ').map(|w| self.lines.number::<u32>(w)).collect::<Result<Vec<_>, _>>()?;
            let (&BoardName::Grid { piece, .. }, &[axis, from, width]) = (name, words.as_slice()) else {
                return Err(self.lines.fault("\"slab axis from width\" should stand here"));
            };
            let axis = axis as usize;
            let side =
                *sides.get(axis).ok_or_else(|| self.lines.fault(format!("there is no axis {axis}")))?;
            if width == 0 || width > side || (from != 0 && from != side - width) {
                return Err(self.lines.fault("a slab must lie at a face of the box"));
            }
            let outside = self.bound_of(piece, sides, axis, side - width)?;
            let inside = |&v: &usize| (from..from + width).contains(&graph.squares()[v][axis]);
            let squares = (0..size).filter(inside).collect::<Vec<_>>();
            let mut region = FixedBitSet::with_capacity(size);
            region.extend(squares);
            regions.push(Region { squares: region, need: queens.saturating_sub(outside) });
            self.lines.next()?;
        }
        let piece = match name {
            BoardName::Grid { piece, torus: false, .. } => Some(*piece),
            _ => None,
        };
        let mut tree = Tree {
            lines: &mut self.lines,
            graph: &graph,
            boxes: piece.map(|piece| (piece, &self.lemmas)),
            regions,
            symmetries: HashMap::new(),
            nodes: 0,
        };
        tree.check(whole)?;
        self.nodes += tree.nodes;
        Ok(())
    }
}

/// Squares that must hold at least `need` queens of any solution.
struct Region {
    squares: FixedBitSet,
    need: u64,
}

struct Tree<'a, 'p> {
    /// The line of the next node has been read.
    lines: &'a mut Lines<'p>,
    graph: &'a Graph,
    /// The piece of a plain box, and what was proved of the boxes inside.
    boxes: Option<(Piece, &'a HashMap<BoardName, u64>)>,
    regions: Vec<Region>,
    /// Symmetries met so far, with the images of all squares.
    symmetries: HashMap<String, Vec<usize>>,
    nodes: u64,
}

/// A node that has children.
struct Opened {
    free: FixedBitSet,
    /// The squares of the queens of the children to come.
    squares: vec::IntoIter<usize>,
    /// The squares without which the same node goes on after its only child; none where it ends with its children.
    orbit: Vec<usize>,
}

impl Tree<'_, '_> {
    /// Accepts that no solution has all its queens on these squares, or faults. A tree may be as deep as the board has
    /// squares, so that the open nodes are kept in a list, not on the stack.
    fn check(&mut self, whole: FixedBitSet) -> Result<(), ProofError> {
        let (mut open, mut placed) = (Vec::<Opened>::new(), Vec::new());
        let mut node = Some(whole);
        loop {
            if let Some(free) = node.take() {
                match self.node(free, &placed)? {
                    Some(opened) => open.push(opened),
                    None => drop(placed.pop()),
                }
            }
            let Some(last) = open.last_mut() else { return Ok(()) };
            if let Some(v) = last.squares.next() {
                node = Some(self.place(v, &last.free, &mut placed)?);
                last.free.set(v, false);
                continue;
            }
            let Opened { mut free, orbit, .. } = open.pop().expect("it was the last one");
            if orbit.is_empty() {
                placed.pop();
            } else {
                orbit.into_iter().for_each(|u| free.set(u, false));
                self.lines.next()?;
                node = Some(free);
            }
        }
    }

    /// Accepts, once its children are accepted, that no solution has all queens placed and its others on free squares, or
    /// faults.
    fn node(&mut self, free: FixedBitSet, placed: &[usize]) -> Result<Option<Opened>, ProofError> {
        self.nodes += 1;
        let line = std::mem::take(&mut self.lines.text);
        let (kind, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match kind {
            "x" => {
                if let Some(v) = self.uncovered(rest, &free, placed)?.ones().next() {
                    return Err(self
                        .lines
                        .fault(format!("square {v} of the region is free and not covered")));
                }
                Ok(None)
            }
            "b" | "f" => {
                let named = rest.split_once(" / ").or_else(|| Some((rest.strip_suffix(" /")?, "")));
                let Some((cover, children)) = named else {
                    return Err(self.lines.fault("a branch names its squares after a slash"));
                };
                let mut uncovered = match kind {
                    "b" => self.uncovered(cover, &free, placed)?,
                    _ => self.fractionally_uncovered(cover, &free, placed)?,
                };
                let mut named = Vec::new();
                for word in children.split(' ').filter(|word| !word.is_empty()) {
                    let v = self.square(word)?;
                    if named.len() == free.len() {
                        return Err(self.lines.fault("a branch names more squares than there are"));
                    }
                    named.push(v);
                    uncovered.set(v, false);
                }
                if let Some(v) = uncovered.ones().next() {
                    return Err(self.lines.fault(format!("square {v} is neither covered nor branched on")));
                }
                Ok(Some(Opened { free, squares: named.into_iter(), orbit: Vec::new() }))
            }
            "o" => {
                let mut words = rest.split(' ');
                let v = self.square(words.next().unwrap_or_default())?;
                let mut orbit = vec![v];
                for word in words {
                    orbit.push(self.image(word, v, &free, placed)?);
                }
                Ok(Some(Opened { free, squares: vec![v].into_iter(), orbit }))
            }
            _ => Err(self.lines.fault("a node begins with x, b, f or o")),
        }
    }

    /// The free squares of the child with a queen on `v`; reads its first line.
    fn place(
        &mut self,
        v: usize,
        free: &FixedBitSet,
        placed: &mut Vec<usize>,
    ) -> Result<FixedBitSet, ProofError> {
        if !free.contains(v) {
            return Err(self.lines.fault(format!("square {v} is not free")));
        }
        let mut below = free.clone();
        below.difference_with(self.graph.neighbours(v));
        below.set(v, false);
        self.lines.next()?;
        placed.push(v);
        Ok(below)
    }

    /// The free squares of a region that its cliques leave over; there must be fewer cliques than the region still needs
    /// queens.
    fn uncovered(&self, text: &str, free: &FixedBitSet, placed: &[usize]) -> Result<FixedBitSet, ProofError> {
        let mut words = text.split(' ');
        let number: usize = self.lines.number(words.next().unwrap_or_default())?;
        let Some(region) = self.regions.get(number) else {
            return Err(self.lines.fault(format!("there is no region {number}")));
        };
        let held = placed.iter().filter(|&&v| region.squares.contains(v)).count() as u64;
        let mut uncovered = free.clone();
        uncovered.intersect_with(&region.squares);
        let mut cliques = 0;
        for word in words {
            self.clique(word)?.into_iter().for_each(|v| uncovered.set(v, false));
            cliques += 1;
        }
        if cliques + held >= region.need {
            return Err(self.lines.fault(format!(
                "{cliques} cliques are too many: region {number} needs {} queens and holds {held}",
                region.need
            )));
        }
        Ok(uncovered)
    }

    /// Squares that attack each other, pair by pair.
    fn clique(&self, text: &str) -> Result<Vec<usize>, ProofError> {
        let mut clique = Vec::new();
        for word in text.split(',') {
            let v = self.square(word)?;
            if let Some(u) = clique.iter().find(|&&u: &&usize| !self.graph.neighbours(u).contains(v)) {
                return Err(self
                    .lines
                    .fault(format!("squares {u} and {v} of a clique do not attack each other")));
            }
            clique.push(v);
        }
        Ok(clique)
    }

    /// The free squares that cliques and boxes count less than `denominator` times; what they can still hold must be less
    /// than that many times the queens asked for.
    fn fractionally_uncovered(
        &self,
        text: &str,
        free: &FixedBitSet,
        placed: &[usize],
    ) -> Result<FixedBitSet, ProofError> {
        let too_large = || self.lines.fault(TOO_LARGE);
        let mut words = text.split(' ');
        let denominator: u64 = self.lines.number(words.next().unwrap_or_default())?;
        let mut counted = vec![0u64; self.graph.squares().len()];
        let mut held = 0u64;
        for word in words {
            let Some((times, row)) = word.split_once('*') else {
                return Err(self.lines.fault(format!("\"{word}\" is not a row with its multiplier")));
            };
            let times: u64 = self.lines.number(times)?;
            let (squares, most) = match row.contains('-') {
                true => self.box_inside(row)?,
                false => (self.clique(row)?, 1),
            };
            let here = placed.iter().filter(|v| squares.contains(v)).count() as u64;
            let more = most.saturating_sub(here).checked_mul(times).ok_or_else(too_large)?;
            held = held.checked_add(more).ok_or_else(too_large)?;
            for v in squares {
                counted[v] = counted[v].checked_add(times).ok_or_else(too_large)?;
            }
        }
        let asked = self.regions[0].need.saturating_sub(placed.len() as u64);
        if held >= denominator.checked_mul(asked).ok_or_else(too_large)? {
            return Err(self.lines.fault(format!(
                "the rows hold {held} / {denominator} queens, which is not less than the {asked} asked for"
            )));
        }
        let mut uncovered = free.clone();
        (0..counted.len()).filter(|&v| counted[v] >= denominator).for_each(|v| uncovered.set(v, false));
        Ok(uncovered)
    }

    /// The squares of a box inside the board, `from-to` along each axis, and the bound of it.
    fn box_inside(&self, text: &str) -> Result<(Vec<usize>, u64), ProofError> {
        let Some((piece, bounds)) = self.boxes else {
            return Err(self.lines.fault("this board is not a plain box, so there are no bounds of boxes"));
        };
        let squares = self.graph.squares();
        let last = squares.last().map_or(&[][..], Vec::as_slice);
        let mut intervals = Vec::new();
        for word in text.split('x').take(last.len() + 1) {
            let Some((from, to)) = word.split_once('-') else {
                return Err(self.lines.fault(format!("{text} is not a box inside the board")));
            };
            intervals.push((self.lines.number::<u32>(from)?, self.lines.number::<u32>(to)?));
        }
        let lies = last.len() == intervals.len()
            && intervals.iter().zip(last).all(|((from, to), last)| from <= to && to <= last);
        if !lies {
            return Err(self.lines.fault(format!("{text} is not a box inside the board")));
        }
        let sides: Vec<u32> = intervals.iter().map(|(from, to)| to - from + 1).collect();
        let name = BoardName::grid(piece, false, &sides).sorted();
        let most = *bounds
            .get(&name)
            .ok_or_else(|| self.lines.fault(format!("no bound of {name} has been proved")))?;
        let inside =
            |v: &usize| squares[*v].iter().zip(&intervals).all(|(x, (from, to))| (from..=to).contains(&x));
        Ok(((0..squares.len()).filter(inside).collect(), most))
    }

    fn square(&self, word: &str) -> Result<usize, ProofError> {
        let v: usize = self.lines.number(word)?;
        if v >= self.graph.squares().len() {
            return Err(self.lines.fault(format!("there is no square {v}")));
        }
        Ok(v)
    }

    /// The image of `v` under a symmetry that keeps all attacks, the queens placed and the free squares.
    fn image(
        &mut self,
        symmetry: &str,
        v: usize,
        free: &FixedBitSet,
        placed: &[usize],
    ) -> Result<usize, ProofError> {
        if !self.symmetries.contains_key(symmetry) {
            let images = self.images(symmetry)?;
            self.symmetries.insert(symmetry.to_owned(), images);
        }
        let images = &self.symmetries[symmetry];
        let keeps_free = free.ones().all(|x| free.contains(images[x]));
        let keeps_placed = placed.iter().all(|&x| placed.contains(&images[x]));
        if !keeps_free || !keeps_placed {
            return Err(self.lines.fault(format!("{symmetry} moves the free squares or the queens placed")));
        }
        Ok(images[v])
    }

    /// The images of all squares, which must be a permutation that keeps every attack.
    fn images(&self, symmetry: &str) -> Result<Vec<usize>, ProofError> {
        let squares = self.graph.squares();
        let images = match symmetry.strip_prefix('=') {
            Some(list) => list.split(',').map(|word| self.square(word)).collect::<Result<Vec<_>, _>>()?,
            None => self.signed_permutation(symmetry)?,
        };
        let mut reached = FixedBitSet::with_capacity(squares.len());
        reached.extend(images.iter().copied());
        if images.len() != squares.len() || !reached.is_full() {
            return Err(self.lines.fault(format!("{symmetry} is not a permutation of the squares")));
        }
        for v in 0..squares.len() {
            let (here, there) = (self.graph.neighbours(v), self.graph.neighbours(images[v]));
            if !here.ones().all(|u| there.contains(images[u])) {
                return Err(self.lines.fault(format!("{symmetry} does not keep the attacks of square {v}")));
            }
        }
        Ok(images)
    }

    fn integer(&self, word: &str) -> Result<i64, ProofError> {
        reader::integer(word).ok_or_else(|| self.lines.fault(reader::not_a_number(word)))
    }

    fn signed_permutation(&self, text: &str) -> Result<Vec<usize>, ProofError> {
        let squares = self.graph.squares();
        let entries = text.split(',').map(|word| self.integer(word)).collect::<Result<Vec<_>, _>>()?;
        let last = squares.last().map_or(&[][..], Vec::as_slice);
        let axes: Option<Vec<usize>> = entries
            .iter()
            .map(|k| usize::try_from(k.unsigned_abs()).ok()?.checked_sub(1).filter(|&axis| axis < last.len()))
            .collect();
        let Some(axes) = axes.filter(|axes| axes.len() == last.len()) else {
            return Err(self.lines.fault(format!("{text} is not a signed permutation of the axes")));
        };
        let image = |square: &Vec<u32>| -> Option<usize> {
            let moved: Option<Vec<u32>> = axes
                .iter()
                .zip(&entries)
                .map(
                    |(&axis, k)| {
                        if *k < 0 { last[axis].checked_sub(square[axis]) } else { Some(square[axis]) }
                    },
                )
                .collect();
            squares.binary_search(&moved?).ok()
        };
        let images: Option<Vec<usize>> = squares.iter().map(image).collect();
        images.ok_or_else(|| self.lines.fault(format!("{text} moves a square off the board")))
    }
}
