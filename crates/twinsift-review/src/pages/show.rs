//! Pages that are looked at.

use super::guard::Fields;
use super::{Answer, Refused, page, with_collection};
use crate::collection::Collection;
use crate::regrouped::Anew;
use crate::state::{App, Core, State as Review, ordered};
use crate::views::frame::{self, Page};
use crate::views::group::Shown;
use crate::views::learning::Learning;
use crate::views::list::{self, Asked as Listed};
use crate::views::overview::{NEAR, Overview};
use crate::views::question::{self, Asked};
use crate::views::{group as group_view, text};
use axum::extract::{Path, RawQuery, State};
use std::sync::PoisonError;
use twinsift_server::html::encoded;

fn fields(query: Option<String>) -> Fields {
    Fields::parse(query.unwrap_or_default().as_bytes())
}

pub(super) async fn overview(State(app): State<App>) -> Answer {
    with_collection(app, "Overview", "/", |review, collection| {
        let mut core = review.core();
        let questions = match &mut core.teacher {
            Some(teacher) => Ok((
                teacher.sampled.seen,
                teacher.near_threshold(NEAR),
                teacher.estimate(),
            )),
            None => Err(core
                .failed
                .clone()
                .unwrap_or_else(|| format!("still being looked for: {}", review.doing()))),
        };
        let refresh = (questions.is_err() && core.failed.is_none()).then_some(2);
        let said: Vec<_> = core.known().iter().map(|said| said.verdict).collect();
        let overview = Overview {
            documents: collection.matches.documents().len(),
            groups: &collection.groups,
            method: &review.options.method,
            labels: core.labels.path(),
            elsewhere: core.labels.standing().len() - said.len(),
            said,
            questions,
        };
        Ok(page(&Page {
            title: "Overview".to_owned(),
            part: "/",
            main: overview.html(),
            refresh,
        }))
    })
    .await
}

pub(super) async fn groups(State(app): State<App>, RawQuery(query): RawQuery) -> Answer {
    with_collection(app, "Groups", "/groups", move |_, collection| {
        let fields = fields(query);
        let asked = Listed {
            sort: list::sort_of(fields.get("sort")),
            words: fields.get("words").chars().take(200).collect(),
            page: fields.number("page").unwrap_or(0) as usize,
        };
        Ok(page(&Page {
            title: "Groups".to_owned(),
            part: "/groups",
            main: list::groups(collection, &asked),
            refresh: None,
        }))
    })
    .await
}

/// A document that there is.
fn known(collection: &Collection, doc: Option<u32>) -> Result<u32, Refused> {
    doc.filter(|&doc| doc < collection.texts.documents())
        .ok_or_else(Refused::not_found)
}

pub(super) async fn group(
    State(app): State<App>,
    Path(doc): Path<u32>,
    RawQuery(query): RawQuery,
) -> Answer {
    with_collection(app, "A group", "/groups", move |review, collection| {
        let doc = known(collection, Some(doc))?;
        let Some(group) = collection.groups.group_of(doc) else {
            return Ok(page(&Page {
                title: "A document that is alone".to_owned(),
                part: "/groups",
                main: group_view::member(collection, doc, true),
                refresh: None,
            }));
        };
        let fields = fields(query);
        let members = collection.groups.members(group);
        let beside = match fields.number("b") {
            None => members.get(1).copied().unwrap_or(members[0]),
            asked => known(collection, asked)?,
        };
        let other = match fields.number("a") {
            None => members[0],
            asked => known(collection, asked)?,
        };
        let pages = members.len().div_ceil(group_view::PER_PAGE);
        let shown = Shown {
            group,
            page: (fields.number("page").unwrap_or(0) as usize).min(pages - 1),
            pair: (other, beside),
        };
        let main = shown.html(collection, &review.core(), review.session.form_token());
        Ok(page(&Page {
            title: format!("A group of {}", text::counted(members.len(), "document")),
            part: "/groups",
            main,
            refresh: None,
        }))
    })
    .await
}

pub(super) async fn pair(State(app): State<App>, RawQuery(query): RawQuery) -> Answer {
    with_collection(
        app,
        "Two documents",
        "/learning",
        move |review, collection| {
            let fields = fields(query);
            let [a, b] = ["a", "b"].map(|name| known(collection, fields.number(name)));
            let (a, b) = (a?, b?);
            let mut main = String::new();
            let mut core = review.core();
            if let Some(verdict) = core.verdict(a, b) {
                main += &format!(
                    "<p role=\"status\">You said: {}.</p>\n",
                    group_view::said(verdict)
                );
            }
            if let Some(thought) = core.thought(ordered(a, b), &collection.texts)? {
                main += &question::reasons(&thought);
            }
            drop(core);
            main += &group_view::two(collection, a, b, 2);
            let back = format!("/pair?a={a}&b={}", encoded(&b.to_string()));
            main += &group_view::answers(review.session.form_token(), a, b, &back);
            Ok(page(&Page {
                title: "Two documents".to_owned(),
                part: "/learning",
                main,
                refresh: None,
            }))
        },
    )
    .await
}

/// What is shown while there are no questions yet.
fn no_teacher(review: &Review, core: &Core, title: &str, part: &'static str) -> Page {
    match &core.failed {
        Some(why) => Page {
            title: title.to_owned(),
            part,
            main: format!(
                "<p class=\"bad\">{}</p>\n",
                twinsift_server::html::text(why)
            ),
            refresh: None,
        },
        None => {
            let doing = format!("Pairs to ask about are looked for: {}", review.doing());
            frame::waiting(title, part, &doing, "The groups are there already. ")
        }
    }
}

pub(super) async fn question(State(app): State<App>) -> Answer {
    let title = "Are these two the same?";
    with_collection(app, title, "/question", move |review, collection| {
        let mut core = review.core();
        let Some(teacher) = &core.teacher else {
            return Ok(page(&no_teacher(review, &core, title, "/question")));
        };
        let next = core.pending.or_else(|| teacher.next());
        core.pending = next;
        let token = review.session.form_token();
        let Some((pair, _)) = next else {
            return Ok(page(&Page {
                title: "Every pair was asked about".to_owned(),
                part: "/question",
                main: question::undo(token),
                refresh: None,
            }));
        };
        let thought = match review.options.show_scores {
            true => core.thought(pair, &collection.texts)?,
            false => None,
        };
        let (told, answers) = (core.told.clone(), core.known().len());
        drop(core);
        let asked = Asked {
            collection,
            pair,
            thought,
            told,
            answers,
            form_token: token,
        };
        Ok(page(&Page {
            title: title.to_owned(),
            part: "/question",
            main: asked.html(),
            refresh: None,
        }))
    })
    .await
}

pub(super) async fn learning(State(app): State<App>) -> Answer {
    with_collection(app, "Learning", "/learning", |review, collection| {
        let mut core = review.core();
        let curve = core.teacher.as_mut().map(|teacher| teacher.curve());
        let (Some(curve), Some(teacher)) = (curve, &core.teacher) else {
            return Ok(page(&no_teacher(review, &core, "Learning", "/learning")));
        };
        let anew = review.anew.lock().unwrap_or_else(PoisonError::into_inner);
        let learning = Learning {
            collection,
            teacher,
            curve,
            anew: &anew,
            model: &review.options.model,
            written: core.written,
            form_token: review.session.form_token(),
        };
        Ok(page(&Page {
            title: "Learning".to_owned(),
            part: "/learning",
            main: learning.html(),
            refresh: matches!(*anew, Anew::Running).then_some(1),
        }))
    })
    .await
}
