//! Numbers in a noncanonical form, at each place of proofs and bounds that contains a number.

use crate::sums::BOUND;
use crate::trees::{BRANCHES, CUBE};
use crate::{Forgery, all_refused};

/// Returns spellings of a number that other formats allow, and numbers that do not fit in 64 bits.
fn others(digits: &str) -> Vec<String> {
    let wide = digits.chars().filter_map(|c| char::from_u32(c as u32 + 0xfee0)).collect();
    vec![
        format!("+{digits}"),
        format!("0{digits}"),
        format!("-{digits}"),
        format!(" {digits}"),
        format!("{digits} "),
        format!("{digits}.0"),
        format!("0x{digits}"),
        format!("{digits}e0"),
        format!("{digits}_"),
        format!("1844674407370955161{digits}6"),
        wide,
    ]
}

#[test]
fn numbers() {
    let places = [
        (&CUBE, "at most ", "4", "\n"),
        (&CUBE, "box 1x2x3 ", "2", " lines"),
        (&CUBE, "box 1x2x", "3", " 2 lines"),
        (&CUBE, "cut ", "3", " 1"),
        (&CUBE, "cut 3 ", "1", "\n"),
        (&CUBE, "slab 2 0-", "0", " 1\n"),
        (&CUBE, "slab 2 0-0 ", "1", "\n"),
        (&CUBE, "orbit 6 1,-2,", "3", " 1,3,2"),
        (&CUBE, "cover 0 1,3,", "4", ",5,7"),
        (&CUBE, "cover 2 ", "6", ",7,8,16"),
        (&BRANCHES, "/ 0 ", "1", " 2"),
        (&BRANCHES, "sum 2 ", "1", "*6,8"),
        (&BRANCHES, "sum ", "1", " 1*1-2x1-2"),
        (&BRANCHES, "1*1-", "2", "x1-2"),
        (&BOUND, "at most ", "4", "\n"),
        (&BOUND, "needs 2^3 ", "1", "\n"),
        (&BOUND, "clique ", "4", " 0,0,0"),
        (&BOUND, "box 1/", "2", " 1 0"),
        (&BOUND, "2x2x2 ", "2", "\n"),
        (&BOUND, "0,0,1 0,", "1", ",0"),
    ];
    let mut forgeries = Vec::new();
    for (genuine, before, number, after) in places {
        genuine.is_accepted();
        let old = format!("{before}{number}{after}");
        assert!(genuine.text.contains(&old), "{old}");
        for other in others(number) {
            // A minus sign is valid in a symmetry.
            if before.contains("-2,") && other.starts_with('-') {
                continue;
            }
            let text = genuine.text.replacen(&old, &format!("{before}{other}{after}"), 1);
            forgeries.push(Forgery::check(genuine.file, text, "line "));
        }
    }
    all_refused("numbers", 200, &forgeries);
}
