//! The messages to authors after failures.

use model::{Tier, UserId, VersionId};
use serde_json::Value;
use store::{MatchFilter, VersionState};

use crate::support::{TestArena, settings};
use crate::trials::{LAZY, NEVER, TRACK, track, under};

const CRASH: &str =
    "import sys\nsys.stdin.readline()\nprint('on my way', file=sys.stderr)\nraise SystemExit(7)\n";
const LATE: &str =
    "print('thinking', flush=True, file=__import__('sys').stderr)\nimport time\ntime.sleep(60)\n";
const WRONG: &str = "import sys\nfor _ in sys.stdin: print('DANCE <b>\\x1b[2J', flush=True)\n";

/// The cause and the details of the first failed match of a bot.
fn failure(arena: &TestArena, source: &str) -> (String, Value) {
    let user = UserId(arena.runtime.block_on(arena.store.count_users()).unwrap());
    let version = arena.submit(user, TRACK, source);
    arena.until("a failure", async |store| {
        let row = store.matches_of(version.bot_id, MatchFilter::Errors, None, 5).await.unwrap().pop()?;
        let seat = row.seats.iter().find(|seat| seat.version_id == version.id).unwrap();
        let details = store.seat_details(row.id).await.unwrap();
        let details = details.into_iter().find(|one| one.seat == seat.seat).unwrap().details.unwrap();
        Some((seat.cause.clone().unwrap(), details))
    })
}

pub(crate) fn authors_see_the_failures_of_their_bots(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);

    let user = arena.user();
    let typo = arena.submit(user, TRACK, "def decide(:\n    pass\n");
    let built = arena.built(typo.id);
    let log = built.build_log.unwrap();
    assert_eq!(built.state, VersionState::Failed);
    assert!(log.contains("SyntaxError") && log.contains("line 1"), "{log}");
    assert!(!log.contains("builds/"), "our folders are our own: {log}");
    let typo = arena.submit_to(1, user, TRACK, "C++", "int main() { return zero; }", true);
    let log = arena.built(typo.id).build_log.unwrap();
    assert!(log.contains("bot.cpp:1:") && log.contains("zero") && !log.contains('\u{1b}'), "{log}");
    assert!(!log.contains("builds/"), "our folders are our own: {log}");
    let unknown = arena.submit_to(1, user, TRACK, "Brainrot", "x", true);
    assert!(arena.built(unknown.id).build_log.unwrap().contains("not known here"));
    assert_eq!(arena.notices(user).iter().filter(|(kind, _)| kind == "build_failed").count(), 3);
    let bot = arena.bot(typo.bot_id);
    assert_eq!((bot.active_version, bot.tier), (None, Tier::FIRST));

    arena.user();
    let (cause, details) = failure(arena, CRASH);
    assert_eq!(cause, "crash");
    assert_eq!(details["exit"]["code"], 7, "{details}");
    assert_eq!(details["turn"], 1, "{details}");
    assert_eq!(details["stderr"], "on my way\n", "{details}");
    assert_eq!(details["said"], "crash: exit code 7 when it was asked for a move", "{details}");

    arena.user();
    let (cause, details) = failure(arena, LATE);
    assert_eq!(cause, "timeout");
    assert_eq!(details["limit_ms"], 1000, "{details}");
    assert!(details["used_ms"].as_u64().unwrap() >= 1000, "{details}");
    assert_eq!((&details["turn"], &details["stderr"]), (&1.into(), &"thinking\n".into()), "{details}");

    arena.user();
    let (cause, details) = failure(arena, WRONG);
    assert_eq!(cause, "invalid");
    assert!(!details["fault"]["expected"].as_str().unwrap().is_empty(), "{details}");
    let came = details["fault"]["came"].as_str().unwrap();
    assert!(came.contains("DANCE") && !came.contains('\u{1b}'), "{details}");
    assert!(details["turn"].as_u64().unwrap() >= 1, "{details}");
}

pub(crate) fn bots_that_keep_failing_are_paused(arena: &mut TestArena) {
    let mut only = under("boss-1");
    (only.placement, only.rules) = (5, 1);
    arena.standing_contest(&settings(TRACK, vec![only]));
    arena.open(1, NEVER);
    let (user, other) = (arena.user(), arena.user());
    let broken = arena.submit(user, TRACK, CRASH);
    let lazy = arena.submit(other, TRACK, LAZY);
    let bot = arena.until("a pause", async |store| {
        store.bot(broken.bot_id).await.unwrap().filter(|bot| bot.paused.is_some())
    });
    assert_eq!(
        bot.paused.as_deref(),
        Some("it failed in each of its last 5 matches, the last time by crash")
    );
    let notices = arena.notices(user);
    assert_eq!(notices[0].0, "paused", "{notices:?}");
    // The other bots continue without it.
    let standing = |arena: &TestArena, version: VersionId| {
        let all = arena.runtime.block_on(arena.store.standings_of(version)).unwrap();
        all.first().map_or(0, |one| one.standing.tally.games)
    };
    arena.until("the other settles", async |store| {
        let all = store.standings_of(lazy.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games >= 15).then_some(())
    });
    assert_eq!(standing(arena, broken.id), 5);
    // A new version plays again.
    let mended = arena.submit(user, TRACK, &format!("{LAZY}# mended\n"));
    arena.until("the mended one plays", async |store| {
        let all = store.standings_of(mended.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games > 0).then_some(())
    });
    assert_eq!(arena.bot(bot.id).paused, None);
    assert!(arena.notices(other).is_empty());
}
