//! Tables of pages, from tables for programs and from tables for readers.

use ndqueens_report::column::{Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet, Style};

use crate::page::group_digits;

/// Table of a page.
#[derive(Debug, Clone)]
pub struct Table {
    /// Caption.
    pub caption: String,
    /// Explanation below the table; may be empty.
    pub notes: String,
    /// Columns.
    pub heads: Vec<Head>,
    /// Rows, which can be sorted.
    pub rows: Vec<Vec<Cell>>,
    /// Rows that stay below the others.
    pub foot: Vec<Vec<Cell>>,
}

/// Column.
#[derive(Debug, Clone)]
pub struct Head {
    /// Name.
    pub name: String,
    /// Unit of its values; empty if the name says it.
    pub unit: &'static str,
    /// Meaning; may be empty.
    pub meaning: &'static str,
}

/// Cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// Text.
    pub text: String,
    /// Target of its link; may be empty.
    pub link: String,
    /// Bold print.
    pub strong: bool,
    /// Print as code.
    pub code: bool,
    /// Number of columns that it takes.
    pub span: usize,
}

impl Cell {
    /// Creates a plain cell.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: 1, ..Self::default() }
    }

    /// Returns the cell with a link.
    #[must_use]
    pub fn to(self, link: impl Into<String>) -> Self {
        Self { link: link.into(), ..self }
    }

    /// Creates a cell of a table for readers.
    pub(crate) fn entry(entry: &Entry) -> Self {
        let (strong, code) = (entry.style == Style::Bold, entry.style == Style::Code);
        Self { strong, code, ..Self::of(entry.text.clone()) }
    }
}

impl From<&Field> for Head {
    fn from(field: &Field) -> Self {
        let unit = match field.unit {
            Unit::Text | Unit::Flag | Unit::Count | Unit::Ratio => "",
            Unit::Seconds if field.name.ends_with("seconds") => "",
            Unit::Seconds => "s",
            Unit::Queens if field.name.ends_with("queens") => "",
            Unit::Queens => "queens",
            Unit::Memory if field.name.ends_with("mib") => "MiB",
            Unit::Memory if field.name.ends_with("bytes") => "",
            Unit::Memory => "bytes",
        };
        let name = field.name.strip_suffix("_mib").unwrap_or(field.name);
        Self { name: name.replace('_', " "), unit, meaning: field.meaning }
    }
}

impl Head {
    /// Creates a head without unit and meaning.
    #[must_use]
    pub fn plain(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: "", meaning: "" }
    }
}

impl Table {
    /// Creates a table of data.
    #[must_use]
    pub fn of_data(caption: impl Into<String>, notes: impl Into<String>, data: &Data) -> Self {
        let cell = |(field, text): (&Field, &String)| match field.unit {
            Unit::Count | Unit::Queens | Unit::Memory => Cell::of(group_digits(text)),
            Unit::Text | Unit::Flag | Unit::Seconds | Unit::Ratio => Cell::of(text),
        };
        let rows = data.rows.iter().map(|row| data.fields.iter().zip(row).map(cell).collect());
        Self {
            caption: caption.into(),
            notes: notes.into(),
            heads: data.fields.iter().map(Head::from).collect(),
            rows: rows.collect(),
            foot: Vec::new(),
        }
    }

    /// Creates a table for readers; sums of rows stay below the rows.
    #[must_use]
    pub fn of_sheet(sheet: &Sheet) -> Self {
        let head = |(group, name): &(String, String)| {
            Head::plain(if group.is_empty() { name.clone() } else { format!("{group}, {name}") })
        };
        let (mut rows, mut foot) = (Vec::new(), Vec::new());
        for line in &sheet.rows {
            match line {
                Line::Entries(entries) => rows.push(entries.iter().map(Cell::entry).collect()),
                Line::Rule => {}
                Line::Sum { what, over, entries } => {
                    let words = if over.is_empty() { what.clone() } else { format!("{what}, {over}") };
                    let label = Cell { span: sheet.labels, ..Cell::of(words) };
                    foot.push(std::iter::once(label).chain(entries.iter().map(Cell::entry)).collect());
                }
            }
        }
        let heads = sheet.heads.iter().map(head).collect();
        Self { caption: sheet.title.clone(), notes: sheet.notes.clone(), heads, rows, foot }
    }

    /// Returns `true` if some column has a meaning.
    #[must_use]
    pub fn has_meanings(&self) -> bool {
        self.heads.iter().any(|head| !head.meaning.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_do_not_repeat_their_unit() {
        let head = |name, unit| {
            let Head { name, unit, .. } = Head::from(&Field { name, unit, meaning: "" });
            format!("{name} {unit}").trim_end().to_owned()
        };
        assert_eq!(head("queens", Unit::Queens), "queens");
        assert_eq!(head("cpu_seconds", Unit::Seconds), "cpu seconds");
        assert_eq!(head("threshold", Unit::Queens), "threshold queens");
        assert_eq!(head("memory_mib", Unit::Memory), "memory MiB");
    }
}
