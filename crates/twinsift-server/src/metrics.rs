//! Figures for Prometheus.

use crate::collection::Collection;
use crate::error::{Answered, ApiError};
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use twinsift_index::{Stats, Time};

/// The type of what [`Metrics::text`] returns.
pub(crate) const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper ends of the buckets of durations, in seconds.
const BUCKETS: [f64; 13] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0,
];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabels {
    route: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CollectionLabels {
    collection: String,
}

/// Figures of requests; those of collections are looked up when they are asked for.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<RouteLabels, Histogram>,
    pub(crate) connections: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("twinsift");
        let requests = Family::default();
        let seconds: Family<RouteLabels, Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let connections = Gauge::default();
        registry.register("requests", "Requests that were answered", requests.clone());
        registry.register(
            "request_seconds",
            "How long requests took until the head of the answer",
            seconds.clone(),
        );
        registry.register(
            "connections",
            "Connections that are open",
            connections.clone(),
        );
        Self {
            registry,
            requests,
            seconds,
            connections,
        }
    }

    /// Counts a request.
    pub(crate) fn count(&self, method: &str, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let labels = RouteLabels {
            route: route.clone(),
        };
        self.seconds
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
        let labels = RequestLabels {
            method: method.to_owned(),
            route,
            status,
        };
        self.requests.get_or_create(&labels).inc();
    }

    /// All figures, in the text form of OpenMetrics. Looks at every document.
    pub(crate) fn text(&self, collections: &[Arc<Collection>]) -> Answered<String> {
        let mut out = String::new();
        let failed = |error: std::fmt::Error| ApiError::fault(&error);
        let of_collections = of_collections(collections)?;
        text::encode_registry(&mut out, &self.registry).map_err(failed)?;
        text::encode_registry(&mut out, &of_collections).map_err(failed)?;
        text::encode_eof(&mut out).map_err(failed)?;
        Ok(out)
    }
}

fn of_collections(collections: &[Arc<Collection>]) -> Answered<Registry> {
    type Figure = fn(&Collection, &Stats) -> u64;
    const FIGURES: [(&str, &str, Figure); 7] = [
        (
            "queue_length",
            "Changes that wait to be written",
            |of, _| of.shared.waiting.load(Ordering::Relaxed) as u64,
        ),
        ("documents", "Documents that are known", |_, stats| {
            stats.documents
        }),
        (
            "removed_documents",
            "Documents that are gone and still take space",
            |_, stats| stats.removed,
        ),
        ("disk_bytes", "Bytes on disk", |_, stats| stats.bytes),
        ("segments", "Immutable files of documents", |_, stats| {
            stats.segments
        }),
        (
            "commits",
            "Commits since the start, each with one sync",
            |of, _| of.shared.commits.load(Ordering::Relaxed),
        ),
        ("committed_changes", "Changes in these commits", |of, _| {
            of.shared.changes.load(Ordering::Relaxed)
        }),
    ];
    let mut registry = Registry::with_prefix("twinsift");
    let now = Time::now();
    let stats = collections
        .iter()
        .map(|of| of.searcher().stats(now))
        .collect::<Result<Vec<_>, _>>()?;
    for (name, help, figure) in FIGURES {
        let family: Family<CollectionLabels, Gauge> = Family::default();
        for (of, stats) in collections.iter().zip(&stats) {
            let labels = CollectionLabels {
                collection: of.shared.name.clone(),
            };
            let value = i64::try_from(figure(of, stats)).unwrap_or(i64::MAX);
            family.get_or_create(&labels).set(value);
        }
        registry.register(name, help, family);
    }
    Ok(registry)
}
