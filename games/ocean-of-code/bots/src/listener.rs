//! Hears every order of its opponent and keeps one set of cells it can be in. A silence only blurs the set, misses and hits
//! teach it nothing. It shoots when the whole set fits into one explosion, and goes silent whenever it can.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Direction, Power, SECTORS, Sea, ShownAction};

use super::captain::{Scene, Tactics, any_of};
use super::chart::{Chart, cell_at, shift};
use super::helm::{charge_first, roomiest};
use bots::Budget;

/// One set of cells.
pub(super) struct Listener {
    heard: Sea,
}

impl Listener {
    pub(super) fn new() -> Listener {
        Listener { heard: Sea::EMPTY }
    }
}

/// What a set of cells becomes by an order.
pub(super) fn heard(chart: &Chart, cells: Sea, order: ShownAction) -> Sea {
    match order {
        ShownAction::Move(direction) => shift(&cells, direction) & chart.water,
        ShownAction::Surface(sector) => cells & chart.sector(sector),
        ShownAction::Torpedo(target) => cells & chart.reach[target.index()],
        ShownAction::Silence => {
            let mut all = cells;
            for direction in Direction::ALL {
                let mut gone = cells;
                for _ in 0..chart.rules().silence_steps {
                    gone = shift(&gone, direction) & chart.water;
                    all |= gone;
                }
            }
            all
        }
        ShownAction::Sonar(_) | ShownAction::Mine | ShownAction::Trigger(_) => cells,
    }
}

/// What a set of cells becomes by the answer to the own sonar.
pub(super) fn sounded(scene: &Scene<'_>, cells: Sea) -> Sea {
    let asked =
        scene.said.iter().find_map(|said| if let ShownAction::Sonar(s) = said { Some(*s) } else { None });
    match (asked, scene.report.sonar) {
        (Some(sector), Some(true)) => cells & scene.chart.sector(sector),
        (Some(sector), Some(false)) => cells - scene.chart.sector(sector),
        _ => cells,
    }
}

/// The sector with the most cells of a set.
pub(super) fn fullest_sector(chart: &Chart, cells: &Sea) -> Option<u8> {
    (1..=SECTORS).max_by_key(|&sector| (*cells & chart.sector(sector)).len())
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
        let charge = charge_first(chart, own, &[Power::Torpedo, Power::Sonar, Power::Silence]);
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

#[cfg(test)]
mod tests {
    use ocean_of_code::{Map, Rules};

    use super::*;

    #[test]
    fn orders_narrow_the_set() {
        let chart = Chart::new(Rules::FULL, Map::from_rows(&["..............."; 15]).unwrap());
        let north = heard(&chart, chart.water, ShownAction::Move(Direction::N));
        assert_eq!(north.len(), 15 * 14);
        let only = Sea::only(Cell::new(7, 7).unwrap().index());
        assert_eq!(heard(&chart, only, ShownAction::Silence).len(), 17);
        assert_eq!(heard(&chart, chart.water, ShownAction::Surface(5)).len(), 25);
        assert_eq!(heard(&chart, chart.water, ShownAction::Torpedo(Cell::new(7, 7).unwrap())).len(), 41);
        assert_eq!(heard(&chart, only, ShownAction::Mine), only);
    }
}
