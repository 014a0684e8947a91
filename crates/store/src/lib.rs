//! What is kept: users, bots, matches and ratings, on SQLite and on PostgreSQL. Nobody else knows SQL.
