//! One line of cells, or one record: a puzzle with other fields.

use super::cells::{is_bar, is_bare, is_empty_sign, is_one_cell, is_sign, is_small_sign, not_a_cell, signs};
use super::unread;
use super::{Cell, Fault, Puzzles, Row, fail, side, whole};
use crate::puzzle::{ORDERS, Puzzle};
use ndqueens_notation::counted::counted;

/// Maximum length of a remark in a record, in characters; a digest in hexadecimal may be longer.
const LONGEST_REMARK: usize = 64;
/// Note for lines that may be prose.
const WORDS_NOTE: &str = "; a line of words begins with #, ; or //";
/// Note for lines in which blanks may denote empty cells.
const BLANK_NOTE: &str = "; a blank is not a cell: . 0 * and _ are empty ones";
/// Note for lines with more than one puzzle.
const ONE_LINE: &str = "; write one puzzle a line, or name the columns in a header such as puzzle,solution";

/// Part of a line between separators.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) cell: Cell<'t>,
    /// `true` if the token is quoted.
    quoted: bool,
}

/// Content of a line.
#[derive(Debug)]
pub(super) enum Line<'t> {
    Row(Vec<Cell<'t>>),
    Record { grids: Vec<Cell<'t>> },
}

/// Splits a line at one separator, and removes blanks around a field; a quoted field may
/// contain the separator.
pub(super) fn fields(line: Cell<'_>, separator: char) -> Result<Vec<Token<'_>>, Fault> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let blank = |c: char| c.is_whitespace() && c != separator;
        let start = rest.text.len() - rest.text.trim_start_matches(blank).len();
        let (from, quoted) = (start, rest.text[start..].starts_with('"'));
        let end = if quoted {
            closing_quote(rest, from)?
        } else {
            rest.text[from..].find(separator).map_or(rest.text.len(), |end| from + end)
        };
        let text =
            if quoted { &rest.text[from + 1..end] } else { rest.text[from..end].trim_end_matches(blank) };
        fields.push(Token { cell: Cell { text, at: rest.at + from + usize::from(quoted) }, quoted });
        let after = end + usize::from(quoted);
        let gap = rest.text.len() - after - rest.text[after..].trim_start_matches(blank).len();
        let next = after + gap;
        let Some(c) = rest.text[next..].chars().next() else { return Ok(fields) };
        if c != separator {
            return fail(rest.at + next, format!("\"{c}\" follows a quoted field; a separator is needed"));
        }
        let next = next + c.len_utf8();
        rest = Cell { text: &rest.text[next..], at: rest.at + next };
    }
}

/// Returns the position of the quotation mark that closes the one at `from`; two in a row denote one.
fn closing_quote(line: Cell<'_>, from: usize) -> Result<usize, Fault> {
    let mut at = from + 1;
    while let Some(next) = line.text[at..].find('"') {
        at += next;
        if !line.text[at + 1..].starts_with('"') {
            return Ok(at);
        }
        at += 2;
    }
    fail(line.at + from, "the quotation mark is not closed in its line")
}

/// Splits a line at blanks, bars and `,` `;` `:`; quoted fields are tokens.
fn tokens(line: Cell<'_>) -> Result<Vec<Token<'_>>, Fault> {
    let separates = |c: char| c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';' | ':');
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(start) = line.text[at..].find(|c| !separates(c)) {
        let from = at + start;
        let quoted = line.text[from..].starts_with('"');
        let (text, end) = if quoted {
            let end = closing_quote(line, from)?;
            (&line.text[from + 1..end], end + 1)
        } else {
            let end = line.text[from..].find(separates).map_or(line.text.len(), |end| from + end);
            (&line.text[from..end], end)
        };
        if let Some(c) = line.text[end..].chars().next().filter(|&c| !separates(c)) {
            return fail(line.at + end, format!("\"{c}\" follows a quoted field; a separator is needed"));
        }
        tokens.push(Token { cell: Cell { text, at: line.at + from + usize::from(quoted) }, quoted });
        at = end;
    }
    Ok(tokens)
}

/// Returns `true` for a puzzle of 9 x 9 or larger.
fn is_whole(token: &Token<'_>) -> bool {
    let text = token.cell.text;
    text.len() >= 81 && whole(text.len()).is_some() && text.chars().all(is_sign)
}

/// Returns `true` for a puzzle of 4 x 4, provided that other fields show that the line is a record.
fn is_small_whole(token: &Token<'_>) -> bool {
    let text = token.cell.text;
    text.len() == 16 && text.chars().all(is_small_sign)
}

/// Reads a line that is neither a rule nor a heading.
///
/// # Errors
/// Returns an error if the line is neither cells nor a record.
pub(super) fn read(line: Cell<'_>) -> Result<Line<'_>, Fault> {
    let all = tokens(line)?;
    if all.iter().any(is_whole) {
        return record(&all, is_whole, 30);
    }
    if all.len() > 1 && all.iter().any(is_small_whole) {
        return record(&all, is_small_whole, 8);
    }
    let separators: Vec<char> =
        [',', ';', ':', '\t'].into_iter().filter(|&separator| line.text.contains(separator)).collect();
    if let [separator] = separators[..] {
        let fields = fields(line, separator)?;
        let is_cell = |field: &Token<'_>| field.cell.text.is_empty() || is_one_cell(field.cell.text);
        let is_row = side(fields.len()).is_some() || whole(fields.len()).is_some();
        if is_row && fields.iter().all(is_cell) {
            return Ok(Line::Row(fields.into_iter().map(|field| field.cell).collect()));
        }
        // Tabs at the ends may indent a line, but an empty field between cells may be a cell.
        let has_gap = line.text.trim().split(separator).any(|field| field.trim().is_empty());
        if separator == '\t' && has_gap && fields.iter().all(is_cell) {
            let message =
                format!("{} found; a row has 4, 9, 16 or 25 of them", counted(fields.len(), "field"));
            return fail(line.at, message);
        }
    }
    if let Some((at, c)) = line.text.char_indices().find(|&(_, c)| matches!(c, ',' | ';' | ':')) {
        return not_a_cell(line.at + at, c);
    }
    let is_row = side(all.len()).is_some() || whole(all.len()).is_some();
    if is_row && all.iter().all(|token| is_one_cell(token.cell.text)) {
        check_groups(line, &all, |_| 1)?;
        return Ok(Line::Row(all.into_iter().map(|token| token.cell).collect()));
    }
    join_groups(line, &all).map(Line::Row)
}

/// Returns the cells of a string in which only blanks and bars separate cells.
pub(super) fn read_groups(string: Cell<'_>) -> Result<Vec<Cell<'_>>, Fault> {
    let mut groups = Vec::new();
    for text in string.text.split(|c| c == ' ' || is_bar(c)).filter(|text| !text.is_empty()) {
        let at = string.at + (text.as_ptr() as usize - string.text.as_ptr() as usize);
        groups.push(Token { cell: Cell { text, at }, quoted: false });
    }
    join_groups(string, &groups)
}

/// Joins the groups of cells of a line.
fn join_groups<'t>(line: Cell<'t>, groups: &[Token<'t>]) -> Result<Vec<Cell<'t>>, Fault> {
    let mut row = Vec::new();
    for group in groups {
        row.extend(signs(group.cell)?);
    }
    check_groups(line, groups, |group| group.cell.text.len())?;
    Ok(row)
}

/// Returns `true` if groups of this length may form a line: cells, rows of a box, rows, bands of
/// boxes, or one group.
fn is_group_length(length: usize, total: usize, is_small: bool) -> bool {
    let of_row = |order: usize| order.pow(2) == total && [1, order, total].contains(&length);
    let of_puzzle = |order: usize| {
        order.pow(4) == total && (order > 2 || is_small) && (0..=4).any(|power| order.pow(power) == length)
    };
    ORDERS.clone().any(|order| of_row(order) || of_puzzle(order))
}

/// Checks the lengths of the groups of cells that make up a row or a puzzle.
///
/// `size` returns the number of cells in a group. A group of another length may be an id or a rating next
/// to a truncated puzzle. Lines whose number of cells is not that of a row or a puzzle are rejected later,
/// and not checked here.
///
/// # Errors
/// Returns an error if groups that no bar separates differ in length, or if bars divide the line
/// into unequal parts.
fn check_groups<'t>(
    line: Cell<'t>,
    groups: &[Token<'t>],
    size: fn(&Token<'t>) -> usize,
) -> Result<(), Fault> {
    let total: usize = groups.iter().map(size).sum();
    if groups.len() < 2 || (side(total).is_none() && whole(total).is_none()) {
        return Ok(());
    }
    let is_small = groups.iter().all(|group| group.cell.text.chars().all(is_small_sign));
    let reject = |group: &Token<'t>, found: &str| reject_group(group, found, groups, total);
    let cells = |count: usize| super::format_cells(count).0;
    let parts = parts_between_bars(line, groups, size, total)?;
    let (group, first) = parts[0];
    if let Some((group, sum)) = parts.iter().find(|(_, sum)| *sum != first) {
        return reject(group, &format!("bars divide the line into {} and {}", cells(first), cells(*sum)));
    }
    if parts.len() > 1 && !is_group_length(first, total, is_small) {
        return reject(group, &format!("bars divide the line into parts of {}", cells(first)));
    }
    match groups.iter().find(|group| !is_group_length(size(group), total, is_small)) {
        Some(group) => {
            let found = format!("a group of {} is not a row, a row of a box or a band", cells(size(group)));
            reject(group, &found)
        }
        None => Ok(()),
    }
}

/// Returns an error for a group of cells in a line of `total` cells; `found` describes the fault.
fn reject_group<T>(group: &Token<'_>, found: &str, groups: &[Token<'_>], total: usize) -> Result<T, Fault> {
    let mut message = format!(
        "{found}; groups of cells in a line have one length, such as 3 or 9, and bars divide it into equal parts"
    );
    message += if whole(total).is_some() {
        "; an id or a rating may only be next to a whole puzzle of 16, 81, 256 or 625 cells in one word"
    } else {
        BLANK_NOTE
    };
    if groups.iter().any(|group| is_word(group.cell.text)) {
        message += WORDS_NOTE;
    }
    fail(group.cell.at, message)
}

/// Returns the first group of each part between bars, and the number of cells in the part.
///
/// # Errors
/// Returns an error if neighbouring groups without a bar between them differ in length.
fn parts_between_bars<'g, 't>(
    line: Cell<'t>,
    groups: &'g [Token<'t>],
    size: fn(&Token<'t>) -> usize,
    total: usize,
) -> Result<Vec<(&'g Token<'t>, usize)>, Fault> {
    let cells = |count: usize| super::format_cells(count).0;
    let mut parts: Vec<(&Token<'t>, usize)> = Vec::new();
    let mut end = line.at;
    for (index, group) in groups.iter().enumerate() {
        let (at, length) = (group.cell.at, size(group));
        if group.quoted && length != 1 {
            let found = format!("a quoted field of {} is next to other cells", cells(length));
            return reject_group(group, &found, groups, total);
        }
        let has_bar = line.text[end - line.at..at - line.at].contains(is_bar);
        end = at + group.cell.text.len();
        match parts.last_mut() {
            Some((_, sum)) if !has_bar => {
                let before = size(&groups[index - 1]);
                if before != length {
                    let found = format!("a group of {} is next to one of {}", cells(length), cells(before));
                    return reject_group(group, &found, groups, total);
                }
                *sum += length;
            }
            _ => parts.push((group, length)),
        }
    }
    Ok(parts)
}

/// Reads a puzzle with other fields, which may contain fewer than `most` cells without letters.
fn record<'t>(all: &[Token<'t>], is_grid: fn(&Token<'_>) -> bool, most: usize) -> Result<Line<'t>, Fault> {
    let (grids, remarks): (Vec<&Token<'t>>, Vec<&Token<'t>>) = all.iter().partition(|token| is_grid(token));
    let neighbour = grids[0].cell.text.len();
    check_remark_groups(all, is_grid, neighbour)?;
    let mut bare = 0;
    for remark in remarks {
        let Cell { text, at } = remark.cell;
        let length = text.chars().count();
        let is_digest = matches!(length, 96 | 128) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some(cells) = unread::cells_in(text, neighbour) {
            return fail(at, format!("{cells} cells found next to a puzzle of {neighbour}{ONE_LINE}"));
        }
        if is_cut_off(text) {
            let message = format!(
                "{length} cells found next to a puzzle of {neighbour}; a remark is not made of cells"
            );
            return fail(at, message);
        }
        // Many cells within a longer remark may belong to a puzzle.
        let run = text.split(|c| !is_bare(c)).map(str::len).max().unwrap_or_default();
        bare += if run == text.len() || run >= most { run } else { 0 };
        if bare >= most {
            let message =
                format!("{length} cells found next to a puzzle; a puzzle has 16, 81, 256 or 625 of them");
            return fail(at, message);
        }
        if length > LONGEST_REMARK && !remark.quoted && !is_digest {
            let message =
                format!("{length} characters found next to a puzzle; a remark has at most {LONGEST_REMARK}");
            return fail(at, message);
        }
    }
    Ok(Line::Record { grids: grids.into_iter().map(|token| token.cell).collect() })
}

/// Returns `true` for a part of a puzzle: numbers and empty cells, with two adjacent empty cells.
fn is_cut_off(text: &str) -> bool {
    let is_empty = |byte: u8| matches!(byte, b'.' | b'*' | b'_' | b'?' | b'-');
    text.len() >= 6
        && text.chars().all(is_bare)
        && text.contains(|c: char| c.is_ascii_digit())
        && text.as_bytes().windows(2).any(|pair| is_empty(pair[0]) && is_empty(pair[1]))
}

/// Checks that consecutive remarks are not together a board.
///
/// `neighbour` is the number of cells of the puzzle in the line.
fn check_remark_groups(
    all: &[Token<'_>],
    is_grid: fn(&Token<'_>) -> bool,
    neighbour: usize,
) -> Result<(), Fault> {
    let is_group = |token: &Token<'_>| !is_grid(token) && token.cell.text.chars().all(is_bare);
    for groups in all.chunk_by(|one, other| is_group(one) && is_group(other)) {
        let texts: Vec<&str> = groups.iter().map(|group| group.cell.text).collect();
        if groups.len() > 1
            && let Some(cells) = unread::cells_in(&texts.join(" "), neighbour)
        {
            let message = format!("{cells} cells found next to a puzzle of {neighbour}{ONE_LINE}");
            return fail(groups[0].cell.at, message);
        }
    }
    Ok(())
}

/// Adds the puzzle of a record without a header; a complete grid next to a puzzle is its solution.
///
/// # Errors
/// Returns an error if there are several puzzles, or if the complete grid is not a solution of the puzzle.
pub(super) fn add_record<'t>(puzzles: &mut Puzzles<'t>, grids: &[Cell<'t>]) -> Result<(), Fault> {
    match grids {
        [puzzle] => puzzles.add(&signs(*puzzle)?, None),
        [first, second] if first.text.len() == second.text.len() => {
            let (first, second) = (signs(*first)?, signs(*second)?);
            let order = whole(first.len()).unwrap_or_default();
            let values = super::cells::values(order, &[&first, &second], puzzles.conventions.symbols)?;
            let is_full = |grid: &Vec<Option<u32>>| grid.iter().all(Option::is_some);
            let fits = |puzzle: &Vec<Option<u32>>, full: &Vec<Option<u32>>| {
                puzzle.iter().zip(full).all(|(clue, number)| clue.is_none() || clue == number)
            };
            let at = second[0].at;
            let (puzzle, solution, solution_at) = match (is_full(&values[0]), is_full(&values[1])) {
                (true, true) => {
                    return fail(at, format!("two complete grids are in this line{ONE_LINE}"));
                }
                (false, false) => return fail(at, format!("two puzzles are in this line{ONE_LINE}")),
                (true, false) if !fits(&values[1], &values[0]) => {
                    let message = format!("a complete grid is before a puzzle with other numbers{ONE_LINE}");
                    return fail(at, message);
                }
                (true, false) => (&values[1], &values[0], first[0].at),
                (false, true) => (&values[0], &values[1], at),
            };
            if let Some(repeated) = Puzzle::new(order, solution.clone()).contradiction() {
                let message = format!(
                    "the complete grid is no solution: {} twice in one {}; regions of a jigsaw are not supported",
                    repeated.clues[0].number + 1,
                    repeated.unit
                );
                return fail(solution_at, message);
            }
            puzzles.push(first[0].at, order, puzzle.clone(), solution.clone())
        }
        [_, second, ..] => fail(second.at, format!("more than one puzzle is in this line{ONE_LINE}")),
        [] => Ok(()),
    }
}

/// Adds the puzzles of consecutive lines.
pub(super) fn add_rows<'t>(puzzles: &mut Puzzles<'t>, run: &[Row<'t>]) -> Result<(), Fault> {
    let mut rest = run;
    while let [first, ..] = rest {
        let length = first.cells.len();
        let same = rest.iter().take_while(|row| row.cells.len() == length).count();
        let is_whole =
            whole(length).is_some() && (side(length).is_none() || puzzles.are_whole(&rest[..same])?);
        if is_whole {
            for row in &rest[..same] {
                puzzles.add(&row.cells, None)?;
            }
            rest = &rest[same..];
        } else if side(length).is_some() && same >= length {
            let (rows, others) = rest.split_at(length);
            let cells: Vec<Cell<'t>> = rows.iter().flat_map(|row| row.cells.iter().copied()).collect();
            puzzles.add(&cells, None)?;
            rest = others;
        } else if side(length).is_some() {
            let line = puzzles.line(first.at);
            return incomplete_grid(run, rest, same, line);
        } else {
            return wrong_length(
                first,
                "found; a row has 4, 9, 16 or 25 of them, and a whole puzzle 16, 81, 256 or 625",
            );
        }
    }
    Ok(())
}

/// Returns `true` for two or more letters.
fn is_word(word: &str) -> bool {
    word.len() > 1 && word.chars().all(char::is_alphabetic)
}

/// Returns an error for the number of cells of a line, with a note if words or blanks may explain it.
fn wrong_length<T>(row: &Row<'_>, reason: &str) -> Result<T, Fault> {
    let (found, note) = super::format_cells(row.cells.len());
    let mut message = format!("{found} {reason}{note}");
    if row.text.split_whitespace().any(is_word) {
        message += WORDS_NOTE;
    } else if row.text.split_whitespace().any(|word| word.len() > 2) && row.cells.len() > 81 {
        message += "; write one puzzle a line";
    } else if row.text.trim().contains(' ') {
        message += BLANK_NOTE;
    }
    fail(row.at, message)
}

/// Returns an error for the rest of a run, which begins with too few rows of one length for a grid.
fn incomplete_grid<T>(run: &[Row<'_>], rest: &[Row<'_>], rows: usize, line: usize) -> Result<T, Fault> {
    let n = rest[0].cells.len();
    let before = run.len() - rest.len();
    if let Some(odd) = rest.get(rows) {
        let reason = format!("found in row {} of the grid of {n} x {n} that begins in line {line}", rows + 1);
        return wrong_length(odd, &reason);
    }
    if before > 0 && run[before - 1].cells.len() == n {
        let found = counted(rows, "row");
        let message =
            format!("{found} of {n} cells too many for the grid before; another grid would have {n} rows");
        return fail(rest[0].at, message);
    }
    fail(rest[rows - 1].at, format!("{rows} of {n} rows found; the grid ends too early"))
}

/// Returns `true` if these lines end with a band of a grid that has further bands.
pub(super) fn ends_band(run: &[Row<'_>]) -> bool {
    let Some(length) = run.first().map(|row| row.cells.len()) else { return false };
    let in_grid = run.len() % length.max(1);
    side(length).is_some_and(|order| in_grid > 0 && in_grid.is_multiple_of(order))
        && run.iter().all(|row| row.cells.len() == length)
}

/// Returns `true` if a cell has a number.
pub(super) fn is_number(cell: &Cell<'_>) -> bool {
    !is_empty_sign(cell.text)
}
