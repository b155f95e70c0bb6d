//! Why a certificate file cannot be read.

use std::path::PathBuf;

use ndqueens_notation::certificate::CertificateError;

/// Why a certificate file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFileError {
    /// The text is no certificate.
    #[error("{}: {fault}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: CertificateError,
    },
    /// The text is no list of solutions.
    #[error("{}, line {}, column {}: {}", path.display(), fault.line, fault.column, fault.fault)]
    MalformedList {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: CertificateError,
    },
    /// The list is empty.
    #[error("{}: the list has no solution", .0.display())]
    EmptyList(PathBuf),
}
