//! Inequalities that a formulation's file states itself, and the claims that have to be proved for them.
//!
//! An inequality is a list of squares with coefficients, or a *pattern*: coefficients on a small box that is
//! placed on the board at all positions, at several strides, and with its images under exchanges and
//! reflections of axes. All placements of a pattern on a plain box are isometric, so one [`Claim`] covers them.
//! On a torus, lines wrap around, and each stride has a claim of its own.

mod entry;
mod error;
mod lp;
mod pattern;
mod row;
mod table;

use std::collections::BTreeMap;
use std::fmt;

use ndqueens_notation::name::BoardName;

pub use self::entry::ReadFile;
use self::entry::read_file;
pub(crate) use self::entry::{InequalityEntry, read_entries};
pub use self::error::{InequalityError, MAX_NUMBER, MAX_SQUARES};
pub use self::pattern::{MAX_IMAGE_SQUARES, Pattern, Placement};
use crate::board::Board;
use crate::ilp::Comparison;

/// Name of the family of the rows of these inequalities.
pub const FAMILY: &str = "own";

/// Inequalities of a formulation, with the results of their proofs.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::formulation::Formulation;
///
/// let text = "title = \"own\"\nsource = \"none\"\nproblem = \"independent set\"\nfamilies = [\"line\"]\n\
///     [[inequalities]]\nbox = [3, 3]\nclasses = [1, 0, 1]\nrhs = 1\n";
/// let formulation = Formulation::parse("own", text)?;
/// let claims = formulation.own.claims(&Board::new(&"5^2".parse()?))?;
/// assert_eq!(claims[0][0].to_string(), "(0,0) + (0,2) + (1,1) + (2,0) + (2,2) <= 1 on 3^2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct OwnInequalities {
    inequalities: Vec<OwnInequality>,
    /// Names of the files with inequalities, as the formulation has them.
    files: Vec<String>,
    /// Results of the proofs so far.
    standings: BTreeMap<Claim, Standing>,
}

/// Inequality of a formulation's file.
#[derive(Debug, Clone)]
pub struct OwnInequality {
    /// Name that the file gives; `None` if it gives none.
    pub name: Option<String>,
    /// Description in messages, with the number of the inequality or its row in a file.
    pub label: String,
    /// Squares with their coefficients.
    pub support: Support,
    /// Comparison of the two sides.
    pub comparison: Comparison,
    /// Right-hand side.
    pub rhs: i64,
}

/// Squares of an inequality, with coefficients other than 0.
#[derive(Debug, Clone)]
pub enum Support {
    /// Squares of the board.
    Squares(Vec<Term>),
    /// Pattern that is placed on the board.
    Pattern(Pattern),
}

/// Square with its coefficient.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// Coordinates, counted from 0.
    pub square: Vec<u32>,
    /// Coefficient.
    pub coefficient: i64,
}

/// Statement that every independent set of a board satisfies an inequality.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// The board; for a pattern, the plain box around it.
    pub board: BoardName,
    /// Squares of the board with their coefficients.
    pub terms: Vec<Term>,
    /// Comparison of the two sides.
    pub comparison: Comparison,
    /// Right-hand side.
    pub rhs: i64,
}

/// Upper bound on the weight of an independent set.
///
/// # Examples
/// ```
/// use ndqueens_model::ilp::Comparison;
/// use ndqueens_model::own::{Claim, Term};
///
/// let terms = vec![Term { square: vec![0], coefficient: 2 }, Term { square: vec![1], coefficient: -1 }];
/// let claim = Claim { board: "2^1".parse()?, terms, comparison: Comparison::AtMost, rhs: 2 };
/// let [side] = claim.weight_bounds().try_into().expect("one comparison");
/// assert_eq!((side.squares, side.weights, side.rhs), (vec![vec![0]], vec![2], 2));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightBound {
    /// Squares with a weight.
    pub squares: Vec<Vec<u32>>,
    /// Weight of each square, above 0.
    pub weights: Vec<u64>,
    /// Largest weight of an independent set, as stated.
    pub rhs: i64,
}

/// Result of the proof of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The claim was proved in this run, in the way described.
    Proved(String),
    /// The claim was neither proved nor refuted, for the reason given.
    Open(String),
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proved(how) => write!(f, "checked in this run: {how}"),
            Self::Open(why) => write!(f, "not proved: {why}"),
        }
    }
}

/// Error for an inequality that has no place on a board, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{label}: {reason}")]
pub struct MisplacedInequality {
    /// Name of the inequality.
    pub label: String,
    /// Reason why it has no place.
    pub reason: Misplacement,
}

/// Reason why an inequality has no place on a board, as the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misplacement {
    /// Square that is not on the board.
    #[error("{0} is not a square of the board")]
    Square(String),
    /// Board that is neither a box nor a torus.
    #[error(
        "a box is placed on boxes and tori of queens, rooks and bishops; list squares of the board instead"
    )]
    NoGrid,
    /// Pattern with more axes than the board.
    #[error("its box has {pattern} axes, and the board has {board}")]
    Axes {
        /// Number of axes of the box.
        pattern: usize,
        /// Number of axes of the board.
        board: usize,
    },
    /// Pattern that is larger than the board at all its strides.
    #[error("its box {0} does not fit on the board at any of its strides")]
    TooLarge(String),
    /// Torus, which has no border.
    #[error("\"touching\" counts the borders of a plain box, and a torus has none")]
    NoBorder,
    /// Numbers of borders that no placement reaches.
    #[error("its box reaches none of the numbers of borders in \"touching\"")]
    Touching,
    /// Pattern with too many images.
    #[error("its images under exchanges and reflections of axes have more than {MAX_IMAGE_SQUARES} squares")]
    TooManyImages,
}

impl OwnInequalities {
    /// Reads the rows of a file whose name ends in `.csv` or `.lp`. None of them is proved.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is malformed.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::own::OwnInequalities;
    ///
    /// let text = "row,sense,rhs,coefficient,square\na,<=,3,2,\"(1,1,1)\"\na,<=,3,1,\"(0,1,1)\"\n";
    /// let own = OwnInequalities::from_file("cuts.csv", &mut |_| Ok(text.to_owned()))?;
    /// assert_eq!(own.list()[0].label, "row a of cuts.csv");
    /// # Ok::<(), ndqueens_model::own::InequalityError>(())
    /// ```
    pub fn from_file(file: &str, read: ReadFile<'_>) -> Result<Self, InequalityError> {
        let inequalities = read_file(file, read)?;
        Ok(Self { inequalities, files: vec![file.to_owned()], standings: BTreeMap::new() })
    }

    /// Returns the names of the files with inequalities, as the formulation has them.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// Appends an inequality, which is not proved.
    pub fn push(&mut self, inequality: OwnInequality) {
        self.inequalities.push(inequality);
    }

    /// Appends the inequalities of another list.
    pub fn extend(&mut self, other: Self) {
        self.inequalities.extend(other.inequalities);
        self.files.extend(other.files);
        self.standings.extend(other.standings);
    }

    /// Returns `true` if there are no inequalities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.inequalities.is_empty()
    }

    /// Returns the inequalities in the order of the file.
    #[must_use]
    pub fn list(&self) -> &[OwnInequality] {
        &self.inequalities
    }

    /// Returns the claims of each inequality on a board.
    ///
    /// # Errors
    /// Returns an error if an inequality has no place on the board.
    pub fn claims(&self, board: &Board) -> Result<Vec<Vec<Claim>>, MisplacedInequality> {
        self.inequalities.iter().map(|inequality| inequality.claims(board)).collect()
    }

    /// Records the result of the proof of a claim.
    pub fn settle(&mut self, claim: Claim, standing: Standing) {
        self.standings.insert(claim, standing);
    }

    /// Returns the result of the proof of a claim.
    #[must_use]
    pub fn standing(&self, claim: &Claim) -> Standing {
        let none = || Standing::Open("it is stated by the formulation".to_owned());
        self.standings.get(claim).cloned().unwrap_or_else(none)
    }

    /// Returns the first claim that is not proved, or the first one if all are proved.
    #[must_use]
    pub fn weakest<'c>(&self, claims: &'c [Claim]) -> Option<&'c Claim> {
        let is_open = |claim: &&Claim| matches!(self.standing(claim), Standing::Open(_));
        claims.iter().find(is_open).or(claims.first())
    }

    /// Returns `true` if the result of the proof of a claim is recorded.
    #[must_use]
    pub fn is_settled(&self, claim: &Claim) -> bool {
        self.standings.contains_key(claim)
    }

    /// Returns a sentence for each inequality that is proved, and one for each that is not, in this order.
    #[must_use]
    pub fn lemmas_and_conditions(&self, board: &Board) -> LemmasAndConditions {
        let mut sentences = LemmasAndConditions::default();
        for inequality in &self.inequalities {
            let Ok(claims) = inequality.claims(board) else { continue };
            let Some(claim) = self.weakest(&claims) else { continue };
            let standing = self.standing(claim);
            let sentence = format!("{} on {} ({standing})", inequality.label, claim.board);
            match standing {
                Standing::Proved(_) => sentences.lemmas.push(sentence),
                Standing::Open(_) => sentences.conditions.push(sentence),
            }
        }
        sentences
    }
}

/// Sentences about the inequalities on which a result rests.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::own::OwnInequalities;
///
/// let board = Board::new(&"3^2".parse()?);
/// assert!(OwnInequalities::default().lemmas_and_conditions(&board).conditions.is_empty());
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LemmasAndConditions {
    /// Inequalities that were proved in this run.
    pub lemmas: Vec<String>,
    /// Inequalities that were not proved.
    pub conditions: Vec<String>,
}

impl OwnInequality {
    /// Creates an inequality that bounds the weight of the squares with queens from above.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::own::{OwnInequality, Support, Term};
    ///
    /// let terms = vec![Term { square: vec![0, 0], coefficient: 1 }, Term { square: vec![0, 1], coefficient: 1 }];
    /// let inequality = OwnInequality::at_most("pair".to_owned(), Support::Squares(terms), 1);
    /// assert_eq!(inequality.label, "inequality pair");
    /// ```
    #[must_use]
    pub fn at_most(name: String, support: Support, rhs: i64) -> Self {
        let label = format!("inequality {name}");
        Self { name: Some(name), label, support, comparison: Comparison::AtMost, rhs }
    }

    /// Returns the claims that make all its rows on a board valid for independent sets: one, or several for a
    /// pattern on a torus.
    ///
    /// # Errors
    /// Returns an error if it has no place on the board.
    pub fn claims(&self, board: &Board) -> Result<Vec<Claim>, MisplacedInequality> {
        let claim = |board: BoardName, terms: &[Term]| {
            let (terms, comparison, rhs) = (terms.to_vec(), self.comparison, self.rhs);
            Claim { board, terms, comparison, rhs }
        };
        match &self.support {
            Support::Squares(terms) => {
                if let Some(term) = terms.iter().find(|term| board.square(&term.square).is_none()) {
                    return Err(self.misplaced(Misplacement::Square(format_square(&term.square))));
                }
                Ok(vec![claim(board.name().clone(), terms)])
            }
            Support::Pattern(pattern) => {
                let grid = board.grid().ok_or_else(|| self.misplaced(Misplacement::NoGrid))?;
                let mut placements = pattern.placements(grid).map_err(|reason| self.misplaced(reason))?;
                if !grid.is_torus() {
                    return Ok(vec![claim(grid.part(false, &pattern.sides), &pattern.terms)]);
                }
                // Exchanges of axes are symmetries of a torus if its sides are equal.
                if grid.sides().windows(2).all(|pair| pair[0] == pair[1]) {
                    placements.dedup_by_key(|placement| placement.stride);
                }
                let on_torus = |placement: &Placement| claim(board.name().clone(), &placement.terms);
                Ok(placements.iter().map(on_torus).collect())
            }
        }
    }

    fn misplaced(&self, reason: Misplacement) -> MisplacedInequality {
        MisplacedInequality { label: self.label.clone(), reason }
    }
}

impl Claim {
    /// Returns the upper bounds that together are equivalent to the claim: one, or two for an equality.
    ///
    /// Squares with a negative coefficient do not occur, because a heaviest independent set needs none.
    #[must_use]
    pub fn weight_bounds(&self) -> Vec<WeightBound> {
        let signs: &[i64] = match self.comparison {
            Comparison::AtMost => &[1],
            Comparison::AtLeast => &[-1],
            Comparison::Equal => &[1, -1],
        };
        let bound = |&sign: &i64| {
            let heavy = self.terms.iter().filter(|term| sign * term.coefficient > 0);
            let (squares, weights) =
                heavy.map(|term| (term.square.clone(), term.coefficient.unsigned_abs())).unzip();
            WeightBound { squares, weights, rhs: sign * self.rhs }
        };
        signs.iter().map(bound).collect()
    }

    /// Describes how queens on these squares, which do not attack each other, violate the claim. The text ends
    /// a sentence.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::ilp::Comparison;
    /// use ndqueens_model::own::{Claim, Term};
    ///
    /// let terms = vec![Term { square: vec![0], coefficient: 2 }];
    /// let claim = Claim { board: "1^1".parse()?, terms, comparison: Comparison::AtMost, rhs: 1 };
    /// let violation = claim.format_violation(&[vec![0]]);
    /// assert_eq!(violation, "a single queen on (0) violates it, because the sum is 2");
    /// # Ok::<(), ndqueens_notation::name::NameError>(())
    /// ```
    #[must_use]
    pub fn format_violation(&self, squares: &[Vec<u32>]) -> String {
        let terms = self.terms.iter().filter(|term| squares.contains(&term.square));
        let sum: i64 = terms.map(|term| term.coefficient).sum();
        match squares {
            [] => format!("a board with no queen at all violates it, because the sum is {sum}"),
            [square] => {
                let square = format_square(square);
                format!("a single queen on {square} violates it, because the sum is {sum}")
            }
            squares => {
                let squares: Vec<_> = squares.iter().map(|square| format_square(square)).collect();
                format!("{} do not attack each other and add up to {sum}", squares.join(" "))
            }
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Number of squares above which the middle of a formula is left out.
        const MOST_SHOWN: usize = 12;
        let terms: Vec<String> = self.terms.iter().enumerate().map(|(k, term)| term.format(k == 0)).collect();
        let left = match terms.len() {
            0..=MOST_SHOWN => terms.join(" "),
            many => format!("{} + ... {}", terms[..3].join(" "), terms[many - 1]),
        };
        write!(f, "{left} {} {} on {}", self.comparison, self.rhs, self.board)
    }
}

impl Term {
    /// Formats the term with its sign, which the first one of a sum lacks if it is positive.
    fn format(&self, is_first: bool) -> String {
        let sign = match (self.coefficient < 0, is_first) {
            (true, _) => "- ",
            (false, true) => "",
            (false, false) => "+ ",
        };
        match self.coefficient.unsigned_abs() {
            1 => format!("{sign}{}", format_square(&self.square)),
            size => format!("{sign}{size} {}", format_square(&self.square)),
        }
    }
}

/// Formats coordinates as in `(0,1,2)`.
#[must_use]
pub fn format_square(square: &[u32]) -> String {
    format!("({})", square.iter().map(u32::to_string).collect::<Vec<_>>().join(","))
}

/// Parses coordinates such as `(0,1,2)`.
#[must_use]
pub fn parse_square(text: &str) -> Option<Vec<u32>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(|x| x.trim().parse().ok()).collect()
}

/// Formats side lengths as in `3x3x2`.
fn format_sides(sides: &[u32]) -> String {
    sides.iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;
    use crate::facts::Theorems;
    use crate::family::Family as _;
    use crate::formulation::Formulation;
    use crate::orbit::BoxOrbits;

    fn own(inequalities: &str) -> OwnInequalities {
        let head = "title = \"\"\nsource = \"\"\nproblem = \"independent set\"\nfamilies = []\n";
        Formulation::parse("test", &format!("{head}{inequalities}")).expect("a formulation").own
    }

    #[test]
    fn an_equality_is_two_weight_bounds_without_negative_weights() {
        let own = own(
            "[[inequalities]]\nsquares = [[0], [1], [2]]\ncoefficients = [2, -3, 1]\nsense = \"=\"\nrhs = -1\n",
        );
        let claims = own.claims(&Board::new(&"3^1".parse().expect("a board"))).expect("its squares exist");
        let [upper, lower] = claims[0][0].weight_bounds().try_into().expect("two sides");
        assert_eq!((upper.squares, upper.weights, upper.rhs), (vec![vec![0], vec![2]], vec![2, 1], -1));
        assert_eq!((lower.squares, lower.weights, lower.rhs), (vec![vec![1]], vec![3], 1));
    }

    /// Orbit rows are those of the program, for asymmetric patterns too. Only proved ones are listed.
    #[test]
    fn orbit_rows_match_the_rows_of_the_program() {
        for (board, inequalities) in [
            (
                "4^3",
                "[[inequalities]]\nbox = [2, 3]\nsquares = [[0,0], [0,2], [1,1]]\ncoefficients = [3, 2, 1]\nrhs = 9\n",
            ),
            (
                "3x4x4",
                "[[inequalities]]\nbox = [2, 2, 2]\nsquares = [[0,0,0], [0,0,1], [0,1,1]]\ncoefficients = [1, 2, 5]\nrhs = 9\n",
            ),
            (
                "5^2",
                "[[inequalities]]\nbox = [2, 2]\nsquares = [[0,0], [0,1]]\ncoefficients = [1, 2]\nrhs = 9\ntouching = [1]\n",
            ),
            (
                "4x5",
                "[[inequalities]]\nbox = [2, 2]\nsquares = [[0,0], [0,1]]\ncoefficients = [1, 2]\nrhs = 9\nimages = false\n",
            ),
            ("3^2", "[[inequalities]]\nsquares = [[0,0], [2,1]]\ncoefficients = [1, 2]\nrhs = 9\n"),
        ] {
            let mut own = own(inequalities);
            let board = Board::new(&board.parse().expect("a board"));
            let grid = board.grid().expect("a box");
            let orbits = BoxOrbits::of(grid).expect("no torus");
            let listed = |own: &OwnInequalities| -> BTreeSet<Vec<(Vec<u32>, u64)>> {
                let rows = own.orbit_rows(grid, &orbits, &Theorems).expect("rows by orbits");
                rows.map(|row| orbits.entries(&row.shape).into_iter().collect()).collect()
            };
            assert_eq!(listed(&own).len(), 0);
            let claim = own.claims(&board).expect("a place").remove(0).remove(0);
            own.settle(claim, Standing::Proved(String::new()));
            let mut all = BTreeSet::new();
            for row in own.rows(&board, &Theorems) {
                let mut entries: HashMap<Vec<u32>, u64> = HashMap::new();
                for (square, weight) in row.squares.iter().zip(row.coefficients.expect("weights")) {
                    *entries.entry(orbits.orbit(&board.coordinates(*square))).or_default() += weight as u64;
                }
                let mut entries: Vec<_> = entries.into_iter().collect();
                entries.sort_unstable();
                all.insert(entries);
            }
            assert_eq!(listed(&own), all, "{}", board.name());
        }
    }
}
