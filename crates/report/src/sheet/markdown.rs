//! Tables as Markdown.

use std::fmt::Write as _;

use super::{Entry, Line, Sheet, Style};

impl Sheet {
    /// Returns the table as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut out = format!("**{}.** {}\n\n", markdown_text(&self.title), markdown_text(&self.notes));
        let heads = self.heads.iter().map(|(group, name)| {
            let between = if group.is_empty() || name.is_empty() { "" } else { " " };
            markdown_text(&format!("{group}{between}{name}"))
        });
        push_row(&mut out, heads);
        let side = |column| if self.is_left(column) { "---" } else { "---:" }.to_owned();
        push_row(&mut out, (0..self.heads.len()).map(side));
        let shown = |entry: &Entry| {
            let text = markdown_text(&entry.text);
            match entry.style {
                Style::Bold => format!("**{text}**"),
                Style::Code if !text.is_empty() => format!("`{}`", entry.text),
                Style::Plain | Style::Code => text,
            }
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
}

fn push_row(out: &mut String, entries: impl Iterator<Item = String>) {
    let row = entries.collect::<Vec<_>>().join(" | ");
    writeln!(out, "| {row} |").expect("a text grows");
}

fn markdown_text(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('*', "\\*")
        .replace('_', "\\_")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sheet, wide};

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
    fn sums_are_rows_of_markdown_as_others() {
        let markdown = wide(1, 1).markdown();
        let rows = "| 5^3 | 13 | > 000.00 |\n| mean, 2 boards |  | > 000.00 |\n\
                    | speed-up, 2 boards |  | > 000.00 |\n| runs solved |  | > 000.00 |\n";
        assert!(markdown.ends_with(rows), "{markdown}");
    }
}
