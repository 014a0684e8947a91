//! The match from the opponent's side: what it knows when it has to choose.

use ocean_of_code::{Sea, Submarine};

use super::chart::{Chart, Grid};
use super::evaluation::{Decision, Weights};
use super::knowledge::{Knowledge, Ledger};
use super::question::Report;
use super::tactics::Scene;

/// The opponent at the beginning of its turn; its cell and trail are those of the own submarine until others are put in their place.
pub(super) struct Mirror {
    pub(super) knowledge: Knowledge,
    pub(super) own: Submarine,
    report: Report,
    /// Our mines, as far as it can tell.
    mines: Box<Grid>,
    turns_left: u16,
}

impl Mirror {
    /// `ledger` has our charges, as far as the opponent can tell; `charges` are its own. `lives` are its own and ours.
    pub(super) fn new(
        scene: &Scene<'_>,
        knowledge: &Knowledge,
        ledger: &Ledger,
        charges: [u8; 4],
        lives: [i32; 2],
    ) -> Mirror {
        let knowledge =
            Knowledge { enemy: knowledge.own.clone(), own: knowledge.enemy.clone(), ledger: ledger.clone() };
        let report = Report {
            cell: scene.own.cell,
            lives: lives[0],
            opponent_lives: lives[1],
            sonar: None,
            orders: Vec::new(),
        };
        // Where its mines are we do not know well enough.
        let own = Submarine { charges, mines: Sea::EMPTY, ..*scene.own };
        let mines = knowledge.enemy.mines(scene.chart);
        Mirror { knowledge, own, report, mines, turns_left: scene.turns_left }
    }

    /// Its scene.
    pub(super) fn scene<'a>(&'a self, chart: &'a Chart) -> Scene<'a> {
        Scene {
            chart,
            own: &self.own,
            report: &self.report,
            before: None,
            said: &[],
            lives_then: self.report.lives,
            turns_left: self.turns_left,
        }
    }

    /// Its decision, if it believes us to be in these places.
    pub(super) fn decision<'a>(
        &'a self,
        scene: &'a Scene<'a>,
        weights: &'a Weights,
        believed: Box<Grid>,
    ) -> Decision<'a> {
        Decision::new(scene, &self.knowledge, weights, believed, self.mines.clone())
    }
}
