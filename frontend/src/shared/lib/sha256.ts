/** SHA-256 in lower-case hexadecimal, or null where the browser offers no crypto.subtle (plain http). */
export async function sha256Hex(bytes: ArrayBuffer): Promise<string | null> {
  // absent outside secure contexts, whatever the types say
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined) return null;
  const digest = await subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
