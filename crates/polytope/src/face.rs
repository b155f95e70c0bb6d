//! The face that an inequality defines: its dimension, and why it is a facet or not.
//!
//! The face of P(B) that an inequality defines is the convex hull of its *tight* sets, the independent sets
//! that satisfy it with equality. Such a set is a tight set T of squares with nonzero coefficients, together
//! with an independent set of squares with coefficient 0 that T does not attack. Its characteristic vector is
//! an affine combination of those of T and of T with one such square each, so that only these sets are
//! examined.

use std::ops::ControlFlow;

use ndqueens_model::board::{Board, Square};
use ndqueens_model::ilp::Comparison;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_system::cancel::Control;

use crate::equations::{Entry, Equations, Overflow};
use crate::halfspace::{Halfspace, LARGEST_NUMBER, format_sum, variable};
use crate::support::{Extent, WeightedSquares};
use crate::symmetry::Symmetries;

/// Largest number of nodes of the search over the tight sets of an inequality.
pub const MOST_NODES: u64 = 20_000_000;

/// Largest number of squares of a board whose faces are examined.
pub const MOST_SQUARES: usize = 2048;

/// Face of a valid inequality, or the reason why the inequality is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// Dimension, or a lower bound on it if the verdict is [`Verdict::AtLeast`]; -1 for the empty face.
    pub dimension: i64,
    /// Conclusion.
    pub verdict: Verdict,
    /// Tight sets with affinely independent characteristic vectors, one more than the dimension.
    pub sets: Vec<Vec<Square>>,
}

/// Conclusion on the face of an inequality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The inequality defines a facet.
    Facet,
    /// All solutions satisfy the inequality with equality.
    Whole,
    /// The inequality is valid and defines a face of lower dimension.
    NotFacet(Reason),
    /// The inequality is violated by a solution.
    Invalid(Vec<Square>),
    /// The examination ended before all tight sets were examined. The field is the reason.
    AtLeast(StopCause),
}

/// Reason why an examination ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StopCause {
    /// Limit on the number of nodes, or a stop request.
    #[error("the search over its tight sets was stopped")]
    Search,
    /// Integers beyond 127 bits.
    #[error("the equations of its tight sets exceed 127 bits")]
    Overflow,
}

/// Reason why a valid inequality does not define a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// No solution is tight; the field is the largest value of the left-hand side.
    Slack(i64),
    /// No tight set contains the square, and the inequality is valid with this larger coefficient of it. The
    /// sum of that inequality and a multiple of `-x_s <= 0` is the inequality.
    Lift(Square, i64),
    /// All tight sets satisfy a further equation.
    Equation(Equation),
    /// The dimension is too low; no equation is stated.
    Dimension,
}

/// Linear equation `sum a_s x_s = b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Equation {
    /// Coefficient of every square.
    pub coefficients: Vec<i128>,
    /// Right-hand side.
    pub rhs: i128,
}

/// Error of an inequality that cannot be examined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaceError {
    /// Number of coefficients that is not that of the squares.
    #[error("the inequality has {coefficients} coefficients, and the board has {squares} squares")]
    Size {
        /// Number of coefficients.
        coefficients: usize,
        /// Number of squares.
        squares: usize,
    },
    /// Board with too many squares.
    #[error("the board has {0} squares, and faces are examined on boards of at most {MOST_SQUARES}")]
    TooManySquares(usize),
    /// Number that is too large.
    #[error("{0} is too large: coefficients and right-hand sides are at most 2^40")]
    Number(i64),
}

impl Classified for FaceError {
    fn class(&self) -> ErrorClass {
        ErrorClass::BadInput
    }
}

/// Examines the face of P(B) that an inequality defines.
///
/// # Errors
/// Returns an error if the inequality does not fit the board, or a number is too large.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::face::{Verdict, examine};
/// use ndqueens_polytope::halfspace::Halfspace;
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"3^2".parse()?);
/// let mut row = Halfspace { coefficients: vec![1, 1, 0, 1, 1, 0, 0, 0, 0], rhs: 1 };
/// assert_eq!(examine(&board, &row, &Control::new())?.verdict, Verdict::Facet);
/// row.coefficients[4] = 2;
/// assert_eq!(examine(&board, &row, &Control::new())?.verdict, Verdict::Invalid(vec![4]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn examine(board: &Board, halfspace: &Halfspace, control: &Control) -> Result<Face, FaceError> {
    examine_within(board, halfspace, MOST_NODES, control)
}

/// Examines the face as [`examine`] does, with a search of at most `most_nodes` nodes.
///
/// # Errors
/// Returns an error in the cases of [`examine`].
pub fn examine_within(
    board: &Board,
    halfspace: &Halfspace,
    most_nodes: u64,
    control: &Control,
) -> Result<Face, FaceError> {
    check_numbers(board.size(), halfspace)?;
    let mut examination = Examination::new(board, halfspace);
    let support = examination.support.clone();
    let weighted = WeightedSquares::new(
        board,
        support.iter().map(|&square| (square, halfspace.coefficients[square as usize])),
    );
    let extent =
        weighted.visit(halfspace.rhs, most_nodes, control, &mut |set, weight| examination.add(set, weight));
    if extent == Extent::Stopped {
        examination.add_images(&Symmetries::of(board));
    }
    let verdict = examination.verdict(extent, &weighted, most_nodes, control);
    let Examination { equations, sets, .. } = examination;
    Ok(Face { dimension: equations.rank() as i64 - 1, verdict, sets })
}

/// Checks that an inequality has a coefficient for every square and no large number.
fn check_numbers(squares: usize, halfspace: &Halfspace) -> Result<(), FaceError> {
    let Halfspace { coefficients, rhs } = halfspace;
    if squares > MOST_SQUARES {
        return Err(FaceError::TooManySquares(squares));
    }
    if coefficients.len() != squares {
        return Err(FaceError::Size { coefficients: coefficients.len(), squares });
    }
    let large = coefficients.iter().chain([rhs]).find(|x| x.unsigned_abs() > LARGEST_NUMBER.unsigned_abs());
    large.map_or(Ok(()), |&number| Err(FaceError::Number(number)))
}

/// Tight sets of an inequality during their enumeration.
struct Examination<'a> {
    board: &'a Board,
    halfspace: &'a Halfspace,
    support: Vec<Square>,
    /// Squares with coefficient 0.
    others: Vec<Square>,
    equations: Equations,
    /// Sets that are affinely independent.
    sets: Vec<Vec<Square>>,
    /// `true` for the squares of some tight set.
    used: Vec<bool>,
    violating: Option<Vec<Square>>,
    overflow: bool,
}

impl<'a> Examination<'a> {
    fn new(board: &'a Board, halfspace: &'a Halfspace) -> Self {
        let (support, others) =
            board.squares().partition(|&square| halfspace.coefficients[square as usize] != 0);
        Self {
            board,
            halfspace,
            support,
            others,
            equations: Equations::new(board.size() + 1),
            sets: Vec::new(),
            used: vec![false; board.size()],
            violating: None,
            overflow: false,
        }
    }

    /// Adds an independent set of the support whose weight is the right-hand side or more. Returns the least
    /// weight of the sets that are still of interest.
    fn add(&mut self, set: &[Square], weight: i64) -> ControlFlow<(), i64> {
        let rhs = self.halfspace.rhs;
        if weight > rhs {
            self.violating = Some(set.to_vec());
            return ControlFlow::Break(());
        }
        if self.insert_with_others(set).is_err() {
            self.overflow = true;
        }
        // The face is a facet or the whole polytope if no set of larger weight follows. All squares that are
        // not used are then irrelevant.
        let is_settled = self.overflow || self.equations.rank() >= self.board.size() + usize::from(rhs == 0);
        ControlFlow::Continue(if is_settled { rhs + 1 } else { rhs })
    }

    /// Inserts a tight set of the support, alone and with each of the other squares that it does not attack.
    fn insert_with_others(&mut self, set: &[Square]) -> Result<(), Overflow> {
        self.insert(set.to_vec())?;
        let mut larger = set.to_vec();
        for k in 0..self.others.len() {
            let other = self.others[k];
            if set.iter().all(|&square| !self.board.attacks(square, other)) {
                larger.push(other);
                self.insert(larger.clone())?;
                larger.pop();
            }
        }
        Ok(())
    }

    /// Inserts a tight set.
    fn insert(&mut self, mut set: Vec<Square>) -> Result<(), Overflow> {
        set.iter().for_each(|&square| self.used[square as usize] = true);
        let mut vector: Vec<Entry> = set.clone();
        vector.push(self.board.size() as Entry);
        if self.equations.insert(&vector)? {
            set.sort_unstable();
            self.sets.push(set);
        }
        Ok(())
    }

    /// Inserts the images of the tight sets under the symmetries that fix the inequality.
    fn add_images(&mut self, symmetries: &Symmetries) {
        for images in symmetries.stabiliser(self.halfspace) {
            for k in 0..self.sets.len() {
                let image = self.sets[k].iter().map(|&square| images[square as usize]).collect();
                if self.insert(image).is_err() {
                    self.overflow = true;
                    return;
                }
            }
        }
    }

    /// Returns the conclusion after the search over the tight sets.
    fn verdict(
        &self,
        extent: Extent,
        weighted: &WeightedSquares,
        most_nodes: u64,
        control: &Control,
    ) -> Verdict {
        let size = self.board.size();
        if let Some(set) = &self.violating {
            let mut set = set.clone();
            set.sort_unstable();
            return Verdict::Invalid(set);
        }
        if extent == Extent::Stopped {
            return Verdict::AtLeast(StopCause::Search);
        }
        match self.equations.rank() {
            rank if rank == size + 1 => Verdict::Whole,
            rank if rank == size => Verdict::Facet,
            _ if self.overflow => Verdict::AtLeast(StopCause::Overflow),
            0 => match weighted.maximum(most_nodes, control) {
                Some(maximum) => Verdict::NotFacet(Reason::Slack(maximum)),
                None => Verdict::NotFacet(Reason::Dimension),
            },
            _ => Verdict::NotFacet(self.reason(most_nodes, control)),
        }
    }

    /// Returns the reason why the inequality, which has a tight set, does not define a facet.
    fn reason(&self, most_nodes: u64, control: &Control) -> Reason {
        let unused = (0..).zip(&self.used).filter(|(_, used)| !**used).map(|(square, _)| square);
        let lifts = unused.filter_map(|square| {
            let coefficient = self.largest_coefficient(square, most_nodes, control)?;
            Some(Reason::Lift(square, coefficient))
        });
        lifts.into_iter().next().unwrap_or_else(|| self.equation())
    }

    /// Returns the largest coefficient of a square with which the inequality is valid, or `None` if the
    /// search for it stopped.
    fn largest_coefficient(&self, square: Square, most_nodes: u64, control: &Control) -> Option<i64> {
        let beside = self.support.iter().filter(|&&s| s != square && !self.board.attacks(s, square));
        let terms = beside.map(|&s| (s, self.halfspace.coefficients[s as usize]));
        let maximum = WeightedSquares::new(self.board, terms).maximum(most_nodes, control)?;
        Some(self.halfspace.rhs - maximum)
    }

    /// Returns the shortest equation in the basis of the equations of all tight sets, except multiples of the
    /// equation of the inequality itself.
    fn equation(&self) -> Reason {
        let own: Vec<i128> = self.halfspace.coefficients.iter().map(|&a| i128::from(a)).collect();
        let own = [own, vec![-i128::from(self.halfspace.rhs)]].concat();
        let is_own = |row: &&Vec<i128>| {
            let at = row.iter().position(|&x| x != 0).expect("a basis has no zero vector");
            own.iter()
                .zip(row.iter())
                .all(|(x, y)| x.checked_mul(row[at]).zip(y.checked_mul(own[at])).is_some_and(|(x, y)| x == y))
        };
        let terms = |row: &&Vec<i128>| row.iter().filter(|&&x| x != 0).count();
        let shortest = self.equations.rows().iter().filter(|row| !is_own(row)).min_by_key(terms);
        shortest.map_or(Reason::Dimension, |row| Reason::Equation(Equation::of(row)))
    }
}

impl Reason {
    /// Formats the reason with the variables of a board, for an inequality written with this relation
    /// ([`Halfspace::format_as`]).
    #[must_use]
    pub fn format(&self, board: &Board, halfspace: &Halfspace, comparison: Comparison) -> String {
        let sign = if comparison == Comparison::AtLeast { -1 } else { 1 };
        match self {
            Self::Slack(largest) => {
                let most = if sign < 0 { "at least" } else { "at most" };
                format!("no solution is tight; the left-hand side is {most} {}", sign * largest)
            }
            Self::Lift(square, coefficient) => {
                let name = variable(board, *square);
                let own = sign * halfspace.coefficients[*square as usize];
                let coefficient = sign * coefficient;
                format!("{name} = 0 on it; valid with {coefficient} {name} in place of {own} {name}")
            }
            Self::Equation(equation) => format!("{} on it", equation.format(board)),
            Self::Dimension => "too few affinely independent tight solutions".to_owned(),
        }
    }
}

impl Equation {
    /// Formats the equation with the variables of a board.
    #[must_use]
    pub fn format(&self, board: &Board) -> String {
        format!("{} = {}", format_sum(board, (0..).zip(self.coefficients.iter().copied())), self.rhs)
    }

    /// Returns the equation of a vector of coefficients whose last entry is that of the constant 1; the first
    /// coefficient is positive.
    fn of(row: &[i128]) -> Self {
        let sign = row.iter().find(|&&x| x != 0).map_or(1, |x| x.signum());
        let (constant, coefficients) = row.split_last().expect("a constant");
        Self { coefficients: coefficients.iter().map(|x| x * sign).collect(), rhs: -constant * sign }
    }
}

/// All solutions of a problem on a board, and the dimension of their convex hull.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_polytope::face::Hull;
/// use ndqueens_polytope::solutions::{Kind, list};
/// use ndqueens_system::cancel::Control;
///
/// let board = Board::new(&"rook:3^3".parse()?);
/// let latin = list(&board, Kind::IndependentOfSize(9), 1000, &Control::new())?;
/// assert_eq!(Hull::of(board.size(), latin).map(|hull| hull.dimension()), Some(8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Hull {
    size: usize,
    sets: Vec<Vec<Square>>,
    equations: Equations,
}

impl Hull {
    /// Creates the convex hull of sets of squares of a board with `size` squares. Returns `None` if integers
    /// exceed 127 bits.
    #[must_use]
    pub fn of(size: usize, sets: Vec<Vec<Square>>) -> Option<Self> {
        let mut hull = Self { size, sets, equations: Equations::new(size + 1) };
        (hull.equations, _) = hull.span(|_| true)?;
        Some(hull)
    }

    /// Returns the dimension; -1 if there is no set.
    #[must_use]
    pub fn dimension(&self) -> i64 {
        self.equations.rank() as i64 - 1
    }

    /// Returns the sets.
    #[must_use]
    pub fn sets(&self) -> &[Vec<Square>] {
        &self.sets
    }

    /// Returns the equations of the sets that satisfy a condition, and affinely independent ones among these.
    fn span(&self, condition: impl Fn(&[Square]) -> bool) -> Option<(Equations, Vec<Vec<Square>>)> {
        let mut equations = Equations::new(self.size + 1);
        let mut independent = Vec::new();
        for set in self.sets.iter().filter(|set| condition(set)) {
            let vector = [set.as_slice(), &[self.size as Entry]].concat();
            if equations.insert(&vector).ok()? {
                independent.push(set.clone());
            }
        }
        Some((equations, independent))
    }

    /// Examines the face that an inequality defines, or an equation, given as its left-hand side is to be at
    /// most, or equal to, its right-hand side.
    ///
    /// # Errors
    /// Returns an error if the inequality does not fit the board, or a number is too large.
    pub fn examine(&self, halfspace: &Halfspace, comparison: Comparison) -> Result<Face, FaceError> {
        check_numbers(self.size, halfspace)?;
        let Halfspace { rhs, .. } = *halfspace;
        let violates = |set: &&Vec<Square>| match (comparison, halfspace.left(set)) {
            (Comparison::Equal, left) => left != rhs,
            (Comparison::AtMost | Comparison::AtLeast, left) => left > rhs,
        };
        let Some((equations, sets)) = self.span(|set| halfspace.left(set) == rhs) else {
            let verdict = Verdict::AtLeast(StopCause::Overflow);
            return Ok(Face { dimension: -1, verdict, sets: Vec::new() });
        };
        let dimension = equations.rank() as i64 - 1;
        let verdict = match self.sets.iter().find(violates) {
            Some(set) => Verdict::Invalid(set.clone()),
            None if dimension == self.dimension() => Verdict::Whole,
            None if dimension == self.dimension() - 1 => Verdict::Facet,
            None if dimension == -1 => {
                let maximum = self.sets.iter().map(|set| halfspace.left(set)).max();
                Verdict::NotFacet(maximum.map_or(Reason::Dimension, Reason::Slack))
            }
            None => Verdict::NotFacet(self.reason(&equations, halfspace)),
        };
        Ok(Face { dimension, verdict, sets })
    }

    /// Returns the shortest of the equations of the tight sets of an inequality that some solution violates,
    /// except those that are multiples of the inequality's own equation on all solutions.
    fn reason(&self, equations: &Equations, halfspace: &Halfspace) -> Reason {
        let slack = |set: &[Square]| i128::from(halfspace.rhs - halfspace.left(set));
        let loose = self.sets.iter().find(|set| slack(set) != 0);
        let is_further = |row: &&Vec<i128>| {
            let value = |set: &[Square]| {
                set.iter().try_fold(row[self.size], |sum, &square| sum.checked_add(row[square as usize]))
            };
            // Equations with large coefficients are not stated.
            let product = |a: Option<i128>, b: i128| a.and_then(|a| a.checked_mul(b));
            let differs = |set: &[Square], loose: &[Square]| {
                let products = product(value(set), slack(loose)).zip(product(value(loose), slack(set)));
                products.is_some_and(|(left, right)| left != right)
            };
            loose.is_some_and(|loose| self.sets.iter().any(|set| differs(set, loose)))
        };
        let terms = |row: &&Vec<i128>| row.iter().filter(|&&x| x != 0).count();
        let shortest = equations.rows().iter().filter(is_further).min_by_key(terms);
        shortest.map_or(Reason::Dimension, |row| Reason::Equation(Equation::of(row)))
    }
}
