import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Recruiter, Session, StudyText, Trial } from '../../../shared/api/forms';
import type { OutboxEntry } from '../../../shared/outbox/envelope';
import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { FakePlayer } from '../../../test/fakePlayer';
import { plainTrial, studyText } from '../../../test/records';
import { serve } from '../../../test/show';
import { soon } from '../../../test/soon';
import { loadKinds } from '../../../trials/registry';
import type { Done, Step } from './flow';
import { TrialPage } from './TrialPage';

vi.mock('../../../shared/player/video/createPlayer', async () => ({ StimulusPlayer: (await import('../../../test/fakePlayer')).FakePlayer }));
vi.mock('../../../shared/clips/useClip', () => ({ useClip: () => ({ phase: 'ready', objectUrl: 'blob:film' }), clipStore: {} }));
let countdown: (() => void) | null = null;
vi.mock('../../../shared/player/Countdown', () => ({
  Countdown: ({ onPlay }: { onPlay: () => void }) => {
    countdown = onPlay;
    return null;
  },
}));

const text = (en: string) => ({ en, de: en });
const clip = { url: '/clips/a', bytes: 1, digest: 'c', width_px: 2576, height_px: 720, frame_rate: 60, start_ms: 1000 };
const common = { ...plainTrial, clip };
const rating: Trial = { ...common, position: 4, kind: 'rate', answer_from: 'end', params: { question: text('How was it?'), labels: Array.from({ length: 7 }, (_, i) => text(`label ${String(i)}`)) } };
const comparison: Trial = {
  ...common,
  position: 5,
  kind: 'compare',
  answer_from: 'end',
  params: { question: text('Which?'), min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48, sureness_labels: Array.from({ length: 5 }, (_, i) => text(`sure ${String(i)}`)) },
};

const recruiter: Recruiter = { name: 'Prolific', id_parameter: 'PID', ways_back: { incompatible_device: { code: 'DEVICE', url: 'https://panel.example/?cc=DEVICE' } } };

const done: Done = { answered: new Set(), skipped: new Set(), controls: new Set(), personAnswered: true, instructed: true, announced: new Set<number>() };
let sent: OutboxEntry[] = [];
const onSkip = vi.fn();

async function show(trial: Trial, study: StudyText = studyText): Promise<void> {
  const outbox = await Outbox.open({ store: memoryStore(), sessionId: 's1', send: () => new Promise(() => undefined) });
  vi.spyOn(outbox, 'add').mockImplementation((entry) => {
    sent.push(entry);
    return Promise.resolve();
  });
  vi.spyOn(outbox, 'hold').mockImplementation((body) => {
    sent.push({ kind: 'play', body });
    return Promise.resolve();
  });
  const session = { id: 's1', study: { ...study, room: [{ kind: 'compare', skippable: true, trial_s: 10 }] }, trials: [trial] } as unknown as Session;
  const step: Extract<Step, { page: 'trial' }> = { page: 'trial', trial, next: null, number: 1, total: 1 };
  const Flow = () => {
    const [begun, setBegun] = useState<number | null>(null);
    return <TrialPage session={session} done={done} step={step} outbox={outbox} begun={begun === trial.position} onBegun={setBegun} onAnswered={vi.fn()} onSkip={onSkip} />;
  };
  render(
    <I18nProvider i18n={i18n}>
      <Flow />
    </I18nProvider>,
  );
}

const start = () => screen.findByRole('button', { name: 'Start video' });
const replay = () => screen.getByRole('button', { name: 'Replay Video' });
const count = () => { act(() => { countdown?.(); }); };
const end = () => { act(() => { FakePlayer.last?.end(); }); };
async function play(): Promise<void> {
  await userEvent.click(await start());
  count();
  end();
}
function resize(width: number, height: number): void {
  vi.stubGlobal('innerWidth', width);
  vi.stubGlobal('innerHeight', height);
  act(() => { window.dispatchEvent(new Event('resize')); });
}
/** The clocks of page and wall go on; a page's own begins anew with it. */
let wall = 0;
let loaded = 0;
let focused = true;
function focus(value: boolean): void {
  focused = value;
  act(() => { window.dispatchEvent(new Event(value ? 'focus' : 'blur')); });
}
async function reload(trial: Trial): Promise<void> {
  window.dispatchEvent(new Event('pagehide'));
  // what a page does last
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  cleanup();
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  wall += 2000;
  loaded = wall;
  focused = true;
  await show(trial);
}

beforeEach(async () => {
  await loadKinds(['rate', 'compare']);
  sent = [];
  onSkip.mockReset();
  countdown = null;
  [wall, loaded, focused] = [1_800_000_000_000, 1_800_000_000_000, true];
  vi.spyOn(Date, 'now').mockImplementation(() => wall);
  vi.spyOn(performance, 'now').mockImplementation(() => wall - loaded);
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused);
  resize(1440, 900);
});

const plays = () => sent.flatMap((entry) => (entry.kind === 'play' ? [[entry.body.replay, entry.body.evidence.complete]] : []));
const vote = () => {
  const entry = sent.find(({ kind }) => kind === 'vote');
  if (entry?.kind !== 'vote') throw new Error('no vote');
  return entry.body;
};

describe('a trial whose page is reloaded', () => {
  async function answer(): Promise<void> {
    await userEvent.click(screen.getByRole('radio', { name: 'label 3' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
  }

  it('keeps the time away, the replays and the answer time', async () => {
    await show(rating);
    await play();
    wall += 1000;
    focus(false);
    wall += 300_000;
    focus(true);
    wall += 500;
    await reload(rating);
    wall += 700;
    await play();
    wall += 4000;
    await answer();
    expect(plays()).toEqual([[false, true], [true, true]]);
    expect(vote()).toMatchObject({ replays: 1, answer_ms: 308_200, away: [{ at_ms: 1000, ms: 300_000 }] });
    await soon(() => { expect(sessionStorage).toHaveLength(0); });
    window.dispatchEvent(new Event('pagehide'));
    expect(sessionStorage).toHaveLength(0);
  });

  it('counts time away that started before, until the page was closed', async () => {
    await show(rating);
    await play();
    focus(false);
    wall += 20_000;
    await reload(rating);
    await play();
    await answer();
    expect(vote().away).toEqual([{ at_ms: 0, ms: 20_000 }]);
  });

  it('does not count an interrupted play as a play that is replayed', async () => {
    await show(rating);
    await userEvent.click(await start());
    count();
    wall += 1000;
    await reload(rating);
    await play();
    wall += 3000;
    await answer();
    expect(plays()).toEqual([[false, false], [false, true]]);
    expect(vote()).toMatchObject({ replays: 0, answer_ms: 3000, away: [] });
  });
});

describe('a comparison in a window that becomes too small', () => {
  const reason = 'To play the video, please make the window larger: 1237 × 346 pixels are needed.';

  it('lets the current play end and be answered, without replay', async () => {
    await show(comparison);
    await userEvent.click(await start());
    count();
    resize(1000, 346);
    end();
    expect(screen.getByRole('radiogroup')).toBeInTheDocument();
    expect(replay()).toBeDisabled();
    expect(screen.getByRole('status')).toHaveTextContent(reason);
    await userEvent.click(screen.getByRole('radio', { name: 'Left' }));
    expect(screen.getByRole('button', { name: 'Next' })).toBeEnabled();

    resize(1237, 346);
    expect(screen.queryByText(reason)).toBeNull();
    expect(replay()).toBeEnabled();
  });

  it('is not replayed if the window becomes smaller during the countdown', async () => {
    await show(comparison);
    await play();
    await userEvent.click(replay());
    resize(1000, 346);
    count();
    expect(FakePlayer.last?.play).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('radiogroup')).toBeInTheDocument();
    expect(replay()).toBeDisabled();
  });

  it('is not started again after the browser blocked it', async () => {
    await show(comparison);
    await userEvent.click(await start());
    count();
    act(() => { FakePlayer.last?.hold(); });
    resize(1000, 346);
    expect(screen.getByRole('heading', { name: 'A larger window is needed' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Start video' })).toBeNull();
    resize(1237, 346);
    await play();
    expect(plays()).toEqual([[false, true]]);
    expect(screen.getByRole('radiogroup')).toBeInTheDocument();
  });

  it('is not started again after a fault, which shows recruited people the way back', async () => {
    await show(comparison, { ...studyText, recruiter });
    await play();
    await userEvent.click(replay());
    count();
    act(() => { FakePlayer.last?.fault(); });
    expect(screen.getByText('If you cannot do that, please go back to Prolific.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveAttribute('href', 'https://panel.example/?cc=DEVICE');
    resize(1000, 346);
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await start()).toBeDisabled();
    expect(screen.getByText(reason)).toBeInTheDocument();
    resize(1237, 346);
    expect(await start()).toHaveFocus();
  });
});

describe('a clip that does not play', () => {
  it('is reported to the researchers once, and to the participant with what to do', async () => {
    const calls = serve({ 'POST /api/session/play-failures': [204, null] });
    await show(rating);
    await start();
    act(() => { FakePlayer.last?.fault(); });
    expect(await screen.findByRole('alert')).toHaveTextContent('Your answers so far are kept.');
    await soon(() => { expect(calls.map(({ body }) => body)).toEqual([{ session_id: 's1', position: 4, fault: 'undecodable' }]); });
  });
});

it('shows a contact if a reload does not help with a trial of another version', async () => {
  await show({ ...rating, kind_version: 1 });
  expect(screen.getByRole('heading', { name: 'This page is out of date' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeInTheDocument();
  expect(screen.getByText(/If you see this page again and again, please write to/)).toHaveTextContent(studyText.contact);
});
