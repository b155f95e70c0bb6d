//! Replays the transcripts of the README and the pages: a line `...` matches any lines, and ` ...` at the end
//! of a line matches the rest of it. Every block marked `console` is replayed; commands that take too long or
//! need other programs are shown in blocks marked `sh`.
//!
//! Numbers in prose and tables are replayed if a comment precedes them: `<!-- ndq count 3^5 => 72192 -->`
//! runs the command and checks that the words after `=>`, separated by `;`, occur in its output and in the
//! page below the comment, up to the next empty line.

use std::path::Path;
use std::process::Stdio;

use crate::harness::Desk;

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A command of a transcript and its output.
struct Step {
    command: String,
    printed: Vec<String>,
}

/// Returns the steps of a page, block by block.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => inside = line == "```console",
            Some(command) if inside => {
                steps.push(Step { command: command.to_owned(), printed: Vec::new() });
            }
            None if inside => steps.last_mut().expect("a command comes first").printed.push(line.to_owned()),
            _ => {}
        }
    }
    steps
}

/// Returns `true` if `lines` match the lines that a transcript shows.
fn are_shown(lines: &[&str], shown: &[String]) -> bool {
    match shown {
        [] => lines.is_empty(),
        [any, rest @ ..] if any == "..." => (0..=lines.len()).any(|from| are_shown(&lines[from..], rest)),
        [first, rest @ ..] => {
            let is_shown = |line: &&str| match first.strip_suffix(" ...") {
                Some(beginning) => line.starts_with(beginning),
                None => line == first,
            };
            lines.first().is_some_and(is_shown) && are_shown(&lines[1..], rest)
        }
    }
}

/// Returns a folder in which commands of pages run, and the search path that finds `ndq`.
pub(crate) fn stage() -> (Desk, String) {
    let desk = Desk::new();
    for folder in ["instances", "models", "results", "scripts"] {
        std::os::unix::fs::symlink(Path::new(CLONE).join(folder), desk.path(folder)).expect("linked");
    }
    let ndq = assert_cmd::cargo::cargo_bin!("ndq");
    let path = std::env::var("PATH").expect("a search path");
    let path = format!("{}:{path}", ndq.parent().expect("a folder").display());
    (desk, path)
}

/// Runs a command line of a page. Returns its standard output and standard error.
fn run_shown((desk, path): &(Desk, String), command: &str) -> (String, String) {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", command]).current_dir(desk.path("")).env("PATH", path).env_remove("NDQ_DATA");
    let output = shell.stdin(Stdio::null()).output().expect("runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (String::from_utf8(output.stdout).expect("UTF-8"), error)
}

fn replay(page: &str) {
    let stage = stage();
    let text = std::fs::read_to_string(Path::new(CLONE).join(page)).expect("a page");
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{page} has no transcript");
    for Step { command, printed } in steps {
        let (text, error) = run_shown(&stage, &command);
        let lines: Vec<&str> = text.lines().collect();
        assert!(are_shown(&lines, &printed), "{page}: {command} prints\n{text}{error}",);
    }
}

#[test]
fn those_of_the_readme_hold() {
    replay("README.md");
}

#[test]
fn those_of_the_tutorial_hold() {
    replay("docs/tutorial.md");
}

#[test]
fn how_to_transcripts_hold() {
    replay("docs/howto.md");
}

#[test]
fn how_to_formulation_is_read() {
    let page = std::fs::read_to_string(Path::new(CLONE).join("docs/howto.md")).expect("a page");
    let (_, rest) = page.split_once("```toml\n").expect("a formulation");
    let desk = Desk::new();
    desk.write("own.toml", rest.split_once("```").expect("its end").0);
    desk.ndq("model 4^3 -f own.toml -o own.lp").success();
    assert_eq!(desk.read("own.lp").matches("odd_cycle_").count(), 200);
}

#[test]
fn those_of_the_page_on_the_problem_hold() {
    replay("docs/problem.md");
}

#[test]
fn those_of_the_page_on_formulations_hold() {
    replay("docs/formulations.md");
}

#[test]
fn those_of_the_page_on_faces_hold() {
    replay("docs/faces-and-facets.md");
}

#[test]
fn those_of_the_page_on_counting_hold() {
    replay("docs/counting.md");
}

#[test]
fn those_of_the_page_on_kunt_2023_hold() {
    replay("docs/kunt.md");
}

/// Returns the pages of the book and the README.
fn pages() -> Vec<String> {
    let docs = std::fs::read_dir(Path::new(CLONE).join("docs")).expect("a folder");
    let names = docs.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let pages = names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    let mut pages: Vec<String> = pages.chain(["README.md".to_owned()]).collect();
    pages.sort();
    pages
}

#[test]
fn every_page_with_transcripts_is_replayed() {
    let tests = include_str!("transcripts.rs");
    for page in pages() {
        let text = std::fs::read_to_string(Path::new(CLONE).join(&page)).expect("a page");
        let is_replayed = tests.contains(&format!("replay(\"{page}\")"));
        assert_eq!(!steps(&text).is_empty(), is_replayed, "{page}");
    }
}

/// Returns `true` if a text contains a word that is not part of a longer number or name.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric();
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.chars().next_back().is_some_and(inside) && !after.chars().next().is_some_and(inside)
    })
}

/// Returns the text below a comment, up to the next empty line after it, with thousands separators left out.
fn block_below(rest: &str) -> String {
    let block = rest.trim_start().split("\n\n").next().unwrap_or_default();
    let lines = block.lines().filter(|line| !line.starts_with("<!-- "));
    lines.map(|line| line.replace(',', "") + "\n").collect()
}

#[test]
fn numbers_in_prose_are_what_commands_print() {
    let stage = stage();
    let mut replayed = 0;
    for page in pages() {
        let text = std::fs::read_to_string(Path::new(CLONE).join(&page)).expect("a page");
        for (at, mark) in text.match_indices("<!-- ndq ") {
            let (comment, rest) = text[at + mark.len()..].split_once("-->").expect("a comment ends");
            let (command, words) = comment.split_once(" => ").expect("a comment has =>");
            let (out, error) = run_shown(&stage, &format!("ndq {command}"));
            let block = block_below(rest);
            for word in words.split(';').map(str::trim) {
                assert!(has_word(&out, word), "{page}: ndq {command} does not print {word}:\n{out}{error}");
                assert!(has_word(&block, word), "{page}: {word} of ndq {command} is not in\n{block}");
                replayed += 1;
            }
        }
    }
    assert!(replayed > 0, "no number is replayed");
}

#[test]
fn words_are_whole_numbers() {
    assert!(has_word("a 12, 3", "12") && !has_word("a 123", "12") && !has_word("a 312", "12"));
    assert_eq!(block_below("\n<!-- ndq 7 -->\n1,344 sets\n\nmore 2"), "1344 sets\n");
}
