//! Are two pages in one language?

use super::about::{About, Cost, Large};
use twinsift::features::spots::Language;

/// Translations share frame, numbers and names.
pub const ABOUT: About = About {
    name: "same_language",
    definition: "1 if the pages are in one language, told by their stop words, else 0; missing where that tells nothing",
    cost: Cost::Terms,
    large: Large::Alike,
};

/// 1 if the languages are equal, else 0.
pub fn same(a: Language, b: Language) -> f64 {
    f64::from(a == b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinsift::features::spots::Detector;
    use twinsift::tokenise::Tokens;

    #[test]
    fn stop_words_tell() {
        let detector = Detector::default();
        let language = |text: &str| {
            let mut tokens = Tokens::new();
            tokens.read(text);
            detector.language(&tokens)
        };
        let english = language("the bridge is closed on Tuesday for repairs");
        let german = language("die Brücke ist am Dienstag für Arbeiten gesperrt");
        let (english, german) = (english.expect("told"), german.expect("told"));
        assert_eq!(same(english, german), 0.0);
        assert_eq!(same(german, german), 1.0);
        assert_eq!(language("42 17"), None);
    }
}
