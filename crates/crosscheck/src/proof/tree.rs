//! The tree of a search: no solution has as many queens in each region as that must hold.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::vec;

use fixedbitset::FixedBitSet;

use super::apart::{SplitPoint, State, too_many};
use super::bounds::Boxes;
use super::layers::{Layers, Refusal, Steps, Vectors};
use super::listed::Listed;
use super::order::Squares;
use super::rows::Rows;
use super::{Format, Lines, ProofError, clique, symmetry};
use crate::fault::Reason;

/// Squares that must hold at least `demand` queens of any solution.
#[derive(Debug, Clone)]
pub(super) struct Region {
    squares: FixedBitSet,
    pub(super) demand: u64,
    /// First and last layer along each axis.
    intervals: Vec<(u32, u32)>,
}

impl Region {
    /// All squares.
    pub(super) fn whole(squares: &Squares, demand: u64) -> Self {
        let intervals = squares.last().iter().map(|&last| (0, last)).collect();
        Self { squares: squares.all(), demand, intervals }
    }

    /// The squares of a region in layers across an axis.
    pub(super) fn inside(&self, squares: &Squares, axis: usize, (from, to): (u32, u32), demand: u64) -> Self {
        let mut inside = FixedBitSet::with_capacity(squares.len());
        inside.extend(squares.such_that(|square| (from..=to).contains(&square[axis])));
        inside.intersect_with(&self.squares);
        let mut intervals = self.intervals.clone();
        intervals[axis] = (from, to);
        Self { squares: inside, demand, intervals }
    }
}

/// Checks a tree, node by node.
pub(super) struct TreeChecker<'a, 'p> {
    lines: &'a mut Lines<'p>,
    /// The line of the first node, counted from 1 in the proof.
    pub(super) first_line: u64,
    format: Format,
    /// How much of the line is read, in bytes; nothing where all of it is.
    read: Option<usize>,
    /// The column of the node, if it is one of several in its line.
    column: Option<usize>,
    squares: &'a Squares,
    boxes: Option<Boxes<'a>>,
    /// The first one is the whole board.
    regions: Vec<Region>,
    /// Steps of the case splits of this tree, or of this piece of it.
    steps: &'a Steps,
    /// How many regions hold enough in the whole tree.
    given: usize,
    /// The layers, and the axis, of the regions that come next, which are assumed to hold enough. Parts of regions follow.
    assumed: Vec<(usize, Layers)>,
    /// The solutions that there are; none when the tree shows that there are none.
    listed: Option<&'a Listed>,
    /// Symmetries met so far, with the images of all squares.
    symmetries: HashMap<String, Arc<[usize]>>,
    /// The images under those of them under which every solution listed was seen to be listed too.
    keep_list: Vec<Arc<[usize]>>,
    /// Those of them that keep what is assumed.
    keeping: HashSet<String>,
    placed: Vec<usize>,
    nodes: u64,
    /// Working memory: sets that are of no use any more, and two of which nothing is asked from one node to the next.
    spare: Vec<FixedBitSet>,
    uncovered: FixedBitSet,
    candidates: FixedBitSet,
}

/// The piece of a tree that is checked; `None` stands for its beginning and its end.
#[derive(Clone, Copy)]
pub(super) struct Extent<'s> {
    pub(super) from: Option<&'s SplitPoint>,
    pub(super) to: Option<&'s SplitPoint>,
}

impl Extent<'_> {
    /// The whole tree.
    const WHOLE: Self = Self { from: None, to: None };

    /// Removes the cases before the beginning.
    fn skip(self, cases: &mut vec::IntoIter<Vec<Layers>>) {
        if let Some(SplitPoint { state: State::Case(to_come), .. }) = self.from {
            while cases.len() > *to_come {
                cases.next();
            }
        }
    }
}

/// A case split, with the cases to come.
struct Split {
    axis: usize,
    cases: vec::IntoIter<Vec<Layers>>,
    /// How many layers were assumed to hold enough before.
    assumed: usize,
}

/// A node with children.
struct Opened {
    free: FixedBitSet,
    /// The squares of the queens of the children to come.
    squares: vec::IntoIter<usize>,
    /// The squares without which the same node goes on after its only child; none where it ends with its children.
    orbit: Vec<usize>,
}

/// A node as it is written.
enum Step {
    /// First-fit cliques cover a region, but for the squares that they leave.
    FirstFit { region: usize, reversed: bool },
    /// All queens are placed, and are a solution that is listed.
    Solution,
    /// A line of its own.
    Line(String),
}

impl<'a, 'p> TreeChecker<'a, 'p> {
    /// A tree whose first line has been read.
    pub(super) fn new(
        lines: &'a mut Lines<'p>,
        format: Format,
        squares: &'a Squares,
        boxes: Option<Boxes<'a>>,
        regions: Vec<Region>,
        steps: &'a Steps,
    ) -> Self {
        let given = regions.len();
        Self {
            first_line: lines.read_so_far(),
            lines,
            format,
            steps,
            given,
            read: Some(0),
            column: None,
            squares,
            boxes,
            regions,
            assumed: Vec::new(),
            listed: None,
            symmetries: HashMap::new(),
            keep_list: Vec::new(),
            keeping: HashSet::new(),
            placed: Vec::new(),
            nodes: 0,
            spare: Vec::new(),
            uncovered: FixedBitSet::new(),
            candidates: FixedBitSet::new(),
        }
    }

    /// The same tree, for all solutions but those listed.
    pub(super) fn listing(self, listed: Option<&'a Listed>) -> Self {
        Self { listed, ..self }
    }

    /// Checks that no solution exists but those listed. Returns the number of nodes.
    pub(super) fn check(self) -> Result<u64, ProofError> {
        self.check_piece(Extent::WHOLE).map(|(nodes, _)| nodes)
    }

    /// Checks a piece. Returns the number of nodes, and whether the check ended at the split point. It goes on to the end
    /// of the tree if it does not come to the split point, or arrives there in another state.
    pub(super) fn check_piece(mut self, extent: Extent<'_>) -> Result<(u64, bool), ProofError> {
        let ended = self.walk(extent)?;
        Ok((self.nodes, ended))
    }

    /// Checks a piece, whose first line has been read. Returns `true` if it ended at the split point. Case splits may be nested
    /// as deep as the proof is long, so the open ones are in a list, not on the stack.
    fn walk(&mut self, extent: Extent<'_>) -> Result<bool, ProofError> {
        let mut open = Vec::<Split>::new();
        loop {
            if self.read.is_none() {
                self.column = None;
                self.lines.next()?;
                self.read = Some(0);
            }
            match self.lines.text.strip_prefix("layers ").map(str::to_owned) {
                Some(layers) => {
                    // The first piece counts the steps of the first split.
                    let uncounted = Steps::default();
                    let is_counted = !open.is_empty() || extent.from.is_none();
                    let mut split = self.layers(&layers, if is_counted { self.steps } else { &uncounted })?;
                    if open.is_empty() {
                        extent.skip(&mut split.cases);
                    }
                    open.push(split);
                    self.read = None;
                }
                None => {
                    while let Some(part) = self.lines.text.strip_prefix("part ") {
                        let part = self.part(part)?;
                        self.regions.push(part);
                        self.lines.next()?;
                    }
                    if self.body(if open.is_empty() { extent } else { Extent::WHOLE })? {
                        return Ok(true);
                    }
                }
            }
            loop {
                let is_first = open.len() == 1;
                let Some(split) = open.last_mut() else { return Ok(false) };
                let is_state = |state: &State| matches!(state, State::Case(to_come) if is_first && *to_come == split.cases.len());
                if self.ends_at(extent, is_state) {
                    return Ok(true);
                }
                if let Some(case) = split.cases.next() {
                    let (axis, before) = (split.axis, split.assumed);
                    self.assume(before, axis, case);
                    break;
                }
                let before = split.assumed;
                self.assume(before, 0, Vec::new());
                open.pop();
            }
        }
    }

    /// Returns `true` if the line of the split point at the end comes next, and the state is that of the point.
    fn ends_at(&self, extent: Extent<'_>, is_state: impl Fn(&State) -> bool) -> bool {
        let Some(point) = extent.to else { return false };
        let is_next = self.read.is_none() && self.lines.read_so_far() + 1 == point.line;
        is_next && self.placed.is_empty() && is_state(&point.state)
    }

    /// A case split, with the layers of each case, that leaves no solution out.
    fn layers(&self, text: &str, steps: &Steps) -> Result<Split, ProofError> {
        if self.listed.is_some() {
            return Err(self.fault("a tree with a list of solutions has no cases"));
        }
        let Some(boxes) = self.boxes else {
            return Err(self.fault("this board is not a plain box, so there are no bounds of boxes"));
        };
        let sides: Vec<u32> = self.squares.last().iter().map(|last| last + 1).collect();
        let mut parts = text.split(" / ");
        let (word, mirrored) = match parts.next().unwrap_or_default().split_once(' ') {
            Some((word, "mirrored")) => (word, true),
            Some((_, other)) => return Err(self.unreadable(format!("\"{other}\" should be \"mirrored\""))),
            None => (text.split(' ').next().unwrap_or_default(), false),
        };
        let axis = self.lines.number::<usize>(word)?.checked_sub(1).filter(|&axis| axis < sides.len());
        let axis = axis.ok_or_else(|| self.fault(format!("there is no axis {word}")))?;
        let side = sides[axis];
        let cases = parts.map(|case| self.case(case, side)).collect::<Result<Vec<_>, _>>()?;
        if cases.is_empty() {
            return Err(self.unreadable("a case stands after a slash"));
        }
        let most = |width: u32| {
            let mut sides = sides.clone();
            sides[axis] = width;
            boxes.bound(&sides).ok()
        };
        let most: Vec<Option<u64>> = (1..side).map(most).collect();
        if most.first().is_some_and(Option::is_none) {
            return Err(self.fault(format!("no bound of a layer across axis {word} has been proved")));
        }
        let along = |&(across, layers): &(usize, Layers)| (across == axis).then_some(layers);
        let assumed: Vec<Layers> = self.assumed.iter().filter_map(along).collect();
        let kept = |layers: &Layers| {
            let image = layers.reflected(side);
            let suffices =
                |to: &&Layers| (to.from, to.to) == (image.from, image.to) && to.demand >= image.demand;
            assumed.iter().any(|to| suffices(&to))
        };
        if mirrored && !assumed.iter().all(kept) {
            return Err(self.fault(format!("the reflection of axis {word} does not keep what is assumed")));
        }
        let vectors = Vectors { queens: self.regions[0].demand, most: &most, assumed: &assumed };
        vectors.all_satisfy(&cases, mirrored, steps).map_err(|refusal| match refusal {
            Refusal::NoCase(_) => self.fault(refusal.to_string()),
            Refusal::TooMany => too_many(&refusal, self.first_line),
        })?;
        Ok(Split { axis, cases: cases.into_iter(), assumed: self.assumed.len() })
    }

    /// The layers of a case.
    fn case(&self, text: &str, side: u32) -> Result<Vec<Layers>, ProofError> {
        let mut case = Vec::new();
        let mut words = text.split(' ');
        while let Some(word) = words.next() {
            let (Some((from, to)), Some(demand)) = (word.split_once('-'), words.next()) else {
                return Err(self.unreadable("expected \"from-to demand\""));
            };
            let (from, to) = (self.lines.number::<u32>(from)?, self.lines.number::<u32>(to)?);
            let demand = self.lines.number(demand)?;
            if from > to || to >= side || to - from + 1 == side {
                return Err(self.fault(format!("there are no layers {word}, or they are all of the axis")));
            }
            if demand == 0 {
                return Err(self.fault("a case asks for one queen or more"));
            }
            case.push(Layers { from, to, demand });
        }
        Ok(case)
    }

    /// The part `region axis from-to demand` of a region, which must hold what does not fit into the region before and after
    /// it.
    fn part(&self, text: &str) -> Result<Region, ProofError> {
        const FORM: &str = "expected \"part region axis from-to demand\"";
        let Some(boxes) = self.boxes else {
            return Err(self.fault("this board is not a plain box, so there are no bounds of boxes"));
        };
        let &[region, axis, layers, demand] = text.split(' ').collect::<Vec<_>>().as_slice() else {
            return Err(self.unreadable(FORM));
        };
        let Some((from, to)) = layers.split_once('-') else { return Err(self.unreadable(FORM)) };
        let (from, to) = (self.lines.number::<u32>(from)?, self.lines.number::<u32>(to)?);
        let number: usize = self.lines.number(region)?;
        let region = self.regions.get(number);
        let region = region.ok_or_else(|| self.fault(format!("there is no region {number}")))?;
        let place = self.lines.number::<usize>(axis)?.checked_sub(1);
        let interval = place.and_then(|axis| Some((axis, *region.intervals.get(axis)?)));
        let Some((axis, (first, last))) = interval else {
            return Err(self.fault(format!("there is no axis {axis}")));
        };
        if from > to || from < first || to > last {
            return Err(self.fault(format!("region {number} has no layers {layers}")));
        }
        let mut must = region.demand;
        for width in [from - first, last - to].into_iter().filter(|&width| width > 0) {
            let mut sides: Vec<u32> = region.intervals.iter().map(|(from, to)| to - from + 1).collect();
            sides[axis] = width;
            let bound = boxes.bound(&sides);
            let bound = bound.map_err(|name| self.fault(format!("no bound of {name} has been proved")))?;
            must = must.saturating_sub(bound);
        }
        let demand = self.lines.number(demand)?;
        if demand > must {
            return Err(self.fault(format!("the part must hold {must} queens, and need not hold {demand}")));
        }
        Ok(region.inside(self.squares, axis, (from, to), demand))
    }

    /// Assumes, apart from the first assumptions, what a case says.
    fn assume(&mut self, before: usize, axis: usize, case: Vec<Layers>) {
        self.assumed.truncate(before);
        self.regions.truncate(self.given + before);
        self.keeping.clear();
        for layers in case {
            let between = (layers.from, layers.to);
            self.regions.push(self.regions[0].inside(self.squares, axis, between, layers.demand));
            self.assumed.push((axis, layers));
        }
    }

    /// Checks that no solution exists that holds enough where that is assumed. Returns `true` if it ended at the split point. A
    /// tree may be as deep as the board has squares, so the open nodes are in a list, not on the stack.
    fn body(&mut self, extent: Extent<'_>) -> Result<bool, ProofError> {
        let mut open = Vec::<Opened>::new();
        let mut node = Some(match extent.from {
            Some(SplitPoint { state: State::Node(free), .. }) => free.clone(),
            _ => self.regions[0].squares.clone(),
        });
        loop {
            if let Some(free) = node.take() {
                let is_state =
                    |state: &State| matches!(state, State::Node(said) if open.is_empty() && *said == free);
                if self.ends_at(extent, is_state) {
                    return Ok(true);
                }
                open.push(self.node(free)?);
            }
            let Some(last) = open.last_mut() else { break };
            if let Some(square) = last.squares.next() {
                node = Some(self.place(square, &last.free)?);
                last.free.set(square, false);
                continue;
            }
            let Opened { mut free, orbit, .. } = open.pop().expect("it was the last one");
            if orbit.is_empty() {
                self.placed.pop();
                self.spare.push(free);
            } else {
                orbit.into_iter().for_each(|square| free.set(square, false));
                node = Some(free);
            }
        }
        if let Some(read) = self.read {
            self.column = Some(read + 1);
            return Err(self.fault("the tree has no more nodes"));
        }
        Ok(false)
    }

    /// Accepts, once its children are accepted, that no solution has all queens placed and its others on free squares, or
    /// faults.
    fn node(&mut self, free: FixedBitSet) -> Result<Opened, ProofError> {
        self.nodes += 1;
        let line = match self.next()? {
            Step::FirstFit { region, reversed } => {
                let cliques = self.may_hold(region)?;
                self.uncovered.clone_from(&free);
                self.uncovered.intersect_with(&self.regions[region].squares);
                let (uncovered, candidates) = (&mut self.uncovered, &mut self.candidates);
                clique::take_first_fit(uncovered, candidates, self.squares, cliques, reversed);
                let squares = uncovered.ones().collect::<Vec<_>>().into_iter();
                return Ok(Opened { free, squares, orbit: Vec::new() });
            }
            Step::Solution => {
                self.solution()?;
                return Ok(Opened { free, squares: Vec::new().into_iter(), orbit: Vec::new() });
            }
            Step::Line(line) => line,
        };
        match line.split_once(' ') {
            Some(("cover", rest)) => self.named(rest, free, Self::uncovered),
            Some(("sum", rest)) => self.named(rest, free, Self::less_counted),
            Some(("orbit", rest)) => self.orbit(rest, free),
            Some(("box" | "search" | "solutions" | "at" | "count", _)) => {
                Err(self.lines.fault_before("the tree ends here, and is not finished"))
            }
            _ => Err(self.unreadable("a node is a line of \"nodes\", \"cover\", \"sum\" or \"orbit\"")),
        }
    }

    /// Reads the next node.
    fn next(&mut self) -> Result<Step, ProofError> {
        if self.read.is_none() {
            self.column = None;
            self.lines.next()?;
        }
        let begin = match self.read.take() {
            Some(begin) if begin > 0 => begin,
            _ if self.lines.text.starts_with(NODES) => NODES.len(),
            _ => return Ok(Step::Line(std::mem::take(&mut self.lines.text))),
        };
        self.column = Some(begin + 1);
        let rest = &self.lines.text[begin..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let sign = rest.as_bytes().get(digits).copied().unwrap_or(b' ');
        let (region, reversed) = match (digits, sign) {
            (0, b'a'..=b'z') => (usize::from(sign - b'a'), false),
            (0, b'A'..=b'Z') => (usize::from(sign - b'A'), true),
            (0, b'.') => {
                self.read = (begin + 1 < self.lines.text.len()).then_some(begin + 1);
                return Ok(Step::Solution);
            }
            (1.., b'+' | b'-') => {
                let region = self.lines.number(&rest[..digits])?;
                if region < LETTERS {
                    return Err(self.unreadable(format!("region {region} is written as a letter")));
                }
                (region, sign == b'-')
            }
            _ => return Err(self.unreadable("expected a letter, or a number with + or - after it")),
        };
        let end = begin + digits + 1;
        self.read = (end < self.lines.text.len()).then_some(end);
        Ok(Step::FirstFit { region, reversed })
    }

    /// Accepts that the squares placed are a solution that is listed, and thus all of it.
    fn solution(&self) -> Result<(), ProofError> {
        let Some(listed) = self.listed else {
            return Err(self.fault("this tree has no list of solutions"));
        };
        let mut set = Vec::with_capacity(self.placed.len());
        for &place in &self.placed {
            let number = u32::try_from(self.squares.number(place));
            set.push(number.expect("a board has at most 4096 squares"));
        }
        set.sort_unstable();
        if listed.contains(&set) {
            return Ok(());
        }
        let set: Vec<String> = set.iter().map(ToString::to_string).collect();
        Err(self.fault(format!("the squares placed are not a listed solution: {}", set.join(" "))))
    }

    /// How many queens the free squares of a region may hold at most without its holding enough.
    fn may_hold(&self, number: usize) -> Result<u64, ProofError> {
        let Some(region) = self.regions.get(number) else {
            return Err(self.fault(format!("there is no region {number}")));
        };
        let held = self.placed.iter().filter(|&&square| region.squares.contains(square)).count() as u64;
        let Some(cliques) = region.demand.checked_sub(held + 1) else {
            return Err(
                self.fault(format!("region {number} already holds its demand of {} queens", region.demand))
            );
        };
        Ok(cliques)
    }

    /// A node whose line names a cover, and then the squares of its children.
    fn named(
        &self,
        text: &str,
        free: FixedBitSet,
        uncovered: fn(&Self, &str, &FixedBitSet) -> Result<FixedBitSet, ProofError>,
    ) -> Result<Opened, ProofError> {
        let split = text.split_once(" / ").or_else(|| Some((text.strip_suffix(" /")?, "")));
        let Some((cover, children)) = split else {
            return Err(self.unreadable("the squares of the children stand after a slash"));
        };
        let mut uncovered = uncovered(self, cover, &free)?;
        let mut squares = Vec::new();
        for word in children.split(' ').filter(|word| !word.is_empty()) {
            let square = self.square(word)?;
            if squares.len() == free.len() {
                return Err(self.fault("a node has more children than there are squares"));
            }
            squares.push(square);
            uncovered.set(square, false);
        }
        if let Some(square) = uncovered.ones().next() {
            let number = self.squares.number(square);
            return Err(self.fault(format!("square {number} is free, not covered, and not that of a child")));
        }
        Ok(Opened { free, squares: squares.into_iter(), orbit: Vec::new() })
    }

    /// The free squares of a region that the cliques named leave over.
    fn uncovered(&self, text: &str, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
        let mut words = text.split(' ');
        let region = self.lines.number(words.next().unwrap_or_default())?;
        let most = self.may_hold(region)?;
        let mut uncovered = free.clone();
        uncovered.intersect_with(&self.regions[region].squares);
        let mut cliques = 0;
        for word in words {
            self.clique(word)?.into_iter().for_each(|square| uncovered.set(square, false));
            cliques += 1;
        }
        if cliques > most {
            return Err(
                self.fault(format!("{cliques} cliques are too many for region {region}: {most} may be"))
            );
        }
        Ok(uncovered)
    }

    /// The clique of squares that attack each other, pair by pair, completed.
    fn clique(&self, text: &str) -> Result<Vec<usize>, ProofError> {
        self.rows().clique(text).map_err(|fault| self.fault(fault))
    }

    /// The reader of the rows of lines `sum`.
    fn rows(&self) -> Rows<'_> {
        Rows { format: self.format, squares: self.squares, boxes: self.boxes }
    }

    /// The free squares that rows count less than `denominator` times; what they can still hold must be less than that many
    /// times the queens asked for.
    fn less_counted(&self, text: &str, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
        let mut words = text.split(' ');
        let denominator: u64 = self.lines.number(words.next().unwrap_or_default())?;
        // Multipliers, weights and right-hand sides have 64 bits. A sum that reaches the largest number is larger than all that it is
        // compared with.
        let mut counted = vec![0u128; self.squares.len()];
        let mut held = 0u128;
        for word in words {
            let Some((times, row)) = word.split_once('*') else {
                return Err(self.unreadable(format!("\"{word}\" is not a row with its multiplier")));
            };
            let times: u64 = self.lines.number(times)?;
            let row = self.rows().row(row).map_err(|fault| self.fault(fault))?;
            let is_placed = |&(square, _): &(usize, u64)| self.placed.contains(&square);
            let here: u128 = row.squares().filter(is_placed).map(|(_, weight)| u128::from(weight)).sum();
            let rest = u128::from(row.most).saturating_sub(here);
            held = held.saturating_add(rest * u128::from(times));
            for (square, weight) in row.squares() {
                counted[square] = counted[square].saturating_add(u128::from(times) * u128::from(weight));
            }
        }
        let asked = self.regions[0].demand.saturating_sub(self.placed.len() as u64);
        if held >= u128::from(denominator) * u128::from(asked) {
            return Err(self.fault(format!(
                "the rows hold {held} / {denominator} queens, which is not less than the {asked} asked for"
            )));
        }
        let mut uncovered = free.clone();
        let enough = (0..counted.len()).filter(|&square| counted[square] >= u128::from(denominator));
        enough.for_each(|square| uncovered.set(square, false));
        Ok(uncovered)
    }

    /// A node with a child that has a queen on a square; then it goes on without the square and its images.
    fn orbit(&mut self, text: &str, free: FixedBitSet) -> Result<Opened, ProofError> {
        let mut words = text.split(' ');
        let square = self.square(words.next().unwrap_or_default())?;
        let mut orbit = vec![square];
        for symmetry in words {
            orbit.push(self.image(symmetry, square, &free)?);
        }
        Ok(Opened { free, squares: vec![square].into_iter(), orbit })
    }

    /// The image of a square under a symmetry that keeps all attacks, the queens placed and the free squares.
    fn image(&mut self, symmetry: &str, square: usize, free: &FixedBitSet) -> Result<usize, ProofError> {
        if !self.symmetries.contains_key(symmetry) {
            let images = symmetry::images(symmetry, self.squares).map_err(|fault| self.fault(fault))?;
            if let Some(listed) = self.listed
                && !self.is_product(&images)
            {
                if !listed.is_kept_by(&images, self.squares) {
                    return Err(
                        self.fault(format!("{symmetry} takes a solution that is listed to one that is not"))
                    );
                }
                self.keep_list.push(images.clone());
            }
            self.symmetries.insert(symmetry.to_owned(), images);
        }
        let images = &self.symmetries[symmetry];
        let keeps_free = free.ones().all(|free_one| free.contains(images[free_one]));
        let keeps_placed = self.placed.iter().all(|&queen| self.placed.contains(&images[queen]));
        if !keeps_free || !keeps_placed {
            return Err(self.fault(format!("{symmetry} moves the free squares or the queens placed")));
        }
        if !self.keeping.contains(symmetry) {
            if !self.keeps_assumed(images) {
                return Err(self.fault(format!("{symmetry} does not keep what is assumed")));
            }
            self.keeping.insert(symmetry.to_owned());
        }
        Ok(images[square])
    }

    /// Whether a symmetry is one met so far and then one that keeps the list, so that it does as well: all that were met do.
    fn is_product(&self, images: &[usize]) -> bool {
        let is = |met: &[usize], then: &[usize]| {
            images.iter().zip(met).all(|(&image, &square)| image == then[square])
        };
        self.symmetries.values().any(|met| self.keep_list.iter().any(|then| is(met, then)))
    }

    /// Whether each region that is assumed to hold enough has an image that is assumed to hold as much.
    fn keeps_assumed(&self, images: &[usize]) -> bool {
        let assumed = &self.regions[self.given..self.given + self.assumed.len()];
        assumed.iter().all(|region| {
            let mut image = FixedBitSet::with_capacity(self.squares.len());
            image.extend(region.squares.ones().map(|square| images[square]));
            assumed.iter().any(|to| to.squares == image && to.demand >= region.demand)
        })
    }

    /// The free squares of the child with a queen on a square.
    fn place(&mut self, square: usize, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
        if !free.contains(square) {
            return Err(self.fault(format!("square {} is not free", self.squares.number(square))));
        }
        let mut below = self.spare.pop().unwrap_or_default();
        below.clone_from(free);
        below.difference_with(self.squares.neighbours(square));
        below.set(square, false);
        self.placed.push(square);
        Ok(below)
    }

    /// The square of a number.
    fn square(&self, word: &str) -> Result<usize, ProofError> {
        self.rows().square(word).map_err(|fault| self.fault(fault))
    }

    /// A fault of this line, or of the node where it is.
    fn fault(&self, fault: impl Into<Reason>) -> ProofError {
        let Reason { kind, words } = fault.into();
        match self.column {
            Some(column) => self.lines.fault(Reason { kind, words: format!("column {column}: {words}") }),
            None => self.lines.fault(Reason { kind, words }),
        }
    }

    /// Returns the fault of a node, or a line, that does not follow the format.
    fn unreadable(&self, fault: impl Into<String>) -> ProofError {
        self.fault(Reason::unreadable(fault))
    }
}

/// What a line of nodes begins with.
const NODES: &str = "nodes ";

/// The regions of the least numbers are written as letters.
const LETTERS: usize = 26;
