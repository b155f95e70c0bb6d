//! Forgeries of branch-and-bound proof trees with the rows of format 3: boxes with a stride, class counts,
//! odd cycles.

use crate::{Genuine, all_refused};

macro_rules! genuine {
    ($vector:literal) => {
        Genuine {
            file: "a.proof",
            text: include_str!(concat!("../../../crosscheck/tests/vectors/accepted/", $vector, ".proof")),
        }
    };
}

/// Tree of 5x5x3 by the formulation `strong-faces`.
const BOXES: Genuine = genuine!("row-boxes");

/// Tree of 3x3x3x4 by the formulation `class`.
const FACETS: Genuine = genuine!("row-facets");

/// Tree of 3^3 by the formulation `odd-cycle`.
const CYCLE: Genuine = genuine!("row-cycle");

/// Leaf of 3^3 with a volume and a class row.
const CLASS: Genuine = genuine!("row-class");

/// Tree with the corners of 3^2 as a box of stride 2.
const CORNERS: Genuine = genuine!("row-box");

const NOT_LESS: &str = "which is not less than";
const NOT_COVERED: &str = "is free, not covered, and not that of a child";
const NEEDS_FORMAT: &str = "a row with a colon needs format 3";
const NO_BOX: &str = "the box does not lie on the board";
const NO_FACET: &str = "no inequality of the table";

#[test]
fn statements_of_trees() {
    let mut forgeries = BOXES.edited(&[
        ("at most 9", "at most 8", "shows at most 9, not 8"),
        ("box 3x5x5 9", "box 3x5x5 8", NOT_LESS),
        ("box 3x4x5 7", "box 3x4x5 6", NOT_LESS),
        ("box 3x3x5 6", "box 3x3x5 5", NOT_LESS),
        ("box 3x3x3 4", "box 3x3x3 3", NOT_LESS),
        ("box 2x3x3 3", "box 2x3x3 2", NOT_LESS),
        ("proof 3", "proof 2", NEEDS_FORMAT),
        ("proof 3", "proof 4", "must begin with"),
        ("board 5x5x3", "board 5x5x4", "without a bound of 5x5x4"),
        ("board 5x5x3", "board rook:5x5x3", "do not attack each other"),
        ("board 5x5x3", "board torus:5x5x3", "the modular attack is defined for n^d"),
    ]);
    forgeries.extend(FACETS.edited(&[
        ("at most 8", "at most 7", "shows at most 8, not 7"),
        ("box 3x3x3x4 8", "box 3x3x3x4 7", NOT_LESS),
        ("proof 3", "proof 2", NEEDS_FORMAT),
    ]));
    forgeries.extend(CYCLE.edited(&[
        ("at most 4", "at most 3", "shows at most 4, not 3"),
        ("box 3x3x3 4", "box 3x3x3 3", NOT_LESS),
        ("proof 3", "proof 2", NEEDS_FORMAT),
    ]));
    all_refused("statements of trees", 17, &forgeries);
}

#[test]
fn boxes_with_a_stride() {
    let mut forgeries = BOXES.edited(&[
        ("4*box:0,0,0:2x3x3:2", "5*box:0,0,0:2x3x3:2", NOT_LESS),
        ("4*box:0,0,0:2x3x3:2", "4*box:0,0,0:2x3x3:1", NOT_COVERED),
        ("4*box:0,0,0:2x3x3:2", "4*box:0,0,0:2x3x3:3", NO_BOX),
        ("4*box:0,0,0:2x3x3:2", "4*box:1,0,0:2x3x3:2", NO_BOX),
        ("4*box:0,0,0:2x3x3:2", "4*box:0,0,0:2x3x5:2", NO_BOX),
        ("4*box:0,0,0:2x3x3:2", "4*box:0,0,0:2x3x2:2", "no bound of 2x2x3 has been proved"),
        ("4*box:0,0,0:2x3x3:2", "4*box:0,0,0:1x3x3:2", NOT_COVERED),
        (
            "box 2x3x3 3 search\norder lexicographic\nsum 2 1*0,12 1*0,8 1*1,14 1*3,16,15 1*4,17 1*9,17 /\n",
            "",
            "no bound of 2x3x3",
        ),
    ]);
    forgeries.extend(CORNERS.edited(&[
        ("1*box:0,0:2x2:2", "2*box:0,0:2x2:2", NOT_LESS),
        ("1*box:0,0:2x2:2", "0*box:0,0:2x2:2", NOT_COVERED),
        ("1*box:0,0:2x2:2", "box:0,0:2x2:2", "with its multiplier"),
        ("1*box:0,0:2x2:2", "-1*box:0,0:2x2:2", "not a number"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:1", NOT_COVERED),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:0", "stride of a box must be positive"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:", "not a number"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2", "expected"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:2:1", "expected"),
        ("1*box:0,0:2x2:2", "1*box:1:0,0:2x2:2", "expected"),
        ("1*box:0,0:2x2:2", "1*Box:0,0:2x2:2", "expected"),
        ("1*box:0,0:2x2:2", "1*:0,0:2x2:2", "expected"),
        ("1*box:0,0:2x2:2", "1*box:0:2x2:2", "has 2 axes"),
        ("1*box:0,0:2x2:2", "1*box:0,0,0:2x2x1:2", "has 2 axes"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2x1:2", "has 2 axes"),
        ("1*box:0,0:2x2:2", "1*box:0,1:2x2:2", NO_BOX),
        ("1*box:0,0:2x2:2", "1*box:0,-1:2x2:2", "not a number"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x0:2", "sides of a box must be positive"),
        ("1*box:0,0:2x2:2", "1*box:0,0:3x3:1", "no bound of 3^2 has been proved"),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:18446744073709551615", NO_BOX),
        ("1*box:0,0:2x2:2", "1*box:0,0:2x2:18446744073709551616", "numbers are below 2^64"),
        ("1*box:0,0:2x2:2", "1*box:4294967296,0:2x2:2", "too large"),
        ("box 2x2 1 search", "box 2x2 0 search", "line"),
    ]));
    all_refused("boxes with a stride", 31, &forgeries);
}

#[test]
fn inequalities_of_class_counts() {
    let mut forgeries = FACETS.edited(&[
        ("1*class:5:0,1,1,2,5:0,0,0,1", "2*class:5:0,1,1,2,5:0,0,0,1", NOT_LESS),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:4:0,1,1,2,5:0,0,0,1", NO_FACET),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:1,1,1,2,5:0,0,0,1", NO_FACET),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,2,2,5:0,0,0,1", NO_FACET),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,1,3,5:0,0,0,1", NO_FACET),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,1,2,6:0,0,0,1", NO_FACET),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,0,1,2,5:0,0,0,1", NOT_COVERED),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,1,2,5:0,0,0,2", NO_BOX),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,1,2:0,0,0,1", "has 5 weights"),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:5:0,1,1,2,5,5:0,0,0,1", "has 5 weights"),
        ("1*class:5:0,1,1,2,5:0,0,0,1", "1*class:0,1,1,2,5:0,0,0,1", "expected"),
        ("1*volume:1:2,0,0,1:1x3x3x3:1", "1*volume:2:2,0,0,1:1x3x3x3:1", NOT_COVERED),
        ("1*volume:1:2,0,0,1:1x3x3x3:1", "1*volume:1:2,0,0,1:3x3x3x1:1", NO_BOX),
        ("1*volume:1:2,0,0,1:1x3x3x3:1", "1*volume:1:2,0,0,1:1x3x3x3:2", NO_BOX),
        ("1*volume:1:2,0,0,1:1x3x3x3:1", "3*volume:1:2,0,0,1:1x3x3x3:1", NOT_LESS),
    ]);
    forgeries.extend(CLASS.edited(&[
        ("1*volume:1:", "2*volume:1:", NOT_LESS),
        ("1*volume:1:", "1*volume:2:", NOT_COVERED),
        ("1*volume:1:", "1*volume:0:", "the dimension of a volume inequality is from 1 to 2, not 0"),
        ("1*volume:1:", "1*volume:3:", "the dimension of a volume inequality is from 1 to 2, not 3"),
        ("1*volume:1:", "1*volume:01:", "not a number"),
        ("1*volume:1:", "1*volume:18446744073709551616:", "numbers are below 2^64"),
        ("1*volume:1:", "1*volume:", "expected"),
        ("volume:1:0,0,0:3x3x3", "volume:1:0,0,0:3x3x2", "each side of this box must be 1 or 3, not 2"),
        ("volume:1:0,0,0:3x3x3", "volume:1:0,0,0:1x1x3", "needs at least 2"),
        ("volume:1:0,0,0:3x3x3", "volume:1:0,0,0:1x3x3", NOT_COVERED),
        ("volume:1:0,0,0:3x3x3", "volume:1:0,0,1:3x3x3", NO_BOX),
        ("1*class:1:1,0,0,1", "2*class:1:1,0,0,1", NOT_LESS),
        ("1*class:1:1,0,0,1", "1*class:2:1,0,0,1", NOT_LESS),
        ("1*class:1:1,0,0,1", "1*class:0:1,0,0,1", NO_FACET),
        ("1*class:1:1,0,0,1", "1*class:1:1,1,0,1", NO_FACET),
        ("1*class:1:1,0,0,1", "1*class:1:1,0,0,2", NO_FACET),
        ("1*class:1:1,0,0,1", "1*class:1:0,0,1,1", NOT_COVERED),
        ("1*class:1:1,0,0,1", "1*class:1:1,0,0,-1", "not a number"),
        ("1*class:1:1,0,0,1:0,0,0:3x3x3", "1*class:1:1,1:0,0,0:1x1x3", "a class inequality needs 2 to 5"),
        ("board 3^3", "board rook:3^3", "hold for queens only"),
        ("board 3^3", "board bishop:3^3", "hold for queens only"),
        ("sum 1 1*volume", "sum 2 1*volume", NOT_COVERED),
        ("sum 1 1*volume", "sum 0 1*volume", "denominator of a sum must be positive"),
        ("sum 1 1*volume", "cover 0 1*volume", "not a number"),
    ]));
    all_refused("inequalities of class counts", 39, &forgeries);
}

#[test]
fn odd_cycles() {
    all_refused(
        "odd cycles",
        20,
        &CYCLE.edited(&[
            ("1*cycle:4,6,20,23,17", "2*cycle:4,6,20,23,17", NOT_LESS),
            ("1*cycle:4,6,20,23,17", "0*cycle:4,6,20,23,17", NOT_COVERED),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23", "an odd number of squares, 3 or more, not 4"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6", "an odd number of squares, 3 or more, not 2"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4", "an odd number of squares, 3 or more, not 1"),
            ("1*cycle:4,6,20,23,17", "1*cycle:", "not a number"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,17,", "not a number"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,17:1", "expected"),
            ("1*cycle:4,6,20,23,17", "1*cycle:2:4,6,20,23,17", "expected"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,27", "there is no square 27"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,4,6,4", "is listed twice in a cycle"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,4,20,23,17", "is listed twice in a cycle"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,20,6,23,17", "do not attack each other"),
            ("1*cycle:4,6,20,23,17", "1*cycle:6,4,20,23,17", "do not attack each other"),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,26", "do not attack each other"),
            ("1*cycle:4,6,20,23,17", "1*cycle:6,20,23", "do not attack each other"),
            ("1*cycle:4,6,20,23,17", "1*cycle:18,21,24", NOT_COVERED),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,18446744073709551616", "numbers are below 2^64"),
            ("1*cycle:4,6,20,23,17", "1*4,6,20,23,17", "do not attack each other"),
            ("1*cycle:4,6,20,23,17", "1*circle:4,6,20,23,17", "expected"),
            ("1*cycle:4,6,20,23,17 1*18,21,24", "1*cycle:4,6,20,23,17", NOT_COVERED),
            ("1*cycle:4,6,20,23,17", "1*cycle:4,6,20,23,17 1*cycle:4,6,20,23,17", NOT_LESS),
        ]),
    );
}
