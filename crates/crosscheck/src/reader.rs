//! Reads proofs and bounds strictly, so that no text has two meanings: lines end with a line feed, hold no other control
//! characters, and have their words one blank apart; numbers are written one way each.

use std::io::{self, BufRead, Cursor};
use std::marker::PhantomData;
use std::str::FromStr;

use ndqueens_notation::name::BoardName;

use crate::fault::Reason;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// Characters of a fault that are shown.
const LONGEST_FAULT: usize = 200;

/// Why a line was not read, or not accepted.
#[derive(Debug)]
pub(crate) enum Fault {
    Unreadable(io::Error),
    /// A line, counted from 1, and what is wrong in it.
    Line(u64, Reason),
}

/// The lines of a file, one at a time; its faults become errors of type E.
pub(crate) struct Lines<'t, E> {
    file: &'t mut dyn BufRead,
    /// What the file is, in a word.
    what: &'static str,
    /// The line, without its end.
    pub(crate) text: String,
    /// Its number, counted from 1.
    number: u64,
    /// Lines to come that were read before.
    ahead: Cursor<Vec<u8>>,
    error: PhantomData<fn() -> E>,
}

impl<'t, E: From<Fault>> Lines<'t, E> {
    pub(crate) fn new(file: &'t mut dyn BufRead, what: &'static str) -> Self {
        Self::after(file, what, 0)
    }

    /// Of the part of a file before which so many lines stand.
    pub(crate) fn after(file: &'t mut dyn BufRead, what: &'static str, number: u64) -> Self {
        Self { file, what, text: String::new(), number, ahead: Cursor::default(), error: PhantomData }
    }

    /// How many lines were read.
    pub(crate) fn read_so_far(&self) -> u64 {
        self.number
    }

    /// Whether there are no more lines.
    pub(crate) fn is_over(&mut self) -> Result<bool, E> {
        let rest = self.file.fill_buf().map_err(|error| E::from(Fault::Unreadable(error)))?;
        Ok(rest.is_empty() && self.ahead.fill_buf().is_ok_and(<[u8]>::is_empty))
    }

    /// The next lines as they are, up to one that begins in a certain way, which comes along and is still the next one. `None` where
    /// they are longer than so many bytes; they are still to come then.
    pub(crate) fn up_to(
        &mut self,
        is_next: impl Fn(&[u8]) -> bool,
        most: usize,
    ) -> Result<Option<Vec<u8>>, E> {
        let (mut lines, mut number) = (Vec::new(), self.number);
        loop {
            let begin = lines.len();
            if self.read(|line, lines| line.read_until(b'\n', lines), &mut lines)? == 0 {
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

    /// Reads a line.
    fn read<T>(
        &mut self,
        read: impl FnOnce(&mut dyn BufRead, &mut T) -> io::Result<usize>,
        line: &mut T,
    ) -> Result<usize, E> {
        let read = match self.ahead.fill_buf() {
            Ok([_, ..]) => read(&mut self.ahead, line),
            _ => read(&mut io::Read::take(&mut *self.file, LONGEST), line),
        };
        read.map_err(|error| Fault::Unreadable(error).into())
    }

    /// Reads the next line into [`Self::text`].
    pub(crate) fn next(&mut self) -> Result<(), E> {
        self.next_with_blanks()?;
        let blanks = self.text.split(' ').any(str::is_empty);
        if blanks {
            Err(self.unreadable("words must stand one blank apart, and none at the ends of a line"))
        } else {
            Ok(())
        }
    }

    /// The same for a line that may hold a path, in which blanks mean something.
    fn next_with_blanks(&mut self) -> Result<(), E> {
        self.text.clear();
        self.number += 1;
        let mut text = std::mem::take(&mut self.text);
        self.read(|line, text| line.read_line(text), &mut text)?;
        self.text = text;
        match self.text.pop() {
            Some('\n') => {}
            Some(_) if self.text.len() as u64 + 4 >= LONGEST => {
                return Err(self.fault(Reason::limit(format!("the line is longer than {LONGEST} bytes"))));
            }
            Some(_) => return Err(self.unreadable("the line is cut off")),
            None => return Err(self.unreadable(format!("the {} ends too early", self.what))),
        }
        match self.text.chars().position(char::is_control) {
            Some(place) => Err(self.unreadable(format!("column {} holds a control character", place + 1))),
            None => Ok(()),
        }
    }

    /// The first line, which must be one of these.
    pub(crate) fn header_among(&mut self, headers: &[&'static str]) -> Result<&'static str, E> {
        self.next_with_blanks()?;
        let header = headers.iter().copied().find(|header| self.text == *header);
        header.ok_or_else(|| {
            let headers: Vec<String> = headers.iter().map(|header| format!("\"{header}\"")).collect();
            self.unreadable(format!("a {} must begin with {}", self.what, headers.join(" or ")))
        })
    }

    /// The next line, which must name a board, as `parse` reads it.
    pub(crate) fn board<B>(&mut self, parse: impl FnOnce(&str) -> Result<B, String>) -> Result<B, E> {
        self.next_with_blanks()?;
        let Some(name) = self.text.strip_prefix("board ") else {
            return Err(self.unreadable("expected \"board ...\""));
        };
        board_named(name, parse).map_err(|fault| self.unreadable(fault))
    }

    /// The last line, which must be `end`.
    pub(crate) fn end(&mut self) -> Result<(), E> {
        self.next()?;
        let rest = self.file.fill_buf().map_err(|error| E::from(Fault::Unreadable(error)))?;
        if self.text == "end" && rest.is_empty() {
            return Ok(());
        }
        Err(self.unreadable(format!("the {} must end with the line \"end\" here", self.what)))
    }

    /// A fault of this line; what it quotes can neither flood nor steer a terminal.
    pub(crate) fn fault(&self, fault: impl Into<Reason>) -> E {
        let Reason { kind, words } = fault.into();
        let mut begin = shown(&words.chars().take(LONGEST_FAULT).collect::<String>());
        if words.chars().nth(LONGEST_FAULT).is_some() {
            begin.push_str("...");
        }
        Fault::Line(self.number, Reason { kind, words: begin }).into()
    }

    /// Returns the fault of a line that does not follow the format.
    pub(crate) fn unreadable(&self, fault: impl Into<String>) -> E {
        self.fault(Reason::unreadable(fault))
    }

    /// A fault of the line before this one.
    pub(crate) fn fault_before(&self, fault: &str) -> E {
        Fault::Line(self.number.saturating_sub(1), fault.into()).into()
    }

    pub(crate) fn number<T: FromStr>(&self, word: &str) -> Result<T, E> {
        number(word).ok_or_else(|| self.fault(not_a_number(word)))
    }
}

/// Reads the name of a board that is in no file.
pub(crate) fn board(name: &str) -> Result<BoardName, String> {
    board_named(name, |name| name.parse().map_err(|fault| format!("{fault}")))
}

/// Reads the name of a board, which must be written as in proofs, with `parse`.
pub(crate) fn board_named<B>(name: &str, parse: impl FnOnce(&str) -> Result<B, String>) -> Result<B, String> {
    if BoardName::is_plain(name) { parse(name) } else { Err(not_a_plain_name(name)) }
}

fn not_a_plain_name(name: &str) -> String {
    format!(
        "\"{name}\" is not a board as files name it, such as 6^3, 4x5x6 or rook:5^3, without leading zeros"
    )
}

/// Returns the fault of a word that [`number`] does not read: no number is written like this, it has more than 64 bits, or it is larger than
/// anything that it could stand for.
pub(crate) fn not_a_number(word: &str) -> Reason {
    match (is_plain(word), word.parse::<u64>()) {
        (true, Ok(_)) => format!("{word} is too large to stand here").into(),
        (true, Err(_)) => Reason::limit(format!("the number {word} is too large: numbers are below 2^64")),
        (false, _) => Reason::unreadable(format!("\"{word}\" is not a number that may stand here")),
    }
}

/// Returns `true` if a word consists of decimal digits, the first of them 0 only if there is no other.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|digit| digit.is_ascii_digit())
        && (word == "0" || !word.starts_with('0'))
}

/// A number in decimal digits, the first of them 0 only when there is no other.
pub(crate) fn number<T: FromStr>(word: &str) -> Option<T> {
    word.parse().ok().filter(|_| is_plain(word))
}

/// A number that may have a minus sign, unless it is 0.
pub(crate) fn integer(word: &str) -> Option<i64> {
    match word.strip_prefix('-') {
        Some(digits) => number::<i64>(digits).filter(|&value| value != 0).and_then(|_| word.parse().ok()),
        None => number(word),
    }
}

/// A text in one line, its control characters escaped.
pub(crate) fn shown(text: &str) -> String {
    let plain = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_one_way_each() {
        assert_eq!((number("0"), number("10"), number("255")), (Some(0u8), Some(10), Some(255)));
        for other in ["", "+7", "007", "00", "-1", "-0", "256", "7 ", " 7", "7.", "1e1", "0x1", "１", "1_0"]
        {
            assert_eq!(number::<u8>(other), None, "{other}");
        }
        assert_eq!((integer("-12"), integer("0"), integer("3")), (Some(-12), Some(0), Some(3)));
        for other in ["", "-", "-0", "-01", "+1", "--1", "- 1", "-9223372036854775809"] {
            assert_eq!(integer(other), None, "{other}");
        }
    }

    #[test]
    fn lines_are_plain() {
        let read = |mut text: &[u8]| -> Result<(), String> {
            let mut lines: Lines<'_, Error> = Lines::new(&mut text, "proof");
            lines.next().map_err(|Error(fault)| fault)
        };
        assert_eq!(read(b"a 1 b\n"), Ok(()));
        for (text, says) in [
            (&b""[..], "1: the proof ends too early"),
            (b"a", "1: the line is cut off"),
            (b"a\r\n", "1: column 2 holds a control character"),
            (b"a\tb\n", "1: column 2"),
            (b"\0a\n", "1: column 1"),
            (b"a\x85\n", "stream did not contain valid UTF-8"),
            (b"a  b\n", "1: words must stand one blank apart"),
            (b" a\n", "1: words must"),
            (b"a \n", "1: words must"),
            (b"\n", "1: words must"),
        ] {
            let fault = read(text).expect_err(says);
            assert!(fault.starts_with(says), "{fault}");
        }
    }

    struct Error(String);

    impl From<Fault> for Error {
        fn from(fault: Fault) -> Self {
            Self(match fault {
                Fault::Unreadable(error) => error.to_string(),
                Fault::Line(line, fault) => format!("{line}: {}", fault.words),
            })
        }
    }
}
