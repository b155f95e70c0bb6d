//! Complete proof files: the bounds of sub-boxes that the rows need, and the tree of the board.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write};

use ndqueens_exact::WorkStore;
use ndqueens_exact::proof::{header, header_with_rows};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::cancel::StopReason;
use tempfile::SpooledTempFile;

use super::branching::PseudoCosts;
use super::derivations::ViprHead;
use super::parts::search;
use super::problem::{Problem, ProofError};
use super::relaxation::Pool;
use super::rows::{Boxes, Provable, ProvableRows, provable_rows};
use super::tree::{End, Explored, Node, PartStart, Question, RootBound, Search, Settings, explore, group_of};
use super::vipr::ViprWriter;

/// Bytes of a tree that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// Returns the name of the first part of the tree of the board itself.
fn root_part_name(target: u64) -> String {
    format!("tree-{target}-0")
}

/// Searches for `target` queens by branch and bound on the LP of a formulation, and writes a proof file to
/// `out` if they do not fit: at most `target` − 1 queens fit. If the search is stopped, the proof is that of
/// the bound at the root, if there is one. A placement consists of squares of the given board. Parts of trees
/// are kept in `store`; stored parts are reused.
///
/// # Errors
/// Returns an error if the formulation does not suit the board, a proof cannot contain a row, HiGHS fails, or
/// the proof cannot be written.
pub fn prove(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    store: &dyn WorkStore,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    problem.ensure_provable()?;
    let board = problem.board;
    let mut tree = SpooledTempFile::new(HELD_IN_MEMORY);
    let Some(grid) = board.plain_box() else {
        let ProvableRows { rows, .. } = provable_rows(problem, problem.variant(target, &[]), Provable::All)?;
        let found = search(board, rows, target, settings, &root_part_name(target), store, &mut tree)?;
        if let Some(at_most) = proved_bound(&found, target, &mut tree)? {
            let head = proof_head(&[], &mut tree, board.name())?;
            write!(out, "{head}search {at_most}\norder lexicographic\n")?;
            copy(&mut tree, out)?;
            write_conclusion(out, at_most)?;
        }
        return Ok(found);
    };
    let sorted = Board::new(&board.name().with_sorted_sides());
    let mut claims =
        Claims { problem, settings, store, piece: grid.piece(), bounds: Boxes::new(), text: Vec::new() };
    let variant = problem.variant(target, &[]);
    let ProvableRows { rows, boxes } =
        provable_rows(&Problem { board: &sorted, ..*problem }, variant, Provable::All)?;
    let mut found = search(&sorted, rows, target, settings, &root_part_name(target), store, &mut tree)?;
    if !boxes.is_empty() {
        // The bound at the root may depend on bounds of boxes that are not proved.
        found.root = None;
    }
    if let End::Found(squares) = &mut found.end {
        *squares = unsort_axes(&sorted, board, squares);
    }
    if found.end == End::Refuted {
        for (sides, bound) in boxes {
            if let Some(reason) = claims.prove_box(&sides, bound, &mut found)? {
                return Ok(Search { end: End::Stopped(reason), ..found });
            }
        }
    }
    if let Some(at_most) = proved_bound(&found, target, &mut tree)? {
        write!(out, "{}", proof_head(&claims.text, &mut tree, board.name())?)?;
        out.write_all(&claims.text)?;
        write_box(out, &sides_of(&sorted), at_most, "search\norder lexicographic")?;
        copy(&mut tree, out)?;
        write_conclusion(out, at_most)?;
    }
    Ok(found)
}

/// Returns the bound that a tree proves, or `None` without one. If the search was stopped, this is the bound
/// at the root, whose only leaf is written to `tree`.
fn proved_bound(found: &Search, target: u64, tree: &mut SpooledTempFile) -> io::Result<Option<u64>> {
    match (&found.end, &found.root) {
        (End::Refuted, _) => Ok(Some(target - 1)),
        (End::Stopped(_), Some(RootBound { at_most, leaf })) => {
            writeln!(tree, "{leaf}")?;
            Ok(Some(*at_most))
        }
        (End::Stopped(_), None) | (End::Found(_), _) => Ok(None),
    }
}

/// Searches as [`prove`] does, and writes a VIPR file to `out` if it finishes.
///
/// `lines` are the lines of the board in the order of the checker's program. `head` returns the
/// program with the row for the target, and with the symmetry rows of some representatives. Symmetries
/// are used at the root only.
///
/// # Errors
/// Returns an error in the same cases as [`prove`].
pub fn prove_vipr(
    problem: &Problem<'_>,
    target: u64,
    settings: &Settings<'_>,
    lines: &[Vec<usize>],
    head: &dyn Fn(u64, &[usize]) -> io::Result<ViprHead>,
    out: &mut dyn Write,
) -> Result<Search, ProofError> {
    problem.ensure_provable()?;
    let board = problem.board;
    let variant = problem.variant(target, settings.included);
    let ProvableRows { rows, .. } = provable_rows(problem, variant, Provable::Cliques)?;
    let symmetry = settings.symmetry.of_vipr(board, settings.included);
    let settings = Settings { symmetry, ..*settings };
    let (graph, group) = (board.graph(), group_of(board, symmetry));
    let mut writer = ViprWriter::new(board.size(), lines, settings.included);
    let question = Question::new(&graph, &group, target, &settings);
    let (root, pool) = (Node::root(&graph, settings.included), Pool::new(board.size(), rows));
    let name = root_part_name(target);
    let go_on = |bound: f64, open: usize| {
        settings.monitor.set_open(&name, bound, open + 1);
        true
    };
    let start = PartStart { node: &root, pool: &pool, costs: &PseudoCosts::default() };
    let explored = explore(&question, start, u64::MAX, &mut writer, &go_on)?;
    let (end, statistics) = match explored {
        Explored::Done { statistics, .. } => (End::Refuted, statistics),
        Explored::Found(squares, statistics) => (End::Found(squares), statistics),
        Explored::Stopped(reason, statistics) => (End::Stopped(reason), statistics),
    };
    if end == End::Refuted {
        let head = head(target, writer.representatives())?;
        writer.finish(&head, out)?;
    }
    Ok(Search { end, statistics, root: None })
}

/// Copies a tree from its beginning.
fn copy(tree: &mut SpooledTempFile, out: &mut dyn Write) -> io::Result<()> {
    tree.seek(SeekFrom::Start(0))?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match tree.read(&mut buffer)? {
            0 => return Ok(()),
            read => out.write_all(&buffer[..read])?,
        }
    }
}

/// Returns the head of a proof: that of format 3 if a line has a row that format 2 lacks. All such
/// rows contain a colon.
fn proof_head(claims: &[u8], tree: &mut SpooledTempFile, board: &BoardName) -> io::Result<String> {
    let mut has_colon = claims.contains(&b':');
    tree.seek(SeekFrom::Start(0))?;
    let mut buffer = vec![0; 1 << 16];
    while !has_colon {
        match tree.read(&mut buffer)? {
            0 => break,
            read => has_colon = buffer[..read].contains(&b':'),
        }
    }
    Ok(if has_colon { header_with_rows(board) } else { header(board) })
}

/// Writes the end of a proof.
fn write_conclusion(out: &mut dyn Write, at_most: u64) -> io::Result<()> {
    write!(out, "at most {at_most}\nend\n")?;
    out.flush()
}

fn write_box(out: &mut dyn Write, sides: &[u32], bound: u64, reason: &str) -> io::Result<()> {
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    writeln!(out, "box {} {bound} {reason}", sides.join("x"))
}

fn sides_of(board: &Board) -> Vec<u32> {
    board.plain_box().expect("only plain boxes have claims").sides().to_vec()
}

/// Maps squares of the box with sorted sides to the given box.
fn unsort_axes(sorted: &Board, board: &Board, squares: &[Square]) -> Vec<Square> {
    let sides = sides_of(board);
    let mut axes: Vec<usize> = (0..sides.len()).collect();
    axes.sort_by_key(|&axis| sides[axis]);
    let map = |square: Square| {
        let coordinates = sorted.coordinates(square);
        let mut image = vec![0; sides.len()];
        axes.iter().zip(coordinates).for_each(|(&axis, x)| image[axis] = x);
        board.square(&image).expect("the axes have the same sides")
    };
    squares.iter().map(|&square| map(square)).collect()
}

/// Proved bounds of boxes, with their lines in the proof file.
struct Claims<'a> {
    problem: &'a Problem<'a>,
    settings: &'a Settings<'a>,
    store: &'a dyn WorkStore,
    piece: Piece,
    bounds: Boxes,
    text: Vec<u8>,
}

impl Claims<'_> {
    /// Proves that at most `bound` queens fit on a box, unless that was proved before. Returns the reason if
    /// the search was stopped. Adds the counts to those of `found`.
    fn prove_box(
        &mut self,
        sides: &[u32],
        bound: u64,
        found: &mut Search,
    ) -> Result<Option<StopReason>, ProofError> {
        if self.bounds.get(sides).is_some_and(|&proved| proved <= bound) {
            return Ok(None);
        }
        let (longest, others) = sides.split_last().expect("a box has sides");
        let lines: u64 = others.iter().map(|&side| u64::from(side)).product();
        let is_single = *longest == 1 && lines == 1;
        if lines <= bound && (self.piece != Piece::Bishop || is_single) {
            write_box(&mut self.text, sides, bound, "lines")?;
        } else {
            let board = Board::new(&BoardName::grid(self.piece, false, sides));
            let problem = Problem { board: &board, ..*self.problem };
            let ProvableRows { rows, boxes } =
                provable_rows(&problem, problem.variant(bound + 1, &[]), Provable::All)?;
            let mut tree = SpooledTempFile::new(HELD_IN_MEMORY);
            let name: Vec<String> = sides.iter().map(ToString::to_string).collect();
            let name = format!("box-{}-{bound}-0", name.join("x"));
            let lemma = search(&board, rows, bound + 1, self.settings, &name, self.store, &mut tree)?;
            found.statistics.add(&lemma.statistics);
            match lemma.end {
                End::Refuted => {}
                End::Found(_) => {
                    return Err(ProofError::WrongBound { board: board.name().to_string(), bound });
                }
                End::Stopped(reason) => return Ok(Some(reason)),
            }
            for (sides, bound) in boxes {
                if let Some(reason) = self.prove_box(&sides, bound, found)? {
                    return Ok(Some(reason));
                }
            }
            write_box(&mut self.text, sides, bound, "search\norder lexicographic")?;
            copy(&mut tree, &mut self.text)?;
        }
        self.bounds.insert(sides.to_vec(), bound);
        Ok(None)
    }
}
