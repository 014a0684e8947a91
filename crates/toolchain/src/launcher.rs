//! How the program of a built-in bot is started.

use std::ffi::OsString;
use std::path::PathBuf;

use catalog::AnyGame;
use game::Selected;
use sandbox::Program;

use crate::Builtin;

/// Starts built-in bots as programs, so that they are sandboxed and timed like any other bot: `PROGRAM bot GAME NAME
/// ...`. The caller names the program, which is `agon` or a test that understands the same arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    program: PathBuf,
    seed: u64,
}

/// A built-in bot that the game does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} has no built-in bot @{name}")]
pub struct LaunchError {
    /// Name of the game.
    pub game: &'static str,
    /// Name of the bot.
    pub name: &'static str,
}

impl Launcher {
    /// A launcher that starts this program.
    pub fn new(program: impl Into<PathBuf>) -> Launcher {
        Launcher { program: program.into(), seed: 0 }
    }

    /// A launcher whose bots use this seed for their random numbers.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Launcher {
        Launcher { seed, ..self }
    }

    /// The program that plays a built-in bot; `None` for bots that play in memory.
    ///
    /// # Errors
    ///
    /// When the game does not have this bot.
    pub fn program(
        &self,
        builtin: Builtin,
        game: &dyn AnyGame,
        selected: Selected,
    ) -> Result<Option<Program>, LaunchError> {
        let bot = match builtin {
            Builtin::Random | Builtin::Wait => return Ok(None),
            Builtin::Boss => game.boss(selected.league),
            Builtin::Ladder(name) => game.bot(name),
        };
        let game = game.info().name;
        let bot = bot.ok_or(LaunchError { game, name: builtin.name() })?;
        let mut argv: Vec<OsString> = vec![self.program.clone().into()];
        argv.extend(["bot", game, bot.name, "--edition", selected.edition].map(OsString::from));
        argv.extend(["--league".into(), selected.league.to_string().into()]);
        argv.extend(["--players".into(), selected.players.to_string().into()]);
        if self.seed != 0 {
            argv.extend(["--seed".into(), self.seed.to_string().into()]);
        }
        Ok(Some(Program { argv, folder: None, writable: None, env: Vec::new() }))
    }
}
