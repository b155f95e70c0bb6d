//! Pages and tables that the program prints, as `scripts/pages` makes them, and the links of all pages.

use std::path::Path;

use crate::desk::Desk;

const CLONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn text(path: &str) -> String {
    std::fs::read_to_string(Path::new(CLONE).join(path)).expect(path)
}

#[test]
fn generated_pages_are_what_the_program_prints() {
    let desk = Desk::new();
    let open = "table open --d 3..9 --n 3..30";
    for (path, head, command) in [
        ("docs/commands.md", "", "man --markdown"),
        ("docs/open-cases.md", "# Open cases\n\n", &format!("{open} --format markdown")),
        ("results/open-cases.csv", "", &format!("{open} --format csv")),
    ] {
        let told = desk.ndq(command).code(0);
        let printed = String::from_utf8(told.get_output().stdout.clone()).expect("a text");
        assert!(
            text(path) == format!("{head}{printed}"),
            "{path} is not of this program; scripts/pages makes it again"
        );
    }
}

/// The targets of the links of a page, outside its blocks of code.
fn links(page: &str) -> Vec<&str> {
    let mut is_code = false;
    let lines = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0)).collect()
}

/// The anchors of a page: its headings in small letters, without signs, blanks as hyphens.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let anchor = |line: &str| {
        let words: String = line.trim_start_matches('#').trim().to_lowercase().chars().filter(kept).collect();
        words.replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// The pages in a folder of the clone and in these folders below it, with theirs.
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
            // The book has the pages of docs/ alone.
            assert!(
                !path.starts_with("docs/") || !file.starts_with("../"),
                "{path}: {link} leads out of the book"
            );
            looked += 1;
        }
    }
    assert!(looked > 100, "{looked} links");
}
