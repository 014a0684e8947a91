//! Bronze tracks its opponent as the last boss does, and steers by it: it shoots after a step that brings the opponent into reach,
//! approaches while its torpedo is ready and withdraws while it is not, avoids the opponent's mines, and saves its silence until it is
//! hit.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Direction, Power, SECTORS, Sea};

use super::chart::{Chart, Grid, cell_at};
use super::knowledge::Knowledge;
use super::steering::{charge_first, largest_sea};
use super::tactics::{Scene, Tactics, any_of};
use bots::Budget;

/// Approaches, and flees when hit.
#[derive(Default)]
pub(super) struct Hunter {
    knowledge: Option<Knowledge>,
}

/// The least expected damage of a shot or a trigger.
const ENOUGH: f32 = 0.7;

/// The values by which cells are compared.
struct View<'a> {
    chart: &'a Chart,
    enemy: &'a Grid,
    damage: Grid,
    mines: Box<Grid>,
    armed: bool,
}

impl<'a> View<'a> {
    fn new(chart: &'a Chart, knowledge: &Knowledge, enemy: &'a Grid, armed: bool) -> View<'a> {
        View {
            chart,
            enemy,
            damage: chart.expected_damage(enemy),
            mines: knowledge.enemy.mines(chart),
            armed,
        }
    }

    /// The best target among `cells`, if it is worth a shot.
    fn target(&self, cells: Sea, enough: f32) -> Option<Cell> {
        let best = cells.iter().max_by(|&a, &b| self.damage[a].total_cmp(&self.damage[b]))?;
        (self.damage[best] >= enough).then(|| cell_at(best))
    }

    /// How good it is to be in a cell: room, no mines around, the right distance.
    fn appeal(&self, cell: Cell, visited: &Sea) -> f32 {
        let chart = self.chart;
        let room = Chart::flood(cell, &(chart.water - *visited)).len() as f32;
        let mines: f32 = chart.blast[cell.index()].iter().map(|near| self.mines[near]).sum();
        let near: f32 = chart.strike[cell.index()].iter().map(|at| self.enemy[at]).sum();
        room.min(60.0) / 20.0 - 1.5 * mines + if self.armed { near } else { -near }
    }

    /// The free neighbour with the most appeal.
    fn way(&self, from: Cell, visited: &Sea, dice: &mut Dice) -> Option<(Direction, Cell)> {
        let mut best: Option<(f32, Direction, Cell)> = None;
        for direction in Direction::ALL {
            if let Some(next) = self.chart.step(from, direction, visited) {
                let appeal = self.appeal(next, visited) + dice.below(100) as f32 / 1000.0;
                if best.is_none_or(|(old, ..)| appeal > old) {
                    best = Some((appeal, direction, next));
                }
            }
        }
        best.map(|(_, direction, next)| (direction, next))
    }

    /// The silent move with the most appeal among those of two or more steps; where there is none, staying is one too.
    fn silent_way(&self, from: Cell, visited: &Sea) -> Action {
        let mut best = (f32::MIN, Direction::N, 0);
        for direction in Direction::ALL {
            let (mut cell, mut seen) = (from, *visited);
            for steps in 1..=self.chart.rules().silence_steps {
                let Some(next) = self.chart.step(cell, direction, &seen) else { break };
                cell = next;
                seen.add(next.index());
                let appeal = self.appeal(cell, &seen);
                if steps > 1 && appeal > best.0 {
                    best = (appeal, direction, steps);
                }
            }
        }
        Action::Silence { direction: best.1, steps: best.2 }
    }

    /// The sector of which it is least certain whether the opponent is in it.
    fn sector(&self) -> Option<u8> {
        let share = |sector| self.chart.sector(sector).iter().map(|cell| self.enemy[cell]).sum::<f32>();
        (1..=SECTORS).find(|&sector| (0.4..=0.6).contains(&share(sector)))
    }
}

impl Tactics for Hunter {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.knowledge = Some(Knowledge::new(chart));
        any_of(chart, &largest_sea(chart), dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(scene.chart));
        knowledge.update(scene, 1.0);
        let hit = scene.lives_then > scene.report.lives;
        hunt(scene, knowledge, hit, dice)
    }
}

/// The line of a turn; after a hit, it goes silent if it can.
fn hunt(scene: &Scene<'_>, knowledge: &Knowledge, flee: bool, dice: &mut Dice) -> Chain {
    let (chart, own) = (scene.chart, scene.own);
    let rules = chart.rules();
    let enemy = knowledge.enemy.chances();
    let armed = own.is_ready(rules, Power::Torpedo);
    let view = View::new(chart, knowledge, &enemy, armed);
    let mut line = Chain::new();
    if let Some(mine) = view.target(own.active_mines() - chart.blast[own.cell.index()], ENOUGH) {
        line.push(Action::Trigger { target: Some(mine) });
    }
    let mut visited = own.visited;
    let mut way = view.way(own.cell, &visited, dice);
    if way.is_none() {
        line.push(Action::Surface);
        visited = Sea::only(own.cell.index());
        way = view.way(own.cell, &visited, dice);
    }
    let Some((direction, end)) = way else { return line };
    let shot = |cell: Cell| {
        armed.then(|| view.target(chart.reach[cell.index()] - chart.blast[cell.index()], ENOUGH)).flatten()
    };
    let early = shot(own.cell);
    if early.is_some() {
        line.push(Action::Torpedo { target: early });
    }
    let charge = charge_first(chart, own, &[Power::Torpedo, Power::Silence, Power::Mine, Power::Sonar]);
    line.push(Action::Move { direction, charge });
    visited.add(end.index());
    if early.is_none()
        && let Some(target) = shot(end)
    {
        line.push(Action::Torpedo { target: Some(target) });
    }
    if own.is_ready(rules, Power::Mine)
        && let Some((direction, cell)) = view.way(end, &visited, dice)
        && !own.mines.contains(cell.index())
    {
        line.push(Action::Mine { direction });
    }
    if own.is_ready(rules, Power::Sonar)
        && let Some(sector) = view.sector()
    {
        line.push(Action::Sonar { sector });
    }
    if flee && own.is_ready(rules, Power::Silence) {
        line.push(view.silent_way(end, &visited));
    }
    line
}
