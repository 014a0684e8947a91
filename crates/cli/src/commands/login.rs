//! `agon login`

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::process::{Command, Stdio};

use clap::Args;
use serde_json::{Value, json};
use server::wire::{Me, TokenMade};

use crate::Failure;
use crate::commands::play::clean;
use crate::output::{note, print, print_json};
use crate::remote::logins::{Login, Logins};
use crate::remote::{Remote, checked_url, is_local};

#[derive(Args, Debug)]
pub(crate) struct LoginArgs {
    /// Address of the arena
    #[arg(value_name = "URL", env = "AGON_URL")]
    url: String,
    /// Ask for a token that has the rights of the organiser, too
    #[arg(long)]
    admin: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &LoginArgs) -> Result<(), Failure> {
    let url = checked_url(&args.url).map_err(Failure::Unusable)?;
    // A wrong address is reported before the password is typed.
    Remote::at(&url, None).get("/site")?;
    if url.starts_with("http://") && !is_local(&url) {
        note(
            "this address is not encrypted (http://): others on the network can read your password and your token",
        );
    }
    let typed = match std::env::var("AGON_TOKEN").ok().filter(|token| !token.is_empty()) {
        Some(token) => token,
        None => ask("name, or a token (agon_...): ")?,
    };
    let token = if typed.starts_with("agon_") {
        typed
    } else {
        let password = ask_secretly("password: ")?;
        make_token(&url, &typed, &password, args.admin)?
    };
    let remote = Remote::at(&url, Some(token.clone()));
    let answer = remote.get("/me")?;
    let me: Me = remote.known(&answer, "an account")?;
    let user = me.user.ok_or_else(|| {
        Failure::Unusable(format!("{url} does not know this token: make another on your page there"))
    })?;
    let path = Logins::read()?.remember(Login { url: url.clone(), name: user.name.clone(), token })?;
    if args.json {
        return print_json(
            &json!({"url": url, "user": user.name, "role": user.role, "file": path.display().to_string()}),
        );
    }
    print(&format!("logged in at {url} as {}; the token is in {}\n", clean(&user.name), path.display()))
}

/// Logs in like the pages, makes a token, and logs out.
fn make_token(url: &str, name: &str, password: &str, admin: bool) -> Result<String, Failure> {
    let visitor = Remote::at(url, None);
    let credentials = json!({"name": name, "password": password});
    let (_, cookies) = visitor.ask("POST", "/login", Some(&credentials), &[("origin", url)])?;
    let cookie = cookies.iter().filter_map(|cookie| cookie.split(';').next());
    let cookie = cookie.collect::<Vec<_>>().join("; ");
    let (answer, _) = visitor.ask("GET", "/me", None, &[("cookie", &cookie)])?;
    let me: Me = visitor.known(&answer, "an account")?;
    let headers = [("cookie", cookie.as_str()), ("x-agon-csrf", &me.csrf), ("origin", url)];
    if me.user.as_ref().is_some_and(|user| user.must_change) {
        change_password(&visitor, password, &headers)?;
    }
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = Some(host.trim()).filter(|host| !host.is_empty()).unwrap_or("a command line");
    let scopes: &[&str] = if admin { &["read", "submit", "admin"] } else { &["read", "submit"] };
    let wanted = json!({"name": format!("agon on {host}"), "scopes": scopes});
    let (answer, _) = visitor.ask("POST", "/me/tokens", Some(&wanted), &headers)?;
    let made: TokenMade = visitor.known(&answer, "a token")?;
    // Only the token matters; if this request fails, the session expires by itself.
    let _ = visitor.ask("POST", "/logout", Some(&Value::Object(serde_json::Map::new())), &headers);
    Ok(made.token)
}

/// Replaces a one-time password, which must be changed at once.
fn change_password(remote: &Remote, old: &str, headers: &[(&str, &str)]) -> Result<(), Failure> {
    note("this password works once: choose your own");
    let new = ask_secretly("new password: ")?;
    if io::stdin().is_terminal() && ask_secretly("the same again: ")? != new {
        return Err(Failure::Unusable("these were two different passwords; log in again".into()));
    }
    remote.ask("PATCH", "/me", Some(&json!({"old_password": old, "password": new})), headers)?;
    Ok(())
}

/// Reads a line from the standard input.
fn ask(question: &str) -> Result<String, Failure> {
    if io::stdin().is_terminal() {
        let mut stderr = io::stderr().lock();
        write!(stderr, "{question}").and_then(|()| stderr.flush())?;
    }
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']);
    if line.is_empty() {
        return Err(Failure::Unusable(
            "nothing was typed: type a name and a password, or a token; or set AGON_TOKEN".into(),
        ));
    }
    Ok(line.to_owned())
}

/// Reads a line without showing the typed characters.
fn ask_secretly(question: &str) -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        return ask(question);
    }
    let stty = |word: &str| Command::new("stty").arg(word).stdin(Stdio::inherit()).status();
    stty("-echo")?;
    // Without this the terminal would not show typed characters after Ctrl-C. Only the first call sets the handler.
    let _ = ctrlc::set_handler(|| {
        let _ = Command::new("stty").arg("echo").status();
        std::process::exit(130);
    });
    let line = ask(question);
    stty("echo")?;
    note("");
    line
}
