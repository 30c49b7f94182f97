//! Notes on a run that do not void it: they may depend on how fast the page was, or are the same for all stacks of a machine.

use super::server::ServerPart;
use eyelevel_definitions::stacks::{Stack, Transport};

const NOT_REAL_TIME: &str = "servers or emulation ran without real-time priority, so a busy machine delays QUIC more than TCP \
    (run eyelevel doctor to see how to get it)";

/// Returns the notes, a sentence each. `real_time`: servers and emulation ran before all ordinary threads.
#[must_use]
pub fn notes(stack: &Stack, server: Option<&ServerPart>, real_time: bool) -> Vec<String> {
    let not_real_time = (!real_time).then(|| NOT_REAL_TIME.to_owned());
    never_discovered(stack, server).into_iter().chain(not_real_time).collect()
}

/// Notes that QUIC was never used; a page may have ended before anything could be fetched over it.
fn never_discovered(stack: &Stack, server: Option<&ServerPart>) -> Option<String> {
    let (wanted, first_visit) = (stack.http.alpn(), stack.side(Transport::Tcp)?.http.alpn());
    let over = |alpn: &str| -> Option<u64> {
        let connections = server?.connections.iter().filter(|connection| connection.alpn.as_deref() == Some(alpn));
        Some(connections.map(|connection| connection.requests).sum())
    };
    let requests = over(first_visit)?;
    (stack.alt_svc && requests > 0 && over(wanted)? == 0).then(|| {
        format!("stack {} changes to {wanted}, but all {requests} request(s) came over {first_visit}", stack.name)
    })
}

#[cfg(test)]
mod tests {
    use super::super::server::Connection;
    use super::*;
    use eyelevel_definitions::stacks;

    fn notes_of(stack: &str, requests: &[(&str, u64)]) -> Vec<String> {
        let connections = requests
            .iter()
            .map(|(alpn, requests)| Connection {
                alpn: Some((*alpn).to_owned()),
                requests: *requests,
                ..Connection::default()
            })
            .collect();
        let part = ServerPart { connections, ..ServerPart::default() };
        notes(stacks::find(stack).expect("a known stack"), Some(&part), true)
    }

    #[test]
    fn quic_that_was_never_used_is_told_where_it_was_to_be_discovered() {
        let sentence = "stack QUIC+ALTSVC changes to h3, but all 7 request(s) came over h2";
        assert_eq!(notes_of("QUIC+ALTSVC", &[("h2", 5), ("h2", 2)]), [sentence]);
        // Opened, and nothing asked for over it.
        assert_eq!(notes_of("QUIC+ALTSVC", &[("h2", 7), ("h3", 0)]), [sentence]);
    }

    #[test]
    fn nothing_is_told_of_other_runs() {
        assert_eq!(notes_of("QUIC+ALTSVC", &[("h2", 1), ("h3", 6)]), [""; 0]);
        assert_eq!(notes_of("QUIC+ALTSVC", &[]), [""; 0]);
        assert_eq!(notes_of("TCP+", &[("h2", 7)]), [""; 0]);
        assert_eq!(notes(stacks::find("QUIC+ALTSVC").expect("known"), None, true), [""; 0]);
    }

    #[test]
    fn a_run_without_real_time_priority_is_noted() {
        assert_eq!(notes(stacks::find("TCP+").expect("known"), None, false), [NOT_REAL_TIME]);
    }
}
