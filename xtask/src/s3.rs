//! An S3-compatible server for tests: the program of the Python package `moto`, in a virtual environment under `target`.

use std::path::PathBuf;
use std::process::Command;

use crate::prepare::{self, Install};
use crate::shell;

/// The variable in which the tests find the path of the program.
const VARIABLE: &str = "AGON_TEST_S3";
const PACKAGE: &str = "moto[server]>=5.1";

fn program() -> PathBuf {
    shell::root().join("target/s3/bin/moto_server")
}

/// Installs the program if it is missing.
pub(crate) fn prepare(install: Install) -> Result<(), String> {
    prepare::python_program(&program(), PACKAGE, install)
}

/// Puts the path of the program into the environment of a command.
pub(crate) fn give_to(command: &mut Command) {
    if program().is_file() {
        command.env(VARIABLE, program());
    }
}
