import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { serve, show } from '../../../test/show';
import { column, tableOf } from '../../../test/tables';
import { DemographicsSection } from './DemographicsSection';

const columns = [column('group', 'group'), column('choice', 'text', { words: { young: 'below 40', '': 'no answer' } }), column('sessions', 'count'), column('share', 'share')];

describe('answers about the person', () => {
  it('are a table per question, and a small count is not shown', async () => {
    serve({ 'GET /api/metrics': [] });
    show(<DemographicsSection tables={[tableOf('Your age?', columns, [['volunteer', 'young', 15, 0.75], ['volunteer', '', null, null]])]} />);
    await userEvent.click(screen.getByText('Your age?'));
    expect(screen.getAllByRole('row').map((row) => row.textContent)).toEqual(['groupchoicesessionsshare', 'volunteerbelow 401575\u00a0%', 'volunteerno answer––']);
  });

  it('are not shown where nobody was asked', () => {
    show(<DemographicsSection tables={[]} />);
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
