//! Results on standard output, as text or as JSON, one object a line; errors on standard error.

use std::io::{self, Write};

use serde::Serialize;

/// Where results go.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Prints the object when JSON is wanted, else the text. That the reader went away is no failure, and does not change the
    /// answer.
    pub(crate) fn result(&mut self, object: &impl Serialize, text: &str) -> io::Result<()> {
        let text = if self.json { serde_json::to_string(object)? } else { text.trim_end().to_owned() };
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

/// So many of what a word names, which has a plain plural.
pub(crate) fn counted(number: u64, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// Prints an error, its causes on the same line.
pub(crate) fn report(error: &anyhow::Error) {
    log(&format!("error: {error:#}"));
}

/// Prints a line to standard error; there is nothing to be done when that is closed.
pub(crate) fn log(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
