//! The program to start.

use std::ffi::OsString;
use std::path::PathBuf;

/// The program to start, and the files of the host that it sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments. A name without a slash is searched in `PATH`, a name with a slash in `folder`.
    /// Files named by the arguments are shown too, with their folders.
    pub argv: Vec<OsString>,
    /// The working folder, shown read-only under the same path. A home folder, or a folder above one, is never shown:
    /// only the files in it that the arguments name. `None`: the current folder at [`Level::None`](crate::Level::None),
    /// an empty folder otherwise.
    pub folder: Option<PathBuf>,
    /// A folder shown read-write, for compiling. Where the program has a separate user id, the folder belongs to that
    /// user until the sandbox is empty; files created there keep that owner.
    pub writable: Option<PathBuf>,
    /// The environment. It contains nothing else, except `PATH`, `HOME` and `LANG`.
    pub env: Vec<(OsString, OsString)>,
}
