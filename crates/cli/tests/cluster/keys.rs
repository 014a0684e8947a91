//! Keys: a worker may take work and hand in results, and nothing else. With TLS, and for an arena too.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use async_nats::ConnectOptions;
use cluster::{Address, Cluster, Master, Role};
use nkeys::KeyPair;
use testing::{Certificates, Nats, scratch, until};

use crate::home::{Home, Server};
use crate::{arena, builds, command, duel, finished, printed, worker_with};

/// The settings that docs/many-machines.md recommends.
fn settings(coordinator: &KeyPair, worker: &KeyPair) -> String {
    let page = std::fs::read_to_string(testing::repository("docs/many-machines.md")).unwrap();
    let text = page.split("```conf\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(text.contains("COORDINATOR_KEY") && text.contains("WORKER_KEY"), "{text}");
    text.replace("COORDINATOR_KEY", &coordinator.public_key()).replace("WORKER_KEY", &worker.public_key())
}

/// Writes the file of a key. Returns its path.
fn key_file(folder: &Path, name: &str, pair: &KeyPair) -> String {
    let path = folder.join(name);
    std::fs::write(&path, pair.seed().unwrap()).unwrap();
    path.display().to_string()
}

#[test]
fn a_worker_has_only_the_rights_of_a_worker() {
    let (coordinator, worker) = (KeyPair::new_user(), KeyPair::new_user());
    let Some(nats) = Nats::with_settings(&settings(&coordinator, &worker)) else { return };
    let scratch = scratch();
    let key = |name: &str, pair: &KeyPair| key_file(scratch.path(), name, pair);
    let (own, foreign) = (key("coordinator.key", &coordinator), key("worker.key", &worker));
    let url = nats.url();
    let _worker = worker_with(&url, scratch.path(), "one", &["--cluster-key", &foreign]);
    let path = scratch.path().join("a.run");
    let file = path.display().to_string();
    let mut arguments = duel("20", &file);
    arguments.extend(["--cluster", &url, "--cluster-key", &own]);
    printed(&arguments);
    assert_eq!(finished(&path), 20);
    // With the key of a worker, and without a key, no work can be handed out.
    for key in [&["--cluster-key", &foreign][..], &[]] {
        let other = scratch.path().join("b.run").display().to_string();
        let mut arguments = duel("4", &other);
        arguments.extend(["--cluster", &url]);
        arguments.extend(key);
        let output = until("an answer", || command(&arguments).output().ok());
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let _ = std::fs::remove_file(&other);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_arena_plays_with_keys_and_tls() {
    let (coordinator, worker) = (KeyPair::new_user(), KeyPair::new_user());
    let Some(certificates) = Certificates::make() else { return };
    let (certificate, key) = (certificates.certificate(), certificates.key());
    let tls = format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}", certificate.display(), key.display());
    let settings = format!("{tls}\n{}", settings(&coordinator, &worker));
    let (Some(nats), Some(home)) = (Nats::with_settings(&settings), Home::postgres()) else { return };
    let scratch = scratch();
    let url = nats.url().replace("nats://", "tls://");
    let authority = certificates.authority().display().to_string();
    let own = key_file(scratch.path(), "server.key", &coordinator);
    let foreign = key_file(scratch.path(), "worker.key", &worker);
    let store = home.open().await;
    arena::prepare(&store).await;
    let _server = Server::start(
        &home,
        &["--cluster", &url, "--cluster-key", &own, "--cluster-ca", &authority, "--workers", "0"],
    );
    let flags = ["--cluster-key", &foreign, "--cluster-ca", &authority, "--timed", "always"];
    let _worker = worker_with(&url, scratch.path(), "one", &flags);
    arena::until(&store, 10).await;
    let players: Vec<String> = store.workers().await.unwrap().into_iter().map(|worker| worker.name).collect();
    assert_eq!(players, ["one"]);
    // It builds too, and its program is there for others.
    let contest = store.contest_by_key("arena").await.unwrap().unwrap();
    let version = builds::submit(&store, contest.id, "Ann", "Bash", &builds::source("bot.sh")).await;
    let version = builds::built(&store, version).await;
    assert_eq!(version.builder.as_deref(), Some("cluster/one"), "{version:?}");
    assert!(version.program.is_some(), "{version:?}");

    // The certificate is checked.
    let run = scratch.path().join("a.run").display().to_string();
    let mut arguments = duel("4", &run);
    arguments.extend(["--cluster", &url, "--cluster-key", &own]);
    let refused = command(&arguments).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("certificate"), "{said}");

    may_only_report(&url, &worker, &certificates).await;
    // The queue of work has nothing of the other key.
    let address = Address { url, key: Some(own.into()), authority: Some(certificates.authority()) };
    let cluster = Cluster::connect(&address, Role::Master("test")).await.unwrap();
    let intruder = Master::open(cluster, "intruder".to_owned()).await.unwrap();
    assert!(intruder.waiting().await.unwrap().is_empty());
    store.close().await;
}

/// With the key of a worker the server takes messages on the subjects of a worker, and on no other.
async fn may_only_report(url: &str, worker: &KeyPair, certificates: &Certificates) {
    let (sender, errors) = mpsc::channel();
    let options = ConnectOptions::with_nkey(worker.seed().unwrap());
    let options = options.add_root_certificates(certificates.authority()).require_tls(true);
    let client = options
        .event_callback(move |event| {
            let sender = sender.clone();
            async move { drop(sender.send(event.to_string().to_lowercase())) }
        })
        .connect(url)
        .await
        .unwrap();
    let refused = [
        "agon.2.work.timed.intruder.1",
        "agon.2.work.untimed.intruder.1",
        "agon.2.stop.intruder",
        "agon.2.servers.intruder",
        "agon.1.done.intruder.one",
        "agon.2.done.intruder.two",
        "$KV.agon-workers.two",
        "$KV.agon-settings.protocol",
        "$O.agon-files.C.intruder",
        "$JS.API.STREAM.CREATE.intruder",
        "$JS.API.STREAM.DELETE.agon-work-2",
        "$JS.API.STREAM.PURGE.agon-done-2",
        "$JS.API.STREAM.MSG.GET.agon-done-2",
        "$JS.API.CONSUMER.CREATE.agon-done-2",
        "$JS.API.CONSUMER.MSG.NEXT.agon-done-2.intruder",
    ];
    // The server answers in order: an answer to the last subject follows all others.
    for subject in ["agon.2.done.intruder.one", "agon.2.live.intruder"].iter().chain(&refused) {
        client.publish(*subject, "{}".into()).await.unwrap();
    }
    client.flush().await.unwrap();
    let mut said: Vec<String> = Vec::new();
    while said.len() < refused.len() {
        let event = errors.recv_timeout(Duration::from_secs(20)).unwrap_or_else(|_| panic!("{said:?}"));
        if event.contains("permissions violation for publish") {
            said.push(event);
        }
    }
    for (subject, event) in refused.iter().zip(&said) {
        assert!(event.contains(&subject.to_lowercase()), "{subject}: {said:?}");
    }
    // Reports of others cannot be read, nor the answers of the server to others.
    for subject in ["agon.2.done.*.*", "_INBOX.>", "_INBOX.worker.two.>", "_INBOX.master.>", "_INBOX.*.>"] {
        let _messages = client.subscribe(subject).await.unwrap();
        client.flush().await.unwrap();
        let refused = format!("permissions violation for subscription to \"{}\"", subject.to_lowercase());
        until(subject, || errors.try_recv().ok().filter(|event| event.contains(&refused)));
    }
}
