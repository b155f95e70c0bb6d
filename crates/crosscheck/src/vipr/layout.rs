//! Order, names and signs of the variables and constraints of a file.
//!
//! Files of solvers name variables by squares, and list variables and constraints in an order of their own.
//! [`Layout::read`] accepts a program only if it is the one of [`IntegerProgram`] with any number of added
//! cliques: rows that allow one square among squares that attack each other. It stores the constraint of the
//! program that each constraint of the file corresponds to. The checker uses constraints of the program and
//! cliques that were checked, so a proof depends on the definition of the board, whatever the file contains.

use std::collections::HashMap;

use super::constraint::{Constraint, Terms};
use super::formula::{IntegerProgram, Relation};
use super::rational::Rational;
use super::words::{Words, shorten};
use crate::fault::Reason;
use crate::graph::narrow;
use crate::reader::Fault;

/// Prefix of the name of a variable that SCIP adds.
const TRANSFORMED: &str = "t_";

/// Maximum number of coefficients of all cliques of a file; each constraint counts as 4 more.
const MAX_STORED: usize = 1 << 25;

/// Description of the number of terms of a constraint or a solution, for messages.
const NUMBER_OF_TERMS: &str = "the number of variables";

/// Correspondence between the variables and constraints of a file and those of the program.
#[derive(Debug)]
pub(super) struct Layout {
    /// Square of each variable of the file.
    squares: Vec<u32>,
    /// Variable of each square.
    variables: Vec<u32>,
    /// The constraints of the file; `None` if the file has the constraints of the program in their order.
    rows: Option<Vec<FileRow>>,
    /// Coefficient of every variable in the objective of the file: 1, -1 or 0.
    pub(super) factor: i64,
}

/// Constraint of a file.
#[derive(Debug)]
struct FileRow {
    origin: Origin,
    /// `true` if the file has the constraint times -1.
    is_negated: bool,
}

/// Reason why a constraint may be used.
#[derive(Debug)]
enum Origin {
    /// Constraint of the program with this index.
    Program(u32),
    /// Clique of squares that attack each other, of which a solution contains at most one.
    Clique(Box<[u32]>),
}

impl Origin {
    /// Returns the constraint, or `None` if the program has none with the index.
    fn constraint(&self, program: &IntegerProgram) -> Option<Constraint> {
        match self {
            Self::Program(index) => program.row(*index as usize).map(Constraint::from),
            Self::Clique(squares) => Some(clique(squares)),
        }
    }
}

impl Layout {
    /// Returns the layout of a file that has the program in the order of [`IntegerProgram::write`].
    pub(super) fn identity(program: &IntegerProgram) -> Self {
        let squares: Vec<u32> = (0..narrow(program.squares().len())).collect();
        Self { variables: squares.clone(), squares, rows: None, factor: 1 }
    }

    /// Reads the sections VAR, INT, OBJ and CON, which must contain the program up to the order of variables
    /// and constraints. `work` receives the number of terms that were read.
    ///
    /// # Errors
    /// Returns an error at the first word that is not accepted, or if `work` fails.
    pub(super) fn read(
        words: &mut Words<'_>,
        program: &IntegerProgram,
        work: &mut dyn FnMut(usize) -> Result<(), Fault>,
    ) -> Result<Self, Fault> {
        let squares = read_variables(words, program)?;
        let mut variables = vec![0; squares.len()];
        for (variable, &square) in squares.iter().enumerate() {
            variables[square as usize] = narrow(variable);
        }
        let mut layout = Self { squares, variables, rows: None, factor: 0 };
        layout.read_integers(words)?;
        layout.read_objective(words, program)?;
        layout.rows = Some(layout.read_constraints(words, program, work)?);
        Ok(layout)
    }

    /// Returns the number of variables.
    fn variables(&self) -> usize {
        self.squares.len()
    }

    /// Returns the number of the variable of a square in the file.
    pub(super) fn variable(&self, square: u32) -> u32 {
        self.variables.get(square as usize).copied().unwrap_or_default()
    }

    /// Returns the objective of the file.
    pub(super) fn objective(&self) -> Terms {
        let coefficient = Rational::from(self.factor);
        let all = (0..narrow(self.variables())).map(|square| (square, coefficient.clone()));
        all.filter(|(_, coefficient)| !coefficient.is_zero()).collect()
    }

    /// Returns the number of constraints of the file, which is the index of the first derived one.
    pub(super) fn constraints(&self, program: &IntegerProgram) -> usize {
        self.rows.as_ref().map_or_else(|| program.constraints(), Vec::len)
    }

    /// Returns a constraint by its index in the file, or `None` if there is no such constraint.
    pub(super) fn row(&self, program: &IntegerProgram, index: usize) -> Option<Constraint> {
        let Some(rows) = &self.rows else { return program.row(index).map(Constraint::from) };
        let FileRow { origin, is_negated } = rows.get(index)?;
        let constraint = origin.constraint(program)?;
        Some(if *is_negated { constraint.negate() } else { constraint })
    }

    /// Returns the index in the file of a constraint of the program.
    pub(super) fn index(&self, own: usize) -> usize {
        let is_own = |row: &FileRow| matches!(row.origin, Origin::Program(index) if index as usize == own);
        let place = |rows: &Vec<FileRow>| rows.iter().position(is_own);
        self.rows.as_ref().and_then(place).unwrap_or(own)
    }

    /// Reads the number of a variable, and returns its square.
    fn read_square(&self, words: &mut Words<'_>) -> Result<u32, Fault> {
        let variable = words.read_number("a variable")?;
        let square = usize::try_from(variable).ok().and_then(|variable| self.squares.get(variable));
        square.copied().ok_or_else(|| {
            let last = self.variables() - 1;
            words
                .fault_of_word(format!("there is no variable {variable}: they are numbered from 0 to {last}"))
        })
    }

    /// Reads coefficients or values; the last word is their number.
    pub(super) fn read_terms(&self, words: &mut Words<'_>) -> Result<Terms, Fault> {
        let variables = self.variables();
        let number = words.last_number(NUMBER_OF_TERMS)?;
        if number > variables as u64 {
            let fault = format!("{number} variables are listed, but there are only {variables}");
            return Err(words.fault_of_word(fault));
        }
        let mut terms = Vec::new();
        for _ in 0..number {
            let square = self.read_square(words)?;
            terms.push((square, words.read_rational("the number for a variable")?));
        }
        terms.sort_unstable_by_key(|(square, _)| *square);
        if let Some(pair) = terms.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(words.fault(format!("variable {} is listed twice", self.variable(pair[0].0))));
        }
        terms.retain(|(_, value)| !value.is_zero());
        Ok(terms.into())
    }

    /// Reads a constraint after its name. `objective` is the left-hand side of OBJ.
    pub(super) fn read_constraint(
        &self,
        words: &mut Words<'_>,
        objective: &Terms,
    ) -> Result<Constraint, Fault> {
        let relation = match words.read_word("E, L or G")? {
            "E" => Relation::Equal,
            "L" => Relation::AtMost,
            "G" => Relation::AtLeast,
            _ => {
                let fault = format!("expected E, L or G instead of \"{}\"", words.quote());
                return Err(words.unreadable_word(fault));
            }
        };
        let right = words.read_rational("the right side")?;
        let terms = match words.read_word("the number of variables or \"OBJ\"")? {
            "OBJ" => Terms::clone(objective),
            _ => self.read_terms(words)?,
        };
        Ok(Constraint { terms, relation, right, assumptions: Default::default() })
    }

    /// Reads the section INT, which must list all variables.
    fn read_integers(&self, words: &mut Words<'_>) -> Result<(), Fault> {
        words.expect("INT")?;
        let variables = self.variables();
        if words.read_number("the number of integer variables")? != variables as u64 {
            return Err(words.fault_of_word(format!("all {variables} variables must be integer variables")));
        }
        let mut is_listed = vec![false; variables];
        for _ in 0..variables {
            let square = self.read_square(words)?;
            if std::mem::replace(&mut is_listed[square as usize], true) {
                return Err(
                    words.fault_of_word(format!("variable {} is listed twice", self.variable(square)))
                );
            }
        }
        Ok(())
    }

    /// Reads the section OBJ: the number of squares, or its negation with the other direction. A program with
    /// the constraint `k` may have no objective.
    fn read_objective(&mut self, words: &mut Words<'_>, program: &IntegerProgram) -> Result<(), Fault> {
        words.expect("OBJ")?;
        let maximises = match words.read_word("\"min\" or \"max\"")? {
            "max" => true,
            "min" => false,
            _ => {
                let fault = format!("expected \"min\" or \"max\" instead of \"{}\"", words.quote());
                return Err(words.unreadable_word(fault));
            }
        };
        words.read_word(NUMBER_OF_TERMS)?;
        let terms = self.read_terms(words)?;
        let factor = if maximises == program.maximises() { 1 } else { -1 };
        let coefficient = Rational::from(factor);
        let is_full = terms.len() == self.variables() && terms.iter().all(|(_, value)| *value == coefficient);
        self.factor = match () {
            () if is_full => factor,
            () if terms.is_empty() && program.form().limit.is_some() => 0,
            () => {
                let direction = if maximises { "maximised" } else { "minimised" };
                let most = if program.form().limit.is_some() { ", or all 0" } else { "" };
                let fault = format!(
                    "the objective is not that of the program: as it is {direction}, the coefficients of all variables must be {factor}{most}"
                );
                return Err(words.fault(fault));
            }
        };
        Ok(())
    }

    /// Reads the section CON. Returns the corresponding constraint of the program for each of its
    /// constraints.
    fn read_constraints(
        &self,
        words: &mut Words<'_>,
        program: &IntegerProgram,
        work: &mut dyn FnMut(usize) -> Result<(), Fault>,
    ) -> Result<Vec<FileRow>, Fault> {
        words.expect("CON")?;
        let constraints = words.read_number("the number of constraints")?;
        words.read_number("the number of bounds")?;
        let (mut own, objective) = (OwnRows::new(program, work)?, self.objective());
        let (mut rows, mut stored) = (Vec::new(), 0);
        for index in 0..constraints {
            let name = shorten(words.read_name("the name of a constraint")?);
            let constraint = self.read_constraint(words, &objective)?;
            let terms = constraint.terms.len();
            work(1 + terms)?;
            stored += 4 + if let Some(row) = own.find(program, &constraint) {
                rows.push(row);
                0
            } else {
                work(terms * terms / 64)?;
                rows.push(find_clique(program, &constraint).ok_or_else(|| {
                    let board = program.board();
                    words.fault(format!("constraint {index}, \"{name}\", is not in the program of {board}"))
                })?);
                terms
            };
            if stored > MAX_STORED {
                let fault = format!("the constraints have more than {MAX_STORED} coefficients");
                return Err(words.fault(Reason::limit(fault)));
            }
        }
        if let Some(missing) = own.missing(program) {
            let (board, constraint) = (program.board(), format_constraint(program, &missing));
            let fault = format!("the constraint \"{constraint}\" of the program of {board} is missing");
            return Err(words.fault(fault));
        }
        Ok(rows)
    }
}

/// Reads the section VAR. Returns the square of each variable.
fn read_variables(words: &mut Words<'_>, program: &IntegerProgram) -> Result<Vec<u32>, Fault> {
    words.expect("VAR")?;
    let number = program.squares().len();
    if words.read_number(NUMBER_OF_TERMS)? != number as u64 {
        let fault = format!("the program of {} has {number} variables", program.board());
        return Err(words.fault_of_word(fault));
    }
    let named: HashMap<String, u32> =
        (0..number).map(|square| (program.square_name(square), narrow(square))).collect();
    let mut is_listed = vec![false; number];
    let mut squares = Vec::new();
    for _ in 0..number {
        let name = words.read_word("the name of a variable")?;
        let Some(&square) = named.get(name.strip_prefix(TRANSFORMED).unwrap_or(name)) else {
            let fault = format!(
                "\"{}\" is not the name of a square of {}, such as {}",
                words.quote(),
                program.board(),
                program.square_name(0)
            );
            return Err(words.fault_of_word(fault));
        };
        if std::mem::replace(&mut is_listed[square as usize], true) {
            return Err(words.fault_of_word(format!("the variable {} is listed twice", words.quote())));
        }
        squares.push(square);
    }
    Ok(squares)
}

/// Distinct constraints of a program by their squares.
struct OwnRows {
    by_squares: HashMap<Box<[u32]>, Vec<u32>>,
    /// `true` for constraints of the program that the file has, and for those that it may omit: repetitions,
    /// and constraints that the others imply.
    is_found: Vec<bool>,
}

impl OwnRows {
    fn new(
        program: &IntegerProgram,
        work: &mut dyn FnMut(usize) -> Result<(), Fault>,
    ) -> Result<Self, Fault> {
        let mut by_squares: HashMap<Box<[u32]>, Vec<u32>> = HashMap::new();
        let mut is_found = vec![false; program.constraints()];
        for (index, is_found) in is_found.iter_mut().enumerate() {
            let Some(row) = program.row(index).map(Constraint::from) else { continue };
            work(1 + row.terms.len())?;
            let others = by_squares.entry(squares_of(&row)).or_default();
            let mut rows = others.iter().filter_map(|&other| program.row(other as usize));
            let is_repeated = rows.any(|other| row.is_same(&other.into()));
            *is_found = is_repeated || program.is_implied(index);
            if !is_repeated {
                others.push(narrow(index));
            }
        }
        Ok(Self { by_squares, is_found })
    }

    /// Returns the constraint of the program that equals a constraint of the file up to its sign.
    fn find(&mut self, program: &IntegerProgram, constraint: &Constraint) -> Option<FileRow> {
        let negated = constraint.negate();
        let (index, is_negated) =
            self.by_squares.get(&squares_of(constraint))?.iter().find_map(|&index| {
                let own = Constraint::from(program.row(index as usize)?);
                let is_negated = own.is_same(&negated);
                (is_negated || own.is_same(constraint)).then_some((index, is_negated))
            })?;
        self.is_found[index as usize] = true;
        Some(FileRow { origin: Origin::Program(index), is_negated })
    }

    /// Returns the first constraint of the program that is missing in the file.
    fn missing(&self, program: &IntegerProgram) -> Option<Constraint> {
        let index = self.is_found.iter().position(|is_found| !is_found)?;
        program.row(index).map(Constraint::from)
    }
}

/// Returns the constraint that a solution contains at most one of some squares, given in increasing order.
fn clique(squares: &[u32]) -> Constraint {
    let terms = squares.iter().map(|&square| (square, Rational::from(1i64))).collect();
    Constraint {
        terms,
        relation: Relation::AtMost,
        right: Rational::from(1i64),
        assumptions: Default::default(),
    }
}

/// Returns the row of a constraint that allows one square of a clique. Such a constraint is valid if the
/// squares of a solution do not attack each other.
fn find_clique(program: &IntegerProgram, constraint: &Constraint) -> Option<FileRow> {
    let squares = squares_of(constraint);
    let expected = clique(&squares);
    let is_negated = constraint.is_same(&expected.negate());
    let is_same = is_negated || constraint.is_same(&expected);
    let is_valid = squares.len() > 1 && is_same && program.is_clique(&squares);
    is_valid.then_some(FileRow { origin: Origin::Clique(squares), is_negated })
}

/// Returns the squares of a constraint, in increasing order.
fn squares_of(constraint: &Constraint) -> Box<[u32]> {
    constraint.terms.iter().map(|(square, _)| *square).collect()
}

/// Formats a constraint, shortened.
fn format_constraint(program: &IntegerProgram, constraint: &Constraint) -> String {
    let mut text = String::new();
    for (place, (square, coefficient)) in constraint.terms.iter().enumerate() {
        text.push_str(match (place, *coefficient == Rational::from(-1i64)) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        });
        text.push_str(&program.square_name(*square as usize));
    }
    let relation = constraint.relation.sign();
    format!("{} {relation} {}", shorten(&text), constraint.right)
}
