//! Files that other solvers read: one file format a submodule, chosen by [`Format`].
//!
//! Writers stream a [`Program`]; nothing here knows where its rows come from. Every file begins with comments: the
//! name, what is known of the model, and the bounds that it is conditional on.

mod lp;
mod mps;

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::bound::Standing;
use crate::ilp::Program;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// CPLEX LP: rows as formulas.
    Lp,
    /// MPS: columns as lists of entries; always a minimisation.
    Mps,
}

/// The name of a file to be written does not end in the extension of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the name \"{}\" does not say which format to write: it must end in {}", path.display(), Format::extensions())]
pub struct UnknownExtension {
    /// The name as given.
    pub path: PathBuf,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 2] = [Self::Lp, Self::Mps];

    /// What file names of the format end in, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Lp => "lp",
            Self::Mps => "mps",
        }
    }

    /// The format of a file with this name; capitals do not matter.
    ///
    /// # Errors
    /// If the name does not end in the extension of a format.
    pub fn of_path(path: impl AsRef<Path>) -> Result<Self, UnknownExtension> {
        let path = path.as_ref();
        let extension = path.extension().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.extension()))
            .ok_or_else(|| UnknownExtension { path: path.to_owned() })
    }

    /// Writes a programme in this format. The writer need not be buffered.
    ///
    /// # Errors
    /// If the writer fails, or with [`io::ErrorKind::InvalidInput`] if the format cannot express the programme.
    pub fn write(self, program: &dyn Program, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        match self {
            Self::Lp => lp::write(program, &mut out)?,
            Self::Mps => mps::write(program, &mut out)?,
        }
        out.flush()
    }

    fn extensions() -> String {
        let all = Self::ALL.map(|format| format!(".{}", format.extension()));
        let (last, others) = all.split_last().expect("there are formats");
        format!("{} or {last}", others.join(", "))
    }
}

/// The longest line that is broken by choice: a record of fixed MPS. LP readers cut or refuse lines of more than 255 to
/// 560 characters.
const WIDTH: usize = 80;

/// Words one after the other, broken into lines.
struct Wrapped<'w> {
    out: &'w mut dyn Write,
    indent: &'static str,
    length: usize,
    word: String,
}

impl<'w> Wrapped<'w> {
    /// Begins a line with `lead`; every line after it begins with `indent`.
    fn begin(out: &'w mut dyn Write, lead: &str, indent: &'static str) -> io::Result<Self> {
        out.write_all(lead.as_bytes())?;
        Ok(Self { out, indent, length: lead.chars().count(), word: String::new() })
    }

    /// Writes a word, which is never broken.
    fn word(&mut self, word: fmt::Arguments<'_>) -> io::Result<()> {
        self.word.clear();
        fmt::Write::write_fmt(&mut self.word, word).expect("a String takes any text");
        let length = 1 + self.word.chars().count();
        if self.length + length > WIDTH {
            write!(self.out, "\n{}", self.indent)?;
            self.length = self.indent.len();
        }
        self.length += length;
        write!(self.out, " {}", self.word)
    }

    fn end(self) -> io::Result<()> {
        self.out.write_all(b"\n")
    }
}

/// Writes comment lines, each of which begins with `mark`.
fn comment(text: &str, mark: &'static str, out: &mut dyn Write) -> io::Result<()> {
    for line in text.lines() {
        let mut wrapped = Wrapped::begin(out, mark, mark)?;
        for word in line.split_whitespace() {
            wrapped.word(format_args!("{word}"))?;
        }
        wrapped.end()?;
    }
    Ok(())
}

/// Writes the comments at the head of a file.
fn head(program: &dyn Program, mark: &'static str, out: &mut dyn Write) -> io::Result<()> {
    comment(&program.name(), mark, out)?;
    for remark in program.remarks() {
        comment(&remark, mark, out)?;
    }
    for bound in program.bounds() {
        if let Standing::Reported(source) = &bound.standing {
            let condition = format!("holds if alpha({}) <= {} [{source}]", bound.board, bound.value);
            comment(&condition, mark, out)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::bound::UpperBound;
    use crate::ilp::{Column, Comparison, Row, Sense, Tag};
    use crate::name::BoardName;

    /// A programme written down by hand.
    pub(super) struct Handmade {
        pub(super) sense: Sense,
        pub(super) columns: Vec<Column>,
        pub(super) rows: Vec<Row>,
        pub(super) bounds: Vec<Arc<UpperBound>>,
        pub(super) remarks: Vec<String>,
    }

    impl Program for Handmade {
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

        fn bounds(&self) -> &[Arc<UpperBound>] {
            &self.bounds
        }

        fn remarks(&self) -> Vec<String> {
            self.remarks.clone()
        }
    }

    pub(super) fn column(name: &str, objective: i64, lower: i64, upper: i64) -> Column {
        Column { name: name.to_owned(), objective, lower, upper }
    }

    fn row(number: u64, terms: &[(u32, i64)], comparison: Comparison, rhs: i64) -> Row {
        let unit = terms.iter().all(|&(_, coefficient)| coefficient == 1);
        Row {
            tag: Tag { family: "row-kind", number },
            columns: terms.iter().map(|&(column, _)| column).collect(),
            coefficients: (!unit).then(|| terms.iter().map(|&(_, coefficient)| coefficient).collect()),
            comparison,
            rhs,
            bound: None,
        }
    }

    /// Binary, fixed, general and unused columns; all comparisons; an empty row; a reported bound and a theorem.
    pub(super) fn medley(sense: Sense) -> Handmade {
        let bound = |standing| {
            let board = BoardName::queen(&[5; 4]);
            Arc::new(UpperBound { board, value: 38, standing })
        };
        Handmade {
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
            bounds: vec![
                bound(Standing::Reported("Somebody 2001".to_owned())),
                bound(Standing::Theorem("lines".to_owned())),
            ],
            remarks: vec!["two\nlines".to_owned()],
        }
    }

    /// One row over 40 columns.
    pub(super) fn wide() -> Handmade {
        Handmade {
            sense: Sense::Maximise,
            columns: (0..40).map(|k| column(&format!("x_{k}_0_0_0"), 1, 0, 1)).collect(),
            rows: vec![row(0, &(0..40).map(|k| (k, 1)).collect::<Vec<_>>(), Comparison::AtMost, 1)],
            bounds: Vec::new(),
            remarks: vec!["remark ".repeat(60)],
        }
    }

    pub(super) fn written(program: &dyn Program, format: Format) -> String {
        let mut bytes = Vec::new();
        format.write(program, &mut bytes).expect("a vector takes every byte");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn the_extension_tells_the_format() {
        assert_eq!(Format::of_path("a.b/model.lp"), Ok(Format::Lp));
        assert_eq!(Format::of_path(Path::new("MODEL.MPS")), Ok(Format::Mps));
        for path in ["model", "model.txt", "lp", ".lp", "model.lp.gz"] {
            let message = Format::of_path(path).expect_err(path).to_string();
            assert!(message.contains(path), "{message}");
            assert!(message.ends_with("must end in .lp or .mps"), "{message}");
        }
    }

    #[test]
    fn no_line_is_long_and_no_word_is_lost() {
        for format in Format::ALL {
            let text = written(&wide(), format);
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            assert_eq!(text.matches("remark").count(), 60);
            for column in wide().columns {
                assert!(text.split_whitespace().any(|word| word == column.name), "{text}");
            }
        }
    }

    #[test]
    fn a_failing_writer_is_reported() {
        let mut full: &mut [u8] = &mut [0; 20];
        for format in Format::ALL {
            assert!(format.write(&wide(), &mut full).is_err());
        }
    }
}
