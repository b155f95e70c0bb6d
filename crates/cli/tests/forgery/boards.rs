//! Forgeries of board names and board files.

use crate::sums::BOUND;
use crate::trees::CUBE;
use crate::{Forgery, all_refused};

const NAMES: [&str; 28] = [
    "",
    "3^",
    "^3",
    "3",
    "3x",
    "x3",
    "3^3^3",
    "3xx3",
    "0^3",
    "3^0",
    "3x0x3",
    "-3^3",
    "+3^3",
    "3^+3",
    "3^21",
    "99999^9",
    "4294967296^1",
    "4294967299^3",
    "torus:3x4",
    "torus:queen:3^2",
    "torus:torus:3^2",
    "camel:3^3",
    "hex:0",
    "three:7",
    "sudoku:0",
    "rook:hex:3",
    "file:none",
    "３^3",
];

#[test]
fn names() {
    let mut forgeries = Vec::new();
    for name in NAMES {
        for genuine in [CUBE, BOUND] {
            forgeries.push(Forgery::check(genuine.file, genuine.text.replacen("3^3", name, 1), "line 2"));
        }
        let certificate =
            format!("ndqueens certificate 1\nboard: {name}\nproblem: independent set\nsize: 0\norigin: -\n");
        forgeries.push(Forgery::check("a.txt", certificate, "line 2"));
    }
    all_refused("names", 80, &forgeries);
}

#[test]
fn board_files() {
    let files = [
        ("ndqueens board 1\nsides: queen:3x3\n###\n###\n###\n", "side lengths"),
        ("ndqueens board 1\nsides: rook:3x3\n###\n###\n###\n", "side lengths"),
        ("ndqueens board 1\nsides: torus:3^2\n###\n###\n###\n", "side lengths"),
        ("ndqueens board 1\nsides: file:3^2\n###\n###\n###\n", "side lengths"),
        ("ndqueens board 1\nsides: hex:2\n##\n", "side lengths"),
        ("ndqueens board 1\nsides: 3x3\nsides: 3x3\n###\n###\n###\n", "twice"),
        ("ndqueens board 1\nsides: 4294967296x1\n#\n", "above"),
        ("ndqueens board 1\nsides: 65536x65536\n#\n", "squares"),
        ("ndqueens board 1\nsides: 2x3\n###\n", "the board has 1 row"),
        ("ndqueens board 1\npiece: king\n#\n", "queen, rook or bishop"),
        ("ndqueens board 1\nvision: none\n#\n", "through or blocked"),
        ("ndqueens board 1\n...\n", "no squares"),
        ("ndqueens board 1\n", "no rows"),
        ("ndqueens board 1\n##\n###\n", "characters"),
        ("ndqueens board 2\n##\n", "unknown"),
        ("\u{feff}\u{feff}ndqueens board 1\n##\n", "unexpected"),
        ("n 3\n0 3\n", "from 0 to 2"),
        ("n 3\n0 0\n", "different"),
        ("n 3\n0 1 1\n", "3 words"),
        ("3 1\n0 1\n", "may be an edge or a header"),
        ("n 3\n00 1\n", "from 0 to 2"),
        ("n 99999999999\n", "number of vertices"),
        ("p edge 2 1\nn 1 0\ne 1 2\n", "weight"),
        ("p edge 2 1\ne 0 1\n", "from 1 to 2"),
    ];
    let forgeries = files.map(|(text, says)| Forgery {
        files: vec![("b.txt", text.into())],
        arguments: ["count", "file:b.txt"].map(str::to_owned).to_vec(),
        says: says.to_owned(),
    });
    all_refused("board files", 20, &forgeries);
}

/// Checks that control characters in files do not reach the terminal.
#[test]
fn files_do_not_steer_a_terminal() {
    let text = "ndqueens certificate 1\nboard: 3^2\nproblem: independent set\nsize: 1\norigin: \u{1b}[2J\u{9b}1m\n0 \u{1b}[31m\n";
    let name =
        "ndqueens certificate 1\nboard: 3^2\u{1b}[31m\nproblem: independent set\nsize: 1\norigin: x\n0 0\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (text, shows) in [(text, false), (name, true)] {
        let (_, output) = crate::asked(folder.path(), &Forgery::check("a.txt", text, ""), None);
        assert!(!output.contains(['\u{1b}', '\u{9b}']), "{output:?}");
        assert!(!shows || output.contains("\\u{1b}"), "{output:?}");
    }
}
