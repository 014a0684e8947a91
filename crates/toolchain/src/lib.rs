//! Preparing bots.
//!
//! A [`BotSpec`] names a bot: a command, a source file, a built-in bot. [`BuildCache::prepare`] makes a [`Bot`] of
//! it: a source is compiled in the sandbox, once per content. [`LANGUAGES`] is the only list of languages; [`kits`]
//! are the starter bots. A [`SentProgram`] was built on another machine. A [`Launcher`] starts the programs of built-in bots.

mod bot;
mod build_cache;
mod built_in;
mod kits;
mod languages;
mod launcher;
mod portable;
mod program;
mod submission;

pub use bot::{Bot, BotSpec, BotSpecError, How, PrepareError};
pub use build_cache::{Bounds, BuildCache, Hold};
pub use built_in::Builtin;
pub use kits::{Kit, kits};
pub use languages::{KitNames, LANGUAGES, Language, kit_languages};
pub use launcher::{LaunchError, Launcher};
pub use portable::{PortableBot, PortableError, PortableHow};
pub use program::{LARGEST_PROGRAM, SentProgram, platform_of};
pub use submission::{NotBuilt, language};
