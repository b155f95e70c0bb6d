//! Forgeries of proof trees: targets, branches, cliques, symmetries, slabs, boxes, and integers that
//! overflow.

use crate::{Genuine, all_refused};

pub(crate) const CUBE: Genuine = Genuine {
    file: "a.proof",
    text: include_str!("../../../crosscheck/tests/vectors/accepted/named-covers.proof"),
};

pub(crate) const BRANCHES: Genuine =
    Genuine { file: "a.proof", text: include_str!("../../../crosscheck/tests/vectors/accepted/sums.proof") };

const TORUS: Genuine = Genuine {
    file: "a.proof",
    text: "ndqueens proof 2
board torus:3^2
search 1
order lexicographic
orbit 0 =1,2,0,4,5,3,7,8,6
cover 0 /
cover 0 2,3,4,5,6,7,8 /
at most 1
end
",
};

#[test]
fn targets() {
    all_refused(
        "targets",
        14,
        &CUBE.edited(&[
            ("at most 4", "at most 3", "shows at most 4, not 3"),
            ("at most 4", "at most 0", "shows at most 4, not 0"),
            ("at most 4\n", "", "expected"),
            ("at most 4", "at most", "expected"),
            ("at most 4", "at most 4 queens", "expected"),
            ("at most 4", "at least 4", "expected"),
            ("at most 4\nend\n", "", "ends too early"),
            ("at most 4\nend\n", "end\n", "expected"),
            ("box 3x3x3 4 search", "box 3x3x3 3 search", "line"),
            ("box 3x3x3 4 search", "box 3x3x3 2 search", "line"),
            ("box 3x3x3 4 search", "search 4", "is a plain box"),
            ("board 3^3", "board 4^3", "without a bound of 4^3"),
            ("board 3^3", "board 3^2", "a box in 3^2 has 2 sides"),
            ("board 3^3", "board 3x3x4", "without a bound of 3x3x4"),
            ("board 3^3", "board torus:3^3", "is not a plain box"),
            ("board 3^3", "board rook:3^3", "do not attack each other"),
            ("board 3^3", "board bishop:3^3", "bishops do not attack along an axis"),
        ]),
    );
}

#[test]
fn branches() {
    all_refused(
        "branches",
        20,
        &BRANCHES.edited(&[
            ("/ 0 1 2", "/ 0 1", "not covered, and not that of a child"),
            ("/ 0 1 2", "/ 1 2", "not covered, and not that of a child"),
            ("/ 0 1 2", "/", "not covered, and not that of a child"),
            ("/ 0 1 2", "/0 1 2", "squares of the children after the cover"),
            (" / 0 1 2", "", "squares of the children after the cover"),
            (" / 0 1 2", " / 0 1 2 /", "not a number"),
            ("/ 0 1 2", "/ 0 0 1 2", "is not free"),
            ("/ 0 1 2", "/ 0 1 9", "there is no square 9"),
            ("/ 0 1 2", "/ 0 2 1", "line"),
            ("cover 0 3,7 /\n", "", "the tree ends here, and is not finished"),
            ("cover 0 3,7 /\n", "cover 0 3,7 /\ncover 0 3,7 /\n", "expected"),
            ("cover 0 3,7", "cover 0", "is free, not covered"),
            ("cover 0 3,7", "cover 0 3", "is free, not covered"),
            ("cover 0 3,7", "cover 0 3,7 3,7", "may be covered by at most"),
            ("cover 0 3,7", "cover 1 3,7", "there is no region 1"),
            ("cover 0 3,7", "y 0 3,7", "a node is a line of"),
            ("cover 0 3,7", "x", "a node is a line of"),
            ("cover 0 3,7", "part 0", "a node is a line of"),
            ("cover 0 3,4,5 6,7,8", "cover 0 3,4,5 6,7,8 0,1,2", "may be covered by at most"),
            ("cover 0 3,4,5 6,7,8", "cover 0 3,4,5", "not covered, and not that of a child"),
            ("sum 1 1*1-2x1-2", "sum 1 2*1-2x1-2", "which is not less than"),
            ("sum 1 1*1-2x1-2", "sum 0 1*1-2x1-2", "denominator of a sum must be positive"),
            ("sum 1 1*1-2x1-2", "sum 2 1*1-2x1-2", "not covered, and not that of a child"),
            ("sum 1 1*1-2x1-2", "sum 1 1*0-2x0-2", "no bound of 3^2"),
            ("sum 1 1*1-2x1-2", "sum 1 1*1-3x1-2", "not a box inside the board"),
            ("sum 1 1*1-2x1-2", "sum 1 1*2-1x1-2", "not a box inside the board"),
            ("sum 1 1*1-2x1-2", "sum 1 1*1-2", "not a box inside the board"),
            ("sum 1 1*1-2x1-2", "sum 1 1*1-2x1", "not a box inside the board"),
            ("sum 1 1*1-2x1-2", "sum 1 1-2x1-2", "with its multiplier"),
            ("sum 2 1*6,8", "sum 2 1*3,8", "do not attack each other"),
            ("sum 2 1*6,8", "sum 2 -1*6,8", "not a number"),
        ]),
    );
}

#[test]
fn cliques_and_symmetries() {
    let mut forgeries = CUBE.edited(&[
        ("cover 0 1,3,4,5,7", "cover 0 1,3,4,5,8", "do not attack each other"),
        ("cover 0 1,3,4,5,7", "cover 0 1,1,3,4,5,7", "is listed twice"),
        ("cover 0 1,3,4,5,7", "cover 0 1,3,4,5,7,", "not a number"),
        ("cover 0 1,3,4,5,7", "cover 0", "is free, not covered"),
        ("cover 0 0,1,2,3,4,5,6,7", "cover 0", "is free, not covered"),
        ("cover 0 0,1,2,3,4,5,6,7", "cover 0 0,1,2,3,4,5,6,8", "there is no square 8"),
        ("cover 0 0,1,2,3,4,5,6,7", "cover 0 0,1,2,3 4,5,6,7", "may be covered by at most"),
        ("orbit 6 1,-2,3", "orbit 6 1,-2,2", "is not a signed permutation"),
        ("orbit 6 1,-2,3", "orbit 6 1,-2", "not a signed permutation"),
        ("orbit 6 1,-2,3", "orbit 6 1,-2,4", "not a signed permutation"),
        ("orbit 6 1,-2,3", "orbit 6 1,-2,0", "not a signed permutation"),
        ("orbit 6 1,-2,3", "orbit 6 1,-2,-0", "not a number"),
        ("orbit 6 1,-2,3", "orbit 6 2,1,3", "off the board"),
        ("orbit 6 1,-2,3", "orbit 9 1,-2,3", "there is no square 9"),
        ("orbit 6 1,-2,3", "orbit 4 1,-2,3", "line"),
        ("orbit 2 1,-2,3", "orbit 2 2,1,3", "moves the free squares"),
    ]);
    forgeries.extend(TORUS.edited(&[
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8", "is not a permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8,8", "is not a permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8,9", "there is no square 9"),
        ("=1,2,0,4,5,3,7,8,6", "1,2,3", "not a signed permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=", "not a number"),
        ("cover 0 2,3,4,5,6,7,8", "cover 0", "is free, not covered"),
        ("board torus:3^2", "board torus:4^2", "is not a permutation"),
        ("search 1", "search 0", "line"),
        ("search 1", "box 3x3 1 search", "is not a plain box"),
    ]));
    all_refused("cliques and symmetries", 25, &forgeries);
}

#[test]
fn slabs_and_boxes() {
    all_refused(
        "slabs and boxes",
        24,
        &CUBE.edited(&[
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 1 cut 3 1", "shows at most 2"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 cut 4 1", "there is no axis 4"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 cut 3 0", "no cut of width 0"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 cut 3 3", "no cut of width 3"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 cut 3 4", "no cut of width 4"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 cut 3", "a bound is shown by"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 2 because", "a bound is shown by"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x3 3 lines", "shows at most 4"),
            ("box 2x2x3 2 cut 3 1", "box 3x2x2 2 cut 1 1", "in increasing order"),
            ("box 2x2x3 2 cut 3 1", "box 0x2x3 2 cut 3 1", "must be positive"),
            ("box 2x2x3 2 cut 3 1", "box 2x3 2 cut 2 1", "has 3 sides"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x2x3 2 cut 3 1", "has 3 sides"),
            ("box 2x2x3 2 cut 3 1", "box 2x2x9 2 cut 3 1", "no bound of 2x2x8 has been proved"),
            ("box 1x2x3 2 lines", "box 1x2x3 1 lines", "shows at most 2"),
            ("box 1x1x1 1 lines", "box 1x1x1 0 lines", "shows at most 1"),
            (
                "box 1x1x3 1 lines",
                "box 4294967295x4294967295x4294967295 1 lines",
                "shows at most 18446744065119617025",
            ),
            (
                "box 1x2x2 1 search\norder lexicographic\nslab 2 0-0 1\n",
                "box 1x2x2 0 search\norder lexicographic\n",
                "line",
            ),
            ("slab 2 0-0", "slab 4 0-0", "there is no axis 4"),
            ("slab 2 0-0", "slab 2 0--1", "not a number"),
            ("slab 2 0-0", "slab 2 0-2", "the layers of a slab are from 0 to"),
            ("slab 2 0-0", "slab 2 2-2", "the layers of a slab are from 0 to"),
            ("slab 2 0-0", "slab 2 0", "expected"),
            ("slab 2 0-0 1", "slab 2 0-0 2", "leaves 1 queen for the slab, not 2"),
            ("slab 2 0-0 1", "slab 2 0-0", "expected"),
            ("slab 2 0-0 1", "slab 2 0-0 1 1", "expected"),
            ("slab 2 0-0", "slab 2 4294967295-4294967295", "the layers of a slab are from 0 to"),
            ("slab 2 2-2", "slab 2 1-1", "must lie at a face"),
            ("box 2x3x3 3 search", "box 2x3x3 2 search", "line"),
            ("box 1x3x3 2 search", "box 1x3x3 1 search", "line"),
            ("box 1x3x3 2 search", "box 1x3x3 18446744073709551615 search", "less than 2^64 - 1"),
        ]),
    );
}
