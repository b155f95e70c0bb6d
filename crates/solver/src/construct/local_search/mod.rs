//! Local search for large independent sets, and for small dominating ones.
//!
//! A *round* is one tabu walk, from a beginning that the round's number and the seed decide alone: so rounds can run on
//! any number of threads, and a stopped search resumes with the number of its next round. A round may walk on
//! the orbits of a subgroup of the board's symmetries, that is among the sets that the subgroup keeps.
//!
//! # References
//! Q. Wu, J.-K. Hao, F. Glover, *Multi-neighborhood tabu search for the maximum weight clique problem*, Annals of
//! Operations Research 196 (2012); M. Luby, A. Sinclair, D. Zuckerman, *Optimal speedup of Las Vegas algorithms*,
//! Information Processing Letters 47 (1993).

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
pub use self::faces::MOST_AXES;
use self::faces::{Anneal, Annealing, LabelledCube};
use self::linear_starts::linear_starts;
use self::orbit_graph::OrbitGraph;
pub(crate) use self::orbit_graph::fits;
pub use self::subgroup::{NoSubgroup, Subgroup};
use self::symmetric_faces::{CubeOrbits, SymmetricAnnealing};
use self::tabu::Walk;
use ndqueens_system::cancel::Control;

/// Moves without a better set after which a round ends, times the round's term of Luby's sequence.
const PATIENCE: u64 = 5000;

/// Moves between two looks at whether to stop.
const MOVES_AT_A_TIME: u64 = 1000;

/// Kind of local search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Technique {
    /// Tabu walks, on every board.
    #[default]
    Tabu,
    /// Simulated annealing of disjoint faces of a cube, on boxes with sides of at most 3.
    Faces,
}

/// What a search is to do.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The kind of search.
    pub technique: Technique,
    /// Squares that every set must contain; free of attacks.
    pub include: &'a [Square],
    /// An independent set with the squares of `include`; half of the rounds begin with a part of it, and what is found is
    /// larger.
    pub start: Option<&'a [Square]>,
    /// What is found has more squares than this, too.
    pub beat: usize,
    /// The subgroup that is to keep the set; it must keep `include` and `start`. When absent, half of the rounds take any of
    /// [`Subgroup::cyclic`], if nothing is included; the search among faces takes a cycle of all axes except one in even rounds on
    /// `3^d` with d ≥ 10.
    pub symmetry: Option<&'a Subgroup>,
    /// Decides, with a round's number, all that is random.
    pub seed: u64,
    /// The number of the first round.
    pub from_round: u64,
    /// How many rounds are made, if the control does not stop them before.
    pub rounds: u64,
    /// A set of this many squares, those included among them, ends the search.
    pub target: u64,
    /// Threads that make rounds at a time.
    pub threads: usize,
    /// For stopping and watching; its nodes are moves.
    pub control: &'a Control,
}

/// A set that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The squares, in increasing order.
    pub squares: Vec<Square>,
    /// The number of the round.
    pub round: u64,
    /// The subgroup that keeps it, as it prints.
    pub symmetry: String,
    /// What the round began with.
    pub beginning: Beginning,
}

/// What a round begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginning {
    /// The empty set.
    Empty,
    /// A set that is nearly linear.
    Linear,
    /// A part of the set that was given.
    Given,
}

impl fmt::Display for Beginning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the empty set",
            Self::Linear => "a nearly linear set",
            Self::Given => "a part of the given set",
        })
    }
}

/// Why a search cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The search among faces of a cube is for other boards.
    #[error(
        "the search among faces of a cube is for queens on boxes with sides of at most 3, at most {most} of them longer than 1, not for {0}",
        most = faces::MOST_AXES
    )]
    NoFaces(String),
    /// The search among faces starts from nothing.
    #[error("the search among faces of a cube takes no squares to be included and no start")]
    FacesFromNothing,
    /// The search among faces knows symmetries on cubes alone.
    #[error("the search among faces of a cube takes a symmetry if all sides are 3, not on {0}; give none")]
    NoFaceSymmetry(String),
    /// A group is too large, or has too many orbits.
    #[error(
        "the symmetry {1} on {0} has too many elements or too many orbits of faces for this search; give a smaller group, such as one cycle of axes"
    )]
    TooManyOrbits(String, String),
    /// The board's graph does not fit.
    #[error("{0} is too large: its queen graph does not fit into memory")]
    TooLarge(String),
    /// A subgroup moves squares that are given elsewhere.
    #[error("{0} not invariant under the symmetry {1}")]
    NotKept(&'static str, String),
    /// There are no threads.
    #[error(transparent)]
    Threads(#[from] std::io::Error),
}

/// Makes rounds until there are enough, a set reaches the target, or the control is stopped. `tell` hears of each set that
/// is larger than all before, or as large as the largest and of an earlier round. Gives the largest, of the earliest round, if
/// one is larger than what was given, and the number of the first round that was not finished.
///
/// # Errors
/// When the board is too large or a subgroup does not keep what was given.
pub fn search(
    board: &Board,
    settings: &Settings<'_>,
    tell: &(dyn Fn(&Found) + Sync),
) -> Result<(Option<Found>, u64), SearchError> {
    if settings.technique == Technique::Faces {
        return search_faces(board, settings, tell);
    }
    let Settings { include, start, symmetry, seed, from_round, control, .. } = *settings;
    let beat = settings.beat.max(include.len()).max(start.map_or(0, <[Square]>::len));
    if !fits(board, 8) {
        return Err(SearchError::TooLarge(board.name().to_string()));
    }
    let subgroups = match symmetry {
        Some(only) => vec![only.clone()],
        None if include.is_empty() => Subgroup::cyclic(board),
        None => vec![Subgroup::default()],
    };
    for (given, what) in
        [(include, "the squares to be included are"), (start.unwrap_or_default(), "the starting set is")]
    {
        if !subgroups[0].keeps(board, given) {
            return Err(SearchError::NotKept(what, subgroups[0].to_string()));
        }
    }
    let Some(first) = OrbitGraph::new(board, include, &everywhere, &subgroups[0], control) else {
        return Ok((None, from_round));
    };
    let place = Place {
        board,
        settings,
        subgroups: &subgroups,
        first,
        starts: linear_starts(board, ChaCha8Rng::seed_from_u64(seed), control),
    };
    make_rounds(settings, beat, &|round, done, tell| place.round(round, done, tell), tell)
}

/// Searches a box with sides of at most 3 among the faces of a cube.
fn search_faces(
    board: &Board,
    settings: &Settings<'_>,
    tell: &(dyn Fn(&Found) + Sync),
) -> Result<(Option<Found>, u64), SearchError> {
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
    let make_round = |round: u64, done: &dyn Fn() -> bool, tell: &mut dyn FnMut(Found)| {
        let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
        random.set_stream(round);
        let random = Xoshiro256PlusPlus::from_rng(&mut random);
        // By default the symmetric rounds and the others alternate.
        let is_symmetric = settings.symmetry.is_some() || round.is_multiple_of(2);
        match orbits.as_ref().zip(group.as_ref()).filter(|_| is_symmetric) {
            Some((orbits, group)) => {
                let annealing = &mut SymmetricAnnealing::new(orbits, random);
                anneal(board, settings, (round, group), annealing, done, tell)
            }
            None => {
                let annealing = &mut Annealing::new(&cube, random);
                anneal(board, settings, (round, &trivial), annealing, done, tell)
            }
        }
    };
    make_rounds(settings, settings.beat, &make_round, tell)
}

/// Anneals until the round is over; returns `false` if it was broken off.
fn anneal(
    board: &Board,
    settings: &Settings<'_>,
    (round, symmetry): (u64, &Subgroup),
    annealing: &mut dyn Anneal,
    done: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Found),
) -> bool {
    let mut reported = 0;
    while !annealing.is_over() {
        if done() {
            return false;
        }
        annealing.advance(usize::try_from(settings.target).unwrap_or(usize::MAX));
        settings.control.count(faces::PROPOSALS_AT_A_TIME, 0.0);
        if annealing.best_size() > reported {
            reported = annealing.best_size();
            let square = |coordinates: Vec<u32>| board.square(&coordinates).expect("a square of the board");
            let mut squares: Vec<Square> = annealing.best().into_iter().map(square).collect();
            squares.sort_unstable();
            tell(Found { squares, round, symmetry: symmetry.to_string(), beginning: Beginning::Empty });
        }
    }
    true
}

/// Makes a round, whose number it is passed: returns `false` if it was broken off because the function that it is passed
/// returned `true`, and reports what it finds.
type Round<'a> = dyn Fn(u64, &dyn Fn() -> bool, &mut dyn FnMut(Found)) -> bool + Sync + 'a;

/// Makes rounds until there are enough, a set reaches the target, or the control is stopped.
fn make_rounds(
    settings: &Settings<'_>,
    beat: usize,
    make_round: &Round<'_>,
    tell: &(dyn Fn(&Found) + Sync),
) -> Result<(Option<Found>, u64), SearchError> {
    let Settings { from_round, control, target, .. } = *settings;
    let best: Mutex<Option<Found>> = Mutex::default();
    let size = |best: &Option<Found>| best.as_ref().map_or(beat, |best| best.squares.len());
    let next = AtomicU64::new(from_round);
    let unfinished = AtomicU64::new(u64::MAX);
    let last = from_round.saturating_add(settings.rounds);
    let done = || control.is_stopped() || size(&best.lock()) as u64 >= target;
    ndqueens_system::thread::with_threads(settings.threads, || {
        rayon::broadcast(|_| {
            while !done() {
                let round = next.fetch_add(1, Relaxed);
                if round >= last {
                    break;
                }
                let finished = make_round(round, &done, &mut |found| {
                    let mut best = best.lock();
                    // Of sets alike in size the one of the earliest round stays, whichever thread was first.
                    let is_earlier = best.as_ref().is_some_and(|best| {
                        found.squares.len() == best.squares.len() && found.round < best.round
                    });
                    if found.squares.len() > size(&best) || is_earlier {
                        tell(best.insert(found));
                    }
                });
                if !finished {
                    unfinished.fetch_min(round, Relaxed);
                }
            }
        });
    })?;
    let next = next.into_inner().min(last).min(unfinished.into_inner());
    Ok((best.into_inner(), next))
}

/// Where rounds take place.
struct Place<'a> {
    board: &'a Board,
    settings: &'a Settings<'a>,
    subgroups: &'a [Subgroup],
    /// The graph of the first subgroup.
    first: OrbitGraph,
    /// Nearly linear sets, largest first.
    starts: Vec<Vec<Square>>,
}

impl Place<'_> {
    /// Makes one round; false when it was broken off.
    fn round(&self, round: u64, done: &dyn Fn() -> bool, tell: &mut dyn FnMut(Found)) -> bool {
        let Settings { include, seed, control, .. } = *self.settings;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        // Stream 0 makes the starts.
        random.set_stream(round + 1);
        let others = self.subgroups.get(1..).filter(|others| !others.is_empty() && random.random_bool(0.5));
        let subgroup = others.and_then(|others| others.choose(&mut random)).unwrap_or(&self.subgroups[0]);
        let own = if others.is_some() {
            let Some(own) = OrbitGraph::new(self.board, include, &everywhere, subgroup, control) else {
                return false;
            };
            Some(own)
        } else {
            None
        };
        let graph = own.as_ref().unwrap_or(&self.first);
        let (beginning, squares) = self.begin(&mut random);
        let mut walk = Walk::new(graph, &graph.within(&squares), Xoshiro256PlusPlus::from_rng(&mut random));
        let mut said = 0;
        let mut patience = PATIENCE * luby(round + 1);
        loop {
            if walk.best_weight() > said {
                said = walk.best_weight();
                let mut squares: Vec<Square> =
                    walk.best().iter().flat_map(|&v| graph.squares_of(v)).chain(include).copied().collect();
                squares.sort_unstable();
                tell(Found { squares, round, symmetry: subgroup.to_string(), beginning });
            }
            if done() {
                return false;
            }
            if patience == 0 || graph.is_empty() {
                return true;
            }
            let moves = MOVES_AT_A_TIME.min(patience);
            patience -= moves;
            for _ in 0..moves {
                if walk.step() {
                    patience = PATIENCE * luby(round + 1);
                }
            }
            control.count(moves, 0.0);
        }
    }

    /// The independent set that a round begins with.
    fn begin(&self, random: &mut ChaCha8Rng) -> (Beginning, Vec<Square>) {
        if let Some(start) = self.settings.start
            && random.random_bool(0.5)
        {
            return (Beginning::Given, self.without_a_part(start, random));
        }
        if self.starts.is_empty() || random.random_bool(0.25) {
            return (Beginning::Empty, Vec::new());
        }
        let x: f64 = random.random();
        let chosen = (x.powi(3) * self.starts.len() as f64) as usize;
        (Beginning::Linear, self.starts[chosen].clone())
    }

    /// A set without its squares in a random box, or, on boards that are not boxes, without random ones.
    fn without_a_part(&self, set: &[Square], random: &mut ChaCha8Rng) -> Vec<Square> {
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
        let part: Vec<_> = grid.sides().iter().map(interval).collect();
        set.retain(|&square| {
            !self.board.coordinates(square).iter().zip(&part).all(|(x, interval)| interval.contains(x))
        });
        set
    }
}

/// The i-th term of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ..., i counted from 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i.count_ones() == bits {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

/// An independent set of the board that contains `include`, in increasing order; the same one for the same arguments.
/// `None` when the board is too large.
///
/// Walks from the empty set, again and again, with the trivial subgroup, until about `work` neighbours and candidates were
/// looked at or `target` squares are found.
///
/// `include` must be free of attacks.
#[must_use]
pub fn quick(board: &Board, include: &[Square], seed: u64, work: u64, target: usize) -> Option<Vec<Square>> {
    quick_among(board, include, &everywhere, seed, work, target)
}

const fn everywhere(_: Square) -> bool {
    true
}

/// The same, but takes squares of `among` only, besides those included.
pub(crate) fn quick_among(
    board: &Board,
    include: &[Square],
    among: &dyn Fn(Square) -> bool,
    seed: u64,
    work: u64,
    target: usize,
) -> Option<Vec<Square>> {
    if !fits(board, 1) {
        return None;
    }
    let graph =
        OrbitGraph::new(board, include, among, &Subgroup::default(), &Control::new()).expect("not stopped");
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
        // The first set is finished whatever it costs.
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
    fn small_boards_are_solved_to_the_optimum() {
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
    fn the_same_seed_gives_the_same_set() {
        let board = board("5^3");
        let once = || quick(&board, &[3], 7, 100_000, usize::MAX);
        assert_eq!(once(), once());
    }

    #[test]
    fn a_board_too_large_is_declined() {
        assert_eq!(quick(&board("60^4"), &[], 1, 0, 1), None);
        assert_eq!(quick(&board("2^20"), &[], 1, 0, 1), None);
        let control = Control::new();
        assert!(matches!(
            search(&board("2^20"), &settings(&control), &|_| ()),
            Err(SearchError::TooLarge(_))
        ));
    }

    #[test]
    fn luby_s_sequence_begins_as_published() {
        let terms: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn rounds_are_the_same_on_any_number_of_threads_and_after_a_pause() {
        let board = board("6^3");
        let control = Control::new();
        let all = settings(&control);
        let (once, next) = search(&board, &all, &|_| ()).expect("a search");
        assert_eq!(next, 20);
        let once = once.expect("a set");
        let found = |asked: &Settings<'_>| search(&board, asked, &|_| ()).expect("a search").0;
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
            let asked = Settings { technique: Technique::Faces, target: size, ..settings(&control) };
            let found = search(&board, &asked, &|_| ()).expect("a search").0.expect("a set");
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
            let asked = Settings {
                technique: Technique::Faces,
                rounds: 1,
                target: size as u64,
                ..settings(&control)
            };
            let found = search(&board, &asked, &|_| ()).expect("a search").0.expect("a set");
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
        let found =
            |asked: &Settings<'_>| search(&board, asked, &|_| ()).expect("a search").0.expect("a set");
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
            let found =
                |asked: &Settings<'_>| search(&board, asked, &|_| ()).expect("a search").0.expect("a set");
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
        let asked = Settings { technique: Technique::Faces, rounds: 1, target: 158, ..settings(&control) };
        let found = search(&board, &asked, &|_| ()).expect("a search").0.expect("a set");
        assert_eq!((found.squares.len(), &*found.symmetry), (158, "2,3,4,5,6,7,8,9,1,10"));
        assert_independent(&board, &found.squares);
        let none = Subgroup::default();
        for plain in [
            Settings { from_round: 1, target: 2, ..asked },
            Settings { symmetry: Some(&none), target: 2, ..asked },
        ] {
            let found = search(&board, &plain, &|_| ()).expect("a search").0.expect("a set");
            assert_eq!(found.symmetry, "none");
        }
    }

    #[test]
    fn search_among_faces_refuses_unfit_symmetries() {
        let control = Control::new();
        let with = |name: &str, group: &str| {
            let board = board(name);
            let subgroup = Subgroup::parse(group, &board).expect(group);
            let asked =
                Settings { technique: Technique::Faces, symmetry: Some(&subgroup), ..settings(&control) };
            search(&board, &asked, &|_| ()).expect_err(group)
        };
        assert!(matches!(with("2x3x3", "1,3,2"), SearchError::NoFaceSymmetry(_)));
        let all = with("3^8", "2,1,3,4,5,6,7,8;2,3,4,5,6,7,8,1");
        assert!(matches!(all, SearchError::TooManyOrbits(..)));
    }

    #[test]
    fn search_among_faces_refuses_other_boards() {
        let control = Control::new();
        let asked = Settings { technique: Technique::Faces, ..settings(&control) };
        for name in ["4^3", "3x3x4", "3^17", "rook:3^3", "torus:3^3", "hex:3"] {
            assert!(matches!(search(&board(name), &asked, &|_| ()), Err(SearchError::NoFaces(_))), "{name}");
        }
        let included = Settings { include: &[1], ..asked };
        assert!(matches!(search(&board("3^3"), &included, &|_| ()), Err(SearchError::FacesFromNothing)));
    }

    #[test]
    fn a_set_that_a_subgroup_must_keep_is_kept() {
        for (name, text) in [("5^3", "central"), ("6^3", "2,3,1"), ("4x4x3", "2,-1,3"), ("bishop:4^2", "2,1")]
        {
            let board = board(name);
            let subgroup = Subgroup::parse(text, &board).expect(text);
            let control = Control::new();
            let asked = Settings { symmetry: Some(&subgroup), ..settings(&control) };
            let (found, _) = search(&board, &asked, &|_| ()).expect("a search");
            let squares = found.expect("a set").squares;
            assert_independent(&board, &squares);
            for &square in &squares {
                assert!(subgroup.orbit(&board, square).iter().all(|image| squares.contains(image)), "{name}");
            }
        }
    }

    #[test]
    fn given_squares_that_the_symmetry_moves_are_refused() {
        let board = board("4^3");
        let subgroup = Subgroup::parse("central", &board).expect("a box");
        let control = Control::new();
        let all = Settings { symmetry: Some(&subgroup), ..settings(&control) };
        for asked in [Settings { include: &[1], ..all }, Settings { start: Some(&[1]), ..all }] {
            assert!(matches!(search(&board, &asked, &|_| ()), Err(SearchError::NotKept(..))));
        }
    }

    proptest! {
        #[test]
        fn every_board_gets_independent_sets_with_the_squares_they_must_contain(
            kind in 0usize..9, at: u32, seed: u32, given: bool,
        ) {
            let name = ["4^3", "3x4x5", "torus:5^2", "rook:3^3", "bishop:4^2", "torus:2^3", "9^1", "1^4", "rook:torus:3^3"][kind];
            let board = board(name);
            let include = [at % board.size() as u32];
            let quickly = quick(&board, &include, seed.into(), 20_000, usize::MAX).expect("a small board");
            prop_assert!(quickly.contains(&include[0]));
            assert_independent(&board, &quickly);
            let control = Control::new();
            let asked = Settings {
                include: &include,
                start: given.then_some(&quickly),
                seed: seed.into(),
                rounds: 3,
                ..settings(&control)
            };
            let least = if given { quickly.len() } else { include.len() };
            let largest = Mutex::new(least);
            let (found, _) = search(&board, &asked, &|found| {
                let mut largest = largest.lock();
                assert!(found.squares.len() > *largest);
                *largest = found.squares.len();
                assert!(found.squares.contains(&include[0]));
                assert_independent(&board, &found.squares);
            }).expect("a search");
            prop_assert_eq!(found.map_or(least, |found| found.squares.len()), *largest.lock());
        }
    }
}
