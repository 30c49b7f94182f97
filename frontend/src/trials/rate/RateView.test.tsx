import { I18nProvider } from '@lingui/react';
import { i18n } from '@lingui/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { plainStage, type Stage, StageContext } from '../../shared/player/stage';
import { FakePlayer } from '../../test/fakePlayer';
import { RateView } from './RateView';

vi.mock('../../shared/player/video/createPlayer', async () => ({ StimulusPlayer: (await import('../../test/fakePlayer')).FakePlayer }));
vi.mock('../../shared/clips/useClip', () => ({ useClip: () => ({ phase: 'ready', objectUrl: 'blob:film' }), clipStore: {} }));
vi.mock('../../shared/player/Countdown', async () => ({ Countdown: (await import('../../test/fakePlayer')).NoCountdown }));

const clip = { url: '/clips/a', bytes: 1, digest: '', width_px: 1280, height_px: 720, frame_rate: 60, start_ms: 1000 };
const params = {
  question: { en: 'How satisfying was it?', de: 'Wie zufriedenstellend?' },
  labels: ['extremely bad', 'bad', 'poor', 'fair', 'good', 'excellent', 'ideal'].map((en) => ({ en, de: en })),
};
const onPlay = vi.fn<(play: { replay: boolean; evidence: { complete: boolean } }) => void>();
const onPlaying = vi.fn();
const onAnswer = vi.fn();

function show(answerFrom: Stage['answerFrom'] = 'end') {
  return render(
    <I18nProvider i18n={i18n}>
      <StageContext value={{ ...plainStage, answerFrom, onPlaying }}>
        <RateView clip={clip} context="at work" language="en" params={params} onPlay={onPlay} onAnswer={onAnswer} />
      </StageContext>
    </I18nProvider>,
  );
}
const end = () => { act(() => { FakePlayer.last?.end(); }); };

beforeEach(() => {
  FakePlayer.broken = false;
  onPlay.mockReset();
  onPlaying.mockReset();
  onAnswer.mockReset();
});

describe('a rating', () => {
  it('asks only after the film, and requires an answer', async () => {
    const user = userEvent.setup();
    show();
    const start = await screen.findByRole('button', { name: 'Start video' });
    await waitFor(() => { expect(start).toHaveFocus(); });
    expect(screen.getByText('at work')).toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(FakePlayer.last?.play).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('radiogroup')).toBeNull();

    end();
    await waitFor(() => { expect(screen.getByText('How satisfying was it?')).toHaveFocus(); });
    expect(screen.getAllByRole('radio')).toHaveLength(7);
    const next = screen.getByRole('button', { name: 'Next' });
    expect(next).toBeDisabled();
    await user.click(screen.getByRole('radio', { name: 'good' }));
    expect(next).toBeEnabled();
    await user.keyboard('{Enter}');
    expect(onAnswer).toHaveBeenCalledTimes(1);
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { score: 5 }, replays: 0 }]);
  });

  it('keeps the answer during a replay, and counts the replay', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    end();
    await user.click(screen.getByRole('radio', { name: 'bad' }));
    await user.click(screen.getByRole('button', { name: 'Replay Video' }));
    expect(screen.queryByRole('radiogroup')).toBeNull();
    end();
    expect(screen.getByRole('radio', { name: 'bad' })).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { score: 2 }, replays: 1 }]);
    expect(onPlay.mock.calls.map(([play]) => play.replay)).toEqual([false, true]);
  });

  it('accepts an answer during the film if the study says so, without stopping the film', async () => {
    const user = userEvent.setup();
    show('start');
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    const next = screen.getByRole('button', { name: 'Next' });
    const { video } = FakePlayer.last ?? {};
    if (video === undefined) throw new Error('no player');
    video.currentTime = 0.4;
    await user.click(screen.getByRole('radio', { name: 'fair' }));
    expect(next).toBeDisabled();
    expect(screen.getByText('You can continue when the video has ended.')).toBeInTheDocument();
    await user.keyboard('{Enter}');
    expect(onAnswer).not.toHaveBeenCalled();
    expect(FakePlayer.last?.stop).not.toHaveBeenCalled();

    video.currentTime = 3;
    end();
    await user.click(next);
    expect(onAnswer.mock.calls[0]).toMatchObject([{ data: { score: 4 }, media_ms: 400 }]);
    expect(onPlay.mock.calls[0]?.[0].evidence.complete).toBe(true);
  });

  it('records an interrupted play, and starts again', async () => {
    const user = userEvent.setup();
    const { unmount } = show();
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    act(() => { window.dispatchEvent(new Event('pagehide')); });
    expect(FakePlayer.last?.stop).toHaveBeenCalledTimes(1);
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    unmount();
    expect(onPlay.mock.calls.map(([play]) => [play.replay, play.evidence.complete])).toEqual([[false, false], [false, false]]);
    expect(onPlaying.mock.calls.map(([playing]) => playing as boolean)).toEqual([true, false, true, false]);
  });

  it('unlocks the film within the user action, for browsers that require one', async () => {
    const user = userEvent.setup();
    show();
    const start = await screen.findByRole('button', { name: 'Start video' });
    expect(FakePlayer.last?.unlock).not.toHaveBeenCalled();
    await user.click(start);
    expect(FakePlayer.last?.unlock).toHaveBeenCalledTimes(1);
    expect(FakePlayer.last?.unlock.mock.invocationCallOrder[0]).toBeLessThan(FakePlayer.last?.play.mock.invocationCallOrder[0] ?? 0);
  });

  it('reports that the browser blocked the first play, and then starts within the user action', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    const player = FakePlayer.last;
    act(() => { player?.hold(); });
    expect(screen.getByRole('alert')).toHaveTextContent('Your browser blocked the video.');
    const start = screen.getByRole('button', { name: 'Start video' });
    await waitFor(() => { expect(start).toHaveFocus(); });
    let within = 0;
    // React listens further down, so this is the end of the press
    document.addEventListener('click', () => { within = player?.play.mock.calls.length ?? 0; }, { once: true });
    await user.click(start);
    expect(within).toBe(2);
    expect(player?.unlock).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('alert')).toBeNull();
    // the first never began, so it was no play
    expect(onPlay).not.toHaveBeenCalled();
    end();
    expect(onPlay.mock.calls.map(([play]) => [play.replay, play.evidence.complete])).toEqual([[false, true]]);
    expect(screen.getByRole('radiogroup')).toBeInTheDocument();
  });

  it('records a play that the browser does not let resume, and starts again', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    FakePlayer.last?.video.dispatchEvent(new Event('playing'));
    act(() => { FakePlayer.last?.hold(); });
    expect(onPlay.mock.calls.map(([play]) => play.evidence.complete)).toEqual([false]);
    expect(screen.getByRole('alert')).toHaveTextContent('Your browser blocked the video.');
    await user.click(screen.getByRole('button', { name: 'Start video' }));
    end();
    expect(onPlay.mock.calls.map(([play]) => play.evidence.complete)).toEqual([false, true]);
  });

  it('continues to ask if a replay is blocked', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Start video' }));
    end();
    await user.click(screen.getByRole('button', { name: 'Replay Video' }));
    act(() => { FakePlayer.last?.hold(); });
    expect(screen.getByRole('alert')).toHaveTextContent('Your browser blocked the video.');
    expect(screen.getByRole('radiogroup')).toBeInTheDocument();
  });

  it('reports that the browser shows no picture, and retries on request', async () => {
    const user = userEvent.setup();
    FakePlayer.broken = true;
    show();
    expect(await screen.findByText('Your browser cannot show these videos.')).toBeInTheDocument();
    expect(screen.queryByRole('radiogroup')).toBeNull();
    FakePlayer.broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('button', { name: 'Start video' })).toBeInTheDocument();
  });
});
