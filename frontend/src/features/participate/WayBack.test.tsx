import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';

import type { Recruiter, StudyText } from '../../shared/api/forms';
import { studyText } from '../../test/records';
import { NotOpen, NotSent, TookPart } from './notices';
import { Blocked } from './Returning';
import { Declined } from './WayBack';

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
];

function show(page: ReactNode) {
  render(<I18nProvider i18n={i18n}>{page}</I18nProvider>);
}

beforeEach(() => {
  window.history.replaceState(null, '', '/s/abc?PID=w/17&STUDY_ID=s%201');
});

describe.each(pages)('the end %s', (end, page) => {
  it('leads back with the id and the code of this end', () => {
    show(page(sent(prolific)));
    expect(screen.getByRole('link', { name: 'Return to Prolific' })).toHaveAttribute('href', `https://panel.example/${end}?id=w%2F17&s=s%201`);
    expect(screen.getByText(/If Prolific asks for a code/)).toHaveTextContent(end.toUpperCase());
  });

  it('says why there is no way back where the study file has none', () => {
    show(page(sent(mturk)));
    expect(screen.getByText(/This study has no link back to MTurk for this case/)).toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /Return to/ })).not.toBeInTheDocument();
  });

  it('speaks of no recruiter where nobody recruits', () => {
    show(page(sent(null)));
    expect(screen.queryByText(/Return to|link back/)).not.toBeInTheDocument();
  });
});
