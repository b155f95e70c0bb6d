//! Variations of the game: points of cliques, and moves that give another one.
//!
//! A variation is written `2=1 3=3 4=5`, the points of a clique of two, three and four dots, optionally with
//! `again=3` or `again=4`: a player whose move completes a clique of at least this number of dots moves
//! again. Omitted rules are those of the game of Ashlock and McEachern, [`Scoring::default`].

use std::fmt;
use std::str::FromStr;

/// Maximum number of points of a clique.
pub const MOST_POINTS: u32 = 100;

/// Points of cliques, and the condition for a further move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scoring {
    values: [u32; 3],
    again: Option<usize>,
}

impl Default for Scoring {
    fn default() -> Self {
        Self { values: [1, 3, 5], again: None }
    }
}

/// Error of a text that is not a variation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScoringError {
    /// A word is not a rule.
    #[error("expected rules such as 2=1 3=3 4=5 again=3 instead of \"{0}\"")]
    Malformed(String),
    /// A rule is repeated.
    #[error("the rule {0} is there twice")]
    Twice(String),
    /// The points of a clique exceed [`MOST_POINTS`].
    #[error("expected 0 to {MOST_POINTS} points for a clique of {dots} dots instead of {points}")]
    Points {
        /// Number of dots of the clique.
        dots: usize,
        /// Points as written.
        points: String,
    },
    /// The number of dots of a clique that gives another move is not 3 or 4.
    #[error(
        "expected again=3 or again=4, the fewest dots of a clique that gives another move, instead of again={0}"
    )]
    Again(String),
}

impl Scoring {
    /// Creates a variation.
    ///
    /// `values` are the points of cliques of two, three and four dots, and `again` is the minimum number of
    /// dots, 3 or 4, of a clique that gives another move.
    ///
    /// # Errors
    /// Returns an error if a number is out of range.
    pub fn new(values: [u32; 3], again: Option<usize>) -> Result<Self, ScoringError> {
        if let Some((dots, points)) = (2..).zip(values).find(|&(_, points)| points > MOST_POINTS) {
            return Err(ScoringError::Points { dots, points: points.to_string() });
        }
        match again {
            None | Some(3 | 4) => Ok(Self { values, again }),
            Some(dots) => Err(ScoringError::Again(dots.to_string())),
        }
    }

    /// Returns the points of cliques of two, three and four dots.
    #[must_use]
    pub fn values(self) -> [u32; 3] {
        self.values
    }

    /// Returns the minimum number of dots of a clique that gives another move; `None` if
    /// players move in turn.
    #[must_use]
    pub fn again(self) -> Option<usize> {
        self.again
    }

    /// Returns the points of a move that completes `triangles` triangles and `fours` sets of four.
    #[must_use]
    pub fn points(self, triangles: u32, fours: u32) -> u32 {
        let [segment, triangle, four] = self.values;
        segment + triangle * triangles + four * fours
    }

    /// Returns `true` if a player whose move completes these numbers of triangles and sets
    /// of four moves again.
    #[must_use]
    pub fn moves_again(self, triangles: u32, fours: u32) -> bool {
        match self.again {
            None => false,
            Some(3) => triangles > 0,
            Some(_) => fours > 0,
        }
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [segment, triangle, four] = self.values;
        write!(f, "2={segment} 3={triangle} 4={four}")?;
        self.again.map_or(Ok(()), |dots| write!(f, " again={dots}"))
    }
}

/// Parses rules that are separated by blanks or commas.
impl FromStr for Scoring {
    type Err = ScoringError;

    fn from_str(text: &str) -> Result<Self, ScoringError> {
        let Self { mut values, mut again } = Self::default();
        let words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty());
        let mut seen: Vec<&str> = Vec::new();
        for word in words {
            let malformed = || ScoringError::Malformed(word.to_owned());
            let (name, number) = word.split_once('=').ok_or_else(malformed)?;
            let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
            if !["2", "3", "4", "again"].contains(&name) || !is_number {
                return Err(malformed());
            }
            if seen.contains(&name) {
                return Err(ScoringError::Twice(name.to_owned()));
            }
            seen.push(name);
            match name.parse::<usize>() {
                Ok(dots) => {
                    let points = || ScoringError::Points { dots, points: number.to_owned() };
                    values[dots - 2] = number.parse().map_err(|_| points())?;
                }
                Err(_) => {
                    let dots = number.parse().map_err(|_| ScoringError::Again(number.to_owned()))?;
                    again = Some(dots);
                }
            }
        }
        if seen.is_empty() {
            return Err(ScoringError::Malformed(text.trim().to_owned()));
        }
        Self::new(values, again)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_it_formats() {
        for (text, written) in [
            ("2=1 3=3 4=5", "2=1 3=3 4=5"),
            ("4=0", "2=1 3=3 4=0"),
            ("again=3", "2=1 3=3 4=5 again=3"),
            ("again=4,2=0,  3=100", "2=0 3=100 4=5 again=4"),
        ] {
            let scoring: Scoring = text.parse().expect(text);
            assert_eq!(scoring.to_string(), written);
            assert_eq!(written.parse(), Ok(scoring));
        }
        assert_eq!("2=1".parse(), Ok(Scoring::default()));
    }

    #[test]
    fn rejects_other_rules() {
        for (text, words) in [
            ("", "instead of \"\""),
            ("5=1", "instead of \"5=1\""),
            ("3", "instead of \"3\""),
            ("3=-1", "instead of \"3=-1\""),
            ("3=101", "0 to 100 points for a clique of 3 dots instead of 101"),
            ("3=99999999999999", "instead of 99999999999999"),
            ("again=2", "instead of again=2"),
            ("again=5", "instead of again=5"),
            ("3=1 3=1", "the rule 3 is there twice"),
        ] {
            let fault = text.parse::<Scoring>().expect_err(text).to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
