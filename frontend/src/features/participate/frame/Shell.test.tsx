import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { agreeAndBegin, invitation, json, nobody, serve, session, show, tookPart } from '../../../test/participantPage';
import { studyText } from '../../../test/records';
import { Shell } from './Shell';

vi.mock('../../../shared/player/video/useDecoding', () => ({ useDecoding: () => 'yes' }));
afterEach(() => {
  act(() => { i18n.activate('en'); });
});

const languages = ['en', 'de'] as const;
const both = { ...invitation, languages };

describe('a page that leads no further', () => {
  it.each([
    ['started before', { 'GET /api/session?slug=abc': () => json(200, { ...session('block'), study: both }) }, 'You have already started this study'],
    ['full', { ...nobody, 'GET /api/participate/abc': () => json(200, { ...both, state: 'full' }) }, 'This study has all the participants it needs'],
    ['back', { 'GET /api/session?slug=abc': () => json(200, { ...session('resume'), study: both, allows_another_person: true }) }, 'Welcome back'],
    ['no study', nobody, 'There is no study at this address'],
  ])('can be read in another language: %s', async (_which, answers, heading) => {
    serve(answers);
    show();
    expect(await screen.findByRole('heading', { name: heading })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Deutsch' }));
    expect(screen.getByRole('button', { name: 'Deutsch' })).toHaveAttribute('aria-pressed', 'true');
    const german = screen.getByRole('heading', { level: 1 }).textContent;
    expect(german).not.toBe(heading);
    expect(document.title).toContain(german);
  });

  it('can be read in another language: took part before', async () => {
    serve(tookPart({ languages }));
    show();
    await agreeAndBegin();
    expect(await screen.findByRole('heading', { name: 'You have already taken part in this study' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Deutsch' })).toBeInTheDocument();
  });
});

describe('the languages of a study', () => {
  const shell = (props: object) => render(<I18nProvider i18n={i18n}><Shell study={{ ...studyText, languages: [...languages] }} {...props}>text</Shell></I18nProvider>);
  const placeOf = () => screen.queryByRole('navigation', { name: 'Language' })?.parentElement?.tagName;

  it.each([
    ['in the head', {}, 'HEADER'],
    ['in the foot, where the head has the progress', { aside: 'half' }, 'FOOTER'],
    ['nowhere beside a film', { aside: 'half', width: 'film' }, undefined],
  ])('stand %s', (_where, props, place) => {
    shell(props);
    expect(placeOf()).toBe(place);
  });
});
