//! A step of Ocean of Code and of Hypersonic allocates nothing. A program of its own, since it counts every allocation.

// Counting allocations means standing in for the allocator, whose contract is passed on unchanged to the system's.
#![allow(unsafe_code, clippy::unwrap_used)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use game::{Dice, Game, Selection, Silent};

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator as it came; counting touches no memory it manages.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no counter any more, and nothing to count.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System`, and the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Plays random games of every rule set and counts what the steps allocate.
fn check<G: Game>() {
    for selected in G::info().all() {
        for seed in 1..20 {
            let game = G::new(G::rule_set(selected), seed);
            let mut state = game.start();
            let mut dice = Dice::new(seed as u64);
            while !game.to_act(&state).is_empty() {
                let mut orders = vec![None; selected.players as usize];
                for seat in game.to_act(&state) {
                    orders[seat.index()] = Some(game.random_order(&state, seat, &mut dice));
                }
                let before = COUNT.get();
                game.step(&mut state, &orders, &mut Silent);
                let copy = state.clone();
                assert_eq!(COUNT.get(), before, "{selected:?}, seed {seed}, turn {}", game.turn(&copy));
            }
        }
    }
}

#[test]
fn a_step_of_ocean_of_code_allocates_nothing() {
    check::<ocean_of_code::OceanOfCode>();
}

#[test]
fn a_step_of_hypersonic_allocates_nothing() {
    check::<hypersonic::Hypersonic>();
}

#[test]
fn the_counter_counts() {
    let before = COUNT.get();
    let selection = vec![Selection::default()];
    assert!(COUNT.get() > before, "{selection:?}");
}
