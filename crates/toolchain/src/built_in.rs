//! Built-in bots as opponents: `@random`, `@wait`, `@boss` and the bots of the ladders.

use catalog::{AnyGame, AnyMatch, UnknownBot};
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
    /// A bot of the game's ladder or a level of its champion, by its name. Like the boss it is a program, sandboxed and timed like any other;
    /// see [`crate::Launcher`].
    Ladder(&'static str),
}

impl Builtin {
    /// The built-in bots of every game, with their names.
    const EVERYWHERE: [(&'static str, Builtin); 3] =
        [("boss", Builtin::Boss), ("random", Builtin::Random), ("wait", Builtin::Wait)];

    /// The names of all built-in bots of a game, levels last.
    pub fn names(game: &dyn AnyGame) -> Vec<&'static str> {
        let bots = game.ladder().iter().chain(game.levels());
        Builtin::everywhere().chain(bots.map(|bot| bot.name)).collect()
    }

    fn everywhere() -> impl Iterator<Item = &'static str> {
        Builtin::EVERYWHERE.iter().map(|(name, _)| *name)
    }

    /// The built-in bot of this name in a game, or in any game for `None`.
    ///
    /// # Errors
    ///
    /// When there is none; the message says which there are.
    pub fn find(name: &str, game: Option<&dyn AnyGame>) -> Result<Builtin, UnknownBot> {
        if let Some((_, builtin)) = Builtin::EVERYWHERE.iter().find(|(known, _)| *known == name) {
            return Ok(*builtin);
        }
        let games =
            || catalog::games().filter(|known| game.is_none_or(|game| game.info().name == known.info().name));
        let bot = games().find_map(|game| game.bot(name));
        bot.map(|bot| Builtin::Ladder(bot.name))
            .ok_or_else(|| UnknownBot::new(name, games(), Builtin::everywhere()).with_at())
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
