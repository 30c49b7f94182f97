import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { FakePlayer } from '../../test/fakePlayer';
import { CompareView } from './CompareView';

vi.mock('../../shared/player/video/createPlayer', async () => ({ StimulusPlayer: (await import('../../test/fakePlayer')).FakePlayer }));
vi.mock('../../shared/clips/useClip', () => ({ useClip: () => ({ phase: 'ready', objectUrl: 'blob:film' }), clipStore: {} }));
vi.mock('../../shared/player/Countdown', async () => ({ Countdown: (await import('../../test/fakePlayer')).NoCountdown }));

const clip = { url: '/clips/a', bytes: 1, digest: '', width_px: 2560, height_px: 720, frame_rate: 60, start_ms: 1000 };
const params = {
  question: { en: 'Which website loaded faster for you?', de: 'Welche?' },
  sureness_labels: ['not sure at all', 'slightly sure', 'moderately sure', 'quite sure', 'very sure'].map((en) => ({ en, de: en })),
};
const onAnswer = vi.fn();
const next = () => screen.getByRole('button', { name: 'Next' });
const labels = () => screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent);

async function watch(): Promise<UserEvent> {
  const user = userEvent.setup();
  render(
    <I18nProvider i18n={i18n}>
      <CompareView clip={clip} context="at work" language="en" params={params} onPlay={vi.fn()} onAnswer={onAnswer} />
    </I18nProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Start video' }));
  act(() => { FakePlayer.last?.end(); });
  return user;
}

// the number of answers that stand below each other
let columns = 0;

beforeEach(() => onAnswer.mockReset());

describe('a comparison', () => {
  it('asks for left, right or no difference, and then on a separate page how sure', async () => {
    const user = await watch();
    expect(labels()).toEqual(['Left', 'I see no difference', 'Right']);
    expect(next()).toBeDisabled();
    await user.click(screen.getByRole('radio', { name: 'Right' }));
    expect(screen.queryByText('How sure are you?')).toBeNull();
    await user.click(next());
    await waitFor(() => { expect(screen.getByText('How sure are you?')).toHaveFocus(); });
    expect(screen.queryByText('Which website loaded faster for you?')).toBeNull();
    expect(labels()).toEqual(['not sure at all', 'slightly sure', 'moderately sure', 'quite sure', 'very sure']);
    expect(next()).toBeDisabled();
    expect(onAnswer).not.toHaveBeenCalled();
    await user.click(screen.getByRole('radio', { name: 'quite sure' }));
    await user.click(next());
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { choice: 'right', sureness: 4 }, layout: 'row', replays: 0 }]);
    expect(onAnswer).toHaveBeenCalledTimes(1);
  });

  it('lets the person go back; the sureness of one answer is not kept for another', async () => {
    const user = await watch();
    await user.click(screen.getByRole('radio', { name: 'Left' }));
    await user.click(next());
    await user.click(screen.getByRole('radio', { name: 'very sure' }));
    expect(screen.getByText('You said:')).toHaveTextContent('You said: Left');
    expect(screen.getByRole('button', { name: 'Replay Video' })).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Change' }));
    expect(screen.getByRole('radio', { name: 'Left' })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: 'I see no difference' }));
    await user.click(next());
    expect(next()).toBeDisabled();
    await user.click(screen.getByRole('radio', { name: 'slightly sure' }));
    await user.click(next());
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { choice: 'none', sureness: 2 } }]);
  });

  it('names the halves of the film before, while and after it plays, and keeps the situation in view', async () => {
    await watch();
    const captions = () => [...document.querySelectorAll('.stage__caption')].map((caption) => caption.textContent);
    expect(captions()).toEqual(['Left', 'Right']);
    expect(document.querySelector('.trial__lead')).toHaveTextContent('Imagine you are at work and open this website.');
  });

  it('asks again how sure, of the same choice, after a replay', async () => {
    const user = await watch();
    await user.click(screen.getByRole('radio', { name: 'Right' }));
    await user.click(next());
    await user.click(screen.getByRole('button', { name: 'Replay Video' }));
    expect([...document.querySelectorAll('.stage__caption')]).toHaveLength(2);
    act(() => { FakePlayer.last?.end(); });
    expect(screen.getByText('You said:')).toHaveTextContent('You said: Right');
    await user.click(screen.getByRole('radio', { name: 'quite sure' }));
    await user.click(next());
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { choice: 'right', sureness: 4 }, replays: 1 }]);
  });

  it('stores the layout of the first question, not of the second, also after a replay', async () => {
    // as in a phone, where the labels of sureness stand in a column
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const radios = [...document.querySelectorAll('.choice')];
      const isColumn = radios.length === columns;
      return new DOMRect(0, isColumn ? 40 * radios.indexOf(this) : 0, 100, 40);
    });
    for (columns of [5, 3]) {
      const user = await watch();
      await user.click(screen.getByRole('radio', { name: 'Right' }));
      await user.click(next());
      await user.click(screen.getByRole('radio', { name: 'quite sure' }));
      await user.click(screen.getByRole('button', { name: 'Replay Video' }));
      act(() => { FakePlayer.last?.end(); });
      await user.click(screen.getByRole('radio', { name: 'very sure' }));
      await user.click(next());
      cleanup();
    }
    expect(onAnswer.mock.calls).toMatchObject([[{ layout: 'row' }], [{ layout: 'column' }]]);
    vi.restoreAllMocks();
  });

  it('offers a replay where the choice is made', async () => {
    const user = await watch();
    await user.click(screen.getByRole('button', { name: 'Replay Video' }));
    expect(screen.queryByRole('radiogroup')).toBeNull();
    act(() => { FakePlayer.last?.end(); });
    expect(labels()).toHaveLength(3);
  });
});
