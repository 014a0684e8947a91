//! The facts that the learned value of a state reads.
//!
//! A fact is true or not: "three cells to the right and one down of the player there is a box with a bomb in it". They tell of the board as it
//! will be when all bombs in play have gone off. The board is mirrored so that the player stands in the upper left quarter.

use std::sync::LazyLock;

use game::Seat;
use hypersonic::{Cell, CellSet, Forecast, GRID, HEIGHT, Hypersonic, List, MAX_PLAYERS, State, WIDTH};

/// The most facts of a state.
pub(super) const MOST: usize = 224;
/// The facts of a state, by number.
pub(super) type Facts = List<u16, MOST>;

/// The cells as the player sees them: from six to the left to twelve to the right, from five up to ten down.
const SEEN_WIDTH: usize = WIDTH + WIDTH / 2;
const SEEN: usize = SEEN_WIDTH * (HEIGHT + HEIGHT / 2);
/// Where the player stands between the walls: on a crossing, in a row or in a column.
const STANDS: usize = 3;
/// A cell with a box without an item, with an extra range and with an extra bomb, and with these items on the floor.
const THINGS: usize = 5;

/// Leads from -16 to 16 boxes; greater ones count as these.
const LEADS: usize = 33;
/// More boxes count as so many.
const MOST_BOXES: usize = 40;

/// The numbers of the first fact of each kind.
mod first {
    use super::{LEADS, MAX_PLAYERS, MOST_BOXES, SEEN, STANDS, THINGS};

    pub(super) const THING: usize = 0;
    /// Cells of opponents.
    pub(super) const OPPONENT: usize = THING + STANDS * THINGS * SEEN;
    /// The cell of the player.
    pub(super) const CELL: usize = OPPONENT + SEEN;
    pub(super) const BOMBS: usize = CELL + 7 * 6;
    pub(super) const AVAILABLE: usize = BOMBS + 10;
    pub(super) const RANGE: usize = AVAILABLE + 6;
    /// The rounds until a bomb of the player goes off.
    pub(super) const FUSE: usize = RANGE + 12;
    pub(super) const OTHERS: usize = FUSE + 10;
    /// For each place among the opponents: its lead over the player, its bombs and its range.
    pub(super) const LEAD: usize = OTHERS + 4;
    pub(super) const THEIR_BOMBS: usize = LEAD + 3 * LEADS;
    pub(super) const THEIR_RANGE: usize = THEIR_BOMBS + 3 * 10;
    pub(super) const LEFT: usize = THEIR_RANGE + 3 * 12;
    pub(super) const ROUND: usize = LEFT + 70;
    /// Things to which an opponent is as near as the player.
    pub(super) const CONTESTED: usize = ROUND + 50;
    /// The number of boxes to which the player is nearest, then that of each of its opponents.
    pub(super) const NEAREST: usize = CONTESTED + THINGS * SEEN;
    pub(super) const END: usize = NEAREST + MAX_PLAYERS * MOST_BOXES;
}

/// The number of facts.
pub(super) const FACTS: usize = first::END;

/// For each two cells those that are nearer to the first one than to the second one, by steps on an empty grid.
static NEARER: LazyLock<Vec<Vec<CellSet>>> = LazyLock::new(|| {
    let far = |one: usize, other: usize| {
        let [one, other] = [one, other].map(Cell::of_index);
        one.x().abs_diff(other.x()) + one.y().abs_diff(other.y())
    };
    let cells = Cell::at(WIDTH - 1, HEIGHT - 1).index() + 1;
    let mut nearer = vec![vec![CellSet::EMPTY; cells]; cells];
    for one in &GRID {
        for other in &GRID {
            for cell in (&GRID).into_iter().filter(|&cell| far(one, cell) < far(other, cell)) {
                nearer[one][other].add(cell);
            }
        }
    }
    nearer
});

/// For each fact two groups of facts that mean nearly the same, for the training; 0 is none. Things on one cell wherever the player stands, and things
/// at one distance.
pub fn groups() -> Vec<[u16; 2]> {
    let steps = SEEN_WIDTH + SEEN / SEEN_WIDTH;
    let of_thing = |fact: usize, more: usize| {
        let (thing, seen) = (fact / SEEN % THINGS + more, fact % SEEN);
        let far = (seen % SEEN_WIDTH).abs_diff(WIDTH / 2) + (seen / SEEN_WIDTH).abs_diff(HEIGHT / 2);
        [1 + thing * SEEN + seen, 1 + 2 * THINGS * SEEN + thing * steps + far].map(|group| group as u16)
    };
    let of = |fact: usize| match fact {
        ..first::OPPONENT => of_thing(fact, 0),
        first::CONTESTED..first::NEAREST => of_thing(fact - first::CONTESTED, THINGS),
        _ => [0; 2],
    };
    (0..FACTS).map(of).collect()
}

/// The cells as a player sees them.
#[derive(Clone, Copy)]
struct Sight {
    mirrored: [bool; 2],
    from: [usize; 2],
}

impl Sight {
    fn of(cell: Cell) -> Sight {
        let mirrored = [cell.x() > WIDTH / 2, cell.y() > HEIGHT / 2];
        let mut sight = Sight { mirrored, from: [0; 2] };
        sight.from = sight.turned(cell);
        sight
    }

    #[inline]
    fn turned(self, cell: Cell) -> [usize; 2] {
        let [x, y] = [cell.x(), cell.y()];
        [if self.mirrored[0] { WIDTH - 1 - x } else { x }, if self.mirrored[1] { HEIGHT - 1 - y } else { y }]
    }

    /// The number of a cell.
    #[inline]
    fn at(self, cell: Cell) -> usize {
        let [x, y] = self.turned(cell);
        (y + HEIGHT / 2 - self.from[1]) * SEEN_WIDTH + x + WIDTH / 2 - self.from[0]
    }
}

/// What is true of a state for a player. `forecast` is that of the state; an opponent that is off the board is taken to stand on its cell
/// in `cells`.
pub(super) fn facts(
    game: &Hypersonic,
    state: &State,
    forecast: &Forecast,
    me: Seat,
    cells: [Cell; MAX_PLAYERS],
) -> Facts {
    let mut facts = Facts::default();
    let mut add = |at: usize| {
        if facts.len() < MOST {
            facts.push(at as u16);
        }
    };
    let player = state.player(me);
    let sight = Sight::of(player.cell);
    let [x, y] = sight.from;
    let stand = if x % 2 == 1 { 1 } else { 2 * (y % 2) };
    add(first::CELL + y * 7 + x);
    let mut bombs = [0usize; MAX_PLAYERS];
    for bomb in state.bombs.iter() {
        bombs[usize::from(bomb.owner) % MAX_PLAYERS] += 1;
        if bomb.owner == me.0 {
            add(first::FUSE + usize::from(state.rounds_left(bomb)).min(9));
        }
    }
    let all = |seat: Seat| (usize::from(state.player(seat).available) + bombs[seat.index()]).min(9);
    let total = |seat: Seat| {
        let burning: i32 =
            forecast.boxes[..=forecast.last].iter().map(|by| i32::from(by[seat.index()])).sum();
        i32::from(state.player(seat).boxes) + burning
    };
    add(first::BOMBS + all(me));
    add(first::AVAILABLE + usize::from(player.available).min(5));
    add(first::RANGE + usize::from(player.range).min(11));
    let mine = total(me);
    let mut others = [(i32::MIN, me); MAX_PLAYERS];
    let mut count = 0;
    for seat in state.living {
        if seat != me {
            others[count] = (total(seat) - mine, seat);
            count += 1;
        }
    }
    let others = &mut others[..count];
    others.sort_unstable_by_key(|&(lead, seat)| (-lead, seat.0));
    add(first::OTHERS + count.min(3));
    // The cells of the player and of its opponents, by their places.
    let mut stood = [player.cell; MAX_PLAYERS];
    for (place, &(lead, seat)) in others.iter().enumerate() {
        let cell = state.player(seat).cell;
        let cell = if game.map.walls.contains(cell.index()) { cells[seat.index()] } else { cell };
        stood[place + 1] = cell;
        add(first::OPPONENT + sight.at(cell));
        add(first::LEAD + place * LEADS + (lead + LEADS as i32 / 2).clamp(0, LEADS as i32 - 1) as usize);
        add(first::THEIR_BOMBS + place * 10 + all(seat));
        add(first::THEIR_RANGE + place * 12 + usize::from(state.player(seat).range).min(11));
    }
    let boxes = forecast.boxes_left;
    let things = [
        boxes - state.extra_ranges - state.extra_bombs,
        boxes & state.extra_ranges,
        boxes & state.extra_bombs,
        forecast.items_left & state.extra_ranges,
        forecast.items_left & state.extra_bombs,
    ];
    let nearer = |one: usize, other: usize| &NEARER[stood[one].index()][stood[other].index()];
    let mut ours = GRID;
    for place in 1..=count {
        ours &= *nearer(0, place);
    }
    for (thing, set) in things.into_iter().enumerate() {
        let first = first::THING + (stand * THINGS + thing) * SEEN;
        for cell in &set {
            add(first + sight.at(Cell::of_index(cell)));
        }
        for cell in &(set - ours) {
            add(first::CONTESTED + thing * SEEN + sight.at(Cell::of_index(cell)));
        }
    }
    // Boxes to which two players are as near count for none of them.
    let mut nearest = [0usize; MAX_PLAYERS];
    for (place, nearest) in nearest[..=count].iter_mut().enumerate() {
        let mut cells = boxes;
        for other in (0..=count).filter(|&other| other != place) {
            cells &= *nearer(place, other);
        }
        *nearest = cells.len() as usize;
    }
    for (place, &boxes) in nearest[..=count].iter().enumerate() {
        add(first::NEAREST + place * MOST_BOXES + boxes.min(MOST_BOXES - 1));
    }
    add(first::LEFT + boxes.len().min(69) as usize);
    add(first::ROUND + usize::from(state.round / 4).min(49));
    facts
}

/// The facts with a greater lead of the player over all opponents.
pub(super) fn shift_leads(facts: &mut Facts, more: i32) {
    for fact in facts.iter_mut() {
        let Some(at) = usize::from(*fact).checked_sub(first::LEAD).filter(|at| *at < 3 * LEADS) else {
            continue;
        };
        let lead = (at % LEADS) as i32 - more;
        *fact = (first::LEAD + at / LEADS * LEADS + lead.clamp(0, LEADS as i32 - 1) as usize) as u16;
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game, Silent};
    use hypersonic::{Bomb, Rules};

    use super::*;
    use crate::simulate::{Orders, actions, idle, order};

    /// A state of random play without deaths, and its game.
    fn played(seed: i64, rounds: usize) -> (Hypersonic, State) {
        let game = Hypersonic::new(Rules::of_version(4, 3), seed);
        let mut state = game.start();
        let mut dice = Dice::new(seed as u64);
        for _ in 0..rounds {
            let mut orders: Orders = idle(&state);
            for seat in state.living {
                let all = actions(&game, &state, seat);
                orders[seat.index()] = order(all[dice.below(all.len() as u32) as usize]);
            }
            let mut next = state;
            game.step(&mut next, &orders, &mut Silent);
            if next.is_over() {
                break;
            }
            state = next;
        }
        (game, state)
    }

    fn of(game: &Hypersonic, state: &State, me: Seat) -> Vec<u16> {
        let cells = state.players.map(|player| player.cell);
        let mut found = facts(game, state, &Forecast::of(game, state, me), me, cells).to_vec();
        found.sort_unstable();
        found
    }

    /// The state seen in a mirror.
    fn mirrored(state: &State) -> State {
        let turned = |cell: Cell| Cell::at(WIDTH - 1 - cell.x(), cell.y());
        let set = |cells: &CellSet| {
            let mut set = CellSet::EMPTY;
            for cell in cells {
                set.add(turned(Cell::of_index(cell)).index());
            }
            set
        };
        let mut other = *state;
        for player in &mut other.players {
            player.cell = turned(player.cell);
        }
        for bomb in &mut *other.bombs {
            *bomb = Bomb { cell: turned(bomb.cell), ..*bomb };
        }
        other.boxes = set(&state.boxes);
        other.extra_ranges = set(&state.extra_ranges);
        other.extra_bombs = set(&state.extra_bombs);
        other.bomb_cells = set(&state.bomb_cells);
        other
    }

    #[test]
    fn the_mirrored_board_has_the_same_facts() {
        let mut compared = 0;
        for seed in 1..20 {
            let (game, state) = played(seed, 6 + seed as usize);
            for me in state.living {
                // In the middle column it stands for itself.
                if state.player(me).cell.x() != WIDTH / 2 {
                    assert_eq!(of(&game, &state, me), of(&game, &mirrored(&state), me));
                    compared += 1;
                }
            }
        }
        assert!(compared > 20, "{compared}");
    }

    #[test]
    fn every_fact_is_known_and_named_once() {
        assert_eq!(groups().len(), FACTS);
        for seed in 1..40 {
            let (game, state) = played(seed, seed as usize);
            for me in state.living {
                let found = of(&game, &state, me);
                assert!(found.len() < MOST && found.iter().all(|&fact| usize::from(fact) < FACTS));
                assert!(found.windows(2).all(|pair| pair[0] != pair[1] || is_fuse(pair[0])), "{found:?}");
            }
        }
    }

    /// Two bombs can have the same fuse.
    fn is_fuse(fact: u16) -> bool {
        (first::FUSE..first::OTHERS).contains(&usize::from(fact))
    }

    #[test]
    fn a_shifted_lead_is_that_of_another_box() {
        let (game, mut state) = played(3, 12);
        let me = Seat(0);
        let mut shifted: Facts = Facts::default();
        for fact in of(&game, &state, me) {
            shifted.push(fact);
        }
        shift_leads(&mut shifted, 1);
        state.players[me.index()].boxes += 1;
        assert_eq!(shifted.to_vec(), of(&game, &state, me));
    }
}
