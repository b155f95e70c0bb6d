//! CPLEX LP format: objective and rows as formulas, written in one pass.
//!
//! The objective contains every column, if necessary with coefficient 0. Readers therefore number the columns
//! in the order of the program, include columns that are in no row (CBC drops a column that occurs in the
//! bounds only), and find an objective in feasibility problems. A row without columns has the first column
//! with coefficient 0, and a program without rows has a void row of that kind, because GLPK rejects empty
//! rows and empty sections.
//!
//! The name of a family must not begin with `inf`, because HiGHS parses such a row name as a number.
//!
//! # References
//! IBM, *CPLEX File Formats Reference Manual*, LP file format.

use std::fmt::Display;
use std::io::{self, Write};

use super::contents::Contents;
use super::text::{Wrapped, head, unsupported_error};
use crate::ilp::{Column, Program, Sense};

const INDENT: &str = "  ";

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    let columns = program.columns();
    if columns.is_empty() {
        return Err(unsupported_error("the LP format cannot express a program without columns"));
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
        write_term(&mut line, k == 0, coefficient, &column.name)?;
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
            write_term(&mut line, k == 0, coefficient, &columns[column as usize].name)?;
        }
        if row.columns.is_empty() {
            write_term(&mut line, true, 0, &columns[0].name)?;
        }
        line.word(format_args!("{} {}", row.comparison, row.rhs))?;
        line.end()?;
    }

    write_columns(columns, out)?;
    writeln!(out, "End")?;
    Ok(Contents::Rows { rows: count, columns: columns.len(), nonzeros })
}

/// Writes the bounds and the types of the columns.
fn write_columns(columns: &[Column], out: &mut dyn Write) -> io::Result<()> {
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
    Ok(())
}

/// Writes a term with its sign, which is left out if it is `+` and the term is the first one.
fn write_term(
    line: &mut Wrapped<'_>,
    is_first: bool,
    coefficient: i64,
    name: impl Display,
) -> io::Result<()> {
    let sign = match (coefficient < 0, is_first) {
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
    use super::super::tests::{ExplicitProgram, column, mixed_program, wide_program, write_to_string};
    use super::*;

    #[test]
    fn writes_a_complete_maximisation() {
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
        assert_eq!(write_to_string(&mixed_program(Sense::Maximise), Format::Lp), expected);
    }

    #[test]
    fn title_and_objective_match_the_sense() {
        let text = write_to_string(&mixed_program(Sense::Minimise), Format::Lp);
        assert!(text.contains("Minimize\n obj: x_0 + 3 x_1 + 0 x_2 + one + 2 y - z\n"), "{text}");
        let text = write_to_string(&mixed_program(Sense::Feasibility), Format::Lp);
        assert!(text.contains("Minimize\n obj: 0 x_0 + 0 x_1 + 0 x_2 + 0 one + 0 y + 0 z\n"), "{text}");
    }

    #[test]
    fn breaks_long_rows_between_terms() {
        let text = write_to_string(&wide_program(), Format::Lp);
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
    fn omits_empty_sections() {
        let text = write_to_string(&wide_program(), Format::Lp);
        assert!(!text.contains("Bounds") && !text.contains("Generals"), "{text}");
        let mut fixed = wide_program();
        fixed.columns.iter_mut().for_each(|column| column.upper = 0);
        let text = write_to_string(&fixed, Format::Lp);
        assert!(text.contains("\nBounds\n x_0_0_0_0 = 0\n"), "{text}");
        assert!(!text.contains("Binaries"), "{text}");
    }

    #[test]
    fn adds_a_void_row_and_rejects_empty_programs() {
        let mut program = ExplicitProgram { columns: Vec::new(), ..mixed_program(Sense::Maximise) };
        program.rows.clear();
        let error = Format::Lp.write(&program, &mut Vec::new()).expect_err("no column");
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        program.columns.push(column("x", 1, 0, 1));
        assert!(
            write_to_string(&program, Format::Lp)
                .contains("obj: x\nSubject To\n void: 0 x <= 0\nBinaries\n x\nEnd\n")
        );
    }
}
