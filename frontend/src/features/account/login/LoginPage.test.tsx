import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';

import { serve, show } from '../../../test/show';
import { LoginPage } from './LoginPage';

const refused = (status: number, code: string, details = {}) => [status, { error: { code, message: 'as the server says it', details } }];

describe('the login', () => {
  beforeEach(() => { history.replaceState(null, '', '/login'); });

  it('asks for a code after a correct password, and accepts a recovery code', async () => {
    const answers: Record<string, unknown> = { 'GET /api/auth/me': [401, {}], 'POST /api/auth/login': refused(401, 'wrong_credentials') };
    const sent = serve(answers);
    show(<LoginPage />);
    await userEvent.type(await screen.findByLabelText('User name'), 'rita');
    await userEvent.type(screen.getByLabelText('Password'), 'secret');
    const enter = () => userEvent.click(screen.getByRole('button', { name: 'Log in' }));
    await enter();
    expect(await screen.findByText('User name or password is wrong.')).toBeVisible();
    answers['POST /api/auth/login'] = refused(401, 'second_factor_needed');
    await enter();
    const code = await screen.findByLabelText('Six-digit code from your app');
    expect(code).toHaveFocus();
    expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
    await enter();
    expect(await screen.findByText('Please enter the code.')).toBeVisible();
    answers['POST /api/auth/login'] = refused(401, 'wrong_code');
    await userEvent.type(code, '123456');
    await enter();
    expect(await screen.findByText(/The code is wrong or has already been used/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    const recovery = screen.getByLabelText('Recovery code');
    expect(recovery).toHaveAttribute('inputmode', 'text');
    await userEvent.clear(recovery);
    await userEvent.type(recovery, 'abcd-efgh-ijkl');
    answers['POST /api/auth/login'] = { username: 'rita', role: 'researcher', second_factor: 'on' };
    await enter();
    await screen.findByText((_, element) => element?.tagName === 'BODY' && screen.queryByRole('button') === null);
    const who = { username: 'rita', password: 'secret' };
    expect(sent.map(({ body }) => body)).toEqual([who, who, { ...who, code: '123456' }, { ...who, code: 'abcd-efgh-ijkl' }]);
    expect(location.pathname).toBe('/');
  });

  it.each([
    [300, 'Too many attempts. Try again in five minutes.'],
    [86400, 'Too many attempts. Try again tomorrow, or ask an admin.'],
  ])('says when to try again', async (seconds, says) => {
    serve({ 'GET /api/auth/me': [401, {}], 'POST /api/auth/login': refused(429, 'too_many_attempts', { retry_after_s: seconds }) });
    show(<LoginPage />);
    await userEvent.type(await screen.findByLabelText('User name'), 'rita');
    await userEvent.type(screen.getByLabelText('Password'), 'secret');
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText(says)).toBeVisible();
  });
});
