//! Bots: from the words on a command line to a program that can be started.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use sandbox::{Exit, Limits, Program, Sandbox, StartError};
use sha2::{Digest, Sha256};

use crate::built_in::Builtin;
use crate::languages::{LANGUAGES, Language, find_program, java_main_class};

/// A bot as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BotSpec {
    /// `@random`, `@boss`, `@champion` and so on.
    Builtin(Builtin),
    /// A source file in a known language.
    Source(PathBuf),
    /// A command line.
    Command(Vec<String>),
}

/// Words that do not name a bot. The fault is the caller's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BotSpecError {
    /// No game has a built-in bot of this name.
    #[error("there is no built-in bot `{asked}`; choose one of: {known}")]
    UnknownBuiltin {
        /// The words.
        asked: String,
        /// The names of the built-in bots.
        known: String,
    },
    /// There are no words.
    #[error("a bot needs a command, a source file or an @name")]
    Empty,
    /// A quotation mark is not closed.
    #[error("`{0}` is not a command line: {1}")]
    NotACommand(String, #[source] shell_words::ParseError),
}

impl std::str::FromStr for BotSpec {
    type Err = BotSpecError;

    fn from_str(text: &str) -> Result<BotSpec, BotSpecError> {
        if let Some(name) = text.strip_prefix('@') {
            return Builtin::find(name).map(BotSpec::Builtin).ok_or_else(|| {
                let known: Vec<String> = Builtin::names(None).iter().map(|name| format!("@{name}")).collect();
                BotSpecError::UnknownBuiltin { asked: text.to_owned(), known: known.join(", ") }
            });
        }
        let path = Path::new(text);
        if path.is_file() && Language::of(path).is_some() {
            return Ok(BotSpec::Source(path.to_owned()));
        }
        if path.is_file() {
            return Ok(BotSpec::Command(vec![text.to_owned()]));
        }
        match shell_words::split(text) {
            Ok(words) if words.is_empty() => Err(BotSpecError::Empty),
            Ok(words) => Ok(BotSpec::Command(words)),
            Err(error) => Err(BotSpecError::NotACommand(text.to_owned(), error)),
        }
    }
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
    /// The host's fault: a file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The sandbox could not run the compiler; its error says whose fault it is.
    #[error("the compiler could not be started: {0}")]
    Sandbox(#[source] StartError),
}

/// Prepares bots. Compiled programs are kept by the digest of their source.
#[derive(Clone, Debug)]
pub struct BuildCache {
    cache: PathBuf,
}

/// The number of builds that this process has begun.
static BUILDING: AtomicU64 = AtomicU64::new(0);

/// The file that marks a folder whose build is complete.
const READY: &str = "ready";
/// The time limit of a compiler.
const COMPILE_TIME: Duration = Duration::from_secs(30);
/// The most bytes of a compiler's output that are kept.
const COMPILE_OUTPUT: usize = 64 << 10;

impl BuildCache {
    /// A cache in this folder.
    pub fn new(cache: PathBuf) -> BuildCache {
        // A bot runs in its own folder, where a relative path would have another meaning.
        let cache = std::path::absolute(&cache).unwrap_or(cache);
        BuildCache { cache }
    }

    /// The usual folder: `$XDG_CACHE_HOME/agon/bots`, `~/.cache/agon/bots`, or one for temporary files.
    pub fn usual() -> BuildCache {
        let cache = std::env::var_os("XDG_CACHE_HOME")
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
            .unwrap_or_else(std::env::temp_dir);
        BuildCache::new(cache.join("agon").join("bots"))
    }

    /// Prepares a bot to play.
    ///
    /// # Errors
    ///
    /// When the program or compiler does not exist, or the source does not compile; the message says what to do.
    pub fn prepare(&self, asked: &str, spec: &BotSpec, sandbox: &Sandbox) -> Result<Bot, PrepareError> {
        let bot = |name: String, digest, how| Bot { name, asked: asked.to_owned(), digest, how };
        match spec {
            BotSpec::Builtin(builtin) => {
                Ok(bot(format!("@{}", builtin.name()), None, How::Builtin(*builtin)))
            }
            BotSpec::Source(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let (program, digest) = self.prepare_source(asked, path, sandbox)?;
                Ok(bot(name, Some(digest), How::Program(program)))
            }
            BotSpec::Command(words) => {
                let found =
                    find_program(&words[0]).ok_or_else(|| PrepareError::NotFound(words[0].clone()))?;
                // The digest is that of the script if the program is an interpreter, else of the program itself.
                let file =
                    words[1..].iter().map(PathBuf::from).find(|word| word.is_file()).unwrap_or(found.clone());
                let digest = fs::read(&file).ok().map(|bytes| hex_digest(&bytes));
                let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
                argv[0] = real_program(&found).into_os_string();
                let folder =
                    std::env::current_dir().map_err(|error| PrepareError::File(".".into(), error))?;
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let program = Program { argv, folder: Some(folder), writable: None, env: Vec::new() };
                Ok(bot(name, digest, How::Program(program)))
            }
        }
    }

    /// Prepares a bot whose source is given as text. The source comes from a stranger: its file gets a fixed name.
    ///
    /// # Errors
    ///
    /// When there is no compiler or interpreter, or the source does not compile; the message says what to do.
    pub fn prepare_text(
        &self,
        name: &str,
        language: &'static Language,
        source: &[u8],
        sandbox: &Sandbox,
    ) -> Result<Bot, PrepareError> {
        let (program, digest) = self.program_of(name, language, source, sandbox)?;
        let (asked, name) = (name.to_owned(), name.to_owned());
        Ok(Bot { name, asked, digest: Some(digest), how: How::Program(program) })
    }

    /// Removes unfinished builds of processes that were killed, and all programs but the newest `keep`. Only the
    /// process that uses this folder may call it, before it plays: a program that was removed is built again when it
    /// is needed.
    pub fn sweep(&self, keep: usize) {
        let mut programs: Vec<(Option<SystemTime>, PathBuf)> = fs::read_dir(&self.cache)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| {
                let ready = fs::symlink_metadata(entry.path().join(READY));
                (ready.and_then(|ready| ready.modified()).ok(), entry.path())
            })
            .collect();
        // The newest first, unfinished ones last.
        programs.sort_by(|a, b| b.cmp(a));
        for (number, (made, path)) in programs.into_iter().enumerate() {
            if made.is_none() || number >= keep {
                // A folder that cannot be removed does no harm.
                let _ = fs::remove_dir_all(path);
            }
        }
    }

    /// The program of a source file, compiled now or earlier, and the digest of the source.
    fn prepare_source(
        &self,
        asked: &str,
        path: &Path,
        sandbox: &Sandbox,
    ) -> Result<(Program, String), PrepareError> {
        let language = Language::of(path).unwrap_or(&LANGUAGES[0]);
        let source = fs::read(path).map_err(|error| PrepareError::File(path.to_owned(), error))?;
        self.program_of(asked, language, &source, sandbox)
    }

    /// The program of a source, compiled now or earlier, and the digest of the source.
    fn program_of(
        &self,
        asked: &str,
        language: &'static Language,
        source: &[u8],
        sandbox: &Sandbox,
    ) -> Result<(Program, String), PrepareError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| PrepareError::File(path, error)
        };
        let digest = hex_digest(source);
        if let Some(program) = language.missing() {
            let (language, package, program) = (language.name, language.package, program.to_owned());
            return Err(PrepareError::NoLanguage { language, program, package });
        }
        // The commands are part of the name: another way to compile makes another program.
        let recipe = hex_digest([language.compile.join(" "), language.run.join(" ")].join("|").as_bytes());
        let folder = self.cache.join(format!("{digest}-{}", &recipe[..8]));
        let file_name = format!("bot.{}", language.extensions[0]);
        if !folder.join(READY).exists() {
            fs::create_dir_all(&self.cache).map_err(at(&self.cache))?;
            fs::set_permissions(&self.cache, fs::Permissions::from_mode(0o755)).map_err(at(&self.cache))?;
            // Several threads and processes may build the same source.
            let number = BUILDING.fetch_add(1, Ordering::Relaxed);
            let building = self.cache.join(format!("{digest}.{}.{number}", std::process::id()));
            let built = build(asked, language, source, &file_name, &building, sandbox);
            let done = built.and_then(|()| {
                // Another process may have been faster; its result is equivalent.
                match fs::rename(&building, &folder) {
                    Err(error) if !folder.join(READY).exists() => {
                        Err(PrepareError::File(folder.clone(), error))
                    }
                    _ => Ok(()),
                }
            });
            if building.exists() {
                // A build that failed, or that another process made first.
                let _ = fs::remove_dir_all(&building);
            }
            done?;
        }
        let class = String::from_utf8_lossy(source);
        let class = java_main_class(&class).unwrap_or("Bot");
        let argv = fill(language.run, &folder.join(&file_name), &folder, class);
        let argv = with_full_path(argv);
        Ok((Program { argv, folder: Some(folder), writable: None, env: Vec::new() }, digest))
    }
}

/// Writes the source into a new folder and compiles it there, in the sandbox.
fn build(
    asked: &str,
    language: &'static Language,
    source: &[u8],
    file_name: &str,
    folder: &Path,
    sandbox: &Sandbox,
) -> Result<(), PrepareError> {
    let at = |error| PrepareError::File(folder.to_owned(), error);
    fs::create_dir_all(folder).map_err(at)?;
    // The bot runs as another user, which must be able to read it whatever the umask of this process is.
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).map_err(at)?;
    fs::write(folder.join(file_name), source).map_err(at)?;
    fs::set_permissions(folder.join(file_name), fs::Permissions::from_mode(0o644)).map_err(at)?;
    if !language.compile.is_empty() {
        let argv = with_full_path(fill(language.compile, &folder.join(file_name), folder, ""));
        let program = Program {
            argv,
            folder: Some(folder.to_owned()),
            writable: Some(folder.to_owned()),
            env: Vec::new(),
        };
        let done = sandbox
            .run(&program, &Limits::COMPILE, b"", COMPILE_TIME, COMPILE_OUTPUT)
            .map_err(PrepareError::Sandbox)?;
        if done.exit != Exit::Code(0) {
            let said =
                String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
            // The path of the cache is not useful to the reader.
            let mut said = said.replace(&format!("{}/", folder.display()), "");
            if done.timed_out {
                said += "\nthe compiler took longer than 30 s";
            }
            return Err(PrepareError::Compile { asked: asked.to_owned(), said });
        }
    }
    // The compiler can write here: if it left a file of this name, that file is not opened.
    fs::File::create_new(folder.join(READY)).map(drop).map_err(at)
}

fn fill(words: &[&str], source: &Path, out: &Path, class: &str) -> Vec<OsString> {
    let (source, out) = (source.to_string_lossy(), out.to_string_lossy());
    words
        .iter()
        .map(|word| word.replace("{source}", &source).replace("{out}", &out).replace("{class}", class).into())
        .collect()
}

fn with_full_path(mut argv: Vec<OsString>) -> Vec<OsString> {
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
fn real_program(found: &Path) -> PathBuf {
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

fn hex_digest(bytes: &[u8]) -> String {
    catalog::record::hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_cache_is_absolute() {
        assert!(BuildCache::new(PathBuf::from("data/bots")).cache.is_absolute());
    }

    #[test]
    fn bots_are_named_in_three_ways() {
        let read = |text: &str| text.parse::<BotSpec>();
        assert_eq!(read("@random"), Ok(BotSpec::Builtin(Builtin::Random)));
        assert!(read("@champ").unwrap_err().to_string().contains("@boss, @random, @wait, @boss-1"));
        let words = vec!["python3".to_owned(), "my bot.py".to_owned(), "-x".to_owned()];
        assert_eq!(read("python3 'my bot.py' -x"), Ok(BotSpec::Command(words)));
        assert!(read("python3 'my bot.py").unwrap_err().to_string().contains("not a command line"));
        assert!(read("  ").is_err());
        let this = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bot.rs");
        assert_eq!(read(this), Ok(BotSpec::Source(this.into())));
    }
}
