//! How source files become programs: the only list of languages, one entry for each.
//!
//! This file uses the standard library alone: `xtask` reads the list from here as well.

use std::path::PathBuf;

/// A language in which bots may be written.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// Its name for people.
    pub name: &'static str,
    /// Extensions of its source files.
    pub extensions: &'static [&'static str],
    /// The command that compiles, or at least checks the source, if there is one. `{source}` is the source file,
    /// `{out}` the folder for the output.
    pub compile: &'static [&'static str],
    /// The command that compiles with information for a debugger; empty if it is the same one.
    pub compile_debug: &'static [&'static str],
    /// The command that runs. `{source}`, `{out}` as above, `{class}` is the class with `main` (Java).
    pub run: &'static [&'static str],
    /// The Debian package that provides it.
    pub package: &'static str,
    /// Whether `cargo xtask run` installs the package for a new arena. The tests need every package.
    pub usual: bool,
    /// The starter bots in this language; `None` if there are none.
    pub kit: Option<KitNames>,
}

/// The names of a starter bot's language and file.
#[derive(Clone, Copy, Debug)]
pub struct KitNames {
    /// The words that choose the language; the first one names the folder of a new bot.
    pub words: &'static [&'static str],
    /// The source file.
    pub file: &'static str,
    /// The place in the list of kits, from 1.
    pub place: u8,
}

/// Every language, in alphabetical order.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "Bash",
        extensions: &["sh"],
        compile: &["bash", "-n", "{source}"],
        compile_debug: &[],
        run: &["bash", "{source}"],
        package: "bash",
        usual: false,
        kit: None,
    },
    Language {
        name: "C",
        extensions: &["c"],
        compile: &["gcc", "-O2", "-w", "-o", "{out}/bot", "{source}", "-lm", "-pthread"],
        compile_debug: &[
            "gcc",
            "-g",
            "-O0",
            "-w",
            "-fdebug-prefix-map={out}=.",
            "-o",
            "{out}/bot",
            "{source}",
            "-lm",
            "-pthread",
        ],
        run: &["{out}/bot"],
        package: "gcc",
        usual: true,
        kit: None,
    },
    Language {
        name: "C++",
        extensions: &["cpp", "cc", "cxx"],
        compile: &["g++", "-O2", "-w", "-std=c++20", "-o", "{out}/bot", "{source}", "-pthread"],
        compile_debug: &[
            "g++",
            "-g",
            "-O0",
            "-w",
            "-std=c++20",
            "-fdebug-prefix-map={out}=.",
            "-o",
            "{out}/bot",
            "{source}",
            "-pthread",
        ],
        run: &["{out}/bot"],
        package: "g++",
        usual: true,
        kit: Some(KitNames { words: &["cpp", "c++", "cc", "cxx"], file: "bot.cpp", place: 2 }),
    },
    Language {
        name: "C#",
        extensions: &["cs"],
        compile: &["mcs", "-optimize+", "-warn:0", "-out:{out}/bot.exe", "{source}"],
        compile_debug: &["mcs", "-debug", "-warn:0", "-out:{out}/bot.exe", "{source}"],
        // Mono would write its warnings to the standard output.
        run: &["env", "MONO_LOG_DEST=/dev/null", "mono", "{out}/bot.exe"],
        package: "mono-mcs",
        usual: false,
        kit: Some(KitNames { words: &["csharp", "c#", "cs"], file: "bot.cs", place: 6 }),
    },
    Language {
        name: "Go",
        extensions: &["go"],
        compile: &["go", "build", "-o", "{out}/bot", "{source}"],
        compile_debug: &["go", "build", "-gcflags=all=-N -l", "-o", "{out}/bot", "{source}"],
        run: &["{out}/bot"],
        package: "golang-go",
        usual: false,
        kit: Some(KitNames { words: &["go", "golang"], file: "bot.go", place: 7 }),
    },
    Language {
        name: "Java",
        extensions: &["java"],
        // Strings are joined by plain code: otherwise the first `+` takes as long as the time limit of an answer.
        compile: &["javac", "-nowarn", "-XDstringConcat=inline", "-d", "{out}", "{source}"],
        compile_debug: &["javac", "-g", "-nowarn", "-XDstringConcat=inline", "-d", "{out}", "{source}"],
        run: &[
            "java",
            // One collector thread, no extra files, and no messages on the standard output.
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xlog:disable",
            "-Xmx512m",
            "-cp",
            "{out}",
            "{class}",
        ],
        package: "default-jdk-headless",
        usual: true,
        kit: Some(KitNames { words: &["java"], file: "Bot.java", place: 5 }),
    },
    Language {
        name: "JavaScript",
        extensions: &["js", "mjs"],
        compile: &["node", "--check", "{source}"],
        compile_debug: &[],
        run: &["node", "{source}"],
        package: "nodejs",
        usual: true,
        kit: Some(KitNames { words: &["javascript", "js", "node"], file: "bot.js", place: 4 }),
    },
    Language {
        name: "Perl",
        extensions: &["pl"],
        compile: &[],
        compile_debug: &[],
        run: &["perl", "{source}"],
        package: "perl",
        usual: false,
        kit: None,
    },
    Language {
        name: "Python",
        extensions: &["py"],
        compile: &["python3", "-m", "py_compile", "{source}"],
        compile_debug: &[],
        run: &["python3", "{source}"],
        package: "python3",
        usual: true,
        kit: Some(KitNames { words: &["python", "py", "python3"], file: "bot.py", place: 1 }),
    },
    Language {
        name: "Rust",
        extensions: &["rs"],
        compile: &["rustc", "-O", "--edition", "2021", "-Awarnings", "-o", "{out}/bot", "{source}"],
        compile_debug: &[
            "rustc",
            "-g",
            "--edition",
            "2021",
            "-Awarnings",
            "--remap-path-prefix",
            "{out}=.",
            "-o",
            "{out}/bot",
            "{source}",
        ],
        run: &["{out}/bot"],
        package: "rustc",
        usual: false,
        kit: Some(KitNames { words: &["rust", "rs"], file: "bot.rs", place: 3 }),
    },
];

/// The languages with starter bots, in the order in which they are offered.
pub fn kit_languages() -> Vec<(&'static Language, KitNames)> {
    let mut languages: Vec<(&Language, KitNames)> =
        LANGUAGES.iter().filter_map(|language| Some((language, language.kit?))).collect();
    languages.sort_by_key(|(_, names)| names.place);
    languages
}

impl Language {
    /// The first program it needs that is not installed.
    pub fn missing(&self) -> Option<&'static str> {
        let needed = self.compile.first().into_iter().chain(self.run.first()).copied();
        needed.into_iter().find(|program| !program.starts_with("{out}") && find_program(program).is_none())
    }

    /// The language of a file, by its extension.
    pub fn of(path: &std::path::Path) -> Option<&'static Language> {
        let ending = path.extension()?.to_str()?;
        LANGUAGES.iter().find(|language| language.extensions.contains(&ending))
    }
}

/// The file of a program, searched for as a shell does.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return std::path::absolute(name).ok().filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The class that holds `main` in a Java source, with its package: the last class that begins before `main`.
pub(crate) fn java_main_class(source: &str) -> Option<String> {
    let before = &source[..source.find("static void main")?];
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut name = None;
    for (at, _) in before.match_indices("class ") {
        let starts_word = !before[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = before[at + "class ".len()..].trim_start();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if starts_word && end > 0 {
            name = Some(&rest[..end]);
        }
    }
    let statements = before.split([';', '\n']).map(str::trim_start);
    let package = statements.filter_map(|statement| statement.strip_prefix("package ")).map(str::trim).next();
    let is_package = |name: &&str| !name.is_empty() && name.chars().all(|c| is_part(c) || c == '.');
    match (package.filter(is_package), name?) {
        (Some(package), name) => Some(format!("{package}.{name}")),
        (None, name) => Some(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn languages_are_known_by_ending() {
        assert_eq!(Language::of(Path::new("a/bot.cpp")).map(|language| language.name), Some("C++"));
        assert_eq!(Language::of(Path::new("bot")).map(|language| language.name), None);
    }

    #[test]
    fn the_class_with_main_is_found() {
        let source = "import x; class Cell { int subclass ; } public final class Bot{ public static void main(String[] a) {} } class Z {}";
        assert_eq!(java_main_class(source).as_deref(), Some("Bot"));
        assert_eq!(java_main_class("class A {}"), None);
        let source = "// My bot.\npackage org.example ;\nclass Bot { static void main(String[] a) {} }";
        assert_eq!(java_main_class(source).as_deref(), Some("org.example.Bot"));
    }
}
