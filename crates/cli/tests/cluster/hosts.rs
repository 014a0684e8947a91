//! Hosts as network namespaces: a hub, and hosts that are each connected to it by a cable of their own.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Process, command};

/// The number in a variable of the environment.
pub(crate) fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Random numbers (xorshift).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    /// Those of `AGON_TORTURE_SEED`, or others each time.
    pub(crate) fn new() -> Chance {
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
        Chance(number("AGON_TORTURE_SEED").unwrap_or(u64::from(clock) | 1))
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn ip(words: &str) -> bool {
    let mut command = Command::new("ip");
    command.args(words.split(' ')).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Network namespaces, each connected to the hub by its own cable; removed when this is dropped.
pub(crate) struct Hosts {
    prefix: String,
    count: usize,
}

impl Hosts {
    /// A hub and this number of hosts, whose names begin with `prefix`. `None` where this user may not make them.
    pub(crate) fn connect(prefix: &str, count: usize) -> Option<Hosts> {
        let hosts = Hosts { prefix: format!("{prefix}{}", std::process::id()), count };
        let hub = hosts.name("hub");
        if !ip(&format!("netns add {hub}")) {
            return None;
        }
        assert!(ip(&format!("-n {hub} link set lo up")));
        for host in 0..count {
            let name = hosts.name(&host.to_string());
            assert!(ip(&format!("netns add {name}")));
            assert!(ip(&format!("-n {hub} link add h{host} type veth peer name eth netns {name}")));
            assert!(ip(&format!("-n {hub} addr add 10.77.{host}.1/30 dev h{host}")));
            assert!(ip(&format!("-n {name} addr add 10.77.{host}.2/30 dev eth")));
            assert!(ip(&format!("-n {hub} link set h{host} up")));
            assert!(ip(&format!("-n {name} link set eth up")) && ip(&format!("-n {name} link set lo up")));
        }
        Some(hosts)
    }

    fn name(&self, host: &str) -> String {
        format!("{}-{host}", self.prefix)
    }

    /// The file of the network of a host.
    pub(crate) fn network(&self, host: &str) -> String {
        format!("/var/run/netns/{}", self.name(host))
    }

    /// The address of the hub for a host.
    pub(crate) fn hub(host: usize) -> String {
        format!("10.77.{host}.1")
    }

    /// A command on a host. Only the network is another one.
    pub(crate) fn on(&self, host: &str, inner: &Command) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net={}", self.network(host))).arg("--").arg(inner.get_program());
        command.args(inner.get_args());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = inner.get_current_dir() {
            command.current_dir(folder);
        }
        command
    }

    /// Pulls out the cable of a host, or plugs it in.
    pub(crate) fn plug(&self, host: usize, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        assert!(ip(&format!("-n {} link set h{host} {state}", self.name("hub"))));
    }

    /// A NATS server on the hub, with its data in this folder.
    pub(crate) fn nats(&self, folder: &Path) -> Process {
        let mut nats = Command::new(std::env::var_os("AGON_TEST_NATS").unwrap());
        nats.args(["--port", "4222", "--jetstream", "--store_dir"]).arg(folder.join("nats"));
        Process::start(self.on("hub", &nats))
    }

    /// A worker with one core on a host.
    pub(crate) fn worker(&self, folder: &Path, host: usize, url: &str, more: &[&str]) -> Process {
        let name = format!("worker-{host}");
        let files = folder.join(&name).display().to_string();
        let mut words = vec!["worker", "--cluster", url, "--name", &name, "--jobs", "1", "--files", &files];
        words.extend(more);
        Process::start(self.on(&host.to_string(), &command(&words)))
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in (0..self.count).map(|host| host.to_string()).chain(["hub".to_owned()]) {
            ip(&format!("netns del {}", self.name(&host)));
        }
    }
}
