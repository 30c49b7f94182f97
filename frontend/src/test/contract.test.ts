import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { Account } from '../shared/api/account';
import { AuditPage, Entry, getAudit } from '../shared/api/audit';
import { Batch, BatchDetail, Receiving } from '../shared/api/batches';
import { Conformance, SessionVerdict } from '../shared/api/conformance';
import { commitBatch } from '../shared/api/commitBatch';
import { createBatch } from '../shared/api/createBatch';
import { createPreview } from '../shared/api/createPreview';
import { createSession } from '../shared/api/createSession';
import { exportUrl } from '../shared/api/exportUrl';
import { Completion, finishSession } from '../shared/api/finishSession';
import { batchClipUrl, getBatch } from '../shared/api/getBatch';
import { forgetRecruiterIds } from '../shared/api/forgetRecruiterIds';
import { getBatches } from '../shared/api/getBatches';
import { getExports } from '../shared/api/getExports';
import { acceptedUrl, getConformance, getSessionVerdicts } from '../shared/api/getConformance';
import { getMe } from '../shared/api/getMe';
import { getOwnPromises } from '../shared/api/getOwnPromises';
import { getPrivacy } from '../shared/api/getPrivacy';
import { getResults } from '../shared/api/getResults';
import { getSession } from '../shared/api/getSession';
import { getStudies } from '../shared/api/getStudies';
import { getStudy } from '../shared/api/getStudy';
import { getStudyDetail } from '../shared/api/getStudyDetail';
import { login } from '../shared/api/login';
import { logout } from '../shared/api/logout';
import { lookUpPromises } from '../shared/api/lookUpPromises';
import { Export, Privacy } from '../shared/api/privacy';
import { putControl } from '../shared/api/putControl';
import { changePassword } from '../shared/api/password';
import { createPerson, getPeople, newPassword, NewPassword, NewPerson, Person, setActive, setRole } from '../shared/api/people';
import { putPerson } from '../shared/api/putPerson';
import { putPlay } from '../shared/api/putPlay';
import { putVote } from '../shared/api/putVote';
import { Results } from '../shared/api/results';
import { Session } from '../shared/api/session';
import { setFieldingState } from '../shared/api/setFieldingState';
import { deleteShare, getShares, putShare, Share } from '../shared/api/shares';
import { Fielding, Study, StudyDetail } from '../shared/api/studies';
import { OpenStudy } from '../shared/api/study';
import { withdraw } from '../shared/api/withdraw';
import { Promises, Withdrawn } from '../shared/api/withdrawals';
import { createToken, getTokens, NewToken, revokeToken, Token } from '../shared/api/tokens';
import { unblind } from '../shared/api/unblind';
import { misfits, openapi } from './openapi';
import { playBody, voteBody } from './records';

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
  Completion,
  Promises,
  Withdrawn,
  ExportRow: Export,
  Privacy,
  ConformanceOut: Conformance,
  SessionOut: SessionVerdict,
  ShareRow: Share,
  TokenRow: Token,
  NewToken,
  AccountRow: Person,
  NewAccount: NewPerson,
  NewPassword,
  EntryRow: Entry,
  AuditPage,
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
    const made = ['GET ' + exportUrl('ID'), 'GET ' + batchClipUrl('ID', 'ID'), 'PUT /api/batches/ID/blobs/ID', 'GET ' + acceptedUrl('ID')];
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      made.push(`${init.method ?? 'GET'} ${path.split('?')[0] ?? ''}`);
      return Promise.resolve(new Response('{}', { status: 500 }));
    });
    const screen = { width_px: 1, height_px: 1, device_pixel_ratio: 1 };
    await Promise.allSettled([
      getStudy('ID'), createPreview('ID', { language: 'en', consent_version: '', screen }), createSession('ID', { language: 'en', consent_version: '', screen }), getSession('ID'), putPerson('ID', {}), putPlay('ID', 'ID', playBody), putVote('ID', 'ID', voteBody),
      finishSession('ID', []), getMe(), login({ username: '', password: '' }), logout(), getStudies(), getStudyDetail('ID'), getResults('ID'),
      setFieldingState('ID', 'open'), getBatches(), getBatch('ID'), createBatch(new Blob()), commitBatch('ID'),
      getOwnPromises(), lookUpPromises(''), withdraw({ completion_code: '' }), getExports('ID'), getPrivacy('ID'), forgetRecruiterIds('ID', ''),
      putControl('ID', { key: 'ID', choice: '' }), getConformance('ID'), getSessionVerdicts('ID'),
      unblind('ID'), getShares('ID'), putShare('ID', 'ID', 'read'), deleteShare('ID', 'ID'), getAudit(null, null),
      getTokens(), createToken({ name: '', scope: 'results', days: 1 }), revokeToken('ID'), changePassword({ current: '', new: '' }),
      getPeople(), createPerson({ username: '', role: 'guest' }), setRole('ID', 'guest'), setActive('ID', true), newPassword('ID'),
    ]);
    const known = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, 'ID')}`),
    );
    expect(made).toHaveLength(46);
    expect(made.filter((call) => !known.includes(call))).toEqual([]);
  });
});
