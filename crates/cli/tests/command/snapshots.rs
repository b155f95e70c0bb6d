//! Compares the full output of help and tables with the files in `snapshots/`. After an intended change, the
//! tests rewrite the files with `INSTA_UPDATE=always`; `git diff` shows the differences.

use std::path::Path;
use std::process::Stdio;

use insta::{Settings, assert_snapshot};

use crate::harness::Desk;

const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command/snapshots");

/// Returns the standard output of `ndq`, in lines of at most 100 columns.
fn printed(arguments: &[&str]) -> String {
    let mut command = Desk::new().command();
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    let output = command.env("COLUMNS", "100").output().expect("runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks that the text equals the snapshot named `name`.
fn is_kept(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(SNAPSHOTS);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}

/// Returns the commands that a help text lists.
fn listed(help: &str) -> Vec<&str> {
    let before_options = help.lines().take_while(|line| !line.ends_with("ptions:"));
    let indented = before_options.filter_map(|line| line.strip_prefix("  "));
    let names = indented.filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").collect()
}

/// Checks the help texts of a command and its subcommands. Returns the names of their snapshots.
fn helps_are_kept(command: &[&str]) -> Vec<String> {
    let help = printed(&[command, &["--help"]].concat());
    let name = [&["help"], command].concat().join("-");
    is_kept(&name, &help);
    let below = listed(&help).into_iter().flat_map(|below| helps_are_kept(&[command, &[below]].concat()));
    [name].into_iter().chain(below).collect()
}

#[test]
fn the_help_of_every_command_is_kept() {
    let mut names = helps_are_kept(&[]);
    let files =
        Path::new(SNAPSHOTS).read_dir().expect("a folder").map(|file| file.expect("a file").file_name());
    let files = files.filter_map(|file| Some(file.to_str()?.strip_suffix(".snap")?.to_owned()));
    let mut kept: Vec<String> = files.filter(|name| name.starts_with("help")).collect();
    names.sort();
    kept.sort();
    assert_eq!(kept, names, "every help that is kept is that of a command");
    assert!(names.len() > 40, "{names:?}");
}

#[test]
fn tables_are_kept() {
    for (name, arguments) in [
        ("published", "table published"),
        ("bounds", "table bounds --d 2..5 --n 1..12"),
        ("bounds-markdown", "table bounds --d 3 --n 1..12 --format markdown"),
        ("lab-table-comparison", "lab table ../../results/2026-11-21-small-boards/d3"),
        ("lab-table-kunt", "lab table ../../results/2026-11-21-small-boards/d4 --layout kunt"),
    ] {
        is_kept(name, &printed(&arguments.split(' ').collect::<Vec<_>>()));
    }
}
