//! What becomes of an output when something goes wrong with it.

use std::fs;
use std::path::{Path, PathBuf};

use twinsift_io::{Format, Inputs, ReadOptions, RewriteError, SurvivorWriter};

use super::Files;

/// Copies all of the inputs to `out`.
fn copy(inputs: &Inputs, mut out: SurvivorWriter) -> Result<(), RewriteError> {
    for index in 0..inputs.sources().len() {
        inputs.copy_without(index, &[], &mut out)?;
    }
    out.finish()
}

fn open(path: PathBuf) -> Inputs {
    Inputs::open(&[path], ReadOptions::default()).unwrap()
}

/// The words a survivor file of this name is refused with.
fn refused(path: &str, format: Format) -> String {
    let refused = SurvivorWriter::file(Path::new(path), format).err();
    refused.unwrap().to_string()
}

#[test]
fn a_name_of_another_format_is_refused() {
    let cases = [
        ("x.parquet", Format::Jsonl, "JSON lines", "x.jsonl"),
        ("a/x.CSV", Format::Jsonl, "JSON lines", "a/x.jsonl"),
        ("x.csv.gz", Format::Jsonl, "JSON lines", "x.jsonl.gz"),
        ("x.jsonl", Format::Json, "JSON", "x.json"),
        ("v1.0.tsv", Format::Csv, "CSV", "v1.0.csv"),
        ("x.jsonl.zst", Format::Parquet, "Parquet", "x.parquet"),
        ("x.txt", Format::Warc, "WARC", "x.warc"),
    ];
    for (name, format, words, better) in cases {
        assert_eq!(
            refused(name, format),
            format!(
                "cannot write {name}: the survivors are {words} like the inputs: \
                 name the output {better}"
            )
        );
    }
    assert_eq!(
        refused("x.parquet.gz", Format::Parquet),
        "cannot write x.parquet.gz: Parquet is compressed inside; end the name in .parquet"
    );
}

#[test]
fn a_name_of_no_other_format_will_do() {
    let files = Files::new();
    let lines = "{\"text\":\"a\"}\n{\"text\":\"b\"}\n";
    let inputs = open(files.add("a.jsonl", lines));
    for name in ["x", "x.ndjson", "x.out", "x.v2", "x.json"] {
        let out = files.path(name);
        copy(&inputs, SurvivorWriter::file(&out, Format::Jsonl).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&out).unwrap(), lines, "{name}");
    }
}

#[test]
fn an_old_file_stays_until_the_new_one_is_whole() {
    let files = Files::new();
    let out = files.add("o.jsonl", "old");
    let inputs = open(files.add("a.jsonl", "{\"text\":\"a\"}\n"));
    let mut survivors = SurvivorWriter::file(&out, Format::Jsonl).unwrap();
    inputs.copy_without(0, &[], &mut survivors).unwrap();
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    drop(survivors);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old");
    assert_eq!(fs::read_dir(files.folder.path()).unwrap().count(), 2);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_without_a_source_is_still_parquet() {
    let files = Files::new();
    let out = files.path("o.parquet");
    let survivors = SurvivorWriter::file(&out, Format::Parquet).unwrap();
    survivors.finish().unwrap();
    let bytes = fs::read(&out).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{File, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::process::{Command, Stdio};

    use twinsift_io::write::{Column, Kind, Table, Value};
    use twinsift_io::{AtomicFile, WriteError};

    use super::*;

    /// Writes to a path, or says why not.
    type Way<'a> = &'a dyn Fn(&Path) -> Result<(), String>;

    /// Lines that do not compress, more than a small disk holds.
    fn many_lines() -> String {
        let mut state = 1_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut line = |_| {
            format!(
                "{{\"text\":\"{:016x}{:016x}{:016x}\"}}\n",
                next(),
                next(),
                next()
            )
        };
        (0..60_000).map(&mut line).collect()
    }

    fn fill_table(path: &Path) -> Result<(), WriteError> {
        let lines = many_lines();
        let mut table = Table::create(Some(path), &[Column::new("text", Kind::Text)])?;
        for line in lines.lines() {
            table.row(&[Value::Text(line)])?;
        }
        table.finish()
    }

    fn fill_file(path: &Path) -> Result<(), WriteError> {
        let mut file = AtomicFile::create(path)?;
        for line in many_lines().lines() {
            file.put(line.as_bytes())?;
        }
        file.finish()
    }

    #[test]
    fn a_full_device_is_one_sentence() {
        let files = Files::new();
        let full = Path::new("/dev/full");
        let message = "cannot write /dev/full: No space left on device";
        // Too little to fill a buffer: it comes out at the end.
        let inputs = open(files.add("a.jsonl", "{\"text\":\"a\"}\n"));
        let out = SurvivorWriter::file(full, Format::Jsonl).unwrap();
        assert_eq!(copy(&inputs, out).unwrap_err().to_string(), message);
        // So much that it comes out on the way.
        let inputs = open(files.add("b.jsonl", many_lines()));
        let mut out = SurvivorWriter::file(full, Format::Jsonl).unwrap();
        let error = inputs.copy_without(0, &[], &mut out).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(fill_table(full).unwrap_err().to_string(), message);
        assert_eq!(fill_file(full).unwrap_err().to_string(), message);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn rows_on_a_full_device_are_the_same_sentence() {
        use crate::parquet::{strings, table};
        let files = Files::new();
        let inputs = open(files.add("a.parquet", table(vec![("text", strings(&["a"]))])));
        let out = files.path("o.parquet");
        std::os::unix::fs::symlink("/dev/full", &out).unwrap();
        let survivors = SurvivorWriter::file(&out, Format::Parquet).unwrap();
        assert_eq!(
            copy(&inputs, survivors).unwrap_err().to_string(),
            format!("cannot write {}: No space left on device", out.display())
        );
    }

    #[test]
    fn a_closed_pipe_can_be_told_from_an_error() {
        let files = Files::new();
        let inputs = open(files.add("a.jsonl", many_lines()));
        for name in ["o.jsonl", "o.jsonl.gz"] {
            let out = files.path(name);
            assert!(Command::new("mkfifo").arg(&out).status().unwrap().success());
            let reader = {
                let out = out.clone();
                std::thread::spawn(move || drop(File::open(out)))
            };
            let survivors = SurvivorWriter::file(&out, Format::Jsonl).unwrap();
            reader.join().unwrap();
            let error = copy(&inputs, survivors).unwrap_err();
            assert!(
                matches!(error, RewriteError::Write(WriteError::ClosedPipe)),
                "{name}: {error:?}"
            );
        }
    }

    #[test]
    fn a_folder_that_may_not_be_written_to_is_one_sentence() {
        let files = Files::new();
        if fs::metadata(files.folder.path()).unwrap().uid() == 0 {
            println!("skipped: the superuser may write anywhere");
            return;
        }
        fs::create_dir(files.path("in")).unwrap();
        fs::set_permissions(files.path("in"), Permissions::from_mode(0o555)).unwrap();
        let out = files.path("in/o.jsonl");
        let message = format!("cannot write {}: Permission denied", out.display());
        let refused = SurvivorWriter::file(&out, Format::Jsonl).err().unwrap();
        assert_eq!(refused.to_string(), message);
        assert_eq!(AtomicFile::create(&out).err().unwrap().to_string(), message);
        assert_eq!(Table::check(Some(&out)).unwrap_err().to_string(), message);
    }

    /// A disk of one mebibyte, for as long as it is held.
    struct SmallDisk {
        files: Files,
    }

    impl SmallDisk {
        /// `None` where the system does not let us have one.
        fn new() -> Option<Self> {
            let files = Files::new();
            let mounted = Command::new("mount")
                .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
                .arg(files.folder.path())
                .stderr(Stdio::null())
                .status();
            match mounted {
                Ok(status) if status.success() => Some(Self { files }),
                _ => None,
            }
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.files.folder.path()).unwrap();
            let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
            let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
            names.sort();
            names
        }
    }

    impl Drop for SmallDisk {
        fn drop(&mut self) {
            // Nothing more can be done if it will not go.
            let _ = Command::new("umount")
                .arg(self.files.folder.path())
                .status();
        }
    }

    #[test]
    fn a_full_disk_leaves_the_old_file_and_nothing_else() {
        let Some(disk) = SmallDisk::new() else {
            println!("skipped: no small disk can be mounted here");
            return;
        };
        let files = Files::new();
        let inputs = open(files.add("a.jsonl", many_lines()));
        let survive = |path: &Path| match SurvivorWriter::file(path, Format::Jsonl) {
            Ok(out) => copy(&inputs, out).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let table = |path: &Path| fill_table(path).map_err(|error| error.to_string());
        let file = |path: &Path| fill_file(path).map_err(|error| error.to_string());
        let mut ways: Vec<(&str, Way<'_>)> = vec![
            ("x.jsonl", &survive),
            ("x.jsonl.gz", &survive),
            ("x.csv", &table),
            ("x.jsonl", &table),
            ("x.jsonl.zst", &table),
            ("x.html", &file),
        ];
        if cfg!(feature = "parquet") {
            ways.push(("x.parquet", &table));
        }
        for (name, write) in ways {
            let path = disk.files.add(name, "old");
            assert_eq!(
                write(&path),
                Err(format!(
                    "cannot write {}: No space left on device",
                    path.display()
                ))
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), "old", "{name}");
            assert_eq!(disk.names(), [name]);
            fs::remove_file(&path).unwrap();
        }
        let path = disk.files.path("out");
        let message = copy(&inputs, SurvivorWriter::folder(&path).unwrap()).unwrap_err();
        assert_eq!(
            message.to_string(),
            format!(
                "cannot write {}: No space left on device",
                path.join("a.jsonl").display()
            )
        );
        assert!(disk.names().is_empty());
    }
}
