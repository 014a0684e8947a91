//! Attacks on logins: guessed passwords, planted sessions, sessions that outlive their end.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{Answer, Site, Visitor, site, site_with, sites_with};

const PASSWORD: &str = "correct horse battery";

pub fn log_in(site: &Site, name: &str, password: &str) -> (Visitor, Answer) {
    let mut visitor = site.visitor();
    let answer = visitor.post("/login", &json!({"name": name, "password": password}));
    visitor.cookie.clone_from(&answer.cookie);
    visitor.csrf = answer.json["csrf"].as_str().map(str::to_owned);
    (visitor, answer)
}

fn is_signed_in(visitor: &Visitor) -> bool {
    visitor.get("/me").ok()["user"] != Value::Null
}

/// The results of many attempts at the same moment, counted by status.
fn all_at_once(attempts: usize, attempt: impl Fn(usize) -> u16 + Sync) -> BTreeMap<u16, usize> {
    let statuses = std::thread::scope(|scope| {
        let attempt = &attempt;
        let threads: Vec<_> = (0..attempts).map(|number| scope.spawn(move || attempt(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let mut counts = BTreeMap::new();
    for status in statuses {
        *counts.entry(status).or_insert(0) += 1;
    }
    counts
}

#[test]
fn two_hundred_concurrent_login_attempts_are_limited_to_ten() {
    for site in sites_with(&[("workers", "0")]) {
        site.player("victim");
        let guess = |name: String, number: usize| {
            let visitor = site.visitor();
            let answer =
                visitor.post("/login", &json!({"name": name, "password": format!("wrong guess {number}")}));
            if answer.status == 429 {
                assert_eq!(answer.code(), "too_many");
                assert!(answer.header("retry-after").is_some_and(|after| after.parse::<u32>().is_ok()));
            }
            answer.status
        };
        // All from one address, at one account; other spellings of the name mean the same account.
        let counts = all_at_once(200, |number| {
            guess(if number % 2 == 0 { "victim".to_owned() } else { "VicTim".to_owned() }, number)
        });
        let (wrong, too_many) = (counts.get(&401).unwrap_or(&0), counts.get(&429).unwrap_or(&0));
        assert!(*wrong <= 10 && wrong + too_many == 200, "{counts:?}");
        // The right password is refused as well: this browser has never logged in.
        let (_, answer) = log_in(&site, "victim", PASSWORD);
        assert_eq!(answer.status, 429);
        // No attempt was written to the database.
        let (store, now) = (&site.server.app().store, server::now_ms());
        for key in ["account victim", "address 127.0.0.1"] {
            let stored = site.server.runtime().block_on(store.attempts("login", key, now, now)).unwrap();
            assert_eq!(stored, 0, "{key}");
        }
    }
}

/// Logs in from an address, as a trusted proxy names it; the cookies of the browser may be given.
fn log_in_from(site: &Site, address: &str, name: &str, password: &str, cookie: Option<&str>) -> Answer {
    let mut visitor = site.visitor();
    visitor.cookie = cookie.map(str::to_owned);
    visitor.forwarded = Some(address.to_owned());
    visitor.post("/login", &json!({"name": name, "password": password}))
}

#[test]
fn login_attempts_are_limited_by_account_and_by_address() {
    // Behind a trusted proxy, clients are counted by the address that the proxy names.
    let site = site_with(&[("workers", "0"), ("trusted_proxy", "127.0.0.1"), ("logins_per_minute", "2")]);
    let guess = |name: &str, from: &str| log_in_from(&site, from, name, "wrong guess", None).status;
    // Two attempts at one account from one address; one network of IPv6 is one address.
    assert_eq!([0, 1, 2].map(|_| guess("victim", "198.51.100.0")), [401, 401, 429]);
    let hosts = ["2001:db8::1", "2001:db8::2", "2001:db8::3"];
    assert_eq!(hosts.map(|host| guess("victim", host)), [401, 401, 429]);
    // Ten attempts at one account from all addresses.
    let statuses: Vec<u16> = (1..9).map(|number| guess("victim", &format!("198.51.100.{number}"))).collect();
    assert_eq!(statuses, [vec![401; 6], vec![429; 2]].concat());
    // Ten attempts from one address at all accounts.
    let statuses: Vec<u16> = (0..12).map(|number| guess(&format!("name-{number}"), "203.0.113.7")).collect();
    assert_eq!(statuses, [vec![401; 10], vec![429; 2]].concat());
    // Addresses that a client itself writes into the header are further left, and are ignored.
    let spoofed: Vec<u16> = (0..3)
        .map(|number| guess(&format!("other-{number}"), &format!("192.0.2.{number}, 203.0.113.7")))
        .collect();
    assert_eq!(spoofed, [429; 3]);
    // Without a trusted proxy the header is ignored.
    let plain = crate::common::site();
    let guess = |number: usize| {
        log_in_from(&plain, &format!("198.51.100.{number}"), "victim", "wrong guess", None).status
    };
    assert_eq!((0..11).map(guess).filter(|status| *status == 401).count(), 10);
}

/// The cookie of a browser that has logged in.
fn device(answer: &Answer) -> String {
    let cookies = answer.headers.iter().filter(|(key, _)| key == "set-cookie").map(|(_, value)| value);
    let line = cookies.into_iter().find(|value| value.starts_with("agon_device=")).unwrap();
    assert!(line.contains("HttpOnly") && line.contains("Path=/api/v1/login"), "{line}");
    line.split(';').next().unwrap().to_owned()
}

#[test]
fn strangers_who_guess_do_not_lock_an_account() {
    let site = site_with(&[("workers", "0"), ("trusted_proxy", "127.0.0.1"), ("logins_per_minute", "2")]);
    let log_in = |from: &str, name: &str, password: &str, cookie: Option<&str>| {
        log_in_from(&site, from, name, password, cookie)
    };
    let admin = site.server.first_admin().unwrap();
    let (name, password) = (admin.name.clone(), admin.password.clone());
    let known = device(&log_in("192.0.2.1", &name, &password, None));
    let ada = device(&site.visitor().post("/signup", &json!({"name": "ada", "password": PASSWORD})));
    // A stranger at one address uses up the attempts of that address, and of no other.
    let statuses: Vec<u16> =
        (0..20).map(|_| log_in("198.51.100.1", &name, "wrong guess", None).status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 2);
    assert_eq!(log_in("192.0.2.2", &name, &password, None).status, 200, "a new browser at another address");
    // Many strangers use up the attempts of all new browsers, and not those of a browser that has logged in before.
    for number in 2..10 {
        log_in(&format!("198.51.100.{number}"), &name, "wrong guess", None);
    }
    assert_eq!(log_in("192.0.2.3", &name, &password, None).status, 429);
    assert_eq!(log_in("198.51.100.1", &name, &password, Some(&known)).status, 200);
    // The cookie is valid for its account only, and a browser that knows the account may not guess for ever either.
    assert_eq!(log_in("198.51.100.1", &name, "wrong guess", Some(&ada)).status, 429);
    assert_eq!(log_in("198.51.100.1", &name, "wrong guess", Some("agon_device=ab.cd")).status, 429);
    assert_eq!([0, 1].map(|_| log_in("192.0.2.9", &name, "wrong guess", Some(&known)).status), [401, 429]);
}

/// A new password ends the trust in the browsers that knew the old one, except the one that set it.
#[test]
fn a_new_password_makes_known_browsers_strangers() {
    let site = site_with(&[("workers", "0"), ("logins_per_minute", "1")]);
    let mut ada = site.visitor();
    let answer = ada.post("/signup", &json!({"name": "ada", "password": PASSWORD}));
    (ada.cookie, ada.csrf) = (answer.cookie.clone(), answer.json["csrf"].as_str().map(str::to_owned));
    let old = device(&answer);
    let new = json!({"password": "another long password", "old_password": PASSWORD});
    let new = device(&ada.patch("/me", &new));
    let status = |cookie: &str| {
        let mut browser = site.visitor();
        browser.cookie = Some(cookie.to_owned());
        browser.post("/login", &json!({"name": "ada", "password": "another long password"})).status
    };
    assert_eq!(status("none=1"), 200, "the only attempt of strangers in this minute");
    assert_eq!(status(&old), 429);
    assert_eq!(status(&new), 200);
}

#[test]
fn a_wrong_name_and_a_wrong_password_have_the_same_answer() {
    let site = site();
    site.player("known");
    let tell = |name: &str| {
        let (_, mut answer) = log_in(&site, name, "wrong password");
        // The id of the request is random.
        answer.headers.retain(|(key, _)| key != "date" && key != "x-request-id");
        (answer.status, answer.text, answer.headers)
    };
    let (known, unknown) = (tell("known"), tell("unknown"));
    assert_eq!(known.0, 401);
    assert_eq!(known, unknown);
    // Texts that cannot be names give the same answer.
    assert_eq!(tell("<script>"), unknown);
    assert_eq!(tell(&"x".repeat(5000)), unknown);
    assert_eq!(tell(""), unknown);
}

#[test]
fn a_login_replaces_the_session_cookie() {
    let site = site();
    site.player("victim");
    let planted = "agon_session=".to_owned() + &"ab".repeat(32);
    let mut victim = site.visitor();
    victim.cookie = Some(planted.clone());
    let answer = victim.post("/login", &json!({"name": "victim", "password": PASSWORD}));
    assert_eq!(answer.status, 200, "{}", answer.text);
    let given = answer.cookie.clone().unwrap();
    assert_ne!(given, planted);
    let line = answer.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(line.contains(part), "{line}");
    }
    assert!(!line.contains("Secure") && !line.contains("Domain"), "{line}");
    let mut attacker = site.visitor();
    attacker.cookie = Some(planted);
    assert!(!is_signed_in(&attacker));
    // Another login in the same browser ends the previous session.
    let mut again = site.visitor();
    again.cookie = Some(given.clone());
    let second = again.post("/login", &json!({"name": "victim", "password": PASSWORD})).cookie.unwrap();
    assert_ne!(second, given);
    assert!(!is_signed_in(&again));
    again.cookie = Some(second);
    assert!(is_signed_in(&again));
}

#[test]
fn logout_and_a_new_password_end_sessions() {
    let site = site();
    let here = site.player("ada");
    let (there, _) = log_in(&site, "ada", PASSWORD);
    assert!(is_signed_in(&here) && is_signed_in(&there));
    // Logging out ends the session on the server, not only in the browser.
    assert_eq!(there.post("/logout", &json!({})).status, 200);
    assert!(!is_signed_in(&there) && is_signed_in(&here));
    // A new password ends all other sessions, and needs the old password.
    let (there, _) = log_in(&site, "ada", PASSWORD);
    let new = json!({"password": "another long password"});
    assert_eq!(here.patch("/me", &new).code(), "old_password");
    let new = json!({"password": "another long password", "old_password": "not the old one"});
    assert_eq!(here.patch("/me", &new).code(), "old_password");
    let new = json!({"password": "another long password", "old_password": PASSWORD});
    assert_eq!(here.patch("/me", &new).status, 200);
    assert!(is_signed_in(&here) && !is_signed_in(&there));
    assert_eq!(log_in(&site, "ada", PASSWORD).1.status, 401);
    assert_eq!(log_in(&site, "ada", "another long password").1.status, 200);
}

/// The bots of a blocked account are paused; a bot that was paused before stays paused afterwards.
#[test]
fn unblocking_an_account_restores_its_bots() {
    let site = site();
    let ada = site.player("ada");
    let id = ada.get("/me").ok()["user"]["id"].as_i64().unwrap();
    for game in ["ocean-of-code", "hypersonic"] {
        let body = json!({"game": game, "language": "Python", "source": "print()", "activate": true});
        ada.post("/submissions", &body).ok();
    }
    let (store, runtime) = (&site.server.app().store, site.server.runtime());
    let bot = |game: &str| {
        let bots = runtime.block_on(store.bots_of_user(model::UserId(id))).unwrap();
        bots.into_iter().find(|bot| bot.game == game).unwrap()
    };
    let paused = |game: &str| bot(game).paused;
    runtime.block_on(store.set_paused(bot("hypersonic").id, Some("it fails"), 1)).unwrap();
    let admin = admin(&site);
    admin.patch(&format!("/admin/users/{id}"), &json!({"blocked": true})).ok();
    assert!(paused("ocean-of-code").unwrap().contains("blocked"));
    assert_eq!(paused("hypersonic").as_deref(), Some("it fails"));
    admin.patch(&format!("/admin/users/{id}"), &json!({"blocked": false})).ok();
    assert_eq!(paused("ocean-of-code"), None);
    assert_eq!(paused("hypersonic").as_deref(), Some("it fails"));
}

#[test]
fn a_blocked_account_loses_its_sessions_and_tokens() {
    let site = site();
    let ada = site.player("ada");
    let token = ada.post("/me/tokens", &json!({"name": "laptop", "scopes": ["read", "submit"]})).ok();
    let mut program = site.visitor();
    program.token = Some(token["token"].as_str().unwrap().to_owned());
    assert!(is_signed_in(&ada) && is_signed_in(&program));
    let admin = admin(&site);
    let id = ada.get("/me").ok()["user"]["id"].as_i64().unwrap();
    let blocked = admin.patch(&format!("/admin/users/{id}"), &json!({"blocked": true})).ok();
    assert_eq!(blocked["blocked"], true);
    assert!(!is_signed_in(&ada));
    assert_eq!(program.get("/me").code(), "bad_token");
    assert_eq!(ada.post("/me/notices/seen", &json!({})).status, 401);
    assert_eq!(log_in(&site, "ada", PASSWORD).1.code(), "blocked");
    assert_eq!(log_in(&site, "ada", "wrong password").1.code(), "login");
    // After the account is unblocked it needs a new login; the old session stays invalid.
    admin.patch(&format!("/admin/users/{id}"), &json!({"blocked": false})).ok();
    assert!(!is_signed_in(&ada));
    assert_eq!(log_in(&site, "ada", PASSWORD).1.status, 200);
}

/// An account that the site itself made an organiser.
pub fn admin(site: &Site) -> Visitor {
    let admin = site.player("the.boss.of.it");
    let id = admin.get("/me").ok()["user"]["id"].as_i64().unwrap();
    let store = &site.server.app().store;
    site.server.runtime().block_on(store.set_role(model::UserId(id), store::Role::Admin)).unwrap();
    admin
}

#[test]
fn a_token_allows_only_its_scopes() {
    let site = site();
    let ada = site.player("ada");
    let make = |scopes: Value| ada.post("/me/tokens", &json!({"name": "ci", "scopes": scopes}));
    for bad in [json!([]), json!(["root"]), json!(["read", "write"])] {
        assert_eq!(make(bad.clone()).code(), "token", "{bad}");
    }
    assert_eq!(make(json!(["admin"])).code(), "forbidden");
    let made = make(json!(["read"])).ok();
    let secret = made["token"].as_str().unwrap();
    assert!(secret.starts_with("agon_") && secret.len() > 60, "{secret}");
    // The secret is shown once: the list does not contain it.
    assert!(!ada.get("/me/tokens").text.contains(secret));
    let mut program = site.visitor();
    program.token = Some(secret.to_owned());
    assert_eq!(program.get("/me").ok()["user"]["name"], "ada");
    assert_eq!(program.get("/me").ok()["csrf"], "");
    let bot = json!({"game": "hypersonic", "language": "Python", "source": "print()"});
    assert_eq!(program.post("/submissions", &bot).code(), "scope");
    // A token cannot change its account, so a stolen token cannot take the account over.
    assert_eq!(program.patch("/me", &json!({"lang": "fr"})).status, 403);
    assert_eq!(program.post("/me/tokens", &json!({"name": "more", "scopes": ["read"]})).status, 403);
    let id = made["info"]["id"].as_i64().unwrap();
    assert_eq!(program.delete(&format!("/me/tokens/{id}")).status, 403);
    // Another account cannot revoke the token; the owner can, and then it is not valid any more.
    let bob = site.player("bob");
    assert_eq!(bob.delete(&format!("/me/tokens/{id}")).status, 404);
    assert_eq!(ada.delete(&format!("/me/tokens/{id}")).status, 200);
    assert_eq!(program.get("/me").status, 401);
    for bad in ["agon_", "agon_0", "", "x", "agon_' OR '1'='1"] {
        program.token = Some(bad.to_owned());
        assert_eq!(program.get("/me").status, 401, "{bad}");
    }
}

/// Every file below a folder.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), found);
        } else if let Ok(bytes) = std::fs::read(entry.path()) {
            found.push((entry.path().display().to_string(), bytes));
        }
    }
}

#[test]
fn an_existing_data_folder_is_narrowed_to_its_owner() {
    let site = site();
    std::fs::set_permissions(site.folder(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let site = site.restart();
    assert_eq!(std::fs::metadata(site.folder()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn the_data_folder_contains_no_secrets_in_plain_text() {
    let site = site();
    let ada = site.player("ada");
    let admin = admin(&site);
    let token = ada.post("/me/tokens", &json!({"name": "laptop", "scopes": ["read"]})).ok()["token"].clone();
    let id = ada.get("/me").ok()["user"]["id"].as_i64().unwrap();
    let reset = admin.post(&format!("/admin/users/{id}/reset"), &json!({})).ok()["code"].clone();
    let invitation = admin.post("/admin/invitations", &json!({})).ok()["code"].clone();
    let session = ada.cookie.as_deref().unwrap().split_once('=').unwrap().1.to_owned();
    let mut found = Vec::new();
    files(site.folder(), &mut found);
    assert!(
        found.iter().any(|(_, bytes)| bytes.windows(9).any(|part| part == b"$argon2id")),
        "this is not the database"
    );
    let secrets = [
        PASSWORD,
        &session,
        ada.csrf.as_deref().unwrap(),
        token.as_str().unwrap(),
        token.as_str().unwrap().strip_prefix("agon_").unwrap(),
        reset.as_str().unwrap(),
        invitation.as_str().unwrap(),
    ];
    for (name, bytes) in &found {
        for secret in secrets {
            assert!(
                !bytes.windows(secret.len()).any(|part| part == secret.as_bytes()),
                "{name} holds {secret}"
            );
        }
    }
}

#[test]
fn names_and_passwords_are_checked() {
    let site = site();
    site.player("Ada");
    let sign_up = |name: &str, password: &str| {
        site.visitor().post("/signup", &json!({"name": name, "password": password}))
    };
    for taken in ["ada", "ADA", "Ada"] {
        assert_eq!(sign_up(taken, PASSWORD).code(), "name_taken", "{taken}");
    }
    for bad in
        ["", "ab", "admin", "Adm1n", "root", "a b", "a/b", "<b>", "\u{202e}abc", "аda", "..", &"x".repeat(33)]
    {
        assert_eq!(sign_up(bad, PASSWORD).code(), "name", "{bad}");
    }
    for bad in ["", "short", "newcomer.1", &"x".repeat(1001), "aaaaaaaaaaaaaaa"] {
        assert_eq!(sign_up("newcomer.1", bad).code(), "password", "{bad}");
    }
    assert_eq!(sign_up("a\u{0}b", PASSWORD).code(), "bad_request");
    let mail = json!({"name": "newcomer", "password": PASSWORD, "email": "a@b.example\r\nBcc: c@d.example"});
    assert_eq!(site.visitor().post("/signup", &mail).code(), "email");
    let unknown = json!({"name": "newcomer", "password": PASSWORD, "role": "admin"});
    assert!(site.visitor().post("/signup", &unknown).status >= 400);
    assert_eq!(sign_up("newcomer", PASSWORD).status, 200);
}

#[test]
fn a_site_by_invitation_requires_an_invitation() {
    let site = site_with(&[("workers", "0"), ("signup", "invited")]);
    let sign_up = |name: &str, code: Option<&str>| {
        site.visitor().post("/signup", &json!({"name": name, "password": PASSWORD, "invitation": code}))
    };
    assert_eq!(sign_up("stranger", None).code(), "invitation");
    assert_eq!(sign_up("stranger", Some("aaaaa-bbbbb-ccccc-ddddd")).code(), "invitation");
    let code = site.server.runtime().block_on(async {
        let code = server::accounts::secret::typeable().unwrap();
        let kind = store::InvitationKind::SignUp;
        let new = store::NewInvitation {
            code_hash: server::accounts::code_digest(kind, &code),
            kind,
            user_id: None,
            contest_id: None,
            created_by: None,
            expires: server::now_ms() + 60_000,
            uses: 3,
        };
        site.server.app().store.create_invitation(&new, server::now_ms()).await.unwrap();
        code
    });
    // The code works three times, however many clients use it at once.
    let counts = all_at_once(12, |number| sign_up(&format!("friend-{number}"), Some(&code)).status);
    assert_eq!(counts.get(&200), Some(&3), "{counts:?}");
    assert_eq!(counts.get(&403), Some(&9), "{counts:?}");
}
