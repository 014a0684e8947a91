//! The rules a second time, by the letter and without any cleverness, played beside the engine on all kinds of rules
//! and answers.

use std::collections::{HashMap, VecDeque};

use game::{Dice, Game, JavaRandom, Match, Rules as _, Seat};
use hypersonic::{Blast, Command, Hypersonic, Rules, Verb, print};

const DIRECTIONS: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

type Place = (i32, i32);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Tile {
    Floor,
    Wall,
    /// With the type of its item, or 0.
    Box(u8),
}

struct Player {
    at: Place,
    available: u32,
    range: u32,
    boxes: u32,
    out: Option<u32>,
}

struct Bomb {
    at: Place,
    owner: usize,
    counter: u32,
    range: u32,
}

struct Model {
    rules: Rules,
    grid: Vec<Vec<Tile>>,
    players: Vec<Player>,
    bombs: Vec<Bomb>,
    items: Vec<(Place, u8)>,
    round: u32,
    idle: i32,
    extra: i32,
    capacity: usize,
    reasons: Vec<&'static str>,
}

impl Model {
    fn new(rules: &Rules, seed: i64) -> Model {
        let starts = [(0, 0), (12, 10), (12, 0), (0, 10)];
        let player = |&at: &Place| Player {
            at,
            available: u32::from(rules.bombs),
            range: u32::from(rules.range),
            boxes: 0,
            out: None,
        };
        Model {
            rules: rules.clone(),
            grid: grid(rules, seed),
            players: starts[..rules.players as usize].iter().map(player).collect(),
            bombs: Vec::new(),
            items: Vec::new(),
            round: 0,
            idle: i32::from(rules.idle_rounds),
            extra: rules.rounds_after_last_box.map_or(0, i32::from),
            capacity: 16,
            reasons: Vec::new(),
        }
    }

    /// `None` outside the grid.
    fn tile(&self, (x, y): Place) -> Option<Tile> {
        self.grid.get(usize::try_from(y).ok()?)?.get(usize::try_from(x).ok()?).copied()
    }

    fn told(&self) -> String {
        let mut text = String::new();
        for row in &self.grid {
            for tile in row {
                match tile {
                    Tile::Floor => text.push('.'),
                    Tile::Wall => text.push('X'),
                    Tile::Box(item) => text.push(char::from(b'0' + item)),
                }
            }
            text.push('\n');
        }
        let mut entities = Vec::new();
        for (id, p) in self.players.iter().enumerate().filter(|(_, p)| p.out.is_none()) {
            entities.push(format!("0 {id} {} {} {} {}", p.at.0, p.at.1, p.available, p.range));
        }
        for b in &self.bombs {
            entities.push(format!("1 {} {} {} {} {}", b.owner, b.at.0, b.at.1, b.counter, b.range));
        }
        for ((x, y), kind) in &self.items {
            entities.push(format!("2 0 {x} {y} {kind} {kind}"));
        }
        entities.insert(0, entities.len().to_string());
        text + &entities.join("\n") + "\n"
    }

    /// Section 6.2.
    fn step(&self, start: Place, target: Place) -> Option<Place> {
        let open = |at| self.tile(at) == Some(Tile::Floor) && self.bombs.iter().all(|bomb| bomb.at != at);
        let distance = |at: Place| {
            let x = target.0.wrapping_sub(at.0).wrapping_abs();
            x.wrapping_add(target.1.wrapping_sub(at.1).wrapping_abs())
        };
        if start == target {
            return None;
        }
        let mut before = HashMap::from([(start, start)]);
        let mut queue = VecDeque::from([start]);
        let mut best = start;
        while let Some(at) = queue.pop_front() {
            let mut found = false;
            for (dx, dy) in DIRECTIONS {
                let next = (at.0 + dx, at.1 + dy);
                if !open(next) || before.contains_key(&next) {
                    continue;
                }
                before.insert(next, at);
                queue.push_back(next);
                if distance(next) < distance(best) {
                    best = next;
                }
                found |= next == target;
            }
            if found {
                break;
            }
        }
        while best != start && before[&best] != start {
            best = before[&best];
        }
        (best != start).then_some(best)
    }

    /// Sections 7 and 12.
    fn update(&mut self, orders: &[Option<Command>]) {
        for (player, order) in self.players.iter_mut().zip(orders) {
            if player.out.is_none() && order.is_none() {
                player.out = Some(self.round);
            }
        }
        let update = self.round + 1;
        let mut progress = !self.bombs.is_empty();
        for bomb in &mut self.bombs {
            bomb.counter -= 1;
        }
        let hits = self.explosions();
        let mut placing = Vec::new();
        let mut steps = Vec::new();
        for (id, order) in orders.iter().enumerate() {
            let Some(order) = order.as_ref().filter(|_| self.players[id].out.is_none()) else { continue };
            if hits.players.contains(&id) {
                self.players[id].out = Some(update);
                continue;
            }
            let player = &self.players[id];
            let free = self.bombs.iter().all(|bomb| bomb.at != player.at);
            if order.verb == Verb::Bomb && player.available > 0 && free {
                placing.push(id);
                progress = true;
            }
            if let Some(step) = self.step(player.at, (order.x, order.y)) {
                steps.push((id, step));
            }
        }
        let gone = hits.bombs;
        for id in placing {
            let player = &mut self.players[id];
            player.available -= 1;
            let counter = u32::from(self.rules.fuse);
            self.bombs.push(Bomb { at: player.at, owner: id, counter, range: player.range });
        }
        let owners: Vec<usize> = self.bombs.iter().map(|bomb| bomb.owner).collect();
        for &bomb in &gone {
            self.players[owners[bomb]].available += 1;
        }
        let mut place = 0;
        self.bombs.retain(|_| {
            place += 1;
            !gone.contains(&(place - 1))
        });
        self.items.retain(|(at, _)| !hits.items.contains(at));
        for (_, by) in &hits.boxes {
            for &owner in by {
                self.players[owner].boxes += 1;
            }
        }
        let mut taken = Vec::new();
        for (id, step) in steps {
            progress = true;
            self.players[id].at = step;
            for (at, kind) in &self.items {
                if *at == step {
                    taken.push(*at);
                    match kind {
                        1 => self.players[id].range += 1,
                        _ => self.players[id].available += 1,
                    }
                }
            }
        }
        self.items.retain(|(at, _)| !taken.contains(at));
        self.boxes_become_floor(hits.boxes.into_iter().map(|(at, _)| at).collect());
        self.count(progress);
    }

    /// Section 8.
    fn explosions(&self) -> Hits {
        let mut hits = Hits::default();
        let mut wave: Vec<usize> = (0..self.bombs.len()).filter(|&i| self.bombs[i].counter == 0).collect();
        while !wave.is_empty() {
            hits.bombs.extend(&wave);
            let mut next_wave = Vec::new();
            for &i in &wave {
                for direction in DIRECTIONS {
                    self.ray(&self.bombs[i], direction, &mut hits, &mut next_wave);
                }
            }
            wave = next_wave;
        }
        hits
    }

    fn ray(&self, bomb: &Bomb, (dx, dy): Place, hits: &mut Hits, next_wave: &mut Vec<usize>) {
        for k in 0..bomb.range as i32 {
            let at = (bomb.at.0 + k * dx, bomb.at.1 + k * dy);
            let tile = match self.tile(at) {
                None | Some(Tile::Wall) => return,
                Some(tile) => tile,
            };
            for (id, player) in self.players.iter().enumerate() {
                let harmed = match self.rules.blast {
                    Blast::Nobody => false,
                    Blast::Others => id != bomb.owner,
                    Blast::Everybody => true,
                };
                if player.out.is_none() && player.at == at && harmed {
                    hits.players.push(id);
                }
            }
            if k == 0 {
                continue;
            }
            if let Tile::Box(_) = tile {
                match hits.boxes.iter_mut().find(|(hit, _)| *hit == at) {
                    None => hits.boxes.push((at, vec![bomb.owner])),
                    Some((_, by)) if by.contains(&bomb.owner) => {}
                    Some((_, by)) => by.push(bomb.owner),
                }
                return;
            }
            if self.items.iter().any(|(item, _)| *item == at) {
                hits.items.push(at);
                return;
            }
            let there: Vec<usize> = (0..self.bombs.len()).filter(|&i| self.bombs[i].at == at).collect();
            for &i in &there {
                if !hits.bombs.contains(&i) && !next_wave.contains(&i) {
                    next_wave.push(i);
                }
            }
            if !there.is_empty() {
                return;
            }
        }
    }

    /// Section 7, step 7, and section 9.
    fn boxes_become_floor(&mut self, mut hit: Vec<Place>) {
        while hit.len() > self.capacity * 3 / 4 {
            self.capacity *= 2;
        }
        hit.sort_by_key(|(x, y)| (961 + 31 * x + y) as usize % self.capacity);
        for (x, y) in hit {
            let tile = std::mem::replace(&mut self.grid[y as usize][x as usize], Tile::Floor);
            if let Tile::Box(kind @ 1..) = tile {
                self.items.push(((x, y), kind));
            }
        }
    }

    /// Section 10.
    fn count(&mut self, progress: bool) {
        self.round += 1;
        self.idle = if progress { i32::from(self.rules.idle_rounds) } else { self.idle - 1 };
        let cleared = !self.grid.iter().flatten().any(|tile| matches!(tile, Tile::Box(_)));
        if cleared {
            self.extra -= 1;
        }
        let living = self.players.iter().filter(|player| player.out.is_none()).count();
        self.reasons = [
            ("no_progress", self.idle == 0),
            ("boxes_countdown", self.rules.rounds_after_last_box.is_some() && self.extra <= 0),
            ("boxes_cleared", self.rules.ends_when_cleared && cleared),
            ("last_standing", living < 2),
            ("max_rounds", self.round == u32::from(self.rules.max_rounds)),
        ]
        .iter()
        .filter(|(_, holds)| *holds)
        .map(|(name, _)| *name)
        .collect();
    }

    /// Section 11.
    fn scores(&self) -> Vec<i64> {
        let time = |player: &Player| match player.out {
            None => i64::from(self.rules.survivor_score),
            Some(time) => i64::from(self.rules.round_score) * i64::from(time),
        };
        self.players.iter().map(|player| time(player) + i64::from(player.boxes)).collect()
    }
}

#[derive(Default)]
struct Hits {
    bombs: Vec<usize>,
    boxes: Vec<(Place, Vec<usize>)>,
    items: Vec<Place>,
    players: Vec<usize>,
}

/// Section 3.
fn grid(rules: &Rules, seed: i64) -> Vec<Vec<Tile>> {
    let is_wall = |x: i32, y: i32| rules.walls && x % 2 == 1 && y % 2 == 1;
    let tile = |x, y| if is_wall(x, y) { Tile::Wall } else { Tile::Floor };
    let mut grid: Vec<Vec<Tile>> = (0..11).map(|y| (0..13).map(|x| tile(x, y)).collect()).collect();
    let mut random = JavaRandom::new(seed);
    let mut target = i32::from(rules.boxes_min) + random.below(u32::from(rules.boxes_span)) as i32;
    target = rules.boxes.map_or(target, i32::from);
    if rules.spaced_boxes {
        target = i32::from(rules.spaced_box_count);
    }
    let stock = if rules.items { target / i32::from(rules.boxes_per_item) } else { 0 };
    let mut stock = [0, stock, stock];
    let (mut placed, mut tries) = (0, 0);
    while placed < target {
        tries += 1;
        if tries > rules.box_tries {
            break;
        }
        let (x, y) = (random.below(13) as i32, random.below(11) as i32);
        let corners = [(0, 0), (12, 0), (0, 10), (12, 10)];
        if corners.iter().any(|(cx, cy)| (x - cx).abs() + (y - cy).abs() < i32::from(rules.corner_distance)) {
            continue;
        }
        if grid[y as usize][x as usize] != Tile::Floor {
            continue;
        }
        let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
        let mut inside = around.filter(|(x, y)| (0..13).contains(x) && (0..11).contains(y));
        if rules.spaced_boxes && inside.any(|(x, y)| matches!(grid[y as usize][x as usize], Tile::Box(_))) {
            continue;
        }
        let item = [1, 2].into_iter().find(|&item| stock[item] > 0).unwrap_or(0);
        for (x, y) in [(x, y), (12 - x, y), (12 - x, 10 - y), (x, 10 - y)] {
            let tile = &mut grid[y as usize][x as usize];
            if !matches!(tile, Tile::Box(_)) {
                *tile = Tile::Box(item as u8);
                stock[item] -= 1;
                placed += 1;
            }
        }
    }
    grid
}

/// Rules of every kind, the official ones among them.
fn any_rules(dice: &mut Dice) -> Rules {
    let mut rules = Rules::of_version(1 + dice.below(4) as u8, 2 + dice.below(3) as u8);
    let mut pick = |values: &[u16]| dice.one_in(3).then(|| values[dice.below(values.len() as u32) as usize]);
    rules.bombs = pick(&[0, 1, 2, 5, 8, 1000]).unwrap_or(rules.bombs);
    rules.range = pick(&[0, 1, 2, 4, 7, 13, 1000]).unwrap_or(rules.range);
    rules.boxes = pick(&[0, 3, 20, 80, 120, 1000]);
    rules.corner_distance = pick(&[0, 1, 3, 24]).unwrap_or(2) as u8;
    rules.fuse = pick(&[1, 2, 3, 5]).unwrap_or(8) as u8;
    rules.boxes_per_item = pick(&[1, 2, 7]).unwrap_or(3);
    rules.box_tries = pick(&[0, 20, 10_000]).unwrap_or(1000);
    rules.rounds_after_last_box = pick(&[0, 1, 5]).map(|n| n as u8).or(rules.rounds_after_last_box);
    rules.max_rounds = pick(&[1, 50, 400]).unwrap_or(200);
    rules.blast = match dice.below(4) {
        0 => Blast::Nobody,
        1 => Blast::Others,
        _ => rules.blast,
    };
    rules
}

/// An answer and what it means: mostly legal, often greedy for bombs, sometimes far off, seldom broken.
fn any_answer(play: &Match<Hypersonic>, seat: Seat, dice: &mut Dice) -> (Option<Vec<u8>>, Option<Command>) {
    let order = play.game().random_order(play.state(), seat, dice);
    let Ok(mut command) = order else { panic!("a random order can be read") };
    if dice.one_in(2) {
        command.verb = Verb::Bomb;
    }
    if dice.one_in(20) {
        let limits = [i32::MIN, i32::MAX, -i32::MAX, 1 << 30, 0, 12, -1, dice.bits() as i32];
        let mut limit = || limits[dice.below(8) as usize].wrapping_add(dice.below(14) as i32 - 7);
        (command.x, command.y) = (limit(), limit());
    }
    if dice.one_in(2000) {
        let broken = [&b""[..], b" MOVE 1 1", b"MOVE 1", b"BOMB 1 1x", b"MOVE 1 99999999999", b"\xff"];
        let line = broken[dice.below(6) as usize];
        return (dice.one_in(2).then(|| line.to_vec()), None);
    }
    (Some(print(&Ok(command.clone()))), Some(command))
}

#[test]
fn the_engine_plays_by_the_letter() {
    let mut dice = Dice::new(11);
    let (mut rounds, mut boxes, mut capacity) = (0, 0, 0);
    for seed in 0..3000 {
        let rules = any_rules(&mut dice);
        assert_eq!(rules.check(), Ok(()));
        let mut model = Model::new(&rules, seed);
        let mut play = Match::<Hypersonic>::new(rules, seed);
        while let Some(first) = play.awaited().next() {
            let mut told = String::new();
            Hypersonic::write_turn(&play.game().view(play.state(), first), &mut told);
            assert_eq!(told, model.told(), "seed {seed}, round {}", model.round);
            let mut orders = vec![None; model.players.len()];
            for seat in play.awaited() {
                let (line, order) = any_answer(&play, seat, &mut dice);
                orders[seat.index()] = order;
                play.answer(seat, line.as_deref()).unwrap();
            }
            model.update(&orders);
            rounds += 1;
            capacity = capacity.max(model.capacity);
        }
        let end = play.end();
        assert_eq!(end.scores, model.scores(), "seed {seed}");
        assert_eq!(
            serde_json::to_value(&end.reasons).unwrap(),
            serde_json::json!(model.reasons),
            "seed {seed}"
        );
        assert_eq!(u32::from(end.turn_count), model.round, "seed {seed}");
        boxes += end.boxes.iter().map(|&boxes| u32::from(boxes)).sum::<u32>();
    }
    // Enough happened, large explosions among it.
    assert!(rounds > 100_000 && boxes > 40_000, "{rounds} rounds, {boxes} boxes");
    assert!(capacity >= 32, "{capacity}");
}
