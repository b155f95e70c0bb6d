//! Texts of numbers, split into words, and errors located at the words.

use ndqueens_notation::certificate::{Certificate, CertificateError, certificate_error};

use super::signature::{ParserInput, Placements};
use crate::board::Board;

/// A text of numbers, split into words, and the board whose squares it lists.
pub(super) struct NumberText<'t> {
    /// Words in groups that are separated by brackets, semicolons and line ends. No group is empty.
    pub(super) groups: Vec<Vec<NumberWord<'t>>>,
    /// Number of lists in brackets that contain words, not lists.
    pub(super) lists: usize,
    /// Number from which the text counts, 0 or 1.
    pub(super) base: u64,
    /// Given board.
    pub(super) board: Board,
}

impl<'t> NumberText<'t> {
    /// Splits a text in which at most `most` lists are nested. `has_cells` is set if the text is a matrix,
    /// where two tabs with nothing between them may be an empty cell.
    ///
    /// # Errors
    /// Returns an error if no board is given, if a bracket is not closed, if lists are nested too deep, or if
    /// a field is empty.
    pub(super) fn split(
        input: &ParserInput<'t>,
        most: usize,
        has_cells: bool,
    ) -> Result<Self, CertificateError> {
        let name = input.board.ok_or_else(|| {
            let fault = format!(
                "the convention \"{}\" does not name the board, so it must be given",
                input.convention
            );
            certificate_error(1, 1, fault)
        })?;
        let lists = count_lists(input.text, most)?;
        check_fields(input.text, has_cells)?;
        let groups = split_groups(input.text);
        Ok(Self { groups, lists, base: input.base, board: Board::new(name) })
    }

    /// Creates certificates of sets of squares, each with its first line. `what` is the plural noun for the
    /// listed items in the origin of the certificates.
    pub(super) fn placements(&self, what: &str, sets: Vec<(usize, Vec<Vec<u32>>)>) -> Placements {
        let origin = format!("imported, {}-based {what}", self.base);
        let certificate =
            |squares| Certificate::independent(self.board.name().clone(), squares, origin.clone());
        sets.into_iter().map(|(line, squares)| (line, certificate(squares))).collect()
    }
}

/// Word of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct NumberWord<'t> {
    pub(super) text: &'t str,
    /// Line that contains the word.
    pub(super) line: &'t str,
    pub(super) line_number: usize,
}

impl NumberWord<'_> {
    /// Creates an error located at the word.
    pub(super) fn fault(&self, fault: String) -> CertificateError {
        let before = self.text.as_ptr() as usize - self.line.as_ptr() as usize;
        certificate_error(self.line_number, self.line[..before].chars().count() + 1, fault)
    }

    /// Parses the word as one of the `count` integers from `base` on, and returns it minus `base`. The
    /// message calls it `what`.
    ///
    /// # Errors
    /// Returns an error if the word is not one of them.
    pub(super) fn number(&self, what: &str, base: u64, count: u64) -> Result<u32, CertificateError> {
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

/// Returns the number of lists in brackets that contain words, not lists. Rejects a text in which a bracket
/// is not closed by its counterpart, or in which more than `most` lists are nested: deeper lists would be
/// several placements.
fn count_lists(text: &str, most: usize) -> Result<usize, CertificateError> {
    let (mut open, mut lists, mut follows_opening) = (Vec::new(), 0, false);
    for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim_start().starts_with('#')) {
        for (column, bracket) in (1..).zip(row.chars()).filter(|(_, sign)| !sign.is_whitespace()) {
            let begins = std::mem::replace(&mut follows_opening, matches!(bracket, '(' | '[' | '{'));
            let closes = match bracket {
                '(' | '[' | '{' => {
                    open.push((line, column, bracket));
                    if open.len() > most {
                        let fault = format!(
                            "lists are nested more than {most} deep here; a file in this convention holds one placement"
                        );
                        return Err(certificate_error(line, column, fault));
                    }
                    continue;
                }
                ')' => '(',
                ']' => '[',
                '}' => '{',
                _ => {
                    lists += usize::from(begins);
                    continue;
                }
            };
            if open.pop().is_none_or(|(.., last)| last != closes) {
                let fault = format!("\"{bracket}\" closes no \"{closes}\"");
                return Err(certificate_error(line, column, fault));
            }
        }
    }
    open.pop().map_or(Ok(lists), |(line, column, bracket)| {
        Err(certificate_error(line, column, format!("\"{bracket}\" is not closed")))
    })
}

/// Rejects a text in which a comma has no number before it, or, if `has_cells` is set, in which two tabs have
/// nothing between them: an empty field may be an empty cell, and skipping it would move the numbers after
/// it. A comma after a bracket separates lists.
fn check_fields(text: &str, has_cells: bool) -> Result<(), CertificateError> {
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
                let fault = if has_cells {
                    "a field is empty here; an empty cell must be written as ."
                } else {
                    "a number is missing before this comma"
                };
                let fault = fault.to_owned();
                return Err(certificate_error(line, column, fault));
            }
            if sign == '\t' && has_cells || !sign.is_whitespace() {
                before = Some(sign);
            }
        }
    }
    Ok(())
}

/// Returns `true` if a list follows the comma at the start of a line.
fn begins_list(row: &str) -> bool {
    row.trim_start().trim_start_matches(',').trim_start().starts_with(['(', '[', '{'])
}

/// Splits a text into words, in groups that are separated by brackets, semicolons and line ends. No group is
/// empty.
fn split_groups(text: &str) -> Vec<Vec<NumberWord<'_>>> {
    let mut groups = Vec::new();
    for (line_number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        for group in line.split(['(', ')', '[', ']', '{', '}', ';']) {
            let words = group.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
            groups.push(words.map(|text| NumberWord { text, line, line_number }).collect());
        }
    }
    groups.retain(|group: &Vec<_>| !group.is_empty());
    groups
}
