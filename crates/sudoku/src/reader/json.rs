//! JSON: matrices, strings, lists of puzzles and objects with a puzzle in them; several values may follow each other.

use super::cells::is_sign;
use super::names::{PUZZLE_NAMES, SOLUTION_NAMES, VARIANTS, is_off};
use super::row::read_groups;
use super::{Cell, Fault, Puzzles, Row, side, unread, whole};
use ndqueens_notation::counted::counted;

/// Names of lists of puzzles in an object, in lower case.
const LIST_NAMES: [&str; 9] =
    ["puzzles", "sudokus", "boards", "grids", "games", "quizzes", "newboard", "data", "items"];
/// Deepest nesting of lists and objects.
const DEEPEST: usize = 16;

#[derive(Debug)]
enum Value<'t> {
    /// A number, a string without its quotation marks, or nothing for `null`.
    Scalar(&'t str),
    /// `true` or `false`.
    Truth(bool),
    List(Vec<Node<'t>>),
    Object(Vec<(Cell<'t>, Node<'t>)>),
}

#[derive(Debug)]
struct Node<'t> {
    at: usize,
    /// The value is a string.
    is_string: bool,
    value: Value<'t>,
}

/// Reads the puzzles of a JSON text from byte `start` on.
pub(super) fn read(puzzles: &mut Puzzles<'_>, start: usize) -> Result<(), Fault> {
    let mut parser = Parser { text: puzzles.text, at: start };
    while parser.peek().is_some() {
        let node = parser.value(0)?;
        add(puzzles, &node)?;
    }
    Ok(())
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    /// Returns the next byte after blanks.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.as_bytes().get(self.at) {
            self.at += 1;
        }
        self.text.as_bytes().get(self.at).copied()
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, Fault> {
        let found = self.text[self.at..].chars().next().map_or("the end".to_owned(), |c| format!("\"{c}\""));
        Fault::new(self.at, format!("{found} found in JSON where {wanted} is needed"))
    }

    fn value(&mut self, depth: usize) -> Result<Node<'t>, Fault> {
        let next = self.peek();
        let at = self.at;
        let node = |is_string, value| Ok(Node { at, is_string, value });
        match next {
            Some(b'[' | b'{') if depth == DEEPEST => {
                Fault::new(at, format!("lists are nested more than {DEEPEST} deep"))
            }
            Some(b'[') => {
                let list = self.list(b']', |parser| parser.value(depth + 1))?;
                node(false, Value::List(list))
            }
            Some(b'{') => {
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
                        return Fault::new(name.at, format!("\"{}\" stands twice in one object", name.text));
                    }
                }
                node(false, Value::Object(members))
            }
            Some(b'"') => {
                let string = self.string()?;
                Ok(Node { at: string.at, is_string: true, value: Value::Scalar(string.text) })
            }
            _ => {
                let rest = &self.text[at..];
                let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '+' | '.'));
                let word = &rest[..end.unwrap_or(rest.len())];
                let digits = word.strip_prefix('-').unwrap_or(word);
                let is_padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
                let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
                    && !is_padded
                    && word.parse::<f64>().is_ok();
                let value = match word {
                    "null" => Value::Scalar(""),
                    "true" | "false" => Value::Truth(word == "true"),
                    _ if is_number => Value::Scalar(word),
                    _ => return self.unexpected("a value"),
                };
                self.at += word.len();
                node(false, value)
            }
        }
    }

    /// Reads what stands between commas up to a closing bracket.
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

    /// Reads a string; escapes are left as they are.
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
                Some(b'\n') | None => return Fault::new(self.at, "the string is not closed in its line"),
                Some(_) => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Cell { text: &self.text[from..at], at: from })
    }
}

/// Adds the puzzles of a value.
fn add<'t>(puzzles: &mut Puzzles<'t>, node: &Node<'t>) -> Result<(), Fault> {
    if let Value::Object(members) = &node.value {
        return add_object(puzzles, node.at, members);
    }
    match grids(puzzles, node)? {
        Some(grids) => grids.iter().try_for_each(|cells| puzzles.add(cells, None)),
        None => match &node.value {
            Value::List(items) => items.iter().try_for_each(|item| add(puzzles, item)),
            _ => Fault::new(node.at, "a puzzle is needed here: a string, a list or an object"),
        },
    }
}

/// Adds the puzzle of an object and the solution beside it, or the puzzles of the lists in it.
fn add_object<'t>(
    puzzles: &mut Puzzles<'t>,
    at: usize,
    members: &[(Cell<'t>, Node<'t>)],
) -> Result<(), Fault> {
    let (mut puzzle, mut solution, mut lists, mut unread) = (None, None, Vec::new(), Vec::new());
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
            return Fault::new(
                name.at,
                format!("\"{}\" belongs to a variant of Sudoku, which is not supported", name.text),
            );
        }
        let is_list = LIST_NAMES.contains(&lower.as_str()) && !is_scalar;
        let is_one = !is_list || grids(puzzles, node)?.is_some_and(|grids| grids.len() == 1);
        let seen = if PUZZLE_NAMES.contains(&lower.as_str()) && is_one {
            puzzle.replace(node).is_some()
        } else if SOLUTION_NAMES.contains(&lower.as_str()) {
            solution.replace(node).is_some()
        } else if is_list {
            lists.push(node);
            false
        } else if let Value::Scalar(text) = node.value {
            unread.push((name.text, Cell { text, at: node.at }));
            false
        } else if !is_scalar && !is_off {
            let words =
                format!("\"{}\" is not a known name of a puzzle, such as puzzle, board or grid", name.text);
            return Fault::new(name.at, words);
        } else {
            false
        };
        if seen {
            return Fault::new(name.at, "a second puzzle or solution is in the object");
        }
    }
    let beside = puzzle.map(|node| grids(puzzles, node)).transpose()?.flatten();
    let beside = beside.as_deref().and_then(<[_]>::first).map_or(0, Vec::len);
    for (name, value) in unread {
        unread::check("key", name, value, beside)?;
    }
    match (puzzle, lists.is_empty()) {
        (Some(puzzle), true) => {
            let one = |node: &Node<'t>, puzzles: &Puzzles<'t>| match grids(puzzles, node)?.as_deref() {
                Some([cells]) => Ok(cells.clone()),
                _ => Fault::new(node.at, "one puzzle is needed here"),
            };
            let cells = one(puzzle, puzzles)?;
            let is_missing = |node: &&Node<'_>| !matches!(node.value, Value::Scalar(""));
            let solution = solution.filter(is_missing).map(|node| one(node, puzzles)).transpose()?;
            puzzles.add(&cells, solution.as_deref())
        }
        (None, false) if solution.is_none() => lists.into_iter().try_for_each(|node| add(puzzles, node)),
        (Some(_), false) => Fault::new(at, "a puzzle and a list of puzzles are in one object"),
        _ => Fault::new(at, "the object has no puzzle; its name is puzzle, board or grid"),
    }
}

/// Returns the grids of a string or a list, or `None` if it is a list of values that have puzzles themselves.
fn grids<'t>(puzzles: &Puzzles<'t>, node: &Node<'t>) -> Result<Option<Vec<Vec<Cell<'t>>>>, Fault> {
    let items = match &node.value {
        Value::Scalar(text) if node.is_string => {
            return of_string(puzzles, Cell { text, at: node.at }).map(Some);
        }
        Value::List(items) => items,
        _ => return Ok(None),
    };
    if items.is_empty() {
        return Fault::new(node.at, "the list is empty");
    }
    let cell = |item: &Node<'t>| match item.value {
        Value::Scalar(text) if text.len() <= 2 && text.chars().all(is_sign) && !text.starts_with("-0") => {
            let is_cell = item.is_string || !text.starts_with('-');
            is_cell.then_some(Cell { text: if text == " " { "" } else { text }, at: item.at })
        }
        _ => None,
    };
    // A string of four cells may be a row, one of at most two characters is a cell.
    if let Some(cells) = items.iter().map(cell).collect::<Option<Vec<_>>>() {
        if whole(cells.len()).is_none() {
            let (found, note) = super::format_cells(cells.len());
            let words = format!(
                "{found} found; a list of cells has 16, 81, 256 or 625 of them, a list of lists 4, 9, 16 or 25{note}"
            );
            return Fault::new(node.at, words);
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
                        return Fault::new(
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
    of_rows(puzzles, node.at, rows).map(Some)
}

/// Returns the grids of rows that are all whole or all together one grid.
fn of_rows<'t>(puzzles: &Puzzles<'t>, at: usize, rows: Vec<Row<'t>>) -> Result<Vec<Vec<Cell<'t>>>, Fault> {
    let length = rows[0].cells.len();
    if let Some(odd) = rows.iter().find(|row| row.cells.len() != length) {
        let words = format!("{} found where the first row has {length}", counted(odd.cells.len(), "cell"));
        return Fault::new(odd.at, words);
    }
    if whole(length).is_some() && (side(length).is_none() || puzzles.are_whole(&rows)?) {
        return Ok(rows.into_iter().map(|row| row.cells).collect());
    }
    if side(length).is_none() || rows.len() != length {
        let (_, note) = super::format_cells(length);
        return Fault::new(
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

/// Returns the grid of a string, whose rows may be divided by `\n`.
fn of_string<'t>(puzzles: &Puzzles<'t>, string: Cell<'t>) -> Result<Vec<Vec<Cell<'t>>>, Fault> {
    let mut rows = Vec::new();
    let mut at = string.at;
    for line in string.text.split("\\n") {
        if !line.is_empty() {
            rows.push(Row { at, text: line, cells: read_groups(Cell { text: line, at })? });
        }
        at += line.len() + 2;
    }
    if rows.is_empty() {
        return Fault::new(string.at, "the string is empty");
    }
    if let [row] = &rows[..] {
        if whole(row.cells.len()).is_none() {
            let (found, note) = super::format_cells(row.cells.len());
            return Fault::new(
                string.at,
                format!("{found} found; a puzzle has 16, 81, 256 or 625 of them{note}"),
            );
        }
        return Ok(vec![rows.remove(0).cells]);
    }
    of_rows(puzzles, string.at, rows)
}
