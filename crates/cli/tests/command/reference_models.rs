//! `ndq model` reproduces the files in `models/reference` byte for byte.
//!
//! After an intended change, `NDQ_RENEW=1 cargo test --profile ci --test command reference` rewrites them.

use std::path::Path;

use crate::harness::Desk;

const FILES: [(&str, &str); 8] = [
    ("3^3-base.lp", "3^3 -f base"),
    ("3^3-base.mps", "3^3 -f base"),
    ("3^3-cube.lp", "3^3 -f cube"),
    ("3^3-cube.mps", "3^3 -f cube"),
    ("3^3-all.lp", "3^3 -f all"),
    ("3^3-all.mps", "3^3 -f all"),
    ("2x3x4-cube-star.lp", "2x3x4 -f cube-star"),
    ("3^3-cube-at-least-5.lp", "3^3 -f cube --at-least 5"),
];

#[test]
fn reference_files_are_reproduced_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/reference");
    let desk = Desk::new();
    for (name, arguments) in FILES {
        desk.ndq(&format!("model {arguments} -o {name}")).success();
        let written = desk.read(name);
        if std::env::var_os("NDQ_RENEW").is_some() {
            std::fs::write(folder.join(name), &written).expect("writable");
        }
        let kept = std::fs::read_to_string(folder.join(name)).expect(name);
        assert!(written == kept, "`ndq model {arguments} -o {name}` differs from models/reference/{name}");
    }
    let listed = std::fs::read_dir(folder).expect("the folder");
    let others = listed.map(|entry| entry.expect("an entry").file_name()).filter(|name| name != "README.md");
    assert_eq!(others.count(), FILES.len(), "every reference file is listed here");
}
