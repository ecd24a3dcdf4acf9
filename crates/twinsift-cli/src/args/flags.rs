//! Shared flags as single commands take them: those that mean nothing there are not
//! shown, and others say what they mean there.

use clap::Arg;
use clap::builder::PossibleValuesParser;

/// Flags of methods that compare documents in full, which a file of signatures cannot do.
const IN_FULL: [&str; 14] = [
    "candidates",
    "features",
    "weights",
    "similarity",
    "threshold",
    "join",
    "distance",
    "unsigned",
    "spots",
    "language",
    "antecedents",
    "stop_words",
    "min_spots",
    "fallback",
];

/// The flags of `twinsift filter`.
pub fn of_filter(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "method" => arg
            .value_parser(PossibleValuesParser::new([
                "imatch", "supershingles", "exact", "shingles", "spotsigs", "minhash", "simhash", "andd",
            ]))
            .help("How documents are compared [default: imatch, or what KNOWN was signed by]"),
        "lexicon" => arg.help(
            "The lexicon of --method imatch, or of the model: a file of twinsift lexicon, or documents to \
             count [default for imatch: the words of the known documents]",
        ),
        "idf" => arg.help(
            "Only words whose normalised idf, ln(N/df)/ln(N), is in this range count [default: 0.2,0.8]",
        ),
        "format" => arg.help("Read the stream as this format instead of guessing"),
        "candidates" | "unsigned" | "join" => arg.hide(true),
        _ => arg,
    }
}

/// The flags of `twinsift signatures`.
pub fn of_signatures(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        "method" => arg
            .value_parser(PossibleValuesParser::new(["imatch", "supershingles", "exact", "minhash", "andd"]))
            .help("What documents are signed for [default: imatch]"),
        "model" => arg.help("The model of --method andd: a file of twinsift train"),
        "lexicon" => arg.help(
            "The lexicon of --method imatch, which needs one, or of the model: a file of twinsift lexicon, or documents to count",
        ),
        "idf" => arg.help(
            "Only words whose normalised idf, ln(N/df)/ln(N), is in this range count [default: 0.2,0.8]",
        ),
        "bits" => arg.help("Bits of a signature of --method andd, 64 to 4096 [default: 384]"),
        "bands" => arg.help(
            "Bands of min-hashes, of --method minhash and of models of extended Jaccard [default: 128]",
        ),
        "rows" => arg.help("Min-hashes to a band [default: 1]"),
        // How many must be equal, and what is verified, is a matter of comparing them.
        "match" | "no_verify" | "require" | "verify" => arg.hide(true),
        id if IN_FULL.contains(&id) => arg.hide(true),
        _ => arg,
    }
}
