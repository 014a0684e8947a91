//! Requests that are too large, too slow or too many.

use std::time::Duration;

use serde_json::json;

use crate::common::raw::{Raw, once};
use crate::common::{Site, site, site_with};

fn post(site: &Site, path: &str, length: usize) -> u16 {
    let visitor = site.visitor();
    let body = format!("{{\"name\":\"{}\"}}", "x".repeat(length.saturating_sub(11)));
    assert_eq!(body.len(), length);
    visitor
        .agent
        .post(format!("{}/api/v1{path}", site.base))
        .header("content-type", "application/json")
        .send(body)
        .unwrap()
        .status()
        .as_u16()
}

#[test]
fn bodies_over_the_limit_are_refused() {
    let site = site();
    assert_eq!(post(&site, "/login", 64 * 1024 + 1), 413);
    assert_eq!(post(&site, "/login", 64 * 1024), 422);
    let ada = site.player("ada");
    let submit = |bytes: usize| {
        let frame = json!({"game": "hypersonic", "language": "Python", "source": ""}).to_string().len();
        let body = json!({"game": "hypersonic", "language": "Python", "source": "#".repeat(bytes - frame)});
        ada.post("/submissions", &body)
    };
    let over = submit(512 * 1024 + 1);
    assert_eq!((over.status, over.code()), (413, "too_large"));
    // A client that asks first is answered before it sends the body.
    let host = site.base.strip_prefix("http://").unwrap();
    let (cookie, csrf) = (ada.cookie.as_deref().unwrap(), ada.csrf.as_deref().unwrap());
    let mut raw = Raw::to(site.server.address());
    raw.send(
        format!(
            "POST /api/v1/submissions HTTP/1.1\r\nhost: {host}\r\norigin: {}\r\ncookie: {cookie}\r\nx-agon-csrf: {csrf}\r\n\
             content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
            site.base,
            512 * 1024 + 1
        )
        .as_bytes(),
    );
    let over = raw.answer().unwrap();
    assert_eq!(over.status, 413);
    assert!(over.text().contains("too_large") && over.text().contains("512 KB"), "{}", over.text());
    // Within the limit of bytes, but too long for a source: the error is another one.
    assert!(submit(512 * 1024).text.contains("100,000"));
}

#[test]
fn chunked_bodies_over_the_limit_are_refused() {
    let site = site();
    let mut raw = Raw::to(site.server.address());
    let host = site.base.strip_prefix("http://").unwrap();
    raw.send(
        format!("POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
            .as_bytes(),
    );
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
    // The server may stop reading in the middle; it never reads all of it.
    let taken = (0..100_000).take_while(|_| raw.send(chunk.as_bytes())).count();
    assert!(taken < 100_000);
    // The same with an orderly client: the server reads up to the limit, then answers.
    let mut raw = Raw::to(site.server.address());
    raw.send(
        format!("POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n")
            .as_bytes(),
    );
    for _ in 0..17 {
        raw.send(chunk.as_bytes());
    }
    raw.send(b"0\r\n\r\n");
    assert_eq!(raw.answer().map(|came| came.status), Some(413));
    assert_eq!(site.visitor().get("/me").status, 200);
}

#[test]
fn a_large_body_is_refused_before_it_is_sent() {
    let site = site();
    let host = site.base.strip_prefix("http://").unwrap();
    let head = format!(
        "POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 1000000000\r\n\r\n"
    );
    let came = once(site.server.address(), head).unwrap();
    assert_eq!(came.status, 413);
    assert_eq!(came.header("connection"), Some("close"));
    // A client without the right to change anything is refused before its body is read.
    let head = format!(
        "POST /api/v1/submissions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 500000\r\n\r\n"
    );
    assert_eq!(once(site.server.address(), head).unwrap().status, 401);
}

#[test]
fn five_hundred_slow_clients_do_not_block_others() {
    let site = site_with(&[("workers", "0"), ("connections", "32"), ("patience", "2")]);
    let host = site.base.strip_prefix("http://").unwrap();
    let heads = format!("GET / HTTP/1.1\r\nhost: {host}\r\nx-slow: ");
    let bodies = format!(
        "POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{"
    );
    let mut slow = Vec::new();
    for number in 0..500 {
        let mut raw = Raw::to(site.server.address());
        raw.send(match number % 3 {
            0 => heads.as_bytes(),
            1 => bodies.as_bytes(),
            _ => b"",
        });
        slow.push(raw);
        // Other clients are served all the time.
        if number % 10 == 0 {
            assert_eq!(site.visitor().get("/site").status, 200, "after {number} slow clients");
        }
    }
    let (open, _) = site.server.app().guard.connections.open();
    assert!(open <= 64, "{open} connections are open");
    for _ in 0..20 {
        assert_eq!(site.visitor().get("/site").status, 200);
    }
    for (number, raw) in slow.iter_mut().enumerate() {
        assert!(raw.is_cut(), "slow client {number} is still connected");
    }
}

#[test]
fn requests_that_arrive_too_slowly_are_closed() {
    let site = site_with(&[("workers", "0"), ("patience", "1")]);
    let host = site.base.strip_prefix("http://").unwrap();
    let bodies = format!(
        "POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{{"
    );
    for start in ["GET / HTTP/1.1\r\nx-slow: ", &bodies] {
        let mut raw = Raw::to(site.server.address());
        raw.send(start.as_bytes());
        // The pauses are those of the attack. They take far longer than the time limit, unless the server closes the
        // connection.
        let sent = (0..600).take_while(|_| {
            std::thread::sleep(Duration::from_millis(50));
            raw.send(b"x")
        });
        assert!(sent.count() < 600);
    }
}

#[test]
fn a_slow_body_is_answered_with_408() {
    let site = site_with(&[("workers", "0"), ("patience", "1")]);
    let host = site.base.strip_prefix("http://").unwrap();
    let request = format!(
        "POST /api/v1/login HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{"
    );
    let came = once(site.server.address(), request).unwrap();
    assert_eq!(came.status, 408);
    assert!(came.text().contains("too_slow"));
}

#[test]
fn clients_that_do_not_read_are_disconnected() {
    let site = site_with(&[("workers", "0"), ("patience", "1")]);
    let host = site.base.strip_prefix("http://").unwrap();
    let ask = format!("GET /api/v1/openapi.json HTTP/1.1\r\nhost: {host}\r\n\r\n");
    let mut raw = Raw::to(site.server.address());
    // Endless requests whose answers are not read: when all buffers are full, the time limit begins.
    let sent = (0..1_000_000).take_while(|_| raw.send(ask.as_bytes()));
    assert!(sent.count() < 1_000_000);
    assert_eq!(site.visitor().get("/me").status, 200);
}

#[test]
fn submissions_are_limited_per_hour() {
    let site = site_with(&[("workers", "0"), ("uploads_per_hour", "3")]);
    let ada = site.player("ada");
    let bot = json!({"game": "hypersonic", "language": "Python", "source": "print('WAIT')"});
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..20).map(|_| scope.spawn(|| ada.post("/submissions", &bot).status)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let allowed = statuses.iter().filter(|status| **status < 300).count();
    assert_eq!(allowed, 3, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 20 - allowed, "{statuses:?}");
    // The refusal tells the time that is left; tests are not limited by it.
    let refused = ada.post("/submissions", &bot);
    let wait: u32 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((3_000..=3_600).contains(&wait), "{wait}");
    let test = json!({"game": "hypersonic", "language": "Python", "source": "print('WAIT')", "matches": 3});
    assert!((0..8).all(|_| ada.post("/tests", &test).status == 201));
    // Another account has its own limit.
    assert!(site.player("bob").post("/submissions", &bot).status < 300);
}

#[test]
fn new_accounts_are_limited_per_hour() {
    let site = site_with(&[("workers", "0"), ("signups_per_hour", "5")]);
    let sign_up = |number: usize| {
        site.visitor()
            .post("/signup", &json!({"name": format!("robot-{number}"), "password": "correct horse battery"}))
            .status
    };
    let statuses: Vec<u16> = (0..8).map(sign_up).collect();
    assert_eq!(statuses, [vec![200; 5], vec![429; 3]].concat());
}
