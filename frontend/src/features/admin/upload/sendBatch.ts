import * as v from 'valibot';

import { answer, api, urlOf } from '../../../shared/api/client';
import { isPassing } from '../../../shared/api/error';
import { backoffMs } from '../../../shared/lib/backoff';
import { type FolderFile, relativeToManifest } from './folder';
import { filesToSend, Manifest, type Problem, problemsOf } from './plan';
import { sendFile } from './sendFile';

export type Progress =
  | { step: 'reading' }
  | { step: 'sending'; campaign: string; path: string; file_bytes: number; file_sent: number; sent_bytes: number; total_bytes: number; left: number }
  | { step: 'committing'; campaign: string }
  /** `left_ms`: time left at the speed so far; null while it is unknown. */
  | { step: 'checking'; done: number; total: number; left_ms: number | null };

export type Refusal = { what: 'no-manifest' } | { what: 'not-a-manifest' } | { what: 'problems'; problems: Problem[] };

/** The folder cannot be sent as a batch. */
export class FolderError extends Error {
  override readonly name = 'FolderError';

  constructor(readonly refusal: Refusal) {
    super(refusal.what);
  }
}

const triesAtMost = 5;
const askAgainMs = 500;

/** The digests of the files that the server does not have yet. */
const Receiving = v.object({ sha256: v.string(), missing: v.array(v.string()) });

/** Sends the manifest, then the missing files, then the commit, and waits until the server has checked all takes and videos. Sending the same folder again resumes the upload. */
export async function sendBatch(chosen: readonly FolderFile[], report: (progress: Progress) => void): Promise<{ sha256: string; campaign: string }> {
  report({ step: 'reading' });
  const files = relativeToManifest(chosen);
  if (files === null) throw new FolderError({ what: 'no-manifest' });
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const bytes = byPath.get('manifest.json');
  const manifest = bytes === undefined ? null : parsed(await bytes.text());
  if (bytes === undefined || manifest === null) throw new FolderError({ what: 'not-a-manifest' });
  const problems = problemsOf(manifest, new Map(files.map(({ path, file }) => [path, file.size])));
  if (problems.length > 0) throw new FolderError({ what: 'problems', problems });

  const campaign = manifest.campaign.name;
  // sent unchanged, because the digest of these bytes identifies the batch
  const { sha256, missing } = v.parse(Receiving, await sendFile('POST', urlOf('/api/batches', {}), bytes, 'application/json'));
  const toSend = filesToSend(manifest, missing);
  const total = toSend.reduce((sum, file) => sum + file.bytes, 0);
  let sent = 0;
  for (const [index, { path, sha256: digest, bytes: size }] of toSend.entries()) {
    const file = byPath.get(path);
    if (file === undefined) continue;
    const tell = (now: number) =>
      report({ step: 'sending', campaign, path, file_bytes: size, file_sent: now, sent_bytes: sent + now, total_bytes: total, left: toSend.length - index });
    tell(0);
    await insist(() => sendFile('PUT', urlOf('/api/batches/{sha256}/blobs/{digest}', { sha256, digest }), file, 'application/octet-stream', tell));
    sent += size;
  }
  report({ step: 'committing', campaign });
  const params = { params: { path: { sha256 } } };
  let receipt = await insist(() => answer(api.POST('/api/batches/{sha256}/commit', params)));
  const began = { done: receipt.checks_done, at_ms: performance.now() };
  while (receipt.state !== 'visible') {
    const { checks_done: done, checks_total: total } = receipt;
    report({ step: 'checking', done, total, left_ms: timeLeft(total - done, done - began.done, performance.now() - began.at_ms) });
    await pause(askAgainMs);
    receipt = await insist(() => answer(api.GET('/api/batches/{sha256}/commit', params)));
  }
  return { sha256, campaign };
}

/** Estimated time for `left` checks if `done` checks took `took_ms`; null while none is done. */
function timeLeft(left: number, done: number, took_ms: number): number | null {
  return done > 0 ? (left / done) * took_ms : null;
}

function parsed(text: string): Manifest | null {
  try {
    const result = v.safeParse(Manifest, JSON.parse(text));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function insist<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isPassing(error) || attempt >= triesAtMost) throw error;
      await pause(backoffMs(attempt, Math.random()));
    }
  }
}
