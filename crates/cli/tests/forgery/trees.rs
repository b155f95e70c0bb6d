//! Proof trees: targets, branches, cliques, symmetries, slabs, boxes, integers that would wrap.

use crate::{Genuine, all_refused};

pub(crate) const CUBE: Genuine =
    Genuine { file: "a.proof", text: include_str!("../../../crosscheck/tests/data/cube.proof") };

pub(crate) const BRANCHES: Genuine =
    Genuine { file: "a.proof", text: include_str!("../../../crosscheck/tests/data/branches.proof") };

const TORUS: Genuine = Genuine {
    file: "a.proof",
    text: "ndqueens proof 1
board torus:3^2
search 1
o 0 =1,2,0,4,5,3,7,8,6
x 0
x 0 2,3,4,5,6,7,8
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
            ("at most 4\n", "", "should stand here"),
            ("at most 4", "at most", "should stand here"),
            ("at most 4", "at most 4 queens", "should stand here"),
            ("at most 4", "at least 4", "should stand here"),
            ("at most 4\nend\n", "", "ends too early"),
            ("at most 4\nend\n", "end\n", "should stand here"),
            ("box 3x3x3 4 search", "box 3x3x3 3 search", "line"),
            ("box 3x3x3 4 search", "box 3x3x3 2 search", "line"),
            ("box 3x3x3 4 search", "search 4", "there is no axis 0"),
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
            ("/ 0 1 2", "/ 0 1", "neither covered nor branched on"),
            ("/ 0 1 2", "/ 1 2", "neither covered nor branched on"),
            ("/ 0 1 2", "/", "neither covered nor branched on"),
            ("/ 0 1 2", "/0 1 2", "after a slash"),
            (" / 0 1 2", "", "after a slash"),
            (" / 0 1 2", " / 0 1 2 /", "not a number"),
            ("/ 0 1 2", "/ 0 0 1 2", "is not free"),
            ("/ 0 1 2", "/ 0 1 9", "there is no square 9"),
            ("/ 0 1 2", "/ 0 2 1", "line"),
            ("x 0 3,7\n", "", "begins with x, b, f or o"),
            ("x 0 3,7\n", "x 0 3,7\nx 0 3,7\n", "should stand here"),
            ("x 0 3,7", "x 0", "is free and not covered"),
            ("x 0 3,7", "x 0 3", "is free and not covered"),
            ("x 0 3,7", "x 0 3,7 3,7", "are too many"),
            ("x 0 3,7", "x 1 3,7", "there is no region 1"),
            ("x 0 3,7", "y 0 3,7", "begins with x, b, f or o"),
            ("x 0 3,7", "x", "not a number"),
            ("x 0 3,7", "part 0", "begins with x, b, f or o"),
            ("b 0 3,4,5 6,7,8", "b 0 3,4,5 6,7,8 0,1,2", "are too many"),
            ("b 0 3,4,5 6,7,8", "b 0 3,4,5", "neither covered nor branched on"),
            ("f 1 1*1-2x1-2", "f 1 2*1-2x1-2", "which is not less than"),
            ("f 1 1*1-2x1-2", "f 0 1*1-2x1-2", "which is not less than"),
            ("f 1 1*1-2x1-2", "f 2 1*1-2x1-2", "neither covered nor branched on"),
            ("f 1 1*1-2x1-2", "f 1 1*0-2x0-2", "no bound of 3^2"),
            ("f 1 1*1-2x1-2", "f 1 1*1-3x1-2", "not a box inside the board"),
            ("f 1 1*1-2x1-2", "f 1 1*2-1x1-2", "not a box inside the board"),
            ("f 1 1*1-2x1-2", "f 1 1*1-2", "not a box inside the board"),
            ("f 1 1*1-2x1-2", "f 1 1*1-2x1", "not a box inside the board"),
            ("f 1 1*1-2x1-2", "f 1 1-2x1-2", "with its multiplier"),
            ("f 2 1*6,8", "f 2 1*3,8", "do not attack each other"),
            ("f 2 1*6,8", "f 2 -1*6,8", "not a number"),
        ]),
    );
}

#[test]
fn cliques_and_symmetries() {
    let mut forgeries = CUBE.edited(&[
        ("x 0 1,3,4,5,7", "x 0 1,3,4,5,8", "do not attack each other"),
        ("x 0 1,3,4,5,7", "x 0 1,1,3,4,5,7", "do not attack each other"),
        ("x 0 1,3,4,5,7", "x 0 1,3,4,5,7,", "not a number"),
        ("x 0 1,3,4,5,7", "x 0 1,3,4,5", "is free and not covered"),
        ("x 0 0,1,2,3,4,5,6,7", "x 0 0,1,2,3,4,5,6", "is free and not covered"),
        ("x 0 0,1,2,3,4,5,6,7", "x 0 0,1,2,3,4,5,6,8", "there is no square 8"),
        ("x 0 0,1,2,3,4,5,6,7", "x 0 0,1,2,3 4,5,6,7", "are too many"),
        ("o 6 1,-2,3", "o 6 1,-2,2", "is not a permutation"),
        ("o 6 1,-2,3", "o 6 1,-2", "not a signed permutation"),
        ("o 6 1,-2,3", "o 6 1,-2,4", "not a signed permutation"),
        ("o 6 1,-2,3", "o 6 1,-2,0", "not a signed permutation"),
        ("o 6 1,-2,3", "o 6 1,-2,-0", "not a number"),
        ("o 6 1,-2,3", "o 6 2,1,3", "off the board"),
        ("o 6 1,-2,3", "o 9 1,-2,3", "there is no square 9"),
        ("o 6 1,-2,3", "o 4 1,-2,3", "line"),
        ("o 2 1,-2,3", "o 2 2,1,3", "moves the free squares"),
    ]);
    forgeries.extend(TORUS.edited(&[
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8", "is not a permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8,8", "is not a permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=1,2,0,4,5,3,7,8,9", "there is no square 9"),
        ("=1,2,0,4,5,3,7,8,6", "1,2,3", "not a signed permutation"),
        ("=1,2,0,4,5,3,7,8,6", "=", "not a number"),
        ("x 0 2,3,4,5,6,7,8", "x 0 3,4,5,6,7,8", "is free and not covered"),
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
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 1 cut 2 1", "shows at most 2"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 cut 3 1", "no cut of width 1 across axis 3"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 cut 2 0", "no cut of width 0"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 cut 2 3", "no cut of width 3"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 cut 2 4", "no cut of width 4"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 cut 2", "a bound is shown by"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 2 because", "a bound is shown by"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x3 3 lines", "shows at most 4"),
            ("box 2x2x3 2 cut 2 1", "box 3x2x2 2 cut 0 1", "in increasing order"),
            ("box 2x2x3 2 cut 2 1", "box 0x2x3 2 cut 2 1", "must be positive"),
            ("box 2x2x3 2 cut 2 1", "box 2x3 2 cut 1 1", "has 3 sides"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x2x3 2 cut 2 1", "has 3 sides"),
            ("box 2x2x3 2 cut 2 1", "box 2x2x9 2 cut 2 1", "no bound of 2x2x8 has been proved"),
            ("box 1x2x3 2 lines", "box 1x2x3 1 lines", "shows at most 2"),
            ("box 1x1x1 1 lines", "box 1x1x1 0 lines", "shows at most 1"),
            (
                "box 1x1x3 1 lines",
                "box 4294967295x4294967295x4294967295 1 lines",
                "shows at most 18446744065119617025",
            ),
            ("box 1x2x2 1 search\nslab 1 0 1\n", "box 1x2x2 0 search\n", "line"),
            ("slab 1 0 1", "slab 3 0 1", "there is no axis 3"),
            ("slab 1 0 1", "slab 1 0 0", "must lie at a face"),
            ("slab 1 0 1", "slab 1 0 3", "must lie at a face"),
            ("slab 1 0 1", "slab 1 2 1", "must lie at a face"),
            ("slab 1 0 1", "slab 1 0", "should stand here"),
            ("slab 1 0 1", "slab 1 0 1 1", "should stand here"),
            ("slab 1 0 1", "slab 1 4294967295 1", "must lie at a face"),
            ("slab 1 2 1", "slab 1 1 1", "must lie at a face"),
            ("box 2x3x3 3 search", "box 2x3x3 2 search", "line"),
            ("box 1x3x3 2 search", "box 1x3x3 1 search", "line"),
            ("box 1x3x3 2 search", "box 1x3x3 18446744073709551615 search", "too large"),
        ]),
    );
}
