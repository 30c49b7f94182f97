import { i18n } from '@lingui/core';
import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { show } from '../../../test/show';
import { PlanSection } from './PlanSection';

const frozen = (plan: unknown) => ({ study: plan === undefined ? {} : { plan } });
const none = { hypotheses: [] };
const whole = {
  hypotheses: [
    { key: 'H1', says: 'More than half find QUIC faster.', margin: 0.1 },
    { key: 'H2', says: 'SI agrees best with MOS.', kind: 'metrics', metric: 'SI' },
  ],
  model: 'Student’s t over participants.',
  exclusions: 'Whoever breaks a rule.',
  stopping: 'When the quota is complete.',
};

afterEach(() => {
  i18n.activate('en');
});

describe('the plan of analysis', () => {
  it('has hypotheses with their margins, model, exclusions and stopping rule', () => {
    show(<PlanSection frozen={frozen(whole)} />);
    expect(screen.getByRole('heading', { name: 'Analysis plan' })).toBeVisible();
    const definitions = screen.getAllByRole('definition').map((definition) => definition.textContent);
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['Hypothesis H1', 'Hypothesis H2', 'Model', 'Exclusions', 'Stopping rule']);
    expect(definitions).toEqual([
      'More than half find QUIC faster.This hypothesis is not answered automatically, because it has no kind.Smallest difference of interest: 0.1',
      'SI agrees best with MOS.Interpreted as: only SI can agree best with mean opinion scores, within sites and over all networks.', whole.model, whole.exclusions, whole.stopping,
    ]);
  });

  const read = { key: 'H', says: '', kind: 'rate', pair: ['TCP+', 'QUIC'], networks: 'each', expects: 'higher' };
  it.each([
    [{ over: ['DSL', 'LTE'], expects: 'equivalent', margin: 0.5 }, 'change of the mean opinion score from TCP+ to QUIC, on each of DSL and LTE; expected: equivalent, that is, different by less than 0.5.'],
    [{ kind: 'compare', networks: 'pooled' }, 'share of answers for TCP+ and for QUIC, over all networks together; expected of QUIC: higher.'],
    [{ networks: 'pooled', over: ['LTE'], expects: 'lower' }, 'change of the mean opinion score from TCP+ to QUIC, over LTE together; expected: lower.'],
    [{ over: ['DSL'] }, 'change of the mean opinion score from TCP+ to QUIC, on DSL; expected: higher.'],
    [{ expects: 'different' }, 'change of the mean opinion score from TCP+ to QUIC, on each network; expected: different, in either direction.'],
  ])('says what the program reads of a hypothesis: %o', (changed, line) => {
    show(<PlanSection frozen={frozen({ hypotheses: [{ ...read, ...changed }] })} />);
    expect(screen.getByText(`Interpreted as: ${line}`)).toBeVisible();
  });

  it('shows what a plan does not state', () => {
    show(<PlanSection frozen={frozen({ ...none, stopping: 'After a week.' })} />);
    expect(screen.getAllByRole('definition').map((definition) => definition.textContent)).toEqual(['not stated', 'not stated', 'After a week.']);
  });

  it('names the looks before the end, and how alpha is spent over them', () => {
    show(<PlanSection frozen={frozen({ ...whole, looks: { at: [50, 100, 200], spending: 'pocock' } })} />);
    expect(screen.getAllByRole('term').at(-1)).toHaveTextContent('Looks before the end');
    expect(screen.getByText('Hypotheses are answered after 50, 100, and 200 used sessions; alpha is spent nearly evenly (Pocock-like spending).')).toBeVisible();
  });

  it.each([undefined, none])('is not shown if the study has none', (plan) => {
    show(<PlanSection frozen={frozen(plan)} />);
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('is in German, except the texts of the study file', async () => {
    i18n.load('de', (await import('../../../locales/staff/de.po')).messages);
    i18n.activate('de');
    show(<PlanSection frozen={frozen(whole)} />);
    expect(screen.getByRole('heading', { name: 'Auswertungsplan' })).toBeVisible();
    expect(screen.getByText('Kleinster relevanter Unterschied: 0,1')).toBeVisible();
    expect(screen.getByText(whole.model)).toBeVisible();
  });
});
