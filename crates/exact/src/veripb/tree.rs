//! Proof steps of one search: the cliques and symmetries that its tree uses, and a clause for each node.

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use ndqueens_system::cancel::Control;

use super::formula::{LineRows, variable, witness};
use super::{Halt, Steps, WRITE_TO_STRING, input_error};
use crate::search::budget::Budget;
use crate::search::indexed_board::IndexedBoard;
use crate::search::instance::{Instance, Subproblem};
use crate::search::log::{FirstFit, Log};
use crate::search::tree_search::{CutOff, End, Search};

/// Clique with the constraint that it holds at most one queen.
struct Clique {
    squares: FixedBitSet,
    /// Number of the constraint, or, for a single square, the literal axiom used in its place.
    row: String,
}

/// Search for a target number of queens on a set of squares, with the proof steps that log it.
pub(super) struct LoggedTree<'a> {
    instance: Instance,
    /// Root node: the set, with the symmetries that fix it.
    root: Subproblem,
    /// Other images of the set, which may be assumed to hold at most as many queens as the set; each with a
    /// symmetry that maps the set to it.
    images: Vec<(FixedBitSet, u32)>,
    control: &'a Control,
    basis: Basis<'a>,
    /// Number of nodes, known after the dry run.
    pub(super) nodes: u64,
    /// Number of bytes, known after the dry run.
    pub(super) bytes: u64,
}

/// Data that the steps of the nodes refer to.
struct Basis<'a> {
    indexed: Arc<IndexedBoard>,
    lines: &'a LineRows,
    /// Constraint number of each region, once it is known.
    rows: Vec<u64>,
    /// For each region, whether a node uses it.
    used: Vec<bool>,
    /// Literals at the end of every clause: the negated assumption.
    negated_assumption: String,
    /// Squares branched on at the root, one for each orbit.
    representatives: Vec<usize>,
    /// Lines, followed by the other cliques in the order in which they were first used.
    cliques: Vec<Clique>,
    /// Indices of the cliques that contain each square.
    cliques_of: Vec<Vec<usize>>,
}

impl<'a> LoggedTree<'a> {
    /// Creates the tree of an instance; `symmetries` are those that fix its set of squares.
    pub(super) fn new(
        instance: Instance,
        symmetries: Vec<u32>,
        images: Vec<(FixedBitSet, u32)>,
        lines: &'a LineRows,
        control: &'a Control,
    ) -> Self {
        let indexed = Arc::clone(&instance.indexed);
        let (regions, size) = (instance.regions.len(), indexed.squares.len());
        let mut basis = Basis {
            indexed,
            lines,
            rows: vec![0; regions],
            used: vec![false; regions],
            negated_assumption: String::new(),
            representatives: Vec::new(),
            cliques: Vec::new(),
            cliques_of: vec![Vec::new(); size],
        };
        for (line, row) in lines.all.iter().zip(1..) {
            basis.add_clique(basis.indexed.place_set(line.iter().copied()), row.to_string());
        }
        let root = Subproblem { elements: symmetries, ..instance.root() };
        Self { instance, root, images, control, basis, nodes: 0, bytes: 0 }
    }

    /// Runs the search without output, to collect the cliques, orbits and regions that it uses and to
    /// determine its size.
    pub(super) fn dry_run(&mut self, max_bytes: u64) -> Result<(), Halt> {
        let mut sink = io::sink();
        let mut steps = Steps::new(&mut sink, self.basis.lines.all.len(), max_bytes);
        self.search(&mut steps)?;
        self.write_prelude(&mut steps)?;
        (self.nodes, self.bytes) = (steps.size.nodes, steps.size.bytes);
        Ok(())
    }

    /// Writes the symmetry-breaking steps and the cliques. Returns the constraints that no image holds more
    /// queens than the set.
    pub(super) fn write_prelude(&mut self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let image_rows = self.break_symmetry(steps)?;
        self.basis.derive_cliques(steps)?;
        Ok(image_rows)
    }

    /// Writes the order, which prefers solutions with more queens in the set and then queens on the
    /// representatives, and the dominance steps that it allows.
    fn break_symmetry(&self, steps: &mut Steps<'_>) -> Result<Vec<u64>, Halt> {
        let (indexed, set) = (&*self.instance.indexed, &self.instance.whole_region().squares);
        let orbits = self.basis.representatives.len();
        let max_weight = 1u64 << orbits;
        let mut weights = vec![0; indexed.squares.len()];
        if !self.images.is_empty() {
            set.ones().for_each(|x| weights[x] = max_weight);
        }
        for (i, &r) in self.basis.representatives.iter().enumerate() {
            weights[r] += max_weight >> (i + 1);
        }
        let weighted: Vec<usize> = (0..weights.len()).filter(|&x| weights[x] > 0).collect();
        if weighted.is_empty() {
            return Ok(Vec::new());
        }
        let names = |letter: char| (1..=weighted.len()).map(|i| format!(" {letter}{i}")).collect::<String>();
        let terms = (1..).zip(&weighted).map(|(i, &x)| format!("-{0} u{i} {0} v{i} ", weights[x]));
        let preferred = weighted.iter().map(|&x| format!(" ~{}", variable(indexed.squares[x])));
        steps.write(&format!(
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
        let mut image_rows = Vec::new();
        for (image, element) in &self.images {
            let (only_in_set, only_in_image) = (set.difference(image), image.difference(set));
            let set_terms = only_in_set.map(|x| format!(" 1 {}", variable(indexed.squares[x])));
            let image_terms = only_in_image.map(|x| format!(" 1 ~{}", variable(indexed.squares[x])));
            let terms = set_terms.chain(image_terms).collect::<String>();
            // Within the subproof, VeriPB numbers the negated constraint, two negated goals and two sums.
            steps.last += 5;
            image_rows.push(steps.derive(&format!(
                "dom{terms} >= {} :{} : subproof\nproofgoal #1\npol -2 {max_weight} * -1 +;\nqed : -1;\n\
                 proofgoal #2\npol -4 {max_weight} * -1 +;\nqed : -1;\nqed;",
                image.difference(set).count(),
                witness(indexed, *element)
            ))?);
        }
        let mut clause = "dom".to_owned();
        for &r in &self.basis.representatives {
            write!(clause, " 1 {}", variable(indexed.squares[r])).expect(WRITE_TO_STRING);
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
        Ok(image_rows)
    }

    /// Returns the indices of the regions that nodes use.
    pub(super) fn used_regions(&self) -> impl Iterator<Item = usize> + use<> {
        let used = self.basis.used.clone();
        (0..used.len()).filter(move |&region| used[region])
    }

    /// Sets the number of the constraint that states the demand of a region.
    pub(super) fn set_row(&mut self, region: usize, row: u64) {
        self.basis.rows[region] = row;
    }

    /// Sets the variable under whose assumption the constraints of the regions hold.
    pub(super) fn assume(&mut self, variable: &str) {
        self.basis.negated_assumption = format!(" 1 ~{variable}");
    }

    /// Runs the search and logs each node. Returns the number of the last clause, which refutes the root.
    pub(super) fn search(&mut self, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        self.basis.representatives.clear();
        let (open, placed) = (vec![Node::default()], Vec::new());
        let log = ClauseLog { basis: &mut self.basis, steps, open, placed, end: None };
        let budget = Budget::new(u64::MAX);
        let (run, log) =
            Search::new(&self.instance, CutOff::Never, &budget, self.control, log).run(&self.root);
        match (run.end, log.end) {
            (_, Some(Err(halt))) => Err(halt),
            (Ok(()), Some(Ok(clause))) => Ok(clause),
            (Err(End::Found(_)), _) => Err(input_error("placement is not maximum: more queens fit")),
            _ => Err(Halt::Stopped),
        }
    }
}

impl Basis<'_> {
    /// Derives the constraints of the cliques that are not lines.
    fn derive_cliques(&mut self, steps: &mut Steps<'_>) -> Result<(), Halt> {
        for number in self.lines.all.len()..self.cliques.len() {
            if self.cliques[number].squares.count_ones(..) > 1 {
                let row = steps.derive(&self.clique_step(&self.cliques[number].squares))?;
                self.cliques[number].row = row.to_string();
            }
        }
        Ok(())
    }

    /// Returns the step that derives the constraint of a clique.
    fn clique_step(&self, clique: &FixedBitSet) -> String {
        let members: Vec<_> = clique.ones().map(|x| self.indexed.squares[x]).collect();
        let mut step = "pol".to_owned();
        for (j, &b) in members.iter().enumerate().skip(1) {
            if j > 2 {
                write!(step, " {} *", j - 1).expect(WRITE_TO_STRING);
            }
            for &a in &members[..j] {
                self.lines.push_row(a, b, |square| square == a || square == b, &mut step);
                step.push_str(if j > 1 { " +" } else { "" });
            }
            if j > 1 {
                write!(step, " {j} d").expect(WRITE_TO_STRING);
            }
        }
        step + ";"
    }

    /// Returns the constraint of a clique that contains the given squares; adds the clique if it is new.
    fn clique_row(&mut self, squares: &[usize]) -> &str {
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
            let completed = self.indexed.complete_clique(squares);
            let row = match completed.len() {
                1 => format!("~{}", variable(self.indexed.squares[squares[0]])),
                // Preliminary number of about the right length; `derive_cliques` assigns the final one.
                _ => (self.cliques.len() + 1).to_string(),
            };
            self.add_clique(set(&completed), row)
        });
        &self.cliques[number].row
    }

    /// Adds a clique and returns its index.
    fn add_clique(&mut self, squares: FixedBitSet, row: String) -> usize {
        let number = self.cliques.len();
        squares.ones().for_each(|x| self.cliques_of[x].push(number));
        self.cliques.push(Clique { squares, row });
        number
    }
}

/// Node whose clause has not been written yet.
#[derive(Default)]
struct Node {
    /// Clauses of the children that are finished.
    clauses: Vec<u64>,
    /// Region covered at the node, with the cliques; `None` until the node has been logged.
    cover: Option<(usize, Vec<Vec<usize>>)>,
    /// Uncovered squares that have not been branched on yet.
    children: std::vec::IntoIter<usize>,
}

/// Log that writes the clause of each node after those of its children, from which it follows.
struct ClauseLog<'t, 'a, 'o> {
    basis: &'t mut Basis<'a>,
    steps: &'t mut Steps<'o>,
    /// Unfinished nodes on the path from the root to the next node.
    open: Vec<Node>,
    /// Queens along this path.
    placed: Vec<usize>,
    /// Clause of the root, or the reason why it was not derived.
    end: Option<Result<u64, Halt>>,
}

impl ClauseLog<'_, '_, '_> {
    /// Opens the child with a queen on square `x`.
    fn enter(&mut self, x: usize) {
        self.placed.push(x);
        self.open.push(Node::default());
    }

    /// Closes all finished nodes at the end of the path and opens the next child. Returns the clause of the
    /// root once that is closed.
    fn advance(&mut self) -> Result<Option<u64>, Halt> {
        while let Some(Node { cover: Some((region, cliques)), children, clauses }) = self.open.last_mut() {
            if let Some(x) = children.next() {
                self.enter(x);
                break;
            }
            let (region, cliques, clauses) = (*region, std::mem::take(cliques), std::mem::take(clauses));
            let clause = self.close_node(region, &cliques, clauses)?;
            self.open.pop();
            self.placed.pop();
            match self.open.last_mut() {
                Some(parent) => parent.clauses.push(clause),
                None => return Ok(Some(clause)),
            }
        }
        Ok(None)
    }

    /// Derives the clause that forbids the placed queens, because the cover leaves too little room for the
    /// demand; `clauses` are those of the children. Returns its number.
    fn close_node(
        &mut self,
        region: usize,
        cliques: &[Vec<usize>],
        mut clauses: Vec<u64>,
    ) -> Result<u64, Halt> {
        self.steps.size.nodes += 1;
        self.basis.used[region] = true;
        let mut step = format!("pol {}", self.basis.rows[region]);
        for clique in cliques {
            write!(step, " {} +", self.basis.clique_row(clique)).expect(WRITE_TO_STRING);
        }
        clauses.push(self.steps.derive(&(step + ";"))?);
        let squares = &self.basis.indexed.squares;
        let literals = self.placed.iter().map(|&x| format!(" 1 ~{}", variable(squares[x])));
        let literals = literals.collect::<String>();
        let clause = self.steps.derive(&format!("rup{literals}{} >= 1;", self.basis.negated_assumption))?;
        let finished = clauses.iter().map(|clause| format!(" {clause}"));
        self.steps.write(&format!("del id{};", finished.collect::<String>()))?;
        Ok(clause)
    }
}

impl Log for ClauseLog<'_, '_, '_> {
    fn log_cover(
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

    /// Records the representative. The clause of this child belongs to the root, which stays open.
    fn log_orbit(&mut self, square: usize, _: &[u32]) {
        self.basis.representatives.push(square);
        self.enter(square);
    }

    fn is_broken(&self) -> bool {
        self.end.is_some()
    }
}
