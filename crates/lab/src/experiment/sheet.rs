//! How tables are written: data as CSV and JSON, print as Markdown and LaTeX.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// A column of a data table.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name, with the unit in it where there is one.
    pub name: &'static str,
    /// What its values are.
    pub unit: Unit,
    /// What it means.
    pub meaning: &'static str,
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
            Value::Object(
                pairs
                    .map(|(field, text)| (field.name.to_owned(), value(field.unit, text)))
                    .collect::<Map<_, _>>(),
            )
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

/// The data dictionary of some tables: what every column means.
#[must_use]
pub fn dictionary(tables: &[(&str, &[Field])]) -> String {
    let head = ["table", "column", "unit", "meaning"].map(str::to_owned).to_vec();
    let mut rows = vec![head];
    for (table, fields) in tables {
        for Field { name, unit, meaning } in *fields {
            rows.push([table, *name, unit.word(), meaning].map(str::to_owned).to_vec());
        }
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

/// A table for readers.
#[derive(Debug)]
pub struct Sheet {
    /// What it shows.
    pub title: String,
    /// What one must know to read it, in sentences.
    pub notes: String,
    /// The columns: a name, and the group of columns that it is part of or nothing.
    pub heads: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<Line>,
}

/// A row of a [`Sheet`].
#[derive(Debug)]
pub enum Line {
    /// The entries.
    Entries(Vec<Entry>),
    /// What follows is of another kind.
    Rule,
}

/// An entry of a [`Sheet`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// What it says.
    pub text: String,
    /// Whether it stands out.
    pub bold: bool,
}

impl From<String> for Entry {
    fn from(text: String) -> Self {
        Self { text, bold: false }
    }
}

impl Sheet {
    /// The table in Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("**{}.** {}\n\n", markdown_text(&self.title), markdown_text(&self.notes));
        let heads = self.heads.iter().map(|(group, name)| {
            let between = if group.is_empty() || name.is_empty() { "" } else { " " };
            markdown_text(&format!("{group}{between}{name}"))
        });
        push_row(&mut out, heads);
        let first = std::iter::once("---".to_owned());
        push_row(&mut out, first.chain(self.heads.iter().skip(1).map(|_| "---:".to_owned())));
        for line in &self.rows {
            if let Line::Entries(entries) = line {
                push_row(
                    &mut out,
                    entries.iter().map(|entry| {
                        let text = markdown_text(&entry.text);
                        if entry.bold { format!("**{text}**") } else { text }
                    }),
                );
            }
        }
        out
    }

    /// The table in LaTeX, for the package booktabs.
    #[must_use]
    pub fn latex(&self) -> String {
        let mut out = String::from("\\begin{table}\n\\centering\n");
        let (title, notes) = (latex_text(&self.title), latex_text(&self.notes));
        let columns = "r".repeat(self.heads.len().saturating_sub(1));
        write!(out, "\\caption{{{title}. {notes}}}\n\\begin{{tabular}}{{l{columns}}}\n\\toprule\n")
            .expect("a text grows");
        if self.heads.iter().any(|(group, _)| !group.is_empty()) {
            self.push_groups(&mut out);
        }
        push_latex(&mut out, self.heads.iter().map(|(_, name)| latex_text(name)));
        out.push_str("\\midrule\n");
        for line in &self.rows {
            match line {
                Line::Rule => out.push_str("\\midrule\n"),
                Line::Entries(entries) => push_latex(
                    &mut out,
                    entries.iter().map(|entry| {
                        let text = latex_text(&entry.text);
                        if entry.bold { format!("\\textbf{{{text}}}") } else { text }
                    }),
                ),
            }
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n\\end{table}\n");
        out
    }

    /// The line that names groups of columns, and the rules under it.
    fn push_groups(&self, out: &mut String) {
        let (mut names, mut rules, mut column) = (Vec::new(), String::new(), 1);
        for group in self.heads.chunk_by(|a, b| a.0 == b.0) {
            let (name, width) = (&group[0].0, group.len());
            let last = column + width - 1;
            if name.is_empty() {
                names.extend(std::iter::repeat_n(String::new(), width));
            } else {
                names.push(format!("\\multicolumn{{{width}}}{{c}}{{{}}}", latex_text(name)));
                write!(rules, "\\cmidrule(lr){{{column}-{last}}}").expect("a text grows");
            }
            column = last + 1;
        }
        push_latex(out, names.into_iter());
        writeln!(out, "{rules}").expect("a text grows");
    }
}

fn push_row(out: &mut String, entries: impl Iterator<Item = String>) {
    let row = entries.collect::<Vec<_>>().join(" | ");
    writeln!(out, "| {row} |").expect("a text grows");
}

fn push_latex(out: &mut String, entries: impl Iterator<Item = String>) {
    let row = entries.collect::<Vec<_>>().join(" & ");
    writeln!(out, "{row} \\\\").expect("a text grows");
}

fn markdown_text(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('*', "\\*")
        .replace('_', "\\_")
        .replace('<', "&lt;")
}

fn latex_text(text: &str) -> String {
    let mut out = String::new();
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '^' if signs.peek().is_some_and(char::is_ascii_digit) => {
                out.push_str("$^{");
                while let Some(digit) = signs.next_if(char::is_ascii_digit) {
                    out.push(digit);
                }
                out.push_str("}$");
            }
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(sign);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\^{}"),
            '~' => out.push_str("\\~{}"),
            '>' => out.push_str("$>$"),
            '<' => out.push_str("$<$"),
            '≥' => out.push_str("$\\ge$"),
            '–' => out.push_str("--"),
            _ => out.push(sign),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        let head = |group: &str, name: &str| (group.to_owned(), name.to_owned());
        let entry = |text: &str| Entry::from(text.to_owned());
        Sheet {
            title: "A_B".to_owned(),
            notes: "Read > well.".to_owned(),
            heads: vec![head("", "board"), head("time (s)", "mean"), head("time (s)", "max")],
            rows: vec![
                Line::Entries(vec![
                    entry("5^3"),
                    Entry { text: "1.00".to_owned(), bold: true },
                    entry("> 2.00"),
                ]),
                Line::Rule,
                Line::Entries(vec![entry("a|b"), entry("≥ 3"), entry("–")]),
            ],
        }
    }

    #[test]
    fn markdown_names_groups_in_every_head() {
        let expected = "**A\\_B.** Read > well.\n\n\
                        | board | time (s) mean | time (s) max |\n\
                        | --- | ---: | ---: |\n\
                        | 5^3 | **1.00** | > 2.00 |\n\
                        | a\\|b | ≥ 3 | – |\n";
        assert_eq!(sheet().markdown(), expected);
    }

    #[test]
    fn latex_has_the_rules_of_booktabs() {
        let expected = "\\begin{table}\n\\centering\n\\caption{A\\_B. Read $>$ well.}\n\
                        \\begin{tabular}{lrr}\n\\toprule\n\
                        \u{20}& \\multicolumn{2}{c}{time (s)} \\\\\n\\cmidrule(lr){2-3}\n\
                        board & mean & max \\\\\n\\midrule\n\
                        5$^{3}$ & \\textbf{1.00} & $>$ 2.00 \\\\\n\\midrule\n\
                        a|b & $\\ge$ 3 & -- \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n";
        assert_eq!(sheet().latex(), expected);
    }

    #[test]
    fn json_tells_numbers_from_words() {
        let field = |name, unit| Field { name, unit, meaning: "" };
        let fields = vec![
            field("a", Unit::Text),
            field("b", Unit::Seconds),
            field("c", Unit::Flag),
            field("d", Unit::Count),
        ];
        let data = Data { fields, rows: vec![["7", "0.50", "true", ""].map(str::to_owned).to_vec()] };
        let object = data.objects().next().expect("a row");
        assert_eq!(object, serde_json::json!({"a": "7", "b": 0.5, "c": true, "d": null}));
        assert_eq!(data.csv(), "a,b,c,d\n7,0.50,true,\n");
    }
}
