//! The operating system's side of the program: files, locks, external programs, cancellation,
//! threads and memory.
//!
//! | module | content |
//! | --- | --- |
//! | [`file`](mod@file) | files that are written atomically, compressed by gzip, digested, and read up to a size limit |
//! | [`lock`], [`claim`], [`journal`] | files that several processes share: exclusive locks, claims of parts of the work, append-only lists |
//! | [`note`] | notes to the user about files |
//! | [`cancel`] | stop requests, deadlines, and work that can be abandoned |
//! | [`thread`](mod@thread), [`stack`], [`memory`] | thread pools, stacks that grow, memory and its limits |
//! | [`program`] | external programs with all that they start, and their temporary folders |
//! | [`process`], [`signal`] | this process: time used, its end, its signals |

pub mod cancel;
pub mod claim;
pub mod file;
pub mod journal;
pub mod lock;
pub mod memory;
pub mod note;
pub mod process;
pub mod program;
pub mod signal;
pub mod stack;
pub mod thread;
