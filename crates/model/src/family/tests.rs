//! Every row of every family against every independent set of small boards.

use super::*;
use crate::bound::Bounds;

const BOARDS: [&str; 22] = [
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
    "2^4",
    "rook:3^2",
    "rook:2x3x2",
    "bishop:3^2",
    "bishop:4x3",
    "bishop:2^3",
    "torus:3^2",
    "torus:4^2",
    "torus:2^3",
    "rook:torus:3^2",
    "bishop:torus:4^2",
];

fn board(name: &str) -> Board {
    Board::new(&name.parse().expect("a board name"))
}

/// All independent sets, by the model's attack test; that test is compared with the definition elsewhere.
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

#[test]
fn every_row_holds_for_every_independent_set() {
    let bounds = Bounds::with_reported();
    for name in BOARDS {
        let board = board(name);
        let sets = independent_sets(&board);
        let alpha = sets.iter().map(Vec::len).max().expect("the empty set") as u64;
        assert!(alpha <= board.trivial_bound(), "{name}");
        assert!(bounds.upper(board.name()).is_none_or(|bound| bound.value >= alpha), "{name}");
        for (_, make) in REGISTRY {
            let family = make(toml::Table::new()).expect("defaults");
            if family.validity(&board, Claim::IndependentSet).is_err() {
                continue;
            }
            for row in family.rows(&board, &bounds) {
                assert!(row.squares.is_sorted_by(|a, b| a < b), "{name} {}", family.name());
                for set in &sets {
                    let mut point = vec![0; board.size()];
                    set.iter().for_each(|&square| point[square as usize] = 1);
                    let left: i64 = row.squares.iter().map(|&square| point[square as usize]).sum();
                    assert!(row.coefficients.is_none() && row.comparison == Comparison::AtMost);
                    assert!(left <= row.rhs, "{name} {} {row:?} {set:?}", family.name());
                }
            }
        }
    }
}

#[test]
fn extents_count_the_rows() {
    let bounds = Bounds::with_reported();
    for name in BOARDS.into_iter().chain(["5^3", "4^4", "4x5x6", "torus:5^3"]) {
        let board = board(name);
        for (_, make) in REGISTRY {
            let family = make(toml::Table::new()).expect("defaults");
            if family.validity(&board, Claim::IndependentSet).is_err() {
                continue;
            }
            let rows: Vec<_> = family.rows(&board, &bounds).collect();
            let nonzeros: u128 = rows.iter().map(|row| row.squares.len() as u128).sum();
            let extent = family.extent(&board, &bounds);
            assert_eq!(extent.rows, rows.len() as u128, "{name} {}", family.name());
            assert!(extent.nonzeros >= nonzeros, "{name} {}", family.name());
            let exact = family.name() != "lmr" && !board.grid().expect("a grid").is_torus();
            assert!(!exact || extent.nonzeros == nonzeros, "{name} {}", family.name());
        }
    }
}

#[test]
fn numbers_of_rows_are_the_published_ones() {
    let bounds = Bounds::with_reported();
    let count = |name: &str, family: &str| {
        let (_, make) = REGISTRY.iter().find(|(known, _)| *known == family).expect("registered");
        make(toml::Table::new()).expect("defaults").rows(&board(name), &bounds).count()
    };
    assert_eq!(count("4^3", "line"), 244);
    assert_eq!(count("5^3", "cube"), 4 * 4 * 4 + 3 * 3 * 3 + 2 * 2 * 2 + 1);
    assert_eq!(count("5^3", "star"), 3 * 3 * 3 + 1);
    assert_eq!(count("4^3", "layer"), 0);
    assert_eq!(count("3^3", "layer"), 9);
    assert_eq!(count("4^4", "layer"), 16);
    assert_eq!(count("5^3", "subsolution"), 64 + 27 + 8);
}

#[test]
fn cliques_attack_pairwise_on_larger_boards() {
    let bounds = Bounds::with_reported();
    for name in ["5x6x7", "4^4", "torus:6^3", "3^5", "torus:5^3"] {
        let board = board(name);
        for (_, make) in REGISTRY {
            let family = make(toml::Table::new()).expect("defaults");
            for row in family.rows(&board, &bounds).filter(|row| row.bound.is_none()) {
                for (&a, &b) in row.squares.iter().flat_map(|a| row.squares.iter().map(move |b| (a, b))) {
                    assert!(a == b || board.attacks(a, b), "{name} {} {row:?}", family.name());
                }
            }
        }
    }
}

#[test]
fn invalid_families_are_refused_with_the_reason() {
    let refusal = |family: &str, name: &str, problem| {
        let (_, make) = REGISTRY.iter().find(|(known, _)| *known == family).expect("registered");
        make(toml::Table::new()).expect("defaults").validity(&board(name), problem)
    };
    for family in ["cube", "star"] {
        assert!(refusal(family, "rook:3^3", Claim::IndependentSet).expect_err("rooks").contains("rooks"));
        assert!(
            refusal(family, "bishop:3^3", Claim::IndependentSet).expect_err("bishops").contains("bishops")
        );
    }
    for (family, _) in REGISTRY {
        let reason = refusal(family, "3^3", Claim::DominatingSet).expect_err("dominating sets");
        assert!(reason.contains("dominating set"), "{reason}");
        assert_eq!(refusal(family, "3^3", Claim::IndependentSet), Ok(()));
    }
}
