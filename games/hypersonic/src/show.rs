//! The data that the viewer draws, and the choices of a human player.

use game::{Journal, Mark, MarkKind, Seat, Seats, Show};
use serde::Serialize;

use crate::Hypersonic;
use crate::event::Event;
use crate::grid::{Cell, Direction, HEIGHT, WIDTH};
use crate::protocol::{Command, Verb};
use crate::rules::{Blast, Rules};
use crate::state::{Item, State};

/// The grid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombBoard"))]
pub struct Board {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Cells with a wall.
    pub walls: Vec<Cell>,
    /// Number of rounds after which a bomb explodes.
    pub fuse: u8,
    /// Maximum number of rounds.
    pub max_rounds: u16,
}

/// A state for the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombFrame"))]
pub struct Frame {
    /// Boxes and their contents.
    pub boxes: Vec<Stored>,
    /// Items on the floor.
    pub items: Vec<Stored>,
    /// Players by seat.
    pub players: Vec<Bomber>,
    /// Bombs, oldest first.
    pub bombs: Vec<LitBomb>,
}

/// A box that may contain an item, or an item on the floor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Stored {
    /// Cell of the box or item.
    pub cell: Cell,
    /// The item; `null` for an empty box.
    pub item: Option<Item>,
}

/// A player for the viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Bomber {
    /// Current cell; the last cell if the player is eliminated.
    pub cell: Cell,
    /// Whether the player is not eliminated.
    pub alive: bool,
    /// Number of bombs that the player can lay now.
    pub available: u16,
    /// Number of bombs that the player can have in play at the same time.
    pub bombs: u16,
    /// Range of the bombs that the player lays, their own cell included.
    pub range: u16,
    /// Number of boxes that the player scored.
    pub boxes: u16,
    /// Time of the elimination; `null` if the player is not eliminated.
    pub eliminated_at: Option<u16>,
}

/// A bomb for the viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct LitBomb {
    /// Cell of the bomb.
    pub cell: Cell,
    /// Seat of the owner.
    pub owner: u8,
    /// Range of the bomb, its own cell included.
    pub range: u16,
    /// Number of rounds until the fuse ends.
    pub fuse: u16,
    /// Number of rounds until the bomb explodes if no player acts any more. Less than `fuse` if another bomb sets it off.
    pub due: u16,
    /// Number of cells beyond its own that the bomb will hit then: left, right, up, down.
    pub reach: [u8; 4],
}

/// The choices of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombChoices"))]
pub struct Choices {
    /// Cells on which the player can be after this round: its own cell and the open neighbours.
    pub steps: Vec<Cell>,
    /// Whether the player can lay a bomb.
    pub can_bomb: bool,
}

impl Hypersonic {
    /// When each bomb in play explodes, and its reach, if no player acts any more: computed by simulation.
    fn forecast(&self, state: &State) -> Vec<LitBomb> {
        // The same game, except that no player is eliminated and it does not end before the last bomb.
        let rules = Rules {
            blast: Blast::Nobody,
            ends_when_cleared: false,
            rounds_after_last_box: None,
            max_rounds: u16::MAX,
            ..self.rules.clone()
        };
        let later = Hypersonic { rules, map: self.map };
        let mut future = *state;
        let mut lit: Vec<LitBomb> = state
            .bombs
            .iter()
            .map(|bomb| {
                let fuse = state.rounds_left(bomb);
                let (cell, owner, range) = (bomb.cell, bomb.owner, bomb.range);
                LitBomb { cell, owner, range, fuse, due: fuse, reach: [0; 4] }
            })
            .collect();
        let mut left: Vec<usize> = (0..lit.len()).collect();
        for round in 1..=u16::from(self.rules.fuse) {
            if left.is_empty() {
                break;
            }
            future.idle = u8::MAX;
            future.ended = crate::Reasons::NONE;
            let stay = |seat: Seat| {
                let cell = future.player(seat).cell;
                Ok(Command { verb: Verb::Move, x: cell.x() as i32, y: cell.y() as i32, message: None })
            };
            let orders: Vec<_> = Seats::first(self.rules.players)
                .map(|seat| future.living.contains(seat).then(|| stay(seat)))
                .collect();
            let mut journal = Journal::default();
            later.play(&mut future, &orders, &mut journal);
            for event in journal.events {
                if let Event::Explosion { owner, cell, reach, .. } = event {
                    // Bombs of one owner on one cell explode together and have the same reach unless their ranges
                    // differ.
                    let gone = left.iter().position(|&i| lit[i].cell == cell && Seat(lit[i].owner) == owner);
                    if let Some(i) = gone.map(|place| left.remove(place)) {
                        (lit[i].due, lit[i].reach) = (round, reach);
                    }
                }
            }
        }
        lit
    }
}

impl Show for Hypersonic {
    type Board = Board;
    type Frame = Frame;
    type Choices = Choices;
    type Notes = ();

    fn board(&self) -> Board {
        Board {
            width: WIDTH,
            height: HEIGHT,
            walls: self.map.walls.iter().map(Cell::of_index).collect(),
            fuse: self.rules.fuse,
            max_rounds: self.rules.max_rounds,
        }
    }

    fn notes(&self) {}

    fn frame(&self, state: &State, (): &(), _: Option<Seat>) -> Frame {
        let stored = |cell: Cell| Stored { cell, item: state.item(cell) };
        let bomber = |seat: Seat| {
            let player = state.player(seat);
            let in_play = state.bombs.iter().filter(|bomb| bomb.owner == seat.0).count() as u16;
            Bomber {
                cell: player.cell,
                alive: state.living.contains(seat),
                available: player.available,
                bombs: player.available.saturating_add(in_play),
                range: player.range,
                boxes: player.boxes,
                eliminated_at: player.eliminated_at,
            }
        };
        Frame {
            boxes: state.boxes.iter().map(Cell::of_index).map(stored).collect(),
            items: state.items.iter().copied().map(stored).collect(),
            players: Seats::first(self.rules.players).map(bomber).collect(),
            bombs: self.forecast(state),
        }
    }

    fn choices(&self, state: &State, seat: Seat) -> Choices {
        let player = state.player(seat);
        let open = self.open_cells(state);
        let mut steps = vec![player.cell];
        let sides = Direction::ALL.into_iter().filter_map(|direction| player.cell.next(direction));
        steps.extend(sides.filter(|cell| open.contains(cell.index())));
        Choices { steps, can_bomb: player.available > 0 }
    }

    fn mark(event: &Event) -> Option<Mark> {
        match event {
            Event::Eliminated { seat, .. } => Some(Mark::of(MarkKind::Kill, *seat)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game as _};

    use super::*;

    #[test]
    fn forecasts_are_correct_if_no_player_acts() {
        let mut dice = Dice::new(8);
        let mut confirmed = 0;
        for seed in 1..30 {
            let game = Hypersonic::new(Rules { blast: Blast::Nobody, ..Rules::of_version(4, 4) }, seed);
            let mut state = game.start();
            // Lay some bombs, then no player acts any more.
            for _ in 0..30 {
                let orders: Vec<_> =
                    Seats::first(4).map(|seat| Some(game.random_order(&state, seat, &mut dice))).collect();
                game.step(&mut state, &orders, &mut game::Silent);
            }
            let forecast = game.frame(&state, &(), None).bombs;
            for round in 1..=8 {
                let orders: Vec<_> = Seats::first(4)
                    .map(|seat| {
                        let cell = state.player(seat).cell;
                        let (x, y) = (cell.x() as i32, cell.y() as i32);
                        Some(Ok(Command { verb: Verb::Move, x, y, message: None }))
                    })
                    .collect();
                let mut journal = Journal::default();
                game.step(&mut state, &orders, &mut journal);
                for event in journal.events {
                    if let Event::Explosion { owner, cell, reach, .. } = event {
                        let foreseen = forecast.iter().any(|bomb| {
                            (bomb.cell, Seat(bomb.owner), bomb.due, bomb.reach) == (cell, owner, round, reach)
                        });
                        assert!(foreseen, "seed {seed}: {cell:?} in {round} rounds, {forecast:?}");
                        confirmed += 1;
                    }
                }
            }
        }
        assert!(confirmed > 40, "{confirmed}");
    }

    #[test]
    fn a_chain_is_due_with_its_first_bomb() {
        let game = Hypersonic::new(Rules { boxes: Some(0), bombs: 2, ..Rules::FULL }, 1);
        let mut state = game.start();
        for line in ["BOMB 1 0", "BOMB 2 0", "MOVE 2 0"] {
            let orders = [Some(crate::parse(line.as_bytes())), Some(crate::parse(b"MOVE 12 10"))];
            game.step(&mut state, &orders, &mut game::Silent);
        }
        let frame = game.frame(&state, &(), None);
        assert_eq!(frame.bombs.iter().map(|bomb| bomb.fuse).collect::<Vec<_>>(), [6, 7]);
        assert_eq!(frame.bombs.iter().map(|bomb| bomb.due).collect::<Vec<_>>(), [6, 6]);
        assert_eq!(frame.bombs[0].reach, [0, 1, 0, 2], "the second bomb stops its ray");
        assert_eq!(frame.players[0].bombs, 2);
        let choices = game.choices(&state, Seat(0));
        assert_eq!(choices.steps[0], Cell::at(2, 0));
        assert!(!choices.can_bomb);
    }
}
