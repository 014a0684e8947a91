//! Finds the file of a command, and the files of the host that it needs.
//!
//! A name is looked up in `PATH`, as a shell would. The wrappers of version managers (pyenv's shims, rustup's proxies)
//! are replaced by the programs they run, because they read the user's home, which no sandbox shows. For an interpreter
//! outside the system folders, only its own installation is shown.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use crate::{Program, StartError};

/// Folders shown in every sandbox, where they exist, except for [`LOCAL`].
pub(crate) const SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];
/// The folder for programs that an admin installed. A sandbox shows only the parts that its program needs.
pub(crate) const LOCAL: &str = "/usr/local";
/// The folders of [`LOCAL`] that a program in `/usr/local/bin` may need. None of them contains commands.
const LOCAL_PARTS: [&str; 7] = ["lib", "lib32", "lib64", "libexec", "include", "share", "etc"];
/// The name of our own command, which no bot may use.
const OWN_COMMAND: &str = "agon";
/// The files in `/etc` that loaders and runtimes read, where they exist; no other file of `/etc` is shown.
pub(crate) fn settings() -> Vec<PathBuf> {
    let entries = fs::read_dir("/etc").into_iter().flatten().flatten().map(|entry| entry.path());
    let java = entries.filter(|path| {
        path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"java")) && path.is_dir()
    });
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/mono"]
        .map(PathBuf::from)
        .into_iter()
        .chain(java)
        .collect()
}

/// The search path for programs inside, after the program's own folders.
const INSIDE_PATH: &str = "/usr/bin:/bin:/usr/sbin:/sbin";
/// The maximum number of arguments that are checked for names of files.
const NAMED_FILES: usize = 64;
/// The maximum depth of scripts that are run by scripts.
const SHEBANG_DEPTH: usize = 4;

/// A resolved command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The file to run, by a path that is valid inside.
    pub(crate) file: PathBuf,
    /// The working folder; `None` for an empty folder.
    pub(crate) folder: Option<PathBuf>,
    /// Files and folders of the host to show read-only: the real path, and the path inside.
    pub(crate) shown: Vec<(PathBuf, PathBuf)>,
    /// A folder of the host to show read-write.
    pub(crate) writable: Option<PathBuf>,
    /// Files that are not shown although their folders are: the real path, and the path inside.
    pub(crate) masked: Vec<(PathBuf, PathBuf)>,
    /// The value of `PATH` inside.
    pub(crate) path: OsString,
}

/// The locations on this host that resolving depends on.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    search: Vec<PathBuf>,
    /// The real path of the home folder.
    home: Option<PathBuf>,
    pyenv: Option<PathBuf>,
    rustup: Option<PathBuf>,
    /// The real paths of our own command: a bot that ran it would play as one of our bots.
    own: Vec<PathBuf>,
}

impl Places {
    pub(crate) fn of_this_host() -> Places {
        let search = env::var_os("PATH").unwrap_or_else(|| INSIDE_PATH.into());
        let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let in_home = |name: &str, folder: &str| {
            env::var_os(name).map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(folder)))
        };
        let search: Vec<PathBuf> = env::split_paths(&search).filter(|folder| folder.is_absolute()).collect();
        Places {
            own: own_commands(&search),
            search,
            pyenv: in_home("PYENV_ROOT", ".pyenv"),
            rustup: in_home("RUSTUP_HOME", ".rustup"),
            home: home.as_deref().and_then(|home| fs::canonicalize(home).ok()),
        }
    }

    /// The file of a command's first word, outside any sandbox.
    pub(crate) fn find(&self, name: &OsStr, folder: Option<&Path>) -> Result<PathBuf, StartError> {
        if name.is_empty() {
            return Err(StartError::NotFound("an empty command".into()));
        }
        if name.as_bytes().contains(&b'/') {
            let path = absolute(folder, Path::new(name))?;
            executable(&path)?;
            let tool = path.file_name().unwrap_or_default().to_owned();
            return Ok(self.see_through(&path, &tool, folder).unwrap_or(path));
        }
        let mut refused = None;
        for dir in &self.search {
            let path = dir.join(name);
            match executable(&path) {
                Ok(()) => {
                    if let Some(path) = self.see_through(&path, name, folder) {
                        return Ok(path);
                    }
                }
                Err(StartError::NotFound(_)) => {}
                Err(error) => refused = Some(error),
            }
        }
        Err(refused
            .unwrap_or_else(|| StartError::NotFound(format!("'{}' is in no folder of PATH", name.display()))))
    }

    /// The program that a version manager's wrapper would run; the path itself if it is not a wrapper; `None` if that
    /// cannot be determined.
    fn see_through(&self, path: &Path, name: &OsStr, folder: Option<&Path>) -> Option<PathBuf> {
        let parent = path.parent()?;
        if parent.file_name() == Some(OsStr::new("shims")) {
            let pyenv = self.pyenv.as_deref().filter(|pyenv| parent == pyenv.join("shims"))?;
            return pyenv_version(pyenv, name, folder);
        }
        let real = fs::canonicalize(path).ok()?;
        if real.file_name() == Some(OsStr::new("rustup")) && name != "rustup" {
            return self.rustup_tool(name);
        }
        Some(path.to_owned())
    }

    fn rustup_tool(&self, name: &OsStr) -> Option<PathBuf> {
        let rustup = self.rustup.as_deref()?;
        let settings = fs::read_to_string(rustup.join("settings.toml")).ok()?;
        let default = settings.lines().find_map(|line| line.strip_prefix("default_toolchain"))?;
        let toolchain = default.trim_start_matches([' ', '=']).trim().trim_matches('"');
        let tool = rustup.join("toolchains").join(toolchain).join("bin").join(name);
        executable(&tool).ok().map(|()| tool)
    }

    /// The files that a sandbox must show so that the program runs.
    pub(crate) fn resolve(&self, program: &Program) -> Result<Resolved, StartError> {
        let name = program.argv.first().ok_or_else(|| StartError::NotFound("an empty command".into()))?;
        let folder = program.folder.as_deref().map(|folder| absolute(None, folder)).transpose()?;
        let mut resolved = Resolved {
            file: PathBuf::new(),
            folder: None,
            shown: Vec::new(),
            writable: None,
            masked: Vec::new(),
            path: OsString::new(),
        };
        if let Some(folder) = folder.as_deref() {
            let real = real_folder(folder)?;
            resolved.folder = Some(folder.to_owned());
            if !self.too_wide(&real) && (!is_system(&real) || folder != real) {
                resolved.shown.push((real, folder.to_owned()));
            }
        }
        for argument in program.argv.iter().skip(1).take(NAMED_FILES) {
            self.show_named(folder.as_deref(), argument, &mut resolved.shown);
        }
        if let Some(writable) = &program.writable {
            let writable = absolute(None, writable)?;
            let real = real_folder(&writable)?;
            if self.too_wide(&real) {
                return Err(StartError::NotFound(format!("{} is too wide to write to", writable.display())));
            }
            resolved.writable = Some(writable);
        }
        let found = self.find(name, folder.as_deref())?;
        if name.as_bytes().contains(&b'/') && self.installation(&found) == found {
            self.show_named(None, found.as_os_str(), &mut resolved.shown);
        }
        let mut first = Vec::new();
        resolved.file = self.show_program(&found, folder.as_deref(), &mut resolved.shown, &mut first)?;
        self.show_interpreter(&found, folder.as_deref(), &mut resolved.shown, &mut first)?;
        let real = fs::canonicalize(&found).unwrap_or(found);
        resolved.masked = self.masked(&real, &resolved.shown);
        first.extend(env::split_paths(INSIDE_PATH));
        resolved.path = env::join_paths(first).unwrap_or_else(|_| INSIDE_PATH.into());
        Ok(resolved)
    }

    /// The files of our own command that a sandbox would show, unless that command is the program itself.
    fn masked(&self, program: &Path, shown: &[(PathBuf, PathBuf)]) -> Vec<(PathBuf, PathBuf)> {
        let mut masked = Vec::new();
        for own in self.own.iter().filter(|own| *own != program) {
            if is_system(own) {
                masked.push((own.clone(), own.clone()));
            }
            for (real, inside) in shown {
                match own.strip_prefix(real) {
                    Ok(rest) if rest.as_os_str().is_empty() => masked.push((own.clone(), inside.clone())),
                    Ok(rest) => masked.push((own.clone(), inside.join(rest))),
                    Err(_) => {}
                }
            }
        }
        masked
    }

    /// Shows a file or folder that the command names, if it is not shown already. For a file its folder is shown,
    /// because scripts use other files beside them; but only the file, where the folder would show a home or the whole
    /// system.
    fn show_named(&self, folder: Option<&Path>, argument: &OsStr, shown: &mut Vec<(PathBuf, PathBuf)>) {
        let Ok(named) = absolute(folder, Path::new(argument)) else { return };
        let Ok(real) = fs::canonicalize(&named) else { return };
        if is_system(&real)
            || self.is_private(&real)
            || shown.iter().any(|(there, inside)| real.starts_with(there) && named.starts_with(inside))
        {
            return;
        }
        if real.is_dir() {
            if !self.too_wide(&real) {
                shown.push((real, named));
            }
            return;
        }
        match (real.parent(), named.parent()) {
            (Some(there), Some(inside)) if !self.too_wide(there) && real.file_name() == named.file_name() => {
                shown.push((there.to_owned(), inside.to_owned()));
            }
            _ if real.is_file() => shown.push((real, named)),
            _ => {}
        }
    }

    /// Shows the file and its installation, and returns its path inside.
    fn show_program(
        &self,
        found: &Path,
        folder: Option<&Path>,
        shown: &mut Vec<(PathBuf, PathBuf)>,
        first: &mut Vec<PathBuf>,
    ) -> Result<PathBuf, StartError> {
        let real = fs::canonicalize(found)
            .map_err(|error| fault_of(&error, format!("{}: {error}", found.display())))?;
        let covered = |path: &Path, shown: &[(PathBuf, PathBuf)]| {
            is_system(path) || shown.iter().any(|(real, _)| path.starts_with(real))
        };
        let mut inside = found.to_owned();
        // A Python virtual environment finds itself by the path of its interpreter.
        let virtual_root =
            found.parent().and_then(Path::parent).filter(|root| root.join("pyvenv.cfg").is_file());
        if let Some(root) = virtual_root.filter(|_| !is_system(found)) {
            let in_folder = folder.is_some_and(|folder| root.starts_with(folder));
            if !in_folder {
                shown.push((root.to_owned(), root.to_owned()));
            }
        } else if !is_system(found) && !shown.iter().any(|(_, inside)| found.starts_with(inside)) {
            inside.clone_from(&real);
        }
        if !covered(&real, shown) {
            let installation = self.installation(&real);
            shown.push((installation.clone(), installation));
            if real.parent().and_then(Path::parent) == Some(Path::new(LOCAL)) {
                let parts = LOCAL_PARTS.iter().map(|part| Path::new(LOCAL).join(part));
                shown.extend(parts.filter(|part| part.is_dir()).map(|part| (part.clone(), part)));
            }
        }
        if let Some(bin) = inside.parent().filter(|bin| bin.ends_with("bin") && !is_system(bin)) {
            first.push(bin.to_owned());
        }
        Ok(inside)
    }

    /// Follows `#!` lines, so that the interpreter of a script is shown too.
    fn show_interpreter(
        &self,
        script: &Path,
        folder: Option<&Path>,
        shown: &mut Vec<(PathBuf, PathBuf)>,
        first: &mut Vec<PathBuf>,
    ) -> Result<(), StartError> {
        let mut script = script.to_owned();
        for _ in 0..SHEBANG_DEPTH {
            let Some(line) = shebang(&script) else { return Ok(()) };
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let Some(interpreter) = words.next().map(OsStr::from_bytes) else { return Ok(()) };
            let by_env = Path::new(interpreter).file_name() == Some(OsStr::new("env"));
            // `env -S name`, `env NAME=value name`: the first word that is neither an option nor an assignment.
            let name = words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='));
            let next = match name.map(OsStr::from_bytes).filter(|_| by_env) {
                Some(name) => self.find(name, folder),
                None => self.find(interpreter, folder),
            };
            let found = next.map_err(|error| match error {
                StartError::NotFound(what) | StartError::NotExecutable(what) => {
                    StartError::NotExecutable(format!("{}: its interpreter: {what}", script.display()))
                }
                ours @ StartError::Ours(_) => ours,
            })?;
            self.show_program(&found, folder, shown, first)?;
            script = found;
        }
        Err(StartError::NotExecutable(format!("{}: too many interpreters", script.display())))
    }

    /// The folder in which an interpreter is installed, or the file alone where that folder contains other things as
    /// well.
    fn installation(&self, real: &Path) -> PathBuf {
        let prefix = real
            .parent()
            .filter(|bin| bin.ends_with("bin"))
            .and_then(Path::parent)
            .filter(|prefix| ["lib", "lib64", "include"].iter().any(|name| prefix.join(name).is_dir()))
            .filter(|prefix| !self.too_wide(prefix));
        prefix.unwrap_or(real).to_owned()
    }

    /// Whether showing this folder would show a home, other users' files or the whole system.
    fn too_wide(&self, real: &Path) -> bool {
        const WIDE: [&str; 14] = [
            "/tmp",
            "/var/tmp",
            "/dev/shm",
            "/etc",
            "/home",
            "/mnt",
            "/opt",
            "/root",
            "/run",
            "/srv",
            "/sys",
            "/proc",
            "/usr/local/bin",
            "/usr/local/sbin",
        ];
        let at_or_above = |wide: &Path| wide.starts_with(real);
        WIDE.iter().any(|wide| at_or_above(Path::new(wide)))
            || self.home.as_deref().is_some_and(at_or_above)
            || real.parent() == Some(Path::new("/home"))
            || ["/proc", "/sys", "/etc"].iter().any(|system| real.starts_with(system))
            || real.starts_with("/dev") && !real.starts_with("/dev/shm")
            || self.hidden_in_home(real)
    }

    /// Whether a path is not shown even if an argument names it: system settings, and hidden files of a home.
    fn is_private(&self, real: &Path) -> bool {
        let hidden = |part: Component<'_>| part.as_os_str().as_bytes().starts_with(b".");
        let in_home = self.home.as_deref().and_then(|home| real.strip_prefix(home).ok());
        in_home.is_some_and(|rest| rest.components().any(hidden))
            || ["/boot", "/etc", "/proc", "/run", "/sys"].iter().any(|system| real.starts_with(system))
            || real.starts_with("/dev") && !real.starts_with("/dev/shm")
    }

    /// Whether a path is in a hidden folder of the home: `~/.local`, `~/.cargo`, `~/.ssh`, ...
    fn hidden_in_home(&self, real: &Path) -> bool {
        let hidden = real.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."));
        hidden && self.home.is_some() && real.parent() == self.home.as_deref()
    }
}

/// The version that pyenv would choose: from the environment, from the folder or a folder above it, or the global
/// version.
fn pyenv_version(pyenv: &Path, name: &OsStr, folder: Option<&Path>) -> Option<PathBuf> {
    let near = || {
        let start = folder.map_or_else(|| env::current_dir().ok(), |folder| Some(folder.to_owned()))?;
        start.ancestors().find_map(|dir| fs::read_to_string(dir.join(".python-version")).ok())
    };
    let versions = env::var("PYENV_VERSION")
        .ok()
        .or_else(near)
        .or_else(|| fs::read_to_string(pyenv.join("version")).ok())?;
    versions.split([':', '\n', ' ']).map(str::trim).find_map(|version| {
        if version.is_empty() || version.contains('/') || version.starts_with('.') {
            return None;
        }
        let tool = pyenv.join("versions").join(version).join("bin").join(name);
        executable(&tool).ok().map(|()| tool)
    })
}

/// Whether a path lies in a folder that every sandbox shows.
fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system)) && !path.starts_with(LOCAL)
}

/// The real paths of our own command: the running program, and programs of its name in these folders and in the usual ones.
fn own_commands(search: &[PathBuf]) -> Vec<PathBuf> {
    let usual = env::split_paths(INSIDE_PATH).chain(["bin", "sbin"].map(|part| Path::new(LOCAL).join(part)));
    let named = search.iter().cloned().chain(usual).map(|folder| folder.join(OWN_COMMAND));
    let mut own: Vec<PathBuf> =
        named.chain(env::current_exe().ok()).filter_map(|file| fs::canonicalize(file).ok()).collect();
    own.sort();
    own.dedup();
    own
}

/// Whose fault it is that a file cannot be examined: a missing file is the program's, a failure of the host is ours.
fn fault_of(error: &io::Error, text: String) -> StartError {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound, PermissionDenied};
    match error.kind() {
        NotFound | NotADirectory | InvalidInput | InvalidFilename | PermissionDenied => {
            StartError::NotFound(text)
        }
        _ if error.raw_os_error() == Some(libc::ELOOP) => StartError::NotFound(text),
        _ => StartError::Ours(text),
    }
}

/// The parts of a path without some files and folders below it. Symbolic links are left out where a folder is split:
/// their targets have paths of their own.
pub(crate) fn parts_without(path: &Path, hidden: &[&Path]) -> Vec<PathBuf> {
    if hidden.iter().any(|hidden| path.starts_with(hidden)) {
        return Vec::new();
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(path)) {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let real = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    real.flat_map(|entry| parts_without(&entry.path(), hidden)).collect()
}

/// Checks that a path is an existing regular file that some user may execute.
fn executable(path: &Path) -> Result<(), StartError> {
    let described = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let meta = fs::metadata(path).map_err(|error| fault_of(&error, described(&error)))?;
    if !meta.is_file() {
        return Err(StartError::NotExecutable(described(&"is not a file")));
    }
    if meta.permissions().mode() & 0o111 == 0 {
        return Err(StartError::NotExecutable(described(&"is not marked executable (chmod +x)")));
    }
    Ok(())
}

fn real_folder(folder: &Path) -> Result<PathBuf, StartError> {
    let described = |error: &dyn std::fmt::Display| format!("the folder {}: {error}", folder.display());
    let real = fs::canonicalize(folder).map_err(|error| fault_of(&error, described(&error)))?;
    if real.is_dir() { Ok(real) } else { Err(StartError::NotFound(described(&"is not a folder"))) }
}

fn absolute(folder: Option<&Path>, path: &Path) -> Result<PathBuf, StartError> {
    let path = folder.map_or_else(|| path.to_owned(), |folder| folder.join(path));
    if path.is_absolute() {
        return Ok(normal(&path));
    }
    let here =
        env::current_dir().map_err(|error| StartError::Ours(format!("the current folder: {error}")))?;
    Ok(normal(&here.join(path)))
}

/// The path without `.` and `..`, computed without access to the file system.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The text after `#!` in the first line of a script.
fn shebang(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    fs::File::open(path).ok()?.take(256).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?;
    Some(line.split(|&byte| byte == b'\n').next().unwrap_or_default().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home with the files of version managers.
    struct Home(PathBuf);

    impl Home {
        fn new(name: &str) -> Home {
            let home = Home(env::temp_dir().join(format!("box-home-{}-{name}", std::process::id())));
            home.file(".pyenv/shims/python3", "#!/bin/sh\n");
            home.file(".pyenv/version", "3.99.1\n");
            home.file(".pyenv/versions/3.99.1/bin/python3", "\u{7f}ELF");
            home.file(".pyenv/versions/3.99.1/lib/os.py", "");
            home.file(".cargo/bin/rustup", "\u{7f}ELF");
            home.file(".cargo/bin/tool", "\u{7f}ELF");
            home.file(".cargo/lib/x", "");
            home.file(".cargo/credentials.toml", "token");
            std::os::unix::fs::symlink("rustup", home.0.join(".cargo/bin/rustc")).unwrap();
            home.file(".rustup/settings.toml", "version = \"12\"\ndefault_toolchain = \"stable\"\n");
            home.file(".rustup/toolchains/stable/bin/rustc", "\u{7f}ELF");
            home.file(".rustup/toolchains/stable/lib/x", "");
            home.file(".ssh/id", "key");
            home.file("bots/bot.py", "");
            home.file("bots/agon", "\u{7f}ELF");
            home.file("bot.py", "");
            home
        }

        fn file(&self, name: &str, text: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }

        fn resolve(&self, folder: &str, argv: &[&str]) -> Resolved {
            let places = Places {
                search: vec![self.0.join(".pyenv/shims"), self.0.join(".cargo/bin"), "/usr/bin".into()],
                home: fs::canonicalize(&self.0).ok(),
                own: vec![fs::canonicalize(self.0.join("bots/agon")).unwrap()],
                pyenv: Some(self.0.join(".pyenv")),
                rustup: Some(self.0.join(".rustup")),
            };
            let argv = argv.iter().map(|word| word.replace('~', self.0.to_str().unwrap()).into()).collect();
            let program = Program { argv, folder: Some(self.0.join(folder)), ..Program::default() };
            places.resolve(&program).unwrap()
        }

        fn short(&self, path: &Path) -> String {
            path.display().to_string().replace(self.0.to_str().unwrap(), "~")
        }

        /// The parts of the home that a sandbox shows, and the file that is run.
        fn shown(&self, folder: &str, argv: &[&str]) -> (String, Vec<String>) {
            let resolved = self.resolve(folder, argv);
            let inside = resolved.shown.iter().map(|(_, inside)| self.short(inside)).collect();
            (self.short(&resolved.file), inside)
        }

        /// The files that a sandbox hides.
        fn masked(&self, folder: &str, argv: &[&str]) -> Vec<String> {
            self.resolve(folder, argv).masked.iter().map(|(_, inside)| self.short(inside)).collect()
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _left_behind = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn installations_are_shown_and_nothing_beside_them() {
        let home = Home::new("installations");
        let check = |folder: &str, argv: &[&str], file: &str, shown: &[&str]| {
            assert_eq!(
                home.shown(folder, argv),
                (file.into(), shown.iter().map(|path| (*path).into()).collect())
            );
        };
        let python = "~/.pyenv/versions/3.99.1/bin/python3";
        let installed = "~/.pyenv/versions/3.99.1";
        check("bots", &["python3", "bot.py"], python, &["~/bots", installed]);
        check("bots", &["~/.pyenv/shims/python3", "bot.py"], python, &["~/bots", installed]);
        check(".", &["python3", "bot.py"], python, &["~/bot.py", installed]);
        check(".", &["python3", "bots/bot.py", "~/.ssh/id", "/etc/passwd"], python, &["~/bots", installed]);
        let rustc = "~/.rustup/toolchains/stable/bin/rustc";
        check("bots", &["rustc", "bot.rs"], rustc, &["~/bots", "~/.rustup/toolchains/stable"]);
        check("bots", &["tool"], "~/.cargo/bin/tool", &["~/bots", "~/.cargo/bin/tool"]);
        check("bots", &["/usr/bin/env", "x"], "/usr/bin/env", &["~/bots"]);
    }

    #[test]
    fn our_own_command_is_hidden_from_other_programs() {
        let home = Home::new("own");
        assert_eq!(home.masked("bots", &["python3", "bot.py"]), ["~/bots/agon"]);
        assert_eq!(home.masked(".", &["python3", "bot.py"]), Vec::<String>::new(), "it is not shown");
        assert_eq!(home.masked("bots", &["./agon", "bot"]), Vec::<String>::new(), "it is the program");
        let exe = fs::canonicalize(env::current_exe().unwrap()).unwrap();
        assert!(own_commands(&[]).contains(&exe));
        assert_eq!(own_commands(&[home.0.join("bots")]).len(), own_commands(&[]).len() + 1);
    }

    #[test]
    fn a_folder_is_split_where_a_part_of_it_is_hidden() {
        let home = Home::new("split");
        let root = home.0.join("bots");
        assert_eq!(parts_without(&root, &[Path::new("/usr/local")]), std::slice::from_ref(&root));
        assert_eq!(parts_without(&root, &[&root.join("agon")]), [root.join("bot.py")]);
        assert_eq!(parts_without(&root, &[&home.0]), Vec::<PathBuf>::new());
        let usr = parts_without(Path::new("/usr"), &[Path::new(LOCAL)]);
        assert!(
            usr.contains(&"/usr/bin".into()) && !usr.iter().any(|path| path.starts_with(LOCAL)),
            "{usr:?}"
        );
    }

    #[test]
    fn only_missing_files_are_the_fault_of_the_program() {
        let fault = |errno: i32| fault_of(&io::Error::from_raw_os_error(errno), String::new());
        for errno in [libc::ENOENT, libc::ENOTDIR, libc::ELOOP, libc::ENAMETOOLONG, libc::EACCES] {
            assert!(!fault(errno).is_ours(), "{errno}");
        }
        for errno in [libc::EIO, libc::ENOMEM, libc::ENOSPC, libc::EMFILE] {
            assert!(fault(errno).is_ours(), "{errno}");
        }
    }

    #[test]
    fn paths_are_made_plain() {
        assert_eq!(normal(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(absolute(Some(Path::new("/a")), Path::new("../b")).unwrap(), Path::new("/b"));
    }
}
