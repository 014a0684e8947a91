//! The fold: how a result changes the standings of its players. Pure, and the only place where ratings change.

use model::{BotId, VersionId};
use rating::{GameResult, System};

use crate::{StandingRow, Tally};

model::words! {
    /// The outcome of a match for a seat.
    Outcome {
        /// First, and alone.
        Won = "won",
        /// First, together with another player.
        Drawn = "drawn",
        /// Not first.
        Lost = "lost",
    }
}

/// The part of a standing that the fold uses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Standing {
    pub(crate) rating: f64,
    pub(crate) uncertainty: f64,
    pub(crate) games: i64,
    pub(crate) wins: i64,
    pub(crate) draws: i64,
    pub(crate) losses: i64,
    pub(crate) failures: i64,
    pub(crate) side_quest_sum: f64,
    pub(crate) side_quest_squares: f64,
    pub(crate) side_quest_games: i64,
    pub(crate) last_seq: i64,
}

impl Standing {
    /// The row of this standing.
    pub(crate) fn row(
        &self,
        ladder_id: i64,
        version_id: VersionId,
        bot_id: BotId,
        listed: bool,
    ) -> StandingRow {
        StandingRow {
            ladder_id,
            version_id,
            bot_id,
            listed,
            tally: Tally {
                rating: self.rating,
                uncertainty: self.uncertainty,
                proven: self.proven(),
                games: self.games,
                wins: self.wins,
                draws: self.draws,
                losses: self.losses,
                failures: self.failures,
            },
            side_quest_sum: self.side_quest_sum,
            side_quest_squares: self.side_quest_squares,
            side_quest_games: self.side_quest_games,
            last_seq: self.last_seq,
        }
    }
}

impl StandingRow {
    pub(crate) fn fold(&self) -> Standing {
        Standing {
            rating: self.tally.rating,
            uncertainty: self.tally.uncertainty,
            games: self.tally.games,
            wins: self.tally.wins,
            draws: self.tally.draws,
            losses: self.tally.losses,
            failures: self.tally.failures,
            side_quest_sum: self.side_quest_sum,
            side_quest_squares: self.side_quest_squares,
            side_quest_games: self.side_quest_games,
            last_seq: self.last_seq,
        }
    }
}

/// A seat of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played {
    pub(crate) version: VersionId,
    pub(crate) rank: i64,
    pub(crate) failed: bool,
    pub(crate) side_quest: Option<f64>,
}

impl Standing {
    /// A version before its first match.
    pub(crate) fn newcomer() -> Standing {
        let start = rating::Standing::newcomer(0);
        Standing {
            rating: start.rating,
            uncertainty: start.uncertainty,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            failures: 0,
            side_quest_sum: 0.0,
            side_quest_squares: 0.0,
            side_quest_games: 0,
            last_seq: 0,
        }
    }

    /// The value by which boards are sorted.
    pub(crate) fn proven(&self) -> f64 {
        let Standing { rating, uncertainty, .. } = *self;
        storable(rating::Standing { player: 0, rating, uncertainty, games: 0 }.proven())
    }

    /// Whether both are equal to the last bit.
    pub(crate) fn same(&self, other: &Standing) -> bool {
        let reals = |s: &Standing| {
            [s.rating, s.uncertainty, s.side_quest_sum, s.side_quest_squares].map(f64::to_bits)
        };
        let counts =
            |s: &Standing| [s.games, s.wins, s.draws, s.losses, s.failures, s.side_quest_games, s.last_seq];
        reals(self) == reals(other) && counts(self) == counts(other)
    }
}

/// Removes the sign of a zero: SQLite does not store it, and both databases must hold the same bits.
fn storable(value: f64) -> f64 {
    value + 0.0
}

/// The outcome of a match for a seat. Seats of the same version count as one player.
pub(crate) fn outcome(seats: &[Played], seat: usize) -> Outcome {
    let own = seats[seat];
    let others = seats.iter().filter(|other| other.version != own.version);
    match others.map(|other| other.rank).min() {
        Some(best) if own.rank < best => Outcome::Won,
        Some(best) if own.rank == best => Outcome::Drawn,
        Some(_) => Outcome::Lost,
        None => Outcome::Drawn,
    }
}

/// Applies a result: `standings` are the standings of the distinct versions of the match, each with its version, in any
/// order. A version in several seats is counted once, by its best seat, and its rating changes by the mean of its
/// seats.
pub(crate) fn apply(standings: &mut [(VersionId, Standing)], seats: &[Played], rated: bool, seq: i64) {
    if rated {
        // In the order of the versions' numbers, independent of the caller's order.
        let mut order: Vec<usize> = (0..standings.len()).collect();
        order.sort_by_key(|&index| standings[index].0);
        let beliefs: Vec<(f64, f64)> =
            order.iter().map(|&index| (standings[index].1.rating, standings[index].1.uncertainty)).collect();
        let place = |version: VersionId| order.iter().position(|&index| standings[index].0 == version);
        let game = GameResult {
            unit: 0,
            players: seats.iter().map(|seat| place(seat.version).unwrap_or(usize::MAX)).collect(),
            ranks: seats.iter().map(|seat| u32::try_from(seat.rank).unwrap_or(u32::MAX)).collect(),
        };
        let mut ladder = rating::Ladder::of_beliefs(System::ARENA, &beliefs);
        ladder.add(&game);
        for (&index, after) in order.iter().zip(ladder.standings()) {
            standings[index].1.rating = storable(after.rating);
            standings[index].1.uncertainty = storable(after.uncertainty);
        }
    }
    for (version, standing) in standings.iter_mut() {
        let own = seats.iter().enumerate().filter(|(_, seat)| seat.version == *version);
        let Some((best, _)) = own.clone().min_by_key(|(_, seat)| seat.rank) else { continue };
        standing.games += 1;
        match outcome(seats, best) {
            Outcome::Won => standing.wins += 1,
            Outcome::Drawn => standing.draws += 1,
            Outcome::Lost => standing.losses += 1,
        }
        standing.failures += i64::from(own.clone().any(|(_, seat)| seat.failed));
        for side_quest in own.filter_map(|(_, seat)| seat.side_quest) {
            standing.side_quest_sum = storable(standing.side_quest_sum + side_quest);
            standing.side_quest_squares = storable(standing.side_quest_squares + side_quest * side_quest);
            standing.side_quest_games += 1;
        }
        standing.last_seq = seq;
    }
}
