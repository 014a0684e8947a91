//! What to start.

use std::ffi::OsString;
use std::path::PathBuf;

/// What to start, and what it sees of the host's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments. A name without a slash is searched in `PATH`, one with a slash in `folder`.
    pub argv: Vec<OsString>,
    /// The working folder, shown read-only inside. `None`: the current folder at [`Level::None`](crate::Level::None),
    /// an empty one otherwise.
    pub folder: Option<PathBuf>,
    /// A folder shown read-write, for compiling.
    pub writable: Option<PathBuf>,
    /// The environment. Nothing else is in it, except `PATH`, `HOME` and `LANG`.
    pub env: Vec<(OsString, OsString)>,
}
