//! Compares trees joined from parts with trees searched as a whole.

use std::io::{Read as _, Write};

use ndqueens_crosscheck::count;
use ndqueens_exact::box_table::BoxTable;
use ndqueens_exact::{
    Components, Feasibility, Layers, Order, Question, Relax, Settings, Split, maximum, proof,
};
use ndqueens_model::board::Board;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_system::thread::with_threads;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::SETTINGS;

/// Returns the tree joined from its parts, or `None` if a part finds a solution. The last part is searched
/// first, and every third part is cut again.
fn join_parts(question: &Question<'_>, settings: &Settings<'_>, parts: usize) -> Option<Vec<u8>> {
    let split = question.split(settings, parts).expect("a small board")?;
    let mut trees = vec![Vec::new(); split.weights.len()];
    for (number, tree) in trees.iter_mut().enumerate().rev() {
        search(&split, &[number], tree)?;
    }
    let mut whole = Vec::new();
    let mut part = |number: usize, out: &mut dyn Write| out.write_all(&trees[number]);
    proof::join_seamlessly(split.top.as_slice(), &mut whole, &mut part).expect("in memory");
    Some(whole)
}

/// Searches a part, or its pieces one by one.
fn search(split: &Split<'_>, part: &[usize], tree: &mut Vec<u8>) -> Option<()> {
    let recut = (part.iter().sum::<usize>() % 3 == 0 && part.len() < 3).then(|| split.recut(part, 2));
    if let Some(recut) = recut.transpose().expect("in memory").flatten() {
        let mut pieces = vec![Vec::new(); recut.weights.len()];
        for (number, piece) in pieces.iter_mut().enumerate().rev() {
            search(split, &[part, &[number]].concat(), piece)?;
        }
        let mut piece = |number: usize, out: &mut dyn Write| out.write_all(&pieces[number]);
        proof::join_seamlessly(recut.top.as_slice(), tree, &mut piece).expect("in memory");
        return Some(());
    }
    match split.run(part, u64::MAX, tree).expect("in memory") {
        Feasibility::Infeasible(_) => Some(()),
        Feasibility::Feasible(_) => None,
        Feasibility::Stopped(_) => panic!("stopped"),
    }
}

fn search_whole(question: &Question<'_>, settings: &Settings<'_>) -> Option<Vec<u8>> {
    tree(question.answer(settings, u64::MAX).expect("a small board").0)
}

/// Returns the tree of an answer, or `None` if the queens fit.
fn tree(answer: Feasibility) -> Option<Vec<u8>> {
    match answer {
        Feasibility::Infeasible(tree) => {
            let mut text = Vec::new();
            let mut tree = tree.expect("a proof");
            std::io::Seek::rewind(&mut tree).expect("in memory");
            tree.read_to_end(&mut text).expect("in memory");
            Some(text)
        }
        Feasibility::Feasible(_) => None,
        Feasibility::Stopped(_) => panic!("stopped"),
    }
}

#[test]
fn parts_join_to_the_whole_tree() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut fits = 0;
    for _ in 0..200 {
        let torus = random.random_bool(0.2);
        let (dimension, side) = (random.random_range(2..=4), random.random_range(1..=4));
        let mut sides: Vec<u32> =
            (0..dimension).map(|_| if torus { side } else { random.random_range(1..=5) }).collect();
        sides.sort_unstable();
        if sides.iter().product::<u32>() > 48 {
            continue;
        }
        let name = BoardName::grid(Piece::ALL[random.random_range(0..3)], torus, &sides);
        let board = Board::new(&name);
        let settings =
            Settings { components: Components { symmetry: random.random(), ..Components::ALL }, ..SETTINGS };
        let mut table = BoxTable::new(board.grid().expect("a grid").piece());
        if !torus {
            assert!(
                table.fill_inside(&sides, &settings, None, &mut |_| {}).expect("no proof").is_finished(),
                "not stopped"
            );
        }
        let most = count::count(&name, &|| false).expect("a small board").independence_number as u64;
        for at_least in [most.max(1), most + 1] {
            let order = Order::ALL[random.random_range(0..2)];
            let question = Question::new(&board, at_least, order, &table, &settings);
            let direct = search_whole(&question, &settings);
            assert_eq!(direct.is_none(), at_least <= most, "{name}, {at_least} queens");
            fits += u32::from(direct.is_none());
            for parts in [1, 2, 10, 100] {
                let joined = join_parts(&question, &settings, parts);
                assert!(joined == direct, "{name}, {at_least}, {parts} parts");
            }
        }
    }
    assert!(fits > 20, "{fits} boards on which the queens fit");
}

#[test]
fn threads_do_not_change_the_tree() {
    for (name, at_least, relax) in [("7^3", 33, Relax::LargeTrees), ("3x3x4x4", 11, Relax::Always)] {
        let board = Board::new(&name.parse::<BoardName>().expect("a board"));
        let sides = board.grid().expect("a box").sides();
        let settings = Settings { components: Components { relax, ..Components::ALL }, ..SETTINGS };
        let mut table = BoxTable::new(Piece::Queen);
        assert!(
            table.fill_inside(sides, &SETTINGS, None, &mut |_| {}).expect("no proof").is_finished(),
            "not stopped"
        );
        let question = Question::new(&board, at_least, Order::Lexicographic, &table, &settings);
        let direct = search_whole(&question, &settings).expect("the queens do not fit");
        let settings = Settings { threads: 3, ..settings };
        let parallel = with_threads(3, || search_whole(&question, &settings)).expect("three threads");
        assert!(parallel.is_some_and(|tree| tree == direct), "the trees differ");
    }
}

#[test]
fn answers_under_node_limits_are_independent_of_threads() {
    let (mut found, mut refuted, mut stopped) = (0, 0, 0);
    for name in ["7^3", "5x6x7", "3x3x4x4"] {
        let board = Board::new(&name.parse::<BoardName>().expect("a board"));
        let sides = board.grid().expect("a box").sides();
        let settings = Settings { lp: None, ..SETTINGS };
        let mut table = BoxTable::new(Piece::Queen);
        assert!(
            table.fill_inside(sides, &settings, None, &mut |_| {}).expect("no proof").is_finished(),
            "not stopped"
        );
        let most = maximum(&board, &settings, None, &mut |_| {}).expect("a small board").value;
        for (at_least, order) in [most, most + 1].into_iter().flat_map(|k| Order::ALL.map(|order| (k, order)))
        {
            let question = Question::new(&board, at_least, order, &table, &settings);
            for limit in [1000, 5000, 9000, 20_000, 100_000] {
                let answer = |threads| {
                    let answer = || question.answer(&settings, limit).expect("a small board");
                    let (answer, nodes) = with_threads(threads, answer).expect("threads");
                    match answer {
                        Feasibility::Feasible(squares) => (format!("{squares:?}"), nodes),
                        Feasibility::Stopped(done) => (format!("stopped {done}"), nodes),
                        Feasibility::Infeasible(_) => {
                            (String::from_utf8(tree(answer).expect("a tree")).expect("text"), nodes)
                        }
                    }
                };
                let one = answer(1);
                for threads in [2, 5] {
                    assert_eq!(one, answer(threads), "{name}, {at_least}, {order:?}, {limit}, {threads}");
                }
                match one.0.as_bytes()[0] {
                    b'[' => found += 1,
                    b's' => stopped += 1,
                    _ => refuted += 1,
                }
            }
        }
    }
    assert!(found > 3 && refuted > 3 && stopped > 3, "{found} {refuted} {stopped}");
}

#[test]
fn threads_do_not_change_the_proof() {
    for (name, numbers) in [("6^3", &[1, 2][..]), ("5x6x7", &[1, 3, 4])] {
        let board = Board::new(&name.parse::<BoardName>().expect("a board"));
        let proof = |&threads: &usize| {
            let mut text = Vec::new();
            let settings = Settings { threads, ..SETTINGS };
            let found = maximum(&board, &settings, Some(&mut text), &mut |_| {}).expect("a small board");
            (found.value, found.upper, found.nodes, text)
        };
        let proofs: Vec<_> = numbers.iter().map(proof).collect();
        assert!(proofs.iter().all(|proof| *proof == proofs[0]), "{name}");
    }
}

#[test]
fn threads_do_not_change_the_trees_of_cases() {
    let settings =
        Settings { components: Components { layers: Layers::Always, ..Components::ALL }, ..SETTINGS };
    let mut stopped = 0;
    for (name, at_least) in [("2x8x8", 15), ("2x9x9", 18), ("3x4x4", 7), ("3x10x10", 29)] {
        let board = Board::new(&name.parse::<BoardName>().expect("a board"));
        let sides = board.grid().expect("a box").sides();
        let mut table = BoxTable::new(Piece::Queen);
        assert!(
            table.fill_inside(sides, &SETTINGS, None, &mut |_| {}).expect("no proof").is_finished(),
            "not stopped"
        );
        let question = Question::new(&board, at_least, Order::Lexicographic, &table, &settings);
        let cases = |threads| {
            let settings = Settings { threads, ..settings };
            let answer = || question.answer_by_layers(&settings, 1 << 20).expect("a small board");
            with_threads(threads, answer).expect("threads").map(|(answer, nodes)| (tree(answer), nodes))
        };
        let one = cases(1);
        assert_eq!(one, cases(3), "{name}");
        if let Some((Some(_), nodes)) = one {
            let less = question.answer_by_layers(&settings, nodes / 4).expect("a small board");
            stopped += u32::from(matches!(less, Some((Feasibility::Stopped(_), _))));
        }
    }
    assert!(stopped > 0, "a limit stops a search by cases");
}
