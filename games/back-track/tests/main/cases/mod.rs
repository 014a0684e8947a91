//! Tests by subject, and what they share.

mod checks;
mod connections;
mod finish;
mod maps;
mod orders;
mod reference;

use back_track::{BackTrack, Event, MapRules, Order, Rules, State, grid};
use game::{Game, Journal};

/// Rules for maps of nothing but plains and towns.
fn plains(rules: &Rules) -> Rules {
    let map = MapRules { mountain_share: 0.0, mountains_min: 0, river_share: 0.0, ..MapRules::OFFICIAL };
    Rules { places_of_interest: false, map, ..rules.clone() }
}

/// A game that is played by writing answers.
struct TestGame {
    game: BackTrack,
    state: State,
}

impl TestGame {
    fn new(rules: Rules, seed: i64) -> Self {
        let game = BackTrack::new(rules, seed);
        let state = game.start();
        TestGame { game, state }
    }

    /// Plays a turn; `None` for a player that does not answer.
    fn play(&mut self, answers: [Option<&str>; 2]) -> Journal<Event> {
        let orders = answers.map(|answer| answer.map(|line| Order::read(line.as_bytes())));
        let mut journal = Journal::default();
        self.game.step(&mut self.state, &orders, &mut journal);
        journal
    }

    /// Plays a turn in which both answer, and returns the codes of the faults of player 0.
    fn codes(&mut self, first: &str, second: &str) -> Vec<String> {
        let journal = self.play([Some(first), Some(second)]);
        journal.faults.into_iter().filter(|f| f.seat.0 == 0).map(|f| f.code.into_owned()).collect()
    }

    /// The owner of the track at a column and row.
    fn owner(&self, x: usize, y: usize) -> i8 {
        self.state.owner(grid::cell(x, y))
    }

    /// The first cell at which `count` free cells in a row begin, none of them or their neighbours with a town, in
    /// regions without one.
    fn free_row(&self, count: usize) -> (usize, usize) {
        let map = self.game.map();
        let free = self.state.free(map);
        let towns = map.town_cells | grid::around(&map.town_cells);
        map.cells()
            .find(|&cell| {
                (0..count).all(|i| {
                    free.contains(cell + i)
                        && !towns.contains(cell + i)
                        && map.town_regions >> map.regions[cell + i] & 1 == 0
                })
            })
            .map(grid::xy)
            .expect("a map has such a place")
    }

    /// Puts tracks of an owner on cells and brings what follows from them up to date.
    fn lay(&mut self, owner: usize, cells: impl IntoIterator<Item = usize>) {
        for cell in cells {
            self.state.tracks[owner].add(cell);
        }
        self.state = game::Audit::rebuilt(&self.game, &self.state);
    }

    /// Lays a line of tracks of one owner between the towns of a desired connection; returns its wish and cells.
    fn join_towns(&mut self, owner: usize) -> (usize, Vec<usize>) {
        let map = self.game.map();
        let wish = map.wishes()[0];
        let [from, to] = [wish.from, wish.to].map(|town| usize::from(map.towns[usize::from(town)].cell));
        let route =
            back_track::autoplace::route(map, &self.state.rails(map), &self.state.inked_cells, from, to);
        let cells: Vec<usize> = route.cells().collect();
        self.lay(owner, cells.iter().copied());
        assert!(self.state.links.active & 1 != 0);
        (0, cells)
    }
}
