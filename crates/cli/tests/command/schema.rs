//! Checks the output of `ndq --json` against the published schema.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::harness::Desk;

/// Returns a validator for each command, which rejects keys that the schema does not describe.
fn validators() -> &'static HashMap<String, Validator> {
    static VALIDATORS: OnceLock<HashMap<String, Validator>> = OnceLock::new();
    VALIDATORS.get_or_init(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/output.schema.json");
        let text = std::fs::read_to_string(path).expect("scripts/pages has made it");
        let mut schema: Value = serde_json::from_str(&text).expect("JSON");
        close(&mut schema, true);
        let commands = schema["anyOf"].as_array().expect("a list").clone();
        let validator = |reference: &Value| {
            let reference = reference["$ref"].as_str().expect("a reference").to_owned();
            let name = reference.trim_start_matches("#/$defs/").replace("%20", " ");
            let one = json!({"$ref": reference, "$defs": schema["$defs"]});
            (name, jsonschema::draft202012::new(&one).expect("a schema"))
        };
        commands.iter().map(validator).collect()
    })
}

/// Forbids keys that the schema does not describe, except in schemas that are part of a larger one.
fn close(schema: &mut Value, whole: bool) {
    match schema {
        Value::Object(members) => {
            let has_properties = members.get("properties").is_some_and(Value::is_object);
            for (key, member) in members.iter_mut() {
                let is_part = has_properties && matches!(key.as_str(), "anyOf" | "oneOf" | "allOf");
                close(member, !is_part);
            }
            if has_properties && whole {
                members.entry("unevaluatedProperties").or_insert(false.into());
            }
        }
        Value::Array(members) => members.iter_mut().for_each(|member| close(member, whole)),
        _ => {}
    }
}

/// Checks a JSON value that a command printed.
pub(crate) fn check(arguments: &str, printed: &Value) {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let names = [words.iter().take(2).copied().collect::<Vec<_>>().join(" "), words[0].to_owned()];
    let name = match printed.get("error") {
        Some(_) => "error",
        None => names.iter().find(|name| validators().contains_key(*name)).expect(arguments),
    };
    let faults: Vec<String> = validators()[name]
        .iter_errors(printed)
        .map(|fault| format!("{}: {}", fault.instance_path(), fault.schema_path()))
        .collect();
    assert!(faults.is_empty(), "{arguments} prints {printed}, which does not hold to {name} at {faults:?}");
}

#[test]
fn the_schema_refuses_what_no_command_prints() {
    let error = &validators()["error"];
    assert!(error.is_valid(&json!({"error": "no such board", "kind": "bad input", "exit_code": 2})));
    for forged in [
        json!({"error": "no such board"}),
        json!({"error": 2, "kind": "bad input", "exit_code": 2}),
        json!({"error": "no", "kind": "bad input", "exit_code": 2, "more": 1}),
    ] {
        assert!(!error.is_valid(&forged), "{forged}");
    }
    let solve = &validators()["solve"];
    let mut record = Desk::new().json(0, "solve 3^3").remove(0);
    assert!(solve.is_valid(&record));
    record["answer"]["incumbent"] = "four".into();
    assert!(!solve.is_valid(&record));
}
