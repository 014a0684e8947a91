//! `agon export` and `agon watch` without a browser.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::{Scratch, agon, printed, refused};

/// The record of a match.
fn record(scratch: &Scratch) -> String {
    let file = scratch.file("match.json");
    let bots = ["--bot", "@random", "--bot", "@random"];
    printed(&[&["play", "hypersonic", "--seed", "47", "--quiet", "--record", &file], &bots[..]].concat());
    file
}

#[test]
fn a_match_is_exported_as_page_picture_and_clip() {
    let scratch = Scratch::new();
    let record = record(&scratch);
    let page = scratch.file("match.html");
    assert_eq!(printed(&["export", &record, "--html", &page]), format!("{page}\n"));
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("id=\"agon-replays\"") && !text.contains("http-equiv=\"refresh\""));
    printed(&["export", &record, "--svg", "3"]);
    assert!(std::fs::read_to_string(scratch.file("match.svg")).unwrap().starts_with("<svg"));
    printed(&["export", &record, "--png", "last", "--width", "200", "--dark"]);
    assert!(std::fs::read(scratch.file("match.png")).unwrap().starts_with(b"\x89PNG"));
    let gif = scratch.file("clip.gif");
    printed(&["export", &record, "--gif", "--to", "2", "--width", "100", "--out", &gif]);
    assert!(std::fs::read(gif).unwrap().starts_with(b"GIF89a"));
    let to_stdout = agon(&["export", &record, "--svg", "0", "--out", "-"]);
    assert!(to_stdout.stdout.starts_with(b"<svg"));
}

#[test]
fn failed_exports_give_the_reason() {
    let scratch = Scratch::new();
    let record = record(&scratch);
    refused(&["export", &record], 2, &["--html"]);
    refused(&["export", &record, "--svg", "9999"], 2, &["no turn 9999", "from 0"]);
    refused(&["export", &record, "--png", "x"], 2, &["number, or `last`"]);
    refused(&["export", &record, "--png", "0", "--pick", "2"], 2, &["no match 2"]);
    refused(&["export", &record, "--gif", "--from", "3", "--to", "1"], 2, &["forward"]);
    refused(&["export", "nowhere.json", "--svg", "0"], 2, &["nowhere.json"]);
    let odd = scratch.file("odd.json");
    std::fs::write(&odd, "{}").unwrap();
    refused(&["watch", &odd], 2, &["odd.json"]);
}

/// A server that is killed when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn ask(address: &str, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_viewer_refuses_other_host_names() {
    let scratch = Scratch::new();
    let record = record(&scratch);
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["watch", &record, "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut server = Server(child);
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(said["matches"], 1);
    let url = said["address"].as_str().unwrap();
    let address = url.trim_start_matches("http://").split('/').next().unwrap();
    assert!(ask(address, address, "/").contains("Content-Security-Policy"));
    assert!(ask(address, "localhost", "/api/replays").contains("\"hypersonic\""));
    assert!(ask(address, address, "/api/matches/0").contains("\"steps\""));
    assert!(ask(address, address, "/api/matches/1").starts_with("HTTP/1.1 400"));
    assert!(ask(address, address, "/../etc/passwd").starts_with("HTTP/1.1 404"));
    assert!(ask(address, "evil.example", "/api/replays").starts_with("HTTP/1.1 403"));
}
