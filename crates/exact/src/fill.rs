//! How boxes are bounded: a board, or a box and before it all boxes inside, smallest first.

use std::io::{self, Write};

use ndqueens_model::board::Board;
use ndqueens_model::name::{BoardName, Piece};
use rayon::prelude::*;

use super::box_cache;
use super::box_result::{BoxResult, Entry, How, checked_size, write_entry};
use super::indexed::Order;
use super::question::{Answer, Question};
use super::settings::{Layers, PrimalHeuristics, Settings};
use super::table::{BoxTable, squares};

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
        self.fill_all(parts(sides), settings, proof, tell)
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
        self.fill_all(inside, settings, proof, tell)
    }

    fn fill_all(
        &mut self,
        mut missing: Vec<Vec<u32>>,
        settings: &Settings<'_>,
        mut proof: Option<&mut dyn Write>,
        tell: &mut dyn FnMut(Step<'_>),
    ) -> io::Result<Termination> {
        let settings = &Settings { proofs: proof.is_some() || settings.box_cache.is_some(), ..*settings };
        missing.retain(|part| self.get(part).is_none());
        let boxes = missing.len();
        let mut done = 0;
        let mut reached = false;
        // The boxes inside a box have smaller sums of sides, so boxes with the same sum can be worked on at a time.
        for level in missing.chunk_by(|a, b| a.iter().sum::<u32>() == b.iter().sum::<u32>()) {
            for batch in level.chunks(settings.threads.max(1)) {
                let close_gap = |part: &Vec<u32>| self.close_box_gap(part, settings, reached);
                let result: Vec<_> = batch.par_iter().map(close_gap).collect();
                // What is placed on a part is placed on the board.
                reached |= result.iter().flatten().any(|result| result.entry.lower >= settings.target);
                let stopped = reached || settings.control.is_stopped();
                for (part, result) in batch.iter().zip(result) {
                    let mut result = result?;
                    done += 1;
                    if !stopped {
                        if let Some(out) = &mut proof {
                            write_entry(*out, part, &mut result)?;
                        }
                        tell(Step { sides: part, entry: result.entry, done, boxes });
                    }
                    self.insert(part, result);
                }
            }
        }
        Ok(Termination::of(reached, settings))
    }

    /// Finds out about a box whose proper parts are in the table, without a search once the target is reached.
    fn close_box_gap(&self, sides: &[u32], settings: &Settings<'_>, reached: bool) -> io::Result<BoxResult> {
        let board = Board::new(&BoardName::grid(self.piece, false, sides));
        if reached || settings.control.is_stopped() {
            return Ok(self.without_search(&board, sides, settings, 0));
        }
        let kept = settings
            .box_cache
            .map(|box_cache| box_cache::take(box_cache, self.piece, sides, &board))
            .transpose()?;
        let known = match kept.flatten() {
            Some(kept) if kept.entry.lower == kept.entry.upper => return Ok(kept),
            Some(kept) => kept.or_better(self.without_search(&board, sides, settings, CUT_WORK)),
            None => self.without_search(&board, sides, settings, CUT_WORK),
        };
        if known.entry.nodes > 0 && known.is_over(settings.node_limit) {
            return Ok(known);
        }
        let before = known.entry;
        let mut result = close_gap(&board, self, settings, known)?;
        if let Some(box_cache) = settings.box_cache
            && (result.entry.upper < before.upper || !settings.control.is_stopped())
        {
            box_cache::keep(box_cache, self.piece, sides, &mut result)?;
        }
        Ok(result)
    }

    /// What cuts say of a box, and constructions of so much work.
    fn without_search(&self, board: &Board, sides: &[u32], settings: &Settings<'_>, work: u64) -> BoxResult {
        let mut entry = Entry { lower: 1, upper: board.trivial_bound(), how: How::Lines, nodes: 0 };
        if self.piece == Piece::Bishop {
            // Bishops have no lines along an axis, and the parallel lines of any other direction differ in length.
            entry = Entry { lower: 1, ..BoxResult::nothing(board).entry };
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
        BoxResult { entry, placement, tree: None }
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
    for round in 0.. {
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
        for (order, progress) in &mut orders {
            if is_over(&result) {
                break;
            }
            let (k, limit) = (result.entry.lower + 1, limit(&result));
            if let Answer::Stopped(done) = ask(&mut result, board, table, settings, (k, *order, limit))? {
                *progress = done;
            }
        }
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
    // Rows of a layer are cliques in this order.
    let question = Question::new(board, k, Order::Lexicographic, table, settings);
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

/// The sorted sides of all boxes that lie in a box, itself included, by the sum of their sides.
fn parts(sides: &[u32]) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for &side in sides {
        let longer = |part: Vec<u32>| (1..=side).map(move |n| part.iter().copied().chain([n]).collect());
        all = all.into_iter().flat_map(longer).collect();
    }
    for part in &mut all {
        part.sort_unstable();
    }
    all.sort_by_key(|part| (part.iter().sum::<u32>(), squares(part), part.clone()));
    all.dedup();
    all
}
