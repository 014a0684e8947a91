//! Tests of drafts: an author plays code that is not submitted against chosen opponents. The matches wait in the queue of
//! tests, in which accounts take turns; the next test of the same bot supersedes them.

use model::{BotId, LadderKind, Tier, UserId, VersionId};
use store::{Bot, NewVersion, PlannedMatch, TestPlan, Version, VersionState};
use toolchain::Builtin;

use crate::cache::OpenContest;
use crate::link::News;
use crate::scheduler::{conflict, league_of, priority};
use crate::service::{ContestService, Inner, lock, now_ms};

/// The tier of built-in bots that play only in tests. It has no ladder, so they stand on no board.
const NO_TIER: Tier = Tier(-1);

/// Most matches of a test.
pub const MOST_TESTS: u8 = 20;

/// An opponent of a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestOpponent {
    /// The boss of the league.
    Boss,
    /// A built-in bot of the game.
    BuiltIn(String),
    /// A version of the author's own bot.
    Version(VersionId),
    /// The active version of a bot in the same league.
    Bot(BotId),
}

/// A test of a draft.
#[derive(Clone, Debug)]
pub struct DraftTest {
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The author.
    pub user_id: UserId,
    /// The programming language.
    pub language: String,
    /// The source.
    pub source: String,
    /// The opponents by seat, without the seat of the draft; if there are too few, they are repeated.
    pub opponents: Vec<TestOpponent>,
    /// The number of players; `None` for the first number of the league.
    pub players: Option<u8>,
    /// The seat of the draft; `None` for all seats in turn.
    pub seat: Option<u8>,
    /// The seed of the first match, the others count up from it; `None` for a random seed.
    pub seed: Option<i64>,
    /// The number of matches. With 0 the draft is built and nothing is superseded.
    pub matches: u8,
}

impl Inner {
    async fn opponent(
        &self,
        open: &OpenContest,
        own: &Bot,
        opponent: &TestOpponent,
    ) -> store::Result<VersionId> {
        match opponent {
            TestOpponent::Boss => {
                open.boss(&own.game, own.tier).ok_or_else(|| conflict("the league has no boss"))
            }
            TestOpponent::BuiltIn(name) => {
                let game = catalog::find(&own.game).map_err(|error| conflict(&error.to_string()))?;
                Builtin::find(name, Some(game)).map_err(|error| conflict(&error.to_string()))?;
                let bot = self
                    .store
                    .ensure_built_in_bot(
                        own.contest_id,
                        &own.game,
                        name,
                        model::title_of(&own.game, name),
                        NO_TIER,
                        now_ms(),
                    )
                    .await?;
                bot.active_version.ok_or_else(|| conflict("the built-in bot has no version"))
            }
            TestOpponent::Version(id) => {
                let found = self.store.version(*id).await?.filter(|one| one.bot_id == own.id);
                let found = found.filter(|one| !one.is_draft() && one.state == VersionState::Ready);
                found.map(|one| one.id).ok_or_else(|| conflict("you have no such version that is built"))
            }
            TestOpponent::Bot(id) => {
                let near = |bot: &Bot| {
                    bot.contest_id == own.contest_id && bot.game == own.game && bot.tier == own.tier
                };
                let found = self.store.bot(*id).await?.filter(near);
                let version = found.and_then(|bot| bot.active_version);
                version.ok_or_else(|| conflict("no such bot plays in your league"))
            }
        }
    }

    /// The matches of a test.
    async fn plan(&self, test: &DraftTest) -> store::Result<TestPlan> {
        let own = self.store.ensure_bot(test.contest_id, &test.game, test.user_id, now_ms()).await?;
        let open = self.running_page(test.contest_id)?;
        let league = league_of(&open, &own).ok_or_else(|| conflict("the bot's league is no more"))?;
        let players = test.players.unwrap_or(league.players[0]);
        if !league.players.contains(&players) {
            return Err(conflict("the league has no matches of this number of players"));
        }
        let seat = test.seat.or(league.seat);
        if seat.is_some_and(|seat| seat >= players) {
            return Err(conflict("there is no such seat"));
        }
        let mut others = Vec::with_capacity(test.opponents.len());
        for opponent in &test.opponents {
            others.push(self.opponent(&open, &own, opponent).await?);
        }
        if others.is_empty() {
            others.push(self.opponent(&open, &own, &TestOpponent::Boss).await?);
        }
        let ladder = self
            .store
            .ensure_ladder(own.contest_id, &own.game, own.tier, i64::from(players), LadderKind::Test)
            .await?;
        let first = test.seed.unwrap_or_else(|| lock(&self.scheduler).seed());
        let planned = |number: u8| {
            let own = seat.unwrap_or(number % players);
            let mut others = others.iter().copied().cycle();
            let seats = (0..players).map(|seat| if seat == own { None } else { others.next() }).collect();
            PlannedMatch { seed: first.wrapping_add(i64::from(number)), seats }
        };
        Ok(TestPlan {
            ladder_id: ladder.id,
            priority: priority::TEST,
            matches: (0..test.matches.min(MOST_TESTS)).map(planned).collect(),
        })
    }
}

impl ContestService {
    /// Builds a draft and plays its tests. They supersede those of the same bot that are not over.
    ///
    /// # Errors
    ///
    /// `Conflict` when the contest is not running or an opponent, a seat or a number of players does not exist; any error
    /// of the store.
    pub async fn test_draft(&self, test: &DraftTest) -> store::Result<Version> {
        let inner = self.inner();
        let plan = if test.matches == 0 { None } else { Some(inner.plan(test).await?) };
        let new = NewVersion {
            contest_id: test.contest_id,
            game: test.game.clone(),
            user_id: test.user_id,
            language: test.language.clone(),
            source: test.source.clone(),
            activate: false,
        };
        let (draft, superseded) = inner.store.draft(&new, plan.as_ref(), now_ms()).await?;
        inner.break_off(&superseded);
        if let Some(link) = &inner.link
            && !superseded.is_empty()
        {
            link.tell(News::Removed(superseded));
        }
        self.wake();
        Ok(draft)
    }
}
