//! Matches by their properties, two bots against each other, names.

use model::{LadderKind, Tier};
use store::{MatchSearch, Outcome};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, result};

on_both!(matches_by_their_properties, two_bots);

async fn matches_by_their_properties(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, ann_bot, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let (_, _, eve) = arena.climber("Eve").await;
    arena.play(&arena.two, &[ann.id, bob.id], &[1, 2]).await;
    arena.play(&arena.two, &[eve.id, ann.id], &[1, 2]).await;
    arena.enqueue(&arena.two, &[bob.id, eve.id], 0).await;
    let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
    let mut crashed = result(&[1, 2]);
    crashed.seats[1].cause = Some("crash".to_owned());
    crashed.ending = serde_json::json!({"turns": 40});
    crashed.finished = 99;
    arena.store.record(leased.id, leased.token, &crashed, &|_| Vec::new()).await.unwrap();
    let test = arena
        .store
        .ensure_ladder(arena.contest.id, "hypersonic", Tier(1), 2, LadderKind::Test)
        .await
        .unwrap();
    arena.play(&test, &[ann.id, bob.id], &[1, 2]).await;

    let base = MatchSearch { limit: 50, ..MatchSearch::default() };
    let name = |name: &str| Some(name.to_owned());
    let found = async |search: MatchSearch| -> Vec<i64> {
        arena.store.find_matches(&search).await.unwrap().iter().map(|row| row.seq.unwrap()).collect()
    };
    assert_eq!(found(base.clone()).await, [3, 2, 1], "tests are not found");
    assert_eq!(found(MatchSearch { player: name("ann"), ..base.clone() }).await, [2, 1]);
    assert_eq!(found(MatchSearch { bot: Some(ann_bot.id), ..base.clone() }).await, [2, 1]);
    assert_eq!(
        found(MatchSearch { player: name("Ann"), outcome: Some(Outcome::Lost), ..base.clone() }).await,
        [2]
    );
    assert_eq!(found(MatchSearch { player: name("Ann"), opponent: name("Bob"), ..base.clone() }).await, [1]);
    assert_eq!(found(MatchSearch { opponent: name("Bob"), ..base.clone() }).await, [3, 1]);
    assert!(found(MatchSearch { player: name("Nobody"), ..base.clone() }).await.is_empty());
    assert_eq!(found(MatchSearch { cause: name("crash"), ..base.clone() }).await, [3]);
    assert_eq!(found(MatchSearch { cause: name(""), ..base.clone() }).await, [3]);
    assert!(found(MatchSearch { cause: name("x' OR 1 = 1 --"), ..base.clone() }).await.is_empty());
    assert_eq!(found(MatchSearch { seed: Some(7), ..base.clone() }).await, [3, 2, 1]);
    assert!(found(MatchSearch { seed: Some(8), ..base.clone() }).await.is_empty());
    assert_eq!(found(MatchSearch { turns: (Some(40), Some(40)), ..base.clone() }).await, [3]);
    assert_eq!(found(MatchSearch { finished: (None, Some(50)), ..base.clone() }).await, [2, 1]);
    assert_eq!(
        found(MatchSearch { tier: Some(Tier(1)), game: name("hypersonic"), limit: 1, ..base.clone() }).await,
        [3]
    );
    assert!(found(MatchSearch { tier: Some(Tier(0)), ..base }).await.is_empty());
}

async fn two_bots(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, ann_bot, ann) = arena.climber("Ann").await;
    let (_, bob_bot, bob) = arena.climber("Bob_2").await;
    for ranks in [[1, 2], [1, 2], [2, 1], [1, 1]] {
        arena.play(&arena.two, &[ann.id, bob.id], &ranks).await;
    }
    arena.play(&arena.two, &[bob.id, ann.id], &[1, 2]).await;
    let results = arena.store.head_to_head(ann_bot.id, bob_bot.id).await.unwrap();
    let shown: Vec<_> =
        results.iter().map(|one| (one.tier, one.seat, one.wins, one.draws, one.losses)).collect();
    assert_eq!(shown, [(Tier(1), 0, 2, 1, 1), (Tier(1), 1, 0, 0, 1)]);
    let worst = arena.store.worst_losses(ann_bot.id).await.unwrap();
    assert_eq!(worst.len(), 2);
    assert_eq!(arena.store.find_users("b_").await.unwrap(), ["Bob_2"]);
    assert!(arena.store.find_users("%").await.unwrap().is_empty());
    let bots = arena.store.find_bots("boss").await.unwrap();
    assert_eq!(bots.len(), 2);
    assert!(bots.iter().all(|bot| bot.user_id.is_none()));
}
