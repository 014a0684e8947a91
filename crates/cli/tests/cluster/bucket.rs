//! The records of an arena in a bucket of an S3-compatible server, which is killed while the arena plays.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use store::Store;
use testing::{Certificates, S3, scratch};

use crate::arena::{prepare, results, until};
use crate::home::{Home, Server};

/// An arena with its records in a bucket.
fn home(s3: &S3) -> Home {
    let mut home = Home::sqlite();
    home.variables = s3.variables();
    home.variables.push(("AGON_RECORDS", records("records")));
    home
}

fn records(prefix: &str) -> PathBuf {
    format!("s3://{}/{prefix}", S3::BUCKET).into()
}

/// The same arena with another variable.
fn set(home: &mut Home, name: &'static str, value: &str) {
    home.variables.retain(|(known, _)| *known != name);
    home.variables.push((name, value.into()));
}

/// What `agon admin check` finds.
fn check(home: &Home) -> Value {
    let checked = home.admin(&["check", "--replay", "--json"]);
    serde_json::from_slice(&checked.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&checked.stderr)))
}

/// The error of a command of an arena that cannot use its bucket.
fn refusal(home: &Home) -> String {
    let refused = home.admin(&["check"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    String::from_utf8(refused.stderr).unwrap()
}

/// The database without the records: the process of the test has no variables of the bucket.
async fn database(home: &Home) -> Store {
    let store = home.open().await;
    prepare(&store).await;
    store
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arena_outlives_its_bucket() {
    let Some(mut s3) = S3::start() else { return };
    let home = home(&s3);
    let log = home.folder.join("log");
    let store = database(&home).await;
    let server = Server::start_with_log(&home, &["--workers", "1", "--idle-every", "1"], &log);
    until(&store, 5).await;
    s3.kill();
    // The arena says so, and counts no match without a record.
    testing::until("a message about the bucket", || {
        let said = fs::read_to_string(&log).unwrap_or_default();
        said.contains("a record could not be written: the bucket arena").then_some(())
    });
    let before = results(&store).await;
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(results(&store).await, before);
    s3.start_again();
    // It goes on by itself.
    until(&store, before + 5).await;
    server.stop();
    let played = results(&store).await;
    store.close().await;
    // The server of the tests has lost what it held; every later match has its record.
    let told = check(&home);
    assert_eq!(told["records"].as_i64(), Some(played), "{told}");
    assert_eq!(told["records_bad"].as_i64(), Some(before), "{told}");
    assert_eq!(told["replayed"]["games"].as_i64(), Some(played - before), "{told}");
    assert_eq!(told["replayed"]["mismatches"], 0, "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_in_a_bucket_are_saved_and_restored() {
    let Some(s3) = S3::start() else { return };
    let (mut home, scratch) = (home(&s3), scratch());
    let store = database(&home).await;
    let server = Server::start(&home, &["--workers", "1", "--idle-every", "1"]);
    until(&store, 5).await;
    server.stop();
    let played = results(&store).await;
    let page = store.recent(&store::MatchList { limit: 1, ..store::MatchList::default() }).await.unwrap();
    let digest = page[0].record.clone().unwrap();
    store.close().await;
    let on_disk = fs::read_dir(home.folder.join("records")).unwrap();
    assert_eq!(on_disk.count(), 0);
    assert!(home.admin(&["sweep"]).status.success());
    let backup = scratch.path().join("backup").display().to_string();
    assert!(home.admin(&["backup", &backup]).status.success());
    // Into another bucket, and into a folder.
    for place in [records("second"), scratch.path().join("records")] {
        let mut other = Home::sqlite();
        other.variables.clone_from(&home.variables);
        set(&mut other, "AGON_RECORDS", &place.display().to_string());
        let restored = other.admin(&["restore", &backup]);
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
        let told = check(&other);
        assert_eq!(told["records_bad"], 0, "{told}");
        assert_eq!(told["replayed"]["games"].as_i64(), Some(played), "{told}");
    }
    // A damaged object is named.
    s3.put(&format!("{}/records/{}/{digest}.json.gz", S3::BUCKET, &digest[..2]), "damaged");
    let told = check(&home);
    assert_eq!(told["records_bad"], 1, "{told}");
    assert!(told["bad"][0].as_str().unwrap().contains(&format!("the record {digest} is damaged")), "{told}");

    // Mistakes in the settings.
    set(&mut home, "AGON_RECORDS", "s3://other/records");
    let said = refusal(&home);
    assert!(said.contains("the bucket other: it does not exist"), "{said}");
    set(&mut home, "AGON_RECORDS", &records("records").display().to_string());
    set(&mut home, "AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    let said = refusal(&home);
    assert!(
        said.contains("the bucket arena: the server does not answer") && said.contains("refused"),
        "{said}"
    );
    set(&mut home, "AWS_ALLOW_HTTP", "false");
    let said = refusal(&home);
    assert!(said.contains("the bucket arena"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_keys_and_unknown_certificates_are_refused() {
    let (Some(refusing), Some(certificates)) = (S3::refusing(), Certificates::make()) else { return };
    let arena = home(&refusing);
    database(&arena).await.close().await;
    let said = refusal(&arena);
    assert!(said.contains("AWS_SECRET_ACCESS_KEY"), "{said}");
    let Some(s3) = S3::with_tls(certificates) else { return };
    let mut arena = home(&s3);
    database(&arena).await.close().await;
    assert_eq!(check(&arena)["records"], 0);
    arena.variables.retain(|(name, _)| *name != "SSL_CERT_FILE");
    let said = refusal(&arena);
    assert!(said.contains("certificate"), "{said}");
}
