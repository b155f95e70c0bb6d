//! `ndq model -o FILE` through the binary: what is in the files, and what is refused.

use std::path::Path;

use assert_cmd::Command;
use ndqueens_model::format::FileFormat;
use predicates::str::contains;

fn ndq(folder: &Path, arguments: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("ndq").expect("the binary");
    command.current_dir(folder).args(arguments.split_whitespace()).assert()
}

fn text(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).expect("a file was written")
}

#[test]
fn headers_and_printed_counts_are_true() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();

    ndq(folder, "model 3^3 -o max.opb").success().stdout(contains("rows, 27 columns"));
    let opb = text(folder, "max.opb");
    let constraints = opb.lines().filter(|line| line.ends_with(" ;") && !line.starts_with("min:")).count();
    assert_eq!(opb.lines().next(), Some(format!("* #variable= 27 #constraint= {constraints}").as_str()));
    assert!(opb.contains("\n* x27 x_2_2_2\n") && opb.contains("\nmin: -1 x1 -1 x2 "), "{opb}");

    let assert = ndq(folder, "--json model 3^3 -f base --at-least 5 -o five.cnf").success();
    let printed: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
    let cnf = text(folder, "five.cnf");
    let clauses = cnf.lines().filter(|line| line.ends_with(" 0")).count();
    let literals = cnf.lines().filter(|line| line.ends_with(" 0")).flat_map(str::split_whitespace);
    let variables = literals.map(|word| word.parse::<i32>().expect("a literal").unsigned_abs()).max();
    let header = format!("p cnf {} {clauses}", variables.expect("clauses"));
    assert!(cnf.lines().any(|line| line == header), "{header} {cnf}");
    assert_eq!((&printed["variables"], &printed["clauses"]), (&variables.into(), &clauses.into()));
    assert!(cnf.contains("\nc 27 x_2_2_2\n"), "{cnf}");

    ndq(folder, "model 3^3 -o max.mtx").success().stdout(contains("rows, 27 columns"));
    let mtx = text(folder, "max.mtx");
    let (said, entries): (Vec<_>, Vec<_>) = mtx.lines().partition(|line| line.starts_with('%'));
    let rows = said.iter().filter(|line| line.starts_with("% row ")).count();
    assert_eq!(entries[0], format!("{rows} 27 {}", entries.len() - 1));
    assert!(said.contains(&"% column 27 x_2_2_2 objective 1 from 0 to 1"), "{mtx}");

    for (file, edges) in [("graph.col", 207), ("graph.clq", 27 * 26 / 2 - 207)] {
        ndq(folder, &format!("model 3^3 -o {file}"))
            .success()
            .stdout(contains(format!("27 vertices, {edges} edges")));
        let graph = text(folder, file);
        assert!(graph.contains(&format!("\np edge 27 {edges}\n")), "{graph}");
        assert_eq!(graph.lines().filter(|line| line.starts_with("e ")).count(), edges);
    }
}

#[test]
fn what_a_format_cannot_hold_is_refused_and_no_file_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, words) in [
        ("model 3^3 -o x.cnf", "CNF asks a yes/no question: give --at-least"),
        ("model 3^3 -f base -o x.clq", "x.clq is to hold the graph of the board"),
        ("model 3^3 --at-least 3 -o x.col", "do not apply"),
        ("model 3^3 --rows distinct -o x.col", "do not apply"),
        ("model 3^3 -o x.dat", "must end in .lp, .mps, .opb, .cnf, .mtx, .clq or .col"),
    ] {
        ndq(folder.path(), arguments).code(2).stderr(contains(words));
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 0);
}

#[test]
fn the_help_lists_every_extension() {
    let assert = ndq(Path::new("."), "model --help").success();
    let help = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    for format in FileFormat::ALL {
        assert!(help.contains(&format!("  .{}  ", format.extension())), "{help}");
    }
}
