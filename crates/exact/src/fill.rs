//! How boxes are bounded: a board, or a box and before it all boxes inside, smallest first.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_model::board::Board;
use ndqueens_model::name::{BoardName, Piece};
use rayon::prelude::*;

use super::box_cache::{self, Kept};
use super::box_result::{BoxResult, Entry, How, checked_size, write_entry};
use super::indexed::Order;
use super::question::{Answer, Question};
use super::settings::{Layers, PrimalHeuristics, Settings};
use super::table::{BoxTable, parts};
use super::task::NODES_WORTH_PARTS;

/// What the engine tells when it has bounded a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step<'a> {
    /// The box.
    pub sides: &'a [u32],
    /// What was found out.
    pub entry: Entry,
    /// Boxes that it has bounded by now, of those that it was asked for and did not know.
    pub done: usize,
    /// All of those.
    pub boxes: usize,
}

/// How the engine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// It has bounded all that it was asked for, as far as the limit on nodes allows.
    Finished,
    /// As many queens as are asked for are placed.
    TargetReached,
    /// The control was stopped.
    Stopped,
}

impl Termination {
    /// Of work that is over, with the target reached or not.
    pub(super) fn of(reached: bool, settings: &Settings<'_>) -> Self {
        match reached {
            true => Self::TargetReached,
            false if settings.control.is_stopped() => Self::Stopped,
            false => Self::Finished,
        }
    }

    /// Whether it finished.
    #[must_use]
    pub fn is_finished(self) -> bool {
        self == Self::Finished
    }
}

/// A box that is not in a table, with what was found out about it since.
struct Missing {
    sides: Vec<u32>,
    result: Option<BoxResult>,
    is_told: bool,
}

impl Missing {
    fn is_closed(&self) -> bool {
        self.result.as_ref().is_some_and(|result| result.entry.is_closed())
    }

    fn sum(&self) -> u32 {
        self.sides.iter().sum()
    }
}

/// Nodes that a board may take in the first round, and each box that differs from it in two sides at most.
const FIRST_LIMIT: u64 = 1 << 12;
/// By so many bits the limit is longer in each further round.
const ROUND_BITS: u32 = 3;
/// By so many bits it is shorter for each further side that differs.
const SIDE_BITS: u32 = 6;
/// By so many bits it is shorter for boxes with a side above half of the board's plus one: what a cut says of them is mostly enough.
const THICK_BITS: u32 = 12;

/// The sides of a box and of a board, in ascending order, that they do not share.
fn differing(sides: &[u32], board: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut others = board.to_vec();
    others.sort_unstable();
    let is_own = |side: &u32| {
        let place = others.iter().position(|other| other == side);
        place.map(|place| others.remove(place)).is_none()
    };
    let own = sides.iter().copied().filter(is_own).collect();
    (own, others)
}

/// By so many bits a box inside a board has a shorter limit.
fn shorter_by(sides: &[u32], board: &[u32]) -> u32 {
    let (own, others) = differing(sides, board);
    let is_thick = own.iter().zip(&others).any(|(&side, &whole)| side > whole / 2 + 1);
    SIDE_BITS * (own.len() as u32).saturating_sub(2) + if is_thick { THICK_BITS } else { 0 }
}

/// Writes what a proof says of the boxes that were told of.
fn write_entries(boxes: &mut [Missing], proof: Option<&mut dyn Write>) -> io::Result<()> {
    let Some(out) = proof else { return Ok(()) };
    for one in boxes.iter_mut().filter(|one| one.is_told) {
        let result = one.result.as_mut().expect("what is told of was found out");
        write_entry(out, &one.sides, result)?;
    }
    Ok(())
}

impl BoxTable {
    /// Finds out about a box, and before it about all boxes inside, smallest first. The proof of each new entry goes to
    /// `proof`, if that is given, and `tell` hears of it. Where it ends before, what was found so far stays, and the boxes that
    /// are left are bounded by lines and cuts, untold and unproved.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub fn fill(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        self.fill_all(parts(sides), sides, settings, proof, tell)
    }

    /// Finds out about all boxes inside a box, but not about the box itself, as [`Self::fill`] does.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub fn fill_inside(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        let mut inside = parts(sides);
        inside.pop();
        self.fill_all(inside, sides, settings, proof, tell)
    }

    /// Finds out about a box, and about the boxes inside as far as that helps: its thin slabs and their thin slabs may take as many
    /// nodes as itself, other boxes far fewer. When its bounds do not meet after a round, all may take more in the next. The proof, and
    /// with it the table, has only the boxes that the bound rests on.
    ///
    /// # Errors
    /// When a proof cannot be written.
    pub(super) fn fill_towards(
        &mut self,
        sides: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        let mut boxes = self.missing(parts(sides));
        let mut most = FIRST_LIMIT;
        loop {
            let limit = |part: &[u32]| {
                let limit = most.checked_shr(shorter_by(part, sides)).unwrap_or(0);
                limit.min(settings.limit_of(part, sides))
            };
            let end = self.fill_round(&mut boxes, &limit, settings, tell)?;
            let is_closed = self.get(sides).is_some_and(Entry::is_closed);
            if is_closed || !end.is_finished() || most >= settings.node_limit {
                let needed = self.needed(sides);
                boxes.retain(|one| needed.contains(&one.sides));
                if proof.is_some() {
                    self.retain(&needed);
                }
                write_entries(&mut boxes, proof)?;
                return Ok(end);
            }
            most = most.saturating_mul(1 << ROUND_BITS);
        }
    }

    /// The boxes that the bound of a box rests on, itself included.
    fn needed(&self, sides: &[u32]) -> HashSet<Vec<u32>> {
        let with = |sides: &[u32], changed: &[(usize, u32)]| {
            let mut part = sides.to_vec();
            changed.iter().for_each(|&(axis, width)| part[axis] = width);
            part.sort_unstable();
            part
        };
        let mut needed = HashSet::new();
        let mut next = vec![with(sides, &[])];
        while let Some(part) = next.pop() {
            let Some(entry) = self.get(&part).filter(|_| needed.insert(part.clone())) else { continue };
            match entry.how {
                How::Lines => {}
                How::Cut { axis, width } => {
                    next.extend([width, part[axis] - width].map(|width| with(&part, &[(axis, width)])));
                }
                // The demands of slabs and of layers rest on slabs, those of rows of a layer on parts of the layer.
                How::Search => {
                    for (axis, &side) in part.iter().enumerate() {
                        next.extend((1..side).map(|width| with(&part, &[(axis, width)])));
                        for layer in (0..part.len()).filter(|&layer| layer != axis) {
                            next.extend((1..side).map(|width| with(&part, &[(layer, 1), (axis, width)])));
                        }
                    }
                }
            }
        }
        needed
    }

    fn fill_all(
        &mut self,
        boxes: Vec<Vec<u32>>,
        board: &[u32],
        settings: &Settings<'_>,
        proof: Option<&mut dyn Write>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        let settings = &Settings { proofs: proof.is_some(), ..*settings };
        let mut boxes = self.missing(boxes);
        let end = self.fill_round(&mut boxes, &|part| settings.limit_of(part, board), settings, tell)?;
        write_entries(&mut boxes, proof)?;
        Ok(end)
    }

    fn missing(&self, boxes: Vec<Vec<u32>>) -> Vec<Missing> {
        let missing = boxes.into_iter().filter(|sides| self.get(sides).is_none());
        missing.map(|sides| Missing { sides, result: None, is_told: false }).collect()
    }

    /// Finds out more about all boxes whose bounds do not meet, each with so many nodes in all.
    fn fill_round(
        &mut self,
        boxes: &mut [Missing],
        limit: &(dyn Fn(&[u32]) -> u64 + Sync),
        settings: &Settings<'_>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        let settings = &Settings { proofs: settings.proofs || settings.box_cache.is_some(), ..*settings };
        let mut open: Vec<&mut Missing> = boxes.iter_mut().filter(|one| !one.is_closed()).collect();
        let boxes = open.len();
        let mut done = 0;
        let mut reached = false;
        // The boxes inside a box have smaller sums of sides, so boxes with the same sum can be worked on at a time.
        for level in open.chunk_by_mut(|a, b| a.sum() == b.sum()) {
            let seen = AtomicBool::new(reached);
            let close_gap = |one: &mut &mut Missing| {
                let settings = Settings { node_limit: limit(&one.sides), ..*settings };
                let result = self.close_box_gap(&one.sides, one.result.take(), &settings, seen.load(Relaxed));
                // What is placed on a part is placed on the board.
                seen.fetch_or(
                    result.as_ref().is_ok_and(|result| result.entry.lower >= settings.target),
                    Relaxed,
                );
                result
            };
            let results: Vec<_> = level.par_iter_mut().with_max_len(1).map(close_gap).collect();
            reached = seen.into_inner();
            let stopped = reached || settings.control.is_stopped();
            for (one, result) in level.iter_mut().zip(results) {
                let result = result?;
                done += 1;
                if !stopped {
                    one.is_told = true;
                    tell(Step { sides: &one.sides, entry: result.entry, done, boxes });
                }
                self.insert(&one.sides, &result);
                one.result = Some(result);
            }
        }
        Ok(Termination::of(reached, settings))
    }

    /// Finds out more about a box whose proper parts are in the table, without a search once the target is reached.
    fn close_box_gap(
        &self,
        sides: &[u32],
        known: Option<BoxResult>,
        settings: &Settings<'_>,
        reached: bool,
    ) -> io::Result<BoxResult> {
        let board = Board::new(&BoardName::grid(self.piece, false, sides));
        if reached || settings.control.is_stopped() {
            let cut = self.without_search(&board, sides, settings, 0)?;
            return Ok(match known {
                Some(known) => known.or_better(cut),
                None => cut,
            });
        }
        // What waited for bounds of boxes inside may be used by now.
        let kept = match settings.box_cache.filter(|_| known.as_ref().is_none_or(|known| known.waits)) {
            Some(box_cache) => box_cache::take(box_cache, sides, &board, self)?,
            None => Kept::Nothing,
        };
        let waits = matches!(kept, Kept::Waiting);
        let known = match (kept, known) {
            (Kept::Usable(kept), _) => Some(kept),
            (_, known) => known,
        };
        let mut known = match known {
            Some(known) if known.entry.is_closed() => return Ok(known),
            Some(known) => known.or_better(self.without_search(&board, sides, settings, CUT_WORK)?),
            None => self.without_search(&board, sides, settings, CUT_WORK)?,
        };
        known.waits = waits;
        if known.entry.nodes > 0 && known.is_over(settings.node_limit) {
            return Ok(known);
        }
        let before = known.entry;
        let mut result = close_gap(&board, self, settings, known)?;
        if let Some(box_cache) = settings.box_cache.filter(|_| !waits || result.entry.is_closed())
            && (result.entry.upper < before.upper || !settings.control.is_stopped())
        {
            box_cache::keep(box_cache, self.piece, sides, &mut result, self)?;
        }
        Ok(result)
    }

    /// What cuts say of a box, and constructions of so much work.
    fn without_search(
        &self,
        board: &Board,
        sides: &[u32],
        settings: &Settings<'_>,
        work: u64,
    ) -> io::Result<BoxResult> {
        let mut entry = Entry { lower: 1, upper: board.trivial_bound(), how: How::Lines, nodes: 0 };
        let mut tree = None;
        if self.piece == Piece::Bishop {
            // Bishops have no lines along an axis, and the parallel lines of any other direction differ in length.
            let partition = BoxResult::of_partition(board, settings.proofs)?;
            (entry, tree) = (Entry { lower: 1, ..partition.entry }, partition.tree);
        }
        let mut placement = vec![vec![0; sides.len()]];
        for axis in 0..sides.len() {
            for width in 1..=sides[axis] / 2 {
                let part = |n: u32| {
                    let mut part = sides.to_vec();
                    part[axis] = n;
                    (*self.get(&part).expect("smaller boxes come first"), part)
                };
                let ((thin, _), (thick, thick_sides)) = (part(width), part(sides[axis] - width));
                if thick.lower > entry.lower {
                    entry.lower = thick.lower;
                    placement = self.placement(&thick_sides).expect("each entry has a placement");
                }
                if thin.upper + thick.upper < entry.upper {
                    (entry.upper, entry.how) = (thin.upper + thick.upper, How::Cut { axis, width });
                }
            }
        }
        let constructed = settings.heuristics.and_then(|heuristics| heuristics.construct(board, work));
        if let Some(squares) = constructed.filter(|squares| squares.len() as u64 > entry.lower) {
            entry.lower = checked_size(board, &squares);
            placement = squares.iter().map(|&square| board.coordinates(square)).collect();
        }
        let tree = tree.filter(|_| matches!(entry.how, How::Search));
        Ok(BoxResult { entry, placement, tree, waits: false })
    }
}

/// Effort of the first local search, in neighbours looked at, and of the first tree search, in nodes. They grow from round
/// to round until one of them settles the box.
const FIRST_WORK: u64 = 200_000;
const FIRST_NODES: u64 = 4_000;

/// Effort of the search for a subcube cut.
const CUT_WORK: u64 = 100_000;

/// Makes lower and upper bound meet, by local search and tree search in turn. When that takes more nodes than allowed, the
/// upper bound is lowered as far as it goes with about as many again. When stopped, the bounds stay where they are.
pub(super) fn close_gap(
    board: &Board,
    table: &BoxTable,
    settings: &Settings<'_>,
    known: BoxResult,
) -> io::Result<BoxResult> {
    let mut result = known;
    let is_over = |result: &BoxResult| {
        result.is_over(settings.node_limit)
            || result.entry.lower >= settings.target
            || settings.control.is_stopped()
    };
    let mut orders = Order::ALL.map(|order| (order, 0f64));
    // Rounds that are done need not be done again.
    let first = (0..).find(|round| FIRST_NODES << (3 * round) > result.entry.nodes / 2).unwrap_or(0);
    for round in first.. {
        if is_over(&result) {
            break;
        }
        let target = result.entry.upper.min(board.trivial_bound()).min(settings.target) as usize;
        let work = FIRST_WORK << round;
        let search =
            |heuristics: &dyn PrimalHeuristics| heuristics.search(board, settings.seed + round, work, target);
        let found = settings.heuristics.and_then(search).unwrap_or_default();
        result.improve(board, &found);
        // The order that got on best in the round before goes first.
        orders.sort_by(|a, b| b.1.total_cmp(&a.1));
        let limit = |result: &BoxResult| {
            (FIRST_NODES << (3 * round)).min(settings.node_limit.saturating_sub(result.entry.nodes))
        };
        // Cases pay where a tree is large. They are all that is tried where two rounds did not do.
        let by_layers = match settings.components.layers {
            Layers::Never => false,
            Layers::LargeTrees => round > 0,
            Layers::Always => true,
        };
        if by_layers && !is_over(&result) {
            let (k, limit) = (result.entry.lower + 1, limit(&result));
            let answer = ask_by_layers(&mut result, board, table, settings, (k, limit))?;
            if answer.is_some() && round > 1 {
                continue;
            }
        }
        let is_box = board.grid().is_some_and(|grid| !grid.is_torus());
        if !is_box && !is_over(&result) && result.entry.lower + 1 == board.trivial_bound() {
            let (k, limit) = (result.entry.lower + 1, limit(&result));
            let question = Question::new(board, k, Order::Lexicographic, table, settings);
            let before = settings.control.done();
            let (answer, nodes) = question.answer_on_lines(settings, limit)?;
            settings.control.uncount_progress(settings.control.done() - before);
            result.entry.nodes += nodes;
            if let Answer::Feasible(squares) = answer {
                result.improve(board, &squares);
            }
        }
        for (order, progress) in &mut orders {
            if is_over(&result) {
                break;
            }
            let (k, limit) = (result.entry.lower + 1, limit(&result));
            let answer = ask(&mut result, board, table, settings, (k, *order, limit))?;
            if let Answer::Stopped(done) = answer
                && limit < NODES_WORTH_PARTS
            {
                // How far parts come that share their nodes depends on which is first.
                *progress = done;
            }
        }
    }
    // What was asked last need not be asked again.
    if result.entry.upper == result.entry.lower + 1 && result.is_over(settings.node_limit) {
        return Ok(result);
    }
    let goes_on = |entry: Entry| entry.lower < entry.upper.min(settings.target);
    while goes_on(result.entry) && !settings.control.is_stopped() {
        let (k, limit) = (result.entry.upper, settings.node_limit);
        let by_layers = match settings.components.layers {
            Layers::Never => None,
            _ => ask_by_layers(&mut result, board, table, settings, (k, limit))?,
        };
        let answer = match by_layers {
            Some(answer) => answer,
            None => ask(&mut result, board, table, settings, (k, orders[0].0, limit))?,
        };
        if let Answer::Stopped(_) = answer {
            break;
        }
    }
    Ok(result)
}

/// Searches for k queens, with squares in this order and at most so many nodes, and learns from the answer.
fn ask(
    result: &mut BoxResult,
    board: &Board,
    table: &BoxTable,
    settings: &Settings<'_>,
    (k, order, node_limit): (u64, Order, u64),
) -> io::Result<Answer> {
    let question = Question::new(board, k, order, table, settings);
    let before = settings.control.done();
    let answered = question.answer(settings, node_limit)?;
    Ok(learn(result, board, settings, (k, before), answered))
}

/// The same by cases; `None` where there are none.
fn ask_by_layers(
    result: &mut BoxResult,
    board: &Board,
    table: &BoxTable,
    settings: &Settings<'_>,
    (k, node_limit): (u64, u64),
) -> io::Result<Option<Answer>> {
    // Rows of a layer are cliques in the lexicographic order, which is the better one where two full layers stand close together.
    // Only cubes have cases in which they do not along several axes.
    let is_cube = board.grid().is_some_and(|grid| grid.sides().iter().all(|side| *side == grid.sides()[0]));
    let order = if is_cube { Order::Morton } else { Order::Lexicographic };
    let question = Question::new(board, k, order, table, settings);
    let before = settings.control.done();
    let answered = question.answer_by_layers(settings, node_limit)?;
    Ok(answered.map(|answered| learn(result, board, settings, (k, before), answered)))
}

/// What the answer whether k queens fit says; so much was done before.
fn learn(
    result: &mut BoxResult,
    board: &Board,
    settings: &Settings<'_>,
    (k, before): (u64, f64),
    (mut answer, nodes): (Answer, u64),
) -> Answer {
    // The next question has a tree of its own.
    settings.control.uncount_progress(settings.control.done() - before);
    result.entry.nodes += nodes;
    match &mut answer {
        Answer::Infeasible(tree) => {
            (result.entry.upper, result.entry.how) = (k - 1, How::Search);
            result.tree = tree.take();
        }
        Answer::Feasible(squares) => result.improve(board, squares),
        Answer::Stopped(_) => {}
    }
    answer
}
