//! Numbers of database objects, each with its own type.

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
}
