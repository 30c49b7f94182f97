//! What public authorities put into the certificates of sites beside names and key, for its size. Nobody follows any of it here.

use rcgen::CustomExtension;

use super::key::hash;

const OID_AUTHORITY_INFORMATION: [u64; 9] = [1, 3, 6, 1, 5, 5, 7, 1, 1];
const OID_POLICIES: [u64; 4] = [2, 5, 29, 32];
const OID_TIMESTAMPS: [u64; 10] = [1, 3, 6, 1, 4, 1, 11129, 2, 4, 2];

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;
const OCTET_STRING: u8 = 0x04;
const IA5_STRING: u8 = 0x16;
/// GeneralName, uniformResourceIdentifier.
const URI: u8 = 0x86;

/// Browsers demand two for certificates of up to 180 days, and three for longer ones.
const TIMESTAMPS: usize = 3;

/// `seed` decides what is random in real ones.
pub fn of_public_leaf(seed: &[&str]) -> Vec<CustomExtension> {
    // 1.3.6.1.5.5.7.48, and of that 1: who tells its status, 2: where the issuer's certificate is
    let access = |kind: u8, address: &[u8]| {
        let kind = element(OBJECT_IDENTIFIER, &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, kind]);
        element(SEQUENCE, &[kind, element(URI, address)].concat())
    };
    let information =
        [access(1, b"http://e1.o.eyelevel.example"), access(2, b"http://e1.i.eyelevel.example/e1.crt")].concat();
    // 2.23.140.1.2.1: domain validated; 1.3.6.1.5.5.7.2.1: the statement of practices
    let statement = [
        element(OBJECT_IDENTIFIER, &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 0x01]),
        element(IA5_STRING, b"https://eyelevel.example/CPS"),
    ];
    let policy = [
        element(OBJECT_IDENTIFIER, &[0x67, 0x81, 0x0c, 0x01, 0x02, 0x01]),
        element(SEQUENCE, &element(SEQUENCE, &statement.concat())),
    ];
    vec![
        CustomExtension::from_oid_content(&OID_AUTHORITY_INFORMATION, element(SEQUENCE, &information)),
        CustomExtension::from_oid_content(&OID_POLICIES, element(SEQUENCE, &element(SEQUENCE, &policy.concat()))),
        CustomExtension::from_oid_content(&OID_TIMESTAMPS, element(OCTET_STRING, &timestamps(seed))),
    ]
}

/// Distinguished encoding of one value.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).expect("all of it is short").to_be_bytes();
    let mut encoded = vec![tag];
    match length {
        [0, short @ 0..=0x7f] => encoded.push(short),
        [0, long] => encoded.extend([0x81, long]),
        [high, low] => encoded.extend([0x82, high, low]),
    }
    encoded.extend(content);
    encoded
}

/// A SignedCertificateTimestampList (RFC 6962, section 3.3) of logs that do not exist.
fn timestamps(seed: &[&str]) -> Vec<u8> {
    let list: Vec<u8> = (0..TIMESTAMPS).flat_map(|log| counted(&timestamp(seed, log))).collect();
    counted(&list)
}

fn timestamp(seed: &[&str], log: usize) -> Vec<u8> {
    let bytes = |what: &str| hash(&[&seed.join("\n"), "timestamp", &log.to_string(), what]);
    // A signature's numbers, positive and of full length.
    let number = |what: &str| {
        let mut number = bytes(what);
        number[0] = (number[0] & 0x7f) | 0x40;
        element(0x02, &number)
    };
    let signature = element(SEQUENCE, &[number("r"), number("s")].concat());
    let mut timestamp = vec![0];
    timestamp.extend(bytes("log"));
    // 2018-01-01, in ms
    timestamp.extend(1_514_764_800_000_u64.to_be_bytes());
    // no extensions; SHA-256 with ECDSA
    timestamp.extend([0, 0, 4, 3]);
    timestamp.extend(counted(&signature));
    timestamp
}

fn counted(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("all of it is short");
    [&length.to_be_bytes(), bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_encoded_as_x690_has_it() {
        assert_eq!(element(4, &[7; 2]), [4, 2, 7, 7]);
        assert_eq!(element(4, &[7; 128])[..3], [4, 0x81, 128]);
        assert_eq!(element(4, &[7; 300])[..4], [4, 0x82, 1, 44]);
    }

    #[test]
    fn timestamps_have_the_size_of_real_ones_and_differ() {
        let list = timestamps(&["a"]);
        // 47 bytes and a signature of 70 to 72 each
        assert_eq!(list.len(), 2 + 3 * (2 + 47 + 70));
        assert_ne!(list[4..121], list[123..240]);
        assert_ne!(list, timestamps(&["b"]));
    }
}
