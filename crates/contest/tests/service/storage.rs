//! Storage that fails for a while.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use contest::{ContestService, Event, Stop};
use testing::SmallDisk;

use crate::restarts::{HYPER, done, hyper, in_the_middle};
use crate::support::TestArena;
use crate::trials::NEVER;

pub(crate) fn a_second_service_is_refused(arena: &mut TestArena) {
    hyper(arena);
    arena.open(1, NEVER);
    let config = arena.config(1, NEVER);
    let refused = arena.runtime.block_on(ContestService::start(config.clone())).unwrap_err().to_string();
    assert!(refused.contains("another server runs on this database"), "{refused}");
    in_the_middle(arena);
    arena.stop(Stop::Abort);
    arena.service = Some(arena.runtime.block_on(ContestService::start(config)).unwrap());
    in_the_middle(arena);
}

/// The disk of the record files, which can be full.
enum Disk {
    /// A small disk of its own.
    Own(SmallDisk),
    /// A folder that can be made unwritable.
    Folder(PathBuf),
}

impl Disk {
    fn new(folder: &Path) -> Disk {
        match SmallDisk::mount(folder, 4, 0) {
            Some(disk) => Disk::Own(disk),
            None => Disk::Folder(folder.to_owned()),
        }
    }

    fn set_full(&self, full: bool) {
        match self {
            Disk::Own(disk) => disk.set_full(full),
            Disk::Folder(folder) => {
                let mode = if full { 0o555 } else { 0o755 };
                let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
                for path in folders.chain([folder.clone()]) {
                    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
                }
            }
        }
    }
}

pub(crate) fn a_full_disk_of_records_loses_nothing(arena: &mut TestArena) {
    let disk = Disk::new(&arena.folder.path().join("records"));
    fails_for_a_while(arena, |_, full| disk.set_full(full));
    arena.stop(Stop::Finish);
}

pub(crate) fn a_database_that_is_away_loses_nothing(arena: &mut TestArena) {
    fails_for_a_while(arena, |arena, away| arena.database.as_ref().unwrap().set_away(away));
}

pub(crate) fn a_full_disk_of_the_database_loses_nothing(arena: &mut TestArena) {
    fails_for_a_while(arena, |arena, full| arena.database.as_mut().unwrap().set_full(full));
}

/// While the storage fails, the service says so and keeps its results; then it goes on by itself.
fn fails_for_a_while(arena: &mut TestArena, set_failing: impl Fn(&mut TestArena, bool)) {
    hyper(arena);
    arena.open(2, NEVER);
    in_the_middle(arena);
    set_failing(arena, true);
    testing::until("the service says so", || arena.service().status().storage);
    // Longer than the service used to try.
    std::thread::sleep(Duration::from_secs(10));
    assert!(arena.service().status().storage.is_some());
    let kept = arena.service().live();
    assert!(!kept.is_empty(), "matches without a stored result are kept");
    set_failing(arena, false);
    testing::until("the service goes on", || arena.service().status().storage.is_none().then_some(()));
    let field = arena.until("all are placed", async |store| {
        let ladders = store.ladders(1, HYPER).await.unwrap();
        let field = store.field(ladders[0].id).await.unwrap();
        field.iter().all(|one| one.games >= 12 && one.waiting == 0).then_some(field)
    });
    assert_eq!(done(arena) as i64, field[0].games, "{field:?}");
    assert!(arena.runtime.block_on(arena.store.voids(None, 10)).unwrap().is_empty());
    // No match was played twice.
    let (mut started, mut ended) = (BTreeMap::new(), Vec::new());
    for event in arena.events() {
        match event {
            Event::MatchStarted { match_id, .. } => *started.entry(match_id).or_insert(0) += 1,
            Event::MatchDone { match_id, .. } => ended.push(match_id),
            Event::MatchVoid { match_id, .. } => panic!("match {match_id} is void"),
            _ => {}
        }
    }
    assert!(started.values().all(|times| *times == 1), "{started:?}");
    assert!(kept.iter().all(|one| ended.contains(&one.match_id)), "{kept:?} {ended:?}");
}
