//! Builds that the leader hands to the workers of a cluster. A version is leased in the database; a worker that can compile its
//! language builds it, and its result counts by the lease.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use cluster::{Build, BuildReport, Job, Master, PROTOCOL, Report, Work, WorkerInfo};
use store::{BuildTurn, Built, CLUSTER, Languages, ProgramRef, Version, WorkerState};
use toolchain::SentProgram;

use super::{Desk, Failure};
use crate::build;
use crate::service::{lock, now_ms};
use crate::work::LEASE_MS;

/// The mark of a build among the numbers of works.
pub(super) const BUILD: u64 = 1 << 61;
/// The interval in which waiting versions are looked for.
const LOOK: Duration = Duration::from_millis(200);
/// A build that takes longer is given to another worker.
const LONGEST: Duration = Duration::from_secs(Master::BUILD_S);
/// The longest name of a platform.
const LONGEST_PLATFORM: usize = 1000;

/// A build that is with a worker.
#[derive(Clone)]
struct OpenBuild {
    version: Version,
    since: Instant,
    /// The worker that could not compile the version. Another worker is asked before the author is told.
    refused_by: Option<String>,
}

impl OpenBuild {
    fn of(version: Version) -> OpenBuild {
        OpenBuild { version, since: Instant::now(), refused_by: None }
    }
}

/// The builds that are with workers.
#[derive(Default)]
pub(super) struct Builds {
    /// By the number of their work.
    open: BTreeMap<u64, OpenBuild>,
    to_send: BTreeSet<u64>,
    /// The workers that can compile a language.
    builders: BTreeMap<String, BTreeSet<String>>,
    /// The cores of the workers that can compile.
    cores: usize,
    looked: Option<Instant>,
}

fn item_of(version: &Version) -> u64 {
    version.id.0 as u64 | BUILD
}

impl Builds {
    /// Builds that were handed out before.
    pub(super) fn of(versions: Vec<Version>) -> Builds {
        let open = versions.into_iter().map(|version| (item_of(&version), OpenBuild::of(version)));
        Builds { open: open.collect(), ..Builds::default() }
    }

    /// Whether a worker other than this one can compile the language.
    fn has_other(&self, language: &str, worker: &str) -> bool {
        self.builders.get(language).is_some_and(|workers| workers.iter().any(|other| other != worker))
    }

    /// The numbers of the works that are with workers.
    pub(super) fn items(&self) -> impl Iterator<Item = u64> {
        self.open.keys().copied()
    }

    /// Sends a build again that was lost.
    pub(super) fn send_again(&mut self, item: u64) {
        if self.open.contains_key(&item) {
            self.to_send.insert(item);
        }
    }
}

impl Desk<'_> {
    /// Notes which languages the workers can compile. The leader builds the versions in other languages itself.
    pub(super) fn see_builders(&mut self, workers: &[WorkerInfo], states: &BTreeMap<String, WorkerState>) {
        let can_build = |worker: &&WorkerInfo| {
            worker.protocol == PROTOCOL
                && worker.level <= self.link.level
                && states.get(&worker.name) == Some(&WorkerState::Active)
                && !worker.languages.is_empty()
        };
        let builders: Vec<&WorkerInfo> = workers.iter().filter(can_build).collect();
        let known =
            |name: &&String| build::language(name).is_some_and(|language| language.name == name.as_str());
        let mut by_language: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for worker in &builders {
            for language in worker.languages.iter().filter(known) {
                by_language.entry(language.clone()).or_default().insert(worker.name.clone());
            }
        }
        self.builds.cores = builders.iter().map(|worker| worker.cores).sum();
        *lock(&self.link.builders) = Some(by_language.keys().cloned().collect());
        self.builds.builders = by_language;
    }

    /// Leases waiting versions and sends them to the workers.
    pub(super) fn hand_out_builds(&mut self) -> Result<(), Failure> {
        if self.builds.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return Ok(());
        }
        self.builds.looked = Some(Instant::now());
        let store = &self.inner.store;
        // Builds that no worker can do any more, and those that a worker keeps to itself.
        let is_stranded = |open: &&OpenBuild| {
            let other = open.refused_by.as_deref().unwrap_or_default();
            !self.builds.has_other(&open.version.language, other) || open.since.elapsed() > LONGEST
        };
        let stranded: Vec<OpenBuild> = self.builds.open.values().filter(is_stranded).cloned().collect();
        for open in stranded {
            self.give_back_build(&open.version)?;
        }
        let languages: Vec<String> = self.builds.builders.keys().cloned().collect();
        while self.builds.open.len() < self.builds.cores {
            let (now, languages) = (now_ms(), Languages::Only(&languages));
            let turn = BuildTurn { builder: CLUSTER, languages, now, until: now + LEASE_MS };
            let Some(version) = self.inner.block(store.next_to_build(&turn))? else { break };
            self.builds.to_send.insert(item_of(&version));
            self.builds.open.insert(item_of(&version), OpenBuild::of(version));
        }
        let items: Vec<u64> = self.builds.to_send.iter().copied().collect();
        for item in items {
            if let Some(open) = self.builds.open.get(&item).cloned() {
                self.send_build(&open)?;
            }
            self.builds.to_send.remove(&item);
        }
        Ok(())
    }

    fn send_build(&self, open: &OpenBuild) -> Result<(), Failure> {
        let version = &open.version;
        let source = self.inner.block(self.inner.store.source(version.id))?;
        let bot = self.inner.block(self.inner.bot(version.bot_id))?;
        let source = self.inner.block(self.master.put_file(source.as_bytes()))?;
        let job =
            Build { name: game::text::safe_line(&bot.name, 60), language: version.language.clone(), source };
        let work = Work {
            master: self.link.arena.clone(),
            token: version.lease.unwrap_or_default() as u64,
            item: item_of(version),
            deadline_s: Master::BUILD_S,
            level: self.link.level,
            not_by: open.refused_by.clone(),
            job: Job::Build(job),
        };
        Ok(self.inner.block(self.master.send(&[work]))?)
    }

    fn give_back_build(&mut self, version: &Version) -> Result<(), Failure> {
        let lease = version.lease.unwrap_or_default();
        self.inner.block(self.inner.store.give_back_build(version.id, lease, now_ms()))?;
        self.builds.open.remove(&item_of(version));
        self.inner.wake();
        Ok(())
    }

    /// Stores the result of a build. A report of an older lease changes nothing. Source that a worker cannot compile is given to a
    /// second worker, so that no single worker can keep a bot out.
    pub(super) fn settle_build(&mut self, report: &Report) -> Result<(), Failure> {
        let Some(OpenBuild { version, refused_by, .. }) = self.builds.open.get(&report.item).cloned() else {
            return Ok(());
        };
        if version.lease.unwrap_or_default() as u64 != report.token {
            return Ok(());
        }
        if !self.is_trusted(&report.worker) {
            return self.give_back_build(&version);
        }
        let (built, program) = match &report.build {
            Some(BuildReport::Ready(program)) => (Built::Ready(String::new()), self.checked(program)),
            Some(BuildReport::NotBuilt(not_built)) => (build::stored(&not_built.safe()), None),
            None => (Built::Ours("its report has no result".to_owned()), None),
        };
        match (&built, &refused_by) {
            (Built::Failed(_) | Built::Slow(_), None)
                if self.builds.has_other(&version.language, &report.worker) =>
            {
                let again = OpenBuild { refused_by: Some(report.worker.clone()), ..OpenBuild::of(version) };
                self.builds.open.insert(report.item, again);
                self.builds.to_send.insert(report.item);
                return Ok(());
            }
            // The second opinion must be that of another worker.
            (_, Some(first)) if *first == report.worker => return self.give_back_build(&version),
            (Built::Ready(_), Some(first)) => self.inner.trouble(format!(
                "worker {first} could not compile version {}, worker {} could",
                version.id, report.worker
            )),
            _ => {}
        }
        let builder = format!("{CLUSTER}{}", report.worker);
        self.inner.end_build(&version, &builder, &built, program.as_ref())?;
        self.builds.open.remove(&report.item);
        Ok(())
    }

    /// The program that a worker claims to have built, if it is in the object store. Otherwise others compile the source.
    fn checked(&self, program: &SentProgram) -> Option<ProgramRef> {
        let SentProgram { digest, platform } = program;
        let found = self.inner.block(self.master.cluster().get_program(digest));
        if let Err(error) = &found {
            self.inner.trouble(format!("a built program: {error}"));
        }
        let is_short = platform.len() <= LONGEST_PLATFORM;
        (found.is_ok() && is_short).then(|| ProgramRef { digest: digest.clone(), platform: platform.clone() })
    }
}
