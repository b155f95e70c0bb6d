//! The exact engine with each of its components left out: nodes and CPU seconds of the last proof, that one queen more than
//! the maximum does not fit, once all boxes inside are settled.
//!
//! Boards may be named on the command line.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use ndqueens_control::Control;
use ndqueens_exact::table::BoxTable;
use ndqueens_exact::{Answer, Components, Order, Question, Relax, Settings};
use ndqueens_model::board::Board;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;

/// A search that takes more nodes is given up.
const MOST_NODES: u64 = 50_000_000;

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let boards =
        if named.is_empty() { ["6^3", "7^3", "8^3", "4x4x5x5"].map(str::to_owned).to_vec() } else { named };
    let variants = [
        ("all", Components::ALL),
        ("no demands", Components { demands: false, ..Components::ALL }),
        ("no symmetry", Components { symmetry: false, ..Components::ALL }),
        ("one cover only", Components { second_cover: false, ..Components::ALL }),
        ("branch on the whole board", Components { narrowest: false, ..Components::ALL }),
        ("no relaxation", Components { relax: Relax::Never, ..Components::ALL }),
    ];
    println!("| board | order | {} |", variants.map(|(name, _)| name).join(" | "));
    println!("| --- | --- |{}", " --- |".repeat(variants.len()));
    for name in boards {
        let board = Board::new(&name.parse().expect("a board"));
        let grid = board.grid().expect("a box");
        let control = Control::new();
        let settings = |components| Settings {
            components,
            heuristics: Some(&Heuristics),
            lp: Some(&Simplex),
            ..Settings::new(&control)
        };
        let mut table = BoxTable::new(grid.piece());
        let all = &settings(Components::ALL);
        table.fill(grid.sides(), all, None, &mut |_| {}).expect("no proof is written");
        let most = table.get(grid.sides()).expect("it was filled in").lower;
        for order in Order::ALL {
            let cells = variants.map(|(_, components)| {
                let settings = settings(components);
                let begin = processor_seconds();
                let question = Question::new(&board, most + 1, order, &table, &settings);
                let (answer, nodes) = question.answer(&settings, MOST_NODES).expect("a small board");
                let seconds = processor_seconds() - begin;
                match answer {
                    Answer::Infeasible(_) => format!("{nodes}, {seconds:.3} s"),
                    Answer::Stopped(_) => format!("> {nodes}, {seconds:.0} s"),
                    Answer::Feasible(_) => panic!("more than the maximum of {name}"),
                }
            });
            println!("| {name} | {order:?} | {} |", cells.join(" | "));
        }
    }
}

fn processor_seconds() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the system tells");
    (usage.user_time() + usage.system_time()).num_microseconds() as f64 / 1e6
}
