//! Antecedents and stop words by language.
//!
//! Antecedents mark natural-language text: they are frequent in sentences and rare
//! in menus and advertisements. The SpotSigs paper found that in English articles
//! and the forms of *be, can, will, have, do* do best. For the languages that we
//! know, these are their counterparts; where a language has no articles,
//! demonstratives and relative pronouns stand in. Other languages use all of their
//! stop words as antecedents, which the paper found to be the second-best choice.
//!
//! Stop words come from the lists of the `stop-words` crate. Antecedents are always
//! stop words too, so that a chain never holds one.
//!
//! **Languages without spaces** are cut into overlapping pairs of characters. There,
//! an antecedent of one character stands wherever a pair begins with it, and a pair
//! is a stop word if it holds one. Chinese and Japanese have such lists of function
//! characters; Thai has short function words, which are pairs themselves. Lao, Khmer
//! and Burmese have no lists: their documents have no spots, and are counted and
//! listed like any other document with too few.

use serde::{Deserialize, Serialize};

/// A language that has lists, by its ISO 639-1 code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub struct Language(u8);

struct Entry {
    code: &'static str,
    name: &'static str,
    /// Separated by spaces; empty: all stop words.
    antecedents: &'static str,
    /// Further stop words.
    stop_words: &'static str,
}

const fn entry(
    code: &'static str,
    name: &'static str,
    antecedents: &'static str,
    stop_words: &'static str,
) -> Entry {
    Entry {
        code,
        name,
        antecedents,
        stop_words,
    }
}

/// English comes first: it wins ties.
static ENTRIES: &[Entry] = &[
    entry(
        "en",
        "English",
        "a an the is are was were can could will would have has had do does did",
        "be been being am may might must shall should",
    ),
    entry(
        "de",
        "German",
        "der die das den dem des ein eine einen einem einer eines ist sind war waren wird werden \
         wurde wurden kann können konnte konnten will wollen wollte wollten hat haben hatte hatten \
         tut tun tat",
        "sei seien wäre wären worden geworden müssen sollen dürfen darf beim am bereits",
    ),
    entry(
        "fr",
        "French",
        "le la les l un une des est sont était étaient sera seront fut furent peut peuvent pouvait \
         pouvaient pourra pourrait va vont veut veulent a ont avait avaient aura auront fait font \
         faisait",
        "si plus comme mais donc ni car cette cet ces quand où dont sans sous entre aussi tout tous \
         toute toutes",
    ),
    entry(
        "es",
        "Spanish",
        "el la los las un una unos unas es son era eran fue fueron está están estaba estaban será \
         serán puede pueden podía podían podrá podría ha han había habían tiene tienen tenía tenían \
         hace hacen hizo hacía",
        "si ser aunque pues según mientras cada",
    ),
    entry(
        "it",
        "Italian",
        "il lo la i gli le l un uno una è sono era erano fu furono sarà saranno sta stanno può \
         possono poteva potevano potrà potrebbe vuole vogliono ha hanno aveva avevano avrà fa fanno \
         faceva",
        "essere avere fare potere dopo prima quando mentre dal fra ancora già",
    ),
    entry(
        "pt",
        "Portuguese",
        "o a os as um uma uns umas é são era eram foi foram está estão estava estavam será serão \
         pode podem podia podiam poderá poderia vai vão tem têm tinha tinham há havia faz fazem fez",
        "sobre após onde ainda cada",
    ),
    entry(
        "nl",
        "Dutch",
        "de het een is zijn was waren wordt worden werd werden kan kunnen kon konden zal zullen zou \
         zouden wil willen wilde heeft hebben had hadden doet doen deed",
        "moeten mag mogen hadden waar wanneer terwijl volgens",
    ),
    entry(
        "ru",
        "Russian",
        "это этот эта эти этого этой этих этом был была было были быть будет будут есть является \
         являются может могут мог могла могли имеет имеют стал стала стали который которая которое \
         которые которого которой которых котором",
        "также как так из за под между среди однако",
    ),
    entry(
        "da",
        "Danish",
        "en et den det de er var bliver blev kan kunne vil ville skal skulle har havde gør gjorde",
        "",
    ),
    entry(
        "sv",
        "Swedish",
        "en ett den det de är var blir blev kan kunde vill ville ska skulle har hade gör gjorde",
        "",
    ),
    entry(
        "no",
        "Norwegian",
        "en et ei den det de er var blir ble kan kunne vil ville skal skulle har hadde gjør gjorde",
        "",
    ),
    entry(
        "zh",
        "Chinese",
        "的 是 了 在 和 有 也 就 都 而 及 与 與 被 把 对 對 将 將 这 這 为 為",
        "不 我 你 他 她 它 们 們 个 個 之 以 于 於 或 其 那 到 说 說 要 上 中 从 從 但",
    ),
    entry(
        "ja",
        "Japanese",
        "は が を に の で と も へ",
        "し た て い る な か ら れ さ す よ り こ そ あ う",
    ),
    entry(
        "th",
        "Thai",
        "ที่ ก็ มี นี้ จะ ว่า ให้ ไม่ ได้ ใน กับ แต่ คือ ขอ แล กา เป็",
        "",
    ),
    entry("ar", "Arabic", "", ""),
    entry("az", "Azerbaijani", "", ""),
    entry("be", "Belarusian", "", ""),
    entry("bn", "Bengali", "", ""),
    entry("ca", "Catalan", "", ""),
    entry("el", "Greek", "", ""),
    entry("eu", "Basque", "", ""),
    entry("fi", "Finnish", "", ""),
    entry("he", "Hebrew", "", ""),
    entry("hu", "Hungarian", "", ""),
    entry("id", "Indonesian", "", ""),
    entry("kk", "Kazakh", "", ""),
    entry("ne", "Nepali", "", ""),
    entry("ro", "Romanian", "", ""),
    entry("sl", "Slovenian", "", ""),
    entry("sq", "Albanian", "", ""),
    entry("ta", "Tamil", "", ""),
    entry("tg", "Tajik", "", ""),
    entry("tr", "Turkish", "", ""),
    entry("uz", "Uzbek", "", ""),
];

impl Language {
    /// All languages that have lists; English first.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..ENTRIES.len() as u8).map(Self)
    }

    /// The language with this code, such as `de`.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::all().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    fn entry(self) -> &'static Entry {
        &ENTRIES[usize::from(self.0)]
    }

    /// Its place among [`all`](Self::all).
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its ISO 639-1 code.
    pub fn code(self) -> &'static str {
        self.entry().code
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Whether words run together, so that tokens are pairs of characters.
    pub fn is_unspaced(self) -> bool {
        matches!(self.code(), "zh" | "ja" | "th")
    }

    /// The built-in antecedents.
    pub fn antecedents(self) -> Vec<&'static str> {
        match self.entry().antecedents {
            "" => self.stop_words(),
            own => own.split_whitespace().collect(),
        }
    }

    /// The built-in stop words, sorted; they include the antecedents.
    pub fn stop_words(self) -> Vec<&'static str> {
        // Lists of words do not fit tokens that are pairs of characters.
        let listed = match self.is_unspaced() {
            true => &[][..],
            false => stop_words::lookup(self.code()).unwrap_or_default(),
        };
        let own = self.entry();
        let mut words: Vec<&str> = listed
            .iter()
            .copied()
            .chain(own.antecedents.split_whitespace())
            .chain(own.stop_words.split_whitespace())
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

impl From<Language> for &'static str {
    fn from(language: Language) -> Self {
        language.code()
    }
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        Self::of_code(&code).ok_or_else(|| {
            let known: Vec<&str> = Self::all().map(Self::code).collect();
            format!(
                "there are no lists for the language \"{code}\": there are {}",
                known.join(", ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenise::Tokens;

    #[test]
    fn every_language_has_lists_and_every_antecedent_is_one_token() {
        let mut tokens = Tokens::new();
        for language in Language::all() {
            let code = language.code();
            assert_eq!(Language::of_code(code), Some(language));
            assert!(language.stop_words().len() > 10, "{code}");
            for word in language.entry().antecedents.split_whitespace() {
                tokens.read(word);
                assert_eq!(tokens.len(), 1, "{word} in {code}");
                assert!(language.stop_words().contains(&word));
            }
        }
    }

    #[test]
    fn a_code_goes_through_serde_and_a_wrong_one_is_named() {
        let german: Language = serde_json::from_str("\"de\"").expect("known");
        assert_eq!(german.name(), "German");
        assert_eq!(serde_json::to_string(&german).expect("a code"), "\"de\"");
        let wrong = serde_json::from_str::<Language>("\"xx\"").expect_err("unknown");
        assert!(wrong.to_string().contains("\"xx\": there are en, de"));
    }
}
