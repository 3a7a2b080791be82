//! Pictures and accessibility trees for evidence: what is sensitive is not in them.

#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::support::*;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use uiap_web::{Page, PictureFormat, ScreenshotOptions};

const PAGE: &str = "<link rel=icon href='data:,'><style>
      * { margin: 0; box-sizing: border-box } body { background: #fff }
      input, p { position: absolute; left: 20px; width: 200px; height: 40px; border: 0; background: #fff; font: 30px sans-serif; overflow: visible }
      #name { top: 20px } #word { top: 80px } #card { top: 140px; background: transparent } #token { top: 200px; white-space: nowrap }
    </style>
    <input id=name aria-label=Name value=ABCDEFGH>
    <input id=word aria-label=Password type=password value=hunter2hunter2>
    <input id=card aria-label=Card autocomplete=cc-number value=4111111111111111>
    <p id=token data-uiap-sensitive=true role=status>tok-5ecret <b style='color: red'>tok-other and something that is longer than its place</b></p>
    <button aria-labelledby=token>Copy</button>";

/// The size of a picture, and the colours in parts of it: as `black`, `white` or `mixed`.
async fn colours(page: &Page, picture: &[u8], format: PictureFormat, scale: f64) -> Value {
    let source = format!("data:{};base64,{}", format.media_type(), STANDARD.encode(picture));
    let script = format!(
        "(async () => {{
            const bitmap = await createImageBitmap(await (await fetch('{source}')).blob());
            const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
            const brush = canvas.getContext('2d');
            brush.drawImage(bitmap, 0, 0);
            const colour = (x, y, width, height) => {{
                const {{ data }} = brush.getImageData(x * {scale}, y * {scale}, width * {scale}, height * {scale});
                let [dark, light] = [0, 0];
                for (let at = 0; at < data.length; at += 4) {{
                    const sum = data[at] + data[at + 1] + data[at + 2];
                    if (sum < 90) dark += 1; else if (sum > 680) light += 1;
                }}
                const all = data.length / 4;
                return dark === all ? 'black' : light === all ? 'white' : 'mixed';
            }};
            return [bitmap.width, bitmap.height, colour(25, 25, 190, 30), colour(25, 85, 190, 30), colour(25, 145, 190, 30), colour(25, 205, 190, 30), colour(230, 205, 400, 30), colour(400, 20, 100, 100)];
        }})()"
    );
    page.evaluate_main(&script, soon()).await.unwrap()
}

#[tokio::test]
async fn sensitive_fields_are_black_in_pictures_and_stay_as_they_are() {
    let site = site_of(PAGE).await;
    let (_browser, page) = open(&site.url("/")).await;
    let watch = "window.changes = 0, new MutationObserver(() => changes += 1).observe(document, { subtree: true, attributes: true, childList: true, characterData: true }), 0";
    page.evaluate_main(watch, soon()).await.unwrap();
    let plain = ScreenshotOptions::default();
    let masked = ScreenshotOptions { mask_sensitive: true, ..ScreenshotOptions::default() };
    let png = PictureFormat::Png;
    let open = page.screenshot(&plain, soon()).await.unwrap();
    let seen = json!([1280, 800, "mixed", "mixed", "mixed", "mixed", "mixed", "white"]);
    assert_eq!(colours(&page, &open, png, 1.0).await, seen);
    let covered = page.screenshot(&masked, soon()).await.unwrap();
    let hidden = json!([1280, 800, "mixed", "black", "black", "black", "white", "white"]);
    assert_eq!(colours(&page, &covered, png, 1.0).await, hidden);
    let full = ScreenshotOptions { full_page: true, ..masked.clone() };
    let covered = page.screenshot(&full, soon()).await.unwrap();
    assert_eq!(colours(&page, &covered, png, 1.0).await[3], "black");

    let webp = PictureFormat::Webp { quality: 60 };
    for format in [webp, PictureFormat::Jpeg { quality: 60 }] {
        let small = ScreenshotOptions { max_width: Some(640), format, ..masked.clone() };
        let picture = page.screenshot(&small, soon()).await.unwrap();
        let said = colours(&page, &picture, format, 0.5).await;
        assert_eq!((&said[0], &said[1], &said[4]), (&json!(640), &json!(400), &json!("black")));
        assert!(picture.len() < 20_000, "{} bytes of {format:?}", picture.len());
    }
    // The page shows what it showed, and did not notice anything.
    let again = page.screenshot(&plain, soon()).await.unwrap();
    assert_eq!(colours(&page, &again, png, 1.0).await, seen);
    assert_eq!(
        page.evaluate_main("[changes, document.getAnimations().length].join()", soon()).await.unwrap(),
        "0,0"
    );
}

#[tokio::test]
async fn the_accessibility_tree_tells_names_and_no_secrets() {
    let site = site_of(PAGE).await;
    let (_browser, page) = open(&site.url("/")).await;
    let tree = page.accessibility(soon()).await.unwrap();
    let has = |role: &str, name: &str| tree.nodes.iter().any(|node| node.role == role && node.name == name);
    assert!(has("textbox", "Name") && has("textbox", "Password") && has("textbox", "Card"), "{tree:?}");
    let text = serde_json::to_string(&tree).unwrap();
    for secret in ["hunter2", "4111", "5ecret", "tok-other", "ABCDEFGH", "•"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(has("button", ""), "{tree:?}");
}

#[tokio::test]
async fn a_large_accessibility_tree_is_cut() {
    let rows = "<button>x</button>".repeat(uiap_web::ACCESSIBLE_MAX);
    let site = site_of(&format!("<link rel=icon href='data:,'>{rows}")).await;
    let (_browser, page) = open(&site.url("/")).await;
    let tree = page.accessibility(soon()).await.unwrap();
    assert_eq!(tree.nodes.len(), uiap_web::ACCESSIBLE_MAX);
    assert!(tree.left_out > 0);
}
