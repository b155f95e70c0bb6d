//! Parsers and writers for sets of squares in several conventions.
//!
//! Each convention is an entry of one table, with its name, description, parser and writer.
//!
//! | convention | a square is |
//! | --- | --- |
//! | `native` | a line of a certificate file, see [`ndqueens_notation::certificate`] |
//! | `tuples`, `tuples1` | its coordinates: `1 2 3`, `1,2,3` or `(1,2,3)`, one or several per line |
//! | `flat`, `flat1` | its number in lexicographic order |
//! | `degroot` | its number in de Groot's order, from 1, on `hex:n` and `three:n`, see [`Board::de_groot`] |
//! | `heights`, `heights1` | its last coordinate, in the matrix cell given by its other coordinates |
//! | `picture` | a sign in a drawing of the board, such as the `Q` of `.Q..`; see below |
//!
//! Names that end in 1, and `degroot`, count from 1; the others count from 0. White space and commas separate
//! numbers; brackets, semicolons and line ends separate tuples and the rows of a matrix, such as
//! `1 2 3; 4 5 6` or `[(1,2,3), (4,5,6)]`. Lines that start with `#` and empty lines are skipped.
//!
//! In a matrix of heights, a cell without a queen is `.`, `-` or `_`. The cells are in lexicographic order of
//! the first `d - 1` coordinates. For `d = 3` each row of the matrix must be one line or bracket; for `d > 3`
//! line ends have no meaning. Heights cannot express two squares that differ only in the last coordinate;
//! queens and rooks on such squares attack each other, but bishops do not.
//!
//! A `0` in `heights1` is either an empty cell or the lowest height counted from 0. If the largest height,
//! counted from 1, occurs in the file, `0` can only be an empty cell; otherwise the file is rejected. Any
//! other value outside the range of its convention is rejected as well: no entry is skipped.
//!
//! Heights on boards of two axes are one placement per line or bracket, such as the permutation `1 3 0 2`,
//! and for `d = 3` one per matrix; a file may contain several placements. A file of pictures, which are rows
//! of signs (module `picture`), may contain several placements as well. In the native convention, a file that
//! is not a certificate is read as a picture if it shows pieces by letters. In all other conventions a file
//! contains one placement.
//!
//! Native files, and pictures with a heading, name the board of the squares; a picture without a heading is
//! read if only one plain box has its shape. Only native files state which problem they solve; others are
//! read as independent sets. Numbers that have no square are rejected. Coordinates that are too large are
//! kept if they count from 0, as in native files: the crosscheck crate checks that the squares are on the
//! board.

mod convention;
mod de_groot;
mod flat;
mod heights;
mod native;
mod numbers;
mod picture;
mod signature;
mod table;
mod tuples;

use ndqueens_notation::certificate::{Certificate, CertificateError, certificate_error};
use ndqueens_notation::name::{BoardName, OpenFile};

pub use self::convention::{Convention, Inexpressible, UnknownConvention};
use self::signature::{ParserInput, WriterInput};
use crate::board::Board;

/// Reads the only set of squares of a text. `board` must be given unless the text names the board or
/// determines it, and must agree with a board that the text names. `open` opens the board file that the text
/// names.
///
/// # Errors
/// Returns an error with line, column and what is allowed there if the text does not follow the convention,
/// if the board is missing or differs from the one that the text names, or if the text contains several
/// placements.
///
/// # Examples
/// ```
/// use ndqueens_model::import::{Convention, import};
/// use ndqueens_notation::name::reject_files;
///
/// let board = "4^2".parse()?;
/// let certificate = import("1 3 0 2", Convention::Heights0, Some(&board), &reject_files)?;
/// assert_eq!(certificate.squares, [[0, 1], [1, 3], [2, 0], [3, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import(
    text: &str,
    convention: Convention,
    board: Option<&BoardName>,
    open: OpenFile<'_>,
) -> Result<Certificate, CertificateError> {
    let mut all = read_all(text, convention, board, open)?;
    match all.as_slice() {
        [_, (line, _), ..] => {
            let words =
                format!("a second placement begins here, and the file has {}; one is expected", all.len());
            Err(certificate_error(*line, 1, words))
        }
        _ => Ok(all.pop().expect("a text holds a placement").1),
    }
}

/// Reads all sets of squares of a text, each with its first line; there is at least one.
///
/// # Errors
/// Returns an error under the conditions of [`import`], except that several placements are allowed.
pub fn read_all(
    text: &str,
    convention: Convention,
    board: Option<&BoardName>,
    open: OpenFile<'_>,
) -> Result<Vec<(usize, Certificate)>, CertificateError> {
    let entry = convention.entry();
    (entry.parse)(&ParserInput { text, board, open, convention, base: entry.base })
}

/// Writes the squares of a certificate. Only the native convention keeps board, claim and origin.
///
/// # Errors
/// Returns an error if the convention cannot express one of the squares.
pub fn export(certificate: &Certificate, convention: Convention) -> Result<String, Inexpressible> {
    let entry = convention.entry();
    let board = Board::new(&certificate.board);
    (entry.write)(&WriterInput { certificate, board: &board, convention, base: entry.base })
}

#[cfg(test)]
mod tests {
    use ndqueens_notation::name::Piece;
    use proptest::prelude::*;

    use super::*;

    fn read(
        text: &str,
        convention: Convention,
        board: Option<&BoardName>,
    ) -> Result<Certificate, CertificateError> {
        super::import(text, convention, board, &ndqueens_notation::name::reject_files)
    }

    fn board(name: &str) -> BoardName {
        name.parse().expect(name)
    }

    fn squares(text: &str, convention: &str, name: &str) -> Vec<Vec<u32>> {
        let convention = convention.parse().expect(convention);
        read(text, convention, Some(&board(name))).expect(text).squares
    }

    #[test]
    fn names_of_conventions_parse_back() {
        for convention in Convention::ALL {
            assert_eq!(convention.to_string().parse(), Ok(convention));
        }
        for input in ["tuple", "tuples2"] {
            let unknown = UnknownConvention { input: input.to_owned() };
            assert_eq!(input.parse::<Convention>(), Err(unknown));
        }
    }

    #[test]
    fn reads_tuples_in_every_notation() {
        for text in [
            "0 1 2\n2 0 1\n",
            "2,0,1\r\n\r\n# a remark\r\n0,1,2",
            "(0,1,2)\n(2,0,1)",
            "0 1 2; 2 0 1",
            "[(0,1,2), (2,0,1)]",
            "[[0, 1, 2],\n [2, 0, 1]]",
            "{{0,1,2},{2,0,1}}",
        ] {
            assert_eq!(squares(text, "tuples", "3^3"), [[0, 1, 2], [2, 0, 1]], "{text}");
        }
        assert_eq!(squares("1 2 3", "tuples1", "3^3"), [[0, 1, 2]]);
        assert_eq!(squares("0 1 9", "tuples", "3^3"), [[0, 1, 9]], "off the board is for crosscheck to say");
        for several in ["[[[0,1,2]],[[2,0,1]]]", "{{{0,1,2}}}"] {
            let nested = read(several, Convention::Tuples0, Some(&board("3^3"))).expect_err("two placements");
            assert_eq!((nested.line, nested.column), (1, 3), "{nested}");
        }
        assert!(squares("", "tuples", "3^3").is_empty());
        let fault = read("1 1 1\n0x1", Convention::Tuples1, Some(&board("3^3"))).expect_err("no number");
        assert_eq!(fault.line, 2);
        let fault =
            read("1 1 1\n 1 4 3", Convention::Tuples1, Some(&board("3^3"))).expect_err("off the board");
        assert_eq!((fault.line, fault.column), (2, 2));
    }

    #[test]
    fn rejects_empty_fields_and_short_lines() {
        for (convention, board_name, text, line, column) in [
            ("heights", "4^2", "1,,3,\n,0,,2\n", 1, 3),
            ("heights", "4^2", "1\t\t3\t\n\t0\t\t2\n", 1, 3),
            ("heights1", "4^2", "2;1;4;3\n,2,3,1\n", 2, 1),
            ("heights", "4^2", "[1,,3,0]", 1, 4),
            ("heights", "4^2", "1 3\n0 2\n", 1, 1),
            ("heights", "4^2", "(1,3) (0,2)\n", 1, 2),
            ("heights", "4^2", "[[1,3],[0,2]]\n", 1, 3),
            ("heights", "2^4", "[[1,0,1],[0]]\n[[0,1],[1,0]]", 1, 3),
            ("flat", "4^2", "(1,7) (8,14)\n", 1, 2),
            ("heights", "4^2", "1 3 0 2\n1 3 0\n", 2, 1),
            ("tuples", "4^2", "0,,1", 1, 3),
            ("tuples", "4^2", "(,0,1)", 1, 2),
            ("flat", "4^2", "1,,7", 1, 3),
        ] {
            let convention = convention.parse().expect(convention);
            let fault = read(text, convention, Some(&board(board_name))).expect_err(text);
            assert_eq!((fault.line, fault.column), (line, column), "{text}: {fault}");
        }
        assert_eq!(squares("[1 3\n 0 2]", "heights", "4^2").len(), 4);
        assert_eq!(squares("1\n3\n0\n2\n", "heights", "4^2").len(), 4);
        assert_eq!(squares("[[1, 3, 0, 2]]", "heights", "4^2").len(), 4);
        assert_eq!(squares("[(0, 1),\n(1, 3)\n,(2, 0),]", "tuples", "4^2").len(), 3);
        assert_eq!(squares("0, 5,\n6,", "flat", "4^2").len(), 3);
    }

    #[test]
    fn flat_numbers_are_lexicographic() {
        assert_eq!(squares("0, 5 6\n23", "flat", "2x3x4"), [[0, 0, 0], [0, 1, 1], [0, 1, 2], [1, 2, 3]]);
        assert_eq!(squares("[1, 24]", "flat1", "2x3x4"), [[0, 0, 0], [1, 2, 3]]);
    }

    #[test]
    fn de_groots_numbers_match_his_program() {
        assert_eq!(
            squares("1, 2 3 4 5 6 7", "degroot", "hex:2"),
            [[0, 0], [0, 1], [1, 0], [1, 1], [1, 2], [2, 1], [2, 2]]
        );
        let in_his_order = |name| Board::new(&board(name)).de_groot().expect("he numbers it");
        let his = |name, numbers: &[usize]| -> Vec<String> {
            let (board, order) = (Board::new(&board(name)), in_his_order(name));
            numbers.iter().map(|number| board.label(order[number - 1])).collect()
        };
        assert_eq!(
            his("hex:3", &[1, 2, 3, 4, 5, 19]),
            ["(0,0)", "(1,0)", "(0,1)", "(2,0)", "(1,1)", "(4,4)"]
        );
        assert_eq!(
            his("three:8", &[28, 29, 69, 68, 37, 36]),
            [0, 1, 2, 3, 4, 5].map(|i| format!("({i},0,0)"))
        );
        assert_eq!(
            his("three:8", &[1, 8, 33, 64, 65, 96]),
            ["(0,3,3)", "(1,3,3)", "(5,0,3)", "(4,3,3)", "(3,0,3)", "(2,3,3)"]
        );
        for name in ["hex:1", "hex:5", "three:2", "three:10"] {
            let mut order = in_his_order(name);
            order.sort_unstable();
            assert!(order.into_iter().eq(Board::new(&board(name)).squares()), "{name}");
        }
    }

    #[test]
    fn heights_are_the_last_coordinate() {
        assert_eq!(squares("1 3 0 2", "heights", "4^2"), [[0, 1], [1, 3], [2, 0], [3, 2]]);
        assert_eq!(squares("0 . -\n_ 1 .", "heights", "2x3x4"), [[0, 0, 0], [1, 1, 1]]);
        assert_eq!(squares("[[1, 0, 4], [-, 2, 0]]", "heights1", "2x3x4"), [[0, 0, 0], [0, 2, 3], [1, 1, 1]]);
        assert_eq!(squares(". . . 1\n\n. . 0 .", "heights", "2^4"), [[0, 1, 1, 1], [1, 1, 0, 0]]);
        assert_eq!(squares("3", "heights", "7^1"), [[3]]);
    }

    #[test]
    fn origin_names_the_convention() {
        for (convention, text, origin) in [
            (Convention::Tuples0, "0 0", "imported, 0-based tuples"),
            (Convention::Tuples1, "1 1", "imported, 1-based tuples"),
            (Convention::Flat1, "1", "imported, 1-based square numbers"),
            (Convention::Heights0, "0 .", "imported, 0-based heights"),
        ] {
            assert_eq!(read(text, convention, Some(&board("2^2"))).expect(text).origin, origin);
        }
    }

    #[test]
    fn errors_have_line_and_column() {
        for (convention, name, text, line, column) in [
            (Convention::Tuples0, "3^3", "0 0 0\n 1 2", 2, 2),
            (Convention::Tuples0, "3^3", "[(0,0,0),(1,2,0,1)]", 1, 11),
            (Convention::Tuples0, "3^3", "0 0 é", 1, 5),
            (Convention::Tuples0, "3^3", "é 0 -1", 1, 1),
            (Convention::Tuples0, "3^3", "0 0 4294967296", 1, 5),
            (Convention::Tuples1, "3^3", "(1,0,2)", 1, 4),
            (Convention::Flat0, "2x3", "0 5\n6", 2, 1),
            (Convention::Flat1, "2x3", "0", 1, 1),
            (Convention::Flat1, "2x3", "6, 7", 1, 4),
            (Convention::Heights0, "2x3x4", "0 . .\n. 4 .", 2, 3),
            (Convention::Heights1, "2x3x4", "0 . .\n. x .", 2, 3),
            (Convention::Heights0, "2x3x4", "0 . .\n. .", 2, 1),
            (Convention::Heights0, "2x3x4", "0 . .", 1, 5),
            (Convention::Heights0, "2^4", ". . . . . . . 1 1", 1, 17),
            (Convention::Heights0, "2^4", "\n", 1, 1),
            (Convention::Heights0, "hex:3", "0", 1, 1),
            (Convention::DeGroot, "hex:3", "1 20", 1, 3),
            (Convention::DeGroot, "three:4", "1\n0", 2, 1),
            (Convention::DeGroot, "8^2", "1", 1, 1),
            (Convention::Tuples0, "three:4", "0 0", 1, 1),
        ] {
            let error = read(text, convention, Some(&board(name))).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        }
    }

    #[test]
    fn board_must_be_given_or_agree() {
        for convention in Convention::ALL
            .iter()
            .filter(|convention| !matches!(convention, Convention::Native | Convention::Picture))
        {
            let error = read("0 0", *convention, None).expect_err("no board");
            assert_eq!((error.line, error.column), (1, 1), "{convention}: {error}");
        }
        let native = Certificate::independent(board("3^3"), vec![vec![0, 0, 0]], "by hand");
        let text = format!("# a remark\n{native}");
        for given in [None, Some(&board("3^3"))] {
            assert_eq!(read(&text, Convention::Native, given), Ok(native.clone()));
        }
        let error = read(&text, Convention::Native, Some(&board("4^3"))).expect_err("another board");
        assert_eq!((error.line, error.column), (3, 1));
    }

    #[test]
    fn heights_are_written_in_rows_of_even_width() {
        let certificate = |name, squares| Certificate::independent(board(name), squares, "by hand");
        let text = export(&certificate("2x3x10", vec![vec![0, 1, 9], vec![1, 0, 0]]), Convention::Heights1);
        assert_eq!(text.as_deref(), Ok(" . 10  .\n 1  .  .\n"));
        let text = export(&certificate("2^4", vec![vec![0, 1, 1, 1]]), Convention::Heights0);
        assert_eq!(text.as_deref(), Ok(". .\n. 1\n\n. .\n. .\n"));
    }

    #[test]
    fn rejects_what_a_convention_cannot_express() {
        let off = Certificate::independent(board("3^2"), vec![vec![0, 3]], "by hand");
        for convention in Convention::ALL {
            let text = export(&off, convention);
            if convention == Convention::Tuples1 {
                let fault =
                    read(&text.expect("text"), convention, Some(&off.board)).expect_err("off the board");
                assert_eq!((fault.line, fault.column), (1, 2), "{fault}");
            } else if [Convention::Native, Convention::Tuples0].contains(&convention) {
                assert_eq!(
                    read(&text.expect("text"), convention, Some(&off.board)).expect("tuples").squares,
                    [[0, 3]]
                );
            } else if convention == Convention::DeGroot {
                assert_eq!(text, Err(Inexpressible::NoNumbers { board: off.board.clone() }));
            } else {
                assert!(matches!(text, Err(Inexpressible::OffBoard { .. })), "{convention}");
            }
        }
        let bishops = Certificate::independent(board("bishop:3^2"), vec![vec![0, 0], vec![0, 1]], "by hand");
        let (first, second) = (vec![0, 0], vec![0, 1]);
        assert_eq!(export(&bishops, Convention::Heights0), Err(Inexpressible::SameCell { first, second }));
    }

    proptest! {
        #[test]
        fn written_squares_read_back(
            sides in prop::collection::vec(1u32..12, 1..5),
            chosen in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..20),
        ) {
            let board = Board::new(&BoardName::grid(Piece::Queen, false, &sides));
            let height = sides[sides.len() - 1] as usize;
            let mut squares: Vec<Vec<u32>> = chosen
                .iter()
                .map(|(cell, at)| cell.index(board.size() / height) * height + at.index(height))
                .map(|square| board.coordinates(square as u32))
                .collect();
            squares.sort_unstable();
            squares.dedup_by(|a, b| a[..sides.len() - 1] == b[..sides.len() - 1]);
            let certificate = Certificate::independent(board.name().clone(), squares, "by chance");
            for convention in Convention::ALL.into_iter().filter(|&convention| convention != Convention::DeGroot) {
                let text = export(&certificate, convention).expect("one square a cell");
                let back = read(&text, convention, Some(board.name())).expect(&text);
                prop_assert_eq!(&back.squares, &certificate.squares, "{}:\n{}", convention, text);
            }
        }

        #[test]
        fn squares_of_other_boards_read_back(
            kind in prop::sample::select(vec!["hex:1", "hex:4", "three:2", "three:8"]),
            chosen in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
        ) {
            let board = Board::new(&board(kind));
            let mut squares: Vec<Vec<u32>> =
                chosen.iter().map(|at| board.coordinates(at.index(board.size()) as u32)).collect();
            squares.sort_unstable();
            squares.dedup();
            let certificate = Certificate::independent(board.name().clone(), squares, "by chance");
            for convention in &Convention::ALL[..6] {
                let text = export(&certificate, *convention).expect("these conventions are for every board");
                let back = read(&text, *convention, Some(board.name())).expect(&text);
                prop_assert_eq!(&back.squares, &certificate.squares, "{}:\n{}", convention, text);
            }
        }

        #[test]
        fn parsers_do_not_panic(text in "[ 0-9.,;()#x\n-]{0,30}") {
            for convention in Convention::ALL {
                let _ = read(&text, convention, Some(&board("2x3x4")));
            }
        }
    }
}
