//! What to start.

use std::ffi::OsString;
use std::path::PathBuf;

/// What to start, and what it sees of the host's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments. A name without a slash is searched in `PATH`, one with a slash in `folder`. Files
    /// that the arguments name are shown too, with the folder they lie in.
    pub argv: Vec<OsString>,
    /// The working folder, shown read-only under the same path. A home, or a folder above one, is never shown: only the
    /// files in it that the arguments name. `None`: the current folder at [`Level::None`](crate::Level::None), an empty
    /// one otherwise.
    pub folder: Option<PathBuf>,
    /// A folder shown read-write, for compiling. Where the program gets a user id of its own, the folder belongs to it
    /// until the box is empty; what it makes there stays its own.
    pub writable: Option<PathBuf>,
    /// The environment. Nothing else is in it, except `PATH`, `HOME` and `LANG`.
    pub env: Vec<(OsString, OsString)>,
}
