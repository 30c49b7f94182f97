/** SHA-256 in lower-case hexadecimal. */
export async function sha256Hex(bytes: ArrayBuffer): Promise<string> {
  const digest = await digestOf(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function digestOf(bytes: ArrayBuffer): Promise<Uint8Array> {
  // absent outside secure contexts (plain http in a laboratory), whatever the types say
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes));
  // slower, and loaded by nobody else
  const { sha256 } = await import('@noble/hashes/sha2.js');
  return sha256(new Uint8Array(bytes));
}
