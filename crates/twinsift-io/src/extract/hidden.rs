//! Which elements a reader does not see, by what their tags say.
//!
//! `display: none` and `visibility: hidden` of inline styles, `hidden`,
//! `aria-hidden="true"` (which is how pages mark the overlays that their style sheets
//! hide) and a `<dialog>` that is not `open`. Style sheets are not read. What a reader
//! finds by searching or unfolds is text: `hidden="until-found"`, `<details>`. So is what
//! is in a hidden `<html>` or `<body>`: scripts will show that.
//!
//! There is no tree. From the tag of a hidden element on, open elements are kept on a
//! stack until that element ends: by its end tag, or by what ends it without one, as the
//! next `<p>` does. Wherever only a tree could tell (an end tag of something that was
//! open before, nesting without end) the hidden element is taken to have ended: it is
//! worse to lose a page behind an element that is not closed than to count a few words
//! too many.

use super::elements::{Kind, is_void};

/// No page for readers nests deeper within a hidden element.
const DEEPEST: usize = 128;

/// The longest name of an attribute that matters: `aria-hidden`.
const LONGEST_NAME: usize = 11;

/// Whether an element's text is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    Seen,
    /// By `visibility`, which elements within may undo.
    Invisible,
    /// For good.
    Gone,
}

/// What the attributes of a tag say.
#[derive(Debug, Default)]
pub(super) struct Claims {
    name: Vec<u8>,
    value: Vec<u8>,
    /// Whether the value matters.
    wanted: bool,
    anything: bool,
    hidden: Option<bool>,
    aria_hidden: Option<bool>,
    open: bool,
    style: Option<Style>,
}

impl Claims {
    /// Makes ready for another tag.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.name.clear();
        self.value.clear();
        self.wanted = false;
        if self.anything {
            *self = Self {
                name: std::mem::take(&mut self.name),
                value: std::mem::take(&mut self.value),
                ..Self::default()
            };
        }
    }

    #[inline]
    pub(super) fn push_name(&mut self, bytes: &[u8]) {
        // Of longer names, enough to tell that they are longer.
        if self.name.len() <= LONGEST_NAME {
            self.name.extend_from_slice(bytes);
        }
    }

    #[inline]
    pub(super) fn push_value(&mut self, bytes: &[u8]) {
        if self.value.is_empty() && !self.wanted {
            self.wanted = matches!(&self.name[..], b"style" | b"hidden" | b"aria-hidden");
        }
        if self.wanted {
            self.value.extend_from_slice(bytes);
        }
    }

    /// Takes note of the attribute whose name and value were pushed. Of two with one
    /// name, the first counts.
    #[inline]
    pub(super) fn end_attribute(&mut self) {
        match &self.name[..] {
            b"style" => {
                self.style.get_or_insert_with(|| Style::parse(&self.value));
            }
            b"hidden" => {
                let findable = self.value.eq_ignore_ascii_case(b"until-found");
                self.hidden.get_or_insert(!findable);
            }
            b"aria-hidden" => {
                let is_true = self.value.trim_ascii().eq_ignore_ascii_case(b"true");
                self.aria_hidden.get_or_insert(is_true);
            }
            b"open" => self.open = true,
            _ => {
                self.name.clear();
                return;
            }
        }
        self.anything = true;
        self.wanted = false;
        self.name.clear();
        self.value.clear();
    }

    /// How an element with these attributes is seen, within another.
    fn view(&self, name: &[u8], parent: View) -> View {
        let is_dialog = name == b"dialog";
        let says_nothing = !self.anything && !is_dialog;
        if says_nothing || parent == View::Gone || matches!(name, b"html" | b"body") {
            return parent;
        }
        let style = self.style.unwrap_or_default();
        // A style is stronger than an attribute.
        let is_displayed = style.is_displayed.unwrap_or_else(|| {
            let is_closed = is_dialog && !self.open;
            !is_closed && self.hidden != Some(true)
        });
        match style.is_visible {
            _ if !is_displayed || self.aria_hidden == Some(true) => View::Gone,
            Some(true) => View::Seen,
            Some(false) => View::Invisible,
            None => parent,
        }
    }
}

/// What an inline style says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Style {
    is_displayed: Option<bool>,
    is_visible: Option<bool>,
}

impl Style {
    /// Reads declarations: the last one counts, of important ones if there are any.
    fn parse(text: &[u8]) -> Self {
        let mut style = Self::default();
        let mut important = [false; 2];
        for declaration in text.split(|&byte| byte == b';') {
            let Some(colon) = declaration.iter().position(|&byte| byte == b':') else {
                continue;
            };
            let name = declaration[..colon].trim_ascii();
            let value = declaration[colon + 1..].trim_ascii();
            let (value, is_important) = match value.iter().position(|&byte| byte == b'!') {
                Some(mark) => (value[..mark].trim_ascii_end(), true),
                None => (value, false),
            };
            let (slot, at, is_shown) = if name.eq_ignore_ascii_case(b"display") {
                let is_none = value.eq_ignore_ascii_case(b"none");
                (&mut style.is_displayed, 0, Some(!is_none))
            } else if name.eq_ignore_ascii_case(b"visibility") {
                let is = |word: &[u8]| value.eq_ignore_ascii_case(word);
                let is_shown = match () {
                    () if is(b"hidden") || is(b"collapse") => Some(false),
                    () if is(b"inherit") || is(b"unset") => None,
                    () => Some(true),
                };
                (&mut style.is_visible, 1, is_shown)
            } else {
                continue;
            };
            if is_important || !important[at] {
                *slot = is_shown;
                important[at] = is_important;
            }
        }
        style
    }
}

/// An element within a hidden one, or that one itself.
#[derive(Debug)]
struct Open {
    name: Vec<u8>,
    view: View,
    /// Whether it is more than a part of a line: end tags of inline elements do not
    /// end it.
    is_block: bool,
}

impl Open {
    fn is(&self, names: &[&[u8]]) -> bool {
        names.contains(&&self.name[..])
    }
}

/// What is hidden at the present place of a page.
#[derive(Debug)]
pub(super) struct Hidden {
    /// Whether anything is to be hidden.
    is_asked: bool,
    /// From the outermost hidden element inwards; empty outside of any.
    open: Vec<Open>,
    /// Whether a `<p>` was open where the outermost hidden element began.
    in_paragraph: bool,
    /// Whether there was any within.
    has_paragraph: bool,
    hid_text: bool,
}

const HEADINGS: [&[u8]; 6] = [b"h1", b"h2", b"h3", b"h4", b"h5", b"h6"];
const CELLS: [&[u8]; 2] = [b"td", b"th"];
const SECTIONS: [&[u8]; 4] = [b"tbody", b"thead", b"tfoot", b"caption"];

/// What is open beyond these is not ended by what is within.
fn is_barrier(name: &[u8]) -> bool {
    CELLS.contains(&name) || matches!(name, b"table" | b"caption" | b"object" | b"template")
}

fn is_around_rows(name: &[u8]) -> bool {
    matches!(
        name,
        b"tbody" | b"thead" | b"tfoot" | b"table" | b"template"
    )
}

impl Hidden {
    pub(super) fn new(is_asked: bool) -> Self {
        Self {
            is_asked,
            open: Vec::new(),
            in_paragraph: false,
            has_paragraph: false,
            hid_text: false,
        }
    }

    #[inline]
    pub(super) fn is_hiding(&self) -> bool {
        self.view() != View::Seen
    }

    #[inline]
    fn view(&self) -> View {
        self.open.last().map_or(View::Seen, |open| open.view)
    }

    /// Whether any text was hidden.
    pub(super) fn hid_text(&self) -> bool {
        self.hid_text
    }

    pub(super) fn note_text(&mut self, bytes: &[u8]) {
        if !self.hid_text && self.is_hiding() {
            self.hid_text = !bytes.iter().all(u8::is_ascii_whitespace);
        }
    }

    /// Ends what the start of an element ends. Comes before [`start`](Self::start).
    #[inline]
    pub(super) fn before_start(&mut self, name: &[u8], kind: &Kind) {
        let is_block = ends_paragraphs(name, kind);
        if !self.open.is_empty() {
            self.end_implied(name, is_block);
        }
        if self.open.is_empty() && is_block {
            self.in_paragraph = name == b"p";
        }
    }

    /// An element begins.
    #[inline]
    pub(super) fn start(&mut self, name: &[u8], claims: &Claims) {
        let view = claims.view(name, self.view());
        if self.open.is_empty() && (view == View::Seen || !self.is_asked) {
            return;
        }
        if is_void(name) || matches!(name, b"html" | b"head" | b"body") {
            return;
        }
        if self.open.len() == DEEPEST {
            return self.open.clear();
        }
        // Since the outermost began.
        self.has_paragraph = name == b"p" || self.has_paragraph && !self.open.is_empty();
        self.open.push(Open {
            name: name.to_vec(),
            view,
            is_block: is_block(name, &Kind::of(name)),
        });
    }

    /// The innermost open element with one of these names, if no barrier is
    /// further in; else whether one is.
    fn find(&self, names: &[&[u8]], is_barrier: fn(&[u8]) -> bool) -> Result<usize, bool> {
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.is(names) {
                return Ok(at);
            }
            if is_barrier(&open.name) {
                return Err(true);
            }
        }
        Err(false)
    }

    /// Ends the innermost of these; if it can only be further out than what is hidden,
    /// everything.
    fn end_innermost(&mut self, names: &[&[u8]], is_barrier: fn(&[u8]) -> bool) {
        match self.find(names, is_barrier) {
            Ok(at) => self.open.truncate(at),
            Err(true) => {}
            Err(false) => self.open.clear(),
        }
    }

    fn end_implied(&mut self, name: &[u8], is_block: bool) {
        match name {
            b"td" | b"th" => {
                return self.end_innermost(&CELLS, |name| name == b"tr" || is_around_rows(name));
            }
            b"tr" => {
                return self.end_innermost(&[b"tr"], is_around_rows);
            }
            b"tbody" | b"thead" | b"tfoot" | b"caption" => {
                return self
                    .end_innermost(&SECTIONS, |name| matches!(name, b"table" | b"template"));
            }
            b"a" | b"button" => {
                if let Ok(at) = self.find(&[name], is_barrier) {
                    self.open.truncate(at);
                }
                return;
            }
            _ if !is_block => return,
            b"li" => self.end_item(&[b"li"]),
            b"dd" | b"dt" => self.end_item(&[b"dd", b"dt"]),
            _ => {}
        }
        if self.in_paragraph || self.has_paragraph {
            self.end_paragraph();
        }
        if HEADINGS.contains(&name) && self.open.last().is_some_and(|open| open.is(&HEADINGS)) {
            self.open.pop();
        }
    }

    /// Ends the innermost paragraph, within what is hidden or around it.
    fn end_paragraph(&mut self) {
        match self.find(&[b"p"], |name| name == b"button" || is_barrier(name)) {
            Ok(at) => self.open.truncate(at),
            Err(false) if self.in_paragraph => self.open.clear(),
            Err(_) => {}
        }
    }

    /// The next item of a list ends the one before, though not that of a list around it.
    fn end_item(&mut self, items: &[&[u8]]) {
        for (at, open) in self.open.iter().enumerate().rev() {
            if open.is(items) {
                return self.open.truncate(at);
            }
            if open.is_block && !open.is(&[b"address", b"div", b"p"]) {
                return;
            }
        }
        self.open.clear();
    }

    /// An element ends.
    #[inline]
    pub(super) fn end(&mut self, name: &[u8], kind: &Kind) {
        let is_block = is_block(name, kind);
        if !self.open.is_empty() {
            self.end_named(name, is_block);
        }
        if self.open.is_empty() && is_block {
            self.in_paragraph = false;
        }
    }

    fn end_named(&mut self, name: &[u8], is_block: bool) {
        let headings = &HEADINGS[..];
        let same = [name];
        let names = match HEADINGS.contains(&name) {
            true => headings,
            false => &same,
        };
        match name {
            b"br" => {}
            b"table" | b"tbody" | b"thead" | b"tfoot" | b"tr" | b"td" | b"th" | b"caption" => {
                let at = self.open.iter().rposition(|open| open.is(names));
                let table = self.open.iter().rposition(|open| open.is(&[b"table"]));
                match (at, table) {
                    (Some(at), table) if table.is_none_or(|table| at >= table) => {
                        self.open.truncate(at);
                    }
                    (_, Some(_)) => {}
                    _ => self.open.clear(),
                }
            }
            b"p" => self.end_paragraph(),
            b"li" => self.end_innermost(names, |name| {
                matches!(name, b"ul" | b"ol") || is_barrier(name)
            }),
            _ if is_block => self.end_innermost(names, is_barrier),
            _ => {
                let is_bounded = !is_formatting(name);
                let found = self.open.iter().rposition(|open| {
                    let is_bound = is_bounded && open.is_block;
                    is_bound || open.is(names)
                });
                match found {
                    Some(at) if self.open[at].is(names) => self.open.truncate(at),
                    None if !self.open.iter().any(|open| open.is_block) => self.open.clear(),
                    _ => {}
                }
            }
        }
    }
}

/// Whether the start of an element ends a paragraph.
#[inline]
fn ends_paragraphs(name: &[u8], kind: &Kind) -> bool {
    matches!(kind, Kind::Block | Kind::Pre) && name != b"br"
}

#[inline]
fn is_block(name: &[u8], kind: &Kind) -> bool {
    match kind {
        Kind::Inline => matches!(name, b"button" | b"object"),
        Kind::Drawing => false,
        _ => true,
    }
}

/// Elements that end where they are told to, whatever is open within them.
fn is_formatting(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"b"
            | b"big"
            | b"code"
            | b"em"
            | b"font"
            | b"i"
            | b"nobr"
            | b"s"
            | b"small"
            | b"strike"
            | b"strong"
            | b"tt"
            | b"u"
    )
}

#[cfg(test)]
mod tests {
    use super::super::html::extract;
    use twinsift::hash::Stream;

    fn text(html: &str) -> String {
        extract(html).text.replace('\n', " ")
    }

    /// What is hidden is called `no`, and what is seen has letters.
    #[track_caller]
    fn seen(html: &str, expected: &str) {
        assert_eq!(text(html), expected, "{html}");
    }

    #[test]
    fn attributes_and_inline_styles_hide() {
        for hidden in [
            "hidden",
            "hidden=''",
            "HIDDEN=hidden",
            "hidden=false",
            "style='display:none'",
            "style='color: red; DISPLAY : None ;'",
            "style='display:none!important;display:block'",
            "style='display:block;display:none'",
            "style='visibility:hidden'",
            "style=visibility:collapse",
            "aria-hidden=true",
            "aria-hidden=\"true\" style='display:block'",
            "class=x hidden id=y",
            "style='display&colon;none'",
        ] {
            for name in ["div", "span", "p", "x-y", "a", "table", "svg", "button"] {
                seen(
                    &format!("a<{name} {hidden}>no</{name}>b c"),
                    match name {
                        "div" | "p" | "table" => "a b c",
                        _ => "ab c",
                    },
                );
            }
        }
        for shown in [
            "style='display:block'",
            "style='display:none;display:block'",
            "hidden style='display:block'",
            "style='x-display:none'",
            "style='display:'",
            "style='display'",
            "style=''",
            "aria-hidden=false",
            "aria-hidden",
            "hidden=until-found",
            "data-hidden=true",
            "title='hidden' class='hidden'",
            "style='display:block' style='display:none'",
        ] {
            seen(&format!("a <i {shown}>b</i> c"), "a b c");
        }
    }

    #[test]
    fn visibility_is_undone_within_and_display_is_not() {
        seen(
            "<div style='visibility:hidden'>no<b style='visibility:visible'>a<i>b</i></b>no<i>no</i></div>c",
            "ab c",
        );
        seen(
            "<div hidden>no<b style='visibility:visible;display:block'>no</b></div>c",
            "c",
        );
        seen(
            "<div style='visibility:hidden'><p style='visibility:inherit'>no</div>c",
            "c",
        );
    }

    #[test]
    fn what_scripts_will_show_is_text() {
        seen("<body style='display:none'><p>a", "a");
        seen("<html hidden><body>a</body></html>", "a");
        // Nothing would be left.
        seen("<div style='visibility:hidden'><p>a</div>", "a");
        seen("<title>t</title><div hidden> a </div> ", "a");
        seen("<details><summary>a</summary>b</details>", "a b");
    }

    #[test]
    fn dialogs_are_closed_unless_they_say_otherwise() {
        seen("a<dialog>no</dialog>b", "a b");
        seen("a<dialog open>b</dialog>c", "a b c");
        seen("a<dialog style='display:block'>b</dialog>c", "a b c");
    }

    #[test]
    fn void_elements_hide_nothing() {
        seen("a<input type=hidden hidden value=no>b", "ab");
        seen("a<img hidden><br style='display:none'>b", "a b");
        seen("a<hr hidden>b<wbr hidden>c", "a bc");
        seen("<div hidden>no<br><img>no<input></div>a", "a");
        seen(
            "<?xml version='1.0'?><html>a<div hidden='hidden'/>b<p/>c</html>",
            "a b c",
        );
        // To a browser, in HTML, that is a start tag.
        seen("a<div><div hidden/>no</div></div>b", "a b");
        seen("<svg hidden><path/><g><text>no</text></g></svg>a", "a");
        seen("a<svg hidden/>b<svg><g hidden/><text>c</text></svg>", "abc");
    }

    #[test]
    fn nested_elements_of_one_name() {
        seen("<div hidden>no<div>no<div>no</div>no</div>no</div>a", "a");
        seen("<span hidden>no<span>no</span>no</span>a", "a");
        seen("<div hidden><p>no<p>no</p></p>no</div>a", "a");
        seen("<div hidden><b>no</i>no</b></span>no</div>a", "a");
        seen("<div hidden><h2>no</h3>no</div>a", "a");
        seen("<span hidden><div>no</div>no</span>a", "a");
        seen("<ul hidden><li>no<li>no<ul><li>no</ul>no</li></ul>a", "a");
        seen("<table hidden><tr><td>no<td>no<tr><td>no</table>a", "a");
        seen(
            "<div hidden><table><tr><td>no</div>no</table>no</div>a",
            "a",
        );
        seen("<div hidden><script>'</div>'</script>no</div>a", "a");
        seen("<div hidden><select><option>no</select>no</div>a", "a");
        seen("<div hidden><template></div></template>no</div>a", "a");
    }

    /// However a page leaves out end tags, what follows counts.
    #[test]
    fn an_unclosed_hidden_element_does_not_swallow_the_page() {
        seen("<p hidden>no<p>a", "a");
        seen("<p hidden>no<b>no<div>a</div>", "a");
        seen("<div><p hidden>no</div>a", "a");
        seen("<p hidden>no<h1>a", "a");
        seen("<h2 hidden>no<h3>a", "a");
        seen("<ul><li hidden>no<li>a</ul>b", "a b");
        seen("<ul><li hidden>no<ul><li>no</ul><li>a</ul>", "a");
        seen("<ul><li><span hidden>no<li>a</ul>", "a");
        seen("<ul><li><div hidden>no<li>a</ul>", "a");
        seen("<dl><dt hidden>no<dd>a</dl>", "a");
        seen(
            "<table><tr><td hidden>no<td>a<tr hidden><td>no<tr><td>b</table>",
            "a b",
        );
        seen("<table><tr><td><span hidden>no</td><td>a</table>", "a");
        seen(
            "<table><tbody hidden><tr><td>no<tbody><tr><td>a</table>",
            "a",
        );
        seen("<table><tr><td hidden>no</table>a", "a");
        seen("<p><span hidden>no</p>a", "a");
        seen("<p><span hidden>no<div>a</div>", "a");
        seen("<p><span hidden>no<p>a", "a");
        seen("<section><div hidden>no</section>a", "a");
        seen("<span><b hidden>no</span>a", "a");
        seen("<a hidden>no<a>a</a>", "a");
        seen("<b hidden>no<p>no</b>a", "a");
        seen("<button hidden>no<button>a</button>", "a");
        seen("<div hidden>no</body>a", "a");
        seen("<li><span hidden>no</li>a", "a");
        let deep = format!("<div hidden>no{}a", "<div>".repeat(300));
        seen(&deep, "a");
    }

    #[test]
    fn hostile_nesting_takes_no_time() {
        let start = std::time::Instant::now();
        for page in [
            format!("{}a", "<div hidden>".repeat(50_000)),
            format!(
                "<div hidden>{}{}",
                "<b>".repeat(120),
                "</x>".repeat(200_000)
            ),
            format!("<div hidden><p>{}", "<div></p>".repeat(50_000)),
            "<p hidden>x".repeat(50_000),
            format!("a{}", "<i hidden style='display:none'>".repeat(50_000)),
        ] {
            extract(&page);
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(60));
    }

    /// Hiding only ever takes text away, and where nothing is hidden, nothing.
    #[test]
    fn what_is_seen_is_a_part_of_all_text() {
        let names = "p div span li td tr table b a ul h1 button dl dd select svg template";
        let names: Vec<&str> = names.split(' ').collect();
        let says = [
            "",
            "",
            "",
            " hidden",
            " style='visibility:hidden'",
            " style='visibility:visible'",
        ];
        let mut stream = Stream::new(1);
        let mut next = |below: usize| stream.next_value() as usize % below;
        for round in 0..20_000 {
            let (mut page, mut plain) = (String::new(), String::new());
            for word in 0..next(30) {
                let name = names[next(names.len())];
                let says = if round % 4 == 0 {
                    ""
                } else {
                    says[next(says.len())]
                };
                let (with, without) = match next(3) {
                    0 => (format!("<{name}{says}>"), format!("<{name}>")),
                    1 => (format!("</{name}>"), format!("</{name}>")),
                    _ => (format!(" w{word} "), format!(" w{word} ")),
                };
                page += &with;
                plain += &without;
            }
            let (some, all) = (extract(&page).text, extract(&plain).text);
            let mut words = all.split_whitespace();
            assert!(
                some.split_whitespace()
                    .all(|one| words.any(|word| word == one)),
                "{page}"
            );
            if !page.contains("hidden") {
                assert_eq!(some, all, "{page}");
            }
        }
    }
}
