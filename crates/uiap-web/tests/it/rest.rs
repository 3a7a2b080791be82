//! Pages that are not finished when they have loaded, and the wait for what they build then.

use crate::support::*;

/// A page that runs a script, and what is seen of it once it rests.
async fn rested(script: &str) -> String {
    let body = format!("<body><script>{script}</script>");
    let site = Site::start(move |path, _| match path {
        "/" => Reply::Page(body.clone()),
        _ => Reply::Page("answer".to_owned()),
    })
    .await;
    let (_browser, page) = open(&site.url("/")).await;
    assert!(page.rest(soon()).await, "the page rests");
    seen(&page).await
}

#[tokio::test]
async fn what_is_built_step_by_step_is_there() {
    let script = "let steps = 10;
        const step = () => {
            if (steps-- > 0) { document.body.append('.'); setTimeout(step, 20); }
            else document.body.insertAdjacentHTML('beforeend', '<button>Ready</button>');
        };
        addEventListener('load', step);";
    assert_eq!(rested(script).await, "button Ready");
}

#[tokio::test]
async fn what_is_built_step_by_step_in_a_shadow_root_is_there() {
    let script = "let steps = 10;
        const root = document.body.appendChild(document.createElement('section')).attachShadow({ mode: 'open' });
        const step = () => {
            if (steps-- > 0) { root.append('.'); setTimeout(step, 20); }
            else root.append(Object.assign(document.createElement('button'), { textContent: 'Ready' }));
        };
        addEventListener('load', step);";
    assert_eq!(rested(script).await, "button Ready");
}

#[tokio::test]
async fn what_comes_with_answers_is_there() {
    let script = "addEventListener('load', async () => {
            await Promise.all(['a', 'b', 'c', 'd'].map(async (lane) => {
                for (let at = 0; at < 15; at += 1) await (await fetch('/' + lane + at)).text();
            }));
            document.body.insertAdjacentHTML('beforeend', '<button>Ready</button>');
        });";
    assert_eq!(rested(script).await, "button Ready");
}

#[tokio::test]
async fn one_slow_answer_after_the_other_is_waited_for() {
    // One at a time for longer than the browser needs to call the network almost quiet.
    let script = "addEventListener('load', async () => {
            const end = performance.now() + 1000;
            for (let at = 0; performance.now() < end; at += 1) await (await fetch('/' + at)).text();
            document.body.insertAdjacentHTML('beforeend', '<button>Ready</button>');
        });";
    assert_eq!(rested(script).await, "button Ready");
}

#[tokio::test]
async fn a_page_that_never_stops_changing_is_not_waited_for() {
    let script = "document.body.insertAdjacentHTML('beforeend', '<button>Here</button>');
        setInterval(() => { document.body.dataset.now = performance.now(); }, 10);";
    assert_eq!(rested(script).await, "button Here");
}
