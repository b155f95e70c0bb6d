//! The CPLEX LP format: objective and rows as formulas, written in one pass.
//!
//! The objective lists every column, with coefficient 0 where it has none: so the readers number the columns as we do,
//! know the columns that are in no row (CBC loses a column that only the bounds name), and a
//! feasibility problem has an objective at all. The first column stands with coefficient 0 in a row without columns,
//! and in a void row of a program without rows: GLPK refuses both an empty row and an empty section.
//!
//! A family's name must not begin with `inf`: HiGHS takes such a row name for a number.
//!
//! # References
//! IBM, *CPLEX File Formats Reference Manual*, LP file format.

use std::fmt::Display;
use std::io::{self, Write};

use super::contents::Contents;
use super::text::{Wrapped, head, refusal};
use crate::ilp::{Column, Program, Sense};

const INDENT: &str = "  ";

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    let columns = program.columns();
    if columns.is_empty() {
        return Err(refusal("the LP format cannot express a program without columns"));
    }
    head(program, "\\", out)?;
    let sense = program.sense();
    let title = match sense {
        Sense::Maximise => "Maximize",
        Sense::Minimise | Sense::Feasibility => "Minimize",
    };
    writeln!(out, "{title}")?;
    let mut line = Wrapped::begin(out, " obj:", INDENT)?;
    for (k, column) in columns.iter().enumerate() {
        let coefficient = if sense == Sense::Feasibility { 0 } else { column.objective };
        term(&mut line, k == 0, coefficient, &column.name)?;
    }
    line.end()?;

    writeln!(out, "Subject To")?;
    let mut rows = program.rows().peekable();
    if rows.peek().is_none() {
        writeln!(out, " void: 0 {} <= 0", columns[0].name)?;
    }
    let (mut count, mut nonzeros) = (0, 0);
    for row in rows {
        count += 1;
        nonzeros += row.columns.len() as u64;
        let mut line = Wrapped::begin(out, &format!(" {}:", row.tag), INDENT)?;
        for (k, (column, coefficient)) in row.terms().enumerate() {
            term(&mut line, k == 0, coefficient, &columns[column as usize].name)?;
        }
        if row.columns.is_empty() {
            term(&mut line, true, 0, &columns[0].name)?;
        }
        line.word(format_args!("{} {}", row.comparison, row.rhs))?;
        line.end()?;
    }

    let (binaries, generals): (Vec<&Column>, Vec<&Column>) =
        columns.iter().partition(|column| (column.lower, column.upper) == (0, 1));
    if !generals.is_empty() {
        writeln!(out, "Bounds")?;
    }
    for Column { name, lower, upper, .. } in &generals {
        if lower == upper {
            writeln!(out, " {name} = {lower}")?;
        } else {
            writeln!(out, " {lower} <= {name} <= {upper}")?;
        }
    }
    for (title, members) in [("Binaries", binaries), ("Generals", generals)] {
        if members.is_empty() {
            continue;
        }
        writeln!(out, "{title}")?;
        let mut line = Wrapped::begin(out, "", "")?;
        for column in members {
            line.word(format_args!("{}", column.name))?;
        }
        line.end()?;
    }
    writeln!(out, "End")?;
    Ok(Contents::Rows { rows: count, columns: columns.len(), nonzeros })
}

fn term(line: &mut Wrapped<'_>, first: bool, coefficient: i64, name: impl Display) -> io::Result<()> {
    let sign = match (coefficient < 0, first) {
        (true, _) => "- ",
        (false, true) => "",
        (false, false) => "+ ",
    };
    match coefficient.unsigned_abs() {
        1 => line.word(format_args!("{sign}{name}")),
        magnitude => line.word(format_args!("{sign}{magnitude} {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{Handmade, column, medley, wide, written};
    use super::*;

    #[test]
    fn a_maximisation_is_written_whole() {
        let expected = r"\ handmade
\ two
\ lines
\ holds if alpha(5^4) <= 38 [Somebody 2001]
Maximize
 obj: x_0 + 3 x_1 + 0 x_2 + one + 2 y - z
Subject To
 row_kind_0: x_0 + x_1 <= 1
 row_kind_1: 2 x_0 + one - y >= -1
 row_kind_2: x_1 + y + z = 0
 row_kind_3: 0 x_0 <= 3
Bounds
 one = 1
 -2 <= y <= 5
 -3 <= z <= -1
Binaries
 x_0 x_1 x_2
Generals
 one y z
End
";
        assert_eq!(written(&medley(Sense::Maximise), Format::Lp), expected);
    }

    #[test]
    fn the_sense_is_in_title_and_objective() {
        let text = written(&medley(Sense::Minimise), Format::Lp);
        assert!(text.contains("Minimize\n obj: x_0 + 3 x_1 + 0 x_2 + one + 2 y - z\n"), "{text}");
        let text = written(&medley(Sense::Feasibility), Format::Lp);
        assert!(text.contains("Minimize\n obj: 0 x_0 + 0 x_1 + 0 x_2 + 0 one + 0 y + 0 z\n"), "{text}");
    }

    #[test]
    fn a_long_row_is_broken_between_terms() {
        let text = written(&wide(), Format::Lp);
        let row: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.contains("row_kind_0"))
            .take_while(|&line| line != "Binaries")
            .collect();
        assert!(row[0].starts_with(" row_kind_0: x_0_0_0_0 + x_1_0_0_0 + "), "{text}");
        assert!(row[1..].iter().all(|line| line.starts_with("   + x_")), "{text}");
        assert!(row.last().is_some_and(|line| line.ends_with(" <= 1")), "{text}");
    }

    #[test]
    fn sections_without_members_are_left_out() {
        let text = written(&wide(), Format::Lp);
        assert!(!text.contains("Bounds") && !text.contains("Generals"), "{text}");
        let mut fixed = wide();
        fixed.columns.iter_mut().for_each(|column| column.upper = 0);
        let text = written(&fixed, Format::Lp);
        assert!(text.contains("\nBounds\n x_0_0_0_0 = 0\n"), "{text}");
        assert!(!text.contains("Binaries"), "{text}");
    }

    #[test]
    fn a_programme_without_rows_has_a_void_one_and_without_columns_is_refused() {
        let mut program = Handmade { columns: Vec::new(), ..medley(Sense::Maximise) };
        program.rows.clear();
        let error = Format::Lp.write(&program, &mut Vec::new()).expect_err("no column");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        program.columns.push(column("x", 1, 0, 1));
        assert!(
            written(&program, Format::Lp)
                .contains("obj: x\nSubject To\n void: 0 x <= 0\nBinaries\n x\nEnd\n")
        );
    }
}
