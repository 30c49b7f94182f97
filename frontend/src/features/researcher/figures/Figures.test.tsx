import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
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
    expect(screen.getAllByRole('img').map((image) => image.getAttribute('aria-label'))).toEqual(['mos-dsl', 'mos-lte']);
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

  describe('of a new snapshot', () => {
    const mark = (key: 'data-clip' | 'data-condition', value: string, label: string) => `<circle ${key}="${value}" tabindex="0" role="button" aria-label="${label}"/>`;
    const drawing = (...marks: string[]) => [{ ...figure('against'), svg: `<svg xmlns="http://www.w3.org/2000/svg">${marks.join('')}</svg>` }];

    /** The button that has the focus after the snapshot, whose first drawing had it on `focused`. */
    async function focusAfter(focused: string, before: string[], after: string[]): Promise<string | null | undefined> {
      const call = `GET ${path}&layout=wide&part=results`;
      serve({ [call]: drawing(...before) });
      const snapshots = [{ sha256: '1' }, { sha256: '2' }].map((snapshot) => ({ ...results, snapshot }) as unknown as ResultsOut);
      function Page() {
        const [number, setNumber] = useState(0);
        return (
          <FiguresOfStudy sha256={sha256} results={snapshots[number]}>
            <button onMouseDown={() => { setNumber(1); }}>next</button>
            <Figures of="against" />
          </FiguresOfStudy>
        );
      }
      show(<Page />);
      (await screen.findByRole('button', { name: focused })).focus();
      serve({ [call]: drawing(...after) });
      fireEvent.mouseDown(screen.getByText('next'));
      await screen.findByRole('button', { name: 'new' });
      return document.activeElement?.getAttribute('aria-label');
    }

    it('keep the focus on the mark of the same clip, wherever it is drawn', async () => {
      const after = [mark('data-clip', 'c0', 'new'), mark('data-clip', 'c2', 'second again'), mark('data-clip', 'c1', 'first again')];
      expect(await focusAfter('first', [mark('data-clip', 'c1', 'first'), mark('data-clip', 'c2', 'second')], after)).toBe('first again');
    });

    it('keep the focus on the same one of several marks of a condition', async () => {
      const [conditionA, conditionB] = ['{&quot;site&quot;: &quot;a&quot;}', '{&quot;site&quot;: &quot;b&quot;}'];
      const before = [mark('data-condition', conditionA, 'left'), mark('data-condition', conditionB, 'else'), mark('data-condition', conditionA, 'right')];
      const after = [mark('data-condition', conditionB, 'new'), mark('data-condition', conditionA, 'left again'), mark('data-condition', conditionA, 'right again')];
      expect(await focusAfter('right', before, after)).toBe('right again');
    });

    it('take the focus to no other mark where theirs is gone', async () => {
      expect(await focusAfter('first', [mark('data-clip', 'c1', 'first')], [mark('data-clip', 'c2', 'new')])).toBeNull();
    });
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
