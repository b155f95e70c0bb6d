//! Runs commands on a full disk: on a small file system if this process may mount one, otherwise with a limit
//! on the size of files.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use rand::RngExt as _;

use crate::bench::Bench;
use crate::kills::EXPERIMENT;

/// Small file system, which is unmounted on drop.
struct Small(PathBuf);

impl Small {
    fn mounted(bench: &Bench, kib: u32) -> Option<Self> {
        let folder = bench.path("small");
        std::fs::create_dir_all(&folder).expect("writable");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "none"]).arg(&folder);
        let done = mount.stdout(Stdio::null()).stderr(Stdio::null()).status();
        done.is_ok_and(|status| status.success()).then_some(Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

const COMMANDS: [(&str, &str); 6] = [
    ("prove 6^3 --work small/w --proof small/p.gz", "alpha(6^3) = 21: proved"),
    ("table boxes 4^3 -o small/t.csv", ""),
    ("--json count three:10 --exactly 14 --work small/w", "[[1,71204],[2,155]]"),
    ("--json colour 11^2 --count --work small/w", "\"colourings\":8,"),
    ("lab run e.toml -o small/d", "6 of 6 runs done, 0 failed"),
    ("find 7^3 --method search --rounds 5 -o small/best.txt", "on 7^3, checked"),
];

pub(crate) fn attack(bench: &mut Bench) {
    bench.write("e.toml", EXPERIMENT);
    let &(line, says) = bench.one(&COMMANDS);
    let kib = bench.random.random_range(4..200);
    let small = Small::mounted(bench, kib);
    for _ in 0..2 {
        let child = if small.is_some() {
            bench.start(line)
        } else {
            bench.counts.commands += 1;
            let mut shell = Command::new("sh");
            // SIGXFSZ is ignored so that a write beyond the limit fails as on a full disk.
            shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {}; exec \"$0\" {line}", kib / 16)]);
            shell.arg(assert_cmd::cargo::cargo_bin!("ndq")).current_dir(bench.path(""));
            shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs")
        };
        let ended = bench.wait(child, line);
        bench.counts.full_disks += u64::from(ended.code == 4);
        match ended.code {
            0 if ended.out.contains(says) => {}
            4 if ended.said.contains("error") || ended.out.contains("failed") => {}
            code => bench.fail(&format!("ndq {line} in {kib} KiB: {code}\n{}{}", ended.out, ended.said)),
        }
    }
    // With enough space, the command resumes from the files that exist.
    if let Some(Small(folder)) = &small {
        let status = Command::new("mount").args(["-o", "remount,size=64m"]).arg(folder).status();
        assert!(status.is_ok_and(|status| status.success()));
    }
    if line.starts_with("lab") {
        // `--retry` repeats the runs that failed because the disk was full.
        bench.answers(&format!("{line} --retry"), 0, says);
    } else {
        bench.answers(line, 0, says);
    }
}
