//! Tree of a search, which shows that no solution satisfies the demands of all regions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::vec;

use fixedbitset::FixedBitSet;
use ndqueens_notation::counted::counted;
use ndqueens_notation::proof::{LETTERS, NODES};

use super::bounds::Boxes;
use super::layers::{Layers, Refusal, Steps, Vectors};
use super::listed::SolutionList;
use super::order::Squares;
use super::rows::RowReader;
use super::split_point::{SplitPoint, State};
use super::{Format, Lines, ProofError, clique, symmetry, too_many_steps};
use crate::fault::Reason;

/// Squares that hold at least `demand` queens of any solution.
#[derive(Debug, Clone)]
pub(super) struct Region {
    squares: FixedBitSet,
    pub(super) demand: u64,
    /// First and last layer along each axis.
    intervals: Vec<(u32, u32)>,
}

impl Region {
    /// Creates the region of all squares.
    pub(super) fn whole(squares: &Squares, demand: u64) -> Self {
        let intervals = squares.last().iter().map(|&last| (0, last)).collect();
        Self { squares: squares.all(), demand, intervals }
    }

    /// Returns the squares of a region in layers across an axis, as a region with the demand of the layers.
    pub(super) fn restrict(&self, squares: &Squares, axis: usize, layers: Layers) -> Self {
        let Layers { from, to, demand } = layers;
        let mut restricted = FixedBitSet::with_capacity(squares.len());
        restricted.extend(squares.filter_places(|square| (from..=to).contains(&square[axis])));
        restricted.intersect_with(&self.squares);
        let mut intervals = self.intervals.clone();
        intervals[axis] = (from, to);
        Self { squares: restricted, demand, intervals }
    }
}

/// Checker of a tree, which reads one node after the other.
pub(super) struct TreeChecker<'a, 'p> {
    lines: &'a mut Lines<'p>,
    /// Line of the first node, counted from 1 in the proof.
    pub(super) first_line: u64,
    format: Format,
    /// Number of bytes of the current line that were read. `None` if the next node begins a new line.
    position: Option<usize>,
    /// Column of the node, if it is one of several nodes in its line.
    column: Option<usize>,
    squares: &'a Squares,
    boxes: Option<Boxes<'a>>,
    /// Regions with a demand. The first one is the whole board.
    regions: Vec<Region>,
    /// Steps of the case splits of this tree, or of this piece of it.
    steps: &'a Steps,
    /// Number of regions that have a demand in the whole tree.
    base_regions: usize,
    /// Axis and layers of the regions after the first `base_regions`, whose demands are assumed. Parts of
    /// regions follow.
    assumed: Vec<(usize, Layers)>,
    /// Solutions that exist; `None` if the tree shows that there are no solutions.
    listed: Option<&'a SolutionList>,
    /// Symmetries used so far, with the images of all squares.
    symmetries: HashMap<String, Arc<[usize]>>,
    /// Images under those symmetries that were checked to preserve the list of solutions.
    preserving_list: Vec<Arc<[usize]>>,
    /// Names of the symmetries that preserve the assumptions.
    preserving_assumptions: HashSet<String>,
    placed: Vec<usize>,
    nodes: u64,
    /// Working memory: unused sets, and two sets whose contents are not kept from one node to the next.
    spare: Vec<FixedBitSet>,
    uncovered: FixedBitSet,
    candidates: FixedBitSet,
}

/// Piece of a tree that is checked; `None` is the beginning or the end of the tree.
#[derive(Clone, Copy)]
pub(super) struct Extent<'s> {
    pub(super) from: Option<&'s SplitPoint>,
    pub(super) to: Option<&'s SplitPoint>,
}

impl Extent<'_> {
    /// Whole tree.
    const WHOLE: Self = Self { from: None, to: None };

    /// Removes the cases before the beginning.
    fn skip_cases(self, cases: &mut vec::IntoIter<Vec<Layers>>) {
        if let Some(SplitPoint { state: State::Case(to_come), .. }) = self.from {
            while cases.len() > *to_come {
                cases.next();
            }
        }
    }
}

/// Case split, with the remaining cases.
struct CaseSplit {
    axis: usize,
    cases: vec::IntoIter<Vec<Layers>>,
    /// Number of assumptions before the split.
    assumed: usize,
}

/// Node with children.
struct OpenNode {
    free: FixedBitSet,
    /// Squares of the queens of the remaining children.
    squares: vec::IntoIter<usize>,
    /// Squares that are removed when the node is visited a second time, after its only child. Empty if the
    /// node ends with its children.
    orbit: Vec<usize>,
}

/// Node as it is written in the proof.
enum Step {
    /// Cover of a region by first-fit cliques; the uncovered squares are those of the children.
    FirstFit { region: usize, reversed: bool },
    /// Solution that is listed and consists of all queens placed.
    Solution,
    /// Node that has its own line.
    Line(Arc<str>),
}

impl<'a, 'p> TreeChecker<'a, 'p> {
    /// Creates the checker of a tree whose first line has been read.
    pub(super) fn new(
        lines: &'a mut Lines<'p>,
        format: Format,
        squares: &'a Squares,
        boxes: Option<Boxes<'a>>,
        regions: Vec<Region>,
        steps: &'a Steps,
    ) -> Self {
        let base_regions = regions.len();
        Self {
            first_line: lines.line_number(),
            lines,
            format,
            steps,
            base_regions,
            position: Some(0),
            column: None,
            squares,
            boxes,
            regions,
            assumed: Vec::new(),
            listed: None,
            symmetries: HashMap::new(),
            preserving_list: Vec::new(),
            preserving_assumptions: HashSet::new(),
            placed: Vec::new(),
            nodes: 0,
            spare: Vec::new(),
            uncovered: FixedBitSet::new(),
            candidates: FixedBitSet::new(),
        }
    }

    /// Returns the checker of the same tree with a list of the solutions that exist.
    pub(super) fn with_solutions(self, listed: Option<&'a SolutionList>) -> Self {
        Self { listed, ..self }
    }

    /// Checks that no solution exists except those listed. Returns the number of nodes.
    pub(super) fn check(self) -> Result<u64, ProofError> {
        self.check_piece(Extent::WHOLE).map(|(nodes, _)| nodes)
    }

    /// Checks a piece. Returns the number of nodes, and `true` if the check ended at the split point. The
    /// check continues to the end of the tree if it does not reach the split point, or reaches it in another
    /// state.
    pub(super) fn check_piece(mut self, extent: Extent<'_>) -> Result<(u64, bool), ProofError> {
        let ended = self.check_cases(extent)?;
        Ok((self.nodes, ended))
    }

    /// Checks a piece whose first line has been read. Returns `true` if it ended at the split point. The open
    /// case splits are kept in a list instead of on the stack, because the nesting depth is limited only by
    /// the length of the proof.
    fn check_cases(&mut self, extent: Extent<'_>) -> Result<bool, ProofError> {
        let mut open = Vec::<CaseSplit>::new();
        loop {
            if self.position.is_none() {
                self.column = None;
                self.lines.read_line()?;
                self.position = Some(0);
            }
            let line = Arc::clone(&self.lines.text);
            match line.strip_prefix("layers ") {
                Some(layers) => {
                    // All pieces of a tree read its first split. Only the piece at the beginning of the tree
                    // counts its steps, so that they are counted once.
                    let uncounted = Steps::default();
                    let is_counted = !open.is_empty() || extent.from.is_none();
                    let mut split =
                        self.read_case_split(layers, if is_counted { self.steps } else { &uncounted })?;
                    if open.is_empty() {
                        extent.skip_cases(&mut split.cases);
                    }
                    open.push(split);
                    self.position = None;
                }
                None => {
                    while let Some(part) = self.lines.text.strip_prefix("part ") {
                        let part = self.read_part(part)?;
                        self.regions.push(part);
                        self.lines.read_line()?;
                    }
                    if self.check_nodes(if open.is_empty() { extent } else { Extent::WHOLE })? {
                        return Ok(true);
                    }
                }
            }
            loop {
                let is_first = open.len() == 1;
                let Some(split) = open.last_mut() else { return Ok(false) };
                let to_come = split.cases.len();
                let is_state = |state: &State| is_first && *state == State::Case(to_come);
                if self.is_at_end(extent, is_state) {
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

    /// Returns `true` if the line of the split point at the end is the next one, and the state is that of the
    /// point.
    fn is_at_end(&self, extent: Extent<'_>, is_state: impl Fn(&State) -> bool) -> bool {
        let Some(point) = extent.to else { return false };
        let is_next = self.position.is_none() && self.lines.line_number() + 1 == point.line;
        is_next && self.placed.is_empty() && is_state(&point.state)
    }

    /// Reads a case split with the layers of each case, and checks that each solution satisfies a case.
    fn read_case_split(&self, text: &str, steps: &Steps) -> Result<CaseSplit, ProofError> {
        if self.listed.is_some() {
            return Err(self.fault("a tree with a list of solutions has no cases"));
        }
        let Some(boxes) = self.boxes else {
            return Err(self.fault("this board is not a plain box, so there are no bounds of boxes"));
        };
        let sides: Vec<u32> = self.squares.last().iter().map(|last| last + 1).collect();
        let mut parts = text.split(" / ");
        let (word, mirrored) = match parts.next().unwrap_or_default().trim_end_matches(" /").split_once(' ') {
            Some((word, "mirrored")) => (word, true),
            Some((_, other)) => return Err(self.unreadable(format!("\"{other}\" should be \"mirrored\""))),
            None => (text.split(' ').next().unwrap_or_default(), false),
        };
        let axis = self.lines.parse_number::<usize>(word)?.checked_sub(1).filter(|&axis| axis < sides.len());
        let axis =
            axis.ok_or_else(|| self.fault(Reason::from(format!("there is no axis {word}")).at(word)))?;
        let side = sides[axis];
        let cases = parts.map(|case| self.read_case(case, side)).collect::<Result<Vec<_>, _>>()?;
        if cases.is_empty() {
            return Err(self.unreadable("expected \" / \" and a case after the axis"));
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
        let has_image = |layers: &Layers| {
            let image = layers.reflect(side);
            let suffices =
                |to: &&Layers| (to.from, to.to) == (image.from, image.to) && to.demand >= image.demand;
            assumed.iter().any(|to| suffices(&to))
        };
        if mirrored && !assumed.iter().all(has_image) {
            let fault =
                format!("the reflection of axis {word} does not preserve the assumptions of the case");
            return Err(self.fault(Reason::from(fault).at(word)));
        }
        let vectors = Vectors { queens: self.regions[0].demand, most: &most, assumed: &assumed };
        vectors.check_cases(&cases, mirrored, steps).map_err(|refusal| match refusal {
            Refusal::NoCase(_) => self.fault(refusal.to_string()),
            Refusal::TooMany => too_many_steps(&refusal, self.first_line),
        })?;
        Ok(CaseSplit { axis, cases: cases.into_iter(), assumed: self.assumed.len() })
    }

    /// Reads the layers of a case.
    fn read_case(&self, text: &str, side: u32) -> Result<Vec<Layers>, ProofError> {
        let mut case = Vec::new();
        let mut words = text.split(' ');
        while let Some(word) = words.next() {
            let (Some((from, to)), Some(demand)) = (word.split_once('-'), words.next()) else {
                return Err(self.unreadable("expected \"from-to demand\""));
            };
            let (from, to) = (self.lines.parse_number::<u32>(from)?, self.lines.parse_number::<u32>(to)?);
            let demand = self.lines.parse_number(demand)?;
            if from > to || to >= side || to - from + 1 == side {
                let fault = format!("there are no layers {word}, or they are all of the axis");
                return Err(self.fault(Reason::from(fault).at(word)));
            }
            if demand == 0 {
                return Err(self.fault("the demand of a case must be positive"));
            }
            case.push(Layers { from, to, demand });
        }
        Ok(case)
    }

    /// Reads the part `region axis from-to demand` of a region, which must hold the queens that do not fit
    /// into the region before and after it.
    fn read_part(&self, text: &str) -> Result<Region, ProofError> {
        const FORM: &str = "expected \"part region axis from-to demand\"";
        let Some(boxes) = self.boxes else {
            return Err(self.fault("this board is not a plain box, so there are no bounds of boxes"));
        };
        let &[region, axis, layers, demand] = text.split(' ').collect::<Vec<_>>().as_slice() else {
            return Err(self.unreadable(FORM));
        };
        let Some((from, to)) = layers.split_once('-') else { return Err(self.unreadable(FORM)) };
        let (from, to) = (self.lines.parse_number::<u32>(from)?, self.lines.parse_number::<u32>(to)?);
        let number: usize = self.lines.parse_number(region)?;
        let region = self.regions.get(number);
        let region = region.ok_or_else(|| self.fault(format!("there is no region {number}")))?;
        let place = self.lines.parse_number::<usize>(axis)?.checked_sub(1);
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
        let demand = self.lines.parse_number(demand)?;
        if demand > must {
            let queens = counted(must, "queen");
            let fault = format!("the rest of the region leaves {queens} for the part, not {demand}");
            return Err(self.fault(fault));
        }
        Ok(region.restrict(self.squares, axis, Layers { from, to, demand }))
    }

    /// Replaces all assumptions after the first `before` ones by those of a case.
    fn assume(&mut self, before: usize, axis: usize, case: Vec<Layers>) {
        self.assumed.truncate(before);
        self.regions.truncate(self.base_regions + before);
        self.preserving_assumptions.clear();
        for layers in case {
            self.regions.push(self.regions[0].restrict(self.squares, axis, layers));
            self.assumed.push((axis, layers));
        }
    }

    /// Checks that no solution satisfies the demands of all regions. Returns `true` if the check ended at the
    /// split point. The open nodes are kept in a list instead of on the stack, because the tree may be as
    /// deep as the board has squares.
    fn check_nodes(&mut self, extent: Extent<'_>) -> Result<bool, ProofError> {
        let mut open = Vec::<OpenNode>::new();
        let mut node = Some(match extent.from {
            Some(SplitPoint { state: State::Node(free), .. }) => free.clone(),
            _ => self.regions[0].squares.clone(),
        });
        loop {
            if let Some(free) = node.take() {
                let is_state = |state: &State| {
                    open.is_empty() && matches!(state, State::Node(expected) if *expected == free)
                };
                if self.is_at_end(extent, is_state) {
                    return Ok(true);
                }
                open.push(self.check_node(free)?);
            }
            let Some(last) = open.last_mut() else { break };
            if let Some(square) = last.squares.next() {
                node = Some(self.place_queen(square, &last.free)?);
                last.free.set(square, false);
                continue;
            }
            let OpenNode { mut free, orbit, .. } = open.pop().expect("it was the last one");
            if orbit.is_empty() {
                self.placed.pop();
                self.spare.push(free);
            } else {
                orbit.into_iter().for_each(|square| free.set(square, false));
                node = Some(free);
            }
        }
        if let Some(position) = self.position {
            self.column = Some(position + 1);
            return Err(self.fault("the tree has no more nodes"));
        }
        Ok(false)
    }

    /// Reads and checks a node. If its children are accepted, no solution consists of the queens placed and
    /// queens on free squares.
    fn check_node(&mut self, free: FixedBitSet) -> Result<OpenNode, ProofError> {
        self.nodes += 1;
        let line = match self.read_step()? {
            Step::FirstFit { region, reversed } => {
                let cliques = self.clique_limit(region)?;
                self.uncovered.clone_from(&free);
                self.uncovered.intersect_with(&self.regions[region].squares);
                let (uncovered, candidates) = (&mut self.uncovered, &mut self.candidates);
                clique::take_first_fit(uncovered, candidates, self.squares, cliques, reversed);
                let squares = uncovered.ones().collect::<Vec<_>>().into_iter();
                return Ok(OpenNode { free, squares, orbit: Vec::new() });
            }
            Step::Solution => {
                self.check_solution()?;
                return Ok(OpenNode { free, squares: Vec::new().into_iter(), orbit: Vec::new() });
            }
            Step::Line(line) => line,
        };
        match line.split_once(' ') {
            Some(("cover", rest)) => self.read_cover(rest, free, Self::uncovered_by_cliques),
            Some(("sum", rest)) => self.read_cover(rest, free, Self::uncovered_by_rows),
            Some(("orbit", rest)) => self.read_orbit(rest, free),
            _ => Err(self.fault_of_other_line(&line)),
        }
    }

    /// Returns the fault of a line that is not a node.
    #[cold]
    fn fault_of_other_line(&self, line: &str) -> ProofError {
        match line.split(' ').next().unwrap_or_default() {
            "box" | "search" | "solutions" | "at" | "count" if line.contains(' ') => {
                self.lines.fault_before("the tree ends here, and is not finished")
            }
            "nodes" => self.unreadable("expected \"nodes letters\""),
            "cover" => self.unreadable("expected \"cover region cliques / squares\""),
            "sum" => self.unreadable("expected \"sum denominator rows / squares\""),
            "orbit" => self.unreadable("expected \"orbit square symmetries\""),
            _ => self.unreadable("a node is a line of \"nodes\", \"cover\", \"sum\" or \"orbit\""),
        }
    }

    /// Reads the next node.
    fn read_step(&mut self) -> Result<Step, ProofError> {
        if self.position.is_none() {
            self.column = None;
            self.lines.read_line()?;
        }
        let begin = match self.position.take() {
            Some(begin) if begin > 0 => begin,
            _ if self.lines.text.starts_with(NODES) => NODES.len(),
            _ => return Ok(Step::Line(Arc::clone(&self.lines.text))),
        };
        self.column = Some(begin + 1);
        let rest = &self.lines.text[begin..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let sign = rest.as_bytes().get(digits).copied().unwrap_or(b' ');
        let (region, reversed) = match (digits, sign) {
            (0, b'a'..=b'z') => (usize::from(sign - b'a'), false),
            (0, b'A'..=b'Z') => (usize::from(sign - b'A'), true),
            (0, b'.') => {
                self.position = (begin + 1 < self.lines.text.len()).then_some(begin + 1);
                return Ok(Step::Solution);
            }
            (1.., b'+' | b'-') => {
                let region = self.lines.parse_number(&rest[..digits])?;
                if region < LETTERS {
                    return Err(self.unreadable(format!("region {region} is written as a letter")));
                }
                (region, sign == b'-')
            }
            _ => return Err(self.unreadable("expected a letter, or a number with + or - after it")),
        };
        let end = begin + digits + 1;
        self.position = (end < self.lines.text.len()).then_some(end);
        Ok(Step::FirstFit { region, reversed })
    }

    /// Checks that the set of placed squares is one of the listed solutions.
    fn check_solution(&self) -> Result<(), ProofError> {
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
        if set.is_empty() {
            return Err(self.fault("no square is placed here, and the empty set is not a listed solution"));
        }
        let set: Vec<String> = set.iter().map(ToString::to_string).collect();
        Err(self.fault(format!("the squares placed are not a listed solution: {}", set.join(" "))))
    }

    /// Returns the demand of a region, less the queens placed in it, minus 1. A cover of the region by this
    /// many cliques leaves room for too few queens.
    fn clique_limit(&self, number: usize) -> Result<u64, ProofError> {
        let Some(region) = self.regions.get(number) else {
            return Err(self.fault(format!("there is no region {number}")));
        };
        let held = self.placed.iter().filter(|&&square| region.squares.contains(square)).count() as u64;
        let Some(cliques) = region.demand.checked_sub(held + 1) else {
            return Err(self.fault(format!(
                "region {number} already holds its demand of {}",
                counted(region.demand, "queen")
            )));
        };
        Ok(cliques)
    }

    /// Reads a node whose line lists a cover and then the squares of its children.
    fn read_cover(
        &self,
        text: &str,
        free: FixedBitSet,
        uncovered: fn(&Self, &str, &FixedBitSet) -> Result<FixedBitSet, ProofError>,
    ) -> Result<OpenNode, ProofError> {
        let split = text.split_once(" / ").or_else(|| Some((text.strip_suffix(" /")?, "")));
        let Some((cover, children)) = split else {
            return Err(self.unreadable("expected \" / \" and the squares of the children after the cover"));
        };
        let mut uncovered = uncovered(self, cover, &free)?;
        let mut squares = Vec::new();
        for word in children.split(' ').filter(|word| !word.is_empty()) {
            let square = self.read_square(word)?;
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
        Ok(OpenNode { free, squares: squares.into_iter(), orbit: Vec::new() })
    }

    /// Returns the free squares of a region that the listed cliques do not cover.
    fn uncovered_by_cliques(&self, text: &str, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
        let mut words = text.split(' ');
        let region = self.lines.parse_number(words.next().unwrap_or_default())?;
        let most = self.clique_limit(region)?;
        let mut uncovered = free.clone();
        uncovered.intersect_with(&self.regions[region].squares);
        let mut cliques = 0;
        for word in words {
            self.read_clique(word)?.into_iter().for_each(|square| uncovered.set(square, false));
            cliques += 1;
        }
        if cliques > most {
            return Err(self.fault(format!(
                "region {region} may be covered by at most {}, and this line has {cliques}",
                counted(most, "clique")
            )));
        }
        Ok(uncovered)
    }

    /// Reads a clique of squares that attack each other pairwise, and completes it.
    fn read_clique(&self, text: &str) -> Result<Vec<usize>, ProofError> {
        self.row_reader().read_clique(text).map_err(|fault| self.fault(fault.at(text)))
    }

    /// Returns the reader of the rows of lines `sum`.
    fn row_reader(&self) -> RowReader<'_> {
        RowReader { format: self.format, squares: self.squares, boxes: self.boxes }
    }

    /// Returns the free squares that rows count less than `denominator` times. The remaining capacity of the
    /// rows must be less than `denominator` times the number of queens still to be placed.
    fn uncovered_by_rows(&self, text: &str, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
        let mut words = text.split(' ');
        let word = words.next().unwrap_or_default();
        let denominator: u64 = self.lines.parse_number(word)?;
        if denominator == 0 {
            return Err(self.fault(Reason::from("the denominator of a sum must be positive").at(word)));
        }
        // Multipliers, weights and right-hand sides have 64 bits. A saturated sum is larger than every value
        // with which it is compared.
        let mut counted = vec![0u128; self.squares.len()];
        let mut held = 0u128;
        for word in words {
            let Some((times, row)) = word.split_once('*') else {
                let fault = format!("\"{word}\" is not a row with its multiplier");
                return Err(self.fault(Reason::unreadable(fault).at(word)));
            };
            let times: u64 = self.lines.parse_number(times)?;
            let row = self.row_reader().read_row(row).map_err(|fault| self.fault(fault.at(row)))?;
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
                "the rows allow {} further queens, which is not less than the {asked} required",
                if denominator == 1 { held.to_string() } else { format!("{held}/{denominator}") }
            )));
        }
        let mut uncovered = free.clone();
        let enough = (0..counted.len()).filter(|&square| counted[square] >= u128::from(denominator));
        enough.for_each(|square| uncovered.set(square, false));
        Ok(uncovered)
    }

    /// Reads a node that has one child with a queen on a square, and is then visited again without the square
    /// and its images.
    fn read_orbit(&mut self, text: &str, free: FixedBitSet) -> Result<OpenNode, ProofError> {
        let mut words = text.split(' ');
        let square = self.read_square(words.next().unwrap_or_default())?;
        let mut orbit = vec![square];
        for symmetry in words {
            orbit.push(self.read_image(symmetry, square, &free)?);
        }
        Ok(OpenNode { free, squares: vec![square].into_iter(), orbit })
    }

    /// Returns the image of a square under a symmetry that preserves all attacks, the queens placed, the free
    /// squares and the assumptions.
    fn read_image(&mut self, symmetry: &str, square: usize, free: &FixedBitSet) -> Result<usize, ProofError> {
        if !self.symmetries.contains_key(symmetry) {
            let images =
                symmetry::images(symmetry, self.squares).map_err(|fault| self.fault(fault.at(symmetry)))?;
            if let Some(listed) = self.listed
                && !self.is_product(&images)
            {
                if !listed.is_preserved_by(&images, self.squares) {
                    let fault = format!("{symmetry} takes a solution that is listed to one that is not");
                    return Err(self.fault(Reason::from(fault).at(symmetry)));
                }
                self.preserving_list.push(images.clone());
            }
            self.symmetries.insert(symmetry.to_owned(), images);
        }
        let images = &self.symmetries[symmetry];
        let keeps_free = free.ones().all(|free_one| free.contains(images[free_one]));
        let keeps_placed = self.placed.iter().all(|&queen| self.placed.contains(&images[queen]));
        if !keeps_free || !keeps_placed {
            let fault = format!("{symmetry} moves the free squares or the queens placed");
            return Err(self.fault(Reason::from(fault).at(symmetry)));
        }
        if !self.preserving_assumptions.contains(symmetry) {
            if !self.preserves_assumptions(images) {
                let fault = format!("{symmetry} does not preserve the assumptions of the case");
                return Err(self.fault(Reason::from(fault).at(symmetry)));
            }
            self.preserving_assumptions.insert(symmetry.to_owned());
        }
        Ok(images[square])
    }

    /// Returns `true` if a symmetry is the composition of two symmetries that preserve the list: one of those
    /// used before, and one of those whose images of the list were compared. It then preserves the list, too.
    fn is_product(&self, images: &[usize]) -> bool {
        let is = |met: &[usize], then: &[usize]| {
            images.iter().zip(met).all(|(&image, &square)| image == then[square])
        };
        self.symmetries.values().any(|met| self.preserving_list.iter().any(|then| is(met, then)))
    }

    /// Returns `true` if the image of each region with an assumed demand is a region whose assumed demand is
    /// at least as large.
    fn preserves_assumptions(&self, images: &[usize]) -> bool {
        let assumed = &self.regions[self.base_regions..self.base_regions + self.assumed.len()];
        assumed.iter().all(|region| {
            let mut image = FixedBitSet::with_capacity(self.squares.len());
            image.extend(region.squares.ones().map(|square| images[square]));
            assumed.iter().any(|to| to.squares == image && to.demand >= region.demand)
        })
    }

    /// Places a queen on a square, and returns the free squares of the child.
    fn place_queen(&mut self, square: usize, free: &FixedBitSet) -> Result<FixedBitSet, ProofError> {
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

    /// Parses the number of a square, and returns its place.
    fn read_square(&self, word: &str) -> Result<usize, ProofError> {
        self.row_reader().read_square(word).map_err(|fault| self.fault(fault))
    }

    /// Returns a fault of this line, or of the node in it.
    #[cold]
    fn fault(&self, fault: impl Into<Reason>) -> ProofError {
        let fault = fault.into();
        let node = self.column.and_then(|column| self.lines.text.get(column - 1..));
        self.lines.fault(match node {
            Some(node) => fault.at(node),
            None => fault,
        })
    }

    /// Returns the fault of a node, or a line, that does not follow the format.
    #[cold]
    fn unreadable(&self, fault: impl Into<String>) -> ProofError {
        self.fault(Reason::unreadable(fault))
    }
}
