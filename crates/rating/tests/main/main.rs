//! The numbers against published ones, against simulated bots of known strength, and against odd input.

mod extremes;
mod honesty;
mod order;
mod pools;
mod published;
mod sequential;
mod simulate;
