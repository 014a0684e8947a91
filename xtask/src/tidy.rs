//! `cargo xtask tidy`: checks the conventions of this repository that no compiler checks.

use std::fs;
use std::path::Path;

use crate::{dependencies, shell};

/// The most lines of a source file.
const LONGEST_FILE: usize = 1000;

/// Checks every file that git tracks or would add, and that each game has all its parts.
pub(crate) fn tidy() -> Result<(), String> {
    let root = shell::root();
    let games = shell::games()?;
    let mut complaints = Vec::new();
    for path in files()? {
        let full = root.join(&path);
        // A file may be deleted and the deletion not yet committed; traces are data, and the pages are generated.
        let is_data =
            path.contains("fuzz-corpus/") || path.contains("/traces/") || path.starts_with("web/dist");
        if !full.is_file() || is_data {
            continue;
        }
        match fs::read(&full).map(String::from_utf8) {
            Ok(Ok(text)) => {
                check_text(&path, &text, &mut complaints);
                check_names(&path, &text, &games, &mut complaints);
            }
            Ok(Err(_)) => {} // A picture.
            Err(error) => complaints.push(format!("{path}: {error}")),
        }
    }
    for game in &games {
        check_game(&root, game, &mut complaints);
    }
    complaints.extend(dependencies::check()?);
    if complaints.is_empty() { Ok(()) } else { Err(format!("not tidy:\n  {}", complaints.join("\n  "))) }
}

fn files() -> Result<Vec<String>, String> {
    let listed = shell::read("git", &["ls-files", "--cached", "--others", "--exclude-standard"])?;
    Ok(listed.lines().map(str::to_owned).collect())
}

fn check_text(path: &str, text: &str, complaints: &mut Vec<String>) {
    let is_source = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    for (number, line) in (1..).zip(text.lines()) {
        if line.ends_with([' ', '\t', '\r']) {
            complaints.push(format!("{path}:{number}: blanks at the end of the line"));
        }
        if is_source && line.trim() == "#[ignore]" {
            complaints.push(format!("{path}:{number}: an ignored test says why: #[ignore = \"...\"]"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(format!("{path}: no line feed at the end"));
    }
    if is_source && text.lines().count() > LONGEST_FILE {
        complaints.push(format!("{path}: more than {LONGEST_FILE} lines; make it two files"));
    }
}

/// The parts that belong to every game.
fn check_game(root: &Path, game: &str, complaints: &mut Vec<String>) {
    let parts = [
        "src/rules.rs",
        "statements/en.md",
        "statements/fr.md",
        "leagues.json",
        "bots/Cargo.toml",
        "kits",
        "traces/fuzz-corpus",
        "web/index.ts",
    ];
    let missing = parts.iter().filter(|part| !root.join("games").join(game).join(part).exists());
    complaints.extend(missing.map(|part| format!("games/{game}/{part} is missing")));
}

/// Finds names of games in code that serves all games: only the registry lists them. Tests, examples and the folders
/// of the games themselves may name a game.
fn check_names(path: &str, text: &str, games: &[String], complaints: &mut Vec<String>) {
    let shared = (path.starts_with("crates/") && path.contains("/src/"))
        || path.starts_with("web/src/")
        || path.starts_with("xtask/src/");
    // The scaffold has a game as its example.
    let exempt = path == "crates/catalog/src/registry.rs" || path.starts_with("xtask/src/new_game");
    if !shared || exempt {
        return;
    }
    // Unit tests are at the end of a file and may use a game as their example.
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    // Comments and the examples in a help text are documentation.
    let is_code = |line: &str| {
        !["//", "* ", "agon ", "java -jar "].iter().any(|start| line.trim_start().starts_with(start))
    };
    for (number, line) in (1..).zip(code.lines()).filter(|(_, line)| is_code(line)) {
        let line = line.to_lowercase();
        for game in games {
            let spellings =
                [game.clone(), game.replace('-', "_"), game.replace('-', " "), game.replace('-', "")];
            if spellings.iter().any(|spelling| has_word(&line, spelling)) {
                complaints.push(format!("{path}:{number}: names the game {game}; ask the registry instead"));
            }
        }
    }
}

/// Whether a line contains a word that is not a part of a longer word. A short name such as `grid` is a word of
/// ordinary code: only its quoted form counts.
fn has_word(line: &str, word: &str) -> bool {
    if word.len() < 8 {
        return line.contains(&format!("\"{word}\""));
    }
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_letter) && !line[at + word.len()..].starts_with(is_letter))
}
