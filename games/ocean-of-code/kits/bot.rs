// Ocean of Code: a starter bot.
//
// It stays in the larger part of the sea, keeps a list of the cells the enemy may be in, and fires where that list is dense.
// The whole game in three steps: read (what the statement calls the protocol), decide (your ideas go there), print one line.
//
// Time: 1000 ms for the first answer, the start of the program included, and 50 ms for every other one.
// Your answers go to the standard output; for debugging, use eprintln!, which writes to the standard error output.

use std::collections::{HashMap, HashSet};
use std::io;

const DIRECTIONS: [char; 4] = ['N', 'E', 'S', 'W'];
const TORPEDO_RANGE: i32 = 4;
const SILENCE_STEPS: i32 = 4;
/// More steps than there are.
const ANYWHERE: i32 = 1000;
/// Fire when the damage to expect is at least this.
const FIRE_AT: f64 = 0.5;

/// `(x, y)`
type Cell = (i32, i32);

fn step((x, y): Cell, direction: char) -> Cell {
    match direction {
        'N' => (x, y - 1),
        'E' => (x + 1, y),
        'S' => (x, y + 1),
        _ => (x - 1, y),
    }
}

/// 1 to 9, row by row.
fn sector((x, y): Cell) -> i32 {
    x / 5 + y / 5 * 3 + 1
}

// ---- Reading ----

/// The map: it never changes.
#[allow(dead_code)]
struct Sea {
    width: i32,
    height: i32,
    my_id: i32,
    rows: Vec<Vec<u8>>,
}

impl Sea {
    fn is_water(&self, (x, y): Cell) -> bool {
        (0..self.width).contains(&x)
            && (0..self.height).contains(&y)
            && self.rows[y as usize][x as usize] == b'.'
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .filter(|&cell| self.is_water(cell))
    }
}

/// What you are told before each answer. A cooldown counts the charges that are missing: 0 is ready, -1 is not in this league.
#[allow(dead_code)]
struct Turn {
    cell: Cell,
    my_life: i32,
    opp_life: i32,
    torpedo_cooldown: i32,
    sonar_cooldown: i32,
    silence_cooldown: i32,
    mine_cooldown: i32,
    /// Y or N after your own SONAR, else NA.
    sonar_result: String,
    /// What the enemy did, as far as it can be heard: "MOVE N", "TORPEDO 3 5".
    opp_orders: Vec<String>,
}

fn read_line() -> String {
    let mut line = String::new();
    if io::stdin().read_line(&mut line).unwrap() == 0 {
        std::process::exit(0); // The input has ended: the game is over.
    }
    line.trim_end().to_string()
}

fn read_numbers() -> Vec<i32> {
    read_line().split(' ').map(|word| word.parse().unwrap()).collect()
}

fn read_sea() -> Sea {
    let numbers = read_numbers();
    let (width, height, my_id) = (numbers[0], numbers[1], numbers[2]);
    let rows = (0..height).map(|_| read_line().into_bytes()).collect();
    Sea { width, height, my_id, rows }
}

fn read_turn() -> Turn {
    let numbers = read_numbers();
    let sonar_result = read_line();
    let heard = read_line();
    Turn {
        cell: (numbers[0], numbers[1]),
        my_life: numbers[2],
        opp_life: numbers[3],
        torpedo_cooldown: numbers[4],
        sonar_cooldown: numbers[5],
        silence_cooldown: numbers[6],
        mine_cooldown: numbers[7],
        sonar_result,
        opp_orders: heard.split('|').filter(|&order| order != "NA").map(String::from).collect(),
    }
}

// ---- Thinking ----

/// Steps from `start` to each water cell that can be reached in `limit` steps without entering a blocked one.
fn distances(sea: &Sea, start: Cell, blocked: &HashSet<Cell>, limit: i32) -> HashMap<Cell, i32> {
    let mut found = HashMap::from([(start, 0)]);
    let mut queue = vec![start];
    let mut next = 0;
    while next < queue.len() {
        let cell = queue[next];
        next += 1;
        let steps = found[&cell];
        if steps == limit {
            continue;
        }
        for direction in DIRECTIONS {
            let near = step(cell, direction);
            if sea.is_water(near) && !blocked.contains(&near) && !found.contains_key(&near) {
                found.insert(near, steps + 1);
                queue.push(near);
            }
        }
    }
    found
}

struct Bot {
    sea: Sea,
    /// Cells that may not be entered again until we surface.
    trail: HashSet<Cell>,
    /// Cells the enemy may be in.
    suspects: HashSet<Cell>,
    /// Our lives, as far as we know why.
    life: Option<i32>,
}

impl Bot {
    fn new(sea: Sea) -> Bot {
        let suspects = sea.cells().collect();
        Bot { sea, trail: HashSet::new(), suspects, life: None }
    }

    /// A cell of the largest sea, as near to the middle as possible: in a corner there is little room to hide.
    fn choose_start(&self) -> Cell {
        let mut largest = HashMap::new();
        let mut seen = HashSet::new();
        for cell in self.sea.cells() {
            if !seen.contains(&cell) {
                let region = distances(&self.sea, cell, &HashSet::new(), ANYWHERE);
                seen.extend(region.keys().copied());
                if region.len() > largest.len() {
                    largest = region;
                }
            }
        }
        let (x, y) = (self.sea.width / 2, self.sea.height / 2);
        let choices = self.sea.cells().filter(|cell| largest.contains_key(cell));
        choices.min_by_key(|cell| (cell.0 - x).abs() + (cell.1 - y).abs()).unwrap()
    }

    /// Keeps those suspects that fit what the enemy was heard to do.
    fn listen(&mut self, order: &str) {
        let words: Vec<&str> = order.split(' ').collect();
        let number = |at: usize| words[at].parse::<i32>().unwrap();
        let suspects = self.suspects.iter().copied();
        self.suspects = match words[0] {
            "MOVE" => {
                let direction = words[1].chars().next().unwrap();
                suspects.map(|cell| step(cell, direction)).filter(|&cell| self.sea.is_water(cell)).collect()
            }
            "SURFACE" => suspects.filter(|&cell| sector(cell) == number(1)).collect(),
            "TORPEDO" => {
                let (x, y) = (number(1), number(2));
                suspects.filter(|cell| (cell.0 - x).abs() + (cell.1 - y).abs() <= TORPEDO_RANGE).collect()
            }
            "SILENCE" => {
                let mut spread = self.suspects.clone();
                for start in suspects {
                    for direction in DIRECTIONS {
                        let mut cell = start;
                        for _ in 0..SILENCE_STEPS {
                            cell = step(cell, direction);
                            if !self.sea.is_water(cell) {
                                break;
                            }
                            spread.insert(cell);
                        }
                    }
                }
                spread
            }
            // Idea: MINE and TRIGGER tell something as well, and so do the lives that our own shots cost the enemy.
            _ => return,
        };
    }

    /// The direction with the most room behind it; of equal ones the one with the fewest ways on, which follows the shores and so
    /// keeps the sea in one piece. `None` if every way is closed.
    fn best_direction(&self, here: Cell) -> Option<char> {
        let mut best = None;
        let mut best_worth = (0, 0);
        for direction in DIRECTIONS {
            let cell = step(here, direction);
            if !self.sea.is_water(cell) || self.trail.contains(&cell) {
                continue;
            }
            let room = distances(&self.sea, cell, &self.trail, ANYWHERE).len() as i32;
            let ways = distances(&self.sea, cell, &self.trail, 1).len() as i32 - 1;
            if best.is_none() || (room, -ways) > best_worth {
                best = Some(direction);
                best_worth = (room, -ways);
            }
        }
        best
    }

    /// The cell in range with the highest damage to expect, and that damage.
    fn best_target(&self, here: Cell) -> (Cell, f64) {
        let mut best = (here, 0.0);
        let in_range = distances(&self.sea, here, &HashSet::new(), TORPEDO_RANGE);
        for target in self.sea.cells() {
            let (x, y) = target;
            // A blast next to us would hit us, too.
            let near = (x - here.0).abs() <= 1 && (y - here.1).abs() <= 1;
            if near || !in_range.contains_key(&target) {
                continue;
            }
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            // 2 lives in the middle, 1 around it.
            let lives = around.chain([target]).filter(|cell| self.suspects.contains(cell)).count();
            let damage = lives as f64 / self.suspects.len() as f64;
            if damage > best.1 {
                best = (target, damage);
            }
        }
        best
    }

    /// Your ideas go here. Returns the actions of this turn; each word may be there once only.
    fn decide(&mut self, mut turn: Turn) -> Vec<String> {
        let mut actions = Vec::new();
        let mut here = turn.cell;
        self.trail.insert(here);
        let was_hit = self.life.map_or(false, |life| turn.my_life < life);
        self.life = Some(turn.my_life);

        for order in &turn.opp_orders {
            self.listen(order);
        }
        if self.suspects.is_empty() {
            self.suspects = self.sea.cells().collect(); // We have misunderstood something: begin again.
        }

        // Move; where no way is left, surface first, which costs a life and wipes out the trail.
        let mut direction = self.best_direction(here);
        if direction.is_none() {
            actions.push("SURFACE".to_string());
            self.trail = HashSet::from([here]);
            self.life = Some(turn.my_life - 1);
            direction = self.best_direction(here);
        }
        if let Some(direction) = direction {
            let charge_silence = turn.torpedo_cooldown == 0 && turn.silence_cooldown > 0;
            let power = if charge_silence { "SILENCE" } else { "TORPEDO" };
            actions.push(format!("MOVE {direction} {power}"));
            if power == "TORPEDO" && turn.torpedo_cooldown > 0 {
                turn.torpedo_cooldown -= 1;
            }
            here = step(here, direction);
            self.trail.insert(here);
        }

        // Fire, if the enemy is likely enough to be hit.
        let (target, damage) = self.best_target(here);
        if turn.torpedo_cooldown == 0 && damage >= FIRE_AT {
            actions.push(format!("TORPEDO {} {}", target.0, target.1));
        }

        // Somebody knows where we are: slip away unheard.
        if let (true, 0, Some(escape)) = (was_hit, turn.silence_cooldown, self.best_direction(here)) {
            actions.push(format!("SILENCE {escape} 1"));
        }

        eprintln!("at {:?}, {} suspects, damage to expect {damage:.2}", turn.cell, self.suspects.len());
        // Idea: SONAR halves the suspects, MINE and TRIGGER make whole regions dangerous.
        actions
    }
}

fn main() {
    let mut bot = Bot::new(read_sea());
    let (x, y) = bot.choose_start();
    println!("{x} {y}");
    loop {
        let actions = bot.decide(read_turn());
        println!("{}", if actions.is_empty() { "SURFACE".to_string() } else { actions.join("|") });
    }
}
