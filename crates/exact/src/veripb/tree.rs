//! The steps of one search: the cliques and symmetries that its tree rests on, and a clause for each node.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;

use super::formula::{Lines, variable, witness};
use super::{Halt, STRING, Steps, fault};
use crate::search::budget::Budget;
use crate::search::indexed_board::IndexedBoard;
use crate::search::instance::{Instance, Subproblem};
use crate::search::log::{FirstFit, Log};
use crate::search::tree_search::{CutOff, End, Search};

/// A clique and the row which says that it holds at most one queen.
struct Clique {
    squares: FixedBitSet,
    /// A number; or the literal that is not negative when there is one square only.
    row: String,
}

/// The search for so many queens on a set of squares, and the steps that log it.
pub(super) struct Tree<'a> {
    instance: Instance,
    /// The set, with the symmetries that keep it.
    root: Subproblem,
    /// The other sets that the set is to be the fullest of, with symmetries that lead to them.
    images: Vec<(FixedBitSet, u32)>,
    control: &'a Control,
    basis: Basis<'a>,
    /// Nodes and bytes, by the rehearsal.
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

/// What the steps of the nodes rest on.
struct Basis<'a> {
    indexed: Arc<IndexedBoard>,
    lines: &'a Lines,
    /// For each region its row, once it has one.
    rows: Vec<u64>,
    /// For each region whether a node needs it.
    used: Vec<bool>,
    /// The end of every clause: that what is assumed is not so.
    unless: String,
    /// The squares tried at the root, one of each orbit.
    representatives: Vec<usize>,
    /// The lines, and then other cliques as they are met.
    cliques: Vec<Clique>,
    /// For each square the cliques that contain it.
    cliques_of: Vec<Vec<usize>>,
}

impl<'a> Tree<'a> {
    /// The symmetries are those that keep the set.
    pub(super) fn new(
        instance: Instance,
        symmetries: Vec<u32>,
        images: Vec<(FixedBitSet, u32)>,
        lines: &'a Lines,
        control: &'a Control,
    ) -> Self {
        let indexed = Arc::clone(&instance.indexed);
        let (regions, size) = (instance.regions.len(), indexed.squares.len());
        let mut basis = Basis {
            indexed,
            lines,
            rows: vec![0; regions],
            used: vec![false; regions],
            unless: String::new(),
            representatives: Vec::new(),
            cliques: Vec::new(),
            cliques_of: vec![Vec::new(); size],
        };
        for (line, row) in lines.all.iter().zip(1..) {
            basis.add_clique(basis.indexed.set(line.iter().copied()), row.to_string());
        }
        let root = Subproblem { elements: symmetries, ..instance.root() };
        Self { instance, root, images, control, basis, nodes: 0, bytes: 0 }
    }

    /// Searches and writes nowhere, to meet the cliques and orbits.
    pub(super) fn rehearse(&mut self, most_bytes: u64) -> Result<(), Halt> {
        let mut sink = io::sink();
        let mut steps = Steps::new(&mut sink, self.basis.lines.all.len(), most_bytes);
        self.search(&mut steps)?;
        self.prelude(&mut steps)?;
        (self.nodes, self.bytes) = (steps.size.nodes, steps.size.bytes);
        Ok(())
    }

    /// Symmetry and cliques. The rows which say that the images are not fuller than the set.
    pub(super) fn prelude(&mut self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let fullest = self.break_symmetry(steps)?;
        self.basis.derive_cliques(steps)?;
        Ok(fullest)
    }

    /// The order, which prefers full sets first and then queens on the representatives; then the steps that it allows.
    fn break_symmetry(&self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let (indexed, whole) = (&*self.instance.indexed, &self.instance.whole().squares);
        let orbits = self.basis.representatives.len();
        let most = 1u64 << orbits;
        let mut weights = vec![0; indexed.squares.len()];
        if !self.images.is_empty() {
            whole.ones().for_each(|x| weights[x] = most);
        }
        for (i, &r) in self.basis.representatives.iter().enumerate() {
            weights[r] += most >> (i + 1);
        }
        let weighted: Vec<usize> = (0..weights.len()).filter(|&x| weights[x] > 0).collect();
        if weighted.is_empty() {
            return Ok(Vec::new());
        }
        let names = |letter: char| (1..=weighted.len()).map(|i| format!(" {letter}{i}")).collect::<String>();
        let terms = (1..).zip(&weighted).map(|(i, &x)| format!("-{0} u{i} {0} v{i} ", weights[x]));
        let preferred = weighted.iter().map(|&x| format!(" ~{}", variable(indexed.squares[x])));
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
            let (here, there) = (whole.difference(image), image.difference(whole));
            let less = here.map(|x| format!(" 1 {}", variable(indexed.squares[x])));
            let more = there.map(|x| format!(" 1 ~{}", variable(indexed.squares[x])));
            let terms = less.chain(more).collect::<String>();
            // Within, VeriPB numbers the negated row, the negation of either goal, and the two sums.
            steps.last += 5;
            fullest.push(steps.derive(&format!(
                "dom{terms} >= {} :{} : subproof\nproofgoal #1\npol -2 {most} * -1 +;\nqed : -1;\n\
                 proofgoal #2\npol -4 {most} * -1 +;\nqed : -1;\nqed;",
                image.difference(whole).count(),
                witness(indexed, *element)
            ))?);
        }
        let mut clause = "dom".to_owned();
        for &r in &self.basis.representatives {
            write!(clause, " 1 {}", variable(indexed.squares[r])).expect(STRING);
            for (image, element) in indexed.orbit(r, &self.root.elements) {
                if image != r {
                    let witness = witness(indexed, element);
                    steps.derive(&format!(
                        "{clause} 1 ~{} >= 1 :{witness};",
                        variable(indexed.squares[image])
                    ))?;
                }
            }
        }
        Ok(fullest)
    }

    /// The numbers of the regions that nodes need.
    pub(super) fn used(&self) -> impl Iterator<Item = usize> + use<> {
        let used = self.basis.used.clone();
        (0..used.len()).filter(move |&region| used[region])
    }

    /// The row which says what a region must hold.
    pub(super) fn set_row(&mut self, region: usize, row: u64) {
        self.basis.rows[region] = row;
    }

    /// A variable that the rows of the regions hold under.
    pub(super) fn assume(&mut self, variable: &str) {
        self.basis.unless = format!(" 1 ~{variable}");
    }

    /// Searches, and logs each node. The last clause, which refutes the root.
    pub(super) fn search(&mut self, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        self.basis.representatives.clear();
        let (open, placed) = (vec![Node::default()], Vec::new());
        let log = Clauses { basis: &mut self.basis, steps, open, placed, end: None };
        let budget = Budget::new(u64::MAX);
        let (run, log) =
            Search::new(&self.instance, CutOff::Never, &budget, self.control, log).run(&self.root);
        match (run.end, log.end) {
            (_, Some(Err(halt))) => Err(halt),
            (Ok(()), Some(Ok(clause))) => Ok(clause),
            (Err(End::Found(_)), _) => {
                Err(fault(io::ErrorKind::InvalidInput, "more queens fit than the proof is to allow"))
            }
            _ => Err(Halt::Stopped),
        }
    }
}

impl Basis<'_> {
    /// Derives the rows of the cliques that no line has.
    fn derive_cliques(&mut self, steps: &mut Steps<'_>) -> Result<(), Halt> {
        for number in self.lines.all.len()..self.cliques.len() {
            if self.cliques[number].squares.count_ones(..) > 1 {
                let derived = steps.derive(&self.derivation(&self.cliques[number].squares))?;
                self.cliques[number].row = derived.to_string();
            }
        }
        Ok(())
    }

    /// The step that derives the row of a clique.
    fn derivation(&self, clique: &FixedBitSet) -> String {
        let members: Vec<_> = clique.ones().map(|x| self.indexed.squares[x]).collect();
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
        let size = self.indexed.squares.len();
        let set = |squares: &[usize]| {
            let mut set = FixedBitSet::with_capacity(size);
            set.extend(squares.iter().copied());
            set
        };
        let needed = set(squares);
        let contains = |&number: &usize| needed.is_subset(&self.cliques[number].squares);
        let known = self.cliques_of[squares[0]].iter().copied().find(contains);
        let number = known.unwrap_or_else(|| {
            let completed = self.indexed.completed(squares);
            let row = match completed.len() {
                1 => format!("~{}", variable(self.indexed.squares[squares[0]])),
                // About what it will be; the prelude gives it its number.
                _ => (self.cliques.len() + 1).to_string(),
            };
            self.add_clique(set(&completed), row)
        });
        &self.cliques[number].row
    }

    fn add_clique(&mut self, squares: FixedBitSet, row: String) -> usize {
        let number = self.cliques.len();
        squares.ones().for_each(|x| self.cliques_of[x].push(number));
        self.cliques.push(Clique { squares, row });
        number
    }
}

/// A node whose clause is not written yet.
#[derive(Default)]
struct Node {
    /// The clauses of children that are done.
    clauses: Vec<u64>,
    /// The region that is covered but for the squares branched on, with the cliques; `None` before the node has told its own.
    cover: Option<(usize, Vec<Vec<usize>>)>,
    /// The squares that are left to branch on.
    children: std::vec::IntoIter<usize>,
}

/// Writes the clause of each node after those of its children, which it rests on.
struct Clauses<'t, 'a, 'o> {
    basis: &'t mut Basis<'a>,
    steps: &'t mut Steps<'o>,
    /// The way to the node that is next, from the root.
    open: Vec<Node>,
    /// The queens along it.
    placed: Vec<usize>,
    /// The clause of the root, or why there is none.
    end: Option<Result<u64, Halt>>,
}

impl Clauses<'_, '_, '_> {
    fn enter(&mut self, x: usize) {
        self.placed.push(x);
        self.open.push(Node::default());
    }

    /// Closes nodes up to one that has more to come. The clause of the root, when that is closed.
    fn advance(&mut self) -> Result<Option<u64>, Halt> {
        while let Some(Node { cover: Some((region, cliques)), children, clauses }) = self.open.last_mut() {
            if let Some(x) = children.next() {
                self.enter(x);
                break;
            }
            let (region, cliques, clauses) = (*region, std::mem::take(cliques), std::mem::take(clauses));
            let clause = self.close(region, &cliques, clauses)?;
            self.open.pop();
            self.placed.pop();
            match self.open.last_mut() {
                Some(parent) => parent.clauses.push(clause),
                None => return Ok(Some(clause)),
            }
        }
        Ok(None)
    }

    /// Shows that the queens placed leave too little. The clause which forbids them, after `clauses`, which it rests on.
    fn close(&mut self, region: usize, cliques: &[Vec<usize>], mut clauses: Vec<u64>) -> Result<u64, Halt> {
        self.steps.size.nodes += 1;
        self.basis.used[region] = true;
        let mut step = format!("pol {}", self.basis.rows[region]);
        for clique in cliques {
            write!(step, " {} +", self.basis.clique(clique)).expect(STRING);
        }
        clauses.push(self.steps.derive(&(step + ";"))?);
        let squares = &self.basis.indexed.squares;
        let literals = self.placed.iter().map(|&x| format!(" 1 ~{}", variable(squares[x])));
        let literals = literals.collect::<String>();
        let clause = self.steps.derive(&format!("rup{literals}{} >= 1;", self.basis.unless))?;
        let done = clauses.iter().map(|clause| format!(" {clause}"));
        self.steps.say(&format!("del id{};", done.collect::<String>()))?;
        Ok(clause)
    }
}

impl Log for Clauses<'_, '_, '_> {
    fn covered(
        &mut self,
        cover: FirstFit,
        cliques: impl FnOnce() -> Vec<Vec<usize>>,
        uncovered: impl FnOnce() -> Vec<usize>,
    ) {
        if self.end.is_some() {
            return;
        }
        let node = self.open.last_mut().expect("the root is open until its clause is written");
        (node.cover, node.children) = (Some((cover.region, cliques())), uncovered().into_iter());
        self.end = self.advance().transpose();
    }

    /// The clause of the child is one of the root's, which goes on.
    fn orbit(&mut self, square: usize, _: &[u32]) {
        self.basis.representatives.push(square);
        self.enter(square);
    }

    fn is_broken(&self) -> bool {
        self.end.is_some()
    }
}
