import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { ClipRow } from '../../shared/api/contract.gen';
import { show } from '../../test/show';
import { ClipCard } from './ClipCard';

const metrics = { fvc_ms: 300, si_ms: null, plt_ms: 900 };
const clip: ClipRow = {
  sha256: 'c'.repeat(64), kind: 'single', site: 'portal', network: 'DSL', stacks: ['QUIC'], run: 1, purpose: 'study', delays_ms: [], duration_ms: 60000,
  width_px: 1280, height_px: 720, cut: false, moving: false, metrics: [metrics], clip_metrics: [],
};
const SHOWN = { cut: /cut off before the page had settled/, one: /motion that never ends, such as a carousel/, two: /the two halves show different phases/ };

function shown(changes: Partial<ClipRow>): string[] {
  show(<ClipCard batch={'b'.repeat(64)} clip={{ ...clip, ...changes }} />);
  return Object.entries(SHOWN).filter(([, words]) => screen.queryByText(words) !== null).map(([name]) => name);
}

describe('what a clip cannot show', () => {
  it('is stated for cut clips and moving pages', () => {
    expect(shown({ cut: true, moving: true })).toEqual(['cut', 'one']);
    expect(screen.getByText(/SI – s/)).toBeVisible();
  });

  it('is stated for pairs whose halves move differently', () => {
    expect(shown({ kind: 'pair', stacks: ['TCP+', 'QUIC'], metrics: [metrics, metrics], moving: true })).toEqual(['two']);
  });

  it('is not stated if unknown', () => {
    expect(shown({ cut: null, moving: null })).toEqual([]);
  });
});
