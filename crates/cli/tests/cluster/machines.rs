//! The machines of a run: a hub with the NATS server, a coordinator and four workers, each with a cable of its own. While a run
//! is played, programs are killed (`kill -9`) and stopped (`SIGSTOP`), cables are pulled out, and connections to the NATS server are
//! delayed and broken. The results are those of one undisturbed machine.
//!
//! `cargo xtask torture --machines` runs this with large numbers: `AGON_TORTURE_MATCHES`, `AGON_TORTURE_KILLS`.
//! `AGON_TORTURE_SEED` repeats the faults of another run, as far as this is possible.

use std::path::Path;
use std::time::{Duration, Instant};

use testing::{require, scratch, until};

use crate::hosts::{Chance, Hosts, number};
use crate::proxy::Proxy;
use crate::{Process, alone, command, duel, finished, results};

/// The number of workers.
const WORKERS: usize = 4;
/// After this time without a result the next fault comes.
const STALL: Duration = Duration::from_secs(3);
/// The port of the proxy before the NATS server.
const NATS: u16 = 4223;

/// The address of the NATS server for a host.
fn url(host: usize) -> String {
    format!("nats://{}:{NATS}", Hosts::hub(host))
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
    proxy: Proxy,
}

impl Machines<'_> {
    fn resume(&self, file: &str) -> Process {
        let inner = command(&["resume", file, "--cluster", &url(0)]);
        Process::start(self.hosts.on("0", &inner))
    }

    /// Does harm.
    fn harm(&mut self, chance: &mut Chance, file: &str) {
        let worker_number = 1 + chance.below(WORKERS);
        match chance.below(10) {
            0..=2 => {
                self.workers[worker_number - 1].kill();
                self.stopped.retain(|&stopped| stopped != worker_number);
                self.workers[worker_number - 1] =
                    self.hosts.worker(self.folder, worker_number, &url(worker_number), &[]);
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
                self.nats = self.hosts.nats(self.folder);
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
        self.proxy.set_bad(!all);
    }
}

#[test]
fn a_run_survives_faults_of_all_machines() {
    let program = std::env::var_os("AGON_TEST_NATS");
    if !require("nats-server (its path in AGON_TEST_NATS)", program.is_some()) {
        return;
    }
    let hosts = Hosts::connect("agon", WORKERS + 1);
    if !require("the right to make network namespaces", hosts.is_some()) {
        return;
    }
    let (hosts, scratch) = (hosts.unwrap(), scratch());
    let matches = number("AGON_TORTURE_MATCHES").unwrap_or(1000);
    let faults = number("AGON_TORTURE_KILLS").unwrap_or(12);
    let mut chance = Chance::new();
    println!("{matches} matches, {faults} faults, AGON_TORTURE_SEED={}", chance.0);
    let (path, count) = (scratch.path().join("a.run"), matches.to_string());
    let file = path.display().to_string();
    let mut arguments = duel(&count, &file);
    let expected = alone(&arguments, scratch.path());

    let server = hosts.nats(scratch.path());
    let proxy = Proxy::start(hosts.network("hub"), NATS, 4222, chance.0);
    let worker = |number| hosts.worker(scratch.path(), number, &url(number), &[]);
    let workers = (1..=WORKERS).map(worker).collect();
    let url = url(0);
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
        Machines { hosts: &hosts, folder, nats: server, workers, coordinator, stopped, unplugged, proxy };
    machines.proxy.set_bad(true);
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
