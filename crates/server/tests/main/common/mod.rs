//! A whole site on a free port, and its clients.

#![allow(dead_code, unreachable_pub, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests may assume, and say how they go")]

pub mod inert;
pub mod raw;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::Server;
use server::config::Settings;
use tempfile::TempDir;
use testing::Database;
use toolchain::Launcher;

/// A site; it stops when this is dropped.
pub struct Site {
    pub server: Server,
    pub base: String,
    /// Removed after the server has stopped.
    folder: Option<TempDir>,
    settings: Vec<(String, String)>,
    database: Option<Database>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.stop(false);
    }
}

/// A site on SQLite that plays no matches.
pub fn site() -> Site {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    site.server.runtime().block_on(site.server.app().service.set_paused(true)).expect("the store answers");
    site
}

/// A site on SQLite with these settings.
pub fn site_with(settings: &[(&str, &str)]) -> Site {
    start(settings, None)
}

/// The same site on SQLite and on PostgreSQL.
pub fn sites_with(settings: &[(&str, &str)]) -> Vec<Site> {
    let mut sites = vec![site_with(settings)];
    if let Some(database) = Database::create() {
        let url = database.url();
        let mut settings = settings.to_vec();
        settings.push(("database", &url));
        sites.push(start(&settings, Some(database)));
    }
    sites
}

fn start(settings: &[(&str, &str)], database: Option<Database>) -> Site {
    let settings = settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    start_in(testing::scratch(), settings, database)
}

fn start_in(folder: TempDir, settings: Vec<(String, String)>, database: Option<Database>) -> Site {
    let mut flags: Vec<(&str, Option<String>)> = vec![
        ("listen", Some("127.0.0.1:0".to_owned())),
        ("data", Some(folder.path().display().to_string())),
        ("allow_weak_sandbox", Some("true".to_owned())),
    ];
    flags.extend(settings.iter().map(|(key, value)| (key.as_str(), Some(value.clone()))));
    let config = Settings::new().flags(flags).check().expect("the settings are good");
    let launcher = Launcher::new(std::env::current_exe().unwrap());
    let server = Server::start(config, launcher).expect("the site starts");
    let base = format!("http://{}", server.address());
    Site { server, base, folder: Some(folder), settings, database }
}

impl Site {
    /// A client that is not signed in.
    pub fn visitor(&self) -> Visitor {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_mins(1)))
            .build()
            .new_agent();
        Visitor { agent, base: self.base.clone(), cookie: None, csrf: None, token: None, forwarded: None }
    }

    /// A client with a new account.
    pub fn player(&self, name: &str) -> Visitor {
        let mut player = self.visitor();
        let answer = player.post("/signup", &json!({"name": name, "password": "correct horse battery"}));
        assert!(answer.status < 300, "{answer:?}");
        player.cookie.clone_from(&answer.cookie);
        let me = player.get("/me");
        player.csrf = me.json["csrf"].as_str().map(str::to_owned);
        player
    }

    /// Stops the site at once and starts it again with the same data.
    pub fn restart(mut self) -> Site {
        self.server.stop(false);
        let database = self.database.take();
        let settings = self.settings.clone();
        let folder = self.folder.take().unwrap();
        drop(self);
        start_in(folder, settings, database)
    }

    /// The same client after a restart, with the new port.
    pub fn again(&self, visitor: &Visitor) -> Visitor {
        Visitor { base: self.base.clone(), ..visitor.clone() }
    }

    pub fn folder(&self) -> &Path {
        self.folder.as_ref().unwrap().path()
    }
}

/// A client of the site.
#[derive(Clone)]
pub struct Visitor {
    pub agent: ureq::Agent,
    pub base: String,
    pub cookie: Option<String>,
    pub csrf: Option<String>,
    pub token: Option<String>,
    /// The address that a proxy names for the client.
    pub forwarded: Option<String>,
}

/// An answer of the site.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub json: Value,
    pub text: String,
    pub cookie: Option<String>,
    pub headers: Vec<(String, String)>,
}

impl Answer {
    /// The code of an error.
    pub fn code(&self) -> &str {
        self.json["error"]["code"].as_str().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body of a successful answer.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(self.status < 300, "{} {}", self.status, self.text);
        self.json
    }
}

impl Visitor {
    fn headers<B>(&self, mut request: ureq::RequestBuilder<B>, change: bool) -> ureq::RequestBuilder<B> {
        if let Some(cookie) = &self.cookie {
            request = request.header("cookie", cookie);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", &format!("Bearer {token}"));
        }
        if let Some(address) = &self.forwarded {
            request = request.header("x-forwarded-for", address);
        }
        if change {
            request = request.header("origin", &self.base);
            if let Some(csrf) = &self.csrf {
                request = request.header("x-agon-csrf", csrf);
            }
        }
        request
    }

    fn url(&self, path: &str) -> String {
        match path.strip_prefix('!') {
            Some(path) => format!("{}{path}", self.base),
            None => format!("{}/api/v1{path}", self.base),
        }
    }

    /// Reads; a path that begins with `!` is not below the API.
    pub fn get(&self, path: &str) -> Answer {
        answer(self.headers(self.agent.get(self.url(path)), false).call())
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        answer(self.headers(self.agent.post(self.url(path)), true).send_json(body))
    }

    pub fn patch(&self, path: &str, body: &Value) -> Answer {
        answer(self.headers(self.agent.patch(self.url(path)), true).send_json(body))
    }

    pub fn delete(&self, path: &str) -> Answer {
        answer(self.headers(self.agent.delete(self.url(path)), true).call())
    }

    /// Repeats a request until the answer satisfies the condition.
    #[track_caller]
    pub fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let answer = self.get(path);
            if answer.status == 200 && is_so(&answer.json) {
                return answer.json;
            }
            // A match takes seconds; the limit only makes a failing test end.
            assert!(begun.elapsed() < Duration::from_mins(5), "{path}: {} {}", answer.status, answer.text);
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

pub fn answer(came: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = came.expect("the server answers");
    let headers: Vec<(String, String)> = response
        .headers()
        .iter()
        .map(|(key, value)| (key.as_str().to_owned(), value.to_str().unwrap_or_default().to_owned()))
        .collect();
    let cookie = headers.iter().find(|(key, _)| key == "set-cookie");
    let cookie = cookie.and_then(|(_, value)| value.split(';').next()).map(str::to_owned);
    let text = response.body_mut().with_config().limit(64 << 20).read_to_string().unwrap_or_default();
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Answer { status: response.status().as_u16(), json, text, cookie, headers }
}
