//! Registry of the JSON objects that commands print with `--json`. Each is registered where it is defined.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Type of objects that a command prints.
#[derive(Debug)]
pub(crate) struct Printed {
    /// Command, such as `prove split`.
    pub(crate) command: &'static str,
    /// Name of the type.
    pub(crate) name: fn() -> &'static str,
    /// Function that returns its schema.
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

inventory::collect!(Printed);

/// Registers a type as printed by these commands.
#[macro_export]
macro_rules! printed {
    ($type:ty: $($command:literal),+) => {
        $(::inventory::submit! {
            $crate::printed::Printed {
                command: $command,
                name: std::any::type_name::<$type>,
                schema: <$type as schemars::JsonSchema>::json_schema,
            }
        })+
    };
}

/// Returns the JSON Schema of all printed objects and of `others`, with a definition for each command.
#[must_use]
pub(crate) fn schema(others: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    // Sort them, because the order from the linker may change.
    let mut types: Vec<&Printed> = inventory::iter::<Printed>().collect();
    types.sort_by_key(|printed| (printed.command, (printed.name)()));
    let mut printed: Vec<(&str, Value)> = types
        .into_iter()
        .map(|printed| (printed.command, (printed.schema)(&mut generator).to_value()))
        .collect();
    printed.extend(others);
    printed.sort_by_key(|(command, _)| *command);
    let mut commands: Map<String, Value> = Map::new();
    for of_one in printed.chunk_by(|a, b| a.0 == b.0) {
        let schema = match of_one {
            [(_, only)] => only.clone(),
            several => json!({"anyOf": several.iter().map(|(_, schema)| schema).collect::<Vec<_>>()}),
        };
        commands.insert(of_one[0].0.to_owned(), schema);
    }
    let any: Vec<Value> =
        commands.keys().map(|command| json!({"$ref": format!("#/$defs/{}", escape(command))})).collect();
    let mut definitions = generator.take_definitions(true);
    definitions.extend(commands);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What ndq prints with --json",
        "description": "One object a line. The definition of a command, such as `#/$defs/prove split`, has what that command \
                        prints; `error` is what any command prints when it fails.",
        "anyOf": any,
        "$defs": definitions,
    });
    simplify_descriptions(&mut schema);
    schema
}

/// Removes the link syntax from descriptions, which are doc comments, and cuts them before sections such as
/// examples.
fn simplify_descriptions(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(words)) = members.get_mut("description") {
                let before_sections = words.split("\n\n# ").next().unwrap_or_default();
                *words = before_sections.replace("[`", "`").replace("`]", "`").replace('\n', " ");
            }
            members.values_mut().for_each(simplify_descriptions);
        }
        Value::Array(members) => members.iter_mut().for_each(simplify_descriptions),
        _ => {}
    }
}

/// Escapes a key for use in a reference.
fn escape(key: &str) -> String {
    key.replace(' ', "%20")
}
