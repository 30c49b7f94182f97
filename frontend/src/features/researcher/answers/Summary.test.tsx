import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { EffectOut, HypothesisOut } from '../../../shared/api/contract.gen';
import { show } from '../../../test/show';
import { Summary } from './Summary';

const hypothesis: HypothesisOut = { hypothesis: 'H1', kind: 'rate', says: 'QUIC is rated higher.', outcome: 'contradicted', sentence: '', reason: null, agreement: null, unknown: '' };
const effect: EffectOut = {
  hypothesis: 'H1', kind: 'rate', network: 'DSL', first: 'TCP+', second: 'QUIC', estimate: -0.5, level: 0.95, ci_low: -0.7, ci_high: -0.3, inner_level: 0.9, inner_low: -0.65, inner_high: -0.35,
  p_value: 0.001, p_holm: 0.002, holds_alone: 'yes', claim: 'contradicted', p_equivalence: null, margin: null, margin_d: null, margin_si: null, margin_si_why: null, margin_si_reason: null, least_margin: null, power: null, detectable: null, verdict: 'different', scope: 'these very sites', votes: 200, participants: 34, sites: 4, sentence: '',
  leading_site: 'garden.example', leading_part: -0.31,
};
const lte: EffectOut = { ...effect, network: 'LTE', estimate: 0.35, ci_low: 0.1, ci_high: 0.6, claim: 'supported', leading_site: 'town.example', leading_part: 0.2 };

describe('the answer in short', () => {
  it('has outcome, effect and interval per network, and what decided it', () => {
    show(<Summary results={{ hypotheses: [hypothesis], effects: [effect, lte] }} origin="person" />);
    expect(screen.getByText('Contradicted')).toBeVisible();
    expect(screen.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['DSL −0.50 [−0.70, −0.30]', 'LTE +0.35 [+0.10, +0.60]']);
    expect(within(screen.getByRole('list')).getByText(/^DSL/)).toHaveProperty('tagName', 'STRONG');
    expect(screen.getByText('Decided by DSL. Site with the largest part: garden.example, −0.31 of −0.50.')).toBeVisible();
    expect(screen.queryByText('with simulated sessions')).toBeNull();
  });

  it('names no network where all support it, and no site where there is one', () => {
    show(<Summary results={{ hypotheses: [{ ...hypothesis, outcome: 'supported' }], effects: [lte, { ...lte, network: 'DSL' }] }} origin="all" />);
    expect(screen.queryByText(/Decided by/)).toBeNull();
    expect(screen.getByText('with simulated sessions')).toBeVisible();
  });

  it('names the networks that leave it open', () => {
    show(<Summary results={{ hypotheses: [{ ...hypothesis, outcome: 'undecided' }], effects: [lte, { ...effect, claim: 'undecided', leading_site: null, leading_part: null }] }} origin="person" />);
    expect(screen.getByText('Undecided on DSL.')).toBeVisible();
  });

  it('says that there is no interval instead of dashes', () => {
    show(<Summary results={{ hypotheses: [hypothesis], effects: [{ ...effect, estimate: 0, ci_low: null, ci_high: null }] }} origin="person" />);
    expect(screen.getByRole('listitem').textContent).toBe('DSL 0.00 (too few participants or votes for an interval)');
  });

  it('is missing without hypotheses', () => {
    show(<Summary results={{ hypotheses: [], effects: [] }} origin="person" />);
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
