//! Searches of parts of a tree that share a node limit and run as if one after the other.

use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use ndqueens_system::cancel::Control;
use rayon::prelude::*;

use crate::search::budget::{Budget, IndexedSlot, SharedBudget};
use crate::search::tree_search::{End, Run};

/// Searches parts on all threads. Returns their joint result up to the first part that was not refuted, and
/// the further results of the parts up to there. Neither depends on the number of threads.
///
/// # Errors
/// Returns the error of a part that fails.
pub(crate) fn run_in_turns<P: Sync, T: Send>(
    parts: &[P],
    budget: &Budget<'_>,
    control: &Control,
    run: impl Fn(usize, &P, &Budget<'_>) -> io::Result<(Run, T)> + Sync,
) -> io::Result<(Run, Vec<T>)> {
    let turns = SharedBudget::new(budget, parts.len());
    // Each thread takes the next part, so that few parts are searched in vain.
    let next = AtomicUsize::new(0);
    let take = |_| {
        let number = next.fetch_add(1, Relaxed);
        if !turns.is_open(number) {
            return Ok(None);
        }
        let turn = IndexedSlot(&turns, number);
        let ran = run(number, &parts[number], &Budget::for_slot(&turn));
        match &ran {
            Ok((run, _)) if run.end.is_ok() => {}
            Ok(_) => turns.close_from(number + 1),
            Err(_) => turns.close_from(0),
        }
        ran.map(|(run, result)| Some((number, run, result)))
    };
    let ran = (0..parts.len()).into_par_iter().with_max_len(1).map(take).collect::<io::Result<Vec<_>>>()?;
    let mut ran: Vec<_> = ran.into_iter().flatten().collect();
    ran.sort_unstable_by_key(|(number, ..)| *number);
    let mut whole = Run { end: Ok(()), nodes: 0, done: 0.0, parts: Vec::new() };
    let mut each = Vec::new();
    for (_, run, result) in ran {
        if whole.end.is_err() {
            control.uncount_progress(run.done);
            continue;
        }
        each.push(result);
        let nodes = whole.nodes + run.nodes;
        whole.end = if turns.is_exceeded_by(nodes) { Err(End::Stopped) } else { run.end };
        if whole.end == Err(End::Stopped) && !control.is_stopped() {
            // The progress depends on the moment at which it was stopped.
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
    fn turns_give_the_sequential_result() {
        let found = || Err(End::Found(vec![7]));
        // Nodes of parts, and the part that finds a solution.
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
    fn nested_turns_share_one_limit() {
        let (budget, control) = (Budget::new(5), Control::default());
        let inner = |_: usize, _: &(), budget: &Budget<'_>| {
            let left = budget.remaining();
            let end = if budget.spend(2) { Ok(()) } else { Err(End::Stopped) };
            Ok((Run { end, ..done(2) }, left))
        };
        let outer = |_: usize, (): &(), budget: &Budget<'_>| run_in_turns(&[(), ()], budget, &control, inner);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let ran = pool.install(|| run_in_turns(&[(), ()], &budget, &control, outer)).expect("no fault");
        assert_eq!((ran.0.end, ran.1), (Err(End::Stopped), vec![vec![5, 3], vec![1]]));
    }

    #[test]
    fn failed_part_stops_the_others() {
        let (budget, control) = (Budget::new(100), Control::default());
        let full = |number: usize, _: &(), budget: &Budget<'_>| match number {
            7 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok((Run { end: if budget.spend(1) { Ok(()) } else { Err(End::Stopped) }, ..done(1) }, ())),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let fault =
            pool.install(|| run_in_turns(&[(); 10], &budget, &control, full)).expect_err("a full disk");
        assert_eq!((fault.kind(), budget.remaining()), (io::ErrorKind::StorageFull, 93));
    }
}
