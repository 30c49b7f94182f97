import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';

import { serve, show } from '../../test/show';
import ResetPage from './ResetPage';

const over = [409, { error: { code: 'link_over', message: 'm' } }];

describe('the page behind a one-time link', () => {
  beforeEach(() => { history.replaceState(null, '', '/reset#account=rita&token=once'); });

  it('sets a password, and removes the token from the address', async () => {
    const answers: Record<string, unknown> = {
      'GET /api/auth/me': [401, {}],
      'POST /api/auth/reset/check': { username: 'rita', second_factor: true },
      'POST /api/auth/reset': [422, { error: { code: 'weak_password', message: 'm' } }],
    };
    const sent = serve(answers);
    show(<ResetPage />);
    expect(await screen.findByRole('heading', { name: 'New password for rita' })).toBeVisible();
    expect(location.href).toBe(`${location.origin}/reset`);
    expect(screen.getByText(/The second factor of the account stays as it is/)).toBeVisible();
    const set = screen.getByRole('button', { name: 'Set password' });
    await userEvent.click(set);
    expect(await screen.findByText('Please enter at least ten characters.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('New password, at least ten characters'), 'password12');
    await userEvent.click(set);
    expect(await screen.findByText('The two passwords differ.')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Repeat the new password'), 'password12');
    await userEvent.click(set);
    expect(await screen.findByText(/too easy to guess/)).toBeVisible();
    answers['POST /api/auth/reset'] = [204, null];
    await userEvent.click(set);
    expect(await screen.findByRole('heading', { name: 'The password has been set' })).toBeVisible();
    expect(sent.at(-1)).toEqual({ call: 'POST /api/auth/reset', body: { account: 'rita', token: 'once', new: 'password12' } });
  });

  it('reports an expired link, on opening or on use', async () => {
    const answers: Record<string, unknown> = { 'GET /api/auth/me': [401, {}], 'POST /api/auth/reset/check': over };
    serve(answers);
    show(<ResetPage />);
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  });
});
