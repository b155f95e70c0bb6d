//! Parsers of command-line values.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::SpanRelativeTo;

use ndqueens_notation::name::{BoardName, NameError};
use ndqueens_solver::backends::choice::{self, UnknownBackend};
use ndqueens_system::file;

use crate::output::{plain, shorten};

/// Error of a value of the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueError {
    /// Text that is not a board. The message is shortened and its control characters are escaped, since it
    /// may quote a file.
    #[error("{}", plain(&shorten(.0.to_string())))]
    Board(NameError),
    /// Text that is not a number of queens.
    #[error("it must be a whole number of queens, from 0 to {}", u64::MAX)]
    Queens,
    /// Text that is not a positive number of queens.
    #[error("a number of queens is needed, 1 or more")]
    Target,
    /// Text that is not a number of colours.
    #[error("it must be a number of colours, 1 or more")]
    Colours,
    /// Text that is not a whole number of at least this size.
    #[error("a whole number is needed, {0} or more")]
    AtLeast(u64),
    /// Text that is not a whole number in this range.
    #[error("a whole number from {least} to {most} is needed")]
    Within {
        /// Smallest allowed number.
        least: u64,
        /// Largest allowed number.
        most: u64,
    },
    /// Number of seconds that is negative or too large.
    #[error("it must be a number of seconds, 0 or more and less than 2^64")]
    Seconds,
    /// Text that is not a time.
    #[error("a number of seconds is needed, or a time such as 90s, 15m, 3h50m, 2d or 1-12:00:00")]
    Duration,
    /// Text that is not a time, or a time of 0.
    #[error("a time such as 3h50m, 90s, 2d or 1-12:00:00 is needed")]
    Time,
    /// Text that is not a word.
    #[error("a name without blanks is needed")]
    Word,
    /// Text that is not a range within these numbers.
    #[error("a number or a range such as {first}..{last} is needed, within {first} and {last}")]
    Range {
        /// Smallest allowed number.
        first: String,
        /// Largest allowed number.
        last: String,
    },
}

/// Parses a board, see [`BoardName::parse_user_input`].
///
/// # Errors
/// Returns an error if the text is not a board.
pub(crate) fn board(name: &str) -> Result<BoardName, ValueError> {
    BoardName::parse_user_input(name, &file::open).map_err(ValueError::Board)
}

/// Parses a number of queens.
///
/// # Errors
/// Returns an error if the text is not a whole number.
pub(crate) fn queens(text: &str) -> Result<u64, ValueError> {
    text.parse().map_err(|_| ValueError::Queens)
}

/// Parses the number of queens that a search must find.
///
/// # Errors
/// Returns an error if the text is not a positive whole number.
pub(crate) fn target(text: &str) -> Result<u64, ValueError> {
    let is_positive = |wanted: &u64| *wanted > 0;
    text.parse().ok().filter(is_positive).ok_or(ValueError::Target)
}

/// Parses a number of colours.
///
/// # Errors
/// Returns an error if the text is not a positive whole number.
pub(crate) fn colours(text: &str) -> Result<u64, ValueError> {
    text.parse().ok().filter(|&k| k > 0).ok_or(ValueError::Colours)
}

/// Returns a parser of whole numbers in a range.
pub(crate) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, ValueError> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            match (range.start(), *range.end()) {
                (&least, u64::MAX) => ValueError::AtLeast(least),
                (&least, most) => ValueError::Within { least, most },
            }
        })
    }
}

/// Parses the name of a backend or a command.
///
/// # Errors
/// Returns an error if the text is neither.
pub(crate) fn backend(text: &str) -> Result<String, UnknownBackend> {
    choice::backend(text).map(|_| text.to_owned())
}

/// Parses a time: a number of seconds, a time with units such as 3h50m, 90s or 2d, or a time in Slurm's
/// format, such as 04:00:00 or 1-12:00:00. All flags with a time use this parser.
///
/// # Errors
/// Returns an error if the text is not a time, or the time is too long.
pub(crate) fn duration(text: &str) -> Result<Duration, ValueError> {
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).map_err(|_| ValueError::Seconds);
    }
    with_unit(text).ok_or(ValueError::Duration)
}

/// Parses a time with units or in Slurm's format.
fn with_unit(text: &str) -> Option<Duration> {
    let words = match text.split_once('-') {
        Some((days, rest)) if rest.contains(':') => format!("{days}d {rest}"),
        _ => text.to_owned(),
    };
    let read =
        words.parse::<jiff::Span>().and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()));
    read.ok().and_then(|time| Duration::try_from(time).ok())
}

/// Parses a time that must not be 0, in the same forms as [`duration`].
///
/// # Errors
/// Returns an error if the text is not a time, or the time is 0.
pub(crate) fn time(text: &str) -> Result<Duration, ValueError> {
    let read = duration(text).ok().filter(|time| !time.is_zero());
    read.ok_or(ValueError::Time)
}

/// Parses a name without blanks.
///
/// # Errors
/// Returns an error if the text is empty, or has blanks or characters other than printable ASCII.
pub(crate) fn word(text: &str) -> Result<String, ValueError> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
    if is_word { Ok(text.to_owned()) } else { Err(ValueError::Word) }
}

/// Parses a range such as `2..8`, including both ends, or a single number.
///
/// # Errors
/// Returns an error if the text is neither, or exceeds `allowed`.
pub(crate) fn range<T>(text: &str, allowed: &RangeInclusive<T>) -> Result<RangeInclusive<T>, ValueError>
where
    T: Copy + PartialOrd + std::fmt::Display + std::str::FromStr,
{
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').trim().parse::<T>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && allowed.contains(&first) && allowed.contains(&last) => {
            Ok(first..=last)
        }
        _ => Err(ValueError::Range { first: allowed.start().to_string(), last: allowed.end().to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_form() {
        for (text, seconds) in [
            ("90", 90.0),
            ("0.5", 0.5),
            ("0", 0.0),
            ("90s", 90.0),
            ("15m", 900.0),
            ("1h", 3600.0),
            ("3h50m", 13_800.0),
            ("2d", 172_800.0),
            ("04:00:00", 14_400.0),
            ("1-12:00:00", 129_600.0),
            ("500ms", 0.5),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "soon", "-5", "-1h", "nan", "inf", "1e30", "1x", "3h50", "2mo", "1 y 2"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert!(time("0").is_err() && time("0s").is_err() && time("2").is_ok());
    }
}
