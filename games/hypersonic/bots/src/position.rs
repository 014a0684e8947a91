//! Reads the lines of a question and makes a state of the game from them.

use game::{Game, Seat, Seats, Selected, Silent};
use hypersonic::{AREA, Bomb, Cell, CellSet, Explosions, HEIGHT, Hypersonic, List, Map, Rules, State, WIDTH};

use bots::{Lines, Lost};

/// The game as one player sees it, which is all of it: nothing is hidden.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// Rules and walls.
    pub(super) game: Hypersonic,
    /// The state at the start of the round.
    pub(super) state: State,
    /// The seat of the bot.
    pub(super) me: Seat,
}

impl Position {
    /// The other players that are still in the game.
    pub(super) fn opponents(&self) -> Seats {
        let mut others = self.state.living;
        others.discard(self.me);
        others
    }
}

/// What an action does: lays a bomb or not, then goes to a neighbour or stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Action {
    /// Whether it lays a bomb.
    pub(super) bomb: bool,
    /// Where the player stands afterwards.
    pub(super) to: Cell,
}

/// Reads questions, and keeps track of values that they do not contain: the scores, and the rounds without progress.
#[derive(Clone, Debug)]
pub(super) struct PositionReader {
    rules: Rules,
    position: Option<Position>,
}

/// A greater number in the input is refused.
const MOST: i32 = 1000;

impl PositionReader {
    /// Before the first question.
    pub(super) fn new(selected: Selected) -> PositionReader {
        PositionReader { rules: Hypersonic::rule_set(selected), position: None }
    }

    /// Reads a question.
    pub(super) fn read(&mut self, lines: &mut Lines<'_>) -> Result<&Position, Lost> {
        let me = match &self.position {
            Some(position) => position.me,
            None => read_init(lines, &self.rules)?,
        };
        let map = read_map(lines)?;
        let game = Hypersonic { rules: self.rules.clone(), map };
        let mut state = State::start(&self.rules, &game.map);
        self.read_entities(lines, &mut state)?;
        if let Some(before) = &self.position {
            carry_on(before, &mut state);
        }
        Ok(self.position.insert(Position { game, state, me }))
    }

    fn read_entities(&self, lines: &mut Lines<'_>, state: &mut State) -> Result<(), Lost> {
        const EXPECTED: &str = "an entity: type, owner, x, y and two parameters";
        let [count] = lines.next_numbers("the number of entities")?;
        let round = self.position.as_ref().map_or(0, |before| before.state.round + 1);
        state.round = round.min(self.rules.max_rounds.saturating_sub(1));
        state.living = Seats::NONE;
        let most_bombs = usize::from(self.rules.players) * usize::from(self.rules.fuse);
        for _ in 0..count {
            let numbers: [i32; 6] = lines.next_numbers(EXPECTED)?;
            let misread =
                || Lost::Misread { expected: EXPECTED, line: numbers.map(|n| n.to_string()).join(" ") };
            let [kind, owner, x, y, first, second] = numbers;
            let cell = Cell::on_grid(x, y).ok_or_else(misread)?;
            let is_seat = (0..i32::from(self.rules.players)).contains(&owner);
            let fits = (0..=MOST).contains(&first) && (0..=MOST).contains(&second);
            if !is_seat || !fits {
                return Err(misread());
            }
            match kind {
                0 => {
                    let seat = Seat(owner as u8);
                    let player = &mut state.players[seat.index()];
                    (player.cell, player.available, player.range) = (cell, first as u16, second as u16);
                    state.living.add(seat);
                }
                1 if state.bombs.len() < most_bombs && first <= i32::from(self.rules.fuse) => {
                    let due = state.round + first as u16;
                    state.bombs.push(Bomb { cell, owner: owner as u8, range: second as u16, due });
                    state.bomb_cells.add(cell.index());
                }
                2 if state.items.len() < AREA && !state.boxes.contains(cell.index()) => {
                    let items = if first == 1 { &mut state.extra_ranges } else { &mut state.extra_bombs };
                    items.add(cell.index());
                    state.items.push(cell);
                }
                _ => return Err(misread()),
            }
        }
        for seat in Seats::first(self.rules.players) {
            if !state.living.contains(seat) {
                state.players[seat.index()].eliminated_at = Some(state.round);
            }
        }
        Ok(())
    }
}

/// Completes a state with values that follow from the state before it.
fn carry_on(before: &Position, state: &mut State) {
    let Position { game, state: before, .. } = before;
    let mut moved = false;
    for (player, earlier) in state.players.iter_mut().zip(&before.players) {
        player.boxes = earlier.boxes;
        player.eliminated_at = earlier.eliminated_at.or(player.eliminated_at);
        if player.eliminated_at.is_some() {
            player.cell = earlier.cell;
        }
        moved |= player.cell != earlier.cell;
    }
    if let Some(explosions) = Explosions::of(&game.rules, &game.map, before, before.round + 1, &mut Silent) {
        for (player, boxes) in state.players.iter_mut().zip(&explosions.boxes_by) {
            player.boxes += boxes.len() as u16;
        }
    }
    let progress = moved || !before.bombs.is_empty() || !state.bombs.is_empty();
    // The counters reach zero only when the game ends; a question means that it has not ended.
    state.idle = if progress { game.rules.idle_rounds } else { before.idle.saturating_sub(1).max(1) };
    state.extra = if state.boxes.is_empty() { before.extra.saturating_sub(1).max(1) } else { before.extra };
}

fn read_init(lines: &mut Lines<'_>, rules: &Rules) -> Result<Seat, Lost> {
    const EXPECTED: &str = "width, height and our id";
    let numbers: [i32; 3] = lines.next_numbers(EXPECTED)?;
    let [width, height, id] = numbers;
    let is_known =
        (width, height) == (WIDTH as i32, HEIGHT as i32) && (0..i32::from(rules.players)).contains(&id);
    if !is_known {
        return Err(Lost::Misread { expected: EXPECTED, line: numbers.map(|n| n.to_string()).join(" ") });
    }
    Ok(Seat(id as u8))
}

/// The rows of the grid.
fn read_map(lines: &mut Lines<'_>) -> Result<Map, Lost> {
    const EXPECTED: &str = "a row of the grid";
    let none = CellSet::EMPTY;
    let mut map = Map { walls: none, boxes: none, extra_ranges: none, extra_bombs: none };
    for y in 0..HEIGHT {
        let row = lines.next_line()?;
        let misread = || Lost::Misread { expected: EXPECTED, line: row.to_owned() };
        if row.len() != WIDTH {
            return Err(misread());
        }
        for (x, letter) in row.bytes().enumerate() {
            let cell = Cell::at(x, y).index();
            match letter {
                b'.' => {}
                b'X' => map.walls.add(cell),
                b'0' => map.boxes.add(cell),
                b'1' => {
                    map.boxes.add(cell);
                    map.extra_ranges.add(cell);
                }
                b'2' => {
                    map.boxes.add(cell);
                    map.extra_bombs.add(cell);
                }
                _ => return Err(misread()),
            }
        }
    }
    Ok(map)
}

impl Action {
    /// The answer as bots write it.
    pub(super) fn line(self) -> Vec<u8> {
        let verb = if self.bomb { "BOMB" } else { "MOVE" };
        format!("{verb} {} {}", self.to.x(), self.to.y()).into_bytes()
    }
}

/// A list of the actions of one player.
pub(super) type Actions = List<Action, 10>;

impl Default for Action {
    fn default() -> Action {
        Action { bomb: false, to: Cell::at(0, 0) }
    }
}
