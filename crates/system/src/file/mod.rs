//! Files that are written atomically, compressed by gzip, digested, and read up to a size limit.

mod atomic;
pub mod digest;
mod draft;
mod error;
mod input;
mod names;
mod opened;
pub mod packed;
mod path;
pub mod sealed;
mod temporary;

pub use atomic::{Unfinished, make_folder, replaceable, writable, write, write_as_it_is, write_plain};
pub use draft::Draft;
pub use error::{FileError, Named};
pub use input::{
    Input, LARGEST, input, open, open_plain, open_to_append, open_to_read, open_unpacked, read,
    read_as_it_is, read_plain,
};
pub use names::TEMPORARY;
pub(crate) use names::{CLAIMS, FOLDER, LOCK, UNFINISHED};
pub use path::are_one;
pub(crate) use path::{folder_of, is_at, not_plain, not_there, target};
pub use temporary::{Temporary, remove_temporaries};
pub(crate) use temporary::{create_temporary_in, remove_abandoned, remove_folders};
