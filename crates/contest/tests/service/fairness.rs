//! Fair shares: builds and matches, versions that are switched, accounts that are blocked.

use contest::Event;
use store::{MatchFilter, VersionState};

use crate::ladders::rash;
use crate::restarts::{HYPER, hyper};
use crate::support::TestArena;
use crate::trials::{LAZY, NEVER, TRACK, track};

pub(crate) fn one_worker_builds_and_plays_in_turns(arena: &mut TestArena) {
    hyper(arena);
    let mut versions = Vec::new();
    for _ in 0..5 {
        let user = arena.user();
        versions.push(arena.submit(user, HYPER, &rash()).id);
    }
    arena.open(1, NEVER);
    for version in versions {
        arena.built(version);
    }
    // The first event may have happened before the test listened.
    let mut since = None;
    for event in arena.events() {
        match event {
            Event::VersionBuilt { version_id, .. } => {
                assert_ne!(since, Some(0), "no match before the build of version {version_id}");
                since = Some(0);
            }
            Event::MatchStarted { .. } => since = since.map(|matches| matches + 1),
            _ => {}
        }
    }
    assert!(since.is_some());
}

pub(crate) fn switching_versions_begins_no_new_series(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);
    let user = arena.user();
    let mut versions = Vec::new();
    for number in 0..2 {
        let version = arena.submit(user, TRACK, &format!("{LAZY}# {number}\n"));
        arena.until("a lost trial", async |store| {
            let trial = store.last_trial(version.bot_id).await.unwrap()?;
            (trial.version_id == version.id && trial.trial.losses == 3 && trial.waiting == 0).then_some(())
        });
        versions.push(version);
    }
    for version in [&versions[0], &versions[1], &versions[0]] {
        arena.runtime.block_on(arena.service().activate(version.id)).unwrap();
        arena.maintained();
    }
    let bot = versions[0].bot_id;
    let matches = arena.runtime.block_on(arena.store.matches_of(bot, MatchFilter::All, None, 50)).unwrap();
    assert_eq!(matches.len(), 6, "three matches for each version: {matches:?}");
    // Its author may ask for another series.
    arena.runtime.block_on(arena.service().trial(bot)).unwrap();
    let trial = arena.runtime.block_on(arena.store.last_trial(bot)).unwrap().unwrap();
    assert_eq!((trial.round, trial.version_id), (3, versions[0].id));
}

pub(crate) fn a_build_for_a_blocked_account_is_not_activated(arena: &mut TestArena) {
    track(arena);
    let user = arena.user();
    let version = arena.submit(user, TRACK, LAZY);
    arena.runtime.block_on(arena.store.set_blocked(user, true, crate::support::now())).unwrap();
    arena.open(1, NEVER);
    assert_eq!(arena.built(version.id).state, VersionState::Ready);
    arena.maintained();
    let bot = arena.bot(version.bot_id);
    assert!(bot.active_version.is_none() && bot.paused.is_some(), "{bot:?}");
    let matches = arena.store.matches_of(bot.id, MatchFilter::All, None, 50);
    assert!(arena.runtime.block_on(matches).unwrap().is_empty());
    let troubles = arena.service().status().troubles;
    assert!(!troubles.iter().any(|trouble| trouble.what.contains("version")), "{troubles:?}");
}

pub(crate) fn a_build_that_fails_by_our_fault_is_repeated(arena: &mut TestArena) {
    track(arena);
    arena.open(1, NEVER);
    // A file in the place of the folder for built programs.
    let (builds, away) = (arena.folder.path().join("builds"), arena.folder.path().join("away"));
    if builds.exists() {
        std::fs::rename(&builds, &away).unwrap();
    }
    std::fs::write(&builds, "").unwrap();
    let user = arena.user();
    let version = arena.submit(user, TRACK, LAZY);
    arena.until("a failed attempt", async |store| {
        let version = store.version(version.id).await.unwrap().unwrap();
        (version.state == VersionState::Waiting && version.attempts == 1).then_some(())
    });
    let troubles = arena.service().status().troubles;
    assert!(troubles.iter().any(|trouble| trouble.what.contains("could not be built")), "{troubles:?}");
    std::fs::remove_file(&builds).unwrap();
    if away.exists() {
        std::fs::rename(&away, &builds).unwrap();
    }
    assert_eq!(arena.built(version.id).state, VersionState::Ready);
    assert!(arena.notices(user).is_empty());
}
