import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { plainTrial } from '../../test/records';
import { show } from '../../test/show';
import { clipStore } from '../clips/useClip';
import { ClipLoading } from './Loading';
import { plainStage, StageContext } from './stage';

const { clip } = plainTrial;

it('offers only to reload the page if the clip is gone', async () => {
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  show(<ClipLoading clip={clip} state={{ phase: 'failed', fault: 'gone' }} />);
  expect(screen.getByRole('alert')).toHaveTextContent('This video is no longer available to you. Please reload the page');
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('offers to retry if the clip is damaged', async () => {
  const retry = vi.spyOn(clipStore, 'retry');
  show(<ClipLoading clip={clip} state={{ phase: 'failed', fault: 'damaged' }} />);
  expect(screen.getAllByRole('button')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(retry).toHaveBeenCalledExactlyOnceWith(clip);
});

it('offers to skip a video that does not load, and reports a failed report', async () => {
  const onSkip = vi.fn().mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce(undefined);
  const waiting = (attempt: number) => <StageContext value={{ ...plainStage, onSkip }}><ClipLoading clip={clip} state={{ phase: 'loading', received_bytes: 0, fault: 'unreachable', attempt }} /></StageContext>;
  show(waiting(4));
  expect(screen.queryByRole('button', { name: /Skip/ })).toBeNull();
  cleanup();
  show(waiting(5));
  await userEvent.click(screen.getByRole('button', { name: 'Skip this video and report it' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The report could not be sent.');
  await userEvent.click(screen.getByRole('button', { name: 'Skip this video and report it' }));
  expect(onSkip).toHaveBeenCalledTimes(2);
});
