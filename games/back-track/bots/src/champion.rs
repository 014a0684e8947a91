//! `champion`: foresees the opponent's answer and chooses its own with regard to it.
//!
//! It tries what [`super::champion_1`] tries, from the opponent's seat and from its own, and compares the best answers of both (see
//! [`super::mutual`]). Simulations are judged by what was learned from games (see [`super::value`]); where a region stands
//! more than three hits, their points are counted. In a turn in which no track is worth placing it works on the side quest (see [`super::side_quest`]).

use back_track::{Order, Rules};
use game::{Dice, Game};

use super::mutual::{self, Comparison};
use super::planner::{Beliefs, Planner};
use super::playout::{Candidate, Lookahead};
use super::position::{Position, Strategy};
use super::side_quest;
use super::value;
use bots::{Budget, Handicap};

/// The comparison of answers by points.
pub(super) const BY_POINTS: Comparison =
    Comparison { lookahead: Lookahead { trust: 0.6, ..Lookahead::WIDE }, mine: 24, theirs: 16, doubt: 3.0 };

/// Regards the opponent's choice.
pub(super) struct Champion {
    pub(super) planner: Planner,
    handicap: Handicap,
    dice: Dice,
}

impl Champion {
    /// The seed is that of its errors.
    pub(super) fn new(handicap: Handicap, seed: u64) -> Champion {
        Champion { planner: Planner::new(Beliefs::USUAL), handicap, dice: Dice::new(seed) }
    }

    /// How answers are compared: by the learned value; by points where a region stands more than three hits, since the learned value wins
    /// no more games there.
    pub(super) fn comparison(rules: &Rules) -> Comparison {
        if value::kind(rules) != value::THREE_HITS {
            return BY_POINTS;
        }
        let lookahead = Lookahead { learned: true, horizon: value::HORIZON, ..BY_POINTS.lookahead };
        Comparison { lookahead, ..BY_POINTS }
    }

    /// The best candidate of a turn.
    pub(super) fn best(&mut self, position: &Position, budget: Budget) -> Candidate {
        let comparison = Champion::comparison(position.game.rules());
        let Champion { planner, handicap, dice } = self;
        let mut error = || handicap.error(dice);
        mutual::best(planner, comparison, position, handicap.limit(budget), &mut error)
    }
}

impl Strategy for Champion {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        side_quest::answer(position, &self.best(position, budget))
    }
}

#[cfg(test)]
mod tests {
    use back_track::BackTrack;
    use game::Selection;

    use super::*;

    #[test]
    fn the_learned_value_is_for_three_hits() {
        let selected = BackTrack::info().select(&Selection::default()).unwrap();
        let rules = BackTrack::rule_set(selected);
        assert!(Champion::comparison(&rules).lookahead.learned);
        assert!(!Champion::comparison(&Rules { ink_threshold: 4, ..rules }).lookahead.learned);
    }
}
