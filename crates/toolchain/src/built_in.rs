//! Built-in bots as opponents: `@random`, `@wait`, `@boss` and the bots of the ladders.

use catalog::AnyMatch;
use game::{Dice, Seat};

/// A built-in bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Any order that the rules allow, each as likely as the others of its kind. It plays in memory; its answers take
    /// no time.
    Random,
    /// As little as the rules allow. It plays in memory; its answers take no time.
    Wait,
    /// The boss of the league that is played.
    Boss,
    /// A bot of the game's ladder, by its name. Like the boss it is a program, sandboxed and timed like any other;
    /// see [`crate::Launcher`].
    Ladder(&'static str),
}

impl Builtin {
    /// The built-in bots of every game, with their names.
    const EVERYWHERE: [(&'static str, Builtin); 3] =
        [("boss", Builtin::Boss), ("random", Builtin::Random), ("wait", Builtin::Wait)];

    /// The names of all built-in bots of a game, or of all games for `None`.
    pub fn names(game: Option<&str>) -> Vec<&'static str> {
        let ladders = catalog::games()
            .filter(|known| game.is_none_or(|game| game == known.info().name))
            .flat_map(catalog::AnyGame::ladder);
        let mut names: Vec<&str> = Builtin::EVERYWHERE.iter().map(|(name, _)| *name).collect();
        for bot in ladders {
            if !names.contains(&bot.name) {
                names.push(bot.name);
            }
        }
        names
    }

    /// The built-in bot of this name in any game.
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

    /// The answer of a bot that plays in memory to the current question of `seat`; `None` for a bot that is a
    /// program.
    pub fn answer(self, play: &dyn AnyMatch, seat: Seat, dice: &mut Dice) -> Option<Vec<u8>> {
        match self {
            Builtin::Random => Some(play.random_answer(seat, dice)),
            Builtin::Wait => Some(play.idle_answer(seat, dice)),
            Builtin::Boss | Builtin::Ladder(_) => None,
        }
    }
}
