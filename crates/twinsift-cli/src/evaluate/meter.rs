//! What a method costs: time, processor time, memory.
//!
//! Memory is what the process took at most, less what it held when the method
//! began (the documents). The system's own account is asked, so the figure
//! includes what the allocator keeps back; that is given to the system first.
//! Only Linux tells the highest mark of one stretch of time; elsewhere memory is
//! left out.

use std::time::Instant;

/// A running measurement.
pub struct Meter {
    started: Instant,
    cpu: Option<f64>,
    resident: Option<f64>,
}

/// What was measured.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub seconds: f64,
    pub cpu_seconds: Option<f64>,
    pub peak_mb: Option<f64>,
}

impl Meter {
    pub fn start() -> Self {
        give_back_memory();
        // Sets the highest mark to what is held now.
        let reset = std::fs::write("/proc/self/clear_refs", "5");
        Self {
            resident: reset.ok().and_then(|()| megabytes("VmRSS:")),
            cpu: cpu_seconds(),
            started: Instant::now(),
        }
    }

    pub fn stop(self) -> Cost {
        let seconds = self.started.elapsed().as_secs_f64();
        let since = |now: Option<f64>, then: Option<f64>| Some((now? - then?).max(0.0));
        Cost {
            seconds,
            cpu_seconds: since(cpu_seconds(), self.cpu),
            peak_mb: since(megabytes("VmHWM:"), self.resident),
        }
    }
}

/// A figure of this process's own status.
fn megabytes(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0 / 1e6)
}

#[cfg(unix)]
fn cpu_seconds() -> Option<f64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the system fills the structure that it is given, or says it did not.
    let usage = unsafe {
        match libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) {
            0 => usage.assume_init(),
            _ => return None,
        }
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Some(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

#[cfg(not(unix))]
fn cpu_seconds() -> Option<f64> {
    None
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn give_back_memory() {
    // SAFETY: may be called at any time; it only releases what is free.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn give_back_memory() {}
