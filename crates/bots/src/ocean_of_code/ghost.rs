//! A hunter that knows what its opponent knows: it follows itself with the same tracker, and goes silent before it is found
//! rather than after it is hit. It starts where the first moves tell the least.

use game::Dice;
use ocean_of_code::{Cell, Chain};

use super::captain::{Scene, Tactics, any_of};
use super::chart::{Chart, cell_at};
use super::duel::Belief;
use super::helm::largest_sea;
use super::hunter::hunt;
use super::watch::Watch;
use crate::budget::Budget;

/// Hides in time.
#[derive(Default)]
pub(super) struct Ghost {
    watch: Option<Watch>,
}

/// With fewer likely places than this, it is time to go.
const FOUND: f32 = 10.0;

/// The cells of the largest sea with the most water around.
pub(super) fn open_water(chart: &Chart) -> ocean_of_code::Sea {
    let mut open: Vec<usize> = largest_sea(chart).iter().collect();
    open.sort_by_key(|&cell| std::cmp::Reverse(chart.map().reach(cell_at(cell), 6).len()));
    open.truncate(open.len() / 4 + 1);
    open.into_iter().collect()
}

impl Tactics for Ghost {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.watch = Some(Watch::new(chart));
        any_of(chart, &open_water(chart), dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let watch = self.watch.get_or_insert_with(|| Watch::new(scene.chart));
        watch.update(scene);
        let hit = scene.lives_then > scene.report.lives;
        let found = Belief::of(&watch.own).spread(scene.chart) < FOUND;
        hunt(scene, watch, hit || found, dice)
    }
}
