//! Suggestions for misspelt names.

/// Formats a suggestion of the candidate most similar to `input`, to be appended to a message. Returns an
/// empty string if no candidate is similar. If several are equally similar, suggests the first.
///
/// # Examples
/// ```
/// use ndqueens_notation::similar::did_you_mean;
///
/// assert_eq!(did_you_mean("gurboi", ["highs", "gurobi"]), "; did you mean \"gurobi\"?");
/// assert_eq!(did_you_mean("cplex", ["highs", "gurobi"]), "");
/// ```
#[must_use]
pub fn did_you_mean<'c>(input: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    let input = input.to_lowercase();
    let max_distance = (input.chars().count() / 3).clamp(1, 3);
    let distances = candidates.into_iter().map(|candidate| {
        let abbreviated = input.chars().count() >= 3 && candidate.starts_with(&input);
        (if abbreviated { 1 } else { distance(&input, &candidate.to_lowercase()) }, candidate)
    });
    // `min_by_key` returns the first minimum.
    match distances.min_by_key(|(distance, _)| *distance) {
        Some((distance, candidate)) if distance <= max_distance => format!("; did you mean \"{candidate}\"?"),
        _ => String::new(),
    }
}

/// Computes the edit distance with insertions, deletions, replacements and exchanges of neighbouring letters.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_names_only() {
        let variants = ["maximise", "minimise", "k+1"];
        assert_eq!(did_you_mean("maximize", variants), "; did you mean \"maximise\"?");
        assert_eq!(did_you_mean("Minimise", variants), "; did you mean \"minimise\"?");
        assert_eq!(did_you_mean("max", variants), "; did you mean \"maximise\"?");
        assert_eq!(did_you_mean("optimum", variants), "");
        assert_eq!(did_you_mean("", variants), "");
        assert_eq!(did_you_mean("gurboi", ["highs", "gurobi"]), "; did you mean \"gurobi\"?");
        assert_eq!(did_you_mean("cplex", ["highs", "cbc", "scip"]), "");
        assert_eq!(did_you_mean("symetry", ["base", "symmetry"]), "; did you mean \"symmetry\"?");
    }
}
