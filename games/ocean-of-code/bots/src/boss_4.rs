//! The boss of the fourth league: it tracks every cell and path that its opponent can have, and shoots as soon as a hit is likely. It
//! does not hide.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Power, SECTORS};

use super::chart::{Chart, cell_at};
use super::knowledge::Knowledge;
use super::steering::{charge_first, largest_sea, roomiest};
use super::tactics::{Scene, Tactics, any_of};
use bots::Budget;

/// Tracks exactly and shoots greedily.
#[derive(Default)]
pub(super) struct Stalker {
    knowledge: Option<Knowledge>,
}

/// The least expected damage of a shot or a trigger.
const ENOUGH: f32 = 1.5;

impl Tactics for Stalker {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.knowledge = Some(Knowledge::new(chart));
        any_of(chart, &largest_sea(chart), dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let (chart, own) = (scene.chart, scene.own);
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(chart));
        knowledge.update(scene, 1.0);
        let chances = knowledge.enemy.chances();
        let damage = chart.expected_damage(&chances);
        let mut line = Chain::new();
        let best = |cells: ocean_of_code::Sea| {
            cells.iter().max_by(|&a, &b| damage[a].total_cmp(&damage[b])).filter(|&at| damage[at] >= ENOUGH)
        };
        if let Some(mine) = best(own.active_mines() - chart.blast[own.cell.index()]) {
            line.push(Action::Trigger { target: Some(cell_at(mine)) });
        }
        if own.is_ready(chart.rules(), Power::Torpedo)
            && let Some(target) = best(chart.reach[own.cell.index()] - chart.blast[own.cell.index()])
        {
            line.push(Action::Torpedo { target: Some(cell_at(target)) });
        }
        let mut visited = own.visited;
        let mut way = roomiest(chart, own.cell, &visited, dice);
        if way.is_none() {
            line.push(Action::Surface);
            visited = ocean_of_code::Sea::only(own.cell.index());
            way = roomiest(chart, own.cell, &visited, dice);
        }
        let Some((direction, end)) = way else { return line };
        let charge = charge_first(chart, own, &[Power::Torpedo, Power::Silence, Power::Mine, Power::Sonar]);
        line.push(Action::Move { direction, charge });
        visited.add(end.index());
        if own.is_ready(chart.rules(), Power::Mine)
            && let Some((direction, cell)) = roomiest(chart, end, &visited, dice)
            && !own.mines.contains(cell.index())
        {
            line.push(Action::Mine { direction });
        }
        if own.is_ready(chart.rules(), Power::Sonar) {
            let share = |sector| chart.sector(sector).iter().map(|cell| chances[cell]).sum::<f32>();
            let asked = (1..=SECTORS).find(|&sector| (0.4..=0.6).contains(&share(sector)));
            if let Some(sector) = asked {
                line.push(Action::Sonar { sector });
            }
        }
        if own.is_ready(chart.rules(), Power::Silence)
            && let Some((direction, _)) = roomiest(chart, end, &visited, dice)
        {
            line.push(Action::Silence { direction, steps: 1 });
        }
        line
    }
}
