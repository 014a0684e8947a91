//! The sandbox capabilities of this host, and starting a program with them.

use std::sync::Arc;
use std::time::Duration;

use crate::boxed::adopt_orphans;
use crate::bwrap::Bwrap;
use crate::cgroup::Trees;
use crate::confine;
use crate::error::Unreachable;
use crate::frame::Pool;
use crate::resolve::Places;
use crate::seccomp::{self, Filter, Sight};
use crate::spawn::landlock_version;
use crate::start::first_cores;
use crate::users::{self, Users};
use crate::{Level, Limits, Program};

/// The command that installs bubblewrap.
pub(crate) const BWRAP_INSTALL: &str = "apt-get install -y bubblewrap";

/// The sandbox capabilities of this host, determined once.
#[derive(Debug)]
pub struct Sandbox {
    pub(crate) level: Level,
    pub(crate) places: Places,
    /// Control groups, where there are any; level A always has them.
    pub(crate) trees: Option<Trees>,
    pub(crate) bwrap: Option<Bwrap>,
    pub(crate) filters: Option<Filters>,
    /// User ids for sandboxes, where we are root.
    pub(crate) users: Option<Arc<Users>>,
    /// Sandboxes that are used again, at level A.
    pub(crate) pool: Arc<Pool>,
    short_of: Vec<Unreachable>,
}

/// The seccomp filters of this level, with and without a writable folder.
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
    /// A sandbox of the requested level, or of the best level of this host; never silently weaker, and never
    /// [`Level::None`] unless requested. Each level is verified by running a program in it.
    ///
    /// From here on this process is the parent of orphans from its sandboxes.
    ///
    /// # Errors
    ///
    /// The missing parts of the requested level, and the commands that install them.
    pub fn new(asked: Option<Level>) -> Result<Sandbox, Unreachable> {
        if let Some(level) = asked {
            return Sandbox::of(level);
        }
        let mut short_of = Vec::new();
        for level in [Level::A, Level::B, Level::C] {
            match Sandbox::of(level) {
                Ok(mut sandbox) => {
                    sandbox.short_of = short_of;
                    return Ok(sandbox);
                }
                Err(not) => short_of.push(not),
            }
        }
        let mut all = Unreachable { asked: None, missing: Vec::new(), install: Vec::new() };
        for Unreachable { asked, missing, install } in short_of {
            let level = asked.map_or_else(String::new, |level| format!("level {level}: "));
            all.missing.extend(missing.into_iter().map(|what| level.clone() + &what));
            all.install.extend(install);
            all.install.dedup();
        }
        Err(all)
    }

    /// The level of its sandboxes.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The stronger levels that were tried first when no level was requested, and the parts that each of them lacks
    /// here.
    pub fn short_of(&self) -> &[Unreachable] {
        &self.short_of
    }

    /// The number of sandboxes that were made to be used again, so far.
    pub fn frames_made(&self) -> u64 {
        self.pool.made()
    }

    fn of(level: Level) -> Result<Sandbox, Unreachable> {
        adopt_orphans();
        first_cores();
        let mut sandbox = Sandbox {
            level,
            places: Places::of_this_host(),
            trees: None,
            bwrap: None,
            filters: None,
            users: None,
            pool: Arc::default(),
            short_of: Vec::new(),
        };
        if level == Level::None {
            return Ok(sandbox);
        }
        let mut not = Unreachable { asked: Some(level), missing: Vec::new(), install: Vec::new() };
        sandbox.equip(&mut not);
        if !not.missing.is_empty() {
            return Err(not);
        }
        let mut proven = sandbox.prove();
        if proven.is_err() && level != Level::A && sandbox.trees.is_some() {
            // Control groups are optional at the lower levels: try without them.
            sandbox.trees = None;
            proven = sandbox.prove();
        }
        match proven {
            Ok(()) => Ok(sandbox),
            Err(why) => {
                not.missing.push(why);
                if level != Level::C {
                    not.install.extend(forbidden_namespaces());
                }
                Err(not)
            }
        }
    }

    /// Sets up the mechanisms of its level, and collects the missing ones.
    fn equip(&mut self, not: &mut Unreachable) {
        let root = users::are_ours();
        if self.level == Level::A && !root {
            not.missing.push("it needs root, for control groups".to_owned());
        }
        if self.level == Level::C {
            if landlock_version() < confine::NEEDED {
                not.missing.push("this kernel has no landlock, or it is switched off".to_owned());
            }
        } else {
            self.bwrap = Bwrap::find();
            if self.bwrap.is_none() {
                not.missing.push("bubblewrap is not installed".to_owned());
                not.install.push(BWRAP_INSTALL.to_owned());
            }
        }
        let trees = Trees::find();
        let grouped = trees.memory().is_some() && trees.pids().is_some();
        if self.level == Level::A && root && !grouped {
            not.missing
                .push(format!("no control groups for memory and processes ({})", trees.why_not("memory")));
        }
        self.trees = grouped.then_some(trees);
        self.users = root.then(|| Arc::new(Users::new(self.level != Level::C)));
        self.filters = Filters::of(match self.level {
            Level::C if landlock_version() >= confine::SCOPES_SIGNALS => Sight::Scoped,
            Level::C => Sight::Open,
            _ => Sight::Apart,
        });
        if self.filters.is_none() {
            not.missing.push("no list of system calls for this processor".to_owned());
        }
    }

    /// Runs a program in a sandbox and checks that it has lost its rights.
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

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.pool.close();
    }
}

/// The commands that allow ordinary users to create namespaces, where the host forbids it.
fn forbidden_namespaces() -> Vec<String> {
    let switches = [
        ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
        ("kernel.unprivileged_userns_clone", "0", "1"),
        ("user.max_user_namespaces", "0", "10000"),
    ];
    let stands = |name: &str, value: &str| {
        let path = format!("/proc/sys/{}", name.replace('.', "/"));
        std::fs::read_to_string(path).is_ok_and(|found| found.trim() == value)
    };
    let forbidding = switches.into_iter().filter(|(name, bad, _)| stands(name, bad));
    forbidding.map(|(name, _, good)| format!("sysctl -w {name}={good}")).collect()
}
