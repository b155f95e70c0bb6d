//! Edits of files of SCIP, each with its verdict.

use crate::edits::Expected::{Accepted, NotChecked, Refused};
use crate::edits::{Edit, Expected};

type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], Expected);

/// Returns all edits.
pub(crate) fn solver_edits() -> impl Iterator<Item = Edit> {
    let all = [NAMES, OBJECTIVES, CONSTRAINTS, STATEMENTS, PROOFS].concat();
    all.into_iter().map(|(name, base, replacements, expected)| Edit { name, base, replacements, expected })
}

/// Comments, and the sections VAR and INT.
const NAMES: &[Row] = &[
    (
        "scip-without-comments",
        "scip-maximum",
        &[("% ndqueens vipr 2\n% board 3^2\n", "")],
        Refused("must be"),
    ),
    ("scip-as-own", "scip-maximum", &[("vipr 2", "vipr 1"), ("1.0 ", "1.0")], Refused("expected \"VAR 9\"")),
    ("scip-header-blank", "scip-maximum", &[("vipr 2", "vipr 2 ")], Refused("the first line must be")),
    ("scip-board-blank", "scip-maximum", &[("board 3^2", "board 3^2 ")], Accepted),
    ("scip-version-11", "scip-maximum", &[("VER 1.0 ", "VER 1.1\r")], Accepted),
    ("scip-version-2", "scip-maximum", &[("VER 1.0", "VER 2.0")], Refused("expected")),
    ("scip-late-comment", "scip-maximum", &[("VAR 9", "% c\nVAR 9")], Refused("expected \"VAR\"")),
    ("scip-comment-in-program", "scip-maximum", &[("C3 L", "%C3 L")], Refused("comments are allowed only")),
    ("scip-larger-board", "scip-maximum", &[("3^2", "4^2")], Refused("has 16 variables")),
    ("scip-torus", "scip-maximum", &[("3^2", "torus:3^2")], Refused("of torus:3^2 is missing")),
    (
        "scip-rooks",
        "scip-maximum",
        &[("3^2", "rook:3^2")],
        Refused("constraint 3, \"C3\", is not in the program"),
    ),
    (
        "scip-dominating",
        "scip-maximum",
        &[("3^2", "3^2\n% problem dominating set")],
        Refused("the objective is not"),
    ),
    ("scip-variables", "scip-maximum", &[("VAR 9", "VAR 8")], Refused("has 9 variables")),
    ("scip-plain-names", "scip-maximum", &[("t_x_0_0", "x_0_0"), ("t_x_2_2", "x_2_2")], Accepted),
    ("scip-one-line", "scip-maximum", &[("t_x_0_0\nt_x_0_1\n", "\n t_x_0_0  t_x_0_1\r\n")], Accepted),
    (
        "scip-reflected",
        "scip-maximum",
        &[
            ("t_x_0_0", "t_a"),
            ("t_x_1_0", "t_b"),
            ("t_x_2_0", "t_c"),
            ("t_x_0_2", "t_x_0_0"),
            ("t_x_1_2", "t_x_1_0"),
            ("t_x_2_2", "t_x_2_0"),
            ("t_a", "t_x_0_2"),
            ("t_b", "t_x_1_2"),
            ("t_c", "t_x_2_2"),
        ],
        Accepted,
    ),
    (
        "scip-names-exchanged",
        "scip-maximum",
        &[("t_x_0_0\nt_x_0_1", "t_x_0_1\nt_x_0_0")],
        Refused("constraint 6, \"C6\", is not in the program of 3^2"),
    ),
    (
        "scip-name-off-board",
        "scip-maximum",
        &[("t_x_2_2", "t_x_2_3")],
        Refused("\"t_x_2_3\" is not the name"),
    ),
    ("scip-name-zeros", "scip-maximum", &[("t_x_2_2", "t_x_2_02")], Refused("is not the name of a square")),
    ("scip-name-of-opb", "scip-maximum", &[("t_x_0_0", "t_x1")], Refused("is not the name of a square")),
    (
        "scip-name-twice",
        "scip-maximum",
        &[("t_x_2_2", "t_x_2_1")],
        Refused("the variable t_x_2_1 is listed twice"),
    ),
    (
        "scip-name-in-two-forms",
        "scip-maximum",
        &[("t_x_2_2", "x_2_1")],
        Refused("the variable x_2_1 is listed twice"),
    ),
    ("scip-transformed-twice", "scip-maximum", &[("t_x_0_0", "t_t_x_0_0")], Refused("is not the name")),
    ("scip-continuous", "scip-maximum", &[("INT 9\n0 \n", "INT 8\n")], Refused("must be integer variables")),
    (
        "scip-integer-twice",
        "scip-maximum",
        &[("INT 9\n0 \n", "INT 9\n1 \n")],
        Refused("variable 1 is listed twice"),
    ),
    (
        "scip-no-such-integer",
        "scip-maximum",
        &[("INT 9\n0 \n", "INT 9\n9 \n")],
        Refused("there is no variable 9"),
    ),
    ("scip-integers-reversed", "scip-maximum", &[("INT 9\n0 \n1 ", "INT 9\n1 \n0 ")], Accepted),
    ("scip-tab", "scip-maximum", &[("VAR 9 ", "VAR 9\t")], Refused("byte 0x09 is not allowed")),
];

/// The section OBJ.
const OBJECTIVES: &[Row] = &[
    (
        "scip-maximise",
        "scip-maximum",
        &[("OBJ min", "OBJ max")],
        Refused("the coefficients of all variables must be 1"),
    ),
    ("scip-weights", "scip-maximum", &[(" 0 -1 1 -1 ", " 0 -2 1 -1 ")], Refused("must be -1")),
    ("scip-no-weight", "scip-maximum", &[(" 0 -1 1 -1 ", " 0 0 1 -1 ")], Refused("must be -1")),
    ("scip-weight-missing", "scip-maximum", &[(" 9  0 -1 1", " 8  1")], Refused("must be -1")),
    ("scip-no-objective", "scip-maximum", &[(" 9  0 -1<rest>", " 0\n")], Refused("must be -1")),
    ("scip-direction", "scip-maximum", &[("OBJ min", "OBJ least")], Refused("expected \"min\" or \"max\"")),
    ("scip-no-direction", "scip-maximum", &[("OBJ min", "OBJ")], Refused("expected \"min\" or \"max\"")),
    ("scip-limit-no-objective", "scip-at-least", &[("OBJ min", "OBJ max")], Accepted),
    ("scip-limit-explicit-zero", "scip-at-least", &[("OBJ min\n 0 ", "OBJ min\n 1 4 0")], Accepted),
    (
        "scip-limit-objective",
        "scip-at-least",
        &[("OBJ min\n 0 ", "OBJ min\n 1 0 1")],
        Refused("must be -1, or all 0"),
    ),
    (
        "scip-dominating-maximise",
        "scip-dominating",
        &[("OBJ min", "OBJ max")],
        Refused("as it is maximised, the coefficients of all variables must be -1"),
    ),
];

/// The section CON.
const CONSTRAINTS: &[Row] = &[
    (
        "scip-row-missing",
        "scip-maximum",
        &[("CON 30", "CON 29"), ("C11 L 1 2 3 1 7 1\n", "")],
        Refused("the constraint \"x_1_0 + x_2_1 <= 1\" of the program of 3^2 is missing"),
    ),
    (
        "scip-row-repeated",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 L 1 2 1 1 5 1")],
        Refused("the constraint \"x_1_0 + x_2_1 <= 1\" of the program of 3^2 is missing"),
    ),
    (
        "scip-row-added",
        "scip-maximum",
        &[("CON 30", "CON 31"), ("RTP", "C30 L 1 2 0 1 5 1\nRTP")],
        Refused("constraint 30, \"C30\", is not in the program of 3^2"),
    ),
    (
        "scip-clique-added",
        "scip-cliques",
        &[
            ("CON 35", "CON 36"),
            ("RTP", "C35 L 1 2 0 1 8 1\nRTP"),
            ("DualBound_35", "d"),
            ("{ rnd 1 35", "{ rnd 1 36"),
        ],
        Accepted,
    ),
    (
        "scip-clique-negated",
        "scip-cliques",
        &[
            ("C16 L 1 5 0 1 2 1 4 1 6 1 8 1", "C16 G -1 5 0 -1 2 -1 4 -1 6 -1 8 -1"),
            ("16 -1/2 }", "16 1/2 }"),
        ],
        Accepted,
    ),
    (
        "scip-no-clique",
        "scip-cliques",
        &[("C16 L 1 5 0 1 2 1 4 1 6 1 8 1", "C16 L 1 5 0 1 2 1 4 1 6 1 7 1")],
        Refused("constraint 16, \"C16\", is not in the program of 3^2"),
    ),
    (
        "scip-clique-of-none",
        "scip-cliques",
        &[("C16 L 1", "C16 L 0")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-of-two",
        "scip-cliques",
        &[("C16 L 1", "C16 L 2")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-from-below",
        "scip-cliques",
        &[("C16 L 1", "C16 G 1")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-equation",
        "scip-cliques",
        &[("C16 L 1", "C16 E 1")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-weights",
        "scip-cliques",
        &[("C16 L 1 5 0 1", "C16 L 1 5 0 2")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-without-line",
        "scip-cliques",
        &[("C11 L 1 2 3 1 7 1", "C11 L 1 2 0 1 8 1")],
        Refused("is missing"),
    ),
    (
        "scip-clique-empty",
        "scip-cliques",
        &[("C16 L 1 5 0 1 2 1 4 1 6 1 8 1", "C16 L 1 0")],
        Refused("constraint 16, \"C16\", is not"),
    ),
    (
        "scip-clique-of-bishops",
        "scip-bishops",
        &[("CON 24", "CON 25"), ("RTP", "c L 1 2 0 1 1 1\nRTP")],
        Refused("is not in the program of bishop:3^2"),
    ),
    (
        "scip-dominating-clique",
        "scip-dominating",
        &[("CON 48", "CON 49"), ("RTP", "c L 1 2 0 1 1 1\nRTP")],
        Refused("constraint 48, \"c\", is not in the program of 4^2"),
    ),
    (
        "scip-row-false",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 L 1 2 0 1 5 1")],
        Refused("constraint 11, \"C11\", is not in the program of 3^2"),
    ),
    (
        "scip-right-side",
        "scip-maximum",
        &[("C11 L 1 2", "C11 L 0 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    (
        "scip-right-fraction",
        "scip-maximum",
        &[("C11 L 1 2", "C11 L 1/2 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    (
        "scip-weaker-row",
        "scip-maximum",
        &[("C11 L 1 2", "C11 L 2 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    (
        "scip-sense",
        "scip-maximum",
        &[("C11 L 1 2", "C11 G 1 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    (
        "scip-equation",
        "scip-maximum",
        &[("C11 L 1 2", "C11 E 1 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    ("scip-no-sense", "scip-maximum", &[("C11 L 1 2", "C11 N 1 2")], Refused("expected E, L or G")),
    (
        "scip-scaled",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 L 2 2 3 2 7 2")],
        Refused("constraint 11, \"C11\", is not in"),
    ),
    ("scip-zero-coefficient", "scip-maximum", &[("C11 L 1 2 3 1 7 1", "C11 L 1 3 3 1 4 0 7 1")], Accepted),
    ("scip-terms-reversed", "scip-maximum", &[("C11 L 1 2 3 1 7 1", "C11 L 1 2 7 1 3 1")], Accepted),
    (
        "scip-negated",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 G -1 2 3 -1 7 -1"), ("11 -1/2", "11 1/2")],
        Accepted,
    ),
    (
        "scip-negated-as-before",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 G -1 2 3 -1 7 -1")],
        Refused("the multiplier of constraint 11 has the wrong sign"),
    ),
    (
        "scip-rows-exchanged",
        "scip-maximum",
        &[("C0 L 1 3 0 1 1 1 2 1\nC1 L 1 3 3 1 4 1 5 1", "C1 L 1 3 3 1 4 1 5 1\nC0 L 1 3 0 1 1 1 2 1")],
        Refused("another coefficient of variable 0"),
    ),
    (
        "scip-variable-twice",
        "scip-maximum",
        &[("C11 L 1 2 3 1 7 1", "C11 L 1 2 3 1 3 1")],
        Refused("variable 3 is listed twice"),
    ),
    (
        "scip-upper-bound",
        "scip-maximum",
        &[("B13 L 1 1 0 1", "B13 L 0 1 0 1")],
        Refused("constraint 13, \"B13\""),
    ),
    (
        "scip-lower-bound",
        "scip-maximum",
        &[("B12 G 0 1 0 1", "B12 G 1 1 0 1")],
        Refused("constraint 12, \"B12\""),
    ),
    (
        "scip-absurd-bound",
        "scip-maximum",
        &[("B12 G 0 1 0 1", "B12 G 1 0")],
        Refused("constraint 12, \"B12\""),
    ),
    (
        "scip-bound-missing",
        "scip-maximum",
        &[("B12 G 0 1 0 1", "B12 L 1 1 0 1")],
        Refused("the constraint \"x_0_0 >= 0\" of the program of 3^2 is missing"),
    ),
    (
        "scip-no-limit",
        "scip-maximum",
        &[("3^2", "3^2\n% at least 3")],
        Refused(">= 3\" of the program of 3^2 is missing"),
    ),
    ("scip-limit-not-named", "scip-at-least", &[("% at least 3\n", "")], Refused("the objective is not")),
    (
        "scip-other-limit",
        "scip-at-least",
        &[("% at least 3", "% at least 2")],
        Refused("constraint 12, \"C12\""),
    ),
    ("scip-limit-raised", "scip-at-least", &[("C12 G 3", "C12 G 4")], Refused("constraint 12, \"C12\"")),
    (
        "scip-limit-as-objective",
        "scip-at-least",
        &[("C12 G 3 9 0<rest>", "C12 G 3 OBJ\n")],
        Refused("constraint 12, \"C12\""),
    ),
    ("scip-not-included", "scip-included", &[("% include 0\n", "")], Refused("is not in the program of 4^2")),
    (
        "scip-other-included",
        "scip-included",
        &[("% include 0", "% include 3")],
        Refused("is not in the program of 4^2"),
    ),
    (
        "scip-number-of-constraints",
        "scip-maximum",
        &[("CON 30 18", "CON 29 18")],
        Refused("x_2_2 <= 1\" of the program"),
    ),
    ("scip-no-number", "scip-maximum", &[("CON 30 18", "CON 30")], Refused("expected the number of bounds")),
    (
        "scip-huge-number",
        "scip-maximum",
        &[("CON 30 18", "CON 30000000000000000 18")],
        Refused("expected E, L or G"),
    ),
    (
        "scip-long-number",
        "scip-maximum",
        &[("C11 L 1 2", "C11 L <10001 digits> 2")],
        NotChecked("more than 10000 digits"),
    ),
];

/// The sections RTP and SOL.
const STATEMENTS: &[Row] = &[
    (
        "scip-better-range",
        "scip-maximum",
        &[("range -2 -2", "range -1 -1")],
        Refused("is smaller than the lower bound"),
    ),
    (
        "scip-not-attained",
        "scip-maximum",
        &[("range -2 -2", "range -3 -3")],
        Refused("attains the upper bound of RTP"),
    ),
    ("scip-wider-range", "scip-maximum", &[("range -2 -2", "range -3 -2")], Accepted),
    ("scip-fractional-range", "scip-maximum", &[("range -2 -2", "range -5/2 -2")], Accepted),
    ("scip-open-range", "scip-maximum", &[("range -2 -2", "range -2 inf")], Accepted),
    (
        "scip-no-range",
        "scip-maximum",
        &[("range -2 -2", "range -inf -2")],
        Refused("the lower bound must be a number"),
    ),
    (
        "scip-positive-range",
        "scip-maximum",
        &[("range -2 -2", "range 2 2")],
        Refused("must be from -(2^64 - 1) to 0"),
    ),
    (
        "scip-range-reversed",
        "scip-maximum",
        &[("range -2 -2", "range -2 -3")],
        Refused("is larger than the upper bound"),
    ),
    ("scip-infeasible", "scip-maximum", &[("range -2 -2", "infeas")], Refused("the program has a solution")),
    ("scip-limit-range", "scip-at-least", &[("infeas", "range 0 0")], Refused("expected \"infeas\"")),
    (
        "scip-attacked",
        "scip-maximum",
        &[("best 2 2 1 3 1", "best 2 2 1 4 1")],
        Refused("the solution violates constraint 4"),
    ),
    (
        "scip-half-square",
        "scip-maximum",
        &[("best 2 2 1 3 1", "best 2 2 1/2 3 1")],
        Refused("variable 2 is neither 0 nor 1"),
    ),
    (
        "scip-no-solution",
        "scip-maximum",
        &[("SOL 1\nbest 2 2 1 3 1", "SOL 0")],
        Refused("attains the upper bound"),
    ),
    (
        "scip-larger-solution",
        "scip-maximum",
        &[("best 2 2 1 3 1", "best 3 2 1 3 1 7 1")],
        Refused("violates constraint"),
    ),
];

/// The section DER.
const PROOFS: &[Row] = &[
    ("scip-last-removed", "scip-maximum", &[("UnsplitNode1<rest>", "")], Refused("the file ends too early")),
    (
        "scip-tighter",
        "scip-maximum",
        &[("DualBound_30 G -3", "DualBound_30 G -2")],
        Refused("the sum is >= -3"),
    ),
    (
        "scip-assumption",
        "scip-maximum",
        &[("{ uns 47 32  65 31  }", "{ lin 1 65 1 }")],
        Refused("rests on the assumption of constraint 31"),
    ),
    ("scip-overlap", "scip-maximum", &[("A32 G 1 1", "A32 G 3/2 1")], Refused("must be <= b and >= b + 1")),
    (
        "scip-fractional-split",
        "scip-maximum",
        &[("A31 L 0 1", "A31 L -1/2 1"), ("A32 G 1 1", "A32 G 1/2 1")],
        Refused(""),
    ),
    ("scip-global", "scip-maximum", &[("2 -1 } -1\n", "2 -1 } -1 global\n")], Accepted),
    (
        "scip-global-twice",
        "scip-maximum",
        &[("2 -1 } -1\n", "2 -1 } -1 global global\n")],
        Refused("the line should end before"),
    ),
    ("scip-local", "scip-maximum", &[("2 -1 } -1\n", "2 -1 } -1 local\n")], Refused("expected \"global\"")),
    (
        "scip-returns",
        "scip-maximum",
        &[("2 -1 } -1\n", "2 -1 } -1\r\n"), ("DER 37\n", "DER 37\r\n")],
        Accepted,
    ),
    ("scip-two-lines", "scip-maximum", &[("{ lin 3", "{ lin\n3")], Refused("the line ends too early")),
    ("scip-joined-lines", "scip-maximum", &[("2 -1 } -1\n", "2 -1 } -1 ")], Refused("expected \"global\"")),
    ("scip-cut-off", "scip-maximum", &[("65 31  } -1\n", "65 31  } -1")], Refused("the line is cut off")),
    (
        "scip-more-lines",
        "scip-maximum",
        &[("65 31  } -1\n", "65 31  } -1\nx\n")],
        Refused("the file should end"),
    ),
    (
        "scip-shown-before",
        "scip-maximum",
        &[("DER 37", "DER 38"), ("65 31  } -1\n", "65 31  } -1\nlast G -9 OBJ { lin 1 66 1 } -1\n")],
        Accepted,
    ),
    (
        "scip-cutoff",
        "scip-maximum",
        &[("{ lin 3 0 -1 1 -1 2 -1 }", "{ sol }")],
        Refused("sol shows only OBJ <= -3 here"),
    ),
    (
        "scip-cutoff-used",
        "scip-maximum",
        &[("DualBound_30 G -3 OBJ { lin 3 0 -1 1 -1 2 -1 }", "O30 L -3 OBJ { sol }")],
        Accepted,
    ),
    (
        "scip-cutoff-too-low",
        "scip-maximum",
        &[("DualBound_30 G -3 OBJ { lin 3 0 -1 1 -1 2 -1 }", "O30 L -4 OBJ { sol }")],
        Refused("sol shows only OBJ <= -3 here"),
    ),
    (
        "scip-weak",
        "scip-maximum",
        &[("{ lin 3 0 -1 1 -1 2 -1 }", "{ lin weak { 0 } 3 0 -1 1 -1 2 -1 }")],
        NotChecked("the extension \"weak\" is not supported"),
    ),
    (
        "scip-incomplete",
        "scip-maximum",
        &[("{ lin 3 0 -1 1 -1 2 -1 }", "{ lin incomplete 0 1 2 }")],
        NotChecked("the extension \"incomplete\" is not supported"),
    ),
];
