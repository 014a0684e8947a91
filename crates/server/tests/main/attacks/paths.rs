//! Ten thousand addresses that try to reach files outside the site.

use crate::common::raw::{Dice, Raw};
use crate::common::sites_with;

const CANARY: &str = "canary-4f1c9f7e-do-not-read";

/// The beginnings of the addresses.
const STARTS: [&str; 14] = [
    "/",
    "/assets/",
    "/api/v1/",
    "/api/v1/matches/",
    "/api/v1/users/",
    "/api/v1/contests/",
    "/api/v1/games/",
    "/api/v1/boards/arena/",
    "/api/v1/bots/",
    "/api/v1/versions/",
    "/api/v1/human-games/",
    "/api/v1/admin/",
    "//",
    "/./",
];

/// The parts of the addresses.
const PARTS: [&str; 56] = [
    "..",
    ".",
    "%2e%2e",
    "%2E%2E",
    "..%2f",
    "..%5c",
    "..\\",
    "%252e%252e%252f",
    "....//",
    "%c0%ae%c0%ae/",
    "%00",
    "canary.txt",
    "canary.json",
    "records",
    "agon.db",
    "agon.db-wal",
    "etc/passwd",
    "proc/self/environ",
    "%2fetc%2fpasswd",
    "index.html",
    "site.html",
    "replay",
    "record",
    "export.csv",
    "export.json",
    "export/records",
    "statement",
    "1",
    "-1",
    "0",
    "9223372036854775808",
    "1e9",
    "NaN",
    "arena",
    "ocean-of-code",
    "hypersonic",
    "%F0%9F%92%A3",
    "%ff",
    "+",
    "~",
    "*",
    "?",
    "#",
    "?before=",
    "?tier=-1",
    "?page=99999999999",
    "?lang=%00",
    "?from=-1&attempt=x",
    ";",
    "'",
    "%27%20OR%201=1--",
    "%22",
    "<svg>",
    "{id}",
    "$1",
    "%24%7B1%7D",
];

#[test]
fn ten_thousand_hostile_paths_reach_no_file_and_cause_no_error() {
    for site in sites_with(&[("workers", "0")]) {
        let folder = site.folder();
        for place in ["canary.txt", "records/canary.txt", "canary.json", "index.html"] {
            let file = folder.join(place);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, CANARY).unwrap();
        }
        let whole = folder.display().to_string();
        let mut parts = PARTS.to_vec();
        parts.push(&whole);
        let mut dice = Dice(20_260_101);
        let mut raw = Raw::to(site.server.address());
        let (mut asked, mut found) = (0, 0);
        for _ in 0..10_000 {
            let mut path = dice.pick(&STARTS).to_owned();
            for _ in 0..=dice.roll(5) {
                path += dice.pick(&parts);
                if dice.roll(2) == 0 {
                    path.push('/');
                }
            }
            let path: String = path.chars().filter(char::is_ascii_graphic).collect();
            let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
            let Some(came) = raw.ask(&request) else {
                // The server closed the connection after an unreadable request: the next request gets a new one.
                raw = Raw::to(site.server.address());
                continue;
            };
            asked += 1;
            let is_page = came.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
            found += usize::from(came.status == 200 || is_page);
            assert!(came.status < 500, "{path}: {} {}", came.status, came.text());
            let text = came.text();
            assert!(
                !text.contains(CANARY) && !text.contains("root:x:0:0") && !text.contains("SQLite format"),
                "{path}"
            );
            assert!(!text.contains(&whole), "{path} tells where the site lives");
            // Input that is not an HTTP request is refused before the site sees it.
            let is_ours = came.header("content-type").is_some();
            assert!(!is_ours || came.header("x-content-type-options") == Some("nosniff"), "{path}");
            if came.header("connection") == Some("close") {
                raw = Raw::to(site.server.address());
            }
        }
        assert!(asked > 9000 && found > 100, "{asked} were answered, {found} with a page");
    }
}
