//! What authors are told when things go wrong.

use serde_json::Value;
use store::{MatchFilter, VersionState};

use crate::support::{House, settings};
use crate::trials::{LAZY, NEVER, TRACK, track, under};

const CRASH: &str =
    "import sys\nsys.stdin.readline()\nprint('on my way', file=sys.stderr)\nraise SystemExit(7)\n";
const LATE: &str =
    "print('thinking', flush=True, file=__import__('sys').stderr)\nimport time\ntime.sleep(60)\n";
const WRONG: &str = "import sys\nfor _ in sys.stdin: print('DANCE <b>\\x1b[2J', flush=True)\n";

/// The cause and the details of the first match of a bot that failed.
fn failure(house: &House, source: &str) -> (String, Value) {
    let user = { house.runtime.block_on(house.store.count_users()).unwrap() };
    let version = house.submit(user, TRACK, source);
    house.until("a failure", async |store| {
        let row = store.matches_of(version.bot_id, MatchFilter::Errors, None, 5).await.unwrap().pop()?;
        let seat = row.seats.iter().find(|seat| seat.version_id == version.id).unwrap();
        let details = store.seat_details(row.id).await.unwrap();
        let details = details.into_iter().find(|one| one.seat == seat.seat).unwrap().details.unwrap();
        Some((seat.cause.clone().unwrap(), details))
    })
}

pub(crate) fn authors_are_told_what_happened(house: &mut House) {
    track(house);
    house.open(1, NEVER);

    let user = house.user();
    let typo = house.submit(user, TRACK, "def decide(:\n    pass\n");
    let built = house.built(typo.id);
    let log = built.build_log.unwrap();
    assert_eq!(built.state, VersionState::Failed);
    assert!(log.contains("SyntaxError") && log.contains("line 1"), "{log}");
    assert!(!log.contains("workshop"), "our folders are our own: {log}");
    let typo = house.submit_to(1, user, TRACK, "C++", "int main() { return zero; }", true);
    let log = house.built(typo.id).build_log.unwrap();
    assert!(log.contains("bot.cpp:1:") && log.contains("zero") && !log.contains('\u{1b}'), "{log}");
    assert!(!log.contains("workshop"), "our folders are our own: {log}");
    let unknown = house.submit_to(1, user, TRACK, "Brainrot", "x", true);
    assert!(house.built(unknown.id).build_log.unwrap().contains("not known here"));
    assert_eq!(house.notices(user).iter().filter(|(kind, _)| kind == "build_failed").count(), 3);
    let bot = house.bot(typo.bot_id);
    assert_eq!((bot.active_version, bot.league), (None, 0));

    house.user();
    let (cause, details) = failure(house, CRASH);
    assert_eq!(cause, "crash");
    assert_eq!(details["exit"]["code"], 7, "{details}");
    assert_eq!(details["turn"], 1, "{details}");
    assert_eq!(details["stderr"], "on my way\n", "{details}");
    assert_eq!(details["said"], "crash: exit code 7", "{details}");

    house.user();
    let (cause, details) = failure(house, LATE);
    assert_eq!(cause, "timeout");
    assert_eq!(details["limit_ms"], 1000, "{details}");
    assert!(details["used_ms"].as_u64().unwrap() >= 1000, "{details}");
    assert_eq!((&details["turn"], &details["stderr"]), (&1.into(), &"thinking\n".into()), "{details}");

    house.user();
    let (cause, details) = failure(house, WRONG);
    assert_eq!(cause, "invalid");
    assert!(!details["fault"]["expected"].as_str().unwrap().is_empty(), "{details}");
    let came = details["fault"]["came"].as_str().unwrap();
    assert!(came.contains("DANCE") && !came.contains('\u{1b}'), "{details}");
    assert!(details["turn"].as_u64().unwrap() >= 1, "{details}");
}

pub(crate) fn who_keeps_failing_is_paused(house: &mut House) {
    let mut only = under("boss-1");
    (only.placement, only.rules) = (5, 1);
    house.arena(&settings(TRACK, vec![only]));
    house.open(1, NEVER);
    let (user, other) = (house.user(), house.user());
    let broken = house.submit(user, TRACK, CRASH);
    let lazy = house.submit(other, TRACK, LAZY);
    let bot = house.until("a pause", async |store| {
        store.bot(broken.bot_id).await.unwrap().filter(|bot| bot.paused.is_some())
    });
    assert_eq!(
        bot.paused.as_deref(),
        Some("it failed in each of its last 5 matches, the last time by crash")
    );
    let notices = house.notices(user);
    assert_eq!(notices[0].0, "paused", "{notices:?}");
    // The others go on, without it.
    let standing = |house: &House, version: i64| {
        let all = house.runtime.block_on(house.store.standings_of(version)).unwrap();
        all.first().map_or(0, |one| one.standing.tally.games)
    };
    house.until("the other settles", async |store| {
        let all = store.standings_of(lazy.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games >= 15).then_some(())
    });
    assert_eq!(standing(house, broken.id), 5);
    // A new version plays again.
    let mended = house.submit(user, TRACK, &format!("{LAZY}# mended\n"));
    house.until("the mended one plays", async |store| {
        let all = store.standings_of(mended.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games > 0).then_some(())
    });
    assert_eq!(house.bot(bot.id).paused, None);
    assert!(house.notices(other).is_empty());
}
