//! Parts of a split, and pieces of parts that were cut again.

use std::fmt;
use std::io::{self, BufRead as _, Read as _};
use std::path::Path;
use std::str::FromStr;

use ndqueens_exact::Recut;
use ndqueens_system::file::{self, FileError, packed, sealed};

/// Number of a part, or for a piece of a part the numbers on the path to it, such as `17-3`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartName(Vec<usize>);

impl PartName {
    /// Returns the name of a part of the split.
    #[must_use]
    pub fn of(number: usize) -> Self {
        Self(vec![number])
    }

    /// Returns the name of a piece of this part.
    pub(super) fn piece(&self, number: usize) -> Self {
        Self([self.numbers(), &[number]].concat())
    }

    /// Returns the parts that contain this piece, the largest first.
    pub(super) fn above(&self) -> impl Iterator<Item = Self> {
        (1..self.0.len()).map(|length| Self(self.0[..length].to_vec()))
    }

    pub(super) fn numbers(&self) -> &[usize] {
        &self.0
    }

    /// Returns the number of the part of the split.
    #[must_use]
    pub fn part(&self) -> usize {
        self.0[0]
    }

    /// Returns the stem of the file names of this part, which is also the key of its claim.
    pub(super) fn stem(&self) -> String {
        format!("part-{self}")
    }

    /// Returns the part whose file has this name.
    pub(super) fn of_file(path: &Path, ending: &str) -> Option<Self> {
        path.file_name()?.to_str()?.strip_suffix(ending)?.strip_prefix("part-")?.parse().ok()
    }
}

impl fmt::Display for PartName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0[0])?;
        self.0[1..].iter().try_for_each(|number| write!(f, "-{number}"))
    }
}

impl FromStr for PartName {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let numbers: Result<Vec<usize>, _> = text.split('-').map(str::parse).collect();
        let name = Self(numbers.map_err(drop)?);
        if name.to_string() == text { Ok(name) } else { Err(()) }
    }
}

/// Endings of the files of a tree and of a cut.
pub(super) const TREE: &str = ".proof.gz";
pub(super) const CUT: &str = ".cut.gz";

/// Cut of a part into pieces.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cut {
    /// Requested number of pieces.
    pub(super) wanted: usize,
    pub(super) recut: Recut,
}

impl Cut {
    /// Writes the cut of a part.
    pub(super) fn write(&self, path: &Path, first_line: &str) -> Result<(), FileError> {
        sealed::write(path, |out| {
            let weights: Vec<String> = self.recut.weights.iter().map(f64::to_string).collect();
            writeln!(out, "{first_line}\ninto {}\nweights {}", self.wanted, weights.join(" "))?;
            out.write_all(&self.recut.top)
        })
    }

    /// Reads the cut of a part.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is damaged, or belongs to another part.
    pub(super) fn read(path: &Path, first_line: &str) -> io::Result<Self> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "it is not the cut of this part");
        let mut text = sealed::open(path)?.take(file::LARGEST);
        let mut line = || -> io::Result<String> {
            let mut line = String::new();
            packed::next_line(&mut text, &mut line)?;
            Ok(line.trim_end().to_owned())
        };
        let (first, into, weights) = (line()?, line()?, line()?);
        let mut top = Vec::new();
        text.read_to_end(&mut top)?;
        let wanted = into.strip_prefix("into ").and_then(|wanted| wanted.parse().ok());
        let weights =
            weights.strip_prefix("weights ").map(|weights| weights.split(' ').map(str::parse).collect());
        let (Some(wanted), Some(Ok(weights)), true) = (wanted, weights, first == first_line) else {
            return Err(wrong());
        };
        let recut = Recut { weights, top };
        let mut pieces: Vec<Option<usize>> = (recut.top.as_slice().lines())
            .filter_map(|line| Some(line.ok()?.strip_prefix("part ")?.parse().ok()))
            .collect();
        pieces.sort_unstable();
        let all = (0..recut.weights.len()).map(Some);
        if pieces.into_iter().eq(all) { Ok(Self { wanted, recut }) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_and_pieces_have_names() {
        let name = PartName::of(17).piece(3).piece(0);
        assert_eq!(name.to_string(), "17-3-0");
        assert_eq!(PartName::of_file(Path::new("x/part-17-3-0.cut.gz"), CUT), Some(name));
        for text in ["", "-", "1-", "01", "1--2", "+1", "a", "1-a"] {
            assert!(text.parse::<PartName>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_cut_is_read_as_it_was_written_and_one_of_another_part_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("part-1.cut.gz");
        let top = b"nodes ab\npart 0\npart 1\nnodes c\n".to_vec();
        let cut = Cut { wanted: 2, recut: Recut { weights: vec![0.1, 1.0 / 3.0], top } };
        cut.write(&path, "first").expect("written");
        assert_eq!(Cut::read(&path, "first").expect("read"), cut);
        assert!(Cut::read(&path, "other").is_err());
        let weights = vec![0.1; 3];
        let wrong = Cut { recut: Recut { weights, ..cut.recut.clone() }, ..cut };
        wrong.write(&path, "first").expect("written");
        assert!(Cut::read(&path, "first").is_err());
    }
}
