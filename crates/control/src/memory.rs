//! How much memory there is.

/// Where the system does not tell, in bytes.
const UNTOLD: u64 = 4 << 30;

/// Bytes of memory that the machine has, or this process's group of it; 4 GiB when the system does not tell.
#[must_use]
pub fn total() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return UNTOLD };
    system.refresh_memory();
    let all = system.total_memory();
    system.cgroup_limits().map_or(all, |limits| limits.total_memory.min(all))
}

/// Bytes of memory that a model may take: three quarters of what is free now, or 4 GiB when the system does not tell.
#[must_use]
pub fn for_models() -> u64 {
    let Ok(mut system) = sysinfo::System::new() else { return UNTOLD };
    system.refresh_memory();
    let free = system.available_memory();
    let free = system.cgroup_limits().map_or(free, |limits| limits.free_memory.min(free));
    free / 4 * 3
}
