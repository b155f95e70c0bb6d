//! Files with a different end, with several documents, or with invalid compression.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::sums::BOUND;
use crate::trees::CUBE;
use crate::{Forgery, all_refused};

fn packed(text: &str) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(text.as_bytes()).expect("in memory");
    packer.finish().expect("in memory")
}

#[test]
fn documents() {
    let mut forgeries = Vec::new();
    for genuine in [CUBE, BOUND] {
        genuine.is_accepted();
        let text = genuine.text;
        let texts = [
            (text.replace('\n', "\r\n"), ""),
            (text.replacen("\nat most", "\r\nat most", 1), "carriage return"),
            (text.replacen("end\n", "end\r\n", 1), "carriage return"),
            (text.replacen("end\n", "end", 1), "cut off"),
            (text.replacen("end\n", "", 1), "ends too early"),
            (format!("{text}\n"), "must end"),
            (format!("{text} "), "must end"),
            (format!("{text}\0"), "must end"),
            (format!("{text}end\n"), "must end"),
            (format!("{text}{text}"), "must end"),
            (format!("{text}# a remark\n"), "must end"),
            (text.replacen("\nat most", "\n\nat most", 1), "the line is empty"),
            (text.replacen("\nat most", "\n# a remark\nat most", 1), "expected"),
            (text.replacen("at most 4", "at  most 4", 1), "separated by one space"),
            (text.replacen("at most 4", "at most 4 ", 1), "separated by one space"),
            (text.replacen("at most 4", " at most 4", 1), "separated by one space"),
            (text.replacen("at most 4", "at most\t4", 1), "this is a tab"),
            (text.replacen("at most 4", "at most\u{a0}4", 1), "expected"),
            (text.replacen("at most 4", "at most 4\u{b}", 1), "control character"),
            (text.replacen("at most 4", "at most 4\u{1b}[2J", 1), "control character"),
            (text.replacen("\nboard", "\n\u{feff}board", 1), "expected"),
            (text.replacen("\nboard", "0\nboard", 1), "must begin with"),
            (text.replacen("\nboard", " \nboard", 1), "must begin with"),
            (text.replacen("\nboard", "\nboard 3^3\nboard", 1), "expected"),
            (text.replacen("3^3\n", "3^3 \n", 1), "board"),
        ];
        forgeries.extend(texts.map(|(text, says)| Forgery::check(genuine.file, text, says)));
        // With a byte order mark before the first word, the file has an unknown type.
        forgeries.push(Forgery::check(genuine.file, format!("\u{feff}{text}"), genuine.file));
        forgeries.push(Forgery::check(genuine.file, format!("\n{text}"), genuine.file));
        let mut latin = text.as_bytes().to_vec();
        latin.insert(text.find("at most").expect("there"), 0xff);
        forgeries.push(Forgery::check(genuine.file, latin, "UTF-8"));
    }
    all_refused("documents", 50, &forgeries);
}

#[test]
fn packed_documents() {
    let whole = packed(CUBE.text);
    let (first, second) = CUBE.text.split_at(CUBE.text.find("box 2x3x3").expect("there"));
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let size = whole.len();
    let forgeries = [
        ([packed(first), packed(second)].concat(), "follows the end"),
        ([whole.clone(), packed("")].concat(), "follows the end"),
        ([whole.clone(), whole.clone()].concat(), "follows the end"),
        ([whole.clone(), vec![0]].concat(), "follows the end"),
        ([whole.clone(), b"end\n".to_vec()].concat(), "follows the end"),
        (packed(&format!("{}\n", CUBE.text)), "must end"),
        (packed(&CUBE.text.replacen("at most 4", "at most 3", 1)), "shows at most 4"),
        (packed(&CUBE.text.replace('\n', "\r\n")), ""),
        (packed(first), "line"),
        (changed(size - 1), "cannot be read"),
        (changed(size - 4), "cannot be read"),
        (changed(size - 5), "cannot be read"),
        (changed(size - 8), "cannot be read"),
        (whole[..size - 1].to_vec(), "cannot be read"),
        (whole[..size - 8].to_vec(), "cannot be read"),
        (packed(&String::from_utf8_lossy(&packed(CUBE.text))), ""),
    ];
    let forgeries = forgeries.map(|(bytes, says)| Forgery::check("a.proof.gz", bytes, says));
    all_refused("packed documents", 14, &forgeries);
}
