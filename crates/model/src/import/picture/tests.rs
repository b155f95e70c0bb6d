use ndqueens_notation::name::reject_files;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

use super::*;
use crate::import::{self, Convention};

fn all(text: &str, board: &str) -> Result<Vec<Vec<Vec<u32>>>, CertificateError> {
    let board: Option<BoardName> = (!board.is_empty()).then(|| board.parse().expect(board));
    let read = import::read_all(text, Convention::Picture, board.as_ref(), &reject_files)?;
    Ok(read.into_iter().map(|(_, certificate)| certificate.squares).collect())
}

/// Returns the placement with the heights 1, 3, 0, 2, counted from 0.
fn four() -> Vec<Vec<u32>> {
    [[0, 1], [1, 3], [2, 0], [3, 2]].map(Vec::from).to_vec()
}

#[test]
fn reads_one_placement_in_every_form() {
    for text in [
        ".Q..\n...Q\nQ...\n..Q.\n",
        ". Q . .\n. . . Q\nQ . . .\n. . Q .",
        "  _ q _ _\r\n  _ _ _ q\r\n  q _ _ _\r\n  _ _ q _\r\n",
        "-Q--\n---Q\nQ---\n--Q-\n",
        "0Q00\n000Q\nQ000\n00Q0\n",
        "*Q**\n***Q\nQ***\n**Q*\n",
        "xQ..\n..xQ\nQ...\n.+Q.\n",
        ".♛□■\n■□■♛\n♕■□■\n■□♕■\n",
        "0100\n0001\n1000\n0010\n",
        "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n",
        "0,1,0,0\n0,0,0,1\n1,0,0,0\n0,0,1,0\n",
        ".;Q;.;.\n.;.;.;Q\nQ;.;.;.\n.;.;Q;.",
        ".\tQ\t.\t.\n.\t.\t.\tQ\nQ\t.\t.\t.\n.\t.\tQ\t.",
        "[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]",
        "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"]]",
        "['.Q..',\n '...Q',\n 'Q...',\n '..Q.']\n",
        "[[0,1,0,0],[0,0,0,1],[1,0,0,0],[0,0,1,0]]",
        "[[0 1 0 0]\n [0 0 0 1]\n [1 0 0 0]\n [0 0 1 0]]\n",
        "[[0. 1. 0. 0.]\n [0. 0. 0. 1.]\n [1. 0. 0. 0.]\n [0. 0. 1. 0.]]\n",
        "[[False  True False False]\n [False False False  True]\n [ True False False False]\n [False False  True False]]",
        "[0, 1, 0, 0]\n[0, 0, 0, 1]\n[1, 0, 0, 0]\n[0, 0, 1, 0]\n",
        "{{0,1,0,0},{0,0,0,1},{1,0,0,0},{0,0,1,0}}",
        "[['.' 'Q' '.' '.']\n ['.' '.' '.' 'Q']\n ['Q' '.' '.' '.']\n ['.' '.' 'Q' '.']]",
        "[['.', 'Q', '.', '.'], ['.', '.', '.', 'Q'], ['Q', '.', '.', '.'], ['.', '.', 'Q', '.']]",
        "|_|Q|_|_|\n|_|_|_|Q|\n|Q|_|_|_|\n|_|_|Q|_|\n",
        "+---+---+---+---+\n|   | Q |   |   |\n+---+---+---+---+\n|   |   |   | Q |\n+---+---+---+---+\n\
         | Q |   |   |   |\n+---+---+---+---+\n|   |   | Q |   |\n+---+---+---+---+\n",
        "┌───┬───┬───┬───┐\n│   │ ♛ │   │   │\n├───┼───┼───┼───┤\n│   │   │   │ ♛ │\n├───┼───┼───┼───┤\n\
         │ ♛ │   │   │   │\n├───┼───┼───┼───┤\n│   │   │ ♛ │   │\n└───┴───┴───┴───┘\n",
        "# found by hand\nSolution 1:\n.Q..\n...Q\nQ...\n..Q.\n",
        "4 queens on 4^2: optimal [HiGHS 1.15.0]\n1 node, 21 LP iterations, 0.02 s, 18 MiB, consistent with the published 4\n\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n",
        "4 queens on 4^2, checked: no two attack each other\n(0,1) (1,3) (2,0) (3,2)\n",
        "\n(0,1) (1,3) (2,0) (3,2)\n4 queens on 4^2, checked: no two attack each other\n",
        "\n. Q . .\n. . . Q\nQ . . .\n. . Q .\n4 queens on 4^2, checked: no two attack each other\n",
        ".X..\n...X\nX...\n..X.\n",
        "-*--\n---*\n*---\n--*-\n",
        ".!..\n...Q\nQ...\n..Q.\n",
    ] {
        for board in ["4^2", ""] {
            assert_eq!(all(text, board), Ok(vec![four()]), "{board}: {text}");
        }
    }
}

#[test]
fn reads_several_boards_and_layers() {
    let (first, second) = (".Q..\n...Q\nQ...\n..Q.\n", "..Q.\nQ...\n...Q\n.Q..\n");
    let mirrored = vec![vec![0, 2], vec![1, 0], vec![2, 3], vec![3, 1]];
    let both = || Ok(vec![four(), mirrored.clone()]);
    let lists = "[[\".Q..\",\"...Q\",\"Q...\",\"..Q.\"],[\"..Q.\",\"Q...\",\"...Q\",\".Q..\"]]";
    for (text, line) in
        [(format!("{first}\n{second}"), 6), (format!("{first}\n\n{second}\n"), 7), (lists.to_owned(), 1)]
    {
        let text = text.as_str();
        assert_eq!(all(text, "4^2"), both(), "{text}");
        assert_eq!(all(text, "2x4x4").expect(text)[0].len(), 8, "{text}");
        let error = all(text, "").expect_err(text);
        assert_eq!((error.line, error.column), (line, 1), "{error}");
    }
    let labelled = format!("Solution 1\n{first}Solution 2\n{second}");
    assert_eq!(all(&labelled, ""), both());
    let layers = "(0,*,*)    (1,*,*)    (2,*,*)\n. Q .      . . .      . . .\n. . .      . . .      Q . .\n\
                  Q . .      . . Q      . . .\n";
    let three = vec![vec![vec![0, 0, 1], vec![0, 2, 0], vec![1, 2, 2], vec![2, 1, 0]]];
    let apart = ".Q.\n...\nQ..\n\n...\n...\n..Q\n\n...\nQ..\n...\n";
    assert_eq!(all(layers, ""), Ok(three.clone()));
    assert_eq!(all(layers, "3^3"), Ok(three.clone()));
    assert_eq!(all(apart, "3^3"), Ok(three));
}

#[test]
fn reads_boards_that_are_not_boxes() {
    let one = |text: &str, board: &str| all(text, board).expect(text).remove(0);
    assert_eq!(one("  . Q .\n . . . .\n. . . . Q\n . Q . .\n  . . .\n", "hex:3"), [[0, 1], [2, 4], [3, 2]]);
    assert_eq!(one("4 3 | 2 1\n2 . | 3 4\n----+----\n1 2 | 4 3\n3 4 | 1 2\n", "sudoku:2").len(), 15);
    assert_eq!(one(". R\nR .\n", "rook:2^2"), [[0, 1], [1, 0]]);
    assert_eq!(one(". N\n. ♞\n", "knight:2^2"), [[0, 1], [1, 1]]);
    assert_eq!(one("♔ . K\n. . .\n", "king:2x3"), [[0, 0], [0, 2]]);
    assert_eq!(one("S . .\n. . .\n", "superqueen:2x3"), [[0, 0]]);
    assert!(all(". N\n. .\n", "2^2").is_err());
    assert_eq!(one("Q . .\n", "3^1"), [[0]]);
    let plane =
        "   . Q x  .\n  .       Q\n Q   .  x  .\n.   .    .   .\n .   .  .  Q\n  Q  . Q  .\n   .      .\n";
    let layers = "(0,*,*)    (1,*,*)    (2,*,*)    (3,*,*)    (4,*,*)    (5,*,*)\n\
                  . Q        . Q        . Q        . Q        . Q        . Q\n\
                  . .        . .        . .        . .        . .        . .\n";
    assert_eq!(one(plane, "three:4"), one(layers, "three:4"));
}

#[test]
fn rejects_ambiguous_pictures_with_their_place() {
    for (text, board, line, column) in [
        (".Q..\n...Q\nQ...\n", "4^2", 1, 1),
        (".Q..\n...Q\nQ...\n..Q.\n....\n", "4^2", 5, 1),
        (".Q..\n...Q\n\nQ...\n..Q.\n", "4^2", 4, 1),
        (".Q..\n...\nQ...\n..Q.\n", "4^2", 2, 1),
        (".Q..\n..1Q\nQ...\n..Q.\n", "4^2", 2, 3),
        (".Q..\n..aQ\nQ...\n..Q.\n", "4^2", 2, 3),
        ("x.\n.x\n", "2^2", 1, 1),
        ("1.\n0.\n", "2^2", 2, 1),
        ("1 3 0 2\n", "4^2", 1, 3),
        ("12\n", "1x2", 1, 2),
        (".Q.. ...Q\n", "4^2", 1, 1),
        ("# Q . .\n", "3^1", 1, 1),
        ("[\".Q..\",\"...Q\"", "4^2", 1, 15),
        (".Q..\n", "", 1, 1),
        ("5 queens on 4^2, checked\n\n.Q..\n...Q\nQ...\n..Q.\n", "", 1, 1),
        (".Q..\n...Q\nQ...\n..Q.\n3 queens on 4^2, checked\n", "", 5, 1),
        (".Q..\n...Q\nQ...\n..Q.\n4 queens on 4^2\n4 queens on 4^2\n", "", 6, 1),
        ("4 queens on 5^2, checked\n\n.Q..\n...Q\nQ...\n..Q.\n", "4^2", 1, 1),
        ("(0,1) (1,3)\n", "4^2", 1, 1),
        ("2 queens on 4^2\n(0,1) (1,3)\n(0,0)\n", "4^2", 3, 1),
        ("(0,*,*)\n.Q\n..\n(0,*,*)\n..\n..\n", "2^3", 4, 1),
        ("(0,*,*)\n.Q\n..\n", "2^3", 1, 1),
        ("", "2^2", 1, 1),
        (".", "1000^3", 1, 1),
    ] {
        let error = all(text, board).expect_err(text);
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
    }
}

#[test]
fn pictures_without_a_convention_need_letters() {
    let read = |text: &str| import::import(text, Convention::Native, None, &reject_files);
    assert_eq!(read(".Q..\n...Q\nQ...\n..Q.\n").map(|read| read.squares), Ok(four()));
    for numbers in ["0 1 0\n1 0 0\n", "0 1\n1 3\n2 0\n3 2\n", "1 3 0 2\n", "[[0,1],[1,0]]"] {
        let error = read(numbers).expect_err(numbers);
        assert_eq!((error.line, error.column), (1, 1), "{error}");
    }
    let two =
        read("Solution 1\n.Q..\n...Q\nQ...\n..Q.\n\nSolution 2\n..Q.\nQ...\n...Q\n.Q..\n").expect_err("two");
    assert_eq!((two.line, two.column), (8, 1), "{two}");
}

#[test]
fn written_pictures_read_back() {
    let mut rng = ChaCha8Rng::seed_from_u64(56);
    for name in [
        "1^1",
        "7^1",
        "5^2",
        "3x4",
        "3^3",
        "2x3x4",
        "3^4",
        "hex:4",
        "three:4",
        "rook:4^2",
        "knight:4^2",
        "king:2x3x4",
        "torus:5^2",
        "sudoku:2",
    ] {
        let board = Board::new(&name.parse().expect(name));
        for _ in 0..50 {
            let chosen = (0..board.size() as Square).filter(|_| rng.random_bool(0.3));
            let squares = chosen.map(|square| board.coordinates(square)).collect();
            let certificate = Certificate::independent(board.name().clone(), squares, "by chance");
            let text = import::export(&certificate, Convention::Picture).expect(name);
            let back = import::import(&text, Convention::Picture, Some(board.name()), &reject_files);
            assert_eq!(back.map(|read| read.squares), Ok(certificate.squares), "{name}:\n{text}");
        }
    }
}

/// Checks that a mutated picture is rejected or read with all its pieces.
#[test]
fn no_mutated_picture_loses_a_piece() {
    const INSERTED: &[u8] = b"QQq.x10_-*# \n\n|,;[]\"'()3ab+X!";
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut accepted = 0;
    for round in 0..20_000 {
        let n = rng.random_range(2..=6usize);
        let (piece, empty) = if round % 4 == 3 { ('1', '0') } else { ('Q', ['.', '-', '_'][round % 3]) };
        let between = ["", " ", ",", "|"][rng.random_range(0..4)];
        let row = |rng: &mut ChaCha8Rng| {
            let cells: Vec<String> =
                (0..n).map(|_| if rng.random_bool(0.3) { piece } else { empty }.to_string()).collect();
            if between == "|" { format!("|{}|", cells.join("|")) } else { cells.join(between) }
        };
        let rows: Vec<String> = (0..n).map(|_| row(&mut rng)).collect();
        let mut text = rows.join("\n").into_bytes();
        for _ in 0..rng.random_range(1..=3) {
            let at = rng.random_range(0..text.len());
            let sign = INSERTED[rng.random_range(0..INSERTED.len())];
            match rng.random_range(0..3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, sign),
                _ => text[at] = sign,
            }
        }
        let text = String::from_utf8(text).expect("ASCII");
        let letters = text.chars().filter(|c| matches!(c, 'Q' | 'q' | '!')).count();
        let digits = text.chars().filter(|c| *c == '1').count();
        let expected = if letters > 0 { letters } else { digits };
        let board = if rng.random_bool(0.5) { String::new() } else { format!("{n}^2") };
        if let Ok(sets) = all(&text, &board) {
            let read: usize = sets.iter().map(Vec::len).sum();
            assert!(read >= expected, "{read} of {expected} pieces:\n{text}");
            accepted += 1;
        }
    }
    assert!(accepted > 1000, "{accepted}");
}
