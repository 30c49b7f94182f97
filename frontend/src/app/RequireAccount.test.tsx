import { screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { useLocation } from 'wouter';

import { serve, show } from '../test/show';
import { RequireAccount } from './RequireAccount';

const me = { username: 'rita', role: 'researcher', second_factor: 'needed' };

function Page() {
  const [path] = useLocation();
  return <p>page {path}</p>;
}

beforeEach(() => { history.replaceState(null, '', '/research?origin=all'); });

it('redirects to the account page until a required second factor is set up', async () => {
  serve({ 'GET /api/auth/me': me });
  show(<RequireAccount needs="guest"><Page /></RequireAccount>);
  expect(await screen.findByText('page /account')).toBeVisible();
  expect(location.search).toBe('?next=%2Fresearch%3Forigin%3Dall');
});

it('shows the page to accounts that have a second factor or need none', async () => {
  serve({ 'GET /api/auth/me': { ...me, second_factor: 'off' } });
  show(<RequireAccount needs="guest"><Page /></RequireAccount>);
  expect(await screen.findByText('page /research')).toBeVisible();
});
