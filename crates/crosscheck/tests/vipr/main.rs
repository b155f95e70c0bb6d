//! Tests of VIPR files: test vectors, which are written and edited here, and a second checker whose verdicts
//! must agree.
//!
//! The vectors are rewritten if the environment contains `NDQ_WRITE_VECTORS=1`.

mod cover;
mod edits;
mod solver_edits;
mod writer;

use std::cell::Cell;
use std::fs;
use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use ndqueens_crosscheck::fault::{FaultKind, LineFault};
use ndqueens_crosscheck::vipr::formula::{IntegerProgram, ProgramForm, Relation};
use ndqueens_crosscheck::vipr::{Theorem, ViprError, check};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::BoardName;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::{Value, json};

use crate::cover::{CoverForm, CoverStatement, write_cover_file};
use crate::edits::{Edit, Expected, MORE, MOST, REST, edits};
use crate::solver_edits::solver_edits;
use crate::writer::{Form, Statement, write_file};

fn checked(text: &[u8]) -> Result<Theorem, ViprError> {
    check(text, &|name| name.parse(), &|| false)
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/vipr")
}

const FORM: Form = Form {
    board: "2^2",
    statement: Statement::Range(1),
    symmetry: &[],
    solution: &[],
    cliques: &[],
    has_last_uses: true,
};

/// Files of the writer by name.
const WRITTEN: [(&str, Form); 12] = [
    ("clique", Form { cliques: &[&[0, 1, 2, 3]], solution: &[2], ..FORM }),
    ("tree", Form { has_last_uses: false, ..FORM }),
    ("infeasible", Form { board: "3^2", statement: Statement::Infeasible, ..FORM }),
    ("range", Form { board: "3^2", statement: Statement::Range(2), solution: &[0, 5], ..FORM }),
    ("above", Form { board: "3^2", statement: Statement::Range(3), ..FORM }),
    (
        "cutoff",
        Form {
            board: "3^2",
            statement: Statement::Cutoff(2),
            solution: &[1, 6],
            cliques: &[&[0, 1, 3, 4]],
            ..FORM
        },
    ),
    ("square", Form { board: "4^2", statement: Statement::Range(4), solution: &[1, 7, 8, 14], ..FORM }),
    (
        "symmetry",
        Form {
            board: "4^2",
            statement: Statement::Range(4),
            solution: &[1, 7, 8, 14],
            symmetry: &[5, 0, 1],
            ..FORM
        },
    ),
    ("cube", Form { board: "2^3", ..FORM }),
    (
        "cube-symmetry",
        Form { board: "3^3", statement: Statement::Infeasible, symmetry: &[13, 4, 1, 0], ..FORM },
    ),
    ("torus", Form { board: "torus:3^2", statement: Statement::Infeasible, ..FORM }),
    (
        "bishops",
        Form { board: "bishop:2x3", statement: Statement::Range(4), solution: &[0, 2, 3, 5], ..FORM },
    ),
];

const COVER: CoverForm = CoverForm {
    board: "4^2",
    problem: Problem::DominatingSet,
    statement: CoverStatement::Range(2),
    included: &[],
    symmetry: &[],
    solution: &[],
};

/// Files about dominating sets by name.
const COVERS: [(&str, CoverForm); 9] = [
    ("dominating", CoverForm { solution: &[0, 10], ..COVER }),
    ("dominating-open", CoverForm { statement: CoverStatement::Range(1), ..COVER }),
    ("dominating-infeasible", CoverForm { statement: CoverStatement::Infeasible(1), ..COVER }),
    ("dominating-cutoff", CoverForm { statement: CoverStatement::Cutoff(2), solution: &[0, 10], ..COVER }),
    (
        "dominating-symmetry",
        CoverForm { statement: CoverStatement::Infeasible(1), symmetry: &[0, 1, 5], ..COVER },
    ),
    (
        "dominating-included",
        CoverForm { statement: CoverStatement::Range(3), included: &[0, 3], solution: &[0, 3, 9], ..COVER },
    ),
    (
        "independent-dominating",
        CoverForm {
            problem: Problem::IndependentDominatingSet,
            statement: CoverStatement::Infeasible(2),
            symmetry: &[5, 0],
            ..COVER
        },
    ),
    (
        "independent-included",
        CoverForm {
            problem: Problem::IndependentDominatingSet,
            statement: CoverStatement::Range(3),
            included: &[0],
            solution: &[0, 6, 13],
            ..COVER
        },
    ),
    (
        "dominating-rooks",
        CoverForm { board: "rook:torus:3^2", statement: CoverStatement::Infeasible(2), ..COVER },
    ),
];

/// Returns a file about one square with these lines after the program.
fn one_square(at_least: Option<u64>, lines: &str) -> String {
    let program = IntegerProgram::new(&"1^1".parse().expect("a board"), at_least, &[]).expect("a program");
    let mut text = Vec::new();
    program.write(&mut text).expect("a vector");
    String::from_utf8(text).expect("ASCII") + lines
}

/// Files of SCIP 10.0.4, with comments before them. `completed` was completed by viprcomp 1.2.
const SCIP: [&str; 15] = [
    "maximum",
    "cliques",
    "mps",
    "at-least",
    "cube",
    "queens",
    "torus",
    "bishops",
    "dominating",
    "dominating-at-most",
    "independent-dominating",
    "included",
    "dominating-included",
    "completed",
    "weak",
];

/// Returns the text of a file of SCIP.
fn read_scip(name: &str) -> String {
    fs::read_to_string(vectors().join(format!("scip/{name}.vipr"))).expect(name)
}

/// Returns all edits.
fn all_edits() -> impl Iterator<Item = Edit> {
    edits().chain(solver_edits())
}

/// Returns the file that is edited.
fn base_file(name: &str) -> String {
    if let Some(name) = name.strip_prefix("scip-") {
        return read_scip(name);
    }
    match name {
        // Constraints: 0 is x >= 0, 1 is x <= 1, 2 is OBJ >= 1.
        "one" => one_square(
            Some(1),
            "RTP infeas\nSOL 0\nDER 5\nd0 L 1/4 1 0 1 { asm } 7\nd1 G 1 0 { lin 2 2 -1 3 1 } 7\n\
             d2 G 5/4 1 0 1 { asm } 7\nd3 G 1 0 { lin 2 1 1 5 -1 } 7\nd4 G 1 0 { uns 4 3 6 5 } -1\n",
        ),
        "rows" => one_square(
            None,
            "RTP range 1 1\nSOL 1\nbest 1 0 1\nDER 3\nd0 G 2 1 0 1 { asm } -1\nd1 G 1 0 { lin 2 1 1 2 -1 } -1\n\
             d2 L 1 OBJ { uns 1 1 3 2 } -1\n",
        ),
        // Constraints: 0 to 2 are x >= 0, 3 to 5 are x <= 1, 6 is the line, 7 is x1 >= 1.
        "included" => {
            let form = ProgramForm { included: vec![1], limit: Some(2), ..ProgramForm::default() };
            let program = IntegerProgram::of(&"1x3".parse().expect("a board"), form).expect("a program");
            let mut text = Vec::new();
            program.write(&mut text).expect("a vector");
            String::from_utf8(text).expect("ASCII")
                + "RTP infeas\nSOL 0\nDER 1\nd0 G 1 0 { lin 2 6 -1 8 1 } -1\n"
        }
        _ => match COVERS.iter().find(|(written, _)| *written == name) {
            Some((_, form)) => write_cover_file(form),
            None => write_file(&WRITTEN.iter().find(|(written, _)| *written == name).expect(name).1),
        },
    }
}

fn apply(edit: &Edit) -> String {
    let mut text = base_file(edit.base);
    for (old, new) in edit.replacements {
        let new = new.replace(MOST, &"9".repeat(10_000)).replace(MORE, &"9".repeat(10_001));
        let (old, has_rest) = match old.strip_suffix(REST) {
            Some(old) => (old, true),
            None => (*old, false),
        };
        let place = text.find(old).unwrap_or_else(|| panic!("{}: {old:?} is not there", edit.name));
        let end = if has_rest { text.len() } else { place + old.len() };
        text.replace_range(place..end, &new);
    }
    text
}

/// Returns the row of a vector in the table.
fn row(name: &str, text: &str, rule: &str) -> Value {
    match checked(text.as_bytes()) {
        Ok(theorem) => {
            let mut row = json!({
                "file": format!("accepted/{name}.vipr"),
                "verdict": "accepted",
                "board": theorem.board().to_string(),
                "at_most": theorem.at_most(),
                "at_least": theorem.at_least(),
            });
            if theorem.problem() != Problem::IndependentSet {
                row["problem"] = theorem.problem().to_string().into();
            }
            if !theorem.included().is_empty() {
                row["included"] = json!(theorem.included());
            }
            row
        }
        Err(fault) => {
            let is_limit = fault.kind() == FaultKind::Limit;
            let line = match fault {
                ViprError::Line(fault) => Some(fault.line),
                _ => None,
            };
            json!({
                "file": format!("refused/{name}.vipr"),
                "verdict": if is_limit { "not checked" } else { "refused" },
                "line": line,
                "rule": rule,
            })
        }
    }
}

/// Returns all vectors: their rows in the table and their texts.
fn all_vectors() -> Vec<(Value, String)> {
    let written = WRITTEN.iter().map(|(name, form)| {
        let text = write_file(form);
        (row(name, &text, ""), text)
    });
    let edited = all_edits().map(|edit| {
        let text = apply(&edit);
        let rule = match edit.expected {
            Expected::Accepted => "",
            Expected::Refused(rule) | Expected::NotChecked(rule) => rule,
        };
        (row(edit.name, &text, rule), text)
    });
    let others = ["included"].map(|name| (name, base_file(name)));
    let covers = COVERS.iter().map(|(name, form)| (*name, write_cover_file(form))).chain(others);
    let covers = covers.map(|(name, text)| (row(name, &text, ""), text));
    let scip = SCIP.map(|name| {
        let text = read_scip(name);
        let mut row =
            row(name, &text, if name == "weak" { "the extension \"weak\" is not supported" } else { "" });
        row["file"] = format!("scip/{name}.vipr").into();
        (row, text)
    });
    written.chain(covers).chain(scip).chain(edited).collect()
}

#[test]
fn edits_have_the_expected_verdicts() {
    let mut faults = Vec::new();
    for edit in all_edits() {
        let text = apply(&edit);
        let found = checked(text.as_bytes());
        let is_expected = match (&found, edit.expected) {
            (Ok(_), Expected::Accepted) => true,
            (Err(fault), Expected::Refused(_)) => fault.kind() != FaultKind::Limit,
            (Err(fault), Expected::NotChecked(_)) => fault.kind() == FaultKind::Limit,
            _ => false,
        };
        if !is_expected {
            let found = found.map_err(|fault| fault.to_string());
            faults.push(format!("{}: {:?} expected: {found:?}", edit.name, edit.expected));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let refused = all_edits().filter(|edit| !matches!(edit.expected, Expected::Accepted)).count();
    assert!(refused > 180, "{refused} refused");
}

#[test]
fn stored_vectors_equal_the_written_ones() {
    let all = all_vectors();
    let folder = vectors();
    let table = all.iter().map(|(row, _)| format!("  {row}")).collect::<Vec<_>>().join(",\n");
    let table = format!("[\n{table}\n]\n");
    if std::env::var_os("NDQ_WRITE_VECTORS").is_some() {
        for verdict in ["accepted", "refused"] {
            let _ = fs::remove_dir_all(folder.join(verdict));
            fs::create_dir_all(folder.join(verdict)).expect("a folder");
        }
        fs::write(folder.join("vectors.json"), &table).expect("writable");
        for (row, text) in &all {
            fs::write(folder.join(row["file"].as_str().expect("a file")), text).expect("writable");
        }
    }
    assert_eq!(fs::read_to_string(folder.join("vectors.json")).expect("the table"), table);
    let mut listed = Vec::new();
    for (row, text) in &all {
        let file = row["file"].as_str().expect("a file");
        listed.push(file.to_owned());
        assert_eq!(fs::read_to_string(folder.join(file)).expect(file), *text, "{file}");
    }
    let mut there = Vec::new();
    for verdict in ["accepted", "refused", "scip"] {
        for entry in fs::read_dir(folder.join(verdict)).expect("a folder") {
            there.push(format!("{verdict}/{}", entry.expect("an entry").file_name().to_string_lossy()));
        }
    }
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
}

/// Returns the number of squares of the best solution of a question.
fn optimum(board: &BoardName, form: ProgramForm) -> u64 {
    let program = IntegerProgram::of(board, form).expect("a program");
    let rows: Vec<_> = (0..program.constraints()).filter_map(|index| program.row(index)).collect();
    let is_solution = |set: u32| {
        rows.iter().all(|row| {
            let left: i64 = row.terms.iter().filter(|(v, _)| set >> v & 1 == 1).map(|(_, times)| times).sum();
            match row.relation {
                Relation::AtMost => left <= row.right as i64,
                Relation::AtLeast => left >= row.right as i64,
                Relation::Equal => left == row.right as i64,
            }
        })
    };
    let solutions = (0..1u32 << program.squares().len()).filter(|&set| is_solution(set));
    let sizes = solutions.map(|set| u64::from(set.count_ones()));
    if program.maximises() { sizes.max() } else { sizes.min() }.expect("there is a solution")
}

#[test]
fn accepted_vectors_are_true() {
    for (row, _) in all_vectors().iter().filter(|(row, _)| row["verdict"] == "accepted") {
        let board: BoardName = row["board"].as_str().expect("a board").parse().expect("a name");
        let is_plain = row["problem"].is_null() && row["included"].is_null();
        let optimum = if is_plain {
            let counted = ndqueens_crosscheck::count::count(&board, &|| false).expect("a small board");
            counted.independence_number as u64
        } else {
            let plain = IntegerProgram::new(&board, None, &[]).expect("a program");
            let number = |square: &Value| {
                let square: Vec<u32> = serde_json::from_value(square.clone()).expect("a square");
                plain.squares().binary_search(&square).expect("a square of the board")
            };
            let included = row["included"].as_array().map(|all| all.iter().map(number).collect());
            let problem =
                Problem::ALL.into_iter().find(|problem| row["problem"] == problem.to_string().as_str());
            optimum(
                &board,
                ProgramForm {
                    problem: problem.unwrap_or_default(),
                    included: included.unwrap_or_default(),
                    ..ProgramForm::default()
                },
            )
        };
        assert!(!row["at_most"].is_null() || !row["at_least"].is_null(), "{row}");
        assert!(row["at_most"].as_u64().is_none_or(|most| most >= optimum), "{row}");
        assert!(row["at_least"].as_u64().is_none_or(|least| least <= optimum), "{row}");
    }
}

#[test]
fn checks_optima_of_random_boards() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let names = ["2x3", "3^2", "2x5", "3x4", "2^3", "torus:3^2", "rook:2x4", "bishop:3^2", "1x7"];
    for turn in 0..60 {
        let board: &'static str = names[turn % names.len()];
        let problem = [Problem::DominatingSet, Problem::IndependentDominatingSet][turn / 9 % 2];
        let name: BoardName = board.parse().expect("a board");
        let program = IntegerProgram::new(&name, None, &[]).expect("a program");
        let squares = program.squares().len();
        let included: Vec<usize> =
            if turn % 3 == 0 { vec![random.random_range(0..squares)] } else { Vec::new() };
        let form = ProgramForm { problem, included: included.clone(), ..ProgramForm::default() };
        let least = optimum(&name, form);
        let included: &'static [usize] = included.leak();
        for (bound, is_true) in [(least, true), (least + 1, false)] {
            let statement = CoverStatement::Range(bound);
            let form = CoverForm { board, problem, included, statement, ..COVER };
            let written = std::panic::catch_unwind(|| write_cover_file(&form));
            let accepted = written.ok().map(|text| checked(text.as_bytes()).expect(board));
            assert_eq!(accepted.is_some(), is_true, "{board} {problem} {included:?} {bound}");
            assert!(accepted.is_none_or(|theorem| theorem.at_least() == Some(bound)));
        }
    }
}

/// Checks a folder of files with the second checker. Returns its verdicts by names of files, or `None` if
/// Python is missing.
fn run_second_checker(folder: &Path) -> Option<Vec<(String, String)>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vipr/checker.py");
    let output = match Command::new("python3").arg(script).arg(folder).output() {
        Ok(output) => output,
        Err(_) => {
            let _ = writeln!(std::io::stderr(), "python3 is missing: the second checker is not run");
            return None;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    Some(
        text.lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect(),
    )
}

/// Returns the verdict of this crate in the words of the second checker, without the rule.
fn verdict(text: &[u8]) -> String {
    match checked(text) {
        Ok(theorem) => match theorem.problem() {
            Problem::IndependentSet => format!("accepted {}", theorem.at_most().expect("a bound")),
            _ => format!("accepted {}", theorem.at_least().expect("a bound")),
        },
        Err(fault) if fault.kind() == FaultKind::Limit => "limit".to_owned(),
        Err(_) => "refused".to_owned(),
    }
}

/// Asserts that both checkers give the same verdicts. Returns the number of accepted files, or `None` if
/// Python is missing.
fn assert_same_verdicts(texts: &[Vec<u8>]) -> Option<usize> {
    let folder = std::env::temp_dir().join(format!("ndq-vipr-{}-{}", std::process::id(), texts.len()));
    fs::create_dir_all(&folder).expect("a folder");
    for (number, text) in texts.iter().enumerate() {
        fs::write(folder.join(format!("{number}")), text).expect("writable");
    }
    let verdicts = run_second_checker(&folder);
    fs::remove_dir_all(&folder).expect("removable");
    let mut accepted = 0;
    let verdicts = verdicts?;
    assert_eq!(verdicts.len(), texts.len());
    for (name, second) in verdicts {
        let text = &texts[name.parse::<usize>().expect("a number")];
        let first = verdict(text);
        let is_same = second == first || second.split(' ').next() == Some(&first);
        let fault = checked(text).err().map(|fault| fault.to_string());
        assert!(is_same, "{first} {fault:?}, but {second}:\n{}", String::from_utf8_lossy(text));
        accepted += usize::from(first.starts_with("accepted"));
    }
    Some(accepted)
}

#[test]
fn second_checker_agrees_on_vectors() {
    let texts: Vec<_> = all_vectors().into_iter().map(|(_, text)| text.into_bytes()).collect();
    let accepted = assert_same_verdicts(&texts);
    assert!(accepted.is_none_or(|accepted| accepted > 20), "{accepted:?}");
}

/// Returns a file with one or two words, lines or digits changed, from the section `first` on.
fn mutate(text: &str, first: &str, random: &mut ChaCha8Rng) -> Vec<u8> {
    let start = text.find(first).expect("a section");
    let mut words: Vec<String> = text[start..]
        .replace('\n', " \n ")
        .split(' ')
        .map(str::to_owned)
        .filter(|word| !word.is_empty())
        .collect();
    for _ in 0..random.random_range(1..3) {
        let place = random.random_range(0..words.len());
        let other = words[random.random_range(0..words.len())].clone();
        match random.random_range(0..7) {
            0 => drop(words.remove(place)),
            1 => words.insert(place, other),
            2 => words[place] = other,
            3 => {
                if let Ok(number) = words[place].parse::<i64>() {
                    words[place] = (number + [-2, -1, 1, 2][random.random_range(0..4)]).to_string();
                }
            }
            4 => {
                let others = ["0", "1", "-1", "1/2", "L", "G", "E", "OBJ", "0.5", "2"];
                words[place] = others[random.random_range(0..others.len())].to_owned();
            }
            5 => words[place].push_str(["/2", "0", ".5", "\n", "x"][random.random_range(0..5)]),
            _ => {
                let lines: Vec<usize> = (0..words.len()).filter(|&place| words[place] == "\n").collect();
                let line = random.random_range(1..lines.len());
                let (from, to) = (lines[line - 1] + 1, lines[line] + 1);
                let copy: Vec<String> = words[from..to].to_vec();
                words.splice(place..place, copy);
            }
        }
    }
    let rest = words.join(" ").replace(" \n ", "\n").replace(" \n", "\n").replace("\n ", "\n");
    [&text.as_bytes()[..start], rest.as_bytes()].concat()
}

#[test]
fn second_checker_agrees_on_random_edits() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let bases: Vec<String> = [
        "clique",
        "infeasible",
        "cutoff",
        "range",
        "one",
        "rows",
        "bishops",
        "dominating",
        "dominating-cutoff",
        "independent-included",
        "scip-maximum",
        "scip-at-least",
    ]
    .map(base_file)
    .to_vec();
    let texts: Vec<_> =
        (0..4800).map(|turn| mutate(&bases[turn % bases.len()], "RTP", &mut random)).collect();
    let accepted = assert_same_verdicts(&texts);
    assert!(accepted.is_none_or(|accepted| accepted > 100), "{accepted:?}");
}

#[test]
fn second_checker_agrees_on_random_programs() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let bases = ["maximum", "cliques", "at-least", "bishops", "dominating", "included"].map(read_scip);
    let texts: Vec<_> =
        (0..2000).map(|turn| mutate(&bases[turn % bases.len()], "VAR", &mut random)).collect();
    let accepted = assert_same_verdicts(&texts);
    assert!(accepted.is_none_or(|accepted| accepted > 20), "{accepted:?}");
}

#[test]
fn other_boards_are_accepted() {
    for (board, most) in [("hex:2", 2), ("three:2", 2), ("sudoku:1", 1), ("torus:2^3", 1), ("rook:2^3", 4)] {
        let text = write_file(&Form { board, statement: Statement::Range(most), ..FORM });
        assert_eq!(checked(text.as_bytes()).expect(board).at_most(), Some(most));
    }
}

#[test]
fn requires_the_digest_of_board_files() {
    let open = |path: &str| match path {
        "path.col" => Ok("p edge 3 2\ne 1 2\ne 2 3\n".to_owned()),
        _ => Err(std::io::ErrorKind::NotFound.into()),
    };
    let read_board = |name: &str| BoardName::parse_with(name, &open);
    let board = read_board("file:path.col").expect("a board");
    let program = IntegerProgram::new(&board, None, &[]).expect("a program");
    let mut text = Vec::new();
    program.write(&mut text).expect("a vector");
    let text = String::from_utf8(text).expect("ASCII");
    let proof = "RTP range 2 2\nSOL 1\nbest 2 0 1 2 1\nDER 1\nd0 L 2 OBJ { lin 2 6 1 5 1 } -1\n";
    let check = |text: String| check(text.as_bytes(), &read_board, &|| false);
    assert_eq!(check(format!("{text}{proof}")).expect("a theorem").at_most(), Some(2));
    for (old, new) in [("sha256 ", "sha256 0"), ("% digest", "% remark"), ("path.col", "other.col")] {
        let fault = check(format!("{text}{proof}").replacen(old, new, 1)).expect_err(new);
        assert!(fault.kind() == FaultKind::Unreadable, "{fault}");
    }
}

#[test]
fn stops_when_requested() {
    let text = base_file("infeasible");
    let stopped = |text: &str| check(text.as_bytes(), &|name| name.parse(), &|| true);
    // The check of a small file ends before the first call of `stop`.
    assert!(stopped(&text).is_ok());
    // This board has more lines than are allowed; `stop` is called while they are listed.
    let lines = text.replacen("3^2", "2^12", 1);
    let calls = Cell::new(0);
    let stop = || {
        calls.set(calls.get() + 1);
        calls.get() >= 10
    };
    let found = check(lines.as_bytes(), &|name| name.parse(), &stop);
    assert!(matches!(found, Err(ViprError::Stopped)), "{found:?}");
    assert!(calls.get() <= 11, "{} calls", calls.get());
    let combination: String =
        (0..60_000).map(|_| "d0 L 1 3 1 1 2 1 3 1 { rnd 3 9 1/2 10 1/2 12 1/2 } 0\n").collect();
    let text =
        base_file("clique").replacen("d0", &format!("{combination}d0"), 1).replacen("DER 6", "DER 60006", 1);
    assert!(matches!(stopped(&text), Err(ViprError::Stopped)));
}

#[test]
fn rejects_long_words_without_reading_them() {
    /// Checks a file and returns the error and the number of bytes that were read.
    fn check_part(text: &str) -> (ViprError, usize) {
        let mut rest = text.as_bytes();
        let checked = check(BufReader::new(&mut rest), &|name| name.parse(), &|| false);
        (checked.expect_err("a long word"), text.len() - rest.len())
    }
    let text = base_file("clique");
    for digits in [1_000_000, 100_000_000] {
        let long = text.replacen("1/2", &"7".repeat(digits), 1);
        let (fault, read) = check_part(&long);
        assert!(
            matches!(fault, ViprError::Line(LineFault { line: 29, kind: FaultKind::Limit, .. })),
            "{fault}"
        );
        assert!(read < text.len() + 50_000, "{read} bytes");
    }
    let solver = read_scip("maximum");
    for (place, digits) in [("-1 2 -1 }", 1_000_000), ("C11 L 1", 100_000_000)] {
        let long = solver.replacen(place, &format!("{place}{}", "7".repeat(digits)), 1);
        let (fault, read) = check_part(&long);
        assert_eq!(fault.kind(), FaultKind::Limit, "{fault}");
        assert!(read < solver.len() + 50_000, "{read} bytes");
    }
    let long = text.replacen("board 2^2", &format!("board {}", "x".repeat(1_000_000)), 1);
    let (fault, read) = check_part(&long);
    assert_eq!(fault.kind(), FaultKind::Limit, "{fault}");
    assert!(read < text.len() + 100_000, "{read} bytes");
}

#[test]
fn ignores_long_sequences_of_blanks() {
    let text = base_file("clique");
    let long = text.replacen("{ rnd", &format!("{{{}rnd", " ".repeat(1_000_000)), 1);
    assert!(checked(long.as_bytes()).is_ok(), "blanks have no meaning");
    let blank = read_scip("maximum").replacen("INT", &format!("{}INT", "\n".repeat(1_000_000)), 1);
    assert!(checked(blank.as_bytes()).is_ok(), "line feeds have no meaning in this place");
}

#[test]
fn rejects_every_truncated_file() {
    let text = base_file("infeasible");
    for text in [text, read_scip("at-least")] {
        for end in 0..text.len() {
            let fault = checked(&text.as_bytes()[..end]).expect_err("a beginning");
            assert_eq!(fault.kind(), FaultKind::Unreadable, "{end}: {fault}");
        }
        assert!(checked(text.as_bytes()).is_ok());
    }
}

#[test]
fn accepts_the_example_of_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/vipr.md");
    let page = fs::read_to_string(page).expect("the page");
    let start = page.find("% ndqueens vipr 1").expect("an example");
    let end = start + page[start..].find("```").expect("the end of the example");
    let theorem = checked(&page.as_bytes()[start..end]).expect("a theorem");
    assert_eq!((theorem.board().to_string().as_str(), theorem.at_most()), ("1x3", Some(1)));
}
