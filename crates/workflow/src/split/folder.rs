//! Folder of a split: running its parts and joining the proof.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use crate::record;
use ndqueens_crosscheck::proof::ProofResult;
use ndqueens_crosscheck::verify;
use ndqueens_exact::proof;
use ndqueens_exact::{Question, Settings, Split, Step, box_table};
use ndqueens_model::board::Board;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_solver::backends::Options;
use ndqueens_system::cancel::{Control, Deadline, StopReason};
use ndqueens_system::file::{self, FileError, digest, packed, sealed};
use ndqueens_system::note::Notes;

use super::boxes::{bound_boxes, remove_boxes};
use super::manifest::{BOX_CACHE, BOXES, Definition, LAYOUT, Manifest, TOP, box_sides, lies_on};
use super::part::{CUT, Cut, PartName, TREE};
use crate::parts::SPLIT_MANIFEST;
use crate::run::exact_engine::{BoxesMonitor, FOUND_BY, WorkFolder, settings};
use crate::run::placement_check::is_valid_target;
use crate::run::{ProofDraft, RefusedError, Sources, SplitError, Watch, WorkflowError, run_watched};

/// Result of joining the parts.
#[derive(Debug)]
pub enum Joined {
    /// The queens do not fit; the proof is checked.
    DoNotFit(ProofResult),
    /// The queens fit; the certificate is checked.
    Fit(Certificate),
}

/// Folder with a proof in parts.
#[derive(Debug)]
pub struct Folder {
    pub(super) path: PathBuf,
    pub(super) manifest: Manifest,
    /// Board that is searched: with sorted sides, if it is a plain box.
    pub(super) board: Board,
    /// Destination of notes about damaged files.
    pub(super) notes: Notes,
}

impl Folder {
    /// Opens a folder that [`split`](super::split()) created.
    ///
    /// # Errors
    /// Returns an error if the manifest is missing, or if the manifest or the board file has changed.
    pub fn open(folder: &Path, notes: &Notes) -> Result<Self, WorkflowError> {
        let path = folder.join(SPLIT_MANIFEST);
        let text = match file::read_plain(&path) {
            Err(fault) if fault.cause.kind() == io::ErrorKind::NotFound => {
                return Err(SplitError::None(folder.to_owned()).into());
            }
            read => read?,
        };
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
        notes.report_all(board.notes());
        let board = Board::new(&board.with_sorted_sides());
        let Definition { at_least, slabs, .. } = &manifest.definition;
        if !is_valid_target(*at_least, &board) || !slabs.iter().all(|slab| lies_on(slab, &board)) {
            return Err(wrong("it asks for what is not on its board").into());
        }
        Ok(Self { path: folder.to_owned(), manifest, board, notes: notes.clone() })
    }

    /// Returns the manifest of the folder.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns all units of the search: the parts, and the pieces of parts that were cut again in place of
    /// these.
    pub(super) fn leaves(&self, contents: &Contents) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let parts = self.manifest.weights.iter().enumerate();
        parts.for_each(|(number, &weight)| contents.expand(PartName::of(number), weight, &mut leaves));
        leaves
    }

    /// Returns `true` if the file of a part is damaged, and reports a note about it.
    pub(super) fn is_damaged(&self, part: &PartName, path: &Path) -> io::Result<bool> {
        match self.copy_part(part, path, &mut io::sink()) {
            Err(fault) if sealed::is_damage(&fault) => {
                self.notes.report(&format!("{} is damaged; its part is run again", path.display()));
                Ok(true)
            }
            read => read.map(|()| false),
        }
    }

    /// Returns the shared files that are damaged or missing, with their errors.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or is intact but belongs to another split.
    pub(super) fn find_damaged(&self) -> Result<BTreeMap<&'static str, io::Error>, WorkflowError> {
        let mut damaged = BTreeMap::new();
        for (name, read) in [(TOP, self.has_top()), (BOXES, self.has_boxes())] {
            match read {
                Err(fault) if is_damage_or_gone(&fault) => drop(damaged.insert(name, fault)),
                Err(fault) => return Err(WorkflowError::engine(fault)),
                Ok(true) => {}
                Ok(false) => {
                    let path = self.path.join(name);
                    return Err(SplitError::Wrong(vec![format!(
                        "{} is of another split than {SPLIT_MANIFEST}",
                        path.display()
                    )])
                    .into());
                }
            }
        }
        Ok(damaged)
    }

    /// Returns `true` if the tree above the parts is that of the manifest.
    fn has_top(&self) -> io::Result<bool> {
        Ok(digest::of(self.read_top()?) == self.manifest.definition.top_sha256)
    }

    /// Reads the tree above the parts.
    fn read_top(&self) -> io::Result<Vec<u8>> {
        let mut tree = Vec::new();
        sealed::open(&self.path.join(TOP))?.take(file::LARGEST).read_to_end(&mut tree)?;
        Ok(tree)
    }

    /// Returns `true` if the file of the boxes bounds the largest boxes inside the board and only boxes
    /// inside it, with the bounds that the search uses.
    fn has_boxes(&self) -> io::Result<bool> {
        let sides = box_sides(self.board.name()).unwrap_or_default();
        let mut found = BTreeMap::new();
        let path = self.path.join(BOXES);
        let mut text = sealed::open(&path)?;
        let mut line = String::new();
        while packed::next_line(&mut text, &mut line)? > 0 {
            let Some(bound) = line.strip_prefix("box ") else { continue };
            let mut words = bound.split_whitespace();
            let inside: Option<Vec<u32>> =
                words.next().and_then(|word| word.split('x').map(|side| side.parse().ok()).collect());
            let most: Option<u64> = words.next().and_then(|word| word.parse().ok());
            let (Some(inside), Some(most)) = (inside, most) else { return Ok(false) };
            if inside.len() != sides.len() || inside.iter().zip(sides).any(|(inside, side)| inside > side) {
                return Ok(false);
            }
            found.insert(inside, most);
        }
        let largest = (0..sides.len()).filter(|&axis| sides[axis] > 1).map(|axis| {
            let mut largest = sides.to_vec();
            largest[axis] -= 1;
            largest.sort_unstable();
            largest
        });
        let used = &self.manifest.definition.boxes;
        Ok(largest.into_iter().all(|largest| found.contains_key(&largest))
            && used.iter().all(|(inside, most)| found.get(inside) == Some(most)))
    }

    /// Restores the bounds of the boxes and the tree above the parts if their files are damaged or missing.
    /// Returns the reason if it was stopped.
    pub(super) fn restore(
        &self,
        threads: usize,
        deadline: Deadline,
        watch: &mut Watch<'_>,
    ) -> Result<Option<StopReason>, WorkflowError> {
        let damaged = self.find_damaged()?;
        for fault in damaged.values() {
            self.notes.report(&format!("{fault}; it is made again"));
        }
        let control = Control::new();
        let options = Options { node_limit: self.manifest.node_limit, ..Options::default() };
        let settings = Settings { threads, ..settings(&options, &control) };
        if damaged.contains_key(BOXES) {
            let cache = WorkFolder::of_boxes(&self.path.join(BOX_CACHE), &self.notes)?;
            let monitor = BoxesMonitor::new(&control);
            let progress = |seconds| monitor.now(seconds);
            let (table, stopped) = run_watched(&control, deadline, watch, &progress, |_| {
                let report = &mut |step: Step<'_>| monitor.record(step);
                bound_boxes(&self.path, &self.board, &cache, &settings, report)
            });
            if table.map_err(WorkflowError::engine)?.is_none() {
                return Ok(stopped.or(Some(StopReason::Interrupted)));
            }
            remove_boxes(&self.path);
        }
        if damaged.contains_key(TOP) {
            let top = self.cut(&self.question(), &settings)?.top;
            sealed::write(&self.path.join(TOP), |out| out.write_all(&top))?;
        }
        Ok(None)
    }

    /// Joins the proof and checks it. Writes it to `output`, packed if the name ends in `.gz`.
    ///
    /// # Errors
    /// Returns an error if parts are missing, truncated, duplicate or of another split, or if the proof is
    /// rejected.
    pub fn join(&self, output: Option<&Path>) -> Result<Joined, WorkflowError> {
        output.map_or(Ok(()), file::writable)?;
        if let Some(certificate) = self.certificate()? {
            return Ok(Joined::Fit(certificate));
        }
        let Definition { board, at_least, .. } = &self.manifest.definition;
        let contents = self.contents()?;
        self.reject_damaged(&contents)?;
        let leaves = self.leaves(&contents);
        let missing = contents.missing(&leaves).count();
        if missing > 0 {
            self.find_damaged()?;
            let (folder, numbers) = (self.path.clone(), numbers(contents.missing(&leaves)));
            return Err(SplitError::Missing { folder, missing, parts: leaves.len(), numbers }.into());
        }
        let (boxes, top) = (self.path.join(BOXES), self.path.join(TOP));
        let tree = self.top(&top)?;
        let at_most = at_least - 1;
        let draft = ProofDraft::new(output)?;
        let assembled = draft.write(|out, sources| {
            write!(out, "{}", proof::header(board))?;
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
                self.copy_tree(&contents, &PartName::of(number), out, sources)
            })?;
            sources.end(top.clone());
            write!(out, "at most {at_most}\nend\n")
        });
        assembled.map_err(WorkflowError::engine)?;
        let proved = draft.finish(board, at_most, &Control::new())?;
        Ok(Joined::DoNotFit(proved.expect("not stopped")))
    }

    /// Copies the tree of a part, from its file or from those of its pieces; the bytes are the same.
    fn copy_tree(
        &self,
        contents: &Contents,
        part: &PartName,
        out: &mut dyn Write,
        sources: &Sources,
    ) -> io::Result<()> {
        if let Some(path) = contents.trees.get(part) {
            self.copy_part(part, path, out)?;
            sources.end(path.clone());
            return Ok(());
        }
        let path = self.path.join(part.stem() + CUT);
        proof::join_seamlessly(contents.cuts[part].recut.top.as_slice(), out, &mut |number, out| {
            sources.end(path.clone());
            self.copy_tree(contents, &part.piece(number), out, sources)
        })?;
        sources.end(path.clone());
        Ok(())
    }

    /// Checks the files that the parts share.
    ///
    /// # Errors
    /// Returns an error if one of the files is damaged or missing.
    pub fn ensure_sound(&self) -> Result<(), WorkflowError> {
        self.reject_damaged(&Contents::default())
    }

    /// Returns one error for all files that are damaged or missing.
    fn reject_damaged(&self, contents: &Contents) -> Result<(), WorkflowError> {
        let of_parts = contents.trees.iter().map(|(part, path)| self.copy_part(part, path, &mut io::sink()));
        let of_all = [BOXES, TOP].into_iter().map(|name| read_to_end(&self.path.join(name)));
        let mut faults = Vec::new();
        // A listed part that cannot be found is a dangling link, which a run does not replace.
        let of_parts = of_parts.filter_map(Result::err).map(|fault| (sealed::is_damage(&fault), fault));
        let of_all = of_all.filter_map(Result::err).map(|fault| (is_damage_or_gone(&fault), fault));
        for (is_repairable, fault) in of_parts.chain(of_all) {
            if !is_repairable {
                return Err(WorkflowError::engine(fault));
            }
            faults.push(fault.to_string());
        }
        if faults.is_empty() {
            return Ok(());
        }
        Err(SplitError::Damaged { folder: self.path.clone(), faults }.into())
    }

    /// Returns the tree above the parts, after checking that it is the tree of the manifest.
    fn top(&self, path: &Path) -> Result<Vec<u8>, WorkflowError> {
        let tree = self.read_top().map_err(|cause| FileError::new("read", path, cause))?;
        if digest::of(&tree) != self.manifest.definition.top_sha256 {
            let fault = format!("{} is not the top of this split", path.display());
            return Err(SplitError::Wrong(vec![fault]).into());
        }
        let lines = tree.split(|&byte| byte == b'\n').map(String::from_utf8_lossy);
        let mut cuts: Vec<Option<usize>> =
            lines.filter_map(|line| Some(line.strip_prefix("part ")?.parse().ok())).collect();
        cuts.sort_unstable();
        self.ensure_part_count(cuts.len())?;
        if !cuts.iter().copied().eq((0..cuts.len()).map(Some)) {
            let fault = format!("{} does not name each part once", path.display());
            return Err(SplitError::Wrong(vec![fault]).into());
        }
        Ok(tree)
    }

    /// Returns an error if the tree is cut into another number of parts than the manifest states.
    fn ensure_part_count(&self, cuts: usize) -> Result<(), SplitError> {
        let Definition { parts, .. } = self.manifest.definition;
        if cuts == parts {
            return Ok(());
        }
        let fault = format!("it names {}, but its tree is cut into {cuts}", counted(parts, "part"));
        Err(SplitError::Manifest { path: self.path.join(SPLIT_MANIFEST), fault })
    }

    pub(super) fn question(&self) -> Question<'_> {
        let Definition { at_least, order, slabs, boxes, .. } = &self.manifest.definition;
        let (slabs, boxes) = (slabs.clone(), boxes.clone());
        Question { board: &self.board, at_least: *at_least, order: *order, slabs, boxes, layers: Vec::new() }
    }

    /// Cuts the tree again, and checks that the result is that of the manifest.
    pub(super) fn cut<'a>(
        &self,
        question: &Question<'a>,
        settings: &Settings<'a>,
    ) -> Result<Split<'a>, WorkflowError> {
        let Definition { parts_wanted, top_sha256, .. } = &self.manifest.definition;
        let split = question.split(settings, *parts_wanted).map_err(WorkflowError::engine)?;
        let split = split.filter(|split| digest::of(&split.top) == *top_sha256).ok_or_else(|| {
            let fault = format!(
                "version {} cut this tree in another way than version {} does; its parts must be run with that one",
                self.manifest.version,
                env!("CARGO_PKG_VERSION")
            );
            SplitError::Manifest { path: self.path.join(SPLIT_MANIFEST), fault }
        })?;
        self.ensure_part_count(split.weights.len())?;
        Ok(split)
    }

    /// Returns the first line of the file of a part or of a cut.
    pub(super) fn first_line(&self, part: &PartName, kind: &str) -> String {
        format!("ndqueens {kind} {part} of {}", self.manifest.digest)
    }

    /// Lists the trees and cuts in the folder. A damaged cut is ignored; it is computed again when its part
    /// is run.
    pub(super) fn contents(&self) -> Result<Contents, WorkflowError> {
        let mut contents = Contents::default();
        let mut wrong = Vec::new();
        let is_of_split = |part: &PartName| part.part() < self.manifest.definition.parts;
        for path in self.files(TREE)? {
            let mut line = String::new();
            let read =
                file::open_unpacked(&path).and_then(|mut text| packed::next_line(&mut text, &mut line));
            let name = path.display();
            let part = PartName::of_file(&path, TREE).filter(is_of_split);
            match (read, part) {
                // Other damage is found when the file is read to its end.
                (Err(_), Some(part)) => drop(contents.trees.insert(part, path)),
                (Err(fault), None) => wrong.push(fault.to_string()),
                (Ok(_), Some(part))
                    if line.trim_end() == self.first_line(&part, "part")
                        || read_to_end(&path).is_err_and(|fault| sealed::is_damage(&fault)) =>
                {
                    contents.trees.insert(part, path);
                }
                (Ok(_), _) if line.contains(&self.manifest.digest) => {
                    wrong.push(format!("{name} is a part under a name that is not its own"));
                }
                (Ok(_), _) => wrong.push(format!("{name} is not a part of this split")),
            }
        }
        for path in self.files(CUT)? {
            let name = path.display();
            let Some(part) = PartName::of_file(&path, CUT).filter(is_of_split) else {
                wrong.push(format!("{name} is not of a part of this split"));
                continue;
            };
            match Cut::read(&path, &self.first_line(&part, "cut")) {
                Ok(cut) => drop(contents.cuts.insert(part, cut)),
                Err(fault) if sealed::is_damage(&fault) => {
                    if read_to_end(&path).is_ok() {
                        wrong.push(format!("{name} is not the cut of this part of this split"));
                    } else if !contents.trees.contains_key(&part) {
                        self.notes.report(&format!("{name} is damaged; its part counts as missing"));
                    }
                }
                Err(fault) => return Err(WorkflowError::engine(fault)),
            }
        }
        if wrong.is_empty() { Ok(contents) } else { Err(SplitError::Wrong(wrong).into()) }
    }

    /// Copies the tree of a part.
    fn copy_part(&self, part: &PartName, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        let mut text = sealed::open(path)?;
        let mut line = String::new();
        packed::next_line(&mut text, &mut line)?;
        if line.trim_end() != self.first_line(part, "part") {
            let other = io::Error::new(io::ErrorKind::InvalidData, "it is not this part");
            return Err(FileError::new("read", path, other).into());
        }
        io::copy(&mut text, out).map(drop)
    }

    /// Returns the checked placement that a part found, or `None` if no part has found one so far.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if the certificate is invalid.
    pub fn certificate(&self) -> Result<Option<Certificate>, WorkflowError> {
        let Definition { board, at_least, .. } = &self.manifest.definition;
        let Some(path) = self.files(".txt")?.into_iter().next() else { return Ok(None) };
        let wrong = |fault: String| SplitError::Wrong(vec![format!("{}: {fault}", path.display())]);
        let certificate = Certificate::parse_with(&file::read_plain(&path)?, &file::open)
            .map_err(|fault| wrong(fault.to_string()))?;
        let verified = verify::verify_on(board, Problem::IndependentSet, &certificate)
            .map_err(|fault| wrong(fault.to_string()))?;
        if (verified.size() as u64) < *at_least {
            return Err(wrong(format!("it has fewer than {}", counted(*at_least, "queen"))).into());
        }
        Ok(Some(certificate))
    }

    /// Checks the squares, and returns them on the board of the question, whose sides need not be sorted.
    pub(super) fn certify(&self, squares: &[u32]) -> Result<Certificate, WorkflowError> {
        let name = &self.manifest.definition.board;
        let squares: Vec<Vec<u32>> = squares.iter().map(|&square| self.board.coordinates(square)).collect();
        let squares = match box_sides(name) {
            Some(sides) => box_table::restore_axis_order(sides, &squares),
            None => squares,
        };
        let certificate = Certificate::independent(name.clone(), squares, FOUND_BY);
        assert!(
            certificate.size() as u64 >= self.manifest.definition.at_least,
            "the search found too few queens"
        );
        verify::verify(&certificate)
            .map_err(|fault| RefusedError::Solution { found_by: FOUND_BY.to_owned(), fault })?;
        Ok(certificate)
    }

    /// Returns the files of parts whose names end in `ending`, sorted by name.
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

/// Unit of the search: a part or a piece of one, with its estimated share of the tree.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) part: PartName,
    pub(super) weight: f64,
}

/// Returns the numbers of the parts to which these leaves belong, in increasing order.
pub(super) fn numbers<'l>(leaves: impl Iterator<Item = &'l Leaf>) -> Vec<usize> {
    let mut numbers: Vec<usize> = leaves.map(|leaf| leaf.part.part()).collect();
    numbers.dedup();
    numbers
}

/// Trees and cuts in the folder.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) trees: BTreeMap<PartName, PathBuf>,
    pub(super) cuts: BTreeMap<PartName, Cut>,
}

impl Contents {
    /// Adds a part, or its pieces if it was cut again and its tree is not there.
    fn expand(&self, part: PartName, weight: f64, leaves: &mut Vec<Leaf>) {
        match self.cuts.get(&part).filter(|_| !self.trees.contains_key(&part)) {
            None => leaves.push(Leaf { part, weight }),
            Some(cut) => {
                let pieces = cut.recut.weights.iter().enumerate();
                pieces.for_each(|(number, &weight)| self.expand(part.piece(number), weight, leaves));
            }
        }
    }

    /// Returns the leaves whose trees are missing.
    pub(super) fn missing<'l>(&self, leaves: &'l [Leaf]) -> impl Iterator<Item = &'l Leaf> {
        leaves.iter().filter(|leaf| !self.trees.contains_key(&leaf.part))
    }
}

/// Reads a sealed file to its end, which checks its digest.
fn read_to_end(path: &Path) -> io::Result<()> {
    io::copy(&mut sealed::open(path)?, &mut io::sink()).map(drop)
}

fn is_damage_or_gone(fault: &io::Error) -> bool {
    sealed::is_damage(fault) || fault.kind() == io::ErrorKind::NotFound
}
