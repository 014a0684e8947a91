//! Builds of the sources of strangers, with a result for their authors.

use sandbox::{Sandbox, StartError};
use serde::{Deserialize, Serialize};

use crate::bot::{Bot, PrepareError};
use crate::build_cache::BuildCache;
use crate::languages::{LANGUAGES, Language};

/// The maximum length of a stored compiler output, in characters.
const LONGEST_LOG: usize = 20_000;

/// The language with this name or this file extension.
pub fn language(name: &str) -> Option<&'static Language> {
    let same = |known: &&Language| known.name.eq_ignore_ascii_case(name) || known.extensions.contains(&name);
    LANGUAGES.iter().find(same)
}

/// Why a source could not be built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotBuilt {
    /// It cannot play, because of its source.
    Failed {
        /// The message for its author.
        log: String,
        /// Whether the compiler ran into its time limit.
        slow: bool,
    },
    /// This host lacks the language; the message for its author, if no other host has it.
    Unable(String),
    /// The build could not be attempted, by our fault; the reason.
    Ours(String),
}

impl NotBuilt {
    fn failed(log: &str) -> NotBuilt {
        NotBuilt::Failed { log: game::text::safe_text(log, LONGEST_LOG), slow: false }
    }

    /// The same with a text that can be shown, whoever wrote it.
    #[must_use]
    pub fn safe(&self) -> NotBuilt {
        let safe = |text: &str| game::text::safe_text(text, LONGEST_LOG);
        match self {
            NotBuilt::Failed { log, slow } => NotBuilt::Failed { log: safe(log), slow: *slow },
            NotBuilt::Unable(why) => NotBuilt::Unable(safe(why)),
            NotBuilt::Ours(why) => NotBuilt::Ours(safe(why)),
        }
    }
}

impl BuildCache {
    /// Builds a source in the sandbox. `name` is the name of the bot in records; the space counts for the owner.
    ///
    /// # Errors
    ///
    /// When it cannot be built; the error says whose fault it is.
    pub fn build_source(
        &self,
        name: &str,
        language_name: &str,
        source: &[u8],
        owner: Option<&str>,
        sandbox: &Sandbox,
    ) -> Result<Bot, NotBuilt> {
        let Some(language) = language(language_name) else {
            let name = game::text::safe_line(language_name, 40);
            return Err(NotBuilt::failed(&format!("the language {name} is not known here")));
        };
        self.prepare_text(name, language, source, owner, sandbox).map_err(|error| match error {
            PrepareError::Compile { said, slow, .. } => {
                let said = if said.trim().is_empty() { "the compiler failed without a word" } else { &said };
                NotBuilt::Failed { log: game::text::safe_text(&without_colours(said), LONGEST_LOG), slow }
            }
            PrepareError::NoLanguage { language, program, .. } => NotBuilt::Unable(format!(
                "{language} is not installed on this server (there is no `{program}`); ask its admin, or choose another language"
            )),
            PrepareError::Sandbox(error) if !matches!(error, StartError::Ours(_)) => {
                NotBuilt::failed(&format!("the compiler could not be started: {error}"))
            }
            error => NotBuilt::Ours(error.to_string()),
        })
    }
}

/// Removes the escape sequences that compilers write to colour their output.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            // Skip up to the last character of the sequence, which is a letter.
            let _ = chars.by_ref().find(|c| ('@'..='~').contains(c));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names_and_endings() {
        assert_eq!(language("python").map(|found| found.name), Some("Python"));
        assert_eq!(language("C++").map(|found| found.name), Some("C++"));
        assert_eq!(language("cpp").map(|found| found.name), Some("C++"));
        assert_eq!(language("C").map(|found| found.name), Some("C"));
        assert!(language("../../bin/sh").is_none());
        assert!(language("").is_none());
    }

    #[test]
    fn colour_codes_are_removed() {
        assert_eq!(without_colours("\u{1b}[1;31merror\u{1b}[0m: x\u{1b}"), "error: x");
        assert_eq!(without_colours("é\u{1b}]"), "é");
    }
}
