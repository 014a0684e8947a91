//! A match is played once.

use store::Recorded;

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, result};

on_both!(recorded_once, a_table_of_four);

async fn recorded_once(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let id = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let leased = arena.store.lease("w1", 100, 200).await.unwrap().unwrap();
    assert_eq!((leased.id, leased.seats.len(), leased.ladder.players), (id, 2, 2));
    assert_eq!(leased.seats[1].house.as_deref(), Some("boss-1"));
    assert!(arena.store.lease("w2", 100, 200).await.unwrap().is_none());
    let Recorded::Done { seq, .. } = arena.record(&leased, &[1, 2]).await else { panic!("not done") };
    assert_eq!(seq, 1);
    let again = arena.store.record(id, leased.token, &result(&[2, 1]), &|_| Vec::new()).await.unwrap();
    assert!(matches!(again, Recorded::Already { seq: 1 }));
    let standing = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    assert_eq!((standing.games, standing.wins, standing.listed), (1, 1, true));
    assert!(standing.rating > 25.0);
    let row = arena.store.match_row(id).await.unwrap().unwrap();
    assert_eq!(row.seats[0].rating.map(f64::to_bits), Some(standing.rating.to_bits()));
    let checked = arena.store.recompute(true, &|_, _| ()).await.unwrap();
    assert_eq!((checked.matches, checked.different), (1, 0), "{checked:?}");
}

async fn a_table_of_four(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let boss = arena.bosses[1].active_version.unwrap();
    // The boss sits twice: it moves once.
    arena.play(&arena.four, &[ann.id, boss, bob.id, boss], &[1, 2, 2, 4]).await;
    arena.play(&arena.trial, &[ann.id, boss], &[1, 2]).await;
    let games = |version| arena.store.standing(arena.four.id, version);
    let [ann, bob, boss] =
        [games(ann.id).await, games(bob.id).await, games(boss).await].map(|s| s.unwrap().unwrap());
    assert_eq!((ann.wins, bob.losses, boss.games, boss.losses), (1, 1, 1, 1));
    assert!(ann.rating > bob.rating && bob.rating > boss.rating);
    let checked = arena.store.recompute(true, &|_, _| ()).await.unwrap();
    assert_eq!((checked.matches, checked.different), (2, 0), "{checked:?}");
}
