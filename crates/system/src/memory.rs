//! Total and available memory, and limits on it.

use std::io;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

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

/// Limits the memory that this process allocates to `bytes`, or to a smaller limit that is already set.
/// Returns the smallest of these limits in bytes.
///
/// The process and its child processes may raise the limit again. A system that does not support it is
/// ignored. Must be called before the process starts threads that allocate.
pub fn limit(bytes: u64) -> u64 {
    let (soft, hard) = getrlimit(Resource::RLIMIT_DATA).unwrap_or((u64::MAX, u64::MAX));
    let addresses = address_space_limit();
    if addresses != nix::libc::RLIM_INFINITY {
        use_one_arena();
    }
    let allowed = bytes.min(soft).min(addresses);
    let _ = setrlimit(Resource::RLIMIT_DATA, allowed, hard);
    allowed
}

/// Limits the memory that this process and its child processes allocate to `bytes`, or to the limit that is
/// already set if it is smaller. The limit cannot be raised again. Reserved address space does not count.
///
/// # Errors
/// Returns an error if the system does not accept the limit.
pub fn limit_permanently(bytes: u64) -> io::Result<()> {
    let bytes = bytes.min(getrlimit(Resource::RLIMIT_DATA)?.1);
    Ok(setrlimit(Resource::RLIMIT_DATA, bytes, bytes)?)
}

/// Returns the limit on the address space of this process in bytes; [`u64::MAX`] without a limit. Does not
/// allocate.
#[must_use]
pub fn address_space_limit() -> u64 {
    getrlimit(Resource::RLIMIT_AS).map_or(u64::MAX, |(soft, _)| soft)
}

/// Makes all threads allocate from one arena: each arena of glibc reserves 64 MiB of addresses, which fails
/// slowly and repeatedly under a limit on them.
#[allow(unsafe_code, reason = "nix has no function that sets an option of the allocator")]
fn use_one_arena() {
    #[cfg(target_env = "gnu")]
    // SAFETY: no other thread allocates yet.
    unsafe {
        nix::libc::mallopt(nix::libc::M_ARENA_MAX, 1);
    }
}
