//! The shape of the code: no circle of files, and crates that need neither socket nor clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a crate below `crates/` must not depend on, directly or through others.
const WITH_SOCKET_OR_CLOCK: [&str; 12] = [
    "async-std",
    "h2",
    "h3",
    "mio",
    "nix",
    "noq",
    "noq-proto",
    "rattan-core",
    "rattan-env",
    "rustls",
    "socket2",
    "tokio",
];

/// What the standard library has of sockets, clocks, threads and processes.
const IMPURE: [&str; 8] = [
    "TcpStream",
    "TcpListener",
    "UdpSocket",
    "UnixStream",
    "Instant::now",
    "SystemTime::now",
    "std::thread",
    "std::process",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The source folders: the testbed's, and that of each crate.
fn source_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    [root().join("src")].into_iter().chain(crates).collect()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The code without comments, and without modules for tests.
fn product(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let is_tests = |at: usize| {
        lines[at].trim() == "#[cfg(test)]"
            && lines.get(at + 1).is_some_and(|next| next.contains("mod ") && next.ends_with('{'))
    };
    let end = (0..lines.len()).find(|at| is_tests(*at)).unwrap_or(lines.len());
    lines[..end].join("\n")
}

fn is_for_tests(file: &Path) -> bool {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    stem == "tests" || stem.ends_with("_tests") || stem == "simulation"
}

/// The modules of one crate by their path, `[]` for its root.
struct Modules(BTreeMap<Vec<String>, PathBuf>);

impl Modules {
    fn of(folder: &Path) -> Self {
        let module = |file: &Path| -> Vec<String> {
            let mut parts: Vec<String> = file
                .strip_prefix(folder)
                .unwrap()
                .with_extension("")
                .iter()
                .map(|part| part.to_str().unwrap().to_owned())
                .collect();
            if matches!(parts.last().map(String::as_str), Some("mod" | "lib")) {
                parts.pop();
            }
            parts
        };
        let files = sources(folder).into_iter().filter(|file| !is_for_tests(file) && !file.ends_with("main.rs"));
        Self(files.map(|file| (module(&file), file)).collect())
    }

    /// The module that a path of identifiers leads to, as far as it goes through modules.
    fn deepest(&self, from: &[String], path: &[String]) -> Vec<String> {
        let mut at = from.to_vec();
        for part in path {
            let next: Vec<String> = at.iter().cloned().chain([part.clone()]).collect();
            if !self.0.contains_key(&next) {
                break;
            }
            at = next;
        }
        at
    }

    /// Which modules the code of a module names.
    fn named_by(&self, module: &[String], code: &str) -> BTreeSet<Vec<String>> {
        let children: BTreeSet<&str> = self
            .0
            .keys()
            .filter(|other| other.len() == module.len() + 1 && other.starts_with(module))
            .map(|other| other.last().unwrap().as_str())
            .collect();
        paths(code)
            .into_iter()
            .filter_map(|path| {
                let ups = path.iter().take_while(|part| *part == "super").count();
                match path[0].as_str() {
                    "crate" => Some(self.deepest(&[], &path[1..])),
                    "self" => Some(self.deepest(module, &path[1..])),
                    "super" => Some(self.deepest(&module[..module.len().checked_sub(ups)?], &path[ups..])),
                    first if children.contains(first) => Some(self.deepest(module, &path)),
                    _ => None,
                }
            })
            .filter(|named| named != module)
            .collect()
    }

    /// Modules that reach themselves.
    fn circle(&self) -> Option<Vec<String>> {
        let edges: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = self
            .0
            .iter()
            .map(|(module, file)| (module, self.named_by(module, &product(&fs::read_to_string(file).unwrap()))))
            .collect();
        self.0.keys().find_map(|start| {
            let mut way: Vec<Vec<Vec<String>>> = vec![vec![start.clone()]];
            let mut seen = BTreeSet::new();
            while let Some(path) = way.pop() {
                for next in &edges[path.last().unwrap()] {
                    let path: Vec<_> = path.iter().cloned().chain([next.clone()]).collect();
                    if next == start {
                        return Some(path.iter().map(|module| format!("crate::{}", module.join("::"))).collect());
                    }
                    if seen.insert(next.clone()) {
                        way.push(path);
                    }
                }
            }
            None
        })
    }
}

/// Every path of at least two identifiers in the code, with the lists of `use` expanded.
fn paths(code: &str) -> Vec<Vec<String>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut paths = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find(is_word) {
        let before = rest[..at].chars().next_back();
        rest = &rest[at..];
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if rest[end..].starts_with("::") && before != Some(':') && before != Some('.') {
            let (all, after) = tree(rest);
            paths.extend(all.into_iter().filter(|path| path.len() > 1));
            rest = after;
        } else {
            rest = &rest[end..];
        }
    }
    paths
}

/// One use tree: `a::b`, `a::{b, c::d}`, `a::*`; returns its paths and what follows it.
fn tree(text: &str) -> (Vec<Vec<String>>, &str) {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (word, mut rest) = (text[..end].to_owned(), &text[end..]);
    if !rest.starts_with("::") {
        return (vec![vec![word]], rest);
    }
    rest = rest[2..].trim_start();
    let mut tails = Vec::new();
    if let Some(mut list) = rest.strip_prefix('{') {
        loop {
            list = list.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if list.is_empty() || list.starts_with('}') {
                rest = list.strip_prefix('}').unwrap_or(list);
                break;
            }
            let (paths, after) = tree(list);
            tails.extend(paths);
            // What stands between an item and the next one: `as name`, or nothing.
            list = &after[after.find([',', '}']).unwrap_or(after.len())..];
        }
    } else if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        (tails, rest) = tree(rest);
    }
    if tails.is_empty() {
        tails.push(vec![]);
    }
    (tails.into_iter().map(|tail| [vec![word.clone()], tail].concat()).collect(), rest)
}

#[test]
fn no_file_needs_itself_through_others() {
    for folder in source_folders() {
        assert_eq!(Modules::of(&folder).circle(), None, "in {}", folder.display());
    }
}

#[test]
fn paths_are_read_from_uses_and_expressions() {
    let code = "use crate::a::{self, B, c::{d, E as F}};\nuse super::x::*;\nfn f() { child::g(crate::h::I { j: 1 }) }";
    let read: Vec<String> = paths(code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(
        read,
        ["crate::a::self", "crate::a::B", "crate::a::c::d", "crate::a::c::E", "super::x", "child::g", "crate::h::I"]
    );
}

/// Dependencies by package, from the lock file; those for tests are among them.
fn locked() -> BTreeMap<String, Vec<String>> {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let mut packages: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let name = package.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"')).unwrap();
        let needed = package.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","));
        let names = needed.map(|needed| needed.split(' ').next().unwrap().to_owned());
        packages.entry(name.to_owned()).or_default().extend(names);
    }
    packages
}

#[test]
fn pure_crates_depend_on_nothing_that_has_a_socket_or_a_clock() {
    let locked = locked();
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = format!("eyelevel-{}", entry.unwrap().file_name().to_str().unwrap());
        let (mut needed, mut open) = (BTreeSet::new(), vec![name.clone()]);
        while let Some(package) = open.pop() {
            if needed.insert(package.clone()) {
                open.extend(locked[&package].iter().cloned());
            }
        }
        let forbidden: Vec<_> = WITH_SOCKET_OR_CLOCK.into_iter().filter(|package| needed.contains(*package)).collect();
        assert_eq!(forbidden, [""; 0], "{name} depends on them");
    }
}

#[test]
fn pure_crates_use_no_socket_clock_thread_or_process_of_the_standard_library() {
    for folder in source_folders().iter().skip(1) {
        for file in sources(folder).into_iter().filter(|file| !is_for_tests(file)) {
            let code = product(&fs::read_to_string(&file).unwrap());
            let used: Vec<_> = IMPURE.into_iter().filter(|word| code.contains(word)).collect();
            assert_eq!(used, [""; 0], "{}", file.display());
        }
    }
}
