//! Reader of the comments at the head of written files: the question of a file and the order of its columns.

use std::collections::HashMap;

use ndqueens_notation::counted::counted;
use ndqueens_notation::escape::escape;

use super::{FileFormat, Format, GraphFormat};
use crate::variant::Goal;

/// Question of a file according to its first comments.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::format::{FileFormat, Format, heading};
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let mut text = Vec::new();
/// Format::Lp.write(&model, &mut text)?;
/// let heading = heading(&String::from_utf8(text)?, FileFormat::Program(Format::Lp)).expect("a heading");
/// assert_eq!(heading.board, "3^2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Name of the board.
    pub board: String,
    /// Question about the board.
    pub subject: Subject,
}

/// Question about a board.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::facts::Theorems;
/// use ndqueens_model::formulation::Formulation;
/// use ndqueens_model::format::{FileFormat, Format, Subject, heading};
/// use ndqueens_model::model::Model;
/// use ndqueens_model::variant::{Goal, Variant};
///
/// let (board, formulation) = (Board::new(&"3^2".parse()?), Formulation::builtin("base")?);
/// let model = Model::new(&board, &formulation, Variant::of(Goal::Optimise), &Theorems, 1 << 30)?;
/// let mut text = Vec::new();
/// Format::Lp.write(&model, &mut text)?;
/// let heading = heading(&String::from_utf8(text)?, FileFormat::Program(Format::Lp)).expect("a heading");
/// assert!(matches!(heading.subject, Subject::Formulation { name, .. } if name == "base"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// Formulation by name, with a goal.
    Formulation {
        /// Name of the formulation; that of its file without `.toml`.
        name: String,
        /// Goal of the model.
        goal: Goal,
    },
    /// Colouring with a given number of colours.
    Colouring {
        /// Number of colours.
        colours: u64,
    },
    /// Queen graph or its complement.
    Graph(GraphFormat),
}

/// Returns the question in the first comments of a file, or `None` if they contain none.
#[must_use]
pub fn heading(text: &str, format: FileFormat) -> Option<Heading> {
    let words: Vec<&str> = comments(text, format).flat_map(str::split_whitespace).collect();
    let text = words.join(" ");
    if let Some((_, rest)) = text.split_once("a colouring of ") {
        let (board, rest) = rest.split_once(" in ")?;
        let colours = rest.split_once(" colours")?.0.parse().ok()?;
        return Some(Heading { board: board.to_owned(), subject: Subject::Colouring { colours } });
    }
    let (_, rest) = text.split_once("board ")?;
    if let Some((board, rest)) = rest.split_once(": an edge joins squares that ") {
        let graph = if rest.starts_with("do not attack") { GraphFormat::Clq } else { GraphFormat::Col };
        return Some(Heading { board: board.to_owned(), subject: Subject::Graph(graph) });
    }
    let (board, rest) = rest.split_once(", formulation ")?;
    let (name, rest) = rest.split_once(": ")?;
    let (_, rest) = rest.split_once("goal: ")?;
    let (goal, _) = rest.split_once("; problem: ")?;
    let number = |prefix| goal.strip_prefix(prefix).and_then(|number: &str| number.parse().ok());
    let goal = match (goal, number("at least "), number("at most "), number("exactly ")) {
        ("optimise", ..) => Goal::Optimise,
        (_, Some(k), ..) => Goal::AtLeast(k),
        (_, _, Some(k), _) => Goal::AtMost(k),
        (.., Some(k)) => Goal::Exactly(k),
        _ => return None,
    };
    Some(Heading { board: board.to_owned(), subject: Subject::Formulation { name: name.to_owned(), goal } })
}

/// Returns the comment lines at the head of a file, without their marks.
fn comments(text: &str, format: FileFormat) -> impl Iterator<Item = &str> {
    let mark = match format {
        FileFormat::Program(Format::Lp) => '\\',
        FileFormat::Program(Format::Mps | Format::Opb) => '*',
        FileFormat::Program(Format::Mtx) => '%',
        FileFormat::Program(Format::Cnf) | FileFormat::Graph(_) => 'c',
    };
    text.lines().map_while(move |line| {
        let rest = line.strip_prefix(mark)?;
        (mark != 'c' || rest.is_empty() || rest.starts_with(' ')).then_some(rest)
    })
}

/// Reason why a file has no order of columns, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ColumnOrderError {
    /// Comment with a number that is not the next one, or with a column that occurs twice.
    #[error("its comments give the number {} to {} out of order", escape(number), escape(name))]
    OutOfOrder {
        /// Number in the comment.
        number: String,
        /// Name of the column.
        name: String,
    },
    /// Names of some columns only.
    #[error(
        "it names {named} of the {}, such as {example}: an answer cannot be matched with the squares",
        counted(*columns, "column")
    )]
    Incomplete {
        /// Number of columns that the file names.
        named: usize,
        /// Number of columns.
        columns: usize,
        /// Name of the first column.
        example: String,
    },
}

/// Returns the order of the columns in a file: for each position, the index of the column in `names`.
///
/// A file that numbers its variables and contains no names of columns has the order of the program.
///
/// # Errors
/// Returns an error if the file contains the names of some columns but not of all, or if names are missing in
/// a format without numbers.
pub fn column_order(text: &str, format: Format, names: &[&str]) -> Result<Vec<usize>, ColumnOrderError> {
    let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(k, &name)| (name, k)).collect();
    let mut order = Vec::with_capacity(names.len());
    let mut seen = vec![false; names.len()];
    let mut add = |word: &str| match numbers.get(word) {
        Some(&column) if !std::mem::replace(&mut seen[column], true) => order.push(column),
        _ => {}
    };
    match format {
        Format::Lp | Format::Mps => {
            let mark = if format == Format::Lp { '\\' } else { '*' };
            for line in text.lines() {
                let line = line.split(mark).next().unwrap_or_default();
                line.split(|c: char| c.is_whitespace() || "+-<>=:*".contains(c)).for_each(&mut add);
            }
        }
        Format::Cnf | Format::Opb | Format::Mtx => {
            for line in comments(text, FileFormat::Program(format)) {
                let words: Vec<&str> = line.split_whitespace().collect();
                let (number, name) = match words[..] {
                    [number, name] => (number, name),
                    ["column", number, name, ..] => (number, name),
                    _ => continue,
                };
                let position = number.trim_start_matches('x').parse::<usize>().ok();
                let Some(&column) = numbers.get(name) else { continue };
                if position != Some(order.len() + 1) || std::mem::replace(&mut seen[column], true) {
                    return Err(ColumnOrderError::OutOfOrder {
                        number: number.to_owned(),
                        name: name.to_owned(),
                    });
                }
                order.push(column);
            }
            if order.is_empty() {
                return Ok((0..names.len()).collect());
            }
        }
    }
    if order.len() == names.len() {
        return Ok(order);
    }
    Err(ColumnOrderError::Incomplete {
        named: order.len(),
        columns: names.len(),
        example: (*names.first().unwrap_or(&"none")).to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LP: FileFormat = FileFormat::Program(Format::Lp);

    #[test]
    fn reads_the_question_of_every_format() {
        let base = |goal| Subject::Formulation { name: "base".to_owned(), goal };
        for (mark, format) in [
            ("\\", Format::Lp),
            ("*", Format::Mps),
            ("*", Format::Opb),
            ("c", Format::Cnf),
            ("%", Format::Mtx),
        ] {
            let text = format!(
                "{mark} 3_3_base\n{mark} board 3^3, formulation base:\n{mark} Lines\n{mark} goal: at least 4; problem: independent set\nrest\n"
            );
            let found = heading(&text, FileFormat::Program(format)).expect("a heading");
            assert_eq!((found.board.as_str(), found.subject), ("3^3", base(Goal::AtLeast(4))));
        }
        let colours =
            heading("\\ 4^2_in_5_colours\n\\ a colouring of 4^2 in 5 colours\n", LP).expect("a heading");
        assert_eq!((colours.board.as_str(), colours.subject), ("4^2", Subject::Colouring { colours: 5 }));
        let graph = heading(
            "c board 3^2: an edge joins squares that attack each other\np edge 9 28\n",
            FileFormat::Graph(GraphFormat::Col),
        );
        assert_eq!(graph.expect("a heading").subject, Subject::Graph(GraphFormat::Col));
        assert_eq!(heading("Maximize\n obj: x\n", LP), None);
        assert_eq!(heading("\\ board 3^3, formulation base: x\n\\ goal: most; problem: y\n", LP), None);
    }

    #[test]
    fn reads_the_order_of_the_columns() {
        let names = ["x_0", "x_1", "x_2"];
        let lp = "\\ x_0\nMaximize\n obj: x_2 + x_0\nSubject To\n a: x_1+x_2<=1\nEnd\n";
        assert_eq!(column_order(lp, Format::Lp, &names), Ok(vec![2, 0, 1]));
        let mps = "NAME m\nCOLUMNS\n    x_1 obj -1\n    x_0 obj -1\n    x_2 obj -1\n";
        assert_eq!(column_order(mps, Format::Mps, &names), Ok(vec![1, 0, 2]));
        assert_eq!(
            column_order("c 1 x_1\nc 2 x_0\nc 3 x_2\np cnf 3 0\n", Format::Cnf, &names),
            Ok(vec![1, 0, 2])
        );
        assert_eq!(column_order("p cnf 3 0\n", Format::Cnf, &names), Ok(vec![0, 1, 2]));
        assert!(column_order("* x1 x_0\n* x3 x_1\n", Format::Opb, &names).is_err());
        assert!(column_order("Maximize\n obj: c1 + c2\nEnd\n", Format::Lp, &names).is_err());
    }
}
