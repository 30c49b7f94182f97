import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import type { EffectOut, HypothesisOut, MetricAgreementOut, ReasonOut } from '../../../shared/api/contract.gen';
import { decimal, levelPercent, percent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { Figures } from '../figures/Figures';
import { EffectsTable, useAmount, useSize } from './EffectsTable';
import { useReasonWords } from './useReasonWords';

interface Props {
  collecting: boolean;
  hypotheses: readonly HypothesisOut[];
  effects: readonly EffectOut[];
  /** Shown below the heading. */
  note?: ReactNode;
}

/** Answers to the plan's hypotheses. During data collection, shows a note instead, except at a planned look. */
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
          <Trans>Hypotheses are answered when every link of the study is closed. Every earlier look would be another test, and would make false positives more likely.</Trans>
        </p>
      ) : (
        <>
          {hypotheses.map((result) => (
            <Answer key={result.hypothesis} result={result} effects={effects.filter((effect) => effect.hypothesis === result.hypothesis)} />
          ))}
          <Figures of="effects" />
        </>
      )}
    </section>
  );
}

function Answer({ result, effects }: { result: HypothesisOut; effects: readonly EffectOut[] }) {
  const { hypothesis } = result;
  return (
    <article className="answer">
      <h3>
        {hypothesis}: {result.says}
      </h3>
      <p className={`answer__outcome answer__outcome--${result.outcome}`}>
        <OutcomeWord outcome={result.outcome} />
        <ContradictedBy effects={effects} />
      </p>
      <Reasons result={result} effects={effects} />
    </article>
  );
}

/** The evidence for an outcome, or the reason why there is none. */
function Reasons({ result, effects }: { result: HypothesisOut; effects: readonly EffectOut[] }) {
  const { unknown: networks } = result;
  switch (result.outcome) {
    case 'pending':
      return (
        <p>
          <Trans>The tables in depth below answer this hypothesis. They are computed when every link of the study is closed, which takes a few minutes.</Trans>
        </p>
      );
    case 'failed':
      return (
        <p>
          <Trans>Message from the server:</Trans> <span lang="en">{result.sentence}</span>
        </p>
      );
    case 'unanswerable':
      return (
        <p>
          <Trans>The plan states this hypothesis only in words: it has no kind, and without one no program can answer it.</Trans>
        </p>
      );
    case 'supported':
    case 'contradicted':
    case 'undecided':
      if (result.agreement != null) return <MetricSentences of={result.agreement} because={result.reason} />;
      if (effects.length > 0)
        return (
          <>
            <Effects effects={effects} />
            {networks !== '' && (
              <p>
                <Trans>No votes compare these stacks on {networks}.</Trans>
              </p>
            )}
          </>
        );
      return (
        <p>
          <Trans>No votes compare these stacks.</Trans>
        </p>
      );
  }
}

/** The set of best metrics in sentences. */
function MetricSentences({ of: { metric, best, behind, compared }, because }: { of: MetricAgreementOut; because: ReasonOut | null | undefined }) {
  const wordsOf = useReasonWords();
  const language = useLanguage();
  const listed = (names: readonly string[]) => new Intl.ListFormat(language).format(names);
  const [first, others] = [listed(best), listed(behind)];
  const reason = because != null && (
    <>
      {' '}
      <Trans>Reason:</Trans> {wordsOf(because)}.
    </>
  );
  if (best.length === 0)
    return (
      <p>
        <Trans>The votes do not show which metrics agree best with mean opinion scores.</Trans>
        {reason}
      </p>
    );
  if (!compared)
    return (
      <p>
        <Trans>{metric} is not compared with other metrics.</Trans>
        {reason}
      </p>
    );
  return (
    <p>
      {best.length === 1 ? (
        <Trans>Of the metrics compared, {first} alone may agree best with mean opinion scores.</Trans>
      ) : (
        <Trans>Any of these metrics may agree best with mean opinion scores: {first}.</Trans>
      )}
      {behind.length > 0 && (
        <>
          {' '}
          <Trans>Less well agree: {others}.</Trans>
        </>
      )}
    </p>
  );
}

/** Effects as sentences; for several networks, a table with the sentences folded below it. */
function Effects({ effects }: { effects: readonly EffectOut[] }) {
  const [first, ...others] = effects;
  const sentences = (
    <ul>
      {effects.map((effect) => (
        <li key={effect.network}>
          <EffectSentence effect={effect} />
        </li>
      ))}
    </ul>
  );
  if (first === undefined || others.length === 0) return sentences;
  return (
    <>
      <EffectsTable effects={[first, ...others]} />
      <details className="fold">
        <summary>
          <Trans>Statements, margins and detectable differences</Trans>
        </summary>
        {sentences}
      </details>
    </>
  );
}

/** The outcome of a hypothesis in a word or two. */
export function OutcomeWord({ outcome }: { outcome: HypothesisOut['outcome'] }) {
  switch (outcome) {
    case 'supported':
      return <Trans>Supported</Trans>;
    case 'contradicted':
      return <Trans>Contradicted</Trans>;
    case 'undecided':
      return <Trans>Undecided</Trans>;
    case 'pending':
      return <Trans>Not answered yet</Trans>;
    case 'failed':
      return <Trans>Could not be computed</Trans>;
    case 'unanswerable':
      return <Trans>Not answered</Trans>;
  }
}

/** Lists the networks whose votes contradict the hypothesis, if there are several networks. */
function ContradictedBy({ effects }: { effects: readonly EffectOut[] }) {
  const language = useLanguage();
  const contradicting = effects.filter(({ claim }) => claim === 'contradicted');
  if (effects.length < 2 || contradicting.length === 0) return null;
  const networks = new Intl.ListFormat(language).format(contradicting.map(({ network }) => network));
  return (
    <>
      {' '}
      <span className="facts">
        <Trans>by the votes on {networks}</Trans>
      </span>
    </>
  );
}

function EffectSentence({ effect }: { effect: EffectOut }) {
  const { t } = useLingui();
  const show = useAmount();
  const where = effect.network === 'pooled' ? t`All networks` : effect.network;
  const amount = show(effect, effect.estimate);
  const [low, high] = [show(effect, effect.ci_low), show(effect, effect.ci_high)];
  const [innerLow, innerHigh] = [show(effect, effect.inner_low), show(effect, effect.inner_high)];
  const language = useLanguage();
  const [level, innerLevel] = [levelPercent(effect.level, language), levelPercent(effect.inner_level, language)];
  const { first, second } = effect;
  const isRated = effect.kind === 'rate';
  if (effect.ci_low === null)
    return (
      <>
        <strong>{where}:</strong>{' '}
        {isRated ? (
          <Trans>
            {first} → {second}: {amount} points on the scale.
          </Trans>
        ) : (
          <Trans>
            {first} → {second}: {amount} percentage points between their shares of answers.
          </Trans>
        )}{' '}
        <Trans>There are too few participants or votes for an interval.</Trans>
      </>
    );
  return (
    <>
      <strong>{where}:</strong>{' '}
      {isRated ? (
        <Trans>
          {first} → {second}: {amount} points on the scale ({level} interval {low} to {high}; for equivalence {innerLevel} interval {innerLow} to {innerHigh}).
        </Trans>
      ) : (
        <Trans>
          {first} → {second}: {amount} percentage points between their shares of answers ({level} interval {low} to {high}; for equivalence {innerLevel} interval {innerLow} to {innerHigh}).
        </Trans>
      )}{' '}
      <VerdictSentence effect={effect} />{' '}
      {effect.holds_alone === 'no' && (
        <>
          <Trans>This verdict does not hold after correction for the number of networks (Holm), so do not quote it without the others.</Trans>{' '}
        </>
      )}
      <MarginSentences effect={effect} />
      <span className="facts">
        <Plural value={effect.participants} one="# participant" other="# participants" />, <Plural value={effect.sites} one="# site" other="# sites" />;{' '}
        {effect.scope === 'sites like these' ? <Trans>holds for sites like these.</Trans> : <Trans>holds for these very sites only.</Trans>}
      </span>
    </>
  );
}

function VerdictSentence({ effect }: { effect: EffectOut }) {
  const sizeOf = useSize();
  const margin = sizeOf(effect, effect.margin);
  switch (effect.verdict) {
    case 'different':
      return effect.margin === null ? <Trans>People see a difference.</Trans> : <Trans>People see a difference, and it is not shown to be smaller than the margin of {margin}.</Trans>;
    case 'different, but smaller than the margin':
      return <Trans>People see a difference, but it is smaller than the margin of {margin}.</Trans>;
    case 'equivalent':
      return <Trans>If there is a difference, it is smaller than the margin of {margin}.</Trans>;
    case 'undecided':
      return <Trans>The votes do not decide.</Trans>;
  }
}

/** The smallest margin, the plan's margin in other units, and the detectable difference. */
function MarginSentences({ effect }: { effect: EffectOut }) {
  const sizeOf = useSize();
  const wordsOf = useReasonWords();
  const language = useLanguage();
  const [margin, least, detectable] = [sizeOf(effect, effect.margin), sizeOf(effect, effect.least_margin), sizeOf(effect, effect.detectable)];
  const [d, change, power] = [decimal(effect.margin_d, 2, language), percent(effect.margin_si, language), effect.power === null ? '–' : levelPercent(effect.power, language)];
  return (
    <>
      {effect.least_margin !== null && (
        <>
          <Trans>These votes show equivalence only for a margin of at least {least}.</Trans>{' '}
        </>
      )}
      {effect.margin_d !== null && (
        <>
          <Trans>
            The margin of {margin} is {d} standard deviations of single votes.
          </Trans>{' '}
        </>
      )}
      {effect.margin !== null &&
        (effect.margin_si === null ? (
          <>
            <Trans>The margin cannot be expressed as a change of Speed Index:</Trans> {effect.margin_si_reason !== null && wordsOf(effect.margin_si_reason)}.{' '}
          </>
        ) : (
          <>
            <Trans>A Speed Index that is {change} larger changes the votes by as much as the margin.</Trans>{' '}
          </>
        ))}
      {effect.detectable !== null && (
        <>
          <Trans>
            If votes vary as these do, the planned number of participants finds a difference of {detectable} with a probability of {power}.
          </Trans>{' '}
        </>
      )}
    </>
  );
}
