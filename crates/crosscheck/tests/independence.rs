//! The crate stands on its own: it uses two modules of the model crate and no other crate of the workspace.

use std::fs;
use std::path::Path;

const ALLOWED: [&str; 2] = ["name", "certificate"];

/// What follows every mention of the model crate in a Rust source.
fn model_paths(source: &str) -> impl Iterator<Item = &str> {
    source.split("ndqueens_model").skip(1).map(|rest| {
        let path = rest.strip_prefix("::").unwrap_or("");
        path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("")
    })
}

#[test]
fn the_sources_use_only_names_and_certificates_of_the_model() {
    let mut uses = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).expect("a text");
            for module in model_paths(&source) {
                assert!(ALLOWED.contains(&module), "{} uses \"{module}\" of the model", path.display());
                uses += 1;
            }
        }
    }
    assert!(uses > 0, "the scan sees nothing");
}

#[test]
fn the_scan_sees_every_way_to_use_another_module() {
    for source in [
        "use ndqueens_model::board::Board;",
        "use ndqueens_model::{name, board};",
        "use ndqueens_model as model;",
        "extern crate ndqueens_model;",
        "use ndqueens_model::names::BoardName;",
    ] {
        assert!(model_paths(source).any(|module| !ALLOWED.contains(&module)), "{source}");
    }
}

#[test]
fn the_manifest_names_no_other_crate_of_the_workspace() {
    let manifest = include_str!("../Cargo.toml");
    let crates: Vec<&str> = manifest
        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
        .filter(|word| word.starts_with("ndqueens"))
        .collect();
    assert_eq!(crates, ["ndqueens-crosscheck", "ndqueens-model"]);
}
