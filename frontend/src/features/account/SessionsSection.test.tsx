import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';

import { serve, show } from '../../test/show';
import { SessionsSection } from './SessionsSection';

const here = { id: 'a1', browser: 'Firefox 128, Linux', begun_at: '2026-11-20T09:12:00Z', seen_at: '2026-11-20T10:12:00Z', here: true };
const phone = { ...here, id: 'b2', browser: 'other, iOS', here: false };

it('lists active logins, and ends them', async () => {
  const answers: Record<string, unknown> = { 'GET /api/auth/sessions': [200, [here, phone]], 'DELETE /api/auth/sessions/b2': [204, null], 'DELETE /api/auth/sessions': [204, null] };
  const sent = serve(answers);
  show(<SessionsSection />);
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map((row) => row.querySelector('div')?.textContent)).toEqual([
    expect.stringMatching(/^Firefox 128, Linux this browserlogged in .* · last used /),
    expect.stringMatching(/^unknown, iOS logged in /),
  ]);
  await userEvent.click(screen.getByRole('button', { name: /Log out of unknown, iOS/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }));
  answers['GET /api/auth/sessions'] = [200, [here]];
  expect(sent.map(({ call }) => call)).toEqual(['DELETE /api/auth/sessions/b2', 'DELETE /api/auth/sessions']);
});
