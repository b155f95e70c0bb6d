//! Mutations of texts: edits of words, numbers, lines and bytes.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// Words that are inserted in texts of every kind: numbers at limits, and characters that parsers must
/// reject.
const WORDS: [&str; 30] = [
    "0",
    "1",
    "-1",
    "+1",
    "01",
    "1/2",
    "2",
    "16",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "1e308",
    "nan",
    "x1",
    "^",
    ":",
    "=",
    "\"",
    "\r",
    "\t",
    "\0",
    "\u{1b}[2J",
    "\u{feff}",
    "\u{2028}",
    "é",
    "#",
    "\n",
];

/// Largest length of a mutated text, in bytes.
pub const LONGEST: usize = 1 << 14;

/// Returns input number `number`: first each of the seeds, then random seeds after random edits.
///
/// # Panics
/// Panics if there is no seed.
#[must_use]
pub fn input(seeds: &[Vec<u8>], seed: u64, number: u64) -> Vec<u8> {
    assert!(!seeds.is_empty(), "a target needs seeds");
    if let Ok(number) = usize::try_from(number)
        && number < seeds.len()
    {
        return seeds[number].clone();
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(number);
    let text = &seeds[random.random_range(0..seeds.len())];
    let other = &seeds[random.random_range(0..seeds.len())];
    mutated(text, other, &mut random)
}

/// Returns `text` after one or more edits. `other` is a second source of words and lines.
#[must_use]
pub fn mutated(text: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    loop {
        text = match random.random_range(0..10) {
            0..6 => edit_words(&text, other, random),
            6..9 => edit_lines(&text, other, random),
            _ => edit_bytes(text, random),
        };
        text.truncate(LONGEST);
        if random.random_range(0..5) < 2 {
            return text;
        }
    }
}

/// Edits the first `size` bytes of a buffer for libFuzzer, and returns the new size, at most `max_size`.
#[must_use]
pub fn mutate_in_place(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed.into());
    let changed = mutated(&data[..size], &data[..size], &mut random);
    let length = changed.len().min(max_size);
    data[..length].copy_from_slice(&changed[..length]);
    length
}

/// Splits a text into runs of letters and digits, and single other bytes.
fn words(text: &[u8]) -> Vec<&[u8]> {
    text.chunk_by(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()).collect()
}

fn edit_words(text: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut parts: Vec<Vec<u8>> = words(text).into_iter().map(<[u8]>::to_vec).collect();
    if parts.is_empty() {
        return new_word(text, other, random);
    }
    let at = random.random_range(0..parts.len());
    match random.random_range(0..8) {
        0 => {
            parts.remove(at);
        }
        1 => parts.insert(at, new_word(text, other, random)),
        2 => parts[at] = new_word(text, other, random),
        3 => {
            let to = random.random_range(0..parts.len());
            parts.swap(at, to);
        }
        4 => parts.insert(at, parts[at].clone()),
        _ => {
            // Few of the parts are numbers, so the edit picks one of the numbers.
            let is_number = |part: &Vec<u8>| part.iter().all(u8::is_ascii_digit);
            let numbers: Vec<usize> = (0..parts.len()).filter(|&at| is_number(&parts[at])).collect();
            if numbers.is_empty() {
                parts[at] = new_word(text, other, random);
            } else {
                let at = numbers[random.random_range(0..numbers.len())];
                parts[at] = changed_number(&parts[at], random);
            }
        }
    }
    parts.concat()
}

/// Returns a word of one of the texts or of [`WORDS`].
fn new_word(text: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let from = match random.random_range(0..3) {
        0 => return WORDS[random.random_range(0..WORDS.len())].into(),
        1 => words(text),
        _ => words(other),
    };
    if from.is_empty() { b"0".to_vec() } else { from[random.random_range(0..from.len())].to_vec() }
}

/// Returns a number near another one.
fn changed_number(digits: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let value = str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
    let Some(value) = value else { return b"7".to_vec() };
    let changed = match random.random_range(0..6) {
        0 | 1 => value.saturating_add(1),
        2 | 3 => value.saturating_sub(1),
        4 => value.saturating_mul(2),
        _ => random.random_range(0..16),
    };
    changed.to_string().into_bytes()
}

fn edit_lines(text: &[u8], other: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    if lines.is_empty() {
        return other.to_vec();
    }
    let at = random.random_range(0..lines.len());
    let to = random.random_range(0..lines.len());
    match random.random_range(0..6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(to, lines[at]),
        2 => lines.swap(at, to),
        3 => lines.truncate(at),
        4 => {
            lines.drain(at.min(to)..at.max(to));
        }
        _ => {
            let others: Vec<&[u8]> = other.split_inclusive(|&byte| byte == b'\n').collect();
            if !others.is_empty() {
                lines.insert(at, others[random.random_range(0..others.len())]);
            }
        }
    }
    lines.concat()
}

fn edit_bytes(mut text: Vec<u8>, random: &mut ChaCha8Rng) -> Vec<u8> {
    if text.is_empty() {
        return vec![random.random()];
    }
    let at = random.random_range(0..text.len());
    match random.random_range(0..5) {
        0 => text[at] ^= 1 << random.random_range(0..8),
        1 => text[at] = random.random(),
        2 => text.insert(at, random.random()),
        3 => {
            text.remove(at);
        }
        _ => text.truncate(at),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_reproducible_and_differ() {
        let seeds = [b"board 3^2\nat most 2\n".to_vec(), b"end\n".to_vec()];
        let inputs: Vec<_> = (0..100).map(|number| input(&seeds, 1, number)).collect();
        assert_eq!(inputs, (0..100).map(|number| input(&seeds, 1, number)).collect::<Vec<_>>());
        assert_eq!(inputs[..2], seeds);
        let different: std::collections::HashSet<_> = inputs.iter().collect();
        assert!(different.len() > 60, "{} different inputs", different.len());
        assert_ne!(inputs, (0..100).map(|number| input(&seeds, 2, number)).collect::<Vec<_>>());
    }
}
