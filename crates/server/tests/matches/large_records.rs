//! A bot that writes as much as it may, and clients that do not read the record of its match.

use std::time::Duration;

use serde_json::json;

use crate::common::raw::Raw;
use crate::common::site_with;
use crate::played_match;

/// The memory of this process, the site included, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

pub fn clients_that_do_not_read_cost_little_memory() {
    const CLIENTS: usize = 100;
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ana = site.player("ana");
    // Every answer has a message of control characters, which JSON writes as six bytes each.
    let noisy = "import sys\nwhile True:\n    line = sys.stdin.readline()\n    if not line:\n        break\n    if len(line.split()) == 1 and line.strip().isdigit():\n        for _ in range(int(line)):\n            sys.stdin.readline()\n        print('MOVE 0 0 ' + chr(1) * 9900, flush=True)\n";
    let body = json!({"game": "hypersonic", "language": "Python", "source": noisy, "activate": true});
    let bot = ana.post("/submissions", &body).ok()["bot"].as_i64().unwrap();
    let id = played_match(&ana, bot);
    let paths = ["record", "replay"].map(|part| format!("/api/v1/matches/{id}/{part}"));
    for path in &paths {
        let whole = site.visitor().get(&format!("!{path}"));
        assert!(whole.status == 200 && whole.text.len() > 2_000_000, "{path}: {}", whole.text.len());
    }
    // No more matches are played, and nothing else needs memory.
    site.server.runtime().block_on(site.server.app().service.set_paused(true)).unwrap();
    let host = site.base.strip_prefix("http://").unwrap();
    for path in &paths {
        let before = memory();
        let mut clients: Vec<Raw> = (0..CLIENTS).map(|_| Raw::to(site.server.address())).collect();
        for client in &mut clients {
            client.send(format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes());
        }
        let open = || site.server.app().guard.connections.open().0;
        testing::until("all clients", || (open() >= CLIENTS).then_some(()));
        std::thread::sleep(Duration::from_secs(2));
        let more = memory().saturating_sub(before);
        assert!(more < 100, "{path}: {CLIENTS} clients cost {more} MB");
    }
}
