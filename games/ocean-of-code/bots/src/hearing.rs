//! One set of cells in which the opponent can be, for bots that do not track its paths.

use ocean_of_code::{Direction, SECTORS, Sea, ShownAction};

use super::chart::{Chart, shift};
use super::tactics::Scene;

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

#[cfg(test)]
mod tests {
    use ocean_of_code::{Cell, Map, Rules};

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
