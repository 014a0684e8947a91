//! Actions that cannot be punished: after them a way out is left whatever the others do.

use game::Seat;
use hypersonic::{Blast, Forecast, MAX_PLAYERS};

use super::beam::Script;
use super::position::{Action, Actions, Position};
use super::simulate::{actions, advance, idle, may_bomb, order};
use super::traps::Duel;
use bots::Budget;

/// The actions after which a way out is left if nobody lays a bomb now; all of them if there are none.
pub(super) fn alive(position: &Position) -> Actions {
    let all = actions(&position.game, &position.state, position.me);
    let mut alive = all;
    alive.retain(|_, &action| lives(position, action, &[], 0));
    if alive.is_empty() { all } else { alive }
}

/// The actions that are safe against every choice of bombs laid now. If there are none: those that are safe if nobody lays
/// one, and then all.
pub(super) fn safest(position: &Position) -> Actions {
    let bombers = bombers(position);
    let alive = alive(position);
    let mut safe = alive;
    safe.retain(|_, &action| lives_through_bombs(position, action, &bombers));
    if safe.is_empty() { alive } else { safe }
}

/// The opponents that can lay a bomb now.
fn bombers(position: &Position) -> Vec<Seat> {
    position.opponents().filter(|&seat| may_bomb(&position.state, seat)).collect()
}

/// Whether a way out is left after an action, whichever of the opponents lay bombs now; that nobody does is not tried.
fn lives_through_bombs(position: &Position, action: Action, bombers: &[Seat]) -> bool {
    (1..1 << bombers.len()).all(|subset| lives(position, action, bombers, subset))
}

/// Whether a way out is left after an action if the opponents of a subset lay bombs now.
fn lives(position: &Position, action: Action, bombers: &[Seat], subset: usize) -> bool {
    let mut state = position.state;
    let mut orders = idle(&state);
    for (i, &seat) in bombers.iter().enumerate() {
        if subset >> i & 1 != 0 {
            orders[seat.index()] = order(Action { bomb: true, to: state.player(seat).cell });
        }
    }
    orders[position.me.index()] = order(action);
    advance(&position.game, &mut state, &orders, position.me)
        && Forecast::of(&position.game, &state, position.me).survives(state.player(position.me).cell)
}

/// An opponent farther away than this cannot trap anybody within the rounds that are worked out.
const NEAR: usize = 8;

/// The opponents near enough to trap or to be trapped.
fn near(position: &Position) -> impl Iterator<Item = Seat> {
    let cell = |seat| position.state.player(seat).cell;
    let mine = cell(position.me);
    let apart = move |seat: &Seat| {
        let theirs = cell(*seat);
        theirs.x().abs_diff(mine.x()) + theirs.y().abs_diff(mine.y())
    };
    position.opponents().filter(move |seat| apart(seat) <= NEAR)
}

/// The given actions that no single opponent can punish within `rounds`; all of them if every action can be punished.
pub(super) fn untrapped(
    position: &Position,
    allowed: Actions,
    rounds: u32,
    budget: &mut Budget,
    until: f64,
) -> Actions {
    if position.game.rules.blast == Blast::Nobody {
        return allowed;
    }
    let mut best = allowed;
    for rounds in 2..=rounds {
        let mut safe = best;
        for foe in near(position) {
            let duel = Duel { game: &position.game, me: position.me, foe, until };
            safe.retain(|_, &action| duel.is_safe(&position.state, action, rounds, budget));
        }
        if safe.is_empty() {
            break;
        }
        best = safe;
    }
    best
}

/// An action that certainly kills an opponent within `rounds`.
pub(super) fn kill(
    position: &Position,
    allowed: &[Action],
    rounds: u32,
    budget: &mut Budget,
    until: f64,
) -> Option<Action> {
    for rounds in 1..=rounds {
        for foe in near(position) {
            let duel = Duel { game: &position.game, me: position.me, foe, until };
            let sure = allowed.iter().find(|&&action| duel.kills(&position.state, action, rounds, budget));
            if sure.is_some() {
                return sure.copied();
            }
        }
    }
    None
}

/// What the others could do to a player after an action of its own, if they act as expected in this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exposed {
    /// One of them could kill the player for certain.
    pub(super) to_one: bool,
    /// No action of the player would survive every choice of bombs that all of them could lay then.
    pub(super) to_all: bool,
}

/// Rounds within which an opponent could kill an exposed player.
const STRIKE: u32 = 2;

/// Whether a player is exposed after an action. If the share `until` of the budget ends first, nobody is found who could kill it.
pub(super) fn exposed(
    position: &Position,
    scripts: &[Script; MAX_PLAYERS],
    action: Action,
    budget: &mut Budget,
    until: f64,
) -> Exposed {
    let Position { game, state, me } = position;
    let mut state = *state;
    let mut orders = idle(&state);
    for seat in position.opponents() {
        if let Some(&expected) = scripts[seat.index()].first() {
            orders[seat.index()] = order(expected);
        }
    }
    orders[me.index()] = order(action);
    if !advance(game, &mut state, &orders, *me) {
        return Exposed { to_one: true, to_all: true };
    }
    let after = Position { game: game.clone(), state, me: *me };
    let to_one = near(&after).any(|foe| {
        let duel = Duel { game, me: foe, foe: *me, until };
        let theirs = actions(game, &state, foe);
        (1..=STRIKE).any(|rounds| theirs.iter().any(|&their| duel.kills(&state, their, rounds, budget)))
    });
    let bombers = bombers(&after);
    let mine = actions(game, &state, *me);
    let lives_on = |action| lives(&after, action, &[], 0) && lives_through_bombs(&after, action, &bombers);
    let to_all = !mine.iter().any(|&action| lives_on(action));
    Exposed { to_one, to_all }
}

/// The nearest opponent.
pub(super) fn nearest(position: &Position) -> Option<Seat> {
    let cell = |seat: Seat| position.state.player(seat).cell;
    let mine = cell(position.me);
    position.opponents().min_by_key(|&seat| {
        let theirs = cell(seat);
        theirs.x().abs_diff(mine.x()) + theirs.y().abs_diff(mine.y())
    })
}
