//! The exact engine as the workflows use it: its settings, and the folder of its boxes.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;

use ndqueens_control::Control;
use ndqueens_exact::box_cache::BoxCache;
use ndqueens_exact::table::Entry;
use ndqueens_exact::{Settings, Step};
use ndqueens_files::{self as files, FileError, note, sealed};
use ndqueens_model::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;

use super::Event;

/// Who finds placements and proofs here, as certificates name it.
pub const FOUND_BY: &str = concat!("exact engine ", env!("CARGO_PKG_VERSION"));

/// The engine with all its means, but without proofs; with the seed, the threads and the limit on nodes of the options.
pub(crate) fn settings<'a>(options: &Options, control: &'a Control) -> Settings<'a> {
    Settings {
        seed: u64::from(options.seed),
        threads: options.threads.unwrap_or(1) as usize,
        node_limit: options.node_limit.unwrap_or(u64::MAX),
        heuristics: Some(&Heuristics),
        lp: Some(&Simplex),
        ..Settings::new(control)
    }
}

/// A folder of settled boxes, a packed file each.
#[derive(Debug)]
pub(crate) struct BoxFolder(PathBuf);

impl BoxFolder {
    pub(crate) fn make(folder: &Path) -> Result<Self, FileError> {
        files::make_folder(folder)?;
        let made = Self(folder.to_owned());
        files::writable(&made.path("box")).map_err(|fault| fault.of(folder))?;
        Ok(made)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.box.gz"))
    }
}

impl BoxCache for BoxFolder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        let path = self.path(name);
        match files::open_plain(&path).and_then(|file| sealed::read(BufReader::new(file))) {
            Ok(text) => Ok(Some(Box::new(text))),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(FileError::new("read", &path, fault).into()),
        }
    }

    fn keep(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        Ok(sealed::write(&self.path(name), |out| fill(out))?)
    }

    fn refuse(&self, name: &str, why: &str) {
        note::report(&format!("{} is damaged ({why}); the box is settled again", self.path(name).display()));
    }
}

/// Reports a box that took long.
pub(crate) fn report_box(events: &Sender<Event>, step: Step<'_>) {
    let Step { sides, entry: Entry { lower, upper, nodes, .. } } = step;
    if nodes >= WORTH_A_LINE {
        let board = BoardName::queen(sides);
        let queens = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
        // Nobody listens any more when the run was stopped.
        let _ = events.send(Event::Stage(format!("box {board}: {queens} queens, {nodes} nodes")));
    }
}

/// How many nodes a box must take to be reported.
const WORTH_A_LINE: u64 = 50_000;
