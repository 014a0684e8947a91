//! Helpers of these tests.

use std::process::{Command, Output};

use serde_json::Value;

pub(crate) const AGON: &str = env!("CARGO_BIN_EXE_agon");

pub(crate) fn agon(arguments: &[&str]) -> Output {
    Command::new(AGON).args(arguments).output().unwrap()
}

/// The output of a command that must succeed and print nothing else.
pub(crate) fn printed(arguments: &[&str]) -> String {
    let output = agon(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// Asserts that a command ends with this exit code and prints these words.
pub(crate) fn ends_with(arguments: &[&str], code: i32, words: &[&str]) {
    let output = agon(arguments);
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} does not say `{word}`: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}
