//! Opponents that are always there.

use std::ffi::OsString;

use catalog::{AnyGame, AnyMatch};
use game::{Dice, Seat, Selected};
use sandbox::Program;

/// A built-in bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Any order that the rules allow, each as likely as the others of its kind. It plays in memory and takes no time.
    Random,
    /// As little as the rules allow. It plays in memory and takes no time.
    Wait,
    /// The boss of the league that is played.
    Boss,
    /// A bot of the game's ladder, by its name. Like the boss it is a program, boxed and timed like any other: this one.
    Ladder(&'static str),
}

impl Builtin {
    /// Those that every game has, with their names.
    const EVERYWHERE: [(&'static str, Builtin); 3] =
        [("boss", Builtin::Boss), ("random", Builtin::Random), ("wait", Builtin::Wait)];

    /// The names of all built-ins of a game; of all games without one.
    pub fn names(game: Option<&str>) -> Vec<&'static str> {
        let games = catalog::games().into_iter().map(|known| known.info().name);
        let ladders = games.filter(|name| game.is_none_or(|game| game == *name)).flat_map(bots::all);
        let mut names: Vec<&str> = Builtin::EVERYWHERE.iter().map(|(name, _)| *name).collect();
        for bot in ladders {
            if !names.contains(&bot.name) {
                names.push(bot.name);
            }
        }
        names
    }

    /// The built-in of this name, of whatever game.
    pub fn find(name: &str) -> Option<Builtin> {
        let everywhere = Builtin::EVERYWHERE.iter().find(|(known, _)| *known == name);
        everywhere.map(|(_, builtin)| *builtin).or_else(|| {
            let known = Builtin::names(None).into_iter().find(|known| *known == name)?;
            Some(Builtin::Ladder(known))
        })
    }

    /// The name after the `@`.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Random => "random",
            Builtin::Wait => "wait",
            Builtin::Boss => "boss",
            Builtin::Ladder(name) => name,
        }
    }

    /// The program that plays it; `None` for those that play in memory.
    ///
    /// # Errors
    ///
    /// When the game has no such bot, or this program cannot tell where it stands.
    pub(crate) fn program(self, game: &dyn AnyGame, selected: Selected) -> Result<Option<Program>, String> {
        let game = game.info().name;
        let built = match self {
            Builtin::Random | Builtin::Wait => return Ok(None),
            Builtin::Boss => bots::boss(game, selected.league),
            Builtin::Ladder(name) => bots::find(game, name),
        };
        let built = built.ok_or_else(|| format!("{game} has no built-in bot @{}", self.name()))?;
        let own =
            std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?;
        let mut argv: Vec<OsString> = vec![own.into()];
        argv.extend(["bot", game, built.name, "--rules", selected.edition].map(OsString::from));
        argv.extend(["--league".into(), selected.league.to_string().into()]);
        argv.extend(["--players".into(), selected.players.to_string().into()]);
        Ok(Some(Program { argv, folder: None, writable: None, env: Vec::new() }))
    }

    /// The answer of one that plays in memory to the question `seat` has now.
    pub(crate) fn answer(
        self,
        game: &str,
        play: &dyn AnyMatch,
        seat: Seat,
        question: &str,
        dice: &mut Dice,
    ) -> Vec<u8> {
        match self {
            Builtin::Wait => wait(game, play, seat, question, dice),
            _ => play.random_answer(seat, dice),
        }
    }
}

fn wait(game: &str, play: &dyn AnyMatch, seat: Seat, question: &str, dice: &mut Dice) -> Vec<u8> {
    match game {
        "back-track" => b"WAIT".to_vec(),
        // A submarine must be placed before it can do nothing; then nothing is to surface.
        "ocean-of-code" if question.starts_with("15 15") => play.random_answer(seat, dice),
        "ocean-of-code" => b"SURFACE".to_vec(),
        "hypersonic" => {
            let me = format!("0 {seat} ");
            let place = question.lines().find_map(|line| line.strip_prefix(&me)).unwrap_or("0 0");
            let cell: Vec<&str> = place.split(' ').take(2).collect();
            format!("MOVE {}", cell.join(" ")).into_bytes()
        }
        _ => play.random_answer(seat, dice),
    }
}
