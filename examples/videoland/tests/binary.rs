//! The program itself: what it says, and how it ends.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Command, Stdio};

fn videoland() -> Command {
    Command::new(env!("CARGO_BIN_EXE_videoland"))
}

#[test]
fn it_prints_where_it_is() {
    let mut child = videoland().args(["--port", "0"]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    child.kill().expect("it ends");
    child.wait().expect("it ended");
    assert!(line.starts_with("Videoland is at http://127.0.0.1:"), "{line}");
}

#[test]
fn a_taken_port_is_a_missing_environment() {
    let holder = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = holder.local_addr().expect("its address").port().to_string();
    let output = videoland().args(["--port", &port]).output().expect("it ran");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains(&format!("port {port} on 127.0.0.1 is taken")) && said.contains("--port 0"),
        "{said}"
    );
}

#[test]
fn wrong_use_is_told_apart() {
    let output = videoland().arg("--nonsense").output().expect("it ran");
    assert_eq!(output.status.code(), Some(2));
}
