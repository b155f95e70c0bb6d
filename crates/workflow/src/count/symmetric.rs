//! Counting solutions by their symmetry: those that are invariant under a group, and all of them by their
//! stabilisers.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use fixedbitset::FixedBitSet;
use ndqueens_crosscheck::solutions::ListFault;
use ndqueens_crosscheck::stop::{self, Stop};
use ndqueens_crosscheck::verify::verify;
use ndqueens_exact::visit_symmetric;
use ndqueens_model::board::{Board, Group, Square};
use ndqueens_notation::certificate::Certificate;
use ndqueens_solver::backends::Options;
use ndqueens_solver::construct::local_search::Subgroup;
use ndqueens_system::cancel::{Deadline, StopReason};

use crate::count::symmetry_name::describe;
use crate::count::{CountRequest, Counted, Stopped, count};
use crate::prove::engine_run;
use crate::run::{CountError, Interruptible, Watch, WorkflowError};

/// Method that counts the solutions that are invariant under a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymmetricMethod {
    /// Search among unions of orbits of squares, one queen on each line.
    Orbits,
    /// Enumeration of all solutions up to symmetry, whose images are tested.
    Enumeration,
}

impl fmt::Display for SymmetricMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Orbits => "search among unions of orbits of squares under the group",
            Self::Enumeration => "exact engine, every solution up to symmetry tested",
        })
    }
}

/// Number of solutions that are invariant under a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SymmetricCount {
    /// Size of the solutions.
    pub size: u64,
    /// Number of solutions that every element of the group maps to themselves.
    pub solutions: u64,
    /// Method that counted them.
    pub method: SymmetricMethod,
}

/// Class of the solutions whose stabilisers are conjugate to one subgroup of the board's group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymmetryClass {
    /// Generators: on a plain box as signed permutations of the axes, `none` for the trivial group; `None` on
    /// boards whose symmetries have no names.
    pub group: Option<String>,
    /// Order of the stabiliser.
    pub order: usize,
    /// Orders of its elements, in increasing order.
    pub element_orders: Vec<usize>,
    /// Number of solutions.
    pub solutions: u64,
    /// Number of solutions up to symmetry.
    pub up_to_symmetry: u64,
}

/// Maximum number of orbits of solutions that are kept in memory.
pub const MOST_KEPT: usize = 4_000_000;

/// Order of the largest group whose subgroups are compared.
const MOST_ELEMENTS: u32 = 4096;

/// Number of solutions that crosscheck verifies one by one.
const VERIFIED: u64 = 1000;

/// Counts the solutions of a size that every element of a group maps to themselves. Without a size, counts
/// those of the independence number.
///
/// # Errors
/// Returns an error if the board is too large, or if a solution does not pass the check.
pub fn count_symmetric(
    board: &Board,
    group: &Subgroup,
    size: Option<u64>,
    options: &Options,
    deadline: Deadline,
    watch: &mut Watch<'_>,
    stop: Stop<'_>,
) -> Result<Interruptible<SymmetricCount, Stopped>, WorkflowError> {
    let stopped = |reason, size| Ok(Interruptible::Stopped(Stopped { reason, size, met: 0, parts: None }));
    let size = match size {
        Some(size) => size,
        None => {
            let options = Options { time_limit: deadline.left(), ..options.clone() };
            let bounded = engine_run::run(board, &options, None, None, None, watch)?;
            match bounded.proved {
                Ok(_) => bounded.maximum.value,
                Err(reason) => return stopped(reason, None),
            }
        }
    };
    if size == board.trivial_bound() {
        let (mut fault, mut checked) = (None, 0);
        let mut visit = |squares: &[Square]| {
            if checked < VERIFIED && fault.is_none() {
                checked += 1;
                fault = refusal(board, squares);
            }
        };
        let found = visit_symmetric(board, &group.orbits(board), stop, &mut visit);
        if let Some(fault) = fault {
            return Err(fault);
        }
        return match found {
            Some(solutions) => {
                let method = SymmetricMethod::Orbits;
                Ok(Interruptible::Finished(SymmetricCount { size, solutions, method }))
            }
            None => stopped(stop_reason(deadline), Some(size)),
        };
    }
    let request = CountRequest { size: Some(size), keep: MOST_KEPT, work: None, proof: None };
    let counted = match count(board, &request, options, deadline, watch)? {
        Interruptible::Finished(counted) => counted,
        Interruptible::Stopped(state) => return Ok(Interruptible::Stopped(state)),
    };
    if counted.tally.more {
        return Err(CountError::TooManyToSort { most: MOST_KEPT }.into());
    }
    match count_invariant(board, group, &counted, stop) {
        Ok(solutions) => {
            let method = SymmetricMethod::Enumeration;
            Ok(Interruptible::Finished(SymmetricCount { size, solutions, method }))
        }
        Err(stop::Stopped) => stopped(stop_reason(deadline), Some(size)),
    }
}

/// Returns the reason of a stop.
fn stop_reason(deadline: Deadline) -> StopReason {
    if deadline.is_over() { StopReason::TimeLimit } else { StopReason::Interrupted }
}

/// Returns the error if crosscheck rejects a solution.
fn refusal(board: &Board, squares: &[Square]) -> Option<WorkflowError> {
    let coordinates = squares.iter().map(|&square| board.coordinates(square)).collect();
    let certificate = Certificate::independent(board.name().clone(), coordinates, "");
    verify(&certificate).err().map(|fault| {
        // The solution is not in a file.
        CountError::List(ListFault::Wrong { line: 0, fault }).into()
    })
}

/// Returns the board's group on its squares.
fn group_of(board: &Board) -> Group {
    let identity: Vec<Square> = board.squares().collect();
    Group::of(board, &identity)
}

/// Counts the solutions that each generator of a group maps to themselves, among the images of the enumerated
/// ones.
fn count_invariant(
    board: &Board,
    group: &Subgroup,
    counted: &Counted,
    stop: Stop<'_>,
) -> Result<u64, stop::Stopped> {
    let (all, generators) = (group_of(board), group.images(board));
    let mut solutions = 0;
    let mut image = FixedBitSet::with_capacity(board.size());
    for set in &counted.tally.representatives {
        if stop() {
            return Err(stop::Stopped);
        }
        let (mut matches, mut stabiliser) = (0, 0);
        for element in all.elements() {
            image.clear();
            image.extend(set.iter().map(|&square| all.image(element, square as usize)));
            let is_kept = |generator: &Vec<Square>| {
                image.ones().all(|square| image.contains(generator[square] as usize))
            };
            matches += u64::from(generators.iter().all(is_kept));
            stabiliser += u64::from(set.iter().all(|&square| image.contains(square as usize)));
        }
        // Each image occurs once for each element of the stabiliser.
        solutions += matches / stabiliser;
    }
    Ok(solutions)
}

/// Sorts the enumerated solutions by their stabilisers in the board's group, up to conjugation; those with
/// the fewest symmetries come first.
///
/// # Errors
/// Returns an error if the board's group is not known or has too many elements, if not all solutions were
/// kept, or if the numbers do not add up to those of the count.
pub fn by_symmetry(board: &Board, counted: &Counted) -> Result<Vec<SymmetryClass>, WorkflowError> {
    let Some(stabilisers) = counted.stabilisers() else { return Err(CountError::NoGroup.into()) };
    if counted.tally.more {
        return Err(CountError::TooManyToSort { most: MOST_KEPT }.into());
    }
    let group = group_of(board);
    if group.order() > MOST_ELEMENTS {
        return Err(CountError::NoGroup.into());
    }
    let table = GroupTable::new(&group, board.size());
    let mut by_class: HashMap<Vec<u32>, u64> = HashMap::new();
    let mut canonical: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
    let mut members = FixedBitSet::with_capacity(board.size());
    for set in &counted.tally.representatives {
        members.clear();
        members.extend(set.iter().map(|&square| square as usize));
        let fixes = |&element: &u32| {
            set.iter().all(|&square| members.contains(group.image(element, square as usize)))
        };
        let stabiliser: Vec<u32> = group.elements().filter(fixes).collect();
        let class = canonical.entry(stabiliser).or_insert_with_key(|stabiliser| table.conjugate(stabiliser));
        *by_class.entry(class.clone()).or_default() += 1;
    }
    let mut sorted: Vec<(Vec<u32>, u64)> = by_class.into_iter().collect();
    sorted.sort_unstable_by(|(a, _), (b, _)| (a.len(), a).cmp(&(b.len(), b)));
    for (order, orbits) in stabilisers {
        let here: u64 = sorted.iter().filter(|(class, _)| class.len() as u64 == order).map(|(_, n)| n).sum();
        if orbits != here.into() {
            return Err(CountError::Classes { order, expected: orbits.to_string(), kept: here }.into());
        }
    }
    let class = |(elements, orbits): (Vec<u32>, u64)| SymmetryClass {
        group: name(board, &table, &elements),
        order: elements.len(),
        element_orders: table.orders(&elements),
        solutions: orbits * u64::from(group.order()) / elements.len() as u64,
        up_to_symmetry: orbits,
    };
    Ok(sorted.into_iter().map(class).collect())
}

/// Products and inverses of the elements of a group.
struct GroupTable<'g> {
    group: &'g Group,
    products: Vec<u32>,
    inverses: Vec<u32>,
}

impl<'g> GroupTable<'g> {
    fn new(group: &'g Group, size: usize) -> Self {
        let images = |element: u32| (0..size).map(|x| group.image(element, x) as u32).collect::<Vec<u32>>();
        let numbers: HashMap<Vec<u32>, u32> = group.elements().map(|g| (images(g), g)).collect();
        let order = group.order() as usize;
        let (mut products, mut inverses) = (vec![0; order * order], vec![0; order]);
        for a in group.elements() {
            for b in group.elements() {
                let product: Vec<u32> = (0..size).map(|x| group.image(b, group.image(a, x)) as u32).collect();
                let product = numbers[&product];
                products[a as usize * order + b as usize] = product;
                if product == 0 {
                    inverses[a as usize] = b;
                }
            }
        }
        Self { group, products, inverses }
    }

    /// Returns the element that acts as `a` and then as `b`.
    fn product(&self, a: u32, b: u32) -> u32 {
        self.products[a as usize * self.group.order() as usize + b as usize]
    }

    /// Returns the smallest subgroup conjugate to this one, as a list of increasing elements.
    fn conjugate(&self, subgroup: &[u32]) -> Vec<u32> {
        let by = |g: u32| {
            let conjugate = |&x: &u32| self.product(self.product(self.inverses[g as usize], x), g);
            let mut image: Vec<u32> = subgroup.iter().map(conjugate).collect();
            image.sort_unstable();
            image
        };
        self.group.elements().map(by).min().expect("a group has an element")
    }

    fn order(&self, element: u32) -> usize {
        let mut power = element;
        let mut order = 1;
        while power != 0 {
            power = self.product(power, element);
            order += 1;
        }
        order
    }

    fn orders(&self, elements: &[u32]) -> Vec<usize> {
        let mut orders: Vec<usize> = elements.iter().map(|&element| self.order(element)).collect();
        orders.sort_unstable();
        orders
    }

    /// Returns a short list of generators of a subgroup, those of large order first.
    fn generators(&self, subgroup: &[u32]) -> Vec<u32> {
        let mut candidates = subgroup.to_vec();
        candidates.sort_by_key(|&element| (std::cmp::Reverse(self.order(element)), element));
        let (mut generators, mut generated) = (Vec::new(), BTreeSet::from([0]));
        for element in candidates {
            if generated.contains(&element) {
                continue;
            }
            generators.push(element);
            let mut new: Vec<u32> = generated.iter().copied().collect();
            while let Some(known) = new.pop() {
                for &generator in &generators {
                    let product = self.product(known, generator);
                    if generated.insert(product) {
                        new.push(product);
                    }
                }
            }
        }
        generators
    }
}

/// Returns the names of generators of a subgroup, on a plain box in the form that [`Subgroup::parse`]
/// accepts; `None` if the board has no names for its symmetries.
fn name(board: &Board, table: &GroupTable<'_>, subgroup: &[u32]) -> Option<String> {
    let generators = table.generators(subgroup);
    if generators.is_empty() {
        return Some("none".to_owned());
    }
    let describe =
        |&element: &u32| describe(board, &|square| table.group.image(element, square as usize) as Square);
    let names: Option<Vec<String>> = generators.iter().map(describe).collect();
    Some(names?.join(";"))
}
