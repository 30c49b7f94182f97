#!/bin/sh
# Makes root.der and intermediate.der, which every replayed server's certificate hangs from. Run once, by hand; the files are kept.
#
# The intermediate's key is no secret: src/certs.rs derives it in the same way. The root's key is thrown away here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# SHA-256 as in Key::derive("eyelevel testbed", "intermediate"), attempt 0
scalar=$(printf 'eyelevel testbed\nkey\nintermediate\n0' | sha256sum | cut -d' ' -f1)
cat > key.cnf <<END
asn1 = SEQUENCE:key
[key]
version = INTEGER:1
scalar = FORMAT:HEX,OCTETSTRING:$scalar
curve = EXPLICIT:0,OID:prime256v1
END
openssl asn1parse -genconf key.cnf -noout -out key.der
openssl pkey -in key.der -inform DER -out key.pem

openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:4096 -out root.pem 2> /dev/null
cat > root.cnf <<'END'
[req]
distinguished_name = name
x509_extensions = extensions
prompt = no
[name]
C = DE
O = Eyelevel Trust Services
CN = Eyelevel Testbed RSA Root X1
[extensions]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
END
openssl req -x509 -new -sha256 -key root.pem -config root.cnf -days 29000 -set_serial 0x45796c31 -out root.crt

cat > intermediate.cnf <<'END'
[req]
distinguished_name = name
prompt = no
[name]
C = DE
O = Eyelevel Trust Services
CN = Eyelevel ECC Domain Validation CA E1
[extensions]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, digitalSignature, keyCertSign, cRLSign
extendedKeyUsage = clientAuth, serverAuth
subjectKeyIdentifier = 65:79:65:6c:65:76:65:6c:2d:74:65:73:74:62:65:64:2d:65:31:00
authorityKeyIdentifier = keyid
authorityInfoAccess = caIssuers;URI:http://x1.i.eyelevel.example/,OCSP;URI:http://x1.o.eyelevel.example/
certificatePolicies = 2.23.140.1.2.1
crlDistributionPoints = URI:http://x1.c.eyelevel.example/
END
openssl req -new -key key.pem -config intermediate.cnf -out request.pem
openssl x509 -req -sha256 -in request.pem -CA root.crt -CAkey root.pem -set_serial 0x45796c45310001 -days 28900 \
    -extfile intermediate.cnf -extensions extensions -out intermediate.crt 2> /dev/null

openssl x509 -in root.crt -outform DER -out "$here/root.der"
openssl x509 -in intermediate.crt -outform DER -out "$here/intermediate.der"
openssl verify -CAfile root.crt intermediate.crt
