//! Words of proof and bound files that their writers and their checkers share.
//!
//! The pages `docs/proof-format.md` and `docs/bound-format.md` specify the formats.

/// First line of a proof tree in format 2.
pub const PROOF: &str = "ndqueens proof 2";

/// First line of a proof tree in format 3, which allows further kinds of rows in lines `sum`.
pub const PROOF_WITH_ROWS: &str = "ndqueens proof 3";

/// First line of a bound in format 1.
pub const BOUND: &str = "ndqueens bound 1";

/// First line of a bound in format 2, which distinguishes cases.
pub const BOUND_WITH_CASES: &str = "ndqueens bound 2";

/// First line of a bound in format 3, which adds inequalities of class counts to format 2.
pub const BOUND_WITH_FACES: &str = "ndqueens bound 3";

/// First line of a bound in format 4, which adds inequalities with a weight for each square to format 3.
pub const BOUND_WITH_WEIGHTS: &str = "ndqueens bound 4";

/// First lines of all formats of bounds, in the order of their numbers.
pub const BOUNDS: [&str; 4] = [BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES, BOUND_WITH_WEIGHTS];

/// First lines of all formats of proof trees and bounds.
pub const HEADERS: [&str; 6] =
    [PROOF, PROOF_WITH_ROWS, BOUND, BOUND_WITH_CASES, BOUND_WITH_FACES, BOUND_WITH_WEIGHTS];

/// Beginning of a line with several nodes of a proof tree.
pub const NODES: &str = "nodes ";

/// Number of regions that are written as letters; larger numbers are written in digits.
pub const LETTERS: usize = 26;

/// Returns `true` if a file that begins with these bytes is a proof tree in any format.
#[must_use]
pub fn is_proof(first: &[u8]) -> bool {
    first.starts_with(b"ndqueens proof")
}

/// Returns `true` if a file that begins with these bytes is a bound in any format.
#[must_use]
pub fn is_bound(first: &[u8]) -> bool {
    first.starts_with(b"ndqueens bound")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_their_kind() {
        assert!([PROOF, PROOF_WITH_ROWS].iter().all(|header| is_proof(header.as_bytes())));
        assert!(BOUNDS.iter().all(|header| is_bound(header.as_bytes())));
        assert!(!is_proof(BOUND.as_bytes()) && !is_bound(PROOF.as_bytes()));
    }
}
