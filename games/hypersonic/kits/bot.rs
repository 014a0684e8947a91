// Hypersonic: a starter bot.
//
// In each round it tries the ten things it can do (lay a bomb or not; stay or take one of four steps), drops those after which it
// could not survive the bombs that are in play, and takes the one after which it can bomb its next box soonest.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 100 ms for every other one.
// Your answers go to the standard output; for debugging, use eprintln!, which writes to the standard error output.

use std::collections::{HashMap, HashSet};
use std::io;

const STEPS: [Cell; 5] = [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)];
/// Rounds from laying a bomb to its explosion.
const FUSE: i32 = 8;
/// So many rounds from now every bomb we know of has gone off.
const HORIZON: i32 = FUSE + 1;
/// What a box is worth if it comes one round later.
const PATIENCE: f64 = 0.9;

/// `(x, y)`
type Cell = (i32, i32);

fn add(cell: Cell, step: Cell) -> Cell {
    (cell.0 + step.0, cell.1 + step.1)
}

/// What a box is worth if it comes so many rounds later.
fn later(rounds: i32) -> f64 {
    (0..rounds).fold(1.0, |worth, _| worth * PATIENCE)
}

// ---- Reading ----

struct Player {
    id: i32,
    cell: Cell,
    /// How many it can lay now.
    bombs: i32,
    /// Of the bombs it lays; the cell of the bomb counts.
    range: i32,
}

#[derive(Clone)]
struct Bomb {
    owner: i32,
    cell: Cell,
    /// 1: it goes off in this round, before anybody moves.
    timer: i32,
    range: i32,
}

#[allow(dead_code)]
struct Item {
    cell: Cell,
    /// 1: extra range, 2: extra bomb.
    kind: i32,
}

/// What you are told before each answer.
struct Round {
    /// `.` is floor, `X` a wall, `0`, `1`, `2` boxes: empty, with extra range, with an extra bomb.
    rows: Vec<Vec<u8>>,
    players: Vec<Player>,
    bombs: Vec<Bomb>,
    items: Vec<Item>,
}

impl Round {
    /// What is there; outside of the grid, wall.
    fn at(&self, (x, y): Cell) -> u8 {
        let row = usize::try_from(y).ok().and_then(|y| self.rows.get(y));
        let found = row.and_then(|row| row.get(usize::try_from(x).ok()?));
        found.copied().unwrap_or(b'X')
    }

    fn is_box(&self, cell: Cell) -> bool {
        matches!(self.at(cell), b'0'..=b'2')
    }
}

fn read_line() -> String {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        std::process::exit(0); // The input has ended: the game is over, at least for us.
    }
    line.trim_end().to_string()
}

fn read_numbers() -> Vec<i32> {
    read_line().split(' ').map(|word| word.parse().unwrap()).collect()
}

fn read_round(height: i32) -> Round {
    let rows = (0..height).map(|_| read_line().into_bytes()).collect();
    let mut round = Round { rows, players: Vec::new(), bombs: Vec::new(), items: Vec::new() };
    let entities = read_numbers()[0];
    for _ in 0..entities {
        let n = read_numbers();
        let (owner, cell) = (n[1], (n[2], n[3]));
        match n[0] {
            0 => round.players.push(Player { id: owner, cell, bombs: n[4], range: n[5] }),
            1 => round.bombs.push(Bomb { owner, cell, timer: n[4], range: n[5] }),
            _ => round.items.push(Item { cell, kind: n[4] }),
        }
    }
    round
}

// ---- Thinking ----

/// What the bombs in play will do.
struct Forecast<'a> {
    round: &'a Round,
    /// Bombs and items stop explosions.
    stops: HashSet<Cell>,
    /// `(cell, t)`: who stands there after t steps from now is hit.
    deadly: HashSet<(Cell, i32)>,
    /// Cell of a bomb: so many steps from now nobody can enter it.
    blocked_until: HashMap<Cell, i32>,
    /// Boxes that will be gone.
    doomed: HashSet<Cell>,
}

impl<'a> Forecast<'a> {
    fn new(round: &'a Round, bombs: &[Bomb]) -> Forecast<'a> {
        let bomb_cells = bombs.iter().map(|bomb| bomb.cell);
        let stops = bomb_cells.chain(round.items.iter().map(|item| item.cell)).collect();
        let mut forecast = Forecast {
            round,
            stops,
            deadly: HashSet::new(),
            blocked_until: HashMap::new(),
            doomed: HashSet::new(),
        };
        let blasts: Vec<_> = bombs.iter().map(|bomb| forecast.blast(bomb.cell, bomb.range)).collect();
        let mut timers: Vec<i32> = bombs.iter().map(|bomb| bomb.timer).collect();
        // A bomb that is hit goes off at the same moment: pass earlier timers on until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..bombs.len() {
                for j in 0..bombs.len() {
                    if timers[i] < timers[j] && blasts[i].contains(&bombs[j].cell) {
                        timers[j] = timers[i];
                        changed = true;
                    }
                }
            }
        }
        for ((bomb, timer), cells) in bombs.iter().zip(timers).zip(blasts) {
            forecast.blocked_until.insert(bomb.cell, timer);
            for cell in cells {
                // What counts is where you stand before the round in which the timer reaches 0.
                forecast.deadly.insert((cell, timer - 1));
                if round.is_box(cell) {
                    forecast.doomed.insert(cell);
                }
            }
        }
        forecast
    }

    /// The cells that a bomb would hit. A box, an item and another bomb stop it.
    fn blast(&self, cell: Cell, range: i32) -> HashSet<Cell> {
        let mut hit = HashSet::from([cell]);
        for step in &STEPS[1..] {
            let mut near = cell;
            for _ in 1..range {
                near = add(near, *step);
                if self.round.at(near) == b'X' {
                    break;
                }
                hit.insert(near);
                if self.round.at(near) != b'.' || self.stops.contains(&near) {
                    break;
                }
            }
        }
        hit
    }

    /// How many boxes are among these cells, those left out that will be gone anyway.
    fn boxes(&self, hit: &HashSet<Cell>) -> usize {
        hit.iter().filter(|cell| self.round.is_box(**cell) && !self.doomed.contains(cell)).count()
    }

    /// Whether somebody can walk into this cell with step number t.
    fn is_open(&self, cell: Cell, t: i32) -> bool {
        self.round.at(cell) == b'.' && self.blocked_until.get(&cell).map_or(true, |&until| until < t)
    }
}

/// The cells we can be in after the step `first` and then any others, with the earliest time; `None` if we cannot survive.
fn reach(forecast: &Forecast, here: Cell, first: Cell) -> Option<HashMap<Cell, i32>> {
    let mut earliest = HashMap::new();
    let mut layer = HashSet::from([here]);
    for t in 1..=HORIZON {
        let mut following = HashSet::new();
        let steps = if t == 1 { &[first][..] } else { &STEPS };
        for &cell in &layer {
            for &step in steps {
                let near = add(cell, step);
                if near != cell && !forecast.is_open(near, t) {
                    continue;
                }
                if !forecast.deadly.contains(&(near, t)) {
                    following.insert(near);
                    earliest.entry(near).or_insert(t);
                }
            }
        }
        layer = following;
    }
    (!layer.is_empty()).then_some(earliest)
}

/// How soon a box can be bombed from one of these cells: 1 for at once, less for each round later, 0 for never. `wait` rounds from
/// now we can lay a bomb.
fn best_ahead(forecast: &Forecast, me: &Player, cells: &HashMap<Cell, i32>, wait: i32) -> f64 {
    let mut best: f64 = 0.0;
    for (&cell, &t) in cells {
        let hit = forecast.blast(cell, me.range);
        // Without a cell to hide in no bomb can be laid.
        if forecast.boxes(&hit) > 0 && cells.keys().any(|hideout| !hit.contains(hideout)) {
            best = best.max(later(t.max(wait)));
        }
    }
    best
}

/// Your ideas go here. Returns the command of this round.
fn decide(round: &Round, me: &Player) -> String {
    let (mut command, mut target, mut best) = ("MOVE", me.cell, -1.0);
    for lay in [false, true] {
        let mut bombs = round.bombs.clone();
        let mut boxes_here = 0;
        if lay {
            let before = Forecast::new(round, &round.bombs);
            boxes_here = before.boxes(&before.blast(me.cell, me.range));
            if me.bombs == 0 || before.blocked_until.contains_key(&me.cell) || boxes_here == 0 {
                continue;
            }
            // A bomb that is laid now shows its full timer in the next round.
            bombs.push(Bomb { owner: me.id, cell: me.cell, timer: FUSE + 1, range: me.range });
        }
        let forecast = Forecast::new(round, &bombs);
        // The next bomb can be laid at once if there is one left, else when one of ours has gone off.
        let ours = bombs.iter().filter(|bomb| bomb.owner == me.id);
        let wait =
            if me.bombs > i32::from(lay) { 0 } else { ours.map(|bomb| bomb.timer).min().unwrap_or(HORIZON) };
        for step in STEPS {
            let cells = match reach(&forecast, me.cell, step) {
                Some(cells) => cells,
                None => continue, // That way lies death.
            };
            let worth = boxes_here as f64 + best_ahead(&forecast, me, &cells, wait);
            if worth > best {
                command = if lay { "BOMB" } else { "MOVE" };
                (target, best) = (add(me.cell, step), worth);
            }
        }
    }
    eprintln!("at {:?}: {command} to {target:?}, worth {best:.2}", me.cell);
    // Idea: a bomb that hits several boxes is worth more than one that hits a single box, and items make your bombs better.
    // Idea: expect a bomb from every opponent who can lay one now, and see that you survive that, too.
    format!("{command} {} {}", target.0, target.1)
}

fn main() {
    let numbers = read_numbers();
    let (_width, height, my_id) = (numbers[0], numbers[1], numbers[2]);
    loop {
        let round = read_round(height);
        let me = round.players.iter().find(|player| player.id == my_id).unwrap();
        println!("{}", decide(&round, me));
    }
}
