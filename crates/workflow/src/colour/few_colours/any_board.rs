//! Colourings of any board, by search.

use std::time::Duration;

use ndqueens_model::board::Board;
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::Options;
use ndqueens_solver::colouring::chromatic;
use ndqueens_system::cancel::Deadline;

use super::{ColourRequest, Coloured, ColouringMethod, report_stage, square_board};
use crate::colour;
use crate::prove::{self, ExactRequest};
use crate::run::{ColourError, Watch, WorkflowError};

/// Largest board whose independence number is bounded, in squares, followed by the node limit of each box and
/// the time limit.
const MOST_FOR_SIZES: usize = 400;
const NODES_FOR_SIZES: u64 = 200_000;
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns a colouring of any board in the requested number of colours or in fewest.
pub(super) fn find_colouring(
    request: &ColourRequest<'_>,
    side: Option<usize>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let board = request.board;
    let colours = request.colours.map(|k| k as usize);
    let cut = side
        .filter(|_| request.method == ColouringMethod::Auto)
        .and_then(|side| square_board::cut(side, found.lower));
    if let Some(cut) = cut.filter(|cut| cut.colours() <= colours.unwrap_or(found.lower)) {
        return Ok(Some(colour::check(cut)?));
    }
    if board.size() > chromatic::MAX_SQUARES {
        return Err(ColourError::TooLarge(board.name().clone()).into());
    }
    match request.method {
        ColouringMethod::Greedy => {
            let origin = "first fit: the squares in their order, each in the first colour that is free";
            of_squares(board, &chromatic::first_fit(board), origin).map(Some)
        }
        ColouringMethod::Edges => {
            let origin =
                "edge by edge: if both squares have the same colour, the second one receives the next colour";
            of_squares(board, &chromatic::by_edges(board), origin).map(Some)
        }
        _ => by_search(request, colours, found, watch),
    }
}

/// Searches for a colouring by tabu search and DSATUR branch and bound.
fn by_search(
    request: &ColourRequest<'_>,
    colours: Option<usize>,
    found: &mut Coloured,
    watch: &mut Watch<'_>,
) -> Result<Option<Colouring>, WorkflowError> {
    let board = request.board;
    let by_size = by_size(board, found, request.deadline, watch)?;
    if colours.is_some_and(|k| k < found.lower) {
        return Ok(None);
    }
    let enough = found.lower.max(colours.unwrap_or(0));
    report_stage(watch, "squares are coloured by tabu search and DSATUR branch and bound".to_owned());
    let (fewest, stop) = colour::fewest(board, enough, colours, request.deadline, watch);
    found.nodes += fewest.nodes;
    found.stop = stop.map(|stop| stop.to_string());
    let clique = fewest.clique.len();
    if fewest.lower > found.lower || by_size && clique == found.lower {
        found.lower = fewest.lower;
        found.lower_because = if fewest.lower > clique {
            format!(
                "DSATUR branch and bound visited all colourings in fewer, {}",
                counted(fewest.nodes, "node")
            )
        } else {
            let squares: Vec<String> = fewest.clique.iter().map(|&square| board.label(square)).collect();
            format!("{} attack each other pairwise", squares.join(" "))
        };
    }
    of_squares(board, &fewest.colours, "tabu search and DSATUR").map(Some)
}

/// Builds and checks a colouring, given the colour of each square.
fn of_squares(board: &Board, colours: &[usize], origin: &str) -> Result<Colouring, WorkflowError> {
    let mut classes = vec![Vec::new(); colours.iter().max().map_or(0, |most| most + 1)];
    board.squares().for_each(|square| classes[colours[square as usize]].push(board.coordinates(square)));
    colour::check(Colouring::new(board.name().clone(), ClassKind::IndependentSets, classes, origin))
}

/// Bounds the number of colours from below by the independence number, because no colour has more squares.
/// The exact engine bounds this number, within a node limit for each box, by a checked proof. Returns `true`
/// if the bound improved.
fn by_size(
    board: &Board,
    found: &mut Coloured,
    deadline: Deadline,
    watch: &mut Watch<'_>,
) -> Result<bool, WorkflowError> {
    if board.size() > MOST_FOR_SIZES {
        return Ok(false);
    }
    let patience = deadline.within(PATIENCE);
    let options =
        Options { node_limit: Some(NODES_FOR_SIZES), time_limit: Some(patience), ..Options::default() };
    let request = ExactRequest { options, certified: true, ..ExactRequest::default() };
    let proof = prove::prove_exactly(board, None, None, &request, watch)?;
    let (size, most) = (board.size(), proof.upper as usize);
    let enough = size.div_ceil(most);
    if enough <= found.lower {
        return Ok(false);
    }
    found.lower = enough;
    found.lower_because = format!(
        "no colour has more than {most} of the {} ({})",
        board.format_squares(size as u64),
        proof.kind
    );
    Ok(true)
}
