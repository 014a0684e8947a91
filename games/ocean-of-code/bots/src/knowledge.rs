//! What each side knows of the other, updated with every question.

use ocean_of_code::{Power, Rules, Sea, ShownAction};

use super::chart::Chart;
use super::tactics::Scene;
use super::tracker::Tracker;

/// Expected damage of a shot that most players would take.
const GOOD_SHOT: f32 = 1.0;

/// Two trackers: one follows the opponent, the other one the own submarine as the opponent must see it.
pub(super) struct Knowledge {
    pub(super) enemy: Tracker,
    pub(super) own: Tracker,
    pub(super) ledger: Ledger,
}

impl Knowledge {
    pub(super) fn new(chart: &Chart) -> Knowledge {
        Knowledge { enemy: Tracker::new(chart), own: Tracker::new(chart), ledger: Ledger::default() }
    }

    /// Updates everything with a new question. An opponent that could have hit us and did not is probably elsewhere: `restraint` is the
    /// chance that it did not shoot although it could.
    pub(super) fn update(&mut self, scene: &Scene<'_>, restraint: f32) {
        self.after_own_line(scene, restraint);
        self.after_its_line(scene);
    }

    /// The own line and its results, before the opponent moved: what both sides knew at the beginning of the opponent's turn.
    pub(super) fn after_own_line(&mut self, scene: &Scene<'_>, restraint: f32) {
        self.follow_own(scene);
        let chart = scene.chart;
        let tempted = if restraint < 1.0 { self.tempted(scene) } else { Sea::EMPTY };
        let enemy = &mut self.enemy;
        for action in scene.said {
            match *action {
                ShownAction::Sonar(sector) => match scene.report.sonar {
                    Some(true) => enemy.among(chart, chart.sector(sector)),
                    Some(false) => enemy.among(chart, chart.water - chart.sector(sector)),
                    None => {}
                },
                ShownAction::Torpedo(cell) | ShownAction::Trigger(cell) => enemy.explosion(chart, cell),
                _ => {}
            }
        }
        enemy.doubt(tempted, restraint);
    }

    /// The opponent's line, and what its explosions and sonar told it.
    pub(super) fn after_its_line(&mut self, scene: &Scene<'_>) {
        let (chart, enemy) = (scene.chart, &mut self.enemy);
        for &action in &scene.report.orders {
            enemy.follow(chart, action);
        }
        enemy.settle(chart, lost(scene.opponent_lives_before(), scene.report.opponent_lives));
        self.update_own(scene);
        self.ledger.add(chart.rules(), &scene.report.orders);
    }

    /// Cells from which the opponent, with a torpedo ready, would have seen a good shot at us and did not take it.
    fn tempted(&self, scene: &Scene<'_>) -> Sea {
        let chart = scene.chart;
        let shot = scene.report.orders.iter().any(|order| matches!(order, ShownAction::Torpedo(_)));
        if shot || scene.before.is_none() || self.ledger.missing(chart.rules(), Power::Torpedo) != Some(0) {
            return Sea::EMPTY;
        }
        let damage = chart.expected_damage(&self.own.chances());
        let good = chart.water.iter().filter(|&target| damage[target] >= GOOD_SHOT);
        good.fold(Sea::EMPTY, |all, target| all | (chart.reach[target] - chart.blast[target]))
    }

    /// The own line as it was shown.
    fn follow_own(&mut self, scene: &Scene<'_>) {
        let (chart, own) = (scene.chart, &mut self.own);
        let before = scene.before.map_or(scene.lives_then, |before| before.lives);
        for &action in scene.said {
            own.follow(chart, action);
        }
        own.settle(chart, lost(before, scene.lives_then));
    }

    /// What the opponent's explosions and sonar told it.
    fn update_own(&mut self, scene: &Scene<'_>) {
        let (chart, own) = (scene.chart, &mut self.own);
        for action in &scene.report.orders {
            match *action {
                ShownAction::Sonar(sector) if scene.report.cell.sector() == sector => {
                    own.among(chart, chart.sector(sector));
                }
                ShownAction::Sonar(sector) => own.among(chart, chart.water - chart.sector(sector)),
                ShownAction::Torpedo(cell) | ShownAction::Trigger(cell) => own.explosion(chart, cell),
                _ => {}
            }
        }
        own.settle(chart, lost(scene.lives_then, scene.report.lives));
    }
}

pub(super) fn lost(before: i32, now: i32) -> u8 {
    u8::try_from(before - now).unwrap_or(0)
}

/// The charges that the opponent can have: each of its moves gave at most one.
#[derive(Clone, Default, Debug)]
pub(super) struct Ledger {
    moves: u32,
    /// Charges it has used.
    used: u32,
    /// Its moves when it last used each power.
    last: [u32; Power::ALL.len()],
}

impl Ledger {
    pub(super) fn add(&mut self, rules: &Rules, orders: &[ShownAction]) {
        for order in orders {
            let power = match order {
                ShownAction::Move(_) => {
                    self.moves += 1;
                    continue;
                }
                ShownAction::Torpedo(_) => Power::Torpedo,
                ShownAction::Sonar(_) => Power::Sonar,
                ShownAction::Silence => Power::Silence,
                ShownAction::Mine => Power::Mine,
                ShownAction::Surface(_) | ShownAction::Trigger(_) => continue,
            };
            self.used += u32::from(rules.charge(power).unwrap_or(0));
            self.last[power as usize] = self.moves;
        }
    }

    /// The most charges it can have for a power now, not counting what it needs for another one.
    pub(super) fn most(&self, power: Power) -> u32 {
        let spare = self.moves.saturating_sub(self.used);
        spare.min(self.moves - self.last[power as usize])
    }

    /// Charges a power still needs at least; `None` where the league does not have it.
    pub(super) fn missing(&self, rules: &Rules, power: Power) -> Option<u32> {
        rules.charge(power).map(|needed| u32::from(needed).saturating_sub(self.most(power)))
    }

    /// Whether it can have both a torpedo and this power ready.
    pub(super) fn ready_beside_torpedo(&self, rules: &Rules, power: Power) -> bool {
        let spare = self.moves.saturating_sub(self.used);
        rules.charge(power).is_some_and(|needed| {
            self.most(power) >= needed.into() && spare >= u32::from(needed) + u32::from(rules.torpedo_charge)
        })
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game, Seat, Silent};
    use ocean_of_code::{OceanOfCode, Phase};

    use super::*;
    use crate::question::Report;
    use bots::Lines;

    /// Random legal play, followed from one seat: the true cell is never excluded, even if only `most` shapes are kept.
    fn watch_a_game(league: u8, seed: i64, seat: Seat, most: usize) {
        let game = OceanOfCode::new(Rules::of_league(league), seed);
        let chart = Chart::new(game.rules().clone(), *game.map());
        let mut knowledge = Knowledge::new(&chart);
        let mut dice = Dice::new(seed as u64);
        let mut state = game.start();
        let mut before: Option<Report> = None;
        let mut said = Vec::new();
        let mut lives_then = i32::from(game.rules().lives);
        while let Some(to_act) = game.to_act(&state).into_iter().next() {
            if to_act == seat && state.phase == Phase::Turn {
                let mut text = String::new();
                OceanOfCode::write_turn(&game.view(&state, seat), &mut text);
                let report = Report::read(&mut Lines::new(&mut text.as_bytes())).unwrap();
                let own = state.submarine(seat);
                let scene = Scene {
                    chart: &chart,
                    own,
                    report: &report,
                    before: before.as_ref(),
                    said: &said,
                    lives_then,
                    turns_left: 1,
                };
                knowledge.update(&scene, 0.4);
                knowledge.enemy.melt(most);
                knowledge.own.melt(most);
                let enemy = state.opponent(seat);
                let context = format!("league {league} seed {seed} {seat:?} turn {}", state.turn);
                assert!(!knowledge.enemy.was_lost() && !knowledge.own.was_lost(), "{context}");
                assert!(knowledge.enemy.cells().contains(enemy.cell.index()), "{context}");
                assert!(knowledge.own.cells().contains(own.cell.index()), "{context}");
                assert!((knowledge.enemy.chances().iter().sum::<f32>() - 1.0).abs() < 1e-3, "{context}");
                for power in game.rules().powers() {
                    let most = knowledge.ledger.most(power);
                    assert!(most >= u32::from(enemy.charge(power)), "{context} {power:?}");
                }
                before = Some(report);
            }
            let order = game.random_order(&state, to_act, &mut dice);
            let mut orders = [None, None];
            orders[to_act.index()] = Some(order);
            game.step(&mut state, &orders, &mut Silent);
            if to_act == seat {
                said = state.submarine(seat).shown.actions().to_vec();
                lives_then = state.submarine(seat).lives.into();
            }
        }
    }

    #[test]
    fn the_true_place_is_never_refuted() {
        for seed in 0..30 {
            for league in 1..=4 {
                for seat in [Seat(0), Seat(1)] {
                    watch_a_game(league, seed, seat, usize::MAX);
                }
            }
        }
    }

    #[test]
    fn what_is_melted_is_not_refuted() {
        for seed in 0..60 {
            for (seat, most) in [(Seat(0), 2), (Seat(1), 20)] {
                watch_a_game(4, seed, seat, most);
            }
        }
    }
}
