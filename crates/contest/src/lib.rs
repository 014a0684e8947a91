//! A contest.

mod leagues;
pub mod matchmaking;
mod promotion;

pub use leagues::{Final, GameLeagues, League, Leagues, LeaguesError, Settings, Text, Way};
pub use promotion::{Place, Trial, Verdict, is_above_boss, is_broken};
