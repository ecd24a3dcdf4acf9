//! How alike the documents of each cluster are: what makes a collection hard.

use super::chart::{Axis, Chart, line};
use super::numbers::share;
use super::series::Look;
use twinsift_eval::Cohesion;

/// The mean cosine within each cluster, the least alike first; nothing for a single cluster.
pub fn chart(cohesion: &Cohesion) -> Option<String> {
    let last = cohesion
        .clusters
        .len()
        .checked_sub(1)
        .filter(|&last| last > 0)?;
    let chart = Chart {
        kind: "cohesion".to_owned(),
        title: "Cosine within clusters".to_owned(),
        description: format!(
            "The mean cosine, over words by tf-idf, of the pairs of each of {} clusters: {} on average, from {} to {}.",
            last + 1,
            share(cohesion.mean),
            share(cohesion.clusters[0]),
            share(cohesion.clusters[last]),
        ),
        x: Axis::linear("Clusters, the least alike first", 1.0, (last + 1) as f64),
        y: Axis::share("Mean cosine of pairs"),
    };
    let points = (1..).zip(&cohesion.clusters);
    let points = points.map(|(at, &mean): (u32, _)| chart.place(f64::from(at), mean));
    let drawn = format!(
        "<g class=\"{}\">{}</g>\n",
        Look(Some(0)).class(),
        line(points)
    );
    let note = format!(
        "<p class=\"note\">{} on average. Low values are hard to find for any method.</p>\n",
        share(cohesion.mean)
    );
    Some(chart.figure(&drawn, &note))
}
