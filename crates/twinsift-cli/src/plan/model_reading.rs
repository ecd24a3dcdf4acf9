//! How the documents of a model were read, and whether others are read in the same way.

use crate::exit::bad_input;
use twinsift::features::learned::model::{Model, Reading};
use twinsift_io::{Body, Content, ReadOptions};

/// What a model notes of how its documents are read.
pub fn of(options: &ReadOptions) -> Reading {
    // To ask for rendered bodies is to name their field.
    let is_said = options.body == Body::Fetched || options.fields.rendered.is_some();
    Reading {
        content: content(options).to_owned(),
        body: is_said.then(|| body(options).to_owned()),
    }
}

/// Refuses documents that are read otherwise than those of the model were.
pub fn check(model: &Model, options: &ReadOptions) -> anyhow::Result<()> {
    let Some(made) = &model.reading else {
        return Ok(());
    };
    // Where there are two bodies, the rendered one is taken unless told otherwise.
    let made_of = made.body.as_deref().unwrap_or("rendered");
    for (flag, made, now) in [
        ("--content", made.content.as_str(), content(options)),
        ("--body", made_of, body(options)),
    ] {
        if made != now {
            return Err(bad_input(format!(
                "the model was trained with {flag} {made}, and these documents are read with {flag} {now}: use {flag} {made}, or train the model again"
            )));
        }
    }
    Ok(())
}

fn content(options: &ReadOptions) -> &'static str {
    match options.content {
        Content::Main => "main",
        Content::All | Content::Html => "all",
    }
}

fn body(options: &ReadOptions) -> &'static str {
    match options.body {
        Body::Fetched => "fetched",
        Body::Rendered | Body::Both => "rendered",
    }
}
