//! The lifecycle of a contest: planned, running, final, closed. Every step can be repeated, so a crash between steps is
//! harmless.

use std::sync::Arc;

use model::{ContestState, LadderKind, Tier, VersionId};
use store::NewMatch;

use crate::GameLeagues;
use crate::cache::OpenContest;
use crate::events::Event;
use crate::matchmaking::final_tables;
use crate::scheduler::priority;
use crate::service::{Inner, lock, now_ms};

impl Inner {
    /// Reads the contests; a leader moves them to their next state when the time has come.
    pub(crate) async fn live_on(&self) -> store::Result<()> {
        let now = now_ms();
        let is_leader = self.leads();
        let contests = if is_leader { self.store.contests().await? } else { Vec::new() };
        for contest in contests {
            let begins = contest.starts.is_none_or(|starts| starts <= now);
            let ends = contest.ends.is_some_and(|ends| ends <= now);
            let next = match contest.state {
                ContestState::Planned if begins => ContestState::Running,
                ContestState::Running if ends => ContestState::Final,
                _ => continue,
            };
            self.move_on(contest.id, contest.state, next).await?;
        }
        for why in self.open_contests.read(&self.contests, &self.store, now).await? {
            self.trouble(why);
        }
        let open_contests = if is_leader { self.open_contests.all() } else { Vec::new() };
        for open in open_contests {
            if open.entry.contest.state == ContestState::Final && self.play_final(&open).await? {
                self.move_on(open.entry.contest.id, ContestState::Final, ContestState::Closed).await?;
            }
        }
        Ok(())
    }

    async fn move_on(&self, contest_id: i64, from: ContestState, to: ContestState) -> store::Result<()> {
        if self.store.set_contest_state(contest_id, from, to).await? {
            self.tell(Event::Contest { contest_id, state: to });
            self.look_again();
        }
        Ok(())
    }

    /// Continues the finals of a contest. Returns true when all are played.
    async fn play_final(&self, open: &Arc<OpenContest>) -> store::Result<bool> {
        // Only matches of the final are played from now on; running matches may end.
        self.store.cancel_of_contest(open.entry.contest.id).await?;
        let others = open.ladders.iter().map(|rated| &rated.ladder).chain(&open.trials);
        for ladder in others {
            if self.store.waiting_on(ladder.id).await? > 0 {
                return Ok(false);
            }
        }
        let mut over = true;
        for leagues in &open.entry.settings.games.0 {
            over &= self.play_final_of(open, leagues).await?;
        }
        Ok(over)
    }

    /// The final of a game: the best bots of the highest tier that players have reached, for each number of players
    /// it has.
    async fn play_final_of(&self, open: &OpenContest, leagues: &GameLeagues) -> store::Result<bool> {
        let _making = self.making.lock().await;
        let mut over = true;
        let mut reached = None;
        // From the highest tier down.
        for rated in open.ladders.iter().rev().filter(|rated| rated.ladder.game == leagues.game) {
            if reached.is_some_and(|tier| tier != rated.ladder.tier) {
                break;
            }
            let field = self.store.field(rated.ladder.id).await?;
            let players = field.iter().filter(|one| one.user_id.is_some() && !one.paused);
            let finalists: Vec<VersionId> =
                players.map(|one| one.version_id).take(open.entry.settings.finals.top as usize).collect();
            if finalists.is_empty() {
                continue;
            }
            reached = Some(rated.ladder.tier);
            over &= self
                .play_final_on(open, rated.ladder.tier, rated.ladder.players, leagues, &finalists)
                .await?;
        }
        Ok(over)
    }

    /// The final for a number of players: begins it if it has not begun. Returns true when it is over.
    async fn play_final_on(
        &self,
        open: &OpenContest,
        tier: Tier,
        players: i64,
        leagues: &GameLeagues,
        finalists: &[VersionId],
    ) -> store::Result<bool> {
        let contest = open.entry.contest.id;
        let ladder =
            self.store.ensure_ladder(contest, &leagues.game, tier, players, LadderKind::Final).await?;
        if self.store.waiting_on(ladder.id).await? > 0 {
            return Ok(false);
        }
        // Matches were played, and no match waits: the final is over.
        if self.store.field(ladder.id).await?.iter().any(|one| one.games > 0) {
            return Ok(true);
        }
        let mut seated = finalists.to_vec();
        let seats = usize::try_from(players).unwrap_or(2);
        if seated.len() >= 2 && seated.len() < seats {
            // Built-in bots fill the free seats.
            let built_in = self.store.built_in_bots(contest, &leagues.game).await?;
            let built_in =
                built_in.iter().filter(|bot| bot.tier == tier).filter_map(|bot| bot.active_version);
            seated.extend(built_in.take(seats - seated.len()));
        }
        let matches: Vec<NewMatch> = {
            let mut scheduler = lock(&self.scheduler);
            let tables = final_tables(
                &seated,
                u8::try_from(players).unwrap_or(2),
                open.entry.settings.finals.matches,
                &mut scheduler.dice,
            );
            let new = |seats| NewMatch {
                ladder_id: ladder.id,
                seed: scheduler.seed(),
                seats,
                priority: priority::FINAL,
                round: 0,
            };
            tables.into_iter().map(new).collect()
        };
        if matches.is_empty() {
            return Ok(true);
        }
        self.store.enqueue_all(&matches, now_ms()).await?;
        self.store.enlist(ladder.id, &seated).await?;
        Ok(false)
    }
}
