//! Random legal play.
//!
//! A start is a random water cell. A turn is made of these, in this order:
//! 1. TRIGGER of a random active mine, once in 8 turns while there is one;
//! 2. SILENCE if it is ready, once in 2 turns, in a random direction, as far as a random number of steps and the first
//!    cell in the way allow;
//! 3. once in 2 turns, the shots of step 5;
//! 4. MOVE to a random free neighbour, charging a random power (once in 16 turns none); where there is no free
//!    neighbour, SURFACE, and then, once in 2 turns, MOVE;
//! 5. unless done in step 3, each once in 2 turns if it is ready: TORPEDO, to where a random number of steps in one
//!    direction and the rest of its range in another end, or stop at an island; SONAR of a random sector; MINE on a
//!    random side, if it can lie there.
//!
//! All of it can be executed, so no game of such orders has a fault.

use game::{Dice, Seat};

use crate::Rules;
use crate::grid::{Cell, Direction, SECTORS, Sea};
use crate::map::Map;
use crate::order::{Action, Chain, Order, Power};
use crate::state::{Phase, State, Submarine};

/// A random order that the rules allow.
#[inline]
pub(crate) fn order(rules: &Rules, map: &Map, state: &State, seat: Seat, dice: &mut Dice) -> Order {
    if let Phase::Placement(_) = state.phase {
        let cell = random_cell(map.water(), dice);
        return Order::Place { x: cell.map_or(0, Cell::x), y: cell.map_or(0, Cell::y) };
    }
    let mut plan = Plan {
        rules,
        map,
        submarine: *state.submarine(seat),
        chain: Chain::new(),
        bits: Bits { bits: dice.bits() },
    };
    plan.submarine.fresh_mine = None;
    plan.trigger(dice);
    plan.silence();
    let early = plan.bits.one_in_2();
    if early {
        plan.shoot();
    }
    plan.go();
    if !early {
        plan.shoot();
    }
    plan.chain.into()
}

fn random_cell(cells: &Sea, dice: &mut Dice) -> Option<Cell> {
    match cells.len() {
        0 => None,
        count => cells.nth(dice.below(count)).map(Cell::from_index),
    }
}

/// One roll of the dice is enough for all the small choices of a turn; each takes its bits from the low end.
struct Bits {
    bits: u64,
}

impl Bits {
    /// A number below `1 << width`.
    #[inline]
    const fn take(&mut self, width: u32) -> u32 {
        let value = self.bits & ((1 << width) - 1);
        self.bits >>= width;
        value as u32
    }

    #[inline]
    const fn one_in_2(&mut self) -> bool {
        self.take(1) == 0
    }

    /// A number below `n`, which is small, as fair as 8 bits make it.
    #[inline]
    const fn below(&mut self, n: u32) -> u32 {
        (self.take(8) * n) >> 8
    }

    #[inline]
    const fn direction(&mut self) -> Direction {
        Direction::ALL[self.take(2) as usize]
    }
}

/// A turn while it is made up, with the submarine as it will be then.
struct Plan<'a> {
    rules: &'a Rules,
    map: &'a Map,
    submarine: Submarine,
    chain: Chain,
    bits: Bits,
}

impl Plan<'_> {
    #[inline]
    fn trigger(&mut self, dice: &mut Dice) {
        if self.bits.take(3) == 0
            && let Some(target) = random_cell(&self.submarine.mines, dice)
        {
            self.submarine.mines.discard(target.index());
            self.chain.push(Action::Trigger { target: Some(target) });
        }
    }

    /// The neighbour, if a submarine may go there.
    #[inline]
    fn free(&self, direction: Direction) -> Option<Cell> {
        let next = self.map.neighbour(self.submarine.cell, direction)?;
        (!self.submarine.visited.contains(next.index())).then_some(next)
    }

    #[inline]
    fn silence(&mut self) {
        if !self.submarine.is_ready(self.rules, Power::Silence) || self.bits.one_in_2() {
            return;
        }
        let direction = self.bits.direction();
        let wanted = self.bits.below(u32::from(self.rules.silence_steps) + 1) as u8;
        let mut steps = 0;
        while steps < wanted
            && let Some(next) = self.free(direction)
        {
            self.submarine.cell = next;
            self.submarine.visited.add(next.index());
            steps += 1;
        }
        self.chain.push(Action::Silence { direction, steps });
    }

    #[inline]
    fn go(&mut self) {
        if !self.go_one() {
            self.submarine.visited = Sea::only(self.submarine.cell.index());
            self.chain.push(Action::Surface);
            if self.bits.one_in_2() {
                self.go_one();
            }
        }
    }

    /// Moves if there is a free neighbour.
    #[inline]
    fn go_one(&mut self) -> bool {
        let first = self.bits.take(2) as usize;
        let mut directions = (0..4).map(|i| Direction::ALL[(first + i) % 4]);
        let Some((direction, next)) = directions.find_map(|d| self.free(d).map(|next| (d, next))) else {
            return false;
        };
        let charge = self.power();
        self.submarine.cell = next;
        if let Some(power) = charge {
            self.submarine.charges[power as usize] += 1;
        }
        self.chain.push(Action::Move { direction, charge });
        true
    }

    /// The power a move charges. In leagues without the one that was drawn, it is the torpedo.
    #[inline]
    fn power(&mut self) -> Option<Power> {
        if self.bits.take(4) == 0 {
            return None;
        }
        let power = Power::ALL[self.bits.take(2) as usize];
        Some(if self.rules.charge(power).is_some() { power } else { Power::Torpedo })
    }

    #[inline]
    fn shoot(&mut self) {
        let Plan { rules, map, .. } = *self;
        let from = self.submarine.cell;
        if self.submarine.is_ready(rules, Power::Torpedo) && self.bits.one_in_2() {
            let range = u32::from(rules.torpedo_range);
            let first = self.bits.below(range + 1);
            let mut target = from;
            for steps in [first, range - first] {
                let direction = self.bits.direction();
                for _ in 0..steps {
                    target = map.neighbour(target, direction).unwrap_or(target);
                }
            }
            self.chain.push(Action::Torpedo { target: Some(target) });
        }
        if self.submarine.is_ready(rules, Power::Sonar) && self.bits.one_in_2() {
            let sector = 1 + self.bits.below(SECTORS.into()) as u8;
            self.chain.push(Action::Sonar { sector });
        }
        if self.submarine.is_ready(rules, Power::Mine) && self.bits.one_in_2() {
            let direction = self.bits.direction();
            let cell = map.neighbour(from, direction);
            if cell.is_some_and(|cell| !self.submarine.mines.contains(cell.index())) {
                self.chain.push(Action::Mine { direction });
            }
        }
    }
}
