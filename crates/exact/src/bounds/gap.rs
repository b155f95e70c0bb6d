//! Search for the maximum of one board: the lower and the upper bound are improved until they meet.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_model::board::{Board, Square};

use crate::boxes::box_result::{BoxResult, Entry, Justification};
use crate::question::{Feasibility, Question};
use crate::schedule::refutation::is_divided;
use crate::schedule::task::Task;
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::indexed_board::{IndexedBoards, Order};
use crate::search::tree_search::{End, Run};
use crate::settings::{Layers, PrimalHeuristics, Settings};

/// Effort of the first local search, in neighbours that are examined. It grows from round to round.
const FIRST_WORK: u64 = 200_000;

/// Nodes of the first tree searches. They grow from round to round.
const FIRST_NODES: u64 = 4_000;

/// First round in which the search of a divided board has no limit of its own.
const FIRST_UNLIMITED_ROUND: u64 = 3;

/// Effort of the first local search on a small board, for each pair of squares. More finds nothing new there.
const WORK_PER_PAIR: u64 = 100;

/// Creates the question whether a number of queens fits, with the squares in an order.
pub(crate) type Questions<'q> = dyn Fn(u64, Order) -> Question<'q> + Sync + 'q;

/// Makes the lower and the upper bound of a board meet, by local search and tree search in alternating
/// rounds. If this takes more nodes than the limit, the upper bound is then lowered as far as it goes with
/// about the same number of nodes again. If the search is stopped, the bounds stay as they are.
///
/// # Errors
/// Returns an error if a proof cannot be written to its temporary file.
pub(crate) fn close_gap(
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    known: BoxResult,
) -> io::Result<BoxResult> {
    let mut gap = Gap { boards, board: boards.board, questions, settings, result: known };
    let mut orders = Order::ALL.map(|order| OrderProgress { order, progress: 0.0 });
    // A box that was searched before, perhaps by a run whose results were stored, continues with the first
    // round that is larger than the searches so far.
    let first = (0..).find(|round| FIRST_NODES << (3 * round) > gap.result.entry.nodes / 2).unwrap_or(0);
    for round in first.. {
        if gap.is_over() {
            break;
        }
        gap.run_round(round, &mut orders)?;
    }
    gap.lower_upper_bound(orders[0].order)?;
    Ok(gap.result)
}

/// Order of the squares, and the part of the tree that the last search in this order completed.
struct OrderProgress {
    order: Order,
    progress: f64,
}

/// Bounds of a board that do not meet yet.
struct Gap<'g, 'q> {
    boards: &'g IndexedBoards<'g>,
    board: &'g Board,
    questions: &'g Questions<'q>,
    settings: &'g Settings<'g>,
    result: BoxResult,
}

impl Gap<'_, '_> {
    /// Returns `true` if no further search is necessary or allowed.
    fn is_over(&self) -> bool {
        self.result.is_finished(self.settings.node_limit)
            || self.result.entry.lower >= self.settings.target()
            || self.settings.control.is_stopped()
    }

    /// Returns the node limit of a search of a round. Later searches of a divided board have no limit of
    /// their own, because relaxations take most of their time, and a restart would solve them again.
    fn node_limit(&self, round: u64) -> u64 {
        let left = self.settings.node_limit.saturating_sub(self.result.entry.nodes);
        if round >= FIRST_UNLIMITED_ROUND && is_divided(self.board, self.settings) {
            return left;
        }
        (FIRST_NODES << (3 * round)).min(left)
    }

    /// Runs a round: a local search and tree searches.
    fn run_round(&mut self, round: u64, orders: &mut [OrderProgress]) -> io::Result<()> {
        let (board, settings) = (self.board, self.settings);
        let target = self.result.entry.upper.min(board.trivial_bound()).min(settings.target()) as usize;
        let work = FIRST_WORK.min(WORK_PER_PAIR * (board.size() * board.size()) as u64) << round;
        let search =
            |heuristics: &dyn PrimalHeuristics| heuristics.search(board, settings.seed + round, work, target);
        let search = || settings.heuristics.and_then(search).unwrap_or_default();
        // In later rounds the trees come first; a placement is still wanted if they are too large.
        if round == 0 {
            self.search_locally(&search);
        }
        // The order that made most progress in the round before goes first.
        orders.sort_by(|a, b| b.progress.total_cmp(&a.progress));
        self.search_trees(round, orders)?;
        if round > 0 && !self.result.entry.is_closed() && !settings.control.is_stopped() {
            self.result.improve(board, &search());
        }
        Ok(())
    }

    /// Runs a local search. A thread that has nothing else to do prepares the tree searches that may follow.
    fn search_locally(&mut self, search: &(dyn Fn() -> Vec<Square> + Sync)) {
        let k = self.result.entry.lower + 1;
        let is_done = AtomicBool::new(false);
        let search = || {
            let found = search();
            is_done.store(true, Relaxed);
            found
        };
        let prepare = || {
            let orders = Order::ALL.into_iter().take_while(|_| !is_done.load(Relaxed));
            orders.for_each(|order| drop(Task::on(self.boards, &(self.questions)(k, order), self.settings)));
        };
        let (found, ()) = rayon::join(search, prepare);
        self.result.improve(self.board, &found);
    }

    /// Searches trees for one queen more than are placed: by cases, on lines, and in each order of the
    /// squares.
    fn search_trees(&mut self, round: u64, orders: &mut [OrderProgress]) -> io::Result<()> {
        // Case splits pay if a tree is large. After two rounds without success nothing else is tried.
        let by_layers = match self.settings.components.layers {
            Layers::Never => false,
            Layers::LargeTrees => round > 0,
            Layers::Always => true,
        };
        if by_layers && !self.is_over() {
            let answer = self.ask_by_layers(self.result.entry.lower + 1, self.node_limit(round))?;
            if answer.is_some() && round > 1 {
                return Ok(());
            }
        }
        let is_box = self.board.plain_box().is_some();
        if !is_box && !self.is_over() && self.result.entry.lower + 1 == self.board.trivial_bound() {
            self.ask_on_lines(self.node_limit(round))?;
        }
        if round == 0 {
            return self.ask_in_turn(orders, FIRST_NODES);
        }
        for OrderProgress { order, progress } in orders {
            if self.is_over() {
                break;
            }
            let answer = self.ask(self.result.entry.lower + 1, *order, self.node_limit(round))?;
            if let Feasibility::Stopped(done) = answer {
                *progress = done;
            }
        }
        Ok(())
    }

    /// Lowers the upper bound one by one as long as a search within the node limit shows that it can be
    /// lowered.
    fn lower_upper_bound(&mut self, order: Order) -> io::Result<()> {
        let node_limit = self.settings.node_limit;
        // The last question need not be asked again.
        if self.result.entry.upper == self.result.entry.lower + 1 && self.result.is_finished(node_limit) {
            return Ok(());
        }
        let is_open = |entry: Entry| entry.lower < entry.upper.min(self.settings.target());
        while is_open(self.result.entry) && !self.settings.control.is_stopped() {
            let k = self.result.entry.upper;
            let by_layers = match self.settings.components.layers {
                Layers::Never => None,
                _ => self.ask_by_layers(k, node_limit)?,
            };
            let answer = match by_layers {
                Some(answer) => answer,
                None => self.ask(k, order, node_limit)?,
            };
            if let Feasibility::Stopped(_) = answer {
                break;
            }
        }
        Ok(())
    }

    /// Searches for k queens with the squares in this order, and updates the bounds.
    fn ask(&mut self, k: u64, order: Order, node_limit: u64) -> io::Result<Feasibility> {
        let question = (self.questions)(k, order);
        let before = self.settings.control.done();
        let (answer, nodes) = Task::on(self.boards, &question, self.settings).answer(node_limit)?;
        Ok(self.learn(k, before, answer, nodes))
    }

    /// Searches for k queens by case splits, and updates the bounds. Returns `None` if there are no cases.
    fn ask_by_layers(&mut self, k: u64, node_limit: u64) -> io::Result<Option<Feasibility>> {
        // Rows of a layer are cliques in the lexicographic order, which is better if two full layers are
        // close together. Only cubes have cases along several axes in which they are not.
        let grid = self.board.grid();
        let is_cube = grid.is_some_and(|grid| grid.sides().iter().all(|side| *side == grid.sides()[0]));
        let order = if is_cube { Order::Morton } else { Order::Lexicographic };
        let question = (self.questions)(k, order);
        let before = self.settings.control.done();
        let answer = Task::on(self.boards, &question, self.settings).answer_by_layers(node_limit)?;
        Ok(answer.map(|(answer, nodes)| self.learn(k, before, answer, nodes)))
    }

    /// Searches for one queen more than are placed by branching on lines. Only a placement updates the
    /// bounds, because this search writes no proof.
    fn ask_on_lines(&mut self, node_limit: u64) -> io::Result<()> {
        let question = (self.questions)(self.result.entry.lower + 1, Order::Lexicographic);
        let control = self.settings.control;
        let before = control.done();
        let (answer, nodes) = Task::on(self.boards, &question, self.settings).answer_on_lines(node_limit)?;
        control.uncount_progress(control.done() - before);
        self.result.entry.nodes += nodes;
        if let Feasibility::Feasible(squares) = answer {
            self.result.improve(self.board, &squares);
        }
        Ok(())
    }

    /// Searches for one queen more in one order after the other, with at most `most` nodes each, and updates
    /// the bounds. These searches are too short to be divided; each order is a turn.
    fn ask_in_turn(&mut self, mut orders: &mut [OrderProgress], most: u64) -> io::Result<()> {
        while !orders.is_empty() && !self.is_over() {
            let k = self.result.entry.lower + 1;
            let mut left = self.settings.node_limit - self.result.entry.nodes;
            let limited = |one: &OrderProgress| {
                let limit = left.min(most);
                left -= limit;
                (limit > 0).then_some((one.order, limit))
            };
            let turns: Vec<(Order, u64)> = orders.iter().map_while(limited).collect();
            let ask = |_: usize, &(order, limit): &(Order, u64), budget: &Budget<'_>| {
                let question = (self.questions)(k, order);
                let task = Task::on(self.boards, &question, self.settings);
                let answered = task.answer_within(&budget.with_limit(limit))?;
                let end = match answered.0 {
                    Feasibility::Stopped(_) => Ok(()),
                    // The question in the next order depends on this answer.
                    _ => Err(End::Found(Vec::new())),
                };
                Ok((Run { end, nodes: 0, done: 0.0, parts: Vec::new() }, answered))
            };
            let before = self.settings.control.done();
            let (_, answers) = run_in_turns(&turns, &Budget::new(u64::MAX), self.settings.control, ask)?;
            let asked = answers.len();
            for (one, (answer, nodes)) in orders.iter_mut().zip(answers) {
                if let Feasibility::Stopped(done) = self.learn(k, before, answer, nodes) {
                    one.progress = done;
                }
            }
            orders = &mut orders[asked..];
        }
        Ok(())
    }

    /// Updates the bounds with the answer whether k queens fit. `before` is the progress before the search.
    fn learn(&mut self, k: u64, before: f64, mut answer: Feasibility, nodes: u64) -> Feasibility {
        // The next question has a tree of its own.
        let control = self.settings.control;
        control.uncount_progress(control.done() - before);
        self.result.entry.nodes += nodes;
        match &mut answer {
            Feasibility::Infeasible(tree) => {
                (self.result.entry.upper, self.result.entry.justification) = (k - 1, Justification::Search);
                self.result.tree = tree.take();
            }
            Feasibility::Feasible(squares) => self.result.improve(self.board, squares),
            Feasibility::Stopped(_) => {}
        }
        answer
    }
}
