import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment } from 'react';

import type { EffectOut, HypothesisOut, ResultsOut } from '../../../shared/api/contract.gen';
import { levelPercent } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import type { Origin } from '../pageContext';
import { OutcomeWord } from './AnswersSection';
import { useAmount } from './EffectsTable';

/** Summary of a closed study: for each hypothesis the outcome, the effect with interval on each network, and the deciding network. */
export function Summary({ results: { hypotheses, effects }, origin }: { results: Pick<ResultsOut, 'hypotheses' | 'effects'>; origin: Origin }) {
  if (hypotheses.length === 0) return null;
  return (
    <section className="results-summary">
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
        {hypotheses.map((result) => (
          <Fragment key={result.hypothesis}>
            <dt>
              <span className={`answer__outcome answer__outcome--${result.outcome}`}>
                <OutcomeWord outcome={result.outcome} />
              </span>{' '}
              {result.hypothesis}: {result.says}
            </dt>
            <dd>
              <EffectLines outcome={result.outcome} effects={effects.filter(({ hypothesis }) => hypothesis === result.hypothesis)} />
              {result.agreement != null && result.agreement.best.length > 0 && <BestMetrics best={result.agreement.best} />}
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
      <ul className="results-summary__effects">
        {effects.map((effect) => {
          const { network } = effect;
          const name = network === 'pooled' ? t`All networks` : network;
          const line = (
            <>
              {name} {show(effect, effect.estimate)}{' '}
              {effect.ci_low === null ? (
                <Trans>(too few participants or votes for an interval)</Trans>
              ) : (
                <>
                  [{show(effect, effect.ci_low)}, {show(effect, effect.ci_high)}]
                </>
              )}
            </>
          );
          return <li key={network}>{deciding.includes(effect) ? <strong>{line}</strong> : line}</li>;
        })}
      </ul>
      {deciding.length > 0 && <Decided by={deciding} of={effects.length} isOpen={outcome === 'undecided'} />}
    </>
  );
}

/** The networks that decided an outcome; for a single network, also the site with the largest part. */
function Decided({ by, of, isOpen }: { by: readonly EffectOut[]; of: number; isOpen: boolean }) {
  const language = useLanguage();
  const show = useAmount();
  const networks = new Intl.ListFormat(language).format(by.map(({ network }) => network));
  const [first] = by;
  // an undecided outcome has no deciding site
  const site = !isOpen && by.length === 1 && first?.leading_site != null ? first : null;
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

/** The networks that decide an outcome. Contradicted: the contradicting ones. Undecided: the undecided ones. Supported: none in particular, unless there is only one network. */
function decidingOf(outcome: HypothesisOut['outcome'], effects: readonly EffectOut[]): readonly EffectOut[] {
  if (outcome === 'contradicted') return effects.filter(({ claim }) => claim === 'contradicted');
  if (outcome === 'undecided') return effects.filter(({ claim }) => claim === 'undecided');
  return effects.length === 1 ? effects : [];
}
