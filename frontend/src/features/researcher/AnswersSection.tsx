import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { EffectOut, HypothesisOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { DataTable } from './DataTable';
import { drawEffects } from './figures/drawEffects';
import { colourOf } from './figures/encoding';
import { Figure } from './figures/Figure';

interface Props {
  collecting: boolean;
  hypotheses: readonly HypothesisOut[];
  effects: readonly EffectOut[];
  /** Under the heading. */
  note?: ReactNode;
}

/** The plan's hypotheses and what the votes say of each; nothing before data collection has ended, or at a planned look. */
export function AnswersSection({ collecting, hypotheses, effects, note }: Props) {
  if (!collecting && hypotheses.length === 0) return null;
  return (
    <section>
      <h2>
        <Trans>Answers to the hypotheses</Trans>
      </h2>
      {note}
      {collecting ? (
        <p className="facts">
          <Trans>Hypotheses are answered when every link of the study is closed. Every earlier look would be another test, and would make false findings more likely.</Trans>
        </p>
      ) : (
        hypotheses.map((one) => <Answer key={one.hypothesis} one={one} effects={effects.filter((effect) => effect.hypothesis === one.hypothesis)} />)
      )}
    </section>
  );
}

function Answer({ one, effects }: { one: HypothesisOut; effects: readonly EffectOut[] }) {
  const { t } = useLingui();
  const show = useAmount();
  const reading = useReading();
  const [first] = effects;
  const { hypothesis } = one;
  const [lower, upper] = [first?.first ?? '', first?.second ?? ''];
  return (
    <article className="answer">
      <h3>
        {hypothesis}: {one.says}
      </h3>
      <p className={`answer__outcome answer__outcome--${one.outcome}`}>
        <OutcomeWord outcome={one.outcome} />
      </p>
      {one.kind === 'metrics' ? (
        <p lang="en">{one.sentence}</p>
      ) : first === undefined ? (
        <p>
          <Trans>No votes compare these stacks.</Trans>
        </p>
      ) : (
        <>
          <ul>
            {effects.map((effect) => (
              <li key={effect.network}>
                <EffectSentence effect={effect} />
              </li>
            ))}
          </ul>
          <Figure
            label={t`Effects of ${hypothesis} with their intervals`}
            name={`effects-${hypothesis}`}
            reading={reading(first)}
            rows={effects}
            draw={(width) =>
              drawEffects(
                effects,
                {
                  colour: colourOf([], ''),
                  name: (row) => (row.network === 'pooled' ? t`all networks` : row.network),
                  describe: (row) => `${show(row, row.estimate)} [${show(row, row.ci_low)}, ${show(row, row.ci_high)}]`,
                  tick: (value) => show(first, value),
                  ends: first.kind === 'rate' ? [t`${lower} rated higher`, t`${upper} rated higher`] : [t`${lower} chosen more often`, t`${upper} chosen more often`],
                },
                width,
              )
            }
            table={<EffectTable effects={effects} caption={t`Effects of ${hypothesis}`} />}
          />
        </>
      )}
    </article>
  );
}

/** How to read the figure of a hypothesis. */
function useReading(): (effect: EffectOut) => string {
  const { t } = useLingui();
  const show = useAmount();
  return (effect) => {
    const margin = show(effect, effect.margin).replace('+', '');
    return effect.margin === null
      ? t`Dot: estimate. Thin line: the interval that decides whether there is a difference.`
      : t`Dot: estimate. Thin line: the interval that decides whether there is a difference; there is if it excludes 0. Thick line: the interval that decides whether a difference is too small to matter; it is if the line lies within the shaded margin of ±${margin}.`;
  };
}

function OutcomeWord({ outcome }: { outcome: HypothesisOut['outcome'] }) {
  switch (outcome) {
    case 'supported':
      return <Trans>Supported</Trans>;
    case 'contradicted':
      return <Trans>Contradicted</Trans>;
    case 'undecided':
      return <Trans>Undecided</Trans>;
  }
}

function EffectSentence({ effect }: { effect: EffectOut }) {
  const { t } = useLingui();
  const show = useAmount();
  const where = effect.network === 'pooled' ? t`All networks` : effect.network;
  const amount = show(effect, effect.estimate);
  const [low, high] = [show(effect, effect.ci_low), show(effect, effect.ci_high)];
  const { first, second } = effect;
  return (
    <>
      <strong>{where}:</strong>{' '}
      {effect.kind === 'rate' ? (
        <Trans>
          {second} compared with {first}: {amount} points on the scale (interval {low} to {high}).
        </Trans>
      ) : (
        <Trans>
          Answers for {second} minus answers for {first}: {amount} percentage points (interval {low} to {high}).
        </Trans>
      )}{' '}
      <VerdictSentence effect={effect} />{' '}
      <span className="facts">
        <Plural value={effect.participants} one="# participant" other="# participants" />, <Plural value={effect.sites} one="# site" other="# sites" />;{' '}
        {effect.scope === 'sites like these' ? <Trans>holds for sites like these.</Trans> : <Trans>holds for these very sites only.</Trans>}
      </span>
    </>
  );
}

function VerdictSentence({ effect }: { effect: EffectOut }) {
  const show = useAmount();
  const margin = show(effect, effect.margin).replace('+', '');
  const least = show(effect, effect.least_margin).replace('+', '');
  if (effect.ci_low === null) return <Trans>There are too few participants for an interval.</Trans>;
  switch (effect.verdict) {
    case 'different':
      return effect.margin === null ? <Trans>People see a difference.</Trans> : <Trans>People see a difference, and it is not shown to be smaller than the margin of {margin}.</Trans>;
    case 'different, but smaller than the margin':
      return <Trans>People see a difference, but it is smaller than the margin of {margin}.</Trans>;
    case 'equivalent':
      return <Trans>If there is a difference, it is smaller than the margin of {margin}.</Trans>;
    case 'undecided':
      return <Trans>The votes do not decide; they exclude only differences larger than {least}.</Trans>;
  }
}

/** An effect in points of the scale or in percentage points, with its sign. */
function useAmount(): (effect: EffectOut, value: number | null) => string {
  const language = useLanguage();
  return (effect, value) => {
    if (value === null) return '–';
    const own = effect.kind === 'rate' ? decimal(Math.abs(value), 2, language) : decimal(Math.abs(100 * value), 0, language);
    return `${value < 0 ? '−' : '+'}${own}`;
  };
}

function EffectTable({ effects, caption }: { effects: readonly EffectOut[]; caption: string }) {
  const { t } = useLingui();
  const language = useLanguage();
  const show = useAmount();
  return (
    <DataTable
      caption={caption}
      head={[t`network`, t`effect`, t`interval from`, t`to`, t`equivalence from`, t`up to`, t`p`, t`p (Holm)`, t`margin`, t`smallest margin`, t`n`, t`sites`]}
      numeric={[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]}
      rows={effects.map((row) => ({
        key: row.network,
        cells: [
          row.network === 'pooled' ? t`all networks` : row.network,
          show(row, row.estimate),
          show(row, row.ci_low),
          show(row, row.ci_high),
          show(row, row.inner_low),
          show(row, row.inner_high),
          decimal(row.p_value, 3, language),
          decimal(row.p_holm, 3, language),
          show(row, row.margin).replace('+', ''),
          show(row, row.least_margin).replace('+', ''),
          row.participants,
          row.sites,
        ],
      }))}
    />
  );
}
