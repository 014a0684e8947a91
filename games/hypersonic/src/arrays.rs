//! The game as arrays of numbers. There is no hidden information.

use game::{Arrays, Choice, Layout, Seat, write_cells};

use crate::Hypersonic;
use crate::forecast::Forecast;
use crate::grid::{AREA, Cell, CellSet, Direction, HEIGHT, STRIDE, WIDTH};
use crate::movement::step_towards;
use crate::protocol::{Command, Order, Verb, View};
use crate::rules::MAX_PLAYERS;
use crate::state::State;

/// The steps of an action: none, then [`Direction::ALL`].
const STEPS: usize = 1 + Direction::ALL.len();

const WALLS: usize = 0;
const BOXES: usize = 1;
const EXTRA_RANGE: usize = 2;
const EXTRA_BOMB: usize = 3;
const FLOOR_ITEM: usize = 4;
const PLAYERS: usize = 5;
const BOMB_ROUNDS: usize = PLAYERS + MAX_PLAYERS;
const BOMB_RANGE: usize = BOMB_ROUNDS + 1;
const OWN_BOMB: usize = BOMB_RANGE + 1;
const DANGER: usize = OWN_BOMB + 1;

/// The scalars of a player.
const EACH: usize = 4;

impl Arrays for Hypersonic {
    const LAYOUT: Layout = Layout {
        height: HEIGHT,
        width: WIDTH,
        planes: &[
            "wall",
            "box",
            "extra range (in a box or on the floor)",
            "extra bomb (in a box or on the floor)",
            "item on the floor",
            "own bomber",
            "bomber of the next seat",
            "bomber of the seat after the next",
            "bomber of the third seat after the own one",
            "rounds until the bomb explodes",
            "range of the bomb",
            "own bomb",
            "rounds until an explosion hits here, if nobody acts",
        ],
        scalars: &[
            "round",
            "rounds without progress that are left",
            "own bomber lives",
            "own bombs to lay",
            "own range",
            "own boxes",
            "next seat lives",
            "its bombs to lay",
            "its range",
            "its boxes",
            "seat after the next lives",
            "its bombs to lay",
            "its range",
            "its boxes",
            "third seat after the own one lives",
            "its bombs to lay",
            "its range",
            "its boxes",
        ],
        hidden_planes: &[],
        hidden_scalars: &[],
        actions: &[("stay, left, right, up, down; then the same with a bomb", 2 * STEPS)],
    };

    fn observe(&self, view: &View<'_>, planes: &mut [u8], scalars: &mut [f32]) {
        let View { state, seat, .. } = *view;
        let mut fill = |plane: usize, cells: &CellSet| {
            write_cells::<WIDTH, STRIDE, 0, _>(cells, &mut planes[plane * AREA..][..AREA]);
        };
        fill(WALLS, &self.map.walls);
        fill(BOXES, &state.boxes);
        fill(EXTRA_RANGE, &state.extra_ranges);
        fill(EXTRA_BOMB, &state.extra_bombs);
        fill(FLOOR_ITEM, &state.floor_items());
        planes[PLAYERS * AREA..].fill(0);
        scalars.fill(0.0);
        scalars[0] = f32::from(state.round);
        scalars[1] = f32::from(state.idle);
        for (i, numbers) in scalars[2..].chunks_mut(EACH).enumerate().take(self.rules.players.into()) {
            let seat = Seat((seat.0 + i as u8) % self.rules.players);
            let player = state.player(seat);
            if state.living.contains(seat) {
                planes[(PLAYERS + i) * AREA + place(player.cell)] = 1;
                numbers[0] = 1.0;
            }
            numbers[1] = f32::from(player.available);
            numbers[2] = f32::from(player.range);
            numbers[3] = f32::from(player.boxes);
        }
        for bomb in state.bombs.iter() {
            let cell = place(bomb.cell);
            // Bombs of one cell explode together: the shortest time and the longest range count.
            let rounds = &mut planes[BOMB_ROUNDS * AREA + cell];
            let left = state.rounds_left(bomb).min(255) as u8;
            *rounds = if *rounds == 0 { left } else { left.min(*rounds) };
            let range = &mut planes[BOMB_RANGE * AREA + cell];
            *range = (bomb.range.min(255) as u8).max(*range);
            planes[OWN_BOMB * AREA + cell] |= u8::from(bomb.owner == seat.0);
        }
        if !state.bombs.is_empty() {
            let forecast = Forecast::of(self, state, seat);
            // The first explosion of a cell counts, so the later ones are written first.
            for update in (1..=forecast.last).rev() {
                for cell in &forecast.danger(update) {
                    planes[DANGER * AREA + place(Cell::of_index(cell))] = update as u8;
                }
            }
        }
    }

    fn reveal(&self, _: &State, _: Seat, _: &mut [u8], _: &mut [f32]) {}

    fn write_scores(&self, state: &State, scores: &mut [f32]) {
        for (seat, score) in scores.iter_mut().enumerate() {
            *score = state.score(&self.rules, Seat(seat as u8)) as f32;
        }
    }

    fn mask(&self, view: &View<'_>, mask: &mut [u8]) {
        let (open, bombs) = (self.open_cells(view.state), u8::from(may_bomb(view)));
        let cell = view.state.player(view.seat).cell;
        for (step, way) in ways(cell).into_iter().enumerate() {
            let free = u8::from(step == 0 || way.is_some_and(|way| open.contains(way.index())));
            mask[step] = free;
            mask[STEPS + step] = free & bombs;
        }
    }

    fn order_of(&self, view: &View<'_>, action: &[Choice]) -> Order {
        let choice = action.first().map_or(0, |&choice| usize::from(choice));
        let choice = if choice < 2 * STEPS { choice } else { 0 };
        let cell = view.state.player(view.seat).cell;
        let open = self.open_cells(view.state);
        let to = ways(cell)[choice % STEPS].filter(|to| open.contains(to.index())).unwrap_or(cell);
        let verb = if choice >= STEPS && may_bomb(view) { Verb::Bomb } else { Verb::Move };
        Ok(Command { verb, x: to.x() as i32, y: to.y() as i32, message: None })
    }

    fn action_of(&self, view: &View<'_>, order: &Order, action: &mut [Choice]) -> bool {
        let Ok(command) = order else { return false };
        let cell = view.state.player(view.seat).cell;
        let to = step_towards(&self.open_cells(view.state), cell, command.x, command.y);
        let step = if to == cell { Some(0) } else { ways(cell).into_iter().position(|way| way == Some(to)) };
        let bomb = command.verb == Verb::Bomb && may_bomb(view);
        match (step, action) {
            (Some(step), [choice]) => {
                *choice = (step + STEPS * usize::from(bomb)) as Choice;
                true
            }
            _ => false,
        }
    }
}

fn may_bomb(view: &View<'_>) -> bool {
    let player = view.state.player(view.seat);
    player.available > 0 && !view.state.bomb_cells.contains(player.cell.index())
}

/// The place of a cell in a plane.
const fn place(cell: Cell) -> usize {
    cell.y() * WIDTH + cell.x()
}

/// The cells that a step leads to, as far as they are on the grid.
fn ways(cell: Cell) -> [Option<Cell>; STEPS] {
    let [left, right, up, down] = Direction::ALL.map(|direction| cell.next(direction));
    [Some(cell), left, right, up, down]
}
