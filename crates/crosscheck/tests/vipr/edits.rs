//! Edits of accepted files, each with its verdict.

/// Verdict on an edited file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expected {
    Accepted,
    /// Refused, by this rule.
    Refused(&'static str),
    /// Beyond a limit, by this rule.
    NotChecked(&'static str),
}

use Expected::{Accepted, NotChecked, Refused};

/// Replacements in an accepted file, each of the first occurrence of a text.
pub(crate) struct Edit {
    pub(crate) name: &'static str,
    pub(crate) base: &'static str,
    pub(crate) replacements: &'static [(&'static str, &'static str)],
    pub(crate) expected: Expected,
}

/// Placeholder for the rest of the file.
pub(crate) const REST: &str = "<rest>";
/// Placeholder for a number with the maximum number of digits.
pub(crate) const MOST: &str = "<10000 digits>";
/// Placeholder for a number with one digit more.
pub(crate) const MORE: &str = "<10001 digits>";

type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], Expected);

/// Returns all edits.
pub(crate) fn edits() -> impl Iterator<Item = Edit> {
    let all = [HEADS, STATEMENTS, DERIVATIONS, REFERENCES, SUMS, SPLITS, FORMS, COVERS].concat();
    all.into_iter().map(|(name, base, replacements, expected)| Edit { name, base, replacements, expected })
}

/// Comments and the program.
const HEADS: &[Row] = &[
    ("version-11", "clique", &[("VER 1.0", "VER 1.1")], Accepted),
    ("version-2", "clique", &[("VER 1.0", "VER 2.0")], Refused("expected \"VER 1.0\" or \"VER 1.1\"")),
    ("no-version", "clique", &[("VER 1.0\n", "")], Refused("expected")),
    ("header", "clique", &[("vipr 1", "vipr 3")], Refused("the first line must be")),
    ("no-header", "clique", &[("% ndqueens vipr 1\n", "")], Refused("the first line must be")),
    ("no-board", "clique", &[("% board 2^2\n", "")], Refused("expected \"% board ...\"")),
    ("zeros", "clique", &[("2^2", "02^2")], Refused("is not a board as files name it")),
    ("unknown-board", "clique", &[("2^2", "hyper:2")], Refused("hyper")),
    ("larger-board", "clique", &[("2^2", "3^2")], Refused("expected \"VAR 9\"")),
    ("rooks", "clique", &[("2^2", "rook:2^2")], Refused("expected \"CON 12 8\"")),
    ("wrapped", "infeasible", &[("3^2", "torus:3^2")], Refused("expected")),
    ("digest", "clique", &[("2^2\n", "2^2\n% digest sha256 00\n")], Refused("expected")),
    ("remark", "clique", &[("VER 1.0", "% remark\nVER 1.0")], Refused("expected")),
    ("at-least-two", "infeasible", &[("at least 3", "at least 2")], Refused("expected \"k G 2 OBJ\"")),
    ("at-least-zero", "infeasible", &[("at least 3", "at least 0")], Refused("takes a number from 1")),
    ("at-least-zeros", "infeasible", &[("at least 3", "at least 03")], Refused("takes a number from 1")),
    ("no-at-least", "infeasible", &[("% at least 3\n", "")], Refused("expected \"CON 30 18\"")),
    ("more-required", "infeasible", &[("k G 3", "k G 4")], Refused("expected \"k G 3 OBJ\"")),
    ("constraint-added", "infeasible", &[("RTP", "z L 0 1 0 1\nRTP")], Refused("expected \"RTP\"")),
    (
        "constraint-removed",
        "infeasible",
        &[("r11 L 1 2 3 1 7 1\n", "")],
        Refused("expected \"r11 L 1 2 3 1 7 1\""),
    ),
    ("row-of-zero", "infeasible", &[("r0 L 1", "r0 L 0")], Refused("expected \"r0 L 1 3 0 1 1 1 2 1\"")),
    (
        "row-other-squares",
        "infeasible",
        &[("r0 L 1 3 0 1 1 1 2 1", "r0 L 1 3 0 1 1 1 5 1")],
        Refused("expected"),
    ),
    ("upper-bound", "infeasible", &[("u8 L 1 1", "u8 L 0 1")], Refused("expected \"u8 L 1 1 8 1\"")),
    ("lower-bound", "infeasible", &[("l0 G 0", "l0 G 1")], Refused("expected \"l0 G 0 1 0 1\"")),
    ("minimise", "infeasible", &[("OBJ max", "OBJ min")], Refused("expected \"OBJ max\"")),
    ("weights", "infeasible", &[("9 0 1 1 1", "9 0 2 1 1")], Refused("\"9 0 1 1 1 2 1")),
    ("fractional-variable", "infeasible", &[("INT 9\n0 1", "INT 8\n1")], Refused("expected \"INT 9\"")),
    ("other-name", "infeasible", &[("r0 L", "R0 L")], Refused("expected \"r0 L 1 3 0 1 1 1 2 1\"")),
    ("head-blanks", "infeasible", &[("VAR 9", "VAR  9")], Refused("expected \"VAR 9\"")),
    ("head-crlf", "infeasible", &[("VAR 9\n", "VAR 9\r\n")], Refused("expected \"VAR 9\"")),
    ("comment-crlf", "infeasible", &[("3^2\n", "3^2\r\n")], Refused("the line contains a control character")),
    ("head-ends", "infeasible", &[("r5 L 1<rest>", "r5 L 1")], Refused("the file ends too early")),
    ("comments-end", "infeasible", &[("% at<rest>", "")], Refused("the file ends too early")),
    (
        "symmetry-one-orbit",
        "symmetry",
        &[("symmetry 5 0 1", "symmetry 5 6 1")],
        Refused("squares 5 and 6 are in the same orbit"),
    ),
    (
        "symmetry-no-square",
        "symmetry",
        &[("symmetry 5 0 1", "symmetry 5 0 16")],
        Refused("there is no square 16"),
    ),
    (
        "symmetry-order",
        "symmetry",
        &[("symmetry 5 0 1", "symmetry 0 5 1")],
        Refused("expected \"s3 L 0 2 3 1 0 -1\""),
    ),
    (
        "symmetry-empty",
        "symmetry",
        &[("symmetry 5 0 1", "symmetry ")],
        Refused("takes squares with one blank"),
    ),
    (
        "symmetry-blanks",
        "symmetry",
        &[("symmetry 5 0 1", "symmetry 5  0 1")],
        Refused("takes squares with one blank"),
    ),
    ("symmetry-removed", "symmetry", &[("% symmetry 5 0 1\n", "")], Refused("expected")),
    (
        "symmetry-row",
        "symmetry",
        &[("s6 L 0 2 6 1 5 -1", "s6 L 0 2 6 1 0 -1")],
        Refused("expected \"s6 L 0 2 6 1 5 -1\""),
    ),
    (
        "symmetry-torus",
        "torus",
        &[("% at", "% symmetry 0\n% at")],
        Refused("symmetry rows are for plain boxes"),
    ),
    (
        "symmetry-after",
        "infeasible",
        &[("at least 3\n", "at least 3\n% symmetry 0\n")],
        Refused("in this order"),
    ),
    ("too-large", "clique", &[("2^2", "65^2")], NotChecked("more than 4096 squares")),
];

/// The sections RTP and SOL.
const STATEMENTS: &[Row] = &[
    ("fractional-range", "clique", &[("range 1 1", "range 1/2 1.5")], Accepted),
    ("no-lower-bound", "range", &[("range 2 2", "range -inf 2")], Accepted),
    ("empty-solution", "range", &[("range 2 2\nSOL 1\n", "range 2 2\nSOL 2\nnothing 0\n")], Accepted),
    ("zero-in-solution", "range", &[("best 2 0 1", "best 3 4 0 0 1")], Accepted),
    ("other-statement", "infeasible", &[("RTP infeas", "RTP range -inf 2")], Refused("expected \"infeas\"")),
    (
        "infeasible-without-row",
        "range",
        &[("RTP range 2 2", "RTP infeas")],
        Refused("the program has a solution"),
    ),
    ("no-statement", "range", &[("RTP range 2 2\n", "")], Refused("expected \"RTP\"")),
    ("unknown-statement", "range", &[("RTP range 2 2", "RTP optimal 2")], Refused("instead of \"optimal\"")),
    ("empty-range", "range", &[("range 2 2", "range 3 2")], Refused("the lower bound is larger")),
    ("smaller-range", "range", &[("range 2 2", "range -inf 1")], Refused("is larger than the upper bound")),
    (
        "not-attained",
        "range",
        &[("range 2 2", "range 5/2 3")],
        Refused("no solution of the section SOL attains"),
    ),
    (
        "no-solution",
        "above",
        &[("range -inf 3", "range 2 3")],
        Refused("no solution of the section SOL attains"),
    ),
    ("no-upper-bound", "range", &[("range 2 2", "range 2 inf")], Refused("the upper bound must be a number")),
    ("half-range", "range", &[("range 2 2", "range 2")], Refused("the line ends too early")),
    ("tighter-range", "above", &[("range -inf 3", "range -inf 5/2")], Refused("does not imply OBJ <= 5/2")),
    ("negative-range", "above", &[("range -inf 3", "range -inf -1")], Refused("must be from 0 to 2^64 - 1")),
    (
        "attacked",
        "range",
        &[("best 2 0 1 5 1", "best 2 0 1 4 1")],
        Refused("the solution violates constraint 27"),
    ),
    ("square-twice", "range", &[("best 2 0 1 5 1", "best 2 0 1 0 1")], Refused("variable 0 is listed twice")),
    ("off-board", "range", &[("best 2 0 1 5 1", "best 2 0 1 9 1")], Refused("there is no variable 9")),
    (
        "half-square",
        "range",
        &[("best 2 0 1 5 1", "best 2 0 1 5 1/2")],
        Refused("variable 5 is neither 0 nor 1"),
    ),
    (
        "negative-square",
        "range",
        &[("best 2 0 1 5 1", "best 2 0 1 5 -1")],
        Refused("variable 5 is neither 0 nor 1"),
    ),
    ("short-solution", "range", &[("best 2 0 1 5 1", "best 2 0 1 5")], Refused("the line ends too early")),
    (
        "long-solution",
        "range",
        &[("best 2 0 1 5 1", "best 1 0 1 5 1")],
        Refused("the line should end before \"5\""),
    ),
    ("objective-as-solution", "range", &[("best 2 0 1 5 1", "best OBJ")], Refused("instead of \"OBJ\"")),
    ("solutions-missing", "range", &[("SOL 1", "SOL 2")], Refused("13 variables are listed")),
    ("solutions-left", "range", &[("SOL 1", "SOL 0")], Refused("")),
    ("feasible-after-all", "infeasible", &[("SOL 0", "SOL 1\nbest 0")], Refused("there is a solution")),
    (
        "mirrored-solution",
        "symmetry",
        &[("best 4 1 1 7 1 8 1 14 1", "best 4 2 1 4 1 11 1 13 1")],
        Refused("the solution violates constraint 56"),
    ),
];

/// Conclusions, and constraints that are derived.
const DERIVATIONS: &[Row] = &[
    ("derivation-missing", "infeasible", &[("DER 13", "DER 14")], Refused("the file ends too early")),
    (
        "derivation-left",
        "infeasible",
        &[("DER 13", "DER 12"), ("} 43", "} -1"), ("} 43", "} -1"), ("} 43", "} -1"), ("} 43", "} -1")],
        Refused("rests on the assumption of constraint 33"),
    ),
    ("nothing-derived", "infeasible", &[("DER 13", "DER 0")], Refused("nothing is derived")),
    ("negative-number", "infeasible", &[("DER 13", "DER -13")], Refused("instead of \"-13\"")),
    (
        "trailing-line",
        "infeasible",
        &[("} -1\n", "} -1\nd13\n")],
        Refused("the file should end before this line"),
    ),
    (
        "trailing-blank-line",
        "infeasible",
        &[("} -1\n", "} -1\n\n")],
        Refused("the file should end before this line"),
    ),
    ("trailing-word", "infeasible", &[("} -1\n", "} -1 x\n")], Refused("the line should end before \"x\"")),
    ("cut-line", "infeasible", &[("} -1\n", "} -1")], Refused("the line is cut off")),
    (
        "cut-reason",
        "infeasible",
        &[("d10 G 1 0 { uns 38<rest>", "d10 G 1 0 { uns 38")],
        Refused("the line is cut off"),
    ),
    (
        "assumed-conclusion",
        "clique",
        &[("{ lin 1 18 1 }", "{ asm }")],
        Refused("rests on the assumption of constraint 19"),
    ),
    (
        "assumed-contradiction",
        "infeasible",
        &[("{ uns 32 31 42 33 }", "{ asm }")],
        Refused("rests on the assumption of constraint 43"),
    ),
    ("no-contradiction", "infeasible", &[("d12 G 1 0", "d12 G 0 0")], Refused("is not a contradiction")),
    (
        "not-the-objective",
        "clique",
        &[("d5 L 1 OBJ { lin 1 18 1 }", "d5 L 1 1 0 1 { lin 1 4 1 }")],
        Refused("does not imply OBJ <= 1"),
    ),
    ("equation", "clique", &[("d5 L", "d5 E")], Refused("which does not imply the constraint")),
    ("opposite", "clique", &[("d5 L", "d5 G")], Refused("which does not imply the constraint")),
    ("tighter", "clique", &[("d0 L 1", "d0 L 0")], Refused("the sum is <= 1")),
    (
        "coefficient",
        "clique",
        &[("L 1 4 0 1 1 1 2 1 3 1", "L 1 4 0 1 1 1 2 1 3 2")],
        Refused("another coefficient of variable 3"),
    ),
    (
        "variable-twice",
        "clique",
        &[("L 1 4 0 1 1 1 2 1 3 1", "L 1 4 0 1 1 1 2 1 2 1")],
        Refused("variable 2 is listed twice"),
    ),
    ("too-many-variables", "clique", &[("L 1 4 0 1", "L 1 5 0 1")], Refused("5 variables are listed")),
    (
        "no-variable",
        "clique",
        &[("L 1 4 0 1 1 1 2 1 3 1", "L 1 4 0 1 1 1 2 1 4 1")],
        Refused("there is no variable 4"),
    ),
    ("fewer-variables", "clique", &[("L 1 4 0 1", "L 1 3 0 1")], Refused("expected \"{\" instead of \"3\"")),
    (
        "more-variables",
        "infeasible",
        &[("d1 G 1 0 {", "d1 G 1 1 {")],
        Refused("expected a variable instead of \"{\""),
    ),
    ("unknown-sense", "clique", &[("d5 L", "d5 <=")], Refused("expected E, L or G")),
    ("zero-coefficient", "clique", &[("d0 L 1 3 1 1", "d0 L 1 4 0 0 1 1")], Accepted),
    ("other-order", "clique", &[("d0 L 1 3 1 1 2 1 3 1", "d0 L 1 3 3 1 1 1 2 1")], Accepted),
    (
        "weaker",
        "range",
        &[("d1 L 2 OBJ", "d1 L 5/2 OBJ"), ("range 2 2", "range 2 5/2"), ("d12 L 2", "d12 L 5/2")],
        Accepted,
    ),
    (
        "long-number",
        "clique",
        &[("DER 6", "DER 7"), ("} 19", "} 20"), ("d5 L", "d5 L <10000 digits> OBJ { lin 1 18 1 } -1\nd6 L")],
        Accepted,
    ),
    ("too-long-number", "clique", &[("d0 L 1", "d0 L <10001 digits>")], NotChecked("more than 10000 digits")),
    ("too-long-fraction", "clique", &[("9 1/2", "9 1/<10001 digits>")], NotChecked("more than 10000 digits")),
    (
        "cutoff-too-high",
        "cutoff",
        &[("G 3 OBJ { sol }", "G 4 OBJ { sol }")],
        Refused("the reason sol shows only OBJ >= 3"),
    ),
    (
        "cutoff-below",
        "cutoff",
        &[("G 3 OBJ { sol }", "L 1 OBJ { sol }")],
        Refused("the reason sol shows only OBJ >= 3"),
    ),
    (
        "cutoff-other",
        "cutoff",
        &[("G 3 OBJ { sol }", "G 3 1 0 1 { sol }")],
        Refused("the reason sol shows only OBJ >= 3"),
    ),
    (
        "cutoff-without-solution",
        "infeasible",
        &[("d0 G 1 1 0 1 { asm }", "d0 G 3 OBJ { sol }")],
        Refused("needs a solution"),
    ),
    (
        "weaker-cutoff",
        "cutoff",
        &[("G 3 OBJ { sol }", "G 2 OBJ { sol }")],
        Refused("which does not imply the constraint"),
    ),
];

/// References to other constraints.
const REFERENCES: &[Row] = &[
    (
        "forward",
        "infeasible",
        &[("30 -1 31 -2 }", "30 -1 33 -2 }")],
        Refused("constraint 33 does not precede this one"),
    ),
    (
        "itself",
        "infeasible",
        &[("30 -1 31 -2 }", "30 -1 32 -2 }")],
        Refused("constraint 32 does not precede this one"),
    ),
    (
        "itself-in-split",
        "infeasible",
        &[("uns 32 31 42 33", "uns 32 31 43 33")],
        Refused("constraint 43 does not precede this one"),
    ),
    (
        "reference-twice",
        "infeasible",
        &[("lin 6 18 1 23 1", "lin 6 18 1 18 1")],
        Refused("constraint 18 is listed twice"),
    ),
    ("negative-reference", "infeasible", &[("lin 6 18 1", "lin 6 -18 1")], Refused("instead of \"-18\"")),
    ("reference-zeros", "infeasible", &[("lin 6 18 1", "lin 6 018 1")], Refused("instead of \"018\"")),
    (
        "huge-reference",
        "infeasible",
        &[("lin 6 18 1", "lin 6 18446744073709551616 1")],
        NotChecked("instead of"),
    ),
    (
        "too-many-references",
        "infeasible",
        &[("lin 6 18 1", "lin 33 18 1")],
        Refused("only 32 precede this one"),
    ),
    (
        "fewer-references",
        "infeasible",
        &[("lin 6 18 1", "lin 5 18 1")],
        Refused("another coefficient of variable 0"),
    ),
    ("more-references", "infeasible", &[("lin 6 18 1", "lin 7 18 1")], Refused("instead of \"}\"")),
    (
        "used-too-late",
        "infeasible",
        &[("d0 G 1 1 0 1 { asm } 43", "d0 G 1 1 0 1 { asm } 42")],
        Refused("constraint 31 is used after the last use"),
    ),
    (
        "never-used",
        "infeasible",
        &[("d0 G 1 1 0 1 { asm } 43", "d0 G 1 1 0 1 { asm } 0")],
        Refused("constraint 31 is used after the last use"),
    ),
    (
        "used-later",
        "infeasible",
        &[(
            "d1 G 1 0 { lin 6 18 1 23 1 24 1 27 1 30 -1 31 -2 } 43",
            "d1 G 1 0 { lin 6 18 1 23 1 24 1 27 1 30 -1 31 -2 } 33",
        )],
        Refused("constraint 32 is used after the last use"),
    ),
    ("no-such-last-use", "infeasible", &[("} -1", "} 44")], Refused("there is no constraint 44")),
    ("wrong-last-use", "infeasible", &[("} -1", "} -2")], Refused("or -1")),
    ("no-last-use", "infeasible", &[("} -1", "}")], Refused("the line ends too early")),
    ("last-use-zero", "infeasible", &[("} -1", "} 0")], Accepted),
    ("all-kept", "infeasible", &[("} 43", "} -1"), ("} 43", "} -1"), ("} 42", "} -1")], Accepted),
];

/// Sums and rounding.
const SUMS: &[Row] = &[
    ("decimals", "clique", &[("9 1/2 10 1/2", "9 0.5 10 2/4")], Accepted),
    ("zero-multiplier", "clique", &[("lin 1 18 1", "lin 2 18 1 0 0")], Accepted),
    (
        "multiplier",
        "infeasible",
        &[("30 -1 31 -2 }", "30 -1 31 -1 }")],
        Refused("another coefficient of variable 0"),
    ),
    ("multiplier-sign", "infeasible", &[("30 -1 31 -2 }", "30 -1 31 2 }")], Refused("has the wrong sign")),
    (
        "zero-times-assumption",
        "infeasible",
        &[("{ uns 32 31 42 33 }", "{ lin 2 42 1 31 0 }")],
        Refused("rests on the assumption of constraint 31"),
    ),
    ("double", "clique", &[("lin 1 18 1", "lin 1 18 2")], Refused("another coefficient of variable 0")),
    ("empty-sum", "clique", &[("lin 1 18 1", "lin 0")], Refused("another coefficient of variable 0")),
    ("not-rounded", "clique", &[("rnd 3 9", "lin 3 9")], Refused("the sum is <= 3/2")),
    ("not-rounded-cube", "clique", &[("rnd 4 14", "lin 4 14")], Refused("the sum is <= 4/3")),
    (
        "fraction-rounded",
        "clique",
        &[("9 1/2 10 1/2 12 1/2", "9 1/3 10 1/3 12 1/3")],
        Refused("the coefficient of variable 1 is 2/3"),
    ),
    ("equation-rounded", "clique", &[("lin 1 18 1", "rnd 0")], Refused("is an equation")),
    ("zero-denominator", "clique", &[("9 1/2", "9 1/0")], Refused("the denominator of \"1/0\" is 0")),
    ("negative-denominator", "clique", &[("9 1/2", "9 1/-2")], Refused("is not a number such as")),
    ("exponent", "clique", &[("9 1/2", "9 5e-1")], Refused("is not a number such as")),
    ("leading-zero", "clique", &[("9 1/2", "9 01/2")], Refused("is not a number such as")),
    ("plus", "clique", &[("9 1/2", "9 +1/2")], Refused("is not a number such as")),
    ("infinity", "clique", &[("9 1/2", "9 inf")], Refused("is not a number such as")),
    ("right-side", "clique", &[("d4 L 1", "d4 L x")], Refused("is not a number such as")),
    (
        "weak",
        "infeasible",
        &[("{ lin 6", "{ lin weak { 0 } 6")],
        NotChecked("the extension \"weak\" is not supported"),
    ),
    (
        "incomplete",
        "infeasible",
        &[("{ lin 6", "{ lin incomplete 6")],
        NotChecked("the extension \"incomplete\" is not supported"),
    ),
    ("unknown-reason", "infeasible", &[("{ lin 6", "{ rup 6")], Refused("\"rup\" is no reason")),
];

/// Branches.
const SPLITS: &[Row] = &[
    (
        "swapped",
        "infeasible",
        &[("uns 32 31 42 33", "uns 32 33 42 31")],
        Refused("rests on the assumption of constraint 31"),
    ),
    ("sides-exchanged", "infeasible", &[("uns 32 31 42 33", "uns 42 33 32 31")], Accepted),
    (
        "one-branch",
        "infeasible",
        &[("uns 32 31 42 33", "uns 32 31 32 31")],
        Refused("one constraint L and one constraint G"),
    ),
    (
        "branch-open",
        "infeasible",
        &[("uns 32 31 42 33", "uns 42 31 42 33")],
        Refused("rests on the assumption of constraint 33"),
    ),
    (
        "other-variables",
        "infeasible",
        &[("uns 32 31 42 33", "uns 32 34 42 33"), ("d3 G 1 1 1 1 { asm } 42", "d3 G 1 1 1 1 { asm } -1")],
        Refused("must have the same coefficients"),
    ),
    (
        "no-cover",
        "infeasible",
        &[("d0 G 1 1 0 1 { asm }", "d0 G 2 1 0 1 { asm }")],
        Refused("must be <= b and >= b + 1"),
    ),
    (
        "overlap",
        "infeasible",
        &[("d2 L 0 1 0 1 { asm }", "d2 L 1/2 1 0 1 { asm }")],
        Refused("must be an integer"),
    ),
    (
        "half-coefficients",
        "infeasible",
        &[
            ("d0 G 1 1 0 1 { asm }", "d0 G 1 1 0 1/2 { asm }"),
            ("31 -2 }", "31 -4 }"),
            ("d2 L 0 1 0 1 { asm }", "d2 L 0 1 0 1/2 { asm }"),
            ("33 1 36 1", "33 2 36 1"),
        ],
        Refused("the coefficients of a split must be integers"),
    ),
    (
        "equation-side",
        "infeasible",
        &[("d2 L 0", "d2 E 0")],
        Refused("one constraint L and one constraint G"),
    ),
    (
        "branch-too-weak",
        "infeasible",
        &[("d1 G 1 0", "d1 G 0 0")],
        Refused("constraint 32 does not imply the constraint"),
    ),
    ("three-references", "infeasible", &[("uns 32 31 42 33", "uns 32 31 42")], Refused("instead of \"}\"")),
    (
        "five-references",
        "infeasible",
        &[("uns 32 31 42 33", "uns 32 31 42 33 33")],
        Refused("expected \"}\" instead of \"33\""),
    ),
    // A split is exhaustive only for an integer b: x <= 1/4 or x >= 5/4 excludes 1.
    ("fractional-split", "one", &[], Refused("the right side of a split must be an integer")),
    ("row-as-side", "rows", &[], Accepted),
];

/// Words and lines.
const FORMS: &[Row] = &[
    (
        "blanks",
        "clique",
        &[("d0 L 1 3", " d0   L 1  3"), ("RTP range", "RTP  range"), ("} 18\n", "}  18 \n")],
        Accepted,
    ),
    ("no-brace", "infeasible", &[("{ asm }", "asm }")], Refused("expected \"{\"")),
    ("open-brace", "infeasible", &[("{ asm }", "{ asm")], Refused("expected \"}\"")),
    ("joined-brace", "infeasible", &[("{ asm }", "{asm}")], Refused("expected \"{\"")),
    ("assumption-number", "infeasible", &[("{ asm }", "{ asm 1 }")], Refused("expected \"}\"")),
    ("two-on-a-line", "infeasible", &[("43\nd1", "43 d1")], Refused("the line should end before \"d1\"")),
    ("over-two-lines", "infeasible", &[("d1 G 1 0", "d1 G 1\n0")], Refused("the line ends too early")),
    ("empty-line", "infeasible", &[("\nd1", "\n\nd1")], Refused("the line ends too early")),
    (
        "late-comment",
        "infeasible",
        &[("\nd1", "\n% remark\nd1")],
        Refused("comments are allowed only at the beginning"),
    ),
    ("null", "infeasible", &[("d1 G", "d\0 G")], Refused("byte 0x00 is not allowed")),
    ("tab", "infeasible", &[("d1 G", "d1\tG")], Refused("byte 0x09 is not allowed")),
    ("crlf", "infeasible", &[("43\nd1", "43\r\nd1")], Refused("byte 0x0d is not allowed")),
    ("accent", "infeasible", &[("d1 G", "é G")], Refused("byte 0xc3 is not allowed")),
    ("small-letters", "infeasible", &[("DER", "der")], Refused("expected \"DER\" instead of \"der\"")),
];

/// Dominating sets and included squares.
const COVERS: &[Row] = &[
    (
        "cover-other-problem",
        "dominating",
        &[("problem dominating set", "problem clique")],
        Refused("takes \"dominating set\""),
    ),
    (
        "cover-named-independent",
        "clique",
        &[("2^2\n", "2^2\n% problem independent set\n")],
        Refused("takes \"dominating set\" or"),
    ),
    (
        "cover-without-problem",
        "dominating",
        &[("% problem dominating set\n", "")],
        Refused("expected \"OBJ max\""),
    ),
    (
        "cover-independent",
        "dominating",
        &[("dominating set", "independent dominating set")],
        Refused("expected"),
    ),
    (
        "cover-dependent",
        "independent-dominating",
        &[("independent dominating set", "dominating set")],
        Refused("expected"),
    ),
    (
        "cover-at-least",
        "dominating-infeasible",
        &[("at most 1", "at least 1")],
        Refused("\"% at most ...\" in this order"),
    ),
    (
        "cover-at-most-of-independent",
        "infeasible",
        &[("at least 3", "at most 3")],
        Refused("\"% at least ...\" in this order"),
    ),
    (
        "cover-more-allowed",
        "dominating-infeasible",
        &[("at most 1", "at most 2")],
        Refused("expected \"k L 2 OBJ\""),
    ),
    (
        "cover-none-allowed",
        "dominating-infeasible",
        &[("at most 1", "at most 0")],
        Refused("expected \"k L 0 OBJ\""),
    ),
    (
        "cover-too-many-allowed",
        "dominating-infeasible",
        &[("at most 1", "at most 18446744073709551615")],
        Refused("takes a number from 0 to 2^64 - 2"),
    ),
    ("cover-maximise", "dominating", &[("OBJ min", "OBJ max")], Refused("expected \"OBJ min\"")),
    (
        "cover-twice",
        "dominating",
        &[("c0 G 1", "c0 G 2")],
        Refused("expected \"c0 G 1 10 0 1 1 1 2 1 3 1 4 1 5 1 8 1"),
    ),
    ("cover-not-more", "dominating", &[("c0 G 1", "c0 L 1")], Refused("expected \"c0 G 1 10 0 1")),
    (
        "cover-more-squares",
        "dominating",
        &[(
            "c0 G 1 10 0 1 1 1 2 1 3 1 4 1 5 1 8 1 10 1 12 1 15 1",
            "c0 G 1 10 0 1 1 1 2 1 3 1 4 1 5 1 8 1 10 1 12 1 14 1",
        )],
        Refused("expected"),
    ),
    ("cover-statement", "dominating-infeasible", &[("RTP infeas", "RTP range 2 inf")], Refused("expected")),
    (
        "cover-infeasible-without-limit",
        "dominating",
        &[("RTP range 2 2", "RTP infeas")],
        Refused("without the comment \"% at most K\""),
    ),
    (
        "cover-no-lower-bound",
        "dominating",
        &[("range 2 2", "range -inf 2")],
        Refused("the lower bound must be a number"),
    ),
    ("cover-open-above", "dominating", &[("range 2 2", "range 2 inf")], Accepted),
    ("cover-fractional-range", "dominating", &[("range 2 2", "range 3/2 2.5")], Accepted),
    (
        "cover-larger-range",
        "dominating",
        &[("range 2 2", "range 3 3")],
        Refused("is smaller than the lower bound"),
    ),
    (
        "cover-not-attained",
        "dominating",
        &[("range 2 2", "range 1 1")],
        Refused("no solution of the section SOL attains the upper bound"),
    ),
    (
        "cover-negative-range",
        "dominating",
        &[("range 2 2", "range -1 2")],
        Refused("the lower bound must be from 0 to 2^64 - 1"),
    ),
    (
        "cover-tighter-range",
        "dominating-open",
        &[("range 1 inf", "range 2 inf")],
        Refused("does not imply OBJ >= 2"),
    ),
    (
        "cover-not-dominating",
        "dominating",
        &[("best 2 0 1 10 1", "best 2 0 1 1 1")],
        Refused("the solution violates constraint"),
    ),
    (
        "cover-attacked-solution",
        "independent-included",
        &[("best 3 0 1 6 1 13 1", "best 3 0 1 5 1 13 1")],
        Refused("the solution violates constraint"),
    ),
    (
        "cover-larger-solution",
        "dominating-cutoff",
        &[("range 2 2\nSOL 1\nbest 2 0 1 10 1", "range 2 3\nSOL 1\nbest 3 0 1 1 1 10 1")],
        Refused("the reason sol shows only OBJ <= 2"),
    ),
    (
        "cover-cutoff-too-low",
        "dominating-cutoff",
        &[("L 1 OBJ { sol }", "L 0 OBJ { sol }")],
        Refused("the reason sol shows only OBJ <= 1"),
    ),
    (
        "cover-cutoff-above",
        "dominating-cutoff",
        &[("L 1 OBJ { sol }", "G 3 OBJ { sol }")],
        Refused("the reason sol shows only OBJ <= 1"),
    ),
    (
        "cover-symmetry-row",
        "dominating-symmetry",
        &[("s3 L 0 2 3 1 0 -1", "s3 L 0 2 3 1 5 -1")],
        Refused("expected \"s3 L 0 2 3 1 0 -1\""),
    ),
    (
        "cover-symmetry-included",
        "dominating-included",
        &[("% include 0 3\n", "% include 0 3\n% symmetry 1\n")],
        Refused("a program with included squares has no symmetry rows"),
    ),
    (
        "cover-included-twice",
        "dominating-included",
        &[("% include 0 3", "% include 3 3")],
        Refused("included squares must increase, but 3 follows 3"),
    ),
    (
        "cover-included-order",
        "dominating-included",
        &[("% include 0 3", "% include 3 0")],
        Refused("included squares must increase, but 0 follows 3"),
    ),
    (
        "cover-included-off",
        "dominating-included",
        &[("% include 0 3", "% include 0 16")],
        Refused("there is no square 16"),
    ),
    (
        "cover-included-blank",
        "dominating-included",
        &[("% include 0 3", "% include 0  3")],
        Refused("takes squares with one blank"),
    ),
    (
        "cover-included-attacked",
        "independent-included",
        &[("% include 0\n", "% include 0 5\n")],
        Refused("squares 0 and 5 attack each other"),
    ),
    ("cover-included-removed", "dominating-included", &[("% include 0 3\n", "")], Refused("expected")),
    (
        "cover-included-other",
        "dominating-included",
        &[("i3 G 1 1 3 1", "i3 G 1 1 9 1")],
        Refused("\"i3 G 1 1 3 1\""),
    ),
    (
        "cover-included-left",
        "dominating-included",
        &[("best 3 0 1 3 1 9 1", "best 3 0 1 2 1 9 1")],
        Refused("the solution violates constraint"),
    ),
    (
        "cover-included-after-limit",
        "included",
        &[("% include 1\n% at least 2\n", "% at least 2\n% include 1\n")],
        Refused("in this order"),
    ),
    (
        "cover-problem-after-included",
        "dominating-included",
        &[("% problem dominating set\n% include 0 3\n", "% include 0 3\n% problem dominating set\n")],
        Refused("in this order"),
    ),
    (
        "included-not-needed",
        "included",
        &[("lin 2 6 -1 8 1", "lin 2 6 -1 7 1")],
        Refused("the sum has another coefficient"),
    ),
];
