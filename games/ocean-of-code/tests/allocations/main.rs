//! A step allocates nothing. A test program of its own, since it counts every allocation.

#[global_allocator]
static ALLOCATOR: game::battery::CountingAllocator = game::battery::CountingAllocator;

#[test]
fn a_step_allocates_nothing() {
    game::battery::check_allocations::<ocean_of_code::OceanOfCode>();
}
