//! A real Chromium, driven over a pipe.
//!
//! Chromium takes commands as JSON on two file descriptors of its own; a shell
//! puts our pipe there. That needs no port, no driver program and no Node. A
//! flag alone cannot show a page on a phone's width: windows have a least one.

use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = "chromium";

const FLAGS: &str = "--headless --no-sandbox --disable-gpu --no-first-run --disable-sync \
    --disable-background-networking --disable-component-update --disable-dev-shm-usage \
    --hide-scrollbars --force-color-profile=srgb --remote-debugging-pipe";

/// Chromium answers in well under a second, on a busy machine in a few; after
/// this it has hung.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with a page to look at.
pub struct Chromium {
    process: Child,
    commands: RefCell<ChildStdin>,
    answers: Receiver<Value>,
    /// What happened while an answer was awaited.
    events: RefCell<Vec<Value>>,
    last_id: Cell<u64>,
    /// The page that is looked at.
    session: String,
    /// An empty page that may do what others forbid.
    elsewhere: String,
    _profile: TempDir,
}

impl Chromium {
    pub fn start() -> Self {
        assert!(
            is_on_path(PROGRAM),
            "this test needs {PROGRAM}: `cargo xtask test` installs it"
        );
        let profile = TempDir::new().unwrap();
        let script = format!(
            "exec {PROGRAM} {FLAGS} --user-data-dir=\"$1\" 3<&0 4>&1 </dev/null >/dev/null 2>&1"
        );
        let mut process = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, answers) = channel();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while output.read_until(0, &mut message).is_ok_and(|n| n > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else {
                    break;
                };
                if sender.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let mut browser = Self {
            commands: RefCell::new(process.stdin.take().unwrap()),
            process,
            answers,
            events: RefCell::default(),
            last_id: Cell::new(0),
            session: String::new(),
            elsewhere: String::new(),
            _profile: profile,
        };
        (browser.elsewhere, browser.session) = (browser.new_page(), browser.new_page());
        browser.call("Page.enable", json!({}));
        browser.call("Network.enable", json!({}));
        browser
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
        self.events.borrow_mut().clear();
        self.call("Page.navigate", json!({ "url": address }));
        self.wait_for("Page.loadEventFired");
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))");
        let events = self.events.borrow();
        let requests = events
            .iter()
            .filter(|event| event["method"] == "Network.requestWillBeSent");
        requests
            .filter_map(|event| event["params"]["request"]["url"].as_str())
            .filter(|url| **url != address)
            .map(str::to_owned)
            .collect()
    }

    /// The value of a JavaScript expression.
    pub fn evaluate(&self, expression: &str) -> Value {
        self.evaluate_in(&self.session, expression)
    }

    /// The value of a JavaScript expression, in an empty page: reports forbid
    /// pictures, even those in the file.
    pub fn evaluate_elsewhere(&self, expression: &str) -> Value {
        self.evaluate_in(&self.elsewhere, expression)
    }

    fn evaluate_in(&self, page: &str, expression: &str) -> Value {
        let how = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call_in(page, "Runtime.evaluate", how);
        let thrown = &answer["exceptionDetails"];
        assert!(thrown.is_null(), "{expression:.100}: {thrown}");
        answer["result"]["value"].clone()
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

    /// Opens an empty page; its session.
    fn new_page(&self) -> String {
        let page = self.call_in("", "Target.createTarget", json!({"url": "about:blank"}));
        let to = json!({"targetId": page["targetId"], "flatten": true});
        let session = self.call_in("", "Target.attachToTarget", to);
        session["sessionId"].as_str().unwrap().to_owned()
    }

    fn call(&self, method: &str, parameters: Value) -> Value {
        self.call_in(&self.session, method, parameters)
    }

    /// Calls a method of a page, or of the browser where that is empty.
    fn call_in(&self, session: &str, method: &str, parameters: Value) -> Value {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if !session.is_empty() {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let sent = self.commands.borrow_mut().write_all(&bytes);
        sent.unwrap_or_else(|error| panic!("chromium has ended: {error}"));
        loop {
            let answer = self.next(method);
            if answer["id"] == id {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.events.borrow_mut().push(answer);
        }
    }

    fn wait_for(&self, event: &str) {
        let is_it = |value: &Value| value["method"] == event;
        while !self.events.borrow().iter().any(is_it) {
            let next = self.next(event);
            self.events.borrow_mut().push(next);
        }
    }

    fn next(&self, awaited: &str) -> Value {
        let answer = self.answers.recv_timeout(PATIENCE);
        answer.unwrap_or_else(|error| panic!("chromium has not answered {awaited}: {error}"))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn decoded(data: &Value) -> Vec<u8> {
    use base64::Engine as _;
    let engine = base64::engine::general_purpose::STANDARD;
    engine.decode(data.as_str().unwrap()).unwrap()
}

fn is_on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
