//! Parsers of command-line values.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::SpanRelativeTo;

use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::choice::{self, UnknownBackend};
use ndqueens_system::file;

use crate::output::{plain, shorten};

/// Parses a board, see [`BoardName::parse_user_input`]. The message is shortened and its control characters
/// are escaped, since it may quote a file.
///
/// # Errors
/// Returns an error if the text is not a board.
pub(crate) fn board(name: &str) -> Result<BoardName, String> {
    BoardName::parse_user_input(name, &file::open).map_err(|fault| plain(&shorten(fault.to_string())))
}

/// Parses a number of queens.
///
/// # Errors
/// Returns an error if the text is not a whole number.
pub(crate) fn queens(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number of queens, from 0 to {}", u64::MAX))
}

/// Parses the number of queens that a search must find.
///
/// # Errors
/// Returns an error if the text is not a positive whole number.
pub(crate) fn target(text: &str) -> Result<u64, String> {
    let is_positive = |wanted: &u64| *wanted > 0;
    text.parse().ok().filter(is_positive).ok_or_else(|| "a number of queens is needed, 1 or more".to_owned())
}

/// Parses a number of colours.
///
/// # Errors
/// Returns an error if the text is not a positive whole number.
pub(crate) fn colours(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&k| k > 0).ok_or_else(|| "it must be a number of colours, 1 or more".to_owned())
}

/// Returns a parser of whole numbers in a range.
pub(crate) fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| {
            match (range.start(), *range.end()) {
                (least, u64::MAX) => format!("a whole number is needed, {least} or more"),
                (least, most) => format!("a whole number from {least} to {most} is needed"),
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
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds)
            .map_err(|_| "it must be a number of seconds, 0 or more and less than 2^64".to_owned());
    }
    with_unit(text).ok_or_else(|| {
        "a number of seconds is needed, or a time such as 90s, 15m, 3h50m, 2d or 1-12:00:00".to_owned()
    })
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
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let read = duration(text).ok().filter(|time| !time.is_zero());
    read.ok_or_else(|| "a time such as 3h50m, 90s, 2d or 1-12:00:00 is needed".to_owned())
}

/// Parses a name without blanks.
///
/// # Errors
/// Returns an error if the text is empty, or has blanks or characters other than printable ASCII.
pub(crate) fn word(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
    if is_word { Ok(text.to_owned()) } else { Err("a name without blanks is needed".to_owned()) }
}

/// Parses a range such as `2..8`, including both ends, or a single number.
///
/// # Errors
/// Returns an error if the text is neither, or exceeds `allowed`.
pub(crate) fn range<T>(text: &str, allowed: &RangeInclusive<T>) -> Result<RangeInclusive<T>, String>
where
    T: Copy + PartialOrd + std::fmt::Display + std::str::FromStr,
{
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim_start_matches('=').trim().parse::<T>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last && allowed.contains(&first) && allowed.contains(&last) => {
            Ok(first..=last)
        }
        _ => Err(format!(
            "a number or a range such as {}..{} is needed, within {0} and {1}",
            allowed.start(),
            allowed.end()
        )),
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
