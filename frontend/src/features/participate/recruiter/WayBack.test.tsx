import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Recruiter, StudyText } from '../../../shared/api/forms';
import { studyText } from '../../../test/records';
import { NotOpen, NotSent, TookPart } from '../arrival/notices';
import { Blocked } from '../arrival/Returning';
import { Lost } from '../outbox/Lost';
import { NarrowPage } from '../room/NarrowPage';
import { Declined, NoDevice, NoHelp } from './WayBack';

const ENDS = ['no_consent', 'incompatible_device', 'full', 'closed', 'took_part', 'missing_id'];
const ways = (way: (end: string) => { code: string | null; url: string | null }) => Object.fromEntries(ENDS.map((end) => [end, way(end)]));
const prolific: Recruiter = {
  name: 'Prolific',
  id_parameter: 'PID',
  ways_back: ways((end) => ({ code: end.toUpperCase(), url: `https://panel.example/${end}?id={id}&s={STUDY_ID}` })),
};
const mturk: Recruiter = { name: 'MTurk', id_parameter: 'PID', ways_back: ways(() => ({ code: null, url: null })) };
const sent = (recruiter: Recruiter | null): StudyText => ({ ...studyText, recruiter });

const pages: [string, (study: StudyText) => ReactNode][] = [
  ['no_consent', (study) => <Declined study={study} onReturn={() => undefined} />],
  ['full', (study) => <NotOpen study={study} state="full" onGoOn={null} />],
  ['closed', (study) => <NotOpen study={study} state="closed" onGoOn={null} />],
  ['closed', (study) => <NotOpen study={study} state="paused" onGoOn={null} />],
  ['took_part', (study) => <TookPart study={study} />],
  ['took_part', (study) => <Blocked study={study} />],
  ['missing_id', (study) => <NotSent study={study} />],
  ['took_part', (study) => <Lost study={study} loss="ended" />],
  ['took_part', (study) => <NoHelp study={study} />],
  ['incompatible_device', (study) => <NoDevice study={study} />],
];

function show(page: ReactNode) {
  render(<I18nProvider i18n={i18n}>{page}</I18nProvider>);
}

beforeEach(() => {
  window.history.replaceState(null, '', '/s/abc?PID=w/17&STUDY_ID=s%201');
});

it('shows people who took part before first how to be paid after completion', () => {
  show(<TookPart study={sent(prolific)} />);
  const hint = screen.getByText(/open your first link in the same browser as before/);
  expect(hint).toHaveTextContent('at the end return to Prolific with the right code');
  const [when, link] = [screen.getByText('The following is only for people who did not finish the study.'), screen.getByRole('link', { name: 'Return to Prolific' })];
  for (const later of [when, link]) expect(hint.compareDocumentPosition(later)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(link).toHaveClass('button--quiet');
});

it('offers the way back from a tab while another session continues', () => {
  show(<Lost study={sent(prolific)} loss="other_session" />);
  expect(screen.getByText('You can also return to Prolific from the other tab.')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Return to Prolific' })).not.toBeInTheDocument();
});

it.each(['full', 'paused', 'closed'] as const)('puts the way back before a retry if the study is %s', (state) => {
  show(<NotOpen study={sent(prolific)} state={state} onGoOn={() => undefined} />);
  expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveClass('button', { exact: true });
  expect(screen.getByRole('button', { name: 'I have already started' })).toHaveClass('button--quiet');
});

it('offers to continue first if there is no recruiter', () => {
  show(<NotOpen study={sent(null)} state="full" onGoOn={() => undefined} />);
  expect(screen.getByRole('button', { name: 'I have already started' })).not.toHaveClass('button--quiet');
});

describe('a window that became too small for trials that may not be skipped', () => {
  const lacking = { clip: { width_px: 2576, height_px: 720 }, needs: { min_width_px: 1024, min_scale: 0.48, min_device_scale: 0.48 } };
  const onScreen = (width_px: number) => {
    vi.stubGlobal('innerWidth', 1000);
    vi.stubGlobal('innerHeight', 700);
    vi.stubGlobal('screen', { availWidth: width_px, availHeight: 1000 });
  };

  it.each([
    ['after the advice where a larger window helps', 1920, true],
    ['before all else where nothing helps', 1024, false],
  ])('shows recruited people the way back, %s', (_which, width_px, quiet) => {
    onScreen(width_px);
    show(<NarrowPage study={sent(prolific)} count={1} lacking={lacking} onSkip={null} />);
    const link = screen.getByRole('link', { name: 'Return to Prolific' });
    expect(link).toHaveAttribute('href', 'https://panel.example/incompatible_device?id=w%2F17&s=s%201');
    expect(link.classList.contains('button--quiet')).toBe(quiet);
    expect(screen.getByText('If you cannot do that, please go back to Prolific.')).toBeVisible();
  });

  it('shows no way back to other people, nor for trials that may be skipped', () => {
    onScreen(1024);
    show(<NarrowPage study={sent(null)} count={1} lacking={lacking} onSkip={null} />);
    show(<NarrowPage study={sent(prolific)} count={1} lacking={lacking} onSkip={() => undefined} />);
    expect(screen.queryByText(/Return to|If you cannot do that/)).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Skip this video' })).toBeVisible();
  });
});

describe.each(pages)('the end %s', (end, page) => {
  it('leads back with the id and the code of this end', () => {
    show(page(sent(prolific)));
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveAttribute('href', `https://panel.example/${end}?id=w%2F17&s=s%201`);
    expect(screen.getByText(/If Prolific asks for a code/)).toHaveTextContent(end.toUpperCase());
  });

  it('states the reason if the study file has no way back', () => {
    show(page(sent(mturk)));
    expect(screen.getByText(end === 'missing_id' ? /Please open the study again with the link on that website/ : /This study has no link back to MTurk for this case/)).toBeInTheDocument();
    // nobody has a place that began nothing
    expect(screen.queryByText(/can take your place/) === null).toBe(end === 'missing_id');
    expect(screen.queryByRole('link', { name: /Return to/ })).not.toBeInTheDocument();
  });

  it('announces only what follows, with and without a way back', () => {
    for (const recruiter of [prolific, mturk]) show(page(sent(recruiter)));
    const paragraphs = [...document.querySelectorAll('p')].map((paragraph) => paragraph.textContent.trim());
    expect(paragraphs.length).toBeGreaterThan(1);
    expect(paragraphs.filter((text) => text.endsWith(':'))).toEqual([]);
  });

  it('mentions no recruiter if there is none', () => {
    show(page(sent(null)));
    expect(screen.queryByText(/Return to|link back|did not finish|cannot do that|do not want to wait/)).not.toBeInTheDocument();
  });
});
