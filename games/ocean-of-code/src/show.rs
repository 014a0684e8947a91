//! The data that the viewer draws, and the choices of a human player.

use game::{Game, Mark, MarkKind, Seat, Show};
use serde::Serialize;

use crate::OceanOfCode;
use crate::event::Event;
use crate::grid::{Cell, Direction, SECTOR_SIZE, SIZE, Sea};
use crate::order::Power;
use crate::state::{Phase, ShownAction, State, Submarine};
use crate::track::Tracks;

/// The sea.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SeaBoard"))]
pub struct Board {
    /// Width and height of the map.
    pub size: u8,
    /// Width and height of a sector.
    pub sector_size: u8,
    /// Rows of the map: `x` for an island, `.` for water.
    pub rows: Vec<String>,
    /// Lives of each submarine at the start.
    pub lives: u8,
    /// Number of charges needed for torpedo, sonar, silence and mine; `null` if the league does not have the power.
    pub needed: [Option<u8>; 4],
}

/// A state for the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SeaFrame"))]
pub struct Frame {
    /// The submarines by seat.
    pub submarines: [Boat; 2],
}

/// A submarine for the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Boat {
    /// Cell of the submarine; `null` before the placement, or if it is hidden from the viewer.
    pub cell: Option<Cell>,
    /// Lives; -1 if the player is disqualified.
    pub lives: i8,
    /// Charges of torpedo, sonar, silence and mine; `null` before the placement, or if they are hidden from the viewer.
    pub charges: Option<[u8; 4]>,
    /// Cells visited since the start or the last SURFACE.
    pub trail: Rows,
    /// Cells of the mines that can be triggered.
    pub mines: Vec<Cell>,
    /// Cell of the mine laid in the latest turn, which cannot be triggered yet.
    pub fresh_mine: Option<Cell>,
    /// The actions of the latest turn in the form that the opponent sees.
    pub shown: String,
    /// Possible cells of the submarine, derived only from public actions and lives.
    pub possible: Rows,
}

/// A set of cells: one number per row; bit `x` is set if the cell in column `x` is in the set.
pub type Rows = [u16; SIZE as usize];

/// The choices of a player.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SeaChoices"))]
pub struct Choices {
    /// Possible start cells; `null` after the placement.
    pub start: Option<Rows>,
    /// Directions in which the submarine can move.
    pub moves: Vec<Direction>,
    /// Powers that can be charged.
    pub powers: Vec<Power>,
    /// Powers that can be used now.
    pub ready: Vec<Power>,
    /// Possible targets of a torpedo.
    pub targets: Rows,
    /// Maximum number of steps of a silent move: north, south, east, west.
    pub silence: [u8; 4],
    /// Sides of the submarine on which a mine can be laid.
    pub mine_sides: Vec<Direction>,
    /// Cells of the mines that can be triggered.
    pub triggers: Vec<Cell>,
}

fn rows(cells: &Sea) -> Rows {
    let mut rows = Rows::default();
    for cell in cells.iter().map(Cell::from_index) {
        rows[cell.y() as usize] |= 1 << cell.x();
    }
    rows
}

fn list(cells: &Sea) -> Vec<Cell> {
    cells.iter().map(Cell::from_index).collect()
}

fn shown(submarine: &Submarine) -> String {
    let written = submarine.shown.actions().iter().map(|action| match action {
        ShownAction::Move(direction) => format!("MOVE {}", direction.letter()),
        ShownAction::Surface(sector) => format!("SURFACE {sector}"),
        ShownAction::Torpedo(cell) => format!("TORPEDO {} {}", cell.x(), cell.y()),
        ShownAction::Sonar(sector) => format!("SONAR {sector}"),
        ShownAction::Silence => "SILENCE".to_owned(),
        ShownAction::Mine => "MINE".to_owned(),
        ShownAction::Trigger(cell) => format!("TRIGGER {} {}", cell.x(), cell.y()),
    });
    written.collect::<Vec<_>>().join("|")
}

impl Show for OceanOfCode {
    type Board = Board;
    type Frame = Frame;
    type Choices = Choices;
    type Notes = Tracks;

    fn board(&self) -> Board {
        Board {
            size: SIZE,
            sector_size: SECTOR_SIZE,
            rows: self.map().rows().collect(),
            lives: self.rules().lives,
            needed: Power::ALL.map(|power| self.needed(power)),
        }
    }

    fn notes(&self) -> Tracks {
        Tracks::new()
    }

    fn take_note(&self, notes: &mut Tracks, before: &State, after: &State) {
        notes.follow(self, before, after);
    }

    fn frame(&self, state: &State, notes: &Tracks, only_for: Option<Seat>) -> Frame {
        let placed = |seat: Seat| !matches!(state.phase, Phase::Placement(next) if next <= seat);
        let boat = |seat: Seat| {
            let submarine = state.submarine(seat);
            let is_seen = only_for.is_none_or(|viewer| viewer == seat) && placed(seat);
            let seen = |cells: Sea| if is_seen { cells } else { Sea::EMPTY };
            Boat {
                cell: is_seen.then_some(submarine.cell),
                lives: submarine.lives,
                charges: is_seen.then_some(submarine.charges),
                trail: rows(&seen(submarine.visited)),
                mines: list(&seen(submarine.active_mines())),
                fresh_mine: submarine.fresh_mine.filter(|_| is_seen),
                shown: shown(submarine),
                possible: rows(&notes.cells(seat)),
            }
        };
        Frame { submarines: [boat(Seat(0)), boat(Seat(1))] }
    }

    fn choices(&self, state: &State, seat: Seat) -> Choices {
        if let Phase::Placement(_) = state.phase {
            return Choices { start: Some(rows(self.map().water())), ..Choices::default() };
        }
        let submarine = state.submarine(seat);
        let free = |cell: Cell, direction| {
            self.map().neighbour(cell, direction).filter(|next| !submarine.visited.contains(next.index()))
        };
        let silence = Direction::ALL.map(|direction| {
            let most = self.rules().silence_steps;
            let steps = std::iter::successors(free(submarine.cell, direction), |&cell| free(cell, direction));
            steps.take(most.into()).count() as u8
        });
        let can_mine = |direction: &Direction| {
            let side = self.map().neighbour(submarine.cell, *direction);
            side.is_some_and(|cell| !submarine.mines.contains(cell.index()))
        };
        Choices {
            start: None,
            moves: Direction::ALL.into_iter().filter(|&to| free(submarine.cell, to).is_some()).collect(),
            powers: self.rules().powers().collect(),
            ready: self.rules().powers().filter(|&power| submarine.is_ready(self.rules(), power)).collect(),
            targets: rows(&self.map().reach(submarine.cell, self.rules().torpedo_range)),
            silence,
            mine_sides: Direction::ALL.into_iter().filter(can_mine).collect(),
            // The mine of the latest turn becomes active when the answer arrives.
            triggers: list(&submarine.mines),
        }
    }

    /// A player knows its own actions, the explosions, and the end.
    fn is_secret(event: &Event, seat: Seat) -> bool {
        match event {
            Event::Turn { .. }
            | Event::Explosion { .. }
            | Event::Disqualified { .. }
            | Event::Over { .. } => false,
            Event::Placed { seat: by, .. }
            | Event::Message { seat: by, .. }
            | Event::Moved { seat: by, .. }
            | Event::Surfaced { seat: by, .. }
            | Event::Torpedo { seat: by, .. }
            | Event::Sonar { seat: by, .. }
            | Event::Silence { seat: by, .. }
            | Event::Mine { seat: by, .. }
            | Event::Trigger { seat: by, .. } => *by != seat,
        }
    }

    fn mark(event: &Event) -> Option<Mark> {
        match event {
            Event::Explosion { damage, lives, .. } => {
                let hit = (0..2).find(|&seat| damage[usize::from(seat)] > 0)?;
                // If both are hit, the view points at the sunk submarine.
                let sunk =
                    (0..2).find(|&seat| damage[usize::from(seat)] > 0 && lives[usize::from(seat)] <= 0);
                Some(match sunk {
                    Some(seat) => Mark::of(MarkKind::Kill, Seat(seat)),
                    None => Mark::of(MarkKind::Hit, Seat(hit)),
                })
            }
            Event::Disqualified { seat } => Some(Mark::of(MarkKind::Kill, *seat)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Silent};

    use super::*;
    use crate::Rules;

    #[test]
    fn a_frame_for_a_player_hides_the_opponent() {
        let game = OceanOfCode::new(Rules::FULL, 3);
        let mut dice = Dice::new(1);
        let mut state = game.start();
        let mut notes = game.notes();
        for _ in 0..40 {
            let Some(seat) = state.to_act().next() else { break };
            let before = state;
            let mut orders = [None, None];
            orders[seat.index()] = Some(game.random_order(&state, seat, &mut dice));
            game.step(&mut state, &orders, &mut Silent);
            game.take_note(&mut notes, &before, &state);
        }
        let all = game.frame(&state, &notes, None);
        let mine = game.frame(&state, &notes, Some(Seat(0)));
        assert_eq!(all.submarines[0], mine.submarines[0]);
        let hidden = &mine.submarines[1];
        assert_eq!((hidden.cell, hidden.charges, &hidden.mines), (None, None, &vec![]));
        assert_eq!(hidden.trail, Rows::default());
        assert_eq!(hidden.shown, all.submarines[1].shown);
        assert_eq!(hidden.possible, all.submarines[1].possible);
    }

    #[test]
    fn every_choice_is_allowed() {
        let game = OceanOfCode::new(Rules::FULL, 3);
        let mut dice = Dice::new(2);
        let mut state = game.start();
        let mut tried = 0;
        while let Some(seat) = state.to_act().next() {
            let choices = game.choices(&state, seat);
            let check = |line: String| {
                let order = OceanOfCode::parse(&game.view(&state, seat), line.as_bytes());
                assert_eq!(game.check(&state, seat, &order), [], "{line}");
            };
            for direction in &choices.moves {
                check(format!("MOVE {}", direction.letter()));
            }
            if choices.start.is_none() {
                if choices.ready.contains(&Power::Silence) {
                    for (direction, steps) in Direction::ALL.iter().zip(choices.silence) {
                        check(format!("SILENCE {} {steps}", direction.letter()));
                    }
                }
                if choices.ready.contains(&Power::Mine) {
                    for direction in &choices.mine_sides {
                        check(format!("MINE {}", direction.letter()));
                    }
                }
                for mine in &choices.triggers {
                    check(format!("TRIGGER {} {}", mine.x(), mine.y()));
                    tried += 1;
                }
            }
            let mut orders = [None, None];
            orders[seat.index()] = Some(game.random_order(&state, seat, &mut dice));
            game.step(&mut state, &orders, &mut Silent);
        }
        assert!(tried > 10, "{tried}");
    }
}
