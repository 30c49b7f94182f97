//! Keys that follow from a seed.

use p256::ecdsa::signature::Signer as _;
use rcgen::{PKCS_ECDSA_P256_SHA256, PublicKeyData, SignatureAlgorithm};
use sha2::{Digest, Sha256};

pub fn hash(parts: &[&str]) -> [u8; 32] {
    Sha256::digest(parts.join("\n")).into()
}

/// A P-256 key whose signatures have no randomness.
pub struct Key {
    key: p256::ecdsa::SigningKey,
    public: Vec<u8>,
}

impl Key {
    pub fn derive(seed: &str, purpose: &str) -> Self {
        // A hash is a valid key but for about one in 2^32.
        let key = (0_u32..)
            .find_map(|attempt| {
                p256::ecdsa::SigningKey::from_slice(&hash(&[seed, "key", purpose, &attempt.to_string()])).ok()
            })
            .expect("the range of attempts is wide enough");
        let public = key.verifying_key().to_encoded_point(false).as_bytes().to_vec();
        Self { key, public }
    }

    pub fn secret(&self) -> p256::SecretKey {
        (&self.key).into()
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
