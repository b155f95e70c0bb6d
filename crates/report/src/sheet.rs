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
    /// How many columns, the first ones, say what a row is about.
    pub labels: usize,
    /// The columns: a name, and the group of columns that it is part of or nothing.
    pub heads: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<Line>,
}

/// A row of a [`Sheet`].
#[derive(Debug)]
pub enum Line {
    /// An entry for every column.
    Entries(Vec<Entry>),
    /// What follows is of another kind.
    Rule,
    /// Rows summed up: an entry for every column that is no label.
    Sum {
        /// Which number it is.
        what: String,
        /// What it is taken over.
        over: String,
        /// The numbers.
        entries: Vec<Entry>,
    },
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

/// The width of a page of print, in points: that of LaTeX's article class and of most journals.
const PAGE_WIDTH: usize = 345;
/// Rows of print that a page has room for beside a caption.
const PAGE_ROWS: usize = 42;
/// The width of a sign of small print, and the space between two columns, in points.
const SIGN: usize = 5;
const GAP: usize = 8;
/// Names of columns are broken into lines of so many signs, where they can be.
const HEAD: usize = 12;

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
        let shown = |entry: &Entry| {
            let text = markdown_text(&entry.text);
            if entry.bold { format!("**{text}**") } else { text }
        };
        for line in &self.rows {
            match line {
                Line::Rule => {}
                Line::Entries(entries) => push_row(&mut out, entries.iter().map(shown)),
                Line::Sum { what, over, entries } => {
                    let between = if over.is_empty() { "" } else { ", " };
                    let label = markdown_text(&format!("{what}{between}{over}"));
                    let others = std::iter::repeat_n(String::new(), self.labels.saturating_sub(1));
                    push_row(&mut out, [label].into_iter().chain(others).chain(entries.iter().map(shown)));
                }
            }
        }
        out
    }

    /// The table in LaTeX, for the package booktabs. Columns that do not fit beside each other on a page stand in panels one
    /// below the other, all with the same rows; panels that do not fit below each other are continued on another page.
    #[must_use]
    pub fn latex(&self) -> String {
        let panels = self.panels();
        let depth = self.names().iter().map(Vec::len).max().unwrap_or(1) + usize::from(self.grouped());
        let most = (PAGE_ROWS / (depth + self.height())).max(1);
        let on_a_page = panels.len().div_ceil(panels.len().div_ceil(most));
        let width = panels.iter().map(Vec::len).max().unwrap_or(0);
        let columns = format!("l{}", "r".repeat((self.labels + width).saturating_sub(1)));
        let (title, notes) = (latex_text(&self.title), latex_text(&self.notes));
        let head = |caption: &str| {
            format!(
                "\\begin{{table}}\n\\centering\n{caption}\n\\smallskip\\small\\setlength{{\\tabcolsep}}{{{}pt}}\n\
                 \\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n\\toprule\n",
                GAP / 2
            )
        };
        let pages = panels.chunks(on_a_page).enumerate().map(|(page, panels)| {
            let caption = match page {
                0 => format!("\\caption{{{title}. {notes}}}"),
                // It keeps its number.
                _ => format!("\\addtocounter{{table}}{{-1}}\n\\caption{{{title}, continued.}}"),
            };
            let panels: Vec<String> = panels.iter().map(|panel| self.panel(panel, width)).collect();
            let panels = panels.join("\\midrule[\\heavyrulewidth]\n");
            format!("{}{panels}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n", head(&caption))
        });
        pages.collect::<Vec<_>>().join("\n")
    }

    fn grouped(&self) -> bool {
        self.heads.iter().any(|(group, _)| !group.is_empty())
    }

    /// The names of the columns, broken into lines.
    fn names(&self) -> Vec<Vec<String>> {
        self.heads.iter().map(|(_, name)| broken(name)).collect()
    }

    /// The columns that are no labels, in panels that fit on a page, as even as can be. Groups stay together.
    fn panels(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for column in self.labels..self.heads.len() {
            let group = &self.heads[column].0;
            match groups.last_mut() {
                Some(last) if !group.is_empty() && *group == self.heads[last[0]].0 => last.push(column),
                _ => groups.push(vec![column]),
            }
        }
        if groups.is_empty() {
            return vec![Vec::new()];
        }
        let split = |count: usize| -> Vec<Vec<usize>> {
            groups.chunks(groups.len().div_ceil(count)).map(<[_]>::concat).collect()
        };
        let fits = |panels: &Vec<Vec<usize>>| self.width(panels) <= PAGE_WIDTH;
        (1..groups.len()).map(split).find(fits).unwrap_or_else(|| split(groups.len()))
    }

    /// About how many points a table of these panels takes.
    fn width(&self, panels: &[Vec<usize>]) -> usize {
        let names = self.names();
        let signs = |column: usize| {
            let entries = self.rows.iter().filter_map(|line| match line {
                Line::Entries(entries) => entries.get(column),
                Line::Sum { entries, .. } => entries.get(column.checked_sub(self.labels)?),
                Line::Rule => None,
            });
            let name = names[column].iter().map(|line| line.chars().count());
            entries.map(|entry| entry.text.chars().count()).chain(name).max().unwrap_or(0)
        };
        let wide = |column| signs(column) * SIGN + GAP;
        let labels: usize = (0..self.labels).map(wide).sum();
        let sums = self.rows.iter().filter_map(|line| match line {
            // Two signs for the space before it.
            Line::Sum { what, over, .. } => Some(what.chars().count() + if over.is_empty() { 0 } else { 2 }),
            _ => None,
        });
        let labels = labels.max(sums.max().unwrap_or(0) * SIGN + GAP);
        let columns = (0..panels.iter().map(Vec::len).max().unwrap_or(0)).map(|place| {
            panels.iter().filter_map(|panel| panel.get(place)).map(|&column| wide(column)).max()
        });
        labels + columns.flatten().sum::<usize>()
    }

    /// Rows of print of a panel without its head.
    fn height(&self) -> usize {
        let overs = self.rows.iter().filter_map(|line| match line {
            Line::Sum { over, .. } if !over.is_empty() => Some(over),
            _ => None,
        });
        let mut overs: Vec<_> = overs.collect();
        overs.dedup();
        self.rows.iter().filter(|line| !matches!(line, Line::Rule)).count() + overs.len()
    }

    /// A panel with its head, in a table of so many columns beside the labels.
    fn panel(&self, panel: &[usize], width: usize) -> String {
        let mut out = String::new();
        if self.grouped() {
            let (mut groups, mut rules) = (vec![String::new(); self.labels], String::new());
            let mut column = self.labels + 1;
            for group in panel.chunk_by(|&a, &b| self.heads[a].0 == self.heads[b].0) {
                let (name, last) = (&self.heads[group[0]].0, column + group.len() - 1);
                groups.push(across(group.len(), "c", &latex_text(name)));
                write!(rules, "\\cmidrule(lr){{{column}-{last}}}").expect("a text grows");
                column = last + 1;
            }
            push_latex(&mut out, groups.into_iter());
            writeln!(out, "{rules}").expect("a text grows");
        }
        let names = self.names();
        let shown: Vec<&Vec<String>> =
            (0..self.labels).chain(panel.iter().copied()).map(|column| &names[column]).collect();
        let depth = shown.iter().map(|name| name.len()).max().unwrap_or(1);
        for line in 0..depth {
            // The lowest lines of all names are on one level.
            let at =
                |name: &&Vec<String>| (line + name.len()).checked_sub(depth).map(|at| latex_text(&name[at]));
            push_latex(&mut out, shown.iter().map(|name| at(name).unwrap_or_default()));
        }
        out.push_str("\\midrule\n");
        let text = |entry: &Entry| {
            let text = latex_text(&entry.text);
            if entry.bold { format!("\\textbf{{{text}}}") } else { text }
        };
        let mut before = "";
        for line in &self.rows {
            let mut row: Vec<String> = Vec::new();
            match line {
                Line::Rule => {
                    out.push_str("\\midrule\n");
                    continue;
                }
                Line::Entries(entries) => {
                    let columns = (0..self.labels).chain(panel.iter().copied());
                    row.extend(columns.map(|column| text(&entries[column])));
                }
                Line::Sum { what, over, entries } => {
                    let (what, over_text) = (latex_text(what), latex_text(over));
                    if !over.is_empty() && over != before {
                        push_latex(
                            &mut out,
                            std::iter::once(across(self.labels + width, "@{}l", &over_text)),
                        );
                    }
                    before = over;
                    let indent = if over.is_empty() { "" } else { "\\quad " };
                    row.push(across(self.labels, "@{}l", &format!("{indent}{what}")));
                    row.extend(panel.iter().map(|&column| text(&entries[column - self.labels])));
                }
            }
            push_latex(&mut out, row.into_iter());
        }
        out
    }
}

fn across(columns: usize, place: &str, text: &str) -> String {
    if columns == 0 || text.is_empty() {
        return " & ".repeat(columns.saturating_sub(1));
    }
    format!("\\multicolumn{{{columns}}}{{{place}}}{{{text}}}")
}

/// A name in lines: at its commas, and between words where a line would grow long.
fn broken(name: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in name.split(", ") {
        let mut words = part.split(' ');
        let mut line = words.next().unwrap_or_default().to_owned();
        for word in words {
            if line.chars().count() + 1 + word.chars().count() > HEAD {
                lines.push(std::mem::replace(&mut line, word.to_owned()));
            } else {
                line.push(' ');
                line.push_str(word);
            }
        }
        lines.push(line);
    }
    lines
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
            '|' => out.push_str("$|$"),
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
            labels: 1,
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
                        \\smallskip\\small\\setlength{\\tabcolsep}{4pt}\n\\begin{tabular}{@{}lrr@{}}\n\\toprule\n\
                        \u{20}& \\multicolumn{2}{c}{time (s)} \\\\\n\\cmidrule(lr){2-3}\n\
                        board & mean & max \\\\\n\\midrule\n\
                        5$^{3}$ & \\textbf{1.00} & $>$ 2.00 \\\\\n\\midrule\n\
                        a$|$b & $\\ge$ 3 & -- \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n";
        assert_eq!(sheet().latex(), expected);
    }

    /// Ways side by side on so many boards.
    fn wide(ways: usize, boards: usize) -> Sheet {
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
        Sheet { title: "T".to_owned(), notes: "N".to_owned(), labels: 2, heads, rows }
    }

    #[test]
    fn what_is_too_wide_for_a_page_stands_in_panels() {
        let latex = wide(11, 3).latex();
        assert_eq!(latex.matches("\\toprule").count(), 1);
        let panels: Vec<&str> = latex.split("\\midrule[\\heavyrulewidth]\n").collect();
        assert_eq!(panels.len(), 3, "{latex}");
        assert!(latex.contains("\\begin{tabular}{@{}lrrrrr@{}}"), "{latex}");
        let head = " &  & cube-star & cube-star & cube-star \\\\\n\
                    \u{20}&  & at least k+1 & at least k+1 & at least k+1 \\\\\n\
                    board & queens & 8 threads & 9 threads & 10 threads \\\\\n\\midrule\n";
        assert!(panels[2].starts_with(head), "{latex}");
        let sums = "\\midrule\n\\multicolumn{6}{@{}l}{2 boards} \\\\\n\
                    \\multicolumn{2}{@{}l}{\\quad mean} & $>$ 000.00 & $>$ 100.00 & $>$ 200.00 & $>$ 300.00 \\\\\n\
                    \\multicolumn{2}{@{}l}{\\quad speed-up} & ";
        assert!(panels[0].contains(sums), "{latex}");
        for panel in panels {
            assert_eq!(panel.matches("5$^{3}$ & 13 & ").count(), 3, "{latex}");
        }
        // What fits stays in one, and every column is there once.
        assert_eq!(wide(4, 3).latex().matches("board & queens").count(), 1);
        assert_eq!(latex.matches(" threads").count(), 11);
    }

    #[test]
    fn what_is_too_long_for_a_page_is_continued() {
        let latex = wide(11, 20).latex();
        assert_eq!(latex.matches("\\begin{table}").count(), 3, "{latex}");
        assert_eq!(latex.matches("\\addtocounter{table}{-1}\n\\caption{T, continued.}").count(), 2);
        assert_eq!(latex.matches("\\toprule").count(), latex.matches("\\bottomrule").count());
    }

    #[test]
    fn sums_are_rows_of_markdown_as_others() {
        let markdown = wide(1, 1).markdown();
        let rows = "| 5^3 | 13 | > 000.00 |\n| mean, 2 boards |  | > 000.00 |\n\
                    | speed-up, 2 boards |  | > 000.00 |\n| runs solved |  | > 000.00 |\n";
        assert!(markdown.ends_with(rows), "{markdown}");
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
