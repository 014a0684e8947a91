//! The possible positions of a submarine, derived from public information: the orders shown to both players, and the
//! lives.
//!
//! A guess is a cell and the trail that led there, because a trail cannot be crossed. While there are few guesses, they
//! are exact; when a silence creates too many, guesses on the same cell are merged into one guess whose trail is the
//! intersection of theirs. The true cell is always among the guesses: a shorter trail only allows more positions.

use game::Seat;

use crate::grid::{Cell, Direction, Sea};
use crate::state::{ShownAction, State};
use crate::{OceanOfCode, Phase};

/// With more guesses than this, trails are merged.
const MOST: usize = 3000;

/// The public knowledge about the positions of both submarines.
#[derive(Clone, Debug)]
pub struct Tracks {
    /// The guesses by seat; empty before the placement.
    guesses: [Vec<Guess>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Guess {
    cell: Cell,
    trail: Sea,
    /// The lives that this submarine would have lost so far in the current turn.
    lost: u8,
}

impl Tracks {
    /// The knowledge before the first answer.
    pub fn new() -> Tracks {
        Tracks { guesses: [Vec::new(), Vec::new()] }
    }

    /// The possible cells of a submarine; empty before its placement.
    pub fn cells(&self, seat: Seat) -> Sea {
        self.guesses[seat.index() & 1].iter().map(|guess| guess.cell.index()).collect()
    }

    /// Updates the guesses after a step.
    pub fn follow(&mut self, game: &OceanOfCode, before: &State, after: &State) {
        match before.phase {
            Phase::Placement(seat) => {
                let anywhere = game.map().water().iter().map(Cell::from_index);
                let start = |cell: Cell| Guess { cell, trail: Sea::only(cell.index()), lost: 0 };
                self.guesses[seat.index() & 1] = anywhere.map(start).collect();
            }
            Phase::Turn => self.follow_turn(game, before, after),
            Phase::Over(_) => {}
        }
    }

    fn follow_turn(&mut self, game: &OceanOfCode, before: &State, after: &State) {
        let seat = before.on_turn();
        let other = Seat(1 - seat.0);
        for guess in self.guesses.iter_mut().flatten() {
            guess.lost = 0;
        }
        for &action in after.submarine(seat).shown.actions() {
            self.act(game, seat, action);
            if let ShownAction::Torpedo(target) | ShownAction::Trigger(target) = action {
                for guess in self.guesses.iter_mut().flatten() {
                    guess.lost += damage(game, target, guess.cell);
                }
            }
        }
        for whose in [seat, other] {
            let (had, has) = (before.submarine(whose).lives, after.submarine(whose).lives);
            // The lives of a disqualified player say nothing about damage.
            if has >= 0 {
                let lost = (had - has) as u8;
                // Damage below zero lives is not counted.
                let fits = |guess: &Guess| guess.lost == lost || (has == 0 && guess.lost > lost);
                self.guesses[whose.index() & 1].retain(fits);
            }
        }
        merge(&mut self.guesses[seat.index() & 1]);
    }

    /// Applies the public part of an order to the guesses about its player.
    fn act(&mut self, game: &OceanOfCode, seat: Seat, action: ShownAction) {
        let rules = &game.rules;
        let guesses = &mut self.guesses[seat.index() & 1];
        match action {
            ShownAction::Move(direction) => {
                guesses.retain_mut(|guess| guess.go(game, direction));
            }
            ShownAction::Surface(sector) => {
                guesses.retain(|guess| guess.cell.sector() == sector);
                for guess in guesses {
                    guess.trail = Sea::only(guess.cell.index());
                    guess.lost += rules.surface_damage;
                }
            }
            ShownAction::Torpedo(target) => {
                let near = game.map().reach(target, rules.torpedo_range);
                guesses.retain(|guess| near.contains(guess.cell.index()));
            }
            ShownAction::Silence => {
                let before = guesses.len();
                for i in 0..before {
                    for direction in Direction::ALL {
                        let mut guess = guesses[i];
                        for _ in 0..rules.silence_steps {
                            if !guess.go(game, direction) {
                                break;
                            }
                            guesses.push(guess);
                        }
                    }
                }
                merge(guesses);
            }
            ShownAction::Sonar(_) | ShownAction::Mine | ShownAction::Trigger(_) => {}
        }
    }
}

impl Default for Tracks {
    fn default() -> Self {
        Tracks::new()
    }
}

impl Guess {
    /// Moves a guess by one step, if water and trail allow it.
    fn go(&mut self, game: &OceanOfCode, direction: Direction) -> bool {
        match game.map().neighbour(self.cell, direction) {
            Some(next) if self.trail.insert(next.index()) => {
                self.cell = next;
                true
            }
            _ => false,
        }
    }
}

/// The lives lost on `cell` by an explosion at `target` (rules, section 8).
fn damage(game: &OceanOfCode, target: Cell, cell: Cell) -> u8 {
    match target.rings_to(cell) {
        0 => game.rules.blast_damage,
        1 => game.rules.splash_damage,
        _ => 0,
    }
}

/// Merges equal guesses, and if there are too many, all guesses on the same cell (with the same number of lives lost in
/// this turn).
fn merge(guesses: &mut Vec<Guess>) {
    guesses.sort_unstable_by_key(|guess| (guess.cell, guess.lost, guess.trail.0));
    guesses.dedup();
    if guesses.len() > MOST {
        guesses.dedup_by(|next, kept| {
            let same = next.cell == kept.cell && next.lost == kept.lost;
            if same {
                kept.trail &= next.trail;
            }
            same
        });
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game as _, Silent};

    use super::*;
    use crate::Rules;

    #[test]
    fn the_true_cell_is_never_ruled_out_and_much_else_is() {
        let mut dice = Dice::new(5);
        let (mut turns, mut cells) = (0, 0);
        for seed in 0..60 {
            let game = OceanOfCode::new(Rules::of_league(1 + (seed % 4) as u8), seed);
            let mut state = game.start();
            let mut tracks = Tracks::new();
            while let Some(seat) = state.to_act().next() {
                let before = state;
                let mut orders = [None, None];
                orders[seat.index()] = Some(game.random_order(&state, seat, &mut dice));
                game.step(&mut state, &orders, &mut Silent);
                tracks.follow(&game, &before, &state);
                if state.turn > 0 {
                    for seat in [Seat(0), Seat(1)] {
                        let possible = tracks.cells(seat);
                        let cell = state.submarine(seat).cell;
                        assert!(possible.contains(cell.index()), "seed {seed}, turn {}", state.turn);
                        (turns, cells) = (turns + 1, cells + possible.len());
                    }
                }
            }
        }
        assert!(turns > 1000, "{turns}");
        assert!(cells / turns < 120, "{} cells on average", cells / turns);
    }

    #[test]
    fn moves_a_surface_and_a_hit_narrow_it_down() {
        let rows = [&b"..............."[..]; 15];
        let map = crate::Map::from_rows(&rows).unwrap();
        let game = OceanOfCode::with_map(Rules::FULL, map);
        let mut state = game.start();
        let mut tracks = Tracks::new();
        let mut play = |state: &mut State, line: &str| {
            let seat = state.to_act().next().unwrap();
            let before = *state;
            let mut orders = [None, None];
            orders[seat.index()] = Some(OceanOfCode::parse(&game.view(state, seat), line.as_bytes()));
            game.step(state, &orders, &mut Silent);
            tracks.follow(&game, &before, state);
            [0, 1].map(|seat| tracks.cells(Seat(seat)).len())
        };
        play(&mut state, "7 7");
        assert_eq!(play(&mut state, "7 9"), [225, 225]);
        assert_eq!(
            play(&mut state, "MOVE N TORPEDO"),
            [210, 225],
            "nobody moves into the northern row from beyond"
        );
        assert_eq!(play(&mut state, "SURFACE"), [210, 25], "sector 5");
        play(&mut state, "MOVE N TORPEDO");
        play(&mut state, "MOVE E");
        play(&mut state, "MOVE W TORPEDO|TORPEDO 6 8");
        assert_eq!(state.submarine(Seat(1)).lives, 5, "not hit, one life for the surface");
        let [first, second] = [0, 1].map(|seat| tracks.cells(Seat(seat)));
        assert!(first.len() <= 41, "within four steps of the target");
        assert!(!second.contains(Cell::new(6, 8).unwrap().index()), "it lost nothing there");
    }
}
