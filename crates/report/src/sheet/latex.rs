//! Tables as LaTeX.

use std::fmt::Write as _;

use super::{Entry, Line, Sheet, Style};

/// Largest number of rows of a table on one page.
const MOST_ROWS: usize = 42;

impl Sheet {
    /// Returns the table as LaTeX. It requires the package booktabs, and either adjustbox, which shrinks a
    /// table to the size of the page, or longtable for a table with page breaks.
    #[must_use]
    pub fn latex(&self) -> String {
        let columns: String =
            (0..self.heads.len()).map(|column| if self.is_left(column) { 'l' } else { 'r' }).collect();
        let columns = format!("@{{}}{columns}@{{}}");
        let (title, notes) = (latex_text(&self.title), latex_text(&self.notes));
        let (head, rows) = (self.head(), self.body());
        if self.rows.len() > MOST_ROWS {
            return format!(
                "{{\\small\\setlength{{\\tabcolsep}}{{4pt}}\n\\begin{{longtable}}{{{columns}}}\n\\caption{{{title}. {notes}}}\\\\\n\
                 \\toprule\n{head}\\midrule\n\\endfirsthead\n\\caption[]{{{title}, continued.}}\\\\\n\\toprule\n{head}\\midrule\n\
                 \\endhead\n\\bottomrule\n\\endlastfoot\n{rows}\\end{{longtable}}}}\n"
            );
        }
        format!(
            "\\begin{{table}}\n\\centering\n\\caption{{{title}. {notes}}}\n\\smallskip\\small\\setlength{{\\tabcolsep}}{{4pt}}\n\
             \\begin{{adjustbox}}{{max width=\\textwidth, max totalheight=0.8\\textheight}}\n\\begin{{tabular}}{{{columns}}}\n\
             \\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n\\end{{adjustbox}}\n\\end{{table}}\n"
        )
    }

    /// Returns the header: the names of the columns, below those of their groups.
    fn head(&self) -> String {
        let mut out = String::new();
        if self.heads.iter().any(|(group, _)| !group.is_empty()) {
            let (mut groups, mut rules, mut column) = (Vec::new(), String::new(), 1);
            for heads in self.heads.chunk_by(|(a, _), (b, _)| !a.is_empty() && a == b) {
                let (group, last) = (&heads[0].0, column + heads.len() - 1);
                groups.push(across(heads.len(), "c", &latex_text(group)));
                if !group.is_empty() {
                    write!(rules, "\\cmidrule(lr){{{column}-{last}}}").expect("a text grows");
                }
                column = last + 1;
            }
            push_row(&mut out, groups);
            writeln!(out, "{rules}").expect("a text grows");
        }
        let names = self.heads.iter().map(|(_, name)| match latex_text(name) {
            long if long.contains(", ") => format!("\\shortstack[r]{{{}}}", long.replace(", ", "\\\\")),
            short => short,
        });
        push_row(&mut out, names);
        out
    }

    fn body(&self) -> String {
        let mut out = String::new();
        let text = |entry: &Entry| {
            let text = latex_text(&entry.text);
            match entry.style {
                Style::Plain => text,
                Style::Bold => format!("\\textbf{{{text}}}"),
                Style::Code => format!("\\texttt{{{text}}}"),
            }
        };
        let mut before = "";
        for line in &self.rows {
            match line {
                Line::Rule => out.push_str("\\midrule\n"),
                Line::Entries(entries) => push_row(&mut out, entries.iter().map(text)),
                Line::Sum { what, over, entries } => {
                    if !over.is_empty() && over != before {
                        push_row(&mut out, [across(self.heads.len(), "@{}l", &latex_text(over))]);
                    }
                    before = over;
                    let indent = if over.is_empty() { "" } else { "\\quad " };
                    let label = across(self.labels, "@{}l", &format!("{indent}{}", latex_text(what)));
                    push_row(&mut out, std::iter::once(label).chain(entries.iter().map(text)));
                }
            }
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

fn push_row(out: &mut String, entries: impl IntoIterator<Item = String>) {
    let row = entries.into_iter().collect::<Vec<_>>().join(" & ");
    writeln!(out, "{row} \\\\").expect("a text grows");
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
    use super::super::tests::{sheet, wide};

    #[test]
    fn tables_have_the_rules_of_booktabs() {
        let expected = "\\begin{table}\n\\centering\n\\caption{A\\_B. Read $>$ well.}\n\
                        \\smallskip\\small\\setlength{\\tabcolsep}{4pt}\n\
                        \\begin{adjustbox}{max width=\\textwidth, max totalheight=0.8\\textheight}\n\
                        \\begin{tabular}{@{}lrr@{}}\n\\toprule\n\
                        \u{20}& \\multicolumn{2}{c}{time (s)} \\\\\n\\cmidrule(lr){2-3}\n\
                        board & mean & max \\\\\n\\midrule\n\
                        5$^{3}$ & \\textbf{1.00} & $>$ 2.00 \\\\\n\\midrule\n\
                        a$|$b & $\\ge$ 3 & -- \\\\\n\\bottomrule\n\\end{tabular}\n\\end{adjustbox}\n\\end{table}\n";
        assert_eq!(sheet().latex(), expected);
    }

    #[test]
    fn long_names_stand_in_lines_and_sums_below_what_they_are_over() {
        let latex = wide(11, 3).latex();
        assert!(latex.contains("\\begin{tabular}{@{}lrrrrrrrrrrrr@{}}"), "{latex}");
        assert!(
            latex.contains("board & queens & \\shortstack[r]{cube-star\\\\at least k+1\\\\0 threads} & "),
            "{latex}"
        );
        let sums = "\\midrule\n\\multicolumn{13}{@{}l}{2 boards} \\\\\n\
                    \\multicolumn{2}{@{}l}{\\quad mean} & $>$ 000.00 & $>$ 100.00 & $>$ 200.00 & $>$ 300.00 & ";
        assert!(latex.contains(sums), "{latex}");
        assert_eq!(latex.matches("{2 boards}").count(), 1, "{latex}");
        assert_eq!(latex.matches(" threads").count(), 11);
        assert_eq!(latex.matches("5$^{3}$ & 13 & ").count(), 3);
    }

    #[test]
    fn what_is_too_long_for_a_page_goes_on_over_pages() {
        let latex = wide(2, 60).latex();
        assert!(
            !latex.contains("adjustbox") && latex.contains("\\caption[]{T, continued.}\\\\\n"),
            "{latex}"
        );
        assert_eq!(latex.matches("board & queens & ").count(), 2);
        assert_eq!(latex.matches("\\toprule").count(), 2);
        assert_eq!(latex.matches("\\bottomrule").count(), 1);
        assert_eq!(latex.matches("5$^{3}$ & 13 & ").count(), 60);
    }
}
