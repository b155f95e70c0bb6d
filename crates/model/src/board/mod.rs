//! Boards: squares, lines, symmetry and the queen graph, for all kinds of board behind one type.
//!
//! A [`Board`] is created from a [`BoardName`] and numbers its squares `0..size`. Callers do not depend on
//! the kind of board; families that need the structure of a box use [`Board::grid`].

mod cells;
mod closure;
mod drawing;
mod graph;
mod grid;
mod group;
mod hex;
mod leaper;
mod memory;
mod sudoku;
mod surface;
mod three;

use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use fixedbitset::FixedBitSet;
use ndqueens_notation::name::{BoardContent, BoardName, LabelledGraph, Leaper, Piece};

pub use self::closure::closure;
use self::drawing::Drawing;
use self::graph::Graph;
pub use self::grid::{Direction, Grid};
pub use self::group::Group;
pub use self::memory::{TooMuchMemory, ensure_memory, format_memory};

/// A square's number on its board, `0..size`.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"3^2".parse()?);
/// assert_eq!((board.square(&[1, 2]), board.coordinates(5)), (Some(5), vec![1, 2]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Square = u32;

/// A clique of the queen graph, usually a line: squares that attack each other pairwise, in order along the
/// line.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"3^2".parse()?);
/// assert!(board.lines().any(|line| line == [0, 4, 8]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Line = Vec<Square>;

/// A generator of a board's symmetry group, as a map on squares.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"2^2".parse()?);
/// let images: Vec<_> = board.generators().iter().map(|symmetry| symmetry(0)).collect();
/// assert!(images.contains(&2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Generator<'b> = Box<dyn Fn(Square) -> Square + Send + Sync + 'b>;

/// Operations that each kind of board implements. The methods of [`Board`] with the same names describe them.
pub(crate) trait Geometry: std::fmt::Debug + Send + Sync {
    fn size(&self) -> usize;
    fn coordinates(&self, square: Square) -> Vec<u32>;
    fn square(&self, coordinates: &[u32]) -> Option<Square>;
    fn lines(&self) -> Box<dyn Iterator<Item = Line> + '_>;
    fn lines_extent(&self) -> Extent;
    fn attacks(&self, a: Square, b: Square) -> bool;
    fn neighbours(&self, square: Square) -> Vec<Square>;

    /// Visits the neighbours in any order, some of them possibly more than once.
    fn visit_neighbours(&self, square: Square, visit: &mut dyn FnMut(Square)) {
        self.neighbours(square).into_iter().for_each(visit);
    }
    fn generators(&self) -> Vec<Generator<'_>>;

    /// Returns the number of squares attacked from a square.
    fn degree(&self, square: Square) -> usize {
        self.neighbours(square).len()
    }

    fn trivial_bound(&self) -> u64;

    /// Returns the partition of the squares into [`Geometry::trivial_bound`] cliques.
    fn partition(&self) -> Vec<Vec<Square>>;

    /// Returns the number of pieces of an optimal solution; see [`Board::optimal_size`].
    fn optimal_size(&self) -> Option<u64> {
        None
    }

    /// Returns the words for pieces and squares.
    fn words(&self) -> Words;

    /// Returns `true` if symmetries were computed.
    fn has_symmetry(&self) -> bool {
        true
    }

    /// Returns the order of the generated group by a formula, or `None` if no formula is known or the order
    /// exceeds 128 bits.
    fn symmetry_order(&self) -> Option<u128> {
        None
    }

    /// Returns `true` if the generators generate the whole group.
    fn symmetry_is_whole(&self) -> bool {
        self.has_symmetry()
    }

    fn grid(&self) -> Option<&Grid> {
        None
    }

    fn layout(&self) -> Option<Layout> {
        None
    }

    /// Returns the squares in the order of de Groot's numbers.
    fn de_groot(&self) -> Option<Vec<Square>> {
        None
    }
}

/// Groups the squares `0..size` by a key, in the order of the keys.
fn group_by_key<K: Ord>(size: usize, key: impl Fn(Square) -> K) -> Vec<Vec<Square>> {
    let mut parts: BTreeMap<K, Vec<Square>> = BTreeMap::new();
    for square in 0..size as Square {
        parts.entry(key(square)).or_default().push(square);
    }
    parts.into_values().collect()
}

/// Words for the pieces and the squares of a board, each in the singular and in the plural.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    piece: [&'static str; 2],
    place: [&'static str; 2],
    /// Piece, if it moves along lines.
    chess: Option<Piece>,
}

impl Words {
    /// Words for a graph.
    const VERTICES: Self = Self { piece: ["vertex", "vertices"], place: ["vertex", "vertices"], chess: None };

    /// Returns the words for a piece that moves along lines.
    fn of(piece: Piece) -> Self {
        Self { piece: [piece.word(), piece.plural()], place: ["square", "squares"], chess: Some(piece) }
    }
}

/// Layout of a drawing of a board: a place in a box and a shape for each square.
///
/// Coordinates along the last axis are in units of half a square, since neighbouring rows of a hexagonal
/// board are shifted by half a square.
///
/// # Examples
/// ```
/// use ndqueens_model::board::{Board, Form};
///
/// let layout = Board::new(&"2x3".parse()?).layout().expect("a drawing");
/// assert!(layout.places.len() == 6 && matches!(layout.form, Form::Squares));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Side lengths of the box, the last one in half squares.
    pub sides: Vec<u32>,
    /// Place of every square.
    pub places: Vec<Vec<u32>>,
    /// Shapes of the squares.
    pub form: Form,
}

/// Shapes of the squares of a board in a drawing.
///
/// # Examples
/// ```
/// use ndqueens_model::board::{Board, Form};
///
/// let layout = Board::new(&"sudoku:2".parse()?).layout().expect("a drawing");
/// assert!(matches!(layout.form, Form::Numbers { order: 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Unit squares at their places.
    Squares,
    /// Polygons in the plane, one for each square, about one unit wide.
    Polygons(Vec<Polygon>),
    /// Numbers in the cells of a square grid: the place of a square consists of row, column and number,
    /// counted from 0.
    Numbers {
        /// Side length of the boxes that divide the grid.
        order: u32,
    },
}

/// Polygon that draws a square of a board in the plane.
///
/// # Examples
/// ```
/// use ndqueens_model::board::{Board, Form};
///
/// let layout = Board::new(&"hex:2".parse()?).layout().expect("a drawing");
/// let Form::Polygons(cells) = layout.form else { panic!("hexagons") };
/// assert!(cells.len() == 7 && cells.iter().all(|cell| cell.corners.len() == 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    /// Corners in order along the boundary, x to the right and y downwards.
    pub corners: Vec<[f64; 2]>,
    /// Colour, `0..3`: squares that share an edge have different colours.
    pub colour: u8,
}

impl Polygon {
    /// Returns the mean of the corners.
    #[must_use]
    pub fn middle(&self) -> [f64; 2] {
        [0, 1].map(|i| self.corners.iter().map(|corner| corner[i]).sum::<f64>() / self.corners.len() as f64)
    }
}

/// Returns the square at each row and column of a text that shows one sign for each square, given the
/// midpoints of the squares in the plane (x to the right, y downwards). The scale is the smallest one at
/// which blanks separate the signs of a row. Returns `None` if that scale is too large.
#[must_use]
pub fn text_places(middles: &[[f64; 2]]) -> Option<BTreeMap<(usize, usize), Square>> {
    let least = [0, 1].map(|i| middles.iter().map(|middle| middle[i]).fold(f64::INFINITY, f64::min));
    let place_all = |scale: f64| {
        let mut taken = BTreeMap::new();
        for (square, middle) in (0..).zip(middles) {
            let column = ((middle[0] - least[0]) * 2.0 * scale).round() as usize;
            let row = ((middle[1] - least[1]) * scale).round() as usize;
            taken.insert((row, column), square);
        }
        let apart = taken.keys().all(|&(row, column)| !taken.contains_key(&(row, column + 1)));
        (apart && taken.len() == middles.len()).then_some(taken)
    };
    (16..100).map(|step| f64::from(step) / 20.0).find_map(place_all)
}

impl Layout {
    /// Creates the layout of unit squares in a box of these sides, given the coordinates of the squares.
    fn of_box(sides: &[u32], coordinates: impl Iterator<Item = Vec<u32>>) -> Self {
        let (&width, others) = sides.split_last().expect("a box has sides");
        let place = |mut square: Vec<u32>| {
            if let Some(last) = square.last_mut() {
                *last *= 2;
            }
            square
        };
        Self {
            sides: [others, &[2 * width - 1]].concat(),
            places: coordinates.map(place).collect(),
            form: Form::Squares,
        }
    }

    /// Returns the places in the box without a square, in lexicographic order; nothing if the squares are not
    /// unit squares.
    pub fn holes(&self) -> impl Iterator<Item = Vec<u32>> + '_ {
        let taken: HashSet<&[u32]> = self.places.iter().map(Vec::as_slice).collect();
        let is_box = self.form == Form::Squares;
        let origin = is_box.then(|| vec![0; self.sides.len()]);
        let all = std::iter::successors(origin, |place| {
            let step = |axis: usize| if axis + 1 == self.sides.len() { 2 } else { 1 };
            let axis = (0..self.sides.len()).rfind(|&axis| place[axis] + step(axis) < self.sides[axis])?;
            let mut next = place.clone();
            next[axis] += step(axis);
            next[axis + 1..].fill(0);
            Some(next)
        });
        all.filter(move |place| !taken.contains(place.as_slice()))
    }
}

/// Numbers of rows and nonzero entries of a matrix, known before it is built.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"3^2".parse()?);
/// assert_eq!(board.lines_extent().rows, board.lines().count() as u128);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Number of rows (lines, inequalities).
    pub rows: u128,
    /// Number of nonzero entries over all rows.
    pub nonzeros: u128,
}

impl std::ops::Add for Extent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { rows: self.rows + other.rows, nonzeros: self.nonzeros + other.nonzeros }
    }
}

/// A board: numbered squares, the lines along which pieces attack, and the symmetry group.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"6^3".parse()?);
/// assert_eq!((board.size(), board.trivial_bound()), (216, 36));
/// let [corner, along, near] = [[0, 0, 0], [5, 5, 5], [1, 2, 0]].map(|at| board.square(&at).unwrap());
/// assert!(board.attacks(corner, along) && !board.attacks(corner, near));
/// assert_eq!(board.coordinates(along), [5, 5, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Board {
    name: BoardName,
    geometry: Box<dyn Geometry>,
    orbits: OnceLock<Orbits>,
}

impl Board {
    /// Creates the board with this name. Lines, orbits and graph are computed on demand.
    ///
    /// # Panics
    /// Never: a [`ndqueens_notation::name::file::BoardFile`] is well-formed.
    #[must_use]
    pub fn new(name: &BoardName) -> Self {
        let geometry: Box<dyn Geometry> = match name {
            BoardName::Grid { piece, torus, sides } => Box::new(Grid::new(*piece, *torus, sides)),
            BoardName::Leaper { leaper, torus, sides } => {
                Box::new(leaper::LeaperBox::new(*leaper, *torus, sides))
            }
            BoardName::Surface { surface, sides } => Box::new(surface::JoinedBoard::new(*surface, *sides)),
            BoardName::Hex(side) => Box::new(hex::Hex::new(*side)),
            BoardName::Three(side) => Box::new(three::Three::new(*side)),
            BoardName::Sudoku(order) => Box::new(sudoku::Sudoku::new(*order, false)),
            BoardName::SudokuX(order) => Box::new(sudoku::Sudoku::new(*order, true)),
            BoardName::Cells(order) => Box::new(cells::Cells::new(*order, false)),
            BoardName::CellsX(order) => Box::new(cells::Cells::new(*order, true)),
            BoardName::File(file) => match file.content() {
                BoardContent::Drawing { piece, sides, squares, blocked } => {
                    Box::new(Drawing::new(Grid::new(piece, false, &sides), squares, blocked))
                }
                BoardContent::Graph(LabelledGraph { labels, edges, .. }) => {
                    Box::new(Graph::new(labels, edges))
                }
            },
        };
        Self { name: name.clone(), geometry, orbits: OnceLock::new() }
    }

    /// Returns the name of the board.
    #[must_use]
    pub fn name(&self) -> &BoardName {
        &self.name
    }

    /// Returns the number of squares.
    #[must_use]
    pub fn size(&self) -> usize {
        self.geometry.size()
    }

    /// Returns all squares, in increasing order, which is the lexicographic order of their coordinates.
    pub fn squares(&self) -> impl ExactSizeIterator<Item = Square> + use<> {
        0..u32::try_from(self.size()).expect("board names allow at most 2^31 squares")
    }

    /// Returns the coordinates of a square, counted from 0.
    #[must_use]
    pub fn coordinates(&self, square: Square) -> Vec<u32> {
        self.geometry.coordinates(square)
    }

    /// Formats the coordinates of a square: `(0,1,2)`.
    #[must_use]
    pub fn label(&self, square: Square) -> String {
        let coordinates: Vec<String> = self.coordinates(square).iter().map(u32::to_string).collect();
        format!("({})", coordinates.join(","))
    }

    /// Returns the square with these coordinates, or `None` if they are off the board.
    #[must_use]
    pub fn square(&self, coordinates: &[u32]) -> Option<Square> {
        self.geometry.square(coordinates)
    }

    /// Returns the number of connected components of the drawing in a board file, where squares with a common
    /// side are adjacent. Returns `None` if the board is not drawn in a file.
    #[must_use]
    pub fn drawn_parts(&self) -> Option<usize> {
        if !matches!(self.name(), BoardName::File(_)) || self.layout().is_none() {
            return None;
        }
        let adjacent = |square: Square| {
            let here = self.coordinates(square);
            let step = |axis: usize, forward: bool| {
                let mut there = here.clone();
                there[axis] = if forward { there[axis] + 1 } else { there[axis].checked_sub(1)? };
                self.square(&there)
            };
            (0..here.len())
                .flat_map(|axis| [step(axis, false), step(axis, true)])
                .flatten()
                .collect::<Vec<_>>()
        };
        let mut met = vec![false; self.size()];
        let mut parts = 0;
        for first in self.squares() {
            let mut new = vec![first];
            parts += usize::from(!met[first as usize]);
            while let Some(square) = new.pop() {
                if !std::mem::replace(&mut met[square as usize], true) {
                    new.extend(adjacent(square));
                }
            }
        }
        Some(parts)
    }

    /// Returns every line of two or more squares, once.
    pub fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        self.geometry.lines()
    }

    /// Returns the number of lines and the total number of squares on them, on boxes by a formula.
    #[must_use]
    pub fn lines_extent(&self) -> Extent {
        self.geometry.lines_extent()
    }

    /// Returns `true` if pieces on two squares attack each other. A square does not attack itself.
    #[must_use]
    pub fn attacks(&self, a: Square, b: Square) -> bool {
        self.geometry.attacks(a, b)
    }

    /// Returns the squares attacked from a square, in increasing order: its neighbours in the queen graph.
    #[must_use]
    pub fn neighbours(&self, square: Square) -> Vec<Square> {
        self.geometry.neighbours(square)
    }

    /// Visits the squares attacked from a square in any order, some of them possibly more than once.
    pub fn visit_neighbours(&self, square: Square, visit: &mut dyn FnMut(Square)) {
        self.geometry.visit_neighbours(square, visit);
    }

    /// Returns the number of squares attacked from a square: its degree in the queen graph.
    #[must_use]
    pub fn degree(&self, square: Square) -> usize {
        self.geometry.degree(square)
    }

    /// Returns generators of the symmetry group, as maps on squares. For board files they may generate a
    /// subgroup: for drawings in more than six dimensions only reflections of axes and exchanges of two axes
    /// are tried, and for graphs there are no generators. Callers must therefore be correct for subgroups.
    #[must_use]
    pub fn generators(&self) -> Vec<Generator<'_>> {
        self.geometry.generators()
    }

    /// Returns an upper bound on the size of an independent set that is cheap to compute: the number of
    /// cliques in a partition of the board. The cliques are, for example, parallel lines on boxes (`n^(d-1)`
    /// for queens on `n^d`), parallel lines or boxes of side 2 on drawings, and greedy cliques in graphs.
    #[must_use]
    pub fn trivial_bound(&self) -> u64 {
        self.geometry.trivial_bound()
    }

    /// Returns the partition that proves [`Self::trivial_bound`]: every square of the board occurs in exactly
    /// one clique.
    #[must_use]
    pub fn partition(&self) -> Vec<Vec<Square>> {
        self.geometry.partition()
    }

    /// Returns the number of pieces of an *optimal* solution, which has exactly one piece on every row and
    /// every column.
    ///
    /// This is `n^(d-1)` for queens and rooks on `n^d`, where rows and columns are the lines along the axes,
    /// the width `2n - 1` of `hex:n`, and `3n/2` on `three:n`, since a square is on two of its `3n` rows and
    /// columns. Returns `None` on boards with sides of different lengths, for bishops, and on boards without
    /// rows and columns.
    ///
    /// # References
    /// J. A. de Groot, *Solving n-queens on non-squares*, Utrecht, 2020, definition 2.1.2.
    #[must_use]
    pub fn optimal_size(&self) -> Option<u64> {
        self.geometry.optimal_size()
    }

    /// Formats a number of pieces: `1 queen`, `13 rooks`; on a graph, `4 vertices`.
    #[must_use]
    pub fn format_pieces(&self, number: u64) -> String {
        format_count(number, self.geometry.words().piece)
    }

    /// Formats a number of pieces and the verb: `1 queen fits`, `13 rooks fit`.
    #[must_use]
    pub fn format_fitting(&self, number: u64) -> String {
        format!("{} {}", self.format_pieces(number), if number == 1 { "fits" } else { "fit" })
    }

    /// Formats a number of squares: `1 square`, `27 squares`; on a graph, `10 vertices`.
    #[must_use]
    pub fn format_squares(&self, number: u64) -> String {
        format_count(number, self.geometry.words().place)
    }

    /// Returns the piece of the board if it moves along lines: queen, rook or bishop.
    #[must_use]
    pub fn piece(&self) -> Option<Piece> {
        self.geometry.words().chess
    }

    /// Returns the piece of the board if it has moves of fixed length: knight, king or superqueen.
    #[must_use]
    pub fn leaper(&self) -> Option<Leaper> {
        match self.name {
            BoardName::Leaper { leaper, .. } => Some(leaper),
            _ => None,
        }
    }

    /// Returns the letter of the board's piece in text pictures, `Q` on boards whose pieces have no letter.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::board::Board;
    ///
    /// assert_eq!(Board::new(&"knight:4^2".parse()?).letter(), 'N');
    /// # Ok::<(), ndqueens_notation::name::NameError>(())
    /// ```
    #[must_use]
    pub fn letter(&self) -> char {
        match (self.piece(), self.leaper()) {
            (Some(Piece::Rook), _) => 'R',
            (Some(Piece::Bishop), _) => 'B',
            (_, Some(Leaper::Knight)) => 'N',
            (_, Some(Leaper::King)) => 'K',
            (_, Some(Leaper::Superqueen)) => 'S',
            _ => 'Q',
        }
    }

    /// Returns `true` if symmetries are computed. They are not for graphs.
    #[must_use]
    pub fn has_symmetry(&self) -> bool {
        self.geometry.has_symmetry()
    }

    /// Returns the order of the group that [`Board::generators`] generate, or `None` if it is unknown.
    /// Without a formula, the elements are counted if squares and elements are few.
    #[must_use]
    pub fn symmetry_order(&self) -> Option<u128> {
        const MAX_ELEMENTS: usize = 2000;
        const MAX_SQUARES: usize = 2000;
        if !self.has_symmetry() {
            return None;
        }
        let count_elements = || {
            let identity: Vec<Square> = (self.size() <= MAX_SQUARES).then(|| self.squares().collect())?;
            let image = |of: &Vec<Square>, by: &Generator<'_>| of.iter().map(|&square| by(square)).collect();
            let elements = closure(identity, &self.generators(), MAX_ELEMENTS, image).len();
            (elements < MAX_ELEMENTS).then_some(elements as u128)
        };
        self.geometry.symmetry_order().or_else(count_elements)
    }

    /// Returns `true` if [`Board::generators`] generate the whole symmetry group, so that solutions up to
    /// symmetry can be counted.
    #[must_use]
    pub fn symmetry_is_whole(&self) -> bool {
        self.geometry.symmetry_is_whole()
    }

    /// Returns the grid if the board is a box of squares, plain or a torus, for queens, rooks or bishops.
    #[must_use]
    pub fn grid(&self) -> Option<&Grid> {
        self.geometry.grid()
    }

    /// Returns the side lengths if the board is a box of squares, plain or a torus, for any piece.
    /// Reflections of axes and exchanges of axes of the same length are symmetries of such a board.
    #[must_use]
    pub fn box_sides(&self) -> Option<&[u32]> {
        match &self.name {
            BoardName::Grid { sides, .. } | BoardName::Leaper { sides, .. } => Some(sides),
            _ => None,
        }
    }

    /// Returns the grid if the board is a plain box of squares, not a torus, for queens, rooks or bishops.
    #[must_use]
    pub fn plain_box(&self) -> Option<&Grid> {
        self.grid().filter(|grid| !grid.is_torus())
    }

    /// Returns the layout of a drawing of the board, or `None` for graphs.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        self.geometry.layout()
    }

    /// Returns the squares in the order of de Groot's numbers, which count from 1, or `None` if the board is
    /// neither `hex:n` nor `three:n`.
    ///
    /// # References
    /// J. A. de Groot, *Solving n-queens on non-squares*, 2020, Appendix C.
    #[must_use]
    pub fn de_groot(&self) -> Option<Vec<Square>> {
        self.geometry.de_groot()
    }

    /// Returns the orbits of squares under the symmetry group; computes them at the first call.
    #[must_use]
    pub fn orbits(&self) -> &Orbits {
        self.orbits.get_or_init(|| Orbits::compute(self))
    }

    /// Returns the size of [`Board::graph`] in bytes.
    #[must_use]
    pub fn graph_bytes(&self) -> u128 {
        let n = self.size() as u128;
        n * n.div_ceil(64) * 8
    }

    /// Returns the queen graph: for each square the set of squares attacked from it. See
    /// [`Board::graph_bytes`] for its size.
    #[must_use]
    pub fn graph(&self) -> Vec<FixedBitSet> {
        let row = |square| {
            let mut set = FixedBitSet::with_capacity(self.size());
            set.extend(self.neighbours(square).into_iter().map(|t| t as usize));
            set
        };
        self.squares().map(row).collect()
    }
}

/// Formats a number and a noun in the singular or plural.
fn format_count(number: u64, [one, many]: [&str; 2]) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Orbits of squares under a board's symmetry group.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
///
/// let board = Board::new(&"3^2".parse()?);
/// assert_eq!(board.orbits().sizes(), [4, 4, 1]);
/// assert_eq!(board.orbits().representatives(), [0, 1, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Orbits {
    /// Number of the orbit of each square.
    of_square: Vec<u32>,
    representatives: Vec<Square>,
    sizes: Vec<usize>,
}

impl Orbits {
    /// Computes the orbits of a board by applying the generators to each new square.
    fn compute(board: &Board) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let generators = board.generators();
        let mut orbits =
            Self { of_square: vec![UNSEEN; board.size()], representatives: Vec::new(), sizes: Vec::new() };
        let mut queue = Vec::new();
        for square in board.squares() {
            if orbits.of_square[square as usize] != UNSEEN {
                continue;
            }
            let number = u32::try_from(orbits.sizes.len()).expect("fewer orbits than squares");
            orbits.representatives.push(square);
            orbits.of_square[square as usize] = number;
            queue.push(square);
            let mut size = 0;
            while let Some(s) = queue.pop() {
                size += 1;
                for image in generators.iter().map(|generator| generator(s)) {
                    if orbits.of_square[image as usize] == UNSEEN {
                        orbits.of_square[image as usize] = number;
                        queue.push(image);
                    }
                }
            }
            orbits.sizes.push(size);
        }
        orbits
    }

    /// Returns the number of orbits.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the number of the orbit of a square, `0..count`.
    #[must_use]
    pub fn of(&self, square: Square) -> usize {
        self.of_square[square as usize] as usize
    }

    /// Returns the least square of each orbit.
    #[must_use]
    pub fn representatives(&self) -> &[Square] {
        &self.representatives
    }

    /// Returns the number of squares in each orbit.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    const BOARDS: [&str; 68] = [
        "1^3",
        "2^3",
        "3^3",
        "4^3",
        "3x4x5",
        "2x3x1",
        "3^4",
        "7^1",
        "5^2",
        "rook:3^3",
        "bishop:4x3",
        "bishop:3^3",
        "torus:4^2",
        "torus:2^3",
        "rook:torus:3^3",
        "bishop:torus:4^3",
        "knight:1^2",
        "knight:7^1",
        "knight:5^2",
        "knight:3x4x5",
        "knight:2x1x4",
        "knight:torus:2^3",
        "knight:torus:3^2",
        "knight:torus:4^2",
        "knight:torus:4^3",
        "king:1^2",
        "king:5^2",
        "king:2x1x4",
        "king:3^4",
        "king:torus:2^3",
        "king:torus:3^2",
        "king:torus:5^2",
        "superqueen:4x5",
        "superqueen:4^3",
        "superqueen:torus:2^3",
        "superqueen:torus:7^2",
        "moebius:1^2",
        "moebius:1x2",
        "moebius:5x1",
        "moebius:5^2",
        "moebius:4x6",
        "moebius:7x3",
        "klein:1x2",
        "klein:4x1",
        "klein:2x3",
        "klein:5^2",
        "klein:4x6",
        "klein:6x5",
        "hex:1",
        "hex:2",
        "hex:3",
        "hex:4",
        "hex:7",
        "three:2",
        "three:4",
        "three:6",
        "three:10",
        "sudoku:1",
        "sudoku:2",
        "sudoku:3",
        "sudoku-x:1",
        "sudoku-x:2",
        "sudoku-x:3",
        "cells:1",
        "cells:2",
        "cells:3",
        "cells-x:2",
        "cells-x:3",
    ];

    #[test]
    fn coordinates_and_squares_are_inverse() {
        for name in BOARDS {
            let board = board(name);
            for square in board.squares() {
                assert_eq!(board.square(&board.coordinates(square)), Some(square), "{name}");
            }
        }
    }

    #[test]
    fn lines_neighbours_and_attacks_agree() {
        let boxes = ["1x1x4", "1^3", "3x1x2x4", "rook:2x1x5", "bishop:1x4x3", "bishop:2x1x1x3", "5x7"];
        for name in BOARDS.into_iter().chain(boxes) {
            let board = board(name);
            let graph = board.graph();
            let mut from_lines = vec![FixedBitSet::with_capacity(board.size()); board.size()];
            for line in board.lines() {
                assert!(line.len() >= 2, "{name}: void line");
                for (&a, &b) in
                    line.iter().flat_map(|a| line.iter().map(move |b| (a, b))).filter(|(a, b)| a != b)
                {
                    from_lines[a as usize].insert(b as usize);
                }
            }
            assert_eq!(graph, from_lines, "{name}");
            for a in board.squares() {
                assert_eq!(board.degree(a), graph[a as usize].count_ones(..), "{name} {a}");
                for b in board.squares() {
                    assert_eq!(board.attacks(a, b), graph[a as usize].contains(b as usize), "{name} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn group_order_is_the_number_of_elements() {
        for name in BOARDS.into_iter().chain(["2x3x1x2", "torus:2^2", "torus:3^2", "torus:5^1"]) {
            let board = board(name);
            let (identity, most): (Vec<Square>, _) = (board.squares().collect(), 20_000);
            let image = |of: &Vec<Square>, by: &Generator<'_>| of.iter().map(|&square| by(square)).collect();
            let elements = closure(identity, &board.generators(), most, image).len();
            match board.symmetry_order() {
                Some(order) if elements <= most => assert_eq!(order, elements as u128, "{name}"),
                Some(order) => assert!(order > most as u128, "{name}: {order}"),
                None => assert!(!board.has_symmetry(), "{name}"),
            }
        }
        assert_eq!(board("6^3").symmetry_order(), Some(48));
        assert_eq!(board("4^12").symmetry_order(), Some(479_001_600 * 4096));
    }

    #[test]
    fn lines_are_distinct_and_match_extent() {
        for name in BOARDS {
            let board = board(name);
            let mut sets: Vec<Line> = board
                .lines()
                .map(|mut line| {
                    line.sort_unstable();
                    line
                })
                .collect();
            let extent =
                Extent { rows: sets.len() as u128, nonzeros: sets.iter().map(|l| l.len() as u128).sum() };
            assert_eq!(board.lines_extent(), extent, "{name}");
            sets.sort();
            sets.dedup();
            assert_eq!(sets.len() as u128, extent.rows, "{name}: a line twice");
        }
    }

    #[test]
    fn generators_are_automorphisms() {
        for name in BOARDS {
            let board = board(name);
            for generator in board.generators() {
                let mut images: Vec<Square> = board.squares().map(&generator).collect();
                for a in board.squares() {
                    for b in board.squares() {
                        assert_eq!(board.attacks(a, b), board.attacks(generator(a), generator(b)), "{name}");
                    }
                }
                images.sort_unstable();
                assert!(images.into_iter().eq(board.squares()), "{name}: not a permutation");
            }
        }
    }

    #[test]
    fn squares_are_in_lexicographic_order() {
        for name in BOARDS {
            let board = board(name);
            assert!(board.squares().map(|s| board.coordinates(s)).is_sorted_by(|a, b| a < b), "{name}");
            assert_eq!(board.square(&vec![9999; board.coordinates(0).len()]), None, "{name}");
            assert_eq!(board.square(&[]), None, "{name}");
        }
    }

    #[test]
    fn boards_have_known_numbers_of_squares_and_attacks() {
        for (name, squares, edges, bound) in [
            ("hex:1", 1, 0, 1),
            ("hex:2", 7, 21, 3),
            ("hex:3", 19, 123, 5),
            ("hex:4", 37, 372, 7),
            ("hex:5", 61, 834, 9),
            ("hex:6", 91, 1575, 11),
            ("hex:7", 127, 2661, 13),
            ("hex:8", 169, 4158, 15),
            ("hex:9", 217, 6132, 17),
            ("three:2", 6, 12, 2),
            ("three:4", 24, 126, 6),
            ("three:6", 54, 462, 9),
            ("three:8", 96, 1140, 12),
            ("three:10", 150, 2280, 15),
            ("sudoku:1", 1, 0, 1),
            ("sudoku:2", 64, 320, 16),
            ("sudoku:3", 729, 10_206, 81),
            ("sudoku-x:2", 64, 352, 16),
            ("cells:1", 1, 0, 1),
            ("cells:2", 16, 56, 4),
            ("cells:3", 81, 810, 9),
            ("cells-x:2", 16, 64, 4),
        ] {
            let board = board(name);
            let attacks: usize = board.graph().iter().map(|row| row.count_ones(..)).sum();
            assert_eq!((board.size(), attacks / 2, board.trivial_bound()), (squares, edges, bound), "{name}");
        }
    }

    #[test]
    fn counts_of_pieces_are_formatted_in_words() {
        for (name, one, many) in [
            ("3^3", "1 queen fits", "4 queens"),
            ("rook:torus:3^3", "1 rook fits", "4 rooks"),
            ("bishop:2x3", "1 bishop fits", "4 bishops"),
            ("knight:3^2", "1 knight fits", "4 knights"),
            ("king:torus:3^2", "1 king fits", "4 kings"),
            ("superqueen:3x4", "1 superqueen fits", "4 superqueens"),
            ("moebius:3^2", "1 queen fits", "4 queens"),
            ("hex:3", "1 queen fits", "4 queens"),
            ("three:4", "1 queen fits", "4 queens"),
            ("sudoku:2", "1 digit fits", "4 digits"),
        ] {
            assert_eq!(
                (board(name).format_fitting(1), board(name).format_pieces(4)),
                (one.to_owned(), many.to_owned())
            );
            assert_eq!(board(name).format_squares(1), "1 square");
            assert_eq!(format!("{} fits", board(name).format_pieces(1)), one);
        }
        let file = |text: &str| {
            Board::new(&BoardName::parse_with("file:board", &|_| Ok(text.to_owned())).expect("a board"))
        };
        let graph = file("n 3\n0 1\n");
        assert_eq!(
            (graph.format_fitting(0), graph.format_squares(1)),
            ("0 vertices fit".to_owned(), "1 vertex".to_owned())
        );
        assert!(!graph.has_symmetry() && board("3^3").has_symmetry());
        assert_eq!(file("ndqueens board 1\npiece: rook\n##\n").format_pieces(2), "2 rooks");
    }

    #[test]
    fn orbits_match_known_counts() {
        for (name, sizes) in [
            ("3^3", vec![8, 12, 6, 1]),
            ("4^2", vec![4, 8, 4]),
            ("2x3", vec![4, 2]),
            ("torus:5^2", vec![25]),
            ("1^3", vec![1]),
            ("hex:1", vec![1]),
            ("hex:3", vec![6, 6, 6, 1]),
            ("three:4", vec![6, 12, 6]),
            ("sudoku:2", vec![64]),
            ("sudoku:3", vec![729]),
            ("sudoku-x:2", vec![32, 32]),
            ("cells:3", vec![81]),
            ("cells-x:2", vec![8, 8]),
        ] {
            assert_eq!(board(name).orbits().sizes(), sizes, "{name}");
        }
        assert_eq!(board("5^4").orbits().count(), 15);
    }

    #[test]
    fn lines_and_neighbours_match_formulas() {
        for (n, d) in [(2u32, 3u32), (3, 3), (4, 3), (5, 3), (3, 4), (4, 4), (4, 5), (3, 6)] {
            let board = board(&format!("{n}^{d}"));
            let rows = ((3 * n - 2).pow(d) - (3 * n - 4).pow(d)) / 2;
            assert_eq!(board.lines_extent().rows, u128::from(rows), "{n}^{d}");
            assert_eq!(board.neighbours(0).len() as u32, (2u32.pow(d) - 1) * (n - 1), "{n}^{d}");
            if n % 2 == 1 {
                let centre = board.square(&vec![n / 2; d as usize]).expect("on the board");
                assert_eq!(board.neighbours(centre).len() as u32, (3u32.pow(d) - 1) / 2 * (n - 1), "{n}^{d}");
            }
        }
        assert_eq!(board("4^5").lines_extent().rows, 33_616);
    }
}
