//! A round, in the order of the rules (section 7).

use std::borrow::Cow;

use game::{Fault, FaultKind, Log, Seat, Seats, quote};

use crate::blast::Explosions;
use crate::event::Event;
use crate::grid::{Cell, CellSet};
use crate::list::List;
use crate::movement::step_towards;
use crate::protocol::{Command, Order, Verb, shown_message};
use crate::rules::MAX_PLAYERS;
use crate::state::{Bomb, Item, State};
use crate::{Hypersonic, print};

/// The target cells of the players by seat: its own cell if a player does not move.
type Targets = [Cell; MAX_PLAYERS];

impl Hypersonic {
    /// Plays a round.
    pub(crate) fn play(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        if state.is_over() {
            return;
        }
        log.event(|| Event::Round { round: state.round });
        drop_out(state, orders, log);
        let update = state.round + 1;
        let mut progress = !state.bombs.is_empty(); // 1. No work here: each bomb stores the update in which it is due.
        let explosions = Explosions::of(&self.rules, &self.map, state, update, log); // 2.
        if let Some(explosions) = &explosions {
            eliminate(state, explosions.players, update, log);
        }
        let mut targets = Targets::default();
        let bombers = self.intentions(state, orders, &mut targets, log); // 3.
        progress |= !bombers.is_empty();
        self.place_bombs(state, bombers, update, log); // 4.
        if let Some(explosions) = &explosions {
            apply_explosions(state, explosions, log); // 5.
        }
        progress |= move_players(state, &targets, log); // 6.
        if let Some(explosions) = &explosions {
            remove_boxes(state, explosions, log); // 7.
        }
        self.count(state, progress, log); // 8.
    }

    /// Section 7, step 3: the intentions of the players that are not hit, on the unchanged grid. Writes their targets;
    /// returns the players that lay a bomb on their cell.
    #[inline]
    fn intentions(
        &self,
        state: &State,
        orders: &[Option<Order>],
        targets: &mut Targets,
        log: &mut impl Log<Event>,
    ) -> Seats {
        let mut bombers = Seats::NONE;
        let open = self.open_cells(state);
        for seat in state.living {
            let Some(Ok(command)) = &orders[seat.index()] else { continue };
            if command.verb == Verb::Bomb && may_bomb(state, seat, command, log) {
                bombers.add(seat);
            }
            targets[seat.index()] = step_towards(&open, state.player(seat).cell, command.x, command.y);
        }
        bombers
    }

    /// Section 7, step 4.
    #[inline]
    fn place_bombs(&self, state: &mut State, bombers: Seats, update: u16, log: &mut impl Log<Event>) {
        for seat in bombers {
            let player = &mut state.players[seat.index()];
            player.available -= 1;
            let (cell, range) = (player.cell, player.range);
            let due = update + u16::from(self.rules.fuse);
            state.bombs.push(Bomb { cell, owner: seat.0, range, due });
            state.bomb_cells.add(cell.index());
            log.event(|| Event::Bomb { seat, cell, range });
        }
    }

    /// Section 7, step 8, and section 10.
    #[inline]
    fn count(&self, state: &mut State, progress: bool, log: &mut impl Log<Event>) {
        state.round += 1;
        state.idle = if progress { self.rules.idle_rounds } else { state.idle - 1 };
        if state.boxes.is_empty() {
            state.extra = state.extra.saturating_sub(1);
        }
        state.ended = state.reasons_to_end(&self.rules);
        if state.is_over() {
            log.event(|| Event::End { reasons: state.ended.iter().collect() });
        }
    }
}

/// Section 12: a player without a valid answer is eliminated before the update begins.
#[inline]
fn drop_out(state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
    for seat in state.living {
        let order = &orders[seat.index()];
        if let Some(Ok(command)) = order {
            if let Some(message) = &command.message {
                log.event(|| Event::Message { seat, text: shown_message(message) });
            }
            continue;
        }
        let time = state.round;
        log.fault(|| answer_fault(time, seat, order.as_ref()));
        log.event(|| Event::Eliminated { seat, cell: state.player(seat).cell, time, by_explosion: false });
        state.eliminate(seat, time);
        state.disqualified.add(seat);
    }
}

/// Section 7, step 3: the players that are hit.
fn eliminate(state: &mut State, hit: Seats, update: u16, log: &mut impl Log<Event>) {
    for seat in hit {
        let cell = state.player(seat).cell;
        state.eliminate(seat, update);
        log.event(|| Event::Eliminated { seat, cell, time: update, by_explosion: true });
    }
}

/// Whether a player that is not hit may lay the bomb of its command.
#[inline]
fn may_bomb(state: &State, seat: Seat, command: &Command, log: &mut impl Log<Event>) -> bool {
    let player = state.player(seat);
    // Bombs that explode in this update are not yet available again, and still block their cells.
    if player.available == 0 {
        log.fault(|| bomb_fault(state.round, seat, command, &NO_BOMB_LEFT));
        return false;
    }
    if state.bomb_cells.contains(player.cell.index()) {
        log.fault(|| bomb_fault(state.round, seat, command, &CELL_HAS_BOMB));
        return false;
    }
    true
}

/// Section 7, step 5.
#[inline(never)]
fn apply_explosions(state: &mut State, explosions: &Explosions, log: &mut impl Log<Event>) {
    for &place in explosions.bombs.iter() {
        let bomb = state.bombs[place as usize];
        state.players[bomb.owner as usize].available += 1;
        // Bombs share a cell only if they were placed together, and then they explode together.
        state.bomb_cells.discard(bomb.cell.index());
    }
    state.bombs.retain(|place, _| !explosions.took(place));
    if !explosions.items.is_empty() {
        for cell in &explosions.items {
            let cell = Cell::of_index(cell);
            if let Some(item) = state.item(cell) {
                log.event(|| Event::ItemDestroyed { cell, item });
            }
        }
        remove_items(state, &explosions.items);
    }
    for &cell in explosions.boxes.iter() {
        let is_hit_by = |seat: &Seat| explosions.boxes_by[seat.index()].contains(cell.index());
        log.event(|| Event::Box { cell, by: Seats::first(MAX_PLAYERS as u8).filter(is_hit_by).collect() });
        for (player, boxes) in state.players.iter_mut().zip(&explosions.boxes_by) {
            player.boxes += u16::from(boxes.contains(cell.index()));
        }
    }
}

/// Section 7, step 6. Returns whether a player moved.
#[inline(always)]
fn move_players(state: &mut State, targets: &Targets, log: &mut impl Log<Event>) -> bool {
    let mut moved = false;
    let mut taken = CellSet::EMPTY;
    for seat in state.living {
        let to = targets[seat.index()];
        let from = std::mem::replace(&mut state.players[seat.index()].cell, to);
        moved |= from != to;
        if from != to {
            log.event(|| Event::Move { seat, from, to });
        }
        // A player's cell is not a box, so an item on it is on the floor. Items are rare, so this branch can be predicted;
        // one on moves could not.
        if state.extra_ranges.contains(to.index()) | state.extra_bombs.contains(to.index()) {
            take_item(state, seat, from, to, &mut taken, log);
        }
    }
    if !taken.is_empty() {
        remove_items(state, &taken);
    }
    moved
}

/// Section 9: the effect of an item on the target of a player.
#[inline(never)]
fn take_item(
    state: &mut State,
    seat: Seat,
    from: Cell,
    to: Cell,
    taken: &mut CellSet,
    log: &mut impl Log<Event>,
) {
    let Some(item) = state.item(to).filter(|_| from != to) else { return };
    // Every player that enters the cell in this update gets the item, so it is removed after all moves.
    taken.add(to.index());
    let player = &mut state.players[seat.index()];
    match item {
        Item::ExtraRange => player.range += 1,
        Item::ExtraBomb => player.available += 1,
    }
    log.event(|| Event::ItemTaken { seat, cell: to, item });
}

/// Removes items from the floor; the others keep their order.
fn remove_items(state: &mut State, cells: &CellSet) {
    state.extra_ranges -= *cells;
    state.extra_bombs -= *cells;
    state.items.retain(|_, cell| !cells.contains(cell.index()));
}

/// Section 7, step 7, and section 9: boxes become floor, and their items appear.
#[inline(never)]
fn remove_boxes(state: &mut State, explosions: &Explosions, log: &mut impl Log<Event>) {
    if explosions.boxes.is_empty() {
        return;
    }
    state.boxes -= *explosions.all_boxes();
    while 4 * explosions.boxes.len() > 3 * usize::from(state.table) {
        state.table *= 2;
    }
    let mut appearing = List::<Cell, { crate::grid::AREA }>::default();
    for &cell in explosions.boxes.iter() {
        if state.item(cell).is_some() {
            appearing.push(cell);
        }
    }
    // The sort is stable and does not allocate for few elements; few boxes are hit together.
    appearing.sort_by_key(|&cell| bucket(cell, state.table));
    for &cell in appearing.iter() {
        state.items.push(cell);
        if let Some(item) = state.item(cell) {
            log.event(|| Event::ItemAppeared { cell, item });
        }
    }
}

/// Section 9: the bucket of a box in the official referee's hash table, which determines the order of an update's
/// items.
#[inline]
const fn bucket(cell: Cell, table: u16) -> u16 {
    // The capacity is a power of two.
    (961 + 31 * cell.x() as u16 + cell.y() as u16) & (table - 1)
}

/// Why the bomb part of an order was ignored.
struct Refusal {
    code: &'static str,
    reason: &'static str,
    expected: &'static str,
    expected_fr: &'static str,
}

const NO_BOMB_LEFT: Refusal = Refusal {
    code: "no-bomb-left",
    reason: "The player has no bomb left to place; it only moves.",
    expected: "a bomb to lay, it has 0",
    expected_fr: "une bombe à poser, il en a 0",
};

const CELL_HAS_BOMB: Refusal = Refusal {
    code: "cell-has-bomb",
    reason: "There is a bomb on the player's cell already; it only moves.",
    expected: "a cell without a bomb",
    expected_fr: "une case sans bombe",
};

#[cold]
fn bomb_fault(round: u16, seat: Seat, command: &Command, refusal: &Refusal) -> Fault {
    Fault {
        turn: u32::from(round),
        seat,
        kind: FaultKind::NotAllowed,
        fatal: false,
        code: refusal.code.into(),
        reason: refusal.reason.into(),
        expected: refusal.expected.into(),
        expected_fr: refusal.expected_fr.into(),
        came: quote(&print(&Ok(command.clone()))),
    }
}

/// The fault of an answer that eliminates its player.
#[cold]
fn answer_fault(round: u16, seat: Seat, order: Option<&Order>) -> Fault {
    let (kind, code, reason, came) = match order {
        Some(Err(unreadable)) => (
            FaultKind::Unreadable,
            unreadable.mistake.code(),
            unreadable.mistake.to_string(),
            quote(&unreadable.line),
        ),
        _ => (FaultKind::Missing, "no-answer", "The player gave no answer in time.".into(), "nothing".into()),
    };
    let expected = Cow::Borrowed("`MOVE x y` or `BOMB x y`, maybe followed by a message");
    let expected_fr = Cow::Borrowed("`MOVE x y` ou `BOMB x y`, suivi ou non d’un message");
    Fault {
        turn: u32::from(round),
        seat,
        kind,
        fatal: true,
        code: code.into(),
        reason,
        expected,
        expected_fr,
        came,
    }
}
