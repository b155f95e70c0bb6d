//! Formulas and proofs for external checkers, which are replaced here by scripts that accept everything.

use std::fs;

use crate::{Forgery, all_refused_with, made, program};

const VERIPB: &str =
    "if [ \"$1\" = --version ]; then echo veripb 3.0.2; exit; fi\necho 's VERIFIED BOUNDS -2 <= obj <= -2'";
const RATE: &str = "if [ \"$1\" = --version ]; then echo rate 0.3.0; exit; fi\necho 's VERIFIED'";

/// Returns the formula of 2x3 and a proof for VeriPB.
fn for_veripb() -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    made(folder.path(), "prove 2x3 --veripb a.pbp");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    (read("a.opb"), read("a.pbp"))
}

fn veripb(formula: &str, proof: &str, says: &str) -> Forgery {
    Forgery {
        files: vec![("a.opb", formula.into()), ("a.pbp", proof.into())],
        arguments: ["check", "a.pbp"].map(str::to_owned).to_vec(),
        says: says.to_owned(),
    }
}

#[test]
fn formulas_for_veripb() {
    let (_folder, programs) = program("veripb", VERIPB);
    let (formula, proof) = for_veripb();
    let edit = |&(old, new, says): &(&str, &str, &str)| {
        assert!(formula.contains(old), "{old}");
        veripb(&formula.replacen(old, new, 1), &proof, says)
    };
    let mut forgeries: Vec<Forgery> = [
        ("-1 x3 -1 x6", "-1 x03 -1 x06", "expected \"-1 x3 -1 x6 >= -1 ;\""),
        ("-1 x3 -1 x6", "-1 x3 -1 x06", "expected"),
        ("-1 x3 -1 x6", "-1 x6 -1 x3", "expected"),
        ("-1 x3 -1 x6", "-1 x3 -1 x4", "expected"),
        ("-1 x3 -1 x6", "-1 x3 -1 y6", "expected"),
        ("-1 x3 -1 x6", "-01 x3 -1 x6", "expected"),
        ("-1 x3 -1 x6", "-1  x3 -1 x6", "expected"),
        ("-1 x3 -1 x6", "-1\tx3 -1 x6", "expected"),
        ("-1 x3 -1 x6", "-2 x3 -1 x6", "expected"),
        ("-1 x3 -1 x6 >= -1 ;\n", "", "expected"),
        ("-1 x3 -1 x6 >= -1 ;\n", "-1 x3 -1 x6 >= -1 ;\n-1 x1 >= 0 ;\n", "line"),
        ("-1 x3 -1 x6 >= -1 ;\n", "-1 x3 -1 x6 >= -1 ;\r\n", "carriage return"),
        ("-1 x3 -1 x6 >= -1 ;\n", "-1 x3 -1 x6 >= -1 ;\r-1 x1 >= 0 ;\n", "carriage return"),
        ("-1 x3 -1 x6 >= -1 ;", "-1 x3 -1 x6 >= -1 ; -1 x1 >= 0 ;", "expected"),
        ("-1 x3 -1 x6 >= -1 ;", "-1 x3 -1 x6 >= -2 ;", "expected"),
        ("-1 x3 -1 x6 >= -1 ;", "-1 x3 -1 x6 = -1 ;", "expected"),
        ("-1 x3 -1 x6 >= -1 ;", "@a -1 x3 -1 x6 >= -1 ;", "expected"),
        ("min: -1 x1", "min: -2 x1", "expected"),
        ("min: -1 x1 ", "min: ", "expected"),
        ("min: -1 x1", "max: -1 x1", "neither an objective"),
        ("min: ", "* min: ", "neither an objective"),
        ("* board 2x3", "* board 3x2", "not that of 3x2"),
        ("* board 2x3", "* board rook:2x3", "not that of rook:2x3"),
        ("* board 2x3", "* board 9^9", "more than 4096 squares"),
        ("* board 2x3", "* board 2x", "does not name its board"),
        ("* board 2x3", "* bored 2x3", "does not name its board"),
        ("* #variable", "\u{feff}* #variable", "expected"),
        ("* #variable", "\n* #variable", "expected"),
    ]
    .iter()
    .map(edit)
    .collect();
    forgeries.push(veripb(&format!("{formula}{formula}"), &proof, "should end"));
    forgeries.push(veripb(formula.trim_end(), &proof, "expected"));
    forgeries.push(veripb("", &proof, "does not name its board"));
    all_refused_with("formulas for VeriPB", 30, &forgeries, Some(&programs));
}

#[test]
fn proofs_for_veripb() {
    let (_folder, programs) = program("veripb", VERIPB);
    let (formula, proof) = for_veripb();
    let step = |step: &str, says: &str| {
        let text = proof.replacen("\nf ", &format!("\n{step}\nf "), 1);
        assert_ne!(text, proof);
        veripb(&formula, &text, says)
    };
    let mut forgeries = vec![
        step("a 1 x1 >= 1;", "assumptions"),
        step("\ta 1 x1 >= 1;", "assumptions"),
        step("rup >= 1;a 1 x1 >= 1;", "assumptions"),
        step("@b a 1 x1 >= 1;", "assumptions"),
        step("1a 1 x1 >= 1;", "assumptions"),
        step("a% so it is\n1 x1 >= 1;", "assumptions"),
        step("% so\n a\n1 x1 >= 1;", "assumptions"),
        step("* a 1 x1 >= 1;", "assumptions"),
        step("% so\ra 1 x1 >= 1;", "control character"),
        step("% so\r\na 1 x1 >= 1;", "control character"),
        step("% so\u{b}a 1 x1 >= 1;", "control character"),
        step("% so\u{c}a 1 x1 >= 1;", "control character"),
        step("% so\0a 1 x1 >= 1;", "control character"),
        step("% so\u{85}a 1 x1 >= 1;", "control character"),
    ];
    for (old, new, says) in [
        ("version 3.0", "version 2.0", "does not begin with"),
        ("version 3.0", "version 3.0 ", "does not begin with"),
        ("version 3.0\n", "version 3.0", "does not begin with"),
        ("pseudo-Boolean proof version", "\u{feff}pseudo-Boolean proof version", "does not begin with"),
        ("end pseudo-Boolean proof;\n", "", "is incomplete"),
        ("end pseudo-Boolean proof;\n", "end pseudo-Boolean proof\n", "is incomplete"),
        ("end pseudo-Boolean proof;\n", "% end pseudo-Boolean proof;\n", "is incomplete"),
        ("end pseudo-Boolean proof;\n", "end pseudo-Boolean proof;\nrup >= 1;\n", "is incomplete"),
    ] {
        assert!(proof.contains(old), "{old}");
        forgeries.push(veripb(&formula, &proof.replacen(old, new, 1), says));
    }
    forgeries.push(veripb(&formula, "", "does not begin with"));
    all_refused_with("proofs for VeriPB", 20, &forgeries, Some(&programs));
}

#[test]
fn verdicts_of_veripb() {
    let (formula, proof) = for_veripb();
    for (words, says) in [
        ("s VERIFIED BOUNDS -3 <= obj <= -2", "do not answer the question"),
        ("s VERIFIED BOUNDS -2 <= obj <= INF", "do not answer the question"),
        ("s VERIFIED BOUNDS 2 <= obj <= 2", "but the formula asks"),
        ("s VERIFIED UNSATISFIABLE", "but the formula asks"),
        ("s VERIFIED SATISFIABLE", "did not verify"),
        ("s VERIFIED NO CONCLUSION", "did not verify"),
        (" s VERIFIED BOUNDS -2 <= obj <= -2", "did not verify"),
        ("c s VERIFIED BOUNDS -2 <= obj <= -2", "did not verify"),
        ("s VERIFIED BOUNDS -2 <= obj <= -2\\ns VERIFIED BOUNDS -2 <= obj <= -2", "did not verify"),
        ("s VERIFIED BOUNDS -2 <= obj <= -2\\nWarning: The proof used unchecked assumptions.", "assumptions"),
        ("", "did not verify"),
    ] {
        let script =
            VERIPB.replace("echo 's VERIFIED BOUNDS -2 <= obj <= -2'", &format!("printf '{words}\\n'"));
        let (_folder, programs) = program("veripb", &script);
        all_refused_with("verdicts of VeriPB", 1, &[veripb(&formula, &proof, says)], Some(&programs));
    }
}

const CLAUSES: &str = "c board 2^2
c at least 2
c variables 1 to 4: its squares in lexicographic order; the others count them
p cnf 10 16
-1 -2 0
-1 -3 0
-1 -4 0
-2 -3 0
-2 -4 0
-3 -4 0
-5 1 0
-6 5 2 0
-7 2 0
-7 5 0
-8 6 3 0
-9 7 3 0
-9 6 0
-10 9 4 0
-10 8 0
10 0
";

fn drat(formula: &str, says: &str) -> Forgery {
    Forgery {
        files: vec![("a.cnf", formula.into()), ("a.drat", b"a\0".to_vec())],
        arguments: ["check", "a.drat"].map(str::to_owned).to_vec(),
        says: says.to_owned(),
    }
}

#[test]
fn formulas_for_rate() {
    let (_folder, programs) = program("rate", RATE);
    let edit = |&(old, new, says): &(&str, &str, &str)| {
        assert!(CLAUSES.contains(old), "{old}");
        drat(&CLAUSES.replacen(old, new, 1), says)
    };
    let forgeries: Vec<Forgery> = [
        ("c board 2^2", "c board 3^2", "is not that of 3^2"),
        ("c board 2^2", "c board rook:2^2", "is not that of rook:2^2"),
        ("c board 2^2", "c board 2x2", "is not that of 2^2"),
        ("c board 2^2", "c board 02^2", "is not that of 2^2"),
        ("c board 2^2", "c board 2^2 ", "does not say"),
        ("c board 2^2", "\u{feff}c board 2^2", "does not say"),
        ("c board 2^2\n", "c board 2^2\r\n", "is not that of 2^2"),
        ("c at least 2", "c at least 1", "is not that of 2^2 and 1"),
        ("c at least 2", "c at least 02", "does not say"),
        ("c at least 2", "c at least +2", "does not say"),
        ("c at least 2", "c at least 0", "does not say"),
        ("c at least 2", "c at least 18446744073709551618", "does not say"),
        ("p cnf 10 16", "p cnf 10 17", "is not that of 2^2"),
        ("-1 -2 0\n", "", "is not that of 2^2"),
        ("-1 -2 0\n", "-2 -1 0\n", "is not that of 2^2"),
        ("-1 -2 0\n", "-01 -2 0\n", "is not that of 2^2"),
        ("-1 -2 0\n", "-1  -2 0\n", "is not that of 2^2"),
        ("10 0\n", "10 0\n-10 0\n", "is not that of 2^2"),
        ("10 0\n", "10 0", "is not that of 2^2"),
        ("10 0\n", "", "is not that of 2^2"),
    ]
    .iter()
    .map(edit)
    .collect();
    all_refused_with("formulas for rate", 20, &forgeries, Some(&programs));
}

#[test]
fn verdicts_and_names_of_rate() {
    for (introduction, words, says) in [
        ("rate 0.3.0", "s NOT VERIFIED", "did not verify"),
        ("rate 0.3.0", "s VERIFIED ", "did not verify"),
        ("rate 0.3.0", " s VERIFIED", "did not verify"),
        ("rate 0.3.0", "s VERIFIED\\ns VERIFIED", "did not verify"),
        ("rate 0.3.0", "", "did not verify"),
        ("rate", "s VERIFIED", "is not the proof checker"),
        ("rate 1.0.0", "s VERIFIED", "is not the proof checker"),
        ("rate 0.3.0 fork", "s VERIFIED", "is not the proof checker"),
        ("rate version 0.3.0", "s VERIFIED", "is not the proof checker"),
        ("veripb 3.0.2", "s VERIFIED", "is not the proof checker"),
        ("s VERIFIED", "s VERIFIED", "is not the proof checker"),
    ] {
        let script =
            format!("if [ \"$1\" = --version ]; then echo '{introduction}'; exit; fi\nprintf '{words}\\n'");
        let (_folder, programs) = program("rate", &script);
        all_refused_with("verdicts of rate", 1, &[drat(CLAUSES, says)], Some(&programs));
    }
}
