//! The settings of an organiser: flags override the environment (`AGON_*`), which overrides `agon.toml`, which
//! overrides the defaults. One table names every setting, so a new one is a row here and a line in [`Config`]. Every
//! value is checked at start; all mistakes are reported at once, each with the source of the value and a correct
//! form.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use store::RecordsPlace;

use crate::guard::address::Network;
use crate::wire::Signup;

/// One setting: its name in the file (the flag is `--its-name`, the variable `AGON_ITS_NAME`), its default and its
/// description.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name in `agon.toml`.
    pub name: &'static str,
    /// The value if the setting is not given; empty for "not set".
    pub default: &'static str,
    /// The description: one line for the manual.
    pub about: &'static str,
}

const fn key(name: &'static str, default: &'static str, about: &'static str) -> Key {
    Key { name, default, about }
}

/// Every setting.
pub const KEYS: &[Key] = &[
    key("listen", "127.0.0.1:8080", "address and port to listen on; 0.0.0.0:8080 for every network"),
    key(
        "public_url",
        "",
        "how visitors reach the site, as https://arena.example.org; needed behind a proxy and for mail",
    ),
    key(
        "hosts",
        "",
        "without public_url: names, by commas, under which visitors reach the site, as arena.lan; addresses in digits always work",
    ),
    key(
        "database",
        "",
        "sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME; default: agon.db in the data folder",
    ),
    key("data", "agon-data", "folder for records, compiled bots and the embedded database"),
    key(
        "records",
        "",
        "folder for the records of matches, or s3://BUCKET/PREFIX; default: records in the data folder. Several servers of one database share it",
    ),
    key(
        "cluster",
        "",
        "nats://HOST or tls://HOST: the workers of a cluster play too, and several servers share the PostgreSQL database",
    ),
    key("cluster_key", "", "file with the NKey seed, or with the credentials, for the NATS server"),
    key(
        "cluster_ca",
        "",
        "file with the certificate of the authority that signed the certificate of the NATS server",
    ),
    key("title", "Agon", "name of the site, shown on every page"),
    key("signup", "open", "open: everybody may sign up; invited: only with an invitation of the admin"),
    key(
        "workers",
        "auto",
        "matches played at the same time; auto: one for every two cores; 0: none are played here",
    ),
    key("idle_every", "60", "seconds between matches when every rating has settled; 0: none"),
    key(
        "allow_weak_sandbox",
        "false",
        "run uploads though this host cannot box them fully (see agon doctor)",
    ),
    key(
        "trusted_proxy",
        "",
        "addresses or networks, by commas, whose X-Forwarded-For is believed: 127.0.0.1, 10.0.0.0/8",
    ),
    key("connections", "256", "requests worked on at once; twice as many connections are kept open"),
    key("patience", "10", "seconds a client may take to send a request, or to read a piece of an answer"),
    key(
        "listeners",
        "1000",
        "clients at once that wait for live events or follow a match; a quarter for one address",
    ),
    key(
        "logins_per_minute",
        "10",
        "attempts to log in to one account from one address, or from one browser that knows it",
    ),
    key("uploads_per_hour", "20", "submissions of one account"),
    key("signups_per_hour", "60", "new accounts from one address"),
    key("smtp_host", "", "mail server for password resets; without one the admin hands out codes"),
    key("smtp_port", "", "its port; default: 465 with tls, 587 with starttls, 25 with none"),
    key("smtp_security", "tls", "tls, starttls or none"),
    key("smtp_user", "", "name at the mail server"),
    key(
        "smtp_password",
        "",
        "password there; better in the environment or the file than on the command line",
    ),
    key("smtp_from", "", "sender of mails, as arena@example.org"),
];

/// A value that is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// The address of the database. It may contain a password, so it is not printed either.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database(pub Secret);

impl Database {
    /// The address that the store opens.
    pub fn url(&self) -> &str {
        &self.0.0
    }

    /// The printable form: the kind and the place, without name and password.
    pub fn shown(&self) -> String {
        match self.url().split_once("://") {
            Some((scheme, rest)) => {
                let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
                format!("{scheme}://{}", rest.split('?').next().unwrap_or_default())
            }
            None => self.url().to_owned(),
        }
    }
}

/// The address of the site as visitors type it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    /// Scheme, host and port as a browser writes them in `Origin`: no slash at the end.
    pub origin: String,
    /// Whether the site uses HTTPS; cookies are then restricted to encrypted connections.
    pub secure: bool,
}

/// The connection to a mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Smtp {
    /// Its host name.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub security: SmtpSecurity,
    /// Name and password for the mail server.
    pub login: Option<(String, Secret)>,
    /// The address of the sender.
    pub from: String,
}

/// How the connection to a mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// Encrypted from the first byte.
    Tls,
    /// Encrypted after a plain greeting; otherwise the connection is refused.
    StartTls,
    /// Not encrypted: for a relay on this machine.
    None,
}

/// All settings, checked.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen at.
    pub listen: SocketAddr,
    /// The address of the site as visitors type it, if it is set.
    pub public_url: Option<PublicUrl>,
    /// Names under which visitors reach the site, in lower case, besides the names of this machine.
    pub hosts: Vec<String>,
    /// The address of the database.
    pub database: Database,
    /// The data folder.
    pub data: PathBuf,
    /// The place of the records.
    pub records: RecordsPlace,
    /// The cluster whose workers play too.
    pub cluster: Option<cluster::Address>,
    /// Name of the site.
    pub title: String,
    /// The rule for signing up.
    pub signup: Signup,
    /// Matches at the same time; `None` lets the service choose.
    pub workers: Option<usize>,
    /// Milliseconds between matches of settled ladders; 0 for none.
    pub idle_every_ms: i64,
    /// Whether uploads may run in a sandbox that is weaker than level A.
    pub allow_weak_sandbox: bool,
    /// Proxies whose statement of the client's address is believed.
    pub trusted_proxy: Vec<Network>,
    /// Requests that are handled at the same time.
    pub connections: usize,
    /// How long a client may take to send a request, or to read a piece of an answer.
    pub patience: Duration,
    /// Most clients that wait for live events or for the next step of a match at the same time.
    pub listeners: usize,
    /// Attempts to log in, per pair of account and address, or per browser that has logged in before.
    pub logins_per_minute: i64,
    /// Submissions per account.
    pub uploads_per_hour: i64,
    /// New accounts per address.
    pub signups_per_hour: i64,
    /// The mail server.
    pub smtp: Option<Smtp>,
}

/// All mistakes in the settings, a line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError(pub Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

impl std::error::Error for ConfigError {}

/// Values as they were written, each with its source. Later calls override earlier ones, so the order is file,
/// environment, flags.
#[derive(Default)]
pub struct Settings {
    values: BTreeMap<&'static str, (String, String)>,
    wrong: Vec<String>,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.values.iter().map(|(name, (_, from))| (name, from)))
            .finish_non_exhaustive()
    }
}

/// The parts of a list that is separated by commas.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

impl Settings {
    /// No settings.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads all three sources: the file named by `--config` or `AGON_CONFIG` (which must exist), else `agon.toml` in
    /// the current folder if there is one; the variables of this process; the flags.
    ///
    /// # Errors
    /// All mistakes, a line each.
    pub fn read<'a>(
        file: Option<&Path>,
        flags: impl IntoIterator<Item = (&'a str, Option<String>)>,
    ) -> Result<Config, ConfigError> {
        let named = file.map(Path::to_owned).or_else(|| std::env::var_os("AGON_CONFIG").map(PathBuf::from));
        let mut settings = Self::new();
        match named {
            Some(path) => settings = settings.file(&path),
            None if Path::new("agon.toml").is_file() => settings = settings.file(Path::new("agon.toml")),
            None => {}
        }
        settings
            .environment(
                std::env::vars_os()
                    .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?))),
            )
            .flags(flags)
            .check()
    }

    /// Takes the values of a TOML file.
    #[must_use]
    pub fn file(mut self, path: &Path) -> Self {
        match std::fs::read_to_string(path) {
            Ok(text) => self.text(&text, &path.display().to_string()),
            Err(error) => {
                self.wrong.push(format!(
                    "cannot read {}: {error}; create it or leave --config out",
                    path.display()
                ));
                self
            }
        }
    }

    /// Takes the values of a TOML text.
    #[must_use]
    pub fn text(mut self, text: &str, from: &str) -> Self {
        let table = match text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => {
                self.wrong.push(format!("{from} is not TOML: {}", error.message()));
                return self;
            }
        };
        for (name, value) in table {
            match written(&value) {
                Some(text) => self.set(&name, text, format!("{name} in {from}")),
                None => self.wrong.push(format!(
                    "{name} in {from}: write a text, a number, true or false, or a list of texts"
                )),
            }
        }
        self
    }

    /// Takes the variables `AGON_...` that name a setting. Other variables with this prefix belong to other commands.
    #[must_use]
    pub fn environment(mut self, variables: impl IntoIterator<Item = (String, String)>) -> Self {
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix("AGON_").map(str::to_ascii_lowercase) else { continue };
            if KEYS.iter().any(|key| key.name == name) {
                self.set(&name, value, variable);
            }
        }
        self
    }

    /// Takes the flags that were given.
    #[must_use]
    pub fn flags<'a>(mut self, flags: impl IntoIterator<Item = (&'a str, Option<String>)>) -> Self {
        for (name, value) in flags {
            if let Some(value) = value {
                self.set(name, value, format!("--{}", name.replace('_', "-")));
            }
        }
        self
    }

    fn set(&mut self, name: &str, value: String, from: String) {
        match KEYS.iter().find(|key| key.name == name) {
            Some(key) => {
                self.values.insert(key.name, (value, from));
            }
            None => {
                let known: Vec<_> = KEYS.iter().map(|key| key.name).collect();
                self.wrong.push(format!("{from}: there is no such setting; there are {}", known.join(", ")));
            }
        }
    }

    /// The value of a setting, trimmed, and its source. An empty value counts as not set.
    fn get(&self, name: &'static str) -> (&str, &str) {
        let default = KEYS.iter().find(|key| key.name == name).map_or("", |key| key.default);
        match self.values.get(name) {
            Some((value, from)) if !value.trim().is_empty() => (value.trim(), from),
            _ => (default, name),
        }
    }

    fn parsed<T>(&mut self, name: &'static str, say: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (value, from) = self.get(name);
        let read = read(value);
        if read.is_none() {
            let line = format!("{from}: '{value}' cannot be used; write {say}");
            self.wrong.push(line);
        }
        read
    }

    fn number<T: FromStr + PartialOrd + Copy + fmt::Display>(
        &mut self,
        name: &'static str,
        least: T,
        most: T,
    ) -> Option<T> {
        self.parsed(name, &format!("a whole number from {least} to {most}"), |text| {
            text.parse().ok().filter(|value| *value >= least && *value <= most)
        })
    }

    /// Checks every value.
    ///
    /// # Errors
    /// All mistakes, a line each.
    pub fn check(mut self) -> Result<Config, ConfigError> {
        let listen =
            self.parsed("listen", "an address and a port, as 127.0.0.1:8080 or 0.0.0.0:80", |text| {
                text.to_socket_addrs().ok()?.next()
            });
        let public_url = self.public_url();
        let hosts =
            self.parsed("hosts", "names without ports separated by commas, as arena, arena.lan", |text| {
                let sound = |name: &str| {
                    name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
                };
                parts(text).map(|name| sound(name).then(|| name.to_ascii_lowercase())).collect()
            });
        let data = PathBuf::from(self.get("data").0);
        let database = self.database(&data);
        let records = self.parsed("records", "a folder or s3://BUCKET/PREFIX", |text| match text {
            "" => Some(RecordsPlace::from(&data.join("records"))),
            place => place.parse().ok(),
        });
        let cluster = self.cluster(database.as_ref());
        let title = self.parsed("title", "1 to 60 characters without control characters", |text| {
            let fits = (1..=60).contains(&text.chars().count()) && !text.chars().any(char::is_control);
            fits.then(|| text.to_owned())
        });
        let signup = self.parsed("signup", "open or invited", |text| match text {
            "open" => Some(Signup::Open),
            "invited" => Some(Signup::Invited),
            _ => None,
        });
        let workers = match self.get("workers").0 {
            "auto" => Some(None),
            _ => self.number("workers", 0, 256).map(Some),
        };
        let idle_every = self.number::<i64>("idle_every", 0, 86_400);
        let allow_weak_sandbox = self.parsed("allow_weak_sandbox", "true or false", |text| text.parse().ok());
        let trusted_proxy = self.parsed(
            "trusted_proxy",
            "addresses or networks separated by commas, as 127.0.0.1, 10.0.0.0/8",
            |text| parts(text).map(|part| part.parse().ok()).collect(),
        );
        let connections = self.number("connections", 4, 10_000);
        let patience = self.number("patience", 1, 600);
        let listeners = self.number("listeners", 0, 10_000);
        let logins_per_minute = self.number("logins_per_minute", 1, 100_000);
        let uploads_per_hour = self.number("uploads_per_hour", 1, 100_000);
        let signups_per_hour = self.number("signups_per_hour", 1, 100_000);
        let smtp = self.smtp();
        let config = (|| {
            Some(Config {
                listen: listen?,
                public_url,
                hosts: hosts?,
                database: database?,
                data,
                records: records?,
                cluster,
                title: title?,
                signup: signup?,
                workers: workers?,
                idle_every_ms: idle_every? * 1000,
                allow_weak_sandbox: allow_weak_sandbox?,
                trusted_proxy: trusted_proxy?,
                connections: connections?,
                patience: Duration::from_secs(patience?),
                listeners: listeners?,
                logins_per_minute: logins_per_minute?,
                uploads_per_hour: uploads_per_hour?,
                signups_per_hour: signups_per_hour?,
                smtp,
            })
        })();
        match config {
            Some(config) if self.wrong.is_empty() => Ok(config),
            _ => Err(ConfigError(self.wrong)),
        }
    }

    fn public_url(&mut self) -> Option<PublicUrl> {
        if self.get("public_url").0.is_empty() {
            return None;
        }
        self.parsed("public_url", "http:// or https:// and the host (and port), nothing after it", |text| {
            let text = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
            let (scheme, host) = text.split_once("://")?;
            let secure = match scheme {
                "https" => true,
                "http" => false,
                _ => return None,
            };
            let uri: axum::http::Uri = text.parse().ok()?;
            let authority = uri.authority()?;
            if authority.as_str() != host || host.contains('@') || uri.path() != "/" || uri.query().is_some()
            {
                return None;
            }
            // Browsers omit the default port.
            let usual = if secure { ":443" } else { ":80" };
            Some(PublicUrl {
                origin: format!("{scheme}://{}", host.strip_suffix(usual).unwrap_or(host)),
                secure,
            })
        })
    }

    fn database(&mut self, data: &Path) -> Option<Database> {
        if self.get("database").0.is_empty() {
            return Some(Database(Secret(format!("sqlite:{}", data.join("agon.db").display()))));
        }
        let (value, from) = self.get("database");
        let known = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| value.len() > scheme.len() && value.starts_with(scheme))
            || value.strip_prefix("sqlite:").is_some_and(|path| !path.trim_start_matches('/').is_empty());
        if known {
            return Some(Database(Secret(value.to_owned())));
        }
        // The value may contain a password: the message does not repeat it.
        let line = format!("{from}: write sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME");
        self.wrong.push(line);
        None
    }

    fn cluster(&mut self, database: Option<&Database>) -> Option<cluster::Address> {
        let file = |text: &str| (!text.is_empty()).then(|| PathBuf::from(text));
        let (key, authority) = (file(self.get("cluster_key").0), file(self.get("cluster_ca").0));
        let (url, from) = self.get("cluster");
        if url.is_empty() {
            return None;
        }
        let line = if !["nats://", "tls://"].iter().any(|scheme| url.starts_with(scheme)) {
            format!("{from}: '{url}' cannot be used; write nats://HOST or tls://HOST")
        } else if database.is_some_and(|database| database.url().starts_with("sqlite:")) {
            format!(
                "{from}: a cluster needs PostgreSQL, since SQLite is for one machine; set database = \"postgres://...\""
            )
        } else {
            return Some(cluster::Address { url: url.to_owned(), key, authority });
        };
        self.wrong.push(line);
        None
    }

    fn smtp(&mut self) -> Option<Smtp> {
        let host = self.get("smtp_host").0.to_owned();
        if host.is_empty() {
            for name in ["smtp_port", "smtp_user", "smtp_password", "smtp_from"] {
                if let (true, (_, from)) = (!self.get(name).0.is_empty(), self.get(name)) {
                    let line = format!(
                        "{from}: is set, but smtp_host is not; set the mail server or leave both out"
                    );
                    self.wrong.push(line);
                }
            }
            return None;
        }
        let security = self.parsed("smtp_security", "tls, starttls or none", |text| match text {
            "tls" => Some(SmtpSecurity::Tls),
            "starttls" => Some(SmtpSecurity::StartTls),
            "none" => Some(SmtpSecurity::None),
            _ => None,
        })?;
        let port = if self.get("smtp_port").0.is_empty() {
            Some(match security {
                SmtpSecurity::Tls => 465,
                SmtpSecurity::StartTls => 587,
                SmtpSecurity::None => 25,
            })
        } else {
            self.number("smtp_port", 1, u16::MAX)
        };
        if self.get("public_url").0.is_empty() {
            // A link in a mail must not be made from a `Host` header that a visitor wrote.
            self.wrong.push("smtp_host: mails hold links to the site; set public_url as well".to_owned());
        }
        let from = self.parsed("smtp_from", "a mail address, as arena@example.org", |text| {
            text.parse::<lettre::Address>().ok().map(|address| address.to_string())
        });
        let login = match (self.get("smtp_user").0, self.get("smtp_password").0) {
            ("", "") => None,
            ("", _) | (_, "") => {
                self.wrong.push("smtp_user, smtp_password: set both or neither".to_owned());
                None
            }
            (user, password) => Some((user.to_owned(), Secret(password.to_owned()))),
        };
        Some(Smtp { host, port: port?, security, login, from: from? })
    }
}

/// A TOML value as it would be written in a variable.
fn written(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Boolean(flag) => Some(flag.to_string()),
        toml::Value::Array(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(toml::Value::as_str).collect();
            Some(parts?.join(","))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
