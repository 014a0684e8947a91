//! Starter bots: the files in the `kits` folder of each game, embedded.

use crate::{KitNames, Language, kit_languages};

/// Game, file name and text of each file, listed by the build script.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/kits.rs"));

/// A starter bot.
#[derive(Clone, Debug)]
pub struct Kit {
    /// The language.
    pub language: &'static Language,
    /// The name of the source file.
    pub file: &'static str,
    /// The words that choose the language; the first one names the folder of a new bot.
    pub words: &'static [&'static str],
    /// The source.
    pub source: &'static str,
}

/// The starter bots of a game, in the order in which they are offered.
pub fn kits(game: &str) -> Vec<Kit> {
    let kit = |(language, names): (&'static Language, KitNames)| {
        let (_, _, source) = FILES.iter().find(|(of, file, _)| *of == game && *file == names.file)?;
        Some(Kit { language, file: names.file, words: names.words, source })
    };
    kit_languages().into_iter().filter_map(kit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_game_has_kits_that_say_where_ideas_go() {
        for game in catalog::games().map(|game| game.info().name) {
            let kits = kits(game);
            assert!(!kits.is_empty(), "{game}");
            for kit in kits {
                let known = Language::of(Path::new(kit.file));
                assert_eq!(known.map(|known| known.name), Some(kit.language.name));
                assert!(kit.source.contains("starter bot"), "{game}, {}", kit.language.name);
                assert!(kit.source.to_lowercase().contains("your ideas go here"), "{game}");
            }
        }
        assert!(kits("chess").is_empty());
    }
}
