//! Bots before they play.
//!
//! A [`BotSpec`] says what plays: a command, a source file, a built-in bot. [`BuildCache::prepare`] makes a [`Bot`] of it: a
//! source is compiled in the sandbox, once per content. [`LANGUAGES`] is the one list of languages; [`kits`] are the starter
//! bots. A [`Launcher`] says how the program of a built-in bot is started.

mod bot;
mod built_in;
mod kits;
mod languages;
mod launcher;

pub use bot::{Bot, BotSpec, BotSpecError, BuildCache, How, PrepareError};
pub use built_in::Builtin;
pub use kits::{Kit, kits};
pub use languages::{KitNames, LANGUAGES, Language, kit_languages, packages};
pub use launcher::{LaunchError, Launcher};
