import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';

import { plainSession } from '../../../test/records';
import { serve, show } from '../../../test/show';
import { soon } from '../../../test/soon';
import SessionPage from './SessionPage';

// trials themselves have tests of their own
vi.mock('./SessionFlow', () => ({ SessionFlow: () => <p>the flow</p> }));

const other = new BroadcastChannel('eyelevel.session.s');
const heard = vi.fn();
other.onmessage = heard;
afterEach(() => { heard.mockReset(); });

it('continues in this tab on request, and notifies the other tab', async () => {
  serve({});
  show(<SessionPage session={{ ...plainSession, id: 's' }} />);
  expect(await screen.findByText('the flow')).toBeVisible();
  await soon(() => { expect(heard).toHaveBeenCalledTimes(1); });
  other.postMessage('here');
  const heading = await screen.findByRole('heading', { name: 'You continued in another tab' });
  await soon(() => { expect(heading).toHaveFocus(); });
  expect(screen.queryByText('the flow')).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Continue here' }));
  expect(await screen.findByText('the flow')).toBeVisible();
  await soon(() => { expect(heard).toHaveBeenCalledTimes(2); });
});

it('shows the end in every tab', async () => {
  serve({});
  show(<SessionPage session={{ ...plainSession, id: 's', state: 'completed' }} />);
  expect(await screen.findByText('the flow')).toBeVisible();
  other.postMessage('here');
  // a message that would have been heard by now
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByText('the flow')).toBeVisible();
});
