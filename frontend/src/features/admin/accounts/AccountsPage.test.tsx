import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../../test/show';
import AccountsPage from './AccountsPage';

const anna = { username: 'anna', role: 'admin', is_active: true, last_login: null };
const gus = { username: 'gus', role: 'guest', is_active: false, last_login: '2026-11-20T09:12:00Z' };

describe('the page of all accounts', () => {
  it('lists them, changes roles, closes and opens, and says why not', async () => {
    const sent = serve({
      'GET /api/accounts': [200, [anna, gus]],
      'POST /api/accounts/anna/role': [409, { error: { code: 'last_admin', message: 'anna is the last admin; make another account an admin first.' } }],
      'POST /api/accounts/gus/active': { ...gus, is_active: true },
      'POST /api/accounts/anna/password': { password: 'new-once' },
    });
    show(<AccountsPage />);
    expect(await screen.findByText('never logged in')).toBeVisible();
    expect(screen.getByText('closed')).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText('Role of anna'), 'researcher');
    expect(await screen.findByText(/anna is the last admin/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Open the account gus again' }));
    await userEvent.click(screen.getByRole('button', { name: 'New password for anna' }));
    expect(await screen.findByText('new-once')).toBeVisible();
    expect(sent).toEqual([
      { call: 'POST /api/accounts/anna/role', body: { role: 'researcher' } },
      { call: 'POST /api/accounts/gus/active', body: { active: true } },
      { call: 'POST /api/accounts/anna/password', body: null },
    ]);
  });

  it('makes an account and shows its first password', async () => {
    const sent = serve({ 'GET /api/accounts': [200, [anna]], 'POST /api/accounts': [201, { ...gus, password: 'first-once' }] });
    show(<AccountsPage />);
    const name = await screen.findByLabelText('User name');
    await userEvent.type(name, 'g us');
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText(/Please enter a user name of letters/)).toBeVisible();
    await userEvent.clear(name);
    await userEvent.type(name, 'gus');
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'guest');
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText('first-once')).toBeVisible();
    expect(sent).toEqual([{ call: 'POST /api/accounts', body: { username: 'gus', role: 'guest' } }]);
  });
});
