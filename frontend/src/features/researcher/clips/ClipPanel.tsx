import { Trans, useLingui } from '@lingui/react/macro';

import type { ClipSideOut, StudyClipDetailOut } from '../../../shared/api/contract.gen';
import { decimal, seconds } from '../../../shared/i18n/format';
import { useLanguage } from '../../../shared/i18n/language';
import { useMetrics } from '../tables/useMetrics';
import { completeAt, placeOf, stepsOf, ticksOf } from './timeline';

/** Colours of the main metrics, in their order. They also differ in lightness. */
const colours = ['#2f7d3b', '#8a6100', '#b4481b', '#b01e45', '#6a4bb0'];

/** The curve of visual completeness with the main metrics, and a line at the current time of the video. */
export function ClipPanel({ clip, side, now }: { clip: StudyClipDetailOut; side: ClipSideOut; now: number }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { stack, run, progress } = side;
  const main = useMetrics().filter(({ group }) => group === 'main');
  const marks = main.map(({ field, label }, place) => ({ field, label, colour: colours[place % colours.length], ms: side.metrics[field] ?? null }));
  const since = now - clip.start_ms - side.delay_ms;
  const clock = decimal(since / 1000, 2, language);
  return (
    <figure className="clip-panel">
      <figcaption>
        <span>
          <strong>{stack}</strong> <Trans>run {run}</Trans>
        </span>
        <span className="clip-panel__clock">
          {clock} s{progress !== null && ` · ${String(completeAt(since, progress))} %`}
        </span>
      </figcaption>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={t`Visual completeness over time, ${stack}`}>
        {[0, 15, 50, 100].map((y) => (
          <line key={y} x1={0} x2={100} y1={y} y2={y} className="figure__grid" />
        ))}
        {progress !== null && <polyline points={stepsOf(progress, clip, side)} className="clip-panel__curve" />}
        {marks.map(({ field, colour, ms }) => {
          const x = at(ms, clip, side);
          return x !== null && <line key={field} x1={x} x2={x} y1={0} y2={100} stroke={colour} className="clip-panel__metric" />;
        })}
        <line x1={(100 * now) / clip.duration_ms} x2={(100 * now) / clip.duration_ms} y1={0} y2={100} className="clip-panel__now" />
      </svg>
      <div className="clip-panel__axis" aria-hidden="true">
        {ticksOf(clip).map((ms) => (
          <span key={ms} style={{ left: `${String((100 * (clip.start_ms + ms)) / clip.duration_ms)}%` }}>
            {decimal(ms / 1000, ms % 1000 === 0 ? 0 : 1, language)}
          </span>
        ))}
      </div>
      <ul className="clip-panel__names">
        {marks.map(({ field, label, colour, ms }) => (
          <li key={field} className={ms !== null && ms <= since ? 'reached' : undefined}>
            <svg width={4} height={14} aria-hidden="true">
              <rect width={4} height={14} fill={colour} />
            </svg>
            {label} {seconds(ms, language)}&nbsp;s
          </li>
        ))}
      </ul>
      {progress === null && (
        <p className="facts">
          <Trans>The batch has no curve of visual completeness for this load.</Trans>
        </p>
      )}
    </figure>
  );
}

function at(ms: number | null, clip: StudyClipDetailOut, side: ClipSideOut): number | null {
  return ms === null ? null : placeOf(ms, clip, side);
}
