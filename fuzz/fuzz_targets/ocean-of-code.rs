//! Any bytes as an answer: read without a panic, written back the same, played without a panic.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| game::battery::fuzz_parser::<ocean_of_code::OceanOfCode>(data));
