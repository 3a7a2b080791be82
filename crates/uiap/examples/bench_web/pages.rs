//! The pages that are looked at: forms of growing size, a deep crowd of plain nodes, a data grid, and two that move.

use std::fmt::Write as _;

const WORDS: [&str; 20] = [
    "Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliett", "Kilo",
    "Lima", "Mike", "November", "Oscar", "Papa", "Quebec", "Romeo", "Sierra", "Tango",
];
/// Interactive elements of one section.
const SECTION_ELEMENTS: usize = 10;
/// Rows of the data grid.
const GRID_ROWS: usize = 200;

/// A page by its path, or nothing.
pub(crate) fn page(path: &str) -> Option<String> {
    let body = match path {
        "/50" => sections(50),
        "/1000" => sections(1_000),
        "/10000" => sections(10_000),
        "/100000-nodes" => crowd(100_000),
        "/grid" => grid(),
        "/animated" => format!("{}{ANIMATION}", sections(1_000)),
        _ => return None,
    };
    Some(format!(
        "<!doctype html><html lang=\"en\"><title>Orders</title><main>{CHANGING}{body}</main></html>"
    ))
}

/// What changes when the benchmark changes something. It counts in letters: a number that changes by itself is a clock.
const CHANGING: &str = "<button id=\"changing\">Unchanged</button>\
    <script>globalThis.change = (round) => { document.getElementById('changing').textContent = `Changed ${[...String(round)].map((digit) => 'abcdefghij'[digit]).join('')}`; };</script>";

/// Something moves in every frame.
const ANIMATION: &str = "<div id=\"moving\" style=\"position:fixed;left:0;top:0;width:9px;height:9px;background:red\"></div>\
    <script>const move = (at) => { document.getElementById('moving').style.transform = `translateX(${at / 10 % 300}px)`; requestAnimationFrame(move); };
    requestAnimationFrame(move);</script>";

fn word(at: usize) -> &'static str {
    WORDS.get(at % WORDS.len()).copied().unwrap_or_default()
}

fn sections(elements: usize) -> String {
    let mut html = String::new();
    for at in 0..elements / SECTION_ELEMENTS {
        let (name, first, last) = (word(at), word(at * 7), word(at * 3));
        let customer = at * 7;
        let quantity = at % 9 + 1;
        let disabled = if at % 4 == 0 { " disabled" } else { "" };
        let note = if at % 3 == 0 { "call back" } else { "" };
        let [checked, selected] = if at % 2 == 0 { ["", ""] } else { [" checked", " selected"] };
        // Writing to a string cannot fail.
        let _ = write!(
            html,
            r#"<section aria-labelledby="h{at}"><h2 id="h{at}">Order {at} {name}</h2><p>Customer {first} {last}, {quantity} items</p>
<a href="/orders/{at}">Open order {at}</a> <a href="/customers/{customer}">Customer {customer}</a>
<button type="button">Approve</button><button type="button"{disabled}>Reject</button>
<label>Note <input type="text" name="note{at}" value="{note}"></label>
<label>Quantity <input type="number" name="quantity{at}" value="{quantity}" min="0" max="99"></label>
<label><input type="checkbox"{checked}> Express</label>
<label>Status <select name="status{at}"><option>New</option><option{selected}>Paid</option><option>Shipped</option></select></label>
<button type="button" aria-label="Print order {at}">P</button><button type="button" aria-expanded="false">Details</button></section>"#
        );
    }
    html
}

/// Mostly text, in four levels; one node in a hundred can be acted on.
fn crowd(nodes: usize) -> String {
    let mut html = String::new();
    for at in 0..nodes / 100 {
        let _ = write!(html, "<div><div><p><a href=\"/items/{at}\">Item {at} {}</a></p>", word(at));
        for part in 0..24 {
            let _ = write!(html, "<div><p><span>{}</span> <b>{part}</b></p></div>", word(at + part));
        }
        html.push_str("</div></div>");
    }
    html
}

fn grid() -> String {
    let mut html = String::from(
        "<label>Filter <input></label><button>New invoice</button><table><caption>Invoices</caption><thead><tr>",
    );
    for column in ["Select", "Invoice", "Customer", "Date", "Amount", "Status", "Actions"] {
        let _ = write!(html, "<th scope=\"col\">{column}</th>");
    }
    html.push_str("</tr></thead><tbody>");
    for at in 0..GRID_ROWS {
        let (number, first, last) = (1_000 + at, word(at), word(at * 7));
        let status = ["Open", "Paid", "Late"].get(at % 3).copied().unwrap_or_default();
        let (month, day, amount) = (at % 9 + 1, at % 9, at * 37);
        let _ = write!(
            html,
            r#"<tr><td><input type="checkbox" aria-label="Select invoice {number}"></td><td><a href="/invoices/{number}">INV-{number}</a></td>
<td>{first} {last} Ltd</td><td>2026-0{month}-1{day}</td><td>{amount}.50 EUR</td><td>{status}</td><td><button>Edit</button><button>Delete</button></td></tr>"#
        );
    }
    html.push_str("</tbody></table>");
    html
}
