//! Completion: a solution that contains given queens, or a proof that no solution does, with a subset of the
//! queens that rules it out.

use std::io::{BufReader, Read as _, Seek as _};

use ndqueens_crosscheck::proof;
use ndqueens_crosscheck::residual::residual;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::proof::header;
use ndqueens_exact::{Feasibility, Order, Question, Settings};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::local_search;
use ndqueens_system::cancel::{Control, Deadline, StopReason};

use crate::run::exact_engine::{FOUND_BY, settings};
use crate::run::placement_check::{self, ensure_size};
use crate::run::{Event, RefusedError, Watch, WorkflowError, nodes, run_watched};

/// Answer to the question of whether a solution contains given queens.
#[derive(Debug, Clone)]
pub enum Completion {
    /// A solution that contains them, checked.
    Found(Certificate),
    /// No solution contains them.
    None(Conflict),
    /// Stopped before the answer was known.
    Stopped(StopReason),
}

/// Queens that no solution contains together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The queens, a subset of those given.
    pub queens: Vec<Square>,
    /// True if every smaller subset of them can be completed; the solutions that show it were checked.
    pub minimal: bool,
    /// Nodes of the checked proof that they cannot be completed; `None` if no square is free.
    pub nodes: Option<u64>,
}

/// Work of the local search before the exact engine: candidates and neighbours inspected.
const WORK: u64 = 2_000_000;

/// Answer for one set of queens.
enum Extension {
    Completed(Vec<Square>),
    /// Number of nodes of the proof, or `None` if no square is free.
    Excluded(Option<u64>),
    Stopped(StopReason),
}

/// Searches for a solution of `size` queens that contains the given queens, which must not attack each other.
/// If no solution exists, removes queens as long as the remaining ones still rule out a solution.
///
/// The exact engine proves how many more queens fit on the squares that the given queens leave free.
/// Crosscheck builds the graph of these squares and checks the proof.
///
/// # Errors
/// Returns an error if the board is too large, or if a placement or a proof does not pass the check.
pub fn complete(
    board: &Board,
    given: &[Square],
    size: u64,
    options: &Options,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Completion, WorkflowError> {
    ensure_size(board)?;
    let extend =
        |queens: &[Square], watch: &mut Watch<'_>| extend(board, queens, size, options, deadline, watch);
    let mut nodes = match extend(given, watch)? {
        Extension::Completed(squares) => {
            let found = placement_check::certify(board, &squares, Problem::IndependentSet, given, FOUND_BY)?;
            return Ok(Completion::Found(found));
        }
        Extension::Stopped(reason) => return Ok(Completion::Stopped(reason)),
        Extension::Excluded(nodes) => nodes,
    };
    let mut queens = given.to_vec();
    let mut minimal = true;
    for queen in given {
        let fewer: Vec<Square> = queens.iter().copied().filter(|other| other != queen).collect();
        let message = format!("ruled out by {}; trying fewer", board.format_pieces(queens.len() as u64));
        let _ = watch(&Event::Stage(message));
        match extend(&fewer, watch)? {
            Extension::Excluded(of_fewer) => (queens, nodes) = (fewer, of_fewer),
            Extension::Completed(squares) => {
                placement_check::certify(board, &squares, Problem::IndependentSet, &fewer, FOUND_BY)?;
            }
            Extension::Stopped(_) => {
                minimal = false;
                break;
            }
        }
    }
    Ok(Completion::None(Conflict { queens, minimal, nodes }))
}

/// Searches for a solution of `size` queens that contains these queens.
fn extend(
    board: &Board,
    queens: &[Square],
    size: u64,
    options: &Options,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<Extension, WorkflowError> {
    let more = size.saturating_sub(queens.len() as u64);
    if more == 0 {
        return Ok(Extension::Completed(queens.to_vec()));
    }
    let coordinates: Vec<Vec<u32>> = queens.iter().map(|&queen| board.coordinates(queen)).collect();
    let left = residual(board.name(), &coordinates).expect("the exact engine takes no more squares");
    if left.squares.is_empty() {
        return Ok(Extension::Excluded(None));
    }
    let name = BoardName::parse_with("file:what is left", &|_| Ok(left.graph.clone())).expect("a graph");
    let graph = Board::new(&name);
    let with_queens = |vertices: &[Square]| {
        let square = |&v: &Square| board.square(&left.squares[v as usize]).expect("a square of the board");
        vertices.iter().map(square).chain(queens.iter().copied()).collect()
    };
    let seed = u64::from(options.seed);
    let found = local_search::quick(&graph, &[], seed, WORK, more as usize).unwrap_or_default();
    if found.len() as u64 >= more {
        return Ok(Extension::Completed(with_queens(&found[..more as usize])));
    }
    let control = Control::default();
    let settings = Settings { proofs: true, ..settings(options, &control) };
    let question = Question::new(&graph, more, Order::Lexicographic, &BoxTable::new(Piece::Queen), &settings);
    let (answer, stop) = run_watched(&control, deadline, watch, &|seconds| nodes(&control, seconds), |_| {
        question.answer(&settings, settings.node_limit)
    });
    match answer.map_err(WorkflowError::engine)?.0 {
        Feasibility::Feasible(vertices) => Ok(Extension::Completed(with_queens(&vertices))),
        Feasibility::Stopped(_) => Ok(Extension::Stopped(stop.unwrap_or(StopReason::NodeLimit))),
        Feasibility::Infeasible(tree) => {
            let mut tree = tree.expect("proofs are asked for");
            tree.rewind().map_err(WorkflowError::engine)?;
            let (head, end) =
                (format!("{}search {}\n", header(&name), more - 1), format!("at most {}\nend\n", more - 1));
            let text = BufReader::new(head.as_bytes().chain(tree).chain(end.as_bytes()));
            let proved = proof::check(text, &|named| {
                let open = |_: &str| Ok(left.graph.clone());
                BoardName::parse_with(named, &open)
            });
            match proved {
                Ok(proved) if *proved.board() == name && proved.at_most().is_some_and(|most| most < more) => {
                    Ok(Extension::Excluded(Some(proved.nodes())))
                }
                Ok(_) => unreachable!("a proof of this board and number was made"),
                Err(fault) => Err(RefusedError::Proof { found_by: FOUND_BY, fault }.into()),
            }
        }
    }
}
