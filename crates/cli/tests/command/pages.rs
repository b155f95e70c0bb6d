//! Pages and tables that `scripts/pages` generates with the program, and the links of all pages.

use std::path::Path;

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(CLONE).join(path)).expect(path)
}

#[test]
fn generated_pages_are_what_the_program_prints() {
    let desk = Desk::new();
    let (open, new) = ("table open", "table new");
    for (path, head, command) in [
        ("docs/commands.md", "", "man --markdown"),
        ("docs/output.schema.json", "", "man --schema"),
        ("docs/data.md", "# Data dictionary\n\n", "table columns --format markdown"),
        ("docs/open-cases.md", "# Open cases\n\n", &format!("{open} --format markdown")),
        ("results/open-cases.csv", "", &format!("{open} --format csv")),
        ("docs/new.md", "# What is new here\n\n", &format!("{new} --format markdown")),
        ("results/new-bounds.csv", "", &format!("{new} --format csv")),
    ] {
        let outcome = desk.ndq(command).code(0);
        let printed = String::from_utf8(outcome.get_output().stdout.clone()).expect("a text");
        assert!(
            text(path) == format!("{head}{printed}"),
            "{path} is not of this program; scripts/pages makes it again"
        );
    }
}

/// The Data Package of the repository is up to date; it lists every CSV file under a unique name, and every
/// value has the type of its column.
#[test]
fn the_data_package_describes_every_table() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("none")).expect("a folder");
    desk.write("none/mine.csv", "a,b\n1,2\n");
    let none = desk.ndq("table columns --package none").code(2);
    none.stderr(
        contains("none/mine.csv: no table of ndq has")
            .and(contains("there is no CSV file of ndq in this folder")),
    );
    desk.ndq("table columns --package nowhere").code(2).stderr(contains("cannot read nowhere"));
    let outcome = desk.ndq(&format!("table columns --package {CLONE}")).code(0);
    let printed = outcome.get_output();
    // Test inputs of other programs are not tables of ndq.
    let noted = String::from_utf8_lossy(&printed.stderr);
    assert!(noted.lines().all(|line| line.contains("/tests/command/cases/")), "{noted}");
    assert!(
        text("datapackage.json").as_bytes() == printed.stdout,
        "scripts/pages makes datapackage.json again"
    );
    let package: serde_json::Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    let resources = package["resources"].as_array().expect("resources");
    let mut names: Vec<_> = resources.iter().map(|resource| resource["name"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), resources.len());
    for resource in resources {
        let path = resource["path"].as_str().expect("a path");
        let fields = resource["schema"]["fields"].as_array().expect("fields");
        let mut rows = csv::Reader::from_path(Path::new(CLONE).join(path)).expect(path);
        for row in rows.records() {
            let row = row.expect(path);
            for (field, value) in fields.iter().zip(&row).filter(|(_, value)| !value.is_empty()) {
                // A cell has one value, except sentences that explain a column and lists of bounds.
                let is_bound =
                    |text: &str| text.split_once("<=").is_some_and(|(_, k)| k.parse::<u64>().is_ok());
                let is_one = match field["name"].as_str() {
                    Some("meaning") => true,
                    Some("rests_on") => value.split(';').all(is_bound),
                    _ => !value.contains(';'),
                };
                assert!(is_one, "{path}: {value} is a list, in {}", field["name"]);
                let holds = match field["type"].as_str() {
                    Some("number") => value.parse::<f64>().is_ok(),
                    Some("boolean") => ["true", "false"].contains(&value),
                    _ => true,
                };
                assert!(holds, "{path}: {} is no {} of {}", value, field["type"], field["name"]);
            }
        }
    }
}

/// The page on trust quotes the definitions, and the theorems without proofs.
#[test]
fn the_page_on_trust_quotes_theorems_and_definitions() {
    let source = |name: &str| text(&format!("crates/crosscheck/rocq/{name}.v"));
    let mut in_proof = false;
    let mut statements = String::new();
    for line in source("Theorems").lines() {
        in_proof |= line.starts_with("Proof.");
        if !in_proof && !line.starts_with("Print Assumptions") {
            statements.extend([line, "\n"]);
        }
        in_proof &= !line.ends_with("Qed.");
    }
    let page = text("docs/trust.md");
    let blocks: Vec<&str> =
        page.split("```coq\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0].trim(), statements.trim(), "docs/trust.md has other theorems");
    assert_eq!(blocks[1].trim(), source("Definitions").trim(), "docs/trust.md has other definitions");
}

/// Returns the link targets of a page, outside code blocks.
fn links(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// Returns the anchors of a page: its headings in lower case, without punctuation, with hyphens for blanks.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let anchor = |line: &str| {
        let words: String = line.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect();
        words.replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// Adds the pages in a folder of the clone and, recursively, in its subfolders `below`.
fn pages_in(folder: &Path, below: &[&str], pages: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).expect("an entry");
        let is_below = below.is_empty() || below.iter().any(|below| *below == name);
        if path.is_dir() && is_below {
            pages_in(&path, &[], pages);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            pages.push(path.strip_prefix(CLONE).expect("in the clone").display().to_string());
        }
    }
}

#[test]
fn links_lead_somewhere() {
    let clone = Path::new(CLONE);
    let mut pages = Vec::new();
    pages_in(clone, &["docs", "instances", "models", "results"], &mut pages);
    let mut looked = 0;
    for path in &pages {
        let page = text(path);
        for link in links(&page).into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => clone.join(path),
                file => clone.join(path).with_file_name("").join(file),
            };
            assert!(target.exists(), "{path}: there is no {link}");
            let is_there =
                || anchors(&std::fs::read_to_string(&target).expect("a page")).iter().any(|a| a == anchor);
            assert!(anchor.is_empty() || is_there(), "{path}: {link} has no such heading");
            // The book contains only the pages of docs/.
            assert!(
                !path.starts_with("docs/") || !file.starts_with("../"),
                "{path}: {link} leads out of the book"
            );
            looked += 1;
        }
    }
    assert!(looked > 100, "{looked} links");
}
