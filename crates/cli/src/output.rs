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

    /// Prints the object when JSON is wanted, else the text.
    pub(crate) fn result(&mut self, object: &impl Serialize, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, object)?;
            writeln!(out)?;
        } else {
            writeln!(out, "{}", text.trim_end())?;
        }
        out.flush()
    }
}

/// Whether the reader of our output went away, which is not a failure.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Prints an error, its causes on the same line.
pub(crate) fn report(error: &anyhow::Error) {
    log(&format!("error: {error:#}"));
}

/// Prints a line to standard error; there is nothing to be done when that is closed.
pub(crate) fn log(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
