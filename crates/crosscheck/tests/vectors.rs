//! Test vectors of `docs/proof-format.md` and `docs/bound-format.md`: proofs, bounds and certificates with
//! the verdict that every checker must reach, and the line that is rejected.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use ndqueens_crosscheck::bound::{self, BoundError};
use ndqueens_crosscheck::fault::FaultKind;
use ndqueens_crosscheck::proof::{ProofError, check};
use ndqueens_crosscheck::verify::verify;
use ndqueens_notation::certificate::Certificate;
use ndqueens_notation::name::BoardName;
use serde_json::Value;

/// Asserts the verdict on a vector that is not accepted: the kind of the fault, and its line if the table has
/// one.
fn assert_refused(row: &Value, kind: FaultKind, line: Option<u64>, fault: &dyn Display) {
    let verdict = if kind == FaultKind::Limit { "not checked" } else { "refused" };
    assert_eq!(row["verdict"], verdict, "{row}: {fault}");
    if let Some(expected) = row["line"].as_u64() {
        assert_eq!(line, Some(expected), "{row}: {fault}");
    }
}

/// Checks the vector of a bound.
fn check_bound(row: &Value, text: &[u8]) {
    match bound::check(text) {
        Ok(shown) => {
            assert_eq!(row["verdict"], "accepted", "{row}: {shown:?}");
            let board: BoardName = row["board"].as_str().expect("a board").parse().expect("a name");
            assert_eq!((shown.board(), Some(shown.at_most())), (&board, row["at_most"].as_u64()), "{row}");
            let needs: BTreeMap<String, u64> =
                shown.needs().iter().map(|(board, most)| (board.to_string(), *most)).collect();
            let expected = row["needs"].as_object().cloned().unwrap_or_default();
            let expected: BTreeMap<String, u64> =
                expected.into_iter().map(|(board, most)| (board, most.as_u64().expect("a number"))).collect();
            assert_eq!(needs, expected, "{row}");
        }
        Err(fault) => {
            let line = match fault {
                BoundError::Line(ref fault) => Some(fault.line),
                _ => None,
            };
            assert_refused(row, fault.kind(), line, &fault);
        }
    }
}

/// Checks the vector of a certificate.
fn check_certificate(row: &Value, text: &[u8]) {
    let certificate = str::from_utf8(text).expect("UTF-8").parse::<Certificate>();
    match certificate
        .map_err(|fault| fault.to_string())
        .and_then(|certificate| verify(&certificate).map(|_| certificate).map_err(|fault| fault.to_string()))
    {
        Ok(certificate) => {
            assert_eq!(row["verdict"], "accepted", "{row}");
            assert_eq!(row["board"], certificate.board.to_string(), "{row}");
            assert_eq!(row["at_least"], certificate.size(), "{row}");
        }
        Err(fault) => assert_eq!(row["verdict"], "refused", "{row}: {fault}"),
    }
}

#[test]
fn vectors_have_the_expected_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let table = fs::read(folder.join("vectors.json")).expect("the table");
    let table: Vec<Value> = serde_json::from_slice(&table).expect("JSON");
    let mut listed = Vec::new();
    for row in &table {
        let file = row["file"].as_str().expect("a file");
        let text = fs::read(folder.join(file)).expect(file);
        listed.push(file.to_owned());
        if file.ends_with(".bound") {
            check_bound(row, &text);
            continue;
        } else if file.ends_with(".certificate") {
            check_certificate(row, &text);
            continue;
        }
        let checked = check(text.as_slice(), &|name| name.parse());
        match (row["verdict"].as_str(), checked) {
            (Some("accepted"), Ok(proved)) => {
                let board: BoardName = row["board"].as_str().expect("a board").parse().expect(file);
                assert_eq!((proved.board(), proved.at_most()), (&board, row["at_most"].as_u64()), "{file}");
                let count = proved.count().map(|count| vec![count.size, count.sets]);
                let expected = row["count"].as_array();
                let expected =
                    expected.map(|count| count.iter().filter_map(Value::as_u64).collect::<Vec<_>>());
                assert_eq!(count, expected, "{file}");
                let no_more_fit = proved.count().is_some_and(|count| count.no_more_fit);
                let most = expected.and_then(|count| Some(row["at_most"].as_u64()? <= count[0]));
                assert_eq!(no_more_fit, most == Some(true), "{file}");
            }
            (Some("refused" | "not checked"), Err(fault)) => {
                let has_line = row["line"].is_u64() || matches!(fault, ProofError::TooManySquares(_));
                assert!(has_line, "{file}: {fault}");
                let line = match fault {
                    ProofError::Step(ref fault) => Some(fault.line),
                    _ => None,
                };
                assert_refused(row, fault.kind(), line, &fault);
            }
            (_, checked) => panic!("{row}: {checked:?}"),
        }
    }
    let mut there = Vec::new();
    for verdict in ["accepted", "refused"] {
        for entry in fs::read_dir(folder.join(verdict)).expect("a folder") {
            there.push(format!("{verdict}/{}", entry.expect("an entry").file_name().to_string_lossy()));
        }
    }
    listed.sort();
    there.sort();
    assert_eq!(listed, there);
    assert!(listed.len() > 200, "{} vectors", listed.len());
}

/// Returns the files that a page of the book shows: its blocks of text that begin with `header`.
fn examples(page: &str, header: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let page = fs::read_to_string(path).expect("the page");
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split_once("```"));
    blocks.filter(|(block, _)| block.starts_with(header)).map(|(block, _)| block.to_owned()).collect()
}

#[test]
fn examples_of_the_pages_are_accepted() {
    let mut proved = Vec::new();
    for text in examples("proof-format.md", "ndqueens proof") {
        let checked = check(text.as_bytes(), &|name| name.parse());
        proved.push(checked.expect("a proof").at_most());
    }
    assert_eq!(proved, [Some(2), Some(4)]);
    let mut shown = Vec::new();
    for text in examples("bound-format.md", "ndqueens bound") {
        shown.push(bound::check(text.as_bytes()).expect("a bound").at_most());
    }
    assert_eq!(shown, [8, 2, 6, 2]);
}
