//! Files of the format VIPR: test vectors, forgeries, and a second checker that gives the same verdicts.

mod writer;

use std::fs;
use std::path::{Path, PathBuf};

use ndqueens_crosscheck::vipr::{Theorem, ViprError, check};

use crate::writer::{Form, Statement, file};

fn checked(text: &[u8]) -> Result<Theorem, ViprError> {
    check(text, &|name| name.parse().map_err(|fault| format!("{fault}")), &|| false)
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/vipr")
}

const FORM: Form = Form {
    board: "2^2",
    statement: Statement::Range(1),
    symmetry: &[],
    solution: &[],
    cliques: &[],
    has_last_uses: true,
};

/// Files that the writer makes, by their names.
const WRITTEN: [(&str, Form); 13] = [
    ("clique", Form { cliques: &[&[0, 1, 2, 3]], solution: &[2], ..FORM }),
    ("tree", Form { has_last_uses: false, ..FORM }),
    ("infeasible", Form { board: "3^2", statement: Statement::Infeasible, ..FORM }),
    ("range", Form { board: "3^2", statement: Statement::Range(2), solution: &[0, 5], ..FORM }),
    ("above", Form { board: "3^2", statement: Statement::Range(3), ..FORM }),
    (
        "cutoff",
        Form {
            board: "3^2",
            statement: Statement::Cutoff(2),
            solution: &[1, 6],
            cliques: &[&[0, 1, 3, 4]],
            ..FORM
        },
    ),
    ("square", Form { board: "4^2", statement: Statement::Range(4), solution: &[1, 7, 8, 14], ..FORM }),
    (
        "symmetry",
        Form {
            board: "4^2",
            statement: Statement::Range(4),
            solution: &[1, 7, 8, 14],
            symmetry: &[5, 0, 1],
            ..FORM
        },
    ),
    ("cube", Form { board: "2^3", ..FORM }),
    ("cube-symmetry", Form { board: "3^3", statement: Statement::Infeasible, symmetry: &[13, 4, 1, 0], ..FORM }),
    ("torus", Form { board: "torus:3^2", statement: Statement::Infeasible, ..FORM }),
    ("bishops", Form { board: "bishop:2x3", statement: Statement::Range(4), solution: &[0, 2, 3, 5], ..FORM }),
    ("hexagon", Form { board: "hex:2", statement: Statement::Range(2), ..FORM }),
];

#[test]
fn written_files_are_accepted() {
    for (name, form) in WRITTEN {
        let text = file(&form);
        println!("{name}: {} bytes", text.len());
        let theorem = checked(text.as_bytes()).unwrap_or_else(|fault| panic!("{name}: {fault}\n{text}"));
        let path = vectors().join(format!("accepted/{name}.vipr"));
        fs::write(&path, &text).expect("writable");
        println!("{theorem:?}");
    }
}
