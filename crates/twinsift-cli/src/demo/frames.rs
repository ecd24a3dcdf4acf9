//! A story set into the page of a site.
//!
//! The markup is what such sites really send: a head full of tags, furniture
//! before and after the story, some of it fixed, some new on every page
//! (links, lists, readers' comments, counts).

use std::fmt::Write;

use super::chance::Chance;
use super::grammar::{Cast, Grammar};
use super::sites::{Body, Part, Quotes, Site};
use super::stories::{Story, passing_cast, stray_headline};

/// Where and when a story was put on a site.
pub(super) struct Slot<'a> {
    pub(super) site: &'a Site,
    pub(super) url: &'a str,
    pub(super) date: &'a str,
}

/// Makes the page.
pub(super) fn page(
    grammar: &Grammar,
    slot: &Slot<'_>,
    story: &Story,
    chance: &mut Chance,
) -> String {
    let mut cast = passing_cast(grammar, chance);
    cast.set("section", story.section.to_owned());
    let mut frame = Frame {
        grammar,
        slot,
        story,
        cast,
        chance,
        out: String::with_capacity(8 * 1024),
    };
    frame.head();
    frame.line("<body>");
    for part in &slot.site.layout {
        frame.part(*part);
    }
    frame.line("</body>\n</html>");
    frame.out
}

struct Frame<'a> {
    grammar: &'a Grammar,
    slot: &'a Slot<'a>,
    story: &'a Story,
    cast: Cast,
    chance: &'a mut Chance,
    out: String,
}

impl Frame<'_> {
    fn line(&mut self, markup: &str) {
        self.out.push_str(markup);
        self.out.push('\n');
    }

    /// An element with text in it; `tag` may carry attributes.
    fn element(&mut self, tag: &str, text: &str) {
        let name = tag.split(' ').next().unwrap_or(tag);
        let text = set(text, self.slot.site.quotes);
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "<{tag}>{text}</{name}>");
    }

    fn link(&mut self, path: &str, text: &str) {
        let text = set(text, self.slot.site.quotes);
        let _ = write!(self.out, "<a href=\"{path}\">{text}</a>");
    }

    fn words(&mut self, pattern: &str) -> String {
        self.grammar.write(pattern, &mut self.cast, self.chance)
    }

    fn head(&mut self) {
        let site = self.slot.site;
        let title = format!("{} | {}", self.story.headline, site.name);
        self.line("<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">");
        self.element("title", &title);
        let summary = self.story.paragraphs.first().map_or("", String::as_str);
        for (key, value) in [
            ("og:title", self.story.headline.as_str()),
            ("og:site_name", site.name.as_str()),
            ("og:url", self.slot.url),
            ("description", summary),
        ] {
            let value = attribute(value);
            let _ = writeln!(self.out, "<meta name=\"{key}\" content=\"{value}\">");
        }
        let _ = writeln!(
            self.out,
            "<link rel=\"stylesheet\" href=\"/assets/site-{}.css\">",
            self.chance.between(100, 140)
        );
        self.line("<style>.lead { font-weight: bold } nav ul { list-style: none }</style>");
        let _ = writeln!(
            self.out,
            "<script>window.page = {{ section: \"{}\", ab: {} }};</script>\n</head>",
            self.story.section,
            self.chance.below(8)
        );
    }

    fn part(&mut self, part: Part) {
        let site = self.slot.site;
        match part {
            Part::Cookies => {
                self.line("<div id=\"consent\" class=\"banner\" role=\"dialog\">");
                self.element("p", &site.cookies);
                self.line("<button>Accept</button>\n<button>Settings</button>\n</div>");
            }
            Part::Masthead => {
                self.line("<header class=\"masthead\">");
                self.element("div class=\"brand\"", &site.name);
                self.element("div class=\"motto\"", &site.motto);
                self.line("</header>");
            }
            Part::Menu => self.menu(),
            Part::Story => self.story(),
            Part::Share => self.share(),
            Part::Related => self.links("section class=\"related\"", "Related stories", 3, 5),
            Part::MostRead => self.links("aside class=\"popular\"", "Most read", 3, 4),
            Part::Letter => {
                self.line("<aside class=\"signup\">");
                self.element("p", &site.letter);
                self.line("<form action=\"/join\"><input name=\"email\" type=\"email\"><button>Join</button></form>");
                self.line("</aside>");
            }
            Part::About => {
                self.line("<aside class=\"about\">");
                self.element("p", &site.about);
                self.line("</aside>");
            }
            Part::Comments => self.comments(),
            Part::Footer => {
                self.line("<footer>");
                self.element("p", &site.footer);
                self.line("</footer>");
            }
        }
    }

    fn menu(&mut self) {
        self.line("<nav>\n<ul>");
        for entry in &self.slot.site.menu {
            self.out.push_str("<li>");
            self.link(&format!("/{}", slug(entry)), entry);
            self.line("</li>");
        }
        self.line("</ul>\n</nav>");
    }

    fn story(&mut self) {
        let site = self.slot.site;
        let byline = self.words(&site.byline);
        let (open, close) = match site.body {
            Body::Article => ("<article>", "</article>"),
            Body::Division => ("<div class=\"content story-body\">", "</div>"),
            Body::Breaks => ("<div id=\"text\">", "</div>"),
        };
        self.line("<main>");
        let story = self.story;
        self.element("h1", &story.headline);
        self.element("p class=\"byline\"", &byline);
        let date = self.slot.date;
        self.element("time", date);
        self.line(open);
        match site.body {
            Body::Breaks => {
                for paragraph in &story.paragraphs {
                    let text = set(paragraph, site.quotes);
                    let _ = writeln!(self.out, "{text}<br><br>");
                }
            }
            Body::Article | Body::Division => {
                for (at, paragraph) in story.paragraphs.iter().enumerate() {
                    self.element(if at == 0 { "p class=\"lead\"" } else { "p" }, paragraph);
                }
            }
        }
        self.line(close);
        self.line("</main>");
    }

    fn share(&mut self) {
        let count = self.chance.between(3, 980);
        self.line("<div class=\"share\">");
        self.element("span", &format!("{count} shares"));
        for name in ["Share by email", "Copy link", "Print", "Save for later"] {
            self.link("#", name);
        }
        self.line("\n</div>");
    }

    fn links(&mut self, tag: &str, heading: &str, least: usize, most: usize) {
        let name = tag.split(' ').next().unwrap_or(tag);
        self.line(&format!("<{tag}>"));
        self.element("h2", heading);
        self.line("<ul>");
        for _ in 0..self.chance.between(least, most) {
            let headline = stray_headline(self.grammar, self.chance);
            self.out.push_str("<li>");
            self.link(&format!("/{}", slug(&headline)), &headline);
            self.line("</li>");
        }
        self.line("</ul>");
        self.line(&format!("</{name}>"));
    }

    fn comments(&mut self) {
        let count = self.chance.below(4);
        self.line("<section id=\"comments\">");
        self.element("h2", &format!("Comments ({count})"));
        self.element("p", &self.slot.site.rules);
        for _ in 0..count {
            let (name, text) = (self.words("{username}"), self.words("{comment}"));
            let hours = self.chance.between(2, 23);
            self.line("<div class=\"comment\">");
            self.element("b", &name);
            self.element("span", &format!("{hours} hours ago"));
            self.element("p", &text);
            self.line("</div>");
        }
        self.line("</section>");
    }
}

/// Text as HTML, with the site's kind of quotation marks.
fn set(text: &str, quotes: Quotes) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match (letter, quotes) {
            ('&', _) => out.push_str("&amp;"),
            ('<', _) => out.push_str("&lt;"),
            ('“' | '”', Quotes::Straight) => out.push('"'),
            ('’', Quotes::Straight) => out.push('\''),
            ('“', Quotes::Entities) => out.push_str("&ldquo;"),
            ('”', Quotes::Entities) => out.push_str("&rdquo;"),
            ('’', Quotes::Entities) => out.push_str("&rsquo;"),
            ('£', Quotes::Entities) => out.push_str("&pound;"),
            _ => out.push(letter),
        }
    }
    out
}

fn attribute(text: &str) -> String {
    set(text, Quotes::Curly).replace('"', "&quot;")
}

/// A headline as a piece of an address.
pub(super) fn slug(text: &str) -> String {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(8)
        .map(str::to_ascii_lowercase)
        .collect();
    words.join("-")
}
