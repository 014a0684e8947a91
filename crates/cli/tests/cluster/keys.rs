//! Keys: a worker may take work and hand in results, and nothing else.

use nkeys::KeyPair;
use testing::{Nats, scratch, until};

use crate::{command, duel, finished, printed, worker_with};

/// The settings that docs/many-machines.md recommends.
fn settings(coordinator: &KeyPair, worker: &KeyPair) -> String {
    let page = std::fs::read_to_string(testing::repository("docs/many-machines.md")).unwrap();
    let text = page.split("```conf\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(text.contains("COORDINATOR_KEY") && text.contains("WORKER_KEY"), "{text}");
    text.replace("COORDINATOR_KEY", &coordinator.public_key()).replace("WORKER_KEY", &worker.public_key())
}

#[test]
fn a_worker_has_only_the_rights_of_a_worker() {
    let (coordinator, worker) = (KeyPair::new_user(), KeyPair::new_user());
    let Some(nats) = Nats::with_settings(&settings(&coordinator, &worker)) else { return };
    let scratch = scratch();
    let key = |name: &str, pair: &KeyPair| {
        let path = scratch.path().join(name);
        std::fs::write(&path, pair.seed().unwrap()).unwrap();
        path.display().to_string()
    };
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
