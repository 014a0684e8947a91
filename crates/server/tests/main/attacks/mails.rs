//! A forgotten password, with a small mail server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::entry::log_in;
use crate::common::{Site, Visitor, site, site_with};

/// A mail server that accepts every mail: its port, and the mails.
fn mail_server() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut out = stream.unwrap();
            let mut lines = BufReader::new(out.try_clone().unwrap()).lines();
            out.write_all(b"220 mail.test\r\n").unwrap();
            let mut mail = String::new();
            while let Some(Ok(line)) = lines.next() {
                let answer = match line.split([' ', ':']).next().unwrap().to_uppercase().as_str() {
                    "EHLO" | "HELO" => "250 mail.test",
                    "MAIL" | "RCPT" => {
                        mail.extend([line.as_str(), "\n"]);
                        "250 good"
                    }
                    "DATA" => {
                        out.write_all(b"354 go on\r\n").unwrap();
                        for line in lines.by_ref().map_while(Result::ok) {
                            if line == "." {
                                break;
                            }
                            mail.extend([line.as_str(), "\n"]);
                        }
                        sender.send(std::mem::take(&mut mail)).unwrap();
                        "250 taken"
                    }
                    "QUIT" => "221 bye",
                    _ => "250 good",
                };
                if out.write_all(format!("{answer}\r\n").as_bytes()).is_err() {
                    break;
                }
            }
        }
    });
    (port, receiver)
}

/// A site that sends mail. Its address must be known before it starts, so its port is chosen here.
fn mailing_site() -> (Site, Receiver<String>) {
    let (port, mails) = mail_server();
    let own = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let site = site_with(&[
        ("workers", "0"),
        ("listen", &own.to_string()),
        ("public_url", &format!("http://{own}")),
        ("smtp_host", "127.0.0.1"),
        ("smtp_port", &port.to_string()),
        ("smtp_security", "none"),
        ("smtp_from", "arena@example.org"),
    ]);
    (site, mails)
}

fn sign_up(site: &Site, name: &str, lang: &str) -> Visitor {
    let mut visitor = site.visitor();
    let email = format!("{name}@players.example");
    let body = json!({"name": name, "password": "correct horse battery", "email": email, "lang": lang});
    let answer = visitor.post("/signup", &body);
    visitor.cookie.clone_from(&answer.cookie);
    visitor.csrf = answer.ok()["csrf"].as_str().map(str::to_owned);
    visitor
}

#[test]
fn a_forgotten_password_is_replaced_by_mail() {
    let (site, mails) = mailing_site();
    let ada = sign_up(&site, "ada", "en");
    let token = ada.post("/me/tokens", &json!({"name": "t", "scopes": ["read"]})).ok()["token"].clone();
    assert_eq!(site.visitor().get("/site").ok()["mail"], true);
    let ask = |name: &str| site.visitor().post("/reset/request", &json!({"name": name}));
    // The answer does not tell whether an account exists: it is always the same, and no other address gets a mail.
    let (known, unknown) = (ask("ada"), ask("nobody-here"));
    assert_eq!((known.status, &known.text), (200, &unknown.text));
    let mail = mails.recv_timeout(Duration::from_mins(1)).expect("a mail");
    assert!(mail.contains("RCPT TO:<ada@players.example>"), "{mail}");
    assert!(
        mail.contains("From: Agon <arena@example.org>") && mail.contains("Subject: Agon: new password"),
        "{mail}"
    );
    // Long lines are folded with a soft break.
    let text = mail.replace("=\n", "");
    let link =
        text.lines().find(|line| line.starts_with(&site.base)).unwrap_or_else(|| panic!("no link in {mail}"));
    let code = link.trim().strip_prefix(&format!("{}/reset#", site.base)).expect("a link to the page");
    let reset = |code: &str, password: &str| {
        site.visitor().post("/reset", &json!({"code": code, "password": password}))
    };
    assert_eq!(reset("wrong-wrong-wrong-wrong", "a brand new password").code(), "code");
    assert_eq!(reset(code, "short").code(), "password");
    assert_eq!(reset(code, "a brand new password").status, 200);
    // The code works once; the new password ends all sessions that were open before.
    assert_eq!(reset(code, "yet another password").code(), "code");
    assert_eq!(ada.get("/me").ok()["user"], Value::Null);
    let mut program = site.visitor();
    program.token = token.as_str().map(str::to_owned);
    assert_eq!(program.get("/me").status, 401);
    assert_eq!(log_in(&site, "ada", "correct horse battery").1.status, 401);
    assert_eq!(log_in(&site, "ada", "a brand new password").1.status, 200);
    assert!(mails.try_recv().is_err(), "one mail was asked for that goes to somebody");
}

#[test]
fn mails_are_in_the_language_of_the_account() {
    let (site, mails) = mailing_site();
    sign_up(&site, "amelie", "fr");
    site.visitor().post("/reset/request", &json!({"name": "AMELIE"})).ok();
    let mail = mails.recv_timeout(Duration::from_mins(1)).expect("a mail");
    assert!(mail.contains("nouveau mot de passe"), "{mail}");
}

#[test]
fn reset_codes_and_reset_mails_are_limited() {
    let (site, mails) = mailing_site();
    sign_up(&site, "ada", "en");
    let statuses: Vec<u16> =
        (0..15).map(|_| site.visitor().post("/reset/request", &json!({"name": "ada"})).status).collect();
    assert_eq!(statuses, [vec![200; 10], vec![429; 5]].concat());
    let guess = site
        .visitor()
        .post("/reset", &json!({"code": "aaaaa-aaaaa-aaaaa-aaaaa", "password": "a brand new password"}));
    assert_eq!(guess.status, 429);
    let mut sent = 0;
    while mails.recv_timeout(Duration::from_secs(if sent < 10 { 60 } else { 1 })).is_ok() {
        sent += 1;
    }
    assert_eq!(sent, 10);
}

#[test]
fn without_a_mail_server_resets_by_mail_are_refused() {
    let site = site();
    let answer = site.visitor().post("/reset/request", &json!({"name": "ada"}));
    assert_eq!((answer.status, answer.code()), (409, "no_mail"));
    assert_eq!(site.visitor().get("/site").ok()["mail"], false);
}
