//! The files that a sandbox shows, as a list from which both kinds of sandboxes are made: by bubblewrap, and by
//! ourselves.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::resolve::{LOCAL, Resolved, SYSTEM, settings};

/// A part of the file system of a sandbox. Later parts may lie inside earlier ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A symbolic link.
    Link { target: PathBuf, path: PathBuf },
    /// A file or folder of the host, read-only: the real path, and the path inside.
    Shown { real: PathBuf, path: PathBuf },
    /// An empty folder that hides a folder of the host. It becomes read-only at the end.
    Hidden(PathBuf),
    /// A folder.
    Folder(PathBuf),
}

/// The system's folders, read-only, and symbolic links where the host has symbolic links.
pub(crate) fn system() -> Vec<Part> {
    let mut parts = Vec::new();
    for path in SYSTEM.iter().map(PathBuf::from).chain(settings()) {
        match fs::read_link(&path) {
            Ok(target) => parts.push(Part::Link { target, path }),
            Err(_) if path.exists() => parts.push(Part::Shown { real: path.clone(), path }),
            Err(_) => {}
        }
    }
    if has_local() {
        parts.push(Part::Hidden(LOCAL.into()));
    }
    parts
}

/// Whether the host has a folder [`LOCAL`], which is replaced by an empty one.
fn has_local() -> bool {
    fs::symlink_metadata(LOCAL).is_ok_and(|meta| meta.is_dir())
}

/// The parts that a program needs besides the system.
pub(crate) fn of_program(resolved: &Resolved) -> Vec<Part> {
    let shown = |(real, path): &(PathBuf, PathBuf)| Part::Shown { real: real.clone(), path: path.clone() };
    let masked =
        |(_, path): &(PathBuf, PathBuf)| Part::Shown { real: "/dev/null".into(), path: path.clone() };
    let folder = resolved.folder.iter().cloned().map(Part::Folder);
    folder.chain(resolved.shown.iter().map(shown)).chain(resolved.masked.iter().map(masked)).collect()
}

/// The link in the folder for temporary files. A Java machine locks a file that it shares with its tools, and reports on
/// standard output when it may not. Where the folder of this file is not a folder, it does without the file and reports
/// nothing.
pub(crate) fn no_java_files() -> Part {
    Part::Link { target: "/nowhere".into(), path: "/tmp/hsperfdata_bot".into() }
}

impl Part {
    /// The words that describe it to bubblewrap.
    pub(crate) fn words(&self) -> Vec<OsString> {
        match self {
            Part::Link { target, path } => vec!["--symlink".into(), target.into(), path.into()],
            Part::Shown { real, path } => vec!["--ro-bind".into(), real.into(), path.into()],
            Part::Hidden(path) => vec!["--tmpfs".into(), path.into()],
            Part::Folder(path) => vec!["--dir".into(), path.into()],
        }
    }

    /// Its path inside.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Part::Link { path, .. } | Part::Shown { path, .. } | Part::Hidden(path) | Part::Folder(path) => {
                path
            }
        }
    }
}
