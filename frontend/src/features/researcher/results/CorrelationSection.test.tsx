import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { someMetrics } from '../../../test/metrics';
import { serve, show } from '../../../test/show';
import { FiguresOfStudy } from '../figures/Figures';
import { CorrelationSection } from './CorrelationSection';

describe('figures of votes against metrics', () => {
  it('show the main metrics, and the others on request', async () => {
    const sha256 = 'a'.repeat(64);
    const figure = (metric: string) => ({
      name: `against-${metric}`, title: metric, svg: `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${metric}"/>`, alternative: '', how_to_read: '', table: { columns: [], rows: [] },
    });
    const path = `/api/research/studies/${sha256}/results/figures?origin=person&lang=en&layout=wide&part=results`;
    serve({ 'GET /api/metrics': someMetrics, [`GET ${path}`]: ['fvc', 'si', 'fvc_plain', 'lcp', 'cls'].map(figure) });
    const results = { blinded: false, collecting: false, snapshot: null } as unknown as ResultsOut;
    show(
      <FiguresOfStudy sha256={sha256} results={results}>
        <CorrelationSection />
      </FiguresOfStudy>,
    );
    const drawn = () => screen.getAllByRole('img').map((image) => image.getAttribute('aria-label'));
    const others = await screen.findByText('Mean opinion scores against other metrics (3)');
    expect(drawn()).toEqual(['fvc', 'si']);
    await userEvent.click(others);
    expect(drawn()).toEqual(['fvc', 'si', 'fvc_plain', 'lcp', 'cls']);
  });
});
