import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { ResultsOut } from '../../../shared/api/contract.gen';
import { serve, show } from '../../../test/show';
import { Figures, FiguresOfStudy } from './Figures';

const sha256 = 'a'.repeat(64);
const path = `/api/research/studies/${sha256}/results/figures?origin=person&lang=en`;
const results = { blinded: false, collecting: true, snapshot: null } as unknown as ResultsOut;
const figure = (name: string) => ({
  name, title: name, svg: `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${name}"/>`, alternative: '', how_to_read: '', table: { columns: [], rows: [] },
});

afterEach(() => { vi.restoreAllMocks(); });

describe('figures of a study', () => {
  it('stand where their section asks for them, in the order of the server', async () => {
    serve({ [`GET ${path}&layout=wide&part=results`]: ['scores', 'mos-dsl', 'mos-lte', 'mosaic'].map(figure) });
    show(
      <FiguresOfStudy sha256={sha256} results={results}>
        <Figures of="mos" />
      </FiguresOfStudy>,
    );
    await screen.findByRole('img', { name: 'mos-dsl' });
    expect(screen.getAllByRole('img').map((one) => one.getAttribute('aria-label'))).toEqual(['mos-dsl', 'mos-lte']);
  });

  it('have a layout of their own on a phone', async () => {
    const narrow = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined } as unknown as MediaQueryList;
    vi.spyOn(window, 'matchMedia').mockReturnValue(narrow);
    serve({ [`GET ${path}&layout=narrow&part=results`]: [figure('scores')] });
    show(
      <FiguresOfStudy sha256={sha256} results={results}>
        <Figures of="scores" />
      </FiguresOfStudy>,
    );
    expect(await screen.findByRole('img', { name: 'scores' })).toBeInTheDocument();
  });

  it('are not asked for before the results, and a failure is said once', async () => {
    serve({ [`GET ${path}&layout=wide&part=results`]: [500, { code: 'fault', message: 'The figures cannot be drawn.' }] });
    show(
      <FiguresOfStudy sha256={sha256} results={results}>
        <Figures of="scores" />
        <Figures of="mos" />
      </FiguresOfStudy>,
    );
    expect(await screen.findAllByRole('alert')).toHaveLength(1);
  });
});
