//! A small disk that a test can fill.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system in memory of a test's own, mounted by root; unmounted when it is dropped.
#[derive(Debug)]
pub struct SmallDisk {
    folder: PathBuf,
}

impl SmallDisk {
    /// Mounts a disk on an existing folder. `None` where this user may not mount.
    pub fn mount(folder: &Path, mebibytes: u32, owner: u32) -> Option<SmallDisk> {
        let options = format!("size={mebibytes}m,uid={owner},mode=0700");
        let words = ["-t", "tmpfs", "-o", &options, "tmpfs"].map(OsStr::new);
        let mut mount = Command::new("mount");
        mount.args(words).arg(folder).stderr(Stdio::null());
        let mounted = mount.status().is_ok_and(|status| status.success());
        mounted.then(|| SmallDisk { folder: folder.to_owned() })
    }

    /// Fills the disk to its last byte, or removes the file that fills it.
    pub fn set_full(&self, full: bool) {
        let filler = self.folder.join("filler");
        if full {
            let mut filler = fs::File::create(filler).unwrap();
            while filler.write_all(&[0; 4096]).is_ok() {}
        } else {
            fs::remove_file(filler).unwrap();
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // If this fails, the disk remains until the host is restarted.
        let _ = Command::new("umount").arg("--lazy").arg(&self.folder).status();
    }
}
