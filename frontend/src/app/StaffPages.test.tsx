import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { serve, show } from '../test/show';
import StaffPages from './StaffPages';

it.each([
  ['/research/studies', '/research'],
  ['/admin/batches', '/admin'],
])('redirects %s, which the addresses of single items suggest, to the list', async (address, list) => {
  serve({ 'GET /api/auth/me': { username: 'ada', role: 'admin', second_factor: 'off' }, 'GET /api/health/state': {}, 'GET /api/research/studies': [], 'GET /api/batches': [] });
  history.replaceState(null, '', address);
  show(<StaffPages />);
  await waitFor(() => { expect(location.pathname).toBe(list); });
});
