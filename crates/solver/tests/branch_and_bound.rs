//! Compares branch and bound on LPs with enumeration. Crosscheck checks every proof.

#![cfg(feature = "backends")]

use std::collections::BTreeMap;
use std::io::{self, BufRead, Cursor, Write};
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::proof;
use ndqueens_crosscheck::recursive::independence_number;
use ndqueens_crosscheck::vipr::{self, formula::IntegerProgram};
use ndqueens_exact::WorkStore;
use ndqueens_model::board::Board;
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::Formulation;
use ndqueens_notation::name::BoardName;
use ndqueens_notation::name::file::{BoardFile, Reading};
use ndqueens_solver::branch_and_bound::{
    Branching, End, Monitor, Problem, ProofError, Search, Settings, Symmetry, TemporaryStore, ViprHead,
    prove, prove_vipr,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Runs a search and returns it with the text of the proof.
fn run_search(board: &Board, formulation: &str, target: u64, settings: &Settings<'_>) -> (Search, Vec<u8>) {
    run_search_in(&TemporaryStore::default(), board, formulation, target, settings)
}

/// Runs a search with a store of parts.
fn run_search_in(
    store: &dyn WorkStore,
    board: &Board,
    formulation: &str,
    target: u64,
    settings: &Settings<'_>,
) -> (Search, Vec<u8>) {
    let formulation = Formulation::builtin(formulation).expect("a shipped formulation");
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    let problem = Problem { board, formulation: &formulation, bounds: &bounds, memory: 1 << 32 };
    let mut text = Vec::new();
    let search = prove(&problem, target, settings, store, &mut text).expect("no fault");
    (search, text)
}

fn maximum(name: &BoardName) -> u64 {
    let graph = Graph::new(&*definition(name)).expect("a small board");
    independence_number(&graph, &|| false).expect("not stopped") as u64
}

/// Checks that a search agrees with enumeration and that a proof holds. Returns the search.
fn compare(name: &BoardName, formulation: &str, target: u64, settings: &Settings<'_>) -> Search {
    let board = Board::new(name);
    let (search, text) = run_search(&board, formulation, target, settings);
    let expected = maximum(name);
    match &search.end {
        End::Found(solution) => {
            assert!(target <= expected && text.is_empty(), "{name} with {formulation}");
            assert!((target..=expected).contains(&(solution.len() as u64)));
            let attacked = |&a: &u32| solution.iter().any(|&b| a != b && board.attacks(a, b));
            assert!(!solution.iter().any(attacked), "{name}");
        }
        End::Refuted => {
            assert!(target > expected, "{name} with {formulation}");
            let read = |text: &str| BoardName::parse_with(text, &name.file_opener());
            let proved = proof::check(text.as_slice(), &read).expect("the proof holds");
            assert_eq!((proved.board(), proved.at_most()), (name, Some(target - 1)));
        }
        End::Stopped(reason) => panic!("{name} was stopped: {reason:?}"),
    }
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
        "knight:4^2",
        "superqueen:5^2",
        "klein:4^2",
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
fn agrees_with_enumeration_under_all_settings() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let formulations = [
        "edge",
        "base",
        "lmr",
        "cube",
        "star",
        "cube-star",
        "all",
        "maximal-clique",
        "dilated",
        "cuboid",
        "odd-cycle",
        "volume",
        "class",
        "cube-faces",
        "strong-faces",
    ];
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
        assert_eq!(monitor.open(), 0);
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
            branching: Branching::ALL[random.random_range(0..Branching::ALL.len())],
            root_rounds: random.random_range(0..3),
            ..Settings::new(&monitor)
        };
        let target = random.random_range(1..=maximum(&name) + 1);
        compare(&name, if random.random_bool(0.5) { "base" } else { "edge" }, target, &settings);
    }
}

#[test]
fn same_settings_give_the_same_bytes() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let monitors = [Monitor::default(), Monitor::default()];
    let [(one, text), (other, again)] = monitors
        .each_ref()
        .map(|monitor| run_search(&board, "cube", 14, &Settings { seed: 5, ..Settings::new(monitor) }));
    assert_eq!((one, text), (other, again));
    let files =
        monitors.each_ref().map(|monitor| vipr_file(board.name(), "cube", 14, &Settings::new(monitor)));
    assert_eq!(files[0], files[1]);
}

/// Settings under which the tree of 14 queens on 5^3 has many parts.
fn settings_with_many_parts(monitor: &Monitor) -> Settings<'_> {
    Settings { symmetry: Symmetry::Nowhere, ..Settings::new(monitor) }
}

#[test]
fn gives_the_same_tree_with_any_threads() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    for target in [12, 13, 14] {
        let runs: Vec<_> = [1, 2, 7]
            .into_iter()
            .map(|threads| {
                let monitor = Monitor::default();
                let settings = Settings { threads, ..settings_with_many_parts(&monitor) };
                run_search(&board, "cube", target, &settings)
            })
            .collect();
        assert!(runs.windows(2).all(|pair| pair[0] == pair[1]), "{target} queens");
    }
}

/// Store that counts the stored parts, and damages a part of each kind on request.
#[derive(Debug, Default)]
struct Recorder {
    parts: Mutex<BTreeMap<String, Vec<u8>>>,
    refused: Mutex<Vec<String>>,
    stored: AtomicUsize,
}

impl WorkStore for Recorder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        let text = self.parts.lock().expect("no panic").get(name).cloned();
        Ok(text.map(|text| Box::new(Cursor::new(text)) as Box<dyn BufRead>))
    }

    fn store(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut text = Vec::new();
        fill(&mut text)?;
        self.parts.lock().expect("no panic").insert(name.to_owned(), text);
        self.stored.fetch_add(1, Relaxed);
        Ok(())
    }

    fn reject(&self, name: &str, _why: &str) {
        self.refused.lock().expect("no panic").push(name.to_owned());
    }
}

#[test]
fn resumes_stopped_searches() {
    let board = Board::new(&"4^3".parse().expect("a board"));
    for branching in Branching::ALL {
        let with = |store: &Recorder, node_limit| {
            let monitor = Monitor::default();
            let settings = Settings { branching, node_limit, ..settings_with_many_parts(&monitor) };
            run_search_in(store, &board, "cube", 8, &settings)
        };
        let whole = Recorder::default();
        let expected = with(&whole, u64::MAX);
        assert_eq!(expected.0.end, End::Refuted);
        let store = Recorder::default();
        let mut runs = 0;
        let found = loop {
            let found = with(&store, 50);
            runs += 1;
            if found.0.end == End::Refuted {
                break found;
            }
            assert!(matches!(found.0.end, End::Stopped(_)));
        };
        assert!(runs > 1, "the limit stops the first run");
        assert_eq!(found, expected, "{branching}");
        assert_eq!(store.stored.load(Relaxed), whole.stored.load(Relaxed), "no part is searched twice");
        assert!(store.refused.lock().expect("no panic").is_empty());
    }
}

#[test]
fn searches_damaged_parts_again() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let run = |store: &Recorder| {
        let monitor = Monitor::default();
        run_search_in(store, &board, "cube", 14, &settings_with_many_parts(&monitor))
    };
    let store = Recorder::default();
    let expected = run(&store);
    let names: Vec<String> = store.parts.lock().expect("no panic").keys().cloned().collect();
    let damages: [(&str, &str); 7] = [
        ("{", "["),
        ("\"name\":\"tree", "\"name\":\"box"),
        ("\"share\":", "\"part\":"),
        ("\"free\":[", "\"free\":[125,"),
        ("\"columns\":[", "\"columns\":[1,"),
        ("\"cliques\":[", "\"cliques\":[[999999],"),
        ("\"program\":[", "\"program\":[999999,"),
    ];
    for (from, to) in damages {
        let damaged: Vec<&String> = names.iter().step_by(3).collect();
        let mut hits = 0;
        for name in damaged {
            let mut parts = store.parts.lock().expect("no panic");
            let text = String::from_utf8(parts[name].clone()).expect("text");
            hits += usize::from(text.contains(from));
            parts.insert(name.clone(), text.replacen(from, to, 1).into_bytes());
        }
        assert_eq!(run(&store), expected, "{from}");
        let refused: Vec<String> = std::mem::take(&mut *store.refused.lock().expect("no panic"));
        assert_eq!(refused.len(), hits, "{from}");
        assert!(hits > 0);
    }
}

#[test]
fn keeps_the_root_bound_at_a_limit() {
    let board = Board::new(&"5^3".parse().expect("a board"));
    let monitor = Monitor::default();
    let (search, text) =
        run_search(&board, "cube", 14, &Settings { node_limit: 5, ..Settings::new(&monitor) });
    assert!(matches!(search.end, End::Stopped(_)));
    let root = search.root.expect("the root was solved");
    assert!((14..27).contains(&root.at_most), "{}", root.at_most);
    let read = |text: &str| text.parse();
    let proved = proof::check(text.as_slice(), &read).expect("the proof of the root holds");
    assert_eq!(proved.at_most(), Some(root.at_most));
    assert_eq!(search.statistics.nodes, 5);
    monitor.control.stop();
    let (search, text) = run_search(&board, "cube", 14, &Settings::new(&monitor));
    assert!(matches!(search.end, End::Stopped(_)) && text.is_empty());
}

#[test]
fn proves_with_every_kind_of_row() {
    // Separation is off, so the rows of the formulation must prove the bound.
    for (board, alpha, formulation, kinds) in [
        ("3^3", 4, "class", &["volume:"][..]),
        ("4^3", 7, "class", &["volume:"]),
        ("3x3x3x4", 8, "class", &["class:", "volume:"]),
        ("3^3", 4, "volume", &["volume:"]),
        ("5^3", 13, "volume", &["volume:"]),
        ("3^3", 4, "odd-cycle", &["cycle:"]),
        ("hex:4", 7, "odd-cycle", &[]),
        ("5^3", 13, "cuboid", &["box:"]),
        ("5x5x3", 9, "strong-faces", &["box:", "volume:"]),
        ("5^3", 13, "dilated", &[]),
        ("rook:3^3", 9, "dilated", &[]),
        ("rook:5x3", 3, "cuboid", &[]),
        ("3^4", 6, "strong-faces", &[]),
    ] {
        let name: BoardName = board.parse().expect(board);
        let monitor = Monitor::default();
        let settings = Settings { root_rounds: 0, ..Settings::new(&monitor) };
        let (search, text) = run_search(&Board::new(&name), formulation, alpha + 1, &settings);
        assert_eq!(search.end, End::Refuted, "{board} with {formulation}");
        let read = |text: &str| text.parse();
        let proved = proof::check(text.as_slice(), &read).expect("the proof holds");
        assert_eq!((proved.board(), proved.at_most()), (&name, Some(alpha)));
        let text = String::from_utf8(text).expect("text");
        assert!(kinds.iter().all(|kind| text.contains(kind)), "{board} with {formulation}:\n{text}");
        let has_rows = text.lines().any(|line| line.starts_with("sum") && line.contains(':'));
        let header = format!("ndqueens proof {}\n", if has_rows { 3 } else { 2 });
        assert!(text.starts_with(&header), "{board} with {formulation}:\n{text}");
    }
}

#[test]
fn writes_format_2_for_cliques_and_plain_boxes() {
    for (board, formulation) in [("4^3", "cube"), ("4^3", "all"), ("3^4", "base"), ("torus:4^2", "base")] {
        let board = Board::new(&board.parse().expect("a board"));
        let monitor = Monitor::default();
        let (_, text) = run_search(&board, formulation, 8, &Settings::new(&monitor));
        assert!(text.starts_with(b"ndqueens proof 2\n"));
    }
}

#[test]
fn rejects_rows_outside_the_proof_format() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for (board, name, words) in [
        ("torus:5^3", "volume", "rows of the family \"volume\" on torus:5^3, which a proof tree cannot hold"),
        (
            "torus:5^2",
            "dilated",
            "rows of the family \"dilated\" on torus:5^2, which a proof tree cannot hold",
        ),
        ("rook:3^3", "class", "the family \"class\" of formulation class is not valid on rook:3^3"),
        ("hex:4", "dilated", "the family \"dilated\" of formulation dilated is not valid on hex:4"),
        ("5^3", "domination", "does not ask for the largest number of queens"),
    ] {
        let board = Board::new(&board.parse().expect("a board"));
        let formulation = Formulation::builtin(name).expect(name);
        let problem = Problem { board: &board, formulation: &formulation, bounds: &bounds, memory: 1 << 32 };
        let monitor = Monitor::default();
        let fault =
            prove(&problem, 14, &Settings::new(&monitor), &TemporaryStore::default(), &mut Vec::new())
                .expect_err(name);
        assert!(fault.to_string().contains(words), "{fault}");
        assert!(!fault.is_failure() && !matches!(fault, ProofError::Search(_)));
    }
}

/// Runs a search and returns its end with the VIPR file.
fn vipr_file(name: &BoardName, formulation: &str, target: u64, settings: &Settings<'_>) -> (End, Vec<u8>) {
    let board = Board::new(name);
    let formulation = Formulation::builtin(formulation).expect("a shipped formulation");
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
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
    (search.end, text)
}

#[test]
fn vipr_files_agree_with_enumeration() {
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
                let (end, file) = vipr_file(&name, formulation, target, &settings);
                if target <= expected {
                    assert!(matches!(end, End::Found(_)) && file.is_empty(), "{name}");
                    continue;
                }
                assert_eq!(end, End::Refuted, "{name}");
                let read = |text: &str| BoardName::parse_with(text, &name.file_opener());
                let shown = vipr::check(file.as_slice(), &read, &|| false).expect("the file holds");
                assert_eq!((shown.board(), shown.at_most()), (&name, Some(expected)));
            }
        }
    }
}

#[test]
fn vipr_files_with_symmetry_rows_are_valid() {
    let name: BoardName = "5^3".parse().expect("a board");
    let monitor = Monitor::default();
    let (end, file) = vipr_file(&name, "cube", 14, &Settings::new(&monitor));
    assert_eq!(end, End::Refuted);
    let text = String::from_utf8(file).expect("text");
    assert!(text.lines().any(|line| line.starts_with("% symmetry ")), "the root branches on orbits");
    let read = |text: &str| text.parse();
    let shown = vipr::check(text.as_bytes(), &read, &|| false).expect("the file holds");
    assert_eq!(shown.at_most(), Some(13));
}
