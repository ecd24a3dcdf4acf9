//! The pages that answer one query.

use super::super::chance::Chance;
use super::super::edits;
use super::super::frames::{self, Slot};
use super::super::grammar::Grammar;
use super::super::sites::{self, Site};
use super::super::stories::{self, Story};

/// A page among the results for a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its name, unique within the evaluation.
    pub id: String,
    /// Its address.
    pub url: String,
    /// As it is fetched.
    pub html: String,
    /// As a browser ends up showing it; `None` where that failed.
    pub rendered: Option<String>,
    /// Where the browser ends up.
    pub final_url: String,
    /// What it is, such as `mirror`.
    pub kind: &'static str,
    /// Pages of one class are the same, in the light of the query.
    pub class: usize,
    /// What a judge says of it.
    pub relevance: u8,
    /// What is behind it, if anything: the page that it leads to or has in a frame, with
    /// its address.
    pub behind: Option<(String, String)>,
}

/// A query with its pages.
pub struct Topic {
    pub query: String,
    pub text: String,
    pub pages: Vec<Page>,
}

/// What a page is to a query: its kind, the class of pages that are the same, and its
/// relevance.
#[derive(Clone, Copy)]
struct Role(&'static str, usize, u8);

/// So many pages in a hundred could not be rendered.
const NOT_RENDERED: usize = 8;

pub(super) fn topic(grammar: &Grammar, number: usize, chance: &mut Chance) -> Topic {
    let story = stories::tell(grammar, chance);
    let text = asked(&story.headline);
    let mut order: Vec<usize> = (0..sites::ALL.len()).collect();
    chance.shuffle(&mut order);
    let site = |at: usize| &sites::ALL[order[at % order.len()]];
    let mut maker = Maker {
        grammar,
        number,
        chance,
        pages: Vec::new(),
    };
    let others: Vec<Story> = (0..8).map(|_| maker.tell()).collect();
    maker.copies(site(0), &story, 0, 2);
    // The same story in another paper's dress: related, and not the same page.
    let mut edited = story.clone();
    edits::edit(&mut edited, grammar, maker.chance);
    maker.plain(site(1), &edited, Role("syndicated", 1, 1));
    // Other stories on the same site: the same furniture.
    maker.plain(site(0), &others[0], Role("same site", 2, 0));
    maker.stub(site(0), &others[1], Role("other redirect", 3, 0));
    maker.framed(site(0), &others[2], Role("other frame", 4, 0));
    maker.scripted(site(0), &others[3], Role("other script", 5, 0));
    maker.round_ups(site(2), &story, &others, 6);
    maker.plain(site(3), &others[6], Role("elsewhere", 9, 0));
    Topic {
        query: format!("{:03}", number + 1),
        text,
        pages: maker.pages,
    }
}

/// What somebody who wants the story would type: telling words of its headline.
fn asked(headline: &str) -> String {
    let words = headline.split(|c: char| !c.is_alphanumeric());
    let mut words: Vec<&str> = words.filter(|word| word.len() >= 5).collect();
    words.truncate(3);
    match words.is_empty() {
        true => headline.to_lowercase(),
        false => words.join(" ").to_lowercase(),
    }
}

struct Maker<'a> {
    grammar: &'a Grammar,
    number: usize,
    chance: &'a mut Chance,
    pages: Vec<Page>,
}

impl Maker<'_> {
    fn tell(&mut self) -> Story {
        stories::tell(self.grammar, self.chance)
    }

    /// The page of a story as its site sends it.
    fn dressed(&mut self, site: &Site, story: &Story, url: &str) -> String {
        let slot = Slot {
            site,
            url,
            date: "14 March 2024",
        };
        frames::page(self.grammar, &slot, story, self.chance)
    }

    fn address(&self, site: &Site, story: &Story) -> String {
        format!(
            "https://www.{}/{}/{}-{}.html",
            site.host,
            story.section,
            frames::slug(&story.headline),
            self.number
        )
    }

    fn add(&mut self, page: Page) {
        let id = format!("q{:03}-{:02}", self.number + 1, self.pages.len() + 1);
        let fails = self.chance.percent(NOT_RENDERED);
        self.pages.push(Page {
            id,
            rendered: page.rendered.filter(|_| !fails),
            ..page
        });
    }

    /// A page that a browser shows as it was fetched.
    fn plain(&mut self, site: &Site, story: &Story, role: Role) {
        let url = self.address(site, story);
        let html = self.dressed(site, story, &url);
        self.add(shown(url, html, role));
    }

    /// Every kind of copy of a page.
    fn copies(&mut self, site: &Site, story: &Story, class: usize, relevance: u8) {
        let role = |kind| Role(kind, class, relevance);
        let url = self.address(site, story);
        let html = self.dressed(site, story, &url);
        self.add(shown(url.clone(), html.clone(), role("original")));
        let mirror = url.replace(&site.host, &format!("mirror-{}", site.host));
        let mirrored = html.replace(&site.host, &format!("mirror-{}", site.host));
        self.add(shown(mirror, mirrored, role("mirror")));
        // The same page an hour later: other links, lists and comments.
        let later = self.dressed(site, story, &url);
        let again = format!("{url}?from=home");
        self.add(shown(again, later, role("later")));
        let for_paper = format!("{url}?print=1");
        let html = printed(site, story);
        self.add(shown(for_paper, html, role("print")));
        self.stub(site, story, role("redirect"));
        self.framed(site, story, role("frame"));
        self.scripted(site, story, role("script"));
    }

    /// A page that sends the browser on at once. What is fetched is much the same for
    /// all stories of a site.
    fn stub(&mut self, site: &Site, story: &Story, role: Role) {
        let target = format!("{}?from=mail", self.address(site, story));
        let number = self.chance.between(100_000, 999_999);
        let url = format!("https://go.{}/r/{number}", site.host);
        // Some lead on by themselves, some by a script.
        let (by_itself, by_script) = match number % 2 {
            0 => (
                format!("<meta http-equiv=\"refresh\" content=\"0; url={target}\">"),
                String::new(),
            ),
            _ => (
                String::new(),
                format!("<script>location.replace(\"{target}\")</script>"),
            ),
        };
        let html = format!(
            "<html><head><title>{name}</title>{by_itself}</head><body><p>{name}: {motto}</p><p>One moment, please. {about}</p><p><a href=\"{target}\">Go on</a></p>{by_script}</body></html>",
            name = site.name,
            motto = site.motto,
            about = site.about,
        );
        let rendered = self.dressed(site, story, &target);
        self.add(Page {
            final_url: target.clone(),
            rendered: Some(rendered.clone()),
            behind: Some((target, rendered)),
            ..shown(url, html, role)
        });
    }

    /// A page that is a shell around a frame.
    fn framed(&mut self, site: &Site, story: &Story, role: Role) {
        let number = self.chance.between(100_000, 999_999);
        let url = format!("https://www.{}/reader/{number}", site.host);
        let inner = format!("https://www.{}/text/{number}.html", site.host);
        let shell = |content: &str| {
            format!(
                "<html><head><title>{name} reader</title></head><body><h1>{name}</h1><p>{letter}</p>{content}<p>{footer}</p></body></html>",
                name = site.name,
                letter = site.letter,
                footer = site.footer,
            )
        };
        let framed = printed(site, story);
        let html = shell(&format!("<iframe src=\"{inner}\"></iframe>"));
        let rendered = shell(&bare(site, story));
        self.add(Page {
            rendered: Some(rendered),
            behind: Some((inner, framed)),
            ..shown(url, html, role)
        });
    }

    /// A page whose text is put in by a script.
    fn scripted(&mut self, site: &Site, story: &Story, role: Role) {
        let number = self.chance.between(100_000, 999_999);
        let url = format!("https://app.{}/story/{number}", site.host);
        let shell = |content: &str, script: &str| {
            format!(
                "<html><head><title>{name}</title></head><body><div id=\"top\">{name}</div><div id=\"story\">{content}</div><p>{rules}</p>{script}</body></html>",
                name = site.name,
                rules = site.rules,
            )
        };
        let text = article(story);
        let packed = serde_json::to_string(&text.replace("</", "<\\/")).unwrap_or_default();
        let script = format!(
            "<script>document.getElementById('story').innerHTML = {}</script>",
            packed.replace("\\\\/", "\\/")
        );
        let rendered = shell(&text, "");
        self.add(Page {
            rendered: Some(rendered),
            ..shown(url, shell("", &script), role)
        });
    }

    /// Round-ups of several stories. Three have the story that was asked for, among other
    /// news; two more are all but equal to one of them, but for that story.
    fn round_ups(&mut self, site: &Site, story: &Story, others: &[Story], class: usize) {
        let [a, b, c, d, e, f, g, h] = &others[..8] else {
            return;
        };
        let note = format!(
            "Readers who look for “{}” will find it in an earlier issue.",
            story.headline
        );
        let [x, y] = [e, h].map(|other| {
            let mut other = other.clone();
            other
                .paragraphs
                .insert(other.paragraphs.len() / 2, note.clone());
            other
        });
        let issues = [
            (Role("round-up", class, 1), [a, b, story, c, d]),
            (Role("other news", class, 1), [f, b, story, g, d]),
            (Role("more news", class, 1), [b, f, story, a, g]),
            (Role("other story", class + 1, 0), [a, b, &x, c, d]),
            (Role("another story", class + 2, 0), [f, b, &y, g, d]),
        ];
        for (role, stories) in issues {
            let number = self.chance.between(100_000, 999_999);
            let url = format!("https://www.{}/week/{number}", site.host);
            let html = round_up(site, &stories);
            self.add(shown(url, html, role));
        }
    }
}

/// A page that a browser shows as it was fetched.
fn shown(url: String, html: String, Role(kind, class, relevance): Role) -> Page {
    Page {
        id: String::new(),
        final_url: url.clone(),
        url,
        rendered: Some(html.clone()),
        html,
        kind,
        class,
        relevance,
        behind: None,
    }
}

fn article(story: &Story) -> String {
    let paragraphs: String = story
        .paragraphs
        .iter()
        .map(|text| format!("<p>{text}</p>\n"))
        .collect();
    format!("<h2>{}</h2>\n{paragraphs}", story.headline)
}

/// A story and the little that goes with it on paper.
fn bare(site: &Site, story: &Story) -> String {
    format!("{}<p>{}</p>", article(story), site.footer)
}

fn printed(site: &Site, story: &Story) -> String {
    format!(
        "<html><head><title>{} - {}</title></head><body>{}</body></html>",
        story.headline,
        site.name,
        bare(site, story)
    )
}

fn round_up(site: &Site, stories: &[&Story]) -> String {
    let articles: String = stories.iter().map(|story| article(story)).collect();
    format!(
        "<html><head><title>The week in {}</title></head><body><h1>The week in {}</h1><ul>{}</ul>{articles}<p>{}</p></body></html>",
        site.name,
        site.name,
        site.menu
            .iter()
            .map(|entry| format!("<li>{entry}</li>"))
            .collect::<String>(),
        site.footer
    )
}
