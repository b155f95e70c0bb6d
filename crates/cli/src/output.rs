//! Results on standard output, as text or as one JSON object per line, and errors on standard error.

use std::fmt;
use std::io::{self, Write};

use ndqueens_notation::error_class::ErrorClass;
use ndqueens_system::note::Notes;
use ndqueens_workflow::evidence::FileReport;
use schemars::JsonSchema;
use serde::Serialize;

use crate::exit::Exit;
use crate::printed;

/// Destination and format of results.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    has_printed: bool,
    notes: Notes,
}

/// Answer as text. The verdict is printed last, so that it stays visible after a long board or list.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Boards, lists, the basis of the verdict, and effort; not printed with `--quiet`.
    pub(crate) details: String,
    /// Result, with the conditions under which it holds.
    pub(crate) verdict: String,
}

impl From<String> for Answer {
    fn from(verdict: String) -> Self {
        Self { details: String::new(), verdict }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.details.trim_end() {
            "" => write!(f, "{}", self.verdict.trim_end()),
            details => write!(f, "{details}\n{}", self.verdict.trim_end()),
        }
    }
}

/// Returns the number of columns of the terminal that shows standard output, or `None` if it is not
/// shown by a terminal.
#[must_use]
pub(crate) fn terminal_width() -> Option<u16> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns)
}

impl Output {
    /// Creates an output for text, or for JSON if `json` is set.
    #[must_use]
    pub(crate) fn new(json: bool) -> Self {
        Self { json, quiet: false, has_printed: false, notes: Notes::default() }
    }

    /// Returns this output; if `quiet` is set, it prints verdicts without their details.
    #[must_use]
    pub(crate) fn quietly(self, quiet: bool) -> Self {
        Self { quiet, ..self }
    }

    /// Returns this output; it prints notes to standard error.
    #[must_use]
    pub(crate) fn with_notes(self) -> Self {
        Self { notes: Notes::to(|note| log(&format!("note: {note}"))), ..self }
    }

    /// Returns the destination of notes.
    #[must_use]
    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Returns `true` if results are printed as JSON.
    #[must_use]
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Prints an error of a command as a JSON object, if results are printed as JSON. Ignores a closed
    /// standard output.
    pub(crate) fn fault(&mut self, error: &str, class: ErrorClass) {
        if self.json {
            let exit_code = Exit::from(class) as u8;
            let _ = self.result(&Fault { error, kind: class.kind(), exit_code }, "");
        }
    }

    /// Prints an error object if a command was stopped and has printed none. Returns `exit` unchanged.
    pub(crate) fn end(&mut self, exit: Exit) -> Exit {
        if exit == Exit::Stopped && !self.has_printed {
            self.fault("stopped before there was a result", ErrorClass::Limit);
        }
        exit
    }

    /// Prints the object as JSON, or the details of the answer and then its verdict, depending on the format.
    ///
    /// # Errors
    /// Returns an error if standard output cannot be written.
    pub(crate) fn answer(
        &mut self,
        object: &(impl Serialize + JsonSchema),
        answer: &Answer,
    ) -> io::Result<()> {
        if self.quiet {
            self.result(object, &answer.verdict)
        } else {
            self.result(object, &answer.to_string())
        }
    }

    /// Prints the object as JSON, or the text, depending on the format. A closed pipe is not an error and
    /// does not change the answer.
    pub(crate) fn result(&mut self, object: &(impl Serialize + JsonSchema), text: &str) -> io::Result<()> {
        let text = if self.json { serde_json::to_string(object)? } else { plain(text.trim_end()) };
        self.print(&text)
    }

    /// Prints the report on a file like a [`result`](Self::result).
    pub(crate) fn report(&mut self, report: &FileReport) -> io::Result<()> {
        let text = if self.json { report.object.to_json()? } else { plain(report.text.trim_end()) };
        self.print(&text)
    }

    fn print(&mut self, text: &str) -> io::Result<()> {
        self.has_printed = true;
        let mut out = io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                Err(io::Error::new(error.kind(), format!("cannot write to standard output: {error}")))
            }
            Ok(()) => Ok(()),
        }
    }
}

/// Error that ended a command.
#[derive(JsonSchema, Serialize)]
struct Fault<'a> {
    /// Message.
    error: &'a str,
    /// Class of the error: `bad input`, `refuted`, `limit` or `failure`.
    kind: &'static str,
    /// Exit code of the command.
    exit_code: u8,
}

printed!(Fault<'static>: "error");

/// Maximum number of characters shown from the start and from the end of an error.
const SHOWN: [usize; 2] = [2000, 1000];

/// Returns an error message for display; the middle of a very long one is left out.
pub(crate) fn shorten(words: String) -> String {
    let number = words.chars().count();
    let [first, last] = SHOWN;
    if number <= first + last {
        return words;
    }
    let (begin, end) = (words.chars().take(first), words.chars().skip(number - last));
    begin.chain(" ... ".chars()).chain(end).collect()
}

/// Prints a line to standard error. A failure is ignored, since it could not be reported.
pub(crate) fn log(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", plain(line));
}

/// Escapes control characters other than newlines and tabs, so that quoted files cannot control the terminal.
pub(crate) fn plain(text: &str) -> String {
    let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
    text.chars().map(|c| if steers(c) { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdict_is_printed_last() {
        let answer = Answer { details: "Q .\n\n".to_owned(), verdict: "one\ntwo\n".to_owned() };
        assert_eq!(answer.to_string(), "Q .\none\ntwo");
        assert_eq!(Answer::from("one".to_owned()).to_string(), "one");
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("a\u{1b}[2J\rb\u{9b}1m\u{7f}\0"), "a\\u{1b}[2J\\rb\\u{9b}1m\\u{7f}\\u{0}");
        assert_eq!(plain("Q . .\n\té"), "Q . .\n\té");
    }
}
