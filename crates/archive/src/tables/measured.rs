//! Columns of the tables that scripts write.

use ndqueens_report::column::Unit::{Count, Queens, Seconds, Text};

use super::listed::Listed;

/// Tables of `scripts/counts` and `scripts/colourings`.
pub(super) const MEASURED: &[Listed] = &[
    (
        "counts",
        "Numbers of maximum solutions",
        &[
            ("board", Text, "the board"),
            ("queens", Queens, "queens of a solution"),
            ("solutions", Count, "maximum solutions"),
            ("up_to_symmetry", Count, "maximum solutions up to symmetry"),
            ("squares_in_no_solution", Count, "squares that no maximum solution occupies"),
            ("threshold", Queens, "the largest k such that any k non-attacking queens can be completed"),
            ("method", Text, "what counted them"),
            ("second_method", Text, "what counted them again; empty: nothing did"),
            ("seconds", Seconds, "CPU time of the first method"),
            ("reference_seconds", Seconds, "CPU time of the second method"),
        ],
    ),
    (
        "stabilisers",
        "Numbers of maximum solutions by the symmetries that keep them",
        &[
            ("board", Text, "the board"),
            ("order", Count, "the order of the stabiliser: symmetries of the board that keep a solution"),
            ("up_to_symmetry", Count, "maximum solutions up to symmetry with a stabiliser of that order"),
        ],
    ),
    (
        "domination",
        "Least dominating sets of queens",
        &[
            ("board", Text, "the board"),
            ("dominating", Queens, "the least size of a dominating set"),
            ("independent", Queens, "the same of one whose queens do not attack each other"),
            ("solver", Text, "the ILP solver that computed them"),
            ("second_solver", Text, "the ILP solver that computed them again; empty: none did"),
        ],
    ),
    (
        "full",
        "Full solutions of n^3 and n^4",
        &[
            ("board", Text, "the board"),
            ("full_solutions", Count, "solutions with as many queens as there are parallel lines"),
            ("regular", Count, "those of them that are linear"),
            ("method", Text, "what counted them"),
        ],
    ),
    (
        "all-colourings",
        "n-colourings of n^2",
        &[
            ("n", Count, "the side of the board"),
            ("filter", Text, "yes or no: whether the clique filter was used"),
            ("solutions", Count, "solutions of n queens on n^2"),
            ("nodes", Count, "search nodes"),
            ("colourings", Count, "n-colourings"),
            ("up_to_symmetry", Count, "n-colourings up to symmetry"),
            ("full_solutions", Count, "full solutions of n^3 that are stacks of them"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
    (
        "colouring-symmetries",
        "n-colourings of n^2 by their symmetry",
        &[
            ("n", Count, "the side of the board"),
            ("filter", Text, "yes or no: whether the clique filter was used"),
            ("symmetry", Text, "the symmetry: h, v, hv, r2 or r4"),
            ("colourings", Count, "n-colourings with it and no other"),
        ],
    ),
    (
        "chromatic",
        "Chromatic numbers of queen graphs",
        &[
            ("board", Text, "the board"),
            ("lower", Count, "no fewer colours suffice"),
            ("upper", Count, "this number of colours suffices"),
            ("reason", Text, "what shows the lower bound"),
            ("found_by", Text, "what found the colouring"),
            ("nodes", Count, "search nodes"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
    (
        "first-colouring",
        "Searches for an n-colouring of n^2",
        &[
            ("n", Count, "the side of the board"),
            ("symmetry", Text, "the symmetry that was asked for"),
            ("seed", Count, "the random seed"),
            ("found", Text, "yes or no"),
            ("found_symmetry", Text, "the symmetry of the colouring that was found"),
            ("nodes", Count, "search nodes"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
];
