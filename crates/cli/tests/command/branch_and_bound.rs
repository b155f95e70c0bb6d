//! `ndq prove --engine lp`: branch and bound on LPs, with a checked proof.

use predicates::str::contains;

use crate::harness::Desk;

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
        let command_run =
            desk.ndq(&format!("prove {board} --engine lp -f {formulation} --proof a.proof.gz")).code(0);
        command_run
            .stdout(contains(format!("alpha({board}) = {maximum}: proved")))
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
    assert!(answer["answer"]["root_lp_bound"].as_f64() > Some(13.0), "{answer}");
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
fn missing_proof_is_reported() {
    let desk = Desk::new();
    for (question, code) in [("4^2", 0), ("3^3 -f base --k 20", 1), ("4^2 --k 0", 1)] {
        desk.ndq(&format!("prove {question} --engine lp --node-limit 0 --proof a.proof"))
            .code(code)
            .stderr(contains("a.proof is not written: the answer needs no tree"));
    }
    assert!(desk.names(".").is_empty());
}

#[test]
fn folder_is_bound_to_the_board_file_content() {
    let desk = Desk::new();
    let command = "prove header:a.txt --engine lp -f edge --cut-rounds 0 --work w";
    desk.write("a.txt", "5 5\n1 2\n2 3\n3 4\n4 5\n5 1\n");
    desk.ndq(command).code(0).stdout(contains("= 2: proved"));
    desk.write("a.txt", "5 4\n1 2\n2 3\n3 4\n4 5\n");
    desk.ndq(command).code(2).stderr(contains("w holds the work on \"trees of header:a.txt ("));
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
        (
            "prove torus:5^3 --engine lp -f volume",
            "rows of the family \"volume\" on torus:5^3, which a proof tree cannot hold",
        ),
        (
            "prove rook:3^3 --engine lp -f class",
            "the family \"class\" of formulation class is not valid on rook:3^3",
        ),
        (
            "prove 4^3 -f cube --include a.txt",
            "--include is for formulations of completions and of dominating sets",
        ),
        ("prove 4^3 --engine highs --include a.txt", "--include is for --engine lp"),
        ("prove 4^2 -f completion", "formulation completion needs queens to complete: --include FILE"),
        ("prove 4^2 -f partial", "formulation partial needs a number of queens: --k K"),
        ("prove 4^2 -f modular", "it is for a torus"),
        ("prove 4^2 -f domination --branching strong", "are for formulations of independent sets"),
        ("prove 4^2 -f domination --veripb a.pbp", "--veripb is for maxima"),
        ("prove 4^2 -f domination --proof a.proof", "its name ends in .vipr or .vipr.gz"),
        ("prove 4^2 --engine highs -f domination", "formulation domination has another goal"),
        ("prove 4^3 -f cube --proof a.txt", "the name of a proof ends in .proof or .proof.gz"),
        ("prove 4^3 -f cube --proof a.gz.vipr", "the name of a proof ends in .proof or .proof.gz"),
        ("prove 9^4 --engine lp", "more than 4096 squares"),
        ("prove 4^3 -f cube --work w --proof w", "--proof names the file w, which another output"),
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

#[test]
fn experiments_take_every_problem() {
    let desk = Desk::new();
    desk.write(
        "sets.toml",
        "title = \"Sets\"\nsource = \"a test\"\n[defaults]\nbackends = [\"lp\"]\n\
         [[runs]]\nboards = [\"5^2\"]\nformulations = [\"domination\", \"independent-domination\"]\n\
         variants = [\"minimise\", \"at most 2\", \"at most 3\"]\n\
         [[runs]]\nboards = [\"5^2\", \"torus:4^2\"]\nformulations = [\"full\"]\nvariants = [\"maximise\"]\n\
         [[runs]]\nboards = [\"5^2\"]\nformulations = [\"domination\"]\nbackends = [\"highs\"]\n\
         variants = [\"minimise\", \"at most 2\", \"at most 3\"]\n",
    );
    desk.ndq("lab run sets.toml -o out")
        .success()
        .stdout(contains("11 of 11 runs done, 0 failed, 0 in contra"));
    let rows = desk.read("out/runs.jsonl");
    for (outcome, number) in [("optimal", 3), ("feasible", 4), ("infeasible", 4)] {
        assert_eq!(rows.matches(&format!("\"outcome\":\"{outcome}\"")).count(), number, "{outcome}: {rows}");
    }
    for (formulation, variant, words) in [
        ("domination", "at least 3", "minimises dominating sets"),
        ("cube", "at most 3", "at most 3 queens can be asked for in dominating sets only"),
    ] {
        desk.write(
            "other.toml",
            format!(
                "title = \"Sets\"\nsource = \"a test\"\n[[runs]]\nboards = [\"5^2\"]\nbackends = [\"lp\"]\n\
                 formulations = [\"{formulation}\"]\nvariants = [\"{variant}\"]\n"
            ),
        );
        desk.ndq("lab run other.toml -o other").code(2).stderr(contains(words));
    }
}

#[test]
fn smallest_dominating_sets_are_proved() {
    let desk = Desk::new();
    for (n, smallest, independent) in
        [(1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 2, 3), (5, 3, 3), (6, 3, 4), (7, 4, 4), (8, 5, 5), (9, 5, 5)]
    {
        for (formulation, symbol, size, kind) in [
            ("domination", "gamma", smallest, ""),
            ("independent-domination", "i", independent, " independent"),
        ] {
            let options = if n % 2 == 0 { " --detect-symmetry off" } else { "" };
            desk.ndq(&format!("prove {n}^2 -f {formulation} --proof a.vipr{options}"))
                .code(0)
                .stdout(contains(format!("{symbol}({n}^2) = {size}: proved\n")))
                .stdout(contains(format!("branch and bound on the LP of formulation {formulation}, ")));
            let (queens, dominate) = if size == 1 { ("queen", "dominates") } else { ("queens", "dominate") };
            let holds = format!("holds; at least {size}{kind} {queens} {dominate} {n}^2 (");
            desk.ndq("check a.vipr").code(0).stdout(contains(holds));
        }
    }
    for (board, size) in [("3^3", 1), ("4^3", 4), ("torus:5^2", 3), ("rook:4^2", 4), ("hex:3", 1)] {
        desk.ndq(&format!("prove {board} -f domination --proof b.vipr.gz"))
            .code(0)
            .stdout(contains(format!("gamma({board}) = {size}: proved")));
        let answer = &desk.json(0, "check b.vipr.gz")[0];
        assert_eq!((&answer["at_least"], &answer["at_most"]), (&size.into(), &serde_json::Value::Null));
        assert_eq!(answer["problem"], "dominating set");
    }
}

#[test]
fn claims_about_dominating_sets_are_settled_either_way() {
    let desk = Desk::new();
    desk.ndq("prove 6^2 -f domination --k 3").code(0).stdout(contains("gamma(6^2) = 3: proved"));
    desk.ndq("prove 6^2 -f domination --k 4 --proof a.vipr")
        .code(1)
        .stdout(contains("gamma(6^2) = 4: refuted; 3 queens dominate 6^2"))
        .stderr(contains("a.vipr is not written: the certificate refutes the claim"));
    desk.ndq("prove 6^2 -f domination --k 2 --proof a.vipr")
        .code(1)
        .stdout(contains("gamma(6^2) = 2: refuted; at least 3 queens dominate 6^2"));
    desk.ndq("check a.vipr").code(0).stdout(contains("at least 3 queens dominate 6^2"));
    desk.ndq("prove 9^2 -f domination --node-limit 5 --proof b.vipr")
        .code(3)
        .stdout(contains("stopped (node limit); 4 <= gamma <= "))
        .stdout(contains(", 5 nodes, "))
        .stderr(contains("b.vipr is not written: the run was stopped"));
    assert!(!desk.path("b.vipr").exists());
    // A maximal independent set dominates the board.
    desk.ndq("prove 6^2 -f independent-domination --start cut")
        .code(0)
        .stdout(contains("i(6^2) = 4: proved"));
    desk.certificate("three.txt", "6^2", &["0 0", "1 2", "2 4"]);
    for formulation in ["domination", "partial"] {
        desk.ndq(&format!("prove 6^2 -f {formulation} --include three.txt --k 2"))
            .code(2)
            .stderr(contains("--k 2 is less than the 3 queens that --include names"));
    }
    desk.ndq("prove 6^2 -f completion --include three.txt --k 7 --proof c.vipr")
        .code(1)
        .stderr(contains("c.vipr is not written: the answer needs no tree"));
}

#[test]
fn dominating_sets_contain_included_squares() {
    let desk = Desk::new();
    desk.certificate("part.txt", "6^2", &["0 0", "0 5"]);
    let answer = &desk
        .json(0, "prove 6^2 -f domination --include part.txt --proof a.vipr --record records -o best.txt")[0];
    let size = answer["answer"]["incumbent"].as_u64().expect("a set");
    assert_eq!(answer["answer"]["proved_bound"].as_u64(), Some(size));
    assert_eq!(answer["question"]["include"], serde_json::json!([[0, 0], [0, 5]]));
    assert!(size > 3, "{answer}");
    desk.ndq("check a.vipr").code(0).stdout(contains(", with 2 queens included ("));
    desk.ndq("check best.txt").code(0);
    let record = desk.names("records").pop().expect("a record");
    desk.ndq(&format!("rerun records/{record}")).code(0).stdout(contains("the same answer"));
    desk.ndq("prove 6^2 -f independent-domination --include part.txt").code(2).stderr(contains("attack"));
}

#[test]
fn full_solutions_and_completions_are_settled() {
    let desk = Desk::new();
    desk.ndq("prove torus:5^2 -f modular")
        .code(0)
        .stdout(contains("5 queens fit on torus:5^2: a certificate"));
    desk.ndq("prove torus:4^2 -f modular --proof a.proof")
        .code(1)
        .stdout(contains("no 4 queens fit on torus:4^2: proved"));
    desk.ndq("check a.proof").code(0).stdout(contains("at most 3 queens fit on torus:4^2"));
    desk.ndq("prove 3^3 -f full --proof b.vipr").code(1).stdout(contains("no 9 queens fit on 3^3: proved"));
    desk.ndq("check b.vipr").code(0).stdout(contains("at most 8 queens fit on 3^3"));
    desk.ndq("prove 5^2 -f full -o full.txt").code(0).stdout(contains("5 queens fit on 5^2"));
    desk.ndq("check full.txt").code(0);
    desk.ndq("prove 6^2 -f partial --k 6").code(0).stdout(contains("6 queens fit on 6^2"));
    desk.ndq("prove 6^2 -f partial --k 7").code(1).stdout(contains("no 7 queens fit on 6^2: proved"));
    desk.certificate("corner.txt", "6^2", &["0 0"]);
    desk.ndq("prove 6^2 -f completion --include corner.txt --proof c.vipr")
        .code(1)
        .stdout(contains("no 6 queens fit on 6^2 with 1 queen included: proved"));
    desk.ndq("check c.vipr")
        .code(0)
        .stdout(contains("holds; at most 5 queens fit on 6^2, with 1 queen included ("));
    let answer = &desk.json(0, "check c.vipr")[0];
    assert_eq!((&answer["at_most"], &answer["at_most_with_included"]), (&serde_json::Value::Null, &5.into()));
    desk.ndq("archive add c.vipr").code(2);
    desk.certificate("second.txt", "6^2", &["0 1"]);
    desk.ndq("prove 6^2 -f completion --include second.txt -o completed.txt")
        .code(0)
        .stdout(contains("6 queens fit on 6^2 with 1 queen included: a certificate"));
    assert!(desk.read("completed.txt").contains("\n0 1\n"));
}

#[test]
fn formulation_is_proved_by_the_tree_by_default() {
    let desk = Desk::new();
    for (command, engine) in [
        ("prove 4^3 -f cube", "lp"),
        ("prove 4^3 -f cube --engine highs", "highs"),
        ("prove 4^3 -f cube --equality", "highs"),
        ("prove 4^3 --backend highs", "highs"),
    ] {
        let answer = &desk.json(0, command)[0];
        assert_eq!(answer["question"]["engine"], engine, "{command}");
        let outcome = if engine == "lp" { "proved" } else { "solved" };
        assert_eq!(answer["answer"]["outcome"], outcome, "{command}");
    }
}
