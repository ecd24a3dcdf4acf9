//! What is around every page.

use twinsift_server::html::text;

/// The parts of a review, and where they are.
const PARTS: [(&str, &str); 4] = [
    ("/", "Overview"),
    ("/groups", "Groups"),
    ("/question", "Questions"),
    ("/learning", "Learning"),
];

/// A page.
#[derive(Debug, Default)]
pub(crate) struct Page {
    /// Its heading.
    pub(crate) title: String,
    /// The part that it belongs to, by its address.
    pub(crate) part: &'static str,
    /// What it shows.
    pub(crate) main: String,
    /// After how many seconds it is asked for again.
    pub(crate) refresh: Option<u32>,
}

impl Page {
    /// The page as HTML.
    pub(crate) fn html(&self) -> String {
        let title = text(&self.title);
        let refresh = self.refresh.map_or_else(String::new, |seconds| {
            format!("<meta http-equiv=\"refresh\" content=\"{seconds}\">\n")
        });
        let links: String = PARTS
            .map(|(address, name)| {
                let current = if address == self.part {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                format!("<li><a href=\"{address}\"{current}>{name}</a></li>\n")
            })
            .concat();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{refresh}\
             <title>{title} · twinsift review</title>\n\
             <link rel=\"stylesheet\" href=\"/style.css\">\n\
             <script src=\"/script.js\" defer></script>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#main\">To the content</a>\n\
             <header>\n<span class=\"brand\">twinsift review</span>\n\
             <nav aria-label=\"Parts of the review\">\n<ul>\n{links}</ul>\n</nav>\n</header>\n\
             <main id=\"main\" tabindex=\"-1\">\n<h1>{title}</h1>\n{}</main>\n</body>\n</html>\n",
            self.main
        )
    }
}

/// Why there is nothing to see.
pub(crate) fn refused(sentence: &str) -> String {
    let page = Page {
        title: "This was refused".to_owned(),
        main: format!("<p>{}</p>\n", text(sentence)),
        ..Page::default()
    };
    page.html()
}

/// What is being done, while there is nothing to see yet.
pub(crate) fn waiting(title: &str, part: &'static str, doing: &str, more: &str) -> Page {
    Page {
        title: title.to_owned(),
        part,
        main: format!(
            "<p role=\"status\" class=\"doing\">{}.</p>\n<p class=\"faint\">{more}\
             This page asks again every second.</p>\n",
            text(doing)
        ),
        refresh: Some(1),
    }
}

/// A button that changes something, in a form of its own.
pub(crate) fn button(
    form_token: &str,
    action: &str,
    fields: &[(&str, &str)],
    button: &str,
) -> String {
    let hidden: String = fields
        .iter()
        .map(|(name, value)| {
            format!(
                "<input type=\"hidden\" name=\"{name}\" value=\"{}\">\n",
                text(value)
            )
        })
        .collect();
    format!(
        "<form method=\"post\" action=\"{action}\">\n\
         <input type=\"hidden\" name=\"form\" value=\"{form_token}\">\n{hidden}{button}\n</form>\n"
    )
}
