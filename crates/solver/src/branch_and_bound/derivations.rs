//! The text of derived constraints of a VIPR file, before the numbers of the program's constraints are known.

use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write};

use tempfile::SpooledTempFile;

/// The part of a VIPR file before the derived constraints, as the checker writes it.
#[derive(Debug, Clone)]
pub struct ViprHead {
    /// The text up to the end of the constraints.
    pub text: Vec<u8>,
    /// Number of constraints.
    pub constraints: usize,
    /// Number of the symmetry row of each square that has one.
    pub symmetry_rows: HashMap<usize, usize>,
}

/// Bytes of derived constraints that are held in memory; longer ones go to a temporary file.
const HELD_IN_MEMORY: usize = 1 << 26;

/// A constraint in the text before the final numbers are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reference {
    /// A bound or a line, by its number.
    Program(usize),
    /// The symmetry row of a square.
    Symmetry(usize),
    /// The constraint on the number of squares.
    Target,
    /// A derived constraint.
    Derived(usize),
}

impl Reference {
    fn parse(token: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok();
        match token.split_at_checked(1)? {
            ("@", text) => number(text).map(Self::Derived),
            ("#", text) => number(text).map(Self::Symmetry),
            ("$", "") => Some(Self::Target),
            _ => None,
        }
    }
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(number) => write!(f, "{number}"),
            Self::Symmetry(square) => write!(f, "#{square}"),
            Self::Target => f.write_str("$"),
            Self::Derived(number) => write!(f, "@{number}"),
        }
    }
}

/// Derived constraints.
#[derive(Debug)]
pub(super) struct Derivations {
    text: SpooledTempFile,
    derived: usize,
}

impl Derivations {
    pub(super) fn new() -> Self {
        Self { text: SpooledTempFile::new(HELD_IN_MEMORY), derived: 0 }
    }

    /// Writes a derived constraint; returns its number.
    pub(super) fn derive(&mut self, constraint: &str, reason: &str) -> io::Result<usize> {
        writeln!(self.text, "d{} {constraint} {{ {reason} }} -1", self.derived)?;
        self.derived += 1;
        Ok(self.derived - 1)
    }

    /// Writes a whole file: `head`, and the derived constraints with their final numbers.
    pub(super) fn finish(mut self, head: &ViprHead, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&head.text)?;
        write!(out, "RTP infeas\nSOL 0\nDER {}\n", self.derived)?;
        self.text.seek(SeekFrom::Start(0))?;
        let mut line = String::new();
        let mut text = BufReader::new(self.text);
        while {
            line.clear();
            text.read_line(&mut line)? > 0
        } {
            let mut words = Vec::new();
            for token in line.split_ascii_whitespace() {
                words.push(match Reference::parse(token) {
                    None => token.to_owned(),
                    Some(Reference::Target) => (head.constraints - 1).to_string(),
                    Some(Reference::Derived(number)) => (head.constraints + number).to_string(),
                    Some(Reference::Symmetry(square)) => {
                        let row = head.symmetry_rows.get(&square);
                        row.ok_or_else(|| io::Error::other("a symmetry row is missing"))?.to_string()
                    }
                    Some(Reference::Program(number)) => number.to_string(),
                });
            }
            writeln!(out, "{}", words.join(" "))?;
        }
        out.flush()
    }
}
