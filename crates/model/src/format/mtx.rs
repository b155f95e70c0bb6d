//! Matrix Market format: the constraint matrix as entries `row column coefficient`, counted from 1, for
//! readers of sparse matrices such as `scipy.io.mmread`.
//!
//! Since the format contains a matrix only, the rest of the program is in comments before it, with one line
//! for each column and row:
//!
//! ```text
//! % sense maximise
//! % column 1 x_0_0 objective 1 from 0 to 1
//! % row 1 line_0 <= 1
//! ```
//!
//! The rows are generated twice, because the header contains the number of entries.
//!
//! # References
//! R. F. Boisvert, R. Pozo, K. A. Remington, *The Matrix Market Exchange Formats: Initial Design*, NISTIR
//! 5935, 1996.

use std::io::{self, Write};

use super::contents::Contents;
use super::text::head;
use crate::ilp::{Program, Sense};

pub(super) fn write(program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
    writeln!(out, "%%MatrixMarket matrix coordinate integer general")?;
    head(program, "%", out)?;
    let sense = match program.sense() {
        Sense::Maximise => "maximise",
        Sense::Minimise => "minimise",
        Sense::Feasibility => "feasibility",
    };
    writeln!(out, "% sense {sense}")?;
    for (number, column) in (1..).zip(program.columns()) {
        let (name, objective) = (&column.name, column.objective);
        let (lower, upper) = (column.lower, column.upper);
        writeln!(out, "% column {number} {name} objective {objective} from {lower} to {upper}")?;
    }
    let (mut rows, mut nonzeros) = (0, 0);
    for row in program.rows() {
        rows += 1;
        nonzeros += row.columns.len() as u64;
        writeln!(out, "% row {rows} {} {} {}", row.tag, row.comparison, row.rhs)?;
    }
    let columns = program.columns().len();
    writeln!(out, "{rows} {columns} {nonzeros}")?;
    for (number, row) in (1..).zip(program.rows()) {
        let number: u64 = number;
        for (column, coefficient) in row.terms() {
            writeln!(out, "{number} {} {coefficient}", u64::from(column) + 1)?;
        }
    }
    Ok(Contents::Rows { rows, columns, nonzeros })
}

#[cfg(test)]
mod tests {
    use super::super::Format;
    use super::super::tests::{mixed_program, write_to_string};
    use super::*;

    #[test]
    fn writes_a_complete_program() {
        let expected = "\
%%MatrixMarket matrix coordinate integer general
% handmade
% two
% lines
% holds if alpha(5^4) <= 38 [Somebody 2001]
% sense maximise
% column 1 x_0 objective 1 from 0 to 1
% column 2 x_1 objective 3 from 0 to 1
% column 3 x_2 objective 0 from 0 to 1
% column 4 one objective 1 from 1 to 1
% column 5 y objective 2 from -2 to 5
% column 6 z objective -1 from -3 to -1
% row 1 row_kind_0 <= 1
% row 2 row_kind_1 >= -1
% row 3 row_kind_2 = 0
% row 4 row_kind_3 <= 3
4 6 8
1 1 1
1 2 1
2 1 2
2 4 1
2 5 -1
3 2 1
3 5 1
3 6 1
";
        assert_eq!(write_to_string(&mixed_program(Sense::Maximise), Format::Mtx), expected);
    }

    #[test]
    fn comment_states_the_sense() {
        for (sense, word) in [(Sense::Minimise, "minimise"), (Sense::Feasibility, "feasibility")] {
            let text = write_to_string(&mixed_program(sense), Format::Mtx);
            assert!(text.contains(&format!("\n% sense {word}\n")), "{text}");
        }
    }
}
