//! Lists of solutions, densities, thresholds, and counts that resume.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use serde_json::{Value, json};

use crate::harness::Desk;

/// Returns the lines of a list of solutions, without its heading.
fn listed(desk: &Desk, name: &str) -> Vec<String> {
    desk.read(name).lines().skip(6).map(str::to_owned).collect()
}

/// Returns the number, the solutions up to symmetry and the independence number of the first method.
fn outcome(counted: &Value) -> [&Value; 3] {
    let method = &counted["methods"][0];
    [&method["solutions"], &method["solutions_up_to_symmetry"], &method["independence_number"]]
}

#[test]
fn lists_and_densities_agree_with_the_count() {
    let desk = Desk::new();
    desk.write("drawn.txt", "ndqueens board 1\n.###.\n##.##\n#####\n");
    desk.write("apart.txt", "ndqueens board 1\n##..##\n##..##\n");
    for board in [
        "6^2",
        "3^3",
        "2x3x4",
        "torus:5^2",
        "rook:3^2",
        "bishop:3x4",
        "hex:1",
        "hex:5",
        "three:2",
        "three:8",
        "sudoku:2",
        "file:drawn.txt",
        "file:apart.txt",
    ] {
        let all = &desk.json(0, &format!("count {board} --solutions all.txt --list all --density d.csv"))[0];
        let one = &desk.json(0, &format!("count {board} --solutions one.txt --method all"))[0];
        let [solutions, up_to_symmetry, size] = outcome(all);
        assert_eq!(outcome(all), outcome(one), "{board}");
        let holds = |name: &str| desk.json(0, &format!("check {name}"))[0].clone();
        assert_eq!(&holds("all.txt")["solutions"], solutions, "{board}");
        // The group of Sudoku is known only by its generators.
        if !up_to_symmetry.is_null() {
            let checked = holds("one.txt");
            assert_eq!(
                (&checked["solutions"], &checked["in_orbits"]),
                (up_to_symmetry, solutions),
                "{board}"
            );
        }
        let lines = listed(&desk, "all.txt");
        let mut on: Vec<(String, u64)> = Vec::new();
        for row in desk.read("d.csv").lines().skip(1) {
            let (square, rest) = row[1..].split_once("\",").expect("a square in quotes");
            let count = rest.split(',').next().expect("a count").parse().expect("a number");
            on.push((square.trim_matches(['(', ')']).replace(',', " "), count));
        }
        for (square, count) in &on {
            let with = lines.iter().filter(|line| line.split(", ").any(|here| here == square)).count();
            assert_eq!(with as u64, *count, "{board} {square}");
        }
        let queens: u64 = on.iter().map(|(_, count)| count).sum();
        assert_eq!(Some(queens), solutions.as_u64().zip(size.as_u64()).map(|(a, b)| a * b), "{board}");
    }
}

/// Lines, cuts and searches of the board and of the sub-boxes that the search tree of the count uses.
#[test]
fn a_count_is_proved_whatever_bounds_its_maximum() {
    let desk = Desk::new();
    for board in ["1^2", "2x3", "8^2", "4x7", "rook:2^2", "bishop:4^3", "2x3x4", "4^3", "torus:3^2", "hex:3"]
    {
        desk.ndq(&format!("count {board} --proof p.gz")).code(0);
        desk.ndq("check p.gz").code(0).stdout(contains(format!(" of {board}, of ")));
    }
}

#[test]
fn full_solutions_are_counted_by_stacks_of_layers() {
    let desk = Desk::new();
    // The exact engine gives the same count on 11^3 in half a minute.
    for (board, numbers) in [("11^3", [121, 264, 6]), ("13^3", [169, 624, 14])] {
        let method = &desk.json(0, &format!("count {board}"))[0]["methods"][0];
        let outcome =
            ["independence_number", "solutions", "solutions_up_to_symmetry"].map(|name| &method[name]);
        assert_eq!(outcome, numbers.map(|number| json!(number)).each_ref(), "{board}");
        assert!(method["method"].as_str().expect("words").starts_with("stacks of full layers"), "{method}");
    }
    desk.ndq("count 13^3 --time-limit 0").code(3).stdout(contains("trivial bound 169"));
}

/// Rows of the errata on the completion thresholds qc(11,3) and qc(13,3), which are 1.
#[test]
fn some_pair_is_in_no_full_solution() {
    let desk = Desk::new();
    for (n, number) in [(11, 264), (13, 624)] {
        // All full solutions are regular, x3 = a1 x1 + a2 x2 + c mod n, because both counts are equal.
        let all = &desk.json(0, &format!("count {n}^3"))[0]["methods"][0];
        let regular = &desk.json(0, &format!("find {n}^3 --method regular --count -o vectors.csv"))[0];
        assert_eq!((&all["solutions"], &regular["solutions"]), (&number.into(), &number.into()));
        // These queens do not attack each other, and a regular solution contains both only if
        // n divides a1 + a2.
        let (last, middle) = (n - 1, (n - 1) / 2);
        let pair = [format!("0 {last} {middle}"), format!("1 0 {middle}")];
        desk.certificate("pair.txt", &format!("{n}^3"), &pair.each_ref().map(String::as_str));
        desk.ndq("check pair.txt").success();
        let vectors = desk.read("vectors.csv");
        for vector in vectors.lines().skip(1) {
            let sum: u32 = vector.split(',').take(2).map(|a| a.parse::<u32>().expect("a coefficient")).sum();
            assert_ne!(sum % n, 0, "{n}: {vector}");
        }
        // With a suitable constant c, each vector gives a solution that contains any given square.
        assert_eq!(u64::from(n) * (vectors.lines().count() as u64 - 1), number);
    }
    desk.certificate("pair.txt", "11^3", &["0 10 5", "1 0 5"]);
    let outcome = desk.ndq("extend 11^3 --exactly 121 --include pair.txt").code(1);
    outcome.stdout(contains("not extendable to 121 queens on 11^3; minimal conflicting subset (2 queens)"));
}

#[test]
fn rejects_changed_lists_with_the_line() {
    let desk = Desk::new();
    desk.ndq("count 5^2 --solutions one.txt").success();
    desk.ndq("count 5^2 --solutions all.txt --list all").success();
    let (one, all) = (desk.read("one.txt"), desk.read("all.txt"));
    let (first, second) = ("0 0, 1 2, 2 4, 3 1, 4 3", "0 0, 1 3, 2 1, 3 4, 4 2");
    assert!(all.contains(first) && all.contains(second), "{all}");
    for (text, code, words) in [
        // Well-formed lists.
        (all.replace("0 0, 1 2,", "0 0, 1 1,"), 1, "line 7: squares 1 and 2 of the list, (0, 0) and (1, 1)"),
        (all.replace(second, first), 1, "line 8 has the solution of line 7 again"),
        (all.replace("3 1, 4 3", "3 1, 4 5"), 1, "(4, 5), is off the board 5^2"),
        (
            all.replace("list: all", "list: up-to-symmetry"),
            1,
            "lie in one orbit, but the list is said to hold",
        ),
        (
            all.replace("board: 5^2", "board: 4^2"),
            1,
            "line 7: square 3 of the list, (2, 4), is off the board",
        ),
        // All coordinates are numbered from 1.
        (one.replace(first, "1 1, 2 3, 3 5, 4 2, 5 4"), 1, "(3, 5), is off the board 5^2"),
        // Malformed lists.
        (all.replace(second, "0 0, 1 3, 2 1, 3 4"), 2, "line 8, column 1: expected a solution of size 5"),
        (all.replace(second, "0 0, 1 3, 2 1, 3 4, 4 b"), 2, "line 8, column 23: a coordinate must be a non"),
        (all.replace(second, "0 0, 1 3, 2 1, 3 4, 4 2,"), 2, "line 8"),
        (all.replace(second, "0 0; 1 3; 2 1; 3 4; 4 2"), 2, "line 8"),
        (
            all.replace(&format!("{second}\n"), ""),
            2,
            "the number of solutions is given as 10, but the file has 9 solutions",
        ),
        (all.replace("board: 5^2", "board: 5^"), 2, "line 2"),
        (
            all.replace("list: all", "list: most"),
            2,
            "line 4, column 7: a list is all, up-to-symmetry or maximal",
        ),
        (all.replace("ndqueens solutions 1", "ndqueens solutions 2"), 2, "line 1"),
    ] {
        desk.write("l.txt", &text);
        let checked = desk.ndq("check l.txt").code(code);
        if code == 1 {
            checked.stdout(contains("does not hold; ").and(contains(words)));
            assert_eq!(desk.json(1, "check l.txt")[0]["holds"], false, "{words}");
        } else {
            checked.stderr(contains("l.txt").and(contains(words))).stdout("");
        }
    }
    desk.ndq("check all.txt --board 6^2").code(2).stderr(contains("for the board 5^2, but 6^2"));
}

#[test]
fn one_based_numbers_are_not_read_zero_based() {
    let desk = Desk::new();
    let (zero, one) = ("0 0\n1 2\n2 4\n3 1\n4 3\n", "1 1\n2 3\n3 5\n4 2\n5 4\n");
    desk.write("zero.txt", zero);
    desk.write("one.txt", one);
    desk.ndq("check zero.txt --as tuples --board 5^2 -o a.txt").success();
    desk.ndq("check one.txt --as tuples1 --board 5^2 -o b.txt").success();
    let squares = |name: &str| desk.read(name).lines().skip(5).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(squares("a.txt"), squares("b.txt"));
    desk.ndq("check one.txt --as tuples --board 5^2")
        .code(1)
        .stdout(contains("square 3 of the list, (3, 5), is off the board 5^2; the coordinates lie in [0,4]"));
    desk.ndq("check zero.txt --as tuples1 --board 5^2").code(2).stderr(contains("line 1, column 1"));
    // De Groot numbers the squares from 1 up to the number of squares.
    desk.write("numbers.txt", "0 5 13 23 31 35 18");
    let words = "line 1, column 1: de Groot's number of a square of hex:4 must be an integer from 1 to 37";
    desk.ndq("check numbers.txt --as degroot --board hex:4").code(2).stderr(contains(words));
}

#[test]
fn the_completion_threshold_is_what_complete_says() {
    let desk = Desk::new();
    for (board, value) in [("1^2", 1), ("4^2", 0), ("5^2", 1), ("3^3", 0), ("three:2", 2), ("hex:4", 0)] {
        let counted = &desk.json(0, &format!("count {board} --threshold"))[0];
        let threshold = &counted["completion_threshold"];
        assert_eq!(threshold["value"], value, "{board}");
        let Some(witness) = threshold["witness"].as_array() else {
            assert_eq!(threshold["value"], *outcome(counted)[2], "{board}");
            continue;
        };
        assert_eq!(witness.len(), value + 1, "{board}");
        let square = |square: &Value| {
            let numbers: Vec<String> =
                square.as_array().expect("a square").iter().map(Value::to_string).collect();
            numbers.join(" ")
        };
        let squares: Vec<String> = witness.iter().map(square).collect();
        desk.certificate("w.txt", board, &squares.iter().map(String::as_str).collect::<Vec<_>>());
        let clash = &desk.json(1, &format!("extend {board} --include w.txt"))[0];
        assert_eq!((&clash["clash"], &clash["minimal"]), (&threshold["witness"], &json!(true)), "{board}");
    }
    // 60 bishops that never attack each other: without a limit, nearly all subsets would be examined.
    let stopped = &desk.json(3, "count bishop:60^1 --threshold --time-limit 5 --density d.csv")[0];
    let threshold = &stopped["completion_threshold"];
    assert_eq!(
        (outcome(stopped)[0], &threshold["value"], &threshold["witness"]),
        (&json!(1), &Value::Null, &Value::Null)
    );
    assert!(threshold["at_least"].as_u64() < Some(60) && desk.path("d.csv").exists());
    desk.write("path.txt", "0 1\n1 2\n");
    for (arguments, words) in [
        ("count 4^2 --threshold --exactly 3", "'--threshold' cannot be used with '--exactly <K>'"),
        ("count 4^2 --exactly 3 --method all", "--method all is about maximum solutions"),
        ("count 4^2 --threshold --method bk", "--threshold goes with the method fast"),
        ("count 4^2 --solutions s.txt --method recursive", "--solutions goes with the method fast"),
        ("count 4^2 --work w --method bk", "--work goes with the method fast"),
        ("count 4^2 --list all", "--solutions <FILE>"),
        ("count 4^2 --solutions none/s.txt", "cannot write none/s.txt"),
        ("count file:path.txt --solutions s.txt --list up-to-symmetry", "--list all lists every solution"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
    assert!(!desk.path("s.txt").exists() && !desk.path("w").exists());
}

fn parts(desk: &Desk, folder: &str) -> usize {
    let is_part = |name: &&String| name.starts_with("count-");
    if desk.path(folder).exists() { desk.names(folder).iter().filter(is_part).count() } else { 0 }
}

/// Starts a count and waits until it has finished some parts.
fn running(desk: &Desk, arguments: &str) -> Child {
    let mut command = desk.command();
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("runs");
    let (before, begin) = (parts(desk, "w"), Instant::now());
    while parts(desk, "w") < before + 30 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.try_wait().expect("a child").is_none(), "it is done already");
    child
}

#[test]
fn killed_count_resumes() {
    let desk = Desk::new();
    let run = "count three:10 --exactly 14 --density d.csv --work w";
    for (signal, code) in [(Signal::SIGKILL, None), (Signal::SIGINT, Some(3)), (Signal::SIGKILL, None)] {
        let before = parts(&desk, "w");
        let mut child = running(&desk, run);
        kill(Pid::from_raw(child.id().try_into().expect("a process id")), signal).expect("it runs");
        assert_eq!(child.wait().expect("ends").code(), code);
        assert!(parts(&desk, "w") >= before + 30);
        assert!(!desk.path("d.csv").exists());
    }
    assert!(parts(&desk, "w") >= 90);
    // Foreign files are reported and not used; damaged files are made again.
    let name = desk.names("w").into_iter().find(|name| name.starts_with("count-")).expect("a part");
    let file = format!("w/{name}");
    let whole = desk.read(&file);
    let number: u32 = name["count-".len()..].trim_end_matches(".json").parse().expect("a number");
    desk.write(&file, whole.replace(&format!("\"number\":{number}"), "\"number\":100000"));
    let words = format!("{file} is damaged (it has changed since it was written); its part is counted again");
    desk.ndq(run).code(0).stderr(contains(&words));
    assert_eq!(desk.read(&file), whole);
    let digest = whole.split_once("\"count\":\"").expect("a digest").1;
    desk.write(&file, whole.replacen(&digest[..64], &"0".repeat(64), 1));
    desk.ndq(run).code(0).stderr(contains(words));
    let other = desk.names("w").into_iter().rfind(|name| name.starts_with("count-")).expect("a part");
    desk.write(&file, desk.read(&format!("w/{other}")));
    desk.ndq(run).code(0).stderr(contains(format!("{file} is damaged (it is part ")));
    assert_eq!(desk.read(&file), whole);
    desk.ndq("count 6^3 --work v").code(0);
    let other = desk.names("v").into_iter().find(|name| name.starts_with("count-")).expect("a part");
    desk.write(&file, desk.read(&format!("v/{other}")));
    desk.ndq(run).code(2).stderr(contains(format!("{file} is not a part of this count: ")));
    desk.write(&file, &whole[..whole.len() / 2]);
    let manifest = desk.read("w/count.json");
    desk.write("w/count.json", &manifest[..100]);
    let damaged = desk.ndq(run).code(2);
    damaged.stderr(contains("w/count.json: it is damaged or from another version; restore it"));
    desk.write("w/count.json", manifest);
    for (other, words) in [
        ("three:8", "w holds parts of another count: of three:10, not of three:8; choose another folder"),
        ("three:10", "of solutions of size 14, not of maximum solutions"),
        ("three:10 --exactly 13", "of solutions of size 14, not of solutions of size 13"),
        ("three:10 --exactly 14 --solutions s.txt", "started without --solutions and --threshold"),
    ] {
        desk.ndq(&format!("count {other} --work w")).code(2).stderr(contains(words));
    }
    for damaged in [whole[..whole.len() / 2].to_owned(), whole.replacen("\"more\":false", "\"more\":true", 1)]
    {
        desk.write(&file, damaged);
        desk.ndq(run).code(0).stderr(contains(format!("{file} is damaged")));
        assert_eq!(desk.read(&file), whole);
    }
    let counted = &desk.json(0, run)[0];
    let (there, density) = (parts(&desk, "w"), desk.read("d.csv"));
    // The same count from the parts alone, and in a single run.
    assert_eq!(outcome(&desk.json(0, run)[0]), outcome(counted));
    assert_eq!(parts(&desk, "w"), there);
    let once = &desk.json(0, "count three:10 --exactly 14 --density e.csv --threads 2")[0];
    assert_eq!((outcome(once), &once["stabilisers"]), (outcome(counted), &counted["stabilisers"]));
    assert_eq!(desk.read("e.csv"), density);
}

/// Multiplies the solutions of the first entry of a part by `solutions` and its queens on each orbit of
/// squares by `queens`, and updates the digest.
fn forged(part: &str, solutions: u64, queens: u64) -> String {
    use sha2::Digest as _;
    let (head, tally) = part.split_once("\"tally\":").expect("a tally");
    let (before, rest) = tally.split_once("\"solutions\":").expect("solutions");
    let (met, rest) = rest.split_once(",\"on_orbit\":[").expect("queens");
    let (on, rest) = rest.split_once(']').expect("the end of a list");
    let times = |number: &str, factor: u64| (number.parse::<u64>().expect("a number") * factor).to_string();
    let on: Vec<String> = on.split(',').map(|number| times(number, queens)).collect();
    let tally =
        format!("{before}\"solutions\":{},\"on_orbit\":[{}]{rest}", times(met, solutions), on.join(","));
    let count = &head.split_once("\"count\":\"").expect("a digest").1[..64];
    let number =
        head.split_once("\"number\":").and_then(|(_, rest)| rest.split(',').next()).expect("a number");
    let all = format!("[\"{count}\",{number},{}]", tally.strip_suffix('}').expect("the end"));
    let digest = sha2::Sha256::digest(all);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let (head, _) = head.split_once("\"sha256\":").expect("a digest");
    format!("{head}\"sha256\":\"{digest}\",\"tally\":{tally}")
}

#[test]
fn reused_parts_are_reported_and_add_up() {
    let desk = Desk::new();
    let run = "count rook:3x4x5 --work w";
    let counted = desk.json(0, run).remove(0);
    assert_eq!(counted["taken_parts"], serde_json::Value::Null);
    let parts = parts(&desk, "w");
    let taken = format!("taken from the folder  {parts} parts, not searched in this run\n");
    desk.ndq(run).code(0).stdout(contains(taken));
    assert_eq!(desk.json(0, run)[0]["taken_parts"], parts as u64);
    let names = desk.names("w").into_iter().filter(|name| name.starts_with("count-"));
    let of_thirds =
        |file: &String| desk.read(file).contains("\"sums\":[[{\"numerator\":8,\"denominator\":3}");
    let file =
        names.map(|name| format!("w/{name}")).find(of_thirds).expect("shares that are no whole numbers");
    let whole = desk.read(&file);
    assert_eq!(forged(&whole, 1, 1), whole);
    // More solutions than their queens allow.
    desk.write(&file, forged(&whole, 2, 1));
    let outcome = desk.ndq(run).code(0).stdout(contains("maximum solutions      120960\n"));
    outcome.stderr(contains(format!("{file} is damaged (its queens are not those of its solutions)")));
    assert_eq!(desk.read(&file), whole);
    desk.write(&file, forged(&whole, 2, 2));
    desk.ndq(run).code(2).stderr(contains("the parts in w do not add up to integers"));
}

#[test]
fn count_without_solutions_reuses_parts_with_solutions() {
    let desk = Desk::new();
    let listed = &desk.json(0, "count 5^2 --work w --solutions s.txt --list all")[0];
    let there = parts(&desk, "w");
    for more in ["", " --density d.csv", " --threshold --solutions t.txt --list all"] {
        assert_eq!(
            outcome(&desk.json(0, &format!("count 5^2 --work w{more}"))[0]),
            outcome(listed),
            "{more}"
        );
    }
    assert_eq!((desk.read("s.txt"), parts(&desk, "w")), (desk.read("t.txt"), there));
    // The only solution without queens.
    desk.ndq("count 5^2 --exactly 0 --solutions z.txt").success();
    desk.ndq("check z.txt").success().stdout(contains("holds; 1 solution of size 0 on 5^2"));
    // A five-dimensional drawing, whose group of two elements is found; a graph and 2^8,
    // whose groups are not.
    desk.write("5.txt", "ndqueens board 1\nsides: 2x1x1x1x3\n##.\n#.#\n");
    desk.write("g.txt", "0 1\n");
    let told_of = |board: &str| desk.json(0, &format!("count {board} --method all"))[0].clone();
    assert!(outcome(&told_of("file:5.txt"))[1].is_number() && told_of("file:5.txt")["no_orbits"].is_null());
    desk.ndq("count file:g.txt").success().stdout(contains("not counted: the symmetry group is not known"));
    desk.ndq("count 2^8 --exactly 1")
        .success()
        .stdout(contains("not counted: the symmetry group is too large"));
    // Axes of side 1 cost no time.
    for board in ["1^20", "torus:1^20", "2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"] {
        assert_eq!(*outcome(&desk.json(0, &format!("count {board} --time-limit 60"))[0])[2], 1, "{board}");
    }
    // A list of solutions up to symmetry that claims to contain all solutions.
    desk.ndq("count 4^3 --solutions f.txt").success();
    desk.write("g.txt", desk.read("f.txt").replace("list: up-to-symmetry", "list: all"));
    desk.ndq("check f.txt").success().stdout(contains("; that none is missing is not checked"));
    desk.ndq("check g.txt").code(1).stdout(contains("under the board's symmetry is missing: "));
    for (arguments, words) in [
        ("count 4^2 --solutions o.txt --density ./o.txt", "--solutions and --density name the same file"),
        ("count 4^2 --work z.txt", "cannot write z.txt: it is a file, not a folder"),
    ] {
        desk.ndq(arguments).code(2).stderr(contains(words));
    }
    assert!(!desk.path("o.txt").exists());
}

/// Returns the numbers of solutions of n queens on n^2: in total, invariant under the half turn, invariant
/// under the quarter turn, and up to symmetry. Places queens row by row and turns and reflects each solution.
fn by_hand(n: usize) -> [u64; 4] {
    fn place(n: usize, columns: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        let row = columns.len();
        if row == n {
            found.push(columns.clone());
            return;
        }
        for column in 0..n {
            let is_free =
                |(above, &other): (usize, &usize)| other != column && other.abs_diff(column) != row - above;
            if columns.iter().enumerate().all(is_free) {
                columns.push(column);
                place(n, columns, found);
                columns.pop();
            }
        }
    }
    let mut found = Vec::new();
    place(n, &mut Vec::new(), &mut found);
    // The queen on (row, column) goes to (column, n - 1 - row).
    let turned = |columns: &Vec<usize>| {
        let mut image = vec![0; n];
        columns.iter().enumerate().for_each(|(row, &column)| image[column] = n - 1 - row);
        image
    };
    let reflected = |columns: &Vec<usize>| columns.iter().rev().copied().collect::<Vec<_>>();
    let half = found.iter().filter(|solution| turned(&turned(solution)) == **solution).count();
    let quarter = found.iter().filter(|solution| turned(solution) == **solution).count();
    let is_least = |solution: &&Vec<usize>| {
        let mut image = (*solution).clone();
        (0..4).all(|_| {
            image = turned(&image);
            image >= **solution && reflected(&image) >= **solution
        })
    };
    let least = found.iter().filter(is_least).count();
    [found.len(), half, quarter, least].map(|number| number as u64)
}

/// OEIS A000170, A032522, A033148 and A002562.
#[test]
fn symmetric_solutions_are_those_found_by_hand() {
    let desk = Desk::new();
    for n in 4..=9u64 {
        let [all, half, quarter, up_to_symmetry] = by_hand(n as usize);
        let kept = |group: &str| {
            desk.json(0, &format!("count {n}^2 --symmetry {group}"))[0]["solutions"]
                .as_u64()
                .expect("a number")
        };
        assert_eq!([kept("none"), kept("central"), kept("-2,1")], [all, half, quarter], "{n}");
        assert_eq!([kept("2,1"), kept("-1,2")], [0, 0], "{n}");
        let each = &desk.json(0, &format!("count {n}^2 --symmetry each"))[0];
        let of = |order: u64, key: &str| -> u64 {
            let classes = each["classes"].as_array().expect("classes").iter();
            classes
                .filter(|class| class["order"] == order)
                .map(|class| class[key].as_u64().expect("a number"))
                .sum()
        };
        let solutions = |order| of(order, "solutions");
        assert_eq!([solutions(1), solutions(2), solutions(4)], [all - half, half - quarter, quarter], "{n}");
        assert_eq!(
            [1, 2, 4].map(|order| of(order, "up_to_symmetry")).iter().sum::<u64>(),
            up_to_symmetry,
            "{n}"
        );
        assert_eq!(up_to_symmetry, (all + half + 2 * quarter) / 8, "{n}");
    }
    for (n, half, quarter) in [(10, 12, 0), (11, 48, 0), (12, 80, 8), (13, 136, 8)] {
        for (group, number) in [("central", half), ("-2,1", quarter)] {
            let counted = &desk.json(0, &format!("count {n}^2 --symmetry {group}"))[0];
            assert_eq!(counted["solutions"], number, "{n} {group}");
        }
    }
}

/// The two counting methods agree where both apply, and invariant solutions are sums over classes.
#[test]
fn symmetric_solutions_on_boxes_agree_with_all_solutions() {
    let desk = Desk::new();
    for (board, groups) in [
        ("4^3", &["central", "2,1,3", "2,3,1", "-1,-2,3;2,1,3"][..]),
        ("5^3", &["central", "-1,-2,3", "-2,1,3"]),
        ("3x4x5", &["central", "-1,2,3"]),
        ("torus:7^2", &["central", "-2,1"]),
        ("rook:4^2", &["central", "2,1", "-1,2"]),
        ("bishop:4x5", &["central"]),
        ("king:4^2", &["central", "2,-1"]),
        ("knight:3x4", &["central", "1,-2"]),
        ("2x1x2", &["central", "3,2,1"]),
    ] {
        desk.ndq(&format!("count {board} --solutions all.txt --list all")).success();
        let sides: Vec<usize> = {
            let shape = board.rsplit(':').next().expect("a shape");
            match shape.split_once('^') {
                Some((n, d)) => vec![n.parse().expect("a side"); d.parse().expect("a dimension")],
                None => shape.split('x').map(|n| n.parse().expect("a side")).collect(),
            }
        };
        let solutions: Vec<Vec<Vec<usize>>> = listed(&desk, "all.txt")
            .iter()
            .map(|line| {
                let square = |square: &str| square.split(' ').map(|x| x.parse().expect("a number")).collect();
                line.split(", ").map(square).collect()
            })
            .collect();
        for group in groups {
            let all_axes: Vec<String> = (1..=sides.len()).map(|axis| format!("-{axis}")).collect();
            let written = if *group == "central" { all_axes.join(",") } else { (*group).to_owned() };
            let is_kept = |solution: &Vec<Vec<usize>>| {
                written.split(';').all(|generator| {
                    solution.iter().all(|square| {
                        let image = generator.split(',').enumerate().map(|(to, from)| {
                            let axis = from.trim_start_matches('-').parse::<usize>().expect("an axis") - 1;
                            if from.starts_with('-') { sides[to] - 1 - square[axis] } else { square[axis] }
                        });
                        solution.contains(&image.collect::<Vec<usize>>())
                    })
                })
            };
            let by_hand = solutions.iter().filter(|solution| is_kept(solution)).count();
            let counted = &desk.json(0, &format!("count {board} --symmetry {group}"))[0];
            assert_eq!(counted["solutions"], by_hand, "{board} {group}");
        }
        let each = &desk.json(0, &format!("count {board} --symmetry each"))[0];
        let classes = each["classes"].as_array().expect("classes");
        let sum: u64 = classes.iter().map(|class| class["solutions"].as_u64().expect("a number")).sum();
        assert_eq!(sum, solutions.len() as u64, "{board}");
        assert_eq!(each["solutions"], sum, "{board}");
    }
}

#[test]
fn classes_are_named_on_every_kind_of_board() {
    let desk = Desk::new();
    for (board, names) in [
        ("knight:4^2", vec!["2,1;-1,-2", "-1,2;1,-2"]),
        ("klein:6x5", vec!["none", "(0,0) to"]),
        ("hex:4", vec!["rotation by 60 degrees"]),
        ("torus:5^2", vec!["(x"]),
        ("three:4", vec!["rotation by 60 degrees"]),
    ] {
        let each = &desk.json(0, &format!("count {board} --symmetry each"))[0];
        let classes: Vec<&str> = each["classes"]
            .as_array()
            .expect("classes")
            .iter()
            .filter_map(|class| class["symmetry"].as_str())
            .collect();
        for name in names {
            assert!(classes.iter().any(|class| class.contains(name)), "{board}: {name} in {classes:?}");
        }
        assert_eq!(classes.len(), each["classes"].as_array().map_or(0, Vec::len), "{board}");
    }
}

#[test]
fn groups_that_are_none_are_refused() {
    let desk = Desk::new();
    for (arguments, words) in [
        (
            "8^2 --symmetry auto",
            "--symmetry auto is for a search; a count needs a group, such as central, or each",
        ),
        ("8^2 --symmetry half", "does not name each of the axes 1 to 2 once"),
        ("3x4 --symmetry 2,1", "whose sides 4 and 3 differ"),
        ("hex:4 --symmetry central", "hex:4 is not a box"),
        ("8^2 --symmetry central --method bk", "--symmetry goes with the method fast"),
        ("8^2 --symmetry central --density d.csv", "cannot be used with"),
        ("sudoku:3 --exactly 1 --symmetry each", "sorted by their symmetry"),
    ] {
        desk.ndq(&format!("count {arguments}")).code(2).stderr(contains(words));
    }
    desk.ndq("count 30^2 --symmetry none --time-limit 1")
        .code(3)
        .stdout(contains("was stopped (time limit)"));
}

#[test]
fn published_counts_are_those_of_the_engine() {
    let desk = Desk::new();
    let rows = desk.json(0, "table counts");
    assert_eq!(rows.len(), 27);
    for n in (1..=10).filter(|n| ![2, 3].contains(n)) {
        let counted = &desk.json(0, &format!("count {n}^2 --exactly {n}"))[0];
        assert_eq!(counted["methods"][0]["solutions"], rows[n - 1]["solutions"], "{n}");
    }
    for (n, zero) in [(2, 1), (3, 2)] {
        assert_eq!((&rows[zero]["board"], &rows[zero]["solutions"]), (&json!(format!("{n}^2")), &json!(0)));
        desk.ndq(&format!("count {n}^2 --exactly {n}")).success().stdout(contains("0 solutions"));
    }
    let csv = "board,queens,solutions,estimate,exponent,source,identifier\n1^2,1,1,";
    desk.ndq("table counts --format csv").success().stdout(contains(csv));
    desk.ndq("table counts --format markdown")
        .success()
        .stdout(contains("| 8^2 | 8 | 92 | 2.96e0 | 1.5142 |"));
    desk.ndq("table counts --format latex").success().stdout(contains("92 & "));
    desk.ndq("table counts -o counts.csv").success();
    assert_eq!(desk.read("counts.csv").lines().count(), 28);
    desk.ndq("info 20^2")
        .success()
        .stdout(contains("full solutions 39029188884 solutions of 20 queens [OEIS A000170]; (n e^-a)^n = "));
    desk.ndq("info 30^2").success().stdout(contains("full solutions none published; (n e^-a)^n = "));
    desk.ndq("info 5^3").success().stdout(contains("e^-a").not());
}

#[test]
fn n_queens_constant_is_enclosed() {
    let desk = Desk::new();
    let bounds = &desk.json(0, "table constant --cells 64")[0];
    let [lower, upper] = ["lower", "upper"].map(|key| bounds[key].as_f64().expect("a number"));
    // Nobel, Agrawal, Boyd 2023.
    assert!(1.9437 < lower && lower < 1.944_000_752 && 1.944_001_082 < upper && upper < 1.9442, "{bounds}");
    desk.ndq("table constant --cells 8 --format csv")
        .success()
        .stdout(contains("cells,lower,upper\n8,1.9273").and(contains(",1.954")));
    desk.ndq("table constant --cells 8 --format markdown").success().stdout(contains("| 8^2 | 1.9273"));
    desk.ndq("table constant --cells 0").code(2).stderr(contains("--cells"));
    desk.ndq("table constant --cells 5000").code(2).stderr(contains("4096"));
}

/// Kunt 2023, section 3.1.
#[test]
fn ratios_are_bounds_divided_by_the_lines() {
    let desk = Desk::new();
    let rows = desk.json(0, "table ratios --d 3 --n 1..14");
    for row in &rows {
        let [n, lower, upper] = ["n", "lower", "upper"].map(|key| row[key].as_f64().expect("a number"));
        for (key, bound) in [("lower_ratio", lower), ("upper_ratio", upper)] {
            let ratio = row[key].as_f64().expect("a number");
            assert!((ratio - bound / (n * n)).abs() < 1.1e-6, "{row}");
        }
    }
    desk.ndq("table ratios --d 3 --n 10..11").success().stdout(contains("0.9100").and(contains("1.0000")));
    desk.ndq("table ratios --d 3 --n 3 --format csv")
        .success()
        .stdout(contains("3^3,3,3,9,4,4,0.444444,0.444444,"));
    let open = "lower bound checked, upper bound archived";
    desk.ndq("table ratios --d 3 --n 13..14 --unpublished")
        .success()
        .stdout(contains("maximum, theorem").and(contains(open)));
    assert_eq!(
        [&rows[13]["lower_status"], &rows[13]["upper_status"]].map(|status| status.is_string()),
        [true; 2]
    );
}
