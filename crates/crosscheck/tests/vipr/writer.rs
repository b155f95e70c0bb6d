//! Writes VIPR files of small boards: a tree that branches on squares, with a sum of constraints at each
//! leaf.

use std::collections::BTreeMap;

use ndqueens_crosscheck::vipr::formula::IntegerProgram;
use ndqueens_notation::name::BoardName;

/// Statement of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Statement {
    /// No solution has the number of squares that the program requires.
    Infeasible,
    /// The maximum is at most this number.
    Range(u64),
    /// The maximum is at most this number, proved for solutions larger than the one in the file, which has
    /// this number of squares.
    Cutoff(u64),
}

/// Form of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Form {
    pub(crate) board: &'static str,
    pub(crate) statement: Statement,
    /// Representatives of orbits.
    pub(crate) symmetry: &'static [usize],
    /// Squares of a solution; empty if the file has none.
    pub(crate) solution: &'static [usize],
    /// Sets of squares that attack each other, which are derived first.
    pub(crate) cliques: &'static [&'static [usize]],
    /// `true` if the last use of each constraint is written instead of -1.
    pub(crate) has_last_uses: bool,
}

struct Derived {
    text: String,
    uses: Vec<usize>,
}

struct Writer<'f> {
    form: &'f Form,
    program: IntegerProgram,
    derived: Vec<Derived>,
    /// Lines of the board and cliques that were derived, each with its constraint.
    rows: Vec<(Vec<usize>, usize)>,
    /// Constraint that requires more squares than the statement allows.
    required: Option<usize>,
}

/// Returns the text of a file with the form `form`.
pub(crate) fn write_file(form: &Form) -> String {
    let board: BoardName = form.board.parse().expect("a board");
    let at_least = matches!(form.statement, Statement::Infeasible).then_some(bound(form) + 1);
    let program = IntegerProgram::new(&board, at_least, form.symmetry).expect("a program");
    let mut text = Vec::new();
    program.write(&mut text).expect("a vector");
    let mut text = String::from_utf8(text).expect("ASCII");
    match form.statement {
        Statement::Infeasible => text.push_str("RTP infeas\n"),
        Statement::Range(most) | Statement::Cutoff(most) => {
            let least =
                if form.solution.is_empty() { "-inf".to_owned() } else { form.solution.len().to_string() };
            text.push_str(&format!("RTP range {least} {most}\n"));
        }
    }
    if form.solution.is_empty() {
        text.push_str("SOL 0\n");
    } else {
        let squares: String = form.solution.iter().map(|square| format!(" {square} 1")).collect();
        text.push_str(&format!("SOL 1\nbest {}{squares}\n", form.solution.len()));
    }
    let rows = program.lines().iter().cloned().zip(program.line(0)..).collect();
    let required = at_least.map(|_| program.constraints() - 1);
    let mut writer = Writer { form, program, derived: Vec::new(), rows, required };
    writer.derive_all();
    text + &writer.format_section()
}

fn bound(form: &Form) -> u64 {
    match form.statement {
        Statement::Range(most) | Statement::Cutoff(most) => most,
        Statement::Infeasible => match form.board {
            "3^3" => 4,
            "4^2" => 4,
            "3^2" => 2,
            _ => 1,
        },
    }
}

/// Branches of a node: squares with the constraints that assume their values.
#[derive(Clone, Default)]
struct Node {
    taken: Vec<(usize, usize)>,
    left_out: Vec<(usize, usize)>,
}

impl Writer<'_> {
    fn derive(&mut self, constraint: &str, reason: &str, uses: &[usize]) -> usize {
        let name = format!("d{}", self.derived.len());
        let text = format!("{name} {constraint} {{ {reason} }}");
        self.derived.push(Derived { text, uses: uses.to_vec() });
        self.program.constraints() + self.derived.len() - 1
    }

    fn combine(&mut self, constraint: &str, kind: &str, sum: &BTreeMap<usize, String>) -> usize {
        let terms: String = sum.iter().map(|(index, times)| format!(" {index} {times}")).collect();
        let uses: Vec<usize> = sum.keys().copied().collect();
        self.derive(constraint, &format!("{kind} {}{terms}", sum.len()), &uses)
    }

    fn derive_all(&mut self) {
        for clique in self.form.cliques {
            self.derive_clique(clique);
        }
        if let Statement::Cutoff(most) = self.form.statement {
            self.required = Some(self.derive(&format!("G {} OBJ", most + 1), "sol", &[]));
        }
        self.derive_node(&Node::default());
    }

    /// Derives that at most one square of a clique is taken, and returns the constraint.
    fn derive_clique(&mut self, clique: &[usize]) -> usize {
        let row = self.rows.iter().find(|(row, _)| clique.iter().all(|square| row.contains(square)));
        if let Some((row, constraint)) = row.cloned()
            && row.len() == clique.len()
        {
            return constraint;
        }
        if clique.len() == 2 {
            let (row, constraint) = row.cloned().expect("squares that attack each other");
            let surplus = row.iter().filter(|square| !clique.contains(square));
            let mut sum = BTreeMap::from([(constraint, "1".to_owned())]);
            sum.extend(surplus.map(|&square| (self.program.lower_bound(square), "-1".to_owned())));
            let constraint = self.combine(&format!("L 1 2 {} 1 {} 1", clique[0], clique[1]), "lin", &sum);
            self.rows.push((clique.to_vec(), constraint));
            return constraint;
        }
        let times = format!("1/{}", clique.len() - 1);
        let mut sum = BTreeMap::new();
        for without in clique {
            let smaller: Vec<usize> = clique.iter().copied().filter(|square| square != without).collect();
            sum.insert(self.derive_clique(&smaller), times.clone());
        }
        let terms: String = clique.iter().map(|square| format!(" {square} 1")).collect();
        let constraint = self.combine(&format!("L 1 {}{terms}", clique.len()), "rnd", &sum);
        self.rows.push((clique.to_vec(), constraint));
        constraint
    }

    /// Derives the statement under the assumptions of a node, and returns the constraint.
    fn derive_node(&mut self, node: &Node) -> usize {
        let (sum, value, uncovered) = self.find_sum(node);
        let claim = match self.form.statement {
            Statement::Range(most) => format!("L {most} OBJ"),
            Statement::Infeasible | Statement::Cutoff(_) => "G 1 0".to_owned(),
        };
        if value <= bound(self.form) as i64 {
            let mut sum: BTreeMap<usize, String> =
                sum.into_iter().map(|(index, times)| (index, times.to_string())).collect();
            sum.extend(self.required.map(|required| (required, "-1".to_owned())));
            return self.combine(&claim, "lin", &sum);
        }
        let is_decided =
            |square: usize| node.taken.iter().chain(&node.left_out).any(|&(other, _)| other == square);
        let next =
            self.form.symmetry.iter().copied().find(|&square| node.taken.is_empty() && !is_decided(square));
        let square = next.or(uncovered).expect("the bound is true");
        let one = self.derive(&format!("G 1 1 {square} 1"), "asm", &[]);
        let mut with = node.clone();
        with.taken.push((square, one));
        let with = self.derive_node(&with);
        let zero = self.derive(&format!("L 0 1 {square} 1"), "asm", &[]);
        let mut without = node.clone();
        without.left_out.push((square, zero));
        let without = self.derive_node(&without);
        self.derive(&claim, &format!("uns {with} {one} {without} {zero}"), &[with, one, without, zero])
    }

    /// Returns multipliers of constraints whose sum is `OBJ <= value`, the value, and a free square.
    fn find_sum(&self, node: &Node) -> (BTreeMap<usize, i64>, i64, Option<usize>) {
        let squares = self.program.squares().len();
        let mut count = vec![0i64; squares];
        let mut sum = BTreeMap::new();
        let mut value = 0;
        let lines = self.program.lines().len();
        for &(square, one) in &node.taken {
            let mut through = 0;
            for (row, constraint) in self.rows.iter().take(lines).filter(|(row, _)| row.contains(&square)) {
                *sum.entry(*constraint).or_default() += 1;
                row.iter().for_each(|&other| count[other] += 1);
                through += 1;
            }
            if through == 0 {
                sum.insert(self.program.upper_bound(square), 1);
                count[square] += 1;
                through = 1;
            }
            value += 1;
            if through > 1 {
                *sum.entry(one).or_default() -= through - 1;
                count[square] -= through - 1;
            }
        }
        let is_left_out = |square: &usize| node.left_out.iter().any(|(other, _)| other == square);
        for (place, &(square, orbit)) in self.program.symmetry_rows().iter().enumerate() {
            let representatives = &self.form.symmetry[..=orbit];
            if count[square] == 0 && representatives.iter().all(is_left_out) {
                sum.insert(self.program.symmetry_row(place), 1);
                count[square] += 1;
                representatives.iter().for_each(|&other| count[other] -= 1);
            }
        }
        for &(square, zero) in &node.left_out {
            if count[square] < 1 {
                sum.insert(zero, 1 - count[square]);
                count[square] = 1;
            }
        }
        let free = (0..squares).find(|&square| count[square] == 0);
        while let Some(square) = (0..squares).find(|&square| count[square] == 0) {
            let new = |row: &[usize]| row.iter().filter(|&&other| count[other] == 0).count();
            let best =
                self.rows.iter().filter(|(row, _)| row.contains(&square)).max_by_key(|(row, _)| new(row));
            let upper = (vec![square], self.program.upper_bound(square));
            let (row, constraint) = best.unwrap_or(&upper);
            *sum.entry(*constraint).or_default() += 1;
            row.iter().for_each(|&other| count[other] += 1);
            value += 1;
        }
        for (square, &times) in count.iter().enumerate().filter(|(_, times)| **times > 1) {
            sum.insert(self.program.lower_bound(square), 1 - times);
        }
        (sum, value, free)
    }

    fn format_section(&self) -> String {
        let first = self.program.constraints();
        let mut text = format!("DER {}\n", self.derived.len());
        for (index, derived) in (first..).zip(&self.derived) {
            let last = (first..).zip(&self.derived).filter(|(_, other)| other.uses.contains(&index)).last();
            let last = match last {
                Some((last, _)) if self.form.has_last_uses => last.to_string(),
                _ => "-1".to_owned(),
            };
            text.push_str(&format!("{} {last}\n", derived.text));
        }
        text
    }
}
