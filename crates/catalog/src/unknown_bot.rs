//! A name that no built-in bot has: says which names there are.

use std::fmt;

use crate::AnyGame;

/// A name that no built-in bot has. The fault is the caller's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBot {
    asked: String,
    /// The names of bots.
    known: Vec<&'static str>,
    /// The names of levels, weakest first.
    levels: Vec<&'static str>,
    /// Written before each name.
    sign: &'static str,
}

impl UnknownBot {
    /// The name that was asked for, the games in which it could have been, and names that belong to no game.
    pub fn new<'a>(
        asked: &str,
        games: impl IntoIterator<Item = &'a dyn AnyGame>,
        others: impl IntoIterator<Item = &'static str>,
    ) -> UnknownBot {
        let (mut known, mut levels): (Vec<&str>, _) = (others.into_iter().collect(), Vec::new());
        for game in games {
            for (bots, names) in [(game.ladder(), &mut known), (game.levels(), &mut levels)] {
                for bot in bots {
                    if !names.contains(&bot.name) {
                        names.push(bot.name);
                    }
                }
            }
        }
        UnknownBot { asked: asked.to_owned(), known, levels, sign: "" }
    }

    /// The same where names are written as `@NAME`.
    #[must_use]
    pub fn with_at(self) -> UnknownBot {
        UnknownBot { sign: "@", ..self }
    }
}

impl fmt::Display for UnknownBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = self.sign;
        let asked = game::quote(format!("{sign}{}", self.asked).as_bytes());
        let levels = match (self.levels.first(), self.levels.last()) {
            (Some(first), Some(last)) => Some(format!("{sign}{first} to {sign}{last}")),
            _ => None,
        };
        let bot = self.asked.split_once(':').map(|(bot, _)| bot).filter(|bot| self.known.contains(bot));
        let is_of_bot = |level: &&str| level.split_once(':').map(|(of, _)| of) == bot;
        match (bot, levels) {
            (Some(bot), Some(levels)) if self.levels.iter().any(is_of_bot) => {
                write!(f, "there is no level {asked} of {sign}{bot}; choose one of {levels}")
            }
            (Some(bot), Some(levels)) => {
                write!(
                    f,
                    "there is no bot {asked}: {bot} has no levels; choose {sign}{bot} or one of {levels}"
                )
            }
            (_, levels) => {
                let mut names: Vec<String> = self.known.iter().map(|name| format!("{sign}{name}")).collect();
                names.extend(levels);
                write!(f, "there is no built-in bot {asked}; choose one of: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for UnknownBot {}
