import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Back } from '../../../shared/api/forms';
import { leaveTo } from '../../../shared/lib/leave';
import { Preview } from '../frame/Shell';
import { ReturnStep } from './ReturnStep';

vi.mock('../../../shared/lib/leave', () => ({ leaveTo: vi.fn() }));

const url = 'https://app.prolific.com/submissions/complete?cc=DONE';
const completed: Back = { recruiter: 'Prolific', end: 'completed', code: 'DONE', url };

function show(back: Back = completed, preview = false) {
  cleanup();
  render(
    <I18nProvider i18n={i18n}>
      <Preview value={preview ? () => undefined : null}>
        <ReturnStep back={back} sessionId="s" contact="me@example.org">
          <p>Debriefing</p>
        </ReturnStep>
      </Preview>
    </I18nProvider>,
  );
}

/** Second by second, as each sets the timer of the next. */
function wait(seconds: number) {
  for (let second = 0; second < seconds; second += 1) act(() => { vi.advanceTimersByTime(1000); });
}

const status = () => screen.getAllByRole('status')[0]?.textContent;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  vi.mocked(leaveTo).mockClear();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the way back at the end', () => {
  it('is taken automatically after a countdown that is shown each second and announced twice', () => {
    show();
    expect(screen.getByText('You return automatically in 20 seconds.')).toHaveAttribute('aria-hidden', 'true');
    expect(status()).toBe('');
    wait(1);
    expect(screen.getByText('You return automatically in 19 seconds.')).toBeInTheDocument();
    expect(status()).toBe('You return to Prolific automatically in 20 seconds. To stop this, press “Stay on this page”.');
    const said = new Set<string | null | undefined>();
    for (let second = 1; second < 19; second += 1) {
      wait(1);
      said.add(status());
    }
    expect(said.size).toBe(2);
    expect(status()).toBe('You return to Prolific automatically in 10 seconds.');
    expect(leaveTo).not.toHaveBeenCalled();
    wait(1);
    expect(vi.mocked(leaveTo).mock.calls).toEqual([[url]]);
  });

  it('can be stopped permanently', () => {
    show();
    wait(19);
    fireEvent.click(screen.getByRole('button', { name: 'Stay on this page' }));
    wait(60);
    expect(leaveTo).not.toHaveBeenCalled();
    expect(status()).toBe('You stay on this page until you press the button.');
    expect(screen.queryByText(/automatically/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveAttribute('href', url);
  });

  it('is taken once: a person who comes back stays on the page', () => {
    show();
    wait(20);
    show();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Thank you!');
    expect(screen.getByText('You have already returned to Prolific. You may close this page now.')).toBeInTheDocument();
    wait(60);
    expect(leaveTo).toHaveBeenCalledTimes(1);
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toBeInTheDocument();
  });

  it.each([
    ['by itself', () => { wait(20); }],
    ['by hand', () => { fireEvent.click(screen.getByRole('link', { name: 'Return to Prolific' })); }],
  ])('was taken %s: the browser may show the page again as it was left', (_how, leave) => {
    show();
    leave();
    act(() => { window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Thank you!');
    expect(screen.queryByText(/automatically/)).not.toBeInTheDocument();
  });

  it('continues the countdown after the person left for another page', () => {
    show();
    act(() => { window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); });
    wait(20);
    expect(vi.mocked(leaveTo).mock.calls).toEqual([[url]]);
  });

  it('is not taken in a preview', () => {
    show(completed, true);
    wait(60);
    expect(leaveTo).not.toHaveBeenCalled();
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toBeInTheDocument();
  });

  it('is manual if the study file has no URL', () => {
    show({ ...completed, recruiter: 'MTurk', url: null });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('One more step: enter your code on MTurk');
    expect(screen.getByText('Enter this code on MTurk:')).toBeInTheDocument();
    wait(60);
    expect(leaveTo).not.toHaveBeenCalled();
    expect(screen.queryByRole('link', { name: /Return/ })).not.toBeInTheDocument();
  });

  it('promises no payment after failed checks, and shows a contact', () => {
    show({ ...completed, end: 'failed_checks', code: 'FAIL' });
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(/^One more step: return to Prolific$/);
    expect(screen.getByText(/not all checks of this study were passed/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'me@example.org' })).toBeInTheDocument();
    expect(screen.getByText('FAIL')).toBeInTheDocument();
  });
});
