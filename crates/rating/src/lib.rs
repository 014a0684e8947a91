//! "Is my bot better?" in numbers: pure functions of results.
//!
//! - [`GameResult`] is a finished game; [`Duel`] collects the games of two players: single results ([`Score`]) and,
//!   because the same seed is played from every seat, *units* ([`Pairs`]): two games of a seed for two players, all
//!   rotations for more.
//! - [`Estimate`]s with 95 % intervals: Elo, normalised Elo, likelihood of superiority. They come from the spread of
//!   the units, never from single games that share a map.
//! - [`Sprt`] is the generalised sequential probability ratio test on units, [`Sequential`] the running test.
//! - [`Report`] is the text block that testers paste, also as JSON.
//! - [`CrossTable`] has the results of each player against each other player; [`Pool`] rates a fixed set of players by
//!   Bradley-Terry; [`Ladder`] folds Weng-Lin or `TrueSkill` over a log.
//! - [`Belief`] chooses the pair of players whose game gives the most information, [`swiss`] the pairs of the next
//!   round of a Swiss tournament.
//! - [`Spsa`] tunes numbers by the results of games.
//!
//! Nothing here reads a clock, starts a thread or uses global state. Every result is a function of the *set* of games:
//! where sums of floats or the order of updates matter, the log is sorted first (by unit, then seating, then ranks), so
//! that neither the number of workers nor the order of arrival influences a number. Unusual input (no game, only wins,
//! seats without a rank) gives finite numbers with wide intervals and never panics.

mod buckets;
mod cross;
mod duel;
mod elo;
mod estimate;
mod ladder;
mod matrix;
mod nelo;
mod normal;
mod pairing;
mod pool;
mod report;
mod result;
mod sprt;
mod spsa;
pub mod swiss;

pub use buckets::buckets;
pub use cross::CrossTable;
pub use duel::{Duel, Pairs, Score, Shape};
pub use elo::{ELO_CAP, NELO_PER_SIGMA, elo_of_score, score_of_elo};
pub use estimate::Estimate;
pub use ladder::{Ladder, Standing, System};
pub use pairing::Belief;
pub use pool::{Pool, Rated};
pub use report::Report;
pub use result::GameResult;
pub use sprt::{Decision, Model, Sequential, Sprt, SprtError, SprtState};
pub use spsa::{Dial, DialError, DialFindings, DialState, Spsa};
