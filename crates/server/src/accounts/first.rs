//! The first admin, made when the site starts for the first time.

use store::{ErrorKind, NewUser, Role, Store, StoreError};

use super::password::Passwords;
use super::secret;
use crate::now_ms;

/// The account that was made, with the password to print once. It must be changed at the first login.
#[derive(Clone)]
pub struct FirstAdmin {
    /// The name for the login.
    pub name: String,
    /// The password; it is stored nowhere else.
    pub password: String,
}

impl std::fmt::Debug for FirstAdmin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FirstAdmin").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Makes the account `admin` if there is no account at all.
///
/// # Errors
/// When the store does not answer.
pub async fn first_admin(store: &Store) -> Result<Option<FirstAdmin>, StoreError> {
    if store.count_users().await? > 0 {
        return Ok(None);
    }
    let other = |problem: crate::ApiError| StoreError::new(ErrorKind::Other, problem.message);
    let password = secret::typeable().map_err(other)?;
    let new = NewUser {
        name: "admin".to_owned(),
        email: None,
        password: Passwords::default().hash(password.clone()).await.map_err(other)?,
        role: Role::Admin,
        lang: "en".to_owned(),
        must_change: true,
    };
    match store.create_user(&new, now_ms()).await {
        Ok(user) => Ok(Some(FirstAdmin { name: user.name, password })),
        // Another process has made the account in the meantime.
        Err(error) if error.kind == ErrorKind::Conflict => Ok(None),
        Err(error) => Err(error),
    }
}
