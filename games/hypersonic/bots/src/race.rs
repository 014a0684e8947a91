//! The race for the boxes: where it stands, what it makes of a player's goal, and how many boxes a kill is worth in it.

use std::f32::consts::PI;

use game::Seat;
use hypersonic::Forecast;

use super::position::Position;
use super::weights::Weights;

/// The goal that the score suggests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mood {
    /// Boxes.
    Race,
    /// Nothing but to live: nobody can catch up any more.
    Rest,
    /// A kill: we are not ahead, and the boxes that are left do not change it.
    Hunt,
}

/// The spread of the final lead: the standard deviation is this number times the square root of the boxes that are left.
const WANDER: f32 = 0.5;

/// An expected kill is worth twenty boxes at the most: the opponent may act in another way.
const KILL_MOST: f32 = 200.0;

/// The value of a kill in a hunt, in tenths of a box.
const HUNTED: f32 = 60.0;

/// Where the race for the boxes stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    /// Our boxes minus those of the best opponent, with the boxes that burning bombs will score.
    pub(super) lead: i32,
    /// Boxes that no burning bomb will hit.
    pub(super) left: i32,
    /// Opponents that are still in the game.
    pub(super) others: u32,
}

impl Race {
    /// Where it stands for the player of a position.
    pub(super) fn of(position: &Position) -> Race {
        let Position { game, state, me } = position;
        let forecast = Forecast::of(game, state, *me);
        let total = |seat: Seat| {
            let burning = forecast.boxes.iter().map(|by| i32::from(by[seat.index()])).sum::<i32>();
            i32::from(state.player(seat).boxes) + burning
        };
        let best = position.opponents().map(total).max().unwrap_or(0);
        let left = forecast.boxes_left.len() as i32;
        Race { lead: total(*me) - best, left, others: position.opponents().len() }
    }

    /// The goal of the player.
    pub(super) fn mood(self) -> Mood {
        if self.lead > self.left {
            Mood::Rest
        } else if self.left == 0 || self.lead + self.left < 0 {
            Mood::Hunt
        } else {
            Mood::Race
        }
    }

    /// The weights with which a player searches that weighs a kill by what it makes of the race.
    pub(super) fn weights(self, weights: &Weights) -> Weights {
        match self.mood() {
            // Among several opponents a kill beats only one of them, but costs as many boxes.
            Mood::Race => {
                Weights { trap: if self.others == 1 { self.kill() } else { 0.0 }, ..weights.clone() }
            }
            Mood::Rest => Weights { a_box: 1.0, hurry: 0.0, narrow: 5.0, trap: 0.0, ..weights.clone() },
            Mood::Hunt => Weights { trap: HUNTED, ..weights.clone() },
        }
    }

    /// The value of a kill, in tenths of a box. A kill raises the chance of winning to 1; a box raises it a little. If the final lead
    /// is normally distributed around the present lead, the ratio of the two gains is Mills' ratio.
    fn kill(self) -> f32 {
        let wanders = WANDER * (self.left.max(1) as f32).sqrt();
        let ahead = self.lead as f32 / wanders;
        let ratio = |ahead: f32| 2.0 / (ahead + (ahead * ahead + 8.0 / PI).sqrt());
        let boxes = if ahead >= 0.0 {
            ratio(ahead)
        } else {
            (2.0 * PI).sqrt() * (ahead * ahead / 2.0).exp() - ratio(-ahead)
        };
        (10.0 * wanders * boxes).min(KILL_MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights;

    #[test]
    fn a_kill_is_worth_more_the_more_we_need_it() {
        let kill = |lead, left| Race { lead, left, others: 1 }.kill();
        for left in [1, 9, 36] {
            let worth: Vec<f32> = (-left..=left).map(|lead| kill(lead, left)).collect();
            assert!(worth.is_sorted_by(|before, after| before >= after), "{worth:?}");
            assert!(worth.iter().all(|worth| (0.0..=KILL_MOST).contains(worth)), "{worth:?}");
        }
        assert!(kill(0, 36) > 30.0, "some boxes, while there are many");
        assert!(kill(0, 1) < 10.0, "less than a box, where one decides");
        assert!(kill(-9, 9) > 150.0, "many, where nothing else helps");
    }

    #[test]
    fn among_several_nobody_is_trapped() {
        let trap = |others| Race { lead: 0, left: 20, others }.weights(&weights::COMMON).trap;
        assert!(trap(1) > 0.0 && trap(3) <= 0.0);
    }
}
