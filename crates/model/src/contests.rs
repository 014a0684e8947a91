//! The state of a contest, and the purposes of its ladders.

crate::words! {
    /// The state of a contest.
    ContestState {
        /// Not begun.
        Planned = "planned",
        /// Bots are accepted and play.
        Running = "running",
        /// No more bots are accepted; the best bots play the last matches.
        Final = "final",
        /// Over: the board is frozen.
        Closed = "closed",
    }
}

crate::words! {
    /// The purpose of a ladder.
    LadderKind {
        /// The rating list of a league.
        Ladder = "ladder",
        /// The best of five against the boss: counted, not rated.
        Trial = "trial",
        /// One match against the boss before a version counts: neither counted nor rated.
        Test = "test",
        /// The last matches of a contest, rated from the start.
        Final = "final",
    }
}

impl LadderKind {
    /// Whether its matches change ratings.
    pub fn rates(self) -> bool {
        matches!(self, LadderKind::Ladder | LadderKind::Final)
    }

    /// Whether its matches are counted in standings.
    pub fn counts(self) -> bool {
        self != LadderKind::Test
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_written() {
        for kind in [LadderKind::Ladder, LadderKind::Trial, LadderKind::Test, LadderKind::Final] {
            assert_eq!(kind.word().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.to_string());
        }
        let error = "open".parse::<ContestState>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "`open` is no ContestState: it must be one of planned running final closed"
        );
    }
}
