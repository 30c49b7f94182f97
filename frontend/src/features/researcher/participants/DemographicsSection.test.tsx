import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { show } from '../../../test/show';
import { DemographicsSection } from './DemographicsSection';

const questions = [{ key: 'age', label: { en: 'Your age?', de: 'Ihr Alter?' }, choices: [{ key: 'young', label: { en: 'below 40', de: 'unter 40' } }, { key: 'old', label: { en: '40 or more', de: '40 oder mehr' } }] }];
const row = { group: 'volunteer', question: 'age', choice: 'young', sessions: 15, share: 0.75 };

describe('answers about the person', () => {
  it('are counted per group, and a small count is not shown', () => {
    show(<DemographicsSection rows={[row, { ...row, choice: 'old', sessions: null, share: null }, { ...row, choice: '', sessions: null, share: null }]} frozen={{ study: { questions } }} />);
    expect(screen.getByText('Your age?', { selector: 'summary' })).toBeVisible();
    expect(screen.getAllByRole('row', { hidden: true }).map((one) => one.textContent)).toEqual([
      'groupanswersessionsshare',
      'volunteerbelow 401575\u00a0%',
      'volunteer40 or morefewer than 5, or left out–',
      'volunteerno answerfewer than 5, or left out–',
    ]);
  });

  it('are not shown where nobody was asked', () => {
    show(<DemographicsSection rows={[]} frozen={{ study: { questions: [] } }} />);
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
