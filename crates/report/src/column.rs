//! Tables for programs: columns that say what they hold, written as CSV and JSON.

use serde_json::{Map, Value, json};

use crate::sheet::{Entry, Line, Sheet};

/// What is known of a column without its rows.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name, with the unit in it where there is one.
    pub name: &'static str,
    /// What its values are.
    pub unit: Unit,
    /// What it means.
    pub meaning: &'static str,
}

/// A column of a table whose rows are of a type.
#[derive(Debug)]
pub struct Column<R> {
    /// What is known of it without its rows.
    pub field: Field,
    /// What a row has there.
    pub value: fn(&R) -> String,
}

impl<R> Column<R> {
    /// A column.
    #[must_use]
    pub const fn new(name: &'static str, unit: Unit, meaning: &'static str, value: fn(&R) -> String) -> Self {
        Self { field: Field { name, unit, meaning }, value }
    }
}

/// What the values of a column are. Any of them may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Words.
    Text,
    /// `true` or `false`.
    Flag,
    /// A number of seconds.
    Seconds,
    /// A number of things.
    Count,
    /// A number of queens.
    Queens,
    /// A number of bytes, or of MiB where the name says so.
    Memory,
    /// A number without a unit.
    Ratio,
}

impl Unit {
    /// The word that the data dictionary has for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Flag => "true or false",
            Self::Seconds => "seconds",
            Self::Count => "count",
            Self::Queens => "queens",
            Self::Memory => "memory",
            Self::Ratio => "ratio",
        }
    }

    /// The type of its values in JSON.
    fn json_type(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Flag => "boolean",
            Self::Seconds | Self::Count | Self::Queens | Self::Memory | Self::Ratio => "number",
        }
    }
}

/// A table for programs.
#[derive(Debug)]
pub struct Data {
    /// The columns.
    pub fields: Vec<Field>,
    /// The rows; what is absent is empty.
    pub rows: Vec<Vec<String>>,
}

impl Data {
    /// What some rows have in the columns.
    #[must_use]
    pub fn of<R>(columns: &[&Column<R>], rows: &[R]) -> Self {
        Self {
            fields: columns.iter().map(|column| column.field).collect(),
            rows: rows.iter().map(|row| columns.iter().map(|column| (column.value)(row)).collect()).collect(),
        }
    }

    /// The table as CSV, with a line of names.
    #[must_use]
    pub fn csv(&self) -> String {
        let names = self.fields.iter().map(|field| field.name.to_owned()).collect();
        csv(std::iter::once(&names).chain(&self.rows))
    }

    /// The rows as JSON objects.
    pub fn objects(&self) -> impl Iterator<Item = Value> + '_ {
        self.rows.iter().map(|row| {
            let pairs = self.fields.iter().zip(row);
            let pairs = pairs.map(|(field, text)| (field.name.to_owned(), value(field.unit, text)));
            Value::Object(pairs.collect::<Map<_, _>>())
        })
    }
}

fn value(unit: Unit, text: &str) -> Value {
    match unit {
        _ if text.is_empty() => Value::Null,
        Unit::Text => text.into(),
        Unit::Flag => (text == "true").into(),
        Unit::Seconds | Unit::Count | Unit::Queens | Unit::Memory | Unit::Ratio => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
    }
}

/// A kind of table: what its columns are.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name in the data dictionary.
    pub name: &'static str,
    /// What a row is.
    pub title: &'static str,
    /// Its columns.
    pub fields: Vec<Field>,
}

impl Table {
    /// Its columns, with units and meanings, as a table of their own.
    #[must_use]
    pub fn sheet(&self) -> Sheet {
        let text = |text: &str| Entry::from(text.to_owned());
        let line = |field: &Field| {
            Line::Entries(vec![
                Entry::code(field.name.to_owned()),
                text(field.unit.word()),
                text(field.meaning),
            ])
        };
        Sheet {
            title: self.name.to_owned(),
            notes: format!("{}.", self.title),
            labels: 1,
            words: &[1, 2],
            heads: ["column", "unit", "meaning"].map(|head| (String::new(), head.to_owned())).to_vec(),
            rows: self.fields.iter().map(line).collect(),
        }
    }
}

/// The JSON Schema of a row of a table as [`Data::objects`] has it.
#[must_use]
pub fn object_schema(table: &Table) -> Value {
    let property = |field: &Field| {
        let kinds = match field.unit.json_type() {
            // Numbers that are no JSON are texts.
            "number" => json!(["number", "string", "null"]),
            kind => json!([kind, "null"]),
        };
        let says = format!("{} [{}]", field.meaning, field.unit.word());
        (field.name.to_owned(), json!({"type": kinds, "description": says}))
    };
    let names: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
    let properties: Map<String, Value> = table.fields.iter().map(property).collect();
    json!({"type": "object", "title": table.title, "properties": properties, "required": names})
}

/// A Frictionless Data Package of files, each with the table that it holds.
///
/// # References
/// R. Pollock, *Data Package* and *Table Schema*, specs.frictionlessdata.io.
#[must_use]
pub fn package(name: &str, files: &[(String, &Table)]) -> Value {
    let field = |field: &Field| {
        let Field { name, unit, meaning } = field;
        json!({"name": name, "type": unit.json_type(), "unit": unit.word(), "description": meaning})
    };
    let resource = |(path, table): &(String, &Table)| {
        let sign = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        json!({
            "name": path.trim_end_matches(".csv").chars().map(sign).collect::<String>(),
            "path": path,
            "title": table.title,
            "profile": "tabular-data-resource",
            "format": "csv",
            "encoding": "utf-8",
            "schema": {"fields": table.fields.iter().map(field).collect::<Vec<_>>()},
        })
    };
    let resources: Vec<Value> = files.iter().map(resource).collect();
    json!({"name": name, "profile": "tabular-data-package", "resources": resources})
}

/// The data dictionary of some tables, as CSV: what every column means.
#[must_use]
pub fn dictionary(tables: &[Table]) -> String {
    let mut rows = vec![["table", "column", "unit", "meaning"].map(str::to_owned).to_vec()];
    for Table { name: table, fields, .. } in tables {
        rows.extend(fields.iter().map(|Field { name, unit, meaning }| {
            [table, *name, unit.word(), meaning].map(str::to_owned).to_vec()
        }));
    }
    csv(&rows)
}

fn csv<'a>(rows: impl IntoIterator<Item = &'a Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("memory takes everything, and rows are of equal length");
    }
    String::from_utf8(writer.into_inner().expect("flushed")).expect("UTF-8 in, UTF-8 out")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_tells_numbers_from_words() {
        type Row = [&'static str; 4];
        let columns: [Column<Row>; 4] = [
            Column::new("a", Unit::Text, "", |row| row[0].to_owned()),
            Column::new("b", Unit::Seconds, "", |row| row[1].to_owned()),
            Column::new("c", Unit::Flag, "", |row| row[2].to_owned()),
            Column::new("d", Unit::Count, "how many, or none", |row| row[3].to_owned()),
        ];
        let columns: Vec<&Column<Row>> = columns.iter().collect();
        let data = Data::of(&columns, &[["7", "0.50", "true", ""]]);
        let object = data.objects().next().expect("a row");
        assert_eq!(object, serde_json::json!({"a": "7", "b": 0.5, "c": true, "d": null}));
        assert_eq!(data.csv(), "a,b,c,d\n7,0.50,true,\n");
        let dictionary = dictionary(&[Table { name: "t", title: "", fields: data.fields }]);
        assert!(
            dictionary.ends_with("t,c,true or false,\nt,d,count,\"how many, or none\"\n"),
            "{dictionary}"
        );
    }
}
