//! Tests without a database and without a clock.

mod ladders;
