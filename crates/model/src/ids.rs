//! Numbers of the arena, each with its own type.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<i64> for $name {
            fn from(number: i64) -> $name {
                $name(number)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> i64 {
                id.0
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<$name, ParseIntError> {
                text.parse().map($name)
            }
        }
    )* };
}

ids! {
    /// The number of a match.
    MatchId,
    /// The number of a bot: of a user in a game of a contest, or of a built-in bot in a league.
    BotId,
    /// The number of a version of a bot.
    VersionId,
    /// The number of a user.
    UserId,
    /// A step of the arena: the position of a league among the leagues of a game in a contest. 0 is the lowest league;
    /// a promotion leads to the next tier.
    ///
    /// A tier is not the league of a game's rules, which counts from 1: a contest may leave leagues out, and several
    /// tiers may have the same rules. [`GameLeagues::league`](crate::GameLeagues::league) is the one conversion: it
    /// gives the [`League`](crate::League) of a tier, whose field `rules` is the league of the game.
    Tier,
}

impl Tier {
    /// The lowest tier, in which every bot of a user starts.
    pub const FIRST: Tier = Tier(0);

    /// The tier above.
    #[must_use]
    pub fn next(self) -> Tier {
        Tier(self.0 + 1)
    }

    /// The tiers from this one up to `end`, without `end`.
    pub fn until(self, end: Tier) -> impl Iterator<Item = Tier> {
        (self.0..end.0).map(Tier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_plain_numbers_outside() {
        assert_eq!(serde_json::to_string(&[MatchId(7), MatchId(8)]).unwrap(), "[7,8]");
        assert_eq!(serde_json::from_str::<BotId>("12").unwrap(), BotId(12));
        assert_eq!(VersionId(3).to_string(), "3");
        assert_eq!("-4".parse(), Ok(UserId(-4)));
        assert!("4x".parse::<UserId>().is_err());
        assert_eq!(i64::from(UserId::from(9)), 9);
    }

    #[test]
    fn tiers_count_from_the_lowest() {
        assert_eq!(Tier::FIRST.next(), Tier(1));
        assert_eq!(Tier(1).until(Tier(3)).collect::<Vec<_>>(), [Tier(1), Tier(2)]);
        assert_eq!(Tier(3).until(Tier(1)).next(), None);
    }
}
