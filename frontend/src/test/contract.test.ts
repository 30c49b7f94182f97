import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { Account } from '../shared/api/account';
import { Batch, BatchDetail, Receiving } from '../shared/api/batches';
import { commitBatch } from '../shared/api/commitBatch';
import { createBatch } from '../shared/api/createBatch';
import { createPreview } from '../shared/api/createPreview';
import { createSession } from '../shared/api/createSession';
import { exportUrl } from '../shared/api/exportUrl';
import { finishSession } from '../shared/api/finishSession';
import { batchClipUrl, getBatch } from '../shared/api/getBatch';
import { getBatches } from '../shared/api/getBatches';
import { getMe } from '../shared/api/getMe';
import { getResults } from '../shared/api/getResults';
import { getSession } from '../shared/api/getSession';
import { getStudies } from '../shared/api/getStudies';
import { getStudy } from '../shared/api/getStudy';
import { getStudyDetail } from '../shared/api/getStudyDetail';
import { login } from '../shared/api/login';
import { logout } from '../shared/api/logout';
import { putPerson } from '../shared/api/putPerson';
import { putPlay } from '../shared/api/putPlay';
import { putVote } from '../shared/api/putVote';
import { Results } from '../shared/api/results';
import { Session } from '../shared/api/session';
import { setFieldingState } from '../shared/api/setFieldingState';
import { Fielding, Study, StudyDetail } from '../shared/api/studies';
import { OpenStudy } from '../shared/api/study';
import { misfits, openapi } from './openapi';

const forms: Record<string, v.GenericSchema> = {
  Me: Account,
  BatchSummary: Batch,
  BatchDetail,
  Receipt: Receiving,
  Invitation: OpenStudy,
  SessionView: Session,
  FieldingRow: Fielding,
  StudyRow: Study,
  StudyDetail,
  ResultsOut: Results,
};

describe('the contract of the API', () => {
  it.each(Object.entries(forms))('promises what these pages expect of %s', (name, schema) => {
    expect(misfits(schema, { $ref: `#/components/schemas/${name}` })).toEqual([]);
  });

  it('is compared for real: a missing field, another type and a null are found', () => {
    const wrong = v.object({ username: v.number(), email: v.string(), role: v.optional(v.string()) });
    expect(misfits(wrong, { $ref: '#/components/schemas/Me' })).toEqual(['.username: is string, not number', '.email: is not in the contract']);
    expect(misfits(v.object({ mos: v.number() }), { properties: { mos: { anyOf: [{ type: 'number' }, { type: 'null' }] } } })).toEqual(['.mos: may be null']);
  });

  it('has every call that these pages make', async () => {
    const made = ['GET ' + exportUrl('ID'), 'GET ' + batchClipUrl('ID', 'ID'), 'PUT /api/batches/ID/blobs/ID'];
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      made.push(`${init.method ?? 'GET'} ${path.split('?')[0] ?? ''}`);
      return Promise.resolve(new Response('{}', { status: 500 }));
    });
    const screen = { width_px: 1, height_px: 1, device_pixel_ratio: 1 };
    const play = { position: 1, started_at: '', ended_at: '', replay: false, events: [], frames: null };
    const vote = { position: 1, clip_sha256: '', kind: '', kind_version: 1, data: {}, replays: 0, answer_ms: 0, answered_at: '' };
    await Promise.allSettled([
      getStudy('ID'), createPreview('ID', { language: 'en', consent_version: '', screen }), createSession('ID', { language: 'en', consent_version: '', screen }), getSession('ID'), putPerson('ID', {}), putPlay('ID', 'ID', play), putVote('ID', 'ID', vote),
      finishSession('ID', []), getMe(), login({ username: '', password: '' }), logout(), getStudies(), getStudyDetail('ID'), getResults('ID'),
      setFieldingState('ID', 'open'), getBatches(), getBatch('ID'), createBatch(new Blob()), commitBatch('ID'),
    ]);
    const known = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'ID')}`),
    );
    expect(made).toHaveLength(22);
    expect(made.filter((call) => !known.includes(call))).toEqual([]);
  });
});
