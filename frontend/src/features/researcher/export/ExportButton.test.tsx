import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { ExportButton } from './ExportButton';

const fetchMock = vi.fn<(request: Request) => Promise<Response>>();
const problem = (status: number, code: string, message: string) => new Response(JSON.stringify({ error: { code, message } }), { status });
const zip = () => new Response('zip', { headers: { 'Content-Disposition': 'attachment; filename="eyelevel-pilot-bbbb.zip"' } });
const saved: { name: string; text: Promise<string> }[] = [];

beforeEach(() => {
  fetchMock.mockReset();
  saved.length = 0;
  vi.stubGlobal('fetch', fetchMock);
  let content: Blob | null = null;
  // jsdom has neither
  URL.createObjectURL = (one) => {
    content = one as Blob;
    return 'blob:1';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: content?.text() ?? Promise.resolve('') });
  });
});

describe('the export of a study', () => {
  it('is saved under the name that the server gives it', async () => {
    let send: (response: Response) => void = () => undefined;
    fetchMock.mockReturnValue(new Promise((resolve) => { send = resolve; }));
    show(<ExportButton sha256="aa" />);
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(screen.getByRole('status')).toHaveTextContent('The export is being made.');
    expect(screen.getByRole('button', { name: 'Export' })).toBeDisabled();
    send(zip());
    await soon(() => { expect(saved.map(({ name }) => name)).toEqual(['eyelevel-pilot-bbbb.zip']); });
    expect(await saved[0]?.text).toBe('zip');
    expect(fetchMock.mock.calls[0]?.[0].url).toMatch(/\/api\/research\/studies\/aa\/export$/);
    // the button is free a moment after the file was saved
    await soon(() => { expect(screen.getByRole('button', { name: 'Export' })).toBeEnabled(); });
    expect(screen.queryByRole('status')).toBeNull();
  });

  it.each([
    ['while another one is being made', () => Promise.resolve(problem(429, 'busy', 'Another export …; try again in 60 s.')), 'Another export is being made right now. Please try again in a minute.'],
    ['after the proxy gave it up', () => Promise.resolve(new Response('<html>504</html>', { status: 504 })), /took longer than the server waits/],
    ['without a connection', () => Promise.reject(new TypeError('network')), /connection broke off/],
    ['that breaks off', () => Promise.resolve(new Response(new ReadableStream({ start: (stream) => { stream.error(new TypeError('cut')); } }))), /connection broke off/],
    ['of results of an older version', () => Promise.resolve(problem(503, 'recomputing', 'Try again.')), /computed again after an update/],
    ['of a damaged snapshot', () => Promise.resolve(problem(503, 'snapshot_damaged', 'votes.parquet is damaged.')), 'votes.parquet is damaged.'],
  ])('%s is told in a sentence, and can be tried again', async (_which, told, sentence) => {
    fetchMock.mockImplementationOnce(told).mockResolvedValueOnce(zip());
    show(<ExportButton sha256="aa" />);
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
    expect(saved).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await soon(() => { expect(saved).toHaveLength(1); });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
