//! Text files: lines of cells, grids, tables, SadMan's sections and HoDoKu's library lines.

use ndqueens_notation::counted::counted;
use std::collections::BTreeSet;

use super::cells::{is_bar, is_one_cell, not_a_cell, signs};
use super::names::{PUZZLE_NAMES, SOLUTION_NAMES, VARIANTS, is_off};
use super::row::{self, Line, Token, fields};
use super::{Cell, Fault, LONGEST_ROW, Puzzles, Row, fail, unread, whole};

/// Section of a SadMan file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Puzzle,
    State,
    PencilMarks,
}

/// Columns of a table, counted from 0.
struct Table {
    separator: char,
    columns: usize,
    puzzle: usize,
    solution: Option<usize>,
    /// Names of the other columns, whose values are not read.
    unread: Vec<(usize, String)>,
}

/// State of the reader between two lines.
struct Lines<'p, 't> {
    puzzles: &'p mut Puzzles<'t>,
    /// Lines of cells since the last line that separates puzzles.
    run: Vec<Row<'t>>,
    section: Section,
    /// Number of puzzles before the section.
    before: usize,
    /// Number of lines of pencil marks in the section.
    marks: usize,
    /// Table whose header has been read.
    table: Option<Table>,
    /// Lengths of the lines that contain both `-` and numbers as cells; empty if `-` is not a cell.
    dashed_lengths: BTreeSet<usize>,
}

/// Reads the puzzles of a text from byte `start` on.
///
/// # Errors
/// Returns an error if a line has no documented meaning.
pub(super) fn read(puzzles: &mut Puzzles<'_>, start: usize) -> Result<(), Fault> {
    let text = puzzles.text;
    let mut lines = Lines {
        dashed_lengths: dashed_lengths(text, start),
        before: 0,
        puzzles,
        run: Vec::new(),
        section: Section::Puzzle,
        marks: 0,
        table: None,
    };
    for line in split_lines(text, start) {
        if let Some(at) = line.text.find('\r') {
            return fail(line.at + at, "a carriage return is within a line");
        }
        lines.read(line)?;
    }
    lines.end_section(text.len())
}

/// Returns the lines of a text without line ends.
fn split_lines(text: &str, start: usize) -> impl Iterator<Item = Cell<'_>> {
    text[start..].split_inclusive('\n').map(move |line| {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Cell { text: line.strip_suffix('\r').unwrap_or(line), at }
    })
}

/// Returns the lengths, in cells, of the lines that contain both `-` as an empty cell and a number.
fn dashed_lengths(text: &str, start: usize) -> BTreeSet<usize> {
    let length = |line: Cell<'_>| {
        let has_both = line.text.contains('-') && line.text.contains(|c: char| c.is_ascii_alphanumeric());
        if !has_both || line.text.trim_start().starts_with(['#', '/']) {
            return None;
        }
        let cells = match row::read(line).ok()? {
            Line::Row(cells) => cells,
            Line::Record { grids } => signs(*grids.first()?).ok()?,
        };
        let is_number = |cell: &Cell<'_>| row::is_number(cell);
        (cells.iter().any(|cell| cell.text == "-") && cells.iter().any(is_number)).then_some(cells.len())
    };
    split_lines(text, start).filter_map(length).collect()
}

impl<'t> Lines<'_, 't> {
    /// Reads a line, whose meaning may depend on the lines before.
    fn read(&mut self, line: Cell<'t>) -> Result<(), Fault> {
        let trimmed = line.text.trim();
        if self.section == Section::PencilMarks && !trimmed.is_empty() && !trimmed.starts_with(['#', '[']) {
            return self.read_marks(line);
        }
        if trimmed.is_empty() {
            // Empty lines may separate the bands of a grid.
            return if row::ends_band(&self.run) { Ok(()) } else { self.end_run() };
        }
        if trimmed.starts_with('#') || trimmed.starts_with("//") {
            return self.end_run();
        }
        if self.is_comment(line) {
            check_comment(line)?;
            return self.end_run();
        }
        if let Some(table) = &self.table {
            return read_record(self.puzzles, table, line);
        }
        if trimmed.starts_with('[') {
            return self.start_section(line);
        }
        if self.is_rule(line)? {
            return Ok(());
        }
        if trimmed.starts_with(':')
            && trimmed.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
            && trimmed.len() > 81
        {
            self.end_run()?;
            return read_hodoku(self.puzzles, line);
        }
        if let Some(table) = header(line)? {
            self.end_run()?;
            self.table = Some(table);
            return Ok(());
        }
        if is_heading(trimmed) {
            return self.end_run();
        }
        self.read_cells(line)
    }

    /// Reads a line of cells.
    fn read_cells(&mut self, line: Cell<'t>) -> Result<(), Fault> {
        match row::read(line)? {
            Line::Record { grids } => {
                self.end_run()?;
                row::add_record(self.puzzles, &grids)
            }
            Line::Row(cells) => {
                let row = Row { at: line.at, text: line.text, cells };
                // A line that is too long for a row of any grid is a puzzle of its own.
                if row.cells.len() > LONGEST_ROW && whole(row.cells.len()).is_some() {
                    self.end_run()?;
                }
                self.run.push(row);
                if self.run[0].cells.len() > LONGEST_ROW { self.end_run() } else { Ok(()) }
            }
        }
    }

    /// Adds the puzzles of the lines of cells since the last line that separates puzzles.
    fn end_run(&mut self) -> Result<(), Fault> {
        let run = std::mem::take(&mut self.run);
        row::add_rows(self.puzzles, &run)
    }

    /// Returns `true` for a line that begins with `;` and is not a row of cells between semicolons.
    fn is_comment(&self, line: Cell<'_>) -> bool {
        let is_table = self.table.as_ref().is_some_and(|table| table.separator == ';');
        let count = line.text.matches(';').count() + 1;
        line.text.trim_start().starts_with(';')
            && !is_table
            && ((super::side(count).is_none() && whole(count).is_none())
                || line.text.split(';').any(|field| field.trim().len() > 2))
    }

    /// Returns `true` if a line consists of drawing characters and contains no cell.
    ///
    /// # Errors
    /// Returns an error for a line of dashes that may be a rule or a puzzle without clues.
    fn is_rule(&self, line: Cell<'_>) -> Result<bool, Fault> {
        let is_box = |c: char| ('\u{2500}'..='\u{257f}').contains(&c);
        let signs: Vec<char> = line.text.chars().filter(|c| !c.is_whitespace()).collect();
        let is_drawn = |&c: &char| is_box(c) || matches!(c, '-' | '=' | '+' | '|' | '.' | ':' | '\'' | '*');
        if !signs.iter().all(is_drawn) {
            return Ok(false);
        }
        let has = |wanted: &[char]| signs.iter().any(|c| wanted.contains(c));
        let dashes = signs.iter().filter(|&&c| c == '-').count();
        let cells = signs.iter().filter(|&&c| matches!(c, '-' | '.' | '*')).count();
        // If - is an empty cell, a line of dashes is cells if it is as long as other lines of cells.
        let may_be_cells =
            self.dashed_lengths.contains(&cells) || self.dashed_lengths.iter().any(|&cells| cells >= 81);
        if signs.iter().any(|&c| is_box(c) && !is_bar(c)) {
            return Ok(!has(&['*', '.', ':', '\'']));
        }
        if !has(&['.', ':', '\'', '*']) {
            if dashes >= 81 && whole(dashes).is_some() && !has(&['+', '=']) && !may_be_cells {
                let message =
                    format!("{dashes} dashes are a puzzle without clues or a rule; write . for empty cells");
                return fail(line.at, message);
            }
            let is_short = dashes < 3 && !self.dashed_lengths.is_empty();
            return Ok(dashes == 0 || has(&['+', '=']) || !(may_be_cells || is_short));
        }
        let is_corner =
            |c: Option<&char>| c.is_some_and(|&c| is_bar(c) || matches!(c, '.' | ':' | '\'' | '*' | '+'));
        let is_run = |run: &[char]| run.is_empty() || run.len() >= 3;
        let long_runs = signs.split(|&c| c != '-').all(is_run);
        let is_frame = is_corner(signs.first()) && is_corner(signs.last()) && dashes >= 3 && long_runs;
        Ok(is_frame && (!may_be_cells || has(&[':', '\'', '+'])))
    }

    /// Starts a section of a SadMan file.
    fn start_section(&mut self, line: Cell<'t>) -> Result<(), Fault> {
        self.end_section(line.at)?;
        let title = line.text.trim();
        let section = match title.to_ascii_lowercase().as_str() {
            "[puzzle]" => Section::Puzzle,
            "[state]" => Section::State,
            "[pencilmarks]" => Section::PencilMarks,
            _ => {
                return fail(
                    line.at,
                    format!("unknown section {title}; [Puzzle], [State] and [PencilMarks] are read"),
                );
            }
        };
        if section != Section::Puzzle && self.puzzles.puzzles.is_empty() {
            return fail(line.at, format!("{title} is before [Puzzle]"));
        }
        (self.section, self.before, self.marks) = (section, self.puzzles.puzzles.len(), 0);
        Ok(())
    }

    /// Ends a section. The numbers of `[State]` become expected numbers of the solution.
    ///
    /// # Errors
    /// Returns an error if `[State]` is not one grid with the clues of `[Puzzle]`, or if
    /// `[PencilMarks]` is incomplete.
    fn end_section(&mut self, at: usize) -> Result<(), Fault> {
        self.end_run()?;
        match self.section {
            Section::Puzzle => Ok(()),
            Section::State => {
                let found = self.puzzles.puzzles.len() - self.before;
                let state = self.puzzles.puzzles.pop();
                let (Some(state), 1, Some(puzzle)) = (state, found, self.puzzles.puzzles.last_mut()) else {
                    return fail(at, format!("[State] has {found} grids; it must have one"));
                };
                let keeps =
                    puzzle.cells.iter().zip(&state.cells).all(|(clue, now)| clue.is_none() || clue == now);
                if state.order != puzzle.order || !keeps {
                    return fail(at, "[State] does not contain the clues of [Puzzle]");
                }
                puzzle.expected = state.cells;
                Ok(())
            }
            Section::PencilMarks => {
                let rows = self.puzzles.puzzles.last().map_or(0, crate::puzzle::Puzzle::side);
                if self.marks != rows {
                    return fail(
                        at,
                        format!("[PencilMarks] has {}; it must have {rows}", counted(self.marks, "line")),
                    );
                }
                Ok(())
            }
        }
    }

    /// Checks a line of candidates, whose values are not used because they follow from the puzzle.
    fn read_marks(&mut self, line: Cell<'t>) -> Result<(), Fault> {
        let n = self.puzzles.puzzles.last().map_or(0, crate::puzzle::Puzzle::side);
        let marks = fields(line, ',')?;
        if marks.len() != n || self.marks == n {
            let message =
                format!("{} found; [PencilMarks] has {n} lines of {n} fields", counted(marks.len(), "field"));
            return fail(line.at, message);
        }
        for Token { cell, .. } in marks {
            if let Some((at, c)) = cell.text.char_indices().find(|(_, c)| !c.is_ascii_alphanumeric()) {
                return fail(cell.at + at, format!("\"{c}\" is not a candidate"));
            }
        }
        self.marks += 1;
        Ok(())
    }
}

/// Checks that a line that begins with `;`, which is a comment, contains no cells.
fn check_comment(line: Cell<'_>) -> Result<(), Fault> {
    let trimmed = line.text.trim();
    let is_cell = |c: char| c.is_ascii_digit() || matches!(c, '.' | '*' | '_' | '?' | '-' | 'x' | 'X');
    let has_run = trimmed.split(|c| !is_cell(c)).any(|run| run.len() >= 16);
    let fields = || trimmed.split(';').map(str::trim).filter(|field| !field.is_empty());
    let is_row = fields().count() >= 2 && fields().all(is_one_cell);
    if has_run || is_row || unread::cells_in(&trimmed[1..], 0).is_some() {
        let message = "a line that begins with ; is a comment, and this one holds cells; \
                       begin a comment with #, or leave out the empty field";
        return fail(line.at, message);
    }
    Ok(())
}

/// Returns `true` if a line is a heading of the puzzle that follows: a word and a number, such as `Grid 01`.
fn is_heading(line: &str) -> bool {
    let is_word = |word: &str| {
        (2..=20).contains(&word.len())
            && word.chars().all(|c| c.is_alphabetic() || c == '_')
            && word.contains(|c: char| c.is_alphabetic() && !c.eq_ignore_ascii_case(&'x'))
    };
    let is_number = |word: &str| {
        let digits = word.trim_start_matches('#').trim_end_matches([':', '.']);
        !digits.is_empty() && digits.len() <= 9 && digits.chars().all(|c| c.is_ascii_digit())
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let cells: usize = words.iter().map(|word| word.len()).sum();
    matches!(words[..], [word, number] if is_word(word) && is_number(number) && !matches!(cells, 16 | 25))
}

/// Reads the header of a table; returns `None` if the line is not a header.
///
/// # Errors
/// Returns an error if the header has no column of puzzles, or two of them.
fn header(line: Cell<'_>) -> Result<Option<Table>, Fault> {
    let separator = line.text.chars().find(|c| matches!(c, ',' | ';' | '\t' | ':')).unwrap_or(' ');
    let is_name = |name: &str| {
        name.is_empty()
            || (name.len() <= 40
                && name.starts_with(|c: char| c.is_alphabetic())
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.' | '(' | ')' | '#')))
    };
    if !line.text.trim_start().starts_with(|c: char| c.is_alphabetic() || c == '"' || c == separator) {
        return Ok(None);
    }
    let names = columns(line, separator)?;
    if !names.iter().all(|name| is_name(name.cell.text)) {
        return Ok(None);
    }
    let find_column = |known: &[&str]| {
        let is_known = |name: &Token<'_>| known.contains(&name.cell.text.to_ascii_lowercase().as_str());
        let mut found = names.iter().enumerate().filter(|(_, name)| is_known(name));
        match (found.next(), found.next()) {
            (Some(_), Some((_, second))) => {
                fail(second.cell.at, format!("the header has two columns like \"{}\"", second.cell.text))
            }
            (first, _) => Ok(first.map(|(column, _)| column)),
        }
    };
    let (puzzle, solution) = (find_column(&PUZZLE_NAMES)?, find_column(&SOLUTION_NAMES)?);
    match (puzzle, solution) {
        (Some(puzzle), solution) => {
            let others = (0..names.len()).filter(|&column| column != puzzle && Some(column) != solution);
            let unread = others.map(|column| (column, names[column].cell.text.to_owned())).collect();
            Ok(Some(Table { separator, columns: names.len(), puzzle, solution, unread }))
        }
        (None, Some(_)) => fail(line.at, "the header names no column of puzzles; its name is puzzle"),
        (None, None) => {
            let is_header =
                names.len() > 1 && separator != ' ' && names.iter().all(|name| name.cell.text.len() > 1);
            if is_header {
                return fail(line.at, "the header names no column of puzzles; its name is puzzle");
            }
            Ok(None)
        }
    }
}

/// Splits a line of a table into its fields.
fn columns(line: Cell<'_>, separator: char) -> Result<Vec<Token<'_>>, Fault> {
    if separator != ' ' {
        return fields(line, separator);
    }
    let mut all = Vec::new();
    for word in line.text.split_whitespace() {
        let at = line.at + (word.as_ptr() as usize - line.text.as_ptr() as usize);
        all.extend(fields(Cell { text: word, at }, '\t')?);
    }
    Ok(all)
}

/// Reads a line of a table.
///
/// # Errors
/// Returns an error if the line does not fit the header, or if it is not one puzzle with at most one
/// complete solution.
fn read_record<'t>(puzzles: &mut Puzzles<'t>, table: &Table, line: Cell<'t>) -> Result<(), Fault> {
    let record = columns(line, table.separator)?;
    if record.len() != table.columns {
        let message = format!(
            "{} found; the header of the table has {}",
            counted(record.len(), "field"),
            table.columns
        );
        return fail(line.at, message);
    }
    let puzzle = record[table.puzzle].cell;
    let cells = signs(puzzle)?;
    if whole(cells.len()).is_none() {
        let (found, note) = super::format_cells(cells.len());
        let message =
            format!("{found} found in the column of puzzles; a puzzle has 16, 81, 256 or 625 of them{note}");
        return fail(puzzle.at, message);
    }
    for (column, name) in &table.unread {
        let value = record[*column].cell;
        if VARIANTS.contains(&name.to_ascii_lowercase().as_str()) && !is_off(value.text) {
            let message =
                format!("the column \"{name}\" belongs to a variant of Sudoku, which is not supported");
            return fail(value.at, message);
        }
        unread::check("column", name, value, cells.len())?;
    }
    let Some(solution) =
        table.solution.map(|column| record[column].cell).filter(|cell| !cell.text.is_empty())
    else {
        return puzzles.add(&cells, None);
    };
    puzzles.add(&cells, Some(&signs(solution)?))?;
    let is_full = |puzzle: &crate::puzzle::Puzzle| puzzle.expected.iter().all(Option::is_some);
    if puzzles.puzzles.last().is_some_and(|puzzle| !is_full(puzzle)) {
        return fail(solution.at, "the grid in the column of solutions is not complete");
    }
    Ok(())
}

/// Reads a line of HoDoKu's library: `:technique:candidates:grid:deleted:eliminated:placed:remark`.
///
/// Numbers after `+` have been placed in the grid; they are expected numbers of the solution, not clues.
fn read_hodoku<'t>(puzzles: &mut Puzzles<'t>, line: Cell<'t>) -> Result<(), Fault> {
    let mut at = line.at + (line.text.len() - line.text.trim_start().len());
    let mut parts = Vec::new();
    for part in line.text.trim().split(':') {
        parts.push(Cell { text: part, at });
        at += part.len() + 1;
    }
    let grid = check_hodoku(line, &parts)?;
    let (mut cells, mut placed, mut is_placed) = (Vec::new(), Vec::new(), false);
    for (index, c) in grid.text.char_indices() {
        if c == '+' && !is_placed {
            is_placed = true;
            continue;
        }
        if !(c.is_ascii_digit() || (c == '.' && !is_placed)) {
            return not_a_cell(grid.at + index, c);
        }
        let sign = Cell { text: &grid.text[index..=index], at: grid.at + index };
        cells.push(if is_placed { Cell { text: ".", at: sign.at } } else { sign });
        placed.push(sign);
        is_placed = false;
    }
    if cells.len() != 81 || is_placed {
        return fail(
            grid.at,
            format!("{} found; a grid of HoDoKu's library has 81", counted(cells.len(), "cell")),
        );
    }
    // HoDoKu writes 0 or . for empty cells; 0 is not a number even if another number is missing.
    let zero_is_empty = |cells: Vec<Cell<'t>>| -> Vec<Cell<'t>> {
        cells
            .into_iter()
            .map(|cell| if cell.text == "0" { Cell { text: ".", ..cell } } else { cell })
            .collect()
    };
    puzzles.add(&zero_is_empty(cells), Some(&zero_is_empty(placed)))
}

/// Checks the fields of a line of HoDoKu's library except the grid, and returns the grid.
fn check_hodoku<'t>(line: Cell<'_>, parts: &[Cell<'t>]) -> Result<Cell<'t>, Fault> {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_code =
        |text: &str| text.split('-').all(|part| !part.is_empty() && part.len() <= 4 && is_digits(part));
    let is_marks =
        |text: &str| text.split(' ').all(|mark| mark.is_empty() || (mark.len() <= 3 && is_digits(mark)));
    let (given, grid) = match *parts {
        [_, code, given, grid, ..] if is_code(code.text) => (given, grid),
        _ => {
            return fail(
                line.at,
                "a line that begins with : is one of HoDoKu's library, :technique:candidates:grid:",
            );
        }
    };
    if let Some((index, c)) = given.text.char_indices().find(|(_, c)| !c.is_ascii_digit() && *c != 'x') {
        return fail(given.at + index, format!("\"{c}\" is not a candidate"));
    }
    if let Some(marks) = parts.iter().skip(4).take(3).find(|part| !is_marks(part.text)) {
        return fail(marks.at, format!("\"{}\" is not a list of candidates such as 123 456", marks.text));
    }
    // The candidates of a technique are few, and a remark is skipped: neither may contain a puzzle.
    let mut others = std::iter::once(&given).chain(parts.iter().skip(7));
    if let Some((part, cells)) = others.find_map(|part| Some((part, unread::cells_in(part.text, 81)?))) {
        return fail(part.at, format!("{cells} cells found next to the grid; a line has one puzzle"));
    }
    Ok(grid)
}
