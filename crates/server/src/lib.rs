//! The site: HTTP API, live events, accounts, pages.
