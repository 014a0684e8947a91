//! A match is recorded once.

use std::collections::BTreeSet;

use model::{LadderKind, MatchId, Tier, VersionId};
use store::{
    ErrorKind, MatchResult, MatchState, NewMatch, Outcome, QueueLength, Recorded, ResultContext, ToRecord,
    Verdict, Voided,
};

use crate::home::{Home, On};
use crate::on_both;
use crate::setup::{Arena, result};

on_both!(
    recorded_once,
    results_are_recorded_together,
    matches_are_leased_together,
    a_match_of_four,
    matches_are_counted_by_worker,
    an_old_token_is_refused,
    a_wrong_result_changes_nothing,
    void_three_times,
    a_match_that_crashes_the_server_becomes_void,
    leases_run_out,
    matches_are_removed_from_the_queue,
    order_of_the_queue,
    many_workers,
    recomputing_corrects,
    scores_of_side_quests,
);

async fn recorded_once(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let id = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let leased = arena.store.lease("w1", 100, 200).await.unwrap().unwrap();
    assert_eq!((leased.id, leased.seats.len(), leased.ladder.players), (id, 2, 2));
    assert_eq!(leased.seats[1].built_in.as_deref(), Some("boss-1"));
    assert!(arena.store.lease("w2", 100, 200).await.unwrap().is_none());
    let Recorded::Done { seq, .. } = arena.record(&leased, &[1, 2]).await else { panic!("not done") };
    assert_eq!(seq, 1);
    let again = arena.store.record(id, leased.token, &result(&[2, 1]), &|_| Vec::new()).await.unwrap();
    assert!(matches!(again, Recorded::Already { seq: 1 }));
    let standing = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    assert_eq!((standing.tally.games, standing.tally.wins, standing.listed), (1, 1, true));
    assert!(standing.tally.rating > 25.0);
    let row = arena.store.match_row(id).await.unwrap().unwrap();
    assert_eq!(row.seats[0].rating.map(f64::to_bits), Some(standing.tally.rating.to_bits()));
    arena.sound(1).await;
}

/// The same matches, recorded one by one and then all at once, have the same consequences to the last bit.
async fn results_are_recorded_together(home: &Home) {
    // Promotes Bob after his second match, pauses Cid after a failure, and decides trials.
    let rule = |context: &ResultContext| -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        for seat in &context.seats {
            let own = context.standings.iter().find(|one| one.standing.version_id == seat.version_id);
            let is_second =
                own.is_some_and(|own| own.standing.tally.games == 2) && context.standings.len() > 3;
            if seat.built_in.is_none() && is_second && seat.outcome == Outcome::Won {
                verdicts.push(Verdict::Promote { bot_id: seat.bot_id });
            } else if seat.recent.len() == 2 && !seat.paused {
                verdicts.push(Verdict::Pause { bot_id: seat.bot_id, why: "it fails".into() });
            }
        }
        let winners = context.trials.iter().filter(|row| row.trial.wins == 2);
        verdicts.extend(winners.map(|row| Verdict::Promote { bot_id: row.bot_id }));
        verdicts
    };
    let arena = Arena::new(home.open().await).await;
    let on = if home.url.starts_with("sqlite") { On::Sqlite } else { On::Postgres };
    let other = Home::new(on).unwrap();
    let alone = Arena::new(other.open().await).await;
    let mut told = Vec::new();
    for (arena, together) in [(&arena, true), (&alone, false)] {
        let [ann, bob, cid] = ["Ann", "Bob", "Cid"].map(|name| arena.climber(name));
        let (ann, bob, cid) = (ann.await.2.id, bob.await.2.id, cid.await.2.id);
        let (dan, low) = (arena.player("Dan").await.2.id, arena.bosses[0].active_version.unwrap());
        let boss = arena.bosses[1].active_version.unwrap();
        for (ladder, seats) in [
            (&arena.two, vec![ann, boss]),
            (&arena.two, vec![bob, cid]),
            (&arena.four, vec![ann, boss, bob, boss]),
            (&arena.two, vec![bob, ann]),
            (&arena.two, vec![cid, bob]),
            (&arena.trial, vec![dan, low]),
            (&arena.trial, vec![low, dan]),
            (&arena.two, vec![boss, cid]),
            (&arena.two, vec![ann, bob]),
        ] {
            arena.enqueue(ladder, &seats, 1).await;
        }
        let leased = arena.store.lease_many("w", 20, 20, 30).await.unwrap();
        assert_eq!(leased.len(), 9);
        let mut leased = leased;
        leased.sort_by_key(|leased| leased.id);
        let results: Vec<MatchResult> = leased
            .iter()
            .map(|leased| {
                // The player with the smallest version wins, and Cid fails.
                let rank = |version| 1 + leased.seats.iter().filter(|seat| seat.version_id < version).count();
                let mut result =
                    result(&leased.seats.iter().map(|seat| rank(seat.version_id) as i64).collect::<Vec<_>>());
                for (seat, result) in leased.seats.iter().zip(&mut result.seats) {
                    result.cause = (seat.version_id == cid).then(|| "crash".to_owned());
                }
                result
            })
            .collect();
        let to_record: Vec<ToRecord<'_>> = (leased.iter().zip(&results))
            .map(|(leased, result)| ToRecord { id: leased.id, token: leased.token, result, rule: &rule })
            .collect();
        let recorded: Vec<Recorded> = if together {
            // Repeated, refused and wrong results change nothing.
            let (first, wrong) = (to_record[0], result(&[1]));
            let more = [
                first,
                ToRecord { token: 999, ..to_record[1] },
                ToRecord { result: &wrong, ..to_record[2] },
                ToRecord { id: MatchId(999), ..first },
            ];
            let all: Vec<ToRecord<'_>> = [&to_record[..1], &more[..], &to_record[1..]].concat();
            let mut all = arena.store.record_all(&all).await.unwrap();
            let more: Vec<_> = all.drain(1..5).collect();
            assert!(matches!(more[0], Ok(Recorded::Already { seq: 1 })), "{more:?}");
            assert!(matches!(more[1], Ok(Recorded::Refused)), "{more:?}");
            assert!(more[2].is_err() && more[3].is_err(), "{more:?}");
            all.into_iter().map(Result::unwrap).collect()
        } else {
            let mut all = Vec::new();
            for to_record in &to_record {
                let ToRecord { id, token, result, rule } = *to_record;
                all.push(arena.store.record(id, token, result, rule).await.unwrap());
            }
            all
        };
        let mut said = vec![format!("{recorded:?}")];
        for ladder in [&arena.two, &arena.four, &arena.trial] {
            for version in [ann, bob, cid, dan, low, boss] {
                said.push(format!("{:?}", arena.store.standing(ladder.id, version).await.unwrap()));
            }
        }
        for leased in &leased {
            said.push(format!("{:?}", arena.store.match_row(leased.id).await.unwrap()));
        }
        arena.sound(9).await;
        told.push(said);
    }
    assert!(told[0][0].contains("Promotion") && !told[0][0].contains("paused: [], "), "{}", told[0][0]);
    assert_eq!(told[0], told[1]);
}

/// Leased together, matches come in the same order as one by one: kinds have their shares.
async fn matches_are_leased_together(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.player("Bob").await;
    let bosses = [0, 1].map(|tier| arena.bosses[tier].active_version.unwrap());
    let mut queued = BTreeSet::new();
    for number in 0..70 {
        queued.insert(arena.enqueue(&arena.two, &[ann.id, bosses[1]], 0).await);
        if number < 5 {
            queued.insert(arena.enqueue(&arena.trial, &[bob.id, bosses[0]], 1).await);
        }
    }
    let first = arena.store.lease_many("w", 8, 20, 30).await.unwrap();
    let kinds: Vec<LadderKind> = first.iter().map(|leased| leased.ladder.kind).collect();
    let ladders = kinds.iter().filter(|kind| **kind == LadderKind::Ladder).count();
    assert!(kinds.len() == 8 && (3..=7).contains(&ladders), "{kinds:?}");
    let rest = arena.store.lease_many("w", 100, 20, 30).await.unwrap();
    let leased: BTreeSet<MatchId> = first.iter().chain(&rest).map(|leased| leased.id).collect();
    assert_eq!(leased, queued);
    let tokens: BTreeSet<i64> = first.iter().chain(&rest).map(|leased| leased.token).collect();
    assert_eq!(tokens.len(), 75);
    assert!(first.iter().chain(&rest).all(|leased| leased.seats.len() == 2));
    assert!(arena.store.lease_many("w", 100, 20, 30).await.unwrap().is_empty());
}

async fn matches_are_counted_by_worker(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, strong) = arena.climber("Ann").await;
    let (_, _, weak) = arena.climber("Bob").await;
    for (worker, ranks) in [("one", [1, 2]), ("one", [1, 2]), ("two", [1, 1]), ("two", [1, 2])] {
        arena.enqueue(&arena.two, &[strong.id, weak.id], 0).await;
        let leased = arena.store.lease(worker, 1, 2).await.unwrap().unwrap();
        let mut ended = result(&ranks);
        ended.seats[1].cause = (ranks == [1, 2]).then(|| "crash".to_owned());
        arena.store.record(leased.id, leased.token, &ended, &|_| Vec::new()).await.unwrap();
    }
    let tallies = arena.store.worker_tallies(100).await.unwrap();
    let of = |worker: &str, version: VersionId| {
        let own = tallies.iter().filter(|tally| tally.worker == worker && tally.version_id == version);
        own.fold((0, 0, 0), |sum, tally| (sum.0 + tally.played, sum.1 + tally.won, sum.2 + tally.failed))
    };
    assert_eq!([of("one", strong.id), of("two", strong.id)], [(2, 2, 0), (2, 2, 0)]);
    assert_eq!([of("one", weak.id), of("two", weak.id)], [(2, 0, 2), (2, 1, 1)]);
    assert!(tallies.iter().all(|tally| tally.ladder_id == arena.two.id && tally.strength.is_some()));
    // After some wins the one is rated above the other.
    let strengths = |version: VersionId| {
        tallies.iter().filter(move |tally| tally.version_id == version).filter_map(|tally| tally.strength)
    };
    assert!(strengths(strong.id).max() > Some(0) && strengths(weak.id).min() < Some(0), "{tallies:?}");
    assert!(arena.store.worker_tallies(1).await.unwrap().iter().all(|tally| tally.worker == "two"));
}

async fn a_match_of_four(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let boss = arena.bosses[1].active_version.unwrap();
    // The boss has two seats: its rating changes once.
    arena.play(&arena.four, &[ann.id, boss, bob.id, boss], &[1, 2, 2, 4]).await;
    let standing = |version| arena.store.standing(arena.four.id, version);
    let [a, b, c] =
        [standing(ann.id).await, standing(bob.id).await, standing(boss).await].map(|s| s.unwrap().unwrap());
    assert_eq!((a.tally.wins, b.tally.losses, c.tally.games, c.tally.losses), (1, 1, 1, 1));
    assert!(a.tally.rating > b.tally.rating && b.tally.rating > c.tally.rating);
    // A trial counts but does not change ratings; a test does neither.
    let before = arena.store.standing(arena.trial.id, ann.id).await.unwrap().unwrap();
    arena.play(&arena.trial, &[ann.id, boss], &[1, 2]).await;
    let after = arena.store.standing(arena.trial.id, ann.id).await.unwrap().unwrap();
    assert_eq!(
        (after.tally.games, after.tally.wins, after.tally.rating.to_bits()),
        (1, 1, before.tally.rating.to_bits())
    );
    let test = arena
        .store
        .ensure_ladder(arena.contest.id, "hypersonic", Tier(1), 2, model::LadderKind::Test)
        .await
        .unwrap();
    arena.play(&test, &[ann.id, boss], &[1, 2]).await;
    assert!(arena.store.standing(test.id, ann.id).await.unwrap().is_none());
    arena.sound(3).await;
}

async fn an_old_token_is_refused(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let id = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let old = arena.store.lease("w1", 100, 200).await.unwrap().unwrap();
    assert_eq!(arena.store.expire(201).await.unwrap(), 1);
    // The match is queued again: the old worker's result is refused.
    assert!(matches!(arena.record(&old, &[1, 2]).await, Recorded::Refused));
    let new = arena.store.lease("w2", 300, 400).await.unwrap().unwrap();
    assert_eq!(new.id, id);
    assert!(matches!(arena.record(&old, &[1, 2]).await, Recorded::Refused));
    assert!(!arena.store.renew(id, old.token, 900).await.unwrap());
    assert!(arena.store.renew(id, new.token, 900).await.unwrap());
    assert_eq!(arena.store.expire(500).await.unwrap(), 0);
    assert_eq!(arena.store.void(id, old.token, "late", None, 500).await.unwrap(), Voided::Refused);
    assert!(!arena.store.give_back(id, old.token).await.unwrap());
    // Refused results left no gap in the log.
    assert!(matches!(arena.record(&new, &[2, 1]).await, Recorded::Done { seq: 1, .. }));
    assert!(matches!(arena.record(&old, &[1, 2]).await, Recorded::Already { seq: 1 }));
    arena.sound(1).await;
}

async fn a_wrong_result_changes_nothing(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let leased = arena.store.lease("w1", 100, 200).await.unwrap().unwrap();
    for ranks in [&[1][..], &[1, 2, 3], &[0, 1]] {
        let refused =
            arena.store.record(leased.id, leased.token, &result(ranks), &|_| Vec::new()).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Conflict);
    }
    let none =
        arena.store.record(MatchId(999), leased.token, &result(&[1, 2]), &|_| Vec::new()).await.unwrap_err();
    assert_eq!(none.kind, ErrorKind::NotFound);
    let nobody = NewMatch {
        ladder_id: arena.two.id,
        seed: 1,
        seats: vec![ann.id, VersionId(999)],
        priority: 0,
        round: 0,
    };
    assert_eq!(arena.store.enqueue(&nobody, 1).await.unwrap_err().kind, ErrorKind::NotFound);
    assert_eq!(arena.store.queue_length().await.unwrap(), QueueLength { queued: 0, leased: 1 });
    assert!(matches!(arena.record(&leased, &[1, 2]).await, Recorded::Done { seq: 1, .. }));
}

async fn void_three_times(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let id = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    for expected in [Voided::Requeued, Voided::Requeued, Voided::Void] {
        let leased = arena.store.lease("w", 100, 200).await.unwrap().unwrap();
        assert_eq!(arena.store.void(id, leased.token, "no box", None, 150).await.unwrap(), expected);
    }
    assert!(arena.store.lease("w", 100, 200).await.unwrap().is_none());
    let voids = arena.store.voids(None, 10).await.unwrap();
    assert_eq!((voids.len(), voids[0].state, voids[0].why.as_deref()), (1, MatchState::Void, Some("no box")));
    assert_eq!(arena.store.counts().await.unwrap().voids, 1);
    assert_eq!(arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap().tally.games, 0);
    // An admin gives it another attempt.
    assert!(arena.store.requeue(id).await.unwrap());
    assert!(!arena.store.requeue(id).await.unwrap());
    let leased = arena.store.lease("w", 100, 200).await.unwrap().unwrap();
    assert!(matches!(arena.record(&leased, &[1, 2]).await, Recorded::Done { .. }));
}

async fn a_match_that_crashes_the_server_becomes_void(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let id = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    for death in 0..10 {
        let leased = arena.store.lease("host1-w1", 100, 200).await.unwrap();
        assert_eq!((leased.unwrap().id, arena.store.counts().await.unwrap().voids), (id, 0), "{death}");
        // In the first five losses the server restarts; in the others the lease expires.
        let lost = if death < 5 {
            arena.store.own_leases_to_queue("host1", 150).await
        } else {
            arena.store.expire(201).await
        };
        assert_eq!(lost.unwrap(), 1);
    }
    assert!(arena.store.lease("host1-w1", 300, 400).await.unwrap().is_none());
    let voids = arena.store.voids(None, 10).await.unwrap();
    assert!(voids[0].id == id && voids[0].why.as_deref().unwrap().contains("again and again"), "{voids:?}");
    // An admin gives it another ten attempts.
    assert!(arena.store.requeue(id).await.unwrap());
    arena.store.lease("host1-w1", 300, 400).await.unwrap().unwrap();
    arena.store.own_leases_to_queue("host1", 350).await.unwrap();
    assert!(arena.store.lease("host1-w1", 400, 500).await.unwrap().is_some());
}

async fn leases_run_out(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    for _ in 0..4 {
        arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    }
    for worker in ["host1-w1", "host1-w2", "host2-w1"] {
        arena.store.lease(worker, 100, 200).await.unwrap().unwrap();
    }
    assert_eq!(arena.store.running().await.unwrap().len(), 3);
    // A server that restarts takes back its own leases at once, and no other leases.
    assert_eq!(arena.store.own_leases_to_queue("host1", 150).await.unwrap(), 2);
    assert_eq!(arena.store.queue_length().await.unwrap(), QueueLength { queued: 3, leased: 1 });
    assert_eq!(arena.store.expire(200).await.unwrap(), 0);
    assert_eq!(arena.store.expire(201).await.unwrap(), 1);
    let back = arena.store.lease("w", 300, 400).await.unwrap().unwrap();
    assert_eq!(back.attempts, 0, "a lost lease is nobody's fault");
    assert!(arena.store.give_back(back.id, back.token).await.unwrap());
    assert_eq!(arena.store.queue_length().await.unwrap(), QueueLength { queued: 4, leased: 0 });
}

async fn matches_are_removed_from_the_queue(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let first = arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
    let other = arena.enqueue(&arena.two, &[bob.id, boss], 0).await;
    let second = arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    assert!(arena.store.cancel(first).await.unwrap());
    assert!(!arena.store.cancel(first).await.unwrap());
    assert!(arena.store.match_row(first).await.unwrap().is_none());
    // The waiting matches of a paused bot leave the queue, and no other matches.
    arena.store.set_paused(bot.id, Some("it crashes"), 50).await.unwrap();
    assert!(arena.store.match_row(second).await.unwrap().is_none());
    assert_eq!(arena.store.queued(10).await.unwrap().iter().map(|row| row.id).collect::<Vec<_>>(), [other]);
    let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
    assert!(!arena.store.cancel(leased.id).await.unwrap(), "what is being played goes on");
    arena.enqueue(&arena.two, &[bob.id, boss], 0).await;
    assert_eq!(arena.store.cancel_of_contest(arena.contest.id).await.unwrap(), 1);
}

async fn order_of_the_queue(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let new = |priority| NewMatch {
        ladder_id: arena.two.id,
        seed: 1,
        seats: vec![ann.id, boss],
        priority,
        round: 0,
    };
    let ids = arena.store.enqueue_all(&[new(0), new(5), new(5), new(-1)], 1).await.unwrap();
    let mut order = Vec::new();
    while let Some(leased) = arena.store.lease("w", 1, 2).await.unwrap() {
        order.push(leased.id);
    }
    assert_eq!(order, [ids[1], ids[2], ids[0], ids[3]]);
}

/// Eight workers lease and record as fast as they can; some leases are lost, and some results are sent twice.
async fn many_workers(home: &Home) {
    const MATCHES: usize = 120;
    let arena = Arena::new(home.open().await).await;
    let mut versions = vec![arena.bosses[1].active_version.unwrap()];
    for name in ["Ann", "Bob", "Cleo", "Dan", "Eve"] {
        versions.push(arena.climber(name).await.2.id);
    }
    for number in 0..MATCHES {
        let (a, b) = (number % 6, (number / 6 + number % 6 + 1) % 6);
        let b = if a == b { (b + 1) % 6 } else { b };
        arena.enqueue(&arena.two, &[versions[a], versions[b]], 0).await;
    }
    let mut workers = Vec::new();
    for worker in 0..8 {
        let store = arena.store.clone();
        workers.push(tokio::spawn(async move {
            let (name, mut done) = (format!("w{worker}"), Vec::new());
            while let Some(leased) = store.lease(&name, 100, 200).await.unwrap() {
                if leased.token % 7 == 0 {
                    // Lost: another worker will play it.
                    store.own_leases_to_queue(&name, 0).await.unwrap();
                }
                let number = leased.id.0;
                let ranks = if number % 3 == 0 { [1, 1] } else { [1 + number % 2, 2 - number % 2] };
                for _ in 0..2 {
                    if let Recorded::Done { seq, .. } =
                        store.record(leased.id, leased.token, &result(&ranks), &|_| Vec::new()).await.unwrap()
                    {
                        done.push((leased.id, seq));
                    }
                }
            }
            done
        }));
    }
    let mut done = Vec::new();
    for worker in workers {
        done.extend(worker.await.unwrap());
    }
    assert_eq!(done.len(), MATCHES);
    assert_eq!(done.iter().map(|(id, _)| id).collect::<BTreeSet<_>>().len(), MATCHES, "each match once");
    let order: BTreeSet<i64> = done.iter().map(|(_, seq)| *seq).collect();
    assert!(order.into_iter().eq(1..=MATCHES as i64), "no gap in the log");
    arena.sound(MATCHES as i64).await;
}

async fn recomputing_corrects(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    for ranks in [[1, 2], [2, 1], [1, 1]] {
        arena.play(&arena.two, &[ann.id, bob.id], &ranks).await;
    }
    let before = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    // The last bit of a rating, a seat, and a deleted standing.
    home.damage(&format!(
        "UPDATE standings SET rating = {:?} WHERE version_id = {}",
        before.tally.rating.next_up(),
        ann.id
    ))
    .await;
    home.damage("UPDATE seats SET rating = rating + 1 WHERE match_id = 2 AND seat = 0").await;
    home.damage(&format!(
        "DELETE FROM standings WHERE ladder_id = {} AND version_id = {}",
        arena.two.id, bob.id
    ))
    .await;
    let checked = arena.store.recompute(true, &|_, _| ()).await.unwrap();
    assert!(checked.different >= 3, "{checked:?}");
    assert_eq!(arena.store.recompute(true, &|_, _| ()).await.unwrap(), checked, "a check changes nothing");
    let corrected = arena.store.recompute(false, &|_, _| ()).await.unwrap();
    assert_eq!(corrected.different, checked.different);
    arena.sound(3).await;
    let after = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    assert_eq!(after.tally.rating.to_bits(), before.tally.rating.to_bits());
    // The deleted standing is on the board again.
    assert!(arena.store.standing(arena.two.id, bob.id).await.unwrap().unwrap().listed);
}

/// Some seats report points, some do not, in both orders: a statement is prepared once and must accept both.
async fn scores_of_side_quests(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    for extras in [[None, None], [Some(3.0), None], [None, Some(0.1)], [Some(0.2), Some(0.7)]] {
        arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
        let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
        let mut result = result(&[1, 2]);
        for (seat, side_quest) in result.seats.iter_mut().zip(extras) {
            seat.side_quest = side_quest;
        }
        arena.store.record(leased.id, leased.token, &result, &|_| Vec::new()).await.unwrap();
    }
    let standing = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    assert_eq!((standing.side_quest_sum.to_bits(), standing.side_quest_games), (3.2f64.to_bits(), 2));
    let query = store::BoardQuery { size: 10, ..Default::default() };
    let board = |least| {
        arena.store.side_quest_board(arena.contest.id, "hypersonic", LadderKind::Ladder, least, &query)
    };
    assert!(board(3).await.unwrap().is_empty(), "too few games");
    let board = board(2).await.unwrap();
    let lines: Vec<(i64, &str, i64)> =
        board.iter().map(|row| (row.place, row.name.as_str(), row.games)).collect();
    assert_eq!(lines, [(1, "Ann", 2), (2, "Bob", 2)]);
    assert!((board[0].average - 1.6).abs() < 1e-9 && (board[1].average - 0.4).abs() < 1e-9);
    assert!((board[1].interval[1] - 0.4 - 1.96 * 0.3).abs() < 1e-9, "{board:?}");
    arena.sound(4).await;
}
