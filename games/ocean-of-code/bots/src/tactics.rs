//! Shared by all bots of this game: reading questions, keeping the own submarine, and answering with a line that the rules allow.

use game::{Dice, Game, Seat, Silent};
use ocean_of_code::{Action, Cell, Chain, OceanOfCode, Order, Phase, Rules, ShownAction, State, Submarine};

use super::chart::{Chart, cell_at};
use super::question::{Report, read_map};
use bots::{Budget, Lines, Lost, Mind, Seating};

/// A bot that is given a scene and returns its actions.
pub(super) trait Tactics: Send {
    /// The starting cell, which is water.
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell;
    /// The actions of a turn.
    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, budget: &mut Budget) -> Chain;
}

/// What a player knows at the start of its turn.
pub(super) struct Scene<'a> {
    /// The map and the rules.
    pub(super) chart: &'a Chart,
    /// The own submarine.
    pub(super) own: &'a Submarine,
    /// The question of this turn.
    pub(super) report: &'a Report,
    /// The question before this one.
    pub(super) before: Option<&'a Report>,
    /// The own previous turn, as the opponent was shown it.
    pub(super) said: &'a [ShownAction],
    /// The own lives after that turn, before the opponent's.
    pub(super) lives_then: i32,
    /// Own turns left, this one included.
    pub(super) turns_left: u16,
}

impl Scene<'_> {
    /// The opponent's lives before the own previous turn.
    pub(super) fn opponent_lives_before(&self) -> i32 {
        self.before.map_or(i32::from(self.chart.rules().lives), |before| before.opponent_lives)
    }
}

/// A bot: tactics together with the state of the match.
pub(super) struct Player<T> {
    rules: Rules,
    dice: Dice,
    table: Option<Table>,
    tactics: T,
}

/// A match that has begun.
struct Table {
    chart: Chart,
    seat: Seat,
    /// The own submarine is exact. The opponent is a dummy on the same cell, with enough lives never to end the game.
    state: State,
    before: Option<Report>,
    turns: u16,
}

/// Lives of the dummy.
const DUMMY_LIVES: i8 = 100;

impl<T: Tactics + 'static> Player<T> {
    pub(super) fn seated(seating: &Seating, tactics: T) -> Box<dyn Mind> {
        let rules = OceanOfCode::rule_set(seating.selected);
        Box::new(Player { rules, dice: Dice::new(seating.seed), table: None, tactics })
    }
}

impl<T: Tactics> Mind for Player<T> {
    fn answer(&mut self, lines: &mut Lines<'_>, mut budget: Budget) -> Result<Vec<u8>, Lost> {
        let Some(table) = &mut self.table else {
            let (id, map) = read_map(lines)?;
            let chart = Chart::new(self.rules.clone(), map);
            let cell = self.tactics.start(&chart, &mut self.dice);
            let mut state = chart.game.start();
            let own = &mut state.submarines[usize::from(id)];
            own.cell = cell;
            own.visited.add(cell.index());
            self.table = Some(Table { chart, seat: Seat(id), state, before: None, turns: 0 });
            return Ok(format!("{} {}", cell.x(), cell.y()).into_bytes());
        };
        let report = Report::read(lines)?;
        let chain = table.decide(&report, &mut self.tactics, &mut self.dice, &mut budget);
        table.before = Some(report);
        Ok(OceanOfCode::print(&Order::Turn(chain)))
    }
}

impl Table {
    fn decide(
        &mut self,
        report: &Report,
        tactics: &mut impl Tactics,
        dice: &mut Dice,
        budget: &mut Budget,
    ) -> Chain {
        let own = &mut self.state.submarines[self.seat.index()];
        let lives_then = i32::from(own.lives);
        own.lives = report.lives.clamp(1, i32::from(i8::MAX)) as i8;
        // The question is right where the own state differs.
        if own.cell != report.cell {
            own.cell = report.cell;
            own.visited.add(report.cell.index());
        }
        let said = own.shown;
        // Mines laid in the previous turn are active by now.
        own.fresh_mine = None;
        let turns_left = (self.chart.rules().max_turns / 2).saturating_sub(self.turns).max(1);
        let scene = Scene {
            chart: &self.chart,
            own,
            report,
            before: self.before.as_ref(),
            said: said.actions(),
            lives_then,
            turns_left,
        };
        let chain = tactics.line(&scene, dice, budget);
        self.turns += 1;
        // A line that breaks the rules is replaced: it would cost the game.
        for chain in [chain, self.plain_move(), Chain::only(Action::Surface)] {
            if let Some(state) = self.played(&chain) {
                self.state = state;
                return chain;
            }
        }
        Chain::only(Action::Surface)
    }

    /// The state after a line, by the rules of the game; `None` if it breaks them.
    fn played(&self, chain: &Chain) -> Option<State> {
        let mut state = self.state;
        state.phase = Phase::Turn;
        state.turn = 1 + u16::from(self.seat.0);
        state.frames = 1;
        let own = *self.state.submarine(self.seat);
        let dummy = &mut state.submarines[1 - self.seat.index()];
        (dummy.lives, dummy.cell) = (DUMMY_LIVES, own.cell);
        let mut orders = [None, None];
        orders[self.seat.index()] = Some(Order::Turn(chain.clone()));
        self.chart.game.step(&mut state, &orders, &mut Silent);
        let all = state.submarine(self.seat).shown.actions().len() == chain.actions().len();
        (all && state.submarine(self.seat).lives >= 0).then_some(state)
    }

    fn plain_move(&self) -> Chain {
        let own = self.state.submarine(self.seat);
        let mut chain = Chain::new();
        for direction in ocean_of_code::Direction::ALL {
            if chain.actions().is_empty() && self.chart.step(own.cell, direction, &own.visited).is_some() {
                chain.push(Action::Move { direction, charge: Some(ocean_of_code::Power::Torpedo) });
            }
        }
        chain
    }
}

/// A random cell of a set; the first water where the set is empty.
pub(super) fn any_of(chart: &Chart, cells: &ocean_of_code::Sea, dice: &mut Dice) -> Cell {
    let count = cells.len();
    let index = if count == 0 { None } else { cells.nth(dice.below(count)) };
    cell_at(index.or_else(|| chart.water.first()).unwrap_or_default())
}
