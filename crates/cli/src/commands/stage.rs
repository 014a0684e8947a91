//! The viewer of a match that is being played: `agon play --watch`.

use std::sync::Arc;

use game::text::safe_text;
use play::{MatchPlan, Watcher};
use referee::{Cause, Ending, TurnLog};
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
        Ok(Stage { live, server })
    }

    /// Shows the match from its start again, because it is repeated.
    pub(crate) fn restart(&self) {
        self.live.restart();
    }

    /// Ends the replay.
    pub(crate) fn close(&self, ending: &Ending) {
        match ending {
            Ending::Void { why, .. } => self.live.finish(Vec::new(), Some(why.clone())),
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
    watcher: &'a mut W,
    live: Option<Live>,
}

impl<'a, W: Watcher> Audience<'a, W> {
    pub(crate) fn new(watcher: &'a mut W, stage: Option<&Stage>) -> Audience<'a, W> {
        Audience { watcher, live: stage.map(|stage| stage.live.clone()) }
    }
}

impl<W: Watcher> Watcher for Audience<'_, W> {
    fn began(&mut self) {
        self.watcher.began();
    }

    fn answered(&mut self, answer: &TurnLog) {
        self.watcher.answered(answer);
        if let Some(live) = &self.live {
            let wall_us = Some(answer.wall.as_micros() as u64);
            let aside = AnswerMeta { wall_us, stderr: answer.stderr.clone() };
            live.answered(answer.seat, answer.output.as_deref(), &aside);
        }
    }
}
