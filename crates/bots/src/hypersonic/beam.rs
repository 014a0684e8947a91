//! A beam search for one player: the best states of each round are searched on, the others forgotten. What the others do is
//! given as scripts; where a script ends its player is put aside.
//!
//! Every state is judged by what is certain by then: boxes scored, boxes that burning bombs will score, items taken. A state
//! from which no way leads out of the blasts is dropped at once.

use game::Seat;
use hypersonic::{Blast, CellSet, Hypersonic, MAX_PLAYERS, State};

use super::forecast::{Forecast, blast};
use super::sight::{Action, Actions};
use super::simulate::{Orders, actions, advance, order, put_aside, stay};
use super::taste::Taste;
use crate::budget::Budget;

/// What a player is expected to do, round by round.
pub(super) type Script = Vec<Action>;

/// What is searched.
#[derive(Debug)]
pub(super) struct Beam<'a> {
    /// Rules and walls.
    pub(super) game: &'a Hypersonic,
    /// For whom.
    pub(super) me: Seat,
    /// What is good.
    pub(super) taste: &'a Taste,
    /// What the others do.
    pub(super) scripts: &'a [Script; MAX_PLAYERS],
    /// How many rounds ahead.
    pub(super) depth: usize,
    /// The most states of a round that are searched on.
    pub(super) width: usize,
}

struct Node {
    state: State,
    /// The worth of what has been scored on the way.
    gained: f32,
    score: f32,
    /// Its place among the links.
    link: u32,
    /// The boxes that no burning bomb will take.
    left: CellSet,
    /// Whether an opponent was caught on the way.
    caught: bool,
}

/// What a state is worth.
struct Judged {
    gained: f32,
    score: f32,
    left: CellSet,
    caught: bool,
}

/// How a state came about: the link of the state before it, and the action.
type Link = (u32, Action);

/// Within so many rounds we expect to know where an opponent is...
const PREY_DEPTH: usize = 5;
/// ...and so many steps from him a bomb may catch him.
const PREY_NEAR: usize = 5;

/// No link: the beginning.
const ROOT: u32 = u32::MAX;

/// The memory of a search, kept from one to the next.
#[derive(Default)]
pub(super) struct Memory {
    layer: Vec<Node>,
    next: Vec<Node>,
    links: Vec<Link>,
    order: Vec<(f32, u32)>,
    seen: Seen,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("links", &self.links.len()).finish_non_exhaustive()
    }
}

impl Beam<'_> {
    /// Searches until the depth is reached; `until` is how much of the budget may be used up by then. `first` are the
    /// actions to choose from now. Always gives a plan of one action at least, if there is one to choose.
    pub(super) fn run(
        &self,
        state: &State,
        first: &[Action],
        memory: &mut Memory,
        budget: &mut Budget,
        until: f64,
    ) -> Script {
        let mut plan: Script = first.first().copied().into_iter().collect();
        memory.links.clear();
        memory.layer.clear();
        memory.layer.push(Node {
            state: *state,
            gained: 0.0,
            score: 0.0,
            link: ROOT,
            left: state.boxes,
            caught: false,
        });
        for depth in 0..self.depth {
            let used = budget.used();
            let share = used + (until - used) / (self.depth - depth) as f64;
            self.expand(depth, first, memory, budget, share);
            let Memory { next, order, links, .. } = memory;
            order.clear();
            order.extend(next.iter().zip(0..).map(|(node, place)| (node.score, place)));
            order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // A round in which nothing lives is no plan: the one before it stands.
            let Some(&(_, best)) = order.first() else { break };
            plan = script(links, next[best as usize].link);
            std::mem::swap(&mut memory.layer, &mut memory.next);
        }
        plan
    }

    /// Plays a round from the states of a layer, best first.
    fn expand(&self, depth: usize, first: &[Action], memory: &mut Memory, budget: &mut Budget, share: f64) {
        let Memory { layer, next, links, order: places, seen } = memory;
        next.clear();
        seen.clear();
        let mut per_cell = [0u16; 256];
        let count = if depth == 0 { 1 } else { places.len().min(self.width) };
        let cap = (count / self.taste.cell_share).max(self.taste.cell_least) as u16;
        let mut expanded = 0;
        for rank in 0..if depth == 0 { 1 } else { places.len() } {
            let place = if depth == 0 { 0 } else { places[rank].1 as usize };
            let parent = &mut layer[place];
            let cell = parent.state.player(self.me).cell.index();
            per_cell[cell] += 1;
            if per_cell[cell] > cap {
                continue;
            }
            if expanded >= self.width {
                break;
            }
            expanded += 1;
            let orders = self.script_orders(&mut parent.state, depth);
            let mine: Actions =
                if depth == 0 { Actions::default() } else { self.worth_trying(parent, depth) };
            let choices: &[Action] = if depth == 0 { first } else { &mine };
            let parent = &layer[place];
            for &action in choices {
                self.child(parent, action, depth, orders.clone(), next, links, seen);
            }
            let more = budget.spend(choices.len() as u64);
            if !more || (rank % 8 == 7 && budget.used() >= share) {
                break;
            }
        }
    }

    /// What the others are expected to do in a round; who has no script left is put aside.
    fn script_orders(&self, state: &mut State, depth: usize) -> Orders {
        let mut orders = Orders::default();
        for seat in state.living {
            if seat == self.me {
                continue;
            }
            match self.scripts[seat.index()].get(depth) {
                Some(&action) => orders[seat.index()] = order(action),
                None => {
                    put_aside(state, seat);
                    orders[seat.index()] = order(stay(state, seat));
                }
            }
        }
        orders
    }

    /// The actions, less bombs that hit no box which would not go anyway.
    fn worth_trying(&self, node: &Node, depth: usize) -> Actions {
        let state = &node.state;
        let mut all = actions(self.game, state, self.me);
        if all.iter().any(|action| action.bomb) {
            let player = state.player(self.me);
            let stops = self.game.map.walls | state.boxes | state.floor_items() | state.bomb_cells;
            let hit = blast(&stops, player.cell, player.range) & node.left;
            let hunts = self.taste.trap > 0.0 && self.is_near_prey(state, depth);
            if !self.taste.any_bomb && !hunts && hit.is_empty() {
                all.retain(|_, action| !action.bomb);
            }
        }
        all
    }

    /// Whether a bomb laid here could matter to an opponent whose place we expect to know.
    fn is_near_prey(&self, state: &State, depth: usize) -> bool {
        let mine = state.player(self.me).cell;
        let is_near = |seat: Seat| {
            let cell = state.player(seat).cell;
            cell.x().abs_diff(mine.x()) + cell.y().abs_diff(mine.y()) <= PREY_NEAR
        };
        depth < PREY_DEPTH && state.living.into_iter().any(|seat| seat != self.me && is_near(seat))
    }

    #[allow(clippy::too_many_arguments)]
    fn child(
        &self,
        parent: &Node,
        action: Action,
        depth: usize,
        mut orders: Orders,
        next: &mut Vec<Node>,
        links: &mut Vec<Link>,
        seen: &mut Seen,
    ) {
        let mut state = parent.state;
        orders[self.me.index()] = order(action);
        if !advance(self.game, &mut state, &orders, self.me) {
            return;
        }
        let Some(judged) = self.judge(parent, &state, depth + 1) else { return };
        let link = links.len() as u32;
        let fingerprint = fingerprint(&state, self.me);
        let score = judged.score + self.taste.luck(fingerprint);
        let Judged { gained, caught, left, .. } = judged;
        let node = Node { state, gained, score, link, left, caught };
        match seen.find(fingerprint, next.len() as u32) {
            None => next.push(node),
            Some(place) if next[place as usize].score < score => next[place as usize] = node,
            Some(_) => return,
        }
        links.push((parent.link, action));
    }

    /// What a state is worth, `time` rounds from now: what has been gained for good, and all in all. None where no way
    /// leads out.
    fn judge(&self, parent: &Node, state: &State, time: usize) -> Option<Judged> {
        let me = self.me;
        let forecast = Forecast::of(self.game, state, me);
        let player = state.player(me);
        let (_, narrowest) = forecast.refuges(player.cell);
        if narrowest == 0 {
            return None;
        }
        let taste = self.taste;
        let before = &parent.state;
        let mut gained = parent.gained;
        let mut caught = parent.caught;
        let mut burning = 0.0;
        for seat in state.living {
            let weight = if seat == me { 1.0 } else { -taste.deny };
            let scored = state.player(seat).boxes - before.player(seat).boxes;
            gained += weight * f32::from(scored) * taste.box_worth(time);
            for update in 1..=forecast.last {
                let boxes = forecast.boxes[update][seat.index()];
                if boxes > 0 {
                    burning += weight * f32::from(boxes) * taste.box_worth(time + update);
                }
            }
        }
        if taste.trap > 0.0 && !caught && time <= PREY_DEPTH {
            for seat in state.living {
                let known = self.scripts[seat.index()].len() >= time;
                if seat != me && known && self.is_caught(state, &forecast, seat) {
                    gained += taste.trap / time as f32;
                    caught = true;
                }
            }
        }
        let mut count = usize::from(player.available);
        let mut away = 0;
        for bomb in state.bombs.iter().filter(|bomb| bomb.owner == me.0) {
            count += 1;
            away += usize::from(state.rounds_left(bomb));
        }
        let score = gained + burning + taste.bombs(count) + taste.range(player.range)
            - taste.bomb_out * away as f32
            + taste.near(player.cell, &forecast.boxes_left)
            - if narrowest <= 1 { taste.narrow } else { 0.0 };
        Some(Judged { gained, score, left: forecast.boxes_left, caught })
    }

    /// Whether an opponent has no way out; who is put aside or spared by bombs is not caught.
    fn is_caught(&self, state: &State, forecast: &Forecast, seat: Seat) -> bool {
        let cell = state.player(seat).cell;
        self.game.rules.blast == Blast::Everybody
            && !self.game.map.walls.contains(cell.index())
            && !forecast.survives(cell)
    }
}

/// The actions on the way to a link.
fn script(links: &[Link], mut at: u32) -> Script {
    let mut script = Script::new();
    while let Some(&(before, action)) = links.get(at as usize) {
        script.push(action);
        at = before;
    }
    script.reverse();
    script
}

/// A number for all that matters of a state from the point of view of one player.
fn fingerprint(state: &State, me: Seat) -> u64 {
    let mut hash = 0u64;
    let mut mix = |value: u64| hash = (hash.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let player = state.player(me);
    mix(player.cell.index() as u64 | u64::from(player.available) << 16 | u64::from(player.range) << 32);
    let things: CellSet = state.extra_ranges | state.extra_bombs;
    for word in state.boxes.0.into_iter().chain(things.0) {
        mix(word);
    }
    for bomb in state.bombs.iter() {
        mix(bomb.cell.index() as u64
            | u64::from(bomb.owner) << 8
            | u64::from(bomb.due) << 16
            | u64::from(bomb.range) << 32);
    }
    hash ^ hash >> 29
}

/// Which states of a layer there are already.
struct Seen {
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { slots: vec![(0, u32::MAX); 1 << 12], used: 0 }
    }
}

impl Seen {
    fn clear(&mut self) {
        self.slots.fill((0, u32::MAX));
        self.used = 0;
    }

    /// The place of the state with this fingerprint; where there is none, it gets the given one.
    fn find(&mut self, fingerprint: u64, place: u32) -> Option<u32> {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = fingerprint as usize & mask;
        loop {
            let (known, known_place) = self.slots[at];
            if known_place == u32::MAX {
                self.slots[at] = (fingerprint, place);
                self.used += 1;
                return None;
            }
            if known == fingerprint {
                return Some(known_place);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let larger = vec![(0, u32::MAX); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for (fingerprint, place) in old {
            if place != u32::MAX {
                let _ = self.find(fingerprint, place);
            }
        }
    }
}
