//! The data that the viewer draws, and the choices of a human player.

use game::{Mark, MarkKind, Seat, Show};
use serde::Serialize;

use crate::BackTrack;
use crate::event::{Event, Spot, spot};
use crate::grid::Cells;
use crate::links;
use crate::map::Map;
use crate::state::State;

/// The map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailBoard"))]
pub struct Board {
    /// Cells in a row.
    pub width: u8,
    /// Cells in a column.
    pub height: u8,
    /// Terrain by cell, row by row: `0` plains, `1` river, `2` mountain, `3` place of interest.
    pub terrain: String,
    /// Region by cell, row by row.
    pub regions: Vec<u8>,
    /// Number of regions.
    pub region_count: u8,
    /// Towns by id.
    pub towns: Vec<Station>,
    /// Instability at which a region is inked.
    pub ink_threshold: u8,
    /// Paint that each player gets per turn.
    pub paint: u8,
    /// Cost of a track, by terrain.
    pub costs: [u8; 4],
    /// Maximum number of turns.
    pub max_turns: u16,
}

/// A town for the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Station {
    /// Cell of the town.
    pub cell: Spot,
    /// Ids of the towns to which this town wants to be connected.
    pub wishes: Vec<u8>,
}

/// A state for the viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailFrame"))]
pub struct Frame {
    /// Owner of the track by cell, row by row: `.` no track, `0` player 0, `1` player 1, `2` neutral.
    pub tracks: String,
    /// Instability by region.
    pub instability: Vec<u8>,
    /// Ids of the inked regions.
    pub inked: Vec<u8>,
    /// The active connections.
    pub links: Vec<Link>,
    /// Points per turn from all active connections, by seat.
    pub points: [u32; 2],
    /// Whether the player achieved the side quest, by seat.
    pub side_quest: [bool; 2],
}

/// An active connection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Link {
    /// Id of the town that wants the connection.
    pub from: u8,
    /// Id of the town to which it wants to be connected.
    pub to: u8,
    /// Points per turn, by seat.
    pub points: [u16; 2],
    /// Cells of the path, both towns included.
    pub path: Vec<Spot>,
}

/// The choices of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailChoices"))]
pub struct Choices {
    /// Cost of a track by cell, row by row; `.` if no track can be placed there.
    pub costs: String,
    /// Paint to spend.
    pub paint: u8,
    /// Ids of the regions that can be disrupted; empty if the rules have no disruption.
    pub disruptable: Vec<u8>,
}

fn letters(map: &Map, letter: impl Fn(usize) -> char) -> String {
    map.cells().map(letter).collect()
}

fn digit(number: u8) -> char {
    char::from(b'0' + number.min(9))
}

impl Show for BackTrack {
    type Board = Board;
    type Frame = Frame;
    type Choices = Choices;
    type Notes = ();

    fn board(&self) -> Board {
        let (map, rules) = (self.map(), &self.rules);
        let station = |town: &crate::Town| Station {
            cell: spot(usize::from(town.cell)),
            wishes: Map::ids(u64::from(town.desires)).map(|id| id as u8).collect(),
        };
        Board {
            width: map.width,
            height: map.height,
            terrain: letters(map, |cell| digit(map.terrain(cell) as u8)),
            regions: map.cells().map(|cell| map.regions[cell]).collect(),
            region_count: map.region_count,
            towns: map.towns().iter().map(station).collect(),
            ink_threshold: rules.ink_threshold,
            paint: rules.paint,
            costs: [rules.plains_cost, rules.river_cost, rules.mountain_cost, rules.place_of_interest_cost],
            max_turns: rules.max_turns,
        }
    }

    fn notes(&self) {}

    fn frame(&self, state: &State, (): &(), _: Option<Seat>) -> Frame {
        let map = self.map();
        let active = map.wishes().iter().enumerate().filter(|(i, _)| state.links.active >> i & 1 != 0);
        let link = |(i, wish): (usize, &crate::Wish)| {
            let path = links::path(map, &state.tracks, wish.from.into(), wish.to.into());
            Link {
                from: wish.from,
                to: wish.to,
                points: state.links.points_of[i],
                path: path.into_iter().map(spot).collect(),
            }
        };
        Frame {
            tracks: letters(map, |cell| u8::try_from(state.owner(cell)).map_or('.', digit)),
            instability: state.instability[..usize::from(map.region_count)].to_vec(),
            inked: Map::ids(state.inked).map(|region| region as u8).collect(),
            links: active.map(link).collect(),
            points: state.links.points,
            side_quest: state.side_quest,
        }
    }

    fn choices(&self, state: &State, _: Seat) -> Choices {
        let map = self.map();
        let free: Cells = state.free(map);
        let disruptable = if self.rules.disruption > 0 { state.disruptable(&self.rules, map) } else { 0 };
        let cost = |cell| if free.contains(cell) { digit(map.costs[cell]) } else { '.' };
        Choices {
            costs: letters(map, cost),
            paint: self.rules.paint,
            disruptable: Map::ids(disruptable).map(|region| region as u8).collect(),
        }
    }

    fn mark(event: &Event) -> Option<Mark> {
        match event {
            Event::Inked { .. } => Some(Mark { kind: MarkKind::Ink, seat: None }),
            Event::Connected { points, .. } => {
                let seat = (points[0] != points[1]).then(|| Seat(u8::from(points[1] > points[0])));
                Some(Mark { kind: MarkKind::Link, seat })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game as _, Selected, Silent};

    use super::*;

    #[test]
    fn a_frame_matches_its_state() {
        let rules = BackTrack::rule_set(Selected { league: 3, edition: "statement", players: 2 });
        let game = BackTrack::new(rules, 4);
        let mut dice = Dice::new(1);
        let mut state = game.start();
        let mut links = 0;
        while !game.to_act(&state).is_empty() {
            let orders = [0, 1].map(|seat| Some(game.random_order(&state, Seat(seat), &mut dice)));
            game.step(&mut state, &orders, &mut Silent);
            let frame = game.frame(&state, &(), None);
            for (letter, cell) in frame.tracks.chars().zip(game.map().cells()) {
                let owner = state.owner(cell);
                assert_eq!(letter.to_digit(10).map_or(-1, |digit| digit as i8), owner);
            }
            let sum =
                |player: usize| frame.links.iter().map(|link| u32::from(link.points[player])).sum::<u32>();
            assert_eq!([sum(0), sum(1)], frame.points);
            assert!(frame.links.iter().all(|link| link.path.len() >= 2));
            assert_eq!(frame.inked.len() as u32, state.inked.count_ones());
            links += frame.links.len();
        }
        assert!(links > 0);
    }

    #[test]
    fn every_choice_is_allowed() {
        let rules = BackTrack::rule_set(Selected { league: 3, edition: "statement", players: 2 });
        let game = BackTrack::new(rules, 9);
        let state = game.start();
        let choices = game.choices(&state, Seat(0));
        let width = usize::from(game.map().width);
        for (i, cost) in choices.costs.chars().enumerate() {
            let line = format!("PLACE_TRACKS {} {}", i % width, i / width);
            let order = crate::Order::read(line.as_bytes());
            assert_eq!(game.check(&state, Seat(0), &order).is_empty(), cost != '.', "{line}");
        }
        for region in choices.disruptable {
            let order = crate::Order::read(format!("DISRUPT {region}").as_bytes());
            assert_eq!(game.check(&state, Seat(0), &order), []);
        }
    }
}
