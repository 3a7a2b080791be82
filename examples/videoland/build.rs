//! Makes a new page or manifest count: the files are embedded, and only listed ones would be watched.

fn main() {
    for folder in ["web", "uiap", "packages"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
