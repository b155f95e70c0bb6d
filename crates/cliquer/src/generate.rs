//! Boards with chosen properties, by random search: dots move at random, and a move stays that brings the board no farther from
//! what is wanted.

use ndqueens_notation::counted::counted;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use crate::board::{Board, Dot, FEWEST_DOTS, MOST_DOTS, four_sets, turn};
use crate::symmetry::{is_symmetry, symmetries};

/// The symmetry that a board is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetry {
    /// None in particular.
    Any,
    /// No symmetry at all.
    None,
    /// A vertical axis.
    Mirror,
    /// A turn by one in so many parts of the circle about the centre. Other than half and quarter turns it is rounded to whole
    /// coordinates; that it is one for the game is checked.
    Turn(usize),
}

/// The largest order of a turn.
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

/// Words that name no symmetry.
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

/// What is wanted of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The number of dots.
    pub dots: usize,
    /// The number of dots on the hull, if it matters.
    pub hull: Option<usize>,
    /// The number of sets of four dots that can be joined completely, if it matters.
    pub four_cliques: Option<usize>,
    /// The symmetry.
    pub symmetry: Symmetry,
    /// Coordinates are from 0 to this.
    pub size: i64,
    /// The least height of a triangle of three dots, in coordinates, so that no three seem to be on a line.
    pub clearance: i64,
    /// The seed.
    pub seed: u64,
    /// The most boards that are tried.
    pub tries: u64,
}

/// A size that has room for so many dots.
#[must_use]
pub fn size(dots: usize) -> i64 {
    dots.min(MOST_DOTS).pow(2).max(100) as i64
}

/// A clearance that boards of so many dots and of this size mostly leave room for: the strips about the lines through two of
/// many dots leave room for another when their widths add up to less than the size.
#[must_use]
pub fn clearance(dots: usize, size: i64) -> i64 {
    let dots = dots.clamp(1, MOST_DOTS);
    (size / (4 * dots).max(dots.pow(2) * 2 / 5) as i64).max(1)
}

/// Why there is no such board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// There can be none.
    #[error("there is no such board: {0}")]
    Impossible(String),
    /// None was found.
    #[error("no such board was found in {tries} tries; the nearest has {nearest}")]
    NotFound {
        /// Boards tried.
        tries: u64,
        /// What the nearest one has, in words.
        nearest: String,
    },
    /// It was to stop.
    #[error("stopped after {tries} tries; the nearest board has {nearest}")]
    Stopped {
        /// Boards tried.
        tries: u64,
        /// What the nearest one has, in words.
        nearest: String,
    },
}

/// Finds a board, the same one for the same wishes. `go_on` is told now and then how many were tried, and may stop the search.
///
/// # Errors
/// When there can be no such board, none was found, or the search was stopped.
pub fn generate(
    wanted: &Wanted,
    go_on: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Board, GenerateError> {
    wanted.refuse_the_impossible()?;
    let mut random = ChaCha8Rng::seed_from_u64(wanted.seed);
    let mut nearest: Option<Found> = None;
    let mut tries = 0;
    let words = |nearest: &Option<Found>| nearest.as_ref().map_or_else(|| "nothing".to_owned(), Found::words);
    loop {
        let mut current: Option<(Vec<Dot>, Found)> = None;
        let mut idle = 0;
        while idle < PATIENCE {
            if tries == wanted.tries {
                return Err(GenerateError::NotFound { tries, nearest: words(&nearest) });
            }
            if tries.is_multiple_of(64) && go_on(tries).is_break() {
                return Err(GenerateError::Stopped { tries, nearest: words(&nearest) });
            }
            (tries, idle) = (tries + 1, idle + 1);
            let seeds = match &current {
                None => wanted.scatter(&mut random),
                Some((seeds, _)) => wanted.moved(seeds, &mut random),
            };
            let (found, board) = wanted.look(&seeds);
            if let Some(board) = board.filter(|_| found.distance == 0) {
                return Ok(board);
            }
            if nearest.as_ref().is_none_or(|nearest| found.distance < nearest.distance) {
                nearest = Some(found.clone());
            }
            let before = current.as_ref().map_or(usize::MAX, |(_, found)| found.distance);
            if found.distance < before {
                idle = 0;
            }
            if found.distance <= before {
                current = Some((seeds, found));
            }
        }
    }
}

/// Tries without coming nearer, after which the search begins again.
const PATIENCE: u64 = 400;

/// A distance that no board has.
const FAR: usize = 1 << 32;

/// What a board has, and how far that is from what is wanted.
#[derive(Debug, Clone)]
struct Found {
    distance: usize,
    /// Triangles that are too low.
    flat: usize,
    hull: usize,
    four_cliques: usize,
}

impl Found {
    fn words(&self) -> String {
        let Self { flat, hull, four_cliques, .. } = self;
        if *flat > 0 {
            return format!("three dots on a line, or nearly so, {}", counted(*flat, "time"));
        }
        format!("{} on the hull and {}", counted(*hull, "dot"), counted(*four_cliques, "attainable 4-clique"))
    }
}

impl Wanted {
    /// Refuses what a simple theorem excludes.
    fn refuse_the_impossible(&self) -> Result<(), GenerateError> {
        let refuse = |words: String| Err(GenerateError::Impossible(words));
        let n = self.dots;
        if !(FEWEST_DOTS..=MOST_DOTS).contains(&n) {
            return refuse(format!("a board has {FEWEST_DOTS} to {MOST_DOTS} dots, not {n}"));
        }
        let most = 2 * (self.size + 1);
        if n as i64 > most {
            return refuse(format!(
                "coordinates from 0 to {} leave room for {most} dots, not {n}, for two of them at most are in a row",
                self.size
            ));
        }
        if let Some(hull) = self.hull.filter(|hull| !(3..=n).contains(hull)) {
            return refuse(format!("{hull} of {n} dots cannot be on the hull; 3 to {n} can"));
        }
        if let Symmetry::Turn(order) = self.symmetry {
            // A dot in the centre is between two others when the order is even.
            if !(n.is_multiple_of(order) || n % order == 1 && order % 2 == 1) {
                let centre = if order % 2 == 1 {
                    ", with or without one in the centre"
                } else {
                    ", and none is in the centre"
                };
                return refuse(format!(
                    "a turn of order {order} takes dots in sets of {order}{centre}, and {n} dots do not come out"
                ));
            }
            if let Some(hull) = self.hull.filter(|hull| !hull.is_multiple_of(order)) {
                return refuse(format!(
                    "a turn of order {order} takes dots of the hull in sets of {order}, and {hull} do not come out"
                ));
            }
        }
        let Some(wanted) = self.four_cliques else { return Ok(()) };
        let most = most_four_cliques(n);
        if wanted > most {
            return refuse(format!("{n} dots have at most {most} attainable 4-cliques, not {wanted}"));
        }
        let Some(hull) = self.hull else { return Ok(()) };
        // A dot inside a convex polygon of h dots is in at least h - 2 of their triangles.
        let least = (n - hull) * (hull - 2);
        if wanted < least {
            return refuse(format!(
                "{n} dots with {hull} on the hull have at least {least} attainable 4-cliques, not {wanted}"
            ));
        }
        if hull == n && wanted > 0 {
            return refuse(format!(
                "{n} dots that are all on the hull have no attainable 4-clique, not {wanted}"
            ));
        }
        Ok(())
    }

    /// How many dots a symmetry that is wanted takes to each other, but for those that it leaves where they are.
    fn orbit(&self) -> usize {
        match self.symmetry {
            Symmetry::Mirror => 2,
            Symmetry::Turn(order) => order,
            Symmetry::Any | Symmetry::None => 1,
        }
    }

    /// One dot of each orbit, at random; those on the axis or in the centre come first.
    fn scatter(&self, random: &mut ChaCha8Rng) -> Vec<Dot> {
        let fixed = match self.symmetry {
            Symmetry::Mirror if self.dots.is_multiple_of(2) => 2 * random.random_range(0..=1),
            Symmetry::Mirror => 1,
            Symmetry::Turn(order) => self.dots % order,
            Symmetry::Any | Symmetry::None => 0,
        };
        let seeds = fixed + (self.dots - fixed) / self.orbit();
        (0..seeds).map(|number| self.seed_dot(number < fixed, random)).collect()
    }

    /// The same dots, one of them elsewhere.
    fn moved(&self, seeds: &[Dot], random: &mut ChaCha8Rng) -> Vec<Dot> {
        let mut seeds = seeds.to_vec();
        let number = random.random_range(0..seeds.len());
        seeds[number] = self.seed_dot(number < self.fixed(seeds.len()), random);
        seeds
    }

    /// How many of so many orbits are a dot on the axis or in the centre.
    fn fixed(&self, orbits: usize) -> usize {
        match self.symmetry {
            Symmetry::Mirror => 2 * orbits - self.dots,
            Symmetry::Turn(order) => self.dots % order,
            Symmetry::Any | Symmetry::None => 0,
        }
    }

    /// A place at random, as seen from the centre.
    fn seed_dot(&self, is_fixed: bool, random: &mut ChaCha8Rng) -> Dot {
        let radius = self.size / 2;
        // Without a symmetry there need be no centre among the places.
        let beyond = match self.symmetry {
            Symmetry::Any | Symmetry::None => self.size % 2,
            Symmetry::Mirror | Symmetry::Turn(_) => 0,
        };
        let mut coordinate = || random.random_range(-radius..=radius + beyond);
        match self.symmetry {
            Symmetry::Mirror if is_fixed => Dot { x: 0, y: coordinate() },
            Symmetry::Turn(_) if is_fixed => Dot { x: 0, y: 0 },
            // What is turned is to stay inside.
            Symmetry::Turn(_) => loop {
                let dot = Dot { x: coordinate(), y: coordinate() };
                if dot.x * dot.x + dot.y * dot.y <= radius * radius {
                    return dot;
                }
            },
            Symmetry::Mirror | Symmetry::Any | Symmetry::None => Dot { x: coordinate(), y: coordinate() },
        }
    }

    /// All dots, those of an orbit one after the other, and for each the one that the symmetry takes it to.
    fn images(&self, seeds: &[Dot]) -> (Vec<Dot>, Vec<usize>) {
        let (mut dots, mut images) = (Vec::new(), Vec::new());
        for (number, &seed) in seeds.iter().enumerate() {
            let orbit = if number < self.fixed(seeds.len()) { 1 } else { self.orbit() };
            let first = dots.len();
            for part in 0..orbit {
                dots.push(match self.symmetry {
                    Symmetry::Mirror if part == 1 => Dot { x: -seed.x, y: seed.y },
                    _ => turned(seed, part, orbit),
                });
                images.push(first + (part + 1) % orbit);
            }
        }
        let radius = self.size / 2;
        (dots.into_iter().map(|dot| Dot { x: dot.x + radius, y: dot.y + radius }).collect(), images)
    }

    /// The board of these orbits, if it is one, and how near it is to what is wanted.
    fn look(&self, seeds: &[Dot]) -> (Found, Option<Board>) {
        let (dots, images) = self.images(seeds);
        let flat = self.flat(&dots);
        let Some(board) = Some(dots).filter(|_| flat == 0).and_then(|dots| Board::new(dots).ok()) else {
            return (Found { distance: FAR + flat, flat, hull: 0, four_cliques: 0 }, None);
        };
        let (hull, four_cliques) = (board.hull().len(), board.attainable());
        let lacks_symmetry = match self.symmetry {
            Symmetry::Any => false,
            Symmetry::None => symmetries(&board).len() > 1,
            Symmetry::Mirror | Symmetry::Turn(_) => !is_symmetry(&board, &images),
        };
        let distance = self.hull.map_or(0, |wanted| wanted.abs_diff(hull))
            + self.four_cliques.map_or(0, |wanted| wanted.abs_diff(four_cliques))
            + usize::from(lacks_symmetry);
        (Found { distance, flat, hull, four_cliques }, Some(board))
    }

    /// How many triangles are too low: their double area is 0, or less than the clearance times their longest side.
    fn flat(&self, dots: &[Dot]) -> usize {
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

/// A dot turned about the centre by so many of the equal parts of the circle, rounded to whole coordinates.
fn turned(dot: Dot, part: usize, parts: usize) -> Dot {
    let angle = std::f64::consts::TAU * part as f64 / parts as f64;
    let (x, y) = (dot.x as f64, dot.y as f64);
    let rounded = |coordinate: f64| coordinate.round() as i64;
    Dot { x: rounded(x * angle.cos() - y * angle.sin()), y: rounded(x * angle.sin() + y * angle.cos()) }
}

/// The most sets of four among so many dots that are not in convex position, by a simple count: five dots have a convex four,
/// and every dot more makes at least n / (n - 4) times as many.
fn most_four_cliques(dots: usize) -> usize {
    let least_convex = (6..=dots).fold(usize::from(dots >= 5), |convex, n| (n * convex).div_ceil(n - 4));
    four_sets(dots) - least_convex
}
