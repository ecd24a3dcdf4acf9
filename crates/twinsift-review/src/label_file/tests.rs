#![allow(clippy::unwrap_used)]

use super::*;
use Verdict::{Different, Never, Same, Undone, Unsure};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.csv");
    (folder, path)
}

fn said(labels: &[Label]) -> Vec<(&str, &str, Verdict)> {
    let shown = labels.iter().map(|row| (&*row.a, &*row.b, row.verdict));
    shown.collect()
}

#[test]
fn rows_are_there_when_the_file_is_opened_again() {
    let (_folder, path) = folder();
    let mut file = LabelFile::open(&path).unwrap();
    let evil = "a \"quoted\",\n<b>; id";
    file.append(Label::now(evil, "b", Same, Why::Random))
        .unwrap();
    file.append(Label::now("c", "d", Never, Why::Teaching))
        .unwrap();
    let before = file.standing();
    drop(file);
    let file = LabelFile::open(&path).unwrap();
    assert_eq!(file.standing(), before);
    assert_eq!(said(&before), [(evil, "b", Same), ("c", "d", Never)]);
    assert_eq!(before[0].why, Why::Random);
    assert!(humantime::parse_rfc3339(&before[0].when).is_ok());
    assert_eq!(file.mended(), None);
}

#[test]
fn what_was_said_is_taken_back_step_by_step_also_later() {
    let (_folder, path) = folder();
    let mut file = LabelFile::open(&path).unwrap();
    for (a, verdict) in [("a", Same), ("c", Unsure), ("a", Different)] {
        file.append(Label::now(a, "b", verdict, Why::Random))
            .unwrap();
    }
    assert_eq!(file.undo().unwrap().unwrap().verdict, Different);
    assert_eq!(
        said(&file.standing()),
        [("a", "b", Same), ("c", "b", Unsure)]
    );
    drop(file);
    let mut file = LabelFile::open(&path).unwrap();
    assert_eq!(file.undo().unwrap().unwrap().a, "c");
    assert_eq!(file.undo().unwrap().unwrap().a, "a");
    assert_eq!(file.undo().unwrap(), None);
    assert!(file.standing().is_empty());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 1 + 3 + 3);
    assert_eq!(text.matches(Undone.name()).count(), 3);
}

#[test]
fn a_torn_last_row_is_cut_off_and_nothing_else() {
    let (_folder, path) = folder();
    let mut file = LabelFile::open(&path).unwrap();
    file.append(Label::now("a", "b", Same, Why::Random))
        .unwrap();
    file.append(Label::now("c", "d", Never, Why::Random))
        .unwrap();
    drop(file);
    let whole = std::fs::read(&path).unwrap();
    let first = whole.len()
        - 1
        - whole[..whole.len() - 1]
            .iter()
            .rev()
            .position(|&byte| byte == b'\n')
            .unwrap();
    for end in first..whole.len() {
        std::fs::write(&path, &whole[..end]).unwrap();
        let mut file = LabelFile::open(&path).unwrap();
        // Whole as far as the label, a row is kept.
        let is_kept = end >= first + "c,d,never".len();
        let kept = file.standing();
        assert_eq!(said(&kept)[0], ("a", "b", Same));
        assert_eq!(kept.len(), 1 + usize::from(is_kept), "cut at {end}");
        assert_eq!(file.mended().is_some(), end > first && !is_kept);
        file.append(Label::now("e", "f", Different, Why::Random))
            .unwrap();
        drop(file);
        let again = LabelFile::open(&path).unwrap().standing();
        assert_eq!(said(&again).last(), Some(&("e", "f", Different)));
        assert_eq!(again.len(), kept.len() + 1);
    }
}

#[test]
fn a_broken_row_in_the_middle_is_refused_and_left() {
    let (_folder, path) = folder();
    let text = "a,b,label\nx,y,1\nx,\"z,0\nu,v,1\n";
    std::fs::write(&path, text).unwrap();
    let refused = LabelFile::open(&path).unwrap_err().to_string();
    assert!(refused.contains("line 3"), "{refused}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn files_from_elsewhere_keep_their_columns() {
    let (_folder, path) = folder();
    std::fs::write(&path, "note;a;b;label\nnice;1;2;yes\n;3;4;0").unwrap();
    let mut file = LabelFile::open(&path).unwrap();
    file.append(Label::now("5", "6", Same, Why::Teaching))
        .unwrap();
    drop(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..3],
        ["note;a;b;label;when;why", "nice;1;2;yes;;", ";3;4;0;;"]
    );
    assert!(lines[3].starts_with(";5;6;1;") && lines[3].ends_with(";teaching"));
    let read = LabelFile::read(&path).unwrap();
    assert_eq!(
        said(&read),
        [("1", "2", Same), ("3", "4", Different), ("5", "6", Same)]
    );
    let (_other, ours) = folder();
    let mut ours = LabelFile::open(&ours).unwrap();
    ours.append(Label::now("2", "1", Same, Why::Random))
        .unwrap();
    assert_eq!(ours.import(&path).unwrap(), 2);
    assert_eq!(ours.import(&path).unwrap(), 0);
    assert_eq!(ours.standing().len(), 3);
}

#[test]
fn a_second_process_is_refused() {
    let (_folder, path) = folder();
    let first = LabelFile::open(&path).unwrap();
    let refused = LabelFile::open(&path).unwrap_err();
    assert!(matches!(refused, Error::Locked(_)), "{refused}");
    drop(first);
    assert!(LabelFile::open(&path).is_ok());
    std::fs::write(&path, "text\nnothing\n").unwrap();
    assert!(LabelFile::open(&path).is_err());
}
