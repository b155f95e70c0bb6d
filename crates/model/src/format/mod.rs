//! File formats of other solvers, one in each submodule, with [`FileFormat`] as their common type.
//!
//! A [`Format`] streams any [`Program`]; a [`GraphFormat`] streams the queen graph of a board. Each file
//! begins with comments: the name, a description of the model, and the bounds on which it is conditional. In
//! formats that number their variables, comments give the square of each number.

mod cnf;
mod contents;
mod graph;
mod heading;
mod lp;
mod mps;
mod mtx;
mod opb;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ndqueens_notation::escape::escape;

pub use self::cnf::{NoQuestion, cnf_variables};
pub use self::contents::Contents;
pub use self::graph::GraphFormat;
pub use self::heading::{ColumnOrderError, Heading, Subject, column_order, heading};
use crate::ilp::Program;

/// Contents of a file and their format.
///
/// # Examples
/// ```
/// use ndqueens_model::format::{FileFormat, Format};
///
/// assert_eq!(FileFormat::of_path("model.mps")?, FileFormat::Program(Format::Mps));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Integer program.
    Program(Format),
    /// Queen graph of a board.
    Graph(GraphFormat),
}

/// File format of integer programs.
///
/// # Examples
/// ```
/// use ndqueens_model::format::{FileFormat, Format};
///
/// assert_eq!(FileFormat::of_path("a/model.lp")?, FileFormat::Program(Format::Lp));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// CPLEX LP: rows as formulas.
    Lp,
    /// MPS: columns as lists of entries; always a minimisation.
    Mps,
    /// OPB: pseudo-Boolean constraints over 0/1 columns.
    Opb,
    /// DIMACS CNF: clauses over 0/1 columns, for programs without an objective.
    Cnf,
    /// Matrix Market: the entries of the constraint matrix, with everything else in comments.
    Mtx,
}

/// Error for a file name that does not end in the extension of a format.
///
/// # Examples
/// ```
/// use ndqueens_model::format::FileFormat;
///
/// let unknown = FileFormat::of_path("model.txt").expect_err("no format");
/// assert_eq!(unknown.path.to_str(), Some("model.txt"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name \"{}\" has no known format: it must end in {}", escape(&path.display().to_string()), FileFormat::extensions())]
pub struct UnknownExtension {
    /// Path as given.
    pub path: PathBuf,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 7] = [
        Self::Program(Format::Lp),
        Self::Program(Format::Mps),
        Self::Program(Format::Opb),
        Self::Program(Format::Cnf),
        Self::Program(Format::Mtx),
        Self::Graph(GraphFormat::Clq),
        Self::Graph(GraphFormat::Col),
    ];

    /// Returns the extension of file names, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Program(Format::Lp) => "lp",
            Self::Program(Format::Mps) => "mps",
            Self::Program(Format::Opb) => "opb",
            Self::Program(Format::Cnf) => "cnf",
            Self::Program(Format::Mtx) => "mtx",
            Self::Graph(GraphFormat::Clq) => "clq",
            Self::Graph(GraphFormat::Col) => "col",
        }
    }

    /// Returns the format of a file by its name, in which `.gz` may follow the extension. The case of letters
    /// is ignored.
    ///
    /// # Errors
    /// Returns an error if the name does not end in the extension of a format.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::format::{FileFormat, Format};
    ///
    /// assert_eq!(FileFormat::of_path("cube.lp.gz"), Ok(FileFormat::Program(Format::Lp)));
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Result<Self, UnknownExtension> {
        let path = path.as_ref();
        let is_compressed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let named = if is_compressed { path.with_extension("") } else { path.to_owned() };
        let extension = named.extension().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.extension()))
            .ok_or_else(|| UnknownExtension { path: path.to_owned() })
    }

    /// Returns a list of all extensions in words.
    fn extensions() -> String {
        let all = Self::ALL.map(|format| format!(".{}", format.extension()));
        let (last, others) = all.split_last().expect("there are formats");
        format!("{} or {last}", others.join(", "))
    }
}

impl Format {
    /// Writes a program in this format and returns the size of its contents. The writer need not be buffered.
    ///
    /// # Errors
    /// Returns an error if the writer fails, or one of kind [`io::ErrorKind::InvalidInput`] if the format
    /// cannot express the program.
    pub fn write(self, program: &dyn Program, out: &mut dyn Write) -> io::Result<Contents> {
        let mut out = BufWriter::new(out);
        let contents = match self {
            Self::Lp => lp::write(program, &mut out),
            Self::Mps => mps::write(program, &mut out),
            Self::Opb => opb::write(program, &mut out),
            Self::Cnf => cnf::write(program, &mut out),
            Self::Mtx => mtx::write(program, &mut out),
        }?;
        out.flush()?;
        Ok(contents)
    }
}

#[cfg(test)]
mod tests {

    use rand::rngs::ChaCha8Rng;
    use rand::seq::IndexedRandom as _;
    use rand::{RngExt as _, SeedableRng as _};

    use super::text::WIDTH;
    use super::*;
    use crate::ilp::{Column, Comparison, Row, Sense, Tag};

    const FORMATS: [Format; 5] = [Format::Lp, Format::Mps, Format::Opb, Format::Cnf, Format::Mtx];

    /// Program with explicit columns and rows.
    pub(super) struct ExplicitProgram {
        pub(super) sense: Sense,
        pub(super) columns: Vec<Column>,
        pub(super) rows: Vec<Row>,
        pub(super) conditions: Vec<String>,
        pub(super) remarks: Vec<String>,
    }

    impl Program for ExplicitProgram {
        fn name(&self) -> String {
            "handmade".to_owned()
        }

        fn sense(&self) -> Sense {
            self.sense
        }

        fn columns(&self) -> &[Column] {
            &self.columns
        }

        fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
            Box::new(self.rows.iter().cloned())
        }

        fn conditions(&self) -> Vec<String> {
            self.conditions.clone()
        }

        fn remarks(&self) -> Vec<String> {
            self.remarks.clone()
        }
    }

    pub(super) fn column(name: &str, objective: i64, lower: i64, upper: i64) -> Column {
        Column { name: name.to_owned(), objective, lower, upper }
    }

    pub(super) fn row(number: u64, terms: &[(u32, i64)], comparison: Comparison, rhs: i64) -> Row {
        let unit = terms.iter().all(|&(_, coefficient)| coefficient == 1);
        Row {
            tag: Tag { family: "row-kind", number },
            columns: terms.iter().map(|&(column, _)| column).collect(),
            coefficients: (!unit).then(|| terms.iter().map(|&(_, coefficient)| coefficient).collect()),
            comparison,
            rhs,
        }
    }

    /// Returns a program with binary, fixed, general and unused columns, all comparisons, an empty row and a
    /// condition.
    pub(super) fn mixed_program(sense: Sense) -> ExplicitProgram {
        ExplicitProgram {
            sense,
            columns: vec![
                column("x_0", 1, 0, 1),
                column("x_1", 3, 0, 1),
                column("x_2", 0, 0, 1),
                column("one", 1, 1, 1),
                column("y", 2, -2, 5),
                column("z", -1, -3, -1),
            ],
            rows: vec![
                row(0, &[(0, 1), (1, 1)], Comparison::AtMost, 1),
                row(1, &[(0, 2), (3, 1), (4, -1)], Comparison::AtLeast, -1),
                row(2, &[(1, 1), (4, 1), (5, 1)], Comparison::Equal, 0),
                row(3, &[], Comparison::AtMost, 3),
            ],
            conditions: vec!["holds if alpha(5^4) <= 38 [Somebody 2001]".to_owned()],
            remarks: vec!["two\nlines".to_owned()],
        }
    }

    /// Returns a program with one row over 40 columns.
    pub(super) fn wide_program() -> ExplicitProgram {
        ExplicitProgram {
            sense: Sense::Maximise,
            columns: (0..40).map(|k| column(&format!("x_{k}_0_0_0"), 1, 0, 1)).collect(),
            rows: vec![row(0, &(0..40).map(|k| (k, 1)).collect::<Vec<_>>(), Comparison::AtMost, 1)],
            conditions: Vec::new(),
            remarks: vec!["remark ".repeat(60)],
        }
    }

    pub(super) fn write_to_string(program: &dyn Program, format: Format) -> String {
        let mut bytes = Vec::new();
        format.write(program, &mut bytes).expect("a vector takes every byte");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn recognises_formats_by_extension() {
        for format in FileFormat::ALL {
            assert_eq!(FileFormat::of_path(format!("a.b/model.{}", format.extension())), Ok(format));
        }
        assert_eq!(FileFormat::of_path(Path::new("MODEL.MPS")), Ok(FileFormat::Program(Format::Mps)));
        assert_eq!(FileFormat::of_path("model.lp.gz"), Ok(FileFormat::Program(Format::Lp)));
        for path in ["model", "model.txt", "lp", ".lp", "model.gz", "model.gz.lp.txt"] {
            assert_eq!(FileFormat::of_path(path), Err(UnknownExtension { path: path.into() }));
        }
    }

    #[test]
    fn wraps_comments_without_losing_words() {
        for format in FORMATS {
            let program = ExplicitProgram { sense: Sense::Feasibility, ..wide_program() };
            let text = write_to_string(&program, format);
            let long = text.lines().find(|line| line.len() > WIDTH);
            assert!(
                long.is_none_or(|line| format == Format::Opb && line.starts_with("-1 x1 -1 x2 ")),
                "{text}"
            );
            assert_eq!(text.matches("remark").count(), 60);
            for column in program.columns {
                assert!(text.split_whitespace().any(|word| word == column.name), "{text}");
            }
        }
    }

    #[test]
    fn reports_a_failing_writer() {
        let program = ExplicitProgram { sense: Sense::Feasibility, ..wide_program() };
        for format in FORMATS {
            let mut full: &mut [u8] = &mut [0; 20];
            let error = format.write(&program, &mut full).expect_err("the writer is full");
            assert_eq!(error.kind(), io::ErrorKind::WriteZero);
        }
    }

    #[test]
    fn counts_the_contents() {
        let program = mixed_program(Sense::Maximise);
        for format in [Format::Lp, Format::Mps, Format::Mtx] {
            let contents = format.write(&program, &mut io::sink()).expect("a sink takes every byte");
            assert_eq!(contents.to_string(), "4 rows, 6 columns, 8 nonzeros");
        }
    }

    #[test]
    fn boolean_formats_reject_other_variables() {
        for format in [Format::Opb, Format::Cnf] {
            let error =
                format.write(&mixed_program(Sense::Feasibility), &mut io::sink()).expect_err("integers");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            let void = ExplicitProgram {
                columns: Vec::new(),
                rows: Vec::new(),
                ..mixed_program(Sense::Feasibility)
            };
            let error = format.write(&void, &mut io::sink()).expect_err("no columns");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }

    /// Returns a random program over a few Boolean columns, some of them fixed. It may have all comparisons,
    /// coefficients of both signs, empty rows, and rows that always or never hold.
    pub(super) fn random_boolean(seed: u64) -> ExplicitProgram {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let size = rng.random_range(1..=8u32);
        let columns = (0..size).map(|k| {
            let (lower, upper) =
                *[(0, 1), (0, 1), (0, 1), (0, 1), (1, 1), (0, 0)].choose(&mut rng).expect("some");
            column(&format!("x_{k}"), rng.random_range(-3..=3), lower, upper)
        });
        let columns = columns.collect();
        let rows = (0..rng.random_range(0..=3)).map(|number| {
            let heaviest = *[1, 1, 2, 9].choose(&mut rng).expect("some");
            let signed = rng.random_bool(0.5);
            let members = (0..size).filter(|_| rng.random_bool(0.8)).collect::<Vec<u32>>();
            let terms = members.into_iter().map(|column| {
                let weight = rng.random_range(1..=heaviest);
                (column, if signed && rng.random_bool(0.5) { -weight } else { weight })
            });
            let terms: Vec<(u32, i64)> = terms.collect();
            let comparison = [Comparison::AtMost, Comparison::Equal, Comparison::AtLeast];
            let least: i64 = terms.iter().map(|&(_, weight)| weight.min(0)).sum();
            let most: i64 = terms.iter().map(|&(_, weight)| weight.max(0)).sum();
            let rhs = rng.random_range(least - 1..=most + 1);
            row(number, &terms, *comparison.choose(&mut rng).expect("some"), rhs)
        });
        let rows = rows.collect();
        ExplicitProgram {
            sense: Sense::Feasibility,
            columns,
            rows,
            conditions: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Returns all 0/1 points.
    pub(super) fn points(columns: usize) -> impl Iterator<Item = Vec<i64>> {
        (0..1u32 << columns).map(move |bits| (0..columns).map(|k| i64::from(bits >> k & 1)).collect())
    }
}
