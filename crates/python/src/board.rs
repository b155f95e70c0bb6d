//! The Python class for boards.

use ndqueens_model::board::{self, Square, ensure_memory};
use ndqueens_notation::name::BoardName;
use ndqueens_report::figure::{Figure, Show};
use ndqueens_system::{file, memory};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::attended::interruptible;
use crate::bytes::{int32, int64};
use crate::fault::{guarded, input};

/// A board.
#[pyclass(frozen, module = "ndqueens._native")]
pub(crate) struct Board(pub(crate) board::Board);

impl Board {
    /// Returns an error if `numbers` numbers of `bytes` bytes each do not fit in memory.
    fn ensure_memory(&self, work: &'static str, numbers: u128, bytes: u128) -> PyResult<()> {
        // Two copies are needed: one in Rust and one in Python.
        let bytes = u64::try_from(numbers.saturating_mul(2 * bytes)).unwrap_or(u64::MAX);
        ensure_memory(&self.0, work, bytes, memory::for_models()).map_err(input)
    }

    /// Returns an error if the file of the board has changed since it was read, because readers of an output
    /// file would then get a different board.
    pub(crate) fn ensure_unchanged(&self) -> PyResult<()> {
        let name = self.0.name();
        match BoardName::parse_with(&name.to_string(), &file::open) {
            Ok(now) if now == *name => Ok(()),
            Ok(_) => Err(input(format!("{name} has changed since this board was made"))),
            Err(fault) => Err(input(fault)),
        }
    }

    fn dimension(&self) -> usize {
        if self.0.size() == 0 { 0 } else { self.0.coordinates(0).len() }
    }

    /// Returns the square with the given coordinates.
    pub(crate) fn square_at(&self, coordinates: &[i64]) -> PyResult<Square> {
        let on_board: Option<Vec<u32>> = coordinates.iter().map(|&c| u32::try_from(c).ok()).collect();
        on_board.and_then(|coordinates| self.0.square(&coordinates)).ok_or_else(|| {
            let text: Vec<String> = coordinates.iter().map(i64::to_string).collect();
            input(format!("({}) is not a square of {}", text.join(","), self.0.name()))
        })
    }

    pub(crate) fn squares_at(&self, coordinates: &[Vec<i64>]) -> PyResult<Vec<Square>> {
        coordinates.iter().map(|square| self.square_at(square)).collect()
    }
}

#[pymethods]
impl Board {
    #[new]
    fn new(py: Python<'_>, name: &str) -> PyResult<Self> {
        let name = name.to_owned();
        guarded(py, move || {
            let name = BoardName::parse_user_input(&name, &file::open).map_err(input)?;
            Ok(Self(board::Board::new(&name)))
        })
    }

    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string()
    }

    /// Returns the text of the board file, or `None` if the board has no file.
    #[getter]
    fn text(&self) -> Option<&str> {
        match self.0.name() {
            BoardName::File(file) => Some(file.text()),
            _ => None,
        }
    }

    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    #[getter]
    fn trivial_bound(&self) -> u64 {
        self.0.trivial_bound()
    }

    /// Returns the number of coordinates of a square.
    #[getter(dimension)]
    fn axes(&self) -> usize {
        self.dimension()
    }

    fn pieces(&self, number: u64) -> String {
        self.0.format_pieces(number)
    }

    fn fitting(&self, number: u64) -> String {
        self.0.format_fitting(number)
    }

    fn square(&self, coordinates: Vec<i64>) -> PyResult<Square> {
        self.square_at(&coordinates)
    }

    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let board = &self.0;
        self.ensure_memory("an array of coordinates", board.size() as u128 * self.dimension() as u128, 4)?;
        let bytes = interruptible(py, |control| {
            let squares = board.squares().take_while(|_| !control.is_stopped());
            Ok(int32(squares.flat_map(|square| board.coordinates(square))))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the pairs of squares that attack each other, the smaller square first.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let board = &self.0;
        // A line of k squares has at least k / 2 edges.
        self.ensure_memory("its graph", board.lines_extent().nonzeros, 4)?;
        let bytes = interruptible(py, |control| {
            let degree = if board.size() == 0 { 0 } else { board.degree(0) };
            self.ensure_memory("its graph", board.size() as u128 * degree as u128, 4)?;
            let above = |a: Square| board.neighbours(a).into_iter().filter(move |&b| b > a);
            let squares = board.squares().take_while(|_| !control.is_stopped());
            Ok(int32(squares.flat_map(|a| above(a).flat_map(move |b| [a, b]))))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the start offset of each line, and the squares of all lines.
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let board = &self.0;
        let extent = board.lines_extent();
        self.ensure_memory("its lines", extent.nonzeros + 2 * extent.rows, 4)?;
        let (begins, squares) = interruptible(py, |control| {
            let (mut begins, mut squares) = (vec![0], Vec::new());
            for line in board.lines().take_while(|_| !control.is_stopped()) {
                squares.extend(line);
                begins.push(squares.len() as i64);
            }
            Ok((int64(begins), int32(squares)))
        })?;
        Ok((PyBytes::new(py, &begins), PyBytes::new(py, &squares)))
    }

    /// Returns generators of the symmetry group, each as the images of all squares.
    fn generators<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (board, generators) = (&self.0, self.0.generators());
        self.ensure_memory("its symmetries", board.size() as u128 * generators.len() as u128, 4)?;
        let bytes = interruptible(py, |control| {
            let squares = || board.squares().take_while(|_| !control.is_stopped());
            Ok(int32(generators.iter().flat_map(|image| squares().map(image))))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns the order of the symmetry group, and `true` if the generators generate the whole group.
    fn symmetry(&self, py: Python<'_>) -> PyResult<(Option<u128>, bool)> {
        guarded(py, || Ok((self.0.symmetry_order(), self.0.symmetry_is_whole())))
    }

    /// Returns the orbit number of each square.
    fn orbits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let board = &self.0;
        self.ensure_memory("its orbits", board.size() as u128, 16)?;
        let bytes =
            guarded(py, || Ok(int32(board.squares().map(|square| board.orbits().of(square) as Square))))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Returns an SVG image of the board with pieces on the given squares.
    fn svg(&self, py: Python<'_>, squares: Vec<Vec<i64>>, attacked: bool) -> PyResult<String> {
        let show = Show::Placement { squares: self.squares_at(&squares)?, attacked };
        guarded(py, || Figure::new(&self.0, show).svg().map_err(input))
    }
}
