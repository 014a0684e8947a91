//! Random play gives the same games however many threads play them.

use std::sync::atomic::{AtomicU64, Ordering};

use catalog::simulate::Plan;

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    for game in catalog::games() {
        let selected = game.select(&game::Selection::default()).unwrap();
        let tally = |workers| {
            let done = AtomicU64::new(0);
            let plan = Plan {
                selected,
                first_seed: 5,
                games: 300,
                workers,
                maps_only: false,
                done: &done,
                record: None,
            };
            let tally = game.simulate(&plan);
            assert_eq!(done.load(Ordering::Relaxed), 300);
            tally
        };
        let one = tally(1);
        assert_eq!(one.games, 300);
        assert_eq!(one.wins.iter().sum::<u64>() + one.draws, 300);
        assert_eq!(one, tally(3), "{}", game.info().name);
    }
}

#[test]
fn seeds_may_run_over_the_end() {
    for game in catalog::games() {
        let selected = game.select(&game::Selection::default()).unwrap();
        let done = AtomicU64::new(0);
        let plan = Plan {
            selected,
            first_seed: i64::MAX,
            games: 2,
            workers: 1,
            maps_only: true,
            done: &done,
            record: None,
        };
        assert_eq!(game.simulate(&plan).games, 2);
    }
}
