import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../test/show';
import AccountPage from './AccountPage';

const token = { id: 7, name: 'nightly', scope: 'results', created_at: '2026-11-20T09:12:00Z', expires_at: '2099-02-18T09:12:00Z', last_used_at: null };

describe('the page of my account', () => {
  it('creates a token, shows it once, and revokes a token', async () => {
    const sent = serve({
      'GET /api/auth/me': { username: 'rita', role: 'researcher', second_factor: 'off' },
      'GET /api/auth/tokens': [200, [token]],
      'POST /api/auth/tokens': [201, { ...token, id: 8, name: 'push', token: 'ey_once' }],
      'DELETE /api/auth/tokens/7': [204, null],
    });
    show(<AccountPage />);
    expect(await screen.findByText(/expires on .*2099 · never used/)).toBeVisible();
    expect(screen.queryByRole('option', { name: 'send batches' })).toBeNull();
    const make = screen.getByRole('button', { name: 'Create token' });
    await userEvent.click(make);
    expect(await screen.findByText('Please enter the purpose of the token.')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByLabelText('Purpose'), 'push');
    await userEvent.selectOptions(screen.getByLabelText('Permission'), 'studies');
    await userEvent.click(make);
    expect(await screen.findByText('ey_once')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Revoke nightly' }));
    await waitFor(() => { expect(sent).toHaveLength(2); });
    expect(sent).toEqual([
      { call: 'POST /api/auth/tokens', body: { name: 'push', scope: 'studies', days: 90 } },
      { call: 'DELETE /api/auth/tokens/7', body: null },
    ]);
  });

  it('changes the password, and shows the reason for a refusal', async () => {
    const answers: Record<string, unknown> = {
      'GET /api/auth/me': { username: 'gus', role: 'guest', second_factor: 'off' },
      'POST /api/auth/password': [422, { error: { code: 'wrong_password', message: 'as the server says it' } }],
    };
    const sent = serve(answers);
    show(<AccountPage />);
    expect(await screen.findByText('guest: reads the studies that are shared with you')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Tokens for programs' })).toBeNull();
    const change = screen.getByRole('button', { name: 'Change password' });
    await userEvent.type(screen.getByLabelText('Current password'), 'wrong');
    await userEvent.type(screen.getByLabelText('New password, at least ten characters'), 'short');
    await userEvent.click(change);
    expect(await screen.findByText(/a new one of at least ten characters/)).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(screen.getByLabelText('New password, at least ten characters'), ' and longer');
    await userEvent.click(change);
    expect(await screen.findByText('The password is wrong.')).toBeVisible();
    answers['POST /api/auth/password'] = [204, null];
    await userEvent.click(change);
    expect(await screen.findByText(/The password has been changed/)).toBeVisible();
    expect(screen.getByLabelText('Current password')).toHaveValue('');
  });
});
