//! Board names and board files.

use std::collections::BTreeMap;
use std::io;
use std::sync::OnceLock;

use ndqueens_crosscheck::boards::definition;
use ndqueens_model::board::Board;
use ndqueens_model::format::GraphFormat;
use ndqueens_notation::name::file::{BoardFile, FirstLine, Reading};
use ndqueens_notation::name::{BoardName, NameError};

use super::utf8;
use crate::corpus;
use crate::sentence::assert_plain;
use crate::truth;

/// Names of each kind of board.
const NAMES: [&str; 24] = [
    "6^3",
    "4x5x6",
    "1x1x3",
    "rook:5^3",
    "bishop:3x4",
    "torus:7^2",
    "bishop:torus:4^2",
    "knight:5^2",
    "king:3x4",
    "superqueen:torus:4^2",
    "king:torus:3^3",
    "moebius:5x7",
    "klein:6^2",
    "hex:4",
    "three:4",
    "sudoku:2",
    "sudoku-x:2",
    "cells:2",
    "cells-x:2",
    "(4,3)",
    "8,2",
    "3 × 4 X 5",
    "cliques:edges:c5.txt",
    "file:heart.txt",
];

fn board_files() -> &'static BTreeMap<String, String> {
    static FILES: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    FILES.get_or_init(|| {
        let paths = corpus::paths("instances/boards", &["txt", "col"]);
        let named = paths.iter().map(|path| {
            let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("a text"))
        });
        named.collect()
    })
}

/// Opens a file of `instances/boards` by its name.
pub(super) fn open(path: &str) -> io::Result<String> {
    board_files().get(path).cloned().ok_or_else(|| io::Error::other("no such board file"))
}

pub(super) fn name_seeds() -> Vec<Vec<u8>> {
    let files = board_files().keys().map(|file| format!("file:{file}"));
    let names = NAMES.map(str::to_owned).into_iter().chain(files);
    let tables =
        ["instances/printed-counts.csv", "instances/known-values.csv"].map(|table| corpus::head(table, 80));
    let cells = tables.iter().flat_map(|table| table.split(|&byte| byte == b'\n').skip(1));
    let cells = cells.filter_map(|row| Some(row.split(|&byte| byte == b',').next()?.to_vec()));
    names.map(String::into_bytes).chain(cells.filter(|name| !name.is_empty())).collect()
}

/// Reads a text as a board name.
pub fn name(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let read = BoardName::parse_with(text, &open);
    let typed = BoardName::parse_user_input(text, &open);
    if read.is_ok() {
        assert_eq!(read, typed, "a name has another meaning if it is typed");
    }
    for result in [read, typed.clone()] {
        match result {
            Ok(board) => {
                for board in [board.with_sorted_sides(), board.without_unit_sides(), board] {
                    let printed = board.to_string();
                    assert!(BoardName::is_portable(&printed), "{printed} is not plain");
                    assert_eq!(BoardName::parse_with(&printed, &open).as_ref(), Ok(&board), "{printed}");
                    assert_same_squares(&board);
                }
            }
            Err(fault) => assert_plain(&fault),
        }
    }
    typed.is_ok()
}

/// Panics unless model and crosscheck have the same squares and attacks of a small board.
fn assert_same_squares(board: &BoardName) {
    let Some(graph) = truth::small_graph(board) else { return };
    let modelled = Board::new(board);
    assert_eq!(modelled.size(), graph.squares().len(), "{board}");
    for (square, coordinates) in modelled.squares().zip(graph.squares()) {
        assert_eq!(&modelled.coordinates(square), coordinates, "{board}");
        assert_eq!(modelled.square(coordinates), Some(square), "{board}");
        let neighbours: Vec<u32> =
            graph.neighbours(square as usize).ones().map(|other| other as u32).collect();
        assert_eq!(modelled.neighbours(square), neighbours, "{board}: {coordinates:?}");
    }
    for line in modelled.lines() {
        let squares: Vec<_> = line.iter().map(|&square| square as usize).collect();
        for (k, &a) in squares.iter().enumerate() {
            assert!(squares[..k].iter().all(|&b| graph.neighbours(a).contains(b)), "{board}: {squares:?}");
        }
    }
}

pub(super) fn graph_seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = board_files().values().map(|text| text.clone().into_bytes()).collect();
    // Forms that no board file has: DIMACS with cliques, PACE, Matrix Market, and lists of edges.
    for board in ["2x3", "hex:2"] {
        for format in [GraphFormat::Clq, GraphFormat::Col] {
            seeds.push(written(&Board::new(&board.parse().expect("a board")), format).into_bytes());
        }
    }
    let texts = [
        "p td 4 3\n1 2\n2 3\n3 4\n",
        "%%MatrixMarket matrix coordinate pattern symmetric\n% a remark\n4 4 3\n2 1\n3 2\n4 3\n",
        "n 4\n0 1\n1 2\n2 3\n",
        "0, 1\n1; 2\n5 6 {}\n",
        "3 2\n0 1\n1 2\n",
        "ndqueens board 1\npiece: rook\nsides: 2x2x3\nvision: blocked\nnote: x\n###\n#.#\n\n.##\n###\n",
    ];
    seeds.extend(texts.map(|text| text.as_bytes().to_vec()));
    seeds
}

fn written(board: &Board, format: GraphFormat) -> String {
    let mut text = Vec::new();
    format.write(board, &mut text).expect("memory takes everything");
    String::from_utf8(text).expect("UTF-8")
}

/// Reads a text as a board file with each interpretation of the first line, as a graph and as its complement.
pub fn graph(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let mut is_accepted = false;
    for first_line in [FirstLine::Unmarked, FirstLine::Edge, FirstLine::Header] {
        for complement in [false, true] {
            match BoardFile::new("board.txt", text.to_owned(), Reading { first_line, complement }) {
                Ok(file) => {
                    is_accepted = true;
                    assert_reads_back(&BoardName::File(file));
                }
                Err(fault) => {
                    assert_plain(&fault);
                    let NameError::Contents { line, .. } = fault else { panic!("{fault}") };
                    assert!((1..=text.lines().count() + 1).contains(&line), "{fault}");
                }
            }
        }
    }
    is_accepted
}

/// Panics unless a board is the same after its graph was written to a file and read.
fn assert_reads_back(board: &BoardName) {
    assert_same_squares(board);
    let Some(graph) = truth::small_graph(board) else { return };
    for format in [GraphFormat::Clq, GraphFormat::Col] {
        let text = written(&Board::new(board), format);
        let file = BoardFile::new("written.txt", text.clone(), Reading::default());
        let again = BoardName::File(file.unwrap_or_else(|fault| panic!("{fault}:\n{text}")));
        let definition = definition(&again);
        assert_eq!(definition.squares().count(), graph.squares().len(), "{text}");
        let again = truth::small_graph(&again).expect("as small");
        for square in 0..graph.squares().len() {
            assert_eq!(graph.neighbours(square), again.neighbours(square), "{text}");
        }
    }
}
