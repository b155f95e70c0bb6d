//! Invalid requests fail with exit code 2 and one sentence, and write nothing.

use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt as _;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::harness::Desk;

/// Runs a command that must be rejected at once, and checks that it leaves nothing in the folder.
fn refused(desk: &Desk, arguments: &[&str], words: &str) {
    let before = desk.names(".");
    let began = Instant::now();
    let output = desk.command().args(arguments).output().expect("runs");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(said.contains(words) && !said.contains("panicked"), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(began.elapsed() < Duration::from_secs(5), "{arguments:?}");
    assert_eq!(desk.names("."), before, "{arguments:?}");
}

fn refused_words(desk: &Desk, cases: &[(&str, &str)]) {
    for (arguments, words) in cases {
        refused(desk, &arguments.split_whitespace().collect::<Vec<_>>(), words);
    }
}

#[test]
fn nonsense_board_names_are_refused_at_their_place() {
    let desk = Desk::new();
    refused(&desk, &["info", ""], "the name is empty, at column 1");
    for (name, words) in [
        ("0^3", "a side length is 0; it must be at least 1, at column 1"),
        ("3^0", "the dimension d is 0; it must be at least 1, at column 3"),
        ("6^", "expected the dimension d, a positive integer, but found the end, at column 3"),
        ("x^3", "but found \"x\", at column 1"),
        ("2^31", "the dimension is above 20"),
        ("camel:3^3", "is not a piece"),
        ("torus:3x4", "equal sides"),
        ("99999^3", "squares"),
    ] {
        for command in ["info", "solve", "prove", "count", "find"] {
            refused(&desk, &[command, name], words);
        }
        refused(&desk, &["model", name, "-o", "model.lp"], words);
    }
}

#[test]
fn faults_of_boards_show_escape_sequences_as_text() {
    let desk = Desk::new();
    desk.write("drawing.txt", "\u{1b}[31mQ.\n");
    desk.write("graph.txt", "p edge 3 1\ne 1 \u{1b}[31m7\n");
    for board in ["file:drawing.txt", "file:graph.txt", "\u{1b}[31m5^3"] {
        refused(&desk, &["info", board], "\\u{1b}");
    }
}

#[test]
fn faults_quote_files_in_part() {
    let desk = Desk::new();
    let long = "7".repeat(100_000);
    desk.write("drawing.txt", format!("ndqueens board 1\npiece: {long}\n#\n"));
    desk.write("graph.txt", format!("p edge 3 1\ne 1 {long}\n"));
    desk.write("certificate.txt", format!("ndqueens certificate 1\nboard: {long}\nsize: 1\n0 0\n"));
    desk.write(
        "experiment.toml",
        format!("title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"{long}\"]\n"),
    );
    for arguments in
        ["info file:drawing.txt", "prove file:graph.txt", "check certificate.txt", "lab plan experiment.toml"]
    {
        let outcome = desk.ndq(arguments).code(2).stderr(contains(" ... "));
        let length = outcome.get_output().stderr.len();
        assert!(length < 4000, "{arguments}: {length} bytes");
    }
}

#[test]
fn scripts_hear_of_errors_as_objects() {
    let desk = Desk::new();
    for (arguments, code, words) in [
        (["check", "none.txt"], 2, "cannot read none.txt"),
        (["info", "6^"], 2, "invalid value '6^' for '<BOARD>'"),
        (["solve", "--nothing"], 2, "unexpected argument '--nothing' found"),
    ] {
        let outcome =
            desk.command().args(arguments).arg("--json").assert().code(code).stderr(contains("error: "));
        let object: serde_json::Value =
            serde_json::from_slice(&outcome.get_output().stdout).expect("an object");
        assert_eq!((&object["exit_code"], &object["kind"]), (&code.into(), &"bad input".into()), "{object}");
        let error = object["error"].as_str().expect("words");
        assert!(error.starts_with(words) && !error.contains("Usage"), "{error}");
        desk.command().args(arguments).assert().code(code).stdout("");
    }
    desk.ndq("info --help --json").code(0).stdout(contains("Usage: ndq info"));
}

#[test]
fn rejects_inputs_that_exceed_memory() {
    let desk = Desk::new();
    refused_words(
        &desk,
        &[
            ("solve 60^4 --memory 1", "1 GiB of memory is allowed"),
            ("lp relax 60^4 --memory 1", "1 GiB of memory is allowed"),
            ("model 1000^3 -o model.lp", "GiB of memory is allowed"),
            ("count 100^3", "more than 4096 squares, the most that the exact engine takes"),
            ("count 100^3 --method bk", "more than 4096 squares"),
            ("count 100^3 --method recursive", "more than 4096 squares"),
            ("find 6^11", "has 362797056 squares, too many for the constructions, which would"),
            ("solve 6^11 --start cut", "has 362797056 squares, too many for the constructions"),
            ("prove 6^11 -f base", "has 362797056 squares, too many for the constructions"),
            ("model 1200^3 -o graph.col", "has 1728000000 squares, too many for its graph"),
        ],
    );
}

#[test]
fn rejects_unknown_malformed_or_invalid_formulations() {
    let desk = Desk::new();
    let head = "title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\n";
    desk.write("half.toml", "title = ");
    desk.write("family.toml", format!("{head}families = [\"kube\"]\n"));
    desk.write("key.toml", format!("{head}familys = [\"cube\"]\n"));
    desk.write("binary.toml", [0u8, 159, 146, 150]);
    refused_words(
        &desk,
        &[
            ("solve 3^3 -f cubes", "unknown formulation \"cubes\"; expected one of base, lmr, cube"),
            ("solve 3^3 -f half.toml", "line 1, column"),
            ("solve 3^3 -f family.toml", "unknown family \"kube\"; known families are"),
            ("solve 3^3 -f key.toml", "line 4, column 1: unknown field `familys`"),
            ("solve 3^3 -f binary.toml", "cannot read binary.toml: it is not a text in UTF-8"),
            ("solve 3^3 -f none.toml", "cannot read none.toml"),
            ("solve rook:3^3 -f cube", "the family \"cube\" of formulation cube is not valid on rook:3^3"),
            (
                "model rook:3^3 -f star -o model.lp",
                "the family \"star\" of formulation star is not valid on rook:3^3",
            ),
            ("lp relax rook:3^3 -f cube", "is not valid on rook:3^3"),
            ("solve superqueen:6^2 -f cube", "defined on boxes and tori of queens, rooks and bishops"),
            ("info three:0", "the side n is 0; it must be at least 2"),
        ],
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    let desk = Desk::new();
    for asked in ["--at-least 10", "--exactly 10"] {
        let outcome = desk.ndq(&format!("solve 3^3 {asked}")).code(1);
        outcome.stderr(contains("10 queens do not fit on 3^3: the trivial upper bound is 9"));
    }
    refused_words(
        &desk,
        &[
            ("solve 3^3 --at-least -1", "it must be a whole number of queens, from 0 to"),
            ("solve 3^3 --at-least 2 --exactly 2", "cannot be used with"),
            ("model 3^3 -o model.lp --exactly -1", "it must be a whole number of queens, from 0 to"),
            ("prove 3^3 --k -1", "it must be a whole number of queens, from 0 to"),
            (
                "check none.txt --board 3^3 -f base --at-least -1",
                "it must be a whole number of queens, from 0 to",
            ),
            ("count 3^3 --time-limit -1", "it must be a number of seconds, 0 or more"),
            ("count 3^3 --method clever", "possible values: fast, bk, recursive, max-clique, all"),
            ("find 3^3 --seed -1", "a whole number from 0 to 4294967295 is needed"),
            ("prove 3^3 --k many", "it must be a whole number of queens, from 0 to"),
            ("solve 3^3 --time-limit -1", "it must be a number of seconds, 0 or more"),
            ("solve 3^3 --time-limit nan", "it must be a number of seconds, 0 or more"),
            ("count 3^3 --time-limit soon", "a number of seconds is needed"),
            ("solve 3^3 --threads 0", "a whole number from 1 to 1024 is needed"),
            ("prove split 3^3 --at-least 5 --parts 0 -o d", "a whole number is needed, 1 or more"),
            ("prove run none --all", "none: there is no split in this folder"),
            (
                "colour 3^3 --colours 3 --write q.clq",
                "the question is written as .lp, .mps, .opb, .cnf or .mtx",
            ),
            (
                "lp certify bishop:4^3",
                "error: the family \"cube\" of formulation strong cannot be used on bishop:4^3",
            ),
            ("lp certify bishop:4^3", "not for bishops; -f base takes every box"),
            ("solve 3^3 --seed -1", "a whole number from 0 to 2147483647 is needed"),
            ("solve 3^3 --node-limit 9999999999", "a whole number from 0 to 2147483647 is needed"),
            ("solve 3^3 --memory 0", "a whole number from 1 to 1048576 is needed"),
            ("solve 3^3 --memory 0.5", "a whole number from 1 to 1048576 is needed"),
            ("solve 3^3 --presolve maybe", "possible values: on, off"),
            ("solve 3^3 --option threads", "NAME=VALUE"),
            ("solve 3^3 --option mip_heuristic_efort=1", "did you mean \"mip_heuristic_effort\"?"),
            ("solve 3^3 --option mip_heuristic_effort=2", "a number from 0 to 1, not \"2\""),
            ("solve 3^3 --option mip_rel_gap=0.5", "means a closed gap"),
            (
                "solve 3^3 --option solver=ipm --option solver=choose",
                "the option solver of HiGHS is given twice",
            ),
            ("solve 3^3 --backend microlp --option solver=ipm", "cannot take options of HiGHS"),
            ("solve 3^3 --engine exact --option solver=ipm", "--option is for --engine highs"),
            ("prove 3^3 --engine exact --log x.log", "--log are for --engine highs"),
            ("solve 3^3 --log missing/x.log", "missing/x.log: the log cannot be written"),
            ("lp relax 3^3 --log x.log", "--log stores the log of one formulation"),
            ("solve 3^3 --rows some", "possible values: all, distinct, undominated"),
            ("find 3^3 --method magic", "\"magic\" is not a construction; expected one of regular"),
            ("check none.txt --as rebus", "unknown convention \"rebus\"; expected one of native"),
            ("frobnicate", "unrecognized subcommand"),
        ],
    );
}

/// No flag is accepted and ignored.
#[test]
fn a_flag_that_decides_nothing_is_refused() {
    let desk = Desk::new();
    desk.write("board.txt", "ndqueens cliquer 1\n0 0\n10 1\n4 9\n5 3\n");
    refused_words(
        &desk,
        &[
            (
                "find 5^2 --method regular --seed 1",
                "--seed decides nothing here: nothing is chosen at random",
            ),
            ("find 5^2 --method regular --count --seed 1", "--seed decides nothing here"),
            ("find 12^3 --threads 2", "--threads is for --method search"),
            ("find 5^2 --method regular --count --threads 2", "--threads is for --method search"),
            ("find 12^3 --rounds 2", "--rounds is for --method search"),
            ("colour 3^3 --seed 1", "--seed decides nothing here"),
            ("colour 3^3 --threads 2", "what is asked takes one"),
            ("colour 12^2 --method cover --seed 1", "--seed decides nothing here"),
            ("colour 5^2 --method closed --threads 2", "what is asked takes one"),
            ("colour 7^2 --all --seed 1", "--seed decides nothing here"),
            ("colour 12^2 --first", "unexpected argument '--first'"),
            ("lp relax 3^3 --node-limit 1", "unexpected argument '--node-limit'"),
            ("prove 4^3 --proof p.drat", "p.drat: a name that ends in .drat or .drat.gz is for --engine sat"),
            ("prove hex:3 --box-limit 1", "--box-limit is for sub-boxes, and hex:3 has none"),
            ("prove 4^3 -f cube --box-limit 1", "--box-limit is for --engine exact"),
            ("prove 4^3 --engine sat --box-limit 1", "--box-limit is for --engine exact"),
            ("lp certify 3^3 --detect-symmetry on", "unexpected argument '--detect-symmetry'"),
            ("solve 3^3 --engine exact --presolve off", "--presolve is for --engine highs"),
            ("solve 3^3 --engine exact --detect-symmetry off", "--detect-symmetry is for --engine highs"),
            ("prove 3^3 --engine exact --equality", "--equality, --assume-reported"),
            ("dots extremes board.txt --method flips --seed 1", "--seed is for --method highs"),
            ("dots extremes board.txt --method flips --threads 2", "--threads is for --method highs"),
            (
                "dots extremes board.txt --method flips --side largest --model x.lp",
                "--model writes the integer program, which is for --method highs",
            ),
            ("model 4^2 --row line_0 --at-least 3", "the row line_0 is the same with --at-least"),
            ("model 4^2 --row line_0 --exactly 4", "the row line_0 is the same with --exactly"),
            (
                "model 4^2 --row size_0 --at-least 3 --include q.txt",
                "the same with --include; --include goes with -o",
            ),
            ("sudoku p.txt --hint --method bk", "'--hint' cannot be used with '--method <METHOD>'"),
            ("sudoku p.txt --polynomial --node-limit 1", "cannot be used with"),
            ("count 4^2 --maximal --threads 2", "--maximal takes one thread"),
            ("count 3^3 --method bk --threads 2", "--threads goes with the method fast"),
            ("count 3^3 --size 2", "unexpected argument '--size'"),
            ("solve 3^3 --symmetry off", "unexpected argument '--symmetry'"),
            ("prove 3^3 --exactly", "unexpected argument '--exactly'"),
        ],
    );
}

/// Single-threaded commands accept `--threads 1`.
#[test]
fn one_thread_is_accepted_where_one_works() {
    let desk = Desk::new();
    desk.write("board.txt", "ndqueens cliquer 1\n0 0\n10 1\n4 9\n5 3\n");
    for command in [
        "find 5^2 --method regular",
        "find 5^2 --method regular --count",
        "colour 3^2",
        "colour 5^2 --method closed",
        "count 3^2 --method bk",
        "count 3^2 --maximal",
        "dots extremes board.txt --method flips",
    ] {
        desk.ndq(&format!("{command} --threads 1")).success();
    }
}

/// Valid rows that do not exclude every attack: the solver would be correct, but its answer wrong.
#[test]
fn rejects_incomplete_formulations_before_solving() {
    let desk = Desk::new();
    let formulation = |name: &str, problem: &str, families: &str| {
        let text =
            format!("title = \"t\"\nsource = \"s\"\nproblem = \"{problem}\"\nfamilies = [{families}]\n");
        desk.write(name, text);
    };
    formulation("odd.toml", "independent set", "\"odd-cycle\"");
    formulation("lex.toml", "dominating set", "\"lex\"");
    formulation("cube.toml", "independent set", "\"cube\"");
    let odd = "formulation odd.toml does not describe the independent sets of 5^2: no row forbids both (0,0) and (0,1)";
    let lex = "formulation lex.toml does not describe the dominating sets of 5^2: no row demands (0,0)";
    refused_words(
        &desk,
        &[
            ("solve 5^2 -f odd.toml", odd),
            ("model 5^2 -f odd.toml -o m.lp", odd),
            ("solve 5^2 -f lex.toml", lex),
            ("model 5^2 -f lex.toml -o m.lp", lex),
            ("prove 3^3 --engine highs -f odd.toml", "no row forbids both (0,0,0) and (0,0,1)"),
        ],
    );
    assert!(!desk.path("m.lp").exists());
    // On 2^3 the cube is the whole board. Any valid rows give an upper bound.
    desk.ndq("solve 2^3 -f cube.toml").success().stdout(contains("1 queen on 2^3: optimal"));
    desk.ndq("lp relax 5^2 -f odd.toml").success().stdout(contains("odd.toml"));
}

#[test]
fn faulty_certificates_are_rejected_and_fail_the_check() {
    let desk = Desk::new();
    desk.certificate("off.txt", "3^3", &["0 0 0", "0 1 3"]);
    desk.certificate("twice.txt", "3^3", &["0 0 1", "1 2 0", "0 0 1"]);
    desk.certificate("pair.txt", "3^3", &["0 0 0", "1 2 0", "2 2 2"]);
    desk.certificate("short.txt", "3^3", &["0 0"]);
    for (file, words) in [
        ("off.txt", "square 2 of the list, (0, 1, 3), is off the board 3^3"),
        ("twice.txt", "the square (0, 0, 1) is in the list twice, at positions 1 and 3"),
        ("pair.txt", "squares 1 and 3 of the list, (0, 0, 0) and (2, 2, 2), attack each other"),
        ("short.txt", "has 2 coordinates; on 3^3 a square has 3"),
    ] {
        for use_of in ["solve 3^3 --include", "solve 3^3 --start", "prove 3^3 --start"] {
            refused_words(&desk, &[(&format!("{use_of} {file}"), words)]);
        }
        // A placement with an attack is drawn, with the attack marked.
        if file == "pair.txt" {
            desk.ndq("draw 3^3 --show pair.txt").code(0).stderr(contains(words));
        } else {
            refused_words(&desk, &[(&format!("draw 3^3 --show {file}"), words)]);
        }
        refused_words(&desk, &[(&format!("model 3^3 -o model.lp --include {file}"), words)]);
        refused_words(&desk, &[(&format!("find 3^3 --include {file}"), words)]);
        desk.ndq(&format!("check {file} -o copy.txt"))
            .code(1)
            .stdout(contains("does not hold").and(contains(words)));
        let checked = &desk.json(1, &format!("check {file}"))[0];
        assert!(
            checked["holds"] == false && checked["fault"].as_str().is_some_and(|fault| fault.contains(words))
        );
    }
    assert!(!desk.path("copy.txt").exists());

    desk.certificate("other.txt", "4^3", &["0 0 0"]);
    let words = "the certificate is for the board 4^3, but 3^3 was asked for";
    refused_words(&desk, &[("solve 3^3 --include other.txt", words), ("prove 3^3 --start other.txt", words)]);
}

#[test]
fn a_dominating_set_is_no_lower_bound() {
    let desk = Desk::new();
    // A set with as many squares as the trivial bound of 4^3, and a true claim.
    let squares = "1 1 1\n1 2 2\n2 1 2\n3 3 0\n0 0 0\n0 0 1\n0 0 2\n0 0 3\n";
    let head = "ndqueens certificate 1\nboard: 4^3\nproblem: dominating set\nsize: 8\norigin: x\n";
    desk.write("eight.txt", format!("{head}{squares}"));
    desk.ndq("check eight.txt").success();
    let words = "the certificate is of a dominating set, but an independent set was asked for";
    for way in ["", "--engine exact", "--engine highs", "-f cube", "--node-limit 10", "--k 8"] {
        refused_words(&desk, &[(&format!("prove 4^3 --start eight.txt {way}"), words)]);
    }
    refused_words(&desk, &[("find 4^3 --method search --rounds 1 --start eight.txt", words)]);
    refused_words(&desk, &[("solve 4^3 --start eight.txt", "the start is not a feasible point")]);
    desk.ndq("draw 4^3 --show eight.txt").success();
}

#[test]
fn files_that_are_no_certificates_are_refused() {
    let desk = Desk::new();
    desk.write("binary.txt", [127u8, b'E', b'L', b'F', 0, 255, 254]);
    desk.write("empty.txt", "");
    desk.write("other.txt", "dear diary\n");
    desk.write(
        "count.txt",
        "ndqueens certificate 1\nboard: 3^3\nproblem: independent set\nsize: 2\norigin: x\n0 0 0\n",
    );
    for command in ["check", "solve 3^3 --include", "solve 3^3 --start", "draw 3^3 --show"] {
        refused_words(
            &desk,
            &[
                (&format!("{command} binary.txt"), "cannot read binary.txt: it is not a text in UTF-8"),
                (&format!("{command} empty.txt"), "the file is empty; it must begin with"),
                (&format!("{command} other.txt"), "line 1, column 1: the file must begin with"),
                (&format!("{command} count.txt"), "the size is given as 2, but the file has 1 square"),
                (&format!("{command} ."), "cannot read .: "),
            ],
        );
    }
    refused_words(
        &desk,
        &[
            ("check none.txt", "cannot read none.txt: No such file"),
            ("solve 3^3 --include none.txt", "cannot read none.txt: No such file"),
            ("solve 3^3 --start none.txt", "neither cut, greedy or none, nor an existing certificate file"),
            ("rerun none.json", "cannot read none.json"),
            ("rerun empty.txt", "empty.txt: not a run record"),
            ("rerun binary.txt", "cannot read binary.txt: it is not a text in UTF-8"),
            ("check empty.txt --as tuples", "board"),
        ],
    );
}

#[test]
fn rejects_unwritable_files_before_the_work() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("folder.lp")).expect("a folder");
    desk.write("file", "not a folder");
    // 9^3 would take days: these commands are rejected before the solver starts.
    refused_words(
        &desk,
        &[
            ("solve 9^3 -o missing/best.txt", "cannot write missing/best.txt: there is no folder missing"),
            ("prove 9^3 -o folder.lp", "cannot write folder.lp: it is a folder"),
            ("solve 9^3 --record file", "cannot write file"),
            ("prove 9^3 --record file/records", "cannot write file/records"),
            ("model 3^3 -o missing/model.lp", "cannot write missing/model.lp: there is no folder missing"),
            ("model 3^3 -o folder.lp", "cannot write folder.lp: it is a folder"),
            ("model 3^3 -o file/model.lp", "cannot write file/model.lp: there is no folder file"),
            ("model 3^3 -o model.txt", "the name \"model.txt\" has no known format"),
            ("model 3^3 -o model", "the name \"model\" has no known format"),
            ("find 3^3 -o missing/made.txt", "cannot write missing/made.txt: there is no folder missing"),
        ],
    );
    assert_eq!(desk.read("file"), "not a folder");
}
