//! Random legal play.
//!
//! A start is a random water cell. A turn consists of these actions, in this order:
//! 1. TRIGGER of a random active mine, once in 8 turns while there is one;
//! 2. SILENCE if it is ready, once in 2 turns, in a random direction, for a random number of steps, limited by the
//!    first blocked cell;
//! 3. once in 2 turns, the shots of step 5;
//! 4. MOVE to a random free neighbour, charging a random power (once in 16 turns none); where there is no free
//!    neighbour, SURFACE, and then, once in 2 turns, MOVE;
//! 5. unless they were played in step 3, the shots, each once in 2 turns if it is ready: TORPEDO, to the end of a
//!    random number of steps in one direction and the rest of its range in another, or to the last cell before an
//!    island; SONAR of a random sector; MINE on a random side, if the cell is free.
//!
//! All actions can be executed, so no game of these orders has a fault. Most turns are only a move: so the other
//! actions of a turn are decided all at once, at the start.

use game::{Dice, Game, Seat};

use crate::OceanOfCode;
use crate::grid::{Cell, Direction, SECTORS, Sea, way_bit, ways};
use crate::map::Map;
use crate::order::{Action, Chain, Order, Power};
use crate::state::{Phase, State, Submarine};

/// A random order that the rules allow.
#[inline(always)]
pub(crate) fn order(game: &OceanOfCode, state: &State, seat: Seat, dice: &mut Dice) -> Order {
    if let Phase::Placement(_) = state.phase {
        let cell = random_cell(game.map().water(), dice);
        return Order::Place { x: cell.map_or(0, Cell::x), y: cell.map_or(0, Cell::y) };
    }
    let submarine = state.submarine(seat);
    let mut bits = Bits(dice.bits());
    let charge = random_power(game, &mut bits);
    let early = bits.one_in_2();
    let wishes = wishes(game, submarine, charge, early, &mut bits);
    if wishes.is_empty()
        && let Some(direction) = way(game.map(), submarine.cell, &submarine.visited, &mut bits)
    {
        return Chain::only(Action::Move { direction, charge }).into();
    }
    let Submarine { cell, visited, charges, .. } = *submarine;
    let mut plan = Plan { game, cell, visited, charges, charge, bits, chain: Chain::new() };
    plan.make(wishes, submarine, early, dice);
    plan.chain.into()
}

fn random_cell(cells: &Sea, dice: &mut Dice) -> Option<Cell> {
    match cells.len() {
        0 => None,
        count => cells.nth(dice.below(count)).map(Cell::from_index),
    }
}

/// The power that a move charges. If the league does not have the drawn power, it is the torpedo.
#[inline]
const fn random_power(game: &OceanOfCode, bits: &mut Bits) -> Option<Power> {
    let power = Power::ALL[bits.take(2) as usize];
    let power = if game.needed(power).is_some() { power } else { Power::Torpedo };
    if bits.take(4) == 0 { None } else { Some(power) }
}

/// A random number that provides all small choices of a turn; each choice takes its bits from the low end. The longest
/// turn takes fewer than 64.
struct Bits(u64);

impl Bits {
    /// A number below `1 << width`.
    #[inline]
    const fn take(&mut self, width: u32) -> u32 {
        let value = self.0 & ((1 << width) - 1);
        self.0 >>= width;
        value as u32
    }

    #[inline]
    const fn one_in_2(&mut self) -> bool {
        self.take(1) == 0
    }

    /// A number below a small `n`, as uniform as 8 bits allow.
    #[inline]
    const fn below(&mut self, n: u32) -> u32 {
        (self.take(8) * n) >> 8
    }

    #[inline]
    const fn direction(&mut self) -> Direction {
        Direction::ALL[self.take(2) as usize]
    }
}

/// The actions besides moving: a bit for each power, and a bit for a trigger.
#[derive(Clone, Copy)]
struct Wishes(u32);

impl Wishes {
    const TRIGGER: u32 = 1 << Power::ALL.len();

    #[inline]
    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    const fn trigger(self) -> bool {
        self.0 & Wishes::TRIGGER != 0
    }

    #[inline]
    const fn power(self, power: Power) -> bool {
        self.0 >> power as u32 & 1 != 0
    }
}

/// A direction for every set of free directions (bits as in [`way_bit`]) and each of 12 random values; 12 is divisible by 1,
/// 2, 3 and 4.
const WAYS: [[Direction; 12]; 16] = {
    let mut ways = [[Direction::N; 12]; 16];
    let mut free = 1usize;
    while free < 16 {
        let mut roll = 0;
        while roll < 12 {
            // The direction with this rank among the free ones, in the order of `Direction::ALL`.
            let mut rank = roll % free.count_ones();
            let mut i = 0;
            while free >> way_bit(Direction::ALL[i]) & 1 == 0 || rank > 0 {
                rank -= (free >> way_bit(Direction::ALL[i]) & 1) as u32;
                i += 1;
            }
            ways[free][roll as usize] = Direction::ALL[i];
            roll += 1;
        }
        free += 1;
    }
    ways
};

/// A turn under construction, with the submarine as it will be then.
struct Plan<'a> {
    game: &'a OceanOfCode,
    cell: Cell,
    visited: Sea,
    charges: [u8; 4],
    /// The power that the move of this turn charges.
    charge: Option<Power>,
    bits: Bits,
    chain: Chain,
}

/// The possible actions besides moving. Unless the shots are early, the power that the move charges has one charge more. There
/// is no branch, because a processor cannot predict random choices.
#[inline]
fn wishes(
    game: &OceanOfCode,
    submarine: &Submarine,
    charge: Option<Power>,
    early: bool,
    bits: &mut Bits,
) -> Wishes {
    let coins = bits.take(Power::ALL.len() as u32);
    let more = u32::from(charge.is_some()) & u32::from(!early);
    let ready = game.ready(submarine.charges, charge.unwrap_or(Power::Torpedo), more);
    let trigger = u32::from(bits.take(3) == 0) & u32::from(!submarine.mines.is_empty());
    Wishes(ready & coins | (trigger * Wishes::TRIGGER))
}

/// A random direction to move.
#[inline]
fn way(map: &Map, cell: Cell, visited: &Sea, bits: &mut Bits) -> Option<Direction> {
    let free = ways(&(*map.water() - *visited), cell);
    let roll = bits.below(12) as usize;
    (free != 0).then(|| WAYS[free][roll])
}

impl Plan<'_> {
    fn make(&mut self, wishes: Wishes, submarine: &Submarine, early: bool, dice: &mut Dice) {
        let mut mines = submarine.mines;
        // The mine of the latest turn is active by now.
        if wishes.trigger()
            && let Some(target) = random_cell(&mines, dice)
        {
            mines.discard(target.index());
            self.chain.push(Action::Trigger { target: Some(target) });
        }
        if wishes.power(Power::Silence) && self.is_ready(Power::Silence) {
            self.silence();
        }
        if early {
            self.shoot(wishes, &mines);
        }
        self.go();
        if !early {
            self.shoot(wishes, &mines);
        }
    }

    #[inline]
    fn is_ready(&self, power: Power) -> bool {
        self.game.needed(power).is_some_and(|needed| self.charges[power as usize] >= needed)
    }

    fn silence(&mut self) {
        let direction = self.bits.direction();
        let wanted = self.bits.below(u32::from(self.game.rules().silence_steps) + 1) as u8;
        let mut steps = 0;
        while steps < wanted
            && let Some(next) = self.game.map().neighbour(self.cell, direction)
            && self.visited.insert(next.index())
        {
            self.cell = next;
            steps += 1;
        }
        self.chain.push(Action::Silence { direction, steps });
    }

    fn go(&mut self) {
        if !self.go_one() {
            self.visited = Sea::only(self.cell.index());
            self.chain.push(Action::Surface);
            if self.bits.one_in_2() {
                self.go_one();
            }
        }
    }

    /// Moves if there is a free neighbour.
    fn go_one(&mut self) -> bool {
        let Some(direction) = way(self.game.map(), self.cell, &self.visited, &mut self.bits) else {
            return false;
        };
        self.cell = Cell::from_index(self.cell.toward(direction) as usize);
        if let Some(power) = self.charge {
            self.charges[power as usize] += 1;
        }
        self.chain.push(Action::Move { direction, charge: self.charge });
        true
    }

    fn shoot(&mut self, wishes: Wishes, mines: &Sea) {
        if wishes.power(Power::Torpedo) && self.is_ready(Power::Torpedo) {
            let range = u32::from(self.game.rules().torpedo_range);
            let first = self.bits.below(range + 1);
            let mut target = self.cell;
            for steps in [first, range - first] {
                let direction = self.bits.direction();
                for _ in 0..steps {
                    target = self.game.map().neighbour(target, direction).unwrap_or(target);
                }
            }
            self.chain.push(Action::Torpedo { target: Some(target) });
        }
        if wishes.power(Power::Sonar) && self.is_ready(Power::Sonar) {
            let sector = 1 + self.bits.below(SECTORS.into()) as u8;
            self.chain.push(Action::Sonar { sector });
        }
        if wishes.power(Power::Mine) && self.is_ready(Power::Mine) {
            let direction = self.bits.direction();
            let cell = self.game.map().neighbour(self.cell, direction);
            if cell.is_some_and(|cell| !mines.contains(cell.index())) {
                self.chain.push(Action::Mine { direction });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::Command;
    use crate::rules::Rules;
    use game::Silent;

    #[test]
    fn every_way_out_is_equally_likely() {
        for free in 1..16usize {
            for direction in Direction::ALL {
                let rolls = WAYS[free].iter().filter(|&&way| way == direction).count();
                let fair = if free >> way_bit(direction) & 1 != 0 { 12 / free.count_ones() } else { 0 };
                assert_eq!(rolls, fair as usize);
            }
        }
    }

    #[test]
    fn every_command_of_the_league_has_its_share() {
        const COMMANDS: [Command; 7] = [
            Command::Move,
            Command::Surface,
            Command::Trigger,
            Command::Power(Power::Torpedo),
            Command::Power(Power::Sonar),
            Command::Power(Power::Silence),
            Command::Power(Power::Mine),
        ];
        for league in 1..=4 {
            let rules = Rules::of_league(league);
            let mut dice = Dice::new(league.into());
            let (mut turns, mut counts) = (0, [0; 7]);
            for seed in 0..200 {
                let game = OceanOfCode::new(rules.clone(), seed);
                let mut state = game.start();
                while let Some(seat) = state.to_act().next() {
                    let mut orders = [None, None];
                    let order = order(&game, &state, seat, &mut dice);
                    if let Order::Turn(chain) = &order {
                        turns += 1;
                        for action in chain.actions() {
                            counts[COMMANDS.iter().position(|&c| Some(c) == action.command()).unwrap()] += 1;
                        }
                    }
                    orders[seat.index()] = Some(order);
                    game.step(&mut state, &orders, &mut Silent);
                }
            }
            for (command, count) in COMMANDS.into_iter().zip(counts) {
                if command.exists(&rules) {
                    assert!(count * 100 > turns, "league {league}, {command:?}: {count} of {turns}");
                } else {
                    assert_eq!(count, 0, "league {league}, {command:?}");
                }
            }
        }
    }
}
