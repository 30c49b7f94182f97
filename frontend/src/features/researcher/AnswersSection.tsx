import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { EffectOut, HypothesisOut } from '../../shared/api/contract.gen';
import { decimal } from '../../shared/i18n/format';
import { useLanguage } from '../../shared/i18n/language';
import { Figures } from './figures/Figures';

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
        <>
          {hypotheses.map((one) => (
            <Answer key={one.hypothesis} one={one} effects={effects.filter((effect) => effect.hypothesis === one.hypothesis)} />
          ))}
          <Figures of="effects" />
        </>
      )}
    </section>
  );
}

function Answer({ one, effects }: { one: HypothesisOut; effects: readonly EffectOut[] }) {
  const { hypothesis } = one;
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
      ) : effects.length === 0 ? (
        <p>
          <Trans>No votes compare these stacks.</Trans>
        </p>
      ) : (
        <ul>
          {effects.map((effect) => (
            <li key={effect.network}>
              <EffectSentence effect={effect} />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
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
