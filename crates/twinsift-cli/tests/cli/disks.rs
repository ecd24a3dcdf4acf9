//! Disks that are full or may not be written to: nothing half written, and what
//! was there before stays.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::Folder;
use super::texts::{copies, strangers};

/// A small disk in memory, mounted in a test's folder.
struct Disk {
    path: PathBuf,
}

impl Disk {
    /// Mounts it as `name`; that needs rights which not everyone has.
    fn mount(folder: &Folder, name: &str, options: &str) -> Option<Self> {
        let path = folder.path(name);
        fs::create_dir_all(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "twinsift-test"])
            .arg(&path)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self { path });
        }
        println!("not tested: a disk of its own cannot be mounted here");
        None
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.path).status();
    }
}

#[test]
fn survivors_on_a_full_disk() {
    let folder = Folder::with("a.jsonl", strangers(500));
    folder.add("pages/1.txt", "word ".repeat(40_000));
    folder.add("pages/2.jsonl", strangers(5));
    let Some(_disk) = Disk::mount(&folder, "disk", "size=64k") else {
        return;
    };
    folder.add("disk/old.jsonl", "old\n");
    let before = folder.list();
    for out in ["old.jsonl", "new.jsonl", "old.jsonl --removed gone.csv"] {
        let told = folder
            .run(&format!("dedup a.jsonl -o disk/{out}"))
            .refuses(1);
        let name = out.split(' ').next().unwrap();
        assert_eq!(
            told,
            format!("cannot write disk/{name}: No space left on device")
        );
    }
    let told = folder.run("dedup pages -o disk/pages").refuses(1);
    assert_eq!(
        told,
        "cannot write disk/pages/1.txt: No space left on device"
    );
    let told = folder.run("demo --out disk/demo.jsonl").refuses(1);
    assert_eq!(
        told,
        "cannot write disk/demo.jsonl: No space left on device"
    );
    assert_eq!(folder.list(), before);
    assert_eq!(folder.text("disk/old.jsonl"), "old\n");
}

#[test]
fn rows_on_a_full_disk() {
    let folder = Folder::with("a.jsonl", copies(400));
    let Some(_disk) = Disk::mount(&folder, "disk", "size=64k") else {
        return;
    };
    folder.add("disk/old.csv", "old\n");
    folder.add("disk/old.parquet", "old\n");
    let before = folder.list();
    for name in ["old.csv", "new.jsonl", "new.tsv.gz", "old.parquet"] {
        let ran = folder.run(&format!("pairs a.jsonl -o disk/{name}"));
        // What packs well may fit.
        if ran.code == Some(0) && name != "old.csv" && name != "new.jsonl" {
            fs::write(folder.path("disk").join(name), "old\n").unwrap();
            continue;
        }
        let told = ran.refuses(1);
        assert_eq!(
            told,
            format!("cannot write disk/{name}: No space left on device")
        );
        assert_eq!(folder.list(), before);
    }
    assert_eq!(folder.text("disk/old.csv"), "old\n");
    assert_eq!(folder.text("disk/old.parquet"), "old\n");
}

#[test]
fn the_list_of_what_went_on_a_full_disk() {
    let folder = Folder::with("a.jsonl", copies(9000));
    let Some(_disk) = Disk::mount(&folder, "disk", "size=64k") else {
        return;
    };
    let told = folder
        .run("dedup a.jsonl -o out.jsonl --removed disk/gone.csv")
        .refuses(1);
    assert_eq!(told, "cannot write disk/gone.csv: No space left on device");
    assert_eq!(folder.list(), ["a.jsonl", "disk/"]);
}

#[test]
fn temporary_data_on_a_full_disk() {
    let folder = Folder::with("a.jsonl", strangers(4000));
    let Some(_disk) = Disk::mount(&folder, "disk", "size=64k") else {
        return;
    };
    for line in [
        "pairs a.jsonl --memory 1M --tmp disk -o rows.csv",
        "dedup a.jsonl --memory 1M --tmp disk -o out.jsonl",
    ] {
        let told = folder.run(line).refuses(1);
        assert_eq!(
            told,
            "cannot keep temporary data in disk: No space left on device; free some space there, or name another folder with --tmp"
        );
        assert_eq!(folder.list(), ["a.jsonl", "disk/"]);
    }
    let told = folder
        .run_on("dedup - -o out.jsonl --tmp disk", &folder.read("a.jsonl"))
        .refuses(1);
    assert_eq!(
        told,
        "cannot keep standard input in disk: No space left on device"
    );
    assert_eq!(folder.list(), ["a.jsonl", "disk/"]);
    // With room elsewhere it works.
    folder.run("pairs a.jsonl --memory 1M").ok();
}

#[test]
fn a_disk_that_may_not_be_written_to() {
    let folder = Folder::with("a.jsonl", strangers(5));
    let Some(_disk) = Disk::mount(&folder, "disk", "size=64k,ro") else {
        return;
    };
    for (line, name) in [
        ("pairs a.jsonl -o disk/rows.csv", "disk/rows.csv"),
        ("clusters a.jsonl -o disk/rows.parquet", "disk/rows.parquet"),
        ("dedup a.jsonl -o disk/out.jsonl", "disk/out.jsonl"),
        (
            "dedup a.jsonl -o out.jsonl --removed disk/gone.csv",
            "disk/gone.csv",
        ),
        (
            "demo --documents 5 --out disk/demo.jsonl",
            "disk/demo.jsonl",
        ),
    ] {
        let told = folder.run(line).refuses(1);
        assert_eq!(told, format!("cannot write {name}: Read-only file system"));
    }
    assert_eq!(folder.list(), ["a.jsonl", "disk/"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("a.jsonl", strangers(5));
    fs::create_dir(folder.path("closed")).unwrap();
    let set = |mode| fs::set_permissions(folder.path("closed"), fs::Permissions::from_mode(mode));
    set(0o555).unwrap();
    if fs::write(folder.path("closed/try"), "").is_ok() {
        println!("not tested: this user may write anywhere");
        return;
    }
    let told = folder.run("pairs a.jsonl -o closed/rows.csv").refuses(1);
    assert_eq!(told, "cannot write closed/rows.csv: Permission denied");
    let told = folder.run("dedup a.jsonl -o closed/out.jsonl").refuses(1);
    assert_eq!(told, "cannot write closed/out.jsonl: Permission denied");
    set(0o755).unwrap();
    assert_eq!(folder.list(), ["a.jsonl", "closed/"]);
}
