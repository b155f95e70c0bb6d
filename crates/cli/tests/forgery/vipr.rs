//! Forgeries of VIPR files: programs, references, sums, splits and numbers. More edits are in
//! `crates/crosscheck/tests/vipr/edits.rs`.

use crate::{Genuine, all_refused};

const INFEASIBLE: Genuine = Genuine {
    file: "a.vipr",
    text: include_str!("../../../crosscheck/tests/vectors/vipr/accepted/infeasible.vipr"),
};

const SYMMETRIC: Genuine = Genuine {
    file: "a.vipr",
    text: include_str!("../../../crosscheck/tests/vectors/vipr/accepted/symmetry.vipr"),
};

const RANGE: Genuine =
    Genuine { file: "a", text: include_str!("../../../crosscheck/tests/vectors/vipr/accepted/range.vipr") };

const DOMINATING: Genuine = Genuine {
    file: "a.vipr",
    text: include_str!("../../../crosscheck/tests/vectors/vipr/accepted/dominating-infeasible.vipr"),
};

const INCLUDED: Genuine = Genuine {
    file: "a.vipr",
    text: include_str!("../../../crosscheck/tests/vectors/vipr/accepted/dominating-included.vipr"),
};

const CLIQUES: Genuine = Genuine {
    file: "a.vipr",
    text: include_str!("../../../crosscheck/tests/vectors/vipr/scip/cliques.vipr"),
};

#[test]
fn rejects_other_programs_of_solvers() {
    let forgeries = CLIQUES.edited(&[
        ("% board 3^2", "% board rook:3^2", "is not in the program of rook:3^2"),
        ("% board 3^2", "% board torus:3^2", "of the program of torus:3^2 is missing"),
        ("% board 3^2", "% board 3^2\n% at least 3", "of the program of 3^2 is missing"),
        ("t_x_0_0\nt_x_0_1", "t_x_0_1\nt_x_0_0", "is not in the program of 3^2"),
        ("t_x_2_2", "t_x_2_3", "is not the name of a square"),
        ("t_x_2_2", "t_x_2_1", "is listed twice"),
        ("INT 9\n0 \n", "INT 8\n", "must be integer variables"),
        ("OBJ min", "OBJ max", "the objective is not that of the program"),
        ("C11 L 1 2 3 1 7 1", "C11 L 1 2 1 1 5 1", "of the program of 3^2 is missing"),
        ("C11 L 1 2", "C11 L 0 2", "is not in the program of 3^2"),
        ("C11 L 1 2", "C11 G 1 2", "is not in the program of 3^2"),
        ("C16 L 1 5 0 1 2 1", "C16 L 1 5 0 1 1 1", "is not in the program of 3^2"),
        ("B18 L 1 1", "B18 L 0 1", "is not in the program of 3^2"),
        ("RTP range -2 -2", "RTP range -1 -1", "is smaller than the lower bound"),
        ("{ rnd 1 35 1 }", "{ lin 1 35 1 }", "which does not imply"),
    ]);
    all_refused("programs of solvers", 15, &forgeries);
}

#[test]
fn rejects_other_programs_of_dominating_sets() {
    let mut forgeries = DOMINATING.edited(&[
        ("% problem dominating set", "% problem independent dominating set", "expected"),
        ("% problem dominating set", "% problem clique", "takes \"dominating set\""),
        ("% problem dominating set\n", "", "in this order"),
        ("% at most 1", "% at most 0", "expected \"k L 0 OBJ\""),
        ("% at most 1", "% at most 2", "expected \"k L 2 OBJ\""),
        ("% at most 1", "% at least 1", "in this order"),
        ("k L 1 OBJ", "k L 0 OBJ", "expected \"k L 1 OBJ\""),
        ("OBJ min", "OBJ max", "expected \"OBJ min\""),
        ("c0 G 1", "c0 G 2", "expected"),
        ("c5 G 1", "c5 L 1", "expected"),
        ("% board 4^2", "% board 5^2", "differs from the program of 5^2"),
        ("% board 4^2", "% board bishop:4^2", "differs from the program of bishop:4^2"),
        ("RTP infeas", "RTP range 2 inf", "expected"),
        ("SOL 0", "SOL 1\nbest 2 0 1 10 1", "there is a solution"),
    ]);
    forgeries.extend(INCLUDED.edited(&[
        ("% include 0 3", "% include 0 9", "expected \"i9 G 1 1 9 1\""),
        ("% include 0 3", "% include 0", "expected"),
        ("% include 0 3", "% include 3 0", "included squares must increase"),
        ("% include 0 3", "% include 0 16", "there is no square 16"),
        ("% include 0 3\n", "", "expected"),
        ("% include 0 3\n", "% include 0 3\n% symmetry 1\n", "has no symmetry rows"),
        ("i3 G 1 1 3 1", "i3 G 0 1 3 1", "expected"),
        ("RTP range 3 3", "RTP range 4 4", "is smaller than the lower bound"),
        ("RTP range 3 3", "RTP range -inf 3", "the lower bound must be a number"),
        ("best 3 0 1 3 1 9 1", "best 3 0 1 3 1 5 1", "violates constraint"),
        ("best 3 0 1 3 1 9 1", "best 3 0 1 9 1 10 1", "violates constraint"),
    ]));
    all_refused("programs of dominating sets", 25, &forgeries);
}

#[test]
fn rejects_other_programs() {
    let mut forgeries = INFEASIBLE.edited(&[
        ("% ndqueens vipr 1", "% ndqueens vipr 3", "the first line must be"),
        ("% ndqueens vipr 1", "% ndqueens vipr 2", "\"x0\" is not the name of a square of 3^2"),
        ("% board 3^2", "% board 4^2", "differs from the program of 4^2"),
        ("% board 3^2", "% board rook:3^2", "differs from the program of rook:3^2"),
        ("% board 3^2", "% board torus:3^2", "differs from the program of torus:3^2"),
        ("% at least 3", "% at least 2", "expected \"k G 2 OBJ\""),
        ("k G 3 OBJ", "k G 4 OBJ", "expected \"k G 3 OBJ\""),
        ("r0 L 1", "r0 L 0", "expected"),
        ("u0 L 1", "u0 L 0", "expected"),
        ("r11 L 1 2 3 1 7 1\n", "", "expected"),
        ("OBJ max", "OBJ min", "expected"),
        ("VER 1.0", "VER 3.0", "expected"),
        ("VAR 9\n", "VAR 9\r\n", "expected"),
    ]);
    forgeries.extend(SYMMETRIC.edited(&[
        ("% symmetry 5 0 1", "% symmetry 5 6 1", "squares 5 and 6 are in the same orbit"),
        ("% symmetry 5 0 1", "% symmetry 5 1 0", "expected"),
        ("s6 L 0 2 6 1 5 -1", "s6 L 0 1 6 1", "expected"),
    ]));
    all_refused("programs of VIPR files", 16, &forgeries);
}

#[test]
fn rejects_other_derivations() {
    let mut forgeries = INFEASIBLE.edited(&[
        ("30 -1 31 -2 }", "30 -1 31 -1 }", "another coefficient of variable 0"),
        ("30 -1 31 -2 }", "30 -1 31 2 }", "has the wrong sign"),
        ("30 -1 31 -2 }", "30 -1 33 -2 }", "does not precede this one"),
        ("30 -1 31 -2 }", "30 -1 31 -2/0 }", "the denominator"),
        ("uns 32 31 42 33", "uns 32 33 42 31", "rests on the assumption"),
        ("d0 G 1 1", "d0 G 2 1", "must be <= b and >= b + 1"),
        ("d2 L 0 1", "d2 L 1/2 1", "must be an integer"),
        ("{ asm } 43", "{ asm } 42", "after the last use"),
        ("{ lin 6", "{ lin weak { 0 } 6", "is not supported"),
        ("{ lin 6", "{ rup 6", "is no reason"),
        ("d12 G 1 0", "d12 G 0 0", "is not a contradiction"),
        ("DER 13", "DER 14", "ends too early"),
        ("DER 13", "DER 12", "line 4"),
        ("d1 G", "d\x001 G", "byte 0x00 is not allowed"),
        ("RTP infeas", "RTP range -inf 2", "expected"),
        ("} -1\n", "} -1", "is cut off"),
        ("} -1\n", "} -1\nmore\n", "should end before this line"),
    ]);
    forgeries.extend(RANGE.edited(&[
        ("best 2 0 1 5 1", "best 2 0 1 4 1", "violates constraint"),
        ("range 2 2", "range -inf 1", "is larger than the upper bound"),
        ("range 2 2", "range 3 3", "attains the lower bound"),
        ("range 2 2", "range 2 inf", "must be a number"),
    ]));
    all_refused("derivations of VIPR files", 21, &forgeries);
}
