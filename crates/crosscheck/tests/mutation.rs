//! Checks every edit of small proofs and bounds: each edit that is accepted must be true, as an exhaustive
//! search confirms.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::graph::Graph;
use ndqueens_crosscheck::proof::{ProofError, ProofResult, SolutionCount, Statements};
use ndqueens_crosscheck::{bound, proof, recursive};
use ndqueens_notation::name::BoardName;

/// Proof tree of 2x3.
const SMALL: &str = "ndqueens proof 2
board 2x3
box 1x1 1 lines
box 1x2 1 lines
box 1x3 1 lines
box 2x2 1 search
order lexicographic
slab 1 0-0 1
slab 1 1-1 1
slab 2 0-0 1
slab 2 1-1 1
cover 0 0,1,2,3 /
box 2x3 2 lines
at most 2
end
";

/// Proof tree of 3^3, with slabs, orbits and a cut.
const CUBE: &str = include_str!("vectors/accepted/named-covers.proof");

/// Proof tree of a board that is not a plain box, with symmetries written as lists.
const TORUS: &str = "ndqueens proof 2
board torus:3^2
search 1
order lexicographic
orbit 0 =1,2,0,4,5,3,7,8,6
cover 0 /
cover 0 2,3,4,5,6,7,8 /
at most 1
end
";

/// Proof tree with a branch and fractional covers.
const BRANCHES: &str = include_str!("vectors/accepted/sums.proof");

/// Proof tree with cases within cases.
const LAYERS: &str = include_str!("vectors/accepted/layers.proof");

/// Proof trees with the rows of format 3.
const ROWS: [&str; 6] = [
    include_str!("vectors/accepted/row-box.proof"),
    include_str!("vectors/accepted/row-class.proof"),
    include_str!("vectors/accepted/row-placed.proof"),
    include_str!("vectors/accepted/row-chords.proof"),
    include_str!("vectors/accepted/row-weaker.proof"),
    include_str!("vectors/accepted/row-rooks.proof"),
];

/// Counts: with symmetries and slabs, of a board that is not a plain box, with listed covers, and without
/// solutions.
const COUNTS: [&str; 4] = [
    include_str!("vectors/accepted/count-orbit.proof"),
    include_str!("vectors/accepted/count-torus.proof"),
    include_str!("vectors/accepted/count-named.proof"),
    include_str!("vectors/accepted/count-none.proof"),
];

/// Proof tree with parts of regions.
const PARTS: &str = include_str!("vectors/accepted/parts.proof");

/// Bound of 3^3 with a cube and a box that depends on another bound.
const BOUND: &str = include_str!("data/cube.bound");

/// Bound with cases.
const CASES: &str = include_str!("data/cases.bound");

/// Bound of 3^2 that equals the sum of its right-hand sides.
const TIGHT: &str = "ndqueens bound 1
board 3^2
needs 2^2 1
clique 1 1,1 0,1 2,1 1,0 1,2
box 1 1 0,0 2x2 2
at most 2
end
";

/// Bounds with weights of squares: of a whole board, of rooks, and in cases.
const WEIGHTS: [&str; 3] = [
    include_str!("vectors/accepted/weighted-board.bound"),
    include_str!("vectors/accepted/weighted-rooks.bound"),
    include_str!("vectors/accepted/weighted-split.bound"),
];

/// Splits a text into words and the characters between them.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        tokens.push(&rest[..end]);
        rest = &rest[end..];
    }
    tokens
}

/// Returns all texts that differ by one edit: a token is replaced, removed or inserted, or lines are removed,
/// doubled or exchanged.
fn edits(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut pool: BTreeSet<String> = tokens.iter().map(|&token| token.to_owned()).collect();
    for number in tokens.iter().filter_map(|token| token.parse::<u64>().ok()) {
        pool.extend([number + 1, number.saturating_sub(1), 2 * number].map(|number| number.to_string()));
    }
    pool.extend(
        [
            "-1",
            "+1",
            "01",
            "18446744073709551615",
            "18446744073709551616",
            "rook:",
            "torus:",
            "\r",
            "\u{feff}",
        ]
        .map(str::to_owned),
    );
    let mut made = BTreeSet::new();
    for at in 0..=tokens.len() {
        let (before, after) = (tokens[..at].concat(), tokens[at..].concat());
        for token in &pool {
            made.insert(format!("{before}{token}{after}"));
            if at < tokens.len() {
                made.insert(format!("{before}{token}{}", tokens[at + 1..].concat()));
            }
        }
        if at < tokens.len() {
            made.insert(before + &tokens[at + 1..].concat());
        }
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for a in 0..lines.len() {
        made.insert([&lines[..a], &lines[a + 1..]].concat().concat());
        for b in 0..lines.len() {
            let mut moved = lines.clone();
            moved.swap(a, b);
            made.insert(moved.concat());
            let mut doubled = lines.clone();
            doubled.insert(b, lines[a]);
            made.insert(doubled.concat());
        }
        made.insert(lines[..a].concat());
    }
    made.remove(text);
    made
}

/// Independence numbers of small boards, computed by exhaustive search.
#[derive(Default)]
struct Alpha(HashMap<BoardName, u64>);

impl Alpha {
    /// Returns `true` if at most `most` queens fit. For a board of more than 36 squares, which may result
    /// from an edit, returns `true` only if the number of parallel lines proves this.
    fn is_at_most(&mut self, board: &BoardName, most: u64) -> bool {
        let squares = definition(board).squares().count() as u64;
        if squares > 36 {
            let BoardName::Grid { sides, torus: false, .. } = board else { panic!("{board} was accepted") };
            return squares / u64::from(*sides.iter().max().expect("a side")) <= most;
        }
        let compute = || {
            let graph = Graph::new(&*definition(board)).expect("small");
            recursive::independence_number(&graph, &|| false).expect("not stopped") as u64
        };
        *self.0.entry(board.clone()).or_insert_with(compute) <= most
    }
}

/// Returns the number of independent sets of `size` squares that contain `placed` and otherwise only later
/// squares, by exhaustive search.
fn independent_sets(graph: &Graph, placed: &mut Vec<usize>, size: u64) -> u64 {
    if placed.len() as u64 == size {
        return 1;
    }
    let mut sets = 0;
    for square in placed.last().map_or(0, |last| last + 1)..graph.squares().len() {
        if placed.iter().all(|&other| !graph.neighbours(other).contains(square)) {
            placed.push(square);
            sets += independent_sets(graph, placed, size);
            placed.pop();
        }
    }
    sets
}

/// Checks all edits of a text. Returns the numbers of edits that were accepted and rejected.
fn check_edits(text: &str, mut is_true: impl FnMut(&str) -> Option<bool>) -> (usize, usize) {
    assert_eq!(is_true(text), Some(true), "{text}");
    let (mut accepted, mut refused) = (0, 0);
    for edit in edits(text) {
        match is_true(&edit) {
            Some(holds) => {
                assert!(holds, "accepted, but false:\n{edit}");
                accepted += 1;
            }
            None => refused += 1,
        }
    }
    (accepted, refused)
}

/// Checks the trees of boxes of a proof separately, starting with the last one.
fn check_apart(text: &str) -> Result<ProofResult, ProofError> {
    let read_board = |name: &str| name.parse();
    let mut text = text.as_bytes();
    let mut statements = Statements::read(&mut text, &read_board)?;
    let mut trees = Vec::new();
    let read = loop {
        match statements.next_tree() {
            Ok(Some(tree)) => trees.push(Arc::new(tree)),
            Ok(None) => break Ok(()),
            Err(fault) => break Err(fault),
        }
    };
    let mut checked: Vec<_> = trees.iter().rev().map(|tree| tree.check(&|| false)).collect();
    checked.reverse();
    let checked = checked.into_iter().collect::<Result<Vec<_>, _>>()?;
    read?;
    statements.conclude(checked)
}

/// Checks a proof in order. Proofs whose length is a multiple of 7 are also checked with separate trees,
/// which must give the same result.
fn check(text: &str) -> Option<ProofResult> {
    let read_board = |name: &str| name.parse();
    let checked = proof::check(text.as_bytes(), &read_board);
    if text.len().is_multiple_of(7) {
        match (&checked, &check_apart(text)) {
            (Ok(checked), Ok(apart)) => assert_eq!(checked, apart, "{text}"),
            (Err(checked), Err(apart)) => assert_eq!(checked.to_string(), apart.to_string(), "{text}"),
            (checked, apart) => panic!("{checked:?} {apart:?}\n{text}"),
        }
    }
    checked.ok()
}

#[test]
fn accepted_edits_of_proofs_are_true() {
    let mut alpha = Alpha::default();
    let (mut accepted, mut refused) = (0, 0);
    for text in [SMALL, CUBE, TORUS, BRANCHES, LAYERS, PARTS] {
        let counted = check_edits(text, |edit| {
            let proved = check(edit)?;
            let mut bounds = proved.bounds().chain(proved.at_most().map(|most| (proved.board(), most)));
            Some(bounds.all(|(board, most)| alpha.is_at_most(board, most)))
        });
        accepted += counted.0;
        refused += counted.1;
    }
    // An edit of a lemma that is not needed may still be accepted.
    assert!(accepted > 50 && refused > 20_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn accepted_edits_of_rows_are_true() {
    let mut alpha = Alpha::default();
    let (mut accepted, mut refused) = (0, 0);
    for text in ROWS {
        let counted = check_edits(text, |edit| {
            let proved = check(edit)?;
            let mut bounds = proved.bounds().chain(proved.at_most().map(|most| (proved.board(), most)));
            Some(bounds.all(|(board, most)| alpha.is_at_most(board, most)))
        });
        accepted += counted.0;
        refused += counted.1;
    }
    assert!(accepted > 50 && refused > 20_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn accepted_edits_of_counts_are_true() {
    let mut alpha = Alpha::default();
    let mut known: HashMap<(BoardName, u64), u64> = HashMap::new();
    let (mut accepted, mut refused) = (0, 0);
    for text in COUNTS {
        let counted = check_edits(text, |edit| {
            let proved = check(edit)?;
            let bounds_hold = proved.bounds().all(|(board, most)| alpha.is_at_most(board, most));
            // The edit may have replaced the count by a bound.
            let Some(SolutionCount { size, sets, no_more_fit }) = proved.count() else {
                return Some(bounds_hold);
            };
            let number = known.entry((proved.board().clone(), size)).or_insert_with(|| {
                let graph = Graph::new(&*definition(proved.board())).expect("small");
                independent_sets(&graph, &mut Vec::new(), size)
            });
            let maximum_holds = !no_more_fit || alpha.is_at_most(proved.board(), size);
            Some(bounds_hold && maximum_holds && *number == sets)
        });
        accepted += counted.0;
        refused += counted.1;
    }
    assert!(accepted > 50 && refused > 20_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn accepted_edits_of_bounds_are_true() {
    let mut alpha = Alpha::default();
    let (mut accepted, mut refused) = (0, 0);
    for text in [BOUND, TIGHT, CASES].into_iter().chain(WEIGHTS) {
        let counted = check_edits(text, |edit| {
            let shown = bound::check(edit.as_bytes()).ok()?;
            let mut needs = shown.needs().iter();
            Some(
                !needs.all(|(board, &most)| alpha.is_at_most(board, most))
                    || alpha.is_at_most(shown.board(), shown.at_most()),
            )
        });
        accepted += counted.0;
        refused += counted.1;
    }
    assert!(accepted > 20 && refused > 5_000, "{accepted} accepted, {refused} refused");
}
