//! Errors of certificate files.

use std::path::PathBuf;

use ndqueens_notation::certificate::CertificateError;

/// Error of a certificate file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CertificateFileError {
    /// Text that is not a certificate.
    #[error("{}: {fault}", path.display())]
    Malformed {
        /// Path of the file.
        path: PathBuf,
        /// Error, with line and column.
        fault: CertificateError,
    },
    /// Text that is not a list of solutions.
    #[error("{}, line {}, column {}: {}", path.display(), fault.line, fault.column, fault.fault)]
    MalformedList {
        /// Path of the file.
        path: PathBuf,
        /// Error, with line and column.
        fault: CertificateError,
    },
    /// Empty list.
    #[error("{}: the list has no solution", .0.display())]
    EmptyList(PathBuf),
}
