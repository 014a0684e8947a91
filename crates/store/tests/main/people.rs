//! Users and their access, contests, news.

use model::{ContestState, UserId};
use store::{ContestChange, ErrorKind, InvitationKind, NewAnnouncement, NewInvitation, Role};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, new_user};

on_both!(
    names_are_taken_once,
    sessions_and_tokens,
    blocked_bots,
    invitations,
    attempts_at_once,
    contests,
    news
);

async fn names_are_taken_once(home: &Home) {
    let store = home.open().await;
    // Sixteen users sign up under the same name at once: one succeeds.
    let mut signing = Vec::new();
    for number in 0..16 {
        let (store, name) = (store.clone(), if number % 2 == 0 { "Ann" } else { "aNN" });
        signing.push(tokio::spawn(async move { store.create_user(&new_user(name), 5).await }));
    }
    let mut made = Vec::new();
    for one in signing {
        match one.await.unwrap() {
            Ok(user) => made.push(user),
            Err(error) => assert_eq!(error.kind, ErrorKind::Conflict, "{error}"),
        }
    }
    assert_eq!(made.len(), 1);
    assert_eq!(store.user_by_name("ANN").await.unwrap().unwrap().id, made[0].id);
    assert!(!format!("{:?}", made[0]).contains("hash"), "no hash is printed");
    assert!(!serde_json::to_string(&made[0]).unwrap().contains("hash"));
    store.create_user(&new_user("100%_!"), 6).await.unwrap();
    assert_eq!(store.list_users("%_", 0, 10).await.unwrap().len(), 1, "a search text is no pattern");
    assert_eq!(store.list_users("", 0, 10).await.unwrap().len(), 2);
    assert_eq!(store.list_users("", 1, 1).await.unwrap()[0].id, made[0].id);
    store.set_role(made[0].id, Role::Admin).await.unwrap();
    store.set_email(made[0].id, Some("ann@example.org")).await.unwrap();
    store.set_lang(made[0].id, "fr").await.unwrap();
    let user = store.user(made[0].id).await.unwrap().unwrap();
    assert_eq!(
        (user.role, user.email.as_deref(), user.lang.as_str()),
        (Role::Admin, Some("ann@example.org"), "fr")
    );
    assert_eq!(store.set_role(UserId(999), Role::Admin).await.unwrap_err().kind, ErrorKind::NotFound);
}

async fn sessions_and_tokens(home: &Home) {
    let store = home.open().await;
    let user = store.create_user(&new_user("Ann"), 5).await.unwrap().id;
    let session = store.create_session(user, "s1", 10, 100).await.unwrap();
    store.create_session(user, "s2", 10, 100).await.unwrap();
    assert_eq!(store.session("s1", 99).await.unwrap().unwrap().user.id, user);
    assert!(store.session("s1", 100).await.unwrap().is_none(), "it ended");
    assert!(store.session("none", 50).await.unwrap().is_none());
    store.touch_session(session.id, 50, 200).await.unwrap();
    assert_eq!(store.session("s1", 150).await.unwrap().unwrap().session.seen, 50);
    assert_eq!(store.drop_sessions_of(user, Some(session.id)).await.unwrap(), 1);
    let token = store.create_token(user, "laptop", "t1", "read submit", 10).await.unwrap();
    store.touch_token(token.id, 20).await.unwrap();
    let found = store.token("t1").await.unwrap().unwrap();
    assert_eq!((found.token.scopes.as_str(), found.token.used), ("read submit", Some(20)));
    let other = store.create_user(&new_user("Bob"), 5).await.unwrap().id;
    assert!(!store.revoke_token(other, token.id, 30).await.unwrap(), "not his");
    // A blocked user has no access; an unblocked user has access again, with the same tokens.
    store.set_blocked(user, true, 60).await.unwrap();
    assert!(store.session("s1", 60).await.unwrap().is_none());
    assert!(store.token("t1").await.unwrap().is_none());
    store.set_blocked(user, false, 60).await.unwrap();
    assert!(store.session("s1", 60).await.unwrap().is_none());
    assert!(store.revoke_token(user, token.id, 30).await.unwrap());
    assert!(store.token("t1").await.unwrap().is_none());
    assert!(store.list_tokens(user).await.unwrap().is_empty());
    store.create_token(user, "laptop", "t2", "read", 10).await.unwrap();
    store.create_session(user, "s4", 10, 100).await.unwrap();
    store.end_access(user, 30).await.unwrap();
    assert!(store.token("t2").await.unwrap().is_none());
    assert!(store.session("s4", 50).await.unwrap().is_none());
    store.create_session(user, "s3", 10, 100).await.unwrap();
    store.sweep_access(100, 0).await.unwrap();
    assert!(store.session("s3", 50).await.unwrap().is_none());
}

async fn blocked_bots(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let store = &arena.store;
    let (ann, playing, version) = arena.climber("Ann").await;
    let (bob, failing, _) = arena.climber("Bob").await;
    store.set_paused(failing.id, Some("it crashes"), 7).await.unwrap();
    let boss = arena.bosses[1].active_version.unwrap();
    let waiting = arena.enqueue(&arena.two, &[version.id, boss], 0).await;
    let paused = async |bot| store.bot(bot).await.unwrap().unwrap().paused;
    for user in [&ann, &bob] {
        store.set_blocked(user.id, true, 8).await.unwrap();
    }
    // The bots of a blocked account are paused, and their matches leave the queue.
    assert!(paused(playing.id).await.unwrap().contains("blocked"));
    assert!(store.match_row(waiting).await.unwrap().is_none());
    for user in [&ann, &bob] {
        store.set_blocked(user.id, false, 9).await.unwrap();
    }
    // A bot that was paused for another reason stays paused.
    assert_eq!(paused(playing.id).await, None);
    assert_eq!(paused(failing.id).await.as_deref(), Some("it crashes"));
    assert_eq!(store.set_blocked(UserId(999), true, 9).await.unwrap_err().kind, ErrorKind::NotFound);
}

async fn invitations(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let store = &arena.store;
    let new = |code: &str, kind, uses| NewInvitation {
        code_hash: code.to_owned(),
        kind,
        user_id: None,
        contest_id: Some(arena.contest.id),
        created_by: None,
        expires: 100,
        uses,
    };
    store.create_invitation(&new("class", InvitationKind::SignUp, 2), 10).await.unwrap();
    let first = store.sign_up(&new_user("Ann"), Some("class"), None, 20).await.unwrap();
    assert!(store.is_member(arena.contest.id, first.id).await.unwrap());
    // A taken name consumes no use; an expired invitation is refused.
    assert_eq!(
        store.sign_up(&new_user("ann"), Some("class"), None, 20).await.unwrap_err().kind,
        ErrorKind::Conflict
    );
    assert_eq!(
        store.sign_up(&new_user("Bob"), Some("class"), None, 100).await.unwrap_err().kind,
        ErrorKind::NotFound
    );
    store.sign_up(&new_user("Bob"), Some("class"), None, 99).await.unwrap();
    assert_eq!(
        store.sign_up(&new_user("Cleo"), Some("class"), None, 20).await.unwrap_err().kind,
        ErrorKind::NotFound
    );
    assert!(store.user_by_name("Cleo").await.unwrap().is_none());
    store.create_invitation(&new("join", InvitationKind::Contest, 1), 10).await.unwrap();
    assert!(
        store.use_invitation("join", InvitationKind::SignUp, 20).await.unwrap().is_none(),
        "another kind"
    );
    assert!(store.use_invitation("join", InvitationKind::Contest, 20).await.unwrap().is_some());
    assert!(store.use_invitation("join", InvitationKind::Contest, 20).await.unwrap().is_none(), "used up");
    let reset = NewInvitation { user_id: Some(first.id), ..new("reset", InvitationKind::Reset, 1) };
    store.create_invitation(&reset, 10).await.unwrap();
    assert_eq!(store.list_invitations(20).await.unwrap().len(), 1);
    store.create_session(first.id, "s", 10, 100).await.unwrap();
    assert_eq!(store.reset_password("reset", "new hash", 20).await.unwrap(), Some(first.id));
    assert_eq!(store.reset_password("reset", "newer hash", 20).await.unwrap(), None);
    assert_eq!(store.user(first.id).await.unwrap().unwrap().password, "new hash");
    assert!(store.session("s", 20).await.unwrap().is_none());
}

/// Two hundred concurrent attempts of two accounts, ten allowed in a minute: ten of each are allowed.
async fn attempts_at_once(home: &Home) {
    let store = home.open().await;
    let mut trying = Vec::new();
    for number in 0..200 {
        let store = store.clone();
        trying.push(tokio::spawn(async move {
            let key = if number % 2 == 0 { "ann" } else { "bob" };
            (key, store.attempt("login", key, 1_000 + number, 60_000, 10).await.unwrap().is_none())
        }));
    }
    let mut allowed = Vec::new();
    for one in trying {
        allowed.push(one.await.unwrap());
    }
    for key in ["ann", "bob"] {
        let count = allowed.iter().filter(|(own, yes)| *own == key && *yes).count();
        assert_eq!(count, 10, "{key}");
        assert_eq!(store.attempts("login", key, 2_000, 60_000).await.unwrap(), 10);
        let wait = store.attempt("login", key, 2_000, 60_000, 10).await.unwrap().unwrap();
        assert!((59_000..=59_199).contains(&wait), "until the first attempt is a minute old: {wait}");
    }
    assert_eq!(store.attempt("login", "ann", 100_000, 60_000, 1).await.unwrap(), None, "the window moves on");
    assert_eq!(store.attempt("login", "ann", 130_000, 60_000, 1).await.unwrap(), Some(30_000));
    store.forget_attempts("login", "ann").await.unwrap();
    assert_eq!(store.attempts("login", "ann", 100_000, 60_000).await.unwrap(), 0);
    store.sweep_access(0, 5_000).await.unwrap();
    assert_eq!(store.attempts("login", "bob", 2_000, 60_000).await.unwrap(), 0);
}

async fn contests(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let store = &arena.store;
    let same = store::NewContest {
        key: "arena".to_owned(),
        title: "Another".to_owned(),
        starts: None,
        ends: Some(500),
        invited_only: true,
        settings: serde_json::json!({}),
        state: ContestState::Planned,
    };
    assert_eq!(store.create_contest(&same, 1).await.unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(store.ensure_contest(&same, 1).await.unwrap().title, "Arena");
    let cup = store.create_contest(&store::NewContest { key: "cup".to_owned(), ..same }, 1).await.unwrap();
    assert!(store.set_contest_state(cup.id, ContestState::Planned, ContestState::Running).await.unwrap());
    assert!(!store.set_contest_state(cup.id, ContestState::Planned, ContestState::Running).await.unwrap());
    let change = ContestChange { ends: Some(None), title: Some("Cup".to_owned()), ..Default::default() };
    let cup = store.change_contest(cup.id, &change).await.unwrap();
    assert_eq!(
        (cup.title.as_str(), cup.ends, cup.invited_only, cup.state),
        ("Cup", None, true, ContestState::Running)
    );
    assert_eq!(store.contest_by_key("cup").await.unwrap().unwrap().id, cup.id);
    assert_eq!(store.contests().await.unwrap().len(), 2);
    let user = store.create_user(&new_user("Ann"), 5).await.unwrap();
    assert!(store.add_member(cup.id, user.id).await.unwrap());
    assert!(!store.add_member(cup.id, user.id).await.unwrap());
    assert_eq!(store.members(cup.id).await.unwrap()[0].name, "Ann");
    assert_eq!(store.add_member(99, user.id).await.unwrap_err().kind, ErrorKind::NotFound);
}

async fn news(home: &Home) {
    let store = home.open().await;
    let user = store.create_user(&new_user("Ann"), 5).await.unwrap().id;
    for at in 1..=3 {
        store.add_notice(user, at, "hello", &serde_json::json!({"at": at})).await.unwrap();
    }
    assert_eq!(store.unseen_notices(user).await.unwrap(), 3);
    let notices = store.notices(user, None, 2).await.unwrap();
    assert_eq!((notices.len(), &notices[0].data["at"]), (2, &3.into()));
    store.see_notices(user, notices[1].id).await.unwrap();
    assert_eq!(store.unseen_notices(user).await.unwrap(), 1);
    assert_eq!(store.notices(user, Some(notices[1].id), 2).await.unwrap().len(), 1);
    store.audit(7, Some(user), "paused the queue").await.unwrap();
    store.audit(8, None, "started").await.unwrap();
    let log = store.audit_log(None, 10).await.unwrap();
    assert_eq!((log[0].user.as_deref(), log[1].user.as_deref()), (None, Some("Ann")));
    let new =
        NewAnnouncement { en: "Hello".to_owned(), fr: "Bonjour".to_owned(), starts: 10, ends: Some(20) };
    let made = store.announce(&new).await.unwrap();
    let now = |at| store.announcements(at);
    assert_eq!([now(9).await, now(10).await, now(20).await].map(|all| all.unwrap().len()), [0, 1, 0]);
    assert_eq!(store.all_announcements().await.unwrap().len(), 1);
    assert!(store.drop_announcement(made.id).await.unwrap());
    assert_eq!(store.setting("title").await.unwrap(), None);
    store.set_setting("title", "Agon").await.unwrap();
    store.set_setting("title", "Agôn \0'\"").await.unwrap();
    assert_eq!(
        store.setting("title").await.unwrap().as_deref(),
        Some("Agôn \u{fffd}'\""),
        "no NUL in a text"
    );
}
