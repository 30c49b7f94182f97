import type { Clip } from '../api/forms';
import { hexOf, hmacSha256, sha256 } from '../lib/sha256';

/** A transfer without data for this long is aborted and retried. */
const silenceMs = 20_000;

interface Watch {
  signal: AbortSignal;
  onProgress: (received_bytes: number) => void;
}

async function readAll(response: Response, alive: () => void, onProgress: Watch['onProgress']): Promise<Uint8Array<ArrayBuffer>[]> {
  if (response.body === null) return [new Uint8Array(await response.arrayBuffer())];
  const reader = response.body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts;
    parts.push(value);
    received += value.byteLength;
    alive();
    onProgress(received);
  }
}

/** Fetches a whole clip and checks its length and digest. Makes one attempt; throws ClipError. */
export async function fetchClip(clip: Clip, { signal, onProgress }: Watch): Promise<Blob> {
  const transfer = new AbortController();
  const giveUp = () => { transfer.abort(); };
  signal.addEventListener('abort', giveUp, { once: true });
  let timer = setTimeout(giveUp, silenceMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, silenceMs);
  };
  try {
    const response = await fetch(clip.url, { credentials: 'same-origin', signal: transfer.signal });
    if ([401, 403, 404, 410].includes(response.status)) throw new ClipError('gone');
    if (!response.ok) throw new ClipError('unreachable');
    const blob = new Blob(await readAll(response, alive, onProgress), { type: 'video/mp4' });
    if (blob.size !== clip.bytes) throw new ClipError('incomplete');
    if ((await digestOf(clip, await blob.arrayBuffer())) !== clip.digest) throw new ClipError('damaged');
    return blob;
  } catch (error) {
    if (error instanceof ClipError || signal.aborted) throw error;
    throw new ClipError('unreachable');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** Computes the digest of the bytes in this trial. It is keyed by the token in the URL, so that it does not identify the clip. */
async function digestOf(clip: Clip, bytes: ArrayBuffer): Promise<string> {
  const token = clip.url.slice(clip.url.lastIndexOf('/') + 1);
  return hexOf(await hmacSha256(token, await sha256(bytes)));
}

/** The reason why a clip cannot be fetched. `gone`: this session may not fetch it (any more); other faults are retried. */
export type ClipFault = 'unreachable' | 'incomplete' | 'damaged' | 'gone';

export class ClipError extends Error {
  override readonly name = 'ClipError';

  constructor(readonly fault: ClipFault) {
    super(`clip: ${fault}`);
  }
}
