//! Forgeries of certificates, colourings and lists of solutions.

use crate::{Genuine, all_refused};

const CERTIFICATE: Genuine = Genuine {
    file: "a.txt",
    text: "ndqueens certificate 1\nboard: 3^3\nproblem: independent set\nsize: 4\norigin: -\n0 0 1\n0 2 0\n1 2 2\n2 1 0\n",
};

const COLOURING: Genuine = Genuine {
    file: "a.txt",
    text: "ndqueens colouring 1\nboard: 5^2\nclasses: full solutions\ncolours: 5\norigin: -\n0,0 1,2 2,4 3,1 4,3\n0,1 1,3 2,0 3,2 4,4\n\
           0,2 1,4 2,1 3,3 4,0\n0,3 1,0 2,2 3,4 4,1\n0,4 1,1 2,3 3,0 4,2\n",
};

const SOLUTIONS: Genuine = Genuine {
    file: "a.txt",
    text: "ndqueens solutions 1\nboard: 4^2\nsize: 4\nlist: all\nsolutions: 2\norigin: -\n0 1, 1 3, 2 0, 3 2\n0 2, 1 0, 2 3, 3 1\n",
};

#[test]
fn certificates() {
    all_refused(
        "certificates",
        24,
        &CERTIFICATE.edited(&[
            ("board: 3^3", "board: 2^3", "does not hold"),
            ("board: 3^3", "board: 3^2", "does not hold"),
            ("board: 3^3", "board: torus:3^3", "does not hold"),
            ("board: 3^3", "board: 3^4", "does not hold"),
            ("problem: independent set", "problem: independent dominating", "unknown problem"),
            ("problem: independent set", "problem: maximum", "unknown problem"),
            ("size: 4", "size: 5", "the file has 4 squares"),
            ("size: 4", "size: 3", "the file has 4 squares"),
            ("size: 4", "size: -4", "must be a number"),
            ("size: 4", "size: 18446744073709551620", "size is too large"),
            ("size: 4\n", "", "expected"),
            ("origin: -\n", "", "expected"),
            ("0 0 1\n", "0 0 0\n", "does not hold"),
            ("0 0 1\n", "0 0 3\n", "does not hold"),
            ("0 0 1\n", "0 0 4294967295\n", "does not hold"),
            ("0 0 1\n", "0 0 4294967297\n", "line 6"),
            ("0 0 1\n", "0 0 18446744073709551617\n", "line 6"),
            ("0 0 1\n", "0 0 -1\n", "line 6"),
            ("0 0 1\n", "0 0 1.0\n", "line 6"),
            ("0 0 1\n", "0 0 one\n", "line 6"),
            ("0 0 1\n", "0 0\n", "does not hold"),
            ("0 0 1\n", "0 0 1 0\n", "does not hold"),
            ("0 0 1\n", "0 2 0\n", "does not hold"),
            ("0 0 1\n0 2 0\n", "0 0 1 0 2 0\n", "the file has 3 squares"),
            ("0 0 1\n", "0 0 1\n0 0 1\n", "the file has 5 squares"),
            ("size: 4", "size: 8\n# twice", "the file has 4 squares"),
        ]),
    );
}

#[test]
fn colourings() {
    all_refused(
        "colourings",
        14,
        &COLOURING.edited(&[
            ("board: 5^2", "board: 4^2", "does not hold"),
            ("board: 5^2", "board: 6^2", "does not hold"),
            ("board: 5^2", "board: 5^3", "does not hold"),
            ("colours: 5", "colours: 4", "the file has 5 classes"),
            ("colours: 5", "colours: 6", "the file has 5 classes"),
            ("colours: 5", "colours: -5", "must be a number"),
            ("classes: full solutions", "classes: cliques", "unknown kind of classes"),
            ("0,0 1,2", "0,0 1,1", "does not hold"),
            ("0,0 1,2", "0,1 1,2", "does not hold"),
            ("0,0 1,2", "0,0 0,0 1,2", "does not hold"),
            ("0,0 1,2", "1,2", "does not hold"),
            ("0,0 1,2", "0,5 1,2", "does not hold"),
            ("0,0 1,2", "0,4294967296 1,2", "is too large"),
            ("0,0 1,2", "0,-0 1,2", "coordinates"),
            ("0,0 1,2", "0 1,2", "does not hold"),
            ("4,3\n0,1", "4,3 0,1", "the file has 4 classes"),
        ]),
    );
}

#[test]
fn solutions() {
    all_refused(
        "lists of solutions",
        16,
        &SOLUTIONS.edited(&[
            ("board: 4^2", "board: 5^2", "does not hold"),
            ("board: 4^2", "board: torus:4^2", "does not hold"),
            ("board: 4^2", "board: 4^3", "does not hold"),
            ("size: 4", "size: 3", "expected a solution of size 3"),
            ("solutions: 2", "solutions: 3", "the file has 2 solutions"),
            ("solutions: 2", "solutions: 1", "the file has 2 solutions"),
            ("solutions: 2", "solutions: 18446744073709551618", "solutions is too large"),
            ("list: all", "list: some", "all, up-to-symmetry or maximal"),
            ("list: all", "list: up-to-symmetry", "lie in one orbit"),
            ("0 2, 1 0, 2 3, 3 1", "0 1, 1 3, 2 0, 3 2", "again"),
            ("0 2, 1 0, 2 3, 3 1", "3 2, 2 0, 1 3, 0 1", "again"),
            ("0 2, 1 0, 2 3, 3 1", "0 2, 1 0, 2 3, 3 0", "does not hold"),
            ("0 2, 1 0, 2 3, 3 1", "0 2, 1 0, 2 3, 3 4", "does not hold"),
            ("0 2, 1 0, 2 3, 3 1", "0 2, 1 0, 2 3", "expected a solution of size 4"),
            ("0 2, 1 0, 2 3, 3 1", "0 2, 1 0, 2 3, 2 3", "does not hold"),
            ("0 2, 1 0, 2 3, 3 1", "0 2, 1 0, 2 3, 3 4294967297", "line 8"),
            ("solutions: 2\norigin: -\n0 1, 1 3, 2 0, 3 2\n", "solutions: 1\norigin: -\n", "is missing"),
        ]),
    );
}
