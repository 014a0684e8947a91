//! The learned value of a simulation: the points that a player will still gain over its opponent, told from a few turns.
//!
//! `training/value.py` learns it from recorded games. What it reads are differences between the two players, so that the value of a
//! simulation for one player is what it costs the other. Each kind of rules has weights of its own.

use std::sync::LazyLock;

use back_track::{Map, Rules, State};
use bots::Layers;

/// The weights; `value.json` says how they came about.
const FILE: &[u8] = include_bytes!("../value.bin");
static NETWORK: LazyLock<Layers> =
    LazyLock::new(|| Layers::read(FILE).expect("a test reads the file that is compiled in"));

/// The most turns of a simulation whose points are read.
const TURNS: usize = 12;
/// The numbers that are read of a board.
pub(super) const BOARD: usize = 18;
/// The numbers that are read of a simulation.
pub(super) const FEATURES: usize = TURNS + BOARD;
pub(super) type Features = [f32; FEATURES];
/// Rules by which a region is inked by three hits, and by more.
const KINDS: usize = 2;

/// The kind of rules by which a region is inked by three hits.
pub(super) const THREE_HITS: usize = 0;

/// Whether the weights for three hits or those for more apply.
pub(super) fn kind(rules: &Rules) -> usize {
    usize::from(rules.ink_threshold > 3)
}

/// The turns of a simulation where a region is inked by three hits: later ones are too uncertain to be worth their time.
pub(super) const HORIZON: u16 = 6;

/// The points that a player will gain over its opponent. Points of the near future count more, as in the training.
pub(super) fn of(rules: &Rules, features: &Features) -> f32 {
    let mut inputs = [0.0; KINDS * FEATURES];
    inputs[kind(rules) * FEATURES..][..FEATURES].copy_from_slice(features);
    NETWORK.judge(&inputs)
}

/// What is read of a simulation for a player: the points of each turn, and the board after the first turn.
pub(super) struct Course {
    me: usize,
    features: Features,
}

impl Course {
    pub(super) fn new(me: usize) -> Course {
        Course { me, features: [0.0; FEATURES] }
    }

    /// The points that each player gained in a turn of the simulation.
    pub(super) fn gained(&mut self, turn: usize, points: [i32; 2]) {
        if turn < TURNS {
            self.features[turn] = (points[self.me] - points[1 - self.me]) as f32;
        }
    }

    /// The board after the first turn.
    pub(super) fn stands(&mut self, board: &[f32; BOARD]) {
        self.features[TURNS..].copy_from_slice(board);
    }

    pub(super) fn features(&self) -> &Features {
        &self.features
    }
}

/// What is read of a board for a player, each number less that of its opponent. `potential` is that of the planner.
///
/// By the hits that the weakest region still stands (1, 2, 3, more or any number):
/// the points of a turn, by the weakest region of each connection;
/// the most that a hit region would take from the opponent more than from the player, and the sum over all regions;
/// the tracks in such regions, the fourth number being those of all regions.
/// Last the sum and the greatest of the merits of plans.
pub(super) fn board(
    rules: &Rules,
    map: &Map,
    state: &State,
    me: usize,
    potential: [[f32; 2]; 2],
) -> [f32; BOARD] {
    let them = 1 - me;
    let disruptable = state.disruptable(rules, map);
    let mut by_hits = [0u64; 4];
    for region in Map::ids(disruptable) {
        let hits = rules.ink_threshold.saturating_sub(state.instability[region]).clamp(1, 4);
        by_hits[usize::from(hits) - 1] |= 1 << region;
    }
    let mut points = [0.0; 4];
    let mut stakes = [0f32; 64];
    let mut wishes = state.links.active;
    while wishes != 0 {
        let wish = wishes.trailing_zeros() as usize;
        wishes &= wishes - 1;
        let of_wish = state.links.points_of[wish].map(f32::from);
        let lead = of_wish[me] - of_wish[them];
        let regions = state.links.regions_of[wish];
        points[(0..3).find(|&at| by_hits[at] & regions != 0).unwrap_or(3)] += lead;
        for region in Map::ids(regions & disruptable) {
            stakes[region] -= lead;
        }
    }
    let (mut most, mut sums, mut tracks) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    let lead = |count: [u32; 2]| count[me] as f32 - count[them] as f32;
    for at in 0..4 {
        let mut best = [0f32; 2];
        for region in Map::ids(by_hits[at]) {
            best = [best[0].max(stakes[region]), best[1].max(-stakes[region])];
            sums[at] += stakes[region];
            if at < 3 {
                let cells = map.region_cells[region];
                tracks[at] += lead([0, 1].map(|player: usize| (state.tracks[player] & cells).len()));
            }
        }
        most[at] = best[0] - best[1];
    }
    tracks[3] = lead([0, 1].map(|player: usize| state.tracks[player].len()));
    let merits = [0, 1].map(|at: usize| potential[me][at] - potential[them][at]);
    let mut all = [0.0; BOARD];
    let numbers = [points, most, sums, tracks].into_iter().flatten().chain(merits);
    for (number, value) in all.iter_mut().zip(numbers) {
        *number = value;
    }
    all
}

#[cfg(test)]
mod tests {
    use game::Game;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::ground::tests::played;
    use crate::planner::{Beliefs, Planner};

    #[test]
    fn the_network_reads_these_numbers() {
        assert_eq!(NETWORK.inputs(), KINDS * FEATURES);
    }

    #[test]
    fn answers_are_those_of_the_training() {
        let mut cases = 0;
        for line in include_str!("../value.cases").lines() {
            let numbers: Vec<f32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let (expected, inputs) = numbers.split_last().unwrap();
            assert_eq!(inputs.len(), KINDS * FEATURES);
            let found = NETWORK.judge(inputs);
            assert!((found - expected).abs() < 1e-4 * expected.abs().max(1.0), "{found}, not {expected}");
            cases += 1;
        }
        assert_eq!(cases, 24);
    }

    #[test]
    fn the_card_has_the_digest_of_the_weights() {
        let digest = catalog::record::hex(&Sha256::digest(FILE));
        let card = include_str!("../value.json");
        assert!(card.contains(&format!("\"sha256\": \"{digest}\"")), "{digest}");
    }

    #[test]
    fn the_value_of_one_player_is_what_it_costs_the_other() {
        let mut unlike = 0;
        for seed in 1..40 {
            let (game, state) = played(seed, 30);
            let (rules, map) = (game.rules(), game.map());
            let potential = Planner::new(Beliefs::USUAL).potential(rules, map, &state);
            let values = [0, 1].map(|me| {
                let mut course = Course::new(me);
                course.gained(0, [3, 5]);
                course.stands(&board(rules, map, &state, me, potential));
                of(rules, course.features())
            });
            assert!((values[0] + values[1]).abs() < 1e-2, "seed {seed}: {values:?}");
            unlike += usize::from(values[0].abs() > 1.0);
        }
        assert!(unlike > 20, "only {unlike} positions are uneven");
    }
}
