//! Input that is not a valid request, and headers with false values.

use serde_json::json;

use crate::common::raw::{Dice, Raw, once};
use crate::common::{site, site_with, sites_with};

#[test]
fn invalid_requests_do_not_break_the_server() {
    let site = site_with(&[("workers", "0"), ("patience", "1")]);
    let address = site.server.address();
    let long = "x".repeat(40 * 1024);
    let many: String = (0..200).map(|number| format!("x-{number}: 1\r\n")).collect();
    let cases: Vec<(Vec<u8>, &[u16])> = vec![
        (b"\r\n\r\n\r\n".to_vec(), &[400]),
        (b"GET\r\n\r\n".to_vec(), &[400]),
        (b"GET /\r\n\r\n".to_vec(), &[400]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), &[400]),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(), &[400, 405, 505]),
        (b"GET / HTTP/9.9\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 505]),
        (b"G\x00T / HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400]),
        (b"GET /\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[200, 400, 404]),
        (b"GET /api/v1/\xff\xfe HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 404]),
        (b"GET /api/v1/users/%ff%fe HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 404]),
        (b"GET /api/v1/users/%00 HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 404]),
        (b"GET /api/v1/matches?game=%00%ff HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 404]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\nx: \xff\xfe\r\n\r\n".to_vec(), &[200]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\nx\x00y: z\r\n\r\n".to_vec(), &[400]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\nx: a\x00b\r\n\r\n".to_vec(), &[400]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n".to_vec(), &[400]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab".to_vec(), &[400]),
        (b"GET / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999\r\n\r\n".to_vec(), &[400, 413]),
        (b"POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n".to_vec(), &[400]),
        (b"POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: gzip\r\n\r\n".to_vec(), &[400]),
        (b"TRACE / HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[401, 405]),
        (b"CONNECT evil.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[400, 421]),
        (b"GET http://evil.example/ HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[421]),
        (b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n".to_vec(), &[200, 400, 404, 405]),
        (format!("GET /{long} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes(), &[400, 414, 431]),
        (format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", &long[..5000]).into_bytes(), &[414]),
        (format!("GET / HTTP/1.1\r\nhost: localhost\r\nx: {long}\r\n\r\n").into_bytes(), &[431]),
        (format!("GET / HTTP/1.1\r\nhost: localhost\r\n{many}\r\n").into_bytes(), &[431]),
        (format!("GET / HTTP/1.1\r\nhost: localhost\r\ncookie: agon_session={}\r\n\r\n", &long[..8000]).into_bytes(), &[200]),
        (format!("GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer agon_{}\r\n\r\n", &long[..8000]).into_bytes(), &[401]),
        (b"GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\nauthorization: Basic YTpi\r\n\r\n".to_vec(), &[401]),
    ];
    for (request, allowed) in cases {
        // The server may also close the connection without an answer.
        if let Some(came) = once(address, &request) {
            let shown = String::from_utf8_lossy(&request[..request.len().min(80)]).into_owned();
            assert!(allowed.contains(&came.status), "{shown:?}: {} {}", came.status, came.text());
        }
    }
    let mut dice = Dice(7);
    for _ in 0..300 {
        let mut bytes =
            b"GET /api/v1/site HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n\r\nabc".to_vec();
        for _ in 0..=dice.roll(6) {
            let at = dice.roll(bytes.len());
            bytes[at] = dice.roll(256) as u8;
        }
        let mut raw = Raw::to(address);
        raw.send(&bytes);
        drop(raw);
    }
    assert_eq!(site.visitor().get("/site").status, 200);
}

/// Request smuggling: bytes that a proxy takes for a body must not be taken for a request by the server.
#[test]
fn request_smuggling_is_refused() {
    let site = site_with(&[("workers", "0"), ("patience", "1")]);
    let both = "POST /api/v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 6\r\ntransfer-encoding: chunked\r\n\r\n\
                0\r\n\r\nGET /api/v1/site HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let mut raw = Raw::to(site.server.address());
    raw.send(both.as_bytes());
    let first = raw.answer().expect("an answer");
    assert!((400..500).contains(&first.status), "{first:?}");
    // Pipelined requests are answered in order.
    let mut raw = Raw::to(site.server.address());
    let row = "GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20);
    raw.send(row.as_bytes());
    for _ in 0..20 {
        assert_eq!(raw.answer().map(|came| came.status), Some(200));
    }
    // After invalid input nothing more is read.
    let mut raw = Raw::to(site.server.address());
    raw.send(b"GET /api/v1/me HTTP/1.1\r\nhost: localhost\r\n\r\n\x00\x01\x02 nonsense\r\n\r\nGET /api/v1/me HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(raw.answer().map(|came| came.status), Some(200));
    assert!(raw.answer().is_none_or(|came| came.status == 400));
    assert!(raw.answer().is_none());
}

#[test]
fn json_bombs_are_refused() {
    for site in sites_with(&[("workers", "0")]) {
        let ada = site.player("ada");
        let send = |path: &str, body: String| {
            let agent = &ada.agent;
            let request =
                agent.post(format!("{}/api/v1{path}", site.base)).header("content-type", "application/json");
            let request =
                request.header("cookie", ada.cookie.as_deref().unwrap()).header("origin", &site.base);
            request.header("x-agon-csrf", ada.csrf.as_deref().unwrap()).send(body).unwrap().status().as_u16()
        };
        let deep = "[".repeat(60_000);
        let objects = "{\"a\":".repeat(12_000);
        let number = format!("{{\"name\":{}}}", "9".repeat(60_000));
        let keys: String = (0..4000).map(|number| format!("\"k{number}\":1,")).collect();
        let bodies = [
            deep,
            objects,
            number,
            format!("{{{keys}\"a\":1}}"),
            "null".to_owned(),
            "\"\\ud800\"".to_owned(),
            String::new(),
        ];
        for body in bodies {
            for path in ["/me/tokens", "/submissions", "/human-games"] {
                let status = send(path, body.clone());
                assert!((400..500).contains(&status), "{path} {}: {status}", &body[..body.len().min(40)]);
            }
        }
        // A NUL is a valid character in JSON, but not in a database.
        let nul = json!({"game": "hypersonic", "language": "Python", "source": "print('\u{0}')"}).to_string();
        assert_eq!(send("/submissions", nul), 400);
        // A source that only names the escape contains two harmless characters.
        let harmless =
            json!({"game": "hypersonic", "language": "Python", "source": "print('\\u0000')"}).to_string();
        assert!(send("/submissions", harmless) < 300);
        for body in [b"\xff\xfe\xfd".to_vec(), b"{\"name\":\"\xff\"}".to_vec()] {
            let request = ada
                .agent
                .post(format!("{}/api/v1/login", site.base))
                .header("content-type", "application/json");
            let status = request.send(body.as_slice()).unwrap().status().as_u16();
            assert!((400..500).contains(&status), "{status}");
        }
    }
}

#[test]
fn requests_cannot_inject_headers_into_answers() {
    let site = site();
    let address = site.server.address();
    for path in [
        "/api/v1/users/x%0d%0aset-cookie:%20evil=1",
        "/api/v1/contests/x%0d%0aset-cookie:%20evil=1/export.csv",
        "/%0d%0aset-cookie:%20evil=1",
        "/api/v1/matches?game=x%0d%0aset-cookie:%20evil=1",
        "/api/v1/games/x%0a%0aset-cookie:%20evil=1/statement",
        "/assets/x%0d%0aset-cookie:%20evil=1",
    ] {
        let came =
            once(address, format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"))
                .unwrap();
        assert_eq!(came.header("set-cookie"), None, "{path}");
        assert!(came.status < 500, "{path}: {}", came.status);
    }
}

#[test]
fn the_host_header_is_not_reflected() {
    // With a public address the site does not check the name.
    let public = site_with(&[("workers", "0"), ("public_url", "https://arena.example.org")]);
    let plain = site();
    for address in [public.server.address(), plain.server.address()] {
        for host in ["evil.example", "evil.example:80", "\"><script>", "127.0.0.1:1@evil.example", ""] {
            for path in [
                "/",
                "/llms.txt",
                "/healthz",
                "/login",
                "/api/v1/site",
                "/api/v1/openapi.json",
                "/api/v1/me",
                "/nothing.here",
            ] {
                let request = format!(
                    "GET {path} HTTP/1.1\r\nhost: {host}\r\nx-forwarded-host: evil.example\r\nforwarded: host=evil.example\r\nx-forwarded-proto: https\r\nconnection: close\r\n\r\n"
                );
                let Some(came) = once(address, request) else { continue };
                assert!(!came.text().contains("evil.example"), "{host} {path}");
                assert!(
                    !came.headers.iter().any(|(_, value)| value.contains("evil.example")),
                    "{host} {path}"
                );
            }
        }
    }
}

#[test]
fn there_are_no_redirects_to_other_sites() {
    let site = site();
    for path in [
        "//evil.example",
        "//evil.example/%2e%2e",
        "/\\evil.example",
        "/%2f%2fevil.example",
        "/%5cevil.example",
        "/.evil.example",
        "/login?to=https://evil.example",
        "/login?to=//evil.example",
        "/logout?next=https://evil.example",
        "/api/v1/me/?redirect=https://evil.example",
        "/assets//evil.example/",
        "/https:/evil.example",
    ] {
        let came = once(
            site.server.address(),
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"),
        )
        .unwrap();
        assert!(!(300..400).contains(&came.status), "{path}: {}", came.status);
        assert_eq!(came.header("location"), None, "{path}");
        assert_eq!(came.header("refresh"), None, "{path}");
    }
}
