//! Placeholder.
mod rules;
pub use rules::Rules;
