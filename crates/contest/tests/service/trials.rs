//! The first leagues: a submission plays only against the boss.

use std::time::Duration;

use catalog::record::Played;
use contest::{Event, League, Stop};
use model::{LadderKind, MatchId, Tier};
use store::{ErrorKind, MatchFilter, MatchState, Outcome, VersionState};

use crate::support::{TestArena, league, settings};

pub(crate) const TRACK: &str = "back-track";
pub(crate) const KIT: &str = include_str!("../../../../games/back-track/kits/bot.py");
/// A bot that only waits, like the boss of the first league, and cannot win.
pub(crate) const LAZY: &str = "import sys\nfor _ in sys.stdin: print('WAIT', flush=True)\n";
pub(crate) const NEVER: Duration = Duration::from_hours(1);

/// The first league of Back Track, and a league above it whose only built-in bot has no opponent.
pub(crate) fn track(arena: &mut TestArena) {
    arena.standing_contest(&settings(TRACK, vec![league(TRACK, 0), under("boss-3")]));
}

/// A league of Back Track's full game in which this boss is the only bot of the arena.
pub(crate) fn under(boss: &str) -> League {
    let mut made = league(TRACK, 5);
    made.boss = boss.into();
    made.regulars.clear();
    made
}

pub(crate) fn a_submission_that_beats_the_boss_is_promoted(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);
    let user = arena.user();
    let version = arena.submit(user, TRACK, KIT);
    let built = arena.built(version.id);
    assert_eq!(built.state, VersionState::Ready, "{:?}", built.build_log);
    let bot = arena.until("promotion", async |store| {
        store.bot(version.bot_id).await.unwrap().filter(|bot| bot.tier == Tier(1))
    });
    // The code is carried up.
    assert_eq!(bot.active_version, Some(version.id));
    let promotions = arena.runtime.block_on(arena.store.promotions(bot.id)).unwrap();
    assert_eq!(
        (promotions.len(), promotions[0].from_tier, promotions[0].version_id),
        (1, Tier(0), version.id)
    );
    let notices = arena.notices(user);
    assert_eq!(notices[0].0, "promotion");
    assert_eq!(notices[0].1["round"], 1);

    // Three wins were enough, the player always had the seat with the task, and every match can be replayed.
    let mut matches =
        arena.runtime.block_on(arena.store.matches_of(bot.id, MatchFilter::All, None, 50)).unwrap();
    // It may play in the next league already.
    matches.retain(|row| row.kind == LadderKind::Trial);
    assert_eq!(matches.len(), 3, "{matches:?}");
    for row in &matches {
        assert_eq!((row.state, row.kind), (MatchState::Done, LadderKind::Trial));
        assert_eq!((row.seats[0].bot_id, row.seats[0].outcome), (bot.id, Some(Outcome::Won)));
        assert_eq!(row.seats[1].built_in.as_deref(), Some("boss-1"));
        assert!(
            row.seats
                .iter()
                .all(|seat| seat.side_quest.is_some_and(|side_quest| (0.0..=1.0).contains(&side_quest)))
        );
        let record = arena.runtime.block_on(arena.store.read_record(row.record.as_ref().unwrap())).unwrap();
        let played: Played = serde_json::from_slice(&record).unwrap();
        assert_eq!(played.header.seed, row.seed);
        let players: Vec<_> = played.bots.as_ref().unwrap().iter().collect();
        assert_eq!((players[0].name.as_str(), players[0].digest.as_ref()), ("user1", None));
        let replay = replay::replay_of(&played).unwrap();
        assert_eq!(replay.end.trouble, None);
        assert_eq!(replay.end.outcome.unwrap().ranks, [1, 2]);
    }
    arena.stop(Stop::Finish);
    let events = arena.events();
    let count = |such: &dyn Fn(&Event) -> bool| events.iter().filter(|event| such(event)).count();
    let of_fight = |id: &MatchId| matches.iter().any(|row| row.id == *id);
    assert_eq!(count(&|event| matches!(event, Event::VersionBuilt { ready: true, .. })), 1);
    let started = count(&|event| matches!(event, Event::MatchStarted { match_id, .. } if of_fight(match_id)));
    let done = count(&|event| matches!(event, Event::MatchDone { match_id, .. } if of_fight(match_id)));
    assert_eq!((started, done), (3, 3));
    assert_eq!(
        count(&|event| matches!(event, Event::Promotion { from_tier: Tier(0), to_tier: Tier(1), .. })),
        1
    );
    assert!(count(&|event| matches!(event, Event::Notice { .. })) >= 1);
}

pub(crate) fn a_test_match_is_not_rated(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);
    let user = arena.user();
    let version = arena.submit_to(crate::support::ARENA, user, TRACK, "py", KIT, false);
    let row = arena.until("test match", async |store| {
        let matches = store.matches_of(version.bot_id, MatchFilter::Won, None, 5).await.unwrap();
        matches.into_iter().next()
    });
    assert_eq!(row.kind, LadderKind::Test);
    let bot = arena.bot(version.bot_id);
    assert_eq!((bot.tier, bot.active_version), (Tier(0), None), "a test counts for nothing");
    let error = arena.runtime.block_on(arena.service().trial(bot.id)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict, "nothing of it plays");
    arena.runtime.block_on(arena.service().activate(version.id)).unwrap();
    arena.until("promotion", async |store| {
        store.bot(version.bot_id).await.unwrap().filter(|bot| bot.tier == Tier(1))
    });
    let error = arena.runtime.block_on(arena.service().trial(bot.id)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict, "there is no best of five above");
}

pub(crate) fn a_lost_trial_ends_and_may_be_repeated(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);
    let user = arena.user();
    let version = arena.submit(user, TRACK, LAZY);
    let lost = |arena: &TestArena, round: i64| {
        arena.until("a lost trial", async |store| {
            let trial = store.last_trial(version.bot_id).await.unwrap()?;
            (trial.round == round && trial.trial.losses == 3 && trial.waiting == 0).then_some(trial)
        })
    };
    lost(arena, 1);
    // The trial stays lost until its author asks for another: the maintenance task begins no new one.
    arena.maintained();
    assert_eq!(lost(arena, 1).trial.wins, 0);
    arena.runtime.block_on(arena.service().trial(version.bot_id)).unwrap();
    let error = arena.runtime.block_on(arena.service().trial(version.bot_id)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict, "one at a time");
    lost(arena, 2);
    assert_eq!(arena.bot(version.bot_id).tier, Tier(0));
    let row =
        arena.runtime.block_on(arena.store.matches_of(version.bot_id, MatchFilter::All, None, 50)).unwrap();
    assert_eq!(row.len(), 6);
}
