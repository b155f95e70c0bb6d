//! Texts of the errors of all checkers in this crate, as one snapshot. The other tests assert the kind and
//! the place of an error only.

use std::fmt::{Display, Write as _};
use std::fs;
use std::path::Path;

use insta::{Settings, assert_snapshot};
use ndqueens_crosscheck::opb::{OpbFormula, Question, parse_verdict};
use ndqueens_crosscheck::partition::{self, Partition};
use ndqueens_crosscheck::solutions::verify_list;
use ndqueens_crosscheck::verify::{verify, verify_includes, verify_on};
use ndqueens_crosscheck::vipr::formula::IntegerProgram;
use ndqueens_crosscheck::{bound, cnf, colouring, proof, vipr};
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::certificate::solutions::Solutions;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, reject_files};

/// Text of the snapshot: headings, and lines `input -> message`.
#[derive(Default)]
struct Table(String);

impl Table {
    fn head(&mut self, checker: &str) {
        let gap = if self.0.is_empty() { "" } else { "\n" };
        writeln!(self.0, "{gap}# {checker}").expect("a string takes everything");
    }

    fn add(&mut self, input: impl Display, fault: impl Display) {
        writeln!(self.0, "{input} -> {fault}").expect("a string takes everything");
    }
}

fn board(name: &str) -> BoardName {
    name.parse().expect(name)
}

/// Returns a certificate with these squares, such as `0 1, 1 3`.
fn certificate(name: &str, problem: Problem, squares: &str) -> Certificate {
    let square = |square: &str| square.split(' ').map(|x| x.parse().expect("a number")).collect();
    let squares = squares.split(", ").map(square).collect();
    Certificate { board: board(name), problem, origin: "by hand".to_owned(), squares }
}

/// Invalid sets of squares.
const SETS: &[(&str, Problem, &str)] = &[
    ("4^3", Problem::IndependentSet, "0 0, 1 2"),
    ("4x5", Problem::DominatingSet, "0 0, 4 1"),
    ("4^2", Problem::IndependentSet, "0 0, 1 2, 0 0"),
    ("4^2", Problem::DominatingSet, "0 0, 1 2, 1 2"),
    ("4^3", Problem::IndependentSet, "0 0 0, 1 2 0, 3 2 2"),
    ("torus:5^2", Problem::IndependentSet, "0 1, 1 0"),
    ("torus:5^2", Problem::IndependentSet, "0 1, 4 2"),
    ("5^2", Problem::DominatingSet, "2 2"),
    ("3^2", Problem::IndependentDominatingSet, "1 1, 0 0"),
    ("4^2", Problem::IndependentDominatingSet, "1 1"),
    ("4^2", Problem::NoThreeInLine, "0 0, 1 1, 2 2"),
    ("torus:4^2", Problem::NoThreeInLine, "0 0, 1 1"),
    ("hex:3", Problem::IndependentSet, "0 3"),
    ("three:4", Problem::IndependentSet, "6 0 0"),
    ("sudoku:2", Problem::IndependentSet, "0 0 4"),
];

/// Texts of board files, and a square off the board.
const FILES: &[(&str, &[u32])] = &[
    ("ndqueens board 1\n##.##\n#####\n.###.\n", &[0, 2]),
    ("0 1\n1 2\n", &[3]),
    ("p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 4 1\n", &[0]),
    ("7 12\n12 40\n", &[8]),
];

fn add_certificates(table: &mut Table) {
    table.head("certificates");
    for &(name, problem, squares) in SETS {
        let fault = verify(&certificate(name, problem, squares)).expect_err(squares);
        table.add(format_args!("{problem} {squares} of {name}"), fault);
    }
    for (text, square) in FILES {
        let name = BoardName::parse_with("file:board", &|_| Ok((*text).to_owned())).expect(text);
        let fault =
            verify(&Certificate::independent(name, vec![square.to_vec()], "by hand")).expect_err(text);
        table.add(format_args!("{square:?} of the file {text:?}"), fault);
    }
    let set = certificate("4^2", Problem::DominatingSet, "0 1, 1 3, 2 0, 3 2");
    let fault = verify_on(&board("5^2"), Problem::DominatingSet, &set).expect_err("another board");
    table.add("a set on 4^2 for 5^2", fault);
    let fault = verify_on(&set.board, Problem::IndependentSet, &set).expect_err("another problem");
    table.add("a dominating set for an independent set", fault);
    let fault = verify_includes(&set, &[vec![2, 0], vec![0, 0]]).expect_err("a missing queen");
    table.add("0 1, 1 3, 2 0, 3 2 with 2 0, 0 0 included", fault);
}

type Change = fn(&mut Colouring);

/// Edits of a colouring of 5^2 by full solutions.
const COLOURINGS: &[(&str, Change)] = &[
    ("square 1 of class 2 is (0,0)", |c| c.classes[1][0] = vec![0, 0]),
    ("square 1 of class 2 is (0,7)", |c| c.classes[1][0] = vec![0, 7]),
    ("class 6 without squares", |c| c.classes.push(Vec::new())),
    ("no class 5", |c| drop(c.classes.pop())),
    ("class 3 twice", |c| c.classes.push(c.classes[2].clone())),
    ("class 3 without its last square", |c| drop(c.classes[2].pop())),
    ("the board 5x6", |c| c.board = BoardName::queen(&[5, 6])),
];

fn add_colourings(table: &mut Table) {
    table.head("colourings");
    for (input, change) in COLOURINGS {
        let class = |c: u32| (0..5).map(|row| vec![row, (c + 2 * row) % 5]).collect();
        let classes = (0..5).map(class).collect();
        let mut colouring = Colouring::new(board("5^2"), ClassKind::FullSolutions, classes, "by hand");
        change(&mut colouring);
        table.add(input, colouring::verify(&colouring).expect_err(input));
    }
    let path =
        BoardName::parse_with("file:path", &|_| Ok("0 1\n1 2\n2 3\n3 4\n".to_owned())).expect("a path");
    let class = |colour: u32| (0..5).filter(|v| v % 3 == colour).map(|v| vec![v]).collect();
    let classes = (0..3).map(class).collect();
    let near = Colouring::new(path, ClassKind::AtDistance(4), classes, "by hand");
    table.add("a path with 3 colours at distance 4", colouring::verify(&near).expect_err("too near"));
}

/// Kinds and lines of invalid lists of solutions of 4^2.
const LISTS: &[(&str, &[&str])] = &[
    ("all", &["0 1, 1 3, 2 0, 3 2"]),
    ("up-to-symmetry", &["0 1, 1 3, 2 0, 3 2", "0 2, 1 0, 2 3, 3 1"]),
    ("all", &["0 1, 1 3, 2 0, 3 2", "3 2, 0 1, 1 3, 2 0"]),
    ("all", &["0 1, 1 3, 2 0, 3 3"]),
    ("all", &["0 1, 1 3, 2 0, 4 2"]),
    ("all", &["0 1, 1 3, 2 0, 2 0"]),
    ("all", &["0 1, 1 3, 2 0, 2"]),
];

fn add_lists(table: &mut Table) {
    table.head("lists of solutions");
    for (kind, lines) in LISTS {
        let (solutions, rows) = (lines.len(), lines.join("\n"));
        let text = format!(
            "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: {kind}\nsolutions: {solutions}\norigin: -\n{rows}\n"
        );
        let list = Solutions::parse_with(&text, &reject_files).expect("a list");
        table.add(format_args!("{kind}: {}", lines.join(" | ")), verify_list(&list).expect_err(kind));
    }
}

/// Cells that are not cliques or do not fit the board.
const CELLS: &[(&str, &[u32])] = &[
    ("5^3", &[1, 1, 6]),
    ("5^3", &[1, 5]),
    ("5^3", &[1, 0, 5]),
    ("5^3", &[1, 2, 3]),
    ("5^3", &[3, 3, 3]),
    ("rook:5^2", &[2, 2]),
    ("bishop:5^2", &[1, 5]),
    ("bishop:5^2", &[2, 2]),
    ("hex:3", &[1, 5]),
];

/// Sets that are not a partition of 2x3 into cliques.
const CLIQUES: &[&[&[[u32; 2]]]] = &[
    &[&[[0, 0], [0, 1], [1, 0], [1, 1]]],
    &[&[[0, 0], [0, 1], [1, 0], [1, 1]], &[[0, 2], [1, 2]], &[[1, 1]]],
    &[&[[0, 0], [0, 1], [1, 0], [1, 1]], &[[0, 2], [1, 2], [1, 3]]],
    &[&[[0, 0], [0, 1], [1, 2]], &[[0, 2], [1, 2]]],
    &[],
];

fn add_partitions(table: &mut Table) {
    table.head("partitions");
    for (name, cell) in CELLS {
        let fault = partition::check(&board(name), &Partition::Cells(cell.to_vec())).expect_err(name);
        table.add(format_args!("cells {cell:?} of {name}"), fault);
    }
    for sets in CLIQUES {
        let listed = sets.iter().map(|set| set.iter().map(|square| square.to_vec()).collect()).collect();
        let fault = partition::check(&board("2x3"), &Partition::Cliques(listed)).expect_err("no partition");
        table.add(format_args!("{sets:?} of 2x3"), fault);
    }
}

/// Bound of 3^2 by lines.
const LINES: &str = "ndqueens bound 1
board 3^2
clique 2 0,0 0,1 0,2
clique 1/2 1,0 1,1 1,2
clique 1/2 0,1 1,1 2,1
at most 3
end
";

/// Bound of 4^3 by a cut into two halves.
const BOXES: &str = "ndqueens bound 1
board 4^3
needs 2x4x4 4
box 2 4 0,0,0 2x4x4 1
at most 8
end
";

/// Bound of 3^2 with cases.
const CASES: &str = include_str!("data/cases.bound");

/// Edits of [`LINES`].
const EDITED_LINES: &[(&str, &str)] = &[
    ("ndqueens bound 1", "ndqueens bound 5"),
    ("ndqueens bound 1", "ndqueens bound 4"),
    ("ndqueens bound 1", "ndqueens bound 3"),
    ("ndqueens bound 1", "ndqueens bound 2"),
    ("at most 3", "case 3\nat most 3"),
    ("board 3^2", "board torus:3^2"),
    ("board 3^2", "board 4^2"),
    ("board 3^2", "board 3^"),
    ("clique 2 ", "clique 7/4 "),
    ("clique 1/2 0,1", "clique -1/2 0,1"),
    ("clique 1/2 0,1", "clique 1/0 0,1"),
    ("1,0 1,1 1,2", "1,0 1,1 0,2 2,1"),
    ("1,0 1,1 1,2", "1,0 1,1 1,1"),
    ("1,0 1,1 1,2", "1,0 1,1 1,3"),
    ("1,0 1,1 1,2", "1,0 1,1 1"),
    ("clique 1/2 0,1 1,1 2,1\n", ""),
    ("at most 3", "at most 2"),
    ("at most 3", "at most +3"),
    ("end\n", ""),
    ("end\n", "end"),
    ("end\n", "end\nend\n"),
    ("at most 3\n", ""),
    ("board 3^2", "board 1000000^9"),
    ("board 3^2", "board 3^33"),
];

/// Edits of [`BOXES`].
const EDITED_BOXES: &[(&str, &str)] = &[
    ("box 2 4", "box 2 3"),
    ("needs 2x4x4 4\nbox 2 4", "needs rook:2x4x4 3\nbox 2 3"),
    ("needs 2x4x4 4\nbox 2 4", "needs torus:4^3 3\nbox 2 3"),
    ("0,0,0 2x4x4 1", "3,0,0 2x4x4 1"),
    ("0,0,0 2x4x4 1", "0,0,0 2x4x4 2"),
    ("0,0,0 2x4x4 1", "0,0,0 2x4x4 0"),
    ("0,0,0 2x4x4 1", "0,0,0 0x4x4 1"),
    ("0,0,0 2x4x4 1", "0,0 2x4 1"),
    ("needs 2x4x4 4\nbox 2 4 0,0,0 2x4x4 1", "needs 4^3 7\nbox 1 7 0,0,0 4x4x4 1"),
    ("0,0,0 2x4x4 1", "0,0,0 2x4x4 99999999999999999999"),
    ("0,0,0 2x4x4 1", "4294967295,0,0 2x4x4 1"),
    ("box", "needs 2x4x4 3\nbox"),
    ("4^3\nneeds 2x4x4 4\nbox", "9^3\nneeds 3^2 1\nneeds 1x3x3 3\nbox"),
    ("1\nat", "18446744073709551615\nat"),
];

/// Edits of [`CASES`].
const EDITED_CASES: &[(&str, &str)] = &[
    ("ndqueens bound 2", "ndqueens bound 1"),
    ("split 0,0 0", "split 0,0 2"),
    ("split 0,0 0", "split 0,0 4"),
    ("split 0,0 0", "split 0,3 0"),
    ("most 1/2 0,0", "most 1/3 0,0"),
    ("most 1/2 0,0", "most 1/2 0,1"),
    ("most 1/2 0,0", "least 1/2 0,0"),
    ("least 1 0,1", "least 2 0,1"),
    ("least 1 0,1", "least 1/2 0,1"),
    ("split 0,1 1", "split 0,1 0"),
    ("split 0,1 1\n", ""),
    ("split 0,1 1\nclique 1", "clique 1 0,0\nsplit 0,1 1\nclique 1"),
    ("least 1 0,1\ncase 2\n", "least 1 0,1\ncase 2\ncase 2\n"),
    ("at most 2\nend", "clique 1 0,0\nat most 2\nend"),
    ("clique 4 0,0 0,1 1,0 1,1\nleast 1 0,1\ncase 2\n", ""),
    ("at most 2", "at most 1"),
    ("at most 2", "split 0,0 1\nat most 2"),
];

fn add_bounds(table: &mut Table) {
    for (name, text, edits) in
        [("lines", LINES, EDITED_LINES), ("boxes", BOXES, EDITED_BOXES), ("cases", CASES, EDITED_CASES)]
    {
        table.head(&format!("edits of a bound by {name}"));
        for (from, to) in edits {
            assert!(text.contains(from), "{from}");
            let fault = bound::check(text.replacen(from, to, 1).as_bytes()).expect_err(to);
            table.add(format_args!("{from:?} as {to:?}"), fault);
        }
    }
    let long = LINES.replacen("1/2", &format!("1/{}", "7".repeat(20_000)), 1);
    table.add("a multiplier of 20000 digits", bound::check(long.as_bytes()).expect_err("too long"));
    let stopped = bound::check_while(LINES.as_bytes(), &mut || false).expect_err("stopped");
    table.add("a stopped check", stopped);
}

/// Texts that are not proofs.
const PROOFS: &[&str] = &["", "a", "a\r\n", "a\tb\n", "\0a\n", "a\n"];

/// Invalid rows of a proof tree of 3^3.
const ROWS: &[&str] = &[
    "box:2,2,2:1x1x1:18446744073709551616",
    "box:0,0,0:2x2x2:3",
    "volume:3:0,0,0:3x3x3:1",
    "class:2:0,1,2,3:0,0,0:3x3x3:1",
    "cycle:0,1",
    "cycle:0,1,0",
    "cycle:0,1,5",
    "cycle",
    "sphere:0,1,2",
];

fn add_proofs(table: &mut Table) {
    let check = |text: &[u8]| proof::check(text, &|name| name.parse()).expect_err("refused");
    table.head("proofs");
    for text in PROOFS {
        table.add(format_args!("{text:?}"), check(text.as_bytes()));
    }
    table.add("a byte that is not UTF-8", check(b"a\x85\n"));
    for row in ROWS {
        let head = "ndqueens proof 3\nboard 3^3\nbox 3x3x3 4 search\norder lexicographic\n";
        table.add(row, check(format!("{head}sum 1 1*{row} /\n").as_bytes()));
    }
}

/// Edits of the formula of 2x3 with remarks.
const FORMULAS: &[(&str, &str)] = &[
    ("-1 x3 -1 x5", "-1 x03 -1 x05"),
    ("-1 x3 -1 x5 >= -1 ;\n", ""),
    ("-1 x3 -1 x5", "-1  x3 -1 x5"),
    ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ;\r\n"),
    ("-1 x3 -1 x5 >= -1 ;\n", "-1 x3 -1 x5 >= -1 ;\n\n"),
    ("-1 x2 -1 x6 >= -1 ;\n", "-1 x2 -1 x6 >= -1 ;"),
    ("-1 x2 -1 x6 >= -1 ;\n", ""),
    ("-1 x2 -1 x6 >= -1 ;\n", "-1 x2 -1 x6 >= -1 ;\n-1 x1 >= 0 ;\n"),
    ("min: -1 x1", "min: -2 x1"),
    ("* #variable", "* \r#variable"),
    ("* #variable", "\u{feff}* #variable"),
];

fn add_formulas(table: &mut Table) {
    table.head("pseudo-Boolean formulas of 2x3");
    let formula = OpbFormula::new(&board("2x3"), Question::Maximum).expect("a formula");
    for (from, to) in FORMULAS {
        assert!(formula.text().contains(from), "{from}");
        let fault = formula.compare(&formula.text().replacen(from, to, 1)).expect_err(to);
        table.add(format_args!("{from:?} as {to:?}"), fault);
    }
    table.head("verdicts of VeriPB");
    for output in ["no\u{1b}[2J\n", "s VERIFIED BOUNDS -14 <= obj <= -13\n", "with an assumption\n"] {
        table.add(format_args!("{output:?}"), parse_verdict(output).expect_err(output));
    }
    table.head("verdicts of rate");
    let output = "c proof steps:  3\nc a.drat:3 redundancy check failed for [1] 2 0\ns NOT VERIFIED\n";
    table.add(format_args!("{output:?}"), cnf::check_verdict(output).expect_err("refused"));
    table.head("integer programs");
    for (name, representatives) in
        [("3^2", &[0, 2][..]), ("3^2", &[0, 0]), ("3^2", &[9]), ("torus:3^2", &[0]), ("hex:2", &[0])]
    {
        let fault = IntegerProgram::new(&board(name), None, representatives).expect_err(name);
        table.add(format_args!("symmetry rows of {representatives:?} on {name}"), fault);
    }
    let fault = IntegerProgram::new(&board("3^2"), Some(0), &[]).expect_err("no squares");
    table.add("at least 0 squares", fault);
    let fault = IntegerProgram::new(&board("65^2"), None, &[]).expect_err("4225 squares");
    table.add("65^2", fault);
}

/// Adds the test vectors in a folder that a check refuses, with the extension `extension`.
fn add_vectors<E: Display>(table: &mut Table, folder: &str, extension: &str, check: impl Fn(&[u8]) -> E) {
    table.head(&format!("test vectors {folder}/*.{extension}"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(folder);
    let files = fs::read_dir(path).expect(folder).map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == extension)).collect();
    files.sort();
    for path in files {
        let stem = path.file_stem().expect("a name").to_string_lossy().into_owned();
        table.add(stem, check(&fs::read(&path).expect("a file")));
    }
}

#[test]
fn messages() {
    let mut table = Table::default();
    add_certificates(&mut table);
    add_colourings(&mut table);
    add_lists(&mut table);
    add_partitions(&mut table);
    add_bounds(&mut table);
    add_proofs(&mut table);
    add_formulas(&mut table);
    let read_board = |name: &str| name.parse();
    add_vectors(&mut table, "refused", "bound", |text| bound::check(text).expect_err("refused"));
    add_vectors(&mut table, "refused", "proof", |text| proof::check(text, &read_board).expect_err("refused"));
    add_vectors(&mut table, "vipr/refused", "vipr", |text| {
        vipr::check(text, &read_board, &|| false).expect_err("refused")
    });
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!("messages", table.0));
}
