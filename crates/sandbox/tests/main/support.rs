//! What the tests share: a sandbox of each level, a folder, and a program that tries things.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sandbox::{Finished, Level, Limits, Program, Sandbox};

pub(crate) const BOXED: [Level; 3] = [Level::A, Level::B, Level::C];
pub(crate) const ALL: [Level; 4] = [Level::A, Level::B, Level::C, Level::None];
/// Long enough for a busy machine; nothing here waits for it unless something is wrong.
pub(crate) const LONG: Duration = Duration::from_secs(20);

/// Runs a check at each of these levels. In strict mode the host must reach all of them.
#[track_caller]
pub(crate) fn at_each(levels: &[Level], check: impl Fn(&Sandbox)) {
    for &level in levels {
        match Sandbox::new(Some(level)) {
            Ok(sandbox) => {
                assert_eq!(sandbox.level(), level);
                check(&sandbox);
            }
            Err(not) => {
                let no_landlock = not.to_string().contains("no landlock");
                assert!(level < Level::C || no_landlock, "level {level} is reached everywhere: {not}");
                let _ = testing::require(&format!("level {level} of the sandbox ({not})"), false);
            }
        }
    }
}

/// Root of the host, or of a container that has user ids to give away.
pub(crate) fn is_root() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    let ids = map.split_whitespace().nth(2).and_then(|count| count.parse::<u64>().ok());
    rustix::process::geteuid().is_root() && ids > Some(60_000)
}

/// A folder of this test's own that everybody may read, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("box-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Folder(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left_behind = fs::remove_dir_all(&self.0);
    }
}

/// The folder with the compiled `probe.c`. The linker Rust itself needs is a C compiler.
pub(crate) fn probe() -> &'static Path {
    static PROBE: OnceLock<PathBuf> = OnceLock::new();
    PROBE.get_or_init(|| {
        if let Some(folder) = std::env::var_os("BOX_TEST_PROBE") {
            return folder.into();
        }
        // One for all runs: a static has no end at which it could be removed.
        let folder =
            std::env::temp_dir().join(format!("box-test-probe-{}", rustix::process::geteuid().as_raw()));
        fs::create_dir_all(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main/probe.c");
        let new = folder.join(format!("new-{}", std::process::id()));
        let built = Command::new("cc").args(["-O1", "-o"]).arg(&new).arg(source).status().unwrap();
        assert!(built.success());
        fs::rename(new, folder.join("probe")).unwrap();
        folder
    })
}

pub(crate) fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

/// `./probe` with these attempts.
pub(crate) fn attempts(attempts: &[&str]) -> Program {
    let mut argv = words(&["./probe"]);
    argv.extend(words(attempts));
    Program { argv, folder: Some(probe().to_owned()), ..Program::default() }
}

pub(crate) fn shell(script: &str) -> Program {
    Program { argv: words(&["sh", "-c", script]), folder: Some(probe().to_owned()), ..Program::default() }
}

pub(crate) fn run(sandbox: &Sandbox, program: &Program) -> Finished {
    run_with(sandbox, program, &Limits::BOT)
}

pub(crate) fn run_with(sandbox: &Sandbox, program: &Program, limits: &Limits) -> Finished {
    sandbox.run(program, limits, b"", LONG, 1 << 20).unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The number after a word in the probe's report; an error as its name.
pub(crate) fn said(finished: &Finished, word: &str) -> String {
    let stdout = text(&finished.stdout);
    let line = stdout.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    let everything = || format!("{word} in {stdout}{}", text(&finished.stderr));
    line.unwrap_or_else(|| panic!("no {}", everything())).to_owned()
}

pub(crate) fn number(finished: &Finished, word: &str) -> i64 {
    said(finished, word).parse().unwrap()
}

/// Processes of the host whose command line has this word in it.
pub(crate) fn processes_with(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let is_process = entry.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        if is_process && text(&line).split('\0').any(|argument| argument == word) {
            found.push(text(&line).replace('\0', " "));
        }
    }
    found
}

/// Waits until something is so; panics if it never is. Returns how long it took.
pub(crate) fn until(what: &str, mut so: impl FnMut() -> bool) -> Duration {
    let began = Instant::now();
    while !so() {
        assert!(began.elapsed() < LONG, "never {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
    began.elapsed()
}

/// A word no other process has on its command line.
pub(crate) fn unique() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("10{}0{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}
