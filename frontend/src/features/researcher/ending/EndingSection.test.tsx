import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';

import type { StudyRow } from '../../../shared/api/contract.gen';
import { serve, show } from '../../../test/show';
import { EndingSection } from './EndingSection';

const sha256 = 'a'.repeat(64);
const path = `/api/research/studies/${sha256}`;
const contents = { links: 1, sessions: 2, votes: 12, erased: 0, recruiter_ids: 0, snapshots: 1, exports: 1, batch: { sha256: 'b'.repeat(64), campaign: 'tiny', bytes: 1000, other_studies: 0 }, later_versions: [] as string[] };

function study(state: string, archived_at: string | null = null, rights = ['share']): StudyRow {
  return { sha256, name: 'pilot', rights, archived_at, fieldings: [{ state }] } as unknown as StudyRow;
}

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
});

it('is for owner and admins only', () => {
  serve({});
  show(<EndingSection study={study('closed', null, ['read', 'export', 'edit'])} />);
  expect(screen.queryByRole('button')).toBeNull();
});

it('says that archiving closes the links, and offers no deletion before', async () => {
  const sent = serve({ [`POST ${path}/archive`]: {} });
  show(<EndingSection study={study('open')} />);
  expect(screen.queryByRole('button', { name: 'Delete the study …' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Archive …' }));
  expect(screen.getByText(/All links of the study are closed permanently/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Archive' }));
  await waitFor(() => { expect(sent).toEqual([{ call: `POST ${path}/archive`, body: { archived: true } }]); });
});

it('takes a study back', async () => {
  const sent = serve({ [`POST ${path}/archive`]: {} });
  show(<EndingSection study={study('closed', '2026-11-20T09:12:00Z')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Restore from the archive' }));
  await waitFor(() => { expect(sent).toEqual([{ call: `POST ${path}/archive`, body: { archived: false } }]); });
});

it('says what goes, and deletes once the name was typed', async () => {
  const sent = serve({ [`GET ${path}/deletion`]: contents, 'GET /api/auth/me': { username: 'ada', role: 'admin' }, [`POST ${path}/deletion`]: [409, { error: { code: 'in_use', message: 'The batch tiny is used.', retry: false, details: {} } }] });
  show(<EndingSection study={study('closed')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete the study …' }));
  expect(await screen.findByText('12 votes')).toBeInTheDocument();
  const button = screen.getByRole('button', { name: 'Delete permanently' });
  await userEvent.type(screen.getByRole('textbox', { name: 'Type pilot to confirm' }), 'pilo');
  expect(button).toBeDisabled();
  await userEvent.type(screen.getByRole('textbox'), 't');
  await userEvent.click(await screen.findByRole('checkbox'));
  await userEvent.click(button);
  await waitFor(() => { expect(sent).toEqual([{ call: `POST ${path}/deletion`, body: { confirm: 'pilot', with_batch: true } }]); });
  expect(await screen.findByRole('alert')).toHaveTextContent('The batch tiny is used.');
});

it('keeps an earlier version while a later one is there', async () => {
  serve({ [`GET ${path}/deletion`]: { ...contents, later_versions: ['pilot-2'] } });
  show(<EndingSection study={study('closed')} />);
  await userEvent.click(screen.getByRole('button', { name: 'Delete the study …' }));
  expect(await screen.findByText(/the earlier version of pilot-2/)).toBeInTheDocument();
  await userEvent.type(screen.getByRole('textbox'), 'pilot');
  expect(screen.getByRole('button', { name: 'Delete permanently' })).toBeDisabled();
});
