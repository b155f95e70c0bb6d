//! Strategic depth of a board: the margin under optimal play, the share of positions of such play in which
//! some moves are mistakes, and the cost of greedy play.

use std::io::{self, Write};
use std::ops::ControlFlow;

use ndqueens_report::column::Unit::{Count, Text};
use ndqueens_report::column::{Field, Table};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use schemars::JsonSchema;
use serde::Serialize;

use crate::board::Board;
use crate::rules::{Game, Player, Winner};
use crate::symmetry::symmetries;
use crate::triangulation::census;
use crate::value::{MOST_DOTS, Search, Stopped, TooManyDots};

/// Measurements of a board.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Depth {
    /// Points by which the first player wins under optimal play.
    pub margin: i32,
    /// Number of first moves.
    pub first_moves: usize,
    /// Number of optimal first moves.
    pub best_first_moves: usize,
    /// Number of positions with two or more legal moves in random games of optimal play,
    /// counted with repetitions.
    pub positions: usize,
    /// Number of positions in which some legal move is not optimal, among those of `positions`.
    pub decisive: usize,
    /// Number of positions in which exactly one legal move is optimal, among those of `positions`.
    pub only_moves: usize,
    /// Margin if the first player is greedy and the second plays optimally.
    pub margin_first_greedy: i32,
    /// Margin if the second player is greedy and the first plays optimally.
    pub margin_second_greedy: i32,
}

/// Measures a board by random games in which both players choose among the optimal moves.
///
/// A greedy player makes a move with the most points, the first of them in the order of segments.
///
/// # Errors
/// Returns an error if the search is stopped.
pub fn measure(board: &Board, search: &mut Search<'_>, games: usize, seed: u64) -> Result<Depth, Stopped> {
    let begin = Game::new(board);
    let margin = search.value(&begin).value().ok_or(Stopped)?;
    let best = search.best_moves(&begin, margin)?;
    let mut depth = Depth {
        margin,
        first_moves: begin.legal_moves().len(),
        best_first_moves: best.len(),
        positions: 0,
        decisive: 0,
        only_moves: 0,
        margin_first_greedy: play_greedily(board, search, Player::First)?,
        margin_second_greedy: play_greedily(board, search, Player::Second)?,
    };
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..games {
        let mut game = Game::new(board);
        let mut value = margin;
        loop {
            let legal = game.legal_moves();
            let best = search.best_moves(&game, value)?;
            let Some(&segment) = best.choose(&mut random) else { break };
            if legal.len() > 1 {
                depth.positions += 1;
                depth.decisive += usize::from(best.len() < legal.len());
                depth.only_moves += usize::from(best.len() == 1);
            }
            value = game.points(segment) as i32 - value;
            game.play(segment).expect("best moves are legal");
        }
    }
    Ok(depth)
}

/// Row of a table: a board and its measurements.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
pub struct BoardDepth {
    /// Number of dots.
    pub dots: usize,
    /// Number of dots on the convex hull.
    pub hull: usize,
    /// Seed of the board.
    pub seed: u64,
    /// Number of sets of four dots that can be joined completely.
    pub four_cliques: usize,
    /// Number of symmetries.
    pub symmetries: usize,
    /// Number of moves of a finished game.
    pub moves: usize,
    /// Player of the last move: first or second.
    pub last_mover: &'static str,
    /// Number of triangulations.
    pub triangulations: usize,
    /// Smallest total score.
    pub smallest_total: u32,
    /// Largest total score.
    pub largest_total: u32,
    /// Points by which the first player wins under optimal play.
    pub margin: i32,
    /// Winner under optimal play: first, second or neither.
    pub winner: Winner,
    /// Number of first moves.
    pub first_moves: usize,
    /// Number of optimal first moves.
    pub best_first_moves: usize,
    /// Number of random games of optimal play.
    pub games: usize,
    /// Number of positions with two or more legal moves in random games of optimal play,
    /// counted with repetitions.
    pub positions: usize,
    /// Number of positions in which some legal move is not optimal, among those of `positions`.
    pub decisive: usize,
    /// Number of positions in which exactly one legal move is optimal, among those of `positions`.
    pub only_moves: usize,
    /// Margin if the first player is greedy and the second plays optimally.
    pub margin_first_greedy: i32,
    /// Margin if the second player is greedy and the first plays optimally.
    pub margin_second_greedy: i32,
    /// Number of nodes of the searches.
    pub nodes: u64,
}

/// Names and meanings of the columns of a table, in the order of [`BoardDepth`].
pub const COLUMNS: [(&str, &str); 21] = [
    ("dots", "number of dots n"),
    ("hull", "dots on the convex hull h"),
    ("seed", "the board is that of ndq dots board DOTS --hull HULL --seed SEED"),
    ("four_cliques", "attainable 4-cliques: sets of four dots with one inside the triangle of the others"),
    ("symmetries", "permutations of the dots that keep which segments cross; the identity is one"),
    ("moves", "moves of every finished game: 3n - 3 - h"),
    ("last_mover", "who makes the last move: first or second player"),
    ("triangulations", "finished games up to the order of their moves; all were visited"),
    ("smallest_total", "smallest sum of the two scores of a finished game, in points"),
    ("largest_total", "largest sum of the two scores of a finished game, in points"),
    (
        "margin",
        "score of the first player less that of the second when both play best, in points; exhaustive search",
    ),
    ("winner", "who wins when both play best: first, second or neither"),
    ("first_moves", "legal first moves"),
    ("best_first_moves", "first moves that keep the margin"),
    ("games", "games in which both players drew among the moves that keep the value, with the seed"),
    ("positions", "positions of these games with two or more legal moves, each as often as it was met"),
    ("decisive", "those where some legal move gives points away"),
    ("only_moves", "those where every legal move but one gives points away"),
    (
        "margin_first_greedy",
        "margin when the first player makes a move with the most points at once and the second plays best",
    ),
    (
        "margin_second_greedy",
        "margin when the second player makes a move with the most points at once and the first plays best",
    ),
    ("nodes", "positions looked at by the searches, each as often as it was"),
];

/// Returns the table of boards with its columns.
#[must_use]
pub fn table() -> Table {
    let unit = |name: &str| match name {
        "last_mover" | "winner" => Text,
        _ => Count,
    };
    Table {
        name: "dots",
        title: "Boards of CliqueR, solved",
        fields: COLUMNS.map(|(name, meaning)| Field { name, unit: unit(name), meaning }).to_vec(),
    }
}

/// Measures a board; returns `None` if `go_on`, which is called regularly with the number of nodes, stops it.
///
/// # Errors
/// Returns an error if the board has too many dots.
pub fn row(
    board: &Board,
    seed: u64,
    games: usize,
    go_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Option<BoardDepth>, TooManyDots> {
    let dots = board.dots().len();
    if dots > MOST_DOTS {
        return Err(TooManyDots(dots));
    }
    let Ok(Some(census)) = census(board, &[], &mut |_| go_on(0)) else { return Ok(None) };
    let mut search = Search::new(board, go_on)?;
    let Ok(depth) = measure(board, &mut search, games, seed) else { return Ok(None) };
    Ok(Some(BoardDepth {
        dots,
        hull: board.hull().len(),
        seed,
        four_cliques: board.four_clique_count(),
        symmetries: symmetries(board).len(),
        moves: board.moves(),
        last_mover: if board.moves().is_multiple_of(2) { "second" } else { "first" },
        triangulations: census.triangulations,
        smallest_total: census.smallest.total,
        largest_total: census.largest.total,
        margin: depth.margin,
        winner: Winner::from_margin(i64::from(depth.margin)),
        first_moves: depth.first_moves,
        best_first_moves: depth.best_first_moves,
        games,
        positions: depth.positions,
        decisive: depth.decisive,
        only_moves: depth.only_moves,
        margin_first_greedy: depth.margin_first_greedy,
        margin_second_greedy: depth.margin_second_greedy,
        nodes: search.nodes(),
    }))
}

/// Summary of the rows with one number of dots and one number of dots on the hull.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Number of dots.
    pub dots: usize,
    /// Number of dots on the convex hull.
    pub hull: usize,
    /// Number of boards.
    pub boards: usize,
    /// Number of moves of a finished game.
    pub moves: usize,
    /// Player of the last move.
    pub last_mover: &'static str,
    /// Numbers of boards on which the first player wins, the second player, and neither.
    pub wins: [usize; 3],
    /// Mean of [`Depth::margin`].
    pub margin: f64,
    /// Share of [`Depth::decisive`] in all positions.
    pub decisive: f64,
    /// Share of [`Depth::only_moves`] in all positions.
    pub only_moves: f64,
    /// Mean cost of greedy play for the first player, and for the second, in points.
    pub greed: [f64; 2],
}

/// Summarises each run of consecutive rows with the same numbers of dots and of dots on the hull.
#[must_use]
pub fn summaries(rows: &[BoardDepth]) -> Vec<Summary> {
    rows.chunk_by(|a, b| (a.dots, a.hull) == (b.dots, b.hull)).map(Summary::new).collect()
}

impl Summary {
    /// Summarises rows.
    ///
    /// # Panics
    /// Panics if there are no rows.
    fn new(rows: &[BoardDepth]) -> Self {
        let first = &rows[0];
        let wins = |winner: Winner| rows.iter().filter(|row| row.winner == winner).count();
        let mean = |value: fn(&BoardDepth) -> i32| {
            rows.iter().map(|row| f64::from(value(row))).sum::<f64>() / rows.len() as f64
        };
        let positions: usize = rows.iter().map(|row| row.positions).sum();
        let share = |part: fn(&BoardDepth) -> usize| {
            rows.iter().map(part).sum::<usize>() as f64 / positions.max(1) as f64
        };
        Self {
            dots: first.dots,
            hull: first.hull,
            boards: rows.len(),
            moves: first.moves,
            last_mover: first.last_mover,
            wins: [Winner::First, Winner::Second, Winner::Neither].map(wins),
            margin: mean(|row| row.margin),
            decisive: share(|row| row.decisive),
            only_moves: share(|row| row.only_moves),
            greed: [
                mean(|row| row.margin - row.margin_first_greedy),
                mean(|row| row.margin_second_greedy - row.margin),
            ],
        }
    }
}

/// Formats the summaries of rows as a table in Markdown.
#[must_use]
pub fn markdown(rows: &[BoardDepth]) -> String {
    let mut text = String::from(
        "| dots | hull | boards | moves | last mover | first wins | second wins | drawn | mean margin | decisive positions | only moves | cost of greed, first | cost of greed, second |\n\
         | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for Summary { dots, hull, boards, moves, last_mover, wins, margin, decisive, only_moves, greed } in
        summaries(rows)
    {
        let ([first, second, neither], [by_first, by_second]) = (wins, greed);
        let [decisive, only_moves] = [decisive, only_moves].map(|share| 100.0 * share);
        text += &format!(
            "| {dots} | {hull} | {boards} | {moves} | {last_mover} | {first} | {second} | {neither} | {margin:.1} \
             | {decisive:.0} % | {only_moves:.0} % | {by_first:.1} | {by_second:.1} |\n",
        );
    }
    text
}

/// Writes rows as CSV with a header.
///
/// # Errors
/// Returns an error if `out` cannot be written.
pub fn write(rows: &[BoardDepth], out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::Writer::from_writer(out);
    if rows.is_empty() {
        table.write_record(COLUMNS.map(|(name, _)| name))?;
    }
    for row in rows {
        table.serialize(row)?;
    }
    table.flush()
}

/// Returns the margin of the first player if player `greedy` is greedy and the other one plays the
/// first optimal move.
fn play_greedily(board: &Board, search: &mut Search<'_>, greedy: Player) -> Result<i32, Stopped> {
    let mut game = Game::new(board);
    loop {
        let legal = game.legal_moves();
        let Some(&first) = legal.first() else { break };
        let segment = if game.player() == greedy {
            legal.into_iter().rev().max_by_key(|&segment| game.points(segment)).unwrap_or(first)
        } else {
            let value = search.value(&game).value().ok_or(Stopped)?;
            search.best_moves(&game, value)?.first().copied().unwrap_or(first)
        };
        game.play(segment).expect("it is one of the legal moves");
    }
    let [first, second] = game.scores();
    Ok(first as i32 - second as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Dot;

    #[test]
    fn csv_header_matches_the_columns() {
        let dots = [(0, 0), (10, 1), (4, 9), (5, 3)].map(|(x, y)| Dot { x, y });
        let board = Board::new(dots.to_vec()).expect("general position");
        let row = row(&board, 1, 2, &mut |_| ControlFlow::Continue(())).expect("small").expect("not stopped");
        let mut text = Vec::new();
        write(&[row], &mut text).expect("written");
        let text = String::from_utf8(text).expect("UTF-8");
        assert_eq!(text.lines().next(), Some(COLUMNS.map(|(name, _)| name).join(",").as_str()));
        assert_eq!(text.lines().count(), 2);
        let mut empty = Vec::new();
        write(&[], &mut empty).expect("written");
        assert_eq!(String::from_utf8(empty).expect("UTF-8").lines().next(), text.lines().next());
    }
}
