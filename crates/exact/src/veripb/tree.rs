//! One search: the cliques and symmetries that it rests on, and its tree.

use std::fmt::Write as _;
use std::io;

use super::indexed::{IndexedBoard, Lines};
use super::{Halt, STRING, Steps, fault};
use crate::bits::Bits;
use ndqueens_control::{Control, stack};

/// Squares that must hold at least `demand` queens.
pub(super) struct Region<const W: usize> {
    pub(super) squares: Bits<W>,
    pub(super) demand: i32,
    /// Its row, once it has one.
    pub(super) row: u64,
    /// Whether a node needs it.
    pub(super) used: bool,
}

impl<const W: usize> Region<W> {
    pub(super) fn new(squares: Bits<W>, demand: u64) -> Self {
        let demand = i32::try_from(demand).expect("fewer queens than squares");
        Self { squares, demand, row: 0, used: false }
    }
}

/// A clique and the row which says that it holds at most one queen.
struct Clique<const W: usize> {
    squares: Bits<W>,
    /// A number; or the literal that is not negative when there is one square only.
    row: String,
}

/// The most orbits that symmetry is broken on: the coefficients of the order are powers of two.
const MOST_ORBITS: usize = 60;

/// The search for so many queens on a set of squares.
pub(super) struct Tree<'a, const W: usize> {
    indexed: &'a IndexedBoard<Bits<W>>,
    lines: &'a Lines,
    control: &'a Control,
    /// Slabs, and last the whole set.
    pub(super) regions: Vec<Region<W>>,
    /// For each square the regions that contain it.
    regions_of: Vec<Vec<usize>>,
    /// What the regions still need.
    demands: Vec<i32>,
    placed: Vec<usize>,
    /// The end of every clause: that what is assumed is not so.
    unless: String,
    /// The symmetries that keep the set.
    elements: Vec<u32>,
    /// The other sets that the set is to be the fullest of, with symmetries that lead to them.
    images: Vec<(Bits<W>, u32)>,
    /// The squares tried at the root, one of each orbit.
    representatives: Vec<usize>,
    /// The lines, and then other cliques as they are met.
    cliques: Vec<Clique<W>>,
    /// For each square the cliques that contain it.
    cliques_of: Vec<Vec<usize>>,
    /// Nodes and bytes, by the rehearsal.
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

impl<'a, const W: usize> Tree<'a, W> {
    pub(super) fn new(
        indexed: &'a IndexedBoard<Bits<W>>,
        lines: &'a Lines,
        regions: Vec<Region<W>>,
        (elements, images): (Vec<u32>, Vec<(Bits<W>, u32)>),
        control: &'a Control,
    ) -> Self {
        let containing = |x| (0..regions.len()).filter(|&r| regions[r].squares.contains(x)).collect();
        let mut tree = Self {
            indexed,
            lines,
            control,
            regions_of: (0..indexed.size()).map(containing).collect(),
            demands: regions.iter().map(|region| region.demand).collect(),
            regions,
            placed: Vec::new(),
            unless: String::new(),
            elements,
            images,
            representatives: Vec::new(),
            cliques: Vec::new(),
            cliques_of: vec![Vec::new(); indexed.size()],
            nodes: 0,
            bytes: 0,
        };
        for (line, row) in lines.all.iter().zip(1..) {
            tree.add_clique(indexed.set(line.iter().copied()), row.to_string());
        }
        tree
    }

    /// Searches and writes nowhere, to meet the cliques and orbits.
    pub(super) fn rehearse(&mut self, most_bytes: u64) -> Result<(), Halt> {
        let mut sink = io::sink();
        let mut steps = Steps::new(&mut sink, self.lines.all.len(), most_bytes);
        self.root(&mut steps)?;
        self.prelude(&mut steps)?;
        (self.nodes, self.bytes) = (steps.size.nodes, steps.size.bytes);
        Ok(())
    }

    /// Symmetry and cliques. The rows which say that the images are not fuller than the set.
    pub(super) fn prelude(&mut self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let fullest = self.break_symmetry(steps)?;
        for number in self.lines.all.len()..self.cliques.len() {
            if self.cliques[number].squares.len() > 1 {
                let derived = steps.derive(&self.derivation(&self.cliques[number].squares))?;
                self.cliques[number].row = derived.to_string();
            }
        }
        Ok(fullest)
    }

    /// The order, which prefers full sets first and then queens on the representatives; then the steps that it allows.
    fn break_symmetry(&self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let orbits = self.representatives.len();
        let most = 1u64 << orbits;
        let mut weights = vec![0; self.indexed.size()];
        if !self.images.is_empty() {
            self.whole().iter().for_each(|x| weights[x] = most);
        }
        for (i, &r) in self.representatives.iter().enumerate() {
            weights[r] += most >> (i + 1);
        }
        let weighted: Vec<usize> = (0..weights.len()).filter(|&x| weights[x] > 0).collect();
        if weighted.is_empty() {
            return Ok(Vec::new());
        }
        let names = |letter: char| (1..=weighted.len()).map(|i| format!(" {letter}{i}")).collect::<String>();
        let terms = (1..).zip(&weighted).map(|(i, &x)| format!("-{0} u{i} {0} v{i} ", weights[x]));
        let preferred = weighted.iter().map(|&x| format!(" ~{}", self.indexed.variable(x)));
        steps.say(&format!(
            "def_order by{number}\nvars\nleft{};\nright{};\nend;\ndef\n{}>= 0;\nend;\n\
             transitivity\nvars\nfresh_right{};\nend;\nproof\nproofgoal #1\npol 1 2 + 3 +;\nqed : -1;\nqed;\nend;\nend;\n\
             load_order by{number}{};",
            names('u'),
            names('v'),
            terms.collect::<String>(),
            names('w'),
            preferred.collect::<String>(),
            number = steps.last
        ))?;
        let mut fullest = Vec::new();
        for (image, element) in &self.images {
            let (here, there) = (self.whole() & !*image, *image & !self.whole());
            let less = here.iter().map(|x| format!(" 1 {}", self.indexed.variable(x)));
            let more = there.iter().map(|x| format!(" 1 ~{}", self.indexed.variable(x)));
            let terms = less.chain(more).collect::<String>();
            // Within, VeriPB numbers the negated row, the negation of either goal, and the two sums.
            steps.last += 5;
            fullest.push(steps.derive(&format!(
                "dom{terms} >= {} :{} : subproof\nproofgoal #1\npol -2 {most} * -1 +;\nqed : -1;\n\
                 proofgoal #2\npol -4 {most} * -1 +;\nqed : -1;\nqed;",
                there.len(),
                self.indexed.witness(*element)
            ))?);
        }
        let mut clause = "dom".to_owned();
        for &r in &self.representatives {
            write!(clause, " 1 {}", self.indexed.variable(r)).expect(STRING);
            for (image, element) in self.indexed.orbit(r, &self.elements) {
                if image != r {
                    let witness = self.indexed.witness(element);
                    steps
                        .derive(&format!("{clause} 1 ~{} >= 1 :{witness};", self.indexed.variable(image)))?;
                }
            }
        }
        Ok(fullest)
    }

    /// The step that derives the row of a clique.
    fn derivation(&self, clique: &Bits<W>) -> String {
        let members: Vec<_> = clique.iter().map(|x| self.indexed.square(x)).collect();
        let mut step = "pol".to_owned();
        for (j, &b) in members.iter().enumerate().skip(1) {
            if j > 2 {
                write!(step, " {} *", j - 1).expect(STRING);
            }
            for &a in &members[..j] {
                self.lines.push_row(a, b, |square| square == a || square == b, &mut step);
                step.push_str(if j > 1 { " +" } else { "" });
            }
            if j > 1 {
                write!(step, " {j} d").expect(STRING);
            }
        }
        step + ";"
    }

    /// The row of a clique with all these squares.
    fn clique(&mut self, squares: &[usize]) -> &str {
        let mut set = Bits::EMPTY;
        squares.iter().for_each(|&x| set.insert(x));
        let contains = |&number: &usize| set & self.cliques[number].squares == set;
        let known = self.cliques_of[squares[0]].iter().copied().find(contains);
        let number = known.unwrap_or_else(|| {
            let attacks = &self.indexed.attacks;
            let mut common = squares.iter().fold(!Bits::EMPTY, |common, &x| common & attacks[x]);
            loop {
                let Some(x) = common.iter().next() else { break };
                set.insert(x);
                common &= attacks[x];
            }
            let row = match set.len() {
                1 => format!("~{}", self.indexed.variable(squares[0])),
                // About what it will be; the prelude gives it its number.
                _ => (self.cliques.len() + 1).to_string(),
            };
            self.add_clique(set, row)
        });
        &self.cliques[number].row
    }

    fn add_clique(&mut self, squares: Bits<W>, row: String) -> usize {
        let number = self.cliques.len();
        squares.iter().for_each(|x| self.cliques_of[x].push(number));
        self.cliques.push(Clique { squares, row });
        number
    }

    /// A variable that the rows of the regions hold under.
    pub(super) fn assume(&mut self, variable: &str) {
        self.unless = format!(" 1 ~{variable}");
    }

    fn whole(&self) -> Bits<W> {
        self.regions.last().expect("the whole set").squares
    }

    /// The root: while squares are left over, one of an orbit of them is tried and the orbit is done with. The last clause.
    pub(super) fn root(&mut self, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        let mut free = self.whole();
        let mut clauses = Vec::new();
        self.representatives.clear();
        while self.elements.len() > 1 && self.representatives.len() < MOST_ORBITS {
            let attacked = |x: &usize| ((free & self.indexed.attacks[*x]).len(), usize::MAX - x);
            let Some(r) = self.cover(&free)?.uncovered.iter().max_by_key(attacked) else { break };
            self.representatives.push(r);
            clauses.push(self.child(r, &free, steps)?);
            for (image, _) in self.indexed.orbit(r, &self.elements) {
                free.remove(image);
            }
        }
        self.node(free, clauses, steps)
    }

    /// Shows that the queens placed leave too little. The clause which forbids them, after `clauses`, which it rests on.
    fn node(&mut self, mut free: Bits<W>, mut clauses: Vec<u64>, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        steps.size.nodes += 1;
        if steps.size.nodes.is_multiple_of(1024) && self.control.is_stopped() {
            return Err(Halt::Stopped);
        }
        let cover = self.cover(&free)?;
        for x in cover.uncovered.iter() {
            clauses.push(self.child(x, &free, steps)?);
            free.remove(x);
        }
        self.regions[cover.region].used = true;
        let mut step = format!("pol {}", self.regions[cover.region].row);
        for clique in &cover.cliques {
            write!(step, " {} +", self.clique(clique)).expect(STRING);
        }
        clauses.push(steps.derive(&(step + ";"))?);
        let literals = self.placed.iter().map(|&x| format!(" 1 ~{}", self.indexed.variable(x)));
        let clause = steps.derive(&format!("rup{}{} >= 1;", literals.collect::<String>(), self.unless))?;
        let done = clauses.iter().map(|clause| format!(" {clause}"));
        steps.say(&format!("del id{};", done.collect::<String>()))?;
        Ok(clause)
    }

    fn child(&mut self, x: usize, free: &Bits<W>, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        let mut below = *free & !self.indexed.attacks[x];
        below.remove(x);
        self.regions_of[x].iter().for_each(|&region| self.demands[region] -= 1);
        self.placed.push(x);
        let clause = stack::level(|| self.node(below, Vec::new(), steps));
        self.placed.pop();
        self.regions_of[x].iter().for_each(|&region| self.demands[region] += 1);
        clause
    }

    /// For the region, and from the end, where that leaves fewest squares over: one clique fewer than queens are needed.
    fn cover(&self, free: &Bits<W>) -> Result<Cover<W>, Halt> {
        if self.demands.last() == Some(&0) {
            return Err(fault(io::ErrorKind::InvalidInput, "more queens fit than the proof is to allow"));
        }
        let (mut fewest, mut best) = (u32::MAX, (0, false));
        'regions: for region in (0..self.regions.len()).filter(|&region| self.demands[region] > 0) {
            for reversed in [false, true] {
                let size = self.uncovered(free, region, reversed, |_, _| {}).len();
                let promising = size < fewest.saturating_mul(2);
                if size < fewest {
                    (fewest, best) = (size, (region, reversed));
                }
                if size == 0 {
                    break 'regions;
                }
                if !promising {
                    break;
                }
            }
        }
        let (region, reversed) = best;
        let mut cliques = Vec::new();
        let uncovered = self.uncovered(free, region, reversed, |number, x| {
            cliques.resize(number + 1, Vec::new());
            cliques[number].push(x);
        });
        Ok(Cover { region, uncovered, cliques })
    }

    /// What is left over of a region; `tell` hears of each clique's number and squares.
    fn uncovered(
        &self,
        free: &Bits<W>,
        region: usize,
        reversed: bool,
        mut tell: impl FnMut(usize, usize),
    ) -> Bits<W> {
        let mut rest = *free & self.regions[region].squares;
        for number in 0..self.demands[region] as usize - 1 {
            let tell = |x| tell(number, x);
            let any = if reversed {
                rest.take_clique_reversed(&self.indexed.attacks, tell)
            } else {
                rest.take_clique(&self.indexed.attacks, tell)
            };
            if !any {
                break;
            }
        }
        rest
    }
}

/// Cliques of a region, and its squares that they leave over.
struct Cover<const W: usize> {
    region: usize,
    uncovered: Bits<W>,
    cliques: Vec<Vec<usize>>,
}
