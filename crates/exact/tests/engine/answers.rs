//! Compares answers of the engine on random boards with enumeration and HiGHS, and checks its proofs.

use std::io::Read as _;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::count;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::recursive::independence_number;
use ndqueens_crosscheck::verify;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::proof::header;
use ndqueens_exact::{
    self as exact, Components, Estimate, Feasibility, Layers, Order, Question, Relax, Settings, Termination,
};
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use ndqueens_system::cancel::Control;
use ndqueens_system::thread::with_threads;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::components::{FailingSolver, StoppingSolver};
use crate::{SETTINGS, check_about, described, draw, maximum_with_proof, name};

/// Returns settings with each component on or off.
pub(crate) fn random_settings(random: &mut ChaCha8Rng) -> Settings<'static> {
    Settings {
        seed: random.random_range(0..100),
        threads: random.random_range(1..=2),
        components: draw::components(random),
        proofs: random.random(),
        ..SETTINGS
    }
}

/// Returns the independence number, by one of the two reference algorithms.
fn enumerate(name: &BoardName, plainly: bool) -> u64 {
    if plainly {
        let graph = Graph::new(&*definition(name)).expect("a small board");
        return independence_number(&graph, &|| false).expect("not stopped") as u64;
    }
    count::count(name, &|| false).expect("a small board").independence_number as u64
}

/// Asserts that the engine finds and proves the maximum `most`.
fn assert_maximum(name: &BoardName, most: u64, settings: &Settings<'_>) {
    let (maximum, proof) = maximum_with_proof(name, settings);
    assert_eq!(maximum.value, most, "{}", described(name));
    let placement = Certificate::independent(name.clone(), maximum.placement, "test");
    assert_eq!(verify::verify(&placement).expect("independent").size() as u64, most, "{}", described(name));
    let proved = check_about(name, proof.as_bytes());
    let proved = proved.unwrap_or_else(|fault| panic!("{}: {fault}\n{proof}", described(name)));
    assert_eq!((proved.board(), proved.at_most()), (name, Some(most)), "{}", described(name));
}

/// Asserts that the search without a preceding local search finds `most` queens and proves that no larger set
/// exists.
fn assert_search(name: &BoardName, most: u64, order: Order, settings: &Settings<'_>) {
    let board = Board::new(name);
    let mut table =
        BoxTable::new(board.grid().map_or(ndqueens_notation::name::Piece::Queen, |grid| grid.piece()));
    let plain = board.grid().filter(|grid| !grid.is_torus()).map(|grid| grid.sides().to_vec());
    if let Some(sides) = &plain {
        assert!(
            table.fill_inside(sides, settings, None, &mut |_| {}).expect("no proof").is_finished(),
            "not stopped"
        );
    }
    let ask = |at_least| {
        let question = Question::new(&board, at_least, order, &table, settings);
        let answer = || question.answer(settings, u64::MAX).expect("a small board").0;
        with_threads(settings.threads, answer).expect("threads")
    };
    let answer = ask(most);
    let Feasibility::Feasible(squares) = answer else {
        panic!("{most} queens fit on {}: {answer:?} {order:?} {settings:?}", described(name))
    };
    let squares = squares.iter().map(|&square| board.coordinates(square)).collect();
    let placement = Certificate::independent(name.clone(), squares, "test");
    assert_eq!(verify::verify(&placement).expect("independent").size() as u64, most, "{}", described(name));
    let Feasibility::Infeasible(tree) = ask(most + 1) else {
        panic!("{most} queens are most on {}", described(name))
    };
    assert_eq!(tree.is_some(), settings.proofs, "{}", described(name));
    if let Some(mut tree) = tree.filter(|_| plain.is_none()) {
        let mut text = String::new();
        std::io::Seek::rewind(&mut tree).expect("in memory");
        tree.read_to_string(&mut text).expect("text");
        let proof = format!("{}search {most}\n{text}at most {most}\nend\n", header(name));
        let proved = check_about(name, proof.as_bytes());
        let proved = proved.unwrap_or_else(|fault| panic!("{}: {fault}\n{proof}", described(name)));
        assert_eq!(proved.at_most(), Some(most), "{}", described(name));
    }
}

/// Tests random boards, the same number of each kind.
fn assert_random_boards(seed: u64, draws: usize, most: u32) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for draw in 0..draws {
        let name = draw::board(&mut random, draw % draw::KINDS, most);
        let value = enumerate(&name, most < 30 && random.random());
        assert_maximum(&name, value, &random_settings(&mut random));
        let order = Order::ALL[random.random_range(0..Order::ALL.len())];
        assert_search(&name, value, order, &random_settings(&mut random));
    }
}

#[test]
fn small_random_boards_agree_with_enumeration() {
    assert_random_boards(1, 3000, 24);
}

#[test]
fn random_boards_agree_with_enumeration() {
    assert_random_boards(2, 1000, 45);
}

#[test]
fn larger_random_boards_agree_with_enumeration() {
    assert_random_boards(3, 150, 81);
}

#[test]
fn a_limit_on_nodes_leaves_bounds_that_hold() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut open = 0;
    let small = (0..300).map(|draw| {
        let name = draw::board(&mut ChaCha8Rng::seed_from_u64(draw as u64), draw % draw::KINDS, 60);
        let value = enumerate(&name, false);
        (name, value)
    });
    let hard = [("6^3", 21), ("7^3", 32), ("5x7x7", 23), ("4x4x5x5", 25), ("8^3", 48)];
    for (name, value) in small.chain(hard.map(|(board, value)| (name(board), value))) {
        let mut settings =
            Settings { node_limit: random.random_range(0..40), ..random_settings(&mut random) };
        // A relaxation at each node takes minutes on the larger boards.
        if Board::new(&name).size() > 60 && settings.components.relax == Relax::Always {
            settings.components.relax = Relax::LargeTrees;
        }
        let (maximum, proof) = maximum_with_proof(&name, &settings);
        assert!((maximum.value..=maximum.upper).contains(&value), "{}: {maximum:?}", described(&name));
        let proved = check_about(&name, proof.as_bytes());
        let proved = proved.unwrap_or_else(|fault| panic!("{}: {fault}\n{proof}", described(&name)));
        assert_eq!(proved.at_most(), Some(maximum.upper), "{}", described(&name));
        open += u32::from(maximum.value < maximum.upper);
    }
    assert!(open > 2, "{open}");
}

#[test]
fn estimates_are_close_to_the_tree_size() {
    for (board, most) in [("5^3", 13), ("6^3", 21), ("torus:5^3", 10), ("3^5", 11)] {
        let board = Board::new(&name(board));
        let mut table = BoxTable::new(ndqueens_notation::name::Piece::Queen);
        if let Some(grid) = board.grid().filter(|grid| !grid.is_torus()) {
            table.fill_inside(grid.sides(), &SETTINGS, None, &mut |_| {}).expect("no proof");
        }
        let question = Question::new(&board, most + 1, Order::Lexicographic, &table, &SETTINGS);
        let (answer, nodes) = question.answer(&SETTINGS, u64::MAX).expect("a small board");
        assert!(matches!(answer, Feasibility::Infeasible(_)), "{}", board.name());
        let Estimate::Nodes { mean, error, samples, .. } =
            question.estimate(&SETTINGS, 20_000).expect("a small board")
        else {
            panic!("{most} queens are most on {}", board.name())
        };
        assert_eq!(samples, 20_000);
        assert!(
            (mean - nodes as f64).abs() < 6.0 * error + 1.0,
            "{}: {nodes}, {mean} +- {error}",
            board.name()
        );
        let question = Question::new(&board, 1, Order::Lexicographic, &table, &SETTINGS);
        assert!(matches!(question.estimate(&SETTINGS, 10), Ok(Estimate::Found(_))));
    }
}

#[test]
fn known_values_are_proved() {
    for (board, value) in
        [("3^3", 4), ("4^3", 7), ("5^3", 13), ("6^3", 21), ("3^4", 6), ("4^4", 16), ("3^5", 11)]
    {
        assert_maximum(&name(board), value, &SETTINGS);
    }
}

#[test]
fn stopped_engine_returns_valid_bounds() {
    let control = Control::new();
    control.stop();
    let settings = Settings { control: &control, ..SETTINGS };
    let stopped =
        exact::maximum(&Board::new(&name("9^3")), &settings, None, &mut |_| {}).expect("no proof to write");
    assert_eq!(stopped.end, Termination::Stopped);
    assert_eq!((stopped.value, stopped.upper), (1, 81));
    let control = Control::new();
    let settings = Settings { control: &control, ..SETTINGS };
    let stopped = exact::maximum(&Board::new(&name("6^3")), &settings, None, &mut |step| {
        if step.sides == [3, 6, 6] {
            control.stop();
        }
    });
    let stopped = stopped.expect("no proof to write");
    assert_eq!(stopped.end, Termination::Stopped);
    let half = *stopped.boxes.get(&[3, 6, 6]).expect("bounded");
    assert_eq!((half.lower, stopped.upper), (half.upper, 2 * half.upper));
}

#[test]
fn failing_lp_solver_changes_no_answer() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let components = Components { relax: Relax::Always, ..Components::ALL };
    for number in 0..300 {
        let name = draw::board(&mut random, number % draw::KINDS, 24);
        let value = enumerate(&name, true);
        let settings = Settings { components, lp: Some(&FailingSolver), proofs: random.random(), ..SETTINGS };
        let order = Order::ALL[random.random_range(0..Order::ALL.len())];
        assert_search(&name, value, order, &settings);
    }
}

#[test]
fn stop_during_a_relaxation_refutes_nothing() {
    let components = Components { relax: Relax::Always, ..Components::ALL };
    for (board, at_least) in [("4^3", 7), ("5^3", 13), ("3^4", 6), ("torus:2^3", 1), ("torus:4^2", 2)] {
        let board = Board::new(&name(board));
        let control = Control::new();
        let solver = StoppingSolver(&control);
        let settings = Settings { components, lp: Some(&solver), control: &control, ..SETTINGS };
        let table = BoxTable::new(ndqueens_notation::name::Piece::Queen);
        let question = Question::new(&board, at_least, Order::Lexicographic, &table, &settings);
        let (answer, _) = question.answer(&settings, u64::MAX).expect("a small board");
        let is_refuted = matches!(answer, Feasibility::Infeasible(_));
        assert!(control.is_stopped() && !is_refuted, "{}: {answer:?}", board.name());
    }
}

#[test]
fn reaching_the_target_ends_the_search() {
    for (board, target) in [("6^3", 21), ("6^3", 5), ("4x4x5x5", 20), ("torus:4^3", 3)] {
        let control = Control::new();
        let enough = OnceLock::from(target);
        let settings = Settings { control: &control, target: Some(&enough), ..SETTINGS };
        let board = Board::new(&name(board));
        let mut proof = Vec::new();
        let stopped = exact::maximum(&board, &settings, Some(&mut proof), &mut |_| {}).expect("written");
        assert_eq!(stopped.end, Termination::TargetReached, "{}", board.name());
        assert!(!control.is_stopped() && stopped.value >= target, "{}: {}", board.name(), stopped.value);
        assert_eq!(stopped.placement.len() as u64, stopped.value);
        assert!(!String::from_utf8(proof).expect("a text").contains("\nend\n"));
    }
}

#[test]
fn target_can_be_set_during_the_search() {
    let board = Board::new(&name("7^3"));
    let alone = exact::maximum(&board, &SETTINGS, None, &mut |_| {}).expect("no proof to write");
    for (threads, target) in [(1, 90), (2, 90), (3, 90), (2, 20), (3, 0)] {
        let enough = OnceLock::new();
        let settings = Settings { threads, target: Some(&enough), ..SETTINGS };
        let found = thread::scope(|scope| {
            let engine = scope.spawn(|| exact::maximum(&board, &settings, None, &mut |_| {}));
            thread::sleep(Duration::from_millis(20));
            enough.set(target).expect("set once");
            engine.join().expect("no panic").expect("no proof to write")
        });
        if target > alone.value {
            assert_eq!(found, alone, "{threads}");
        } else {
            assert!(found.value >= target && found.upper >= alone.upper, "{threads}, {target}");
        }
    }
}

/// Tests boxes whose maximum requires a search, with case splits wherever possible.
#[test]
fn case_splits_agree_with_enumeration() {
    let settings =
        Settings { components: Components { layers: Layers::Always, ..Components::ALL }, ..SETTINGS };
    let (mut split, mut nested, mut parts) = (0, 0, 0);
    for piece in ["", "rook:", "bishop:"] {
        for a in 2..=4 {
            for b in a..=5 {
                for c in b..=6 {
                    let name = name(&format!("{piece}{a}x{b}x{c}"));
                    if a * b * c > 60 {
                        continue;
                    }
                    let (maximum, proof) = maximum_with_proof(&name, &settings);
                    assert_eq!(maximum.value, enumerate(&name, true), "{name}");
                    let proved = check_about(&name, proof.as_bytes()).unwrap_or_else(|fault| {
                        panic!("{name}: {fault}\n{proof}");
                    });
                    assert_eq!(proved.at_most(), Some(maximum.value), "{name}");
                    let number = |word: &str| proof.lines().filter(|line| line.starts_with(word)).count();
                    split += number("layers ");
                    parts += number("part ");
                    let lines: Vec<&str> = proof.lines().collect();
                    let both = |pair: &&[&str]| pair.iter().all(|line| line.starts_with("layers "));
                    nested += lines.windows(2).filter(both).count();
                }
            }
        }
    }
    assert!(split > 50 && parts > 50, "{split} splits, {nested} within others, {parts} parts");
}
