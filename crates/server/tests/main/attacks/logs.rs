//! The log of the site holds no secret.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use serde_json::json;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::common::raw::once;
use crate::common::site;

/// Not a test: a site in a separate process, so that its whole output can be read. It ends when its standard input is
/// closed.
#[test]
#[ignore = "started by the test below"]
fn a_site_of_its_own() {
    // Everything the site logs, and the warnings of libraries.
    let levels = Targets::new().with_default(LevelFilter::WARN).with_target("agon", LevelFilter::TRACE);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    tracing_subscriber::registry().with(levels).with(lines).init();
    let site = site();
    println!("AT {}", site.server.address());
    let mut end = String::new();
    std::io::stdin().read_to_string(&mut end).unwrap();
}

#[test]
fn the_log_contains_no_secret() {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "attacks::logs::a_site_of_its_own", "--ignored", "--nocapture"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Read at the same time as the standard output: a full pipe would stop the site.
    let mut err = child.stderr.take().unwrap();
    let log = std::thread::spawn(move || {
        let mut log = String::new();
        err.read_to_string(&mut log).unwrap();
        log
    });
    let mut written = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let address: std::net::SocketAddr = loop {
        let mut line = String::new();
        assert!(out.read_line(&mut line).unwrap() > 0, "the site did not start: {written}");
        written += &line;
        // The test harness writes on the same line.
        if let Some((_, at)) = line.split_once("AT ") {
            break at.trim().parse().unwrap();
        }
    };
    let base = format!("http://{address}");
    let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
    let post = |path: &str, headers: &[(&str, &str)], body: serde_json::Value| {
        let mut request = agent.post(format!("{base}/api/v1{path}")).header("origin", &base);
        for (key, value) in headers {
            request = request.header(*key, *value);
        }
        request.send_json(body).unwrap()
    };
    let password = "a password for the log";
    let made = post("/signup", &[], json!({"name": "ada", "password": password}));
    let cookie = made.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let me: serde_json::Value = { made }.body_mut().read_json().unwrap();
    let csrf = me["csrf"].as_str().unwrap().to_owned();
    let signed = [("cookie", cookie.as_str()), ("x-agon-csrf", csrf.as_str())];
    let token: serde_json::Value =
        post("/me/tokens", &signed, json!({"name": "t", "scopes": ["read"]})).body_mut().read_json().unwrap();
    let token = token["token"].as_str().unwrap().to_owned();
    let session = cookie.split_once('=').unwrap().1.to_owned();
    // Secrets in wrong places, in requests that fail for every possible reason.
    let host = address.to_string();
    for request in [
        format!("GET /api/v1/me?token={token} HTTP/1.1\r\nhost: {host}\r\n\r\n"),
        format!("GET /{session} HTTP/1.1\r\nhost: {host}\r\n\r\n"),
        format!(
            "GET /api/v1/users/{token} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}x\r\n\r\n"
        ),
        format!(
            "POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{{\"{session}"
        ),
        format!("GARBAGE {token}\r\ncookie: {cookie}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nx: {}\r\n\r\n", "y".repeat(40_000)),
    ] {
        let _ = once(address, request);
    }
    post("/login", &[], json!({"name": "ada", "password": format!("{password}!")}));
    post("/login", &[], json!({"name": password, "password": session}));
    post("/reset", &[], json!({"code": token, "password": password}));
    drop(child.stdin.take());
    out.read_to_string(&mut written).unwrap();
    written += &log.join().unwrap();
    assert!(child.wait().unwrap().success(), "{written}");
    assert!(written.contains("AT ") && written.contains("request{id="), "{written}");
    for secret in [password, &session, &csrf, &token] {
        assert!(!written.contains(secret), "{secret} is in: {written}");
    }
}
