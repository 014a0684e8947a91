//! What everybody asks: the site, boards, matches, bots, contests, tables, events.

use utoipa_axum::router::OpenApiRouter;

use crate::{App, accounts, admin};

/// Everything below `/api/v1`.
#[expect(dead_code, reason = "served once the store and the hall are there")]
pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(accounts::routes()).merge(admin::routes())
}
