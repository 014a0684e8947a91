//! What all tests here need.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

pub(crate) const AGON: &str = env!("CARGO_BIN_EXE_agon");

pub(crate) fn agon(arguments: &[&str]) -> Output {
    Command::new(AGON).args(arguments).output().unwrap()
}

/// What a command prints that must succeed and say nothing else.
pub(crate) fn printed(arguments: &[&str]) -> String {
    let output = agon(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// A command that must end with this exit code and say these words.
pub(crate) fn ends_with(arguments: &[&str], code: i32, words: &[&str]) {
    let output = agon(arguments);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} does not say `{word}`: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A program that plays: reads its lines and answers what is always allowed.
pub(crate) fn bot(name: &str) -> String {
    repository("crates/arena/tests/bots").join(name).display().to_string()
}

/// A folder for one test, gone when the test is over.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("agon-dropin-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.file(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
