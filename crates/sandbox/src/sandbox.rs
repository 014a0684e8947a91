//! What this host can do, and starting a program with it.

use std::sync::Arc;
use std::time::Duration;

use crate::boxed::adopt_orphans;
use crate::bwrap::Bwrap;
use crate::cgroup::Trees;
use crate::confine;
use crate::error::Unreachable;
use crate::resolve::Places;
use crate::seccomp::{self, Filter, Sight};
use crate::spawn::landlock_version;
use crate::start::first_cores;
use crate::users::Users;
use crate::{Level, Limits, Program};

/// What installs bubblewrap.
pub(crate) const BWRAP_INSTALL: &str = "apt-get install -y bubblewrap";

/// What this host can do, found out once.
#[derive(Debug)]
pub struct Sandbox {
    pub(crate) level: Level,
    pub(crate) places: Places,
    /// Control groups, where there are any; level A has them always.
    pub(crate) trees: Option<Trees>,
    pub(crate) bwrap: Option<Bwrap>,
    pub(crate) filters: Option<Filters>,
    /// User ids for boxes, where we are root.
    pub(crate) users: Option<Arc<Users>>,
}

/// The seccomp filters of this level, with and without a folder to write to.
#[derive(Debug)]
pub(crate) struct Filters {
    reads: Filter,
    writes: Filter,
}

impl Filters {
    fn of(sight: Sight) -> Option<Filters> {
        Some(Filters { reads: seccomp::filter(sight, false)?, writes: seccomp::filter(sight, true)? })
    }

    pub(crate) fn choose(&self, program: &Program) -> &Filter {
        if program.writable.is_some() { &self.writes } else { &self.reads }
    }
}

impl Sandbox {
    /// A sandbox of the asked level, or of the best this host reaches; never silently weaker, and never
    /// [`Level::None`] unless asked for. Each level is proven by running a program in it.
    ///
    /// # Errors
    ///
    /// What is missing for the asked level, and the command that installs it.
    pub fn new(asked: Option<Level>) -> Result<Sandbox, Unreachable> {
        if let Some(level) = asked {
            return Sandbox::of(level);
        }
        let mut all = Unreachable { asked: None, missing: Vec::new(), install: Vec::new() };
        for level in [Level::A, Level::B, Level::C] {
            match Sandbox::of(level) {
                Ok(sandbox) => return Ok(sandbox),
                Err(not) => {
                    all.missing.extend(not.missing.into_iter().map(|what| format!("level {level}: {what}")));
                    all.install.extend(not.install);
                    all.install.dedup();
                }
            }
        }
        Err(all)
    }

    /// The level of its boxes.
    pub fn level(&self) -> Level {
        self.level
    }

    fn of(level: Level) -> Result<Sandbox, Unreachable> {
        adopt_orphans();
        first_cores();
        let root = rustix::process::geteuid().is_root();
        let mut sandbox = Sandbox {
            level,
            places: Places::of_this_host(),
            trees: None,
            bwrap: None,
            filters: None,
            users: None,
        };
        if level == Level::None {
            return Ok(sandbox);
        }
        let mut missing = Vec::new();
        let mut install = Vec::new();
        if level == Level::A && !root {
            missing.push("it needs root, for control groups".to_owned());
        }
        if level != Level::C {
            sandbox.bwrap = Bwrap::find();
            if sandbox.bwrap.is_none() {
                missing.push("bubblewrap is not installed".to_owned());
                install.push(BWRAP_INSTALL.to_owned());
            }
        } else if landlock_version() < confine::NEEDED {
            missing.push(format!(
                "landlock is too old or switched off (version {} of {})",
                landlock_version(),
                confine::NEEDED
            ));
        }
        let trees = Trees::find();
        let grouped = trees.memory().is_some() && trees.pids().is_some();
        if level == Level::A && root && !grouped {
            missing.push(format!("no control groups for memory and processes ({})", trees.why_not("memory")));
        }
        let sight = match level {
            Level::A | Level::B => Sight::Apart,
            _ if landlock_version() >= confine::SCOPES_SIGNALS => Sight::Scoped,
            _ => Sight::Open,
        };
        sandbox.filters = Filters::of(sight);
        if sandbox.filters.is_none() {
            missing.push("no list of system calls for this processor".to_owned());
        }
        sandbox.users = root.then(|| Arc::new(Users::new(level != Level::C)));
        let refused = |missing, install| Unreachable { asked: Some(level), missing, install };
        if !missing.is_empty() {
            return Err(refused(missing, install));
        }
        sandbox.trees = grouped.then_some(trees);
        let mut proven = sandbox.prove();
        if proven.is_err() && level != Level::A && sandbox.trees.is_some() {
            // Groups are a gift at the lower levels: perhaps it goes without.
            sandbox.trees = None;
            proven = sandbox.prove();
        }
        proven.map(|()| sandbox).map_err(|why| refused(vec![why], install))
    }

    /// Runs a program in a box and looks whether it has lost what it should.
    pub(crate) fn prove(&self) -> Result<(), String> {
        let program = Program { argv: vec!["cat".into(), "/proc/self/status".into()], ..Program::default() };
        let wall = Duration::from_secs(10);
        let ran = self.run(&program, &Limits::BOT, b"", wall, 1 << 16).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&ran.stdout);
        for (name, value) in [("CapEff:", "0000000000000000"), ("NoNewPrivs:", "1"), ("Seccomp:", "2")] {
            let found = text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
            if found != Some(value) {
                let said = String::from_utf8_lossy(&ran.stderr);
                return Err(format!("a box does not hold: {name} {found:?}, {}, {}", ran.exit, said.trim()));
            }
        }
        Ok(())
    }
}
