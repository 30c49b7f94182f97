//! Certificates of the replayed servers: one authority per recording, one certificate per address for the hosts that live there.
//!
//! All of it follows from the recording's digest (keys by hashing, signatures by RFC 6979), so every run and both arms present the
//! same chain, byte for byte. The keys are therefore no secret: only a browser that is told this one key by
//! [`Authority::spki_sha256`] accepts them, and only inside its testbed.

use std::net::Ipv4Addr;

use p256::ecdsa::signature::Signer as _;
use p256::pkcs8::EncodePrivateKey as _;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PublicKeyData, SerialNumber, SignatureAlgorithm, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};

use crate::plan::Plan;

#[derive(Debug, thiserror::Error)]
#[error("cannot make a certificate for {hosts}: {reason}")]
pub struct CertificateError {
    hosts: String,
    reason: String,
}

/// Signs the certificates of one recording.
pub struct Authority {
    issuer: Issuer<'static, Key>,
    certificate: CertificateDer<'static>,
    /// One key for all servers, so that a browser has to be told of one only.
    server_key: Key,
    seed: String,
}

/// What a server at one address presents.
pub struct Identity {
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
}

impl Authority {
    /// # Errors
    /// [`CertificateError`], which would be a fault of the library.
    pub fn new(recording_digest: &str) -> Result<Self, CertificateError> {
        let key = Key::derive(recording_digest, "authority");
        let mut params = validity(CertificateParams::default());
        params.distinguished_name = common_name("Eyelevel testbed");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.serial_number = Some(serial(recording_digest, "authority"));
        let certificate = params.self_signed(&key).map_err(|error| fault("the authority", &error))?;
        Ok(Self {
            issuer: Issuer::new(params, key),
            certificate: certificate.into(),
            server_key: Key::derive(recording_digest, "server"),
            seed: recording_digest.to_owned(),
        })
    }

    /// SHA-256 over the servers' SubjectPublicKeyInfo, as Chromium's `--ignore-certificate-errors-spki-list` takes it (in base64).
    #[must_use]
    pub fn spki_sha256(&self) -> [u8; 32] {
        Sha256::digest(self.server_key.subject_public_key_info()).into()
    }

    /// # Errors
    /// [`CertificateError`] for a host name that no certificate can carry.
    pub fn identity(&self, plan: &Plan, address: Ipv4Addr) -> Result<Identity, CertificateError> {
        let hosts: Vec<String> = plan.hosts_at(address).map(str::to_owned).collect();
        let named = hosts.join(", ");
        let mut params = validity(CertificateParams::new(hosts).map_err(|error| fault(&named, &error))?);
        // The names that count are the alternative ones; a common name may not be longer than 64 characters.
        params.distinguished_name = common_name(&address.to_string());
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.serial_number = Some(serial(&self.seed, &named));
        let leaf = params.signed_by(&self.server_key, &self.issuer).map_err(|error| fault(&named, &error))?;
        let key = p256::SecretKey::from(&self.server_key.key).to_pkcs8_der().map_err(|error| fault(&named, &error))?;
        Ok(Identity {
            chain: vec![leaf.into(), self.certificate.clone()],
            key: PrivatePkcs8KeyDer::from(key.as_bytes().to_vec()).into(),
        })
    }
}

fn fault(hosts: &str, reason: &dyn std::fmt::Display) -> CertificateError {
    CertificateError { hosts: hosts.to_owned(), reason: reason.to_string() }
}

fn common_name(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}

/// Fixed, for today's date would make today's bytes.
fn validity(mut params: CertificateParams) -> CertificateParams {
    params.not_before = date_time_ymd(2018, 1, 1);
    params.not_after = date_time_ymd(2099, 1, 1);
    params
}

fn serial(seed: &str, purpose: &str) -> SerialNumber {
    let mut bytes = hash(&[seed, "serial", purpose])[..16].to_vec();
    // Positive, and always of the same length.
    bytes[0] = (bytes[0] & 0x7f) | 0x40;
    SerialNumber::from(bytes)
}

fn hash(parts: &[&str]) -> [u8; 32] {
    Sha256::digest(parts.join("\n")).into()
}

/// A P-256 key whose signatures have no randomness.
struct Key {
    key: p256::ecdsa::SigningKey,
    public: Vec<u8>,
}

impl Key {
    fn derive(seed: &str, purpose: &str) -> Self {
        // A hash is a valid key but for about one in 2^32.
        let key = (0_u32..)
            .find_map(|attempt| {
                p256::ecdsa::SigningKey::from_slice(&hash(&[seed, "key", purpose, &attempt.to_string()])).ok()
            })
            .expect("the range of attempts is wide enough");
        let public = key.verifying_key().to_encoded_point(false).as_bytes().to_vec();
        Self { key, public }
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &PKCS_ECDSA_P256_SHA256
    }
}

impl rcgen::SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        let signature: p256::ecdsa::DerSignature = self.key.sign(message);
        Ok(signature.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::plan::Grouping;

    fn plan() -> Plan {
        let address = Ipv4Addr::new(11, 0, 0, 1);
        let hosts = BTreeMap::from([("a.test".to_owned(), address), ("b.test".to_owned(), address)]);
        Plan { hosts, start_url: "https://a.test/".to_owned(), grouping: Grouping::ByHost }
    }

    fn chain(digest: &str) -> Vec<CertificateDer<'static>> {
        let authority = Authority::new(digest).expect("an authority");
        authority.identity(&plan(), Ipv4Addr::new(11, 0, 0, 1)).expect("an identity").chain
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
    fn a_browser_that_trusts_the_authority_accepts_the_hosts_and_no_others() {
        use rustls::pki_types::{ServerName, UnixTime};
        let chain = chain("recording");
        let mut roots = rustls::RootCertStore::empty();
        roots.add(chain[1].clone()).expect("an authority");
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let verifier =
            rustls::client::WebPkiServerVerifier::builder_with_provider(std::sync::Arc::new(roots), provider)
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
        let authority = Authority::new("recording").expect("an authority");
        let identity = authority.identity(&plan(), Ipv4Addr::new(11, 0, 0, 1)).expect("an identity");
        let provider = rustls::crypto::ring::default_provider();
        let key = provider.key_provider.load_private_key(identity.key).expect("a key");
        let certified = rustls::sign::CertifiedKey::new(identity.chain, key);
        certified.keys_match().expect("key and certificate belong together");
    }
}
