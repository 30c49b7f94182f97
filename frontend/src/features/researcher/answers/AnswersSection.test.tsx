import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { EffectOut, HypothesisOut } from '../../../shared/api/contract.gen';
import { activateLanguage, addCatalog } from '../../../shared/i18n/language';
import { show } from '../../../test/show';
import { AnswersSection } from './AnswersSection';

const hypothesis: HypothesisOut = { hypothesis: 'H2', kind: 'rate', says: 'The stacks are equivalent.', outcome: 'supported', sentence: 'H2 is supported.', reason: null, agreement: null, unknown: '' };
const effect: EffectOut = {
  hypothesis: 'H2', kind: 'rate', network: 'DSL', first: 'TCP+', second: 'QUIC', estimate: -0.03, level: 0.95, ci_low: -0.22, ci_high: 0.16, inner_level: 0.9, inner_low: -0.19, inner_high: 0.13,
  p_value: 0.75, p_holm: 0.75, holds_alone: 'yes', claim: 'supported', p_equivalence: 0.001, margin: 0.5, margin_d: 0.4, margin_si: 0.12, margin_si_why: null, margin_si_reason: null, least_margin: 0.19, power: 0.8, detectable: 0.21, verdict: 'equivalent', scope: 'these very sites', votes: 200, participants: 34, sites: 4, sentence: '', leading_site: null, leading_part: null,
};

beforeAll(() => addCatalog(async (language) => (language === 'de' ? await import('../../../locales/staff/de.po') : await import('../../../locales/staff/en.po')).messages));

afterEach(() => activateLanguage('en'));

describe('answers to the hypotheses', () => {
  it('are not shown during data collection', () => {
    show(<AnswersSection collecting hypotheses={[]} effects={[]} />);
    expect(screen.getByText(/answered when every link of the study is closed/)).toBeVisible();
  });

  it('are missing where a plan has no hypotheses', () => {
    show(<AnswersSection collecting={false} hypotheses={[]} effects={[]} />);
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('give outcome, effect with interval, verdict and what they hold for', () => {
    show(<AnswersSection collecting={false} hypotheses={[hypothesis]} effects={[effect]} />);
    expect(screen.getByText('Supported')).toBeVisible();
    expect(screen.queryByText(/No votes compare/)).toBeNull();
    const [line] = screen.getAllByRole('listitem');
    expect(line).toHaveTextContent('DSL: TCP+ → QUIC: −0.03 points on the scale (95 % interval −0.22 to +0.16; for equivalence 90 % interval −0.19 to +0.13). If there is a difference, it is smaller than the margin of 0.50 points. These votes show equivalence only for a margin of at least 0.19 points. The margin of 0.50 points is 0.40 standard deviations of single votes. A Speed Index that is 12 % larger changes the votes by as much as the margin. If votes vary as these do, the planned number of participants finds a difference of 0.21 points with a probability of 80 %. 34 participants, 4 sites; holds for these very sites only.');
  });

  it('give the reason why a margin is unknown in Speed Index, and leave out what is unknown', () => {
    const unknown = { ...effect, verdict: 'undecided' as const, margin_si: null, margin_si_why: 'MOS does not fall as SI rises', margin_si_reason: { code: 'not_falling' as const, values: {} }, detectable: null };
    show(<AnswersSection collecting={false} hypotheses={[hypothesis]} effects={[unknown]} />);
    const [line] = screen.getAllByRole('listitem');
    expect(line).toHaveTextContent('The votes do not decide. These votes show equivalence only for a margin of at least 0.19 points. The margin of 0.50 points is 0.40 standard deviations of single votes. The margin cannot be expressed as a change of Speed Index: mean opinion scores do not fall as the Speed Index rises. 34 participants');
  });

  it('say that there is no interval instead of dashes', () => {
    show(<AnswersSection collecting={false} hypotheses={[hypothesis]} effects={[{ ...effect, estimate: 0, ci_low: null, ci_high: null, inner_low: null, inner_high: null }]} />);
    expect(screen.getByRole('listitem').textContent).toBe('DSL: TCP+ → QUIC: 0.00 points on the scale. There are too few participants or votes for an interval.');
  });

  it('name the networks without votes, and a verdict that a correction for their number takes back', () => {
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, outcome: 'undecided', unknown: 'LTE, MSS' }]} effects={[{ ...effect, holds_alone: 'no' }]} />);
    expect(screen.getByText('No votes compare these stacks on LTE, MSS.')).toBeVisible();
    expect(screen.getByRole('listitem')).toHaveTextContent('margin of 0.50 points. This verdict does not hold after correction for the number of networks (Holm), so do not quote it without the others. These votes');
  });

  it('print levels and probabilities near 1 with as many digits as keep them below 100 %', () => {
    show(<AnswersSection collecting={false} hypotheses={[hypothesis]} effects={[{ ...effect, level: 0.99998, inner_level: 0.99996, power: 0.99998 }]} />);
    const [line] = screen.getAllByRole('listitem');
    expect(line).toHaveTextContent('(99.998 % interval −0.22 to +0.16; for equivalence 99.996 % interval −0.19 to +0.13)');
    expect(line).toHaveTextContent('with a probability of 99.998 %');
  });

  it('give the verdict of each of several networks in a table, and fold the sentences below it', async () => {
    const networks = [
      { ...effect, network: 'DSL' },
      { ...effect, network: 'LTE', verdict: 'different' as const, claim: 'contradicted', estimate: 0.53, ci_low: 0.25, ci_high: 0.82, inner_low: 0.3, inner_high: 0.77 },
      { ...effect, network: 'MSS', verdict: 'undecided' as const, claim: 'undecided', ci_low: null, ci_high: null, inner_low: null, inner_high: null },
    ];
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, outcome: 'contradicted' }]} effects={networks} />);
    expect(screen.getByText('Contradicted').textContent).toBe('Contradicted by the votes on LTE');
    const table = within(screen.getByRole('region', { name: 'Verdict on H2 by network' }));
    expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(['network', 'verdict', 'hypothesis', 'difference (points)', '95\u00a0% interval', '90\u00a0% interval (equivalence)']);
    expect(table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent))).toEqual([
      ['DSL', 'equivalent', 'supported', '−0.03', '−0.22 to +0.16', '−0.19 to +0.13'],
      ['LTE', 'different', 'contradicted', '+0.53', '+0.25 to +0.82', '+0.30 to +0.77'],
      ['MSS', 'undecided', 'undecided', '−0.03', '–', '–'],
    ]);
    const summary = screen.getByText('Statements, margins and detectable differences');
    expect(summary.closest('details')).not.toHaveAttribute('open');
    await userEvent.click(summary);
    expect(summary.closest('details')).toHaveAttribute('open');
    expect(screen.getAllByRole('listitem').map((line) => line.textContent.split(':')[0])).toEqual(['DSL', 'LTE', 'MSS']);
  });

  it('say that nothing compares the stacks where there are no effects', () => {
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, outcome: 'undecided' }]} effects={[]} />);
    expect(screen.getByText('No votes compare these stacks.')).toBeVisible();
  });

  it.each([
    ['pending' as const, 'metrics' as const, 'Not answered yet', /^The tables in depth below answer this hypothesis\./],
    ['failed' as const, 'metrics' as const, 'Could not be computed', /^Message from the server: H2 has no answer: the disk is full\.$/],
    ['unanswerable' as const, null, 'Not answered', /it has no kind, and without one no program can answer it\.$/],
  ])('say why there is none where the outcome is %s', (outcome, kind, word, reason) => {
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, outcome, kind, sentence: 'H2 has no answer: the disk is full.' }]} effects={[]} />);
    expect(screen.getByText(word)).toBeVisible();
    expect(screen.getByText((_, element) => element?.tagName === 'P' && reason.test(element.textContent))).toBeVisible();
    expect(screen.queryByText('No votes compare these stacks.')).toBeNull();
  });

  it.each([
    [{ best: ['SI'], behind: ['PLT', 'FVC'] }, 'Of the metrics compared, SI alone may agree best with mean opinion scores. Less well agree: PLT and FVC.'],
    [{ best: ['SI', 'PLT'] }, 'Any of these metrics may agree best with mean opinion scores: SI and PLT.'],
    [{ best: ['PLT'], compared: false }, 'SI is not compared with other metrics.'],
    [{ compared: false }, 'The votes do not show which metrics agree best with mean opinion scores.'],
  ])('say which metrics may be the best where a hypothesis is about metrics: %o', (changed, sentence) => {
    const agreement = { metric: 'SI', best: [], behind: [], compared: true, ...changed };
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, kind: 'metrics', agreement }]} effects={[]} />);
    expect(screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === sentence)).toBeVisible();
    expect(screen.queryByText('No votes compare these stacks.')).toBeNull();
  });

  const agreement = { metric: 'SI', best: [], behind: [], compared: false };
  const few = { code: 'few_clips' as const, values: { clips: 4, least: 10 } };
  const known = { code: 'known_for_few' as const, values: { clips: 3, all: 20, percent: 90 } };

  it.each([
    [{ ...agreement, best: ['PLT'] }, known, 'en' as const, 'SI is not compared with other metrics. Reason: known for 3 of 20 clips; to be compared, a metric has to be known for 90\u00a0%.'],
    [agreement, few, 'en' as const, 'The votes do not show which metrics agree best with mean opinion scores. Reason: too few clips: 4 of at least 10.'],
    [agreement, few, 'de' as const, 'Die Bewertungen zeigen nicht, welche Metriken am besten mit den mittleren Bewertungen übereinstimmen. Grund: zu wenige Clips: 4 von mindestens 10.'],
  ])('say in the language of the page why metrics are not compared', async (of, reason, language, sentence) => {
    await activateLanguage(language);
    show(<AnswersSection collecting={false} hypotheses={[{ ...hypothesis, kind: 'metrics', outcome: 'undecided', agreement: of, reason }]} effects={[]} />);
    expect(screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === sentence)).toBeVisible();
  });

  it('say in German why a margin is unknown in Speed Index', async () => {
    await activateLanguage('de');
    const unknown = { ...effect, margin_si: null, margin_si_why: 'the interval of the slope, -0.20 to 1.50, contains 0', margin_si_reason: { code: 'slope_contains_0' as const, values: { low: -0.2, high: 1.5 } } };
    show(<AnswersSection collecting={false} hypotheses={[hypothesis]} effects={[unknown]} />);
    const [line] = screen.getAllByRole('listitem');
    expect(line).toHaveTextContent('lässt sich nicht als Änderung des Speed Index ausdrücken: das Intervall der Steigung, −0,20 bis 1,50, enthält 0.');
  });
});
