/** Formats bytes as lower-case hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export async function sha256(bytes: ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const subtle = subtleCrypto();
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  // slower, and loaded only here
  const { sha256: hash } = await import('@noble/hashes/sha2.js');
  return new Uint8Array(hash(new Uint8Array(bytes)));
}

/** Computes the HMAC-SHA-256 of a message with a text key. */
export async function hmacSha256(key: string, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const secret = new TextEncoder().encode(key);
  const subtle = subtleCrypto();
  if (subtle !== undefined) {
    const imported = await subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return new Uint8Array(await subtle.sign('HMAC', imported, message));
  }
  const [{ hmac }, { sha256: hash }] = await Promise.all([import('@noble/hashes/hmac.js'), import('@noble/hashes/sha2.js')]);
  return hmac(hash, secret, message);
}

// undefined outside secure contexts (plain http in a laboratory), although the types say otherwise
function subtleCrypto(): SubtleCrypto | undefined {
  return crypto.subtle;
}
