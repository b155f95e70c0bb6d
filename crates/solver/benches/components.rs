//! Measures the exact engine without each of its components: nodes and CPU seconds of an answer on one
//! thread, including the boxes inside the board and the proof.
//!
//! The command line may contain boards and `--seconds N`, the time limit of each answer. An answer without a
//! result is printed as –.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::io;
use std::sync::mpsc;
use std::time::Duration;

use ndqueens_exact::{Components, Layers, Relax, Settings, maximum};
use ndqueens_model::board::Board;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;
use ndqueens_system::cancel::Control;
use ndqueens_system::process;

fn main() {
    let mut boards: Vec<String> = Vec::new();
    let mut limit = Duration::from_secs(60);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match &*word {
            "--seconds" => {
                limit = Duration::from_secs(words.next().expect("a number").parse().expect("a number"));
            }
            // Cargo adds this argument.
            "--bench" => {}
            _ => boards.push(word),
        }
    }
    if boards.is_empty() {
        boards = ["6^3", "7^3", "8^3", "9^3", "10^3", "6x12x12", "4x4x5x5"].map(str::to_owned).to_vec();
    }
    let variants = [
        ("nothing", Components::ALL, true),
        ("no demands", Components { demands: false, ..Components::ALL }, true),
        ("no symmetry", Components { symmetry: false, ..Components::ALL }, true),
        ("one cover only", Components { second_cover: false, ..Components::ALL }, true),
        ("branch on the whole board", Components { narrowest: false, ..Components::ALL }, true),
        ("no cases by layers", Components { layers: Layers::Never, ..Components::ALL }, true),
        ("cases in all trees", Components { layers: Layers::Always, ..Components::ALL }, true),
        ("no relaxation", Components { relax: Relax::Never, ..Components::ALL }, true),
        ("no local search", Components::ALL, false),
    ];
    println!("| without | {} |", boards.join(" | "));
    println!("| --- |{}", " --- |".repeat(boards.len()));
    for (name, components, heuristic) in variants {
        let cells: Vec<String> =
            boards.iter().map(|board| cell(board, components, heuristic, limit)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// Returns the nodes and seconds of an answer, or – if the time limit is reached.
fn cell(board: &str, components: Components, heuristic: bool, limit: Duration) -> String {
    let board = Board::new(&board.parse().expect("a board"));
    let control = &Control::new();
    let (over, ends) = mpsc::channel::<()>();
    let begin = process::cpu_time();
    let maximum = std::thread::scope(|threads| {
        threads.spawn(move || {
            if ends.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                control.stop();
            }
        });
        let settings = Settings {
            components,
            heuristics: heuristic.then_some(&Heuristics),
            lp: Some(&Simplex),
            ..Settings::new(control)
        };
        let maximum = maximum(&board, &settings, Some(&mut io::sink()), &mut |_| {}).expect("a small board");
        drop(over);
        maximum
    });
    let seconds = (process::cpu_time() - begin).as_secs_f64();
    match maximum.value == maximum.upper {
        true => format!("{}, {seconds:.2} s", maximum.nodes),
        false => "–".to_owned(),
    }
}
