//! A real Chromium to look at pages with.
//!
//! A flag alone cannot show a page on a phone's width: windows have a least one.

use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};
use twinsift_render::browser::{Browser, BrowserOptions, Context, Tab};

/// Chromium answers in well under a second, on a busy machine in a few; after
/// this it has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with a page to look at.
pub struct Chromium {
    /// The page that is looked at.
    page: RefCell<Tab>,
    /// An empty page that may do what others forbid.
    elsewhere: RefCell<Tab>,
    _contexts: [Context; 2],
    _browser: Browser,
}

impl Chromium {
    pub fn start() -> Self {
        let flags = ["--hide-scrollbars", "--force-color-profile=srgb"];
        let browser = Browser::start(&BrowserOptions {
            flags: flags.map(str::to_owned).to_vec(),
            ..BrowserOptions::default()
        });
        let browser = browser.unwrap_or_else(|error| {
            panic!("this test needs Chromium, which `cargo xtask test` installs: {error}")
        });
        // Two, so that both are in front.
        let page = browser.open_context().unwrap();
        let elsewhere = browser.open_context().unwrap();
        let chromium = Self {
            page: RefCell::new(page.open_tab().unwrap()),
            elsewhere: RefCell::new(elsewhere.open_tab().unwrap()),
            _contexts: [page, elsewhere],
            _browser: browser,
        };
        chromium.call("Page.enable", json!({}));
        chromium.call("Network.enable", json!({}));
        chromium
    }

    /// Sets the window's width and the colours that the reader prefers.
    pub fn show_as(&self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": scheme}));
    }

    /// Opens a file and waits until it is there; the addresses that it asked for.
    pub fn open(&self, file: &Path) -> Vec<String> {
        let file = file.canonicalize().unwrap();
        let address = format!("file://{}", file.display());
        self.go(&address)
    }

    /// Opens an address and waits until it is there; the other addresses that were asked for.
    pub fn go(&self, address: &str) -> Vec<String> {
        let asked = self.until_loaded(|page| {
            page.ask("Page.navigate", json!({ "url": address }))
                .unwrap();
        });
        asked.into_iter().filter(|url| url != address).collect()
    }

    /// Presses a key and waits until the page that it leads to is there.
    pub fn press(&self, key: &str) -> Vec<String> {
        self.until_loaded(|page| {
            for kind in ["keyDown", "keyUp"] {
                let event = json!({"type": kind, "key": key, "text": key});
                page.ask("Input.dispatchKeyEvent", event).unwrap();
            }
        })
    }

    /// Clicks what a selector finds and waits until the page that it leads to is there.
    pub fn click(&self, selector: &str) -> Vec<String> {
        let found = format!("document.querySelector({})", json!(selector));
        self.until_loaded(|page| {
            let click = json!({ "expression": format!("setTimeout(() => {found}.click())") });
            page.ask("Runtime.evaluate", click).unwrap();
        })
    }

    /// Does something that leads to a page, and waits until that is there; the addresses that
    /// were asked for.
    fn until_loaded(&self, begin: impl FnOnce(&mut Tab)) -> Vec<String> {
        let mut asked = Vec::new();
        let mut page = self.page.borrow_mut();
        // What an earlier page still had to tell.
        while page.next(Instant::now()).unwrap().is_some() {}
        begin(&mut page);
        let deadline = Instant::now() + PATIENCE;
        loop {
            let event = page.next(deadline).unwrap().expect("the page is loaded");
            if event["method"] == "Network.requestWillBeSent" {
                let url = event["params"]["request"]["url"].as_str();
                asked.extend(url.map(str::to_owned));
            }
            if event["method"] == "Page.loadEventFired" {
                break;
            }
        }
        drop(page);
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))");
        asked
    }

    /// The value of a JavaScript expression.
    pub fn evaluate(&self, expression: &str) -> Value {
        evaluate_in(&self.page, expression)
    }

    /// The value of a JavaScript expression, in an empty page: reports forbid
    /// pictures, even those in the file.
    pub fn evaluate_elsewhere(&self, expression: &str) -> Value {
        evaluate_in(&self.elsewhere, expression)
    }

    /// A part of the page that is in view, as PNG in base 64.
    pub fn picture_of(&self, clip: &Value) -> String {
        let how = json!({"format": "png", "clip": clip, "optimizeForSpeed": true});
        let picture = self.call("Page.captureScreenshot", how);
        picture["data"].as_str().unwrap().to_owned()
    }

    /// The whole page, as PNG.
    pub fn whole_picture(&self) -> Vec<u8> {
        let clip = self.evaluate(
            "({x: 0, y: 0, scale: 1, width: document.documentElement.clientWidth, \
             height: document.documentElement.scrollHeight})",
        );
        let how = json!({"format": "png", "clip": clip, "captureBeyondViewport": true});
        decoded(&self.call("Page.captureScreenshot", how)["data"])
    }

    /// The page as it is printed on A4.
    pub fn printed(&self) -> Vec<u8> {
        let paper = json!({"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true});
        decoded(&self.call("Page.printToPDF", paper)["data"])
    }

    fn call(&self, method: &'static str, parameters: Value) -> Value {
        call(&self.page, method, parameters)
    }
}

fn call(page: &RefCell<Tab>, method: &'static str, parameters: Value) -> Value {
    let deadline = Instant::now() + PATIENCE;
    page.borrow_mut()
        .call(method, parameters, deadline)
        .unwrap()
}

fn evaluate_in(page: &RefCell<Tab>, expression: &str) -> Value {
    let how = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
    let answer = call(page, "Runtime.evaluate", how);
    let thrown = &answer["exceptionDetails"];
    assert!(thrown.is_null(), "{expression:.100}: {thrown}");
    answer["result"]["value"].clone()
}

fn decoded(data: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(data.as_str().unwrap()).unwrap()
}
