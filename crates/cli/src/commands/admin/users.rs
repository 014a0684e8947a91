//! `agon admin user`

use std::fmt::Write as _;

use clap::{Subcommand, ValueEnum};
use serde_json::json;
use server::accounts::name::Name;
use server::accounts::password::Passwords;
use server::accounts::secret;
use server::config::Config;
use store::{NewUser, Role, Store, User};

use super::{open, wait};
use crate::Failure;
use crate::commands::play::clean;
use crate::output::{print, print_json};

/// Accounts on one page of the list.
const PAGE: i64 = 100;

#[derive(Subcommand, Debug)]
pub(crate) enum UserCommand {
    /// List the accounts
    List {
        /// Only names with this in them
        #[arg(default_value = "")]
        search: String,
    },
    /// Make an account; its one-time password is printed
    Add {
        /// Its name
        name: String,
        /// Give it the rights of the organiser
        #[arg(long)]
        admin: bool,
    },
    /// Give an account a one-time password, end its sessions and revoke its tokens
    Reset {
        /// Its name
        name: String,
    },
    /// Change the role of an account
    Role {
        /// Its name
        name: String,
        /// Its new role
        role: RoleName,
    },
    /// Lock an account out
    Block {
        /// Its name
        name: String,
    },
    /// Let an account in again
    Unblock {
        /// Its name
        name: String,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum RoleName {
    /// Submits bots
    Player,
    /// Runs the site
    Admin,
}

pub(crate) fn run(config: &Config, command: &UserCommand, json: bool) -> Result<(), Failure> {
    wait(async {
        let store = open(config).await?;
        let done = obey(&store, command, json).await;
        store.close().await;
        done
    })
}

async fn obey(store: &Store, command: &UserCommand, json: bool) -> Result<(), Failure> {
    let now = server::now_ms();
    let (user, password, did) = match command {
        UserCommand::List { search } => return list(store, search, json).await,
        UserCommand::Add { name, admin } => {
            let name = Name::new(name)?;
            let (password, hash) = one_time_password().await?;
            let role = if *admin { Role::Admin } else { Role::Player };
            let new = NewUser {
                name: name.to_string(),
                email: None,
                password: hash,
                role,
                lang: "en".into(),
                must_change: true,
            };
            let user = store.create_user(&new, now).await?;
            (user, Some(password), "added")
        }
        UserCommand::Reset { name } => {
            let user = find(store, name).await?;
            let (password, hash) = one_time_password().await?;
            store.set_password(user.id, &hash, true).await?;
            store.end_access(user.id, now).await?;
            (user, Some(password), "given a one-time password")
        }
        UserCommand::Role { name, role } => {
            let user = find(store, name).await?;
            let role = match role {
                RoleName::Player => Role::Player,
                RoleName::Admin => Role::Admin,
            };
            store.set_role(user.id, role).await?;
            (user, None, "given another role")
        }
        UserCommand::Block { name } => {
            let user = find(store, name).await?;
            store.set_blocked(user.id, true, now).await?;
            (user, None, "locked out")
        }
        UserCommand::Unblock { name } => {
            let user = find(store, name).await?;
            store.set_blocked(user.id, false, now).await?;
            (user, None, "let in again")
        }
    };
    store.audit(now, None, &format!("command line: {} was {did}", user.name)).await?;
    if json {
        return print_json(&json!({"user": user.name, "done": did, "one_time_password": password}));
    }
    let password = password.map_or_else(String::new, |password| {
        format!("; the password, to be changed at the first login: {password}")
    });
    print(&format!("{} was {did}{password}\n", clean(&user.name)))
}

async fn list(store: &Store, search: &str, json: bool) -> Result<(), Failure> {
    let mut users = Vec::new();
    for page in 0.. {
        let found = store.list_users(search, page, PAGE).await?;
        let last = (found.len() as i64) < PAGE;
        users.extend(found);
        if last {
            break;
        }
    }
    if json {
        return print_json(&users);
    }
    let mut text = String::new();
    for user in &users {
        write!(text, "{:32} {}", clean(&user.name), user.role.word())?;
        if user.blocked {
            text.push_str(", locked out");
        }
        if user.must_change {
            text.push_str(", has a one-time password");
        }
        text.push('\n');
    }
    print(&text)
}

async fn find(store: &Store, name: &str) -> Result<User, Failure> {
    store.user_by_name(name).await?.ok_or_else(|| {
        Failure::Unusable(format!("there is no account {}; see `agon admin user list`", clean(name)))
    })
}

/// A new one-time password and its hash.
async fn one_time_password() -> Result<(String, String), Failure> {
    let unusable = |problem: server::ApiError| Failure::Unusable(problem.message);
    let password = secret::typeable().map_err(unusable)?;
    let hash = Passwords::default().hash(password.clone()).await.map_err(unusable)?;
    Ok((password, hash))
}
