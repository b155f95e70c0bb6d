//! MPS format: columns as lists of entries, in fields that are valid in both fixed and free MPS. Names with
//! more than 8 characters make a file free MPS only, which CBC and HiGHS detect; GLPK needs `--freemps`.
//!
//! The file is always a minimisation. The original format does not specify the sense of the objective, and
//! the later section OBJSENSE is not portable: HiGHS obeys it, CBC 2.10 ignores it and minimises, and GLPK
//! 5.0 rejects the file. A maximisation is therefore written as the minimisation of the negated objective,
//! with a comment.
//!
//! All columns have explicit bounds, because readers assume different default bounds of integer columns.
//!
//! # References
//! GLPK reference manual, appendix B, *MPS format*.

use std::io::{self, Write};

use super::contents::Contents;
use super::text::{NEGATED, comment, head};
use crate::ilp::{Column, Comparison, Program, Sense, Tag};

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    head(program, "*", out)?;
    let factor = match program.sense() {
        Sense::Maximise => {
            comment(NEGATED, "*", out)?;
            -1
        }
        Sense::Minimise => 1,
        Sense::Feasibility => 0,
    };
    writeln!(out, "NAME          {}", program.name())?;

    writeln!(out, "ROWS\n N  obj")?;
    let mut rows: Vec<(Tag, i64)> = Vec::new();
    for row in program.rows() {
        let kind = match row.comparison {
            Comparison::AtMost => 'L',
            Comparison::Equal => 'E',
            Comparison::AtLeast => 'G',
        };
        writeln!(out, " {kind}  {}", row.tag)?;
        rows.push((row.tag, row.rhs));
    }

    writeln!(out, "COLUMNS")?;
    writeln!(out, "    MARKER    'MARKER'                 'INTORG'")?;
    let entries = Entries::of(program);
    for (number, column) in program.columns().iter().enumerate() {
        let objective = factor * column.objective;
        let mut column_entries = entries.of_column(number).peekable();
        if objective != 0 || column_entries.peek().is_none() {
            write_entry(out, &column.name, "obj", objective)?;
        }
        for (row, coefficient) in column_entries {
            write_entry(out, &column.name, &rows[row as usize].0.to_string(), coefficient)?;
        }
    }
    writeln!(out, "    MARKER    'MARKER'                 'INTEND'")?;

    let contents = Contents::Rows {
        rows: rows.len() as u64,
        columns: program.columns().len(),
        nonzeros: entries.rows.len() as u64,
    };
    writeln!(out, "RHS")?;
    for (tag, rhs) in rows.into_iter().filter(|&(_, rhs)| rhs != 0) {
        write_entry(out, "RHS", &tag.to_string(), rhs)?;
    }

    writeln!(out, "BOUNDS")?;
    program.columns().iter().try_for_each(|column| write_bounds(column, out))?;
    writeln!(out, "ENDATA")?;
    Ok(contents)
}

fn write_bounds(column: &Column, out: &mut dyn Write) -> io::Result<()> {
    let Column { name, lower, upper, .. } = column;
    match (lower, upper) {
        (0, 1) => writeln!(out, " BV BND       {name}"),
        (lower, upper) if lower == upper => writeln!(out, " FX BND       {name:<8}  {lower:>12}"),
        (lower, upper) => {
            writeln!(out, " LO BND       {name:<8}  {lower:>12}")?;
            writeln!(out, " UP BND       {name:<8}  {upper:>12}")
        }
    }
}

/// Writes the line of an entry of the matrix, the objective or the right-hand sides.
fn write_entry(out: &mut dyn Write, column: &str, row: &str, value: i64) -> io::Result<()> {
    writeln!(out, "    {column:<8}  {row:<8}  {value:>12}")
}

/// Entries of all rows, in compressed form by columns.
struct Entries {
    /// Start of the entries of each column, and the end of those of the last one.
    starts: Vec<usize>,
    rows: Vec<u32>,
    /// Coefficient of each entry; empty if all coefficients are 1.
    coefficients: Vec<i64>,
}

impl Entries {
    /// Transposes the rows of a program.
    fn of(program: &dyn Program) -> Self {
        let mut starts = vec![0; program.columns().len() + 1];
        let mut unit = true;
        for row in program.rows() {
            unit &= row.coefficients.is_none();
            for column in row.columns {
                starts[column as usize + 1] += 1;
            }
        }
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        let mut rows = vec![0; total];
        let mut coefficients = vec![1; if unit { 0 } else { total }];
        let mut next = starts.clone();
        for (number, row) in (0..).zip(program.rows()) {
            for (column, coefficient) in row.terms() {
                let place = &mut next[column as usize];
                rows[*place] = number;
                if !unit {
                    coefficients[*place] = coefficient;
                }
                *place += 1;
            }
        }
        Self { starts, rows, coefficients }
    }

    /// Returns the rows and coefficients of a column.
    fn of_column(&self, column: usize) -> impl Iterator<Item = (u32, i64)> {
        let places = self.starts[column]..self.starts[column + 1];
        places.map(|place| {
            let coefficient = self.coefficients.get(place).copied().unwrap_or(1);
            (self.rows[place], coefficient)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{ExplicitProgram, mixed_program, wide_program, write_to_string};
    use super::*;

    #[test]
    fn writes_a_maximisation_with_negated_objective() {
        let expected = "\
* handmade
* two
* lines
* holds if alpha(5^4) <= 38 [Somebody 2001]
* minimise the negated objective: the maximum is minus the minimum of this file
NAME          handmade
ROWS
 N  obj
 L  row_kind_0
 G  row_kind_1
 E  row_kind_2
 L  row_kind_3
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    x_0       obj                 -1
    x_0       row_kind_0             1
    x_0       row_kind_1             2
    x_1       obj                 -3
    x_1       row_kind_0             1
    x_1       row_kind_2             1
    x_2       obj                  0
    one       obj                 -1
    one       row_kind_1             1
    y         obj                 -2
    y         row_kind_1            -1
    y         row_kind_2             1
    z         obj                  1
    z         row_kind_2             1
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS       row_kind_0             1
    RHS       row_kind_1            -1
    RHS       row_kind_3             3
BOUNDS
 BV BND       x_0
 BV BND       x_1
 BV BND       x_2
 FX BND       one                  1
 LO BND       y                   -2
 UP BND       y                    5
 LO BND       z                   -3
 UP BND       z                   -1
ENDATA
";
        assert_eq!(write_to_string(&mixed_program(Sense::Maximise), Format::Mps), expected);
    }

    #[test]
    fn minimisation_keeps_its_objective_and_feasibility_has_none() {
        let text = write_to_string(&mixed_program(Sense::Minimise), Format::Mps);
        assert!(!text.contains("negated"), "{text}");
        assert!(text.contains("    z         obj                 -1\n"), "{text}");
        let text = write_to_string(&mixed_program(Sense::Feasibility), Format::Mps);
        assert_eq!(text.matches(" obj ").count(), 1, "only the unused column: {text}");
    }

    #[test]
    fn unit_rows_store_no_coefficients() {
        assert!(Entries::of(&wide_program()).coefficients.is_empty());
        let text = write_to_string(&wide_program(), Format::Mps);
        assert!(text.contains("    x_39_0_0_0  row_kind_0             1\n"), "{text}");
    }

    #[test]
    fn writes_programs_without_rows_or_columns() {
        let mut program = mixed_program(Sense::Minimise);
        program.rows.clear();
        let text = write_to_string(&program, Format::Mps);
        assert!(text.contains(" N  obj\nCOLUMNS\n") && text.contains("RHS\nBOUNDS\n"), "{text}");
        let program = ExplicitProgram { columns: Vec::new(), ..program };
        assert!(write_to_string(&program, Format::Mps).ends_with("RHS\nBOUNDS\nENDATA\n"));
    }
}
