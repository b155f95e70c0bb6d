//! Tables for readers, written as Markdown, LaTeX and text.

mod latex;
mod markdown;
mod terminal;

pub use self::terminal::align_columns;

/// A table for readers.
#[derive(Debug)]
pub struct Sheet {
    /// Title.
    pub title: String,
    /// Explanation for the reader, in sentences.
    pub notes: String,
    /// Number of leading columns that identify a row.
    pub labels: usize,
    /// Columns, other than the first, that contain words and are aligned to the left.
    pub words: &'static [usize],
    /// Group and name of each column. The group is empty if the column has none.
    pub heads: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<Line>,
}

/// A row of a [`Sheet`].
#[derive(Debug)]
pub enum Line {
    /// A row with an entry for every column.
    Entries(Vec<Entry>),
    /// A line that separates different kinds of rows.
    Rule,
    /// A summary of rows, with an entry for every column that is not a label.
    Sum {
        /// The quantity, e.g. a mean.
        what: String,
        /// The set that it is taken over; may be empty.
        over: String,
        /// The values.
        entries: Vec<Entry>,
    },
}

/// An entry of a [`Sheet`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// Text of the entry.
    pub text: String,
    /// Style of the text.
    pub style: Style,
}

/// Style of an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// Bold text.
    Bold,
    /// Text in a typewriter font, for commands.
    Code,
}

impl Entry {
    /// Creates an entry in the style of code.
    #[must_use]
    pub fn code(text: String) -> Self {
        Self { text, style: Style::Code }
    }
}

impl Sheet {
    /// Returns `true` if the entries of a column are aligned to the left.
    fn is_left(&self, column: usize) -> bool {
        column == 0 || self.words.contains(&column)
    }

    /// Returns the table as text. If a `width` is given, words are folded so that lines have at most this
    /// number of characters, if possible.
    #[must_use]
    pub fn text(&self, width: Option<u16>) -> String {
        let head = self.heads.iter().map(|(_, name)| name.clone()).collect();
        let rows = self.rows.iter().filter_map(|row| match row {
            Line::Entries(entries) => Some(entries.iter().map(|entry| entry.text.clone()).collect()),
            Line::Rule | Line::Sum { .. } => None,
        });
        let left: Vec<usize> = (0..self.heads.len()).filter(|&column| self.is_left(column)).collect();
        let rows = std::iter::once(head).chain(rows);
        match width {
            Some(width) => terminal::fold_columns(rows, &left, width),
            None => align_columns(rows, &left),
        }
    }
}

impl From<String> for Entry {
    fn from(text: String) -> Self {
        Self { text, style: Style::Plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sheet() -> Sheet {
        let head = |group: &str, name: &str| (group.to_owned(), name.to_owned());
        let entry = |text: &str| Entry::from(text.to_owned());
        Sheet {
            title: "A_B".to_owned(),
            notes: "Read > well.".to_owned(),
            labels: 1,
            words: &[],
            heads: vec![head("", "board"), head("time (s)", "mean"), head("time (s)", "max")],
            rows: vec![
                Line::Entries(vec![
                    entry("5^3"),
                    Entry { text: "1.00".to_owned(), style: Style::Bold },
                    entry("> 2.00"),
                ]),
                Line::Rule,
                Line::Entries(vec![entry("a|b"), entry("≥ 3"), entry("–")]),
            ],
        }
    }

    /// Returns a sheet with this number of columns to compare and this number of boards.
    pub(super) fn wide(ways: usize, boards: usize) -> Sheet {
        let name = |way: usize| (String::new(), format!("cube-star, at least k+1, {way} threads"));
        let entries = |first: &[&str]| -> Vec<Entry> {
            let numbers = (0..ways).map(|way| format!("> {way}00.00"));
            first.iter().map(|text| (*text).to_owned()).chain(numbers).map(Entry::from).collect()
        };
        let mut rows: Vec<Line> = (0..boards).map(|_| Line::Entries(entries(&["5^3", "13"]))).collect();
        rows.push(Line::Rule);
        let sum = |what: &str, over: &str| Line::Sum {
            what: what.to_owned(),
            over: over.to_owned(),
            entries: entries(&[]),
        };
        rows.extend([sum("mean", "2 boards"), sum("speed-up", "2 boards"), sum("runs solved", "")]);
        let mut heads = vec![(String::new(), "board".to_owned()), (String::new(), "queens".to_owned())];
        heads.extend((0..ways).map(name));
        Sheet { title: "T".to_owned(), notes: "N".to_owned(), labels: 2, words: &[], heads, rows }
    }
}
