import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../../test/show';
import AccountsPage from './AccountsPage';

const anna = { username: 'anna', role: 'admin', is_active: true, last_login: null, second_factor: true };
const gus = { username: 'gus', role: 'guest', is_active: false, last_login: '2026-11-20T09:12:00Z', second_factor: false };
const link = 'https://study.example.org/reset#account=anna&token=once';

describe('the page of all accounts', () => {
  it('lists accounts, changes roles, closes and opens, and shows reasons for refusals', async () => {
    const sent = serve({
      'GET /api/accounts': [200, [anna, gus]],
      'POST /api/accounts/anna/role': [409, { error: { code: 'last_admin', message: 'anna is the last admin; make another account an admin first.' } }],
      'POST /api/accounts/gus/active': { ...gus, is_active: true },
      'POST /api/accounts/anna/reset-link': [201, { link, expires_at: '2026-11-21T09:12:00Z' }],
    });
    show(<AccountsPage />);
    expect(await screen.findByText('never logged in')).toBeVisible();
    expect(screen.getByText('closed')).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText('Role of anna'), 'researcher');
    expect(await screen.findByText(/anna is the last admin/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Open the account gus again' }));
    await userEvent.click(screen.getByRole('button', { name: 'Link for a new password of anna' }));
    expect(await screen.findByText(link)).toBeVisible();
    expect(sent).toEqual([
      { call: 'POST /api/accounts/anna/role', body: { role: 'researcher' } },
      { call: 'POST /api/accounts/gus/active', body: { active: true } },
      { call: 'POST /api/accounts/anna/reset-link', body: null },
    ]);
  });

  it('turns off a lost second factor after a confirmation, and ends all logins', async () => {
    HTMLDialogElement.prototype.showModal = function () { this.open = true; };
    const sent = serve({ 'GET /api/accounts': [200, [anna]], 'DELETE /api/accounts/anna/second-factor': [204, null], 'DELETE /api/accounts/anna/sessions': [204, null] });
    show(<AccountsPage />);
    const off = await screen.findByRole('button', { name: 'Turn off the second factor of anna' });
    await userEvent.click(off);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(sent).toEqual([]);
    await userEvent.click(off);
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }));
    await userEvent.click(screen.getByRole('button', { name: 'Log out anna everywhere' }));
    expect(await screen.findByText('anna is logged out everywhere.')).toBeVisible();
    expect(sent.map(({ call }) => call)).toEqual(['DELETE /api/accounts/anna/second-factor', 'DELETE /api/accounts/anna/sessions']);
  });

  it('offers no actions for the own account that belong on the page Account, and none for a closed one', async () => {
    serve({ 'GET /api/auth/me': { username: 'anna', role: 'admin', second_factor: 'on' }, 'GET /api/accounts': [200, [anna, gus]] });
    show(<AccountsPage />);
    await screen.findByText('never logged in');
    await waitFor(() => { expect(screen.queryByRole('button', { name: /second factor of anna|new password of/ })).toBeNull(); });
    expect(screen.getByRole('button', { name: 'Close the account anna' })).toBeVisible();
  });

  it('creates an account and shows the link that sets its password', async () => {
    const sent = serve({ 'GET /api/accounts': [200, [anna]], 'POST /api/accounts': [201, { ...gus, link, expires_at: '2026-11-21T09:12:00Z' }] });
    show(<AccountsPage />);
    const name = await screen.findByLabelText('User name');
    await userEvent.type(name, 'g us');
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText(/Please enter a user name of letters/)).toBeVisible();
    await userEvent.clear(name);
    await userEvent.type(name, 'gus');
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'guest');
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
    expect(await screen.findByText(link)).toBeVisible();
    expect(sent).toEqual([{ call: 'POST /api/accounts', body: { username: 'gus', role: 'guest' } }]);
  });
});
