//! Facets of small boards, compared with known numbers and with brute force.

use ndqueens_model::board::Board;
use ndqueens_polytope::facets::{Limits, Method, enumerate_facets};
use ndqueens_system::cancel::Control;

#[test]
fn numbers_of_facets_of_small_boards() {
    for (name, facets, orbits) in [
        ("3^2", 19, 7),
        ("4^2", 196, 34),
        ("2x3x3", 66, 13),
        ("2x2x3x3", 188, 17),
        ("3x6", 173, 52),
        ("2x3x4", 1644, 225),
    ] {
        let board = Board::new(&name.parse().expect("a board"));
        for method in [Method::DoubleDescription, Method::AdjacencyDecomposition] {
            let limits = Limits { method, ..Limits::default() };
            let begin = std::time::Instant::now();
            let found = enumerate_facets(&board, &limits, &Control::new()).expect("a small board");
            eprintln!("{name} {method:?} {:?}", begin.elapsed());
            assert_eq!(found.incomplete, None, "{name}");
            assert_eq!((found.count(), found.orbits.len()), (facets, orbits), "{name}, {method:?}");
        }
    }
}
