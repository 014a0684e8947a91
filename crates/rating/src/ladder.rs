//! Ladders: ratings that are updated after each game.
//!
//! A ladder is a fold: the rating after a game depends on the ratings before it, so the order matters. [`Ladder::of`]
//! folds over the sorted log, never over the order of arrival. For a fixed set of bots use a [`Pool`](crate::Pool),
//! because bots do not learn between games; a ladder is for players that join, change and leave.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill_multi_team};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

use crate::elo::ELO_PER_NAT;
use crate::{Belief, GameResult, result};

/// The rating system of a ladder. Both systems start a player at 25 with an uncertainty of 25/3, and support draws and
/// any number of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// R. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", 2011: Bradley-Terry, full pairs.
    #[default]
    WengLin,
    /// R. Herbrich, T. Minka and T. Graepel, "`TrueSkill`: a Bayesian skill rating system", 2006. The name is a trade
    /// mark, and its owner allows other uses only for non-commercial projects; Weng-Lin is as good and free.
    TrueSkill,
}

impl System {
    /// The system of the arena's ladders.
    pub const ARENA: System = System::WengLin;

    /// The difference of ratings that is one unit of the curve of expected results: `beta √2`.
    pub fn scale(self) -> f64 {
        let beta = match self {
            System::WengLin => WengLinConfig::new().beta,
            System::TrueSkill => TrueSkillConfig::new().beta,
        };
        beta * std::f64::consts::SQRT_2
    }
}

/// A player on a ladder.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Its number.
    pub player: usize,
    /// The mean of the estimated skill.
    pub rating: f64,
    /// The standard deviation of the estimated skill.
    pub uncertainty: f64,
    /// Games it played.
    pub games: u64,
}

impl Standing {
    /// A player before its first game.
    pub fn newcomer(player: usize) -> Standing {
        let WengLinRating { rating, uncertainty } = WengLinRating::new();
        Standing { player, rating, uncertainty, games: 0 }
    }

    /// The sort key of a table: three deviations below the mean, a skill that the player almost certainly has. It
    /// rewards playing.
    pub fn proven(&self) -> f64 {
        self.rating - 3.0 * self.uncertainty
    }
}

/// Ratings that are updated after each game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ladder {
    system: System,
    standings: Vec<Standing>,
}

impl Ladder {
    /// A ladder of newcomers.
    pub fn new(system: System, players: usize) -> Ladder {
        Ladder { system, standings: (0..players).map(Standing::newcomer).collect() }
    }

    /// A ladder of players with known ratings and uncertainties. A caller that stores a ladder elsewhere continues it
    /// with [`Ladder::add`]; games count from zero.
    pub fn of_beliefs(system: System, beliefs: &[(f64, f64)]) -> Ladder {
        let standings = (beliefs.iter().enumerate())
            .map(|(player, &(rating, uncertainty))| Standing { player, rating, uncertainty, games: 0 })
            .collect();
        Ladder { system, standings }
    }

    /// The ladder after a whole log, folded in its sorted order.
    pub fn of(system: System, players: usize, games: &[GameResult]) -> Ladder {
        let mut ladder = Ladder::new(system, players);
        for game in result::sorted(games) {
            ladder.add(game);
        }
        ladder
    }

    /// Adds a game. Seats of players that are not on the ladder are ignored, and so is a game with only one player. The
    /// rating of a player in several seats changes by the mean of the changes of its seats.
    pub fn add(&mut self, game: &GameResult) {
        let seats: Vec<(usize, u32)> = (game.players.iter().copied().zip(game.ranks.iter().copied()))
            .filter(|&(player, _)| player < self.standings.len())
            .collect();
        let mut players: Vec<usize> = seats.iter().map(|&(player, _)| player).collect();
        players.sort_unstable();
        players.dedup();
        if players.len() < 2 {
            return;
        }
        let after = self.rate(&seats);
        for player in players {
            let own: Vec<(f64, f64)> = (seats.iter().zip(&after))
                .filter(|((seated, _), _)| *seated == player)
                .map(|(_, &rated)| rated)
                .collect();
            let count = own.len() as f64;
            let rating = own.iter().map(|(rating, _)| rating).sum::<f64>() / count;
            let uncertainty = own.iter().map(|(_, uncertainty)| uncertainty).sum::<f64>() / count;
            let standing = &mut self.standings[player];
            standing.games += 1;
            // An extreme result may overflow in the arithmetic of the libraries; then no rating changes.
            if rating.is_finite() && uncertainty.is_finite() && uncertainty > 0.0 {
                (standing.rating, standing.uncertainty) = (rating, uncertainty);
            }
        }
    }

    /// The players from best to worst by [`Standing::proven`]; equal players by their numbers.
    pub fn table(&self) -> Vec<Standing> {
        let mut table = self.standings.clone();
        table.sort_by(|a, b| b.proven().total_cmp(&a.proven()).then(a.player.cmp(&b.player)));
        table
    }

    /// The players by their numbers.
    pub fn standings(&self) -> &[Standing] {
        &self.standings
    }

    /// The knowledge about the players, for choosing the next games. Between two well-known players both systems expect
    /// a result by their difference over `beta √2`, by the logistic curve or, in [`System::TrueSkill`], by the normal
    /// curve, which is nearly the logistic curve of 1.702 times the argument.
    pub fn belief(&self) -> Belief {
        let per_rating = match self.system {
            System::WengLin => 1.0 / self.system.scale(),
            System::TrueSkill => 1.702 / self.system.scale(),
        } * ELO_PER_NAT;
        let elo: Vec<(f64, f64)> =
            self.standings.iter().map(|s| (s.rating * per_rating, s.uncertainty * per_rating)).collect();
        Belief::independent(&elo)
    }

    /// The new rating and uncertainty of each seat.
    fn rate(&self, seats: &[(usize, u32)]) -> Vec<(f64, f64)> {
        let outcome = |rank: u32| MultiTeamOutcome::new(rank as usize);
        let standing = |player: usize| self.standings[player];
        match self.system {
            System::WengLin => {
                let teams: Vec<[WengLinRating; 1]> = (seats.iter())
                    .map(|&(player, _)| {
                        let Standing { rating, uncertainty, .. } = standing(player);
                        [WengLinRating { rating, uncertainty }]
                    })
                    .collect();
                let teams: Vec<_> =
                    teams.iter().zip(seats).map(|(team, &(_, rank))| (&team[..], outcome(rank))).collect();
                let rated = weng_lin_multi_team(&teams, &WengLinConfig::new());
                rated.iter().flatten().map(|rated| (rated.rating, rated.uncertainty)).collect()
            }
            System::TrueSkill => {
                let teams: Vec<[TrueSkillRating; 1]> = (seats.iter())
                    .map(|&(player, _)| {
                        let Standing { rating, uncertainty, .. } = standing(player);
                        [TrueSkillRating { rating, uncertainty }]
                    })
                    .collect();
                let teams: Vec<_> =
                    teams.iter().zip(seats).map(|(team, &(_, rank))| (&team[..], outcome(rank))).collect();
                let rated = trueskill_multi_team(&teams, &TrueSkillConfig::new(), None).unwrap_or_default();
                rated.iter().flatten().map(|rated| (rated.rating, rated.uncertainty)).collect()
            }
        }
    }
}
