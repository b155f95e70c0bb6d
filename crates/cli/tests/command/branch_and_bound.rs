//! `ndq prove --engine lp`: branch and bound on LPs, with a checked proof.

use predicates::str::contains;

use crate::desk::Desk;

#[test]
fn proves_maxima_with_proofs_that_are_checked_again() {
    let desk = Desk::new();
    for (board, formulation, maximum) in [
        ("4^3", "cube", 7),
        ("3^4", "all", 6),
        ("torus:5^2", "base", 5),
        ("5x4x2", "cube-star", 6),
        ("1^1", "base", 1),
        ("4^3", "volume", 7),
        ("3^5", "class --cut-rounds 0", 11),
        ("3^3", "odd-cycle --cut-rounds 0", 4),
        ("5x5x3", "strong-faces --cut-rounds 0", 9),
    ] {
        let name = formulation.split(' ').next().expect("a name");
        let told =
            desk.ndq(&format!("prove {board} --engine lp -f {formulation} --proof a.proof.gz")).code(0);
        told.stdout(contains(format!("alpha({board}) = {maximum}: proved")))
            .stdout(contains(format!("branch and bound on the LP of formulation {name}, ")));
        desk.ndq("check a.proof.gz").code(0).stdout(contains(format!("holds; at most {maximum} queen")));
    }
}

#[test]
fn vipr_files_are_written_and_checked_again() {
    let desk = Desk::new();
    for (file, options) in [("a.vipr", ""), ("b.vipr.gz", " --detect-symmetry off")] {
        let command = format!("prove 4^3 --engine lp --proof {file}{options}");
        desk.ndq(&command).code(0).stdout(contains("alpha(4^3) = 7: proved"));
        desk.ndq(&format!("check {file}")).code(0).stdout(contains("holds; at most 7 queens fit on 4^3"));
    }
    desk.ndq("prove 4^3 --proof c.vipr").code(2).stderr(contains("is for --engine lp"));
    desk.ndq("prove 4^3 --engine lp -f all --proof c.vipr")
        .code(2)
        .stderr(contains("which a VIPR file of a board cannot derive: its rows are cliques"));
    let mut files = desk.names(".");
    files.sort_unstable();
    assert_eq!(files, ["a.vipr", "b.vipr.gz"]);
}

#[test]
fn settles_claims_either_way() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 --engine lp --k 7").code(0).stdout(contains("alpha(4^3) = 7: proved"));
    desk.ndq("prove 4^3 --engine lp --k 6").code(1).stdout(contains("refuted; 7 queens fit"));
    desk.ndq("prove 4^3 --engine lp --k 8").code(1).stdout(contains("refuted; at most 7 queens fit"));
}

#[test]
fn records_say_how_the_tree_was_built() {
    let desk = Desk::new();
    let command = "prove 5^3 -f cube --branching most-fractional --cut-rounds 2 --seed 3 --record records";
    let answer = &desk.json(0, command)[0];
    assert_eq!(answer["question"]["engine"], "lp");
    assert_eq!(answer["question"]["branching"], "most-fractional");
    assert_eq!(answer["question"]["cut_rounds"], 2);
    assert_eq!(
        (&answer["answer"]["proved_bound"], &answer["answer"]["outcome"]),
        (&13.into(), &"proved".into())
    );
    assert!(answer["answer"]["cuts"].as_u64() > Some(0));
    let record = desk.names("records").pop().expect("a record");
    let again = &desk.json(0, &format!("rerun records/{record}"))[0];
    assert!(again.to_string().contains("\"proved\""), "{again}");
}

#[test]
fn a_stopped_tree_keeps_what_was_found() {
    let desk = Desk::new();
    desk.ndq("prove 6^3 --engine lp --node-limit 3 --proof a.proof")
        .code(3)
        .stdout(contains("not settled in this run, stopped (node limit); 21 <= alpha <= 26"))
        .stdout(contains(
            "upper bound  26: branch and bound on the LP of formulation cube, 1 node, checked in integers",
        ))
        .stderr(contains("a.proof is not written: the run was stopped"));
    assert!(desk.names(".").is_empty());
}

#[test]
fn a_stopped_tree_goes_on_where_it_was() {
    let desk = Desk::new();
    let command = "prove 4^3 -f base --engine lp --cut-rounds 0 --detect-symmetry off";
    desk.ndq(&format!("{command} --proof whole.proof")).code(0);
    for threads in [1, 2] {
        let command =
            format!("{command} --work w{threads} --proof parts.proof --threads {threads} --node-limit 300");
        desk.ndq(&command)
            .code(3)
            .stdout(contains("not settled in this run, stopped (node limit); 7 <= alpha <= 8"))
            .stderr(contains(format!(
                "finished parts of the tree are stored in w{threads}; the same command resumes"
            )));
        let mut runs = 1;
        while !desk.names(".").contains(&"parts.proof".to_owned()) {
            desk.ndq(&command);
            runs += 1;
            assert!(runs < 20);
        }
        assert_eq!(desk.read("parts.proof"), desk.read("whole.proof"));
        std::fs::remove_file(desk.path("parts.proof")).expect("it is there");
    }
    desk.ndq("prove 4^3 -f cube --engine lp --work w1")
        .code(2)
        .stderr(contains("w1 holds the work on \"trees of 4^3"));
}

#[test]
fn options_of_other_engines_are_refused() {
    let desk = Desk::new();
    for (arguments, words) in [
        ("solve 4^3 --engine lp", "--engine lp proves a maximum: ndq prove 4^3 --engine lp"),
        ("prove 4^3 --engine lp --backend cbc", "are for --engine highs"),
        ("prove 4^3 --engine lp --work w --proof a.vipr", "a VIPR file has none"),
        ("prove 4^3 --engine lp --box-limit 5", "--box-limit is for --engine exact"),
        ("prove 4^3 --engine exact --branching strong", "--branching and --cut-rounds are for --engine lp"),
        ("prove 4^3 --engine lp -f domination", "formulation domination asks something else"),
        (
            "prove torus:5^3 --engine lp -f volume",
            "rows of the family \"volume\" on torus:5^3, which a proof tree cannot hold",
        ),
        (
            "prove rook:3^3 --engine lp -f class",
            "the family \"class\" of formulation class is not valid on rook:3^3",
        ),
        ("prove 9^4 --engine lp", "more than 4096 squares"),
    ] {
        desk.ndq(arguments).code(2).stdout("").stderr(contains(words));
    }
    assert!(desk.names(".").is_empty());
}

#[test]
fn experiments_compare_certified_trees() {
    let desk = Desk::new();
    desk.write(
        "trees.toml",
        "title = \"Trees\"\nsource = \"a test\"\n[[runs]]\nboards = [\"4^3\", \"3^4\"]\nformulations = [\"base\", \"cube\"]\n\
         variants = [\"maximise\", \"at least k+1\"]\nbackends = [\"lp\"]\n",
    );
    desk.ndq("lab run trees.toml -o out").success().stdout(contains("8 of 8 runs done, 0 failed"));
    let rows = desk.read("out/runs.jsonl");
    assert_eq!(rows.matches("branch and bound on the LP of formulation").count(), 8, "{rows}");
    assert_eq!(rows.matches("\"cuts\":").count(), 8, "{rows}");
    desk.ndq("lab plot out").success();
    let plots = desk.names("out/plots");
    assert!(plots.contains(&"nodes.svg".to_owned()), "{plots:?}");
    assert!(desk.read("out/plots/nodes.svg").contains("performance profile by nodes"));
}
