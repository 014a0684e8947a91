//! Plans: which blocks of rails to join next, and where to hit. Cheap enough to be made in the middle of a simulation.
//!
//! A plan joins two blocks by the cheapest route. Every wish between a town of one and a town of the other then runs over all
//! the new tracks, so a plan is worth its tracks times those wishes; rails that stand already add to it or take from it, by
//! whose they are. Plans are ranked by worth per paint, and a plan that takes long is worth less, since fewer turns are left
//! for it to pay (rules, section 11.1).

use back_track::grid::{Cells, xy};
use back_track::{Command, Map, Order, Rules, State};

use super::ground::{FAR, Field, Ground};

/// What the planner believes about the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beliefs {
    /// Turns from now for which a connection is expected to pay, for each hit that a region takes: the game is as fast as its
    /// regions fall.
    pub(super) window: f32,
    /// Toll on a cell whose region falls with the next hit.
    pub(super) primed_toll: usize,
    /// Toll on a cell whose region falls with the hit after.
    pub(super) shaky_toll: usize,
    /// How much of a plan's worth counts for or against hitting a region it will cross.
    pub(super) foresight: f32,
    /// Whether paint that a plan leaves over goes into the next best.
    pub(super) thrift: bool,
    /// Whether those who have nothing to join build round what will fall next.
    pub(super) detours: bool,
}

impl Beliefs {
    pub(super) const USUAL: Beliefs =
        Beliefs { window: 2.0, primed_toll: 3, shaky_toll: 1, foresight: 0.3, thrift: true, detours: true };

    /// Turns from now for which a connection is expected to pay.
    pub(super) fn turns(&self, rules: &Rules) -> f32 {
        self.window * f32::from(rules.ink_threshold)
    }

    fn toll(&self, hits_left: u8) -> usize {
        match hits_left {
            0 | 1 => self.primed_toll,
            2 => self.shaky_toll,
            _ => 0,
        }
    }
}

/// Two blocks that could be joined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The block the walk started from, and the other.
    pub(super) blocks: [usize; 2],
    /// What the cheapest route costs, tolls included.
    pub(super) cost: usize,
    /// How many wishes it fulfils.
    pub(super) wishes: u32,
    /// One of them.
    pub(super) wish: usize,
}

/// The tracks a player means to place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    cells: [u16; Plan::MOST],
    len: usize,
    /// How many of the cells belong to the plan itself; the rest is for paint that is left over.
    core: usize,
    /// The wish it is for.
    wish: usize,
    /// The regions the plan itself crosses, a bit each.
    regions: u64,
    /// Points each turn that it promises.
    worth: f32,
}

impl Plan {
    const MOST: usize = 2 * FAR;
    /// No plan.
    pub(super) const NONE: Plan =
        Plan { cells: [0; Plan::MOST], len: 0, core: 0, wish: usize::MAX, regions: 0, worth: 0.0 };

    /// A plan to place these cells, in this order.
    pub(super) fn new(map: &Map, cells: impl IntoIterator<Item = u16>, wish: usize, worth: f32) -> Plan {
        let mut plan = Plan { wish, worth, ..Plan::NONE };
        for cell in cells.into_iter().take(Plan::MOST) {
            plan.cells[plan.len] = cell;
            plan.len += 1;
            plan.regions |= 1 << map.regions[usize::from(cell)];
        }
        plan.core = plan.len;
        plan
    }

    /// Adds cells for paint that is left over.
    pub(super) fn append(&mut self, cells: impl IntoIterator<Item = u16>) {
        for cell in cells {
            if self.len < Plan::MOST {
                self.cells[self.len] = cell;
                self.len += 1;
            }
        }
    }

    /// The cells of the plan itself.
    pub(super) fn core(&self) -> &[u16] {
        &self.cells[..self.core]
    }

    /// All cells.
    pub(super) fn cells(&self) -> &[u16] {
        &self.cells[..self.len]
    }

    /// Whether there is still something to do that makes sense.
    fn holds(&self, state: &State, free: &Cells) -> bool {
        self.core > 0
            && self.regions & state.inked == 0
            && state.links.active.checked_shr(self.wish as u32).is_none_or(|active| active & 1 == 0)
            && self.core().iter().any(|&cell| free.contains(usize::from(cell)))
    }

    /// Places as much of it as the paint allows; returns the paint that is left.
    pub(super) fn place(&self, map: &Map, free: &mut Cells, mut paint: u8, order: &mut Order) -> u8 {
        for &cell in self.cells() {
            if paint == 0 {
                break;
            }
            let cell = usize::from(cell);
            let cost = map.costs[cell];
            if cost <= paint && free.contains(cell) {
                paint -= cost;
                free.discard(cell);
                order.commands.push(place(cell));
            }
        }
        paint
    }
}

/// The command that places a track on a cell.
pub(super) fn place(cell: usize) -> Command {
    let (x, y) = xy(cell);
    Command::Place { x: x as u32, y: y as u32 }
}

/// Makes plans for boards of one game.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) beliefs: Beliefs,
    pub(super) ground: Ground,
    fields: Vec<Field>,
    pub(super) pairs: Vec<Pair>,
    route: Vec<u16>,
}

impl Planner {
    pub(super) fn new(beliefs: Beliefs) -> Planner {
        Planner {
            beliefs,
            ground: Ground::new(),
            fields: Vec::new(),
            pairs: Vec::with_capacity(66),
            route: Vec::with_capacity(64),
        }
    }

    /// Finds the pairs of blocks that could be joined, as if the regions `doomed`, a bit each, were inked already.
    pub(super) fn survey(&mut self, rules: &Rules, map: &Map, state: &State, doomed: u64) {
        let Planner { beliefs, ground, fields, pairs, .. } = self;
        ground.survey(rules, map, state, doomed, |hits_left| beliefs.toll(hits_left));
        pairs.clear();
        for a in 0..ground.with_towns {
            if fields.len() <= a {
                fields.push(Field::new());
            }
            let first = pairs.len();
            let mut wanted = 0u64;
            for b in a + 1..ground.with_towns {
                let (wishes, wish) = wishes_between(map, ground.blocks[a].towns, ground.blocks[b].towns);
                if wishes > 0 {
                    wanted |= 1 << b;
                    pairs.push(Pair { blocks: [a, b], cost: FAR, wishes, wish });
                }
            }
            if wanted == 0 {
                continue;
            }
            ground.walk(a, wanted, &mut fields[a]);
            for pair in &mut pairs[first..] {
                pair.cost = fields[a].reached[pair.blocks[1]];
            }
        }
        pairs.retain(|pair| pair.cost < FAR);
    }

    /// Points each turn that joining a pair promises a player over its opponent, if `new` tracks are placed for it.
    pub(super) fn worth(&self, pair: &Pair, player: usize, new: f32) -> f32 {
        let inherited: f32 = pair
            .blocks
            .iter()
            .map(|&block| {
                let block = &self.ground.blocks[block];
                let lead = block.owned[player] as f32 - block.owned[1 - player] as f32;
                // A path crosses all of a stub, but only a part of a net.
                if block.towns.count_ones() > 1 { lead * 0.4 } else { lead }
            })
            .sum();
        pair.wishes as f32 * (new + inherited)
    }

    /// How good a plan for a pair is for a player: the more the better, nothing below 0 is worth it.
    pub(super) fn merit(&self, rules: &Rules, pair: &Pair, player: usize) -> f32 {
        let cost = pair.cost as f32;
        let turns = cost / f32::from(rules.paint.max(1));
        self.worth(pair, player, cost) / cost.max(1.0) * (self.beliefs.turns(rules) - turns).max(0.0)
    }

    /// The cells to build for a pair, from the second block to the first; empty when there is no way.
    pub(super) fn route(&mut self, map: &Map, state: &State, pair: &Pair) -> &[u16] {
        let field = &self.fields[pair.blocks[0]];
        let better = |cell: usize| u32::from(state.instability[usize::from(map.regions[cell])]);
        if !self.ground.trace(field, pair.blocks[1], &mut self.route, better) {
            self.route.clear();
        }
        &self.route
    }

    /// The best plan of a player on the board last surveyed.
    pub(super) fn plan(&mut self, rules: &Rules, map: &Map, state: &State, player: usize) -> Plan {
        // The two best.
        let mut best = [(0.0, None), (0.0, None)];
        for pair in &self.pairs {
            let merit = self.merit(rules, pair, player);
            if merit > best[0].0 {
                best = [(merit, Some(*pair)), best[0]];
            } else if merit > best[1].0 {
                best[1] = (merit, Some(*pair));
            }
        }
        let Some(pair) = best[0].1 else { return Plan::NONE };
        self.route(map, state, &pair);
        let worth = self.worth(&pair, player, self.route.len() as f32);
        // The two players of a simulation begin at different ends, or they would always meet.
        let mut plan = if player == 0 {
            Plan::new(map, self.route.iter().copied(), pair.wish, worth)
        } else {
            Plan::new(map, self.route.iter().rev().copied(), pair.wish, worth)
        };
        if let Some(pair) = best[1].1.filter(|_| self.beliefs.thrift) {
            self.route(map, state, &pair);
            plan.append(self.route.iter().copied());
        }
        plan
    }

    /// Makes new plans for players whose plan is done or lost.
    pub(super) fn renew(&mut self, rules: &Rules, map: &Map, state: &State, plans: &mut [Plan; 2]) {
        let free = state.free(map);
        let holds = [0, 1].map(|player: usize| plans[player].holds(state, &free));
        if holds == [true, true] {
            return;
        }
        self.survey(rules, map, state, 0);
        for player in 0..2 {
            if !holds[player] {
                plans[player] = self.plan(rules, map, state, player);
            }
        }
        // Who has nothing to join builds round what will fall next.
        let idle = [0, 1].map(|player: usize| plans[player].len == 0);
        if idle == [false, false] || !self.beliefs.detours {
            return;
        }
        let doomed = doomed(rules, map, state);
        if doomed == 0 {
            return;
        }
        self.survey(rules, map, state, doomed);
        for player in 0..2 {
            if idle[player] {
                plans[player] = Plan { wish: usize::MAX, ..self.plan(rules, map, state, player) };
            }
        }
    }

    /// How much a player gains by hitting each region, for the points of now and for the plans of both.
    pub(super) fn hits(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        player: usize,
        plans: &[Plan; 2],
    ) -> [f32; 64] {
        let mut stakes = [0f32; 64];
        let mut wishes = state.links.active;
        while wishes != 0 {
            let wish = wishes.trailing_zeros() as usize;
            wishes &= wishes - 1;
            let points = state.links.points_of[wish];
            let stake = f32::from(points[1 - player]) - f32::from(points[player]);
            for region in Map::ids(state.links.regions_of[wish]) {
                stakes[region] += stake;
            }
        }
        for (owner, plan) in plans.iter().enumerate() {
            let sign = if owner == player { -1.0 } else { 1.0 };
            for region in Map::ids(plan.regions) {
                stakes[region] += sign * plan.worth * self.beliefs.foresight;
            }
        }
        let left = f32::from(rules.max_turns.saturating_sub(state.turns)).min(self.beliefs.turns(rules));
        for region in Map::ids(state.disruptable(rules, map)) {
            let missing = f32::from(rules.ink_threshold.saturating_sub(state.instability[region]).max(1));
            stakes[region] *= (left + 1.0 - missing).max(0.1) / missing;
        }
        stakes
    }

    /// The region a player should hit, if any.
    pub(super) fn target(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        player: usize,
        plans: &[Plan; 2],
    ) -> Option<usize> {
        let stakes = self.hits(rules, map, state, player, plans);
        let mut best = None;
        let mut most = 0.0;
        for region in Map::ids(state.disruptable(rules, map)) {
            if stakes[region] > most {
                most = stakes[region];
                best = Some(region);
            }
        }
        best
    }

    /// A whole answer of a player that follows its plan.
    pub(super) fn order(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        player: usize,
        plans: &[Plan; 2],
    ) -> Order {
        let mut order = Order::default();
        plans[player].place(map, &mut state.free(map), rules.paint, &mut order);
        if let Some(region) = self.target(rules, map, state, player, plans) {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}

/// The regions with paths that fall with the next hit, a bit each; if there are none, those that fall with the one after.
pub(super) fn doomed(rules: &Rules, map: &Map, state: &State) -> u64 {
    let mut used = 0;
    let mut wishes = state.links.active;
    while wishes != 0 {
        used |= state.links.regions_of[wishes.trailing_zeros() as usize];
        wishes &= wishes - 1;
    }
    used &= state.disruptable(rules, map);
    for hits in 1..=2 {
        let doomed = Map::ids(used)
            .filter(|&region| rules.ink_threshold.saturating_sub(state.instability[region]) <= hits)
            .fold(0, |set, region| set | 1 << region);
        if doomed != 0 {
            return doomed;
        }
    }
    0
}

/// How many wishes join a town of one set with one of the other, and one of these wishes.
fn wishes_between(map: &Map, a: u16, b: u16) -> (u32, usize) {
    let mut count = 0;
    let mut wish = usize::MAX;
    for (from, to) in [(a, b), (b, a)] {
        for town in Map::ids(u64::from(from)) {
            let desired = map.towns[town].desires & to;
            if desired != 0 {
                count += desired.count_ones();
                wish = map.wish(town, desired.trailing_zeros() as usize);
            }
        }
    }
    (count, wish)
}
