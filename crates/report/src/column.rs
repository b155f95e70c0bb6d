//! Tables for programs: columns with units and meanings, written as CSV and JSON.

use serde_json::{Map, Value, json};

use crate::sheet::{Entry, Line, Sheet};

/// Description of a column, independent of its rows.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name, including the unit where there is one.
    pub name: &'static str,
    /// Kind of its values.
    pub unit: Unit,
    /// Meaning of its values, in words.
    pub meaning: &'static str,
}

/// A column of a table with rows of type `R`.
#[derive(Debug)]
pub struct Column<R> {
    /// Description of the column.
    pub field: Field,
    /// Returns the value of a row in this column.
    pub value: fn(&R) -> String,
}

impl<R> Column<R> {
    /// Creates a column.
    #[must_use]
    pub const fn new(name: &'static str, unit: Unit, meaning: &'static str, value: fn(&R) -> String) -> Self {
        Self { field: Field { name, unit, meaning }, value }
    }
}

/// Kind of the values of a column. Every value may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Text.
    Text,
    /// `true` or `false`.
    Flag,
    /// Number of seconds.
    Seconds,
    /// Number of items.
    Count,
    /// Number of queens.
    Queens,
    /// Number of bytes, or of MiB if the name says so.
    Memory,
    /// Number without a unit.
    Ratio,
}

impl Unit {
    /// Returns the name of the unit in the data dictionary.
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

    /// Returns the JSON type of the values.
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
    /// The rows. Missing values are empty.
    pub rows: Vec<Vec<String>>,
}

impl Data {
    /// Creates a table with the values of `rows` in `columns`.
    #[must_use]
    pub fn of<R>(columns: &[&Column<R>], rows: &[R]) -> Self {
        Self {
            fields: columns.iter().map(|column| column.field).collect(),
            rows: rows.iter().map(|row| columns.iter().map(|column| (column.value)(row)).collect()).collect(),
        }
    }

    /// Returns the table as CSV, with a header line.
    #[must_use]
    pub fn csv(&self) -> String {
        let names = self.fields.iter().map(|field| field.name.to_owned()).collect();
        csv(std::iter::once(&names).chain(&self.rows))
    }

    /// Returns the rows as JSON objects.
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

/// Description of a kind of table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Name in the data dictionary.
    pub name: &'static str,
    /// Title, which says what a row is.
    pub title: &'static str,
    /// Descriptions of the columns.
    pub fields: Vec<Field>,
}

impl Table {
    /// Returns the columns with their units and meanings as a table for readers.
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

/// Returns the JSON Schema of a row of a table, as written by [`Data::objects`].
#[must_use]
pub fn object_schema(table: &Table) -> Value {
    let property = |field: &Field| {
        let kinds = match field.unit.json_type() {
            // Numbers that JSON cannot represent are written as strings.
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

/// Returns a Frictionless Data Package of files, each with the table that it holds.
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

/// Returns the data dictionary of some tables as CSV, with one line per column.
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
