//! Texts of the errors of this crate, as one snapshot. The other tests assert the kind and the place of an
//! error only.

use std::fmt::{Display, Write as _};
use std::io;

use insta::{Settings, assert_snapshot};
use ndqueens_model::board::Board;
use ndqueens_model::facts::Theorems;
use ndqueens_model::facts::boxes::BoxTable;
use ndqueens_model::facts::reading::parse_rows;
use ndqueens_model::family::REGISTRY;
use ndqueens_model::format::{FileFormat, Format, column_order};
use ndqueens_model::formulation::Formulation;
use ndqueens_model::ilp::{Column, Comparison, Program, Row, Sense, Tag};
use ndqueens_model::import::{Convention, export, import};
use ndqueens_model::model::Model;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::name::{BoardName, reject_files};
use serde::Deserialize;

/// Text of the snapshot: headings, and lines `input -> message`.
#[derive(Default)]
struct Table(String);

impl Table {
    fn head(&mut self, parser: &str) {
        let gap = if self.0.is_empty() { "" } else { "\n" };
        writeln!(self.0, "{gap}# {parser}").expect("a string takes everything");
    }

    fn add(&mut self, input: impl Display, error: impl Display) {
        writeln!(self.0, "{input} -> {error}").expect("a string takes everything");
    }
}

fn name(text: &str) -> BoardName {
    text.parse().expect(text)
}

fn board(text: &str) -> Board {
    Board::new(&name(text))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Lower,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only errors are of interest")]
struct BoundLine {
    board: String,
    side: Side,
    value: u64,
}

/// Rows after the first line of a table with the columns board, side and value.
const ROWS: &[&str] = &[
    "4^3,lower,seven",
    "4^3,lower,99999999999999999999",
    "4^3,lower",
    "4^3",
    "4^3,lower,\"1\n\u{1b}\"",
    "4^3,above,7",
];

/// Second rows of a table of boxes.
const BOXES: &[&str] =
    &["queen,2x3x4,4,6", "queen,4x2x1x3,5,5", "queen,2y3,1,1", "king,2x3,1,1", "rook:torus,2^2,1,1"];

fn add_tables(table: &mut Table) {
    table.head("rows of tables");
    for row in ROWS {
        let text = format!("board,side,value\n3^3,lower,4\n{row}\n");
        table.add(format_args!("{row:?}"), parse_rows::<BoundLine>(&text).expect_err(row));
    }
    let missing = parse_rows::<BoundLine>("board,side\n3^3,lower\n").expect_err("no values");
    table.add("no column of values", missing);
    table.head("tables of boxes");
    for row in BOXES {
        let text = format!("piece,sides,lower,upper\nqueen,2x3x4,5,6\n{row}\n");
        match BoxTable::parse(&text) {
            Ok(_) => panic!("{row} is accepted"),
            Err(error) => table.add(row, error),
        }
    }
}

/// Edits of the formulation `cube`.
const FORMULATIONS: &[(&str, &str)] = &[
    ("title", "titel"),
    ("\"independent set\"", "\"clique\""),
    ("[\"line\", \"cube\"]", "[\"line\", \"kube\"]"),
    ("\"independent set\"", "\"\\u001b[2J\""),
    ("\"cube\"]", "\"\\n\"]"),
    ("[\"line\", \"cube\"]", "[{ name = \"cube\", size = 3 }]"),
    ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", seed = -1 }]"),
    ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", cap = 99999999999999999999 }]"),
    ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", lengths = 5 }]"),
    ("[\"line\", \"cube\"]", "[5]"),
    ("[\"line\", \"cube\"]", "[{ size = 3 }]"),
    ("[\"line\", \"cube\"]", "[]"),
    ("[\"line\", \"cube\"]", "[\"line\", \"cube\", \"line\"]"),
    ("families", "goal = \"half\"\nfamilies"),
    ("families", "goal = \"optimize\"\nfamilies"),
    ("families", "needs = [\"luck\"]\nfamilies"),
    ("[\"line\", \"cube\"]", "[\"line\""),
];

fn add_formulations(table: &mut Table) {
    table.head("edits of the formulation cube");
    let good = include_str!("../data/models/cube.toml");
    for (from, to) in FORMULATIONS {
        assert!(good.contains(from), "{from}");
        let error = Formulation::parse("test", &good.replace(from, to)).expect_err(to);
        table.add(format_args!("{from} as {to}"), error);
    }
    table.head("names of formulations");
    for unknown in ["cubes", "nothing"] {
        table.add(unknown, Formulation::builtin(unknown).expect_err(unknown));
    }
}

/// Questions that formulations do not answer.
const QUESTIONS: &[(&str, &str, Goal)] = &[
    ("modular", "5^2", Goal::Optimise),
    ("full", "4x5", Goal::Optimise),
    ("full", "5^2", Goal::AtLeast(4)),
    ("partial", "5^2", Goal::Optimise),
    ("completion", "5^2", Goal::Optimise),
    ("base", "5^2", Goal::AtMost(3)),
    ("base", "5^2", Goal::AtLeast(6)),
    ("domination", "3^2", Goal::AtLeast(10)),
    ("domination", "3^2", Goal::Exactly(10)),
];

/// Families whose rows do not describe the problem.
const FAMILIES: &[(&str, Problem, &str, Goal)] = &[
    ("3^3", Problem::IndependentSet, "cube", Goal::Optimise),
    ("4^2", Problem::IndependentSet, "equality", Goal::Exactly(4)),
    ("4^2", Problem::IndependentSet, "odd-cycle", Goal::Optimise),
    ("4^2", Problem::DominatingSet, "lex", Goal::Optimise),
];

fn add_models(table: &mut Table) {
    table.head("questions");
    for &(formulation, on, goal) in QUESTIONS {
        let shipped = Formulation::builtin(formulation).expect(formulation);
        let error = Model::new(&board(on), &shipped, Variant::of(goal), &Theorems, 1 << 30).expect_err(on);
        table.add(format_args!("{formulation}, {on}, {goal}"), error);
    }
    let base = Formulation::builtin("base").expect("shipped");
    let including = Variant { include: vec![0, 1], ..Variant::of(Goal::Optimise) };
    let error = Model::new(&board("4^2"), &base, including, &Theorems, 1 << 30).expect_err("an attack");
    table.add("base, 4^2, with squares 0 and 1 included", error);
    let error =
        Model::new(&board("4^3"), &base, Variant::of(Goal::Optimise), &Theorems, 1).expect_err("too large");
    table.add("base, 4^3, with 1 byte of memory", error);
    table.head("families that do not describe a problem");
    for &(on, problem, family, goal) in FAMILIES {
        let text =
            format!("title = \"\"\nsource = \"\"\nproblem = \"{problem}\"\nfamilies = [\"{family}\"]\n");
        let formulation = Formulation::parse("test", &text).expect("a formulation");
        let error =
            Model::new(&board(on), &formulation, Variant::of(goal), &Theorems, 1 << 30).expect_err(on);
        table.add(format_args!("{family}, {problem} on {on}, {goal}"), error);
    }
    table.head("names of rows");
    let on = board("3^2");
    let cube = Formulation::builtin("cube").expect("shipped");
    let model = Model::new(&on, &cube, Variant::of(Goal::Optimise), &Theorems, 1 << 30).expect("a model");
    table.add("star_0", model.row("star_0").expect_err("no star"));
}

/// Families that are not valid on a board or for a problem.
const INVALID: &[(&str, &str, &str, Problem)] = &[
    ("cube", "", "rook:3^2", Problem::IndependentSet),
    ("star", "", "bishop:3^2", Problem::IndependentSet),
    ("volume", "", "rook:3^2", Problem::IndependentSet),
    ("class", "", "bishop:3^2", Problem::IndependentSet),
    ("cube", "", "hex:3", Problem::IndependentSet),
    ("line", "", "3^2", Problem::DominatingSet),
    ("line", "", "3^2", Problem::NoThreeInLine),
    ("domination", "", "3^2", Problem::IndependentSet),
    ("domination", "", "3^2", Problem::NoThreeInLine),
    ("equality", "", "3^2", Problem::IndependentSet),
    ("collinear", "", "torus:3^2", Problem::NoThreeInLine),
    ("lex", "prefix = 21", "4^2", Problem::IndependentSet),
    ("odd-cycle", "lengths = [5, 6]", "4^2", Problem::IndependentSet),
    ("maximal-clique", "limit = 5", "4^2", Problem::IndependentSet),
    ("maximal-clique", "", "17^3", Problem::IndependentSet),
];

fn add_families(table: &mut Table) {
    table.head("families");
    let family = |kind: &str, options: &str| {
        let (_, make) = REGISTRY.iter().find(|(known, _)| *known == kind).expect(kind);
        make(options.parse().expect("TOML")).expect("options")
    };
    let optimise = Variant::of(Goal::Optimise);
    for &(kind, options, on, problem) in INVALID {
        let reason = family(kind, options).validity(&board(on), problem, &optimise).expect_err(kind);
        let options = if options.is_empty() { String::new() } else { format!(" with {options}") };
        table.add(format_args!("{kind}{options}, {problem} on {on}"), reason);
    }
    let full = |on: &Board| Variant::of(Goal::Exactly(on.trivial_bound()));
    for on in ["bishop:3^2", "3x4"] {
        let on = board(on);
        let reason =
            family("equality", "").validity(&on, Problem::IndependentSet, &full(&on)).expect_err("not full");
        table.add(format_args!("equality, full solutions of {}", on.name()), reason);
    }
    let including = Variant { include: vec![1], ..optimise };
    let reason = family("lex", "").validity(&board("4^2"), Problem::IndependentSet, &including);
    table.add("lex, with a square included", reason.expect_err("included"));
}

/// Program with explicit columns and rows.
struct ExplicitProgram {
    sense: Sense,
    columns: Vec<Column>,
    rows: Vec<Row>,
}

impl Program for ExplicitProgram {
    fn name(&self) -> String {
        "handmade".to_owned()
    }

    fn sense(&self) -> Sense {
        self.sense
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Row> + '_> {
        Box::new(self.rows.iter().cloned())
    }

    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Returns a program without rows over columns with these bounds.
fn program(sense: Sense, bounds: &[(i64, i64)]) -> ExplicitProgram {
    let column = |(k, &(lower, upper))| Column { name: format!("x_{k}"), objective: 1, lower, upper };
    ExplicitProgram { sense, columns: bounds.iter().enumerate().map(column).collect(), rows: Vec::new() }
}

fn add_formats(table: &mut Table) {
    table.head("names of model files");
    for path in ["model", "model.txt", "lp", ".lp", "model.gz", "model.gz.lp.txt", "a\u{7}.txt"] {
        table.add(format_args!("{path:?}"), FileFormat::of_path(path).expect_err(path));
    }
    table.head("programs that a format cannot express");
    let mut wide = program(Sense::Feasibility, &[(0, 1); 50]);
    wide.rows.push(Row {
        tag: Tag { family: "test", number: 0 },
        columns: (0..50).collect(),
        coefficients: Some((0..50).map(|k| (1 << 50) + (1 << k)).collect()),
        comparison: Comparison::AtMost,
        rhs: 25 << 50,
    });
    for (input, format, program) in [
        ("an integer column in OPB", Format::Opb, program(Sense::Feasibility, &[(0, 1), (-2, 5)])),
        ("an integer column in CNF", Format::Cnf, program(Sense::Feasibility, &[(0, 1), (-2, 5)])),
        ("no columns in OPB", Format::Opb, program(Sense::Feasibility, &[])),
        ("no columns in LP", Format::Lp, program(Sense::Feasibility, &[])),
        ("an objective in CNF", Format::Cnf, program(Sense::Maximise, &[(0, 1)])),
        ("large coefficients in CNF", Format::Cnf, wide),
    ] {
        table.add(input, format.write(&program, &mut io::sink()).expect_err(input));
    }
    table.head("orders of columns");
    let names = ["x_0", "x_1", "x_2"];
    for (text, format) in
        [("* x1 x_0\n* x3 x_1\n", Format::Opb), ("Maximize\n obj: c1 + c2\nEnd\n", Format::Lp)]
    {
        table.add(format_args!("{text:?}"), column_order(text, format, &names).expect_err(text));
    }
}

/// Texts that do not follow a convention.
const SQUARES: &[(Convention, &str, &str)] = &[
    (Convention::Tuples0, "3^3", "0 0 0\n 1 2"),
    (Convention::Tuples0, "3^3", "[(0,0,0),(1,2,0,1)]"),
    (Convention::Tuples0, "3^3", "0 0 é"),
    (Convention::Tuples0, "3^3", "é 0 -1"),
    (Convention::Tuples0, "3^3", "0 0 4294967296"),
    (Convention::Tuples1, "3^3", "(1,0,2)"),
    (Convention::Flat0, "2x3", "0 5\n6"),
    (Convention::Flat1, "2x3", "0"),
    (Convention::Flat1, "2x3", "6, 7"),
    (Convention::Heights0, "2x3x4", "0 . .\n. 4 ."),
    (Convention::Heights1, "2x3x4", "0 . .\n. x ."),
    (Convention::Heights0, "2x3x4", "0 . .\n. ."),
    (Convention::Heights0, "2x3x4", "0 . ."),
    (Convention::Heights0, "2^4", ". . . . . . . 1 1"),
    (Convention::Heights0, "2^4", "\n"),
    (Convention::Heights0, "hex:3", "0"),
    (Convention::DeGroot, "hex:3", "1 20"),
    (Convention::DeGroot, "three:4", "1\n0"),
    (Convention::DeGroot, "8^2", "1"),
    (Convention::Tuples0, "three:4", "0 0"),
    (Convention::Tuples0, "3^3", "[[[0,1,2]],[[2,0,1]]]"),
    (Convention::Tuples1, "3^3", "1 1 1\n0x1"),
    (Convention::Tuples1, "3^3", "1 1 1\n 1 4 3"),
    (Convention::Tuples1, "3^2", "1 4"),
    (Convention::Heights0, "4^2", "1,,3,\n,0,,2\n"),
    (Convention::Heights0, "4^2", "1\t\t3\t\n\t0\t\t2\n"),
    (Convention::Heights1, "4^2", "2;1;4;3\n,2,3,1\n"),
    (Convention::Heights0, "4^2", "[1,,3,0]"),
    (Convention::Heights0, "4^2", "1 3\n0 2\n"),
    (Convention::Heights0, "4^2", "1 3 0 2\n1 3 0\n"),
    (Convention::Tuples0, "4^2", "0,,1"),
    (Convention::Tuples0, "4^2", "(,0,1)"),
    (Convention::Flat0, "4^2", "1,,7"),
];

/// Boards, if they are given, and pictures that are ambiguous or do not fit the board.
const PICTURES: &[(&str, &str)] = &[
    ("4^2", ".Q..\n...Q\nQ...\n"),
    ("4^2", ".Q..\n...Q\nQ...\n..Q.\n....\n"),
    ("4^2", ".Q..\n...Q\n\nQ...\n..Q.\n"),
    ("4^2", ".Q..\n...\nQ...\n..Q.\n"),
    ("4^2", ".Q..\n..1Q\nQ...\n..Q.\n"),
    ("4^2", ".Q..\n..aQ\nQ...\n..Q.\n"),
    ("2^2", "x.\n.x\n"),
    ("2^2", "1.\n0.\n"),
    ("4^2", "1 3 0 2\n"),
    ("1x2", "12\n"),
    ("4^2", ".Q.. ...Q\n"),
    ("3^1", "# Q . .\n"),
    ("4^2", "[\".Q..\",\"...Q\""),
    ("", ".Q..\n"),
    ("", "5 queens on 4^2, checked\n\n.Q..\n...Q\nQ...\n..Q.\n"),
    ("", ".Q..\n...Q\nQ...\n..Q.\n3 queens on 4^2, checked\n"),
    ("", ".Q..\n...Q\nQ...\n..Q.\n4 queens on 4^2\n4 queens on 4^2\n"),
    ("4^2", "4 queens on 5^2, checked\n\n.Q..\n...Q\nQ...\n..Q.\n"),
    ("4^2", "(0,1) (1,3)\n"),
    ("4^2", "2 queens on 4^2\n(0,1) (1,3)\n(0,0)\n"),
    ("2^3", "(0,*,*)\n.Q\n..\n(0,*,*)\n..\n..\n"),
    ("2^3", "(0,*,*)\n.Q\n..\n"),
    ("2^2", ""),
    ("1000^3", "."),
    ("", ".Q..\n...Q\nQ...\n..Q.\n\n..Q.\nQ...\n...Q\n.Q..\n"),
    ("2^2", ". N\n. .\n"),
];

/// Texts that are read without a convention.
const UNMARKED: &[&str] = &[
    "0 1 0\n1 0 0\n",
    "0 1\n1 3\n2 0\n3 2\n",
    "1 3 0 2\n",
    "[[0,1],[1,0]]",
    "Solution 1\n.Q..\n...Q\nQ...\n..Q.\n\nSolution 2\n..Q.\nQ...\n...Q\n.Q..\n",
];

fn add_imports(table: &mut Table) {
    table.head("names of conventions");
    for input in ["tuple", "tuples2"] {
        table.add(input, input.parse::<Convention>().expect_err(input));
    }
    table.head("sets of squares");
    for &(convention, on, text) in SQUARES {
        let error = import(text, convention, Some(&name(on)), &reject_files).expect_err(text);
        table.add(format_args!("{convention}, {on}, {text:?}"), error);
    }
    for convention in [Convention::Tuples0, Convention::Heights1, Convention::DeGroot] {
        let error = import("0 0", convention, None, &reject_files).expect_err("no board");
        table.add(format_args!("{convention}, without a board"), error);
    }
    let native = Certificate::independent(name("3^3"), vec![vec![0, 0, 0]], "by hand").to_string();
    let error =
        import(&native, Convention::Native, Some(&name("4^3")), &reject_files).expect_err("another board");
    table.add("a certificate on 3^3 for 4^3", error);
    table.head("pictures");
    for &(on, text) in PICTURES {
        let given = (!on.is_empty()).then(|| name(on));
        let error = import(text, Convention::Picture, given.as_ref(), &reject_files).expect_err(text);
        let on = if on.is_empty() { "no board given" } else { on };
        table.add(format_args!("{on}, {text:?}"), error);
    }
    table.head("texts without a convention");
    for text in UNMARKED {
        let error = import(text, Convention::Native, None, &reject_files).expect_err(text);
        table.add(format_args!("{text:?}"), error);
    }
    table.head("sets that a convention cannot express");
    let off = Certificate::independent(name("3^2"), vec![vec![0, 3]], "by hand");
    for convention in [Convention::Flat0, Convention::Picture, Convention::DeGroot] {
        table.add(
            format_args!("{convention}, (0,3) on 3^2"),
            export(&off, convention).expect_err("off the board"),
        );
    }
    let bishops = Certificate::independent(name("bishop:3^2"), vec![vec![0, 0], vec![0, 1]], "by hand");
    let error = export(&bishops, Convention::Heights0).expect_err("two bishops in one row");
    table.add("heights, two bishops in one row", error);
}

#[test]
fn messages() {
    let mut table = Table::default();
    add_tables(&mut table);
    add_formulations(&mut table);
    add_models(&mut table);
    add_families(&mut table);
    add_formats(&mut table);
    add_imports(&mut table);
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!("messages", table.0));
}
