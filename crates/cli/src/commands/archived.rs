//! Archive access shared by several commands.

use ndqueens_archive::archive::Archive;
use ndqueens_archive::certificates::{CertificateStore, Stored};

use crate::output::log;

/// Returns the valid certificates of an archive and logs the others.
pub(super) fn certificates(archive: &Archive) -> anyhow::Result<Vec<Stored>> {
    let (certificates, refused) = CertificateStore::of(archive).read()?;
    for refused in refused {
        log(&format!("warning: {} is not used: {}", refused.path.display(), refused.refusal));
    }
    Ok(certificates)
}
