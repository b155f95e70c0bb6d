//! Reads proofs and bounds strictly, so that every text has one meaning: lines end with a line feed and
//! contain no other control characters, words are separated by one space, and each number can be written in
//! one way only.

use std::io::{self, BufRead, Cursor};
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::Arc;

use ndqueens_notation::name::{BoardName, NameError};

use crate::fault::{LineFault, Reason, Rule};

/// Length of the longest line that is read, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 28;

/// Maximum number of characters of a fault in a message.
const MAX_FAULT_CHARACTERS: usize = 400;

/// Reason why a line was not read, or was not accepted.
#[derive(Debug)]
pub(crate) enum Fault {
    Unreadable(io::Error),
    Line(LineFault),
}

/// Lines of a file, read one at a time; faults become errors of type E.
pub(crate) struct Lines<'t, E> {
    file: &'t mut dyn BufRead,
    /// Kind of the file in one word, for messages.
    kind: &'static str,
    /// Current line, without its line feed.
    pub(crate) text: Arc<str>,
    /// Number of the current line, counted from 1.
    number: u64,
    /// Rules of the current line and of the line before it.
    rule: Rule,
    rule_before: Rule,
    /// Memory for the line that is being read.
    buffer: Vec<u8>,
    /// Lines that were read ahead.
    ahead: Cursor<Vec<u8>>,
    error: PhantomData<fn() -> E>,
}

impl<'t, E: From<Fault>> Lines<'t, E> {
    pub(crate) fn new(file: &'t mut dyn BufRead, kind: &'static str) -> Self {
        Self::after(file, kind, 0)
    }

    /// Creates the reader of the part of a file after its first `number` lines.
    pub(crate) fn after(file: &'t mut dyn BufRead, kind: &'static str, number: u64) -> Self {
        Self {
            file,
            kind,
            text: Arc::default(),
            number,
            rule: Rule::Unknown,
            rule_before: Rule::Unknown,
            buffer: Vec::new(),
            ahead: Cursor::default(),
            error: PhantomData,
        }
    }

    /// Returns the number of lines read so far.
    pub(crate) fn line_number(&self) -> u64 {
        self.number
    }

    /// Returns `true` if there are no more lines.
    pub(crate) fn is_at_end(&mut self) -> Result<bool, E> {
        let rest = self.file.fill_buf().map_err(|error| E::from(Fault::Unreadable(error)))?;
        Ok(rest.is_empty() && self.ahead.fill_buf().is_ok_and(<[u8]>::is_empty))
    }

    /// Reads lines up to the first one that satisfies `is_next`. The result contains that line too, which is
    /// also read again as the next line. Returns `None`, without consuming the lines, if they are longer than
    /// `most` bytes.
    pub(crate) fn read_until(
        &mut self,
        is_next: impl Fn(&[u8]) -> bool,
        most: usize,
    ) -> Result<Option<Vec<u8>>, E> {
        let (mut lines, mut number) = (Vec::new(), self.number);
        loop {
            let begin = lines.len();
            if self.read_with(|line, lines| line.read_until(b'\n', lines), &mut lines)? == 0 {
                break;
            }
            if is_next(&lines[begin..]) {
                self.ahead = Cursor::new(lines[begin..].to_vec());
                break;
            }
            if lines.len() > most {
                self.ahead = Cursor::new(lines);
                return Ok(None);
            }
            number += 1;
        }
        self.number = number;
        Ok(Some(lines))
    }

    /// Appends a line to `line` with `read`, from the lines read ahead if there are any.
    fn read_with<T>(
        &mut self,
        read: impl FnOnce(&mut dyn BufRead, &mut T) -> io::Result<usize>,
        line: &mut T,
    ) -> Result<usize, E> {
        let read = match self.ahead.fill_buf() {
            Ok([_, ..]) => read(&mut self.ahead, line),
            _ => read(&mut io::Read::take(&mut *self.file, MAX_LINE_BYTES), line),
        };
        read.map_err(|error| Fault::Unreadable(error).into())
    }

    /// Reads the next line into [`Self::text`], and checks its spaces.
    pub(crate) fn read_line(&mut self) -> Result<(), E> {
        self.read_line_with_path()?;
        match self.text.split(' ').find(|word| word.is_empty()) {
            Some(_) if self.text.is_empty() => Err(self.unreadable("the line is empty")),
            Some(empty) => {
                let words = "words must be separated by one space, without spaces at the ends of a line";
                Err(self.fault(Reason::unreadable(words).at(empty)))
            }
            None => Ok(()),
        }
    }

    /// Reads the next line, which may contain a path, in which spaces are significant.
    fn read_line_with_path(&mut self) -> Result<(), E> {
        self.number += 1;
        self.rule_before = self.rule;
        let mut line = std::mem::take(&mut self.buffer);
        line.clear();
        self.read_with(|file, line| file.read_until(b'\n', line), &mut line)?;
        let last = line.pop();
        let (text, is_valid) = match str::from_utf8(&line) {
            Ok(text) => (text, true),
            Err(error) => (str::from_utf8(&line[..error.valid_up_to()]).unwrap_or_default(), false),
        };
        self.text = text.into();
        let is_too_long = line.len() as u64 + 1 >= MAX_LINE_BYTES;
        self.buffer = line;
        let word = self.text.split(' ').next().unwrap_or_default();
        self.rule = match self.number {
            1 => Rule::Header,
            _ => Rule::of_word(word).unwrap_or(Rule::Unknown),
        };
        match last {
            Some(b'\n') if is_valid => {}
            Some(b'\n') => {
                let fault = Reason::unreadable("the next byte is not UTF-8");
                return Err(self.fault(fault.at(&self.text[self.text.len()..])));
            }
            Some(_) if is_too_long => {
                return Err(
                    self.fault(Reason::limit(format!("the line is longer than {MAX_LINE_BYTES} bytes")))
                );
            }
            Some(_) => return Err(self.unreadable("the line is cut off")),
            None => return Err(self.unreadable(format!("the {} ends too early", self.kind))),
        }
        match self.text.find(char::is_control) {
            Some(place) => {
                let words = match self.text.as_bytes()[place] {
                    b'\r' => "this is a carriage return; a line must end with a line feed alone",
                    b'\t' => "this is a tab; words must be separated by one space",
                    _ => "this is a control character",
                };
                Err(self.fault(Reason::unreadable(words).at(&self.text[place..])))
            }
            None => Ok(()),
        }
    }

    /// Reads the first line, which must be one of `headers`.
    pub(crate) fn read_header(&mut self, headers: &[&'static str]) -> Result<&'static str, E> {
        self.read_line_with_path()?;
        let header = headers.iter().copied().find(|header| *self.text == **header);
        header.ok_or_else(|| {
            let headers: Vec<String> = headers.iter().map(|header| format!("\"{header}\"")).collect();
            self.unreadable(format!("a {} must begin with {}", self.kind, headers.join(" or ")))
        })
    }

    /// Reads a line that names a board, and parses the name with `parse`.
    pub(crate) fn read_board(
        &mut self,
        parse: impl FnOnce(&str) -> Result<BoardName, NameError>,
    ) -> Result<BoardName, E> {
        self.read_line_with_path()?;
        let Some(name) = self.text.strip_prefix("board ") else {
            return Err(self.unreadable("expected \"board ...\""));
        };
        parse_board_with(name, parse).map_err(|error| self.fault(Reason::from(error).at(name)))
    }

    /// Reads the last line, which must be `end`.
    pub(crate) fn read_end(&mut self) -> Result<(), E> {
        self.read_line()?;
        let rest = self.file.fill_buf().map_err(|error| E::from(Fault::Unreadable(error)))?;
        match (&*self.text, rest.is_empty()) {
            ("end", true) => Ok(()),
            ("end", false) => {
                Err(self
                    .unreadable(format!("the {} must end with this line, but more text follows", self.kind)))
            }
            _ => Err(self.unreadable(format!("the {} must end with the line \"end\" here", self.kind))),
        }
    }

    /// Returns a fault of this line. The text is shortened, and its control characters are escaped.
    #[cold]
    pub(crate) fn fault(&self, fault: impl Into<Reason>) -> E {
        let fault = fault.into();
        let (column, Reason { kind, words, .. }) = (fault.column_in(&self.text), fault);
        let mut text = escape_controls(&words.chars().take(MAX_FAULT_CHARACTERS).collect::<String>());
        if words.chars().nth(MAX_FAULT_CHARACTERS).is_some() {
            text.push_str("...");
        }
        Fault::Line(LineFault { line: self.number, column, rule: self.rule, kind, text }).into()
    }

    /// Returns the fault of a line that does not follow the format.
    #[cold]
    pub(crate) fn unreadable(&self, fault: impl Into<String>) -> E {
        self.fault(Reason::unreadable(fault))
    }

    /// Returns a fault of the line before this one.
    pub(crate) fn fault_before(&self, fault: &str) -> E {
        let line = self.number.saturating_sub(1);
        let Reason { kind, words, .. } = fault.into();
        Fault::Line(LineFault { line, column: None, rule: self.rule_before, kind, text: words }).into()
    }

    pub(crate) fn parse_number<T: FromStr>(&self, word: &str) -> Result<T, E> {
        parse_number(word).ok_or_else(|| self.fault(not_a_number(word)))
    }
}

/// Error in the name of a board in a proof.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BoardNameError {
    /// Name that is not written as in proofs.
    #[error("\"{0}\" is not a board as files name it, such as 6^3, 4x5x6 or rook:5^3, without leading zeros")]
    NotPortable(String),
    /// Name that is not that of a board.
    #[error(transparent)]
    Name(#[from] NameError),
}

impl From<BoardNameError> for Reason {
    fn from(error: BoardNameError) -> Self {
        Self::unreadable(error.to_string())
    }
}

/// Parses the name of a board that is not in a file.
pub(crate) fn parse_board(name: &str) -> Result<BoardName, BoardNameError> {
    parse_board_with(name, str::parse)
}

/// Parses the name of a board with `parse`; the name must be written as in proofs.
pub(crate) fn parse_board_with(
    name: &str,
    parse: impl FnOnce(&str) -> Result<BoardName, NameError>,
) -> Result<BoardName, BoardNameError> {
    if !BoardName::is_portable(name) {
        return Err(BoardNameError::NotPortable(name.to_owned()));
    }
    Ok(parse(name)?)
}

/// Returns the fault of a word that [`parse_number`] does not accept: it does not have the form of a number,
/// has more than 64 bits, or is too large for its place.
pub(crate) fn not_a_number(word: &str) -> Reason {
    let reason = match (is_plain(word), word.parse::<u64>()) {
        (true, Ok(_)) => Reason::from(format!("{word} is too large here")),
        (true, Err(_)) => Reason::limit(format!("the number {word} is too large: numbers are below 2^64")),
        (false, _) => {
            Reason::unreadable(format!("\"{word}\" is not a number without sign and leading zeros"))
        }
    };
    reason.at(word)
}

/// Returns `true` if a word consists of decimal digits without leading zeros.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|digit| digit.is_ascii_digit())
        && (word == "0" || !word.starts_with('0'))
}

/// Parses a number in decimal digits without leading zeros.
pub(crate) fn parse_number<T: FromStr>(word: &str) -> Option<T> {
    word.parse().ok().filter(|_| is_plain(word))
}

/// Parses a number without leading zeros that may have a minus sign, unless it is 0.
pub(crate) fn parse_integer(word: &str) -> Option<i64> {
    match word.strip_prefix('-') {
        Some(digits) => {
            parse_number::<i64>(digits).filter(|&value| value != 0).and_then(|_| word.parse().ok())
        }
        None => parse_number(word),
    }
}

/// Returns a text with its control characters escaped.
pub(crate) fn escape_controls(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;

    #[test]
    fn accepts_one_spelling_of_each_number() {
        assert_eq!(
            (parse_number("0"), parse_number("10"), parse_number("255")),
            (Some(0u8), Some(10), Some(255))
        );
        for other in ["", "+7", "007", "00", "-1", "-0", "256", "7 ", " 7", "7.", "1e1", "0x1", "１", "1_0"]
        {
            assert_eq!(parse_number::<u8>(other), None, "{other}");
        }
        assert_eq!(
            (parse_integer("-12"), parse_integer("0"), parse_integer("3")),
            (Some(-12), Some(0), Some(3))
        );
        for other in ["", "-", "-0", "-01", "+1", "--1", "- 1", "-9223372036854775809"] {
            assert_eq!(parse_integer(other), None, "{other}");
        }
    }

    #[test]
    fn rejects_lines_that_are_not_plain() {
        let read = |mut text: &[u8]| {
            let mut lines: Lines<'_, Fault> = Lines::new(&mut text, "proof");
            lines.read_line()
        };
        assert!(read(b"a 1 b\n").is_ok());
        for text in ["", "a", "a\r\n", "a\tb\n", "\0a\n", "a  b\n", " a\n", "a \n", "\n", "é\u{85}\n"] {
            let fault = read(text.as_bytes()).expect_err(text);
            let Fault::Line(reason @ LineFault { line: 1, .. }) = fault else {
                panic!("{text:?}: {fault:?}")
            };
            assert_eq!(reason.kind, FaultKind::Unreadable, "{text:?}");
        }
        let fault = read("é1\u{85}".as_bytes().split_last().expect("bytes").1).expect_err("cut off");
        assert!(matches!(fault, Fault::Line(LineFault { kind: FaultKind::Unreadable, .. })));
        let Err(Fault::Line(fault)) = read(b"\xc3\xa91\x85 b\n") else { panic!("no UTF-8") };
        assert_eq!((fault.line, fault.column, fault.kind), (1, Some(3), FaultKind::Unreadable));
    }
}
