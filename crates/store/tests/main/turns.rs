//! Accounts take turns, kinds of matches have shares, a database has one server.

use std::time::{Duration, Instant};

use model::{LadderKind, Tier, UserId};
use store::{Built, ErrorKind, NewMatch, VersionState, Voided};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, GAME, new_user};

on_both!(
    builds_take_turns,
    new_accounts_from_one_network_share_turns,
    slow_compilers_cost_a_turn,
    builds_that_fail_by_our_fault,
    kinds_of_matches_have_shares,
    tests_take_turns,
    one_server_per_database,
    bots_that_spoil_matches_are_paused,
    a_broken_host_pauses_no_bot,
    encounters_of_different_accounts,
);

/// Submits a version for each account in this order, and returns the accounts.
async fn submitted(arena: &Arena, names: &[&str]) -> Vec<UserId> {
    let mut users = Vec::new();
    for name in names {
        let user = match arena.store.user_by_name(name).await.unwrap() {
            Some(user) => user,
            None => arena.store.create_user(&new_user(name), 3).await.unwrap(),
        };
        arena.store.submit(&arena.submission(user.id), 4).await.unwrap();
        users.push(user.id);
    }
    users
}

/// The author of the next version that is built, with this result.
async fn build_next(arena: &Arena, built: &Built, now: i64) -> Option<String> {
    let version = arena.next_to_build(now).await?;
    arena.built(version.id, built, now).await;
    Some(arena.store.bot(version.bot_id).await.unwrap().unwrap().name)
}

async fn builds_take_turns(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    submitted(&arena, &["Ann", "Ann", "Ann", "Ann", "Bob", "Bob", "Cleo"]).await;
    let mut order = Vec::new();
    while let Some(name) = build_next(&arena, &Built::Ready(String::new()), 10).await {
        order.push(name);
    }
    assert_eq!(order, ["Ann", "Bob", "Cleo", "Ann", "Bob", "Ann", "Ann"]);
    // Two builds at the same time are of two accounts.
    submitted(&arena, &["Ann", "Ann", "Cleo"]).await;
    let first = arena.next_to_build(10).await.unwrap();
    let second = arena.next_to_build(10).await.unwrap();
    assert_ne!(first.bot_id, second.bot_id);
    assert!(arena.next_to_build(10).await.is_none());
}

async fn new_accounts_from_one_network_share_turns(home: &Home) {
    const NEW: i64 = store::NETWORK_LASTS_MS;
    let arena = Arena::new(home.open().await).await;
    for (name, network) in [("Eve1", Some("x")), ("Eve2", Some("x")), ("Eve3", Some("x")), ("Bob", Some("y"))]
    {
        arena.store.sign_up(&new_user(name), None, network, 3).await.unwrap();
    }
    let order = async |names: &[&str]| {
        submitted(&arena, names).await;
        let mut order = Vec::new();
        while let Some(name) = build_next(&arena, &Built::Ready(String::new()), 10).await {
            order.push(name);
        }
        order
    };
    let submissions = ["Eve1", "Eve2", "Eve3", "Eve1", "Bob", "Bob", "Ann"];
    // The accounts of a network take turns within its turns.
    assert_eq!(order(&submissions).await, ["Eve1", "Bob", "Ann", "Eve2", "Bob", "Eve3", "Eve1"]);
    let neighbours = async || -> Vec<String> {
        arena.store.neighbours().await.unwrap().into_iter().map(|account| account.name).collect()
    };
    assert_eq!(neighbours().await, ["Eve1", "Eve2", "Eve3"]);
    // Later the network is forgotten, and each account has turns of its own.
    arena.store.sweep(3 + NEW - 1).await.unwrap();
    assert_eq!(neighbours().await.len(), 3);
    arena.store.sweep(3 + NEW).await.unwrap();
    assert!(neighbours().await.is_empty());
    assert_eq!(order(&submissions).await, ["Ann", "Eve2", "Bob", "Eve3", "Eve1", "Bob", "Eve1"]);
}

async fn slow_compilers_cost_a_turn(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    submitted(&arena, &["Ann", "Ann", "Ann", "Bob", "Bob", "Bob"]).await;
    let slow = Built::Slow("the compiler took too long".to_owned());
    assert_eq!(build_next(&arena, &slow, 10).await.as_deref(), Some("Ann"));
    let mut order = Vec::new();
    while let Some(name) = build_next(&arena, &Built::Ready(String::new()), 10).await {
        order.push(name);
    }
    assert_eq!(order, ["Bob", "Bob", "Ann", "Bob", "Ann"]);
    // An account that is alone in the queue waits for nobody.
    submitted(&arena, &["Ann", "Ann"]).await;
    assert_eq!(build_next(&arena, &slow, 10).await.as_deref(), Some("Ann"));
    assert_eq!(build_next(&arena, &slow, 10).await.as_deref(), Some("Ann"));
}

async fn builds_that_fail_by_our_fault(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let users = submitted(&arena, &["Ann", "Bob"]).await;
    let ours = Built::Ours("no space left".to_owned());
    let first = arena.next_to_build(10).await.unwrap();
    let again = arena.built(first.id, &ours, 10).await;
    assert_eq!((again.state, again.attempts), (VersionState::Waiting, 1));
    // The build of another account is next.
    assert_eq!(build_next(&arena, &Built::Ready(String::new()), 10).await.as_deref(), Some("Bob"));
    assert!(arena.next_to_build(10_009).await.is_none(), "it waits before the next attempt");
    for (now, state) in [(10_010, VersionState::Waiting), (60_000, VersionState::Failed)] {
        let version = arena.next_to_build(now).await.unwrap();
        assert_eq!(version.id, first.id);
        assert_eq!(arena.built(version.id, &ours, now).await.state, state);
    }
    assert!(arena.next_to_build(i64::MAX).await.is_none());
    // The author learns whose fault it was, and nothing about the server; the admin reads the reason.
    let failed = arena.store.version(first.id).await.unwrap().unwrap();
    let log = failed.build_log.unwrap();
    assert!(log.contains("by its own fault") && !log.contains("no space"), "{log}");
    assert_eq!(arena.store.notices(users[0], None, 9).await.unwrap()[0].kind, "build_failed");
    let audit = arena.store.audit_log(None, 9).await.unwrap();
    assert!(audit[0].what.contains("by the server's fault: no space left"), "{audit:?}");
}

async fn kinds_of_matches_have_shares(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let mut ladders = vec![arena.two.clone(), arena.trial.clone()];
    for kind in [LadderKind::Test, LadderKind::Final] {
        ladders.push(arena.store.ensure_ladder(arena.contest.id, GAME, Tier(1), 2, kind).await.unwrap());
    }
    let mut matches = Vec::new();
    for (ladder, priority) in ladders.iter().zip([20, 40, 50, 30]) {
        let new = NewMatch { ladder_id: ladder.id, seed: 1, seats: vec![ann.id, boss], priority, round: 0 };
        matches.extend(std::iter::repeat_n(new, 40));
    }
    arena.store.enqueue_all(&matches, 1).await.unwrap();
    let mut leased = Vec::new();
    for _ in 0..40 {
        leased.push(arena.store.lease("w", 1, 2).await.unwrap().unwrap().ladder.kind);
    }
    let count = |kind| leased.iter().filter(|one| **one == kind).count();
    let kinds = [LadderKind::Test, LadderKind::Trial, LadderKind::Ladder, LadderKind::Final];
    assert_eq!(kinds.map(count), [10, 10, 10, 10]);
    // A share that is not needed goes to the most urgent kind.
    arena.store.cancel_of_contest(arena.contest.id).await.unwrap();
    arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let mut kinds = Vec::new();
    while let Some(one) = arena.store.lease("w", 1, 2).await.unwrap() {
        kinds.push(one.ladder.kind);
    }
    assert_eq!(kinds.len(), 31);
    assert!(kinds.iter().position(|kind| *kind == LadderKind::Ladder).unwrap() < 4);
}

async fn tests_take_turns(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let boss = arena.bosses[1].active_version.unwrap();
    let ladder =
        arena.store.ensure_ladder(arena.contest.id, GAME, Tier(1), 2, LadderKind::Test).await.unwrap();
    for (name, tests) in [("Ann", 4), ("Bob", 2), ("Cleo", 1)] {
        let (_, _, version) = arena.climber(name).await;
        for _ in 0..tests {
            arena.enqueue(&ladder, &[boss, version.id], 0).await;
        }
    }
    let mut order = Vec::new();
    while let Some(leased) = arena.store.lease("w", 1, 2).await.unwrap() {
        order.push(leased.seats[1].name.clone());
    }
    assert_eq!(order, ["Ann", "Bob", "Cleo", "Ann", "Bob", "Ann", "Ann"]);
}

async fn one_server_per_database(home: &Home) {
    let (first, second) = (home.open().await, home.open().await);
    let claim = first.claim().await.unwrap();
    let refused = second.claim().await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Conflict);
    assert!(refused.message.contains("another server runs on this database"), "{refused}");
    let claim = first.renew_claim(Some(claim)).await.unwrap();
    // The claim ends with its owner.
    let begun = Instant::now();
    let waiting = tokio::spawn(async move { second.claim().await.map(|claim| (second, claim)) });
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(claim);
    let (second, claim) = waiting.await.unwrap().unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(300));
    assert_eq!(first.renew_claim(None).await.unwrap_err().kind, ErrorKind::Conflict);
    drop(claim);
    first.claim().await.unwrap();
    for store in [first, second] {
        store.close().await;
    }
}

async fn bots_that_spoil_matches_are_paused(home: &Home) {
    const DAY: i64 = 24 * 3_600_000;
    let arena = Arena::new(home.open().await).await;
    let (user, bot, ann) = arena.climber("Ann").await;
    let (_, innocent, bob) = arena.climber("Bob").await;
    let spoil = async |by: Option<i64>, now: i64| {
        let leased = arena.store.lease("w", now, now + 10).await.unwrap().unwrap();
        arena.store.void(leased.id, leased.token, "it stopped the clock", by, now).await.unwrap()
    };
    for _ in 0..4 {
        arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    }
    // Voids by our own fault, and voids of the day before, do not count.
    assert_eq!(spoil(None, 10).await, Voided::Requeued);
    assert_eq!(spoil(Some(0), 20).await, Voided::Requeued);
    assert_eq!(spoil(Some(0), DAY + 30).await, Voided::Void);
    // Several attempts at a match count once.
    for (now, voided) in [(40, Voided::Requeued), (50, Voided::Requeued), (60, Voided::Void)] {
        assert_eq!(spoil(Some(0), DAY + now).await, voided);
    }
    assert!(arena.store.paused_bots().await.unwrap().is_empty());
    spoil(Some(0), DAY + 70).await;
    let paused = arena.store.paused_bots().await.unwrap();
    assert_eq!(paused.iter().map(|bot| bot.id).collect::<Vec<_>>(), [bot.id]);
    assert!(paused[0].paused.as_deref().unwrap().contains("it stopped the clock"), "{paused:?}");
    assert_eq!(arena.store.notices(user.id, None, 9).await.unwrap()[0].kind, "paused");
    assert!(arena.store.audit_log(None, 9).await.unwrap()[0].what.contains("was paused"));
    assert_eq!(arena.store.queue_length().await.unwrap().queued, 0);
    // The author activates a version: the bot starts again without blame.
    arena.store.activate(ann.id, DAY + 80).await.unwrap();
    arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    spoil(Some(0), DAY + 90).await;
    assert!(arena.store.paused_bots().await.unwrap().is_empty());
    assert!(arena.store.bot(innocent.id).await.unwrap().unwrap().paused.is_none());
    // A refused report blames nobody.
    let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
    for _ in 0..3 {
        let refused =
            arena.store.void(leased.id, leased.token + 1, "late", Some(0), DAY + 100).await.unwrap();
        assert_eq!(refused, Voided::Refused);
    }
    assert!(arena.store.paused_bots().await.unwrap().is_empty());
}

/// When many bots seem to spoil matches, the host is to blame, and no bot is paused.
async fn a_broken_host_pauses_no_bot(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let boss = arena.bosses[1].active_version.unwrap();
    let mut versions = Vec::new();
    for name in ["Ann", "Bob", "Cleo", "Dan"] {
        versions.push(arena.climber(name).await.2.id);
    }
    for _ in 0..4 {
        for &version in &versions {
            arena.enqueue(&arena.two, &[version, boss], 0).await;
        }
    }
    for now in 0..48 {
        let leased = arena.store.lease("w", now, now + 10).await.unwrap().unwrap();
        arena.store.void(leased.id, leased.token, "no sandbox", Some(0), now).await.unwrap();
    }
    assert!(arena.store.paused_bots().await.unwrap().is_empty());
}

async fn encounters_of_different_accounts(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (ann, ann_bot, first) = arena.climber("Ann").await;
    let (_, bob_bot, bob) = arena.climber("Bob").await;
    let boss = arena.bosses[1].active_version.unwrap();
    for ranks in [[1, 2], [1, 2], [2, 1], [1, 1]] {
        arena.play(&arena.two, &[bob.id, first.id], &ranks).await;
    }
    arena.play(&arena.four, &[first.id, boss, bob.id, boss], &[3, 1, 2, 4]).await;
    // Matches against built-in bots, and matches that are not rated, do not count.
    arena.play(&arena.two, &[first.id, boss], &[1, 2]).await;
    arena.play(&arena.trial, &[first.id, bob.id], &[1, 2]).await;
    let encounters = arena.store.encounters().await.unwrap();
    let found: Vec<_> = encounters.iter().map(|one| (one.bots, one.above)).collect();
    let bots = [ann_bot.id, bob_bot.id];
    assert_eq!(found, [(bots, [1, 2]), (bots, [0, 1])]);
    assert!(encounters[1].ratings[0] < encounters[1].ratings[1], "{encounters:?}");
    let sources = arena.store.active_sources(model::BotId(0)).await.unwrap();
    let found: Vec<_> = sources.iter().map(|one| (one.bot, one.version, one.source.as_str())).collect();
    assert_eq!(found, [(ann_bot.id, first.id, "print('WAIT')"), (bob_bot.id, bob.id, "print('WAIT')")]);
    assert_eq!(sources[0].user, ann.id);
    assert_eq!(arena.store.active_sources(ann_bot.id).await.unwrap().len(), 1);
}
