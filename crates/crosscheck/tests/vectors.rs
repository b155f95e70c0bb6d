//! The test vectors of `docs/proof-format.md`: proofs that any checker must accept or refuse, and where.

use std::fs;
use std::path::Path;

use ndqueens_crosscheck::proof::check;
use ndqueens_model::name::BoardName;
use serde_json::Value;

#[test]
fn each_vector_gets_its_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let table = fs::read(folder.join("vectors.json")).expect("the table");
    let table: Vec<Value> = serde_json::from_slice(&table).expect("JSON");
    let mut listed = Vec::new();
    for row in &table {
        let file = row["file"].as_str().expect("a file");
        let text = fs::read(folder.join(file)).expect(file);
        let checked = check(text.as_slice(), &|name| name.parse().map_err(|fault| format!("{fault}")));
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
            (Some("refused"), Err(fault)) => {
                assert!(
                    fault.to_string().starts_with(&format!("line {} of the proof: ", row["line"])),
                    "{file}: {fault}"
                );
            }
            (_, checked) => panic!("{row}: {checked:?}"),
        }
        listed.push(file.to_owned());
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
    assert!(listed.len() > 50, "{} vectors", listed.len());
}
