//! The catalog's tests: golden traces, records, verification, simulation, statements, turns.

// Tests may assume.
#![allow(clippy::unwrap_used)]

mod batch;
mod golden;
mod levels;
mod old;
mod records;
mod simulation;
mod statements;
mod turns;
