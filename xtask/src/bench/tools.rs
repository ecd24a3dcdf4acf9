//! The tools that are compared, and how each is called.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::measure::{self, Usage};
use super::rivals;
use crate::steps::{cargo, output, root, run, step};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// Reading and cutting into words, and nothing else.
    Floor,
    /// `twinsift pairs` with some options.
    Twinsift(&'static str, &'static str),
    /// `twinsift signatures` with some options, to a Parquet file.
    Signatures(&'static str, &'static str),
    /// A package for Python, through a script of ours.
    Rival(&'static str),
}

const ALL: &[Tool] = &[
    Tool::Floor,
    Tool::SHINGLES,
    Tool::Twinsift("minhash", "--method minhash --threshold {threshold}"),
    Tool::Twinsift("simhash", "--method simhash"),
    Tool::Twinsift("supershingles", "--method supershingles"),
    Tool::Twinsift("imatch-0", IMATCH_ALONE),
    Tool::Twinsift("imatch-10", IMATCH),
    Tool::Signatures("imatch-signatures", IMATCH),
    Tool::Signatures(
        "andd-signatures",
        "--method andd --model {model} --match lsh --no-verify",
    ),
    Tool::SPILLED,
    Tool::Rival("gaoya"),
    Tool::Rival("rensa"),
    Tool::Rival("datasketch"),
];

/// I-Match with a lexicon, by default one of the corpus that is made before anything is
/// measured; alone and with ten random lexicons.
const IMATCH_ALONE: &str = "--method imatch --lexicon {lexicon} --random-lexicons 0";
const IMATCH: &str = "--method imatch --lexicon {lexicon} --random-lexicons 10";

impl Tool {
    /// The exact answer, which the others are held against.
    pub const SHINGLES: Tool =
        Tool::Twinsift("shingles", "--method shingles --threshold {threshold}");

    /// The exact answer in little memory.
    pub const SPILLED: Tool = Tool::Twinsift(
        "shingles-200M",
        "--method shingles --threshold {threshold} --memory 200M",
    );

    pub fn name(self) -> &'static str {
        match self {
            Tool::Floor => "floor",
            Tool::Twinsift(name, _) | Tool::Signatures(name, _) | Tool::Rival(name) => name,
        }
    }

    /// Whether one of its options stands for something that is filled in.
    fn needs(self, what: &str) -> bool {
        match self {
            Tool::Twinsift(_, options) | Tool::Signatures(_, options) => options.contains(what),
            Tool::Floor | Tool::Rival(_) => false,
        }
    }

    pub fn is_ours(self) -> bool {
        !matches!(self, Tool::Rival(_))
    }

    pub fn reports_pairs(self) -> bool {
        matches!(self, Tool::Twinsift(..) | Tool::Rival(_))
    }
}

/// The tools of the given names, in our order; without names all that need no model.
pub fn chosen(only: Option<&[String]>, has_model: bool) -> Result<Vec<Tool>> {
    let Some(only) = only else {
        let runnable = |tool: &Tool| has_model || !tool.needs("{model}");
        return Ok(ALL.iter().copied().filter(runnable).collect());
    };
    if let Some(unknown) = only
        .iter()
        .find(|name| ALL.iter().all(|tool| tool.name() != name.as_str()))
    {
        let known: Vec<&str> = ALL.iter().map(|tool| tool.name()).collect();
        bail!(
            "no tool is called {unknown:?}; there are {}",
            known.join(", ")
        );
    }
    Ok(ALL
        .iter()
        .copied()
        .filter(|tool| only.iter().any(|name| name == tool.name()))
        .collect())
}

/// Builds an example of the crate that reads collections.
pub fn build_example(name: &str) -> Result<()> {
    step(&format!("build {name}"), || {
        let words = "build --release --package twinsift-io --example";
        run(cargo()?.args(words.split(' ')).arg(name))
    })
}

/// Where programs and results are.
pub struct BenchPaths {
    /// Where cargo puts releases.
    release: PathBuf,
    /// Where results and logs go; its content is of no use after a run.
    pub work: PathBuf,
    /// The Python that has the rivals.
    pub python: Option<PathBuf>,
}

impl BenchPaths {
    /// Builds what the tools need.
    pub fn prepare(tools: &[Tool]) -> Result<Self> {
        let metadata = output(cargo()?.args(["metadata", "--format-version", "1", "--no-deps"]))?;
        let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
        let Some(target) = metadata["target_directory"].as_str() else {
            bail!("cargo does not say where it puts things");
        };
        let work = Path::new(target).join("bench");
        fs::create_dir_all(&work)?;
        let is_twinsift = |tool: &Tool| tool.is_ours() && *tool != Tool::Floor;
        if tools.iter().any(is_twinsift) {
            step("build twinsift", || {
                run(cargo()?.args(["build", "--release", "--package", "twinsift-cli"]))
            })?;
        }
        if tools.contains(&Tool::Floor) {
            build_example("floor")?;
        }
        let python = if tools.iter().any(|tool| matches!(tool, Tool::Rival(_))) {
            Some(rivals::PAIRS.prepare()?)
        } else {
            None
        };
        Ok(Self {
            release: Path::new(target).join("release"),
            work,
            python,
        })
    }

    /// An example that was built.
    pub fn example(&self, name: &str) -> PathBuf {
        self.release.join("examples").join(name)
    }

    /// Our program.
    pub fn twinsift(&self) -> PathBuf {
        self.release.join("twinsift")
    }
}

/// What all tools are to do.
pub struct Job<'a> {
    pub paths: &'a BenchPaths,
    pub corpus: &'a Path,
    pub threads: usize,
    pub threshold: f64,
    /// The lexicon of I-Match, in place of the corpus's own.
    pub lexicon: Option<&'a Path>,
    /// A model of `twinsift train andd`.
    pub model: Option<&'a Path>,
}

impl Job<'_> {
    fn lexicon(&self) -> PathBuf {
        match self.lexicon {
            Some(path) => path.to_owned(),
            None => self.paths.work.join("corpus.lexicon"),
        }
    }

    /// Makes what the tools read besides the corpus.
    pub fn make_lexicon(&self, tools: &[Tool]) -> Result<()> {
        if self.lexicon.is_some() || !tools.iter().any(|tool| tool.needs("{lexicon}")) {
            return Ok(());
        }
        step("count the words of the corpus", || {
            let mut command = Command::new(self.paths.twinsift());
            command.arg("lexicon").arg(self.corpus);
            run(command.arg("--quiet").arg("-o").arg(self.lexicon()))
        })
    }

    /// Where a tool puts its pairs.
    pub fn out(&self, tool: Tool) -> PathBuf {
        let end = match tool {
            Tool::Floor | Tool::Twinsift(..) => "jsonl",
            Tool::Signatures(..) => "parquet",
            Tool::Rival(_) => "csv",
        };
        self.paths.work.join(format!("{}.{end}", tool.name()))
    }

    /// Runs a tool once.
    pub fn run(&self, tool: Tool) -> Result<Usage> {
        let out = self.out(tool);
        if out.exists() {
            fs::remove_file(&out)?;
        }
        let words = self.words(tool, self.corpus.as_os_str().into(), out.into())?;
        let log = self.paths.work.join(format!("{}.log", tool.name()));
        measure::separately(&words, self.threads, &log)
    }

    /// A tool's call for the record, with no paths of this machine in it.
    pub fn shown(&self, tool: Tool) -> Vec<String> {
        let words = self.words(tool, "CORPUS".into(), "OUT".into());
        let mut words: Vec<String> = words
            .unwrap_or_default()
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        for word in &mut words {
            if let Some((_, name)) = word.rsplit_once('/') {
                *word = name.to_owned();
            }
        }
        words
    }

    fn words(&self, tool: Tool, corpus: OsString, out: OsString) -> Result<Vec<OsString>> {
        let threads = self.threads.to_string();
        let threshold = self.threshold.to_string();
        let lexicon = self.lexicon().display().to_string();
        let mut words: Vec<OsString> = Vec::new();
        match tool {
            Tool::Floor => {
                words.push(self.paths.example("floor").into());
                words.extend([corpus, "--threads".into(), threads.into()]);
            }
            Tool::Twinsift(_, options) | Tool::Signatures(_, options) => {
                let command = match tool {
                    Tool::Signatures(..) => "signatures",
                    _ => "pairs",
                };
                let model = match self.model {
                    Some(path) => path.display().to_string(),
                    None if tool.needs("{model}") => {
                        bail!("{} needs a model: name one with --model", tool.name())
                    }
                    None => String::new(),
                };
                words.push(self.paths.twinsift().into());
                words.extend([command.into(), corpus]);
                words.extend(options.split(' ').map(|option| {
                    let option = option.replace("{threshold}", &threshold);
                    let option = option.replace("{model}", &model);
                    OsString::from(option.replace("{lexicon}", &lexicon))
                }));
                words.extend(["--threads".into(), threads.into(), "--quiet".into()]);
                words.extend(["-o".into(), out]);
            }
            Tool::Rival(name) => {
                let Some(python) = &self.paths.python else {
                    bail!("the rivals are not installed");
                };
                let script = rivals::folder(&root()?).join(format!("{name}.py"));
                words.extend([python.into(), script.into(), corpus, out, threshold.into()]);
            }
        }
        Ok(words)
    }
}
