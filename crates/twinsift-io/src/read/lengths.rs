//! What is said of records that are longer than records may be.

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
pub fn bomb_size(packed: u64) -> u64 {
    packed.saturating_mul(BOMB_RATIO)
}

/// Why a record is skipped that has `length` bytes, or more, where only `longest` are
/// allowed. They came out of `packed` bytes of compressed data, if out of any.
pub fn too_long(length: u64, longest: usize, packed: Option<u64>) -> String {
    let (length_shown, longest) = (show(length), show(longest as u64));
    let reason =
        format!("it has {length_shown}, and a document may have {longest} (--max-document)");
    match packed {
        Some(packed) if length > bomb_size(packed) => reason + &bomb(packed),
        _ => reason,
    }
}

/// The same of a body that has `length` bytes, or more, once it is unpacked.
pub fn unpacked_too_long(packed: usize, length: u64, longest: usize) -> String {
    let (packed, longest) = (packed as u64, show(longest as u64));
    let reason = format!(
        "its body of {} unpacks to {}, and a document may have {longest} (--max-document)",
        show(packed),
        show(length),
    );
    match length > bomb_size(packed) {
        true => reason + &bomb(packed),
        false => reason,
    }
}

fn bomb(packed: u64) -> String {
    format!(
        ", or more, out of {} of compressed data: it may be made to fill the memory",
        show(packed)
    )
}
