//! The ten recordings of real websites parse, plan, and hold what their list says.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use eyelevel_replay::matching::Replay;
use eyelevel_replay::placement::{GroupBy, place};
use eyelevel_replay::recording;
use eyelevel_replay::volatile::Volatile;

/// Folder with the shared recordings, or `None` where this machine has none.
fn folder() -> Option<PathBuf> {
    let shared = std::env::var_os("EYELEVEL_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let folder = shared.join("recordings");
    folder.is_dir().then_some(folder)
}

/// Name, responses, hosts, bytes of bodies, start page.
const LISTED: [(&str, usize, usize, usize, &str); 10] = [
    ("wikipedia", 6, 1, 58_455, "https://www.wikipedia.org/"),
    ("googlede", 14, 4, 1_558_297, "https://www.google.de/"),
    ("baidu", 15, 2, 200_795, "https://www.baidu.com/"),
    ("instagram", 20, 5, 916_220, "https://instagram.com/"),
    ("facebook", 36, 8, 497_357, "https://www.facebook.com/"),
    ("qq", 52, 16, 280_493, "https://www.qq.com/"),
    ("sohu", 56, 12, 662_911, "https://www.sohu.com/"),
    ("reddit", 69, 19, 1_149_105, "https://www.reddit.com/"),
    ("360", 136, 12, 3_282_334, "https://www.360.cn/"),
    ("tmall", 161, 24, 2_350_478, "https://www.tmall.com/"),
];

#[test]
fn all_ten_recordings_hold_what_their_list_says() {
    let Some(folder) = folder() else {
        println!("skipped: no folder of recordings; name one with EYELEVEL_SHARED");
        return;
    };
    // a moment of today's kind: some of these responses expired long before they were recorded
    let sent_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for (name, responses, hosts, body_bytes, start_url) in LISTED {
        let recording = recording::load(&folder.join(format!("{name}.warc.gz"))).expect("a recording");
        let replay = Replay::sent_at(&recording, Volatile::default(), sent_at);
        let placement = place(&recording, &replay, GroupBy::Address, None).expect("addresses and a page");
        let bytes: usize = recording.responses.iter().map(|response| response.body.len()).sum();
        assert_eq!(
            (recording.responses.len(), placement.hosts.len(), bytes, placement.start_url.as_str()),
            (responses, hosts, body_bytes, start_url),
            "{name}"
        );
    }
}
