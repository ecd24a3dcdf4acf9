//! Files, folders, Maildirs, and what is wrong with them.

use std::fs;

use twinsift_io::{Format, Inputs, ReadOptions};

use super::{Files, collect, read};

fn error(path: std::path::PathBuf) -> String {
    match Inputs::open(&[path], ReadOptions::default()) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_folder_is_its_files_in_the_order_of_their_paths() {
    let files = Files::new();
    files.add("b/2.txt", "four");
    files.add("b/10.txt", "three");
    files.add("a.txt", "one");
    files.add("a.d/x.html", "<p>two");
    files.add(".hidden", "no");
    files.add(".git/x.txt", "no");
    let result = read(files.folder.path());
    let names: Vec<_> = result
        .docs
        .iter()
        .map(|doc| {
            doc.id
                .strip_prefix(files.folder.path().to_str().unwrap())
                .unwrap()
        })
        .collect();
    assert_eq!(names, ["/a.d/x.html", "/a.txt", "/b/10.txt", "/b/2.txt"]);
    assert_eq!(result.texts(), ["two", "one", "three", "four"]);
    assert_eq!(result.docs[3].source, 3);
    assert!(result.docs.iter().all(|doc| doc.record == 1));
}

#[test]
fn a_maildir_holds_mails_whatever_their_names() {
    let files = Files::new();
    let mail = "Subject: s\n\nhello\n";
    files.add("box/cur/1.host:2,S", mail);
    files.add("box/new/2.host", mail);
    files.add("box/tmp/3.host", mail);
    files.add("box/.Sent/cur/4.host:2,S", mail);
    fs::create_dir_all(files.path("box/.Sent/new")).unwrap();
    files.add("box/.secret/x", mail);
    let result = read(&files.path("box"));
    assert_eq!(result.texts(), ["s\n\nhello\n"; 3]);
    assert!(result.ids()[0].ends_with("box/.Sent/cur/4.host:2,S"));
}

#[test]
fn what_is_no_document_in_a_folder_is_skipped() {
    let files = Files::new();
    files.add("a.txt", "text");
    files.add("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    files.add("b.zip", b"PK\x03\x04rest");
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    files.add("c.tar", &tar);
    files.add("d.tar.gz", super::gzip(&tar));
    let result = read(files.folder.path());
    assert_eq!(result.texts(), ["text"]);
    let message: Vec<_> = result
        .skipped
        .iter()
        .map(|(record, place, reason)| (*record, place.as_str(), reason.as_str()))
        .collect();
    assert_eq!(
        message,
        [
            (0, "b.zip", "zip archives are not read; unpack it first"),
            (0, "c.tar", "tar archives are not read; unpack it first"),
            (0, "d.tar.gz", "tar archives are not read; unpack it first"),
            (0, "image.png", "not text, and of no format that is known"),
        ]
    );
}

#[test]
fn what_is_named_must_be_there_and_be_known() {
    let files = Files::new();
    let missing = files.path("missing.jsonl");
    let message = error(missing.clone());
    assert_eq!(
        message,
        format!(
            "cannot read {}: No such file or directory",
            missing.display()
        )
    );
    let zip = files.add("b.zip", b"PK\x03\x04rest");
    let message = error(zip.clone());
    assert_eq!(
        message,
        format!(
            "{}: zip archives are not read; unpack it first",
            zip.display()
        )
    );
}

#[test]
fn several_inputs_are_mixed() {
    let files = Files::new();
    let lines = files.add("l.jsonl", "{\"text\":\"one\"}\n{\"text\":\"two\"}\n");
    let table = files.add("t.csv", "text\nthree\n");
    files.add("pages/p.html", "<title>T</title>four");
    let inputs =
        Inputs::open(&[lines, table, files.path("pages")], ReadOptions::default()).unwrap();
    let formats: Vec<_> = inputs
        .sources()
        .iter()
        .map(|source| source.format)
        .collect();
    assert_eq!(
        formats,
        [Some(Format::Jsonl), Some(Format::Csv), Some(Format::Html)]
    );
    let result = collect(&inputs);
    assert_eq!(result.texts(), ["one", "two", "three", "four"]);
    let sources: Vec<_> = result.docs.iter().map(|doc| doc.source).collect();
    assert_eq!(sources, [0, 0, 1, 2]);
}

#[test]
fn many_small_files_share_batches() {
    let files = Files::new();
    for n in 0..300 {
        files.add(&format!("{n:03}.txt"), format!("text {n}"));
    }
    let inputs = Inputs::open(&[files.folder.path().to_owned()], ReadOptions::default()).unwrap();
    assert_eq!(inputs.batches().count(), 1);
    let result = collect(&inputs);
    assert_eq!(result.docs.len(), 300);
    assert_eq!(result.docs[17].text, "text 17");
}

#[test]
fn empty_documents_are_documents() {
    let files = Files::new();
    files.add("a.txt", "");
    files.add("b.html", "");
    files.add("c", "");
    let result = read(files.folder.path());
    assert_eq!(result.texts(), ["", "", ""]);
}

#[cfg(unix)]
#[test]
fn a_link_in_a_circle_is_told() {
    let files = Files::new();
    files.add("sub/a.txt", "text");
    std::os::unix::fs::symlink(files.folder.path(), files.path("sub/up")).unwrap();
    let result = read(files.folder.path());
    assert_eq!(result.texts(), ["text"]);
    assert!(result.reasons()[0].contains("leads back"), "{result:?}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_once_or_spooled() {
    let files = Files::new();
    let pipe = files.path("pipe");
    for to_copy in [false, true] {
        let _ = fs::remove_file(&pipe);
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::write(pipe, "{\"text\":\"a\"}\n{\"text\":\"b\"}\n").unwrap()
        });
        let options = ReadOptions {
            to_copy,
            tmp: files.folder.path().to_owned(),
            ..ReadOptions::default()
        };
        let inputs = Inputs::open(std::slice::from_ref(&pipe), options).unwrap();
        assert_eq!(inputs.total_bytes(), None);
        assert_eq!(collect(&inputs).texts(), ["a", "b"]);
        writer.join().unwrap();
        let again = collect(&inputs);
        match to_copy {
            true => assert_eq!(again.texts(), ["a", "b"]),
            false => assert_eq!(again.reasons(), ["a stream can be read only once"]),
        }
    }
}
