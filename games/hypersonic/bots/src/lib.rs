//! The bots of Hypersonic.

mod beam;
mod beams;
mod careful;
mod champion;
mod chaser;
mod duel;
mod forecast;
mod gatherer;
mod planner;
mod reading;
mod safety;
mod seen;
mod sight;
mod simulate;
mod taste;
mod walk;

use bots::Budget;
use bots::{BuiltIn, Seating};
use bots::{Lines, Lost, Mind};

use sight::{Action, Position, Sight};

/// How a bot plays, once somebody reads the question for it.
trait Player: Send {
    /// What to do now.
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action;
}

/// A bot at a table.
struct Seated<P> {
    sight: Sight,
    player: P,
}

impl<P: Player + 'static> Seated<P> {
    fn at(seating: &Seating, player: P) -> Box<dyn Mind> {
        Box::new(Seated { sight: Sight::new(seating.selected), player })
    }
}

impl<P: Player> Mind for Seated<P> {
    fn answer(&mut self, lines: &mut Lines<'_>, mut budget: Budget) -> Result<Vec<u8>, Lost> {
        let position = self.sight.read(lines)?;
        Ok(self.player.choose(position, &mut budget).line())
    }
}

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        about: "walks to the nearest box and bombs it",
        league: Some(1),
        sit: |seating| Seated::at(seating, chaser::Chaser),
    },
    BuiltIn {
        name: "boss-2",
        about: "goes where most is to be had for the way, items too",
        league: Some(2),
        sit: |seating| Seated::at(seating, gatherer::Gatherer),
    },
    BuiltIn {
        name: "boss-3",
        about: "gathers, and keeps out of the next blast",
        league: Some(3),
        sit: |seating| Seated::at(seating, careful::Watchful),
    },
    BuiltIn {
        name: "boss-4",
        about: "gathers, and does nothing without a way out",
        league: Some(4),
        sit: |seating| Seated::at(seating, careful::Careful),
    },
    BuiltIn {
        name: "bronze",
        about: "plans where to be in each of the next rounds",
        league: None,
        sit: |seating| Seated::at(seating, planner::Planner),
    },
    BuiltIn {
        name: "silver",
        about: "searches a few rounds ahead with a narrow beam",
        league: None,
        sit: |seating| Seated::at(seating, beams::Narrow::default()),
    },
    BuiltIn {
        name: "gold",
        about: "searches as far as a bomb burns, and allows for bombs laid against it now",
        league: None,
        sit: |seating| Seated::at(seating, beams::Sturdy::default()),
    },
    BuiltIn {
        name: "legend",
        about: "searches for itself while the others do what it would do in their place",
        league: None,
        sit: |seating| Seated::at(seating, beams::Reader::default()),
    },
    BuiltIn {
        name: "champion",
        about: "searches deep for itself and a little for everybody else",
        league: None,
        sit: |seating| Seated::at(seating, champion::Champion::new(seating.seed)),
    },
];
