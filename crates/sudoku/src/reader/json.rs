//! JSON: matrices, strings, lists of puzzles and objects that contain a puzzle; several values may
//! follow each other.

use super::cells::is_sign;
use super::names::{PUZZLE_NAMES, SOLUTION_NAMES, VARIANTS, is_off};
use super::row::read_groups;
use super::{Cell, Fault, Puzzles, Row, fail, side, unread, whole};
use ndqueens_notation::counted::counted;

/// Names of lists of puzzles in an object, in lower case.
const LIST_NAMES: [&str; 9] =
    ["puzzles", "sudokus", "boards", "grids", "games", "quizzes", "newboard", "data", "items"];
/// Maximum nesting depth of lists and objects.
const DEEPEST: usize = 16;

#[derive(Debug)]
enum Value<'t> {
    /// A number, a string without its quotation marks, or the empty string for `null`.
    Scalar(&'t str),
    /// `true` or `false`.
    Truth(bool),
    List(Vec<Node<'t>>),
    Object(Vec<(Cell<'t>, Node<'t>)>),
}

#[derive(Debug)]
struct Node<'t> {
    /// Position of the first byte.
    at: usize,
    /// `true` if the value is a string.
    is_string: bool,
    value: Value<'t>,
}

/// Reads the puzzles of a JSON text from byte `start` on.
///
/// # Errors
/// Returns an error if the text is not JSON, or if a value is not a puzzle.
pub(super) fn read(puzzles: &mut Puzzles<'_>, start: usize) -> Result<(), Fault> {
    let mut parser = Parser { text: puzzles.text, at: start };
    while parser.peek().is_some() {
        let node = parser.value(0)?;
        add_value(puzzles, &node)?;
    }
    Ok(())
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    /// Skips blanks and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns an error for the character at the current position.
    fn unexpected<T>(&self, wanted: &str) -> Result<T, Fault> {
        let found = self.text[self.at..].chars().next().map_or("the end".to_owned(), |c| format!("\"{c}\""));
        fail(self.at, format!("{found} found in JSON where {wanted} is needed"))
    }

    /// Reads a value within `depth` lists and objects.
    fn value(&mut self, depth: usize) -> Result<Node<'t>, Fault> {
        let next = self.peek();
        let at = self.at;
        let node = |value| Ok(Node { at, is_string: false, value });
        match next {
            Some(b'[' | b'{') if depth == DEEPEST => {
                fail(at, format!("lists are nested more than {DEEPEST} deep"))
            }
            Some(b'[') => {
                let list = self.list(b']', |parser| parser.value(depth + 1))?;
                node(Value::List(list))
            }
            Some(b'{') => node(Value::Object(self.members(depth)?)),
            Some(b'"') => {
                let string = self.string()?;
                Ok(Node { at: string.at, is_string: true, value: Value::Scalar(string.text) })
            }
            _ => node(self.word()?),
        }
    }

    /// Reads the members of an object within `depth` lists and objects.
    ///
    /// # Errors
    /// Returns an error if two members have one name.
    fn members(&mut self, depth: usize) -> Result<Vec<(Cell<'t>, Node<'t>)>, Fault> {
        let members = self.list(b'}', |parser| {
            parser.peek();
            let name = parser.string()?;
            if parser.peek() != Some(b':') {
                return parser.unexpected("\":\"");
            }
            parser.at += 1;
            Ok((name, parser.value(depth + 1)?))
        })?;
        for (index, (name, _)) in members.iter().enumerate() {
            if members[..index].iter().any(|(other, _)| other.text == name.text) {
                return fail(name.at, format!("\"{}\" occurs twice in one object", name.text));
            }
        }
        Ok(members)
    }

    /// Reads a number, `null`, `true` or `false`.
    fn word(&mut self) -> Result<Value<'t>, Fault> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let digits = word.strip_prefix('-').unwrap_or(word);
        let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
        let is_number =
            digits.starts_with(|c: char| c.is_ascii_digit()) && !is_padded && word.parse::<f64>().is_ok();
        let value = match word {
            "null" => Value::Scalar(""),
            "true" | "false" => Value::Truth(word == "true"),
            _ if is_number => Value::Scalar(word),
            _ => return self.unexpected("a value"),
        };
        self.at += word.len();
        Ok(value)
    }

    /// Reads items that commas separate, from the opening bracket to `close`.
    fn list<T>(
        &mut self,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        self.at += 1;
        let mut items = Vec::new();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == close => {
                    self.at += 1;
                    return Ok(items);
                }
                _ => return self.unexpected(&format!("\",\" or \"{}\"", char::from(close))),
            }
        }
    }

    /// Reads a string without decoding escapes.
    fn string(&mut self) -> Result<Cell<'t>, Fault> {
        if self.text.as_bytes().get(self.at) != Some(&b'"') {
            return self.unexpected("a string");
        }
        let from = self.at + 1;
        let mut at = from;
        loop {
            match self.text.as_bytes().get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(b'\n') | None => return fail(self.at, "the string is not closed in its line"),
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Cell { text: &self.text[from..at], at: from })
    }
}

/// Adds the puzzles of a value.
fn add_value<'t>(puzzles: &mut Puzzles<'t>, node: &Node<'t>) -> Result<(), Fault> {
    if let Value::Object(members) = &node.value {
        return add_object(puzzles, node.at, members);
    }
    match read_grids(puzzles, node)? {
        Some(grids) => grids.iter().try_for_each(|cells| puzzles.add(cells, None)),
        None => match &node.value {
            Value::List(items) => items.iter().try_for_each(|item| add_value(puzzles, item)),
            _ => fail(node.at, "a puzzle is needed here: a string, a list or an object"),
        },
    }
}

/// Members of an object by their role.
#[derive(Default)]
struct Members<'n, 't> {
    puzzle: Option<&'n Node<'t>>,
    solution: Option<&'n Node<'t>>,
    /// Lists of puzzles.
    lists: Vec<&'n Node<'t>>,
    /// Names and values that are not read.
    unread: Vec<(&'t str, Cell<'t>)>,
}

/// Sorts the members of an object by their role.
///
/// # Errors
/// Returns an error if a member belongs to a variant of Sudoku, if a list or an object has no known name, or
/// if there are two puzzles or two solutions.
fn sort_members<'n, 't>(
    puzzles: &Puzzles<'t>,
    members: &'n [(Cell<'t>, Node<'t>)],
) -> Result<Members<'n, 't>, Fault> {
    let mut sorted = Members::default();
    for (name, node) in members {
        let lower = name.text.to_ascii_lowercase();
        let is_scalar = matches!(node.value, Value::Scalar(_) | Value::Truth(_));
        let is_off = match &node.value {
            Value::Truth(value) => !value,
            Value::Scalar(text) => is_off(text),
            Value::List(items) => items.is_empty(),
            Value::Object(_) => false,
        };
        if VARIANTS.contains(&lower.as_str()) && !is_off {
            return fail(
                name.at,
                format!("\"{}\" belongs to a variant of Sudoku, which is not supported", name.text),
            );
        }
        let is_list = LIST_NAMES.contains(&lower.as_str()) && !is_scalar;
        let is_one = !is_list || read_grids(puzzles, node)?.is_some_and(|grids| grids.len() == 1);
        let is_second = if PUZZLE_NAMES.contains(&lower.as_str()) && is_one {
            sorted.puzzle.replace(node).is_some()
        } else if SOLUTION_NAMES.contains(&lower.as_str()) {
            sorted.solution.replace(node).is_some()
        } else if is_list {
            sorted.lists.push(node);
            false
        } else if let Value::Scalar(text) = node.value {
            sorted.unread.push((name.text, Cell { text, at: node.at }));
            false
        } else if !is_scalar && !is_off {
            let message =
                format!("\"{}\" is not a known name of a puzzle, such as puzzle, board or grid", name.text);
            return fail(name.at, message);
        } else {
            false
        };
        if is_second {
            return fail(name.at, "a second puzzle or solution is in the object");
        }
    }
    Ok(sorted)
}

/// Adds the puzzle of an object with its solution, or the puzzles of its lists.
fn add_object<'t>(
    puzzles: &mut Puzzles<'t>,
    at: usize,
    members: &[(Cell<'t>, Node<'t>)],
) -> Result<(), Fault> {
    let Members { puzzle, solution, lists, unread } = sort_members(puzzles, members)?;
    let grids = puzzle.map(|node| read_grids(puzzles, node)).transpose()?.flatten();
    let neighbour = grids.as_deref().and_then(<[_]>::first).map_or(0, Vec::len);
    for (name, value) in unread {
        unread::check("key", name, value, neighbour)?;
    }
    match (puzzle, lists.is_empty()) {
        (Some(puzzle), true) => {
            let read_one =
                |node: &Node<'t>, puzzles: &Puzzles<'t>| match read_grids(puzzles, node)?.as_deref() {
                    Some([cells]) => Ok(cells.clone()),
                    _ => fail(node.at, "one puzzle is needed here"),
                };
            let cells = read_one(puzzle, puzzles)?;
            let is_stated = |node: &&Node<'_>| !matches!(node.value, Value::Scalar(""));
            let solution = solution.filter(is_stated).map(|node| read_one(node, puzzles)).transpose()?;
            puzzles.add(&cells, solution.as_deref())
        }
        (None, false) if solution.is_none() => {
            lists.into_iter().try_for_each(|node| add_value(puzzles, node))
        }
        (Some(_), false) => fail(at, "a puzzle and a list of puzzles are in one object"),
        _ => fail(at, "the object has no puzzle; its name is puzzle, board or grid"),
    }
}

/// Reads the grids of a string or a list; returns `None` for any other value, and for a list whose
/// items contain puzzles.
fn read_grids<'t>(puzzles: &Puzzles<'t>, node: &Node<'t>) -> Result<Option<Vec<Vec<Cell<'t>>>>, Fault> {
    let items = match &node.value {
        Value::Scalar(text) if node.is_string => {
            return split_string(puzzles, Cell { text, at: node.at }).map(Some);
        }
        Value::List(items) => items,
        _ => return Ok(None),
    };
    if items.is_empty() {
        return fail(node.at, "the list is empty");
    }
    let cell = |item: &Node<'t>| match item.value {
        Value::Scalar(text) if text.len() <= 2 && text.chars().all(is_sign) && !text.starts_with("-0") => {
            let is_cell = item.is_string || !text.starts_with('-');
            is_cell.then_some(Cell { text: if text == " " { "" } else { text }, at: item.at })
        }
        _ => None,
    };
    // A string of at most two characters is a cell, a longer one may be a row.
    if let Some(cells) = items.iter().map(cell).collect::<Option<Vec<_>>>() {
        if whole(cells.len()).is_none() {
            let (found, note) = super::format_cells(cells.len());
            let message = format!(
                "{found} found; a list of cells has 16, 81, 256 or 625 of them, a list of lists 4, 9, 16 or 25{note}"
            );
            return fail(node.at, message);
        }
        return Ok(Some(vec![cells]));
    }
    let row = |item: &Node<'t>| -> Result<Option<Row<'t>>, Fault> {
        let (text, cells) = match &item.value {
            Value::Scalar(text) if item.is_string && !text.contains('\\') => {
                (*text, read_groups(Cell { text, at: item.at })?)
            }
            Value::List(cells) if cells.iter().any(|item| cell(item).is_some()) => {
                let mut row = Vec::new();
                for item in cells {
                    let Some(cell) = cell(item) else {
                        return fail(
                            item.at,
                            "this is not a cell; a cell is a number, a sign in quotation marks or null",
                        );
                    };
                    row.push(cell);
                }
                ("", row)
            }
            _ => return Ok(None),
        };
        Ok(Some(Row { at: item.at, text, cells }))
    };
    let mut rows = Vec::new();
    for item in items {
        let Some(row) = row(item)? else { return Ok(None) };
        rows.push(row);
    }
    split_rows(puzzles, node.at, rows).map(Some)
}

/// Returns the grids of rows, each of which is a whole puzzle, or which together are one.
fn split_rows<'t>(puzzles: &Puzzles<'t>, at: usize, rows: Vec<Row<'t>>) -> Result<Vec<Vec<Cell<'t>>>, Fault> {
    let length = rows[0].cells.len();
    if let Some(odd) = rows.iter().find(|row| row.cells.len() != length) {
        let message = format!("{} found where the first row has {length}", counted(odd.cells.len(), "cell"));
        return fail(odd.at, message);
    }
    if whole(length).is_some() && (side(length).is_none() || puzzles.are_whole(&rows)?) {
        return Ok(rows.into_iter().map(|row| row.cells).collect());
    }
    if side(length).is_none() || rows.len() != length {
        let (_, note) = super::format_cells(length);
        return fail(
            at,
            format!(
                "{} of {} found; a grid has 4, 9, 16 or 25 of each{note}",
                counted(rows.len(), "row"),
                counted(length, "cell")
            ),
        );
    }
    Ok(vec![rows.into_iter().flat_map(|row| row.cells).collect()])
}

/// Returns the grids of a string, whose rows may be divided by `\n`.
fn split_string<'t>(puzzles: &Puzzles<'t>, string: Cell<'t>) -> Result<Vec<Vec<Cell<'t>>>, Fault> {
    let mut rows = Vec::new();
    let mut at = string.at;
    for line in string.text.split("\\n") {
        if !line.is_empty() {
            rows.push(Row { at, text: line, cells: read_groups(Cell { text: line, at })? });
        }
        at += line.len() + 2;
    }
    if rows.is_empty() {
        return fail(string.at, "the string is empty");
    }
    if let [row] = &rows[..] {
        if whole(row.cells.len()).is_none() {
            let (found, note) = super::format_cells(row.cells.len());
            return fail(string.at, format!("{found} found; a puzzle has 16, 81, 256 or 625 of them{note}"));
        }
        return Ok(vec![rows.remove(0).cells]);
    }
    split_rows(puzzles, string.at, rows)
}
