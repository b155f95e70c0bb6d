//! Tests of the rows of all families against the solutions of small boards.

use ndqueens_notation::name::BoardName;

use super::translates::{places, strides};
use super::*;
use crate::facts::{ArchivedBounds, Bounds, Theorems};
use crate::variant::Goal;

const BOARDS: [&str; 26] = [
    "1^1",
    "3^1",
    "2^2",
    "3^2",
    "4^2",
    "2x5",
    "3x4",
    "2^3",
    "3^3",
    "2x3x4",
    "1x3x3",
    "5^2",
    "3x7",
    "2^4",
    "rook:3^2",
    "rook:2x3x2",
    "bishop:3^2",
    "bishop:4x3",
    "bishop:2^3",
    "torus:3^2",
    "torus:4^2",
    "torus:5^2",
    "torus:6^2",
    "torus:2^3",
    "rook:torus:3^2",
    "bishop:torus:4^2",
];

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect("a board name"))
}

/// Returns all independent sets by [`Board::attacks`], which other tests compare with the definition.
fn independent_sets(board: &Board) -> Vec<Vec<Square>> {
    let mut sets = vec![Vec::new()];
    for square in board.squares() {
        for k in 0..sets.len() {
            if sets[k].iter().all(|&other| !board.attacks(square, other)) {
                let mut larger = sets[k].clone();
                larger.push(square);
                sets.push(larger);
            }
        }
    }
    sets
}

/// Returns the 0/1 vectors of all sets that solve a problem, by brute force.
fn solutions(board: &Board, problem: Problem) -> Vec<Vec<i64>> {
    let point = |squares: &[Square]| {
        let mut point = vec![0; board.size()];
        squares.iter().for_each(|&square| point[square as usize] = 1);
        point
    };
    let dominates =
        |squares: &[Square]| board.squares().all(|s| squares.iter().any(|&t| s == t || board.attacks(s, t)));
    let subset = |set: u32| board.squares().filter(|square| set >> square & 1 == 1).collect::<Vec<_>>();
    if problem == Problem::NoThreeInLine {
        assert!(board.size() <= 12, "2^size sets are listed");
        let sets =
            (0..1u32 << board.size()).map(subset).filter(|squares| has_no_three_in_line(board, squares));
        return sets.map(|squares| point(&squares)).collect();
    }
    if problem == Problem::DominatingSet {
        assert!(board.size() <= 12, "2^size sets are listed");
        let sets = (0..1u32 << board.size()).map(subset).filter(|squares| dominates(squares));
        return sets.map(|squares| point(&squares)).collect();
    }
    let sets = independent_sets(board).into_iter();
    sets.filter(|set| problem == Problem::IndependentSet || dominates(set)).map(|set| point(&set)).collect()
}

/// Returns `true` if no three squares are in line, which is the case if all cross products of their
/// differences are 0.
fn has_no_three_in_line(board: &Board, squares: &[Square]) -> bool {
    let at = |square: Square| -> Vec<i64> { board.coordinates(square).into_iter().map(i64::from).collect() };
    let in_line = |a: Square, b: Square, c: Square| {
        let [a, b, c] = [a, b, c].map(at);
        let axes = a.len();
        let (u, v): (Vec<i64>, Vec<i64>) =
            ((0..axes).map(|i| b[i] - a[i]).collect(), (0..axes).map(|i| c[i] - a[i]).collect());
        (0..axes).all(|i| (0..i).all(|j| u[i] * v[j] == u[j] * v[i]))
    };
    let triple = |i: usize, j: usize, k: usize| in_line(squares[i], squares[j], squares[k]);
    (0..squares.len()).all(|k| (0..k).all(|j| (0..j).all(|i| !triple(i, j, k))))
}

fn holds(row: &Inequality, point: &[i64]) -> bool {
    let coefficient = |k: usize| row.coefficients.as_ref().map_or(1, |all| all[k]);
    let terms = row.squares.iter().enumerate().map(|(k, &square)| coefficient(k) * point[square as usize]);
    row.comparison.holds(terms.sum(), row.rhs)
}

fn size(point: &[i64]) -> i64 {
    point.iter().sum()
}

fn family(name: &str) -> Box<dyn Family> {
    let (_, make) = REGISTRY.iter().find(|(known, _)| *known == name).expect("registered");
    make(toml::Table::new()).expect("defaults")
}

fn families() -> impl Iterator<Item = Box<dyn Family>> {
    REGISTRY.iter().map(|(name, _)| family(name))
}

fn optimise() -> Variant {
    Variant::of(Goal::Optimise)
}

#[test]
fn rows_hold_for_all_solutions() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for (name, problem) in BOARDS.into_iter().flat_map(|name| Problem::ALL.map(|problem| (name, problem))) {
        let board = board(name);
        if !problem.is_independent() && board.size() > 12
            || problem == Problem::NoThreeInLine && board.plain_box().is_none()
        {
            continue;
        }
        let solutions = solutions(&board, problem);
        for family in families().filter(|family| !family.breaks_symmetry()) {
            if family.validity(&board, problem, &optimise()).is_err() {
                continue;
            }
            for row in family.rows(&board, &bounds) {
                assert!(row.squares.is_sorted_by(|a, b| a < b), "{name} {}", family.name());
                for point in &solutions {
                    assert!(holds(&row, point), "{name} {problem} {} {row:?} {point:?}", family.name());
                }
            }
        }
    }
}

#[test]
fn upper_bounds_are_at_least_the_maximum() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for name in BOARDS {
        let board = board(name);
        let alpha = independent_sets(&board).iter().map(Vec::len).max().expect("the empty set") as u64;
        assert!(alpha <= board.trivial_bound(), "{name}");
        assert!(bounds.upper(board.name()).is_none_or(|bound| bound.value >= alpha), "{name}");
    }
}

/// The line, lmr, edge and maximal-clique rows each define the independent sets, the domination rows the
/// dominating sets, and the collinear rows the no-three-in-line sets.
#[test]
fn defining_rows_exclude_all_other_sets() {
    for name in BOARDS.into_iter().filter(|name| board(name).size() <= 12) {
        let board = board(name);
        let rows = |name: &str| family(name).rows(&board, &Bounds::default()).collect::<Vec<_>>();
        for (problem, defining) in [
            (Problem::IndependentSet, "line"),
            (Problem::IndependentSet, "lmr"),
            (Problem::IndependentSet, "edge"),
            (Problem::IndependentSet, "maximal-clique"),
            (Problem::DominatingSet, "domination"),
            (Problem::NoThreeInLine, "collinear"),
        ] {
            if problem == Problem::NoThreeInLine && board.plain_box().is_none() {
                continue;
            }
            let rows = rows(defining);
            let point = |set: u32| board.squares().map(|square| i64::from(set >> square & 1)).collect();
            let points = (0..1u32 << board.size()).map(point);
            let left = points.filter(|point: &Vec<i64>| rows.iter().all(|row| holds(row, point))).count();
            assert_eq!(left, solutions(&board, problem).len(), "{name} {defining}");
        }
    }
}

#[test]
fn symmetry_breaking_leaves_an_image_of_each_solution() {
    let bounds = Bounds::default();
    let both = ["symmetry", "lex"].map(family);
    for (name, problem) in BOARDS.into_iter().flat_map(|name| Problem::ALL.map(|problem| (name, problem))) {
        let board = board(name);
        if !problem.is_independent() && board.size() > 12
            || problem == Problem::NoThreeInLine && board.plain_box().is_none()
        {
            continue;
        }
        let rows: Vec<_> = both.iter().flat_map(|family| family.rows(&board, &bounds)).collect();
        let (kept, cut): (Vec<_>, Vec<_>) = solutions(&board, problem)
            .into_iter()
            .partition(|point| rows.iter().all(|row| holds(row, point)));
        let mut reached: std::collections::HashSet<_> = kept.iter().cloned().collect();
        let mut queue = kept;
        while let Some(point) = queue.pop() {
            for generator in board.generators() {
                let image: Vec<i64> = board.squares().map(|s| point[generator(s) as usize]).collect();
                if reached.insert(image.clone()) {
                    queue.push(image);
                }
            }
        }
        assert!(cut.iter().all(|point| reached.contains(point)), "{name} {problem}");
        let moves = board.orbits().count() < board.size();
        assert!(
            !moves || problem != Problem::IndependentSet || !cut.is_empty(),
            "{name}: nothing is cut off"
        );
    }
}

#[test]
fn equations_are_valid_for_full_solutions_only() {
    let family = family("equality");
    let mut full_boards = 0;
    for name in BOARDS {
        let board = board(name);
        let queens = board.trivial_bound();
        for problem in [Problem::IndependentSet, Problem::IndependentDominatingSet] {
            let valid = |goal| family.validity(&board, problem, &Variant::of(goal));
            for goal in
                [Goal::Optimise, Goal::AtLeast(queens - 1), Goal::Exactly(queens + 1), Goal::AtMost(queens)]
            {
                assert!(valid(goal).is_err(), "{name} {goal}");
            }
            assert_eq!(valid(Goal::Exactly(queens)), valid(Goal::AtLeast(queens)), "{name}");
            if valid(Goal::Exactly(queens)).is_err() {
                continue;
            }
            let rows: Vec<_> = family.rows(&board, &Bounds::default()).collect();
            for point in solutions(&board, problem) {
                let full = size(&point) as u64 == queens;
                assert_eq!(full, rows.iter().all(|row| holds(row, &point)), "{name} {point:?}");
                full_boards += u32::from(full);
            }
        }
    }
    assert!(full_boards > 0);
    let valid = |name: &str| {
        let board = board(name);
        family.validity(&board, Problem::IndependentSet, &Variant::of(Goal::Exactly(board.trivial_bound())))
    };
    for name in ["5^2", "rook:3^3", "torus:5^2", "rook:torus:3^2", "4^1"] {
        assert_eq!(valid(name), Ok(()), "{name}");
    }
    for name in ["bishop:3^2", "bishop:torus:4^2", "3x4", "rook:2x3x2"] {
        assert!(matches!(valid(name), Err(ValidityError::NoFullSolutions(_))), "{name}");
    }
}

/// Rooks have no chordless cycle of length 5, because its edges use each axis at least twice, and never on
/// two successive edges.
#[test]
fn odd_cycles_are_chordless_and_reproducible() {
    let family = family("odd-cycle");
    for name in ["5^2", "4^3", "rook:3^3", "bishop:4^3", "torus:4^3", "3x4x5"] {
        let board = board(name);
        let rows: Vec<_> = family.rows(&board, &Bounds::default()).collect();
        let lengths: Vec<_> = rows.iter().map(|row| row.squares.len()).collect();
        assert_eq!((lengths.contains(&5), lengths.contains(&7)), (!name.starts_with("rook"), true), "{name}");
        for row in &rows {
            assert_eq!(row.rhs, row.squares.len() as i64 / 2);
            let degree = |&s: &Square| row.squares.iter().filter(|&&t| board.attacks(s, t)).count();
            assert!(row.squares.iter().all(|square| degree(square) == 2), "{name} {row:?}");
            let mut reached = vec![row.squares[0]];
            for k in 0..row.squares.len() {
                let next =
                    row.squares.iter().find(|t| !reached.contains(t) && board.attacks(reached[k], **t));
                reached.extend(next);
            }
            assert_eq!(reached.len(), row.squares.len(), "{name}: not one cycle");
        }
        assert_eq!(rows, family.rows(&board, &Bounds::default()).collect::<Vec<_>>(), "{name}");
    }
}

/// The bound of a sub-box is that of its shape, and a largest independent set of its squares is no larger, at
/// all strides and positions.
#[test]
fn bounds_hold_on_sub_boxes_at_all_strides() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for name in ["5^2", "7^2", "5^3", "4x5x6", "torus:5^2", "torus:6^2", "torus:8^2", "torus:4^3", "3^4"] {
        let board = board(name);
        for kind in ["dilated", "cuboid"] {
            let rows: Vec<_> = family(kind).rows(&board, &bounds).collect();
            let different: std::collections::HashSet<_> = rows.iter().map(|row| &row.squares).collect();
            assert_eq!(different.len(), rows.len(), "{name} {kind}: a row twice");
            for row in &rows {
                match row.bound.as_ref() {
                    Some(bound) => assert_eq!(
                        row.squares.len(),
                        Board::new(&bound.board).size(),
                        "{name} {kind} {row:?}"
                    ),
                    // Corners of a cube with its centre.
                    None => assert_eq!(
                        (kind, row.squares.len(), independence_number(&board, &row.squares)),
                        ("dilated", (1 << board.grid().expect("a grid").dimension()) + 1, 1),
                        "{name} {row:?}"
                    ),
                }
                if row.squares.len() <= 30 {
                    assert!(independence_number(&board, &row.squares) <= row.rhs, "{name} {kind} {row:?}");
                }
            }
        }
    }
}

/// Returns the size of a largest independent set of these squares.
fn independence_number(board: &Board, squares: &[Square]) -> i64 {
    let Some((&first, others)) = squares.split_first() else { return 0 };
    let free: Vec<Square> = others.iter().copied().filter(|&s| !board.attacks(s, first)).collect();
    let with = 1 + independence_number(board, &free);
    if free.len() == others.len() { with } else { with.max(independence_number(board, others)) }
}

#[test]
fn dilated_rows_include_subsolution_and_cube_rows() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    let board = board("7^3");
    let rows = |kind: &str| -> Vec<_> {
        family(kind).rows(&board, &bounds).map(|row| (row.squares, row.rhs)).collect()
    };
    let (dilated, subsolution, cube) = (rows("dilated"), rows("subsolution"), rows("cube"));
    assert!(subsolution.iter().all(|row| dilated.contains(row)));
    assert!(cube.iter().all(|row| dilated.contains(row)));
    // Unit cubes are in both families. The other rows are those of side 3 at strides 2 and 3, and of side 4
    // at stride 2.
    assert_eq!(dilated.len(), subsolution.len() + cube.len() - 216 + 27 + 1 + 1);
}

/// The row of a sub-box that is left out follows from lines, from both parts of a cut, or from a longer
/// sub-box.
#[test]
fn omitted_sub_boxes_follow_from_other_rows() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for name in ["5^3", "3x4x5", "torus:4^3", "3^4"] {
        let board = board(name);
        let grid = board.grid().expect("a grid");
        let rows: std::collections::HashMap<_, _> =
            family("cuboid").rows(&board, &bounds).map(|row| (row.squares, row.rhs)).collect();
        for stride in strides(grid) {
            let mut implied = std::collections::HashMap::new();
            let shapes: Vec<Vec<u32>> = positions(grid.sides().to_vec())
                .map(|shape| shape.into_iter().map(|n| n + 1).collect::<Vec<u32>>())
                .filter(|shape| places(grid, shape, stride).is_some())
                .collect();
            let of = |shape: &[u32]| bounds.upper(&grid.part(false, shape)).expect("a bound").value;
            // Repeats until no more rows follow.
            loop {
                let before = implied.len();
                for shape in &shapes {
                    let bound = of(shape);
                    let corner = vec![0; shape.len()];
                    let kept = rows.get(&{
                        let mut squares = sub_box(grid, &corner, shape, stride);
                        squares.sort_unstable();
                        squares
                    });
                    let with = |axis: usize, n: u32| {
                        let mut other = shape.clone();
                        other[axis] = n;
                        other
                    };
                    let implies =
                        |other: &Vec<u32>, most: u64| implied.get(other).is_some_and(|&b| b <= most);
                    let lines = Board::new(&grid.part(false, shape)).trivial_bound();
                    let cut = (0..shape.len()).any(|axis| {
                        (1..shape[axis]).any(|width| {
                            let (a, b) = (with(axis, width), with(axis, shape[axis] - width));
                            implies(&a, of(&a)) && implies(&b, of(&b)) && of(&a) + of(&b) <= bound
                        })
                    });
                    let longer = (0..shape.len()).any(|axis| implies(&with(axis, shape[axis] + 1), bound));
                    if kept == Some(&(bound as i64)) || lines <= bound || cut || longer {
                        implied.insert(shape.clone(), bound);
                    }
                }
                if implied.len() == before {
                    break;
                }
            }
            let whole = |shape: &[u32]| !grid.is_torus() && stride == 1 && shape == grid.sides();
            let missing: Vec<_> =
                shapes.iter().filter(|&shape| !whole(shape) && !implied.contains_key(shape)).collect();
            assert!(missing.is_empty(), "{name} at stride {stride}: {missing:?}");
        }
    }
}

#[test]
fn maximal_cliques_contain_all_lines_cubes_and_stars() {
    for name in ["4^3", "3^4", "5^2", "2x3x4", "torus:4^2"] {
        let board = board(name);
        let rows = |name: &str| family(name).rows(&board, &Bounds::default()).collect::<Vec<_>>();
        let cliques = rows("maximal-clique");
        for other in ["line", "cube", "star"] {
            for row in rows(other) {
                let within = |clique: &Inequality| row.squares.iter().all(|s| clique.squares.contains(s));
                assert!(cliques.iter().any(within), "{name} {other} {row:?}");
            }
        }
        for clique in &cliques {
            let joins = |s: &Square| clique.squares.iter().all(|&t| board.attacks(*s, t));
            assert!(!board.squares().any(|s| joins(&s)), "{name}: {clique:?} can grow");
        }
    }
}

#[test]
fn extents_equal_or_bound_the_numbers_of_rows() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for name in BOARDS.into_iter().chain(["5^3", "4^4", "4x5x6", "torus:5^3"]) {
        let board = board(name);
        for family in families() {
            let full = Variant::of(Goal::Exactly(board.trivial_bound()));
            let valid = |problem| family.validity(&board, problem, &full).is_ok();
            if !Problem::ALL.into_iter().any(valid) {
                continue;
            }
            let rows: Vec<_> = family.rows(&board, &bounds).collect();
            let nonzeros: u128 = rows.iter().map(|row| row.squares.len() as u128).sum();
            let extent = family.extent(&board, &bounds);
            if family.name() == "odd-cycle" {
                assert!(extent.rows >= rows.len() as u128, "{name}");
            } else {
                assert_eq!(extent.rows, rows.len() as u128, "{name} {}", family.name());
            }
            assert!(extent.nonzeros >= nonzeros, "{name} {}", family.name());
            let bounded = ["lmr", "odd-cycle"].contains(&family.name());
            let exact = !bounded && !board.grid().expect("a grid").is_torus();
            assert!(!exact || extent.nonzeros == nonzeros, "{name} {}", family.name());
        }
    }
}

#[test]
fn extents_on_file_boards_count_their_lines() {
    for text in ["n 5\n0 1\n1 2\n0 2\n3 4\n", "ndqueens board 1\n##.##\n#####\n.###.\n"] {
        let name = BoardName::parse_with("file:board", &|_| Ok(text.to_owned())).expect("a board");
        let board = Board::new(&name);
        for kind in ["line", "lmr"] {
            let family = family(kind);
            let rows: Vec<_> = family.rows(&board, &Theorems).collect();
            let nonzeros = rows.iter().map(|row| row.squares.len() as u128).sum();
            let extent = Extent { rows: rows.len() as u128, nonzeros };
            assert_eq!(family.extent(&board, &Theorems), extent, "{text}");
        }
    }
}

#[test]
fn row_counts_match_published_ones() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    let count = |name: &str, kind: &str| family(kind).rows(&board(name), &bounds).count();
    assert_eq!(count("4^3", "line"), 244);
    assert_eq!(count("5^3", "cube"), 4 * 4 * 4 + 3 * 3 * 3 + 2 * 2 * 2 + 1);
    assert_eq!(count("5^3", "star"), 3 * 3 * 3 + 1);
    assert_eq!(count("4^3", "layer"), 0);
    assert_eq!(count("3^3", "layer"), 9);
    assert_eq!(count("4^4", "layer"), 16);
    assert_eq!(count("5^3", "subsolution"), 64 + 27 + 8);
    assert_eq!(count("8^2", "edge"), 728);
    assert_eq!(count("8^2", "domination"), 64);
    assert_eq!(count("rook:3^3", "equality"), 27);
    assert_eq!(count("3^3", "symmetry"), 27 - 4);
    assert_eq!(count("torus:5^2", "symmetry"), 24);
    assert_eq!(count("5^3", "lex"), 47);
    assert_eq!(count("rook:4^2", "maximal-clique"), 8);
}

#[test]
fn cliques_attack_pairwise_on_larger_boards() {
    let bounds = Bounds::with_publications(&ArchivedBounds::builtin());
    for name in ["5x6x7", "4^4", "torus:6^3", "3^5", "torus:5^3"] {
        let board = board(name);
        for family in ["line", "lmr", "cube", "star", "edge"].map(family) {
            for row in family.rows(&board, &bounds) {
                for (&a, &b) in row.squares.iter().flat_map(|a| row.squares.iter().map(move |b| (a, b))) {
                    assert!(a == b || board.attacks(a, b), "{name} {} {row:?}", family.name());
                }
            }
        }
    }
}

/// Checks for each family on which boards and for which problems it is valid.
#[test]
fn rejects_invalid_families() {
    let refusal = |name: &str, kind: &str, problem| family(kind).validity(&board(name), problem, &optimise());
    let anywhere = ["line", "lmr", "edge", "odd-cycle", "maximal-clique"];
    let on_boxes = ["layer", "subsolution", "dilated", "cuboid"];
    let for_queens = ["cube", "star", "volume", "class"];
    let breaking = ["symmetry", "lex"];
    for name in BOARDS {
        for problem in [Problem::IndependentSet, Problem::IndependentDominatingSet] {
            for kind in anywhere.into_iter().chain(on_boxes).chain(breaking) {
                assert_eq!(refusal(name, kind, problem), Ok(()), "{name} {kind}");
            }
            for kind in for_queens {
                match name.split_once(':').filter(|(piece, _)| *piece != "torus") {
                    None => assert_eq!(refusal(name, kind, problem), Ok(()), "{name} {kind}"),
                    Some(_) => assert!(
                        matches!(
                            refusal(name, kind, problem),
                            Err(ValidityError::NoClique(_) | ValidityError::NoFaces(_))
                        ),
                        "{name} {kind}"
                    ),
                }
            }
        }
        for kind in anywhere.into_iter().chain(on_boxes).chain(for_queens).chain(["equality"]) {
            let refused = Err(ValidityError::NotIndependent(Problem::DominatingSet));
            assert_eq!(refusal(name, kind, Problem::DominatingSet), refused, "{name} {kind}");
        }
        for kind in breaking {
            assert_eq!(refusal(name, kind, Problem::DominatingSet), Ok(()), "{name} {kind}");
        }
        assert_eq!(refusal(name, "domination", Problem::DominatingSet), Ok(()));
        assert_eq!(refusal(name, "domination", Problem::IndependentDominatingSet), Ok(()));
        let refused = Err(ValidityError::NotDominating(Problem::IndependentSet));
        assert_eq!(refusal(name, "domination", Problem::IndependentSet), refused, "{name}");
    }
}

#[test]
fn symmetry_breaking_rejects_included_queens() {
    let board = board("4^2");
    let including = Variant { include: vec![1], ..optimise() };
    for family in families() {
        let refused =
            Problem::ALL.into_iter().all(|problem| family.validity(&board, problem, &including).is_err());
        assert_eq!(refused, family.breaks_symmetry() || family.name() == "equality", "{}", family.name());
        if family.breaks_symmetry() {
            let validity = family.validity(&board, Problem::IndependentSet, &including);
            assert_eq!(validity, Err(ValidityError::Included), "{}", family.name());
        }
    }
}

#[test]
fn rejects_invalid_options_and_large_boards() {
    let refusal = |name: &str, options: &str, kind: &str| {
        let (_, make) = REGISTRY.iter().find(|(known, _)| *known == kind).expect("registered");
        let family = make(options.parse().expect("toml")).expect("options");
        family.validity(&board(name), Problem::IndependentSet, &optimise())
    };
    for (name, options, valid, kind) in [
        ("4^2", "prefix = 21", "prefix = 20", "lex"),
        ("4^2", "lengths = [5, 6]", "lengths = [5, 7]", "odd-cycle"),
        ("4^2", "limit = 5", "limit = 500", "maximal-clique"),
    ] {
        assert!(refusal(name, options, kind).is_err(), "{options}");
        assert_eq!(refusal(name, valid, kind), Ok(()), "{valid}");
    }
    assert!(refusal("17^3", "", "maximal-clique").is_err());
    assert_eq!(refusal("17^3", "", "line"), Ok(()));
}
