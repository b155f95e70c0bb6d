//! The Python class for formulations, which are returned as arrays.

use std::path::{Path, PathBuf};

use ndqueens_crosscheck::verify::{verify, verify_partial};
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::format::FileFormat;
use ndqueens_model::formulation::{self, builtin_names};
use ndqueens_model::ilp::reduce::RowFilter;
use ndqueens_model::ilp::{Column, Comparison, Ilp, Program as _, Sense};
use ndqueens_model::model::Model;
use ndqueens_model::own::{Claim, Term};
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_system::{file, memory};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::attended::interruptible;
use crate::board::Board;
use crate::bytes::{int32, int64};
use crate::certificate::{Parts, parts};
use crate::fault::{does_not_hold, file, guarded, input};
use crate::own::{faults, prove_own};

/// A formulation of a problem on a board, stored in memory.
#[pyclass(frozen, module = "ndqueens._native")]
pub(crate) struct Formulation {
    ilp: Ilp,
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    title: String,
    problem: Problem,
}

/// Returns the names of the shipped formulations.
#[pyfunction]
pub(crate) fn formulations() -> Vec<&'static str> {
    builtin_names()
}

/// Returns a formulation by its name or path, with further inequalities in TOML. Files that a formulation
/// names are relative to its folder.
fn named(name: Option<&str>, board: &Board, inequalities: &str) -> PyResult<formulation::Formulation> {
    let folder = name.and_then(|name| Path::new(name).parent()).unwrap_or(Path::new(""));
    let read = &mut |name: &str| file::read(&folder.join(name)).map_err(|fault| fault.cause);
    let named = match name {
        None => formulation::Formulation::of_board(&board.0).map_err(input),
        Some(path) if Path::new(path).extension().is_some_and(|extension| extension == "toml") => {
            let text = file::read(Path::new(path)).map_err(file)?;
            formulation::Formulation::parse_with(path, &text, read).map_err(input)
        }
        Some(name) => formulation::Formulation::builtin(name).map_err(input),
    };
    named?.with_inequalities(inequalities, read).map_err(input)
}

fn goal(at_least: Option<u64>, at_most: Option<u64>, exactly: Option<u64>) -> PyResult<Goal> {
    match (at_least, at_most, exactly) {
        (None, None, None) => Ok(Goal::Optimise),
        (Some(k), None, None) => Ok(Goal::AtLeast(k)),
        (None, Some(k), None) => Ok(Goal::AtMost(k)),
        (None, None, Some(k)) => Ok(Goal::Exactly(k)),
        _ => Err(input("one of at_least, at_most and exactly can be given")),
    }
}

fn filter(rows: &str) -> PyResult<RowFilter> {
    match rows {
        "all" => Ok(RowFilter::All),
        "distinct" => Ok(RowFilter::Distinct),
        "undominated" => Ok(RowFilter::Undominated),
        _ => Err(input(format!("unknown rows \"{rows}\"; expected one of all, distinct, undominated"))),
    }
}

/// Arrays of a sparse matrix: `int64`, except for the column indices, which are `int32`.
type Arrays<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
impl Formulation {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "all that may be asked of a formulation, by name")]
    fn new(
        py: Python<'_>,
        board: &Board,
        name: Option<&str>,
        at_least: Option<u64>,
        at_most: Option<u64>,
        exactly: Option<u64>,
        include: Vec<Vec<i64>>,
        rows: &str,
        inequalities: &str,
    ) -> PyResult<Self> {
        let (goal, keep) = (goal(at_least, at_most, exactly)?, filter(rows)?);
        interruptible(py, |control| {
            let mut formulation = named(name, board, inequalities)?;
            prove_own(&mut formulation, &board.0, control)?;
            let include = board.squares_at(&include)?;
            let given = include.iter().map(|&square| board.0.coordinates(square)).collect();
            let given = Certificate::independent(board.0.name().clone(), given, "included");
            verify_partial(board.0.name(), &given, formulation.problem).map_err(input)?;
            let (bounds, variant) =
                (Bounds::with_publications(&ArchivedBounds::builtin()), Variant { goal, include, keep });
            let model = Model::new(&board.0, &formulation, variant, &bounds, memory::for_models());
            let (name, title, problem) =
                (formulation.name.clone(), formulation.title.clone(), formulation.problem);
            Ok(Self { ilp: model.map_err(input)?.ilp(), name, title, problem })
        })
    }

    #[getter]
    fn problem(&self) -> String {
        self.problem.to_string()
    }

    #[getter]
    fn sense(&self) -> &'static str {
        match self.ilp.sense() {
            Sense::Maximise => "maximise",
            Sense::Minimise => "minimise",
            Sense::Feasibility => "feasibility",
        }
    }

    #[getter]
    fn conditions(&self) -> Vec<String> {
        self.ilp.conditions()
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.ilp.remarks()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.ilp.columns().iter().map(|column| column.name.clone()).collect()
    }

    #[getter]
    fn row_names(&self) -> Vec<String> {
        self.ilp.rows().map(|row| row.tag.to_string()).collect()
    }

    /// Returns the family of each row.
    #[getter]
    fn families(&self) -> Vec<&'static str> {
        self.ilp.rows().map(|row| row.tag.family).collect()
    }

    /// Returns the matrix in compressed row format: row starts, column indices, coefficients, and the
    /// right-hand sides.
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let (begins, columns, coefficients, sides) = guarded(py, || {
            let (mut begins, mut columns, mut coefficients, mut sides) = (vec![0], vec![], vec![], vec![]);
            for row in self.ilp.rows() {
                coefficients.extend(row.terms().map(|(_, coefficient)| coefficient));
                columns.extend(row.columns);
                begins.push(columns.len() as i64);
                sides.push(row.rhs);
            }
            Ok((int64(begins), int32(columns), int64(coefficients), int64(sides)))
        })?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        Ok((bytes(&begins), bytes(&columns), bytes(&coefficients), bytes(&sides)))
    }

    /// Decides by exhaustive search which rows hold for all independent sets. Each row has square numbers,
    /// coefficients and a right-hand side in whole numbers. Returns `None` for a row that is proved, and the
    /// reason for the others, as the end of a sentence.
    fn row_faults(
        &self,
        py: Python<'_>,
        board: &Board,
        squares: Vec<Vec<u32>>,
        coefficients: Vec<Vec<i64>>,
        sense: &str,
        sides: Vec<i64>,
    ) -> PyResult<Vec<Option<String>>> {
        if !self.problem.is_independent() {
            let fault =
                format!("is not proved: proofs are of independent sets, and the problem is {}", self.problem);
            return Ok(vec![Some(fault); sides.len()]);
        }
        let comparison = match sense {
            "<" => Comparison::AtMost,
            "=" => Comparison::Equal,
            _ => Comparison::AtLeast,
        };
        let claim = |((squares, coefficients), rhs): ((Vec<u32>, Vec<i64>), i64)| {
            let term = |(square, coefficient)| Term { square: board.0.coordinates(square), coefficient };
            let terms = squares.into_iter().zip(coefficients).map(term).collect();
            Claim { board: board.0.name().clone(), terms, comparison, rhs }
        };
        let claims: Vec<Claim> = squares.into_iter().zip(coefficients).zip(sides).map(claim).collect();
        interruptible(py, |control| Ok(faults(&claims, control)))
    }

    /// Returns the senses of the rows, each as `<`, `=` or `>`.
    fn comparisons(&self) -> String {
        let sign = |comparison| match comparison {
            Comparison::AtMost => '<',
            Comparison::Equal => '=',
            Comparison::AtLeast => '>',
        };
        self.ilp.rows().map(|row| sign(row.comparison)).collect()
    }

    /// Returns the objective coefficients, lower bounds and upper bounds of the columns, each as `int64`.
    fn columns<'py>(&self, py: Python<'py>) -> [Bound<'py, PyBytes>; 3] {
        let numbers: [fn(&Column) -> i64; 3] =
            [|column| column.objective, |column| column.lower, |column| column.upper];
        numbers.map(|number| PyBytes::new(py, &int64(self.ilp.columns().iter().map(number))))
    }

    /// Verifies the squares of a solution and returns them as a certificate.
    fn certificate(&self, py: Python<'_>, board: &Board, squares: Vec<u32>, origin: &str) -> PyResult<Parts> {
        guarded(py, || {
            let squares = squares.into_iter().map(|square| board.0.coordinates(square)).collect();
            let certificate = Certificate::independent(board.0.name().clone(), squares, origin);
            let certificate = Certificate { problem: self.problem, ..certificate };
            verify(&certificate).map_err(does_not_hold)?;
            Ok(parts(certificate))
        })
    }

    /// Writes the program in the format given by the file extension. Returns a description of its size.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<String> {
        guarded(py, || match FileFormat::of_path(&path).map_err(input)? {
            FileFormat::Program(format) => {
                let written = file::write(&path, |out| format.write(&self.ilp, out));
                Ok(written.map_err(file)?.to_string())
            }
            FileFormat::Graph(_) => {
                Err(input(format!("{} is to hold the graph of the board, not a formulation", path.display())))
            }
        })
    }
}
