//! Random arguments do not make the command panic.

use ndqueens_notation::name::BoardName;

use crate::harness::Desk;

/// Xorshift generator of random texts that resemble names.
struct Texts(u64);

impl Texts {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }

    fn text(&mut self) -> String {
        const PARTS: [&str; 26] = [
            "0",
            "1",
            "3",
            "9",
            "^",
            "x",
            ":",
            "rook",
            "queen",
            "torus",
            "bishop",
            "-",
            " ",
            ".",
            "é",
            "\n",
            "\t",
            "%",
            "99999999999",
            "^3",
            "hex:",
            "file:",
            "=",
            "'",
            "\u{1F451}",
            ".toml",
        ];
        (0..self.below(7)).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }
}

#[test]
fn nonsense_is_refused_without_a_panic() {
    let desk = Desk::new();
    let mut texts = Texts(20_230_101);
    let mut refused = 0;
    while refused < 150 {
        let text = texts.text();
        if text.parse::<BoardName>().is_ok() {
            continue;
        }
        let formulation = format!("--formulation={text}");
        let arguments = match refused % 5 {
            0 => vec!["info", "--", &text],
            1 => vec!["solve", "--", &text],
            2 => vec!["solve", "2^2", &formulation],
            3 => vec!["lp", "relax", "2^2", &formulation],
            _ => vec!["check", "--board", "2^2", "--as", &text, "none.txt"],
        };
        let output = desk.command().args(&arguments).output().expect("runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(!said.contains("panicked") && said.starts_with("error: "), "{arguments:?}: {said}");
        refused += 1;
    }
}
