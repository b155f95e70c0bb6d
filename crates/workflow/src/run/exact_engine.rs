//! Use of the exact engine by the workflows: its settings, and the folder of its boxes.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use ndqueens_exact::box_table::Entry;
use ndqueens_exact::{Settings, Step, WorkStore};
use ndqueens_notation::name::BoardName;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::Heuristics;
use ndqueens_solver::lp::Simplex;
use ndqueens_system::cancel::Control;
use ndqueens_system::file::{self, FileError, sealed};
use ndqueens_system::note::Notes;
use parking_lot::Mutex;

use super::{BoxProgress, BoxesProgress, Event};

/// Name of the engine in certificates.
pub const FOUND_BY: &str = concat!("exact engine ", env!("CARGO_PKG_VERSION"));

/// Returns settings of the engine with all components, but without proofs, and with the seed, threads and
/// node limits of the options.
pub(crate) fn settings<'a>(options: &Options, control: &'a Control) -> Settings<'a> {
    Settings {
        seed: u64::from(options.seed),
        threads: options.threads.unwrap_or(1) as usize,
        node_limit: options.node_limit.unwrap_or(u64::MAX),
        box_limit: options.box_limit.unwrap_or(u64::MAX),
        heuristics: Some(&Heuristics),
        lp: Some(&Simplex),
        ..Settings::new(control)
    }
}

/// Folder of settled boxes, or of parts of a tree: one packed file with a digest for each.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// Word for the content of a file, used as the ending of its name.
    kind: &'static str,
    /// Description of the consequence of a damaged file, for messages.
    again: &'static str,
    notes: Notes,
}

impl WorkFolder {
    pub(crate) fn of_boxes(folder: &Path, notes: &Notes) -> Result<Self, FileError> {
        Self::make(folder, "box", "the box is settled again", notes)
    }

    pub(crate) fn of_parts(folder: &Path, notes: &Notes) -> Result<Self, FileError> {
        Self::make(folder, "part", "the part is searched again", notes)
    }

    fn make(
        folder: &Path,
        kind: &'static str,
        again: &'static str,
        notes: &Notes,
    ) -> Result<Self, FileError> {
        file::make_folder(folder)?;
        let made = Self { path: folder.to_owned(), kind, again, notes: notes.clone() };
        file::writable(&made.path(kind)).map_err(|fault| fault.of(folder))?;
        Ok(made)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}.{}.gz", self.kind))
    }
}

impl WorkStore for WorkFolder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn BufRead>>> {
        let path = self.path(name);
        match file::open_plain(&path).and_then(|file| sealed::read(BufReader::new(file))) {
            Ok(text) => Ok(Some(Box::new(text))),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(FileError::new("read", &path, fault).into()),
        }
    }

    fn store(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        Ok(sealed::write(&self.path(name), |out| fill(out))?)
    }

    fn reject(&self, name: &str, why: &str) {
        self.notes.report(&format!("{} is damaged ({why}); {}", self.path(name).display(), self.again));
    }
}

/// Progress of the engine with the boxes in a board.
#[derive(Debug)]
pub(crate) struct BoxesMonitor<'a> {
    control: &'a Control,
    last: Mutex<Option<Last>>,
    settled: Mutex<Settled>,
}

/// Nodes of the bounded boxes, as the engine counts them in its summary, and the control's count at the last
/// of these boxes. The control's count includes searches whose result was not used.
#[derive(Debug, Default)]
struct Settled {
    nodes: HashMap<Vec<u32>, u64>,
    counted: u64,
}

/// Last bounded box, the time at which it was bounded, and the control's progress at that time.
#[derive(Debug, Clone)]
struct Last {
    known: BoxProgress,
    at: Instant,
    done: f64,
}

impl<'a> BoxesMonitor<'a> {
    pub(crate) fn new(control: &'a Control) -> Self {
        Self { control, last: Mutex::default(), settled: Mutex::default() }
    }

    /// Records a bounded box.
    pub(crate) fn record(&self, step: Step<'_>) {
        let Step { sides, entry: Entry { lower, upper, nodes, .. }, done, boxes } = step;
        let mut settled = self.settled.lock();
        settled.nodes.insert(sides.to_vec(), nodes);
        settled.counted = self.control.nodes();
        drop(settled);
        let board = BoardName::queen(sides);
        let queens = if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") };
        let known = BoxProgress { done, boxes, last: format!("{board}: {queens}") };
        *self.last.lock() = Some(Last { known, at: Instant::now(), done: self.control.done() });
    }

    /// Returns the current progress.
    pub(crate) fn now(&self, seconds: f64) -> Event {
        let last = self.last.lock().clone();
        // Usually, the search of the last box takes longer than those of all other boxes.
        let tree = last.as_ref().filter(|last| last.known.done + 1 == last.known.boxes).and_then(|last| {
            let share = (self.control.done() - last.done).clamp(0.0, 1.0);
            (share > 0.0).then(|| (share, (1.0 - share) / share * last.at.elapsed().as_secs_f64()))
        });
        let known = last.map(|last| last.known);
        let settled = self.settled.lock();
        let under_way = self.control.nodes().saturating_sub(settled.counted);
        let nodes = settled.nodes.values().sum::<u64>() + under_way;
        Event::Boxes(BoxesProgress { known, tree, nodes, seconds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_the_nodes_of_the_summary() {
        use ndqueens_model::board::Board;
        let control = Control::new();
        let monitor = BoxesMonitor::new(&control);
        let board = Board::new(&BoardName::queen(&[4, 4, 4]));
        let settings = settings(&Options::default(), &control);
        let found = ndqueens_exact::maximum(&board, &settings, None, &mut |step| monitor.record(step));
        let found = found.expect("no file is written");
        let Event::Boxes(BoxesProgress { nodes, .. }) = monitor.now(0.0) else { panic!("boxes") };
        assert_eq!(nodes, found.nodes);
    }
}
