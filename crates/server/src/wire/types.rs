//! Generates the TypeScript types of the API in `web/src/site/wire.ts`.

use ts_rs::{Config, TS};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/site/wire.ts");

#[allow(clippy::too_many_lines, reason = "it is a list")]
fn all() -> String {
    let config = &Config::new().with_large_int("number");
    let mut text = String::from(
        "// Made from the Rust types by `UPDATE=1 cargo test -p server --lib types`: do not edit.\n\n",
    );
    macro_rules! declare {
        ($($type:ident),* $(,)?) => {
            $(text += &["export ", &super::$type::decl(config), "\n"].concat();)*
        };
    }
    declare!(
        ErrorBody,
        ErrorInfo,
        Text,
        Done,
        Site,
        Signup,
        Counts,
        GameInfo,
        LimitsInfo,
        LeagueInfo,
        Way,
        LanguageInfo,
        Kit,
        SearchResults,
        SearchedBot,
        Me,
        Account,
        Role,
        SignupAsk,
        LoginAsk,
        MePatch,
        DeleteMe,
        ResetAsk,
        ResetRequest,
        NoticeInfo,
        TokenInfo,
        TokenAsk,
        TokenMade,
        Board,
        BoardRow,
        Tally,
        BotRef,
        SideQuestBoard,
        SideQuestRow,
        MatchPage,
        MatchInfo,
        MatchKind,
        MatchState,
        SeatInfo,
        MatchPageInfo,
        Watch,
        LiveMatch,
        HumanGameAsk,
        HumanGameLine,
        Submission,
        DraftTestAsk,
        VersionInfo,
        VersionState,
        VersionPage,
        BotCard,
        StandingInfo,
        BotPage,
        History,
        HistoryPoint,
        OpponentInfo,
        MapFeature,
        MapGroup,
        PromotionInfo,
        OwnBot,
        FightInfo,
        FightPage,
        HeadToHead,
        SeatResults,
        Trial,
        Profile,
        Badge,
        Contest,
        ContestState,
        ContestPage,
        TeamInfo,
        OwnTeam,
        TeamAsk,
        TeamJoin,
        Finale,
        JoinAsk,
        Overview,
        WorkerInfo,
        ClusterWorkers,
        ClusterWorker,
        ClusterWorkerState,
        WorkerReason,
        WorkerPatch,
        PausedBot,
        DoctorLine,
        UserPage,
        UserInfo,
        UserPatch,
        OneTimeLink,
        InvitationAsk,
        InvitationInfo,
        ContestAsk,
        ContestGameAsk,
        ContestPatch,
        BulkAsk,
        BulkLine,
        AnnouncementInfo,
        AnnouncementAsk,
        PictureAsk,
        PictureInfo,
        RecomputeAsk,
        Recompute,
        VoidInfo,
        AuditLine,
        LiveEvent,
    );
    text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}

#[test]
fn the_types_of_the_site_are_up_to_date() {
    let made = all();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(FILE, &made).expect("web/src/site can be written");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(kept == made, "web/src/site/wire.ts is out of date: UPDATE=1 cargo test -p server --lib types");
}
