//! Rebuilds when a page asset is added: `include_dir!` alone notices changed files only.

fn main() {
    println!("cargo:rerun-if-changed=web");
}
