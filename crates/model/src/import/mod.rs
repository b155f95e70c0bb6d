//! The other ways in which people write down a set of squares, read and written.
//!
//! | convention | a square is |
//! | --- | --- |
//! | `native` | a line of a certificate file, see [`ndqueens_notation::certificate`] |
//! | `tuples`, `tuples1` | its coordinates: `1 2 3`, `1,2,3`, `(1,2,3)`; several in one line as `1 2 3; 4 5 6` or `[(1,2,3), (4,5,6)]` |
//! | `flat`, `flat1` | its number in lexicographic order |
//! | `degroot` | its number as de Groot counts from 1, on `hex:n` and `three:n`, see [`Board::de_groot`] |
//! | `heights`, `heights1` | its last coordinate, in the cell of a matrix that stands for the others; a cell without a queen is `.`, `-` or `_`, in `heights1` also `0` if one of the cells has the largest height |
//! | `picture` | a sign in a drawing of the board, such as the `Q` of `.Q..`; see below |
//!
//! Names that end in 1 count from 1, the others but `degroot` from 0. White space and commas separate numbers; brackets, semicolons
//! and line ends separate tuples and the rows of a matrix. Lines that start with `#` and empty lines are skipped.
//!
//! The cells of heights stand in lexicographic order of the first `d - 1` coordinates; for `d = 3` they must be in rows,
//! otherwise line ends are free. Heights cannot tell of two squares that differ in the last coordinate only; queens and
//! rooks never stand so, bishops may.
//!
//! A `0` in `heights1` is either an empty cell or the lowest height counted from 0. If the largest height occurs, counted from 1, it can
//! only be an empty cell; else the file is refused. Any other value outside the range of its convention is refused as well: no
//! entry is skipped.
//!
//! Heights on boards of two axes are one placement a line or bracket, such as the permutation `1 3 0 2`, and for `d = 3` one a matrix;
//! a file may hold several. So may a picture: rows of signs, see the module `picture`. Without a convention, a file that is not
//! a certificate is read as a picture if it shows pieces by letters. All other conventions hold one placement a file.
//!
//! Only native files, and pictures with a heading, say on which board the squares are; a picture without one may be that of one
//! plain box only, which is then taken. Only native files say what they claim to be; others are read as independent sets.
//! Numbers that have no square are refused, but coordinates that are too large are kept, as in native files: whether the
//! squares are on the board is for the crosscheck crate to say.

mod convention;
mod picture;

use ndqueens_notation::name::{BoardName, Open};

pub use self::convention::{Convention, Inexpressible, UnknownConvention};
use crate::board::{Board, Square};
use ndqueens_notation::certificate::{Certificate, CertificateError, HEADER, begins_with};

/// Reads the only set of squares of a text. The board must be given unless the text names it; a native file must agree with a board
/// that is given, and `open` opens the board file that it names.
///
/// # Errors
/// Line, column and what is allowed there, if the text does not follow the convention, the board is missing or another, or
/// the text holds several placements.
pub fn read(
    text: &str,
    convention: Convention,
    board: Option<&BoardName>,
    open: Open<'_>,
) -> Result<Certificate, CertificateError> {
    let mut all = read_all(text, convention, board, open)?;
    match all.as_slice() {
        [_, (line, _), ..] => {
            let words =
                format!("a second placement begins here, and the file has {}; one is expected", all.len());
            Err(CertificateError { line: *line, column: 1, fault: words })
        }
        _ => Ok(all.pop().expect("a text holds a placement").1),
    }
}

/// Reads all sets of squares of a text, each with its first line; there is at least one.
///
/// # Errors
/// Line, column and what is allowed there, as for [`read`].
pub fn read_all(
    text: &str,
    convention: Convention,
    board: Option<&BoardName>,
    open: Open<'_>,
) -> Result<Vec<(usize, Certificate)>, CertificateError> {
    let import = |reader: Reader, what: &str| {
        let name = board.ok_or_else(|| CertificateError {
            line: 1,
            column: 1,
            fault: format!("the convention \"{convention}\" does not name the board, so it must be given"),
        })?;
        let most = match convention {
            Convention::Tuples0 | Convention::Tuples1 => 2,
            Convention::Flat0 | Convention::Flat1 | Convention::DeGroot => 1,
            _ => usize::MAX,
        };
        refuse_open_brackets(text, most)?;
        refuse_empty_fields(text, matches!(convention, Convention::Heights0 | Convention::Heights1))?;
        let base = convention.base();
        let origin = format!("imported, {base}-based {what}");
        let sets = reader(&groups(text), base, &Board::new(name))?.into_iter();
        let certificate = |squares| Certificate::independent(name.clone(), squares, origin.clone());
        Ok(sets.map(|(line, squares)| (line, certificate(squares))).collect())
    };
    match convention {
        Convention::Native if !begins_with(text, HEADER) && picture::is_picture(text, board) => {
            read_picture(text, board, true, open)
        }
        Convention::Native => Ok(vec![(1, read_native(text, board, open)?)]),
        Convention::Tuples0 | Convention::Tuples1 => import(read_tuples, "tuples"),
        Convention::Flat0 | Convention::Flat1 => import(read_flat, "square numbers"),
        Convention::DeGroot => import(read_de_groot, "square numbers of de Groot"),
        Convention::Heights0 | Convention::Heights1 => import(read_heights, "heights"),
        Convention::Picture => read_picture(text, board, false, open),
    }
}

fn read_picture(
    text: &str,
    board: Option<&BoardName>,
    only_letters: bool,
    open: Open<'_>,
) -> Result<Vec<(usize, Certificate)>, CertificateError> {
    let picture::Pictures { board, sets } = picture::read(text, board, only_letters, open)?;
    let certificate = |squares| Certificate::independent(board.clone(), squares, "imported, picture");
    Ok(sets.into_iter().map(|(line, squares)| (line, certificate(squares))).collect())
}

/// Sets of squares, each with its first line.
type Sets = Vec<(usize, Vec<Vec<u32>>)>;

/// Makes squares of the groups of words of a text, which counts from the given base.
type Reader = fn(&[Vec<Word<'_>>], u64, &Board) -> Result<Sets, CertificateError>;

fn read_native(
    text: &str,
    board: Option<&BoardName>,
    open: Open<'_>,
) -> Result<Certificate, CertificateError> {
    let certificate = Certificate::read(text, open).map_err(|mut error| {
        if !begins_with(text, HEADER) {
            error.fault += ", or show pieces by letters; other sets of squares are read with --as picture, tuples, flat or heights";
        }
        error
    })?;
    match board {
        Some(board) if *board != certificate.board => Err(CertificateError {
            line: 1 + text.lines().take_while(|line| !line.trim_start().starts_with("board:")).count(),
            column: 1,
            fault: format!("the file is for the board {}, not for {board}", certificate.board),
        }),
        _ => Ok(certificate),
    }
}

fn read_tuples(groups: &[Vec<Word<'_>>], base: u64, board: &Board) -> Result<Sets, CertificateError> {
    let dimension = board.coordinates(0).len();
    let is_graph = matches!(board.name(), BoardName::File(_)) && dimension == 1 && !board.symmetry_is_known();
    if base > 0 && is_graph {
        let fault = format!(
            "vertices of {} have the numbers of its file, which are read as \"{}\"",
            board.name(),
            Convention::Tuples0
        );
        return Err(CertificateError { line: 1, column: 1, fault });
    }
    let tuple = |group: &Vec<Word<'_>>| {
        if group.len() != dimension {
            let name = board.name();
            let fault =
                format!("{} coordinates found, {dimension} expected for a square of {name}", group.len());
            return Err(group[0].fault(fault));
        }
        let square = group.iter().map(|word| word.number("a coordinate", base, 1 << u32::BITS));
        let square = square.collect::<Result<Vec<u32>, _>>()?;
        // Checkers report coordinates counted from 0, which are not those of the file.
        if base > 0 && board.square(&square).is_none() {
            let written = group.iter().map(|word| word.text).collect::<Vec<_>>().join(", ");
            let allowed = board.grid().map_or_else(String::new, |grid| {
                let ranges =
                    grid.sides().iter().map(|side| format!("[{base},{}]", u64::from(*side) + base - 1));
                format!(" and lie in {}", ranges.collect::<Vec<_>>().join(" x "))
            });
            let name = board.name();
            let fault = format!(
                "({written}) is off the board {name}; its coordinates count from {base} here{allowed}"
            );
            return Err(group[0].fault(fault));
        }
        Ok(square)
    };
    one_set(groups.iter().map(tuple))
}

fn read_flat(groups: &[Vec<Word<'_>>], base: u64, board: &Board) -> Result<Sets, CertificateError> {
    let what = format!("a square number of {}", board.name());
    let square = |word: &Word<'_>| word.number(&what, base, board.size() as u64);
    one_set(groups.iter().flatten().map(|word| Ok(board.coordinates(square(word)?))))
}

/// Returns the one set that a text holds.
fn one_set(
    squares: impl Iterator<Item = Result<Vec<u32>, CertificateError>>,
) -> Result<Sets, CertificateError> {
    Ok(vec![(1, squares.collect::<Result<_, _>>()?)])
}

fn read_de_groot(groups: &[Vec<Word<'_>>], base: u64, board: &Board) -> Result<Sets, CertificateError> {
    let order = de_groot(board).map_err(|e| CertificateError { line: 1, column: 1, fault: e.to_string() })?;
    let what = format!("de Groot's number of a square of {}", board.name());
    let number = |word: &Word<'_>| word.number(&what, base, board.size() as u64);
    one_set(groups.iter().flatten().map(|word| Ok(board.coordinates(order[number(word)? as usize]))))
}

fn de_groot(board: &Board) -> Result<Vec<Square>, Inexpressible> {
    board.de_groot().ok_or_else(|| Inexpressible::NoNumbers { board: board.name().clone() })
}

fn read_heights(groups: &[Vec<Word<'_>>], base: u64, board: &Board) -> Result<Sets, CertificateError> {
    let matrix =
        Matrix::of(board).map_err(|e| CertificateError { line: 1, column: 1, fault: e.to_string() })?;
    if matrix.dimension == 3
        && let Some(row) = groups.iter().find(|row| row.len() != matrix.row)
    {
        return Err(row[0].fault(format!("{} cells found in the row, {} expected", row.len(), matrix.row)));
    }
    let first = |groups: &[Vec<Word<'_>>]| groups.first().map_or(1, |group| group[0].line_number);
    // A permutation is a placement of its own where each line is as long as one; so is each matrix of three axes.
    let is_column = groups.iter().all(|group| group.len() == 1);
    let is_list = groups.iter().any(|group| group[0].line.contains(['(', '[', '{']));
    let rows = match matrix.dimension {
        2 if groups.iter().all(|group| group.len() == matrix.cells) => 1,
        2 if groups.len() > 1 && !is_column && !is_list => {
            let row = groups.iter().find(|row| row.len() != matrix.cells).expect("a line of another length");
            let fault = format!("{} cells found in the line, {} expected", row.len(), matrix.cells);
            return Err(row[0].fault(fault));
        }
        3 => matrix.cells / matrix.row,
        _ => groups.len().max(1),
    };
    let refuse_zeros = |cells: &[Word<'_>]| {
        let zero = cells.iter().find(|word| base == 1 && word.text == "0");
        let is_largest = |word: &Word<'_>| word.text.parse() == Ok(u64::from(matrix.height));
        zero.filter(|_| !groups.iter().flatten().any(is_largest)).map_or(Ok(()), |zero| {
            Err(zero.fault(format!(
                "0 may be an empty cell or a height counted from 0, since no cell is {}; write empty cells as ., or read \
                 heights counted from 0 with --as heights",
                matrix.height
            )))
        })
    };
    let set = |groups: &[Vec<Word<'_>>]| -> Result<(usize, Vec<Vec<u32>>), CertificateError> {
        let cells = groups.concat();
        if cells.len() != matrix.cells {
            let fault = format!("{} cells found, {} expected", cells.len(), matrix.cells);
            return Err(match cells.get(matrix.cells).or(cells.last()) {
                Some(word) => word.fault(fault),
                None => CertificateError { line: 1, column: 1, fault },
            });
        }
        let is_queen = |word: &Word<'_>| !matches!((word.text, base), ("." | "-" | "_", _) | ("0", 1));
        let square = |(cell, word): (u32, Word<'_>)| {
            let height =
                word.number("a cell that is not empty (., - or _)", base, u64::from(matrix.height))?;
            Ok(board.coordinates(cell * matrix.height + height))
        };
        let squares = (0..).zip(cells.iter().copied()).filter(|(_, word)| is_queen(word)).map(square);
        let squares = squares.collect::<Result<_, _>>()?;
        refuse_zeros(&cells)?;
        Ok((first(groups), squares))
    };
    if groups.is_empty() {
        return Ok(vec![set(groups)?]);
    }
    groups.chunks(rows).map(set).collect()
}

/// Writes a certificate's squares. Only the native convention keeps board, claim and origin.
///
/// # Errors
/// If the convention cannot express one of the squares.
pub fn write(certificate: &Certificate, convention: Convention) -> Result<String, Inexpressible> {
    let (board, base) = (Board::new(&certificate.board), convention.base());
    let number = |square: &Vec<u32>| {
        board.square(square).ok_or_else(|| Inexpressible::OffBoard {
            square: square.clone(),
            board: certificate.board.clone(),
            convention,
        })
    };
    let mut text = String::new();
    match convention {
        Convention::Native => text = certificate.to_string(),
        Convention::Tuples0 | Convention::Tuples1 => {
            for square in &certificate.squares {
                let coordinates: Vec<String> =
                    square.iter().map(|&c| (u64::from(c) + base).to_string()).collect();
                text += &format!("({})\n", coordinates.join(","));
            }
        }
        Convention::Flat0 | Convention::Flat1 => {
            for square in &certificate.squares {
                text += &format!("{}\n", u64::from(number(square)?) + base);
            }
        }
        Convention::DeGroot => {
            let order = de_groot(&board)?;
            for square in &certificate.squares {
                let number = number(square)?;
                let at = order.iter().position(|&other| other == number).expect("every square has a number");
                text += &format!("{}\n", at as u64 + base);
            }
        }
        Convention::Heights0 | Convention::Heights1 => {
            let matrix = Matrix::of(&board)?;
            let mut queens: Vec<Option<&Vec<u32>>> = vec![None; matrix.cells];
            for square in &certificate.squares {
                let cell = &mut queens[(number(square)? / matrix.height) as usize];
                if let Some(first) = cell.replace(square) {
                    return Err(Inexpressible::SameCell { first: first.clone(), second: square.clone() });
                }
            }
            text = matrix.print(&queens, base);
        }
        Convention::Picture => text = picture::write(certificate, &board)?,
    }
    Ok(text)
}

/// The shape of a matrix of heights.
struct Matrix {
    dimension: usize,
    height: u32,
    cells: usize,
    /// Cells in a row.
    row: usize,
    /// Cells in a matrix, several of which make up the text when the dimension is above 3.
    slab: usize,
}

impl Matrix {
    fn of(board: &Board) -> Result<Self, Inexpressible> {
        let no_box = || Inexpressible::NoBox { board: board.name().clone() };
        let sides = board.grid().ok_or_else(no_box)?.sides();
        let mut from_last = sides.iter().rev();
        let height = *from_last.next().expect("a box has an axis");
        let row = from_last.next().map_or(1, |&side| side as usize);
        let slab = row * from_last.next().map_or(1, |&side| side as usize);
        let cells = board.size() / height as usize;
        Ok(Self { dimension: sides.len(), height, cells, row, slab })
    }

    fn print(&self, queens: &[Option<&Vec<u32>>], base: u64) -> String {
        let last = u64::from(self.height) - 1 + base;
        let width = last.to_string().len();
        let mut text = String::new();
        for (done, queen) in (1..).zip(queens) {
            let height = queen.and_then(|square| square.last());
            let cell = height.map_or(".".to_owned(), |&height| (u64::from(height) + base).to_string());
            let end = if done % self.slab == 0 && done < self.cells {
                "\n\n"
            } else if done % self.row == 0 {
                "\n"
            } else {
                " "
            };
            text += &format!("{cell:>width$}{end}");
        }
        text
    }
}

/// A word and the line that it stands in.
#[derive(Debug, Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    line: &'t str,
    line_number: usize,
}

impl Word<'_> {
    fn fault(&self, fault: String) -> CertificateError {
        let before = self.text.as_ptr() as usize - self.line.as_ptr() as usize;
        CertificateError { line: self.line_number, column: self.line[..before].chars().count() + 1, fault }
    }

    /// The word as one of `count` numbers counted from `base`; the answer is counted from 0.
    fn number(&self, what: &str, base: u64, count: u64) -> Result<u32, CertificateError> {
        let is_plain = self.text.bytes().all(|digit| digit.is_ascii_digit());
        let number =
            self.text.parse::<u64>().ok().filter(|_| is_plain).and_then(|number| number.checked_sub(base));
        number.filter(|&number| number < count).and_then(|number| u32::try_from(number).ok()).ok_or_else(
            || {
                let last = base + count - 1;
                self.fault(format!("{what} must be an integer from {base} to {last}, not \"{}\"", self.text))
            },
        )
    }
}

/// Checks that each bracket closes the last one that is open.
///
/// A list of lists of lists would be several placements, which are not read in conventions with one placement a file: `most` lists may
/// be nested.
fn refuse_open_brackets(text: &str, most: usize) -> Result<(), CertificateError> {
    let mut open = Vec::new();
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim_start().starts_with('#')) {
        for (column, bracket) in (1..).zip(row.chars()) {
            let closes = match bracket {
                '(' | '[' | '{' => {
                    open.push((line, column, bracket));
                    if open.len() > most {
                        let fault = format!(
                            "lists are nested more than {most} deep here; a file in this convention holds one placement"
                        );
                        return Err(CertificateError { line, column, fault });
                    }
                    continue;
                }
                ')' => '(',
                ']' => '[',
                '}' => '{',
                _ => continue,
            };
            if open.pop().is_none_or(|(.., last)| last != closes) {
                let fault = format!("\"{bracket}\" closes no \"{closes}\"");
                return Err(CertificateError { line, column, fault });
            }
        }
    }
    open.pop().map_or(Ok(()), |(line, column, bracket)| {
        Err(CertificateError { line, column, fault: format!("\"{bracket}\" is not closed") })
    })
}

/// Refuses a text in which a comma has no number before it, or, if `has_cells`, in which two tabs have nothing between them: an
/// empty field may be an empty cell, and skipping it would move the numbers after it. A comma after a bracket separates lists.
fn refuse_empty_fields(text: &str, has_cells: bool) -> Result<(), CertificateError> {
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim_start().starts_with('#')) {
        let mut before = None;
        for (column, sign) in (1..).zip(row.chars()) {
            let is_empty = match sign {
                ',' => {
                    matches!(before, Some(',' | '(' | '[' | '{' | ';'))
                        || (before.is_none() && !begins_list(row))
                }
                '\t' => has_cells && before == Some('\t'),
                _ => false,
            };
            if is_empty {
                let fault =
                    "a field is empty here; write an empty cell of a matrix of heights as .".to_owned();
                return Err(CertificateError { line, column, fault });
            }
            if sign == '\t' && has_cells || !sign.is_whitespace() {
                before = Some(sign);
            }
        }
    }
    Ok(())
}

/// Returns `true` if a list follows the comma with which a line begins.
fn begins_list(row: &str) -> bool {
    row.trim_start().trim_start_matches(',').trim_start().starts_with(['(', '[', '{'])
}

/// The words of a text, in groups that brackets, semicolons and line ends separate.
fn groups(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut groups = Vec::new();
    for (line_number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        for group in line.split(['(', ')', '[', ']', '{', '}', ';']) {
            let words = group.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
            groups.push(words.map(|text| Word { text, line, line_number }).collect());
        }
    }
    groups.retain(|group: &Vec<_>| !group.is_empty());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_notation::name::Piece;
    use proptest::prelude::*;

    fn read(
        text: &str,
        convention: Convention,
        board: Option<&BoardName>,
    ) -> Result<Certificate, CertificateError> {
        super::read(text, convention, board, &ndqueens_notation::name::open_none)
    }

    fn board(name: &str) -> BoardName {
        name.parse().expect(name)
    }

    fn squares(text: &str, convention: &str, name: &str) -> Vec<Vec<u32>> {
        let convention = convention.parse().expect(convention);
        read(text, convention, Some(&board(name))).expect(text).squares
    }

    #[test]
    fn names_parse_back_and_others_are_told_the_names() {
        for convention in Convention::ALL {
            assert_eq!(convention.to_string().parse(), Ok(convention));
        }
        let message = "tuple".parse::<Convention>().expect_err("unknown").to_string();
        assert!(message.ends_with("; did you mean \"tuples\"?"), "{message}");
        let message = "tuples2".parse::<Convention>().expect_err("unknown").to_string();
        assert!(message.contains("tuples, tuples1, flat"), "{message}");
    }

    #[test]
    fn tuples_are_read_in_every_dress() {
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
            assert!(nested.fault.contains("nested more than 2 deep"), "{nested}");
        }
        assert!(squares("", "tuples", "3^3").is_empty());
        let fault = read("1 1 1\n0x1", Convention::Tuples1, Some(&board("3^3"))).expect_err("no number");
        assert_eq!(fault.line, 2);
        let fault =
            read("1 1 1\n 1 4 3", Convention::Tuples1, Some(&board("3^3"))).expect_err("off the board");
        assert_eq!((fault.line, fault.column), (2, 2));
        assert_eq!(
            fault.fault,
            "(1, 4, 3) is off the board 3^3; its coordinates count from 1 here and lie in [1,3] x [1,3] x [1,3]"
        );
    }

    #[test]
    fn rejects_empty_fields_and_short_lines() {
        for (convention, board_name, text, line, column) in [
            ("heights", "4^2", "1,,3,\n,0,,2\n", 1, 3),
            ("heights", "4^2", "1\t\t3\t\n\t0\t\t2\n", 1, 3),
            ("heights1", "4^2", "2;1;4;3\n,2,3,1\n", 2, 1),
            ("heights", "4^2", "[1,,3,0]", 1, 4),
            ("heights", "4^2", "1 3\n0 2\n", 1, 1),
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
        assert_eq!(squares("[(0, 1),\n(1, 3)\n,(2, 0),]", "tuples", "4^2").len(), 3);
        assert_eq!(squares("0, 5,\n6,", "flat", "4^2").len(), 3);
    }

    #[test]
    fn flat_numbers_are_lexicographic() {
        assert_eq!(squares("0, 5 6\n23", "flat", "2x3x4"), [[0, 0, 0], [0, 1, 1], [0, 1, 2], [1, 2, 3]]);
        assert_eq!(squares("[1, 24]", "flat1", "2x3x4"), [[0, 0, 0], [1, 2, 3]]);
    }

    #[test]
    fn de_groots_numbers_are_those_of_his_program() {
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
    fn the_origin_tells_the_convention() {
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
    fn faults_name_line_column_and_what_is_allowed() {
        for (convention, name, text, line, column, words) in [
            (Convention::Tuples0, "3^3", "0 0 0\n 1 2", 2, 2, "2 coordinates found, 3 expected"),
            (Convention::Tuples0, "3^3", "[(0,0,0),(1,2,0,1)]", 1, 11, "4 coordinates found"),
            (Convention::Tuples0, "3^3", "0 0 é", 1, 5, "not \"é\""),
            (Convention::Tuples0, "3^3", "é 0 -1", 1, 1, "not \"é\""),
            (Convention::Tuples0, "3^3", "0 0 4294967296", 1, 5, "from 0 to 4294967295"),
            (Convention::Tuples1, "3^3", "(1,0,2)", 1, 4, "from 1"),
            (
                Convention::Flat0,
                "2x3",
                "0 5\n6",
                2,
                1,
                "a square number of 2x3 must be an integer from 0 to 5",
            ),
            (Convention::Flat1, "2x3", "0", 1, 1, "from 1 to 6"),
            (Convention::Flat1, "2x3", "6, 7", 1, 4, "not \"7\""),
            (Convention::Heights0, "2x3x4", "0 . .\n. 4 .", 2, 3, "from 0 to 3"),
            (
                Convention::Heights1,
                "2x3x4",
                "0 . .\n. x .",
                2,
                3,
                "(., - or _) must be an integer from 1 to 4",
            ),
            (Convention::Heights0, "2x3x4", "0 . .\n. .", 2, 1, "2 cells found in the row, 3 expected"),
            (Convention::Heights0, "2x3x4", "0 . .", 1, 5, "3 cells found, 6 expected"),
            (Convention::Heights0, "2^4", ". . . . . . . 1 1", 1, 17, "9 cells found, 8 expected"),
            (Convention::Heights0, "2^4", "\n", 1, 1, "0 cells found, 8 expected"),
            (Convention::Heights0, "hex:3", "0", 1, 1, "heights are for boxes of squares"),
            (Convention::DeGroot, "hex:3", "1 20", 1, 3, "a square of hex:3 must be an integer from 1 to 19"),
            (Convention::DeGroot, "three:4", "1\n0", 2, 1, "from 1 to 24"),
            (Convention::DeGroot, "8^2", "1", 1, 1, "the board 8^2 is neither"),
            (Convention::Tuples0, "three:4", "0 0", 1, 1, "2 coordinates found, 3 expected"),
        ] {
            let error = read(text, convention, Some(&board(name))).expect_err(text);
            assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
            assert!(error.fault.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn the_board_must_be_given_or_agree() {
        for convention in Convention::ALL
            .iter()
            .filter(|convention| !matches!(convention, Convention::Native | Convention::Picture))
        {
            let error = read("0 0", *convention, None).expect_err("no board");
            assert!(error.fault.contains("must be given"), "{error}");
        }
        let native = Certificate::independent(board("3^3"), vec![vec![0, 0, 0]], "by hand");
        let text = format!("# a remark\n{native}");
        for given in [None, Some(&board("3^3"))] {
            assert_eq!(read(&text, Convention::Native, given), Ok(native.clone()));
        }
        let error = read(&text, Convention::Native, Some(&board("4^3"))).expect_err("another board");
        assert_eq!((error.line, error.column), (3, 1));
        assert_eq!(error.fault, "the file is for the board 3^3, not for 4^3");
    }

    #[test]
    fn heights_are_written_in_rows_of_even_width() {
        let certificate = |name, squares| Certificate::independent(board(name), squares, "by hand");
        let text = write(&certificate("2x3x10", vec![vec![0, 1, 9], vec![1, 0, 0]]), Convention::Heights1);
        assert_eq!(text.as_deref(), Ok(" . 10  .\n 1  .  .\n"));
        let text = write(&certificate("2^4", vec![vec![0, 1, 1, 1]]), Convention::Heights0);
        assert_eq!(text.as_deref(), Ok(". .\n. 1\n\n. .\n. .\n"));
    }

    #[test]
    fn what_a_convention_cannot_express_is_refused() {
        let off = Certificate::independent(board("3^2"), vec![vec![0, 3]], "by hand");
        for convention in Convention::ALL {
            let text = write(&off, convention);
            if convention == Convention::Tuples1 {
                let fault =
                    read(&text.expect("text"), convention, Some(&off.board)).expect_err("off the board");
                assert!(fault.fault.starts_with("(1, 4) is off the board 3^2"), "{fault}");
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
        assert_eq!(write(&bishops, Convention::Heights0), Err(Inexpressible::SameCell { first, second }));
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
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
                let text = write(&certificate, convention).expect("one square a cell");
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
                let text = write(&certificate, *convention).expect("these conventions are for every board");
                let back = read(&text, *convention, Some(board.name())).expect(&text);
                prop_assert_eq!(&back.squares, &certificate.squares, "{}:\n{}", convention, text);
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "[ 0-9.,;()#x\n-]{0,30}") {
            for convention in Convention::ALL {
                let _ = read(&text, convention, Some(&board("2x3x4")));
            }
        }
    }
}
