//! Boards with chosen properties, by random local search: a dot moves to a random place, and the move is
//! accepted unless it increases the distance of the board from its specification.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use ndqueens_notation::counted::counted;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::board::{Board, Dot, FEWEST_DOTS, MOST_DOTS, four_sets, turn};
use crate::symmetry::{is_symmetry, symmetries};

/// Symmetry of a specified board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// Any symmetry, or none.
    Any,
    /// No symmetry at all.
    None,
    /// Reflection in a vertical axis.
    Mirror,
    /// Rotation of this order about the centre. Coordinates are rounded if the order is not 2 or 4; the board
    /// is then checked to have the symmetry with respect to the game.
    Turn(usize),
}

/// Maximum order of a rotation.
const MOST_TURNS: usize = 26;

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::None => f.write_str("none"),
            Self::Mirror => f.write_str("mirror"),
            Self::Turn(order) => write!(f, "turn:{order}"),
        }
    }
}

/// Error of a text that does not name a symmetry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a symmetry is any, none, mirror, or turn:K for K from 2 to {MOST_TURNS}, not \"{0}\"")]
pub struct UnknownSymmetry(String);

impl FromStr for Symmetry {
    type Err = UnknownSymmetry;

    fn from_str(text: &str) -> Result<Self, UnknownSymmetry> {
        let turns =
            || text.strip_prefix("turn:")?.parse().ok().filter(|order| (2..=MOST_TURNS).contains(order));
        match text {
            "any" => Ok(Self::Any),
            "none" => Ok(Self::None),
            "mirror" => Ok(Self::Mirror),
            _ => turns().map(Self::Turn).ok_or_else(|| UnknownSymmetry(text.to_owned())),
        }
    }
}

/// Specification of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardSpec {
    /// Number of dots.
    pub dots: usize,
    /// Number of dots on the convex hull, or any.
    pub hull: Option<usize>,
    /// Number of attainable 4-cliques, or any.
    pub four_cliques: Option<usize>,
    /// Symmetry.
    pub symmetry: Symmetry,
    /// Maximum coordinate; the minimum is 0.
    pub size: i64,
    /// Minimum height of a triangle of three dots, in units of the coordinates, so that no three dots
    /// appear to be on a line.
    pub clearance: i64,
    /// Seed of the random choices.
    pub seed: u64,
    /// Maximum number of boards that are tried.
    pub tries: u64,
}

/// Returns a size with enough room for this number of dots.
#[must_use]
pub fn default_size(dots: usize) -> i64 {
    dots.min(MOST_DOTS).pow(2).max(100) as i64
}

/// Returns a clearance that most boards of this number of dots and this size permit.
///
/// The strips along the lines through two dots leave room for a further dot if the sum of their widths is
/// less than the size.
#[must_use]
pub fn default_clearance(dots: usize, size: i64) -> i64 {
    let dots = dots.clamp(1, MOST_DOTS);
    (size / (4 * dots).max(dots.pow(2) * 2 / 5) as i64).max(1)
}

/// Error of a specification for which no board is returned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// No board satisfies the specification.
    #[error("there is no such board: {0}")]
    Impossible(String),
    /// No board was found.
    #[error("no such board was found in {tries} tries; the nearest has {nearest}")]
    NotFound {
        /// Number of boards tried.
        tries: u64,
        /// Description of the nearest one.
        nearest: String,
    },
    /// The search was stopped.
    #[error("stopped after {tries} tries; the nearest board has {nearest}")]
    Stopped {
        /// Number of boards tried.
        tries: u64,
        /// Description of the nearest one.
        nearest: String,
    },
}

/// Finds a board, which depends only on the specification. `go_on` is called regularly with the number of
/// tries, and may stop the search.
///
/// # Errors
/// Returns an error if no such board exists, if none is found, or if the search is stopped.
pub fn generate(
    spec: &BoardSpec,
    go_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Board, GenerateError> {
    spec.check_feasibility()?;
    let mut random = ChaCha8Rng::seed_from_u64(spec.seed);
    let mut nearest: Option<Evaluation> = None;
    let mut tries = 0;
    let describe = |nearest: &Option<Evaluation>| {
        nearest.as_ref().map_or_else(|| "nothing".to_owned(), Evaluation::describe)
    };
    loop {
        let mut current: Option<(Vec<Dot>, Evaluation)> = None;
        let mut idle = 0;
        while idle < PATIENCE {
            if tries == spec.tries {
                return Err(GenerateError::NotFound { tries, nearest: describe(&nearest) });
            }
            if tries.is_multiple_of(64) && go_on(tries).is_break() {
                return Err(GenerateError::Stopped { tries, nearest: describe(&nearest) });
            }
            (tries, idle) = (tries + 1, idle + 1);
            let seeds = match &current {
                None => spec.random_seeds(&mut random),
                Some((seeds, _)) => spec.move_seed(seeds, &mut random),
            };
            let (evaluation, board) = spec.evaluate(&seeds);
            if let Some(board) = board.filter(|_| evaluation.distance == 0) {
                return Ok(board);
            }
            if nearest.as_ref().is_none_or(|nearest| evaluation.distance < nearest.distance) {
                nearest = Some(evaluation.clone());
            }
            let before = current.as_ref().map_or(usize::MAX, |(_, evaluation)| evaluation.distance);
            if evaluation.distance < before {
                idle = 0;
            }
            if evaluation.distance <= before {
                current = Some((seeds, evaluation));
            }
        }
    }
}

/// Number of tries without progress after which the search restarts.
const PATIENCE: u64 = 400;

/// Distance larger than that of any board.
const FAR: usize = 1 << 32;

/// Properties of a board, and their distance from the specification.
#[derive(Debug, Clone)]
struct Evaluation {
    distance: usize,
    /// Number of triangles whose height is below the clearance.
    flat: usize,
    hull: usize,
    four_cliques: usize,
}

impl Evaluation {
    /// Describes the board, for messages.
    fn describe(&self) -> String {
        let Self { flat, hull, four_cliques, .. } = self;
        if *flat > 0 {
            return format!("three dots on a line, or nearly so, {}", counted(*flat, "time"));
        }
        format!("{} on the hull and {}", counted(*hull, "dot"), counted(*four_cliques, "attainable 4-clique"))
    }
}

impl BoardSpec {
    /// Checks the specification against simple theorems.
    ///
    /// # Errors
    /// Returns an error if a theorem excludes every board.
    fn check_feasibility(&self) -> Result<(), GenerateError> {
        let reject = |reason: String| Err(GenerateError::Impossible(reason));
        let n = self.dots;
        if !(FEWEST_DOTS..=MOST_DOTS).contains(&n) {
            return reject(format!("a board has {FEWEST_DOTS} to {MOST_DOTS} dots, not {n}"));
        }
        let most = 2 * (self.size + 1);
        if n as i64 > most {
            return reject(format!(
                "coordinates from 0 to {} leave room for {most} dots, not {n}, for two of them at most are in a row",
                self.size
            ));
        }
        if let Some(hull) = self.hull.filter(|hull| !(3..=n).contains(hull)) {
            return reject(format!("{hull} of {n} dots cannot be on the hull; 3 to {n} can"));
        }
        if let Symmetry::Turn(order) = self.symmetry {
            // If the order is even, a dot in the centre would be between two others.
            if !(n.is_multiple_of(order) || n % order == 1 && order % 2 == 1) {
                let centre = if order % 2 == 1 {
                    ", with or without one in the centre"
                } else {
                    ", and none is in the centre"
                };
                return reject(format!(
                    "a turn of order {order} takes dots in sets of {order}{centre}, and {n} dots do not come out"
                ));
            }
            if let Some(hull) = self.hull.filter(|hull| !hull.is_multiple_of(order)) {
                return reject(format!(
                    "a turn of order {order} takes dots of the hull in sets of {order}, and {hull} do not come out"
                ));
            }
        }
        let Some(wanted) = self.four_cliques else { return Ok(()) };
        let most = most_four_cliques(n);
        if wanted > most {
            return reject(format!("{n} dots have at most {most} attainable 4-cliques, not {wanted}"));
        }
        let Some(hull) = self.hull else { return Ok(()) };
        // A dot inside a convex polygon of h dots is in at least h - 2 of their triangles.
        let least = (n - hull) * (hull - 2);
        if wanted < least {
            return reject(format!(
                "{n} dots with {hull} on the hull have at least {least} attainable 4-cliques, not {wanted}"
            ));
        }
        if hull == n && wanted > 0 {
            return reject(format!(
                "{n} dots that are all on the hull have no attainable 4-clique, not {wanted}"
            ));
        }
        Ok(())
    }

    /// Returns the number of dots in an orbit of the symmetry, except for dots that it fixes.
    fn orbit_size(&self) -> usize {
        match self.symmetry {
            Symmetry::Mirror => 2,
            Symmetry::Turn(order) => order,
            Symmetry::Any | Symmetry::None => 1,
        }
    }

    /// Creates a random dot for each orbit, which is its seed; dots on the axis or in the centre come first.
    fn random_seeds(&self, random: &mut ChaCha8Rng) -> Vec<Dot> {
        let fixed = match self.symmetry {
            Symmetry::Mirror if self.dots.is_multiple_of(2) => 2 * random.random_range(0..=1),
            Symmetry::Mirror => 1,
            Symmetry::Turn(order) => self.dots % order,
            Symmetry::Any | Symmetry::None => 0,
        };
        let seeds = fixed + (self.dots - fixed) / self.orbit_size();
        (0..seeds).map(|number| self.random_dot(number < fixed, random)).collect()
    }

    /// Moves a random seed to a random place.
    fn move_seed(&self, seeds: &[Dot], random: &mut ChaCha8Rng) -> Vec<Dot> {
        let mut seeds = seeds.to_vec();
        let number = random.random_range(0..seeds.len());
        seeds[number] = self.random_dot(number < self.fixed_orbits(seeds.len()), random);
        seeds
    }

    /// Returns how many of the orbits are a single dot on the axis or in the centre.
    fn fixed_orbits(&self, orbits: usize) -> usize {
        match self.symmetry {
            Symmetry::Mirror => 2 * orbits - self.dots,
            Symmetry::Turn(order) => self.dots % order,
            Symmetry::Any | Symmetry::None => 0,
        }
    }

    /// Returns a random place relative to the centre.
    fn random_dot(&self, is_fixed: bool, random: &mut ChaCha8Rng) -> Dot {
        let radius = self.size / 2;
        // Without a symmetry, the centre need not be a place with whole coordinates.
        let extra = match self.symmetry {
            Symmetry::Any | Symmetry::None => self.size % 2,
            Symmetry::Mirror | Symmetry::Turn(_) => 0,
        };
        let mut coordinate = || random.random_range(-radius..=radius + extra);
        match self.symmetry {
            Symmetry::Mirror if is_fixed => Dot { x: 0, y: coordinate() },
            Symmetry::Turn(_) if is_fixed => Dot { x: 0, y: 0 },
            // The rotated dots must be inside the board, too.
            Symmetry::Turn(_) => loop {
                let dot = Dot { x: coordinate(), y: coordinate() };
                if dot.x * dot.x + dot.y * dot.y <= radius * radius {
                    return dot;
                }
            },
            Symmetry::Mirror | Symmetry::Any | Symmetry::None => Dot { x: coordinate(), y: coordinate() },
        }
    }

    /// Returns all dots, orbit by orbit, and for each dot the index of its image under the symmetry.
    fn expand(&self, seeds: &[Dot]) -> (Vec<Dot>, Vec<usize>) {
        let (mut dots, mut images) = (Vec::new(), Vec::new());
        for (number, &seed) in seeds.iter().enumerate() {
            let orbit = if number < self.fixed_orbits(seeds.len()) { 1 } else { self.orbit_size() };
            let first = dots.len();
            for part in 0..orbit {
                dots.push(match self.symmetry {
                    Symmetry::Mirror if part == 1 => Dot { x: -seed.x, y: seed.y },
                    _ => rotate(seed, part, orbit),
                });
                images.push(first + (part + 1) % orbit);
            }
        }
        let radius = self.size / 2;
        (dots.into_iter().map(|dot| Dot { x: dot.x + radius, y: dot.y + radius }).collect(), images)
    }

    /// Evaluates the dots with these seeds, and returns their board unless a triangle is too flat.
    fn evaluate(&self, seeds: &[Dot]) -> (Evaluation, Option<Board>) {
        let (dots, images) = self.expand(seeds);
        let flat = self.count_flat(&dots);
        let Some(board) = Some(dots).filter(|_| flat == 0).and_then(|dots| Board::new(dots).ok()) else {
            return (Evaluation { distance: FAR + flat, flat, hull: 0, four_cliques: 0 }, None);
        };
        let (hull, four_cliques) = (board.hull().len(), board.four_clique_count());
        let lacks_symmetry = match self.symmetry {
            Symmetry::Any => false,
            Symmetry::None => symmetries(&board).len() > 1,
            Symmetry::Mirror | Symmetry::Turn(_) => !is_symmetry(&board, &images),
        };
        let distance = self.hull.map_or(0, |wanted| wanted.abs_diff(hull))
            + self.four_cliques.map_or(0, |wanted| wanted.abs_diff(four_cliques))
            + usize::from(lacks_symmetry);
        (Evaluation { distance, flat, hull, four_cliques }, Some(board))
    }

    /// Counts the triangles whose double area is 0, or less than the clearance times their longest side.
    fn count_flat(&self, dots: &[Dot]) -> usize {
        let square = |a: Dot, b: Dot| i128::from(a.x - b.x).pow(2) + i128::from(a.y - b.y).pow(2);
        let clearance = i128::from(self.clearance).pow(2);
        let is_flat = |a: Dot, b: Dot, c: Dot| {
            let area = turn(a, b, c).pow(2);
            area == 0 || area < clearance * square(a, b).max(square(a, c)).max(square(b, c))
        };
        let lower = |c: usize| (0..c).flat_map(|b| (0..b).map(move |a| (a, b)));
        let flat = |c: usize| lower(c).filter(|&(a, b)| is_flat(dots[a], dots[b], dots[c])).count();
        (0..dots.len()).map(flat).sum()
    }
}

/// Rotates a dot about the centre by `part / parts` of a full turn, and rounds to whole coordinates.
fn rotate(dot: Dot, part: usize, parts: usize) -> Dot {
    let angle = std::f64::consts::TAU * part as f64 / parts as f64;
    let (x, y) = (dot.x as f64, dot.y as f64);
    let rounded = |coordinate: f64| coordinate.round() as i64;
    Dot { x: rounded(x * angle.cos() - y * angle.sin()), y: rounded(x * angle.sin() + y * angle.cos()) }
}

/// Returns an upper bound on the number of sets of four dots that are not in convex position.
///
/// Five dots contain a convex set of four, and with each further dot the number grows at least by the
/// factor n / (n - 4).
fn most_four_cliques(dots: usize) -> usize {
    let least_convex = (6..=dots).fold(usize::from(dots >= 5), |convex, n| (n * convex).div_ceil(n - 4));
    four_sets(dots) - least_convex
}
