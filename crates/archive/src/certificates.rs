//! The certificate store: a folder of the [archive](crate::files) with one file for each best lower bound
//! that no rule of the [`crate::bounds`] engine gives. Bounds that follow by rules are derived when needed
//! instead.

use std::path::PathBuf;

use ndqueens_crosscheck::verify;
use ndqueens_model::facts::Side;
use ndqueens_notation::certificate::{Certificate, Problem};
use ndqueens_notation::counted::counted;
use ndqueens_notation::name::BoardName;
use ndqueens_system::file::{self, FileError};
use ndqueens_system::lock;
use ndqueens_workflow::evidence::Refusal;

use crate::archive::Archive;
use crate::bounds::{Bounds, Cube, Extent, Sources};
use crate::error::{ArchiveError, RefusedFile};
use crate::ledger;

/// Name of the folder in the archive.
pub const FOLDER: &str = "certificates";

/// The certificate store of an archive.
#[derive(Debug, Clone)]
pub struct CertificateStore {
    archive: Archive,
}

/// File name of a valid certificate in the store, and the certificate.
pub type Stored = (String, Certificate);

/// Result of adding a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// Stored in this file, in place of a smaller one if there was one.
    Kept {
        /// Path of the file.
        path: PathBuf,
        /// Number of queens of the certificate that was replaced.
        before: Option<usize>,
    },
    /// Not stored, because the store or the rules give at least as many queens; the text says how.
    NotBetter(String),
}

impl CertificateStore {
    /// Returns the store of an archive.
    #[must_use]
    pub fn of(archive: &Archive) -> Self {
        Self { archive: archive.clone() }
    }

    /// Returns all valid certificates with their file names, each verified now, and the files that are not
    /// valid.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be read.
    pub fn read(&self) -> Result<(Vec<Stored>, Vec<RefusedFile>), FileError> {
        let (mut held, mut refused) = (Vec::new(), Vec::new());
        for name in self.archive.files().names(FOLDER)?.into_iter().filter(|name| name.ends_with(".txt")) {
            match self.read_one(&name) {
                Ok(certificate) => held.push((name, certificate)),
                Err(refusal) => {
                    let path = self.archive.files().display_path(&format!("{FOLDER}/{name}"));
                    refused.push(RefusedFile { path, refusal });
                }
            }
        }
        Ok((held, refused))
    }

    /// Returns the certificate of a board, verified now; `None` if there is no valid one.
    #[must_use]
    pub fn best(&self, board: &BoardName) -> Option<Certificate> {
        if matches!(board, BoardName::File(_)) {
            return None;
        }
        self.read_one(&file_name(board)).ok().filter(|certificate| certificate.board == *board)
    }

    fn read_one(&self, name: &str) -> Result<Certificate, Refusal> {
        let text = self.archive.files().read(&format!("{FOLDER}/{name}"));
        let text = text.map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
        let text = text.ok_or_else(|| Refusal::Unreadable("it is missing".to_owned()))?;
        let certificate = Certificate::parse_with(&text, &file::open)
            .map_err(|fault| Refusal::Unreadable(fault.to_string()))?;
        let Certificate { board, problem, .. } = &certificate;
        if *problem != Problem::IndependentSet {
            return Err(Refusal::Unchecked(format!("it is a {problem}, not an independent set")));
        }
        let file = file_name(board);
        if name != file {
            return Err(Refusal::Unchecked(format!("a certificate for {board} belongs into {file}")));
        }
        match verify::verify(&certificate) {
            Ok(_) => Ok(certificate),
            Err(fault) => Err(Refusal::Wrong(format!("it does not hold: {fault}"))),
        }
    }

    /// Checks that a certificate is correct and belongs into a store.
    ///
    /// # Errors
    /// Returns an error if the certificate is wrong, is for another problem, or its board is described in a
    /// file.
    pub fn check(certificate: &Certificate) -> Result<(), Refusal> {
        let Certificate { board, problem, .. } = certificate;
        if *problem != Problem::IndependentSet {
            let reason = format!("the store is for independent sets, and this is a {problem}");
            return Err(Refusal::Unchecked(reason));
        }
        if matches!(board, BoardName::File(_)) {
            return Err(Refusal::Unchecked(format!(
                "the store is for boards with a name of their own, and {board} is described in a file"
            )));
        }
        let verified = verify::verify(certificate);
        verified
            .map(|_| ())
            .map_err(|fault| Refusal::Wrong(format!("the certificate does not hold: {fault}")))
    }

    /// Checks a certificate, and stores it if neither a stored certificate nor a rule gives as many queens.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`], or an error if the store cannot be read or written, or the
    /// bounds contradict each other.
    pub fn add(&self, certificate: &Certificate) -> Result<Added, ArchiveError> {
        Self::check(certificate)?;
        let folder = self.archive.files().make_folder(FOLDER)?;
        // Writers lock the whole store, because other certificates decide whether this one is better.
        let _alone = lock::exclusive(&folder.join("certificates"), self.archive.notes())?;
        let (held, _) = self.read()?;
        let name = file_name(&certificate.board);
        let path = self.archive.files().display_path(&format!("{FOLDER}/{name}"));
        let before = held.iter().find(|(_, stored)| stored.board == certificate.board);
        let before = before.map(|(_, stored)| stored.size());
        if let Some(size) = before.filter(|&size| size >= certificate.size()) {
            return Ok(Added::NotBetter(format!("{} holds {}", path.display(), counted(size, "queen"))));
        }
        if let Some(why) = derive(&self.archive, &certificate.board, certificate.size(), held)? {
            return Ok(Added::NotBetter(why));
        }
        file::write(&folder.join(name), |out| write!(out, "{certificate}"))?;
        Ok(Added::Kept { path, before })
    }

    /// Returns the file name of each valid certificate, and the derivation of as many queens from the others
    /// if there is one.
    ///
    /// # Errors
    /// Returns an error if the store cannot be read, or if the bounds contradict each other.
    pub fn superfluous(&self) -> Result<Vec<(String, Option<String>)>, ArchiveError> {
        let (held, _) = self.read()?;
        let one = |(name, certificate): &Stored| {
            let others = held.iter().filter(|(other, _)| other != name).cloned().collect();
            Ok((name.clone(), derive(&self.archive, &certificate.board, certificate.size(), others)?))
        };
        held.iter().map(one).collect()
    }
}

/// Returns the placements that an archive has for a board, in the store and in the ledger, and
/// those for the board with sorted axes and without axes of length 1. Each is checked now; wrong ones are
/// left out.
pub(crate) fn placements(archive: &Archive, board: &BoardName) -> Vec<Certificate> {
    let in_ledger = |name: &BoardName| {
        let text = archive.files().read(&format!("{}/{}", ledger::FOLDER, file_name(name))).ok()??;
        Certificate::parse_with(&text, &file::open).ok()
    };
    let has_name = !matches!(board, BoardName::File(_));
    let archived = |name: &BoardName| {
        [CertificateStore::of(archive).best(name), if has_name { in_ledger(name) } else { None }]
    };
    let reduced = Some(board.without_unit_sides()).filter(|reduced| reduced != board);
    let from_reduced = reduced.iter().flat_map(archived).flatten();
    let from_reduced = from_reduced.filter_map(|certificate| permute_axes(board, certificate));
    let is_valid =
        |certificate: &Certificate| verify::verify_on(board, Problem::IndependentSet, certificate).is_ok();
    archived(board).into_iter().flatten().chain(from_reduced).filter(is_valid).collect()
}

/// Moves a placement to a box with the same sides in another order and additional sides of 1.
fn permute_axes(board: &BoardName, certificate: Certificate) -> Option<Certificate> {
    let (BoardName::Grid { sides, .. }, BoardName::Grid { sides: own, .. }) = (board, &certificate.board)
    else {
        return None;
    };
    let mut free: Vec<usize> = (0..own.len()).collect();
    let axis = |side: &u32| {
        let place = free.iter().position(|&axis| own[axis] == *side);
        place.map(|place| free.remove(place))
    };
    let axes: Vec<Option<usize>> = sides.iter().map(axis).collect();
    let square = |square: &Vec<u32>| axes.iter().map(|axis| axis.map_or(0, |axis| square[axis])).collect();
    let squares = certificate.squares.iter().map(square).collect();
    Some(Certificate { board: board.clone(), squares, ..certificate })
}

/// Returns a derivation of `size` queens on a board without its own certificate, or `None` if the rules give
/// fewer.
fn derive(
    archive: &Archive,
    board: &BoardName,
    size: usize,
    certificates: Vec<Stored>,
) -> Result<Option<String>, ArchiveError> {
    let Ok(cube) = Cube::check_range(Cube::of(board)) else { return Ok(None) };
    let (dimensions, lengths) = Extent::ALLOWED;
    // A derivation may use one more axis or two more layers.
    let extent = Extent {
        dimension: (cube.dimension + 1).min(*dimensions.end()),
        side: (cube.side + 2).min(*lengths.end()),
    };
    let others = certificates.into_iter().filter(|(_, stored)| stored.board != *board).collect();
    let sources = Sources { certificates: others, ..Sources::of(archive) };
    let bounds = Bounds::new(extent, [cube], &sources).map_err(|contradiction| {
        let [lower, upper] =
            [contradiction.lower, contradiction.upper].map(|mut side| side.steps.remove(0).fact);
        ArchiveError::Contradiction { lower, upper }
    })?;
    let fact = bounds.of(cube, Side::Lower);
    Ok((fact.value >= size as u128).then(|| format!("{fact} by {}", fact.reason)))
}

/// Returns the name of the file for a board, e.g. `14^3.txt` or `torus-5^2.txt`.
#[must_use]
pub fn file_name(board: &BoardName) -> String {
    format!("{}.txt", board.to_string().replace([':', '/'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(board: &str, squares: &[&[u32]]) -> Certificate {
        let squares = squares.iter().map(|square| square.to_vec()).collect();
        Certificate::independent(board.parse().expect("a board"), squares, "a test")
    }

    /// Returns four queens on 5^2, one fewer than the maximum.
    fn four() -> Certificate {
        certificate("5^2", &[&[0, 0], &[1, 2], &[2, 4], &[3, 1]])
    }

    /// Returns a store in a new archive.
    fn store() -> (tempfile::TempDir, CertificateStore) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = CertificateStore::of(&Archive::open(folder.path(), false).expect("an archive"));
        (folder, store)
    }

    #[test]
    fn certificates_that_rules_give_are_not_stored() {
        let (_folder, store) = store();
        assert!(matches!(store.add(&four()), Ok(Added::NotBetter(why)) if why.contains("alpha(5^2) >= 5")));
        assert!(store.read().expect("a folder").0.is_empty());
        let embedded = CertificateStore::of(&Archive::embedded());
        assert!(matches!(embedded.add(&four()), Err(ArchiveError::Embedded)));
        assert_eq!(embedded.best(&"5^3".parse().expect("a board")).map(|held| held.size()), Some(13));
    }

    #[test]
    fn a_larger_set_takes_the_place_of_a_smaller_one() {
        let (_folder, store) = store();
        let few = certificate("torus:5^2", &[&[0, 0], &[1, 2]]);
        let many = certificate("torus:5^2", &[&[0, 0], &[1, 2], &[2, 4]]);
        assert!(matches!(store.add(&few), Ok(Added::Kept { before: None, .. })));
        assert!(matches!(store.add(&many), Ok(Added::Kept { before: Some(2), .. })));
        assert!(matches!(store.add(&few), Ok(Added::NotBetter(_))));
        assert_eq!(store.best(&many.board), Some(many.clone()));
        let (held, refused) = store.read().expect("a folder");
        assert_eq!(held, vec![("torus-5^2.txt".to_owned(), many)]);
        assert!(refused.is_empty(), "{refused:?}");
    }

    #[test]
    fn placements_are_moved_to_boxes_with_the_same_long_sides() {
        for (board, size) in [("1x3x3x3x3x3x3x3x3x3", 89), ("3^9", 89), ("5x1x5x5", 13)] {
            let held = placements(&Archive::embedded(), &board.parse().expect("a board"));
            assert_eq!(held.iter().map(Certificate::size).max(), Some(size), "{board}");
        }
    }

    #[test]
    fn invalid_certificates_are_rejected() {
        let (folder, store) = store();
        let wrong = certificate("torus:5^2", &[&[0, 0], &[1, 1]]);
        assert!(matches!(store.add(&wrong), Err(ArchiveError::Certificate(Refusal::Wrong(_)))));
        let problem = Problem::DominatingSet;
        assert!(matches!(
            store.add(&Certificate { problem, ..four() }),
            Err(ArchiveError::Certificate(Refusal::Unchecked(_)))
        ));

        let certificates = folder.path().join(FOLDER);
        std::fs::create_dir(&certificates).expect("made");
        let write = |name: &str, text: &str| std::fs::write(certificates.join(name), text).expect("writable");
        write("torus-5^2.txt", &wrong.to_string());
        write("6^2.txt", &four().to_string());
        write("7^2.txt", "not a certificate");
        write("notes.md", "is left alone");
        let (held, refused) = store.read().expect("a folder");
        assert_eq!(held, Vec::new());
        let whys: Vec<String> = refused.iter().map(|refused| refused.refusal.to_string()).collect();
        assert_eq!(whys.len(), 3);
        assert!(whys[0].contains("belongs into 5^2.txt") && whys[2].contains("does not hold"), "{whys:?}");
    }
}
