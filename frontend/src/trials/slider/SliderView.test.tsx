import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';

import { FakePlayer } from '../../test/fakePlayer';
import { SliderView } from './SliderView';

vi.mock('../../shared/player/video/createPlayer', async () => ({ StimulusPlayer: (await import('../../test/fakePlayer')).FakePlayer }));
vi.mock('../../shared/clips/useClip', () => ({ useClip: () => ({ phase: 'ready', objectUrl: 'blob:film' }), clipStore: {} }));
vi.mock('../../shared/player/Countdown', async () => ({ Countdown: (await import('../../test/fakePlayer')).NoCountdown }));

const clip = { url: '/clips/a', bytes: 1, digest: '', width_px: 1280, height_px: 720, frame_rate: 60, start_ms: 1000 };
const params = {
  question: { en: 'How satisfying was it?', de: 'Wie zufriedenstellend?' },
  labels: ['extremely bad', 'bad', 'poor', 'fair', 'good', 'excellent', 'ideal'].map((en) => ({ en, de: `${en} (de)` })),
};

it('asks after the film, and requires a position on the scale', async () => {
  const user = userEvent.setup();
  const onAnswer = vi.fn();
  render(
    <I18nProvider i18n={i18n}>
      <SliderView clip={clip} context="at work" language="de" params={params} onPlay={vi.fn()} onAnswer={onAnswer} />
    </I18nProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Start video' }));
  expect(screen.queryByRole('slider')).toBeNull();
  act(() => { FakePlayer.last?.end(); });
  await waitFor(() => { expect(screen.getByText('Wie zufriedenstellend?')).toHaveFocus(); });
  expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
  await user.tab();
  await user.keyboard('{PageUp}');
  expect(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', 'good (de), 60');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { value: 60 }, replays: 0 }]);
});
