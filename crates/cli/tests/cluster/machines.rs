//! Hosts as network namespaces: a hub with the NATS server, a coordinator and four workers, each with a cable of its own.
//! While a run is played, programs are killed (`kill -9`) and stopped (`SIGSTOP`), and cables are pulled out. The results are
//! those of one undisturbed machine.
//!
//! `cargo xtask torture --machines` runs this with large numbers: `AGON_TORTURE_MATCHES`, `AGON_TORTURE_KILLS`.
//! `AGON_TORTURE_SEED` repeats the faults of another run, as far as this is possible.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use testing::{require, scratch, until};

use crate::{Process, alone, command, duel, finished, results};

/// The number of workers.
const WORKERS: usize = 4;
/// After this time without a result the next fault comes.
const STALL: Duration = Duration::from_secs(3);

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Random numbers (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
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
struct Hosts {
    prefix: String,
    count: usize,
}

impl Hosts {
    /// A hub and this number of hosts. `None` where this user may not make them.
    fn connect(count: usize) -> Option<Hosts> {
        let hosts = Hosts { prefix: format!("agon{}", std::process::id()), count };
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

    /// The address of the NATS server for a host.
    fn url(host: usize) -> String {
        format!("nats://10.77.{host}.1:4222")
    }

    /// A command on a host. Only the network is another one.
    fn on(&self, host: &str, inner: &Command) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net=/var/run/netns/{}", self.name(host))).arg("--").arg(inner.get_program());
        command.args(inner.get_args());
        command
    }

    /// Pulls out the cable of a host, or plugs it in.
    fn plug(&self, host: usize, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        assert!(ip(&format!("-n {} link set h{host} {state}", self.name("hub"))));
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in (0..self.count).map(|host| host.to_string()).chain(["hub".to_owned()]) {
            ip(&format!("netns del {}", self.name(&host)));
        }
    }
}

/// The programs of a run on these hosts.
struct Machines<'a> {
    hosts: &'a Hosts,
    folder: &'a Path,
    nats: Process,
    workers: Vec<Process>,
    coordinator: Process,
    /// What has to be undone: stopped workers, hosts without a cable.
    stopped: Vec<usize>,
    unplugged: Vec<usize>,
}

fn nats(hosts: &Hosts, folder: &Path) -> Process {
    let mut nats = Command::new(PathBuf::from(std::env::var_os("AGON_TEST_NATS").unwrap()));
    nats.args(["--port", "4222", "--jetstream", "--store_dir"]).arg(folder.join("nats"));
    Process::start(hosts.on("hub", &nats))
}

fn worker(hosts: &Hosts, folder: &Path, number: usize) -> Process {
    let (url, name) = (Hosts::url(number), format!("worker-{number}"));
    let files = folder.join(&name).display().to_string();
    let inner = command(&["worker", "--cluster", &url, "--name", &name, "--jobs", "1", "--files", &files]);
    Process::start(hosts.on(&number.to_string(), &inner))
}

impl Machines<'_> {
    fn resume(&self, file: &str) -> Process {
        let inner = command(&["resume", file, "--cluster", &Hosts::url(0)]);
        Process::start(self.hosts.on("0", &inner))
    }

    /// Does harm.
    fn harm(&mut self, chance: &mut Chance, file: &str) {
        let worker_number = 1 + chance.below(WORKERS);
        match chance.below(10) {
            0..=2 => {
                self.workers[worker_number - 1].kill();
                self.stopped.retain(|&stopped| stopped != worker_number);
                self.workers[worker_number - 1] = worker(self.hosts, self.folder, worker_number);
            }
            3 | 4 => {
                self.workers[worker_number - 1].signal("STOP");
                self.stopped.push(worker_number);
            }
            5 | 6 => {
                let host = chance.below(WORKERS + 1);
                self.hosts.plug(host, false);
                self.unplugged.push(host);
            }
            7 | 8 => {
                self.coordinator.kill();
                self.coordinator = self.resume(file);
            }
            _ => {
                self.nats.kill();
                self.nats = nats(self.hosts, self.folder);
            }
        }
    }

    /// Undoes the oldest harm that lasts; all of it, if `all` is set.
    fn repair(&mut self, all: bool) {
        let count = |list: &Vec<usize>| if all { list.len() } else { list.len().min(1) };
        for number in self.stopped.drain(..count(&self.stopped)) {
            self.workers[number - 1].signal("CONT");
        }
        for host in self.unplugged.drain(..count(&self.unplugged)) {
            self.hosts.plug(host, true);
        }
    }
}

#[test]
fn a_run_survives_faults_of_all_machines() {
    let program = std::env::var_os("AGON_TEST_NATS");
    if !require("nats-server (its path in AGON_TEST_NATS)", program.is_some()) {
        return;
    }
    let hosts = Hosts::connect(WORKERS + 1);
    if !require("the right to make network namespaces", hosts.is_some()) {
        return;
    }
    let (hosts, scratch) = (hosts.unwrap(), scratch());
    let matches = number("AGON_TORTURE_MATCHES").unwrap_or(1000);
    let faults = number("AGON_TORTURE_KILLS").unwrap_or(12);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos();
    let mut chance = Chance(number("AGON_TORTURE_SEED").unwrap_or(u64::from(clock) | 1));
    println!("{matches} matches, {faults} faults, AGON_TORTURE_SEED={}", chance.0);
    let (path, count) = (scratch.path().join("a.run"), matches.to_string());
    let file = path.display().to_string();
    let mut arguments = duel(&count, &file);
    let expected = alone(&arguments, scratch.path());

    let server = nats(&hosts, scratch.path());
    let workers = (1..=WORKERS).map(|number| worker(&hosts, scratch.path(), number)).collect();
    let url = Hosts::url(0);
    arguments.extend(["--cluster", &url]);
    let begin = || Process::start(hosts.on("0", &command(&arguments)));
    let mut coordinator = begin();
    until("the run begins", || {
        if !coordinator.is_running() {
            let resume = command(&["resume", &file, "--cluster", &url]);
            coordinator = if path.exists() { Process::start(hosts.on("0", &resume)) } else { begin() };
        }
        (finished(&path) > 0).then_some(())
    });
    let (folder, stopped, unplugged) = (scratch.path(), Vec::new(), Vec::new());
    let mut machines =
        Machines { hosts: &hosts, folder, nats: server, workers, coordinator, stopped, unplugged };
    for fault in 0..faults {
        let moment = ((matches - 1) * (fault + 1) / (faults + 1)) as usize;
        let (mut before, mut since) = (finished(&path), Instant::now());
        while before < moment && since.elapsed() < STALL {
            std::thread::sleep(Duration::from_millis(20));
            let now = finished(&path);
            if now > before {
                (before, since) = (now, Instant::now());
            }
        }
        machines.harm(&mut chance, &file);
        std::thread::sleep(Duration::from_millis(chance.below(300) as u64));
        if chance.below(2) == 0 {
            machines.repair(false);
        }
        // A run that could not connect at this moment is continued by its user.
        if !machines.coordinator.is_running() {
            machines.coordinator = machines.resume(&file);
        }
    }
    machines.repair(true);
    let begun = Instant::now();
    let patience = testing::PATIENCE + Duration::from_secs(matches / 20);
    while finished(&path) < expected.len() || machines.coordinator.is_running() {
        assert!(begun.elapsed() < patience, "{} of {matches} results", finished(&path));
        if !machines.coordinator.is_running() {
            machines.coordinator = machines.resume(&file);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(results(&path) == expected, "the results differ from those of one machine");
    println!("all results are there after {} s", begun.elapsed().as_secs());
}
