//! The clock of the host is set while the arena plays: no match is lost, none is void, and play goes on.

use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use store::MatchState;

use crate::arena::{Home, Server};
use crate::{all_ready, check, enqueue, enter, until};

const HOUR: i64 = 3600;
/// Longer than the interval in which leases are renewed.
const HELD: Duration = Duration::from_secs(17);
/// Enough for a match in progress at each moment of the test.
const MATCHES: u64 = 400;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_clock_is_set_by_an_hour_in_both_directions() {
    let mut home = Home::sqlite();
    let shift = home.folder.join("shift");
    fs::write(&shift, 0_i64.to_ne_bytes()).unwrap();
    home.variables = vec![("LD_PRELOAD", shifted_clock(&home.folder)), ("AGON_TEST_CLOCK", shift.clone())];

    let store = home.open().await;
    let versions = enter(&store, 4000).await;
    let server = Server::start(&home, &["--idle-every", "3600"]);
    until("the bots are built", || async { all_ready(&store, &versions).await }).await;
    let queued = enqueue(&store, &versions, MATCHES).await;
    let played = || async { store.counts().await.unwrap().matches };
    for seconds in [HOUR, -HOUR] {
        let before = played().await;
        set(&shift, seconds);
        tokio::time::sleep(HELD).await;
        let at = played().await;
        assert!(at > before, "matches are played after the clock was set");
        // The results carry the time of the clock: it was really set.
        let mut newest = 0;
        for &id in &queued {
            let row = store.match_row(id).await.unwrap().unwrap();
            newest = if seconds > 0 {
                newest.max(row.finished.unwrap_or(0))
            } else {
                row.finished.unwrap_or(newest)
            };
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
        assert!((newest - now - seconds * 1000).abs() < 60_000, "finished at {newest}, real time {now}");
    }
    server.stop();

    let mut done = Vec::new();
    for &id in &queued {
        let row = store.match_row(id).await.unwrap().unwrap();
        assert_eq!((row.lost, row.attempts), (0, 0), "{row:?}");
        if row.state == MatchState::Done {
            done.push(id);
        } else {
            assert_eq!(row.state, MatchState::Queued, "{row:?}");
        }
    }
    assert!(done.len() < queued.len(), "a match was in progress at each moment");
    check(&store, &done).await;
}

fn set(shift: &Path, seconds: i64) {
    // In place: the server has mapped this file.
    let mut file = File::options().write(true).open(shift).unwrap();
    file.rewind().unwrap();
    file.write_all(&seconds.to_ne_bytes()).unwrap();
}

/// The library that shifts the time of day.
fn shifted_clock(folder: &Path) -> std::path::PathBuf {
    let library = folder.join("shifted_clock.so");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/torture/shifted_clock.c");
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-O1", source, "-o"]).arg(&library).status();
    assert!(compiled.unwrap().success());
    library
}
