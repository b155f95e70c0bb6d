//! Separation of inequalities by `ndq lp relax` and `ndq lp certify`, and the files of cuts.

use predicates::str::contains;
use serde_json::{Value, json};

use crate::harness::Desk;

/// Returns the object that `ndq lp ARGUMENTS --json` prints.
fn object(desk: &Desk, arguments: &str) -> Value {
    desk.json(0, &format!("lp {arguments}")).remove(0)
}

fn bound(row: &Value) -> f64 {
    row["lp_bound"].as_f64().expect("a bound")
}

fn assert_equal(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-6, "{what}: {a} and {b}");
}

#[test]
fn cuts_of_relax_are_a_formulation_with_the_same_bound() {
    let desk = Desk::new();
    for (number, (board, formulation, separate)) in [
        ("3^3", "base", "clique,local"),
        ("3^3", "lex", "clique,local"),
        ("3x4x5", "star", "clique"),
        ("4x3", "base", "odd-cycle,zero-half"),
        ("5^3", "cube", "local --local-squares 27"),
        ("torus:5^2", "edge", "odd-cycle,zero-half"),
        ("hex:3", "edge", "odd-cycle"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("{number}.toml");
        let separated =
            object(&desk, &format!("relax {board} -f {formulation} --separate {separate} --cuts {file}"));
        let again = object(&desk, &format!("relax {board} -f {file}"));
        assert_equal(bound(&separated), bound(&again), &file);
        assert_eq!(again["conditions"], json!([]), "{file}");
        let before = object(&desk, &format!("relax {board} -f {formulation}"));
        let kept = separated["separated"]["kept"].as_array().expect("a list");
        // Cuts are kept exactly where they lower the bound.
        assert_eq!(kept.is_empty(), bound(&before) < bound(&separated) + 1e-6, "{separated}");
        let rows = |row: &Value| row["rows"].as_u64().expect("a number");
        assert!(rows(&again) >= rows(&before) && rows(&again) <= rows(&separated), "{file}");
    }
    desk.ndq("solve 3^3 -f 0.toml").success().stdout(contains("4 queens on 3^3: optimal"));
    desk.ndq("prove 3^3 -f 0.toml --engine highs").success();
    desk.ndq("model 3^3 -f 0.toml --row own_0").success().stdout(contains("checked in this run"));
    desk.ndq("lp certify 3^3 -f 0.toml").success().stdout(contains("at most 4 queens fit on 3^3:"));
}

#[test]
fn cuts_of_certify_are_a_formulation_with_the_same_bound() {
    let desk = Desk::new();
    for (number, (board, flags)) in [
        ("5x4x4", "-f cube --separate local --local-squares 64"),
        ("3^4", "-f base --separate clique,local"),
        ("5^4", "-f base --separate clique,local --local-squares 16"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = format!("{number}.toml");
        let separated = object(&desk, &format!("certify {board} {flags} --cuts {file}"));
        let again = object(&desk, &format!("certify {board} -f {file}"));
        let sum = |row: &Value| row["approximately"].as_f64().expect("a number");
        assert_equal(sum(&separated), sum(&again), &file);
        assert_eq!(again["conditions"], json!([]), "{file}");
        assert_ne!(separated["kept"], json!([]), "{separated}");
        assert_eq!(again["kept"], json!([]));
        let before = object(&desk, &format!("certify {board} {}", &flags[..7]));
        assert!(sum(&before) > sum(&separated) + 1e-6, "{before}");
    }
}

#[test]
fn own_inequalities_are_kept_in_files_of_cuts() {
    let desk = Desk::new();
    desk.write("rows.csv", "row,sense,rhs,coefficient,square\na,<=,1,1,\"(0,0)\"\na,<=,1,1,\"(1,1)\"\n");
    desk.write(
        "own.toml",
        "title = \"own\"\nsource = \"none\"\nproblem = \"independent set\"\nfamilies = [\"edge\"]\n\
         [[inequalities]]\nname = \"a\"\nbox = [2, 2]\nsquares = [[0, 0], [0, 1], [1, 0], [1, 1]]\nrhs = 1\n\
         [[inequalities]]\nfile = \"rows.csv\"\n",
    );
    std::fs::create_dir(desk.path("other")).expect("a folder");
    let separated = object(&desk, "relax 4^2 -f own.toml --separate clique --cuts other/cuts.toml");
    let again = object(&desk, "relax 4^2 -f other/cuts.toml");
    assert_equal(bound(&separated), bound(&again), "own");
    let text = desk.read("other/cuts.toml");
    assert!(text.contains("name = \"a\"") && text.contains("name = \"clique 1\""), "{text}");
}

#[test]
fn file_of_cuts_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.write("old.toml", "old");
    for (arguments, fault) in [
        ("relax 3^3 4^3 -f base --separate clique --cuts a.toml", "--cuts stores the cuts of one LP"),
        ("relax 3^3 -f base,cube --separate clique --cuts a.toml", "--cuts stores the cuts of one LP"),
        ("relax 9^3 -f base --separate clique --cuts old.toml", "old.toml: the file exists"),
        ("certify 9^4 --separate clique --cuts old.toml", "old.toml: the file exists"),
        ("relax 9^3 -f base --separate clique --cuts a.txt", "must end in .toml"),
        ("certify 9^4 --separate local --cuts none/a.toml", "none/a.toml"),
        ("certify 9^4 --separate local --cuts a.toml -o a.toml", "name the same file a.toml"),
        ("relax 9^3 -f base --separate clique --cuts a.toml -o a.toml", "name the same file a.toml"),
        ("relax 9^3 -f base --cuts a.toml", "--separate"),
        ("certify 9^4 --cuts a.toml", "--separate"),
    ] {
        desk.ndq(&format!("lp {arguments}")).code(2).stderr(contains(fault));
        assert_eq!(desk.names("."), ["old.toml"], "{arguments}");
    }
    assert_eq!(desk.read("old.toml"), "old");
}

#[test]
fn cuts_hold_where_rows_break_the_symmetry() {
    let desk = Desk::new();
    for separate in ["clique", "clique,local --local-squares 27", "odd-cycle,clique"] {
        let [base, lex, symmetry] = ["base", "lex", "symmetry"]
            .map(|name| bound(&object(&desk, &format!("relax 3^3 -f {name} --separate {separate}"))));
        // Each of the two is the LP of base with further rows, and four queens fit.
        for broken in [lex, symmetry] {
            assert!(broken < base + 1e-6 && broken > 4.0 - 1e-6, "{separate}: {base}, {lex}, {symmetry}");
        }
    }
}

#[test]
fn cuts_of_independent_sets_are_refused_for_other_sets() {
    let desk = Desk::new();
    for separate in ["odd-cycle", "clique", "local", "volume", "class"] {
        for (formulation, problem) in
            [("domination", "a dominating set"), ("no-three-in-line", "a no-three-in-line set")]
        {
            let run = desk.ndq(&format!("lp relax 4^2 -f {formulation} --separate {separate}")).code(2);
            let family = format!("family {separate} cannot be added to formulation {formulation} on 4^2");
            run.stderr(contains(family)).stderr(contains(format!("{problem} need not be one")));
        }
    }
    desk.ndq("lp relax torus:4^2 -f base --separate local").code(2).stderr(contains("not a plain box"));
    desk.ndq("lp relax hex:3 -f base --separate class").code(2).stderr(contains("hex:3"));
    // Zero-half cuts hold for all solutions. Three queens dominate 6^2.
    let [before, after] = ["", " --separate zero-half"]
        .map(|flags| bound(&object(&desk, &format!("relax 6^2 -f domination{flags}"))));
    assert!(before < after - 1e-6 && after < 3.0 + 1e-6, "{before}, {after}");
}

#[test]
fn zero_half_cuts_lower_bounds_of_graphs() {
    let desk = Desk::new();
    desk.write("c5.col", "p edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 1 5\n");
    let petersen = concat!(env!("CARGO_MANIFEST_DIR"), "/../../instances/boards/petersen.col");
    for (path, after) in [("c5.col", 2.0), (petersen, 4.0)] {
        let row = object(&desk, &format!("relax file:{path} -f edge --separate zero-half"));
        assert_equal(bound(&row), after, path);
        let kept = row["separated"]["kept"].as_array().expect("a list");
        assert!(kept.len() == 1 && kept[0]["family"] == "zero-half" && kept[0]["cuts"] != 0, "{row}");
    }
    // Seven queens fit on 4^3 and four on 3^3.
    for (board, formulation, least) in [("3^3", "star", 4.0), ("4^3", "cube", 7.0), ("3^3", "lex", 4.0)] {
        let row = object(&desk, &format!("relax {board} -f {formulation} --separate zero-half"));
        let before = object(&desk, &format!("relax {board} -f {formulation}"));
        assert!(bound(&row) > least - 1e-6 && bound(&row) < bound(&before) + 1e-6, "{row}");
    }
}

#[test]
fn separated_families_give_the_bound_of_all_their_rows() {
    let desk = Desk::new();
    for board in ["3^3", "4x5x6", "torus:5^3", "3^4"] {
        for family in ["volume", "class"] {
            let separated = object(&desk, &format!("relax {board} -f base --separate {family}"));
            let all = object(&desk, &format!("relax {board} -f {family}"));
            assert_equal(bound(&separated), bound(&all), board);
            assert!(separated["rows"].as_u64() <= all["rows"].as_u64(), "{separated}");
        }
    }
}

#[test]
fn kept_cuts_and_rounds_are_printed() {
    let desk = Desk::new();
    let run = desk.ndq("lp relax 3^3 -f base --separate clique,local").success();
    run.stdout(contains("base: cuts that bind, up to symmetry: 3 clique, 2 local"));
    let run = desk.ndq("lp certify 3^4 -f base --separate clique,local").success();
    run.stdout(contains(" LPs; cuts with a multiplier: "));
}
