import { Trans, useLingui } from '@lingui/react/macro';

import type { Forecast, LinkOut } from '../../../shared/api/contract.gen';
import { date, decimal } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { useExclusionWords } from '../participants/useExclusionWords';

/** Sessions of a link by state, their duration, and a forecast of when the quota is full. */
export function LinkCourse({ course: { started, active, finished, left, excluded, minutes, forecast } }: { course: LinkOut }) {
  const { t } = useLingui();
  const language = useLanguage();
  const numbers: [string, number][] = [[t`arrived`, started], [t`active now`, active], [t`finished`, finished], [t`left`, left]];
  const [lower, median, upper] = minutes === null ? [] : [minutes.lower, minutes.median, minutes.upper].map((value) => decimal(value, 1, language));
  return (
    <div className="live__course">
      <dl className="numbers">
        {numbers.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <ExcludedLine excluded={excluded} />
      {minutes !== null && (
        <p className="facts">
          <Trans>
            The middle half of the finished sessions took {lower} to {upper} minutes (median {median}).
          </Trans>
        </p>
      )}
      {forecast !== null && <ForecastLine forecast={forecast} />}
    </div>
  );
}

function ExcludedLine({ excluded }: { excluded: LinkOut['excluded'] }) {
  const wordsOf = useExclusionWords();
  const listed = Object.entries(excluded).map(([rule, count]) => `${wordsOf(rule)} (${String(count)})`).join(', ');
  if (listed === '') return null;
  return (
    <p className="facts">
      <Trans>Not counted, by reason: {listed}</Trans>
    </p>
  );
}

function ForecastLine({ forecast: { per_day, expected, earliest, latest } }: { forecast: Forecast }) {
  const language = useLanguage();
  const [rate, day, from] = [decimal(per_day, 1, language), date(expected, language), date(earliest, language)];
  const to = latest === null ? null : date(latest, language);
  return (
    <p className="facts">
      <Trans>{rate} sessions count per day.</Trans>{' '}
      {to === null ? (
        <Trans>At this rate the quota is full on {day}, on {from} at the earliest.</Trans>
      ) : (
        <Trans>
          At this rate the quota is full on {day} (95 % interval {from} to {to}).
        </Trans>
      )}
    </p>
  );
}
