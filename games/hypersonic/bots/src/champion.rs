//! The champion expects of the other players what they expect of it, and weighs risks instead of avoiding them all.
//!
//! Like [`super::champion_1`] it searches eighteen rounds ahead, looks for kills and traps, and has the score in mind. Six things
//! are new. The first is what it knows of the others: it predicts what everybody would do alone, itself too, and then what each opponent
//! does in answer to that, with the traps that the opponent may want to set. These answers are its opponents in its own search.
//!
//! The second is how it treats actions that an opponent could punish. The first champion takes none of them, and so loses ways and
//! rounds: hardly any of these punishments comes, because the opponent would have to guess the action. Now such an action has a cost
//! in the search, and the answers of the opponents show the punishments that are to be expected.
//!
//! The third is that plans which are nearly equal are compared by the nearest opponent's best replies to them (`reaction`).
//!
//! The fourth is a trick: a bomb that another player's bomb sets off explodes with it, and boxes that both hit count for both.
//!
//! The fifth is a network that has learned from recorded games how likely a player is to be first (`value`). It has a part in the evaluation of
//! each state of the search.
//!
//! The last is flight: when nobody can catch up any more it looks further ahead for traps, and keeps away from the others and where there is room. The
//! others have nothing left but to hunt it, and among three hunters to stand still is to be killed.

use game::Seat;

use super::beam::{Beam, Memory, Script};
use super::position::{Action, Position};
use super::prediction::Prediction;
use super::race::{Mood, Race};
use super::reaction::Reaction;
use super::risk::Risks;
use super::value::Value;
use super::weights::{self, Weights};
use super::{Player, safety};
use bots::{Budget, Handicap};

/// A deep beam search against the answers of the others to what is expected of us.
#[derive(Debug)]
pub(super) struct Champion {
    weights: Weights,
    memory: Memory,
    handicap: Handicap,
}

/// Rounds that the budget is spread over.
const DEPTH: usize = 18;
/// The most rounds, where there are few states and budget is left.
const REACH: usize = 30;
/// The most states of a round.
const WIDTH: usize = 4000;

/// Rounds that a hunt is planned for: a fuse.
const HUNT: usize = 8;
/// Rounds that a flight is planned for.
const FLIGHT: usize = 8;

/// Rounds for which a plan of another player is trusted: later actions depend on what the player sees until then.
const KNOWN: usize = 12;

/// What everybody would do alone. The share is that of two players.
const ALONE: Prediction = Prediction { share: 0.1, depth: DEPTH, known: KNOWN, width: 400 };
/// What the opponents do in answer to it.
const ANSWERS: Prediction = Prediction { share: 0.3, depth: DEPTH, known: KNOWN, width: 1000 };
/// The share of the budget for what the others could do next, if they act as expected.
const EXPECT: f64 = 0.1;
/// The share of the budget that is left after the predictions with which our own plans are found; the rest is for the replies to them.
const PLANS: f64 = 0.6;
/// What a plan leaves to a single opponent costs this share of its value to the opponent.
const LEFT: f32 = 0.5;
/// The same for one of several opponents, of which it is only one.
const LEFT_TO_ONE: f32 = 0.2;

/// The cost of a box of one of several opponents, as a share of an own box: it is only one of those that must stay behind.
const DENY_ONE: f32 = 0.15;
/// The share of the value of bombs that is left among several opponents, who soon have taken the boxes.
const BOMBS_AMONG_SEVERAL: f32 = 0.7;

/// The cost of each step by which an opponent is too near, for every round of a flight, in tenths of a box.
const FLEE: f32 = 0.1;
/// The value of each cell to which we can flee, in a flight.
const ROOM: f32 = 0.1;

impl Champion {
    pub(super) fn new(seed: u64, handicap: Handicap) -> Champion {
        let noise = weights::COMMON.noise + handicap.noise;
        Champion {
            weights: Weights { seed, noise, shares_boxes: true, ..weights::COMMON },
            memory: Memory::default(),
            handicap,
        }
    }
}

impl Player for Champion {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        self.choose_against(position, None, budget)
    }
}

impl Champion {
    /// The action of this round; the coming actions of an opponent may be known.
    pub(super) fn choose_against(
        &mut self,
        position: &Position,
        known: Option<(Seat, Script)>,
        budget: &mut Budget,
    ) -> Action {
        let budget = &mut self.handicap.limit(budget.clone());
        let Champion { weights, memory, handicap } = self;
        let race = Race::of(position);
        let mood = race.mood();
        let mut risks = Risks::of(position, race, budget);
        // The rounds for which our own traps are worked out, and the share of the budget for that.
        let (attack, until) = if mood == Mood::Hunt { (3, 0.5) } else { (2, 0.2) };
        if let Some(action) = safety::kill(position, &risks.untrapped, attack, budget, until) {
            return action;
        }

        let share = ALONE.share * [1.0, 1.0, 1.75, 2.25][race.others.min(3) as usize];
        let alone = Prediction { share, ..ALONE }.replies(
            position,
            position.state.living,
            &Default::default(),
            &weights::COMMON,
            memory,
            budget,
            budget.used(),
        );
        let theirs = expected_weights(position);
        let mut scripts =
            ANSWERS.replies(position, position.opponents(), &alone, &theirs, memory, budget, budget.used());
        if let Some((seat, script)) = known {
            scripts[seat.index()] = script;
        }
        if mood == Mood::Rest || race.others > 1 {
            let until = budget.used() + EXPECT;
            risks.expect(position, &scripts, budget, until);
        }
        let own = own_weights(race, weights);
        let learned = (mood == Mood::Race).then(|| Value::of(position, &scripts));
        let (depth, reach, prey) = match mood {
            Mood::Hunt => (HUNT, HUNT, safety::nearest(position)),
            Mood::Rest => (FLIGHT, FLIGHT, None),
            Mood::Race => (DEPTH, REACH, None),
        };
        let beam = Beam {
            game: &position.game,
            me: position.me,
            weights: &own,
            scripts: &scripts,
            depth,
            reach,
            width: WIDTH,
            prey,
            costs: &risks.costs,
            learned: learned.as_ref(),
        };
        // With a handicap there are too few nodes for replies.
        let replies = mood == Mood::Race && *handicap == Handicap::NONE;
        let Some(foe) = safety::nearest(position).filter(|_| replies) else {
            let best = beam.run(&position.state, &risks.allowed, memory, budget, 1.0);
            return best.first().copied().unwrap_or(risks.allowed[0]);
        };
        let used = budget.used();
        let until = used + PLANS * (1.0 - used);
        let found = beam.search(&position.state, &risks.allowed, KNOWN, memory, budget, until);
        let reaction = Reaction {
            position,
            foe,
            weights: [&own, &theirs],
            scripts: &scripts,
            depth: DEPTH,
            known: KNOWN,
            width: WIDTH,
            left: if race.others == 1 { LEFT } else { LEFT_TO_ONE },
        };
        let best = reaction.best(found.choices, |action| risks.cost(action), memory, budget);
        best.or(found.plan.first().copied()).unwrap_or(risks.allowed[0])
    }
}

/// The weights of our own search.
fn own_weights(race: Race, weights: &Weights) -> Weights {
    let own = race.weights(weights);
    match race.mood() {
        Mood::Race if race.others > 1 => {
            Weights { deny: DENY_ONE, bombs: own.bombs.map(|value| BOMBS_AMONG_SEVERAL * value), ..own }
        }
        Mood::Rest => Weights { flee: FLEE, room: ROOM, ..own },
        Mood::Race | Mood::Hunt => own,
    }
}

/// The weights that the opponents are expected to have: a single one looks for traps as we do.
fn expected_weights(position: &Position) -> Weights {
    let mut opponents = position.opponents();
    match (opponents.next(), opponents.next()) {
        (Some(me), None) => Race::of(&Position { me, ..position.clone() }).weights(&weights::COMMON),
        _ => weights::COMMON,
    }
}

#[cfg(test)]
mod tests {
    use game::Game;
    use hypersonic::{Cell, Hypersonic, Rules};

    use super::*;
    use bots::Thinking;

    #[test]
    fn a_player_who_has_won_keeps_away_from_the_others() {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::of_version(4, 3) }, 1);
        let mut state = game.start();
        state.players[0].boxes = 9;
        for (player, cell) in state.players.iter_mut().zip([Cell::at(6, 6), Cell::at(3, 6), Cell::at(6, 3)]) {
            player.cell = cell;
        }
        let position = Position { game, state, me: Seat(0) };
        assert_eq!(Race::of(&position).mood(), Mood::Rest);
        let mut champion = Champion::new(1, Handicap::NONE);
        let action = champion.choose(&position, &mut Thinking::Nodes(20_000).begin(false));
        let away = |cell: Cell| cell.x().abs_diff(3) + cell.y().abs_diff(3);
        assert!(!action.bomb && away(action.to) > 6, "{action:?}");
    }

    #[test]
    fn a_single_opponent_is_expected_to_set_traps() {
        let position = |players| {
            let game = Hypersonic::new(Rules::of_version(4, players), 1);
            let state = game.start();
            Position { game, state, me: Seat(0) }
        };
        assert!(expected_weights(&position(2)).trap > 0.0);
        assert!(expected_weights(&position(3)).trap <= 0.0);
    }
}
