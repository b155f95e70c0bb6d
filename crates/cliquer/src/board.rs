//! Boards: dots in the plane, no three on a line, their segments, and the crossings of these.

use std::fmt;

use crate::scoring::Scoring;

/// Minimum number of dots of a board.
pub const FEWEST_DOTS: usize = 3;

/// Maximum number of dots of a board, because each is named by a letter.
pub const MOST_DOTS: usize = 52;

/// Maximum absolute value of a coordinate; products of differences are exact far beyond it.
pub const FARTHEST: i64 = 1_000_000_000;

/// Point of the plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dot {
    /// Horizontal coordinate, increasing to the right.
    pub x: i64,
    /// Vertical coordinate, increasing upwards.
    pub y: i64,
}

impl fmt::Display for Dot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// Returns twice the signed area of the triangle `abc`: positive if it turns left, 0 if the three
/// points are on a line.
#[must_use]
pub fn turn(a: Dot, b: Dot, c: Dot) -> i128 {
    let difference = |p: i64, q: i64| i128::from(p) - i128::from(q);
    difference(b.x, a.x) * difference(c.y, a.y) - difference(b.y, a.y) * difference(c.x, a.x)
}

/// Returns the letter of a dot: `A` to `Z`, then `a` to `z`.
#[must_use]
pub fn letter(dot: usize) -> char {
    let letters = ('A'..='Z').chain('a'..='z');
    letters.into_iter().nth(dot).unwrap_or('?')
}

/// Error of dots that do not form a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Too few dots.
    #[error("a board has at least {FEWEST_DOTS} dots, not {0}")]
    TooFew(usize),
    /// Too many dots.
    #[error("a board has at most {MOST_DOTS} dots, one for each letter, not {0}")]
    TooMany(usize),
    /// The absolute value of a coordinate exceeds [`FARTHEST`].
    #[error("the dot {} at {place} is too far away: coordinates go up to {FARTHEST}", letter(*.dot))]
    TooFar {
        /// Index of the dot, from 0.
        dot: usize,
        /// Its position.
        place: Dot,
    },
    /// Two dots coincide.
    #[error("the dots {} and {} are both at {place}", letter(*.dots.first().expect("two")), letter(*.dots.last().expect("two")))]
    Same {
        /// Indices of the dots, increasing.
        dots: [usize; 2],
        /// Their position.
        place: Dot,
    },
    /// Three dots are on a line.
    #[error("three dots are on a line: {}", .dots.iter().zip(places).map(|(&dot, place)| format!("{} at {place}", letter(dot))).collect::<Vec<_>>().join(", "))]
    OnALine {
        /// Indices of the dots, increasing.
        dots: [usize; 3],
        /// Their positions.
        places: [Dot; 3],
    },
}

/// Error of a text that does not name a segment of a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// The text is not two letters.
    #[error("a move is two dots, such as A-B, not \"{0}\"")]
    Malformed(String),
    /// A letter is not the name of a dot.
    #[error("there is no dot {letter}: the dots are A to {last}")]
    NoDot {
        /// The letter.
        letter: char,
        /// Letter of the last dot.
        last: char,
    },
    /// The two letters are equal.
    #[error("{0} cannot be joined to itself")]
    Same(char),
}

/// Dots in general position, the segments between them, their crossings, and the scoring of games on them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    dots: Vec<Dot>,
    segments: Vec<[usize; 2]>,
    crossing: Vec<Vec<usize>>,
    hull: Vec<usize>,
    scoring: Scoring,
}

impl Board {
    /// Creates the board of these dots, with the usual scoring.
    ///
    /// # Errors
    /// Returns an error if the number of dots or a coordinate is out of range, if two dots coincide, or if
    /// three are on a line.
    pub fn new(dots: Vec<Dot>) -> Result<Self, BoardError> {
        let n = dots.len();
        if n > MOST_DOTS {
            return Err(BoardError::TooMany(n));
        }
        for (c, &place) in dots.iter().enumerate() {
            if place.x.abs().max(place.y.abs()) > FARTHEST {
                return Err(BoardError::TooFar { dot: c, place });
            }
            if let Some(a) = dots[..c].iter().position(|&other| other == place) {
                return Err(BoardError::Same { dots: [a, c], place });
            }
            for a in 0..c {
                if let Some(b) = (a + 1..c).find(|&b| turn(dots[a], dots[b], place) == 0) {
                    return Err(BoardError::OnALine { dots: [a, b, c], places: [dots[a], dots[b], place] });
                }
            }
        }
        if n < FEWEST_DOTS {
            return Err(BoardError::TooFew(n));
        }
        let segments: Vec<[usize; 2]> = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).collect();
        let mut board = Self {
            hull: hull(&dots),
            crossing: vec![Vec::new(); segments.len()],
            dots,
            segments,
            scoring: Scoring::default(),
        };
        for (s, &[a, b]) in board.segments.iter().enumerate() {
            for (t, &[c, d]) in board.segments.iter().enumerate().skip(s + 1) {
                if [a, b].iter().all(|end| ![c, d].contains(end))
                    && board.separates(a, b, c, d)
                    && board.separates(c, d, a, b)
                {
                    board.crossing[s].push(t);
                    board.crossing[t].push(s);
                }
            }
        }
        Ok(board)
    }

    /// Replaces the scoring of games on the board.
    #[must_use]
    pub fn with_scoring(self, scoring: Scoring) -> Self {
        Self { scoring, ..self }
    }

    /// Returns the scoring of games on the board.
    #[must_use]
    pub fn scoring(&self) -> Scoring {
        self.scoring
    }

    /// Returns `true` if `c` and `d` are on different sides of the line through `a` and `b`.
    fn separates(&self, a: usize, b: usize, c: usize, d: usize) -> bool {
        self.is_left(a, b, c) != self.is_left(a, b, d)
    }

    /// Returns `true` if dot `c` is to the left of the line from dot `a` to dot `b`.
    #[must_use]
    pub fn is_left(&self, a: usize, b: usize, c: usize) -> bool {
        turn(self.dots[a], self.dots[b], self.dots[c]) > 0
    }

    /// Returns the dots.
    #[must_use]
    pub fn dots(&self) -> &[Dot] {
        &self.dots
    }

    /// Returns the segments in increasing order, each as the indices of its two ends. A segment is identified
    /// by its index here.
    #[must_use]
    pub fn segments(&self) -> &[[usize; 2]] {
        &self.segments
    }

    /// Returns the index of the segment between two different dots.
    #[must_use]
    pub fn segment(&self, a: usize, b: usize) -> usize {
        let (a, b) = (a.min(b), a.max(b));
        a * (2 * self.dots.len() - a - 1) / 2 + b - a - 1
    }

    /// Returns the segments that cross a segment, increasing.
    #[must_use]
    pub fn crossing(&self, segment: usize) -> &[usize] {
        &self.crossing[segment]
    }

    /// Returns the number of crossing pairs of segments, which is the number of sets of four dots
    /// in convex position.
    #[must_use]
    pub fn crossings(&self) -> usize {
        self.crossing.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Returns the dots on the convex hull, counterclockwise.
    #[must_use]
    pub fn hull(&self) -> &[usize] {
        &self.hull
    }

    /// Returns the number of moves of a finished game: 3n - 3 - h for n dots, h of them on the hull, because
    /// it is a triangulation.
    #[must_use]
    pub fn moves(&self) -> usize {
        3 * self.dots.len() - 3 - self.hull.len()
    }

    /// Returns the attainable 4-cliques: the sets of four dots with one of them, which comes last, inside the
    /// triangle of the others.
    ///
    /// The diagonals of all other sets cross.
    #[must_use]
    pub fn four_cliques(&self) -> Vec<[usize; 4]> {
        let n = self.dots.len();
        let mut sets = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                for c in b + 1..n {
                    sets.extend((0..n).filter(|&d| self.is_inside([a, b, c], d)).map(|d| [a, b, c, d]));
                }
            }
        }
        sets
    }

    /// Returns the number of attainable 4-cliques.
    #[must_use]
    pub fn four_clique_count(&self) -> usize {
        four_sets(self.dots.len()) - self.crossings()
    }

    /// Returns `true` if a dot is inside a triangle of other dots.
    #[must_use]
    pub fn is_inside(&self, [a, b, c]: [usize; 3], dot: usize) -> bool {
        let side = self.is_left(a, b, c);
        ![a, b, c].contains(&dot)
            && [(a, b), (b, c), (c, a)].iter().all(|&(p, q)| self.is_left(p, q, dot) == side)
    }

    /// Returns the name of a segment, such as `A-B`.
    #[must_use]
    pub fn name(&self, segment: usize) -> String {
        let [a, b] = self.segments[segment];
        format!("{}-{}", letter(a), letter(b))
    }

    /// Parses the name of a segment: two letters, with or without hyphens and blanks. On boards of up to 26
    /// dots the case of letters is ignored.
    ///
    /// # Errors
    /// Returns an error if the text is not the name of a segment.
    pub fn parse_segment(&self, name: &str) -> Result<usize, SegmentError> {
        let letters: Vec<char> = name.chars().filter(|c| *c != '-' && !c.is_whitespace()).collect();
        let &[first, second] = letters.as_slice() else {
            return Err(SegmentError::Malformed(name.trim().to_owned()));
        };
        let dot = |given: char| {
            let given = if self.dots.len() <= 26 { given.to_ascii_uppercase() } else { given };
            let last = letter(self.dots.len() - 1);
            let dot = (0..self.dots.len()).find(|&dot| letter(dot) == given);
            dot.ok_or(SegmentError::NoDot { letter: given, last })
        };
        let (a, b) = (dot(first)?, dot(second)?);
        if a == b { Err(SegmentError::Same(letter(a))) } else { Ok(self.segment(a, b)) }
    }
}

/// Returns the number of sets of four dots.
pub(crate) fn four_sets(dots: usize) -> usize {
    (0..4).map(|less| dots.saturating_sub(less)).product::<usize>() / 24
}

/// Returns the dots on the convex hull, counterclockwise from the smallest one; no three dots are on a line.
///
/// # References
/// A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information
/// Processing Letters 9 (1979).
fn hull(dots: &[Dot]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..dots.len()).collect();
    order.sort_by_key(|&dot| dots[dot]);
    let chain = |order: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for dot in order {
            while let &[.., a, b] = chain.as_slice() {
                if turn(dots[a], dots[b], dots[dot]) > 0 {
                    break;
                }
                chain.pop();
            }
            chain.push(dot);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut order.iter().copied());
    hull.extend(chain(&mut order.iter().rev().copied()));
    hull
}
