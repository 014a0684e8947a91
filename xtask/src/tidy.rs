//! `cargo xtask tidy`: the habits of this repository that no compiler checks.

use std::fs;
use std::path::Path;

use crate::shell;

/// A source file longer than this is two files.
const LONGEST_FILE: usize = 1000;

/// Checks every file that git knows or would add, and that each game has all its parts.
pub(crate) fn tidy() -> Result<(), String> {
    let root = shell::root();
    let mut complaints = Vec::new();
    for path in files()? {
        let full = root.join(&path);
        // A file may be deleted and not yet committed so; fixtures and corpora are data, and the pages are made by a program.
        let is_data =
            path.contains("fuzz-corpus/") || path.starts_with("fixtures/") || path.starts_with("web/dist");
        if !full.is_file() || is_data {
            continue;
        }
        match fs::read(&full).map(String::from_utf8) {
            Ok(Ok(text)) => check_text(&path, &text, &mut complaints),
            Ok(Err(_)) => {} // A picture.
            Err(error) => complaints.push(format!("{path}: {error}")),
        }
    }
    for game in shell::games()? {
        check_game(&root, &game, &mut complaints);
    }
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

/// What belongs to every game.
fn check_game(root: &Path, game: &str, complaints: &mut Vec<String>) {
    let parts = [
        format!("crates/{game}/src/rules.rs"),
        format!("crates/{game}/statements/en.md"),
        format!("crates/{game}/statements/fr.md"),
        format!("crates/{game}/fuzz-corpus"),
        format!("fixtures/{game}/dev.jsonl.gz"),
        format!("fixtures/{game}/maps.jsonl.gz"),
        format!("fuzz/fuzz_targets/{game}.rs"),
    ];
    complaints.extend(
        parts.iter().filter(|part| !root.join(part).exists()).map(|part| format!("{part} is missing")),
    );
}
