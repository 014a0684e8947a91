//! Files and folders that only their owner may use.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// The permissions of everybody except the owner.
const OTHERS: u32 = 0o077;
/// The mark of a folder that all users share, as `/tmp`.
const SHARED: u32 = 0o1000;

/// Makes a folder, with its parents, for its owner alone. An existing folder is not changed.
///
/// # Errors
///
/// When the folder cannot be made.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Takes the permissions of all other users from a file or a folder.
///
/// # Errors
///
/// When this process does not own it, or when it is a folder that all users share.
pub fn narrow(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & SHARED != 0 {
        return Err(io::Error::other("all users of the machine share this folder"));
    }
    if mode & OTHERS != 0 {
        fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OTHERS))?;
    }
    Ok(())
}

/// Writes a file for its owner alone. It replaces an existing file.
///
/// # Errors
///
/// When the file cannot be removed or written.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    create_file(path)?.write_all(contents)
}

/// Makes a new file for its owner alone.
pub(crate) fn create_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
