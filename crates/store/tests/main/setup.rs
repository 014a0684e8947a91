//! A small arena for tests: one contest, one game, a tier of trials and a rated tier, each with a boss.

use model::{ContestState, LadderKind, MatchId, Tier, UserId, VersionId};
use store::{
    Bot, BuildTurn, Built, Contest, EndedBuild, Ladder, Languages, Leased, MatchResult, NewContest, NewMatch,
    NewUser, NewVersion, PromotionRule, Recorded, Role, SeatResult, Store, User, Version,
};

pub(crate) const GAME: &str = "hypersonic";

pub(crate) struct Arena {
    pub(crate) store: Store,
    pub(crate) contest: Contest,
    /// Tier 0.
    pub(crate) trial: Ladder,
    /// Tier 1, for two and for four players.
    pub(crate) two: Ladder,
    pub(crate) four: Ladder,
    /// The bosses of the tiers.
    pub(crate) bosses: Vec<Bot>,
}

pub(crate) fn new_user(name: &str) -> NewUser {
    NewUser {
        name: name.to_owned(),
        email: None,
        password: "hash".to_owned(),
        role: Role::Player,
        lang: "en".to_owned(),
        must_change: false,
    }
}

impl Arena {
    pub(crate) async fn new(store: Store) -> Arena {
        let new = NewContest {
            key: "arena".to_owned(),
            title: "Arena".to_owned(),
            starts: None,
            ends: None,
            invited_only: false,
            settings: serde_json::json!({"games": []}),
            state: ContestState::Running,
        };
        let contest = store.ensure_contest(&new, 1).await.unwrap();
        let trial = store.ensure_ladder(contest.id, GAME, Tier(0), 2, LadderKind::Trial).await.unwrap();
        let two = store.ensure_ladder(contest.id, GAME, Tier(1), 2, LadderKind::Ladder).await.unwrap();
        let four = store.ensure_ladder(contest.id, GAME, Tier(1), 4, LadderKind::Ladder).await.unwrap();
        let mut bosses = Vec::new();
        for tier in [Tier(0), Tier(1)] {
            let name = format!("boss-{tier}");
            bosses.push(store.ensure_built_in_bot(contest.id, GAME, &name, &name, tier, 2).await.unwrap());
        }
        Arena { store, contest, trial, two, four, bosses }
    }

    pub(crate) async fn player(&self, name: &str) -> (User, Bot, Version) {
        let user = match self.store.user_by_name(name).await.unwrap() {
            Some(user) => user,
            None => self.store.create_user(&new_user(name), 3).await.unwrap(),
        };
        let version = self.store.submit(&self.submission(user.id), 4).await.unwrap();
        let taken = self.next_to_build(5).await.unwrap();
        assert_eq!(taken.id, version.id);
        let version = self.built(version.id, &Built::Ready(String::new()), 5).await;
        let bot = self.store.activate(version.id, 5).await.unwrap();
        (user, bot, version)
    }

    /// Leases the next version to a builder that knows all languages.
    pub(crate) async fn next_to_build(&self, now: i64) -> Option<Version> {
        let turn = BuildTurn { builder: "server/0", languages: Languages::Except(&[]), now, until: i64::MAX };
        self.store.next_to_build(&turn).await.unwrap()
    }

    /// Ends the build of a version.
    pub(crate) async fn built(&self, version: VersionId, built: &Built, now: i64) -> Version {
        let lease = self.store.version(version).await.unwrap().unwrap().lease.unwrap();
        let ended = EndedBuild { version, lease, builder: "server/0", built, program: None };
        self.store.built(&ended, now).await.unwrap().unwrap()
    }

    /// A player that is already in tier 1.
    pub(crate) async fn climber(&self, name: &str) -> (User, Bot, Version) {
        let (user, bot, version) = self.player(name).await;
        self.store.promote(bot.id, 6).await.unwrap();
        (user, self.store.bot(bot.id).await.unwrap().unwrap(), version)
    }

    pub(crate) fn submission(&self, user: UserId) -> NewVersion {
        NewVersion {
            contest_id: self.contest.id,
            game: GAME.to_owned(),
            user_id: user,
            language: "python".to_owned(),
            source: "print('WAIT')".to_owned(),
            activate: true,
        }
    }

    pub(crate) async fn enqueue(&self, ladder: &Ladder, seats: &[VersionId], round: i64) -> MatchId {
        let new = NewMatch { ladder_id: ladder.id, seed: 7, seats: seats.to_vec(), priority: 0, round };
        self.store.enqueue(&new, 10).await.unwrap()
    }

    /// Queues a match, leases it, and records the ranks of its seats.
    pub(crate) async fn play(&self, ladder: &Ladder, seats: &[VersionId], ranks: &[i64]) -> Recorded {
        self.enqueue(ladder, seats, 1).await;
        let leased = self.store.lease("w", 20, 30).await.unwrap().unwrap();
        self.record(&leased, ranks).await
    }

    /// The same, with a promotion rule.
    pub(crate) async fn play_judged(
        &self,
        ladder: &Ladder,
        seats: &[VersionId],
        ranks: &[i64],
        judge: PromotionRule<'_>,
    ) -> Recorded {
        self.enqueue(ladder, seats, 1).await;
        let leased = self.store.lease("w", 20, 30).await.unwrap().unwrap();
        self.store.record(leased.id, leased.token, &result(ranks), judge).await.unwrap()
    }

    /// The log has `matches` results, and the stored standings are their fold.
    pub(crate) async fn sound(&self, matches: i64) {
        let checked = self.store.recompute(true, &|_, _| ()).await.unwrap();
        assert_eq!((checked.matches, checked.different), (matches, 0), "{checked:?}");
    }

    pub(crate) async fn record(&self, leased: &Leased, ranks: &[i64]) -> Recorded {
        self.store.record(leased.id, leased.token, &result(ranks), &|_| Vec::new()).await.unwrap()
    }
}

pub(crate) fn result(ranks: &[i64]) -> MatchResult {
    MatchResult {
        seats: ranks
            .iter()
            .map(|&rank| SeatResult { score: 10 - rank, rank, cause: None, details: None, side_quest: None })
            .collect(),
        ending: serde_json::json!({"reason": "turn-limit"}),
        record: None,
        finished: 25,
        worker: None,
    }
}
