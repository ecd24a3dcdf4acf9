//! Messages about records that are too long.

/// A compressed source that grows by more than this is likely made to fill the memory:
/// texts and pages shrink to a tenth or a thirtieth.
const BOMB_RATIO: u64 = 100;

/// A size for people: `1.5 GB`.
fn show(bytes: u64) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"];
    let mut unit = 0;
    let mut value = bytes as f64;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} bytes"),
        _ if value.fract() < 0.05 => format!("{value:.0} {}", units[unit]),
        _ => format!("{value:.1} {}", units[unit]),
    }
}

/// More than so many bytes out of `packed` ones are a bomb.
pub(super) fn bomb_size(packed: u64) -> u64 {
    packed.saturating_mul(BOMB_RATIO)
}

/// Why a record is skipped that has `length` bytes where only `longest` are allowed. They
/// came out of `packed` bytes of compressed data, if out of any; of a bomb, only the
/// beginning is unpacked.
pub(super) fn too_long(length: u64, longest: usize, packed: Option<u64>) -> String {
    reason("it has", length, longest, packed)
}

/// The same of a body that has `length` bytes once it is unpacked.
pub(super) fn unpacked_too_long(packed: usize, length: u64, longest: usize) -> String {
    let packed = packed as u64;
    let begin = format!("its body of {} unpacks to", show(packed));
    reason(&begin, length, longest, Some(packed))
}

fn reason(begin: &str, length: u64, longest: usize, packed: Option<u64>) -> String {
    let bomb = packed.filter(|&packed| length > bomb_size(packed));
    let at_least = if bomb.is_some() { " at least" } else { "" };
    let reason = format!(
        "{begin}{at_least} {}, and a document may have {} (--max-document)",
        show(length),
        show(longest as u64)
    );
    match bomb {
        Some(packed) => {
            format!(
                "{reason}; {} that grow so much are a decompression bomb",
                show(packed)
            )
        }
        None => reason,
    }
}
