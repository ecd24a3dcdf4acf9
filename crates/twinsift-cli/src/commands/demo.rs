//! `twinsift demo`: a corpus of its own making, the main job on it, and a look at
//! what came out.

use super::print_shown;
use crate::args::{DemoArgs, RunArgs, SourceArgs};
use crate::demo::corpus::{Page, pages};
use crate::demo::{search, side_by_side};
use crate::exit::bad_input;
use crate::find::{self, Found};
use crate::plan::{Run, Usual};
use crate::read;
use crate::say::{Shown, plain, say};
use crate::{numbers, progress, summary};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use twinsift::{Clustering, Document, Group, Purpose};
use twinsift_io::{AtomicFile, write};

/// Documents of a group that are named; the first two are shown side by side.
const NAMED: usize = 6;

pub fn run(args: DemoArgs) -> anyhow::Result<()> {
    if let Some(folder) = &args.search {
        return search_evaluation(&args, folder);
    }
    let folder = tempfile::tempdir()?;
    let path = match &args.out {
        Some(path) => {
            write::check_json_lines(path)?;
            path.clone()
        }
        None => folder.path().join("demo.jsonl"),
    };
    let stories = write_corpus(&args, &path)?;
    let sources = SourceArgs::only(vec![path.clone()]);
    let flags = RunArgs {
        method: args.method,
        common: args.common,
        ..RunArgs::default()
    };
    let mut run = Run::with_usual(sources, &flags, Usual::ByKind)?;
    let found = find::find(&mut run, Purpose::Pairs)?;
    let clusters = found.matches.clusters(Group::default())?;
    let result = summary::groups(&clusters);
    summary::print(&run, &found, &result, args.out.as_deref().map(shown));
    if !run.quiet {
        say!("           {}", score(&found, &stories)?);
    }
    show_groups(&run, &found, &clusters, &path, args.show)?;
    if args.out.is_none() && !run.quiet {
        next(&[
            "twinsift dedup YOUR-FILES -o clean.jsonl --removed removed.csv",
            "(twinsift demo --out demo.jsonl keeps this corpus)",
        ]);
    }
    Ok(())
}

/// Writes a search evaluation, says what to do with it, and serves its pages if asked to.
fn search_evaluation(args: &DemoArgs, folder: &Path) -> anyhow::Result<()> {
    let bar = progress::working("making pages", args.common.quiet);
    let site = args.serve.then(|| open_site(args.port)).transpose()?;
    let mut evaluation = search::evaluation(args.common.seed.unwrap_or(0), args.queries);
    if let Some(site) = &site {
        site.settle(&mut evaluation);
    }
    search::write(&evaluation, folder)?;
    bar.finish_and_clear();
    let name = folder.display();
    if !args.common.quiet {
        let pages = evaluation.topics.iter().map(|topic| topic.pages.len());
        say!(
            "  written  {} with {} and {} to {name}",
            numbers::counted(evaluation.topics.len() as u64, "query"),
            numbers::counted(pages.sum::<usize>() as u64, "page"),
            numbers::counted(evaluation.runs.len() as u64, "run"),
        );
        let pages = match &site {
            Some(_) => "rendered.jsonl",
            None => "pages.jsonl",
        };
        let render = format!("twinsift render {name}/addresses.txt -o {name}/{pages}");
        let train = format!(
            "twinsift train signals {name}/{pages} --pairs {name}/pairs.csv --queries {name}/queries.tsv --split-by query -o model.json"
        );
        let judge = format!(
            "twinsift judge --run {name}/*.run --docs {name}/{pages} --queries {name}/queries.tsv --qrels {name}/qrels.txt --model model.json"
        );
        match &site {
            Some(_) => next(&[&render, &train, &judge]),
            None => next(&[&train, &judge]),
        }
    }
    if let Some(site) = site {
        say!(
            "  serving  at port {} of this machine until interrupted",
            site.port()
        );
        site.serve(&evaluation);
    }
    Ok(())
}

/// Says what to do now.
fn next(lines: &[&str]) {
    say!("");
    for (at, line) in lines.iter().enumerate() {
        say!("{}{line}", if at == 0 { "Next: " } else { "      " });
    }
}

fn open_site(port: u16) -> anyhow::Result<search::Site> {
    search::Site::open(port).map_err(|error| {
        bad_input(format!(
            "cannot serve at port {port}: {error}; choose another with --port"
        ))
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Writes the corpus and returns the story of each page.
fn write_corpus(args: &DemoArgs, path: &Path) -> anyhow::Result<Vec<u32>> {
    let bar = progress::working("making pages", args.common.quiet);
    let mut out = AtomicFile::create(path)?;
    let mut stories = Vec::with_capacity(args.documents);
    let mut line = Vec::new();
    for page in pages(args.common.seed.unwrap_or(0), args.documents) {
        let Page {
            id,
            url,
            title,
            html,
            story,
            site,
        } = page;
        line.clear();
        let fields = serde_json::json!({
            "id": id, "url": url, "title": title, "html": html, "story": story, "site": site,
        });
        serde_json::to_writer(&mut line, &fields)?;
        line.push(b'\n');
        out.put(&line)?;
        stories.push(story);
    }
    out.finish()?;
    bar.finish_and_clear();
    Ok(stories)
}

/// How many of the true pairs were found: the demo knows its stories.
fn score(found: &Found, stories: &[u32]) -> anyhow::Result<String> {
    let mut copies: HashMap<u32, u64> = HashMap::new();
    for &story in stories {
        *copies.entry(story).or_default() += 1;
    }
    let truth: u64 = copies.values().map(|&count| count * (count - 1) / 2).sum();
    let (mut right, mut wrong) = (0, 0);
    for pair in found.matches.pairs() {
        let pair = pair?;
        match stories[pair.a as usize] == stories[pair.b as usize] {
            true => right += 1,
            false => wrong += 1,
        }
    }
    Ok(format!(
        "{} of the {} pairs of copies that were planted, and {} wrong",
        numbers::count(right),
        numbers::count(truth),
        numbers::count(wrong),
    ))
}

/// Prints the largest groups, two members of each side by side.
fn show_groups(
    run: &Run,
    found: &Found,
    clusters: &Clustering,
    path: &Path,
    count: usize,
) -> anyhow::Result<()> {
    let documents = found.matches.documents();
    let mut groups: HashMap<u32, Vec<u32>> = HashMap::new();
    for doc in 0..documents.len() as u32 {
        if clusters.size(doc) > 1 {
            groups.entry(clusters.first(doc)).or_default().push(doc);
        }
    }
    let mut groups: Vec<Vec<u32>> = groups.into_values().collect();
    groups.sort_unstable_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    groups.truncate(count);
    let mut texts: HashMap<String, Document<'static>> = HashMap::new();
    let wanted: Vec<String> = groups
        .iter()
        .flat_map(|group| group.iter().take(2))
        .map(|&doc| documents.id(doc).to_string())
        .collect();
    read::visit(run, &[PathBuf::from(path)], |document| {
        if wanted.iter().any(|id| *id == document.id.text) {
            texts.insert(document.id.to_string(), document.clone().into_owned());
        }
    })?;
    for (number, group) in groups.iter().enumerate() {
        let ids: Vec<String> = group
            .iter()
            .map(|&doc| documents.id(doc).to_string())
            .collect();
        let more = match group.len() > NAMED {
            true => format!(" and {} more", group.len() - NAMED),
            false => String::new(),
        };
        let named = ids[..group.len().min(NAMED)].join(", ");
        let title = format!("Group {}: {} pages", number + 1, group.len());
        let mut shown = Shown::default();
        shown.line(plain(""));
        shown.line(plain(&format!("{title}: {named}{more}")));
        if let (Some(a), Some(b)) = (texts.get(&ids[0]), texts.get(&ids[1])) {
            let comparison = twinsift::compare(a, b, &run.recipe)?;
            shown = shown.and(side_by_side::render(
                a,
                b,
                &comparison,
                run.recipe.k() as usize,
            ));
        }
        print_shown(&shown)?;
    }
    Ok(())
}
