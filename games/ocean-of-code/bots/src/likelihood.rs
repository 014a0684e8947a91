//! What a trained network reads of a line that a player could have played, to tell how likely it was to play it.
//!
//! `training/likelihood.py` trains the network on lines of recorded games: those that were played, among those that could have been.

use std::sync::LazyLock;

use ocean_of_code::{Direction, Power, Submarine};

use super::chart::{Grid, INDICES, cell_at};
use super::evaluation::Decision;
use super::foresight::Belief;
use super::policy::Choice;
use bots::Layers;

/// The weights; `likelihood.json` says how they came about.
const FILE: &[u8] = include_bytes!("../likelihood.bin");
static NETWORK: LazyLock<Layers> =
    LazyLock::new(|| Layers::read(FILE).expect("a test reads the file that is compiled in"));

/// The numbers that the network reads.
pub(super) const FEATURES: usize = 40;
pub(super) type Features = [f32; FEATURES];

/// The logarithm of the chance of a line, up to a number that is the same for all its rivals.
pub(super) fn logit(features: &Features) -> f32 {
    NETWORK.judge(features)
}

/// What is the same for all places of a turn.
pub(super) struct Setting {
    /// Steps to the places in which the player believes its opponent to be, on average.
    distance: Box<Grid>,
    /// How many cells the player and its opponent can be in, as doublings.
    spread: [f32; 2],
    found: f32,
    lives: [f32; 2],
    /// Shares of the charge of torpedo and silence.
    charged: [f32; 2],
    progress: f32,
    history: History,
}

/// What the player did before.
#[derive(Clone, Copy, Default)]
pub(super) struct History {
    /// The direction of its latest open move.
    pub(super) heading: Option<Direction>,
    /// Lives that it has just lost to us.
    pub(super) loss: u8,
    /// How much worse than the best line its lines seemed to be: the sum, in lives, and the number of turns.
    pub(super) regret: (f32, f32),
}

/// The lines that a line is compared with.
#[derive(Clone, Copy)]
pub(super) struct Rivals {
    /// The worth of the best and of the second best of them.
    pub(super) best: f32,
    pub(super) next: f32,
    /// The number of lines that look like this one.
    pub(super) alike: usize,
    /// The worth of the same course with a shot, where that is another line.
    pub(super) armed: Option<f32>,
    /// Whether all of them look alike.
    pub(super) within: bool,
}

impl Setting {
    pub(super) fn new(decision: &Decision<'_>, history: History) -> Setting {
        let scene = decision.scene;
        let (chart, report) = (scene.chart, scene.report);
        let likely: Vec<_> = chart.water.iter().filter(|&cell| decision.enemy[cell] > 0.002).collect();
        let total: f32 = likely.iter().map(|&cell| decision.enemy[cell]).sum();
        let mut distance = Box::new([0.0; INDICES]);
        for from in &chart.water {
            let steps = |&to: &usize| decision.enemy[to] * f32::from(cell_at(from).steps_to(cell_at(to)));
            distance[from] = likely.iter().map(steps).sum::<f32>() / total.max(1e-6);
        }
        let spread = |chances: Box<Grid>| Belief { chances }.spread(chart).log2();
        let charged = |power| {
            let needed = chart.rules().charge(power).filter(|&needed| needed > 0);
            needed.map_or(0.0, |needed| f32::from(scene.own.charges[power as usize]) / f32::from(needed))
        };
        Setting {
            distance,
            spread: [spread(decision.knowledge.own.chances()), spread(decision.enemy.clone())],
            found: decision.found,
            lives: [report.lives as f32, report.opponent_lives as f32],
            charged: [charged(Power::Torpedo), charged(Power::Silence)],
            progress: f32::from(scene.turns_left) / 150.0,
            history,
        }
    }

    /// What is read of a line from a place.
    pub(super) fn features(
        &self,
        decision: &Decision<'_>,
        own: &Submarine,
        choice: &Choice,
        rivals: Rivals,
    ) -> Features {
        let Rivals { best, next, alike, armed, within } = rivals;
        let chart = decision.scene.chart;
        let flag = |is: bool| f32::from(u8::from(is));
        let worse = choice.worth - best;
        let (end, parts) = (choice.end.index(), &choice.parts);
        let moves = choice.sight.moves;
        let heading = self.history.heading;
        let same = moves.is_some() && moves == heading;
        let (sum, turns) = self.history.regret;
        let near = chart.blast[end];
        let shot_gain = armed.map_or(0.0, |armed| (armed - choice.worth).clamp(-1.0, 2.0));
        [
            worse.max(-3.0),
            (worse * 8.0).max(-4.0),
            (worse * 40.0).max(-4.0),
            flag(worse >= 0.0),
            if worse >= 0.0 { ((best - next) * 10.0).min(4.0) } else { 0.0 },
            flag(choice.sight.surfaces),
            flag(choice.sight.silent),
            flag(moves.is_none()),
            flag(choice.sight.moves_first),
            flag(choice.sight.shoots),
            flag(armed.is_some()),
            shot_gain,
            parts.dealt.min(4.0),
            parts.answered,
            parts.secrecy / 4.0,
            parts.secrecy - self.spread[0],
            parts.pursuit,
            parts.hazard.min(4.0),
            choice.ahead.clamp(-1.0, 4.0),
            flag(same),
            flag(moves.is_some() && !same),
            self.distance[end] / 8.0,
            (self.distance[end] - self.distance[own.cell.index()]) / 2.0,
            (near - own.visited).len() as f32 / 4.0,
            near.len() as f32 / 4.0,
            (alike as f32).ln(),
            self.charged[0],
            self.charged[1],
            self.lives[0] / 3.0,
            self.lives[1] / 3.0,
            f32::from(self.history.loss),
            self.progress,
            self.found,
            self.spread[0] / 4.0,
            self.spread[1] / 4.0,
            (sum + 0.3) / (turns + 3.0) * 4.0,
            choice.target.map_or(0.0, |target| flag(chart.damage(target.index(), end) > 0)),
            flag(within),
            choice.leap.map_or(0.0, |(_, steps)| f32::from(steps) / 2.0),
            flag(choice.leap.is_some_and(|(direction, steps)| steps > 0 && Some(direction) == heading)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_network_reads_these_numbers() {
        assert_eq!(NETWORK.inputs(), FEATURES);
    }

    #[test]
    fn answers_are_those_of_the_training() {
        let mut cases = 0;
        for line in include_str!("../likelihood.cases").lines() {
            let numbers: Vec<f32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let (features, [expected]) = numbers.split_first_chunk::<FEATURES>().unwrap() else {
                panic!("{line}")
            };
            let found = logit(features);
            assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found}, not {expected}");
            cases += 1;
        }
        assert_eq!(cases, 24);
    }

    #[test]
    fn the_card_has_the_digest_of_the_weights() {
        let digest = catalog::record::hex(&Sha256::digest(FILE));
        let card = include_str!("../likelihood.json");
        assert!(card.contains(&format!("\"sha256\": \"{digest}\"")), "{digest}");
    }
}
