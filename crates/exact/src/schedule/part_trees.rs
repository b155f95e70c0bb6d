//! Trees of the parts of a search, joined to one tree.

use std::io::{self, BufRead, BufWriter, Seek as _, SeekFrom, Write as _};

use parking_lot::Mutex;
use tempfile::SpooledTempFile;

use crate::proof::{self, MAX_BYTES_IN_MEMORY};

/// Trees of parts in one file, in the order in which they were finished.
pub(crate) struct PartTrees(Mutex<(SpooledTempFile, Vec<Place>)>);

/// Number, first byte and length of a tree.
type Place = (usize, u64, u64);

impl Default for PartTrees {
    fn default() -> Self {
        Self(Mutex::new((SpooledTempFile::new(MAX_BYTES_IN_MEMORY), Vec::new())))
    }
}

impl PartTrees {
    /// Adds the tree of a part.
    pub(crate) fn add(&self, number: usize, mut tree: SpooledTempFile) -> io::Result<()> {
        let (file, places) = &mut *self.0.lock();
        let begin = file.stream_position()?;
        tree.rewind()?;
        let length = io::copy(&mut tree, file)?;
        places.push((number, begin, length));
        Ok(())
    }

    /// Joins the trees. `head` has the lines above the nodes, and `top` the nodes above the parts.
    pub(crate) fn join(self, head: &[u8], top: impl BufRead) -> io::Result<SpooledTempFile> {
        let (mut file, mut places) = self.0.into_inner();
        places.sort_unstable();
        let mut whole = BufWriter::new(SpooledTempFile::new(MAX_BYTES_IN_MEMORY));
        whole.write_all(head)?;
        proof::join_seamlessly(top, &mut whole, &mut |number, whole| {
            let (_, begin, length) = places[number];
            file.seek(SeekFrom::Start(begin))?;
            io::copy(&mut io::Read::take(&mut file, length), whole).map(drop)
        })?;
        whole.into_inner().map_err(io::IntoInnerError::into_error)
    }
}
