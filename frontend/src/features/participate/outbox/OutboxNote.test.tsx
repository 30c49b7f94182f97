import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { voteBody } from '../../../test/records';
import { show } from '../../../test/show';
import { OutboxNote } from './OutboxNote';

const vote = { id: 'a', session_id: 's', created_at_ms: 0, refused: null, kind: 'vote' as const, body: voteBody };
const troubled = { waiting: [vote], refused: [], troubled: true, fleeting: false, overtaken: 0, lost: null };

it('mentions being online only if the device is offline', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  show(<OutboxNote state={troubled} />);
  expect(screen.getByRole('status')).toHaveTextContent('The server does not accept them right now; we keep trying.');
  online.mockReturnValue(false);
  act(() => { window.dispatchEvent(new Event('offline')); });
  expect(screen.getByRole('status')).toHaveTextContent('will be sent as soon as you are online again.');
});

it('shows nothing without problems', () => {
  show(<OutboxNote state={{ ...troubled, troubled: false }} />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
