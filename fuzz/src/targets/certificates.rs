//! Certificates, colourings, lists of solutions, and sets of squares in other conventions.

use std::collections::BTreeSet;

use ndqueens_crosscheck::{colouring as colourings, solutions as lists, verify};
use ndqueens_model::import::{self, Convention};
use ndqueens_notation::certificate::colouring::{ClassKind, Colouring};
use ndqueens_notation::certificate::solutions::{self as format, ListKind, Solutions};
use ndqueens_notation::certificate::{Certificate, CertificateError, Problem};
use ndqueens_notation::name::BoardName;

use super::names::open;
use super::utf8;
use crate::sentence::assert_plain;
use crate::{corpus, truth};

/// Panics unless an error is a sentence about a line of the text.
fn assert_placed(fault: &CertificateError, text: &str) {
    assert_plain(fault);
    assert!(fault.line <= text.lines().count() + 1 && fault.column > 0, "{fault}");
}

pub(super) fn certificate_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("crates/crosscheck/tests/vectors/accepted", &["certificate"]);
    seeds.extend(corpus::files("results/archive/certificates", &["txt"]));
    let of = |problem, board: &str, squares: &[&[u32]]| {
        let board = BoardName::parse_with(board, &open).expect("a board");
        let squares = squares.iter().map(|square| square.to_vec()).collect();
        Certificate { problem, ..Certificate::independent(board, squares, "by hand") }
            .to_string()
            .into_bytes()
    };
    seeds.push(of(Problem::IndependentSet, "hex:2", &[&[0, 0]]));
    seeds.push(of(Problem::IndependentSet, "file:c5.txt", &[&[1], &[3]]));
    seeds.push(of(Problem::DominatingSet, "3^2", &[&[1, 1]]));
    seeds.push(of(Problem::IndependentDominatingSet, "rook:2^2", &[&[0, 0], &[1, 1]]));
    seeds.push(of(Problem::NoThreeInLine, "3^2", &[&[0, 0], &[0, 1], &[1, 0], &[1, 2], &[2, 1], &[2, 2]]));
    seeds
}

/// Reads a text as a certificate.
pub fn certificate(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let certificate = match Certificate::parse_with(text, &open) {
        Ok(certificate) => certificate,
        Err(fault) => {
            assert_placed(&fault, text);
            return false;
        }
    };
    assert_eq!(Certificate::parse_with(&certificate.to_string(), &open).as_ref(), Ok(&certificate));
    match verify::verify(&certificate) {
        Ok(verified) => {
            assert_eq!(verified.size(), certificate.size());
            assert_solves(&certificate);
        }
        Err(fault) => assert_plain(&fault),
    }
    true
}

/// Panics if the squares of a certificate do not solve their problem on a small board.
fn assert_solves(certificate: &Certificate) {
    let Certificate { board, problem, squares, .. } = certificate;
    let Some(graph) = truth::small_graph(board) else { return };
    let places = truth::places(&graph, squares).unwrap_or_else(|| panic!("not on the board:\n{certificate}"));
    let size = places.len() as u64;
    if problem.is_independent() {
        assert!(truth::is_independent(&graph, &places), "{certificate}");
        assert!(truth::independence_number(board).is_none_or(|alpha| size <= alpha), "{certificate}");
    }
    if matches!(problem, Problem::DominatingSet | Problem::IndependentDominatingSet) {
        assert!(truth::is_dominating(&graph, &places), "{certificate}");
    }
    let different: BTreeSet<_> = places.iter().collect();
    assert_eq!(different.len(), places.len(), "{certificate}");
}

pub(super) fn colouring_seeds() -> Vec<Vec<u8>> {
    let mut seeds = corpus::files("instances/colourings", &["txt"]);
    let text = |board: &str, kind, classes: &[&[[u32; 2]]]| {
        let classes =
            classes.iter().map(|class| class.iter().map(|square| square.to_vec()).collect()).collect();
        let board = board.parse().expect("a board");
        Colouring::new(board, kind, classes, "by hand").to_string().into_bytes()
    };
    let pairs: [&[[u32; 2]]; 2] = [&[[0, 0], [1, 1]], &[[0, 1], [1, 0]]];
    seeds.push(text("rook:2^2", ClassKind::IndependentSets, &pairs));
    seeds.push(text("rook:2^2", ClassKind::FullSolutions, &pairs));
    seeds.push(text("2^2", ClassKind::IndependentSets, &[&[[0, 0]], &[[0, 1]], &[[1, 0]], &[[1, 1]]]));
    seeds.push(text("1x4", ClassKind::AtDistance(2), &[&[[0, 0]], &[[0, 1]], &[[0, 2]], &[[0, 3]]]));
    seeds.push(text("king:1x4", ClassKind::AtDistance(3), &[&[[0, 0], [0, 3]], &[[0, 1]], &[[0, 2]]]));
    seeds
}

/// Reads a text as a colouring.
pub fn colouring(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let colouring = match Colouring::parse_with(text, &open) {
        Ok(colouring) => colouring,
        Err(fault) => {
            assert_placed(&fault, text);
            return false;
        }
    };
    assert_eq!(Colouring::parse_with(&colouring.to_string(), &open).as_ref(), Ok(&colouring));
    match colourings::verify(&colouring) {
        Ok(()) => {
            let Some(graph) = truth::small_graph(&colouring.board) else { return true };
            let mut coloured = BTreeSet::new();
            for class in &colouring.classes {
                let places =
                    truth::places(&graph, class).unwrap_or_else(|| panic!("not on the board:\n{colouring}"));
                assert!(truth::is_independent(&graph, &places), "{colouring}");
                coloured.extend(places);
            }
            assert_eq!(coloured.len(), graph.squares().len(), "{colouring}");
            let squares: usize = colouring.classes.iter().map(Vec::len).sum();
            assert_eq!(coloured.len(), squares, "{colouring}");
        }
        Err(fault) => assert_plain(&fault),
    }
    true
}

pub(super) fn solutions_seeds() -> Vec<Vec<u8>> {
    let heading = |board: &str, size, listed, solutions: usize| {
        let (board, origin) = (BoardName::parse_with(board, &open).expect("a board"), "by hand".to_owned());
        format::Heading { board, size, listed, solutions, origin }
    };
    let list =
        |heading: format::Heading, sets: &[&str]| format!("{heading}{}\n", sets.join("\n")).into_bytes();
    vec![
        list(heading("4^2", 4, ListKind::All, 2), &["0 1, 1 3, 2 0, 3 2", "0 2, 1 0, 2 3, 3 1"]),
        list(heading("4^2", 4, ListKind::UpToSymmetry, 1), &["0 1, 1 3, 2 0, 3 2"]),
        list(heading("2x3", 1, ListKind::Maximal, 4), &["0 0, 1 2", "0 1", "0 2, 1 0", "1 1"]),
        list(heading("torus:2^2", 0, ListKind::All, 1), &[]),
        list(heading("file:c5.txt", 2, ListKind::All, 5), &["1, 3", "1, 4", "2, 4", "2, 5", "3, 5"]),
    ]
}

/// Reads a text as a list of solutions.
pub fn solutions(bytes: &[u8]) -> bool {
    let Some(text) = utf8(bytes) else { return false };
    let list = match Solutions::parse_with(text, &open) {
        Ok(list) => list,
        Err(fault) => {
            assert_placed(&fault, text);
            return false;
        }
    };
    let sets = list.sets.iter().filter(|(_, set)| !set.is_empty());
    let printed = format!(
        "{}{}",
        list.heading,
        sets.map(|(_, set)| format::format_line(set) + "\n").collect::<String>()
    );
    let again = Solutions::parse_with(&printed, &open).unwrap_or_else(|fault| panic!("{fault}:\n{printed}"));
    assert_eq!(again.heading, list.heading);
    assert!(again.sets.iter().map(|(_, set)| set).eq(list.sets.iter().map(|(_, set)| set)), "{printed}");
    match lists::verify_list(&list) {
        Ok(_) => {
            let Some(graph) = truth::small_graph(&list.heading.board) else { return true };
            let mut different = BTreeSet::new();
            for (_, set) in &list.sets {
                let places =
                    truth::places(&graph, set).unwrap_or_else(|| panic!("not on the board:\n{printed}"));
                assert!(truth::is_independent(&graph, &places), "{printed}");
                if list.heading.listed == ListKind::Maximal {
                    assert!(truth::is_dominating(&graph, &places), "{printed}");
                }
                assert!(different.insert(places), "a solution twice:\n{printed}");
            }
            if list.heading.listed != ListKind::Maximal {
                let (board, size) = (&list.heading.board, list.heading.size as u64);
                let all = truth::independent_sets(board, size);
                assert!(all.is_none_or(|all| list.sets.len() as u64 <= all), "{printed}");
            }
        }
        Err(fault) => assert_plain(&fault),
    }
    true
}

/// Returns texts whose first line contains the board, or `-` for no board, and the convention.
pub(super) fn squares_seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let certificates: Vec<Certificate> = certificate_seeds()
        .iter()
        .filter_map(|text| Certificate::parse_with(utf8(text)?, &open).ok())
        .chain(["3^2", "hex:3", "three:4", "2x3x4"].map(|board| {
            let board: BoardName = board.parse().expect("a board");
            let first = truth::small_graph(&board).expect("a small board").squares()[0].clone();
            Certificate::independent(board, vec![first], "by hand")
        }))
        .filter(|certificate| certificate.size() <= 64)
        .collect();
    for certificate in &certificates {
        for convention in Convention::ALL {
            if let Ok(text) = import::export(certificate, convention) {
                seeds.push(format!("{} {convention}\n{text}", certificate.board).into_bytes());
                if convention == Convention::Picture {
                    seeds.push(format!("- native\n{text}").into_bytes());
                }
            }
        }
    }
    for text in corpus::files("instances/placements", &["txt"]) {
        for (board, convention) in
            [("-", "native"), ("11^3", "heights"), ("hex:8", "degroot"), ("three:8", "degroot")]
        {
            seeds.push([format!("{board} {convention}\n").as_bytes(), &text].concat());
        }
    }
    seeds
}

/// Reads the squares of a text in the convention of its first line.
pub fn squares(bytes: &[u8]) -> bool {
    let Some((head, text)) = utf8(bytes).and_then(|text| text.split_once('\n')) else { return false };
    let Some((board, convention)) = head.split_once(' ') else { return false };
    let Ok(convention) = convention.parse::<Convention>() else { return false };
    let Ok(board) = (if board == "-" { Ok(None) } else { BoardName::parse_with(board, &open).map(Some) })
    else {
        return false;
    };
    // Matrices and pictures of large boards take memory, which callers limit.
    if board.as_ref().is_some_and(|board| ndqueens_model::board::Board::new(board).size() > 4096) {
        return false;
    }
    let sets = match import::read_all(text, convention, board.as_ref(), &open) {
        Ok(sets) => sets,
        Err(fault) => {
            assert_placed(&fault, text);
            return false;
        }
    };
    assert!(!sets.is_empty());
    for (_, certificate) in sets {
        assert_eq!(Certificate::parse_with(&certificate.to_string(), &open).as_ref(), Ok(&certificate));
        let convention = if convention == Convention::Native { Convention::Picture } else { convention };
        match import::export(&certificate, convention) {
            Ok(written) if !certificate.squares.is_empty() => {
                let again = import::import(&written, convention, Some(&certificate.board), &open);
                let again = again.unwrap_or_else(|fault| panic!("{fault}:\n{written}"));
                // A picture shows a repeated square once. Repeated squares are rejected by crosscheck, not
                // here.
                let set = |squares: &[Vec<u32>]| squares.iter().cloned().collect::<BTreeSet<_>>();
                assert_eq!(set(&again.squares), set(&certificate.squares), "{written}");
            }
            Ok(_) => {}
            Err(fault) => assert_plain(&fault),
        }
    }
    true
}
