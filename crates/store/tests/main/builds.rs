//! Builds are leased: a result counts once, by its lease; programs of disabled workers are forgotten.

use store::{
    BuildTurn, Built, CLUSTER, EndedBuild, Languages, ProgramRef, SeenWorker, VersionState, WorkerState,
};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, new_user};

on_both!(a_result_counts_by_its_lease, builders_take_their_languages, programs_of_disabled_workers);

async fn a_result_counts_by_its_lease(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let user = arena.store.create_user(&new_user("Ann"), 3).await.unwrap();
    let version = arena.store.submit(&arena.submission(user.id), 4).await.unwrap();
    let turn = BuildTurn { builder: CLUSTER, languages: Languages::Except(&[]), now: 5, until: 100 };
    let first = arena.store.next_to_build(&turn).await.unwrap().unwrap();
    assert_eq!((first.id, first.builder.as_deref()), (version.id, Some(CLUSTER)));
    // A server that starts leaves it with the workers.
    assert_eq!(arena.store.requeue_builds(Some(CLUSTER)).await.unwrap(), 0);
    assert_eq!(arena.store.builds_leased_to(CLUSTER).await.unwrap()[0].lease, first.lease);
    assert_eq!(arena.store.renew_builds(CLUSTER, 200).await.unwrap(), 1);
    assert_eq!(arena.store.expire_builds(150).await.unwrap(), 0);
    assert_eq!(arena.store.expire_builds(201).await.unwrap(), 1);
    let second = arena.store.next_to_build(&turn).await.unwrap().unwrap();
    assert_ne!(second.lease, first.lease);
    let failed = Built::Failed("no".to_owned());
    let ended = |lease: Option<i64>| EndedBuild {
        version: version.id,
        lease: lease.unwrap(),
        builder: "cluster/one",
        built: &failed,
        program: None,
    };
    assert!(arena.store.built(&ended(first.lease), 300).await.unwrap().is_none(), "the lease has expired");
    let stored = arena.store.built(&ended(second.lease), 300).await.unwrap().unwrap();
    assert_eq!((stored.state, stored.builder.as_deref()), (VersionState::Failed, Some("cluster/one")));
    assert!(arena.store.built(&ended(second.lease), 300).await.unwrap().is_none(), "it counts once");
    assert_eq!(arena.store.notices(user.id, None, 9).await.unwrap().len(), 1);
    assert!(!arena.store.give_back_build(version.id, second.lease.unwrap(), 0).await.unwrap());
}

async fn builders_take_their_languages(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let user = arena.store.create_user(&new_user("Ann"), 3).await.unwrap();
    let version = arena.store.submit(&arena.submission(user.id), 4).await.unwrap();
    let own = [version.language.clone(), "C++".to_owned()];
    let other = ["C++".to_owned()];
    let turn = |languages| BuildTurn { builder: "a", languages, now: 5, until: 100 };
    for (languages, takes) in [
        (Languages::Only(&[]), false),
        (Languages::Only(&other), false),
        (Languages::Except(&own), false),
        (Languages::Except(&other), true),
        (Languages::Only(&own), true),
        (Languages::Except(&[]), true),
    ] {
        let taken = arena.store.next_to_build(&turn(languages)).await.unwrap();
        assert_eq!(taken.is_some(), takes, "{languages:?}");
        if let Some(taken) = taken {
            assert!(arena.store.give_back_build(taken.id, taken.lease.unwrap(), 0).await.unwrap());
        }
    }
    let taken = arena.store.next_to_build(&turn(Languages::Only(&own))).await.unwrap().unwrap();
    // It waits without a fault.
    assert!(arena.store.give_back_build(taken.id, taken.lease.unwrap(), 50).await.unwrap());
    assert!(arena.store.next_to_build(&turn(Languages::Only(&own))).await.unwrap().is_none());
    assert_eq!(arena.store.version(version.id).await.unwrap().unwrap().attempts, 0);
}

async fn programs_of_disabled_workers(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let program = ProgramRef { digest: "ab".repeat(32), platform: "x".to_owned() };
    let mut versions = Vec::new();
    for (name, worker) in [("Ann", "one"), ("Bob", "two")] {
        let user = arena.store.create_user(&new_user(name), 3).await.unwrap();
        arena.store.submit(&arena.submission(user.id), 4).await.unwrap();
        let taken = arena.next_to_build(5).await.unwrap();
        let ended = EndedBuild {
            version: taken.id,
            lease: taken.lease.unwrap(),
            builder: &format!("{CLUSTER}{worker}"),
            built: &Built::Ready(String::new()),
            program: Some(&program),
        };
        versions.push(arena.store.built(&ended, 6).await.unwrap().unwrap());
        assert_eq!(versions.last().unwrap().program.as_ref(), Some(&program));
        let seen = SeenWorker { name: worker.to_owned(), info: serde_json::json!({}), rate: 0.0 };
        arena.store.see_workers(&[seen], 7).await.unwrap();
    }
    assert!(arena.store.set_worker("two", WorkerState::Drained, None).await.unwrap());
    assert!(arena.store.set_worker("one", WorkerState::Disabled, None).await.unwrap());
    let mut programs = Vec::new();
    for version in &versions {
        let found = arena.store.version(version.id).await.unwrap().unwrap();
        assert_eq!((found.state, &found.builder), (VersionState::Ready, &version.builder));
        programs.push(found.program);
    }
    assert_eq!(programs, [None, Some(program)]);
}
