import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../test/show';
import AuditPage from './AuditPage';

const entry = { id: 9, at: '2026-11-20T09:12:00Z', actor: 'anna', what: 'role', kind: 'account', target: 'gus', study_sha256: null, details: { from: 'guest', to: 'researcher' } };
const exported = { ...entry, id: 8, what: 'export', kind: 'study', target: 'pilot', study_sha256: 'a'.repeat(64), details: { snapshot: 'b'.repeat(64), group: null, votes: 3 } };
const withdrawn = { ...exported, id: 6, actor: null, what: 'erase', details: { erasure: 'c-1', by: 'participant', votes: 1 } };
const erased = { ...withdrawn, id: 5, details: { erasure: 'c-2', by: 'admin', votes: 4 } };
const forgotten = { ...withdrawn, id: 4, actor: 'anna', details: { recruiter_ids: 12 } };
const foreign = { ...entry, id: 7, actor: null, what: 'something-new', kind: 'other', target: 'x', details: {} };

describe('the page of the log', () => {
  it('shows actor, action and object, and loads older entries', async () => {
    serve({ 'GET /api/audit': { entries: [entry, exported], before: 8 }, 'GET /api/audit?before=8': { entries: [foreign], before: null } });
    show(<AuditPage />);
    const lines = () => screen.getAllByRole('listitem').map((line) => line.querySelector('span')?.textContent);
    await screen.findAllByRole('listitem');
    expect(lines()).toEqual(['anna changed the role: account gus (guest → researcher)', 'anna exported: study pilot (bbbbbbbbbbbb, 3 votes)']);
    expect(screen.getByRole('link', { name: 'pilot' })).toHaveAttribute('href', `/log?study=${'a'.repeat(64)}`);
    await userEvent.click(screen.getByRole('button', { name: 'Show older entries' }));
    await screen.findByText(/something-new/);
    expect(lines()[2]).toBe('a command on the server something-new:  x');
    expect(screen.queryByRole('button', { name: 'Show older entries' })).toBeNull();
  });

  it('shows who erased data: a participant, a command, or a researcher', async () => {
    serve({ 'GET /api/audit': { entries: [withdrawn, erased, forgotten], before: null } });
    show(<AuditPage />);
    const lines = (await screen.findAllByRole('listitem')).map((line) => line.querySelector('span')?.textContent);
    expect(lines).toEqual([
      'a participant withdrew; all data erased: study pilot (c-1, 1 vote)',
      'a command on the server erased the data of a participant: study pilot (c-2, 4 votes)',
      'anna deleted the recruiter’s IDs: study pilot (12 IDs)',
    ]);
  });
});
