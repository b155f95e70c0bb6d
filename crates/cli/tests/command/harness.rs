//! Test harness: a temporary folder in which `ndq` runs.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Once;

use assert_cmd::assert::{Assert, OutputAssertExt as _};
use nix::sys::signal::{SigHandler, Signal, signal};
use serde_json::Value;
use tempfile::TempDir;

use crate::schema;

/// Formulation of lines and layers, whose right-hand sides are bounds of smaller boards.
pub(crate) const LAYERS: &str =
    "title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\nfamilies = [\"line\", \"layer\"]\n";

pub(crate) struct Desk(TempDir);

/// Restores the default handling of interrupts, because a shell's background jobs and their children ignore
/// them, and the tests send some.
#[allow(unsafe_code, reason = "a handler may do anything; this is the system's own")]
fn heed_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for of in [Signal::SIGINT, Signal::SIGHUP] {
            // SAFETY: no function of this program is installed as a handler.
            unsafe { signal(of, SigHandler::SigDfl) }.expect("a signal that may be handled");
        }
    });
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn command(&self) -> Command {
        heed_signals();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
        command.current_dir(self.0.path()).env_remove("NDQ_DATA");
        command
    }

    /// Runs `ndq` with arguments separated by blanks.
    pub(crate) fn ndq(&self, arguments: &str) -> Assert {
        self.command().args(arguments.split_whitespace()).assert()
    }

    /// Returns the JSON values, one per line, that `ndq --json` prints before it ends with exit code `exit`.
    pub(crate) fn json(&self, exit: i32, arguments: &str) -> Vec<Value> {
        let assert = self.ndq(&format!("--json --quiet {arguments}")).code(exit);
        let out = String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8");
        let values: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        values.iter().for_each(|value| schema::check(arguments, value));
        values
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("writable");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    pub(crate) fn read_bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect(name)
    }

    /// Writes a certificate of `squares`, each given by its coordinates separated by blanks.
    pub(crate) fn certificate(&self, name: &str, board: &str, squares: &[&str]) {
        let (size, squares) = (squares.len(), squares.join("\n"));
        let head = format!("ndqueens certificate 1\nboard: {board}\nproblem: independent set\nsize: {size}");
        self.write(name, format!("{head}\norigin: by hand\n{squares}\n"));
    }

    /// Returns the names of the entries of a folder, including hidden files.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).expect(folder);
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
    }
}

/// Path of a file in `tests/command/cases`.
pub(crate) fn case(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/command/cases").join(name)
}
