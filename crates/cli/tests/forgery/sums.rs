//! Forgeries of bounds that are sums of inequalities.

use crate::{Genuine, all_refused};

pub(crate) const BOUND: Genuine =
    Genuine { file: "a.bound", text: include_str!("../../../crosscheck/tests/data/cube.bound") };

#[test]
fn sums() {
    all_refused(
        "sums",
        40,
        &BOUND.edited(&[
            ("at most 4", "at most 3", "add up to 9/2"),
            ("at most 4", "at most 0", "add up to 9/2"),
            ("at most 4\n", "", "expected"),
            ("at most 4\nend\n", "", "ends too early"),
            ("board 3^3", "board 4^3", "less than once"),
            ("board 3^3", "board torus:3^3", "a plain box"),
            ("board 3^3", "board hex:3", "a plain box"),
            ("board 3^3", "board rook:3^3", "is a board of another piece"),
            ("board 3^3", "board 4x3x3", "in increasing order"),
            ("board 3^3\n", "", "expected"),
            ("needs 2^3 1", "needs 2^3 1\nneeds 2x2x2 1", "is needed twice"),
            ("needs 2^3 1", "needs torus:2^3 1", "is not a plain box"),
            ("needs 2^3 1", "needs 2^3", "expected"),
            ("needs 2^3 1", "needs 2^ 1", "column"),
            ("clique 4 ", "clique 3 ", "less than once"),
            ("clique 4 ", "clique 0 ", "less than once"),
            ("clique 4 ", "clique -4 ", "not negative"),
            ("clique 4 ", "clique 4/0 ", "denominator of a multiplier must be positive"),
            ("clique 4 ", "clique 4/-1 ", "not negative"),
            ("clique 4 ", "clique 8/2/1 ", "not negative"),
            ("clique 4 ", "clique +4 ", "not negative"),
            ("clique 4 ", "clique 04 ", "not negative"),
            ("clique 4 ", "clique ", "not negative"),
            ("1,1,1\n", "1,1,2\n", "do not attack each other"),
            ("1,1,1\n", "1,1,0\n", "is listed twice"),
            ("1,1,1\n", "1,1,3\n", "is not a square of the board"),
            ("1,1,1\n", "1,1\n", "coordinates, and a square of the board has 3"),
            ("1,1,1\n", "1,1,1,1\n", "coordinates, and a square of the board has 3"),
            ("1,1,1\n", "1,1,-1\n", "not a number"),
            ("1,1,1\n", "1,1,4294967297\n", "too large"),
            ("1,1,1\n", "1,1,\n", "not a number"),
            (" 1,1,1\n", "\n", "less than once"),
            ("box 1/2 1 0,0,0", "box 1/3 1 0,0,0", "less than once"),
            ("box 1/2 1 0,0,0", "box 1/2 0 0,0,0", "no line before this one states"),
            ("0,0,0 2x2x2 2", "1,0,0 2x2x2 2", "does not lie on the board"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2x2 3", "does not lie on the board"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2x2 0", "stride of a box must be positive"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2x0 2", "sides of a box must be positive"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2 2", "has 3 axes"),
            ("0,0,0 2x2x2 2", "0,0 2x2x2 2", "has 3 axes"),
            ("0,0,0 2x2x2 2", "0,0,0 3x3x3 1", "the board itself"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2x2 18446744073709551615", "does not lie on the board"),
            ("0,0,0 2x2x2 2", "0,0,0 2x2x2", "expected"),
            ("clique 4 ", "cliques 4 ", "expected"),
        ]),
    );
}

/// Checks that a bound may depend on another bound only if the ledger proves that bound.
#[test]
fn what_a_bound_rests_on() {
    let needs = [
        ("needs 2^3 0", "which the ledger does not have"),
        ("needs rook:2^3 0", "is a board of another piece"),
        ("needs 1^3 0", "no line before this one states"),
        ("needs 2^4 0", "no line before this one states"),
    ];
    let forgeries = needs.map(|(needs, says)| {
        let text = BOUND.text.replacen("needs 2^3 1", needs, 1).replacen("box 1/2 1", "box 1/2 0", 1);
        crate::Forgery::check("a.bound", text, says)
    });
    all_refused("what a bound rests on", 4, &forgeries);
}
