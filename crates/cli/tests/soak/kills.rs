//! Repeatedly kills commands that store their work.

use std::time::Duration;

use rand::RngExt as _;

use crate::bench::Bench;

/// Command that stores its work in a folder or a file.
struct Work {
    /// Commands that run before it.
    first: &'static [&'static str],
    line: &'static str,
    /// Folder with the finished work.
    kept: &'static str,
    /// Text in its final output. `then` contains the commands that run after it, each with a text in its
    /// output.
    says: &'static str,
    then: &'static [(&'static str, &'static str)],
}

pub(crate) const EXPERIMENT: &str = "title = \"Two\"\nsource = \"a test\"\n[defaults]\nseeds = 3\n[[runs]]\n\
    boards = [\"2^3\", \"3^3\"]\nformulations = [\"base\"]\n";

const WORKS: [Work; 7] = [
    Work {
        first: &[],
        line: "prove 6^3 --work w --proof p.gz",
        kept: "w",
        says: "alpha(6^3) = 21: proved",
        then: &[("check p.gz", "at most 21 queens fit on 6^3")],
    },
    Work {
        first: &["prove split 6^3 --at-least 22 --parts 40 -o d"],
        line: "prove run d --all",
        kept: "d",
        says: "",
        then: &[
            ("prove join d -o p.gz", "at most 21 queens fit on 6^3: proved"),
            ("check p.gz", "at most 21"),
        ],
    },
    Work {
        first: &[],
        line: "--json count three:10 --exactly 14 --work w",
        kept: "w",
        says: "[[1,71204],[2,155]]",
        then: &[],
    },
    Work {
        first: &[],
        line: "--json colour 11^2 --count --work w",
        kept: "w",
        says: "\"colourings\":8,",
        then: &[],
    },
    Work {
        first: &[],
        line: "lab run e.toml -o d",
        kept: "d",
        says: "6 of 6 runs done, 0 failed",
        then: &[("lab table d", "| 3^3 | 4 |")],
    },
    Work {
        first: &[],
        line: "find 7^3 --method search --rounds 20 -o best.txt",
        kept: ".",
        says: "on 7^3, checked",
        then: &[("check best.txt", "7^3")],
    },
    Work {
        first: &[],
        line: "prove estimate 6^3 --at-least 22 --samples 100 --work w",
        kept: "w",
        says: "whether 22 queens fit on 6^3",
        then: &[("prove 6^3 --work w", "alpha(6^3) = 21: proved")],
    },
];

/// Returns the number of complete lines in the files that are written line by line.
fn lines(bench: &Bench, folder: &str) -> usize {
    ["runs.jsonl", "done.jsonl"]
        .map(|name| bench.read(&format!("{folder}/{name}")).iter().filter(|&&byte| byte == b'\n').count())
        .iter()
        .sum()
}

pub(crate) fn attack(bench: &mut Bench) {
    let work = bench.one(&WORKS);
    bench.write("e.toml", EXPERIMENT);
    for first in work.first {
        bench.answers(first, 0, "");
    }
    for _ in 0..bench.random.random_range(1..8) {
        let (names, before) = (bench.names(work.kept), lines(bench, work.kept));
        let mut child = bench.start(work.line);
        let pause = Duration::from_micros(bench.random.random_range(100..150_000));
        std::thread::sleep(pause);
        let ended = child.try_wait().expect("a child").is_some();
        child.kill().expect("it runs or has ended");
        child.wait().expect("ends");
        bench.counts.kills += u64::from(!ended);
        let after = bench.names(work.kept);
        if let Some(lost) = names.iter().find(|name| !after.contains(name)) {
            bench.fail(&format!("ndq {}: {lost} is lost by a kill after {pause:?}", work.line));
        }
        if lines(bench, work.kept) < before {
            bench.fail(&format!("ndq {}: lines are lost by a kill after {pause:?}", work.line));
        }
        if ended {
            break;
        }
    }
    let done = bench.answers(work.line, 0, work.says);
    if done.said.contains("damaged") || done.said.contains("do not match its digest") {
        bench.fail(&format!("ndq {}: a kill has damaged something: {}", work.line, done.said));
    }
    for (line, says) in work.then {
        bench.answers(line, 0, says);
    }
}
