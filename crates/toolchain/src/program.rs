//! Programs that were built on another machine: a build is packed into one file, and unpacked into the cache of the machine that
//! plays it. A program is used only on the platform for which it was built.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::bot::{Bot, How, PrepareError, hex_digest, real_program};
use crate::build_cache::{BuildCache, source_name};
use crate::languages::{Language, find_program};

/// The largest packed program, in bytes.
pub const LARGEST_PROGRAM: usize = 64 << 20;
/// The longest list of the files in a packed program, in bytes.
const LONGEST_LIST: u64 = 1 << 20;
/// The libraries that compiled programs load.
const LIBRARIES: [&str; 2] = ["libc.so.6", "libstdc++.so.6"];

/// A program that was built on another machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SentProgram {
    /// SHA-256 of the packed program, in hexadecimal digits.
    pub digest: String,
    /// The platform for which it was built; see [`platform_of`].
    pub platform: String,
}

/// A file of a packed program. The list of all files comes first, as a line of JSON; then their contents in the same order.
#[derive(Serialize, Deserialize)]
struct PackedFile {
    path: String,
    bytes: u64,
    executable: bool,
}

/// The platform of this host for programs of a language: the processor, the libraries that programs load, and the
/// interpreter. A program runs on hosts with the same platform as on the host that built it. It is looked at once.
pub fn platform_of(language: &Language) -> String {
    static KNOWN: Mutex<BTreeMap<&str, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(language.name).or_insert_with(|| platform(language)).clone()
}

fn platform(language: &Language) -> String {
    static HOST: OnceLock<String> = OnceLock::new();
    let host = HOST.get_or_init(|| {
        let digests = LIBRARIES.map(|name| {
            let bytes = library(name).and_then(|path| fs::read(path).ok());
            bytes.map_or_else(|| "none".to_owned(), |bytes| hex_digest(&bytes)[..16].to_owned())
        });
        format!("{} {}", std::env::consts::ARCH, digests.join(" "))
    });
    // The interpreter, and the program that starts it.
    let words = language.run.iter().take_while(|word| !word.starts_with(['-', '{']));
    let files = words.filter_map(|word| fs::canonicalize(real_program(&find_program(word)?)).ok());
    files.fold(host.clone(), |platform, file| format!("{platform} {}", file.display()))
}

/// The file of a shared library of this host.
fn library(name: &str) -> Option<PathBuf> {
    let multiarch = format!("{}-linux-gnu", std::env::consts::ARCH);
    let folders = ["/lib64", "/usr/lib64", "/lib", "/usr/lib"];
    let own = ["/lib", "/usr/lib"].map(|folder| Path::new(folder).join(&multiarch));
    own.into_iter()
        .chain(folders.map(PathBuf::from))
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// The name of a sent program in the cache. A program of another machine never takes the place of one that was built here.
fn key_of(program: &SentProgram) -> String {
    format!("{}-sent", program.digest)
}

/// The caller's fault: a packed program that is not what it should be.
fn refused(why: &str) -> PrepareError {
    let error = io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    PrepareError::File("a program of another machine".into(), error)
}

impl BuildCache {
    /// Packs the program of a bot that was built here.
    ///
    /// # Errors
    ///
    /// When the bot has no build in this cache, or its files cannot be read.
    pub fn pack(&self, bot: &Bot) -> io::Result<Vec<u8>> {
        let missing = || io::Error::new(io::ErrorKind::NotFound, "the bot was not built here");
        let How::Program(program) = &bot.how else { return Err(missing()) };
        let folder = program.folder.as_deref().ok_or_else(missing)?;
        let manifest = self.key_of(folder).and_then(|key| self.manifest(&key)).ok_or_else(missing)?;
        let (mut list, mut contents) = (Vec::new(), Vec::new());
        for file in manifest.files {
            let path = folder.join(&file.path);
            let bytes = fs::read(&path)?;
            let executable = fs::metadata(&path)?.permissions().mode() & 0o111 != 0;
            list.push(PackedFile { path: file.path, bytes: bytes.len() as u64, executable });
            contents.push(bytes);
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        serde_json::to_writer(&mut packed, &list)?;
        packed.write_all(b"\n")?;
        for bytes in contents {
            packed.write_all(&bytes)?;
        }
        packed.finish()
    }

    /// The bot of a program of another machine, if the program is in this cache and can run here.
    pub fn sent(&self, name: &str, language: &Language, source: &[u8], program: &SentProgram) -> Option<Bot> {
        let key = key_of(program);
        if !self.runs_here(language, program) || !self.is_intact(&key) {
            return None;
        }
        self.touch(&key);
        let how = How::Program(self.program_at(&key, language, source));
        Some(Bot { name: name.to_owned(), asked: name.to_owned(), digest: Some(hex_digest(source)), how })
    }

    /// Whether a program of another machine can run here.
    pub fn runs_here(&self, language: &Language, program: &SentProgram) -> bool {
        let interpreter = language.run.first().filter(|word| !word.starts_with("{out}"));
        program.platform == platform_of(language)
            && interpreter.is_none_or(|word| find_program(word).is_some())
    }

    /// Takes a packed program of another machine into the cache.
    ///
    /// # Errors
    ///
    /// When it has another digest, is too large, was not built from this source, or cannot be written.
    pub fn take_sent(
        &self,
        language: &Language,
        source: &[u8],
        program: &SentProgram,
        packed: &[u8],
    ) -> Result<(), PrepareError> {
        if packed.len() > LARGEST_PROGRAM || hex_digest(packed) != program.digest {
            return Err(refused("its digest is another one"));
        }
        self.fill_place(&key_of(program), None, |folder| self.unpack(language, source, packed, folder))?;
        self.trim();
        Ok(())
    }

    fn unpack(
        &self,
        language: &Language,
        source: &[u8],
        packed: &[u8],
        folder: &Path,
    ) -> Result<(), PrepareError> {
        let bounds = self.bounds();
        let at = |error| PrepareError::File(folder.to_owned(), error);
        let mut bytes = Vec::new();
        let most = bounds.build_bytes.saturating_add(LONGEST_LIST);
        GzDecoder::new(packed).take(most + 1).read_to_end(&mut bytes).map_err(at)?;
        let end =
            bytes.iter().position(|byte| *byte == b'\n').ok_or_else(|| refused("it has no list of files"))?;
        let (list, mut rest) = (&bytes[..end], &bytes[end + 1..]);
        let list: Vec<PackedFile> =
            serde_json::from_slice(list).map_err(|_| refused("its list of files cannot be read"))?;
        if bytes.len() as u64 > most || list.len() > bounds.build_files {
            return Err(refused("it is too large"));
        }
        for file in &list {
            let path = Path::new(&file.path);
            let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
            let length = usize::try_from(file.bytes).ok().filter(|&length| length <= rest.len());
            let Some(length) = length.filter(|_| is_inside && !file.path.is_empty()) else {
                return Err(refused("one of its files is not whole, or outside"));
            };
            let (contents, after) = rest.split_at(length);
            rest = after;
            write(folder, path, contents, file.executable).map_err(at)?;
        }
        let own = fs::read(folder.join(source_name(language))).unwrap_or_default();
        if own == source { Ok(()) } else { Err(refused("it was built from another source")) }
    }
}

/// Writes a file and its folders. Every user may read them, since bots have users of their own.
fn write(folder: &Path, inside: &Path, contents: &[u8], executable: bool) -> io::Result<()> {
    let mut place = folder.to_owned();
    for part in inside.parent().into_iter().flat_map(Path::components) {
        place.push(part);
        fs::create_dir_all(&place)?;
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755))?;
    }
    let path = folder.join(inside);
    // A second file of the same name is refused.
    let mut file = fs::File::options().write(true).create_new(true).open(&path)?;
    file.write_all(contents)?;
    file.set_permissions(fs::Permissions::from_mode(if executable { 0o755 } else { 0o644 }))
}

#[cfg(test)]
mod tests {
    use sandbox::Sandbox;

    use super::*;
    use crate::submission::language;

    const SOURCE: &[u8] = b"echo 1\n";

    fn cache(folder: &Path) -> BuildCache {
        BuildCache::new(folder.to_owned(), crate::Bounds::SHARED)
    }

    fn packed(list: &str, contents: &[u8]) -> Vec<u8> {
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(list.as_bytes()).unwrap();
        packed.write_all(b"\n").unwrap();
        packed.write_all(contents).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn a_program_is_built_here_and_played_there() {
        let scratch = testing::scratch();
        let sandbox = Sandbox::new(Some(sandbox::Level::None)).unwrap();
        let (here, there) = (cache(&scratch.path().join("here")), cache(&scratch.path().join("there")));
        let bash = language("Bash").unwrap();
        let bot = here.build_source("a", "Bash", SOURCE, None, &sandbox).unwrap();
        let bytes = here.pack(&bot).unwrap();
        let program = SentProgram { digest: hex_digest(&bytes), platform: platform_of(bash) };
        assert!(there.sent("a", bash, SOURCE, &program).is_none());
        there.take_sent(bash, SOURCE, &program, &bytes).unwrap();
        let ready = there.sent("a", bash, SOURCE, &program).unwrap();
        assert_eq!((ready.name, ready.digest), (bot.name, bot.digest));
        let How::Program(run) = ready.how else { panic!() };
        assert_eq!(fs::read(run.argv.last().unwrap()).unwrap(), SOURCE);
        assert_eq!((here.compiled(), there.compiled()), (1, 0));
        // A damaged copy is not used, and can be taken again.
        fs::write(run.argv.last().unwrap(), "echo 2").unwrap();
        assert!(there.sent("a", bash, SOURCE, &program).is_none());
        there.take_sent(bash, SOURCE, &program, &bytes).unwrap();
        assert!(there.sent("a", bash, SOURCE, &program).is_some());
        // Nor is one for another platform.
        let other = SentProgram { platform: "pdp-11".into(), ..program };
        assert!(there.sent("a", bash, SOURCE, &other).is_none());
    }

    #[test]
    fn false_programs_are_refused() {
        let scratch = testing::scratch();
        let cache = cache(scratch.path());
        let bash = language("Bash").unwrap();
        let file =
            |path: &str, bytes: usize| format!(r#"{{"path":"{path}","bytes":{bytes},"executable":false}}"#);
        let own = file("bot.sh", SOURCE.len());
        let take = |bytes: &[u8], digest: &str| {
            let program = SentProgram { digest: digest.to_owned(), platform: platform_of(bash) };
            cache.take_sent(bash, SOURCE, &program, bytes).map_err(|error| error.to_string())
        };
        let good = packed(&format!("[{own}]"), SOURCE);
        assert_eq!(take(&good, &hex_digest(&good)), Ok(()));
        let error = take(&good, &"0".repeat(64)).unwrap_err();
        assert!(error.contains("its digest is another one"), "{error}");
        let escape = scratch.path().join("../escape");
        for (list, contents, why) in [
            (format!("[{}]", file("bot.sh", 3)), &b"ls\n"[..], "another source"),
            (format!("[{own},{}]", file("../../escape", 0)), SOURCE, "outside"),
            (format!("[{own},{}]", file("/tmp/escape", 0)), SOURCE, "outside"),
            (format!("[{own},{}]", file("x", 1)), SOURCE, "not whole"),
            (format!("[{own},{own}]"), &[SOURCE, SOURCE].concat()[..], "exists"),
            ("nothing".to_owned(), SOURCE, "cannot be read"),
        ] {
            let bytes = packed(&list, contents);
            let error = take(&bytes, &hex_digest(&bytes)).unwrap_err();
            assert!(error.contains(why), "{error}: {why}");
        }
        assert!(!escape.exists());
    }
}
