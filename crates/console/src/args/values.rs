//! What the words of a command line may be.

use std::ops::RangeInclusive;
use std::time::Duration;

use jiff::SpanRelativeTo;

use ndqueens_files as files;
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::choice::{self, UnknownBackend};

use crate::output::{plain, shortened};

/// A board; `6,3` is `6^3`, as (n,d) is written. A fault may quote a file, so it is made plain and short.
///
/// # Errors
/// When the text is something else.
pub fn board(name: &str) -> Result<BoardName, String> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let read = match name.split_once(',') {
        Some((side, dimension)) if is_number(side) && is_number(dimension) => {
            BoardName::read(&format!("{side}^{dimension}"), &files::open)
        }
        _ => BoardName::read(name, &files::open),
    };
    read.map_err(|fault| plain(&shortened(fault.to_string())))
}

/// A number of queens.
///
/// # Errors
/// When the text is something else.
pub fn queens(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("it must be a whole number of queens, from 0 to {}", u64::MAX))
}

/// A number of colours.
///
/// # Errors
/// When the text is something else.
pub fn colours(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|&k| k > 0).ok_or_else(|| "it must be a number of colours, 1 or more".to_owned())
}

/// A whole number of a range.
pub fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<T, String> + Clone {
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

/// The name of a backend, or a command.
///
/// # Errors
/// When the text is something else.
pub fn backend(text: &str) -> Result<String, UnknownBackend> {
    choice::backend(text).map(|_| text.to_owned())
}

/// A number of seconds.
///
/// # Errors
/// When the text is something else.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    Duration::try_from_secs_f64(value)
        .map_err(|_| "it must be a number of seconds, 0 or more and less than 2^64".to_owned())
}

/// A time such as 3h50m, 90s or 2d, or as Slurm writes it: 04:00:00, 1-12:00:00.
///
/// # Errors
/// When the text is something else.
pub fn time(text: &str) -> Result<Duration, String> {
    let words = match text.split_once('-') {
        Some((days, rest)) if rest.contains(':') => format!("{days}d {rest}"),
        _ => text.to_owned(),
    };
    let read =
        words.parse::<jiff::Span>().and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()));
    let read = read.ok().and_then(|time| Duration::try_from(time).ok()).filter(|time| !time.is_zero());
    read.ok_or_else(|| "a time such as 3h50m, 90s, 2d or 1-12:00:00 is needed".to_owned())
}

/// A name without blanks.
///
/// # Errors
/// When the text is something else.
pub fn word(text: &str) -> Result<String, String> {
    let is_word = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
    if is_word { Ok(text.to_owned()) } else { Err("a name without blanks is needed".to_owned()) }
}

/// A range such as `2..8`, both ends included, or a single number.
///
/// # Errors
/// When the text is something else.
pub fn range<T>(text: &str, allowed: &RangeInclusive<T>) -> Result<RangeInclusive<T>, String>
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
