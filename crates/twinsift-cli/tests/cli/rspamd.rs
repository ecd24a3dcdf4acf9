//! The walk-through of the guide for mail operators, with the real rspamd: campaigns are learnt
//! and recognised by `rspamc`, mail passes while the service is gone, and what was acknowledged
//! before a crash is known after it.

use super::Folder;
use super::docs::markdown::{repository, text};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// As the guide makes it.
const RECIPE: &str =
    r#"{"method":"shingles","k":3,"similarity":"cosine","threshold":0.4,"fold":true}"#;

const CAMPAIGN: &str = "Dear friend, I represent a large bank and have an urgent proposal for you. \
    Eight million dollars rest on an account whose owner has died, and nobody claims them. \
    Send your account number and telephone to me, and half of the sum is yours.";

/// The same with words disguised and swapped, among others.
const VARIANT: &str = "The meeting about the roof was moved once more. Dear friend, I rep.resent a \
    large b@nk and have an urgnet proposal for you. Eight million d0llars rest on an account \
    whose ow-ner has died, and nobody claims them. Send your acocunt number and fax to me, and \
    half of the sum is yours.";

const UNRELATED: &str = "Shall we meet at noon behind the old market for soup and bread? \
    The minutes of last week are in the shared folder, and the plumber comes at three.";

/// A rule that ends the scan of some mails before others are asked.
const DECIDES: &str = r#"
rspamd_config:register_symbol({
  name = 'DECIDES',
  type = 'prefilter',
  callback = function(task)
    if task:get_subject() == 'decided' then
      task:set_pre_result('no action', 'decided')
    end
  end,
})
"#;

/// So long a mail may take where the service does not answer: the plugin waits two seconds, so
/// that a busy machine answers within them, and rspamd itself eight.
const IN_TIME: Duration = Duration::from_secs(7);

/// The longest that a program may take to start.
const START: Duration = Duration::from_secs(60);

#[test]
fn campaigns_are_learnt_and_recognised_and_survive_a_crash() {
    assert!(text("GUIDE.md").contains(RECIPE));
    let folder = Folder::new();
    let keys = make_keys(&folder);
    let mut service = Service::start(&folder, "127.0.0.1:0");
    let made = service.ask("PUT /collections/campaigns", RECIPE, &keys.admin);
    assert_eq!(made.0, 201, "{}", made.1);
    let rspamd = Rspamd::start(&folder, &service.address, &keys);
    folder.add("known.eml", mail("known", CAMPAIGN));
    folder.add("variant.eml", mail("variant", VARIANT));
    folder.add("unrelated.eml", mail("unrelated", UNRELATED));

    // Nothing is known at first; then a message is reported.
    assert_eq!(rspamd.symbols("variant.eml", &[]), "");
    let learnt = rspamd.symbols("known.eml", &["--header", "Twinsift-Learn=advance-fee"]);
    assert_eq!(learnt, "TWINSIFT_LEARNED[advance-fee, known@mail.example]");
    let (status, record) = service.record("known@mail.example", &keys);
    assert_eq!(
        (status, &record["label"]),
        (200, &Value::from("advance-fee"))
    );
    assert!(record["expires"].is_string(), "{record}");

    // A variant has its symbol, other mail has none.
    let recognised = "TWINSIFT_CAMPAIGN[advance-fee, known@mail.example, 0.";
    let found = rspamd.symbols("variant.eml", &[]);
    assert!(found.starts_with(recognised), "{found}");
    assert_eq!(rspamd.symbols("unrelated.eml", &[]), "");

    // A report is learnt also where another rule ends the scan.
    folder.add(
        "decided.eml",
        mail("decided", &VARIANT.replace(' ', " not ")),
    );
    let learnt = rspamd.symbols("decided.eml", &["--header", "Twinsift-Learn=none"]);
    assert_eq!(learnt, "TWINSIFT_LEARNED[none, decided@mail.example]");
    assert_eq!(rspamd.symbols("decided.eml", &[]), "");

    // A service that hangs, and one that is gone, cost no mail and little time; a report says
    // that it was not learnt.
    service.signal("STOP");
    assert_eq!(rspamd.symbols("variant.eml", &[]), "");
    service.signal("CONT");
    service.kill();
    assert_eq!(rspamd.symbols("variant.eml", &[]), "");
    let refused = rspamd.symbols("unrelated.eml", &["--header", "Twinsift-Learn=none"]);
    assert!(refused.starts_with("TWINSIFT_LEARN_FAILED"), "{refused}");
    let log = rspamd.log();
    assert!(log.contains("twinsift: no answer: IO timeout"), "{log}");
    assert!(
        log.contains("twinsift: no answer: IO write error: Connection refused"),
        "{log}"
    );

    // The service is killed while it learns: what was acknowledged is there.
    let mut service = Service::start(&folder, &service.address);
    let learnt = learn_and_kill(&folder, &rspamd, &mut service, &keys);
    let service = Service::start(&folder, &service.address);
    for id in &learnt {
        let (status, record) = service.record(id, &keys);
        let label = record["label"].as_str();
        assert_eq!((status, label), (200, Some("reported")), "{id}: {record}");
    }
    let found = rspamd.symbols("variant.eml", &[]);
    assert!(found.starts_with(recognised), "{found}\n{}", rspamd.log());
    let last = learnt.last().unwrap().split('@').next().unwrap();
    let again = rspamd.symbols(&format!("reports/{last}.eml"), &[]);
    assert!(
        again.starts_with("TWINSIFT_CAMPAIGN[reported, "),
        "{again}\n{}",
        rspamd.log()
    );
}

/// Mails are learnt only for programs at the addresses of `learn_ips`.
#[test]
fn a_stranger_cannot_have_mail_learnt() {
    let folder = Folder::new();
    let keys = make_keys(&folder);
    let service = Service::start(&folder, "127.0.0.1:0");
    let made = service.ask("PUT /collections/campaigns", RECIPE, &keys.admin);
    assert_eq!(made.0, 201, "{}", made.1);
    folder.add(
        "rspamd/override.d/twinsift.conf",
        "learn_ips = [\"127.0.0.99\"];\n",
    );
    let rspamd = Rspamd::start(&folder, &service.address, &keys);
    folder.add("known.eml", mail("known", CAMPAIGN));
    let learn = ["--header", "Twinsift-Learn=advance-fee"];
    assert_eq!(rspamd.symbols("known.eml", &learn), "");
    assert_eq!(service.record("known@mail.example", &keys).0, 404);
    let log = rspamd.log();
    assert!(log.contains("twinsift: not learnt: 127.0.0.1,"), "{log}");
}

/// Has many mails learnt, kills the service on the way, and says which were acknowledged.
fn learn_and_kill(
    folder: &Folder,
    rspamd: &Rspamd<'_>,
    service: &mut Service,
    keys: &Keys,
) -> Vec<String> {
    for number in 0..600 {
        let id = format!("report-{number}");
        let text: String = (0..40).fold(String::new(), |mut text, word| {
            write!(text, "w{} ", (number * 40 + word) * 7919 % 100_003).unwrap();
            text
        });
        folder.add(&format!("reports/{id}.eml"), mail(&id, &text));
    }
    let label = ["--header", "Twinsift-Learn=reported"];
    let mut learning = rspamd.rspamc("reports", &label);
    let learning = learning.stdout(Stdio::piped()).spawn().unwrap();
    wait_for("learning", || {
        let (_, shown) = service.ask("GET /collections/campaigns", "", &keys.admin);
        let shown: Value = serde_json::from_str(&shown).unwrap();
        shown["documents"].as_u64().unwrap() > 40
    });
    service.kill();
    let output = learning.wait_with_output().unwrap();
    let results = String::from_utf8(output.stdout).unwrap();
    let learnt: Vec<String> = results
        .lines()
        .filter_map(|line| line.strip_prefix("Symbol: TWINSIFT_LEARNED "))
        .map(|line| {
            let (_, id) = line.trim_end_matches(']').rsplit_once(", ").unwrap();
            id.to_owned()
        })
        .collect();
    let failed = results.matches("TWINSIFT_LEARN_FAILED").count();
    assert!(failed > 0, "the service was killed too late");
    assert!(learnt.len() > 10, "{results}");
    assert_eq!(learnt.len() + failed, 600, "{results}");
    learnt
}

fn mail(id: &str, text: &str) -> String {
    format!(
        "From: a@mail.example\nTo: b@mail.example\nSubject: {id}\nMessage-ID: <{id}@mail.example>\n\
         Date: Tue, 01 Sep 2020 10:00:00 +0000\nMIME-Version: 1.0\n\
         Content-Type: text/plain; charset=utf-8\n\n{text}\n"
    )
}

struct Keys {
    admin: String,
    read: String,
    write: String,
}

/// Keys as an operator makes them, and their file.
fn make_keys(folder: &Folder) -> Keys {
    let mut stored = String::new();
    let mut make = |args: &str| {
        let ran = folder.run(&format!("serve keygen {args}")).ok();
        let mut lines = ran.text().lines();
        let key = lines.next().unwrap().to_owned();
        writeln!(stored, "{}", lines.next().unwrap()).unwrap();
        key
    };
    let keys = Keys {
        admin: make("--name operator --right admin"),
        read: make("--name rspamd --right read --collection campaigns"),
        write: make("--name reports --right write --collection campaigns"),
    };
    folder.add("keys", stored);
    keys
}

/// `twinsift serve`, which is killed at the end.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start(folder: &Folder, address: &str) -> Self {
        let args = [
            "serve",
            "collections",
            "--keys",
            "keys",
            "--listen",
            address,
            "-q",
        ];
        let mut child = folder.command(&args).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let address = line.strip_prefix("listening on http://");
        let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        // What else it says is read, so that it never waits for that.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// The status and body that a request is answered with.
    fn ask(&self, request: &str, body: &str, key: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Authorization: Bearer {key}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn record(&self, id: &str, keys: &Keys) -> (u16, Value) {
        let request = format!("GET /collections/campaigns/documents/{id}");
        let (status, body) = self.ask(&request, "", &keys.read);
        (status, serde_json::from_str(&body).unwrap())
    }

    fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        kill.args([&format!("-{name}"), &self.child.id().to_string()]);
        assert!(kill.status().unwrap().success());
    }

    /// As `kill -9` does.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The daemon with the plugin and little else, in a folder of its own.
struct Rspamd<'f> {
    child: Child,
    address: String,
    folder: &'f Folder,
}

impl<'f> Rspamd<'f> {
    fn start(folder: &'f Folder, service: &str, keys: &Keys) -> Self {
        let packaged = repository("packaging/rspamd");
        for (file, place) in [
            ("twinsift.conf", "modules.d"),
            ("twinsift.lua", "plugins.d"),
        ] {
            let text = fs::read(packaged.join(file)).unwrap();
            folder.add(&format!("rspamd/{place}/{file}"), text);
        }
        let Keys { read, write, .. } = keys;
        let settings = format!(
            "url = \"http://{service}\";\ncollection = \"campaigns\";\nkey = \"{read}\";\n\
             learn_key = \"{write}\";\nlearn_ttl = 90d;\npause = 0.1;\ntimeout = 2.0;\n"
        );
        folder.add("rspamd/local.d/twinsift.conf", settings);
        folder.add("rspamd/suffixes", "example\n");
        folder.add("rspamd/decides.lua", DECIDES);
        // A port may be taken between the moment it is found free and its use.
        for _ in 0..5 {
            if let Some(started) = Self::try_start(folder) {
                return started;
            }
        }
        panic!("{}", folder.text("rspamd/log"));
    }

    fn try_start(folder: &'f Folder) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        let config = format!(
            r#"options {{
  filters = "";
  disable_hyperscan = true;
  pidfile = "$RUNDIR/pid";
  control_socket = "$RUNDIR/control mode=0600";
  cache_file = "$DBDIR/symbols.cache";
  hs_cache_dir = "$DBDIR/";
  tempdir = "$RUNDIR";
  url_tld = "$CONFDIR/suffixes";
  dns {{ nameserver = ["127.0.0.1:9"]; }}
}}
logging {{ type = "console"; level = "info"; }}
worker "normal" {{ bind_socket = "{address}"; count = 1; }}
lua = "$CONFDIR/decides.lua";
modules {{ path = "$LOCAL_CONFDIR/plugins.d/"; }}
.include "$CONFDIR/modules.d/twinsift.conf"
"#
        );
        folder.add("rspamd/rspamd.conf", config);
        let home = folder.path("rspamd");
        let log = File::create(home.join("log")).unwrap();
        let mut command = Command::new("rspamd");
        // As root, it would else look for a user to become, who could not read the folder.
        command.args(["--no-fork", "--insecure", "--config"]);
        command.arg(home.join("rspamd.conf"));
        for name in ["CONFDIR", "LOCAL_CONFDIR", "DBDIR", "RUNDIR", "LOGDIR"] {
            command.arg(format!("--var={name}={}", home.display()));
        }
        command.stdin(Stdio::null());
        command.stdout(log.try_clone().unwrap()).stderr(log);
        let child = command
            .spawn()
            .unwrap_or_else(|error| panic!("rspamd: {error}; Debian has it in the package rspamd"));
        let mut started = Self {
            child,
            address,
            folder,
        };
        let mut is_up = false;
        wait_for("rspamd", || {
            is_up = TcpStream::connect(&started.address).is_ok();
            is_up || started.child.try_wait().unwrap().is_some()
        });
        is_up.then_some(started)
    }

    /// `rspamc` on a file or folder.
    fn rspamc(&self, path: &str, args: &[&str]) -> Command {
        let mut rspamc = Command::new("rspamc");
        rspamc.args(["--connect", &self.address]).args(args);
        rspamc.arg(self.folder.path(path));
        rspamc
    }

    /// The plugin's symbol for a mail with its options, without its score; nothing if there is
    /// none. The mail is never rejected, and never late.
    fn symbols(&self, mail: &str, args: &[&str]) -> String {
        let start = Instant::now();
        let output = self.rspamc(mail, args).output().unwrap();
        let took = start.elapsed();
        let results = String::from_utf8(output.stdout).unwrap();
        let log = self.log();
        assert!(results.contains("Action: no action"), "{results}\n{log}");
        assert!(took < IN_TIME, "{took:?}\n{log}");
        let symbols = results
            .lines()
            .filter_map(|line| line.strip_prefix("Symbol: "));
        let ours = symbols.filter(|line| line.starts_with("TWINSIFT"));
        let shown = ours.map(|line| {
            let (name, rest) = line.split_once(" (").unwrap();
            format!("{name}{}", &rest[rest.find('[').unwrap()..])
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    fn log(&self) -> String {
        String::from_utf8_lossy(&self.folder.read("rspamd/log")).into_owned()
    }
}

impl Drop for Rspamd<'_> {
    fn drop(&mut self) {
        // Its own processes end with it if it is asked, and not if it is killed.
        let id = self.child.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &id]).status();
        let _ = self.child.wait();
    }
}

fn wait_for(what: &str, mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < START, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}
