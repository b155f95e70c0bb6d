//! Texts of the errors of all parsers in this crate, as one snapshot. The other tests assert the position and
//! the kind of an error only.

use std::fmt::Write as _;
use std::io;

use insta::{Settings, assert_snapshot};
use ndqueens_notation::certificate::colouring::Colouring;
use ndqueens_notation::certificate::solutions::Solutions;
use ndqueens_notation::certificate::{Certificate, CertificateError};
use ndqueens_notation::name::file::{BoardFile, FirstLine, Reading};
use ndqueens_notation::name::{BoardName, reject_files};

/// End of every message on a malformed name, which one line of the snapshot has in full.
const GRAMMAR: &str = "; a board is [";

const NAMES: &[&str] = &[
    "",
    "0^3",
    "3^0",
    "6^",
    "6",
    "x^3",
    "4x",
    "4xx5",
    "4^3^2",
    "4.5",
    "-3^2",
    "camel:3^2",
    "king:rook:3^2",
    "king:torus:4x5",
    "klein:3^3",
    "moebius:5^1",
    "moebius:1025x1024",
    "moebius:torus:5^2",
    "rook:klein:5^2",
    "knight:hex:3",
    "torus:rook:3^2",
    "torus:camel:3^2",
    "torus:knight:3^2",
    "torus:4x5",
    "99999999999^2",
    "5^21",
    "99999^3",
    "6^3 ",
    "rook:file:a",
    "file:",
    "file: a",
    "hex:",
    "hex:0",
    "hex:-1",
    "hex:6^2",
    "16777217^1",
    "2x99999999",
    "hex:26756",
    "hex:4294967295",
    "hex:4294967296",
    "Hex:3",
    "three:0",
    "three:7",
    "three:37838",
    "sudoku:0",
    "sudoku:36",
    "sudoku:9x9",
    "sudoku-y:3",
    "cells:216",
    "cells-x:",
    "torus:cells:3",
    "rook:hex:3",
    "torus:three:4",
    "queen:sudoku:3",
    "3^3\n\u{1b}[2J",
    "torus:4×5",
];

/// Names that a user may type and a file may not contain.
const TYPED: &[&str] = &["4X0", "8,21", "8,2,"];

/// Texts after the first line of a drawing.
const DRAWINGS: &[&str] = &[
    "",
    "piece: rook\n\n",
    "...\n...\n",
    "###\n##\n",
    "###\n#####\n",
    "###\n#o#\n",
    "###\n \u{e9}##\n",
    "###\npiece: rook\n",
    "###\n\n###\n",
    "piece:  king\n#\n",
    "vision: blind\n#\n",
    "colour: red\n#\n",
    "piece: rook\npiece: rook\n#\n",
    "sides: 2x0\n#\n",
    "sides: rook:2^2\n##\n##",
    "sides: torus:2^2\n##\n##",
    "sides: queen:2x2\n##\n##",
    "sides: file:a\n##\n##",
    "sides: 2x1x2\n##\n",
    "sides: 2x1x2\n##\n\n##\n##\n",
    "sides: 99999^3\n#\n",
];

/// Texts of board files without the first line of a drawing.
const GRAPHS: &[&str] = &[
    "",
    "#####\n#####\n",
    "##.##\n.###.\n",
    "\nndqueens board 2\n##\n",
    "ndqueens certificate 1",
    "p edge 3",
    "p clique 3 1\ne 1 2",
    "p edge 0 0",
    "p edge 99999999999 0",
    "p edge 3 1 x\ne 1 2",
    "p edge 3 1 2 3\ne 1 2",
    "p edge 3 1\nn 1 2",
    "p edge 3 1\nn 4 1",
    "p edge 3 1\ne 1 2 7",
    "p edge 3 1\np edge 3 1",
    "p td 3 1\ne 1 2",
    "p td 3 1\n0 2",
    "p sp 3 1\na 1 2 7",
    "p edge 3 1\re 1 2",
    "p edge 3 1\n1 2",
    "p edge 3 1\ne 0 2",
    "p edge 3 1\ne 1  4",
    "p edge 3 1\ne 2 2",
    "0 1\n1 1",
    "0 1 2",
    "0 1\n1 2 {'weight': 3}",
    "0 1\n2",
    "0,1\n1,",
    "0 1\n1 2,3",
    "0 1\n01 2",
    "0 1\n+1 2",
    "5 0",
    "4 3\n0 1\n1 2\n2 3",
    "# a remark\n4 4\n1 2\n2 3\n3 4\n4 1",
    "source,target\n1,2",
    "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3",
    "%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n2 1",
    "0 1\n1 x",
    "0 1\nn 3",
    "0 4294967296",
    "n 3\n0 3",
    "n\n0 3",
    "n 0",
    "1 2\u{7}\n",
];

/// Texts of board files that the prefix of the name contradicts.
const PREFIXED: &[(FirstLine, &str)] = &[
    (FirstLine::Header, "ndqueens board 1\n#\n"),
    (FirstLine::Edge, "p edge 2 1\ne 1 2"),
    (FirstLine::Header, "n 3\n0 1"),
    (FirstLine::Header, "2 2\n0 1\n1 2"),
    (FirstLine::Header, "4 1\n1 2"),
    (FirstLine::Header, "4 1\n0 4"),
];

const CERTIFICATE: &str =
    "ndqueens certificate 1\nboard: 3^3\nproblem: independent set\nsize: 2\norigin: by hand\n0 0 0\n1 2 0\n";

/// Edits of [`CERTIFICATE`].
const CERTIFICATES: &[(&str, &str)] = &[
    (CERTIFICATE, ""),
    (CERTIFICATE, "ndqueens certificate 1"),
    ("ndqueens certificate 1", "queens"),
    ("ndqueens", "\u{feff}ndqueens"),
    ("board: 3^3", "board:  3^0"),
    ("board: 3^3", "board: 03^3"),
    ("board: 3^3", "board: file:a.txt"),
    ("board: 3^3\n", ""),
    ("independent set", "clique"),
    ("independent set", "\u{1b}[2J"),
    ("size: 2", "size: two"),
    ("size: 2", "size: 3"),
    ("1 2 0\n", ""),
    ("size: 2", "size: +2"),
    ("size: 2", "size: 02"),
    ("size: 2", "size: 99999999999999999999"),
    ("1 2 0", "1 2 x"),
    ("1 2 0", "1 -2 0"),
    ("1 2 0", "1 +2 0"),
    ("1 2 0", "1 02 0"),
    ("1 2 0", "1\t2 0"),
];

const COLOURING: &str = "ndqueens colouring 1\nboard: 2^2\nclasses: independent sets\ncolours: 4\norigin: by hand\n\
                         0,0\n0,1\n1,0\n1,1\n";

/// Edits of [`COLOURING`].
const COLOURINGS: &[(&str, &str)] = &[
    (COLOURING, ""),
    (COLOURING, "ndqueens colouring 1"),
    ("ndqueens colouring 1", "ndqueens certificate 1"),
    ("board: 2^2", "board: 2^0"),
    ("independent sets", "cliques"),
    ("independent sets", "at distance 1"),
    ("independent sets", "at distance 03"),
    ("colours: 4", "colours: four"),
    ("colours: 4", "colours: 5"),
    ("0,1\n1,0\n1,1\n", ""),
    ("origin: by hand\n", ""),
    ("0,1", "0,x"),
    ("0,1", "0,0  -1,1"),
];

const LIST: &str = "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: by hand\n\
                    0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n";

/// Edits of [`LIST`].
const LISTS: &[(&str, &str)] = &[
    ("ndqueens solutions 1", "queens"),
    ("size: 4", "size: x"),
    ("size: 4\nlist: all", "size: 5\nlist: maximal"),
    ("list: all", "list: some"),
    ("solutions: 2", "solutions: 3"),
    (
        "size: 4\nlist: all\nsolutions: 2\norigin: by hand\n0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n",
        "size: 0\nlist: all\nsolutions: 2\norigin: by hand\n",
    ),
    ("1 3, 2 0, 3 2", "1 3, 2 0"),
    ("2 0, 3 2", "2 0, 3 -2"),
];

/// Adds a line `input -> message` to `table`.
fn add(table: &mut String, input: &str, message: &str) {
    writeln!(table, "{input:?} -> {message}").expect("a string takes everything");
}

/// Adds a heading.
fn head(table: &mut String, parser: &str) {
    writeln!(table, "{}# {parser}", if table.is_empty() { "" } else { "\n" })
        .expect("a string takes everything");
}

/// Adds the errors of files that differ from `text` by an edit.
fn add_edits<T: std::fmt::Debug>(
    table: &mut String,
    text: &str,
    edits: &[(&str, &str)],
    parse: impl Fn(&str) -> Result<T, CertificateError>,
) {
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        let message = parse(&text.replace(from, to)).expect_err(to).to_string();
        if *from == text {
            writeln!(table, "the whole file as {to:?} -> {message}")
        } else {
            writeln!(table, "{from:?} as {to:?} -> {message}")
        }
        .expect("a string takes everything");
    }
}

/// Returns the error of a board file as a message.
fn file_message(text: &str, first_line: FirstLine) -> String {
    let reading = Reading { first_line, complement: false };
    BoardFile::new("a.txt", text.to_owned(), reading).expect_err(text).to_string()
}

#[test]
fn messages() {
    let mut table = String::new();
    head(&mut table, "board names");
    let message = "4xé".parse::<BoardName>().expect_err("no name").to_string();
    add(&mut table, "4xé", &message);
    for name in NAMES {
        let message = name.parse::<BoardName>().expect_err(name).to_string();
        let (message, _) = message.split_once(GRAMMAR).unwrap_or((&message, ""));
        add(&mut table, name, message);
    }
    head(&mut table, "typed names");
    for name in TYPED {
        let message = BoardName::parse_user_input(name, &reject_files).expect_err(name).to_string();
        let (message, _) = message.split_once(GRAMMAR).expect("a malformed name");
        add(&mut table, name, message);
    }
    head(&mut table, "names of board files");
    let missing = |_: &str| Err(io::Error::other("no such file"));
    add(&mut table, "file:a.txt", &"file:a.txt".parse::<BoardName>().expect_err("not opened").to_string());
    let message = BoardName::parse_with("file:b.txt", &missing).expect_err("missing").to_string();
    add(&mut table, "file:b.txt", &message);
    head(&mut table, "drawings, after their first line");
    for text in DRAWINGS {
        add(&mut table, text, &file_message(&format!("ndqueens board 1\n{text}"), FirstLine::Unmarked));
    }
    head(&mut table, "graphs");
    for text in GRAPHS {
        add(&mut table, text, &file_message(text, FirstLine::Unmarked));
    }
    head(&mut table, "files whose names have a prefix");
    for &(first_line, text) in PREFIXED {
        add(&mut table, text, &file_message(text, first_line));
    }
    head(&mut table, "certificates");
    add_edits(&mut table, CERTIFICATE, CERTIFICATES, str::parse::<Certificate>);
    let graph =
        |text: &'static str| BoardName::parse_with("file:a.txt", &|_| Ok(text.to_owned())).expect("a graph");
    let (before, after) = (graph("0 1"), graph("0 1\n1 2"));
    let text = Certificate::independent(before.clone(), vec![vec![1]], "by hand").to_string();
    let fault = Certificate::parse_with(&text, &after.file_opener()).expect_err("changed");
    add(&mut table, "a changed board file", &fault.to_string());
    let text = text.replace("digest", "digits");
    let fault = Certificate::parse_with(&text, &before.file_opener()).expect_err("no digest");
    add(&mut table, "no digest", &fault.to_string());
    head(&mut table, "colourings");
    add_edits(&mut table, COLOURING, COLOURINGS, |text| Colouring::parse_with(text, &reject_files));
    head(&mut table, "lists of solutions");
    add_edits(&mut table, LIST, LISTS, |text| Solutions::parse_with(text, &reject_files));
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!("messages", table));
}
