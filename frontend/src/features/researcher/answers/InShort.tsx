import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';

import type { EffectOut, HypothesisOut, ResultsOut } from '../../../shared/api/contract.gen';
import { levelPercent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import type { Origin } from '../pageContext';
import { OutcomeWord } from './AnswersSection';
import { useAmount } from './EffectsTable';

/** The first screen of a closed study: of each hypothesis the outcome, the effect on each network with its interval, and what decided it. */
export function InShort({ results: { hypotheses, effects }, origin }: { results: Pick<ResultsOut, 'hypotheses' | 'effects'>; origin: Origin }) {
  if (hypotheses.length === 0) return null;
  return (
    <section className="in-short">
      <h2>
        <Trans>Summary</Trans>
        {origin === 'all' && (
          <>
            {' '}
            <span className="badge">
              <Trans>with simulated sessions</Trans>
            </span>
          </>
        )}
      </h2>
      <dl>
        {hypotheses.map((one) => (
          <Fragment key={one.hypothesis}>
            <dt>
              <span className={`answer__outcome answer__outcome--${one.outcome}`}>
                <OutcomeWord outcome={one.outcome} />
              </span>{' '}
              {one.hypothesis}: {one.says}
            </dt>
            <dd>
              <EffectLines outcome={one.outcome} effects={effects.filter(({ hypothesis }) => hypothesis === one.hypothesis)} />
              {one.agreement != null && one.agreement.best.length > 0 && <BestMetrics best={one.agreement.best} />}
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

function EffectLines({ outcome, effects }: { outcome: HypothesisOut['outcome']; effects: readonly EffectOut[] }) {
  const { t } = useLingui();
  const language = useLanguage();
  const show = useAmount();
  const [first] = effects;
  if (first === undefined) return null;
  const deciding = decidingOf(outcome, effects);
  const level = levelPercent(first.level, language);
  const { first: before, second: after } = first;
  return (
    <>
      <p className="facts">
        {first.kind === 'rate' ? (
          <Trans>
            {before} → {after}, in points, with {level} intervals:
          </Trans>
        ) : (
          <Trans>
            {before} → {after}, in percentage points, with {level} intervals:
          </Trans>
        )}
      </p>
      <ul className="in-short__effects">
        {effects.map((effect) => {
          const { network } = effect;
          const name = network === 'pooled' ? t`All networks` : network;
          const line = (
            <>
              {name} {show(effect, effect.estimate)} [{show(effect, effect.ci_low)}, {show(effect, effect.ci_high)}]
            </>
          );
          return <li key={network}>{deciding.includes(effect) ? <strong>{line}</strong> : line}</li>;
        })}
      </ul>
      {deciding.length > 0 && <Decided by={deciding} of={effects.length} isOpen={outcome === 'undecided'} />}
    </>
  );
}

/** Which networks an outcome rests on, and, of a single one, the site with the largest part. */
function Decided({ by, of, isOpen }: { by: readonly EffectOut[]; of: number; isOpen: boolean }) {
  const language = useLanguage();
  const show = useAmount();
  const networks = new Intl.ListFormat(language).format(by.map(({ network }) => network));
  const [one] = by;
  // of what is open, no site decides
  const site = !isOpen && by.length === 1 && one?.leading_site != null ? one : null;
  const [name, part, whole] = site === null ? [] : [site.leading_site, show(site, site.leading_part ?? null), show(site, site.estimate)];
  if (of === 1 && site === null) return null;
  return (
    <p className="facts">
      {of > 1 && (isOpen ? <Trans>Undecided on {networks}.</Trans> : <Trans>Decided by {networks}.</Trans>)}{' '}
      {site !== null && (
        <Trans>
          Site with the largest part: {name}, {part} of {whole}.
        </Trans>
      )}
    </p>
  );
}

function BestMetrics({ best }: { best: readonly string[] }) {
  const language = useLanguage();
  const listed = new Intl.ListFormat(language).format(best);
  return (
    <p className="facts">
      <Trans>Best metrics: {listed}</Trans>
    </p>
  );
}

/** Contradicted: by one network is enough. Undecided: the networks that do not support it. Supported: all do, so none decides more than the others. */
function decidingOf(outcome: HypothesisOut['outcome'], effects: readonly EffectOut[]): readonly EffectOut[] {
  if (outcome === 'contradicted') return effects.filter(({ claim }) => claim === 'contradicted');
  if (outcome === 'undecided') return effects.filter(({ claim }) => claim === 'undecided');
  return effects.length === 1 ? effects : [];
}
