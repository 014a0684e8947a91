//! The boss of the first league: it moves where there is room, surfaces when there is none, and shoots at random without hitting
//! itself.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Power, Sea};

use super::chart::Chart;
use super::steering::{charge_first, roomiest};
use super::tactics::{Scene, Tactics, any_of};
use bots::Budget;

/// Moves and shoots without knowledge of the opponent.
pub(super) struct Drifter;

impl Tactics for Drifter {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        any_of(chart, &chart.water, dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, _: &mut Budget) -> Chain {
        let (chart, own) = (scene.chart, scene.own);
        let Some((direction, end)) = roomiest(chart, own.cell, &own.visited, dice) else {
            return Chain::only(Action::Surface);
        };
        let charge = charge_first(chart, own, &[Power::Torpedo]);
        let mut line = Chain::only(Action::Move { direction, charge });
        let targets: Sea = chart.reach[end.index()] - chart.blast[end.index()];
        if own.is_ready(chart.rules(), Power::Torpedo) && !targets.is_empty() {
            line.push(Action::Torpedo { target: Some(any_of(chart, &targets, dice)) });
        }
        line
    }
}
