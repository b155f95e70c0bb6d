//! How the bounds of one board are made to meet.

use std::io;

use ndqueens_model::board::Board;

use super::box_result::{BoxResult, Entry, How};
use super::indexed::{IndexedBoards, Order};
use super::question::{Answer, Question};
use super::settings::{Layers, PrimalHeuristics, Settings};
use super::task::Task;

/// Effort of the first local search, in neighbours looked at, and of the first tree search, in nodes. They grow from round
/// to round until one of them settles the box.
const FIRST_WORK: u64 = 200_000;
const FIRST_NODES: u64 = 4_000;

/// The question whether so many queens fit, asked with the squares in this order.
pub(super) type Questions<'q> = dyn Fn(u64, Order) -> Question<'q> + Sync + 'q;

/// Makes lower and upper bound meet, by local search and tree search in turn. When that takes more nodes than allowed, the
/// upper bound is lowered as far as it goes with about as many again. When stopped, the bounds stay where they are.
pub(super) fn close_gap(
    board: &Board,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    known: BoxResult,
) -> io::Result<BoxResult> {
    let mut result = known;
    let is_over = |result: &BoxResult| {
        result.is_over(settings.node_limit)
            || result.entry.lower >= settings.target
            || settings.control.is_stopped()
    };
    let boards = IndexedBoards::new(board, settings.components.symmetry);
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
        let search = || settings.heuristics.and_then(search).unwrap_or_default();
        // In further rounds the trees come first: where they do not do, a placement is still wanted.
        if round == 0 {
            result.improve(board, &search());
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
                let answer = ask_by_layers(&mut result, &boards, questions, settings, (k, limit))?;
                if answer.is_some() && round > 1 {
                    return Ok(());
                }
            }
            let is_box = board.grid().is_some_and(|grid| !grid.is_torus());
            if !is_box && !is_over(&result) && result.entry.lower + 1 == board.trivial_bound() {
                let (k, limit) = (result.entry.lower + 1, limit(&result));
                let question = questions(k, Order::Lexicographic);
                let before = settings.control.done();
                let (answer, nodes) = Task::on(&boards, &question, settings).answer_on_lines(limit)?;
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
                let answer = ask(&mut result, &boards, questions, settings, (k, *order, limit))?;
                if let Answer::Stopped(done) = answer {
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
    let goes_on = |entry: Entry| entry.lower < entry.upper.min(settings.target);
    while goes_on(result.entry) && !settings.control.is_stopped() {
        let (k, limit) = (result.entry.upper, settings.node_limit);
        let by_layers = match settings.components.layers {
            Layers::Never => None,
            _ => ask_by_layers(&mut result, &boards, questions, settings, (k, limit))?,
        };
        let answer = match by_layers {
            Some(answer) => answer,
            None => ask(&mut result, &boards, questions, settings, (k, orders[0].0, limit))?,
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
    boards: &IndexedBoards<'_>,
    questions: &Questions<'_>,
    settings: &Settings<'_>,
    (k, order, node_limit): (u64, Order, u64),
) -> io::Result<Answer> {
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
) -> io::Result<Option<Answer>> {
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
