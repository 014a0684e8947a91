//! The game as arrays of numbers. There is no hidden information.

use game::{Arrays, Choice, Layout, Seat, write_cells};

use crate::BackTrack;
use crate::grid::{Cells, STRIDE, cell, xy};
use crate::map::{MAX_REGIONS, MAX_TOWNS, Map};
use crate::order::{Command, Order};
use crate::protocol::View;
use crate::random::affordable;
use crate::state::State;

/// The rows and columns of the largest map.
const HEIGHT: usize = 20;
const WIDTH: usize = 30;
const AREA: usize = HEIGHT * WIDTH;
/// The choices of a cell: none, then all cells row by row.
const CELLS: usize = 1 + AREA;

// The components of an action.
const KIND: usize = 0;
const PLACE: usize = 1;
const PLACES: usize = 3;
const FROM: usize = PLACE + PLACES;
const TO: usize = FROM + 1;
const DISRUPT: usize = TO + 1;
const COMPONENTS: usize = DISRUPT + 1;

/// The planes of sets of cells come first, then those of numbers.
const SETS: usize = 9;

/// The scalars before those of the towns.
const NUMBERS: usize = 6;

impl Arrays for BackTrack {
    const LAYOUT: Layout = Layout {
        height: HEIGHT,
        width: WIDTH,
        planes: &[
            "cell of the map",
            "river",
            "mountain",
            "place of interest",
            "own track",
            "track of the opponent",
            "neutral track",
            "inked",
            "a track can be placed",
            "the region can be disrupted",
            "region, from 1",
            "instability of the region",
            "town, from 1",
        ],
        scalars: &SCALARS,
        hidden_planes: &[],
        hidden_scalars: &[],
        actions: &[
            ("tracks by hand, or AUTOPLACE", 2),
            ("first PLACE_TRACKS: cell", CELLS),
            ("second PLACE_TRACKS: cell", CELLS),
            ("third PLACE_TRACKS: cell", CELLS),
            ("AUTOPLACE from: cell", CELLS),
            ("AUTOPLACE to: cell", CELLS),
            ("DISRUPT: region", 1 + MAX_REGIONS),
        ],
    };

    fn observe(&self, view: &View<'_>, planes: &mut [u8], scalars: &mut [f32]) {
        let View { map, state, seat } = *view;
        let own = seat.index();
        let [_, river, mountain, interest] = map.terrains;
        let sets: [Cells; SETS] = [
            map.board,
            river,
            mountain,
            interest,
            state.tracks[own],
            state.tracks[1 - own],
            state.tracks[2],
            state.inked_cells,
            state.free(map),
        ];
        let (set_planes, numbers) = planes.split_at_mut(SETS * AREA);
        for (plane, set) in set_planes.chunks_exact_mut(AREA).zip(&sets) {
            fill(plane, set);
        }
        let (disruptable, numbers) = numbers.split_at_mut(AREA);
        let (regions, numbers) = numbers.split_at_mut(AREA);
        let (instability, towns) = numbers.split_at_mut(AREA);
        for y in 0..HEIGHT {
            let on_board = &set_planes[y * WIDTH..][..WIDTH];
            let here = &map.regions[cell(0, y)..][..WIDTH];
            for ((number, region), on_board) in regions[y * WIDTH..].iter_mut().zip(here).zip(on_board) {
                // Cells outside the board have no region.
                *number = region.wrapping_add(1) * on_board;
            }
        }
        // Both numbers of a region, by its number in the plane.
        let mut by_region = [[0; 2]; 256];
        let open = state.disruptable(&self.rules, map);
        for (region, numbers) in by_region[1..].iter_mut().enumerate().take(MAX_REGIONS) {
            *numbers = [(open >> region & 1) as u8, state.instability[region]];
        }
        for ((region, disruptable), instability) in
            regions.iter().zip(disruptable.iter_mut()).zip(instability.iter_mut())
        {
            [*disruptable, *instability] = by_region[usize::from(*region)];
        }
        towns.fill(0);
        for (id, town) in map.towns().iter().enumerate() {
            towns[place(town.cell.into())] = 1 + id as u8;
        }
        scalars.fill(0.0);
        scalars[0] = f32::from(state.turns);
        scalars[1] = state.scores[own] as f32;
        scalars[2] = state.scores[1 - own] as f32;
        scalars[3] = f32::from(self.rules.paint);
        scalars[4] = f32::from(u8::from(state.side_quest[own]));
        scalars[5] = f32::from(u8::from(state.side_quest[1 - own]));
        for (number, wish) in map.wishes().iter().enumerate() {
            let active = state.links.active >> number & 1 != 0;
            let at = NUMBERS + usize::from(wish.from) * MAX_TOWNS + usize::from(wish.to);
            scalars[at] = if active { 2.0 } else { 1.0 };
        }
    }

    fn reveal(&self, _: &State, _: Seat, _: &mut [u8], _: &mut [f32]) {}

    fn write_scores(&self, state: &State, scores: &mut [f32]) {
        for (score, value) in scores.iter_mut().zip(state.final_scores(&self.rules)) {
            *score = value as f32;
        }
    }

    fn mask(&self, view: &View<'_>, mask: &mut [u8]) {
        let View { map, state, .. } = *view;
        let mut parts: [&mut [u8]; COMPONENTS] = Default::default();
        let mut rest = mask;
        for (part, (_, choices)) in parts.iter_mut().zip(Self::LAYOUT.actions) {
            let (own, others) = rest.split_at_mut(*choices);
            (*part, rest) = (own, others);
            part[0] = 1;
        }
        parts[KIND][1] = 1;
        let places = affordable(&self.rules, map, state.free(map), self.rules.paint).unwrap_or(Cells::EMPTY);
        let [_, first, second, third, from, to, _] = &mut parts;
        fill(&mut first[1..], &places);
        second.copy_from_slice(first);
        third.copy_from_slice(first);
        fill(&mut from[1..], &map.board);
        to.copy_from_slice(from);
        parts[DISRUPT][1..].fill(0);
        if self.rules.disruption > 0 {
            for region in Map::ids(state.disruptable(&self.rules, map)) {
                parts[DISRUPT][1 + region] = 1;
            }
        }
    }

    fn order_of(&self, view: &View<'_>, action: &[Choice]) -> Order {
        let View { map, state, .. } = *view;
        let choice = |component: usize| {
            let choice = action.get(component).map_or(0, |&choice| usize::from(choice));
            if choice < Self::LAYOUT.actions[component].1 { choice } else { 0 }
        };
        let chosen = |component: usize| {
            let at = choice(component).checked_sub(1)?;
            Some(cell(at % WIDTH, at / WIDTH)).filter(|&cell| map.board.contains(cell))
        };
        let mut order = Order::default();
        if choice(KIND) == 1 {
            if let (Some(from), Some(to)) = (chosen(FROM), chosen(TO)) {
                order.commands.push(Command::Autoplace { from: written(from), to: written(to) });
            }
        } else {
            let (mut free, mut paint) = (state.free(map), self.rules.paint);
            for cell in (PLACE..FROM).filter_map(chosen) {
                if free.contains(cell) && map.costs[cell] <= paint {
                    free.discard(cell);
                    paint -= map.costs[cell];
                    let (x, y) = written(cell);
                    order.commands.push(Command::Place { x, y });
                }
            }
        }
        if let Some(region) = choice(DISRUPT).checked_sub(1)
            && self.rules.disruption > 0
            && state.disruptable(&self.rules, map) >> region & 1 != 0
        {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        if order.commands.is_empty() {
            order.commands.push(Command::Wait);
        }
        order
    }

    fn action_of(&self, view: &View<'_>, order: &Order, action: &mut [Choice]) -> bool {
        if order.unreadable.is_some() || action.len() != COMPONENTS {
            return false;
        }
        let View { map, state, .. } = *view;
        action.fill(0);
        let (mut free, mut paint, mut placed) = (state.free(map), self.rules.paint, 0);
        let mut points = self.rules.disruption;
        let choice_of = |cell: usize| (1 + place(cell)) as Choice;
        for command in order.commands.iter() {
            let region = match *command {
                Command::Wait | Command::Message(_) => continue,
                Command::Place { x, y } => {
                    // A command that the rules skip has no part in the action.
                    let Some(cell) = map.cell_at(x, y).filter(|&cell| free.contains(cell)) else { continue };
                    let Some(left) = paint.checked_sub(map.costs[cell]) else { continue };
                    if placed == PLACES || action[KIND] == 1 {
                        return false;
                    }
                    action[PLACE + placed] = choice_of(cell);
                    free.discard(cell);
                    (paint, placed) = (left, placed + 1);
                    continue;
                }
                Command::Autoplace { from, to } => {
                    let ends = (map.cell_at(from.0, from.1), map.cell_at(to.0, to.1));
                    let (Some(from), Some(to)) = ends else { continue };
                    if placed > 0 || action[KIND] == 1 {
                        return false;
                    }
                    (action[KIND], action[FROM], action[TO]) = (1, choice_of(from), choice_of(to));
                    continue;
                }
                Command::DisruptRegion(region) => Some(region),
                Command::DisruptCell { x, y } => map.cell_at(x, y).map(|cell| map.regions[cell].into()),
            };
            let open = state.disruptable(&self.rules, map);
            let region = region.filter(|&region| region < 64 && points > 0 && open >> region & 1 != 0);
            let Some(region) = region else { continue };
            if action[DISRUPT] != 0 {
                return false;
            }
            action[DISRUPT] = 1 + region as Choice;
            points -= 1;
        }
        true
    }
}

const SCALARS: [&str; NUMBERS + MAX_TOWNS * MAX_TOWNS] = {
    let mut scalars = ["wish of a town for another one, row by row: 1 wanted, 2 connected";
        NUMBERS + MAX_TOWNS * MAX_TOWNS];
    scalars[0] = "turn";
    scalars[1] = "own points";
    scalars[2] = "points of the opponent";
    scalars[3] = "paint";
    scalars[4] = "own side quest";
    scalars[5] = "side quest of the opponent";
    scalars
};

fn fill(plane: &mut [u8], cells: &Cells) {
    // The first row of a set is the empty row above the map.
    write_cells::<WIDTH, STRIDE, 1, _>(cells, plane);
}

/// The place of a cell in a plane.
fn place(cell: usize) -> usize {
    let (x, y) = xy(cell);
    y * WIDTH + x
}

/// A cell as commands write it.
fn written(cell: usize) -> (u32, u32) {
    let (x, y) = xy(cell);
    (x as u32, y as u32)
}
