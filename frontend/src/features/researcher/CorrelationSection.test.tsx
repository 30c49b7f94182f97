import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import type { ResultsOut } from '../../shared/api/contract.gen';
import { someMetrics } from '../../test/metrics';
import { serve, show } from '../../test/show';
import { CorrelationSection } from './CorrelationSection';
import { FiguresOfStudy } from './figures/Figures';

const row = { network: 'DSL', metric: 'si', clips: 12, votes: 80, pearson: -0.86, spearman: -0.8, pearson_ci_low: -1, pearson_ci_high: 0.59, p_value: 0.002, why: null };

describe('correlations over all clips', () => {
  it('are folded, refer to the agreement of metrics, and have neither p nor intervals that take clips as independent', async () => {
    serve({ 'GET /api/metrics': someMetrics });
    show(<CorrelationSection correlations={[row, { ...row, metric: 'fvc' }]} />);
    await screen.findAllByRole('cell', { name: 'SI', hidden: true });
    const table = screen.getByRole('region', { name: 'Correlations', hidden: true });
    const fold = table.closest('details');
    expect(fold).not.toHaveAttribute('open');
    expect(fold).toHaveTextContent(/pool all sites.*prefer the agreement of metrics/);
    expect(within(table).getAllByRole('cell', { hidden: true }).map((cell) => cell.textContent)).toEqual(['FVC', 'SI'].flatMap((label) => ['DSL', label, '12', '80', '−0.86', '−0.80']));
  });
});

describe('figures of votes against metrics', () => {
  it('show the main metrics, and the others when one asks for them', async () => {
    const sha256 = 'a'.repeat(64);
    const figure = (metric: string) => ({
      name: `against-${metric}`, title: metric, svg: `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${metric}"/>`, alternative: '', how_to_read: '', table: { columns: [], rows: [] },
    });
    const path = `/api/research/studies/${sha256}/results/figures?origin=person&lang=en&layout=wide&part=results`;
    serve({ 'GET /api/metrics': someMetrics, [`GET ${path}`]: ['fvc', 'si', 'fvc_plain', 'lcp', 'cls'].map(figure) });
    const results = { blinded: false, collecting: false, snapshot: null } as unknown as ResultsOut;
    show(
      <FiguresOfStudy sha256={sha256} results={results}>
        <CorrelationSection correlations={[row]} />
      </FiguresOfStudy>,
    );
    const drawn = () => screen.getAllByRole('img').map((one) => one.getAttribute('aria-label'));
    const others = await screen.findByText('Mean opinion scores against other metrics (3)');
    expect(drawn()).toEqual(['fvc', 'si']);
    await userEvent.click(others);
    expect(drawn()).toEqual(['fvc', 'si', 'fvc_plain', 'lcp', 'cls']);
  });
});
