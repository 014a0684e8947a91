//! Bots that another machine plays: a description that can be sent, and the one file that has to be sent with it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use sandbox::{Program, Sandbox};
use serde::{Deserialize, Serialize};

use crate::bot::{Bot, BotSpec, BotSpecError, How, PrepareError, hex_digest, real_program};
use crate::build_cache::BuildCache;
use crate::built_in::Builtin;
use crate::languages::{LANGUAGES, Language, find_program};
use crate::program::SentProgram;

/// A bot in a form that another machine can prepare.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PortableBot {
    /// Its name in results.
    pub name: String,
    /// The words on the command line.
    pub asked: String,
    /// SHA-256 of its file, in hexadecimal digits, if it has one.
    pub digest: Option<String>,
    /// How it is played.
    pub how: PortableHow,
    /// Its environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<(String, String)>,
}

/// How a bot of another machine is played.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PortableHow {
    /// A built-in bot, by its name.
    Builtin(String),
    /// A source that has to be built. Its file is sent.
    Source {
        /// The extension of the file, which names the language.
        extension: String,
        /// The program that another machine has built from it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<SentProgram>,
    },
    /// A command.
    Command {
        /// The program and its arguments.
        words: Vec<String>,
        /// The word that names the file that is sent, and the name of this file. Without a file, the program must be
        /// installed on the other machine, with the same digest.
        file: Option<(usize, String)>,
    },
}

/// A bot that another machine cannot play.
#[derive(Debug, thiserror::Error)]
pub enum PortableError {
    /// The caller's fault: its words do not name a bot any more.
    #[error(transparent)]
    Words(#[from] BotSpecError),
    /// The caller's fault: a word or a value is not UTF-8.
    #[error("{0} has words that are not UTF-8")]
    NotText(String),
}

impl PortableBot {
    /// The portable form of a bot, and the file that has to be sent with it.
    ///
    /// # Errors
    ///
    /// When its words or its environment cannot be sent.
    pub fn of(bot: &Bot) -> Result<(PortableBot, Option<PathBuf>), PortableError> {
        let not_text = || PortableError::NotText(bot.asked.clone());
        let text = |word: &OsString| word.to_str().map(str::to_owned).ok_or_else(not_text);
        let Bot { name, asked, digest, how } = bot;
        let (how, env, file) = match (how, asked.parse::<BotSpec>()?.bare()) {
            (How::Builtin(builtin), _) => (PortableHow::Builtin(builtin.name().to_owned()), Vec::new(), None),
            (How::Program(program), BotSpec::Source(path)) => {
                let extension = path.extension().and_then(|ending| ending.to_str()).ok_or_else(not_text)?;
                let how = PortableHow::Source { extension: extension.to_owned(), program: None };
                (how, env_of(program, text)?, Some(path))
            }
            (How::Program(program), BotSpec::Command(words)) => {
                // The first word on this machine may be a path that another machine does not have.
                let rest = program.argv.iter().skip(1).map(text);
                let sent =
                    std::iter::once(Ok(words[0].clone())).chain(rest).collect::<Result<Vec<_>, _>>()?;
                let script = words.iter().skip(1).position(|word| Path::new(word).is_file());
                let at = script.map(|at| at + 1).or_else(|| words[0].contains('/').then_some(0));
                let path = at.map(|at| PathBuf::from(&words[at]));
                let file_name =
                    |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned);
                let file = match (at, &path) {
                    (Some(at), Some(path)) => Some((at, file_name(path).ok_or_else(not_text)?)),
                    _ => None,
                };
                (PortableHow::Command { words: sent, file }, env_of(program, text)?, path)
            }
            (How::Program(_), BotSpec::Builtin(builtin)) => {
                (PortableHow::Builtin(builtin.name().to_owned()), Vec::new(), None)
            }
            // A bare bot has none.
            (How::Program(_), BotSpec::WithVariables(..)) => return Err(BotSpecError::Empty.into()),
        };
        Ok((PortableBot { name: name.clone(), asked: asked.clone(), digest: digest.clone(), how, env }, file))
    }

    /// Whether its file has to be sent.
    pub fn needs_file(&self) -> bool {
        !matches!(&self.how, PortableHow::Builtin(_) | PortableHow::Command { file: None, .. })
    }

    /// The program that another machine has built from its source, with the language.
    pub fn program(&self) -> Option<(&'static Language, &SentProgram)> {
        match &self.how {
            PortableHow::Source { extension, program: Some(program) } => {
                Some((language_of(extension), program))
            }
            _ => None,
        }
    }

    /// The name of its file on the other machine.
    pub fn file_name(&self) -> String {
        match &self.how {
            PortableHow::Command { file: Some((_, name)), .. } if Path::new(name).file_name().is_some() => {
                name.replace('/', "_")
            }
            _ => "bot".to_owned(),
        }
    }
}

fn env_of(
    program: &Program,
    text: impl Fn(&OsString) -> Result<String, PortableError>,
) -> Result<Vec<(String, String)>, PortableError> {
    program.env.iter().map(|(name, value)| Ok((text(name)?, text(value)?))).collect()
}

impl BuildCache {
    /// Prepares a bot of another machine. `file` is the copy of its file on this machine, with the digest checked.
    ///
    /// # Errors
    ///
    /// When the program, the compiler or the file does not exist here, or the source does not compile.
    pub fn prepare_portable(
        &self,
        bot: &PortableBot,
        file: Option<&Path>,
        sandbox: &Sandbox,
    ) -> Result<Bot, PrepareError> {
        let PortableBot { name, asked, digest, how, env } = bot;
        let missing = || PrepareError::NotFound(asked.clone());
        let how = match how {
            PortableHow::Builtin(name) => How::Builtin(Builtin::find(name, None).map_err(|_| missing())?),
            PortableHow::Source { extension, program } => {
                let language = language_of(extension);
                let path = file.ok_or_else(missing)?;
                let source = fs::read(path).map_err(|error| PrepareError::File(path.to_owned(), error))?;
                let sent = program.as_ref().and_then(|sent| self.sent(asked, language, &source, sent));
                let ready = match sent {
                    Some(bot) => bot,
                    None => self.prepare_text(asked, language, &source, None, sandbox)?,
                };
                match ready.how {
                    How::Program(program) => How::Program(with_env(program, env)),
                    builtin @ How::Builtin(_) => builtin,
                }
            }
            PortableHow::Command { words, file: sent } => {
                let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
                if let Some((word, _)) = sent {
                    let path = file.ok_or_else(missing)?;
                    *argv.get_mut(*word).ok_or_else(missing)? = path.into();
                }
                let first = argv.first().ok_or_else(missing)?.to_string_lossy().into_owned();
                let found = find_program(&first).ok_or(PrepareError::NotFound(first))?;
                if sent.is_none() {
                    let bytes = fs::read(&found).map_err(|error| PrepareError::File(found.clone(), error))?;
                    if digest.as_ref().is_some_and(|digest| *digest != hex_digest(&bytes)) {
                        return Err(PrepareError::OtherProgram(found.display().to_string()));
                    }
                }
                argv[0] = real_program(&found).into_os_string();
                let folder = file.and_then(Path::parent).map(Path::to_owned);
                How::Program(with_env(Program { argv, folder, writable: None, env: Vec::new() }, env))
            }
        };
        Ok(Bot { name: name.clone(), asked: asked.clone(), digest: digest.clone(), how })
    }
}

/// The language of a source with this extension.
fn language_of(extension: &str) -> &'static Language {
    Language::of(Path::new(&format!("bot.{extension}"))).unwrap_or(&LANGUAGES[0])
}

fn with_env(mut program: Program, env: &[(String, String)]) -> Program {
    program.env.extend(env.iter().map(|(name, value)| (name.into(), value.into())));
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_can_be_sent() {
        let scratch = testing::scratch();
        let sandbox = Sandbox::new(Some(sandbox::Level::None)).unwrap();
        let cache = BuildCache::new(scratch.path().join("builds"), crate::Bounds::SHARED);
        let there = BuildCache::new(scratch.path().join("there"), crate::Bounds::SHARED);
        let script = scratch.path().join("my bot.txt");
        fs::write(&script, "print(1)").unwrap();
        let copy = scratch.path().join("copy.txt");
        fs::copy(&script, &copy).unwrap();
        let asked = shell_words::join(["sh", &script.display().to_string(), "--depth={depth}"]);
        let mut bot = cache.prepare(&asked, &asked.parse().unwrap(), &sandbox).unwrap();
        let How::Program(program) = &mut bot.how else { panic!() };
        program.argv[2] = "--depth=7".into();
        program.env.push(("depth".into(), "7".into()));
        let (sent, file) = PortableBot::of(&bot).unwrap();
        assert_eq!((file.as_deref(), sent.file_name().as_str()), (Some(script.as_path()), "my bot.txt"));
        let text = serde_json::to_string(&sent).unwrap();
        let received: PortableBot = serde_json::from_str(&text).unwrap();
        assert_eq!(received, sent);
        let ready = there.prepare_portable(&received, Some(&copy), &sandbox).unwrap();
        let How::Program(program) = &ready.how else { panic!() };
        assert_eq!(program.argv[1..], [copy.clone().into_os_string(), OsString::from("--depth=7")]);
        assert_eq!(program.env, [(OsString::from("depth"), OsString::from("7"))]);
        assert_eq!((ready.digest, ready.asked), (bot.digest, bot.asked));
        // A program without a file must be the same one there.
        let mut plain = cache.prepare("true", &"true".parse().unwrap(), &sandbox).unwrap();
        let (sent, file) = PortableBot::of(&plain).unwrap();
        assert!(file.is_none() && !sent.needs_file());
        assert!(there.prepare_portable(&sent, None, &sandbox).is_ok());
        plain.digest = Some("0".repeat(64));
        let (sent, _) = PortableBot::of(&plain).unwrap();
        let error = there.prepare_portable(&sent, None, &sandbox).unwrap_err().to_string();
        assert!(error.contains("is another program here"), "{error}");
    }
}
