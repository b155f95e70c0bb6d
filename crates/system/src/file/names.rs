//! Names of files and folders that exist only while a process works.

/// Prefix of the names of temporary files.
pub const TEMPORARY: &str = ".ndq-";

/// Suffix of the names of files that are being written.
pub(crate) const UNFINISHED: &str = ".tmp";

/// Suffix of the names of locks.
pub(crate) const LOCK: &str = ".lock";

/// Suffix of the names of temporary folders.
pub(crate) const FOLDER: &str = ".folder";

/// Name of the folder of claims in a shared folder.
pub(crate) const CLAIMS: &str = "claimed";
