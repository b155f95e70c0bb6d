//! Files that are written atomically, locked, compressed by gzip, digested, and read up to a size limit.

mod atomic;
pub mod claim;
pub mod digest;
mod fault;
mod input;
pub mod journal;
mod lock;
pub mod note;
pub mod packed;
mod path;
pub mod sealed;
mod temporary;

pub use atomic::{Unfinished, make_folder, replaceable, writable, write, write_as_it_is, write_plain};
pub use fault::{FileError, Named};
pub use input::{
    Input, LARGEST, input, open, open_plain, open_to_append, open_to_read, open_unpacked, read,
    read_as_it_is, read_plain,
};
pub use lock::{Guard, exclusive, exclusive_now};
pub use path::are_one;
pub use temporary::{TEMPORARY, Temporary, remove_temporaries};
