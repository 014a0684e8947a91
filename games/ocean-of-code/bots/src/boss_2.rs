//! The boss of the second league: it follows every order of its opponent and keeps one set of cells in which the opponent can be. A
//! silence enlarges the set; hits and misses are ignored. It shoots when one explosion covers the whole set, and goes silent whenever
//! it can.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Power, Sea};

use super::chart::{Chart, cell_at};
use super::hearing::{fullest_sector, heard, sounded};
use super::steering::{charge_first, roomiest};
use super::tactics::{Scene, Tactics, any_of};
use bots::Budget;

/// Keeps one set of cells.
pub(super) struct Listener {
    heard: Sea,
}

impl Listener {
    pub(super) fn new() -> Listener {
        Listener { heard: Sea::EMPTY }
    }
}

impl Tactics for Listener {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.heard = chart.water;
        any_of(chart, &chart.water, dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let (chart, own) = (scene.chart, scene.own);
        self.heard = sounded(scene, self.heard);
        for &order in &scene.report.orders {
            self.heard = heard(chart, self.heard, order);
        }
        if self.heard.is_empty() {
            self.heard = chart.water;
        }
        let mut line = Chain::new();
        let safe = chart.reach[own.cell.index()] - chart.blast[own.cell.index()];
        let target = safe.iter().find(|&target| (self.heard - chart.blast[target]).is_empty());
        if own.is_ready(chart.rules(), Power::Torpedo)
            && let Some(target) = target
        {
            line.push(Action::Torpedo { target: Some(cell_at(target)) });
        }
        let Some((direction, end)) = roomiest(chart, own.cell, &own.visited, dice) else {
            line.push(Action::Surface);
            return line;
        };
        let charge = charge_first(chart, own, &[Power::Torpedo, Power::Silence, Power::Sonar]);
        line.push(Action::Move { direction, charge });
        if own.is_ready(chart.rules(), Power::Sonar)
            && let Some(sector) = fullest_sector(chart, &self.heard)
        {
            line.push(Action::Sonar { sector });
        }
        let mut visited = own.visited;
        visited.add(end.index());
        if own.is_ready(chart.rules(), Power::Silence)
            && let Some((direction, _)) = roomiest(chart, end, &visited, dice)
        {
            line.push(Action::Silence { direction, steps: 1 });
        }
        line
    }
}
