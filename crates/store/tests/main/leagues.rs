//! Promotions, versions, pauses.

use model::{LadderKind, Tier, Trial};
use store::{Built, ErrorKind, Recorded, ResultContext, Verdict, VersionState};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, GAME, result};

on_both!(
    best_of_five,
    above_the_boss,
    code_is_carried_up,
    a_boss_fight_is_one_thing,
    versions_are_built_once,
    a_new_version_starts_with_a_new_rating,
    broken_bots_are_paused,
    finals,
    blocked_accounts_and_ended_contests_activate_nothing,
);

/// Three wins in a trial promote.
fn three_wins(context: &ResultContext) -> Vec<Verdict> {
    let winners = context.trials.iter().filter(|row| row.trial.wins == 3);
    winners.map(|trial| Verdict::Promote { bot_id: trial.bot_id }).collect()
}

async fn best_of_five(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (user, bot, ann) = arena.player("Ann").await;
    let boss = arena.bosses[0].active_version.unwrap();
    let mut promoted = Vec::new();
    // An earlier, lost trial does not count for this trial.
    for (round, ranks) in [(1, [1, 2]), (1, [2, 1]), (2, [1, 2]), (2, [1, 2]), (2, [1, 1]), (2, [1, 2])] {
        arena.enqueue(&arena.trial, &[ann.id, boss], round).await;
        let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
        let extra = arena.enqueue(&arena.trial, &[ann.id, boss], round).await;
        let recorded =
            arena.store.record(leased.id, leased.token, &result(&ranks), &three_wins).await.unwrap();
        let Recorded::Done { promotions, .. } = recorded else { panic!("{recorded:?}") };
        promoted.push(promotions.len());
        assert_eq!(
            arena.store.cancel(extra).await.unwrap(),
            promotions.is_empty(),
            "promotion empties the queue"
        );
    }
    assert_eq!(promoted, [0, 0, 0, 0, 0, 1]);
    let trial = arena.store.last_trial(bot.id).await.unwrap().unwrap();
    assert_eq!((trial.round, trial.trial, trial.waiting), (2, Trial { wins: 3, draws: 1, losses: 0 }, 0));
    let bot = arena.store.bot(bot.id).await.unwrap().unwrap();
    assert_eq!((bot.tier, bot.active_version), (Tier(1), Some(ann.id)));
    let promotions = arena.store.promotions(bot.id).await.unwrap();
    assert_eq!((promotions.len(), promotions[0].from_tier, promotions[0].to_tier), (1, Tier(0), Tier(1)));
    let notices = arena.store.notices(user.id, None, 10).await.unwrap();
    assert_eq!(
        (notices.len(), notices[0].kind.as_str(), &notices[0].data["to"]),
        (1, "promotion", &1.into())
    );
    // Boards list it in its new tier only.
    assert!(!arena.store.standing(arena.trial.id, ann.id).await.unwrap().unwrap().listed);
    for ladder in [&arena.two, &arena.four] {
        assert!(arena.store.standing(ladder.id, ann.id).await.unwrap().unwrap().listed);
    }
    arena.sound(6).await;
}

async fn above_the_boss(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    // In each ladder of the tier: enough matches, and a rating above the boss's.
    let judge = |context: &ResultContext| -> Vec<Verdict> {
        let above = |players| {
            let of = |built_in: bool| {
                context.standings.iter().find(|s| s.players == players && s.built_in.is_some() == built_in)
            };
            let (Some(own), Some(boss)) = (of(false), of(true)) else { return false };
            own.standing.tally.games >= 2 && own.standing.tally.rating > boss.standing.tally.rating
        };
        let own = context.seats.iter().find(|seat| seat.built_in.is_none()).unwrap();
        let all = above(2) && above(4);
        if all { vec![Verdict::Promote { bot_id: own.bot_id }] } else { Vec::new() }
    };
    let mut promoted = Vec::new();
    for ladder in [&arena.two, &arena.two, &arena.four, &arena.four] {
        arena.enqueue(ladder, &[ann.id, boss], 0).await;
        let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
        let recorded = arena.store.record(leased.id, leased.token, &result(&[1, 2]), &judge).await.unwrap();
        let Recorded::Done { promotions, .. } = recorded else { panic!("{recorded:?}") };
        promoted.push(promotions.len());
    }
    assert_eq!(promoted, [0, 0, 0, 1]);
    // A match of the old tier that ends later does not promote again.
    arena.play_judged(&arena.two, &[ann.id, boss], &[1, 2], &judge).await;
    assert_eq!(arena.store.bot(bot.id).await.unwrap().unwrap().tier, Tier(2));
    arena.sound(5).await;
}

async fn code_is_carried_up(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, ann) = arena.player("Ann").await;
    let boss = arena.bosses[0].active_version.unwrap();
    let judge = |_: &ResultContext| vec![Verdict::Promote { bot_id: bot.id }];
    arena.play_judged(&arena.trial, &[ann.id, boss], &[1, 2], &judge).await;
    let after = arena.store.bot(bot.id).await.unwrap().unwrap();
    assert_eq!((after.tier, after.active_version), (Tier(1), Some(ann.id)));
    assert!(arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap().listed);
    assert!(!arena.store.standing(arena.trial.id, ann.id).await.unwrap().unwrap().listed);
}

async fn a_boss_fight_is_one_thing(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, ann) = arena.player("Ann").await;
    let boss = arena.bosses[0].active_version.unwrap();
    for ranks in [[1, 2], [2, 1], [1, 2]] {
        arena.play(&arena.trial, &[ann.id, boss], &ranks).await;
    }
    arena.enqueue(&arena.trial, &[ann.id, boss], 1).await;
    arena.enqueue(&arena.trial, &[ann.id, boss], 2).await;
    let fights = arena.store.fights(bot.id, None).await.unwrap();
    assert_eq!(fights.iter().map(|fight| fight.round).collect::<Vec<_>>(), [2, 1]);
    let fight = &arena.store.fights(bot.id, Some(1)).await.unwrap()[0];
    assert_eq!((fight.trial.wins, fight.trial.losses, fight.matches.len(), fight.over), (2, 1, 4, false));
    assert_eq!((fight.tier, fight.version_id), (Tier(0), ann.id));
    assert!(arena.store.fights(arena.bosses[0].id, None).await.unwrap().is_empty(), "bosses have no fights");
}

async fn versions_are_built_once(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let user = arena.store.create_user(&crate::setup::new_user("Ann"), 1).await.unwrap();
    // Concurrent submissions get different numbers.
    let mut submitting = Vec::new();
    for _ in 0..8 {
        let (store, new) = (arena.store.clone(), arena.submission(user.id));
        submitting.push(tokio::spawn(async move { store.submit(&new, 5).await.unwrap() }));
    }
    let mut numbers = Vec::new();
    for one in submitting {
        numbers.push(one.await.unwrap().number);
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    let first = arena.next_to_build(5).await.unwrap();
    assert_eq!((first.number, first.state), (1, VersionState::Building));
    assert!(arena.next_to_build(5).await.is_none(), "an account has one build at a time");
    assert_eq!(arena.store.source(first.id).await.unwrap(), "print('WAIT')");
    assert_eq!(arena.store.activate(first.id, 5).await.unwrap_err().kind, ErrorKind::Conflict);
    // The server was killed during the build.
    assert_eq!(arena.store.requeue_builds(None).await.unwrap(), 1);
    assert_eq!(arena.next_to_build(5).await.unwrap().id, first.id);
    let failed = arena.built(first.id, &Built::Failed("line 1: no".to_owned()), 9).await;
    assert_eq!((failed.state, failed.build_log.as_deref()), (VersionState::Failed, Some("line 1: no")));
    assert_eq!(arena.store.activate(first.id, 5).await.unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(arena.store.notices(user.id, None, 9).await.unwrap()[0].kind, "build_failed");
    assert_eq!(arena.store.versions(first.bot_id, None).await.unwrap().len(), 8);
}

async fn a_new_version_starts_with_a_new_rating(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, old) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    arena.play(&arena.two, &[old.id, boss], &[1, 2]).await;
    let waiting = arena.enqueue(&arena.two, &[old.id, boss], 0).await;
    let (_, _, new) = arena.player("Ann").await;
    assert!(arena.store.match_row(waiting).await.unwrap().is_some(), "a queued match is played");
    let standing = |version| arena.store.standing(arena.two.id, version);
    let (old, new) = (standing(old.id).await.unwrap().unwrap(), standing(new.id).await.unwrap().unwrap());
    assert_eq!((old.tally.games, old.listed, new.tally.games, new.listed), (1, false, 0, true));
    let field = arena.store.field(arena.two.id).await.unwrap();
    assert_eq!(field.iter().filter(|entrant| entrant.bot_id == bot.id).count(), 1);
    // The match of the old version counts for the old version only, and activating it again continues its history.
    let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
    assert_eq!(leased.id, waiting);
    arena.record(&leased, &[1, 2]).await;
    let back = arena.store.activate(old.version_id, 40).await.unwrap();
    assert_eq!(back.active_version, Some(old.version_id));
    let [old, new] =
        [standing(old.version_id).await, standing(new.version_id).await].map(|s| s.unwrap().unwrap());
    assert_eq!((old.tally.games, old.listed, new.tally.games, new.listed), (2, true, 0, false));
    arena.sound(2).await;
}

async fn broken_bots_are_paused(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (user, bot, ann) = arena.climber("Ann").await;
    let boss = arena.bosses[1].active_version.unwrap();
    let judge = |context: &ResultContext| -> Vec<Verdict> {
        let broken = context
            .seats
            .iter()
            .filter(|seat| seat.recent.len() >= 3 && seat.recent.iter().all(|failed| *failed));
        broken.map(|seat| Verdict::Pause { bot_id: seat.bot_id, why: "it crashed".to_owned() }).collect()
    };
    let mut crashed = result(&[2, 1]);
    crashed.seats[0].cause = Some("crash".to_owned());
    crashed.seats[0].details = Some(serde_json::json!({"stderr": "secret"}));
    let mut paused = Vec::new();
    for _ in 0..3 {
        arena.enqueue(&arena.two, &[ann.id, boss], 0).await;
        let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
        let recorded = arena.store.record(leased.id, leased.token, &crashed, &judge).await.unwrap();
        let Recorded::Done { paused: now, .. } = recorded else { panic!("{recorded:?}") };
        paused.push(now);
        let details = arena.store.seat_details(leased.id).await.unwrap();
        assert_eq!(details[0].user_id, Some(user.id));
        assert_eq!(details[0].details.as_ref().unwrap()["stderr"], "secret");
        assert!(details[1].details.is_none());
    }
    assert_eq!(paused, [vec![], vec![], vec![bot.id]]);
    assert_eq!(arena.store.paused_bots().await.unwrap()[0].paused.as_deref(), Some("it crashed"));
    assert!(
        arena.store.notices(user.id, None, 9).await.unwrap().iter().any(|notice| notice.kind == "paused")
    );
    let field = arena.store.field(arena.two.id).await.unwrap();
    assert!(field.iter().find(|entrant| entrant.bot_id == bot.id).unwrap().paused);
    assert_eq!(arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap().tally.failures, 3);
    // Activating a version resumes the bot.
    assert!(arena.store.activate(ann.id, 5).await.unwrap().paused.is_none());
    assert!(arena.store.paused_bots().await.unwrap().is_empty());
    arena.sound(3).await;
}

async fn finals(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    arena.play(&arena.two, &[ann.id, bob.id], &[1, 2]).await;
    let last =
        arena.store.ensure_ladder(arena.contest.id, GAME, Tier(1), 2, LadderKind::Final).await.unwrap();
    arena.store.enlist(last.id, &[ann.id, bob.id]).await.unwrap();
    arena.enqueue(&last, &[ann.id, bob.id], 0).await;
    arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    assert_eq!(arena.store.cancel_of_contest(arena.contest.id).await.unwrap(), 1, "finals stay");
    assert_eq!(arena.store.waiting_on(last.id).await.unwrap(), 1);
    let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
    arena.record(&leased, &[2, 1]).await;
    // The final is rated from the start, and a later submission does not change its board.
    arena.player("Ann").await;
    let board =
        arena.store.leaderboard(last.id, &store::BoardQuery { size: 9, ..Default::default() }).await.unwrap();
    let names: Vec<&str> = board.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!((names, board.rows[0].tally.games, board.total), (vec!["Bob", "Ann"], 1, 2));
    arena.sound(2).await;
}

async fn blocked_accounts_and_ended_contests_activate_nothing(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (user, bot, first) = arena.player("Ann").await;
    let new = arena.store.submit(&arena.submission(user.id), 10).await.unwrap();
    arena.next_to_build(10).await.unwrap();
    // The account is blocked during the build: the version is stored, and the bot stays paused.
    arena.store.set_blocked(user.id, true, 11).await.unwrap();
    let built = arena.built(new.id, &Built::Ready(String::new()), 12).await;
    assert_eq!(built.state, VersionState::Ready);
    let refused = arena.store.activate(new.id, 12).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Conflict);
    assert!(refused.message.contains("blocked"), "{refused}");
    let now = arena.store.bot(bot.id).await.unwrap().unwrap();
    assert_eq!((now.active_version, now.paused.is_some()), (Some(first.id), true));
    arena.store.set_blocked(user.id, false, 13).await.unwrap();
    // The contest has ended, though its state has not changed yet.
    let ends = |ends| store::ContestChange { ends: Some(ends), ..Default::default() };
    arena.store.change_contest(arena.contest.id, &ends(Some(20))).await.unwrap();
    let refused = arena.store.activate(new.id, 20).await.unwrap_err();
    assert!(refused.kind == ErrorKind::Conflict && refused.message.contains("not running"), "{refused}");
    arena.store.change_contest(arena.contest.id, &ends(None)).await.unwrap();
    // The final is being played.
    let (from, to) = (model::ContestState::Running, model::ContestState::Final);
    assert!(arena.store.set_contest_state(arena.contest.id, from, to).await.unwrap());
    assert_eq!(arena.store.activate(new.id, 21).await.unwrap_err().kind, ErrorKind::Conflict);
    assert!(arena.store.set_contest_state(arena.contest.id, to, from).await.unwrap());
    assert_eq!(arena.store.activate(new.id, 22).await.unwrap().active_version, Some(new.id));
}
