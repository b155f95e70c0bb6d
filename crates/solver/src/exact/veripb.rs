//! Proofs for VeriPB, a checker that others wrote: that a placement is maximum, from the rows of the lines alone.
//!
//! The formula is the recipe `base` in the OPB format: a variable for each square, `x1` on, and one row for each line in the
//! order of [`Board::lines`]. The proof first logs the placement, which asks for one queen more from then on, and derives
//! a contradiction:
//!
//! - *cliques*: at most one queen on squares that attack each other pairwise, out of the rows of the lines, one square more at
//!   a time: `j - 1` times the row of the first `j`, and the `j` pairs with the next one, divided by `j`.
//! - *symmetry*, first, at the root only: where a queen stands on the orbit of `r`, one may be put on `r` itself. These
//!   are dominance steps, whose order prefers queens on `r_1`, then on `r_2`, and so on.
//! - *nodes*, children before parents: the row of the queens asked for plus the rows of the cliques of a cover leaves too
//!   little when the queens placed are placed, so that the clause which forbids them follows by unit propagation; the
//!   clauses of earlier children forbid what they tried. Then the children's clauses are deleted.
//!
//! The tree is searched twice, at first only to find the cliques and to learn how long the proof will be.
//!
//! # References
//! B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström, *Certified dominance and symmetry breaking for combinatorial
//! optimisation*, JAIR 77 (2023); S. Gocht et al., *Certifying solvers for clique and maximum common (connected) subgraph
//! problems*, CP 2020.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use ndqueens_model::board::{Board, Line, Square};

use super::bits::Bits;
use super::group::Group;
use super::{Control, Order, morton};

/// How long a proof is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Bytes of the text.
    pub bytes: u64,
}

/// Writes the proof that no more queens fit than `placement` has. `tell` hears about what its size will be before anything is
/// written. `None` when stopped.
///
/// # Errors
/// When the proof cannot be written, the board has more than 4096 squares, or the placement is not maximum.
pub fn write(
    board: &Board,
    placement: &[Square],
    control: &Control,
    tell: &mut dyn FnMut(Size),
    out: &mut dyn Write,
) -> io::Result<Option<Size>> {
    macro_rules! with_words {
        ($($words:literal)*) => {
            match board.size().div_ceil(64) {
                $(needed if needed <= $words => {
                    shortest::<$words>(board, placement, control).and_then(|mut prover| {
                        tell(prover.rehearsed);
                        prover.write(placement, out)
                    })
                })*
                _ => Err(fault(io::ErrorKind::InvalidInput, "the board has more than 4096 squares")),
            }
        };
    }
    match with_words!(1 2 4 8 16 32 64) {
        Ok(size) => Ok(Some(size)),
        Err(Halt::Fault(fault)) => Err(fault),
        Err(Halt::Stopped | Halt::TooLong) => Ok(None),
    }
}

/// Why a proof was not written.
enum Halt {
    Stopped,
    TooLong,
    Fault(io::Error),
}

fn fault(kind: io::ErrorKind, says: &str) -> Halt {
    Halt::Fault(io::Error::new(kind, says))
}

/// Where the steps go.
struct Steps<'o> {
    out: &'o mut dyn Write,
    size: Size,
    most_bytes: u64,
    /// The number that VeriPB gives to the last row.
    last: u64,
}

impl<'o> Steps<'o> {
    /// The formula has so many rows.
    fn new(out: &'o mut dyn Write, rows: usize, most_bytes: u64) -> Self {
        Self { out, size: Size::default(), most_bytes, last: rows as u64 }
    }

    fn say(&mut self, text: &str) -> Result<(), Halt> {
        self.size.bytes += text.len() as u64 + 1;
        if self.size.bytes > self.most_bytes {
            return Err(Halt::TooLong);
        }
        writeln!(self.out, "{text}").map_err(Halt::Fault)
    }

    /// A step that makes a row; its number.
    fn derive(&mut self, text: &str) -> Result<u64, Halt> {
        self.last += 1;
        self.say(text).map(|()| self.last)
    }
}

/// The most orbits that symmetry is broken on: the coefficients of the order are powers of two.
const MOST_ORBITS: usize = 60;

/// A clique and the row which says that it holds at most one queen.
struct Clique<const W: usize> {
    squares: Bits<W>,
    /// A number; or the literal that is not negative when there is one square only.
    row: String,
}

/// Squares are numbers in the order of the search; [`Self::variable`] names them.
struct Prover<'a, const W: usize> {
    squares: Vec<Square>,
    attacks: Vec<Bits<W>>,
    group: Group,
    lines: Vec<Line>,
    /// The line through two squares of the board, the smaller one first.
    line_through: HashMap<[Square; 2], usize>,
    /// The lines, and then other cliques as they are met.
    cliques: Vec<Clique<W>>,
    /// For each square the cliques that contain it.
    cliques_of: Vec<Vec<usize>>,
    /// The squares tried at the root, one of each orbit.
    representatives: Vec<usize>,
    asked: usize,
    placed: Vec<usize>,
    rehearsed: Size,
    control: &'a Control,
}

/// The prover whose proof is shorter, of those that number the squares in one order or the other.
fn shortest<'a, const W: usize>(
    board: &Board,
    placement: &[Square],
    control: &'a Control,
) -> Result<Prover<'a, W>, Halt> {
    let mut best: Option<Prover<'a, W>> = None;
    for order in Order::ALL {
        let mut prover = Prover::new(board, placement.len() + 1, order, control);
        let most_bytes = best.as_ref().map_or(u64::MAX, |best| best.rehearsed.bytes);
        match prover.rehearse(most_bytes) {
            Ok(()) => best = Some(prover),
            Err(Halt::TooLong) => {}
            Err(halt) => return Err(halt),
        }
    }
    Ok(best.expect("the first one may be of any length"))
}

impl<'a, const W: usize> Prover<'a, W> {
    fn new(board: &Board, asked: usize, order: Order, control: &'a Control) -> Self {
        let mut squares: Vec<Square> = board.squares().collect();
        if order == Order::Morton {
            squares.sort_by_key(|&square| morton(&board.coordinates(square)));
        }
        let mut position = vec![0; squares.len()];
        for (p, &square) in (0..).zip(&squares) {
            position[square as usize] = p;
        }
        let set = |squares: &[Square]| {
            let mut set = Bits::EMPTY;
            squares.iter().for_each(|&square| set.insert(position[square as usize] as usize));
            set
        };
        let mut prover = Self {
            attacks: squares.iter().map(|&square| set(&board.neighbours(square))).collect(),
            group: Group::of(board, &position),
            lines: Vec::new(),
            line_through: HashMap::new(),
            cliques: Vec::new(),
            cliques_of: vec![Vec::new(); squares.len()],
            squares,
            representatives: Vec::new(),
            asked,
            placed: Vec::new(),
            rehearsed: Size::default(),
            control,
        };
        for (number, line) in board.lines().enumerate() {
            prover.add_clique(set(&line), (number + 1).to_string());
            let pairs = line.iter().flat_map(|&a| line.iter().map(move |&b| [a, b])).filter(|[a, b]| a < b);
            prover.line_through.extend(pairs.map(|pair| (pair, number)));
            prover.lines.push(line);
        }
        prover
    }

    /// Searches and writes nowhere, to meet the cliques and orbits.
    fn rehearse(&mut self, most_bytes: u64) -> Result<(), Halt> {
        let mut sink = io::sink();
        let mut steps = Steps::new(&mut sink, self.lines.len(), most_bytes);
        self.root(&mut steps)?;
        self.prelude(&mut steps)?;
        self.rehearsed = steps.size;
        Ok(())
    }

    fn write(&mut self, placement: &[Square], out: &mut dyn Write) -> Result<Size, Halt> {
        let mut steps = Steps::new(out, self.lines.len(), u64::MAX);
        steps.say(&format!("pseudo-Boolean proof version 3.0\nf {};", self.lines.len()))?;
        let sign = |square| if placement.contains(&square) { "" } else { "~" };
        let literals =
            (0..self.squares.len() as Square).map(|square| format!(" {}x{}", sign(square), square + 1));
        steps.derive(&format!("soli{};", literals.collect::<String>()))?;
        self.prelude(&mut steps)?;
        self.root(&mut steps)?;
        let (k, last) = (placement.len(), steps.last);
        steps.say(&format!(
            "output NONE;\nconclusion BOUNDS -{k} : {last} -{k};\nend pseudo-Boolean proof;"
        ))?;
        steps.out.flush().map_err(Halt::Fault)?;
        Ok(steps.size)
    }

    /// The row of the queens asked for, which comes with the placement.
    fn row_asked(&self) -> usize {
        self.lines.len() + 1
    }

    fn variable(&self, x: usize) -> String {
        format!("x{}", self.squares[x] + 1)
    }

    /// What the tree rests on: symmetry and cliques.
    fn prelude(&mut self, steps: &mut Steps<'_>) -> Result<(), Halt> {
        self.break_symmetry(steps)?;
        for number in self.lines.len()..self.cliques.len() {
            if self.cliques[number].squares.len() > 1 {
                let derived = steps.derive(&self.derivation(&self.cliques[number].squares))?;
                self.cliques[number].row = derived.to_string();
            }
        }
        Ok(())
    }

    /// The order, and for each orbit the steps that prefer its representative.
    fn break_symmetry(&self, steps: &mut Steps<'_>) -> Result<(), Halt> {
        let n = self.representatives.len();
        if n == 0 {
            return Ok(());
        }
        let names = |letter: char| (1..=n).map(|i| format!(" {letter}{i}")).collect::<String>();
        let term = |i| format!("-{0} u{i} +{0} v{i} ", 1u64 << (n - i));
        let preferred = self.representatives.iter().map(|&r| format!(" ~{}", self.variable(r)));
        steps.say(&format!(
            "def_order lex\nvars\nleft{};\nright{};\nend;\ndef\n{}>= 0;\nend;\n\
             transitivity\nvars\nfresh_right{};\nend;\nproof\nproofgoal #1\npol 1 2 + 3 +;\nqed : -1;\nqed;\nend;\nend;\n\
             load_order lex{};",
            names('u'),
            names('v'),
            (1..=n).map(term).collect::<String>(),
            names('w'),
            preferred.collect::<String>()
        ))?;
        let mut clause = "dom".to_owned();
        for &r in &self.representatives {
            write!(clause, " 1 {}", self.variable(r)).expect(STRING);
            for (image, element) in self.orbit(r).into_iter().filter(|&(image, _)| image != r) {
                let mut step = format!("{clause} 1 ~{} >= 1 :", self.variable(image));
                for x in 0..self.squares.len() {
                    let y = self.group.image(element, x);
                    if y != x {
                        write!(step, " {} -> {}", self.variable(x), self.variable(y)).expect(STRING);
                    }
                }
                steps.derive(&(step + ";"))?;
            }
        }
        Ok(())
    }

    /// The images of a square, with an element that leads to each.
    fn orbit(&self, x: usize) -> Vec<(usize, u32)> {
        let mut orbit: Vec<(usize, u32)> = Vec::new();
        for element in self.group.elements() {
            let image = self.group.image(element, x);
            if orbit.iter().all(|&(known, _)| known != image) {
                orbit.push((image, element));
            }
        }
        orbit
    }

    /// The step that derives the row of a clique.
    fn derivation(&self, clique: &Bits<W>) -> String {
        let members: Vec<Square> = clique.iter().map(|x| self.squares[x]).collect();
        let mut step = "pol".to_owned();
        for (j, &b) in members.iter().enumerate().skip(1) {
            if j > 2 {
                write!(step, " {} *", j - 1).expect(STRING);
            }
            for &a in &members[..j] {
                let line = self.line_through[&[a.min(b), a.max(b)]];
                write!(step, " {}", line + 1).expect(STRING);
                for x in self.lines[line].iter().filter(|&&x| x != a && x != b) {
                    write!(step, " x{} w", x + 1).expect(STRING);
                }
                step.push_str(if j > 1 { " +" } else { "" });
            }
            if j > 1 {
                write!(step, " {j} d").expect(STRING);
            }
        }
        step + ";"
    }

    /// A clique with all these squares.
    fn clique(&mut self, squares: &[usize]) -> &str {
        let mut set = Bits::EMPTY;
        squares.iter().for_each(|&x| set.insert(x));
        let contains = |&number: &usize| set & self.cliques[number].squares == set;
        let known = self.cliques_of[squares[0]].iter().copied().find(contains);
        let number = known.unwrap_or_else(|| {
            let mut common = squares.iter().fold(!Bits::EMPTY, |common, &x| common & self.attacks[x]);
            loop {
                let Some(x) = common.iter().next() else { break };
                set.insert(x);
                common &= self.attacks[x];
            }
            let row = match set.len() {
                1 => format!("~{}", self.variable(squares[0])),
                // About what it will be; the prelude gives it its number.
                _ => (self.row_asked() + self.cliques.len()).to_string(),
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

    /// The root: while squares are left over, one of an orbit of them is tried and the orbit is done with.
    fn root(&mut self, steps: &mut Steps<'_>) -> Result<(), Halt> {
        let mut free = Bits::EMPTY;
        (0..self.squares.len()).for_each(|x| free.insert(x));
        let mut clauses = Vec::new();
        self.representatives.clear();
        while self.group.elements().len() > 1 && self.representatives.len() < MOST_ORBITS {
            let attacked = |x: &usize| ((free & self.attacks[*x]).len(), usize::MAX - x);
            let Some(r) = self.cover(&free).left_over.iter().max_by_key(attacked) else { break };
            self.representatives.push(r);
            clauses.push(self.child(r, &free, steps)?);
            self.orbit(r).into_iter().for_each(|(image, _)| free.remove(image));
        }
        self.node(free, clauses, steps).map(drop)
    }

    /// Shows that the queens placed leave too little. The clause which forbids them, after `clauses`, which it rests on.
    fn node(&mut self, mut free: Bits<W>, mut clauses: Vec<u64>, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        steps.size.nodes += 1;
        if steps.size.nodes.is_multiple_of(1024) && self.control.is_stopped() {
            return Err(Halt::Stopped);
        }
        if self.placed.len() == self.asked {
            return Err(fault(io::ErrorKind::InvalidInput, "more queens fit than the placement has"));
        }
        let cover = self.cover(&free);
        for x in cover.left_over.iter() {
            clauses.push(self.child(x, &free, steps)?);
            free.remove(x);
        }
        let mut step = format!("pol {}", self.row_asked());
        for clique in &cover.cliques {
            write!(step, " {} +", self.clique(clique)).expect(STRING);
        }
        clauses.push(steps.derive(&(step + ";"))?);
        let literals = self.placed.iter().map(|&x| format!(" 1 ~{}", self.variable(x)));
        let clause = steps.derive(&format!("rup{} >= 1;", literals.collect::<String>()))?;
        let done = clauses.iter().map(|clause| format!(" {clause}"));
        steps.say(&format!("del id{};", done.collect::<String>()))?;
        Ok(clause)
    }

    fn child(&mut self, x: usize, free: &Bits<W>, steps: &mut Steps<'_>) -> Result<u64, Halt> {
        let mut below = *free & !self.attacks[x];
        below.remove(x);
        self.placed.push(x);
        let clause = self.node(below, Vec::new(), steps);
        self.placed.pop();
        clause
    }

    /// One clique fewer than queens are asked for, from either end, whichever leaves fewer squares over.
    fn cover(&self, free: &Bits<W>) -> Cover<W> {
        let from = |reversed: bool| {
            let mut cover = Cover { left_over: *free, cliques: Vec::new() };
            for _ in self.placed.len() + 1..self.asked {
                let mut clique = Vec::new();
                let any = if reversed {
                    cover.left_over.take_clique_reversed(&self.attacks, |x| clique.push(x))
                } else {
                    cover.left_over.take_clique(&self.attacks, |x| clique.push(x))
                };
                if !any {
                    break;
                }
                cover.cliques.push(clique);
            }
            cover
        };
        let cover = from(false);
        if cover.left_over == Bits::EMPTY {
            return cover;
        }
        let reversed = from(true);
        if reversed.left_over.len() < cover.left_over.len() { reversed } else { cover }
    }
}

/// Cliques, and the squares that they leave over.
struct Cover<const W: usize> {
    left_over: Bits<W>,
    cliques: Vec<Vec<usize>>,
}

const STRING: &str = "a string takes everything";
