//! Valid and invalid settings.

use super::*;

fn config(text: &str) -> Result<Config, String> {
    Settings::new().text(text, "agon.toml").check().map_err(|error| error.to_string())
}

#[test]
fn without_settings_the_site_is_local() {
    let config = config("").unwrap();
    assert!(config.listen.ip().is_loopback());
    assert_eq!(config.database.url(), "sqlite:agon-data/agon.db");
    assert_eq!((config.signup, config.connections, config.logins_per_minute), (Signup::Open, 256, 10));
    assert!(config.smtp.is_none() && config.public_url.is_none());
}

#[test]
fn flags_override_the_environment_which_overrides_the_file() {
    let environment = |name: &str, value: &str| [(name.to_owned(), value.to_owned())];
    let file = || Settings::new().text("title = 'file'\nworkers = 3\nsignup = 'invited'", "agon.toml");
    let env = || file().environment(environment("AGON_TITLE", "env"));
    assert_eq!(file().check().unwrap().title, "file");
    assert_eq!(env().check().unwrap().title, "env");
    let all = env().flags([("title", Some("flag".to_owned())), ("signup", None)]).check().unwrap();
    assert_eq!((all.title.as_str(), all.workers, all.signup), ("flag", Some(3), Signup::Invited));
    // Variables of other commands are ignored.
    assert!(Settings::new().environment(environment("AGON_TOKEN", "agon_x")).check().is_ok());
}

#[test]
fn all_mistakes_are_reported_at_once_with_their_places() {
    let wrong = Settings::new()
        .text("listen = 'nowhere'\nsingup = 'open'\nworkers = -1\ntitle = { a = 1 }", "agon.toml")
        .environment([("AGON_SIGNUP".to_owned(), "maybe".to_owned())])
        .flags([("trusted_proxy", Some("10.0.0.0/99".to_owned()))])
        .check()
        .unwrap_err()
        .to_string();
    for part in [
        "listen in agon.toml: 'nowhere' cannot be used; write an address",
        "singup in agon.toml: there is no such setting",
        "workers in agon.toml: '-1'",
        "title in agon.toml: write a text",
        "AGON_SIGNUP: 'maybe' cannot be used; write open or invited",
        "--trusted-proxy: '10.0.0.0/99'",
    ] {
        assert!(wrong.contains(part), "{part} is missing in:\n{wrong}");
    }
}

#[test]
fn the_public_address_is_checked() {
    let url = |text: &str| config(&format!("public_url = '{text}'")).map(|config| config.public_url.unwrap());
    let site = url("https://Arena.example.org:443/").unwrap();
    assert_eq!((site.origin.as_str(), site.secure), ("https://arena.example.org", true));
    assert_eq!(url("http://127.0.0.1:8080").unwrap().origin, "http://127.0.0.1:8080");
    for bad in [
        "arena.example.org",
        "ftp://a",
        "https://a/b",
        "https://a?b",
        "https://u@a",
        "https://",
        "javascript:1",
    ] {
        assert!(url(bad).is_err(), "{bad}");
    }
}

#[test]
fn secrets_are_not_printed() {
    let text = "database = 'postgres://agon:hunter2@db/agon?x=hunter2'\npublic_url = 'https://a'\nsmtp_host = 'mail'\n\
        smtp_user = 'u'\nsmtp_password = 'hunter2'\nsmtp_from = 'a@b.example'";
    let config = config(text).unwrap();
    assert!(!format!("{config:?}").contains("hunter2"));
    assert_eq!(config.database.shown(), "postgres://db/agon");
    assert_eq!(config.smtp.unwrap().port, 465);
    let wrong =
        Settings::new().text("database = 'mysql://u:hunter2@db'", "f").check().unwrap_err().to_string();
    assert!(wrong.contains("postgres://") && !wrong.contains("hunter2"), "{wrong}");
}

#[test]
fn mail_needs_all_its_parts() {
    assert!(config("smtp_host = 'mail'\nsmtp_from = 'a@b.example'").unwrap_err().contains("public_url"));
    assert!(config("smtp_from = 'a@b.example'").unwrap_err().contains("smtp_host is not"));
    let site = "public_url = 'https://a'\nsmtp_host = 'mail'\n";
    assert!(config(&format!("{site}smtp_from = 'nobody'")).unwrap_err().contains("a mail address"));
    assert!(
        config(&format!("{site}smtp_from = 'a@b.example'\nsmtp_user = 'u'")).unwrap_err().contains("both")
    );
}

#[test]
fn a_cluster_needs_postgresql() {
    let wrong = config("cluster = 'nats://hub'").unwrap_err();
    assert!(wrong.contains("cluster in agon.toml: a cluster needs PostgreSQL"), "{wrong}");
    let text = "cluster = 'tls://hub'\ncluster_key = 'server.key'\ndatabase = 'postgres://db/agon'";
    let cluster = config(text).unwrap().cluster.unwrap();
    assert_eq!((cluster.url.as_str(), cluster.key), ("tls://hub", Some(PathBuf::from("server.key"))));
    assert!(config("cluster = 'hub'\ndatabase = 'postgres://db/agon'").unwrap_err().contains("nats://HOST"));
    assert!(config("").unwrap().cluster.is_none());
}

#[test]
fn records_are_in_a_folder_or_a_bucket() {
    assert_eq!(config("data = 'd'").unwrap().records, RecordsPlace::from(Path::new("d/records")));
    assert_eq!(config("records = '/shared'").unwrap().records, RecordsPlace::from(Path::new("/shared")));
    let bucket = RecordsPlace::Bucket { name: "arena".to_owned(), prefix: "records".to_owned() };
    assert_eq!(config("records = 's3://arena/records'").unwrap().records, bucket);
    let wrong = config("records = 'gs://arena'").unwrap_err();
    assert!(
        wrong.contains("records in agon.toml: 'gs://arena' cannot be used; write a folder or s3://BUCKET"),
        "{wrong}"
    );
}
