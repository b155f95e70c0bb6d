//! Formulas, the output of their checkers, and the first comments of files for solvers.

use ndqueens_crosscheck::opb::{self as opbs, Question};
use ndqueens_crosscheck::{cnf as cnfs, opb::OpbFormula};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;

use ndqueens_model::format::{self as files, FileFormat, Format, GraphFormat};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Ilp, Program as _};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::name::BoardName;

use super::utf8;
use crate::sentence::assert_plain;
use crate::truth;

fn small_board(name: &str) -> Option<BoardName> {
    let board: BoardName = name.parse().ok()?;
    truth::small_graph(&board).map(|_| board)
}

pub(super) fn opb_seeds() -> Vec<Vec<u8>> {
    let board = |name: &str| name.parse().expect("a board");
    let mut seeds: Vec<Vec<u8>> =
        [("2x3", Question::Maximum), ("torus:3^2", Question::AtLeast(2)), ("hex:2", Question::Maximum)]
            .map(|(name, question)| {
                OpbFormula::new(&board(name), question).expect("a small board").text().into()
            })
            .into();
    let texts = [
        "s VERIFIED UNSATISFIABLE\n",
        "Verification succeeded.\ns VERIFIED BOUNDS -3 <= obj <= -3\n",
        "pseudo-Boolean proof version 3.0\nf 3;\n@c1 pol 1 2 + 2 d;\nrup 1 x1 >= 1 : 1 2;\n% a comment\nend pseudo-Boolean proof;\n",
    ];
    seeds.extend(texts.map(|text| text.as_bytes().to_vec()));
    seeds
}

/// Reads a text as an OPB formula, as the output of VeriPB, and as a proof for it.
pub fn opb(bytes: &[u8]) -> bool {
    let mut is_accepted = false;
    match opbs::refuse_assumptions(bytes) {
        Ok(()) => {
            is_accepted = true;
            let is_harmless = bytes.iter().all(|&byte| byte >= b' ' || byte == b'\n' || byte == b'\t');
            assert!(is_harmless, "a control character in an accepted proof");
        }
        Err(fault) => assert_plain(&fault),
    }
    let Some(text) = utf8(bytes) else { return is_accepted };
    match opbs::parse_verdict(text) {
        Ok(verdict) => {
            is_accepted = true;
            let verdicts = text.lines().filter(|line| line.starts_with("s ")).count();
            assert_eq!(verdicts, 1, "{verdict:?}");
        }
        Err(fault) => assert_plain(&fault),
    }
    let question = opbs::parse_question(text);
    if let Err(fault) = &question {
        assert_plain(fault);
    }
    let (Some(board), Ok(question)) = (opbs::parse_board(text).and_then(small_board), question) else {
        return is_accepted;
    };
    let formula = match OpbFormula::new(&board, question) {
        Ok(formula) => formula,
        Err(fault) => {
            assert_plain(&fault);
            return is_accepted;
        }
    };
    match formula.compare(text) {
        Ok(()) => {
            let lines = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.starts_with('*')).map(str::to_owned).collect()
            };
            assert_eq!(lines(formula.text()), lines(text));
            true
        }
        Err(fault) => {
            assert_plain(&fault);
            is_accepted
        }
    }
}

pub(super) fn cnf_seeds() -> Vec<Vec<u8>> {
    let formula = |(name, number): (&str, u64)| {
        let mut text = Vec::new();
        let formula = cnfs::CnfFormula::new(&name.parse().expect("a board"), number).expect("a small board");
        formula.write(&mut text).expect("memory takes everything");
        text
    };
    let outputs = ["s VERIFIED\n", "c rate\ns NOT VERIFIED\n"].map(|text| text.as_bytes().to_vec());
    [("2x3", 3), ("3^2", 2)].map(formula).into_iter().chain(outputs).collect()
}

/// Reads a text as a CNF formula and as the output of `rate`.
pub fn cnf(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let mut is_accepted = false;
    match cnfs::check_verdict(text) {
        Ok(()) => {
            is_accepted = true;
            assert_eq!(text.lines().filter(|line| line.starts_with("s ")).count(), 1);
        }
        Err(fault) => assert_plain(&fault),
    }
    let Some((board, number)) = cnfs::parse_question(text) else { return is_accepted };
    let Some(board) = small_board(board) else { return is_accepted };
    if number <= 40 {
        let formula = cnfs::CnfFormula::new(&board, number).expect("a small board");
        let mut written = Vec::new();
        formula.write(&mut written).expect("memory takes everything");
        let written = utf8(&written).expect("UTF-8");
        let question = cnfs::parse_question(written);
        assert_eq!(question, Some((board.to_string().as_str(), number)));
    }
    true
}

/// Returns an integer program of a small board.
pub(super) fn program(goal: Goal) -> Ilp {
    let board = Board::new(&BoardName::queen(&[3, 3, 3]));
    let formulation = Formulation::builtin("base").expect("a shipped formulation");
    let model = Model::new(&board, &formulation, Variant::of(goal), &Theorems, 1 << 30);
    model.expect("a small model").ilp()
}

const FORMATS: [Format; 5] = [Format::Lp, Format::Mps, Format::Opb, Format::Cnf, Format::Mtx];

/// Returns texts whose first line is the file extension of the format.
pub(super) fn heading_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for goal in [Goal::Optimise, Goal::AtLeast(4)] {
        let program = program(goal);
        for format in FORMATS {
            let mut text = format!("{}\n", FileFormat::Program(format).extension()).into_bytes();
            if format.write(&program, &mut text).is_ok() {
                seeds.push(text);
            }
        }
    }
    let board = Board::new(&BoardName::queen(&[2, 3]));
    for format in [GraphFormat::Clq, GraphFormat::Col] {
        let mut text = format!("{}\n", FileFormat::Graph(format).extension()).into_bytes();
        format.write(&board, &mut text).expect("memory takes everything");
        seeds.push(text);
    }
    seeds.push(b"lp\n\\ 4^2_in_5_colours\n\\ a colouring of 4^2 in 5 colours\n".to_vec());
    seeds
}

/// Reads the first comments of a text in the format given by its first line.
pub fn heading(bytes: &[u8]) -> bool {
    let Some((extension, text)) = utf8(bytes).and_then(|text| text.split_once('\n')) else { return false };
    let format = match FileFormat::of_path(format!("file.{extension}")) {
        Ok(format) => format,
        Err(fault) => {
            assert_plain(&fault);
            return false;
        }
    };
    let heading = files::heading(text, format);
    if let FileFormat::Program(format) = format {
        let program = program(Goal::Optimise);
        let names: Vec<&str> = program.columns().iter().map(|column| column.name.as_str()).collect();
        match files::column_order(text, format, &names) {
            Ok(mut order) => {
                order.sort_unstable();
                assert!(order.into_iter().eq(0..names.len()));
            }
            Err(fault) => assert_plain(&fault.to_string()),
        }
    }
    heading.is_some()
}
