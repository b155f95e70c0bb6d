//! Parts of a tree, searched on all threads, and their trees put together.

use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::sync::Mutex;

use rayon::prelude::*;
use tempfile::SpooledTempFile;

use super::instance::Subproblem;
use super::proof::{self, HELD_IN_MEMORY};
use super::search::{Budget, End, Run};

/// The runs of several parts, and what else they gave.
type Runs<T> = (Vec<Run>, Vec<T>);

/// Searches parts on all threads. Where one ends before its tree is done, or fails, the others need not go on.
pub(super) fn run_parts<T: Send>(
    parts: &[Subproblem],
    budget: &Budget,
    run: impl Fn(usize, &Subproblem) -> io::Result<(Run, T)> + Sync,
) -> io::Result<Runs<T>> {
    let run = |(number, part)| {
        let run = run(number, part);
        if !matches!(&run, Ok((run, _)) if run.end.is_ok()) {
            budget.exhaust();
        }
        run
    };
    let runs = parts.par_iter().enumerate().with_max_len(1).map(run).collect::<io::Result<Vec<_>>>()?;
    Ok(runs.into_iter().unzip())
}

/// What several searches together come to: queens found, if any of them found them.
pub(super) fn worst(runs: &[Run]) -> Result<(), End> {
    let found = |run: &&Run| matches!(run.end, Err(End::Found(_)));
    let worst = runs.iter().find(found).or_else(|| runs.iter().find(|run| run.end.is_err()));
    worst.map_or(Ok(()), |run| run.end.clone())
}

/// Trees of parts in one file, in the order in which they were finished.
pub(super) struct PartTrees(Mutex<(SpooledTempFile, Vec<Place>)>);

/// Number, first byte and length of a tree.
type Place = (usize, u64, u64);

impl Default for PartTrees {
    fn default() -> Self {
        Self(Mutex::new((SpooledTempFile::new(HELD_IN_MEMORY), Vec::new())))
    }
}

impl PartTrees {
    /// Takes the tree of a part.
    pub(super) fn add(&self, number: usize, mut tree: SpooledTempFile) -> io::Result<()> {
        let (file, places) = &mut *self.0.lock().expect("no thread panics over it");
        let begin = file.stream_position()?;
        tree.rewind()?;
        let length = io::copy(&mut tree, file)?;
        places.push((number, begin, length));
        Ok(())
    }

    /// The whole tree, with what stands above its nodes.
    pub(super) fn join(self, head: &[u8], top: &[u8]) -> io::Result<SpooledTempFile> {
        let (mut file, mut places) = self.0.into_inner().expect("no thread panics over it");
        places.sort_unstable();
        let mut whole = BufWriter::new(SpooledTempFile::new(HELD_IN_MEMORY));
        whole.write_all(head)?;
        proof::join_seamlessly(top, &mut whole, &mut |number, whole| {
            let (_, begin, length) = places[number];
            file.seek(SeekFrom::Start(begin))?;
            io::copy(&mut io::Read::take(&mut file, length), whole).map(drop)
        })?;
        whole.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

#[cfg(test)]
mod tests {
    use fixedbitset::FixedBitSet;

    use super::*;

    #[test]
    fn a_part_that_fails_leaves_nothing_to_the_others() {
        let part = Subproblem {
            placed: vec![],
            free: FixedBitSet::new(),
            elements: vec![],
            orbits: vec![],
            weight: 0.1,
            left_over: vec![],
        };
        let done = || Run { end: Ok(()), nodes: 1, done: 0.1, parts: vec![] };
        let parts = vec![part; 10];
        let budget = Budget::new(100);
        let (runs, numbers) = run_parts(&parts, &budget, |number, _| Ok((done(), number))).expect("no fault");
        assert_eq!((runs.len(), budget.left()), (10, 100));
        assert_eq!(numbers, (0..10).collect::<Vec<_>>());
        let full = |number, _: &_| match number {
            7 => Err(io::ErrorKind::StorageFull.into()),
            _ => Ok((done(), ())),
        };
        let fault = run_parts(&parts, &budget, full).expect_err("a full disk");
        assert_eq!((fault.kind(), budget.left()), (io::ErrorKind::StorageFull, 0));
    }
}
