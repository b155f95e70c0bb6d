//! Classes of false and damaged inputs. Each input must be rejected with a message that contains the place or
//! the reason.
//!
//! Each class is a test that passes a list of [`Forgery`] to [`all_refused`]. Most forgeries are edits of a
//! valid file by [`Genuine::edited`], which first checks that the valid file is accepted.

mod archive;
mod boards;
mod documents;
mod lists;
mod numbers;
mod outside;
mod parts;
mod rows;
mod sums;
mod trees;
mod vipr;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Files, and the arguments of a command that must reject them.
pub(crate) struct Forgery {
    pub(crate) files: Vec<(&'static str, Vec<u8>)>,
    pub(crate) arguments: Vec<String>,
    /// Text that the error must contain.
    pub(crate) says: String,
}

impl Forgery {
    /// Returns a forgery that consists of one file, for the command `check`.
    pub(crate) fn check(file: &'static str, text: impl Into<Vec<u8>>, says: impl Into<String>) -> Self {
        Self {
            files: vec![(file, text.into())],
            arguments: vec!["check".to_owned(), file.to_owned()],
            says: says.into(),
        }
    }
}

/// File that is accepted without changes.
pub(crate) struct Genuine {
    pub(crate) file: &'static str,
    pub(crate) text: &'static str,
}

impl Genuine {
    /// Returns a forgery for each edit: old text, of which the first occurrence is replaced, new text and
    /// expected error.
    pub(crate) fn edited(&self, edits: &[(&str, &str, &str)]) -> Vec<Forgery> {
        self.is_accepted();
        let edit = |&(old, new, says): &(&str, &str, &str)| {
            assert!(self.text.contains(old), "{old:?} is not there");
            Forgery::check(self.file, self.text.replacen(old, new, 1), says)
        };
        edits.iter().map(edit).collect()
    }

    pub(crate) fn is_accepted(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let (code, output) = asked(folder.path(), &Forgery::check(self.file, self.text, ""), None);
        assert_eq!(code, Some(0), "{output}\n{}", self.text);
    }
}

/// Asserts that there are at least `least` forgeries and that each is rejected, in a separate folder.
/// Requires no program except `ndq`.
pub(crate) fn all_refused(class: &str, least: usize, forgeries: &[Forgery]) {
    all_refused_with(class, least, forgeries, None);
}

/// Does the same as [`all_refused`] with the folder `programs` at the front of `PATH`.
pub(crate) fn all_refused_with(class: &str, least: usize, forgeries: &[Forgery], programs: Option<&Path>) {
    assert!(forgeries.len() >= least, "{class}: {} forgeries", forgeries.len());
    let mut faults = Vec::new();
    for forgery in forgeries {
        let folder = tempfile::tempdir().expect("a folder");
        let (code, output) = asked(folder.path(), forgery, programs);
        // If ndq joins forged files to a proof that its check rejects, it exits with code 4.
        let own = code == Some(4) && output.contains("the independent check refuses");
        let beyond_limit = code == Some(3) && output.contains("not checked");
        let refused = (matches!(code, Some(1 | 2)) || own || beyond_limit) && !output.contains("panicked");
        if !refused || !output.contains(&forgery.says) {
            let texts: Vec<_> = forgery.files.iter().map(|(_, text)| String::from_utf8_lossy(text)).collect();
            let says = &forgery.says;
            faults.push(format!("{:?} {code:?}, {says:?} expected: {output}{texts:?}", forgery.arguments));
        }
    }
    assert!(faults.is_empty(), "{class}: {} of {}:\n{}", faults.len(), forgeries.len(), faults.join("\n"));
}

fn asked(folder: &Path, forgery: &Forgery, programs: Option<&Path>) -> (Option<i32>, String) {
    for (name, text) in &forgery.files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("writable");
    }
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
    command.current_dir(folder).args(&forgery.arguments);
    if let Some(programs) = programs {
        let path = std::env::var("PATH").expect("a path");
        command.env("PATH", format!("{}:{path}", programs.display()));
    }
    let output = command.output().expect("it runs");
    let words = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&words).into_owned())
}

/// Runs `ndq` in a folder and asserts that it succeeds.
pub(crate) fn made(folder: &Path, arguments: &str) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ndq"));
    let output = command.current_dir(folder).args(arguments.split_whitespace()).output().expect("it runs");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Creates a folder with a script in place of a program. Returns the folder and its path.
pub(crate) fn program(name: &str, script: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("made executable");
    let programs = folder.path().to_owned();
    (folder, programs)
}
