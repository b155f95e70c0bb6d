//! What several commands take from the archive.

use ndqueens_knowledge::archive::Archive;
use ndqueens_knowledge::certificates::{CertificateStore, Stored};

use crate::output::log;

/// The certificates of the archive that hold; those that do not are logged.
pub(super) fn certificates() -> anyhow::Result<Vec<Stored>> {
    let (certificates, refused) = CertificateStore::of(Archive::here()).read()?;
    for refused in refused {
        log(&format!("warning: {} is not used: {}", refused.path.display(), refused.why));
    }
    Ok(certificates)
}
