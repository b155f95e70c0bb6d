//! Compares the models that solvers read with the programs of VIPR files that crosscheck writes.

use std::fmt::Write as _;

use ndqueens_crosscheck::vipr::check_answer;
use ndqueens_crosscheck::vipr::formula::ProgramForm;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Comparison, Program, Sense};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};

/// Returns the sections VER to DER in the form of SCIP, without a derivation.
fn file(program: &dyn Program, is_infeasible: bool) -> String {
    let columns = program.columns();
    let (n, sign) = (columns.len(), if program.sense() == Sense::Maximise { -1 } else { 1 });
    let mut text = format!("VER 1.0 \nVAR {n} \n");
    columns.iter().for_each(|column| writeln!(text, "t_{}", column.name).expect("a string"));
    writeln!(text, "INT {n}").expect("a string");
    (0..n).for_each(|column| writeln!(text, "{column} ").expect("a string"));
    let weights: Vec<_> = (0..n)
        .filter(|&column| columns[column].objective != 0)
        .map(|column| format!(" {column} {}", sign * columns[column].objective))
        .collect();
    writeln!(text, "OBJ min\n {} {}", weights.len(), weights.concat()).expect("a string");
    let rows: Vec<_> = program.rows().collect();
    writeln!(text, "CON {} {}", rows.len() + 2 * n, 2 * n).expect("a string");
    for row in &rows {
        let relation = match row.comparison {
            Comparison::AtMost => 'L',
            Comparison::Equal => 'E',
            Comparison::AtLeast => 'G',
        };
        let terms: Vec<_> = row.terms().map(|(column, times)| format!(" {column} {times}")).collect();
        writeln!(text, "{} {relation} {} {}{}", row.tag, row.rhs, terms.len(), terms.concat())
            .expect("a string");
    }
    for (number, column) in columns.iter().enumerate() {
        let (lower, upper) = (column.lower, column.upper);
        writeln!(text, "B G {lower} 1 {number} 1\nB L {upper} 1 {number} 1").expect("a string");
    }
    let bounds = if program.sense() == Sense::Maximise { format!("-{n} inf") } else { "0 inf".to_owned() };
    let statement = if is_infeasible { "infeas".to_owned() } else { format!("range {bounds}") };
    text + &format!("RTP {statement}\nSOL 0\nDER 0\n")
}

/// Returns the first fault of a file about a model.
fn fault(board: &str, formulation: &str, goal: Goal, included: &[Square]) -> String {
    let board = Board::new(&board.parse().expect(board));
    let formulation = Formulation::builtin(formulation).expect("shipped");
    let variant = Variant { include: included.to_vec(), ..Variant::of(goal) };
    let bounds = Bounds::default();
    let model = Model::new(&board, &formulation, variant, &bounds, 1 << 30).expect("a model");
    let limit = match goal {
        Goal::AtLeast(limit) | Goal::AtMost(limit) | Goal::Exactly(limit) => Some(limit),
        Goal::Optimise => None,
    };
    let text = file(&model, limit.is_some());
    let included = included.iter().map(|&square| square as usize).collect();
    let form = ProgramForm { problem: formulation.problem, included, limit, ..ProgramForm::default() };
    check_answer(text.as_bytes(), board.name(), form, &|| false).expect_err("nothing is derived").to_string()
}

fn is_program(fault: &str) -> bool {
    fault.ends_with("nothing is derived")
}

#[test]
fn models_are_the_programs_of_vipr_files() {
    let boards = [
        "1^1",
        "1x5",
        "2^2",
        "4^2",
        "3x4",
        "2x3x4",
        "3^3",
        "2^4",
        "torus:2^2",
        "torus:3^2",
        "torus:4^2",
        "torus:3^3",
        "rook:3^3",
        "rook:torus:4^2",
        "bishop:3x4",
        "bishop:2^3",
        "knight:3x4",
        "king:3^2",
        "king:torus:4^2",
        "superqueen:4^2",
        "superqueen:torus:3^2",
        "moebius:3x4",
        "klein:4x3",
        "hex:3",
        "three:4",
        "sudoku:2",
    ];
    for board in boards {
        for formulation in ["base", "domination", "independent-domination"] {
            let found = fault(board, formulation, Goal::Optimise, &[]);
            assert!(is_program(&found), "{board} {formulation}: {found}");
        }
        let found = fault(board, "base", Goal::AtLeast(1), &[]);
        assert!(is_program(&found), "{board}: {found}");
        let found = fault(board, "domination", Goal::AtMost(1), &[0]);
        assert!(is_program(&found), "{board}: {found}");
    }
    for board in ["4^2", "3^3", "2x3x4", "2^4"] {
        for formulation in ["cube", "star", "cube-star"] {
            let found = fault(board, formulation, Goal::Optimise, &[1]);
            assert!(is_program(&found), "{board} {formulation}: {found}");
        }
    }
}

#[test]
fn other_models_are_refused() {
    for (formulation, says) in [
        ("maximal-clique", "is missing"),
        ("volume", "is not in the program of 3^3"),
        ("cuboid", "is not in the program of 3^3"),
    ] {
        let found = fault("3^3", formulation, Goal::Optimise, &[]);
        assert!(found.contains(says), "{formulation}: {found}");
    }
}
