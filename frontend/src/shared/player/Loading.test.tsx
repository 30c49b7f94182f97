import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { plainTrial } from '../../test/records';
import { show } from '../../test/show';
import { clipStore } from '../clips/useClip';
import { ClipLoading } from './Loading';

const { clip } = plainTrial;

it('offers to reload the page where the clip is gone, and nothing else', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  show(<ClipLoading clip={clip} state={{ phase: 'failed', fault: 'gone' }} />);
  expect(screen.getByRole('alert')).toHaveTextContent('This video is no longer available to you. Please reload the page');
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('offers to try again where it arrived damaged', async () => {
  const retry = vi.spyOn(clipStore, 'retry');
  show(<ClipLoading clip={clip} state={{ phase: 'failed', fault: 'damaged' }} />);
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(retry).toHaveBeenCalledExactlyOnceWith(clip);
});
