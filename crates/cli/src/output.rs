//! Writing to the terminal. A closed output (`agon games | head -1`) is not an error.

use std::io::{self, IsTerminal as _, Write};

use crate::{Failure, caller};

/// Prints results, or gives them to the tool that called the command.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if caller::collect(text) {
        return Ok(());
    }
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

/// Whether the standard error output takes colours: a terminal, unless `NO_COLOR` is set.
fn colours_of_progress() -> bool {
    let forbidden = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !forbidden && io::stderr().is_terminal()
}

/// A text of the progress about an interval: green if it is above zero, red if it is below.
pub(crate) fn coloured(text: String, low: f64, high: f64) -> String {
    let colour = if low > 0.0 {
        32
    } else if high < 0.0 {
        31
    } else {
        return text;
    };
    if colours_of_progress() { format!("\x1b[{colour}m{text}\x1b[0m") } else { text }
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
