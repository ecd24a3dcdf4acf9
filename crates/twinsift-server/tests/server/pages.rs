//! Pages for people.

use super::{BRIDGE, with_news};
use serde_json::json;

#[test]
fn pages_show_collections_documents_and_pairs() {
    let (running, _folder) = with_news(|_| {});
    let mut client = running.client();
    let evil = "<script>alert(1)</script>";
    let known = json!([
        {"id": "a", "text": BRIDGE, "label": evil},
        {"id": evil, "text": format!("{BRIDGE} again")},
    ]);
    client.post("/collections/news/documents", &known.to_string());
    let home = client.get("/");
    assert!(home.body.contains("href=\"/view/news\""));
    let policy = home.header("content-security-policy").unwrap().to_owned();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    let record = client.get("/view/news?id=a");
    assert!(record.body.contains("0.9") && record.body.contains("&lt;script&gt;"));
    let none = client.get("/view/news?id=%3Cscript%3E");
    assert!(none.body.contains("there is no document"));
    let form = "content-type: application/x-www-form-urlencoded\r\n";
    let texts = format!("a={0}&b={0}+%3Cscript%3E", BRIDGE.replace(' ', "+"));
    let pair = client.send("POST /view/news/compare", form, &texts);
    assert!(pair.body.contains("Near duplicates"), "{pair:?}");
    let missing = client.get("/view/none");
    assert_eq!(missing.status, 404);
    let style = client.get("/style.css");
    assert!(style.body.contains("color-scheme: light dark"));
    for page in [home, record, none, pair, missing] {
        assert!(!page.body.contains("<script"), "{page:?}");
        assert!(!page.body.contains("http://") && !page.body.contains("https://"));
        assert_eq!(page.header("content-security-policy"), Some(&*policy));
    }
}
