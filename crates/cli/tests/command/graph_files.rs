//! Graphs in files of other programs, board names, and gzip files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::harness::{Desk, case};

/// Copies a case into the test folder.
fn bring(desk: &Desk, name: &str) {
    std::fs::copy(case(name), desk.path(name)).expect(name);
}

fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes.as_ref()).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Returns the text of a file that must be compressed by gzip once.
fn gunzip(desk: &Desk, name: &str) -> String {
    let bytes = desk.read_bytes(name);
    assert_eq!(bytes.get(..2), Some(&[0x1f, 0x8b][..]), "{name} is not compressed");
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect(name);
    text
}

#[test]
fn edge_lists_have_the_vertices_that_occur() {
    let desk = Desk::new();
    bring(&desk, "R02-edges-from-1.txt");
    let board = "file:R02-edges-from-1.txt";
    desk.ndq(&format!("prove {board} -o best.txt")).code(0).stdout(contains(format!("alpha({board}) = 2: ")));
    desk.ndq("check best.txt").code(0).stdout(contains("2 vertices"));
    let squares: Vec<String> = desk.read("best.txt").lines().skip(6).map(str::to_owned).collect();
    assert!([["1", "3"], ["2", "4"]].iter().any(|pair| squares == pair), "{squares:?}");
    desk.write("gaps.txt", "# labels are names\n70,4000000000\n70,9\n9,70\n");
    desk.ndq("solve file:gaps.txt -f base --json -o gaps.sol").code(0);
    assert!(desk.read("gaps.sol").ends_with("\n9\n4000000000\n"), "{}", desk.read("gaps.sol"));
    desk.ndq("check gaps.sol")
        .code(0)
        .stderr("note: gaps.txt: 3 lines hold 2 different edges, because edges are repeated or reversed\n");
    desk.write("off.txt", "8\n9");
    desk.ndq("check off.txt --as tuples --board file:gaps.txt")
        .code(1)
        .stdout(contains("(8), is off the board file:gaps.txt; its 3 vertices occur in the file, with numbers from 9 to 4000000000"));
    desk.write("n.txt", "n 5\n1 2\n");
    desk.ndq("count file:n.txt").code(0).stdout(contains("number    4\nmaximum solutions      2\n"));
}

#[test]
fn rejects_ambiguous_first_line() {
    let desk = Desk::new();
    bring(&desk, "R03-n-m-header.txt");
    let path = "R03-n-m-header.txt";
    for command in ["info", "count", "solve", "prove", "find", "draw", "colour"] {
        desk.ndq(&format!("{command} file:{path}")).code(2).stdout("").stderr(
            contains(format!("{path}, line 1, column 1: the first line \"4 3\" may be an edge or a header of 4 vertices and 3 edges"))
                .and(contains("edges:PATH if it is an edge, header:PATH if it is a header")),
        );
    }
    for (prefix, value) in [("header", 2), ("edges", 3)] {
        let board = format!("{prefix}:{path}");
        desk.ndq(&format!("prove {board} -o {prefix}.txt --proof {prefix}.gz --record {prefix}"))
            .code(0)
            .stdout(contains(format!("alpha({board}) = {value}: ")));
        assert_eq!(desk.read(&format!("{prefix}.txt")).lines().nth(1), Some(&*format!("board: {board}")));
        desk.ndq(&format!("check {prefix}.txt")).code(0);
        desk.ndq(&format!("check {prefix}.gz")).code(0).stdout(contains(format!("at most {value}")));
        let record = desk.names(prefix).remove(0);
        desk.ndq(&format!("rerun {prefix}/{record}")).code(0).stdout(contains("the same answer"));
        desk.write(
            "e.toml",
            format!(
                "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"{board}\"]\nformulations = [\"base\"]\n"
            ),
        );
        desk.ndq(&format!("lab run e.toml -o lab-{prefix}")).code(0);
        desk.ndq(&format!("lab table lab-{prefix}")).code(0);
    }
    // A certificate for one reading is not valid for the other.
    desk.write("swapped.txt", desk.read("edges.txt").replace("board: edges:", "board: header:"));
    desk.ndq("check swapped.txt").code(1);
    for (text, refused) in [
        ("4 4\n1 2\n2 3\n3 4\n4 1\n", true),
        ("5 0\n", true),
        ("3 4\n1 2\n2 1\n2 3\n3 2\n", true),
        ("100 7\n1 2\n2 3\n3 4\n4 5\n5 6\n", true),
        ("4 2\n0 1\n1 2\n2 3\n", true),
        ("4 3\n0 1\n1 2\n2 3\n0 3\n", true),
        ("4 3\n3 2\n2 1\n", false),
        ("5 1\n5 2\n5 3\n5 4\n", false),
        ("0 1\n", false),
        ("7 12\n12 40\n", false),
    ] {
        desk.write("a.txt", text);
        desk.ndq("count file:a.txt").code(if refused { 2 } else { 0 });
    }
    desk.write("a.txt", "5 2\n1 2\n2 3\n");
    desk.ndq("count header:a.txt").code(2).stderr(contains("which may be 0 to 4 or 1 to 5"));
    desk.write("a.txt", "5 2\n1 2\n2 5\n");
    desk.ndq("count header:a.txt").code(0).stdout(contains("number    4\n"));
    desk.write("a.txt", "5 3\n0 2\n2 3\n");
    desk.ndq("count header:a.txt").code(0).stderr(contains("a.txt: 2 edges follow; 3 are announced"));
    desk.write("a.txt", "2 2\n0 1\n1 2\n");
    desk.ndq("count header:a.txt").code(2).stderr(contains("declares 2 vertices, but the edges have 3"));
    desk.write("a.col", "p edge 2 1\ne 1 2\n");
    for prefix in ["edges", "header"] {
        desk.ndq(&format!("count {prefix}:a.col")).code(2).stderr(contains("its name is file:PATH"));
    }
}

#[test]
fn graphs_of_other_programs_are_read_with_notes() {
    let desk = Desk::new();
    bring(&desk, "R01-both-directions.col");
    let noted = desk.ndq("prove file:R01-both-directions.col -o best.txt").code(0);
    noted.stdout(contains("alpha(file:R01-both-directions.col) = 2: ")).stderr(contains(
        "note: R01-both-directions.col: 8 lines hold 4 different edges, because edges are repeated or reversed; 8 are announced",
    ));
    desk.ndq("check best.txt").code(0);
    for (text, alpha, note) in [
        ("p edge 4 2\ne 1 2\ne 2 3\ne 3 4\n", 2, "3 edges follow; 2 are announced"),
        (
            "p col 4 3 0.5\n% a remark\ne 1 2\ne 2 3\ne 3 4\n",
            2,
            "line 1: the third number of the p line, 0.5, is not used",
        ),
        ("c a\np edges 4 3\nn 1 1\nd 2 3\nv 1 2\nx 1 2\ne 1 2\ne 2 3\ne 3 4\n", 2, "begin with d, v or x"),
        ("c a\np td 4 3\n1 2\n2 3\n3 4\n", 2, ""),
        ("p vc 5 3\n1 2\nc a remark\n2 3\n3 4\n", 3, ""),
        ("%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n", 2, ""),
        ("# a remark\n1\t2\n2\t3\n", 2, ""),
        ("% a remark\r\n1;2\r\n2;3\r\n", 2, ""),
        ("0 1 {}\n1 2 {}\n", 2, ""),
    ] {
        desk.write("a.txt", text);
        let counted = desk.ndq("count file:a.txt").code(0).stdout(contains(format!("number    {alpha}\n")));
        match note {
            "" => counted.stderr(contains("note").not()),
            note => counted.stderr(contains(format!("note: a.txt: {note}")).or(contains(note))),
        };
    }
    for (text, place, words) in [
        ("p edge 3 1\nn 2 5\ne 1 2\n", "line 2, column 5", "vertex 2 has the weight 5"),
        ("p edge 3 1\ne 1 2 4\n", "line 2, column 7", "weights"),
        ("p edge 3 1\ne 1 2\n2 3\n", "line 3, column 1", "an edge is \"e i j\""),
        ("p edge 3 1\ne 0 1\n", "line 2, column 3", "from 1 to 3"),
        ("p clq 3 1\ne 1 2\n", "line 1, column 3", "the problem should be edge or col"),
        ("p edge 3 1\ne 2 2\n", "line 2, column 3", "two different vertices"),
        ("1 2 0.5\n2 3 0.7\n", "line 1, column 1", "weights and lists of neighbours are not read"),
        ("1 2 {'weight': 3}\n", "line 1, column 1", "weights"),
        ("0 1 2\n1 2\n2\n", "line 1, column 1", "lists of neighbours"),
        ("4\n0 1\n", "line 1, column 1", "one word"),
        ("3 2\n2\n1 3\n2\n", "line 2, column 1", "one word"),
        ("a b\nb d\n", "line 1, column 1", "unexpected \"a\""),
        ("1 2\n2 b\n", "line 2, column 3", "not \"b\""),
        ("source,target\n1,2\n", "line 1, column 1", "unexpected"),
        ("1 2\n2 -3\n", "line 2, column 3", "not \"-3\""),
        ("1 2\n02 3\n", "line 2, column 1", "not \"02\""),
        ("1 1\n1 2\n", "line 1, column 1", "may be an edge or a header"),
        ("1 2\n2 2\n", "line 2, column 1", "two different vertices"),
        (">>graph6<<Dhc\n", "line 1, column 1", "unexpected"),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 3\n",
            "line 1, column 1",
            "pattern symmetric",
        ),
        ("# swallows what follows\r1 2\n2 3\n", "line 1, column 24", "a carriage return inside a line"),
    ] {
        desk.write("a.txt", text);
        let refused = desk.ndq("prove file:a.txt").code(2).stdout("");
        refused.stderr(contains(format!("a.txt, {place}: ")).and(contains(words)));
    }
}

#[test]
fn vertices_of_dimacs_graphs_are_numbered_from_1() {
    let desk = Desk::new();
    desk.write("path.col", "p edge 3 2\ne 1 2\ne 2 3\n");
    desk.ndq("prove file:path.col -o best.txt").code(0);
    assert!(desk.read("best.txt").ends_with("\n1\n3\n"), "{}", desk.read("best.txt"));
    desk.ndq("find file:path.col -o found.txt").code(0);
    assert!(desk.read("found.txt").ends_with("\n1\n3\n"), "{}", desk.read("found.txt"));
    desk.ndq("count file:path.col --solutions all.txt --list all").code(0);
    assert!(desk.read("all.txt").ends_with("\n1, 3\n"), "{}", desk.read("all.txt"));
    desk.ndq("check all.txt").code(0);
    desk.write("given.txt", "0\n");
    desk.ndq("check given.txt --as tuples --board file:path.col")
        .code(1)
        .stdout(contains("(0), is off the board file:path.col; its vertices are 1 to 3"));
    desk.ndq("check given.txt --as tuples1 --board file:path.col").code(2).stderr(contains(
        "vertices of file:path.col have the numbers of its file, which are read as \"tuples\"",
    ));
    desk.write("given.txt", "2\n3\n");
    desk.ndq("check given.txt --as tuples --board file:path.col")
        .code(1)
        .stdout(contains("(2) and (3), attack each other"));
}

#[test]
fn clique_files_mean_the_same_both_ways() {
    let desk = Desk::new();
    for (board, alpha) in [("3^2", 2), ("4^2", 4), ("3^3", 4), ("rook:2x3", 2), ("torus:4^2", 2)] {
        desk.ndq(&format!("model {board} -o x.clq")).code(0);
        desk.ndq("prove file:x.clq")
            .code(0)
            .stdout(contains(format!("alpha(file:x.clq) = {alpha}: ")))
            .stderr(contains(
                "x.clq: its remarks say that its edges join squares that do not attack each other",
            ));
        desk.ndq("prove cliques:file:x.clq").code(0).stdout(contains(format!("x.clq) = {alpha}: ")));
    }
    // A path of three vertices and an isolated vertex: independence number 3, clique number 2.
    desk.write("brock.clq", "c a benchmark\np col 4 2\ne 1 2\ne 2 3\n");
    desk.ndq("prove file:brock.clq").code(0).stdout(contains("alpha(file:brock.clq) = 3: ")).stderr(contains(
        "note: brock.clq: independent sets of its graph are meant; cliques:file:brock.clq means its cliques",
    ));
    desk.ndq("prove cliques:file:brock.clq -o clique.txt")
        .code(0)
        .stdout(contains("alpha(cliques:file:brock.clq) = 2: "))
        .stderr(contains("are meant").not());
    desk.ndq("check clique.txt").code(0);
    desk.ndq("model file:brock.clq -o again.clq").code(0);
    desk.ndq("prove file:again.clq").code(0).stdout(contains("alpha(file:again.clq) = 3: "));
    desk.ndq("info cliques:brock.clq")
        .code(2)
        .stderr(contains("must be followed by \"file:\", \"edges:\" or \"header:\""));
}

/// Returns the independence number and the number of maximum independent sets of a list of
/// edges, by brute force.
fn brute_force(text: &str) -> (usize, usize) {
    let mut edges = BTreeSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut ends: Vec<u64> = line.split(['\t', ' ', ',']).map(|word| word.parse().expect(line)).collect();
        ends.sort_unstable();
        edges.insert((ends[0], ends[1]));
    }
    let vertices: BTreeSet<u64> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let vertices: Vec<u64> = vertices.into_iter().collect();
    let mut sizes = vec![0; vertices.len() + 1];
    for set in 0..1u32 << vertices.len() {
        let has = |vertex: &u64| set >> vertices.iter().position(|v| v == vertex).expect("a vertex") & 1 == 1;
        if !edges.iter().any(|(a, b)| has(a) && has(b)) {
            sizes[set.count_ones() as usize] += 1;
        }
    }
    let largest = (0..sizes.len()).rfind(|&size| sizes[size] > 0).expect("the empty set");
    (largest, sizes[largest])
}

#[test]
fn random_edge_lists_agree_with_brute_force() {
    let desk = Desk::new();
    let mut rng = ChaCha8Rng::seed_from_u64(56);
    for _ in 0..60 {
        let labels: Vec<u32> = (0..rng.random_range(2..10)).map(|_| rng.random_range(0..5000) * 11).collect();
        let mut text = String::from("# by chance\n");
        let sign = ["\t", " ", ","][rng.random_range(0..3)];
        for _ in 0..rng.random_range(1..14) {
            let (a, b) =
                (labels[rng.random_range(0..labels.len())], labels[rng.random_range(0..labels.len())]);
            if a != b {
                writeln!(text, "{a}{sign}{b}").expect("a text");
            }
        }
        if text.lines().count() == 1 {
            continue;
        }
        desk.write("list.txt", &text);
        let counted = desk.json(0, "count edges:list.txt").remove(0);
        let found = &counted["methods"][0];
        let (size, sets) = brute_force(&text);
        assert_eq!(
            (&found["independence_number"], &found["solutions"]),
            (&size.into(), &sets.into()),
            "{text}"
        );
    }
}

#[test]
fn board_names_are_read_as_people_type_them() {
    let desk = Desk::new();
    for (typed, name) in [
        ("8,2", "8^2"),
        ("(8,2)", "8^2"),
        ("(8, 2)", "8^2"),
        ("8X8", "8^2"),
        ("8×8", "8^2"),
        ("8 × 8", "8^2"),
        ("2x3X4", "2x3x4"),
        ("rook:8X8", "rook:8^2"),
        ("torus:8×8", "torus:8^2"),
        ("rook:torus:(5,2)", "rook:torus:5^2"),
        ("bishop:4,3", "bishop:4^3"),
    ] {
        let output = desk.command().args(["--json", "info", typed]).output().expect("runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let value: serde_json::Value =
            serde_json::from_str(text.lines().next().unwrap_or_default()).expect(typed);
        assert_eq!((output.status.code(), &value["board"]), (Some(0), &name.into()), "{typed}");
    }
    for typed in ["8,2,1", "(8,2", "8X", "８×8", "torus:4×5", "hex:3,2"] {
        let output = desk.command().args(["info", typed]).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{typed}");
    }
    let runs = "[[runs]]\nboards = [\"(3,2)\", \"3X4\"]\nformulations = [\"base\"]\nvariants = [\"maximise\", \"k+1\"]\n";
    let exclude = "[[exclude]]\nboards = [\"3×4\"]\nvariants = [\"k+1\"]\n";
    desk.write("e.toml", format!("title = \"t\"\nsource = \"s\"\n{runs}{exclude}[k]\n\"3,2\" = 2\n"));
    desk.ndq("lab run e.toml -o e").code(0);
    desk.write("drawn.txt", "ndqueens board 1\nsides: 2X3\n###\n###\n");
    desk.ndq("count file:drawn.txt").code(0);
}

#[test]
fn gzip_files_are_read_by_content() {
    let desk = Desk::new();
    desk.ndq("solve 4^3 -o c.txt").code(0);
    desk.ndq("prove 4^3 --proof p.proof").code(0);
    desk.ndq("count 4^2 --solutions list.txt --density d.csv").code(0);
    desk.ndq("colour 5^2 -o colours.txt").code(0);
    desk.ndq("lp certify 4^3 -o b.bound").code(0);
    for name in ["c.txt", "p.proof", "list.txt", "d.csv", "colours.txt", "b.bound"] {
        let bytes = gzip(desk.read_bytes(name));
        // The name does not say that the file is compressed.
        desk.write(&format!("z-{name}"), &bytes);
        desk.write(&format!("{name}.gz"), &bytes);
    }
    for name in ["c.txt", "p.proof", "list.txt", "colours.txt", "b.bound"] {
        for name in [name.to_owned(), format!("z-{name}"), format!("{name}.gz")] {
            desk.ndq(&format!("check {name}")).code(0);
        }
    }
    bring(&desk, "R13-certificate.txt.gz");
    desk.ndq("check R13-certificate.txt.gz").code(0).stdout(contains("holds"));
    for (name, bytes) in
        [("board.txt", "1 2\n2 3\n"), ("f.toml", LINES), ("puzzle.txt", PUZZLE), ("e.toml", RUNS)]
    {
        desk.write(name, gzip(bytes));
    }
    desk.ndq("prove file:board.txt -o path.txt").code(0).stdout(contains("alpha(file:board.txt) = 2: "));
    desk.ndq("check path.txt").code(0);
    desk.ndq("solve 4^3 -f base --start z-c.txt").code(0);
    desk.ndq("solve 4^3 -f base --include z-c.txt").code(0);
    desk.ndq("solve 3^2 -f ./f.toml").code(0);
    desk.ndq("draw 4^3 --show z-c.txt").code(0);
    desk.ndq("draw 4^2 --density z-d.csv").code(0);
    desk.ndq("draw 5^2 --colouring z-colours.txt").code(0);
    desk.ndq("sudoku puzzle.txt").code(0);
    desk.ndq("lab run e.toml -o e").code(0);
    let whole = gzip(desk.read_bytes("c.txt"));
    desk.write("cut.txt", &whole[..whole.len() - 9]);
    desk.write("more.txt", [&whole[..], b"more"].concat());
    for name in ["cut.txt", "more.txt"] {
        desk.ndq(&format!("check {name}")).code(2).stdout("").stderr(contains("gzip"));
    }
}

const LINES: &str = "title = \"t\"\nsource = \"s\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n";
const RUNS: &str = "title = \"t\"\nsource = \"s\"\n[[runs]]\nboards = [\"3^2\"]\nformulations = [\"base\"]\n";
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";

#[test]
fn names_in_gz_are_written_compressed() {
    let desk = Desk::new();
    for (arguments, file) in [
        ("find 6^2 -o FILE", "found.gz"),
        ("solve 4^2 -o FILE", "solved.txt.gz"),
        ("prove 4^2 -o FILE", "proved.gz"),
        ("count 4^2 --solutions FILE", "all.gz"),
        ("count 4^2 --density FILE", "density.csv.gz"),
        ("colour 5^2 -o FILE", "colours.gz"),
        ("colour 4^2 --colours 5 --write FILE", "colours.lp.gz"),
        ("model 3^2 -o FILE", "m.lp.gz"),
        ("model 3^2 -o FILE", "m.MPS.GZ"),
        ("model 3^2 -o FILE", "m.opb.gz"),
        ("model 3^2 --at-least 2 -o FILE", "m.cnf.gz"),
        ("model 3^2 -o FILE", "m.mtx.gz"),
        ("model 3^2 -o FILE", "m.col.gz"),
        ("model 3^2 -o FILE", "m.clq.gz"),
        ("table boxes 2^3 -o FILE", "boxes.csv.gz"),
        ("lp certify 3^3 -o FILE", "b.bound.gz"),
        ("prove 3^3 --proof FILE", "p.proof.gz"),
    ] {
        desk.ndq(&arguments.replace("FILE", file)).code(0);
        let text = gunzip(&desk, file);
        assert!(!text.is_empty() && text.bytes().all(|byte| byte.is_ascii()), "{arguments}");
    }
    for file in ["found.gz", "solved.txt.gz", "proved.gz", "all.gz", "colours.gz", "b.bound.gz", "p.proof.gz"]
    {
        desk.ndq(&format!("check {file}")).code(0);
    }
    for (file, alpha) in [("m.col.gz", 2), ("m.clq.gz", 2)] {
        desk.ndq(&format!("prove file:{file}")).code(0).stdout(contains(format!("= {alpha}: ")));
    }
    desk.ndq("draw 4^2 --density density.csv.gz").code(0);
    let boxes = gunzip(&desk, "boxes.csv.gz");
    desk.ndq("table boxes 2^3 -o boxes.csv.gz").code(0);
    assert_eq!(gunzip(&desk, "boxes.csv.gz"), boxes);
    for refused in [
        "draw 3^2 -o x.svg.gz",
        "draw 3^2 -o x.png.gz",
        "model 3^2 -o x.gz",
        "prove 3^2 --engine sat --proof x.gz",
    ] {
        desk.ndq(refused).code(2).stdout("");
    }
    assert!(!desk.names(".").iter().any(|name| name.starts_with('x')), "{:?}", desk.names("."));
}

#[test]
fn rejects_special_files_at_once() {
    let desk = Desk::new();
    nix::unistd::mkfifo(&desk.path("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    std::os::unix::fs::symlink("/dev/zero", desk.path("zero")).expect("a link");
    std::fs::create_dir(desk.path("folder")).expect("a folder");
    for name in ["pipe", "zero", "folder"] {
        for command in [
            "info file:FILE",
            "prove edges:FILE",
            "check FILE",
            "check --as tuples --board 3^2 FILE",
            "solve 3^2 --include FILE",
            "solve 3^2 -f base --start FILE",
            "draw 3^2 --show FILE",
            "draw 3^2 --density FILE",
            "sudoku FILE",
            "lab plan FILE",
        ] {
            let began = Instant::now();
            desk.ndq(&command.replace("FILE", name)).code(2).stdout("");
            assert!(began.elapsed() < Duration::from_secs(5), "{command} {name}");
        }
    }
    let mut piped = assert_cmd::Command::from_std(desk.command());
    let counted = piped.args(["count", "edges:/dev/stdin"]).write_stdin("1 2\n2 3\n").assert();
    counted.code(0).stdout(contains("number    2\n"));
}
