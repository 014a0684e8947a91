//! `cargo xtask new-game NAME`: writes a complete small game that passes every check, to be changed part by part.
//!
//! The game is made from the files in `xtask/templates/new-game`, in which `__name__` stands for the name
//! (`moon-race`), `__ident__` for the name of its crate in Rust (`moon_race`), `__Name__` for its type (`MoonRace`)
//! and `__title__` for its name for people (`Moon Race`). Outside its own folder a game is one line in the registry
//! and two lines in the manifest of the catalog.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell;

/// The registry of games.
const REGISTRY: &str = "crates/catalog/src/registry.rs";
/// The manifest that names the crates of the games.
const MANIFEST: &str = "crates/catalog/Cargo.toml";
/// The templates.
const TEMPLATES: &str = "xtask/templates/new-game";
/// With a longer name the line in the registry does not fit into the width of a line.
const LONGEST_NAME: usize = 24;
/// The longest name for people.
const LONGEST_TITLE: usize = 40;

/// Writes a new game: `NAME [--title TITLE]`.
pub(crate) fn new_game(words: &[&str]) -> Result<(), String> {
    let names = Names::read(words)?;
    let files = write(&shell::root(), &names)?;
    print!("{}", report(&names, files));
    Ok(())
}

/// The names of a new game, as the templates need them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Names {
    /// `moon-race`: the folder, the crate, the command line.
    name: String,
    /// `moon_race`: the crate in Rust.
    ident: String,
    /// `MoonRace`: the type.
    camel: String,
    /// `Moon Race`: the name for people.
    title: String,
}

impl Names {
    /// Reads the words of the command.
    fn read(words: &[&str]) -> Result<Names, String> {
        let (name, title) = match *words {
            [name] => (name, None),
            [name, "--title", title] | ["--title", title, name] => (name, Some(title)),
            _ => return Err("usage: cargo xtask new-game NAME [--title TITLE]".to_owned()),
        };
        let part_is_plain = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        if !name.split('-').all(part_is_plain) || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(format!(
                "`{}` is no name for a game: use small letters and digits, with - between words, as in `moon-race`",
                name.escape_debug()
            ));
        }
        if name.len() > LONGEST_NAME {
            return Err(format!("`{name}` is too long: a name has at most {LONGEST_NAME} characters"));
        }
        let capital = |part: &str| part[..1].to_ascii_uppercase() + &part[1..];
        let parts: Vec<String> = name.split('-').map(capital).collect();
        let title = title.map_or_else(|| parts.join(" "), str::to_owned);
        let plain = |c: char| c.is_alphanumeric() || " -'!?&:,.".contains(c);
        if title.trim() != title || title.is_empty() || !title.chars().all(plain) {
            return Err(format!(
                "`{}` is no title: use letters, digits, spaces and - ' ! ? & : , .",
                title.escape_debug()
            ));
        }
        if title.chars().count() > LONGEST_TITLE {
            return Err(format!("`{title}` is too long: a title has at most {LONGEST_TITLE} characters"));
        }
        Ok(Names { name: name.to_owned(), ident: name.replace('-', "_"), camel: parts.concat(), title })
    }

    /// A text of the templates with the names filled in.
    fn fill(&self, text: &str) -> String {
        text.replace("__name__", &self.name)
            .replace("__ident__", &self.ident)
            .replace("__Name__", &self.camel)
            .replace("__title__", &self.title)
    }

    /// Refuses names that are already in use.
    fn check(&self, root: &Path, templates: &[(PathBuf, Vec<u8>)]) -> Result<(), String> {
        let Names { name, ident, camel, .. } = self;
        if root.join("games").join(name).exists() {
            return Err(format!("there is a game `{name}` already: games/{name}"));
        }
        if KEYWORDS.contains(&ident.as_str()) {
            return Err(format!("`{name}` is a word of the language Rust: choose another name"));
        }
        if STANDARD.contains(&ident.as_str()) {
            return Err(format!("`{name}` is a crate of Rust itself: choose another name"));
        }
        let lock = read(root, "Cargo.lock")?;
        for taken in [name.clone(), format!("{name}-bots")] {
            let other = taken.replace('-', "_");
            if [taken, other].iter().any(|taken| lock.contains(&format!("name = \"{taken}\"\n"))) {
                return Err(format!("`{name}` is taken: a crate of this name is in Cargo.lock"));
            }
        }
        if root.join(format!("crates/catalog/src/{ident}.rs")).exists() {
            return Err(format!("`{name}` is taken: the crate catalog has a module `{ident}`"));
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let has_type = |text: &str| text.split(|c| !is_part(c)).any(|word| word == camel);
        let source = |path: &Path| path.extension().is_some_and(|extension| extension == "rs");
        if templates.iter().any(|(path, data)| source(path) && has_type(&String::from_utf8_lossy(data))) {
            return Err(format!(
                "`{name}` is taken: the type would be `{camel}`, which a new game uses already"
            ));
        }
        Ok(())
    }
}

/// The keywords of Rust, including those reserved for later, which cannot be identifiers.
const KEYWORDS: [&str; 51] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static",
    "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// The crates that come with the compiler.
const STANDARD: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// Checks the names and makes every file that is written, by its path from the root: the game's folder, and the
/// registry and the manifest with their new lines.
fn plan(root: &Path, names: &Names) -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut templates = Vec::new();
    let folder = root.join(TEMPLATES);
    gather(&folder, &folder, &mut templates)?;
    names.check(root, &templates)?;
    let Names { name, .. } = names;

    let game = Path::new("games").join(name);
    let fill = |(path, data): (PathBuf, Vec<u8>)| match String::from_utf8(data) {
        Ok(text) => (game.join(path), names.fill(&text).into_bytes()),
        Err(bytes) => (game.join(path), bytes.into_bytes()),
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = templates.into_iter().map(fill).collect();

    let entry = names.fill("    &Entry::<__ident__::__Name__>::new(__ident___bots::LADDER),");
    let registry = insert(&read(root, REGISTRY)?, &entry, registry_key)
        .ok_or_else(|| format!("{REGISTRY} has no line `&Entry::<...>`"))?;
    let mut manifest = read(root, MANIFEST)?;
    for (package, path) in [(name.clone(), name.clone()), (format!("{name}-bots"), format!("{name}/bots"))] {
        let line = format!("{package} = {{ path = \"../../games/{path}\" }}");
        manifest = insert(&manifest, &line, manifest_key)
            .ok_or_else(|| format!("{MANIFEST} has no line with a path to ../../games"))?;
    }
    files.push((REGISTRY.into(), registry.into_bytes()));
    files.push((MANIFEST.into(), manifest.into_bytes()));
    Ok(files)
}

/// Writes a new game into a workspace. Returns the number of files in its folder.
fn write(root: &Path, names: &Names) -> Result<usize, String> {
    let files = plan(root, names)?;
    for (path, data) in &files {
        write_file(&root.join(path), data)?;
    }
    format(root, names)?;
    lock(root)?;
    Ok(files.iter().filter(|(path, _)| path.starts_with("games")).count())
}

/// The key by which the lines of games are ordered in the registry: the line itself.
fn registry_key(line: &str) -> Option<&str> {
    line.starts_with("    &Entry::<").then_some(line)
}

/// The key by which the crates of games are ordered in the manifest: the name of the crate.
fn manifest_key(line: &str) -> Option<&str> {
    line.split_once(" = { path = \"../../games/").map(|(package, _)| package)
}

/// Inserts a line before the first line with a greater key, or after the last line with a key. `None` if no line has
/// one.
fn insert(text: &str, line: &str, key: fn(&str) -> Option<&str>) -> Option<String> {
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|old| key(old).is_some())?;
    let greater = lines.iter().position(|old| key(old).is_some() && key(old) > key(line));
    lines.insert(greater.unwrap_or(last + 1), line);
    Some(lines.join("\n") + "\n")
}

/// All files below a folder, with paths from `base`, in order.
fn gather(base: &Path, folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            gather(base, &path, found)?;
        } else {
            let data = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            found.push((path.strip_prefix(base).unwrap_or(&path).to_path_buf(), data));
        }
    }
    Ok(())
}

fn read(root: &Path, path: &str) -> Result<String, String> {
    fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
}

fn write_file(path: &Path, data: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, data).map_err(failed)
}

/// Formats the sources: the line breaks depend on the names.
fn format(root: &Path, names: &Names) -> Result<(), String> {
    let game = root.join("games").join(&names.name);
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.current_dir(root).args(["--edition", "2024"]);
    rustfmt.args(
        ["src/lib.rs", "tests/main/main.rs", "bots/src/lib.rs", "bots/tests/main/main.rs"]
            .map(|path| game.join(path)),
    );
    shell::finish(rustfmt)
}

/// Adds the new crates to `Cargo.lock` and changes nothing else there.
fn lock(root: &Path) -> Result<(), String> {
    let mut cargo = shell::command("cargo", &["update", "--workspace", "--offline", "--quiet"]);
    cargo.current_dir(root);
    shell::finish(cargo)
}

/// Describes the written files, and the next steps.
fn report(names: &Names, files: usize) -> String {
    let Names { name, title, .. } = names;
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\
{title} is a game now: two players collect coins on a small grid.

  games/{name}  {files} files: engine, statements, leagues, bots, kit, scene, corpus, tests
  {REGISTRY}  1 line
  {MANIFEST}  2 lines
  Cargo.lock  the two crates

Next steps:
  cargo xtask web               build the pages with the scene of the game
  cargo xtask test              pass every check
  cargo run -p cli -- play {name} --bot @boss --bot @random
Then replace the parts in the order of CONTRIBUTING.md, \"Add a game\".
"
    );
    text
}

#[cfg(test)]
mod tests;
