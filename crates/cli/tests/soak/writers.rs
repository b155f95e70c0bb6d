//! Several commands change one file or folder at the same time, and some of them are killed.

use std::time::Duration;

use rand::RngExt as _;

use crate::bench::Bench;
use crate::kills::EXPERIMENT;

const BOXES: [&str; 6] = ["2^3", "2x2x3", "bishop:2^3", "rook:2^3", "2^4", "2x5"];

pub(crate) fn attack(bench: &mut Bench) {
    let kill = bench.random.random_bool(0.5);
    let together = |bench: &mut Bench, lines: &[String]| {
        let children: Vec<_> = lines.iter().map(|line| bench.start(line)).collect();
        bench.counts.writers += children.len() as u64;
        for (number, (mut child, line)) in children.into_iter().zip(lines).enumerate() {
            if kill && number == 0 {
                std::thread::sleep(Duration::from_micros(bench.random.random_range(100..50_000)));
                child.kill().expect("it runs or has ended");
                child.wait().expect("ends");
                bench.counts.kills += 1;
            } else if bench.wait(child, line).code != 0 {
                bench.fail(&format!("ndq {line} failed beside others"));
            }
        }
    };
    match bench.random.random_range(0..4) {
        0 => {
            together(bench, &BOXES.map(|board| format!("boxes {board} -o t.csv")));
            let before = bench.read("t.csv");
            let survivors = &BOXES[usize::from(kill)..];
            for board in survivors {
                bench.answers(&format!("boxes {board} -o t.csv"), 0, "");
            }
            if bench.read("t.csv") != before {
                bench.fail("rows of a table of boxes were lost");
            }
        }
        1 => {
            together(
                bench,
                &[0, 1, 2].map(|seed| format!("search 9^3 --rounds 3 --seed {seed} -o best.txt")),
            );
            let text = String::from_utf8(bench.read("best.txt")).unwrap_or_default();
            let size = text.lines().find_map(|line| line.strip_prefix("size: ")?.parse::<u64>().ok());
            bench.answers("check best.txt", 0, "9^3");
            for seed in usize::from(kill)..3 {
                let line = format!("--json search 9^3 --rounds 3 --seed {seed}");
                let found = bench.answers(&line, 0, "").out;
                let queens = found.split("\"queens\":").nth(1).and_then(|rest| rest.split(',').next());
                let queens = queens.and_then(|queens| queens.parse::<u64>().ok());
                if queens.is_none() || queens > size {
                    bench.fail(&format!("{queens:?} queens were found, and the file holds {size:?}"));
                }
            }
        }
        2 => {
            bench.write("e.toml", EXPERIMENT);
            together(bench, &["lab run e.toml -o d"; 3].map(str::to_owned));
            bench.answers("lab run e.toml -o d", 0, "6 of 6 runs done");
            let text = String::from_utf8(bench.read("d/runs.jsonl")).unwrap_or_default();
            if text.lines().count() != 6 {
                bench.fail("runs were made twice or lost");
            }
        }
        _ => {
            let line = "--json colour 11^2 --count --work w";
            together(bench, &[line; 3].map(str::to_owned));
            bench.answers(line, 0, "\"colourings\":8,");
        }
    }
    if bench.names(".").is_empty() {
        bench.fail("nothing was written");
    }
}
