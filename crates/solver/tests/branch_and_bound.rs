//! Branch and bound on LPs against enumeration; every proof is checked by crosscheck.

#![cfg(feature = "backends")]

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::proof;
use ndqueens_crosscheck::recursive::independence_number;
use ndqueens_crosscheck::vipr::{self, formula::IntegerProgram};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::name::BoardName;
use ndqueens_model::name::file::{BoardFile, Reading};
use ndqueens_solver::branch_and_bound::{
    Branching, End, Monitor, Problem, ProofError, Search, Settings, Symmetry, ViprHead, prove, prove_vipr,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Searches, and returns the search with the text of the proof.
fn searched(board: &Board, formulation: &str, target: u64, settings: &Settings<'_>) -> (Search, Vec<u8>) {
    let formulation = Formulation::shipped(formulation).expect("a shipped formulation");
    let bounds = Bounds::with_reported();
    let problem = Problem { board, formulation: &formulation, bounds: &bounds, memory: 1 << 32 };
    let mut text = Vec::new();
    let search = prove(&problem, target, settings, &mut text).expect("no fault");
    (search, text)
}

fn maximum(name: &BoardName) -> u64 {
    let graph = Graph::new(&*definition(name)).expect("a small board");
    independence_number(&graph, &|| false).expect("nobody stops it") as u64
}

/// Checks that a finished search agrees with enumeration and that its proof holds.
fn compare(name: &BoardName, formulation: &str, target: u64, settings: &Settings<'_>) -> Search {
    let board = Board::new(name);
    let (search, text) = searched(&board, formulation, target, settings);
    let expected = maximum(name);
    assert_eq!(search.end, End::Finished);
    assert_eq!(search.refuted, expected.max(target - 1) + 1, "{name} with {formulation}");
    if let Some(solution) = &search.solution {
        assert_eq!(solution.len() as u64, expected);
        let attacked = |&a: &u32| solution.iter().any(|&b| a != b && board.attacks(a, b));
        assert!(!solution.iter().any(attacked), "{name}");
    }
    assert_eq!(search.solution.is_some(), expected >= target, "{name}");
    let read = |text: &str| BoardName::read(text, &name.opener()).map_err(|fault| fault.to_string());
    let proved = proof::check(text.as_slice(), &read).expect("the proof holds");
    assert_eq!((proved.board(), proved.at_most()), (name, Some(search.refuted - 1)));
    search
}

#[test]
fn agrees_with_enumeration_on_boxes_and_tori() {
    let names = [
        "1^1",
        "1^3",
        "2^2",
        "2^4",
        "3^2",
        "3^3",
        "4^3",
        "5^2",
        "6^2",
        "2x3x4",
        "5x3x1",
        "4x1x4x2",
        "torus:3^2",
        "torus:4^2",
        "torus:5^2",
        "torus:2^3",
        "rook:3^3",
        "rook:2x3x4",
        "bishop:4^2",
        "bishop:3^3",
        "hex:4",
        "three:4",
    ];
    for name in names {
        let name: BoardName = name.parse().expect(name);
        let expected = maximum(&name);
        for target in [1, expected, expected + 1, expected + 3] {
            let monitor = Monitor::default();
            compare(&name, "base", target.max(1), &Settings::new(&monitor));
        }
    }
}

#[test]
fn agrees_with_enumeration_whatever_the_settings() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let formulations = ["edge", "base", "lmr", "cube", "star", "cube-star", "all", "maximal-clique"];
    for round in 0..90 {
        let sides: Vec<u32> = match random.random_range(0..3) {
            0 => (0..2).map(|_| random.random_range(1..8)).collect(),
            1 => (0..3).map(|_| random.random_range(2..5)).collect(),
            _ => (0..4).map(|_| random.random_range(1..4)).collect(),
        };
        let name = BoardName::queen(&sides);
        let monitor = Monitor::default();
        let settings = Settings {
            branching: Branching::ALL[round % Branching::ALL.len()],
            symmetry: [Symmetry::EveryNode, Symmetry::Root, Symmetry::Nowhere][round % 4 % 3],
            root_rounds: random.random_range(0..4),
            seed: random.random_range(0..3),
            ..Settings::new(&monitor)
        };
        let formulation = formulations[random.random_range(0..formulations.len())];
        let target = random.random_range(1..=maximum(&name) + 1);
        let search = compare(&name, formulation, target, &settings);
        assert_eq!(monitor.control.nodes(), search.statistics.nodes);
    }
}

#[test]
fn agrees_with_enumeration_on_random_graphs() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..40 {
        let vertices = random.random_range(1..16);
        let density = random.random_range(0.1..0.8);
        let mut edges = Vec::new();
        for b in 0..vertices {
            edges.extend((0..b).filter(|_| random.random_bool(density)).map(|a| (a, b)));
        }
        let lines: String = edges.iter().map(|(a, b)| format!("e {} {}\n", a + 1, b + 1)).collect();
        let text = format!("p edge {vertices} {}\n{lines}", edges.len());
        let name = BoardName::File(BoardFile::new("graph.col", text, Reading::default()).expect("a graph"));
        let monitor = Monitor::default();
        let settings = Settings {
            branching: Branching::ALL[random.random_range(0..3)],
            root_rounds: random.random_range(0..3),
            ..Settings::new(&monitor)
        };
        compare(&name, if random.random_bool(0.5) { "base" } else { "edge" }, 1, &settings);
    }
}

#[test]
fn same_settings_give_the_same_bytes() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let monitors = [Monitor::default(), Monitor::default()];
    let [(one, text), (other, again)] = monitors
        .each_ref()
        .map(|monitor| searched(&board, "cube", 14, &Settings { seed: 5, ..Settings::new(monitor) }));
    assert_eq!((one, text), (other, again));
    let files =
        monitors.each_ref().map(|monitor| vipr_file(board.name(), "cube", 14, &Settings::new(monitor)));
    assert_eq!(files[0], files[1]);
}

#[test]
fn first_solution_ends_the_search() {
    let board = Board::new(&"6^2".parse().expect("a board"));
    let monitor = Monitor::default();
    let (search, text) =
        searched(&board, "base", 5, &Settings { first_solution: true, ..Settings::new(&monitor) });
    assert_eq!(search.end, End::Found);
    assert!(search.solution.expect("five queens fit").len() >= 5);
    assert!(text.is_empty());
}

#[test]
fn a_limit_or_a_stop_leaves_no_proof() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let monitor = Monitor::default();
    let (search, text) = searched(&board, "cube", 14, &Settings { node_limit: 5, ..Settings::new(&monitor) });
    assert!(matches!(search.end, End::Stopped(_)) && text.is_empty());
    monitor.control.stop();
    let (search, text) = searched(&board, "cube", 14, &Settings::new(&monitor));
    assert!(matches!(search.end, End::Stopped(_)) && text.is_empty());
}

#[test]
fn refuses_formulations_that_a_proof_tree_cannot_hold() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let bounds = Bounds::with_reported();
    for (name, words) in [
        ("odd-cycle", "rows of the family \"odd-cycle\", which a proof tree cannot hold"),
        ("volume", "rows of the family \"volume\", which a proof tree cannot hold"),
        ("domination", "does not ask for the largest number of queens"),
    ] {
        let formulation = Formulation::shipped(name).expect(name);
        let problem = Problem { board: &board, formulation: &formulation, bounds: &bounds, memory: 1 << 32 };
        let monitor = Monitor::default();
        let fault = prove(&problem, 14, &Settings::new(&monitor), &mut Vec::new()).expect_err(name);
        assert!(fault.to_string().contains(words), "{fault}");
        assert!(!fault.is_failure() && !matches!(fault, ProofError::Search(_)));
    }
}

/// Returns the VIPR file that shows that fewer than `target` queens fit, and the number of queens that it refutes.
fn vipr_file(name: &BoardName, formulation: &str, target: u64, settings: &Settings<'_>) -> (u64, Vec<u8>) {
    let board = Board::new(name);
    let formulation = Formulation::shipped(formulation).expect("a shipped formulation");
    let bounds = Bounds::with_reported();
    let problem = Problem { board: &board, formulation: &formulation, bounds: &bounds, memory: 1 << 32 };
    let program = IntegerProgram::new(name, None, &[]).expect("a program");
    let head = |at_least: u64, representatives: &[usize]| {
        let program = IntegerProgram::new(name, Some(at_least), representatives).expect("a program");
        let mut text = Vec::new();
        program.write(&mut text)?;
        let rows = program.symmetry_rows().iter().enumerate();
        let symmetry_rows = rows.map(|(row, &(square, _))| (square, program.symmetry_row(row))).collect();
        Ok(ViprHead { text, constraints: program.constraints(), symmetry_rows })
    };
    let mut text = Vec::new();
    let search = prove_vipr(&problem, target, settings, program.lines(), &head, &mut text).expect("no fault");
    assert_eq!(search.end, End::Finished);
    (search.refuted, text)
}

#[test]
fn vipr_files_hold_and_agree_with_enumeration() {
    let names = [
        "1^1",
        "2^2",
        "3^2",
        "4^2",
        "6^2",
        "2^3",
        "3^3",
        "4^3",
        "3^4",
        "2x3x4",
        "5x3x1",
        "torus:3^2",
        "torus:5^2",
        "rook:3^3",
        "bishop:4^2",
        "hex:4",
        "three:4",
    ];
    for (round, text) in names.into_iter().enumerate() {
        let name: BoardName = text.parse().expect(text);
        let expected = maximum(&name);
        for formulation in ["base", "edge"] {
            for target in [1, expected, expected + 1] {
                let monitor = Monitor::default();
                let settings = Settings {
                    branching: Branching::ALL[round % Branching::ALL.len()],
                    symmetry: if round % 2 == 0 { Symmetry::EveryNode } else { Symmetry::Nowhere },
                    root_rounds: 2,
                    ..Settings::new(&monitor)
                };
                let (refuted, file) = vipr_file(&name, formulation, target, &settings);
                assert_eq!(refuted, expected + 1, "{name}");
                let read =
                    |text: &str| BoardName::read(text, &name.opener()).map_err(|fault| fault.to_string());
                let shown = vipr::check(file.as_slice(), &read, &|| false).expect("the file holds");
                assert_eq!((shown.board(), shown.at_most()), (&name, Some(expected)));
            }
        }
    }
}

#[test]
fn vipr_files_with_symmetry_rows_hold() {
    let name: BoardName = "5^3".parse().expect("a board");
    let monitor = Monitor::default();
    let (refuted, file) = vipr_file(&name, "cube", 14, &Settings::new(&monitor));
    assert_eq!(refuted, 14);
    let text = String::from_utf8(file).expect("text");
    assert!(text.lines().any(|line| line.starts_with("% symmetry ")), "the root branches on orbits");
    let read = |text: &str| text.parse().map_err(|_| "no board".to_owned());
    let shown = vipr::check(text.as_bytes(), &read, &|| false).expect("the file holds");
    assert_eq!(shown.at_most(), Some(13));
}
