//! Titles, descriptions and pictures of the views of the site, for tabs and for previews on other sites. They contain public
//! data only.

use std::fmt::Write as _;
use std::sync::OnceLock;

use model::{BotId, MatchId};
use store::{MatchFilter, MatchList, MatchRow};

use super::convert::{self, may_see};
use crate::contests::ContestLookup as _;
use crate::extract::MaybeMe;
use crate::{ApiError, App};

/// The list of the pages of the site, which is the only one.
const PAGES: &str = include_str!("../../../../web/src/site/pages.ts");

/// The addresses of all views; `:name` stands for one part.
fn views() -> &'static [&'static str] {
    static VIEWS: OnceLock<Vec<&str>> = OnceLock::new();
    VIEWS.get_or_init(|| {
        let paths = PAGES.split("path: \"").skip(1).filter_map(|rest| rest.split('"').next());
        paths.filter(|path| path.starts_with('/') && *path != "/not-found").collect()
    })
}

/// What a view is about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Preview {
    /// The title; empty for the title of the site.
    title: String,
    about: String,
    /// A match whose picture is shown.
    picture: Option<MatchId>,
}

impl Preview {
    /// The elements in the head of the page.
    pub(crate) fn tags(&self, site: &str, address: &str, root: &str) -> String {
        let site = convert::name(site);
        let title = if self.title.is_empty() { site.clone() } else { format!("{} · {site}", self.title) };
        let mut tags = format!("<title>{}</title>", escape(&title));
        let mut add = |name: &str, value: &str| {
            let _ = write!(tags, "\n    <meta property=\"{name}\" content=\"{}\" />", escape(value));
        };
        add("og:type", "website");
        add("og:site_name", &site);
        add("og:title", &title);
        add("og:url", address);
        if !self.about.is_empty() {
            add("og:description", &self.about);
        }
        if let Some(id) = self.picture {
            add("og:image", &format!("{root}/api/v1/matches/{id}/picture.png"));
            tags.push_str("\n    <meta name=\"twitter:card\" content=\"summary_large_image\" />");
        }
        tags
    }
}

/// A text inside an HTML element or attribute.
fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut html, c| {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
        html
    })
}

/// Whether an address has the form of a view.
fn is_view(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    views().iter().any(|view| {
        let view: Vec<&str> = view.split('/').filter(|part| !part.is_empty()).collect();
        view.len() == parts.len()
            && view.iter().zip(&parts).all(|(name, part)| name.starts_with(':') || name == part)
    })
}

/// The preview of a view; `None` if there is no such view.
pub(crate) async fn preview(app: &App, me: &MaybeMe, path: &str) -> Result<Option<Preview>, ApiError> {
    if !is_view(path) {
        return Ok(None);
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        ["matches", id] | ["embed", "matches", id] => of_match(app, me, id).await,
        ["bots", id] => of_bot(app, id).await,
        ["users", name] => of_user(app, name).await,
        ["contests", key] => of_contest(app, key).await,
        ["games", name, ..] | ["leaderboard" | "submit" | "workshop", name] => of_game(app, name).await,
        _ => Ok(Some(Preview::default())),
    }
}

/// Whether the picture of a match may stand in a preview.
fn is_public(row: &MatchRow) -> bool {
    row.record.is_some() && may_see(row, None)
}

fn title_of(game: &str) -> String {
    catalog::find(game).map_or_else(|_| game.to_owned(), |game| game.info().title.to_owned())
}

async fn of_match(app: &App, me: &MaybeMe, id: &str) -> Result<Option<Preview>, ApiError> {
    let Ok(id) = id.parse() else { return Ok(None) };
    let Some(row) = app.store.match_row(MatchId(id)).await?.filter(|row| may_see(row, me.0.as_ref())) else {
        return Ok(None);
    };
    if !may_see(&row, None) {
        return Ok(Some(Preview::default()));
    }
    let names: Vec<String> = row.seats.iter().map(|seat| convert::name(&seat.name)).collect();
    let first: Vec<&String> =
        row.seats.iter().zip(&names).filter(|(seat, _)| seat.rank == Some(1)).map(|(_, name)| name).collect();
    let about = match first.as_slice() {
        [] => title_of(&row.game),
        [winner] => format!("{}: {winner} won", title_of(&row.game)),
        _ => format!("{}: a draw", title_of(&row.game)),
    };
    let picture = is_public(&row).then_some(row.id);
    Ok(Some(Preview { title: names.join(" – "), about, picture }))
}

/// The newest public match of a bot.
async fn newest_of(app: &App, bot: BotId) -> Result<Option<MatchId>, ApiError> {
    let rows = app.store.matches_of(bot, MatchFilter::All, None, 10).await?;
    Ok(rows.iter().find(|row| is_public(row)).map(|row| row.id))
}

async fn of_bot(app: &App, id: &str) -> Result<Option<Preview>, ApiError> {
    let Ok(id) = id.parse() else { return Ok(None) };
    let Some(bot) = app.store.bot(BotId(id)).await? else { return Ok(None) };
    let title = format!("{}, {}", convert::name(&bot.name), title_of(&bot.game));
    let about = format!("A bot for {}", title_of(&bot.game));
    Ok(Some(Preview { title, about, picture: newest_of(app, bot.id).await? }))
}

async fn of_user(app: &App, name: &str) -> Result<Option<Preview>, ApiError> {
    let Some(name) = decoded(name) else { return Ok(None) };
    let Some(user) = app.store.user_by_name(&name).await? else { return Ok(None) };
    let bots = app.store.bots_of_user(user.id).await?;
    let games: Vec<String> = bots.iter().map(|bot| title_of(&bot.game)).collect();
    let mut picture = None;
    for bot in bots.iter().take(5) {
        picture = picture.max(newest_of(app, bot.id).await?);
    }
    Ok(Some(Preview { title: convert::name(&user.name), about: games.join(", "), picture }))
}

async fn newest_in(
    app: &App,
    contest_id: Option<i64>,
    game: Option<String>,
) -> Result<Option<MatchId>, ApiError> {
    let list = MatchList { contest_id, game, limit: 5, ..MatchList::default() };
    Ok(app.store.recent(&list).await?.iter().find(|row| is_public(row)).map(|row| row.id))
}

async fn of_contest(app: &App, key: &str) -> Result<Option<Preview>, ApiError> {
    let Some(key) = decoded(key) else { return Ok(None) };
    let contests = app.contests().await?;
    let Ok(known) = contests.by_key(Some(&key)) else { return Ok(None) };
    let contest = &known.contest;
    let games: Vec<String> = known.settings.games.0.iter().map(|leagues| title_of(&leagues.game)).collect();
    let picture = newest_in(app, Some(contest.id), None).await?;
    Ok(Some(Preview { title: convert::name(&contest.title), about: games.join(", "), picture }))
}

async fn of_game(app: &App, name: &str) -> Result<Option<Preview>, ApiError> {
    let Ok(game) = catalog::find(name) else { return Ok(None) };
    let info = game.info();
    let picture = newest_in(app, None, Some(name.to_owned())).await?;
    Ok(Some(Preview { title: info.title.to_owned(), about: info.about.to_owned(), picture }))
}

/// A part of an address without percent signs; `None` if it is not valid.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_views_are_known() {
        for path in ["", "games", "games/hypersonic/kits", "matches/7", "users/a%20b", "embed/matches/7"] {
            assert!(is_view(path), "{path}");
        }
        for path in ["nowhere", "games/a/b/c", "wp-login.php", "not-found", "embed"] {
            assert!(!is_view(path), "{path}");
        }
    }

    #[test]
    fn names_cannot_add_elements() {
        let preview = Preview {
            title: "<script>alert(1)</script>\"'".to_owned(),
            about: "a & b".to_owned(),
            picture: Some(MatchId(7)),
        };
        let tags = preview.tags("Agon", "https://x.test/matches/7", "https://x.test");
        assert!(!tags.contains("<script") && !tags.contains("\"'"), "{tags}");
        assert!(tags.contains("a &amp; b") && tags.contains("https://x.test/api/v1/matches/7/picture.png"));
        assert!(!Preview::default().tags("Agon", "", "").contains("og:image"));
    }

    #[test]
    fn parts_of_addresses_are_decoded() {
        assert_eq!(decoded("a%20b").as_deref(), Some("a b"));
        assert_eq!(decoded("%C3%A9").as_deref(), Some("é"));
        assert_eq!(decoded("%f"), None);
        assert_eq!(decoded("%ff"), None);
    }
}
