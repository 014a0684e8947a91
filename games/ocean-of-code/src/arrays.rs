//! The game as arrays of numbers.

use game::{Arrays, Choice, Layout, Seat, write_cells};

use crate::OceanOfCode;
use crate::grid::{Cell, Direction, SECTORS, SIZE, STRIDE, Sea};
use crate::order::{Action, Chain, Command, Order, Power};
use crate::protocol::View;
use crate::state::{ShownAction, State, Submarine};

const WIDTH: usize = SIZE as usize;
const AREA: usize = WIDTH * WIDTH;
/// The choices of a cell: none, then all cells row by row.
const CELLS: usize = 1 + AREA;
/// A direction with one of five choices.
const WAYS: usize = 1 + Direction::ALL.len() * FIVE;
const FIVE: usize = 5;

// The components of an action.
const PLACE: usize = 0;
const MOVE: usize = 1;
const SURFACE: usize = 2;
const TORPEDO: usize = 3;
const SONAR: usize = 4;
const SILENCE: usize = 5;
const MINE: usize = 6;
const TRIGGER: usize = 7;
/// The place of each command in the sequence, in the order of [`COMMANDS`].
const TIMES: usize = 8;
const COMPONENTS: usize = TIMES + COMMANDS.len();

/// The commands in the order in which they are executed at equal times.
const COMMANDS: [Command; 7] = [
    Command::Trigger,
    Command::Power(Power::Torpedo),
    Command::Power(Power::Sonar),
    Command::Power(Power::Mine),
    Command::Power(Power::Silence),
    Command::Surface,
    Command::Move,
];
const NUMBERS_OF_OPPONENT: usize = 8;

impl Arrays for OceanOfCode {
    const LAYOUT: Layout = Layout {
        height: WIDTH,
        width: WIDTH,
        planes: &[
            "water",
            "visited since the start or the last SURFACE",
            "own submarine",
            "own mine",
            "target of the opponent's last TORPEDO",
            "target of the opponent's last TRIGGER",
        ],
        scalars: &[
            "turn",
            "choosing the start cell",
            "own lives",
            "lives of the opponent",
            "missing charges of TORPEDO, -1 without this power",
            "missing charges of SONAR, -1 without this power",
            "missing charges of SILENCE, -1 without this power",
            "missing charges of MINE, -1 without this power",
            "own sonar: 1 found, 0 not found, -1 not used",
            "the opponent moved north",
            "the opponent moved south",
            "the opponent moved east",
            "the opponent moved west",
            "sector in which the opponent surfaced, 0 if it did not",
            "sector of the opponent's sonar, 0 without",
            "the opponent moved in silence",
            "the opponent laid a mine",
        ],
        hidden_planes: &["opponent", "visited by the opponent", "mine of the opponent"],
        hidden_scalars: &[
            "charges of the opponent's TORPEDO",
            "charges of the opponent's SONAR",
            "charges of the opponent's SILENCE",
            "charges of the opponent's MINE",
        ],
        actions: &[
            ("start cell", CELLS),
            ("MOVE: direction times five, plus the power to charge", WAYS),
            ("SURFACE", 2),
            ("TORPEDO: cell", CELLS),
            ("SONAR: sector", 1 + SECTORS as usize),
            ("SILENCE: direction times five, plus steps", WAYS),
            ("MINE: direction", 1 + Direction::ALL.len()),
            ("TRIGGER: cell", CELLS),
            (
                "time of TRIGGER; lower times come first, at equal times the order is that of this list",
                COMMANDS.len(),
            ),
            ("time of TORPEDO", COMMANDS.len()),
            ("time of SONAR", COMMANDS.len()),
            ("time of MINE", COMMANDS.len()),
            ("time of SILENCE", COMMANDS.len()),
            ("time of SURFACE", COMMANDS.len()),
            ("time of MOVE", COMMANDS.len()),
        ],
    };

    fn observe(&self, view: &View<'_>, planes: &mut [u8], scalars: &mut [f32]) {
        planes[2 * AREA..].fill(0);
        scalars.fill(0.0);
        fill(&mut planes[..AREA], view.map.water());
        fill(&mut planes[AREA..2 * AREA], &view.own.visited);
        if !view.placing {
            planes[2 * AREA + place(view.own.cell)] = 1;
        }
        if !view.own.mines.is_empty() {
            fill(&mut planes[3 * AREA..4 * AREA], &view.own.mines);
        }
        scalars[0] = f32::from(view.turn);
        scalars[1] = f32::from(u8::from(view.placing));
        scalars[2] = f32::from(view.own.lives);
        scalars[3] = f32::from(view.opponent_lives);
        for (power, missing) in Power::ALL.into_iter().zip(&mut scalars[4..8]) {
            *missing = view.own.missing(view.rules, power).map_or(-1.0, f32::from);
        }
        scalars[8] = view.own.sonar.map_or(-1.0, |found| f32::from(u8::from(found)));
        let shown = &mut scalars[9..][..NUMBERS_OF_OPPONENT];
        for action in view.opponent_shown.actions() {
            match *action {
                ShownAction::Move(direction) => shown[direction as usize] = 1.0,
                ShownAction::Surface(sector) => shown[4] = f32::from(sector),
                ShownAction::Sonar(sector) => shown[5] = f32::from(sector),
                ShownAction::Silence => shown[6] = 1.0,
                ShownAction::Mine => shown[7] = 1.0,
                ShownAction::Torpedo(cell) => planes[4 * AREA + place(cell)] = 1,
                ShownAction::Trigger(cell) => planes[5 * AREA + place(cell)] = 1,
            }
        }
    }

    fn reveal(&self, state: &State, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        let opponent = state.submarine(Seat(1 - seat.0));
        planes.fill(0);
        if !opponent.visited.is_empty() {
            planes[place(opponent.cell)] = 1;
        }
        fill(&mut planes[AREA..2 * AREA], &opponent.visited);
        fill(&mut planes[2 * AREA..], &opponent.mines);
        for (scalar, charge) in scalars.iter_mut().zip(opponent.charges) {
            *scalar = f32::from(charge);
        }
    }

    fn write_scores(&self, state: &State, scores: &mut [f32]) {
        for (score, value) in scores.iter_mut().zip(state.scores) {
            *score = value.into();
        }
    }

    fn mask(&self, view: &View<'_>, mask: &mut [u8]) {
        mask.fill(0);
        let mut parts: [&mut [u8]; COMPONENTS] = Default::default();
        let mut rest = mask;
        for (part, (_, choices)) in parts.iter_mut().zip(Self::LAYOUT.actions) {
            let (own, others) = rest.split_at_mut(*choices);
            (*part, rest) = (own, others);
            part[0] = 1;
        }
        if view.placing {
            parts[PLACE][0] = 0;
            fill(&mut parts[PLACE][1..], view.map.water());
            return;
        }
        let boat = Boat::new(self, view.own);
        parts[SURFACE][1] = 1;
        // A part is possible if it is possible in some sequence: after a MOVE or a SILENCE of one step, for example.
        let mut cells = Sea::only(boat.cell.index());
        for (d, direction) in Direction::ALL.into_iter().enumerate() {
            let mut here = boat.cell;
            for step in 1..=FIVE {
                let Some(next) = view.map.neighbour(here, direction) else { break };
                here = next;
                if step == 1 {
                    for charge in 0..FIVE {
                        let known = charge == 0 || self.needed(Power::ALL[charge - 1]).is_some();
                        parts[MOVE][1 + d * FIVE + charge] = u8::from(known);
                    }
                    cells.add(here.index());
                }
                if boat.is_ready(Power::Silence) && step < FIVE && step <= view.rules.silence_steps.into() {
                    parts[SILENCE][1 + d * FIVE + step] = 1;
                    cells.add(here.index());
                }
            }
            if boat.is_ready(Power::Silence) {
                parts[SILENCE][1 + d * FIVE] = 1;
            }
            if boat.could_be_ready(Power::Mine) {
                parts[MINE][1 + d] = 1;
            }
        }
        if boat.could_be_ready(Power::Torpedo) {
            fill(&mut parts[TORPEDO][1..], &view.map.reach_of_all(cells, view.rules.torpedo_range));
        }
        if boat.could_be_ready(Power::Sonar) {
            parts[SONAR][1..].fill(1);
        }
        if self.needed(Power::Mine).is_some() && !boat.mines.is_empty() {
            fill(&mut parts[TRIGGER][1..], &boat.mines);
        }
        parts[TIMES..].iter_mut().for_each(|part| part.fill(1));
    }

    fn order_of(&self, view: &View<'_>, action: &[Choice]) -> Order {
        let choice = |component: usize| {
            let choice = action.get(component).map_or(0, |&choice| usize::from(choice));
            if choice < Self::LAYOUT.actions[component].1 { choice } else { 0 }
        };
        if view.placing {
            let asked = choice(PLACE).checked_sub(1).map(cell_at).filter(|&cell| view.map.is_water(cell));
            let first = || view.map.water().first().map(Cell::from_index);
            let cell = asked.or_else(first);
            return Order::Place { x: cell.map_or(0, Cell::x), y: cell.map_or(0, Cell::y) };
        }
        let mut boat = Boat::new(self, view.own);
        let mut chain = Chain::new();
        let cell = |component: usize| choice(component).checked_sub(1).map(|cell| Some(cell_at(cell)));
        let way = |component: usize| {
            choice(component).checked_sub(1).map(|way| (Direction::ALL[way / FIVE], way % FIVE))
        };
        // In the order of `COMMANDS`.
        let wanted: [Option<Action>; COMMANDS.len()] = [
            cell(TRIGGER).map(|target| Action::Trigger { target }),
            cell(TORPEDO).map(|target| Action::Torpedo { target }),
            Some(choice(SONAR) as u8).filter(|&sector| sector > 0).map(|sector| Action::Sonar { sector }),
            choice(MINE).checked_sub(1).map(|d| Action::Mine { direction: Direction::ALL[d] }),
            way(SILENCE).map(|(direction, steps)| Action::Silence { direction, steps: steps as u8 }),
            (choice(SURFACE) == 1).then_some(Action::Surface),
            way(MOVE).map(|(direction, charge)| {
                let charge = charge.checked_sub(1).map(|power| Power::ALL[power]);
                Action::Move { direction, charge: charge.filter(|&power| self.needed(power).is_some()) }
            }),
        ];
        for at in sequence(std::array::from_fn(|command| choice(TIMES + command))) {
            if let Some(action) = wanted[at].filter(|&action| boat.act(action)) {
                chain.push(action);
            }
        }
        if chain.actions().is_empty() {
            chain.push(Action::Surface);
        }
        chain.into()
    }

    fn action_of(&self, view: &View<'_>, order: &Order, action: &mut [Choice]) -> bool {
        if action.len() != Self::LAYOUT.actions.len() {
            return false;
        }
        action.fill(0);
        let chain = match order {
            Order::Place { x, y } => {
                let cell = Cell::new(*x, *y).filter(|_| view.placing);
                action[PLACE] = cell.map_or(0, |cell| 1 + place(cell) as Choice);
                return cell.is_some();
            }
            Order::Turn(chain) if !view.placing => chain,
            _ => return false,
        };
        let mut boat = Boat::new(self, view.own);
        let mut used = Vec::with_capacity(COMMANDS.len());
        for &piece in chain.actions() {
            let way = |direction: Direction, more: usize| (1 + direction as usize * FIVE + more) as Choice;
            let (component, choice) = match piece {
                Action::Move { direction, charge } => {
                    (MOVE, way(direction, charge.map_or(0, |power| 1 + power as usize)))
                }
                Action::Surface => (SURFACE, 1),
                Action::Torpedo { target: Some(cell) } => (TORPEDO, 1 + place(cell) as Choice),
                Action::Sonar { sector } => (SONAR, sector.into()),
                Action::Silence { direction, steps } if usize::from(steps) < FIVE => {
                    (SILENCE, way(direction, steps.into()))
                }
                Action::Mine { direction } => (MINE, 1 + direction as Choice),
                Action::Trigger { target: Some(cell) } => (TRIGGER, 1 + place(cell) as Choice),
                _ => return false,
            };
            // A piece that the rules skip has no part in the action.
            if boat.act(piece) {
                action[component] = choice;
                used.extend(COMMANDS.iter().position(|&command| piece.command() == Some(command)));
            }
        }
        if !used.is_sorted() {
            for (time, command) in used.iter().enumerate() {
                action[TIMES + command] = time as Choice;
            }
        }
        !used.is_empty()
    }
}

/// The parts of a submarine that decide whether its actions are possible.
struct Boat<'a> {
    game: &'a OceanOfCode,
    cell: Cell,
    visited: Sea,
    charges: [u8; 4],
    /// Mines that can be triggered.
    mines: Sea,
    /// The mine of this turn.
    fresh_mine: Option<Cell>,
}

impl<'a> Boat<'a> {
    fn new(game: &'a OceanOfCode, own: &Submarine) -> Boat<'a> {
        let Submarine { cell, visited, charges, mines, .. } = *own;
        Boat { game, cell, visited, charges, mines, fresh_mine: None }
    }

    fn is_ready(&self, power: Power) -> bool {
        self.game.needed(power).is_some_and(|needed| self.charges[power as usize] >= needed)
    }

    /// Whether the power can be ready after a MOVE.
    fn could_be_ready(&self, power: Power) -> bool {
        self.game.needed(power).is_some_and(|needed| self.charges[power as usize] + 1 >= needed)
    }

    /// Goes a step, if the cell is free.
    fn step(&mut self, direction: Direction) -> bool {
        let next = self.game.map().neighbour(self.cell, direction);
        next.is_some_and(|next| {
            let free = self.visited.insert(next.index());
            if free {
                self.cell = next;
            }
            free
        })
    }

    /// Does an action, if the rules allow it now.
    fn act(&mut self, action: Action) -> bool {
        if let Some(Command::Power(power)) = action.command()
            && !self.is_ready(power)
        {
            return false;
        }
        let (map, rules) = (self.game.map(), &self.game.rules);
        let possible = match action {
            Action::Move { direction, charge } => {
                let moved = self.step(direction);
                if let Some(power) = charge.filter(|_| moved) {
                    let needed = self.game.needed(power).unwrap_or_default();
                    let charges = &mut self.charges[power as usize];
                    *charges = needed.min(*charges + 1);
                }
                return moved;
            }
            Action::Surface => {
                self.visited = Sea::only(self.cell.index());
                return true;
            }
            Action::Torpedo { target } => {
                target.is_some_and(|target| map.reaches(self.cell, target, rules.torpedo_range))
            }
            Action::Sonar { sector } => (1..=SECTORS).contains(&sector),
            Action::Silence { direction, steps } => {
                let before = (self.cell, self.visited);
                let gone = steps <= rules.silence_steps && (0..steps).all(|_| self.step(direction));
                if !gone {
                    (self.cell, self.visited) = before;
                }
                gone
            }
            Action::Mine { direction } => {
                let cell = map.neighbour(self.cell, direction);
                let cell = cell.filter(|cell| !self.mines.contains(cell.index()));
                self.fresh_mine = cell.or(self.fresh_mine);
                cell.is_some()
            }
            Action::Trigger { target } => {
                let active =
                    |cell: &Cell| self.mines.contains(cell.index()) && self.fresh_mine != Some(*cell);
                let Some(cell) = target.filter(active) else { return false };
                self.mines.discard(cell.index());
                return true;
            }
            Action::Malformed { .. } | Action::Unknown => false,
        };
        if let Some(Command::Power(power)) = action.command().filter(|_| possible) {
            self.charges[power as usize] = 0;
        }
        possible
    }
}

fn fill(plane: &mut [u8], cells: &Sea) {
    write_cells::<WIDTH, { STRIDE as usize }, 0, _>(cells, plane);
}

/// The place of a cell in a plane.
fn place(cell: Cell) -> usize {
    usize::from(cell.y()) * WIDTH + usize::from(cell.x())
}

/// The cell at a place in a plane.
fn cell_at(place: usize) -> Cell {
    let (x, y) = ((place % WIDTH) as u8, (place / WIDTH) as u8);
    Cell::new(x, y).unwrap_or_else(|| unreachable!("a choice is below its number of choices"))
}

/// The commands, by their place in [`COMMANDS`], in the sequence of their times. No branch depends on the times, which a
/// processor cannot foresee.
fn sequence(times: [usize; COMMANDS.len()]) -> [usize; COMMANDS.len()] {
    let keys: [usize; COMMANDS.len()] =
        std::array::from_fn(|command| times[command] * COMMANDS.len() + command);
    let mut commands = [0; COMMANDS.len()];
    for (command, key) in keys.iter().enumerate() {
        let rank: usize = keys.iter().map(|other| usize::from(other < key)).sum();
        commands[rank] = command;
    }
    commands
}
