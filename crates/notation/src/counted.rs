//! Numbers with their nouns in messages: `1 vertex`, `2 vertices`.

use std::fmt::Display;

/// Formats a number and a noun, given in the singular, with the noun in the plural unless the number is 1.
///
/// The noun may be a phrase; its last word is inflected. The plural of that word is regular, except that
/// *axis*, *matrix* and *vertex* are known.
///
/// # Examples
/// ```
/// use ndqueens_notation::counted::counted;
///
/// assert_eq!(counted(1, "row"), "1 row");
/// assert_eq!(counted(0, "row"), "0 rows");
/// assert_eq!(counted(2, "maximal clique"), "2 maximal cliques");
/// assert_eq!(counted(4, "vertex"), "4 vertices");
/// ```
#[must_use]
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("{number} {noun}") } else { format!("{number} {}", plural(noun)) }
}

/// Returns the plural of a noun.
fn plural(noun: &str) -> String {
    for (ending, replacement) in [("vertex", "vertices"), ("matrix", "matrices"), ("axis", "axes")] {
        if let Some(stem) = noun.strip_suffix(ending) {
            return format!("{stem}{replacement}");
        }
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ if ["s", "x", "sh", "ch"].iter().any(|ending| noun.ends_with(ending)) => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_agree_with_their_numbers() {
        for (noun, plural) in [
            ("square", "squares"),
            ("class", "classes"),
            ("box", "boxes"),
            ("axis", "axes"),
            ("matrix", "matrices"),
            ("vertex", "vertices"),
            ("entry", "entries"),
            ("symmetry", "symmetries"),
            ("day", "days"),
            ("branch", "branches"),
        ] {
            assert_eq!(counted(1_u64, noun), format!("1 {noun}"));
            assert_eq!(counted(2_usize, noun), format!("2 {plural}"));
            assert_eq!(counted(0_u32, noun), format!("0 {plural}"));
        }
    }
}
