//! Known names of columns in a table and of keys in an object.

/// Names that belong to variants, in lower case.
pub(super) const VARIANTS: [&str; 14] = [
    "cages",
    "cage",
    "regions",
    "region",
    "jigsaw",
    "killer",
    "thermos",
    "arrows",
    "diagonals",
    "diagonal",
    "variant",
    "constraints",
    "extraregions",
    "killercage",
];

/// Names of the column of puzzles in a table, in lower case.
pub(super) const PUZZLE_NAMES: [&str; 17] = [
    "puzzle", "puzzles", "quiz", "quizzes", "sudoku", "sudokus", "board", "grid", "question", "problem",
    "unsolved", "given", "givens", "initial", "start", "mission", "value",
];
/// Names of the column of solutions in a table, in lower case.
pub(super) const SOLUTION_NAMES: [&str; 7] =
    ["solution", "solutions", "solved", "answer", "answers", "result", "solvedboard"];

/// Returns `true` if a column or key of a variant with this value leaves the rules as they are.
pub(super) fn is_off(value: &str) -> bool {
    matches!(value, "" | "0" | "false")
}
