//! `ndq lp certify`, `ndq archive`, and the reports of `ndq check` and `ndq prove` on orbit LPs.

use std::collections::BTreeSet;

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::json;

use crate::harness::Desk;

#[test]
fn a_bound_is_kept_and_checked() {
    let desk = Desk::new();
    let says = contains("at most 245 queens fit on 8^4: formulation cube, checked in exact arithmetic");
    desk.ndq("lp certify 8^4 -f base,cube -o b.txt").code(0).stdout(says);
    let says = contains("b.txt: holds; at most 245 queens fit on 8^4").and(contains("add up to 245 1/3"));
    desk.ndq("check b.txt").code(0).stdout(says);
    desk.ndq("check b.txt --board 8^4").code(0);
    desk.ndq("check b.txt --board 6^4").code(2).stderr(contains("6^4 was asked for"));
    let bound = &desk.json(0, "lp certify 4x3x4 -f strong")[0];
    assert_eq!((bound["board"].as_str(), bound["checked"].as_bool()), (Some("3x4x4"), Some(true)));
    let text = desk.read("b.txt");
    for (from, to, says) in [
        ("at most 245", "at most 244", "add up to 736/3"),
        ("clique ", "clique 1", "does not hold"),
        ("board 8^4", "board 9^4", "less than once"),
        ("end\n", "", "too early"),
    ] {
        desk.write("bad.txt", text.replacen(from, to, 1).as_bytes());
        if to == "clique 1" {
            // A larger multiplier is valid by itself, but changes the sum.
            desk.ndq("check bad.txt").code(1).stdout(contains("add up to"));
        } else if says == "too early" {
            desk.ndq("check bad.txt").code(2).stdout("").stderr(contains(says));
        } else {
            desk.ndq("check bad.txt").code(1).stdout(contains(says));
        }
    }
}

#[test]
fn bounds_that_cannot_be_had_are_refused() {
    let desk = Desk::new();
    desk.ndq("lp certify torus:5^2").code(2).stderr(contains("not a plain box"));
    desk.ndq("lp certify 4^3 -f lex").code(2).stderr(contains("breaks the symmetry"));
    desk.ndq("lp certify 4^3 -f domination").code(2).stderr(contains("most queens"));
    desk.ndq("lp certify rook:4^3 -f cube").code(2).stderr(contains("for queens, not for rooks"));
    desk.ndq("lp certify rook:4^3 -f base").code(0).stdout(contains("at most 16 rooks fit"));
    desk.ndq("lp certify 4^3 -f nonsense").code(2).stderr(contains("unknown formulation"));
    desk.ndq("lp certify 4^3 -o there/is/none.txt").code(2).stderr(contains("no folder"));
    desk.ndq("check b.txt").code(2);
}

#[test]
fn bound_from_published_values_is_conditional() {
    let desk = Desk::new();
    let bound = &desk.json(0, "lp certify 10^4 -f all --assume-reported -o b.txt")[0];
    let conditions = bound["conditions"].as_array().expect("a list");
    let rests_on = bound["rests_on"].as_array().expect("a list");
    let code = if conditions.is_empty() { 0 } else { 1 };
    assert!(!conditions.is_empty() || !rests_on.is_empty() || bound["at_most"].as_u64() == Some(601));
    desk.ndq("check b.txt").code(code);
}

#[test]
fn the_shipped_ledger_verifies() {
    let desk = Desk::new();
    let rows = desk.json(3, "archive verify");
    assert!(rows.iter().any(|row| row["board"] == "6^4" && row["value"] == 80));
    // Two proofs are too large for the archive, and no row here rests on them.
    let missing = rows.iter().filter(|row| row["status"] == "not_rechecked");
    let files: BTreeSet<&str> = missing.map(|row| row["file"].as_str().expect("a file")).collect();
    assert_eq!(Vec::from_iter(files), ["12^3-133.proof.gz", "14^3.proof.gz"]);
    assert!(rows.iter().all(|row| row["status"] != "rests_on_not_rechecked"));
    let not_rechecked =
        |row: &serde_json::Value| row["foundation"].to_string().contains("not re-checked here");
    for row in rows.iter().filter(|row| row["side"].is_string()) {
        let status = row["status"].as_str().expect("a status");
        assert_eq!(
            not_rechecked(row),
            ["not_rechecked", "rests_on_not_rechecked"].contains(&status),
            "{row}"
        );
    }
    // The same archive as a folder.
    let clone = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/archive");
    let listed = desk.json(0, "archive list");
    assert_eq!(desk.json(0, &format!("archive list --data {clone}")), listed);
    let there = desk.ndq(&format!("archive list --data {clone}")).code(0);
    there.stderr(contains("takes the place of the one in the program"));
    desk.ndq("lp certify 3^4 -f strong-clique -o b.txt").code(0);
    desk.ndq("archive add b.txt").code(2).stderr(contains("--data names a folder"));
    desk.ndq("archive add b.txt --data l").code(0).stdout(contains("alpha(3^4) <= 6, orbit LP"));
    desk.ndq("archive add b.txt --data l").code(0).stdout(contains("the archive has as much already"));
    desk.ndq("archive list --data l").code(0).stdout(contains("alpha(3^4) <= 6"));
    desk.ndq("archive verify --data l").code(0).stderr(contains("1 bound: 1 checked here"));
    let row = desk.read("l/ledger.csv");
    desk.write("l/ledger.csv", row.replace("upper,6,", "upper,5,").as_bytes());
    desk.ndq("archive verify --data l").code(1).stderr(contains("shows 6, not 5"));
    desk.write("l/ledger.csv", "board,side\n3^4,upper\n".as_bytes());
    desk.ndq("archive verify --data l").code(2).stderr(contains("l/ledger.csv"));
    std::fs::remove_file(desk.path("l/ledger.csv")).expect("it is there");
    desk.ndq("archive verify --data l")
        .code(2)
        .stderr(contains("there is no bound, no certificate and no count in"));
    desk.write("bad.txt", b"ndqueens bound 1\nboard 3^4\nat most 6\nend\n".as_slice());
    desk.ndq("archive add bad.txt --data new").code(1).stderr(contains("less than once"));
    assert!(!desk.path("new/ledger.csv").exists());
}

#[test]
fn bounds_may_be_packed() {
    let desk = Desk::new();
    for name in ["b.txt", "b.gz", "again.gz"] {
        desk.ndq(&format!("lp certify 5^5 -f strong-clique --cases 9 -o {name}")).code(0);
    }
    let [plain, packed, again] = ["b.txt", "b.gz", "again.gz"].map(|name| std::fs::read(desk.path(name)));
    let packed = packed.expect("written");
    assert!(packed.starts_with(&[0x1f, 0x8b]) && packed.len() < plain.expect("written").len() / 2);
    assert_eq!(packed, again.expect("written"));
    desk.ndq("check b.gz")
        .code(0)
        .stdout(contains("at most 109 queens fit on 5^5").and(contains("in 3 cases")));
    desk.ndq("archive add b.gz --data l").code(1).stderr(contains("rests on alpha(3^5) <= 11"));
    desk.ndq("lp certify 3^5 -f strong-clique -o c.gz").code(0);
    let at_most = desk.json(0, "check c.gz")[0]["at_most"].clone();
    desk.ndq("archive add c.gz --data l").code(0).stdout(contains("orbit LP"));
    desk.ndq("archive verify --data l").code(0).stderr(contains("1 bound: 1 checked here"));
    let rows = desk.json(0, "archive list --data l");
    assert_eq!((&rows[0]["file"], &rows[0]["value"]), (&"3^5.bound.gz".into(), &at_most));
    for (text, words) in
        [("ndqueens bound 1\n", "line 2"), ("ndqueens baund 1\n", "line 1"), ("", "the file is empty")]
    {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packer, text.as_bytes()).expect("memory");
        desk.write("bad.gz", packer.finish().expect("memory"));
        desk.ndq("check bad.gz").code(2).stdout("").stderr(contains(words));
    }
    desk.write("cut.gz", &packed[..packed.len() / 2]);
    desk.ndq("check cut.gz").code(2).stdout("").stderr(contains("cut.gz"));
}

#[test]
fn prove_takes_the_cheapest_route() {
    let desk = Desk::new();
    desk.ndq("prove 11^3 --record r").code(0).stdout(contains(
        "upper bound  121: partition of the board into 121 lines, checked from the definition",
    ));
    desk.ndq("prove 6^4 --certified")
        .code(0)
        .stdout(contains("upper bound  80: orbit LP of formulation cube"));
    desk.ndq("prove 3^4").code(0).stdout(contains("alpha(3^4) = 6: proved").and(contains("orbit LP")));
    desk.ndq("prove 4^3").code(0).stdout(contains("upper bound  7: exact proof"));
    desk.ndq("prove 6^4 --k 79").code(1).stdout(contains("refuted; 80 queens fit"));
    desk.ndq("prove 6^4 --k 81").code(1).stdout(contains("refuted; at most 80 queens fit"));
    desk.ndq("prove 10^4 --certified")
        .code(3)
        .stdout(contains("too large for every engine").and(contains("<= alpha <= 601")));
    desk.ndq("prove 10^4 --time-limit 1 --certified")
        .code(3)
        .stdout(contains("alpha <= 601").or(contains("alpha <= 625")));
    desk.ndq("prove 10^4 --time-limit 0").code(3).stdout(contains("stopped (time limit)"));
    let record = desk.names("r").pop().expect("a record");
    desk.ndq(&format!("rerun r/{record}")).code(0).stdout(contains("the same answer"));
    let refused = desk.ndq("prove 4^3 --engine highs --certified").code(2);
    refused.stderr(contains("--certified accepts no floating-point result"));
}

#[test]
fn the_engine_ends_where_placement_and_bound_meet() {
    let desk = Desk::new();
    // The engine stops once it has placed as many queens as the orbit LP allows.
    let met = desk.ndq("prove 3^7 --certified --start best.txt");
    met.code(2).stderr(contains("best.txt"));
    desk.ndq("prove 3^7 --certified")
        .code(0)
        .stdout(contains("alpha(3^7) = 32: proved").and(contains("orbit LP")));
}

#[test]
fn proof_starts_with_given_or_constructed_placement() {
    let desk = Desk::new();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/archive/ledger");
    for (board, queens) in [("3^8", 52), ("4^9", 512)] {
        let proved = desk.ndq(&format!("prove {board} --certified --start {shipped}/{board}.txt")).code(0);
        proved.stdout(contains(format!("alpha({board}) = {queens}: proved")));
    }
    desk.ndq("prove 4^9").code(0).stdout(contains("alpha(4^9) = 512: proved"));
    desk.ndq("prove 4^7 --certified").code(0).stdout(contains("alpha(4^7) = 128: proved"));
    desk.ndq("find 5^3 -o best.txt").code(0);
    desk.ndq("prove 5^3 --start best.txt --engine exact").code(0).stdout(contains("exact proof"));
    let shut = desk.ndq("prove 20^4 --certified --time-limit 0").code(3);
    shut.stdout(contains(" 0 queens").not());
}

#[test]
fn ledger_is_checked_when_read_and_extended() {
    let desk = Desk::new();
    for command in ["archive verify", "archive list", "table bounds", "prove 3^3"] {
        desk.ndq(&format!("{command} --data none")).code(2).stderr(contains("there is no archive at none"));
    }
    for file in ["none", "-", "."] {
        desk.ndq(&format!("archive add {file} --data l")).code(2).stderr(contains("cannot read"));
    }
    desk.ndq("find file:heart.txt").code(2);
    desk.write("heart.txt", b"ndqueens board 1\n##\n#.\n".as_slice());
    desk.ndq("find file:heart.txt -o c.txt").code(0);
    let refused = desk.ndq("archive add c.txt --data l").code(2);
    refused.stderr(contains("for boards with a name of their own"));
    assert!(!desk.path("l/ledger.csv").exists());
    desk.ndq("lp certify 6x5x4 -o f.txt").code(0);
    desk.ndq("check f.txt --board 6x5x4").code(0);
    desk.ndq("check f.txt --board 6x5x5").code(2);
    desk.ndq("lp certify 4^4 -o -").code(2).stderr(contains("-o needs the name of a file"));
    assert!(!desk.path("-").exists());
    // A required bound is read from the archive given by `--data`.
    desk.ndq("lp certify 3^4 -f strong-clique -o b.txt").code(0);
    desk.ndq("archive add b.txt --data l").code(0);
    let bound = |data: &str| desk.json(0, &format!("lp certify 9^4 -f strong{data}")).remove(0);
    assert_ne!(bound("")["conditions"].to_string(), "[]", "5^4 is not kept");
    let here = bound(" --data l");
    assert_eq!(
        here["rests_on"].to_string(),
        "[\"alpha(3^4) <= 6 (checked in this run: orbit LP 3^4.bound)\"]"
    );
    assert_eq!((&here["conditions"], &here["checked"]), (&json!([]), &json!(true)));
    // A false row is not used, and neither is a row whose file is missing.
    let row = desk.read("l/ledger.csv");
    desk.write("l/ledger.csv", row.replace("upper,6,", "upper,1,"));
    let forged = bound(" --data l");
    assert_eq!((&forged["rests_on"], &forged["checked"]), (&json!([]), &json!(false)));
    assert!(
        forged["conditions"][0]
            .as_str()
            .is_some_and(|outcome| outcome == "alpha(3^4) <= 1 (refused: 3^4.bound shows 6, not 1)")
    );
    let honest = bound(" --certified --data l");
    assert_eq!((&honest["conditions"], &honest["checked"]), (&json!([]), &json!(true)));
    desk.write("l/ledger.csv", &row);
    desk.ndq("lp certify 9^4 -f strong --data l -o nine.txt").code(0);
    desk.ndq("check nine.txt --data l").code(0).stdout(contains("nine.txt: holds; at most"));
    std::fs::remove_file(desk.path("l/ledger/3^4.bound")).expect("it was kept");
    desk.ndq("check nine.txt --data l").code(3).stdout(contains("holds if  alpha(3^4) <= 6 (refused: "));
    desk.ndq("archive add nine.txt --data l").code(1).stderr(contains("the ledger's row does not hold"));
    desk.ndq("archive verify --data l")
        .code(1)
        .stderr(contains("is missing, and the ledger lists it as archived"));
}

/// A row whose file never existed, listed as too large to keep and with a digest of zeros, proves nothing.
#[test]
fn row_without_its_file_is_a_condition() {
    let desk = Desk::new();
    let head = "board,side,value,kind,file,bytes,sha256,rests_on,command,commit";
    let forged = |board: &str, value: u64| {
        format!("{board},upper,{value},proof tree,{board}.proof.gz,20000000,{},,make it,c\n", "0".repeat(64))
    };
    let rows =
        [("3^5", 2), ("4^5", 4), ("2x2x2x2x3", 1), ("3x3x3", 1)].map(|(board, value)| forged(board, value));
    std::fs::create_dir(desk.path("d")).expect("made");
    desk.write("d/ledger.csv", format!("{head}\n{}", rows.concat()));
    desk.ndq("archive verify --data d").code(3).stdout(contains("alpha(3^5) <= 2").and(contains("holds if")));
    let bound = &desk.json(0, "lp certify 5^5 -f strong -o b.txt --data d")[0];
    assert_eq!(bound["checked"], false);
    assert_ne!(bound["conditions"], json!([]));
    let outcome = desk.ndq("lp certify 5^5 -f strong --data d").code(0);
    outcome
        .stdout(contains("conditionally").and(contains("holds if  alpha(")).and(contains("rests on").not()));
    let bound = &desk.json(0, "lp certify 5^5 -f strong --certified --data d")[0];
    assert_eq!((&bound["checked"], &bound["conditions"]), (&json!(true), &json!([])));
    assert!(bound["at_most"].as_u64().is_some_and(|most| most >= 95), "{bound}");
    desk.ndq("check b.txt --data d").code(3).stdout(contains("holds conditionally"));
    desk.ndq("archive add b.txt --data d").code(0).stdout(contains("holds if  alpha("));
    let added = desk.ndq("archive verify --data d").code(3);
    added.stderr(contains("1 checked that rest on a file not here"));
    desk.ndq("prove 3^3 --data d").code(0).stdout(contains("alpha(3^3) = 4: proved"));
    let row = &desk.json(4, "table bounds --d 3 --n 3 --data d");
    assert!(row[0]["contradiction"].as_bool().expect("told"), "three queens and more fit");
    desk.ndq("table bounds --d 3 --n 3 --certified --data d").code(0);
    let solved = &desk.json(0, "solve 4^3 -f all --at-least 1 --data d")[0]["answer"];
    assert!(solved["conditions"].to_string().contains("alpha(3^3) <= 1 (archived"), "{solved}");
    assert_eq!(solved["lemmas"], json!([]));
}

/// A row bounds nothing if its file, or the file of a row that it rests on, fails the check. A row whose file
/// is too large to check, or need not be present, still counts.
#[test]
fn a_row_that_is_refused_bounds_nothing() {
    let desk = Desk::new();
    let head = "board,side,value,kind,file,bytes,sha256,rests_on,command,commit";
    let digest = "0".repeat(64);
    let row = |board: &str, side: &str, value: u64, kind: &str, bytes: u64, rests_on: &str| {
        format!("{board},{side},{value},{kind},{board}.file,{bytes},{digest},{rests_on},make it,c\n")
    };
    std::fs::create_dir_all(desk.path("d/ledger")).expect("made");
    let bounds = |board: &str, rows: &[String]| {
        desk.write("d/ledger.csv", format!("{head}\n{}", rows.concat()));
        let info = &desk.json(0, &format!("info {board} --data d"))[0];
        [&info["lower"], &info["upper"]].map(|bound| {
            (bound["value"].as_u64().expect("a value"), bound["because"].as_str().expect("words").to_owned())
        })
    };
    let upper = |board: &str, rows: &[String]| bounds(board, rows)[1].clone();
    let is_archived = |(_, because): &(u64, String)| because.starts_with("archived");
    for (board, value) in [("5^5", 150), ("8x9x10", 71)] {
        let large = row(board, "upper", value, "proof tree", 20_000_000, "");
        let known = upper(board, std::slice::from_ref(&large));
        assert!(known.0 == value && is_archived(&known), "{known:?}");
        let small = row(board, "upper", value, "proof tree", 20, "");
        assert!(!is_archived(&upper(board, std::slice::from_ref(&small))), "its file is missing");
        desk.write(&format!("d/ledger/{board}.file"), b"ndqueens proof 2\n".as_slice());
        for forged in [&small, &large] {
            assert!(!is_archived(&upper(board, std::slice::from_ref(forged))), "it is another file");
        }
        // A large file is not read; only its size and its first bytes are checked.
        for (begins, bytes, counts) in [
            ("ndqueens proof 2\n", 20_000_000, false),
            ("ndqueens bound 1\n", 2_000_017, false),
            ("a certificate!!!\n", 2_000_017, false),
            ("ndqueens proof 2\n", 2_000_017, true),
        ] {
            let large = row(board, "upper", value, "proof tree", bytes, "");
            desk.write(&format!("d/ledger/{board}.file"), [begins.as_bytes(), &[b'x'; 2_000_000]].concat());
            let known = upper(board, &[large]);
            assert_eq!(known.0 == value && is_archived(&known), counts, "{begins}{bytes}: {known:?}");
        }
    }
    // A false lower bound without evidence does not affect an upper bound proved by its
    // file, and is reported.
    desk.ndq("prove 3^3 --proof 3^3.proof").success();
    desk.write("d/ledger.csv", format!("{head}\n"));
    desk.ndq("archive add 3^3.proof --data d").success();
    let forged = row("3^3", "lower", 7, "certificate", 20_000_000, "").replace(",c\n", ",c,\n");
    let rows = desk.read("d/ledger.csv") + &forged;
    desk.write("d/ledger.csv", &rows);
    for more in ["", " --certified"] {
        let info = desk.ndq(&format!("info 3^3 --data d{more}")).success();
        let info = info.stdout(contains("upper bound    4  checked: proof tree"));
        info.stderr(contains("alpha(3^3) >= 7 is refused: the lower bound 7 is above the upper bound 4"));
    }
    // Another file replaces such a row.
    desk.ndq("find 3^3 -o 3^3.txt").success();
    desk.ndq("archive add 3^3.txt --data d").success();
    desk.ndq("archive verify --data d").success();
    // A row whose own file is missing is not replaced.
    let rows = desk.read("d/ledger.csv");
    let missing = row("4^3", "lower", 7, "certificate", 20, "").replace(",c\n", ",c,\n");
    desk.write("d/ledger.csv", format!("{rows}{missing}"));
    desk.write("two.txt", desk.read("3^3.txt").replace("3^3", "4^3"));
    desk.ndq("archive add two.txt --data d").success();
    assert!(desk.read("d/ledger.csv").contains(&missing));
    // Rows that rest on it are rejected too.
    let small = row("3^4", "upper", 6, "orbit LP", 20, "");
    let above = row("9^4", "upper", 400, "orbit LP", 20_000_000, "3^4<=6");
    let gone = row("3^4", "upper", 6, "orbit LP", 20_000_000, "");
    assert!(is_archived(&upper("9^4", &[above.clone(), gone])));
    assert!(!is_archived(&upper("9^4", &[above, small])));
    // The table of boxes has no files to check: bounds that rest on it are conditional.
    let table = |lower: u64, upper: u64| {
        desk.write("d/ledger.csv", format!("{head}\n"));
        desk.write("d/box-table.csv", format!("piece,sides,lower,upper\nqueen,8x9x10,{lower},{upper}\n"));
    };
    table(67, 67);
    let info = desk.ndq("info 8x9x10 --data d").success().stdout(contains("67, if the bounds above hold"));
    info.stdout(contains("  certified    72  theorem: a partition of the squares"));
    table(70, 69);
    let info = desk.ndq("info 8x9x10 --data d").code(4).stderr(contains("a lower bound is above an upper"));
    info.stderr(contains("alpha(8x9x10) >= 70  [archived] table of boxes"));
    table(0, 72);
    // A lower bound counts only if its placement was checked.
    let lower = |file: &str| {
        desk.write("d/ledger/8x9x10.file", file);
        let (bytes, digest) = (file.len(), ndqueens_system::file::digest::of(file));
        let row = format!("8x9x10,lower,66,certificate,8x9x10.file,{bytes},{digest},,,c\n");
        bounds("8x9x10", &[row])[0].clone()
    };
    desk.ndq("find 8x9x10 -o c.txt").success();
    let placed = desk.read("c.txt");
    assert_eq!(lower(&placed), (66, "checked: certificate 8x9x10.file".to_owned()));
    let constructed = lower(&placed.replace("8x9x10", "8x9x11"));
    assert!(constructed.1.starts_with("checked: placement, made and checked"), "{constructed:?}");
}

/// A missing file may be reported, but does not count with `--certified`.
#[test]
fn proofs_that_are_not_kept_are_told_apart() {
    let desk = Desk::new();
    desk.ndq("info 3^3 --why --certified").code(0).stdout(contains("[checked] proof tree 3^3.proof.gz"));
    let proved = &desk.json(0, "prove 3x3x3x5 --certified")[0];
    assert!(!proved["lemmas"].to_string().contains("archived"), "{proved}");
}

/// Answers do not depend on the working directory.
#[test]
fn the_working_directory_changes_nothing() {
    let clone = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let desk = Desk::new();
    for arguments in [
        "archive list",
        "table bounds --d 3 --n 3..20",
        "info 20^3 --why",
        "lp certify 9^4 -f strong",
        "prove 20^3 --time-limit 0 --certified",
        "solve 4^3 -f all",
        "info 8^4",
    ] {
        let outcome = |folder: &std::path::Path| {
            let mut command = desk.command();
            command.current_dir(folder).args(["--json", "--quiet"]).args(arguments.split(' '));
            let out = command.output().expect("run");
            let out = String::from_utf8(out.stdout).expect("UTF-8");
            // Times and memory differ from run to run.
            let plain = |line: &str| {
                let mut value: serde_json::Value = serde_json::from_str(line).expect("JSON");
                for part in ["provenance", "seconds"] {
                    value.as_object_mut().map(|object| object.remove(part));
                }
                if let Some(answer) = value.get_mut("answer").and_then(serde_json::Value::as_object_mut) {
                    for part in ["wall_seconds", "cpu_seconds", "peak_memory_bytes"] {
                        answer.remove(part);
                    }
                }
                value
            };
            out.lines().map(plain).collect::<Vec<_>>()
        };
        assert_eq!(outcome(&desk.path(".")), outcome(std::path::Path::new(clone)), "{arguments}");
    }
}

#[test]
fn rejected_archive_file_is_reported_and_not_used() {
    let desk = Desk::new();
    desk.ndq("prove 4^3 --proof 4.gz").success();
    desk.ndq("archive add 4.gz --data d").success();
    let rests = desk.ndq("solve 4^3 -f all --data d").success();
    rests.stdout(contains("alpha(3^3) <= 4 (checked in this run: proof tree 4^3.proof.gz)"));
    let best = || desk.ndq("info 4^3 --certified --data d").success();
    best().stdout(contains("upper bound    7  checked: proof tree 4^3.proof.gz"));
    let ledger = desk.read("d/ledger.csv");
    // Two rows state smaller bounds than their files prove.
    let forged = ledger.replace("4^3,upper,7,", "4^3,upper,6,").replace("3^3,upper,4,", "3^3,upper,3,");
    assert_ne!(forged, ledger);
    desk.write("d/ledger.csv", &forged);
    let rests = desk.ndq("solve 4^3 -f all --data d");
    rests.stderr(contains("note: the archive's alpha(3^3) <= 3 is refused: "));
    // The remaining bound is derived without the rejected rows.
    best().stdout(contains("upper bound    8  theorem: boxes of side 2"));
    best().stderr(contains("note: the archive's alpha(4^3) <= 6 is refused: "));
    // It does not count as an unchecked bound either.
    let info = desk.ndq("info 4^3 --data d").success();
    info.stdout(contains("upper bound    7  reported: published"));
    // A reported maximum is not settled.
    assert!(desk.json(0, "table maxima --d 3 --n 4 --data d").is_empty());
    assert_eq!(desk.json(0, "table open --d 3 --n 4 --data d")[0]["upper"], 7);
    // No command uses an invalid ledger.
    desk.write("d/ledger.csv", ledger.replace("proof tree", "VeriPB"));
    for asks in ["solve 4^3 -f all", "info 4^3 --why", "lp certify 4^3", "archive verify"] {
        let refused = desk.ndq(&format!("{asks} --data d")).code(2);
        refused.stderr(contains("is not a ledger").and(contains("an archive stores no")));
    }
}
