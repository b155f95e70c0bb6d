//! Trees in parts: subtrees of few nodes, which are searched in parallel and stored one by one.
//!
//! A part visits at most [`NODES_A_PART`] nodes; the nodes that are then open begin further parts. A part
//! depends only on the parts above it. The tree therefore does not depend on the number of threads, and a
//! stopped search can resume.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead, Cursor, Read as _, Seek as _, SeekFrom, Write};
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use ndqueens_exact::WorkStore;
use ndqueens_model::board::{Board, Square};
use ndqueens_system::cancel::StopReason;
use ndqueens_system::thread::with_threads;
use parking_lot::Mutex;
use rayon::Scope;
use serde::{Deserialize, Serialize};
use tempfile::SpooledTempFile;

use super::branching::PseudoCosts;
use super::relaxation::{Pool, Row};
use super::tree::{
    End, Explored, Learned, Node, ParentOptimum, PartStart, Question, Search, SearchError, Settings,
    Statistics, explore, group_of,
};
use super::writer::{PART, ProofTreeWriter};
use crate::backends::highs::incremental::Basis;

/// Largest number of nodes of a part.
const NODES_A_PART: u64 = 32;

/// Bytes of parts that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// Digits that are appended to the name of a part for the parts below it. A part has at most
/// [`NODES_A_PART`] + 1 parts below it.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Store of parts in memory, or in a temporary file if they are long.
#[derive(Debug)]
pub struct TemporaryStore(Mutex<Temporary>);

#[derive(Debug)]
struct Temporary {
    file: SpooledTempFile,
    end: u64,
    /// First byte of each part and the byte after its last one.
    places: HashMap<String, (u64, u64)>,
}

impl Default for TemporaryStore {
    fn default() -> Self {
        let file = SpooledTempFile::new(HELD_IN_MEMORY);
        Self(Mutex::new(Temporary { file, end: 0, places: HashMap::new() }))
    }
}

impl WorkStore for TemporaryStore {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        let mut held = self.0.lock();
        let Some(&(from, to)) = held.places.get(name) else { return Ok(None) };
        let mut text = vec![0; usize::try_from(to - from).map_err(io::Error::other)?];
        held.file.seek(SeekFrom::Start(from))?;
        held.file.read_exact(&mut text)?;
        Ok(Some(Box::new(Cursor::new(text))))
    }

    fn store(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut text = Vec::new();
        fill(&mut text)?;
        let mut held = self.0.lock();
        let from = held.end;
        held.file.seek(SeekFrom::Start(from))?;
        held.file.write_all(&text)?;
        held.end += text.len() as u64;
        let to = held.end;
        held.places.insert(name.to_owned(), (from, to));
        Ok(())
    }

    fn reject(&self, _name: &str, _why: &str) {}
}

/// First line of a stored part; the lines of its tree follow.
#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// Name of the part.
    name: String,
    statistics: Statistics,
    /// Nodes at which the parts below begin.
    waiting: Vec<WaitingNode>,
    learned: Learned,
}

#[derive(Debug, Serialize, Deserialize)]
struct WaitingNode {
    placed: Vec<usize>,
    free: Vec<usize>,
    share: f64,
    bound: f64,
    basis: Basis,
}

impl WaitingNode {
    fn of(node: &Node) -> Self {
        let ParentOptimum { bound, basis } = node.parent.clone().expect("only the root has no parent");
        let squares = |set: &FixedBitSet| set.ones().collect();
        Self { placed: squares(&node.placed), free: squares(&node.free), share: node.share, bound, basis }
    }

    /// Returns the node if it is valid for a board with `size` squares and a pool of `rows` rows.
    fn into_node(self, size: usize, rows: usize) -> Option<Node> {
        let set = |squares: Vec<usize>| {
            let mut set = FixedBitSet::with_capacity(size);
            squares.iter().all(|&square| square < size).then(|| set.extend(squares))?;
            Some(set)
        };
        let Basis { columns, nonbasic_rows } = &self.basis;
        let is_sorted = nonbasic_rows.is_sorted_by(|(a, _), (b, _)| a < b);
        let are_rows = nonbasic_rows.iter().all(|(row, _)| *row < rows as u64);
        let is_basis = columns.len() == size && is_sorted && are_rows && self.bound.is_finite();
        let parent = is_basis.then_some(ParentOptimum { bound: self.bound, basis: self.basis })?;
        Some(Node {
            placed: set(self.placed)?,
            free: set(self.free)?,
            share: self.share,
            parent: Some(parent),
        })
    }
}

/// Searches for `target` queens on a board whose independent sets satisfy the `rows`. If they do not fit,
/// writes the tree that proves it to `out`. The names of the parts in `store` begin with `name`.
///
/// # Errors
/// Returns an error if HiGHS fails, or a part or the tree cannot be written or read.
pub(super) fn search(
    board: &Board,
    rows: Vec<Row>,
    target: u64,
    settings: &Settings<'_>,
    name: &str,
    store: &dyn WorkStore,
    out: &mut dyn Write,
) -> Result<Search, SearchError> {
    let (graph, group) = (board.graph(), group_of(board, settings.symmetry));
    let question = Question::new(&graph, &group, target, settings);
    let parts = Parts { board, question, store, state: Mutex::default() };
    let root = Part {
        name: name.to_owned(),
        node: Node::root(&graph, settings.included),
        above: Arc::new(Above { pool: Pool::new(board.size(), rows), costs: PseudoCosts::default() }),
    };
    with_threads(settings.threads, || {
        rayon::scope(|scope| {
            let parts = &parts;
            scope.spawn(move |scope| parts.run(&root, scope));
        });
    })?;
    let State { found, stopped, fault, statistics } = parts.state.into_inner();
    if let Some(fault) = fault {
        return Err(fault);
    }
    // If several parts have solutions, the first one counts, and so do the parts before it.
    let counted = statistics.iter().filter(|(part, _)| found.as_ref().is_none_or(|(name, _)| *part <= name));
    let mut sum = Statistics::default();
    counted.for_each(|(_, statistics)| sum.add(statistics));
    let end = match (found, stopped) {
        (Some((_, solution)), _) => End::Found(solution),
        (None, Some(reason)) => End::Stopped(reason),
        (None, None) => End::Refuted,
    };
    if end == End::Refuted {
        copy(store, name, out)?;
    }
    Ok(Search { end, statistics: sum, root: parts.question.root.into_inner() })
}

/// Writes the tree of a part with all parts below it.
fn copy(store: &dyn WorkStore, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let lost = || io::Error::other(format!("part {name} of the tree is gone"));
    let text = store.open(name)?.ok_or_else(lost)?;
    for line in text.lines().skip(1) {
        let line = line?;
        match line
            .strip_prefix(PART)
            .map(|number| number.parse().ok().and_then(|number| child_name(name, number)))
        {
            Some(part) => {
                let part = part.ok_or_else(lost)?;
                ndqueens_system::stack::level(|| copy(store, &part, out))?;
            }
            None => writeln!(out, "{line}")?,
        }
    }
    Ok(())
}

/// Returns the name of a part below another one.
fn child_name(name: &str, number: usize) -> Option<String> {
    DIGITS.get(number).map(|&digit| format!("{name}{}", char::from(digit)))
}

/// Part to be searched.
struct Part {
    name: String,
    node: Node,
    above: Arc<Above>,
}

/// Rows and costs from the parts above a part.
struct Above {
    pool: Pool,
    costs: PseudoCosts,
}

/// All parts of a search.
struct Parts<'a> {
    board: &'a Board,
    question: Question<'a>,
    store: &'a dyn WorkStore,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Name and solution of the first part with a solution. Names are ordered as in the tree, depth first.
    found: Option<(String, Vec<Square>)>,
    stopped: Option<StopReason>,
    fault: Option<SearchError>,
    /// Counts of each part.
    statistics: BTreeMap<String, Statistics>,
}

impl Parts<'_> {
    /// Returns `true` if a part must be searched: nothing was stopped, and no part before it has a solution.
    fn is_needed(&self, name: &str) -> bool {
        let state = self.state.lock();
        let is_after = state.found.as_ref().is_some_and(|(found, _)| found.as_str() < name);
        state.stopped.is_none() && state.fault.is_none() && !is_after
    }

    /// Loads or searches a part, and spawns those below it.
    fn run<'s>(&'s self, part: &Part, scope: &Scope<'s>) {
        let monitor = self.question.settings.monitor;
        if self.is_needed(&part.name) {
            match self.load(part).map_or_else(|| self.search(part), Ok) {
                Ok(parts) => {
                    // A thread takes the part that was spawned last, so the first one is spawned last.
                    for part in parts.into_iter().rev() {
                        monitor.set_open(&part.name, part.node.bound(), 1);
                        scope.spawn(move |scope| self.run(&part, scope));
                    }
                }
                Err(fault) => {
                    monitor.control.stop();
                    self.state.lock().fault.get_or_insert(fault);
                }
            }
        }
        monitor.remove(&part.name);
    }

    /// Returns the parts below a stored part, or `None` if it is not stored or invalid.
    fn load(&self, part: &Part) -> Option<Vec<Part>> {
        let refuse = |why: &str| self.store.reject(&part.name, why);
        let mut line = String::new();
        let read = match self.store.open(&part.name) {
            Ok(Some(mut text)) => {
                text.read_line(&mut line).and_then(|_| io::copy(&mut text, &mut io::sink()))
            }
            Ok(None) => return None,
            Err(fault) => Err(fault),
        };
        let record: Record = match read.and_then(|_| Ok(serde_json::from_str(&line)?)) {
            Ok(record) => record,
            Err(fault) => {
                refuse(&fault.to_string());
                return None;
            }
        };
        let size = self.board.size();
        if record.name != part.name {
            refuse(&format!("it is part {}", record.name));
            return None;
        }
        let Learned { cliques, program, .. } = &record.learned;
        let rows = part.above.pool.len() + cliques.len();
        let are_squares = cliques.iter().flatten().all(|&square| (square as usize) < size);
        let are_rows = program.is_sorted() && program.iter().all(|&row| row < rows);
        let waiting: Option<Vec<Node>> =
            record.waiting.into_iter().map(|waiting| waiting.into_node(size, rows)).collect();
        let Some(waiting) = waiting.filter(|_| are_squares && are_rows) else {
            refuse("it is not of this board");
            return None;
        };
        let done = part.node.share - waiting.iter().map(|node| node.share).sum::<f64>();
        self.question.settings.monitor.control.count(record.statistics.nodes, done);
        if let Some(root) = &record.learned.root {
            self.question.root.get_or_init(|| root.clone());
        }
        Some(self.complete(part, record.statistics, waiting, record.learned))
    }

    /// Searches a part and stores it. Returns the parts below it.
    fn search(&self, part: &Part) -> Result<Vec<Part>, SearchError> {
        let mut text = Vec::new();
        let Question { group, graph, settings, .. } = self.question;
        let mut writer = ProofTreeWriter::new(&mut text, self.board, group, graph);
        let go_on = |bound: f64, open: usize| {
            settings.monitor.set_open(&part.name, bound, open + 1);
            self.is_needed(&part.name)
        };
        let Above { pool, costs } = &*part.above;
        let start = PartStart { node: &part.node, pool, costs };
        let explored = explore(&self.question, start, NODES_A_PART, &mut writer, &go_on)?;
        let (statistics, waiting, learned) = match explored {
            Explored::Done { statistics, waiting, learned } => (statistics, waiting, learned),
            Explored::Found(solution, statistics) => {
                let mut state = self.state.lock();
                state.statistics.insert(part.name.clone(), statistics);
                if state.found.as_ref().is_none_or(|(name, _)| part.name < *name) {
                    state.found = Some((part.name.clone(), solution));
                }
                return Ok(Vec::new());
            }
            Explored::Stopped(reason, statistics) => {
                let mut state = self.state.lock();
                state.statistics.insert(part.name.clone(), statistics);
                // A part also ends early if a part before it has found a solution.
                if state.found.is_none() {
                    state.stopped.get_or_insert(reason);
                }
                return Ok(Vec::new());
            }
        };
        let record = Record {
            name: part.name.clone(),
            statistics,
            waiting: waiting.iter().map(WaitingNode::of).collect(),
            learned,
        };
        self.store.store(&part.name, &mut |out| {
            serde_json::to_writer(&mut *out, &record)?;
            out.write_all(b"\n")?;
            out.write_all(&text)
        })?;
        Ok(self.complete(part, statistics, waiting, record.learned))
    }

    /// Adds the counts of a part, and returns the parts below it.
    fn complete(
        &self,
        part: &Part,
        statistics: Statistics,
        waiting: Vec<Node>,
        learned: Learned,
    ) -> Vec<Part> {
        self.state.lock().statistics.insert(part.name.clone(), statistics);
        let Learned { cliques, program, costs, .. } = learned;
        let above = Arc::new(Above { pool: part.above.pool.with_cliques(&cliques, program), costs });
        let name = |number| child_name(&part.name, number).expect("a part has few parts below it");
        let parts = waiting.into_iter().enumerate();
        parts.map(|(number, node)| Part { name: name(number), node, above: Arc::clone(&above) }).collect()
    }
}
