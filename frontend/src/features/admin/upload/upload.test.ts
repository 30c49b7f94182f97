import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError, unreachable } from '../../../shared/api/error';
import { relativeToManifest } from './folder';
import { filesToSend, problemsOf } from './plan';
import { FolderError, type Progress, sendBatch } from './sendBatch';

const createBatch = vi.hoisted(() => vi.fn());
const commitBatch = vi.hoisted(() => vi.fn());
const commitState = vi.hoisted(() => vi.fn());
const putBlob = vi.hoisted(() => vi.fn());
vi.mock('./sendFile', () => ({ sendFile: (method: string, ...what: unknown[]): unknown => (method === 'POST' ? createBatch(...what) : putBlob(...what)) }));
vi.mock('../../../shared/api/client', async () => ({
  answer: (call: unknown) => call,
  api: { POST: commitBatch, GET: commitState },
  urlOf: (await import('openapi-fetch')).defaultPathSerializer,
}));
vi.mock('../../../shared/lib/backoff', () => ({ backoffMs: () => 0 }));

const manifest = {
  contract: 'eyelevel/batch/1',
  campaign: { name: 'demo' },
  files: { 'campaign.toml': { sha256: 'aa', bytes: 3 }, 'clips/b.mp4': { sha256: 'bb', bytes: 4 }, 'clips/copy.mp4': { sha256: 'bb', bytes: 4 } },
};
const folder = (contents: Record<string, string>) => Object.entries(contents).map(([path, text]) => ({ path, file: new File([text], 'f') }));
const whole = {
  'batch/manifest.json': JSON.stringify(manifest),
  'batch/campaign.toml': 'abc',
  'batch/clips/b.mp4': 'film',
  'batch/clips/copy.mp4': 'film',
  'batch/film.mkv': 'stays at home',
};

beforeEach(() => {
  for (const mock of [createBatch, commitBatch, commitState, putBlob]) mock.mockReset();
  createBatch.mockResolvedValue({ sha256: 'b4tch', state: 'receiving', missing: ['bb', 'aa'] });
  commitBatch.mockResolvedValue({ sha256: 'b4tch', state: 'visible' });
  commitState.mockResolvedValue({ sha256: 'b4tch', state: 'visible' });
  putBlob.mockResolvedValue(undefined);
});

async function refusal(contents: Record<string, string>) {
  const error: unknown = await sendBatch(folder(contents), () => undefined).then(() => null, (reason: unknown) => reason);
  return error instanceof FolderError ? error.refusal : error;
}

describe('a batch folder', () => {
  it('is read relative to the topmost manifest', () => {
    const files = relativeToManifest(folder({ 'x/batch/manifest.json': '', 'x/batch/sub/manifest.json': '', 'x/batch/clips/a.mp4': '', 'x/notes.txt': '' }));
    expect(files?.map(({ path }) => path)).toEqual(['manifest.json', 'sub/manifest.json', 'clips/a.mp4']);
  });

  it('is checked before anything is sent', () => {
    expect(problemsOf(manifest, new Map([['campaign.toml', 3], ['clips/b.mp4', 5]]))).toEqual([
      { what: 'size', path: 'clips/b.mp4', expected_bytes: 4, found_bytes: 5 },
      { what: 'missing', path: 'clips/copy.mp4' },
    ]);
  });

  it('sends identical files once', () => {
    expect(filesToSend(manifest, ['bb']).map(({ path }) => path)).toEqual(['clips/b.mp4']);
  });
});

describe('sending', () => {
  it('sends the manifest and the missing files, and commits', async () => {
    const updates: Progress[] = [];
    const sent = await sendBatch(folder(whole), (progress) => updates.push(progress));
    expect(sent).toEqual({ sha256: 'b4tch', campaign: 'demo' });
    expect(putBlob.mock.calls.map(([path]: unknown[]) => path)).toEqual(['/api/batches/b4tch/blobs/aa', '/api/batches/b4tch/blobs/bb']);
    expect(createBatch.mock.calls.map(([path]: unknown[]) => path)).toEqual(['/api/batches']);
    expect(commitBatch).toHaveBeenCalledWith('/api/batches/{sha256}/commit', { params: { path: { sha256: 'b4tch' } } });
    expect(updates.at(0)).toEqual({ step: 'reading' });
    expect(updates.at(-2)).toMatchObject({ step: 'sending', path: 'clips/b.mp4', sent_bytes: 3, total_bytes: 7, left: 1 });
    expect(updates.at(-1)).toMatchObject({ step: 'committing' });
  });

  it('commits once, and shows the progress of the worker with the time left', async () => {
    vi.useFakeTimers();
    const updates: Progress[] = [];
    const checking = (checks_done: number) => ({ sha256: 'b4tch', state: 'committing', missing: [], checks_done, checks_total: 38 });
    commitBatch.mockResolvedValueOnce(checking(2));
    for (const done of [2, 8]) commitState.mockResolvedValueOnce(checking(done));
    const sending = sendBatch(folder(whole), (progress) => updates.push(progress));
    await vi.runAllTimersAsync();
    expect(await sending).toEqual({ sha256: 'b4tch', campaign: 'demo' });
    expect([commitBatch.mock.calls.length, commitState.mock.calls.length]).toEqual([1, 3]);
    const seen = (done: number, left_ms: number | null) => ({ step: 'checking', done, total: 38, left_ms });
    expect(updates.slice(-3)).toEqual([seen(2, null), seen(2, null), seen(8, 5000)]);
    vi.useRealTimers();
  });

  it('shows the problems that the worker found in the folder', async () => {
    vi.useFakeTimers();
    commitBatch.mockResolvedValueOnce({ sha256: 'b4tch', state: 'committing', missing: [], checks_done: 0, checks_total: 38 });
    commitState.mockRejectedValueOnce(new ApiError('bad_video', 'clips/b.mp4 is not the declared clip: …', 422, false));
    const sending = refusal(whole);
    await vi.runAllTimersAsync();
    expect(await sending).toMatchObject({ message: 'clips/b.mp4 is not the declared clip: …' });
    expect(commitState).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
  });

  it('retries a file after a transient error, but not after a refusal', async () => {
    putBlob.mockRejectedValueOnce(unreachable());
    await sendBatch(folder(whole), () => undefined);
    expect(putBlob).toHaveBeenCalledTimes(3);

    putBlob.mockReset();
    putBlob.mockRejectedValue(new ApiError('wrong_digest', 'campaign.toml: other bytes.', 422, false));
    expect(await refusal(whole)).toMatchObject({ message: 'campaign.toml: other bytes.' });
    expect(putBlob).toHaveBeenCalledTimes(1);
  });

  it('refuses a folder that is not a batch, or does not match its manifest', async () => {
    expect(await refusal({ 'photos/cat.jpg': '' })).toEqual({ what: 'no-manifest' });
    expect(await refusal({ 'batch/manifest.json': '{"name": "a web app"}' })).toEqual({ what: 'not-a-manifest' });
    expect(await refusal({ 'batch/manifest.json': '{' })).toEqual({ what: 'not-a-manifest' });
    expect(await refusal({ ...whole, 'batch/campaign.toml': 'longer' })).toMatchObject({ what: 'problems', problems: [{ path: 'campaign.toml' }] });
    expect(createBatch).not.toHaveBeenCalled();
  });
});
