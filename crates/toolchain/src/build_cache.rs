//! Compiled bots on disk: each is built once per source, checked before it is used, and removed when space is short.
//!
//! A build is a folder `KEY` with two entries: `program`, which the compiler can write and the bot sees, and
//! `manifest.json`, which lists the files of the program with their digests and which no compiler can reach. The
//! folder is made under another name, synced and renamed, so it is complete or missing after a crash. A build whose
//! files do not match its manifest is made again.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use sandbox::{Exit, Limits, Program, Sandbox};
use serde::{Deserialize, Serialize};

use crate::bot::{Bot, BotSpec, How, PrepareError, fill, hex_digest, real_program, with_full_path};
use crate::languages::{LANGUAGES, Language, find_program, java_main_class};

const MIB: u64 = 1 << 20;

/// The file that describes a finished build.
const MANIFEST: &str = "manifest.json";
/// The folder of the program in a build.
const PROGRAM: &str = "program";
/// The prefix of folders whose build is not finished.
const BUILDING: &str = "building.";
/// The prefix of folders that are being removed.
const REMOVING: &str = "removing.";
/// The time limit of a compiler.
const COMPILE_TIME: Duration = Duration::from_secs(30);
/// The most bytes of a compiler's output that are kept.
const COMPILE_OUTPUT: usize = 64 << 10;
/// An unfinished build of another process is removed after this time.
const ABANDONED: Duration = Duration::from_hours(1);

/// The number of folders that this process has begun.
static NUMBER: AtomicU64 = AtomicU64::new(0);

/// The bounds of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Bytes of one build, with everything the compiler leaves behind.
    pub build_bytes: u64,
    /// Files of one build.
    pub build_files: usize,
    /// Bytes of all builds of one owner.
    pub owner_bytes: u64,
    /// Bytes of all builds.
    pub total_bytes: u64,
    /// A build that was used within this time is kept: another process may be using it.
    pub keep: Duration,
}

impl Bounds {
    /// For a cache that several processes of a user share.
    pub const SHARED: Bounds = Bounds {
        build_bytes: 64 * MIB,
        build_files: 1000,
        owner_bytes: u64::MAX,
        total_bytes: 4096 * MIB,
        keep: Duration::from_hours(24),
    };
    /// For the arena, which is the only user of its cache and builds the programs of strangers.
    pub const ARENA: Bounds =
        Bounds { owner_bytes: 256 * MIB, total_bytes: 8192 * MIB, keep: Duration::ZERO, ..Bounds::SHARED };
}

/// Prepares bots. Compiled programs are kept by the digest of their source. Clones share their state.
#[derive(Clone, Debug)]
pub struct BuildCache {
    folder: PathBuf,
    bounds: Bounds,
    debug: bool,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default, Debug)]
struct Shared {
    /// The files of each build that were compared with their digests, and are not read again while they look the same.
    checked: HashMap<String, Vec<Stamp>>,
    /// The builds in use.
    held: HashMap<String, Weak<Held>>,
    /// The number of compilers that were started.
    compiled: u64,
}

/// A sign that a file is unchanged: size, time of change of its data and of its entry, inode.
type Stamp = (u64, i64, i64, i64, u64);

#[derive(Debug)]
struct Held;

/// Keeps a build from being removed.
#[derive(Clone, Debug)]
pub struct Hold {
    _held: Option<Arc<Held>>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The user of the arena whose source this is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    pub(crate) files: Vec<FileEntry>,
}

#[derive(Serialize, Deserialize)]
pub(crate) struct FileEntry {
    pub(crate) path: String,
    bytes: u64,
    sha256: String,
}

impl BuildCache {
    /// A cache in this folder.
    pub fn new(folder: PathBuf, bounds: Bounds) -> BuildCache {
        // A bot runs in its own folder, where a relative path would have another meaning.
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        BuildCache { folder, bounds, debug: false, shared: Arc::default() }
    }

    /// The same cache for programs with information for a debugger.
    #[must_use]
    pub fn for_debugger(self) -> BuildCache {
        BuildCache { debug: true, ..self }
    }

    fn compiler(&self, language: &Language) -> &'static [&'static str] {
        if self.debug && !language.compile_debug.is_empty() {
            language.compile_debug
        } else {
            language.compile
        }
    }

    /// The usual folder: `$XDG_CACHE_HOME/agon/bots`, `~/.cache/agon/bots`, or one for temporary files.
    pub fn usual() -> BuildCache {
        let cache = std::env::var_os("XDG_CACHE_HOME")
            .filter(|folder| !folder.is_empty())
            .map(PathBuf::from)
            .or_else(|| std::env::home_dir().map(|home| home.join(".cache")))
            .unwrap_or_else(std::env::temp_dir);
        BuildCache::new(cache.join("agon").join("bots"), Bounds::SHARED)
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
                let language = Language::of(path).unwrap_or(&LANGUAGES[0]);
                let source = fs::read(path).map_err(|error| PrepareError::File(path.clone(), error))?;
                let (program, digest) = self.program_of(asked, language, &source, None, sandbox)?;
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
            BotSpec::WithVariables(variables, inner) => {
                let mut bot = self.prepare(asked, inner, sandbox)?;
                if let How::Program(program) = &mut bot.how {
                    program.env.extend(variables.iter().map(|(name, value)| (name.into(), value.into())));
                }
                Ok(bot)
            }
        }
    }

    /// Prepares a bot whose source is given as text. The source comes from a stranger: its file gets a fixed name, and
    /// the space of its build counts for `owner`.
    ///
    /// # Errors
    ///
    /// When there is no compiler or interpreter, or the source does not compile; the message says what to do.
    pub fn prepare_text(
        &self,
        name: &str,
        language: &'static Language,
        source: &[u8],
        owner: Option<&str>,
        sandbox: &Sandbox,
    ) -> Result<Bot, PrepareError> {
        let (program, digest) = self.program_of(name, language, source, owner, sandbox)?;
        let (asked, name) = (name.to_owned(), name.to_owned());
        Ok(Bot { name, asked, digest: Some(digest), how: How::Program(program) })
    }

    /// Keeps the build of a bot while it plays; `None` if the build is missing or damaged, and must be made again. Bots
    /// that were not built here need no protection.
    pub fn hold(&self, bot: &Bot) -> Option<Hold> {
        let How::Program(program) = &bot.how else { return Some(Hold { _held: None }) };
        let key = program.folder.as_deref().and_then(|folder| self.key_of(folder));
        let Some(key) = key else { return Some(Hold { _held: None }) };
        // Held first and checked then, so that it cannot be removed in between.
        let held = {
            let mut shared = self.shared();
            let held = shared.held.get(&key).and_then(Weak::upgrade).unwrap_or_else(|| Arc::new(Held));
            shared.held.insert(key.clone(), Arc::downgrade(&held));
            held
        };
        self.is_intact(&key).then_some(Hold { _held: Some(held) })
    }

    /// Removes the remains of builds that were interrupted, and builds beyond the bounds. Only the process that uses
    /// this folder alone may call it, before it builds.
    pub fn clean(&self) {
        for (name, path) in self.entries() {
            let unfinished = name.starts_with(BUILDING) || name.starts_with(REMOVING);
            if unfinished || !path.join(MANIFEST).is_file() {
                remove(&path);
            }
        }
        self.trim();
    }

    /// Removes the builds that were not used for the longest time, first of each owner and then of all, until the bounds
    /// hold. A build that is removed is made again when it is needed.
    pub(crate) fn trim(&self) {
        let now = SystemTime::now();
        let mut builds = Vec::new();
        for (name, path) in self.entries() {
            let manifest = path.join(MANIFEST);
            let used = fs::metadata(&manifest).and_then(|manifest| manifest.modified());
            let (Ok(used), Some(manifest)) = (used, self.manifest(&name)) else {
                let age = fs::metadata(&path).and_then(|folder| folder.modified()).ok();
                if age.and_then(|age| now.duration_since(age).ok()).is_some_and(|age| age > ABANDONED) {
                    remove(&path);
                }
                continue;
            };
            let bytes = manifest.files.iter().map(|file| file.bytes).sum::<u64>();
            builds.push(Build { name, path, used, owner: manifest.owner, bytes });
        }
        // The longest unused first.
        builds.sort_by_key(|build| build.used);
        let mut total: u64 = builds.iter().map(|build| build.bytes).sum();
        let mut of_owner: HashMap<String, u64> = HashMap::new();
        for build in &builds {
            *of_owner.entry(build.owner.clone().unwrap_or_default()).or_default() += build.bytes;
        }
        for build in builds {
            let owned = of_owner.entry(build.owner.clone().unwrap_or_default()).or_default();
            let over = total > self.bounds.total_bytes
                || (build.owner.is_some() && *owned > self.bounds.owner_bytes);
            let recent = now.duration_since(build.used).is_ok_and(|unused| unused < self.bounds.keep);
            if over && !recent && self.forget(&build.name) {
                total -= build.bytes;
                *owned -= build.bytes;
                remove(&build.path);
            }
        }
    }

    /// Whether a build is not in use; what is known of it is forgotten.
    fn forget(&self, key: &str) -> bool {
        let mut shared = self.shared();
        if shared.held.get(key).is_some_and(|held| held.strong_count() > 0) {
            return false;
        }
        shared.held.remove(key);
        shared.checked.remove(key);
        true
    }

    /// The program of a source, compiled now or earlier, and the digest of the source.
    fn program_of(
        &self,
        asked: &str,
        language: &'static Language,
        source: &[u8],
        owner: Option<&str>,
        sandbox: &Sandbox,
    ) -> Result<(Program, String), PrepareError> {
        let digest = hex_digest(source);
        if let Some(program) = language.missing() {
            let (language, package, program) = (language.name, language.package, program.to_owned());
            return Err(PrepareError::NoLanguage { language, program, package });
        }
        // The commands are part of the name: another way to compile makes another program.
        let recipe =
            hex_digest([self.compiler(language).join(" "), language.run.join(" ")].join("|").as_bytes());
        let key = format!("{digest}-{}", &recipe[..8]);
        if self.is_intact(&key) {
            self.touch(&key);
        } else {
            self.build(asked, language, source, owner, &key, &source_name(language), sandbox)?;
            self.trim();
        }
        Ok((self.program_at(&key, language, source), digest))
    }

    /// The command that runs a build.
    pub(crate) fn program_at(&self, key: &str, language: &Language, source: &[u8]) -> Program {
        let folder = self.program_folder(key);
        let class = java_main_class(&String::from_utf8_lossy(source)).unwrap_or_else(|| "Bot".to_owned());
        let file = folder.join(source_name(language));
        let argv = with_full_path(fill(language.run, &file, &folder, &class));
        Program { argv, folder: Some(folder), writable: None, env: Vec::new() }
    }

    pub(crate) fn program_folder(&self, key: &str) -> PathBuf {
        self.folder.join(key).join(PROGRAM)
    }

    /// Notes that a build is used: the order in which builds are removed. A time that cannot be set does no harm.
    pub(crate) fn touch(&self, key: &str) {
        let _ = fs::File::options()
            .append(true)
            .open(self.folder.join(key).join(MANIFEST))
            .and_then(|manifest| manifest.set_modified(SystemTime::now()));
    }

    /// The number of compilers that were started for this cache by this process.
    pub fn compiled(&self) -> u64 {
        self.shared().compiled
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Builds a source in a folder of its own, and moves the folder to its place.
    #[expect(clippy::too_many_arguments, reason = "one caller")]
    fn build(
        &self,
        asked: &str,
        language: &'static Language,
        source: &[u8],
        owner: Option<&str>,
        key: &str,
        file_name: &str,
        sandbox: &Sandbox,
    ) -> Result<(), PrepareError> {
        self.fill_place(key, owner, |building| {
            self.compile(asked, language, source, file_name, building, sandbox)
        })
    }

    /// Makes a build in a folder of its own with `make`, which puts the program into its folder `program`, and moves it to its
    /// place.
    pub(crate) fn fill_place(
        &self,
        key: &str,
        owner: Option<&str>,
        make: impl FnOnce(&Path) -> Result<(), PrepareError>,
    ) -> Result<(), PrepareError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| PrepareError::File(path, error)
        };
        fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
        fs::set_permissions(&self.folder, fs::Permissions::from_mode(0o755)).map_err(at(&self.folder))?;
        // Several threads and processes may build the same source.
        let building = self.folder.join(temporary_name(BUILDING));
        let begin = || -> io::Result<()> {
            // The bot runs as another user, which must be able to read it whatever the umask of this process is.
            for folder in [building.clone(), building.join(PROGRAM)] {
                fs::create_dir_all(&folder)?;
                fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
            }
            Ok(())
        };
        let finish = || -> io::Result<()> {
            let files = synced_files(&building.join(PROGRAM))?;
            let manifest = Manifest { owner: owner.map(str::to_owned), files };
            let path = building.join(MANIFEST);
            fs::write(&path, serde_json::to_vec(&manifest)?)?;
            fs::File::open(&path)?.sync_all()?;
            fs::File::open(&building)?.sync_all()?;
            self.put(&building, key)?;
            fs::File::open(&self.folder)?.sync_all()
        };
        let done = begin()
            .map_err(at(&building))
            .and_then(|()| make(&building.join(PROGRAM)))
            .and_then(|()| finish().map_err(at(&self.folder.join(key))));
        // A build that failed, or that another process made first.
        remove(&building);
        done
    }

    /// Moves a finished build to its place. A damaged build is replaced, an intact one of another process is kept.
    fn put(&self, building: &Path, key: &str) -> io::Result<()> {
        let place = self.folder.join(key);
        for _ in 0..10 {
            match fs::rename(building, &place) {
                Ok(()) => return Ok(()),
                Err(error) if !place.exists() => return Err(error),
                Err(_) if self.is_intact(key) => return Ok(()),
                Err(_) => {
                    let removing = self.folder.join(temporary_name(REMOVING));
                    // If it is gone, another process has moved it.
                    let _ = fs::rename(&place, &removing);
                    remove(&removing);
                }
            }
        }
        Err(io::Error::other("other processes replace the build again and again"))
    }

    /// Writes the source into a new folder and compiles it there, in the sandbox.
    fn compile(
        &self,
        asked: &str,
        language: &'static Language,
        source: &[u8],
        file_name: &str,
        folder: &Path,
        sandbox: &Sandbox,
    ) -> Result<(), PrepareError> {
        let at = |error| PrepareError::File(folder.to_owned(), error);
        fs::write(folder.join(file_name), source).map_err(at)?;
        fs::set_permissions(folder.join(file_name), fs::Permissions::from_mode(0o644)).map_err(at)?;
        let compiler = self.compiler(language);
        if compiler.is_empty() {
            return Ok(());
        }
        let argv = with_full_path(fill(compiler, &folder.join(file_name), folder, ""));
        let program = Program {
            argv,
            folder: Some(folder.to_owned()),
            writable: Some(folder.to_owned()),
            env: Vec::new(),
        };
        self.shared().compiled += 1;
        let mut limits = Limits::COMPILE;
        limits.file_bytes = limits.file_bytes.min(self.bounds.build_bytes);
        let mut fits = || space(folder).is_ok_and(|space| self.allows(space));
        let done = sandbox
            .run_while(&program, &limits, b"", COMPILE_TIME, COMPILE_OUTPUT, &mut fits)
            .map_err(PrepareError::Sandbox)?;
        let fits = !done.refused && fits();
        if done.exit == Exit::Code(0) && fits {
            return Ok(());
        }
        let said =
            String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        // The path of the cache is not useful to the reader.
        let said = said.replace(&format!("{}/", folder.display()), "");
        let mut said = name_users_file(&said, file_name, asked);
        if done.timed_out {
            said += "\nthe compiler took longer than 30 s";
        }
        if !fits {
            let (mib, files) = (self.bounds.build_bytes / MIB, self.bounds.build_files);
            said = format!("{said}\nthe compiler wrote more than {mib} MiB or more than {files} files");
        }
        Err(PrepareError::Compile { asked: asked.to_owned(), said, slow: done.timed_out })
    }

    fn allows(&self, (bytes, files): (u64, usize)) -> bool {
        bytes <= self.bounds.build_bytes && files <= self.bounds.build_files
    }

    /// Whether a build is complete and its files are as its manifest says. Files that look the same as at the last
    /// check are not read again.
    pub(crate) fn is_intact(&self, key: &str) -> bool {
        let Some(manifest) = self.manifest(key) else { return false };
        let folder = self.folder.join(key).join(PROGRAM);
        let paths = || manifest.files.iter().map(|file| folder.join(&file.path));
        let Some(stamps) = paths().map(|path| stamp(&path)).collect::<Option<Vec<Stamp>>>() else {
            return false;
        };
        if self.shared().checked.get(key) == Some(&stamps) {
            return true;
        }
        let same = manifest.files.iter().zip(paths()).all(|(file, path)| {
            fs::read(path)
                .is_ok_and(|bytes| bytes.len() as u64 == file.bytes && hex_digest(&bytes) == file.sha256)
        });
        if same {
            self.shared().checked.insert(key.to_owned(), stamps);
        }
        same
    }

    pub(crate) fn manifest(&self, key: &str) -> Option<Manifest> {
        serde_json::from_slice(&fs::read(self.folder.join(key).join(MANIFEST)).ok()?).ok()
    }

    /// The key of the build with this program folder; `None` for other folders.
    pub(crate) fn key_of(&self, folder: &Path) -> Option<String> {
        let build = folder.strip_prefix(&self.folder).ok()?.parent()?;
        build.to_str().map(str::to_owned)
    }

    fn entries(&self) -> Vec<(String, PathBuf)> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path())).collect()
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Build {
    name: String,
    path: PathBuf,
    used: SystemTime,
    owner: Option<String>,
    bytes: u64,
}

/// The name of the source in a build.
pub(crate) fn source_name(language: &Language) -> String {
    format!("bot.{}", language.extensions[0])
}

fn temporary_name(prefix: &str) -> String {
    format!("{prefix}{}.{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Removes a folder. A folder that cannot be removed does no harm.
fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}

fn stamp(path: &Path) -> Option<Stamp> {
    let file = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((file.len(), file.mtime(), file.mtime_nsec(), file.ctime_nsec(), file.ino()))
}

/// Calls a function for everything in a folder and the folders below. The compiler may have written anything:
/// symbolic links are not followed.
fn walk(folder: &Path, see: &mut dyn FnMut(&Path, &fs::Metadata) -> io::Result<()>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let found = match fs::symlink_metadata(&path) {
            // The compiler removes its temporary files.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            found => found?,
        };
        see(&path, &found)?;
        if found.is_dir() {
            match walk(&path, see) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                walked => walked?,
            }
        }
    }
    Ok(())
}

/// The bytes on disk and the number of entries of a folder.
fn space(folder: &Path) -> io::Result<(u64, usize)> {
    let (mut bytes, mut files) = (0, 0);
    walk(folder, &mut |_, found| {
        bytes += found.len().max(found.blocks() * 512);
        files += 1;
        Ok(())
    })?;
    Ok((bytes, files))
}

/// The files of a finished program with their digests; everything is on disk when this returns. What is neither a file
/// nor a folder is removed: no program needs it.
fn synced_files(folder: &Path) -> io::Result<Vec<FileEntry>> {
    let mut files = Vec::new();
    walk(folder, &mut |path, found| {
        if found.is_file() {
            let bytes = fs::read(path)?;
            fs::File::open(path)?.sync_all()?;
            let inside = path.strip_prefix(folder).unwrap_or(path);
            // A name that is not text cannot be the name of a part of the program.
            if let Some(inside) = inside.to_str() {
                let sha256 = hex_digest(&bytes);
                files.push(FileEntry { path: inside.to_owned(), bytes: bytes.len() as u64, sha256 });
            }
            Ok(())
        } else if found.is_dir() {
            fs::File::open(path)?.sync_all()
        } else {
            fs::remove_file(path)
        }
    })?;
    fs::File::open(folder)?.sync_all()?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The output of a compiler with the name of the user's file instead of the name of its copy in the cache.
fn name_users_file(said: &str, copy: &str, asked: &str) -> String {
    if Path::new(asked).is_file() { said.replace(copy, asked) } else { said.to_owned() }
}
