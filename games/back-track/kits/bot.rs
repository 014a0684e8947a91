// Back Track: a starter bot.
//
// It lays tracks for the wish that costs the least paint, turn after turn until it is connected, then for the next one.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, use eprintln!, which writes to the standard error output.

use std::io;

const NO_TRACK: i32 = -1;
/// For a track on plains, a river, a mountain, a place of interest.
const PAINT: [usize; 4] = [1, 2, 3, 3];

// ---- Reading ----

#[allow(dead_code)]
struct Cell {
    region_id: i32,
    kind: usize,
    town: bool,
    // What changes from turn to turn:
    /// -1, or the player 0 or 1, or 2: neutral.
    track_owner: i32,
    /// Of the whole region.
    instability: i32,
    inked: bool,
    /// "1-2": it is on the way from town 1 to the town 2 it wants.
    connections: Vec<String>,
}

struct Town {
    id: usize,
    x: usize,
    y: usize,
    /// Ids of other towns.
    wants: Vec<usize>,
}

struct Game {
    my_id: i32,
    width: usize,
    height: usize,
    /// Row by row: `(x, y)` is at `y * width + x`.
    cells: Vec<Cell>,
    towns: Vec<Town>,
    my_score: i32,
    foe_score: i32,
}

impl Game {
    fn index(&self, town: &Town) -> usize {
        town.y * self.width + town.x
    }
}

fn read_line() -> String {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        std::process::exit(0); // The input has ended: the game is over.
    }
    line.trim_end().to_string()
}

fn read_number() -> i32 {
    read_line().parse().unwrap()
}

fn read_list(text: &str) -> Vec<String> {
    text.split(',').filter(|&piece| piece != "x").map(String::from).collect()
}

fn read_cell() -> Cell {
    let line = read_line();
    let (region_id, kind) = line.split_once(' ').unwrap();
    Cell {
        region_id: region_id.parse().unwrap(),
        kind: kind.parse().unwrap(),
        town: false,
        track_owner: NO_TRACK,
        instability: 0,
        inked: false,
        connections: Vec::new(),
    }
}

fn read_town() -> Town {
    let line = read_line();
    let words: Vec<&str> = line.split(' ').collect();
    Town {
        id: words[0].parse().unwrap(),
        x: words[1].parse().unwrap(),
        y: words[2].parse().unwrap(),
        wants: read_list(words[3]).iter().map(|id| id.parse().unwrap()).collect(),
    }
}

fn read_game() -> Game {
    let my_id = read_number();
    let (width, height) = (read_number() as usize, read_number() as usize);
    let mut cells: Vec<Cell> = (0..width * height).map(|_| read_cell()).collect();
    let towns: Vec<Town> = (0..read_number()).map(|_| read_town()).collect();
    for town in &towns {
        cells[town.y * width + town.x].town = true;
    }
    Game { my_id, width, height, cells, towns, my_score: 0, foe_score: 0 }
}

fn read_turn(game: &mut Game) {
    game.my_score = read_number();
    game.foe_score = read_number();
    for cell in &mut game.cells {
        let line = read_line();
        let words: Vec<&str> = line.split(' ').collect();
        cell.track_owner = words[0].parse().unwrap();
        cell.instability = words[1].parse().unwrap();
        cell.inked = words[2] == "1";
        cell.connections = read_list(words[3]);
    }
}

// ---- Thinking ----

/// What it costs to go on through this cell; `None` where no track can be laid.
fn paint_for(cell: &Cell) -> Option<usize> {
    if cell.town || cell.track_owner != NO_TRACK {
        Some(0)
    } else if cell.inked {
        None
    } else {
        Some(PAINT[cell.kind])
    }
}

/// The paint that a way from this town to each cell costs, as AUTOPLACE would lay it.
fn paint_from(game: &Game, town: &Town) -> Vec<Option<usize>> {
    let mut paint = vec![None; game.cells.len()];
    // waiting[p]: cells that can be reached for p points of paint. Both lists grow while we walk along them.
    let mut waiting = vec![vec![game.index(town)]];
    let mut p = 0;
    while p < waiting.len() {
        while let Some(here) = waiting[p].pop() {
            if paint[here].is_some() {
                continue; // Reached before, for less.
            }
            paint[here] = Some(p);
            let (x, y) = ((here % game.width) as i32, (here / game.width) as i32);
            for (near_x, near_y) in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
                if near_x < 0 || near_x >= game.width as i32 || near_y < 0 || near_y >= game.height as i32 {
                    continue;
                }
                let near = near_y as usize * game.width + near_x as usize;
                if let (Some(more), None) = (paint_for(&game.cells[near]), paint[near]) {
                    while waiting.len() <= p + more {
                        waiting.push(Vec::new());
                    }
                    waiting[p + more].push(near);
                }
            }
        }
        p += 1;
    }
    paint
}

/// The unfulfilled wish that costs the least paint: the paint, from, to.
fn choose_wish(game: &Game) -> Option<(usize, &Town, &Town)> {
    let mut best: Option<(usize, &Town, &Town)> = None;
    for town in &game.towns {
        let connections = &game.cells[game.index(town)].connections;
        let paint = paint_from(game, town);
        for &wanted in &town.wants {
            if connections.contains(&format!("{}-{wanted}", town.id)) {
                continue;
            }
            let to = &game.towns[wanted];
            if let Some(cost) = paint[game.index(to)] {
                if best.map_or(true, |(least, ..)| cost < least) {
                    best = Some((cost, town, to));
                }
            }
        }
    }
    best
}

/// Your ideas go here. Returns the actions of this turn.
fn decide(game: &Game) -> Vec<String> {
    let mut actions = Vec::new();
    if let Some((paint, mut from, mut to)) = choose_wish(game) {
        let score = format!("score {} : {}", game.my_score, game.foe_score);
        eprintln!("{score}, town {} to town {} for {paint} paint", from.id, to.id);
        // Two players who lay the same tracks in the same turn both pay for neutral ones: the second one begins at the other end.
        if game.my_id == 1 {
            std::mem::swap(&mut from, &mut to);
        }
        actions.push(format!("AUTOPLACE {} {} {} {}", from.x, from.y, to.x, to.y));
    }
    // Idea: DISRUPT washes the tracks of the opponent away. In which region does it have most to lose, and you least?
    // Idea: PLACE_TRACKS spends the paint that AUTOPLACE leaves over, and finds ways that serve several wishes at once.
    actions
}

fn main() {
    let mut game = read_game();
    loop {
        read_turn(&mut game);
        let actions = decide(&game);
        println!("{}", if actions.is_empty() { "WAIT".to_string() } else { actions.join(";") });
    }
}
