//! The invented sites, and the words that each puts around every story.
//!
//! A site's words are always the same: its menu, its pleas and its small print
//! are what makes different stories on one site look alike to a program that
//! takes a page as a whole.

/// How a site writes quotation marks and dashes in its HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// As typographers do, in Unicode.
    Curly,
    /// As typographers do, as character references.
    Entities,
    /// As typewriters do.
    Straight,
}

/// How the story itself is marked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// An `article` of paragraphs.
    Article,
    /// A `div` of paragraphs with a class of the site's own.
    Division,
    /// One block of text with line breaks, as old systems do.
    Breaks,
}

/// A piece of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The notice about cookies.
    Cookies,
    /// The name of the site and its motto.
    Masthead,
    /// The menu.
    Menu,
    /// The story.
    Story,
    /// Links to share the story.
    Share,
    /// Links to other stories.
    Related,
    /// The list of what others read.
    MostRead,
    /// The plea to subscribe.
    Letter,
    /// What the site says about itself.
    About,
    /// What readers say.
    Comments,
    /// The small print.
    Footer,
}

/// A site.
pub(super) struct Site {
    pub(super) name: &'static str,
    pub(super) host: &'static str,
    pub(super) motto: &'static str,
    pub(super) menu: &'static [&'static str],
    pub(super) byline: &'static str,
    pub(super) cookies: &'static str,
    pub(super) letter: &'static str,
    pub(super) about: &'static str,
    pub(super) rules: &'static str,
    pub(super) footer: &'static str,
    pub(super) quotes: Quotes,
    pub(super) body: Body,
    pub(super) layout: &'static [Part],
}

use Part::{
    About, Comments, Cookies, Footer, Letter, Masthead, Menu, MostRead, Related, Share, Story,
};

/// All sites.
pub(super) const ALL: &[Site] = &[
    Site {
        name: "The Kestrel Post",
        host: "kestrelpost.example",
        motto: "News with a keen eye since 1881",
        menu: &[
            "Home",
            "News",
            "Politics",
            "Business",
            "Sport",
            "Opinion",
            "Travel",
            "Puzzles",
            "Obituaries",
        ],
        byline: "By {first} {last}, {section} correspondent",
        cookies: "We and our partners store small files on your device to keep you signed in, to measure how our pages are read and to choose advertisements. You can change your mind at any time in the privacy centre.",
        letter: "Enjoyed this story? The Morning Perch arrives in your inbox at six with the ten things worth knowing. No charge, no clutter, and you can leave whenever you like.",
        about: "The Kestrel Post is owned by its readers through a charitable trust. If you believe we have made a mistake, our corrections desk would like to hear from you.",
        rules: "Comments are read by a moderator before they appear. Please be kind, stay on the subject and sign with a name.",
        footer: "© The Kestrel Post Trust. Terms of use. Privacy. Accessibility. Advertise with us. Careers. Syndication. Registered in Arnbury under number 00482.",
        quotes: Quotes::Curly,
        body: Body::Article,
        layout: &[
            Cookies, Masthead, Menu, Story, Share, Letter, Related, MostRead, Comments, About,
            Footer,
        ],
    },
    Site {
        name: "Harbour Daily",
        host: "harbourdaily.example",
        motto: "The tide, the town, the talk",
        menu: &[
            "Front page",
            "Quayside",
            "Region",
            "Money",
            "Match day",
            "Weather",
            "Tide tables",
            "Jobs",
            "Boats for sale",
        ],
        byline: "{first} {last} | Harbour Daily",
        cookies: "Harbour Daily uses cookies. Carry on reading if that is all right with you, or have a look at what each of them does.",
        letter: "Keep local reporting afloat. For the price of a cup of tea a week you get every story, the tide alerts and the Saturday crossword.",
        about: "Founded by three fishermen and a printer, Harbour Daily has covered the coast for ninety years. Our newsroom above the chandlery is open to visitors on Thursdays.",
        rules: "Have your say below. Abuse will be thrown overboard.",
        footer: "Harbour Daily Ltd, The Old Chandlery. Contact the newsroom. Place a notice. Delivery problems. How we handle complaints. All rights reserved.",
        quotes: Quotes::Straight,
        body: Body::Division,
        layout: &[
            Masthead, Menu, MostRead, Story, Related, Letter, Comments, About, Footer, Cookies,
        ],
    },
    Site {
        name: "Regional Wire",
        host: "regionalwire.example",
        motto: "Copy for newsrooms, around the clock",
        menu: &[
            "Latest",
            "General",
            "Courts",
            "Finance",
            "Sport",
            "Advisories",
            "Clients",
        ],
        byline: "TOWNS DESK (RW)",
        cookies: "This service sets one cookie, to remember your subscription.",
        letter: "Clients may use this text in print and online, with credit, under the terms of the general service. Pictures are sold apart.",
        about: "Queries about this item go to the duty editor, quoting the item number.",
        rules: "Corrections and substitutions are sent under the same item number.",
        footer: "Regional Wire co-operative. Not for publication outside the service area without leave.",
        quotes: Quotes::Straight,
        body: Body::Breaks,
        layout: &[Masthead, Menu, Story, Letter, About, Cookies, Footer],
    },
    Site {
        name: "Uplands Observer",
        host: "uplandsobserver.example",
        motto: "From the fells to the fair",
        menu: &[
            "News",
            "Farming",
            "Villages",
            "Rugby",
            "Schools",
            "Letters",
            "Nostalgia",
            "Announcements",
            "Auction results",
            "Property",
        ],
        byline: "Reporter: {first} {last}",
        cookies: "Your privacy matters to us. We share information about your visit with companies that help us pay our reporters; press accept to agree, or manage to decide for yourself.",
        letter: "Never miss a market report: join four thousand neighbours who get the Uplands Observer bulletin on Tuesdays and Fridays, with livestock prices, planning notices and the walks of the week.",
        about: "Got a story? Ring the newsdesk, write to the editor or stop Moira in the square. We pay for good photographs and never for gossip.",
        rules: "Readers’ comments are their own. Report a comment that breaks our rules with the flag beside it.",
        footer: "Uplands Observer is part of Fellside Weeklies. Website terms. Privacy notice. Competition rules. Complaints procedure. Newspaper archive. Buy a photograph.",
        quotes: Quotes::Entities,
        body: Body::Article,
        layout: &[
            Cookies, Masthead, Menu, Share, Story, Comments, Related, MostRead, Letter, About,
            Footer,
        ],
    },
    Site {
        name: "Metro Lantern",
        host: "metrolantern.example",
        motto: "The city after dark and before breakfast",
        menu: &[
            "City",
            "Transit",
            "Food",
            "Nightlife",
            "Culture",
            "Rent",
            "Podcasts",
        ],
        byline: "words {first} {last}",
        cookies: "Cookies? We bake them for statistics and for ads. Accept all, reject all, or read the recipe.",
        letter: "Lanternlight is our evening letter: one long read, two short ones and a place to eat. Type your address and press the moth.",
        about: "Metro Lantern is made by eleven people in a former tram shed. We take no money from landlords.",
        rules: "Join the conversation. Members’ comments come first.",
        footer: "Metro Lantern. Masthead. Pitch us. Ethics. Members. Merchandise. Made with care beside the canal.",
        quotes: Quotes::Curly,
        body: Body::Division,
        layout: &[
            Menu, Masthead, Story, Share, Letter, Related, Comments, Footer, Cookies,
        ],
    },
    Site {
        name: "County Ledger",
        host: "countyledger.example",
        motto: "Facts, figures, fixtures",
        menu: &[
            "News",
            "Council",
            "Business",
            "Markets",
            "Sport",
            "Notices",
            "Archive",
            "Subscribe",
            "Log in",
        ],
        byline: "By the County Ledger newsroom",
        cookies: "We use technology such as cookies on this site to personalise content and advertising, to provide social media functions and to analyse our traffic. By using the site you consent to this.",
        letter: "You have read four of your five free articles this month. Subscribe for full access from a pound a week, with a discount for students and for households that take the printed paper.",
        about: "The County Ledger is a member of the Independent Press Council and follows its code. To raise a concern, contact the readers’ editor within four months of publication.",
        rules: "Commenting on this article has closed.",
        footer: "County Ledger Newspapers. About us. Contact. Work for us. Advertise. Terms and conditions. Cookie policy. Modern slavery statement. Public notice portal. Reader rewards. Print subscriptions.",
        quotes: Quotes::Entities,
        body: Body::Division,
        layout: &[
            Cookies, Masthead, Menu, Letter, Story, Share, MostRead, Related, About, Comments,
            Footer,
        ],
    },
    Site {
        name: "OpenSquare",
        host: "opensquare.example",
        motto: "Neighbourhood news by neighbours",
        menu: &[
            "Today",
            "Map",
            "Groups",
            "Events",
            "Lost and found",
            "Volunteer",
            "Sign up",
        ],
        byline: "Posted by {first} {last}, member",
        cookies: "OpenSquare keeps no profiles and sells no data. One cookie holds your language.",
        letter: "Like what you see? Post your own story, photograph or event. It takes two minutes and a volunteer editor will help you.",
        about: "OpenSquare is run by volunteers in forty towns. Our servers are paid for by small donations, and our accounts are on the wall for all to read.",
        rules: "Be a good neighbour: no shouting, no selling, no strangers’ secrets.",
        footer: "Text on OpenSquare may be shared freely with credit. Guidelines. Donate. Report a problem. Source code.",
        quotes: Quotes::Straight,
        body: Body::Article,
        layout: &[
            Masthead, Menu, Story, Comments, Related, Letter, About, Cookies, Footer,
        ],
    },
    Site {
        name: "Northern Courier",
        host: "northerncourier.example",
        motto: "The paper of record for the northern shires",
        menu: &[
            "UK",
            "Shires",
            "World",
            "Comment",
            "Business",
            "Science",
            "Law",
            "Sport",
            "Arts",
            "Travel",
            "Food and drink",
            "Crosswords",
            "Shop",
        ],
        byline: "{first} {last} and {first} {last}",
        cookies: "Before you continue: the Northern Courier and carefully selected third parties use cookies for essential functions, for measurement and, with your consent, for advertising tailored to your interests. Your choices apply to this browser only.",
        letter: "Support serious journalism. The Courier has no billionaire behind it and no politician in front of it, only subscribers. Try three months for the price of one, including the app, the archive back to 1834 and the Sunday magazine.",
        about: "More from the Courier: live crosswords at noon, the Long Read podcast on Wednesdays, and walking tours of the old printing works, where our last hot-metal press still runs on the first Saturday of the month.",
        rules: "Subscribers may comment on this article until midnight. Our community team removes remarks that are offensive, commercial or off the point, and its decision is final.",
        footer: "Copyright Northern Courier Media Holdings. Help centre. Contact us. Terms. Privacy. Cookie settings. Editorial code. Complaints. Advertising. Syndication and licences. Jobs. Archive. Newsletter preferences. Site map.",
        quotes: Quotes::Curly,
        body: Body::Division,
        layout: &[
            Cookies, Menu, Masthead, Story, Share, Letter, MostRead, Related, Comments, About,
            Footer,
        ],
    },
    Site {
        name: "Radio Wend",
        host: "radiowend.example",
        motto: "On air, online, on your side",
        menu: &[
            "Listen live",
            "Schedule",
            "News",
            "Sport",
            "Music",
            "Presenters",
            "Win",
        ],
        byline: "Radio Wend newsroom",
        cookies: "We use cookies to make the player work and to count listeners.",
        letter: "Hear more on the Breakfast Show with Dinah and Col, weekdays from six on 98.7 and on your smart speaker: just ask for Radio Wend.",
        about: "Now playing: Solid Gold Hour. Coming up at five: the school run, travel every ten minutes and your dedications.",
        rules: "Text the studio or leave a voice note. Standard network rates apply.",
        footer: "Radio Wend is licensed to serve the Wend valley. Public file. Contest rules. Contact. Download our app.",
        quotes: Quotes::Entities,
        body: Body::Article,
        layout: &[
            Masthead, Menu, About, Story, Share, Letter, MostRead, Cookies, Footer,
        ],
    },
    Site {
        name: "NewsHopper",
        host: "newshopper.example",
        motto: "Everything, from everywhere, in one place",
        menu: &[
            "Top",
            "For you",
            "Local",
            "Business",
            "Sport",
            "Showbiz",
            "Technology",
            "Health",
            "Weird",
            "Video",
            "Shopping",
            "Horoscopes",
        ],
        byline: "Story by newsroom partners",
        cookies: "We value your privacy. With your agreement, we and our 743 partners use precise location data and device scanning, store and access information on a device, and process personal data such as unique identifiers for advertising and audience research.",
        letter: "Turn on notifications and be the first to know. Download the NewsHopper app for breaking news, live scores, videos that everyone is talking about, daily quizzes and unbeatable offers from brands you love.",
        about: "Sponsored: Seven kitchen gadgets that sell out every autumn. Sponsored: Homeowners over fifty are switching to this boiler plan. Sponsored: The shoes that postmen swear by. Sponsored: This simple trick keeps moss off a patio.",
        rules: "Sign in to comment, react with a sticker or follow this topic.",
        footer: "NewsHopper aggregates content from hundreds of publishers. Terms. Privacy. Ad choices. Do not sell my information. Feedback. Publishers. Careers.",
        quotes: Quotes::Straight,
        body: Body::Division,
        layout: &[
            Cookies, Menu, Masthead, About, Story, Related, Letter, MostRead, Comments, Footer,
        ],
    },
    Site {
        name: "The Evening Sentinel",
        host: "eveningsentinel.example",
        motto: "Straight talk at teatime",
        menu: &[
            "News",
            "Crime",
            "Traffic",
            "Football",
            "What’s on",
            "Pets",
            "Family notices",
            "Today’s paper",
        ],
        byline: "{first} {last}, {#4-11}.{#10-59}pm",
        cookies: "This website uses cookies. Some are needed, some help us to improve. Accept or settings.",
        letter: "Get the Sentinel Six: the six stories everyone will talk about tonight, delivered free at a quarter to five.",
        about: "Seen something? Tell our newsdesk in confidence. For home delivery, call your newsagent or our circulation team, weekdays from eight.",
        rules: "Comments close after three days. Moderators are on duty from eight until ten.",
        footer: "The Evening Sentinel is published by Sentinel and Argus Newspapers, Foundry Lane. Contact us. Advertise. Buy a copy. Terms. Privacy. Corrections and clarifications.",
        quotes: Quotes::Curly,
        body: Body::Breaks,
        layout: &[
            Masthead, Menu, Cookies, Share, Story, Comments, MostRead, Letter, About, Footer,
        ],
    },
    Site {
        name: "Plain Report",
        host: "plainreport.example",
        motto: "What happened, and how we know",
        menu: &["Reports", "Data", "Method", "Corrections", "About"],
        byline: "Reported by {first} {last}; checked by {first} {last}",
        cookies: "No cookies, no trackers, no banner after this one.",
        letter: "Plain Report publishes the notes behind each story. Members can read them, question them and add to them.",
        about: "We write down who told us what and when. Where a figure could not be confirmed by a second source, the text says so.",
        rules: "Questions to the reporter are answered in public within two working days.",
        footer: "Plain Report is a non-profit newsroom. Funders. Board. Accounts. Standards.",
        quotes: Quotes::Curly,
        body: Body::Article,
        layout: &[
            Masthead, Menu, Story, About, Letter, Comments, Footer, Cookies,
        ],
    },
];
