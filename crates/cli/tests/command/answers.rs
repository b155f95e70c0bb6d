//! Answers of the commands, as text and as JSON.

use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_match};
use serde_json::json;

use crate::harness::{Desk, LAYERS};

#[test]
fn board_tells_squares_lines_and_symmetry() {
    let desk = Desk::new();
    for (board, squares, lines, trivial, orbits) in [
        ("4^3", 64, 244, 16, 4),
        ("rook:3^3", 27, 27, 9, 4),
        ("bishop:2x3", 6, 4, 4, 2),
        ("torus:4^2", 16, 16, 4, 1),
        ("2x3x4", 24, 100, 6, 4),
    ] {
        let outcome = &desk.json(0, &format!("info {board}"))[0];
        assert_eq!(outcome["board"], board);
        assert_eq!(outcome["squares"], squares, "{board}");
        assert_eq!(outcome["lines"], lines, "{board}");
        assert_eq!(outcome["trivial_bound"], trivial, "{board}");
        assert_eq!(outcome["symmetry"]["orbits"].as_array().expect("a list").len(), orbits, "{board}");
        desk.ndq(&format!("info {board}")).success().stdout(contains(format!("squares        {squares}\n")));
    }
    desk.certificate("two.txt", "4^2", &["0 1", "1 3"]);
    desk.ndq("draw 4^2 --show two.txt").success().stdout(contains(". Q . .\n. . . Q\n. . . .\n. . . .\n"));
}

#[test]
fn known_tells_published_values_with_their_status() {
    let desk = Desk::new();
    desk.ndq("info 5^3").success().stdout(contains("published      13 [OEIS A068940]"));
    let rows = desk.json(0, "table published");
    let of: Vec<_> = rows.iter().filter(|row| row["board"] == "12^3").collect();
    let cells = |row: &serde_json::Value| {
        ["side", "value", "status", "identifier"].map(|key| row[key].to_string().replace('"', ""))
    };
    assert_eq!(cells(of[0]), ["lower", "133", "reported", "http://www.recmath.org/contest/AttackingQueens/"]);
    assert_eq!(cells(of[1]), ["lower", "133", "theorem", "doi:10.48550/arXiv.2406.06260"]);
    assert_eq!((of.len(), of[2]["side"].as_str(), of[2]["value"].as_u64()), (3, Some("upper"), Some(143)));
    assert!(rows.len() > 90);
    let outcome = &desk.json(0, "info 2x9")[0];
    assert_eq!((&outcome["published"], &outcome["upper"]["value"]), (&serde_json::Value::Null, &2.into()));
    // A bound derived from smaller boards or partitions is not a published value.
    assert_eq!(desk.json(0, "info 8^4")[0]["published"], serde_json::Value::Null);
    let published = &desk.json(0, "info 18^3")[0]["published"];
    assert_eq!((published["lower"].as_u64(), published["upper"].as_u64()), (Some(307), None));
    let outcome = desk.ndq("info 14,3").code(0);
    outcome.stdout(
        contains("board          14^3\n")
            .and(contains("open, gap "))
            .and(contains("published      172 to 195")),
    );
}

#[test]
fn count_finds_the_published_numbers() {
    let desk = Desk::new();
    for (board, alpha, solutions, up_to_symmetry) in [
        ("2^3", 1, 8, 1),
        ("3^3", 4, 16, 1),
        ("4^3", 7, 1344, 30),
        ("2^4", 1, 16, 1),
        ("3^4", 6, 4992, 14),
        ("4^2", 4, 2, 1),
        ("5^2", 5, 10, 2),
        ("6^2", 6, 4, 1),
        ("7^2", 7, 40, 6),
        ("8^2", 8, 92, 12),
    ] {
        for method in ["fast", "bk"] {
            let counted = &desk.json(0, &format!("count {board} --method {method}"))[0]["methods"][0];
            assert_eq!(counted["independence_number"], alpha, "{board}");
            assert_eq!(counted["solutions"], solutions, "{board}");
            assert_eq!(counted["solutions_up_to_symmetry"], up_to_symmetry, "{board}");
        }
    }
    desk.ndq("count 8^2").success().stdout(contains("maximum solutions      92"));
}

#[test]
fn all_methods_find_the_independence_number() {
    let desk = Desk::new();
    desk.write("path.txt", "0 1\n1 2\n");
    for (board, alpha) in
        [("3^3", 4), ("rook:3^2", 3), ("torus:4^2", 2), ("bishop:2x4", 4), ("file:path.txt", 2)]
    {
        let counted = &desk.json(0, &format!("count {board} --method all"))[0]["methods"];
        for method in 0..3 {
            assert_eq!(counted[method]["independence_number"], alpha, "{board}");
        }
        assert!(counted[0]["solutions"].as_u64() > Some(0), "{board}");
        assert_eq!(counted[0]["solutions"], counted[1]["solutions"], "{board}");
        let counted = &desk.json(0, &format!("count {board} --method recursive"))[0]["methods"];
        assert_eq!(counted[0]["independence_number"], alpha, "{board}");
        assert_eq!(counted[0]["solutions"], json!(null), "{board}");
        assert!(counted[0]["seconds"].as_f64().is_some() && counted[1].is_null(), "{board}");
    }
    let outcome = desk.ndq("count 3^3 --method recursive").success();
    outcome.stdout(contains("number    4\n").and(contains("every independent set built, none counted")));
    let outcome = desk.ndq("count 3^3 --method all").success();
    outcome.stdout(
        is_match(r"number    4\n(.|\n)*Bron-Kerbosch(.|\n)*number    4\n(.|\n)*recursion")
            .expect("a pattern"),
    );
}

#[test]
fn default_formulation_is_cube_or_else_base() {
    let desk = Desk::new();
    desk.write("path.txt", "0 1\n1 2\n");
    for (board, formulation) in [
        ("3^3", "cube"),
        ("2x3", "cube"),
        ("torus:3^2", "cube"),
        ("rook:3^2", "base"),
        ("bishop:2x3", "base"),
        ("file:path.txt", "base"),
    ] {
        desk.ndq(&format!("solve {board}"))
            .success()
            .stdout(contains(format!(", formulation {formulation}]")));
        assert_eq!(
            desk.json(0, &format!("solve {board}"))[0]["question"]["formulation"],
            formulation,
            "{board}"
        );
        let written = &desk.json(0, &format!("model {board} -o model.lp"))[0];
        assert_eq!(written["formulation"], formulation, "{board}");
        let proved = &desk.json(0, &format!("prove {board} --engine highs"))[0];
        assert_eq!(proved["question"]["formulation"], formulation, "{board}");
    }
}

#[test]
fn solve_gives_a_checked_optimum() {
    let desk = Desk::new();
    let outcome = desk.ndq("solve 3^3 -o best.txt").success();
    outcome.stdout(contains("4 queens on 3^3: optimal [floating-point solve, not certified: HiGHS"));
    desk.ndq("check best.txt").success().stdout(contains("holds; 4 squares of 3^3"));

    let record = &desk.json(0, "solve 3^3 -f base --root-bound --seed 3")[0];
    assert_eq!(
        (&record["question"]["formulation"], &record["question"]["seed"]),
        (&"base".into(), &3.into())
    );
    let answer = &record["answer"];
    assert_eq!((&answer["outcome"], &answer["incumbent"]), (&"optimal".into(), &4.into()));
    assert_eq!((&answer["proved_bound"], &answer["verdict"]), (&4.into(), &"ok".into()));
    assert!((answer["root_lp_bound"].as_f64().expect("a number") - 9.0).abs() < 1e-6);
    assert!(answer["certificate"].as_str().expect("a text").starts_with("ndqueens certificate 1\n"));
}

#[test]
fn a_number_of_queens_may_be_asked_for() {
    let desk = Desk::new();
    desk.ndq("solve 4^3 --at-least 7").success().stdout(contains("7 queens on 4^3"));
    desk.ndq("solve 3^3 --at-least 5").code(1).stdout(contains("no solution with at least 5 queens on 3^3"));
    desk.ndq("solve 3^3 --exactly 2 -o two.txt").success().stdout(contains("2 queens on 3^3"));
    desk.ndq("check two.txt").success().stdout(contains("holds; 2 squares"));
    desk.ndq("solve 3^3 --exactly 5").code(1).stdout(contains("no solution with exactly 5 queens"));
}

#[test]
fn fourteen_queens_do_not_fit_on_5_3() {
    Desk::new()
        .ndq("solve 5^3 --at-least 14")
        .code(1)
        .stdout(contains("no solution with at least 14 queens"));
}

/// Included squares need not dominate, and may attack each other if independence is not required.
#[test]
fn a_dominating_set_contains_the_included_queens() {
    let desk = Desk::new();
    desk.certificate("pair.txt", "5^2", &["0 0", "0 1"]);
    let native = desk.read("pair.txt").replace("independent set", "dominating set");
    desk.write("claim.txt", native);
    for file in ["pair.txt", "claim.txt"] {
        let solve = format!("solve 5^2 -f domination --include {file} -o set.txt --record r");
        desk.ndq(&solve).success().stdout(contains("4 queens dominate 5^2: optimal"));
        let set = desk.read("set.txt");
        assert!(set.contains("\n0 0\n0 1\n") && set.contains("problem: dominating set"), "{set}");
        desk.ndq("check set.txt").success();
        desk.ndq(&format!("model 5^2 -f domination --include {file} -o m.lp")).success();
        let refused = desk.ndq(&format!("solve 5^2 -f independent-domination --include {file}")).code(2);
        refused.stderr(contains(
            "it cannot be included: squares 1 and 2 of the list, (0, 0) and (0, 1), attack",
        ));
    }
    for record in desk.names("r") {
        desk.ndq(&format!("rerun r/{record}")).success().stdout(contains("the same answer"));
    }
    desk.certificate("one.txt", "5^2", &["0 0"]);
    let one = "solve 5^2 -f independent-domination --include one.txt";
    desk.ndq(one).success().stdout(contains("independent queens dominate 5^2: optimal"));
    desk.certificate("off.txt", "5^2", &["0 5"]);
    desk.ndq("solve 5^2 -f domination --include off.txt").code(2).stderr(contains("is off the board"));
    desk.certificate("twice.txt", "5^2", &["0 0", "0 0"]);
    desk.ndq("solve 5^2 -f domination --include twice.txt").code(2).stderr(contains("is in the list twice"));
}

#[test]
fn a_completion_contains_the_included_queens() {
    let desk = Desk::new();
    desk.certificate("given.txt", "4^3", &["0 0 0", "1 2 0"]);
    desk.ndq("solve 4^3 --include given.txt -o full.txt").success();
    let full = desk.read("full.txt");
    assert!(full.contains("\n0 0 0\n") && full.contains("\n1 2 0\n"), "{full}");
    desk.ndq("check full.txt").success();

    // The middle of 3^3 attacks every other square.
    desk.certificate("middle.txt", "3^3", &["1 1 1"]);
    desk.ndq("solve 3^3 --include middle.txt")
        .success()
        .stdout(is_match("(?m)^1 queens? on 3\\^3: optimal").expect("a pattern"));
    desk.ndq("solve 3^3 --include middle.txt --at-least 2").code(1).stdout(contains("no solution"));
    desk.ndq("find 4^3 --method greedy --include given.txt -o made.txt").success();
    assert!(desk.read("made.txt").contains("\n1 2 0\n"));
}

#[test]
fn every_warm_start_leads_to_the_optimum() {
    let desk = Desk::new();
    desk.certificate("one.txt", "3^3", &["1 1 1"]);
    for start in ["none", "cut", "greedy", "one.txt"] {
        let record = &desk.json(0, &format!("solve 3^3 --start {start}"))[0];
        assert_eq!(
            (&record["question"]["start"], &record["answer"]["incumbent"]),
            (&start.into(), &4.into())
        );
    }
    desk.ndq("solve 3^3 --at-least 4 --start one.txt").success().stderr(contains("is not used"));
    desk.ndq("solve 3^3 --exactly 2 --start greedy").success().stderr(contains("is not used"));
    // The start is passed to a solver command, and the file stays unchanged.
    let copied =
        [&["solve", "3^3", "--start", "cut", "--backend"][..], &["sh -c 'cp {start} {solution}' {model}"]];
    desk.command()
        .args(copied.concat())
        .assert()
        .code(3)
        .stdout(contains("4 queens on 3^3: feasible, no bound stated"));
    for (ask, setting) in [("--start cut", "start"), ("--seed 5", "seed")] {
        let refused =
            ["solve", "3^3", "--backend", "true {model} {solution}"].into_iter().chain(ask.split(' '));
        let words = format!("cannot take a {setting}: the command has no {{{setting}}}");
        desk.command().args(refused).assert().code(2).stderr(contains(words));
    }
    desk.ndq("solve 3^3 --backend cbc --start cut").success().stdout(contains("4 queens on 3^3: optimal"));
}

#[test]
fn prove_5_3_yields_13_queens() {
    let desk = Desk::new();
    let outcome = desk.ndq("prove 5^3 --engine highs -f base -o best.txt --record records").success();
    outcome.stdout(contains("alpha(5^3) = 13: solved in floating point, not certified\n"));
    desk.ndq("check best.txt").success().stdout(contains("holds; 13 squares of 5^3"));
    assert_eq!(desk.names("records").len(), 1);
}

#[test]
fn claims_that_are_false_are_refuted() {
    let desk = Desk::new();
    desk.ndq("prove 5^3 --k 12").code(1).stdout(contains("alpha(5^3) = 12: refuted; 13 queens fit"));
    let outcome = desk.ndq("prove 5^3 --k 14 --engine highs -f base").code(1);
    outcome
        .stdout(contains("alpha(5^3) = 14: refuted in floating point, not certified; at most 13 queens fit"));
    desk.ndq("prove 3^3 --k 10").code(1).stdout(contains("refuted; at most 8 queens fit"));
    desk.ndq("prove 3^3 --k 10 --engine exact").code(1).stdout(contains("refuted; at most 4 queens fit"));
}

/// A proof also proves the bounds of smaller boards that it uses, unless it takes them from the table.
#[test]
fn bounds_of_smaller_boards_are_lemmas_and_named() {
    let desk = Desk::new();
    for (run, lemma) in [
        ("prove 4^3 --engine highs -f all", "alpha(3^3) <= 4 (floating-point solve, not certified: HiGHS"),
        (
            "prove 4^3 -f all --assume-reported",
            "alpha(3^3) <= 4 (checked in this run: proof tree 3^3.proof.gz",
        ),
        ("solve 4^3 -f all", "alpha(3^3) <= 4 (checked in this run: proof tree 3^3.proof.gz"),
    ] {
        let answer = &desk.json(0, run)[0]["answer"];
        assert_eq!((&answer["incumbent"], &answer["conditions"]), (&7.into(), &json!([])));
        let lemmas = answer["lemmas"].as_array().expect("a list");
        assert!(
            lemmas.iter().all(|outcome| outcome.as_str().is_some_and(|outcome| outcome.starts_with(lemma))),
            "{lemmas:?}"
        );
        assert_eq!(lemmas.len(), 1);
        desk.ndq(run).success().stdout(contains(lemma));
    }
    let outcome = desk.ndq("solve 4^3 -f cuboid").success();
    outcome.stdout(
        contains("\nrests on alpha(2x3x3) <= 3 (checked in this run").and(contains(" more bounds\n")),
    );
}

/// The single layer of 1x15^3 is a board whose bound is only published.
#[test]
fn bounds_that_are_only_published_are_conditions() {
    let desk = Desk::new();
    desk.write("layers.toml", LAYERS);
    let condition = "alpha(15^3) <= 224 (reported: Kunt 2023, table 4; Pearson 2010";
    let solve = "solve 1x15x15x15 -f layers.toml --at-least 225";
    let answer = &desk.json(1, solve)[0]["answer"];
    assert!(
        answer["conditions"][0].as_str().is_some_and(|outcome| outcome.starts_with(condition)),
        "{answer}"
    );
    desk.ndq(solve).code(1).stdout(contains(format!("\nholds if {condition}")));
    let prove = "prove 1x15x15x15 -f layers.toml --k 225 --assume-reported";
    let outcome = desk.ndq(prove).code(1);
    outcome
        .stdout(contains("= 225: refuted conditionally").and(contains(format!("holds if     {condition}"))));
}

/// The answer of a solver is compared with the archive if a short search finds nothing.
#[test]
fn claims_that_the_archive_refutes_are_wrong() {
    let desk = Desk::new();
    desk.write("liar.sh", "echo 'Infeasible - objective value 0' > $2\n");
    let solve = |arguments: &str| {
        let mut command = desk.command();
        command.args(arguments.split(' ')).args(["--backend", "sh liar.sh {model} {solution}"]);
        command.assert()
    };
    solve("solve 6x7x8 -f base --at-least 32")
        .code(4)
        .stderr(contains("no solution has more than 31 queens").or(contains("here is one of 32 queens")));
    solve("solve 14^3 -f base --at-least 172").code(4).stderr(contains("here is one of 172 queens"));
    solve("solve 6x7x8 -f base --at-least 33")
        .code(1)
        .stdout(contains("no solution with at least 33 queens"));
}

/// With two or more threads, boxes are settled while one thread computes the cheap bounds.
#[test]
fn answers_are_independent_of_the_thread_count() {
    let desk = Desk::new();
    for board in ["5^3", "6^3", "4x5x8", "2x8x8", "3x3x4x4", "4^4", "bishop:4x4x5"] {
        let answer = |threads: u32| {
            let mut all = desk.json(0, &format!("prove {board} --threads {threads}"));
            let mut answer = all.pop().expect("an object")["answer"].take();
            for measured in ["wall_seconds", "cpu_seconds", "peak_memory_bytes"] {
                answer.as_object_mut().expect("an object").remove(measured);
            }
            answer
        };
        let one = answer(1);
        assert_eq!(one["outcome"], "proved");
        for threads in [2, 3] {
            assert_eq!(answer(threads), one, "{board}, {threads}");
        }
    }
}

#[test]
fn a_rerun_gives_the_same_answer() {
    let desk = Desk::new();
    desk.certificate("given.txt", "3^3", &["0 0 1"]);
    for run in [
        "solve 3^3 -f cube-star --seed 5 --presolve off",
        "solve 3^3 -f base --option mip_heuristic_effort=0.3 --option simplex_strategy=4",
        "solve 3^3 --at-least 5 --rows undominated",
        "solve 3^3 --exactly 3 --include given.txt --root-bound",
        "prove 3^3 -f all",
        "prove 3^3 --equality --start greedy",
        "prove 3^3 --k 3",
    ] {
        let folder = run.replace(' ', "_");
        let exit = i32::from(run.contains("at-least 5") || run.contains("k 3"));
        desk.ndq(&format!("{run} --record {folder}")).code(exit);
        let record = format!("{folder}/{}", desk.names(&folder)[0]);
        desk.ndq(&format!("rerun {record}")).success().stdout(contains("the same answer"));
        assert_eq!(desk.json(0, &format!("rerun {record}"))[0]["same_answer"], true);
    }
}

#[test]
fn highs_takes_options_and_writes_its_log() {
    let desk = Desk::new();
    let record = |options: &str| {
        desk.json(0, &format!("solve 4^3 -f base {options}"))[0]["question"]["options"].clone()
    };
    assert!(record("").is_null());
    let options = record("--option mip_heuristic_effort=0.3 --log highs.log");
    assert_eq!(options, json!(["mip_heuristic_effort=0.3"]));
    assert!(desk.read("highs.log").contains("MIP has 244 rows; 64 cols"));
    desk.ndq("lp relax 3^3 -f star --separate odd-cycle --log rounds.log").success();
    assert!(desk.read("rounds.log").matches("LP has").count() > 1, "the log has every round");
    desk.ndq("lp relax 4^3 -f base --option simplex_strategy=4 --log lp.log").success();
    assert!(desk.read("lp.log").contains("LP has 244 rows; 64 cols"));
    let plan = |effort: &str| {
        desk.write(
            "e.toml",
            format!("title = \"a\"\nsource = \"b\"\n[[runs]]\nboards = [\"3^3\"]\nformulations = [\"base\"]\noptions = [\"mip_heuristic_effort={effort}\"]\n"),
        );
        desk.ndq("lab plan e.toml")
    };
    let id = |effort: &str| {
        let printed = plan(effort).success().get_output().stdout.clone();
        String::from_utf8(printed).expect("text").lines().nth(1).expect("a run")[..16].to_owned()
    };
    assert_ne!(id("0.3"), id("0.4"));
    plan("3").code(2).stderr(contains("line 6, column 12").and(contains("a number from 0 to 1")));
}

#[test]
fn stopped_rerun_is_not_a_different_answer() {
    let desk = Desk::new();
    desk.ndq("solve 4^3 --record r").success();
    let record = format!("r/{}", desk.names("r")[0]);
    let outcome = desk.ndq(&format!("rerun {record} --time-limit 0")).code(3);
    outcome.stdout(
        contains("the time limit ended the rerun before an answer\n")
            .and(contains("  stop: finished then, time limit now\n"))
            .and(contains("another answer").not()),
    );
    let compared = &desk.json(3, &format!("rerun {record} --time-limit 0"))[0];
    assert_eq!(compared["same_answer"], serde_json::Value::Null);
    assert_eq!(compared["now"]["stop"], "time limit");
    desk.ndq(&format!("rerun {record} --time-limit 600")).code(0).stdout(contains("the same answer"));
}

#[test]
fn a_rerun_tells_a_record_that_was_edited() {
    let desk = Desk::new();
    desk.ndq("solve 3^3 --record records").success();
    let record = format!("records/{}", desk.names("records")[0]);
    let text = desk.read(&record);
    desk.write("edited.json", text.replace("\"incumbent\": 4", "\"incumbent\": 5"));
    desk.ndq("rerun edited.json").code(1).stdout(contains("another answer\n  incumbent: 5 then, 4 now"));
    let compared = &desk.json(1, "rerun edited.json")[0];
    assert_eq!(
        (&compared["same_answer"], &compared["differences"]),
        (&false.into(), &json!(["incumbent: 5 then, 4 now"]))
    );

    for (from, to, words) in [
        ("\"layout\": 1", "\"layout\": 99", "its layout is 99"),
        ("\"board\": \"3^3\"", "\"board\": \"3^0\"", "dimension"),
        ("\"seed\"", "\"sead\"", "unknown field `sead`"),
        ("{", "[", "not a run record"),
    ] {
        desk.write("edited.json", text.replacen(from, to, 1));
        desk.ndq("rerun edited.json")
            .code(2)
            .stderr(contains("edited.json: not a run record").and(contains(words)));
    }
}

#[test]
fn construct_makes_checked_solutions() {
    let desk = Desk::new();
    let made = &desk.json(0, "find 4^3 -o made.txt")[0];
    assert_eq!((&made["best"], &made["checked"]), (&7.into(), &true.into()));
    desk.ndq("check made.txt").success().stdout(contains("holds; 7 squares of 4^3"));
    desk.ndq("find 8^2 --method planar").success().stdout(contains("8 queens on 8^2, checked"));
}

#[test]
fn check_reads_other_conventions() {
    let desk = Desk::new();
    desk.write("flat.txt", "2 5 12 15");
    desk.ndq("check flat.txt --as flat1 --board 4^2").code(1).stdout(contains("does not hold"));
    desk.write("tuples.txt", "(1,2), (2,4), (3,1), (4,3)");
    desk.ndq("check tuples.txt --as tuples1 --board 4^2 -o native.txt").success();
    let checked = &desk.json(0, "check native.txt")[0];
    assert_eq!(
        (&checked["size"], &checked["holds"], &checked["board"]),
        (&4.into(), &true.into(), &"4^2".into())
    );
}

#[test]
fn model_tells_its_size_and_conditions() {
    let desk = Desk::new();
    let written = &desk.json(0, "model 4^3 -f all -o model.lp")[0];
    assert_eq!((&written["columns"], &written["formulation"]), (&64.into(), &"all".into()));
    assert_eq!(written["conditions"], json!([]));
    assert_eq!(desk.names("."), ["model.lp"]);
    assert!(desk.read("model.lp").to_lowercase().contains("maximi"));
    desk.write("layers.toml", LAYERS);
    let written = &desk.json(0, "model 1x15x15x15 -f layers.toml -o model.lp")[0];
    let condition = written["conditions"][0].as_str().expect("a condition");
    assert!(
        condition.starts_with("alpha(15^3) <= 224 (reported: Kunt 2023, table 4; Pearson 2010"),
        "{condition}"
    );
    assert!(desk.read("model.lp").contains("holds if alpha(15^3) <= 224 [Kunt 2023, table 4; Pearson 2010"));
}

#[test]
fn a_formulation_may_be_a_file() {
    let desk = Desk::new();
    let formulation =
        "title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\nfamilies = [\"line\", \"star\"]\n";
    desk.write("mine.toml", formulation);
    assert_eq!(desk.json(0, "solve 3^3 -f mine.toml")[0]["answer"]["incumbent"], 4);
}

#[test]
fn what_comes_through_a_pipe_is_read_whole() {
    let desk = Desk::new();
    let mut piped = assert_cmd::Command::from_std(desk.command());
    let check =
        piped.args(["check", "--as", "tuples", "--board", "3^3", "-"]).write_stdin("0 0 0\n0 0 1\n").assert();
    check.code(1).stdout(contains("(0, 0, 0) and (0, 0, 1), attack each other"));
    desk.ndq("prove 4^3 --proof p.gz -o best.txt").code(0);
    for (file, words) in
        [("best.txt", "holds; 7 squares of 4^3"), ("p.gz", "holds; at most 7 queens fit on 4^3")]
    {
        let mut piped = assert_cmd::Command::from_std(desk.command());
        let check = piped.args(["check", "/dev/stdin"]).pipe_stdin(desk.path(file)).expect(file).assert();
        check.code(0).stdout(contains(words));
    }
    desk.ndq("check --as tuples --board 3^3 /dev/null").code(2).stderr(contains("nothing in it to check"));
}

#[test]
fn exact_engine_rejects_highs_flags() {
    let desk = Desk::new();
    for flag in ["--backend microlp", "--presolve off", "-f cube"] {
        desk.ndq(&format!("prove 3^3 --engine exact {flag}"))
            .code(2)
            .stderr(contains("are for --engine highs"));
        desk.ndq(&format!("prove 3^3 {flag}")).stdout(contains("exact proof").not());
    }
    desk.ndq("prove 3^3 --proof a -o a").code(2).stderr(contains("another output"));
}
