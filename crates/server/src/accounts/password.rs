//! Passwords: argon2id with the parameters that the library's authors recommend. Hashes are computed outside the
//! threads that answer requests, and only a few at a time: each takes 19 MiB and some tens of milliseconds, and a
//! flood of logins must not multiply that.

use std::sync::{Arc, OnceLock};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tokio::sync::Semaphore;

use crate::ApiError;

/// Hashes computed at the same time.
const AT_ONCE: usize = 2;
/// Hashes that may wait; further requests are refused.
const WAITING: usize = 64;

/// Checks whether a password is acceptable.
///
/// # Errors
/// The reason why it is refused; the text does not contain the password.
pub fn check(password: &str, name: &str) -> Result<(), &'static str> {
    if password.chars().count() < 10 {
        return Err("a password has at least 10 characters");
    }
    if password.len() > 1000 {
        return Err("a password has at most 1,000 bytes");
    }
    if password.to_lowercase() == name.to_lowercase() {
        return Err("a password is not the name");
    }
    if password.chars().all(|c| password.starts_with(c)) {
        return Err("a password is not one character again and again");
    }
    Ok(())
}

/// Hashes and compares passwords.
#[derive(Debug, Clone)]
pub struct Passwords {
    slots: Arc<Semaphore>,
    queue: Arc<Semaphore>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { slots: Arc::new(Semaphore::new(AT_ONCE)), queue: Arc::new(Semaphore::new(AT_ONCE + WAITING)) }
    }
}

impl Passwords {
    /// The hash of a password.
    ///
    /// # Errors
    /// When too many requests wait.
    pub async fn hash(&self, password: String) -> Result<String, ApiError> {
        self.work(move || hash(&password)).await?.map_err(ApiError::internal)
    }

    /// Whether the password belongs to the stored hash. Without a hash (the account does not exist) the same work is
    /// done, so that the time does not tell whether the account exists.
    ///
    /// # Errors
    /// When too many requests wait.
    pub async fn matches(&self, password: String, kept: Option<String>) -> Result<bool, ApiError> {
        self.work(move || {
            let known = kept.is_some();
            let kept = kept.unwrap_or_else(|| nobody().to_owned());
            // A password that is too long to have been set takes as much time as any other.
            let fits = password.len() <= 1000;
            let asked = if fits { password.as_bytes() } else { b"" };
            let same = PasswordHash::new(&kept)
                .is_ok_and(|kept| Argon2::default().verify_password(asked, &kept).is_ok());
            same && known && fits
        })
        .await
    }

    async fn work<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let busy = || ApiError::busy("many people are signing in at this moment", 2);
        let _waits = self.queue.try_acquire().map_err(|_| busy())?;
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| busy())?;
        let done = tokio::task::spawn_blocking(move || {
            // The work holds the slot, not the request: a client that disconnects does not free the slot early.
            let _slot = slot;
            job()
        });
        done.await.map_err(ApiError::internal)
    }
}

fn hash(password: &str) -> Result<String, argon2::password_hash::Error> {
    Ok(Argon2::default().hash_password(password.as_bytes())?.to_string())
}

/// The hash of a password that no account has.
fn nobody() -> &'static str {
    static NOBODY: OnceLock<String> = OnceLock::new();
    NOBODY.get_or_init(|| {
        let secret = crate::accounts::secret::fresh().unwrap_or_default();
        hash(&secret).unwrap_or_default()
    })
}

/// Computes the hash for comparisons with unknown accounts, before the time of the first comparison can be measured.
pub(crate) fn warm_up() {
    nobody();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_checked() {
        assert!(check("correct horse", "ada").is_ok());
        assert!(check("éééééééééà", "ada").is_ok());
        let long = "x1".repeat(501);
        for bad in ["", "short", "123456789", long.as_str(), "AdaLovelace", "aaaaaaaaaaaa"] {
            assert!(check(bad, "adalovelace").is_err(), "{bad}");
        }
    }

    #[tokio::test]
    async fn only_the_right_password_is_accepted() {
        let passwords = Passwords::default();
        let kept = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert!(passwords.matches("correct horse".to_owned(), Some(kept.clone())).await.unwrap());
        assert!(!passwords.matches("correct horsf".to_owned(), Some(kept.clone())).await.unwrap());
        assert!(!passwords.matches(String::new(), Some(kept.clone())).await.unwrap());
        assert!(!passwords.matches("x".repeat(5000), Some(kept)).await.unwrap());
        assert!(!passwords.matches("correct horse".to_owned(), None).await.unwrap());
        assert!(!passwords.matches("correct horse".to_owned(), Some("not a hash".to_owned())).await.unwrap());
    }
}
