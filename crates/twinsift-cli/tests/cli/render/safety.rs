//! What pages may not do.

use super::server::{Asked, Server, page, send};
use super::{BROWSERS, rows, run, site, words};
use crate::Folder;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use twinsift_render::browser::{Browser, BrowserOptions};

#[test]
fn pages_do_not_see_what_others_have_left() {
    for browser in BROWSERS {
        nothing_is_left_in(browser);
    }
}

fn nothing_is_left_in(browser: &str) {
    let site = Server::start(site::answer);
    let paths = [
        "/sets-cookie",
        "/shows-cookie",
        "/leaves-late",
        "/shows-cookie?later",
        "/stores-within",
        "/shows-within",
        "/stores-more",
        "/shows-more",
    ];
    let list = paths.map(|path| site.at("site", path));
    let folder = Folder::with("pages.txt", list.join("\n"));
    let line = "render pages.txt --tabs 1 --allow-host other.localhost -o out.jsonl";
    run(&folder, &format!("{line} --browser {browser}")).ok();
    let rows = rows(&folder, "out.jsonl");
    assert_eq!(words(&rows["/shows-cookie"]), "cookie (undefined)");
    assert_eq!(words(&rows["/shows-cookie?later"]), "cookie (undefined)");
    assert_eq!(words(&rows["/shows-within"]), "page cookie (undefined)");
    assert_eq!(words(&rows["/stores-more"]), "page and database");
    assert_eq!(words(&rows["/shows-more"]), "page kept 0");
    let has_cookie = |asked: &Asked| asked.headers.contains("\ncookie:");
    assert!(!site.asked().iter().any(has_cookie));
}

/// A page that tries every way to reach another host.
fn escape_artist(asked: &Asked, _: u16, stream: &mut TcpStream) -> std::io::Result<()> {
    let to = asked.path.split_once('=').map_or("", |(_, to)| to);
    let there = format!("http://{to}");
    match asked.path.split('?').next() {
        Some("/worker.js") => {
            let script =
                format!("fetch('{there}/from-worker', {{mode: 'no-cors'}}).catch(() => 0)");
            send(
                stream,
                "200 OK\nContent-Type: text/javascript",
                script.as_bytes(),
            )
        }
        Some("/redirected") => send(stream, &format!("302 Found\nLocation: {there}/hop"), b""),
        _ => page(
            stream,
            &format!(
                "<link rel=preconnect href={there}><link rel=dns-prefetch href={there}>\
                 <link rel=stylesheet href={there}/css><link rel=preload as=script href={there}/pre>\
                 <script src={there}/js></script><img src={there}/img><iframe src={there}/frame></iframe>\
                 <iframe src='/redirected?to={to}'></iframe><object data={there}/object></object>\
                 <form id=f action={there}/form method=post target=t></form><iframe name=t></iframe>\
                 <script>f.submit(); const no = () => 0;\
                 fetch('{there}/fetch', {{mode: 'no-cors'}}).catch(no);\
                 fetch('/redirected?to={to}', {{mode: 'no-cors'}}).catch(no);\
                 navigator.sendBeacon('{there}/beacon');\
                 new WebSocket('ws://{to}/socket'); new EventSource('{there}/events');\
                 new Worker('/worker.js?to={to}'); open('{there}/window');\
                 let call = 'no calls';\
                 try {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: 'turn:{to}?transport=tcp',\
                 username: 'x', credential: 'y'}}]}}); peer.createDataChannel('x');\
                 peer.createOffer().then(o => peer.setLocalDescription(o)); call = 'calls' }} catch {{}}\
                 const frame = document.createElement('iframe'); document.body.append(frame);\
                 if (frame.contentWindow.RTCPeerConnection) call = 'calls from a frame';\
                 document.write('<p>all tried, ' + call)</script>"
            ),
        ),
    }
}

#[test]
fn no_host_is_contacted_that_is_not_allowed() {
    let artist = Server::start(escape_artist);
    let elsewhere = Server::start(site::answer);
    let hosts = ["forbidden.localhost", "127.0.0.1", "127.0.0.2"];
    let tries = BROWSERS.map(|browser| hosts.map(|host| (browser, host)));
    for (browser, host) in tries.into_iter().flatten() {
        let folder = Folder::new();
        let to = format!("{host}:{}", elsewhere.port);
        let from = artist.at("site", &format!("/?to={to}"));
        let line = format!("render {from} -o out.jsonl --browser {browser}");
        run(&folder, &line).ok();
        let row = &rows(&folder, "out.jsonl")[&format!("/?to={to}")];
        assert_eq!(words(row), "all tried, no calls", "{row}");
        assert_eq!(row["error"], Value::Null, "{row}");
    }
    let asked = elsewhere.asked();
    assert!(asked.is_empty(), "{asked:?}");
    // The page did try.
    assert!(
        artist
            .asked()
            .iter()
            .any(|asked| asked.path.starts_with("/worker.js"))
    );
}

#[test]
fn a_step_to_a_host_that_is_not_allowed_is_not_taken() {
    let site = Server::start(site::answer);
    let folder = Folder::new();
    let (http, script) = (site.at("site", "/outside"), site.at("site", "/leaves"));
    run(&folder, &format!("render {http} {script} -o out.jsonl")).ok();
    let rows = rows(&folder, "out.jsonl");
    let sentence = "leads to forbidden.localhost, which is not allowed";
    for path in ["/outside", "/leaves"] {
        assert_eq!(rows[path]["error"], sentence, "{path}");
        let step = &rows[path]["redirects"][0]["url"];
        assert_eq!(*step, site.at("forbidden", "/landing"), "{path}");
    }
    assert_eq!(words(&rows["/outside"]), "(none)");
    // The page that was there is still there.
    assert_eq!(words(&rows["/leaves"]), "kept");
    assert!(site.asked().iter().all(|asked| asked.host == "site"));

    let all = Folder::new();
    let line = format!("render {http} --allow-host *.localhost -o out.jsonl");
    run(&all, &line).ok();
    assert_eq!(
        words(&self::rows(&all, "out.jsonl")["/outside"]),
        "landed here"
    );
}

/// A frame of another site is a target of its own, which a browser tells only if it is in
/// another process.
#[test]
fn every_site_has_a_process_of_its_own() {
    let site = Server::start(site::answer);
    for browser in BROWSERS {
        let options = BrowserOptions {
            program: Some(browser.into()),
            ..BrowserOptions::default()
        };
        let browser = Browser::start(&options).unwrap();
        let context = browser.open_context().unwrap();
        let mut tab = context.open_tab().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        let all = json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true});
        tab.call("Target.setAutoAttach", all, deadline).unwrap();
        let address = json!({"url": site.at("site", "/iframes")});
        tab.ask("Page.navigate", address).unwrap();
        loop {
            let message = tab.next(deadline).unwrap().expect("a frame in time");
            let target = &message["params"]["targetInfo"];
            if message["method"] == "Target.attachedToTarget" && target["type"] == "iframe" {
                break;
            }
        }
    }
}
