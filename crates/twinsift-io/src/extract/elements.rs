//! What the elements of HTML are, by name.

use html5gum::State;

/// What an element does to the text.
pub(super) enum Kind {
    Inline,
    Block,
    Pre,
    Template,
    Select,
    Drawing,
    Raw(State),
}

impl Kind {
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"a" | b"span" | b"b" | b"i" | b"em" | b"strong" | b"img" | b"link" | b"meta" => {
                Kind::Inline
            }
            b"div" | b"p" | b"li" | b"ul" | b"ol" | b"td" | b"th" | b"tr" | b"br" | b"table"
            | b"tbody" | b"thead" | b"tfoot" | b"caption" | b"h1" | b"h2" | b"h3" | b"h4"
            | b"h5" | b"h6" | b"hr" | b"section" | b"article" | b"aside" | b"header"
            | b"footer" | b"nav" | b"main" | b"body" | b"head" | b"html" | b"address"
            | b"blockquote" | b"center" | b"dd" | b"dt" | b"dl" | b"details" | b"dialog"
            | b"dir" | b"fieldset" | b"figcaption" | b"figure" | b"form" | b"frameset"
            | b"hgroup" | b"legend" | b"menu" | b"optgroup" | b"search" | b"summary" => Kind::Block,
            b"pre" | b"listing" => Kind::Pre,
            b"template" => Kind::Template,
            b"select" | b"datalist" => Kind::Select,
            b"svg" => Kind::Drawing,
            b"title" | b"textarea" => Kind::Raw(State::RcData),
            b"script" => Kind::Raw(State::ScriptData),
            b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" | b"noscript" => {
                Kind::Raw(State::RawText)
            }
            b"plaintext" => Kind::Raw(State::PlainText),
            _ => Kind::Inline,
        }
    }
}

/// Whether an element has no content, and so no end tag.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}
