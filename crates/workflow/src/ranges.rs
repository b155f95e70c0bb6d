//! Short notation for sets of numbers.

/// Formats increasing numbers, with runs as `first-last`.
pub fn of(numbers: &[usize]) -> impl Iterator<Item = String> {
    numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        _ => format!("{}-{}", run[0], run[run.len() - 1]),
    })
}
