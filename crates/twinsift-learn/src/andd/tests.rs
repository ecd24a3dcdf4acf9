//! Training, from outside of its parts.

use super::loss::{Loss, Penalty, Shape};
use super::minimise::{Go, minimise};
use super::{Options, sample, train};
use std::path::PathBuf;
use std::sync::Arc;
use twinsift::Observer;
use twinsift::document::Document;
use twinsift::features::learned::described::Described;
use twinsift::features::learned::model::{Held, Model};
use twinsift::features::learned::phi::{Queries, names};
use twinsift::features::learned::{Describer, Scratch};
use twinsift::hash::Stream;
use twinsift::lexicon::{Counter, Lexicon, Limits};
use twinsift::settings::Settings;
use twinsift::similarity::Similarity;

const BOTH: [Similarity; 2] = [Similarity::Cosine, Similarity::ExtendedJaccard];

/// Stories in the frames of sites: `stories` clusters of `copies` documents.
fn corpus(stories: usize, copies: usize) -> (Vec<Document<'static>>, Vec<String>) {
    let mut stream = Stream::new(7);
    let mut word = |from: usize, many: usize| format!("w{}", from + stream.below(many));
    let mut texts: Vec<String> = Vec::new();
    for story in 0..stories {
        let body = (0..30).map(|_| word(1000 * story, 60));
        texts.push(body.collect::<Vec<_>>().join(" "));
    }
    let mut documents = Vec::new();
    let mut clusters = Vec::new();
    for (story, text) in texts.iter().enumerate() {
        for copy in 0..copies {
            let site = (story + copy) % 5;
            let frame = (0..25).map(|_| word(100_000 + 100 * site, 40));
            let frame: Vec<String> = frame.collect();
            let text = format!(
                "Home News {} http://site{site}.example/{story} {text} The End {}",
                frame[..10].join(" "),
                frame[10..].join(" ")
            );
            let mut document = Document::new(format!("{story}-{copy}"), text);
            document.title = Some(texts[story][..20].to_owned().into());
            document.url = Some(format!("http://site{site}.example/w{}", 1000 * story).into());
            documents.push(document);
            clusters.push(format!("story {story}"));
        }
    }
    (documents, clusters)
}

fn lexicon(documents: &[Document<'_>]) -> Lexicon {
    let mut counter = Counter::new(&Settings::default());
    let mut add = |document| counter.add(document).expect("room");
    documents.iter().for_each(&mut add);
    counter.finish(Limits::default()).expect("room")
}

fn names_of(clusters: &[String]) -> Vec<Option<&str>> {
    clusters.iter().map(|name| Some(name.as_str())).collect()
}

fn described(documents: &[Document<'_>], k: u32, queries: Option<Queries>) -> Described {
    let lexicon = lexicon(documents);
    let describer = Describer::new(k, Some(&lexicon), queries, false);
    let mut described = Described::new(describer.width());
    let mut scratch = Scratch::default();
    for document in documents {
        describer.describe(document, &mut scratch, &mut described);
    }
    described
}

fn numbers(clusters: &[String]) -> Vec<u32> {
    super::numbered(&names_of(clusters))
}

#[test]
fn gradients_equal_finite_differences() {
    let (documents, clusters) = corpus(5, 4);
    let docs: Vec<u32> = (0..documents.len() as u32).collect();
    let mut sample = sample::draw(&docs, &numbers(&clusters), |_, _| true, 0, 3).expect("pairs");
    sample.preferences.truncate(200);
    let log = "w1 w2\t7\nhome news\nw1001 w1002 w1003\t2\n";
    for k in [1, 2, 3, 5] {
        let queries = Queries::parse(log, k as usize, false, "log").expect("valid");
        let described = described(&documents, k, Some(queries));
        assert_eq!(described.width, names(k as usize, true).len());
        for similarity in BOTH {
            for held in [Held::Free, Held::Unlearned] {
                let shape = Shape {
                    similarity,
                    penalty: Penalty { held, alpha: 0.3 },
                    gamma: 5.0,
                };
                let loss = Loss::new(&described, &sample, shape, &Observer::default());
                let mut stream = Stream::new(u64::from(k));
                for _ in 0..3 {
                    let lambda: Vec<f64> = (0..described.width)
                        .map(|_| stream.below(1000) as f64 / 700.0 - 0.3)
                        .collect();
                    let (_, gradient) = loss.at(&lambda);
                    let largest = gradient.iter().fold(0.0, |m: f64, g| m.max(g.abs()));
                    for at in 0..lambda.len() {
                        let moved = |by: f64| {
                            let mut lambda = lambda.clone();
                            lambda[at] += by;
                            loss.at(&lambda).0
                        };
                        let step = 1e-6;
                        let slope = (moved(step) - moved(-step)) / (2.0 * step);
                        let error = (slope - gradient[at]).abs() / largest;
                        assert!(
                            error <= 1e-5,
                            "{similarity:?} {held:?} k={k} feature {at}: {error}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_loss_never_rises() {
    let (documents, clusters) = corpus(6, 4);
    let docs: Vec<u32> = (0..documents.len() as u32).collect();
    let sample = sample::draw(&docs, &numbers(&clusters), |_, _| true, 0, 3).expect("pairs");
    let described = described(&documents, 1, None);
    for similarity in BOTH {
        // Weights that are held are soon there unless the loss is flat.
        for (held, gamma) in [(Held::Free, 30.0), (Held::Unlearned, 3.0)] {
            let shape = Shape {
                similarity,
                penalty: Penalty { held, alpha: 0.01 },
                gamma,
            };
            let loss = Loss::new(&described, &sample, shape, &Observer::default());
            let mut seen = Vec::new();
            minimise(&loss, loss.start(), 40, |_, _, loss| {
                seen.push(loss);
                Go::On
            });
            assert!(seen.len() > 5, "{seen:?}");
            assert!(
                seen.is_sorted_by(|before, after| after < before),
                "{seen:?}"
            );
        }
    }
}

#[test]
fn same_seed_same_bytes_whatever_the_threads() {
    let (documents, clusters) = corpus(10, 4);
    let model = |threads: usize, seed: u64| {
        let settings = Settings {
            threads,
            ..Settings::default()
        };
        let options = Options {
            seed,
            steps: 25,
            ..Options::default()
        };
        let names = names_of(&clusters);
        train(&documents, &names, &[], &options, &settings, |_| {})
            .expect("trained")
            .to_json()
    };
    let first = model(1, 1);
    assert_eq!(first, model(1, 1));
    assert_eq!(first, model(3, 1));
    assert_ne!(first, model(1, 2));
}

#[test]
fn a_model_comes_back_from_its_file_and_beats_its_start() {
    let (documents, clusters) = corpus(10, 4);
    let options = Options::default();
    let settings = Settings::default();
    let names = names_of(&clusters);
    let model = train(&documents, &names, &[], &options, &settings, |_| {}).expect("trained");
    assert!(model.training.last_loss < model.training.first_loss);
    let validation = model.training.validation.expect("clusters were set apart");
    assert!(validation.f1 > 0.99, "{validation:?}");
    assert_eq!(Model::parse(&model.to_json(), "m").expect("valid"), model);
}

/// Copies share half of their words, at a place and in a spelling of their own story: what one
/// story teaches is wrong for the next.
fn without_a_rule(stories: usize, copies: usize) -> (Vec<Document<'static>>, Vec<String>) {
    let mut stream = Stream::new(3);
    let mut documents = Vec::new();
    let mut clusters = Vec::new();
    for story in 0..stories {
        let (first, capital) = (story % 2 == 0, story / 2 % 2 == 0);
        let spelt = |text: String, capital: bool| match capital {
            true => text.to_uppercase(),
            false => text,
        };
        let shared: Vec<String> = (0..20).map(|at| format!("own{story}x{at}")).collect();
        let shared = spelt(shared.join(" "), capital);
        for copy in 0..copies {
            let common = (0..20).map(|_| format!("common{}", stream.below(30)));
            let common = spelt(common.collect::<Vec<_>>().join(" "), !capital);
            let text = match first {
                true => format!("{shared} {common}"),
                false => format!("{common} {shared}"),
            };
            documents.push(Document::new(format!("{story}-{copy}"), text));
            clusters.push(format!("story {story}"));
        }
    }
    (documents, clusters)
}

#[test]
fn few_documents_are_all_learnt_from_and_held_where_they_teach_nothing() {
    let held = |(documents, clusters): (Vec<Document<'_>>, Vec<String>)| {
        let (options, settings) = (Options::default(), Settings::default());
        let names = names_of(&clusters);
        let model = train(&documents, &names, &[], &options, &settings, |_| {}).expect("trained");
        let training = model.training;
        assert_eq!(training.fitted, documents.len() as u64);
        let validation = training.validation.expect("rounds");
        assert_eq!(validation.rounds, 12);
        assert!(validation.documents >= 12 * 2, "{validation:?}");
        training.held
    };
    assert_eq!(held(corpus(10, 4)), Held::Free);
    assert_eq!(held(without_a_rule(8, 3)), Held::Unlearned);
}

#[test]
fn two_clusters_are_enough_though_none_can_be_set_apart() {
    for (stories, copies) in [(2, 2), (2, 3), (3, 2)] {
        let (documents, clusters) = corpus(stories, copies);
        let (options, settings) = (Options::default(), Settings::default());
        let names = names_of(&clusters);
        let model = train(&documents, &names, &[], &options, &settings, |_| {}).expect("trained");
        assert_eq!(model.training.validation, None);
        assert_eq!(model.training.held, Held::Unlearned);
    }
}

#[test]
fn many_documents_are_stopped_by_those_set_apart() {
    let (documents, clusters) = corpus(60, 5);
    let (options, settings) = (Options::default(), Settings::default());
    let names = names_of(&clusters);
    let mut watched = 0;
    let watch = |step: super::Step| watched += u32::from(step.validation.is_some());
    let model = train(&documents, &names, &[], &options, &settings, watch).expect("trained");
    let training = model.training;
    let validation = training.validation.expect("clusters were set apart");
    assert_eq!(training.fitted + validation.documents, 300);
    assert_eq!((validation.documents, validation.rounds), (60, 1));
    assert!(watched > training.steps);
}

#[test]
fn features_left_out_get_no_weight() {
    let (documents, clusters) = corpus(8, 3);
    let options = Options {
        without: vec!["df".to_owned(), "cap".to_owned()],
        lexicon: Some(Arc::new(lexicon(&documents))),
        steps: 20,
        ..Options::default()
    };
    let names = names_of(&clusters);
    let settings = Settings::default();
    let model = train(&documents, &names, &[], &options, &settings, |_| {}).expect("trained");
    for (name, weight) in &model.weights {
        if name == "cap" || name.starts_with("df-") {
            assert_eq!(*weight, 0.0, "{name}");
        }
    }
    assert_ne!(model.weights["loc-0.3"], 0.0);
    assert!(model.lexicon.is_some());
}

fn refused(clusters: &[Option<&str>], groups: &[Option<&str>], options: &Options) -> String {
    let (documents, _) = corpus(clusters.len(), 1);
    let settings = Settings::default();
    match train(&documents, clusters, groups, options, &settings, |_| {}) {
        Err(error) => error.to_string(),
        Ok(model) => panic!("{model:?}"),
    }
}

#[test]
fn what_cannot_be_learnt_from_is_refused_with_a_reason() {
    let options = Options::default();
    assert!(refused(&[None, None], &[], &options).contains("no document has a label"));
    let one = [Some("a"), Some("a"), None];
    assert!(refused(&one, &[], &options).contains("in one cluster"));
    let singles = [Some("a"), Some("b"), Some("c")];
    assert!(refused(&singles, &[], &options).contains("no cluster has two documents"));
    let two = [Some("a"), Some("a"), Some("b")];
    let group = [Some("g"); 3];
    assert!(refused(&two, &group, &options).contains("no strangers"));
    let with = |change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        refused(&two, &[], &options)
    };
    assert!(with(|o| o.k = 6).contains("`k` 6"));
    assert!(with(|o| o.gamma = f64::NAN).contains("`gamma`"));
    assert!(with(|o| o.alpha = -1.0).contains("`alpha`"));
    assert!(with(|o| o.min_precision = Some(2.0)).contains("`min_precision`"));
    assert!(with(|o| o.without = vec!["color".into()]).contains("no such feature"));
    assert!(with(|o| o.similarity = Similarity::Jaccard).contains("extended-jaccard"));
}

#[test]
fn broken_models_are_refused_with_a_reason() {
    let lambda: Vec<f64> = names(1, false).iter().map(|_| 0.5).collect();
    let good = Model::new(1, Similarity::Cosine, false, None, &lambda).to_json();
    Model::parse(&good, "m").expect("valid");
    let refused = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        let broken = good.replacen(from, to, 1);
        Model::parse(&broken, "m").expect_err("broken").to_string()
    };
    assert!(refused("\"version\": 2", "\"version\": 9").contains("version 9"));
    // A file of version 1 does not say how documents were read, and stays what it was.
    let older = good.replacen("\"version\": 2", "\"version\": 1", 1);
    let read = Model::parse(&older, "m").expect("valid");
    assert_eq!((read.reading.clone(), read.to_json()), (None, older));
    let said = "\"reading\": { \"content\": \"all\", \"body\": \"fetched\" },\n  \"lexicon\"";
    let newer = Model::parse(&good.replacen("\"lexicon\"", said, 1), "m").expect("valid");
    let reading = newer.reading.expect("it is there");
    assert_eq!(
        (reading.content.as_str(), reading.body.as_deref()),
        ("all", Some("fetched"))
    );
    assert!(
        refused("\"lexicon\"", "\"reading\": { \"colour\": 1 }, \"lexicon\"").contains("colour")
    );
    assert!(refused("\"kind\": \"andd\"", "\"kind\": \"signals\"").contains("for \"signals\""));
    assert!(refused("\"cap\": 0.5,", "").contains("no weight for the feature \"cap\""));
    assert!(refused("\"cap\"", "\"colour\"").contains("\"cap\""));
    assert!(refused("\"cap\": 0.5", "\"cap\": 0.5, \"hat\": 1").contains("\"hat\""));
    assert!(refused("\"cap\": 0.5", "\"cap\": NaN").contains("is not a model"));
    assert!(refused("\"cap\": 0.5", "\"cap\": null").contains("is not a model"));
    assert!(refused("\"threshold\": 0.5", "\"threshold\": 0").contains("above 0"));
    assert!(refused("\"k\": 1", "\"k\": 9").contains("k = 9"));
    assert!(refused("\"cosine\"", "\"jaccard\"").contains("extended-jaccard"));
    assert!(Model::parse(&good.replace("0.5", "-0.5"), "m").is_err());
    assert!(
        Model::parse("{}", "m")
            .expect_err("broken")
            .to_string()
            .contains("which kind")
    );
    assert!(Model::parse("", "m").is_err());
    assert!(Model::open(&PathBuf::from("/no/such/model")).is_err());
}

#[test]
fn a_query_log_that_is_no_log_is_refused() {
    let error = Queries::parse("bridge\tmany\n", 1, false, "log.tsv").expect_err("broken");
    assert!(error.to_string().contains("log.tsv:1"));
}

/// Whenever it is cancelled, training has its whole result or none.
#[test]
fn training_can_be_cancelled() {
    for (stories, copies) in [(12, 4), (80, 4)] {
        let (documents, clusters) = corpus(stories, copies);
        let clusters = names_of(&clusters);
        let trained = |observer: &Observer, cancel_at: u32| {
            let settings = Settings {
                observer: observer.clone(),
                ..Settings::default()
            };
            let watch = |step: super::Step| {
                if step.number == cancel_at {
                    observer.cancel();
                }
            };
            train(
                &documents,
                &clusters,
                &[],
                &Options::default(),
                &settings,
                watch,
            )
        };
        let before = Observer::default();
        before.cancel();
        for (observer, cancel_at) in [
            (before, 0),
            (Observer::default(), 0),
            (Observer::default(), 2),
        ] {
            let outcome = trained(&observer, cancel_at);
            assert!(matches!(outcome, Err(twinsift::Error::Cancelled)));
        }
        assert!(trained(&Observer::default(), u32::MAX).is_ok());
    }
}
