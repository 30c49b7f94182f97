//! Certificates of the replayed servers: a chain like those that sites send today, one leaf per address for the hosts that live there.
//!
//! Sent are the leaf and the intermediate; the root stays at home, as everywhere. The size aimed at is 2.3 kB for a site of one host,
//! more with more names on it: what a site with an ECDSA key and an automatically issued certificate sends. The leaf has a P-256 key,
//! three signed certificate timestamps, and pointers to its issuer, its status, a revocation list and a policy; the intermediate is
//! signed by an RSA-4096 root. Sites with RSA keys or longer chains send up to 4 kB. What it means for a QUIC server, which may send
//! three times what it received before it knows the client, is written and measured in docs/adr/0006-realistic-handshakes.md.
//!
//! Leaf and keys follow from the recording's digest (keys by hashing, signatures by RFC 6979), and the intermediate is a file, so
//! every run and both transports present the same chain, byte for byte. The keys are therefore no secret: only a browser that is told this
//! one key by [`Authority::spki_sha256`] accepts them, and only inside its testbed. The root's key exists no more; nobody should
//! trust that root.

mod extensions;
mod key;

use std::net::Ipv4Addr;

use p256::pkcs8::EncodePrivateKey as _;
use rcgen::{
    CertificateParams, CrlDistributionPoint, DistinguishedName, DnType, DnValue, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyIdMethod, KeyUsagePurpose, PublicKeyData as _, SerialNumber, date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};

use self::key::{Key, hash};
use eyelevel_replay::placement::Placement;

/// Made by `certs/make-authority.sh`, as is the root above it.
const INTERMEDIATE: &[u8] = include_bytes!("certs/intermediate.der");
/// As `certs/make-authority.sh` has it.
const INTERMEDIATE_KEY_ID: &[u8; 20] = b"eyelevel-testbed-e1\0";

#[derive(Debug, thiserror::Error)]
#[error("cannot make a certificate for {hosts}: {reason}")]
pub struct CertificateError {
    hosts: String,
    reason: String,
}

/// Signs the certificates of one recording.
pub struct Authority {
    issuer: Issuer<'static, Key>,
    /// One key for all servers, so that a browser has to be told of one only.
    server_key: Key,
    seed: String,
}

/// What a server at one address presents.
pub struct Identity {
    /// As sent: the leaf, then the intermediate.
    pub chain: Vec<CertificateDer<'static>>,
    pub key: PrivateKeyDer<'static>,
}

impl Identity {
    #[must_use]
    pub fn chain_bytes(&self) -> usize {
        self.chain.iter().map(|certificate| certificate.len()).sum()
    }
}

impl Authority {
    #[must_use]
    pub fn new(recording_digest: &str) -> Self {
        let mut params = CertificateParams::default();
        params.distinguished_name = intermediate_name();
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign];
        params.key_identifier_method = KeyIdMethod::PreSpecified(INTERMEDIATE_KEY_ID.to_vec());
        Self {
            issuer: Issuer::new(params, Key::derive("eyelevel testbed", "intermediate")),
            server_key: Key::derive(recording_digest, "server"),
            seed: recording_digest.to_owned(),
        }
    }

    /// SHA-256 over the servers' SubjectPublicKeyInfo, as Chromium's `--ignore-certificate-errors-spki-list` takes it (in base64).
    #[must_use]
    pub fn spki_sha256(&self) -> [u8; 32] {
        Sha256::digest(self.server_key.subject_public_key_info()).into()
    }

    /// # Errors
    /// [`CertificateError`] for a host name that no certificate can carry.
    pub fn identity(&self, placement: &Placement, address: Ipv4Addr) -> Result<Identity, CertificateError> {
        // A certificate has an IPv6 address without the brackets of a URL.
        let bare = |host: &str| host.trim_matches(['[', ']']).to_owned();
        let hosts: Vec<String> = placement.hosts_at(address).map(bare).collect();
        let named = hosts.join(", ");
        let mut params = CertificateParams::new(hosts).map_err(|error| fault(&named, &error))?;
        // Fixed, for today's date would make today's bytes.
        params.not_before = date_time_ymd(2018, 1, 1);
        params.not_after = date_time_ymd(2099, 1, 1);
        params.distinguished_name = DistinguishedName::new();
        // The names that count are the alternative ones; a common name may not be longer than 64 characters.
        params.distinguished_name.push(DnType::CommonName, address.to_string());
        params.is_ca = IsCa::ExplicitNoCa;
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        params.crl_distribution_points =
            vec![CrlDistributionPoint { uris: vec!["http://e1.c.eyelevel.example/17.crl".to_owned()] }];
        params.custom_extensions = extensions::of_public_leaf(&[&self.seed, &named]);
        params.serial_number = Some(serial(&self.seed, &named));
        let leaf = params.signed_by(&self.server_key, &self.issuer).map_err(|error| fault(&named, &error))?;
        let key = self.server_key.secret().to_pkcs8_der().map_err(|error| fault(&named, &error))?;
        Ok(Identity {
            chain: vec![leaf.into(), CertificateDer::from(INTERMEDIATE)],
            key: PrivatePkcs8KeyDer::from(key.as_bytes().to_vec()).into(),
        })
    }
}

fn fault(hosts: &str, reason: &dyn std::fmt::Display) -> CertificateError {
    CertificateError { hosts: hosts.to_owned(), reason: reason.to_string() }
}

/// Byte for byte the subject of [`INTERMEDIATE`].
fn intermediate_name() -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CountryName, DnValue::PrintableString("DE".try_into().expect("printable")));
    names.push(DnType::OrganizationName, "Eyelevel Trust Services");
    names.push(DnType::CommonName, "Eyelevel ECC Domain Validation CA E1");
    names
}

fn serial(seed: &str, purpose: &str) -> SerialNumber {
    let mut bytes = hash(&[seed, "serial", purpose])[..18].to_vec();
    // Positive, and always of the same length.
    bytes[0] = (bytes[0] & 0x7f) | 0x40;
    SerialNumber::from(bytes)
}

#[cfg(test)]
mod tests;
