//! Parts of a tree, searched in turn.

use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_control::Control;
use rayon::prelude::*;

use crate::search::budget::{Budget, NumberedTurn, Turns};
use crate::search::tree_search::{End, Run};

/// Searches parts in turn, on all threads: what came of them together, up to the first one that ended before its tree was done;
/// and what else each of them gave, if there was none. Neither depends on the number of threads.
///
/// # Errors
/// When one of them fails.
pub(crate) fn run_in_turns<P: Sync, T: Send>(
    parts: &[P],
    budget: &Budget<'_>,
    control: &Control,
    run: impl Fn(usize, &P, &Budget<'_>) -> io::Result<(Run, T)> + Sync,
) -> io::Result<(Run, Vec<T>)> {
    let turns = Turns::new(budget, parts.len());
    // Each thread takes the next part, so that few run that need not.
    let next = AtomicUsize::new(0);
    let take = |_| {
        let number = next.fetch_add(1, Relaxed);
        if !turns.is_open(number) {
            return Ok(None);
        }
        let turn = NumberedTurn(&turns, number);
        let ran = run(number, &parts[number], &Budget::of_turn(&turn));
        match &ran {
            Ok((run, _)) if run.end.is_ok() => {}
            Ok(_) => turns.close(number + 1),
            Err(_) => turns.close(0),
        }
        ran.map(|(run, told)| Some((number, run, told)))
    };
    let ran = (0..parts.len()).into_par_iter().with_max_len(1).map(take).collect::<io::Result<Vec<_>>>()?;
    let mut ran: Vec<_> = ran.into_iter().flatten().collect();
    ran.sort_unstable_by_key(|(number, ..)| *number);
    let mut whole = Run { end: Ok(()), nodes: 0, done: 0.0, parts: Vec::new() };
    let mut each = Vec::new();
    for (_, run, told) in ran {
        if whole.end.is_err() {
            control.uncount_progress(run.done);
            continue;
        }
        each.push(told);
        let nodes = whole.nodes + run.nodes;
        whole.end = if turns.exceed(nodes) { Err(End::Stopped) } else { run.end };
        if whole.end == Err(End::Stopped) && !control.is_stopped() {
            // How far it came depends on when it was stopped.
            control.uncount_progress(run.done);
        } else {
            (whole.nodes, whole.done) = (nodes, whole.done + run.done);
        }
    }
    Ok((whole, each))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(nodes: u64) -> Run {
        Run { end: Ok(()), nodes, done: 0.1, parts: vec![] }
    }

    #[test]
    fn what_comes_of_turns_is_what_would_one_after_the_other() {
        let found = || Err(End::Found(vec![7]));
        // Nodes of parts, and the part that finds queens.
        let cases: [(&[u64], usize); 4] = [
            (&[10, 20, 30], 9),
            (&[10, 20, 30], 1),
            (&[500, 1, 1, 1, 1, 1, 1, 1], 3),
            (&[1, 1, 1, 1, 1, 1, 1, 500], 6),
        ];
        let expected = |nodes: &[u64], finds: usize, limit: u64| {
            let spent: u64 = nodes.iter().take(finds + 1).sum();
            match spent {
                _ if spent > limit => (Err(End::Stopped), None),
                _ if finds < nodes.len() => (found(), Some(spent)),
                _ => (Ok(()), Some(spent)),
            }
        };
        let control = Control::default();
        for (nodes, finds) in cases {
            let all: u64 = nodes.iter().take(finds + 1).sum();
            for (limit, threads) in [all - 1, all, all + 1]
                .into_iter()
                .flat_map(|limit| [1, 2, 5].map(|threads| (limit, threads)))
            {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
                let budget = Budget::new(limit);
                let search = |number: usize, &nodes: &u64, budget: &Budget<'_>| {
                    for spent in 1..=nodes {
                        if !budget.spend(1) {
                            return Ok((Run { end: Err(End::Stopped), ..done(spent) }, number));
                        }
                    }
                    let end = if number == finds { found() } else { Ok(()) };
                    Ok((Run { end, ..done(nodes) }, number))
                };
                let (whole, each) =
                    pool.install(|| run_in_turns(nodes, &budget, &control, search)).expect("no fault");
                let (end, spent) = expected(nodes, finds, limit);
                assert_eq!(whole.end, end, "{nodes:?} {limit}");
                assert_eq!(spent.unwrap_or(whole.nodes), whole.nodes);
                assert!(each.iter().copied().eq(0..each.len()));
            }
        }
    }

    #[test]
    fn turns_within_a_turn_share_the_limit_of_the_whole() {
        let (budget, control) = (Budget::new(5), Control::default());
        let inner = |_: usize, _: &(), budget: &Budget<'_>| {
            let left = budget.left();
            let end = if budget.spend(2) { Ok(()) } else { Err(End::Stopped) };
            Ok((Run { end, ..done(2) }, left))
        };
        let outer = |_: usize, (): &(), budget: &Budget<'_>| run_in_turns(&[(), ()], budget, &control, inner);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let ran = pool.install(|| run_in_turns(&[(), ()], &budget, &control, outer)).expect("no fault");
        assert_eq!((ran.0.end, ran.1), (Err(End::Stopped), vec![vec![5, 3], vec![1]]));
    }

    #[test]
    fn where_a_part_fails_the_others_need_not_go_on() {
        let (budget, control) = (Budget::new(100), Control::default());
        let full = |number: usize, _: &(), budget: &Budget<'_>| match number {
            7 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok((Run { end: if budget.spend(1) { Ok(()) } else { Err(End::Stopped) }, ..done(1) }, ())),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let fault =
            pool.install(|| run_in_turns(&[(); 10], &budget, &control, full)).expect_err("a full disk");
        assert_eq!((fault.kind(), budget.left()), (io::ErrorKind::StorageFull, 93));
    }
}
