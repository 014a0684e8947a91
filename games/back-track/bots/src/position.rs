//! Reads the questions for all bots of this game. A bot itself is a [`Strategy`]: it is given a position and returns an order.

use back_track::grid::{Cells, SPAN, cell};
use back_track::{
    BackTrack, Links, MAX_REGIONS, MAX_TOWNS, MAX_WISHES, Map, Order, Rules, State, Town, Wish,
};
use game::Game;

use super::side_quest;
use bots::{Budget, Lines, Lost, Mind, Seating};

/// A bot that is given the position and returns an order.
pub(super) trait Strategy: Send {
    /// The answer to a position.
    fn order(&mut self, position: &Position, budget: Budget) -> Order;
}

/// A bot with a strategy.
pub(super) fn seat(seating: &Seating, strategy: impl Strategy + 'static) -> Box<dyn Mind> {
    Box::new(Reader { rules: BackTrack::rule_set(seating.selected), position: None, strategy })
}

/// What a bot knows: rules, map and board. The game hides nothing.
pub(super) struct Position {
    /// Rules and map.
    pub(super) game: BackTrack,
    /// The board as the last question showed it.
    pub(super) state: State,
    /// The bot's own seat.
    pub(super) me: usize,
}

struct Reader<S> {
    rules: Rules,
    position: Option<Position>,
    strategy: S,
}

impl<S: Strategy> Mind for Reader<S> {
    fn answer(&mut self, lines: &mut Lines<'_>, budget: Budget) -> Result<Vec<u8>, Lost> {
        let position = match &mut self.position {
            Some(position) => {
                position.state.turns += 1;
                position
            }
            none => none.insert(read_start(self.rules.clone(), lines)?),
        };
        read_turn(position, lines)?;
        // The question does not say whether the side quest is done. Once done, it stays done.
        let rules = position.game.rules();
        position.state.side_quest[position.me] |= rules.side_quest && side_quest::is_done(position);
        Ok(self.strategy.order(position, budget).write())
    }
}

/// A number that must be below `end`.
fn below(number: i32, end: usize, expected: &'static str) -> Result<usize, Lost> {
    usize::try_from(number)
        .ok()
        .filter(|&number| number < end)
        .ok_or_else(|| Lost::Misread { expected, line: number.to_string() })
}

/// Rules, section 7: the lines before the first turn.
fn read_start(rules: Rules, lines: &mut Lines<'_>) -> Result<Position, Lost> {
    let [me] = lines.next_numbers("the index of a player")?;
    let me = below(me, 2, "the index of a player")?;
    let [width] = lines.next_numbers("the width of the map")?;
    let [height] = lines.next_numbers("the height of the map")?;
    // The grid of the game's crate has room for this size.
    let width = below(width, 31, "a width up to 30")?;
    let height = below(height, 21, "a height up to 20")?;
    let mut map = Map {
        width: width as u8,
        height: height as u8,
        board: Cells::EMPTY,
        terrains: [Cells::EMPTY; 4],
        costs: [0; SPAN],
        regions: [0; SPAN],
        region_count: 0,
        region_cells: [Cells::EMPTY; MAX_REGIONS],
        town_regions: 0,
        town_cells: Cells::EMPTY,
        town_count: 0,
        towns: [Town::default(); MAX_TOWNS],
        wish_count: 0,
        wishes: [Wish::default(); MAX_WISHES],
    };
    let costs = [rules.plains_cost, rules.river_cost, rules.mountain_cost, rules.place_of_interest_cost];
    for y in 0..height {
        for x in 0..width {
            let expected = "region and terrain of a cell";
            let [region, terrain] = lines.next_numbers(expected)?;
            let region = below(region, MAX_REGIONS - 1, expected)?;
            let terrain = below(terrain, 4, expected)?;
            let here = cell(x, y);
            map.board.add(here);
            map.terrains[terrain].add(here);
            map.costs[here] = costs[terrain];
            map.regions[here] = region as u8;
            map.region_cells[region].add(here);
            map.region_count = map.region_count.max(region as u8 + 1);
        }
    }
    read_towns(&mut map, lines)?;
    let game = BackTrack::on(rules, map);
    let state = game.start();
    Ok(Position { game, state, me })
}

fn read_towns(map: &mut Map, lines: &mut Lines<'_>) -> Result<(), Lost> {
    let expected = "a town: id, column, row, the towns it desires";
    let [count] = lines.next_numbers("the number of towns")?;
    let count = below(count, MAX_TOWNS + 1, "the number of towns")?;
    map.town_count = count as u8;
    for id in 0..count {
        let line = lines.next_line()?;
        let town = read_town(map, id, line);
        let Some((here, desires)) = town else {
            return Err(Lost::Misread { expected, line: line.to_owned() });
        };
        map.town_cells.add(here);
        map.town_regions |= 1 << map.regions[here];
        map.towns[id] = Town { cell: here as u16, desires, desired_by: 0, first_wish: map.wish_count };
        for to in Map::ids(u64::from(desires)) {
            map.wishes[usize::from(map.wish_count)] = Wish { from: id as u8, to: to as u8 };
            map.wish_count += 1;
        }
    }
    for id in 0..count {
        for to in Map::ids(u64::from(map.towns[id].desires)) {
            map.towns[to].desired_by |= 1 << id;
        }
    }
    Ok(())
}

/// The cell of a town and the towns it desires; `None` if the line is not that of the town `id`.
fn read_town(map: &Map, id: usize, line: &str) -> Option<(usize, u16)> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || words.next()?.parse::<u32>().ok();
    if number()? as usize != id {
        return None;
    }
    let here = map.cell_at(number()?, number()?)?;
    let mut desires = 0;
    let wishes = words.next()?;
    if wishes != "x" {
        for to in wishes.split(',') {
            let to: usize = to.parse().ok()?;
            // Of two towns only one desires the other, so there is room for all wishes.
            let mutual = to < id && map.towns[to].desires >> id & 1 != 0;
            if to == id || to >= usize::from(map.town_count) || mutual {
                return None;
            }
            desires |= 1 << to;
        }
    }
    (words.next().is_none() && !map.town_cells.contains(here)).then_some((here, desires))
}

/// Rules, section 7: the lines of a turn.
fn read_turn(position: &mut Position, lines: &mut Lines<'_>) -> Result<(), Lost> {
    let Position { game, state, me } = position;
    let map = game.map();
    [state.scores[*me]] = lines.next_numbers("the own score")?;
    [state.scores[1 - *me]] = lines.next_numbers("the opponent's score")?;
    state.tracks = [Cells::EMPTY; 3];
    state.inked = 0;
    for here in map.cells() {
        let line = lines.next_line()?;
        let Some((owner, instability, inked)) = read_cell(line) else {
            let expected = "a cell: owner, instability, inked, connections";
            return Err(Lost::Misread { expected, line: line.to_owned() });
        };
        if let Some(tracks) = usize::try_from(owner).ok().and_then(|owner| state.tracks.get_mut(owner)) {
            tracks.add(here);
        }
        let region = usize::from(map.regions[here]);
        state.instability[region] = instability;
        state.inked |= u64::from(inked) << region;
    }
    state.inked_cells =
        Map::ids(state.inked).fold(Cells::EMPTY, |all, region| all | map.region_cells[region]);
    state.links = Links::of(map, &state.tracks);
    Ok(())
}

fn read_cell(line: &str) -> Option<(i8, u8, bool)> {
    let mut words = line.split_ascii_whitespace();
    let owner: i8 = words.next()?.parse().ok().filter(|owner| (-1..3).contains(owner))?;
    // A number that a byte cannot hold is beyond every threshold.
    let instability: u32 = words.next()?.parse().ok()?;
    let inked = match words.next()? {
        "0" => false,
        "1" => true,
        _ => return None,
    };
    // The connections follow from the tracks.
    words.next()?;
    Some((owner, instability.min(100) as u8, inked))
}
