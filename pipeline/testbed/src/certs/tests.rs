use std::collections::BTreeMap;

use super::*;
use eyelevel_replay::placement::Grouping;

fn placement() -> Placement {
    let address = Ipv4Addr::new(11, 0, 0, 1);
    let hosts = BTreeMap::from([("a.test".to_owned(), address), ("b.test".to_owned(), address)]);
    let (ports, unserved) = Default::default();
    Placement { hosts, ports, unserved, start_url: "https://a.test/".to_owned(), grouping: Grouping::ByHost }
}

/// Its key is gone; only tests look at it.
const ROOT: &[u8] = include_bytes!("root.der");

fn chain(digest: &str) -> Vec<CertificateDer<'static>> {
    let authority = Authority::new(digest);
    authority.identity(&placement(), Ipv4Addr::new(11, 0, 0, 1)).expect("an identity").chain
}

fn holds(certificate: &CertificateDer<'_>, text: &str) -> bool {
    certificate.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_certificate_names_all_hosts_of_its_address() {
    let chain = chain("recording");
    assert!(holds(&chain[0], "a.test") && holds(&chain[0], "b.test"));
    assert!(!holds(&chain[1], "a.test"));
}

#[test]
fn a_recording_always_has_the_same_chain_and_another_has_another() {
    assert_eq!(chain("recording"), chain("recording"));
    assert_ne!(chain("recording"), chain("other"));
}

#[test]
fn a_browser_that_trusts_the_root_accepts_the_hosts_and_no_others() {
    use rustls::pki_types::{ServerName, UnixTime};
    let chain = chain("recording");
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from(ROOT)).expect("an authority");
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let verifier = rustls::client::WebPkiServerVerifier::builder_with_provider(std::sync::Arc::new(roots), provider)
        .build()
        .expect("a verifier");
    let accepted = |name: &str| {
        let name = ServerName::try_from(name.to_owned()).expect("a name");
        rustls::client::danger::ServerCertVerifier::verify_server_cert(
            &*verifier,
            &chain[0],
            &chain[1..],
            &name,
            &[],
            UnixTime::now(),
        )
    };
    accepted("a.test").expect("a host of this address");
    accepted("b.test").expect("a host of this address");
    assert!(accepted("c.test").is_err());
}

#[test]
fn the_library_of_the_servers_accepts_chain_and_key() {
    let authority = Authority::new("recording");
    let identity = authority.identity(&placement(), Ipv4Addr::new(11, 0, 0, 1)).expect("an identity");
    let provider = rustls::crypto::ring::default_provider();
    let key = provider.key_provider.load_private_key(identity.key).expect("a key");
    let certified = rustls::sign::CertifiedKey::new(identity.chain, key);
    certified.keys_match().expect("key and certificate belong together");
}

#[test]
fn the_sent_chain_is_leaf_and_intermediate_of_a_size_that_sites_send() {
    let chain = chain("recording");
    assert_eq!(chain.len(), 2);
    let [leaf, intermediate] = [&chain[0], &chain[1]].map(|certificate| certificate.len());
    println!("leaf {leaf}, intermediate {intermediate} bytes");
    assert!((2250..2500).contains(&(leaf + intermediate)), "{leaf} + {intermediate}");
    assert!(!chain.contains(&CertificateDer::from(ROOT)));
}

#[test]
fn the_leaf_names_the_key_of_the_intermediate_as_its_issuer() {
    let chain = chain("recording");
    let named = |certificate: &CertificateDer<'_>| {
        certificate.windows(INTERMEDIATE_KEY_ID.len()).any(|window| window == INTERMEDIATE_KEY_ID)
    };
    assert!(named(&chain[0]) && named(&chain[1]));
}
