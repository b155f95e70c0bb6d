//! Checks the placements that de Groot lists, read by his numbering of squares.

use ndqueens_crosscheck::verify::verify;
use ndqueens_model::import::{self, Convention};
use ndqueens_notation::name::{BoardName, reject_files};

/// First and last solution that de Groot lists for each board.
///
/// # References
/// J. A. de Groot, *Solving n-queens on non-squares*, 2020, Appendix B.
const DE_GROOT: [(&str, [&str; 2]); 9] = [
    ("hex:2", ["1", "7"]),
    ("hex:3", ["1 9 13", "8 9 19"]),
    ("hex:4", ["2 6 14 24 32 36 19", "3 4 17 21 34 35 19"]),
    ("hex:5", ["1 12 19 29 52 60 41", "57 55 33 14 17 39 36"]),
    ("hex:6", ["1 12 20 33 41 82 88 70 62", "68 22 14 18 61 37 86 90 75"]),
    ("hex:7", ["1 12 20 36 47 61 79 124 125 94 69 84", "15 18 23 41 45 100 91 121 99 55 108 115"]),
    (
        "hex:8",
        [
            "2 15 30 24 66 104 67 155 49 168 85 103 140 146 121",
            "9 12 16 28 34 74 96 142 154 85 158 161 136 68 102",
        ],
    ),
    (
        "hex:9",
        [
            "1 17 35 55 79 88 102 162 196 132 203 165 210 42 176 49",
            "155 17 35 55 79 88 102 196 132 203 165 210 42 162 176 49",
        ],
    ),
    ("three:8", ["1 12 23 34 47 51 62 72 73 84 94 29", "8 13 18 33 48 59 74 91 53 71 86 28"]),
];

#[test]
fn solutions_of_de_groot_hold() {
    for (name, solutions) in DE_GROOT {
        let board: BoardName = name.parse().expect(name);
        for text in solutions {
            let certificate =
                import::import(text, Convention::DeGroot, Some(&board), &reject_files).expect(text);
            let verified = verify(&certificate).unwrap_or_else(|fault| panic!("{name} {text}: {fault}"));
            assert_eq!(verified.size(), text.split(' ').count(), "{name} {text}");
            let others: Vec<u32> = text.split(' ').map(|number| number.parse().expect("a number")).collect();
            let more = (1..).find(|number| !others.contains(number)).expect("a number");
            let text = format!("{text} {more}");
            let certificate =
                import::import(&text, Convention::DeGroot, Some(&board), &reject_files).expect(&text);
            verify(&certificate).expect_err("one queen more than fits");
        }
    }
}
