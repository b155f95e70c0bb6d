//! A proof in parts: a folder that says how the tree of one question is cut, in which machines and days may fill in the
//! parts, and from which the proof is put together and checked.
//!
//! - `split.json`: the question, how its tree is cut, and a digest of both.
//! - `boxes.proof.gz`: bounds of the boxes inside, as a proof writes them.
//! - `top.tree.gz`: the tree above the parts, which are marked.
//! - `part-I.proof.gz`: the tree of a part, after a line that says of what it is a part.
//! - `part-I.txt`: queens that fit, a certificate, in place of the tree.
//! - `boxes/`: the boxes settled so far, while the split is not finished; the manifest comes last.
//!
//! Packed files end with their digest. Each file is there in full or not at all. What was being written when a process was killed has a name that begins with
//! `.ndq-`, and counts for nothing. Nothing in the folder is trusted: the proof is checked as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_control::{Control, Deadline, StopReason, with_threads};
use ndqueens_crosscheck::proof::Proved;
use ndqueens_crosscheck::verify;
use ndqueens_exact::proof::{self, HEADER};
use ndqueens_exact::table::{self, BoxTable};
use ndqueens_exact::{Answer, Order, Question, Settings, Slab, Split, Step};
use ndqueens_files::{self as files, FileError, digest, note, packed, sealed};
use ndqueens_model::board::Board;
use ndqueens_model::certificate::{Certificate, Claim};
use ndqueens_model::name::{BoardName, Piece};
use ndqueens_solver::backends::Options;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::parts::Pump;
use crate::record;
use crate::run::check::{can_be_asked, ensure_size};
use crate::run::engine::{BoxFolder, FOUND_BY, report_box, settings};
use crate::run::{Draft, LabError, SplitError, Watch, nodes, run_watched};

/// The number of this layout of folders; a reader refuses others.
pub const LAYOUT: u32 = 3;

/// Nodes of the searches that find out which order of the squares gets on better.
const PROBE_NODES: u64 = 1 << 15;

/// How a question is cut up.
#[derive(Debug, Clone)]
pub struct Cutting {
    /// Whether so many queens fit.
    pub at_least: u64,
    /// The least number of parts, unless the tree has fewer.
    pub parts: usize,
    /// How the boxes inside are bounded: seed, threads, and limit on the nodes for each.
    pub options: Options,
}

/// What defines the parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// [`LAYOUT`].
    pub layout: u32,
    /// The board.
    #[serde(deserialize_with = "record::opened")]
    pub board: BoardName,
    /// SHA-256 of the board file, when the board has one.
    pub board_sha256: Option<String>,
    /// Whether so many queens fit.
    pub at_least: u64,
    /// The order of the squares.
    pub order: Order,
    /// The number of parts that was asked for.
    pub parts_wanted: usize,
    /// The number of decisions after which the tree is cut off.
    pub depth: u32,
    /// The number of parts.
    pub parts: usize,
    /// What the slabs must hold, by the bounds of the boxes inside. Axes are those of the sorted sides.
    pub slabs: Vec<Slab>,
    /// Bounds of the boxes inside, by their sorted sides.
    pub boxes: Vec<(Vec<u32>, u64)>,
    /// SHA-256 of the tree above the parts.
    pub top_sha256: String,
}

/// `split.json`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What defines the parts.
    pub definition: Definition,
    /// SHA-256 of the definition.
    pub digest: String,
    /// For each part about its part of the tree.
    pub weights: Vec<f64>,
    /// The version that cut the tree.
    pub version: String,
}

impl Definition {
    fn digest(&self) -> String {
        digest::of(serde_json::to_vec(self).expect("plain data"))
    }
}

/// What a run of parts came to.
#[derive(Debug)]
pub struct Ran {
    /// Parts that this run finished.
    pub finished: usize,
    /// Parts that are still missing.
    pub missing: usize,
    /// Nodes of this run.
    pub nodes: u64,
    /// Queens that fit, checked.
    pub fits: Option<Certificate>,
    /// Why the run stopped before it was done.
    pub stop: Option<StopReason>,
}

/// What the parts come to.
#[derive(Debug)]
pub enum Joined {
    /// The queens do not fit; the proof is checked.
    DoNotFit(Proved),
    /// They fit; the certificate is checked.
    Fit(Certificate),
}

/// A folder with a proof in parts.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    /// The board that is searched: with sorted sides, if it is a plain box.
    board: Board,
}

/// Cuts the question whether so many queens fit on a board into parts. `Err` in the answer tells why it stopped; then, and
/// after it was killed, another one in the same folder goes on with the boxes that are settled.
///
/// # Errors
/// When no queens are asked for or more than there are squares, there is something else in the folder, it cannot be written to, or the board is too large.
pub fn split(
    name: &BoardName,
    cutting: &Cutting,
    folder: &Path,
    watch: &mut Watch<'_>,
) -> Result<Result<Folder, StopReason>, LabError> {
    let board = Board::new(&name.sorted());
    ensure_size(&board)?;
    if !can_be_asked(cutting.at_least, &board) {
        return Err(SplitError::Queens { board: name.to_string(), squares: board.size() }.into());
    }
    let box_cache = make_folder(folder)?;
    let control = Control::new();
    let settings = settings(&cutting.options, &control);
    let (cut, stopped) = run_watched(
        &control,
        Deadline::NEVER,
        watch,
        &|seconds| nodes(&control, seconds),
        |tell| -> io::Result<_> {
            let mut table = BoxTable::new(piece(name));
            let written = sealed::write(&folder.join(BOXES), |out| {
                let Some(sides) = box_sides(board.name()) else { return Ok(()) };
                let kept = Settings { box_cache: Some(&box_cache), ..settings };
                let tell = &mut |sides: &[u32], entry: &table::Entry| {
                    report_box(tell, Step { sides, entry: *entry });
                };
                let fill = || table.fill_inside(sides, &kept, Some(out), tell);
                let filled = with_threads(settings.threads, fill)??.is_finished();
                filled.then_some(()).ok_or_else(|| io::ErrorKind::Interrupted.into())
            });
            match written {
                Err(_) if control.is_stopped() => return Ok(None),
                written => written?,
            }
            let Some(order) = better_order(&board, cutting.at_least, &table, &settings)? else {
                return Ok(None);
            };
            let question = Question::new(&board, cutting.at_least, order, &table, &settings);
            let Some(split) = question.split(&settings, cutting.parts)? else { return Ok(None) };
            let definition = Definition {
                layout: LAYOUT,
                board: name.clone(),
                board_sha256: record::board_digest(name),
                at_least: cutting.at_least,
                order,
                parts_wanted: cutting.parts,
                depth: split.depth,
                parts: split.weights.len(),
                slabs: question.slabs,
                boxes: question.boxes,
                top_sha256: digest::of(&split.top),
            };
            Ok(Some((definition, split.weights, split.top)))
        },
    );
    let Some((definition, weights, top)) = cut.map_err(LabError::engine)? else {
        return Ok(Err(stopped.unwrap_or(StopReason::Interrupted)));
    };
    let (digest, version) = (definition.digest(), env!("CARGO_PKG_VERSION").to_owned());
    let manifest = Manifest { definition, digest, weights, version };
    sealed::write(&folder.join(TOP), |out| out.write_all(&top))?;
    files::write(&folder.join(MANIFEST), |out| {
        serde_json::to_writer_pretty(&mut *out, &manifest)?;
        writeln!(out)
    })?;
    // The proof has what is in them; if they stay, nobody looks at them.
    let _ = fs::remove_dir_all(folder.join(SHELF));
    Ok(Ok(Folder { path: folder.to_owned(), manifest, board }))
}

/// Makes the folder of a split, or takes one that was not finished; where its boxes are kept.
fn make_folder(folder: &Path) -> Result<BoxFolder, LabError> {
    files::make_folder(folder)?;
    let refused = |cause| FileError::new("read", folder, cause);
    let mut others = false;
    for entry in fs::read_dir(folder).map_err(refused)? {
        let name = entry.map_err(refused)?.file_name();
        match name.to_str().unwrap_or_default() {
            MANIFEST => return Err(SplitError::Done(folder.to_owned()).into()),
            SHELF | BOXES | TOP => {}
            name => others |= !name.starts_with(files::TEMPORARY),
        }
    }
    if others {
        return Err(SplitError::NotEmpty(folder.to_owned()).into());
    }
    Ok(BoxFolder::make(&folder.join(SHELF))?)
}

const MANIFEST: &str = "split.json";
const BOXES: &str = "boxes.proof.gz";
const TOP: &str = "top.tree.gz";
const SHELF: &str = "boxes";

/// The order that does more of its tree with the same nodes, or that finishes. `None` when stopped.
fn better_order(
    board: &Board,
    at_least: u64,
    table: &BoxTable,
    settings: &Settings<'_>,
) -> io::Result<Option<Order>> {
    let mut best = (Order::Lexicographic, f64::NEG_INFINITY);
    for order in Order::ALL {
        let question = Question::new(board, at_least, order, table, settings);
        let done = match question.answer(settings, PROBE_NODES)?.0 {
            Answer::Stopped(_) if settings.control.is_stopped() => return Ok(None),
            Answer::Stopped(done) => done,
            Answer::Infeasible(_) | Answer::Feasible(_) => f64::INFINITY,
        };
        if done > best.1 {
            best = (order, done);
        }
    }
    Ok(Some(best.0))
}

impl Folder {
    /// Opens a folder that [`split`] made.
    ///
    /// # Errors
    /// When there is no manifest, or it has been changed, or its board file has.
    pub fn open(folder: &Path) -> Result<Self, LabError> {
        let path = folder.join(MANIFEST);
        if folder.is_dir() && !path.exists() {
            return Err(SplitError::None(folder.to_owned()).into());
        }
        let text = files::read_plain(&path)?;
        let wrong = |fault: &str| SplitError::Manifest { path: path.clone(), fault: fault.to_owned() };
        let manifest: Manifest = serde_json::from_str(&text)
            .map_err(|fault| wrong(&format!("not the manifest of a split: {fault}")))?;
        let Definition { layout, board, board_sha256, parts, .. } = &manifest.definition;
        if *layout != LAYOUT {
            return Err(wrong(&format!("its layout is {layout}; this version reads layout {LAYOUT}")).into());
        }
        if manifest.digest != manifest.definition.digest() || manifest.weights.len() != *parts {
            return Err(wrong("it has been changed: its digest is another one").into());
        }
        if *board_sha256 != record::board_digest(board) {
            return Err(wrong(&format!("{board} has changed since: its digest is another one")).into());
        }
        let board = Board::new(&board.sorted());
        let Definition { at_least, slabs, .. } = &manifest.definition;
        if !can_be_asked(*at_least, &board) || !slabs.iter().all(|slab| lies_on(slab, &board)) {
            return Err(wrong("it asks for what is not on its board").into());
        }
        Ok(Self { path: folder.to_owned(), manifest, board })
    }

    /// What the folder is for.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The parts that are not there.
    ///
    /// # Errors
    /// When there are parts that do not belong here.
    pub fn missing(&self) -> Result<Vec<usize>, LabError> {
        let there = self.parts_there()?;
        Ok((0..self.manifest.definition.parts).filter(|number| !there.contains_key(number)).collect())
    }

    /// The parts that are not there, and of those that may be run the ones whose file is damaged.
    fn missing_or_damaged(&self, only: Option<usize>) -> Result<Vec<usize>, LabError> {
        let there = self.parts_there()?;
        let is_missing = |number: usize| match there.get(&number) {
            None => Ok(true),
            Some(_) if only.is_some_and(|only| only != number) => Ok(false),
            Some(path) => self.is_whole(number, path).map(|whole| !whole),
        };
        let numbers = 0..self.manifest.definition.parts;
        let missing = numbers.into_par_iter().filter_map(|number| match is_missing(number) {
            Ok(missing) => missing.then_some(Ok(number)),
            Err(fault) => Some(Err(fault)),
        });
        missing.collect::<io::Result<_>>().map_err(LabError::engine)
    }

    /// Whether the file of a part can be read to its end; a note tells of one that cannot.
    fn is_whole(&self, number: usize, path: &Path) -> io::Result<bool> {
        match self.copy_part(number, path, &mut io::sink()) {
            Err(fault) if sealed::is_damage(&fault) => {
                note::report(&format!("{} is damaged; its part is run again", path.display()));
                Ok(false)
            }
            read => read.map(|()| true),
        }
    }

    /// Runs one part, or all that are missing; each goes to its file when it is finished.
    ///
    /// # Errors
    /// When there is no such part, a part cannot be written, parts that are there do not belong here, or this build cuts the
    /// tree in another way.
    pub fn run(&self, only: Option<usize>, threads: usize, watch: &mut Watch<'_>) -> Result<Ran, LabError> {
        let Definition { parts, .. } = self.manifest.definition;
        if let Some(number) = only.filter(|&number| number >= parts) {
            return Err(SplitError::NoPart { number, parts }.into());
        }
        let missing = self.missing_or_damaged(only)?;
        let mut ran =
            Ran { finished: 0, missing: missing.len(), nodes: 0, fits: self.certificate()?, stop: None };
        let mut todo: Vec<usize> =
            missing.iter().copied().filter(|&n| only.is_none_or(|only| only == n)).collect();
        if ran.fits.is_some() || todo.is_empty() {
            return Ok(ran);
        }
        // Runs on one folder begin in different places.
        let first = std::process::id() as usize % todo.len();
        todo.rotate_left(first);
        let control = Control::new();
        let settings = Settings { proofs: true, threads, ..settings(&Options::default(), &control) };
        let question = self.question();
        let split = self.cut(&question, &settings)?;
        let nodes_before = control.nodes();
        let begun = 1.0 - missing.iter().map(|&number| self.manifest.weights[number]).sum::<f64>();
        let finished = AtomicUsize::new(0);
        let pump = Pump {
            todo: &todo,
            parts,
            there: parts - missing.len(),
            begun,
            completes: only.is_none(),
            threads,
            deadline: Deadline::NEVER,
            control: &control,
        };
        let (done, stop) = pump.run(watch, |number| {
            // Another run on this folder may have finished it meanwhile.
            let path = self.path.join(part_name(number));
            if path.exists() && self.is_whole(number, &path).map_err(LabError::engine)? {
                return Ok(false);
            }
            match self.run_part(&split, number)? {
                Answer::Infeasible(_) => {
                    finished.fetch_add(1, Relaxed);
                    return Ok(true);
                }
                Answer::Feasible(squares) => {
                    let certificate = self.certify(&squares)?;
                    files::write(&self.path.join(format!("part-{number}.txt")), |out| {
                        write!(out, "{certificate}")
                    })?;
                    control.stop();
                }
                Answer::Stopped(_) => {}
            }
            Ok(false)
        });
        done.map_err(LabError::engine)??;
        ran.finished = finished.into_inner();
        ran.missing = self.missing()?.len();
        ran.nodes = control.nodes() - nodes_before;
        // Several threads may have found queens; the folder has one answer.
        ran.fits = self.certificate()?;
        ran.stop = stop.filter(|_| ran.missing > 0);
        Ok(ran)
    }

    /// Puts the proof together and has it checked. Keeps it in `output`, packed when its name ends in `.gz`.
    ///
    /// # Errors
    /// When parts are missing, cut off, there twice or of another split, or the proof is not accepted.
    pub fn join(&self, output: Option<&Path>) -> Result<Joined, LabError> {
        output.map_or(Ok(()), files::writable)?;
        if let Some(certificate) = self.certificate()? {
            return Ok(Joined::Fit(certificate));
        }
        let Definition { board, at_least, parts, .. } = &self.manifest.definition;
        let there = self.parts_there()?;
        let missing: Vec<usize> = (0..*parts).filter(|number| !there.contains_key(number)).collect();
        if !missing.is_empty() {
            return Err(SplitError::Missing { missing, parts: *parts }.into());
        }
        let wrong: Vec<String> = there
            .iter()
            .filter_map(|(&number, path)| self.copy_part(number, path, &mut io::sink()).err())
            .map(|fault| fault.to_string())
            .collect();
        if !wrong.is_empty() {
            return Err(SplitError::Wrong(wrong).into());
        }
        let (boxes, top) = (self.path.join(BOXES), self.path.join(TOP));
        let tree = self.top(&top)?;
        let at_most = at_least - 1;
        let draft = Draft::new(output)?;
        let assembled = draft.write(|out, sources| {
            write!(out, "{HEADER}\nboard {board}\n")?;
            io::copy(&mut sealed::open(&boxes)?, out)?;
            sources.end(boxes.clone());
            match box_sides(self.board.name()) {
                Some(sides) => {
                    let sides: Vec<String> = sides.iter().map(u32::to_string).collect();
                    writeln!(out, "box {} {at_most} search", sides.join("x"))?;
                }
                None => writeln!(out, "search {at_most}")?,
            }
            proof::join(tree.as_slice(), out, &mut |number, out| {
                sources.end(top.clone());
                let path = &there[&number];
                self.copy_part(number, path, out)?;
                sources.end(path.clone());
                Ok(())
            })?;
            sources.end(top.clone());
            write!(out, "at most {at_most}\nend\n")
        });
        assembled.map_err(LabError::engine)?;
        let proved = draft.finish(board, at_most, &Control::new())?;
        Ok(Joined::DoNotFit(proved.expect("nobody stops the check")))
    }

    /// The tree above the parts, which must be the one that was cut.
    fn top(&self, path: &Path) -> Result<Vec<u8>, LabError> {
        let mut tree = Vec::new();
        let read = sealed::open(path).and_then(|file| file.take(files::LARGEST).read_to_end(&mut tree));
        read.map_err(|cause| FileError::new("read", path, cause))?;
        if digest::of(&tree) != self.manifest.definition.top_sha256 {
            let fault = format!("{} is not the top of this split", path.display());
            return Err(SplitError::Wrong(vec![fault]).into());
        }
        let lines = tree.split(|&byte| byte == b'\n').map(String::from_utf8_lossy);
        let mut cuts: Vec<Option<usize>> =
            lines.filter_map(|line| Some(line.strip_prefix("part ")?.parse().ok())).collect();
        cuts.sort_unstable();
        self.has_parts(cuts.len())?;
        if !cuts.iter().copied().eq((0..cuts.len()).map(Some)) {
            let fault = format!("{} does not name each part once", path.display());
            return Err(SplitError::Wrong(vec![fault]).into());
        }
        Ok(tree)
    }

    /// Refuses a tree that is cut into another number of parts than the manifest tells.
    fn has_parts(&self, cuts: usize) -> Result<(), SplitError> {
        let Definition { parts, .. } = self.manifest.definition;
        if cuts == parts {
            return Ok(());
        }
        let fault = format!("it tells of {parts} parts, but its tree is cut into {cuts}");
        Err(SplitError::Manifest { path: self.path.join(MANIFEST), fault })
    }

    fn question(&self) -> Question<'_> {
        let Definition { at_least, order, slabs, boxes, .. } = &self.manifest.definition;
        let (slabs, boxes) = (slabs.clone(), boxes.clone());
        Question { board: &self.board, at_least: *at_least, order: *order, slabs, boxes }
    }

    /// Cuts the tree again.
    fn cut<'a>(&self, question: &Question<'a>, settings: &Settings<'a>) -> Result<Split<'a>, LabError> {
        let Definition { parts_wanted, top_sha256, .. } = &self.manifest.definition;
        let split = question.split(settings, *parts_wanted).map_err(LabError::engine)?;
        let split = split.filter(|split| digest::of(&split.top) == *top_sha256).ok_or_else(|| {
            let fault = format!(
                "version {} cut this tree in another way than version {} does; its parts must be run with that one",
                self.manifest.version,
                env!("CARGO_PKG_VERSION")
            );
            SplitError::Manifest { path: self.path.join(MANIFEST), fault }
        })?;
        self.has_parts(split.weights.len())?;
        Ok(split)
    }

    fn run_part(&self, split: &Split<'_>, number: usize) -> Result<Answer, LabError> {
        let mut answer = None;
        let written = sealed::write(&self.path.join(part_name(number)), |out| {
            writeln!(out, "{}", self.first_line(number))?;
            let found = split.run(number, out)?;
            let complete = matches!(found, Answer::Infeasible(_));
            answer = Some(found);
            if complete { Ok(()) } else { Err(io::Error::other("the part is not finished")) }
        });
        match (written, answer) {
            (Ok(()), Some(answer)) | (Err(_), Some(answer @ (Answer::Feasible(_) | Answer::Stopped(_)))) => {
                Ok(answer)
            }
            (Err(fault), _) => Err(fault.into()),
            (Ok(()), None) => unreachable!("what is written has an answer"),
        }
    }

    fn first_line(&self, number: usize) -> String {
        format!("ndqueens part {number} of {}", self.manifest.digest)
    }

    /// The files of parts by their numbers.
    fn parts_there(&self) -> Result<BTreeMap<usize, PathBuf>, LabError> {
        let mut there = BTreeMap::new();
        let mut wrong = Vec::new();
        for path in self.files(".proof.gz")? {
            let mut line = String::new();
            let read = packed::open(&path).and_then(|mut text| packed::next_line(&mut text, &mut line));
            let name = path.display();
            let number = there_number(&path).filter(|&n| n < self.manifest.definition.parts);
            match (read, number) {
                // What cannot be read is found when it is read to its end.
                (Err(_), Some(number)) => drop(there.insert(number, path)),
                (Err(fault), None) => wrong.push(fault.to_string()),
                (Ok(_), Some(number)) if line.trim_end() == self.first_line(number) => {
                    there.insert(number, path);
                }
                (Ok(_), _) if line.contains(&self.manifest.digest) => {
                    wrong.push(format!("{name} is a part under a name that is not its own"));
                }
                (Ok(_), _) => wrong.push(format!("{name} is not a part of this split")),
            }
        }
        if wrong.is_empty() { Ok(there) } else { Err(SplitError::Wrong(wrong).into()) }
    }

    /// Copies the tree of a part.
    fn copy_part(&self, number: usize, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        let mut text = sealed::open(path)?;
        let mut line = String::new();
        packed::next_line(&mut text, &mut line)?;
        if line.trim_end() != self.first_line(number) {
            let other = io::Error::new(io::ErrorKind::InvalidData, "it is not this part");
            return Err(FileError::new("read", path, other).into());
        }
        io::copy(&mut text, out).map(drop)
    }

    /// The queens that a part found, checked.
    fn certificate(&self) -> Result<Option<Certificate>, LabError> {
        let Definition { board, at_least, .. } = &self.manifest.definition;
        let Some(path) = self.files(".txt")?.into_iter().next() else { return Ok(None) };
        let wrong = |fault: String| SplitError::Wrong(vec![format!("{}: {fault}", path.display())]);
        let certificate = Certificate::read(&files::read_plain(&path)?, &files::open)
            .map_err(|fault| wrong(fault.to_string()))?;
        let verified = verify::verify_on(board, Claim::IndependentSet, &certificate)
            .map_err(|fault| wrong(fault.to_string()))?;
        if (verified.size() as u64) < *at_least {
            return Err(wrong(format!("it has fewer than {at_least} queens")).into());
        }
        Ok(Some(certificate))
    }

    /// The squares on the board as it was asked for, checked.
    fn certify(&self, squares: &[u32]) -> Result<Certificate, LabError> {
        let name = &self.manifest.definition.board;
        let squares: Vec<Vec<u32>> = squares.iter().map(|&square| self.board.coordinates(square)).collect();
        let squares = match box_sides(name) {
            Some(sides) => table::along(sides, &squares),
            None => squares,
        };
        let certificate = Certificate::independent(name.clone(), squares, FOUND_BY);
        assert!(
            certificate.size() as u64 >= self.manifest.definition.at_least,
            "the search found too few queens"
        );
        verify::verify(&certificate)
            .map_err(|fault| LabError::Refused { found_by: FOUND_BY.to_owned(), fault })?;
        Ok(certificate)
    }

    /// Files of parts with this ending, in the order of their names.
    fn files(&self, ending: &str) -> Result<Vec<PathBuf>, FileError> {
        let refused = |cause| FileError { verb: "read", path: self.path.clone(), cause };
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            let name = entry.file_name();
            if name.to_str().is_some_and(|name| name.starts_with("part-") && name.ends_with(ending)) {
                files.push(entry.path());
            }
        }
        files.sort();
        Ok(files)
    }
}

fn part_name(number: usize) -> String {
    format!("part-{number}.proof.gz")
}

/// The number in the name of a part's file.
fn there_number(path: &Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    let number: usize = name.strip_prefix("part-")?.strip_suffix(".proof.gz")?.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

fn lies_on(slab: &Slab, board: &Board) -> bool {
    let side = box_sides(board.name()).and_then(|sides| sides.get(slab.axis));
    side.is_some_and(|&side| {
        slab.width > 0 && slab.from.checked_add(slab.width).is_some_and(|end| end <= side)
    })
}

/// The sides of a plain box.
fn box_sides(name: &BoardName) -> Option<&[u32]> {
    match name {
        BoardName::Grid { torus: false, sides, .. } => Some(sides),
        _ => None,
    }
}

fn piece(name: &BoardName) -> Piece {
    match name {
        BoardName::Grid { piece, .. } => *piece,
        _ => Piece::Queen,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    /// The question whether so many queens fit on 4^3, in parts.
    fn folder(outer: &Path, at_least: u64) -> Folder {
        let (name, options) = ("4^3".parse().expect("a board"), Options::default());
        let cutting = Cutting { at_least, parts: 4, options };
        let made = split(&name, &cutting, &outer.join("split"), &mut |_| ControlFlow::Continue(()));
        made.expect("a folder").expect("nobody stops it")
    }

    fn run(folder: &Folder, only: Option<usize>) -> Ran {
        folder.run(only, 2, &mut |_| ControlFlow::Continue(())).expect("parts")
    }

    #[test]
    fn parts_are_missing_until_they_are_run_and_then_make_the_proof() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 8);
        let parts = folder.manifest().definition.parts;
        assert!(parts >= 4);
        assert_eq!(folder.missing().expect("readable"), (0..parts).collect::<Vec<_>>());
        assert!(matches!(folder.join(None), Err(LabError::Split(SplitError::Missing { .. }))));
        assert_eq!(run(&folder, Some(1)).finished, 1);
        assert_eq!(folder.missing().expect("readable").len(), parts - 1);
        let again = Folder::open(&outer.path().join("split")).expect("a split");
        assert_eq!((run(&again, None).finished, again.missing().expect("readable").len()), (parts - 1, 0));
        let Ok(Joined::DoNotFit(proved)) = again.join(None) else { panic!("8 queens do not fit") };
        assert_eq!((proved.board().to_string(), proved.at_most()), ("4^3".to_owned(), 7));
    }

    #[test]
    fn queens_that_fit_end_the_search() {
        let outer = tempfile::tempdir().expect("a folder");
        let folder = folder(outer.path(), 7);
        let found = run(&folder, None).fits.expect("7 queens fit");
        assert_eq!(found.size(), 7);
        assert!(matches!(folder.join(None), Ok(Joined::Fit(certificate)) if certificate == found));
    }

    #[test]
    fn a_manifest_that_was_changed_is_refused() {
        let outer = tempfile::tempdir().expect("a folder");
        let path = folder(outer.path(), 8).path.join(MANIFEST);
        let right = files::read(&path).expect("there");
        for (old, new, words) in [
            ("\"at_least\": 8", "\"at_least\": 7", "its digest is another one"),
            ("\"layout\": 3", "\"layout\": 2", "its layout is 2"),
            ("{", "", "not the manifest of a split"),
        ] {
            let changed = right.replacen(old, new, 1);
            assert_ne!(changed, right);
            files::write(&path, |out| out.write_all(changed.as_bytes())).expect("written");
            let fault = Folder::open(path.parent().expect("a folder")).expect_err(words).to_string();
            assert!(fault.contains(words), "{fault}");
        }
    }
}
