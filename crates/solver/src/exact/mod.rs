//! The exact engine: a proof that k queens do not fit, by nested slab bounds.

mod bits;
mod group;
pub mod proof;
mod search;
pub mod table;
pub mod veripb;

use std::io::{self, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use ndqueens_model::board::{Board, Grid, Square};
use ndqueens_model::name::Piece;
use tempfile::SpooledTempFile;

use self::bits::Bits;
use self::group::Group;
use self::proof::Tree;
use self::search::{End, Instance, Region, Search, Silent};
use self::table::{BoxTable, Entry, Settled};

/// What the engine shares with whoever watches it, on another thread.
#[derive(Debug, Default)]
pub struct Control {
    stopped: AtomicBool,
    nodes: AtomicU64,
}

impl Control {
    /// A control that nobody has used.
    #[must_use]
    pub const fn new() -> Self {
        Self { stopped: AtomicBool::new(false), nodes: AtomicU64::new(0) }
    }

    /// Asks the engine to stop.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether the engine was asked to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Search nodes so far, those of searches that led nowhere included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    fn count(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }
}

/// How the engine works.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Seed of the local search.
    pub seed: u64,
    /// Boxes that are worked on at a time; the answer does not depend on it.
    pub threads: usize,
    /// Whether slabs of a box are used.
    pub needs: bool,
    /// Whether symmetry is used.
    pub symmetry: bool,
    /// Whether the trees are written down as proofs.
    pub proofs: bool,
    /// For stopping and watching.
    pub control: &'a Control,
}

/// Whether k queens fit.
#[derive(Debug)]
pub enum Answer {
    /// They do not; the tree is there when proofs are written.
    Infeasible(Option<SpooledTempFile>),
    /// They fit on these squares.
    Feasible(Vec<Square>),
    /// The search did not finish; about this part of its tree is done, from 0 to 1.
    Stopped(f64),
}

/// What is known of the maximum on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maximum {
    /// The independence number.
    pub value: u64,
    /// A placement of as many queens, as coordinates.
    pub placement: Vec<Vec<u32>>,
    /// Search nodes.
    pub nodes: u64,
}

/// What the engine tells while it works on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// The box that is settled.
    pub sides: &'a [u32],
    /// Its independence number.
    pub value: u64,
    /// Search nodes it took.
    pub nodes: u64,
}

/// The largest board that the search can hold.
pub const MOST_SQUARES: usize = 4096;

fn too_large(board: &Board) -> io::Error {
    let words = format!(
        "{} has more than {MOST_SQUARES} squares, the most that the exact engine takes",
        board.name()
    );
    io::Error::new(io::ErrorKind::InvalidInput, words)
}

/// Finds the independence number of a board, and proves it to `proof` if there is one. `None` when stopped.
///
/// # Errors
/// When a proof cannot be written, or the board has more squares than the search can hold.
pub fn maximum(
    board: &Board,
    settings: &Settings<'_>,
    proof: Option<Box<dyn Write + Send + Sync>>,
    tell: &mut dyn FnMut(Step<'_>),
) -> io::Result<Option<Maximum>> {
    if board.size() > MOST_SQUARES {
        return Err(too_large(board));
    }
    let settings = Settings { proofs: proof.is_some(), ..*settings };
    let piece = board.grid().map_or(Piece::Queen, Grid::piece);
    let mut table = BoxTable::new(piece);
    let mut proof = proof;
    if let Some(out) = &mut proof {
        write!(out, "{}\nboard {}\n", proof::HEADER, board.name())?;
    }
    let maximum = match board.grid().filter(|grid| !grid.is_torus()) {
        Some(grid) => {
            table = proof.take().map_or(table, |proof| BoxTable::with_proof(piece, proof));
            let tell = &mut |sides: &[u32], entry: &Entry| {
                tell(Step { sides, value: entry.lower, nodes: entry.nodes });
            };
            let Some(entry) = table.fill(grid.sides(), &settings, tell)? else { return Ok(None) };
            proof = table.take_proof();
            let placement = table.placement(grid.sides()).expect("each entry has a placement");
            Maximum { value: entry.lower, placement, nodes: table.nodes() }
        }
        None => {
            let nothing = Settled::nothing(board);
            let Some(mut settled) = table::settle(board, &table, &settings, nothing)? else {
                return Ok(None);
            };
            if let Some(out) = &mut proof {
                writeln!(out, "search {}", settled.entry.upper)?;
                settled.write_tree(out)?;
            }
            Maximum { value: settled.entry.lower, placement: settled.placement, nodes: settled.entry.nodes }
        }
    };
    if let Some(out) = &mut proof {
        write!(out, "at most {}\nend\n", maximum.value)?;
        out.flush()?;
    }
    Ok(Some(maximum))
}

/// The order in which the search numbers the squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As the board does.
    Lexicographic,
    /// Along the Morton curve: the bits of the coordinates interleaved.
    Morton,
}

impl Order {
    /// Every order, in which they are tried.
    pub const ALL: [Self; 2] = [Self::Lexicographic, Self::Morton];
}

/// Bytes of a tree that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// Searches for k queens with the squares in a given order. The answer, and the number of nodes.
///
/// # Errors
/// When the proof cannot be written to its temporary file.
pub fn search(
    board: &Board,
    k: u64,
    table: &BoxTable,
    settings: &Settings<'_>,
    node_limit: u64,
    order: Order,
) -> io::Result<(Answer, u64)> {
    macro_rules! with_words {
        ($($words:literal)*) => {
            match board.size().div_ceil(64) {
                $(needed if needed <= $words => Task::<$words>::new(board, k, table, settings, order).run(node_limit),)*
                _ => Err(too_large(board)),
            }
        };
    }
    with_words!(1 2 3 4 6 8 10 12 16 20 24 28 32 40 48 64)
}

/// One question in the search's own terms.
struct Task<'a, const W: usize> {
    board: &'a Board,
    settings: &'a Settings<'a>,
    squares: Vec<Square>,
    /// The slabs as the proof names them: axis, first coordinate, width; in the order of the regions.
    slabs: Vec<[u32; 3]>,
    instance: Instance<W>,
}

impl<'a, const W: usize> Task<'a, W> {
    fn new(board: &'a Board, k: u64, table: &BoxTable, settings: &'a Settings<'a>, order: Order) -> Self {
        let mut squares: Vec<Square> = board.squares().collect();
        if order == Order::Morton {
            squares.sort_by_key(|&square| morton(&board.coordinates(square)));
        }
        let mut position = vec![0u32; squares.len()];
        for (p, &square) in squares.iter().enumerate() {
            position[square as usize] = p as u32;
        }
        let to_bits = |set: &mut dyn Iterator<Item = Square>| {
            let mut bits = Bits::<W>::EMPTY;
            set.for_each(|square| bits.insert(position[square as usize] as usize));
            bits
        };
        let attacks =
            squares.iter().map(|&square| to_bits(&mut board.neighbours(square).into_iter())).collect();
        let mut slabs = if settings.needs { slabs(board, k, table) } else { Vec::new() };
        slabs.sort_by_key(|slab| slab.squares(board));
        let regions = slabs
            .iter()
            .map(|slab| Region {
                squares: to_bits(
                    &mut board.squares().filter(|&square| slab.contains(&board.coordinates(square))),
                ),
                need: slab.need as i32,
            })
            .collect();
        let group =
            if settings.symmetry { Group::of(board, &position) } else { Group::trivial(board.size()) };
        let slabs = slabs.iter().map(|slab| [slab.axis as u32, slab.from, slab.width]).collect();
        Self { board, settings, squares, slabs, instance: Instance::new(attacks, regions, k as u32, group) }
    }

    fn run(&self, node_limit: u64) -> io::Result<(Answer, u64)> {
        let control = self.settings.control;
        if !self.settings.proofs {
            let mut search = Search::new(&self.instance, node_limit, control, Silent);
            let end = search.run();
            return Ok((self.answer(end, search.done, None), search.nodes));
        }
        let mut out = SpooledTempFile::new(HELD_IN_MEMORY);
        for [axis, from, width] in &self.slabs {
            writeln!(out, "slab {axis} {from} {width}")?;
        }
        let symmetry = |element| {
            let mut image_of = vec![0; self.squares.len()];
            for (p, &square) in self.squares.iter().enumerate() {
                image_of[square as usize] = self.squares[self.instance.group.image(element, p)];
            }
            proof::symmetry(self.board, |square| image_of[square as usize])
        };
        let tree = Tree::new(
            io::BufWriter::new(out),
            &self.squares,
            self.slabs.len(),
            &self.instance.group,
            &symmetry,
        );
        let mut search = Search::new(&self.instance, node_limit, control, tree);
        let end = search.run();
        let (nodes, done) = (search.nodes, search.done);
        let written = search.log.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((self.answer(end, done, Some(written)), nodes))
    }

    fn answer(&self, end: Result<(), End>, done: f64, proof: Option<SpooledTempFile>) -> Answer {
        match end {
            Ok(()) => Answer::Infeasible(proof),
            Err(End::Found(found)) => Answer::Feasible(found.into_iter().map(|p| self.squares[p]).collect()),
            Err(End::Stopped) => Answer::Stopped(done),
        }
    }
}

/// A slab at a face of a box, with the number of queens that it must hold.
struct Slab {
    axis: usize,
    from: u32,
    width: u32,
    need: u64,
}

impl Slab {
    fn contains(&self, coordinates: &[u32]) -> bool {
        (self.from..self.from + self.width).contains(&coordinates[self.axis])
    }

    fn squares(&self, board: &Board) -> usize {
        board.grid().map_or(0, |grid| board.size() / grid.sides()[self.axis] as usize * self.width as usize)
    }
}

/// The slabs that must hold a queen or more when the box holds k: the rest of the box is too small for them. Slabs thicker
/// than half the box cost more than they save.
fn slabs(board: &Board, k: u64, table: &BoxTable) -> Vec<Slab> {
    let mut slabs = Vec::new();
    let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) else { return slabs };
    for (axis, &n) in grid.sides().iter().enumerate() {
        for width in 1..=n / 2 {
            let mut rest = grid.sides().to_vec();
            rest[axis] = n - width;
            let Some(need) = table.upper(&rest).and_then(|rest| k.checked_sub(rest)).filter(|&need| need > 0)
            else {
                continue;
            };
            slabs.extend([0, n - width].map(|from| Slab { axis, from, width, need }));
        }
    }
    slabs
}

/// The place of a square on the Morton curve.
fn morton(coordinates: &[u32]) -> u128 {
    let mut key = 0;
    for bit in (0..128 / coordinates.len().max(1)).rev().filter(|&bit| bit < 32) {
        for &c in coordinates {
            key = key << 1 | u128::from(c >> bit & 1);
        }
    }
    key
}
