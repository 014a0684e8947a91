//! The interface of a bot.

use std::fmt;
use std::io::{self, BufRead, Write};

use crate::budget::{Budget, Thinking};

/// A bot: question in, answer out.
pub trait Mind: Send {
    /// Reads one question (before the first turn also the initialization lines) and answers it: one line without line feed.
    ///
    /// # Errors
    ///
    /// [`Lost::Over`] when the input ends, [`Lost::Misread`] when it is not a question of this game.
    fn answer(&mut self, lines: &mut Lines<'_>, budget: Budget) -> Result<Vec<u8>, Lost>;
}

/// Why a bot gives no answer. The fault is always with the input or with its connection, never with the opponent.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The input has ended: the match is over, at least for this bot.
    #[error("the input has ended")]
    Over,
    /// A line is not a line of this game: the host or the bot has a defect.
    #[error("expected {expected}, got `{}`", line.escape_debug())]
    Misread {
        /// The form that was expected.
        expected: &'static str,
        /// The line that came.
        line: String,
    },
    /// The input cannot be read or the output cannot be written.
    #[error("the input cannot be read: {0}")]
    Input(#[source] io::Error),
}

/// The lines of a question, from memory or from a pipe.
pub struct Lines<'a> {
    from: &'a mut dyn BufRead,
    line: String,
}

impl fmt::Debug for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("line", &self.line).finish_non_exhaustive()
    }
}

impl<'a> Lines<'a> {
    /// Lines from a reader.
    pub fn new(from: &'a mut dyn BufRead) -> Lines<'a> {
        Lines { from, line: String::new() }
    }

    /// The next line, without its line feed.
    ///
    /// # Errors
    ///
    /// [`Lost::Over`] at the end.
    pub fn next_line(&mut self) -> Result<&str, Lost> {
        self.line.clear();
        match self.from.read_line(&mut self.line) {
            Ok(0) => Err(Lost::Over),
            Ok(_) => Ok(self.line.trim_end_matches(['\n', '\r'])),
            Err(error) => Err(Lost::Input(error)),
        }
    }

    /// The next line as whole numbers between spaces.
    ///
    /// # Errors
    ///
    /// When there are not exactly `N` of them.
    pub fn next_numbers<const N: usize>(&mut self, expected: &'static str) -> Result<[i32; N], Lost> {
        let line = self.next_line()?;
        let mut numbers = [0; N];
        let mut words = line.split_ascii_whitespace();
        for number in &mut numbers {
            let read = words.next().and_then(|word| word.parse().ok());
            *number = read.ok_or_else(|| Lost::Misread { expected, line: line.to_owned() })?;
        }
        match words.next() {
            None => Ok(numbers),
            Some(_) => Err(Lost::Misread { expected, line: line.to_owned() }),
        }
    }
}

/// Plays as a program: answers questions from `input` on `output` until the input ends.
///
/// # Errors
///
/// When a question cannot be read or an answer cannot be written. The end of the input is no error.
pub fn serve(
    mind: &mut dyn Mind,
    thinking: Thinking,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Lost> {
    let mut first = true;
    loop {
        // The referee's clock starts with the last byte of the question. The budget starts with the first byte, so that it ends earlier.
        if input.fill_buf().map_err(Lost::Input)?.is_empty() {
            return Ok(());
        }
        let budget = thinking.begin(std::mem::take(&mut first));
        let mut answer = match mind.answer(&mut Lines::new(input), budget) {
            Ok(answer) => answer,
            Err(Lost::Over) => return Ok(()),
            Err(lost) => return Err(lost),
        };
        answer.push(b'\n');
        output.write_all(&answer).and_then(|()| output.flush()).map_err(Lost::Input)?;
    }
}
