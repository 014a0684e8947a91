//! Durability: kill -9, lost connections, backup and restore, record files.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::{MatchId, UserId};
use store::fill::{self, Plan};
use store::{ErrorKind, QueueLength, Recorded, Store};
use testing::Database;
use tokio::sync::mpsc;

use crate::home::{Home, On};
use crate::on_both;
use crate::setup::{Arena, new_user, result};

on_both!(killed, opened_by_many_at_once, backup_and_restore, incomplete_backups_are_refused, records);

const CHILD: &str = "AGON_STORE_CHILD";
const CHILD_FOLDER: &str = "AGON_STORE_CHILD_FOLDER";

/// Leases and records matches until it is killed, and prints the acknowledged results.
#[tokio::test]
#[ignore = "the program that `killed` kills"]
async fn child() {
    let url = std::env::var(CHILD).expect("`killed` starts it");
    let folder = std::env::var(CHILD_FOLDER).expect("`killed` starts it");
    let store = Store::open(&url, Path::new(&folder), 1).await.unwrap();
    store.own_leases_to_queue("child", 0).await.unwrap();
    while let Some(leased) = store.lease("child", 100, 200).await.unwrap() {
        let ranks = [1 + leased.id.0 % 2, 2 - leased.id.0 % 2];
        let recorded = store.record(leased.id, leased.token, &result(&ranks), &|_| Vec::new()).await.unwrap();
        assert!(matches!(recorded, Recorded::Done { .. }));
        println!("kept {}", leased.id);
    }
}

async fn killed(home: &Home) {
    const MATCHES: usize = 60;
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    for _ in 0..MATCHES {
        arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    }
    arena.store.close().await;
    let mut kept = Vec::new();
    for acknowledged in [1, 4, 9, 16] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "keep::child", "--ignored", "--nocapture"])
            .env(CHILD, &home.url)
            .env(CHILD_FOLDER, &home.folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut ids =
            lines.filter_map(|line| line.rsplit_once("kept ").map(|(_, id)| id.parse::<MatchId>().unwrap()));
        kept.extend(ids.by_ref().take(acknowledged));
        child.kill().unwrap();
        child.wait().unwrap();
        kept.extend(ids);
    }
    let store = home.open().await;
    store.own_leases_to_queue("child", 0).await.unwrap();
    for id in &kept {
        assert_eq!(
            store.match_row(*id).await.unwrap().unwrap().state,
            store::MatchState::Done,
            "acknowledged, then lost"
        );
    }
    let arena = Arena::new(store).await;
    while let Some(leased) = arena.store.lease("w", 1, 2).await.unwrap() {
        arena.record(&leased, &[1, 2]).await;
    }
    assert_eq!(arena.store.queue_length().await.unwrap(), QueueLength { queued: 0, leased: 0 });
    assert_eq!(
        arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap().tally.games,
        MATCHES as i64
    );
    arena.sound(MATCHES as i64).await;
}

/// Eight programs open a new database at the same time.
async fn opened_by_many_at_once(home: &Home) {
    let mut opening = Vec::new();
    for _ in 0..8 {
        let (url, folder) = (home.url.clone(), home.folder.clone());
        opening.push(tokio::spawn(async move { Store::open(&url, &folder, 1).await.map(|_| ()) }));
    }
    for one in opening {
        one.await.unwrap().unwrap();
    }
    home.open().await.ping().await.unwrap();
}

/// The server is restarted repeatedly while workers play: the running statements of all connections are interrupted.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn connections_cut() {
    const MATCHES: usize = 80;
    let Some(home) = Home::new(On::Postgres) else { return };
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    for _ in 0..MATCHES {
        arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    }
    let over = Arc::new(AtomicBool::new(false));
    let (recorded, mut results) = mpsc::unbounded_channel();
    let mut workers = Vec::new();
    for worker in 0..4 {
        let (store, over, recorded) = (arena.store.clone(), over.clone(), recorded.clone());
        workers.push(tokio::spawn(async move {
            let name = format!("w{worker}");
            while !over.load(Ordering::Relaxed) {
                // A lease whose answer was lost returns to the queue, as when it expires.
                let leased = match store.lease(&name, 100, 200).await {
                    Ok(Some(leased)) => leased,
                    Ok(None) => {
                        let _ = store.own_leases_to_queue(&name, 0).await;
                        // The store sends no notice when a match returns to the queue: look again.
                        tokio::time::sleep(Duration::from_millis(5)).await;
                        continue;
                    }
                    Err(error) => {
                        assert_eq!(error.kind, ErrorKind::Busy, "{error}");
                        continue;
                    }
                };
                loop {
                    match store.record(leased.id, leased.token, &result(&[1, 2]), &|_| Vec::new()).await {
                        // The first answer may have been lost: then the match was recorded before.
                        Ok(_) => recorded.send(leased.id).unwrap(),
                        Err(error) => {
                            assert_eq!(error.kind, ErrorKind::Busy, "{error}");
                            continue;
                        }
                    }
                    break;
                }
            }
        }));
    }
    let mut finished = 0;
    for round in 0.. {
        let cut = "SELECT CAST(COUNT(pg_terminate_backend(pid)) AS BIGINT) FROM pg_stat_activity \
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        if round < 20 {
            home.damage(cut).await;
        }
        // The next cut comes after the next result. Results that came meanwhile count too.
        tokio::time::timeout(testing::PATIENCE, results.recv()).await.expect("a result").unwrap();
        finished += 1;
        while results.try_recv().is_ok() {
            finished += 1;
        }
        if finished == MATCHES {
            break;
        }
    }
    over.store(true, Ordering::Relaxed);
    for worker in workers {
        worker.await.unwrap();
    }
    assert_eq!(
        arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap().tally.games,
        MATCHES as i64
    );
    arena.sound(MATCHES as i64).await;
}

/// All lines of a backup except the first, which contains the time of the backup.
fn lines(backup: &Path) -> Vec<String> {
    let mut text = String::new();
    let file = std::fs::File::open(backup.join("tables.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Asserts that only its owner may use a folder and everything in it.
fn assert_private(path: &Path) {
    let about = std::fs::metadata(path).unwrap();
    assert_eq!(about.permissions().mode() & 0o077, 0, "{}", path.display());
    if about.is_dir() {
        for inside in std::fs::read_dir(path).unwrap() {
            assert_private(&inside.unwrap().path());
        }
    }
}

async fn backup_and_restore(home: &Home) {
    let store = home.open().await;
    fill::generate(&store, &Plan { bots: 40, matches: 3_000, seed: 5 }, &|_, _| ()).await.unwrap();
    store.create_user(&new_user("Zoé"), 5).await.unwrap();
    let digest = store.put_record(b"{\"record\":1}".to_vec()).await.unwrap();
    // A record of an earlier version of the program, which everybody could read.
    let record = home.folder.join("records").join(&digest[..2]).join(format!("{digest}.json.gz"));
    std::fs::set_permissions(record, std::fs::Permissions::from_mode(0o644)).unwrap();
    let first = home.folder.join("first");
    let report = store.backup(&first, 77).await.unwrap();
    assert_eq!(report.records, 1);
    assert_private(&first);
    assert_eq!(store.backup(&first, 78).await.unwrap_err().kind, ErrorKind::Conflict, "it is there already");
    let same = if home.url.starts_with("sqlite:") { On::Sqlite } else { On::Postgres };
    for on in [On::Sqlite, On::Postgres] {
        let Some(other) = Home::new(on) else {
            assert_eq!(same, On::Sqlite);
            continue;
        };
        let (restored, told) =
            Store::restore(&other.url, &other.folder.join("records"), &first, 80).await.unwrap();
        assert_eq!((told.rows, told.records, told.made), (report.rows, 1, 77));
        assert_eq!(restored.read_record(&digest).await.unwrap(), b"{\"record\":1}");
        // A backup of the restored database has the same lines; the fold is the same too.
        let second = home.folder.join(format!("second-{on:?}"));
        restored.backup(&second, 90).await.unwrap();
        assert_eq!(lines(&first), lines(&second));
        let checked = restored.recompute(true, &|_, _| ()).await.unwrap();
        assert_eq!((checked.matches, checked.different), (3_000, 0), "{checked:?}");
        // New rows get new numbers.
        let user = restored.create_user(&new_user("new"), 99).await.unwrap();
        assert!(restored.users_after(user.id).await);
        let twice = Store::restore(&other.url, &other.folder.join("records"), &first, 80).await.unwrap_err();
        assert_eq!(twice.kind, ErrorKind::Conflict, "only into an empty database");
        restored.close().await;
    }
}

trait Numbers {
    async fn users_after(&self, id: UserId) -> bool;
}

impl Numbers for Store {
    /// Whether no other user has this number or a higher one.
    async fn users_after(&self, id: UserId) -> bool {
        self.list_users("", 0, 1).await.unwrap()[0].id == id
            && self.user(UserId(id.0 + 1)).await.unwrap().is_none()
    }
}

async fn incomplete_backups_are_refused(home: &Home) {
    let store = home.open().await;
    fill::generate(&store, &Plan { bots: 12, matches: 200, seed: 5 }, &|_, _| ()).await.unwrap();
    let backup = home.folder.join("backup");
    store.backup(&backup, 77).await.unwrap();
    let file = backup.join("tables.jsonl.gz");
    let whole = std::fs::read(&file).unwrap();
    let other = Home::new(On::Sqlite).unwrap();
    for length in [0, 10, whole.len() / 2, whole.len() - 9] {
        std::fs::write(&file, &whole[..length]).unwrap();
        let error = Store::restore(&other.url, &other.folder.join("records"), &backup, 80).await.unwrap_err();
        assert!(error.message.contains("damaged"), "{error}");
    }
    // The failed attempts left nothing behind.
    std::fs::write(&file, &whole).unwrap();
    let (restored, _) = Store::restore(&other.url, &other.folder.join("records"), &backup, 80).await.unwrap();
    restored.close().await;
    let nothing = Store::restore(&home.url, &home.folder.join("records"), &home.folder.join("none"), 1)
        .await
        .unwrap_err();
    assert_eq!(nothing.kind, ErrorKind::NotFound);
}

async fn records(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, _, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let records = arena.store.records();
    let kept = records.put(b"kept").unwrap();
    assert_eq!(records.put(b"kept").unwrap(), kept, "the same bytes are one file");
    let orphan = records.put(b"orphan").unwrap();
    let mut named = result(&[1, 2]);
    named.record = Some(kept.clone());
    arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
    arena.store.record(leased.id, leased.token, &named, &|_| Vec::new()).await.unwrap();
    assert_eq!(arena.store.sweep_records(Duration::from_hours(1)).await.unwrap(), 0, "it may be on its way");
    assert_eq!(arena.store.sweep_records(Duration::ZERO).await.unwrap(), 1);
    assert_eq!(records.get(&kept).unwrap(), b"kept");
    assert_eq!(records.get(&orphan).unwrap_err().kind, ErrorKind::NotFound);
    for path in ["../../etc/passwd", "", "é", &"A".repeat(64), &"/".repeat(64)] {
        assert_eq!(records.get(path).unwrap_err().kind, ErrorKind::NotFound);
    }
    // A damaged file is detected.
    let file = home.folder.join("records").join(&kept[..2]).join(format!("{kept}.json.gz"));
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert!(records.get(&kept).unwrap_err().message.contains("damaged"));
}

/// A full disk is noticed even where a change would fit into the pages that the tables have.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_check_of_the_storage_notices_a_full_disk_of_postgres() {
    let folder = testing::scratch();
    let Some(database) = Database::on_small_disk() else { return };
    let store = Store::open(&database.url(), folder.path(), 1).await.unwrap();
    store.set_setting("key", "before").await.unwrap();
    store.check_storage().await.unwrap();
    database.disk().set_full(true);
    store.set_setting("key", "after").await.unwrap();
    let error = store.check_storage().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Full, "{error}");
    database.disk().set_full(false);
    // The check leaves nothing behind.
    for _ in 0..2 {
        store.check_storage().await.unwrap();
    }
    store.close().await;
}
