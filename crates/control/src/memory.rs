//! Total and available memory.

/// Memory size assumed if the system does not report one, in bytes.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Returns the memory of the machine, or the limit of the control group of this process if it is smaller, in
/// bytes.
///
/// Returns 4 GiB if the system does not report it.
#[must_use]
pub fn total() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return DEFAULT_MEMORY };
    system.refresh_memory();
    let all = system.total_memory();
    system.cgroup_limits().map_or(all, |limits| limits.total_memory.min(all))
}

/// Returns the memory that a model may take, which is three quarters of the memory available now, in bytes.
///
/// Returns 4 GiB if the system does not report it.
#[must_use]
pub fn for_models() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return DEFAULT_MEMORY };
    system.refresh_memory();
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| limits.free_memory.min(free));
    free / 4 * 3
}
