//! Records are written as they were read, and invalid questions are rejected.

use std::path::{Path, PathBuf};

use ndqueens_model::variant::Goal;
use ndqueens_workflow::record::{Answer, Engine, Outcome, Question, Record, Start, Stop, Task};
use serde_json::{Value, json};

fn results(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results").join(folder)
}

/// Removes empty lists of lemmas, which the oldest records do not contain.
fn without_lemmas(text: &str) -> String {
    text.replace("\n    \"lemmas\": [],", "").replace("\"lemmas\":[],", "")
}

#[test]
fn every_record_is_written_as_it_was_read() {
    let records = std::fs::read_dir(results("2026-11-20-maxima-d3/records")).expect("a folder");
    let mut number = 0;
    for path in records.map(|entry| entry.expect("readable").path()) {
        let text = std::fs::read_to_string(&path).expect("a text");
        let record = Record::read(&path).expect("a record");
        assert!(matches!(record.question.task, Task::Prove { exactly: None, .. }));
        assert_eq!((&record.question.engine, record.answer.outcome), (&Engine::Exact, Outcome::Proved));
        let written = serde_json::to_string_pretty(&record).expect("JSON") + "\n";
        assert_eq!(without_lemmas(&written), text, "{}", path.display());
        number += 1;
    }
    assert_eq!(number, 8);
}

#[test]
fn experiment_rows_keep_their_questions_and_answers() {
    let mut number = 0;
    for folder in ["d3", "d4", "d5", "6-3"] {
        let rows = results("2026-11-21-small-boards").join(folder).join("runs.jsonl");
        for line in std::fs::read_to_string(rows).expect("rows").lines() {
            let row: Value = serde_json::from_str(line).expect(line);
            let question: Question = serde_json::from_value(row["planned"]["question"].clone()).expect(line);
            let answer: Answer = serde_json::from_value(row["answer"].clone()).expect(line);
            for part in [
                serde_json::to_string(&question).expect("JSON"),
                without_lemmas(&serde_json::to_string(&answer).expect("JSON")),
            ] {
                assert!(line.contains(&part), "{part}\n{line}");
            }
            number += 1;
        }
    }
    assert_eq!(number, 686);
}

fn question() -> Value {
    json!({
        "command": "solve", "board": "3^3", "formulation": "cube", "at_least": null, "at_most": null, "exactly": null,
        "claimed": null, "include": [], "rows_kept": "all", "start": "none", "assume_reported": false, "engine": "highs",
        "backend": "highs", "seed": 0, "threads": 1, "time_limit_seconds": null, "node_limit": null, "presolve": null,
        "symmetry": null
    })
}

fn with(changes: &[(&str, Value)]) -> Result<Question, String> {
    let mut question = question();
    for (field, value) in changes {
        question[field] = value.clone();
    }
    serde_json::from_value(question).map_err(|fault| fault.to_string())
}

#[test]
fn every_kind_of_question_keeps_its_form() {
    let none = || ("formulation", json!("none"));
    let prove = || ("command", json!("prove"));
    for changes in [
        vec![("at_least", json!(4)), ("rows_kept", json!("undominated"))],
        vec![("at_most", json!(4)), ("start", json!("greedy"))],
        vec![("exactly", json!(4)), ("include", json!([[0, 1, 2]])), ("start", json!("a/b.txt"))],
        vec![("backend", json!("cbc {model} {solution}")), ("time_limit_seconds", json!(0.25))],
        vec![none(), ("engine", json!("exact")), ("threads", json!(2))],
        vec![prove(), ("claimed", json!(4)), ("exactly", json!(5)), ("assume_reported", json!(true))],
        vec![
            prove(),
            none(),
            ("engine", json!("exact")),
            ("backend", json!("none")),
            ("node_limit", json!(7)),
        ],
        vec![prove(), none(), ("engine", json!("sat")), ("backend", json!("none")), ("start", json!("cut"))],
        vec![prove(), none(), ("engine", json!("cheapest")), ("backend", json!("none"))],
    ] {
        let question = with(&changes).expect("a question");
        let mut expected = self::question();
        for (field, value) in &changes {
            expected[field] = value.clone();
        }
        assert_eq!(serde_json::to_value(&question).expect("JSON"), expected);
        let text = serde_json::to_string(&question).expect("JSON");
        assert_eq!(serde_json::from_str::<Question>(&text).expect("a question"), question);
    }
}

#[test]
fn questions_without_engine_and_backend_use_highs() {
    let mut old = question();
    old.as_object_mut().expect("an object").retain(|field, _| field != "engine" && field != "backend");
    let question: Question = serde_json::from_value(old).expect("a question");
    assert_eq!(question.engine, Engine::highs("cube"));
    assert_eq!((question.goal(), question.start), (Goal::Optimise, Start::None));
}

#[test]
fn rejects_invalid_questions_with_a_message() {
    for (changes, words) in [
        (vec![("engine", json!("oracle"))], "unknown variant `oracle`, expected one of `highs`, `exact`"),
        (vec![("rows_kept", json!("some"))], "unknown variant `some`, expected one of `all`, `distinct`"),
        (vec![("command", json!("guess"))], "unknown variant `guess`"),
        (vec![("at_least", json!(2)), ("exactly", json!(2))], "several numbers of queens"),
        (vec![("claimed", json!(2))], "claimed is not for solve"),
        (vec![("command", json!("prove")), ("at_most", json!(2))], "at_most is not for prove"),
        (vec![("engine", json!("exact"))], "the engine exact takes no formulation"),
        (vec![("engine", json!("sat")), ("formulation", json!("none"))], "the engine sat proves a maximum"),
        (
            vec![("engine", json!("exact")), ("formulation", json!("none")), ("start", json!("cut"))],
            "the exact engine finds how many queens fit",
        ),
        (
            vec![
                ("command", json!("prove")),
                ("engine", json!("exact")),
                ("formulation", json!("none")),
                ("assume_reported", json!(true)),
            ],
            "are for the engine highs, not for exact",
        ),
        (vec![("time_limit_seconds", json!(-1.0))], "a number of seconds, 0 or more, not -1"),
    ] {
        let fault = with(&changes).expect_err(words);
        assert!(fault.contains(words), "{fault}");
    }
    let fault = serde_json::from_str::<Stop>("\"bored\"").expect_err("no reason").to_string();
    assert!(fault.contains("unknown variant `bored`, expected one of `finished`"), "{fault}");
}
