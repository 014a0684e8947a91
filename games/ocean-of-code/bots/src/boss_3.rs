//! The boss of the third league: it learns from hits and misses, lays a mine whenever it can and triggers it when a large part of the
//! opponent's possible cells lies around it. It keeps one set of cells and no paths.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Power, Sea, ShownAction};

use super::chart::{Chart, cell_at};
use super::hearing::{fullest_sector, heard, sounded};
use super::steering::{charge_first, roomiest};
use super::tactics::{Scene, Tactics, any_of};
use bots::Budget;

/// Keeps one set of cells, and lays mines.
pub(super) struct Sapper {
    heard: Sea,
}

/// The share of the possible cells that an explosion must cover before the bot shoots.
const SHOOT: f32 = 0.8;
/// The same before it triggers a mine.
const SET_OFF: f32 = 0.6;

impl Sapper {
    pub(super) fn new() -> Sapper {
        Sapper { heard: Sea::EMPTY }
    }

    /// Concludes from the opponent's lives whether the own explosion hit it. With two explosions, or when the opponent may have hurt
    /// itself, nothing is concluded.
    fn learn(&mut self, scene: &Scene<'_>) {
        let Some(before) = scene.before else { return };
        let blasts: Vec<Cell> = scene.said.iter().copied().filter_map(explosion).collect();
        let itself =
            |order: &ShownAction| matches!(order, ShownAction::Surface(_)) || explosion(*order).is_some();
        if let [at] = blasts[..]
            && !scene.report.orders.iter().any(itself)
        {
            let blast = scene.chart.blast[at.index()];
            let hit = before.opponent_lives > scene.report.opponent_lives;
            self.heard = if hit { self.heard & blast } else { self.heard - blast };
        }
    }

    /// The cell of `cells` around which the largest share of the opponent's cells lies.
    fn best(&self, chart: &Chart, cells: Sea, least: f32) -> Option<Cell> {
        let all = self.heard.len().max(1) as f32;
        let share = |at: usize| (self.heard & chart.blast[at]).len() as f32 / all;
        let best = cells.iter().max_by(|&a, &b| share(a).total_cmp(&share(b)))?;
        (share(best) >= least).then(|| cell_at(best))
    }
}

fn explosion(action: ShownAction) -> Option<Cell> {
    match action {
        ShownAction::Torpedo(cell) | ShownAction::Trigger(cell) => Some(cell),
        _ => None,
    }
}

impl Tactics for Sapper {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.heard = chart.water;
        any_of(chart, &chart.water, dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let (chart, own) = (scene.chart, scene.own);
        let rules = chart.rules();
        self.heard = sounded(scene, self.heard);
        self.learn(scene);
        for &order in &scene.report.orders {
            self.heard = heard(chart, self.heard, order);
        }
        if self.heard.is_empty() {
            self.heard = chart.water;
        }
        let mut line = Chain::new();
        let near = chart.blast[own.cell.index()];
        if let Some(mine) = self.best(chart, own.active_mines() - near, SET_OFF) {
            line.push(Action::Trigger { target: Some(mine) });
        } else if own.is_ready(rules, Power::Torpedo)
            && let Some(target) = self.best(chart, chart.reach[own.cell.index()] - near, SHOOT)
        {
            line.push(Action::Torpedo { target: Some(target) });
        }
        let Some((direction, end)) = roomiest(chart, own.cell, &own.visited, dice) else {
            line.push(Action::Surface);
            return line;
        };
        let charge = charge_first(chart, own, &[Power::Torpedo, Power::Mine, Power::Silence, Power::Sonar]);
        line.push(Action::Move { direction, charge });
        let mut visited = own.visited;
        visited.add(end.index());
        if let Some((direction, cell)) = roomiest(chart, end, &visited, dice) {
            if own.is_ready(rules, Power::Mine) && !own.mines.contains(cell.index()) {
                line.push(Action::Mine { direction });
            }
            if own.is_ready(rules, Power::Silence) {
                line.push(Action::Silence { direction, steps: 1 });
            }
        }
        if own.is_ready(rules, Power::Sonar)
            && let Some(sector) = fullest_sector(chart, &self.heard)
        {
            line.push(Action::Sonar { sector });
        }
        line
    }
}
