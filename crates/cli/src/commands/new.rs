//! `agon new`

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use game::Selected;
use serde_json::json;
use toolchain::Kit;

use crate::Failure;
use crate::args::{GameArgs, Language as StatementLanguage};
use crate::output::{note, print, print_json};

#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    #[command(flatten)]
    game: GameArgs,
    #[arg(long, value_name = "LANG", help = language_help())]
    lang: String,
    /// The folder to write it to [default: GAME-LANG]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Language of the statement
    #[arg(long, env = "AGON_LANG", value_enum, value_name = "LANG", default_value = "en")]
    statement: StatementLanguage,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn language_help() -> String {
    let words: Vec<&str> = toolchain::kit_languages().iter().map(|(_, names)| names.words[0]).collect();
    format!("Language of the bot: {}", words.join(", "))
}

pub(crate) fn run(args: &NewArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let name = game.info().name;
    let kit = find_kit(name, &args.lang).map_err(Failure::Unusable)?;
    let folder = args.folder.clone().unwrap_or_else(|| format!("{name}-{}", kit.words[0]).into());
    let shown = folder.display().to_string();
    let commands = Commands::new(name, game.info().leagues.len(), selected, &args.game, kit.file);
    let files = [
        (kit.file, kit.source.to_owned()),
        ("statement.md", game.statement(selected, args.statement.into())?),
        ("README.md", readme(game.info().title, &kit, &commands)),
    ];
    write_all(&folder, &files)?;

    let language = kit.language;
    let missing = language.missing().map(|program| (program, language.package));
    if let Some((program, package)) = missing {
        note(&format!(
            "{} needs `{program}`, which is not installed; on Debian: apt-get install {package}",
            language.name
        ));
    }
    if args.json {
        return print_json(&json!({
            "folder": shown,
            "game": name,
            "language": language.name,
            "files": files.each_ref().map(|(file, _)| *file),
            "missing": missing.map(|(program, package)| json!({"program": program, "package": package})),
        }));
    }
    print(&format!(
        "{shown}: {} is a bot in {}, statement.md the rules, README.md what to do with them\n\n  cd {}\n  {}\n  {}\n",
        kit.file,
        language.name,
        shell_words::quote(&shown),
        commands.play,
        commands.check,
    ))
}

/// The kit of a game in the language that the user named.
fn find_kit(game: &str, asked: &str) -> Result<Kit, String> {
    let word = asked.to_lowercase();
    let kits = toolchain::kits(game);
    let known = kits.iter().map(|kit| kit.words[0]).collect::<Vec<_>>().join(", ");
    let words: Vec<&str> = kits.iter().flat_map(|kit| kit.words).copied().collect();
    if let Some(found) = kits.into_iter().find(|kit| kit.words.contains(&word.as_str())) {
        return Ok(found);
    }
    let nearest = words
        .into_iter()
        .filter(|known| known.len() > 2)
        .map(|known| (distance(&word, known), known))
        .min()
        .filter(|(distance, known)| *distance <= known.len() / 3);
    let guess = nearest.map_or(String::new(), |(_, known)| format!("; did you mean {known}?"));
    Err(format!("there is no kit in {}{guess} (there are kits in {known})", game::quote(asked.as_bytes())))
}

/// The number of letters that must be changed, added or removed to turn one word into the other (Levenshtein).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    // The typed word may be very long; a word that is much longer than any known one is not similar to it.
    for (i, letter) in one.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, wanted) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *wanted);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

/// Writes a kit into a folder that is new or empty.
fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    let unusable =
        |path: &Path, error: std::io::Error| Failure::Unusable(format!("{}: {error}", path.display()));
    if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Failure::Unusable(format!(
            "{} is not empty, and nothing is overwritten; name another folder: agon new GAME --lang LANG DIR",
            folder.display()
        )));
    }
    fs::create_dir_all(folder).map_err(|error| unusable(folder, error))?;
    for (name, text) in files {
        let path = folder.join(name);
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| unusable(&path, error))?;
    }
    Ok(())
}

/// The commands to type in the folder of the kit.
struct Commands {
    statement: String,
    play: String,
    stderr: String,
    check: String,
    duel: String,
    versus: String,
    old: String,
}

impl Commands {
    fn new(game: &str, leagues: usize, selected: Selected, asked: &GameArgs, file: &str) -> Commands {
        // Default values are omitted.
        let default = usize::from(selected.league) == leagues;
        let league = if default { String::new() } else { format!(" --league {}", selected.league) };
        let edition = asked.edition.as_ref().map(|name| format!(" --edition {}", shell_words::quote(name)));
        let rules = league + &edition.unwrap_or_default();
        let players = asked.players.map_or(String::new(), |players| format!(" --players {players}"));
        let old = file.replace("bot", "old").replace("Bot", "Old");
        let others = " --bot @random".repeat(usize::from(selected.players) - 1);
        Commands {
            statement: format!("agon statement {game}{rules}{players}"),
            play: format!("agon play {game}{rules} --bot {file}{others} --show"),
            stderr: format!("agon play {game}{rules} --bot {file}{others} --stderr"),
            check: format!("agon check {game}{rules}{players} --bot {file}"),
            duel: format!("agon duel {game}{rules}{players} --bot {file} --bot @random -n 100"),
            versus: format!("agon duel {game}{rules}{players} --bot {file} --bot {old} -n 200"),
            old: format!("cp {file} {old}"),
        }
    }
}

fn readme(title: &str, kit: &Kit, commands: &Commands) -> String {
    format!(
        "\
# A bot for {title} in {name}

- `{file}`: the bot. It reads everything the game tells, plays a sensible move, and says where your ideas go.
- `statement.md`: the rules, as `{statement}` prints them.

Watch it play a match; then see what it writes to its standard error output, answer by answer:

```
{play}
{stderr}
```

Is it ready? Every seat, several maps, with its times and its memory:

```
{check}
```

How good is it? Many matches, every map from every seat:

```
{duel}
```

Keep a copy before you change something, and find out whether the change was a good one:

```
{old}
{versus}
```

`agon play --help` tells more: other leagues and rules, seeds, clocks, records.
",
        name = kit.language.name,
        file = kit.file,
        statement = commands.statement,
        play = commands.play,
        stderr = commands.stderr,
        check = commands.check,
        duel = commands.duel,
        old = commands.old,
        versus = commands.versus,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_any_of_their_names() {
        const GAME: &str = "hypersonic";
        for (word, name) in
            [("Python", "Python"), ("C++", "C++"), ("c#", "C#"), ("JS", "JavaScript"), ("golang", "Go")]
        {
            assert_eq!(find_kit(GAME, word).ok().map(|kit| kit.language.name), Some(name), "{word}");
        }
        let said = |word: &str| find_kit(GAME, word).err().unwrap_or_default();
        assert!(said("pyhton").contains("did you mean python?"));
        assert!(said("typescript").contains("javascript"));
        assert!(!said("cobol").contains("did you mean"));
        assert!(!said(&"x".repeat(100_000)).contains("did you mean"));
    }

    #[test]
    fn distances_are_levenshtein_distances() {
        for (one, other, expected) in
            [("", "go", 2), ("kitten", "sitting", 3), ("rust", "rust", 0), ("jaav", "java", 2)]
        {
            assert_eq!(distance(one, other), expected);
            assert_eq!(distance(other, one), expected);
        }
    }
}
