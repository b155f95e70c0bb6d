//! Parsers of the words of a line: numbers, coordinates and multipliers.

use num_bigint::BigInt;
use num_traits::{One as _, Zero as _};

use super::fractions::Multiplier;
use crate::fault::Reason;
use crate::reader;

/// Maximum number of digits of a number.
const MAX_DIGITS: usize = 10_000;

pub(super) fn parse_number(text: &str) -> Result<u64, Reason> {
    reader::parse_number(text).ok_or_else(|| reader::not_a_number(text))
}

pub(super) fn parse_numbers(text: &str, between: char) -> Result<Vec<u32>, Reason> {
    let small = |n: u64| u32::try_from(n).ok().filter(|n| *n < 1 << 30);
    text.split(between)
        .map(|n| {
            parse_number(n)
                .and_then(|value| small(value).ok_or_else(|| Reason::from(format!("{n} is too large")).at(n)))
        })
        .collect()
}

/// Parses the coordinates of a square, such as `0,3,1`.
pub(super) fn parse_coordinates(text: &str) -> Result<Vec<u32>, Reason> {
    parse_short_numbers(text.as_bytes()).map_or_else(|| parse_numbers(text, ','), Ok)
}

/// Parses numbers of at most six digits without leading zeros, separated by commas. Most of the time of a
/// check of a large file is spent here.
fn parse_short_numbers(text: &[u8]) -> Option<Vec<u32>> {
    let mut values = Vec::with_capacity(12);
    for word in text.split(|&byte| byte == b',') {
        if word.is_empty() || word.len() > 6 || word.len() > 1 && word[0] == b'0' {
            return None;
        }
        let mut value = 0;
        for byte in word {
            value = 10 * value + u32::from(byte.checked_sub(b'0').filter(|&digit| digit < 10)?);
        }
        values.push(value);
    }
    Some(values)
}

/// Parses a nonnegative fraction, such as `2/3` or `1`.
pub(super) fn parse_multiplier(text: &str) -> Result<Multiplier, Reason> {
    let digits = |text: &str| {
        if text.len() > MAX_DIGITS {
            return None;
        }
        reader::parse_number::<BigInt>(text)
    };
    let (above, below) = text
        .split_once('/')
        .map_or_else(|| (digits(text), Some(BigInt::one())), |(a, b)| (digits(a), digits(b)));
    match (above, below) {
        (Some(above), Some(below)) if !below.is_zero() => Ok(Multiplier { above, below }),
        (Some(_), Some(_)) => {
            Err(Reason::unreadable("the denominator of a multiplier must be positive").at(text))
        }
        // The text consists of digits and a slash, so only its length can be wrong.
        _ if text.len() > MAX_DIGITS => {
            let fault = format!("a number of a multiplier has more than {MAX_DIGITS} digits");
            Err(Reason::limit(fault).at(text))
        }
        _ => {
            let fault = format!("\"{text}\" should be a fraction that is not negative, such as 2/3");
            Err(Reason::unreadable(fault).at(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_short_numbers_like_others() {
        for text in [
            "0", "0,3,12", "999999", "1000000", "00", "01,2", "", ",", "1,", "1,,2", "1, 2", "+1", "a", "1,٣",
        ] {
            let usual: Result<Vec<u32>, Reason> = parse_numbers(text, ',');
            assert_eq!(parse_coordinates(text).ok(), usual.ok(), "{text}");
            let short = parse_short_numbers(text.as_bytes());
            assert!(short.is_none() || short == parse_numbers(text, ',').ok(), "{text}");
        }
    }
}
