//! How the bounds of one board are made to meet.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_model::board::{Board, Square};

use crate::boxes::box_result::{BoxResult, Entry, How};
use crate::question::{Feasibility, Question};
use crate::schedule::task::Task;
use crate::schedule::turns::run_in_turns;
use crate::search::budget::Budget;
use crate::search::indexed_board::{IndexedBoards, Order};
use crate::search::tree_search::{End, Run};
use crate::settings::{Layers, PrimalHeuristics, Settings};

/// Effort of the first local search, in neighbours looked at, and of the first tree search, in nodes. They grow from round
/// to round until one of them settles the box.
const FIRST_WORK: u64 = 200_000;
const FIRST_NODES: u64 = 4_000;

/// On a small board the first local search has soon seen all that it will: this much for each pair of squares.
const WORK_PER_PAIR: u64 = 100;

/// The question whether so many queens fit, asked with the squares in this order.
pub(crate) type Questions<'q> = dyn Fn(u64, Order) -> Question<'q> + Sync + 'q;

/// Makes lower and upper bound meet, by local search and tree search in turn. When that takes more nodes than allowed, the
/// upper bound is lowered as far as it goes with about as many again. When stopped, the bounds stay where they are.
pub(crate) fn close_gap(
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    known: BoxResult,
) -> io::Result<BoxResult> {
    let board = boards.board;
    let mut result = known;
    let is_over = |result: &BoxResult| is_over(result, settings);
    let mut orders = Order::ALL.map(|order| (order, 0f64));
    // Rounds that are done need not be done again.
    let first = (0..).find(|round| FIRST_NODES << (3 * round) > result.entry.nodes / 2).unwrap_or(0);
    for round in first.. {
        if is_over(&result) {
            break;
        }
        let target = result.entry.upper.min(board.trivial_bound()).min(settings.target()) as usize;
        let work = FIRST_WORK.min(WORK_PER_PAIR * (board.size() * board.size()) as u64) << round;
        let search =
            |heuristics: &dyn PrimalHeuristics| heuristics.search(board, settings.seed + round, work, target);
        let search = || settings.heuristics.and_then(search).unwrap_or_default();
        // In further rounds the trees come first: where they do not do, a placement is still wanted.
        if round == 0 {
            search_locally(&mut result, &search, boards, questions, settings);
        }
        // The order that got on best in the round before goes first.
        orders.sort_by(|a, b| b.1.total_cmp(&a.1));
        let limit = |result: &BoxResult| {
            (FIRST_NODES << (3 * round)).min(settings.node_limit.saturating_sub(result.entry.nodes))
        };
        let mut ask_in_all_ways = || -> io::Result<()> {
            // Cases pay where a tree is large. They are all that is tried where two rounds did not do.
            let by_layers = match settings.components.layers {
                Layers::Never => false,
                Layers::LargeTrees => round > 0,
                Layers::Always => true,
            };
            if by_layers && !is_over(&result) {
                let (k, limit) = (result.entry.lower + 1, limit(&result));
                let answer = ask_by_layers(&mut result, boards, questions, settings, (k, limit))?;
                if answer.is_some() && round > 1 {
                    return Ok(());
                }
            }
            let is_box = board.plain_box().is_some();
            if !is_box && !is_over(&result) && result.entry.lower + 1 == board.trivial_bound() {
                let (k, limit) = (result.entry.lower + 1, limit(&result));
                let question = questions(k, Order::Lexicographic);
                let before = settings.control.done();
                let (answer, nodes) = Task::on(boards, &question, settings).answer_on_lines(limit)?;
                settings.control.uncount_progress(settings.control.done() - before);
                result.entry.nodes += nodes;
                if let Feasibility::Feasible(squares) = answer {
                    result.improve(board, &squares);
                }
            }
            if round == 0 {
                return ask_in_turn(&mut result, boards, questions, settings, (&mut orders, FIRST_NODES));
            }
            for (order, progress) in &mut orders {
                if is_over(&result) {
                    break;
                }
                let (k, limit) = (result.entry.lower + 1, limit(&result));
                let answer = ask(&mut result, boards, questions, settings, (k, *order, limit))?;
                if let Feasibility::Stopped(done) = answer {
                    *progress = done;
                }
            }
            Ok(())
        };
        ask_in_all_ways()?;
        if round > 0 && !result.entry.is_closed() && !settings.control.is_stopped() {
            result.improve(board, &search());
        }
    }
    // What was asked last need not be asked again.
    if result.entry.upper == result.entry.lower + 1 && result.is_over(settings.node_limit) {
        return Ok(result);
    }
    let goes_on = |entry: Entry| entry.lower < entry.upper.min(settings.target());
    while goes_on(result.entry) && !settings.control.is_stopped() {
        let (k, limit) = (result.entry.upper, settings.node_limit);
        let by_layers = match settings.components.layers {
            Layers::Never => None,
            _ => ask_by_layers(&mut result, boards, questions, settings, (k, limit))?,
        };
        let answer = match by_layers {
            Some(answer) => answer,
            None => ask(&mut result, boards, questions, settings, (k, orders[0].0, limit))?,
        };
        if let Feasibility::Stopped(_) = answer {
            break;
        }
    }
    Ok(result)
}

/// Whether nothing more need, or may, be asked.
fn is_over(result: &BoxResult, settings: &Settings<'_>) -> bool {
    result.is_over(settings.node_limit)
        || result.entry.lower >= settings.target()
        || settings.control.is_stopped()
}

/// Searches locally. A thread that has nothing else to do numbers squares and regions meanwhile, for the trees that may follow.
fn search_locally(
    result: &mut BoxResult,
    search: &(dyn Fn() -> Vec<Square> + Sync),
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
) {
    let k = result.entry.lower + 1;
    let is_done = AtomicBool::new(false);
    let search = || {
        let found = search();
        is_done.store(true, Relaxed);
        found
    };
    let number = || {
        let orders = Order::ALL.into_iter().take_while(|_| !is_done.load(Relaxed));
        orders.for_each(|order| drop(Task::on(boards, &questions(k, order), settings)));
    };
    let (found, ()) = rayon::join(search, number);
    result.improve(boards.board, &found);
}

/// Searches for one queen more in one order after the other, with at most so many nodes each, and learns from the answers. The
/// searches are short ones, which have no parts: each order is a turn.
fn ask_in_turn(
    result: &mut BoxResult,
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    (mut orders, most): (&mut [(Order, f64)], u64),
) -> io::Result<()> {
    while !orders.is_empty() && !is_over(result, settings) {
        let k = result.entry.lower + 1;
        let mut left = settings.node_limit - result.entry.nodes;
        let limited = |&(order, _): &(Order, f64)| {
            let limit = left.min(most);
            left -= limit;
            (limit > 0).then_some((order, limit))
        };
        let turns: Vec<(Order, u64)> = orders.iter().map_while(limited).collect();
        let ask = |_: usize, &(order, limit): &(Order, u64), budget: &Budget<'_>| {
            let question = questions(k, order);
            let answered = Task::on(boards, &question, settings).answer_within(&budget.limited(limit))?;
            let end = match answered.0 {
                Feasibility::Stopped(_) => Ok(()),
                // What is asked in the next order depends on it.
                _ => Err(End::Found(Vec::new())),
            };
            Ok((Run { end, nodes: 0, done: 0.0, parts: Vec::new() }, answered))
        };
        let before = settings.control.done();
        let (_, answers) = run_in_turns(&turns, &Budget::new(u64::MAX), settings.control, ask)?;
        let asked = answers.len();
        for ((_, progress), answered) in orders.iter_mut().zip(answers) {
            if let Feasibility::Stopped(done) = learn(result, boards.board, settings, (k, before), answered) {
                *progress = done;
            }
        }
        orders = &mut orders[asked..];
    }
    Ok(())
}

/// Searches for k queens, with squares in this order and at most so many nodes, and learns from the answer.
fn ask(
    result: &mut BoxResult,
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    (k, order, node_limit): (u64, Order, u64),
) -> io::Result<Feasibility> {
    let question = questions(k, order);
    let before = settings.control.done();
    let answered = Task::on(boards, &question, settings).answer(node_limit)?;
    Ok(learn(result, boards.board, settings, (k, before), answered))
}

/// The same by cases; `None` where there are none.
fn ask_by_layers(
    result: &mut BoxResult,
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    (k, node_limit): (u64, u64),
) -> io::Result<Option<Feasibility>> {
    // Rows of a layer are cliques in the lexicographic order, which is the better one where two full layers stand close together.
    // Only cubes have cases in which they do not along several axes.
    let board = boards.board;
    let is_cube = board.grid().is_some_and(|grid| grid.sides().iter().all(|side| *side == grid.sides()[0]));
    let order = if is_cube { Order::Morton } else { Order::Lexicographic };
    let question = questions(k, order);
    let before = settings.control.done();
    let answered = Task::on(boards, &question, settings).answer_by_layers(node_limit)?;
    Ok(answered.map(|answered| learn(result, board, settings, (k, before), answered)))
}

/// What the answer whether k queens fit says; so much was done before.
fn learn(
    result: &mut BoxResult,
    board: &Board,
    settings: &Settings<'_>,
    (k, before): (u64, f64),
    (mut answer, nodes): (Feasibility, u64),
) -> Feasibility {
    // The next question has a tree of its own.
    settings.control.uncount_progress(settings.control.done() - before);
    result.entry.nodes += nodes;
    match &mut answer {
        Feasibility::Infeasible(tree) => {
            (result.entry.upper, result.entry.how) = (k - 1, How::Search);
            result.tree = tree.take();
        }
        Feasibility::Feasible(squares) => result.improve(board, squares),
        Feasibility::Stopped(_) => {}
    }
    answer
}
