//! Local search for large independent sets, and for small dominating sets.
//!
//! A *round* is one tabu walk. Its start is determined by the number of the round and the seed. Rounds can
//! therefore run on any number of threads, and a stopped search resumes with the number of its next round. A
//! round may walk on the orbits of a subgroup of the symmetries of the board, that is, on sets that are
//! invariant under the subgroup.
//!
//! # References
//! Q. Wu, J.-K. Hao, F. Glover, *Multi-neighborhood tabu search for the maximum weight clique problem*,
//! Annals of Operations Research 196 (2012); M. Luby, A. Sinclair, D. Zuckerman, *Optimal speedup of Las
//! Vegas algorithms*, Information Processing Letters 47 (1993).

mod dominating;
mod faces;
mod linear_starts;
mod orbit_graph;
mod subgroup;
mod symmetric_faces;
mod tabu;

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_model::board::{Board, Square};
use parking_lot::Mutex;
use rand::rngs::ChaCha8Rng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};

pub use self::dominating::quick_dominating;
pub use self::faces::MAX_AXES;
use self::faces::{Anneal, Annealing, LabelledCube};
use self::linear_starts::linear_starts;
use self::orbit_graph::OrbitGraph;
pub(crate) use self::orbit_graph::fits;
pub use self::subgroup::{NoSubgroup, Subgroup};
use self::symmetric_faces::{CubeOrbits, SymmetricAnnealing};
use self::tabu::Walk;
use ndqueens_system::cancel::Control;

/// Number of moves without a better set after which a round ends; it is multiplied by the round's term
/// of Luby's sequence.
const PATIENCE: u64 = 5000;

/// Number of moves between two checks of the control.
const MOVES_PER_CHECK: u64 = 1000;

/// Kind of local search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Technique {
    /// Tabu walks, on every board.
    #[default]
    Tabu,
    /// Simulated annealing of disjoint faces of a cube, on boxes with sides of at most 3.
    Faces,
}

/// Settings of a search.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// Kind of search.
    pub technique: Technique,
    /// Squares that every set must contain; free of attacks.
    pub include: &'a [Square],
    /// An independent set that contains `include`. Half of the rounds start from a part of it, and only
    /// larger sets are reported.
    pub start: Option<&'a [Square]>,
    /// Only sets with more squares than this are reported.
    pub beat: usize,
    /// The subgroup under which all sets are invariant; `include` and `start` must be invariant as well. If
    /// `None`, and if nothing is included, half of the rounds take a random one of [`Subgroup::cyclic`]; the
    /// search among faces takes a cycle of all axes except one in even rounds on `3^d` with d ≥ 10.
    pub symmetry: Option<&'a Subgroup>,
    /// Seed of all random choices, together with the number of the round.
    pub seed: u64,
    /// Number of the first round.
    pub from_round: u64,
    /// Maximum number of rounds.
    pub rounds: u64,
    /// Number of squares, including those of `include`, at which the search ends.
    pub target: u64,
    /// Number of threads, each of which runs one round at a time.
    pub threads: usize,
    /// Control of the search; its nodes are moves.
    pub control: &'a Control,
}

/// A set that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The squares, in increasing order.
    pub squares: Vec<Square>,
    /// Number of the round.
    pub round: u64,
    /// The subgroup under which the set is invariant, in its text form.
    pub symmetry: String,
    /// Start of the round.
    pub start: RoundStart,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult {
    /// The largest set, of the earliest round; `None` if no set is large enough.
    pub best: Option<Found>,
    /// Number of the first round that was not finished.
    pub next_round: u64,
}

/// Start of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundStart {
    /// The empty set.
    Empty,
    /// A nearly linear set.
    Linear,
    /// A part of the given set.
    Given,
}

impl fmt::Display for RoundStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the empty set",
            Self::Linear => "a nearly linear set",
            Self::Given => "a part of the given set",
        })
    }
}

/// Reason why a search cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The search among faces of a cube does not apply to the board.
    #[error(
        "the search among faces of a cube is for queens on boxes with sides of at most 3, at most {most} of them longer than 1, not for {0}",
        most = faces::MAX_AXES
    )]
    NoFaces(String),
    /// The search among faces takes neither included squares nor a start.
    #[error("the search among faces of a cube takes no squares to be included and no start")]
    FacesFromNothing,
    /// The search among faces takes symmetries only on cubes.
    #[error("the search among faces of a cube takes a symmetry if all sides are 3, not on {0}; give none")]
    NoFaceSymmetry(String),
    /// A group is too large, or has too many orbits.
    #[error(
        "the symmetry {1} on {0} has too many elements or too many orbits of faces for this search; give a smaller group, such as one cycle of axes"
    )]
    TooManyOrbits(String, String),
    /// The graph of the board is too large.
    #[error("{0} is too large: its queen graph does not fit into memory")]
    TooLarge(String),
    /// Given squares are not invariant under the subgroup.
    #[error("{0} not invariant under the symmetry {1}")]
    NotInvariant(&'static str, String),
    /// The threads cannot be started.
    #[error(transparent)]
    Threads(#[from] std::io::Error),
}

/// Runs rounds until their number is reached, a set reaches the target, or the control is stopped.
/// Calls `report` with each set that is larger than all previous ones, or as large as the largest and
/// of an earlier round.
///
/// # Errors
/// Returns an error if the board is too large, given squares are not invariant under the subgroup, or the
/// threads cannot be started.
pub fn search(
    board: &Board,
    settings: &Settings<'_>,
    report: &(dyn Fn(&Found) + Sync),
) -> Result<SearchResult, SearchError> {
    if settings.technique == Technique::Faces {
        return search_faces(board, settings, report);
    }
    let Settings { include, start, symmetry, seed, from_round, control, .. } = *settings;
    let beat = settings.beat.max(include.len()).max(start.map_or(0, <[Square]>::len));
    if !fits(board, 8) {
        return Err(SearchError::TooLarge(board.name().to_string()));
    }
    let subgroups = match symmetry {
        Some(given) => vec![given.clone()],
        None if include.is_empty() => Subgroup::cyclic(board),
        None => vec![Subgroup::default()],
    };
    for (given, what) in
        [(include, "the squares to be included are"), (start.unwrap_or_default(), "the starting set is")]
    {
        if !subgroups[0].keeps(board, given) {
            return Err(SearchError::NotInvariant(what, subgroups[0].to_string()));
        }
    }
    let Some(first_graph) = OrbitGraph::new(board, include, &all_squares, &subgroups[0], control) else {
        return Ok(SearchResult { best: None, next_round: from_round });
    };
    let search = TabuSearch {
        board,
        settings,
        subgroups: &subgroups,
        first_graph,
        linear_starts: linear_starts(board, ChaCha8Rng::seed_from_u64(seed), control),
    };
    run_rounds(settings, beat, &|round, is_done, report| search.run_round(round, is_done, report), report)
}

/// Searches a box with sides of at most 3 among the faces of a cube.
fn search_faces(
    board: &Board,
    settings: &Settings<'_>,
    report: &(dyn Fn(&Found) + Sync),
) -> Result<SearchResult, SearchError> {
    let cube = LabelledCube::of(board).ok_or_else(|| SearchError::NoFaces(board.name().to_string()))?;
    if !settings.include.is_empty() || settings.start.is_some() {
        return Err(SearchError::FacesFromNothing);
    }
    let group = match settings.symmetry {
        Some(given) if !given.is_trivial() && !cube.is_cube() => {
            return Err(SearchError::NoFaceSymmetry(board.name().to_string()));
        }
        Some(given) => Some(given.clone()).filter(|given| !given.is_trivial()),
        None if cube.is_cube() => symmetric_faces::default_group(cube.axes()),
        None => None,
    };
    let orbits = group.as_ref().map(|group| {
        let too_many = || SearchError::TooManyOrbits(board.name().to_string(), group.to_string());
        CubeOrbits::new(&cube, group).ok_or_else(too_many)
    });
    let orbits = orbits.transpose()?;
    let trivial = Subgroup::default();
    let run_round = |round: u64, is_done: &dyn Fn() -> bool, report: &mut dyn FnMut(Found)| {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(round);
        let random = Xoshiro256PlusPlus::from_rng(&mut random);
        // By default, symmetric rounds and other rounds alternate.
        let is_symmetric = settings.symmetry.is_some() || round.is_multiple_of(2);
        match orbits.as_ref().zip(group.as_ref()).filter(|_| is_symmetric) {
            Some((orbits, symmetry)) => {
                let annealing = &mut SymmetricAnnealing::new(orbits, random);
                FaceRound { board, settings, round, symmetry }.run(annealing, is_done, report)
            }
            None => {
                let annealing = &mut Annealing::new(&cube, random);
                FaceRound { board, settings, round, symmetry: &trivial }.run(annealing, is_done, report)
            }
        }
    };
    run_rounds(settings, settings.beat, &run_round, report)
}

/// A round of the search among faces.
struct FaceRound<'a> {
    board: &'a Board,
    settings: &'a Settings<'a>,
    /// Number of the round.
    round: u64,
    symmetry: &'a Subgroup,
}

impl FaceRound<'_> {
    /// Anneals until the round is over. Returns `false` if `is_done` ended it early.
    fn run(
        &self,
        annealing: &mut dyn Anneal,
        is_done: &dyn Fn() -> bool,
        report: &mut dyn FnMut(Found),
    ) -> bool {
        let target = usize::try_from(self.settings.target).unwrap_or(usize::MAX);
        let mut reported_size = 0;
        while !annealing.is_over() {
            if is_done() {
                return false;
            }
            annealing.advance(target);
            self.settings.control.count(faces::PROPOSALS_PER_STEP, 0.0);
            if annealing.best_size() > reported_size {
                reported_size = annealing.best_size();
                let square = |coordinates: Vec<u32>| self.board.square(&coordinates).expect("on the board");
                let mut squares: Vec<Square> = annealing.best().into_iter().map(square).collect();
                squares.sort_unstable();
                let symmetry = self.symmetry.to_string();
                report(Found { squares, round: self.round, symmetry, start: RoundStart::Empty });
            }
        }
        true
    }
}

/// Function that runs the round with a given number and reports the sets found. It ends early and returns
/// `false` if the second argument returns `true`.
type RunRound<'a> = dyn Fn(u64, &dyn Fn() -> bool, &mut dyn FnMut(Found)) -> bool + Sync + 'a;

/// Runs rounds until their number is reached, a set reaches the target, or the control is stopped.
fn run_rounds(
    settings: &Settings<'_>,
    beat: usize,
    run_round: &RunRound<'_>,
    report: &(dyn Fn(&Found) + Sync),
) -> Result<SearchResult, SearchError> {
    let Settings { from_round, control, target, .. } = *settings;
    let best: Mutex<Option<Found>> = Mutex::default();
    let size = |best: &Option<Found>| best.as_ref().map_or(beat, |best| best.squares.len());
    let next = AtomicU64::new(from_round);
    let first_unfinished = AtomicU64::new(u64::MAX);
    let end = from_round.saturating_add(settings.rounds);
    let is_done = || control.is_stopped() || size(&best.lock()) as u64 >= target;
    ndqueens_system::thread::with_threads(settings.threads, || {
        rayon::broadcast(|_| {
            while !is_done() {
                let round = next.fetch_add(1, Relaxed);
                if round >= end {
                    break;
                }
                let is_finished = run_round(round, &is_done, &mut |found| {
                    let mut best = best.lock();
                    // Among sets of the same size, the one of the earliest round is kept,
                    // whichever thread was first.
                    let is_earlier = best.as_ref().is_some_and(|best| {
                        found.squares.len() == best.squares.len() && found.round < best.round
                    });
                    if found.squares.len() > size(&best) || is_earlier {
                        report(best.insert(found));
                    }
                });
                if !is_finished {
                    first_unfinished.fetch_min(round, Relaxed);
                }
            }
        });
    })?;
    let next_round = next.into_inner().min(end).min(first_unfinished.into_inner());
    Ok(SearchResult { best: best.into_inner(), next_round })
}

/// A search by tabu walks.
struct TabuSearch<'a> {
    board: &'a Board,
    settings: &'a Settings<'a>,
    subgroups: &'a [Subgroup],
    /// The graph of the first subgroup.
    first_graph: OrbitGraph,
    /// Nearly linear sets, largest first.
    linear_starts: Vec<Vec<Square>>,
}

impl TabuSearch<'_> {
    /// Runs a round. Returns `false` if `is_done` ended it early.
    fn run_round(&self, round: u64, is_done: &dyn Fn() -> bool, report: &mut dyn FnMut(Found)) -> bool {
        let Settings { include, seed, control, .. } = *self.settings;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Stream 0 is that of the linear starts.
        random.set_stream(round + 1);
        let others = self.subgroups.get(1..).filter(|others| !others.is_empty() && random.random_bool(0.5));
        let subgroup = others.and_then(|others| others.choose(&mut random)).unwrap_or(&self.subgroups[0]);
        let own_graph = if others.is_some() {
            let Some(graph) = OrbitGraph::new(self.board, include, &all_squares, subgroup, control) else {
                return false;
            };
            Some(graph)
        } else {
            None
        };
        let graph = own_graph.as_ref().unwrap_or(&self.first_graph);
        let (start, squares) = self.choose_start(&mut random);
        let vertices = graph.vertices_within(&squares);
        let mut walk = Walk::new(graph, &vertices, Xoshiro256PlusPlus::from_rng(&mut random));
        let mut reported_weight = 0;
        let mut patience = PATIENCE * luby(round + 1);
        loop {
            if walk.best_weight() > reported_weight {
                reported_weight = walk.best_weight();
                let mut squares: Vec<Square> =
                    walk.best().iter().flat_map(|&v| graph.squares_of(v)).chain(include).copied().collect();
                squares.sort_unstable();
                report(Found { squares, round, symmetry: subgroup.to_string(), start });
            }
            if is_done() {
                return false;
            }
            if patience == 0 || graph.is_empty() {
                return true;
            }
            let moves = MOVES_PER_CHECK.min(patience);
            patience -= moves;
            for _ in 0..moves {
                if walk.step() {
                    patience = PATIENCE * luby(round + 1);
                }
            }
            control.count(moves, 0.0);
        }
    }

    /// Chooses the independent set from which a round starts.
    fn choose_start(&self, random: &mut ChaCha8Rng) -> (RoundStart, Vec<Square>) {
        if let Some(start) = self.settings.start
            && random.random_bool(0.5)
        {
            return (RoundStart::Given, self.remove_part(start, random));
        }
        if self.linear_starts.is_empty() || random.random_bool(0.25) {
            return (RoundStart::Empty, Vec::new());
        }
        // The cube prefers large sets, which are first.
        let uniform: f64 = random.random();
        let chosen = (uniform.powi(3) * self.linear_starts.len() as f64) as usize;
        (RoundStart::Linear, self.linear_starts[chosen].clone())
    }

    /// Returns a set without its squares in a random box or, on boards that are not boxes,
    /// without random squares.
    fn remove_part(&self, set: &[Square], random: &mut ChaCha8Rng) -> Vec<Square> {
        let mut set = set.to_vec();
        let Some(grid) = self.board.grid() else {
            let share = random.random_range(0.0..0.5);
            set.retain(|_| !random.random_bool(share));
            return set;
        };
        let interval = |&side: &u32| {
            let (a, b) = (random.random_range(0..side), random.random_range(0..side));
            a.min(b)..=a.max(b)
        };
        let removed: Vec<_> = grid.sides().iter().map(interval).collect();
        set.retain(|&square| {
            !self.board.coordinates(square).iter().zip(&removed).all(|(x, interval)| interval.contains(x))
        });
        set
    }
}

/// Returns the i-th term of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ...; i counts from 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i.count_ones() == bits {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

/// Returns an independent set of the board that contains `include`, in increasing order, or `None` if the
/// board is too large. The result is deterministic.
///
/// Makes tabu walks from the empty set with the trivial subgroup, until about `work` neighbours and
/// candidates were visited or `target` squares are found.
///
/// `include` must be free of attacks.
#[must_use]
pub fn quick(board: &Board, include: &[Square], seed: u64, work: u64, target: usize) -> Option<Vec<Square>> {
    quick_among(board, include, &all_squares, seed, work, target)
}

const fn all_squares(_: Square) -> bool {
    true
}

/// Does the same as [`quick`], but all squares except those of `include` satisfy `is_allowed`.
pub(crate) fn quick_among(
    board: &Board,
    include: &[Square],
    is_allowed: &dyn Fn(Square) -> bool,
    seed: u64,
    work: u64,
    target: usize,
) -> Option<Vec<Square>> {
    if !fits(board, 1) {
        return None;
    }
    let graph = OrbitGraph::new(board, include, is_allowed, &Subgroup::default(), &Control::new());
    let graph = graph.expect("not stopped");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut best: Vec<u32> = Vec::new();
    let mut done = 0;
    let target = target.saturating_sub(include.len()).min(graph.len());
    for round in 1.. {
        if best.len() >= target || done >= work && round > 1 {
            break;
        }
        let mut walk = Walk::new(&graph, &[], Xoshiro256PlusPlus::from_rng(&mut random));
        let mut patience = PATIENCE * luby(round);
        // The first set is completed even if that exceeds the work limit.
        while patience > 0 && walk.best().len() < target && (done + walk.work() < work || walk.is_growing()) {
            patience = if walk.step() { PATIENCE * luby(round) } else { patience - 1 };
        }
        done += walk.work();
        if walk.best().len() > best.len() {
            best = walk.best().to_vec();
        }
    }
    let mut squares: Vec<Square> =
        best.iter().flat_map(|&v| graph.squares_of(v)).chain(include).copied().collect();
    squares.sort_unstable();
    Some(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndqueens_crosscheck::verify;
    use ndqueens_notation::certificate::Certificate;
    use proptest::prelude::*;

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    fn assert_independent(board: &Board, squares: &[Square]) {
        let squares = squares.iter().map(|&s| board.coordinates(s)).collect();
        let certificate = Certificate::independent(board.name().clone(), squares, "a test");
        verify::verify(&certificate).expect("an independent set");
    }

    fn settings(control: &Control) -> Settings<'_> {
        Settings {
            technique: Technique::Tabu,
            include: &[],
            start: None,
            beat: 0,
            symmetry: None,
            seed: 1,
            from_round: 0,
            rounds: 20,
            target: u64::MAX,
            threads: 1,
            control,
        }
    }

    #[test]
    fn quick_search_solves_small_boards() {
        for (name, size) in [
            ("1^3", 1),
            ("2^3", 1),
            ("3^3", 4),
            ("4^3", 7),
            ("5^3", 13),
            ("6^3", 21),
            ("3^4", 6),
            ("4^4", 16),
            ("3^5", 11),
            ("torus:5^2", 5),
        ] {
            let found = quick(&board(name), &[], 1, 30_000_000, usize::MAX).expect("a small board");
            assert_eq!(found.len(), size, "{name}");
        }
    }

    #[test]
    fn same_seed_gives_same_set() {
        let board = board("5^3");
        let once = || quick(&board, &[3], 7, 100_000, usize::MAX);
        assert_eq!(once(), once());
    }

    #[test]
    fn rejects_boards_that_are_too_large() {
        assert_eq!(quick(&board("60^4"), &[], 1, 0, 1), None);
        assert_eq!(quick(&board("2^20"), &[], 1, 0, 1), None);
        let control = Control::new();
        assert!(matches!(
            search(&board("2^20"), &settings(&control), &|_| ()),
            Err(SearchError::TooLarge(_))
        ));
    }

    #[test]
    fn luby_returns_published_terms() {
        let terms: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn rounds_do_not_depend_on_threads_or_pauses() {
        let board = board("6^3");
        let control = Control::new();
        let all = settings(&control);
        let SearchResult { best, next_round } = search(&board, &all, &|_| ()).expect("a search");
        assert_eq!(next_round, 20);
        let once = best.expect("a set");
        let found = |settings: &Settings<'_>| search(&board, settings, &|_| ()).expect("a search").best;
        let again = found(&Settings { threads: 2, ..all }).expect("a set");
        assert_eq!(once.squares.len(), again.squares.len());
        let round = Settings { from_round: once.round, rounds: 1, ..all };
        assert_eq!(found(&round).as_ref(), Some(&once));
        let less = once.squares.len() - 1;
        assert_eq!(found(&Settings { beat: less, ..all }).as_ref(), Some(&once));
        assert_eq!(found(&Settings { beat: less + 1, ..all }), None);
    }

    #[test]
    fn search_among_faces_reaches_the_volume_bound() {
        let control = Control::new();
        for (name, size) in
            [("3^1", 1), ("3^2", 2), ("3^3", 4), ("3^4", 6), ("3^5", 11), ("3^6", 19), ("3^7", 32)]
        {
            let board = board(name);
            let settings = Settings { technique: Technique::Faces, target: size, ..settings(&control) };
            let found = search(&board, &settings, &|_| ()).expect("a search").best.expect("a set");
            assert_eq!(found.squares.len() as u64, size, "{name}");
            assert_independent(&board, &found.squares);
        }
    }

    #[test]
    fn search_among_faces_solves_boxes_with_sides_of_2() {
        let control = Control::new();
        for name in
            ["1^2", "2^1", "2^3", "2x3", "3x2", "1x3x2", "3x2x3", "2x2x3", "2x3x2x3", "3x3x3x2", "2x2x2x3"]
        {
            let board = board(name);
            let size = maximum(&board, &mut Vec::new(), 0);
            let settings = Settings {
                technique: Technique::Faces,
                rounds: 1,
                target: size as u64,
                ..settings(&control)
            };
            let found = search(&board, &settings, &|_| ()).expect("a search").best.expect("a set");
            assert_eq!(found.squares.len(), size, "{name}");
            assert_independent(&board, &found.squares);
        }
    }

    /// Returns the size of a largest independent set that contains the squares placed so far.
    fn maximum(board: &Board, placed: &mut Vec<Square>, from: Square) -> usize {
        let mut best = placed.len();
        for square in from..board.size() as Square {
            if placed.iter().all(|&other| !board.attacks(other, square)) {
                placed.push(square);
                best = best.max(maximum(board, placed, square + 1));
                placed.pop();
            }
        }
        best
    }

    #[test]
    fn search_among_faces_repeats_a_round() {
        let (board, control) = (board("3^5"), Control::new());
        let all = Settings { technique: Technique::Faces, rounds: 2, ..settings(&control) };
        let found = |settings: &Settings<'_>| {
            search(&board, settings, &|_| ()).expect("a search").best.expect("a set")
        };
        let once = found(&all);
        assert_eq!(found(&Settings { threads: 2, ..all }).squares.len(), once.squares.len());
        assert_eq!(found(&Settings { from_round: once.round, rounds: 1, ..all }), once);
    }

    #[test]
    fn search_among_symmetric_faces_repeats_a_round() {
        let control = Control::new();
        for (name, group) in [("3^4", "2,3,1,4"), ("3^4", "-2,1,4,3")] {
            let board = board(name);
            let subgroup = Subgroup::parse(group, &board).expect(group);
            let all = Settings {
                technique: Technique::Faces,
                symmetry: Some(&subgroup),
                rounds: 2,
                ..settings(&control)
            };
            let found = |settings: &Settings<'_>| {
                search(&board, settings, &|_| ()).expect("a search").best.expect("a set")
            };
            let once = found(&all);
            assert_eq!(found(&Settings { from_round: once.round, rounds: 1, ..all }), once, "{name}");
            assert_eq!(once.symmetry, group);
            assert!(subgroup.keeps(&board, &once.squares), "{name}");
            assert_independent(&board, &once.squares);
        }
    }

    #[test]
    fn search_among_faces_is_symmetric_in_even_rounds() {
        let (board, control) = (board("3^10"), Control::new());
        let settings = Settings { technique: Technique::Faces, rounds: 1, target: 158, ..settings(&control) };
        let found = search(&board, &settings, &|_| ()).expect("a search").best.expect("a set");
        assert_eq!((found.squares.len(), &*found.symmetry), (158, "2,3,4,5,6,7,8,9,1,10"));
        assert_independent(&board, &found.squares);
        let none = Subgroup::default();
        for plain in [
            Settings { from_round: 1, target: 2, ..settings },
            Settings { symmetry: Some(&none), target: 2, ..settings },
        ] {
            let found = search(&board, &plain, &|_| ()).expect("a search").best.expect("a set");
            assert_eq!(found.symmetry, "none");
        }
    }

    #[test]
    fn search_among_faces_rejects_unsuitable_symmetries() {
        let control = Control::new();
        let with = |name: &str, group: &str| {
            let board = board(name);
            let subgroup = Subgroup::parse(group, &board).expect(group);
            let settings =
                Settings { technique: Technique::Faces, symmetry: Some(&subgroup), ..settings(&control) };
            search(&board, &settings, &|_| ()).expect_err(group)
        };
        assert!(matches!(with("2x3x3", "1,3,2"), SearchError::NoFaceSymmetry(_)));
        let all = with("3^8", "2,1,3,4,5,6,7,8;2,3,4,5,6,7,8,1");
        assert!(matches!(all, SearchError::TooManyOrbits(..)));
    }

    #[test]
    fn search_among_faces_rejects_other_boards() {
        let control = Control::new();
        let settings = Settings { technique: Technique::Faces, ..settings(&control) };
        for name in ["4^3", "3x3x4", "3^17", "rook:3^3", "torus:3^3", "hex:3"] {
            assert!(
                matches!(search(&board(name), &settings, &|_| ()), Err(SearchError::NoFaces(_))),
                "{name}"
            );
        }
        let included = Settings { include: &[1], ..settings };
        assert!(matches!(search(&board("3^3"), &included, &|_| ()), Err(SearchError::FacesFromNothing)));
    }

    #[test]
    fn sets_are_invariant_under_the_subgroup() {
        for (name, text) in [("5^3", "central"), ("6^3", "2,3,1"), ("4x4x3", "2,-1,3"), ("bishop:4^2", "2,1")]
        {
            let board = board(name);
            let subgroup = Subgroup::parse(text, &board).expect(text);
            let control = Control::new();
            let settings = Settings { symmetry: Some(&subgroup), ..settings(&control) };
            let squares = search(&board, &settings, &|_| ()).expect("a search").best.expect("a set").squares;
            assert_independent(&board, &squares);
            for &square in &squares {
                assert!(subgroup.orbit(&board, square).iter().all(|image| squares.contains(image)), "{name}");
            }
        }
    }

    #[test]
    fn rejects_given_squares_that_are_not_invariant() {
        let board = board("4^3");
        let subgroup = Subgroup::parse("central", &board).expect("a box");
        let control = Control::new();
        let all = Settings { symmetry: Some(&subgroup), ..settings(&control) };
        for settings in [Settings { include: &[1], ..all }, Settings { start: Some(&[1]), ..all }] {
            assert!(matches!(search(&board, &settings, &|_| ()), Err(SearchError::NotInvariant(..))));
        }
    }

    proptest! {
        #[test]
        fn sets_are_independent_with_included_squares(
            kind in 0usize..9, at: u32, seed: u32, has_start: bool,
        ) {
            let name = ["4^3", "3x4x5", "torus:5^2", "rook:3^3", "bishop:4^2", "torus:2^3", "9^1", "1^4", "rook:torus:3^3"][kind];
            let board = board(name);
            let include = [at % board.size() as u32];
            let quickly = quick(&board, &include, seed.into(), 20_000, usize::MAX).expect("a small board");
            prop_assert!(quickly.contains(&include[0]));
            assert_independent(&board, &quickly);
            let control = Control::new();
            let settings = Settings {
                include: &include,
                start: has_start.then_some(&quickly),
                seed: seed.into(),
                rounds: 3,
                ..settings(&control)
            };
            let least = if has_start { quickly.len() } else { include.len() };
            let largest = Mutex::new(least);
            let result = search(&board, &settings, &|found| {
                let mut largest = largest.lock();
                assert!(found.squares.len() > *largest);
                *largest = found.squares.len();
                assert!(found.squares.contains(&include[0]));
                assert_independent(&board, &found.squares);
            }).expect("a search");
            prop_assert_eq!(result.best.map_or(least, |found| found.squares.len()), *largest.lock());
        }
    }
}
