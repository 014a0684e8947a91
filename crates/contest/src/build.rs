//! Builds submissions.

use model::UserId;
use sandbox::{Sandbox, StartError};
use store::Built;
use toolchain::{Bot, BuildCache, LANGUAGES, Language, PrepareError};

/// The maximum length of a stored compiler output, in characters.
const LONGEST_LOG: usize = 20_000;

/// The language with this name or this file extension.
pub fn language(name: &str) -> Option<&'static Language> {
    let same = |known: &&Language| known.name.eq_ignore_ascii_case(name) || known.extensions.contains(&name);
    LANGUAGES.iter().find(same)
}

/// The result of a build.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It can play.
    Ready(Bot),
    /// It cannot play, because of its source or because this host lacks the language.
    Failed {
        /// The message for its author.
        log: String,
        /// Whether the compiler ran into its time limit.
        slow: bool,
    },
    /// The build could not be attempted, by our fault; the reason.
    Ours(String),
}

impl Outcome {
    /// The stored form of the result.
    pub(crate) fn stored(&self) -> Built {
        match self {
            Outcome::Ready(_) => Built::Ready(String::new()),
            Outcome::Failed { log, slow: false } => Built::Failed(log.clone()),
            Outcome::Failed { log, slow: true } => Built::Slow(log.clone()),
            Outcome::Ours(why) => Built::Ours(why.clone()),
        }
    }
}

/// Builds a submission in the sandbox. `name` is the name of the bot in records; the space counts for its user.
pub(crate) fn build(
    build_cache: &BuildCache,
    sandbox: &Sandbox,
    name: &str,
    user: Option<UserId>,
    language_name: &str,
    source: &str,
) -> Outcome {
    let failed = |log: String| Outcome::Failed { log, slow: false };
    let Some(language) = language(language_name) else {
        return failed(format!(
            "the language {} is not known here",
            game::text::safe_line(language_name, 40)
        ));
    };
    let owner = user.map(|user| user.to_string());
    match build_cache.prepare_text(name, language, source.as_bytes(), owner.as_deref(), sandbox) {
        // Other users must learn nothing about a source, not even its digest.
        Ok(bot) => Outcome::Ready(Bot { digest: None, ..bot }),
        Err(PrepareError::Compile { said, slow, .. }) => {
            let said = if said.trim().is_empty() { "the compiler failed without a word" } else { &said };
            Outcome::Failed { log: game::text::safe_text(&without_colours(said), LONGEST_LOG), slow }
        }
        Err(PrepareError::NoLanguage { language, program, .. }) => failed(format!(
            "{language} is not installed on this server (there is no `{program}`); ask its admin, or choose another language"
        )),
        Err(PrepareError::Sandbox(error)) if !matches!(error, StartError::Ours(_)) => {
            failed(format!("the compiler could not be started: {error}"))
        }
        Err(error) => Outcome::Ours(error.to_string()),
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
