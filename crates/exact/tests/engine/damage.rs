//! Tests that damaged proofs are rejected, and that the statement of each accepted proof is true.

use std::collections::HashMap;

use ndqueens_crosscheck::count;
use ndqueens_crosscheck::proof::{ProofError, ProofResult};
use ndqueens_exact::{Components, Relax, Settings};
use ndqueens_notation::name::BoardName;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

use crate::{SETTINGS, check_about, draw, maximum_with_proof, name};

fn check(proof: &str) -> Result<ProofResult, ProofError> {
    check_about(&name("1^1"), proof.as_bytes())
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
    // Order of the lines, end, and header.
    refused(&whole[..whole.len() / 2], "");
    refused(&whole[..whole.len() - 1], "cut off");
    refused(&whole.replace("\nend\n", "\n"), "too early");
    refused(&(whole.clone() + "end\n"), "must end");
    refused(&whole.replace("proof 2", "proof 1"), "must begin");
    refused(&whole.replace("board 4^3", "board 5^3"), "without a bound of 5^3");
    refused(&whole.replace("board 4^3", "board rook:4^3"), "");
    refused(&whole.replace("at most 7", "at most 6"), "shows at most 7, not 6");
    // A bound of a box that is too small by one, or is missing.
    let cut = find("box 2x3x4 4 cut");
    refused(&with(cut, &lines[cut].replace(" 4 cut", " 3 cut")), "not 3");
    refused(&without(find("box 2x2x2")), "");
    let searched = find("box 3x3x4 5 search");
    refused(&with(searched, "box 3x3x4 4 search"), "");
    // Missing regions, invalid letters, one node too many or too few, and a node that leaves the tree open.
    let nodes = (0..lines.len()).rfind(|&k| lines[k].starts_with("nodes ")).expect("nodes");
    refused(&with(nodes, "nodes z"), "column 7: there is no region 25");
    refused(&with(nodes, "nodes 99+"), "there is no region 99");
    refused(&with(nodes, "nodes 0+"), "region 0 is written as a letter");
    refused(&with(nodes, "nodes 26"), "a letter, or a number with + or - after it");
    refused(&with(nodes, "nodes !"), "a letter, or a number");
    refused(&with(nodes, "nodes"), "expected \"nodes letters\"");
    refused(&with(nodes, &format!("{}a", lines[nodes])), "the tree has no more nodes");
    refused(&with(nodes, &lines[nodes][..lines[nodes].len() - 1]), "");
    refused(&without(nodes), "not finished");
    refused(&with(nodes, "cover 0 /"), "is free, not covered");
    refused(&with(nodes, "cover 99 /"), "no region 99");
    refused(&with(nodes, "cover 0 0,1,2,3,4,5,6,7,8,9,10,11 /"), "do not attack each other");
    refused(&with(nodes, "cover 0 0 1 2 3 4 5 6 7 8 9 /"), "may be covered by at most");
    refused(&with(find("order "), "order z"), "expected");
    refused(&without(find("order ")), "expected");
    // Invalid symmetries, and symmetries that move the queens placed.
    let orbit = (searched..).find(|&k| lines[k].starts_with("orbit ")).expect("an orbit");
    refused(&with(orbit, &format!("{} 2,1,9", lines[orbit])), "not a signed permutation");
    refused(&with(orbit, &format!("{} 1,1,2", lines[orbit])), "");
    let deep = (orbit + 1..)
        .find(|&k| lines[k].starts_with("orbit ") && lines[k - 1].starts_with("orbit "))
        .expect("below it");
    refused(&with(deep, &format!("{} -1,-2,-3", lines[deep])), "moves the free squares");
    // Slabs that do not lie at a face, or across an axis that does not exist.
    let slab = find("slab");
    refused(&with(slab, "slab 1 7-7 1"), "layers of a slab are from 0 to");
    refused(&with(slab, "slab 10 0-0 1"), "no axis");
}

#[test]
fn truncated_proofs_are_refused() {
    for board in ["3^3", "2x3x4", "torus:3^2", "bishop:3x4"] {
        let (_, whole) = maximum_with_proof(&name(board), &SETTINGS);
        check(&whole).expect("whole");
        for end in 0..whole.len() {
            assert!(check(&whole[..end]).is_err(), "{board}: {end} of {} bytes", whole.len());
        }
    }
}

#[test]
fn numbers_do_not_overflow() {
    let refused = |board: &str, steps: &str, words: &str| {
        let proof = format!("ndqueens proof 2\nboard {board}\n{steps}at most 0\nend\n");
        let fault = check(&proof).expect_err(steps).to_string();
        assert!(fault.contains(words), "{fault} instead of {words}");
    };
    let half = 1u64 << 63;
    refused(
        "1x1x2",
        &format!("box 1x1x1 {half} lines\nbox 1x1x2 0 cut 3 1\n"),
        "18446744073709551616 queens",
    );
    refused(
        "2^3",
        &format!("box 2x2x2 {} search\norder morton\ncover 0 /\n", u64::MAX),
        "less than 2^64 - 1",
    );
    let side = 1u32 << 31;
    refused(
        "2^4",
        &format!("box {side}x{side}x{side}x{side} 0 lines\n"),
        "9903520314283042199192993792 queens",
    );
    refused("2^3", "box 1x1 0 search\norder morton\ncover 0 /\n", "has 3 sides");
    refused(
        "2^3",
        "box 2x2x2 0 search\norder lexicographic\nslab 1 4294967295-4294967295 0\ncover 0 /\n",
        "layers of a slab are from 0 to",
    );
}

#[test]
fn damaged_fractional_covers_are_refused() {
    let proof = |step: &str| {
        format!(
            "ndqueens proof 2\nboard 2x4\nbox 1x1 1 lines\nbox 1x2 1 lines\nbox 2x2 1 search\norder morton\nnodes a\n\
             box 2x4 2 search\norder lexicographic\n{step}\nat most 2\nend\n"
        )
    };
    for step in [
        "sum 1 1*0-1x0-1 1*0-1x2-3 /",
        "sum 2 2*0-1x0-1 1*2,3,6,7 1*0-1x2-3 /",
        "sum 7 7*0-1x0-1 / 2 3 6 7\ncover 0 4 /\ncover 0 4,5 /\ncover 0 0 /\nsum 3 3*0,1 /",
    ] {
        assert_eq!(check(&proof(step)).expect(step).at_most(), Some(2));
    }
    let refused = |step: &str, words: &str| {
        let fault = check(&proof(step)).expect_err(step).to_string();
        assert!(fault.contains(words), "{fault} instead of {words}");
    };
    refused("sum 1 1*0-1x0-1 1*0-1x1-2 /", "not covered, and not that of a child");
    refused("sum 2 2*0-1x0-1 1*0-1x2-3 /", "not covered, and not that of a child");
    refused("sum 1 2*0-1x0-1 1*0-1x2-3 /", "not less than the 3 required");
    refused("sum 0 1*0-1x0-1 1*0-1x2-3 /", "denominator of a sum must be positive");
    refused("sum 1 1*0-1x0-3 /", "no bound of 2x4 has been proved");
    refused("sum 1 1*0-1x0-2 1*3,7 /", "no bound of 2x3 has been proved");
    for outside in ["0-1x3-4", "1-0x0-1", "0-1", "0-1x0-1x0-0"] {
        refused(&format!("sum 1 1*{outside} /"), "not a box inside the board");
    }
    refused("sum 1 1*0,6 1*0-1x2-3 /", "do not attack each other");
    refused("sum 1 1*0,0 1*0-1x2-3 /", "is listed twice");
    refused("sum 1 1*9 /", "no square 9");
    refused("sum 1 0-1x0-1 1*0-1x2-3 /", "not a row with its multiplier");
    refused("sum 1 -1*0-1x0-1 1*0-1x2-3 /", "not a number");
    refused("sum 1 1*0-1x0-1 1*0-1x2-3", "squares of the children after the cover");
    refused(
        "sum 1 1*0-1x0-1 / 2 3 6\ncover 0 4 /\ncover 0 4,5 /\ncover 0 0 /",
        "not covered, and not that of a child",
    );
    let most = u64::MAX;
    refused(&format!("sum 1 {most}*0-1x0-1 {most}*0-1x0-1 1*0-1x2-3 /"), "not less than the 3 required");
    refused(&format!("sum {most} {most}*0-1x0-1 1*0-1x2-3 /"), "is free, not covered");
    refused(&format!("sum 1 1*0-1x0-1 /{}", " 2".repeat(9)), "more children than there are squares");
    let long = check(&proof(&format!("sum 1 {} /", "9".repeat(1000)))).expect_err("no row").to_string();
    assert!(long.len() < 500 && long.contains("\"999") && long.ends_with("999..."), "{long}");
    refused("sum 1 \x1b[2K9 /", "column 7: this is a control character");
    let torus = "ndqueens proof 2\nboard torus:2^2\nsearch 1\norder lexicographic\nsum 1 1*0-1x0-1 /\nat most 1\nend\n";
    assert!(check(torus).expect_err("no boxes there").to_string().contains("not a plain box"));
}

/// Returns a proof with random changes of words, numbers and squares, and with lines removed,
/// repeated or swapped.
fn damage_at_random(random: &mut ChaCha8Rng, whole: &[&str]) -> String {
    let mut lines: Vec<String> = whole.iter().map(|&line| line.to_owned()).collect();
    for _ in 0..*[1, 1, 1, 2, 3].choose(random).expect("a number") {
        let (here, there) = (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
        match random.random_range(0..12) {
            0 => drop(lines.remove(here)),
            1 => lines.insert(there, lines[here].clone()),
            2 => lines.swap(here, there),
            3 => lines[here] = change_word(random, &lines[here], ' ', &lines[there]),
            4..=7 => lines[here] = change_word(random, &lines[here], ',', &lines[there]),
            _ => {
                let digits = |c: char| c.is_ascii_digit();
                let numbers: Vec<(usize, &str)> = lines[here]
                    .split(|c| !digits(c))
                    .filter(|n| !n.is_empty())
                    .map(|n| (n.as_ptr() as usize - lines[here].as_ptr() as usize, n))
                    .collect();
                let Some(&(at, number)) = numbers.choose(random) else { continue };
                let value: u64 = number.parse().expect("digits");
                let other = if random.random() { value + 1 } else { value.saturating_sub(1) };
                let line = format!("{}{other}{}", &lines[here][..at], &lines[here][at + number.len()..]);
                lines[here] = line;
            }
        }
        if lines.is_empty() {
            break;
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns a line with one of its words removed, repeated, or replaced by a word of another line.
fn change_word(random: &mut ChaCha8Rng, line: &str, separator: char, other: &str) -> String {
    let mut words: Vec<&str> = line.split(separator).collect();
    let here = random.random_range(0..words.len());
    match random.random_range(0..3) {
        0 => drop(words.remove(here)),
        1 => words.insert(here, words[here]),
        _ => words[here] = other.split([' ', ',']).collect::<Vec<_>>().choose(random).expect("a word"),
    }
    words.join(&separator.to_string())
}

/// Damages proofs at random, and asserts that the accepted ones are true. Returns the numbers of accepted and
/// of refused proofs.
fn assert_damaged_proofs(seed: u64, boards: &[BoardName], times: u32) -> (u32, u32) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut maxima = HashMap::new();
    let mut judged = (0, 0);
    for (number, board) in boards.iter().enumerate() {
        let relax = [Relax::LargeTrees, Relax::Always][number % 2];
        let settings = Settings { components: Components { relax, ..Components::ALL }, ..SETTINGS };
        let (_, proof) = maximum_with_proof(board, &settings);
        let lines: Vec<&str> = proof.lines().collect();
        for _ in 0..times {
            let damaged = damage_at_random(&mut random, &lines);
            if damaged == proof {
                continue;
            }
            let Ok(proved) = check_about(board, damaged.as_bytes()) else {
                judged.1 += 1;
                continue;
            };
            let most = *maxima.entry(proved.board().clone()).or_insert_with(|| {
                count::count(proved.board(), &|| false).expect("a small board").independence_number as u64
            });
            assert!(proved.at_most() >= Some(most), "{} holds {most} queens\n{damaged}", proved.board());
            judged.0 += 1;
        }
    }
    judged
}

#[test]
fn accepted_damaged_proofs_are_true() {
    let boards = [
        "3^3",
        "4^3",
        "2x3x4",
        "3x3x4",
        "5^2",
        "rook:3^3",
        "bishop:3x3x2",
        "torus:4^2",
        "4^2",
        "2^4",
        "3x3x3",
    ]
    .map(name);
    let (accepted, refused) = assert_damaged_proofs(1, &boards, 2000);
    assert!(accepted > 100 && refused > 5 * accepted, "{accepted} accepted, {refused} refused");
}

#[test]
fn accepted_damaged_proofs_of_random_boards_are_true() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let boards: Vec<_> = (0..200).map(|draw| draw::board(&mut random, draw % draw::KINDS, 30)).collect();
    let (accepted, refused) = assert_damaged_proofs(3, &boards, 60);
    assert!(accepted > 100 && refused > accepted, "{accepted} accepted, {refused} refused");
}
