//! `twinsift render`: pages as a browser shows them.

use super::shown;
use crate::args::RenderArgs;
use crate::exit::bad_input;
use crate::numbers::{count, counted};
use crate::outputs::{refuse_overwriting, target};
use crate::plan::reading::{charset, delimiter};
use crate::progress;
use crate::say::say;
use crate::summary::line;
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use twinsift_io::{FieldNames, Format, ReadOptions, write};
use twinsift_render::render::{
    Done, Hosts, Journal, JournalError, RenderInput, RenderOptions, Renderer, SourceItem, Sources,
};

pub fn run(args: RenderArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    let output = target(args.output.as_deref());
    refuse_overwriting("--output", output, args.pages.iter())?;
    if let Some(path) = output {
        write::check_json_lines(path)?;
    }
    let (mut options, settings) = options(&args)?;
    let sources = Sources::open(&args.pages, &read_options(&args)?)?;
    sources.allow_into(&mut options.hosts);
    let journal = Journal::open(output, &settings)?;
    let run = Run {
        strict: args.stored.strict,
        bar: progress::pages(sources.len(), args.quiet),
        journal: Mutex::new(journal),
        tally: Mutex::default(),
    };
    let renderer = Renderer::start(options)?;
    if !renderer.is_sandboxed() && !args.showing.no_sandbox && !args.quiet {
        say!(
            "the browser's sandbox is off, because root cannot have it: be another user to be safe"
        );
    }
    let mut failed: Option<JournalError> = None;
    let pages = sources.iter().map_while(|found| run.look(found));
    renderer.render(pages.flatten(), |done| match run.take(&done) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    })?;
    drop(renderer);
    run.bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(error.into());
    }
    let tally = std::mem::take(&mut *held(&run.tally));
    if let Some(sentence) = tally.refused {
        return Err(bad_input(format!("{sentence} (--strict stops here)")));
    }
    let journal = run.journal.into_inner();
    let journal = journal.unwrap_or_else(std::sync::PoisonError::into_inner);
    journal.finish(&tally.keys, output)?;
    if !args.quiet {
        tally.print(started.elapsed(), output);
    }
    match tally.seen == 0 && tally.kept == 0 && tally.unseen > 0 {
        true => anyhow::bail!("not one page could be shown: the field \"error\" of each says why"),
        false => Ok(()),
    }
}

/// What changes what a page looks like, for a run that is taken up again: all
/// but the addresses themselves.
fn options(args: &RenderArgs) -> anyhow::Result<(RenderOptions, String)> {
    let showing = &args.showing;
    let mut hosts = Hosts::default();
    for host in &showing.allow_host {
        hosts.allow(host)?;
    }
    let settings = format!(
        "timeout={:?} redirect-delay={:?} max-size={} allow-host={}",
        showing.timeout,
        showing.redirect_delay,
        showing.max_size,
        hosts.names().join(",")
    );
    let options = RenderOptions {
        browser: showing.browser.clone(),
        no_sandbox: showing.no_sandbox,
        hosts,
        tabs: usize::from(showing.tabs),
        timeout: showing.timeout,
        redirect_delay: showing.redirect_delay,
        max_size: usize::try_from(showing.max_size).unwrap_or(usize::MAX),
    };
    Ok((options, settings))
}

fn read_options(args: &RenderArgs) -> anyhow::Result<ReadOptions> {
    let stored = &args.stored;
    let defaults = ReadOptions::default();
    let max_document = stored.max_document.map(usize::try_from);
    Ok(ReadOptions {
        fields: FieldNames {
            id: stored.id_field.clone(),
            html: stored.html_field.clone(),
            url: stored.url_field.clone(),
            ..FieldNames::default()
        },
        format: stored.format.as_deref().and_then(Format::of_extension),
        charset: stored.charset.as_deref().map(charset).transpose()?,
        delimiter: stored.delimiter.as_deref().map(delimiter).transpose()?,
        max_document: max_document.map_or(defaults.max_document, |size| size.unwrap_or(usize::MAX)),
        ..defaults
    })
}

struct Run {
    strict: bool,
    bar: ProgressBar,
    journal: Mutex<Journal>,
    tally: Mutex<Tally>,
}

/// What has come of the pages.
#[derive(Default)]
struct Tally {
    /// The pages, in order.
    keys: Vec<u64>,
    seen: u64,
    partly: u64,
    unseen: u64,
    kept: u64,
    repeated: u64,
    skipped: u64,
    /// What `--strict` stops at.
    refused: Option<String>,
}

impl Run {
    /// The page that is to be rendered next, if this is one. `None` ends it all.
    fn look(&self, found: SourceItem) -> Option<Option<RenderInput>> {
        let mut tally = held(&self.tally);
        match found {
            SourceItem::Page(page) => {
                let key = page.key();
                tally.keys.push(key);
                if held(&self.journal).holds(key) {
                    tally.kept += 1;
                    self.bar.inc(1);
                    return Some(None);
                }
                return Some(Some(page));
            }
            SourceItem::Repeated => {
                tally.repeated += 1;
                self.bar.inc(1);
            }
            SourceItem::Skipped(sentence) if self.strict => {
                tally.refused = Some(sentence);
                return None;
            }
            SourceItem::Skipped(sentence) => {
                tally.skipped += 1;
                self.bar.suspend(|| say!("skipped {sentence}"));
                self.bar.inc(1);
            }
        }
        Some(None)
    }

    fn take(&self, done: &Done) -> Result<(), JournalError> {
        let rendering = &done.rendering;
        let is_seen = rendering.rendered.is_some();
        let row = rendering.row(&done.page.id);
        held(&self.journal).add(done.page.key(), is_seen, &row)?;
        let mut tally = held(&self.tally);
        match (is_seen, &rendering.error) {
            (true, None) => tally.seen += 1,
            (true, Some(_)) => (tally.seen, tally.partly) = (tally.seen + 1, tally.partly + 1),
            (false, _) => tally.unseen += 1,
        }
        self.bar.inc(1);
        Ok(())
    }
}

impl Tally {
    fn print(&self, time: Duration, output: Option<&Path>) {
        let rate = (self.seen + self.unseen) as f64 / time.as_secs_f64();
        let mut text = format!(
            "{} in {:.1} s, {rate:.1} a second",
            counted(self.seen, "page"),
            time.as_secs_f64()
        );
        let mut note = |number: u64, words: &str| {
            if number > 0 {
                text += &format!("; {} {words}", count(number));
            }
        };
        note(self.partly, "of them in part");
        note(self.unseen, "could not be shown");
        note(self.kept, "were there from an earlier run");
        note(self.repeated, "named twice and shown once");
        note(self.skipped, "skipped");
        line("rendered", &text);
        if let Some(written) = shown(output) {
            line("written", &written);
        }
    }
}

/// Nothing panics while it holds one of these.
fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
