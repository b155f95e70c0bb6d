//! Compares every combination of kind of board, shipped formulation and goal with brute force over all sets
//! of squares. Formulations that do not apply must be rejected with a message that names the reason.
//!
//! The brute force uses only the squares and attacks of the definition in crosscheck.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use ndqueens_crosscheck::boards::definition;
use ndqueens_crosscheck::verify;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::{ArchivedBounds, Bounds};
use ndqueens_model::formulation::{Formulation, builtin_names};
use ndqueens_model::model::ModelError;
use ndqueens_model::variant::{Goal, Variant};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::name::{BoardName, Piece};
use ndqueens_solver::backends::choice;
use ndqueens_solver::backends::{Backend, Options, Outcome};
use ndqueens_workflow::run::{PriorResults, WorkflowError};
use ndqueens_workflow::solve::{SolveRequest, solve};
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

const MOST_SQUARES: u32 = 12;

/// All solutions of each problem as bit sets, found by brute force.
struct BruteForce {
    independent: Vec<u32>,
    dominating: Vec<u32>,
    both: Vec<u32>,
    no_three_in_line: Vec<u32>,
}

/// Returns `true` if three squares are on a straight line, that is, if two differences are proportional.
fn in_line([a, b, c]: [&[u32]; 3]) -> bool {
    let from_a =
        |x: &[u32]| -> Vec<i64> { a.iter().zip(x).map(|(&a, &x)| i64::from(x) - i64::from(a)).collect() };
    let (b, c) = (from_a(b), from_a(c));
    let axes = 0..a.len();
    axes.clone().all(|i| axes.clone().all(|j| b[i] * c[j] == b[j] * c[i]))
}

impl BruteForce {
    fn new(name: &BoardName) -> Self {
        let definition = definition(name);
        let squares: Vec<Vec<u32>> = definition.squares().collect();
        let attacked: Vec<u32> = squares
            .iter()
            .map(|a| {
                (0..)
                    .zip(&squares)
                    .filter(|(_, b)| definition.attacks(a, b))
                    .fold(0, |set, (j, _)| set | 1 << j)
            })
            .collect();
        let each = |set: u32, holds: &dyn Fn(usize) -> bool| {
            (0..squares.len()).all(|i| set >> i & 1 == 0 || holds(i))
        };
        let independent = |set: &u32| each(*set, &|i| attacked[i] & set == 0);
        let dominating = |set: &u32| each(!set, &|i| attacked[i] & set != 0);
        let of = |set: u32| (0..squares.len()).filter(move |i| set >> i & 1 == 1);
        let no_three = |set: &u32| {
            of(*set).all(|i| {
                of(*set & ((1 << i) - 1)).all(|j| {
                    of(*set & ((1 << j) - 1)).all(|k| !in_line([i, j, k].map(|at| squares[at].as_slice())))
                })
            })
        };
        let all = || 0..1u32 << squares.len();
        Self {
            independent: all().filter(independent).collect(),
            dominating: all().filter(dominating).collect(),
            both: all().filter(independent).filter(dominating).collect(),
            no_three_in_line: all().filter(no_three).collect(),
        }
    }

    /// Returns the sizes of the solutions that contain the squares `include`, in increasing order.
    fn sizes(&self, problem: Problem, include: &[Square]) -> Vec<u64> {
        let sets = match problem {
            Problem::IndependentSet => &self.independent,
            Problem::DominatingSet => &self.dominating,
            Problem::IndependentDominatingSet => &self.both,
            Problem::NoThreeInLine => &self.no_three_in_line,
        };
        let included = include.iter().fold(0, |set, &square| set | 1 << square);
        let mut sizes: Vec<u64> = sets
            .iter()
            .filter(|&set| set & included == included)
            .map(|set| u64::from(set.count_ones()))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

fn read(text: &str) -> BoardName {
    BoardName::parse_with("file:board", &|_| Ok(text.to_owned()))
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn random_sides(random: &mut ChaCha8Rng, equal: bool) -> Vec<u32> {
    loop {
        let dimension = random.random_range(1..=3);
        let mut sides: Vec<u32> = (0..dimension).map(|_| random.random_range(1..=4)).collect();
        if equal {
            sides = vec![sides[0]; dimension];
        }
        if (2..=MOST_SQUARES).contains(&sides.iter().product()) {
            return sides;
        }
    }
}

fn random_drawing(random: &mut ChaCha8Rng, piece: Piece, vision: &str) -> BoardName {
    let sides = random_sides(random, false);
    let cells = sides.iter().product::<u32>() as usize;
    let mut signs: Vec<u8> = (0..cells).map(|_| if random.random_bool(0.75) { b'#' } else { b'.' }).collect();
    signs[random.random_range(0..cells)] = b'#';
    let rows: Vec<String> = signs
        .chunks(*sides.last().expect("a side") as usize)
        .map(|row| String::from_utf8(row.to_vec()).expect("signs"))
        .collect();
    let sides =
        if sides.len() == 1 { format!("{}^1", sides[0]) } else { format!("{}", BoardName::queen(&sides)) };
    let (piece, rows) = (piece.word(), rows.join("\n"));
    read(&format!("ndqueens board 1\nsides: {sides}\npiece: {piece}\nvision: {vision}\n{rows}\n"))
}

fn random_graph(random: &mut ChaCha8Rng) -> BoardName {
    let vertices = random.random_range(2..=MOST_SQUARES);
    let density = random.random_range(0.1..0.8);
    let mut text = format!("n {vertices}\n");
    for (a, b) in (0..vertices).flat_map(|b| (0..b).map(move |a| (a, b))) {
        if random.random_bool(density) {
            text += &format!("{a} {b}\n");
        }
    }
    read(&text)
}

/// Returns boards of every kind, each with the name of its kind.
fn boards(random: &mut ChaCha8Rng) -> Vec<(String, BoardName)> {
    let mut boards = Vec::new();
    for piece in Piece::ALL {
        let mut add = |kind: &str, board| boards.push((format!("{} {kind}", piece.word()), board));
        for fixed in ["2^3", "3^2"] {
            add("n^d", format!("{}:{fixed}", piece.word()).parse().expect("a name"));
            add("torus", format!("{}:torus:{fixed}", piece.word()).parse().expect("a name"));
        }
        for _ in 0..2 {
            add("n^d", BoardName::grid(piece, false, &random_sides(random, true)));
            add("cuboid", BoardName::grid(piece, false, &random_sides(random, false)));
            add("torus", BoardName::grid(piece, true, &random_sides(random, true)));
            add("drawing", random_drawing(random, piece, "through"));
            add("blocked drawing", random_drawing(random, piece, "blocked"));
        }
    }
    boards.extend((0..4).map(|_| ("graph".to_owned(), random_graph(random))));
    for name in ["hex:2", "three:2", "knight:3x4", "king:2x3", "superqueen:3^2", "moebius:3x4", "klein:3^2"] {
        boards.push((name.to_owned(), name.parse().expect("a name")));
    }
    boards
}

/// Returns goals at and near the optimum, with no, one or two included squares.
fn variants(
    board: &Board,
    formulation: &Formulation,
    brute: &BruteForce,
    random: &mut ChaCha8Rng,
) -> Vec<Variant> {
    let squares: Vec<Square> = board.squares().collect();
    let one = *squares.choose(random).expect("a square");
    let two = squares.iter().copied().find(|&other| other != one && !board.attacks(one, other));
    let mut variants = Vec::new();
    for include in [Some(vec![]), Some(vec![one]), two.map(|two| vec![one, two])].into_iter().flatten() {
        let sizes = brute.sizes(formulation.problem, &include);
        let optimum = match formulation.problem {
            Problem::IndependentSet | Problem::NoThreeInLine => sizes.last(),
            _ => sizes.first(),
        };
        let optimum = optimum.copied().unwrap_or(1);
        let mut goals = vec![Goal::Optimise];
        for k in optimum.saturating_sub(1)..=optimum + 1 {
            goals.extend([Goal::AtLeast(k), Goal::AtMost(k), Goal::Exactly(k)]);
        }
        variants
            .extend(goals.into_iter().map(|goal| Variant { include: include.clone(), ..Variant::of(goal) }));
    }
    variants
}

/// Returns the sizes in `sizes` that a solution may have: only the best one if the goal is an optimum.
fn expected(sizes: &[u64], goal: Goal, problem: Problem) -> Vec<u64> {
    let wanted = |size: &&u64| match goal {
        Goal::Optimise => true,
        Goal::AtLeast(k) => **size >= k,
        Goal::AtMost(k) => **size <= k,
        Goal::Exactly(k) => **size == k,
    };
    let fitting: Vec<u64> = sizes.iter().filter(wanted).copied().collect();
    match (goal, problem) {
        (Goal::Optimise, Problem::IndependentSet | Problem::NoThreeInLine) => {
            fitting.last().copied().into_iter().collect()
        }
        (Goal::Optimise, _) => fitting.first().copied().into_iter().collect(),
        _ => fitting,
    }
}

/// Checks that an error is a sentence that names the cause, and that brute force confirms it where possible.
fn check_refusal(
    error: &WorkflowError,
    formulation: &Formulation,
    variant: &Variant,
    sizes: &[u64],
    what: &str,
) {
    let WorkflowError::Model(refusal) = error else { panic!("{what}: {error}") };
    let said = error.to_string();
    assert!(said.split(' ').count() >= 8 && !said.ends_with('.'), "{what}: {said}");
    match refusal {
        ModelError::Invalid { family, .. } => {
            assert!(
                said.contains(&format!(
                    "the family \"{family}\" of formulation {} is not valid on ",
                    formulation.name
                )),
                "{said}"
            );
            assert!(formulation.families().any(|known| known.name() == *family), "{what}: {said}");
        }
        ModelError::Unsuited { .. } => {
            assert!(said.starts_with(&format!("formulation {} on ", formulation.name)), "{what}: {said}");
        }
        ModelError::AboveTrivialBound { asked, bound, .. } => {
            assert!(
                asked.split(' ').next().is_some_and(|k| sizes
                    .iter()
                    .all(|size| *size < k.parse().expect(&said) && size <= bound)),
                "{what}: {said}"
            );
        }
        ModelError::Undefined { .. } | ModelError::IncludedAttack(..) | ModelError::TooLarge { .. } => {
            panic!("{what}, {variant:?}: {said}")
        }
    }
}

fn check(
    board: &Board,
    formulation: &Formulation,
    variant: &Variant,
    brute: &BruteForce,
    backend: &dyn Backend,
) -> bool {
    let what = format!("{} {} {variant:?} {}", text(board.name()), formulation.name, backend.solver());
    let sizes = brute.sizes(formulation.problem, &variant.include);
    let request = SolveRequest {
        board,
        formulation,
        variant: variant.clone(),
        weights: None,
        start: None,
        options: Options::default(),
        memory: 1 << 30,
        prior: &PriorResults::none(),
    };
    let solved =
        solve(&request, &Bounds::with_publications(&ArchivedBounds::builtin()), backend, &mut |_| {
            ControlFlow::Continue(())
        });
    let solved = match solved {
        Ok(solved) => solved,
        Err(error) => {
            check_refusal(&error, formulation, variant, &sizes, &what);
            return false;
        }
    };
    let goal = variant.clone().with_default_goal(board, formulation).expect("it was solved").goal;
    let expected = expected(&sizes, goal, formulation.problem);
    let Some(certificate) = solved.certificate else {
        assert_eq!((solved.run.outcome, expected.as_slice()), (Outcome::Infeasible, &[][..]), "{what}");
        return true;
    };
    assert!(
        expected.contains(&(certificate.size() as u64)),
        "{what}: {} of {expected:?}",
        certificate.size()
    );
    if goal == Goal::Optimise {
        assert!(matches!(solved.run.outcome, Outcome::Optimal { .. }), "{what}: {:?}", solved.run.outcome);
    }
    let include: Vec<Vec<u32>> = variant.include.iter().map(|&square| board.coordinates(square)).collect();
    assert_eq!(verify::verify(&certificate).expect(&what).problem(), formulation.problem, "{what}");
    verify::verify_includes(&certificate, &include).expect(&what);
    true
}

fn text(name: &BoardName) -> String {
    match name {
        BoardName::File(file) => file.text().to_owned(),
        _ => name.to_string(),
    }
}

#[test]
fn combinations_agree_with_brute_force_or_are_rejected() {
    let boards = boards(&mut ChaCha8Rng::seed_from_u64(1850));
    // Numbers of solved and of rejected programs for every kind of board and every formulation.
    let counts: Mutex<BTreeMap<(String, &str), [u32; 2]>> = Mutex::default();
    boards.into_par_iter().enumerate().for_each(|(at, (kind, name))| {
        let mut random = ChaCha8Rng::seed_from_u64(1851 + at as u64);
        let backends = ["highs", "microlp"].map(|name| choice::backend(name).expect("built in"));
        let (board, brute) = (Board::new(&name), BruteForce::new(&name));
        for formulation_name in builtin_names() {
            let formulation = Formulation::builtin(formulation_name).expect("shipped");
            let mut count = [0; 2];
            for variant in variants(&board, &formulation, &brute, &mut random) {
                let solved = backends
                    .each_ref()
                    .map(|backend| check(&board, &formulation, &variant, &brute, &**backend));
                assert_eq!(solved[0], solved[1], "{} {formulation_name} {variant:?}", text(&name));
                count[usize::from(!solved[0])] += 1;
            }
            let mut counts = counts.lock().expect("no thread panics");
            let all = counts.entry((kind.clone(), formulation_name)).or_default();
            *all = [all[0] + count[0], all[1] + count[1]];
        }
    });
    let counts = counts.into_inner().expect("no thread panics");
    assert_eq!(counts.len(), (3 * 5 + 8) * builtin_names().len());
    for ((kind, formulation), [solved, refused]) in &counts {
        let boxed = [" n^d", " cuboid", " torus"].iter().any(|of| kind.ends_with(of));
        let valid = match *formulation {
            "cube"
            | "star"
            | "cube-star"
            | "all"
            | "strong"
            | "strong-clique"
            | "volume"
            | "class"
            | "cube-faces"
            | "strong-faces"
            | "strong-clique-faces" => boxed && kind.starts_with("queen"),
            "dilated" | "cuboid" => boxed,
            "no-three-in-line" => boxed && !kind.ends_with(" torus"),
            // The existence of full solutions depends on the sides.
            "full" => continue,
            "modular" => kind.contains("torus") && !kind.starts_with("bishop"),
            _ => true,
        };
        assert_eq!(*solved > 0, valid, "{formulation} on {kind}: {solved} solved, {refused} refused");
    }
    let total = |which: usize| counts.values().map(|count| count[which]).sum::<u32>();
    let (solved, refused) = (total(0), total(1));
    assert!(solved > 4000 && refused > 4000, "{solved} solved, {refused} refused");
}
