//! Serves the pages on the loopback interface.

use crate::pages;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

/// Longest request that is read, in bytes.
const REQUEST_BYTES_MAX: usize = 16 * 1024;

/// Starts serving, for as long as the program runs, and says where.
pub(crate) fn start() -> std::io::Result<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let origin = format!("http://{}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || serve(stream));
        }
    });
    Ok(origin)
}

fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < REQUEST_BYTES_MAX {
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        request.extend_from_slice(chunk.get(..count).unwrap_or_default());
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let (status, body) = pages::page(path).map_or(("404 Not Found", String::new()), |body| ("200 OK", body));
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}
