//! The arenas where the user is logged in, in a file that only its owner may read.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Failure;

/// The login at one arena.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Login {
    pub(crate) url: String,
    /// The name of the account.
    pub(crate) name: String,
    pub(crate) token: String,
}

/// All logins, the last one first.
#[derive(Serialize, Deserialize, Debug, Default, PartialEq, Eq)]
pub(crate) struct Logins {
    logins: Vec<Login>,
}

impl Logins {
    pub(crate) fn read() -> Result<Logins, Failure> {
        match path() {
            Some(path) => Logins::read_from(&path),
            None => Ok(Logins::default()),
        }
    }

    fn read_from(path: &Path) -> Result<Logins, Failure> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Logins::default()),
            Err(error) => return Err(unusable(path, &error)),
        };
        serde_json::from_str(&text).map_err(|error| {
            Failure::Unusable(format!(
                "{} cannot be read ({error}): remove it and log in again",
                path.display()
            ))
        })
    }

    pub(crate) fn last(&self) -> Option<&Login> {
        self.logins.first()
    }

    pub(crate) fn of(&self, url: &str) -> Option<&Login> {
        self.logins.iter().find(|login| login.url == url)
    }

    /// Stores a login in place of an older one at the same arena, and returns the path of the file.
    pub(crate) fn remember(mut self, login: Login) -> Result<PathBuf, Failure> {
        let path = path().ok_or_else(|| {
            Failure::Unusable(
                "there is no home folder to keep the token in: set AGON_URL and AGON_TOKEN".into(),
            )
        })?;
        self.logins.retain(|other| other.url != login.url);
        self.logins.insert(0, login);
        self.write_to(&path).map_err(|error| unusable(&path, &error))?;
        Ok(path)
    }

    /// Writes the file atomically, readable by its owner only.
    fn write_to(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let new = path.with_extension(format!("new-{}", std::process::id()));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        let written = file.write_all(serde_json::to_string_pretty(self)?.as_bytes());
        let moved = written.and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
        if moved.is_err() {
            // Only the first error is reported.
            let _ = fs::remove_file(&new);
        }
        moved
    }
}

/// The folder of the login: `$XDG_CONFIG_HOME/agon` or `~/.config/agon`.
fn path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))?;
    Some(config.join("agon/login.json"))
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unusable(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_file_of_logins_is_readable_by_its_owner_only() {
        let folder = std::env::temp_dir().join(format!("agon-logins-{}", std::process::id()));
        let path = folder.join("deep/login.json");
        assert_eq!(Logins::read_from(&path).unwrap(), Logins::default());
        let login = Login { url: "http://a".into(), name: "ada".into(), token: "agon_x".into() };
        let logins = Logins { logins: vec![login] };
        logins.write_to(&path).unwrap();
        logins.write_to(&path).unwrap();
        assert_eq!(Logins::read_from(&path).unwrap(), logins);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(&path, "{").unwrap();
        assert!(Logins::read_from(&path).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
