//! Writing to the terminal. A closed output (`agon games | head -1`) is not an error.

use std::io::{self, Write};

use crate::Failure;

/// Prints results.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Unusable(format!("the results cannot be printed: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a value as JSON on one line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&(serde_json::to_string(value)? + "\n"))
}

/// Prints an error.
pub(crate) fn complain(why: &str) {
    // If this fails there is no other place to print it.
    let _ = writeln!(io::stderr().lock(), "error: {why}");
}

/// Prints a note on the standard error output.
pub(crate) fn note(text: &str) {
    // If this fails there is no other place to print it.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
