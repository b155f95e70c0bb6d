//! Replays the rows of the pages on the sources: each command prints the values in backticks
//! of the cell `here`.
//!
//! A row is a line of a table with the heading [`HEADING`]. Its command is in backticks, followed in
//! parentheses by the exit code if it is not 0, and the time if it is more than ten seconds; a command with a
//! time is not run. Values are compared without thousands separators, and runs of blanks count as one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::transcripts::{has_word, stage};

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

const PAGES: [&str; 5] = [
    "docs/kunt.md",
    "docs/de-groot.md",
    "docs/vasquez-habet.md",
    "docs/siddiqua-apoorva.md",
    "docs/ashlock-mceachern.md",
];

const HEADING: &str = "| item | content | command | printed | here | status |";

/// The words for the status of a row, in addition to `part: REASON` and `missing: REASON`.
const STATUSES: [&str; 8] = [
    "theorem",
    "proved",
    "counted twice",
    "counted once",
    "solved not certified",
    "definition",
    "picture",
    "published only",
];

/// Minimum number of rows on all pages: the number of theorems, tables, figures and other
/// items of the sources.
const MIN_ROWS: usize = 151;

/// Row of a page.
#[derive(Debug, PartialEq, Eq)]
struct Row<'p> {
    item: &'p str,
    command: &'p str,
    /// Exit code that the row states, 0 by default.
    exit: i32,
    /// `true` if the row states a time, so that its command is not run.
    is_long: bool,
    values: Vec<&'p str>,
}

/// Returns the lines of a page that are rows.
fn lines(page: &str) -> Vec<&str> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line == HEADING {
            inside = true;
        } else if !line.starts_with('|') {
            inside = false;
        } else if inside && !line.starts_with("| ---") {
            lines.push(line);
        }
    }
    lines
}

/// Returns `true` if a text is a time such as `12 s`, `2 min`, `3 h` or `58.3 days`.
fn is_time(text: &str) -> bool {
    let is_unit = |unit: &str| ["s", "min", "h", "days"].contains(&unit);
    text.split_once(' ').is_some_and(|(number, unit)| number.parse::<f64>().is_ok() && is_unit(unit))
}

/// Parses a row.
///
/// # Errors
/// Returns an error if a cell has another form than the pages agree on.
fn parse(line: &str) -> Result<Row<'_>, String> {
    let fault = |what: &str| Err(format!("{what}: {line}"));
    let inside = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")).unwrap_or_default();
    let cells: Vec<&str> = inside.split(" | ").map(str::trim).collect();
    let [item, content, command, printed, here, status] = cells[..] else { return fault("not six cells") };
    if [item, content, printed, here].contains(&"") {
        return fault("an empty cell");
    }
    let reason = status.strip_prefix("part: ").or_else(|| status.strip_prefix("missing: "));
    if !STATUSES.contains(&status) && reason.is_none_or(str::is_empty) {
        return fault("unknown status");
    }
    let Some((command, note)) = command.strip_prefix('`').and_then(|command| command.split_once('`')) else {
        return fault("no command in backticks");
    };
    if !command.split(" && ").all(|command| command.starts_with("ndq ")) {
        return fault("a command that does not begin with ndq");
    }
    let note =
        note.strip_prefix(" (").and_then(|note| note.strip_suffix(')')).or(note.is_empty().then_some(""));
    let Some(note) = note else { return fault("text after the command") };
    let (mut exit, mut is_long) = (0, false);
    for part in note.split(", ").filter(|part| !part.is_empty()) {
        match part.strip_prefix("exit ").map(str::parse::<i32>) {
            Some(Ok(code)) => exit = code,
            None if is_time(part) => is_long = true,
            _ => return fault("neither an exit code nor a time"),
        }
    }
    let pieces: Vec<&str> = here.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return fault("a backtick without a partner");
    }
    let values = pieces.into_iter().skip(1).step_by(2).collect();
    Ok(Row { item, command, exit, is_long, values })
}

/// Returns a text without thousands separators, with single blanks.
fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let signs: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(char::is_ascii_digit);
    let is_separator = |at: usize| signs[at] == ',' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    (0..signs.len()).filter(|&at| !is_separator(at)).map(|at| signs[at]).collect()
}

/// Runs a command of a row in a new folder. Returns its output and its exit code.
fn run(command: &str) -> (String, Option<i32>) {
    let (desk, path) = stage();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(desk.path("")).env("PATH", path).env_remove("NDQ_DATA");
    let output = shell.stdin(Stdio::null()).output().expect("runs");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (plain(&text.join("\n")), output.status.code())
}

fn page(path: &str) -> String {
    std::fs::read_to_string(Path::new(CLONE).join(path)).expect(path)
}

/// Checks share `share` of `shares` of the rows of a page, counted from 0.
fn replay(path: &str, share: usize, shares: usize) {
    let page = page(path);
    let lines = lines(&page);
    let length = lines.len().div_ceil(shares);
    let rows = lines.into_iter().skip(share * length).take(length).filter_map(|line| parse(line).ok());
    let mut printed = BTreeMap::new();
    let mut faults = Vec::new();
    for row in rows.filter(|row| !row.is_long) {
        let (text, code) = printed.entry(row.command).or_insert_with(|| run(row.command));
        if *code != Some(row.exit) {
            faults.push(format!("{path}, {}: exit code {code:?} instead of {}: {text}", row.item, row.exit));
        }
        for value in row.values.iter().filter(|value| !has_word(text, &plain(value))) {
            faults.push(format!("{path}, {}: {} does not print {value}: {text}", row.item, row.command));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(!printed.is_empty(), "{path}: no command was run");
}

#[test]
fn every_row_has_the_agreed_form() {
    let pages = PAGES.map(page);
    let rows: Vec<_> = pages.iter().flat_map(|page| lines(page)).map(parse).collect();
    assert!(rows.len() >= MIN_ROWS, "{} rows", rows.len());
    let faults: Vec<String> = rows.into_iter().filter_map(Result::err).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn rows_on_kunt_2023_hold_first_quarter() {
    replay("docs/kunt.md", 0, 4);
}

#[test]
fn rows_on_kunt_2023_hold_second_quarter() {
    replay("docs/kunt.md", 1, 4);
}

#[test]
fn rows_on_kunt_2023_hold_third_quarter() {
    replay("docs/kunt.md", 2, 4);
}

#[test]
fn rows_on_kunt_2023_hold_fourth_quarter() {
    replay("docs/kunt.md", 3, 4);
}

#[test]
fn rows_on_de_groot_2020_hold() {
    replay("docs/de-groot.md", 0, 1);
}

#[test]
fn rows_on_vasquez_and_habet_2004_hold() {
    replay("docs/vasquez-habet.md", 0, 1);
}

#[test]
fn rows_on_siddiqua_and_apoorva_2021_hold() {
    replay("docs/siddiqua-apoorva.md", 0, 1);
}

#[test]
fn rows_on_ashlock_and_mceachern_hold() {
    replay("docs/ashlock-mceachern.md", 0, 1);
}

#[test]
fn rows_are_read_cell_by_cell() {
    let page = format!(
        "{HEADING}\n| --- |\n| a | b | `ndq x` (exit 1, 2 min) | – | `1,000`, `2` | theorem |\n\n| c |"
    );
    assert_eq!(lines(&page).len(), 1);
    let row = Row { item: "a", command: "ndq x", exit: 1, is_long: true, values: vec!["1,000", "2"] };
    assert_eq!(parse(lines(&page)[0]), Ok(row));
    for line in [
        "| a | b | c | d | e |",
        "| a | b | c | d | e | theorem |",
        "| a | b | `ndq x` | d | e | part: |",
        "| a | b | `ndq x` | d | e | true |",
        "| a | b | `ndq x && rm x` | d | e | theorem |",
        "| a | b | `ndq x` (soon) | d | e | theorem |",
        "| a | b | `ndq x` | d | `e | theorem |",
        "| a | b | `ndq x` |  | `e` | theorem |",
    ] {
        assert!(parse(line).is_err(), "{line}");
    }
    assert_eq!(plain("12,345  of (1, 2)\n1,2"), "12345 of (1, 2) 12");
}
