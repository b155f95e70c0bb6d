//! The transcripts of the README and the pages, replayed: a line `...` stands for any lines, and
//! ` ...` at the end of a line for the rest of it.

use std::path::Path;
use std::process::Stdio;

use crate::desk::Desk;

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A command of a transcript, and what it prints.
struct Step {
    command: String,
    printed: Vec<String>,
}

/// The steps of a page, of every block in turn.
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

/// Whether lines are those that a transcript shows.
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

fn replay(page: &str) {
    let desk = Desk::new();
    for folder in ["instances", "models", "results"] {
        std::os::unix::fs::symlink(Path::new(CLONE).join(folder), desk.path(folder)).expect("linked");
    }
    let ndq = assert_cmd::cargo::cargo_bin!("ndq");
    let path = std::env::var("PATH").expect("a search path");
    let path = format!("{}:{path}", ndq.parent().expect("a folder").display());
    let text = std::fs::read_to_string(Path::new(CLONE).join(page)).expect("a page");
    let steps = steps(&text);
    assert!(!steps.is_empty(), "{page} has no transcript");
    for Step { command, printed } in steps {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &command]).current_dir(desk.path("")).env("PATH", &path).env_remove("NDQ_DATA");
        let output = shell.stdin(Stdio::null()).output().expect("runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            are_shown(&lines, &printed),
            "{page}: {command} prints\n{text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
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
fn those_of_the_page_on_how_to_do_what_hold() {
    replay("docs/howto.md");
}

#[test]
fn the_formulation_of_the_page_on_how_to_do_what_is_read() {
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
fn those_of_the_page_on_kunt_2023_hold() {
    replay("docs/kunt.md");
}
