//! The arrays of a batch.

use game::Choice;

use super::AnyBatch;

/// The arrays of all games and agents, row by row.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// `[games, agents, planes, height, width]`. The rows of agents that are not asked stay as they are, except at the begin and
    /// at the end of a game; the same holds for scalars.
    pub planes: &'a mut [u8],
    /// `[games, agents, scalars]`
    pub scalars: &'a mut [f32],
    /// `[games, agents, choices of all components]`
    pub masks: &'a mut [u8],
    /// `[games, agents]`: 1 for a win against all, -1 for a loss against all, at the end; 0 before.
    pub rewards: &'a mut [f32],
    /// `[games, agents]`: whether the agent is asked now.
    pub acting: &'a mut [u8],
    /// `[games]`: whether the game ended in this step.
    pub terminated: &'a mut [u8],
    /// `[games, players]`: the scores, those of the ended game in the step in which it ended.
    pub scores: &'a mut [f32],
    /// `[games, players]`: the places, from 1; 0 before the end.
    pub ranks: &'a mut [u8],
    /// `[games, players]`: faults of the answers in this step.
    pub faults: &'a mut [u8],
}

/// The lengths of the arrays of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) planes: usize,
    pub(super) scalars: usize,
    pub(super) masks: usize,
    pub(super) agents: usize,
    pub(super) players: usize,
}

impl Outputs<'_> {
    pub(super) fn lengths(&self) -> [(&'static str, usize); 9] {
        [
            ("planes", self.planes.len()),
            ("scalars", self.scalars.len()),
            ("masks", self.masks.len()),
            ("rewards", self.rewards.len()),
            ("acting", self.acting.len()),
            ("terminated", self.terminated.len()),
            ("scores", self.scores.len()),
            ("ranks", self.ranks.len()),
            ("faults", self.faults.len()),
        ]
    }

    /// The arrays of the first games, and those of the others.
    pub(super) fn split(self, games: usize, each: &Sizes) -> (Self, Self) {
        fn halves<T>(array: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
            array.split_at_mut(at)
        }
        let planes = halves(self.planes, games * each.planes);
        let scalars = halves(self.scalars, games * each.scalars);
        let masks = halves(self.masks, games * each.masks);
        let rewards = halves(self.rewards, games * each.agents);
        let acting = halves(self.acting, games * each.agents);
        let terminated = halves(self.terminated, games);
        let scores = halves(self.scores, games * each.players);
        let ranks = halves(self.ranks, games * each.players);
        let faults = halves(self.faults, games * each.players);
        let first = Outputs {
            planes: planes.0,
            scalars: scalars.0,
            masks: masks.0,
            rewards: rewards.0,
            acting: acting.0,
            terminated: terminated.0,
            scores: scores.0,
            ranks: ranks.0,
            faults: faults.0,
        };
        let second = Outputs {
            planes: planes.1,
            scalars: scalars.1,
            masks: masks.1,
            rewards: rewards.1,
            acting: acting.1,
            terminated: terminated.1,
            scores: scores.1,
            ranks: ranks.1,
            faults: faults.1,
        };
        (first, second)
    }
}

/// Arrays of their own, for a caller that has none.
#[derive(Debug)]
pub struct Memory {
    /// See [`Outputs::planes`]; the same holds for the other arrays.
    pub planes: Vec<u8>,
    /// The scalars.
    pub scalars: Vec<f32>,
    /// The masks.
    pub masks: Vec<u8>,
    /// The rewards.
    pub rewards: Vec<f32>,
    /// The agents that are asked.
    pub acting: Vec<u8>,
    /// The games that ended.
    pub terminated: Vec<u8>,
    /// The scores.
    pub scores: Vec<f32>,
    /// The places.
    pub ranks: Vec<u8>,
    /// The faults.
    pub faults: Vec<u8>,
    /// `[games, agents, components]`: room for actions.
    pub actions: Vec<Choice>,
}

impl Memory {
    /// Arrays that fit a batch.
    pub fn new(batch: &dyn AnyBatch) -> Memory {
        let (layout, games, players) = (batch.layout(), batch.games(), batch.players());
        let rows = games * batch.agents().len();
        Memory {
            planes: vec![0; rows * layout.planes.len() * layout.area()],
            scalars: vec![0.0; rows * layout.scalars.len()],
            masks: vec![0; rows * layout.mask()],
            rewards: vec![0.0; rows],
            acting: vec![0; rows],
            terminated: vec![0; games],
            scores: vec![0.0; games * players],
            ranks: vec![0; games * players],
            faults: vec![0; games * players],
            actions: vec![0; rows * layout.actions.len()],
        }
    }

    /// The arrays that a batch writes.
    pub fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            planes: &mut self.planes,
            scalars: &mut self.scalars,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            acting: &mut self.acting,
            terminated: &mut self.terminated,
            scores: &mut self.scores,
            ranks: &mut self.ranks,
            faults: &mut self.faults,
        }
    }
}
