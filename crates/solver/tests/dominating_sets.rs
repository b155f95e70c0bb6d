//! Compares smallest dominating sets by branch and bound with enumeration. Crosscheck verifies every proof.

#![cfg(feature = "backends")]

use std::io;

use ndqueens_crosscheck::vipr::{self, formula::IntegerProgram, formula::ProgramForm};
use ndqueens_model::board::{Board, Square};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use ndqueens_solver::branch_and_bound::{
    CoverProblem, CoverProgram, CoverSearch, End, Monitor, Settings, Symmetry, ViprHead, prove_cover,
    small_dominating_set,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Searches for a set of at most `max_size` squares. Returns the search with the text of the proof.
fn search(
    board: &Board,
    problem: Problem,
    included: &[Square],
    max_size: u64,
    settings: &Settings<'_>,
) -> (CoverSearch, Vec<u8>) {
    let is_independent = problem == Problem::IndependentDominatingSet;
    let cover = CoverProblem { board, is_independent, included };
    let included = included.iter().map(|&square| square as usize).collect();
    let form = ProgramForm { problem, included, ..ProgramForm::default() };
    let program = IntegerProgram::of(board.name(), form.clone()).expect("a program");
    let head = |at_most: u64, representatives: &[usize]| -> io::Result<ViprHead> {
        let form =
            ProgramForm { limit: Some(at_most), representatives: representatives.to_vec(), ..form.clone() };
        let program = IntegerProgram::of(board.name(), form).map_err(io::Error::other)?;
        let mut text = Vec::new();
        program.write(&mut text)?;
        let rows = program.symmetry_rows().iter().enumerate();
        let symmetry_rows = rows.map(|(row, &(square, _))| (square, program.symmetry_row(row))).collect();
        Ok(ViprHead { text, constraints: program.constraints(), symmetry_rows })
    };
    let cover_program = CoverProgram { lines: program.lines(), first_cover: program.cover(0), head: &head };
    let mut text = Vec::new();
    let search = prove_cover(&cover, max_size, settings, &cover_program, &mut text).expect("no fault");
    (search, text)
}

/// Computes the size of a smallest set by enumeration.
fn smallest_size(board: &Board, problem: Problem, included: &[Square]) -> u64 {
    let dominated_by: Vec<u32> = board
        .squares()
        .map(|a| board.squares().filter(|&b| a == b || board.attacks(a, b)).map(|b| 1 << b).sum())
        .collect();
    let included: u32 = included.iter().map(|square| 1 << square).sum();
    let all = u32::MAX >> (32 - board.size());
    let is_solution = |set: u32| {
        let members = || (0..board.size()).filter(|square| set >> square & 1 == 1);
        set & included == included
            && members().fold(0, |covered, square| covered | dominated_by[square]) == all
            && (problem == Problem::DominatingSet
                || members().all(|square| dominated_by[square] & set == 1 << square))
    };
    let sizes = (0..=all).filter(|&set| is_solution(set)).map(u32::count_ones);
    sizes.min().expect("all squares are a dominating set").into()
}

#[test]
fn agrees_with_enumeration_on_random_problems() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let names = [
        "1^1",
        "3^2",
        "4^2",
        "2x5",
        "3x4",
        "2^3",
        "2x2x3",
        "1x9",
        "2^4",
        "torus:3^2",
        "torus:4^2",
        "rook:4^2",
        "bishop:4^2",
        "rook:2x3",
        "king:4^2",
        "knight:3x4",
        "moebius:4^2",
        "hex:3",
        "three:2",
        "sudoku:1",
    ];
    for turn in 0..5 * names.len() {
        let name: BoardName = names[turn % names.len()].parse().expect("a board");
        let board = Board::new(&name);
        let problem = [Problem::DominatingSet, Problem::IndependentDominatingSet][turn % 2];
        let included: Vec<Square> =
            if turn % 3 == 0 { vec![random.random_range(0..board.size() as Square)] } else { Vec::new() };
        let monitor = Monitor::default();
        let settings = Settings {
            seed: turn as u32,
            symmetry: if turn % 4 == 0 { Symmetry::Nowhere } else { Symmetry::Root },
            ..Settings::new(&monitor)
        };
        let expected = smallest_size(&board, problem, &included);
        for max_size in [expected.saturating_sub(1), expected + 1] {
            let (search, text) = search(&board, problem, &included, max_size, &settings);
            if let End::Found(squares) = &search.end {
                let is_in_range = (expected..=max_size).contains(&(squares.len() as u64));
                assert!(is_in_range, "{name} {problem} {max_size}");
                assert!(text.is_empty());
                continue;
            }
            assert_eq!(search.end, End::Refuted, "{name} {problem} {max_size}");
            assert_eq!(max_size + 1, expected);
            let parse = |text: &str| text.parse();
            let theorem = vipr::check(text.as_slice(), &parse, &|| false).expect("the proof holds");
            assert_eq!((theorem.board(), theorem.problem()), (&name, problem));
            assert_eq!(theorem.at_least(), Some(expected));
            assert_eq!(theorem.included().len(), included.len());
        }
        let cover = CoverProblem {
            board: &board,
            is_independent: problem == Problem::IndependentDominatingSet,
            included: &included,
        };
        let found = small_dominating_set(&cover, turn as u64, &mut || false);
        assert_eq!(found.len() as u64, expected, "{name} {problem} {included:?}");
    }
}

#[test]
fn search_stops_at_the_node_limit() {
    let monitor = Monitor::default();
    let settings = Settings { node_limit: 5, ..Settings::new(&monitor) };
    let board = Board::new(&"8^2".parse().expect("a board"));
    let (search, text) = search(&board, Problem::DominatingSet, &[], 4, &settings);
    assert!(matches!(search.end, End::Stopped(_)) && text.is_empty());
    assert_eq!(search.statistics.nodes, 5);
}
