//! Targets for crates that require HiGHS.

use std::path::Path;

use ndqueens_cliquer::text as dots;
use ndqueens_experiments::definition::{Definition, DefinitionError};
use ndqueens_model::ilp::Program as _;
use ndqueens_model::variant::Goal;
use ndqueens_notation::name::{BoardName, reject_files};
use ndqueens_solver::backends::solution_file as files;

use super::formulas::program;
use super::utf8;
use crate::corpus;
use crate::sentence::assert_plain;

pub(super) fn solution_file_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("crates/solver/tests/data", &["sol", "json"]);
    let names: Vec<String> =
        program(Goal::Optimise).columns().iter().map(|column| column.name.clone()).collect();
    let chosen = [0, 5, 16, 20];
    let value = |column: usize| u8::from(chosen.contains(&column));
    let variables: Vec<String> = (0..names.len())
        .map(|k| format!("<variable name=\"{}\" index=\"{k}\" value=\"{}\"/>", names[k], value(k)))
        .collect();
    let literals = |sign: &str, name: &str| -> String {
        (0..names.len())
            .map(|k| format!("{}{name}{} ", if value(k) == 0 { sign } else { "" }, k + 1))
            .collect()
    };
    let texts = [
        format!(
            "<?xml version = \"1.0\"?>\n<CPLEXSolution version=\"1.2\">\n<header objectiveValue=\"4\" solutionStatusString=\"integer optimal solution\"/>\n<variables>\n{}\n</variables>\n</CPLEXSolution>\n",
            variables.join("\n")
        ),
        format!("=obj= 4\n{}", chosen.map(|k| format!("{} 1\n", names[k])).concat()),
        format!("s SATISFIABLE\nv {}0\n", literals("-", "")),
        format!("o -4\ns OPTIMUM FOUND\nv {}\n", literals("-", "x")),
        "s UNSATISFIABLE\n".to_owned(),
        format!("SAT\n{}0\n", literals("-", "")),
    ];
    seeds.extend(texts.map(String::into_bytes));
    seeds
}

/// Reads a text as a solution file of a solver.
pub fn solution_file(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let mut is_accepted = false;
    for goal in [Goal::Optimise, Goal::AtLeast(4)] {
        let program = program(goal);
        match files::read(text, &program) {
            Ok(file) => {
                is_accepted = true;
                assert!(file.point.is_none_or(|point| point.len() == program.columns().len()));
            }
            Err(fault) => assert_plain(&fault),
        }
    }
    is_accepted
}

pub(super) fn experiment_seeds() -> Vec<Vec<u8>> {
    corpus::files("instances/experiments", &["toml"])
}

/// Largest number of squares of a box whose runs are planned. The limit is required because a plan contains
/// the rows of each board.
const MOST_SQUARES: u64 = 100_000;

/// Returns `true` if all boards named in quotes in a text are small.
fn names_small_boards(text: &str) -> bool {
    text.split(['"', '\'']).all(|word| match BoardName::parse_user_input(word, &reject_files) {
        Ok(BoardName::Grid { sides, .. }) => {
            let squares = sides.iter().try_fold(1u64, |product, &side| product.checked_mul(side.into()));
            squares.is_some_and(|squares| squares <= MOST_SQUARES)
        }
        Ok(_) => word.len() <= 7,
        Err(_) => true,
    })
}

/// Reads a text as an experiment, and plans its runs if their boards are small.
pub fn experiment(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let planned = Definition::parse(Path::new("fuzzed.toml"), text.to_owned()).and_then(|definition| {
        match names_small_boards(text) {
            true => ndqueens_experiments::plan::plan(&definition).map(|_| ()),
            false => Ok(()),
        }
    });
    match planned {
        Ok(_) => true,
        Err(fault) => {
            if let DefinitionError::Malformed { line, column, .. } = &fault {
                assert!((1..=text.lines().count() + 1).contains(line) && *column > 0, "{fault}");
            }
            assert_plain(&fault);
            false
        }
    }
}

pub(super) fn cliquer_seeds() -> Vec<Vec<u8>> {
    corpus::files("instances/cliquer", &["txt"])
}

/// Reads a text as a board of CliqueR.
pub fn cliquer(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    match dots::read(text) {
        Ok((board, moves)) => {
            assert!(dots::is_board(text));
            let written = dots::write(&board, &moves, &[]);
            let (again, played) = dots::read(&written).unwrap_or_else(|fault| panic!("{fault}:\n{written}"));
            assert_eq!(
                (again.dots(), again.scoring(), played),
                (board.dots(), board.scoring(), moves),
                "{written}"
            );
            true
        }
        Err(fault) => {
            assert_plain(&fault);
            false
        }
    }
}
