//! Parts of a run under GNU parallel and under Slurm, as docs/many-machines.md shows them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use testing::{require, scratch, until};

use crate::{Process, alone, duel, finished, printed, results};

/// The parts of a run.
const PARTS: usize = 4;
const MATCHES: &str = "40";

/// The path of a program; daemons are where only root looks.
fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).chain(["/usr/sbin".into()]).collect();
    folders.into_iter().map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Joins the parts and compares the whole with a run on one machine.
fn assert_whole(folder: &Path) {
    let out = folder.join("all.run");
    let file = out.display().to_string();
    let parts: Vec<String> =
        (1..=PARTS).rev().map(|part| folder.join(format!("part-{part}.run")).display().to_string()).collect();
    let mut arguments = vec!["merge", &file];
    arguments.extend(parts.iter().map(String::as_str));
    printed(&arguments);
    assert_eq!(results(&out), alone(&duel(MATCHES, &file), folder));
}

/// The command of a part; `{part}` is its number.
fn part(folder: &Path) -> String {
    let path = folder.join("part-{part}.run").display().to_string();
    let mut words = vec![env!("CARGO_BIN_EXE_agon")];
    words.extend(duel(MATCHES, &path));
    let shard = format!("{{part}}/{PARTS}");
    words.extend(["--jobs", "1", "--shard", &shard]);
    words.join(" ")
}

#[test]
fn gnu_parallel_plays_the_parts_of_a_run() {
    let program = find("parallel");
    if !require("GNU parallel (package parallel)", program.is_some()) {
        return;
    }
    let scratch = scratch();
    let mut parallel = Command::new(program.unwrap());
    parallel.args(["--will-cite", "--jobs", "2", "-I", "{part}", &part(scratch.path()), ":::"]);
    parallel.args((1..=PARTS).map(|part| part.to_string())).env("HOME", scratch.path());
    let output = parallel.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_whole(scratch.path());
}

/// Slurm on this machine alone: its controller and its one node, with a key of their own.
struct Slurm {
    folder: PathBuf,
    _daemons: [Process; 3],
}

impl Slurm {
    fn start(folder: &Path) -> Slurm {
        let port = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host = Command::new("hostname").arg("-s").output().unwrap();
        let host = String::from_utf8(host.stdout).unwrap().trim().to_owned();
        let at = |name: &str| folder.join(name).display().to_string();
        std::fs::write(folder.join("munge.key"), [7; 128]).unwrap();
        run("chmod", &["400", &at("munge.key")]);
        let settings = format!(
            "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\nSlurmdPort={}\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={}\nStateSaveLocation={}\nSlurmdSpoolDir={}\nSlurmctldPidFile={}\n\
             SlurmdPidFile={}\nSlurmctldLogFile={}\nSlurmdLogFile={}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n\
             SwitchType=switch/none\nNodeName={host} NodeAddr=127.0.0.1 CPUs={}\nPartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n",
            port(),
            port(),
            at("munge.socket"),
            at("state"),
            at("spool"),
            at("slurmctld.pid"),
            at("slurmd.pid"),
            at("slurmctld.log"),
            at("slurmd.log"),
            std::thread::available_parallelism().map_or(1, usize::from),
        );
        std::fs::create_dir(folder.join("state")).unwrap();
        std::fs::create_dir(folder.join("spool")).unwrap();
        std::fs::write(folder.join("slurm.conf"), settings).unwrap();
        let mut munge = Command::new(find("munged").unwrap());
        munge.args([
            "--foreground",
            "--force",
            "--key-file",
            &at("munge.key"),
            "--socket",
            &at("munge.socket"),
        ]);
        munge.args([
            "--pid-file",
            &at("munge.pid"),
            "--log-file",
            &at("munge.log"),
            "--seed-file",
            &at("munge.seed"),
        ]);
        let munge = Process::start(munge);
        until("munge has a socket", || folder.join("munge.socket").exists().then_some(()));
        let mut controller = Command::new(find("slurmctld").unwrap());
        controller.args(["-D", "-f", &at("slurm.conf")]).env("SLURM_CONF", at("slurm.conf"));
        let controller = Process::start(controller);
        let mut node = Command::new(find("slurmd").unwrap());
        node.args(["-D", "-N", &host, "-f", &at("slurm.conf")]).env("SLURM_CONF", at("slurm.conf"));
        let node = Process::start(node);
        Slurm { folder: folder.to_owned(), _daemons: [node, controller, munge] }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).stdin(Stdio::null());
        command
    }

    /// The logs, for a message.
    fn logs(&self) -> String {
        let read = |name: &str| std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        ["slurmctld.log", "slurmd.log", "munge.log"].map(read).join("\n")
    }
}

fn run(program: &str, arguments: &[&str]) {
    assert!(Command::new(program).args(arguments).status().unwrap().success());
}

#[test]
fn a_slurm_array_plays_the_parts_of_a_run() {
    let is_there = ["slurmctld", "slurmd", "munged", "sbatch"].iter().all(|program| find(program).is_some());
    if !require("Slurm (package slurm-wlm)", is_there)
        || !require("root, for the daemons of Slurm", rustix_is_root())
    {
        return;
    }
    let scratch = scratch();
    let slurm = Slurm::start(scratch.path());
    let script = scratch.path().join("duel.sh");
    let text = part(scratch.path()).replace("{part}", "${SLURM_ARRAY_TASK_ID}");
    std::fs::write(&script, format!("#!/bin/sh\n{text}\n")).unwrap();
    let array = format!("--array=1-{PARTS}");
    until("Slurm accepts a job", || {
        let mut submit = slurm.command("sbatch");
        submit.args([&array, "--cpus-per-task=1", "--output=/dev/null"]).arg(&script);
        submit.current_dir(scratch.path()).stderr(Stdio::null()).stdout(Stdio::null());
        submit.status().is_ok_and(|status| status.success()).then_some(())
    });
    let own = usize::try_from(MATCHES.parse::<u64>().unwrap()).unwrap() / PARTS;
    let paths: Vec<PathBuf> =
        (1..=PARTS).map(|part| scratch.path().join(format!("part-{part}.run"))).collect();
    let begun = std::time::Instant::now();
    while !paths.iter().all(|path| finished(path) == own) {
        assert!(begun.elapsed() < testing::PATIENCE, "{}", slurm.logs());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    until("the jobs have ended", || {
        let queue = slurm.command("squeue").arg("--noheader").output().unwrap();
        queue.stdout.is_empty().then_some(())
    });
    assert_whole(scratch.path());
}

fn rustix_is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
