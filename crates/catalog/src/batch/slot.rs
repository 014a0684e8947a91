//! One game of a batch.

use bots::{Lines, Mind, Seating, Thinking};
use game::{Arrays, Choice, Fault, Game, Layout, Log, Rules as _, Seat, Seats};

use super::outputs::{Outputs, Sizes};
use super::{Answer, Autoreset, BatchError, BatchPlan, Opponent};

/// One game of a batch.
pub(super) struct Slot<G: Game> {
    pub(super) game: G,
    pub(super) state: G::State,
    pub(super) seed: i64,
    /// The number of steps so far.
    pub(super) steps: u32,
    /// The answers so far, in the order of the record.
    pub(super) answers: Vec<(Seat, Kept<G::Order>)>,
    /// The choices of all kept actions, one after the other.
    pub(super) choices: Vec<Choice>,
    /// The opponents by seat.
    minds: Vec<Option<Box<dyn Mind>>>,
    /// Seats that were sent their initialization lines.
    greeted: Seats,
    /// The orders of the turn, by seat, and how they are kept.
    pub(super) orders: Vec<Option<G::Order>>,
    pub(super) kept: Vec<Kept<G::Order>>,
    question: String,
}

/// An answer that is kept. Actions are kept as such: orders of some games are large.
#[derive(Clone)]
pub(super) enum Kept<Order> {
    /// The place of its first choice among the choices of its game.
    Action(usize),
    Order(Box<Order>),
    Missing,
}

impl<Order> Kept<Order> {
    pub(super) fn new(order: Option<Order>) -> Kept<Order> {
        order.map_or(Kept::Missing, |order| Kept::Order(Box::new(order)))
    }
}

/// Counts faults by seat.
struct FaultCount<'a>(&'a mut [u8]);

impl<Event> Log<Event> for FaultCount<'_> {
    fn event(&mut self, _: impl FnOnce() -> Event) {}

    fn fault(&mut self, make: impl FnOnce() -> Fault) {
        if let Some(count) = self.0.get_mut(make().seat.index()) {
            *count = count.saturating_add(1);
        }
    }
}

/// The settings that all games of a batch share while they are played.
pub(super) struct Common<G: Game> {
    pub(super) plan: BatchPlan,
    pub(super) rules: G::Rules,
    /// The seats of the agents.
    pub(super) agents: Vec<Seat>,
    pub(super) sizes: Sizes,
    /// The distance of the seeds of two games that follow each other in one place.
    pub(super) stride: i64,
}

/// The answers of agents in a step.
#[derive(Clone, Copy)]
pub(super) enum Answers<'a> {
    Actions(&'a [Choice]),
    Lines(&'a [Vec<Answer>]),
}

impl Answers<'_> {
    pub(super) fn split(self, games: usize, each: usize) -> (Self, Self) {
        match self {
            Answers::Actions(all) => {
                let (first, second) = all.split_at(games * each);
                (Answers::Actions(first), Answers::Actions(second))
            }
            Answers::Lines(all) => {
                let (first, second) = all.split_at(games);
                (Answers::Lines(first), Answers::Lines(second))
            }
        }
    }
}

/// Plays a turn of some games.
pub(super) fn play_all<G: Arrays>(
    common: &Common<G>,
    slots: &mut [Slot<G>],
    answers: Answers<'_>,
    out: Outputs<'_>,
) -> Result<(), BatchError> {
    let (mut rest, mut left) = (out, answers);
    for slot in slots {
        let (mut own, others) = rest.split(1, &common.sizes);
        let (answers, more) = left.split(1, common.sizes.agents * G::LAYOUT.actions.len());
        (rest, left) = (others, more);
        slot.step(common, answers, &mut own)?;
    }
    Ok(())
}

impl<G: Arrays> Slot<G> {
    pub(super) fn new(plan: &BatchPlan, rules: &G::Rules, seed: i64) -> Slot<G> {
        let game = G::new(rules.clone(), seed);
        let state = game.start();
        let players = usize::from(rules.players());
        let mut slot = Slot {
            game,
            state,
            seed,
            steps: 0,
            answers: Vec::new(),
            choices: Vec::new(),
            minds: Vec::new(),
            greeted: Seats::NONE,
            orders: vec![None; players],
            kept: vec![Kept::Missing; players],
            question: String::new(),
        };
        slot.seat_opponents(plan);
        slot
    }

    fn seat_opponents(&mut self, plan: &BatchPlan) {
        let seed = self.seed as u64;
        let sit = |opponent: &Option<Opponent>| {
            opponent.map(|opponent| (opponent.bot.sit)(&Seating { selected: plan.selected, seed }))
        };
        self.minds = plan.opponents.iter().map(sit).collect();
    }

    pub(super) fn restart(&mut self, common: &Common<G>, seed: i64) {
        self.seed = seed;
        self.game = G::new(common.rules.clone(), seed);
        self.state = self.game.start();
        self.steps = 0;
        self.answers.clear();
        self.choices.clear();
        self.greeted = Seats::NONE;
        self.seat_opponents(&common.plan);
    }

    pub(super) fn is_over(&self) -> bool {
        self.game.to_act(&self.state).is_empty()
    }

    /// Plays a turn, and the turns of opponents until an agent is asked.
    fn step(
        &mut self,
        common: &Common<G>,
        answers: Answers<'_>,
        out: &mut Outputs<'_>,
    ) -> Result<(), BatchError> {
        out.faults.fill(0);
        let (mut ended, mut begun) = (false, false);
        if self.is_over() {
            if common.plan.autoreset == Autoreset::NextStep {
                begun = true;
                self.restart(common, self.seed.wrapping_add(common.stride));
                self.play_opponents(common, out)?;
            }
        } else {
            let components = G::LAYOUT.actions.len();
            let asked = self.game.to_act(&self.state);
            let mut given = Seats::NONE;
            for (agent, &seat) in common.agents.iter().enumerate().filter(|(_, seat)| asked.contains(**seat))
            {
                let view = self.game.view(&self.state, seat);
                let kept = match answers {
                    Answers::Actions(all) => {
                        let action = &all[agent * components..][..components];
                        self.orders[seat.index()] = Some(self.game.order_of(&view, action));
                        self.choices.extend_from_slice(action);
                        Kept::Action(self.choices.len() - components)
                    }
                    Answers::Lines(all) => {
                        let line = all.first().and_then(|lines| lines.get(agent)?.as_ref());
                        let longest = common.rules.limits().answer_bytes;
                        let line = line.filter(|line| line.len() <= longest);
                        let order = line.map(|line| G::parse(&view, line));
                        self.orders[seat.index()].clone_from(&order);
                        Kept::new(order)
                    }
                };
                self.kept[seat.index()] = kept;
                given.add(seat);
            }
            self.play_turn(&common.plan, given, out.faults)?;
            self.play_opponents(common, out)?;
            ended = self.is_over();
        }
        self.write_end(common, ended, out);
        if ended && common.plan.autoreset == Autoreset::SameStep {
            self.restart(common, self.seed.wrapping_add(common.stride));
            self.play_opponents(common, out)?;
        }
        // Like a bot, an agent is told something when it is asked, besides the begin and the end of a game.
        self.write_views(common, ended || begun, out);
        Ok(())
    }

    /// Plays turns in which no agent is asked.
    pub(super) fn play_opponents(
        &mut self,
        common: &Common<G>,
        out: &mut Outputs<'_>,
    ) -> Result<(), BatchError> {
        loop {
            let asked = self.game.to_act(&self.state);
            if asked.is_empty() || common.agents.iter().any(|&agent| asked.contains(agent)) {
                return Ok(());
            }
            self.play_turn(&common.plan, Seats::NONE, out.faults)?;
        }
    }

    /// Plays the turn. The orders of the given seats are there, and kept; opponents among them only read their question. The
    /// other opponents answer.
    pub(super) fn play_turn(
        &mut self,
        plan: &BatchPlan,
        given: Seats,
        faults: &mut [u8],
    ) -> Result<(), BatchError> {
        for seat in self.game.to_act(&self.state) {
            let mut kept = std::mem::replace(&mut self.kept[seat.index()], Kept::Missing);
            if let (Some(mind), Some(opponent)) =
                (&mut self.minds[seat.index()], plan.opponents[seat.index()])
            {
                let view = self.game.view(&self.state, seat);
                let first = !self.greeted.contains(seat);
                self.question.clear();
                if first {
                    G::write_init(&view, &mut self.question);
                }
                G::write_turn(&view, &mut self.question);
                let budget = Thinking::Nodes(opponent.nodes).begin(first);
                let answer = mind.answer(&mut Lines::new(&mut self.question.as_bytes()), budget)?;
                self.greeted.add(seat);
                if !given.contains(seat) {
                    let order = G::parse(&view, &answer);
                    kept = Kept::new(Some(order.clone()));
                    self.orders[seat.index()] = Some(order);
                }
            }
            self.answers.push((seat, kept));
        }
        self.game.step(&mut self.state, &self.orders, &mut FaultCount(faults));
        self.orders.fill(None);
        self.steps += 1;
        Ok(())
    }

    /// Writes all arrays of a game in which nothing was played.
    pub(super) fn write(&self, common: &Common<G>, out: &mut Outputs<'_>) {
        out.faults.fill(0);
        self.write_end(common, false, out);
        self.write_views(common, true, out);
    }

    fn write_end(&self, common: &Common<G>, ended: bool, out: &mut Outputs<'_>) {
        out.rewards.fill(0.0);
        out.ranks.fill(0);
        out.terminated[0] = u8::from(ended);
        self.game.write_scores(&self.state, out.scores);
        if !ended {
            return;
        }
        let outcome = self.game.outcome(&self.state);
        out.ranks.copy_from_slice(&outcome.ranks);
        for (reward, agent) in out.rewards.iter_mut().zip(&common.agents) {
            *reward = reward_of(&outcome.ranks, agent.index());
        }
    }

    /// Writes the observations of the agents that are asked, or of all agents, and all masks.
    fn write_views(&self, common: &Common<G>, all: bool, out: &mut Outputs<'_>) {
        let layout = G::LAYOUT;
        let asked = self.game.to_act(&self.state);
        let planes = out.planes.chunks_mut((layout.planes.len() * layout.area()).max(1));
        let scalars = out.scalars.chunks_mut(layout.scalars.len().max(1));
        let masks = out.masks.chunks_mut(layout.mask());
        for ((((&seat, planes), scalars), mask), acting) in
            common.agents.iter().zip(planes).zip(scalars).zip(masks).zip(out.acting.iter_mut())
        {
            let (is_asked, view) = (asked.contains(seat), self.game.view(&self.state, seat));
            *acting = u8::from(is_asked);
            if is_asked || all {
                self.game.observe(&view, planes, scalars);
            }
            if is_asked {
                self.game.mask(&view, mask);
            } else {
                only_nothing(&layout, mask);
            }
        }
    }
}

/// The mask of an agent that is not asked: choice 0 of each component.
fn only_nothing(layout: &Layout, mask: &mut [u8]) {
    mask.fill(0);
    let mut first = 0;
    for (_, choices) in layout.actions {
        mask[first] = 1;
        first += choices;
    }
}

/// 1 for a win against all others, -1 for a loss against all, in between for the others.
fn reward_of(ranks: &[u8], seat: usize) -> f32 {
    let others = ranks.len().saturating_sub(1).max(1) as f32;
    let points: f32 = ranks
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != seat)
        .map(|(_, rank)| match ranks[seat].cmp(rank) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => -1.0,
        })
        .sum();
    points / others
}
