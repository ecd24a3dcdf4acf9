//! Who may do what.

use super::{BRIDGE, Client, Folder, Running, document};
use serde_json::Value;
use twinsift_server::{Keys, Options, Right, Server, make_key};

/// A server with the collections "mail" and "news", and keys.
struct Guarded {
    running: Running,
    keys: Vec<String>,
    _folder: Folder,
}

const READ_MAIL: usize = 0;
const WRITE_MAIL: usize = 1;
const READ: usize = 2;
const ADMIN: usize = 3;

impl Guarded {
    fn new() -> Self {
        let folder = Folder::new();
        let mail = ["mail".to_owned()];
        let made = [
            make_key("read-mail", Right::Read, &mail),
            make_key("write-mail", Right::Write, &mail),
            make_key("reader", Right::Read, &[]),
            make_key("admin", Right::Admin, &[]),
        ];
        let (keys, lines): (Vec<_>, Vec<_>) = made.into_iter().map(Result::unwrap).unzip();
        let path = folder.0.path().join("keys");
        std::fs::write(&path, format!("# keys\n\n{}\n", lines.join("\n"))).unwrap();
        let running = folder.serve_with(|options| {
            options.keys = Some(Keys::open(&path).unwrap());
        });
        let guarded = Self {
            running,
            keys,
            _folder: folder,
        };
        for name in ["mail", "news"] {
            let path = format!("/collections/{name}");
            assert_eq!(guarded.client(ADMIN).put(&path, "").status, 201);
        }
        guarded
    }

    fn client(&self, key: usize) -> Client {
        self.running.client().with_key(&self.keys[key])
    }
}

#[test]
fn without_a_key_only_what_is_no_secret_is_answered() {
    let guarded = Guarded::new();
    let description: Value = serde_json::from_str(&twinsift_server::openapi()).unwrap();
    let mut seen = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        let is_open = path.starts_with("/health") || path == "/openapi.json";
        for method in operations.as_object().unwrap().keys() {
            let line = format!("{} {path}", method.to_uppercase());
            let line = line.replace("{name}", "mail").replace("{id}", "a");
            for key in [None, Some("ts_wrong"), Some("")] {
                let client = guarded.running.client();
                let mut client = match key {
                    None => client,
                    Some(key) => client.with_key(key),
                };
                let reply = client.send(&line, "content-type: application/json\r\n", "{}");
                let expected = if is_open { 200 } else { 401 };
                assert_eq!(reply.status, expected, "{line}: {reply:?}");
                if !is_open {
                    reply.refusal();
                    assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
                }
            }
            seen += 1;
        }
    }
    assert!(seen >= 13, "{seen}");
}

#[test]
fn a_key_allows_its_right_on_its_collections() {
    let guarded = Guarded::new();
    let body = document("a", BRIDGE);
    // Each with what the keys get for it, in their order.
    let table = [
        ("GET /collections/mail", "", [200, 200, 200, 200]),
        ("GET /collections/news", "", [403, 403, 200, 200]),
        ("GET /collections/none", "", [403, 403, 404, 404]),
        ("DELETE /collections/none", "", [403, 403, 403, 404]),
        ("PUT /collections/mail", "", [403, 403, 403, 200]),
        (
            "POST /collections/mail/documents",
            &*body,
            [403, 200, 403, 200],
        ),
        (
            "POST /collections/news/documents",
            &*body,
            [403, 403, 403, 200],
        ),
        (
            "GET /collections/mail/documents/a",
            "",
            [200, 200, 200, 200],
        ),
        ("POST /collections/mail/query", &*body, [200, 200, 200, 200]),
        (
            "POST /collections/mail/query?learn=true",
            &*body,
            [403, 200, 403, 200],
        ),
        (
            "POST /collections/mail/query?renew=true",
            &*body,
            [403, 200, 403, 200],
        ),
        ("POST /collections/news/query", &*body, [403, 403, 200, 200]),
        (
            "DELETE /collections/news/documents/b",
            "",
            [403, 403, 403, 404],
        ),
        ("GET /metrics", "", [403, 403, 200, 200]),
    ];
    for (line, body, expected) in table {
        let kind = "content-type: application/json\r\n";
        let statuses = [READ_MAIL, WRITE_MAIL, READ, ADMIN];
        let statuses = statuses.map(|key| guarded.client(key).send(line, kind, body).status);
        assert_eq!(statuses, expected, "{line}");
    }
    // What is there and what is not is refused alike.
    let [there, not] = ["news", "none"].map(|name| {
        guarded
            .client(READ_MAIL)
            .get(&format!("/collections/{name}"))
            .body
    });
    assert_eq!(there, not);
    let listed = guarded.client(READ_MAIL).get("/collections").json();
    assert_eq!(listed["collections"].as_array().unwrap().len(), 1);
}

#[test]
fn pages_take_the_key_as_a_password() {
    let guarded = Guarded::new();
    let asked = guarded.running.client().get("/");
    assert_eq!(asked.status, 401);
    assert!(
        asked
            .header("www-authenticate")
            .unwrap()
            .starts_with("Basic")
    );
    // A browser sends a password by itself, so it opens nothing but pages.
    let basic = base64::Engine::encode(
        &base64::prelude::BASE64_STANDARD,
        format!("me:{}", guarded.keys[READ_MAIL]),
    );
    let header = format!("authorization: Basic {basic}\r\n");
    let mut client = guarded.running.client();
    let page = client.send("GET /", &header, "");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("mail") && !page.body.contains("news"));
    assert_eq!(client.send("GET /view/news", &header, "").status, 403);
    assert_eq!(client.send("GET /collections", &header, "").status, 401);
}

#[test]
fn without_keys_only_this_machine_is_answered() {
    let folder = Folder::new();
    let mut options = Options::default();
    options.listen = "0.0.0.0:0".parse().unwrap();
    let refused = Server::open(folder.path(), options)
        .unwrap_err()
        .to_string();
    assert!(refused.contains("--keys"), "{refused}");
    let running = folder.serve();
    let mut client = running.client();
    client
        .send_raw(b"GET /collections HTTP/1.1\r\nhost: evil.example\r\n\r\n")
        .unwrap();
    assert_eq!(client.reply().status, 421);
}
