//! The checks of a game as arrays of numbers.

use crate::{Arrays, Audit, Choice, Dice, Journal, Rules as _, Seat, Seats, Silent};

/// Plays `games` games on every rule set by random choices of the masks, and compares random orders with their actions.
///
/// # Panics
///
/// When an action causes a fault, an observation contains a secret, or an order that the rules allow changes on its way
/// through an action.
pub fn check_arrays<G: Arrays + Audit>(games: u32) {
    for selected in G::info().all() {
        let rules = G::rule_set(selected);
        for seed in 0..i64::from(games) {
            let context = format!("{selected:?}, seed {seed}");
            masked_game::<G>(&G::new(rules.clone(), seed), seed as u64, &context);
            translated_game::<G>(&G::new(rules.clone(), seed), seed as u64, &context);
        }
    }
}

/// A random choice of each component that its mask allows.
fn choose<G: Arrays>(mask: &[u8], dice: &mut Dice) -> Vec<Choice> {
    let mut rest = mask;
    let mut choose = |choices: usize| {
        let (own, others) = rest.split_at(choices);
        rest = others;
        assert!(own.iter().all(|&allowed| allowed <= 1), "a mask has zeros and ones");
        let allowed: Vec<usize> = (0..choices).filter(|&choice| own[choice] == 1).collect();
        assert!(!allowed.is_empty(), "a component without a choice");
        // Half of the time nothing is done, where that is a choice: else an answer has all commands in each turn.
        match allowed[0] {
            0 if dice.one_in(2) => 0,
            _ => allowed[dice.below(allowed.len() as u32) as usize] as Choice,
        }
    };
    let action = G::LAYOUT.actions.iter().map(|&(_, choices)| choose(choices)).collect();
    assert!(rest.is_empty(), "a mask is as long as its components");
    action
}

/// What a player observes.
fn observed<G: Arrays>(game: &G, state: &G::State, seat: Seat) -> (Vec<u8>, Vec<f32>, Vec<u8>) {
    let layout = G::LAYOUT;
    // Every entry must be written: what stood there before must not matter.
    let mut planes = vec![77; layout.planes.len() * layout.area()];
    let (mut scalars, mut mask) = (vec![-77.0; layout.scalars.len()], vec![77; layout.mask()]);
    let view = game.view(state, seat);
    game.observe(&view, &mut planes, &mut scalars);
    game.mask(&view, &mut mask);
    assert!(!scalars.contains(&-77.0) && !mask.contains(&77), "an entry is not written");
    let mut hidden_planes = vec![77; layout.hidden_planes.len() * layout.area()];
    let mut hidden_scalars = vec![-77.0; layout.hidden_scalars.len()];
    game.reveal(state, seat, &mut hidden_planes, &mut hidden_scalars);
    assert!(!hidden_planes.contains(&77) && !hidden_scalars.contains(&-77.0), "an entry is not written");
    (planes, scalars, mask)
}

/// Plays random choices to the end: no fault, no secret in an observation, and the action of an order is the action that
/// made it, as far as it has an effect.
fn masked_game<G: Arrays + Audit>(game: &G, seed: u64, context: &str) {
    let (mut state, mut dice) = (game.start(), Dice::new(seed));
    while !game.to_act(&state).is_empty() {
        let context = format!("{context}, turn {}", game.turn(&state));
        let mut orders = vec![None; game.rules().players() as usize];
        for seat in Seats::first(game.rules().players()) {
            let seen = observed(game, &state, seat);
            let disguised = game.disguised(&state, seat, &mut dice);
            assert_eq!(observed(game, &disguised, seat), seen, "{context}: player {seat} observes a secret");
            if !game.to_act(&state).contains(seat) {
                continue;
            }
            let view = game.view(&state, seat);
            let order = game.order_of(&view, &choose::<G>(&seen.2, &mut dice));
            let mut action = vec![77; G::LAYOUT.actions.len()];
            assert!(game.action_of(&view, &order, &mut action), "{context}: {order:?} has no action");
            assert_eq!(game.order_of(&view, &action), order, "{context}: {action:?}");
            let choices = action.iter().zip(G::LAYOUT.actions);
            assert!(choices.clone().all(|(&choice, &(_, choices))| usize::from(choice) < choices));
            let line = G::print(&order);
            assert_eq!(G::parse(&view, &line), order, "{context}: {}", crate::quote(&line));
            orders[seat.index()] = Some(order);
        }
        let mut journal = Journal::default();
        game.step(&mut state, &orders, &mut journal);
        assert!(journal.faults.is_empty(), "{context}: {}", journal.faults[0]);
    }
}

/// Plays random orders: an order and the order of its action have the same effect.
fn translated_game<G: Arrays + Audit>(game: &G, seed: u64, context: &str) {
    let (mut state, mut dice) = (game.start(), Dice::new(seed));
    while !game.to_act(&state).is_empty() {
        let context = format!("{context}, turn {}", game.turn(&state));
        let mut orders = vec![None; game.rules().players() as usize];
        let mut translated = orders.clone();
        for seat in game.to_act(&state) {
            let view = game.view(&state, seat);
            let order = game.random_order(&state, seat, &mut dice);
            let mut action = vec![77; G::LAYOUT.actions.len()];
            assert!(game.action_of(&view, &order, &mut action), "{context}: {order:?} has no action");
            translated[seat.index()] = Some(game.order_of(&view, &action));
            orders[seat.index()] = Some(order);
        }
        let mut after = state.clone();
        game.step(&mut after, &translated, &mut Silent);
        game.step(&mut state, &orders, &mut Silent);
        assert_eq!(after, state, "{context}: {orders:?} became {translated:?}");
    }
}
