//! Talking to an arena: its address, the token, requests, and errors that say what to do.

pub(crate) mod logins;

use std::fmt;
use std::time::Duration;

use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;
use ureq::http::{Request, Response};

use crate::Failure;
use crate::commands::play::clean;
use logins::Logins;

/// The longest answer that is read: a record of the longest match is far smaller.
const LONGEST_ANSWER: u64 = 64 << 20;

/// Which arena is meant.
#[derive(Args, Debug, Clone)]
pub(crate) struct RemoteArgs {
    /// Address of the arena [default: where you logged in last]
    #[arg(long, env = "AGON_URL", value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The reason why a request to an arena failed.
#[derive(Debug)]
pub(crate) enum RemoteError {
    /// No answer came.
    Unreachable(String),
    /// The arena refused: the status, and the reason in words.
    Refused { status: u16, text: String },
    /// It answered something that this version does not understand.
    Strange(String),
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemoteError::Unreachable(text)
            | RemoteError::Strange(text)
            | RemoteError::Refused { text, .. } => f.write_str(text),
        }
    }
}

impl std::error::Error for RemoteError {}

/// An arena, and the token of the user.
pub(crate) struct Remote {
    agent: Agent,
    url: String,
    token: Option<String>,
}

impl Remote {
    /// The arena of the arguments, with its token.
    pub(crate) fn open(args: &RemoteArgs) -> Result<Remote, Failure> {
        let logins = Logins::read()?;
        let url = match &args.url {
            Some(url) => checked_url(url).map_err(Failure::Unusable)?,
            None => logins.last().map(|login| login.url.clone()).ok_or_else(|| {
                Failure::Unusable("no arena is known: agon login URL, or set AGON_URL and AGON_TOKEN".into())
            })?,
        };
        // A token is sent only to the arena that issued it.
        let own = logins.of(&url).map(|login| login.token.clone());
        let token = std::env::var("AGON_TOKEN").ok().filter(|token| !token.is_empty()).or(own);
        if token.is_none() {
            return Err(Failure::Unusable(format!(
                "you are not logged in at {url}: agon login {url}, or set AGON_TOKEN"
            )));
        }
        Ok(Remote { agent: agent(&url), url, token })
    }

    /// An arena, with or without a token.
    pub(crate) fn at(url: &str, token: Option<String>) -> Remote {
        Remote { agent: agent(url), url: url.to_owned(), token }
    }

    pub(crate) fn get(&self, path: &str) -> Result<Value, RemoteError> {
        self.ask("GET", path, None, &[]).map(|(value, _)| value)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Value, RemoteError> {
        self.ask("POST", path, Some(body), &[]).map(|(value, _)| value)
    }

    /// Sends a request with additional headers; returns the answer and the cookies it sets.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Result<(Value, Vec<String>), RemoteError> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}/api/v1{path}", self.url))
            .header("accept", "application/json")
            .header("user-agent", concat!("agon/", env!("CARGO_PKG_VERSION")));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let unsendable = |error: &dyn fmt::Display| RemoteError::Strange(format!("{path}: {error}"));
        let answer = match body {
            Some(body) => {
                let request = request.body(body.to_string()).map_err(|error| unsendable(&error))?;
                self.agent.run(request)
            }
            None => {
                let request = request.body(()).map_err(|error| unsendable(&error))?;
                self.agent.run(request)
            }
        };
        self.read(answer.map_err(|error| self.unreachable(&error))?)
    }

    fn read(&self, mut answer: Response<ureq::Body>) -> Result<(Value, Vec<String>), RemoteError> {
        let status = answer.status().as_u16();
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookies = cookies.filter_map(|cookie| Some(cookie.to_str().ok()?.to_owned())).collect();
        let wait = answer.headers().get("retry-after").and_then(|wait| wait.to_str().ok()).map(clean);
        let text = answer.body_mut().with_config().limit(LONGEST_ANSWER).read_to_string();
        let text = text.map_err(|error| self.unreachable(&error))?;
        if status == 204 || (status < 300 && text.is_empty()) {
            return Ok((Value::Null, cookies));
        }
        match serde_json::from_str::<Value>(&text) {
            Ok(value) if status < 300 => Ok((value, cookies)),
            Ok(value) if value["error"]["code"].is_string() => {
                Err(self.refused(status, &value["error"], wait.as_deref()))
            }
            _ => Err(RemoteError::Strange(format!(
                "{} answered {status} and something else than Agon does; is the address right? (this is agon {})",
                self.url,
                env!("CARGO_PKG_VERSION")
            ))),
        }
    }

    fn unreachable(&self, error: &ureq::Error) -> RemoteError {
        RemoteError::Unreachable(format!(
            "{} cannot be reached: {error}; is the server running, and is the address right?",
            self.url
        ))
    }

    /// The error message of the server, and its advice. The text comes from another host.
    fn refused(&self, status: u16, error: &Value, wait: Option<&str>) -> RemoteError {
        let part = |name: &str| error[name].as_str().map(clean).filter(|part| !part.is_empty());
        let code = part("code").unwrap_or_default();
        let mut text = part("message").unwrap_or_else(|| format!("the server refuses: {code}"));
        if status == 401 && self.token.is_some() {
            text = format!("{} refuses the token ({text}); get another: agon login {0}", self.url);
        } else if let Some(hint) = part("hint") {
            text = format!("{text}; {hint}");
        }
        if let Some(wait) = wait {
            text = format!("{text}; try again in {wait} s");
        }
        RemoteError::Refused { status, text }
    }

    /// An answer in the form that this version knows.
    pub(crate) fn known<T: DeserializeOwned>(&self, answer: &Value, what: &str) -> Result<T, Failure> {
        T::deserialize(answer).map_err(|_| self.misunderstood(what))
    }

    /// The error for an answer that does not have the form that this version knows.
    pub(crate) fn misunderstood(&self, what: &str) -> Failure {
        let theirs = self.get("/site").ok();
        let theirs = theirs.as_ref().and_then(|site| site["version"].as_str()).map(clean);
        let ours = env!("CARGO_PKG_VERSION");
        Failure::Unusable(match theirs {
            Some(theirs) if theirs != ours => format!(
                "{} runs agon {theirs}, this is agon {ours}, and they do not understand each other ({what}): use the same version",
                self.url
            ),
            _ => format!("{} answered without {what}", self.url),
        })
    }
}

/// Completes an address that a user typed: without a path, a query, a slash at the end.
pub(crate) fn checked_url(typed: &str) -> Result<String, String> {
    let typed = typed.trim();
    let wrong = |why: &str| Err(format!("`{}` is no address of an arena: {why}", clean(typed)));
    let with_scheme = if typed.contains("://") { typed.to_owned() } else { format!("http://{typed}") };
    let Some((scheme, rest)) = with_scheme.split_once("://") else {
        return wrong("it looks like https://arena.example.org");
    };
    if !matches!(scheme, "http" | "https") {
        return wrong("it begins with http:// or https://");
    }
    let rest = rest.trim_end_matches('/');
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-:[]_~/%".contains(c);
    if rest.is_empty() || !rest.chars().all(fits) {
        return wrong("it looks like https://arena.example.org");
    }
    Ok(format!("{scheme}://{rest}"))
}

/// Whether an address is on this machine, so that the connection cannot be tapped.
pub(crate) fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or_default();
    ["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local))
}

fn agent(url: &str) -> Agent {
    let mut config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_connect(Some(Duration::from_secs(10)))
        .timeout_global(Some(Duration::from_mins(1)));
    if is_local(url) {
        config = config.proxy(None);
    }
    config.build().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed_or_refused() {
        for (typed, whole) in [
            ("localhost:8080", "http://localhost:8080"),
            ("https://arena.example.org/", "https://arena.example.org"),
            (" http://[::1]:80//", "http://[::1]:80"),
            ("https://example.org/arena/", "https://example.org/arena"),
        ] {
            assert_eq!(checked_url(typed).as_deref(), Ok(whole));
        }
        for typed in ["", "ftp://x", "https://", "https://a b", "https://a?b", "https://user@host", "a\nb"] {
            assert!(checked_url(typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn only_this_machine_is_local() {
        assert!(
            is_local("http://127.0.0.1:8080") && is_local("http://localhost") && is_local("http://[::1]:1")
        );
        assert!(!is_local("http://192.168.1.4") && !is_local("http://example.org/localhost"));
    }
}
