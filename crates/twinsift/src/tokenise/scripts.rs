//! Which scripts put no spaces between words.

/// Whether words of this character's script run together: Han, kana, Thai, Lao,
/// Myanmar, Khmer, Tai scripts and their neighbours. Korean is written with spaces.
pub(crate) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0e00}'..='\u{0eff}'         // Thai, Lao
        | '\u{1000}'..='\u{109f}'       // Myanmar
        | '\u{1780}'..='\u{17ff}'       // Khmer
        | '\u{1950}'..='\u{19ff}'       // Tai Le, New Tai Lue, Khmer symbols
        | '\u{1a20}'..='\u{1aaf}'       // Tai Tham
        | '\u{2e80}'..='\u{2fdf}'       // Han radicals
        | '\u{3005}'..='\u{3007}'       // iteration mark, zero
        | '\u{3021}'..='\u{3029}'       // Hangzhou numerals
        | '\u{3040}'..='\u{30ff}'       // Hiragana, Katakana
        | '\u{3100}'..='\u{312f}'       // Bopomofo
        | '\u{31a0}'..='\u{31bf}'       // Bopomofo extended
        | '\u{31f0}'..='\u{31ff}'       // Katakana extensions
        | '\u{3400}'..='\u{4dbf}'       // Han extension A
        | '\u{4e00}'..='\u{9fff}'       // Han
        | '\u{a9e0}'..='\u{a9ff}'       // Myanmar extended B
        | '\u{aa60}'..='\u{aadf}'       // Myanmar extended A, Tai Viet
        | '\u{f900}'..='\u{faff}'       // Han compatibility
        | '\u{ff66}'..='\u{ff9f}'       // half-width Katakana
        | '\u{1b000}'..='\u{1b16f}'     // kana supplements
        | '\u{20000}'..='\u{3ffff}'     // Han extensions B and on
    )
}
