//! Plans: which blocks of rails to join next, and which region to hit. Plans are cheap enough to be made within a simulation.
//!
//! A plan joins two blocks by the cheapest route. Every wish between a town of one and a town of the other then runs over all
//! the new tracks, so a plan is worth its tracks times those wishes; rails that stand already add to the value or reduce it, by
//! their owner. Plans are ranked by value per paint, and a plan that takes long is worth less, since it pays for fewer turns (rules, section 11.1).

use back_track::grid::{Cells, xy};
use back_track::{Command, MAX_TOWNS, Map, Order, Rules, State};

use super::ground::{FAR, Field, Ground};

/// The planner's assumptions about the game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beliefs {
    /// Turns for which a connection is expected to pay, for each hit that inks a region: the fewer hits, the faster the game.
    pub(super) window: f32,
    /// Toll on a cell whose region is inked by the next hit.
    pub(super) primed_toll: usize,
    /// Toll on a cell whose region is inked by the hit after the next one.
    pub(super) shaky_toll: usize,
    /// The share of a plan's value that counts for or against hitting a region that the plan crosses.
    pub(super) foresight: f32,
    /// Whether paint that a plan leaves over goes into the next best plan.
    pub(super) thrift: bool,
    /// Whether a player that has nothing to join builds round the regions that will be inked next.
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
    /// How many more tracks than its opponent each player has on the way.
    inherited: [f32; 2],
}

impl Pair {
    /// Points each turn that joining the pair promises a player over its opponent, if `new` tracks are placed for it.
    fn worth(&self, player: usize, new: f32) -> f32 {
        self.wishes as f32 * (new + self.inherited[player])
    }

    /// How good a plan for the pair is for a player: the more the better, nothing below 0 is worth it.
    fn merit(&self, player: usize, pace: Pace) -> f32 {
        let cost = self.cost as f32;
        self.worth(player, cost) / cost.max(1.0) * pace.left(cost)
    }
}

/// How fast tracks are placed, and for how many turns they pay.
#[derive(Clone, Copy)]
struct Pace {
    turns: f32,
    paint: f32,
}

impl Pace {
    /// The turns for which something pays that costs so much paint.
    fn left(self, cost: f32) -> f32 {
        (self.turns - cost / self.paint).max(0.0)
    }
}

/// A walk from one block to all others with which it shares a wish.
#[derive(Clone, Copy, Debug)]
struct Walk {
    from: usize,
    /// Its first pair; the others follow.
    first: usize,
    /// The blocks it has not come to, a bit each.
    wanted: u64,
    /// For each player, the most wishes of a pair, and the most points that a pair inherits.
    hopes: [[f32; 2]; 2],
}

impl Walk {
    fn hope(&mut self, pair: &Pair) {
        let wishes = pair.wishes as f32;
        for (hopes, inherited) in self.hopes.iter_mut().zip(pair.inherited) {
            *hopes = [hopes[0].max(wishes), hopes[1].max(wishes * inherited)];
        }
    }

    /// No pair of this walk promises a player more each turn for each paint, if it costs so much that each paint is this share of it.
    fn most(&self, player: usize, share: f32) -> f32 {
        let [wishes, inherited] = self.hopes[player];
        wishes + inherited * share
    }
}

/// A margin for rounding errors of a merit.
const SLACK: f32 = 1.0001;

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

    /// Whether the plan can still be completed and is not finished.
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
    walks: Vec<Walk>,
    route: Vec<u16>,
}

impl Planner {
    pub(super) fn new(beliefs: Beliefs) -> Planner {
        Planner {
            beliefs,
            ground: Ground::new(),
            fields: Vec::new(),
            pairs: Vec::with_capacity(66),
            walks: Vec::with_capacity(MAX_TOWNS),
            route: Vec::with_capacity(64),
        }
    }

    /// Finds the pairs of blocks that could be joined, and for how much, as if the regions `doomed`, a bit each, were inked
    /// already.
    pub(super) fn survey(&mut self, rules: &Rules, map: &Map, state: &State, doomed: u64) {
        self.pair_up(rules, map, state, doomed);
        let Planner { ground, fields, pairs, .. } = self;
        for of_one in pairs.chunk_by_mut(|a, b| a.blocks[0] == b.blocks[0]) {
            let from = of_one[0].blocks[0];
            let wanted = of_one.iter().fold(0, |wanted, pair| wanted | 1 << pair.blocks[1]);
            ground.walk(from, wanted, &mut fields[from]);
            for pair in of_one {
                pair.cost = fields[from].reached[pair.blocks[1]];
            }
        }
        pairs.retain(|pair| pair.cost < FAR);
    }

    /// Finds the best pair for each of the players `asked`, and what else is found on the way. The walks from all blocks go on
    /// side by side. Each ends when all pairs that it can still find are too expensive to be the best.
    fn glance(&mut self, rules: &Rules, map: &Map, state: &State, doomed: u64, asked: [bool; 2]) {
        self.pair_up(rules, map, state, doomed);
        let pace = self.pace(rules);
        let Planner { ground, fields, pairs, walks, .. } = self;
        walks.clear();
        for (at, pair) in pairs.iter().enumerate() {
            let [from, to] = pair.blocks;
            if walks.last().is_none_or(|walk| walk.from != from) {
                walks.push(Walk { from, first: at, wanted: 0, hopes: [[0.0; 2]; 2] });
                ground.set_out(from, &mut fields[from]);
            }
            if let Some(walk) = walks.last_mut() {
                walk.wanted |= 1 << to;
                walk.hope(pair);
            }
        }
        let mut best: [f32; 2] = [0.0; 2];
        for cost in 0..FAR {
            let left = pace.left(cost as f32);
            if left <= 0.0 {
                break;
            }
            let share = 1.0 / (cost as f32).max(1.0);
            // What a pair must promise each turn for each paint.
            let mut least = best.map(|merit| merit / (left * SLACK));
            for (least, asked) in least.iter_mut().zip(asked) {
                if !asked {
                    *least = f32::INFINITY;
                }
            }
            let mut goes_on = false;
            for walk in &mut *walks {
                if walk.wanted == 0 {
                    continue;
                }
                let field = &mut fields[walk.from];
                let hopeful = (0..2).any(|player| walk.most(player, share) >= least[player]);
                if !hopeful || !field.goes_on() {
                    walk.wanted = 0;
                    continue;
                }
                goes_on = true;
                let met = ground.go(field) & walk.wanted;
                if met == 0 {
                    continue;
                }
                walk.wanted &= !met;
                let of_walk = pairs[walk.first..].iter_mut().take_while(|pair| pair.blocks[0] == walk.from);
                for pair in of_walk.filter(|pair| met >> pair.blocks[1] & 1 != 0) {
                    pair.cost = cost;
                    for player in 0..2 {
                        best[player] = best[player].max(pair.merit(player, pace));
                    }
                }
            }
            if !goes_on {
                break;
            }
        }
        pairs.retain(|pair| pair.cost < FAR);
    }

    /// Lists the pairs of blocks with a wish between them.
    fn pair_up(&mut self, rules: &Rules, map: &Map, state: &State, doomed: u64) {
        let Planner { beliefs, ground, fields, pairs, .. } = self;
        ground.survey(rules, map, state, doomed, |hits_left| beliefs.toll(hits_left));
        if fields.len() < ground.with_towns {
            fields.resize_with(ground.with_towns, Field::new);
        }
        // By the lower block, then the higher: how many wishes, and the one that stands for all of them, chosen by the block
        // and the town it is of.
        let mut between = [[(0u8, 0u8, 0u8); MAX_TOWNS]; MAX_TOWNS];
        for (id, wish) in (0..).zip(map.wishes()) {
            let block = |town: u8| usize::from(ground.block_of_town[usize::from(town)]);
            let [from, to] = [block(wish.from), block(wish.to)];
            let (count, stands, chosen) = &mut between[from.min(to)][from.max(to)];
            let stand = 1 + wish.from + if from > to { MAX_TOWNS as u8 } else { 0 };
            if stand > *stands {
                (*stands, *chosen) = (stand, id);
            }
            *count += 1;
        }
        pairs.clear();
        for a in 0..ground.with_towns {
            for b in a + 1..ground.with_towns {
                let (wishes, _, wish) = between[a][b];
                if wishes > 0 {
                    let inherited = ground.inherited([a, b]);
                    let (wishes, wish) = (wishes.into(), wish.into());
                    pairs.push(Pair { blocks: [a, b], cost: FAR, wishes, wish, inherited });
                }
            }
        }
    }

    /// How fast tracks are placed, and for how many turns they pay.
    fn pace(&self, rules: &Rules) -> Pace {
        Pace { turns: self.beliefs.turns(rules), paint: f32::from(rules.paint.max(1)) }
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

    /// What each player could still plan: the sum of the merits of all pairs, and the greatest of them.
    pub(super) fn potential(&mut self, rules: &Rules, map: &Map, state: &State) -> [[f32; 2]; 2] {
        self.survey(rules, map, state, 0);
        let pace = self.pace(rules);
        [0, 1].map(|player: usize| {
            let merits = self.pairs.iter().map(|pair| pair.merit(player, pace).max(0.0));
            merits.fold([0.0f32; 2], |[sum, most], merit| [sum + merit, most.max(merit)])
        })
    }

    /// The best plan of a player on the board last surveyed.
    pub(super) fn plan(&mut self, rules: &Rules, map: &Map, state: &State, player: usize) -> Plan {
        // The two best.
        let mut best = [(0.0, None), (0.0, None)];
        let pace = self.pace(rules);
        for pair in &self.pairs {
            let merit = pair.merit(player, pace);
            if merit > best[0].0 {
                best = [(merit, Some(*pair)), best[0]];
            } else if merit > best[1].0 {
                best[1] = (merit, Some(*pair));
            }
        }
        let Some(pair) = best[0].1 else { return Plan::NONE };
        self.route(map, state, &pair);
        let worth = pair.worth(player, self.route.len() as f32);
        // The two players of a simulation begin at different ends: otherwise they would always meet.
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
        self.glance(rules, map, state, 0, holds.map(|holds| !holds));
        for player in 0..2 {
            if !holds[player] {
                plans[player] = self.plan(rules, map, state, player);
            }
        }
        // A player that has nothing to join builds round the regions that will be inked next.
        let idle = [0, 1].map(|player: usize| plans[player].len == 0);
        if idle == [false, false] || !self.beliefs.detours {
            return;
        }
        let doomed = doomed(rules, map, state);
        if doomed == 0 {
            return;
        }
        self.glance(rules, map, state, doomed, idle);
        for player in 0..2 {
            if idle[player] {
                plans[player] = Plan { wish: usize::MAX, ..self.plan(rules, map, state, player) };
            }
        }
    }

    /// The gain of player 0 from hitting each region: for the present points and for the plans of both players. The other player loses
    /// as much.
    fn stakes(&self, rules: &Rules, map: &Map, state: &State, plans: &[Plan; 2]) -> [f32; 64] {
        let mut stakes = [0f32; 64];
        let mut wishes = state.links.active;
        while wishes != 0 {
            let wish = wishes.trailing_zeros() as usize;
            wishes &= wishes - 1;
            let points = state.links.points_of[wish];
            let stake = f32::from(points[1]) - f32::from(points[0]);
            for region in Map::ids(state.links.regions_of[wish]) {
                stakes[region] += stake;
            }
        }
        for (plan, sign) in plans.iter().zip([-1.0, 1.0]) {
            for region in Map::ids(plan.regions) {
                stakes[region] += sign * plan.worth * self.beliefs.foresight;
            }
        }
        let left = f32::from(rules.max_turns.saturating_sub(state.turns)).min(self.beliefs.turns(rules));
        for region in Map::ids(state.disruptable(rules, map)) {
            if stakes[region] != 0.0 {
                let missing = f32::from(rules.ink_threshold.saturating_sub(state.instability[region]).max(1));
                stakes[region] *= (left + 1.0 - missing).max(0.1) / missing;
            }
        }
        stakes
    }

    /// How much a player gains by hitting each region.
    pub(super) fn hits(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        player: usize,
        plans: &[Plan; 2],
    ) -> [f32; 64] {
        let stakes = self.stakes(rules, map, state, plans);
        if player == 0 { stakes } else { stakes.map(|stake| -stake) }
    }

    /// The region each player should hit, if any.
    pub(super) fn targets(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        plans: &[Plan; 2],
    ) -> [Option<usize>; 2] {
        let stakes = self.stakes(rules, map, state, plans);
        let mut best = [None; 2];
        let mut most = [0.0; 2];
        for region in Map::ids(state.disruptable(rules, map)) {
            for (player, gain) in [stakes[region], -stakes[region]].into_iter().enumerate() {
                if gain > most[player] {
                    (most[player], best[player]) = (gain, Some(region));
                }
            }
        }
        best
    }

    /// Whole answers of players that follow their plans.
    pub(super) fn orders(&self, rules: &Rules, map: &Map, state: &State, plans: &[Plan; 2]) -> [Order; 2] {
        let targets = self.targets(rules, map, state, plans);
        [0, 1].map(|player: usize| {
            let mut order = Order::default();
            plans[player].place(map, &mut state.free(map), rules.paint, &mut order);
            if let Some(region) = targets[player] {
                order.commands.push(Command::DisruptRegion(region as u32));
            }
            order
        })
    }
}

/// The regions with paths that are inked by the next hit, a bit each; if there are none, those inked by the hit after it.
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

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;
    use crate::ground::tests::played;

    /// The best pair of a player among those that were found, with its merit.
    fn best(planner: &Planner, rules: &Rules, player: usize) -> Option<([usize; 2], usize, f32)> {
        let pace = planner.pace(rules);
        let mut best = None;
        let mut most = 0.0;
        for pair in &planner.pairs {
            let merit = pair.merit(player, pace);
            if merit > most {
                most = merit;
                best = Some((pair.blocks, pair.cost, merit));
            }
        }
        best
    }

    #[test]
    fn a_glance_finds_what_a_survey_finds_best() {
        let mut found = 0;
        for seed in 1..120 {
            let (game, state) = played(seed, seed as u16 % 60);
            let (rules, map) = (game.rules(), game.map());
            let mut planner = Planner::new(Beliefs::USUAL);
            for doomed in [0, doomed(rules, map, &state)] {
                planner.survey(rules, map, &state, doomed);
                let expected = [0, 1].map(|player| best(&planner, rules, player));
                for asked in [[true, true], [true, false], [false, true]] {
                    planner.glance(rules, map, &state, doomed, asked);
                    for player in (0..2).filter(|&player| asked[player]) {
                        assert_eq!(best(&planner, rules, player), expected[player], "seed {seed}");
                        found += usize::from(expected[player].is_some());
                    }
                }
            }
        }
        assert!(found > 300, "only {found} were looked at");
    }
}
