//! What the measurements were made on and with.

use std::fs;
use std::process::Command;

use serde_json::{Map, Value, json};

use super::rivals::Packages;
use crate::steps::{output, root};

/// Describes machine and versions; what cannot be found out is `null`.
pub fn describe(with: Option<Packages>) -> Value {
    let mut versions = Map::new();
    versions.insert("twinsift".into(), env!("CARGO_PKG_VERSION").into());
    let packages = with.and_then(|packages| packages.versions().ok());
    for (name, version) in packages.unwrap_or_default() {
        versions.insert(name, version.into());
    }
    let git = |arguments: &[&str]| {
        let root = root().ok()?;
        output(Command::new("git").current_dir(root).args(arguments)).ok()
    };
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    json!({
        "processor": field("/proc/cpuinfo", "model name"),
        "cores": std::thread::available_parallelism().ok().map(usize::from),
        "memory": field("/proc/meminfo", "MemTotal"),
        "system": fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|text| text.trim().to_owned()),
        "rustc": output(Command::new("rustc").arg("--version")).ok(),
        "commit": git(&["rev-parse", "--short=12", "HEAD"]),
        "commit_is_clean": changed.map(|text| text.is_empty()),
        "versions": versions,
    })
}

/// The value of the first line `name : value` in a file of the kernel's.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}
