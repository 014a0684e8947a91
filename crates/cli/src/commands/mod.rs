//! One module per command.

pub(crate) mod bot;
pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod duel;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod import;
pub(crate) mod login;
pub(crate) mod logs;
pub(crate) mod map;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod play_match;
pub(crate) mod referee;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod series;
pub(crate) mod simulate;
pub(crate) mod stage;
pub(crate) mod statement;
pub(crate) mod status;
pub(crate) mod submit;
pub(crate) mod tournament;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod watch;
