//! Helpers for tests.
//!
//! - [`scratch`] makes a folder that is removed at the end of a test.
//! - [`require`] is the one way to skip a test that lacks a program: in strict mode the test fails instead.
//! - [`Database`] is a database of a test's own on the PostgreSQL server of the tests.
//! - [`Nats`] is a NATS server of a test's own, [`S3`] a server of buckets.
//! - [`PostgresFiles`] are the files of a PostgreSQL server of a test's own, which it may kill.
//! - [`Certificates`] are those of a server with TLS.
//! - [`SmallDisk`] is a disk of a test's own that can be full.
//! - [`program`] makes a test program play built-in bots, as `agon` does elsewhere.
//! - [`until`] waits for a condition.

// Tests may assume, and say how they go.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::missing_panics_doc)]

mod certificates;
mod database;
mod disk;
mod nats;
mod postgres_files;
pub mod program;
mod s3;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use certificates::Certificates;
pub use database::Database;
pub use disk::SmallDisk;
pub use nats::Nats;
pub use postgres_files::PostgresFiles;
pub use s3::S3;

/// Longer than any condition in a test takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_mins(2);

/// A folder of a test's own, removed when it is dropped. Every user may read it, since bots run as another user.
pub fn scratch() -> tempfile::TempDir {
    let folder = tempfile::Builder::new().prefix("agon-test-").tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// A file of the repository, by its path from the root.
pub fn repository(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A file in the folder of a game.
pub fn game_file(game: &str, path: &str) -> PathBuf {
    repository("games").join(game).join(path)
}

/// Whether a test that needs `what` can run. Where it cannot, the test fails if `AGON_TEST_STRICT` is 1, as it is under
/// `cargo xtask test`; otherwise it prints a line that begins with `skipped:`.
#[must_use]
#[track_caller]
pub fn require(what: &str, is_there: bool) -> bool {
    if !is_there {
        assert!(!is_strict(), "{what} is missing and AGON_TEST_STRICT is set: install it");
        println!("skipped: {what} is missing");
    }
    is_there
}

/// Whether a test that lacks something fails instead of being skipped.
pub fn is_strict() -> bool {
    std::env::var("AGON_TEST_STRICT").is_ok_and(|value| value == "1")
}

/// Waits until `look` finds something; panics if it never does.
#[track_caller]
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "never happened: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
