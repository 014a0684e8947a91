//! The game as arrays of numbers, for programs that learn to play it. There is no hidden information.

use game::{Arrays, Choice, Layout, Seat};

use crate::__Name__;
use crate::protocol::{Command, Direction, Order, View};
use crate::rules::MAX_SIZE;
use crate::state::State;

/// Rows and columns of a plane: those of the largest grid.
const SIDE: usize = MAX_SIZE as usize;
const AREA: usize = SIDE * SIDE;

const GRID: usize = 0;
const COINS: usize = 1;
const OWN: usize = 2;
const OPPONENT: usize = 3;

/// The directions by choice. Choice 0 does nothing.
const CHOICES: [Direction; 5] =
    [Direction::Stay, Direction::Up, Direction::Down, Direction::Left, Direction::Right];

impl Arrays for __Name__ {
    const LAYOUT: Layout = Layout {
        height: SIDE,
        width: SIDE,
        planes: &["cell of the grid", "coin", "own cell", "cell of the opponent"],
        scalars: &["turn", "own coins", "coins of the opponent"],
        hidden_planes: &[],
        hidden_scalars: &[],
        actions: &[("STAY, UP, DOWN, LEFT or RIGHT", CHOICES.len())],
    };

    fn observe(&self, view: &View<'_>, planes: &mut [u8], scalars: &mut [f32]) {
        let View { state, seat, .. } = *view;
        let (own, opponent) = (seat.index(), 1 - seat.index());
        planes.fill(0);
        let mut fill = |plane: usize, [x, y]: [u8; 2]| {
            planes[plane * AREA + usize::from(y) * SIDE + usize::from(x)] = 1;
        };
        for y in 0..self.rules.size {
            for x in 0..self.rules.size {
                fill(GRID, [x, y]);
            }
        }
        for coin in state.coins.iter() {
            fill(COINS, coin);
        }
        fill(OWN, state.players[own]);
        fill(OPPONENT, state.players[opponent]);
        let collected = state.collected.map(f32::from);
        scalars.copy_from_slice(&[f32::from(state.turn), collected[own], collected[opponent]]);
    }

    fn reveal(&self, _: &State, _: Seat, _: &mut [u8], _: &mut [f32]) {}

    fn write_scores(&self, state: &State, scores: &mut [f32]) {
        for (seat, score) in (0..).zip(scores) {
            *score = state.score(Seat(seat)) as f32;
        }
    }

    fn mask(&self, view: &View<'_>, mask: &mut [u8]) {
        for (possible, direction) in mask.iter_mut().zip(CHOICES) {
            *possible = u8::from(self.stays_on_grid(view, direction));
        }
    }

    fn order_of(&self, view: &View<'_>, action: &[Choice]) -> Order {
        let chosen = action.first().and_then(|&choice| CHOICES.get(usize::from(choice)).copied());
        let possible = chosen.filter(|&direction| self.stays_on_grid(view, direction));
        Ok(Command::plain(possible.unwrap_or(Direction::Stay)))
    }

    fn action_of(&self, view: &View<'_>, order: &Order, action: &mut [Choice]) -> bool {
        let (Ok(command), [choice]) = (order, action) else { return false };
        let possible = self.stays_on_grid(view, command.direction);
        // A step off the grid is skipped.
        let done = if possible { command.direction } else { Direction::Stay };
        *choice = CHOICES.iter().position(|&direction| direction == done).unwrap_or_default() as Choice;
        true
    }
}

impl __Name__ {
    fn stays_on_grid(&self, view: &View<'_>, direction: Direction) -> bool {
        let ([x, y], (dx, dy)) = (view.state.players[view.seat.index()], direction.step());
        let inside = |place: u8, by: i8| place.checked_add_signed(by).is_some_and(|place| place < self.rules.size);
        inside(x, dx) && inside(y, dy)
    }
}
