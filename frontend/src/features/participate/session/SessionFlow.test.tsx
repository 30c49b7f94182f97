import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Session } from '../../../shared/api/forms';
import { activateLanguage } from '../../../shared/i18n/language';
import { Outbox } from '../../../shared/outbox/outbox';
import { memoryStore } from '../../../shared/outbox/store';
import { plainSession, plainTrial, studyText } from '../../../test/records';
import { serve, show } from '../../../test/show';
import { soon } from '../../../test/soon';
import { loadKinds } from '../../../trials/registry';
import { SessionFlow } from './SessionFlow';

// there is no decoder here, and no film
vi.mock('../../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));
vi.mock('../../../shared/player/video/createPlayer', async () => ({ StimulusPlayer: (await import('../../../test/fakePlayer')).FakePlayer }));
vi.mock('../../../shared/clips/useClip', () => ({ useClip: () => ({ phase: 'loading', received_bytes: 0, fault: null, attempt: 1 }), clipStore: { want: () => undefined } }));

const both = (en: string, de: string) => ({ en, de });
const choices = [{ key: 'a', label: both('yes', 'ja') }];
const study: Session['study'] = { ...studyText, languages: ['en', 'de'], questions: [{ key: 'age', label: both('How old?', 'Wie alt?'), required: true, choices }] };
const control = { key: 'c', after: 0, label: both('Are you there?', 'Sind Sie da?'), choices };
const rating = { ...plainTrial, params: { question: both('How was it?', 'Wie war es?'), labels: Array.from({ length: 7 }, (_, i) => both(`label ${String(i)}`, `Wort ${String(i)}`)) } };
const session: Session = { ...plainSession, study, person_answered: false, controls: [control], trials: [rating] };

async function open(change: Partial<Session> = {}): Promise<void> {
  serve({ 'PUT /api/session/person': [204, null] });
  const outbox = await Outbox.open({ store: memoryStore(), sessionId: 's', send: () => new Promise(() => undefined) });
  show(<SessionFlow session={{ ...session, ...change }} outbox={outbox} />);
}

beforeEach(() => loadKinds(['rate', 'compare']));

const bar = () => screen.getByRole('progressbar', { name: 'Progress through the study' });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('the pages of a session', () => {
  it('show the progress on each page', async () => {
    await open();
    expect(screen.getByRole('heading', { name: 'A few questions about you' })).toBeVisible();
    expect(bar()).toHaveAttribute('max', '4');
    expect(bar()).toHaveAttribute('value', '0');
    await userEvent.click(screen.getByRole('radio', { name: 'yes' }));
    await press('Continue');
    expect(await screen.findByRole('heading', { name: 'How it works' })).toBeVisible();
    expect(bar()).toHaveAttribute('value', '1');
    await press('Continue');
    expect(screen.getByRole('radiogroup', { name: 'Are you there?' })).toBeVisible();
    expect(bar()).toHaveAttribute('value', '2');
    expect(screen.getByText('Video 1 of 1')).toBeVisible();
    await userEvent.click(screen.getByRole('radio', { name: 'yes' }));
    await press('Continue');
    await soon(() => { expect(bar()).toHaveAttribute('value', '3'); });
  });

  describe('in another language', () => {
    afterEach(async () => {
      await activateLanguage('en');
    });

    it('continue at the same place, and keep the choices', async () => {
      await open();
      await userEvent.click(screen.getByRole('radio', { name: 'yes' }));
      await press('Deutsch');
      expect(await screen.findByRole('radiogroup', { name: 'Wie alt?' })).toBeVisible();
      expect(document.documentElement.lang).toBe('de');
      expect(screen.getByRole('radio', { name: 'ja' })).toBeChecked();
      await press('Weiter');
      expect(await screen.findByRole('heading', { name: 'So funktioniert es' })).toBeVisible();
      expect(screen.getByRole('button', { name: 'Deutsch' })).toHaveAttribute('aria-pressed', 'true');
    });
  });

  it('offer no language that the study does not have', async () => {
    await open({ study: { ...study, languages: ['en'] } });
    expect(screen.queryByRole('navigation', { name: 'Language' })).not.toBeInTheDocument();
  });
});

describe('a video that may be left out', () => {
  const pair = { width_px: 2576, height_px: 720 };
  const needs = { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 };
  const params = { ...needs, question: both('Which?', 'Welches?'), sureness_labels: rating.params.labels.slice(0, 5) };
  const compare = { ...plainTrial, position: 2, kind: 'compare', clip: { ...plainTrial.clip, ...pair }, params };
  const room = [{ kind: 'compare', clip: pair, ...needs, skippable: true, trials: 1, controls: 0, trial_s: 20 }];
  const narrow = { study: { ...studyText, room }, controls: [], trials: [rating, compare], answered: [1] };

  beforeEach(() => {
    vi.stubGlobal('innerWidth', 1000);
    vi.stubGlobal('innerHeight', 700);
  });

  it('has no number while it does not fit in the window, and is counted when it fits', async () => {
    await open(narrow);
    expect(screen.getByRole('heading', { name: 'A larger window is needed' })).toBeVisible();
    expect(screen.queryByText(/Video \d of \d/)).not.toBeInTheDocument();
    expect(bar()).toHaveAttribute('value', '2');
    expect(bar()).toHaveAttribute('max', '2');
    vi.stubGlobal('innerWidth', 1440);
    act(() => { window.dispatchEvent(new Event('resize')); });
    expect(bar()).toHaveAttribute('max', '3');
    expect(screen.getByRole('banner')).toHaveTextContent('Video 2 of 2');
  });
});
