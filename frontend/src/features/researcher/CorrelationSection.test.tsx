import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { show } from '../../test/show';
import { CorrelationSection } from './CorrelationSection';

const row = { network: 'DSL', metric: 'si' as const, clips: 12, votes: 80, pearson: -0.86, spearman: -0.8, pearson_ci_low: -1, pearson_ci_high: 0.59, p_value: 0.002, why: null };

describe('correlations over all clips', () => {
  it('are folded, refer to the agreement of metrics, and have neither p nor intervals that take clips as independent', () => {
    show(<CorrelationSection correlations={[row]} />);
    const table = screen.getByRole('region', { name: 'Correlations', hidden: true });
    const fold = table.closest('details');
    expect(fold).not.toHaveAttribute('open');
    expect(fold).toHaveTextContent(/pool all sites.*prefer the agreement of metrics/);
    expect(within(table).getAllByRole('cell', { hidden: true }).map((cell) => cell.textContent)).toEqual(['DSL', 'SI', '12', '80', '−0.86', '−0.80']);
  });
});
