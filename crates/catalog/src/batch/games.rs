//! All games of a batch.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use game::{Arrays, Choice, Dice, Game, Layout, Match, Painter, Rules as _, Seat, Seats, Silent};
use serde_json::Value;

use super::helpers::Helpers;
use super::outputs::{Outputs, Sizes};
use super::slot::{Answers, Common, Kept, Slot, play_all};
use super::{
    Answer, AnyBatch, Autoreset, BatchError, BatchPlan, MOST_GAMES, MOST_SIMULATED, MOST_THREADS, Position,
    check_number,
};
use crate::entry::rules_of;
use crate::record::{Header, Played, RulesField, Turn, VERSION};

/// How many times a thread takes games in a step, if all threads are equally fast.
const PARTS: usize = 8;

/// A batch of one game.
pub(crate) struct Batch<G: Game> {
    common: Common<G>,
    slots: Vec<Slot<G>>,
    /// The threads besides that of the caller.
    helpers: Option<Helpers>,
    /// The seed after the last one that was used.
    next_seed: i64,
}

impl<G: Game> fmt::Debug for Batch<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("plan", &self.common.plan).finish_non_exhaustive()
    }
}

impl<G: Arrays> Batch<G> {
    pub(crate) fn new(plan: BatchPlan) -> Result<Batch<G>, BatchError> {
        Batch::with_rules(G::rule_set(plan.selected), plan)
    }

    /// A batch with rules of its own. Only opponents take notice of those that the plan names.
    pub(crate) fn with_rules(rules: G::Rules, plan: BatchPlan) -> Result<Batch<G>, BatchError> {
        let seeds = 0..plan.games as i64;
        Batch::with_seeds(rules, plan, seeds)
    }

    fn with_seeds(
        rules: G::Rules,
        plan: BatchPlan,
        seeds: impl Iterator<Item = i64>,
    ) -> Result<Batch<G>, BatchError> {
        let players = usize::from(rules.players());
        if plan.opponents.len() != players {
            let (found, expected) = (plan.opponents.len(), players);
            return Err(BatchError::Length { array: "opponents", found, expected });
        }
        let agents: Vec<Seat> =
            Seats::first(rules.players()).filter(|seat| plan.opponents[seat.index()].is_none()).collect();
        for (count, name) in [(plan.games, "game"), (plan.threads, "thread"), (agents.len(), "agent")] {
            if count == 0 {
                return Err(BatchError::None(name));
            }
        }
        check_number("games", plan.games, MOST_GAMES)?;
        check_number("threads", plan.threads, MOST_THREADS)?;
        let helpers = match plan.threads {
            1 => None,
            threads => {
                Some(Helpers::start(threads - 1).map_err(|error| BatchError::Threads(error.to_string()))?)
            }
        };
        let slots = seeds.map(|seed| Slot::new(&plan, &rules, seed)).collect();
        let next_seed = plan.games as i64;
        let (layout, count) = (G::LAYOUT, agents.len());
        let sizes = Sizes {
            planes: count * layout.planes.len() * layout.area(),
            scalars: count * layout.scalars.len(),
            masks: count * layout.mask(),
            agents: count,
            players,
        };
        let common = Common { stride: plan.games as i64, plan, rules, agents, sizes };
        Ok(Batch { common, slots, helpers, next_seed })
    }

    fn check_lengths(&self, out: &Outputs<'_>) -> Result<(), BatchError> {
        let (games, each) = (self.slots.len(), &self.common.sizes);
        let expected = [
            each.planes,
            each.scalars,
            each.masks,
            each.agents,
            each.agents,
            1,
            each.players,
            each.players,
            each.players,
        ];
        for ((array, found), each) in out.lengths().into_iter().zip(expected) {
            let expected = games * each;
            if found != expected {
                return Err(BatchError::Length { array, found, expected });
            }
        }
        Ok(())
    }

    fn check_going_on(&self) -> Result<(), BatchError> {
        let for_good = self.common.plan.autoreset == Autoreset::Off;
        if for_good && self.slots.iter().all(Slot::is_over) { Err(BatchError::AllOver) } else { Ok(()) }
    }

    /// Plays a turn of every game. Every thread takes some games at a time, the calling one too: a thread that wakes up late
    /// or has a slow core takes fewer.
    fn play(&mut self, answers: Answers<'_>, out: Outputs<'_>) -> Result<(), BatchError> {
        let (common, slots) = (&self.common, &mut self.slots[..]);
        let Some(helpers) = &mut self.helpers else { return play_all(common, slots, answers, out) };
        let each = common.sizes.agents * G::LAYOUT.actions.len();
        let part = slots.len().div_ceil(common.plan.threads * PARTS);
        let left = Mutex::new(Some((slots, answers, out)));
        let failed = Mutex::new(Ok(()));
        // Two threads that begin at both ends write to the same memory in every step, which their caches keep.
        let take = |from_end: bool| {
            let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
            let (slots, answers, out) = left.take()?;
            let at = if from_end { slots.len().saturating_sub(part) } else { part.min(slots.len()) };
            let (first_slots, last_slots) = slots.split_at_mut(at);
            let (first_answers, last_answers) = answers.split(at, each);
            let (first_out, last_out) = out.split(at, &common.sizes);
            let (first, last) =
                ((first_slots, first_answers, first_out), (last_slots, last_answers, last_out));
            let (taken, others) = if from_end { (last, first) } else { (first, last) };
            if !others.0.is_empty() {
                *left = Some(others);
            }
            Some(taken)
        };
        let work = |number: usize| {
            while let Some((slots, answers, out)) = take(number % 2 == 1) {
                if let Err(error) = play_all(common, slots, answers, out) {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                }
            }
        };
        helpers.run(&work);
        failed.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, game: usize) -> Result<&Slot<G>, BatchError> {
        let games = self.slots.len();
        self.slots.get(game).ok_or(BatchError::NoGame { found: game, games })
    }

    fn asked(&self, game: usize, seat: Seat) -> Result<&Slot<G>, BatchError> {
        let slot = self.slot(game)?;
        let asked = slot.game.to_act(&slot.state).contains(seat);
        if asked { Ok(slot) } else { Err(BatchError::NotAsked(seat.0)) }
    }
}

impl<G: Arrays> AnyBatch for Batch<G> {
    fn layout(&self) -> &'static Layout {
        const { &G::LAYOUT }
    }

    fn games(&self) -> usize {
        self.slots.len()
    }

    fn agents(&self) -> &[Seat] {
        &self.common.agents
    }

    fn players(&self) -> usize {
        self.common.rules.players().into()
    }

    fn reset(&mut self, seeds: Option<&[i64]>, mut out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_lengths(&out)?;
        let games = self.slots.len();
        if let Some(seeds) = seeds
            && seeds.len() != games
        {
            return Err(BatchError::Length { array: "seeds", found: seeds.len(), expected: games });
        }
        let first = self.next_seed;
        let common = &self.common;
        for (game, slot) in self.slots.iter_mut().enumerate() {
            let (mut own, others) = out.split(1, &common.sizes);
            out = others;
            slot.restart(common, seeds.map_or(first.wrapping_add(game as i64), |seeds| seeds[game]));
            own.faults.fill(0);
            slot.play_opponents(common, &mut own)?;
            slot.write(common, &mut own);
        }
        if seeds.is_none() {
            self.next_seed = first.wrapping_add(games as i64);
        }
        Ok(())
    }

    fn restart(&mut self, games: &[usize], seeds: &[i64], mut out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_lengths(&out)?;
        if seeds.len() != games.len() {
            return Err(BatchError::Length { array: "seeds", found: seeds.len(), expected: games.len() });
        }
        games.iter().try_for_each(|&game| self.slot(game).map(drop))?;
        let common = &self.common;
        for (game, slot) in self.slots.iter_mut().enumerate() {
            let (mut own, others) = out.split(1, &common.sizes);
            out = others;
            own.faults.fill(0);
            if let Some(at) = games.iter().position(|&asked| asked == game) {
                slot.restart(common, seeds[at]);
                slot.play_opponents(common, &mut own)?;
            }
            slot.write(common, &mut own);
        }
        Ok(())
    }

    fn step(&mut self, actions: &[Choice], out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_lengths(&out)?;
        let (agents, components) = (self.common.agents.len(), G::LAYOUT.actions.len());
        let expected = self.slots.len() * agents * components;
        if actions.len() != expected {
            return Err(BatchError::Length { array: "actions", found: actions.len(), expected });
        }
        for (row, action) in actions.chunks(components).enumerate() {
            check_action(&G::LAYOUT, action, row / agents, row % agents)?;
        }
        self.check_going_on()?;
        self.play(Answers::Actions(actions), out)
    }

    fn step_lines(&mut self, answers: &[Vec<Answer>], out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_lengths(&out)?;
        let wrong = |found: usize, expected: usize| BatchError::Length { array: "answers", found, expected };
        if answers.len() != self.slots.len() {
            return Err(wrong(answers.len(), self.slots.len()));
        }
        if let Some(lines) = answers.iter().find(|lines| lines.len() != self.common.agents.len()) {
            return Err(wrong(lines.len(), self.common.agents.len()));
        }
        self.check_going_on()?;
        self.play(Answers::Lines(answers), out)
    }

    fn write(&self, mut out: Outputs<'_>) -> Result<(), BatchError> {
        self.check_lengths(&out)?;
        let common = &self.common;
        for slot in &self.slots {
            let (mut own, others) = out.split(1, &common.sizes);
            out = others;
            slot.write(common, &mut own);
        }
        Ok(())
    }

    fn reveal(&self, planes: &mut [u8], scalars: &mut [f32]) -> Result<(), BatchError> {
        let layout = G::LAYOUT;
        let rows = self.slots.len() * self.common.agents.len();
        let (each_planes, each_scalars) =
            (layout.hidden_planes.len() * layout.area(), layout.hidden_scalars.len());
        for (array, found, each) in
            [("planes", planes.len(), each_planes), ("scalars", scalars.len(), each_scalars)]
        {
            if found != rows * each {
                return Err(BatchError::Length { array, found, expected: rows * each });
            }
        }
        let seats =
            self.slots.iter().flat_map(|slot| self.common.agents.iter().map(move |&seat| (slot, seat)));
        for (row, (slot, seat)) in seats.enumerate() {
            slot.game.reveal(
                &slot.state,
                seat,
                &mut planes[row * each_planes..][..each_planes],
                &mut scalars[row * each_scalars..][..each_scalars],
            );
        }
        Ok(())
    }

    fn position(&self, game: usize) -> Result<Position, BatchError> {
        let slot = self.slot(game)?;
        let asked = slot.game.to_act(&slot.state);
        let turn = slot.steps + u32::from(!asked.is_empty());
        Ok(Position { asked, turn, turns_played: slot.game.turns_played(&slot.state) })
    }

    fn seeds(&self) -> Vec<i64> {
        self.slots.iter().map(|slot| slot.seed).collect()
    }

    fn view_of(&self, game: usize, seat: Seat) -> Result<String, BatchError> {
        let slot = self.slot(game)?;
        if seat.index() >= self.players() {
            return Err(BatchError::NotAsked(seat.0));
        }
        let view = slot.game.view(&slot.state, seat);
        let mut text = String::new();
        if !slot.answers.iter().any(|(other, _)| *other == seat) {
            G::write_init(&view, &mut text);
        }
        G::write_turn(&view, &mut text);
        Ok(text)
    }

    fn picture(&self, game: usize, colours: bool) -> Result<String, BatchError> {
        let slot = self.slot(game)?;
        let mut painter = Painter::new(colours);
        slot.game.draw(&slot.state, &mut painter);
        Ok(painter.finish())
    }

    fn encode(&self, game: usize, seat: Seat, line: &[u8]) -> Result<Option<Vec<Choice>>, BatchError> {
        let slot = self.asked(game, seat)?;
        let view = slot.game.view(&slot.state, seat);
        let mut action = vec![0; G::LAYOUT.actions.len()];
        Ok(slot.game.action_of(&view, &G::parse(&view, line), &mut action).then_some(action))
    }

    fn decode(&self, game: usize, seat: Seat, action: &[Choice]) -> Result<Vec<u8>, BatchError> {
        let slot = self.asked(game, seat)?;
        let expected = G::LAYOUT.actions.len();
        if action.len() != expected {
            return Err(BatchError::Length { array: "action", found: action.len(), expected });
        }
        check_action(&G::LAYOUT, action, game, seat.index())?;
        Ok(G::print(&slot.game.order_of(&slot.game.view(&slot.state, seat), action)))
    }

    fn save(&self, game: usize) -> Result<Vec<u8>, BatchError> {
        let record = self.record(game)?;
        serde_json::to_vec(&record).map_err(|error| BatchError::NotSaved(error.to_string()))
    }

    fn load(&mut self, game: usize, saved: &[u8]) -> Result<(), BatchError> {
        self.slot(game)?;
        let not = |why: &dyn fmt::Display| BatchError::NotSaved(why.to_string());
        let played: Played = serde_json::from_slice(saved).map_err(|error| not(&error))?;
        if played.header.game != G::info().name {
            return Err(not(&format!("it is a game of {}", played.header.game)));
        }
        if rules_of::<G>(&played.header).map_err(|error| not(&error))? != self.common.rules {
            return Err(not(&"it has other rules"));
        }
        let mut slot: Slot<G> = Slot::new(&self.common.plan, &self.common.rules, played.header.seed);
        let mut turns = played.turns.iter();
        let mut ignored = vec![0; self.players()];
        while turns.len() > 0 {
            let asked = slot.game.to_act(&slot.state);
            if asked.is_empty() {
                return Err(not(&"it has answers after its end"));
            }
            for seat in asked {
                let turn = turns.next().filter(|turn| turn.player == seat.0);
                let turn = turn.ok_or_else(|| not(&"an answer is missing"))?;
                let view = slot.game.view(&slot.state, seat);
                let order = turn.answer().map(|line| G::parse(&view, line));
                slot.orders[seat.index()].clone_from(&order);
                slot.kept[seat.index()] = Kept::new(order);
            }
            slot.play_turn(&self.common.plan, asked, &mut ignored)?;
        }
        self.slots[game] = slot;
        Ok(())
    }

    fn record(&self, game: usize) -> Result<Played, BatchError> {
        let slot = self.slot(game)?;
        let Ok(Value::Object(rules)) = serde_json::to_value(&self.common.rules) else {
            return Err(BatchError::NotSaved("rules are plain data".into()));
        };
        let header = Header {
            agon: Some(VERSION),
            game: G::info().name.to_owned(),
            seed: slot.seed,
            league: None,
            rules: Some(RulesField::Full(rules)),
            players: None,
            options: None,
        };
        // The orders of actions, and faults, which are part of the end in the words of some games, follow from the answers.
        let mut play = Match::<G>::new(self.common.rules.clone(), slot.seed);
        let mut turns = Vec::with_capacity(slot.answers.len());
        for (seat, kept) in &slot.answers {
            let line = match kept {
                Kept::Action(first) => {
                    let action = &slot.choices[*first..][..G::LAYOUT.actions.len()];
                    let view = play.game().view(play.state(), *seat);
                    Some(G::print(&play.game().order_of(&view, action)))
                }
                Kept::Order(order) => Some(G::print(order)),
                Kept::Missing => None,
            };
            play.answer(*seat, line.as_deref()).map_err(|_| BatchError::Diverged(game))?;
            turns.push(Turn::new(seat.0, line));
        }
        if *play.state() != slot.state {
            return Err(BatchError::Diverged(game));
        }
        let Ok(Value::Object(end)) = serde_json::to_value(play.end()) else {
            return Err(BatchError::NotSaved("an end is plain data".into()));
        };
        Ok(Played::new(header, turns, end))
    }

    fn branch(&self, games: &[usize]) -> Result<Box<dyn AnyBatch>, BatchError> {
        let sources = games.iter().map(|&game| self.slot(game)).collect::<Result<Vec<_>, _>>()?;
        let plan = BatchPlan {
            games: games.len(),
            // Threads take time to start.
            threads: if games.len() > 1 { self.common.plan.threads } else { 1 },
            autoreset: Autoreset::Off,
            opponents: vec![None; self.players()],
            ..self.common.plan.clone()
        };
        let seeds = sources.iter().map(|slot| slot.seed);
        let mut branch: Batch<G> = Batch::with_seeds(self.common.rules.clone(), plan, seeds)?;
        for (to, from) in branch.slots.iter_mut().zip(sources) {
            to.state = from.state.clone();
            to.steps = from.steps;
            to.answers.clone_from(&from.answers);
            to.choices.clone_from(&from.choices);
        }
        Ok(Box::new(branch))
    }

    fn simulate(&self, game: usize, times: usize, seed: u64) -> Result<Vec<u8>, BatchError> {
        let slot = self.slot(game)?;
        check_number("simulated games", times, MOST_SIMULATED)?;
        let mut ranks = Vec::with_capacity(times * self.players());
        let mut dice = Dice::new(seed);
        let mut orders = vec![None; self.players()];
        for _ in 0..times {
            let mut state = slot.state.clone();
            loop {
                let asked = slot.game.to_act(&state);
                if asked.is_empty() {
                    break;
                }
                for seat in asked {
                    orders[seat.index()] = Some(slot.game.random_order(&state, seat, &mut dice));
                }
                slot.game.step(&mut state, &orders, &mut Silent);
                orders.fill(None);
            }
            ranks.extend(slot.game.outcome(&state).ranks);
        }
        Ok(ranks)
    }
}

fn check_action(layout: &Layout, action: &[Choice], game: usize, agent: usize) -> Result<(), BatchError> {
    for (&choice, &(component, choices)) in action.iter().zip(layout.actions) {
        if usize::from(choice) >= choices {
            return Err(BatchError::Choice { game, agent, component, choices, choice });
        }
    }
    Ok(())
}
