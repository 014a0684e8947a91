//! Starter bots: the files in the `kits` folder of each game, embedded.

use std::str;

use rust_embed::RustEmbed;

use crate::{KitNames, Language, kit_languages};

#[derive(RustEmbed)]
#[folder = "../../games"]
#[include = "*/kits/*"]
struct Files;

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
    pub source: String,
}

/// The starter bots of a game, in the order in which they are offered.
pub fn kits(game: &str) -> Vec<Kit> {
    let kit = |(language, names): (&'static Language, KitNames)| {
        let file = Files::get(&format!("{game}/kits/{}", names.file))?;
        let source = str::from_utf8(&file.data).ok()?.to_owned();
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
