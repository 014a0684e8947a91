//! A beam search for one player: the search goes on from the best states of each round and drops the others. The actions of the
//! other players are given as scripts; a player whose script has ended is taken off the board.
//!
//! A state is judged by what is certain: boxes scored, boxes that burning bombs will score, items taken. A state from which no way
//! leads out of the explosions is dropped at once.

use game::Seat;
use hypersonic::{Blast, Cell, CellSet, Forecast, Hypersonic, MAX_PLAYERS, State, beside, blast};

use super::position::{Action, Actions};
use super::simulate::{Orders, actions, advance, idle, order, put_aside, stay};
use super::value::{LEARNED, Value};
use super::visited::{DEAD, FRESH, Visited, fingerprint};
use super::weights::{FAR, ROOMY, Weights};
use bots::Budget;

/// The expected actions of a player, round by round.
pub(super) type Script = Vec<Action>;

/// A search for one player.
#[derive(Debug)]
pub(super) struct Beam<'a> {
    /// Rules and walls.
    pub(super) game: &'a Hypersonic,
    /// The player.
    pub(super) me: Seat,
    /// The evaluation.
    pub(super) weights: &'a Weights,
    /// The expected actions of the other players.
    pub(super) scripts: &'a [Script; MAX_PLAYERS],
    /// Rounds that the budget is spread over.
    pub(super) depth: usize,
    /// The most rounds, where those rounds have few states and budget is left.
    pub(super) reach: usize,
    /// The most states of a round from which the search goes on.
    pub(super) width: usize,
    /// The opponent that is hunted.
    pub(super) prey: Option<Seat>,
    /// The costs of the first actions, in the order of these actions; nothing where the list ends.
    pub(super) costs: &'a [f32],
    /// The learned value, if it has a part in the evaluation.
    pub(super) learned: Option<&'a Value>,
}

struct Node {
    state: State,
    /// The value of boxes scored so far, less the cost of the first action.
    gained: f32,
    score: f32,
    /// Its index in the list of links.
    link: u32,
    /// The boxes that no burning bomb will hit.
    left: CellSet,
    /// The cells that burning bombs will hit, where the search needs them.
    fire: CellSet,
    /// The value of an opponent caught so far.
    caught: f32,
    /// The probability that the other players are where they are expected.
    trust: f32,
    /// Whether the player has laid a bomb since the start of the search, which the others have seen.
    seen: bool,
    /// The place of the first action that led here among the first actions.
    first: u8,
    /// What the learned value adds to the score.
    learned: f32,
}

/// The value of a state, without the boxes scored so far.
struct Judged {
    worth: f32,
    left: CellSet,
    fire: CellSet,
    caught: f32,
    trust: f32,
    seen: bool,
    learned: f32,
}

/// The result of a search.
#[derive(Debug)]
pub(super) struct Found {
    /// The best plan.
    pub(super) plan: Script,
    /// The value of the state that the plan leads to. Plans of equal length can be compared by it.
    pub(super) value: f32,
    /// For each first action that the search has not dropped before, the best plan that begins with it.
    pub(super) choices: Vec<Choice>,
}

/// The best plan with one of the first actions.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The plan, as long as the search went on with such plans.
    pub(super) plan: Script,
    /// How much less it is worth than the best plan of that length.
    pub(super) behind: f32,
}

/// How a state came about: the link of the state before it, and the action.
type Link = (u32, Action);

/// Rounds for which the cell of an opponent is known well enough to trap it.
const PREY_DEPTH: usize = 8;
/// The greatest distance from an opponent at which a bomb may trap it.
const PREY_NEAR: usize = 6;

/// States with a caught opponent sort first. So many of them are kept, and beyond that one in four states: otherwise the search
/// would have no other plan when the trap fails.
const CAUGHT_LEAST: usize = 8;
/// The learned value costs more than all the rest of a state, so it is computed every second round; the states between keep that of their parents.
const LEARNED_EVERY: usize = 2;
/// The link of the first state.
const ROOT: u32 = u32::MAX;

/// Memory that one search leaves to the next, so that nothing is allocated again.
#[derive(Default)]
pub(super) struct Memory {
    layer: Vec<Node>,
    next: Vec<Node>,
    links: Vec<Link>,
    order: Vec<(f32, u32)>,
    seen: Visited,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("links", &self.links.len()).finish_non_exhaustive()
    }
}

impl Beam<'_> {
    /// The plan of a search. It has at least one action if `first` has one.
    pub(super) fn run(
        &self,
        state: &State,
        first: &[Action],
        memory: &mut Memory,
        budget: &mut Budget,
        until: f64,
    ) -> Script {
        self.search(state, first, usize::MAX, memory, budget, until).plan
    }

    /// Searches until the depth is reached or the share `until` of the budget is used. `first` are the actions to choose from now.
    /// The choices are those that the search still has after `kept` rounds, no more than the depth.
    pub(super) fn search(
        &self,
        state: &State,
        first: &[Action],
        kept: usize,
        memory: &mut Memory,
        budget: &mut Budget,
        until: f64,
    ) -> Found {
        let mut value = f32::MIN;
        let mut choices: Vec<Choice> = Vec::new();
        let mut plan: Script = first.first().copied().into_iter().collect();
        memory.links.clear();
        memory.layer.clear();
        let forecast = Forecast::of(self.game, state, self.me);
        memory.layer.push(Node {
            state: *state,
            gained: 0.0,
            score: 0.0,
            link: ROOT,
            left: forecast.boxes_left,
            fire: self.fire(&forecast),
            caught: 0.0,
            trust: 1.0,
            seen: false,
            first: 0,
            learned: 0.0,
        });
        for depth in 0..self.depth.max(self.reach) {
            let used = budget.used();
            if depth >= self.depth && used > 0.9 * until {
                break;
            }
            let share = used + (until - used) / self.depth.saturating_sub(depth).max(2) as f64;
            self.expand(depth, first, memory, budget, share);
            let Memory { next, order, links, .. } = memory;
            order.clear();
            order.extend(next.iter().zip(0..).map(|(node, place)| (node.score, place)));
            order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            // If no state of this round survives, the plan of the round before is kept.
            let Some(&(score, best)) = order.first() else { break };
            value = score;
            plan = script(links, next[best as usize].link);
            if (kept..=self.depth).contains(&(depth + 1)) {
                keep_choices(&mut choices, order, next, links);
            }
            std::mem::swap(&mut memory.layer, &mut memory.next);
        }
        Found { plan, value, choices }
    }

    /// Plays a round from the states of a layer, best first.
    fn expand(&self, depth: usize, first: &[Action], memory: &mut Memory, budget: &mut Budget, share: f64) {
        let Memory { layer, next, links, order: places, seen } = memory;
        next.clear();
        seen.clear();
        let mut per_cell = [0u16; 256];
        let count = if depth == 0 { 1 } else { places.len().min(self.width) };
        let cap = (count / self.weights.cell_share).max(self.weights.cell_least) as u16;
        let mut expanded = 0;
        let mut caught = 0;
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
            if parent.caught > 0.0 {
                if 4 * caught > expanded + 4 * CAUGHT_LEAST {
                    continue;
                }
                caught += 1;
            }
            expanded += 1;
            let orders = self.script_orders(&mut parent.state, depth);
            let mine: Actions =
                if depth == 0 { Actions::default() } else { self.worth_trying(parent, depth) };
            let choices: &[Action] = if depth == 0 { first } else { &mine };
            let parent = &layer[place];
            for (choice, &action) in choices.iter().enumerate() {
                let cost = if depth == 0 { self.costs.get(choice).copied() } else { None };
                let first = if depth == 0 { choice as u8 } else { parent.first };
                let cost = cost.unwrap_or(0.0);
                self.child(parent, action, cost, first, depth, orders.clone(), next, links, seen);
            }
            let more = budget.spend(choices.len() as u64);
            if !more || (rank % 8 == 7 && budget.used() >= share) {
                break;
            }
        }
    }

    /// The expected orders of the other players in a round. A player whose script has ended is taken off the board.
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

    /// The actions, without bombs that would score no box: boxes that burning bombs will hit are scored only by a bomb that these set
    /// off, together with them.
    fn worth_trying(&self, node: &Node, depth: usize) -> Actions {
        let state = &node.state;
        let mut all = actions(self.game, state, self.me);
        if all.iter().any(|action| action.bomb) {
            let player = state.player(self.me);
            let stops = self.game.map.walls | state.boxes | state.floor_items() | state.bomb_cells;
            let boxes = if node.fire.contains(player.cell.index()) { state.boxes } else { node.left };
            let hit = blast(&stops, player.cell, player.range) & boxes;
            if hit.is_empty() && !self.is_near_prey(state, depth) {
                all.retain(|_, action| !action.bomb);
            }
        }
        all
    }

    /// The cells that burning bombs will hit; none if no bomb is laid to be set off by them.
    fn fire(&self, forecast: &Forecast) -> CellSet {
        let mut cells = CellSet::EMPTY;
        if self.weights.shares_boxes {
            for update in 1..=forecast.last {
                cells |= forecast.danger(update);
            }
        }
        cells
    }

    /// Whether a bomb laid here could trap an opponent whose cell is known well enough.
    fn is_near_prey(&self, state: &State, depth: usize) -> bool {
        if self.weights.trap <= 0.0 || depth >= PREY_DEPTH {
            return false;
        }
        let mut others = state.living;
        others.discard(self.me);
        others.into_iter().any(|seat| apart(state, self.me, seat) <= PREY_NEAR)
    }

    #[allow(clippy::too_many_arguments)]
    fn child(
        &self,
        parent: &Node,
        action: Action,
        cost: f32,
        first: u8,
        depth: usize,
        mut orders: Orders,
        next: &mut Vec<Node>,
        links: &mut Vec<Link>,
        seen: &mut Visited,
    ) {
        let mut state = parent.state;
        orders[self.me.index()] = order(action);
        if !advance(self.game, &mut state, &orders, self.me) {
            return;
        }
        let link = links.len() as u32;
        let gained = parent.gained - cost + self.gain(&parent.state, &state, depth + 1);
        let fingerprint = fingerprint(&state, self.me);
        let slot = seen.slot(fingerprint);
        if *slot == FRESH {
            let Some(judged) = self.judge(parent, &state, action.bomb.then_some(action), depth + 1) else {
                *slot = DEAD;
                return;
            };
            *slot = next.len() as u32;
            let Judged { worth, left, fire, caught, trust, seen, learned } = judged;
            let score = gained + caught + worth + self.weights.luck(fingerprint);
            next.push(Node { state, gained, score, link, left, fire, caught, trust, seen, first, learned });
        } else if let Some(known) = next.get_mut(*slot as usize) {
            // The same state was reached on another way: the better way counts.
            if gained <= known.gained {
                return;
            }
            known.score += gained - known.gained;
            (known.state, known.gained, known.link, known.first) = (state, gained, link, first);
        } else {
            return;
        }
        links.push((parent.link, action));
    }

    /// The value of the boxes scored in a round that ends `time` rounds from now.
    fn gain(&self, before: &State, after: &State, time: usize) -> f32 {
        let mut gained = 0.0;
        for seat in after.living {
            let scored = after.player(seat).boxes - before.player(seat).boxes;
            if scored > 0 {
                gained += self.weight(seat) * f32::from(scored) * self.weights.box_worth(time);
            }
        }
        self.by_hand() * gained - self.closeness(after, time)
    }

    /// The cost of opponents that are near in a round that ends `time` rounds from now. Those whose scripts have ended stay where they were.
    fn closeness(&self, after: &State, time: usize) -> f32 {
        if self.weights.flee <= 0.0 {
            return 0.0;
        }
        let mine = after.player(self.me).cell;
        let mut near = 0;
        for seat in after.living {
            let script = &self.scripts[seat.index()];
            if let Some(action) = script.get(time - 1).or(script.last()) {
                near += FAR.saturating_sub(steps(mine, action.to));
            }
        }
        self.weights.flee * near as f32
    }

    /// The part of the evaluation by hand: boxes and what the player has.
    fn by_hand(&self) -> f32 {
        if self.learned.is_some() { 1.0 - LEARNED } else { 1.0 }
    }

    /// The weight of the boxes of a player.
    fn weight(&self, seat: Seat) -> f32 {
        if seat == self.me { 1.0 } else { -self.weights.deny }
    }

    /// The value of a state `time` rounds from now, without the boxes scored so far. `None` where no way leads out.
    fn judge(&self, parent: &Node, state: &State, bomb: Option<Action>, time: usize) -> Option<Judged> {
        let me = self.me;
        let forecast = Forecast::of(self.game, state, me);
        let player = state.player(me);
        let (_, narrowest) = forecast.refuges(CellSet::only(player.cell.index()));
        if narrowest == 0 {
            return None;
        }
        let weights = self.weights;
        let mut burning = 0.0;
        for seat in state.living {
            for update in 1..=forecast.last {
                let boxes = forecast.boxes[update][seat.index()];
                if boxes > 0 {
                    burning += self.weight(seat) * f32::from(boxes) * weights.box_worth(time + update);
                }
            }
        }
        let mut count = usize::from(player.available);
        let mut away = 0;
        for bomb in state.bombs.iter().filter(|bomb| bomb.owner == me.0) {
            count += 1;
            away += usize::from(state.rounds_left(bomb));
        }
        let things = weights.bombs(count) + weights.range(player.range) - weights.bomb_out * away as f32
            + weights.near(player.cell, &forecast.boxes_left);
        let narrow = if narrowest <= 1 { weights.narrow } else { 0.0 };
        let room = weights.room * narrowest.min(ROOMY) as f32;
        let learned = match self.learned {
            Some(value) if time.is_multiple_of(LEARNED_EVERY) => {
                value.of_state(self.game, state, &forecast, me)
            }
            _ => parent.learned,
        };
        let mut worth = self.by_hand() * (burning + things) + learned - narrow + room;
        let mut caught = parent.caught;
        if weights.trap > 0.0 && time <= PREY_DEPTH {
            for seat in state.living {
                if seat == me || !(bomb.is_some() || self.prey == Some(seat)) {
                    continue;
                }
                let Some(ways_out) = self.ways_out(&parent.state, &forecast, seat) else { continue };
                if ways_out > 0 {
                    if self.prey == Some(seat) {
                        worth -= weights.squeeze * ways_out.min(20) as f32;
                        worth -= weights.chase * apart(state, me, seat) as f32;
                    }
                } else if bomb.is_some_and(|action| self.is_caught(parent, action, seat, time)) {
                    caught = caught.max(weights.trap * parent.trust);
                }
            }
        }
        // Until the player lays a bomb, the others have no reason to change their plans.
        let seen = bomb.is_some() || parent.seen;
        let trust = parent.trust * weights.trust[usize::from(seen)];
        Some(Judged {
            worth,
            left: forecast.boxes_left,
            fire: self.fire(&forecast),
            caught,
            trust,
            seen,
            learned,
        })
    }

    /// The fewest cells on which an opponent could be at any time before all bombs have gone off: 0 if no move in this round saves
    /// it. `before` is the state at the start of the round. `None` for a player that was taken off the board.
    fn ways_out(&self, before: &State, forecast: &Forecast, seat: Seat) -> Option<u32> {
        let cell = before.player(seat).cell;
        if self.game.map.walls.contains(cell.index()) {
            return None;
        }
        let from = CellSet::only(cell.index());
        let from = from | beside(&from) & self.game.open_cells(before);
        Some(forecast.refuges(from).1)
    }

    /// Whether our action catches an opponent even if it does not lay the bomb that it is expected to lay.
    fn is_caught(&self, parent: &Node, action: Action, seat: Seat, time: usize) -> bool {
        if self.game.rules.blast != Blast::Everybody {
            return false;
        }
        let lays = self.scripts[seat.index()].get(time - 1).is_some_and(|expected| expected.bomb);
        if !lays {
            return true;
        }
        let mut state = parent.state;
        let mut orders = idle(&state);
        orders[self.me.index()] = order(action);
        if !advance(self.game, &mut state, &orders, self.me) {
            return false;
        }
        let forecast = Forecast::of(self.game, &state, seat);
        self.ways_out(&parent.state, &forecast, seat) == Some(0)
    }
}

/// Replaces the choices whose first actions a round still has by its own ones. `order` are its values and states, best first.
fn keep_choices(choices: &mut Vec<Choice>, order: &[(f32, u32)], states: &[Node], links: &[Link]) {
    let mut known = 0u16;
    for &(value, place) in order {
        let node = &states[place as usize];
        if known >> node.first & 1 == 0 {
            known |= 1 << node.first;
            let choice = Choice { plan: script(links, node.link), behind: order[0].0 - value };
            choices.retain(|other| other.plan.first() != choice.plan.first());
            choices.push(choice);
        }
    }
}

/// Steps between two players on an empty grid.
fn apart(state: &State, one: Seat, other: Seat) -> usize {
    steps(state.player(one).cell, state.player(other).cell)
}

/// Steps between two cells on an empty grid.
fn steps(one: Cell, other: Cell) -> usize {
    one.x().abs_diff(other.x()) + one.y().abs_diff(other.y())
}

/// The actions that lead to a link.
fn script(links: &[Link], mut at: u32) -> Script {
    let mut script = Script::new();
    while let Some(&(before, action)) = links.get(at as usize) {
        script.push(action);
        at = before;
    }
    script.reverse();
    script
}

#[cfg(test)]
mod tests {
    use game::Game;
    use hypersonic::{Bomb, Cell, Rules};

    use super::*;
    use crate::weights;
    use bots::Thinking;

    /// The plan of a player on (2, 1) while the other one is expected to stay in the corner (0, 0), with these boxes.
    fn plan(boxes: &[Cell], trap: f32, expected: bool) -> Script {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let mut state = game.start();
        let (me, foe) = (Seat(1), Seat(0));
        let corner = Cell::at(0, 0);
        state.players[me.index()].cell = Cell::at(2, 1);
        state.players[foe.index()].cell = corner;
        for cell in boxes {
            state.boxes.add(cell.index());
        }
        let mut scripts: [Script; MAX_PLAYERS] = Default::default();
        scripts[foe.index()] = vec![Action { bomb: false, to: corner }; 12];
        scripts[foe.index()][1].bomb = expected;
        let weights = Weights { trap, ..weights::COMMON };
        let beam = Beam {
            game: &game,
            me,
            weights: &weights,
            scripts: &scripts,
            depth: 4,
            reach: 4,
            width: 100,
            prey: None,
            costs: &[],
            learned: None,
        };
        let first = actions(&game, &state, me);
        let mut budget = Thinking::Nodes(5000).begin(false);
        beam.run(&state, &first, &mut Memory::default(), &mut budget, 1.0)
    }

    /// Whether the plan is to close the corridor of the upper row with a bomb.
    fn closes(plan: &[Action]) -> bool {
        let gate = Cell::at(2, 0);
        plan.iter().zip(&plan[1..]).any(|(before, now)| before.to == gate && now.bomb)
    }

    #[test]
    fn who_is_expected_in_a_dead_end_is_caught_there() {
        // A box closes the corridor down the left side; it is out of reach of a bomb at the gate.
        let dead_end = [Cell::at(0, 1)];
        assert!(closes(&plan(&dead_end, 60.0, false)));
        assert!(!closes(&plan(&dead_end, 0.0, false)), "without a weight for traps nobody is caught");
        assert!(!closes(&plan(&[], 60.0, false)), "there is another way out");
    }

    #[test]
    fn a_first_action_that_costs_is_taken_only_for_more() {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let state = game.start();
        let first = actions(&game, &state, Seat(0));
        let begins_with = |costs: &[f32]| {
            let beam = Beam {
                game: &game,
                me: Seat(0),
                weights: &weights::COMMON,
                scripts: &Default::default(),
                depth: 1,
                reach: 1,
                width: 100,
                prey: None,
                costs,
                learned: None,
            };
            let mut budget = Thinking::Nodes(1000).begin(false);
            beam.run(&state, &first, &mut Memory::default(), &mut budget, 1.0)[0]
        };
        for cheap in 0..first.len() {
            let mut costs = vec![5.0; first.len()];
            costs[cheap] = 0.0;
            assert_eq!(begins_with(&costs), first[cheap]);
        }
    }

    #[test]
    fn every_first_action_that_the_search_still_has_is_a_choice() {
        let game = Hypersonic::new(Rules::FULL, 1);
        let state = game.start();
        let first = actions(&game, &state, Seat(0));
        let beam = Beam {
            game: &game,
            me: Seat(0),
            weights: &weights::COMMON,
            scripts: &Default::default(),
            depth: 2,
            reach: 4,
            width: 1000,
            prey: None,
            costs: &[],
            learned: None,
        };
        let found = |kept| {
            let mut budget = Thinking::Nodes(5000).begin(false);
            beam.search(&state, &first, kept, &mut Memory::default(), &mut budget, 1.0)
        };
        let choices = found(1).choices;
        assert!(choices.len() > 1 && choices.iter().filter(|choice| choice.behind <= 0.0).count() >= 1);
        for action in first.iter().filter(|action| !action.bomb) {
            assert!(choices.iter().any(|choice| choice.plan[0] == *action), "{action:?} in {choices:?}");
        }
        assert!(found(2).choices.iter().all(|choice| choice.plan.len() == 2 && choice.behind >= 0.0));
        assert!(found(3).choices.is_empty(), "the depth is 2");
    }

    #[test]
    fn a_burning_box_is_scored_with_a_bomb_that_is_set_off() {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let mut state = game.start();
        // The bomb of the other player on (2, 0) hits the box on (4, 0), and a bomb on (2, 2).
        let (me, bomb) = (Seat(0), Cell::at(2, 0));
        state.players[me.index()].cell = Cell::at(2, 2);
        for cell in [Cell::at(4, 0), Cell::at(4, 2)] {
            state.boxes.add(cell.index());
        }
        for cell in [bomb, Cell::at(4, 1)] {
            state.bombs.push(Bomb { cell, owner: 1, range: 3, due: state.round + 6 });
            state.bomb_cells.add(cell.index());
        }
        let scores = |shares_boxes| {
            let weights = Weights { shares_boxes, ..weights::COMMON };
            let beam = Beam {
                game: &game,
                me,
                weights: &weights,
                scripts: &Default::default(),
                depth: 6,
                reach: 6,
                width: 100,
                prey: None,
                costs: &[],
                learned: None,
            };
            let mut budget = Thinking::Nodes(5000).begin(false);
            let first = [stay(&state, me)];
            let plan = beam.run(&state, &first, &mut Memory::default(), &mut budget, 1.0);
            plan.iter().any(|action| action.bomb)
        };
        assert!(scores(true));
        assert!(!scores(false), "all boxes burn already");
    }
}
