//! HTML pages: the report of experiments and the site of known results.

use std::path::{Path, PathBuf};

use predicates::str::contains;

use crate::harness::Desk;
use crate::lab_tables::rewrite;

fn clone() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Creates a test folder with an experiment of the clone in the folder `d5`.
fn desk() -> Desk {
    let desk = Desk::new();
    let from = clone().join("results/2026-11-21-small-boards/d5");
    std::fs::create_dir(desk.path("d5")).expect("made");
    for name in ["experiment.toml", "plan.csv", "plan.csv.sha256", "runs.jsonl"] {
        std::fs::copy(from.join(name), desk.path("d5").join(name)).expect(name);
    }
    desk
}

/// Returns the network requests of a page: addresses in attributes that load a resource.
fn loads(page: &str) -> Vec<&str> {
    let parts = ["src=\"", "href=\"", "url(", "@import"].iter().flat_map(|part| page.split(part).skip(1));
    parts.map(|rest| &rest[..rest.len().min(8)]).filter(|rest| rest.contains("//")).collect()
}

#[test]
fn report_is_a_single_deterministic_file() {
    let desk = desk();
    let written = desk.json(0, "lab report d5 -o one.html");
    assert_eq!((&written[0]["runs"], &written[0]["contradictions"]), (&130.into(), &0.into()));
    desk.ndq("--quiet lab report d5 -o two.html").success();
    let page = desk.read("one.html");
    assert_eq!(page, desk.read("two.html"));
    assert!(page.len() < 300_000, "{} bytes for 130 runs", page.len());
    assert_eq!(loads(&page), Vec::<&str>::new());
    assert!(page.find("<h3>Results") < page.find("<h3>Verdicts"), "results come first");
    for words in
        ["No contradiction among 130 runs", "ndq lab run d5/experiment.toml", "20a1afa0cd97", "HiGHS 1.15.0"]
    {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains(&desk.path("").display().to_string()), "no path of this machine");
}

#[test]
fn report_of_a_folder_has_all_experiments() {
    let desk = desk();
    std::fs::create_dir(desk.path("all")).expect("made");
    std::fs::rename(desk.path("d5"), desk.path("all/b")).expect("moved");
    let copied = desk.command().args(["--quiet", "lab", "report", "all", "-o", "one.html"]).status();
    assert!(copied.expect("run").success());
    assert!(desk.read("one.html").contains("Folder <code>b</code>"));
    std::fs::create_dir(desk.path("none")).expect("made");
    desk.ndq("lab report none -o none.html").code(2).stderr(contains("no folder of an experiment"));
    desk.ndq("lab report d5 -o none.html").code(2);
    assert!(!desk.path("none.html").exists());
}

#[test]
fn a_contradiction_stands_first_in_a_report() {
    let desk = desk();
    rewrite(&desk, "d5", |row| {
        if row["planned"]["question"]["seed"] == 0 {
            row["answer"]["dual_bound"] = 0.into();
            row["answer"]["proved_bound"] = 0.into();
        }
    });
    desk.ndq("lab report d5 -o page.html").code(4).stderr(contains("CONTRADICTION"));
    let page = desk.read("page.html");
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(place("CONTRADICTIONS.</strong>") < place("<h3>Results"));
}

#[test]
fn report_escapes_html_in_titles_and_errors() {
    let desk = desk();
    let hostile = "</script><script>alert(1)</script><img src=x>";
    rewrite(&desk, "d5", |row| {
        row["provenance"]["host"] = hostile.into();
        if row["planned"]["question"]["seed"] == 1 {
            row["failure"] = hostile.into();
            row["answer"]["outcome"] = "unknown".into();
            for gone in ["incumbent", "dual_bound", "proved_bound", "certificate", "certificate_sha256"] {
                row["answer"][gone] = serde_json::Value::Null;
            }
        }
    });
    let experiment = desk.read("d5/experiment.toml");
    let title = experiment.lines().next().expect("a title").to_owned();
    desk.write("d5/experiment.toml", experiment.replace(&title, &format!("title = \"{hostile}\"")));
    desk.ndq("--quiet lab report d5 -o page.html").success();
    let page = desk.read("page.html");
    assert!(!page.contains("<script>alert") && !page.contains("<img src=x"));
    assert!(page.contains("&#60;script&#62;alert(1)"));
}

#[test]
fn site_is_deterministic_and_self_contained() {
    let desk = Desk::new();
    let written = desk.json(0, "site --d 2..3 --n 1..6 -o one");
    desk.ndq("--quiet site --d 2..3 --n 1..6 -o two").success();
    let names = |folder: &str| {
        let mut names = desk.names(folder);
        names.sort();
        names
    };
    for folder in ["", "/boards", "/book"] {
        let [one, two] = ["one", "two"].map(|site| format!("{site}{folder}"));
        assert_eq!(names(&one), names(&two));
        for name in names(&one).into_iter().filter(|name| name.contains('.')) {
            let page = desk.read_bytes(&format!("{one}/{name}"));
            assert!(page == desk.read_bytes(&format!("{two}/{name}")), "{name}");
            let page = String::from_utf8_lossy(&page);
            let outside: Vec<_> =
                page.split("src=\"").skip(1).filter(|rest| rest.starts_with("http")).collect();
            assert!(outside.is_empty(), "{name}");
        }
    }
    assert_eq!(names("one/boards").len(), 12);
    assert!(written[0]["files"].as_u64() > Some(40));
    let start = desk.read("one/index.html");
    for words in
        ["12 of 12 boards", "href=\"boards/d3-n5.html\" title=\"5^3: at least 13 queens (checked)", "<svg "]
    {
        assert!(start.contains(words), "{words}");
    }
    let board = desk.read("one/boards/d3-n5.html");
    for words in
        ["The maximum is <strong>13</strong>", "5^3.proof.gz", "ndqueens certificate 1", "OEIS A068940"]
    {
        assert!(board.contains(words), "{words}");
    }
}

#[test]
fn empty_archive_yields_theorems_and_publications() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("empty")).expect("made");
    desk.ndq("--quiet --data empty site --d 3..3 --n 5..5 -o site").success();
    let board = desk.read("site/boards/d3-n5.html");
    assert!(board.contains("published: ") && !board.contains("5^3.proof.gz"));
    assert!(board.contains("13 queens, of which no two attack"), "a construction is shown");
    let hostile = "<script>alert(1)</script>";
    let certificate =
        std::fs::read_to_string(clone().join("results/archive/certificates/5^3.txt")).expect("a certificate");
    let origin = certificate.lines().find(|line| line.starts_with("origin")).expect("an origin").to_owned();
    std::fs::create_dir(desk.path("empty/certificates")).expect("made");
    desk.write("empty/certificates/5^3.txt", certificate.replace(&origin, &format!("origin: {hostile}")));
    desk.ndq("--quiet --data empty site --d 3..3 --n 5..5 -o site").success();
    let board = desk.read("site/boards/d3-n5.html");
    assert!(
        !board.contains(hostile)
            && board.contains("alert(1)")
            && board.contains("13 queens, of which no two attack")
    );
    desk.write("file", "");
    desk.ndq("site --d 2..2 --n 1..2 -o file").code(2).stderr(contains("file"));
}
