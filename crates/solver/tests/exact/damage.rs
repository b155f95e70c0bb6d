//! Damaged proofs are refused; whatever is accepted is true.

use ndqueens_crosscheck::proof::{self, ProofError, Proved};

use crate::{SETTINGS, maximum_with_proof, name};

fn check(proof: &str) -> Result<Proved, ProofError> {
    proof::check(proof.as_bytes(), &|board| board.parse().map_err(|_| format!("no board {board}")))
}

#[test]
fn damaged_proofs_are_refused() {
    let (_, whole) = maximum_with_proof(&name("4^3"), &SETTINGS);
    let refused = |damaged: &str, words: &str| {
        let fault = check(damaged).expect_err(words).to_string();
        assert!(fault.contains(words), "{fault} instead of {words}");
    };
    let lines: Vec<&str> = whole.lines().collect();
    let find = |part: &str| lines.iter().position(|line| line.contains(part)).expect(part);
    let with = |number: usize, line: &str| {
        let mut lines = lines.clone();
        lines[number] = line;
        lines.join("\n") + "\n"
    };
    let without = |number: usize| {
        let mut lines = lines.clone();
        lines.remove(number);
        lines.join("\n") + "\n"
    };
    // The order of the lines, the end, and what stands at the head.
    refused(&whole[..whole.len() / 2], "");
    refused(&whole[..whole.len() - 1], "cut off");
    refused(&whole.replace("\nend\n", "\n"), "too early");
    refused(&(whole.clone() + "end\n"), "must end");
    refused(&whole.replace("proof 1", "proof 2"), "must begin");
    refused(&whole.replace("board 4^3", "board 5^3"), "without a bound of 5^3");
    refused(&whole.replace("board 4^3", "board rook:4^3"), "");
    refused(&whole.replace("at most 7", "at most 6"), "shows at most 7, not 6");
    // A bound of a box one too small, or missing.
    let cut = find("box 2x3x4 4 cut");
    refused(&with(cut, &lines[cut].replace(" 4 cut", " 3 cut")), "not 3");
    refused(&without(find("box 2x2x2")), "");
    let searched = find("box 3x3x4 5 search");
    refused(&with(searched, "box 3x3x4 4 search"), "");
    // A clique with a pair that does not attack, cliques too many, a square not covered, a branch left out.
    let cover =
        (searched..).find(|&k| lines[k].starts_with("x ") && lines[k].contains(',')).expect("a cover");
    let region = lines[cover].split(' ').nth(1).expect("a region");
    refused(&with(cover, &format!("x {region} 0,1,2,3,4,5,6,7,8,9,10,11")), "do not attack each other");
    refused(&with(cover, &format!("{} 0 1 2 3 4 5 6 7 8 9", lines[cover])), "too many");
    refused(&with(cover, &format!("x {region}")), "not covered");
    refused(&with(cover, "x 99"), "no region 99");
    let branch = (0..lines.len()).find(|&k| lines[k].starts_with("b ")).expect("a branch");
    let (kept, _) = lines[branch].rsplit_once(' ').expect("children");
    refused(&with(branch, kept), "neither covered nor branched on");
    refused(&without(branch + 1), "");
    // A symmetry that is none, or that moves what was decided.
    let orbit = (searched..).find(|&k| lines[k].starts_with("o ")).expect("an orbit");
    refused(&with(orbit, &format!("{} 2,1,9", lines[orbit])), "not a signed permutation");
    refused(&with(orbit, &format!("{} 1,1,2", lines[orbit])), "");
    let deep = (orbit + 1..)
        .find(|&k| lines[k].starts_with("o ") && lines[k - 1].starts_with("o "))
        .expect("below it");
    refused(&with(deep, &format!("{} -1,-2,-3", lines[deep])), "moves the free squares");
    // A slab away from the faces, or of a box that is not bounded.
    let slab = find("slab");
    refused(&with(slab, "slab 0 7 1"), "face");
    refused(&with(slab, "slab 9 0 1"), "no axis");
}
