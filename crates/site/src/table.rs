//! Tables of pages, from those of programs and of readers.

use ndqueens_report::column::{Data, Field, Unit};
use ndqueens_report::sheet::{Entry, Line, Sheet, Style};

/// A table of a page.
#[derive(Debug, Clone)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// What one must know to read it.
    pub notes: String,
    /// The columns.
    pub heads: Vec<Head>,
    /// The rows, which can be sorted.
    pub rows: Vec<Vec<Cell>>,
    /// Rows that stay below the others.
    pub foot: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug, Clone)]
pub struct Head {
    /// Its name.
    pub name: String,
    /// The unit of its values; may be empty.
    pub unit: &'static str,
    /// What it means; may be empty.
    pub meaning: &'static str,
}

/// A cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// Where it leads; may be empty.
    pub link: String,
    /// Whether it stands out.
    pub strong: bool,
    /// Whether it is code.
    pub code: bool,
    /// How many columns it takes.
    pub span: usize,
}

impl Cell {
    /// A plain cell.
    #[must_use]
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), span: 1, ..Self::default() }
    }

    /// The same with where it leads.
    #[must_use]
    pub fn to(self, link: impl Into<String>) -> Self {
        Self { link: link.into(), ..self }
    }

    fn entry(entry: &Entry) -> Self {
        let (strong, code) = (entry.style == Style::Bold, entry.style == Style::Code);
        Self { strong, code, ..Self::of(entry.text.clone()) }
    }
}

impl From<&Field> for Head {
    fn from(field: &Field) -> Self {
        let unit = match field.unit {
            Unit::Text | Unit::Flag | Unit::Count | Unit::Ratio => "",
            Unit::Seconds => "s",
            Unit::Queens => "queens",
            Unit::Memory => {
                if field.name.ends_with("mib") {
                    "MiB"
                } else {
                    "bytes"
                }
            }
        };
        Self { name: field.name.replace('_', " "), unit, meaning: field.meaning }
    }
}

impl Table {
    /// A table of data.
    #[must_use]
    pub fn of_data(caption: impl Into<String>, notes: impl Into<String>, data: &Data) -> Self {
        Self {
            caption: caption.into(),
            notes: notes.into(),
            heads: data.fields.iter().map(Head::from).collect(),
            rows: data.rows.iter().map(|row| row.iter().map(Cell::of).collect()).collect(),
            foot: Vec::new(),
        }
    }

    /// A table for readers; what sums up its rows stays below them.
    #[must_use]
    pub fn of_sheet(sheet: &Sheet) -> Self {
        let head = |(group, name): &(String, String)| {
            let name = if group.is_empty() { name.clone() } else { format!("{group}, {name}") };
            Head { name, unit: "", meaning: "" }
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

    /// Whether some column says what it means.
    #[must_use]
    pub fn has_meanings(&self) -> bool {
        self.heads.iter().any(|head| !head.meaning.is_empty())
    }
}
