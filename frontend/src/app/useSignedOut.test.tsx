import { useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useMe } from '../shared/account/useMe';
import { answer, api } from '../shared/api/client';
import { serve, show } from '../test/show';
import { useSignedOut } from './useSignedOut';

function Page() {
  useSignedOut();
  const me = useMe();
  const studies = useQuery({ queryKey: ['studies'], queryFn: () => answer(api.GET('/api/research/studies')), enabled: me.data != null, retry: false });
  return <p>{me.data?.second_factor === 'needed' ? 'lacks a second factor' : me.data === null ? 'asks for the login' : `${me.data?.username ?? '…'} ${String(studies.error?.message)}`}</p>;
}

describe('a page whose session has ended', () => {
  it('asks for the login', async () => {
    serve({ 'GET /api/auth/me': { username: 'rita', role: 'researcher' }, 'GET /api/research/studies': [401, { error: { code: 'not_signed_in', message: 'm' } }] });
    show(<Page />);
    expect(await screen.findByText('asks for the login')).toBeVisible();
  });

  it('asks for a second factor when the platform starts to require one', async () => {
    serve({ 'GET /api/auth/me': { username: 'rita', role: 'researcher', second_factor: 'off' }, 'GET /api/research/studies': [403, { error: { code: 'second_factor_setup', message: 'm' } }] });
    show(<Page />);
    expect(await screen.findByText('lacks a second factor')).toBeVisible();
  });

  it('ignores other errors', async () => {
    serve({ 'GET /api/auth/me': { username: 'rita', role: 'researcher' }, 'GET /api/research/studies': [403, { error: { code: 'forbidden', message: 'no' } }] });
    show(<Page />);
    expect(await screen.findByText('rita no')).toBeVisible();
  });
});
