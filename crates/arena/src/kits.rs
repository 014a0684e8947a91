//! Starter bots: for each game one in every language, embedded.

/// A language there are kits for.
#[derive(Clone, Copy, Debug)]
pub struct KitLanguage {
    /// Its name in the list of languages that Agon compiles.
    pub name: &'static str,
    /// What people call it; the first word is the one for folders.
    pub words: &'static [&'static str],
    /// The source file.
    pub file: &'static str,
}

/// Every language there are kits for.
pub const KIT_LANGUAGES: [KitLanguage; 7] = [
    KitLanguage { name: "Python", words: &["python", "py", "python3"], file: "bot.py" },
    KitLanguage { name: "C++", words: &["cpp", "c++", "cc", "cxx"], file: "bot.cpp" },
    KitLanguage { name: "Rust", words: &["rust", "rs"], file: "bot.rs" },
    KitLanguage { name: "JavaScript", words: &["javascript", "js", "node"], file: "bot.js" },
    KitLanguage { name: "Java", words: &["java"], file: "Bot.java" },
    KitLanguage { name: "C#", words: &["csharp", "c#", "cs"], file: "bot.cs" },
    KitLanguage { name: "Go", words: &["go", "golang"], file: "bot.go" },
];

/// The sources of a game, in the order of [`KIT_LANGUAGES`].
macro_rules! kits_of {
    ($game:literal) => {
        kits_of!($game: "bot.py", "bot.cpp", "bot.rs", "bot.js", "Bot.java", "bot.cs", "bot.go")
    };
    ($game:literal: $($file:literal),*) => {
        ($game, [$(include_str!(concat!("../../../kits/", $game, "/", $file))),*])
    };
}

static KITS: [(&str, [&str; KIT_LANGUAGES.len()]); 3] =
    [kits_of!("back-track"), kits_of!("hypersonic"), kits_of!("ocean-of-code")];

/// The starter bots of a game, in the order of [`KIT_LANGUAGES`]; nothing for a game that has none.
pub fn kits(game: &str) -> Option<&'static [&'static str]> {
    KITS.iter().find(|(name, _)| *name == game).map(|(_, sources)| sources.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_game_has_a_kit_in_every_language() {
        let games = catalog::games().map(|game| game.info().name);
        assert_eq!(KITS.map(|(game, _)| game), games);
        for language in &KIT_LANGUAGES {
            let known = crate::Language::of(Path::new(language.file));
            assert_eq!(known.map(|known| known.name), Some(language.name));
        }
        for (game, sources) in KITS {
            for (source, language) in sources.iter().zip(&KIT_LANGUAGES) {
                assert!(source.contains("starter bot"), "{game}, {}", language.name);
                assert!(source.contains("Your ideas go here") || source.contains("your ideas go here"));
            }
        }
        assert!(kits("chess").is_none());
    }
}
