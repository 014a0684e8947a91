//! Bots: from the words on a command line to a program that can be started.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use catalog::UnknownBot;
use sandbox::{Program, StartError};
use sha2::{Digest, Sha256};

use crate::built_in::Builtin;
use crate::languages::{Language, find_program};

/// A bot as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotSpec {
    /// `@random`, `@boss`, `@champion` and so on.
    Builtin(Builtin),
    /// A source file in a known language.
    Source(PathBuf),
    /// A command line.
    Command(Vec<String>),
    /// A bot with variables of its environment, as shells write it: `DEPTH=7 bot.py`.
    WithVariables(Vec<(String, String)>, Box<BotSpec>),
}

/// Words that do not name a bot. The fault is the caller's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotSpecError {
    /// No game has a built-in bot of this name.
    #[error(transparent)]
    UnknownBuiltin(#[from] UnknownBot),
    /// There are no words.
    #[error("a bot needs a command, a source file or an @name")]
    Empty,
    /// A built-in bot has no environment.
    #[error("{0} is a built-in bot: it takes no variables")]
    BuiltinWithVariables(String),
    /// A quotation mark is not closed.
    #[error("`{0}` is not a command line: {1}")]
    NotACommand(String, #[source] shell_words::ParseError),
}

impl std::str::FromStr for BotSpec {
    type Err = BotSpecError;

    fn from_str(text: &str) -> Result<BotSpec, BotSpecError> {
        if let Some(name) = text.strip_prefix('@') {
            return Ok(BotSpec::Builtin(Builtin::find(name, None)?));
        }
        let path = Path::new(text);
        if path.is_file() && Language::of(path).is_some() {
            return Ok(BotSpec::Source(path.to_owned()));
        }
        if path.is_file() {
            return Ok(BotSpec::Command(vec![text.to_owned()]));
        }
        let mut words = shell_words::split(text)
            .map_err(|error| BotSpecError::NotACommand(text.to_owned(), error))?
            .into_iter()
            .peekable();
        let variables: Vec<(String, String)> =
            std::iter::from_fn(|| words.next_if(|word| variable(word).is_some()))
                .filter_map(|word| variable(&word))
                .collect();
        let words: Vec<String> = words.collect();
        match &words[..] {
            [] => Err(BotSpecError::Empty),
            _ if variables.is_empty() => Ok(BotSpec::Command(words)),
            // A single word is a name or a file; more words are a command line.
            [word] => match word.parse()? {
                BotSpec::Builtin(_) => Err(BotSpecError::BuiltinWithVariables(word.clone())),
                inner => Ok(BotSpec::WithVariables(variables, Box::new(inner))),
            },
            _ => Ok(BotSpec::WithVariables(variables, Box::new(BotSpec::Command(words)))),
        }
    }
}

impl BotSpec {
    /// The same without variables of its environment.
    #[must_use]
    pub(crate) fn bare(self) -> BotSpec {
        match self {
            BotSpec::WithVariables(_, inner) => inner.bare(),
            bare => bare,
        }
    }

    /// The source file, if the bot is one.
    pub fn source(&self) -> Option<&Path> {
        match self {
            BotSpec::Source(path) => Some(path),
            BotSpec::WithVariables(_, inner) => inner.source(),
            BotSpec::Builtin(_) | BotSpec::Command(_) => None,
        }
    }
}

/// Name and value of a word such as `DEPTH=7`.
fn variable(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(letters);
    named.then(|| (name.to_owned(), value.to_owned()))
}

/// A bot that is ready to play.
#[derive(Clone, Debug)]
pub struct Bot {
    /// Its name in results.
    pub name: String,
    /// The words on the command line.
    pub asked: String,
    /// SHA-256 of its source or program, in hexadecimal digits, if there is a file.
    pub digest: Option<String>,
    /// How it is played.
    pub how: How,
}

/// How a bot is played.
#[derive(Clone, Debug)]
pub enum How {
    /// A built-in bot.
    Builtin(Builtin),
    /// As a program.
    Program(Program),
}

/// A bot that cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The bot's fault: the compiler refuses the source.
    #[error("{asked} does not compile:\n{said}")]
    Compile {
        /// The bot.
        asked: String,
        /// The output of the compiler, shortened.
        said: String,
        /// Whether the compiler ran into its time limit.
        slow: bool,
    },
    /// The host's fault: the compiler or interpreter is not installed.
    #[error("{language} needs `{program}`, which is not installed; on Debian: apt-get install {package}")]
    NoLanguage {
        /// Name of the language.
        language: &'static str,
        /// The program that is missing.
        program: String,
        /// The Debian package that provides it.
        package: &'static str,
    },
    /// The caller's fault: the program does not exist.
    #[error("there is no program `{0}`; a bot is a command, a source file or an @name")]
    NotFound(String),
    /// The host's fault: a program of another machine differs from the program of the same name on this one.
    #[error("{0} is another program here than where the run began")]
    OtherProgram(String),
    /// The host's fault: a file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The sandbox could not run the compiler; its error says whose fault it is.
    #[error("the compiler could not be started: {0}")]
    Sandbox(#[source] StartError),
}

pub(crate) fn fill(words: &[&str], source: &Path, out: &Path, class: &str) -> Vec<OsString> {
    let (source, out) = (source.to_string_lossy(), out.to_string_lossy());
    words
        .iter()
        .map(|word| word.replace("{source}", &source).replace("{out}", &out).replace("{class}", class).into())
        .collect()
}

pub(crate) fn with_full_path(mut argv: Vec<OsString>) -> Vec<OsString> {
    if let Some(found) = find_program(&argv[0].to_string_lossy()) {
        argv[0] = real_program(&found).into_os_string();
    }
    argv
}

/// Commands that print the file or the folder of the real tool. The tool that is found by name may be a shim of a
/// version manager, which would not work in a sandbox.
const STAND_INS: [(&str, &[&str], &str); 4] = [
    ("python3", &["-c", "import sys; print(sys.executable)"], ""),
    ("python", &["-c", "import sys; print(sys.executable)"], ""),
    ("node", &["-p", "process.execPath"], ""),
    ("rustc", &["--print", "sysroot"], "bin/rustc"),
];

/// The file that really runs, if the program that is found by name is a shim.
pub(crate) fn real_program(found: &Path) -> PathBuf {
    let name = found.file_name().unwrap_or_default();
    let Some((_, question, below)) = STAND_INS.iter().find(|(stand_in, ..)| name == *stand_in) else {
        return found.to_owned();
    };
    let answer =
        std::process::Command::new(found).args(*question).stderr(std::process::Stdio::null()).output();
    let real = answer.ok().map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    match real {
        Some(real) if below.is_empty() && real.is_file() => real,
        Some(real) if !below.is_empty() && real.join(below).is_file() => real.join(below),
        _ => found.to_owned(),
    }
}

pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    catalog::record::hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_named_in_three_ways() {
        let read = |text: &str| text.parse::<BotSpec>();
        assert_eq!(read("@random"), Ok(BotSpec::Builtin(Builtin::Random)));
        assert!(read("@champ").unwrap_err().to_string().contains("@boss, @random, @wait, @boss-1"));
        assert_eq!(read("@champion:3"), Ok(BotSpec::Builtin(Builtin::Ladder("champion:3"))));
        assert!(read("@champion:11").unwrap_err().to_string().contains("@champion:1 to @champion:10"));
        assert!(read("@gold:3").unwrap_err().to_string().contains("gold has no levels"));
        let words = vec!["python3".to_owned(), "my bot.py".to_owned(), "-x".to_owned()];
        assert_eq!(read("python3 'my bot.py' -x"), Ok(BotSpec::Command(words)));
        assert!(read("python3 'my bot.py").unwrap_err().to_string().contains("not a command line"));
        assert!(read("  ").is_err());
        let this = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bot.rs");
        assert_eq!(read(this), Ok(BotSpec::Source(this.into())));
        let variables = vec![("DEPTH".to_owned(), "7".to_owned()), ("w".to_owned(), "a b".to_owned())];
        let with = |inner| Ok(BotSpec::WithVariables(variables.clone(), Box::new(inner)));
        assert_eq!(read(&format!("DEPTH=7 'w=a b' {this}")), with(BotSpec::Source(this.into())));
        let words = vec!["./bot".to_owned(), "x=1".to_owned()];
        assert_eq!(read("DEPTH=7 w='a b' ./bot x=1"), with(BotSpec::Command(words)));
        assert!(read("DEPTH=7").is_err());
        assert!(read("DEPTH=7 @random").unwrap_err().to_string().contains("takes no variables"));
    }
}
