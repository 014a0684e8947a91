//! Checks that a step allocates nothing, for games whose states are plain values: a search makes millions of steps.

// An allocator cannot be written without unsafe code; its contract is passed on unchanged to the system's allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crate::{Dice, Game, Silent};

/// The system's allocator with a count of the allocations of each thread. A test program of its own installs it:
///
/// ```
/// #[global_allocator]
/// static ALLOCATOR: game::battery::CountingAllocator = game::battery::CountingAllocator;
/// ```
#[derive(Debug)]
pub struct CountingAllocator;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is handed to the system's allocator as it came; counting touches no memory it manages.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that is ending has no counter any more; its allocations are not counted.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from `System`, and the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Plays random games of every rule set and checks that neither a step nor a copy of the state allocates.
///
/// # Panics
///
/// When one does, or when [`CountingAllocator`] is not the allocator of this program.
pub fn check_allocations<G: Game>() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert!(COUNT.get() > before, "CountingAllocator is not the global allocator");
    for selected in G::info().all() {
        for seed in 1..20 {
            let game = G::new(G::rule_set(selected), seed);
            let mut state = game.start();
            let mut dice = Dice::new(seed as u64);
            for step in 1.. {
                let seats = game.to_act(&state);
                if seats.is_empty() {
                    break;
                }
                let mut orders = vec![None; selected.players as usize];
                for seat in seats {
                    orders[seat.index()] = Some(game.random_order(&state, seat, &mut dice));
                }
                let before = COUNT.get();
                game.step(&mut state, &orders, &mut Silent);
                std::hint::black_box(state.clone());
                assert_eq!(COUNT.get(), before, "{selected:?}, seed {seed}, step {step}");
            }
        }
    }
}
