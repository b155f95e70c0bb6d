//! OpenSudoku's XML files: `<game data="..."/>` within `<opensudoku>`.

use super::cells::signs;
use super::{Cell, Fault, Puzzles, fail, unread};
use ndqueens_notation::counted::counted;

/// Elements that describe a file or a folder; their text is skipped.
const DESCRIPTIONS: [&str; 9] =
    ["name", "author", "description", "comment", "created", "source", "level", "sourceURL", "version"];

struct Tag<'t> {
    name: &'t str,
    attributes: Vec<(&'t str, Cell<'t>)>,
    is_end: bool,
    is_empty: bool,
}

/// Reads the games of an XML text from byte `start` on.
///
/// # Errors
/// Returns an error if the text is not a file of OpenSudoku.
pub(super) fn read(puzzles: &mut Puzzles<'_>, start: usize) -> Result<(), Fault> {
    let text = puzzles.text;
    let mut open: Vec<&str> = Vec::new();
    let mut at = start;
    let mut roots = 0;
    while at < text.len() {
        let rest = &text[at..];
        let Some(next) = rest.find('<') else {
            check_text_between(text, at, text.len(), &open)?;
            break;
        };
        check_text_between(text, at, at + next, &open)?;
        at += next;
        let skipped =
            [("<!--", "-->"), ("<?", "?>")].into_iter().find(|(begin, _)| text[at..].starts_with(begin));
        if let Some((begin, end)) = skipped {
            let Some(length) = text[at + begin.len()..].find(end) else {
                return fail(at, format!("{begin} is not closed by {end}"));
            };
            at += begin.len() + length + end.len();
            continue;
        }
        let begin = at;
        let tag = read_tag(text, &mut at)?;
        if tag.is_end {
            if open.pop() != Some(tag.name) {
                return fail(begin, format!("</{}> closes no element that is open", tag.name));
            }
            continue;
        }
        let is_read = |name: &str| tag.name == "game" && name == "data";
        for (name, value) in tag.attributes.iter().filter(|(name, _)| !is_read(name)) {
            if let Some(cells) = unread::cells_in(value.text, 81) {
                let message =
                    format!("{cells} cells found in {name} of <{}>; a puzzle is in data of <game>", tag.name);
                return fail(value.at, message);
            }
        }
        let parent = open.last().copied();
        match (tag.name, parent) {
            ("opensudoku", None) if roots == 0 => roots += 1,
            ("folder", Some("opensudoku" | "folder")) => {}
            ("game", Some("opensudoku" | "folder")) => add_game(puzzles, begin, &tag)?,
            (name, Some("opensudoku" | "folder")) if DESCRIPTIONS.contains(&name) => {}
            (name, _) => {
                let message = format!(
                    "<{name}> is not read here; a file of OpenSudoku has <game data=\"...\"/> in <opensudoku>"
                );
                return fail(begin, message);
            }
        }
        if !tag.is_empty {
            open.push(tag.name);
        }
    }
    match open.last() {
        Some(name) => fail(text.trim_end().len(), format!("<{name}> is not closed")),
        None => Ok(()),
    }
}

/// Checks the text between two tags; `open` are the elements that contain it.
///
/// # Errors
/// Returns an error if there is text outside of descriptions, or if a description contains cells.
fn check_text_between(text: &str, from: usize, to: usize, open: &[&str]) -> Result<(), Fault> {
    let between = &text[from..to];
    let is_description = open.last().is_some_and(|name| DESCRIPTIONS.contains(name));
    match between.find(|c: char| !c.is_whitespace()) {
        Some(at) if !is_description => fail(from + at, "text outside of the elements of OpenSudoku"),
        Some(at) => match unread::cells_in(between, 81) {
            Some(cells) => {
                let message = format!("{cells} cells found in a description; a puzzle is in data of <game>");
                fail(from + at, message)
            }
            None => Ok(()),
        },
        None => Ok(()),
    }
}

/// Reads the tag at `at`, and moves `at` behind it.
fn read_tag<'t>(text: &'t str, at: &mut usize) -> Result<Tag<'t>, Fault> {
    let begin = *at;
    let is_end = text[begin + 1..].starts_with('/');
    let mut from = begin + 1 + usize::from(is_end);
    let word = |from: usize| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':' | '.');
        let end = text[from..].find(|c| !is_part(c)).map_or(text.len(), |end| from + end);
        &text[from..end]
    };
    let name = word(from);
    if name.is_empty() {
        return fail(begin, "a name is needed after <");
    }
    from += name.len();
    let mut attributes: Vec<(&str, Cell<'_>)> = Vec::new();
    loop {
        let blank = text[from..].len() - text[from..].trim_start().len();
        from += blank;
        let rest = &text[from..];
        let close = [("/>", true), (">", false)].into_iter().find(|(close, _)| rest.starts_with(close));
        if let Some((close, is_empty)) = close {
            if is_end && (is_empty || !attributes.is_empty()) {
                return fail(begin, format!("</{name}> must close an element"));
            }
            *at = from + close.len();
            return Ok(Tag { name, attributes, is_end, is_empty });
        }
        let attribute = word(from);
        if attribute.is_empty() || blank == 0 {
            return fail(from, format!("<{name} is not closed by >"));
        }
        if attributes.iter().any(|(other, _)| *other == attribute) {
            return fail(from, format!("{attribute} occurs twice in <{name}>"));
        }
        from += attribute.len();
        let quote = text[from..].strip_prefix('=').and_then(|rest| rest.chars().next());
        let Some(quote) = quote.filter(|c| matches!(c, '"' | '\'')) else {
            return fail(from, format!("a quoted value of {attribute} is needed"));
        };
        from += 2;
        let Some(length) =
            text[from..].find([quote, '<']).filter(|&length| text[from + length..].starts_with(quote))
        else {
            return fail(from, format!("the value of {attribute} is not closed"));
        };
        attributes.push((attribute, Cell { text: &text[from..from + length], at: from }));
        from += length + 1;
    }
}

/// Adds a game: 81 cells, or a stored game with the player's numbers.
fn add_game<'t>(puzzles: &mut Puzzles<'t>, at: usize, tag: &Tag<'t>) -> Result<(), Fault> {
    let Some((_, data)) = tag.attributes.iter().find(|(name, _)| *name == "data") else {
        return fail(at, "<game> has no data");
    };
    if !data.text.starts_with("version:") {
        if data.text.len() != 81 {
            return fail(
                data.at,
                format!("{} found; a game has 81", counted(data.text.chars().count(), "cell")),
            );
        }
        return puzzles.add(&signs(*data)?, None);
    }
    add_stored_game(puzzles, at, *data)
}

/// Adds a stored game, whose cells have the form `number|notes|editable|`.
///
/// Numbers that the player has entered are expected numbers of the solution, not clues.
fn add_stored_game<'t>(puzzles: &mut Puzzles<'t>, at: usize, data: Cell<'t>) -> Result<(), Fault> {
    let head = data
        .text
        .find("&#10;")
        .map(|end| (end, end + 5))
        .or_else(|| data.text.find('\n').map(|end| (end, end + 1)));
    let version = head
        .and_then(|(end, from)| Some((data.text["version:".len()..end].trim().parse::<u32>().ok()?, from)));
    let Some((1..=3, from)) = version else {
        return fail(data.at, "the data of a stored game must have version 1, 2 or 3");
    };
    let body = data.text[from..].trim_end().trim_end_matches("&#10;");
    let parts: Vec<&str> = body.split('|').collect();
    let (parts, end) = parts.split_at(parts.len().min(243));
    if parts.len() != 243 || end != [""] {
        return fail(data.at + from, "a stored game has 81 cells of the form number|notes|editable|");
    }
    let (mut cells, mut expected) = (Vec::new(), Vec::new());
    for cell in parts.chunks(3) {
        let at = data.at + (cell[0].as_ptr() as usize - data.text.as_ptr() as usize);
        let number = cell[0].parse::<u32>().ok().filter(|&number| number <= 9 && cell[0].len() == 1);
        let notes = cell[1].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'-'));
        let (Some(number), true, "0" | "1") = (number, notes, cell[2]) else {
            return fail(
                at,
                format!("\"{}\" is not number|notes|editable, with numbers 0 to 9", cell.join("|")),
            );
        };
        let number = number.checked_sub(1);
        cells.push(if cell[2] == "0" { number } else { None });
        expected.push(number);
    }
    puzzles.push(at, 3, cells, expected)
}
