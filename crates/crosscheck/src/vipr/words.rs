//! Reads a file word by word in bounded memory.

use std::io::BufRead;

use super::rational::{MAX_DIGITS, Rational, too_many_digits};
use crate::fault::{FaultKind, LineFault, Reason, Rule};
use crate::reader::{self, Fault};

/// Maximum number of bytes of a word: a sign, two numbers and the slash between them.
const MAX_WORD_BYTES: usize = 2 * MAX_DIGITS + 2;

/// Maximum number of bytes of a comment.
const MAX_COMMENT_BYTES: usize = 1 << 16;

/// Maximum number of characters of a word in a message.
const MAX_QUOTED_CHARACTERS: usize = 60;

/// Words of a file. Words are separated by spaces; each line ends with a line feed, unless
/// [`Self::begin_text`] was called.
pub(super) struct Words<'t> {
    text: &'t mut dyn BufRead,
    /// Bytes that were read from `text`.
    buffer: Vec<u8>,
    /// Index of the next byte in the buffer.
    at: usize,
    /// Line and column of the next byte, counted from 1.
    line: u64,
    column: u64,
    /// Column of the last word.
    word_column: u64,
    /// Section of the file, or reason of the derivation.
    rule: Rule,
    /// `true` if line feeds end lines. Otherwise they separate words, like spaces.
    has_lines: bool,
    /// `true` if carriage returns separate words, like spaces. Otherwise they are not allowed.
    has_returns: bool,
    word: String,
}

/// Result of the comparison of a line with the expected one.
pub(super) enum Compared {
    Equal,
    Differs,
    /// End of the file in this line.
    Ends,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t mut dyn BufRead) -> Self {
        Self {
            text,
            buffer: Vec::new(),
            at: 0,
            line: 1,
            column: 1,
            word_column: 1,
            rule: Rule::Header,
            has_lines: true,
            has_returns: false,
            word: String::new(),
        }
    }

    /// Treats carriage returns and line feeds in the rest of the file as spaces.
    pub(super) fn begin_text(&mut self) {
        (self.has_lines, self.has_returns) = (false, true);
    }

    /// Treats line feeds in the rest of the file as ends of lines again. Carriage returns remain spaces if
    /// they were before.
    pub(super) fn begin_lines(&mut self) {
        self.has_lines = true;
    }

    /// Returns `true` if carriage returns are spaces, as in a file of another program.
    pub(super) fn has_returns(&self) -> bool {
        self.has_returns
    }

    /// Returns the bytes that were read but not yet used. The result is empty only at the end of the file.
    fn ahead(&mut self) -> Result<&[u8], Fault> {
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            let read = self.text.fill_buf().map_err(Fault::Unreadable)?;
            self.buffer.extend_from_slice(read);
            let length = read.len();
            self.text.consume(length);
        }
        Ok(&self.buffer[self.at..])
    }

    /// Moves behind bytes of this line.
    fn advance(&mut self, length: usize) {
        self.at += length;
        self.column += length as u64;
    }

    /// Moves behind the line feed, which is the next byte.
    fn begin_line(&mut self) {
        self.at += 1;
        self.line += 1;
        self.column = 1;
    }

    /// Stores the rule of the line, given by its first word, for the faults of this line.
    pub(super) fn begin_rule(&mut self, word: &str) {
        self.rule = Rule::of_word(word).unwrap_or(self.rule);
    }

    /// Returns a fault of the line of the next byte.
    pub(super) fn fault(&self, reason: impl Into<Reason>) -> Fault {
        self.fault_in(None, reason.into())
    }

    /// Returns a fault at the next byte.
    pub(super) fn fault_here(&self, reason: impl Into<Reason>) -> Fault {
        self.fault_in(Some(self.column), reason.into())
    }

    /// Returns a fault of the last word.
    pub(super) fn fault_of_word(&self, reason: impl Into<Reason>) -> Fault {
        self.fault_in(Some(self.word_column), reason.into())
    }

    fn fault_in(&self, column: Option<u64>, Reason { kind, words: text, .. }: Reason) -> Fault {
        Fault::Line(LineFault { line: self.line, column, rule: self.rule, kind, text })
    }

    /// Returns the fault that the line of the next byte does not follow the format.
    pub(super) fn unreadable(&self, words: impl Into<String>) -> Fault {
        self.fault(Reason::unreadable(words))
    }

    /// Returns the fault that the last word does not follow the format.
    pub(super) fn unreadable_word(&self, words: impl Into<String>) -> Fault {
        self.fault_of_word(Reason::unreadable(words))
    }

    /// Returns the last word, shortened for a message.
    pub(super) fn quote(&self) -> String {
        shorten(&self.word)
    }

    /// Reads a whole line, which may contain any text without control characters.
    pub(super) fn read_comment(&mut self) -> Result<String, Fault> {
        let mut line = Vec::new();
        loop {
            let ahead = self.ahead()?;
            let end = ahead.iter().position(|&byte| byte == b'\n');
            let length = end.unwrap_or(ahead.len());
            line.extend_from_slice(&ahead[..length]);
            if ahead.is_empty() {
                return Err(self.unreadable("the file ends too early"));
            }
            if line.len() > MAX_COMMENT_BYTES {
                let words = format!("the line is longer than {MAX_COMMENT_BYTES} bytes");
                return Err(self.fault(Reason::limit(words)));
            }
            self.advance(length);
            if end.is_some() {
                break;
            }
        }
        let mut line = String::from_utf8(line).map_err(|_| self.unreadable("the line is not UTF-8"))?;
        if self.has_returns {
            line.truncate(line.trim_end_matches([' ', '\r']).len());
        }
        if let Some(place) = line.find(|sign: char| sign.is_control() || sign == '\u{feff}') {
            let words = match line[place..].starts_with('\u{feff}') {
                true => "this is a byte order mark; save the file without it",
                false => "this is a control character",
            };
            let column = line[..place].chars().count() as u64 + 1;
            return Err(self.fault_in(Some(column), Reason::unreadable(words)));
        }
        self.begin_line();
        Ok(line)
    }

    /// Compares the next line with `expected`, which has no line feed. Moves to the first byte that differs.
    pub(super) fn compare(&mut self, expected: &str) -> Result<Compared, Fault> {
        let mut expected = expected.as_bytes();
        loop {
            let ahead = self.ahead()?;
            if ahead.is_empty() {
                return Ok(Compared::Ends);
            }
            let length = ahead.len().min(expected.len());
            if length == 0 {
                if ahead[0] != b'\n' {
                    return Ok(Compared::Differs);
                }
                self.begin_line();
                return Ok(Compared::Equal);
            }
            if ahead[..length] != expected[..length] {
                let same = ahead.iter().zip(expected).take_while(|(byte, expected)| byte == expected).count();
                self.advance(same);
                return Ok(Compared::Differs);
            }
            expected = &expected[length..];
            self.advance(length);
        }
    }

    /// Returns `true` if a byte separates words.
    fn is_space(&self, byte: u8) -> bool {
        match byte {
            b' ' => true,
            b'\r' => self.has_returns,
            b'\n' => !self.has_lines,
            _ => false,
        }
    }

    /// Skips spaces, and returns the byte after them, or `None` at the end of the file.
    fn skip_spaces(&mut self) -> Result<Option<u8>, Fault> {
        loop {
            let Some(&byte) = self.ahead()?.first() else { return Ok(None) };
            if !self.is_space(byte) {
                return Ok(Some(byte));
            }
            match byte {
                b'\n' => self.begin_line(),
                _ => self.advance(1),
            }
        }
    }

    /// Reads the next word of the line; `what` describes it for messages.
    pub(super) fn read_word(&mut self, what: &str) -> Result<&str, Fault> {
        match self.skip_spaces()? {
            None => return Err(self.unreadable(format!("the file ends too early: expected {what}"))),
            Some(b'\n') => {
                return Err(self.unreadable(format!("the line ends too early: expected {what}")));
            }
            Some(_) => self.word.clear(),
        }
        self.word_column = self.column;
        loop {
            let ahead = self.ahead()?;
            let is_part = |byte: &u8| byte.is_ascii_graphic();
            let end = ahead.iter().position(|byte| !is_part(byte));
            let length = end.unwrap_or(ahead.len());
            let next = end.map(|end| ahead[end]);
            let is_over = ahead.is_empty();
            let begin = self.at;
            self.word.extend(self.buffer[begin..begin + length].iter().map(|&byte| char::from(byte)));
            self.advance(length);
            if self.word.len() > MAX_WORD_BYTES {
                let is_number = self.word.starts_with(|first: char| first.is_ascii_digit() || first == '-');
                let long = || Reason::limit(format!("a word is longer than {MAX_WORD_BYTES} bytes"));
                return Err(self.fault_of_word(if is_number { too_many_digits() } else { long() }));
            }
            match next {
                None if !is_over => {}
                None => return Err(self.cut_off()),
                Some(b' ' | b'\n') => return Ok(&self.word),
                Some(b'\r') if self.has_returns => return Ok(&self.word),
                Some(byte) => {
                    let words = format!(
                        "byte {byte:#04x} is not allowed: words consist of printable ASCII characters"
                    );
                    return Err(self.unreadable_word(words));
                }
            }
        }
    }

    /// Returns the fault of a line without a line feed.
    fn cut_off(&self) -> Fault {
        self.unreadable("the line is cut off: it must end with a line feed")
    }

    /// Reads a name, whose text is ignored.
    pub(super) fn read_name(&mut self, what: &str) -> Result<&str, Fault> {
        if self.read_word(what)?.starts_with('%') {
            return Err(self.unreadable_word("comments are allowed only at the beginning of the file"));
        }
        Ok(&self.word)
    }

    /// Reads a word, which must be `expected`.
    pub(super) fn expect(&mut self, expected: &str) -> Result<(), Fault> {
        let quoted = format!("\"{expected}\"");
        if self.read_word(&quoted)? == expected {
            self.begin_rule(expected);
            return Ok(());
        }
        Err(self.unreadable_word(format!("expected {quoted} instead of \"{}\"", self.quote())))
    }

    /// Reads `word` unless the line ends here.
    pub(super) fn skip(&mut self, word: &str) -> Result<(), Fault> {
        if self.skip_spaces()? == Some(b'\n') { Ok(()) } else { self.expect(word) }
    }

    /// Reads the end of a line, if line feeds end lines.
    pub(super) fn end_line(&mut self) -> Result<(), Fault> {
        if !self.has_lines {
            return Ok(());
        }
        match self.skip_spaces()? {
            Some(b'\n') => {
                self.begin_line();
                Ok(())
            }
            None => Err(self.cut_off()),
            Some(_) => {
                self.read_word("the end of the line")?;
                Err(self.unreadable_word(format!("the line should end before \"{}\"", self.quote())))
            }
        }
    }

    /// Returns an error unless the end of the file is reached.
    pub(super) fn end_file(&mut self) -> Result<(), Fault> {
        if self.ahead()?.is_empty() {
            return Ok(());
        }
        Err(self.unreadable("the file should end before this line"))
    }

    /// Reads an unsigned number below 2^64.
    pub(super) fn read_number(&mut self, what: &str) -> Result<u64, Fault> {
        self.read_word(what)?;
        self.last_number(what)
    }

    /// Parses the last word as an unsigned number below 2^64.
    pub(super) fn last_number(&self, what: &str) -> Result<u64, Fault> {
        reader::parse_number(&self.word).ok_or_else(|| {
            let mut reason = reader::not_a_number(&self.word);
            if reason.kind != FaultKind::Limit {
                reason.words = format!("expected {what} instead of \"{}\"", self.quote());
            }
            self.fault_of_word(reason)
        })
    }

    /// Reads a rational number.
    pub(super) fn read_rational(&mut self, what: &str) -> Result<Rational, Fault> {
        self.read_word(what)?;
        self.last_rational()
    }

    /// Parses the last word as a rational number.
    pub(super) fn last_rational(&self) -> Result<Rational, Fault> {
        Rational::parse(&self.word).map_err(|mut reason| {
            if self.word.len() > MAX_QUOTED_CHARACTERS && reason.words.contains(&self.word) {
                reason.words = reason.words.replace(&self.word, &self.quote());
            }
            self.fault_of_word(reason)
        })
    }
}

/// Returns the beginning of a text, with dots if it was shortened.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED_CHARACTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
