//! Runs several commands that change the same file or folder at the same time, and kills some of them.

use std::time::Duration;

use rand::RngExt as _;
use rand::seq::SliceRandom as _;

use crate::bench::Bench;
use crate::kills::EXPERIMENT;

const BOXES: [&str; 6] = ["2^3", "2x2x3", "bishop:2^3", "rook:2^3", "2^4", "2x5"];

/// Boards whose proofs each show rows that the proofs of the others do not show.
const PROVED: [&str; 5] = ["2^3", "3^3", "4^3", "3^4", "5^3"];

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
            } else {
                let ended = bench.wait(child, line);
                if ended.code != 0 {
                    bench.fail(&format!("ndq {line} failed beside others: {}{}", ended.out, ended.said));
                }
            }
        }
    };
    match bench.random.random_range(0..6) {
        0 => {
            together(bench, &BOXES.map(|board| format!("table boxes {board} -o t.csv")));
            let before = bench.read("t.csv");
            let survivors = &BOXES[usize::from(kill)..];
            for board in survivors {
                bench.answers(&format!("table boxes {board} -o t.csv"), 0, "");
            }
            if bench.read("t.csv") != before {
                bench.fail("rows of a table of boxes were lost");
            }
        }
        1 => {
            together(
                bench,
                &[0, 1, 2]
                    .map(|seed| format!("find 9^3 --method search --rounds 3 --seed {seed} -o best.txt")),
            );
            let text = String::from_utf8(bench.read("best.txt")).unwrap_or_default();
            let size = text.lines().find_map(|line| line.strip_prefix("size: ")?.parse::<u64>().ok());
            bench.answers("check best.txt", 0, "9^3");
            for seed in usize::from(kill)..3 {
                let line = format!("--json find 9^3 --method search --rounds 3 --seed {seed}");
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
            let files = bench.names("d").into_iter().filter(|name| name.starts_with("runs"));
            let lines = |name| bench.read(&format!("d/{name}")).iter().filter(|&&byte| byte == b'\n').count();
            if files.map(lines).sum::<usize>() != 6 {
                bench.fail("runs were made twice or lost");
            }
        }
        3 => {
            for board in PROVED {
                bench.answers(&format!("prove {board} --proof {board}.gz"), 0, "");
            }
            together(bench, &PROVED.map(|board| format!("archive add {board}.gz --data l")));
            let kept = bench.answers("archive verify --data l", 0, "").out;
            for board in &PROVED[usize::from(kill)..] {
                if !kept.contains(&format!("alpha({board}) <=")) {
                    bench.fail(&format!("the row of {board} was lost:\n{kept}"));
                }
            }
        }
        4 => {
            bench.answers("prove 6^3 -o 21", 0, "");
            let best = String::from_utf8(bench.read("21")).unwrap_or_default();
            let (head, last) = best.trim_end().rsplit_once('\n').expect("rows");
            bench.write("20", format!("{}\n", head.replace("size: 21", "size: 20")));
            bench.write("21", format!("{head}\n{last}\n"));
            let mut files = ["20", "21", "20", "21", "20", "20"];
            files.shuffle(&mut bench.random);
            together(bench, &files.map(|file| format!("archive add {file} --data s")));
            bench.answers("check s/certificates/6^3.txt", 0, "21 squares of 6^3");
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
