//! The commands that talk to an arena, when its answers are errors or not as expected.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use crate::Scratch;

/// A server that gives these answers, one for each request, and returns the requests.
fn answering(answers: Vec<(u16, &'static str)>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for (status, body) in answers {
            let (stream, _) = listener.accept().unwrap();
            let mut head = String::new();
            let mut length = 0;
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(number) = line.to_lowercase().strip_prefix("content-length:") {
                    length = number.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                head += &line;
            }
            let mut sent = vec![0; length];
            std::io::Read::read_exact(&mut reader, &mut sent).unwrap();
            asked.push(head + &String::from_utf8(sent).unwrap());
            let text = format!(
                "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nretry-after: 7\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            (&stream).write_all(text.as_bytes()).unwrap();
        }
        asked
    });
    (url, served)
}

fn agon(scratch: &Scratch, arguments: &[&str], token: &str, typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .env("XDG_CONFIG_HOME", scratch.path())
        .env_remove("AGON_URL")
        .env("AGON_TOKEN", token)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may end without reading its input.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn refused(output: &Output, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not said: {said}");
    }
}

#[test]
fn without_a_login_commands_ask_to_log_in() {
    let scratch = Scratch::new();
    for arguments in [&["status"][..], &["logs", "1"], &["logs", "v1"]] {
        refused(&agon(&scratch, arguments, "", ""), &["agon login URL"]);
    }
    refused(
        &agon(&scratch, &["status", "--url", "http://127.0.0.1:1"], "", ""),
        &["not logged in", "agon login"],
    );
    refused(&agon(&scratch, &["status", "--url", "gopher://x"], "", ""), &["http://"]);
    refused(
        &agon(&scratch, &["login", "http://127.0.0.1:1"], "", ""),
        &["cannot be reached", "is the server running"],
    );
    refused(&agon(&scratch, &["logs", "seven", "--url", "http://127.0.0.1:1"], "agon_x", ""), &["seven"]);
    refused(&agon(&scratch, &["submit", "hypersonic", "no-such-file.py"], "", ""), &["no-such-file.py"]);
    let source = scratch.file("bot.cobol");
    std::fs::write(&source, "x").unwrap();
    refused(&agon(&scratch, &["submit", "hypersonic", &source], "", ""), &["--lang", "Python"]);
    std::fs::write(&source, [0xFF, 0xFE]).unwrap();
    refused(&agon(&scratch, &["submit", "hypersonic", &source, "--lang", "C"], "", ""), &["UTF-8"]);
}

#[test]
fn errors_of_the_arena_are_printed_with_their_hints() {
    let scratch = Scratch::new();
    let error = r#"{"error":{"code":"x","message":"it \u001b[31mcannot be","hint":"do that"}}"#;
    for (status, body, words) in [
        (401, error, &["refuses the token", "agon login"][..]),
        (403, error, &["it \u{FFFD}[31mcannot be; do that"]),
        (429, error, &["do that; try again in 7 s"]),
        (200, "<html>", &["is the address right?"]),
        (502, "Bad Gateway", &["answered 502"]),
        (302, "", &["answered 302"]),
    ] {
        let (url, served) = answering(vec![(status, body)]);
        refused(&agon(&scratch, &["status", "--url", &url], "agon_secret", ""), words);
        let asked = served.join().unwrap();
        assert!(asked[0].starts_with("GET /api/v1/me/bots HTTP/1.1"), "{asked:?}");
        assert!(asked[0].contains("uthorization: Bearer agon_secret"), "{asked:?}");
    }
    let (url, served) = answering(vec![(200, r#"{"other": 1}"#), (200, r#"{"version": "99.0.0"}"#)]);
    refused(&agon(&scratch, &["status", "--url", &url], "agon_secret", ""), &["99.0.0", "same version"]);
    served.join().unwrap();
}

#[test]
fn a_token_is_sent_only_to_its_own_arena() {
    let scratch = Scratch::new();
    let me = r#"{"user":{"id":1,"name":"ada","email":null,"role":"player","lang":"en","created":0,"must_change":false},"csrf":"c","notices_unseen":0}"#;
    let (url, served) = answering(vec![(200, "{}"), (200, me)]);
    let output = agon(&scratch, &["login", &url, "--json"], "", "agon_first\n");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!String::from_utf8_lossy(&output.stdout).contains("agon_first"));
    served.join().unwrap();
    assert!(std::fs::read_to_string(scratch.path().join("agon/login.json")).unwrap().contains("agon_first"));

    // The token is not used for another arena.
    refused(&agon(&scratch, &["status", "--url", "http://127.0.0.1:1"], "", ""), &["not logged in"]);

    // With name and password a token is made, in a session that ends afterwards.
    let made =
        r#"{"token":"agon_second","info":{"id":1,"name":"x","scopes":["read"],"created":0,"used":null}}"#;
    let (other, served) =
        answering(vec![(200, "{}"), (200, "{}"), (200, me), (200, made), (200, "{}"), (200, me)]);
    let output = agon(&scratch, &["login", &other], "", "ada\ncorrect horse\n");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let asked = served.join().unwrap();
    assert!(asked[1].starts_with("POST /api/v1/login") && asked[1].contains("correct horse"), "{}", asked[1]);
    assert!(
        asked[3].starts_with("POST /api/v1/me/tokens") && asked[3].contains("x-agon-csrf: c"),
        "{}",
        asked[3]
    );
    assert!(asked[4].starts_with("POST /api/v1/logout"), "{}", asked[4]);
    assert!(asked[5].contains("Bearer agon_second"), "{}", asked[5]);
    let kept = std::fs::read_to_string(scratch.path().join("agon/login.json")).unwrap();
    assert!(kept.contains("agon_first") && kept.contains("agon_second") && !kept.contains("horse"));
}
