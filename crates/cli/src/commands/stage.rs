//! The viewer of a match that is being played: `agon play --watch`.

use std::cell::Cell;
use std::sync::Arc;

use game::text::safe_text;
use play::{MatchPlan, Watcher};
use referee::{Cause, Ending, Referee};
use replay::{AnswerMeta, Live};
use viewer::{ReplayList, Server};

use crate::Failure;
use crate::commands::play::LONGEST_LINE;
use crate::commands::watch::{self, PageArgs};
use crate::output::note;

/// A match that is shown in the browser.
pub(crate) struct Stage {
    live: Live,
    server: Server,
    /// Number of answers that were sent to the page.
    sent: Cell<usize>,
}

impl Stage {
    /// Opens the viewer and prints its address. `again` is the command that plays the match again.
    pub(crate) fn open(page: &PageArgs, plan: &MatchPlan<'_>, again: &str) -> Result<Stage, Failure> {
        let names: Vec<String> = plan.bots.iter().map(|bot| bot.name.clone()).collect();
        let live =
            Live::new(plan.game, plan.selected, plan.seed, &names, Some(safe_text(again, LONGEST_LINE)))?;
        let replays = Arc::new(ReplayList::new());
        let id = replays.add_live(live.clone());
        let server = watch::serve(replays, page)?;
        let address = watch::address(&server, Some(id));
        note(&format!("watch it at {address}"));
        watch::open(page, &address);
        Ok(Stage { live, server, sent: Cell::new(0) })
    }

    /// Shows the match from its start again, because it is repeated.
    pub(crate) fn restart(&self) {
        self.sent.set(0);
        self.live.restart();
    }

    fn tell(&self, referee: &Referee) {
        let log = referee.log();
        for entry in log.iter().skip(self.sent.replace(log.len())) {
            let wall_us = Some(entry.wall.as_micros() as u64);
            let aside = AnswerMeta { wall_us, stderr: entry.stderr.clone() };
            self.live.answered(entry.seat, entry.output.as_deref(), &aside);
        }
    }

    /// Ends the replay.
    pub(crate) fn close(&self, ending: &Ending) {
        match ending {
            Ending::Void { why } => self.live.finish(Vec::new(), Some(why.clone())),
            Ending::Over { causes, .. } => {
                let name = |cause: &Option<Cause>| cause.as_ref().map(|cause| cause.name().to_owned());
                self.live.finish(causes.iter().map(name).collect(), None);
            }
        }
    }

    /// Serves the match until the program is stopped.
    pub(crate) fn stay(self) -> ! {
        note("the viewer goes on until Ctrl-C");
        self.server.serve_for_ever()
    }
}

/// Forwards the match to the page and to another observer.
pub(crate) struct Audience<'a, W> {
    pub(crate) watcher: &'a mut W,
    pub(crate) stage: Option<&'a Stage>,
}

impl<W: Watcher> Watcher for Audience<'_, W> {
    fn answered(&mut self, referee: &Referee) {
        self.watcher.answered(referee);
        if let Some(stage) = self.stage {
            stage.tell(referee);
        }
    }
}
